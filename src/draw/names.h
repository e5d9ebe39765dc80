/*
 * What things of a trace are called on the screen, as safe text, in ASCII where
 * asked for. All functions append.
 */
#ifndef TTRACE_DRAW_NAMES_H
#define TTRACE_DRAW_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"

/* The text of a string from the file, made safe. */
void name_string(struct text *out, const struct trace *trace, string_id string, bool ascii);
/* The same; what is too long ends in dots. For names that are not of Go's functions. */
void name_string_within(
	struct text *out, const struct trace *trace, string_id string, size_t cells, bool ascii);
/* The text of a function's or type's name, shortened as text_add_short_name() does. */
void name_short_string(
	struct text *out, const struct trace *trace, string_id string, size_t cells, bool ascii);
/* The same of bytes that need not be the trace's. */
void name_short_bytes(
	struct text *out, const char *bytes, size_t length, size_t cells, bool ascii);
/* A function of a stack: "main.worker", or "<unknown>". */
void name_called(
	struct text *out, const struct trace *trace, string_id function, size_t cells, bool ascii);
/* A start function: "main.worker", or "(start unknown)". */
void name_function(
	struct text *out, const struct trace *trace, string_id name, size_t cells, bool ascii);
/*
 * What a group has in common: its function as name_function(), "G42 main.accept" for its creator,
 * a label, "checkout 7" for a task, a class of time; or that it is not known.
 */
void name_group(
	struct text *out, const struct trace *trace, group_ref group, size_t cells, bool ascii);
/* Whether the actor is called by its name alone: the source made its id up, which is below 0 then. */
bool name_is_enough(const struct actor *actor);
/* "G42"; or the name, where that is enough. */
void name_actor_id(struct text *out, const struct trace *trace, actor_ref actor);
void name_processor(struct text *out, const struct trace *trace, resource_ref processor); /* "P3" */
/* "G42 main.worker" in full. */
void name_actor(
	struct text *out, const struct trace *trace, actor_ref actor, bool ascii);
/*
 * "G42 main.worker", shorter or "G42" alone where the cells do not do; empty
 * where even that is too long.
 */
void name_actor_within(struct text *out, const struct trace *trace, actor_ref actor,
	size_t cells, bool ascii);
/*
 * Why a state is what it is, in words: a blocked state's reason, or its class; else the
 * state's name. "chan receive", "running", "gc worker".
 */
void name_state(struct text *out, const struct trace *trace, const struct span *span, bool ascii);
/*
 * Where a state was, in words: " on P2, thread 71"; of a syscall that the scheduler took the
 * processor from " on P2, lost after 21 µs, thread 71". Without what the lane is itself. O(log n).
 */
void name_whereabouts(struct text *out, const struct trace *trace, struct lane lane,
	const struct span *span, bool ascii);
/* "goroutine", "network", "timer", ... for tables and programs; "" for unknown. */
const char *name_waker_type(const struct words *words, enum waker_type type);
/*
 * What made an actor ready: "G17 net/http.(*conn).serve", "a timer on P3", "the network". Not of
 * what is unknown.
 */
void name_waker(struct text *out, const struct trace *trace, struct waker waker, bool ascii);

/* "GC mark phase" or "Stop the world" for LANE_GC or LANE_STW. */
const char *name_range_lane(struct lane lane);

#endif
