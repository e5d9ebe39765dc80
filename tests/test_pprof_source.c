/*
 * Profiles of pprof: the inputs of testdata against an independent reader and against what pprof
 * prints of them, and small ones made here: in any order of fields, damaged, cut.
 */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/text.h"
#include "facttesting.h"
#include "jsonread.h"
#include "oraclefile.h"
#include "packing.h"
#include "profiletesting.h"
#include "trace/sample_set.h"

static const char *const inputs[] = { "drop-keep.pb.gz", "go-block.pb.gz", "go-cpu-labels.pb.gz",
	"go-goroutine-bare.pb", "go-heap.pb.gz", "odd.pb.gz" };

static bool
read_file(const char *name, const char *suffix, struct text *text)
{
	char path[1000], full[1200];
	snprintf(path, sizeof path, "%s/pprof/%s", getenv("TTRACE_TESTDATA"), name);
	char *dot = strstr(path + strlen(path) - strlen(name), ".");
	if (suffix != NULL && dot != NULL)
		*dot = '\0';
	snprintf(full, sizeof full, "%s%s", path, suffix == NULL ? "" : suffix);
	FILE *file = fopen(full, "rb");
	if (file == NULL)
		return false;
	char bytes[4096];
	size_t got;
	while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
		text_add(text, bytes, got);
	fclose(file);
	return true;
}

static struct trace *
try_load(const char *bytes, size_t size, struct error *err)
{
	error_clear(err);
	struct trace *trace = profiletesting_read("pprof", bytes, size, err);
	if (trace == NULL)
		return NULL;
	const char *fault = profiletesting_fault(trace);
	if (fault != NULL)
		fail_msg("%s", fault);
	return trace;
}

static struct trace *
load_file(const char *name)
{
	struct text text = { 0 };
	struct error err;
	assert_true(read_file(name, NULL, &text));
	struct trace *trace = try_load(text.bytes, text.length, &err);
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	text_release(&text);
	return trace;
}

static const char *
string_of(const struct trace *trace, string_id id)
{
	return intern_text(&trace->strings, id, NULL);
}

/* ---- against the oracle */

static struct jsonslice
member(const char *row, struct jsonslice object, const char *key)
{
	struct jsonslice value = { 0 };
	if (!jsonread_find(object, key, &value))
		fail_msg("%s: the oracle has no %s", row, key);
	return value;
}

static void
check_number(const char *row, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("%s: %s is %" PRId64 ", not %" PRId64, row, what, got, wanted);
}

static void
check_string(const char *row, struct jsonslice wanted, const char *got)
{
	if (!jsonslice_is(wanted, got))
		fail_msg("%s: \"%s\" should be %.*s", row, got, (int)wanted.length, wanted.bytes);
}

static void
check_origin(const char *row, const struct trace *trace, struct jsonslice oracle)
{
	const struct sample_origin *origin = &trace->samples->origin;
	struct jsonread period = jsonread_over(member(row, oracle, "period"));
	struct jsonread comments = jsonread_over(member(row, oracle, "comments"));
	struct jsonslice value;
	assert_true(jsonread_element(&period, &value));
	check_string(row, value, string_of(trace, origin->period_type));
	assert_true(jsonread_element(&period, &value));
	check_string(row, value, string_of(trace, origin->period_unit));
	assert_true(jsonread_element(&period, &value));
	check_number(row, "period", origin->period, jsonslice_number(value));
	check_number(row, "time", origin->time_ns, jsonslice_number(member(row, oracle, "time_ns")));
	check_number(row, "duration", origin->duration_ns, jsonslice_number(member(row, oracle, "duration_ns")));
	check_string(row, member(row, oracle, "doc"), string_of(trace, origin->doc));
	check_string(row, member(row, oracle, "drop"), string_of(trace, origin->drop));
	check_string(row, member(row, oracle, "keep"), string_of(trace, origin->keep));
	size_t count = 0;
	for (; jsonread_element(&comments, &value); count++) {
		assert_true(count < origin->comment_count);
		check_string(row, value, string_of(trace, origin->comments[count]));
	}
	check_number(row, "comments", (int64_t)origin->comment_count, (int64_t)count);
}

static void
check_types(const char *row, const struct trace *trace, struct jsonslice oracle)
{
	const struct sample_set *set = trace->samples;
	struct jsonread types = jsonread_over(member(row, oracle, "sample_types"));
	struct jsonread sums = jsonread_over(member(row, oracle, "sums"));
	struct jsonslice value;
	unsigned count = 0;
	for (; jsonread_element(&types, &value); count++) {
		char name[200];
		int64_t sum = 0;
		assert_true(count < set->type_count);
		snprintf(name, sizeof name, "%s/%s", string_of(trace, set->types[count].name),
			string_of(trace, set->types[count].unit));
		check_string(row, value, name);
		for (size_t i = 0; i < set->count; i++)
			sum += set->weights[i * set->type_count + count];
		assert_true(jsonread_element(&sums, &value));
		check_number(row, name, sum, jsonslice_number(value));
	}
	check_number(row, "types", set->type_count, count);
	check_number(row, "usual type", set->usual_type, jsonslice_number(member(row, oracle, "default_index")));
}

/* Sums of the usual type over the samples with that label. */
static int64_t
sum_of_label(const struct trace *trace, const char *key, const char *value)
{
	const struct sample_set *set = trace->samples;
	int64_t sum = 0;
	for (size_t i = 0; i < set->count; i++) {
		for (size_t j = 0; j < sample_set_label_count(set, i); j++) {
			struct sample_label label = sample_set_label(set, i, j);
			char text[200];
			const char *unit = string_of(trace, label.unit);
			if (label.text != STRING_EMPTY)
				snprintf(text, sizeof text, "%s", string_of(trace, label.text));
			else
				snprintf(text, sizeof text, "%" PRId64 "%s%s", label.number,
					*unit == '\0' ? "" : " ", unit);
			if (strcmp(string_of(trace, label.key), key) == 0 && strcmp(text, value) == 0)
				sum += set->weights[i * set->type_count + set->usual_type];
		}
	}
	return sum;
}

static void
check_labels(const char *row, const struct trace *trace, struct jsonslice labels)
{
	struct jsonread keys = jsonread_over(labels);
	struct jsonslice key, values, value, sum;
	while (jsonread_member(&keys, &key, &values)) {
		struct jsonread in = jsonread_over(values);
		char name[100], text[100];
		snprintf(name, sizeof name, "%.*s", (int)key.length - 2, key.bytes + 1);
		while (jsonread_member(&in, &value, &sum)) {
			snprintf(text, sizeof text, "%.*s", (int)value.length - 2, value.bytes + 1);
			check_number(row, text, sum_of_label(trace, name, text), jsonslice_number(sum));
		}
	}
}

static void
oracles_agree(void **state)
{
	static const char *const facts[] = { "samples", "mappings", "locations", "functions", "depth" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text text = { 0 };
		struct trace *trace = load_file(inputs[i]);
		assert_true(read_file(inputs[i], ".oracle.json", &text));
		struct jsonslice oracle = { text.bytes, text.length };
		for (size_t j = 0; j < ARRAY_LENGTH(facts); j++)
			check_number(inputs[i], facts[j], fact(trace, facts[j]),
				jsonslice_number(member(inputs[i], oracle, facts[j])));
		check_number(inputs[i], "damaged", fact(trace, "damaged"), 0);
		check_origin(inputs[i], trace, oracle);
		check_types(inputs[i], trace, oracle);
		check_labels(inputs[i], trace, member(inputs[i], oracle, "labels"));
		check_labels(inputs[i], trace, member(inputs[i], oracle, "num_labels"));
		text_release(&text);
		trace_free(trace);
	}
}

static void
folded_stacks_agree(void **state)
{
	size_t compared = 0;
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct trace *trace = load_file(inputs[i]);
		const struct sample_set *set = trace->samples;
		for (unsigned type = 0; type < set->type_count; type++) {
			struct text wanted = { 0 }, got = { 0 };
			char suffix[200] = ".folded";
			if (type != set->usual_type)
				snprintf(suffix, sizeof suffix, ".%s_%s.folded",
					string_of(trace, set->types[type].name),
					string_of(trace, set->types[type].unit));
			assert_true(read_file(inputs[i], suffix, &wanted));
			assert_true(profiletesting_folded(trace, type, &got));
			check_text(inputs[i], text_string(&got), text_string(&wanted));
			text_release(&wanted);
			text_release(&got);
			compared++;
		}
		trace_free(trace);
	}
	assert_int_equal(compared, 14);
}

/* ---- against pprof -raw */

/* "12: 0x47c60b M=1" within the part "Locations". */
static uint64_t
raw_address(const char *raw, unsigned long id)
{
	char wanted[40];
	const char *locations = strstr(raw, "\nLocations\n");
	snprintf(wanted, sizeof wanted, " %lu: 0x", id);
	const char *at = strstr(locations, wanted);
	assert_non_null(at);
	return strtoull(at + strlen(wanted) - 2, NULL, 16);
}

/* The next frame of a location of its own, from the leaf out. */
static stack_id
skip_inlined(const struct trace *trace, stack_id stack)
{
	while (stack != STACK_NONE && stack_leaf(&trace->stacks, stack)->is_inlined == 1)
		stack = stack_caller(&trace->stacks, stack);
	return stack;
}

static void
check_raw_sample(const char *row, const struct trace *trace, size_t sample, const char *raw,
	const char *line)
{
	const struct sample_set *set = trace->samples;
	char *at = (char *)line;
	for (unsigned i = 0; i < set->type_count; i++)
		check_number(row, "a value", set->weights[sample * set->type_count + i],
			strtoll(at, &at, 10));
	assert_int_equal(*at, ':');
	stack_id stack = set->stacks[sample];
	for (at += 2; *at != '\n'; at += *at == ' ') {
		stack = skip_inlined(trace, stack);
		assert_true(stack != STACK_NONE);
		check_number(row, "an address", (int64_t)stack_leaf(&trace->stacks, stack)->pc,
			(int64_t)raw_address(raw, strtoul(at, &at, 10)));
		stack = stack_caller(&trace->stacks, stack);
	}
	assert_int_equal(stack, STACK_NONE);
}

static void
raw_texts_agree(void **state)
{
	static const char *const files[] = { "go-heap.pb.gz", "odd.pb.gz", "legacy-go-goroutine.debug1",
		"legacy-go-heap.debug1", "legacy-go-mutex.debug1", "legacy-google-gobench-cpu.gperf" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
		struct text raw = { 0 };
		struct trace *trace = load_file(files[i]);
		size_t samples = 0;
		assert_true(read_file(files[i], ".raw.txt", &raw));
		const char *line = strstr(text_string(&raw), "\nSamples:\n") + 10;
		for (line = strchr(line, '\n') + 1; strncmp(line, "Locations", 9) != 0;
			line = strchr(line, '\n') + 1) {
			const char *digit = line + strspn(line, " ");
			if (*digit < '0' || *digit > '9')
				continue; /* labels */
			assert_true(samples < trace->samples->count);
			check_raw_sample(files[i], trace, samples++, text_string(&raw), line);
		}
		assert_int_equal(samples, trace->samples->count);
		assert_int_equal(fact(trace, "damaged"), 0);
		text_release(&raw);
		trace_free(trace);
	}
}

static void
check_folded(const char *row, const char *bytes, size_t size, const char *wanted)
{
	struct error err;
	struct text got = { 0 };
	struct trace *trace = try_load(bytes, size, &err);
	if (trace == NULL)
		fail_msg("%s: %s", row, err.message);
	assert_true(profiletesting_folded(trace, trace->samples->usual_type, &got));
	check_text(row, text_string(&got), wanted);
	text_release(&got);
	trace_free(trace);
}

/* Go's text names addresses in lines beside. */
static void
texts_have_names(void **state)
{
	static const char mutex[] = "--- mutex:\ncycles/second=1000000000\nsampling period=1\n"
		"500 1 @ 0x31 0x21 0x21 0x11\n"
		"#\t0x30\tb.inner[go.shape.struct { x int }]+0x1\t\t/s/b.go:3\n"
		"#\t0x30\tb.Outer+0x30\t/s/b.go:9\n"
		"#\t0x20\ta.walk+0x5\t/s/a.go:7\n#\t0x20\ta.walk+0x5\t/s/a.go:7\n\n"
		"20 1 @ 0x31 0x99\n";
	static const char bare[] = "heap profile: 1: 8 [1: 8] @ heapprofile\n  1: 8 [1: 8] @ 0x12 0x21\n";
	static const char zero[] = "threadcreate profile: total 5\n4 @ 0x0\n1 @ 0x5\n";
	(void)state;
	check_folded("mutex", mutex, sizeof mutex - 1,
		"<unknown>;a.walk;a.walk;b.Outer;b.inner[go.shape.struct { x int }] 500\n"
		"<unknown>;b.Outer;b.inner[go.shape.struct { x int }] 20\n");
	check_folded("bare", bare, sizeof bare - 1, "0x20;0x11 8\n");
	check_folded("zero", zero, sizeof zero - 1, "0x4 1\n0xffffffffffffffff 4\n");
}

/* Products of large numbers stay where numbers end, on either side. */
static void
texts_of_large_numbers_are_read(void **state)
{
	static const char large[] = "--- mutex:\nsampling period=999999999999\nms since reset=999999999999999\n"
		"1 999999999999999999 @ 0x2\n";
	static const char negative[] = "--- mutex:\nsampling period=999999999999\nms since reset=-999999999999999999\n"
		"1 -999999999999999999 @ 0x2\n";
	struct error err;
	(void)state;
	struct trace *trace = try_load(large, sizeof large - 1, &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->weights[0], INT64_MAX);
	assert_int_equal(trace->samples->origin.duration_ns, INT64_MAX);
	trace_free(trace);
	trace = try_load(negative, sizeof negative - 1, &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->weights[0], -INT64_MAX);
	assert_int_equal(trace->samples->origin.duration_ns, 0);
	assert_int_equal(fact(trace, "damaged"), 1);
	trace_free(trace);
}

static void
a_page_stands_before_a_profile(void **state)
{
	static const char text[] = "--- heapz 1 ---\ngoroutine profile: total 2\n2 @ 0x2\n";
	struct error err;
	(void)state;
	struct trace *trace = try_load(text, sizeof text - 1, &err);
	assert_non_null(trace);
	assert_string_equal(string_of(trace, trace->samples->types[0].name), "goroutine");
	trace_free(trace);
	check_folded("threads", "--- heapz 1 ---\n--- Thread 1 ---\n 0x2\n", 39, "0x2 1\n");
}

/* Mappings may overlap: an address is in the first of them. */
static void
addresses_are_in_the_first_mapping(void **state)
{
#define ADDRESSES "goroutine profile: total 6\n1 @ 0x11\n#\t0x10\ta.f+0x1\t/a.go:1\n" \
	"1 @ 0x1001\n1 @ 0x2001\n1 @ 0x5001\n1 @ 0x8001\n1 @ 0x9001\n1 @ 0xa001\n1 @ 0xffffffffffffffff\n" \
	"\nMAPPED_LIBRARIES:\n"
#define LIB(from, to, name) from "-" to " r-xp 00000000 08:01 7 /lib/" name "\n"
	static const char nested[] = ADDRESSES LIB("1000", "9000", "a") LIB("2000", "3000", "b") LIB("8000", "a000", "c");
	static const char inner_first[] = ADDRESSES LIB("2000", "3000", "b") LIB("1000", "9000", "a")
		LIB("fffffffffffff000", "ffffffffffffffff", "d") LIB("7000", "5000", "e");
	(void)state;
	check_folded("nested", nested, sizeof nested - 1, "<unknown> 2\n[a] 4\n[c] 1\na.f 1\n");
	check_folded("inner first", inner_first, sizeof inner_first - 1,
		"<unknown> 2\n[a] 3\n[b] 1\n[d] 1\na.f 1\n");
}

static void
lines_of_nothing_are_told(void **state)
{
	static const char text[] = "goroutine profile: total 9\n4 @ 0x2\nnoise\n1 @ 0x5 zz\n3 @ 0x7";
	struct error err;
	(void)state;
	struct trace *trace = try_load(text, sizeof text - 1, &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->count, 1);
	assert_int_equal(fact(trace, "damaged"), 3);
	assert_string_equal(trace->damage.rows[0].first.message, "line 3 fits nothing: \"noise\"");
	assert_int_equal(trace->damage.rows[1].from_bytes, 41);
	assert_int_equal(trace->damage.rows[2].cause, DAMAGE_CUT);
	trace_free(trace);
}

/* ---- profiles made here */

static void
put_varint(struct text *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		text_add(out, (char[]){ (char)(value | 0x80) }, 1);
	text_add(out, (char[]){ (char)value }, 1);
}

static void
put_number(struct text *out, unsigned field, uint64_t value)
{
	put_varint(out, field << 3);
	put_varint(out, value);
}

static void
put_bytes(struct text *out, unsigned field, const char *bytes, size_t size)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, size);
	text_add(out, bytes, size);
}

/* A message of numbers: fields and values in turn, 0 behind the last. */
static void
put_message(struct text *out, unsigned field, const uint64_t *numbers)
{
	struct text inner = { 0 };
	for (; *numbers != 0; numbers += 2)
		put_number(&inner, (unsigned)numbers[0], numbers[1]);
	put_bytes(out, field, text_string(&inner), inner.length);
	text_release(&inner);
}

#define MESSAGE(out, field, ...) put_message(out, field, (const uint64_t[]){ __VA_ARGS__, 0 })

static void
put_string(struct text *out, const char *string)
{
	put_bytes(out, 6, string, strlen(string));
}

enum { STRING_A = 1, STRING_B, STRING_COUNT, STRING_BASE, STRING_TRUE, STRING_LIB };

static void
put_strings(struct text *out)
{
	static const char *const strings[] = { "", "a", "b", "count", "pprof::base", "true", "/usr/lib.so" };
	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
		put_string(out, strings[i]);
}

static void
put_location(struct text *out, uint64_t id, uint64_t function)
{
	struct text inner = { 0 };
	put_number(&inner, 1, id);
	put_number(&inner, 3, id * 16);
	if (function != 0)
		MESSAGE(&inner, 4, 1, function, 2, 7);
	put_bytes(out, 4, inner.bytes, inner.length);
	text_release(&inner);
}

/* a calls b, in two functions with ids that are far apart. */
static void
put_tables(struct text *out)
{
	MESSAGE(out, 5, 1, 1, 2, STRING_A);
	MESSAGE(out, 5, 1, UINT64_C(0xffffffff12345678), 2, STRING_B);
	put_location(out, 1, 1);
	put_location(out, UINT64_C(1) << 63, UINT64_C(0xffffffff12345678));
}

static void
put_type(struct text *out)
{
	MESSAGE(out, 1, 1, STRING_A, 2, STRING_COUNT);
}

/* b, called by a, five times. */
static void
put_sample(struct text *out)
{
	MESSAGE(out, 2, 1, UINT64_C(1) << 63, 1, 1, 2, 5);
}

static void
check_made(const char *row, struct text *made, const char *wanted)
{
	check_folded(row, made->bytes, made->length, wanted);
	text_release(made);
}

static void
fields_come_in_any_order(void **state)
{
	struct text made = { 0 };
	(void)state;
	put_type(&made);
	put_sample(&made);
	put_tables(&made);
	put_strings(&made);
	check_made("strings last", &made, "a;b 5\n");
	put_strings(&made);
	put_tables(&made);
	put_sample(&made);
	put_type(&made);
	check_made("strings first", &made, "a;b 5\n");
	put_type(&made);
	put_bytes(&made, 99, "whatever", 8);
	put_sample(&made);
	put_tables(&made);
	/* packed and alone, the last scalar counts */
	put_bytes(&made, 2, "\x0a\1\1\x08\1\x12\1\3", 8);
	put_number(&made, 14, STRING_B);
	put_number(&made, 14, STRING_A);
	put_strings(&made);
	check_made("mixed", &made, "a;a 3\na;b 5\n");
}

struct damaged_row {
	const char *name;
	void (*put)(struct text *out);
	const char *folded;
	uint64_t damaged;
};

static void put_missing_location(struct text *out) { MESSAGE(out, 2, 1, 99, 2, 5); }
static void put_two_values(struct text *out) { MESSAGE(out, 2, 1, 1, 2, 5, 2, 6); }
static void put_no_value(struct text *out) { MESSAGE(out, 2, 1, 1); }
static void put_same_location(struct text *out) { put_location(out, 1, 0); }
static void put_location_zero(struct text *out) { put_location(out, 0, 1); }
static void put_same_function(struct text *out) { MESSAGE(out, 5, 1, 1, 2, STRING_B); }
static void put_lost_string(struct text *out) { MESSAGE(out, 5, 1, 7, 2, 1000); }
static void put_missing_function(struct text *out)
{
	put_location(out, 3, 99);
	MESSAGE(out, 2, 1, 3, 1, 1, 2, 8);
}
static void put_label_of_nothing(struct text *out)
{
	put_bytes(out, 2, "\x0a\1\1\x12\1\2\x1a\5\x08\1\x10\x80\x08", 13);
}
static void put_group(struct text *out) { put_bytes(out, 2, "\x0a\1\1\x12\1\2\x1b", 7); }
static void put_zero(struct text *out) { text_add(out, "\0\0", 2); }
static void put_long_sample(struct text *out) { text_add(out, "\x12\xff\xff\xff\x0f\1", 6); }
static void put_wrong_wire(struct text *out) { put_number(out, 2, 5); }
static void put_open_packed(struct text *out) { put_bytes(out, 2, "\x0a\1\1\x12\1\x82", 6); }

/* What is whole is kept; of what is broken, nothing behind it is read. */
static void
damage_is_kept_out_and_told(void **state)
{
	static const struct damaged_row rows[] = {
		{ "a location that is not there", put_missing_location, "a;b 10\n", 1 },
		{ "two values", put_two_values, "a;b 10\n", 1 },
		{ "no value", put_no_value, "a;b 10\n", 1 },
		{ "two locations of an id", put_same_location, "a;b 10\n", 1 },
		{ "a location without an id", put_location_zero, "a;b 10\n", 1 },
		{ "two functions of an id", put_same_function, "a;b 10\n", 1 },
		{ "a string that is not there", put_lost_string, "a;b 10\n", 1 },
		{ "a function that is not there", put_missing_function, "a 8\na;b 10\n", 1 },
		{ "a label of nothing", put_label_of_nothing, "a 2\na;b 10\n", 1 },
		{ "a group", put_group, "a;b 5\n", 1 },
		{ "a field 0", put_zero, "a;b 5\n", 1 },
		{ "a length that lies", put_long_sample, "a;b 5\n", 1 },
		{ "a sample that is a number", put_wrong_wire, "a;b 5\n", 1 },
		{ "a packed number without end", put_open_packed, "a;b 5\n", 1 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text made = { 0 };
		struct error err;
		put_type(&made);
		put_strings(&made);
		put_tables(&made);
		put_sample(&made);
		uint64_t at = made.length;
		rows[i].put(&made);
		put_sample(&made);
		struct trace *trace = try_load(made.bytes, made.length, &err);
		if (trace == NULL)
			fail_msg("%s: %s", rows[i].name, err.message);
		check_number(rows[i].name, "damaged", fact(trace, "damaged"),
			(int64_t)rows[i].damaged);
		assert_in_range(trace->damage.rows[0].from_bytes, at, made.length);
		trace_free(trace);
		check_made(rows[i].name, &made, rows[i].folded);
	}
}

static void
check_refused(const char *row, struct text *made, const char *wanted)
{
	struct error err;
	if (try_load(text_string(made), made->length, &err) != NULL)
		fail_msg("%s is not refused", row);
	if (strstr(err.message, wanted) == NULL)
		fail_msg("%s: \"%s\" lacks \"%s\"", row, err.message, wanted);
	text_release(made);
}

static void
what_is_no_profile_is_refused(void **state)
{
	struct text made = { 0 };
	(void)state;
	put_sample(&made);
	put_tables(&made);
	put_strings(&made);
	check_refused("no type", &made, "without a sample type");
	for (int i = 0; i < 2; i++) {
		put_type(&made);
		put_sample(&made);
		put_tables(&made);
		put_strings(&made);
	}
	check_refused("two", &made, "concatenated profiles detected");
	put_type(&made);
	put_no_value(&made);
	put_strings(&made);
	check_refused("no whole sample", &made, "no sample of the profile is whole");
	for (int i = 0; i < 65; i++)
		put_type(&made);
	check_refused("types", &made, "more than 64 types");
	text_add_string(&made, "--- heapz 1 ---\nformat = java\n");
	check_refused("java", &made, "Java");
}

static void
names_of_what_has_none(void **state)
{
	struct text made = { 0 };
	(void)state;
	put_type(&made);
	put_strings(&made);
	MESSAGE(&made, 3, 1, 5, 5, STRING_LIB);
	MESSAGE(&made, 5, 1, 1, 2, 0);
	MESSAGE(&made, 4, 1, 1, 2, 5);
	MESSAGE(&made, 4, 1, 2);
	put_location(&made, 3, 1);
	MESSAGE(&made, 2, 1, 1, 2, 1);
	MESSAGE(&made, 2, 1, 2, 2, 2);
	MESSAGE(&made, 2, 1, 3, 1, 1, 2, 4);
	MESSAGE(&made, 2, 2, 8);
	check_made("names", &made, "<unknown> 2\n[lib.so] 1\n[lib.so];<unknown> 4\n");
}

static void
a_base_is_known(void **state)
{
	struct text made = { 0 }, sample = { 0 };
	struct error err;
	(void)state;
	put_number(&sample, 1, 1);
	put_number(&sample, 2, (uint64_t)-3);
	MESSAGE(&sample, 3, 1, STRING_BASE, 2, STRING_TRUE);
	put_type(&made);
	put_strings(&made);
	put_tables(&made);
	put_bytes(&made, 2, sample.bytes, sample.length);
	struct trace *trace = try_load(made.bytes, made.length, &err);
	assert_non_null(trace);
	assert_true(trace->samples->has_base);
	check_made("base", &made, "a -3\n");
	text_release(&sample);
	trace_free(trace);
}

/* The order of Go's writer: what samples need stands before them, names come last. */
static void
cut_anywhere_it_keeps_what_is_whole(void **state)
{
	struct text made = { 0 };
	struct error err;
	size_t most = 0;
	(void)state;
	put_type(&made);
	put_tables(&made);
	size_t before = made.length;
	for (int i = 0; i < 3; i++)
		put_sample(&made);
	size_t behind = made.length;
	put_strings(&made);
	for (size_t size = 0; size <= made.length; size++) {
		struct trace *trace = try_load(made.bytes, size, &err);
		if (size < before) {
			assert_null(trace);
			continue;
		}
		if (trace == NULL) {
			assert_true(size < before + (behind - before) / 3); /* the first sample is not whole */
			continue;
		}
		assert_in_range(trace->samples->count, most, most + 1);
		most = trace->samples->count;
		assert_int_equal(most, (size - before) / ((behind - before) / 3) < 3
				? (size - before) / ((behind - before) / 3) : 3);
		trace_free(trace);
	}
	assert_int_equal(most, 3);
	struct trace *trace = try_load(made.bytes, behind, &err);
	assert_non_null(strstr(trace->damage.rows[0].first.message, "3 samples, names lost"));
	trace_free(trace);
	made.length = behind;
	check_made("names lost", &made, "0x10;<unknown> 15\n");
}

static void
a_cut_packing_is_told(void **state)
{
	struct text made = { 0 }, packed = { 0 };
	struct error err;
	(void)state;
	if (!packers[0].is_built)
		skip();
	put_type(&made);
	put_strings(&made);
	put_tables(&made);
	for (int i = 0; i < 2000; i++)
		MESSAGE(&made, 2, 1, 1, 2, (uint64_t)i * 7919 % 104729);
	packers[0].pack(&packed, made.bytes, made.length);
	struct trace *trace = try_load(packed.bytes, packed.length / 2, &err);
	assert_non_null(trace);
	assert_in_range(trace->samples->count, 100, 1999);
	assert_int_equal(fact(trace, "damaged"), 1);
	trace_free(trace);
	text_release(&made);
	text_release(&packed);
}

/* Few bytes name many frames: what they would need is not taken. */
static void
bombs_are_refused(void **state)
{
	struct text made = { 0 }, location = { 0 }, ids = { 0 };
	(void)state;
	put_number(&location, 1, 1);
	for (int i = 0; i < 4000; i++)
		MESSAGE(&location, 4, 1, 1, 2, (uint64_t)i);
	for (int i = 0; i < 4000; i++)
		put_varint(&ids, 1);
	put_type(&made);
	put_strings(&made);
	MESSAGE(&made, 5, 1, 1, 2, STRING_A);
	put_bytes(&made, 4, location.bytes, location.length);
	struct text sample = { 0 };
	put_bytes(&sample, 1, ids.bytes, ids.length);
	put_number(&sample, 2, 1);
	put_bytes(&made, 2, sample.bytes, sample.length);
	check_refused("bomb", &made, "more frames than so short a profile can have");
	text_release(&sample);
	text_release(&location);
	text_release(&ids);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oracles_agree),
		cmocka_unit_test(folded_stacks_agree),
		cmocka_unit_test(raw_texts_agree),
		cmocka_unit_test(texts_have_names),
		cmocka_unit_test(texts_of_large_numbers_are_read),
		cmocka_unit_test(a_page_stands_before_a_profile),
		cmocka_unit_test(addresses_are_in_the_first_mapping),
		cmocka_unit_test(lines_of_nothing_are_told),
		cmocka_unit_test(fields_come_in_any_order),
		cmocka_unit_test(damage_is_kept_out_and_told),
		cmocka_unit_test(what_is_no_profile_is_refused),
		cmocka_unit_test(names_of_what_has_none),
		cmocka_unit_test(a_base_is_known),
		cmocka_unit_test(cut_anywhere_it_keeps_what_is_whole),
		cmocka_unit_test(a_cut_packing_is_told),
		cmocka_unit_test(bombs_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
