/*
 * One line of strace: the thread and the time in front, and the call, half of a call, signal or end
 * behind them. What belongs together over several lines is put together by who reads them.
 */
#ifndef TTRACE_SOURCE_STRACE_LINE_H
#define TTRACE_SOURCE_STRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"

enum strace_kind {
	STRACE_UNKNOWN,
	STRACE_BLANK,
	STRACE_CALL,       /* from its begin to its end */
	STRACE_BEGIN,      /* "read(3,  <unfinished ...>" */
	STRACE_LEFT,       /* "read(3,  <detached ...>": no more is told of it */
	STRACE_RESUMED,    /* "<... read resumed>"x", 64) = 1" */
	STRACE_RESUMED_BEGIN, /* the same, but it does not end either */
	STRACE_SIGNAL,     /* "--- SIGCHLD {...} ---" */
	STRACE_STOPPED,    /* "--- stopped by SIGSTOP ---" */
	STRACE_EXITED,     /* "+++ exited with 0 +++" */
	STRACE_KILLED,
	STRACE_SUPERSEDED, /* by the execve of another thread, which goes on as this one */
	STRACE_ATTACHED,   /* "strace: Process 12 attached" */
	STRACE_DETACHED,
	STRACE_NOTE,       /* what else strace says of itself */
	STRACE_FRAME,      /* " > libc.so.6(read+0x10) [0x1234]", of the stack of the line before */
	STRACE_SUMMARY     /* the head of the table of -c */
};

enum strace_clock {
	STRACE_NO_CLOCK,
	STRACE_SINCE_LINE,  /* seconds since the line before */
	STRACE_TIME_OF_DAY,
	STRACE_UNIX_TIME
};

/* Scans are of the line, and empty where it has no such thing. */
struct strace_line {
	enum strace_kind kind;
	enum strace_clock clock;
	int64_t time_ns;
	bool is_coarse;      /* the time is in whole seconds */
	int64_t pid;         /* -1: none */
	struct scan comm;    /* the name of the thread */
	struct scan name;    /* of a call or a signal */
	/* Of a call what stands behind its name: "(3, " and so on; else what is framed: "exited with 0". */
	struct scan text;
	struct scan result;  /* of a call that ended: "-1 ENOENT (No such file or directory)" */
	int64_t took_ns;     /* -1: it does not say */
	int64_t returned;    /* the number in the result; 0 where there is none */
	bool is_error, has_no_result; /* "-1 E..."; "?" */
	int64_t other_pid;   /* of who was attached, or became this thread */
};

/* Any line, without its newline. O(length). */
void strace_line_read(struct scan text, struct strace_line *line);

/* The same of " > file(function+0x1f) [0x1234]". False where it is none. */
struct strace_frame {
	struct scan file, function;
	uint64_t address;
};

bool strace_frame_read(struct scan text, struct strace_frame *frame);

/*
 * Where strace says that it attached to a process, or left it, it breaks the line that it is about to
 * write: what was written of that stands before. STRACE_ATTACHED or STRACE_DETACHED where the line ends
 * so, else STRACE_UNKNOWN and nothing is set.
 */
enum strace_kind strace_said_at_end(struct scan text, struct scan *before, int64_t *pid);

/* A text in quotes that comes next, without them; false where there is none. */
bool strace_take_quoted(struct scan *scan, struct scan *text);

#endif
