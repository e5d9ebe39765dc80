/* An arrangement, and the thread that makes one. */
#include "analysis/arrangement.h"

#include "base/job.h"
#include "base/memory.h"

bool
arrange_plan_is_usual(struct arrange_plan plan)
{
	return plan.by == GROUP_BY_NAME && plan.sort == LANES_AS_USUAL;
}

bool
arrangement_build(struct arrangement *arrangement, const struct trace *trace,
                  struct arrange_plan plan, const atomic_bool *is_cancelled, struct error *err)
{
	*arrangement = (struct arrangement){ .trace = NULL };
	struct trace *grouped = plan.by == GROUP_BY_NAME
					? trace_hold(trace)
					: trace_regroup(trace, plan.by, is_cancelled, err);
	if (grouped == NULL)
		return false;
	if (!lane_order_build(&arrangement->order, grouped, plan.sort, is_cancelled, err)) {
		trace_free(grouped);
		return false;
	}
	arrangement->plan = plan;
	arrangement->trace = grouped;
	return true;
}

void
arrangement_release(struct arrangement *arrangement)
{
	lane_order_release(&arrangement->order);
	trace_free(arrangement->trace);
	*arrangement = (struct arrangement){ .trace = NULL };
}

bool
arrangement_list_changes(struct arrangement *arrangement, const struct progress *progress,
                         struct error *err)
{
	return groups_list_changes(arrangement->trace, progress, err);
}

/* ---- the job */

struct arrange_job {
	const struct trace *trace;
	struct arrange_plan plan;
	struct job run;
	struct progress progress; /* of which only that it is cancelled counts */
	atomic_bool is_made;
	bool is_taken;
	struct arrangement arrangement; /* the worker's until it is made, as err is */
	struct error err;
	/* Others look at the groups by then: so the lists are made for copies of them. */
	struct trace copy; /* the worker's until it is done, as is changes_err */
	bool has_changes;
	struct error changes_err;
};

static void
list_changes(struct arrange_job *job, const struct trace *trace)
{
	trace_copy_members(&job->copy, trace);
	job->copy.groups = array_copy(
		trace->groups, trace->group_count, sizeof *trace->groups, &job->changes_err);
	job->has_changes = job->copy.groups != NULL &&
			   groups_list_changes(&job->copy, &job->progress, &job->changes_err);
}

static void
work(void *context)
{
	struct arrange_job *job = context;
	/* What it fails for stands in err. */
	bool is_made = arrangement_build(&job->arrangement, job->trace, job->plan,
		&job->progress.is_cancelled, &job->err);
	const struct trace *trace = job->arrangement.trace;
	bool lacks_changes = is_made && trace->regrouping != NULL;
	atomic_store_explicit(&job->is_made, true, memory_order_release);
	job_wake(&job->run);
	if (lacks_changes)
		list_changes(job, trace);
}

struct arrange_job *
arrange_job_start(const struct trace *trace, struct arrange_plan plan,
                  void (*wake)(void *context), void *context, struct error *err)
{
	struct arrange_job *job = array_new(1, sizeof *job, err);
	if (job == NULL)
		return NULL;
	job->trace = trace;
	job->plan = plan;
	error_clear(&job->err);
	error_clear(&job->changes_err);
	if (job_start(&job->run, work, job, wake, context, err))
		return job;
	memory_free(job);
	return NULL;
}

void
arrange_job_wait(struct arrange_job *job)
{
	job_wait(&job->run);
}

bool
arrange_job_take(struct arrange_job *job, struct arrangement *arrangement, struct error *err)
{
	if (job->is_taken || !atomic_load_explicit(&job->is_made, memory_order_acquire))
		return false;
	job->is_taken = true;
	*arrangement = job->arrangement;
	*err = job->err;
	return true;
}

bool
arrange_job_is_done(const struct arrange_job *job)
{
	return job_is_done(&job->run);
}

bool
arrange_job_give_changes(struct arrange_job *job, struct arrangement *arrangement,
                         struct error *err)
{
	if (!job->is_taken || !arrange_job_is_done(job))
		return false;
	*err = job->changes_err;
	for (group_ref i = 0; job->has_changes && i < job->copy.group_count; i++) {
		arrangement->trace->groups[i].changes = job->copy.groups[i].changes;
		job->copy.groups[i].changes = NULL;
	}
	return job->has_changes;
}

static void
release_copy(struct arrange_job *job)
{
	for (group_ref i = 0; job->copy.groups != NULL && i < job->copy.group_count; i++) {
		if (job->copy.groups[i].changes != NULL)
			change_list_release(job->copy.groups[i].changes);
		memory_free(job->copy.groups[i].changes);
	}
	memory_free(job->copy.groups);
}

void
arrange_job_end(struct arrange_job *job)
{
	if (job == NULL)
		return;
	atomic_store(&job->progress.is_cancelled, true);
	arrange_job_wait(job);
	release_copy(job);
	if (!job->is_taken)
		arrangement_release(&job->arrangement);
	memory_free(job);
}
