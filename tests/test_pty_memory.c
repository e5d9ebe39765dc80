/* Part after part of a long trace in the real program: each comes by itself, and memory is bounded. */
#include "ptytesting.h"

#include <string.h>
#include <sys/wait.h>

#include "base/compiler.h"
#include "tracesim.h"

enum { BOUND_MIB = 64, WIDTH = 120, HEIGHT = 40, PEAK_UNKNOWN = 0 };

static path_text trace_path, pid_path;

static int
make_trace(void **state)
{
	struct sim_options options;
	struct wire bytes;
	(void)state;
	own_path(trace_path, "long.trace");
	own_path(pid_path, "pid");
	sim_options_init(&options);
	options.version = 26;
	options.generations = 100;
	options.goroutines = 1000;
	options.events = 3000000;
	options.is_quiet_start = true;
	struct sim *sim = sim_new(&options);
	wire_init(&bytes, NULL);
	FILE *file = fopen(trace_path, "wb");
	bool ok = sim != NULL && file != NULL && sim_write(sim, &bytes, NULL, NULL) &&
		  fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
	ok = file != NULL && fclose(file) == 0 && ok;
	wire_release(&bytes);
	sim_free(sim);
	return ok ? 0 : -1;
}

static int
drop_trace(void **state)
{
	(void)state;
	unlink(trace_path);
	unlink(pid_path);
	return 0;
}

/* The program, which tells its id by the way. */
static struct ptyterm *
start(void)
{
	char command[3 * PTYTESTING_PATH_BYTES];
	const struct ptyterm_options options = { .width = WIDTH, .height = HEIGHT };
	const char *program = getenv("TTRACE");
	assert_non_null(program);
	snprintf(command, sizeof command, "echo $$ >'%s'; exec '%s' --no-state --memory=%dM '%s'",
		pid_path, program, BOUND_MIB, trace_path);
	const char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct ptyterm *term = ptyterm_start(argv, &options);
	assert_non_null(term);
	return term;
}

/* The most that was resident so far, where the system tells. */
static unsigned long
peak_kib(void)
{
	char path[60], line[200];
	unsigned long pid = 0, kib = PEAK_UNKNOWN;
	FILE *file = fopen(pid_path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &pid), 1);
	fclose(file);
	snprintf(path, sizeof path, "/proc/%lu/status", pid);
	file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "VmHWM:", strlen("VmHWM:")) == 0)
			kib = strtoul(line + strlen("VmHWM:"), NULL, 10);
	if (file != NULL)
		fclose(file);
	return kib;
}

/* Sanitizers take more beside. */
static void
check_peak(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	const bool is_bounded = false;
#else
	const bool is_bounded = true;
#endif
	unsigned long peak = peak_kib();
	if (is_bounded && peak > BOUND_MIB * 1024UL)
		fail_msg("%lu KiB, more than %d MiB", peak, BOUND_MIB);
}

/* To a moment in a part that is not loaded. */
static void
go_to(struct ptyterm *term, const char *keys)
{
	ptyterm_send(term, keys);
	assert_true(ptyterm_wait_text(term, "not loaded: generation "));
	assert_true(ptyterm_wait_text(term, "Escape cancels"));
	assert_true(ptyterm_wait_no_text(term, "not loaded: generation "));
	assert_true(ptyterm_wait_text(term, "Procs"));
}

static void
part_after_part_keeps_the_bound(void **state)
{
	(void)state;
	static const char *const moments[] = { "t9s\r", "t1s\r", "t10s\r", "t0s\r", "t8s\r" };
	int status = 0;
	struct ptyterm *term = start();
	assert_true(ptyterm_wait_text(term, "not loaded: "));
	assert_true(ptyterm_wait_no_text(term, "loading"));
	ptyterm_send(term, "++++");
	for (size_t i = 0; i < ARRAY_LENGTH(moments); i++)
		go_to(term, moments[i]);
	check_peak();
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	ptyterm_free(term);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(part_after_part_keeps_the_bound),
	};
	return cmocka_run_group_tests(tests, make_trace, drop_trace);
}
