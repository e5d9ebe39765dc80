/* What is shown of an input while more of it comes. */
#ifndef TTRACE_TESTS_LIVETESTING_H
#define TTRACE_TESTS_LIVETESTING_H

#include "base/text.h"
#include "source/source.h"

/* Loads bytes as from a pipe, so many at a time, while somebody watches. Fails the test where that does not work. */
struct trace *livetesting_load(const struct source *source, const struct text *text, size_t piece_bytes,
	const struct trace_watch *watch);
/* How an input of memory is read by that: input.read, by pieces of the last size. */
bool livetesting_read(struct input *in, void *out, size_t size, size_t *got, struct error *err);

/*
 * Each picture that is shown of an input whose facts count its lines is what there is of them alone, and the last
 * trace what is loaded at once. How many pictures there were.
 */
size_t livetesting_check(const struct source *source, const struct text *text, size_t piece_bytes);

/* Zero-initialised, the context of a watch that keeps the last picture and counts all. The caller frees it. */
struct livetesting_shown {
	struct trace *trace;
	size_t count;
};
void livetesting_keep(void *context, struct trace *snapshot);

#endif
