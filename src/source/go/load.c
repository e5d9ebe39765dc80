/* The way from bytes to a trace: reader, sink, builder. */
#include "source/go/load.h"

#include <string.h>

#include "source/go/relay.h"
#include "source/go/steps.h"
#include "source/go/words.h"
#include "trace/builder.h"

void
go_load_take_result(struct trace *trace, const struct go_read_result *result)
{
	trace->go_minor = result->go_minor;
	trace->read_bytes = result->read_bytes;
	trace->generation_count = result->generations;
	trace->experimental_batches = result->experimental_batches;
	memcpy(trace->wire_counts, result->event_counts, sizeof(trace->wire_counts));
	/* Of a pipe nobody knows what would have come. */
	trace->parts.has_rest = result->is_ended_early && trace->parts.count == 0;
	trace->damage = result->damage;
	damage_map_rebase(&trace->damage, trace->origin_ns, trace->end_ns);
}

/* What goes into one try. */
struct load {
	struct input *in;
	struct go_read_options options;
	const struct trace_watch *watch;
	const struct draft_taker *taker; /* NULL: states are to be kept */
	struct bounded bounded;
	struct trace *trace; /* of this try, as are: */
	struct go_build build;
	struct go_read_result result;
};

/* Reads on this thread while another one builds. */
static bool
read_and_build(struct load *load, struct error *err)
{
	struct trace *trace = load->trace;
	struct relay *relay = relay_new(&load->build, err);
	struct step_writer writer;
	struct go_sink sink;
	bool ok;

	if (relay == NULL)
		return false;
	load->bounded.relay = relay;
	step_writer_init(&writer, relay_exchange, relay, &trace->strings, &trace->stacks);
	sink = step_writer_sink(&writer);
	ok = go_read(load->in, &sink, &load->options, &load->result, err) &&
	     step_writer_finish(&writer, err);
	step_writer_release(&writer);
	return relay_join(relay, err) && ok;
}

static bool
read_into(struct load *load, struct builder *builder, struct error *err)
{
	const struct progress *progress = load->options.progress;

	load->result = (struct go_read_result){ 0 };
	builder_watch(builder, progress);
	if (load->taker != NULL)
		builder_divert(builder, load->taker);
	go_build_init(&load->build, builder);
	load->build.showing = (struct showing){
		.watch = load->watch, .progress = progress, .result = &load->result,
		.may_follow = load->bounded.bound == NULL,
	};
	bool ok = bounded_begin(&load->bounded, load->trace, builder, &load->options, err) &&
	          read_and_build(load, err);
	if (ok)
		bounded_end(&load->bounded, &load->result);
	ok = ok && go_build_finish(&load->build, err);
	if (ok)
		go_load_take_result(load->trace, &load->result);
	go_build_release(&load->build);
	return ok;
}

static bool
try_once(struct load *load, struct error *err)
{
	load->trace = go_trace_new(err);
	struct builder *builder = load->trace == NULL ? NULL : builder_new(load->trace, err);
	bool ok = builder != NULL && read_into(load, builder, err);

	builder_free(builder);
	if (!ok) {
		trace_free(load->trace);
		load->trace = NULL;
	}
	return ok;
}

static struct trace *
load_within(struct load *load, const struct go_read_options *options, const struct go_bound *bound,
            struct error *err)
{
	if (options != NULL)
		load->options = *options;
	if (bounded_plan(&load->bounded, bound, load->in, &load->options, err)) {
		while (!try_once(load, err) && bounded_try_less(&load->bounded, load->in, err))
			;
	}
	bounded_release(&load->bounded);
	return load->trace;
}

struct trace *
go_load_bounded(struct input *in, const struct go_read_options *options,
                const struct go_bound *bound, const struct trace_watch *watch, struct error *err)
{
	struct load load = { .in = in, .watch = watch };

	return load_within(&load, options, bound, err);
}

struct trace *
go_load_past(struct input *in, const struct go_read_options *options,
             const struct draft_taker *taker, struct error *err)
{
	struct load load = { .in = in, .taker = taker };

	return load_within(&load, options, NULL, err);
}

struct trace *
go_load_watched(struct input *in, const struct go_read_options *options,
                const struct trace_watch *watch, struct error *err)
{
	return go_load_bounded(in, options, NULL, watch, err);
}

struct trace *
go_load(struct input *in, const struct go_read_options *options, struct error *err)
{
	return go_load_bounded(in, options, NULL, NULL, err);
}
