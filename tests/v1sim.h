/*
 * Simulates a small scheduler that writes a trace of the form before Go 1.22, and
 * tells what a reader must find in it. Times never coincide, so there is one order.
 */
#ifndef TTRACE_TESTS_V1SIM_H
#define TTRACE_TESTS_V1SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/*
 * Appends a trace of format 1.minor with about so many events to *trace, and to *lines
 * its events as v1testing.h spells them, without Syncs; the same arguments give the
 * same bytes. False when there is no memory.
 */
bool v1sim_make(uint64_t seed, unsigned minor, unsigned events, struct text *trace,
                struct text *lines);

#endif
