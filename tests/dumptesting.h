/* Dumps for tests: a trace in, the text in memory out. */
#ifndef TTRACE_TESTS_DUMPTESTING_H
#define TTRACE_TESTS_DUMPTESTING_H

#include <stdbool.h>

#include "base/text.h"
#include "dump/dump.h"

enum dumptest_form { DUMPTEST_PARSED, DUMPTEST_GO123, DUMPTEST_WIRE, DUMPTEST_FOOTPRINT };

struct dumptest {
	/* Set before: */
	enum dumptest_form form;
	struct dump_interval interval;
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
void dumptest_text(struct dumptest *out, const char *text);
void dumptest_release(struct dumptest *out);

#endif
