/* The program without a screen: reports on standard output or through a pager. */
#ifndef TTRACE_APP_PRINT_H
#define TTRACE_APP_PRINT_H

#include <stdbool.h>

#include "app/environment.h"
#include "app/options.h"
#include "app/start.h"
#include "base/error.h"
#include "trace/trace.h"

struct search; /* query/search.h */

struct print {
	const struct trace *trace;
	const struct tally *tally; /* of a trace that was only summed up, for the summary; else NULL */
	const char *file_name; /* as the command line has it, safe text; NULL for standard input */
	const char *title;     /* over the lanes, safe text */
	const struct options *options;
	const struct environment *environment;
	const struct start *start;
	struct search *only; /* of --query; NULL without */
	const char *query;   /* safe text */
};

/*
 * Prints what --report names; without it the summary and then the lanes, or the
 * goroutine of --goroutine, or the task of --task. A reader that goes early is no failure.
 */
bool print_run(const struct print *print, struct error *err);

#endif
