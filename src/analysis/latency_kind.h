/*
 * Which durations are asked for, as options and reports write it:
 *
 *     sched            actors ready, until they run
 *     stw gc           the world stopped; mark phases of the collector
 *     assist sweep     actors that mark, or sweep, for the collector
 *     syscall          system calls
 *     block[=REASON]   actors blocked, for whatever reason or for that one
 *     region=NAME      user regions of that name
 *     task=NAME        user tasks of that name
 *     "QUERY"          the spans that a query (query/query.h) finds
 *
 * A name may stand in double quotes; what is between the first and the last of them is taken as it
 * is: nothing for those without a name. A query needs them only where it begins with region or
 * task.
 */
#ifndef TTRACE_ANALYSIS_LATENCY_KIND_H
#define TTRACE_ANALYSIS_LATENCY_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum latency_type {
	LATENCY_SCHED,
	LATENCY_STW,
	LATENCY_GC,
	LATENCY_ASSIST,
	LATENCY_SWEEP,
	LATENCY_SYSCALL,
	LATENCY_BLOCK,
	LATENCY_REGION,
	LATENCY_TASK,
	LATENCY_QUERY,
	LATENCY_TYPE_COUNT
};

struct latency_kind {
	enum latency_type type;
	char *name; /* the reason, the name or the query; NULL where none is asked for */
};

/*
 * Reads the part [from, to) of a text. False with err set and *kind empty: ERROR_USAGE says what is
 * wrong, at which character of the text, with its byte as the error's offset; or ERROR_MEMORY.
 * Release with latency_kind_release() after success.
 */
bool latency_kind_parse(struct latency_kind *kind, const char *text, size_t from, size_t to,
                        struct error *err);
/* The same of one that is read; false without memory. */
bool latency_kind_copy(struct latency_kind *kind, const struct latency_kind *from, struct error *err);
void latency_kind_release(struct latency_kind *kind); /* an empty one is fine */

/* Appends what reads back as the same; raw bytes. */
void latency_kind_add(struct text *out, const struct latency_kind *kind);

#endif
