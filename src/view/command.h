/*
 * The commands of the interactive program: one row each. Key hints, the help
 * screen, the man page and the key map are made from this table; so a command exists
 * in all of them or in none.
 */
#ifndef TTRACE_VIEW_COMMAND_H
#define TTRACE_VIEW_COMMAND_H

#include <stddef.h>

enum command_context {
	IN_TIMELINE = 1,
	IN_DETAIL = 2,
	IN_HELP = 4,
	IN_WALK = 8, /* pages whose lines lead to places: why, critical-path, everyone, woken, task, findings, bookmarks */
	IN_BOOKMARKS = 16, /* the page of bookmarks, which is IN_WALK too */
	IN_ANALYSIS = 32, /* tables of numbers */
	IN_CHART = 64,    /* pictures of numbers */
	IN_ANY = 0xffff
};

/* The headings that the help screen and the man page put over the commands. */
enum command_group { GROUP_MOVE, GROUP_ZOOM, GROUP_SPAN, GROUP_LANES, GROUP_FIND, GROUP_TABLES, GROUP_VIEW, GROUP_COUNT };

/* X(identifier, group, "name", "help in one line", contexts); a group's rows stand together */
#define COMMAND_TABLE(X) \
	X(LEFT, MOVE, "left", "move the cursor one cell to the left", IN_TIMELINE | IN_CHART) \
	X(RIGHT, MOVE, "right", "move the cursor one cell to the right", IN_TIMELINE | IN_CHART) \
	X(UP, MOVE, "up", "one row or line up", IN_ANY) \
	X(DOWN, MOVE, "down", "one row or line down", IN_ANY) \
	X(PAGE_UP, MOVE, "page-up", "one screen of rows up", IN_ANY) \
	X(PAGE_DOWN, MOVE, "page-down", "one screen of rows down", IN_ANY) \
	X(HALF_PAGE_UP, MOVE, "half-page-up", "half a screen of rows up", IN_ANY) \
	X(HALF_PAGE_DOWN, MOVE, "half-page-down", "half a screen of rows down", IN_ANY) \
	X(FIRST_ROW, MOVE, "first-row", "to the first row", IN_ANY) \
	X(LAST_ROW, MOVE, "last-row", "to the last row", IN_ANY) \
	X(PAN_LEFT, MOVE, "pan-left", "show an earlier interval, half a screen away", IN_TIMELINE | IN_CHART) \
	X(PAN_RIGHT, MOVE, "pan-right", "show a later interval, half a screen away", IN_TIMELINE | IN_CHART) \
	X(TRACE_START, MOVE, "trace-start", "to the start of the trace", IN_TIMELINE | IN_CHART) \
	X(TRACE_END, MOVE, "trace-end", "to the end of the trace", IN_TIMELINE | IN_CHART) \
	X(ZOOM_IN, ZOOM, "zoom-in", "halve the time on screen, around the cursor", IN_TIMELINE | IN_CHART) \
	X(ZOOM_OUT, ZOOM, "zoom-out", "double the time on screen, around the cursor", IN_TIMELINE | IN_CHART) \
	X(FIT_ALL, ZOOM, "fit-all", "show the whole trace", IN_TIMELINE | IN_CHART) \
	X(FIT_SELECTION, ZOOM, "fit-selection", "fit the marked interval, else the selected span, to the screen", IN_TIMELINE) \
	X(MARK, ZOOM, "mark", "mark an interval from here on, moving extends it, or drop it; a or b behind its name: that mark", IN_TIMELINE) \
	X(MARK_A, ZOOM, "mark-a", "set the mark A here, or take it away here; A to B is a marked interval", IN_TIMELINE) \
	X(MARK_B, ZOOM, "mark-b", "set the mark B here, or take it away here", IN_TIMELINE) \
	X(PREVIOUS_SPAN, SPAN, "previous-span", "to the span before on this row", IN_TIMELINE | IN_DETAIL | IN_CHART) \
	X(NEXT_SPAN, SPAN, "next-span", "to the span after on this row", IN_TIMELINE | IN_DETAIL | IN_CHART) \
	X(PREVIOUS_SAMPLE, SPAN, "previous-sample", "to the CPU sample before on this row", IN_TIMELINE) \
	X(NEXT_SAMPLE, SPAN, "next-sample", "to the CPU sample after on this row", IN_TIMELINE) \
	X(STACK_LANES, SPAN, "stack-lanes", "show the stack of the goroutine over time beneath its lane, or hide it", IN_TIMELINE) \
	X(LONGEST_SPAN, SPAN, "longest-span", "to the longest span of this class on the row, within the screen", IN_TIMELINE | IN_CHART) \
	X(WAKER, SPAN, "waker", "to what woke this goroutine", IN_TIMELINE | IN_DETAIL) \
	X(WOKEN, SPAN, "woken", "to what this span woke; a list where it woke several", IN_TIMELINE) \
	X(WHY, SPAN, "why", "why the goroutine was not running then: the chain of causes", IN_TIMELINE | IN_WALK) \
	X(CRITICAL_PATH, SPAN, "critical-path", "what the time of the goroutine, of the region or of the marked interval went into", IN_TIMELINE | IN_WALK) \
	X(EVERYONE, SPAN, "everyone", "all goroutines at this time with their stacks, as Go dumps them", IN_TIMELINE) \
	X(FINDINGS, SPAN, "findings", "what is odd in the trace, or in the marked interval, the worst first", IN_TIMELINE) \
	X(FOCUS_GOROUTINE, SPAN, "focus-goroutine", "show only the goroutine and what woke it, what it woke and ran on, or all again", IN_TIMELINE) \
	X(REQUESTS, SPAN, "requests", "show user tasks as lanes, those that took longest first, or all other rows again", IN_TIMELINE) \
	X(NEXT_REQUEST, SPAN, "next-request", "to the next task, from the slowest to the fastest, fitted to the screen", IN_TIMELINE) \
	X(PREVIOUS_REQUEST, SPAN, "previous-request", "to the task before, which took longer", IN_TIMELINE) \
	X(EDIT, SPAN, "edit", "open the code in $EDITOR where the stack leaves the runtime; a count: its callers", IN_TIMELINE | IN_DETAIL | IN_ANALYSIS | IN_CHART) \
	X(FOLD, SPAN, "fold", "fold or unfold the group or section, the regions and logs of a goroutine, or the calls", IN_TIMELINE | IN_ANALYSIS) \
	X(OPEN, SPAN, "open", "unfold a group; show everything about what is here; go to what the line tells of; zoom into the frame", IN_TIMELINE | IN_WALK | IN_ANALYSIS | IN_CHART) \
	X(GROUP_LANES, LANES, "group-lanes", "group goroutines by the next of name, creator, label, task and state, or by the one named behind it", IN_TIMELINE) \
	X(SORT_LANES, LANES, "sort-lanes", "sort groups and goroutines by the next order, or by the one named behind it", IN_TIMELINE) \
	X(HIDE_LANE, LANES, "hide-lane", "hide the selected lane", IN_TIMELINE) \
	X(PIN_LANE, LANES, "pin-lane", "keep the selected row on top as well while others scroll, or no longer", IN_TIMELINE) \
	X(INTERACTS, LANES, "interacts", "show only goroutines that interact with the selected one, again: one step further", IN_TIMELINE) \
	X(SHOW_LANES, LANES, "show-lanes", "show all lanes again that are hidden or do not interact", IN_TIMELINE) \
	X(JUMP, FIND, "jump", "ask for a time to go to: 1.2s, +10ms, -10ms, 42%, 15:04:05.123, A", IN_TIMELINE) \
	X(SEARCH, FIND, "search", "search names, functions, reasons, regions, tasks and logs", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS) \
	X(NEXT_MATCH, FIND, "next-match", "to the next match in time", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS) \
	X(PREVIOUS_MATCH, FIND, "previous-match", "to the match before in time", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS) \
	X(FILTER, FIND, "filter", "dim what a query does not match, again: hide it, again: show all", IN_TIMELINE) \
	X(COUNT_SPANS, FIND, "count", "count the spans that a query matches", IN_TIMELINE) \
	X(BOOKMARK, FIND, "bookmark", "ask for a name and a note, and put a bookmark here", IN_TIMELINE) \
	X(BOOKMARKS, FIND, "bookmarks", "list marks and bookmarks, to go to one", IN_TIMELINE) \
	X(DROP_BOOKMARK, FIND, "drop-bookmark", "drop the bookmark, or the mark", IN_BOOKMARKS) \
	X(NOTE, FIND, "note", "ask for the note of the bookmark", IN_BOOKMARKS) \
	X(NEXT_DAMAGE, FIND, "next-damage", "to the next damaged place of the trace", IN_TIMELINE) \
	X(PREVIOUS_DAMAGE, FIND, "previous-damage", "to the damaged place before", IN_TIMELINE) \
	X(LOAD_PART, FIND, "load-part", "load the part of the trace around the cursor, in place of what is loaded", IN_TIMELINE) \
	X(CLEAR_SEARCH, FIND, "clear-search", "stop searching, else drop the marked interval, else forget the search, else the critical path, else leave this view", IN_ANY) \
	X(ANALYSE, TABLES, "analyse", "the numbers of the marked interval, goroutine, function or task, or all: a list of analyses, or the one named behind it", IN_TIMELINE | IN_ANALYSIS | IN_CHART) \
	X(NEXT_FORM, TABLES, "next-form", "show it in its next form: table, call tree, flame graph; histogram, map", IN_ANALYSIS | IN_CHART) \
	X(NEXT_STATISTIC, TABLES, "next-statistic", "show the next of total, mean, percentiles and longest; a flame graph of changes as wide as before", IN_ANALYSIS) \
	X(SORT_LEFT, TABLES, "sort-left", "sort by the column on the left", IN_ANALYSIS) \
	X(SORT_RIGHT, TABLES, "sort-right", "sort by the column on the right", IN_ANALYSIS) \
	X(REVERSE, TABLES, "reverse", "sort the other way round; trees and flame graphs from the other end", IN_ANALYSIS) \
	X(COLUMN_LEFT, TABLES, "column-left", "to the columns, or the frame, on the left; fold the calls", IN_ANALYSIS) \
	X(COLUMN_RIGHT, TABLES, "column-right", "to the columns, or the frame, on the right; unfold the calls", IN_ANALYSIS) \
	X(UNFOLD_ALL, TABLES, "unfold-all", "unfold all calls", IN_ANALYSIS) \
	X(FOLD_ALL, TABLES, "fold-all", "fold all calls", IN_ANALYSIS) \
	X(WIDEN, TABLES, "widen", "show what calls the frame that fills the flame graph", IN_ANALYSIS) \
	X(COUNT_STOPS, TABLES, "count-stops", "count stops of the world as the collector's, or not", IN_CHART) \
	X(COUNT_BACKGROUND, TABLES, "count-background", "count background mark workers, or not", IN_CHART) \
	X(COUNT_ASSISTS, TABLES, "count-assists", "count mark assists, or not", IN_CHART) \
	X(COUNT_SWEEPING, TABLES, "count-sweeping", "count sweeping, or not", IN_CHART) \
	X(EACH_PROC, TABLES, "each-proc", "each proc for itself, or all of them together", IN_CHART) \
	X(FILTER_ROWS, TABLES, "filter-rows", "show only rows, or stacks, that match a pattern; an empty one: all", IN_ANALYSIS) \
	X(FOCUS_CALLS, TABLES, "focus", "of a profile only stacks with a function that matches a pattern; an empty one: all", IN_ANALYSIS) \
	X(IGNORE_CALLS, TABLES, "ignore", "of a profile only stacks without one", IN_ANALYSIS) \
	X(UNDO, VIEW, "undo", "back to the view before the last jump or zoom", IN_TIMELINE | IN_CHART) \
	X(REDO, VIEW, "redo", "take an undo back", IN_TIMELINE | IN_CHART) \
	X(NEXT_VIEW, VIEW, "next-view", "to the next view", IN_ANY) \
	X(LINE, VIEW, "command-line", "ask for a command by its name; Tab completes it", IN_ANY) \
	X(HELP, VIEW, "help", "show the keys of this view", IN_ANY & ~(unsigned)IN_HELP) \
	X(CLOCK, VIEW, "clock", "tell times by the wall clock, or from the start of the trace again", IN_TIMELINE | IN_DETAIL | IN_WALK | IN_ANALYSIS | IN_CHART) \
	X(YANK, VIEW, "yank", "copy and show the command line that opens this very view", IN_ANY) \
	X(PRINT_SCREEN, VIEW, "print-screen", "ask for a file to print the screen to: .svg, .ansi, else text", IN_ANY) \
	X(PALETTE, VIEW, "palette", "draw in the next palette, or in the one named behind it", IN_ANY) \
	X(MOUSE, VIEW, "mouse", "leave the mouse to the terminal, or take it back", IN_ANY) \
	X(REFRESH, VIEW, "refresh", "draw the screen anew", IN_ANY) \
	X(SUSPEND, VIEW, "suspend", "stop and go back to the shell; fg resumes", IN_ANY) \
	X(CLOSE, VIEW, "close", "leave this view or what focus-goroutine shows; else quit", IN_ANY) \
	X(QUIT, VIEW, "quit", "leave ttrace", IN_ANY)

enum command {
#define COMMAND_ENUM(identifier, group, name, help, contexts) COMMAND_##identifier,
	COMMAND_TABLE(COMMAND_ENUM)
#undef COMMAND_ENUM
	COMMAND_COUNT
};

struct command_row {
	const char *name, *help;
	enum command_group group;
	unsigned contexts;
};

/* The command of that name, COMMAND_COUNT for none. */
enum command command_find(const char *name, size_t length);
/* The row of a command. */
const struct command_row *command_row(enum command command);
/*
 * What a command works on, as a word for it ("TIME"): asked for at a prompt, or typed behind its
 * name. NULL where it takes nothing.
 */
const char *command_argument(enum command command);
/* "Moving", "Zooming", ... */
const char *command_group_name(enum command_group group);

#endif
