/* Time of a thread without a CPU: why it had none, and who had it. */
#ifndef TTRACE_ANALYSIS_BENEATH_STRETCH_H
#define TTRACE_ANALYSIS_BENEATH_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/beneath/beneath.h"
#include "base/error.h"
#include "base/text.h"

struct standstills; /* analysis/standstills.h */

/* Why a thread had no CPU, as far as one of the traces tells. */
enum reason_kind {
	REASON_NONE,
	REASON_CPU,       /* it waited for one ... */
	REASON_THROTTLED, /* ... that a quota kept from it */
	REASON_FAULT,     /* asleep, in a page fault; ... */
	REASON_CALL,      /* ... in a system call, by the lower trace; ... */
	REASON_SYSCALL,   /* ... by the upper one, which does not say in which; ... */
	REASON_STATE,     /* ... as the kernel calls it */
	REASON_KINDS
};

struct reason {
	enum reason_kind kind;
	string_id call;  /* of REASON_CALL: its name in the lower trace; else STRING_EMPTY */
	string_id state; /* what the kernel calls it, in the lower trace, where that is more than sleep; else STRING_EMPTY */
};

/* Of what sleeps from t on, in the upper trace's time, at which the walk stands; is_in_call: by the upper trace. */
struct reason reason_of_sleep(const struct beneath_walk *walk, int64_t t_ns, bool is_in_call);
/* Appends "throttled", "page fault", "futex", "read, disk sleep". */
void text_add_reason(struct text *out, const struct beneath *beneath, struct reason reason);

/* Time without a CPU within one span. */
struct stretch {
	actor_ref actor;
	resource_ref thread;
	int64_t from_ns, until_ns; /* of the upper trace */
	int64_t asleep_ns;
	bool is_in_call;           /* by the upper trace */
};

static inline int64_t
stretch_length(const struct stretch *stretch)
{
	return stretch->until_ns - stretch->from_ns;
}

/* Throttled, or why it slept, where that is half of it or more; else REASON_NONE. */
struct reason stretch_reason(
	const struct stretch *stretch, const struct beneath *beneath, const struct standstills *stills);
/*
 * Who had the CPU longest meanwhile at which the thread waited, which may be nobody: "compile (6.71 ms)", "idle (70 ms)".
 * Nothing where nobody knows. O(what happened on the CPUs meanwhile).
 */
bool stretch_add_holder(const struct stretch *stretch, const struct beneath *beneath, bool ascii, struct text *out,
	struct error *err);

/* What a thread did in the kernel during a span, and the longest of that without a CPU. */
struct stretch_sums {
	int64_t times_ns[BENEATH_STATES];
	struct stretch longest;
};

/*
 * For text that is told at once: false where so much happened that it would take longer than a millisecond, where
 * nothing is known of the thread, and where the span is of none.
 */
bool stretch_sum(struct stretch_sums *sums, const struct beneath *beneath, const struct span *span);
/* Who had the CPU in the longest of it, as stretch_add_holder() tells; nothing where that would take as long. */
void stretch_add_longest_holder(struct text *out, const struct stretch_sums *sums, const struct beneath *beneath, bool ascii);

#endif
