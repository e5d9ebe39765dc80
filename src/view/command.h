/*
 * The commands of the interactive program: one row each. Key hints, the help
 * screen, the man page and the key map are made from this table; so a command exists
 * in all of them or in none.
 */
#ifndef TTRACE_VIEW_COMMAND_H
#define TTRACE_VIEW_COMMAND_H

#include <stddef.h>

struct words; /* trace/words.h */

enum command_context {
	IN_TIMELINE = 1,
	IN_DETAIL = 2,
	IN_HELP = 4,
	/*
	 * Pages whose lines lead to places: actor, why, critical-path, everyone, woken, task,
	 * findings, bookmarks.
	 */
	IN_WALK = 8,
	IN_BOOKMARKS = 16, /* the page of bookmarks, which is IN_WALK too */
	IN_ANALYSIS = 32, /* tables of numbers */
	IN_CHART = 64,    /* pictures of numbers */
	IN_ANY = 0xffff
};

/* The headings that the help screen and the man page put over the commands. */
enum command_group {
	GROUP_MOVE, GROUP_ZOOM, GROUP_SPAN, GROUP_LANES, GROUP_FIND, GROUP_TABLES, GROUP_VIEW,
	GROUP_COUNT
};

/*
 * X(identifier, group, "name", contexts, "help in one line"); a group's rows stand together. The help
 * is a pattern of text_add_words().
 */
#define COMMAND_TABLE(X) \
	X(LEFT, MOVE, "left", IN_TIMELINE | IN_CHART, "move the cursor one cell to the left") \
	X(RIGHT, MOVE, "right", IN_TIMELINE | IN_CHART, "move the cursor one cell to the right") \
	X(UP, MOVE, "up", IN_ANY, "one row or line up") \
	X(DOWN, MOVE, "down", IN_ANY, "one row or line down") \
	X(PAGE_UP, MOVE, "page-up", IN_ANY, "one screen of rows up") \
	X(PAGE_DOWN, MOVE, "page-down", IN_ANY, "one screen of rows down") \
	X(HALF_PAGE_UP, MOVE, "half-page-up", IN_ANY, "half a screen of rows up") \
	X(HALF_PAGE_DOWN, MOVE, "half-page-down", IN_ANY, "half a screen of rows down") \
	X(FIRST_ROW, MOVE, "first-row", IN_ANY, "to the first row") \
	X(LAST_ROW, MOVE, "last-row", IN_ANY, "to the last row") \
	X(PAN_LEFT, MOVE, "pan-left", IN_TIMELINE | IN_CHART, \
		"show an earlier interval, half a screen away") \
	X(PAN_RIGHT, MOVE, "pan-right", IN_TIMELINE | IN_CHART, \
		"show a later interval, half a screen away") \
	X(TRACE_START, MOVE, "trace-start", IN_TIMELINE | IN_CHART, "to the start of the trace") \
	X(TRACE_END, MOVE, "trace-end", IN_TIMELINE | IN_CHART, "to the end of the trace") \
	X(ZOOM_IN, ZOOM, "zoom-in", IN_TIMELINE | IN_CHART, \
		"halve the time on screen, around the cursor") \
	X(ZOOM_OUT, ZOOM, "zoom-out", IN_TIMELINE | IN_CHART, \
		"double the time on screen, around the cursor") \
	X(FIT_ALL, ZOOM, "fit-all", IN_TIMELINE | IN_CHART, "show the whole trace") \
	X(FIT_SELECTION, ZOOM, "fit-selection", IN_TIMELINE, \
		"fit the marked interval, else the selected span, to the screen") \
	X(MARK, ZOOM, "mark", IN_TIMELINE, \
		"mark an interval from here on, moving extends it, or drop it; " \
		"a or b behind its name: that mark") \
	X(MARK_A, ZOOM, "mark-a", IN_TIMELINE, \
		"set the mark A here, or take it away here; A to B is a marked interval") \
	X(MARK_B, ZOOM, "mark-b", IN_TIMELINE, "set the mark B here, or take it away here") \
	X(PREVIOUS_SPAN, SPAN, "previous-span", IN_TIMELINE | IN_DETAIL | IN_CHART, \
		"to the span before on this row") \
	X(NEXT_SPAN, SPAN, "next-span", IN_TIMELINE | IN_DETAIL | IN_CHART, \
		"to the span after on this row") \
	X(PREVIOUS_SAMPLE, SPAN, "previous-sample", IN_TIMELINE, \
		"to the {sample} before on this row") \
	X(NEXT_SAMPLE, SPAN, "next-sample", IN_TIMELINE, "to the {sample} after on this row") \
	X(STACK_LANES, SPAN, "stack-lanes", IN_TIMELINE, \
		"show the stack of the {actor} over time beneath its lane, or hide it") \
	X(LONGEST_SPAN, SPAN, "longest-span", IN_TIMELINE | IN_CHART, \
		"to the longest span of this class on the row, within the screen") \
	X(WAKER, SPAN, "waker", IN_TIMELINE | IN_DETAIL, "to what woke this {actor}") \
	X(WOKEN, SPAN, "woken", IN_TIMELINE, \
		"to what this span woke; a list where it woke several") \
	X(WHY, SPAN, "why", IN_TIMELINE | IN_WALK, \
		"why the {actor} was not running then: the chain of causes") \
	X(CRITICAL_PATH, SPAN, "critical-path", IN_TIMELINE | IN_WALK, \
		"what the time of the {actor}, of the region or of the marked interval went " \
		"into") \
	X(EVERYONE, SPAN, "everyone", IN_TIMELINE, \
		"all {actors} at this time with their stacks, as a dump of them") \
	X(FINDINGS, SPAN, "findings", IN_TIMELINE, \
		"what is odd in the trace, or in the marked interval, the worst first") \
	X(FOCUS_ACTOR, SPAN, "focus-goroutine", IN_TIMELINE, \
		"show only the {actor} and what woke it, what it woke and ran on, or all again") \
	X(REQUESTS, SPAN, "requests", IN_TIMELINE, \
		"show {tasks} as lanes, those that took longest first, " \
		"or all other rows again") \
	X(NEXT_REQUEST, SPAN, "next-request", IN_TIMELINE, \
		"to the next {task}, from the slowest to the fastest, fitted to the screen") \
	X(PREVIOUS_REQUEST, SPAN, "previous-request", IN_TIMELINE, \
		"to the {task} before, which took longer") \
	X(ACROSS, SPAN, "across", IN_TIMELINE, \
		"of two traces: to the same {thread} at this time in the other one, and back") \
	X(EDIT, SPAN, "edit", IN_TIMELINE | IN_DETAIL | IN_ANALYSIS | IN_CHART, \
		"open the code in $EDITOR where the stack leaves the library; " \
		"a count: its callers") \
	X(FOLD, SPAN, "fold", IN_TIMELINE | IN_ANALYSIS, \
		"fold or unfold the group or section, the regions and logs of {an actor}, " \
		"or the calls") \
	X(OPEN, SPAN, "open", IN_TIMELINE | IN_DETAIL | IN_WALK | IN_ANALYSIS | IN_CHART, \
		"unfold a group; show everything about what is here, and then about its {actor}; " \
		"go to what the line tells of; zoom into the frame") \
	X(FOLD_PANEL, LANES, "fold-panel", IN_TIMELINE, \
		"leave the panel beneath the rows two lines, or give it more again") \
	X(GROUP_LANES, LANES, "group-lanes", IN_TIMELINE, \
		"group {actors} by the next of name, creator, label, task and state, " \
		"or by the one named behind it") \
	X(SORT_LANES, LANES, "sort-lanes", IN_TIMELINE, \
		"sort groups and {actors} by the next order, or by the one named behind it") \
	X(HIDE_LANE, LANES, "hide-lane", IN_TIMELINE, "hide the selected lane") \
	X(PIN_LANE, LANES, "pin-lane", IN_TIMELINE, \
		"keep the selected row on top as well while others scroll, or no longer") \
	X(INTERACTS, LANES, "interacts", IN_TIMELINE, \
		"show only {actors} that interact with the selected one, " \
		"again: one step further") \
	X(SHOW_LANES, LANES, "show-lanes", IN_TIMELINE, \
		"show all lanes again that are hidden or do not interact") \
	X(JUMP, FIND, "jump", IN_TIMELINE, \
		"ask for a time to go to: 1.2s, +10ms, -10ms, 42%, 15:04:05.123, A") \
	X(SEARCH, FIND, "search", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS, \
		"search names, functions, reasons, regions, {tasks} and logs") \
	X(NEXT_MATCH, FIND, "next-match", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS, \
		"to the next match in time") \
	X(PREVIOUS_MATCH, FIND, "previous-match", IN_TIMELINE | IN_DETAIL | IN_HELP | IN_WALK | IN_ANALYSIS, \
		"to the match before in time") \
	X(FILTER, FIND, "filter", IN_TIMELINE, \
		"dim what a query does not match, again: hide it, again: show all") \
	X(COUNT_SPANS, FIND, "count", IN_TIMELINE, "count the spans that a query matches") \
	X(BOOKMARK, FIND, "bookmark", IN_TIMELINE, \
		"ask for a name and a note, and put a bookmark here") \
	X(BOOKMARKS, FIND, "bookmarks", IN_TIMELINE, "list marks and bookmarks, to go to one") \
	X(DROP_BOOKMARK, FIND, "drop-bookmark", IN_BOOKMARKS, "drop the bookmark, or the mark") \
	X(NOTE, FIND, "note", IN_BOOKMARKS, "ask for the note of the bookmark") \
	X(NEXT_DAMAGE, FIND, "next-damage", IN_TIMELINE, "to the next damaged place of the trace") \
	X(PREVIOUS_DAMAGE, FIND, "previous-damage", IN_TIMELINE, "to the damaged place before") \
	X(LOAD_PART, FIND, "load-part", IN_TIMELINE, \
		"load the part of the trace around the cursor, in place of what is loaded") \
	X(CLEAR_SEARCH, FIND, "clear-search", IN_ANY, \
		"one step back: end what goes on, drop the mark, the search, this page, the filter, " \
		"the critical path, what is shown alone") \
	X(ANALYSE, TABLES, "analyse", IN_TIMELINE | IN_ANALYSIS | IN_CHART, \
		"the numbers of the marked interval, {actor}, function or {task}, " \
		"or all: a list of analyses, or the one named behind it") \
	X(NEXT_FORM, TABLES, "next-form", IN_ANALYSIS | IN_CHART, \
		"show it in its next form: table, call tree, flame graph; histogram, map") \
	X(NEXT_STATISTIC, TABLES, "next-statistic", IN_ANALYSIS, \
		"show the next of total, mean, percentiles and longest; " \
		"a flame graph of changes as wide as before") \
	X(SORT_LEFT, TABLES, "sort-left", IN_ANALYSIS, "sort by the column on the left") \
	X(SORT_RIGHT, TABLES, "sort-right", IN_ANALYSIS, "sort by the column on the right") \
	X(REVERSE, TABLES, "reverse", IN_ANALYSIS, \
		"sort the other way round; trees and flame graphs from the other end") \
	X(COLUMN_LEFT, TABLES, "column-left", IN_ANALYSIS, \
		"to the columns, or the frame, on the left; fold the calls") \
	X(COLUMN_RIGHT, TABLES, "column-right", IN_ANALYSIS, \
		"to the columns, or the frame, on the right; unfold the calls") \
	X(UNFOLD_ALL, TABLES, "unfold-all", IN_ANALYSIS, "unfold all calls") \
	X(FOLD_ALL, TABLES, "fold-all", IN_ANALYSIS, "fold all calls") \
	X(WIDEN, TABLES, "widen", IN_ANALYSIS, \
		"show what calls the frame that fills the flame graph") \
	X(COUNT_STOPS, TABLES, "count-stops", IN_CHART, \
		"count stops of the world as the collector's, or not") \
	X(COUNT_BACKGROUND, TABLES, "count-background", IN_CHART, \
		"count background mark workers, or not") \
	X(COUNT_ASSISTS, TABLES, "count-assists", IN_CHART, "count mark assists, or not") \
	X(COUNT_SWEEPING, TABLES, "count-sweeping", IN_CHART, "count sweeping, or not") \
	X(EACH_PROCESSOR, TABLES, "each-proc", IN_CHART, \
		"each {processor} for itself, or all of them together") \
	X(FILTER_ROWS, TABLES, "filter-rows", IN_ANALYSIS, \
		"show only rows, or stacks, that match a pattern; an empty one: all") \
	X(FOCUS_CALLS, TABLES, "focus", IN_ANALYSIS, \
		"of a profile only stacks with a function that matches a pattern; " \
		"an empty one: all") \
	X(IGNORE_CALLS, TABLES, "ignore", IN_ANALYSIS, "of a profile only stacks without one") \
	X(RUNTIME, TABLES, "runtime", IN_ANALYSIS | IN_CHART, \
		"count the runtime's own {actors} as well, or not") \
	X(UNDO, VIEW, "undo", IN_TIMELINE | IN_CHART, \
		"back to the view before the last jump or zoom") \
	X(REDO, VIEW, "redo", IN_TIMELINE | IN_CHART, "take an undo back") \
	X(NEXT_VIEW, VIEW, "next-view", IN_ANY, "to the next view") \
	X(LINE, VIEW, "command-line", IN_ANY, "ask for a command by its name; Tab completes it") \
	X(HELP, VIEW, "help", IN_ANY & ~(unsigned)IN_HELP, "show the keys of this view") \
	X(CLOCK, VIEW, "clock", IN_TIMELINE | IN_DETAIL | IN_WALK | IN_ANALYSIS | IN_CHART, \
		"tell times by the wall clock, or from the start of the trace again") \
	X(YANK, VIEW, "yank", IN_ANY, "copy and show the command line that opens this very view") \
	X(PRINT_SCREEN, VIEW, "print-screen", IN_ANY, \
		"ask for a file to print the screen to: .svg, .ansi, else text") \
	X(PALETTE, VIEW, "palette", IN_ANY, \
		"draw in the next palette, or in the one named behind it") \
	X(MOUSE, VIEW, "mouse", IN_ANY, "leave the mouse to the terminal, or take it back") \
	X(REFRESH, VIEW, "refresh", IN_ANY, "draw the screen anew") \
	X(SUSPEND, VIEW, "suspend", IN_ANY, "stop and go back to the shell; fg resumes") \
	X(CLOSE, VIEW, "close", IN_ANY, \
		"leave this view or the focus on {an actor}; else quit") \
	X(QUIT, VIEW, "quit", IN_ANY, "leave ttrace")

enum command {
#define COMMAND_ENUM(identifier, group, name, contexts, help) COMMAND_##identifier,
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
/* Its name in the words of a trace; NULL: as the config has it. */
const char *command_name(enum command command, const struct words *words);
const struct command_row *command_row(enum command command);
/*
 * What a command works on, as a word for it ("TIME"): asked for at a prompt, or typed behind its
 * name. NULL where it takes nothing.
 */
const char *command_argument(enum command command);
/* "Moving", "Zooming", ... */
const char *command_group_name(enum command_group group);

#endif
