/* The analyses that answer with tables. */
#ifndef TTRACE_ANALYSIS_REGISTRY_H
#define TTRACE_ANALYSIS_REGISTRY_H

#include <stddef.h>

#include "analysis/analysis.h"

extern const struct analysis_kind gc_kind;      /* analysis/cycles.c */
extern const struct analysis_kind longest_kind; /* analysis/latency.c */
extern const struct analysis_kind slices_kind;  /* analysis/slice_times.c */
extern const struct analysis_kind tasks_kind;   /* analysis/task_types.c */

/* Counted from 0; NULL behind the last. */
const struct analysis_kind *registry_at(size_t index);
/* The one whose name is name[0..length); NULL: there is none. */
const struct analysis_kind *registry_find(const char *name, size_t length);

#endif
