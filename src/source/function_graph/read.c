/* Reading in two steps: all lines, then the calls that they tell of. */
#include "source/function_graph/fgraph.h"

#include <string.h>

#include "base/memory.h"
#include "source/function_graph/lanes.h"
#include "trace/slices.h"

bool
records_build(struct records *records, struct fgraph *graph, struct error *err)
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
	*graph = (struct fgraph){ 0 };
	bool is_fine = records_read(&records, graph, in, NULL, err) && records_build(&records, graph, err);
	records_release(&records);
	return is_fine;
}

static bool
copy_strings(struct intern *copy, const struct intern *strings, struct error *err)
{
	if (!intern_init(copy, err))
		return false;
	for (string_id i = 1; i < intern_count(strings); i++) {
		size_t length;
		string_id id;
		const char *bytes = intern_text(strings, i, &length);
		if (!intern_add(copy, bytes, length, &id, err))
			return false;
	}
	return true;
}

bool
records_copy(struct records *copy, struct fgraph *copied, const struct records *records,
	const struct fgraph *graph, struct error *err)
{
	*copied = (struct fgraph){ .counts = graph->counts };
	memcpy(copied->damage, graph->damage, sizeof graph->damage);
	*copy = (struct records){ .cpu_limit = records->cpu_limit,
		.has_stamps = records->has_stamps,
		.has_ticks = records->has_ticks,
		.lacks_cpus = records->lacks_cpus };
	copied->tasks = array_copy(graph->tasks, graph->task_count, sizeof *graph->tasks, err);
	copied->details = array_copy(graph->details, graph->detail_count, sizeof *graph->details, err);
	copy->items = array_copy(records->items, records->count, sizeof *records->items, err);
	copy->first_tasks = array_copy(records->first_tasks, records->cpu_limit, sizeof *records->first_tasks, err);
	copy->is_cpu = array_copy(records->is_cpu, records->cpu_limit, sizeof *records->is_cpu, err);
	copied->task_count = copied->task_capacity = graph->task_count;
	copied->detail_count = copied->detail_capacity = graph->detail_count;
	copy->count = copy->capacity = records->count;
	copy->cpu_capacity = copy->is_cpu_capacity = records->cpu_limit;
	return copied->tasks != NULL && copied->details != NULL && copy->items != NULL &&
	       copy->first_tasks != NULL && copy->is_cpu != NULL &&
	       copy_strings(&copied->strings, &graph->strings, err) &&
	       copy_strings(&copied->texts, &graph->texts, err) &&
	       map_copy(&copy->tasks, &records->tasks, err);
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
