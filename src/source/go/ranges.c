/* Rules of ranges: doc/format/go-trace-semantics.md, section 3.5. */
#include <inttypes.h>

#include "source/go/rules.h"

/* An event of a range; the scope is none yet. */
static struct go_event *
emit_range(struct state *state, struct machine *machine, const struct wire_event *wire,
           enum go_event_kind kind, enum go_range range, struct error *err)
{
	struct go_event *event = state_emit(state, machine, wire, kind, err);
	if (event == NULL)
		return NULL;
	event->u.range.range = range;
	event->u.range.detail = STRING_EMPTY;
	event->u.range.scope_g = GO_ID_NONE;
	event->u.range.scope_p = GO_ID_NONE;
	event->u.range.swept_bytes = event->u.range.reclaimed_bytes = 0;
	return event;
}

/* The goroutine on the thread for `user` events; NULL with err set when it is gone. */
static struct goroutine *
require_user(struct state *state, struct machine *machine, const struct wire_event *wire,
             struct error *err)
{
	if (!state_require(machine, NEED_USER, err))
		return NULL;
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (goroutine == NULL)
		state_fail(err, "event %s for goroutine (%" PRId64 ") that doesn't exist",
		           wire_kinds[wire->id].name, machine->g);
	return goroutine;
}

static enum advance
fail_in_progress(const struct wire_event *wire, bool is_in_progress, struct error *err)
{
	return state_fail(err, is_in_progress ? "%s: the range is in progress already"
	                                      : "%s: no such range is in progress",
	                  wire_kinds[wire->id].name);
}

/* ---- stop-the-world */

/* Checks that no such range is in progress on the goroutine, and that there are not too many. */
static bool
check_stops(const struct state *state, const struct goroutine *goroutine,
            const struct wire_event *wire, string_id kind, struct error *err)
{
	unsigned count = 0;
	for (uint32_t at = goroutine->stops; at != 0; at = state->notes[at].next) {
		if (state->notes[at].text == kind) {
			fail_in_progress(wire, true, err);
			return false;
		}
		if (++count == STOPS_MAX)
			return error_set(err, ERROR_LIMIT,
			                 "more than %d stop-the-world ranges at once", STOPS_MAX);
	}
	return true;
}

enum advance
rule_stw_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	struct goroutine *goroutine = require_user(state, machine, wire, err);
	string_id kind;
	if (goroutine == NULL || !state_string(state, wire, 1, &kind, err) ||
	    !check_stops(state, goroutine, wire, kind, err))
		return ADVANCE_FAILED;
	struct go_event *event =
		emit_range(state, machine, wire, GO_EVENT_RANGE_BEGIN, GO_RANGE_STW, err);
	if (event == NULL || !state_push_note(state, &goroutine->stops, 0, kind, err))
		return ADVANCE_FAILED;
	event->u.range.detail = kind;
	event->u.range.scope_g = goroutine->id;
	return ADVANCE_DONE;
}

enum advance
rule_stw_end(struct state *state, struct machine *machine, const struct wire_event *wire,
             struct error *err)
{
	struct goroutine *goroutine = require_user(state, machine, wire, err);
	if (goroutine == NULL)
		return ADVANCE_FAILED;
	uint32_t *oldest = &goroutine->stops;
	if (*oldest == 0)
		return fail_in_progress(wire, false, err);
	struct go_event *event =
		emit_range(state, machine, wire, GO_EVENT_RANGE_END, GO_RANGE_STW, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	/* The end names no kind: it is that of the range that began first. */
	while (state->notes[*oldest].next != 0)
		oldest = &state->notes[*oldest].next;
	event->u.range.detail = state->notes[*oldest].text;
	event->u.range.scope_g = goroutine->id;
	state_drop_note(state, oldest);
	return ADVANCE_DONE;
}

/* ---- ranges that are a flag on their owner */

/*
 * The rule for the flag of a range: a begin needs it clear, an end needs it
 * set, "active" needs it clear in the first generation and set later.
 */
static bool
switch_flag(const struct state *state, const struct wire_event *wire, enum go_event_kind kind,
            bool *flag, struct error *err)
{
	bool is_first = state->generation == state->initial_generation;
	bool is_wanted = kind == GO_EVENT_RANGE_END ||
	                 (kind == GO_EVENT_RANGE_ACTIVE && !is_first);
	if (*flag != is_wanted) {
		fail_in_progress(wire, *flag, err);
		return false;
	}
	*flag = kind != GO_EVENT_RANGE_END;
	return true;
}

static enum advance
advance_assist(struct state *state, struct machine *machine,
               const struct wire_event *wire, enum go_event_kind kind,
               struct goroutine *goroutine, struct error *err)
{
	if (goroutine == NULL || !switch_flag(state, wire, kind, &goroutine->is_assisting, err))
		return ADVANCE_FAILED;
	struct go_event *event =
		emit_range(state, machine, wire, kind, GO_RANGE_MARK_ASSIST, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.range.scope_g = goroutine->id;
	return ADVANCE_DONE;
}

enum advance
rule_assist_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                  struct error *err)
{
	return advance_assist(state, machine, wire, GO_EVENT_RANGE_BEGIN,
	                      require_user(state, machine, wire, err), err);
}

enum advance
rule_assist_end(struct state *state, struct machine *machine, const struct wire_event *wire,
                struct error *err)
{
	return advance_assist(state, machine, wire, GO_EVENT_RANGE_END,
	                      require_user(state, machine, wire, err), err);
}

enum advance
rule_assist_active(struct state *state, struct machine *machine, const struct wire_event *wire,
                   struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	struct goroutine *goroutine = state_find_goroutine(state, id);
	if (goroutine == NULL)
		return state_fail(err,
		                  "event GCMarkAssistActive for goroutine (%" PRId64
		                  ") that doesn't exist", id);
	return advance_assist(state, machine, wire, GO_EVENT_RANGE_ACTIVE, goroutine, err);
}

static enum advance
advance_sweep(struct state *state, struct machine *machine, const struct wire_event *wire,
              enum go_event_kind kind, struct proc *proc, struct error *err)
{
	if (!switch_flag(state, wire, kind, &proc->is_sweeping, err))
		return ADVANCE_FAILED;
	struct go_event *event =
		emit_range(state, machine, wire, kind, GO_RANGE_GC_SWEEP, err);
	if (event == NULL)
		return ADVANCE_FAILED;
	event->u.range.scope_p = proc->id;
	if (kind == GO_EVENT_RANGE_END) {
		event->u.range.swept_bytes = wire->args[1];
		event->u.range.reclaimed_bytes = wire->args[2];
	}
	return ADVANCE_DONE;
}

enum advance
rule_sweep_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
                 struct error *err)
{
	if (!state_require(machine, NEED_M | NEED_P, err))
		return ADVANCE_FAILED;
	return advance_sweep(state, machine, wire, GO_EVENT_RANGE_BEGIN, machine->p, err);
}

enum advance
rule_sweep_end(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	if (!state_require(machine, NEED_M | NEED_P, err))
		return ADVANCE_FAILED;
	return advance_sweep(state, machine, wire, GO_EVENT_RANGE_END, machine->p, err);
}

enum advance
rule_sweep_active(struct state *state, struct machine *machine, const struct wire_event *wire,
                  struct error *err)
{
	int64_t id = state_id(wire->args[1]);
	struct proc *proc = state_find_proc(state, id);
	if (proc == NULL)
		return state_fail(err,
		                  "event GCSweepActive for proc (%" PRId64 ") that doesn't exist",
		                  id);
	return advance_sweep(state, machine, wire, GO_EVENT_RANGE_ACTIVE, proc, err);
}

/* ---- the collection itself */

static enum advance
advance_gc(struct state *state, struct machine *machine, const struct wire_event *wire,
           enum go_event_kind kind, enum gc_state gc_state, struct error *err)
{
	if (!emit_range(state, machine, wire, kind, GO_RANGE_GC_MARK, err))
		return ADVANCE_FAILED;
	state->gc_sequence = wire->args[1];
	state->gc_state = gc_state;
	return ADVANCE_DONE;
}

enum advance
rule_gc_begin(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	/* The first word about collections is believed, whatever its number. */
	if (state->gc_state == GC_UNDETERMINED)
		return advance_gc(state, machine, wire, GO_EVENT_RANGE_BEGIN, GC_RUNNING, err);
	if (wire->args[1] != state->gc_sequence + 1)
		return ADVANCE_WAITS;
	if (state->gc_state == GC_RUNNING)
		return fail_in_progress(wire, true, err);
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	return advance_gc(state, machine, wire, GO_EVENT_RANGE_BEGIN, GC_RUNNING, err);
}

enum advance
rule_gc_active(struct state *state, struct machine *machine, const struct wire_event *wire,
               struct error *err)
{
	if (state->generation == state->initial_generation) {
		if (state->gc_state != GC_UNDETERMINED)
			return fail_in_progress(wire, state->gc_state == GC_RUNNING, err);
		return advance_gc(state, machine, wire, GO_EVENT_RANGE_ACTIVE, GC_RUNNING, err);
	}
	if (wire->args[1] != state->gc_sequence + 1)
		return ADVANCE_WAITS;
	if (state->gc_state != GC_RUNNING)
		return fail_in_progress(wire, false, err);
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	return advance_gc(state, machine, wire, GO_EVENT_RANGE_ACTIVE, GC_RUNNING, err);
}

enum advance
rule_gc_end(struct state *state, struct machine *machine, const struct wire_event *wire,
            struct error *err)
{
	if (wire->args[1] != state->gc_sequence + 1)
		return ADVANCE_WAITS;
	if (state->gc_state != GC_RUNNING)
		return fail_in_progress(wire, false, err);
	if (!state_require(machine, NEED_USER, err))
		return ADVANCE_FAILED;
	return advance_gc(state, machine, wire, GO_EVENT_RANGE_END, GC_NOT_RUNNING, err);
}
