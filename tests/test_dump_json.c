/*
 * The viewer's JSON against what Go's viewer answers: testdata/dump/NAME.jsontrace*.json.gz
 * is of Go 1.23.5. With TTRACE_ORACLES=DIRECTORY also against all DIRECTORY/NAME.oracle/
 * jsontrace*.json.gz, of the traces DIRECTORY/NAME.trace.
 */
#define _XOPEN_SOURCE 700
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/thread.h"
#include "dump/json_text.h"
#include "dumptesting.h"
#include "gotrace_testing.h"
#include "jsondiff.h"
#include "oraclefile.h"
#include "tracetesting.h"

/* ---- against Go */

/* What a file's name says behind "jsontrace". */
static const struct view_row {
	const char *word;
	enum dump_json_view view;
} view_rows[] = {
	{ "-thread", DUMP_JSON_THREAD },
	{ "-goid", DUMP_JSON_GOROUTINE },
	{ "-taskid", DUMP_JSON_TASK },
	{ "-focustask", DUMP_JSON_FOCUSTASK },
	{ "", DUMP_JSON_PROC },
};

static void
read_view(const char *word, struct dumptest *test)
{
	test->form = DUMPTEST_JSON;
	for (size_t i = 0; i < ARRAY_LENGTH(view_rows); i++) {
		size_t length = strlen(view_rows[i].word);
		if (strncmp(word, view_rows[i].word, length) != 0)
			continue;
		test->view = view_rows[i].view;
		test->id = strtoll(word + length, NULL, 10);
		return;
	}
}

static void
check_answer(const char *oracle, const char *trace, const char *word)
{
	struct dumptest got = { 0 };
	struct text theirs = { 0 };
	struct jsondiff diff;
	read_view(word, &got);
	dumptest_file(&got, trace);
	if (!got.ok || got.result.damage.count > 0)
		fail_msg("%s: %s", oracle, got.err.message);
	assert_true(oraclefile_read(oracle, &theirs));
	if (!jsondiff_compare(&diff, &got.text, &theirs, 0))
		fail_msg("%s: only ours %zu, only theirs %zu\n%s", oracle, diff.ours, diff.theirs,
			diff.problem.bytes);
	assert_true(diff.events > 0);
	jsondiff_release(&diff);
	text_release(&theirs);
	dumptest_release(&got);
}

/* Each DIRECTORY/NAME, separator, jsontraceVIEW.json.gz; its trace is TRACES/NAME.trace. */
static void
check_answers(const char *directory, const char *separator, const char *traces)
{
	struct text pattern = { 0 }, trace = { 0 };
	glob_t found;
	text_format(&pattern, "%s/*%sjsontrace*.json.gz", directory, separator);
	assert_int_equal(glob(pattern.bytes, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = found.gl_pathv[i] + strlen(directory) + 1;
		const char *word = strstr(name, "jsontrace");
		size_t length = (size_t)(word - name) - strlen(separator);
		text_clear(&trace);
		text_format(&trace, "%s/%.*s.trace", traces, (int)length, name);
		check_answer(found.gl_pathv[i], trace.bytes, word + strlen("jsontrace"));
	}
	print_message("%zu answers of %s\n", found.gl_pathc, directory);
	globfree(&found);
	text_release(&pattern);
	text_release(&trace);
}

static void
answers_are_those_of_go(void **state)
{
	(void)state;
	if (!oraclefile_has_gzip())
		skip();
	char traces[4096], directory[4096 + 8];
	snprintf(traces, sizeof(traces), "%s", testing_path("", ""));
	snprintf(directory, sizeof(directory), "%sdump", traces);
	check_answers(directory, ".", traces);
}

static void
other_answers_are_those_of_go(void **state)
{
	(void)state;
	const char *directory = getenv("TTRACE_ORACLES");
	if (directory == NULL)
		skip();
	check_answers(directory, ".oracle/", directory);
}

/* ---- text */

static const struct {
	const char *bytes, *json;
} string_rows[] = {
	{ "main.main.func1", "main.main.func1" }, { "\"quoted\\\"", "\\\"quoted\\\\\\\"" },
	{ "\b\f\n\r\t\v\x1b[1m\x7f", "\\b\\f\\n\\r\\t\\u000b\\u001b[1m\\u007f" },
	{ "<b>&amp;'", "\\u003cb\\u003e\\u0026amp;'" },
	/* What Go leaves as it is, and a terminal may obey: all that is not ASCII, in some locale. */
	{ "\u8d70\u308b \U0001f600", "\\u8d70\\u308b \\ud83d\\ude00" },
	{ "\u202e|\xc2\x9b|\U000e0041", "\\u202e|\\u009b|\\udb40\\udc41" },
	{ "\u2028|\u2029", "\\u2028|\\u2029" },
	{ "\xff\xc0\xaf|\xe2\x82", "\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd" },
	{ "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" }, /* half of a surrogate pair */
};

static const struct {
	int64_t time_ns;
	const char *json;
} time_rows[] = {
	{ 0, "0" },
	{ 1, "0.001" },
	{ 120, "0.12" },
	{ 1000, "1" },
	{ 1234500, "1234.5" },
	{ 1000001, "1000.001" },
	{ -1500, "-1.5" },
	{ INT64_MAX, "9223372036854775.807" },
	{ INT64_MIN, "-9223372036854775.808" },
};

static void
strings_and_times_are_those_of_go(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct writer out;
	struct error err = { 0 };
	assert_true(writer_init(&out, dumptest_collect, &text, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(string_rows); i++) {
		json_escaped(&out, string_rows[i].bytes, strlen(string_rows[i].bytes));
		dumptest_check_written(&out, string_rows[i].json);
	}
	json_escaped(&out, "a\0b", 3);
	dumptest_check_written(&out, "a\\u0000b");
	for (size_t i = 0; i < ARRAY_LENGTH(time_rows); i++) {
		json_micros(&out, time_rows[i].time_ns);
		dumptest_check_written(&out, time_rows[i].json);
	}
	writer_release(&out);
	text_release(&text);
}

/* ---- small traces */

#define CLOCK(gen, time) BATCH(gen, NONE, time) "Frequency freq=1000000000\n"
#define STRING(id, data) "String id=" id "\n\tdata=\"" data "\"\n"

#define SMALL                                                                                      \
	GO22 BATCH("1", "0", "1000") P0 G1                                                         \
		"HeapAlloc dt=998 heapalloc_value=7\n"                                             \
		"UserLog dt=1000 task=0 key_string=1 value_string=2 stack=0\n"                     \
		"GoStop dt=1000 reason_string=0 stack=0\n" CLOCK("1", "1000")                      \
			BATCH("1", NONE, "1000") "Strings\n" STRING("1", "a") STRING("2", "b")

#define HEAD "{\"displayTimeUnit\":\"ns\"\n,\"traceEvents\":["
#define META(name, tid, key, value)                                                                \
	",{\"name\":\"" name "\",\"ph\":\"M\",\"ts\":0,\"pid\":0,\"tid\":" tid ",\"args\":{\"" key \
	"\":" value "}}\n"
#define LANE(tid, name, place)                                                                     \
	META("thread_name", tid, "name", "\"" name "\"")                                           \
	META("thread_sort_index", tid, "sort_index", place)
#define TAIL                                                                                       \
	",{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":0,\"pid\":1,\"tid\":0,\"args\":{"         \
	"\"name\":\"STATS\"}}\n"                                                                   \
	",{\"name\":\"process_sort_index\",\"ph\":\"M\",\"ts\":0,\"pid\":1,\"tid\":0,\"args\":{"   \
	"\"sort_index\":0}}\n" META("process_name", "0", "name", "\"PROCS\"")                      \
		META("process_sort_index", "0", "sort_index", "2") LANE("1000004", "GC", "-6")     \
			LANE("1000002", "Network", "-5") LANE("1000001", "Timers", "-4")           \
				LANE("1000003", "Syscalls", "-3") LANE("0", "Proc 0", "0")
#define END "]\n,\"stackFrames\":{}\n}\n"

#define START                                                                                      \
	"{\"name\":\"proc start\",\"ph\":\"I\",\"s\":\"t\",\"ts\":0,\"pid\":0,\"tid\":0,"          \
	"\"args\":{\"ThreadID\":0}}\n"                                                             \
	",{\"name\":\"Threads\",\"ph\":\"C\",\"ts\":0,\"pid\":1,\"tid\":0,\"args\":{"              \
	"\"Running\":1,\"InSyscall\":0}}\n"                                                        \
	",{\"name\":\"Goroutines\",\"ph\":\"C\",\"ts\":0.001,\"pid\":1,\"tid\":0,\"args\":{"       \
	"\"Running\":1,\"Runnable\":0,\"GCWaiting\":0}}\n,"
#define HEAP                                                                                       \
	"{\"name\":\"Heap\",\"ph\":\"C\",\"ts\":0.999,\"pid\":1,\"tid\":0,\"args\":{"              \
	"\"Allocated\":7,\"NextGC\":0}}\n"
#define LOG                                                                                        \
	"{\"name\":\"[a] b\",\"ph\":\"I\",\"s\":\"t\",\"ts\":1.999,\"pid\":0,\"tid\":0,"           \
	"\"cat\":\"user event\"}\n"
#define RUN "{\"name\":\"G1\",\"ph\":\"X\",\"ts\":0,\"dur\":2.999,\"pid\":0,\"tid\":0}\n"
#define READY                                                                                      \
	",{\"name\":\"Goroutines\",\"ph\":\"C\",\"ts\":2.999,\"pid\":1,\"tid\":0,\"args\":{"       \
	"\"Running\":0,\"Runnable\":1,\"GCWaiting\":0}}\n"

/* From and to count from where the trace starts, one nanosecond before the first event. */
static const struct {
	struct dump_interval interval;
	const char *json;
} interval_rows[] = {
	{ { 0 }, HEAD START HEAP "," LOG "," RUN READY TAIL END },
	{ { .has_from = true, .from_ns = 2001 }, HEAD RUN READY TAIL END },
	{ { .has_from = true, .from_ns = 500, .has_to = true, .to_ns = 2001 },
		HEAD HEAP "," LOG TAIL END },
	{ { .has_from = true, .from_ns = 500, .has_to = true, .to_ns = 2000 }, HEAD HEAP TAIL END },
};

/* Events stand on lines of their own; where a line ends says nothing. */
static void
drop_newlines(const char *json, struct text *out)
{
	text_clear(out);
	for (; *json != '\0'; json++) {
		if (*json != '\n')
			text_add(out, json, 1);
	}
}

static void
an_interval_has_its_start_and_not_its_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(interval_rows); i++) {
		struct dumptest got = {
			.form = DUMPTEST_JSON,
			.interval = interval_rows[i].interval,
		};
		struct text ours = { 0 }, wanted = { 0 };
		dumptest_text(&got, SMALL);
		assert_true(got.ok);
		drop_newlines(got.text.bytes, &ours);
		drop_newlines(interval_rows[i].json, &wanted);
		assert_string_equal(ours.bytes, wanted.bytes);
		text_release(&ours);
		text_release(&wanted);
		dumptest_release(&got);
	}
}

static void
what_is_not_there_is_told(void **state)
{
	(void)state;
	static const struct {
		enum dump_json_view view;
		const char *message;
	} rows[] = {
		{ DUMP_JSON_GOROUTINE, "goroutine 9 is not in the trace" },
		{ DUMP_JSON_TASK, "task 9 is not in the trace" },
		{ DUMP_JSON_FOCUSTASK, "task 9 is not in the trace" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct dumptest got = { .form = DUMPTEST_JSON, .view = rows[i].view, .id = 9 };
		dumptest_text(&got, SMALL);
		assert_false(got.ok);
		assert_int_equal(got.err.kind, ERROR_USAGE);
		assert_string_equal(got.err.message, rows[i].message);
		assert_string_equal(got.text.bytes, "");
		dumptest_release(&got);
	}
}

#define OF_PROC(id)                                                                            \
	GO22 BATCH("1", "0", "10") "ProcStatus dt=1 p=" id " pstatus=1\n" CLOCK("1", "10")     \
		STRINGS("1")

static size_t
json_length(const char *text, const char *has)
{
	struct dumptest got = { .form = DUMPTEST_JSON };
	dumptest_text(&got, text);
	assert_true(got.ok);
	assert_non_null(strstr(got.text.bytes, has));
	size_t length = got.text.length;
	dumptest_release(&got);
	return length;
}

/* A proc of any number does not make as many lanes. */
static void
a_hostile_proc_is_one_lane(void **state)
{
	(void)state;
	assert_true(json_length(OF_PROC("4095"), "\"Proc 77\"") > 100000);
	assert_true(json_length(OF_PROC("4096"), "\"Proc 4096\"") < 10000);
	assert_true(json_length(OF_PROC("9000000000000000000"), "\"Proc 9000000000000000000\"") < 10000);
}

/* ---- damage, pipes and faults */

static void
a_damaged_trace_is_valid_up_to_the_damage(void **state)
{
	(void)state;
	struct dumptest got = { .form = DUMPTEST_JSON };
	struct jsondiff diff;
	dumptest_text(&got, GO22 BATCH("1", "0", "10") P0
		"GoStop dt=1 reason_string=0 stack=0\n" CLOCK("1", "10") STRINGS("1"));
	assert_true(got.ok);
	assert_true(got.result.damage.count > 0);
	assert_non_null(strstr(got.text.bytes, "\"proc start\""));
	assert_true(jsondiff_compare(&diff, &got.text, &got.text, 0));
	jsondiff_release(&diff);
	dumptest_release(&got);
}

struct feeding {
	int fd;
	struct text bytes;
};

static void
feed(void *context)
{
	struct feeding *feeding = context;
	size_t at = 0;
	while (at < feeding->bytes.length) {
		ssize_t written =
			write(feeding->fd, feeding->bytes.bytes + at, feeding->bytes.length - at);
		assert_true(written > 0);
		at += (size_t)written;
	}
	close(feeding->fd);
}

static void
a_pipe_is_read_as_often_as_a_file(void **state)
{
	(void)state;
	struct dumptest file = { .form = DUMPTEST_JSON, .view = DUMP_JSON_TASK, .id = 48 };
	struct dumptest pipe_test = file;
	struct feeding feeding = { 0 };
	struct error err = { 0 };
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	feeding.fd = fds[1];
	testing_read(testing_path("tasks-go1.23", ".trace"), &feeding.bytes);
	struct worker *worker = worker_new(feed, &feeding, &err);
	assert_non_null(worker);
	dumptest_fd(&pipe_test, fds[0]);
	worker_join(worker);
	dumptest_file(&file, testing_path("tasks-go1.23", ".trace"));
	assert_true(file.ok && pipe_test.ok);
	assert_string_equal(pipe_test.text.bytes, file.text.bytes);
	text_release(&feeding.bytes);
	dumptest_release(&file);
	dumptest_release(&pipe_test);
}

static void
want_of_memory_is_told_wherever_it_comes(void **state)
{
	(void)state;
	static const struct dumptest settings[] = {
		{ .form = DUMPTEST_JSON, .view = DUMP_JSON_PROC },
		{ .form = DUMPTEST_JSON, .view = DUMP_JSON_GOROUTINE, .id = 75 },
		{ .form = DUMPTEST_JSON, .view = DUMP_JSON_TASK, .id = 48 },
	};
	struct text trace = { 0 };
	testing_read(testing_path("tasks-go1.23", ".trace"), &trace);
	for (size_t i = 0; i < ARRAY_LENGTH(settings); i++)
		dumptest_fail_in_turn(&settings[i], trace.bytes, trace.length);
	text_release(&trace);
}

/* ---- the comparison itself */

#define ANSWER(events, frames)                                                                     \
	"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" events "],\"stackFrames\":{" frames "}}"

static const struct {
	const char *ours, *theirs;
	bool is_equal;
} comparison_rows[] = {
	{ ANSWER("", ""), ANSWER("", ""), true },
	{ ANSWER("{\"ph\":\"X\",\"sf\":2}", "\"2\":{\"name\":\"a\"}"),
		ANSWER("{\"ph\":\"X\",\"sf\":7}", "\"7\":{\"name\":\"a\"}"), true },
	{ ANSWER("{\"ph\":\"X\",\"sf\":2}", "\"2\":{\"name\":\"a\"}"),
		ANSWER("{\"ph\":\"X\",\"sf\":2}", "\"2\":{\"name\":\"b\"}"), false },
	{ ANSWER("{\"ph\":\"X\",\"sf\":2}", "\"2\":{\"name\":\"a\"}"),
		ANSWER("{\"ph\":\"X\",\"sf\":2}",
			"\"1\":{\"name\":\"b\"},\"2\":{\"name\":\"a\",\"parent\":1}"),
		false },
	{ ANSWER("{\"ph\":\"X\",\"sf\":2}", ""), ANSWER("{\"ph\":\"X\",\"sf\":2}", ""), false },
	{ ANSWER("{\"ts\":1},{\"ts\":2}", ""), ANSWER("{\"ts\":2},{\"ts\":1}", ""), true },
	{ ANSWER("{\"ts\":1},{\"ts\":1}", ""), ANSWER("{\"ts\":1}", ""), false },
	{ ANSWER("{\"ph\":\"s\",\"id\":1},{\"ph\":\"t\",\"id\":1}", ""),
		ANSWER("{\"ph\":\"s\",\"id\":3},{\"ph\":\"t\",\"id\":3}", ""), true },
	{ ANSWER("{\"ph\":\"s\",\"id\":1},{\"ph\":\"t\",\"id\":2}", ""),
		ANSWER("{\"ph\":\"s\",\"id\":1},{\"ph\":\"t\",\"id\":2}", ""), false },
	{ "{\"traceEvents\":[", ANSWER("", ""), false },
	{ ANSWER("{\"name\":\"a\nb\"}", ""), ANSWER("{\"name\":\"a\nb\"}", ""), false },
};

static void
the_comparison_sees_what_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(comparison_rows); i++) {
		struct text ours = { 0 }, theirs = { 0 };
		struct jsondiff diff;
		text_add_string(&ours, comparison_rows[i].ours);
		text_add_string(&theirs, comparison_rows[i].theirs);
		if (jsondiff_compare(&diff, &ours, &theirs, 0) != comparison_rows[i].is_equal)
			fail_msg("row %zu: %s", i, comparison_rows[i].ours);
		jsondiff_release(&diff);
		text_release(&ours);
		text_release(&theirs);
	}
}

static void
the_comparison_takes_off_a_lead(void **state)
{
	(void)state;
	struct text ours = { 0 }, theirs = { 0 };
	struct jsondiff diff;
	text_add_string(&ours, ANSWER("{\"ts\":0,\"dur\":1},{\"ts\":3,\"dur\":4},{\"ts\":0}", ""));
	text_add_string(&theirs, ANSWER("{\"ts\":0,\"dur\":3},{\"ts\":5,\"dur\":4},{\"ts\":2}", ""));
	assert_true(jsondiff_compare(&diff, &ours, &theirs, 2000));
	jsondiff_release(&diff);
	assert_false(jsondiff_compare(&diff, &ours, &theirs, 0));
	jsondiff_release(&diff);
	text_release(&ours);
	text_release(&theirs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_go),
		cmocka_unit_test(other_answers_are_those_of_go),
		cmocka_unit_test(strings_and_times_are_those_of_go),
		cmocka_unit_test(an_interval_has_its_start_and_not_its_end),
		cmocka_unit_test(what_is_not_there_is_told),
		cmocka_unit_test(a_hostile_proc_is_one_lane),
		cmocka_unit_test(a_damaged_trace_is_valid_up_to_the_damage),
		cmocka_unit_test(a_pipe_is_read_as_often_as_a_file),
		cmocka_unit_test(want_of_memory_is_told_wherever_it_comes),
		cmocka_unit_test(the_comparison_sees_what_counts),
		cmocka_unit_test(the_comparison_takes_off_a_lead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
