/*
 * What Go calls things in its public model: doc/format/go-trace-semantics.md,
 * sections 3.5, 3.6 and 7.
 */
#ifndef TTRACE_SOURCE_GO_NAMES_H
#define TTRACE_SOURCE_GO_NAMES_H

#include "source/go/event.h"

/* Transitions of goroutines and procs have the same name. */
extern const char *const go_kind_names[GO_EVENT_KIND_COUNT];
extern const char *const go_state_names[GO_STATE_COUNT];
extern const char *const go_proc_state_names[PROC_IDLE + 1];
extern const char *const go_metric_names[GO_METRIC_COUNT];
/* The whole name; of a stop-the-world only what stands before the kind and the bracket. */
extern const char *const go_range_names[GO_RANGE_COUNT];

#endif
