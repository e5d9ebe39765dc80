/*
 * How moments are told on screen and in print: since the start of the trace, or of another one beside it, or by the
 * wall clock.
 */
#ifndef TTRACE_DRAW_TIME_FORM_H
#define TTRACE_DRAW_TIME_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/units.h"
#include "trace/regroup.h"
#include "trace/trace.h"

struct time_form {
	const struct wall_clock *wall; /* a known one; NULL: times since the start ... */
	int64_t told_ns;               /* ... plus this */
	bool ascii;
};

/* By the wall clock if that is asked for and the trace has one. */
static inline struct time_form
time_form_of(const struct trace *trace, bool is_wall, bool ascii)
{
	bool has_wall = is_wall && wall_clock_is_known(&trace->wall);
	return (struct time_form){ has_wall ? &trace->wall : NULL, trace_ungrouped(trace)->told_ns, ascii };
}

/*
 * A moment of the trace, with digits and unit as units_moment() has them ("1.2034 s"), or
 * as clock_time() has ("15:04:05.123").
 */
void time_form_write(char out[UNITS_TEXT], struct time_form form, int64_t t_ns, int64_t step_ns,
	int64_t span_ns);

/* A step of which a hundred make the duration, so that both its ends can be told apart. */
static inline int64_t
time_form_step(int64_t duration_ns)
{
	return duration_ns < 100 ? 1 : duration_ns / 100;
}
/* The same appended, as finely as that; of 0 to the nanosecond. */
void time_form_add(struct text *out, struct time_form form, const struct trace *trace, int64_t t_ns,
	int64_t duration_ns);

/* What is to be known of the trace's times, in words; nothing where they are as the input has them. */
void time_form_add_clock(struct text *out, const struct trace *trace);

#endif
