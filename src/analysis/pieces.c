/* Pieces are kept in small blocks with the time before them. */
#include "analysis/pieces.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "query/radix.h"
#include "trace/lane.h"

enum { BLOCK_PIECES = 16 };

struct piece_owner {
	uint64_t lane; /* see key_of() */
	uint32_t first_block;
};

struct piece_block {
	int64_t start_ns;  /* of its first piece */
	int64_t before_ns; /* the time of the owner's pieces before it */
	uint32_t first;    /* piece */
};

/* One that is longer than that goes on in the next one. */
struct piece {
	uint32_t offset_ns; /* from the start of its block */
	uint32_t length_ns;
	uint32_t count;     /* of those at it at once */
};

static uint64_t
key_of(struct lane lane)
{
	return (uint64_t)lane.type << 32 | lane.ref;
}

/* Whether a group has a list of its own: where it has one member that one answers. */
static bool
is_shared(const struct trace *trace, group_ref group)
{
	return trace->groups[group].count > 1;
}

/* ---- the list */

/* Twice the time, and 1 where one begins. */
static bool
add_changes(struct piece_list *list, struct lane lane, int64_t start_ns, int64_t end_ns, struct error *err)
{
	if (!array_reserve(&list->changes, &list->capacity, list->count + 2, sizeof *list->changes, err))
		return false;
	list->changes[list->count++] = (struct radix_item){ (uint64_t)start_ns << 1 | 1, key_of(lane) };
	list->changes[list->count++] = (struct radix_item){ (uint64_t)end_ns << 1, key_of(lane) };
	return true;
}

bool
piece_list_add(struct piece_list *list, struct lane lane, int64_t start_ns, int64_t end_ns, struct error *err)
{
	if (start_ns < 0)
		start_ns = 0;
	if (start_ns >= end_ns)
		return true;
	if (!add_changes(list, lane, start_ns, end_ns, err))
		return false;
	if (lane.type != LANE_ACTOR)
		return true;
	group_ref group = trace_group_of(list->trace, lane.ref);
	return !is_shared(list->trace, group) ||
	       add_changes(list, (struct lane){ LANE_GROUP, group }, start_ns, end_ns, err);
}

bool
piece_list_join(struct piece_list *list, struct piece_list *other, struct error *err)
{
	if (other->count > 0 && !array_reserve(&list->changes, &list->capacity, list->count + other->count,
					sizeof *list->changes, err))
		return false;
	if (other->count > 0)
		memcpy(list->changes + list->count, other->changes, other->count * sizeof *list->changes);
	list->count += other->count;
	piece_list_release(other);
	return true;
}

void
piece_list_release(struct piece_list *list)
{
	memory_free(list->changes);
	*list = (struct piece_list){ .trace = list->trace };
}

/* By lane, and those of each by time. */
static bool
sort_changes(struct piece_list *list, const atomic_bool *is_cancelled, struct error *err)
{
	struct radix_item *changes = list->changes;
	if (!radix_sort(changes, list->count, is_cancelled, err))
		return false;
	for (size_t i = 0; i < list->count; i++)
		changes[i] = (struct radix_item){ changes[i].value, changes[i].key };
	return radix_sort(changes, list->count, is_cancelled, err);
}

/* ---- building */

/* What is added from now on is its own; one more is room for the end. */
static bool
add_owner(struct pieces *pieces, uint64_t lane, struct error *err)
{
	if (!array_reserve(&pieces->owners, &pieces->owner_capacity, pieces->owner_count + 2,
		    sizeof *pieces->owners, err))
		return false;
	pieces->owners[pieces->owner_count++] = (struct piece_owner){ lane, (uint32_t)pieces->block_count };
	return true;
}

/* The one being filled. */
static struct piece_block *
last_block(struct pieces *pieces)
{
	return &pieces->blocks[pieces->block_count - 1];
}

/* There are fewer than 2^31 actors, so that the product fits. */
static int64_t
time_of(int64_t length_ns, uint32_t count)
{
	return length_ns * (int64_t)count;
}

/* Whether the owner's last piece could be made longer, to where this one ends. */
static bool
continue_last(struct pieces *pieces, int64_t start_ns, int64_t end_ns, uint32_t count)
{
	if (pieces->block_count <= pieces->owners[pieces->owner_count - 1].first_block)
		return false;
	struct piece *last = &pieces->items[pieces->count - 1];
	if (last->count != count ||
		last_block(pieces)->start_ns + last->offset_ns + last->length_ns != start_ns ||
		end_ns - start_ns > UINT32_MAX - last->length_ns)
		return false;
	last->length_ns += (uint32_t)(end_ns - start_ns);
	return true;
}

static int64_t
time_of_block(const struct pieces *pieces, const struct piece_block *block, size_t end)
{
	int64_t time_ns = 0;
	for (size_t i = block->first; i < end; i++)
		time_ns = saturating_add_i64(time_ns, time_of(pieces->items[i].length_ns, pieces->items[i].count));
	return time_ns;
}

static bool
add_block(struct pieces *pieces, int64_t start_ns, struct error *err)
{
	int64_t before_ns = 0;
	if (pieces->block_count > pieces->owners[pieces->owner_count - 1].first_block)
		before_ns = saturating_add_i64(last_block(pieces)->before_ns,
			time_of_block(pieces, last_block(pieces), pieces->count));
	if (!array_reserve(&pieces->blocks, &pieces->block_capacity, pieces->block_count + 1,
		    sizeof *pieces->blocks, err))
		return false;
	pieces->blocks[pieces->block_count++] =
		(struct piece_block){ start_ns, before_ns, (uint32_t)pieces->count };
	return true;
}

/* Behind those that there are. */
static bool
add_piece(struct pieces *pieces, int64_t start_ns, int64_t end_ns, uint32_t count, struct error *err)
{
	if (continue_last(pieces, start_ns, end_ns, count))
		return true;
	while (start_ns < end_ns) {
		int64_t length_ns = end_ns - start_ns < UINT32_MAX ? end_ns - start_ns : UINT32_MAX;
		bool has_room = pieces->block_count > pieces->owners[pieces->owner_count - 1].first_block &&
				pieces->count - last_block(pieces)->first < BLOCK_PIECES &&
				start_ns - last_block(pieces)->start_ns <= UINT32_MAX;
		if ((!has_room && !add_block(pieces, start_ns, err)) ||
			!array_reserve(&pieces->items, &pieces->capacity, pieces->count + 1, sizeof *pieces->items,
				err))
			return false;
		pieces->items[pieces->count++] = (struct piece){
			(uint32_t)(start_ns - last_block(pieces)->start_ns), (uint32_t)length_ns, count
		};
		start_ns += length_ns;
	}
	return pieces->count <= UINT32_MAX ||
	       error_set(err, ERROR_LIMIT, "more pieces of time than can be shown");
}

/* From changes by lane and time. */
static bool
add_pieces(struct pieces *pieces, const struct radix_item *changes, size_t count, struct error *err)
{
	uint32_t at_once = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t now_ns = (int64_t)(changes[i].value >> 1);
		bool is_begin = (changes[i].value & 1) != 0, is_first = i == 0 || changes[i - 1].key != changes[i].key;
		assert(is_begin || at_once > 0);
		if ((is_first && !add_owner(pieces, changes[i].key, err)) ||
			(at_once > 0 &&
				!add_piece(pieces, (int64_t)(changes[i - 1].value >> 1), now_ns, at_once, err)))
			return false;
		at_once += is_begin ? 1 : UINT32_MAX;
	}
	if (count > 0)
		pieces->owners[pieces->owner_count] =
			(struct piece_owner){ UINT64_MAX, (uint32_t)pieces->block_count };
	return true;
}

bool
pieces_build(struct pieces *pieces, struct piece_list *list, const atomic_bool *is_cancelled, struct error *err)
{
	*pieces = (struct pieces){ .trace = list->trace };
	bool is_fine = sort_changes(list, is_cancelled, err) && add_pieces(pieces, list->changes, list->count, err);
	piece_list_release(list);
	if (!is_fine) {
		pieces_release(pieces);
		return false;
	}
	array_trim(&pieces->blocks, &pieces->block_capacity, pieces->block_count, sizeof *pieces->blocks);
	array_trim(&pieces->items, &pieces->capacity, pieces->count, sizeof *pieces->items);
	return true;
}

void
pieces_release(struct pieces *pieces)
{
	memory_free(pieces->owners);
	memory_free(pieces->blocks);
	memory_free(pieces->items);
	*pieces = (struct pieces){ 0 };
}

size_t
pieces_bytes(const struct pieces *pieces)
{
	return pieces->owner_capacity * sizeof *pieces->owners + pieces->block_capacity * sizeof *pieces->blocks +
	       pieces->capacity * sizeof *pieces->items;
}

/* ---- asking */

static int64_t
piece_start_ns(const struct pieces *pieces, const struct piece_block *block, size_t piece)
{
	return block->start_ns + pieces->items[piece].offset_ns;
}

/* Behind the last piece of a block. */
static size_t
end_of_block(const struct pieces *pieces, size_t block)
{
	return block + 1 < pieces->block_count ? pieces->blocks[block + 1].first : pieces->count;
}

/* The blocks [*first, *end) of a lane; false where it has none. */
static bool
blocks_of(const struct pieces *pieces, struct lane lane, size_t *first, size_t *end)
{
	const struct trace *trace = pieces->trace;
	if (pieces->owner_count == 0)
		return false;
	if (lane.type == LANE_GROUP && !is_shared(trace, lane.ref))
		lane = (struct lane){ LANE_ACTOR, trace->group_members[trace->groups[lane.ref].first] };
	size_t low = 0;
	for (size_t high = pieces->owner_count; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (pieces->owners[middle].lane < key_of(lane))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == pieces->owner_count || pieces->owners[low].lane != key_of(lane))
		return false;
	*first = pieces->owners[low].first_block;
	*end = pieces->owners[low + 1].first_block;
	return *first < *end;
}

/* The last of the blocks [first, end) that begins by t, else the first; soonest near `first`. */
static size_t
block_at(const struct pieces *pieces, size_t first, size_t end, int64_t t_ns)
{
	for (size_t step = 1; step < end - first; step *= 2) {
		if (pieces->blocks[first + step].start_ns > t_ns) {
			end = first + step;
			break;
		}
		first += step;
	}
	while (end - first > 1) {
		size_t middle = first + (end - first) / 2;
		if (pieces->blocks[middle].start_ns <= t_ns)
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
time_until(const struct pieces *pieces, size_t at, int64_t t_ns, int64_t *quiet_ns)
{
	const struct piece_block *block = &pieces->blocks[at];
	int64_t sum_ns = block->before_ns;
	*quiet_ns = t_ns;
	for (size_t i = block->first; i < end_of_block(pieces, at); i++) {
		const struct piece *piece = &pieces->items[i];
		int64_t passed_ns = t_ns - piece_start_ns(pieces, block, i);
		bool is_over = passed_ns >= piece->length_ns;
		if (passed_ns <= 0) {
			*quiet_ns = t_ns - passed_ns;
			break;
		}
		sum_ns = saturating_add_i64(sum_ns, time_of(is_over ? piece->length_ns : passed_ns, piece->count));
		if (!is_over)
			break;
	}
	return sum_ns;
}

static int64_t
edge_of(const struct pieces *pieces, int64_t t0_ns, int64_t t1_ns, int cells, int index)
{
	int64_t edge_ns = lane_edge(t0_ns, t1_ns, cells, index);
	return edge_ns < pieces->trace->end_ns ? edge_ns : pieces->trace->end_ns;
}

bool
pieces_cells(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	int64_t *times_ns)
{
	size_t block, end;
	int64_t quiet_ns, ignored_ns;
	if (!blocks_of(pieces, lane, &block, &end))
		return false;
	int64_t end_ns = edge_of(pieces, t0_ns, t1_ns, cells, cells);
	block = block_at(pieces, block, end, t0_ns);
	int64_t before_ns = time_until(pieces, block, t0_ns, &quiet_ns);
	size_t last = block_at(pieces, block, end, end_ns);
	if (time_until(pieces, last, end_ns, &ignored_ns) == before_ns)
		return false;
	for (int i = 0; i < cells; i++) {
		int64_t edge_ns = edge_of(pieces, t0_ns, t1_ns, cells, i + 1);
		times_ns[i] = 0;
		if (edge_ns <= quiet_ns)
			continue;
		block = block_at(pieces, block, last + 1, edge_ns);
		int64_t until_ns = time_until(pieces, block, edge_ns, &quiet_ns);
		times_ns[i] = until_ns - before_ns;
		before_ns = until_ns;
	}
	return true;
}

int64_t
pieces_time(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	int64_t time_ns;
	return pieces_cells(pieces, lane, t0_ns, t1_ns, 1, &time_ns) ? time_ns : 0;
}

/* Borders of [t0, t1) that were found so far. */
struct borders {
	int64_t t0_ns, t1_ns, last_ns;
	int count;
	bool is_before;
};

static void
add_border(struct borders *borders, int64_t t_ns, bool is_before)
{
	if (t_ns <= borders->t0_ns || t_ns >= borders->t1_ns)
		return;
	borders->last_ns = t_ns;
	borders->is_before = is_before;
	borders->count++;
}

bool
pieces_border(const struct pieces *pieces, struct lane lane, int64_t t0_ns, int64_t t1_ns, int64_t *border_ns,
	bool *is_before)
{
	size_t at, end;
	struct borders borders = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	int64_t until_ns = INT64_MIN; /* of the pieces so far */
	if (!blocks_of(pieces, lane, &at, &end))
		return false;
	for (at = block_at(pieces, at, end, t0_ns); at < end && until_ns < t1_ns && borders.count < 2; at++)
		for (size_t i = pieces->blocks[at].first; i < end_of_block(pieces, at); i++) {
			int64_t start_ns = piece_start_ns(pieces, &pieces->blocks[at], i);
			if (start_ns != until_ns) {
				add_border(&borders, until_ns, true);
				add_border(&borders, start_ns, false);
			}
			until_ns = start_ns + pieces->items[i].length_ns;
		}
	add_border(&borders, until_ns, true);
	*border_ns = borders.last_ns;
	*is_before = borders.is_before;
	return borders.count == 1;
}
