/*
 * What the parts of the benchmark share: numbers with their bars, samples, and
 * a function per thing that is measured.
 */
#ifndef TTRACE_TESTS_BENCH_H
#define TTRACE_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* What a number is measured against. */
enum bench_bar { BAR_NONE, BAR_AT_LEAST, BAR_AT_MOST };

struct bench_number {
	const char *name;    /* in JSON: "load_mb_per_s" */
	const char *meaning; /* in the table */
	const char *unit;
	double value;
	enum bench_bar bar;
	double limit;        /* of the bar */
};

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
void bench_print_table(const struct bench_report *report);
/* One object; the array around it is the caller's. */
void bench_print_json(const struct bench_report *report);

/* Measured values of one kind. Zero-initialised is empty. */
struct samples {
	double *values;
	size_t count, capacity;
};

bool samples_add(struct samples *samples, double value, struct error *err);
/* The value that `percent` of 100 samples do not exceed: 50 is the median. Sorts; 0 if empty. */
double samples_percentile(struct samples *samples, int percent);
void samples_release(struct samples *samples);

/* The program itself and what it is run on. */
struct bench_setting {
	const char *self;    /* how to start the benchmark again */
	const char *program; /* ttrace, NULL to leave out what needs it */
	const char *keys;    /* file with the key script */
	const char *trace;
	bool tells_each_key; /* its bytes, on standard error */
};

/* In processes that only load: speed, processor time, peak of memory. */
bool bench_load(const struct bench_setting *setting, struct bench_report *report,
                struct error *err);
/* What such a process does; its numbers go to standard output. */
bool bench_load_child(const char *path, struct error *err);
/*
 * Processor time of a loop that only decodes the operands of a trace in memory; 0 for a trace
 * of the form before Go 1.22, as text or compressed.
 */
bool bench_limit(const char *path, int64_t *least_ns, struct error *err);
/* Frames over many viewports, folded and unfolded, and with a search. */
bool bench_frames(const struct trace *trace, struct bench_report *report, struct error *err);
/* A search and the first steps from match to match. */
bool bench_search(const struct trace *trace, struct bench_report *report, struct error *err);
/* Bytes that the program writes to a terminal, key by key. */
bool bench_keys(const struct bench_setting *setting, struct bench_report *report,
                struct error *err);

#endif
