/*
 * What the parts of the benchmark share: samples, numbers with their bars, and a
 * function per thing that is measured.
 */
#ifndef TTRACE_TESTS_BENCH_H
#define TTRACE_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/trace.h"

/* ---- what several runs gave */

/* Measured values of one kind. Zero-initialised is empty. */
struct costs {
	double *values;
	size_t count, capacity;
};

bool costs_add(struct costs *samples, double value, struct error *err);
/* The value that `percent` of 100 samples do not exceed: 50 is the median. Sorts; 0 if empty. */
double costs_percentile(struct costs *samples, int percent);
void costs_release(struct costs *samples);

/* The same runs by two clocks. Zero-initialised is empty. */
struct cost {
	struct costs wall, processor; /* the second may stay empty */
};

bool cost_add(struct cost *cost, double wall, double processor, struct error *err);
/* Where both clocks stood. */
struct moment {
	int64_t wall_ns, processor_ns;
};

struct moment moment_now(void);
/* Adds the milliseconds since then. */
bool cost_add_since(struct cost *cost, struct moment start, struct error *err);
void cost_release(struct cost *cost);

/* ---- numbers */

/* What a number is measured against; a bar for processor time does not look at the wall clock. */
enum bench_bar { BAR_NONE, BAR_AT_LEAST, BAR_AT_MOST, BAR_PROCESSOR_AT_MOST };

struct bench_number {
	const char *name;    /* in JSON: "load_mb_per_s" */
	const char *meaning; /* in the table */
	const char *unit;
	double value;       /* of several runs the median */
	double least, most; /* of the runs; both 0 for what was measured once */
	double processor;   /* beside a time by the wall clock, in the same unit; 0: not known */
	enum bench_bar bar;
	double limit; /* of the bar */
};

/* Median, least and most of the runs, without a bar. */
struct bench_number number_of_samples(
	const char *name, const char *meaning, const char *unit, struct costs *samples);
struct bench_number number_of_cost(
	const char *name, const char *meaning, const char *unit, struct cost *cost);

/* All that was measured with one trace. Zero-initialised is empty; strings are constants. */
struct bench_report {
	const char *file;
	uint64_t file_bytes, events;
	struct bench_number *numbers;
	size_t count, capacity;
};

void bench_report_release(struct bench_report *report);
/* Adds numbers; without memory err says so. */
bool bench_add(struct bench_report *report, const struct bench_number *numbers, size_t count,
	struct error *err);
/* NULL if nothing of that name was measured. */
const struct bench_number *bench_find(const struct bench_report *report, const char *name);
void bench_print_table(const struct bench_report *report);
/*
 * For the traces of one program, FAMILY-SIZE.trace, that follow each other: a table of costs by
 * size, the last column the power of the size with which they grow. Prints nothing where
 * no two belong together.
 */
void bench_print_growth(const struct bench_report *reports, size_t count);
/* One object with all reports and the machine. */
void bench_write_json(FILE *out, const struct bench_report *reports, size_t count);

/* Two decimals or more for small values, so that a column of numbers can be read. */
int decimals_of(double value);
void json_write_string(FILE *out, const char *string);

/* ---- the machine */

struct machine {
	char processor[100], system[100];
	long processors;
	double memory_gb;
	double load; /* the system's average of the last minute */
};

void machine_look(struct machine *machine);
void machine_print(void);
void machine_write_json(FILE *out);

/* ---- what is measured */

/* The program itself and what it is run on. */
struct bench_setting {
	const char *self;    /* how to start the benchmark again */
	const char *program; /* ttrace, NULL to leave out what needs it */
	const char *keys;    /* file with the key script */
	const char *trace;
	int runs;            /* of each cost */
	bool tells_each_key; /* its bytes, on standard error */
};

/* In processes that only load: speed, processor time, peak of memory; all beside the limit. */
bool bench_load(
	const struct bench_setting *setting, struct bench_report *report, struct error *err);
/* What such a process does; its numbers go to standard output. */
bool bench_load_child(const char *path, struct error *err);
/*
 * Seconds of a loop that only decodes the operands of a trace in memory; no runs for a trace
 * of the form before Go 1.22, as text or compressed. Sizes the first generation too.
 */
bool bench_limit(const char *path, int runs, struct cost *seconds, uint64_t *first_generation_bytes,
	struct error *err);
/* Frames over many viewports, folded and unfolded, and with a search. */
bool bench_frames(const struct trace *trace, struct bench_report *report, struct error *err);
/* A search and the first steps from match to match. */
bool bench_search(
	const struct trace *trace, int runs, struct bench_report *report, struct error *err);
/* Each report, of the whole trace and of a tenth of it. */
bool bench_analyses(
	const struct trace *trace, int runs, struct bench_report *report, struct error *err);
/* From the start of the program to its first picture with data, and to that of all the trace. */
bool bench_pictures(
	const struct bench_setting *setting, struct bench_report *report, struct error *err);
/* The first picture of a trace that was kept in a cache, which is removed again. */
bool bench_reopening(
	const struct bench_setting *setting, struct bench_report *report, struct error *err);
/* Bytes that the program writes to a terminal, key by key. */
bool bench_keys(
	const struct bench_setting *setting, struct bench_report *report, struct error *err);

#endif
