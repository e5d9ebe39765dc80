/* The timeline as a still picture. */
#include "report/lanes.h"

#include "analysis/beneath/lanes.h"
#include "draw/damage_words.h"
#include "draw/rows.h"
#include "draw/strip_glyph.h"
#include "draw/timeline.h"
#include "query/search.h"
#include "report/lane_rows.h"
#include "trace/lane.h"
#include "trace/words.h"

enum {
	TITLE_AND_RULER = 2,
	LEGEND_INDENT = 1,
	LEGEND_GAP = 2, /* between entries */
};

/* ---- legend */

struct legend_entry {
	uint8_t time_class;
	const char *text; /* NULL: the trace's word for it */
};

/* Where colours show, classes that share a line and a colour share an entry. */
static const struct legend_entry colored[] = {
	{ CLASS_RUNNING, NULL },
	{ CLASS_READY, NULL },
	{ CLASS_SYSCALL, NULL },
	{ CLASS_WORKER, NULL },
	{ CLASS_SYNC, "blocked" },
	{ CLASS_NETWORK, NULL },
	{ CLASS_SLEEP, NULL },
	{ CLASS_IDLE, NULL },
};

static const struct legend_entry plain[] = {
	{ CLASS_RUNNING, NULL },
	{ CLASS_READY, NULL },
	{ CLASS_SYSCALL, NULL },
	{ CLASS_WORKER, NULL },
	{ CLASS_CHANNEL, NULL },
	{ CLASS_SELECT, NULL },
	{ CLASS_SYNC, NULL },
	{ CLASS_NETWORK, NULL },
	{ CLASS_SLEEP, NULL },
	{ CLASS_RUNTIME, NULL },
	{ CLASS_FOREVER, NULL },
	{ CLASS_OTHER, "other" },
	{ CLASS_IDLE, NULL },
};

/* What the marks mean, see draw/strip.h. */
static const struct {
	uint8_t mark, style;
	const char *text;
} marks[] = {
	{ STRIP_MARK_LOG, STYLE_MARK, "log" },
	{ STRIP_MARK_STW, STYLE_STW, "stops the world" },
	{ STRIP_MARK_HIDDEN, STYLE_MARK, "more hidden" },
	{ STRIP_MARK_SAMPLE, STYLE_MARK, "{sample}" },
	{ STRIP_MARK_ASSIST, STYLE_GC_WORKER, "some assist" },
};

/* Where the next entry of the legend goes. */
struct legend_pen {
	struct canvas *canvas; /* NULL: only counts the lines */
	int width, x, y;
};

static void
put_entry(struct legend_pen *pen, uint8_t style, const char *glyph, const char *text)
{
	const struct cell_style glyph_style = { .fg = style }, text_style = { .fg = STYLE_TEXT_DIM };
	int width = 2 + (int)strlen(text);
	if (pen->x > LEGEND_INDENT && pen->x + width > pen->width) {
		pen->x = LEGEND_INDENT;
		pen->y++;
	}
	if (pen->canvas != NULL) {
		canvas_put(pen->canvas, pen->x, pen->y, glyph_style, glyph);
		canvas_string(pen->canvas, pen->x + 2, pen->y, width - 2, text_style, text);
	}
	pen->x += width + LEGEND_GAP;
}

/* Goes through all entries that such a trace may have, breaking lines where they are full. */
static void
write_legend(struct legend_pen *pen, const struct canvas *canvas, const struct timeline_scene *scene)
{
	struct lane all = { LANE_ALL, 0 };
	const struct words *words = scene->trace->words;
	bool has_samples = samples_next(&scene->rows->samples, all, 0) != REF_NONE;
	bool has_collector = words->classes[CLASS_WORKER].name != NULL;
	bool has_assists = scene->rows->assists.owner_count > 0;
	bool is_plain = canvas->ascii || canvas->monochrome;
	const struct legend_entry *entries = is_plain ? plain : colored;
	size_t count = is_plain ? ARRAY_LENGTH(plain) : ARRAY_LENGTH(colored);
	for (size_t i = 0; i < count; i++) {
		enum time_class time_class = (enum time_class)entries[i].time_class;
		const char *name = entries[i].text != NULL ? entries[i].text
							   : class_name(words, time_class);
		if (has_assists && time_class == CLASS_WORKER)
			name = "gc worker, assist";
		if (words->classes[time_class].name != NULL)
			put_entry(pen, strip_style((uint8_t)time_class),
				strip_legend_glyph(canvas, (uint8_t)time_class), name);
	}
	for (uint8_t look = CLASS_COUNT; scene->rows->beneath != NULL && look <= LOOK_ASLEEP; look++)
		put_entry(pen, strip_style(look), strip_legend_glyph(canvas, look), strip_look_name(words, look));
	for (size_t i = 0; i < ARRAY_LENGTH(marks); i++) {
		bool is_there = marks[i].mark == STRIP_MARK_SAMPLE   ? has_samples
				: marks[i].mark == STRIP_MARK_ASSIST ? has_assists && is_plain
				: marks[i].mark == STRIP_MARK_STW    ? has_collector
								     : true;
		if (is_there)
			put_entry(pen, marks[i].style, strip_mark_glyph(canvas, marks[i].mark),
				words_title(words, marks[i].text));
	}
}

/* What the picture lacks first; NULL for nothing. */
static const struct damage *
damage_in(const struct timeline_scene *scene)
{
	return damage_map_find(
		&scene->trace->damage, scene->viewport.t0_ns, scene->viewport.t1_ns);
}

/* Lines of the legend, the blank one above it included. */
static int
legend_lines(const struct timeline_scene *scene, const struct canvas *canvas, int width)
{
	struct legend_pen pen = { .width = width, .x = LEGEND_INDENT, .y = 1 };
	write_legend(&pen, canvas, scene);
	return pen.y + 1 + (damage_in(scene) != NULL);
}

/* The last line of the canvas. */
static void
draw_damage(const struct timeline_scene *scene, const struct damage *damage,
	struct text *scratch, struct canvas *canvas)
{
	const struct cell_style alert = { .fg = STYLE_ALERT }, words = { .fg = STYLE_DEFAULT };
	int x = LEGEND_INDENT, y = canvas->height - 1;
	enum damage_extent extent =
		damage_extent(damage, scene->viewport.t0_ns, scene->viewport.t1_ns);
	canvas_put(canvas, x, y, alert, damage_glyph(canvas, extent));
	x += 2;
	x += canvas_string(canvas, x, y, canvas->width - x, alert, "damaged: ");
	text_clear(scratch);
	damage_add_warning(scratch, damage, scene->viewport, scene->trace->end_ns,
		time_form_of(scene->trace, scene->is_wall, canvas->ascii));
	if (!scratch->failed)
		canvas_text(canvas, x, y, canvas->width - x, words, scratch);
}

/* On the last lines of the canvas, whatever stands there. */
static void
draw_legend(const struct timeline_scene *scene, struct text *scratch, struct canvas *canvas)
{
	const struct damage *damage = damage_in(scene);
	int lines = legend_lines(scene, canvas, canvas->width);
	struct legend_pen pen = {
		.canvas = canvas,
		.width = canvas->width,
		.x = LEGEND_INDENT,
		.y = canvas->height - lines + 1,
	};
	for (int y = canvas->height - lines; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			canvas_put(canvas, x, y, (struct cell_style){ 0 }, " ");
	write_legend(&pen, canvas, scene);
	if (damage != NULL)
		draw_damage(scene, damage, scratch, canvas);
}

/* ---- picture */

static struct viewport
viewport_of(const struct trace *trace, const struct lanes_options *options, int cells)
{
	const struct viewport extent = viewport_extent(trace->end_ns);
	int64_t start_ns = 0, end_ns = 0;
	if (options->has_interval)
		return viewport_clamp(
			(struct viewport){ options->t0_ns, options->t1_ns }, extent, cells);
	if (options->actor == REF_NONE)
		return viewport_whole(extent, cells);
	lane_life(trace, (struct lane){ LANE_ACTOR, options->actor }, &start_ns, &end_ns);
	return viewport_clamp((struct viewport){ start_ns, end_ns }, extent, cells);
}

/* The least height that shows so many rows: the panel's grows with the canvas. */
static int
height_for(const struct timeline_scene *scene, const struct canvas *canvas, int width, int rows)
{
	int legend = scene->has_cursor ? 0 : legend_lines(scene, canvas, width);
	int height = TITLE_AND_RULER + rows + legend;
	while (scene->has_cursor && timeline_layout(width, height, true).row_lines < rows)
		height++;
	return height;
}

/* Where it goes: one of both is set. */
struct target {
	struct canvas *canvas;
	struct grid *grid; /* as numbers */
};

/* The frame is drawn first, over the whole canvas; the legend then takes its last lines. */
static bool
draw_picture(const struct timeline_rows *rows, const struct lanes_options *options,
	const struct target *target, struct error *err)
{
	struct canvas *canvas = target->canvas;
	struct timeline_buffers buffers = { 0 };
	struct timeline_scene scene = {
		.trace = rows->trace,
		.rows = rows,
		.file_name = options->file_name,
		.plan = options->plan,
		.is_wall = options->is_wall,
		.has_cursor = options->has_cursor,
		.cursor_ns = options->cursor_ns,
		.cursor_row = options->actor != REF_NONE ? rows->pin_count
							      : rows_first_lane(rows),
		.filter = { .search = options->only, .hides = true, .words = options->query,
			.rows_left = SIZE_MAX },
	};
	size_t most = options->most_rows > 0 ? (size_t)options->most_rows : LANES_MOST_ROWS;
	size_t shown = rows->count < most ? rows->count : most;
	if (scene.has_cursor && scene.cursor_row >= shown)
		scene.first_row = scene.cursor_row - shown + 1;
	int width = options->width_cells;
	int cells = timeline_layout(width, (int)shown, options->has_cursor).cells;
	scene.viewport = viewport_of(rows->trace, options, cells);
	if (target->grid != NULL)
		return lane_rows_put(&scene, shown, cells, target->grid, err);
	int height = height_for(&scene, canvas, width, (int)shown);
	if (!canvas_resize(canvas, width, height, err))
		return false;
	bool is_drawn = timeline_draw(&scene, &buffers, canvas, err);
	if (is_drawn && !options->has_cursor)
		draw_legend(&scene, &buffers.scratch, canvas);
	timeline_buffers_release(&buffers);
	return is_drawn;
}

static bool
show_stacks(struct timeline_rows *rows, actor_ref actor, struct error *err)
{
	struct lane lane = { LANE_ACTOR, actor };
	return rows_show_stacks(rows, actor, err) && rows_reveal(rows, lane, err);
}

/* Shows only those that interact, or all. */
static bool
interact(struct timeline_rows *rows, struct interacts_plan plan, struct error *err)
{
	struct interacts interacts;
	if (plan.steps == 0)
		return true;
	if (!interacts_build(&interacts, rows->trace, plan, NULL, err))
		return false;
	if (rows_interact(rows, &interacts, err))
		return true;
	interacts_release(&interacts);
	return false;
}

static bool
draw_arranged(const struct arrangement *arrangement, const struct lanes_options *options,
	const struct target *target, struct error *err)
{
	struct timeline_rows rows;
	struct beneath_lanes lanes;
	if (!rows_init(&rows, arrangement->trace, &arrangement->order, NULL, err))
		return false;
	if (options->beneath != NULL) {
		if (!beneath_lanes_build(&lanes, options->beneath, arrangement->trace, NULL, err)) {
			rows_release(&rows);
			return false;
		}
		rows.beneath = &lanes;
	}
	bool is_drawn =
		rows_hide(&rows, options->hidden, err) &&
		rows_pin(&rows, options->pinned, err) && rows_set_size(&rows, ROWS_TALL, err) &&
		rows_filter(&rows, options->only, err) &&
		interact(&rows, options->interacts, err) &&
		(options->actor == REF_NONE || rows_focus(&rows, options->actor, err)) &&
		(!options->has_stacks || show_stacks(&rows, options->stacks, err)) &&
		draw_picture(&rows, options, target, err);
	if (options->beneath != NULL)
		beneath_lanes_release(&lanes);
	rows_release(&rows);
	return is_drawn;
}

static bool
draw_to(const struct target *target, const struct trace *trace, const struct lanes_options *options,
	struct error *err)
{
	struct arrangement arrangement;
	if (!arrangement_build(&arrangement, trace, options->plan, NULL, err))
		return false;
	search_regroup(options->only, arrangement.trace);
	bool is_drawn = arrangement_list_changes(&arrangement, NULL, err) &&
			draw_arranged(&arrangement, options, target, err);
	search_regroup(options->only, trace);
	arrangement_release(&arrangement);
	return is_drawn;
}

bool
report_lanes(const struct trace *trace, const struct lanes_options *options, struct canvas *canvas,
	struct error *err)
{
	return draw_to(&(struct target){ .canvas = canvas }, trace, options, err);
}

bool
report_lane_rows(const struct trace *trace, const struct lanes_options *options,
	const struct report_options *form, struct text *out, struct error *err)
{
	struct grid grid;
	if (!grid_begin(&grid, trace, form, out, err))
		return false;
	bool is_fine = draw_to(&(struct target){ .grid = &grid }, trace, options, err);
	return grid_end(&grid) && is_fine;
}
