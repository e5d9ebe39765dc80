/* Numbers of actors and resources within a trace. */
#ifndef TTRACE_TRACE_REF_H
#define TTRACE_TRACE_REF_H

#include <stdint.h>

typedef uint32_t actor_ref; /* dense, in order of first mention */
typedef uint32_t resource_ref; /* likewise, of processors and of threads each for themselves */
#define REF_NONE UINT32_MAX

/*
 * Who woke an actor, as the event has it: an actor_ref, or WAKER_PROCESSOR plus a resource_ref
 * where the waking code ran on a processor without an actor (the scheduler polling the
 * network, a timer), or REF_NONE. What ended the wait is another question: see waker.h.
 */
#define WAKER_PROCESSOR 0x80000000u

#endif
