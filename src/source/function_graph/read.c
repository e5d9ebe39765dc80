/* Reading in two steps: all lines, then the calls that they tell of. */
#include "source/function_graph/fgraph.h"

#include "base/memory.h"
#include "source/function_graph/lanes.h"
#include "trace/slices.h"

bool
fgraph_read_lines(struct fgraph *graph, struct records *records, struct input *in, struct error *err)
{
	*graph = (struct fgraph){ 0 };
	if (!intern_init(&graph->strings, err) || !intern_init(&graph->texts, err) ||
		!records_read(records, graph, in, err))
		return false;
	if (records->has_stamps)
		graph->clock = records->has_ticks ? FGRAPH_TICKS : FGRAPH_STAMPED;
	return true;
}

bool
fgraph_build(struct fgraph *graph, struct records *records, struct error *err)
{
	struct lanes *lanes = lanes_new(graph, records, err);
	bool is_fine = lanes != NULL && lanes_build(lanes, err) && jobs_build(graph, err);
	lanes_free(lanes);
	return is_fine;
}

bool
fgraph_read(struct fgraph *graph, struct input *in, struct error *err)
{
	struct records records = { 0 };
	bool is_fine = fgraph_read_lines(graph, &records, in, err) && fgraph_build(graph, &records, err);
	records_release(&records);
	return is_fine;
}

void
fgraph_release(struct fgraph *graph)
{
	slices_free(graph->slices);
	array_release(&graph->tasks);
	array_release(&graph->cpus);
	array_release(&graph->runs);
	array_release(&graph->events);
	array_release(&graph->marks);
	array_release(&graph->jobs);
	array_release(&graph->losses);
	array_release(&graph->details);
	intern_release(&graph->strings);
	intern_release(&graph->texts);
	*graph = (struct fgraph){ 0 };
}
