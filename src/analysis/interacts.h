/*
 * Who interacts with an actor. Two actors interact where one woke or created the other; and
 * step by step those come in that interact with who is in already. With only wakers it is as for
 * an actor in Go's own viewer: a step adds those who, by the events, woke somebody that is in,
 * out of a wait; also where they polled the network that ended it.
 */
#ifndef TTRACE_ANALYSIS_INTERACTS_H
#define TTRACE_ANALYSIS_INTERACTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

enum { INTERACTS_MOST_STEPS = 99, INTERACTS_NEVER = 255 };

/* What is asked for. */
struct interacts_plan {
	actor_ref actor;
	uint32_t steps;          /* 1 to INTERACTS_MOST_STEPS; 0: nothing is asked for */
	bool only_wakers;
};

/* Zero-initialised is nothing. */
struct interacts {
	struct interacts_plan plan;
	uint8_t *away;   /* by actor: in how many steps it came in, else INTERACTS_NEVER */
	uint32_t known;  /* actors that there were: later ones are not in */
	uint32_t counts[INTERACTS_MOST_STEPS + 1]; /* who came in, by steps */
	uint32_t count;  /* all of them, the actor itself included */
	bool is_closed;  /* nobody else interacts with them */
};

static inline uint8_t
interacts_away(const struct interacts *interacts, actor_ref actor)
{
	return actor < interacts->known ? interacts->away[actor] : INTERACTS_NEVER;
}

/*
 * Reads how far to go: "2", "wakers", "2,wakers"; without a number one step. False and err for
 * anything else; then the plan is as it was.
 */
bool interacts_parse(struct interacts_plan *plan, const char *text, struct error *err);
/* The same back. */
void interacts_add_words(struct text *out, struct interacts_plan plan);
bool interacts_is_same(struct interacts_plan a, struct interacts_plan b);

/*
 * Looks at every state of the trace, once for each step: what that costs is states * steps, some
 * nanoseconds each. On failure nothing is held, so too with ERROR_CANCELLED soon after
 * *is_cancelled became true (NULL: never).
 */
bool interacts_build(struct interacts *interacts, const struct trace *trace,
                     struct interacts_plan plan, const atomic_bool *is_cancelled,
                     struct error *err);
/* How many states that looks at. */
uint64_t interacts_cost(const struct trace *trace, struct interacts_plan plan);
void interacts_release(struct interacts *interacts);

/* ---- on a thread of its own */

struct interacts_job;

/*
 * Begins it. The trace must outlive the job. When it is done wake(context) is called on the job's
 * thread (NULL: nothing to call). NULL with err set on failure.
 */
struct interacts_job *interacts_job_start(const struct trace *trace, struct interacts_plan plan,
                                          void (*wake)(void *context), void *context,
                                          struct error *err);
bool interacts_job_is_done(const struct interacts_job *job);
/* What it is looking for. */
struct interacts_plan interacts_job_plan(const struct interacts_job *job);
/*
 * Ends a job, soon whatever it has. What it found, if it is done, is then the caller's; false with
 * err set where it failed or was not done. NULL is fine, and false.
 */
bool interacts_job_end(struct interacts_job *job, struct interacts *interacts, struct error *err);

#endif
