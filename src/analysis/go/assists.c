/*
 * The pieces are found actor by actor, those of groups by how many members assist at once.
 * All are kept in small blocks with the time before them.
 */
#include "analysis/go/assists.h"

#include <assert.h>

#include "base/checked.h"
#include "base/job.h"
#include "base/memory.h"
#include "query/radix.h"
#include "trace/lane.h"
#include "trace/series.h"

enum { BLOCK_PIECES = 16 };

struct assist_owner {
	uint32_t ref; /* actor or group */
	uint32_t first_block;
};

struct assist_block {
	int64_t start_ns;  /* of its first piece */
	int64_t before_ns; /* the time of the owner's pieces before it */
	uint32_t first;    /* piece */
};

struct assist_piece {
	int64_t length_ns;
	uint32_t offset_ns; /* from the start of its block */
	uint32_t count;     /* of actors that assist at once */
};

/* ---- building */

struct maker {
	struct assists *assists;
	const struct trace *trace;
	int64_t sum_ns; /* of the owner's pieces so far */
	int64_t end_ns; /* of the actor's ranges so far */
	const atomic_bool *is_cancelled; /* NULL: never */
	struct error *err;
};

/* What is added from now on is its own; one more is room for the end. */
static bool
add_owner(struct maker *maker, uint32_t ref)
{
	struct assists *assists = maker->assists;
	maker->sum_ns = 0;
	if (!array_reserve(&assists->owners, &assists->owner_capacity, assists->owner_count + 2,
		    sizeof *assists->owners, maker->err))
		return false;
	assists->owners[assists->owner_count++] =
		(struct assist_owner){ ref, (uint32_t)assists->block_count };
	return true;
}

static bool
add_block(struct maker *maker, int64_t start_ns)
{
	struct assists *assists = maker->assists;
	if (!array_reserve(&assists->blocks, &assists->block_capacity, assists->block_count + 1,
		    sizeof *assists->blocks, maker->err))
		return false;
	assists->blocks[assists->block_count++] = (struct assist_block){
		start_ns, maker->sum_ns, (uint32_t)assists->piece_count
	};
	return true;
}

/* The one being filled. */
static struct assist_block *
last_block(struct maker *maker)
{
	return &maker->assists->blocks[maker->assists->block_count - 1];
}

/*
 * Of a piece, or what has passed of it. There are fewer than 2^31 actors, so that the product
 * of a length of 32 bits fits.
 */
static int64_t
time_of(int64_t length_ns, uint32_t count)
{
	if (length_ns > UINT32_MAX && length_ns > INT64_MAX / (int64_t)count)
		return INT64_MAX;
	return length_ns * (int64_t)count;
}

/* Whether the owner's last piece could be made longer, to where this one ends. */
static bool
continue_last(struct maker *maker, int64_t start_ns, int64_t end_ns, uint32_t count)
{
	struct assists *assists = maker->assists;
	if (assists->block_count <= assists->owners[assists->owner_count - 1].first_block)
		return false;
	const struct assist_block *block = last_block(maker);
	struct assist_piece *last = &assists->pieces[assists->piece_count - 1];
	if (last->count != count ||
		block->start_ns + last->offset_ns + last->length_ns != start_ns)
		return false;
	last->length_ns += end_ns - start_ns;
	maker->sum_ns = saturating_add_i64(maker->sum_ns, time_of(end_ns - start_ns, count));
	return true;
}

/* A piece behind those that there are. */
static bool
add_piece(struct maker *maker, int64_t start_ns, int64_t end_ns, uint32_t count)
{
	struct assists *assists = maker->assists;
	size_t owner_block = assists->owners[assists->owner_count - 1].first_block;
	if (start_ns >= end_ns || continue_last(maker, start_ns, end_ns, count))
		return true;
	bool has_room = assists->block_count > owner_block &&
		assists->piece_count - last_block(maker)->first < BLOCK_PIECES &&
		start_ns - last_block(maker)->start_ns <= UINT32_MAX;
	if (!has_room && !add_block(maker, start_ns))
		return false;
	if (!array_reserve(&assists->pieces, &assists->piece_capacity, assists->piece_count + 1,
		    sizeof *assists->pieces, maker->err))
		return false;
	int64_t length_ns = end_ns - start_ns;
	assists->pieces[assists->piece_count++] = (struct assist_piece){
		length_ns, (uint32_t)(start_ns - last_block(maker)->start_ns), count
	};
	maker->sum_ns = saturating_add_i64(maker->sum_ns, time_of(length_ns, count));
	return assists->piece_count <= UINT32_MAX ||
	       error_set(maker->err, ERROR_LIMIT, "more mark assists than can be shown");
}

/* What the actor ran within [start, end). */
static bool
add_running(struct maker *maker, const struct series *series, int64_t start_ns, int64_t end_ns)
{
	struct item item;
	bool is_there = series_find(series, start_ns, &item), is_open;
	if (!is_there) {
		series_enter(series, 0, &item);
		is_there = true;
	}
	for (; is_there && item_start_ns(&item) < end_ns; is_there = series_step(series, &item)) {
		if (item_class(series, &item) != CLASS_RUNNING)
			continue;
		int64_t from_ns = item_start_ns(&item), until_ns = item_end_ns(series, &item, &is_open);
		if (!add_piece(maker, from_ns > start_ns ? from_ns : start_ns,
			    until_ns < end_ns ? until_ns : end_ns, 1))
			return false;
	}
	return true;
}

/*
 * The trace's assists by actor, each one's by time. What one of damaged traces shares with the
 * one before it counts once.
 */
static bool
build_actors(struct maker *maker)
{
	const struct trace *trace = maker->trace;
	const struct ref_index *index = &trace->assists;
	size_t count = index->first == NULL ? 0 : index->first[index->key_count];
	struct radix_item *items = array_new_unset(count, sizeof *items, maker->err);
	struct series series;
	bool is_fine = items != NULL, has_states = false;
	for (size_t i = 0; is_fine && i < count; i++)
		items[i] = (struct radix_item){ trace_range(trace, index->refs[i])->scope,
			index->refs[i] };
	is_fine = is_fine && radix_sort(items, count, maker->is_cancelled, maker->err);
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct range *range = trace_range(trace, (range_ref)items[i].value);
		if (i == 0 || items[i - 1].key != items[i].key) {
			actor_ref actor = (actor_ref)items[i].key;
			has_states = actor < trace_actor_count(trace) &&
				     series_open(trace, (struct lane){ LANE_ACTOR, actor },
					     &series);
			maker->end_ns = INT64_MIN;
			is_fine = !has_states || add_owner(maker, actor);
		}
		if (!has_states)
			continue;
		int64_t start_ns = range->start_ns, end_ns = trace_range_end_ns(trace, range);
		start_ns = start_ns > maker->end_ns ? start_ns : maker->end_ns;
		if (is_fine && start_ns < end_ns)
			is_fine = job_goes_on(maker->is_cancelled, maker->err) &&
				  add_running(maker, &series, start_ns, end_ns);
		maker->end_ns = end_ns > maker->end_ns ? end_ns : maker->end_ns;
	}
	memory_free(items);
	return is_fine;
}

static int64_t
piece_start_ns(const struct assists *assists, const struct assist_block *block, size_t piece)
{
	return block->start_ns + assists->pieces[piece].offset_ns;
}

/* Behind the last piece of a block. */
static size_t
end_of_block(const struct assists *assists, size_t block)
{
	return block + 1 < assists->block_count ? assists->blocks[block + 1].first
						: assists->piece_count;
}

/* Whether a group has a list of its own: where it has one member that one answers. */
static bool
is_shared(const struct trace *trace, group_ref group)
{
	return trace->groups[group].count > 1;
}

/*
 * When members of groups begin to run for the collector and end it, by group and time: twice the
 * time, and 1 where one begins.
 */
static struct radix_item *
list_changes(const struct maker *maker, size_t *count)
{
	const struct assists *assists = maker->assists;
	const struct trace *trace = maker->trace;
	struct radix_item *changes =
		array_new_unset(assists->piece_count * 2, sizeof *changes, maker->err);
	*count = 0;
	for (size_t i = 0; changes != NULL && i < assists->owner_count; i++) {
		group_ref group = trace_group_of(trace, assists->owners[i].ref);
		size_t end = assists->owners[i + 1].first_block;
		if (!is_shared(trace, group))
			continue;
		for (size_t block = assists->owners[i].first_block; block < end; block++)
			for (size_t piece = assists->blocks[block].first;
				piece < end_of_block(assists, block); piece++) {
				int64_t start_ns = piece_start_ns(
					assists, &assists->blocks[block], piece);
				int64_t end_ns = start_ns + assists->pieces[piece].length_ns;
				changes[(*count)++] = (struct radix_item){
					(uint64_t)start_ns << 1 | 1, group
				};
				changes[(*count)++] =
					(struct radix_item){ (uint64_t)end_ns << 1, group };
			}
	}
	bool is_fine =
		changes != NULL && radix_sort(changes, *count, maker->is_cancelled, maker->err);
	for (size_t i = 0; is_fine && i < *count; i++)
		changes[i] = (struct radix_item){ changes[i].value, changes[i].key };
	if (is_fine && radix_sort(changes, *count, maker->is_cancelled, maker->err))
		return changes;
	memory_free(changes);
	return NULL;
}

static bool
build_groups(struct maker *maker)
{
	size_t count;
	struct radix_item *changes = list_changes(maker, &count);
	uint32_t at_once = 0;
	bool is_fine = changes != NULL;
	for (size_t i = 0; is_fine && i < count; i++) {
		int64_t now_ns = (int64_t)(changes[i].value >> 1);
		if (at_once > 0)
			is_fine = add_piece(maker, (int64_t)(changes[i - 1].value >> 1), now_ns, at_once);
		else if (i == 0 || changes[i - 1].key != changes[i].key)
			is_fine = add_owner(maker, (uint32_t)changes[i].key);
		assert((changes[i].value & 1) != 0 || at_once > 0);
		at_once += (changes[i].value & 1) != 0 ? 1 : UINT32_MAX;
	}
	memory_free(changes);
	return is_fine;
}

/* Where the last owner's blocks end. */
static void
end_owners(struct assists *assists)
{
	if (assists->owner_count > 0)
		assists->owners[assists->owner_count] =
			(struct assist_owner){ REF_NONE, (uint32_t)assists->block_count };
}

bool
assists_build(struct assists *assists, const struct trace *trace, const atomic_bool *is_cancelled,
	struct error *err)
{
	struct maker maker = {
		.assists = assists, .trace = trace, .is_cancelled = is_cancelled, .err = err
	};
	*assists = (struct assists){ .trace = trace };
	bool is_fine = build_actors(&maker);
	assists->actor_count = assists->owner_count;
	end_owners(assists);
	is_fine = is_fine && (assists->owner_count == 0 || build_groups(&maker));
	end_owners(assists);
	if (!is_fine) {
		assists_release(assists);
		return false;
	}
	array_trim(&assists->blocks, &assists->block_capacity, assists->block_count,
		sizeof *assists->blocks);
	array_trim(&assists->pieces, &assists->piece_capacity, assists->piece_count,
		sizeof *assists->pieces);
	return true;
}

void
assists_release(struct assists *assists)
{
	memory_free(assists->owners);
	memory_free(assists->blocks);
	memory_free(assists->pieces);
	*assists = (struct assists){ 0 };
}

size_t
assists_bytes(const struct assists *assists)
{
	return assists->owner_capacity * sizeof *assists->owners +
	       assists->block_capacity * sizeof *assists->blocks +
	       assists->piece_capacity * sizeof *assists->pieces;
}

/* ---- asking */

/* The blocks [*first, *end) of a lane; false where it has none. */
static bool
blocks_of(const struct assists *assists, struct lane lane, size_t *first, size_t *end)
{
	const struct trace *trace = assists->trace;
	if (assists->owner_count == 0)
		return false;
	if (lane.type == LANE_GROUP && !is_shared(trace, lane.ref))
		lane = (struct lane){ LANE_ACTOR,
			trace->group_members[trace->groups[lane.ref].first] };
	bool is_group = lane.type == LANE_GROUP;
	size_t low = is_group ? assists->actor_count : 0;
	size_t owners_end = is_group ? assists->owner_count : assists->actor_count;
	for (size_t high = owners_end; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (assists->owners[middle].ref < lane.ref)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == owners_end || assists->owners[low].ref != lane.ref)
		return false;
	*first = assists->owners[low].first_block;
	*end = assists->owners[low + 1].first_block;
	return *first < *end;
}

/* The last of the blocks [first, end) that begins by t, else the first; soonest near `first`. */
static size_t
block_at(const struct assists *assists, size_t first, size_t end, int64_t t_ns)
{
	for (size_t step = 1; step < end - first; step *= 2) {
		if (assists->blocks[first + step].start_ns > t_ns) {
			end = first + step;
			break;
		}
		first += step;
	}
	while (end - first > 1) {
		size_t middle = first + (end - first) / 2;
		if (assists->blocks[middle].start_ns <= t_ns)
			first = middle;
		else
			end = middle;
	}
	return first;
}

/*
 * The time before t, of the owner of the block, which is the last one that begins by then. There is
 * no more until *quiet_ns.
 */
static int64_t
time_until(const struct assists *assists, size_t at, int64_t t_ns, int64_t *quiet_ns)
{
	const struct assist_block *block = &assists->blocks[at];
	int64_t sum_ns = block->before_ns;
	*quiet_ns = t_ns;
	for (size_t i = block->first; i < end_of_block(assists, at); i++) {
		const struct assist_piece *piece = &assists->pieces[i];
		int64_t passed_ns = t_ns - piece_start_ns(assists, block, i);
		bool is_over = passed_ns >= piece->length_ns;
		if (passed_ns <= 0) {
			*quiet_ns = t_ns - passed_ns;
			break;
		}
		sum_ns = saturating_add_i64(
			sum_ns, time_of(is_over ? piece->length_ns : passed_ns, piece->count));
		if (!is_over)
			break;
	}
	return sum_ns;
}

static int64_t
edge_of(const struct assists *assists, int64_t t0_ns, int64_t t1_ns, int cells, int index)
{
	int64_t edge_ns = lane_edge(t0_ns, t1_ns, cells, index);
	return edge_ns < assists->trace->end_ns ? edge_ns : assists->trace->end_ns;
}

bool
assists_cells(const struct assists *assists, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int cells, int64_t *times_ns)
{
	size_t block, end;
	int64_t quiet_ns, ignored_ns;
	if ((lane.type != LANE_GROUP && lane.type != LANE_ACTOR) ||
		!blocks_of(assists, lane, &block, &end))
		return false;
	int64_t end_ns = edge_of(assists, t0_ns, t1_ns, cells, cells);
	block = block_at(assists, block, end, t0_ns);
	int64_t before_ns = time_until(assists, block, t0_ns, &quiet_ns);
	size_t last = block_at(assists, block, end, end_ns);
	if (time_until(assists, last, end_ns, &ignored_ns) == before_ns)
		return false;
	for (int i = 0; i < cells; i++) {
		int64_t edge_ns = edge_of(assists, t0_ns, t1_ns, cells, i + 1);
		times_ns[i] = 0;
		if (edge_ns <= quiet_ns)
			continue;
		block = block_at(assists, block, last + 1, edge_ns);
		int64_t until_ns = time_until(assists, block, edge_ns, &quiet_ns);
		times_ns[i] = until_ns - before_ns;
		before_ns = until_ns;
	}
	return true;
}

int64_t
assists_time(const struct assists *assists, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	int64_t time_ns;
	return assists_cells(assists, lane, t0_ns, t1_ns, 1, &time_ns) ? time_ns : 0;
}

bool
assists_border(const struct assists *assists, actor_ref actor, int64_t t0_ns, int64_t t1_ns,
	int64_t *border_ns, bool *is_before)
{
	size_t at, end;
	int borders = 0;
	if (!blocks_of(assists, (struct lane){ LANE_ACTOR, actor }, &at, &end))
		return false;
	for (at = block_at(assists, at, end, t0_ns); at < end && borders < 2; at++) {
		const struct assist_block *block = &assists->blocks[at];
		for (size_t i = block->first; i < end_of_block(assists, at); i++) {
			int64_t start_ns = piece_start_ns(assists, block, i);
			int64_t end_ns = start_ns + assists->pieces[i].length_ns;
			if (start_ns >= t1_ns)
				return borders == 1;
			if (start_ns > t0_ns) {
				*border_ns = start_ns;
				*is_before = false;
				borders++;
			}
			if (end_ns > t0_ns && end_ns < t1_ns) {
				*border_ns = end_ns;
				*is_before = true;
				borders++;
			}
		}
	}
	return borders == 1;
}
