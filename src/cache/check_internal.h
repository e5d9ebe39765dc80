/* What the files of check.h share. */
#ifndef TTRACE_CACHE_CHECK_INTERNAL_H
#define TTRACE_CACHE_CHECK_INTERNAL_H

#include "cache/check.h"

/* The runs of a segment follow each other, over all of its columns; the one before ends at since_ns. */
bool check_runs(const struct trace *trace, const struct segment *segment, int64_t since_ns);
/* Each run is listed where it belongs, and the items of a key are numbered throughout. */
bool check_directory(const struct trace *trace);
/* key_count + 1 beginnings ascend from 0. */
bool check_beginnings(const uint32_t *first, uint32_t key_count);
/* How many items [ordinal, ordinal + count) of a series have checkpoints. */
uint32_t check_checkpoints_of(uint32_t ordinal, uint32_t count, uint32_t block);

/* Times per class, by end_ns, of which all together cannot be longer than that. */
bool check_sums(const int64_t sums_ns[CLASS_COUNT], int64_t end_ns);

/* How many bytes the heads of a block take. */
uint64_t check_heads(const struct change_block *block);

#endif
