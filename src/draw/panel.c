/* The panel: the rule above it, and which words belong to which row. */
#include "draw/panel.h"

#include <inttypes.h>

#include "base/checked.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/parts_words.h"
#include "draw/strip_glyph.h"
#include "draw/task_rows.h"
#include "draw/task_words.h"
#include "draw/time_form.h"
#include "trace/lane.h"
#include "trace/words.h"

enum { MARGIN_CELLS = 1, HEADING_CELLS = 8, TITLE_CELL = 2 };

/* ---- the pen */

int
panel_lines_left(const struct panel *panel)
{
	return panel->end_y - panel->y;
}

void
panel_next_line(struct panel *panel)
{
	panel->y++;
	panel->x = MARGIN_CELLS;
}

static void
write_string(struct panel *panel, struct cell_style style, const char *string, size_t length)
{
	if (panel->y < panel->end_y && panel->x < panel->end_x)
		panel->x += canvas_bytes(panel->canvas,
			(struct cell_run){ panel->x, panel->y, panel->end_x - panel->x }, style,
			string, length);
}

void
panel_string(struct panel *panel, uint8_t style, const char *string)
{
	write_string(panel, (struct cell_style){ .fg = style }, string, strlen(string));
}

void
panel_words(struct panel *panel, uint8_t style, const char *pattern)
{
	text_add_words(panel->scratch, panel->scene->trace->words, pattern);
	panel_scratch(panel, style);
}

void
panel_title(struct panel *panel, const char *pattern)
{
	panel_string(panel, STYLE_DEFAULT, " ");
	text_add_words(panel->scratch, panel->scene->trace->words, pattern);
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
}

void
panel_bold(struct panel *panel, uint8_t style, const char *string)
{
	struct cell_style bold = { .fg = style, .attributes = CELL_BOLD };
	write_string(panel, bold, string, strlen(string));
}

void
panel_scratch(struct panel *panel, uint8_t style)
{
	if (panel->scratch->length > 0)
		write_string(panel, (struct cell_style){ .fg = style }, panel->scratch->bytes,
			panel->scratch->length);
	text_clear(panel->scratch);
}

void
panel_scratch_bold(struct panel *panel, uint8_t style)
{
	struct cell_style bold = { .fg = style, .attributes = CELL_BOLD };
	if (panel->scratch->length > 0)
		write_string(panel, bold, panel->scratch->bytes, panel->scratch->length);
	text_clear(panel->scratch);
}

int
panel_scratch_cells(const struct panel *panel)
{
	if (panel->scratch->length == 0)
		return 0;
	return (int)text_width(panel->scratch->bytes, panel->scratch->length);
}

bool
panel_scratch_fits(const struct panel *panel, int cells_more)
{
	return panel_scratch_cells(panel) + cells_more <= panel->end_x - panel->x;
}

void
panel_column(struct panel *panel, int x)
{
	if (panel->x < x)
		panel->x = x;
}

void
panel_dash(struct panel *panel)
{
	panel_string(panel, STYLE_RULE, panel->canvas->ascii ? " - " : " ─ ");
}

void
panel_heading(struct panel *panel, const char *word)
{
	panel_string(panel, STYLE_TEXT_DIM, word);
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_column(panel, MARGIN_CELLS + HEADING_CELLS);
}

void
panel_lane_name(struct panel *panel, struct lane lane)
{
	const struct trace *trace = panel->scene->trace;
	bool ascii = panel->canvas->ascii;
	switch (lane.type) {
	case LANE_PROCESSOR:
		name_processor(panel->scratch, trace, lane.ref);
		break;
	case LANE_THREAD:
		text_format_words(panel->scratch, trace->words, "{thread} %" PRId64,
			trace_thread(trace, lane.ref)->id);
		break;
	case LANE_ACTOR:
		name_actor(panel->scratch, trace, lane.ref, ascii);
		break;
	case LANE_GROUP:
		name_group(panel->scratch, trace, lane.ref, SIZE_MAX / 2, ascii);
		break;
	case LANE_ALL:
		text_add_words(panel->scratch, trace->words, "{Actors}");
		break;
	case LANE_GC:
	case LANE_STW:
		text_add_string(panel->scratch, name_range_lane(lane));
		break;
	case LANE_TASK:
		task_words_name(panel->scratch, trace, lane.ref, ascii);
		break;
	}
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
}

void
panel_duration(struct panel *panel, uint8_t style, int64_t duration_ns)
{
	char text[UNITS_TEXT];
	units_duration(text, duration_ns, panel->canvas->ascii);
	panel_string(panel, style, text);
}

static struct time_form
form_of(const struct panel *panel)
{
	return time_form_of(panel->scene->trace, panel->scene->is_wall, panel->canvas->ascii);
}

void
panel_moment(struct panel *panel, int64_t t_ns, int64_t step_ns)
{
	char text[UNITS_TEXT];
	time_form_write(text, form_of(panel), t_ns, step_ns > 0 ? step_ns : 1, t_ns);
	panel_string(panel, STYLE_DEFAULT, text);
}

/* Where the whole does not fit the duration alone is told, and nothing where that would be cut. */
void
panel_interval(struct panel *panel, int64_t start_ns, int64_t end_ns)
{
	enum { STEPS = 100 };
	struct time_form form = form_of(panel);
	int64_t step_ns = (end_ns - start_ns) / STEPS;
	char from[UNITS_TEXT], to[UNITS_TEXT], duration[UNITS_TEXT];
	time_form_write(from, form, start_ns, step_ns > 0 ? step_ns : 1, end_ns);
	time_form_write(to, form, end_ns, step_ns > 0 ? step_ns : 1, end_ns);
	units_duration(duration, end_ns - start_ns, panel->canvas->ascii);
	text_format(panel->scratch, "%s to %s (%s)",
		start_ns == 0 && form.wall == NULL ? "0" : from, to, duration);
	if (!panel_scratch_fits(panel, 0)) {
		text_clear(panel->scratch);
		text_add_string(panel->scratch, duration);
	}
	if (!panel_scratch_fits(panel, 0))
		text_clear(panel->scratch);
	panel_scratch(panel, STYLE_DEFAULT);
}

/* ---- shares */

/* The class with most time, which then counts no more; CLASS_GONE when all are done. */
static int
take_largest(int64_t left_ns[CLASS_COUNT])
{
	int largest = CLASS_GONE;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		if (left_ns[i] > 0 && (largest == CLASS_GONE || left_ns[i] > left_ns[largest]))
			largest = i;
	}
	return largest;
}

void
panel_class_counts(struct panel *panel, const int64_t counts[CLASS_COUNT])
{
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		char count[UNITS_TEXT];
		if (counts[i] == 0)
			continue;
		units_count(count, (uint64_t)counts[i]);
		text_format(panel->scratch, "%s %s", count, class_name(panel->scene->trace->words, (enum time_class)i));
		if (!panel_scratch_fits(panel, 0)) {
			text_clear(panel->scratch);
			return;
		}
		panel_scratch(panel, strip_style((uint8_t)i));
		panel_string(panel, STYLE_DEFAULT, "   ");
	}
}

void
panel_shares(struct panel *panel, const int64_t totals_ns[CLASS_COUNT], const struct panel_parts *parts)
{
	int64_t lived_ns = 0, cell_ns = panel->until_ns - panel->from_ns;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		lived_ns = saturating_add_i64(lived_ns, totals_ns[i]);
	panel_shares_of(panel, totals_ns, parts, lived_ns > cell_ns ? lived_ns : cell_ns);
}

/* What does not fit in the line, the least of it all, is left out. */
void
panel_shares_of(struct panel *panel, const int64_t totals_ns[CLASS_COUNT], const struct panel_parts *parts,
	int64_t whole_ns)
{
	int64_t left_ns[CLASS_COUNT];
	for (int i = 0; i < CLASS_COUNT; i++)
		left_ns[i] = i == CLASS_GONE ? 0 : totals_ns[i];
	int largest;
	while ((largest = take_largest(left_ns)) != CLASS_GONE) {
		char share[UNITS_TEXT], duration[UNITS_TEXT];
		units_share(share, left_ns[largest], whole_ns);
		units_duration(duration, left_ns[largest], panel->canvas->ascii);
		text_format(
			panel->scratch, "%s %s", class_name(panel->scene->trace->words, (enum time_class)largest), duration);
		if (!panel_scratch_fits(panel, 1 + (int)strlen(share))) {
			text_clear(panel->scratch);
			return;
		}
		panel_scratch(panel, strip_style((uint8_t)largest));
		text_format(panel->scratch, " %s", share);
		panel_scratch(panel, STYLE_TEXT_DIM);
		if (parts != NULL)
			panel_write_parts(panel, (enum time_class)largest, parts);
		panel_string(panel, STYLE_DEFAULT, "   ");
		left_ns[largest] = 0;
	}
}

/* ---- which words */

static void
write_task(struct panel *panel, task_ref task)
{
	const struct task_lane *lane = task_rows_lane(panel->scene->rows->tasks, task);
	if (lane != NULL)
		panel_write_task(panel, lane);
}

static void
write_row(struct panel *panel, const struct row *row)
{
	struct lane lane;
	bool has_lane = row_lane(panel->scene->rows, panel->scene->cursor_row, &lane);
	bool is_slices = row->type == ROW_SLICES || row->type == ROW_PROCESSOR_SLICES;
	if (panel->scene->has_mark && !is_slices) {
		panel_write_marked(panel, row, has_lane ? &lane : NULL);
		return;
	}
	switch ((enum row_type)row->type) {
	case ROW_ACTORS:
	case ROW_THREADS:
		panel_write_counts(panel, row);
		return;
	case ROW_HEAP:
	case ROW_HEAP_UPPER:
		panel_write_heap(panel, row);
		return;
	case ROW_GAUGE:
		panel_write_gauge(panel, row);
		return;
	case ROW_WAKES:
		panel_write_wakes(panel, row);
		return;
	case ROW_SAMPLES:
		panel_write_samples(panel, row);
		return;
	case ROW_STACK:
		panel_write_stack_row(panel, row);
		return;
	case ROW_SECTION:
		if (row_is_open(panel->scene->rows, panel->scene->cursor_row) ||
			!panel_write_folded(panel, (enum row_section)row->ref))
			panel_write_section(panel, row);
		return;
	case ROW_STEP:
		panel_write_step(panel, row);
		return;
	case ROW_REGIONS:
		panel_write_region(panel, row);
		return;
	case ROW_SLICES:
	case ROW_PROCESSOR_SLICES:
		panel_write_slice(panel);
		return;
	case ROW_TASK:
		write_task(panel, row->ref);
		return;
	case ROW_LOGS:
		panel_write_logs(panel, row);
		return;
	case ROW_GROUP:
		panel_write_group(panel, lane);
		return;
	case ROW_GC:
	case ROW_STW:
		panel_write_ranges(panel, lane);
		return;
	case ROW_PROCESSOR:
	case ROW_THREAD:
	case ROW_ACTOR:
		if (has_lane)
			panel_write_lane(panel, lane);
		return;
	case ROW_BENEATH:
		panel_write_beneath_thread(panel, row->ref);
		return;
	case ROW_TYPE_COUNT:
		return;
	}
}

static void
draw_rule(struct panel *panel)
{
	const struct cell_style style = { .fg = STYLE_RULE };
	for (int x = 0; x < panel->canvas->width; x++)
		canvas_put(panel->canvas, x, panel->y, style, panel->canvas->ascii ? "-" : "─");
}

/* What the cell under the cursor lacks stands on the last line, whatever the row. */
static void
write_damage(struct panel *panel)
{
	const struct trace *trace = panel->scene->trace;
	const struct damage *damage =
		damage_map_find(&trace->damage, panel->from_ns, panel->until_ns);
	int first_y = panel->y, first_x = panel->x;
	if (damage == NULL || panel_lines_left(panel) < 2)
		return;
	panel->y = panel->end_y - 1;
	panel->x = MARGIN_CELLS;
	panel_bold(panel, STYLE_ALERT, "damaged: ");
	damage_add_warning(panel->scratch, damage,
		(struct viewport){ panel->from_ns, panel->until_ns }, trace->end_ns,
		form_of(panel));
	panel_scratch(panel, STYLE_DEFAULT);
	panel->end_y--;
	panel->y = first_y;
	panel->x = first_x;
}

/* Where nothing is loaded there is nothing to say of a row; false elsewhere. */
static bool
write_part(struct panel *panel)
{
	const struct parts *parts = &panel->scene->trace->parts;
	if (parts_extent(parts, panel->from_ns, panel->until_ns) != PARTS_NOT_LOADED)
		return false;
	panel_bold(panel, STYLE_TEXT_BRIGHT, "not loaded: ");
	parts_add_part(panel->scratch, parts_at(parts, panel->scene->cursor_ns));
	panel_scratch(panel, STYLE_DEFAULT);
	return true;
}

void
panel_draw(const struct timeline_scene *scene, const struct timeline_layout *layout,
	struct text *scratch, struct canvas *canvas)
{
	int cell = viewport_cell(scene->viewport, layout->cells, scene->cursor_ns);
	int64_t t0_ns = scene->viewport.t0_ns, t1_ns = scene->viewport.t1_ns;
	struct panel panel = {
		.scene = scene,
		.canvas = canvas,
		.scratch = scratch,
		.from_ns = lane_edge(t0_ns, t1_ns, layout->cells, cell),
		.until_ns = lane_edge(t0_ns, t1_ns, layout->cells, cell + 1),
		.extent = "this cell",
		.x = TITLE_CELL,
		.y = layout->panel_y,
		.end_x = layout->width - MARGIN_CELLS,
		.end_y = layout->panel_y + layout->panel_lines,
	};
	if (scene->has_mark) {
		panel.from_ns = scene->marked_from_ns;
		panel.until_ns = scene->marked_until_ns;
		panel.extent = "the interval";
	}
	text_clear(scratch);
	draw_rule(&panel);
	write_damage(&panel);
	if (write_part(&panel) || scene->cursor_row >= scene->rows->count)
		return;
	write_row(&panel, &scene->rows->items[scene->cursor_row]);
}
