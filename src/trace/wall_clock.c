/* From the trace's clock to that of the wall and back, piece by piece. */
#include "trace/wall_clock.h"

#include <assert.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"

bool
clock_point_set(struct clock_point *point, int64_t trace_ns, uint64_t unix_s, uint64_t unix_ns)
{
	const uint64_t ns_per_s = 1000000000u;

	if (unix_s > INT64_MAX / ns_per_s - 1 || unix_ns >= ns_per_s)
		return false;
	*point = (struct clock_point){ trace_ns, (int64_t)(unix_s * ns_per_s + unix_ns) };
	return true;
}

void
wall_clock_release(struct wall_clock *wall)
{
	memory_free(wall->points);
	*wall = (struct wall_clock){ 0 };
}

bool
wall_clock_copy(struct wall_clock *copy, const struct wall_clock *wall, struct error *err)
{
	*copy = (struct wall_clock){ 0 };
	copy->points = array_copy(wall->points, wall->count, sizeof(*wall->points), err);
	if (copy->points == NULL)
		return false;
	copy->count = copy->capacity = wall->count;
	return true;
}

/* base + (to - from), at the ends of what there is rather than beyond them. */
static int64_t
shift(int64_t base, int64_t from, int64_t to)
{
	int64_t distance;
	if (!checked_add_i64(to, from == INT64_MIN ? INT64_MAX : -from, &distance))
		return to > from ? INT64_MAX : INT64_MIN;
	return saturating_add_i64(base, distance);
}

bool
wall_clock_add(struct wall_clock *wall, struct clock_point point, struct error *err)
{
	if (wall->count > 0) {
		if (point.trace_ns < wall->points[wall->count - 1].trace_ns)
			return true;
		int64_t off_ns = shift(0, wall_clock_at(wall, point.trace_ns), point.unix_ns);
		if (off_ns <= WALL_CLOCK_NOISE_NS && off_ns >= -WALL_CLOCK_NOISE_NS)
			return true;
	}
	if (!array_reserve(&wall->points, &wall->capacity, wall->count + 1, sizeof(point), err))
		return false;
	wall->points[wall->count++] = point;
	return true;
}

/* The last point for which the field is not beyond the value; the first if it is for all. */
static const struct clock_point *
find_point(const struct wall_clock *wall, int64_t value, bool by_unix)
{
	size_t low = 0, high = wall->count;
	assert(wall->count > 0);
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		const struct clock_point *point = &wall->points[middle];
		if ((by_unix ? point->unix_ns : point->trace_ns) <= value)
			low = middle;
		else
			high = middle;
	}
	return &wall->points[low];
}

int64_t
wall_clock_at(const struct wall_clock *wall, int64_t trace_ns)
{
	const struct clock_point *point = find_point(wall, trace_ns, false);
	return shift(point->unix_ns, point->trace_ns, trace_ns);
}

int64_t
wall_clock_find(const struct wall_clock *wall, int64_t unix_ns)
{
	const struct clock_point *point = find_point(wall, unix_ns, true);
	int64_t trace_ns = shift(point->trace_ns, point->unix_ns, unix_ns);
	bool is_last = point == &wall->points[wall->count - 1];
	return is_last || trace_ns < point[1].trace_ns ? trace_ns : point[1].trace_ns;
}

static bool
can_be_told(int64_t unix_ns)
{
	return unix_ns >= CLOCK_LEAST_NS && unix_ns < INT64_MAX;
}

/* Whether all that a point tells about can be told. */
static bool
is_told(const struct wall_clock *wall, size_t index, int64_t end_ns)
{
	const struct clock_point *point = &wall->points[index];
	int64_t until_ns = index + 1 < wall->count ? point[1].trace_ns : end_ns;
	return can_be_told(point->unix_ns) &&
	       can_be_told(shift(point->unix_ns, point->trace_ns, until_ns));
}

void
wall_clock_rebase(struct wall_clock *wall, int64_t origin_ns, int64_t end_ns)
{
	for (size_t i = 0; i < wall->count; i++)
		wall->points[i].trace_ns = shift(0, origin_ns, wall->points[i].trace_ns);
	bool is_fine = wall->count > 0 && can_be_told(wall_clock_at(wall, 0));
	for (size_t i = 0; i < wall->count && is_fine; i++)
		is_fine = is_told(wall, i, end_ns);
	if (!is_fine)
		wall_clock_release(wall);
}

bool
wall_clock_parse(const struct wall_clock *wall, const char *text, int64_t end_ns,
                 int64_t *trace_ns, struct error *err)
{
	int64_t unix_ns, at_end_ns;

	if (!wall_clock_is_known(wall))
		return error_set(err, ERROR_USAGE, "%s", WALL_CLOCK_UNKNOWN);
	if (!clock_parse(text, wall_clock_at(wall, 0), &unix_ns, err) ||
	    !clock_parse(text, wall_clock_at(wall, end_ns), &at_end_ns, err))
		return false;
	int64_t from_end_ns = wall_clock_find(wall, at_end_ns);
	*trace_ns = wall_clock_find(wall, unix_ns);
	if (*trace_ns < 0 && from_end_ns >= 0 && from_end_ns <= end_ns)
		*trace_ns = from_end_ns;
	return true;
}
