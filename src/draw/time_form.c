/* The choice between the two clocks. */
#include "draw/time_form.h"

#include "base/checked.h"
#include "base/clock.h"
#include "trace/words.h"

void
time_form_write(
	char out[UNITS_TEXT], struct time_form form, int64_t t_ns, int64_t step_ns, int64_t span_ns)
{
	if (form.wall == NULL) {
		units_moment(out, saturating_add_i64(t_ns, form.told_ns), step_ns, span_ns, form.ascii);
		return;
	}
	int64_t unix_ns = wall_clock_at(form.wall, t_ns);
	/* What lies before the trace may lie before all dates. */
	clock_time(out, unix_ns < CLOCK_LEAST_NS ? CLOCK_LEAST_NS : unix_ns, step_ns);
}

void
time_form_add(struct text *out, struct time_form form, const struct trace *trace, int64_t t_ns,
	int64_t duration_ns)
{
	char moment[UNITS_TEXT];
	time_form_write(moment, form, t_ns, time_form_step(duration_ns),
		trace->end_ns > 0 ? trace->end_ns : 1);
	text_add_string(out, moment);
}

void
time_form_add_clock(struct text *out, const struct trace *trace)
{
	if (trace->clock == TRACE_CLOCK_LAID_OUT)
		text_add_string(out, "times laid out from durations");
	else if (trace->clock == TRACE_CLOCK_TICKS)
		text_add_string(out, "times are ticks of a clock without a unit");
	if (trace->has_clocks_apart)
		text_add_words(out, trace->words, "; the {processors} have no common clock");
}
