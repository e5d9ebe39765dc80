/*
 * The benchmark: how fast a trace loads, how long the first picture, a frame and a
 * search take, and what a key press costs on the line; or what Go's tools take for the
 * same. doc/PERFORMANCE.md says what each number means.
 *
 * A bar that is missed is printed as such and is no failure; a measurement
 * that could not be made is.
 */
#include "bench.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench_go.h"
#include "input/input.h"
#include "source/source.h"

static const char usage[] =
	"usage: bench [OPTION...] TRACE...\n"
	"  --program=TTRACE   measures it in a terminal, and against Go's tools\n"
	"  --keys=FILE        with the key script\n"
	"  --each-key         tells the bytes of every key\n"
	"  --frames           frames alone, nothing else\n"
	"  --analyses         analyses alone, nothing else\n"
	"  --runs=N           of each cost (3); of traces above 200 MB at most three\n"
	"  --json=FILE        writes all numbers there as well\n"
	"  --go=TOOL          compares with this `go tool trace`, instead of the rest\n"
	"  --only=NAME,...    of what is compared: load, footprint, profile, parsed, wire,\n"
	"                     json, page (with events)\n"
	"  --memory-limit=GB  of address space for what is compared (16)\n"
	"  --time-limit=S     for what is compared (120)\n";

enum { LARGE_BYTES = 200000000, LARGE_RUNS = 3 };

struct bench_options {
	bool tells_each_key, only_frames, only_analyses;
	const char *only_load; /* what the benchmark calls itself with */
	const char *program, *keys, *json, *go_tool, *only;
	int runs, memory_limit_gb, time_limit_s;
	char **traces;
	size_t trace_count;
};

static bool
complain(const char *trace, const struct error *err)
{
	char line[sizeof err->message + 100];
	error_format(err, line, sizeof line);
	fprintf(stderr, "bench: %s: %s\n", trace, line);
	return false;
}

/* ---- measuring ttrace */

/* The report learns the size of it. */
static struct trace *
read_trace(const char *path, struct bench_report *report, struct error *err)
{
	struct input in = { 0 };
	if (!input_open_file(&in, path, err))
		return NULL;
	struct trace *trace = source_load(&in, NULL, &(struct source_wish){ 0 }, err);
	report->file_bytes = in.total_bytes;
	report->events = trace != NULL ? trace->event_count : 0;
	input_close(&in);
	return trace;
}

static bool
measure_in_process(
	const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	struct trace *trace = read_trace(setting->trace, report, err);
	if (trace == NULL)
		return false;
	bool is_fine = bench_frames(trace, report, err) &&
		       bench_search(trace, setting->runs, report, err) &&
		       bench_analyses(trace, setting->runs, report, err);
	trace_free(trace);
	return is_fine;
}

static bool
measure_frames(
	const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	struct trace *trace = read_trace(setting->trace, report, err);
	bool is_fine = trace != NULL && bench_frames(trace, report, err);
	trace_free(trace);
	return is_fine;
}

static bool
measure_analyses(
	const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	struct trace *trace = read_trace(setting->trace, report, err);
	bool is_fine = trace != NULL && bench_analyses(trace, setting->runs, report, err);
	trace_free(trace);
	return is_fine;
}

static bool
measure_in_children(
	const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	return bench_load(setting, report, err) &&
	       (setting->program == NULL ||
		       (bench_pictures(setting, report, err) &&
			       bench_reopening(setting, report, err) &&
			       bench_keys(setting, report, err)));
}

typedef bool measure_function(
	const struct bench_setting *setting, struct bench_report *report, struct error *err);

static struct bench_setting
setting_of(const char *self, const struct bench_options *options, const char *trace)
{
	struct bench_setting setting = {
		.self = self,
		.program = options->program,
		.keys = options->keys,
		.trace = trace,
		.runs = options->runs,
		.tells_each_key = options->tells_each_key,
	};
	struct input in = { 0 };
	struct error ignored;
	error_clear(&ignored);
	if (input_open_file(&in, trace, &ignored)) {
		if (in.total_bytes > LARGE_BYTES && setting.runs > LARGE_RUNS)
			setting.runs = LARGE_RUNS;
		input_close(&in);
	}
	return setting;
}

static bool
measure_each(const char *self, const struct bench_options *options, struct bench_report *reports,
	measure_function *measure)
{
	bool is_fine = true;
	for (size_t i = 0; i < options->trace_count; i++) {
		const char *trace = options->traces[i];
		struct bench_setting setting = setting_of(self, options, trace);
		struct error err;
		error_clear(&err);
		reports[i].file = trace;
		if (!measure(&setting, &reports[i], &err))
			is_fine = complain(trace, &err);
	}
	return is_fine;
}

static bool
write_json(const struct bench_options *options, const struct bench_report *reports)
{
	if (options->json == NULL)
		return true;
	FILE *out = fopen(options->json, "w");
	if (out != NULL)
		bench_write_json(out, reports, options->trace_count);
	bool is_written = out != NULL && fclose(out) == 0;
	if (!is_written)
		fprintf(stderr, "bench: %s cannot be written\n", options->json);
	return is_written;
}

/* What is measured in other processes comes first: their memory begins as large as ours is. */
static bool
run_all(const char *self, const struct bench_options *options, struct error *err)
{
	struct bench_report *reports = array_new(options->trace_count, sizeof *reports, err);
	if (reports == NULL)
		return complain("all", err);
	machine_print();
	bool is_all = !options->only_frames && !options->only_analyses;
	bool is_fine = !is_all || measure_each(self, options, reports, measure_in_children);
	is_fine = measure_each(self, options, reports,
			  is_all		 ? measure_in_process
			  : options->only_frames ? measure_frames
						 : measure_analyses) &&
		  is_fine;
	for (size_t i = 0; i < options->trace_count; i++)
		bench_print_table(&reports[i]);
	bench_print_growth(reports, options->trace_count);
	is_fine = write_json(options, reports) && is_fine;
	for (size_t i = 0; i < options->trace_count; i++)
		bench_report_release(&reports[i]);
	memory_free(reports);
	return is_fine;
}

static bool
run_go(const struct bench_options *options, struct error *err)
{
	const struct go_setting setting = {
		.program = options->program,
		.tool = options->go_tool,
		.only = options->only,
		.json = options->json,
		.runs = options->runs,
		.limits = { (uint64_t)options->memory_limit_gb * 1000000000,
			options->time_limit_s },
	};
	machine_print();
	return bench_go(&setting, options->traces, options->trace_count, err) ||
	       complain(options->go_tool, err);
}

/* ---- options */

/* Takes --name=value; false for another argument. */
static bool
take_text(const char *argument, const char *name, const char **value)
{
	size_t length = strlen(name);
	if (strncmp(argument, name, length) != 0)
		return false;
	*value = argument + length;
	return true;
}

static bool
take_count(const char *argument, const char *name, int *value)
{
	const char *text;
	if (!take_text(argument, name, &text))
		return false;
	long count = strtol(text, NULL, 10);
	*value = count > 0 && count < 100000 ? (int)count : 1;
	return true;
}

static bool
take_option(const char *argument, struct bench_options *options)
{
	if (strcmp(argument, "--each-key") == 0) {
		options->tells_each_key = true;
		return true;
	}
	if (strcmp(argument, "--frames") == 0) {
		options->only_frames = true;
		return true;
	}
	if (strcmp(argument, "--analyses") == 0) {
		options->only_analyses = true;
		return true;
	}
	return take_text(argument, "--program=", &options->program) ||
	       take_text(argument, "--keys=", &options->keys) ||
	       take_text(argument, "--json=", &options->json) ||
	       take_text(argument, "--go=", &options->go_tool) ||
	       take_text(argument, "--only=", &options->only) ||
	       take_text(argument, "--only-load=", &options->only_load) ||
	       take_count(argument, "--runs=", &options->runs) ||
	       take_count(argument, "--memory-limit=", &options->memory_limit_gb) ||
	       take_count(argument, "--time-limit=", &options->time_limit_s);
}

static bool
parse(int argc, char **argv, struct bench_options *options)
{
	int i = 1;
	while (i < argc && argv[i][0] == '-') {
		if (!take_option(argv[i++], options))
			return false;
	}
	options->traces = argv + i;
	options->trace_count = (size_t)(argc - i);
	if (options->only_load != NULL)
		return options->trace_count == 0;
	bool has_what_it_needs = options->program != NULL
					 ? options->keys != NULL || options->go_tool != NULL
					 : options->keys == NULL && options->go_tool == NULL;
	return options->trace_count > 0 && has_what_it_needs;
}

int
main(int argc, char **argv)
{
	struct bench_options options = { .runs = 3, .memory_limit_gb = 16, .time_limit_s = 120 };
	struct error err;
	error_clear(&err);
	if (!parse(argc, argv, &options)) {
		fputs(usage, stderr);
		return 2;
	}
	setlocale(LC_CTYPE, "C.UTF-8");
	bool is_fine;
	if (options.only_load != NULL)
		is_fine = bench_load_child(options.only_load, &err) ||
			  complain(options.only_load, &err);
	else if (options.go_tool != NULL)
		is_fine = run_go(&options, &err);
	else
		is_fine = run_all(argv[0], &options, &err);
	return is_fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
