/*
 * Lines of a histogram column for column as bcc prints them, so that who knows those reads these.
 */
#ifndef TTRACE_DRAW_LATENCY_WORDS_H
#define TTRACE_DRAW_LATENCY_WORDS_H

#include "base/text.h"
#include "trace/histogram_set.h"

/* The lines of one histogram. */
struct latency_words {
	uint64_t most; /* of its counts */
	bool is_wide;  /* a bound has more digits than fit */
};

struct latency_words latency_words_of(const struct bucket *buckets, size_t count);
/* Both append a line without its end: the titles, with the unit of the bounds, and a bucket. */
void latency_words_titles(struct text *text, const struct latency_words *words, const char *unit);
void latency_words_bucket(struct text *text, const struct latency_words *words,
	const struct bucket *bucket);

#endif
