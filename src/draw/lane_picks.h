/* Lanes that the user does not want to see, told apart by what they are about in any snapshot. */
#ifndef TTRACE_DRAW_LANE_PICKS_H
#define TTRACE_DRAW_LANE_PICKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "trace/lane.h"
#include "trace/regroup.h"

struct lane_pick {
	enum lane_type type;
	enum group_by by; /* of a group: it counts only where goroutines are grouped so */
	uint32_t key;     /* of a group, else the ref */
};

/* Zero-initialised is none. */
struct lane_picks {
	struct lane_pick *items;
	size_t count, capacity;
};

/* Adds a lane, once. False without memory. */
bool lane_picks_add(struct lane_picks *picks, const struct trace *trace, struct lane lane,
	struct error *err);
/* O(picks). */
bool lane_picks_has(const struct lane_picks *picks, const struct trace *trace, struct lane lane);
/* Adds the lane of a name (trace/lane_name.h); false with ERROR_USAGE where the trace has none. */
bool lane_picks_add_name(struct lane_picks *picks, const struct trace *trace, const char *name,
	struct error *err);
void lane_picks_release(struct lane_picks *picks);

/*
 * " --hide-row=NAME" for each that has a name, as a shell takes it; add_word appends a word so. Groups that are
 * not by function have none.
 */
void lane_picks_add_options(const struct lane_picks *picks, const struct trace *trace,
	void (*add_word)(struct text *out, const char *word), struct text *out);

#endif
