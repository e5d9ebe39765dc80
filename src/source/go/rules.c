/* The table of rules, and what they share but is not needed for every event. */
#include "source/go/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

state_rule *const state_rules[256] = {
	[WIRE_PROCS_CHANGE] = rule_metric,
	[WIRE_PROC_START] = rule_proc_start,
	[WIRE_PROC_STOP] = rule_proc_stop,
	[WIRE_PROC_STEAL] = rule_proc_steal,
	[WIRE_PROC_STATUS] = rule_proc_status,
	[WIRE_GO_CREATE] = rule_go_create,
	[WIRE_GO_CREATE_SYSCALL] = rule_go_create_syscall,
	[WIRE_GO_START] = rule_go_start,
	[WIRE_GO_DESTROY] = rule_go_destroy,
	[WIRE_GO_DESTROY_SYSCALL] = rule_go_destroy_syscall,
	[WIRE_GO_STOP] = rule_go_stop,
	[WIRE_GO_BLOCK] = rule_go_block,
	[WIRE_GO_UNBLOCK] = rule_go_unblock,
	[WIRE_GO_SYSCALL_BEGIN] = rule_syscall_begin,
	[WIRE_GO_SYSCALL_END] = rule_syscall_end,
	[WIRE_GO_SYSCALL_END_BLOCKED] = rule_syscall_end_blocked,
	[WIRE_GO_STATUS] = rule_go_status,
	[WIRE_STW_BEGIN] = rule_stw_begin,
	[WIRE_STW_END] = rule_stw_end,
	[WIRE_GC_ACTIVE] = rule_gc_active,
	[WIRE_GC_BEGIN] = rule_gc_begin,
	[WIRE_GC_END] = rule_gc_end,
	[WIRE_GC_SWEEP_ACTIVE] = rule_sweep_active,
	[WIRE_GC_SWEEP_BEGIN] = rule_sweep_begin,
	[WIRE_GC_SWEEP_END] = rule_sweep_end,
	[WIRE_GC_MARK_ASSIST_ACTIVE] = rule_assist_active,
	[WIRE_GC_MARK_ASSIST_BEGIN] = rule_assist_begin,
	[WIRE_GC_MARK_ASSIST_END] = rule_assist_end,
	[WIRE_HEAP_ALLOC] = rule_metric,
	[WIRE_HEAP_GOAL] = rule_metric,
	[WIRE_GO_LABEL] = rule_label,
	[WIRE_USER_TASK_BEGIN] = rule_task_begin,
	[WIRE_USER_TASK_END] = rule_task_end,
	[WIRE_USER_REGION_BEGIN] = rule_region_begin,
	[WIRE_USER_REGION_END] = rule_region_end,
	[WIRE_USER_LOG] = rule_log,
	[WIRE_GO_SWITCH] = rule_go_switch,
	[WIRE_GO_SWITCH_DESTROY] = rule_go_switch,
	[WIRE_GO_CREATE_BLOCKED] = rule_go_create,
	[WIRE_GO_STATUS_STACK] = rule_go_status,
	[WIRE_SPAN] = rule_experimental,
	[WIRE_SPAN_ALLOC] = rule_experimental,
	[WIRE_SPAN_FREE] = rule_experimental,
	[WIRE_HEAP_OBJECT] = rule_experimental,
	[WIRE_HEAP_OBJECT_ALLOC] = rule_experimental,
	[WIRE_HEAP_OBJECT_FREE] = rule_experimental,
	[WIRE_GOROUTINE_STACK] = rule_experimental,
	[WIRE_GOROUTINE_STACK_ALLOC] = rule_experimental,
	[WIRE_GOROUTINE_STACK_FREE] = rule_experimental,
};

/* ---- failures */

enum advance
state_fail(struct error *err, const char *format, ...)
{
	char message[sizeof(err->message)];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	error_set(err, ERROR_ORDER, "%s", message);
	return ADVANCE_FAILED;
}

bool
state_fail_requirement(unsigned missing, struct error *err)
{
	static const struct {
		enum requirement requirement;
		const char *message;
	} rows[] = {
		{ NEED_M, "expected a thread but didn't have one" },
		{ NEED_P, "expected a proc but didn't have one" },
		{ NEED_NO_P, "expected no proc but had one" },
		{ NEED_G, "expected a goroutine but didn't have one" },
		{ NEED_NO_G, "expected no goroutine but had one" },
	};
	size_t first = 0;
	while ((missing & rows[first].requirement) == 0)
		first++;
	return error_set(err, ERROR_ORDER, "%s", rows[first].message);
}

struct goroutine *
state_fail_expected(const struct machine *machine, const struct wire_event *wire,
                    const struct goroutine *goroutine, enum goroutine_status status,
                    struct error *err)
{
	static const char *const names[G_STATUS_COUNT] = {
		"Bad", "Runnable", "Running", "Syscall", "Waiting", "unknown",
	};
	const char *event = wire_kinds[wire->id].name;
	if (goroutine == NULL)
		state_fail(err, "event %s for goroutine (%" PRId64 ") that doesn't exist", event,
		           machine->g);
	else
		state_fail(err, "event %s for goroutine (%" PRId64 ") that is %s, not %s", event,
		           goroutine->id, names[goroutine->status], names[status]);
	return NULL;
}

bool
state_miss_id(const struct state *state, const struct wire_event *wire, unsigned operand,
              const char *what, uint32_t *found, struct error *err)
{
	*found = 0; /* STRING_EMPTY, STACK_NONE */
	if (state->repairs != NULL) {
		state->repairs->missing_ids++;
		return true;
	}
	return error_set(err, ERROR_FORMAT, "found invalid %s ID %" PRIu64 " for event %s", what,
	                 wire->args[operand], wire_kinds[wire->id].name);
}

/* ---- events */

struct go_event *
state_emit_proc(struct state *state, struct machine *machine,
                const struct wire_event *wire, const struct proc *proc,
                struct proc_transition change, struct error *err)
{
	struct go_event *event = state_emit(state, machine, wire, GO_EVENT_PROC, err);
	if (event == NULL)
		return NULL;
	event->u.proc.id = proc->id;
	event->u.proc.from = change.from;
	event->u.proc.to = change.to;
	return event;
}

enum advance
state_fail_event(const struct machine *machine, const struct wire_event *wire, struct error *err)
{
	if (state_rules[wire->id] == NULL)
		state_fail(err, "bad event type found while ordering");
	if (err->kind == ERROR_MEMORY)
		return ADVANCE_FAILED;
	err->offset_bytes = wire->offset_bytes;
	if (machine->id == GO_ID_NONE)
		error_prefix(err, "%s", wire_kinds[wire->id].name);
	else
		error_prefix(err, "%s on thread %" PRId64, wire_kinds[wire->id].name,
		             machine->id);
	return ADVANCE_FAILED;
}
