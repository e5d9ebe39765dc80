/*
 * Events of the kernel, whichever tool prints them, as a trace: tasks are the actors, CPUs the
 * processors. Events of the scheduler make the states of tasks; system calls, interrupts and marks of
 * programs become slices; all other events are instants with their fields.
 *
 * A source reads a line's head itself, hands the event to kernel_add(), and calls kernel_finish() when
 * all are there. They need not be in the order of time.
 *
 * The rules are those of the kernel's own printing (include/trace/events/sched.h and its
 * neighbours) and of perf sched timehist:
 * - A switch says who leaves a CPU, into which state, and who comes.
 * - Any other head says who runs. Where it contradicts the last switch, events were lost: who was
 *   there stops, its state unknown.
 * - sched_waking and sched_wakeup tell of one wake-up: where there is any of the first, the second
 *   says nothing.
 * - A system call belongs to its task, which may change the CPU meanwhile; an interrupt to its CPU.
 */
#ifndef TTRACE_SOURCE_COMMON_KERNEL_H
#define TTRACE_SOURCE_COMMON_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "source/common/scan.h"
#include "trace/builder.h"
#include "trace/trace.h"
#include "trace/words.h"

#define KERNEL_NOBODY (-1) /* a pid that the input does not know */
enum { KERNEL_CPU_MOST = 65535 };
#define KERNEL_NO_CPU UINT32_MAX /* the input does not say which */

extern const struct reason_class kernel_reasons[];

#define KERNEL_WORDS(name_of_source)                                                               \
	{                                                                                          \
		.source = (name_of_source), .actor = { "task", "tasks", '\0' },                    \
		.processor = { "CPU", "CPUs", '\0' }, .group = { "group", "groups", '\0' },        \
		.sample = { "sample", "samples", '\0' },                                          \
		.name = { "name", "names", '\0' }, .function = { "name", "names", '\0' },          \
		.task = { "section", "sections", '\0' },                                           \
		.dump_states = { [STATE_READY] = "runnable" },                                     \
		.classes = {                                                                       \
			[CLASS_GONE] = { "gone", NULL },                                           \
			[CLASS_UNKNOWN] = { "unknown", "unknown: nothing tells of it" },           \
			[CLASS_RUNNING] = { "running", "on a CPU" },                               \
			[CLASS_READY] = { "runnable", "runnable, without a CPU" },                 \
			[CLASS_SLEEP] = { "asleep", "asleep until somebody wakes it" },            \
			[CLASS_RUNTIME] = { "disk", "asleep where no signal wakes it: disk and locks" }, \
			[CLASS_IDLE] = { "idle", "a thread of the kernel without work" },          \
			[CLASS_OTHER] = { "stopped", "stopped, traced or parked" },                \
		},                                                                                 \
		.is_scheduled = true, .has_calls = true, .reasons = kernel_reasons,                \
		.keys = { .id = "pid" },                                                           \
	}

/* Who an event's head says runs on which CPU, and when. */
struct kernel_head {
	int64_t time_ns;
	int64_t pid; /* 0: the CPU is idle; KERNEL_NOBODY */
	uint32_t cpu; /* at most KERNEL_CPU_MOST; of own events and moves also KERNEL_NO_CPU */
	bool is_in_interrupt; /* which is what the event is of, not of the task */
};

/* Numbers of the whole input. */
struct kernel_counts {
	uint64_t switches, marks, backwards;
	uint64_t lost_events; /* as far as the input says how many */
};

struct kernel;

/* Fills an empty trace, whose words the source has set. NULL for want of memory. */
struct kernel *kernel_new(struct trace *trace, struct error *err);
void kernel_free(struct kernel *kernel); /* NULL is fine */
/* All so far, for a trace whose names and stacks have the same ids. NULL for want of memory. O(n). */
struct kernel *kernel_copy(const struct kernel *kernel, struct trace *trace, struct error *err);

/* The name of a task, as its head has it; "<...>" and nothing are none. The last one counts. */
bool kernel_name(struct kernel *kernel, int64_t pid, struct scan name, struct error *err);
/* The process that a task is a thread of, by its pid; 0 and less are none. */
bool kernel_process(struct kernel *kernel, int64_t pid, int64_t process, struct error *err);
/* An event with its fields, "sched_switch" and "prev_comm=...". Fails for want of memory alone. */
bool kernel_add(struct kernel *kernel, const struct kernel_head *head, struct scan name,
	struct scan fields, struct error *err);
/* The same of one that says more than that it happened; else *is_known is false and the source tells of it. */
bool kernel_add_known(struct kernel *kernel, const struct kernel_head *head, struct scan name,
	struct scan fields, bool *is_known, struct error *err);
/* One of which the source makes something itself, when the states up to there stand. */
bool kernel_add_own(struct kernel *kernel, const struct kernel_head *head, uint32_t number, struct error *err);
/*
 * The head's task comes to a CPU or leaves it, for inputs that say no more of their switches. Of what is asleep
 * they do not say when it was woken; nor may they say where it runs.
 */
enum kernel_move {
	KERNEL_COMES, KERNEL_IS_PREEMPTED, KERNEL_SLEEPS, KERNEL_DIES,
	KERNEL_IS_UNTOLD /* from here on nothing is told of it: if it runs it may do anything */
};
bool kernel_add_move(struct kernel *kernel, const struct kernel_head *head, enum kernel_move move, struct error *err);
/* The stack belongs to the last event on that CPU. */
void kernel_set_stack(struct kernel *kernel, uint32_t cpu, stack_id stack);
/*
 * Events of a CPU were lost, 0 where the input does not say how many: from its last event on, or from `time_ns` where
 * it has none.
 */
bool kernel_lose(struct kernel *kernel, uint32_t cpu, uint64_t count, int64_t time_ns, struct error *err);

/*
 * The oldest events of each CPU were overwritten. Until the last CPU begins, who does not run may have run
 * unseen, so that no state but running is known.
 */
void kernel_tell_overwritten(struct kernel *kernel);

const struct kernel_counts *kernel_counts(const struct kernel *kernel);
/* The time of the last event that was added; 0: there was none. */
int64_t kernel_last_ns(const struct kernel *kernel);
/*
 * What becomes of the source's own events, by the numbers that it gave. The actor is REF_NONE where nobody ran.
 * The trace's slices may be filled.
 */
struct kernel_own {
	bool (*take)(void *context, struct builder *builder, uint32_t number, actor_ref actor, struct error *err);
	void *context;
};

/*
 * All was added: the trace stands. own: NULL where there are none of these. Fails for want of memory, once
 * the progress is cancelled, and where take() does. O(n log n).
 */
bool kernel_finish(struct kernel *kernel, const struct kernel_own *own, const struct progress *progress,
	struct error *err);

#endif
