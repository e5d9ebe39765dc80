/* One reading after another. */
#include "dump/json_pass.h"

#include "input/spool.h"
#include "source/go/reader.h"

static bool
read_trace(struct json_pass *pass, struct input *in, json_pass_event *event, void *context,
	struct error *err)
{
	const struct go_sink sink = {
		.event = event,
		.context = context,
		.strings = pass->strings,
		.stacks = pass->stacks,
	};
	const struct go_read_options options = {
		.progress = pass->progress,
		.syncs_at_ends = true,
	};
	*pass->result = (struct go_read_result){ 0 };
	return go_read(in, &sink, &options, pass->result, err);
}

bool
json_pass_run(struct json_pass *pass, json_pass_event *event, void *context, struct error *err)
{
	return read_trace(pass, pass->in, event, context, err);
}

bool
json_pass_look(struct json_pass *pass, json_pass_event *event, void *context, struct error *err)
{
	if (input_can_rewind(pass->in))
		return json_pass_run(pass, event, context, err) && input_rewind(pass->in, err);
	struct spool spool;
	if (!spool_begin(&spool, pass->in, err))
		return false;
	bool is_read = read_trace(pass, &spool.reading, event, context, err);
	return spool_end(&spool, err) && is_read;
}
