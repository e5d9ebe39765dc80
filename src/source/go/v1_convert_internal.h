/*
 * What the rules of v1 events share: v1_convert.c (goroutines, procs, metrics),
 * v1_ranges.c and v1_annotations.c.
 */
#ifndef TTRACE_SOURCE_GO_V1_CONVERT_INTERNAL_H
#define TTRACE_SOURCE_GO_V1_CONVERT_INTERNAL_H

#include "source/go/v1_convert.h"
#include "source/go/v1_state.h"
#include "source/go/wire.h"

struct v1_converter {
	struct v1_state state;
	struct v1_order *order;
	struct delivery *delivery;
	double ns_per_tick;
	string_id reasons[V1_ID_COUNT]; /* why a goroutine stops or blocks */
};

/* One event, and what it is about. */
struct v1_step {
	struct v1_record record;
	const struct v1_event *event;
	struct v1_goroutine *goroutine; /* that the event is of */
	struct v1_proc *proc;           /* on which it happens, before any lane is put for it */
	int64_t time_ns;
	int64_t m, p, g;                /* context as it is delivered */
	stack_id stack;
	bool is_about_trace;            /* what went wrong with it */
};

/*
 * Checks a sort of event against those before it and delivers what it becomes. False
 * with err set; is_about_trace then says whether the trace is to blame.
 */
typedef bool v1_rule(struct v1_converter *converter, struct v1_step *step, struct error *err);

/* ---- v1_convert.c */

/* True if it holds; otherwise false, with err told the problem and where it is. */
bool v1_require(struct v1_step *step, bool holds, const char *what, struct error *err);

/* Moves the event from the proc it happened on to a lane without a thread. */
void v1_set_lane(struct v1_step *step, enum go_pseudo_proc lane);

/* An event in the context of the step, with nothing but that in it. */
struct go_event v1_event_of(const struct v1_step *step, enum go_event_kind kind,
                            enum wire_id wire_id);

/* Delivers the event at the step's time, and counts it by its wire_id. */
bool v1_deliver(struct v1_converter *converter, const struct v1_step *step,
                struct go_event *event, struct error *err);

/* ---- v1_ranges.c */

v1_rule v1_gc_start, v1_gc_done;
v1_rule v1_stw_start, v1_stw_done;
v1_rule v1_sweep_start, v1_sweep_done;
v1_rule v1_assist_start, v1_assist_done;

/* ---- v1_annotations.c */

v1_rule v1_task_create, v1_task_end;
v1_rule v1_region, v1_user_log;

#endif
