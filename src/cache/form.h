/*
 * The form of the file: a line that tells what it is, the bodies (of segments, then of change
 * lists), the tables with the sums of the bodies, and the trailer, which says where the tables
 * begin. The trailer is last since it, and the tables, can only be written once the sums are known.
 */
#ifndef TTRACE_CACHE_FORM_H
#define TTRACE_CACHE_FORM_H

#include <stdint.h>

#include "cache/cache.h"
#include "trace/changes.h"

/* To be counted up when the meaning of what is stored changes, not only its layout. */
enum { FORM_VERSION = 6 };

#define FORM_FIRST_LINE "ttrace cache: may be removed\n"
/* Bodies begin behind the first line and at multiples of this. */
enum { FORM_BODY_ALIGNMENT = 64 };
/* The tables are summed in pieces of so many bytes. */
enum { FORM_PIECE_BYTES = 1 << 18 };

/* Longer traces get no cache, so that sums of a few of their times are in no danger. */
#define FORM_LONGEST_NS (INT64_MAX / 4)

#define FORM_NO_GROUP UINT64_MAX

#define FORM_BYTE_ORDER UINT64_C(0x0102030405060708)

struct form_trailer {
	char magic[8];
	uint64_t byte_order, version, fingerprint;
	char release[32];
	struct cache_key key;
	uint64_t tables_at, tables_bytes, tables_sum;
	uint64_t sum; /* of the trailer up to here */
};

/* Everything in it that does not depend on the trace. */
void form_begin(struct form_trailer *trailer, const struct cache_key *key);
uint64_t form_trailer_sum(const struct form_trailer *trailer);

/* Where an alignment comes after so many bytes. */
static inline uint64_t
form_body_at(uint64_t bytes)
{
	return (bytes + FORM_BODY_ALIGNMENT - 1) / FORM_BODY_ALIGNMENT * FORM_BODY_ALIGNMENT;
}

static inline size_t
form_slice_count(const struct change_list *list)
{
	return (list->block_count + CHANGE_SLICE - 1) / CHANGE_SLICE;
}

/* How many lists a trace can have: that of the rest, those of the groups, the parts' own. */
static inline size_t
form_list_count(const struct trace *trace)
{
	return (size_t)1 + trace->group_count + trace->all.part_count;
}

/* One of them, NULL where that is none. */
struct change_list *form_list(const struct trace *trace, size_t index);

/* The sum of the body of a segment, and of a slice of a list. */
uint64_t form_segment_sum(const struct segment *segment);
uint64_t form_slice_sum(const struct change_list *list, size_t slice);

#endif
