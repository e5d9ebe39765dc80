/* Histograms of durations: a line for each power of two, as funclatency prints them. */
#ifndef TTRACE_DRAW_HISTOGRAM_H
#define TTRACE_DRAW_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

/* Bucket 0 is 0 and 1 ns, bucket i what is from 2^i ns on, below 2^(i+1). */
struct histogram {
	const uint64_t *counts;
	int first, until; /* the buckets that are shown: none outside has anything */
	uint64_t total, most;
	uint8_t style;    /* of its bars */
};

/* Without the empty buckets at both ends; of nothing it shows none. */
struct histogram histogram_of(const uint64_t *counts, int count, uint8_t style);

/* A line of a histogram, whose bounds are told as they are. */
struct histogram_row {
	const char *from, *below; /* safe text; below may be "" */
	uint64_t count;
};

/* "     from         below      count  share", over the lines. */
void histogram_draw_titles(struct canvas *canvas, int x, int y, int cells);
/*
 * The line of a bucket: its bounds, its count, its share of all and a bar, which has at least the
 * shortest length there is where the count is not 0.
 */
void histogram_draw_bucket(struct canvas *canvas, int x, int y, int cells,
	const struct histogram *histogram, int bucket);
/* The same of any bounds; of the histogram counts `total`, `most` and the style. */
void histogram_draw_row(struct canvas *canvas, int x, int y, int cells,
	const struct histogram *histogram, const struct histogram_row *row);

#endif
