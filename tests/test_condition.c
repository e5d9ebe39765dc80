/* Conditions: what can be said and what not, how durations are judged, and what is printed. */
#include <string.h>

#include "analysis/condition.h"
#include "base/compiler.h"
#include "base_testing.h"
#include "golden.h"
#include "gotrace_testing.h"
#include "report/checks.h"
#include "tracetesting.h"

static struct condition
parse(const char *text)
{
	struct condition condition;
	struct error err = { 0 };
	if (!condition_parse(&condition, text, &err))
		fail_msg("%s: %s", text, err.message);
	return condition;
}

static void
conditions_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum condition_function function;
		uint64_t part;
		enum latency_type type;
		const char *name;
		enum condition_relation relation;
		int64_t value;
	} rows[] = {
		{ "p99(sched) < 500us", CONDITION_QUANTILE, 99000000, LATENCY_SCHED, NULL,
			CONDITION_LESS, 500000 },
		{ "p99.9 ( stw )<=1m2.5s ", CONDITION_QUANTILE, 99900000, LATENCY_STW, NULL,
			CONDITION_AT_MOST, INT64_C(62500000000) },
		{ "p100(gc)>0", CONDITION_QUANTILE, 100000000, LATENCY_GC, NULL, CONDITION_MORE,
			0 },
		{ "p0.000001(gc)>0", CONDITION_QUANTILE, 1, LATENCY_GC, NULL, CONDITION_MORE, 0 },
		{ "share(gc) < 5%", CONDITION_SHARE, 0, LATENCY_GC, NULL, CONDITION_LESS,
			5000000 },
		{ "share(assist) >= 0.25 %", CONDITION_SHARE, 0, LATENCY_ASSIST, NULL,
			CONDITION_AT_LEAST, 250000 },
		{ "count(block=chan receive)=3", CONDITION_COUNT, 0, LATENCY_BLOCK,
			"chan receive", CONDITION_EQUAL, 3 },
		{ "sum(region=f(x)) != 1s", CONDITION_SUM, 0, LATENCY_REGION, "f(x)",
			CONDITION_UNEQUAL, 1000000000 },
		{ "max(\"(dur>1ms | g=3)\") < 1s", CONDITION_MAX, 0, LATENCY_QUERY,
			"(dur>1ms | g=3)", CONDITION_LESS, 1000000000 },
		{ "mean(task=a) < 1ns", CONDITION_MEAN, 0, LATENCY_TASK, "a", CONDITION_LESS, 1 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct condition condition = parse(rows[i].text);
		const char *name = condition.kind.name;
		assert_int_equal(condition.function, rows[i].function);
		assert_int_equal(condition.part, rows[i].part);
		assert_int_equal(condition.kind.type, rows[i].type);
		assert_int_equal(condition.relation, rows[i].relation);
		assert_int_equal(condition.value, rows[i].value);
		check_text(rows[i].text, name != NULL ? name : "(none)",
			rows[i].name != NULL ? rows[i].name : "(none)");
		condition_release(&condition);
	}
}

static void
conditions_of_reports_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text, *report, *column, *about;
		enum condition_relation relation;
		enum condition_unit unit;
		int64_t value;
	} rows[] = {
		{ "goroutines.max(ready) < 5ms", "goroutines", "max", "ready", CONDITION_LESS,
			CONDITION_DURATION, 5000000 },
		{ "slices.longest<=1m", "slices", "longest", NULL, CONDITION_AT_MOST,
			CONDITION_DURATION, INT64_C(60000000000) },
		{ "latency:sched.p99.9 > 2us ", "latency:sched", "p99.9", NULL, CONDITION_MORE,
			CONDITION_DURATION, 2000 },
		{ "latency:block=chan receive.max_ns >= 0", "latency:block=chan receive", "max_ns", NULL,
			CONDITION_AT_LEAST, CONDITION_NUMBER, 0 },
		{ "function:main.(*T).run<a.b>.blocked != 1s", "function:main.(*T).run<a.b>", "blocked", NULL,
			CONDITION_UNEQUAL, CONDITION_DURATION, 1000000000 },
		{ "gc.heap_start < 512M", "gc", "heap_start", NULL, CONDITION_LESS, CONDITION_BYTES,
			INT64_C(536870912) },
		{ "gc.workers_share = 25.5%", "gc", "workers_share", NULL, CONDITION_EQUAL,
			CONDITION_PERCENT, 25500000 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct condition condition = parse(rows[i].text);
		const char *about = condition.about != NULL ? condition.about : "(all)";
		assert_int_equal(condition.function, CONDITION_REPORT);
		check_text(rows[i].text, condition.report, rows[i].report);
		check_text(rows[i].text, condition.column, rows[i].column);
		check_text(rows[i].text, about, rows[i].about != NULL ? rows[i].about : "(all)");
		assert_int_equal(condition.relation, rows[i].relation);
		assert_int_equal(condition.unit, rows[i].unit);
		assert_int_equal(condition.value, rows[i].value);
		condition_release(&condition);
	}
}

static void
wrong_ones_are_refused_at_their_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "wanted count, sum" },
		{ "slices.longest", "wanted <, <=, >, >=, = or !=, at character 15" },
		{ "latency:sched < 1s", "wanted a column behind the report, as in slices.longest, at character 14" },
		{ "slices.longest) < 1s", "nothing is open that this ) closes" },
		{ "slices.longest < x", "wanted a duration" },
		{ "slices.longest < 1s x", "wanted a duration" },
		{ "median(gc) < 1s", "and (KIND) behind it, at character 1" },
		{ "p(gc) < 1s", "wanted a number from 0 to 100, with six digits behind the point at most, at character 2" },
		{ "p100.1(gc) < 1s", "at character 7" },
		{ "p1.1234567(gc) < 1s", "at character 2" },
		{ "max gc < 1s", "a ( is missing, at character 5" },
		{ "max(gc < 1s", "this ( is not closed, at character 4" },
		{ "max)gc( < 1s", "a ( is missing, at character 4" },
		{ "max(go) < 1s", "there is no such kind" },
		{ "max(dur>x) < 1s", "at character 9" },
		{ "max(gc) 1s", "wanted <, <=, >, >=, = or !=, at character 9" },
		{ "max(gc) <", "a value is missing, at character 10" },
		{ "max(gc) < 1", "wanted a duration such as 500us or 1.5ms: " },
		{ "max(gc) < 1s x", "at character 11" },
		{ "share(gc) < 5", "a % is missing, at character 14" },
		{ "share(gc) < 5% x", "nothing stands behind the value, at character 16" },
		{ "share(gc) < x", "wanted a percentage such as 5% or 0.1%, at character 13" },
		{ "count(gc) < 1.5", "wanted a whole number, at character 13" },
		{ "count(gc) < 999999999999", "wanted a whole number, at character 13" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct condition condition;
		struct error err = { 0 };
		if (condition_parse(&condition, rows[i].text, &err))
			fail_msg("%s: taken", rows[i].text);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (strstr(err.message, rows[i].message) == NULL)
			fail_msg("%s: %s", rows[i].text, err.message);
	}
}

/* Four durations, 10 in all, of which 5 lie in an interval of 50. */
static void
durations_are_judged(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool holds, holds_without; /* without any spans */
	} rows[] = {
		{ "count(gc) = 4", true, false },
		{ "count(gc) < 4", false, true },
		{ "count(gc) != 0", true, false },
		{ "sum(gc) <= 10ns", true, true },
		{ "sum(gc) > 10ns", false, false },
		{ "max(gc) < 5ns", true, false },
		{ "max(gc) >= 4ns", true, false },
		{ "max(gc) >= 0", true, false },
		{ "p50(gc) = 2ns", true, false },
		{ "p50.1(gc) = 3ns", true, false },
		{ "p0(gc) = 1ns", true, false },
		/* Two and a half. */
		{ "mean(gc) > 2ns", true, false },
		{ "mean(gc) <= 2ns", false, false },
		{ "mean(gc) < 3ns", true, false },
		{ "mean(gc) = 2ns", false, false },
		{ "share(gc) = 10%", true, false },
		{ "share(gc) < 10.000001%", true, false },
		{ "share(gc) < 9.999999%", false, false },
	};
	struct radix_item items[] = { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 } };
	struct latency four = { .items = items, .count = 4, .total_ns = 10, .within_ns = 5,
		.interval_ns = 50 };
	struct latency none = { .interval_ns = 50 };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct condition condition = parse(rows[i].text);
		if (condition_judge(&condition, &four).holds != rows[i].holds)
			fail_msg("%s: of four", rows[i].text);
		if (condition_judge(&condition, &none).holds != rows[i].holds_without)
			fail_msg("%s: of none", rows[i].text);
		condition_release(&condition);
	}
}

/* ---- printed */

static const char *const texts[] = { "p99(sched) < 500us", "max(sched)<100us", "share(gc) < 5%",
	"count(gc) = 0", "mean(region=none) > 0", "sum(region=none) = 0" };

static bool
print(struct report_options *options, const char *const *names, struct text *out,
	struct error *err)
{
	struct condition conditions[ARRAY_LENGTH(texts)];
	struct checks checks = {
		.options = options,
		.conditions = conditions,
		.texts = texts,
		.count = ARRAY_LENGTH(texts),
		.names_files = names[1] != NULL,
	};
	bool is_fine = true;
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		conditions[i] = parse(texts[i]);
	for (size_t i = 0; names[i] != NULL && is_fine; i++) {
		struct trace *trace = testing_load(names[i]);
		options->file_name = names[i];
		is_fine = checks_add(&checks, trace, out, err);
		trace_free(trace);
	}
	is_fine = checks_end(&checks) && is_fine;
	assert_true(!is_fine || checks.judged > checks.failed);
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		condition_release(&conditions[i]);
	return is_fine;
}

static void
forms_are_as_agreed(void **state)
{
	(void)state;
	static const char *const one[] = { "httpserver-go1.26", NULL };
	static const char *const two[] = { "httpserver-go1.26", "contention-go1.19", NULL };
	static const struct {
		const char *golden, *const *names;
		struct report_options options;
	} rows[] = {
		{ "checks.txt", one, { .width_cells = 110 } },
		{ "checks-two.txt", two,
			{ .width_cells = 80,
				.ascii = true,
				.has_interval = true,
				.t0_ns = 8000000,
				.t1_ns = 30000000 } },
		{ "checks.csv", two, { .width_cells = 100, .format = REPORT_AS_CSV } },
		{ "checks.json", one, { .width_cells = 100, .format = REPORT_AS_JSON } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct report_options options = rows[i].options;
		struct error err = { 0 };
		struct text out = { 0 };
		if (!print(&options, rows[i].names, &out, &err))
			fail_msg("%s", err.message);
		golden_check(rows[i].golden, &out);
		text_release(&out);
	}
}

/* What a pattern gives up on may be what the condition is about. */
static void
a_pattern_that_takes_too_long_fails(void **state)
{
	static const char trace_text[] = GO26 SYNC("1") BATCH("1", "0", "5") P0 G1
		"UserTaskBegin dt=1 task=7 parent_task=0 name_string=1 stack=0\n"
		"UserTaskEnd dt=9 task=7 stack=0\n" STRINGS("1")
		"String id=1\n\tdata=\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"\n"
		"EndOfGeneration\n";
	static const struct {
		const char *text;
		size_t unclear;
	} rows[] = { { "count(task~(a+)+$) = 0", 1 }, { "count(task~b+$) = 0", 0 } };
	struct report_options options = { .width_cells = 100 };
	struct text bytes = { 0 };
	(void)state;
	testing_assemble(trace_text, &bytes);
	struct trace *trace = testing_load_bytes("long", bytes.bytes, bytes.length);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct condition condition = parse(rows[i].text);
		struct checks checks = { .options = &options,
			.conditions = &condition,
			.texts = &rows[i].text,
			.count = 1 };
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(checks_add(&checks, trace, &out, &err) && checks_end(&checks));
		assert_int_equal(checks.failed, rows[i].unclear);
		assert_int_equal(checks.unclear, rows[i].unclear);
		assert_true((strstr(out.bytes, "takes too long") != NULL) == (rows[i].unclear > 0));
		text_release(&out);
		condition_release(&condition);
	}
	text_release(&bytes);
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_read),
		cmocka_unit_test(conditions_of_reports_are_read),
		cmocka_unit_test(wrong_ones_are_refused_at_their_place),
		cmocka_unit_test(durations_are_judged),
		cmocka_unit_test(forms_are_as_agreed),
		cmocka_unit_test(a_pattern_that_takes_too_long_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
