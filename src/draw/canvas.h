/*
 * The canvas: a grid of cells that every view draws on and every backend puts
 * out. A cell holds a grapheme and names of styles; what colour a style name
 * has is the palette's business alone.
 */
#ifndef TTRACE_DRAW_CANVAS_H
#define TTRACE_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"

struct text; /* base/text.h */

/*
 * Style names. The same name as foreground colours the glyph, as background the
 * ground behind it; STYLE_FAINT + name is the faint ground of that class.
 */
enum style {
	STYLE_DEFAULT,      /* the terminal's own foreground or background */
	STYLE_TEXT_BRIGHT,  /* text that matters */
	STYLE_TEXT_DIM,     /* text that steps back */
	STYLE_BAR,          /* ground of the title and status bars */
	STYLE_KEY,          /* key names in hints */
	STYLE_RULE,         /* thin lines: ruler ticks, panel border */
	STYLE_CURSOR,       /* ground of the cursor column */
	STYLE_CURSOR_ROW,   /* ground of the selected row, softer */
	STYLE_CURSOR_CELL,  /* ground where they cross */
	STYLE_SELECTION,    /* ground of the marked interval */
	STYLE_MATCH,        /* a match of the search */
	STYLE_MATCHED,      /* ground of a cell with a match */
	STYLE_ALERT,        /* errors, losses */
	STYLE_MARK,         /* "something that matters is hidden here" */
	STYLE_INK,          /* text on a span of a class colour */
	STYLE_RUNNING,
	STYLE_RUNNING_ALT,  /* second shade of running, for neighbours on a processor */
	STYLE_READY,
	STYLE_SYSCALL,
	STYLE_SYNC,         /* blocked: channels, select, locks, conditions */
	STYLE_NETWORK,      /* blocked: network */
	STYLE_SLEEP,        /* sleep, timers */
	STYLE_IDLE,         /* idle runtime actors */
	STYLE_OTHER,        /* blocked for any other reason */
	STYLE_UNKNOWN,      /* state unknown, damaged time */
	STYLE_GC,           /* GC ranges, heap */
	STYLE_GC_WORKER,    /* a GC worker runs */
	STYLE_WAITS,        /* runs by the program's account, but waits for a CPU */
	STYLE_ASLEEP,       /* the same, but sleeps in the kernel */
	STYLE_STW,          /* stop the world */
	STYLE_FRAME_FIRST,  /* functions of stacks: each has one of these */
	STYLE_FRAME_2,
	STYLE_FRAME_3,
	STYLE_FRAME_4,
	STYLE_FRAME_LAST,
	STYLE_HEAT_FIRST,   /* how many: from few ... */
	STYLE_HEAT_2,
	STYLE_HEAT_3,
	STYLE_HEAT_4,
	STYLE_HEAT_5,
	STYLE_HEAT_6,
	STYLE_HEAT_LAST,    /* ... to most */
	STYLE_LESS_LAST,    /* changed: much less than before ... */
	STYLE_LESS_2,
	STYLE_LESS_FIRST,
	STYLE_SAME,         /* ... not changed ... */
	STYLE_MORE_FIRST,
	STYLE_MORE_2,
	STYLE_MORE_LAST,    /* ... to much more */
	STYLE_COUNT,
	STYLE_FAINT = 64    /* added to a name: its faint ground */
};

enum { CELL_BYTES = 13 };

enum cell_attribute { CELL_BOLD = 1, CELL_UNDERLINE = 2, CELL_REVERSE = 4 };

struct cell {
	char text[CELL_BYTES]; /* UTF-8 of one grapheme, zeros behind it; "" is a blank, or */
	                       /* the right half of a wide one if `is_continued` */
	uint8_t fg, bg;        /* enum style, maybe + STYLE_FAINT */
	uint8_t attributes;    /* enum cell_attribute, or'ed */
	bool is_continued;
};

/* Rows and columns count from 0 at the top left. */
struct canvas {
	struct cell *cells; /* width * height, row by row */
	int width, height;
	size_t capacity;
	bool ascii;         /* only ASCII may be put: draw code picks its glyphs by this */
	bool monochrome;    /* colours will not show: draw code picks its glyphs by this */
};

struct cell_style {
	uint8_t fg, bg, attributes;
};

/* Some cells of a line, from (x, y) on; they may lie outside a canvas. */
struct cell_run {
	int x, y, cells;
};

/* Blanks a canvas of the given size (at least 1x1), reusing its memory. */
bool canvas_resize(struct canvas *canvas, int width, int height, struct error *err);
void canvas_clear(struct canvas *canvas);
void canvas_release(struct canvas *canvas);

/* The cell, or NULL outside the canvas. */
struct cell *canvas_at(struct canvas *canvas, int x, int y);

/*
 * Puts one grapheme of width 1 (its UTF-8, at most CELL_BYTES - 1 bytes); outside:
 * nothing. A blank is always stored as "". Here as below, a wide grapheme that loses
 * one half loses the other, and what an ASCII canvas cannot hold becomes "?".
 */
void canvas_put(struct canvas *canvas, int x, int y, struct cell_style style, const char *glyph);

/*
 * Puts safe text (see base/text.h) into the cells, and never beyond the right edge; what does
 * not fit is not shown, and a character that is not safe becomes "?". Returns the cells used.
 */
int canvas_bytes(struct canvas *canvas, struct cell_run run, struct cell_style style,
                 const char *safe, size_t length);
/* The same from (x, y) on in at most max_cells cells. */
int canvas_text(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
                const struct text *safe);
/* The same for a zero-terminated string of our own. */
int canvas_string(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
                  const char *string);
/* Formats first; the arguments must be safe text already. */
int canvas_printf(struct canvas *canvas, int x, int y, int max_cells, struct cell_style style,
                  const char *format, ...) ATTR_PRINTF(6, 7);
/* Sets the ground of a run of cells, keeping what stands on it. */
void canvas_ground(struct canvas *canvas, int x, int y, int cells, uint8_t bg);
/* Sets the ground only where it is STYLE_DEFAULT now, or the faint one of a class. */
void canvas_underlay(struct canvas *canvas, int x, int y, int cells, uint8_t bg);

#endif
