#include "source/function_graph/mixed.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "source/common/frames.h"
#include "source/common/ftrace_head.h"
#include "source/function_graph/line.h"

static struct scan
text_of(const struct fgraph *graph, const struct record *record)
{
	size_t length;
	const char *bytes = intern_text(&graph->texts, record->name, &length);
	return scan_over(bytes, length);
}

/* A comment that is no event is what a program or a person wrote. */
static void
cut_event(const struct fgraph *graph, const struct record *record, struct scan *name, struct scan *fields)
{
	struct scan text = text_of(graph, record);
	if (ftrace_event(text, name, fields))
		return;
	*name = scan_over("print", strlen("print"));
	*fields = text;
}

bool
mixed_is(const struct fgraph *graph, const struct records *records, struct trace *trace, bool *is_mixed,
	struct error *err)
{
	*is_mixed = false;
	if (!records->has_stamps || records->lacks_cpus || graph->counts.events == 0)
		return true;
	struct kernel *kernel = kernel_new(trace, err);
	bool is_fine = kernel != NULL;
	for (size_t i = 0; is_fine && !*is_mixed && i < records->count; i++) {
		struct kernel_head head = { .pid = KERNEL_NOBODY };
		struct scan name, fields;
		if (records->items[i].kind != GRAPH_EVENT)
			continue;
		cut_event(graph, &records->items[i], &name, &fields);
		is_fine = kernel_add_known(kernel, &head, name, fields, is_mixed, err);
	}
	kernel_free(kernel);
	return is_fine;
}

static int64_t
end_of(const struct record *record)
{
	int64_t took_ns = record->kind == GRAPH_LEAF && record->took_ns > 0 ? record->took_ns : 0;
	int64_t end_ns = saturating_add_i64(record->time_ns, took_ns);
	return end_ns < FGRAPH_LAST_NS ? end_ns : FGRAPH_LAST_NS;
}

/* What is of no CPU, and when all ends. */
static bool
add_marks(struct fgraph *graph, const struct records *records, struct error *err)
{
	for (size_t i = 0; i < records->count; i++) {
		const struct record *record = &records->items[i];
		if (record->kind == GRAPH_UNKNOWN)
			graph->damage[record->name].time_ns = record->time_ns;
		if (record->kind == GRAPH_MARK && !jobs_add_mark(graph, record, record->time_ns, err))
			return false;
		if (end_of(record) > graph->end_ns)
			graph->end_ns = end_of(record);
	}
	return true;
}

/* That happens on no CPU at that time. */
static bool
add_own(struct kernel *kernel, int64_t time_ns, size_t number, struct error *err)
{
	const struct kernel_head head = { time_ns, KERNEL_NOBODY, KERNEL_NO_CPU, false };
	return kernel_add_own(kernel, &head, (uint32_t)number, err);
}

struct adding {
	struct fgraph *graph;
	const struct records *records;
	struct trace *trace;
	struct kernel *kernel;
	size_t mark_count;    /* so many were added */
	bool *is_interrupted; /* by CPU: whether it is between the signs of an interrupt */
	struct frames frames;
};

static bool
add_record(struct adding *adding, size_t index, struct error *err)
{
	struct fgraph *graph = adding->graph;
	const struct record *record = &adding->records->items[index];
	struct kernel_head head = { .time_ns = record->time_ns, .cpu = record->cpu };
	size_t number = graph->job_count + index;
	struct scan name, fields;
	if (record->kind == GRAPH_FRAME)
		return !adding->frames.is_open || frames_add(&adding->frames, adding->trace, record->name, err);
	if (!frames_end(&adding->frames, adding->trace, adding->kernel, err))
		return false;
	if (record->kind == GRAPH_SWITCH || record->kind == GRAPH_UNKNOWN)
		return true;
	if (record->kind == GRAPH_MARK)
		return add_own(adding->kernel, graph->marks[adding->mark_count++].time_ns, number, err);
	if (record->kind == GRAPH_LOST)
		return kernel_lose(adding->kernel, head.cpu, (uint64_t)record->took_ns, head.time_ns, err);
	if (record->kind == GRAPH_IRQ_ENTER || record->kind == GRAPH_IRQ_EXIT)
		adding->is_interrupted[head.cpu] = record->kind == GRAPH_IRQ_ENTER;
	head.pid = graph->tasks[record->task].pid;
	if (record->kind != GRAPH_EVENT)
		return kernel_add_own(adding->kernel, &head, (uint32_t)number, err);
	head.is_in_interrupt = record->depth != 0 || adding->is_interrupted[head.cpu];
	if (frames_follow(text_of(graph, record))) {
		frames_begin(&adding->frames, head.cpu);
		return true;
	}
	cut_event(graph, record, &name, &fields);
	return kernel_add(adding->kernel, &head, name, fields, err);
}

static bool
name_tasks(const struct adding *adding, struct error *err)
{
	for (size_t i = 0; i < adding->graph->task_count; i++) {
		const struct fgraph_task *task = &adding->graph->tasks[i];
		size_t length;
		const char *bytes = trace_text(adding->trace, task->name, &length);
		if (!kernel_process(adding->kernel, task->pid, task->process, err) ||
			!kernel_name(adding->kernel, task->pid, scan_over(bytes, length), err))
			return false;
	}
	return true;
}

bool
mixed_add(struct fgraph *graph, const struct records *records, struct trace *trace, struct kernel *kernel,
	struct error *err)
{
	struct adding adding = { .graph = graph, .records = records, .trace = trace, .kernel = kernel,
		.is_interrupted = array_new(records->cpu_limit, sizeof *adding.is_interrupted, err) };
	bool is_fine = adding.is_interrupted != NULL && name_tasks(&adding, err) &&
		       add_marks(graph, records, err) && jobs_build(graph, err);
	/* Of equal times the innermost ends first, and before all else happens. */
	for (size_t i = graph->job_count; is_fine && i-- > 0;)
		if (graph->jobs[i].end_ns > graph->jobs[i].start_ns)
			is_fine = add_own(kernel, graph->jobs[i].end_ns, i, err);
	for (size_t i = 0; is_fine && i < records->count; i++)
		is_fine = add_record(&adding, i, err);
	is_fine = is_fine && frames_end(&adding.frames, trace, kernel, err);
	frames_release(&adding.frames);
	memory_free(adding.is_interrupted);
	return is_fine && add_own(kernel, graph->end_ns, graph->job_count + records->count, err);
}
