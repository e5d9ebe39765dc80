/* What filling (slices_build.c) and asking (slices.c) share: how slices lie in memory. */
#ifndef TTRACE_TRACE_SLICES_INTERNAL_H
#define TTRACE_TRACE_SLICES_INTERNAL_H

#include <stddef.h>

#include "base/map.h"
#include "trace/slices.h"

enum { SLICE_BLOCK_BITS = 6, SLICE_BLOCK = 1 << SLICE_BLOCK_BITS };

#define SLICE_NONE UINT32_MAX
/* As a length: a wide slice. */
#define SLICE_WIDE UINT32_MAX

/* The first of each 64 slices of a column. */
struct slice_block {
	int64_t base_ns;     /* where its first slice begins */
	uint64_t covered_ns; /* by all slices of the column before it */
};

/* A slice of which a time does not fit 32 bits. Its length is SLICE_WIDE, its start the place here. */
struct slice_wide {
	int64_t start_ns, end_ns, took_ns;
};

/*
 * A depth of a track that has slices. They do not overlap, so no sum of lengths within it exceeds
 * 64 bits without a sign.
 */
struct slice_column {
	uint32_t *start; /* from the block's base */
	uint32_t *length;
	string_id *name;
	uint8_t *flags;
	int32_t *took;    /* less the length; NULL: 0 for all */
	uint32_t *detail; /* NULL: 0 for all */
	struct slice_block *blocks;
	/*
	 * The longest slice of each 64 (level 1), of each 64 of those (level 2), and so on; groups
	 * of fewer have none. One level behind the other. Made when frozen.
	 */
	uint64_t *longest_ns;
	uint32_t *longest; /* the earliest of equals */
	size_t capacity, block_capacity, level_items;
	uint64_t covered_ns; /* by all of its slices that ended */
	int64_t end_ns;      /* of the last slice; its start while it is open */
	uint32_t count;
	bool is_open;
};

/* While a track is filled. */
struct slice_draft {
	struct track track;
	track_ref made;      /* its number until tracks are sorted */
	track_ref next;      /* another with the same hash, SLICE_NONE for none */
	uint32_t *places;    /* of each depth, as slices.places */
	size_t capacity;
};

/* The slices of one name in one column; those of a name stand together. */
struct slice_part {
	column_ref column;
	uint32_t first;  /* in slices.named; the end is where the next part begins */
};

struct slices {
	bool is_frozen;
	bool is_short; /* of memory: a detail was lost */
	uint64_t count;
	struct slice_column *columns; /* in the order in which they were first used */
	size_t column_count, column_capacity;
	struct slice_wide *wide;
	size_t wide_count, wide_capacity;
	size_t track_count;

	/* While filling. */
	struct slice_draft *drafts;
	size_t draft_capacity;
	struct map drafts_by_hash;

	/* Once frozen. */
	struct track *tracks; /* by owner, ref, and as they were made */
	uint32_t *places;     /* of a column_ref: in columns, SLICE_NONE where no slice has that depth */
	uint32_t *before;     /* of a column_ref: slices in the columns before it */
	uint32_t place_count;
	/* Lists by name: name n has the parts [first_part[n], first_part[n + 1]). */
	uint32_t name_count; /* names are below */
	uint32_t *first_part;
	struct slice_part *parts; /* one more, at the end of the list */
	uint32_t part_count;
	uint32_t *named;    /* the index in its column, of each slice */
	uint64_t *named_ns; /* of each 64th in `named`: time of its part before it */
};

static inline bool
slice_is_wide(const struct slice_column *column, uint32_t index)
{
	return column->length[index] == SLICE_WIDE;
}

static inline int64_t
slice_start_ns(const struct slices *slices, const struct slice_column *column, uint32_t index)
{
	if (slice_is_wide(column, index))
		return slices->wide[column->start[index]].start_ns;
	return column->blocks[index / SLICE_BLOCK].base_ns + column->start[index];
}

static inline uint64_t
slice_length_ns(const struct slices *slices, const struct slice_column *column, uint32_t index)
{
	if (!slice_is_wide(column, index))
		return column->length[index];
	const struct slice_wide *wide = &slices->wide[column->start[index]];
	return (uint64_t)wide->end_ns - (uint64_t)wide->start_ns;
}

#endif
