/*
 * Loading, each time in a process of its own: so that the peak of memory is that of
 * loading and nothing else, and so that it can be held to one processor.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/process.h"
#include "bench.h"
#include "gotrace/load.h"
#include "input/input.h"

enum { RUNS = 3 };

struct load_result {
	int64_t wall_ns, processor_ns;
	uint64_t file_bytes, events;
	uint64_t peak_bytes; /* of the process */
	uint64_t held_bytes; /* by the trace, once it is loaded */
};

#define RESULT_FORMAT "%" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
#define RESULT_SCAN "%" SCNd64 " %" SCNd64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64

/* ---- the process that loads */

bool
bench_load_child(const char *path, struct error *err)
{
	struct input in = { 0 };
	struct load_result result = { 0 };
	int64_t start_ns = process_now_ns();
	if (!input_open_file(&in, path, err))
		return false;
	struct trace *trace = go_load(&in, NULL, err);
	result.wall_ns = process_now_ns() - start_ns;
	result.file_bytes = in.total_bytes;
	input_close(&in);
	if (trace == NULL)
		return false;
	result.processor_ns = process_used_ns();
	result.peak_bytes = process_peak_bytes();
	result.events = trace->event_count;
	result.held_bytes = trace_bytes(trace);
	trace_free(trace);
	printf(RESULT_FORMAT, result.wall_ns, result.processor_ns, result.file_bytes, result.events,
	        result.peak_bytes, result.held_bytes);
	return true;
}

/* ---- the process that waits for it */

/* Starts argv with its output in a pipe; returns the reading end, or -1. */
static int
start(const char *const argv[], pid_t *pid)
{
	int fds[2];
	if (pipe(fds) != 0)
		return -1;
	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(fds[1]);
	if (*pid > 0)
		return fds[0];
	close(fds[0]);
	return -1;
}

static bool
run_child(const char *const argv[], struct load_result *result, struct error *err)
{
	pid_t pid = -1;
	int fd = start(argv, &pid);
	if (fd < 0)
		return error_set(err, ERROR_IO, "cannot start %s: %s", argv[0], strerror(errno));
	char line[256];
	size_t length = 0;
	ssize_t got;
	while (length < sizeof line - 1 &&
	        (got = read(fd, line + length, sizeof line - 1 - length)) > 0)
		length += (size_t)got;
	line[length] = '\0';
	close(fd);
	int status = 0;
	waitpid(pid, &status, 0);
	bool is_read = sscanf(line, RESULT_SCAN, &result->wall_ns, &result->processor_ns,
	                       &result->file_bytes, &result->events, &result->peak_bytes,
	                       &result->held_bytes) == 6;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !is_read)
		return error_set(err, ERROR_IO, "the process that loads failed (%s)", argv[0]);
	return true;
}

/*
 * Of several runs the fastest wall clock, the least processor time and the highest
 * peak: what disturbs a run only adds time.
 */
static bool
run_best(const char *const argv[], struct load_result *best, struct error *err)
{
	for (int i = 0; i < RUNS; i++) {
		struct load_result result;
		if (!run_child(argv, &result, err))
			return false;
		if (i == 0)
			*best = result;
		if (result.wall_ns < best->wall_ns)
			best->wall_ns = result.wall_ns;
		if (result.processor_ns < best->processor_ns)
			best->processor_ns = result.processor_ns;
		if (result.peak_bytes > best->peak_bytes)
			best->peak_bytes = result.peak_bytes;
	}
	return true;
}

/* ---- the numbers */

static double
per_second(uint64_t amount, int64_t time_ns)
{
	return time_ns > 0 ? (double)amount * 1e9 / (double)time_ns : 0;
}

/* How much of the limit is reached; `name` and `meaning` say with what. */
static bool
add_share(const struct load_result *result, int64_t limit_ns, const char *name,
          const char *meaning, double bar, struct bench_report *report, struct error *err)
{
	const struct bench_number number = { name, meaning, "times",
		(double)limit_ns / (double)result->wall_ns, BAR_AT_LEAST, bar };
	return limit_ns == 0 || bench_add(report, &number, 1, err);
}

static bool
add_limit(const struct load_result *result, int64_t limit_ns, struct bench_report *report,
          struct error *err)
{
	const struct bench_number numbers[] = {
		{ "limit_mb_per_s", "limit: decoding all operands and no more", "MB/s",
		        per_second(result->file_bytes, limit_ns) / 1e6, BAR_NONE, 0 },
		{ "limit_events_per_s", "limit", "M events/s",
		        per_second(result->events, limit_ns) / 1e6, BAR_NONE, 0 },
	};
	return limit_ns == 0 || bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

static bool
add_result(const struct load_result *result, struct bench_report *report, struct error *err)
{
	double file_bytes = (double)result->file_bytes;
	const struct bench_number numbers[] = {
		{ "load_mb_per_s", "load", "MB/s",
		        per_second(result->file_bytes, result->wall_ns) / 1e6, BAR_AT_LEAST, 60 },
		{ "load_events_per_s", "load", "M events/s",
		        per_second(result->events, result->wall_ns) / 1e6, BAR_NONE, 0 },
		{ "load_wall_s", "load, wall clock", "s", (double)result->wall_ns / 1e9, BAR_NONE, 0 },
		{ "load_processor_s", "load, processor time of all threads", "s",
		        (double)result->processor_ns / 1e9, BAR_NONE, 0 },
		{ "peak_over_file", "peak of memory over size of file", "times",
		        (double)result->peak_bytes / file_bytes, BAR_AT_MOST, 4 },
		{ "held_over_file", "memory of the loaded trace over size of file", "times",
		        (double)result->held_bytes / file_bytes, BAR_NONE, 0 },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

/* Where there is no taskset, or the first processor is not ours, the numbers are missing. */
static bool
load_on_one(const struct bench_setting *setting, const char *option, int64_t limit_ns,
            struct bench_report *report, struct error *err)
{
	const char *const argv[] = { "taskset", "-c", "0", setting->self, option, NULL };
	struct load_result result;
	struct error ignored;
	error_clear(&ignored);
	if (!run_best(argv, &result, &ignored))
		return true;
	const struct bench_number numbers[] = {
		{ "load_one_processor_mb_per_s", "load, held to one processor", "MB/s",
		        per_second(result.file_bytes, result.wall_ns) / 1e6, BAR_NONE, 0 },
		{ "load_one_processor_wall_s", "load, held to one processor, wall clock", "s",
		        (double)result.wall_ns / 1e9, BAR_NONE, 0 },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err) &&
	        add_share(&result, limit_ns, "load_one_processor_over_limit",
	                   "load, held to one processor, over limit", 0.25, report, err);
}

bool
bench_load(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	char option[4096];
	int length = snprintf(option, sizeof option, "--only-load=%s", setting->trace);
	if (length < 0 || (size_t)length >= sizeof option)
		return error_set(err, ERROR_LIMIT, "its name is too long");
	const char *const argv[] = { setting->self, option, NULL };
	struct load_result result;
	int64_t limit_ns;
	if (!run_best(argv, &result, err) || !bench_limit(setting->trace, &limit_ns, err))
		return false;
	report->file_bytes = result.file_bytes;
	report->events = result.events;
	return add_limit(&result, limit_ns, report, err) && add_result(&result, report, err) &&
	        add_share(&result, limit_ns, "load_over_limit", "load over limit", 0.5, report,
	                   err) &&
	        load_on_one(setting, option, limit_ns, report, err);
}
