/* Traces of every sort, for what must hold of all of them. */
#ifndef TTRACE_TESTS_ALLTRACES_H
#define TTRACE_TESTS_ALLTRACES_H

#include <stddef.h>

/* Checks the bytes of a trace; a failure is the test's, which says `name`. */
typedef void alltraces_check(const char *name, const void *bytes, size_t size);

/* testdata/NAME.trace. */
void alltraces_file(const char *name, alltraces_check *check);
/* Many small ones, drawn from seeds. */
void alltraces_simulated(alltraces_check *check);
/* Some of testdata, cut off here and there or with a byte changed. */
void alltraces_damaged(alltraces_check *check);

#endif
