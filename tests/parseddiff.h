/*
 * Compares two dumps of ordered events. The order among events of one wire time is
 * not fixed by the format, and they are delivered 1 ns apart (doc/format/
 * go-trace-semantics.md, 2.1): so where the texts differ, a run of events each exactly
 * 1 ns after the one before is compared as a set with counts, without the times.
 */
#ifndef TTRACE_TESTS_PARSEDDIFF_H
#define TTRACE_TESTS_PARSEDDIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct parseddiff {
	size_t events;         /* of the first dump */
	size_t differing_runs; /* equal as sets only */
	struct text problem;   /* the first difference, empty where they are equal */
};

/* False when they differ in more than the order within runs; then problem tells. Release it. */
bool parseddiff_compare(
	struct parseddiff *diff, const struct text *ours, const struct text *theirs);
void parseddiff_release(struct parseddiff *diff);

#endif
