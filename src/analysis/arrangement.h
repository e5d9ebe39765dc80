/*
 * How actors are laid out in lanes, as the user asks for it; made beside, as it may take a
 * while.
 */
#ifndef TTRACE_ANALYSIS_ARRANGEMENT_H
#define TTRACE_ANALYSIS_ARRANGEMENT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/lane_order.h"
#include "base/error.h"
#include "trace/regroup.h"

/* What is asked for; zero is what holds without asking. */
struct arrange_plan {
	enum group_by by;
	enum lane_sort sort;
};

struct arrangement {
	struct arrange_plan plan;
	struct trace *trace; /* which it keeps: what it is of, or that with other groups; NULL: none */
	struct lane_order order;
};

/*
 * Arranges a frozen trace that is not regrouped, as lane_order_build() and trace_regroup()
 * do. What groups do that are not by name is not known yet, see
 * arrangement_list_changes(). Release after success.
 */
bool arrangement_build(struct arrangement *arrangement, const struct trace *trace,
                       struct arrange_plan plan, const atomic_bool *is_cancelled,
                       struct error *err);
void arrangement_release(struct arrangement *arrangement);

/* So that it becomes known. As groups_list_changes(); on failure it stays unknown. */
bool arrangement_list_changes(struct arrangement *arrangement, const struct progress *progress,
                              struct error *err);

bool arrange_plan_is_usual(struct arrange_plan plan);

/* ---- on a thread of its own */

struct arrange_job;

/*
 * Begins it. The trace must outlive the job. When the arrangement is made wake(context) is called
 * on the job's thread (NULL: nothing to call). NULL on failure.
 */
struct arrange_job *arrange_job_start(const struct trace *trace, struct arrange_plan plan,
                                      void (*wake)(void *context), void *context,
                                      struct error *err);
/* Waits until it is done. */
void arrange_job_wait(struct arrange_job *job);
/*
 * False until it is made. Then the arrangement, the caller's, is empty where err is set. It must
 * not be released before the job has ended.
 */
bool arrange_job_take(struct arrange_job *job, struct arrangement *arrangement,
                      struct error *err);
/* Whether nothing more is to be had from it: behind its arrangement come the lists of changes. */
bool arrange_job_is_done(const struct arrange_job *job);
/*
 * Gives the lists to the arrangement that was taken. False until they are there, or they never will
 * be.
 */
bool arrange_job_give_changes(struct arrange_job *job, struct arrangement *arrangement,
                              struct error *err);
/* Ends a job, soon whatever it has. NULL is fine. */
void arrange_job_end(struct arrange_job *job);

#endif
