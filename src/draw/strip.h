/*
 * The rule of a cell: what a cell of a lane shows for the time it covers, before
 * any glyph or colour. What runs is solid, what waits is a line.
 *
 * Solid looks are running, gc worker, ready, syscall and what waits for a CPU. A cell with
 * any solid time shows its largest solid look as a bar as high as its share, else the
 * other look that took most as a line, else nothing.
 */
#ifndef TTRACE_DRAW_STRIP_H
#define TTRACE_DRAW_STRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/state.h"

enum {
	STRIP_LEVELS =
		7, /* heights of a bar; all of a cell is the highest, so that a hairline stays */
	STRIP_EIGHTHS = 8,     /* places of a border between two spans across a cell */
	STRIP_HIDDEN_PART = 8, /* what is hidden in a cell deserves a mark from 1/8 of it on */
};

/*
 * What time looks like: as its class, but for what the program says that it ran or was in a system call, while the
 * trace beneath says that it was on no CPU. Those are in the order of enum beneath_lost.
 */
enum strip_look {
	LOOK_WAITS = CLASS_COUNT, /* ready for the kernel, without a CPU */
	LOOK_ASLEEP,
	LOOK_OTHERS, /* of a processor: that it ran what is not of the program above */
	LOOK_COUNT
};

enum strip_shape {
	STRIP_NONE, /* nothing: no actor, or no time */
	STRIP_LINE, /* blocked */
	STRIP_BAR,  /* solid, `level` high, `second` (or nothing) behind it */
	STRIP_EDGE, /* one border: the first `level` eighths are `look`, the rest is second */
};

enum strip_mark {
	STRIP_MARK_HIDDEN = 1, /* a long ready or blocked span that the shape does not show */
	STRIP_MARK_LOG = 2,    /* a log of the actor */
	STRIP_MARK_STW = 4,    /* the actor begins to stop the world */
	STRIP_MARK_MATCH = 8,  /* a match of the search */
	STRIP_MARK_SAMPLE = 16, /* a CPU sample */
	STRIP_MARK_ASSIST = 32, /* mark assists, at least 1/8 of the cell, that took less than the bar */
	STRIP_MARK_LITTLE_ASSIST = 64, /* the same of less */
};

struct strip_cell {
	uint8_t shape;      /* enum strip_shape */
	uint8_t look;       /* CLASS_GONE for nothing, as on either side of an edge */
	uint8_t second;     /* the same; CLASS_GONE for none */
	uint8_t level; /* 1 to STRIP_LEVELS of a bar, 1 to STRIP_EIGHTHS - 1 of an edge, else 0 */
	uint8_t marks; /* enum strip_mark, or'ed */
	bool is_alternate, second_is_alternate; /* in the second shade of running */
};

static inline bool
strip_is_solid(uint8_t look)
{
	return ((CLASS_MASK_SOLID | UINT32_C(1) << LOOK_WAITS | UINT32_C(1) << LOOK_OTHERS) >> look & 1) != 0;
}

/*
 * The cell by its time per look and the whole of its time (times its members, for
 * a group), which is more than 0. A bar's level is its share in sevenths, rounded to
 * nearest, but at least 1. The second solid look stands behind where it has at
 * least half of what the first leaves, and at least a fourteenth of the whole.
 * Among equals the look that comes first in the enum wins.
 */
struct strip_cell strip_cell(const int64_t totals_ns[LOOK_COUNT], int64_t whole_ns);

/*
 * The cell that exactly one border divides, `left_ns` (more than 0, less than the
 * whole) after its start, between two looks of which one may be CLASS_GONE. Where
 * neither is solid it is the line that strip_cell() gives. The border is rounded to
 * the nearest eighth, but at least an eighth stays of both.
 */
struct strip_cell strip_edge(
	uint8_t left_look, uint8_t right_look, int64_t left_ns, int64_t whole_ns);

/*
 * The ready and blocked classes that a cell hides: in a bar, ready where it is
 * neither of the two classes; blocked where no ground shows above the bar, since a second
 * class stands behind it. A line and an edge hide nothing. The cell deserves
 * STRIP_MARK_HIDDEN where a single span of these classes (over a group: the sum of one
 * class) takes at least 1 / STRIP_HIDDEN_PART of it.
 */
class_mask strip_hidden(const struct strip_cell *cell);

#endif
