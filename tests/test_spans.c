/* Lists of spans: how they look, that they are in order, and that hostile text is harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "golden.h"
#include "graphtesting.h"
#include "hostile.h"
#include "oraclefile.h"
#include "query/search.h"
#include "report/spans.h"
#include "tracetesting.h"

static const struct report_options plain = { .ascii = false };

/* Adds the matches in one trace. */
static void
add(struct spans_list *list, const struct trace *trace, const char *query, struct text *out)
{
	struct error err = { 0 };
	struct search *search = search_new(trace, query, &err);
	if (search == NULL || !spans_list_add(list, trace, "a.trace", search, out, &err))
		fail_msg("%s: %s", query, err.message);
	search_free(search);
}

static void
finish(struct spans_list *list, struct text *out)
{
	struct error err = { 0 };
	assert_true(spans_list_finish(list, out, &err));
	spans_list_release(list);
}

static void
list_all(const char *trace_name, struct spans_list list, const char *query, struct text *out)
{
	struct trace *trace = testing_load(trace_name);
	add(&list, trace, query, out);
	finish(&list, out);
	trace_free(trace);
}

static void
lists_look_as_they_should(void **state)
{
	(void)state;
	static const struct report_options ascii = { .ascii = true }, json = {
		.format = REPORT_AS_JSON }, part = { .has_interval = true,
		.format = REPORT_AS_CSV,
		.t0_ns = 20000000,
		.t1_ns = 30000000 };
	static const struct {
		const char *golden, *trace, *query;
		struct spans_list list;
	} rows[] = {
		{ "find.txt", "httpserver-go1.26", "state=blocked dur>3ms", { .options = &plain, .limit = 20 } },
		{ "find-longest.txt", "contention-go1.26", "state=ready",
			{ .options = &ascii,
				.order = SPANS_BY_DURATION,
				.limit = 10,
				.names_files = true } },
		{ "find.csv", "httpserver-go1.23", "=wake.name~main | p=1 dur>200us",
			{ .options = &part, .limit = 15 } },
		{ "find.json", "tasks-go1.26", "=task~. | region~. wake.g>0",
			{ .options = &json, .limit = 12 } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text out = { 0 };
		list_all(rows[i].trace, rows[i].list, rows[i].query, &out);
		golden_check(rows[i].golden, &out);
		text_release(&out);
	}
}

static struct trace *
load_graph(const char *name)
{
	struct text bytes = { 0 };
	struct error err = { 0 };
	char path[500];
	const char *folder = getenv("TTRACE_TESTDATA");
	snprintf(path, sizeof path, "%s/function_graph/%s.txt", folder, name);
	assert_true(oraclefile_read(path, &bytes));
	struct trace *trace = graphtesting_load(bytes.bytes, bytes.length, &err);
	assert_non_null(trace);
	text_release(&bytes);
	return trace;
}

static void
slices_are_listed_where_any_match(void **state)
{
	static const struct report_options ascii = { .ascii = true }, csv = {
		.format = REPORT_AS_CSV }, json = { .format = REPORT_AS_JSON }, markdown = {
		.format = REPORT_AS_MARKDOWN };
	static const struct {
		const char *golden, *trace, *query;
		struct spans_list list;
	} rows[] = {
		{ "find-slices.txt", "retval-args", "name~tcp dur>100ns", { .options = &ascii, .limit = 12 } },
		{ "find-slices.csv", "retval-args", "name~tcp", { .options = &csv, .limit = 12 } },
		{ "find-slices.json", "plain", "depth=2",
			{ .options = &json, .limit = 5, .order = SPANS_BY_DURATION } },
		{ "find-slices.md", "abstime-proc", "dur>1us depth<2",
			{ .options = &markdown, .limit = 12, .names_files = true } },
		/* Only tasks are something else than running. */
		{ "find-no-slices.txt", "abstime-proc", "class=unknown", { .options = &ascii, .limit = 3 } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = load_graph(rows[i].trace);
		struct spans_list list = rows[i].list;
		struct text out = { 0 };
		add(&list, trace, rows[i].query, &out);
		finish(&list, &out);
		golden_check(rows[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

static void
the_first_trace_with_a_match_decides_what_is_listed(void **state)
{
	struct trace *graph = load_graph("plain"), *go = testing_load("seed-go122");
	struct spans_list list = { .options = &plain };
	struct text out = { 0 };
	(void)state;
	add(&list, go, "name~nothing", &out);
	add(&list, graph, "dur>10us", &out);
	uint64_t found = list.found;
	assert_true(list.is_of_slices && found > 0);
	add(&list, go, "dur>10us", &out);
	assert_int_equal(list.found, found);
	finish(&list, &out);
	text_release(&out);
	trace_free(graph);
	trace_free(go);
}

/* ---- order and limit */

struct found {
	int64_t duration_ns;
	size_t number;
};

static int
by_duration(const void *a, const void *b)
{
	const struct found *one = a, *other = b;
	if (one->duration_ns != other->duration_ns)
		return one->duration_ns > other->duration_ns ? -1 : 1;
	return one->number < other->number ? -1 : 1;
}

/* What the list has in its third column, against a sort of all that the search has, twice. */
static void
check_order(const struct trace *trace, uint64_t limit)
{
	static const struct report_options csv = { .format = REPORT_AS_CSV };
	struct spans_list list = { .options = &csv,
		.order = SPANS_BY_DURATION,
		.limit = limit };
	struct text out = { 0 };
	struct error err = { 0 };
	struct search *search = search_new(trace, "state=ready", &err);
	size_t count = (size_t)search_count(search), wanted = count * 2;
	struct found *found = array_new(wanted, sizeof(*found), &err);
	for (size_t i = 0; i < wanted; i++) {
		struct span span;
		assert_true(search_match(search, i % count, &span));
		found[i] = (struct found){ span.end_ns - span.start_ns, i };
	}
	qsort(found, wanted, sizeof(*found), by_duration);
	add(&list, trace, "state=ready", &out);
	add(&list, trace, "state=ready", &out);
	assert_int_equal(list.found, wanted);
	finish(&list, &out);
	const char *line = strchr(out.bytes, '\n') + 1;
	size_t lines = 0;
	for (; *line != '\0'; line = strchr(line, '\n') + 1) {
		const char *start = strchr(line, ',') + 1;
		assert_int_equal(strtoll(strchr(start, ',') + 1, NULL, 10), found[lines++].duration_ns);
	}
	assert_int_equal(lines, limit > 0 && limit < wanted ? limit : wanted);
	memory_free(found);
	search_free(search);
	text_release(&out);
}

static void
the_longest_come_first_from_all_traces(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	static const uint64_t limits[] = { 0, 1, 2, 7, 100, 1000000 };
	for (size_t i = 0; i < ARRAY_LENGTH(limits); i++)
		check_order(trace, limits[i]);
	trace_free(trace);
}

static void
a_full_list_wants_no_more(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	struct spans_list list = { .options = &plain, .limit = 3 };
	struct text out = { 0 };
	add(&list, trace, "state=ready", &out);
	assert_true(spans_list_is_full(&list));
	add(&list, trace, "state=ready", &out);
	finish(&list, &out);
	size_t lines = 0;
	for (size_t i = 0; i < out.length; i++)
		lines += out.bytes[i] == '\n';
	assert_int_equal(lines, 3);
	text_release(&out);
	trace_free(trace);
}

/* ---- hostile text */

static void
check_hostile(const struct trace *trace, const char *name, enum report_format format, bool ascii)
{
	struct report_options options = { .ascii = ascii, .format = format };
	struct spans_list list = { .options = &options };
	struct text out = { 0 };
	add(&list, trace, "=!nothing-has-this", &out);
	finish(&list, &out);
	assert_true(out.length > 0);
	for (size_t at = 0; at < out.length;) {
		size_t length = strcspn(out.bytes + at, "\n");
		size_t bad = hostile_find(out.bytes + at, length, HOSTILE_TEXT);
		if (bad != length)
			fail_msg("%s: %.*s", name, (int)length, out.bytes + at);
		at += length + 1;
	}
	text_release(&out);
}

static void
hostile_text_is_harmless(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		struct text bytes = { 0 };
		hostile_trace(&hostile_texts[i], &bytes);
		struct trace *trace =
			testing_load_bytes(hostile_texts[i].name, bytes.bytes, bytes.length);
		for (int format = REPORT_AS_TEXT; format <= REPORT_AS_JSON; format++)
			for (int ascii = 0; ascii < 2; ascii++)
				check_hostile(trace, hostile_texts[i].name,
					(enum report_format)format, ascii != 0);
		trace_free(trace);
		text_release(&bytes);
	}
}

static struct trace *failing_trace;

static bool
list_once(struct error *err)
{
	struct spans_list list = { .options = &plain, .order = SPANS_BY_DURATION };
	struct text out = { 0 };
	struct search *search = search_new(failing_trace, "state=blocked", err);
	bool is_fine = search != NULL &&
		       spans_list_add(&list, failing_trace, "a", search, &out, err) &&
		       spans_list_finish(&list, &out, err);
	search_free(search);
	spans_list_release(&list);
	text_release(&out);
	return is_fine;
}

static void
reports_want_of_memory(void **state)
{
	(void)state;
	failing_trace = testing_load("seed-go122");
	assert_true(fail_each_allocation("spans", list_once) > 10);
	trace_free(failing_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_look_as_they_should),
		cmocka_unit_test(slices_are_listed_where_any_match),
		cmocka_unit_test(the_first_trace_with_a_match_decides_what_is_listed),
		cmocka_unit_test(the_longest_come_first_from_all_traces),
		cmocka_unit_test(a_full_list_wants_no_more),
		cmocka_unit_test(hostile_text_is_harmless),
		cmocka_unit_test(reports_want_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
