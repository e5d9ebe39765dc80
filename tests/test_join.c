/* Two results side by side: what is in both, in one, twice, and without memory. */
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "result/join.h"
#include "trace/words.h"

static const struct result_column columns[] = {
	DIMENSION("name", "name", FIGURE_TEXT),
	DIMENSION("id", "id", FIGURE_NUMBER),
	MEASURE("count", "count", FIGURE_COUNT),
	MEASURE("total_ns", "total", FIGURE_DURATION),
	MEASURE("where", "where", FIGURE_TEXT),
	MEASURE("share", "share", FIGURE_SHARE),
};

struct row {
	const char *name;
	int64_t id, count, total_ns;
};

static struct figures *
figures_of(const struct trace *trace, const char *name, const struct row *rows, size_t count,
	struct error *err)
{
	struct figures_sink keep;
	const struct result_table table = { .name = name, .title = "", .columns = columns,
		.column_count = ARRAY_LENGTH(columns), .none = "none" };
	if (!figures_sink_begin(&keep, trace, true, err))
		return NULL;
	bool is_fine = keep.sink.begin(&keep.sink, &table, err);
	for (size_t i = 0; is_fine && i < count; i++) {
		int64_t text;
		is_fine = result_text(&keep.sink, rows[i].name, strlen(rows[i].name), &text, err);
		const int64_t cells[] = { text, rows[i].id, rows[i].count, rows[i].total_ns, text,
			figure_of_share(0.5) };
		is_fine = is_fine && keep.sink.row(&keep.sink, cells, NULL, err);
	}
	return figures_sink_end(&keep, is_fine, err);
}

static const struct row before[] = {
	{ "same", 1, 5, 100 },
	{ "less", 1, 7, 500 },
	{ "gone", 1, 1, 30 },
	{ "twice", 1, 1, 10 },
	{ "twice", 1, 2, 20 },
	{ "none", 1, FIGURE_NONE, FIGURE_NONE },
	{ "same", 2, 5, 100 },
};
static const struct row after[] = {
	{ "new", 1, 3, 250 },
	{ "twice", 1, 1, 10 },
	{ "less", 1, 7, 100 },
	{ "same", 1, 5, 100 },
	{ "twice", 1, 2, 26 },
	{ "same", 2, 6, 100 },
	{ "none", 1, FIGURE_NONE, FIGURE_NONE },
};

static struct figures *
join(const struct trace *trace, bool only_changes, struct error *err)
{
	struct figures *sides[2] = { figures_of(trace, "t", before, ARRAY_LENGTH(before), err) };
	struct figures *joined = NULL;
	struct figures_sink keep;
	struct text left_out = { 0 };
	if (sides[0] != NULL)
		sides[1] = figures_of(trace, "t", after, ARRAY_LENGTH(after), err);
	if (sides[0] != NULL && sides[1] != NULL && figures_sink_begin(&keep, trace, true, err)) {
		bool is_fine = result_join(sides[0], sides[1], only_changes, &keep.sink, &left_out, err);
		joined = figures_sink_end(&keep, is_fine, err);
		assert_int_equal(left_out.length, 0);
	}
	figures_free(sides[0]);
	figures_free(sides[1]);
	return joined;
}

enum { NAME, ID, TOTAL_CHANGE, TOTAL_BEFORE, TOTAL_AFTER, COUNT_CHANGE };

static void
check_row(const struct figures *figures, size_t row, const char *name, int64_t id, int64_t change,
	int64_t total_before, int64_t total_after)
{
	check_text("name", intern_text(figures->own_texts,
			(string_id)*figures_cell(figures, 0, row, NAME), NULL), name);
	assert_int_equal(*figures_cell(figures, 0, row, ID), id);
	assert_true(*figures_cell(figures, 0, row, TOTAL_CHANGE) == change);
	assert_true(*figures_cell(figures, 0, row, TOTAL_BEFORE) == total_before);
	assert_true(*figures_cell(figures, 0, row, TOTAL_AFTER) == total_after);
}

static void
rows_of_both_stand_side_by_side(void **state)
{
	static const struct trace trace = { .words = &words_plain };
	struct error err;
	(void)state;
	error_clear(&err);
	struct figures *joined = join(&trace, false, &err);
	assert_non_null(joined);
	assert_null(joined->next);
	/* Two names and three columns for each of three measures: a text is none. */
	assert_int_equal(joined->column_count, 2 + 3 * 3);
	check_text("key", joined->columns[TOTAL_CHANGE].key, "total_change_ns");
	check_text("key", joined->columns[TOTAL_BEFORE].key, "total_before_ns");
	check_text("key", joined->columns[COUNT_CHANGE].key, "count_change");
	assert_int_equal(joined->row_count, 8);
	check_row(joined, 0, "less", 1, -400, 500, 100);
	check_row(joined, 1, "new", 1, 250, FIGURE_NONE, 250);
	check_row(joined, 2, "gone", 1, -30, 30, FIGURE_NONE);
	check_row(joined, 3, "twice", 1, 6, 20, 26);
	figures_free(joined);
	joined = join(&trace, true, &err);
	assert_non_null(joined);
	/* The last of them has another count only. */
	assert_int_equal(joined->row_count, 5);
	check_row(joined, 4, "same", 2, 0, 100, 100);
	assert_int_equal(*figures_cell(joined, 0, 4, COUNT_CHANGE), 1);
	figures_free(joined);
}

static void
it_ends_well_without_memory(void **state)
{
	static const struct trace trace = { .words = &words_plain };
	struct figures *joined = NULL;
	(void)state;
	for (uint64_t i = 1; joined == NULL; i++) {
		struct error err;
		error_clear(&err);
		memory_fail_after(i);
		joined = join(&trace, false, &err);
		memory_fail_after(0);
		assert_true((joined == NULL) == (err.kind == ERROR_MEMORY));
	}
	figures_free(joined);
}

/* A table of which only programs are told has no place on the screen; alone it is no page. */
static void
the_screen_keeps_what_it_can_show(void **state)
{
	static const struct trace trace = { .words = &words_plain };
	static const struct result_column hidden[] = { MEASURE("count", NULL, FIGURE_COUNT) };
	static const struct result_column shown[] = { MEASURE("count", "count", FIGURE_COUNT) };
	const struct result_table tables[] = {
		{ .name = "hidden", .title = "", .columns = hidden, .column_count = 1 },
		{ .name = "shown", .title = "", .columns = shown, .column_count = 1 },
	};
	const int64_t cell = 7;
	(void)state;
	for (size_t count = 1; count <= ARRAY_LENGTH(tables); count++) {
		struct figures_sink keep;
		struct error err;
		error_clear(&err);
		assert_true(figures_sink_begin(&keep, &trace, false, &err));
		for (size_t i = 0; i < count; i++) {
			assert_true(keep.sink.begin(&keep.sink, &tables[i], &err));
			assert_true(keep.sink.row(&keep.sink, &cell, NULL, &err));
			assert_true(keep.sink.end(&keep.sink, &err));
		}
		struct figures *figures = figures_sink_end(&keep, true, &err);
		assert_int_equal(figures == NULL, count == 1);
		assert_int_equal(err.kind, count == 1 ? ERROR_USAGE : ERROR_NONE);
		if (figures == NULL)
			continue;
		check_text("name", figures->name, "shown");
		assert_null(figures->next);
		assert_int_equal(*figures_cell(figures, 0, 0, 0), 7);
		figures_free(figures);
	}
}

/* Columns belong together by their keys; the type of one without values only the other table knows. */
static void
columns_are_found_by_their_keys(void **state)
{
	static const struct trace trace = { .words = &words_plain };
	static const struct result_column of_before[] = {
		DIMENSION("name", "name", FIGURE_NUMBER),
		MEASURE("total_ns", "total", FIGURE_DURATION),
		MEASURE("count", "count", FIGURE_COUNT),
	};
	static const struct result_column of_after[] = {
		DIMENSION("name", "name", FIGURE_NUMBER),
		MEASURE("size", "size", FIGURE_BYTES),
		DIMENSION("place", "place", FIGURE_BAR),
		MEASURE("count", "count", FIGURE_BAR),
	};
	static const int64_t first[] = { 7, 100, 5 }, second[] = { 7, 20, FIGURE_NONE, FIGURE_NONE };
	const struct result_table tables[] = {
		{ .name = "t", .title = "", .columns = of_before, .column_count = 3, .none = "none" },
		{ .name = "t", .title = "", .columns = of_after, .column_count = 4, .none = "none" },
	};
	struct figures *sides[2];
	struct figures_sink keep;
	struct text left_out = { 0 };
	struct error err;
	(void)state;
	error_clear(&err);
	for (size_t i = 0; i < ARRAY_LENGTH(sides); i++) {
		assert_true(figures_sink_begin(&keep, &trace, true, &err));
		assert_true(keep.sink.begin(&keep.sink, &tables[i], &err));
		assert_true(keep.sink.row(&keep.sink, i == 0 ? first : second, NULL, &err));
		sides[i] = figures_sink_end(&keep, true, &err);
		assert_non_null(sides[i]);
	}
	assert_true(figures_sink_begin(&keep, &trace, true, &err));
	assert_true(result_join(sides[0], sides[1], false, &keep.sink, &left_out, &err));
	struct figures *joined = figures_sink_end(&keep, true, &err);
	static const int64_t wanted[] = { 7, FIGURE_NONE, 20, FIGURE_NONE, 20, -5, 5, FIGURE_NONE };
	assert_non_null(joined);
	assert_int_equal(joined->row_count, 1);
	assert_int_equal(joined->column_count, ARRAY_LENGTH(wanted));
	for (int i = 0; i < joined->column_count; i++)
		assert_true(*figures_cell(joined, 0, 0, i) == wanted[i]);
	assert_int_equal(joined->columns[1].type, FIGURE_TEXT);
	assert_int_equal(joined->columns[5].type, FIGURE_CHANGE_COUNT);
	figures_free(joined);
	figures_free(sides[0]);
	figures_free(sides[1]);
}

/* Told by name, whichever side has it. */
static void
tables_of_moments_are_left_out(void **state)
{
	static const struct trace trace = { .words = &words_plain };
	static const struct result_column moments[] = { DIMENSION("start_ns", "at", FIGURE_MOMENT) };
	static const char *const names[] = { "first", "second" };
	struct figures *sides[2];
	struct figures_sink keep;
	struct text left_out = { 0 };
	struct error err;
	(void)state;
	error_clear(&err);
	for (size_t i = 0; i < ARRAY_LENGTH(sides); i++) {
		const struct result_table table = { .name = names[i], .title = "", .columns = moments,
			.column_count = 1, .none = "none" };
		assert_true(figures_sink_begin(&keep, &trace, true, &err));
		assert_true(keep.sink.begin(&keep.sink, &table, &err));
		sides[i] = figures_sink_end(&keep, true, &err);
		assert_non_null(sides[i]);
	}
	assert_true(figures_sink_begin(&keep, &trace, true, &err));
	assert_true(result_join(sides[0], sides[1], false, &keep.sink, &left_out, &err));
	check_text("left out", text_string(&left_out), "second, first");
	assert_null(figures_sink_end(&keep, true, &err));
	figures_free(sides[0]);
	figures_free(sides[1]);
	text_release(&left_out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_both_stand_side_by_side),
		cmocka_unit_test(it_ends_well_without_memory),
		cmocka_unit_test(columns_are_found_by_their_keys),
		cmocka_unit_test(tables_of_moments_are_left_out),
		cmocka_unit_test(the_screen_keeps_what_it_can_show),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
