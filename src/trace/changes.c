/* Change lists: appending, and sums from the nearest block. */
#include "trace/changes.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "trace/backing.h"

enum {
	CHANGE_MAX_BYTES = 1 + 10, /* the classes and a varint */
	HEADS_MAX_BYTES = (CLASS_COUNT - 1) * CHANGE_HEAD_BYTES
};

/* Our own bytes, so no bounds are in doubt. */
static const uint8_t *
take_varint(const uint8_t *at, uint64_t *value)
{
	uint64_t result = *at & 0x7fu;
	unsigned shift = 7;

	while (*at++ & 0x80u) {
		result |= (uint64_t)(*at & 0x7fu) << shift;
		shift += 7;
	}
	*value = result;
	return at;
}

/* Sums wrap in unsigned arithmetic: a hostile trace may hold more time than fits. */
static void
add_time(int64_t *sum_ns, uint64_t count, int64_t ns)
{
	*sum_ns = (int64_t)((uint64_t)*sum_ns + count * (uint64_t)ns);
}

/* What a block begins with, for each of its classes; packed in `bytes`. */
struct change_head {
	int64_t sum_ns;
	uint32_t count;
};

/* There is room. */
static void
put_head(struct change_list *list, struct change_head head)
{
	uint8_t *at = list->bytes + list->byte_count;

	memcpy(at, &head.sum_ns, sizeof(head.sum_ns));
	memcpy(at + sizeof(head.sum_ns), &head.count, sizeof(head.count));
	list->byte_count += CHANGE_HEAD_BYTES;
}

static struct change_head
head_at(const uint8_t *at)
{
	struct change_head head;

	memcpy(&head.sum_ns, at, sizeof(head.sum_ns));
	memcpy(&head.count, at + sizeof(head.sum_ns), sizeof(head.count));
	return head;
}

static bool
reserve_bytes(struct change_list *list, size_t more, struct error *err)
{
	if (list->byte_count + more > UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "more changes of state than one list can hold");
	return array_reserve(&list->bytes, &list->byte_capacity, list->byte_count + more, 1, err);
}

static bool
open_block(struct change_list *list, int64_t time_ns, struct error *err)
{
	struct change_block *block;

	if (!array_reserve(&list->blocks, &list->block_capacity, list->block_count + 1,
	                   sizeof(*list->blocks), err) ||
	    !reserve_bytes(list, HEADS_MAX_BYTES, err))
		return false;
	block = &list->blocks[list->block_count++];
	*block = (struct change_block){ time_ns, (uint32_t)list->byte_count, 0 };
	for (int i = 1; i < CLASS_COUNT; i++) {
		struct change_head head = { (int64_t)list->balance_ns[i], list->counts[i] };

		add_time(&head.sum_ns, head.count, time_ns);
		if (head.sum_ns == 0 && head.count == 0)
			continue;
		block->classes |= CLASS_BIT(i);
		put_head(list, head);
	}
	return true;
}

struct change_list *
change_list_new(int64_t since_ns, struct error *err)
{
	struct change_list *list = array_new(1, sizeof(*list), err);

	if (list != NULL)
		list->since_ns = since_ns;
	return list;
}

bool
change_list_make_room(struct change_list *list, int64_t time_ns, struct error *err)
{
	size_t until_block = CHANGE_BLOCK - list->granted_count % CHANGE_BLOCK, fitting;

	assert(list->room == 0);
	if (until_block == CHANGE_BLOCK) {
		if (!open_block(list, time_ns, err))
			return false;
		list->last_ns = time_ns;
	}
	if (!reserve_bytes(list, CHANGE_MAX_BYTES, err))
		return false;
	fitting = (list->byte_capacity - list->byte_count) / CHANGE_MAX_BYTES;
	list->room = (uint32_t)(fitting < until_block ? fitting : until_block);
	list->granted_count += list->room;
	return true;
}

void
change_list_put_varint(struct change_list *list, uint64_t value)
{
	while (value >= 0x80) {
		list->bytes[list->byte_count++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	list->bytes[list->byte_count++] = (uint8_t)value;
}

bool
change_list_add_late(struct change_list *list, int64_t time_ns, enum time_class to,
                     struct error *err)
{
	struct late_members *late = &list->late[to];
	size_t count = late->count;

	if (!array_reserve(&late->mention_ns, &late->capacity, count + 1, sizeof(int64_t), err) ||
	    !array_reserve(&late->before_ns, &late->before_capacity, count + 1, sizeof(int64_t), err))
		return false;
	if (!change_list_add(list, time_ns, CLASS_GONE, to, err))
		return false;
	late->before_ns[count] = count == 0 ? 0 : late->before_ns[count - 1];
	if (count > 0)
		add_time(&late->before_ns[count], 1, late->mention_ns[count - 1]);
	late->mention_ns[count] = time_ns;
	late->count++;
	return true;
}

/*
 * So many members of each class, who are in the list, are none from time_ns on, which is not
 * before the last change. A block begins with that, as none of its changes can say it.
 */
static bool
leave(struct change_list *list, int64_t time_ns, const uint32_t counts[CLASS_COUNT],
                  struct error *err)
{
	assert(time_ns >= list->last_ns);
	for (int i = 1; i < CLASS_COUNT; i++) {
		assert(counts[i] <= list->counts[i]);
		list->counts[i] -= counts[i];
		list->balance_ns[i] += counts[i] * (uint64_t)time_ns;
	}
	list->room = 0;
	list->granted_count = (list->granted_count + CHANGE_BLOCK - 1) / CHANGE_BLOCK * CHANGE_BLOCK;
	list->last_ns = time_ns;
	return open_block(list, time_ns, err);
}

static bool
copy_late(struct late_members *copy, const struct late_members *late, struct error *err)
{
	copy->mention_ns = array_copy(late->mention_ns, late->count, sizeof(int64_t), err);
	copy->before_ns = array_copy(late->before_ns, late->count, sizeof(int64_t), err);
	copy->count = copy->capacity = copy->before_capacity = late->count;
	return copy->mention_ns != NULL && copy->before_ns != NULL;
}

bool
change_list_copy(struct change_list *copy, const struct change_list *list, struct error *err)
{
	bool ok = true;

	*copy = *list;
	copy->room = 0;
	copy->block_capacity = list->block_count;
	copy->byte_capacity = list->byte_count;
	copy->blocks = array_copy(list->blocks, list->block_count, sizeof(*list->blocks), err);
	copy->bytes = array_copy(list->bytes, list->byte_count, 1, err);
	memset(copy->late, 0, sizeof(copy->late));
	for (int i = 0; ok && i < CLASS_COUNT; i++)
		ok = list->late[i].count == 0 || copy_late(&copy->late[i], &list->late[i], err);
	if (ok && copy->blocks != NULL && copy->bytes != NULL)
		return true;
	change_list_release(copy);
	return false;
}

void
change_list_trim(struct change_list *list)
{
	array_trim(&list->blocks, &list->block_capacity, list->block_count, sizeof(*list->blocks));
	array_trim(&list->bytes, &list->byte_capacity, list->byte_count, 1);
}

void
change_list_release(struct change_list *list)
{
	memory_free(list->blocks);
	memory_free(list->bytes);
	for (int i = 0; i < CLASS_COUNT; i++) {
		memory_free(list->late[i].mention_ns);
		memory_free(list->late[i].before_ns);
	}
	memset(list, 0, sizeof(*list));
}

size_t
change_list_bytes(const struct change_list *list)
{
	size_t bytes = list->block_capacity * sizeof(*list->blocks) + list->byte_capacity;

	for (int i = 0; i < CLASS_COUNT; i++)
		bytes += (list->late[i].capacity + list->late[i].before_capacity) * sizeof(int64_t);
	return bytes;
}

/*
 * How many blocks begin at or before each of ascending moments, found step by step together. No
 * branch depends on what is found, so that the processor need not guess.
 */
static void
blocks_until(const struct change_list *list, const int64_t *t_ns, int count,
             size_t blocks[CHANGE_EACH_MOST])
{
	size_t high[CHANGE_EACH_MOST];
	bool is_open = true;

	for (int i = 0; i < count; i++) {
		blocks[i] = 0;
		high[i] = list->block_count;
	}
	while (is_open) {
		is_open = false;
		for (int i = 0; i < count; i++) {
			size_t low = blocks[i], middle = low + (high[i] - low) / 2;

			if (low == high[i])
				continue;
			size_t is_by = list->blocks[middle].start_ns <= t_ns[i];
			blocks[i] += (middle + 1 - low) & -is_by;
			high[i] -= (high[i] - middle) & (is_by - 1);
			is_open = true;
		}
	}
}

/* A varint before the end of its block. One byte or two without a branch: either is as likely. */
static inline const uint8_t *
take_delta(const uint8_t *at, const uint8_t *end, uint64_t *delta)
{
	unsigned is_long = *at >> 7;

	if (UNLIKELY(end - at < 2 || (is_long & at[1] >> 7) != 0))
		return take_varint(at, delta);
	*delta = (*at & 0x7fu) | (((unsigned)at[1] << 7) & -is_long);
	return at + 1 + is_long;
}

/* The changes of a block up to a moment. */
struct replay {
	uint32_t counts[CLASS_COUNT]; /* after them */
	/* Since the block's start: when members left the class, less when they came, summed up. */
	uint64_t balance_ns[CLASS_COUNT];
};

/* Sums and counts before a block; the result is where its changes begin. */
static const uint8_t *
take_heads(const struct change_list *list, const struct change_block *block,
           int64_t sums_ns[CLASS_COUNT], uint32_t counts[CLASS_COUNT])
{
	const uint8_t *at = list->bytes + block->offset;

	memset(counts, 0, CLASS_COUNT * sizeof(*counts));
	memset(sums_ns, 0, CLASS_COUNT * sizeof(*sums_ns));
	for (int i = 1; i < CLASS_COUNT; i++) {
		if ((block->classes & CLASS_BIT(i)) == 0)
			continue;
		struct change_head head = head_at(at);
		sums_ns[i] = head.sum_ns;
		counts[i] = head.count;
		at += CHANGE_HEAD_BYTES;
	}
	return at;
}

/* sums_ns: before the block. */
static void
replay(const struct change_list *list, const struct change_block *block, int64_t t_ns,
       struct replay *replay, int64_t sums_ns[CLASS_COUNT])
{
	const uint8_t *at = take_heads(list, block, sums_ns, replay->counts);
	const uint8_t *end = block + 1 < list->blocks + list->block_count
	                             ? list->bytes + block[1].offset
	                             : list->bytes + list->byte_count;
	uint64_t left_ns = (uint64_t)t_ns - (uint64_t)block->start_ns, passed_ns = 0;

	memset(replay->balance_ns, 0, sizeof(replay->balance_ns));
	while (at < end) {
		unsigned from = *at >> 4, to = *at & 15u;
		uint64_t delta;

		at = take_delta(at + 1, end, &delta);
		if (delta > left_ns - passed_ns)
			break;
		passed_ns += delta;
		replay->balance_ns[from] += passed_ns;
		replay->balance_ns[to] -= passed_ns;
		replay->counts[from]--;
		replay->counts[to]++;
	}
}

/* Time of late members between since_ns and their mention, up to t. */
static void
add_late_time(const struct late_members *late, int64_t since_ns, int64_t t_ns, int64_t *sum_ns)
{
	if (t_ns <= since_ns)
		return;
	size_t mentioned = sorted_until_i64(late->mention_ns, late->count, t_ns);

	if (mentioned > 0) {
		add_time(sum_ns, 1, late->before_ns[mentioned - 1]);
		add_time(sum_ns, 1, late->mention_ns[mentioned - 1]);
	}
	add_time(sum_ns, late->count - mentioned, t_ns);
	add_time(sum_ns, late->count, -since_ns);
}

/* Without the time of late members before their mention. The block is the last by t, or NULL. */
static void
sum_changes(const struct change_list *list, const struct change_block *block, int64_t t_ns,
            int64_t sums_ns[CLASS_COUNT])
{
	struct replay since;

	if (t_ns <= 0 || block == NULL) {
		memset(sums_ns, 0, CLASS_COUNT * sizeof(*sums_ns));
		return;
	}
	replay(list, block, t_ns, &since, sums_ns);
	for (int i = 1; i < CLASS_COUNT; i++) {
		sums_ns[i] = (int64_t)((uint64_t)sums_ns[i] + since.balance_ns[i]);
		add_time(&sums_ns[i], since.counts[i], t_ns - block->start_ns);
	}
}

/* The last of so many blocks, to look at its changes. */
static const struct change_block *
last_block(const struct change_list *list, size_t count)
{
	const struct change_slices *slices = list->slices;

	if (count == 0)
		return NULL;
	if (UNLIKELY(slices != NULL)) {
		size_t slice = (count - 1) / CHANGE_SLICE;

		if (!atomic_load_explicit(&slices->are_checked[slice], memory_order_acquire))
			slices->backing->check_changes(slices->backing, list, slice);
	}
	return &list->blocks[count - 1];
}

void
change_list_until(const struct change_list *list, const int64_t *t_ns, int count,
                  int64_t (*sums_ns)[CLASS_COUNT])
{
	size_t blocks[CHANGE_EACH_MOST];

	blocks_until(list, t_ns, count, blocks);
	for (int i = 0; i < count; i++) {
		sum_changes(list, last_block(list, blocks[i]), t_ns[i], sums_ns[i]);
		for (int c = 1; c < CLASS_COUNT && t_ns[i] > 0; c++)
			if (list->late[c].count > 0)
				add_late_time(&list->late[c], list->since_ns, t_ns[i],
				              &sums_ns[i][c]);
	}
}

/* ---- all actors */

bool
all_changes_add_part(struct all_changes *all, struct change_list *list, int64_t time_ns,
                     struct error *err)
{
	struct change_part *part = &all->parts[all->part_count];
	size_t blocks[CHANGE_EACH_MOST];

	assert(all->part_count < CHANGE_PARTS && time_ns >= list->last_ns);
	if (!leave(&all->rest, time_ns, list->counts, err))
		return false;
	*part = (struct change_part){ .list = list, .from_ns = time_ns };
	blocks_until(list, &time_ns, 1, blocks);
	sum_changes(list, last_block(list, blocks[0]), time_ns, part->before_ns);
	all->part_count++;
	return true;
}

bool
all_changes_join_late(struct all_changes *all, struct change_list *part, bool is_in_rest,
                      enum time_class to, struct error *err)
{
	struct change_list *rest = &all->rest;
	int64_t now_ns = rest->last_ns > part->last_ns ? rest->last_ns : part->last_ns;

	return (is_in_rest || change_list_add_late(rest, now_ns, to, err)) &&
	       change_list_add(rest, now_ns, to, CLASS_GONE, err) &&
	       change_list_add_late(part, now_ns, to, err);
}

bool
all_changes_copy(struct all_changes *copy, const struct all_changes *all, struct error *err)
{
	*copy = *all;
	for (uint32_t i = 0; i < copy->part_count; i++)
		copy->parts[i].list = NULL;
	return change_list_copy(&copy->rest, &all->rest, err);
}

void
all_changes_release(struct all_changes *all)
{
	change_list_release(&all->rest);
	for (uint32_t i = 0; i < all->part_count; i++) {
		if (!all->parts[i].is_own)
			continue;
		change_list_release(all->parts[i].list);
		memory_free(all->parts[i].list);
	}
	all->part_count = 0;
}

size_t
all_changes_bytes(const struct all_changes *all)
{
	size_t bytes = change_list_bytes(&all->rest);

	for (uint32_t i = 0; i < all->part_count; i++)
		if (all->parts[i].is_own)
			bytes += change_list_bytes(all->parts[i].list);
	return bytes;
}

static void
add_part(const struct change_part *part, const int64_t *t_ns, int count,
         int64_t (*sums_ns)[CLASS_COUNT])
{
	size_t blocks[CHANGE_EACH_MOST];

	blocks_until(part->list, t_ns, count, blocks);
	for (int i = 0; i < count; i++) {
		int64_t of_part_ns[CLASS_COUNT];

		if (t_ns[i] <= part->from_ns)
			continue;
		sum_changes(part->list, last_block(part->list, blocks[i]), t_ns[i], of_part_ns);
		for (int c = 1; c < CLASS_COUNT; c++) {
			add_time(&sums_ns[i][c], 1, of_part_ns[c]);
			add_time(&sums_ns[i][c], UINT64_MAX, part->before_ns[c]);
		}
	}
}

/*
 * What the rest has of late members is right for all of them, since they were in it up to
 * their mention, or the beginning of the part.
 */
void
all_changes_until(const struct all_changes *all, const int64_t *t_ns, int count,
                  int64_t (*sums_ns)[CLASS_COUNT])
{
	change_list_until(&all->rest, t_ns, count, sums_ns);
	for (uint32_t i = 0; i < all->part_count; i++)
		add_part(&all->parts[i], t_ns, count, sums_ns);
}
