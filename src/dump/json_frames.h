/*
 * The frames of the viewer's JSON: one tree that all stacks share, each node a caller
 * and a pc (doc/format/cmd-trace-views.md, section 4.1). Nodes are numbered from 1 in
 * the order in which stacks are first asked for.
 */
#ifndef TTRACE_DUMP_JSON_FRAMES_H
#define TTRACE_DUMP_JSON_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "dump/json_text.h"
#include "trace/stack.h"

struct json_frame;

/* Zero-initialise but for `stacks`, which must outlive it. */
struct json_frames {
	const struct stack_table *stacks;
	bool is_any; /* of any trace: pcs and lines may be unknown, so each stack is a node */
	uint32_t *numbers; /* by stack; 0: not asked for yet */
	size_t number_capacity;
	struct json_frame *frames; /* by number, less 1 */
	size_t count, capacity;
	struct map pcs;   /* to their number, in the order of coming */
	struct map nodes; /* the caller's number and the pc's, to the node's */
	stack_id *path;   /* of a stack that is being entered */
	size_t path_capacity;
};

void json_frames_release(struct json_frames *frames);
/* The number of the leaf; 0 of STACK_NONE. False with err set when there is no memory. */
bool json_frames_number(
	struct json_frames *frames, stack_id stack, uint32_t *number, struct error *err);
/* The object that has all of them by number. */
bool json_frames_write(const struct json_frames *frames, struct json_strings *strings,
	struct writer *out, struct error *err);

#endif
