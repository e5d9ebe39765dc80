/* Workers run, publish, see cancellation, and take no signals. */
#include "base_testing.h"

#include <sched.h>
#include <signal.h>
#include <time.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "base/compiler.h"
#include "base/map.h"
#include "base/process.h"
#include "base/ring.h"
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
progress_is_told_in_percent(void **state)
{
	static const struct {
		uint64_t done, total;
		int percent;
	} rows[] = { { 0, 0, 0 }, { 5, 0, 0 }, { 0, 1000, 0 }, { 500, 1000, 49 }, { 999, 1000, 98 },
		{ 1000, 1000, 99 }, { 1001, 1000, 99 }, { UINT64_MAX, UINT64_MAX, 99 } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct progress progress = { 0 };
		atomic_store(&progress.done_bytes, rows[i].done);
		atomic_store(&progress.total_bytes, rows[i].total);
		assert_int_equal(progress_percent(&progress), rows[i].percent);
	}
}

/* What is done is counted from where it begins; more may have been read. */
static void
progress_is_told_of_a_part(void **state)
{
	(void)state;
	struct progress progress = { 0 };
	atomic_store(&progress.from_bytes, 1000);
	atomic_store(&progress.total_bytes, 100);
	atomic_store(&progress.done_bytes, 10);
	assert_int_equal(progress_done(&progress), 0);
	assert_int_equal(progress_percent(&progress), 0);
	atomic_store(&progress.read_bytes, 1060);
	assert_int_equal(progress_read(&progress), 60);
	atomic_store(&progress.done_bytes, 1050);
	assert_int_equal(progress_done(&progress), 50);
	assert_int_equal(progress_read(&progress), 60);
	assert_int_equal(progress_percent(&progress), 49);
	atomic_store(&progress.done_bytes, 1070);
	assert_int_equal(progress_read(&progress), 70);
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

/* The emptying side: blocks of one number each, in order. */
struct emptier {
	struct ring *ring;
	_Atomic uint64_t taken;
	uint64_t stop_at;
	bool is_in_order;
};

static void
empty_ring(void *context)
{
	struct emptier *emptier = context;
	const uint64_t *block;
	size_t count;
	emptier->is_in_order = true;
	while ((block = ring_take(emptier->ring, &count)) != NULL) {
		uint64_t taken = atomic_load(&emptier->taken);
		if (taken == emptier->stop_at) {
			ring_stop(emptier->ring);
			return;
		}
		if (*block != taken || count != taken % 7)
			emptier->is_in_order = false;
		ring_release(emptier->ring);
		atomic_store(&emptier->taken, taken + 1);
	}
}

/* Returns how many blocks could be put, of `most`; waits for all of a burst now and then. */
static uint64_t
fill_ring(struct emptier *emptier, uint64_t most)
{
	uint64_t put = 0;
	for (; put < most; put++) {
		uint64_t *block = ring_fill(emptier->ring);
		if (block == NULL)
			return put;
		*block = put;
		ring_put(emptier->ring, put % 7);
		if (put % 1000 != 1)
			continue;
		ring_flush(emptier->ring);
		while (emptier->stop_at > put && atomic_load(&emptier->taken) <= put)
			sched_yield();
	}
	return put;
}

#if defined(__linux__)
/*
 * In place of the C library's: the time of day is an hour behind what the kernel waits by, as
 * where somebody set it between being asked and the wait.
 */
int
clock_gettime(clockid_t clock, struct timespec *now)
{
	long code = syscall(SYS_clock_gettime, clock, now);
	if (clock == CLOCK_REALTIME)
		now->tv_sec -= 3600;
	return (int)code;
}
#endif

static void
setting_the_time_of_day_changes_no_wait(void **state)
{
	(void)state;
	const int64_t wait_ns = 20000000;
	struct error err = { 0 };
	struct ring *ring = ring_new(sizeof(uint64_t), 16, &err);
	assert_non_null(ring);
	int64_t before_ns = process_now_ns();
	assert_false(ring_wait(ring, wait_ns));
	assert_true(process_now_ns() - before_ns >= wait_ns);
	ring_free(ring);
}

static void
waiting_for_a_block_has_an_end(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct ring *ring = ring_new(sizeof(uint64_t), 16, &err);
	size_t count;
	assert_non_null(ring);
	assert_false(ring_wait(ring, 0));
	assert_false(ring_wait(ring, 1000000));
	assert_non_null(ring_fill(ring));
	ring_put(ring, 3);
	assert_true(ring_wait(ring, INT64_C(3000000000))); /* and not for so long */
	assert_non_null(ring_take(ring, &count));
	ring_release(ring);
	assert_false(ring_wait(ring, 1000000));
	ring_finish(ring);
	assert_true(ring_wait(ring, INT64_C(3000000000)));
	ring_free(ring);
}

static void
blocks_go_from_thread_to_thread_in_order(void **state)
{
	(void)state;
	static const struct {
		size_t block_count;
		uint64_t stop_at;
	} rows[] = { { 2, UINT64_MAX }, { 16, UINT64_MAX }, { 2, 500 }, { 16, 501 } };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err;
		error_clear(&err);
		struct emptier emptier = {
			.ring = ring_new(sizeof(uint64_t), rows[i].block_count, &err),
			.stop_at = rows[i].stop_at,
		};
		assert_non_null(emptier.ring);
		struct worker *worker = worker_new(empty_ring, &emptier, &err);
		assert_non_null(worker);
		uint64_t put = fill_ring(&emptier, 20000);
		ring_finish(emptier.ring);
		worker_join(worker);
		ring_free(emptier.ring);
		assert_true(emptier.is_in_order);
		uint64_t wanted = rows[i].stop_at < 20000 ? rows[i].stop_at : 20000;
		assert_int_equal(atomic_load(&emptier.taken), wanted);
		assert_true(put >= wanted && put <= wanted + rows[i].block_count);
	}
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
		cmocka_unit_test(progress_is_told_in_percent),
		cmocka_unit_test(progress_is_told_of_a_part),
		cmocka_unit_test(blocks_go_from_thread_to_thread_in_order),
		cmocka_unit_test(waiting_for_a_block_has_an_end),
		cmocka_unit_test(setting_the_time_of_day_changes_no_wait),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
