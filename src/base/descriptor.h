/* Reading and writing that was cut short. */
#ifndef TTRACE_BASE_DESCRIPTOR_H
#define TTRACE_BASE_DESCRIPTOR_H

#include <stdbool.h>

/*
 * After a read() or write() that failed: whether to try again. So it is when a signal
 * came between, and when the descriptor does not block, as one that a parent shares
 * with others may not; then this waits a moment for it to be ready. Keeps errno when false.
 */
bool descriptor_can_read_again(int fd);
bool descriptor_can_write_again(int fd);

#endif
