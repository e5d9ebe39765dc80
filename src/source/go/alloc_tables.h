/*
 * The batches of the AllocFree experiment: doc/format/go-trace-v2.md, section 8.
 */
#ifndef TTRACE_SOURCE_GO_ALLOC_TABLES_H
#define TTRACE_SOURCE_GO_ALLOC_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "input/cursor.h"

/* A type of heap objects. */
struct heap_type {
	string_id name;
	uint64_t size_bytes;
};

/* Zero-initialise; alloc_tables_release() frees. */
struct alloc_tables {
	struct id_map type_ids; /* id in the file to index in types, of this generation */
	struct heap_type *types;
	size_t type_count, type_capacity;
	uint32_t page_bytes, object_align_bytes; /* told once in the trace; 0 until then */
};

/* A new generation: its types are not known yet. */
void alloc_tables_clear(struct alloc_tables *tables);
void alloc_tables_release(struct alloc_tables *tables);

/*
 * Takes in one batch. Go's reader hands these on unread, so wrong bytes in them are no
 * damage of the trace: what stands before them is used. Fails for want of memory only.
 */
bool alloc_tables_read(struct alloc_tables *tables, struct intern *strings,
                       struct cursor *cursor, struct error *err);

/* The type of an id of the file; NULL when there is none. */
static inline const struct heap_type *
alloc_tables_type(const struct alloc_tables *tables, uint64_t id)
{
	uint32_t found = id_map_find(&tables->type_ids, id);
	return found == MAP_NONE ? NULL : &tables->types[found];
}

#endif
