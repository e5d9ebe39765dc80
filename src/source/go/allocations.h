/*
 * The events of the AllocFree experiment (doc/format/go-trace-v2.md, section 8) as the
 * model counts them: keeps what is allocated now, so that what is freed has a size.
 */
#ifndef TTRACE_SOURCE_GO_ALLOCATIONS_H
#define TTRACE_SOURCE_GO_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "source/go/event.h"
#include "trace/builder.h"

/* What an id of an event numbers; each has ids of its own. */
enum alloc_space { SPACE_SPAN, SPACE_OBJECT, SPACE_STACK, SPACE_COUNT };

/* Zero-initialise; allocations_release() frees. */
struct allocations {
	struct map live[SPACE_COUNT]; /* id -> index in blocks */
	struct block *blocks;
	size_t block_count, block_capacity;
	uint32_t free_block;          /* index + 1 of the first of a list to use again; 0: none */
};

/* Takes a GO_EVENT_EXPERIMENTAL of any experiment. Fails for want of memory only. */
bool allocations_take(struct allocations *allocations, struct builder *builder,
                      const struct go_event *event, struct error *err);
void allocations_release(struct allocations *allocations);

#endif
