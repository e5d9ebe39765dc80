/*
 * One ordered event of a Go execution trace, as the reader hands it to a sink:
 * the public model of doc/format/go-trace-semantics.md, section 7. Strings and
 * stacks are ids in the tables of the sink and stay valid as
 * long as those live; the event itself lives only during the call.
 */
#ifndef TTRACE_SOURCE_GO_EVENT_H
#define TTRACE_SOURCE_GO_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "trace/stack.h"

/* No goroutine, proc or thread; no task. */
#define GO_ID_NONE ((int64_t)-1)

/*
 * Procs that are none: the lanes on which the reference puts some events of a v1 trace
 * in place of the proc they happened on (doc/format/go-trace-v1.md, section 5).
 */
enum go_pseudo_proc {
	GO_PROC_TIMERS = 1000001,
	GO_PROC_NETWORK = 1000002,
	GO_PROC_SYSCALLS = 1000003,
	GO_PROC_GC = 1000004,
	GO_PROC_PROFILE = 1000005,
};

enum go_event_kind {
	GO_EVENT_SYNC,
	GO_EVENT_METRIC,
	GO_EVENT_LABEL,
	GO_EVENT_SAMPLE,
	GO_EVENT_RANGE_BEGIN,
	GO_EVENT_RANGE_ACTIVE,
	GO_EVENT_RANGE_END,
	GO_EVENT_TASK_BEGIN,
	GO_EVENT_TASK_END,
	GO_EVENT_REGION_BEGIN,
	GO_EVENT_REGION_END,
	GO_EVENT_LOG,
	GO_EVENT_GOROUTINE, /* a state transition of a goroutine */
	GO_EVENT_PROC,      /* a state transition of a proc */
	GO_EVENT_EXPERIMENTAL,
	GO_EVENT_KIND_COUNT
};

/* Public goroutine states, numbered as section 7 has them. */
enum go_state {
	GO_UNDETERMINED,
	GO_NOT_EXIST,
	GO_RUNNABLE,
	GO_RUNNING,
	GO_WAITING,
	GO_SYSCALL,
	GO_STATE_COUNT
};

enum proc_state { PROC_UNDETERMINED, PROC_NOT_EXIST, PROC_RUNNING, PROC_IDLE };

/* A change of state. */
struct go_transition {
	enum go_state from, to;
};

static inline struct go_transition
go_from_to(enum go_state from, enum go_state to)
{
	return (struct go_transition){ from, to };
}

struct proc_transition {
	enum proc_state from, to;
};

static inline struct proc_transition
proc_from_to(enum proc_state from, enum proc_state to)
{
	return (struct proc_transition){ from, to };
}

enum go_metric {
	GO_METRIC_GOMAXPROCS, /* /sched/gomaxprocs:threads */
	GO_METRIC_HEAP_ALLOC, /* /memory/classes/heap/objects:bytes */
	GO_METRIC_HEAP_GOAL,  /* /gc/heap/goal:bytes */
	GO_METRIC_COUNT
};

enum go_range {
	GO_RANGE_STW,         /* scope goroutine; detail is the kind text */
	GO_RANGE_GC_MARK,     /* global */
	GO_RANGE_GC_SWEEP,    /* scope proc */
	GO_RANGE_MARK_ASSIST, /* scope goroutine */
	GO_RANGE_COUNT
};

/*
 * What a sink keeps with a goroutine, proc or thread, for as long as the reader has a record of
 * it: so it need not look up each id again. Zero before the first.
 */
struct go_mark {
	uint32_t number; /* 0 before it is given one */
	bool is_named;
};

struct go_event {
	int64_t time_ns; /* delivered time, absolute trace clock; strictly increasing */
	enum go_event_kind kind;
	uint8_t wire_id;     /* id of the wire event that this comes from; 0 for Sync */
	bool is_synthetic;   /* one of the extra events of GoSwitch or GoDestroySyscall */
	int64_t m, p, g;     /* context before the event; GO_ID_NONE where there is none */
	/* Of m, p and g, each good for this id alone; NULL where there is none or none is at hand. */
	struct go_mark *m_mark, *p_mark, *g_mark;
	stack_id stack;      /* of the executing context */
	union {
		struct {
			uint64_t number;     /* 1, 2, ... */
			uint64_t generation; /* the one that begins; 0 for the final Sync */
			bool has_clock;      /* format 1.25 and later */
			int64_t clock_trace_ns, clock_mono_ns;
			uint64_t clock_wall_s;
			uint64_t clock_wall_ns;
		} sync;
		struct {
			enum go_metric metric;
			uint64_t value;
		} metric;
		struct {
			string_id label; /* on goroutine g */
		} label;
		struct {
			enum go_range range;
			string_id detail; /* kind of a stop-the-world, else empty */
			int64_t scope_g;  /* GO_ID_NONE unless the scope is a goroutine */
			int64_t scope_p;  /* GO_ID_NONE unless the scope is a proc */
			uint64_t swept_bytes, reclaimed_bytes; /* at the end of a sweep */
		} range;
		struct {
			int64_t id;
			int64_t parent; /* GO_ID_NONE where there is none or it is unknown */
			string_id name;
		} task;
		struct {
			int64_t task; /* 0 is the background task */
			string_id name;
		} region; /* on goroutine g */
		struct {
			int64_t task;
			string_id category, message;
		} log;
		struct {
			int64_t id;
			struct go_mark *mark; /* of id, as above; one of its own for each that begins */
			enum go_state from, to;
			string_id reason; /* empty where there is none */
			stack_id stack;   /* of the goroutine itself, semantics section 7 */
		} goroutine;
		struct {
			int64_t id;
			enum proc_state from, to;
		} proc;
		struct {
			uint64_t args[3]; /* operands after dt, as many as the event has */
			uint8_t arg_count;
			/* Of AllocFree, where the trace tells; else 0. */
			string_id type; /* name of a heap object's type */
			uint64_t type_bytes;
			uint32_t page_bytes, object_align_bytes; /* units of ids and sizes */
		} experimental;
	} u;
};

/* The proc as the model knows it: none also for the lanes that stand in for one. */
static inline int64_t
go_event_proc(int64_t p)
{
	return p >= GO_PROC_TIMERS && p <= GO_PROC_PROFILE ? GO_ID_NONE : p;
}

/* The goroutine that something happened to at a point in time; that of the scheduler is none. */
static inline int64_t
go_event_goroutine(const struct go_event *event)
{
	return event->g > 0 ? event->g : GO_ID_NONE;
}

/*
 * Who takes the events. `event` is called for each, in order; false (with err
 * set) ends the reading. `generation` (may be NULL) is called when all events of
 * a generation were delivered. The reader calls from one thread.
 */
struct go_sink {
	bool (*event)(void *context, const struct go_event *event, struct error *err);
	bool (*generation)(void *context, uint64_t generation, struct error *err);
	void *context;
	struct intern *strings; /* that events refer to go here, ... */
	struct stack_table *stacks; /* ... and stacks */
	/* Of one that writes steps, which then takes most changes directly; of others NULL. */
	struct step_writer *steps;
};

#endif
