/* Texts in which inputs of several kinds stand: where these are found, and that each opens as what it is. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "oraclefile.h"
#include "profiletesting.h"
#include "source/source.h"
#include "trace/document.h"
#include "trace/sample_set.h"
#include "trace/words.h"

static void
add_file(struct text *out, const char *path)
{
	char full[1000];
	struct text file = { 0 };
	snprintf(full, sizeof full, "%s/%s", getenv("TTRACE_TESTDATA"), path);
	assert_true(oraclefile_read(full, &file));
	text_add(out, file.bytes, file.length);
	text_release(&file);
}

static const char histogram[] = "22:08:34\n"
				"     usecs               : count     distribution\n"
				"         0 -> 1          : 0        |                    |\n"
				"         2 -> 3          : 4        |****                |\n\n"
				"avg = 2 usecs, total: 10 usecs, count: 4\n";

static const char drawing[] =
	"<?xml version=\"1.0\"?><svg version=\"1.1\" width=\"1200\">\n<script>if (a < b) c = 5;</script>\n"
	"<svg id=\"frames\" x=\"10\" width=\"1180\" total_samples=\"4\">\n"
	"<g><title>a (4 samples, 100.00%)</title><rect x=\"0.0000%\" y=\"53\" width=\"100.0000%\" height=\"15\" "
	"fg:x=\"0\" fg:w=\"4\"/></g>\n"
	"<g><title>all (4 samples, 100%)</title><rect x=\"0.0000%\" y=\"69\" width=\"100.0000%\" height=\"15\" "
	"fg:x=\"0\" fg:w=\"4\"/></g>\n</svg>\n</svg>\n";

static struct trace *
load_section(const struct text *text, const char *section, struct error *err)
{
	struct input in;
	const struct source_wish wish = { .is_lenient = true, .section = section };
	error_clear(err);
	assert_true(input_open_memory(&in, text->bytes, text->length, err));
	struct trace *trace = source_load(&in, NULL, &wish, err);
	input_close(&in);
	return trace;
}

static void
parts_are_found_between_words(void **state)
{
	struct text text = { 0 };
	struct error err;
	(void)state;
	text_add_string(&text, "How slow is it?\n\nOn a bad day, 30 of 40:\n\n");
	text_add_string(&text, histogram);
	text_add_string(&text, "\nand where:\n\n");
	text_add_string(&text, drawing);
	text_add_string(&text, "\nThe program:\n\nfunc main() { x := 12; y = 3 }\n\n");
	add_file(&text, "perf_report/u-caller.txt");
	struct trace *trace = load_section(&text, NULL, &err);
	assert_non_null(trace);
	assert_string_equal(trace->words->source, "text");
	const struct document *document = trace->document;
	assert_int_equal(document->part_count, 3);
	assert_string_equal(document->parts[0].source, "histogram");
	assert_int_equal(document->parts[0].first_line, 5);
	assert_int_equal(document->parts[0].last_line, 10);
	assert_string_equal(document->parts[1].source, "flamegraph_svg");
	assert_int_equal(document->parts[1].until - document->parts[1].from, strlen(drawing));
	assert_string_equal(document->parts[2].source, "perf_report");
	trace_free(trace);
	text_release(&text);
}

static void
a_part_is_opened_by_number_or_kind(void **state)
{
	static const char *const names[] = { "2", "flamegraph_svg" };
	struct text text = { 0 };
	struct error err;
	(void)state;
	text_add_string(&text, histogram);
	text_add_string(&text, drawing);
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct text folded = { 0 };
		struct trace *trace = load_section(&text, names[i], &err);
		assert_non_null(trace);
		profiletesting_add_folded(trace, "", &folded);
		assert_string_equal(text_string(&folded), "a 4\n");
		text_release(&folded);
		trace_free(trace);
	}
	assert_null(load_section(&text, "3", &err));
	assert_string_equal(err.message,
		"--section=3: there is no such part; there are 1 histogram, 2 flamegraph_svg");
	text_release(&text);
}

static void
one_kind_is_what_it_is(void **state)
{
	struct text text = { 0 };
	struct error err;
	(void)state;
	text_add_string(&text, "A word about it.\n\n");
	text_add_string(&text, histogram);
	text_add_string(&text, "\nand later\n\n");
	text_add_string(&text, histogram);
	struct trace *trace = load_section(&text, NULL, &err);
	assert_string_equal(trace->words->source, "histogram");
	trace_free(trace);
	trace = load_section(&text, "histogram", &err);
	assert_string_equal(trace->words->source, "histogram");
	trace_free(trace);
	assert_null(load_section(&text, "2", &err));
	assert_string_equal(err.message, "--section=2: it is one input, of histogram");
	text_release(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_found_between_words),
		cmocka_unit_test(a_part_is_opened_by_number_or_kind),
		cmocka_unit_test(one_kind_is_what_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
