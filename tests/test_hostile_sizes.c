/*
 * Traces that ask for much with few bytes: counts that lie, very many procs, threads,
 * goroutines, regions within regions, names that differ at their ends alone, times that
 * run backwards. Each is loaded, strictly and leniently, and looked at in a process of its own,
 * whose memory must stay in proportion to the bytes, and whose processor time has an end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base_testing.h"
#include "looking.h"
#include "source/go/load.h"
#include "tracewriter.h"

enum {
	MOST_CPU_S = 60,        /* far more than any takes: what is quadratic takes hours */
	FREE_BYTES = 48 << 20,  /* for what any trace takes */
	MOST_PER_BYTE = 40,     /* of the trace: an event of five bytes may be a goroutine */
	BATCH_FULL_BYTES = 60000
};

/* A trace of Go 1.26 on its way, one generation. */
struct bomb {
	struct wire file, batch;
	uint64_t thread, time;
};

static void
end_batch(struct bomb *bomb)
{
	if (bomb->batch.size > 0)
		wire_batch(&bomb->file, 1, bomb->thread, bomb->time, &bomb->batch);
	wire_clear(&bomb->batch);
}

static void
begin(struct bomb *bomb, uint64_t ticks_per_second)
{
	const struct wire_clock clock = { 1, 2, 3, 4 };
	wire_init(&bomb->file, NULL);
	wire_init(&bomb->batch, NULL);
	bomb->thread = 0;
	bomb->time = 100;
	wire_header(&bomb->file, 26);
	wire_sync_batch(&bomb->file, 1, 1, ticks_per_second, &clock);
}

static void
put_args(struct bomb *bomb, unsigned id, const uint64_t *args)
{
	if (bomb->batch.size > BATCH_FULL_BYTES) {
		bomb->time += bomb->batch.size;
		end_batch(bomb);
	}
	wire_event(&bomb->batch, id, 1, args);
}

#define PUT(bomb, id, ...) put_args(bomb, id, (const uint64_t[WIRE_MAX_ARGS]){ __VA_ARGS__ })

/* Thread 0 with proc 0 and goroutine 1 running. */
static void
begin_running(struct bomb *bomb)
{
	begin(bomb, 1000000000);
	PUT(bomb, WIRE_PROC_STATUS, 0, 1);
	PUT(bomb, WIRE_GO_STATUS, 1, 0, 2);
}

/* A table of that kind follows. */
static void
begin_table(struct bomb *bomb, unsigned id)
{
	end_batch(bomb);
	bomb->thread = WIRE_NONE;
	wire_u8(&bomb->batch, id);
}

/* ---- the traces */

static void
many_procs(struct bomb *bomb)
{
	enum { PROCS = 1000000 };
	begin_running(bomb);
	for (uint64_t i = 1; i < PROCS; i++)
		PUT(bomb, WIRE_PROC_STATUS, i, 2);
}

static void
procs_far_apart(struct bomb *bomb)
{
	enum { PROCS = 100000 };
	begin_running(bomb);
	for (uint64_t i = 1; i < PROCS; i++)
		PUT(bomb, WIRE_PROC_STATUS, UINT64_MAX / PROCS * i, 2);
}

static void
goroutines_far_apart(struct bomb *bomb)
{
	enum { GOROUTINES = 200000 };
	begin_running(bomb);
	for (uint64_t i = 1; i < GOROUTINES; i++)
		PUT(bomb, WIRE_GO_CREATE, 0 - i * 0x10001, 0, 0);
}

/* Each with one batch of its own. */
static void
many_threads(struct bomb *bomb)
{
	enum { THREADS = 100000 };
	begin_running(bomb);
	for (uint64_t i = 1; i < THREADS; i++) {
		end_batch(bomb);
		bomb->thread = i * 0x100000001;
		PUT(bomb, WIRE_PROC_STATUS, i, 2);
	}
}

static void
regions_within_regions(struct bomb *bomb)
{
	enum { REGIONS = 200000 };
	begin_running(bomb);
	for (uint64_t i = 0; i < REGIONS; i++)
		PUT(bomb, WIRE_USER_REGION_BEGIN, 0, 1, 0);
	begin_table(bomb, WIRE_STRINGS);
	wire_string(&bomb->batch, 1, "r", 1);
}

/* And none of them ends. */
static void
tasks_within_tasks(struct bomb *bomb)
{
	enum { TASKS = 200000 };
	begin_running(bomb);
	for (uint64_t i = 1; i < TASKS; i++)
		PUT(bomb, WIRE_USER_TASK_BEGIN, i, i - 1, 1, 0);
	begin_table(bomb, WIRE_STRINGS);
	wire_string(&bomb->batch, 1, "t", 1);
}

static void
long_names_alike(struct bomb *bomb)
{
	enum { NAMES = 4000 };
	char name[1024];
	begin_running(bomb);
	memset(name, 'a', sizeof name);
	for (uint64_t i = 1; i < NAMES; i++)
		PUT(bomb, WIRE_GO_LABEL, i);
	for (uint64_t i = 1; i < NAMES; i++) {
		if ((i - 1) % 50 == 0)
			begin_table(bomb, WIRE_STRINGS);
		snprintf(name + sizeof name - 8, 8, "%07u", (unsigned)i);
		wire_string(&bomb->batch, i, name, sizeof name);
	}
}

/* No two have a frame in common. */
static void
deep_stacks(struct bomb *bomb)
{
	enum { STACKS = 4000 };
	struct wire_frame frames[WIRE_MAX_FRAMES];
	begin_running(bomb);
	for (uint64_t i = 1; i < STACKS; i++) {
		if ((i - 1) % 50 == 0)
			begin_table(bomb, WIRE_STACKS);
		for (uint64_t k = 0; k < WIRE_MAX_FRAMES; k++)
			frames[k] = (struct wire_frame){ i << 8 | k, 0, 0, k };
		wire_stack(&bomb->batch, i, frames, WIRE_MAX_FRAMES);
	}
}

/* Each batch begins before the one before, and all that can be added overflows. */
static void
times_backwards(struct bomb *bomb)
{
	enum { BATCHES = 20000 };
	const uint64_t status[] = { 0, 2 };
	begin_running(bomb);
	for (uint64_t i = 0; i < BATCHES; i++) {
		end_batch(bomb);
		bomb->time = UINT64_MAX / BATCHES * (BATCHES - i);
		bomb->thread = i % 3;
		wire_event(&bomb->batch, WIRE_PROC_STATUS, UINT64_MAX - i, status);
		wire_event(&bomb->batch, WIRE_PROC_STATUS, UINT64_MAX / 2 + i, status);
	}
}

/* No two batches begin together, so none tells when the trace does. */
static void
tables_far_apart(struct bomb *bomb)
{
	enum { TABLES = 400000, STEP_NS = 10000000 };
	begin_running(bomb);
	bomb->time += STEP_NS;
	for (uint64_t i = 0; i < TABLES; i++) {
		end_batch(bomb);
		bomb->time += STEP_NS;
		bomb->thread = 1;
		wire_u8(&bomb->batch, WIRE_STRINGS);
	}
}

/* A goroutine runs for the collector for 250 years. */
static void
assist_of_centuries(struct bomb *bomb)
{
	enum { STEPS = 80, STEP_S = 100000000 };
	begin(bomb, 1);
	PUT(bomb, WIRE_PROC_STATUS, 0, 1);
	PUT(bomb, WIRE_GO_STATUS, 1, 0, 2);
	PUT(bomb, WIRE_GC_MARK_ASSIST_BEGIN, 0);
	for (int i = 0; i < STEPS; i++) {
		end_batch(bomb);
		bomb->time += STEP_S;
		PUT(bomb, WIRE_HEAP_ALLOC, 1);
	}
}

static void
a_string_that_lies(struct bomb *bomb)
{
	begin_running(bomb);
	begin_table(bomb, WIRE_STRINGS);
	wire_u8(&bomb->batch, WIRE_STRING);
	wire_varint(&bomb->batch, 1);
	wire_varint(&bomb->batch, UINT64_C(1) << 63);
}

static void
a_stack_that_lies(struct bomb *bomb)
{
	begin_running(bomb);
	begin_table(bomb, WIRE_STACKS);
	wire_u8(&bomb->batch, WIRE_STACK);
	wire_varint(&bomb->batch, 1);
	wire_varint(&bomb->batch, UINT64_C(1) << 40);
}

static void
batches_that_lie(struct bomb *bomb)
{
	begin_running(bomb);
	end_batch(bomb);
	for (uint64_t i = 0; i < 1000; i++)
		wire_batch_header(&bomb->file, 1, i, i, UINT64_MAX - i);
}

/* ---- in a process of its own */

/* True when what it took is in proportion. The sanitizers keep what was freed. */
static bool
is_in_proportion(const char *name, uint64_t used_bytes, uint64_t file_bytes)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)name;
	(void)used_bytes;
	(void)file_bytes;
	return true;
#else
	if (getenv("TTRACE_SHOW") != NULL)
		fprintf(stderr, "%s: %llu bytes of memory for %llu\n", name,
			(unsigned long long)used_bytes, (unsigned long long)file_bytes);
	return used_bytes <= FREE_BYTES + MOST_PER_BYTE * file_bytes;
#endif
}

/* Loads and looks; what is wrong, NULL for nothing. A trace that cannot be used is fine. */
static const char *
load_and_look(const char *name, const struct wire *file, bool is_lenient)
{
	const struct go_read_options options = { .is_lenient = is_lenient };
	struct input in;
	struct error err = { 0 };
	uint64_t before = process_peak_bytes();
	if (!input_open_memory(&in, file->data, file->size, &err))
		return "no input";
	struct trace *trace = go_load(&in, &options, &err);
	if (trace == NULL && (err.kind == ERROR_NONE || err.kind == ERROR_MEMORY))
		return "no trace for want of memory, or for no reason";
	const char *problem = trace != NULL ? look_everywhere(trace, 1) : NULL;
	trace_free(trace);
	input_close(&in);
	if (problem != NULL)
		return problem;
	bool is_fine = is_in_proportion(name, process_peak_bytes() - before, file->size);
	return is_fine ? NULL : "far more memory than bytes";
}

static void
check_file(const char *name, const struct wire *file, bool is_lenient)
{
	int status = 0;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit cpu = { MOST_CPU_S, MOST_CPU_S };
		setrlimit(RLIMIT_CPU, &cpu);
		const char *problem = load_and_look(name, file, is_lenient);
		if (problem != NULL)
			fprintf(stderr, "%s: %s\n", name, problem);
		_exit(problem != NULL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		fail_msg("%s: ended by signal %d", name, WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		fail_msg("%s: went wrong", name);
}

static void
check_bomb(const char *name, void (*write)(struct bomb *))
{
	struct bomb bomb;
	write(&bomb);
	end_batch(&bomb);
	wire_end_of_generation(&bomb.file);
	assert_false(bomb.file.has_failed || bomb.batch.has_failed);
	check_file(name, &bomb.file, false);
	check_file(name, &bomb.file, true);
	wire_release(&bomb.file);
	wire_release(&bomb.batch);
}

static void
memory_and_time_follow_the_bytes(void **state)
{
	static const struct {
		const char *name;
		void (*write)(struct bomb *);
	} rows[] = {
		{ "a million procs", many_procs },
		{ "procs far apart", procs_far_apart },
		{ "goroutines far apart", goroutines_far_apart },
		{ "threads with a batch each", many_threads },
		{ "regions within regions", regions_within_regions },
		{ "tasks within tasks", tasks_within_tasks },
		{ "long names alike", long_names_alike },
		{ "deep stacks", deep_stacks },
		{ "times backwards", times_backwards },
		{ "tables far apart", tables_far_apart },
		{ "an assist of centuries", assist_of_centuries },
		{ "a string of 2^63 bytes", a_string_that_lies },
		{ "a stack of 2^40 frames", a_stack_that_lies },
		{ "batches of 2^64 bytes", batches_that_lie },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_bomb(rows[i].name, rows[i].write);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_and_time_follow_the_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
