/* What the process knows of its own cost: the clock and the memory. */
#ifndef TTRACE_BASE_PROCESS_H
#define TTRACE_BASE_PROCESS_H

#include <stdint.h>

/* A clock that only goes forward; its zero means nothing. */
int64_t process_now_ns(void);
/* The processor time of all threads so far. */
int64_t process_used_ns(void);
/* The most memory that was resident at a time since the process began. */
uint64_t process_peak_bytes(void);

#endif
