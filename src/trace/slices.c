/* Questions about frozen slices. slices_internal.h has how they lie in memory. */
#include "trace/slices.h"

#include <assert.h>

#include "base/checked.h"
#include "trace/slices_internal.h"
#include "trace/time.h"

uint32_t
slices_track_count(const struct slices *slices)
{
	assert(slices->is_frozen);
	return (uint32_t)slices->track_count;
}

uint32_t
slices_column_count(const struct slices *slices)
{
	assert(slices->is_frozen);
	return slices->place_count;
}

uint64_t
slices_count(const struct slices *slices)
{
	return slices->count;
}

size_t
slices_bytes(const struct slices *slices)
{
	assert(slices->is_frozen);
	size_t bytes = sizeof *slices + slices->column_capacity * sizeof *slices->columns +
	               slices->wide_capacity * sizeof *slices->wide +
	               slices->track_count * sizeof *slices->tracks +
	               slices->place_count * (sizeof *slices->places + sizeof *slices->before) +
	               ((size_t)slices->name_count + 1) * sizeof *slices->first_part +
	               ((size_t)slices->part_count + 1) * sizeof *slices->parts +
	               slices->count * sizeof *slices->named +
	               (slices->count / SLICE_BLOCK + 1) * sizeof *slices->named_ns;

	for (size_t i = 0; i < slices->column_count; i++) {
		const struct slice_column *column = &slices->columns[i];
		size_t each = sizeof *column->start + sizeof *column->length + sizeof *column->name +
		              sizeof *column->flags;

		if (column->took != NULL)
			each += sizeof *column->took;
		if (column->detail != NULL)
			each += sizeof *column->detail;
		bytes += column->capacity * each + column->block_capacity * sizeof *column->blocks +
		         column->level_items *
		                 (sizeof *column->longest_ns + sizeof *column->longest);
	}
	return bytes;
}

/* ---- tracks */

const struct track *
slices_track_at(const struct slices *slices, track_ref track)
{
	assert(slices->is_frozen && track < slices->track_count);
	return &slices->tracks[track];
}

/* How many tracks stand before those of that owner, or of one that would follow on it. */
static track_ref
tracks_before(const struct slices *slices, uint64_t owner, uint64_t ref)
{
	track_ref low = 0, high = (track_ref)slices->track_count;

	while (low < high) {
		track_ref middle = low + (high - low) / 2;
		const struct track *track = &slices->tracks[middle];

		if (track->owner < owner || (track->owner == owner && track->ref < ref))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
slices_tracks_of(const struct slices *slices, enum track_owner owner, uint32_t ref,
	track_ref *first, uint32_t *count)
{
	assert(slices->is_frozen);
	*first = tracks_before(slices, owner, ref);
	*count = tracks_before(slices, owner, (uint64_t)ref + 1) - *first;
}

track_ref
slices_track_of_column(const struct slices *slices, column_ref column)
{
	assert(slices->is_frozen && column < slices->place_count);
	/* The last one that begins there or before; those without columns stand before it. */
	track_ref low = 0, high = (track_ref)slices->track_count;

	while (low < high) {
		track_ref middle = low + (high - low) / 2;

		if (slices->tracks[middle].first_column <= column)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* ---- places in a column */

static const struct slice_column *
column_at(const struct slices *slices, column_ref column)
{
	static const struct slice_column without_slices;

	assert(slices->is_frozen && column < slices->place_count);
	uint32_t place = slices->places[column];
	return place == SLICE_NONE ? &without_slices : &slices->columns[place];
}

/* How many slices begin before t: no fewer than `least`, as the caller knows. */
static uint32_t
begun_before(
	const struct slices *slices, const struct slice_column *column, int64_t t_ns, uint32_t least)
{
	/* How many blocks begin before t. */
	uint32_t low = least / SLICE_BLOCK;
	uint32_t high = column->count / SLICE_BLOCK + (column->count % SLICE_BLOCK > 0);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (column->blocks[middle].base_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;

	/* In the last of them at least the first slice does. */
	uint32_t first = (low - 1) * SLICE_BLOCK + 1, end = first + SLICE_BLOCK - 1;
	if (end > column->count)
		end = column->count;
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (slice_start_ns(slices, column, middle) < t_ns)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static int64_t
end_of(const struct slices *slices, const struct slice_column *column, uint32_t index)
{
	return (int64_t)((uint64_t)slice_start_ns(slices, column, index) +
			 slice_length_ns(slices, column, index));
}

static int64_t
clamped(uint64_t time_ns)
{
	return time_ns < INT64_MAX ? (int64_t)time_ns : INT64_MAX;
}

void
slices_get(const struct slices *slices, column_ref column, uint32_t index, struct slice *slice)
{
	const struct slice_column *from = column_at(slices, column);

	assert(index < from->count);
	*slice = (struct slice){
		.start_ns = slice_start_ns(slices, from, index),
		.end_ns = end_of(slices, from, index),
		.name = from->name[index],
		.detail = from->detail != NULL ? from->detail[index] : 0,
		.flags = from->flags[index],
		.column = column,
		.index = index,
	};
	if (slice_is_wide(from, index))
		slice->took_ns = slices->wide[from->start[index]].took_ns;
	else
		slice->took_ns =
			(int64_t)from->length[index] + (from->took != NULL ? from->took[index] : 0);
}

uint32_t
slices_number(const struct slices *slices, column_ref column, uint32_t index)
{
	assert(index < column_at(slices, column)->count);
	return slices->before[column] + index;
}

void
slices_numbered(const struct slices *slices, uint32_t number, struct slice *slice)
{
	uint32_t low = 0, high = slices->place_count;

	assert(number < slices->count);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (slices->before[middle] <= number)
			low = middle;
		else
			high = middle;
	}
	slices_get(slices, low, number - slices->before[low], slice);
}

uint32_t
slices_in_column(const struct slices *slices, column_ref column)
{
	return column_at(slices, column)->count;
}

bool
slices_next(const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice)
{
	const struct slice_column *from = column_at(slices, column);
	uint32_t index = begun_before(slices, from, t_ns, 0);

	if (index == from->count)
		return false;
	slices_get(slices, column, index, slice);
	return true;
}

bool
slices_previous(const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice)
{
	uint32_t count = begun_before(slices, column_at(slices, column), t_ns, 0);

	if (count == 0)
		return false;
	slices_get(slices, column, count - 1, slice);
	return true;
}

bool
slices_at(const struct slices *slices, column_ref column, int64_t t_ns, struct slice *slice)
{
	/* Nothing ends behind the last moment, so nothing holds it. */
	return t_ns < INT64_MAX && slices_previous(slices, column, t_ns + 1, slice) &&
	       slice->end_ns > t_ns;
}

/* The first of those that overlap what begins at t, where `begun` begin before t. */
static uint32_t
first_from(
	const struct slices *slices, const struct slice_column *column, uint32_t begun, int64_t t_ns)
{
	return begun > 0 && end_of(slices, column, begun - 1) > t_ns ? begun - 1 : begun;
}

void
slices_range(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	uint32_t *first, uint32_t *end)
{
	const struct slice_column *from = column_at(slices, column);
	uint32_t begun = begun_before(slices, from, t0_ns, 0);

	*first = *end = begun;
	if (t0_ns < t1_ns) {
		*first = first_from(slices, from, begun, t0_ns);
		*end = begun_before(slices, from, t1_ns, begun);
	}
}

/* ---- covered time */

/* Time that is covered before t, where `begun` slices begin before t. */
static uint64_t
covered_before(
	const struct slices *slices, const struct slice_column *column, uint32_t begun, int64_t t_ns)
{
	if (begun == 0)
		return 0;

	uint32_t block = (begun - 1) / SLICE_BLOCK;
	uint64_t covered_ns = column->blocks[block].covered_ns;
	int64_t end_ns = end_of(slices, column, begun - 1);

	for (uint32_t i = block * SLICE_BLOCK; i < begun; i++)
		covered_ns += slice_length_ns(slices, column, i);
	return end_ns > t_ns ? covered_ns - ((uint64_t)end_ns - (uint64_t)t_ns) : covered_ns;
}

int64_t
slices_covered(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns)
{
	if (t1_ns <= t0_ns)
		return 0;

	const struct slice_column *from = column_at(slices, column);
	uint32_t begun0 = begun_before(slices, from, t0_ns, 0);
	uint32_t begun1 = begun_before(slices, from, t1_ns, begun0);
	return clamped(covered_before(slices, from, begun1, t1_ns) -
		       covered_before(slices, from, begun0, t0_ns));
}

/* ---- the longest */

struct longest {
	uint64_t length_ns;
	uint32_t index; /* SLICE_NONE: none was considered */
};

static void
consider(struct longest *longest, uint64_t length_ns, uint32_t index)
{
	if (longest->index == SLICE_NONE || length_ns > longest->length_ns ||
		(length_ns == longest->length_ns && index < longest->index))
		*longest = (struct longest){ length_ns, index };
}

/* A slice of which only what lies within the interval counts. */
static void
consider_part(const struct slices *slices, const struct slice_column *column, int64_t t0_ns,
	int64_t t1_ns, uint32_t index, struct longest *longest)
{
	int64_t start_ns = slice_start_ns(slices, column, index);
	int64_t end_ns = end_of(slices, column, index);

	if (start_ns < t0_ns)
		start_ns = t0_ns;
	if (end_ns > t1_ns)
		end_ns = t1_ns;
	consider(longest, (uint64_t)end_ns - (uint64_t)start_ns, index);
}

/* Of the slices [first, end), which overlap [t0, t1). */
static struct longest
longest_of(const struct slices *slices, const struct slice_column *column, int64_t t0_ns,
	int64_t t1_ns, uint32_t first, uint32_t end)
{
	struct longest longest = { 0, SLICE_NONE };

	/* All but the first and the last lie wholly within. */
	if (first < end)
		consider_part(slices, column, t0_ns, t1_ns, first++, &longest);
	if (first < end)
		consider_part(slices, column, t0_ns, t1_ns, --end, &longest);
	for (; first < end && first % SLICE_BLOCK != 0; first++)
		consider(&longest, slice_length_ns(slices, column, first), first);
	for (; first < end && end % SLICE_BLOCK != 0; end--)
		consider(&longest, slice_length_ns(slices, column, end - 1), end - 1);

	/* Whole groups are left; of these the ends first, then groups of groups. */
	size_t level = 0;
	for (uint32_t count = column->count / SLICE_BLOCK; first < end; count /= SLICE_BLOCK) {
		first /= SLICE_BLOCK;
		end /= SLICE_BLOCK;
		for (; first < end && first % SLICE_BLOCK != 0; first++)
			consider(&longest, column->longest_ns[level + first],
				column->longest[level + first]);
		for (; first < end && end % SLICE_BLOCK != 0; end--)
			consider(&longest, column->longest_ns[level + end - 1],
				column->longest[level + end - 1]);
		level += count;
	}
	return longest;
}

bool
slices_longest(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	struct slice *slice)
{
	uint32_t first, end;

	slices_range(slices, column, t0_ns, t1_ns, &first, &end);
	if (first == end)
		return false;
	struct longest longest =
		longest_of(slices, column_at(slices, column), t0_ns, t1_ns, first, end);
	slices_get(slices, column, longest.index, slice);
	return true;
}

void
slices_cells(const struct slices *slices, column_ref column, int64_t t0_ns, int64_t t1_ns,
	int count, struct slice_cell *cells)
{
	const struct slice_column *from = column_at(slices, column);
	uint32_t begun = begun_before(slices, from, t0_ns, 0);
	uint64_t before_ns = covered_before(slices, from, begun, t0_ns);
	int64_t edge_ns = t0_ns;

	assert(count > 0 && t0_ns <= t1_ns);
	for (int i = 0; i < count; i++) {
		int64_t next_ns = lane_edge(t0_ns, t1_ns, count, i + 1);
		uint32_t until = begun_before(slices, from, next_ns, begun);
		uint64_t until_ns = covered_before(slices, from, until, next_ns);
		/* A cell of a fraction of a nanosecond may have no moment in it. */
		uint32_t first = edge_ns < next_ns ? first_from(slices, from, begun, edge_ns) : until;

		cells[i].covered_ns = clamped(until_ns - before_ns);
		cells[i].longest = longest_of(slices, from, edge_ns, next_ns, first, until).index;
		begun = until;
		before_ns = until_ns;
		edge_ns = next_ns;
	}
}

/* ---- names */

/* How many of the part's slices stand before the index in their column. */
static uint32_t
part_before(const struct slices *slices, const struct slice_part *part, uint32_t index)
{
	uint32_t low = part->first, high = part[1].first;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (slices->named[middle] < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low - part->first;
}

/* Time that the part covers before t. */
static uint64_t
part_covered_before(const struct slices *slices, const struct slice_part *part, int64_t t_ns)
{
	const struct slice_column *column = column_at(slices, part->column);
	uint32_t begun = begun_before(slices, column, t_ns, 0);
	uint32_t count = part_before(slices, part, begun);

	if (count == 0)
		return 0;

	uint32_t last = part->first + count - 1;
	uint32_t at = last / SLICE_BLOCK * SLICE_BLOCK;
	uint64_t covered_ns = at > part->first ? slices->named_ns[at / SLICE_BLOCK] : 0;

	for (uint32_t i = at > part->first ? at : part->first; i <= last; i++)
		covered_ns += slice_length_ns(slices, column, slices->named[i]);

	int64_t end_ns = end_of(slices, column, slices->named[last]);
	return end_ns > t_ns ? covered_ns - ((uint64_t)end_ns - (uint64_t)t_ns) : covered_ns;
}

uint64_t
slices_named(const struct slices *slices, string_id name)
{
	assert(slices->is_frozen);
	if (name >= slices->name_count)
		return 0;
	return slices->parts[slices->first_part[name + 1]].first -
	       slices->parts[slices->first_part[name]].first;
}

int64_t
slices_named_time(const struct slices *slices, string_id name, int64_t t0_ns, int64_t t1_ns)
{
	assert(slices->is_frozen);
	if (name >= slices->name_count || t1_ns <= t0_ns)
		return 0;

	int64_t time_ns = 0;
	for (uint32_t i = slices->first_part[name]; i < slices->first_part[name + 1]; i++) {
		const struct slice_part *part = &slices->parts[i];

		time_ns = saturating_add_i64(time_ns,
			clamped(part_covered_before(slices, part, t1_ns) -
				part_covered_before(slices, part, t0_ns)));
	}
	return time_ns;
}

void
slices_get_named(const struct slices *slices, string_id name, uint64_t number, struct slice *slice)
{
	assert(slices->is_frozen && number < slices_named(slices, name));

	uint32_t low = slices->first_part[name], high = slices->first_part[name + 1];
	uint64_t at = slices->parts[low].first + number;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (slices->parts[middle].first <= at)
			low = middle;
		else
			high = middle;
	}
	slices_get(slices, slices->parts[low].column, slices->named[at], slice);
}
