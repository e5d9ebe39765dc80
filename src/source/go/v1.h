/*
 * Reads a trace of the form that Go 1.11 to 1.21 write, behind its header, and
 * delivers it as one generation of the newer form: doc/format/go-trace-v1.md.
 */
#ifndef TTRACE_SOURCE_GO_V1_H
#define TTRACE_SOURCE_GO_V1_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "input/input.h"
#include "source/go/delivery.h"
#include "trace/stack.h"

struct v1_input {
	struct input *in;
	unsigned minor;
	bool is_lenient; /* puts right times that cannot be true, rather than to end there */
	struct intern *strings;
	struct stack_table *stacks;
	struct delivery *delivery;
};

/* The offset of the first byte that was not used, and how many were not. */
struct v1_losses {
	uint64_t from_bytes, bytes;
	uint64_t moved_times;  /* that could not be true, put elsewhere: nothing is lost by that; */
	struct error wrong_time; /* the first of them, */
	int64_t wrong_from_ns; /* and when, by the trace's clock */
};

/*
 * False with err set when something was wrong but times. All that could be ordered was
 * delivered then, and a last Sync, unless the trace does not tell its frequency;
 * *losses says what was not.
 */
bool v1_read(struct v1_input *v1, struct v1_losses *losses, struct error *err);

#endif
