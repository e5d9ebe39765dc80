/* What terminfo is asked directly, outside curses. */
#ifndef TTRACE_TERM_TERMINFO_H
#define TTRACE_TERM_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "term/description.h"

enum terminfo_mode { TERMINFO_KEYPAD_ON, TERMINFO_KEYPAD_OFF };

/* The type of a terminal, as curses knows it. */
struct terminfo_type {
	const char *name; /* $TERM; or, where the machine has no description of that, the closest of ours */
	struct description_offer offer; /* made then; to be withdrawn when curses has begun */
};

/* What $TERM names, where a full screen can be drawn on it; else false, and err says why not. */
bool terminfo_find(struct terminfo_type *found, int tty_fd, struct error *err);

/* Sends the sequence of a mode through curses; flushed by its next update or end. */
void terminfo_send(enum terminfo_mode mode);

/*
 * The bytes that undo all we do to the terminal, for a moment when curses cannot be
 * asked; at most size of them. height: of the screen, in cells. Needs curses running.
 */
size_t terminfo_restore(char *out, size_t size, int height);

/* Sequences that paint. */
enum terminfo_sequence {
	TERMINFO_MOVE,  /* to row, column */
	TERMINFO_RIGHT, /* by so many columns */
	TERMINFO_DOWN,  /* by one */
	TERMINFO_LEFT,  /* by one */
	TERMINFO_REGION, /* of rows that scroll: from, to */
	TERMINFO_SCROLL_UP, /* by one, on the last row of the region */
	TERMINFO_SCROLL_DOWN, /* on its first */
	TERMINFO_ERASE_LINE, /* from the cursor to the end of the row */
	TERMINFO_DELETE,     /* so many cells from the cursor on: the rest of the row moves left */
	TERMINFO_INSERT,     /* so many: it moves right */
	TERMINFO_FOREGROUND, /* to a colour */
	TERMINFO_BACKGROUND,
	TERMINFO_COLORS_OFF, /* to the terminal's own two */
	TERMINFO_BOLD,
	TERMINFO_UNDERLINE,
	TERMINFO_UNDERLINE_OFF,
	TERMINFO_REVERSE,
	TERMINFO_REVERSE_OFF, /* there only where it is known to end nothing else */
	TERMINFO_ALL_OFF,     /* attributes and colours */
	TERMINFO_SEQUENCES
};

/* What a terminal does and has. */
struct terminfo {
	const char *sequences[TERMINFO_SEQUENCES]; /* NULL: has none; curses owns them */
	int colors;            /* 0 for a terminal without */
	bool has_direct_color; /* they are given as 0xRRGGBB */
	bool has_own_color;    /* each of its own two colours can be gone back to alone (SGR 39, 49) */
	bool erases_in_ground; /* what is erased takes the ground that is set, not its own */
	bool stops_at_end;     /* after the last column the cursor waits for the next character */
	uint8_t plain_attributes; /* enum cell_attribute: those that colours cannot be beside */
};

/* Needs curses running. */
void terminfo_read(struct terminfo *info);
/* Adds a sequence that the terminal has, with its numbers where it takes any. */
void terminfo_add(struct text *out, const char *sequence, int first, int second);
/* Whether it takes control strings (OSC) as xterm does, even if it does not know them. */
bool terminfo_is_like_xterm(void);
/* Whether it reports what a mouse does. */
bool terminfo_has_mouse(void);
/* Gives colours to a terminal by the sequences that most of them take, whatever it says of itself. */
void terminfo_force_colors(struct terminfo *info, bool is_direct);

#endif
