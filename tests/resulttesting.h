/* Reports of the registry of analyses, by name. */
#ifndef TTRACE_TESTS_RESULTTESTING_H
#define TTRACE_TESTS_RESULTTESTING_H

#include <string.h>

#include "analysis/registry.h"
#include "report/result.h"

static inline bool
testing_result_of(const char *name, const struct trace *trace, actor_ref actor,
	const struct report_options *options, struct text *out, struct error *err)
{
	const struct analysis_work work = { .kind = registry_find(name, strlen(name)),
		.scope = { .actor = actor, .task = REF_NONE }, .parameter = "" };
	return report_result(trace, &work, options, out, err);
}

/* With what stands behind the colon of its name. */
static inline bool
testing_result_with(const char *name, const char *parameter, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err)
{
	const struct analysis_work work = { .kind = registry_find(name, strlen(name)),
		.scope = { .actor = REF_NONE, .task = REF_NONE }, .parameter = parameter };
	return report_result(trace, &work, options, out, err);
}

static inline bool
testing_result(const char *name, const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	return testing_result_of(name, trace, REF_NONE, options, out, err);
}

#endif
