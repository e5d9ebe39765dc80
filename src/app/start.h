/* What the options say about where to look, once the trace is known. */
#ifndef TTRACE_APP_START_H
#define TTRACE_APP_START_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options.h"
#include "app/outcome.h"
#include "base/error.h"
#include "source/go/bound.h"
#include "trace/trace.h"

struct start {
	struct viewport viewport; /* within the trace, at least 1 ns */
	bool has_interval;        /* the options name one; else it is all of the trace */
	int64_t cursor_ns;        /* within the viewport */
	actor_ref focus;          /* REF_NONE without --goroutine */
	actor_ref stacks;         /* the same of --stack-lanes */
	struct interacts_plan interacts; /* of --interacts */
	actor_ref path;           /* the same of --path */
	task_ref task;            /* REF_NONE without --task and --focus-task */
	enum task_view tasks;     /* which of the two it is of */
	string_id region;         /* STRING_EMPTY without --region */
	struct arrange_plan plan; /* of the lanes */
	bool has_lane;            /* the options name a row ... */
	struct lane lane;         /* ... which is this one */
};

/*
 * OUTCOME_FINE, or with err set: OUTCOME_NO for an actor, task or row that the trace does not
 * have, OUTCOME_USAGE for times beyond its end.
 */
enum outcome start_find(struct start *start, const struct options *options,
	const struct trace *trace, struct error *err);

/*
 * The rows that the options hide and pin; false with err set for one that the trace does not have.
 * Both are to be released.
 */
bool start_pick(struct row_picks *hidden, struct row_picks *pinned, const struct options *options,
	const struct trace *trace, struct error *err);

/* The time that the options ask for, of a trace of which nothing is loaded yet. */
struct go_wish start_wish(const struct options *options, const struct trace *outline);

/*
 * The interval that the options name, before anything is known of the trace, behind the end of
 * which it may end. False where that cannot be said: with times of day.
 */
bool start_interval(const struct options *options, struct viewport *interval);

/*
 * The same for a trace of which more may come; true if the whole one would start there as
 * well, but for where it ends.
 */
bool start_is_settled(struct start *start, const struct options *options,
	const struct trace *trace);

#endif
