/* A moment of the wall clock as text. */
#ifndef TTRACE_DUMP_WALL_CLOCK_H
#define TTRACE_DUMP_WALL_CLOCK_H

#include <stdint.h>

#include "dump/writer.h"

/*
 * Writes seconds and nanoseconds since 1970 in the local time zone by RFC 3339, with
 * as many decimals as there are: 2026-11-21T03:10:23.466192034Z. Nanoseconds beyond a
 * second carry over; what comes after the year 9999, which that form does not
 * have, is told as its end.
 */
void wall_clock_write(struct writer *out, uint64_t seconds, uint64_t nanoseconds);

#endif
