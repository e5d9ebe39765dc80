/* Two traces in tests, one beneath the other: captures of testdata/go-and-sched, and what is made of them. */
#ifndef TTRACE_TESTS_BENEATHTESTING_H
#define TTRACE_TESTS_BENEATHTESTING_H

#include "analysis/beneath/beneath.h"

struct pair {
	struct trace *above, *below;
	struct beneath beneath;
};

/* What the bytes are a trace of; `name` tells them when that fails. */
struct trace *beneathtesting_read(const char *name, const void *bytes, size_t size);
/* The same of a capture: NAME.trace.gz of the program, NAME.txt.gz of the kernel. */
struct trace *beneathtesting_load(const char *name, const char *suffix);
/* The program's trace of a capture over another trace, which it takes over; the shift is 0. */
void beneathtesting_put(struct pair *pair, const char *name, struct trace *below);
void beneathtesting_open(struct pair *pair, const char *name);
void beneathtesting_close(struct pair *pair);
/* Their clocks cannot be compared, for a reason with these words; it takes `below` over. */
void beneathtesting_refuses(const char *name, struct trace *below, const char *wanted);

#endif
