/*
 * Sources: the kinds of input that can be read. Each is a row of the registry, which knows what it
 * is recognised by and how it becomes a trace. The source that is surest of an input has it.
 */
#ifndef TTRACE_SOURCE_SOURCE_H
#define TTRACE_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "input/input.h"
#include "source/go/bound.h"
#include "source/go/showing.h"
#include "trace/trace.h"

/* How a trace is wanted. Those that only load whole (below) take no bound and show nothing before. */
struct source_wish {
	struct progress *progress; /* may be NULL */
	bool is_lenient;           /* makes the best of what is damaged */
	const struct go_bound *bound; /* on memory; NULL: none */
	const struct trace_watch *watch; /* who looks at it meanwhile; may be NULL */
	const char *section;     /* of a text with parts, which one is meant: its number or kind; or NULL */
	const char *sample_type; /* of samples, the type that is shown; NULL: as the input says */
};

/* Points by which sources say how sure they are. */
enum {
	SOURCE_LEAST = 4,       /* fewer are chance */
	SOURCE_PART_LEAST = 10, /* of a part of other text: one that has fewer is of the words around it */
	SOURCE_SURE = 1000      /* nothing else begins so: no more bytes are looked at */
};

/* So many lines that are its own are enough to be sure by: the next ones of a pipe may be long in coming. */
enum { SOURCE_LINES_SURE = 25 };

enum { SOURCE_HEAD_BYTES = INPUT_BUFFER_BYTES }; /* of an input are looked at, unpacked */

struct source {
	const char *name;          /* as --source= takes it, that of its struct words */
	const char *input;         /* what is read, in --help: "the kernel's function_graph" */
	const char *recognised_by; /* a line for people, as is: */
	const char *answers;
	/* The points of what begins so, at most SOURCE_HEAD_BYTES and maybe cut anywhere. */
	unsigned (*recognise)(const uint8_t *bytes, size_t size);
	/*
	 * Reads the input to its end. NULL with err set where there is nothing to show. One that is
	 * only loaded whole gets what is inside of all packings.
	 */
	struct trace *(*load)(struct input *in, const struct source_wish *wish, struct error *err);
	/*
	 * NULL, unless it runs another program to load: that takes somebody who agrees, or its name. False
	 * with err set to ERROR_CONSENT, whose message says what it needs to be agreed to, or to why it
	 * cannot load this anyway.
	 */
	bool (*ask)(struct input *in, struct error *err);
	/*
	 * It is only loaded whole, and then looked at: without events as they come (dumps, sums),
	 * bounds on memory and caches.
	 */
	bool is_whole;
	bool has_lines;        /* it may stand in other text, whose lines it knows from its own */
	bool has_others;       /* other inputs stand in it: it is asked where two sources give SOURCE_PART_LEAST */
	const char *element; /* what it is there, if it is one of XML: "svg"; else NULL */
};

/*
 * A row for each source, a tie is decided for the first; one with others in it stands behind these.
 * X(NAME) stands for the constant NAME_source in source/NAME/, whose name is NAME.
 */
#define SOURCE_TABLE(X) \
	X(go) \
	X(function_graph) \
	X(ftrace) \
	X(histogram) \
	X(perf_script) \
	X(perf_data) \
	X(perf_report) \
	X(strace) \
	X(flamegraph_svg) \
	X(pprof) \
	X(pprof_text) \
	X(folded) \
	X(text)

#define SOURCE_EXTERN(name) extern const struct source name##_source;
SOURCE_TABLE(SOURCE_EXTERN)
#undef SOURCE_EXTERN

/* The rows, counted from 0; NULL behind the last. */
const struct source *source_row(size_t index);
/* The row of that name, NULL for none. */
const struct source *source_find(const char *name);
/* The names of the rows in their order, NULL behind the last. */
extern const char *const source_names[];
/* "go or function_graph": all names, with that word before the last. */
void source_add_names(struct text *out, const char *last);

struct source_match {
	const struct source *source;
	unsigned points; /* that it gives the input; 0 where only its name was given */
};

/*
 * Finds out whose input it is, taking nothing of it. Looks at few bytes first, since those of a
 * pipe may be long in coming. `name` is the source that it has to be; NULL: the surest one. What
 * no source knows is ERROR_FORMAT, which tells what it is or how it begins.
 */
bool source_recognise(struct source_match *match, const char *name, struct input *in,
	struct error *err);

/*
 * Recognises the input and loads it. ERROR_USAGE where the source cannot do what is wished; ERROR_CONSENT
 * where it runs a program, and no name says that it is meant.
 */
struct trace *source_load(struct input *in, const char *name, const struct source_wish *wish,
	struct error *err);

#endif
