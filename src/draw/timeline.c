/* The timeline: its parts put on one canvas. */
#include "draw/timeline.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/flow_marks.h"
#include "draw/names.h"
#include "draw/panel.h"
#include "draw/parts_words.h"
#include "draw/path_row.h"
#include "draw/ruler.h"
#include "draw/timeline_internal.h"
#include "draw/verdict_line.h"
#include "trace/notes.h"
#include "trace/words.h"

/* ---- title */

enum { OVERVIEW_SHARE = 6, FEWEST_OVERVIEW_CELLS = 8, PERCENT_CELLS = 7, TITLE_GAP = 3 };

static int
draw_overview(const struct timeline_scene *scene, struct overview *overview, struct canvas *canvas)
{
	const struct cell_style style = { .fg = STYLE_TEXT_DIM, .bg = STYLE_BAR };
	int cells = canvas->width / OVERVIEW_SHARE;
	if (cells > OVERVIEW_MOST_CELLS)
		cells = OVERVIEW_MOST_CELLS;
	if (cells < FEWEST_OVERVIEW_CELLS)
		return canvas->width;
	int x = canvas->width - cells - PERCENT_CELLS;
	char share[UNITS_TEXT];
	int64_t whole_ns = viewport_whole(viewport_extent(scene->trace->end_ns), 1).t1_ns;
	int64_t span_ns = viewport_span(scene->viewport);
	units_share(share, span_ns < whole_ns ? span_ns : whole_ns, whole_ns);
	overview_fill(overview, scene->trace, scene->rows->renewals, cells);
	overview_draw(canvas, x, 0, overview, scene->viewport);
	canvas_string(canvas, x + cells + 1, 0, PERCENT_CELLS - 1, style, share);
	return x;
}

/* What is known of the whole trace, the most telling first; nothing is shown in part. */
static void
draw_facts(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct trace *trace = scene->trace;
	char duration[UNITS_TEXT], count[UNITS_TEXT], facts[5][UNITS_TEXT + 16];
	struct text text = { 0 };
	struct time_form form = time_form_of(trace, scene->is_wall, canvas->ascii);
	units_duration(duration, trace->end_ns, canvas->ascii);
	if (form.wall != NULL)
		clock_date(facts[0], wall_clock_at(form.wall, scene->viewport.t0_ns));
	static const char *const clocks[] = {
		[TRACE_CLOCK_LAID_OUT] = " laid out",
		[TRACE_CLOCK_TICKS] = " of ticks",
		[TRACE_CLOCK_STAMPS] = "",
		[TRACE_CLOCK_NONE] = "",
	};
	snprintf(facts[1], sizeof facts[1], "%s%s", duration, clocks[trace->clock]);
	units_count(count, trace_actor_count(trace));
	text_format_words(&text, trace->words,
		trace_actor_count(trace) == 1 ? "%s {actor}" : "%s {actors}", count);
	snprintf(facts[2], sizeof facts[2], "%s", text_string(&text));
	text_clear(&text);
	units_count(count, trace_processor_count(trace));
	if (trace->words->processor.one != NULL)
		text_format_words(&text, trace->words,
			trace_processor_count(trace) == 1 ? "%s {processor}" : "%s {processors}",
			count);
	snprintf(facts[3], sizeof facts[3], "%s", text_string(&text));
	text_release(&text);
	snprintf(facts[4], sizeof facts[4], "go1.%" PRIu32, trace->go_minor);

	size_t fact_count = ARRAY_LENGTH(facts) - (trace->go_minor == 0);
	for (size_t i = form.wall == NULL; i < fact_count; i++) {
		const struct cell_style style = { .fg = STYLE_TEXT_DIM, .bg = STYLE_BAR };
		int width = (int)text_width(facts[i], strlen(facts[i]));
		if (width == 0)
			continue;
		if (x + TITLE_GAP + width > end - 1)
			return;
		canvas_string(canvas, x + TITLE_GAP, 0, width, style, facts[i]);
		x += TITLE_GAP + width;
	}
}

/* The file's name, ending in dots where it is longer than the room. */
static int
draw_name(const struct timeline_scene *scene, struct canvas *canvas, int room)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	const char *dots = canvas->ascii ? ".." : "…";
	int dot_cells = (int)text_width(dots, strlen(dots)), x = 1;
	if ((int)text_width(scene->file_name, strlen(scene->file_name)) <= room)
		return x + canvas_string(canvas, x, 0, room, style, scene->file_name);
	x += canvas_string(canvas, x, 0, room - dot_cells, style, scene->file_name);
	return x + canvas_string(canvas, x, 0, dot_cells, style, dots);
}

/* "damaged: 2 places, 1.2 MiB lost", or the first word alone; of a warning nothing more. */
static int
draw_damage(const struct timeline_scene *scene, struct timeline_buffers *buffers,
	struct canvas *canvas, int x, int end)
{
	bool is_loss = damage_map_places(&scene->trace->damage) > 0;
	const char *word = damage_word(&scene->trace->damage);
	const struct cell_style alert = { STYLE_ALERT, STYLE_BAR, CELL_BOLD };
	struct text *text = &buffers->scratch;
	text_clear(text);
	text_format(text, "%s: ", word);
	damage_add_sum(text, &scene->trace->damage);
	bool fits = is_loss && !text->failed && x + (int)text_width(text->bytes, text->length) < end;
	return x + canvas_string(canvas, x, 0, end - x - 1, alert, fits ? text->bytes : word);
}

/* "not loaded: 12 generations, 104 MiB", or nothing of it where it does not fit. */
static int
draw_parts(const struct timeline_scene *scene, struct timeline_buffers *buffers,
	struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	struct text *text = &buffers->scratch;
	text_clear(text);
	parts_add_sum(text, &scene->trace->parts);
	int width = (int)text_width(text->bytes, text->length);
	if (text->failed || width == 0 || x + TITLE_GAP + width > end - 1)
		return x;
	return x + TITLE_GAP +
	       canvas_text(canvas, x + TITLE_GAP, 0, width, style, text);
}

/* How much of the trace is there, or nothing of it where it does not fit. */
static int
draw_loading(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	int width = (int)text_width(scene->loading, strlen(scene->loading));
	if (x + TITLE_GAP + width > end - 1)
		return x;
	return x + TITLE_GAP + canvas_string(canvas, x + TITLE_GAP, 0, width, style, scene->loading);
}

/* "A to B 35.7 ms", or nothing of it where it does not fit. */
static int
draw_between(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	const struct notes *notes = scene->notes;
	char text[UNITS_TEXT + 8], length[UNITS_TEXT];
	if (notes == NULL || !notes->has_mark[MARK_A] || !notes->has_mark[MARK_B])
		return x;
	units_duration(length, notes->mark_ns[MARK_B] - notes->mark_ns[MARK_A], canvas->ascii);
	snprintf(text, sizeof text, "A to B %s", length);
	int width = (int)text_width(text, strlen(text));
	if (x + TITLE_GAP + width > end - 1)
		return x;
	return x + TITLE_GAP + canvas_string(canvas, x + TITLE_GAP, 0, width, style, text);
}

/* "only 3 rows: state=blocked": what it leaves comes first, so that a long query never cuts that. */
static int
draw_filter(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct filter *filter = &scene->filter;
	uint8_t color = filter->rows_left == 0 ? STYLE_ALERT : STYLE_KEY;
	const struct cell_style style = { color, STYLE_BAR, CELL_BOLD };
	char what[UNITS_TEXT + 24], count[UNITS_TEXT];
	const char *rows = filter->rows_left == 1 ? "row" : "rows";
	units_count(count, filter->rows_left);
	if (filter->rows_left == SIZE_MAX)
		snprintf(what, sizeof what, filter->hides ? "only: " : "filter: ");
	else if (filter->rows_left == 0)
		snprintf(what, sizeof what, filter->hides ? "no rows left: " : "all rows dim: ");
	else if (filter->hides)
		snprintf(what, sizeof what, "only %s %s: ", count, rows);
	else
		snprintf(what, sizeof what, "all but %s %s dim: ", count, rows);
	int from = x + TITLE_GAP;
	x = from + canvas_string(canvas, from, 0, end - from - 1, style, what);
	return x + canvas_string(canvas, x, 0, end - x - 1, style, filter->words);
}

/* "3 hidden", nothing for none, or where it does not fit. */
static int
draw_picks(
	const struct row_picks *picks, const char *what, struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	char words[UNITS_TEXT + 8], count[UNITS_TEXT];
	if (picks == NULL || picks->count == 0)
		return x;
	units_count(count, picks->count);
	snprintf(words, sizeof words, "%s %s", count, what);
	int width = (int)strlen(words);
	if (x + TITLE_GAP + width > end - 1)
		return x;
	return x + TITLE_GAP + canvas_string(canvas, x + TITLE_GAP, 0, width, style, words);
}

/* "46 around G17, 2 steps", nothing where others are shown. */
static int
draw_interacts(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	const struct timeline_rows *rows = scene->rows;
	const struct interacts_plan *plan = &rows->interacts.plan;
	struct text words = { 0 };
	char count[UNITS_TEXT];
	if (rows->interacts.away == NULL || rows->shows_tasks || rows->focus.actor != REF_NONE)
		return x;
	units_count(count, rows->interacts.count - 1);
	text_format(&words, "%s around ", count);
	name_actor_id(&words, scene->trace, plan->actor);
	text_format(&words, ", %" PRIu32 " %s", plan->steps,
		plan->only_wakers  ? "of wakers"
		: plan->steps == 1 ? "step"
				   : "steps");
	x += TITLE_GAP;
	x += canvas_string(canvas, x, 0, end - x - 1, style, text_string(&words));
	text_release(&words);
	return x;
}

/* "by creator, sort: wait", as much of it as fits. */
static int
draw_plan(const struct timeline_scene *scene, struct canvas *canvas, int x, int end)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	const struct arrange_plan *plan = &scene->plan;
	char words[80], group[30] = "", sort[30] = "";
	x = draw_interacts(scene, canvas, x, end);
	x = draw_picks(scene->rows->hidden, "hidden", canvas, x, end);
	x = draw_picks(scene->rows->pinned, "pinned", canvas, x, end);
	if (arrange_plan_is_usual(*plan))
		return x;
	if (plan->by != GROUP_BY_NAME)
		snprintf(group, sizeof group, "by %s", group_by_words[plan->by]);
	if (plan->sort != LANES_AS_USUAL)
		snprintf(sort, sizeof sort, "sort: %s", lane_sort_words[plan->sort]);
	snprintf(words, sizeof words, "%s%s%s", group, *group && *sort ? ", " : "", sort);
	x += TITLE_GAP;
	return x + canvas_string(canvas, x, 0, end - x - 1, style, words);
}

/* That a long name leaves for what is known, and for what a filter does. */
enum { LEAST_FACT_CELLS = 24, LEAST_FILTER_CELLS = 40 };

static void
draw_title(const struct timeline_scene *scene, struct timeline_buffers *buffers,
	struct canvas *canvas)
{
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	int end = draw_overview(scene, &buffers->overview, canvas);
	int room = end - 2, before_filter = end;
	if (scene->filter.search != NULL) {
		room = room - LEAST_FILTER_CELLS > room / 3 ? room - LEAST_FILTER_CELLS : room / 3;
		before_filter = end - LEAST_FILTER_CELLS;
	} else if (room > 2 * LEAST_FACT_CELLS) {
		room -= LEAST_FACT_CELLS;
	}
	int x = draw_name(scene, canvas, room);
	if (scene->loading != NULL)
		x = draw_loading(scene, canvas, x, before_filter);
	if (scene->trace->damage.count > 0)
		x = draw_damage(scene, buffers, canvas, x + TITLE_GAP - 1, before_filter);
	x = draw_parts(scene, buffers, canvas, x, before_filter);
	if (scene->filter.search != NULL)
		x = draw_filter(scene, canvas, x, end);
	x = draw_between(scene, canvas, x, end);
	x = draw_plan(scene, canvas, x, end);
	draw_facts(scene, canvas, x, end);
}

/* ---- beside the rows */

/* Which rows are on screen, left of the ruler, where not all are. */
static void
draw_scroll_position(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	char text[4 * UNITS_TEXT], first[UNITS_TEXT], last[UNITS_TEXT], count[UNITS_TEXT];
	int lines = frame->layout.row_lines - frame->layout.pinned_lines;
	size_t end = scene->first_row + (size_t)lines;
	if ((size_t)frame->layout.row_lines >= scene->rows->count)
		return;
	units_count(first, scene->first_row + 1);
	units_count(last, end < scene->rows->count ? end : scene->rows->count);
	units_count(count, scene->rows->count);
	snprintf(text, sizeof text, "rows %s-%s of %s", first, last, count);
	int room = frame->layout.label_cells - 2, width = (int)strlen(text);
	const char *shown = width <= room ? text : text + strlen("rows ");
	canvas_string(frame->canvas, 1, frame->layout.title_lines, room,
		(struct cell_style){ .fg = STYLE_TEXT_DIM }, shown);
}

static void
draw_path(struct frame *frame)
{
	const struct timeline_layout *layout = &frame->layout;
	const struct path_row row = {
		.x = layout->label_cells,
		.y = layout->title_lines + layout->ruler_lines,
		.cells = layout->cells,
		.trace = frame->scene->trace,
		.path = frame->scene->path,
		.viewport = frame->scene->viewport,
	};
	canvas_string(frame->canvas, 1, row.y, layout->label_cells - 2,
		(struct cell_style){ .fg = STYLE_TEXT_BRIGHT }, "critical path");
	path_row_draw(frame->canvas, &row, &frame->buffers->scratch);
}

/* ---- cursor */

/* The ground of what is not solid gives way to the cursor's. */
static void
lay_under(struct canvas *canvas, int x, int y, uint8_t ground)
{
	struct cell *cell = canvas_at(canvas, x, y);
	if (cell == NULL)
		return;
	if (cell->bg == STYLE_DEFAULT || cell->bg >= STYLE_FAINT)
		cell->bg = ground;
}

/* Where the cell is solid its glyph gives way, its colour stays as a hairline or as text. */
static void
lay_crossing(struct cell *cell)
{
	bool is_name = cell->fg == STYLE_INK;
	bool is_full = cell->bg == STYLE_DEFAULT && strcmp(cell->text, "▇") == 0;
	if (is_name)
		cell->fg = STYLE_TEXT_BRIGHT;
	if (is_full)
		cell->attributes ^= CELL_REVERSE;
	cell->bg = STYLE_CURSOR_CELL;
}

static void
draw_cursor(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	const struct timeline_layout *layout = &frame->layout;
	int cell = viewport_cell(scene->viewport, layout->cells, scene->cursor_ns);
	int column = layout->label_cells + cell;
	int line = timeline_line_of(layout, scene->first_row, scene->cursor_row);
	int row = line < 0 ? layout->panel_y : layout->rows_y + line;
	for (int y = layout->title_lines; y < layout->panel_y; y++) {
		if (y != row)
			lay_under(frame->canvas, column, y, STYLE_CURSOR);
	}
	struct cell *crossing = canvas_at(frame->canvas, column, row);
	if (row >= layout->panel_y || crossing == NULL)
		return;
	lay_crossing(crossing);
	canvas_underlay(frame->canvas, 0, row, layout->width, STYLE_CURSOR_ROW);
}

/* What stays on top is told from what scrolls, but for the selected row. */
static void
lay_under_pins(struct frame *frame)
{
	const struct timeline_layout *layout = &frame->layout;
	for (int line = 0; line < layout->pinned_lines; line++)
		canvas_underlay(frame->canvas, 0, layout->rows_y + line, layout->label_cells,
			STYLE_BAR);
}

/* ---- the marked interval */

/* An end of it on the ruler, where it is on screen. */
static void
draw_mark_end(struct frame *frame, int64_t t_ns, const char *glyph)
{
	const struct cell_style style = { STYLE_TEXT_BRIGHT, STYLE_SELECTION, CELL_BOLD };
	const struct timeline_layout *layout = &frame->layout;
	struct viewport viewport = frame->scene->viewport;
	if (t_ns >= viewport.t0_ns && t_ns < viewport.t1_ns)
		canvas_put(frame->canvas,
			layout->label_cells + viewport_cell(viewport, layout->cells, t_ns),
			layout->title_lines, style, glyph);
}

static void
draw_marked(struct frame *frame)
{
	const struct timeline_layout *layout = &frame->layout;
	struct viewport viewport = frame->scene->viewport;
	int64_t from_ns = frame->scene->marked_from_ns, until_ns = frame->scene->marked_until_ns;
	if (!frame->scene->has_mark)
		return;
	int64_t last_ns = until_ns > from_ns ? until_ns - 1 : from_ns;
	if (from_ns < viewport.t1_ns && last_ns >= viewport.t0_ns) {
		int first = viewport_cell(viewport, layout->cells, from_ns);
		int cells = viewport_cell(viewport, layout->cells, last_ns) - first + 1;
		for (int y = layout->title_lines; y < layout->panel_y; y++)
			canvas_underlay(frame->canvas, layout->label_cells + first, y, cells,
				STYLE_SELECTION);
	}
	if (layout->ruler_lines == 0 || frame->scene->is_between)
		return;
	draw_mark_end(frame, last_ns, "]");
	draw_mark_end(frame, from_ns, "[");
}

/* ---- the whole */

static void
prepare(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	frame->source = (struct strip_source){
		.trace = scene->trace,
		.moments = &scene->rows->moments,
		.samples = &scene->rows->samples,
		.assists = &scene->rows->assists,
		.beneath = scene->rows->beneath,
		.others = scene->rows->others,
		.search = scene->search,
		.viewport = scene->viewport,
	};
}

enum rows_size
timeline_rows_size(int height)
{
	return height >= TIMELINE_TALL ? ROWS_TALL : height >= TIMELINE_USUAL ? ROWS_USUAL : ROWS_SMALL;
}

void
timeline_heading_draw(const struct timeline_pane *pane, struct canvas *canvas)
{
	const struct cell_style name = { pane->is_active ? STYLE_TEXT_BRIGHT : STYLE_DEFAULT, STYLE_BAR,
		pane->is_active ? CELL_BOLD : 0 };
	const struct cell_style heading = { pane->is_alert ? STYLE_ALERT : STYLE_TEXT_DIM, STYLE_BAR, 0 };
	const struct cell_style mark = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	int x = 1, width = canvas->width;
	canvas_ground(canvas, 0, pane->y, width, STYLE_BAR);
	if (pane->is_active)
		canvas_string(canvas, 0, pane->y, 1, mark, canvas->ascii ? ">" : "\u258c");
	x += canvas_string(canvas, x, pane->y, width - x, name, pane->name);
	canvas_string(canvas, x + TITLE_GAP, pane->y, width - x - TITLE_GAP, heading, pane->heading);
}

/* What is there once for all panes: title and ruler. */
static void
draw_top(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	const struct timeline_layout *layout = &frame->layout;
	struct canvas *canvas = frame->canvas;
	if (layout->title_lines > 0)
		draw_title(scene, frame->buffers, canvas);
	if (layout->ruler_lines == 0)
		return;
	ruler_hatch(canvas, layout->label_cells, layout->title_lines, layout->cells, scene->viewport,
		&scene->trace->damage);
	if (scene->notes != NULL)
		ruler_note(canvas, layout->label_cells, layout->title_lines, layout->cells, scene->viewport,
			scene->notes);
	ruler_draw(canvas, layout->label_cells, layout->title_lines, layout->cells, scene->viewport,
		time_form_of(scene->trace, scene->is_wall, canvas->ascii));
	struct cell_run ruler = { layout->label_cells, layout->title_lines, layout->cells };
	parts_hatch(canvas, ruler, scene->viewport, &scene->trace->parts);
	draw_scroll_position(frame);
}

static void
draw_rows(struct frame *frame)
{
	const struct timeline_scene *scene = frame->scene;
	const struct timeline_layout *layout = &frame->layout;
	struct cell_run rows = { layout->label_cells, layout->rows_y, layout->cells };
	if (scene->pane.lines > 0)
		timeline_heading_draw(&scene->pane, frame->canvas);
	timeline_draw_rows(frame);
	parts_blank(frame->canvas, rows, layout->row_lines, scene->viewport, &scene->trace->parts);
}

bool
timeline_draw(const struct timeline_scene *scene, struct timeline_buffers *buffers,
	struct canvas *canvas, struct error *err)
{
	struct frame frame = { .scene = scene, .buffers = buffers, .canvas = canvas };
	frame.layout = timeline_layout(canvas->width, canvas->height, scene->has_cursor);
	const struct timeline_layout *layout = &frame.layout;
	if (!rows_section_is_open(scene->rows, SECTION_PANEL))
		timeline_layout_fold_panel(&frame.layout);
	if (scene->verdict != NULL)
		timeline_layout_verdict(&frame.layout);
	if (scene->path != NULL)
		timeline_layout_path(&frame.layout);
	if (scene->pane.lines > 0)
		timeline_layout_pane(&frame.layout, scene->pane.y, scene->pane.lines);
	timeline_layout_pins(&frame.layout, scene->rows->pin_count);
	if (!strip_reserve(&buffers->strip, layout->cells, err) ||
		!stack_strip_reserve(&buffers->stacks, layout->cells, &scene->rows->stacks, err) ||
		!array_reserve(&buffers->all_ns, &buffers->all_capacity, (size_t)layout->cells,
			sizeof *buffers->all_ns, err) ||
		!array_reserve(&buffers->slice_cells, &buffers->slice_capacity,
			(size_t)layout->cells, sizeof *buffers->slice_cells, err) ||
		!row_memo_enter(&buffers->memo, scene, canvas, layout, err))
		return false;
	prepare(&frame);
	if (scene->pane.lines > 0 && !scene->pane.is_active) {
		draw_rows(&frame);
		lay_under_pins(&frame);
		return true;
	}
	draw_top(&frame);
	if (layout->path_lines > 0)
		draw_path(&frame);
	draw_rows(&frame);
	if (scene->flows != NULL)
		flow_marks_draw(canvas, scene, layout);
	draw_marked(&frame);
	if (scene->has_cursor && scene->cursor_row < scene->rows->count)
		draw_cursor(&frame);
	lay_under_pins(&frame);
	if (layout->panel_lines > 0)
		panel_draw(scene, layout, &buffers->scratch, canvas);
	if (layout->verdict_lines > 0)
		verdict_line_draw(canvas, canvas->height - 1, scene->verdict, scene->trace,
			&buffers->scratch);
	return true;
}

void
timeline_buffers_release(struct timeline_buffers *buffers)
{
	strip_release(&buffers->strip);
	stack_strip_release(&buffers->stacks);
	memory_free(buffers->all_ns);
	memory_free(buffers->slice_cells);
	row_memo_release(&buffers->memo);
	text_release(&buffers->scratch);
	*buffers = (struct timeline_buffers){ 0 };
}
