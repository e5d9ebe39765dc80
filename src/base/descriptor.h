/* Reading and writing that was cut short, and files with new names. */
#ifndef TTRACE_BASE_DESCRIPTOR_H
#define TTRACE_BASE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * After a read() that failed: whether to try again. So it is when a signal came between, and
 * when the descriptor does not block, as one that a parent shares with others may not; then this
 * waits a moment for it to be ready. Keeps errno when false.
 */
bool descriptor_can_read_again(int fd);

/*
 * Appends all that can be read, trying again as above; false with errno set, to EFBIG where
 * that is more than `most` bytes.
 */
bool descriptor_read_all(int fd, size_t most, struct text *out);
/* Writes all of it, trying again as above; false with errno set. */
bool descriptor_write_all(int fd, const void *bytes, size_t length);

/* A pipe that does not block and no child gets. False with errno set, and nothing is open. */
bool descriptor_open_pipe(int ends[2]);

/*
 * Makes a file that only its owner may use, with letters behind `path` that make the name
 * a new one. Its descriptor, or -1 with errno set.
 */
int descriptor_make_file(struct text *path);

#endif
