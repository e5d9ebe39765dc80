/*
 * Texts of go tool pprof: those of testdata against what an independent reader got out of them, and
 * the same in other dress: pasted, within prose, cut, of older versions.
 */
#include "base_testing.h"
#include "facttesting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "jsonread.h"
#include "oraclefile.h"
#include "profiletesting.h"
#include "source/pprof_text/value.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

static const char *const inputs[] = { "block-top", "block-tree", "cpu-top", "goroutine-traces-labels",
	"heap-alloc-space-top", "heap-peek", "heap-traces", "odd-raw" };

static bool
read_file(const char *name, const char *suffix, struct text *text)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/pprof_text/%s%s", getenv("TTRACE_TESTDATA"), name, suffix);
	*text = (struct text){ 0 };
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		return false;
	fclose(file);
	return oraclefile_read(path, text);
}

static struct trace *
load(const char *row, const char *bytes, size_t size)
{
	return profiletesting_load(row, bytes, size, "pprof_text");
}

/* ---- against the oracle */

/* A cell against its text, or its number with or without quotes and decimals. */
static void
check_cell_text(const char *row, const struct trace *trace, const struct ready_cell *cell, struct jsonslice wanted)
{
	size_t length;
	const char *bytes = trace_text(trace, cell->text, &length);
	if (length != wanted.length - 2 || memcmp(bytes, wanted.bytes + 1, length) != 0)
		fail_msg("%s: \"%s\", not %.*s", row, bytes, (int)wanted.length, wanted.bytes);
}

static void
check_number(const char *row, const struct ready_cell *cell, struct jsonslice wanted)
{
	char text[60];
	bool is_text = wanted.bytes[0] == '"';
	snprintf(text, sizeof text, "%.*s", (int)(wanted.length - (is_text ? 2 : 0)), wanted.bytes + is_text);
	double off = strtod(text, NULL) - (double)cell->number;
	if (off > 0.5001 || off < -0.5001)
		fail_msg("%s: %" PRId64 ", not %s", row, cell->number, text);
}

/* [flat, in base units, flat%, sum%, cum, in base units, cum%, name, inline] */
static bool
check_rows(const char *row, const struct trace *trace, struct jsonslice oracle)
{
	struct jsonslice list, line, cell[9];
	size_t count = 0;
	if (!jsonread_find(oracle, "table", &list))
		return false;
	const struct ready_table *table = &trace->ready->tables[0];
	struct jsonread lines = jsonread_over(list);
	for (; jsonread_element(&lines, &line); count++) {
		struct jsonread cells = jsonread_over(line);
		for (size_t i = 0; i < 9; i++)
			assert_true(jsonread_element(&cells, &cell[i]));
		assert_true(count < table->row_count);
		check_cell_text(row, trace, ready_cell(table, count, 0), cell[7]);
		check_cell_text(row, trace, ready_cell(table, count, 1), cell[0]);
		check_number(row, ready_cell(table, count, 1), cell[1]);
		check_cell_text(row, trace, ready_cell(table, count, 2), cell[2]);
		check_cell_text(row, trace, ready_cell(table, count, 3), cell[3]);
		check_cell_text(row, trace, ready_cell(table, count, 4), cell[4]);
		check_number(row, ready_cell(table, count, 4), cell[5]);
		check_cell_text(row, trace, ready_cell(table, count, 5), cell[6]);
		check_cell_text(row, trace, ready_cell(table, count, 6), cell[8]);
	}
	assert_int_equal(count, table->row_count);
	return true;
}

/* {"node": [flat, base, flat%, cum, base, cum%, name], "callers": [[weight, base, %, name, inline]]} */
static size_t
check_calls(const char *row, const struct trace *trace, struct jsonslice block, const char *key,
	const char *relation, size_t first)
{
	const struct ready_table *table = &trace->ready->tables[1];
	struct jsonslice list, line, cell[5], node, name = { NULL, 0 };
	assert_true(jsonread_find(block, "node", &node));
	assert_true(jsonread_find(block, key, &list));
	struct jsonread nodes = jsonread_over(node), lines = jsonread_over(list);
	while (jsonread_element(&nodes, &name))
		;
	for (; jsonread_element(&lines, &line); first++) {
		struct jsonread cells = jsonread_over(line);
		for (size_t i = 0; i < 5; i++)
			assert_true(jsonread_element(&cells, &cell[i]));
		assert_true(first < table->row_count);
		check_cell_text(row, trace, ready_cell(table, first, 0), name);
		assert_true(trace_text_is(trace, ready_cell(table, first, 1)->text, relation));
		check_cell_text(row, trace, ready_cell(table, first, 2), cell[3]);
		check_cell_text(row, trace, ready_cell(table, first, 3), cell[0]);
		check_number(row, ready_cell(table, first, 3), cell[1]);
		check_cell_text(row, trace, ready_cell(table, first, 4), cell[2]);
		assert_int_equal(trace_text_is(trace, ready_cell(table, first, 5)->text, "inline"),
			jsonslice_is(cell[4], "true") || cell[4].bytes[0] == 't');
	}
	return first;
}

static bool
check_blocks(const char *row, const struct trace *trace, struct jsonslice oracle)
{
	struct jsonslice list, block;
	size_t first = 0;
	if (!jsonread_find(oracle, "blocks", &list))
		return false;
	struct jsonread blocks = jsonread_over(list);
	while (jsonread_element(&blocks, &block)) {
		first = check_calls(row, trace, block, "callers", "called by", first);
		first = check_calls(row, trace, block, "callees", "calls", first);
	}
	assert_int_equal(first, trace->ready->tables[1].row_count);
	return true;
}

static void
check_folded(const char *row, const struct trace *trace, const char *folded)
{
	struct text out = { 0 };
	assert_true(profiletesting_folded(trace, trace->samples->usual_type, &out));
	if (strcmp(text_string(&out), folded) != 0)
		fail_msg("%s:\n%s", row, text_string(&out));
	text_release(&out);
}

/* How much of it was compared with the oracle. */
struct compared {
	size_t tables, blocks, stacks;
};

static void
check_input(const char *row, const struct text *text, const char *name, struct compared *compared)
{
	struct text oracle, folded;
	assert_true(read_file(name, ".oracle.json", &oracle));
	struct jsonslice object = { oracle.bytes, oracle.length };
	struct trace *trace = load(row, text->bytes, text->length);
	profiletesting_check_facts(trace, "pprof_text", name, NULL);
	assert_int_equal(trace->samples == NULL, trace->ready != NULL);
	if (trace->ready != NULL) {
		compared->tables += check_rows(row, trace, object);
		compared->blocks += check_blocks(row, trace, object);
	}
	if (read_file(name, ".folded", &folded)) {
		check_folded(row, trace, text_string(&folded));
		compared->stacks++;
	}
	assert_int_equal(fact(trace, "damaged"), 0);
	assert_int_equal(trace->damage.count, 0);
	trace_free(trace);
	text_release(&oracle);
	text_release(&folded);
}

static void
check_compared(const struct compared *compared, size_t times)
{
	assert_int_equal(compared->tables, 3 * times);
	assert_int_equal(compared->blocks, 2 * times);
	assert_int_equal(compared->stacks, 3 * times);
}

static void
texts_are_read_as_another_reads_them(void **state)
{
	struct compared compared = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text;
		assert_true(read_file(inputs[i], ".txt", &text));
		check_input(inputs[i], &text, inputs[i], &compared);
		text_release(&text);
	}
	check_compared(&compared, 1);
}

/* Each line with something before and behind it. */
static void
dress(const struct text *text, const char *before, const char *behind, struct text *out)
{
	for (size_t i = 0; i < text->length; i++) {
		if (i == 0 || text->bytes[i - 1] == '\n')
			text_add_string(out, before);
		if (text->bytes[i] == '\n')
			text_add_string(out, behind);
		else
			text_add(out, &text->bytes[i], 1);
	}
}

static void
pasted_texts_are_the_same(void **state)
{
	struct compared compared = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text, out = { 0 };
		assert_true(read_file(inputs[i], ".txt", &text));
		dress(&text, "", "\r\n", &out);
		check_input("CR LF", &out, inputs[i], &compared);
		text_clear(&out);
		text_add_string(&out, "I ran this:\n```\n(pprof) top10\n");
		dress(&text, "", "\n", &out);
		check_input("prose", &out, inputs[i], &compared);
		text_clear(&out);
		dress(&text, "    ", "\n", &out);
		check_input("indented", &out, inputs[i], &compared);
		text_release(&out);
		text_release(&text);
	}
	check_compared(&compared, 3);
}

/* ---- values */

static void
values_are_in_base_units(void **state)
{
	static const struct {
		const char *text;
		int64_t whole;
		int hundredths;
		enum pprof_family family;
	} rows[] = {
		{ "0", 0, 0, PPROF_NUMBER },
		{ "12", 12, 0, PPROF_NUMBER },
		{ "-1.50s", -1500000000, 0, PPROF_TIME },
		{ "1.17s", 1170000000, 0, PPROF_TIME },
		{ "267.88ms", 267880000, 0, PPROF_TIME },
		{ "3\xc2\xb5s", 3000, 0, PPROF_TIME },
		{ "2hrs", INT64_C(7200000000000), 0, PPROF_TIME },
		{ "2562047.79hrs", INT64_MAX, 0, PPROF_TIME },
		{ "26.80MB", 28101836, 80, PPROF_MEMORY },
		{ "-0.01kB", -10, -24, PPROF_MEMORY },
		{ "4.125kB", 4224, 0, PPROF_MEMORY },
		{ "1.2345678901234kB", 1263, 62, PPROF_MEMORY },
		{ "16B", 16, 0, PPROF_MEMORY },
		{ "1111requests", 1111, 0, PPROF_OTHER },
		{ "3k*GCU", 3000, 0, PPROF_OTHER },
		{ "3M*GCU", 3000000, 0, PPROF_OTHER },
		{ "999999999999999999PB", INT64_MAX, 0, PPROF_MEMORY },
	};
	static const char *const none[] = { "", "-", "s", "1:", "1.", ".5", "+1", "1(2)", "9999999999999999999s" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct scan line = scan_over(rows[i].text, strlen(rows[i].text));
		struct pprof_value value;
		assert_true(pprof_value_read(&line, &value));
		if (value.whole != rows[i].whole || value.hundredths != rows[i].hundredths ||
			value.family != rows[i].family || !scan_is_end(&line))
			fail_msg("%s: %" PRId64 " and %d, %d", rows[i].text, value.whole, value.hundredths,
				value.family);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
		struct scan line = scan_over(none[i], strlen(none[i]));
		struct pprof_value value;
		if (pprof_value_read(&line, &value))
			fail_msg("%s is a value", none[i]);
	}
}

static void
percents_are_exact(void **state)
{
	static const struct {
		const char *text;
		int64_t percent;
	} rows[] = {
		{ "100%", 1000000000 }, { "66.99%", 669900000 }, { "0.038%", 380000 }, { "0.0009%", 9000 },
		{ "9e-05%", 900 }, { "0%", 0 }, { "12345%", INT64_C(123450000000) }, { "1.5e-06%", 15 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct scan line = scan_over(rows[i].text, strlen(rows[i].text)), text;
		int64_t percent;
		assert_true(pprof_percent_read(&line, &percent, &text));
		assert_int_equal(percent, rows[i].percent);
	}
}

/* ---- names, labels and what lies behind them */

#define TITLES "      flat  flat%   sum%        cum   cum%\n"
#define LINE "-----------+-------------------------------------------------------\n"
#define RAW "PeriodType: cpu nanoseconds\nPeriod: 10\nSamples:\ncpu/nanoseconds\n"

static void
names_are_kept_whole(void **state)
{
	static const char text[] = "Type: cpu\n" TITLES
		"     0.28s 23.93% 23.93%      0.28s 23.93%  std::map<int, char> *::f (inline)\n"
		"   0 0% 23.93% 1requests 0.01%  a  b (partial-inline)\n"
		"         0     0% 23.93%          0     0%\n";
	(void)state;
	struct trace *trace = load("names", text, sizeof text - 1);
	const struct ready_table *table = &trace->ready->tables[0];
	assert_int_equal(table->row_count, 3);
	assert_true(trace_text_is(trace, ready_cell(table, 0, 0)->text, "std::map<int, char> *::f"));
	assert_true(trace_text_is(trace, ready_cell(table, 0, 6)->text, "inline"));
	assert_true(trace_text_is(trace, ready_cell(table, 1, 0)->text, "a  b"));
	assert_true(trace_text_is(trace, ready_cell(table, 1, 6)->text, "partial-inline"));
	assert_true(trace_text_is(trace, ready_cell(table, 2, 0)->text, ""));
	assert_true(trace_text_is(trace, table->columns[1].key, "flat_ns"));
	trace_free(trace);
}

static void
raw_has_all_that_the_profile_has(void **state)
{
	struct text text;
	(void)state;
	assert_true(read_file("odd-raw", ".txt", &text));
	struct trace *trace = load("raw", text.bytes, text.length);
	const struct sample_set *set = trace->samples;
	const struct sample_origin *origin = &set->origin;
	assert_int_equal(set->type_count, 4);
	assert_int_equal(set->usual_type, 1);
	assert_true(trace_text_is(trace, set->types[2].unit, "microseconds"));
	assert_int_equal(origin->comment_count, 2);
	assert_true(trace_text_is(trace, origin->doc, "https://example.com/doc"));
	assert_int_equal(origin->time_ns, INT64_C(1700000000123456789));
	assert_int_equal(origin->duration_ns, INT64_C(2500000000));
	assert_int_equal(origin->period, 10000000);
	assert_true(trace_text_is(trace, origin->file, "shop"));
	assert_true(trace_text_is(trace, origin->build_id, "5f1c0ffee"));
	/* The first sample: what was inlined is on what it was inlined into. */
	const struct stack_frame *leaf = stack_leaf(&trace->stacks, set->stacks[0]);
	assert_true(trace_text_is(trace, leaf->function, "main.(*Shop).price"));
	assert_int_equal(leaf->is_inlined, 1);
	assert_int_equal(leaf->line, 71);
	assert_int_equal(leaf->pc, 0x400300);
	stack_id caller = stack_caller(&trace->stacks, set->stacks[0]);
	caller = stack_caller(&trace->stacks, caller);
	assert_int_equal(stack_leaf(&trace->stacks, caller)->is_inlined, 0);
	assert_int_equal(stack_leaf(&trace->stacks, stack_caller(&trace->stacks, caller))->column, 7);
	assert_int_equal(sample_set_label_count(set, 1), 2);
	struct sample_label bytes = sample_set_label(set, 1, 0), request = sample_set_label(set, 1, 1);
	assert_true(trace_text_is(trace, bytes.unit, "bytes") && bytes.number == 1024);
	assert_true(request.unit == STRING_EMPTY && request.number == 1001);
	assert_true(trace_text_is(trace, sample_set_label(set, 2, 0).text, "/order/{id}"));
	assert_int_equal(set->stacks[12], STACK_NONE);
	trace_free(trace);
	text_release(&text);
}

static void
older_and_odd_raw_texts_are_read(void **state)
{
	static const struct {
		const char *name, *text, *folded;
	} rows[] = {
		{ "without column", RAW "1: 1 \nLocations\n1: 0x1 M=1 a.b c.go:12 s=0\nMappings\n", "a.b 1\n" },
		{ "without start", RAW "1: 1 \nLocations\n1: 0x1 operator new (int) c.go:12:3\n",
			"operator new (int) 1\n" },
		{ "with a system name", RAW "2: 1 \nLocations\n1: 0x1 a(int) b.cc:1:2 s=3(_Z1ai s=4)\n", "a(int) 2\n" },
		{ "without a file", RAW "2: 1 \nLocations\n1: 0x1 main :0:0 s=0\n", "main 2\n" },
		{ "without a function", RAW "2: 1 \nLocations\n1: 0x1 M=4 ??\nMappings\n4: 0x0/0x1/0x0 /lib/a b.so  \n",
			"[a b.so] 2\n" },
		{ "a mapping pasted without its end", RAW "2: 1 \nLocations\n1: 0x1 M=4 \nMappings\n4: 0x0/0x1/0x0 [vdso]\n",
			"[[vdso]] 2\n" },
		{ "a name with colons", RAW "2: 1 \nLocations\n1: 0x1 a::b(c::d) e.cc:5:0 s=1\n", "a::b(c::d) 2\n" },
		{ "cut before the locations", RAW "7: 2 1 \n", "<unknown>;<unknown> 7\n" },
		{ "numbers beyond all", RAW "99999999999999999999: 1 \nLocations\n1: 0xffffffffffffffff f g:1:1 s=1\n",
			"f 9223372036854775807\n" },
		{ "a line that begins with digits", RAW "2: 1 \nLocations\n1: 0x1 f g:1:1 s=1\n             3d::draw d.cc:2:1 s=1\n",
			"3d::draw;f 2\n" },
		{ "the last type is the usual one", "Period: 0\nSamples:\na/count b/bytes\n 1 2: 1 \nLocations\n1: 0x1 f g:1:1 s=1\n",
			"f 2\n" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = load(rows[i].name, rows[i].text, strlen(rows[i].text));
		check_folded(rows[i].name, trace, rows[i].folded);
		trace_free(trace);
	}
}

/* What stood behind the cleaned line before is none of a word's. */
static void
a_type_ends_with_its_line(void **state)
{
	static const char text[] = "PeriodType: a b\n\t/////////////\nSamples:\n\ttype\n1: 1 \nLocations\n1: 0x1 f g:1:1 s=1\n";
	(void)state;
	struct trace *trace = load("type", text, sizeof text - 1);
	assert_true(trace_text_is(trace, trace->samples->types[0].name, "type"));
	assert_true(trace_text_is(trace, trace->samples->types[0].unit, ""));
	trace_free(trace);
}

static void
bombs_are_refused(void **state)
{
	struct text text = { 0 };
	struct error err = { 0 };
	(void)state;
	text_add_string(&text, RAW "1:");
	for (int i = 0; i < 4000; i++)
		text_add_string(&text, " 1");
	text_add_string(&text, "\nLocations\n1: 0x1 f\n");
	for (int i = 0; i < 4000; i++)
		text_add_string(&text, "             f\n");
	assert_null(profiletesting_read("pprof_text", text_string(&text), text.length, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	text_release(&text);
}

static void
traces_keep_their_labels(void **state)
{
	static const char text[] = "Type: inuse_space\n" LINE "     bytes:  256B 1kB\n    tenant:  t0 both\n"
		"    1.50kB   a (inline)\nrest of a name\n             b c\n" LINE;
	(void)state;
	struct trace *trace = load("labels", text, sizeof text - 1);
	const struct sample_set *set = trace->samples;
	check_folded("labels", trace, "b c;a 1536\n");
	assert_true(trace_text_is(trace, set->types[0].name, "inuse_space"));
	assert_true(trace_text_is(trace, set->types[0].unit, "bytes"));
	assert_int_equal(sample_set_label_count(set, 0), 3);
	assert_int_equal(sample_set_label(set, 0, 1).number, 1024);
	assert_true(trace_text_is(trace, sample_set_label(set, 0, 2).text, "t0 both"));
	assert_int_equal(stack_leaf(&trace->stacks, set->stacks[0])->is_inlined, 1);
	assert_int_equal(fact(trace, "damaged"), 0);
	assert_int_equal(fact(trace, "other_lines"), 1);
	trace_free(trace);
}

/* As a difference has them; hundredths appear where one stack has some. */
static void
traces_may_weigh_less_than_nothing(void **state)
{
	static const char text[] = "Type: cpu\n" LINE "    -1.25ns   f\n" LINE "    -20ns   g\n" LINE;
	(void)state;
	struct trace *trace = load("less", text, sizeof text - 1);
	assert_int_equal(trace->samples->decimals, 2);
	check_folded("less", trace, "f -1.25\ng -20\n");
	trace_free(trace);
}

/* ---- damage */

static void
what_fits_nothing_is_told(void **state)
{
	static const struct {
		const char *name, *text;
		int64_t rows, damaged;
	} rows[] = {
		{ "a line of something else", TITLES "1s 1% 1% 1s 1%  a\n%%%\n1s 1% 2% 1s 1%  b\n", 2, 1 },
		{ "text behind it", TITLES "1s 1% 1% 1s 1%  a\n\nso it is\nslow\n", 1, 0 },
		{ "cut within a row", TITLES "1s 1% 1% 1s 1%  a\n1s 1% 2", 1, 1 },
		{ "another report behind it", TITLES "1s 1% 1% 1s 1%  a\nType: heap\n" TITLES "1B 1% 1% 1B 1%  a\n", 2, 0 },
		{ "without a row", TITLES, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = load(rows[i].name, rows[i].text, strlen(rows[i].text));
		if (fact(trace, "rows") != rows[i].rows || fact(trace, "damaged") != rows[i].damaged)
			fail_msg("%s: %" PRId64 " rows, %" PRId64 " damaged", rows[i].name, fact(trace, "rows"),
				fact(trace, "damaged"));
		assert_int_equal(trace->damage.count > 0, rows[i].damaged > 0);
		trace_free(trace);
	}
	struct error err = { 0 };
	assert_null(profiletesting_read("pprof_text", "Type: cpu\n", 10, &err));
	assert_int_equal(err.kind, ERROR_FORMAT);
}

static void
all_places_are_counted(void **state)
{
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, TITLES "1s 1% 1% 1s 1%  a\n");
	for (int i = 0; i < 2 * DAMAGE_ROWS_MAX; i++)
		text_add_string(&text, "%%%\n");
	text_add_string(&text, "1s 1% 2% 1s 1%  b\nthat was it\n");
	struct trace *trace = load("places", text.bytes, text.length);
	assert_int_equal(fact(trace, "damaged"), 2 * DAMAGE_ROWS_MAX);
	assert_int_equal(damage_map_places(&trace->damage), 2 * DAMAGE_ROWS_MAX);
	trace_free(trace);
	text_release(&text);
}

static void
a_cut_stack_is_kept_and_told(void **state)
{
	static const char text[] = LINE "         3   a\n             b\n";
	(void)state;
	struct trace *trace = load("cut", text, sizeof text - 1);
	check_folded("cut", trace, "b;a 3\n");
	assert_int_equal(trace->damage.count, 1);
	trace_free(trace);
}

static void
a_stack_cut_by_a_table_is_kept(void **state)
{
	static const char text[] = LINE "         3   a\n             b\n" TITLES "1s 1% 1% 1s 1%  a\n%%%\n1s 1% 1% 1s 1%  a\n" LINE
		"         4   c\n" LINE;
	(void)state;
	struct trace *trace = load("cut by a table", text, sizeof text - 1);
	check_folded("cut by a table", trace, "b;a 3\nc 4\n");
	assert_int_equal(fact(trace, "samples"), 2);
	assert_int_equal(fact(trace, "damaged"), 1);
	trace_free(trace);
}

static void
any_bytes_are_a_report_or_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text;
		assert_true(read_file(inputs[i], ".txt", &text));
		for (size_t at = 0; at < text.length; at += 3) {
			struct error err = { 0 };
			char before = text.bytes[at];
			text.bytes[at] = "\n-+:[9 |%\xff"[at % 10];
			struct trace *trace = profiletesting_read("pprof_text", text.bytes,
				at % 2 == 0 ? text.length : at, &err);
			if (trace != NULL)
				assert_null(profiletesting_fault(trace));
			trace_free(trace);
			text.bytes[at] = before;
		}
		text_release(&text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_read_as_another_reads_them),
		cmocka_unit_test(pasted_texts_are_the_same),
		cmocka_unit_test(values_are_in_base_units),
		cmocka_unit_test(percents_are_exact),
		cmocka_unit_test(names_are_kept_whole),
		cmocka_unit_test(raw_has_all_that_the_profile_has),
		cmocka_unit_test(older_and_odd_raw_texts_are_read),
		cmocka_unit_test(a_type_ends_with_its_line),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(traces_keep_their_labels),
		cmocka_unit_test(traces_may_weigh_less_than_nothing),
		cmocka_unit_test(what_fits_nothing_is_told),
		cmocka_unit_test(all_places_are_counted),
		cmocka_unit_test(a_cut_stack_is_kept_and_told),
		cmocka_unit_test(a_stack_cut_by_a_table_is_kept),
		cmocka_unit_test(any_bytes_are_a_report_or_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
