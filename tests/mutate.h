/*
 * Changes traces so that what they say becomes hostile while what frames them stays
 * right: changed bytes alone rarely get past the size of a batch. Batches and events are
 * dropped, repeated, moved and exchanged; their operands become others that occur nearby,
 * neighbours, limits; sizes and counts are written anew, and seldom lie.
 */
#ifndef TTRACE_TESTS_MUTATE_H
#define TTRACE_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Changes a trace of bytes[0..size), v2 or v1, in place, also in gzip or zstd; the bytes
 * may become up to max_size. The same seed does the same. Returns the new size, or 0 where
 * nothing could be changed; the bytes are then as they were.
 */
size_t mutate_trace(uint8_t *bytes, size_t size, size_t max_size, uint64_t seed);

#endif
