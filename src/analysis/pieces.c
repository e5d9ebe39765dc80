/*
 * Pieces are kept in small blocks with the time before them. Each is the varint of the ns since the one before (0 for
 * the first of a block), doubled, plus 1 where several are at it at once; the varint of its length; and in that case
 * the one of how many they are.
 */
#include "analysis/pieces.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "query/radix.h"
#include "trace/lane.h"

enum { BLOCK_PIECES = 16, PIECE_BYTES = 3 * 10 };

struct piece_owner {
	uint64_t lane; /* see key_of() */
	uint32_t first_block;
};

struct piece_block {
	int64_t start_ns;  /* of its first piece */
	int64_t before_ns; /* the time of the owner's pieces before it */
	uint32_t first;    /* byte */
};

/* One that was read. */
struct piece {
	int64_t start_ns, end_ns;
	uint64_t count;     /* of those at it at once */
	const uint8_t *next; /* the one behind it in its block */
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

/* What is built: the last piece is not written yet, as it may go on. */
struct making {
	struct pieces *pieces;
	int64_t start_ns, end_ns;
	uint32_t at_once; /* 0: there is none */
	int64_t time_ns;  /* of the owner's pieces before it */
	int64_t until_ns; /* where the one before ends */
	int room;         /* for so many pieces in the last block */
};

static int64_t
time_of(int64_t length_ns, uint64_t count)
{
	return count == 1 ? length_ns : saturating_mul_i64(length_ns, (int64_t)count);
}

static bool
add_block(struct making *making, struct error *err)
{
	struct pieces *pieces = making->pieces;
	if (!array_reserve(&pieces->blocks, &pieces->block_capacity, pieces->block_count + 1,
		    sizeof *pieces->blocks, err))
		return false;
	pieces->blocks[pieces->block_count++] =
		(struct piece_block){ making->start_ns, making->time_ns, (uint32_t)pieces->byte_count };
	making->until_ns = making->start_ns;
	making->room = BLOCK_PIECES;
	return true;
}

static void
put_varint(struct pieces *pieces, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		pieces->bytes[pieces->byte_count++] = (uint8_t)(value | 0x80);
	pieces->bytes[pieces->byte_count++] = (uint8_t)value;
}

static bool
write_last(struct making *making, struct error *err)
{
	struct pieces *pieces = making->pieces;
	if (making->at_once == 0)
		return true;
	if (pieces->byte_count > UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "more pieces of time than can be shown");
	if ((making->room == 0 && !add_block(making, err)) ||
		!array_reserve(&pieces->bytes, &pieces->byte_capacity, pieces->byte_count + PIECE_BYTES, 1, err))
		return false;
	bool is_several = making->at_once > 1;
	put_varint(pieces, (uint64_t)(making->start_ns - making->until_ns) << 1 | is_several);
	put_varint(pieces, (uint64_t)(making->end_ns - making->start_ns));
	if (is_several)
		put_varint(pieces, making->at_once);
	making->time_ns =
		saturating_add_i64(making->time_ns, time_of(making->end_ns - making->start_ns, making->at_once));
	making->until_ns = making->end_ns;
	making->room--;
	making->at_once = 0;
	return true;
}

/* Behind those that there are. */
static bool
add_piece(struct making *making, int64_t start_ns, int64_t end_ns, uint32_t at_once, struct error *err)
{
	bool goes_on = making->at_once == at_once && making->end_ns == start_ns;
	if (start_ns == end_ns)
		return true;
	if (!goes_on && !write_last(making, err))
		return false;
	making->start_ns = goes_on ? making->start_ns : start_ns;
	making->end_ns = end_ns;
	making->at_once = at_once;
	return true;
}

/* What is added from now on is its own; one more is room for the end. */
static bool
add_owner(struct making *making, uint64_t lane, struct error *err)
{
	struct pieces *pieces = making->pieces;
	if (!write_last(making, err) || !array_reserve(&pieces->owners, &pieces->owner_capacity,
						pieces->owner_count + 2, sizeof *pieces->owners, err))
		return false;
	pieces->owners[pieces->owner_count++] = (struct piece_owner){ lane, (uint32_t)pieces->block_count };
	*making = (struct making){ .pieces = pieces };
	return true;
}

/* From changes by lane and time. */
static bool
add_pieces(struct pieces *pieces, const struct radix_item *changes, size_t count, struct error *err)
{
	struct making making = { .pieces = pieces };
	uint32_t at_once = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t now_ns = (int64_t)(changes[i].value >> 1);
		bool is_begin = (changes[i].value & 1) != 0, is_first = i == 0 || changes[i - 1].key != changes[i].key;
		assert(is_begin || at_once > 0);
		if ((is_first && !add_owner(&making, changes[i].key, err)) ||
			(at_once > 0 &&
				!add_piece(&making, (int64_t)(changes[i - 1].value >> 1), now_ns, at_once, err)))
			return false;
		at_once += is_begin ? 1 : UINT32_MAX;
	}
	if (!write_last(&making, err))
		return false;
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
	array_trim(&pieces->bytes, &pieces->byte_capacity, pieces->byte_count, 1);
	return true;
}

void
pieces_release(struct pieces *pieces)
{
	memory_free(pieces->owners);
	memory_free(pieces->blocks);
	memory_free(pieces->bytes);
	*pieces = (struct pieces){ 0 };
}

/* ---- asking */

/* Behind the last piece of a block. */
static const uint8_t *
end_of_block(const struct pieces *pieces, size_t block)
{
	return pieces->bytes + (block + 1 < pieces->block_count ? pieces->blocks[block + 1].first : pieces->byte_count);
}

/* Before the first piece of a block. */
static struct piece
enter_block(const struct pieces *pieces, size_t block)
{
	int64_t start_ns = pieces->blocks[block].start_ns;
	return (struct piece){ start_ns, start_ns, 0, pieces->bytes + pieces->blocks[block].first };
}

static uint64_t
take_varint(const uint8_t **at)
{
	uint64_t value = *(*at)++;
	if (LIKELY(value < 0x80))
		return value;
	value &= 0x7f;
	for (unsigned shift = 7;; shift += 7) {
		uint64_t byte = *(*at)++;
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

/* False at the end of the block. */
static bool
next_piece(struct piece *piece, const uint8_t *end)
{
	if (piece->next == end)
		return false;
	uint64_t since = take_varint(&piece->next);
	piece->start_ns = piece->end_ns + (int64_t)(since >> 1);
	piece->end_ns = piece->start_ns + (int64_t)take_varint(&piece->next);
	piece->count = (since & 1) != 0 ? take_varint(&piece->next) : 1;
	return true;
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
	const uint8_t *end = end_of_block(pieces, at);
	struct piece piece = enter_block(pieces, at);
	int64_t sum_ns = pieces->blocks[at].before_ns;
	*quiet_ns = t_ns;
	while (next_piece(&piece, end)) {
		if (piece.start_ns >= t_ns) {
			*quiet_ns = piece.start_ns;
			break;
		}
		bool is_over = piece.end_ns <= t_ns;
		sum_ns = saturating_add_i64(sum_ns,
			time_of((is_over ? piece.end_ns : t_ns) - piece.start_ns, piece.count));
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
	for (at = block_at(pieces, at, end, t0_ns); at < end && until_ns < t1_ns && borders.count < 2; at++) {
		struct piece piece = enter_block(pieces, at);
		while (next_piece(&piece, end_of_block(pieces, at))) {
			if (piece.start_ns != until_ns) {
				add_border(&borders, until_ns, true);
				add_border(&borders, piece.start_ns, false);
			}
			until_ns = piece.end_ns;
		}
	}
	add_border(&borders, until_ns, true);
	*border_ns = borders.last_ns;
	*is_before = borders.is_before;
	return borders.count == 1;
}
