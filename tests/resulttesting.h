/* Reports of the registry of analyses, by name. */
#ifndef TTRACE_TESTS_RESULTTESTING_H
#define TTRACE_TESTS_RESULTTESTING_H

#include <string.h>

#include "analysis/registry.h"
#include "report/result.h"

/* Of an actor, with what stands behind the colon of its name; what takes none is given none. */
static inline bool
testing_result_of_with(const char *name, const char *parameter, const struct trace *trace,
	actor_ref actor, const struct report_options *options, struct text *out, struct error *err)
{
	const struct analysis_kind *kind = registry_find(name, strlen(name));
	void *read = NULL;
	if (kind->read != NULL && !analysis_read(kind, parameter, 0, &read, err))
		return error_set(err, ERROR_USAGE, "there is no %s:%s", name, parameter);
	const struct analysis_work work = {
		.kind = kind, .scope = { .actor = actor, .task = REF_NONE }, .parameter = read
	};
	bool is_fine = report_result(trace, &work, options, out, err);
	analysis_forget(kind, read);
	return is_fine;
}

static inline bool
testing_result_of(const char *name, const struct trace *trace, actor_ref actor,
	const struct report_options *options, struct text *out, struct error *err)
{
	return testing_result_of_with(name, "", trace, actor, options, out, err);
}

static inline bool
testing_result_with(const char *name, const char *parameter, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err)
{
	return testing_result_of_with(name, parameter, trace, REF_NONE, options, out, err);
}

static inline bool
testing_result(const char *name, const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	return testing_result_of(name, trace, REF_NONE, options, out, err);
}

#endif
