/* Dumps for tests: a trace in, the text in memory out. */
#ifndef TTRACE_TESTS_DUMPTESTING_H
#define TTRACE_TESTS_DUMPTESTING_H

#include <stdbool.h>

#include "base/text.h"
#include "dump/dump.h"

enum dumptest_form { DUMPTEST_PARSED, DUMPTEST_GO123, DUMPTEST_WIRE, DUMPTEST_FOOTPRINT, DUMPTEST_JSON };

struct dumptest {
	/* Set before: */
	enum dumptest_form form;
	enum dump_json_view view; /* of DUMPTEST_JSON */
	int64_t id;               /* the same: the goroutine or the task */
	struct dump_interval interval;
	uint64_t fail_after; /* the allocation, counted from 1, that fails; 0 for none */
	bool refuses; /* writing fails, and the disk is full */
	/* What came of it: */
	bool ok;
	struct text text; /* with a zero behind it in any case */
	struct go_read_result result;
	struct error err;
};

/* Each dumps one trace; that it cannot be opened or assembled is the test's failure. */
void dumptest_file(struct dumptest *out, const char *path);
void dumptest_bytes(struct dumptest *out, const void *bytes, size_t size);
/* The descriptor is closed. */
void dumptest_fd(struct dumptest *out, int fd);
void dumptest_text(struct dumptest *out, const char *text);
void dumptest_release(struct dumptest *out);

/*
 * Dumps the trace again and again with later and later allocations failing, until none does.
 * Each failure must be reported as want of memory. What is set before is taken from `setting`.
 */
void dumptest_fail_in_turn(const struct dumptest *setting, const void *bytes, size_t size);

/* What a writer writes, kept: its context is a struct text. */
bool dumptest_collect(void *context, const char *bytes, size_t length, struct error *err);
/* What a writer to dumptest_collect() wrote since the last call must be `expected`. */
void dumptest_check_written(struct writer *out, const char *expected);

#endif
