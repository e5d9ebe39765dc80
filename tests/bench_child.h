/* A program that is run to see what it costs, within limits. */
#ifndef TTRACE_TESTS_BENCH_CHILD_H
#define TTRACE_TESTS_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct child_limits {
	uint64_t memory_bytes; /* of address space; 0: no limit */
	int seconds;           /* by the wall clock; 0: no limit */
};

/* Zero-initialised is not running. */
struct child {
	pid_t pid;
	int fd; /* brings what it says */
	int64_t start_ns, deadline_ns;
	char heard[256]; /* of what it said, not yet handed out */
	size_t heard_length;
	bool is_late;
};

/* What a run cost, and how it ended. */
struct child_result {
	double seconds, processor_seconds, peak_mb;
	char failure[160]; /* "" if it ended well */
};

/*
 * Starts argv in a process group of its own. What it writes to listen_fd (1 or 2) can be
 * read; where that is 2, its standard output goes to /dev/null. The peak of memory is never
 * below what the caller itself holds at that moment.
 */
bool child_start(struct child *child, const char *const argv[], int listen_fd,
	const struct child_limits *limits, struct error *err);
/* The next line, cut to size, without its end; false at the end and when time is up. */
bool child_read_line(struct child *child, char *line, size_t size);
/* Keeps the first line that is none of a log with times: there a program says why it fails. */
void child_note_cause(const char *line, char *said, size_t size);
double child_seconds(const struct child *child);
/* Waits for the end; result may be NULL. */
void child_end(struct child *child, struct child_result *result);
/* Ends it and its group at once. */
void child_kill(struct child *child);

#endif
