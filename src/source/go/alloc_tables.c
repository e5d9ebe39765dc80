/* Decoding of the types and the units of the AllocFree experiment. */
#include "source/go/alloc_tables.h"

#include "base/memory.h"

/* What the first byte of a batch says of the rest. */
enum { TYPES_BATCH, INFO_BATCH };

/* A page is never larger in any runtime; beyond this the number is wrong. */
#define UNIT_MAX_BYTES (UINT32_C(1) << 30)

static bool
add_type(struct alloc_tables *tables, uint64_t id, const struct heap_type *type, struct error *err)
{
	/* The first one of an id counts, as with the frames of one pc. */
	if (id_map_find(&tables->type_ids, id) != MAP_NONE)
		return true;
	if (tables->type_count == MAP_NONE)
		return error_set(err, ERROR_LIMIT, "too many types in one generation");
	if (!array_reserve(&tables->types, &tables->type_capacity, tables->type_count + 1,
	                   sizeof(*tables->types), err) ||
	    !id_map_add(&tables->type_ids, id, (uint32_t)tables->type_count, err))
		return false;
	tables->types[tables->type_count++] = *type;
	return true;
}

static bool
read_types(struct alloc_tables *tables, struct intern *strings, struct cursor *cursor,
           struct error *err)
{
	enum { ID, ADDRESS, SIZE, POINTERS, NAME_LENGTH, NUMBERS };
	struct error wrong = { 0 };
	uint64_t numbers[NUMBERS];
	const uint8_t *name;

	while (cursor_varints(cursor, numbers, NUMBERS, &wrong) &&
	       numbers[NAME_LENGTH] <= cursor_left(cursor) &&
	       cursor_bytes(cursor, (size_t)numbers[NAME_LENGTH], &name, &wrong)) {
		struct heap_type type = { .size_bytes = numbers[SIZE] };
		if (!intern_add(strings, (const char *)name, (size_t)numbers[NAME_LENGTH],
		                &type.name, err) ||
		    !add_type(tables, numbers[ID], &type, err))
			return false;
	}
	return true;
}

static void
read_info(struct alloc_tables *tables, struct cursor *cursor)
{
	enum { LEAST_ADDRESS, PAGE, OBJECT_ALIGN, STACK_ALIGN, NUMBERS };
	struct error wrong = { 0 };
	uint64_t numbers[NUMBERS];

	if (!cursor_varints(cursor, numbers, NUMBERS, &wrong) || numbers[OBJECT_ALIGN] == 0 ||
	    numbers[OBJECT_ALIGN] > numbers[PAGE] || numbers[PAGE] > UNIT_MAX_BYTES)
		return;
	tables->page_bytes = (uint32_t)numbers[PAGE];
	tables->object_align_bytes = (uint32_t)numbers[OBJECT_ALIGN];
}

void
alloc_tables_clear(struct alloc_tables *tables)
{
	id_map_clear(&tables->type_ids);
	tables->type_count = 0;
}

void
alloc_tables_release(struct alloc_tables *tables)
{
	id_map_release(&tables->type_ids);
	memory_free(tables->types);
	*tables = (struct alloc_tables){ 0 };
}

bool
alloc_tables_read(struct alloc_tables *tables, struct intern *strings, struct cursor *cursor,
                  struct error *err)
{
	struct error wrong = { 0 };
	uint8_t kind = 0;

	if (!cursor_byte(cursor, &kind, &wrong))
		return true;
	if (kind == TYPES_BATCH)
		return read_types(tables, strings, cursor, err);
	if (kind == INFO_BATCH)
		read_info(tables, cursor);
	return true;
}
