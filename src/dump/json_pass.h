/*
 * A trace that is read more than once, its strings and stacks keeping their ids: some
 * views depend on what comes later.
 */
#ifndef TTRACE_DUMP_JSON_PASS_H
#define TTRACE_DUMP_JSON_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/thread.h"
#include "input/input.h"
#include "source/go/event.h"
#include "source/go/result.h"
#include "trace/stack.h"

struct json_pass {
	struct input *in;
	struct progress *progress; /* may be NULL */
	struct intern *strings;
	struct stack_table *stacks;
	struct go_read_result *result; /* of the pass that runs, or ran last */
};

/* Called with each event of a pass; false with err set ends it. */
typedef bool json_pass_event(void *context, const struct go_event *event, struct error *err);

/* Events as Go 1.23 delivers them, the Syncs at the ends of generations. */
bool json_pass_run(
	struct json_pass *pass, json_pass_event *event, void *context, struct error *err);
/* The same, and the input stands at its start again; a pipe is spooled for that. */
bool json_pass_look(
	struct json_pass *pass, json_pass_event *event, void *context, struct error *err);

#endif
