#include "graphtesting.h"

#include <string.h>

#include "source/function_graph/line.h"
#include "source/function_graph/load.h"
#include "trace/lane.h"
#include "trace/slices.h"

struct pieces {
	const char *bytes;
	size_t size, at, piece_bytes;
};

static bool
read_piece(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	struct pieces *pieces = in->context;
	(void)err;
	*got = pieces->size - pieces->at;
	if (*got > pieces->piece_bytes)
		*got = pieces->piece_bytes;
	if (*got > size)
		*got = size;
	if (*got > 0)
		memcpy(out, pieces->bytes + pieces->at, *got);
	pieces->at += *got;
	return true;
}

bool
graphtesting_read(struct fgraph *graph, const char *bytes, size_t size, size_t piece_bytes,
	struct error *err)
{
	struct input whole, cut;
	struct pieces pieces = { bytes, size, 0, piece_bytes };
	*graph = (struct fgraph){ 0 };
	if (!input_open_memory(&whole, bytes, size, err))
		return false;
	if (piece_bytes == 0) {
		bool is_fine = fgraph_read(graph, &whole, err);
		input_close(&whole);
		return is_fine;
	}
	bool is_fine = input_open_converted(&cut, &whole, read_piece, NULL, &pieces, err);
	if (is_fine) {
		is_fine = fgraph_read(graph, &cut, err);
		input_close(&cut);
	}
	input_close(&whole);
	return is_fine;
}

/* Each column: in order, without overlap, within the times of the input. */
static const char *
column_fault(const struct fgraph *graph, column_ref column, uint64_t took[3])
{
	int64_t end_ns = 0;
	for (uint32_t i = 0; i < slices_in_column(graph->slices, column); i++) {
		struct slice slice;
		slices_get(graph->slices, column, i, &slice);
		if (slice.start_ns < end_ns)
			return "slices overlap, or begin before the input";
		if (slice.end_ns < slice.start_ns)
			return "a slice ends before it begins";
		if (slice.end_ns > graph->end_ns)
			return "a slice ends behind the input";
		if (slice.name >= intern_count(&graph->strings))
			return "a slice has a name that is none";
		if (slice.detail >= intern_count(&graph->strings))
			return "a slice has a detail that is none";
		took[0] += (slice.flags & SLICE_OPEN) != 0;
		took[1] += (slice.flags & SLICE_CUT) != 0;
		took[2] += (slice.flags & SLICE_BEGAN_BEFORE) != 0;
		end_ns = slice.end_ns;
	}
	return NULL;
}

static const char *
slices_fault(const struct fgraph *graph)
{
	uint64_t flags[3] = { 0 };
	const struct fgraph_counts *counts = &graph->counts;
	for (track_ref i = 0; i < slices_track_count(graph->slices); i++) {
		const struct track *track = slices_track_at(graph->slices, i);
		if (track->owner != TRACK_OF_ACTOR || track->ref >= graph->task_count)
			return "a track is of no task";
		if (track->depth_count > counts->max_depth)
			return "a track is deeper than the deepest call";
		for (uint32_t depth = 0; depth < track->depth_count; depth++) {
			const char *fault = column_fault(graph, track->first_column + depth, flags);
			if (fault != NULL)
				return fault;
		}
	}
	if (flags[0] != counts->open_at_end || flags[1] != counts->cut_entries ||
		flags[2] != counts->orphan_exits)
		return "the flags of slices are not what was counted";
	/* What is deeper than we show is counted and damaged. */
	uint64_t calls = counts->leaves + counts->nested + counts->orphan_exits;
	if (slices_count(graph->slices) > calls ||
		(slices_count(graph->slices) < calls && counts->max_depth <= GRAPH_MAX_DEPTH))
		return "there is a slice for each call";
	return NULL;
}

bool
graphtesting_functions(const struct fgraph *graph, struct slice_times *times, struct error *err)
{
	struct slice_times_scope scope = slice_times_scope_of(graph->slices, REF_NONE);
	return slice_times_build(times, graph->slices, &scope, NULL, err);
}

/* What is asked of the calls by name is what the reader counted. */
static const char *
functions_fault(const struct fgraph *graph)
{
	const struct fgraph_counts *counts = &graph->counts;
	struct slice_times times;
	struct error err;
	uint64_t calls = 0, partial = 0;
	bool is_fine = true;
	error_clear(&err);
	if (!graphtesting_functions(graph, &times, &err))
		return NULL;
	for (size_t i = 0; i < times.count; i++) {
		const struct slice_time *row = &times.rows[i];
		calls += row->calls;
		partial += row->partial;
		is_fine = is_fine && row->self_ns >= 0 && row->self_ns <= row->total_ns &&
			  row->shortest_ns >= 0 && row->shortest_ns <= row->longest_ns &&
			  row->longest_ns <= row->total_ns;
	}
	slice_times_release(&times);
	if (!is_fine)
		return "a function's times contradict each other";
	if (counts->max_depth > GRAPH_MAX_DEPTH)
		return NULL;
	if (calls < counts->spans)
		return "the calls of the functions are not all";
	if (partial != counts->cut_entries + counts->open_at_end)
		return "the partial calls of the functions are not all";
	return NULL;
}

static const char *
runs_fault(const struct fgraph *graph)
{
	for (size_t i = 0; i < graph->run_count; i++) {
		const struct fgraph_run *run = &graph->runs[i];
		if (run->start_ns < 0 || run->end_ns < run->start_ns || run->end_ns > graph->end_ns)
			return "a run is outside of the input";
		if (run->task >= graph->task_count)
			return "a run is of no task";
		for (size_t k = i; k-- > 0;) {
			if (graph->runs[k].cpu != run->cpu)
				continue;
			if (graph->runs[k].end_ns > run->start_ns)
				return "runs overlap";
			break;
		}
	}
	return NULL;
}

static const char *
rest_fault(const struct fgraph *graph)
{
	uint64_t spans = 0;
	for (size_t i = 0; i < graph->task_count; i++) {
		spans += graph->tasks[i].spans;
		if (graph->tasks[i].outermost_ns < 0)
			return "a sum of times is negative";
	}
	if (spans != graph->counts.spans)
		return "the calls of the tasks are not all";
	for (size_t i = 0; i < graph->event_count; i++) {
		if (graph->events[i].time_ns < 0 || graph->events[i].time_ns > graph->end_ns)
			return "an event is outside of the input";
	}
	for (size_t i = 0; i < FGRAPH_DAMAGE_SHOWN && i < graph->counts.damaged; i++) {
		const struct fgraph_damage *damage = &graph->damage[i];
		if (damage->time_ns < 0 || damage->time_ns > graph->end_ns || damage->lines == 0 ||
			damage->from_bytes > damage->to_bytes ||
			damage->lost_bytes > damage->to_bytes - damage->from_bytes)
			return "damage is outside of the input";
	}
	for (size_t i = 0; i < graph->job_count; i++) {
		const struct fgraph_job *job = &graph->jobs[i];
		if (job->start_ns < 0 || job->end_ns < job->start_ns || job->end_ns > graph->end_ns)
			return "a job is outside of the input";
		if (job->parent != FGRAPH_NONE &&
			(job->parent >= i || graph->jobs[job->parent].start_ns > job->start_ns))
			return "a job begins before the one around it";
	}
	return NULL;
}

const char *
graphtesting_fault(const struct fgraph *graph)
{
	const struct fgraph_counts *counts = &graph->counts;
	const char *fault = slices_fault(graph);
	if (fault == NULL)
		fault = functions_fault(graph);
	if (fault == NULL)
		fault = runs_fault(graph);
	if (fault == NULL)
		fault = rest_fault(graph);
	if (fault == NULL && counts->cut_entries + counts->open_at_end > counts->nested)
		fault = "more calls are open than began";
	if (fault == NULL && (counts->events != graph->event_count || counts->marks != graph->mark_count ||
				     counts->lost_records != graph->loss_count))
		fault = "an event, a mark or a loss is missing";
	return fault;
}

/* ---- as a trace */

struct trace *
graphtesting_load(const char *bytes, size_t size, struct error *err)
{
	struct input in;
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = function_graph_load(&in, NULL, NULL, err);
	input_close(&in);
	return trace;
}

static int64_t
running_ns(const struct trace *trace, enum lane_type type, uint32_t ref)
{
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, (struct lane){ type, ref }, 0, trace->end_ns, totals_ns);
	return totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER];
}

/* Each actor and each processor runs as long as the runs say. */
static const char *
running_fault(const struct trace *trace, const struct fgraph *graph)
{
	for (uint32_t i = 0; i < graph->task_count; i++) {
		int64_t wanted_ns = 0;
		for (size_t k = 0; k < graph->run_count; k++) {
			if (graph->runs[k].task == i)
				wanted_ns += graph->runs[k].end_ns - graph->runs[k].start_ns;
		}
		if (running_ns(trace, LANE_ACTOR, i) != wanted_ns)
			return "an actor runs for another time than its task";
	}
	for (uint32_t i = 0; i < trace_processor_count(trace); i++) {
		int64_t wanted_ns = 0;
		for (size_t k = 0; k < graph->run_count; k++) {
			if (graph->runs[k].cpu == trace_processor(trace, i)->id)
				wanted_ns += graph->runs[k].end_ns - graph->runs[k].start_ns;
		}
		if (running_ns(trace, LANE_PROCESSOR, i) != wanted_ns)
			return "a processor runs for another time than its CPU";
	}
	return NULL;
}

static const char *
tasks_fault(const struct trace *trace, const struct fgraph *graph)
{
	if (trace->tasks.count != graph->job_count)
		return "there is a task for each job";
	for (uint32_t i = 0; i < graph->job_count; i++) {
		const struct fgraph_job *job = &graph->jobs[i];
		const struct task *task = NULL;
		for (task_ref k = 0; k < trace->tasks.count && task == NULL; k++) {
			if (trace_task(trace, k)->id == (int64_t)i + 1)
				task = trace_task(trace, k);
		}
		if (task == NULL || task->start_ns != job->start_ns || task->end_ns != job->end_ns ||
			task->began_before)
			return "a task has other times than its job";
		if (job->parent == FGRAPH_NONE
				? task->parent != REF_NONE
				: task->parent == REF_NONE ||
					  trace_task(trace, task->parent)->id != (int64_t)job->parent + 1)
			return "a task has another parent than its job";
	}
	return NULL;
}

static bool
has_fact(const struct trace *trace, const char *key, uint64_t wanted)
{
	for (size_t i = 0; i < trace->facts.count; i++)
		if (strcmp(trace->facts.items[i].key, key) == 0)
			return trace->facts.items[i].value == wanted;
	return false;
}

/* Events tell who runs: the calls are those that were read, on other tracks and beside other slices. */
static const char *
mixed_fault(const struct trace *trace, const struct fgraph *graph)
{
	uint64_t calls = 0, wanted = slices_count(graph->slices);
	bool has_ended = false;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		has_ended = has_ended || trace_actor(trace, i)->end_ns != TIME_OPEN;
	for (track_ref i = 0; i < slices_track_count(trace->slices); i++) {
		const struct track *track = slices_track_at(trace->slices, i);
		const char *name = trace_text(trace, track->name, NULL);
		for (uint32_t k = 0; strstr(name, "calls") != NULL && strcmp(name, "syscalls") != 0 && k < track->depth_count; k++)
			calls += slices_in_column(trace->slices, track->first_column + k);
	}
	/* What ends behind the end of its task is of another one with that pid, and began before. */
	if (calls < wanted || (calls > wanted && !has_ended))
		return "a call is missing";
	if (!has_fact(trace, "spans", graph->counts.spans))
		return "a call with a duration is missing";
	return damage_map_places(&trace->damage) == graph->counts.damaged ? NULL : "not all damage is told";
}

const char *
graphtesting_trace_fault(const struct trace *trace, const struct fgraph *graph)
{
	if (trace->words->is_scheduled)
		return mixed_fault(trace, graph);
	if (trace_actor_count(trace) != graph->task_count ||
		trace_processor_count(trace) < graph->cpu_count)
		return "an actor or a processor is missing";
	for (actor_ref i = 0; i < graph->task_count; i++) {
		int64_t id = trace_actor(trace, i)->id;
		if (graph->tasks[i].pid > 0 ? id != graph->tasks[i].pid : id >= -1)
			return "an actor has another id than its task";
		if (trace_find_actor(trace, id) != i)
			return "two actors have the same id";
	}
	if (trace->end_ns < graph->end_ns)
		return "the trace ends before the input";
	if (damage_map_places(&trace->damage) != graph->counts.damaged)
		return "not all damage is told";
	if (trace->instants.count != graph->mark_count + graph->loss_count + graph->event_count)
		return "an instant is missing";
	const struct slices *slices = trace->slices;
	if (slices_count(slices) != slices_count(graph->slices))
		return "a slice is missing";
	for (column_ref column = 0; column < slices_column_count(slices); column++) {
		for (uint32_t i = 0; i < slices_in_column(slices, column); i++) {
			struct slice slice, wanted;
			slices_get(slices, column, i, &slice);
			slices_get(graph->slices, column, i, &wanted);
			if (slice.name != wanted.name || slice.name >= intern_count(&trace->strings))
				return "a slice has another name";
			if (slice.detail >= intern_count(&trace->strings) ||
				slice.detail != wanted.detail)
				return "the detail of a slice is no text";
		}
	}
	const char *fault = running_fault(trace, graph);
	return fault != NULL ? fault : tasks_fault(trace, graph);
}
