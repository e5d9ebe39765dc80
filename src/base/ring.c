/* The ring of blocks: two counters under one lock. */
#include "base/ring.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "base/checked.h"
#include "base/memory.h"

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
	pthread_cond_init(&ring->changed, NULL);
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
	struct timespec until;
	bool has_more;
	int code = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(wait_ns % NS_PER_S);
	until.tv_sec += (time_t)(wait_ns / NS_PER_S) + until.tv_nsec / NS_PER_S;
	until.tv_nsec %= NS_PER_S;
	pthread_mutex_lock(&ring->lock);
	while (ring->put == ring->released && !ring->is_finished && code == 0)
		code = pthread_cond_timedwait(&ring->changed, &ring->lock, &until);
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
