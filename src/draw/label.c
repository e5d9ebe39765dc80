/*
 * The labels to the left of the lanes. What a row is called stands at the left,
 * what tells it from its like (an id, a count, a value) at the right.
 */
#include "draw/label.h"

#include <inttypes.h>

#include "analysis/beneath/lanes.h"
#include "base/checked.h"
#include "base/units.h"
#include "draw/counter.h"
#include "draw/folded_row.h"
#include "draw/names.h"
#include "draw/task_rows.h"
#include "draw/task_words.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/words.h"

enum {
	INDENT_CELLS = 2, /* per depth, and before the name */
	SHORTEST_NAME_CELLS = 6,
	WORDY_CELLS = 28, /* from here on values stand with words */
};

/* A pen that writes from the left, and one that writes from the right. */
struct pen {
	struct canvas *canvas;
	const struct timeline_rows *rows;
	const struct label *label;
	const struct row *row;
	struct text *scratch;
	int y, left, right; /* free: [left, right) */
	bool is_wordy;
};

static void
put_left(struct pen *pen, uint8_t fg, uint8_t attributes, const char *string)
{
	struct cell_style style = { .fg = fg, .attributes = attributes };
	int room = pen->right - pen->left;
	if (room > 0)
		pen->left += canvas_string(pen->canvas, pen->left, pen->y, room, style, string);
}

/* All of the string or nothing, with a blank before it. */
static void
put_right(struct pen *pen, uint8_t fg, const char *string)
{
	int width = (int)text_width(string, strlen(string));
	if (width + 1 > pen->right - pen->left)
		return;
	pen->right -= width;
	canvas_string(
		pen->canvas, pen->right, pen->y, width, (struct cell_style){ .fg = fg }, string);
	pen->right--;
}

/* Behind what stands at the left, with a blank between; a part of it would be another number. */
static void
put_number(struct pen *pen, const char *string)
{
	if (pen->left + 1 + (int)text_width(string, strlen(string)) > pen->right)
		return;
	pen->left++;
	put_left(pen, STYLE_TEXT_DIM, 0, string);
}

static uint8_t
name_style(const struct pen *pen)
{
	return pen->label->is_selected ? STYLE_TEXT_BRIGHT : STYLE_DEFAULT;
}

/* The scratch text, which is what the row is called. */
static void
put_name(struct pen *pen)
{
	uint8_t attributes = pen->label->is_selected ? CELL_BOLD : 0;
	if (pen->scratch->length > 0)
		put_left(pen, name_style(pen), attributes, pen->scratch->bytes);
}

static size_t
room_for_name(const struct pen *pen)
{
	int room = pen->right - pen->left;
	return room > 0 ? (size_t)room : 0;
}

/* ---- counters */

static void
put_count(struct pen *pen, const char *word, uint8_t style, class_mask mask)
{
	char text[UNITS_TEXT + 16];
	uint32_t count = counter_actors_at(pen->rows->trace, mask, pen->label->moment_ns);
	snprintf(text, sizeof text, "%s%" PRIu32, pen->is_wordy ? word : "", count);
	put_right(pen, style, text);
}

static void
label_pair(struct pen *pen, const char *name, const struct counter_pair *pair, const char *second)
{
	text_add_words(pen->scratch, pen->rows->trace->words, name);
	put_left(pen, name_style(pen), 0, text_string(pen->scratch));
	if (!pen->label->has_moment)
		return;
	put_count(pen, second, pair->second_style, pair->second);
	put_count(pen, "run ", pair->first_style, pair->first);
}

static void
label_actors(struct pen *pen)
{
	label_pair(pen, "{Actors}", &counter_actors, "ready ");
}

static void
label_threads(struct pen *pen)
{
	label_pair(pen, "{Threads}", &counter_threads, "sys ");
}

/* "5.4 MiB", empty where it is not known. */
static void
bytes_at(const struct pen *pen, enum counter_type type, char out[UNITS_TEXT])
{
	uint64_t value = 0;
	out[0] = '\0';
	if (pen->label->has_moment &&
		counter_at(pen->rows->trace, type, pen->label->moment_ns, &value))
		units_bytes(out, value);
}

static void
put_allocated(struct pen *pen)
{
	char bytes[UNITS_TEXT];
	bytes_at(pen, COUNTER_HEAP_ALLOC, bytes);
	put_right(pen, STYLE_GC, bytes);
}

static void
put_goal(struct pen *pen, const char *before)
{
	char bytes[UNITS_TEXT], text[UNITS_TEXT + 8];
	bytes_at(pen, COUNTER_HEAP_GOAL, bytes);
	snprintf(text, sizeof text, "%s%s", before, bytes);
	if (bytes[0] != '\0')
		put_right(pen, STYLE_TEXT_DIM, text);
}

/* The goal has its own row, or stands behind what is allocated, or gives way to it. */
static void
label_heap(struct pen *pen)
{
	enum { BOTH_CELLS = 20 };
	if (pen->rows->size == ROWS_TALL) {
		put_goal(pen, "goal ");
		return;
	}
	put_left(pen, name_style(pen), 0, "Heap");
	if (pen->right - pen->left >= BOTH_CELLS)
		put_goal(pen, "of ");
	put_allocated(pen);
}

static void
label_heap_upper(struct pen *pen)
{
	put_left(pen, name_style(pen), 0, "Heap");
	put_allocated(pen);
}

/* ---- rows of the runtime */

static void
label_gc(struct pen *pen)
{
	put_left(pen, name_style(pen), 0, "GC");
}

static void
label_stw(struct pen *pen)
{
	put_left(pen, name_style(pen), 0, pen->right - pen->left >= 15 ? "Stop the world" : "STW");
}

static void
label_wakes(struct pen *pen)
{
	static const char *const names[WAKE_ROW_COUNT] = {
		[WAKE_NETWORK] = "Network",
		[WAKE_TIMER] = "Timers",
		[WAKE_SYSCALL] = "Syscalls",
	};
	put_left(pen, name_style(pen), 0, names[pen->row->ref]);
}

static void
label_samples(struct pen *pen)
{
	text_add_words(pen->scratch, pen->rows->trace->words, "{Samples}");
	put_left(pen, name_style(pen), 0, text_string(pen->scratch));
}

/* ---- sections and tracks */

/* Of rows without a heading the first one has it, where they are folded at first. */
static bool
has_fold_mark(const struct timeline_rows *rows, size_t row)
{
	enum row_section part = row_part_of(rows->items[row]);
	return row_can_fold(rows, row) &&
	       (part == SECTION_COUNT || rows->section_is_turned[part]);
}

static void
put_fold_mark(struct pen *pen)
{
	bool is_open = row_is_open(pen->rows, pen->label->row);
	const char *mark = is_open ? "▾" : "▸";
	if (pen->canvas->ascii)
		mark = is_open ? "v" : ">";
	struct cell_style style = { .fg = STYLE_TEXT_DIM };
	canvas_string(pen->canvas, pen->left - INDENT_CELLS, pen->y, 1, style, mark);
}

/* Of a track, which at the left edge moves a cell to make room for it. */
static void
put_track_mark(struct pen *pen)
{
	if (!row_can_fold(pen->rows, pen->label->row))
		return;
	pen->left += pen->row->depth == 0;
	put_fold_mark(pen);
}

/* What runs and what is ready, and the heap where there is room for all of it. */
static void
put_counters(struct pen *pen)
{
	enum { COUNT_CELLS = 8 };
	char bytes[UNITS_TEXT];
	bytes_at(pen, COUNTER_HEAP_ALLOC, bytes);
	if (!pen->label->has_moment)
		return;
	if (bytes[0] != '\0' &&
		(int)strlen(bytes) + COUNT_CELLS * (1 + pen->is_wordy) / 2 <= pen->right - pen->left)
		put_right(pen, STYLE_GC, bytes);
	put_count(pen, "ready ", counter_actors.second_style, counter_actors.second);
	put_count(pen, "run ", counter_actors.first_style, counter_actors.first);
}

/* Of the time on the screen. */
static void
put_utilisation(struct pen *pen)
{
	int64_t totals_ns[CLASS_COUNT], busy_ns = 0;
	struct viewport viewport = pen->label->viewport;
	char share[UNITS_TEXT], text[UNITS_TEXT + 8];
	if (viewport_span(viewport) <= 0)
		return;
	int64_t whole_ns = folded_row_processors(
		pen->rows->trace, viewport.t0_ns, viewport.t1_ns, totals_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		busy_ns = saturating_add_i64(busy_ns, totals_ns[i]);
	units_share(share, busy_ns, whole_ns);
	snprintf(text, sizeof text, "%s busy", share);
	put_right(pen, STYLE_RUNNING, text);
}

static void
label_section(struct pen *pen)
{
	static const char *const names[SECTION_COUNT] = {
		[SECTION_PROCESSORS] = "{Processors}",
		[SECTION_THREADS] = "{Threads}",
		[SECTION_ACTORS] = "{Actors}",
		[SECTION_WAKERS] = "Woken or started by",
		[SECTION_WOKEN] = "Woke or started",
		[SECTION_FOCUS_PROCESSORS] = "Ran on",
		[SECTION_TASKS] = "{Tasks}",
		[SECTION_GAUGES] = "Counters",
		[SECTION_COUNTERS] = "Counts",
		[SECTION_GC] = "GC and stops",
		[SECTION_EVENTS] = "Events",
	};
	const struct timeline_rows *rows = pen->rows;
	const size_t counts[SECTION_COUNT] = {
		[SECTION_PROCESSORS] = trace_processor_count(rows->trace),
		[SECTION_THREADS] = trace_thread_count(rows->trace),
		[SECTION_ACTORS] = trace_actor_count(rows->trace),
		[SECTION_WAKERS] = rows->focus.wakers.count,
		[SECTION_WOKEN] = rows->focus.woken.count,
		[SECTION_FOCUS_PROCESSORS] = rows->focus.processors.count,
		[SECTION_GAUGES] = rows->trace->gauge_count,
		[SECTION_TASKS] = rows->tasks != NULL ? rows->tasks->root_count : 0,
	};
	char count[UNITS_TEXT];
	pen->left++;
	put_fold_mark(pen);
	text_add_words(pen->scratch, rows->trace->words, names[pen->row->ref]);
	put_left(pen, name_style(pen), CELL_BOLD, text_string(pen->scratch));
	units_count(count, counts[pen->row->ref]);
	if (counts[pen->row->ref] > 0)
		put_number(pen, count);
	if (pen->row->ref == SECTION_COUNTERS)
		put_counters(pen);
	bool are_told = rows->trace->words->classes[CLASS_RUNNING].name != NULL;
	if (pen->row->ref == SECTION_PROCESSORS && are_told && !row_is_open(rows, pen->label->row))
		put_utilisation(pen);
}

/* "2 steps away 17" */
static void
label_step(struct pen *pen)
{
	char words[UNITS_TEXT], count[UNITS_TEXT];
	uint32_t step = pen->row->ref;
	snprintf(words, sizeof words, "%" PRIu32 " %s away", step, step == 1 ? "step" : "steps");
	units_count(count, pen->rows->interacts.counts[step]);
	pen->left++;
	put_fold_mark(pen);
	put_left(pen, name_style(pen), CELL_BOLD, words);
	put_number(pen, count);
}

static void
label_processor(struct pen *pen)
{
	name_processor(pen->scratch, pen->rows->trace, pen->row->ref);
	put_name(pen);
}

static void
label_thread(struct pen *pen)
{
	const struct trace *trace = pen->rows->trace;
	text_add_id(pen->scratch, &trace->words->thread, trace_thread(trace, pen->row->ref)->id);
	put_name(pen);
}

/* The task that the thread above is, as the kernel's trace calls it. */
static void
label_beneath(struct pen *pen)
{
	const struct beneath *beneath = pen->rows->beneath->beneath;
	actor_ref task = beneath_task_at(beneath, pen->row->ref, pen->label->moment_ns);
	if (task == REF_NONE)
		return;
	name_actor_id(pen->scratch, beneath->below, task);
	put_left(pen, STYLE_TEXT_DIM, 0, text_string(pen->scratch));
}

static void
label_group(struct pen *pen)
{
	const struct group *group = &pen->rows->trace->groups[pen->row->ref];
	char count[UNITS_TEXT], text[UNITS_TEXT + 4];
	units_count(count, group->count);
	snprintf(text, sizeof text, pen->canvas->ascii ? "x%s" : "×%s", count);
	put_fold_mark(pen);
	put_right(pen, STYLE_TEXT_DIM, text);
	name_group(pen->scratch, pen->rows->trace, pen->row->ref, room_for_name(pen),
		pen->canvas->ascii);
	put_name(pen);
}

/* Within a group of its name the id is the name; elsewhere the function is, and the id steps back. */
static void
label_actor(struct pen *pen)
{
	const struct trace *trace = pen->rows->trace;
	const struct actor *actor = trace_actor(trace, pen->row->ref);
	struct text id = { 0 };
	name_actor_id(&id, trace, pen->row->ref);
	bool is_narrow = room_for_name(pen) < SHORTEST_NAME_CELLS + id.length + 1;
	put_track_mark(pen);
	bool is_of_group = pen->row->depth >= 2 && !pen->rows->shows_tasks &&
			   trace_grouped_by(trace) == GROUP_BY_NAME &&
			   trace->groups[actor->group].name == actor->name;
	if (is_of_group || is_narrow) {
		uint8_t style = pen->label->is_selected ? STYLE_TEXT_BRIGHT : STYLE_TEXT_DIM;
		put_left(pen, style, pen->label->is_selected ? CELL_BOLD : 0, text_string(&id));
	} else {
		if (!name_is_enough(actor))
			put_right(pen, STYLE_TEXT_DIM, text_string(&id));
		name_function(pen->scratch, trace, actor->name, room_for_name(pen),
			pen->canvas->ascii);
		put_name(pen);
	}
	text_release(&id);
}

/* The type, how long it took, and between them the id where there is room. */
static void
label_task(struct pen *pen)
{
	const struct trace *trace = pen->rows->trace;
	const struct task *task = trace_task(trace, pen->row->ref);
	char id[UNITS_TEXT];
	task_words_length(pen->scratch, trace, pen->row->ref, pen->canvas->ascii);
	put_track_mark(pen);
	put_right(pen, pen->label->is_selected ? STYLE_TEXT_BRIGHT : STYLE_TEXT_DIM,
		pen->scratch->bytes);
	text_clear(pen->scratch);
	snprintf(id, sizeof id, "%" PRId64, task->id);
	size_t room = room_for_name(pen);
	if (task->name != STRING_EMPTY && room > strlen(id) + 1)
		name_string_within(pen->scratch, trace, task->name, room - strlen(id) - 1,
			pen->canvas->ascii);
	put_name(pen);
	if (pen->scratch->length > 0)
		pen->left++;
	put_left(pen, STYLE_TEXT_DIM, 0, id);
}

/* Its value where the cursor is, before its name: there may be room for one alone. */
static void
label_gauge(struct pen *pen)
{
	const struct trace *trace = pen->rows->trace;
	char text[UNITS_TEXT];
	int64_t value;
	if (pen->label->has_moment && gauge_at(trace, pen->row->ref, pen->label->moment_ns, &value)) {
		units_signed(text, value);
		put_right(pen, STYLE_FRAME_FIRST, text);
	}
	name_string_within(pen->scratch, trace, trace->gauges[pen->row->ref].name, room_for_name(pen),
		pen->canvas->ascii);
	put_name(pen);
}

static void
label_regions(struct pen *pen)
{
	put_left(pen, name_style(pen), 0, pen->row->part == 0 ? "Regions" : "");
}

static void
label_logs(struct pen *pen)
{
	put_left(pen, name_style(pen), 0, "Logs");
}

/* The depth counts from the outermost frame on. */
static void
label_stack(struct pen *pen)
{
	char depth[UNITS_TEXT];
	units_count(depth, pen->row->part + UINT64_C(1));
	put_right(pen, STYLE_TEXT_DIM, depth);
	put_left(pen, name_style(pen), 0, pen->row->part == 0 ? "Stack" : "");
}

/* The depth counts as queries have it, from 0 in each track. */
static void
label_slices(struct pen *pen)
{
	char text[UNITS_TEXT];
	const struct trace *trace = pen->rows->trace;
	struct slice_row at = rows_slices(pen->rows, pen->label->row);
	const struct track *track =
		slices_track_at(at.slices, slices_track_of_column(at.slices, at.column));
	units_count(text, at.column - track->first_column);
	put_right(pen, STYLE_TEXT_DIM, text);
	for (column_ref above = track->first_column; above < at.column; above++)
		if (slices_in_column(at.slices, above) > 0)
			return;
	text_clear(pen->scratch);
	name_string_within(pen->scratch, trace, track->name, room_for_name(pen), pen->canvas->ascii);
	if (pen->scratch->length > 0)
		put_left(pen, name_style(pen), 0, pen->scratch->bytes);
	else
		put_left(pen, name_style(pen), 0, "Slices");
	text_clear(pen->scratch);
}

/* ---- */

/* At the very edge, of a row that is on top and where it is else. */
static void
put_pin(const struct label *label, const struct timeline_rows *rows, struct canvas *canvas, int x,
	int y)
{
	const struct cell_style style = { .fg = STYLE_KEY };
	struct row row = rows->items[label->row];
	bool gives_way = row.depth == 0 && has_fold_mark(rows, label->row);
	if (gives_way || (row.type == ROW_HEAP && rows->size == ROWS_TALL))
		return;
	if (row.type == ROW_HEAP_UPPER)
		row.type = ROW_HEAP;
	if (rows->pinned == NULL || !row_can_be_pinned((enum row_type)row.type) ||
		!row_picks_has(rows->pinned, rows->trace, row))
		return;
	canvas_string(canvas, x, y, 1, style, canvas->ascii ? "^" : "▴");
}

/* Where the name begins. */
static int
name_column(const struct row *row, int cells)
{
	return cells >= WORDY_CELLS / 2 ? INDENT_CELLS * (row->depth + 1) - 1 : 1;
}

int
label_fold_column(const struct timeline_rows *rows, size_t row, int cells)
{
	const struct row *here = &rows->items[row];
	if (!has_fold_mark(rows, row))
		return -1;
	return name_column(here, cells) - INDENT_CELLS + (here->depth == 0);
}

void
label_draw(struct canvas *canvas, struct cell_run run, const struct timeline_rows *rows,
	const struct label *label, struct text *scratch)
{
	static void (*const draw[ROW_TYPE_COUNT])(struct pen *) = {
		[ROW_ACTORS] = label_actors,
		[ROW_HEAP] = label_heap,
		[ROW_HEAP_UPPER] = label_heap_upper,
		[ROW_THREADS] = label_threads,
		[ROW_GC] = label_gc,
		[ROW_STW] = label_stw,
		[ROW_WAKES] = label_wakes,
		[ROW_SAMPLES] = label_samples,
		[ROW_SECTION] = label_section,
		[ROW_STEP] = label_step,
		[ROW_PROCESSOR] = label_processor,
		[ROW_THREAD] = label_thread,
		[ROW_BENEATH] = label_beneath,
		[ROW_GROUP] = label_group,
		[ROW_ACTOR] = label_actor,
		[ROW_TASK] = label_task,
		[ROW_GAUGE] = label_gauge,
		[ROW_REGIONS] = label_regions,
		[ROW_STACK] = label_stack,
		[ROW_SLICES] = label_slices,
		[ROW_PROCESSOR_SLICES] = label_slices,
		[ROW_LOGS] = label_logs,
	};
	const struct row *row = &rows->items[label->row];
	struct pen pen = {
		.canvas = canvas,
		.rows = rows,
		.label = label,
		.row = row,
		.scratch = scratch,
		.y = run.y,
		.left = run.x + name_column(row, run.cells),
		.right = run.x + run.cells - 1,
		.is_wordy = run.cells >= WORDY_CELLS,
	};
	text_clear(scratch);
	if (row_part_of(*row) != SECTION_COUNT && has_fold_mark(rows, label->row)) {
		pen.left++;
		put_fold_mark(&pen);
	}
	draw[row->type](&pen);
	put_pin(label, rows, canvas, run.x, run.y);
}
