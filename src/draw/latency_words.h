/*
 * Lines of a histogram of durations by powers of two, column for column as bcc's funclatency
 * prints them, so that who knows those reads these.
 */
#ifndef TTRACE_DRAW_LATENCY_WORDS_H
#define TTRACE_DRAW_LATENCY_WORDS_H

#include <stdint.h>

#include "analysis/latency.h"
#include "base/text.h"

/* What durations are counted in. */
struct latency_unit {
	const char *name; /* "usecs", or "nsecs" where half of the durations are too short for that */
	int64_t ns;
};

struct latency_unit latency_unit_of(const struct latency *latency);

/* Both append a line without its end: the titles, and bucket `index` of latency_log2(). */
void latency_words_titles(struct text *text, struct latency_unit unit, int used);
void latency_words_bucket(struct text *text, const uint64_t *counts, int used, int index);
/* "avg = 12 usecs, total: 36 usecs, count: 3"; there is at least one. */
void latency_words_sums(struct text *text, struct latency_unit unit, const struct latency *latency);

#endif
