/* Go's own words. */
#include "source/go/names.h"

const char *const go_kind_names[GO_EVENT_KIND_COUNT] = {
	[GO_EVENT_SYNC] = "Sync",
	[GO_EVENT_METRIC] = "Metric",
	[GO_EVENT_LABEL] = "Label",
	[GO_EVENT_SAMPLE] = "StackSample",
	[GO_EVENT_RANGE_BEGIN] = "RangeBegin",
	[GO_EVENT_RANGE_ACTIVE] = "RangeActive",
	[GO_EVENT_RANGE_END] = "RangeEnd",
	[GO_EVENT_TASK_BEGIN] = "TaskBegin",
	[GO_EVENT_TASK_END] = "TaskEnd",
	[GO_EVENT_REGION_BEGIN] = "RegionBegin",
	[GO_EVENT_REGION_END] = "RegionEnd",
	[GO_EVENT_LOG] = "Log",
	[GO_EVENT_GOROUTINE] = "StateTransition",
	[GO_EVENT_PROC] = "StateTransition",
	[GO_EVENT_EXPERIMENTAL] = "Experimental",
};

const char *const go_state_names[GO_STATE_COUNT] = {
	[GO_UNDETERMINED] = "Undetermined",
	[GO_NOT_EXIST] = "NotExist",
	[GO_RUNNABLE] = "Runnable",
	[GO_RUNNING] = "Running",
	[GO_WAITING] = "Waiting",
	[GO_SYSCALL] = "Syscall",
};

const char *const go_proc_state_names[PROC_IDLE + 1] = {
	[PROC_UNDETERMINED] = "Undetermined",
	[PROC_NOT_EXIST] = "NotExist",
	[PROC_RUNNING] = "Running",
	[PROC_IDLE] = "Idle",
};

const char *const go_metric_names[GO_METRIC_COUNT] = {
	[GO_METRIC_GOMAXPROCS] = "/sched/gomaxprocs:threads",
	[GO_METRIC_HEAP_ALLOC] = "/memory/classes/heap/objects:bytes",
	[GO_METRIC_HEAP_GOAL] = "/gc/heap/goal:bytes",
};

const char *const go_range_names[GO_RANGE_COUNT] = {
	[GO_RANGE_STW] = "stop-the-world (",
	[GO_RANGE_GC_MARK] = "GC concurrent mark phase",
	[GO_RANGE_GC_SWEEP] = "GC incremental sweep",
	[GO_RANGE_MARK_ASSIST] = "GC mark assist",
};
