/*
 * Lines of a histogram of durations by powers of two, column for column as bcc's funclatency
 * prints them, so that who knows those reads these.
 */
#ifndef TTRACE_DRAW_LATENCY_WORDS_H
#define TTRACE_DRAW_LATENCY_WORDS_H

#include <stdint.h>

#include "base/text.h"

/*
 * Both append a line without its end: the titles, with the unit of the durations, and bucket
 * `index` of latency_log2(), of which that many are used.
 */
void latency_words_titles(struct text *text, const char *unit, int used);
void latency_words_bucket(struct text *text, const uint64_t *counts, int used, int index);

#endif
