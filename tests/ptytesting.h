/* What the tests in a terminal share: programs that are there or fail the test, and files. */
#ifndef TTRACE_TESTS_PTYTESTING_H
#define TTRACE_TESTS_PTYTESTING_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ptyterm.h"

enum { PTYTESTING_PATH_BYTES = 4096, PTYTESTING_ARGS = 6 };

typedef char path_text[PTYTESTING_PATH_BYTES];

/* A name for a file of this test alone. */
static inline void
own_path(path_text path, const char *name)
{
	const char *place = getenv("TMPDIR");
	snprintf(path, PTYTESTING_PATH_BYTES, "%s/ttrace-%ld-%s", place != NULL ? place : "/tmp",
		(long)getpid(), name);
}

/* Makes a pipe of that name, which a run that was killed may have left; the writer's end. */
static inline int
own_fifo(path_text path, const char *name)
{
	own_path(path, name);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	int writer = open(path, O_RDWR);
	assert_true(writer >= 0);
	return writer;
}

/*
 * argv, of PTYTESTING_ARGS at most, for the program that a variable of the environment names,
 * with arguments up to a NULL.
 */
static inline void
fill_argv(const char *argv[], const char *variable, const char *const arguments[])
{
	int count = 0;
	argv[count++] = getenv(variable);
	if (argv[0] == NULL)
		fail_msg("%s does not name the program to test", variable);
	for (; *arguments != NULL; arguments++) {
		assert_true(count < PTYTESTING_ARGS - 1);
		argv[count++] = *arguments;
	}
	argv[count] = NULL;
}

static inline struct ptyterm *
start_program(const char *variable, const char *const arguments[],
	const struct ptyterm_options *options)
{
	const char *argv[PTYTESTING_ARGS];
	fill_argv(argv, variable, arguments);
	struct ptyterm *term = ptyterm_start(argv, options);
	assert_non_null(term);
	return term;
}

#endif
