/* The clock and the memory, as the system counts them. */
#include "base/process.h"

#include <sys/resource.h>
#include <time.h>

static int64_t
read_clock(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
process_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t
process_used_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t
process_peak_bytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	/* macOS counts bytes, the others 1024 of them. */
#if defined(__APPLE__)
	return (uint64_t)usage.ru_maxrss;
#else
	return (uint64_t)usage.ru_maxrss * 1024;
#endif
}
