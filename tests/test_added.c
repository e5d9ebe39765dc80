/*
 * An analysis with a parameter that somebody adds by doc/ADDING.md: the registry here has one row
 * more than the program's, whose object the linker leaves out therefore.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define registry_at program_at
#define registry_find program_find
#include "../src/analysis/registry.c"
#undef registry_at
#undef registry_find
#include "base/compiler.h"
#include "pagetest.h"
#include "source/go/words.h"
#include "view/analysis.h"

static const struct result_column columns[] = {
	DIMENSION("word", "word", FIGURE_TEXT),
	MEASURE("count", "count", FIGURE_COUNT),
};

static bool
accepts(const char *text, size_t from, struct error *why)
{
	(void)why;
	return strcmp(text + from, "one") == 0 || strcmp(text + from, "two") == 0;
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "added",
		.title = "Added",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 1,
		.none = "none",
	};
	int64_t cells[] = { 0, 17 };
	return sink->begin(sink, &table, err) &&
	       result_text(sink, work->parameter, strlen(work->parameter), &cells[0], err) &&
	       sink->row(sink, cells, NULL, err) && sink->end(sink, err);
}

static const char *const listed[] = { "added:one", "added:two", NULL };

static const struct analysis_kind added_kind = {
	.name = "added",
	.help = "what a stranger added",
	.title = "Added for ",
	.parameters = "WORD",
	.listed = listed,
	.accepts = accepts,
	.fill = fill,
};

const struct analysis_kind *registry_at(size_t index);
const struct analysis_kind *registry_find(const char *name, size_t length);

const struct analysis_kind *
registry_at(size_t index)
{
	return index < ARRAY_LENGTH(rows) ? rows[index] : index == ARRAY_LENGTH(rows) ? &added_kind : NULL;
}

const struct analysis_kind *
registry_find(const char *name, size_t length)
{
	return is_word("added", name, length) ? &added_kind : program_find(name, length);
}

static void
the_menu_lists_its_parameters(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 60, "analyses");
	page_settle(&test);
	page_has(&test, "added:one");
	page_has(&test, "added:two               what a stranger added");
	page_press(&test, "G");
	for (int i = 0; i < 60 && strstr(page_text(&test), ">  added:two") == NULL; i++)
		page_press(&test, "Up");
	page_press(&test, "Enter");
	page_has(&test, "Added for two");
	page_has(&test, "17");
	page_press(&test, "q");
	page_has(&test, ">  added:two");
	page_end(&test);
}

static void
completion_offers_its_parameters(void **state)
{
	const char *name;
	int count = 0;
	(void)state;
	for (size_t i = 0; (name = analysis_offered(&go_words, 0, i)) != NULL; i++)
		count += strcmp(name, "added:one") == 0 || strcmp(name, "added:two") == 0;
	assert_int_equal(count, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_menu_lists_its_parameters),
		cmocka_unit_test(completion_offers_its_parameters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
