/* Folded stacks: what an independent reader made of them, odd lines, and numbers of all forms. */
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "profiletesting.h"
#include "report/flamegraph.h"
#include "report/pprof.h"
#include "trace/sample_set.h"

static void
all_inputs_are_as_the_oracle_has_them(void **state)
{
	static const char *const names[] = { "annotated", "diff-one-sided", "differential", "fractional",
		"server", "spaces" };
	static const char *const keys[] = { "lines", "stacks", "frames", "sum", "depth", NULL };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		char file[100];
		snprintf(file, sizeof file, "%s.folded", names[i]);
		struct trace *trace = profiletesting_load_file("folded", file);
		profiletesting_check_facts(trace, "folded", names[i], keys);
		snprintf(file, sizeof file, "%s.merged", names[i]);
		profiletesting_check_folded(trace, "", "folded", file);
		assert_int_equal(trace->damage.count, strcmp(names[i], "spaces") == 0);
		trace_free(trace);
	}
}

static void
lines_make_stacks(void **state)
{
	static const struct {
		const char *lines, *folded;
		uint64_t damaged;
	} rows[] = {
		{ "a;b 3\na;b 4\n", "a;b 7\n", 0 },
		{ "a;b 3\r\na 1\r\n", "a 1\na;b 3\n", 0 },
		{ "  a;b \t 3 \t\n", "a;b 3\n", 0 },
		{ "a;;b 1\n", "a;;b 1\n", 0 },
		{ "; 5\n", "; 5\n", 0 },
		{ " 7\na 1\n", "a 1\n", 1 },
		{ " 9 10\na;b 1\n", "9 10\na;b 1\n", 0 },
		{ "a 007\na 5.\n", "a 12\n", 0 },
		{ "a -5\na +6\na 1e3\na 0x10\na 1,234\na .5\na NaN\na 2\n", "a 2\n", 7 },
		{ "a 9223372036854775808\na 1\n", "a 1\n", 1 },
		{ "a 0.000000001\na 1\n", "a 1.000000001\n", 0 },
		{ "a 0.0000000015\n", "a 0.000000002\n", 0 },
		{ "# a comment\n#a 1\n\n", "#a 1\n", 0 },
		{ "main 1\nmain;a\x01\x1b[31m 2\n", "main 1\nmain;a\x01\x1b[31m 2\n", 0 },
		{ "a;b 1\na;b", "a;b 1\n", 2 }, /* no count, and no line end */
		{ "a;b 1\na;b 12", "a;b 13\n", 1 },
		{ "a 1 2\na;b 0 3\na;c 4\n", "a 2\na;b 3\na;c 4\n", 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text made = { 0 };
		struct trace *trace = profiletesting_load(
			rows[i].lines, rows[i].lines, strlen(rows[i].lines), "folded");
		profiletesting_add_folded(trace, "", &made);
		assert_string_equal(text_string(&made), rows[i].folded);
		assert_int_equal(damage_map_places(&trace->damage), rows[i].damaged);
		text_release(&made);
		trace_free(trace);
	}
}

/* What was is a type of its own, of which lines with one number have nothing. */
static void
two_numbers_are_before_and_after(void **state)
{
	static const char lines[] = "a 1\nb 2 3\n";
	struct text made = { 0 };
	(void)state;
	struct trace *trace = profiletesting_load("two", lines, strlen(lines), "folded");
	profiletesting_add_folded(trace, "before", &made);
	assert_string_equal(text_string(&made), "a 0\nb 2\n");
	text_clear(&made);
	profiletesting_add_folded(trace, "after", &made);
	assert_string_equal(text_string(&made), "a 1\nb 3\n");
	text_release(&made);
	trace_free(trace);
}

/* A line longer than the reader's parts, and a stack deeper than any. */
static void
a_deep_stack_is_one_line(void **state)
{
	enum { DEPTH = 300000 };
	struct text line = { 0 };
	(void)state;
	for (int i = 0; i < DEPTH; i++)
		text_format(&line, "frame%d;", i % 10);
	text_add_string(&line, "leaf 5\n");
	struct trace *trace = profiletesting_load("deep", line.bytes, line.length, "folded");
	assert_int_equal(trace->samples->count, 1);
	assert_int_equal(stack_depth(&trace->stacks, trace->samples->stacks[0]), DEPTH + 1);
	assert_int_equal(trace->damage.count, 0);
	trace_free(trace);
	text_release(&line);
}

/* Also with digits behind the point, for which that format has no room. */
static void
what_is_written_for_pprof_and_as_svg_reads_back(void **state)
{
	static const char *const names[] = { "annotated", "fractional", "server" };
	const struct report_options options = { .width_cells = 80 };
	const char *missing;
	(void)state;
	if (!report_pprof_is_available(&missing))
		skip();
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		char file[100];
		struct text profile = { 0 }, drawing = { 0 };
		struct error err;
		error_clear(&err);
		snprintf(file, sizeof file, "%s.folded", names[i]);
		struct trace *trace = profiletesting_load_file("folded", file);
		const struct profile_request request = {
			.kind = PROFILE_SAMPLES, .of = "", .scope = profile_whole(trace)
		};
		snprintf(file, sizeof file, "%s.merged", names[i]);
		assert_true(report_pprof(trace, &request, &options, &profile, &err));
		struct trace *read = profiletesting_load(file, profile.bytes, profile.length, "pprof");
		profiletesting_check_folded(read, "", "folded", file);
		trace_free(read);
		assert_true(report_flamegraph(trace, &request, &options, &drawing, &err));
		if (trace->samples->decimals == 0) {
			read = profiletesting_load(file, drawing.bytes, drawing.length, "flamegraph_svg");
			profiletesting_check_folded(read, "", "folded", file);
			trace_free(read);
		}
		trace_free(trace);
		text_release(&profile);
		text_release(&drawing);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_inputs_are_as_the_oracle_has_them),
		cmocka_unit_test(lines_make_stacks),
		cmocka_unit_test(two_numbers_are_before_and_after),
		cmocka_unit_test(a_deep_stack_is_one_line),
		cmocka_unit_test(what_is_written_for_pprof_and_as_svg_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
