/*
 * What of a trace stands in a cache: tables of fields, which are copied, and of columns, which are
 * arrays that stand in the file as they stand in memory. Writer, reader and size all go by
 * these. What is not here is made anew when a cache is opened, or is of no use after that.
 */
#ifndef TTRACE_CACHE_LAYOUT_H
#define TTRACE_CACHE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a struct without pointers. */
struct layout_field {
	uint32_t offset, size;
};

/* How many items a column has. */
enum layout_count {
	LAYOUT_COUNT,         /* as many as a field says */
	LAYOUT_COUNT_AND_ONE, /* one more than that */
	LAYOUT_LAST_ITEM,     /* the last item of the column before says it */
	LAYOUT_COUNTER_BLOCKS, /* one for each COUNTER_BLOCK of what the field says */
	LAYOUT_NARROW, /* of a segment's state_list: as many as a field says, or NULL */
	LAYOUT_WIDE    /* and the other of the two */
};

struct layout_column {
	uint32_t pointer;    /* offset of the pointer, or of the stable column */
	uint32_t count;      /* offset of the field that says how many */
	uint16_t count_size; /* of that field */
	uint16_t item_size;
	uint16_t rule;       /* enum layout_count */
	uint16_t is_stable;
};

/* Of one kind of struct. */
struct layout {
	const struct layout_field *fields;
	size_t field_count;
	const struct layout_column *columns;
	size_t column_count;
};

extern const struct layout layout_trace;         /* struct trace */
extern const struct layout layout_group;         /* struct group */
extern const struct layout layout_part;          /* struct change_part */
extern const struct layout layout_list;          /* struct change_list */
extern const struct layout layout_list_body;     /* its bytes, which are checked in slices */
extern const struct layout layout_segment;       /* struct segment: its runs */
extern const struct layout layout_segment_body;  /* all its other columns */

/* What items and bodies begin at multiples of, in the file. */
enum { LAYOUT_ALIGNMENT = 8 };

static inline uint64_t
layout_padding(uint64_t bytes)
{
	return (0 - bytes) & (LAYOUT_ALIGNMENT - 1);
}

/* How many items a column has; `before` is what the column before ended with, see above. */
uint64_t layout_count_of(const struct layout_column *column, const void *owner, uint64_t before);

/* The pointer of a column that is not stable, and setting it. */
void *layout_pointer(const struct layout_column *column, const void *owner);
void layout_set_pointer(const struct layout_column *column, void *owner, void *items);

/* A number that is another one wherever the tables, or the structs they tell of, are others. */
uint64_t layout_fingerprint(void);

#endif
