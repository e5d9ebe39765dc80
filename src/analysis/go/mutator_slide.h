/*
 * Windows of one width that slide over a step function. The mean over a window is linear in its
 * position while neither of its edges passes a step, so only the positions where one does count.
 * Only for analysis/mutator*.c.
 */
#ifndef TTRACE_ANALYSIS_MUTATOR_SLIDE_H
#define TTRACE_ANALYSIS_MUTATOR_SLIDE_H

#include "analysis/go/mutator.h"

struct slide {
	const struct mutator_series *series;
	int64_t width_ns;   /* no more than the series has */
	long double per_ns; /* 1 / width */
};

/* A window at one of those positions. */
struct slide_place {
	int64_t position_ns;
	size_t left, right;            /* the steps that hold at both edges ... */
	long double left_ns, right_ns; /* ... and the integral up to there */
	double share;                  /* the mean */
};

/* The positions from one to another, both included. */
struct slide_stretch {
	struct slide_place from, until;
};

/* From the first step to the last one. */
int64_t mutator_series_duration_ns(const struct mutator_series *series);
/* The integral up to a moment, of a series that has steps. O(log n). */
long double mutator_area_until(const struct mutator_series *series, int64_t time_ns);

/* All positions; false for a series without time. */
bool slide_begin(struct slide *slide, struct slide_stretch *whole,
	const struct mutator_series *series, int64_t width_ns);
/* To the next position; false at the last one. */
bool slide_next(const struct slide *slide, struct slide_place *place);

/*
 * No window of a stretch has a mean below `least` or above `most`: all have in common what lies
 * between the last one's begin and the first one's end, none has more than all of them
 * together, and the same holds for what the mutator did not get. Close where the stretch
 * is short beside the width.
 */
void slide_bounds(const struct slide *slide, const struct slide_stretch *stretch, double *least,
	double *most);

/*
 * Takes from the rest of the positions a stretch that is short, or short beside the width; false
 * where nothing is left. O(log n).
 */
bool slide_cut(const struct slide *slide, struct slide_stretch *rest, struct slide_stretch *first);

/* So few positions that to look at each is cheaper than to part them. */
bool slide_is_short(const struct slide_stretch *stretch);
/* Of one that is not short, a position about in the middle. O(log n). */
struct slide_place slide_middle(const struct slide *slide, const struct slide_stretch *stretch);

#endif
