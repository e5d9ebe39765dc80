/* The numbers beside the rows of the list of analyses. Only for view/. */
#ifndef TTRACE_VIEW_MENU_SUMS_H
#define TTRACE_VIEW_MENU_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "view/analysis.h"

/* What a number is, of the interval and the subject. */
enum menu_number { NUMBER_NONE, NUMBER_TIME, NUMBER_ACTORS, NUMBER_SAMPLES,
	NUMBER_TASKS, NUMBER_REGIONS, NUMBER_STW, NUMBER_GC };

/* Of one trace. */
struct menu_sums {
	const struct analysis_work *work; /* NULL: there are none */
	int64_t task_ns[CLASS_COUNT];     /* of the task that it is about */
};

/* False where it was cancelled; without memory the task has no numbers. work may be NULL. */
bool menu_sums_build(struct menu_sums *sums, const struct analysis_work *work, struct error *err);
/* classes: of NUMBER_TIME. False where there is no such number. */
bool menu_sums_find(const struct menu_sums *sums, enum menu_number type, class_mask classes,
	bool is_of_subject, int64_t *number);
bool menu_number_is_duration(enum menu_number type);

#endif
