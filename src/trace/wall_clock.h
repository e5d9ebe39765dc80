/*
 * The wall clock of a trace: moments at which the trace's clock and the wall clock were read
 * together, one per generation from Go 1.25 on. Times in between are as far from the
 * snapshot before as the trace's clock says; those before the first, from the first.
 */
#ifndef TTRACE_TRACE_WALL_CLOCK_H
#define TTRACE_TRACE_WALL_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct clock_point {
	int64_t trace_ns; /* at this time ... */
	int64_t unix_ns;  /* ... the wall clock stood here */
};

/* The wall clock as seconds and nanoseconds since 1970; false where no int64 can hold it. */
bool clock_point_set(struct clock_point *point, int64_t trace_ns, uint64_t unix_s,
                     uint64_t unix_ns);

/* Zero-initialised is a trace without a wall clock. */
struct wall_clock {
	struct clock_point *points; /* by trace_ns; the wall clock may have been put back */
	size_t count, capacity;
};

void wall_clock_release(struct wall_clock *wall);

/*
 * Takes in a snapshot. The first counts; a later one only where the wall clock is off by
 * more than WALL_CLOCK_NOISE_NS by then (it was set, or the clocks drift), so that the
 * graininess of the trace's clock (64 ns) does not bend durations.
 */
#define WALL_CLOCK_NOISE_NS 1000
bool wall_clock_add(struct wall_clock *wall, struct clock_point point, struct error *err);
/* On failure *copy knows no clock. */
bool wall_clock_copy(struct wall_clock *copy, const struct wall_clock *wall, struct error *err);
/*
 * Trace times count from origin_ns now, and the trace ends at end_ns after it. Forgets all
 * where the wall clock would leave the years that base/clock.h can write.
 */
void wall_clock_rebase(struct wall_clock *wall, int64_t origin_ns, int64_t end_ns);

static inline bool
wall_clock_is_known(const struct wall_clock *wall)
{
	return wall->count > 0;
}

/* Both need a known clock and take O(log snapshots). */
/* What the wall clock said at a time of the trace. */
int64_t wall_clock_at(const struct wall_clock *wall, int64_t trace_ns);
/*
 * When it said so: outside of the trace where it never did, one of the times where it did so
 * twice, the moment of the step where it stepped over.
 */
int64_t wall_clock_find(const struct wall_clock *wall, int64_t unix_ns);

/* Said where times of day are asked for and there are none. */
#define WALL_CLOCK_UNKNOWN "the trace tells no time of day: Go writes it from 1.25 on"
/*
 * Reads a moment as clock_parse() does, as a time of a trace that ends at end_ns, maybe
 * outside of it. Without a date that of the trace's start is meant, or of its end where
 * that puts the moment into the trace. False with err set also where there is no wall clock.
 */
bool wall_clock_parse(const struct wall_clock *wall, const char *text, int64_t end_ns,
                      int64_t *trace_ns, struct error *err);

#endif
