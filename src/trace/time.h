/* Moments of the trace: nanoseconds, signed. */
#ifndef TTRACE_TRACE_TIME_H
#define TTRACE_TRACE_TIME_H

#include <stdint.h>

#define TIME_OPEN INT64_MAX /* an end that lies outside of the trace */

#endif
