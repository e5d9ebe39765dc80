/*
 * What a view is about: an interval, and the goroutines that have to do with one of
 * them (doc/format/cmd-trace-views.md, sections 4.2 and 6.4).
 */
#ifndef TTRACE_DUMP_JSON_SCOPE_H
#define TTRACE_DUMP_JSON_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "dump/json_pass.h"

/* Zero-initialised is everything. */
struct json_scope {
	bool has_window;
	int64_t from_ns, to_ns; /* on the trace's clock, both included */
	bool is_filtered;
	struct map goroutines; /* those shown, where is_filtered */
	bool has_focus;
	int64_t focus; /* the goroutine that comes first */
};

void json_scope_release(struct json_scope *scope);
/*
 * From the first run of a goroutine to its end, with those that woke it and those that woke
 * these. Reads the trace twice. ERROR_USAGE when it has no such goroutine.
 */
bool json_scope_of_goroutine(
	struct json_scope *scope, struct json_pass *pass, int64_t goroutine, struct error *err);

/* Whether a transition ends a goroutine: one that is blocked for good counts as dead. */
bool json_scope_is_death(const struct go_event *event, const struct intern *strings);

#endif
