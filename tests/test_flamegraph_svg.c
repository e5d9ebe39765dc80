/*
 * Flame graphs drawn as SVG: the drawings of testdata against what an independent reader got out of
 * them, and the same in other dress: in a page, cut, with titles of the user's own.
 */
#include "base_testing.h"
#include "facttesting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "profiletesting.h"
#include "report/flamegraph.h"
#include "source/flamegraph_svg/frames.h"
#include "trace/sample_set.h"

static const char *const inputs[] = { "inferno-differential", "inferno-icicle-reverse-us",
	"inferno-odd-names", "perl-icicle-annotated", "perl-server" };

static struct trace *
load(const char *row, const char *bytes, size_t size)
{
	return profiletesting_load(row, bytes, size, "flamegraph_svg");
}

static void
check_folded(const char *row, const char *bytes, size_t size, const char *folded)
{
	struct trace *trace = load(row, bytes, size);
	struct text out = { 0 };
	assert_true(profiletesting_folded(trace, 0, &out));
	if (strcmp(text_string(&out), folded) != 0)
		fail_msg("%s:\n%s", row, text_string(&out));
	text_release(&out);
	trace_free(trace);
}

static void
drawings_give_their_stacks_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text svg, folded, page = { 0 };
		profiletesting_read_file("flamegraph_svg", inputs[i], ".svg", &svg);
		profiletesting_read_file("flamegraph_svg", inputs[i], ".folded", &folded);
		struct trace *trace = load(inputs[i], svg.bytes, svg.length);
		profiletesting_check_facts(trace, "flamegraph_svg", inputs[i], NULL);
		assert_int_equal(trace->damage.count, 0);
		assert_int_equal(fact(trace, "damaged"), 0);
		trace_free(trace);
		check_folded(inputs[i], svg.bytes, svg.length, text_string(&folded));
		/* In a page, where the text before it looks broken. */
		text_add_string(&page, "<p>for i < n; <!-- x\n\"don't <svg'\n");
		text_add(&page, svg.bytes, svg.length);
		text_add_string(&page, "<svg><g><title>b (9 samples, 9%)</title><rect x='1' y='2' width='3'/>");
		check_folded("page", page.bytes, page.length, text_string(&folded));
		text_release(&svg);
		text_release(&folded);
		text_release(&page);
	}
}

/* ---- titles */

static void
titles_are_read_from_the_right(void **state)
{
	static const struct {
		const char *title, *unit, *name;
		int64_t count;
	} rows[] = {
		{ "main (12 samples, 3.4%)", NULL, "main", 12 },
		{ "main (1,234,567 us, 100%)", "us", "main", 1234567 },
		{ "f (5 samples, 10%) (7 samples, 1%)", "samples", "f (5 samples, 10%)", 7 },
		{ "f(int) (7 samples, 1%; -0.25%)", NULL, "f(int)", 7 },
		{ " (11 samples, 23.40%)", "samples", "", 11 },
		{ "all (42 samples (99 Hz), 100%)", NULL, "all", 42 },
		{ "f (4 samples (99 Hz), 9%)", "samples (99 Hz)", "f", 4 },
		{ "f (4 a, b, 9%)", "a, b", "f", 4 },
		{ "f (4 , 9%)", "", "f", 4 },
		{ "f (4 samples, 9)", NULL, NULL, 0 },
		{ "f (4 samples, %)", NULL, NULL, 0 },
		{ "f (x samples, 9%)", NULL, NULL, 0 },
		{ "f (,4 samples, 9%)", NULL, NULL, 0 },
		{ "f (4 bytes, 9%)", "samples", NULL, 0 },
		{ "f (1234567890123456789 samples, 9%)", "samples", NULL, 0 },
		{ "f 4 samples, 9%)", NULL, NULL, 0 },
		{ "", NULL, NULL, 0 },
		{ ")", NULL, NULL, 0 },
		{ "%)", NULL, NULL, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct flame_title title = { .unit = rows[i].unit,
			.unit_length = rows[i].unit != NULL ? strlen(rows[i].unit) : 0 };
		bool is_one = flame_title_read(&title, rows[i].title, strlen(rows[i].title));
		if (is_one != (rows[i].name != NULL))
			fail_msg("%s: %d", rows[i].title, is_one);
		if (is_one && (title.name_length != strlen(rows[i].name) || title.count != rows[i].count))
			fail_msg("%s: %zu, %" PRId64, rows[i].title, title.name_length, title.count);
	}
}

/* ---- drawings made here */

#define FRAME(title, x, y, width) \
	"<g><title>" title "</title><rect x=\"" x "\" y=\"" y "\" width=\"" width "\" height=\"15\"/></g>"
#define EXACT(title, y, from, weight) \
	"<g><title>" title "</title><rect x=\"0%\" y=\"" y "\" width=\"1%\" fg:x=\"" from "\" fg:w=\"" weight "\"/></g>"

static void
drawings_of_all_kinds_are_read(void **state)
{
	static const struct {
		const char *name, *svg, *folded;
	} rows[] = {
		{ "flame, and itself the sum",
			FRAME("all (10 samples, 100%)", "10", "100", "1180") FRAME("a (6 samples, 60%)", "10", "84", "708"),
			"a 6\nall 4\n" },
		{ "icicle",
			FRAME("all (10 samples, 100%)", "10", "36", "1180") FRAME("a (6 samples, 60%)", "10", "52", "708")
				FRAME("b (4 samples, 40%)", "718", "52", "472") FRAME("c (1 samples, 10%)", "1072", "68", "118"),
			"a 6\nb 3\nb;c 1\n" },
		{ "one stack, told by the script",
			"<script><![CDATA[var inverted = true;]]></script>"
			FRAME("r (1 samples, 100%)", "10", "36", "1180") FRAME("a (1 samples, 100%)", "10", "52", "1180"),
			"a 1\n" },
		{ "one stack, at the bottom",
			FRAME("r (1 samples, 100%)", "10", "36", "1180") FRAME("a (1 samples, 100%)", "10", "52", "1180"),
			"r 1\n" },
		{ "one stack, told by its name",
			FRAME("all (1 samples, 100%)", "10", "36", "1180") FRAME("a (1 samples, 100%)", "10", "52", "1180"),
			"a 1\n" },
		{ "a row is missing",
			FRAME("all (9 samples, 100%)", "10", "100", "1180") FRAME("a (9 samples, 100%)", "10", "84", "1180")
				FRAME("b (3 samples, 33%)", "10", "52", "393.3"),
			"a 6\na;b 3\n" },
		{ "the same twice, in the order of time",
			FRAME("all (9 samples, 100%)", "10", "100", "1180") FRAME("a (3 samples, 33%)", "10", "84", "393.3")
				FRAME("b (3 samples, 33%)", "403.3", "84", "393.3") FRAME("a (3 samples, 33%)", "796.7", "84", "393.3"),
			"a 6\nb 3\n" },
		{ "a factor makes children add up to more",
			FRAME("all (3 samples, 100%)", "10", "100", "1180") FRAME("a (2 samples, 50%)", "10", "84", "590")
				FRAME("b (2 samples, 50%)", "600", "84", "590"),
			"a 2\nb 2\n" },
		{ "exact weights count, not those of a factor",
			EXACT("all (500 ms, 100%)", "100", "0", "5") EXACT("a (300 ms, 60%)", "84", "1", "3"),
			"a 3\nall 2\n" },
		{ "titles of the user's own",
			EXACT("everything", "100", "0", "5") EXACT("my a", "84", "1", "3"),
			"everything 2\nmy a 3\n" },
		{ "and without exact weights",
			FRAME("all (10 samples, 100%)", "10", "100", "1180") FRAME("my a", "10", "84", "590"),
			"all 5\nmy a 5\n" },
		{ "links",
			"<a xlink:href='x'><title>all (2 samples, 100%)</title><rect x='10' y='20' width='100'/></a>"
			"<g><title>a (2 samples, 100%)</title><a href='x'><rect x='10' y='4' width='100'/></a></g>",
			"a 2\n" },
		{ "the drawing has a title, too",
			"<title>mine</title><rect x='0' y='0' width='1200'/>"
			FRAME("all (2 samples, 100%)", "10", "100", "1180"),
			"all 2\n" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text svg = { 0 };
		text_format(&svg, "<svg>%s</svg>", rows[i].svg);
		check_folded(rows[i].name, svg.bytes, svg.length, rows[i].folded);
		text_release(&svg);
	}
}

static void
the_unit_is_the_roots(void **state)
{
	const char svg[] = "<svg>" EXACT("a (5 x, 9%) (3 us (wall), 60%)", "84", "1", "3")
		EXACT("all (5 us (wall), 100%)", "100", "0", "5") "</svg>";
	(void)state;
	struct trace *trace = load("unit", svg, sizeof svg - 1);
	assert_true(trace_text_is(trace, trace->samples->types[0].name, "samples"));
	assert_true(trace_text_is(trace, trace->samples->types[0].unit, "us (wall)"));
	trace_free(trace);
	check_folded("unit", svg, sizeof svg - 1, "a (5 x, 9%) 3\nall 2\n");
}

/* Who asks for ASCII gets a unit of nothing else. */
static void
a_unit_is_made_ascii(void **state)
{
	const char svg[] = "<svg>" EXACT("all (5 \xc2\xb5s, 100%)", "100", "0", "5") "</svg>";
	const struct report_options options = { .width_cells = 80, .ascii = true };
	struct text drawing = { 0 };
	struct error err;
	(void)state;
	struct trace *trace = load("unit", svg, sizeof svg - 1);
	const struct profile_request request = {
		.kind = PROFILE_SAMPLES, .of = "", .scope = profile_whole(trace)
	};
	error_clear(&err);
	assert_true(report_flamegraph(trace, &request, &options, &drawing, &err));
	for (size_t i = 0; i < drawing.length; i++)
		assert_true((unsigned char)drawing.bytes[i] < 0x7f);
	text_release(&drawing);
	trace_free(trace);
}

/* ---- damage */

/* A root without a title weighs what its width says, of which there may be no end. */
static void
a_root_weighs_no_more_than_numbers_hold(void **state)
{
	static const char svg[] =
		"<svg><g id=\"frames\"><g><title>a (999,999,999,999,999,999 samples, 1%)</title>"
		"<rect x=\"0\" y=\"0\" width=\"0.0001\" height=\"15\"/></g>"
		"<g><title>root</title><rect x=\"0\" y=\"16\" width=\"900000000000\" height=\"15\"/></g></g></svg>";
	(void)state;
	struct trace *trace = load("wide", svg, strlen(svg));
	assert_true(fact(trace, "root_weight") == INT64_C(1000000000000000000));
	trace_free(trace);
}

static void
what_is_whole_before_a_cut_stays(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text svg, oracle;
		profiletesting_read_file("flamegraph_svg", inputs[i], ".svg", &svg);
		profiletesting_read_file("flamegraph_svg", inputs[i], ".oracle.json", &oracle);
		bool is_exact = strstr(text_string(&oracle), "\"exact_positions\": true") != NULL;
		for (size_t size = svg.length - 8; size > 2000; size -= 701) {
			struct error err = { 0 };
			struct trace *trace =
				profiletesting_read("flamegraph_svg", svg.bytes, size, &err);
			if (trace == NULL) {
				assert_int_equal(err.kind, ERROR_FORMAT);
				continue;
			}
			assert_null(profiletesting_fault(trace));
			assert_int_equal(fact(trace, "damaged"), 1);
			assert_int_equal(trace->damage.rows[0].to_bytes, size);
			/* inferno says the sum before its frames. */
			if (is_exact)
				assert_int_equal(fact(trace, "sum"), fact(trace, "total_samples"));
			trace_free(trace);
		}
		text_release(&svg);
		text_release(&oracle);
	}
}

static void
any_bytes_are_a_drawing_or_none(void **state)
{
	struct text svg;
	(void)state;
	profiletesting_read_file("flamegraph_svg", "inferno-odd-names", ".svg", &svg);
	for (size_t i = 0; i < svg.length; i++) {
		char before = svg.bytes[i];
		struct error err = { 0 };
		svg.bytes[i] = "<>\"& \n9\xff"[i % 8];
		struct trace *trace = profiletesting_read("flamegraph_svg", svg.bytes, svg.length, &err);
		if (trace != NULL)
			assert_null(profiletesting_fault(trace));
		trace_free(trace);
		svg.bytes[i] = before;
	}
	text_release(&svg);
}

static void
an_empty_graph_says_why(void **state)
{
	const char svg[] = "<svg><text x='1'>ERROR: No valid input provided to flamegraph.pl.</text></svg>";
	struct error err = { 0 };
	(void)state;
	assert_null(profiletesting_read("flamegraph_svg", svg, sizeof svg - 1, &err));
	assert_string_equal(err.message,
		"the flame graph is empty: it says ERROR: No valid input provided to flamegraph.pl.");
	err = (struct error){ 0 };
	assert_null(profiletesting_read("flamegraph_svg", "", 0, &err));
	assert_string_equal(err.message, "the flame graph is empty");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawings_give_their_stacks_back),
		cmocka_unit_test(titles_are_read_from_the_right),
		cmocka_unit_test(drawings_of_all_kinds_are_read),
		cmocka_unit_test(the_unit_is_the_roots),
		cmocka_unit_test(a_unit_is_made_ascii),
		cmocka_unit_test(a_root_weighs_no_more_than_numbers_hold),
		cmocka_unit_test(what_is_whole_before_a_cut_stays),
		cmocka_unit_test(any_bytes_are_a_drawing_or_none),
		cmocka_unit_test(an_empty_graph_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
