/* Go's words, as its documentation has them. */
#include "source/go/words.h"

/* doc/format/go-trace-semantics.md, section 7.1, and the texts of the older format. */
static const struct reason_class reasons[] = {
	{ "chan receive", CLASS_CHANNEL },
	{ "chan send", CLASS_CHANNEL },
	{ "select", CLASS_SELECT },
	{ "sync", CLASS_SYNC },
	{ "sync.(*Cond).Wait", CLASS_SYNC },
	{ "synctest", CLASS_SYNC },
	{ "network", CLASS_NETWORK },
	{ "sleep", CLASS_SLEEP },
	{ "forever", CLASS_FOREVER },
	{ "GC mark assist wait for work", CLASS_RUNTIME },
	{ "GC weak to strong wait", CLASS_RUNTIME },
	{ "wait until GC ends", CLASS_RUNTIME },
	{ "GC background sweeper wait", CLASS_IDLE },
	{ "system goroutine wait", CLASS_IDLE },
	{ "preempted", CLASS_OTHER },
	{ "wait for debug call", CLASS_OTHER },
	{ NULL, CLASS_GONE },
};

const struct words go_words = {
	.source = "go",
	.actor = { "goroutine", "goroutines", 'G' },
	.processor = { "proc", "procs", 'P' },
	.slot = { "P", "Ps", 'P' },
	.thread = { "thread", "threads", 'M' },
	.group = { "group", "groups", '\0' },
	.name = { "start function", "start functions", '\0' },
	.function = { "function", "functions", '\0' },
	.task = { "task", "tasks", 'T' },
	.no_tasks = "no user tasks (trace.NewTask)",
	.no_regions = "no regions (trace.StartRegion, trace.WithRegion)",
	.dump_states = { [STATE_GONE] = "dead", [STATE_READY] = "runnable", [STATE_BLOCKED] = "waiting" },
	.keys = { .id = "g", .wake_id = "wake.g", .processor = "p", .thread = "m" },
	.classes = {
		[CLASS_GONE] = { "gone", NULL },
		[CLASS_UNKNOWN] = { "unknown", "unknown: the trace does not say" },
		[CLASS_RUNNING] = { "running", "running" },
		[CLASS_WORKER] = { "gc worker",
			"a worker of the garbage collector runs, or {an actor} assists it" },
		[CLASS_READY] = { "ready", "ready to run: waits for {an processor}" },
		[CLASS_SYSCALL] = { "syscall",
			"in a system call; a line on {an thread}: without its {processor}" },
		[CLASS_CHANNEL] = { "channel", "blocked: sends to or receives from a channel" },
		[CLASS_SELECT] = { "select", "blocked: select" },
		[CLASS_SYNC] = { "sync", "blocked: a mutex, a condition or a wait group" },
		[CLASS_NETWORK] = { "network", "blocked: network" },
		[CLASS_SLEEP] = { "sleep", "blocked: asleep" },
		[CLASS_RUNTIME] = { "gc wait", "blocked: waits for the garbage collector" },
		[CLASS_IDLE] = { "idle", "{an actor} of the runtime without work" },
		[CLASS_FOREVER] = { "forever", "blocked for ever" },
		[CLASS_OTHER] = { "blocked", "blocked: anything else" },
	},
	.reasons = reasons,
	.clock = { "CLOCK_MONOTONIC", 22 },
	.worker = "runtime.gcBgMarkWorker",
	.assist = "assist",
	.poller = "internal/poll.",
};

struct trace *
go_trace_new(struct error *err)
{
	struct trace *trace = trace_new(err);
	if (trace != NULL)
		trace->words = &go_words;
	return trace;
}
