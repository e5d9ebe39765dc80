/* Traces of a few hundred bytes, two generations with a bit of everything, as text (texttrace.h). */
#ifndef TTRACE_TESTS_SMALLTRACES_H
#define TTRACE_TESTS_SMALLTRACES_H

struct small_trace {
	const char *name, *text;
};

enum { SMALL_TRACES = 3 };
extern const struct small_trace small_traces[SMALL_TRACES]; /* 1.22, 1.25, 1.26 */

#endif
