/* Between reading events of the kernel and building a trace of them. Only for source/common/kernel*.c. */
#ifndef TTRACE_SOURCE_COMMON_KERNEL_INTERNAL_H
#define TTRACE_SOURCE_COMMON_KERNEL_INTERNAL_H

#include "base/map.h"
#include "source/common/kernel.h"

/* Reasons of blocked states, which have a class. */
#define KERNEL_SLEEP "sleep"
#define KERNEL_DISK "disk sleep"
#define KERNEL_NO_WORK "idle"

enum kernel_kind {
	KERNEL_OTHER,    /* an instant */
	KERNEL_SWITCH,   /* `other` leaves the CPU to `next` */
	KERNEL_COME,     /* that of the head comes to the CPU, */
	KERNEL_LEAVE,    /* and leaves it */
	KERNEL_WAKING,   /* `other` becomes runnable */
	KERNEL_WAKEUP,
	KERNEL_NEW,      /* the same for the first time */
	KERNEL_FORK,     /* `other` is made */
	KERNEL_ENTER,    /* a system call begins: `key` is its number, */
	KERNEL_RETURN,   /* and ends */
	KERNEL_BEGIN,    /* something on the CPU begins, of which `key` tells what, */
	KERNEL_END,      /* and ends */
	KERNEL_WORK,     /* the same on the task */
	KERNEL_WORK_END,
	KERNEL_OPEN,     /* a program marks where something begins, */
	KERNEL_CLOSE,    /* and where the innermost of these ends */
	KERNEL_START,    /* the same across tasks: `text` is what both have */
	KERNEL_FINISH,
	KERNEL_GAUGE,    /* the counter `name` has the value `key` */
	KERNEL_LOSS,
	KERNEL_OWN,      /* the source knows */
	KERNEL_KIND_COUNT
};

/* The state into which somebody leaves a CPU. */
enum kernel_state {
	KERNEL_RUNNABLE, KERNEL_ASLEEP, KERNEL_IN_DISK, KERNEL_STOPPED, KERNEL_TRACED, KERNEL_DEAD,
	KERNEL_PARKED, KERNEL_IDLE, KERNEL_OTHERWISE, KERNEL_UNTOLD, KERNEL_STATE_COUNT
};

/* 48 bytes: there are many millions. */
struct kernel_event {
	int64_t time_ns;
	uint64_t key;
	int32_t pid, other, next;
	string_id name; /* of the event; of a slice its own */
	string_id text; /* fields; arguments or the result of a call */
	stack_id stack;
	uint32_t order; /* in the input */
	uint16_t cpu;
	unsigned kind : 5, state : 4, is_in_interrupt : 1, has_failed : 1, has_no_cpu : 1;
};

struct kernel_task {
	int64_t pid;
	int64_t process; /* the pid of its process; 0 where that is not known */
	string_id head_name, field_name; /* as heads and as fields have it; the last ones */
};

struct kernel {
	struct trace *trace;
	struct kernel_event *events;
	size_t count, capacity;
	struct kernel_task *tasks;
	size_t task_count, task_capacity;
	struct map task_of;      /* pid to index */
	uint32_t *last_on;       /* by CPU: 1 + the index of its last event; 0: none */
	size_t cpu_count, cpu_capacity;
	int64_t last_ns;         /* of the last event, INT64_MIN without one */
	struct kernel_counts counts;
	bool has_waking, is_overwritten;
	struct text scratch;
};

/* The index of the task with that pid, made known if new. */
bool kernel_task(struct kernel *kernel, int64_t pid, uint32_t *task, struct error *err);
/* What the name and the fields say: fills all that the head does not, but for what is told as an instant. */
bool kernel_read_fields(struct kernel *kernel, struct scan name, struct scan fields,
	struct kernel_event *event, struct error *err);
/* The name of a task: that of its heads, unless they cut it; else that of fields, else "pid 12". */
bool kernel_called(struct kernel *kernel, uint32_t task, string_id *name, struct error *err);
/* A name that a field has. */
bool kernel_name_field(struct kernel *kernel, int64_t pid, struct scan name, struct error *err);

#endif
