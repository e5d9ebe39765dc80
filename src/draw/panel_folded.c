/* The panel on a row that stands for several: in two lines what their own panels say. */
#include <inttypes.h>

#include "base/units.h"
#include "draw/counter.h"
#include "draw/folded_row.h"
#include "draw/moment_row.h"
#include "draw/panel_pen.h"
#include "trace/lane.h"
#include "trace/words.h"

static void
end_title_with_cell(struct panel *panel)
{
	panel_dash(panel);
	panel_interval(panel, panel->from_ns, panel->until_ns);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
}

static void
write_heap(struct panel *panel)
{
	const struct trace *trace = panel->scene->trace;
	uint64_t bytes = 0;
	char text[UNITS_TEXT];
	panel_heading(panel, "heap");
	if (!counter_at(trace, COUNTER_HEAP_ALLOC, panel->scene->cursor_ns, &bytes)) {
		panel_string(panel, STYLE_TEXT_DIM, "not known yet");
	} else {
		units_bytes(text, bytes);
		panel_bold(panel, STYLE_GC, text);
	}
	if (counter_at(trace, COUNTER_HEAP_GOAL, panel->scene->cursor_ns, &bytes)) {
		units_bytes(text, bytes);
		text_format(panel->scratch, ", goal %s", text);
		panel_scratch(panel, STYLE_DEFAULT);
	}
	text_format_words(panel->scratch, trace->words,
		"   {threads}: %" PRIu32 " run {an actor}, %" PRIu32 " in a syscall",
		counter_actors_at(trace, counter_threads.first, panel->scene->cursor_ns),
		counter_actors_at(trace, counter_threads.second, panel->scene->cursor_ns));
	if (!panel_scratch_fits(panel, 0))
		text_clear(panel->scratch);
	panel_scratch(panel, STYLE_TEXT_DIM);
	panel_next_line(panel);
}

static void
write_counters(struct panel *panel)
{
	int64_t counts[CLASS_COUNT], t_ns = panel->scene->cursor_ns;
	panel_title(panel, "{Actors}, heap and {threads}");
	panel_end_title_at_cursor(panel);
	lane_totals(panel->scene->trace, (struct lane){ LANE_ALL, 0 }, t_ns, t_ns + 1, counts);
	panel_heading(panel, "now");
	panel_class_counts(panel, counts);
	panel_next_line(panel);
	write_heap(panel);
}

/* "3 in this cell, 120 µs in all" */
static void
write_ranges(struct panel *panel, const char *heading, uint8_t style, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	int64_t totals_ns[CLASS_COUNT];
	uint32_t count = lane_count(trace, lane, panel->from_ns, panel->until_ns);
	panel_heading(panel, heading);
	lane_totals(trace, lane, panel->from_ns, panel->until_ns, totals_ns);
	text_format(panel->scratch, "%" PRIu32 " in %s", count, panel->extent);
	panel_scratch(panel, count > 0 ? style : STYLE_TEXT_DIM);
	if (count > 0) {
		panel_string(panel, STYLE_TEXT_DIM, count > 1 ? ", in all " : ", ");
		panel_duration(panel, STYLE_DEFAULT, totals_ns[CLASS_RUNNING]);
		panel_string(panel, STYLE_TEXT_DIM, " of it");
	}
	panel_next_line(panel);
}

static void
write_collector(struct panel *panel)
{
	panel_title(panel, "GC and stops of the world");
	end_title_with_cell(panel);
	write_ranges(panel, "GC", STYLE_GC, (struct lane){ LANE_GC, 0 });
	write_ranges(panel, "stops", STYLE_STW, (struct lane){ LANE_STW, 0 });
}

static void
write_events(struct panel *panel)
{
	static const char *const kinds[WAKE_ROW_COUNT] = {
		[WAKE_NETWORK] = "by the network",
		[WAKE_TIMER] = "by timers",
		[WAKE_SYSCALL] = "out of system calls",
	};
	panel_title(panel, "Wakes, and returns from system calls");
	end_title_with_cell(panel);
	panel_heading(panel, "cell");
	for (int kind = 0; kind < WAKE_ROW_COUNT; kind++) {
		char count[UNITS_TEXT];
		units_count(count, wake_count(panel->scene->trace, (enum wake_row)kind,
					   panel->from_ns, panel->until_ns));
		text_format(panel->scratch, "%s %s   ", count, kinds[kind]);
		panel_scratch(panel, moment_row_style((enum wake_row)kind));
	}
	panel_next_line(panel);
}

static void
write_busy(struct panel *panel, const char *heading, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	const struct trace *trace = panel->scene->trace;
	int64_t whole_ns = folded_row_processors(trace, t0_ns, t1_ns, totals_ns);
	resource_ref count = trace_processor_count(trace);
	struct panel_parts parts = { .assists_ns = 0 };
	for (resource_ref ref = 0; count <= FOLDED_ROW_MOST_PROCESSORS && ref < count; ref++)
		beneath_lanes_add(panel->scene->rows->beneath, (struct lane){ LANE_PROCESSOR, ref }, t0_ns, t1_ns,
			parts.lost_ns);
	panel_heading(panel, heading);
	panel_shares_of(panel, totals_ns, &parts, whole_ns);
	panel_next_line(panel);
}

static void
write_processors(struct panel *panel)
{
	panel_title(panel, "All {processors} together");
	end_title_with_cell(panel);
	write_busy(panel, "cell", panel->from_ns, panel->until_ns);
	write_busy(panel, "screen", panel->scene->viewport.t0_ns, panel->scene->viewport.t1_ns);
}

bool
panel_write_folded(struct panel *panel, enum row_section section)
{
	if (section == SECTION_COUNTERS)
		write_counters(panel);
	else if (section == SECTION_GC)
		write_collector(panel);
	else if (section == SECTION_EVENTS)
		write_events(panel);
	else if (section == SECTION_PROCESSORS)
		write_processors(panel);
	else
		return false;
	return true;
}
