/*
 * Recordings of perf: what is asked before perf runs, how it is called, what becomes of what it prints and of its
 * failures, and that nothing of it stays. perf is a script here, which the test puts in PATH.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/text.h"
#include "base_testing.h"
#include "facttesting.h"
#include "folder.h"
#include "oraclefile.h"
#include "packing.h"
#include "source/source.h"
#include "trace/sample_set.h"

/* As a recording begins; perf would say that there is no more of it. */
static const char recording[] = "PERFILE2\x68\0\0\0\0\0\0";

static char folder[FOLDER_PATH_BYTES];
static char usual_path[4000];

static void
write_file(const char *name, const void *bytes, size_t size, mode_t mode)
{
	const char *path = folder_within(folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* perf does that, a script. */
static void
make_perf(const char *does)
{
	char script[2000];
	int length = snprintf(script, sizeof script, "#!/bin/sh\n%s", does);
	assert_true(length > 0 && (size_t)length < sizeof script);
	write_file("perf", script, (size_t)length, 0700);
}

static int
make_folder(void **state)
{
	(void)state;
	const char *path = getenv("PATH");
	char with_ours[sizeof usual_path + sizeof folder];
	snprintf(usual_path, sizeof usual_path, "%s", path != NULL ? path : "/bin:/usr/bin");
	folder_make(folder, "perf");
	write_file("a b.data", recording, sizeof recording, 0600);
	snprintf(with_ours, sizeof with_ours, "%s:%s", folder, usual_path);
	return setenv("PATH", with_ours, 1);
}

static int
remove_folder(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

static struct trace *
load_path(const char *path, const char *source, struct progress *progress, struct error *err)
{
	const struct source_wish wish = { .progress = progress };
	struct input in;
	error_clear(err);
	assert_true(input_open_file(&in, path, err));
	struct trace *trace = source_load(&in, source, &wish, err);
	input_close(&in);
	assert_int_equal(trace != NULL, err->kind == ERROR_NONE);
	return trace;
}

static struct trace *
load(const char *source, struct error *err)
{
	char path[1000];
	snprintf(path, sizeof path, "%s", folder_within(folder, "a b.data"));
	return load_path(path, source, NULL, err);
}

static void
check_refused(const char *wanted)
{
	struct error err;
	assert_null(load("perf_data", &err));
	if (strcmp(err.message, wanted) != 0)
		fail_msg("\"%s\", not \"%s\"", err.message, wanted);
}

/* ---- who is asked */

static void
perf_runs_for_those_who_agree(void **state)
{
	struct error err;
	char wanted[1000];
	(void)state;
	make_perf("touch \"$(dirname \"$0\")/ran\"\necho 'a 1 5.000000000: 3 c: '\n");
	assert_null(load(NULL, &err));
	assert_int_equal(err.kind, ERROR_CONSENT);
	snprintf(wanted, sizeof wanted,
		"perf has to read this recording: perf script -i '%s/a b.data' | ttrace, or --source=perf_data, "
		"with which ttrace runs that", folder);
	check_text("consent", err.message, wanted);
	assert_int_equal(access(folder_within(folder, "ran"), F_OK), -1);
	struct trace *trace = load("perf_data", &err);
	assert_non_null(trace);
	assert_int_equal(access(folder_within(folder, "ran"), F_OK), 0);
	trace_free(trace);
}

/* perf opens a file by its name; what has none, or is packed, is refused before anybody is asked. */
static void
what_perf_cannot_open_is_refused(void **state)
{
	const struct source_wish wish = { .progress = NULL };
	static const char *const sources[] = { NULL, "perf_data" };
	struct error err;
	(void)state;
	make_perf("echo 'a 1 5.000000000: 3 c: '\n");
	for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
		struct input in;
		error_clear(&err);
		assert_true(input_open_memory(&in, recording, sizeof recording, &err));
		assert_null(source_load(&in, sources[i], &wish, &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.message, "perf script -i - | ttrace"));
		input_close(&in);
		for (size_t k = 0; k < PACKERS; k++) {
			struct text packed = { 0 };
			if (!packers[k].is_built)
				continue;
			packers[k].pack(&packed, recording, sizeof recording);
			write_file("packed", packed.bytes, packed.length, 0600);
			assert_null(load_path(folder_within(folder, "packed"), sources[i], NULL, &err));
			assert_int_equal(err.kind, ERROR_USAGE);
			assert_non_null(strstr(err.message, "unpack it"));
			text_release(&packed);
		}
	}
}

/* ---- what it prints */

static void
what_it_prints_is_read(void **state)
{
	struct text told = { 0 };
	struct error err;
	char wanted[1000];
	(void)state;
	make_perf("cd \"$(dirname \"$0\")\" && printf '%s\\n' \"$@\" > told && cat >> told\n"
		  "echo to be forgotten >&2\n"
		  "printf 'a 1 [000] 5.000000001: 3 c: \\n\\t ff f (/x)\\n\\nb 2 [000] 5.000000007: 4 c: \\n'\n");
	struct trace *trace = load("perf_data", &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->count, 2);
	assert_int_equal(trace->end_ns, 6);
	assert_int_equal(fact(trace, "lines"), 4);
	assert_int_equal(trace->damage.count, 0);
	trace_free(trace);
	/* Each word is one, and there is nothing to be read from. */
	assert_true(oraclefile_read(folder_within(folder, "told"), &told));
	snprintf(wanted, sizeof wanted,
		"script\n-i\n%s/a b.data\n--ns\n--show-switch-events\n--show-lost-events\n", folder);
	check_text("words", text_string(&told), wanted);
	text_release(&told);
}

static void
complaints_never_hold_it_up(void **state)
{
	struct error err;
	(void)state;
	make_perf("i=0; while [ $i -lt 5000 ]; do echo \"warning $i: nobody reads that, and there is more of it\" >&2\n"
		  "i=$((i+1)); done; echo 'a 1 5.000000: 3 c: '\n");
	struct trace *trace = load("perf_data", &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->count, 1);
	trace_free(trace);
}

/* ---- failures */

static void
failures_are_told_by_its_last_line(void **state)
{
	struct error err;
	(void)state;
	make_perf("echo one >&2; echo two >&2; echo >&2; exit 3\n");
	check_refused("perf script: two");
	make_perf("printf 'not ended' >&2; exit 3\n");
	check_refused("perf script: not ended");
	make_perf("exit 7\n");
	check_refused("perf script: it failed with status 7");
	make_perf("kill -9 $$\n");
	check_refused("perf script: signal 9 ended it");
	make_perf("exit 0\n");
	check_refused("perf script: it tells of no sample");
	make_perf("echo why not >&2\n");
	check_refused("perf script: it tells of no sample: why not");
	/* What was printed before is kept. */
	make_perf("echo 'a 1 5.000000: 3 c: '; echo gone >&2; exit 1\n");
	struct trace *trace = load("perf_data", &err);
	assert_non_null(trace);
	assert_int_equal(trace->samples->count, 1);
	assert_int_equal(trace->damage.count, 1);
	check_text("damage", trace->damage.rows[0].first.message, "perf script: gone");
	trace_free(trace);
}

static void
perf_may_be_missing(void **state)
{
	char wanted[1000], path[1000];
	struct error err;
	(void)state;
	snprintf(path, sizeof path, "%s", getenv("PATH"));
	setenv("PATH", "/nowhere", 1);
	snprintf(wanted, sizeof wanted,
		"perf is not installed: install it, or run perf script -i '%s/a b.data' > FILE where it is, and "
		"open FILE", folder);
	check_refused(wanted);
	setenv("PATH", path, 1);
	make_perf("echo\n");
	write_file("perf", "no program", 10, 0600);
	setenv("PATH", folder, 1);
	assert_null(load("perf_data", &err));
	assert_non_null(strstr(err.message, "perf cannot be run: "));
	setenv("PATH", path, 1);
}

/* ---- giving up */

struct given_up {
	struct progress progress;
	char path[1000]; /* where perf says */
	pid_t pids[2];   /* what it is, and what it has started */
};

/* Once both are there. */
static void
give_up(void *context)
{
	struct given_up *given_up = context;
	long first = 0, second = 0;
	char last = '\0';
	while (last != '.') {
		FILE *file = fopen(given_up->path, "r");
		if (file != NULL && fscanf(file, "%ld %ld%c", &first, &second, &last) != 3)
			last = '\0';
		if (file != NULL)
			fclose(file);
		sched_yield();
	}
	given_up->pids[0] = (pid_t)first;
	given_up->pids[1] = (pid_t)second;
	progress_cancel(&given_up->progress);
}

static void
wake(void *context)
{
	(void)context;
}

/* Whether it goes on: what has ended may have to be taken by who takes orphans first. */
static bool
is_alive(pid_t pid)
{
	char path[100], state = 'R';
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return kill(pid, 0) == 0 && access("/proc/self/stat", F_OK) != 0;
	if (fscanf(file, "%*d %*s %c", &state) != 1)
		state = 'X';
	fclose(file);
	return state != 'Z' && state != 'X';
}

static void
check_given_up(const char *does)
{
	struct given_up given_up = { .pids = { 0 } };
	struct error err;
	char path[1000];
	snprintf(path, sizeof path, "%s", folder_within(folder, "a b.data"));
	snprintf(given_up.path, sizeof given_up.path, "%s", folder_within(folder, "pids"));
	unlink(given_up.path);
	make_perf(does);
	error_clear(&err);
	progress_open(&given_up.progress, wake, NULL);
	struct worker *worker = worker_new(give_up, &given_up, &err);
	assert_non_null(worker);
	assert_null(load_path(path, "perf_data", &given_up.progress, &err));
	worker_join(worker);
	progress_close(&given_up.progress);
	assert_int_equal(err.kind, ERROR_CANCELLED);
	for (size_t i = 0; i < ARRAY_LENGTH(given_up.pids); i++)
		while (is_alive(given_up.pids[i]))
			sched_yield();
	/* It was ours, and its status was taken. */
	assert_int_equal(kill(given_up.pids[0], 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void
giving_up_ends_it_with_all_that_it_started(void **state)
{
#define HANGS "sleep 1000 & printf '%s' \"$$ $!.\" > \"$(dirname \"$0\")/pids\"\n"
	(void)state;
	check_given_up("trap '' TERM INT\n" HANGS "wait; wait; wait\n");
	/* Nothing more will come of it, but it goes on. */
	check_given_up("echo 'a 1 5.000000: 3 c: '; exec >&-\n" HANGS "wait\n");
}

static void
recordings_are_recognised(void **state)
{
	(void)state;
	const uint8_t *bytes = (const uint8_t *)recording;
	assert_int_equal(perf_data_source.recognise(bytes, sizeof recording), SOURCE_SURE);
	assert_int_equal(perf_data_source.recognise(bytes, 7), 0);
	assert_int_equal(perf_data_source.recognise((const uint8_t *)"2ELIFREP", 8), SOURCE_SURE);
	assert_int_equal(perf_data_source.recognise((const uint8_t *)"PERFILE3", 8), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_are_recognised),
		cmocka_unit_test(perf_runs_for_those_who_agree),
		cmocka_unit_test(what_perf_cannot_open_is_refused),
		cmocka_unit_test(what_it_prints_is_read),
		cmocka_unit_test(complaints_never_hold_it_up),
		cmocka_unit_test(failures_are_told_by_its_last_line),
		cmocka_unit_test(perf_may_be_missing),
		cmocka_unit_test(giving_up_ends_it_with_all_that_it_started),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
