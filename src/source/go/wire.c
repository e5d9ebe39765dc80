/* The table of events. */
#include "source/go/wire.h"

enum { S = false, T = true }; /* structural, timed */

const struct wire_kind wire_kinds[256] = {
	/* clang-format off */
	[WIRE_EVENT_BATCH] = { "EventBatch", 22, S, 4, "gen m time size", { 0 }, { 0 }, 0 },
	[WIRE_STACKS] = { "Stacks", 22, S, 0, "", { 0 }, { 0 }, 0 },
	[WIRE_STACK] = { "Stack", 22, S, 2, "id nframes", { 0 }, { 0 }, 0 },
	[WIRE_STRINGS] = { "Strings", 22, S, 0, "", { 0 }, { 0 }, 0 },
	[WIRE_STRING] = { "String", 22, S, 1, "id", { 0 }, { 0 }, 0 },
	[WIRE_CPU_SAMPLES] = { "CPUSamples", 22, S, 0, "", { 0 }, { 0 }, 0 },
	[WIRE_CPU_SAMPLE] = { "CPUSample", 22, S, 5, "time m p g stack", { 4 }, { 0 }, 0 },
	[WIRE_FREQUENCY] = { "Frequency", 22, S, 1, "freq", { 0 }, { 0 }, 0 },
	[WIRE_PROCS_CHANGE] = { "ProcsChange", 22, T, 3, "dt procs_value stack", { 2 }, { 0 }, 0 },
	[WIRE_PROC_START] = { "ProcStart", 22, T, 3, "dt p p_seq", { 0 }, { 0 }, 0 },
	[WIRE_PROC_STOP] = { "ProcStop", 22, T, 1, "dt", { 0 }, { 0 }, 0 },
	[WIRE_PROC_STEAL] = { "ProcSteal", 22, T, 4, "dt p p_seq m", { 0 }, { 0 }, 0 },
	[WIRE_PROC_STATUS] = { "ProcStatus", 22, T, 3, "dt p pstatus", { 0 }, { 0 }, 0 },
	[WIRE_GO_CREATE] = { "GoCreate", 22, T, 4, "dt new_g new_stack stack", { 3, 2 }, { 0 }, 0 },
	[WIRE_GO_CREATE_SYSCALL] = { "GoCreateSyscall", 22, T, 2, "dt new_g", { 0 }, { 0 }, 0 },
	[WIRE_GO_START] = { "GoStart", 22, T, 3, "dt g g_seq", { 0 }, { 0 }, 0 },
	[WIRE_GO_DESTROY] = { "GoDestroy", 22, T, 1, "dt", { 0 }, { 0 }, 0 },
	[WIRE_GO_DESTROY_SYSCALL] = { "GoDestroySyscall", 22, T, 1, "dt", { 0 }, { 0 }, 0 },
	[WIRE_GO_STOP] = { "GoStop", 22, T, 3, "dt reason_string stack", { 2 }, { 1 }, 0 },
	[WIRE_GO_BLOCK] = { "GoBlock", 22, T, 3, "dt reason_string stack", { 2 }, { 1 }, 0 },
	[WIRE_GO_UNBLOCK] = { "GoUnblock", 22, T, 4, "dt g g_seq stack", { 3 }, { 0 }, 0 },
	[WIRE_GO_SYSCALL_BEGIN] = { "GoSyscallBegin", 22, T, 3, "dt p_seq stack", { 2 }, { 0 }, 0 },
	[WIRE_GO_SYSCALL_END] = { "GoSyscallEnd", 22, T, 1,
		"dt", { 0 }, { 0 }, WIRE_GO_SYSCALL_BEGIN },
	[WIRE_GO_SYSCALL_END_BLOCKED] = { "GoSyscallEndBlocked", 22, T, 1,
		"dt", { 0 }, { 0 }, WIRE_GO_SYSCALL_BEGIN },
	[WIRE_GO_STATUS] = { "GoStatus", 22, T, 4, "dt g m gstatus", { 0 }, { 0 }, 0 },
	[WIRE_STW_BEGIN] = { "STWBegin", 22, T, 3, "dt kind_string stack", { 2 }, { 1 }, 0 },
	[WIRE_STW_END] = { "STWEnd", 22, T, 1, "dt", { 0 }, { 0 }, WIRE_STW_BEGIN },
	[WIRE_GC_ACTIVE] = { "GCActive", 22, T, 2, "dt gc_seq", { 0 }, { 0 }, WIRE_GC_BEGIN },
	[WIRE_GC_BEGIN] = { "GCBegin", 22, T, 3, "dt gc_seq stack", { 2 }, { 0 }, 0 },
	[WIRE_GC_END] = { "GCEnd", 22, T, 2, "dt gc_seq", { 0 }, { 0 }, WIRE_GC_BEGIN },
	[WIRE_GC_SWEEP_ACTIVE] = { "GCSweepActive", 22, T, 2,
		"dt p", { 0 }, { 0 }, WIRE_GC_SWEEP_BEGIN },
	[WIRE_GC_SWEEP_BEGIN] = { "GCSweepBegin", 22, T, 2, "dt stack", { 1 }, { 0 }, 0 },
	[WIRE_GC_SWEEP_END] = { "GCSweepEnd", 22, T, 3,
		"dt swept_value reclaimed_value", { 0 }, { 0 }, WIRE_GC_SWEEP_BEGIN },
	[WIRE_GC_MARK_ASSIST_ACTIVE] = { "GCMarkAssistActive", 22, T, 2,
		"dt g", { 0 }, { 0 }, WIRE_GC_MARK_ASSIST_BEGIN },
	[WIRE_GC_MARK_ASSIST_BEGIN] = { "GCMarkAssistBegin", 22, T, 2,
		"dt stack", { 1 }, { 0 }, 0 },
	[WIRE_GC_MARK_ASSIST_END] = { "GCMarkAssistEnd", 22, T, 1,
		"dt", { 0 }, { 0 }, WIRE_GC_MARK_ASSIST_BEGIN },
	[WIRE_HEAP_ALLOC] = { "HeapAlloc", 22, T, 2, "dt heapalloc_value", { 0 }, { 0 }, 0 },
	[WIRE_HEAP_GOAL] = { "HeapGoal", 22, T, 2, "dt heapgoal_value", { 0 }, { 0 }, 0 },
	[WIRE_GO_LABEL] = { "GoLabel", 22, T, 2, "dt label_string", { 0 }, { 1 }, 0 },
	[WIRE_USER_TASK_BEGIN] = { "UserTaskBegin", 22, T, 5,
		"dt task parent_task name_string stack", { 4 }, { 3 }, 0 },
	[WIRE_USER_TASK_END] = { "UserTaskEnd", 22, T, 3, "dt task stack", { 2 }, { 0 }, 0 },
	[WIRE_USER_REGION_BEGIN] = { "UserRegionBegin", 22, T, 4,
		"dt task name_string stack", { 3 }, { 2 }, 0 },
	[WIRE_USER_REGION_END] = { "UserRegionEnd", 22, T, 4,
		"dt task name_string stack", { 3 }, { 2 }, WIRE_USER_REGION_BEGIN },
	[WIRE_USER_LOG] = { "UserLog", 22, T, 5,
		"dt task key_string value_string stack", { 4 }, { 2, 3 }, 0 },
	[WIRE_GO_SWITCH] = { "GoSwitch", 23, T, 3, "dt g g_seq", { 0 }, { 0 }, 0 },
	[WIRE_GO_SWITCH_DESTROY] = { "GoSwitchDestroy", 23, T, 3, "dt g g_seq", { 0 }, { 0 }, 0 },
	[WIRE_GO_CREATE_BLOCKED] = { "GoCreateBlocked", 23, T, 4,
		"dt new_g new_stack stack", { 3, 2 }, { 0 }, 0 },
	[WIRE_GO_STATUS_STACK] = { "GoStatusStack", 23, T, 5,
		"dt g m gstatus stack", { 4 }, { 0 }, 0 },
	[WIRE_EXPERIMENTAL_BATCH] = { "ExperimentalBatch", 23, S, 4,
		"exp gen m time", { 0 }, { 0 }, 0 },
	[WIRE_SYNC] = { "Sync", 25, S, 0, "", { 0 }, { 0 }, 0 },
	[WIRE_CLOCK_SNAPSHOT] = { "ClockSnapshot", 25, T, 4, "dt mono sec nsec", { 0 }, { 0 }, 0 },
	[WIRE_END_OF_GENERATION] = { "EndOfGeneration", 26, S, 0, "", { 0 }, { 0 }, 0 },
	[WIRE_SPAN] = { "Span", 23, T, 4, "dt id npages_value kindclass", { 0 }, { 0 }, 0 },
	[WIRE_SPAN_ALLOC] = { "SpanAlloc", 23, T, 4,
		"dt id npages_value kindclass", { 0 }, { 0 }, 0 },
	[WIRE_SPAN_FREE] = { "SpanFree", 23, T, 2, "dt id", { 0 }, { 0 }, 0 },
	[WIRE_HEAP_OBJECT] = { "HeapObject", 23, T, 3, "dt id type", { 0 }, { 0 }, 0 },
	[WIRE_HEAP_OBJECT_ALLOC] = { "HeapObjectAlloc", 23, T, 3, "dt id type", { 0 }, { 0 }, 0 },
	[WIRE_HEAP_OBJECT_FREE] = { "HeapObjectFree", 23, T, 2, "dt id", { 0 }, { 0 }, 0 },
	[WIRE_GOROUTINE_STACK] = { "GoroutineStack", 23, T, 3, "dt id order", { 0 }, { 0 }, 0 },
	[WIRE_GOROUTINE_STACK_ALLOC] = { "GoroutineStackAlloc", 23, T, 3,
		"dt id order", { 0 }, { 0 }, 0 },
	[WIRE_GOROUTINE_STACK_FREE] = { "GoroutineStackFree", 23, T, 2, "dt id", { 0 }, { 0 }, 0 },
	/* clang-format on */
};

const char *
go_wire_name(uint8_t wire_id)
{
	return wire_kinds[wire_id].name;
}

bool
wire_refuse(const struct wire_event *event, struct error *err)
{
	const char *name = wire_kinds[event->id].name;
	if (name == NULL)
		return error_set_at(err, ERROR_FORMAT, event->offset_bytes,
		                    "found invalid event type %u", event->id);
	return error_set_at(err, ERROR_FORMAT, event->offset_bytes,
	                    "found event without a timestamp (%s)", name);
}
