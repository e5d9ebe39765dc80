/*
 * Finds the way back into a trace: where, in bytes that cannot be read, the next batch
 * begins. Nothing marks a batch, so one is believed in that has a possible header, events
 * that can be decoded, and another such batch, or the end of the input, behind it.
 */
#ifndef TTRACE_SOURCE_GO_RESYNC_H
#define TTRACE_SOURCE_GO_RESYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"

/*
 * How many bytes of a payload can be decoded: up to the entry that cannot, or all.
 * *is_cut: that entry may be a good one of which the end is missing.
 */
size_t resync_decodable(const uint8_t *payload, size_t size, unsigned minor, bool *is_cut);

/* The generation of the batch that comes next, without taking it; 0 for no batch. */
uint64_t resync_next_generation(struct input *in);

enum resync_found {
	RESYNC_BATCH, /* the input stands before it */
	RESYNC_TRACE, /* the header of another trace, likewise */
	RESYNC_END,   /* nothing; the input is at its end, or where it cannot be read */
};

struct resynced {
	enum resync_found found;
	uint64_t zero_run_bytes; /* the longest run of zeros that was taken */
	bool is_rest;            /* what was taken is the rest of a batch that begins before */
};

/*
 * Takes bytes up to the next batch of the generation `least` (0: any) or a later one. False
 * only for want of memory or when cancelled. Linear.
 */
bool resync(struct input *in, unsigned minor, uint64_t least, struct resynced *resynced,
            struct error *err);

#endif
