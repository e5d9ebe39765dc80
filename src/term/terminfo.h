/* What terminfo is asked directly, outside curses. */
#ifndef TTRACE_TERM_TERMINFO_H
#define TTRACE_TERM_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum terminfo_mode { TERMINFO_KEYPAD_ON, TERMINFO_KEYPAD_OFF };

/* Whether $TERM names a terminal that a full screen can be drawn on; err says why not. */
bool terminfo_check(int tty_fd, struct error *err);

/* Sends the sequence of a mode through curses; flushed by its next update or end. */
void terminfo_send(enum terminfo_mode mode);

/*
 * The bytes that undo all we do to the terminal, for a moment when curses cannot be
 * asked; at most size of them. height: of the screen, in cells. Needs curses running.
 */
size_t terminfo_restore(char *out, size_t size, int height);

/* Whether colours are given as 0xRRGGBB. */
bool terminfo_has_direct_color(void);

#endif
