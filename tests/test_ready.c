/* Tables that an input has ready made: kept, told to people as printed, to programs as numbers. */
#include "base_testing.h"

#include <string.h>

#include "analysis/analysis.h"
#include "resulttesting.h"
#include "source/common/profile_trace.h"
#include "trace/ready.h"
#include "trace/trace.h"

static const struct words words = { .source = "some", .actor = { "thread", "threads", '\0' } };

static string_id
name(struct trace *trace, const char *text)
{
	struct error err;
	string_id id;
	assert_true(intern_add(&trace->strings, text, strlen(text), &id, &err));
	return id;
}

static struct trace *
make_trace(void)
{
	struct error err = { 0 };
	struct input in;
	struct trace *trace = profile_trace_new(&words, &err);
	assert_non_null(trace);
	trace->ready = ready_new(&err);
	assert_non_null(trace->ready);
	struct ready_table *table =
		ready_add_table(trace->ready, name(trace, "functions"), name(trace, "Functions"), &err);
	assert_non_null(table);
	const struct ready_column columns[] = {
		{ name(trace, "function"), name(trace, "function"), READY_FUNCTION, true, 0 },
		{ name(trace, "flat_ns"), name(trace, "flat"), READY_DURATION, false, 0 },
		{ name(trace, "flat_percent"), name(trace, "flat%"), READY_PERCENT, false, 1 },
		{ name(trace, "calls"), name(trace, "calls"), READY_COUNT, false, 2 },
	};
	for (size_t i = 0; i < 4; i++)
		assert_true(ready_add_column(table, &columns[i], &err));
	const struct ready_cell rows[2][4] = {
		{ { name(trace, "main.run"), READY_NONE }, { name(trace, "0.25s"), 250000000 },
			{ name(trace, "12.50%"), 125000000 }, { name(trace, "-3"), -3 } },
		{ { name(trace, "main.idle"), READY_NONE }, { name(trace, "1.5mins"), 90000000000 },
			{ name(trace, "?"), READY_NONE }, { name(trace, "4"), 4 } },
	};
	for (size_t i = 0; i < 2; i++)
		assert_true(ready_add_row(table, rows[i], &err));
	assert_true(ready_add_note(trace->ready, name(trace, "Type"), name(trace, "cpu\033[m"), &err));
	assert_true(input_open_memory(&in, "", 0, &err));
	assert_true(profile_trace_finish(trace, &in, &err));
	input_close(&in);
	return trace;
}

static void
check(enum report_format format, const char *sort, const char *expected)
{
	struct error err = { 0 };
	struct text out = { 0 };
	struct trace *trace = make_trace();
	const struct report_options options = {
		.width_cells = 80, .ascii = true, .format = format, .sort = sort
	};
	assert_true(testing_result("table", trace, &options, &out, &err));
	const char *at = strstr(text_string(&out), expected);
	if (at == NULL)
		fail_msg("%s", text_string(&out));
	text_release(&out);
	trace_free(trace);
}

static void
people_read_what_was_printed(void **state)
{
	(void)state;
	check(REPORT_AS_TEXT, NULL,
		"  function      flat   flat%  calls\n"
		"  main.run     0.25s  12.50%     -3\n"
		"  main.idle  1.5mins       ?      4\n");
	check(REPORT_AS_TEXT, NULL, "cpu\\e[m");
}

static void
rows_are_sorted_by_their_numbers(void **state)
{
	(void)state;
	check(REPORT_AS_TEXT, "flat",
		"  main.idle  1.5mins       ?      4\n"
		"  main.run     0.25s  12.50%     -3\n");
}

static void
programs_read_numbers(void **state)
{
	(void)state;
	check(REPORT_AS_JSON, NULL,
		"{\"table\":\"functions\",\"function\":\"main.run\",\"flat_ns\":250000000,"
		"\"flat_percent\":12.5,\"calls\":-3}\n"
		"{\"table\":\"functions\",\"function\":\"main.idle\",\"flat_ns\":90000000000,"
		"\"flat_percent\":null,\"calls\":4}\n");
}

static void
only_traces_with_tables_are_asked(void **state)
{
	struct error err = { 0 };
	(void)state;
	struct trace *trace = make_trace();
	assert_true(analysis_applies(NEEDS_TABLES, trace));
	assert_true(trace_bytes(trace) > ready_bytes(trace->ready));
	trace_free(trace);
	trace = trace_new(&err);
	assert_non_null(trace);
	assert_false(analysis_require(NEEDS_TABLES, trace, "table", &err));
	trace_free(trace);
}

static void
columns_have_a_limit(void **state)
{
	struct error err = { 0 };
	(void)state;
	struct ready *ready = ready_new(&err);
	struct ready_table *table = ready_add_table(ready, STRING_EMPTY, STRING_EMPTY, &err);
	for (int i = 0; i < READY_MOST_COLUMNS; i++)
		assert_true(ready_add_column(table, &(struct ready_column){ 0 }, &err));
	assert_false(ready_add_column(table, &(struct ready_column){ 0 }, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	ready_free(ready);
	ready_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(people_read_what_was_printed),
		cmocka_unit_test(rows_are_sorted_by_their_numbers),
		cmocka_unit_test(programs_read_numbers),
		cmocka_unit_test(only_traces_with_tables_are_asked),
		cmocka_unit_test(columns_have_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
