/*
 * What is shown when memory runs out: reports, pictures, dumps and the real views on a
 * screen, with each allocation in turn the first that fails. Each of them says so or does
 * without, and the next time all is as ever.
 */
#include "app/app.h"
#include "app/loop.h"
#include "app/views.h"
#include "base_testing.h"
#include "base/text.h"
#include "draw/output.h"
#include "dumptesting.h"
#include "fakescreen.h"
#include "hostile.h"
#include "analysis/go/mutator.h"
#include "query/search.h"
#include "report/critical.h"
#include "report/csv_spans.h"
#include "report/flamegraph.h"
#include "report/lanes.h"
#include "report/moment.h"
#include "report/pprof.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/task.h"
#include "resulttesting.h"
#include "tracetesting.h"

enum { MOST_ALLOCATIONS = 1000000 }; /* that any of it takes */

static struct text bytes;
static struct trace *trace;

/* A trace with something of everything that can be shown. */
static int
load_trace(void **state)
{
	(void)state;
	hostile_trace(&hostile_texts[0], &bytes);
	trace = testing_load_bytes(hostile_texts[0].name, bytes.bytes, bytes.length);
	return 0;
}

static int
free_trace(void **state)
{
	(void)state;
	trace_free(trace);
	text_release(&bytes);
	return 0;
}

/*
 * Calls a function with ever later faults until there was none. It returns false for want
 * of memory; then `err` must say so.
 */
static void
fail_in_turn(const char *what, bool (*function)(struct error *err))
{
	uint64_t place = 1;
	for (bool is_done = false; !is_done; place = fault_next(place)) {
		struct error err = { 0 };
		if (place > MOST_ALLOCATIONS)
			fail_msg("%s: never succeeds", what);
		memory_fail_after(place);
		is_done = function(&err);
		memory_fail_after(0);
		if (!is_done && err.kind != ERROR_MEMORY)
			fail_msg("%s: allocation %llu fails, and the error is %d, \"%s\"", what,
				(unsigned long long)place, (int)err.kind, err.message);
	}
	assert_true(place > 2);
}

/* ---- printed */

static bool
finish(struct text *out, bool is_fine, struct error *err)
{
	bool is_whole = !out->failed;
	text_release(out);
	if (is_fine && !is_whole)
		return error_set_memory(err, "what is printed");
	return is_fine;
}

static const struct report_options report_options = { .width_cells = 100 };

static struct search *shown_only; /* of what is printed of matches */

static bool
print_summary(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_summary(trace, &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_goroutine(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_actor(trace, 1, &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_critical(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_critical(trace, 0, REF_NONE, &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_moment(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_moment(trace, &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static const struct profile_request *
request_profile(void)
{
	static struct profile_request request;
	request = (struct profile_request){ .kind = PROFILE_OFFCPU,
		.scope = profile_whole(trace),
		.focus = "." };
	return &request;
}

static bool
print_top(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_top(trace, request_profile(), &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_tree(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_tree(trace, request_profile(), &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_folded(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_folded(trace, request_profile(), &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_flamegraph(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_flamegraph(trace, request_profile(), &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_goroutines(struct error *err)
{
	struct text out = { 0 };
	struct report_options options = report_options;
	options.limit = 5;
	bool is_fine = testing_result("goroutines", trace, &options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_regions(struct error *err)
{
	struct text out = { 0 };
	struct report_options options = report_options;
	options.sort = "p99";
	bool is_fine = testing_result("regions", trace, &options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_tasks(struct error *err)
{
	struct text out = { 0 };
	struct report_options options = report_options;
	bool is_fine = testing_result("tasks", trace, &options, &out, err) &&
		       report_task(trace, 0, &options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_spans(struct error *err)
{
	struct text out = { 0 };
	return finish(&out, report_csv_spans(trace, &report_options, &out, err), err);
}

static bool
print_function(struct error *err)
{
	struct text out = { 0 };
	struct report_options options = report_options;
	const char *function = trace_text(trace, trace_actor(trace, 0)->name, NULL);
	options.format = REPORT_AS_JSON;
	bool is_fine = testing_result_with("function", function, trace, &options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_pprof(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = report_pprof(trace, request_profile(), &report_options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_tables(struct error *err)
{
	struct report_options options = report_options;
	struct text out = { 0 };
	bool is_fine = testing_result("gc", trace, &options, &out, err) &&
		       testing_result("mmu", trace, &options, &out, err);
	options.format = REPORT_AS_CSV;
	options.sort = "reason";
	is_fine = is_fine && testing_result("stw", trace, &options, &out, err);
	options.format = REPORT_AS_JSON;
	options.sort = NULL;
	is_fine = is_fine && testing_result("utilisation", trace, &options, &out, err);
	return finish(&out, is_fine, err);
}

static bool
print_latency(struct error *err)
{
	static const char text[] = "\"state=running\"";
	struct report_options options = report_options;
	struct text out = { 0 };
	bool is_fine = testing_result_with("latency", text, trace, &options, &out, err);
	options.format = REPORT_AS_CSV;
	is_fine = is_fine && testing_result_with("latency", text, trace, &options, &out, err) &&
		  testing_result_with("heat", text, trace, &options, &out, err);
	options.format = REPORT_AS_TEXT;
	is_fine = is_fine && testing_result_with("heat", text, trace, &options, &out, err);
	return finish(&out, is_fine, err);
}

/* The search is made before: it is told what it lacks by others. */
static bool
print_matches(struct error *err)
{
	struct report_options options = report_options;
	struct text out = { 0 };
	options.only = shown_only;
	options.query = "state=running";
	options.format = REPORT_AS_CSV;
	bool is_fine = testing_result("utilisation", trace, &options, &out, err) &&
		       testing_result("gc", trace, &options, &out, err) &&
		       (trace->tasks.count == 0 || report_task(trace, 0, &options, &out, err));
	return finish(&out, is_fine, err);
}

static bool
print_lanes(struct error *err)
{
	const struct lanes_options options = {
		.file_name = "a.trace", .width_cells = 100, .actor = REF_NONE
	};
	struct canvas canvas = { 0 };
	struct text out = { 0 };
	bool is_fine = report_lanes(trace, &options, &canvas, err);
	if (is_fine) {
		output_ansi(&canvas, palette_find("dark"), COLORS_256, &out);
		output_svg(&canvas, palette_find("dark"), &out);
	}
	canvas_release(&canvas);
	return finish(&out, is_fine, err);
}

static void
reports_say_that_memory_ran_out(void **state)
{
	const char *missing;
	(void)state;
	fail_in_turn("summary", print_summary);
	fail_in_turn("goroutine", print_goroutine);
	fail_in_turn("critical path", print_critical);
	fail_in_turn("dump", print_moment);
	fail_in_turn("top", print_top);
	fail_in_turn("tree", print_tree);
	fail_in_turn("folded", print_folded);
	fail_in_turn("goroutines", print_goroutines);
	fail_in_turn("regions", print_regions);
	fail_in_turn("tasks", print_tasks);
	fail_in_turn("spans", print_spans);
	fail_in_turn("function", print_function);
	fail_in_turn("flame graph", print_flamegraph);
	if (report_pprof_is_available(&missing))
		fail_in_turn("pprof", print_pprof);
	fail_in_turn("tables", print_tables);
	fail_in_turn("latency", print_latency);
	struct error err = { 0 };
	shown_only = search_new(trace, "state=running", &err);
	assert_non_null(shown_only);
	fail_in_turn("matches", print_matches);
	search_free(shown_only);
	fail_in_turn("lanes", print_lanes);
}

static const enum dumptest_form dump_forms[] = { DUMPTEST_PARSED, DUMPTEST_GO123, DUMPTEST_WIRE,
	DUMPTEST_FOOTPRINT, DUMPTEST_JSON };

static void
dumps_say_that_memory_ran_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(dump_forms); i++)
		dumptest_fail_in_turn(&(struct dumptest){ .form = dump_forms[i] }, bytes.bytes,
			bytes.length);
}

static void
dumps_say_that_the_disk_is_full(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(dump_forms); i++) {
		struct dumptest got = { .form = dump_forms[i], .refuses = true };
		dumptest_bytes(&got, bytes.bytes, bytes.length);
		assert_false(got.ok);
		assert_string_equal(got.err.message, "the disk is full");
		dumptest_release(&got);
	}
}

/* ---- on the screen */

static const char *script;

static bool
show(struct error *err)
{
	struct app app;
	struct fakescreen fake;
	fakescreen_init(&fake, 80, 24, script);
	struct app_parts parts = {
		.screen = &fake.screen,
		.palette = palette_find("dark"),
		.trace = trace,
		.file_name = "a.trace",
		.viewport = { 0, trace->end_ns },
		.focus = REF_NONE,
	};
	parts.views = views_all(&parts.view_count);
	bool is_fine = app_init(&app, &parts, err);
	if (is_fine) {
		is_fine = loop_run(&app, err);
		app_release(&app);
	}
	fakescreen_release(&fake);
	return is_fine;
}

/* A view that cannot be opened is told in the bottom row, and the app goes on. */
static void
views_survive_that_memory_ran_out(void **state)
{
	static const char *const scripts[] = {
		"Down Down Down + Enter G Backspace",
		"G Up Enter PageDown ] c Backspace i Down i",
		"v Right Right z u T x ? G Backspace",
		"G Up Up w Backspace W G Backspace } Backspace D Down Enter",
		"F F Down Enter F Backspace",
		"/ Q f u n c Enter n N Enter Escape t 2 0 n s Enter",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(scripts); i++) {
		bool has_failed = true;
		for (uint64_t place = 1; has_failed; place = fault_next(place)) {
			struct error err = { 0 };
			script = scripts[i];
			memory_fail_after(place);
			bool is_fine = show(&err);
			has_failed = fault_has_come();
			if (!is_fine && err.kind != ERROR_MEMORY)
				fail_msg("%s: allocation %llu fails, and the error is %d, \"%s\"",
					scripts[i], (unsigned long long)place, (int)err.kind,
					err.message);
		}
		struct error err = { 0 };
		script = scripts[i];
		if (!show(&err))
			fail_msg("%s: fails with memory: %s", scripts[i], err.message);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_say_that_memory_ran_out),
		cmocka_unit_test(dumps_say_that_memory_ran_out),
		cmocka_unit_test(dumps_say_that_the_disk_is_full),
		cmocka_unit_test(views_survive_that_memory_ran_out),
	};
	return cmocka_run_group_tests(tests, load_trace, free_trace);
}
