/* By what actors stand in groups. */
#ifndef TTRACE_TRACE_GROUPING_H
#define TTRACE_TRACE_GROUPING_H

#include <stdint.h>

enum group_by {
	GROUP_BY_NAME,    /* start function: as a trace comes */
	GROUP_BY_CREATOR, /* the actor that created it */
	GROUP_BY_LABEL,   /* the last one set */
	GROUP_BY_TASK,    /* the user task in whose regions it spent the most time */
	GROUP_BY_STATE,   /* the class of time that it spent the most time in */
	GROUP_BY_COUNT
};

/* "name", "creator", ...: as options and commands have them, NULL at the end. */
extern const char *const group_by_words[GROUP_BY_COUNT + 1];

/* What a trace with other groups has beside them. */
struct regrouping {
	enum group_by by;
	uint32_t *group_of; /* by actor: group_ref */
	/*
	 * By group: actor_ref, string_id, task_ref or enum time_class; of the group of those
	 * of whom it is not known REF_NONE, STRING_EMPTY, REF_NONE or CLASS_GONE.
	 */
	uint32_t *keys;
};

#endif
