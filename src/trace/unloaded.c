/* What stays of a trace when all that was loaded is let go: built as one of no events. */
#include "trace/unloaded.h"

#include "trace/builder.h"

/* The times of `of` count from its time 0 already. */
static bool
fill(struct trace *trace, struct builder *builder, const struct trace *of, struct error *err)
{
	struct parts parts = { 0 };

	if (!parts_copy(&parts, &of->parts, err) || !wall_clock_copy(&trace->wall, &of->wall, err)) {
		parts_release(&parts);
		return false;
	}
	builder_begin_at(builder, 0, 0);
	builder_take_parts(builder, &parts, 0);
	builder_mark_parts(builder, 0);
	builder_extend(builder, of->end_ns);
	trace->words = of->words;
	trace->go_minor = of->go_minor;
	return builder_finish(builder, err);
}

struct trace *
unloaded_trace(const struct trace *of, struct error *err)
{
	struct trace *trace = trace_new(err);
	struct builder *builder = trace == NULL ? NULL : builder_new(trace, err);
	bool ok = builder != NULL && fill(trace, builder, of, err);

	builder_free(builder);
	if (ok) {
		trace->origin_ns = of->origin_ns;
		return trace;
	}
	trace_free(trace);
	return NULL;
}
