/* The way from bytes to a trace: reader, sink, builder. */
#include "gotrace/load.h"

#include <string.h>

#include "gotrace/relay.h"
#include "gotrace/steps.h"
#include "trace/builder.h"

static void
take_result(struct trace *trace, const struct go_read_result *result)
{
	trace->go_minor = result->go_minor;
	trace->read_bytes = result->read_bytes;
	trace->generation_count = result->generations;
	trace->experimental_batches = result->experimental_batches;
	memcpy(trace->wire_counts, result->event_counts, sizeof(trace->wire_counts));
	trace->damage = result->damage;
	damage_map_rebase(&trace->damage, trace->origin_ns, trace->end_ns);
}

/* Reads on this thread while another one builds. */
static bool
read_and_build(struct trace *trace, struct go_build *build, struct input *in,
               const struct go_read_options *options, struct go_read_result *result,
               struct error *err)
{
	struct relay *relay = relay_new(build, err);
	struct step_writer writer;
	struct go_sink sink;
	bool ok;

	if (relay == NULL)
		return false;
	step_writer_init(&writer, relay_exchange, relay, &trace->strings, &trace->stacks);
	sink = step_writer_sink(&writer);
	ok = go_read(in, &trace->strings, &trace->stacks, &sink, options, result, err) &&
	     step_writer_finish(&writer, err);
	step_writer_release(&writer);
	return relay_join(relay, err) && ok;
}

static bool
read_into(struct trace *trace, struct builder *builder, struct input *in,
          const struct go_read_options *options, const struct trace_watch *watch,
          struct error *err)
{
	const struct progress *progress = options != NULL ? options->progress : NULL;
	struct go_read_result result = { 0 };
	struct go_build build;

	builder_watch(builder, progress);
	go_build_init(&build, builder);
	build.showing = (struct showing){
		.watch = watch, .progress = progress, .result = &result
	};
	bool ok = read_and_build(trace, &build, in, options, &result, err) &&
	          go_build_finish(&build, err);
	if (ok)
		take_result(trace, &result);
	go_build_release(&build);
	return ok;
}

struct trace *
go_load_watched(struct input *in, const struct go_read_options *options,
                const struct trace_watch *watch, struct error *err)
{
	struct trace *trace = trace_new(err);
	struct builder *builder = trace == NULL ? NULL : builder_new(trace, err);

	if (builder == NULL || !read_into(trace, builder, in, options, watch, err)) {
		trace_free(trace);
		trace = NULL;
	}
	builder_free(builder);
	return trace;
}

struct trace *
go_load(struct input *in, const struct go_read_options *options, struct error *err)
{
	return go_load_watched(in, options, NULL, err);
}
