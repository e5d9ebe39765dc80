/* Reading in two steps: all lines, then the calls that they tell of. */
#include "source/function_graph/fgraph.h"

#include "base/memory.h"
#include "source/function_graph/records.h"
#include "trace/slices.h"

bool
fgraph_read(struct fgraph *graph, struct input *in, struct error *err)
{
	struct records records = { 0 };
	*graph = (struct fgraph){ 0 };
	bool is_fine = intern_init(&graph->strings, err) && intern_init(&graph->texts, err) &&
		       records_read(&records, graph, in, err) && lanes_build(graph, &records, err) &&
		       jobs_build(graph, err);
	if (is_fine && records.has_stamps)
		graph->clock = records.has_ticks ? FGRAPH_TICKS : FGRAPH_STAMPED;
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
