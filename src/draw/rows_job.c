/* One thing at a time, on a worker. */
#include "draw/rows_job.h"

#include "base/job.h"
#include "base/memory.h"
#include "draw/task_rows.h"

struct rows_job {
	const struct trace *trace;
	const struct samples *samples;
	struct lane what;
	struct job run;
	atomic_bool is_cancelled;
	/* The worker's until it is done. */
	bool is_fine;
	struct stack_chart chart;
	struct task_rows *tasks;
	struct nest nest;
	struct error err;
};

bool
rows_take_long(const struct timeline_rows *rows, struct lane what)
{
	const struct trace *trace = rows->trace;
	if (what.type == LANE_PROCESSOR)
		return nests_find(&rows->nests, what) == SIZE_MAX && trace->slices != NULL &&
		       !(rows->has_made_nest && rows->made_nest.lane.ref == what.ref) &&
		       slices_count(trace->slices) + trace_state_count(trace) > ROWS_AT_ONCE;
	if (what.type == LANE_TASK)
		return rows->tasks == NULL &&
		       (uint64_t)trace->tasks.count + trace->ranges.count + trace->instants.count +
				       trace->actors.count >
			       ROWS_AT_ONCE;
	return rows->stacks.actor != what.ref && rows->made.actor != what.ref &&
	       trace_actor(trace, what.ref)->state_count > ROWS_AT_ONCE;
}

static void
work(void *context)
{
	struct rows_job *job = context;
	if (job->what.type == LANE_ACTOR) {
		job->is_fine = stack_chart_build(&job->chart, job->trace, job->samples,
			job->what.ref, &job->is_cancelled, &job->err);
	} else if (job->what.type == LANE_PROCESSOR) {
		job->is_fine = nest_build_of_processor(
			&job->nest, job->trace, job->what.ref, &job->is_cancelled, &job->err);
	} else {
		job->tasks = task_rows_new(job->trace, REF_NONE, &job->is_cancelled, &job->err);
		job->is_fine = job->tasks != NULL;
	}
}

struct rows_job *
rows_job_start(const struct timeline_rows *rows, struct lane what,
	void (*wake)(void *context), void *context, struct error *err)
{
	struct rows_job *job = array_new(1, sizeof *job, err);
	if (job == NULL)
		return NULL;
	job->trace = rows->trace;
	job->samples = &rows->samples;
	job->what = what;
	job->chart.actor = REF_NONE;
	if (job_start(&job->run, work, job, wake, context, err))
		return job;
	memory_free(job);
	return NULL;
}

bool
rows_job_is_done(const struct rows_job *job)
{
	return job_is_done(&job->run);
}

void
rows_job_cancel(struct rows_job *job)
{
	atomic_store(&job->is_cancelled, true);
}

static void
hand_over(struct rows_job *job, struct timeline_rows *rows)
{
	if (job->what.type == LANE_PROCESSOR) {
		nest_release(&rows->made_nest);
		rows->made_nest = job->nest;
		rows->has_made_nest = true;
		job->nest = (struct nest){ 0 };
	} else if (job->what.type == LANE_ACTOR) {
		stack_chart_release(&rows->made);
		rows->made = job->chart;
		job->chart = (struct stack_chart){ .actor = REF_NONE };
	} else if (rows->tasks == NULL) {
		rows->tasks = job->tasks;
		job->tasks = NULL;
	}
}

bool
rows_job_end(struct rows_job *job, struct timeline_rows *rows, struct error *err)
{
	if (job == NULL)
		return true;
	rows_job_cancel(job);
	job_wait(&job->run);
	bool is_fine = job->is_fine;
	if (!is_fine)
		*err = job->err;
	else if (rows != NULL)
		hand_over(job, rows);
	stack_chart_release(&job->chart);
	task_rows_free(job->tasks);
	nest_release(&job->nest);
	memory_free(job);
	return is_fine;
}
