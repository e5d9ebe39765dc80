/*
 * Analyses that somebody adds by doc/ADDING.md: the registry here has more rows than the program's,
 * whose object the linker leaves out therefore.
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
#include "base/memory.h"
#include "pagetest.h"
#include "source/go/words.h"
#include "view/analysis.h"

static const struct result_column columns[] = {
	DIMENSION("word", "word", FIGURE_TEXT),
	MEASURE("count", "count", FIGURE_COUNT),
};

static void *
read_word(const char *text, size_t from, struct error *why)
{
	bool is_one = strcmp(text + from, "one") == 0 || strcmp(text + from, "two") == 0;
	char *word = is_one ? array_new(sizeof "one", 1, why) : NULL;
	return word != NULL ? memcpy(word, text + from, sizeof "one") : NULL;
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
	.read = read_word,
	.forget = memory_free,
	.fill = fill,
};

/* Never asks whether anybody wants it, but the sink does. Of its rows none is kept. */
enum { MOST_TOLD = 2000000000 };
static int told;

static bool
fill_for_long(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	static const struct result_column printed[] = {
		DIMENSION("count", "count", FIGURE_COUNT, .is_printed_only = true),
	};
	const struct result_table table = {
		.name = "long", .title = "", .columns = printed, .column_count = 1, .none = "none"
	};
	int64_t cells[] = { 0 };
	(void)work;
	bool is_fine = sink->begin(sink, &table, err);
	for (told = 0; is_fine && told < MOST_TOLD; told++)
		is_fine = sink->row(sink, cells, NULL, err);
	return is_fine && sink->end(sink, err);
}

static const struct analysis_kind long_kind = {
	.name = "long",
	.help = "many rows",
	.title = "Many rows",
	.fill = fill_for_long,
};

const struct analysis_kind *registry_at(size_t index);
const struct analysis_kind *registry_find(const char *name, size_t length);

const struct analysis_kind *
registry_at(size_t index)
{
	static const struct analysis_kind *const more[] = { &added_kind, &long_kind };
	if (index < ARRAY_LENGTH(rows))
		return rows[index];
	return index - ARRAY_LENGTH(rows) < ARRAY_LENGTH(more) ? more[index - ARRAY_LENGTH(rows)] : NULL;
}

const struct analysis_kind *
registry_find(const char *name, size_t length)
{
	return is_word("added", name, length) ? &added_kind
	       : is_word("long", name, length) ? &long_kind
					       : program_find(name, length);
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

static void
leaving_ends_whoever_tells_rows(void **state)
{
	(void)state;
	struct page_test test;
	page_begin(&test, "httpserver-go1.23", 100, 30, "long");
	assert_non_null(test.app.session->analyses.kept[0]->job);
	page_end(&test);
	assert_true(told < MOST_TOLD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_menu_lists_its_parameters),
		cmocka_unit_test(completion_offers_its_parameters),
		cmocka_unit_test(leaving_ends_whoever_tells_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
