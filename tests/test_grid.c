/* Tables of a report: any column sorts them, either way, and a limit leaves the first of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_testing.h"
#include "formreading.h"
#include "golden.h"
#include "report/grid.h"
#include "tracetesting.h"

enum { ROWS = 200 };

static const struct grid_column columns[] = {
	{ { .title = "id", .is_right = true }, "number" },
	{ { .title = "for", .is_right = true }, "duration_ns" },
	{ { .title = "at", .is_right = true }, "start_ns" },
	{ { .title = "size", .is_right = true }, "size_bytes" },
	{ { .title = "part", .is_right = true }, "part" },
	{ { .title = "who" }, "goroutine" },
	{ { .title = "name" }, "name" },
	{ { .title = "" }, NULL },
	{ { .title = NULL }, "exact_ns" },
};

/* What the rows are made of: few values, so that many are equal; every seventh is not there. */
struct row {
	int64_t duration_ns, start_ns, bytes, part;
	actor_ref goroutine;
	char name[8];
	bool is_empty;
};

static void
draw_rows(const struct trace *trace, uint64_t *seed, struct row *rows)
{
	for (int i = 0; i < ROWS; i++) {
		rows[i] = (struct row){
			.duration_ns = (int64_t)random_below(seed, 50) - 25,
			.start_ns = (int64_t)random_below(seed, 50),
			.bytes = (int64_t)random_below(seed, 5000),
			.part = (int64_t)random_below(seed, 20),
			.goroutine = (actor_ref)random_below(
				seed, trace_actor_count(trace)),
			.is_empty = random_below(seed, 7) == 0,
		};
		const char *letters = random_below(seed, 2) == 0 ? "abc" : "ab,";
		snprintf(rows[i].name, sizeof rows[i].name, "%.*s", (int)random_below(seed, 4), letters);
	}
}

static void
put_rows(struct grid *grid, const struct row *rows)
{
	for (int i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		grid_count(grid, (uint64_t)i);
		if (row->is_empty)
			grid_none(grid);
		else
			grid_duration(grid, row->duration_ns);
		grid_moment(grid, row->start_ns);
		grid_bytes(grid, (uint64_t)row->bytes);
		grid_share(grid, (double)row->part / 20);
		grid_actor(grid, row->goroutine);
		grid_text(grid, row->name, strlen(row->name));
		grid_bar(grid, 0.5);
		grid_duration(grid, row->duration_ns);
	}
}

static void
print(const struct trace *trace, const struct report_options *options, const struct row *rows,
	struct text *out)
{
	struct grid grid;
	struct error err = { 0 };
	text_clear(out);
	assert_true(grid_begin(&grid, trace, options, out, &err));
	grid_table(&grid, "rows", "All of them", columns, (int)ARRAY_LENGTH(columns));
	put_rows(&grid, rows);
	grid_table_end(&grid, "none");
	assert_true(grid_end(&grid));
}

/* By which --sort is called so, ascending; empty ones last either way. */
static int
compare(const struct trace *trace, const char *name, const struct row *a, const struct row *b)
{
	if (strcmp(name, "duration") == 0)
		return (a->duration_ns > b->duration_ns) - (a->duration_ns < b->duration_ns);
	if (strcmp(name, "at") == 0)
		return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
	if (strcmp(name, "size_bytes") == 0)
		return (a->bytes > b->bytes) - (a->bytes < b->bytes);
	if (strcmp(name, "part") == 0)
		return (a->part > b->part) - (a->part < b->part);
	if (strcmp(name, "name") == 0)
		return strcmp(a->name, b->name);
	int64_t x = trace_actor(trace, a->goroutine)->id;
	int64_t y = trace_actor(trace, b->goroutine)->id;
	return (x > y) - (x < y);
}

static void
check_order(const struct trace *trace, const char *sort, bool is_greatest_first,
	const struct row *rows, const struct text *csv)
{
	const char *name = sort + (sort[0] == '-');
	bool is_descending = is_greatest_first != (sort[0] == '-');
	bool has_none = strcmp(name, "duration") == 0;
	long before = -1;
	unsigned lines = 0;
	for (const char *at = strchr(csv->bytes, '\n') + 1; *at != '\0'; lines++) {
		long row = strtol(at, NULL, 10);
		at = strchr(at, '\n') + 1;
		if (before >= 0) {
			const struct row *a = &rows[before], *b = &rows[row];
			bool is_last = has_none && (a->is_empty || b->is_empty);
			int order = is_last ? a->is_empty - b->is_empty
				    : is_descending ? compare(trace, name, b, a)
						    : compare(trace, name, a, b);
			if (order > 0 || (order == 0 && before >= row))
				fail_msg("--sort=%s: row %ld before %ld", sort, before, row);
		}
		before = row;
	}
	assert_int_equal(lines, ROWS);
}

static void
any_column_sorts_either_way(void **state)
{
	static const struct {
		const char *sort;
		bool is_greatest_first;
	} sorts[] = {
		{ "duration", true },	{ "-duration", true }, { "at", false }, { "-at", false },
		{ "size_bytes", true }, { "-size_bytes", true }, { "part", true },
		{ "name", false },	{ "-name", false },    { "goroutine", false },
	};
	struct trace *trace = testing_load("httpserver-go1.23");
	struct row rows[ROWS];
	uint64_t seed = 7;
	struct text out = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(sorts); i++) {
		struct report_options options = { .format = REPORT_AS_CSV, .sort = sorts[i].sort };
		draw_rows(trace, &seed, rows);
		print(trace, &options, rows, &out);
		check_order(trace, sorts[i].sort, sorts[i].is_greatest_first, rows, &out);
	}
	text_release(&out);
	trace_free(trace);
}

static void
a_limit_leaves_the_first(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .format = REPORT_AS_CSV, .sort = "name" };
	struct row rows[ROWS];
	uint64_t seed = 3;
	struct text all = { 0 }, some = { 0 };
	(void)state;
	draw_rows(trace, &seed, rows);
	for (int round = 0; round < 2; round++) {
		options.limit = 0;
		print(trace, &options, rows, &all);
		options.limit = 9;
		print(trace, &options, rows, &some);
		assert_true(some.length < all.length);
		assert_memory_equal(some.bytes, all.bytes, some.length);
		assert_int_equal(all.bytes[some.length - 1], '\n');
		options.sort = NULL;
	}
	options = (struct report_options){ .sort = "-for", .limit = 9, .width_cells = 80 };
	print(trace, &options, rows, &some);
	golden_check("grid-sorted.txt", &some);
	options.limit = ROWS;
	print(trace, &options, rows, &some);
	assert_null(strstr(some.bytes, "more"));
	text_release(&all);
	text_release(&some);
	trace_free(trace);
}

static void
a_column_that_is_not_there_is_refused(void **state)
{
	static const char *const refused[] = { "duratio", "", "-", "durations", "--for" };
	struct trace *trace = testing_load("httpserver-go1.23");
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++) {
		struct report_options options = { .width_cells = 80, .sort = refused[i] };
		struct grid grid;
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(grid_begin(&grid, trace, &options, &out, &err));
		grid_table(&grid, "rows", "", columns, (int)ARRAY_LENGTH(columns));
		grid_table_end(&grid, "none");
		assert_false(grid_end(&grid));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.message, "there are number, duration, start, size, part, "
						    "goroutine, name, exact"));
		text_release(&out);
	}
	trace_free(trace);
}

/* Prints its number, and keeps count. */
static void
put_block(void *context, uint32_t row)
{
	struct grid *grid = context;
	page_format(&grid->page, STYLE_DEFAULT, "block %" PRIu32, row);
	page_line(&grid->page);
}

static void
blocks_come_in_the_order_of_rows(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .width_cells = 80, .sort = "part", .limit = 2 };
	struct grid grid;
	struct text out = { 0 };
	struct error err = { 0 };
	(void)state;
	assert_true(grid_begin(&grid, trace, &options, &out, &err));
	grid_blocks(&grid, "blocks", &columns[4], 1, put_block, &grid);
	for (int i = 0; i < 4; i++)
		grid_share(&grid, i == 2 ? 0.5 : 0.1 * i);
	grid_table_end(&grid, "none");
	size_t count;
	uint32_t *shown = grid_take_shown(&grid, &count);
	assert_int_equal(count, 2);
	assert_int_equal(shown[0], 2);
	assert_int_equal(shown[1], 3);
	memory_free(shown);
	assert_true(grid_end(&grid));
	assert_string_equal(out.bytes, "block 2\nblock 3\nand 2 more\n");
	text_release(&out);
	trace_free(trace);
}

/* ---- Markdown */

static void
markdown_has_all_that_people_read(void **state)
{
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .format = REPORT_AS_MARKDOWN, .sort = "-for", .limit = 9,
		.width_cells = 40 };
	struct row rows[ROWS];
	uint64_t seed = 3;
	struct text out = { 0 }, problem = { 0 };
	(void)state;
	draw_rows(trace, &seed, rows);
	print(trace, &options, rows, &out);
	golden_check("grid-markdown.txt", &out);
	/* Rows that are laid out in several stretches are one table. */
	options = (struct report_options){ .format = REPORT_AS_MARKDOWN };
	struct grid grid;
	struct error err = { 0 };
	text_clear(&out);
	assert_true(grid_begin(&grid, trace, &options, &out, &err));
	grid_table(&grid, "rows", "All of them", columns, (int)ARRAY_LENGTH(columns));
	for (int i = 0; i < 6; i++)
		put_rows(&grid, rows);
	grid_table_end(&grid, "none");
	assert_true(grid_end(&grid));
	assert_true(formreading_markdown(out.bytes, &problem));
	size_t lines = 0;
	for (const char *at = strchr(out.bytes, '|'); at != NULL; at = strchr(at + 1, '\n'))
		lines++;
	assert_int_equal(lines, 6 * ROWS + 2 + 1); /* titles, rule, and the last line's end */
	text_release(&problem);
	text_release(&out);
	trace_free(trace);
}

/* What stands at the beginning of a line, in a cell, and in a code block. */
static void
nothing_becomes_markup(void **state)
{
	static const char *const texts[] = { "- a", "+ a", "= a", "> a", "1. a", "23) a", "# a",
		"***", "---", "===", "a_b_c", "**a**", "~~a~~", "`a`", "``a", "```", "````", "  ```", "~~~",
		"<b>a</b>", "<!-- a", "&lt;", "&nbsp;", "[a](b)", "![a](b)", "| a |", "a|b", "\\", "a\\",
		"@a", "a@b.c", "@@", "`@`", "http://a.b", "www.a.b", "$a$", "    a", "a  ", " ", "", "|---|" };
	static const struct grid_column of_texts[] = { { { .title = "a_b" }, "a" }, { { .title = "" }, "b" } };
	struct trace *trace = testing_load("httpserver-go1.23");
	struct report_options options = { .format = REPORT_AS_MARKDOWN, .width_cells = 80 };
	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_LENGTH(texts); i++) {
		const char *text = texts[i / 2];
		struct grid grid;
		struct text out = { 0 }, value = { 0 }, problem = { 0 };
		struct error err = { 0 };
		options.ascii = i % 2 == 1;
		assert_true(grid_begin(&grid, trace, &options, &out, &err));
		grid_heading(&grid, text);
		grid_fact(&grid, "a", "%s", text);
		page_fact(&grid.page, "  b", &value);
		text_add_string(&value, text);
		page_whole(&grid.page, STYLE_KEY, &value);
		page_line(&grid.page);
		page_string(&grid.page, STYLE_DEFAULT, text);
		page_line(&grid.page);
		page_fence_begin(&grid.page);
		page_string(&grid.page, STYLE_DEFAULT, text);
		page_line(&grid.page);
		page_fence_end(&grid.page);
		grid_table(&grid, "rows", text, of_texts, 2);
		grid_text(&grid, text, strlen(text));
		grid_text(&grid, text, strlen(text));
		grid_table_end(&grid, "none");
		assert_true(grid_end(&grid));
		if (!formreading_markdown(out.bytes, &problem))
			fail_msg("%s: %s in:\n%s", text, problem.bytes, out.bytes);
		text_release(&value);
		text_release(&problem);
		text_release(&out);
	}
	trace_free(trace);
}

/* The readers that say so would not take anything. */
static void
what_is_wrong_is_found(void **state)
{
	static const struct {
		bool (*read)(const char *bytes, struct text *problem);
		const char *wrong, *right;
	} rows[] = {
		{ formreading_json, "{\"a\":1,}\n", "{\"a\":1}\n" },
		{ formreading_json, "{\"a\":1}", "" },
		{ formreading_json, "{\"a\":1,\"a\":2}\n", "{\"a\":1,\"b\":2}\n" },
		{ formreading_json, "{\"a\":}\n", "{\"a\":null}\n" },
		{ formreading_json, "{\"a\":nan}\n", "{\"a\":-1.5e+3}\n" },
		{ formreading_json, "{\"a\":\"\\x\"}\n", "{\"a\":\"\\u00e4\"}\n" },
		{ formreading_csv, "a,b\n1\n", "a,b\n1,\n" },
		{ formreading_csv, "a,b\n1,2\"\n", "a,b\n1,\"2\"\"\"\n" },
		{ formreading_csv, "a,\n1,2\n", "a\n1\n\nb,c\n1,2\n" },
		{ formreading_csv, "a\n\"1\n", "a\n\"1,\"\n" },
		{ formreading_markdown, "| a |\n| - |\n| b | c |\n", "| a |\n| - |\n| b\\|c |\n" },
		{ formreading_markdown, "```text\na\n", "```text\na\n```\n" },
		{ formreading_markdown, "```text\n```\na\n```\n", "```text\n    ```\na\n```\n" },
		{ formreading_markdown, "a <b>\n", "a \\<b>\n" },
		{ formreading_markdown, "- a\nb\n", "- a\n  - b\n\nb\n" },
		{ formreading_markdown, "1. a\n", "1\\. a\n" },
	};
	struct text problem = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (rows[i].read(rows[i].wrong, &problem))
			fail_msg("taken: %s", rows[i].wrong);
		text_clear(&problem);
		if (!rows[i].read(rows[i].right, &problem))
			fail_msg("not taken: %s: %s", rows[i].right, problem.bytes);
	}
	text_release(&problem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_found),
		cmocka_unit_test(markdown_has_all_that_people_read),
		cmocka_unit_test(nothing_becomes_markup),
		cmocka_unit_test(any_column_sorts_either_way),
		cmocka_unit_test(a_limit_leaves_the_first),
		cmocka_unit_test(a_column_that_is_not_there_is_refused),
		cmocka_unit_test(blocks_come_in_the_order_of_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
