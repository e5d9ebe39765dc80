/* A set of (resource, number). A false hit, of two hashes alike, only makes an event wait. */
#include "source/go/lookahead.h"

#include "source/go/wire.h"

/* How many numbers in a row may be lost before later ones that are there are no hope. */
enum { NUMBERS_AHEAD = 64 };

/* What a number counts for. */
enum counted { COUNTED_GOROUTINE, COUNTED_PROC, COUNTED_GC, COUNTED_NOTHING };

/* The number of an event: of what, of which, and the number; 0 where one begins to count. */
struct number {
	enum counted counted;
	uint64_t id, n;
};

static uint64_t
key_of(struct number number)
{
	return hash_pair(number.id * COUNTED_NOTHING + number.counted, number.n);
}

static struct number
number_of(const struct wire_event *wire, int64_t proc)
{
	const uint64_t *args = wire->args;
	switch (wire->id) {
	case WIRE_GO_CREATE:
	case WIRE_GO_CREATE_BLOCKED:
	case WIRE_GO_CREATE_SYSCALL:
	case WIRE_GO_STATUS:
	case WIRE_GO_STATUS_STACK:
		return (struct number){ COUNTED_GOROUTINE, args[1], 0 };
	case WIRE_GO_START:
	case WIRE_GO_UNBLOCK:
	case WIRE_GO_SWITCH:
	case WIRE_GO_SWITCH_DESTROY:
		return (struct number){ COUNTED_GOROUTINE, args[1], args[2] };
	case WIRE_PROC_STATUS:
		return (struct number){ COUNTED_PROC, args[1], 0 };
	case WIRE_PROC_START:
	case WIRE_PROC_STEAL:
		return (struct number){ COUNTED_PROC, args[1], args[2] };
	case WIRE_GO_SYSCALL_BEGIN:
		return (struct number){ COUNTED_PROC, (uint64_t)proc, args[1] };
	case WIRE_GC_ACTIVE:
	case WIRE_GC_BEGIN:
	case WIRE_GC_END:
		return (struct number){ COUNTED_GC, 0, args[1] };
	default:
		return (struct number){ COUNTED_NOTHING, 0, 0 };
	}
}

/* The proc of the thread after the event. */
static void
follow_proc(const struct wire_event *wire, int64_t *proc)
{
	switch (wire->id) {
	case WIRE_PROC_STATUS:
		if (wire->args[2] == P_RUNNING || wire->args[2] == P_SYSCALL)
			*proc = state_id(wire->args[1]);
		break;
	case WIRE_PROC_START:
		*proc = state_id(wire->args[1]);
		break;
	case WIRE_PROC_STOP:
	case WIRE_GO_SYSCALL_END_BLOCKED:
	case WIRE_GO_DESTROY_SYSCALL:
		*proc = GO_ID_NONE;
		break;
	default:
		break;
	}
}

/* Where the number is too large for a value, the largest one stands for it. */
static bool
raise_last(struct lookahead *lookahead, struct number number, struct error *err)
{
	uint32_t n = number.n < MAP_NONE ? (uint32_t)number.n : MAP_NONE - 1;
	uint32_t before = map_find(&lookahead->last, number.id);
	return number.counted != COUNTED_GOROUTINE || (before != MAP_NONE && before >= n) ||
	       map_put(&lookahead->last, number.id, n, err);
}

bool
lookahead_add(struct lookahead *lookahead, const struct wire_event *wire, int64_t *proc,
              struct error *err)
{
	struct number number = number_of(wire, *proc);
	follow_proc(wire, proc);
	return number.counted == COUNTED_NOTHING ||
	       (map_put(&lookahead->numbers, key_of(number), 1, err) &&
	        raise_last(lookahead, number, err));
}

/* Whether any of the numbers from..to-1 is still to come. */
static bool
has_between(const struct lookahead *lookahead, struct number number, uint64_t from, uint64_t to)
{
	if (to - from > NUMBERS_AHEAD)
		to = from + NUMBERS_AHEAD;
	for (number.n = from; number.n < to; number.n++) {
		if (map_find(&lookahead->numbers, key_of(number)) != MAP_NONE)
			return true;
	}
	return false;
}

/* sequence NULL: what is counted is not there. */
static bool
is_number_vain(const struct lookahead *lookahead, const struct state *state,
               struct number number, const struct sequence *sequence, bool is_unknown)
{
	uint64_t next;
	if (sequence == NULL || sequence->generation != state->generation)
		return !has_between(lookahead, number, 0, 1);
	next = sequence->n + 1;
	if (number.n == next)
		return is_unknown;
	return number.n < next || !has_between(lookahead, number, next, number.n);
}

static bool
is_steal_vain(const struct lookahead *lookahead, const struct proc *proc)
{
	struct number steal = { COUNTED_PROC, 0, 0 };
	if (proc == NULL || proc->id == GO_ID_NONE)
		return true;
	steal.id = (uint64_t)proc->id;
	return !has_between(lookahead, steal, proc->sequence.n + 1, proc->sequence.n + 2);
}

bool
lookahead_is_vain(const struct lookahead *lookahead, const struct state *state,
                  const struct machine *machine, const struct wire_event *wire)
{
	struct number number = number_of(wire, GO_ID_NONE);
	const struct sequence gc = { state->generation, state->gc_sequence };
	const struct goroutine *goroutine;
	const struct proc *proc;
	if (wire->id == WIRE_GO_SYSCALL_END_BLOCKED)
		return is_steal_vain(lookahead, machine->p);
	switch (number.counted) {
	case COUNTED_GOROUTINE:
		goroutine = state_find_goroutine(state, (int64_t)number.id);
		return is_number_vain(lookahead, state, number,
		                      goroutine != NULL ? &goroutine->sequence : NULL,
		                      goroutine != NULL && goroutine->status == G_UNKNOWN);
	case COUNTED_PROC:
		proc = state_find_proc(state, (int64_t)number.id);
		return (machine->p != NULL && machine->p == machine->stand_in) ||
		       is_number_vain(lookahead, state, number,
		                      proc != NULL ? &proc->sequence : NULL,
		                      proc != NULL && proc->status == P_UNKNOWN);
	case COUNTED_GC:
		return is_number_vain(lookahead, state, number, &gc,
		                      state->gc_state == GC_UNDETERMINED);
	case COUNTED_NOTHING:
		break;
	}
	return false;
}

enum ahead
lookahead_of_goroutine(const struct lookahead *lookahead, const struct state *state,
                       const struct goroutine *goroutine)
{
	const struct sequence *sequence = &goroutine->sequence;
	struct number next = { COUNTED_GOROUTINE, (uint64_t)goroutine->id, 0 };
	uint32_t last = map_find(&lookahead->last, next.id);
	if (sequence->generation == state->generation)
		next.n = sequence->n + 1;
	if (last == MAP_NONE || last < next.n)
		return AHEAD_NOTHING;
	return map_find(&lookahead->numbers, key_of(next)) != MAP_NONE ? AHEAD_NEXT : AHEAD_LATER;
}

void
lookahead_clear(struct lookahead *lookahead)
{
	map_clear_fitting(&lookahead->numbers);
	map_clear_fitting(&lookahead->last);
	lookahead->is_built = false;
}

void
lookahead_release(struct lookahead *lookahead)
{
	map_release(&lookahead->numbers);
	map_release(&lookahead->last);
	*lookahead = (struct lookahead){ 0 };
}
