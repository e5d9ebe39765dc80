/*
 * The samples of a trace by what they were taken on: actor, processor and thread. What they
 * were on is what the sample says, which may be another actor than the trace has there. Where samples
 * are what the trace is about (trace/sample_set.h) also by the actors' groups.
 */
#ifndef TTRACE_ANALYSIS_SAMPLES_H
#define TTRACE_ANALYSIS_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

enum { SAMPLES_ALL, SAMPLES_ACTOR, SAMPLES_PROCESSOR, SAMPLES_THREAD, SAMPLES_GROUP, SAMPLES_KINDS };

/*
 * Samples are known by the number of their instant in the trace. Zero-initialised has none.
 * Each index has, by actor, processor, thread or group (or by the one key 0), numbers in time order.
 * Lanes may be of another trace, which the samples lie beneath: then times that are asked and told are of that
 * one, and instants, with their stacks, of this one.
 */
struct samples {
	const struct trace *trace; /* of the instants */
	int64_t delta_ns;          /* from their times to those of the lanes */
	struct ref_index by[SAMPLES_KINDS]; /* key_count 0 where nothing has any */
};

/* A sample by what it was taken on; REF_NONE where nobody knows. */
struct sampled {
	uint32_t sample;
	actor_ref actor;
	resource_ref processor, thread;
};

/*
 * Of a frozen trace, which must outlive them. O(instants); where there are any, O(actors)
 * as well. On failure nothing is held.
 */
bool samples_build(struct samples *samples, const struct trace *trace, struct error *err);
/* The same of samples in time order that somebody has found, for lanes of `trace`; the rest of the struct is set. */
bool samples_index(struct samples *samples, const struct trace *trace, const struct sampled *items,
	uint32_t count, struct error *err);
void samples_release(struct samples *samples);

/* When it was taken, by the lanes' clock. */
int64_t samples_time_ns(const struct samples *samples, uint32_t sample);

/*
 * The questions below are for lanes of an actor, a group, a processor or a thread and for LANE_ALL;
 * any other lane has none. O(log n) each.
 */
uint32_t samples_count(
	const struct samples *samples, struct lane lane, int64_t t0_ns, int64_t t1_ns);
/* The first one at t or later, the last one before t; REF_NONE for none. */
uint32_t samples_next(const struct samples *samples, struct lane lane, int64_t t_ns);
uint32_t samples_previous(const struct samples *samples, struct lane lane, int64_t t_ns);
/*
 * The one that stands for [t0, t1): the first at t or later, else the last one before that;
 * REF_NONE where there is none within.
 */
uint32_t samples_within(const struct samples *samples, struct lane lane, int64_t t0_ns,
	int64_t t1_ns, int64_t t_ns);

#endif
