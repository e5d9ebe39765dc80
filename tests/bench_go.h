/* The same questions asked of ttrace and of Go's own tool, in turn. */
#ifndef TTRACE_TESTS_BENCH_GO_H
#define TTRACE_TESTS_BENCH_GO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "bench_child.h"

struct go_setting {
	const char *program;        /* ttrace */
	const char *tool;           /* the compiled `go tool trace` */
	const char *json;           /* NULL: none is written */
	const char *only;           /* names of rows as in the JSON, with commas; NULL: all */
	int runs;                   /* of each, one after the other in turn */
	struct child_limits limits; /* of each process */
};

/*
 * Measures and prints, trace by trace. A tool that fails is a result; false only
 * where a measurement could not be begun or kept.
 */
bool bench_go(
	const struct go_setting *setting, char **traces, size_t trace_count, struct error *err);

/*
 * The tool's web viewer: started, its first page fetched, then the events of the first
 * part of the trace, and ended. result goes up to the events; page is the same up to the
 * first page, in seconds only.
 */
bool viewer_run(const struct go_setting *setting, const char *trace, struct child_result *page,
	struct child_result *result, struct error *err);

#endif
