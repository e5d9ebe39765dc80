/* Spans, objects in their slots, and goroutine stacks: who is there and how large. */
#include "source/go/allocations.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "source/go/wire.h"

struct block {
	uint64_t bytes;
	uint32_t type;      /* of an object; of a free block the next one of the list */
	uint8_t kind;       /* enum alloc_kind */
	uint8_t size_class; /* of a heap span */
	bool is_unsized;
};

/*
 * Slots of a heap span by its size class (section 8). 0 is the class of spans with one
 * object as large as the span.
 */
static const uint16_t slot_bytes[] = { 0, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176,
	                               192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448,
	                               480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408,
	                               1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864,
	                               5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240,
	                               10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480,
	                               21760, 24576, 27264, 28672, 32768 };

/* Pages of the longest span with more than one slot. */
enum { SLOT_SPAN_PAGES = 10 };

/* No span and no stack is larger; beyond this a number is wrong. */
#define BLOCK_MAX_BYTES (UINT64_C(1) << 48)

enum { STACK_MAX_ORDER = 48 };

enum { KINDCLASS_OTHER = 1 }; /* no heap span */

static const struct meaning {
	enum alloc_space space;
	enum alloc_change change;
} meanings[] = {
	[WIRE_SPAN - WIRE_SPAN] = { SPACE_SPAN, ALLOC_BEFORE },
	[WIRE_SPAN_ALLOC - WIRE_SPAN] = { SPACE_SPAN, ALLOC_MADE },
	[WIRE_SPAN_FREE - WIRE_SPAN] = { SPACE_SPAN, ALLOC_FREED },
	[WIRE_HEAP_OBJECT - WIRE_SPAN] = { SPACE_OBJECT, ALLOC_BEFORE },
	[WIRE_HEAP_OBJECT_ALLOC - WIRE_SPAN] = { SPACE_OBJECT, ALLOC_MADE },
	[WIRE_HEAP_OBJECT_FREE - WIRE_SPAN] = { SPACE_OBJECT, ALLOC_FREED },
	[WIRE_GOROUTINE_STACK - WIRE_SPAN] = { SPACE_STACK, ALLOC_BEFORE },
	[WIRE_GOROUTINE_STACK_ALLOC - WIRE_SPAN] = { SPACE_STACK, ALLOC_MADE },
	[WIRE_GOROUTINE_STACK_FREE - WIRE_SPAN] = { SPACE_STACK, ALLOC_FREED },
};

static const enum alloc_kind usual_kinds[SPACE_COUNT] = {
	[SPACE_SPAN] = ALLOC_HEAP_SPAN,
	[SPACE_OBJECT] = ALLOC_OBJECT,
	[SPACE_STACK] = ALLOC_STACK,
};

/* ---- what the numbers of an event say */

static struct block
span_of(const struct go_event *event)
{
	uint64_t pages = event->u.experimental.args[1];
	uint64_t kindclass = event->u.experimental.args[2];
	uint64_t page_bytes = event->u.experimental.page_bytes;
	struct block span = { .kind = ALLOC_OTHER_SPAN, .type = REF_NONE };

	/* The class stands above a bit that says whether there are pointers in it. */
	if (kindclass != KINDCLASS_OTHER) {
		span.kind = ALLOC_HEAP_SPAN;
		span.size_class = kindclass >> 2 < UINT8_MAX ? (uint8_t)(kindclass >> 2) : UINT8_MAX;
	}
	span.is_unsized = page_bytes == 0 || pages > BLOCK_MAX_BYTES / page_bytes;
	if (!span.is_unsized)
		span.bytes = pages * page_bytes;
	return span;
}

static struct block
stack_of(const struct go_event *event)
{
	uint64_t order = event->u.experimental.args[1];
	bool is_unsized = order == 0 || order > STACK_MAX_ORDER;

	return (struct block){
		.kind = ALLOC_STACK,
		.type = REF_NONE,
		.bytes = is_unsized ? 0 : UINT64_C(1) << (order - 1),
		.is_unsized = is_unsized,
	};
}

/* The span around a page; NULL where none is known. *first is its first page. */
static const struct block *
find_span(const struct allocations *allocations, uint64_t page, uint64_t *first)
{
	for (uint64_t back = 0; back < SLOT_SPAN_PAGES && back <= page; back++) {
		uint32_t index = map_find(&allocations->live[SPACE_SPAN], page - back);
		*first = page - back;
		if (index != MAP_NONE)
			return &allocations->blocks[index];
	}
	return NULL;
}

/*
 * Size of the slot that an object is in, 0 where it is not known. *id becomes the id of
 * the slot: an object may begin behind a header, or share the slot with others.
 */
static uint64_t
find_slot(const struct allocations *allocations, const struct go_event *event, uint64_t *id)
{
	uint64_t unit = event->u.experimental.object_align_bytes;
	uint64_t page_bytes = event->u.experimental.page_bytes;
	uint64_t first;

	if (unit == 0)
		return 0;
	uint64_t units_per_page = page_bytes / unit;
	const struct block *span = find_span(allocations, *id / units_per_page, &first);
	if (span == NULL || span->kind != ALLOC_HEAP_SPAN ||
	    span->size_class >= ARRAY_LENGTH(slot_bytes))
		return 0;
	uint64_t offset = (*id - first * units_per_page) * unit;
	if (offset >= span->bytes)
		return 0;
	uint64_t size = span->size_class == 0 ? span->bytes : slot_bytes[span->size_class];
	*id = first * units_per_page + offset / size * size / unit;
	return size;
}

static bool
object_of(struct builder *builder, const struct go_event *event, uint64_t slot_size,
          struct block *object, struct error *err)
{
	uint64_t bytes = slot_size != 0 ? slot_size : event->u.experimental.type_bytes;

	*object = (struct block){ .kind = ALLOC_OBJECT };
	object->is_unsized = bytes == 0 || bytes > BLOCK_MAX_BYTES;
	object->bytes = object->is_unsized ? 0 : bytes;
	return builder_alloc_type(builder, event->u.experimental.type, &object->type, err);
}

/* ---- what is there */

static bool
add_block(struct allocations *allocations, enum alloc_space space, uint64_t id,
          const struct block *block, struct error *err)
{
	uint32_t index = allocations->free_block - 1;

	if (allocations->free_block != 0) {
		allocations->free_block = allocations->blocks[index].type;
	} else {
		if (allocations->block_count == MAP_NONE)
			return error_set(err, ERROR_LIMIT, "too much memory is allocated at once");
		if (!array_reserve(&allocations->blocks, &allocations->block_capacity,
		                   allocations->block_count + 1, sizeof(*block), err))
			return false;
		index = (uint32_t)allocations->block_count++;
	}
	allocations->blocks[index] = *block;
	return map_put(&allocations->live[space], id, index, err);
}

static void
remove_block(struct allocations *allocations, enum alloc_space space, uint64_t id, uint32_t index)
{
	map_remove(&allocations->live[space], id);
	allocations->blocks[index].type = allocations->free_block;
	allocations->free_block = index + 1;
}

static void
note_block(struct builder *builder, const struct block *block, enum alloc_change change)
{
	struct alloc_note note = {
		.kind = block->kind,
		.change = change,
		.type = block->type,
		.bytes = block->bytes,
		.is_unsized = block->is_unsized && change != ALLOC_FREED,
	};
	builder_alloc(builder, &note);
}

static void
take_free(struct allocations *allocations, struct builder *builder, enum alloc_space space,
          uint64_t id)
{
	uint32_t index = map_find(&allocations->live[space], id);
	struct block stray = { .kind = (uint8_t)usual_kinds[space], .type = REF_NONE };

	if (index == MAP_NONE) {
		note_block(builder, &stray, ALLOC_STRAY);
		return;
	}
	note_block(builder, &allocations->blocks[index], ALLOC_FREED);
	remove_block(allocations, space, id, index);
}

/* What is said to be there twice shares the place of the first: it adds nothing. */
static bool
take_block(struct allocations *allocations, struct builder *builder,
           const struct meaning *meaning, uint64_t id, const struct block *block,
           struct error *err)
{
	if (map_find(&allocations->live[meaning->space], id) != MAP_NONE) {
		struct block packed = { .kind = block->kind, .type = block->type };
		note_block(builder, &packed, ALLOC_PACKED);
		return true;
	}
	note_block(builder, block, meaning->change);
	return add_block(allocations, meaning->space, id, block, err);
}

bool
allocations_take(struct allocations *allocations, struct builder *builder,
                 const struct go_event *event, struct error *err)
{
	if (event->wire_id < WIRE_SPAN || event->wire_id - WIRE_SPAN >= (int)ARRAY_LENGTH(meanings))
		return true;
	const struct meaning *meaning = &meanings[event->wire_id - WIRE_SPAN];
	uint64_t id = event->u.experimental.args[0];
	uint64_t slot_size = meaning->space == SPACE_OBJECT ? find_slot(allocations, event, &id) : 0;
	struct block block;

	if (meaning->change == ALLOC_FREED) {
		take_free(allocations, builder, meaning->space, id);
		return true;
	}
	/* Goroutines that ended are listed among the stacks of the beginning, without one. */
	if (meaning->space == SPACE_STACK && event->u.experimental.args[1] == 0)
		return true;
	if (meaning->space == SPACE_SPAN)
		block = span_of(event);
	else if (meaning->space == SPACE_STACK)
		block = stack_of(event);
	else if (!object_of(builder, event, slot_size, &block, err))
		return false;
	return take_block(allocations, builder, meaning, id, &block, err);
}

void
allocations_release(struct allocations *allocations)
{
	for (int i = 0; i < SPACE_COUNT; i++)
		map_release(&allocations->live[i]);
	memory_free(allocations->blocks);
	*allocations = (struct allocations){ 0 };
}
