/*
 * The terminal: a struct screen on ncurses, which only paints, and libtermkey,
 * which owns the keyboard. Nothing else in the program knows either of them.
 *
 * While a screen is open the signals SIGWINCH, SIGTSTP, SIGCONT and those that ask the
 * process to end (base/signal_sets.h) are blocked except while next() waits, and become
 * events there. A crash, on any thread, gives the terminal back before the process dies of
 * it. One screen at a time.
 */
#ifndef TTRACE_TERM_TERM_H
#define TTRACE_TERM_TERM_H

#include <stdbool.h>

#include "base/error.h"
#include "draw/screen.h"

struct term_options {
	bool without_color; /* as NO_COLOR asks */
	/* So many colours, whatever terminfo says; COLORS_NONE: as terminfo says. */
	enum color_depth forced_depth;
	bool asks_ground;   /* the terminal is asked what colour its ground has, for 100 ms at most */
	/*
	 * What to say on standard error after a crash, newline included; NULL: nothing.
	 * Must stay valid as long as the process.
	 */
	const char *crash_message;
	/* The same where a file that is mapped has become shorter, or cannot be read (SIGBUS). */
	const char *unmapped_message;
};

/*
 * Takes over the terminal that standard output is. Keys come from standard input if
 * that is a terminal, else from /dev/tty. setlocale() must have been called. On failure
 * (no terminal, or one that cannot place the cursor) the terminal is as it was.
 */
struct screen *term_screen_open(const struct term_options *options, struct error *err);

/* Leaves if that has not happened yet, and frees the screen; NULL is fine. */
void term_screen_free(struct screen *screen);

/* The type as which it is driven: $TERM, or what stands for it where the machine does not know that. */
const char *term_screen_type(const struct screen *screen);

/* Whether the terminal said that its ground is a light one. */
bool term_screen_is_light(const struct screen *screen);

/* The signal for which next() said SCREEN_TERMINATE, 0 when the terminal just ended. */
int term_screen_signal(const struct screen *screen);

#endif
