/* Go's words, as its documentation has them. */
#include "gotrace/words.h"

const struct words go_words = {
	.source = "go",
	.actor = { "goroutine", "goroutines", 'G' },
	.processor = { "proc", "procs", 'P' },
	.thread = { "thread", "threads", 'M' },
	.group = { "group", "groups", '\0' },
	.task = { "task", "tasks", 'T' },
	.actor_key = "g",
};

struct trace *
go_trace_new(struct error *err)
{
	struct trace *trace = trace_new(err);
	if (trace != NULL)
		trace->words = &go_words;
	return trace;
}
