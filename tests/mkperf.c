/*
 * mkperf: writes the text of perf script of any size, for measurements. The same options give the same
 * bytes.
 *
 *     mkperf 100M [stacks | sched] > FILE
 *
 * Stacks are walks down a tree of calls, as kernel and program have them, of threads that take turns on four
 * CPUs; with "sched" it is switches and wake-ups, without stacks.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 5000, CALLEES = 5, DEPTH = 40, THREADS = 200, CPUS = 4 };

static uint64_t written, state = 1, now_us = UINT64_C(123456000000);

static unsigned
pick(unsigned count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((state >> 33) % count);
}

static void
put_head(unsigned thread, unsigned cpu)
{
	now_us += 1 + pick(50);
	int bytes = printf("worker-%-3u %5u [%03u] %5" PRIu64 ".%06" PRIu64 ": ", thread % 20, 1000 + thread, cpu,
		now_us / 1000000, now_us % 1000000);
	written += (uint64_t)bytes;
}

static void
put_sample(void)
{
	static const char *const files[] = { "[kernel.kallsyms]", "/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/opt/service/bin/server" };
	unsigned depth = 4 + pick(DEPTH - 4), path[DEPTH], function = 0;
	put_head(pick(THREADS), pick(CPUS));
	int bytes = printf("%10u cycles:P: \n", 200000 + pick(1000));
	for (unsigned i = 0; i < depth; i++) {
		path[i] = function;
		/* Most calls are those of a few callees. */
		function = (function * CALLEES + 1 + (pick(4) == 0 ? pick(CALLEES) : i % CALLEES)) % FUNCTIONS;
	}
	for (unsigned i = depth; i-- > 0;) {
		unsigned of = i > depth - 3 ? 0 : 1 + path[i] % 2;
		bytes += printf("\t%16" PRIx64 " service_module_%u::handle_request_%u+0x%x (%s)\n",
			(of == 0 ? UINT64_C(0xffffffff81000000) : UINT64_C(0x7f0000000000)) + path[i] * 4096 +
				pick(256),
			path[i] / 50, path[i], pick(256), files[of]);
	}
	bytes += printf("\n");
	written += (uint64_t)bytes;
}

static void
put_switch(void)
{
	unsigned from = pick(THREADS), to = pick(THREADS), cpu = pick(CPUS);
	put_head(from, cpu);
	int bytes = pick(3) == 0
			    ? printf("      sched:sched_waking: comm=worker-%u pid=%u prio=120 target_cpu=%03u\n",
				      to % 20, 1000 + to, cpu)
			    : printf("      sched:sched_switch: prev_comm=worker-%u prev_pid=%u prev_prio=120 "
				     "prev_state=S ==> next_comm=worker-%u next_pid=%u next_prio=120\n",
				      from % 20, 1000 + from, to % 20, 1000 + to);
	written += (uint64_t)bytes;
}

int
main(int argc, char **argv)
{
	char *end;
	uint64_t size = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
	bool is_sched = argc > 2 && strcmp(argv[2], "sched") == 0;
	if (size == 0 || argc > 3 || (argc == 3 && !is_sched && strcmp(argv[2], "stacks") != 0)) {
		fprintf(stderr, "usage: mkperf SIZE[K|M|G] [stacks|sched]\n");
		return 2;
	}
	size <<= *end == 'G' ? 30 : *end == 'M' ? 20 : *end == 'K' ? 10 : 0;
	while (written < size) {
		if (is_sched)
			put_switch();
		else
			put_sample();
	}
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
