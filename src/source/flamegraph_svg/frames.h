/*
 * The frames of a flame graph's drawing: a title and a rectangle each, as they stand in the SVG, and
 * how they lie on each other.
 */
#ifndef TTRACE_SOURCE_FLAMEGRAPH_SVG_FRAMES_H
#define TTRACE_SOURCE_FLAMEGRAPH_SVG_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/thread.h"
#include "input/input.h"
#include "trace/damage.h"

/* Lengths of the drawing are in ten thousandths of a pixel, or of a percent. */
enum { FLAME_DECIMALS = 4 };
#define FLAME_NONE INT64_MIN
#define FLAME_NO_PARENT SIZE_MAX

struct flame_frame {
	size_t title, title_length; /* in `titles` */
	size_t name_length;         /* the beginning of the title that is the name */
	int64_t x, y, width, height; /* FLAME_NONE where it is not told */
	int64_t from, weight;       /* fg:x and fg:w; FLAME_NONE where there are none */
	int64_t count;              /* that the title says; FLAME_NONE where it has another form */
	bool is_percent;            /* x and width are */
	/* What flame_frames_nest() finds out. */
	int64_t start, end;         /* in samples, else as x */
	int64_t own;                /* weight that counts */
	int64_t depth;              /* rows from the root's */
	size_t parent;              /* index; FLAME_NO_PARENT of the root */
};

struct flame_frames {
	struct flame_frame *items; /* as they stand there; once nested by their start, callers first */
	size_t count, capacity;
	struct text titles;        /* decoded */
	int64_t total_samples;     /* FLAME_NONE where it is not told */
	bool has_svg;              /* there was one at all */
	bool says_inverted;        /* the script does */
	bool is_differential;
	bool is_exact;             /* positions are in samples */
	struct text error;         /* what is drawn in place of frames: "ERROR: ..." */
	size_t root;               /* index, once nested */
	bool has_made_root;        /* it is not in the drawing */
	size_t unit, unit_length;  /* of counts, in `titles` */
	uint64_t unreadable;       /* titles without name and count, and without a weight beside */
	uint64_t without_parent;   /* that have none in the very next row */
	struct damage_map damage;
	uint64_t damaged;          /* places of it */
};

void flame_frames_release(struct flame_frames *frames); /* zero-initialised is fine */

/* Reads the first drawing with frames. False as xml_next() says it. */
bool flame_frames_read(struct flame_frames *frames, struct input *in, struct progress *progress,
	struct error *err);
/*
 * Finds the root, the unit, names and weights, and whom each frame lies on. There is a frame. False
 * without memory or once it is cancelled. O(n log n).
 */
bool flame_frames_nest(struct flame_frames *frames, const struct progress *progress,
	struct error *err);

/*
 * Takes a title apart: NAME (COUNT UNIT, PERCENT%) or with "; +1.2%" behind. The unit, where it is
 * NULL, becomes what stands there. False where it has another form.
 */
struct flame_title {
	size_t name_length;
	int64_t count;
	const char *unit;
	size_t unit_length;
	bool is_differential;
};
bool flame_title_read(struct flame_title *title, const char *bytes, size_t length);

#endif
