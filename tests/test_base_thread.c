/* Workers run, publish, see cancellation, and take no signals. */
#include "base_testing.h"

#include <signal.h>

#include "base/map.h"
#include "base/thread.h"

struct job {
	struct progress progress;
	struct stable_column *column;
	bool is_signal_blocked;
};

/* Appends until the one who waits has seen enough. */
static void
count_up(void *context)
{
	struct job *job = context;
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	job->is_signal_blocked =
		sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGWINCH) == 1;
	struct error err;
	error_clear(&err);
	while (!atomic_load(&job->progress.is_cancelled) && job->column->count < 1000000) {
		uint64_t *item = stable_append(job->column, &err);
		if (item == NULL)
			break;
		*item = hash_u64(job->column->count - 1);
		atomic_store_explicit(
			&job->progress.events, job->column->count, memory_order_release);
	}
	atomic_store_explicit(&job->progress.is_finished, true, memory_order_release);
}

static void
published_items_can_be_read_meanwhile(void **state)
{
	(void)state;
	struct stable_column column = { .item_size = sizeof(uint64_t) };
	struct job job = { .column = &column };
	struct error err;
	error_clear(&err);
	struct worker *worker = worker_new(count_up, &job, &err);
	assert_non_null(worker);
	uint64_t read = 0;
	while (read < 5000) {
		uint64_t ready = atomic_load_explicit(&job.progress.events, memory_order_acquire);
		for (; read < ready; read++) {
			const uint64_t *item = stable_at(&column, (uint32_t)read);
			if (*item != hash_u64(read))
				fail_msg("item %llu", (unsigned long long)read);
		}
	}
	atomic_store(&job.progress.is_cancelled, true);
	worker_join(worker);
	assert_true(atomic_load(&job.progress.is_finished));
	assert_true(job.is_signal_blocked);
	assert_int_equal(column.count, atomic_load(&job.progress.events));
	stable_release(&column);
}

static void
the_mask_of_the_maker_stays(void **state)
{
	(void)state;
	sigset_t before, after;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	struct stable_column column = { .item_size = sizeof(uint64_t) };
	struct job job = { .column = &column };
	atomic_store(&job.progress.is_cancelled, true);
	struct error err;
	error_clear(&err);
	worker_join(worker_new(count_up, &job, &err));
	assert_true(atomic_load(&job.progress.is_finished));
	assert_int_equal(column.count, 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_int_equal(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
	assert_int_equal(sigismember(&after, SIGWINCH), 0);
	worker_join(NULL);
}

static void
do_nothing(void *context)
{
	(void)context;
}

static bool
try_worker(struct error *err)
{
	struct worker *worker = worker_new(do_nothing, NULL, err);
	worker_join(worker);
	return worker != NULL;
}

static void
every_allocation_may_fail(void **state)
{
	(void)state;
	assert_int_equal(fail_each_allocation("worker", try_worker), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_items_can_be_read_meanwhile),
		cmocka_unit_test(the_mask_of_the_maker_stays),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
