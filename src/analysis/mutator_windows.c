/*
 * Windows that slide over the step functions. The mean over a window is linear in its position
 * while neither of its edges passes a step, so only the positions where one does count.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/mutator.h"
#include "base/compiler.h"
#include "base/memory.h"

/* A window at one of those positions; they ascend. */
struct slide {
	const struct mutator_series *series;
	int64_t width_ns;
	int64_t position_ns;
	size_t left, right; /* the steps that hold at both edges */
	double share;       /* the mean */
};

static int64_t
series_start_ns(const struct mutator_series *series)
{
	return series->steps[0].time_ns;
}

static int64_t
series_duration_ns(const struct mutator_series *series)
{
	return series->count == 0 ? 0 : series->steps[series->count - 1].time_ns -
						series_start_ns(series);
}

static long double
area_until(const struct mutator_series *series, size_t step, int64_t time_ns)
{
	return series->area_ns[step] + (long double)series->steps[step].share *
					       (long double)(time_ns - series->steps[step].time_ns);
}

static void
slide_settle(struct slide *slide)
{
	const struct mutator_series *series = slide->series;
	int64_t end_ns = slide->position_ns + slide->width_ns;
	while (slide->left + 1 < series->count &&
		series->steps[slide->left + 1].time_ns <= slide->position_ns)
		slide->left++;
	while (slide->right + 1 < series->count &&
		series->steps[slide->right + 1].time_ns <= end_ns)
		slide->right++;
	slide->share = (double)((area_until(series, slide->right, end_ns) -
					area_until(series, slide->left, slide->position_ns)) /
				(long double)slide->width_ns);
}

/* At the first position; false for a series without time. */
static bool
slide_begin(struct slide *slide, const struct mutator_series *series, int64_t width_ns)
{
	int64_t duration_ns = series_duration_ns(series);
	if (duration_ns <= 0)
		return false;
	*slide = (struct slide){
		.series = series,
		.width_ns = width_ns < duration_ns ? width_ns : duration_ns,
		.position_ns = series_start_ns(series),
	};
	slide_settle(slide);
	return true;
}

/* To the next position; false at the last one. */
static bool
slide_next(struct slide *slide)
{
	const struct mutator_series *series = slide->series;
	int64_t next_ns = series->steps[series->count - 1].time_ns - slide->width_ns;
	if (slide->position_ns >= next_ns)
		return false;
	if (slide->left + 1 < series->count && series->steps[slide->left + 1].time_ns < next_ns)
		next_ns = series->steps[slide->left + 1].time_ns;
	if (slide->right + 1 < series->count &&
		series->steps[slide->right + 1].time_ns - slide->width_ns < next_ns)
		next_ns = series->steps[slide->right + 1].time_ns - slide->width_ns;
	slide->position_ns = next_ns;
	slide_settle(slide);
	return true;
}

int64_t
mutator_duration_ns(const struct mutator *mutator)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
	for (size_t i = 0; i < mutator->count; i++) {
		const struct mutator_series *series = &mutator->series[i];
		if (series->count == 0)
			continue;
		int64_t start_ns = series_start_ns(series);
		int64_t end_ns = start_ns + series_duration_ns(series);
		first_ns = start_ns < first_ns ? start_ns : first_ns;
		last_ns = end_ns > last_ns ? end_ns : last_ns;
	}
	return first_ns > last_ns ? 0 : last_ns - first_ns;
}

/* ---- the worst */

static bool
overlaps(const struct slide *slide, const struct mutator_window *windows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (slide->position_ns < windows[i].start_ns + slide->width_ns &&
			windows[i].start_ns < slide->position_ns + slide->width_ns)
			return true;
	}
	return false;
}

/* The worst window that overlaps none of the `count` that were found before; false without one. */
static bool
find_worst(const struct mutator *mutator, int64_t window_ns, struct mutator_window *windows,
	size_t count)
{
	bool has_one = false;
	for (size_t i = 0; i < mutator->count; i++) {
		struct slide slide;
		bool is_there = slide_begin(&slide, &mutator->series[i], window_ns);
		for (; is_there; is_there = slide_next(&slide)) {
			if (has_one && slide.share >= windows[count].share)
				continue;
			if (overlaps(&slide, windows, count))
				continue;
			windows[count] = (struct mutator_window){ slide.position_ns, slide.share,
				mutator->series[i].proc };
			has_one = true;
		}
	}
	return has_one;
}

size_t
mutator_worst(const struct mutator *mutator, int64_t window_ns, struct mutator_window *windows,
	size_t most)
{
	size_t count = 0;
	while (window_ns > 0 && count < most && find_worst(mutator, window_ns, windows, count))
		count++;
	return count;
}

double
mutator_least(const struct mutator *mutator, int64_t window_ns)
{
	struct mutator_window worst;
	if (window_ns <= 0)
		return 0;
	return find_worst(mutator, window_ns, &worst, 0) ? worst.share : 1;
}

/* ---- quantiles */

/* At a share the density of windows changes, and some may have just that share. */
struct edge {
	double share;
	long double density; /* nanoseconds of positions per share, added from here on */
	long double mass;    /* nanoseconds of positions with this share */
};

struct edges {
	struct edge *items;
	size_t count, capacity;
	long double total; /* of all mass */
};

static bool
add_edge(struct edges *edges, struct edge edge, struct error *err)
{
	if (!array_reserve(&edges->items, &edges->capacity, edges->count + 1, sizeof edge, err))
		return false;
	edges->items[edges->count++] = edge;
	return true;
}

/* Positions over which the mean goes evenly from one share to another. */
static bool
add_piece(struct edges *edges, double from, double to, int64_t length_ns, struct error *err)
{
	long double length = (long double)length_ns;
	double low = from < to ? from : to, high = from < to ? to : from;
	edges->total += length;
	/* What differs by rounding alone would be as dense as nothing can be taken from again. */
	if (high - low < 1e-12)
		return add_edge(edges, (struct edge){ low, 0, length }, err);
	long double density = length / ((long double)high - (long double)low);
	return add_edge(edges, (struct edge){ low, density, 0 }, err) &&
	       add_edge(edges, (struct edge){ high, -density, 0 }, err);
}

static bool
add_pieces(struct edges *edges, const struct mutator_series *series, int64_t window_ns,
	struct error *err)
{
	struct slide slide;
	if (!slide_begin(&slide, series, window_ns))
		return true;
	for (;;) {
		struct slide before = slide;
		if (!slide_next(&slide))
			return true;
		if (!add_piece(edges, before.share, slide.share,
			    slide.position_ns - before.position_ns, err))
			return false;
	}
}

static int
compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return (x->share > y->share) - (x->share < y->share);
}

/* Goes up through the shares until as many positions are below as each quantile asks. */
static void
find_quantiles(const struct edges *edges, const double *quantiles, size_t count, double *shares)
{
	long double below = 0, density = 0;
	size_t found = 0;
	for (size_t i = 0; i < edges->count && found < count; i++) {
		const struct edge *edge = &edges->items[i];
		long double start = i > 0 ? edges->items[i - 1].share : edge->share;
		long double reached = below + density * ((long double)edge->share - start);
		while (found < count && (long double)quantiles[found] * edges->total <= reached) {
			long double missing = (long double)quantiles[found] * edges->total - below;
			shares[found++] = density > 0 ? (double)(start + missing / density)
						      : edge->share;
		}
		below = reached + edge->mass;
		density += edge->density;
		while (found < count && (long double)quantiles[found] * edges->total <= below)
			shares[found++] = edge->share;
	}
	while (found < count)
		shares[found++] = edges->items[edges->count - 1].share;
}

bool
mutator_quantiles(const struct mutator *mutator, int64_t window_ns, const double *quantiles,
	size_t count, double *shares, struct error *err)
{
	struct edges edges = { 0 };
	bool is_fine = true;
	for (size_t i = 0; is_fine && window_ns > 0 && i < mutator->count; i++)
		is_fine = add_pieces(&edges, &mutator->series[i], window_ns, err);
	if (is_fine && edges.count > 0) {
		qsort(edges.items, edges.count, sizeof *edges.items, compare_edges);
		find_quantiles(&edges, quantiles, count, shares);
	}
	for (size_t i = 0; is_fine && edges.count == 0 && i < count; i++)
		shares[i] = mutator_least(mutator, window_ns);
	memory_free(edges.items);
	return is_fine;
}

/* ---- the curve */

void
mutator_range(const struct mutator *mutator, int64_t *least_ns, int64_t *most_ns)
{
	static const double about_none = 0.0001;
	int64_t duration_ns = mutator_duration_ns(mutator);
	*least_ns = INT64_C(1000000000);
	while (*least_ns > 1 && mutator_least(mutator, *least_ns) >= about_none)
		*least_ns /= 1000;
	*most_ns = *least_ns * 1000000;
	if (duration_ns < *most_ns)
		*most_ns = duration_ns;
}

int64_t
mutator_width(int64_t least_ns, int64_t most_ns, int i, int count)
{
	double low = log((double)least_ns), high = log((double)(most_ns > 0 ? most_ns : 1));
	return (int64_t)exp((double)i / (double)(count - 1) * (high - low) + low);
}
