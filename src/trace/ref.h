/* Numbers of goroutines, procs and threads within a trace. */
#ifndef TTRACE_TRACE_REF_H
#define TTRACE_TRACE_REF_H

#include <stdint.h>

typedef uint32_t goroutine_ref; /* dense, in order of first mention */
typedef uint32_t proc_ref;
typedef uint32_t thread_ref;
#define REF_NONE UINT32_MAX

/*
 * Who woke a goroutine, as the event has it: a goroutine_ref, or WAKER_PROC plus a proc_ref
 * where the waking code ran on a proc without a goroutine (the scheduler polling the
 * network, a timer), or REF_NONE. What ended the wait is another question: see waker.h.
 */
#define WAKER_PROC 0x80000000u

#endif
