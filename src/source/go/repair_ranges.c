/* Repairs of ranges and regions, of which the one end or the other was lost. */
#include "source/go/repair_internal.h"

/* How deep an end is looked for among the open regions of a goroutine. */
enum { REGIONS_CLOSED_MAX = 8 };

/* Nobody will tell of the end of the range. */
static void
push_range_end(struct state *state, enum go_range range, string_id detail, int64_t g, int64_t p)
{
	struct go_event *event = repair_push(state, GO_EVENT_RANGE_END);
	event->u.range.range = range;
	event->u.range.detail = detail;
	event->u.range.scope_g = g;
	event->u.range.scope_p = p;
}

void
repair_close_gc(struct state *state)
{
	if (state->gc_state == GC_RUNNING)
		push_range_end(state, GO_RANGE_GC_MARK, STRING_EMPTY, GO_ID_NONE, GO_ID_NONE);
	state->gc_state = GC_NOT_RUNNING;
}

void
repair_meet_gc(struct state *state, struct machine *machine, const struct wire_event *wire)
{
	(void)machine;
	if (wire->args[1] != state->gc_sequence + 1)
		state->repairs->skipped_numbers++;
	state->gc_sequence = wire->args[1] - 1;
	if (wire->id == WIRE_GC_BEGIN)
		repair_close_gc(state);
	/* An end alone says nothing of when it began; the next one can be told. */
	if (wire->id == WIRE_GC_END && state->gc_state != GC_RUNNING) {
		state->gc_sequence = wire->args[1];
		state->gc_state = GC_NOT_RUNNING;
	}
	if (wire->id == WIRE_GC_ACTIVE && state->generation != state->initial_generation)
		state->gc_state = GC_RUNNING;
}

void
repair_close_stops(struct state *state, struct goroutine *goroutine)
{
	while (goroutine->stops != 0) {
		push_range_end(state, GO_RANGE_STW, state->notes[goroutine->stops].text,
		               goroutine->id, GO_ID_NONE);
		state_drop_note(state, &goroutine->stops);
	}
}

void
repair_close_assist(struct state *state, struct goroutine *goroutine)
{
	if (goroutine->is_assisting)
		push_range_end(state, GO_RANGE_MARK_ASSIST, STRING_EMPTY, goroutine->id,
		               GO_ID_NONE);
	goroutine->is_assisting = false;
}

void
repair_close_sweep(struct state *state, struct proc *proc)
{
	if (proc->is_sweeping)
		push_range_end(state, GO_RANGE_GC_SWEEP, STRING_EMPTY, GO_ID_NONE, proc->id);
	proc->is_sweeping = false;
}

/* A range begins, so the one before it of its kind has ended. */
void
repair_meet_range_begin(struct state *state, struct machine *machine,
                        const struct wire_event *wire)
{
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (wire->id == WIRE_GC_SWEEP_BEGIN && machine->p != NULL)
		repair_close_sweep(state, machine->p);
	if (wire->id == WIRE_STW_BEGIN && goroutine != NULL)
		repair_close_stops(state, goroutine);
	if (wire->id == WIRE_GC_MARK_ASSIST_BEGIN && goroutine != NULL)
		repair_close_assist(state, goroutine);
}

/* A range is said to go on, so it has begun. */
void
repair_meet_range_active(struct state *state, struct machine *machine,
                         const struct wire_event *wire)
{
	int64_t id = state_id(wire->args[1]);
	(void)machine;
	if (state->generation == state->initial_generation)
		return;
	if (wire->id == WIRE_GC_SWEEP_ACTIVE) {
		struct proc *proc = state_find_proc(state, id);
		if (proc != NULL)
			proc->is_sweeping = true;
		return;
	}
	struct goroutine *goroutine = state_find_goroutine(state, id);
	if (goroutine != NULL)
		goroutine->is_assisting = true;
}

/* The regions within the one that ends have ended before it. */
void
repair_meet_region_end(struct state *state, struct machine *machine, const struct wire_event *wire)
{
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	string_id name;
	unsigned above = 0;
	if (goroutine == NULL || !tables_string(state->tables, wire->args[2], &name))
		return;
	for (uint32_t at = goroutine->regions; at != 0; at = state->notes[at].next, above++) {
		const struct note *note = &state->notes[at];
		if (above == REGIONS_CLOSED_MAX)
			return;
		if (note->number != state_id(wire->args[1]) || note->text != name)
			continue;
		for (; above > 0; above--) {
			struct go_event *event = repair_push(state, GO_EVENT_REGION_END);
			event->g = goroutine->id;
			event->u.region.task = state->notes[goroutine->regions].number;
			event->u.region.name = state->notes[goroutine->regions].text;
			state_drop_note(state, &goroutine->regions);
		}
		return;
	}
}
