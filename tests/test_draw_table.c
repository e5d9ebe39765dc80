/* Tables: columns in line, room for all, and what goes when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base_testing.h"
#include "draw/output.h"
#include "draw/table.h"

static const struct table_column columns[] = {
	{ .title = "function", .is_name = true, .least_cells = 10 },
	{ .title = "count", .is_right = true },
	{ .title = "time", .is_right = true, .rank = 1 },
	{ .title = "", .rank = 2 },
};

static void
add_row(struct table *table, const char *name, const char *count, const char *time,
	const char *note)
{
	struct cell_style style = { .fg = STYLE_DEFAULT };
	table_string(table, style, name);
	table_string(table, style, count);
	table_string(table, style, time);
	if (note == NULL)
		table_skip(table);
	else
		table_string(table, style, note);
}

static void
fill(struct table *table)
{
	table_init(table, columns, (int)ARRAY_LENGTH(columns));
	add_row(table, "net/http.(*persistConn).readLoop", "4", "12.3 ms", "G7");
	add_row(table, "main.main", "1,024", "1 s", NULL);
	add_row(table, "main.\xe6\x97\xa5\xe6\x9c\xac", "1", "\xc2\xb5s", "at 1 s");
}

/* The table on a canvas of that width, as text. */
static void
print(struct table *table, int width, struct text *out)
{
	struct canvas canvas = { 0 };
	struct error err = { 0 };
	assert_true(canvas_resize(&canvas, width, (int)table_rows(table) + 1, &err));
	table_layout(table, width);
	table_draw_titles(table, &canvas, 0, 0, (struct cell_style){ .fg = STYLE_TEXT_DIM });
	for (size_t row = 0; row < table_rows(table); row++)
		table_draw_row(table, &canvas, 0, (int)row + 1, row);
	output_text(&canvas, out);
	canvas_release(&canvas);
}

static void
columns_get_what_room_there_is(void **state)
{
	(void)state;
	static const struct {
		int width;
		const char *wanted;
	} rows[] = {
		{ 60, "function                          count     time\n"
		      "net/http.(*persistConn).readLoop      4  12.3 ms  G7\n"
		      "main.main                         1,024      1 s\n"
		      "main.\xe6\x97\xa5\xe6\x9c\xac                             1       \xc2\xb5s  at 1 s\n" },
		{ 44, "function              count     time\n"
		      "http\xe2\x80\xa6stConn.readLoop      4  12.3 ms  G7\n"
		      "main.main             1,024      1 s\n"
		      "main.\xe6\x97\xa5\xe6\x9c\xac                 1       \xc2\xb5s  at 1 s\n" },
		{ 27, "function     count     time\n"
		      "ht\xe2\x80\xa6readLoop      4  12.3 ms\n"
		      "main.main    1,024      1 s\n"
		      "main.\xe6\x97\xa5\xe6\x9c\xac        1       \xc2\xb5s\n" },
		{ 20, "function       count\n"
		      "htt\xe2\x80\xa6.readLoop      4\n"
		      "main.main      1,024\n"
		      "main.\xe6\x97\xa5\xe6\x9c\xac          1\n" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct table table;
		struct text out = { 0 };
		fill(&table);
		print(&table, rows[i].width, &out);
		check_text("table", out.bytes, rows[i].wanted);
		text_release(&out);
		table_release(&table);
	}
}

static void
later_rows_line_up_with_those_before(void **state)
{
	(void)state;
	struct table table;
	struct text out = { 0 };
	fill(&table);
	print(&table, 60, &out);
	text_clear(&out);
	table_clear(&table);
	assert_int_equal(table_rows(&table), 0);
	add_row(&table, "f", "2", "3", "x");
	print(&table, 60, &out);
	check_text("later", out.bytes,
		"function                          count     time\n"
		"f                                     2        3  x\n");
	text_release(&out);
	table_release(&table);
}

static bool
fill_once(struct error *err)
{
	struct table table;
	fill(&table);
	bool has_failed = table.has_failed;
	table_release(&table);
	return !has_failed || error_set_memory(err, "table");
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("table", fill_once) > 0);
}

/* Of a column that can be narrowed, and of one for which the canvas has no room. */
static void
what_is_cut_shows_that_it_is(void **state)
{
	(void)state;
	static const struct table_column plain[] = {
		{ .title = "state", .least_cells = 8 },
		{ .title = "of" },
	};
	const struct cell_style style = { .fg = STYLE_DEFAULT };
	struct table table;
	struct text out = { 0 };
	table_init(&table, plain, (int)ARRAY_LENGTH(plain));
	table_string(&table, style, "chan receive");
	table_string(&table, style, "G10 main.main.func1");
	print(&table, 20, &out);
	assert_string_equal(out.bytes, "state     of\nchan re\u2026  G10 main.\u2026\n");
	text_release(&out);
	table_release(&table);
}

/* Of who it is the id stays whole while it has room, whatever the name is like. */
static void
ids_stay_where_names_are_cut(void **state)
{
	static const struct {
		const char *who, *wanted;
		size_t head;
		int width;
	} rows[] = {
		{ "G10 net/http.(*conn).serve", "G10 net/http.(*conn).serve", 4, 26 },
		{ "G10 net/http.(*conn).serve", "G10 http.conn.serve", 4, 20 },
		{ "task 1438 a/long b/d.name", "task 1438 d.name", 10, 16 },
		{ "task 1438 kworker/u16:3", "task 1438 \u202616:3", 10, 15 },
		{ "task 1438 kworker", "task 1438 ker", 10, 13 },
		{ "task 1438 kworker", "task 143\u2026", 10, 9 },
		{ "task 1438", "task 14\u2026", 10, 8 },
	};
	static const struct table_column who = { .title = "", .is_name = true, .least_cells = 4 };
	const struct cell_style style = { .fg = STYLE_DEFAULT };
	struct text out = { 0 }, safe = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct table table;
		table_init(&table, &who, 1);
		text_clear(&safe);
		text_clear(&out);
		text_add_string(&safe, rows[i].who);
		table_headed(&table, style, &safe, rows[i].head);
		print(&table, rows[i].width, &out);
		assert_int_equal(out.bytes[0], '\n'); /* no title */
		assert_int_equal(out.bytes[--out.length], '\n');
		out.bytes[out.length] = '\0';
		check_text(rows[i].who, out.bytes + 1, rows[i].wanted);
		table_release(&table);
	}
	text_release(&safe);
	text_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_get_what_room_there_is),
		cmocka_unit_test(what_is_cut_shows_that_it_is),
		cmocka_unit_test(ids_stay_where_names_are_cut),
		cmocka_unit_test(later_rows_line_up_with_those_before),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
