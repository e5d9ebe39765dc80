/*
 * What the kernel did not give to the lanes of a program: the time that actors, groups and processors ran or were in
 * system calls by the program's account, while their threads waited for a CPU or slept. The rest of that time they
 * were on a CPU, or nobody knows.
 */
#ifndef TTRACE_ANALYSIS_BENEATH_LANES_H
#define TTRACE_ANALYSIS_BENEATH_LANES_H

#include "analysis/beneath/beneath.h"
#include "analysis/pieces.h"
#include "analysis/samples.h"

/* What the program says of the time. */
enum beneath_upper { BENEATH_RUNNING, BENEATH_WORKER, BENEATH_SYSCALL, BENEATH_UPPERS };
/* What the kernel says of it. */
enum beneath_lost { BENEATH_WAITED, BENEATH_SLEPT, BENEATH_LOST };

struct beneath_lanes {
	const struct beneath *beneath;
	const struct trace *trace; /* the upper one, as its lanes are */
	struct pieces of[BENEATH_UPPERS][BENEATH_LOST];
	struct pieces others;   /* of processors of the lower trace: what ran there that is no thread of the upper one */
	struct samples samples; /* of the lower trace, by lanes of the upper one; none where it has none */
};

enum time_class beneath_upper_class(enum beneath_upper upper);

/*
 * Of a trace that is the upper one, maybe with other groups; both have to outlive them. O(n log m) of n
 * pieces of the kernel's and m spans of each thread, and in proportion to what they overlap. ERROR_CANCELLED once
 * that is set (NULL: never). On failure nothing is held.
 */
bool beneath_lanes_build(struct beneath_lanes *lanes, const struct beneath *beneath, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err);
void beneath_lanes_release(struct beneath_lanes *lanes);

/* Adds how long within [t0, t1); nothing where lanes is NULL. O(log n). */
void beneath_lanes_add(const struct beneath_lanes *lanes, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int64_t times_ns[BENEATH_UPPERS][BENEATH_LOST]);

#endif
