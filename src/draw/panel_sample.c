/* The panel on CPU samples: which one the cell under the cursor holds, and its stack. */
#include <inttypes.h>

#include "analysis/beneath/lanes.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "trace/words.h"

static const struct lane all = { LANE_ALL, 0 };

/* The number of the sample's instant, REF_NONE for none. */
static uint32_t
sample_here(const struct panel *panel, const struct samples *samples, struct lane lane)
{
	return samples_within(samples, lane, panel->from_ns, panel->until_ns, panel->scene->cursor_ns);
}

/* ", of G7" where that is not whom the lane has there, else nothing. */
static void
name_other(char out[UNITS_TEXT], const struct trace *trace, struct lane lane,
	const struct instant *sample)
{
	struct span span;
	bool has_span = lane_span_at(trace, lane, sample->time_ns, &span);
	struct text text = { 0 };
	out[0] = '\0';
	if (lane.type == LANE_ALL || lane.type == LANE_ACTOR ||
		(has_span ? span.actor : REF_NONE) == sample->actor)
		return;
	text_add_words(&text, trace->words, sample->actor == REF_NONE ? ", of no {actor}" : ", of ");
	if (sample->actor != REF_NONE)
		name_actor_id(&text, trace, sample->actor);
	snprintf(out, UNITS_TEXT, "%s", text_string(&text));
	text_release(&text);
}

/* "CPU sample 2 of 3 here, at 66.54 ms", or "Sample of page-faults" where it has a category */
static void
title_sample(const struct panel *panel, struct lane lane, const struct samples *samples, uint32_t at_sample,
	char title[PANEL_SAMPLE_TITLE])
{
	const struct trace *trace = panel->scene->trace;
	const struct instant *sample = trace_instant(samples->trace, at_sample);
	bool is_beneath = samples->trace != trace;
	int64_t t_ns = samples_time_ns(samples, at_sample), step_ns = panel->until_ns - panel->from_ns;
	uint32_t count = samples_count(samples, lane, panel->from_ns, panel->until_ns);
	char which[3 * UNITS_TEXT] = "", number[UNITS_TEXT], of[UNITS_TEXT], at[UNITS_TEXT],
		other[UNITS_TEXT];
	units_count(number, samples_count(samples, lane, panel->from_ns, t_ns) + UINT64_C(1));
	units_count(of, count);
	if (count > 1)
		snprintf(which, sizeof which, " %s of %s here,", number, of);
	time_form_write(at, time_form_of(trace, panel->scene->is_wall, panel->canvas->ascii), t_ns,
		step_ns, t_ns);
	other[0] = '\0';
	if (!is_beneath)
		name_other(other, trace, lane, sample);
	struct text what = { 0 };
	size_t length;
	const char *category = trace_text(samples->trace, sample->category, &length);
	text_add_words(&what, samples->trace->words, length > 0 ? "{Sample} of " : "{Sample}");
	text_add_safe(&what, category, length, panel->canvas->ascii);
	snprintf(title, PANEL_SAMPLE_TITLE, "%s%s at %s%s", text_string(&what), which, at, other);
	text_release(&what);
}

/* Takes it from these, if there is one in the cell whose stack is known. */
static bool
take_sample(struct panel *panel, const struct samples *samples, struct lane lane, struct panel_stack *stack,
	char title[PANEL_SAMPLE_TITLE])
{
	uint32_t sample = sample_here(panel, samples, lane);
	if (sample == REF_NONE || trace_instant(samples->trace, sample)->stack == STACK_NONE)
		return false;
	title_sample(panel, lane, samples, sample, title);
	*stack = (struct panel_stack){ title, trace_instant(samples->trace, sample)->stack, samples->trace };
	return true;
}

/* The trace's own samples come first. */
void
panel_take_sample(struct panel *panel, struct lane lane, struct panel_stack *stack,
	char title[PANEL_SAMPLE_TITLE])
{
	const struct timeline_rows *rows = panel->scene->rows;
	if (!take_sample(panel, &rows->samples, lane, stack, title) && rows->beneath != NULL)
		(void)take_sample(panel, &rows->beneath->samples, lane, stack, title);
}

/* "on     G11 main.worker on P0, thread 13135" */
static void
write_place(struct panel *panel, const struct instant *sample)
{
	const struct trace *trace = panel->scene->trace;
	panel_heading(panel, "on");
	if (sample->actor != REF_NONE)
		name_actor(panel->scratch, trace, sample->actor, panel->canvas->ascii);
	else
		text_add_words(panel->scratch, trace->words, "no {actor}");
	if (sample->processor != REF_NONE) {
		text_add_string(panel->scratch, " on ");
		name_processor(panel->scratch, trace, sample->processor);
	}
	if (sample->thread != REF_NONE)
		text_format_words(panel->scratch, trace->words, ", {thread} %" PRId64,
			trace_thread(trace, sample->thread)->id);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_next_line(panel);
}

void
panel_write_samples(struct panel *panel, const struct row *row)
{
	(void)row;
	const struct panel_stack none = { "", STACK_NONE, NULL };
	struct panel_stack stack = none;
	char count[UNITS_TEXT], title[PANEL_SAMPLE_TITLE];
	uint32_t sample = sample_here(panel, &panel->scene->rows->samples, all);
	units_count(count, samples_count(&panel->scene->rows->samples, all, panel->from_ns,
				   panel->until_ns));
	panel_string(panel, STYLE_DEFAULT, " ");
	text_add_words(panel->scratch, panel->scene->trace->words, "{Samples}");
	panel_bold(panel, STYLE_TEXT_BRIGHT, text_string(panel->scratch));
	text_clear(panel->scratch);
	panel_dash(panel);
	text_format(panel->scratch, "%s in %s", sample == REF_NONE ? "none" : count, panel->extent);
	panel_scratch(panel, sample == REF_NONE ? STYLE_TEXT_DIM : STYLE_TEXT_BRIGHT);
	panel_end_title_at_cursor(panel);
	if (sample == REF_NONE)
		return;
	write_place(panel, trace_instant(panel->scene->trace, sample));
	panel_take_sample(panel, all, &stack, title);
	panel_write_stacks(panel, stack, none);
}
