/* Positions one after the other, and stretches of them parted where a step is. */
#include "analysis/go/mutator_slide.h"

/* What the bounds of a stretch may be off by rounding. */
#define SLIDE_ROUNDING 1e-15

static int64_t
start_ns(const struct mutator_series *series)
{
	return series->steps[0].time_ns;
}

int64_t
mutator_series_duration_ns(const struct mutator_series *series)
{
	return series->count == 0 ? 0 : series->steps[series->count - 1].time_ns - start_ns(series);
}

/* The integral up to a moment at which this step holds. */
static long double
area_until(const struct mutator_series *series, size_t step, int64_t time_ns)
{
	return series->area_ns[step] + (long double)series->steps[step].share *
					       (long double)(time_ns - series->steps[step].time_ns);
}

/* Once position and steps are set. */
static void
settle(const struct slide *slide, struct slide_place *place)
{
	place->left_ns = area_until(slide->series, place->left, place->position_ns);
	place->right_ns = area_until(
		slide->series, place->right, place->position_ns + slide->width_ns);
	place->share = (double)((place->right_ns - place->left_ns) * slide->per_ns);
}

/* The last step at a time or before, between two that are known to be around it. */
static size_t
step_between(const struct mutator_series *series, size_t low, size_t high, int64_t time_ns)
{
	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;
		if (series->steps[middle].time_ns <= time_ns)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

long double
mutator_area_until(const struct mutator_series *series, int64_t time_ns)
{
	return area_until(series, step_between(series, 0, series->count - 1, time_ns), time_ns);
}

static struct slide_place
place_at(const struct slide *slide, const struct slide_stretch *around, int64_t position_ns)
{
	struct slide_place place = { .position_ns = position_ns };
	place.left = step_between(slide->series, around->from.left, around->until.left, position_ns);
	place.right = step_between(slide->series, around->from.right, around->until.right,
		position_ns + slide->width_ns);
	settle(slide, &place);
	return place;
}

bool
slide_begin(struct slide *slide, struct slide_stretch *whole, const struct mutator_series *series,
	int64_t width_ns)
{
	int64_t duration_ns = mutator_series_duration_ns(series);
	if (duration_ns <= 0)
		return false;
	*slide = (struct slide){
		.series = series,
		.width_ns = width_ns < duration_ns ? width_ns : duration_ns,
	};
	slide->per_ns = 1 / (long double)slide->width_ns;
	const struct slide_stretch all = { .until = { .left = series->count - 1,
						   .right = series->count - 1 } };
	whole->from = place_at(slide, &all, start_ns(series));
	whole->until =
		place_at(slide, &all, series->steps[series->count - 1].time_ns - slide->width_ns);
	return true;
}

bool
slide_next(const struct slide *slide, struct slide_place *place)
{
	const struct mutator_series *series = slide->series;
	const struct mutator_step *left = &series->steps[place->left + 1];
	const struct mutator_step *right = &series->steps[place->right + 1];
	const struct mutator_step *end = &series->steps[series->count];
	int64_t next_ns = end[-1].time_ns - slide->width_ns;
	if (place->position_ns >= next_ns)
		return false;
	if (left < end && left->time_ns < next_ns)
		next_ns = left->time_ns;
	if (right < end && right->time_ns - slide->width_ns < next_ns)
		next_ns = right->time_ns - slide->width_ns;
	place->position_ns = next_ns;
	place->left += left < end && left->time_ns <= next_ns;
	place->right += right < end && right->time_ns - slide->width_ns <= next_ns;
	settle(slide, place);
	return true;
}

void
slide_bounds(
	const struct slide *slide, const struct slide_stretch *stretch, double *least, double *most)
{
	const struct slide_place *from = &stretch->from, *until = &stretch->until;
	long double common = (from->right_ns - until->left_ns) * slide->per_ns;
	long double all = (until->right_ns - from->left_ns) * slide->per_ns;
	long double moved = (long double)(until->position_ns - from->position_ns) * slide->per_ns;
	long double low = all - moved > common ? all - moved : common;
	long double high = common + moved < all ? common + moved : all;
	*least = low > SLIDE_ROUNDING ? (double)low - SLIDE_ROUNDING : 0;
	*most = high < 1 - SLIDE_ROUNDING ? (double)high + SLIDE_ROUNDING : 1;
}

static size_t
lefts(const struct slide_stretch *stretch)
{
	return stretch->until.left - stretch->from.left;
}

static size_t
rights(const struct slide_stretch *stretch)
{
	return stretch->until.right - stretch->from.right;
}

enum { FEW = 16 }; /* positions */

/* The same from the first step on, where the wanted one is likely to be near. */
static size_t
step_from(const struct slide *slide, size_t low, size_t high, int64_t time_ns)
{
	size_t far = 1;
	while (low + far <= high && slide->series->steps[low + far].time_ns <= time_ns) {
		low += far;
		far *= 2;
	}
	return step_between(slide->series, low, low + far < high ? low + far : high, time_ns);
}

bool
slide_cut(const struct slide *slide, struct slide_stretch *rest, struct slide_stretch *first)
{
	enum { PARTS = 8 }; /* of a window, in which means differ by no more than that */
	const struct slide_place *until = &rest->until;
	struct slide_place next = rest->from;
	if (next.position_ns >= until->position_ns)
		return false;
	next.left = step_from(
		slide, next.left, until->left, next.position_ns + slide->width_ns / PARTS);
	if (next.left < rest->from.left + FEW / 2)
		next.left = rest->from.left + FEW / 2;
	if (next.left < until->left) {
		next.position_ns = slide->series->steps[next.left].time_ns;
		next.right = step_from(
			slide, next.right, until->right, next.position_ns + slide->width_ns);
		settle(slide, &next);
	} else {
		next = *until;
	}
	*first = (struct slide_stretch){ rest->from, next };
	rest->from = next;
	return true;
}

bool
slide_is_short(const struct slide_stretch *stretch)
{
	return lefts(stretch) + rights(stretch) <= FEW;
}

struct slide_place
slide_middle(const struct slide *slide, const struct slide_stretch *stretch)
{
	const struct mutator_step *steps = slide->series->steps;
	if (lefts(stretch) >= rights(stretch))
		return place_at(
			slide, stretch, steps[stretch->from.left + lefts(stretch) / 2].time_ns);
	return place_at(slide, stretch,
		steps[stretch->from.right + rights(stretch) / 2].time_ns - slide->width_ns);
}
