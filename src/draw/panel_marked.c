/* The panel while an interval is marked: what the selected row holds in it. */
#include <inttypes.h>

#include "base/units.h"
#include "analysis/registry.h"
#include "draw/moments.h"
#include "draw/panel_pen.h"
#include "draw/task_rows.h"
#include "trace/lane.h"

/* Spans counted by class at most: some milliseconds, with more there is the sum alone. */
enum { MOST_COUNTED = 20000 };

/* " G7 main.worker - marked - 1.2034 s to 1.2391 s (35.7 ms) " */
static void
write_title(struct panel *panel, const struct lane *lane)
{
	panel_string(panel, STYLE_DEFAULT, " ");
	if (lane != NULL) {
		panel_lane_name(panel, *lane);
		panel_dash(panel);
	}
	panel_bold(panel, STYLE_TEXT_BRIGHT, "marked");
	panel_dash(panel);
	panel_interval(panel, panel->from_ns, panel->until_ns);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
}

/* Collections and stops of the world have no classes. */
static bool
is_of_ranges(struct lane lane)
{
	return lane.type == LANE_GC || lane.type == LANE_STW;
}

/* False where there are too many. */
static bool
count_spans(const struct panel *panel, struct lane lane, int64_t counts[CLASS_COUNT])
{
	const struct trace *trace = panel->scene->trace;
	uint32_t count = lane_count(trace, lane, panel->from_ns, panel->until_ns);
	struct span span, next;
	if (count > MOST_COUNTED)
		return false;
	bool is_there = lane_span_at(trace, lane, panel->from_ns, &span) ||
			lane_next(trace, lane, panel->from_ns, CLASS_MASK_ALL, &span);
	for (; count > 0 && is_there; count--) {
		counts[span.time_class]++;
		is_there = lane_after(trace, lane, &span, &next);
		span = next;
	}
	return true;
}

/* "spans   27   12 running   8 ready   7 select" */
static void
write_spans(struct panel *panel, struct lane lane)
{
	int64_t counts[CLASS_COUNT] = { 0 };
	char count[UNITS_TEXT];
	if (lane.type == LANE_GROUP || lane.type == LANE_ALL)
		return;
	panel_heading(panel, "spans");
	units_count(count, lane_count(panel->scene->trace, lane, panel->from_ns, panel->until_ns));
	panel_string(panel, STYLE_DEFAULT, count);
	panel_string(panel, STYLE_DEFAULT, "   ");
	if (!is_of_ranges(lane) && count_spans(panel, lane, counts))
		panel_class_counts(panel, counts);
	panel_next_line(panel);
}

static void
write_totals(struct panel *panel, struct lane lane)
{
	int64_t totals_ns[CLASS_COUNT];
	const struct panel_parts parts = panel_parts_of(panel, lane);
	lane_totals(panel->scene->trace, lane, panel->from_ns, panel->until_ns, totals_ns);
	panel_heading(panel, "time");
	if (is_of_ranges(lane)) {
		char share[UNITS_TEXT];
		units_share(share, totals_ns[CLASS_RUNNING], panel->until_ns - panel->from_ns);
		panel_duration(panel, STYLE_DEFAULT, totals_ns[CLASS_RUNNING]);
		text_format(panel->scratch, " %s", share);
		panel_scratch(panel, STYLE_TEXT_DIM);
	} else {
		panel_shares(panel, totals_ns, &parts);
	}
	panel_next_line(panel);
}

static void
write_logs(struct panel *panel, struct lane lane)
{
	uint32_t logs = moments_log_count(
		&panel->scene->rows->moments, lane, panel->from_ns, panel->until_ns);
	char count[UNITS_TEXT];
	if (logs == 0)
		return;
	panel_heading(panel, "logs");
	units_count(count, logs);
	panel_string(panel, STYLE_DEFAULT, count);
	panel_next_line(panel);
}

static void
write_samples(struct panel *panel, struct lane lane)
{
	uint32_t samples = samples_count(
		&panel->scene->rows->samples, lane, panel->from_ns, panel->until_ns);
	char count[UNITS_TEXT];
	if (samples == 0)
		return;
	panel_heading(panel, "samples");
	units_count(count, samples);
	panel_string(panel, STYLE_DEFAULT, count);
	panel_next_line(panel);
}

static void
write_wakes(struct panel *panel, enum wake_row row)
{
	char count[UNITS_TEXT];
	panel_heading(panel, "wakes");
	units_count(count, wake_count(panel->scene->trace, row, panel->from_ns, panel->until_ns));
	panel_string(panel, STYLE_DEFAULT, count);
	panel_next_line(panel);
}

/* The words after which a report tells of the interval, to be copied. */
static void
write_command(struct panel *panel, const struct lane *lane)
{
	char from[UNITS_TEXT], until[UNITS_TEXT];
	const struct trace *trace = panel->scene->trace;
	units_option_time(from, panel->from_ns, 1);
	units_option_time(until, panel->until_ns, 1);
	panel_heading(panel, "copy");
	text_format(panel->scratch, "ttrace --from=%s --to=%s", from, until);
	if (lane != NULL && lane->type == LANE_ACTOR)
		text_format(panel->scratch, " --%s=%" PRId64,
			registry_shown_name("goroutine", trace->words),
			trace_actor(trace, lane->ref)->id);
	panel_scratch(panel, STYLE_TEXT_BRIGHT);
	text_format(panel->scratch, " %s", panel->scene->file_word);
	if (panel_scratch_fits(panel, 0))
		panel_scratch(panel, STYLE_DEFAULT);
	text_clear(panel->scratch);
	panel_next_line(panel);
}

static void
write_task(struct panel *panel, task_ref task)
{
	const struct task_lane *shown = task_rows_lane(panel->scene->rows->tasks, task);
	if (shown != NULL)
		panel_write_task_shares(panel, shown);
}

void
panel_write_marked(struct panel *panel, const struct row *row, const struct lane *lane)
{
	write_title(panel, lane);
	if (panel->from_ns == panel->until_ns) {
		panel_string(panel, STYLE_TEXT_DIM, "moving the cursor extends the interval");
		return;
	}
	if (row->type == ROW_HEAP || row->type == ROW_HEAP_UPPER)
		panel_write_heap_ranges(panel);
	if (row->type == ROW_GAUGE)
		panel_write_gauge_range(panel, row);
	if (row->type == ROW_WAKES)
		write_wakes(panel, (enum wake_row)row->ref);
	if (row->type == ROW_SAMPLES)
		write_samples(panel, (struct lane){ LANE_ALL, 0 });
	if (lane != NULL && lane->type == LANE_TASK) {
		write_task(panel, lane->ref);
	} else if (lane != NULL) {
		write_totals(panel, *lane);
		write_spans(panel, *lane);
		write_logs(panel, *lane);
		write_samples(panel, *lane);
	}
	write_command(panel, lane);
}
