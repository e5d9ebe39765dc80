/* The panel on the lane of a task. */

#include "base/units.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/strip_glyph.h"
#include "draw/task_rows.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/words.h"

static void
write_title(struct panel *panel, const struct task_lane *lane)
{
	panel_string(panel, STYLE_DEFAULT, " ");
	task_words_name(panel->scratch, panel->scene->trace, lane->life.task, panel->canvas->ascii);
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
	panel_dash(panel);
	panel_interval(panel, lane->life.start_ns, lane->life.end_ns);
	task_words_open(panel->scratch, panel->scene->trace, lane->life.task);
	panel_scratch(panel, STYLE_TEXT_DIM);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
}

/* "now   chan receive for 12 ms in G7 main.handle" */
static void
write_now(struct panel *panel, const struct task_life *life)
{
	size_t at = task_life_at(life, panel->scene->cursor_ns);
	if (at == SIZE_MAX)
		return;
	const struct task_piece *piece = &life->pieces[at];
	uint8_t style = strip_style(piece->time_class);
	panel_heading(panel, "now");
	if (piece->kind != NULL && piece->kind->reason != STRING_EMPTY)
		name_string(panel->scratch, panel->scene->trace, piece->kind->reason,
			panel->canvas->ascii);
	else
		text_add_string(panel->scratch, task_words_class(panel->scene->trace->words, piece->time_class));
	panel_scratch(panel, style);
	panel_string(panel, STYLE_TEXT_DIM, " for ");
	panel_duration(panel, STYLE_DEFAULT, task_piece_end_ns(life, at) - piece->start_ns);
	if (piece->actor != REF_NONE) {
		panel_string(panel, STYLE_TEXT_DIM, " in ");
		name_actor(panel->scratch, panel->scene->trace, piece->actor,
			panel->canvas->ascii);
		panel_scratch(panel, STYLE_DEFAULT);
	}
	if (piece->is_own_wait)
		panel_string(panel, STYLE_TEXT_DIM, ", for another one of the task");
	panel_next_line(panel);
}

static void
write_shares(struct panel *panel, const char *word, const struct task_life *life, int64_t t0_ns,
	int64_t t1_ns)
{
	int64_t totals_ns[CLASS_COUNT], from_ns = panel->from_ns, until_ns = panel->until_ns;
	task_life_totals(life, t0_ns, t1_ns, totals_ns);
	panel_heading(panel, word);
	panel->from_ns = t0_ns;
	panel->until_ns = t1_ns;
	panel_shares(panel, totals_ns, NULL);
	panel->from_ns = from_ns;
	panel->until_ns = until_ns;
	panel_next_line(panel);
}

static void
write_work(struct panel *panel, const struct task_lane *lane)
{
	char count[UNITS_TEXT];
	panel_heading(panel, "work");
	units_count(count, lane->life.actor_count);
	text_format_words(panel->scratch, panel->scene->trace->words,
		lane->life.actor_count == 1 ? "%s {actor}" : "%s {actors}", count);
	if (lane->life.family_count > 1) {
		units_count(count, lane->life.family_count - 1);
		text_format_words(panel->scratch, panel->scene->trace->words,
			lane->life.family_count == 2 ? "   %s {task} below" : "   %s {tasks} below",
			count);
	}
	if (lane->log_count > 0) {
		units_count(count, lane->log_count);
		text_format(
			panel->scratch, "   %s %s", count, lane->log_count == 1 ? "log" : "logs");
	}
	panel_scratch(panel, STYLE_DEFAULT);
	panel_next_line(panel);
}

/* The first log of the cell. */
static void
write_log(struct panel *panel, const struct task_lane *lane)
{
	const struct trace *trace = panel->scene->trace;
	size_t at = instants_before(trace, lane->logs, lane->log_count, panel->from_ns);
	if (at == lane->log_count ||
		trace_instant(trace, lane->logs[at])->time_ns >= panel->until_ns)
		return;
	panel_heading(panel, "log");
	task_words_log(panel->scratch, trace, lane->logs[at], panel->canvas->ascii);
	panel_scratch(panel, STYLE_MARK);
	panel_next_line(panel);
}

void
panel_write_task(struct panel *panel, const struct task_lane *lane)
{
	const struct task_life *life = &lane->life;
	write_title(panel, lane);
	write_now(panel, life);
	write_shares(panel, "all", life, life->start_ns, life->end_ns);
	write_log(panel, lane);
	write_work(panel, lane);
	write_shares(panel, "cell", life, panel->from_ns, panel->until_ns);
}

void
panel_write_task_shares(struct panel *panel, const struct task_lane *lane)
{
	write_shares(panel, "time", &lane->life, panel->from_ns, panel->until_ns);
}
