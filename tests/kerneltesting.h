/* Traces of the kernel against what an independent reader says of them. */
#ifndef TTRACE_TESTS_KERNELTESTING_H
#define TTRACE_TESTS_KERNELTESTING_H

#include <stdint.h>

#include "jsonread.h"
#include "trace/trace.h"

/* The number of that key, which is there. */
int64_t kerneltesting_number(struct jsonslice object, const char *key);
/* A key without its quotes. */
struct jsonslice kerneltesting_inside(struct jsonslice key);
void kerneltesting_check(const char *row, const char *what, int64_t got, int64_t wanted);
/* Names and times of all tasks, by --report=sched, are those of the oracle's "threads". */
void kerneltesting_check_tasks(const char *name, const struct trace *trace, struct jsonslice threads);
/* "running 5, asleep 3": the states of a task one after the other, in microseconds. */
void kerneltesting_check_states(const struct trace *trace, int64_t pid, const char *wanted);
/* The name of the group that a task stands in; both names are of it. */
void kerneltesting_check_group(const struct trace *trace, int64_t pid, const char *wanted);

#endif
