/*
 * Histograms of bcc and bpftrace: the inputs of testdata against what an independent reader told of
 * them, damage, and what the analysis makes of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/histogram_sum.h"
#include "base/memory.h"
#include "base_testing.h"
#include "draw/output.h"
#include "facttesting.h"
#include "jsonread.h"
#include "livetesting.h"
#include "profiletesting.h"
#include "resulttesting.h"
#include "source/histogram/load.h"
#include "source/source.h"
#include "view/analyses.h"
#include "view/session.h"

static struct trace *
load(const char *bytes, size_t size)
{
	struct input in;
	struct error err;
	error_clear(&err);
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *trace = histogram_load(&in, NULL, &err);
	if (trace == NULL)
		assert_int_equal(err.kind, ERROR_FORMAT);
	input_close(&in);
	return trace;
}

static struct trace *
load_text(const char *text)
{
	struct trace *trace = load(text, strlen(text));
	assert_non_null(trace);
	return trace;
}

static void
check_id(const struct trace *trace, string_id id, const char *wanted)
{
	if (!trace_text_is(trace, id, wanted))
		fail_msg("\"%s\" is no \"%s\"", trace_text(trace, id, NULL), wanted);
}

/* ---- against oracles */

static const char *const inputs[] = { "biolatency-disks", "bpftrace-edges", "bpftrace-intervals",
	"bpftrace-stack-keys", "funclatency-intervals" };

static int64_t
number_of(struct jsonslice slice, int64_t none)
{
	return slice.bytes[0] == 'n' ? none : jsonslice_number(slice);
}

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	if (!jsonread_find(object, key, &value))
		fail_msg("the oracle has no %s", key);
	return jsonslice_number(value);
}

static void
check_bounds(struct jsonslice object, const char *key, const struct bucket *bucket)
{
	struct jsonslice list, low, high;
	assert_non_null(bucket);
	assert_true(jsonread_find(object, key, &list));
	struct jsonread in = jsonread_over(list);
	assert_true(jsonread_element(&in, &low));
	assert_true(jsonread_element(&in, &high));
	assert_true(bucket->low == number_of(low, BUCKET_OPEN_LOW));
	assert_true(bucket->high == number_of(high, BUCKET_OPEN_HIGH));
}

static void
check_string(struct jsonslice object, const char *key, const struct trace *trace, string_id id)
{
	struct jsonslice value;
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	assert_true(jsonread_find(object, key, &value));
	if (value.bytes[0] == 'n') {
		assert_int_equal(length, 0);
		return;
	}
	assert_int_equal(length, value.length - 2);
	assert_memory_equal(bytes, value.bytes + 1, length);
}

static void
check_table(struct jsonslice object, const struct trace *trace, const struct histogram_table *table)
{
	const struct histogram_set *set = trace->histograms;
	struct jsonslice value, part;
	struct error err;
	check_string(object, "label", trace, table->label);
	check_string(object, "time", trace,
		table->interval != INTERVAL_NONE ? set->intervals[table->interval].text : STRING_EMPTY);
	if (table->interval != INTERVAL_NONE)
		assert_int_equal(set->intervals[table->interval].end_s, number(object, "time_s"));
	assert_int_equal(table->total, number(object, "count"));
	assert_true(jsonread_find(object, "buckets", &value));
	struct jsonread in = jsonread_over(value);
	for (size_t i = 0; i < table->count; i++) {
		const struct bucket *bucket = &set->buckets[table->first + i];
		assert_true(jsonread_element(&in, &part));
		struct jsonread row = jsonread_over(part);
		struct jsonslice cells[3];
		for (size_t j = 0; j < 3; j++)
			assert_true(jsonread_element(&row, &cells[j]));
		assert_true(bucket->low == number_of(cells[0], BUCKET_OPEN_LOW));
		assert_true(bucket->high == number_of(cells[1], BUCKET_OPEN_HIGH));
		assert_true(bucket->count == (uint64_t)number_of(cells[2], 0));
	}
	assert_false(jsonread_element(&in, &part));
	struct histogram_sum sum = { 0 };
	assert_true(histogram_sum_of(&sum, set, table, &err));
	check_bounds(object, "p50", histogram_sum_quantile(&sum, 50, 100));
	check_bounds(object, "p90", histogram_sum_quantile(&sum, 90, 100));
	check_bounds(object, "p99", histogram_sum_quantile(&sum, 99, 100));
	check_bounds(object, "max_bucket", histogram_sum_quantile(&sum, 1, 1));
	histogram_sum_release(&sum);
	assert_int_equal(table->has_average, jsonread_find(object, "avg", &value));
	if (!table->has_average)
		return;
	assert_int_equal(table->average, number(value, "avg"));
	assert_int_equal(table->sum, number(value, "total"));
	assert_int_equal(table->average_count, number(value, "count"));
}

static void
check_input(const char *name)
{
	struct text text = { 0 }, oracle = { 0 };
	struct jsonslice list, object;
	profiletesting_read_file("histogram", name, ".txt", &text);
	profiletesting_read_file("histogram", name, ".oracle.json", &oracle);
	struct jsonslice all = { oracle.bytes, oracle.length };
	struct trace *trace = load_text(text_string(&text));
	static const char *const keys[] = { "lines", "histograms", "total_count", "intervals", "damaged" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (fact(trace, keys[i]) != number(all, keys[i]))
			fail_msg("%s: %s is %" PRId64, name, keys[i], fact(trace, keys[i]));
	assert_true(jsonread_find(all, "each", &list));
	struct jsonread in = jsonread_over(list);
	for (size_t i = 0; i < trace->histograms->table_count; i++) {
		assert_true(jsonread_element(&in, &object));
		check_table(object, trace, &trace->histograms->tables[i]);
	}
	assert_false(jsonread_element(&in, &object));
	assert_int_equal(trace->damage.count, 0);
	trace_free(trace);
	text_release(&text);
	text_release(&oracle);
}

static void
all_is_as_the_oracle_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		check_input(inputs[i]);
}

/* ---- what lines mean */

#define HEAD "     usecs               : count     distribution\n"

static void
sections_are_of_the_next_table(void **state)
{
	(void)state;
	struct trace *trace = load_text("x = 1\nprose\n" HEAD "  0 -> 1 : 3 |*|\n"
					"disk = b'xvdb'\n\n" HEAD "  0 -> 1 : 4 |*|\n" HEAD "  2 -> 3 : 5 |*|\n");
	const struct histogram_table *tables = trace->histograms->tables;
	assert_int_equal(trace->histograms->table_count, 3);
	check_id(trace, tables[0].section, "");
	check_id(trace, tables[1].section, "disk = xvdb");
	check_id(trace, tables[2].section, "");
	check_id(trace, tables[2].label, "usecs");
	assert_int_equal(trace->histograms->series_count, 2);
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
}

static void
midnight_passes(void **state)
{
	(void)state;
	struct trace *trace = load_text("23:59:59 \n@a:\n[1] 1 |@|\n\n00:00:00\n@a:\n[1] 2 |@|\n"
					"00:00:01\n00:00:02\n@a: \n[1] 2 |@|\n");
	const struct histogram_set *set = trace->histograms;
	assert_int_equal(set->interval_count, 4);
	assert_int_equal(set->intervals[1].end_s, 24 * 60 * 60);
	assert_false(set->intervals[2].has_tables);
	assert_int_equal(fact(trace, "intervals"), 3);
	trace_free(trace);
}

static void
bounds_of_any_kind_are_read(void **state)
{
	static const struct {
		const char *row;
		struct bucket bucket;
	} rows[] = {
		{ "[0]   5 |", { 0, 1, 5 } },
		{ "[0, 1]  5 |@@", { 0, 2, 5 } },
		{ "(..., 0) 5 |", { BUCKET_OPEN_LOW, 0, 5 } },
		{ "[200, ...)  5 |@@@|", { 200, BUCKET_OPEN_HIGH, 5 } },
		{ "[-8, -4)  5 |", { -8, -4, 5 } },
		{ "[512, 1K) 5 |", { 512, 1024, 5 } },
		{ "[2P, 4P) 5 |", { INT64_C(2) << 50, INT64_C(4) << 50, 5 } },
		{ "[4E, 8E) 5 |", { INT64_C(4) << 60, BUCKET_OPEN_HIGH, 5 } },
		{ "   7        : 5        |***", { 7, 8, 5 } },
		{ "4611686018427387904 -> 9223372036854775807 : 5 |", { INT64_C(4) << 60, BUCKET_OPEN_HIGH, 5 } },
		{ "\t0 -> 1\t: 123456789|", { 0, 2, 123456789 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text text = { 0 };
		text_format(&text, "@:\n%s\n", rows[i].row);
		struct trace *trace = load_text(text_string(&text));
		const struct bucket *bucket = trace->histograms->buckets;
		if (bucket->low != rows[i].bucket.low || bucket->high != rows[i].bucket.high ||
			bucket->count != rows[i].bucket.count)
			fail_msg("%s: [%" PRId64 ", %" PRId64 ")", rows[i].row, bucket->low, bucket->high);
		trace_free(trace);
		text_release(&text);
	}
}

#define BPFTRACE                                                                                   \
	"{\"type\": \"attached_probes\", \"data\": {\"probes\": 2}}\n"                            \
	"{\"type\": \"time\", \"data\": \"10:14:07\\n\"}\n"                                       \
	"{\"type\": \"hist\", \"data\": {\"@x\": [{\"max\": -1, \"count\": 2}, "                     \
	"{\"min\": 4, \"max\": 7, \"count\": 1}, {\"min\": 8, \"count\": 3}]}}\n"                   \
	"{\"type\": \"lhist\", \"data\": {\"@y\": {\"a\\\"b\": [{\"min\": 0, \"max\": 9, "             \
	"\"count\": 5}], \"c\": [{\"min\": 1, \"max\": 1, \"count\": 6}]}}}\n"

#define BCC                                                                                        \
	"Tracing...\n{'ts': '2026-11-28 14:03:50', 'val_type': 'usecs', 'data': [{'interval-start': 0, "  \
	"'interval-end': 1, 'count': 0}, {'interval-start': 2, 'interval-end': 3, 'count': 7}], "        \
	"'disk': 'vda'}\n"

static unsigned
points_of(const char *text)
{
	return histogram_source.recognise((const uint8_t *)text, strlen(text));
}

static void
lines_of_json_and_python_are_read(void **state)
{
	struct trace *trace = load_text(BPFTRACE);
	const struct histogram_set *set = trace->histograms;
	(void)state;
	assert_int_equal(set->table_count, 3);
	check_id(trace, set->intervals[set->tables[0].interval].text, "10:14:07");
	check_id(trace, set->tables[0].label, "@x");
	check_id(trace, set->tables[1].label, "@y[a\"b]");
	check_id(trace, set->tables[2].label, "@y[c]");
	assert_true(set->buckets[0].low == BUCKET_OPEN_LOW && set->buckets[0].high == 0);
	assert_true(set->buckets[1].low == 4 && set->buckets[1].high == 8);
	assert_true(set->buckets[2].low == 8 && set->buckets[2].high == BUCKET_OPEN_HIGH);
	assert_int_equal(fact(trace, "total_count"), 17);
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
	trace = load_text(BCC);
	set = trace->histograms;
	assert_int_equal(set->table_count, 1);
	check_id(trace, set->tables[0].label, "usecs");
	check_id(trace, set->tables[0].section, "disk = vda");
	check_id(trace, set->intervals[0].text, "14:03:50");
	assert_int_equal(set->intervals[0].end_s, (14 * 60 + 3) * 60 + 50);
	assert_true(set->buckets[1].low == 2 && set->buckets[1].high == 4 && set->buckets[1].count == 7);
	trace_free(trace);
	assert_true(points_of(BPFTRACE) > SOURCE_LEAST);
	assert_true(points_of(BCC) > SOURCE_LEAST);
	assert_int_equal(points_of("{\"type\": \"object\", \"data\": []}\n"), 0);
}

/* Each key has the name before it. */
static void
names_of_maps_are_short(void **state)
{
	enum { LONG = 10000, KEYS = 1000 };
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, "@:\n[0] 1 |@|\n{\"type\": \"hist\", \"data\": {\"@");
	for (int i = 0; i < LONG; i++)
		text_add_string(&text, "a");
	text_add_string(&text, "\": {");
	for (int i = 0; i < KEYS; i++)
		text_format(&text, "%s\"%d\": [{\"min\": 1, \"max\": 1, \"count\": 1}]", i > 0 ? ", " : "", i);
	text_add_string(&text, "}}}\n");
	struct trace *trace = load_text(text_string(&text));
	assert_int_equal(trace->histograms->table_count, 1);
	assert_int_equal(fact(trace, "damaged"), 1);
	trace_free(trace);
	text_release(&text);
}

/* ---- sums */

static void
a_series_may_have_any_buckets(void **state)
{
	enum { TABLES = 100000 };
	struct text text = { 0 };
	struct histogram_order order;
	struct histogram_sum sum = { 0 };
	struct error err;
	(void)state;
	error_clear(&err);
	for (int i = TABLES; i > 0; i--)
		text_format(&text, "[%d] %d |@|\n", i / 2, i % 2 + 1);
	struct trace *trace = load_text(text_string(&text));
	assert_int_equal(trace->histograms->table_count, TABLES);
	assert_true(histogram_order_build(&order, trace->histograms, &err));
	assert_int_equal(order.series_count, 1);
	assert_true(histogram_order_sum(&order, trace->histograms, 0, &sum, &err));
	assert_int_equal(sum.count, TABLES / 2 + 1);
	assert_int_equal(sum.total, TABLES / 2 * 3);
	assert_false(sum.overlaps);
	for (size_t i = 0; i < sum.count; i++) {
		assert_int_equal(sum.buckets[i].low, i);
		assert_int_equal(sum.buckets[i].count, i == 0 ? 2 : i == TABLES / 2 ? 1 : 3);
	}
	histogram_sum_release(&sum);
	histogram_order_release(&order);
	trace_free(trace);
	text_release(&text);
}

/* ---- while more comes */

static void
all_so_far_is_shown(void **state)
{
	struct text text;
	struct livetesting_shown shown = { 0 };
	const struct trace_watch watch = { livetesting_keep, &shown, 0 };
	(void)state;
	profiletesting_read_file("histogram", "bpftrace-intervals", ".txt", &text);
	struct trace *trace = livetesting_load(&histogram_source, &text, 100, &watch);
	assert_true(shown.count > 5);
	const struct histogram_set *set = trace->histograms, *last = shown.trace->histograms;
	assert_true(last->table_count == set->table_count && last->bucket_count > set->bucket_count - 10);
	assert_memory_equal(last->buckets, set->buckets, last->bucket_count * sizeof *set->buckets);
	for (size_t i = 0; i < set->table_count; i++) {
		size_t length;
		check_id(shown.trace, last->tables[i].label,
			trace_text(trace, set->tables[i].label, &length));
	}
	trace_free(shown.trace);
	trace_free(trace);
	text_release(&text);
}

/* ---- damage */

static void
check_damage(const char *text, size_t tables, int64_t total, int64_t damaged)
{
	struct trace *trace = load_text(text);
	if (trace->histograms->table_count != tables || fact(trace, "total_count") != total ||
		fact(trace, "damaged") != damaged)
		fail_msg("\"%s\": %zu tables, %" PRId64 ", %" PRId64 " damaged", text,
			trace->histograms->table_count, fact(trace, "total_count"),
			fact(trace, "damaged"));
	assert_int_equal(trace->damage.count, damaged);
	trace_free(trace);
}

static void
damaged_lines_are_told(void **state)
{
	(void)state;
	check_damage(HEAD " 0 -> 1 : 3 |*|\n 2 -> 3 : \n 4 -> 7 : 5 |*|\n", 1, 8, 1);
	check_damage(HEAD " 0 -> 1 : 3 |*|\nkernel: oops\n 4 -> 7 : 5 |*|\n", 1, 8, 1);
	check_damage("use : cou dist\n 0 -> 1 : 3 |*|\n", 1, 3, 1);
	check_damage(" 8 -> 15 : 3 |*|\n 0 -> 1 : 3 |*|\n", 2, 6, 0);
	check_damage(HEAD " 0 -> 1 : 3 |*|\nDetaching...\n", 1, 3, 0);
	check_damage(HEAD " 0 -> 1 : 3 |*|\n\n16 : no row\n", 1, 3, 0);
	check_damage("@a:\n[1] 3 |@|\n[2, 4", 1, 3, 1);
	check_damage("@a:\n[1] 3 |@|\n[2, 4) 5 |@@", 1, 8, 1);
	check_damage("@a:\n[1] 3 |@|\n[2, 4) 5 |@@|", 1, 8, 0);
	check_damage("@a:\n[1] 3 |@|\n\n" HEAD, 1, 3, 1);
	check_damage("@a:\n[1] 9223372036854775807 |@|\n[2] 1 |@|\n", 1, INT64_MAX, 1);
	check_damage("{\"type\": \"hist\", \"data\": {\"@x\": [{\"min\": 1, \"max\": 1, \"count\": 2}, "
		     "{\"min\": 2, \"max\": 2, \"cou",
		1, 2, 1);
	check_damage("@a[\nf\n]: 3\n@b[\ng\n]:\n[1] 3 |@|\n", 1, 3, 0);
	assert_null(load("@a[\nf\n", 7));
}

static void
cut_anywhere_it_is_read(void **state)
{
	(void)state;
	for (size_t file = 0; file < sizeof inputs / sizeof *inputs; file++) {
		struct text text;
		profiletesting_read_file("histogram", inputs[file], ".txt", &text);
		for (size_t size = 0; size < text.length; size += 7)
			trace_free(load(text.bytes, size));
		text_release(&text);
	}
}

/* ---- what is told */

static void
check_report(const char *text, const char *parameter, enum report_format format, const char *wanted)
{
	struct error err = { 0 };
	struct text out = { 0 };
	struct trace *trace = load_text(text);
	const struct report_options options = { .width_cells = 100, .ascii = true, .format = format };
	assert_true(testing_result_with("histogram", parameter, trace, &options, &out, &err));
	if (strstr(text_string(&out), wanted) == NULL)
		fail_msg("no \"%s\" in\n%s", wanted, text_string(&out));
	text_release(&out);
	trace_free(trace);
}

#define GROWING "10:00:01\n@a:\n[1] 3 |@|\n[2] 0 |@|\n\n10:00:02\n@a:\n[1] 5 |@|\n[2] 4 |@|\n"

static void
what_is_cumulative_is_told(void **state)
{
	(void)state;
	check_report(GROWING, "", REPORT_AS_TEXT, "@a: cumulative, each has all before it");
	check_report(GROWING, "", REPORT_AS_JSON,
		"\"table\":\"histogram\",\"label\":\"@a\",\"section\":null,\"number\":2,"
		"\"interval\":\"10:00:02\",\"from\":1,\"to\":2,\"count\":5}");
	check_report(GROWING, "differences", REPORT_AS_JSON,
		"\"interval\":\"10:00:02\",\"from\":1,\"to\":2,\"count\":2}");
	check_report(GROWING, "", REPORT_AS_JSON,
		"{\"table\":\"sum\",\"label\":\"@a\",\"section\":null,\"from\":1,\"to\":2,\"total\":5}");
}

static void
an_average_that_disagrees_is_told(void **state)
{
	(void)state;
	check_report(HEAD " 0 -> 1 : 3 |*|\n\navg = 1 usecs, total: 2 usecs, count: 4\n", "",
		REPORT_AS_TEXT, "avg = 1, total: 2, count: 4; the rows count 3");
	check_report(HEAD " 0 -> 1 : 3 |*|\n", "", REPORT_AS_TEXT,
		"         0 -> 1          : 3        |****************************************|\n");
}

static void
bounds_of_a_mean_hold(void **state)
{
	(void)state;
	check_report("@a:\n[-8, -4) 1 |\n[2, 4) 2 |\n", "", REPORT_AS_JSON,
		"\"mean_from\":-2,\"mean_to\":2,");
	check_report("@a:\n(..., 0) 1 |\n[2, 4) 2 |\n", "", REPORT_AS_JSON,
		"\"p50_from\":2,\"p50_to\":4,\"p90_from\":2,");
	check_report("@a:\n(..., 0) 1 |\n[2, 4) 2 |\n", "", REPORT_AS_JSON,
		"\"mean_from\":null,\"mean_to\":null,");
}

/* Bins of another width in the second interval: sums tell all of them, and no percentiles. */
static void
buckets_that_overlap_are_kept_apart(void **state)
{
	(void)state;
	check_report("10:00:01\n@a:\n[0, 10) 3 |\n10:00:02\n@a:\n[5, 10) 1 |\n", "", REPORT_AS_JSON,
		"\"section\":null,\"number\":null,\"interval\":null,\"total\":4,\"p50_from\":null,");
}

/* ---- the page */

static void
add_key(const struct key_map *keys, struct text *out, enum command command, unsigned context)
{
	(void)keys;
	(void)context;
	text_add_string(out, command == COMMAND_NEXT_SPAN ? "]" : "[");
}

struct paging {
	struct trace *trace;
	struct session session;
	struct analysis analysis;
	struct canvas canvas;
	struct text text;
};

static void
page_of(struct paging *paging, const char *text, const char *parameter, int form)
{
	struct error err;
	void *read;
	error_clear(&err);
	*paging = (struct paging){ .trace = load_text(text), .session = { .add_keys = add_key } };
	assert_true(analysis_read(&histogram_kind, parameter, 0, &read, &err));
	struct analysis_work work = { .kind = &histogram_kind, .trace = paging->trace, .parameter = read };
	struct analysis *analysis = &paging->analysis;
	analysis->ops = &histogram_analysis;
	analysis->form = form;
	analysis->numbers = histogram_analysis.build(&work, &err);
	assert_non_null(analysis->numbers);
	analysis->state = array_new(1, histogram_analysis.state_size, &err);
	analysis_forget(&histogram_kind, read);
	paging->canvas.ascii = paging->canvas.monochrome = true;
}

static void
press(struct paging *paging, enum command command, long count)
{
	(void)histogram_analysis.command(&paging->analysis, &paging->session, command, count, NULL);
}

static void
has(struct paging *paging, const char *wanted)
{
	struct error err;
	assert_true(canvas_resize(&paging->canvas, 80, 12, &err));
	canvas_clear(&paging->canvas);
	histogram_analysis.lay_out(&paging->analysis, &paging->session, &paging->canvas);
	histogram_analysis.draw(&paging->analysis, &paging->session, &paging->canvas);
	text_clear(&paging->text);
	output_text(&paging->canvas, &paging->text);
	if (strstr(text_string(&paging->text), wanted) == NULL)
		fail_msg("no \"%s\" in\n%s", wanted, text_string(&paging->text));
}

static void
leave(struct paging *paging)
{
	histogram_analysis.end(paging->analysis.state);
	memory_free(paging->analysis.state);
	histogram_analysis.release(paging->analysis.numbers);
	trace_free(paging->trace);
	canvas_release(&paging->canvas);
	text_release(&paging->text);
}

static void
pages_show_maps_and_bars(void **state)
{
	struct paging paging;
	(void)state;
	page_of(&paging, GROWING "@b:\n[4, 8) 7 |@|\n", "", 0);
	has(&paging, "  @a   1 of 2   ] the next   cumulative: each has all before it\n");
	has(&paging, "  count 9   p50 [1, 2)   p90 [2, 3)   p99 [2, 3)   max [2, 3)\n");
	has(&paging, "         10:00:01  10:00:02\n      2 |          ########");
	has(&paging, "  3 of [1, 2), until 10:00:01\n");
	press(&paging, COMMAND_RIGHT, 1);
	press(&paging, COMMAND_UP, 5);
	has(&paging, "  4 of [2, 3), until 10:00:02\n");
	press(&paging, COMMAND_NEXT_SPAN, 9);
	has(&paging, "  @b, until 10:00:02   2 of 2   [ the one before\n");
	has(&paging, ">         4 ->        8           7    100%  ");
	press(&paging, COMMAND_LEFT, 1);
	has(&paging, "  @a   1 of 2");
	leave(&paging);
	page_of(&paging, GROWING, "differences", 0);
	has(&paging, "  3 of [1, 2), until 10:00:01\n");
	press(&paging, COMMAND_RIGHT, 1);
	has(&paging, "  2 of [1, 2), until 10:00:02\n");
	leave(&paging);
	page_of(&paging, GROWING, "", 1);
	has(&paging, ">         1 ->        2           5     56%  ");
	press(&paging, COMMAND_DOWN, 7);
	has(&paging, ">         2 ->        3           4     44%  ");
	leave(&paging);
}

/* Of more intervals and buckets than there are cells several share one. */
static void
pages_of_many_fit(void **state)
{
	struct paging paging;
	struct text text = { 0 };
	(void)state;
	for (int i = 0; i < 300; i++) {
		text_format(&text, "00:%02d:%02d\n@a:\n", i / 60, i % 60);
		for (int j = 0; j < 100; j++)
			text_format(&text, "[%d, %d) 1 |\n", j, j + 1);
	}
	page_of(&paging, text_string(&text), "", 0);
	press(&paging, COMMAND_TRACE_END, 1);
	has(&paging, "00:00:00 ");
	press(&paging, COMMAND_TRACE_END, 1);
	has(&paging, " until 00:04:59\n");
	press(&paging, COMMAND_FIRST_ROW, 1);
	has(&paging, " 100), until 00:04:59\n");
	leave(&paging);
	text_release(&text);
}

static bool
load_short_of_memory(struct error *err)
{
	struct input in;
	static const char text[] = GROWING "\x1b[m\n@b[\nf\n]:\nk = v\n" HEAD " 0 -> 1 : 3 |*|\n 2 ->\n" BPFTRACE BCC;
	struct trace *trace = NULL;
	if (input_open_memory(&in, text, sizeof text - 1, err))
		trace = histogram_load(&in, NULL, err);
	input_close(&in);
	trace_free(trace);
	return trace != NULL;
}

static struct trace *reported;

static bool
build_short_of_memory(struct error *err)
{
	const bool has_differences = false;
	struct analysis_work work = { .trace = reported, .parameter = &has_differences };
	void *numbers = histogram_analysis.build(&work, err);
	if (numbers != NULL)
		histogram_analysis.release(numbers);
	return numbers != NULL;
}

static bool
report_short_of_memory(struct error *err)
{
	struct text out = { 0 };
	const struct report_options options = { .width_cells = 80, .format = REPORT_AS_TEXT };
	bool is_fine = testing_result_with("histogram", "differences", reported, &options, &out, err);
	text_release(&out);
	return is_fine;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("reading", load_short_of_memory) > 10);
	reported = load_text(GROWING);
	assert_true(fail_each_allocation("the report", report_short_of_memory) > 10);
	assert_true(fail_each_allocation("the page", build_short_of_memory) > 5);
	trace_free(reported);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_the_oracle_says),
		cmocka_unit_test(sections_are_of_the_next_table),
		cmocka_unit_test(midnight_passes),
		cmocka_unit_test(bounds_of_any_kind_are_read),
		cmocka_unit_test(lines_of_json_and_python_are_read),
		cmocka_unit_test(names_of_maps_are_short),
		cmocka_unit_test(a_series_may_have_any_buckets),
		cmocka_unit_test(all_so_far_is_shown),
		cmocka_unit_test(damaged_lines_are_told),
		cmocka_unit_test(cut_anywhere_it_is_read),
		cmocka_unit_test(what_is_cumulative_is_told),
		cmocka_unit_test(an_average_that_disagrees_is_told),
		cmocka_unit_test(bounds_of_a_mean_hold),
		cmocka_unit_test(buckets_that_overlap_are_kept_apart),
		cmocka_unit_test(pages_show_maps_and_bars),
		cmocka_unit_test(pages_of_many_fit),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
