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

/* Of a span that has more pieces, or of a CPU that had more turns, nothing is told: that would be milliseconds. */
enum { MOST_PIECES = 5000 };

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

struct told {
	int64_t times_ns[BENEATH_STATES];
	int64_t from_ns, until_ns; /* the longest without a CPU */
	resource_ref processor;    /* that it had been on */
};

/* False where too much happened, or nothing is known. */
static bool
look_beneath(const struct beneath *beneath, const struct span *span, struct told *told)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	int64_t from_ns = span->start_ns;
	int count = 0;
	*told = (struct told){ .processor = REF_NONE };
	beneath_begin(&walk, beneath, span->thread, span->start_ns, span->end_ns);
	while (beneath_next(&walk, &piece)) {
		if (++count > MOST_PIECES)
			return false;
		told->times_ns[piece.state] += piece.until_ns - piece.from_ns;
		if (piece.state == BENEATH_ON || piece.state == BENEATH_UNKNOWN)
			from_ns = piece.until_ns;
		else if (piece.until_ns - from_ns > told->until_ns - told->from_ns) {
			told->from_ns = from_ns;
			told->until_ns = piece.until_ns;
			told->processor = walk.processor;
		}
	}
	return told->times_ns[BENEATH_UNKNOWN] < span->end_ns - span->start_ns;
}

/* "; compile (6.71 ms) had it": who had longest the CPU that was waited for, in the longest such time. */
static void
write_holder(struct panel *panel, const struct beneath *beneath, const struct span *span, const struct told *told)
{
	const struct stretch stretch = {
		.actor = span->actor, .thread = span->thread, .from_ns = told->from_ns, .until_ns = told->until_ns
	};
	struct lane lane = { LANE_PROCESSOR, told->processor };
	struct text name = { 0 };
	struct error ignored;
	error_clear(&ignored);
	if (told->processor == REF_NONE ||
		lane_count(beneath->below, lane, saturating_sub_i64(told->from_ns, beneath->delta_ns),
			saturating_sub_i64(told->until_ns, beneath->delta_ns)) > MOST_PIECES)
		return;
	if (stretch_add_holder(&stretch, beneath, panel->canvas->ascii, &name, &ignored) && name.length > 0) {
		text_add_string(panel->scratch, "; ");
		text_add_safe(panel->scratch, name.bytes, name.length, panel->canvas->ascii);
		text_add_string(panel->scratch, " had it");
		if (panel_scratch_fits(panel, 0))
			panel_scratch(panel, STYLE_TEXT_DIM);
		text_clear(panel->scratch);
	}
	text_release(&name);
}

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
	struct told told;
	const char *before = "";
	if (lanes == NULL || span->kind == NULL || span->thread == REF_NONE ||
		(span->kind->state != STATE_RUNNING && span->kind->state != STATE_SYSCALL) ||
		!look_beneath(lanes->beneath, span, &told))
		return;
	panel_heading(panel, "kernel");
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		char duration[UNITS_TEXT];
		if (told.times_ns[parts[i].state] == 0)
			continue;
		units_duration(duration, told.times_ns[parts[i].state], panel->canvas->ascii);
		text_format(panel->scratch, "%s%s %s", before, parts[i].words, duration);
		if (panel_scratch_fits(panel, 0))
			panel_scratch(panel, parts[i].style);
		text_clear(panel->scratch);
		before = ", ";
	}
	if (told.times_ns[BENEATH_READY] > 0)
		write_holder(panel, lanes->beneath, span, &told);
	panel_next_line(panel);
}
