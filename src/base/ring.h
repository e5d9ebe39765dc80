/*
 * A ring of blocks between two threads: one fills blocks, the other empties them,
 * in order. Each side waits while it has to.
 */
#ifndef TTRACE_BASE_RING_H
#define TTRACE_BASE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ring;

/* block_bytes each, block_count of them (at least 2). NULL and err when there is no memory. */
struct ring *ring_new(size_t block_bytes, size_t block_count, struct error *err);
/* Neither side may be inside a call. NULL is fine. */
void ring_free(struct ring *ring);

/*
 * The filling side: the next free block, its own until ring_put(). NULL once the other
 * side has stopped.
 */
void *ring_fill(struct ring *ring);
/*
 * Hands the block over with a number of items that the two sides understand. It may be
 * looked at only when half the ring is full, or after ring_flush() or ring_finish().
 */
void ring_put(struct ring *ring, size_t count);
/* Nothing more will come for a while. */
void ring_flush(struct ring *ring);
/* Waits until all that was handed over was released again, or the other side has stopped. */
void ring_drain(struct ring *ring);
/* No more will come. */
void ring_finish(struct ring *ring);

/* The emptying side: the next block, its own until ring_release(); NULL after the last one. */
void *ring_take(struct ring *ring, size_t *count);
void ring_release(struct ring *ring);
/* Waits so long for something to take, or the end; whether there is. */
bool ring_wait(struct ring *ring, int64_t wait_ns);
/* Nothing more will be taken. */
void ring_stop(struct ring *ring);

#endif
