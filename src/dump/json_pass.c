/* One reading after another. */
#include "dump/json_pass.h"

#include "gotrace/reader.h"

bool
json_pass_run(struct json_pass *pass, json_pass_event *event, void *context, struct error *err)
{
	const struct go_sink sink = { .event = event, .context = context };
	const struct go_read_options options = {
		.progress = pass->progress,
		.syncs_at_ends = true,
	};
	*pass->result = (struct go_read_result){ 0 };
	return go_read(pass->in, pass->strings, pass->stacks, &sink, &options, pass->result, err);
}

bool
json_pass_look(struct json_pass *pass, json_pass_event *event, void *context, struct error *err)
{
	return json_pass_run(pass, event, context, err) && input_rewind(pass->in, err);
}
