/* The ring of blocks: two counters under one lock. */
#include "base/ring.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/process.h"

enum { NS_PER_S = 1000000000 };

struct ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t block_bytes, block_count;
	uint64_t put, released; /* blocks so far; put - released are full */
	bool is_finished, is_stopped;
	size_t *counts;
	char *blocks;
};

static struct timespec
timespec_of(int64_t time_ns)
{
	return (struct timespec){ (time_t)(time_ns / NS_PER_S), (long)(time_ns % NS_PER_S) };
}

/*
 * Waits with a timeout go by the clock that only goes forward: the time of day may be set meanwhile.
 * macOS has no such conditions, but waits that are told how long is left.
 */
static void
init_condition(pthread_cond_t *condition)
{
#if defined(__APPLE__)
	pthread_cond_init(condition, NULL);
#else
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
#endif
}

/* Until something changes, or process_now_ns() is until_ns at the latest. */
static void
wait_for_change(struct ring *ring, int64_t until_ns)
{
#if defined(__APPLE__)
	int64_t now_ns = process_now_ns();
	struct timespec left = timespec_of(now_ns < until_ns ? until_ns - now_ns : 0);
	pthread_cond_timedwait_relative_np(&ring->changed, &ring->lock, &left);
#else
	struct timespec until = timespec_of(until_ns);
	pthread_cond_timedwait(&ring->changed, &ring->lock, &until);
#endif
}

struct ring *
ring_new(size_t block_bytes, size_t block_count, struct error *err)
{
	struct ring *ring = memory_realloc(NULL, sizeof(*ring));
	size_t bytes;

	if (ring == NULL || !checked_mul_size(block_bytes, block_count, &bytes)) {
		memory_free(ring);
		error_set_memory(err, "a queue between threads");
		return NULL;
	}
	*ring = (struct ring){ .block_bytes = block_bytes, .block_count = block_count };
	ring->blocks = memory_realloc(NULL, bytes);
	ring->counts = memory_realloc(NULL, block_count * sizeof(*ring->counts));
	if (ring->blocks == NULL || ring->counts == NULL) {
		memory_free(ring->blocks);
		memory_free(ring->counts);
		memory_free(ring);
		error_set_memory(err, "a queue between threads");
		return NULL;
	}
	pthread_mutex_init(&ring->lock, NULL);
	init_condition(&ring->changed);
	return ring;
}

void
ring_free(struct ring *ring)
{
	if (ring == NULL)
		return;
	pthread_cond_destroy(&ring->changed);
	pthread_mutex_destroy(&ring->lock);
	memory_free(ring->blocks);
	memory_free(ring->counts);
	memory_free(ring);
}

void *
ring_fill(struct ring *ring)
{
	void *block = NULL;

	pthread_mutex_lock(&ring->lock);
	while (ring->put - ring->released == ring->block_count && !ring->is_stopped)
		pthread_cond_wait(&ring->changed, &ring->lock);
	if (!ring->is_stopped)
		block = ring->blocks + ring->put % ring->block_count * ring->block_bytes;
	pthread_mutex_unlock(&ring->lock);
	return block;
}

/* Changes one thing under the lock and wakes the other side. */
static void
announce(struct ring *ring)
{
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

/*
 * Sleeping and waking cost more than a block is worth. So who waits is woken when there is
 * work for a while: half the ring is full, or free. Nobody waits for ever, since the other
 * side goes on until the ring is full, or empty.
 */
void
ring_put(struct ring *ring, size_t count)
{
	pthread_mutex_lock(&ring->lock);
	ring->counts[ring->put % ring->block_count] = count;
	ring->put++;
	if (ring->put - ring->released >= ring->block_count / 2)
		pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void
ring_flush(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	announce(ring);
}

void
ring_drain(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	pthread_cond_signal(&ring->changed);
	while (ring->put != ring->released && !ring->is_stopped)
		pthread_cond_wait(&ring->changed, &ring->lock);
	pthread_mutex_unlock(&ring->lock);
}

void
ring_finish(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->is_finished = true;
	announce(ring);
}

void *
ring_take(struct ring *ring, size_t *count)
{
	void *block = NULL;

	pthread_mutex_lock(&ring->lock);
	while (ring->put == ring->released && !ring->is_finished)
		pthread_cond_wait(&ring->changed, &ring->lock);
	if (ring->put != ring->released) {
		size_t slot = ring->released % ring->block_count;

		*count = ring->counts[slot];
		block = ring->blocks + slot * ring->block_bytes;
	}
	pthread_mutex_unlock(&ring->lock);
	return block;
}

void
ring_release(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->released++;
	if (ring->put - ring->released <= ring->block_count / 2)
		pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

bool
ring_wait(struct ring *ring, int64_t wait_ns)
{
	int64_t until_ns = process_now_ns() + wait_ns;
	bool has_more;

	pthread_mutex_lock(&ring->lock);
	while (ring->put == ring->released && !ring->is_finished && process_now_ns() < until_ns)
		wait_for_change(ring, until_ns);
	has_more = ring->put != ring->released || ring->is_finished;
	pthread_mutex_unlock(&ring->lock);
	return has_more;
}

void
ring_stop(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->is_stopped = true;
	announce(ring);
}
