/* Reports, pictures and searches of a trace, at places drawn from a seed. */
#include "looking.h"

#include <string.h>

#include "analysis/critical.h"
#include "analysis/go/mmu.h"
#include "analysis/task_life.h"
#include "base/compiler.h"
#include "base/text.h"
#include "draw/output.h"
#include "draw/rows.h"
#include "draw/timeline.h"
#include "query/search.h"
#include "report/critical.h"
#include "report/csv_spans.h"
#include "report/lanes.h"
#include "report/flamegraph.h"
#include "report/moment.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/task.h"
#include "resulttesting.h"

struct look {
	const struct trace *trace;
	uint64_t seed;
	struct text out;
	const char *problem; /* the first one; NULL: none */
};

static uint64_t
draw_number(struct look *look, uint64_t limit)
{
	look->seed = look->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (look->seed >> 33) % limit;
}

static void
must(struct look *look, bool condition, const char *problem)
{
	if (!condition && look->problem == NULL)
		look->problem = problem;
}

/* ---- what is printed */

/* Nothing of a trace may reach a terminal as a control, or hide in it. */
static void
check_printed(struct look *look, bool is_ascii)
{
	const struct text *out = &look->out;
	for (size_t at = 0; at < out->length;) {
		struct text_char c = text_decode(out->bytes + at, out->length - at);
		at += c.length;
		if (c.is_valid && c.code_point == '\n')
			continue;
		must(look, c.is_valid, "what is printed is no UTF-8");
		must(look, c.code_point >= 0x20 && (c.code_point < 0x7f || c.code_point >= 0xa0),
			"a control character is printed");
		must(look, !text_is_hidden(c.code_point), "a hidden character is printed");
		must(look, !is_ascii || c.code_point < 0x7f, "more than ASCII is printed");
	}
	text_clear(&look->out);
}

/* An interval somewhere, from a nanosecond to all there is and more. */
static void
draw_interval(struct look *look, int64_t *t0_ns, int64_t *t1_ns)
{
	static const int64_t lengths_ns[] = { 1, 79, 1000, 1000000, INT64_MAX / 2 };
	int64_t end_ns = look->trace->end_ns;
	switch (draw_number(look, 4)) {
	case 0:
		*t0_ns = 0;
		break;
	case 1:
		*t0_ns = end_ns;
		break;
	case 2:
		*t0_ns = INT64_MAX - 1;
		break;
	default:
		*t0_ns = (int64_t)draw_number(look, (uint64_t)end_ns + 1);
		break;
	}
	int64_t length_ns = lengths_ns[draw_number(look, ARRAY_LENGTH(lengths_ns))];
	*t1_ns = length_ns < INT64_MAX - *t0_ns ? *t0_ns + length_ns : INT64_MAX;
}

static actor_ref
draw_goroutine(struct look *look)
{
	uint32_t count = trace_actor_count(look->trace);
	return count == 0 ? REF_NONE : (actor_ref)draw_number(look, count);
}

static int
draw_width(struct look *look)
{
	static const int widths[] = { 1, 17, REPORT_MIN_WIDTH, 80, 200 };
	return widths[draw_number(look, ARRAY_LENGTH(widths))];
}

static void
read_reports(struct look *look)
{
	struct report_options options = {
		.width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.has_interval = draw_number(look, 2) == 0,
		.palette = palette_find("dark"),
	};
	struct error err = { 0 };
	actor_ref goroutine = draw_goroutine(look);
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	must(look, report_summary(look->trace, &options, &look->out, &err), "there is no summary");
	check_printed(look, options.ascii);
	if (goroutine == REF_NONE)
		return;
	int64_t id = trace_actor(look->trace, goroutine)->id;
	must(look, report_actor(look->trace, id, &options, &look->out, &err),
		"there is no report of a goroutine");
	check_printed(look, options.ascii);
}

/* ---- causes */

/* The parts follow one another without a hole, whatever the trace says. */
static void
walk_path(struct look *look, actor_ref goroutine, int64_t t0_ns, int64_t t1_ns)
{
	struct critical_path path;
	struct error err = { 0 };
	struct critical_scope scope = { goroutine, t0_ns, t1_ns, 100000, NULL };
	bool is_built = critical_build(&path, look->trace, &scope, &err);
	must(look, is_built, "there is no critical path");
	if (!is_built)
		return;
	int64_t until_ns = path.end_ns;
	for (size_t i = 0; i < path.part_count; i++) {
		must(look, path.parts[i].end_ns == until_ns, "a critical path has a hole");
		must(look, path.parts[i].start_ns < until_ns, "a critical path has an empty part");
		until_ns = path.parts[i].start_ns;
	}
	must(look, until_ns == path.start_ns, "a critical path has no beginning");
	critical_release(&path);
}

static void
ask_for_causes(struct look *look)
{
	struct report_options options = {
		.width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.has_interval = true,
		.palette = palette_find("dark"),
		.cursor_ns = (int64_t)draw_number(look, (uint64_t)look->trace->end_ns + 1),
	};
	struct error err = { 0 };
	actor_ref goroutine = draw_goroutine(look);
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	if (goroutine == REF_NONE)
		return;
	walk_path(look, goroutine, options.t0_ns, options.t1_ns);
	walk_path(look, goroutine, 0, INT64_MAX);
	must(look, report_critical(look->trace, goroutine, REF_NONE, &options, &look->out, &err),
		"there is no report of a critical path");
	check_printed(look, options.ascii);
	must(look, report_moment(look->trace, &options, &look->out, &err),
		"there is no dump of goroutines");
	for (size_t i = 0; i < look->out.length; i++) {
		if (look->out.bytes[i] == '\t')
			look->out.bytes[i] = ' '; /* places of frames are behind one */
	}
	check_printed(look, options.ascii);
}

static void
ask_for_profiles(struct look *look)
{
	struct report_options options = {
		.width_cells = draw_width(look), .ascii = draw_number(look, 2) == 0
	};
	static const char *const orders[] = { NULL, "cum", "-flat", "function" };
	options.sort = orders[draw_number(look, ARRAY_LENGTH(orders))];
	options.limit = draw_number(look, 5);
	struct profile_request request = {
		.kind = (enum profile_kind)draw_number(
			look, PROFILE_KIND_COUNT + (look->trace->slices != NULL)),
		.scope = profile_whole(look->trace),
		.is_inverted = draw_number(look, 2) == 0,
	};
	struct error err = { 0 };
	request.scope.rule = (enum profile_rule)draw_number(look, 3);
	if (draw_number(look, 3) == 0)
		request.scope.actor = draw_goroutine(look);
	draw_interval(look, &request.scope.t0_ns, &request.scope.t1_ns);
	must(look, report_top(look->trace, &request, &options, &look->out, &err),
		"there is no profile");
	check_printed(look, options.ascii);
	must(look, report_tree(look->trace, &request, &options, &look->out, &err),
		"there is no call graph");
	check_printed(look, options.ascii);
	must(look, report_folded(look->trace, &request, &options, &look->out, &err),
		"there are no folded stacks");
	/* Of samples names stay what they were in the input. */
	if (look->trace->samples == NULL)
		check_printed(look, options.ascii);
	text_clear(&look->out);
	must(look, report_flamegraph(look->trace, &request, &options, &look->out, &err),
		"there is no flame graph");
	for (size_t i = 0; i < look->out.length; i++) {
		if (look->out.bytes[i] == '\t')
			look->out.bytes[i] = ' '; /* in the script, which is ours */
	}
	check_printed(look, options.ascii);
}

static void
ask_for_slices(struct look *look)
{
	struct report_options options = { .width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.format = (enum report_format)draw_number(look, REPORT_AS_JSON + 1),
		.has_interval = draw_number(look, 2) == 0 };
	actor_ref actor = draw_number(look, 3) == 0 ? draw_goroutine(look) : REF_NONE;
	struct error err = { 0 };

	draw_interval(look, &options.t0_ns, &options.t1_ns);
	must(look, testing_result_of("slices", look->trace, actor, &options, &look->out, &err),
		"there is no report of slices");
	check_printed(look, options.ascii && options.format != REPORT_AS_JSON);
}

static void
ask_for_goroutines(struct look *look)
{
	struct report_options options = { .width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.format = (enum report_format)draw_number(look, REPORT_AS_JSON + 1),
		.limit = draw_number(look, 4),
		.has_interval = true };
	actor_ref goroutine = draw_goroutine(look);
	const char *report = draw_number(look, 2) == 0  ? "regions"
			     : goroutine == REF_NONE ? "goroutines"
						     : "function";
	const char *name = goroutine != REF_NONE
				   ? trace_text(look->trace, trace_actor(look->trace, goroutine)->name, NULL)
				   : "";
	struct error err = { 0 };
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	/* One with a zero byte in its name cannot be asked for. */
	must(look, testing_result_with(report, name, look->trace, &options, &look->out, &err) ||
			   err.kind == ERROR_USAGE,
		"there is no report of goroutines");
	check_printed(look, options.ascii && options.format != REPORT_AS_JSON);
}

/* ---- the collector and the procs */

static void
ask_for_tables(struct look *look)
{
	struct report_options options = {
		.width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.format = (enum report_format)draw_number(look, 3),
		.limit = draw_number(look, 5),
		.sort = draw_number(look, 2) == 0 ? "start" : NULL,
		.has_interval = draw_number(look, 2) == 0,
	};
	struct text parts = { 0 };
	mmu_add_parameter(&parts, (unsigned)draw_number(look, 64), 0);
	struct error err = { 0 };
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	must(look, testing_result("gc", look->trace, &options, &look->out, &err), "there is no gc");
	must(look, testing_result("stw", look->trace, &options, &look->out, &err), "there is no stw");
	must(look, testing_result("utilisation", look->trace, &options, &look->out, &err),
		"there is no utilisation");
	/* Its quantiles take as long for a few states as for many, under sanitizers longer than all else. */
	if (draw_number(look, 8) == 0)
		must(look, testing_result_with("mmu", text_string(&parts), look->trace, &options,
				   &look->out, &err),
			"there is no mmu");
	text_release(&parts);
	check_printed(look, options.ascii);
}

/* ---- durations */

static void
ask_for_durations(struct look *look)
{
	static const char *const kinds[] = { "sched", "stw", "gc", "assist", "sweep", "syscall",
		"block", "block=select", "region=a", "task=a", "\"dur>1us\"" };
	const char *text = kinds[draw_number(look, ARRAY_LENGTH(kinds))];
	struct report_options options = {
		.width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.format = (enum report_format)draw_number(look, 3),
		.limit = draw_number(look, 5),
		.has_interval = draw_number(look, 2) == 0,
	};
	actor_ref actor = draw_number(look, 2) == 0 ? draw_goroutine(look) : REF_NONE;
	options.names_file = draw_number(look, 2) == 0;
	struct error err = { 0 };
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	must(look, testing_result_of_with("latency", text, look->trace, actor, &options, &look->out, &err),
		"there are no durations");
	check_printed(look, options.ascii && options.format != REPORT_AS_JSON);
}

/* ---- pictures */

static void
look_at_picture(struct look *look, bool has_cursor, bool has_focus)
{
	struct canvas canvas = {
		.ascii = draw_number(look, 2) == 0,
		.monochrome = draw_number(look, 2) == 0,
	};
	struct lanes_options options = {
		.file_name = "trace",
		.width_cells = draw_width(look),
		.most_rows = (int)draw_number(look, 40),
		.has_interval = draw_number(look, 4) > 0,
		.actor = has_focus ? draw_goroutine(look) : REF_NONE,
		.has_cursor = has_cursor,
	};
	struct error err = { 0 };
	draw_interval(look, &options.t0_ns, &options.t1_ns);
	if (has_cursor && options.t1_ns > look->trace->end_ns) {
		options.t0_ns = 0;
		options.t1_ns = look->trace->end_ns + 1;
	}
	options.cursor_ns = options.t0_ns;
	must(look, report_lanes(look->trace, &options, &canvas, &err), "there is no picture");
	output_text(&canvas, &look->out);
	check_printed(look, canvas.ascii);
	canvas_release(&canvas);
}

/* ---- tasks */

static void
check_pieces(struct look *look, const struct task_life *life)
{
	int64_t t_ns = life->start_ns;
	for (size_t i = 0; i < life->piece_count; i++) {
		must(look, life->pieces[i].start_ns == t_ns, "a task has a hole");
		t_ns = task_piece_end_ns(life, i);
		must(look, t_ns > life->pieces[i].start_ns, "a task has an empty piece");
	}
	must(look, t_ns == life->end_ns || life->piece_count == 0, "a task has no end");
}

/* All tasks or one, unfolded, at some time. */
static void
look_at_lanes(struct look *look, struct timeline_rows *rows, task_ref task)
{
	struct canvas canvas = {
		.ascii = draw_number(look, 2) == 0, .monochrome = draw_number(look, 2) == 0
	};
	struct timeline_buffers buffers = { 0 };
	struct timeline_scene scene = {
		.trace = look->trace, .rows = rows, .file_name = "trace",
		.file_word = "trace", .has_cursor = true
	};
	struct error err = { 0 };
	task_ref only = draw_number(look, 2) == 0 ? task : REF_NONE;
	int64_t t0_ns, t1_ns;
	draw_interval(look, &t0_ns, &t1_ns);
	must(look, rows_show_tasks(rows, true, only, &err), "tasks are not shown");
	must(look, rows_reveal(rows, (struct lane){ LANE_TASK, task }, &err), "a task is hidden");
	scene.cursor_row = rows_find(rows, (struct lane){ LANE_TASK, task });
	/* Of a circle of tasks none is a root. */
	if (scene.cursor_row == ROW_NONE)
		return;
	if (!row_is_open(rows, scene.cursor_row))
		must(look, rows_toggle(rows, scene.cursor_row, &err), "a task does not unfold");
	must(look, canvas_resize(&canvas, draw_width(look), 40, &err), "there is no canvas");
	must(look, rows_prepare(rows, scene.cursor_row, 40, &err), "there are no tasks to draw");
	scene.first_row = scene.cursor_row;
	scene.viewport = viewport_clamp(
		(struct viewport){ t0_ns, t1_ns }, viewport_extent(look->trace->end_ns), canvas.width);
	scene.cursor_ns = scene.viewport.t0_ns;
	must(look, timeline_draw(&scene, &buffers, &canvas, &err), "tasks are not drawn");
	output_text(&canvas, &look->out);
	check_printed(look, canvas.ascii);
	timeline_buffers_release(&buffers);
	canvas_release(&canvas);
}

static void
ask_for_tasks(struct look *look)
{
	struct report_options options = {
		.width_cells = draw_width(look),
		.ascii = draw_number(look, 2) == 0,
		.palette = palette_find("dark"),
	};
	struct task_index index;
	struct task_life life;
	struct timeline_rows rows;
	struct error err = { 0 };
	if (look->trace->tasks.count == 0)
		return;
	task_ref task = (task_ref)draw_number(look, look->trace->tasks.count);
	must(look, report_csv_spans(look->trace, &options, &look->out, &err),
		"there are no spans");
	check_printed(look, options.ascii);
	must(look, testing_result("tasks", look->trace, &options, &look->out, &err),
		"there is no report of tasks");
	check_printed(look, options.ascii);
	must(look, report_task(look->trace, task, &options, &look->out, &err),
		"there is no report of a task");
	check_printed(look, options.ascii);
	if (!task_index_build(&index, look->trace, NULL, &err) ||
		!task_life_build(&life, look->trace, &index, task, &err)) {
		must(look, false, "there is no life of a task");
		return;
	}
	check_pieces(look, &life);
	task_life_release(&life);
	task_index_release(&index);
	if (rows_init(&rows, look->trace, NULL, NULL, &err)) {
		look_at_lanes(look, &rows, task);
		rows_release(&rows);
	}
}

/* ---- search */

static void
look_at_matches(struct look *look, struct search *search)
{
	enum { CELLS = 80 };
	bool marks[CELLS];
	uint64_t count = search_count(search), index = 0;
	struct span span;
	must(look, !search_match(search, count, &span), "there is a match behind the last one");
	if (count > 0) {
		uint64_t wanted = draw_number(look, count);
		must(look, search_match(search, wanted, &span), "a match is missing");
		must(look, search_matches(search, span.segment, span.state), "a match does not match");
		must(look, search_index(search, span.segment, span.state, &index) && index == wanted,
			"a match has another number");
	}
	search_cells(search, (struct lane){ LANE_ALL, 0 }, 0, look->trace->end_ns + 1, CELLS, marks);
	bool is_marked = false;
	for (int i = 0; i < CELLS; i++)
		is_marked |= marks[i];
	must(look, is_marked == (count > 0), "the cells do not show whether there are matches");
}

static void
look_for_text(struct look *look)
{
	static const char *const patterns[] = { ".", "main", "'\\", "^G1 ", "chan|select" };
	struct error note = { 0 };
	const char *pattern = patterns[draw_number(look, ARRAY_LENGTH(patterns))];
	struct search *search = search_new(look->trace, pattern, &note);
	must(look, search != NULL, "nothing can be searched");
	if (search != NULL)
		look_at_matches(look, search);
	search_free(search);
}

const char *
look_everywhere(const struct trace *trace, uint64_t seed)
{
	struct look look = { .trace = trace, .seed = seed };
	read_reports(&look);
	ask_for_causes(&look);
	ask_for_profiles(&look);
	ask_for_slices(&look);
	ask_for_goroutines(&look);
	ask_for_tables(&look);
	ask_for_durations(&look);
	ask_for_tasks(&look);
	look_at_picture(&look, false, false);
	look_at_picture(&look, true, false);
	look_at_picture(&look, true, true);
	look_for_text(&look);
	text_release(&look.out);
	return look.problem;
}
