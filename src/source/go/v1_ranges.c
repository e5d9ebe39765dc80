/*
 * The rules of v1 events that begin and end ranges: collections, stops of the
 * world, sweeps, assists.
 */
#include <string.h>

#include "source/go/v1_convert_internal.h"

static struct go_event
range_of(const struct v1_step *step, enum go_event_kind kind, enum go_range range,
         enum wire_id wire_id)
{
	struct go_event event = v1_event_of(step, kind, wire_id);
	event.u.range.range = range;
	event.u.range.scope_g = event.u.range.scope_p = GO_ID_NONE;
	return event;
}

bool
v1_gc_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, !converter->state.is_collecting, "a collection is in progress", err))
		return false;
	converter->state.is_collecting = true;
	v1_set_lane(step, GO_PROC_GC);
	struct go_event event =
		range_of(step, GO_EVENT_RANGE_BEGIN, GO_RANGE_GC_MARK, WIRE_GC_BEGIN);
	return v1_deliver(converter, step, &event, err);
}

bool
v1_gc_done(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, converter->state.is_collecting, "no collection is in progress", err))
		return false;
	converter->state.is_collecting = false;
	struct go_event event =
		range_of(step, GO_EVENT_RANGE_END, GO_RANGE_GC_MARK, WIRE_GC_END);
	return v1_deliver(converter, step, &event, err);
}

/* The texts of the kinds of a stop-the-world; empty for those that are not known. */
static const char *
stop_kind(unsigned minor, uint64_t kind)
{
	static const char *const before[] = {
		"GC mark termination",
		"GC sweep termination",
	};
	static const char *const names[] = {
		"",
		"GC mark termination",
		"GC sweep termination",
		"write heap dump",
		"goroutine profile",
		"goroutine profile cleanup",
		"all goroutine stack trace",
		"read mem stats",
		"AllThreadsSyscall",
		"GOMAXPROCS",
		"start trace",
		"stop trace",
		"CountPagesInUse (test)",
		"ReadMetricsSlow (test)",
		"ReadMemStatsSlow (test)",
		"PageCachePagesLeaked (test)",
		"ResetDebugLog (test)",
	};
	if (minor < V1_MINOR_STW_KINDS)
		return kind < ARRAY_LENGTH(before) ? before[kind] : "";
	return kind < ARRAY_LENGTH(names) ? names[kind] : "";
}

static bool
deliver_stop(struct v1_converter *converter, const struct v1_step *step, enum go_event_kind kind,
             enum wire_id wire_id, struct error *err)
{
	struct go_event event = range_of(step, kind, GO_RANGE_STW, wire_id);
	event.u.range.detail = converter->state.stop_kind;
	event.u.range.scope_g = step->g;
	return v1_deliver(converter, step, &event, err);
}

bool
v1_stw_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	const struct v1_file *file = converter->order->file;
	const char *kind = stop_kind(file->minor, step->record.args[1]);
	if (!v1_require(step, !converter->state.is_stopped, "the world is stopped already", err) ||
	    !intern_add(file->strings, kind, strlen(kind), &converter->state.stop_kind, err))
		return false;
	converter->state.is_stopped = true;
	return deliver_stop(converter, step, GO_EVENT_RANGE_BEGIN, WIRE_STW_BEGIN, err);
}

bool
v1_stw_done(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, converter->state.is_stopped, "the world is not stopped", err))
		return false;
	converter->state.is_stopped = false;
	return deliver_stop(converter, step, GO_EVENT_RANGE_END, WIRE_STW_END, err);
}

bool
v1_sweep_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, !step->proc->is_sweeping, "the proc is sweeping already", err))
		return false;
	step->proc->is_sweeping = true;
	struct go_event event =
		range_of(step, GO_EVENT_RANGE_BEGIN, GO_RANGE_GC_SWEEP, WIRE_GC_SWEEP_BEGIN);
	event.u.range.scope_p = step->p;
	return v1_deliver(converter, step, &event, err);
}

bool
v1_sweep_done(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, step->proc->is_sweeping, "the proc is not sweeping", err))
		return false;
	step->proc->is_sweeping = false;
	struct go_event event =
		range_of(step, GO_EVENT_RANGE_END, GO_RANGE_GC_SWEEP, WIRE_GC_SWEEP_END);
	event.u.range.scope_p = step->p;
	event.u.range.swept_bytes = step->record.args[1];
	event.u.range.reclaimed_bytes = step->record.args[2];
	return v1_deliver(converter, step, &event, err);
}

static bool
deliver_assist(struct v1_converter *converter, const struct v1_step *step, enum go_event_kind kind,
               enum wire_id wire_id, struct error *err)
{
	struct go_event event = range_of(step, kind, GO_RANGE_MARK_ASSIST, wire_id);
	event.u.range.scope_g = step->g;
	return v1_deliver(converter, step, &event, err);
}

bool
v1_assist_start(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	if (!v1_require(step, !step->goroutine->is_assisting, "a mark assist is in progress", err))
		return false;
	step->goroutine->is_assisting = true;
	return deliver_assist(converter, step, GO_EVENT_RANGE_BEGIN, WIRE_GC_MARK_ASSIST_BEGIN,
	                      err);
}

/* It may have begun before the trace. */
bool
v1_assist_done(struct v1_converter *converter, struct v1_step *step, struct error *err)
{
	step->goroutine->is_assisting = false;
	return deliver_assist(converter, step, GO_EVENT_RANGE_END, WIRE_GC_MARK_ASSIST_END, err);
}
