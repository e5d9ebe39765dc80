/* Pieces of text traces and the table of small traces that several tests of the reader use. */
#ifndef TTRACE_TESTS_GOTRACE_TESTING_H
#define TTRACE_TESTS_GOTRACE_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "readtrace.h"

#define NONE "18446744073709551615"
#define GO22 "Trace Go1.22\n"
#define GO23 "Trace Go1.23\n"
#define GO25 "Trace Go1.25\n"
#define GO26 "Trace Go1.26\n"

/* A batch of thread m; in these traces a tick is a nanosecond. */
#define BATCH(gen, m, time) "EventBatch gen=" gen " m=" m " time=" time " size=*\n"
/* The frequency of a generation, before 1.25 and after. */
#define FREQ(gen) BATCH(gen, NONE, "0") "Frequency freq=1000000000\n"
#define SYNC(gen) \
	BATCH(gen, NONE, "0") \
	"Sync\nFrequency freq=1000000000\nClockSnapshot dt=1 mono=2 sec=3 nsec=4\n"
#define STRINGS(gen) BATCH(gen, NONE, "0") "Strings\n"

/* Thread 0 with proc 0 and goroutine 1 running. */
#define P0 "ProcStatus dt=1 p=0 pstatus=1\n"
#define G1 "GoStatus dt=1 g=1 m=0 gstatus=2\n"
#define P0_EVENT "0/-/- p0 Undetermined->Running\n"
#define G1_EVENT "0/0/- g1 Undetermined->Running\n"

struct trace_row {
	const char *name, *text;
	const char *problem; /* part of the message with which reading ends; NULL: none */
	const char *events;  /* lines of what is delivered; NULL: not compared */
};

static inline void
check_trace_row(const struct trace_row *row)
{
	struct readtrace got = { 0 };
	readtrace_text(&got, row->text);
	const char *problem = readtrace_problem(&got);
	if (row->problem == NULL ? *problem != '\0' : strstr(problem, row->problem) == NULL)
		fail_msg("%s: the problem is \"%s\", should be \"%s\"", row->name, problem,
		         row->problem ? row->problem : "");
	if (row->problem != NULL && got.err.offset_bytes == ERROR_NO_OFFSET)
		fail_msg("%s: the problem has no place", row->name);
	if (row->events != NULL && strcmp(got.events.bytes, row->events) != 0)
		fail_msg("%s: delivered\n%sshould be\n%s", row->name, got.events.bytes,
		         row->events);
	if (got.is_out_of_order)
		fail_msg("%s: times do not increase", row->name);
	readtrace_release(&got);
}

static inline void
check_trace_rows(const struct trace_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_trace_row(&rows[i]);
}

#endif
