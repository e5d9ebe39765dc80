/*
 * The benchmark: how fast a trace loads, how long a frame and a search take, and
 * what a key press costs on the line. doc/BENCHMARK.md says what each number means.
 *
 *     bench [--json] [--each-key] [--program=TTRACE --keys=FILE] TRACE...
 *
 * A bar that is missed is printed as such and is no failure; a measurement
 * that could not be made is.
 */
#include "bench.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gotrace/load.h"
#include "input/input.h"

struct bench_options {
	bool is_json, tells_each_key;
	const char *only_load; /* what the benchmark calls itself with */
	const char *program, *keys;
	char **traces;
	int trace_count;
};

static struct trace *
read_trace(const char *path, struct error *err)
{
	struct input in = { 0 };
	if (!input_open_file(&in, path, err))
		return NULL;
	struct trace *trace = go_load(&in, NULL, err);
	input_close(&in);
	return trace;
}

static bool
measure_in_process(const struct bench_setting *setting, struct bench_report *report,
                   struct error *err)
{
	struct trace *trace = read_trace(setting->trace, err);
	if (trace == NULL)
		return false;
	bool is_fine = bench_frames(trace, report, err) && bench_search(trace, report, err);
	trace_free(trace);
	return is_fine;
}

static bool
measure(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	report->file = setting->trace;
	return bench_load(setting, report, err) && measure_in_process(setting, report, err) &&
	        (setting->program == NULL || bench_keys(setting, report, err));
}

static bool
complain(const char *trace, struct error *err)
{
	char line[sizeof err->message + 100];
	error_format(err, line, sizeof line);
	fprintf(stderr, "bench: %s: %s\n", trace, line);
	return false;
}

static bool
run_trace(const struct bench_setting *setting, bool is_json, bool is_first)
{
	struct bench_report report = { 0 };
	struct error err;
	error_clear(&err);
	bool is_fine = measure(setting, &report, &err);
	if (is_json && !is_first)
		printf(",\n");
	if (is_json)
		bench_print_json(&report);
	else
		bench_print_table(&report);
	fflush(stdout);
	bench_report_release(&report);
	return is_fine || complain(setting->trace, &err);
}

static bool
run_all(const char *self, const struct bench_options *options)
{
	bool is_fine = true;
	if (options->is_json)
		printf("{\"traces\":[\n");
	for (int i = 0; i < options->trace_count; i++) {
		struct bench_setting setting = {
			.self = self,
			.program = options->program,
			.keys = options->keys,
			.trace = options->traces[i],
			.tells_each_key = options->tells_each_key,
		};
		is_fine = run_trace(&setting, options->is_json, i == 0) && is_fine;
	}
	if (options->is_json)
		printf("\n]}\n");
	return is_fine;
}

/* The value of --name=value, NULL for another argument. */
static const char *
value_of(const char *argument, const char *name)
{
	size_t length = strlen(name);
	return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool
parse(int argc, char **argv, struct bench_options *options)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *value;
		if (strcmp(argv[i], "--json") == 0)
			options->is_json = true;
		else if (strcmp(argv[i], "--each-key") == 0)
			options->tells_each_key = true;
		else if ((value = value_of(argv[i], "--program=")) != NULL)
			options->program = value;
		else if ((value = value_of(argv[i], "--keys=")) != NULL)
			options->keys = value;
		else if ((value = value_of(argv[i], "--only-load=")) != NULL)
			options->only_load = value;
		else
			return false;
	}
	options->traces = argv + i;
	options->trace_count = argc - i;
	bool has_work = options->trace_count > 0 || options->only_load != NULL;
	return has_work && (options->program == NULL) == (options->keys == NULL);
}

int
main(int argc, char **argv)
{
	struct bench_options options = { 0 };
	if (!parse(argc, argv, &options)) {
		fprintf(stderr, "usage: bench [--json] [--each-key] "
				"[--program=TTRACE --keys=FILE] TRACE...\n");
		return 2;
	}
	setlocale(LC_CTYPE, "C.UTF-8");
	if (options.only_load == NULL)
		return run_all(argv[0], &options) ? EXIT_SUCCESS : EXIT_FAILURE;
	struct error err;
	error_clear(&err);
	if (bench_load_child(options.only_load, &err))
		return EXIT_SUCCESS;
	complain(options.only_load, &err);
	return EXIT_FAILURE;
}
