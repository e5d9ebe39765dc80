/* The printed reports: golden texts of real traces, and what they promise. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/life.h"
#include "analysis/summary.h"
#include "base_testing.h"
#include "golden.h"
#include "query/search.h"
#include "report/critical.h"
#include "report/findings.h"
#include "report/flamegraph.h"
#include "report/report.h"
#include "resulttesting.h"
#include "source/go/words.h"
#include "trace/lane.h"
#include "tracetesting.h"

static const struct report_options plain = {
	.file_name = "some.trace", .file = "some.trace", .width_cells = 100
};

/* ---- golden texts */

static const struct {
	const char *golden, *trace;
	int64_t goroutine; /* 0: the summary */
	struct report_options options;
} goldens[] = {
	{ "summary-http.txt", "httpserver-go1.23", 0, { .file_name = "http.trace", .width_cells = 100 } },
	{ "summary-http-interval.txt", "httpserver-go1.23", 0,
		{ .file_name = "a b.trace",
			.width_cells = 100,
			.has_interval = true,
			.t0_ns = 20000000,
			.t1_ns = 30000000 } },
	{ "summary-gc-narrow.txt", "gcheavy-go1.26", 0, { .width_cells = 40, .ascii = true } },
	{ "summary-seed-80.txt", "seed-go122", 0, { .file_name = "seed.trace", .width_cells = 80 } },
	{ "summary-before-1.22.txt", "httpserver-go1.19", 0,
		{ .file_name = "old.trace", .width_cells = 100 } },
	{ "summary-wall.txt", "contention-go1.26", 0,
		{ .file_name = "a.trace",
			.width_cells = 100,
			.has_interval = true,
			.t0_ns = 20000000,
			.t1_ns = 30000000,
			.is_wall = true } },
	{ "summary-allocations.txt", "allocfreehttp-go1.26", 0,
		{ .file_name = "a.trace", .width_cells = 80 } },
	{ "goroutine-connection.txt", "httpserver-go1.26", 22,
		{ .file_name = "http.trace", .width_cells = 120 } },
	{ "goroutine-tasks.txt", "tasks-go1.23", 46, { .file_name = "tasks.trace", .width_cells = 80 } },
	{ "goroutine-ascii.txt", "contention-go1.26", 1, { .width_cells = 60, .ascii = true } },
	{ "goroutine-wall.txt", "httpserver-go1.26", 22,
		{ .file_name = "http.trace", .width_cells = 100, .is_wall = true } },
	{ "goroutine-interval.txt", "httpserver-go1.23", 53,
		{ .file_name = "http.trace",
			.width_cells = 100,
			.has_interval = true,
			.t0_ns = 68000000,
			.t1_ns = 72000000,
			.has_cursor = true,
			.cursor_ns = 69000000 } },
};

static void
reports_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		struct trace *trace = testing_load(goldens[i].trace);
		struct report_options options = goldens[i].options;
		struct text out = { 0 };
		struct error err = { 0 };
		options.file = options.file_name;
		bool ok = goldens[i].goroutine == 0
				  ? report_summary(trace, &options, &out, &err)
				  : report_actor(trace, goldens[i].goroutine, &options, &out,
					    &err);
		if (!ok)
			fail_msg("%s: %s", goldens[i].golden, err.message);
		golden_check(goldens[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

static void
a_shell_can_take_the_command_of_a_summary(void **state)
{
	(void)state;
	static const char *const files[][2] = {
		{ "a'b $(x);c.trace", "s 'a'\\''b $(x);c.trace'\n" },
		{ "-x.trace", "s ./-x.trace\n" },
		{ "a\\b.trace", "s 'a'\\\\'b.trace'\n" },
		{ "a\033c.trace", "s " TEXT_NO_SHELL_WORD "\n" },
	};
	struct trace *trace = testing_load("seed-go122");
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
		struct report_options options = plain;
		struct text out = { 0 };
		struct error err = { 0 };
		options.file = files[i][0];
		assert_true(report_summary(trace, &options, &out, &err));
		assert_non_null(strstr(out.bytes, files[i][1]));
		text_release(&out);
	}
	trace_free(trace);
}

static const struct {
	const char *golden, *trace;
	int64_t goroutine; /* 0: none */
	task_ref task;
	struct report_options options;
} paths[] = {
	{ "critical-goroutine.txt", "contention-go1.26", 1, REF_NONE,
		{ .file_name = "a.trace", .width_cells = 120 } },
	{ "critical-task.txt", "httpserver-go1.26", 0, 2,
		{ .file_name = "http.trace", .width_cells = 100,
			.has_interval = true,
			.t0_ns = 10000000,
			.t1_ns = 12000000 } },
	{ "critical-polled.txt", "netgc-go1.22", 29, REF_NONE,
		{ .file_name = "netgc.trace", .width_cells = 120, .has_interval = true,
			.t0_ns = 7500000, .t1_ns = 9900000 } },
	{ "critical-interval.txt", "gcheavy-go1.23", 0, REF_NONE,
		{ .width_cells = 80, .ascii = true, .has_interval = true, .t0_ns = 20000000, .t1_ns = 20400000 } },
};

static void
critical_paths_look_as_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		struct trace *trace = testing_load(paths[i].trace);
		struct text out = { 0 };
		struct error err = { 0 };
		actor_ref goroutine =
			paths[i].goroutine == 0 ? REF_NONE
						: trace_find_actor(trace, paths[i].goroutine);
		if (!report_critical(trace, goroutine, paths[i].task, &paths[i].options, &out,
			    &err))
			fail_msg("%s: %s", paths[i].golden, err.message);
		golden_check(paths[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

static void
damage_is_told_place_by_place(void **state)
{
	(void)state;
	struct trace *trace = testing_load_cut("long-go1.23", 60);
	struct damage hole = trace->damage.rows[0];
	struct text out = { 0 };
	struct error err = { 0 };
	hole.from_ns = hole.to_ns = hole.blank_ns = 1000000000;
	hole.first_generation--;
	hole.dropped_events = 1;
	hole.ended_batches = 2;
	hole.skipped_numbers = 3456;
	hole.unknown_states = 4;
	damage_map_add(&trace->damage, &hole);
	trace->damage.rows[1].places = 3;
	assert_true(report_summary(trace, &plain, &out, &err));
	assert_true(report_actor(trace, 1, &plain, &out, &err));
	golden_check("damage.txt", &out);
	text_release(&out);
	trace_free(trace);
}

/* ---- what a query leaves */

/* With all spans it is what it is without one; what has a state and what has not is all. */
static void
check_summaries(const char *name)
{
	static const char *const queries[] = { "=!name=nothing-has-this", "state=blocked",
		"state!=blocked" };
	struct trace *trace = testing_load(name);
	int64_t t0_ns = trace->end_ns / 3, t1_ns = trace->end_ns / 2 + 1;
	struct summary all, parts[ARRAY_LENGTH(queries)];
	struct error err = { 0 };
	assert_true(summary_build(&all, trace, t0_ns, t1_ns, NULL, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct search *only = search_new(trace, queries[i], &err);
		assert_true(summary_build(&parts[i], trace, t0_ns, t1_ns, only, &err));
		search_free(only);
	}
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		assert_int_equal(all.all.totals_ns[i], parts[0].all.totals_ns[i]);
		assert_int_equal(all.all.totals_ns[i],
			parts[1].all.totals_ns[i] + parts[2].all.totals_ns[i]);
	}
	assert_int_equal(totals_blocked(parts[2].all.totals_ns), 0);
	assert_int_equal(all.all.has_delay, parts[0].all.has_delay);
	assert_int_equal(all.all.delay.start_ns, parts[0].all.delay.start_ns);
	for (uint32_t i = 0; i < parts[0].group_count; i++) {
		assert_int_equal(all.groups[i].group, parts[0].groups[i].group);
		assert_memory_equal(all.groups[i].totals_ns, parts[0].groups[i].totals_ns,
			sizeof all.groups[i].totals_ns);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		summary_release(&parts[i]);
	summary_release(&all);
	trace_free(trace);
}

static void
summaries_of_parts_are_those_of_all(void **state)
{
	(void)state;
	testing_each(".trace", check_summaries);
}

/* ---- any trace, any width */

/* No line is wider than asked for, but commands to copy; nothing but what a terminal may get. */
static void
check_lines(const char *name, const struct text *out, int width, bool ascii)
{
	for (size_t at = 0; at < out->length;) {
		const char *line = out->bytes + at;
		size_t length = strcspn(line, "\n");
		bool is_command = memcmp(line, "  ttrace --", 11) == 0;
		if (!is_command && text_width(line, length) > (size_t)width)
			fail_msg("%s: wider than %d: \"%.*s\"", name, width, (int)length, line);
		if (length > 0 && line[length - 1] == ' ')
			fail_msg("%s: blanks at the end: \"%.*s\"", name, (int)length, line);
		for (size_t i = 0; i < length;) {
			struct text_char c = text_decode(line + i, length - i);
			if (!c.is_valid || text_is_hidden(c.code_point) || c.code_point < 0x20 ||
				(c.code_point >= 0x7f && c.code_point < 0xa0) ||
				(ascii && c.code_point > 0x7f))
				fail_msg("%s: not fit for a terminal: \"%.*s\"", name, (int)length,
					line);
			i += c.length;
		}
		at += length + 1;
	}
}

static void
check_reports(const char *name)
{
	static const int widths[] = { 0, 40, 53, 80, 100, 200 };
	struct trace *trace = testing_load(name);
	uint32_t step = trace_actor_count(trace) / 5 + 1;
	for (size_t i = 0; i < ARRAY_LENGTH(widths); i++) {
		struct report_options options = { .width_cells = widths[i], .ascii = i % 2 != 0 };
		int width = widths[i] < REPORT_MIN_WIDTH ? REPORT_MIN_WIDTH : widths[i];
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(report_summary(trace, &options, &out, &err));
		for (actor_ref g = 0; g < trace_actor_count(trace); g += step)
			assert_true(report_actor(
				trace, trace_actor(trace, g)->id, &options, &out, &err));
		for (actor_ref g = 0; g < trace_actor_count(trace); g += step * 2)
			assert_true(report_critical(trace, g, REF_NONE, &options, &out, &err));
		for (task_ref task = 0; task < trace->tasks.count; task += 100)
			assert_true(
				report_critical(trace, REF_NONE, task, &options, &out, &err));
		assert_int_equal(err.kind, ERROR_NONE);
		check_lines(name, &out, width, options.ascii);
		text_release(&out);
	}
	trace_free(trace);
}

static void
any_trace_is_fit_for_any_width(void **state)
{
	(void)state;
	testing_each(".trace", check_reports);
}

/* ---- colour */

/* The text without its escape sequences. */
static void
strip_sequences(const struct text *from, struct text *to)
{
	for (size_t i = 0; i < from->length; i++) {
		if (from->bytes[i] == '\033')
			i += strcspn(from->bytes + i, "m");
		else
			text_add(to, from->bytes + i, 1);
	}
}

static void
colour_changes_no_text(void **state)
{
	(void)state;
	struct trace *trace = testing_load("tasks-go1.26");
	struct report_options coloured = plain;
	coloured.depth = COLORS_256;
	coloured.palette = palette_find("dark");
	struct text out = { 0 }, colour = { 0 }, stripped = { 0 };
	struct error err = { 0 };
	assert_true(report_summary(trace, &plain, &out, &err));
	assert_true(report_actor(trace, 1, &plain, &out, &err));
	assert_true(report_summary(trace, &coloured, &colour, &err));
	assert_true(report_actor(trace, 1, &coloured, &colour, &err));
	assert_true(colour.length > out.length);
	assert_null(strchr(out.bytes, '\033'));
	strip_sequences(&colour, &stripped);
	assert_string_equal(stripped.bytes, out.bytes);
	text_release(&out);
	text_release(&colour);
	text_release(&stripped);
	trace_free(trace);
}

/* ---- output in pieces */

struct pieces {
	struct text whole;
	unsigned calls, refused_call;
};

static bool
take_piece(void *context, struct text *out, struct error *err)
{
	struct pieces *pieces = context;
	if (++pieces->calls == pieces->refused_call)
		return error_set(err, ERROR_IO, "no more");
	text_add(&pieces->whole, out->bytes, out->length);
	text_clear(out);
	return true;
}

/* The goroutine of a trace with the most states. */
static int64_t
busiest(const struct trace *trace)
{
	actor_ref found = 0;
	for (actor_ref g = 1; g < trace_actor_count(trace); g++)
		if (trace_actor(trace, g)->state_count >
			trace_actor(trace, found)->state_count)
			found = g;
	return trace_actor(trace, found)->id;
}

/*
 * A worker of the collector is one by a label that comes as it runs: its run goes on, and is two spans
 * because it is of two classes.
 */
static void
check_runs(const char *name)
{
	struct trace *trace = testing_load(name);
	for (actor_ref g = 0; g < trace_actor_count(trace); g++) {
		struct lane lane = { LANE_ACTOR, g };
		struct life_scope scope = { .actor = g, .t1_ns = trace->end_ns + 1 };
		struct error err = { 0 };
		struct life life;
		struct span span;
		uint32_t runs = 0;
		bool is_running = false;
		enum time_class before = CLASS_UNKNOWN;
		for (bool is_there = lane_next(trace, lane, -1, CLASS_MASK_ALL, &span); is_there;
			is_there = lane_after(trace, lane, &span, &span)) {
			bool was_running = is_running;
			is_running = span.kind->state == STATE_RUNNING;
			assert_true(!is_running || !was_running || span.time_class != before);
			before = span.time_class;
			runs += is_running && !was_running;
		}
		assert_true(life_build(&life, trace, &scope, &err));
		for (uint32_t i = 0; i < life.total_count; i++) {
			const struct life_total *total = &life.totals[i];
			if (total->state == STATE_RUNNING && !total->is_reason &&
				total->count != runs)
				fail_msg("%s: G%" PRId64 " ran %u times, not %u", name,
					trace_actor(trace, g)->id, runs, total->count);
		}
		life_release(&life);
	}
	trace_free(trace);
}

static void
a_label_makes_no_run(void **state)
{
	(void)state;
	testing_each(".trace", check_runs);
}

static void
a_long_report_comes_in_pieces(void **state)
{
	(void)state;
	struct trace *trace = testing_load("gcheavy-go1.22");
	struct pieces pieces = { .refused_call = 0 };
	struct report_options options = plain;
	struct text whole = { 0 }, out = { 0 };
	struct error err = { 0 };
	int64_t id = busiest(trace);
	assert_true(report_actor(trace, id, &options, &whole, &err));
	options.flush = take_piece;
	options.flush_context = &pieces;
	assert_true(report_actor(trace, id, &options, &out, &err));
	assert_true(pieces.calls > 1 && out.capacity < whole.length);
	text_add(&pieces.whole, out.bytes, out.length);
	assert_string_equal(pieces.whole.bytes, whole.bytes);

	/* A reader that goes away ends it. */
	text_clear(&out);
	pieces.calls = 0;
	pieces.refused_call = 1;
	assert_false(report_actor(trace, id, &options, &out, &err));
	assert_string_equal(err.message, "no more");
	assert_int_equal(pieces.calls, 1);
	text_release(&whole);
	text_release(&out);
	text_release(&pieces.whole);
	trace_free(trace);
}

static bool
report_lines(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	return testing_result("goroutines", trace, options, out, err);
}

static bool
report_boxes(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	const struct profile_request request = {
		.kind = PROFILE_OFFCPU, .scope = profile_whole(trace)
	};
	return report_flamegraph(trace, &request, options, out, err);
}

static void
long_tables_come_in_pieces(void **state)
{
	(void)state;
	bool (*const reports[])(const struct trace *, const struct report_options *, struct text *,
		struct error *) = { report_lines, report_boxes };
	struct trace *trace = testing_load("httpserver-go1.23");
	for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
		struct pieces pieces = { .refused_call = 0 };
		struct report_options options = plain;
		struct text whole = { 0 }, out = { 0 };
		struct error err = { 0 };
		options.format = REPORT_AS_JSON;
		assert_true(reports[i](trace, &options, &whole, &err));
		options.flush = take_piece;
		options.flush_context = &pieces;
		assert_true(reports[i](trace, &options, &out, &err));
		assert_int_equal(pieces.calls, 1);
		text_add(&pieces.whole, out.bytes, out.length);
		assert_string_equal(pieces.whole.bytes, whole.bytes);
		pieces.calls = 0;
		pieces.refused_call = 1;
		assert_false(reports[i](trace, &options, &out, &err));
		assert_string_equal(err.message, "no more");
		text_release(&whole);
		text_release(&out);
		text_release(&pieces.whole);
	}
	trace_free(trace);
}

/* Also where the first table alone is more than a piece. */
static void
nothing_is_told_by_a_wrong_column(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	for (int format = REPORT_AS_TEXT; format <= REPORT_AS_JSON; format++) {
		struct pieces pieces = { .refused_call = 0 };
		struct report_options options = plain;
		struct text out = { 0 };
		struct error err = { 0 };
		options.format = (enum report_format)format;
		options.flush = take_piece;
		options.flush_context = &pieces;
		options.sort = "foo";
		assert_false(report_lines(trace, &options, &out, &err));
		assert_int_equal(pieces.calls, 0);
		assert_string_equal(err.message,
			"--sort=foo: there is no such column; there are function, count, life, "
			"running, assisting, ready, syscall, blocked, unknown, assist, sweep, "
			"state, reason, total, mean, p50, p90, p99, max, max_g");
		text_release(&out);
		text_release(&pieces.whole);
	}
	trace_free(trace);
}

/* ---- errors */

static void
an_unknown_goroutine_names_the_nearest(void **state)
{
	(void)state;
	static const struct {
		int64_t id;
		const char *message;
	} rows[] = {
		{ 90, "the trace has no goroutine 90; the nearest are 79, 80, 81 and 97" },
		{ 999, "the trace has no goroutine 999; the nearest are 79, 80, 81 and 97" },
		{ 0, "the trace has no goroutine 0; the nearest are 1, 2, 3 and 4" },
		{ INT64_MIN, "the trace has no goroutine -9223372036854775808; the nearest are "
			     "1, 2, 3 and 4" },
		{ INT64_MAX, "the trace has no goroutine 9223372036854775807; the nearest are "
			     "79, 80, 81 and 97" },
	};
	struct trace *trace = testing_load("tasks-go1.23");
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text out = { 0 };
		struct error err = { 0 };
		assert_false(report_actor(trace, rows[i].id, &plain, &out, &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(err.message, rows[i].message);
		assert_int_equal(out.length, 0);
		text_release(&out);
	}
	trace_free(trace);
}

static void
an_empty_trace_is_told_as_such(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct text out = { 0 };
	struct trace *trace = go_trace_new(&err);
	assert_non_null(trace);
	assert_false(report_actor(trace, 1, &plain, &out, &err));
	assert_string_equal(err.message, "the trace has no goroutines at all");
	trace_free(trace);
}

static struct trace *failing_trace;
static struct text whole_report;

static bool
make_reports(struct text *out, struct error *err)
{
	return report_summary(failing_trace, &plain, out, err) &&
	       report_actor(failing_trace, 1, &plain, out, err);
}

/* What is said to have worked must be whole. */
static bool
report_once(struct error *err)
{
	struct text out = { 0 };
	bool ok = make_reports(&out, err);
	if (ok)
		assert_string_equal(out.bytes, whole_report.bytes);
	text_release(&out);
	return ok;
}

static void
want_of_memory_is_reported(void **state)
{
	(void)state;
	struct error err = { 0 };
	failing_trace = testing_load("seed-go122");
	assert_true(make_reports(&whole_report, &err));
	assert_true(fail_each_allocation("reports", report_once) > 10);
	text_release(&whole_report);
	trace_free(failing_trace);
}

static bool
make_texts(struct text *out, struct error *err)
{
	struct report_options options = plain;
	options.format = REPORT_AS_MARKDOWN;
	options.has_cursor = true;
	options.cursor_ns = failing_trace->end_ns / 2;
	return report_actor(failing_trace, 1, &options, out, err) &&
	       report_findings(failing_trace, &options, out, err) &&
	       report_why(failing_trace, trace_find_actor(failing_trace, 1), &options, out, err);
}

static bool
tell_once(struct error *err)
{
	struct text out = { 0 };
	bool ok = make_texts(&out, err);
	if (ok)
		assert_string_equal(out.bytes, whole_report.bytes);
	text_release(&out);
	return ok;
}

/* Nor is a text that is not whole read behind its end. */
static void
texts_want_memory_too(void **state)
{
	(void)state;
	struct error err = { 0 };
	failing_trace = testing_load("seed-go122");
	if (!make_texts(&whole_report, &err))
		fail_msg("%s", err.message);
	assert_true(fail_each_allocation("texts", tell_once) > 10);
	text_release(&whole_report);
	trace_free(failing_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_look_as_they_should),
		cmocka_unit_test(a_label_makes_no_run),
		cmocka_unit_test(a_shell_can_take_the_command_of_a_summary),
		cmocka_unit_test(critical_paths_look_as_they_should),
		cmocka_unit_test(damage_is_told_place_by_place),
		cmocka_unit_test(summaries_of_parts_are_those_of_all),
		cmocka_unit_test(any_trace_is_fit_for_any_width),
		cmocka_unit_test(colour_changes_no_text),
		cmocka_unit_test(a_long_report_comes_in_pieces),
		cmocka_unit_test(long_tables_come_in_pieces),
		cmocka_unit_test(nothing_is_told_by_a_wrong_column),
		cmocka_unit_test(an_unknown_goroutine_names_the_nearest),
		cmocka_unit_test(an_empty_trace_is_told_as_such),
		cmocka_unit_test(want_of_memory_is_reported),
		cmocka_unit_test(texts_want_memory_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
