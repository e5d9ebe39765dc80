/* The kernel's function_graph as a source. */
#include "source/function_graph/load.h"
#include "source/function_graph/recognise.h"
#include "source/source.h"

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	return fgraph_recognise(scan_over((const char *)bytes, size));
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	return function_graph_load(in, wish->progress, wish->watch, err);
}

const struct source function_graph_source = {
	.name = "function_graph",
	.input = "the kernel's function_graph",
	.recognised_by = "\"# tracer: function_graph\", a header with FUNCTION CALLS, lines like "
			 "\" 0)   1.234 us    |  name();\", or trace-cmd's funcgraph_entry and "
			 "funcgraph_exit",
	.answers = "which functions of the kernel called which, and how long they took, by task and "
		   "CPU",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
