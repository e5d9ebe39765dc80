/* The panel on what lies beneath: of what ran or was in a system call, how much had no CPU. */
#include <string.h>

#include "analysis/beneath/lanes.h"
#include "analysis/beneath/stretch.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"
#include "trace/words.h"

struct panel_parts
panel_parts_of(const struct panel *panel, struct lane lane)
{
	const struct timeline_rows *rows = panel->scene->rows;
	struct panel_parts parts = {
		.assists_ns = pieces_time(&rows->assists, lane, panel->from_ns, panel->until_ns)
	};
	beneath_lanes_add(rows->beneath, lane, panel->from_ns, panel->until_ns, parts.lost_ns);
	return parts;
}

/* ", waited for a CPU 12 ms" with the first words that fit, else nothing. */
static void
write_part(struct panel *panel, uint8_t style, const char *const words[2], int64_t time_ns)
{
	char duration[UNITS_TEXT];
	if (time_ns <= 0)
		return;
	units_duration(duration, time_ns, panel->canvas->ascii);
	text_format(panel->scratch, ", %s %s", words[0], duration);
	if (!panel_scratch_fits(panel, 0)) {
		text_clear(panel->scratch);
		text_format(panel->scratch, ", %s %s", words[1], duration);
	}
	if (panel_scratch_fits(panel, 0))
		panel_scratch(panel, style);
	text_clear(panel->scratch);
}

void
panel_assist(struct panel *panel, int64_t assists_ns)
{
	static const char *const words[] = { "of which assist", "assist" };
	write_part(panel, STYLE_GC_WORKER, words, assists_ns);
}

void
panel_write_parts(struct panel *panel, enum time_class time_class, const struct panel_parts *parts)
{
	static const char *const words[BENEATH_LOST][2] = {
		[BENEATH_WAITED] = { "waited for a CPU", "no CPU" }, [BENEATH_SLEPT] = { "asleep", "asleep" }
	};
	if (time_class == CLASS_RUNNING)
		panel_assist(panel, parts->assists_ns);
	for (int upper = 0; upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++)
			if (beneath_upper_class((enum beneath_upper)upper) == time_class)
				write_part(panel, strip_style((uint8_t)(LOOK_WAITS + lost)), words[lost],
					parts->lost_ns[upper][lost]);
}

/* ---- of one span */

void
panel_write_beneath(struct panel *panel, const struct span *span)
{
	static const struct {
		enum beneath_state state;
		uint8_t style;
		const char *words;
	} parts[] = {
		{ BENEATH_ON, STYLE_RUNNING, "on a CPU" },
		{ BENEATH_READY, STYLE_WAITS, "waited for one" },
		{ BENEATH_ASLEEP, STYLE_ASLEEP, "asleep" },
		{ BENEATH_UNKNOWN, STYLE_TEXT_DIM, "unknown" },
	};
	const struct beneath_lanes *lanes = panel->scene->rows->beneath;
	struct stretch_sums sums;
	const char *before = "";
	if (lanes == NULL || !stretch_sum(&sums, lanes->beneath, span))
		return;
	panel_heading(panel, "kernel");
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		char duration[UNITS_TEXT];
		if (sums.times_ns[parts[i].state] == 0)
			continue;
		units_duration(duration, sums.times_ns[parts[i].state], panel->canvas->ascii);
		text_format(panel->scratch, "%s%s %s", before, parts[i].words, duration);
		if (panel_scratch_fits(panel, 0))
			panel_scratch(panel, parts[i].style);
		text_clear(panel->scratch);
		before = ", ";
	}
	if (sums.times_ns[BENEATH_READY] > 0) {
		size_t length;
		text_add_string(panel->scratch, "; ");
		length = panel->scratch->length;
		stretch_add_longest_holder(panel->scratch, &sums, lanes->beneath, panel->canvas->ascii);
		bool is_told = panel->scratch->length > length;
		text_add_string(panel->scratch, " had it");
		if (is_told && panel_scratch_fits(panel, 0))
			panel_scratch(panel, STYLE_TEXT_DIM);
		text_clear(panel->scratch);
	}
	panel_next_line(panel);
}

/* ---- of a thread, by the kernel's own words */

void
panel_write_beneath_thread(struct panel *panel, resource_ref thread)
{
	const struct beneath *beneath = panel->scene->rows->beneath->beneath;
	const struct trace *below = beneath->below;
	actor_ref task = beneath_task_at(beneath, thread, panel->scene->cursor_ns);
	struct span span;
	panel_string(panel, STYLE_DEFAULT, " ");
	if (task == REF_NONE) {
		panel_bold(panel, STYLE_TEXT_BRIGHT, "nothing is known of it");
		panel_end_title_at_cursor(panel);
		return;
	}
	name_actor(panel->scratch, below, task, panel->canvas->ascii);
	panel_bold(panel, STYLE_TEXT_BRIGHT, text_string(panel->scratch));
	text_clear(panel->scratch);
	struct lane lane = { LANE_ACTOR, task };
	if (lane_span_at(below, lane, saturating_sub_i64(panel->scene->cursor_ns, beneath->delta_ns), &span)) {
		char duration[UNITS_TEXT];
		panel_dash(panel);
		text_add_string(panel->scratch, class_name(below->words, span.time_class));
		if (span.processor != REF_NONE) {
			text_add_string(panel->scratch, " on ");
			name_processor(panel->scratch, below, span.processor);
		}
		units_duration(duration, span.end_ns - span.start_ns, panel->canvas->ascii);
		text_format(panel->scratch, " for %s", duration);
		panel_scratch(panel, strip_style((uint8_t)span.time_class));
		text_clear(panel->scratch);
	}
	panel_end_title_at_cursor(panel);
}
