/*
 * Batches, generations and tables: doc/format/go-trace-v2.md, sections 1 to 4
 * and 7, and the Syncs of doc/format/go-trace-semantics.md, section 6.
 */

#include "base/compiler.h"
#include "gotrace_testing.h"

#define BEGIN22 GO22 FREQ("1")
#define TABLE(gen) BATCH(gen, NONE, "0")

static const struct trace_row batches[] = {
	{ "nothing behind the header", GO22, "no frequency event found", "" },
	{ "nothing behind the header, 1.26", GO26, NULL, "" },
	{ "another event where a batch is due", GO22 "GoStart dt=1 g=1 g_seq=1\n",
	  "expected batch event, got event 16", "" },
	{ "generation 0", GO22 BATCH("0", "0", "0"), "invalid generation number 0", "" },
	{ "generation 0, 1.26", GO26 BATCH("0", "0", "0"), "invalid generation number 0", "" },
	{ "a batch that is too large", GO22 "EventBatch gen=1 m=0 time=0 size=65537\n",
	  "invalid batch size 65537, maximum is 65536", "" },
	{ "a batch that is far too large", GO22 "EventBatch gen=1 m=0 time=0 size=" NONE "\n",
	  "invalid batch size 18446744073709551615, maximum is 65536", "" },
	{ "empty batches", BEGIN22 BATCH("1", "0", "0") BATCH("1", "0", "1") P0
	  BATCH("1", "0", "2") BATCH("1", "0", "3") P0 BATCH("1", "1", "0"), NULL,
	  P0_EVENT "0/0/- p0 Running->Running\n" },
	{ "any first generation", GO22 FREQ("7") BATCH("7", "0", "0") P0 FREQ("8")
	  BATCH("8", "0", "9") P0, NULL, P0_EVENT "0/0/- p0 Running->Running\n" },
	{ "a generation left out", BEGIN22 BATCH("1", "0", "0") P0 FREQ("3"),
	  "generations out of order", "" },
	{ "a generation come too late", BEGIN22 BATCH("1", "0", "0") P0 FREQ("2")
	  BATCH("1", "0", "0"), "generations out of order", P0_EVENT },
	{ "an event cut off by its batch", BEGIN22 "EventBatch gen=1 m=0 time=0 size=2\n" P0
	  , "a number goes past the end of its batch", "" },
	{ "an unknown event", BEGIN22 "EventBatch gen=1 m=0 time=0 size=1\n"
	  "EndOfGeneration\n", "found event without a timestamp", "" },
	{ "a bad later event, and the one before it", BEGIN22
	  "EventBatch gen=1 m=0 time=0 size=7\nProcStatus dt=1 p=0 pstatus=1\n" "ProcStop dt=1\n"
	  "Strings\n", "found event without a timestamp", P0_EVENT },
	{ "experiment 0 is none", GO23 FREQ("1")
	  "ExperimentalBatch exp=0 gen=1 m=0 time=0\n\tdata=\"\\x0d\\x01\\x00\\x01\"\n", NULL,
	  P0_EVENT },
	{ "an unknown experiment", GO23 FREQ("1")
	  "ExperimentalBatch exp=9 gen=1 m=0 time=0\n\tdata=\"\\x0d\\x01\\x00\\x01\"\n"
	  BATCH("1", "0", "0") P0, NULL, P0_EVENT },
};

static const struct trace_row versions[] = {
	{ "1.26: two generations", GO26 SYNC("1") BATCH("1", "0", "0") P0 "EndOfGeneration\n"
	  SYNC("2") BATCH("2", "0", "9") P0 "EndOfGeneration\n", NULL,
	  P0_EVENT "0/0/- p0 Running->Running\n" },
	{ "1.26: numbers need not follow each other", GO26 SYNC("4") BATCH("4", "0", "0") P0
	  "EndOfGeneration\n" SYNC("9") BATCH("9", "0", "9") P0 "EndOfGeneration\n", NULL, NULL },
	{ "1.26: no end", GO26 SYNC("1") BATCH("1", "0", "0") P0 "EndOfGeneration\n"
	  SYNC("2") BATCH("2", "0", "9") P0,
	  "incomplete generation found; trace likely truncated", P0_EVENT },
	{ "1.26: no end, but nothing missing", GO26 SYNC("1") BATCH("1", "0", "0") P0
	  "EndOfGeneration\n" SYNC("2"), NULL, P0_EVENT },
	{ "1.26: two generations without an end between", GO26 SYNC("1") BATCH("1", "0", "0") P0
	  SYNC("2"), "missing end-of-generation event, or generations are interleaved", "" },
	{ "1.26: an empty generation", GO26 "EndOfGeneration\n", "no frequency event found", "" },
	{ "1.25: no clock snapshot", GO25 BATCH("1", NONE, "0") "Sync\nFrequency freq=1\n",
	  "no clock snapshot event found", "" },
	{ "1.25: two clock snapshots", GO25 SYNC("1") BATCH("1", NONE, "0")
	  "Sync\nClockSnapshot dt=1 mono=2 sec=3 nsec=4\n",
	  "found multiple clock snapshot events", "" },
	{ "1.25: frequency and clock in two batches", GO25 BATCH("1", NONE, "0") "Sync\n"
	  "Frequency freq=1000000000\n" BATCH("1", "0", "0") P0 BATCH("1", NONE, "0")
	  "Sync\nClockSnapshot dt=1 mono=2 sec=3 nsec=4\n", NULL, P0_EVENT },
	{ "1.25: a lone frequency is no sync batch", GO25 FREQ("1") SYNC("1"),
	  "found event without a timestamp", "" },
	{ "1.23: a sync batch", GO23 SYNC("1") FREQ("1"), "found event without a timestamp", "" },
	{ "1.22: no frequency", GO22 BATCH("1", "0", "0") P0, "no frequency event found", "" },
	{ "1.22: two frequencies", GO22 FREQ("1") FREQ("1"), "found multiple frequency events",
	  "" },
	{ "1.22: two frequencies in one batch", GO22 TABLE("1") "Frequency freq=1\n"
	  "Frequency freq=2\n", "found multiple frequency events", "" },
	{ "1.22: a clock snapshot", GO22 TABLE("1") "Frequency freq=1\n"
	  "ClockSnapshot dt=1 mono=2 sec=3 nsec=4\n",
	  "expected frequency or clock snapshot event, got 51", "" },
	{ "1.25: something else in a sync batch", GO25 TABLE("1") "Sync\nGoDestroy dt=1\n",
	  "expected frequency or clock snapshot event, got 17", "" },
	{ "a frequency of zero", GO22 TABLE("1") "Frequency freq=0\n", "invalid frequency 0", "" },
	{ "1.22 takes the events of later versions", GO22 FREQ("1") BATCH("1", "0", "0") P0
	  "GoStatusStack dt=1 g=1 m=0 gstatus=2 stack=0\n"
	  "GoCreateBlocked dt=1 new_g=2 new_stack=0 stack=0\n", NULL,
	  P0_EVENT G1_EVENT "0/0/1 g2 NotExist->Waiting\n" },
};

#define STRING(id, text) "String id=" id "\n\tdata=\"" text "\"\n"
#define STACK(id, pc, func, file) \
	"Stack id=" id " nframes=1\n\tpc=" pc " func=" func " file=" file " line=7\n"

static const struct trace_row tables[] = {
	{ "empty tables", BEGIN22 TABLE("1") "Strings\n" TABLE("1") "Stacks\n" TABLE("1")
	  "CPUSamples\n", NULL, "" },
	{ "a string twice", BEGIN22 TABLE("1") "Strings\n" STRING("4", "a") STRING("4", "a"),
	  "duplicate string ID 4", "" },
	{ "a string with id 0", BEGIN22 TABLE("1") "Strings\n" STRING("0", ""),
	  "duplicate string ID 0", "" },
	{ "a string in the next generation again", BEGIN22 TABLE("1") "Strings\n"
	  STRING("4", "a") FREQ("2") TABLE("2") "Strings\n" STRING("4", "b"), NULL, "" },
	{ "no string where one is due", BEGIN22 TABLE("1") "Strings\nStacks\n",
	  "expected String event, got event 2", "" },
	{ "no stack where one is due", BEGIN22 TABLE("1") "Stacks\nStrings\n",
	  "expected Stack event, got event 4", "" },
	{ "no sample where one is due", BEGIN22 TABLE("1") "CPUSamples\nStrings\n",
	  "expected CPUSample event, got event 4", "" },
	{ "a stack twice", BEGIN22 TABLE("1") "Stacks\n" STACK("3", "1", "0", "0")
	  STACK("3", "1", "0", "0"), "duplicate stack ID 3", "" },
	{ "a stack that is too deep", BEGIN22 TABLE("1") "Stacks\nStack id=3 nframes=129\n",
	  "invalid stack size 129, maximum is 128", "" },
	{ "a stack cut off by its batch", BEGIN22 TABLE("1") "Stacks\nStack id=3 nframes=128\n",
	  "a number goes past the end of its batch", "" },
	{ "a function without a name", BEGIN22 TABLE("1") "Stacks\n" STACK("3", "1", "5", "0"),
	  "found invalid func string ID 5", "" },
	{ "a file without a name", BEGIN22 TABLE("1") "Stacks\n" STACK("3", "1", "0", "6"),
	  "found invalid file string ID 6", "" },
	{ "names that come after the stack", BEGIN22 TABLE("1") "Stacks\n"
	  STACK("3", "1", "5", "0") TABLE("1") "Strings\n" STRING("5", "f"), NULL, "" },
	{ "another frame of the same pc does not count", BEGIN22 TABLE("1") "Stacks\n"
	  STACK("3", "1", "0", "0") STACK("4", "1", "77", "0"), NULL, "" },
	{ "a sample without its stack", BEGIN22 TABLE("1")
	  "CPUSamples\nCPUSample time=5 m=1 p=" NONE " g=0 stack=9\n", NULL, "1/-/- Sample\n" },
	{ "samples by time among events", BEGIN22 BATCH("1", "0", "10") P0 P0 TABLE("1")
	  "CPUSamples\nCPUSample time=12 m=3 p=3 g=3 stack=0\n"
	  "CPUSample time=11 m=1 p=1 g=1 stack=0\nCPUSample time=99 m=4 p=4 g=4 stack=0\n"
	  "CPUSample time=10 m=2 p=2 g=2 stack=0\n", NULL,
	  "2/2/2 Sample\n" P0_EVENT "1/1/1 Sample\n0/0/- p0 Running->Running\n3/3/3 Sample\n"
	  "4/4/4 Sample\n" },
	{ "problems in the order of the file", GO22 TABLE("1") "Strings\n" STRING("0", "")
	  FREQ("3"), "duplicate string ID 0", "" },
};

static void
test_batches(void **state)
{
	(void)state;
	check_trace_rows(batches, ARRAY_LENGTH(batches));
}

static void
test_versions(void **state)
{
	(void)state;
	check_trace_rows(versions, ARRAY_LENGTH(versions));
}

static void
test_tables(void **state)
{
	(void)state;
	check_trace_rows(tables, ARRAY_LENGTH(tables));
}

static void
test_headers(void **state)
{
	static const struct {
		const char *header, *problem;
	} rows[] = {
		{ "go 1.22 trace\0\0\0", "no frequency event found" },
		{ "go 1.26 trace\0\0\0", NULL },
		{ "go 1.24 trace\0\0\0", "unknown or unsupported trace version go 1.24" },
		{ "go 1.27 trace\0\0\0", "unknown or unsupported trace version go 1.27" },
		{ "go 1.5 trace\0\0\0\0", "unsupported trace version go 1.5" },
		{ "go 1.10 trace\0\0\0", "traces of Go 1.11 and later can be read" },
		{ "go 1.19 trace\0\0\0", "no frequency event found" },
		{ "go 1.20 trace\0\0\0", "unknown or unsupported trace version go 1.20" },
		{ "go 1.222 trace\0\0", "bad file format: not a Go execution trace?" },
		{ "go 1. trace\0\0\0\0\0", "bad file format: not a Go execution trace?" },
		{ "go 1.22 trace\0\0 ", "bad file format: not a Go execution trace?" },
		{ "go 1.22 traces\0\0", "bad file format: not a Go execution trace?" },
		{ "go 2.22 trace\0\0\0", "bad file format: not a Go execution trace?" },
		{ "\1\2\3\4 1.22 trace", "bad file format: not a Go execution trace?" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct readtrace got = { 0 };
		readtrace_bytes(&got, rows[i].header, 16);
		assert_int_equal(got.ok, rows[i].problem == NULL);
		if (rows[i].problem != NULL)
			assert_non_null(strstr(readtrace_problem(&got), rows[i].problem));
		readtrace_release(&got);
	}
	for (size_t size = 1; size < 16; size++) {
		struct readtrace got = { 0 };
		readtrace_bytes(&got, rows[0].header, size);
		assert_false(got.ok);
		assert_string_equal(readtrace_problem(&got),
		                    "bad file format: not a Go execution trace?");
		readtrace_release(&got);
	}
}

static void
check_syncs(const struct readtrace *got, const int64_t *times, size_t count)
{
	assert_int_equal(got->sync_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(got->syncs[i].time_ns, times[i]);
		assert_int_equal(got->syncs[i].u.sync.number, i + 1);
		assert_int_equal(got->syncs[i].m, GO_ID_NONE);
	}
}

/* A Sync opens each generation at its least batch time, and one ends the trace. */
static void
test_syncs(void **state)
{
	static const int64_t times[] = { 4, 61, 110, 123 };
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO23
		BATCH("3", NONE, "9") "Frequency freq=1000000000\n" BATCH("3", "0", "50") P0
		BATCH("3", NONE, "4") "Strings\n" BATCH("3", NONE, "60") "Stacks\n"
		BATCH("4", NONE, "61") "Frequency freq=1000000000\n"
		BATCH("5", NONE, "60") "Frequency freq=500000000\n" BATCH("5", "0", "60") P0
		BATCH("5", NONE, "55") "Strings\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.result.generations, 3);
	assert_int_equal(got.generation_count, 3);
	assert_int_equal(got.result.first_generation, 3);
	check_syncs(&got, times, ARRAY_LENGTH(times));
	assert_int_equal(got.syncs[1].u.sync.generation, 4);
	assert_int_equal(got.syncs[3].u.sync.generation, 0);
	readtrace_release(&got);
}

static void
test_clocks(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO25 BATCH("1", NONE, "100")
		"Sync\nFrequency freq=500000000\nClockSnapshot dt=3 mono=99 sec=1740755049 nsec=123\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.sync_count, 2);
	assert_true(got.syncs[0].u.sync.has_clock);
	assert_int_equal(got.syncs[0].time_ns, 200);
	assert_int_equal(got.syncs[0].u.sync.clock_trace_ns, 206);
	assert_int_equal(got.syncs[0].u.sync.clock_mono_ns, 99);
	assert_int_equal(got.syncs[0].u.sync.clock_wall_s, 1740755049);
	assert_int_equal(got.syncs[0].u.sync.clock_wall_ns, 123);
	assert_false(got.syncs[1].u.sync.has_clock);
	readtrace_release(&got);
}

/* Broken clocks and numbers beyond all time neither overflow nor stop the order. */
static void
test_times(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO22 TABLE("1") "Frequency freq=1\n" BATCH("1", "0", NONE)
		"ProcStatus dt=" NONE " p=0 pstatus=1\n" P0 P0
		"ProcStatus dt=0 p=0 pstatus=1\n" TABLE("1")
		"CPUSamples\nCPUSample time=" NONE " m=0 p=0 g=0 stack=0\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.event_count, 7);
	assert_false(got.is_out_of_order);
	/*
	 * What is beyond all time counts as 0. Two deltas of a second are left, each a
	 * nanosecond short by the arithmetic of section 6.1, and two events behind.
	 */
	assert_int_equal(got.last_time_ns, 2 * 999999999 + 2);
	readtrace_release(&got);

	/* Many large steps stop at the largest time. */
	readtrace_text(&got, GO22 FREQ("1") BATCH("1", "0", "4611686018427380000")
		"ProcStatus dt=4611686018427380000 p=0 pstatus=1\n"
		"ProcStatus dt=4611686018427380000 p=0 pstatus=1\n" P0);
	assert_string_equal(readtrace_problem(&got), "");
	assert_false(got.is_out_of_order);
	assert_true(got.last_time_ns > INT64_MAX / 2 && got.last_time_ns < INT64_MAX / 2 + 10);
	readtrace_release(&got);

	/* Deltas are cut to whole nanoseconds one by one. */
	readtrace_text(&got, GO22 TABLE("1") "Frequency freq=3000000000\n" BATCH("1", "0", "3000")
		"ProcStatus dt=5 p=0 pstatus=1\nProcStatus dt=5 p=0 pstatus=1\n");
	assert_int_equal(got.last_time_ns, 1003);
	readtrace_release(&got);
}

static void
test_experiments_are_counted(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO23 FREQ("1")
		"ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"abc\"\n"
		"ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"\"\n"
		"ExperimentalBatch exp=100 gen=1 m=0 time=0\n\tdata=\"de\"\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.result.experimental_batches, 3);
	assert_int_equal(got.result.experimental_bytes, 5);
	readtrace_release(&got);
}

static void
test_counts(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO22 FREQ("1") BATCH("1", "0", "0") P0 G1
		"GoCreateBlocked dt=1 new_g=2 new_stack=0 stack=0\nGoSwitch dt=1 g=2 g_seq=1\n"
		TABLE("1") "CPUSamples\nCPUSample time=9 m=1 p=1 g=1 stack=0\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.result.go_minor, 22);
	assert_int_equal(got.result.wire_events, 5);
	assert_int_equal(got.result.event_counts[45], 1);
	assert_int_equal(got.result.event_counts[13], 1);
	assert_int_equal(got.result.event_counts[7], 1);
	assert_int_equal(got.result.events, 9);
	readtrace_release(&got);
}

static void
test_hostile_ids(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO22 FREQ("1") BATCH("1", "18446744073709551614", "0")
		"ProcStatus dt=1 p=9223372036854775808 pstatus=1\n"
		"GoStatus dt=1 g=18446744073709551614 m=0 gstatus=2\n"
		"GoCreate dt=1 new_g=9223372036854775807 new_stack=0 stack=0\n"
		"GoStatus dt=1 g=" NONE " m=0 gstatus=1\n");
	assert_string_equal(readtrace_problem(&got), "");
	assert_int_equal(got.event_count, 6);
	readtrace_release(&got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_experiments_are_counted),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_hostile_ids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
