/*
 * The prefix tree of stacks: two tables of distinct items (frames, and nodes
 * that join a frame to its caller), each with a hash table of ids over it.
 */
#include "trace/stack.h"

#include <assert.h>
#include <string.h>

#include "base/compiler.h"
#include "base/map.h"

enum { FIRST_SLOTS = 256 };

static uint64_t
hash_frame(const struct stack_frame *frame)
{
	uint64_t names = (uint64_t)frame->function << 32 | frame->file;

	return hash_pair(hash_pair(frame->pc, frame->line), names + frame->is_inlined);
}

static bool
is_same_frame(const struct stack_frame *a, const struct stack_frame *b)
{
	return a->pc == b->pc && a->line == b->line && a->is_inlined == b->is_inlined && a->column == b->column &&
	       a->function == b->function && a->file == b->file;
}

static uint64_t
hash_node(const struct stack_node *node)
{
	return hash_pair(node->parent, node->frame);
}

/*
 * Keeps the hash table of a column at most half full, one more item included. Hashes stand beside the
 * ids: of many nodes each one that is looked at is far away.
 */
static bool
reserve_slot(const struct stable_column *column, struct stack_slot **slots, uint32_t *slot_count,
	struct error *err)
{
	if (column->count < *slot_count / 2)
		return true;
	if (*slot_count > UINT32_MAX / 2)
		return error_set(err, ERROR_LIMIT, "too many different stack frames");

	uint32_t new_count = *slot_count ? *slot_count * 2 : FIRST_SLOTS, mask = new_count - 1;
	struct stack_slot *new_slots = array_new(new_count, sizeof(*new_slots), err);
	if (!new_slots)
		return false;
	for (uint32_t i = 0; i < *slot_count; i++) {
		struct stack_slot slot = (*slots)[i];
		uint32_t at = slot.hash & mask;
		if (slot.number == 0)
			continue;
		while (new_slots[at].number != 0)
			at = (at + 1) & mask;
		new_slots[at] = slot;
	}
	memory_free(*slots);
	*slots = new_slots;
	*slot_count = new_count;
	return true;
}

bool
stack_table_init(struct stack_table *table, struct error *err)
{
	*table = (struct stack_table){
		.frames.item_size = sizeof(struct stack_frame),
		.nodes.item_size = sizeof(struct stack_node),
	};
	if (stable_append(&table->nodes, err))
		return true;
	stack_table_release(table);
	return false;
}

void
stack_table_release(struct stack_table *table)
{
	stable_release(&table->frames);
	stable_release(&table->nodes);
	memory_free(table->frame_slots);
	memory_free(table->node_slots);
	*table = (struct stack_table){ 0 };
}

bool
stack_table_add_frame(struct stack_table *table, const struct stack_frame *frame, frame_id *id,
                      struct error *err)
{
	if (!reserve_slot(&table->frames, &table->frame_slots, &table->frame_slot_count, err))
		return false;

	uint32_t hash = (uint32_t)hash_frame(frame);
	uint32_t mask = table->frame_slot_count - 1;
	uint32_t at = hash & mask;
	for (; table->frame_slots[at].number != 0; at = (at + 1) & mask) {
		frame_id known = table->frame_slots[at].number - 1;
		if (table->frame_slots[at].hash == hash &&
			is_same_frame(stable_at(&table->frames, known), frame)) {
			*id = known;
			return true;
		}
	}

	uint32_t new_id = table->frames.count;
	struct stack_frame *stored = stable_append(&table->frames, err);
	if (!stored)
		return false;
	*stored = *frame;
	table->frame_slots[at] = (struct stack_slot){ new_id + 1, hash };
	*id = new_id;
	return true;
}

bool
stack_table_add_node(struct stack_table *table, stack_id caller, frame_id frame, stack_id *id,
                     struct error *err)
{
	struct stack_node node = { .parent = caller, .frame = frame };

	assert(caller < table->nodes.count && frame < table->frames.count);
	if (!reserve_slot(&table->nodes, &table->node_slots, &table->node_slot_count, err))
		return false;

	uint32_t hash = (uint32_t)hash_node(&node), mask = table->node_slot_count - 1;
	uint32_t at = hash & mask;
	for (; table->node_slots[at].number != 0; at = (at + 1) & mask) {
		stack_id known_id = table->node_slots[at].number - 1;
		if (table->node_slots[at].hash != hash)
			continue;
		const struct stack_node *known = stable_at(&table->nodes, known_id);
		if (known->parent == caller && known->frame == frame) {
			*id = known_id;
			return true;
		}
	}

	uint32_t new_id = table->nodes.count;
	struct stack_node *stored = stable_append(&table->nodes, err);
	if (!stored)
		return false;
	*stored = node;
	table->node_slots[at] = (struct stack_slot){ new_id + 1, hash };
	*id = new_id;
	return true;
}

/* New nodes have the next ids, so their slots can be fetched from memory all at once. */
static void
fetch_slots(const struct stack_table *table, stack_id caller, const frame_id *frames, size_t count)
{
	uint32_t mask = table->node_slot_count - 1;
	for (size_t i = 0; i < count; i++) {
		struct stack_node node = { .parent = caller, .frame = frames[i] };
		PREFETCH(&table->node_slots[(uint32_t)hash_node(&node) & mask]);
		caller = table->nodes.count + (uint32_t)i;
	}
}

bool
stack_table_add_path(struct stack_table *table, stack_id caller, const frame_id *frames, size_t count,
                     stack_id *ids, struct error *err)
{
	enum { AHEAD = 16 };
	size_t fetched = 0; /* below this index, as long as nodes are new */
	for (size_t i = 0; i < count; i++) {
		uint32_t known = table->nodes.count;
		if (!stack_table_add_node(table, caller, frames[i], &ids[i], err))
			return false;
		caller = ids[i];
		if (caller != known || i + 1 < fetched)
			continue;
		size_t more = count - i - 1 < AHEAD ? count - i - 1 : AHEAD;
		fetch_slots(table, caller, frames + i + 1, more);
		fetched = i + 1 + more;
	}
	return true;
}

static const struct stack_node *
node_of(const struct stack_table *table, stack_id stack)
{
	assert(stack != STACK_NONE && stable_has_chunk(&table->nodes, stack));
	return stable_at(&table->nodes, stack);
}

const struct stack_frame *
stack_leaf(const struct stack_table *table, stack_id stack)
{
	return stable_at(&table->frames, node_of(table, stack)->frame);
}

stack_id
stack_caller(const struct stack_table *table, stack_id stack)
{
	return node_of(table, stack)->parent;
}

const struct stack_frame *
stack_root(const struct stack_table *table, stack_id stack)
{
	const struct stack_node *node = node_of(table, stack);

	while (node->parent != STACK_NONE)
		node = node_of(table, node->parent);
	return stable_at(&table->frames, node->frame);
}

uint32_t
stack_depth(const struct stack_table *table, stack_id stack)
{
	uint32_t depth = 0;

	for (; stack != STACK_NONE; stack = stack_caller(table, stack))
		depth++;
	return depth;
}

uint32_t
stack_count(const struct stack_table *table)
{
	return table->nodes.count;
}

struct stack_table
stack_table_share(const struct stack_table *table, uint32_t frame_count, uint32_t node_count)
{
	return (struct stack_table){
		.frames = stable_share(&table->frames, frame_count),
		.nodes = stable_share(&table->nodes, node_count),
	};
}

size_t
stack_table_bytes(const struct stack_table *table)
{
	size_t slots = (size_t)table->frame_slot_count + table->node_slot_count;

	return stable_bytes(&table->frames) + stable_bytes(&table->nodes) +
	       slots * sizeof(struct stack_slot);
}
