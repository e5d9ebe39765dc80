/*
 * The reports of the collector, the stops and the procs: golden texts, and that what they say
 * sums up to what the index says.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/class_times.h"
#include "analysis/go/cycles.h"
#include "analysis/actors.h"
#include "analysis/go/mutator.h"
#include "base_testing.h"
#include "golden.h"
#include "query/search.h"
#include "resulttesting.h"
#include "trace/lane.h"
#include "tracetesting.h"

enum report_kind { OF_GC, OF_STW, OF_UTILISATION, OF_MMU };

static const char *const names[] = { "gc", "stw", "utilisation", "mmu" };

static void
print(enum report_kind kind, const struct trace *trace, const struct report_options *options,
	struct text *out)
{
	struct error err = { 0 };
	if (!testing_result(names[kind], trace, options, out, &err))
		fail_msg("%s", err.message);
}

static const struct {
	const char *golden, *trace;
	enum report_kind kind;
	struct report_options options;
} goldens[] = {
	{ "gc.txt", "gcheavy-go1.26", OF_GC,
		{ .file_name = "a.trace", .width_cells = 120 } },
	{ "gc-cut.txt", "midassist-go1.22", OF_GC,
		{ .file_name = "a.trace", .width_cells = 160 } },
	{ "gc.csv", "gcheavy-go1.19", OF_GC,
		{ .limit = 3, .width_cells = 100, .format = REPORT_AS_CSV } },
	{ "gc-none.txt", "tasks-go1.26", OF_GC,
		{ .file_name = "a.trace", .width_cells = 100 } },
	{ "stw-ascii.txt", "gcheavy-go1.26", OF_STW,
		{ .limit = 12, .file_name = "a.trace", .width_cells = 80, .ascii = true } },
	{ "stw.json", "gcheavy-go1.26", OF_STW,
		{ .limit = 2, .width_cells = 100, .format = REPORT_AS_JSON } },
	{ "utilisation.txt", "gcheavy-go1.26", OF_UTILISATION,
		{ .limit = 16, .file_name = "a.trace",
			.width_cells = 100,
			.has_interval = true,
			.t0_ns = 2000000,
			.t1_ns = 18000000 } },
	{ "mmu.txt", "gcheavy-go1.26", OF_MMU,
		{ .limit = 5, .file_name = "a.trace", .width_cells = 100 } },
};

static void
test_golden(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		struct trace *trace = testing_load(goldens[i].trace);
		struct text out = { 0 };
		print(goldens[i].kind, trace, &goldens[i].options, &out);
		golden_check(goldens[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

/* The sum of a column of CSV, and its lines. */
static double
sum_column(const struct text *csv, int column, size_t *lines)
{
	double sum = 0;
	const char *at = strchr(csv->bytes, '\n') + 1;
	for (*lines = 0; *at != '\0'; ++*lines) {
		double value;
		for (int i = 0; i < column; i++)
			at = strchr(at, ',') + 1;
		assert_int_equal(sscanf(at, "%lf", &value), 1);
		sum += value;
		at = strchr(at, '\n') + 1;
	}
	return sum;
}

static void
check_sums(const char *name)
{
	struct report_options options = { .width_cells = 100, .format = REPORT_AS_CSV };
	struct trace *trace = testing_load(name);
	int64_t totals_ns[CLASS_COUNT];
	size_t lines;
	struct text out = { 0 };
	struct lane all = { LANE_ALL, 0 }, gc = { LANE_GC, 0 };
	options.limit = 20;
	print(OF_UTILISATION, trace, &options, &out);
	options.limit = 0;
	lane_totals(trace, all, 0, trace->end_ns, totals_ns);
	double running = (double)(totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER]);
	double printed = sum_column(&out, 3, &lines) * (double)trace->end_ns / 20;
	assert_int_equal(lines, 20);
	/* Parts differ by a nanosecond. */
	assert_true(printed > running * 0.999 - 1000 && printed < running * 1.001 + 1000);
	text_clear(&out);
	print(OF_GC, trace, &options, &out);
	lane_totals(trace, gc, 0, trace->end_ns, totals_ns);
	assert_true((int64_t)sum_column(&out, 2, &lines) == totals_ns[CLASS_RUNNING]);
	assert_int_equal(lines, lane_count(trace, gc, 0, trace->end_ns));
	text_release(&out);
	trace_free(trace);
}

static void
test_sums(void **state)
{
	(void)state;
	testing_each(".trace", check_sums);
}

/* ---- cycles */

static void
check_cycle(const char *name, const struct trace *trace, const struct gc_cycle *cycle)
{
	int64_t length_ns = cycle->span.end_ns - cycle->span.start_ns;
	uint64_t procs = 0;
	bool has_procs = counter_at(trace, COUNTER_GOMAXPROCS, cycle->span.end_ns, &procs);
	int64_t begin_ns = cycle->sweep_term_ns > 0 ? cycle->sweep_term_ns : 0;
	int64_t end_ns = cycle->mark_term_ns > 0 ? cycle->mark_term_ns : 0;
	if (begin_ns + end_ns > cycle->stops_ns)
		fail_msg("%s: the phases of a stop are longer than it is", name);
	if (cycle->assist_share == -1)
		return;
	/* What ran in assists is no more than what they took; some began before the phase. */
	double ran_ns = cycle->assist_share * (double)length_ns * (double)procs;
	if (!has_procs || cycle->assist_share < -1e-9 || ran_ns > (double)cycle->assists_ns + 1)
		fail_msg("%s: of assists of %" PRId64 " ns %f ran", name, cycle->assists_ns, ran_ns);
}

/* Sweeps that begin when a mark phase ends, or later, are all told of, each once. */
static int64_t
sweeps_since(const struct trace *trace, int64_t time_ns)
{
	int64_t sum_ns = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_SWEEP && range->start_ns >= time_ns)
			sum_ns += trace_range_end_ns(trace, range) - range->start_ns;
	}
	return sum_ns;
}

static void
check_cycles(const char *name)
{
	struct trace *trace = testing_load(name);
	struct gc_cycles cycles;
	struct error err = { 0 };
	int64_t sweeps_ns = 0;
	assert_true(gc_cycles_build(&cycles, trace, 0, trace->end_ns + 1, NULL, &err));
	for (size_t i = 0; i < cycles.count; i++) {
		check_cycle(name, trace, &cycles.items[i]);
		bool has_ended = (cycles.items[i].cut & GC_CUT_END) == 0;
		assert_true(has_ended == (cycles.items[i].sweeps_ns >= 0));
		sweeps_ns += has_ended ? cycles.items[i].sweeps_ns : 0;
	}
	if (cycles.count > 0 && sweeps_ns != sweeps_since(trace, cycles.items[0].span.end_ns))
		fail_msg("%s: sweeps come to %" PRId64 " ns", name, sweeps_ns);
	gc_cycles_release(&cycles);
	trace_free(trace);
}

static void
test_cycles(void **state)
{
	(void)state;
	testing_each(".trace", check_cycles);
}

static void
test_triggers(void **state)
{
	static const struct {
		const char *trace;
		uint32_t counts[GC_TRIGGER_COUNT];
	} rows[] = {
		{ "gcheavy-go1.26", { [GC_TRIGGER_HEAP] = 17, [GC_TRIGGER_CALL] = 1 } },
		{ "troubles/gcback", { [GC_TRIGGER_HEAP] = 5 } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		uint32_t counts[GC_TRIGGER_COUNT] = { 0 };
		struct gc_cycles cycles;
		struct error err = { 0 };
		assert_true(gc_cycles_build(&cycles, trace, 0, trace->end_ns + 1, NULL, &err));
		for (size_t n = 0; n < cycles.count; n++)
			counts[cycles.items[n].trigger]++;
		assert_memory_equal(counts, rows[i].counts, sizeof counts);
		gc_cycles_release(&cycles);
		trace_free(trace);
	}
}

/* An assist over three phases counts in each, with all of the phase in the middle. */
static void
test_long_assist(void **state)
{
	static const struct report_options options = { .width_cells = 100,
		.limit = 3, .format = REPORT_AS_CSV };
	struct trace *trace = testing_load("gcheavy-go1.26");
	struct lane gc = { LANE_GC, 0 };
	struct span cycles[3];
	struct text out = { 0 };
	range_ref assist = 0;
	(void)state;
	assert_true(lane_next(trace, gc, 0, CLASS_MASK_ALL, &cycles[0]));
	for (int i = 1; i < 3; i++)
		assert_true(lane_after(trace, gc, &cycles[i - 1], &cycles[i]));
	for (range_ref ref = 0; ref < trace->ranges.count; ref++) {
		if (trace_range(trace, ref)->type == RANGE_MARK_ASSIST)
			assist = ref;
		if (trace_range(trace, ref)->type == RANGE_MARK_ASSIST ||
			trace_range(trace, ref)->type == RANGE_STW)
			trace_range(trace, ref)->start_ns = trace_range(trace, ref)->end_ns =
				trace->end_ns;
	}
	trace_range(trace, assist)->start_ns = cycles[0].end_ns - 5;
	trace_range(trace, assist)->end_ns = cycles[2].start_ns + 7;
	print(OF_GC, trace, &options, &out);
	size_t lines;
	assert_true((int64_t)sum_column(&out, 8, &lines) ==
		    5 + (cycles[1].end_ns - cycles[1].start_ns) + 7);
	assert_true((int64_t)sum_column(&out, 10, &lines) == 3);
	text_release(&out);
	trace_free(trace);
}

/*
 * What goes on as the trace begins is told by whoever starts it, and is not theirs: an assist is
 * its goroutine's, and nobody knows who began the mark phase. The times are added up from what Go's
 * own reader prints.
 */
static void
what_goes_on_already_is_not_whose_event_tells_of_it(void **state)
{
	static const struct {
		int64_t goroutine, assists_ns;
	} rows[] = { { 1, 1067456 }, { 6, 3614336 }, { 7, 1043072 }, { 8, 3565440 }, { 9, 4086592 },
		{ 10, 5067840 }, { 11, 3470784 }, { 12, 3755264 }, { 13, 2037504 }, { 14, 0 } };
	struct trace *trace = testing_load("midassist-go1.22");
	struct actor_times times;
	struct gc_cycles cycles;
	struct error err = { 0 };
	size_t seen = 0;
	int64_t all_ns = 0, assisting_ns = 0;
	(void)state;
	assert_true(actors_build(&times, trace,
		&(struct actors_scope){ .t1_ns = trace->end_ns }, &err));
	for (uint32_t row = 0; row < times.row_count; row++) {
		int64_t id = trace_actor(trace, times.rows[row].actor)->id;
		int64_t assists_ns = actors_time(&times, row, MEASURE_ASSIST);
		all_ns += assists_ns;
		assisting_ns += actors_time(&times, row, MEASURE_ASSISTING);
		for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
			seen += rows[i].goroutine == id;
			if (rows[i].goroutine == id && rows[i].assists_ns != assists_ns)
				fail_msg("G%" PRId64 " assists for %" PRId64 " ns, not %" PRId64, id,
					assists_ns, rows[i].assists_ns);
		}
	}
	assert_int_equal(seen, ARRAY_LENGTH(rows));
	assert_true(all_ns == 27708288 && assisting_ns == 5546304);
	assert_true(gc_cycles_build(&cycles, trace, 0, trace->end_ns + 1, NULL, &err));
	assert_int_equal(cycles.count, 3);
	assert_int_equal(gc_cycle_beginner(&cycles.items[0], trace), REF_NONE);
	assert_int_equal(trace_actor(trace, gc_cycle_beginner(&cycles.items[1], trace))->id, 9);
	assert_int_equal(trace_actor(trace, gc_cycle_beginner(&cycles.items[2], trace))->id, 13);
	assert_int_equal(cycles.items[0].cut, GC_CUT_BEGIN);
	assert_true(cycles.items[0].sweep_term_ns == -1 && cycles.items[0].mark_term_ns == 10240);
	assert_true(cycles.items[0].stops_ns == 10240); /* without that of who starts the trace */
	assert_int_equal(cycles.items[1].cut, 0);
	assert_int_equal(cycles.items[2].cut, GC_CUT_END);
	assert_true(cycles.items[2].sweep_term_ns == 72192 && cycles.items[2].mark_term_ns == -1);
	gc_cycles_release(&cycles);
	actors_release(&times);
	trace_free(trace);
}

/* ---- with a query */

static const char *const queries[] = { "dur>=0ns", "state=running", "name~main state=ready",
	"state=blocked | state=syscall", "name~gcBgMark", "state=running dur<5us", "g=0" };

/* What of the states of a goroutine that match lies in each part. */
static void
scan_parts(const struct trace *trace, actor_ref goroutine,
	const struct report_options *options, int parts, int64_t (*wanted_ns)[CLASS_COUNT])
{
	struct lane lane = { LANE_ACTOR, goroutine };
	struct span span;
	bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &span)) {
		if (!search_matches(options->only, span.segment, span.state))
			continue;
		for (int i = 0; i < parts; i++) {
			int64_t within_ns = span_within(&span,
				lane_edge(options->t0_ns, options->t1_ns, parts, i),
				lane_edge(options->t0_ns, options->t1_ns, parts, i + 1));
			wanted_ns[i][span.time_class] += within_ns > 0 ? within_ns : 0;
		}
	}
}

enum { FEW_PARTS = 7 };

static void
check_utilisation(const char *name, const struct trace *trace, struct report_options *options)
{
	int64_t wanted_ns[FEW_PARTS][CLASS_COUNT] = { 0 };
	struct text out = { 0 };
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		scan_parts(trace, i, options, FEW_PARTS, wanted_ns);
	options->limit = FEW_PARTS;
	print(OF_UTILISATION, trace, options, &out);
	const char *line = strchr(out.bytes, '\n') + 1;
	for (int i = 0; i < FEW_PARTS; i++, line = strchr(line, '\n') + 1) {
		double length_ns, seen[4];
		assert_int_equal(sscanf(line, "%*[^,],%lf,%*[^,],%lf,%lf,%lf,%lf", &length_ns,
					 &seen[0], &seen[1], &seen[2], &seen[3]),
			5);
		const int64_t wanted[] = {
			wanted_ns[i][CLASS_RUNNING] + wanted_ns[i][CLASS_WORKER],
			wanted_ns[i][CLASS_WORKER],
			wanted_ns[i][CLASS_READY],
			wanted_ns[i][CLASS_SYSCALL],
		};
		for (int n = 0; n < 4; n++) {
			double error = seen[n] - (double)wanted[n] / length_ns;
			if (error < -1e-8 * (seen[n] + 1e-9) || error > 1e-8 * (seen[n] + 1e-9))
				fail_msg("%s: %s, part %d: %.9g, not %.9g", name, options->query, i,
					seen[n], (double)wanted[n] / length_ns);
		}
	}
	text_release(&out);
}

/* The rows are those ranges; returns how many. */
static size_t
check_rows(enum report_kind kind, enum range_type type, const struct trace *trace,
	const struct report_options *options)
{
	struct text out = { 0 };
	size_t lines, wanted = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t end_ns = trace_range_end_ns(trace, range);
		wanted += range->type == type && range->start_ns < options->t1_ns &&
			  end_ns > options->t0_ns &&
			  testing_finds(trace, options->only, range_actor(range), range->start_ns, end_ns);
	}
	print(kind, trace, options, &out);
	sum_column(&out, 0, &lines);
	text_release(&out);
	if (lines != wanted)
		fail_msg("%s: %zu ranges of type %d, not %zu", options->query, lines, (int)type,
			wanted);
	return wanted;
}

static void
test_queries(void **state)
{
	static const char *const traces[] = { "gcheavy-go1.26", "gcheavy-go1.19",
		"httpserver-go1.22", "troubles/gcback" };
	size_t found = 0;
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(traces) * ARRAY_LENGTH(queries) * 2; i++) {
		struct trace *trace = testing_load(traces[i / 2 % ARRAY_LENGTH(traces)]);
		struct error note = { 0 };
		struct report_options options = { .width_cells = 100,
			.format = REPORT_AS_CSV,
			.query = queries[i / 2 / ARRAY_LENGTH(traces)],
			.has_interval = true,
			.t0_ns = i % 2 == 0 ? 0 : trace->end_ns / 3,
			.t1_ns = i % 2 == 0 ? trace->end_ns : trace->end_ns / 2 };
		options.only = search_new(trace, options.query, &note);
		assert_non_null(options.only);
		check_utilisation(traces[i / 2 % ARRAY_LENGTH(traces)], trace, &options);
		options.limit = 0;
		found += check_rows(OF_GC, RANGE_GC_MARK, trace, &options);
		found += check_rows(OF_STW, RANGE_STW, trace, &options);
		search_free(options.only);
		trace_free(trace);
	}
	assert_true(found > 0);
}

/* [t0, t1) in cells, which may be more than it has nanoseconds. */
static void
check_cells(const struct class_times *times, const struct trace *trace,
	struct class_times_scope scope, int64_t t0_ns, int64_t t1_ns)
{
	enum { CELLS = 1000 };
	static int64_t filled_ns[CELLS][CLASS_COUNT], asked_ns[CELLS][CLASS_COUNT];
	struct error err = { 0 };
	scope.t0_ns = t0_ns;
	scope.t1_ns = t1_ns;
	for (int cells = 1; cells <= CELLS; cells *= 10) {
		memset(filled_ns, 0xff, sizeof filled_ns);
		class_times_cells(times, t0_ns, t1_ns, cells, asked_ns);
		assert_true(class_times_fill(trace, &scope, cells, filled_ns, &err));
		assert_memory_equal(filled_ns, asked_ns, (size_t)cells * sizeof *asked_ns);
	}
}

/* What is kept for any interval tells the same of one as what is filled in for that one. */
static void
intervals_agree(void **state)
{
	struct trace *trace = testing_load("gcheavy-go1.26");
	struct error err = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(queries); i++) {
		struct search *only = search_new(trace, queries[i], &err);
		struct class_times_scope scope = {
			CLASS_MASK_ALL, trace->start_ns, trace->end_ns, only, NULL
		};
		struct class_times times;
		assert_true(class_times_build(&times, trace, &scope, &err));
		check_cells(&times, trace, scope, trace->start_ns, trace->end_ns);
		check_cells(&times, trace, scope, trace->end_ns / 3, trace->end_ns / 2);
		check_cells(&times, trace, scope, trace->end_ns / 2, trace->end_ns / 2 + 300);
		class_times_release(&times);
		search_free(only);
	}
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_triggers),
		cmocka_unit_test(test_long_assist),
		cmocka_unit_test(what_goes_on_already_is_not_whose_event_tells_of_it),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(intervals_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
