/*
 * Loading, each time in a process of its own: so that the peak of memory is that of
 * loading and nothing else, and so that it can be held to one processor.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/process.h"
#include "bench.h"
#include "bench_child.h"
#include "input/input.h"
#include "source/source.h"

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
	struct trace *trace = source_load(&in, NULL, &(struct source_wish){ 0 }, err);
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

/* All runs in one setting. Zero-initialised is empty. */
struct loads {
	uint64_t file_bytes, events;
	struct cost seconds;
	struct costs mb_per_s, peak_mb, held_mb;
};

static void
loads_release(struct loads *loads)
{
	cost_release(&loads->seconds);
	costs_release(&loads->mb_per_s);
	costs_release(&loads->peak_mb);
	costs_release(&loads->held_mb);
}

static bool
run_child(const char *const argv[], struct load_result *result, struct error *err)
{
	static const struct child_limits no_limits;
	struct child child;
	struct child_result ended;
	char line[256] = "";
	if (!child_start(&child, argv, STDOUT_FILENO, &no_limits, err))
		return false;
	child_read_line(&child, line, sizeof line);
	child_end(&child, &ended);
	bool is_read = sscanf(line, RESULT_SCAN, &result->wall_ns, &result->processor_ns,
			       &result->file_bytes, &result->events, &result->peak_bytes,
			       &result->held_bytes) == 6;
	if (ended.failure[0] != '\0' || !is_read)
		return error_set(err, ERROR_IO, "the process that loads failed (%s)", argv[0]);
	return true;
}

static bool
loads_add(struct loads *loads, const struct load_result *result, struct error *err)
{
	double seconds = (double)result->wall_ns / 1e9, mb = (double)result->file_bytes / 1e6;
	loads->file_bytes = result->file_bytes;
	loads->events = result->events;
	return cost_add(&loads->seconds, seconds, (double)result->processor_ns / 1e9, err) &&
	       costs_add(&loads->mb_per_s, seconds > 0 ? mb / seconds : 0, err) &&
	       costs_add(&loads->peak_mb, (double)result->peak_bytes / 1e6, err) &&
	       costs_add(&loads->held_mb, (double)result->held_bytes / 1e6, err);
}

static bool
run_loads(const char *const argv[], int runs, struct loads *loads, struct error *err)
{
	for (int i = 0; i < runs; i++) {
		struct load_result result;
		if (!run_child(argv, &result, err) || !loads_add(loads, &result, err))
			return false;
	}
	return true;
}

/* ---- the numbers */

/* Names and bars of what is said of loading with all processors, and with one. */
struct load_names {
	const char *seconds, *seconds_meaning, *rate, *rate_meaning, *share, *share_meaning;
	enum bench_bar rate_bar;
	double least_rate, least_share;
};

static const struct load_names with_all = {
	"load_s",
	"load",
	"load_mb_per_s",
	"load",
	"load_over_limit",
	"load over limit",
	BAR_AT_LEAST,
	60,
	0.5,
};

static const struct load_names with_one = {
	"load_one_processor_s",
	"load, held to one processor",
	"load_one_processor_mb_per_s",
	"load, held to one processor",
	"load_one_processor_over_limit",
	"load, held to one processor, over limit",
	BAR_NONE,
	0,
	0.25,
};

static bool
add_loads(const struct load_names *names, struct loads *loads, struct cost *limit,
	struct bench_report *report, struct error *err)
{
	struct bench_number seconds =
		number_of_cost(names->seconds, names->seconds_meaning, "s", &loads->seconds);
	struct bench_number rate =
		number_of_samples(names->rate, names->rate_meaning, "MB/s", &loads->mb_per_s);
	rate.bar = names->rate_bar;
	rate.limit = names->least_rate;
	const struct bench_number share = {
		.name = names->share,
		.meaning = names->share_meaning,
		.unit = "times",
		.value = costs_percentile(&limit->processor, 50) / seconds.value,
		.bar = BAR_AT_LEAST,
		.limit = names->least_share,
	};
	return bench_add(report, &seconds, 1, err) && bench_add(report, &rate, 1, err) &&
	       (limit->wall.count == 0 || bench_add(report, &share, 1, err));
}

static bool
add_limit(struct cost *limit, const struct loads *loads, struct bench_report *report,
	struct error *err)
{
	double seconds = costs_percentile(&limit->processor, 50);
	if (limit->wall.count == 0)
		return true;
	const struct bench_number numbers[] = {
		number_of_cost("limit_s", "limit: decoding all operands and no more", "s", limit),
		{ .name = "limit_mb_per_s",
			.meaning = "limit",
			.unit = "MB/s",
			.value = (double)loads->file_bytes / 1e6 / seconds },
		{ .name = "limit_events_per_s",
			.meaning = "limit",
			.unit = "M events/s",
			.value = (double)loads->events / 1e6 / seconds },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

static bool
add_memory(struct loads *loads, struct bench_report *report, struct error *err)
{
	double file_mb = (double)loads->file_bytes / 1e6;
	const struct bench_number numbers[] = {
		number_of_samples("peak_mb", "peak of memory", "MB", &loads->peak_mb),
		{ .name = "peak_over_file",
			.meaning = "peak of memory over size of file",
			.unit = "times",
			.value = costs_percentile(&loads->peak_mb, 100) / file_mb,
			.bar = BAR_AT_MOST,
			.limit = 4 },
		{ .name = "held_over_file",
			.meaning = "memory of the loaded trace over size of file",
			.unit = "times",
			.value = costs_percentile(&loads->held_mb, 50) / file_mb },
	};
	return bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

/* Where there is no taskset, or the first processor is not ours, the numbers are missing. */
static bool
load_on_one(const struct bench_setting *setting, const char *option, struct cost *limit,
	struct bench_report *report, struct error *err)
{
	const char *const argv[] = { "taskset", "-c", "0", setting->self, option, NULL };
	struct loads loads = { 0 };
	struct error ignored;
	error_clear(&ignored);
	bool is_fine = !run_loads(argv, setting->runs, &loads, &ignored) ||
		       add_loads(&with_one, &loads, limit, report, err);
	loads_release(&loads);
	return is_fine;
}

static bool
load_on_all(const struct bench_setting *setting, const char *option, struct cost *limit,
	struct bench_report *report, struct error *err)
{
	const char *const argv[] = { setting->self, option, NULL };
	struct loads loads = { 0 };
	bool is_fine = run_loads(argv, setting->runs, &loads, err) &&
		       add_limit(limit, &loads, report, err) &&
		       add_loads(&with_all, &loads, limit, report, err) &&
		       add_memory(&loads, report, err);
	report->file_bytes = loads.file_bytes;
	report->events = loads.events;
	loads_release(&loads);
	return is_fine;
}

bool
bench_load(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	char option[4096];
	int length = snprintf(option, sizeof option, "--only-load=%s", setting->trace);
	if (length < 0 || (size_t)length >= sizeof option)
		return error_set(err, ERROR_LIMIT, "its name is too long");
	struct cost limit = { 0 };
	uint64_t first_bytes;
	bool is_fine = bench_limit(setting->trace, setting->runs, &limit, &first_bytes, err) &&
		       load_on_all(setting, option, &limit, report, err) &&
		       load_on_one(setting, option, &limit, report, err);
	const struct bench_number first = { .name = "first_generation_mb",
		.meaning = "first generation",
		.unit = "MB",
		.value = (double)first_bytes / 1e6 };
	cost_release(&limit);
	return is_fine && bench_add(report, &first, 1, err);
}
