/*
 * A program that writes an input. It is found in PATH and started without a shell, with nothing to read
 * and in a group of its own, so that it ends with all that it started. Of what it writes to standard error
 * the last line is kept, and nothing gets to the terminal.
 */
#ifndef TTRACE_INPUT_PROGRAM_H
#define TTRACE_INPUT_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"

enum { PROGRAM_LINE_BYTES = 200 };

/* May not be moved while it runs. */
struct program {
	pid_t pid;
	bool is_missing; /* why program_start() failed: there is none of that name */
	int complaints;  /* its standard error */
	struct worker *listener;
	atomic_bool is_over;
	char line[PROGRAM_LINE_BYTES]; /* being read, cut to that */
	size_t length;
	char last[PROGRAM_LINE_BYTES]; /* raw; "": none. Good once it has ended */
};

/*
 * Starts argv[0] and opens what it prints. False with err set where that cannot be; then nothing is open. Else *in
 * is to be closed first, and then the program ended.
 */
bool program_start(struct program *program, const char *const *argv, struct input *in, struct error *err);
/*
 * Waits for its end, unless is_over says that nobody wants more of it, or the progress, which may be NULL, is
 * cancelled: then it is killed. False with err set where it failed, was killed, or it was cancelled.
 */
bool program_end(struct program *program, bool is_over, const struct progress *progress, struct error *err);

#endif
