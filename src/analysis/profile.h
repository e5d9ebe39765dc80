/*
 * What actors waited for, or ran, by call stack: the profiles that `go tool trace -pprof`
 * writes, and two of our own.
 */
#ifndef TTRACE_ANALYSIS_PROFILE_H
#define TTRACE_ANALYSIS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "result/measure.h"
#include "trace/sample_set.h"
#include "trace/trace.h"

enum profile_kind {
	PROFILE_NET,     /* blocked on the network, by where it blocked */
	PROFILE_SYNC,    /* blocked on channels, select, locks and the like, by where it blocked */
	PROFILE_SYSCALL, /* in a system call, by where it was made */
	PROFILE_SCHED,   /* ready, by who made it so: waker, creator, or itself where it was stopped */
	PROFILE_CPU,     /* CPU samples; without times */
	PROFILE_OFFCPU,  /* not running for whatever reason, by where it stopped to run */
	PROFILE_KIND_COUNT, /* those above are of states and samples */
	/*
	 * Own time of slices, by what they are in: the name of the actor, or of the track, and then
	 * of the slices, the outermost first.
	 */
	PROFILE_SLICES = PROFILE_KIND_COUNT,
	PROFILE_SAMPLES /* weights of the trace's samples (trace/sample_set.h), of one of their types */
};

/* Which waits count, and when they are over. */
enum profile_rule {
	/*
	 * Every state of the kind counts with all of its time, as everywhere else: also one that the
	 * actor was in before it first ran, or is still in when the trace ends.
	 */
	PROFILE_STATES,
	/*
	 * As Go 1.23 to 1.25 have it: what has not ended counts for nothing, nor what was before the
	 * actor first ran. Only changes of state that come with a stack begin and end
	 * something. Going on to run has none. So what is ready runs on in "sched" until it
	 * blocks, stops or makes a system call, and a system call lasts until the one after it.
	 */
	PROFILE_STACKED,
	PROFILE_EXACT /* the same, but over with the state, as Go 1.26 has it */
};

struct beneath;      /* analysis/beneath/beneath.h */
struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

/*
 * What a profile is of. What lies outside of all of it is left out, to the nanosecond. PROFILE_SLICES
 * looks at the actor and the interval alone, and takes slices that overlap it whole.
 */
struct profile_scope {
	enum profile_rule rule;
	/*
	 * Also the runtime's own actors. By Go's rules they always count, as in PROFILE_CPU, which
	 * is of what the process does; and where it is one of them that is asked for.
	 */
	bool with_runtime;
	int64_t t0_ns, t1_ns;      /* [t0, t1) */
	actor_ref actor;           /* REF_NONE: all */
	string_id function;        /* actors of this start function; STRING_EMPTY: all */
	/* The time within regions of this name, or of this task; STRING_EMPTY and REF_NONE: all time. */
	string_id region;
	task_ref task;
	const struct search *only; /* states, and samples in states, that it matches; NULL: all */
	/* Of PROFILE_SAMPLES alone, which without times nothing above limits. */
	const struct beneath *beneath; /* samples of the trace beneath, of threads that ran then what is asked for;
					  NULL: the trace's own */
	unsigned type;             /* of samples, counted from 0 */
	const char *label;         /* a pattern: samples with a label "KEY:VALUE" that matches; NULL: all */
	bool with_dropped;         /* all that the input has: frames that it names to be left out, and stacks
				      that weigh nothing */
	struct search_watch *watch; /* a unit of work is a state; NULL: nobody watches */
};

struct profile_entry {
	stack_id stack; /* STACK_NONE where the trace does not tell it */
	uint64_t count; /* waits, samples, or slices that ended */
	int64_t ns;     /* all of them together; of CPU samples 0; of PROFILE_SAMPLES their weight */
	uint64_t open_count; /* of the waits those that have not ended, which only PROFILE_STATES has, ... */
	int64_t open_ns;     /* ... and their time so far */
};

struct profile {
	enum profile_kind kind;
	enum profile_rule rule;
	const struct trace *trace;     /* that its names and stacks are of: the one it was made of, or one beneath */
	struct measure measure;        /* of the values */
	struct profile_entry *entries; /* by stack, each once */
	uint32_t entry_count;
	struct stack_table *made_stacks; /* that the entries' are of; NULL: those of the trace */
	struct profile_entry sum; /* of the entries, also of those that a filter left out, but for its
				     stack; times stay at INT64_MAX where they would be more.
				     Of PROFILE_SAMPLES what shares are of, so no weight is less than 0 */
};

/* The classes of the states that a profile is about: its time is theirs. 0: of PROFILE_CPU and PROFILE_SLICES. */
class_mask profile_classes(enum profile_kind kind);
#define PROFILE_SYNC_CLASSES                                                                       \
	((class_mask)(CLASS_BIT(CLASS_CHANNEL) | CLASS_BIT(CLASS_SELECT) | CLASS_BIT(CLASS_SYNC) | \
		      CLASS_BIT(CLASS_FOREVER)))
#define PROFILE_OFFCPU_CLASSES                                                                     \
	((class_mask)(CLASS_MASK_BLOCKED | CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL)))

/* Whether all actors of a kind count, none is left out for being the runtime's. */
bool profile_is_of_all(enum profile_kind kind, const struct profile_scope *scope);
/* The whole trace, of the program's actors, by PROFILE_STATES. */
struct profile_scope profile_whole(const struct trace *trace);
/*
 * PROFILE_OFFCPU goes by PROFILE_STATES, less by the others what has not ended. O(states of the
 * actors within the interval, log n for each of these). ERROR_CANCELLED where the watch says
 * so, ERROR_USAGE where slices are asked for and there are none. Release with profile_release() after
 * success.
 */
bool profile_build(struct profile *profile, const struct trace *trace, enum profile_kind kind,
	const struct profile_scope *scope, struct error *err);
/* Release the copy after success. Not of PROFILE_SLICES and PROFILE_SAMPLES. */
bool profile_copy(struct profile *copy, const struct profile *profile, struct error *err);
void profile_release(struct profile *profile);

/* Where the stacks of the entries are. */
static inline const struct stack_table *
profile_stacks(const struct profile *profile)
{
	return profile->made_stacks != NULL ? profile->made_stacks : &profile->trace->stacks;
}

/* What an entry counts: its time, or its samples. */
static inline int64_t
profile_value(const struct profile *profile, const struct profile_entry *entry)
{
	return profile->kind == PROFILE_CPU ? (int64_t)entry->count : entry->ns;
}

static inline int64_t
profile_total(const struct profile *profile)
{
	return profile->kind == PROFILE_CPU ? (int64_t)profile->sum.count : profile->sum.ns;
}

/* "net", "sync", ...: as options and reports name it; NULL of PROFILE_SAMPLES, whose types have names. */
const char *profile_name(enum profile_kind kind);
/* What values of such a profile are; type: of PROFILE_SAMPLES. */
struct measure profile_measure(const struct trace *trace, enum profile_kind kind, unsigned type);
/* The name of a profile that was made, safe text: that of the kind, or of the type of samples. */
const char *profile_called(const struct profile *profile);

/* Appends "KEY:VALUE", raw bytes: a number with its unit. */
void profile_label_add(struct text *out, const struct trace *trace, const struct sample_label *label);

/*
 * Which samples of trace->samples are meant: with a label "KEY:VALUE" that the scope's pattern matches,
 * and where they have times, in its interval and on its actors. `trace`: the profile's. The scope must live as
 * long.
 */
struct profile_choice;
struct profile_choice *profile_choice_new(
	const struct trace *trace, const struct profile_scope *scope, struct error *err);
void profile_choice_free(struct profile_choice *choice); /* NULL is fine */
/* Whether it is one of them. Each list of labels is matched once. */
bool profile_choice_has(struct profile_choice *choice, size_t sample);
/* The same without asking for labels. */
bool profile_choice_is_within(const struct profile_choice *choice, size_t sample);

/* The name of a function of a stack, raw bytes; "<unknown>" where there is none. */
const char *profile_function_name(const struct trace *trace, string_id function, size_t *length);

#endif
