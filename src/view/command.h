/*
 * The commands of the interactive program: one row each. Key hints, the help
 * screen, the man page and the key map are made from this table; so a command exists
 * in all of them or in none.
 */
#ifndef TTRACE_VIEW_COMMAND_H
#define TTRACE_VIEW_COMMAND_H

enum command_context {
	IN_TIMELINE = 1,
	IN_DETAIL = 2,
	IN_HELP = 4,
	IN_ANY = 0xffff
};

/* X(identifier, "name", "help in one line", contexts) */
#define COMMAND_TABLE(X) \
	X(LEFT, "left", "move the cursor one cell to the left", IN_TIMELINE) \
	X(RIGHT, "right", "move the cursor one cell to the right", IN_TIMELINE) \
	X(UP, "up", "one row or line up", IN_ANY) \
	X(DOWN, "down", "one row or line down", IN_ANY) \
	X(PAGE_UP, "page-up", "one screen of rows up", IN_ANY) \
	X(PAGE_DOWN, "page-down", "one screen of rows down", IN_ANY) \
	X(FIRST_ROW, "first-row", "to the first row", IN_ANY) \
	X(LAST_ROW, "last-row", "to the last row", IN_ANY) \
	X(PAN_LEFT, "pan-left", "show an earlier interval, half a screen away", IN_TIMELINE) \
	X(PAN_RIGHT, "pan-right", "show a later interval, half a screen away", IN_TIMELINE) \
	X(TRACE_START, "trace-start", "to the start of the trace", IN_TIMELINE) \
	X(TRACE_END, "trace-end", "to the end of the trace", IN_TIMELINE) \
	X(ZOOM_IN, "zoom-in", "half the time on screen, around the cursor", IN_TIMELINE) \
	X(ZOOM_OUT, "zoom-out", "twice the time on screen, around the cursor", IN_TIMELINE) \
	X(FIT_ALL, "fit-all", "show the whole trace", IN_TIMELINE) \
	X(FIT_SELECTION, "fit-selection", "fit the selected span to the screen", IN_TIMELINE) \
	X(PREVIOUS_SPAN, "previous-span", "to the span before on this row", IN_TIMELINE) \
	X(NEXT_SPAN, "next-span", "to the span after on this row", IN_TIMELINE) \
	X(LONGEST_SPAN, "longest-span", "to the longest span of this class on the row, within the screen", IN_TIMELINE) \
	X(WAKER, "waker", "to what woke this goroutine", IN_TIMELINE) \
	X(FOLD, "fold", "fold or unfold the group or section", IN_TIMELINE) \
	X(OPEN, "open", "unfold a group; else show everything about the span", IN_TIMELINE) \
	X(JUMP, "jump", "ask for a time to go to: 1.2s, +10ms, -10ms, 42%", IN_TIMELINE) \
	X(SEARCH, "search", "search names, functions, reasons, regions, tasks and logs", IN_TIMELINE | IN_DETAIL | IN_HELP) \
	X(NEXT_MATCH, "next-match", "to the next match in time", IN_TIMELINE | IN_DETAIL | IN_HELP) \
	X(PREVIOUS_MATCH, "previous-match", "to the match before in time", IN_TIMELINE | IN_DETAIL | IN_HELP) \
	X(CLEAR_SEARCH, "clear-search", "forget the search and its marks", IN_ANY) \
	X(UNDO, "undo", "back to the view before the last jump or zoom", IN_TIMELINE) \
	X(REDO, "redo", "take an undo back", IN_TIMELINE) \
	X(NEXT_VIEW, "next-view", "to the next view", IN_ANY) \
	X(HELP, "help", "show the keys of this view", IN_ANY) \
	X(REFRESH, "refresh", "draw the screen anew", IN_ANY) \
	X(SUSPEND, "suspend", "stop and go back to the shell; fg resumes", IN_ANY) \
	X(CLOSE, "close", "leave this view; on the timeline: quit", IN_ANY) \
	X(QUIT, "quit", "leave ttrace", IN_ANY)

enum command {
#define COMMAND_ENUM(identifier, name, help, contexts) COMMAND_##identifier,
	COMMAND_TABLE(COMMAND_ENUM)
#undef COMMAND_ENUM
	COMMAND_COUNT
};

struct command_row {
	const char *name, *help;
	unsigned contexts;
};

/* The row of a command. */
const struct command_row *command_row(enum command command);

#endif
