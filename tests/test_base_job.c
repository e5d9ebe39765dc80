/* A job tells when it is done, and stops where it is told to. */
#include "base_testing.h"

#include <sched.h>

#include "base/job.h"

struct counting {
	struct job run;
	atomic_bool is_cancelled;
	atomic_int woken;
	int woken_before_end;
	struct error err;
};

static void
count_wake(void *context)
{
	struct counting *counting = context;
	atomic_fetch_add(&counting->woken, 1);
}

/* Shows something, then waits until it is told to stop. */
static void
work(void *owner)
{
	struct counting *counting = owner;
	job_wake(&counting->run);
	while (job_goes_on(&counting->is_cancelled, &counting->err))
		sched_yield();
	counting->woken_before_end = atomic_load(&counting->woken);
}

static void
the_one_who_began_it_is_woken(void **state)
{
	(void)state;
	struct counting counting = { .woken_before_end = 0 };
	struct error err;
	error_clear(&err);
	error_clear(&counting.err);
	assert_true(job_start(&counting.run, work, &counting, count_wake, &counting, &err));
	while (atomic_load(&counting.woken) == 0)
		sched_yield();
	assert_false(job_is_done(&counting.run));
	atomic_store(&counting.is_cancelled, true);
	job_wait(&counting.run);
	assert_true(job_is_done(&counting.run));
	assert_int_equal(counting.woken_before_end, 1);
	assert_int_equal(atomic_load(&counting.woken), 2);
	assert_int_equal(counting.err.kind, ERROR_CANCELLED);
	job_wait(&counting.run);
}

static void
nobody_need_be_woken(void **state)
{
	(void)state;
	struct counting counting = { .is_cancelled = true };
	struct error err;
	error_clear(&err);
	job_wait(&counting.run);
	assert_true(job_start(&counting.run, work, &counting, NULL, NULL, &err));
	job_wait(&counting.run);
	assert_true(job_is_done(&counting.run));
}

static void
what_nobody_can_cancel_goes_on(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	assert_true(job_goes_on(NULL, &err));
	assert_int_equal(err.kind, ERROR_NONE);
}

static bool
try_job(struct error *err)
{
	struct counting counting = { .is_cancelled = true };
	bool is_started = job_start(&counting.run, work, &counting, NULL, NULL, err);
	job_wait(&counting.run);
	assert_int_equal(job_is_done(&counting.run), is_started);
	return is_started;
}

static void
every_allocation_may_fail(void **state)
{
	(void)state;
	assert_int_equal(fail_each_allocation("job", try_job), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_who_began_it_is_woken),
		cmocka_unit_test(nobody_need_be_woken),
		cmocka_unit_test(what_nobody_can_cancel_goes_on),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
