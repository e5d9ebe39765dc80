/*
 * Dumps of ordered events against what Go prints: testdata/dump/NAME.go123.txt.gz is
 * `go tool trace -d=1` of Go 1.23, NAME.parsed.txt.gz `-d=parsed` of Go 1.26.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "dumptesting.h"
#include "gotrace_testing.h"
#include "oraclefile.h"
#include "parseddiff.h"
#include "tracetesting.h"

static const struct oracle_row {
	const char *name, *suffix;
	enum dumptest_form form;
} oracles[] = {
	{ "allocfree-go1.23", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "contention-go1.23", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "long-go1.22", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "seed-go122", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "tasks-go1.19", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "tasks-go1.23", ".go123.txt.gz", DUMPTEST_GO123 },
	{ "allocfree-go1.26", ".parsed.txt.gz", DUMPTEST_PARSED },
	{ "samples-go1.26", ".parsed.txt.gz", DUMPTEST_PARSED },
	{ "tasks-go1.26", ".parsed.txt.gz", DUMPTEST_PARSED },
};

static void
check_oracle(const struct oracle_row *row)
{
	struct dumptest got = { .form = row->form };
	struct text theirs = { 0 };
	struct parseddiff diff;
	char name[60];
	dumptest_file(&got, testing_path(row->name, ".trace"));
	assert_true(got.ok);
	assert_false(got.result.damage.count > 0);
	snprintf(name, sizeof(name), "dump/%s", row->name);
	assert_true(oraclefile_read(testing_path(name, row->suffix), &theirs));
	bool is_equal = parseddiff_compare(&diff, &got.text, &theirs);
	print_message("%s: %zu events, %zu runs in another order\n", row->name, diff.events,
		diff.differing_runs);
	if (!is_equal)
		fail_msg("%s: %s", row->name, diff.problem.bytes);
	parseddiff_release(&diff);
	text_release(&theirs);
	dumptest_release(&got);
}

static void
dumps_are_those_of_go(void **state)
{
	(void)state;
	if (!oraclefile_has_gzip())
		skip();
	for (size_t i = 0; i < ARRAY_LENGTH(oracles); i++)
		check_oracle(&oracles[i]);
}

/* ---- small traces */

/* The frequency, and no strings; the Sync goes by the time of the earliest batch. */
#define CLOCK(gen, time) BATCH(gen, NONE, time) "Frequency freq=1000000000\n"
#define NO_STRINGS(gen, time) BATCH(gen, NONE, time) "Strings\n"

#define HEADERS(p0, g1)                                                                            \
	"M=0 P=-1 G=-1 StateTransition Time=" p0 " ProcID=0 Undetermined->Running Reason=\"\"\n"   \
	"M=0 P=0 G=-1 StateTransition Time=" g1 " GoID=1 Undetermined->Running Reason=\"\"\n"

static const struct text_row {
	const char *name, *trace;
	enum dumptest_form form;
	const char *dump;
} text_rows[] = {
	{ "a creation without stacks has an empty stack all the same",
		GO22 BATCH("1", "0", "10") P0 G1
		"GoCreate dt=1 new_g=2 new_stack=0 stack=0\n" CLOCK("1", "10")
			NO_STRINGS("1", "10"),
		DUMPTEST_PARSED,
		"M=-1 P=-1 G=-1 Sync Time=10 N=1\n" HEADERS(
			"11", "12") "M=0 P=0 G=1 StateTransition Time=13 GoID=2 NotExist->Runnable "
				    "Reason=\"\"\n"
				    "TransitionStack=\n\n"
				    "M=-1 P=-1 G=-1 Sync Time=14 N=2\n" },
	{ "a sample without a stack has an empty one",
		GO22 BATCH("1", "0", "10") P0 CLOCK("1", "10") NO_STRINGS("1", "10")
			BATCH("1", NONE, "10") "CPUSamples\n"
					       "CPUSample time=15 m=7 p=0 g=9 stack=0\n",
		DUMPTEST_PARSED,
		"M=-1 P=-1 G=-1 Sync Time=10 N=1\n"
		"M=0 P=-1 G=-1 StateTransition Time=11 ProcID=0 Undetermined->Running Reason=\"\"\n"
		"M=7 P=0 G=9 StackSample Time=15\n"
		"Stack=\n\n"
		"M=-1 P=-1 G=-1 Sync Time=16 N=2\n" },
	{ "Go 1.23 has a Sync at the end of each generation",
		GO22 BATCH("1", "0", "10") P0 G1 CLOCK("1", "10") NO_STRINGS("1", "10")
			BATCH("2", "0", "12") P0 CLOCK("2", "12") NO_STRINGS("2", "12"),
		DUMPTEST_GO123,
		"M=0 P=-1 G=-1 StateTransition Time=11 Resource=Proc(0) Reason=\"\" ProcID=0 "
		"Undetermined->Running\n"
		"M=0 P=0 G=-1 StateTransition Time=12 Resource=Goroutine(1) Reason=\"\" GoID=1 "
		"Undetermined->Running\n"
		"M=-1 P=-1 G=-1 Sync Time=13\n"
		"M=0 P=0 G=1 StateTransition Time=14 Resource=Proc(0) Reason=\"\" ProcID=0 "
		"Running->Running\n"
		"M=-1 P=-1 G=-1 Sync Time=15\n" },
	{ "experimental events as Go 1.23 prints them",
		GO23 BATCH("1", "0", "10") P0 G1
		"SpanAlloc dt=1 id=5 npages_value=6 kindclass=7\n" CLOCK("1", "10")
			NO_STRINGS("1", "10"),
		DUMPTEST_GO123,
		"M=0 P=-1 G=-1 StateTransition Time=11 Resource=Proc(0) Reason=\"\" ProcID=0 "
		"Undetermined->Running\n"
		"M=0 P=0 G=-1 StateTransition Time=12 Resource=Goroutine(1) Reason=\"\" GoID=1 "
		"Undetermined->Running\n"
		"M=0 P=0 G=1 Experimental Time=13 Name=SpanAlloc "
		"ArgNames=[id npages_value kindclass] Args=[5 6 7]\n"
		"M=-1 P=-1 G=-1 Sync Time=14\n" },
	{ "a status with a stack has it twice, but in Go 1.23",
		GO23 BATCH("1", "0",
			"10") "GoStatusStack dt=1 g=2 m=" NONE
			      " gstatus=4 stack=1\n" CLOCK("1", "10") BATCH("1", NONE,
				      "10") "Strings\nString id=1\n\tdata=\"f\"\nString "
					    "id=2\n\tdata=\"p/f.go\"\n" BATCH("1", NONE,
						    "10") "Stacks\nStack id=1 nframes=1\n\tpc=255 "
							  "func=1 file=2 line=3\n",
		DUMPTEST_PARSED,
		"M=-1 P=-1 G=-1 Sync Time=10 N=1\n"
		"M=0 P=-1 G=-1 StateTransition Time=11 GoID=2 Undetermined->Waiting Reason=\"\"\n"
		"TransitionStack=\n\tf @ 0xff\n\t\tp/f.go:3\n\n"
		"Stack=\n\tf @ 0xff\n\t\tp/f.go:3\n\n"
		"M=-1 P=-1 G=-1 Sync Time=12 N=2\n" },
};

static void
small_traces(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(text_rows); i++) {
		struct dumptest got = { .form = text_rows[i].form };
		dumptest_text(&got, text_rows[i].trace);
		if (!got.ok || strcmp(got.text.bytes, text_rows[i].dump) != 0)
			fail_msg("%s: %s\n%sshould be\n%s", text_rows[i].name, got.err.message,
				got.text.bytes, text_rows[i].dump);
		dumptest_release(&got);
	}
}

/* ---- intervals and damage */

#define FIVE_EVENTS                                                                                \
	GO22 BATCH("1", "0", "100") P0 G1                                                          \
		"HeapAlloc dt=8 heapalloc_value=1\n"                                               \
		"HeapAlloc dt=10 heapalloc_value=2\nHeapAlloc dt=10 heapalloc_value=3\n" CLOCK(    \
			"1", "100") NO_STRINGS("1", "100")

static const struct interval_row {
	struct dump_interval interval;
	const char *times; /* of what is dumped */
} interval_rows[] = {
	{ { 0 }, "100 101 102 110 120 130 131 " },
	{ { .has_from = true, .from_ns = 10 }, "110 120 130 131 " },
	{ { .has_to = true, .to_ns = 20 }, "100 101 102 110 " },
	{ { .has_from = true, .from_ns = 2, .has_to = true, .to_ns = 21 }, "102 110 120 " },
	{ { .has_from = true, .from_ns = 31, .has_to = true, .to_ns = 32 }, "131 " },
	{ { .has_from = true, .from_ns = 1000 }, "" },
};

static void
add_times(const struct text *dump, struct text *times)
{
	static const char label[] = " Time=";
	const char *at = dump->bytes;
	while (at != NULL && (at = strstr(at, label)) != NULL) {
		at += sizeof(label) - 1;
		text_format(times, "%lld ", strtoll(at, NULL, 10));
	}
}

static void
an_interval_has_its_start_and_not_its_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(interval_rows); i++) {
		struct dumptest got = { .interval = interval_rows[i].interval };
		struct text times = { 0 };
		text_add_string(&times, "");
		dumptest_text(&got, FIVE_EVENTS);
		assert_true(got.ok);
		add_times(&got.text, &times);
		assert_string_equal(times.bytes, interval_rows[i].times);
		text_release(&times);
		dumptest_release(&got);
	}
}

static void
a_damaged_trace_is_dumped_up_to_the_damage(void **state)
{
	(void)state;
	struct dumptest got = { 0 };
	dumptest_text(&got, GO22 BATCH("1", "0", "10") P0
		"GoStop dt=1 reason_string=0 stack=0\n" CLOCK("1", "10") NO_STRINGS("1", "10"));
	assert_true(got.ok);
	assert_true(got.result.damage.count > 0);
	assert_non_null(strstr(got.result.damage.rows[0].first.message, "expected a goroutine"));
	assert_string_equal(got.text.bytes, "M=-1 P=-1 G=-1 Sync Time=10 N=1\n"
					    "M=0 P=-1 G=-1 StateTransition Time=11 ProcID=0 "
					    "Undetermined->Running Reason=\"\"\n");
	dumptest_release(&got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dumps_are_those_of_go),
		cmocka_unit_test(small_traces),
		cmocka_unit_test(an_interval_has_its_start_and_not_its_end),
		cmocka_unit_test(a_damaged_trace_is_dumped_up_to_the_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
