/* Syscalls that went on without their processor: the scheduler took it away for others. */
#ifndef TTRACE_ANALYSIS_SYSCALL_LOSS_H
#define TTRACE_ANALYSIS_SYSCALL_LOSS_H

#include <stdbool.h>
#include <stdint.h>

struct span;  /* trace/span.h */
struct trace; /* trace/trace.h */

/*
 * When the syscall of a span, of whatever lane, lost its processor: from there on it was blocked.
 * False for what is no syscall, for one that kept its processor, and where that is not known.
 * O(log n).
 */
bool syscall_lost_processor(const struct trace *trace, const struct span *span, int64_t *lost_ns);

#endif
