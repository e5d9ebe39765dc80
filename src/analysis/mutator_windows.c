/*
 * Windows that slide over the step functions. The mean over a window is linear in its position
 * while neither of its edges passes a step, so only the positions where one does count.
 */
#include <math.h>

#include "analysis/mutator.h"
#include "base/compiler.h"
#include "base/memory.h"

/* A window at one of those positions; they ascend. */
struct slide {
	const struct mutator_series *series;
	int64_t width_ns;
	int64_t position_ns;
	size_t left, right; /* the steps that hold at both edges */
	long double per_ns; /* 1 / width */
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
					area_until(series, slide->left, slide->position_ns)) *
				slide->per_ns);
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
	slide->per_ns = 1 / (long double)slide->width_ns;
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

double
mutator_least(const struct mutator *mutator, int64_t window_ns)
{
	double least = 1;
	for (size_t i = 0; window_ns > 0 && i < mutator->count; i++) {
		struct slide slide;
		bool is_there = slide_begin(&slide, &mutator->series[i], window_ns);
		for (; is_there; is_there = slide_next(&slide))
			least = slide.share < least ? slide.share : least;
	}
	return window_ns > 0 ? least : 0;
}

/* All windows of a width whose positions count. */
struct windows {
	struct mutator_window *items;
	size_t count, capacity;
};

static bool
add_windows(struct windows *windows, const struct mutator_series *series, int64_t window_ns,
	struct error *err)
{
	struct slide slide;
	bool is_there = slide_begin(&slide, series, window_ns);
	if (is_there && !array_reserve(&windows->items, &windows->capacity,
				windows->count + 2 * series->count, sizeof *windows->items, err))
		return false;
	for (; is_there; is_there = slide_next(&slide))
		windows->items[windows->count++] = (struct mutator_window){
			slide.position_ns, slide.share, slide.width_ns, series->proc };
	return true;
}

static bool
overlaps(const struct mutator_window *window, const struct mutator_window *others, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (window->start_ns < others[i].start_ns + others[i].width_ns &&
			others[i].start_ns < window->start_ns + window->width_ns)
			return true;
	}
	return false;
}

/* The worst of all that overlaps none of the `count` that were found before; false without one. */
static bool
find_worst(const struct windows *all, struct mutator_window *worst, size_t count)
{
	bool has_one = false;
	for (size_t i = 0; i < all->count; i++) {
		const struct mutator_window *window = &all->items[i];
		if ((has_one && window->share >= worst[count].share) ||
			overlaps(window, worst, count))
			continue;
		worst[count] = *window;
		has_one = true;
	}
	return has_one;
}

bool
mutator_worst(const struct mutator *mutator, int64_t window_ns, struct mutator_window *worst,
	size_t most, size_t *count, struct error *err)
{
	struct windows all = { 0 };
	bool is_fine = true;
	*count = 0;
	for (size_t i = 0; is_fine && window_ns > 0 && i < mutator->count; i++)
		is_fine = add_windows(&all, &mutator->series[i], window_ns, err);
	while (is_fine && *count < most && find_worst(&all, worst, *count))
		++*count;
	memory_free(all.items);
	return is_fine;
}

/* ---- quantiles: by bins that get finer where the answer lies, which takes no sorting */

enum { BINS = 1024, LEVELS = 4 }; /* so exact to a part in 10^12 */

/* Positions over which the mean goes evenly from one share to another. */
struct piece {
	double low, high;
	double length_ns;
};

struct pieces {
	struct piece *items;
	size_t count, capacity;
	double total_ns; /* of all lengths */
};

static bool
add_pieces(struct pieces *pieces, const struct mutator_series *series, int64_t window_ns,
	struct error *err)
{
	struct slide slide;
	if (!slide_begin(&slide, series, window_ns))
		return true;
	if (!array_reserve(&pieces->items, &pieces->capacity, pieces->count + 2 * series->count,
		    sizeof *pieces->items, err))
		return false;
	for (;;) {
		double from = slide.share, start_ns = (double)slide.position_ns;
		if (!slide_next(&slide))
			return true;
		bool rises = from < slide.share;
		struct piece piece = { rises ? from : slide.share, rises ? slide.share : from,
			(double)slide.position_ns - start_ns };
		pieces->total_ns += piece.length_ns;
		pieces->items[pieces->count++] = piece;
	}
}

/* Equal bins from `low` on; positions within each, and, as differences, across several. */
struct bins {
	double low, width;
	double within_ns[BINS], across_ns[BINS + 1];
};

static void
add_to_bins(struct bins *bins, const struct piece *piece)
{
	double low = (piece->low - bins->low) / bins->width;
	double high = (piece->high - bins->low) / bins->width;
	bool is_whole = piece->low >= 1; /* the last bin has its upper end, which is none's lower one */
	if (is_whole && bins->low + bins->width * BINS >= 1)
		bins->within_ns[BINS - 1] += piece->length_ns;
	if (high < 0 || low >= BINS)
		return;
	if (high - low < 1e-6) { /* what so few bins apart would only be rounding */
		bins->within_ns[low > 0 ? (int)low : 0] += piece->length_ns;
		return;
	}
	double density = piece->length_ns / (high - low);
	low = low > 0 ? low : 0;
	high = high < BINS ? high : BINS;
	int first = (int)low, last = high < BINS ? (int)high : BINS - 1;
	if (first == last) {
		bins->within_ns[first] += density * (high - low);
		return;
	}
	bins->within_ns[first] += density * (first + 1 - low);
	bins->within_ns[last] += density * (high - last);
	bins->across_ns[first + 1] += density;
	bins->across_ns[last] -= density;
}

/*
 * The bin up to which there are as many positions as wanted, of which those in the bins below are
 * taken off.
 */
static int
find_bin(const struct bins *bins, double *wanted_ns, double *inside_ns)
{
	double across_ns = 0;
	int last = 0; /* with something in it */
	for (int i = 0; i < BINS; i++) {
		across_ns += bins->across_ns[i];
		double mass_ns = bins->within_ns[i] + (across_ns > 0 ? across_ns : 0);
		if (mass_ns <= 0)
			continue;
		*inside_ns = mass_ns;
		last = i;
		if (*wanted_ns <= mass_ns)
			return i;
		*wanted_ns -= mass_ns;
	}
	*wanted_ns = *inside_ns; /* no more than there is, but for rounding */
	return last;
}

/* Of many pieces the few that a bin has something of. */
static void
keep_within(struct pieces *few, const struct pieces *all, const struct bins *bins)
{
	few->count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct piece *piece = &all->items[i];
		if (piece->high >= bins->low && piece->low < bins->low + bins->width * (BINS + 1))
			few->items[few->count++] = *piece;
	}
}

static void
fill_bins(struct bins *bins, const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		add_to_bins(bins, &pieces->items[i]);
}

/* `bins` has all pieces in its bins of the first level; `few` has room for as many. */
static double
find_quantile(const struct pieces *pieces, struct bins bins, struct pieces *few, double wanted_ns)
{
	double inside_ns = 0;
	for (int level = 0;; level++) {
		double low = bins.low + bins.width * find_bin(&bins, &wanted_ns, &inside_ns);
		if (level + 1 == LEVELS)
			return inside_ns > 0 ? low + bins.width * (wanted_ns / inside_ns) : low;
		bins = (struct bins){ .low = low, .width = bins.width / BINS };
		if (level == 0)
			keep_within(few, pieces, &bins);
		fill_bins(&bins, few);
	}
}

/* What the bins can tell of a share, and no more. */
static double
exact_part(double share)
{
	return round(share * 1e12) / 1e12;
}

static bool
quantiles_of(const struct pieces *pieces, const double *quantiles, size_t count, double *shares,
	struct error *err)
{
	struct bins bins = { .low = 0, .width = 1.0 / BINS };
	struct pieces few = { 0 };
	if (!array_reserve(&few.items, &few.capacity, pieces->count, sizeof *few.items, err))
		return false;
	fill_bins(&bins, pieces);
	for (size_t i = 0; i < count; i++)
		shares[i] = exact_part(
			find_quantile(pieces, bins, &few, quantiles[i] * pieces->total_ns));
	memory_free(few.items);
	return true;
}

bool
mutator_quantiles(const struct mutator *mutator, int64_t window_ns, const double *quantiles,
	size_t count, double *shares, struct error *err)
{
	struct pieces pieces = { 0 };
	bool is_fine = true;
	for (size_t i = 0; is_fine && window_ns > 0 && i < mutator->count; i++)
		is_fine = add_pieces(&pieces, &mutator->series[i], window_ns, err);
	if (is_fine && pieces.total_ns > 0)
		is_fine = quantiles_of(&pieces, quantiles, count, shares, err);
	for (size_t i = 0; is_fine && pieces.total_ns <= 0 && i < count; i++)
		shares[i] = mutator_least(mutator, window_ns);
	memory_free(pieces.items);
	return is_fine;
}

const double mutator_point_parts[MUTATOR_POINT_PARTS] = { 0.001, 0.01, 0.05 };

bool
mutator_point(const struct mutator *mutator, int64_t width_ns, struct mutator_point *point,
	struct error *err)
{
	point->width_ns = width_ns;
	point->least = mutator_least(mutator, width_ns);
	return mutator_quantiles(mutator, width_ns, mutator_point_parts, MUTATOR_POINT_PARTS,
		point->shares, err);
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
	return llround(exp((double)i / (double)(count - 1) * (high - low) + low));
}

/* The step that holds at a moment, the first one before all of them. */
static size_t
step_at(const struct mutator_series *series, int64_t time_ns)
{
	size_t low = 0, high = series->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (series->steps[middle].time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

double
mutator_mean(const struct mutator *mutator, int64_t from_ns, int64_t until_ns)
{
	const struct mutator_series *series = &mutator->series[0];
	long double area_ns = area_until(series, step_at(series, until_ns), until_ns) -
			      area_until(series, step_at(series, from_ns), from_ns);
	return (double)(area_ns / (long double)(until_ns - from_ns));
}
