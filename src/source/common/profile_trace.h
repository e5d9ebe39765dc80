/*
 * A trace of what has no time: profiles, and answers ready made. Who reads one fills the trace's
 * samples (trace/sample_set.h), strings and stacks himself; what is the same for all is here.
 */
#ifndef TTRACE_SOURCE_COMMON_PROFILE_TRACE_H
#define TTRACE_SOURCE_COMMON_PROFILE_TRACE_H

#include "base/error.h"
#include "input/input.h"
#include "source/common/scan.h"
#include "trace/sample_set.h"
#include "trace/state.h"
#include "trace/trace.h"
#include "trace/words.h"

/* The words of such a source, which has nobody whose time could be told. */
#define TIMELESS_WORDS(name)                                                                       \
	{                                                                                          \
		.source = (name), .actor = { "thread", "threads", '\0' },                          \
		.function = { "function", "functions", '\0' },                                     \
		.classes = { [CLASS_GONE] = { "gone", NULL }, [CLASS_UNKNOWN] = { "unknown", NULL } }, \
	}

/*
 * An empty trace with an empty set of samples. `words` outlive it; their `.actor` is nobody, since
 * there are none, but must be named. NULL with err set for want of memory; else trace_free().
 */
struct trace *profile_trace_new(const struct words *words, struct error *err);
/* All was read from `in`: freezes the trace. */
bool profile_trace_finish(struct trace *trace, const struct input *in, struct error *err);

/*
 * Hostile bytes can name a place of many frames again and again: no more come out of a profile of
 * so many bytes, and `left` begins with that. ERROR_LIMIT where it is less than `count`.
 */
static inline uint64_t
profile_frames_most(uint64_t bytes)
{
	return (UINT64_C(1) << 20) + bytes * 64;
}

static inline bool
profile_take_frames(uint64_t *left, uint64_t count, struct error *err)
{
	if (count > *left)
		return error_set(err, ERROR_LIMIT, "more frames than so short a profile can have");
	*left -= count;
	return true;
}

/* The name of what has none: "[libc.so]" after the file that it lies in, else NAME_CALLED_UNKNOWN. */
bool profile_trace_name(struct trace *trace, struct scan file, string_id *name, struct error *err);

/* The stack of a function of which no more than the name is known, called from `caller`. */
bool profile_trace_push(struct trace *trace, stack_id caller, const char *name, size_t length,
	stack_id *stack, struct error *err);

#endif
