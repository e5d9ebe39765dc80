/*
 * Memory in which the columns of a trace stand that was not built but found, say in a file. It is
 * looked through part by part, each when it is first asked for, by whichever thread asks. A part
 * that is not as it should be becomes one without contents but of the same shape, and is_broken
 * is set before anybody sees it: so who reads is safe, and who tells what was read asks is_broken
 * before.
 */
#ifndef TTRACE_TRACE_BACKING_H
#define TTRACE_TRACE_BACKING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct change_list;

struct backing {
	/* The columns of a segment, those of its runs excepted, which are fine from the start. */
	void (*check_segment)(struct backing *backing, uint32_t segment);
	/* A slice of a change list, see struct change_slices. */
	void (*check_changes)(struct backing *backing, const struct change_list *list, size_t slice);
	/* Frees all that the trace has there, and itself. */
	void (*release)(struct backing *backing);
	atomic_bool is_broken;
};

#endif
