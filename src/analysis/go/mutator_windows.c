/* The worst windows, and the widths that are worth a curve. */
#include <math.h>

#include "analysis/go/mutator_slide.h"

int64_t
mutator_duration_ns(const struct mutator *mutator)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
	for (size_t i = 0; i < mutator->count; i++) {
		const struct mutator_series *series = &mutator->series[i];
		if (series->count == 0)
			continue;
		int64_t start_ns = series->steps[0].time_ns;
		int64_t end_ns = start_ns + mutator_series_duration_ns(series);
		first_ns = start_ns < first_ns ? start_ns : first_ns;
		last_ns = end_ns > last_ns ? end_ns : last_ns;
	}
	return first_ns > last_ns ? 0 : last_ns - first_ns;
}

/* ---- the worst: what cannot have it is not looked at */

enum { STRETCHES = 128 }; /* two for each halving, of fewer than 2^64 positions */

/* Stretches that are still to be looked at. */
struct stretches {
	struct slide_stretch items[STRETCHES];
	size_t count;
};

static double
least_of(const struct slide *slide, const struct slide_stretch *stretch)
{
	double least, most;
	slide_bounds(slide, stretch, &least, &most);
	return least;
}

/* Parts the last one at its middle; that half is looked at first that may have less. */
static void
part(struct stretches *stretches, const struct slide *slide, const struct slide_place *middle)
{
	struct slide_stretch *last = &stretches->items[stretches->count - 1];
	struct slide_stretch before = { last->from, *middle }, behind = { *middle, last->until };
	bool is_before = least_of(slide, &before) <= least_of(slide, &behind);
	*last = is_before ? behind : before;
	stretches->items[stretches->count++] = is_before ? before : behind;
}

static double
least_within(const struct slide *slide, const struct slide_stretch *stretch, double least)
{
	struct slide_place place = stretch->from;
	do
		least = place.share < least ? place.share : least;
	while (place.position_ns < stretch->until.position_ns && slide_next(slide, &place));
	return least;
}

double
mutator_least(const struct mutator *mutator, int64_t window_ns)
{
	double least = 1;
	for (size_t i = 0; window_ns > 0 && i < mutator->count; i++) {
		struct slide slide;
		struct stretches left;
		left.count = slide_begin(&slide, &left.items[0], &mutator->series[i], window_ns);
		while (left.count > 0) {
			struct slide_stretch *stretch = &left.items[left.count - 1];
			if (least_of(&slide, stretch) >= least) {
				left.count--;
			} else if (slide_is_short(stretch)) {
				least = least_within(&slide, stretch, least);
				left.count--;
			} else {
				struct slide_place middle = slide_middle(&slide, stretch);
				least = middle.share < least ? middle.share : least;
				part(&left, &slide, &middle);
			}
		}
	}
	return window_ns > 0 ? least : 0;
}

/* The worst windows that were found, and the next one as far as it is known. */
struct finding {
	struct mutator_window *worst;
	size_t count;
	bool has_one;
	size_t series, best_series; /* that is looked through, and that has it */
};

/* Whether all windows at these positions overlap one that was found before. */
static bool
is_taken(
	const struct finding *finding, const struct slide *slide, int64_t from_ns, int64_t until_ns)
{
	for (size_t i = 0; i < finding->count; i++) {
		const struct mutator_window *taken = &finding->worst[i];
		if (until_ns < taken->start_ns + taken->width_ns &&
			taken->start_ns < from_ns + slide->width_ns)
			return true;
	}
	return false;
}

/* Whether a mean at a position or behind it would be worse than what is known; of equal ones the first. */
static bool
is_worse(const struct finding *finding, double share, int64_t position_ns)
{
	const struct mutator_window *best = &finding->worst[finding->count];
	if (!finding->has_one || share != best->share)
		return !finding->has_one || share < best->share;
	return finding->series == finding->best_series && position_ns < best->start_ns;
}

static void
look_at(struct finding *finding, const struct slide *slide, const struct slide_place *place)
{
	if (!is_worse(finding, place->share, place->position_ns) ||
		is_taken(finding, slide, place->position_ns, place->position_ns))
		return;
	finding->worst[finding->count] = (struct mutator_window){ place->position_ns, place->share,
		slide->width_ns, slide->series->processor };
	finding->has_one = true;
	finding->best_series = finding->series;
}

static void
look_through(struct finding *finding, const struct slide *slide, const struct slide_stretch *whole)
{
	struct stretches left = { .items = { *whole }, .count = 1 };
	while (left.count > 0) {
		struct slide_stretch *stretch = &left.items[left.count - 1];
		struct slide_place place = stretch->from;
		int64_t until_ns = stretch->until.position_ns;
		if (!is_worse(finding, least_of(slide, stretch), place.position_ns) ||
			is_taken(finding, slide, place.position_ns, until_ns)) {
			left.count--;
		} else if (slide_is_short(stretch)) {
			do
				look_at(finding, slide, &place);
			while (place.position_ns < until_ns && slide_next(slide, &place));
			left.count--;
		} else {
			place = slide_middle(slide, stretch);
			look_at(finding, slide, &place);
			part(&left, slide, &place);
		}
	}
}

size_t
mutator_worst(
	const struct mutator *mutator, int64_t window_ns, struct mutator_window *worst, size_t most)
{
	struct finding finding = { .worst = worst, .has_one = window_ns > 0 };
	while (finding.has_one && finding.count < most) {
		finding.has_one = false;
		for (finding.series = 0; finding.series < mutator->count; finding.series++) {
			struct slide slide;
			struct slide_stretch whole;
			if (slide_begin(
				    &slide, &whole, &mutator->series[finding.series], window_ns))
				look_through(&finding, &slide, &whole);
		}
		finding.count += finding.has_one;
	}
	return finding.count;
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

double
mutator_mean(const struct mutator *mutator, int64_t from_ns, int64_t until_ns)
{
	const struct mutator_series *series = &mutator->series[0];
	long double area_ns =
		mutator_area_until(series, until_ns) - mutator_area_until(series, from_ns);
	return (double)(area_ns / (long double)(until_ns - from_ns));
}
