/* Entries are told by stacks, which have the same numbers in both traces. */
#include "passing.h"

#include "analysis/profile_stream.h"
#include "source/go/load.h"

struct trace *
passing_load(const struct passing *passing, struct profile *profile, struct error *err)
{
	struct input in;
	struct profile_stream *stream = profile_stream_new(
		passing->kind, passing->rule, passing->with_runtime, err);
	if (stream == NULL || !input_open_memory(&in, passing->bytes, passing->size, err)) {
		profile_stream_free(stream);
		return NULL;
	}
	struct draft_taker taker = profile_stream_taker(stream);
	struct trace *trace = go_load_past(&in, &passing->options, &taker, err);
	if (trace != NULL && !profile_stream_finish(stream, trace, profile, err)) {
		trace_free(trace);
		trace = NULL;
	}
	profile_stream_free(stream);
	input_close(&in);
	return trace;
}

static const char *
compare_profiles(const struct profile *got, const struct profile *wanted)
{
	if (got->kind != wanted->kind || got->entry_count != wanted->entry_count)
		return "there are other stacks";
	if (got->sum.count != wanted->sum.count || got->sum.ns != wanted->sum.ns ||
		got->sum.open_count != wanted->sum.open_count ||
		got->sum.open_ns != wanted->sum.open_ns)
		return "the sums differ";
	for (uint32_t i = 0; i < got->entry_count; i++) {
		const struct profile_entry *a = &got->entries[i], *b = &wanted->entries[i];
		if (a->stack != b->stack || a->count != b->count || a->ns != b->ns ||
			a->open_count != b->open_count || a->open_ns != b->open_ns)
			return "an entry differs";
	}
	return NULL;
}

static const char *
compare_traces(const struct trace *got, const struct trace *whole)
{
	if (got->segments.count > 0)
		return "states were kept";
	if (got->event_count != whole->event_count || got->end_ns != whole->end_ns)
		return "there are other events";
	if (got->damage.count != whole->damage.count)
		return "there is other damage";
	return stack_count(&got->stacks) == stack_count(&whole->stacks) ? NULL
									: "there are other stacks";
}

const char *
passing_problem(const struct passing *passing, const struct trace *whole)
{
	struct profile wanted, got;
	struct error err;
	error_clear(&err);
	struct profile_scope scope = profile_whole(whole);
	scope.rule = passing->rule;
	scope.with_runtime = passing->with_runtime;
	if (!profile_build(&wanted, whole, passing->kind, &scope, &err))
		return "there is no profile";
	const char *problem = "there is no trace";
	struct trace *trace = passing_load(passing, &got, &err);
	if (trace != NULL) {
		problem = compare_traces(trace, whole);
		problem = problem != NULL ? problem : compare_profiles(&got, &wanted);
		profile_release(&got);
	}
	trace_free(trace);
	profile_release(&wanted);
	return problem;
}
