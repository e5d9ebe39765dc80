/*
 * From records to calls. Each task has a stack of open calls, which survives when the task is
 * switched away, and goes with it to another CPU. Which call a line belongs to is known by its
 * indentation, so that calls whose begin or end was lost cost only themselves.
 */
#include "source/function_graph/records.h"

#include <assert.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "source/function_graph/line.h"
#include "trace/slices.h"

/* A nested call ends as its duration says, if the stamp of its end is no further away than that. */
enum { STAMP_SLACK_NS = 2000 };

struct call {
	int64_t start_ns;
	string_id name;
	uint32_t detail;
	uint32_t depth;
};

struct lane {
	track_ref track;   /* of its calls, once there is one */
	bool has_track;
	struct call *open; /* the outermost first; each deeper than the one before */
	size_t open_count, open_capacity;
	int64_t now_ns;    /* nothing of it happens before */
	int64_t stamp_ns;  /* the last stamp in the order of the input; -1 */
	uint32_t run;      /* index + 1 of its last one in graph->runs */
};

struct cpu {
	int64_t cursor_ns;  /* up to where times are laid out, or the last one seen */
	int64_t segment_ns; /* since when nothing was lost */
	int64_t stamp_ns;   /* the last stamp; -1 */
	uint32_t task;      /* who runs, as the switches tell; FGRAPH_NONE */
	uint32_t run;       /* index of its last one in graph->runs; FGRAPH_NONE */
	bool is_interrupt;  /* the next call is one */
};

struct building {
	struct fgraph *graph;
	struct records *records;
	struct lane *lanes; /* by task */
	struct cpu *cpus;
	string_id calls, unknown; /* the name of the tracks; that of a function of which it is lost */
	int64_t now_ns;     /* where the last record was */
};

/* Where time runs backwards, records are put into its order by these. */
struct place {
	int64_t time_ns;
	uint32_t index;
};

/* The moment so much later, or the last one there is. */
static int64_t
after(int64_t time_ns, int64_t took_ns)
{
	assert(time_ns >= 0 && took_ns >= 0);
	return time_ns > FGRAPH_LAST_NS - took_ns ? FGRAPH_LAST_NS : time_ns + took_ns;
}

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Whether it is of no CPU, and when the line before it was: a mark, or a line that is damaged. */
static bool
is_between(const struct record *record)
{
	return record->kind == GRAPH_MARK || record->kind == GRAPH_UNKNOWN;
}

/* ---- who, in the order of the input */

/*
 * Finds the task of each record, the smallest time, and whether a task's times run backwards. What
 * has no stamp in an input of stamps takes that of the line before: of its CPU, or of all.
 */
static bool
find_tasks(struct building *building, bool *is_backwards, struct error *err)
{
	struct fgraph *graph = building->graph;
	struct records *records = building->records;
	int64_t stamp_ns = -1, first_ns = INT64_MAX, last_ns = 0;
	for (size_t i = 0; i < records->count; i++) {
		struct record *record = &records->items[i];
		struct cpu *cpu = &building->cpus[record->cpu];
		if (record->kind == GRAPH_SWITCH) {
			cpu->task = record->task;
		} else if (record->task == FGRAPH_NONE && record->kind != GRAPH_LOST &&
			   !is_between(record)) {
			if (cpu->task == FGRAPH_NONE &&
				!records_task(records, graph, -1, record->cpu, &cpu->task, err))
				return false;
			record->task = cpu->task;
		}
		if (record->time_ns >= 0) {
			stamp_ns = cpu->stamp_ns = record->time_ns;
			if (stamp_ns < first_ns)
				first_ns = stamp_ns;
			if (stamp_ns > last_ns)
				last_ns = stamp_ns;
		} else if (stamp_ns >= 0) {
			record->time_ns = is_between(record) || cpu->stamp_ns < 0 ? stamp_ns
										  : cpu->stamp_ns;
		}
	}
	graph->origin_ns = first_ns != INT64_MAX ? first_ns : 0;
	graph->last_stamp_ns = last_ns;
	building->lanes = array_new(graph->task_count, sizeof *building->lanes, err);
	if (building->lanes == NULL)
		return false;
	*is_backwards = false;
	for (size_t i = 0; i < records->count; i++) {
		struct record *record = &records->items[i];
		if (record->time_ns < 0 && stamp_ns >= 0)
			record->time_ns = graph->origin_ns; /* before the first stamp */
		if (record->time_ns >= 0)
			record->time_ns = after(0, record->time_ns - graph->origin_ns);
		if (record->kind == GRAPH_SWITCH || record->task == FGRAPH_NONE)
			continue;
		struct lane *lane = &building->lanes[record->task];
		if (record->time_ns < lane->stamp_ns) {
			graph->counts.backwards++;
			*is_backwards = true;
		}
		lane->stamp_ns = record->time_ns;
	}
	return true;
}

static int
compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool
sort_records(struct records *records, struct error *err)
{
	struct record *sorted = NULL;
	struct place *places = array_new_unset(records->count, sizeof *places, err);
	if (places == NULL)
		return false;
	for (size_t i = 0; i < records->count; i++)
		places[i] = (struct place){ records->items[i].time_ns, (uint32_t)i };
	struct sort sort = { places, records->count, sizeof *places, compare_places };
	bool is_fine = sort_items(&sort, NULL, err) &&
		       (sorted = array_new_unset(records->count, sizeof *sorted, err)) != NULL;
	for (size_t i = 0; is_fine && i < records->count; i++)
		sorted[i] = records->items[places[i].index];
	array_release(&places);
	if (!is_fine)
		return false;
	array_release(&records->items);
	records->items = sorted;
	records->capacity = records->count;
	return true;
}

/* ---- calls */

/* A call that the lane's open ones, if any, are around took so long; -1: nobody knows. */
static void
count_call(struct building *building, const struct lane *lane, const struct record *record)
{
	struct fgraph_task *task = &building->graph->tasks[record->task];
	if (record->took_ns < 0)
		return;
	building->graph->counts.spans++;
	task->spans++;
	if (lane->open_count == 0)
		task->outermost_ns = saturating_add_i64(task->outermost_ns, record->took_ns);
}

static struct call *
innermost(struct lane *lane)
{
	return lane->open_count > 0 ? &lane->open[lane->open_count - 1] : NULL;
}

/* The call is an interrupt, which its details say. */
static bool
mark_interrupt(struct fgraph *graph, struct record *record, struct error *err)
{
	if (record->detail == 0) {
		if (!array_reserve(&graph->details, &graph->detail_capacity, graph->detail_count + 1,
			    sizeof *graph->details, err))
			return false;
		graph->details[graph->detail_count++] = (struct fgraph_detail){ 0 };
		record->detail = (uint32_t)graph->detail_count;
	}
	graph->details[record->detail - 1].is_interrupt = true;
	return true;
}

/* Its end was lost: it ends now. */
static bool
cut_innermost(struct building *building, struct lane *lane, int64_t at_ns, struct error *err)
{
	struct call *call = &lane->open[--lane->open_count];
	lane->now_ns = at_ns;
	building->graph->counts.cut_entries++;
	return slices_end(building->graph->slices, lane->track, call->depth,
		(struct slice_end){ lane->now_ns, -1, SLICE_CUT }, err);
}

/* What the end of a call says of it joins what its begin said. */
static uint32_t
join_details(struct fgraph *graph, uint32_t begin, uint32_t end)
{
	if (begin == 0 || end == 0)
		return begin + end;
	graph->details[begin - 1].returned = graph->details[end - 1].returned;
	return begin;
}

/* The depth of a record whose indentation is gone. */
static uint32_t
depth_by_braces(const struct lane *lane, const struct record *record)
{
	size_t count = lane->open_count;
	if (record->kind != GRAPH_EXIT)
		return (uint32_t)count;
	if (count == 0)
		return 0;
	if (record->name == STRING_EMPTY)
		return (uint32_t)count - 1;
	/* With a name it ends the nearest call of that name, and where there is none, a lost one. */
	for (size_t i = count; i > 0; i--) {
		if (lane->open[i - 1].name == record->name)
			return (uint32_t)i - 1;
	}
	return (uint32_t)count;
}

/* A call that begins: it is open from now on. */
static bool
begin_call(struct building *building, struct lane *lane, const struct record *record,
	uint32_t depth, struct error *err)
{
	if (!array_reserve(&lane->open, &lane->open_capacity, lane->open_count + 1,
		    sizeof *lane->open, err))
		return false;
	lane->open[lane->open_count++] = (struct call){ .start_ns = lane->now_ns,
		.name = record->name,
		.detail = record->detail,
		.depth = depth };
	return slices_begin(
		building->graph->slices, lane->track, depth, lane->now_ns, record->name, err);
}

/* The innermost call ends, in an input without stamps not before at_ns. */
static bool
end_call(struct building *building, struct lane *lane, const struct record *record, int64_t at_ns,
	struct error *err)
{
	struct fgraph *graph = building->graph;
	struct call call = lane->open[--lane->open_count];
	int64_t end_ns = after(call.start_ns, later(record->took_ns, 0));
	if (record->time_ns < 0)
		end_ns = later(at_ns, end_ns);
	else if (record->took_ns < 0 || end_ns > record->time_ns + STAMP_SLACK_NS ||
		 end_ns < record->time_ns - STAMP_SLACK_NS)
		end_ns = record->time_ns;
	lane->now_ns = later(lane->now_ns, end_ns);
	count_call(building, lane, record);
	uint32_t detail = join_details(graph, call.detail, record->detail);
	if (detail != 0)
		slices_detail(graph->slices, lane->track, call.depth, detail);
	return slices_end(graph->slices, lane->track, call.depth,
		(struct slice_end){ lane->now_ns, record->took_ns, 0 }, err);
}

/* A call of which all is known at once: a leaf, or an end without a begin. */
static bool
add_call(struct building *building, struct lane *lane, const struct record *record, uint32_t depth,
	struct error *err)
{
	struct slices *slices = building->graph->slices;
	bool is_orphan = record->kind == GRAPH_EXIT;
	int64_t took_ns = later(record->took_ns, 0), start_ns = lane->now_ns;
	string_id name = record->name;
	if (!is_orphan) {
		lane->now_ns = after(lane->now_ns, took_ns);
	} else {
		if (record->time_ns < 0)
			lane->now_ns = later(lane->now_ns,
				after(building->cpus[record->cpu].segment_ns, took_ns));
		start_ns = later(lane->now_ns - took_ns, 0);
		building->graph->counts.orphan_exits++;
		if (name == STRING_EMPTY)
			name = building->unknown;
	}
	count_call(building, lane, record);
	if (!slices_begin(slices, lane->track, depth, start_ns, name, err))
		return false;
	if (record->detail != 0)
		slices_detail(slices, lane->track, depth, record->detail);
	const struct slice_end end = { lane->now_ns, record->took_ns,
		is_orphan ? SLICE_BEGAN_BEFORE : 0 };
	return slices_end(slices, lane->track, depth, end, err);
}

static bool
take_call(struct building *building, struct record *record, int64_t at_ns, struct error *err)
{
	struct fgraph *graph = building->graph;
	struct lane *lane = &building->lanes[record->task];
	struct cpu *cpu = &building->cpus[record->cpu];
	bool is_exit = record->kind == GRAPH_EXIT;
	uint32_t depth =
		record->depth == RECORD_BY_BRACES ? depth_by_braces(lane, record) : record->depth;
	if (depth > GRAPH_MAX_DEPTH) {
		graph->counts.damaged++;
		return true;
	}
	if (depth >= graph->counts.max_depth)
		graph->counts.max_depth = depth + 1;
	if (!lane->has_track) {
		if (!slices_track(graph->slices, TRACK_OF_ACTOR, record->task, building->calls,
			    &lane->track, err))
			return false;
		lane->has_track = true;
	}
	if (cpu->is_interrupt && !is_exit) {
		if (!mark_interrupt(graph, record, err))
			return false;
		cpu->is_interrupt = false;
	}
	for (struct call *call; (call = innermost(lane)) != NULL && call->depth >= depth;) {
		if (is_exit && call->depth == depth &&
			(record->name == STRING_EMPTY || record->name == call->name))
			return end_call(building, lane, record, at_ns, err);
		if (!cut_innermost(building, lane, at_ns, err))
			return false;
	}
	lane->now_ns = at_ns;
	return record->kind == GRAPH_ENTRY ? begin_call(building, lane, record, depth, err)
					   : add_call(building, lane, record, depth, err);
}

/* ---- the rest */

/* The task runs on the CPU at this time, and on from where it ran before. */
static bool
take_run(struct building *building, const struct record *record, int64_t from_ns, int64_t to_ns,
	struct error *err)
{
	struct fgraph *graph = building->graph;
	struct cpu *cpu = &building->cpus[record->cpu];
	struct lane *lane = &building->lanes[record->task];
	struct fgraph_run *last = cpu->run != FGRAPH_NONE ? &graph->runs[cpu->run] : NULL;
	/* If it ran on another CPU meanwhile, that run is its last one. */
	if (last != NULL && lane->run == cpu->run + 1) {
		last->end_ns = later(last->end_ns, to_ns);
		return true;
	}
	if (last != NULL && last->end_ns > from_ns)
		last->end_ns = from_ns = later(last->start_ns, from_ns);
	if (!array_reserve(&graph->runs, &graph->run_capacity, graph->run_count + 1,
		    sizeof *graph->runs, err))
		return false;
	cpu->run = (uint32_t)graph->run_count;
	lane->run = cpu->run + 1;
	graph->runs[graph->run_count++] = (struct fgraph_run){ .start_ns = from_ns,
		.end_ns = later(from_ns, to_ns),
		.cpu = record->cpu,
		.task = record->task };
	return true;
}

static bool
add_event(struct fgraph *graph, const struct record *record, int64_t time_ns, struct error *err)
{
	if (!array_reserve(&graph->events, &graph->event_capacity, graph->event_count + 1,
		    sizeof *graph->events, err))
		return false;
	graph->events[graph->event_count++] = (struct fgraph_event){ .time_ns = time_ns,
		.cpu = record->cpu,
		.task = record->task,
		.text = record->name };
	return true;
}

/* Marks stand in the order of time, though the CPU before one may be behind another. */
static bool
add_mark(struct fgraph *graph, const struct record *record, int64_t time_ns, struct error *err)
{
	if (graph->mark_count > 0)
		time_ns = later(time_ns, graph->marks[graph->mark_count - 1].time_ns);
	if (!array_reserve(&graph->marks, &graph->mark_capacity, graph->mark_count + 1,
		    sizeof *graph->marks, err))
		return false;
	graph->marks[graph->mark_count++] = (struct fgraph_mark){ .time_ns = time_ns,
		.text = record->name,
		.follows = record->depth != 0 };
	return true;
}

static bool
add_loss(struct fgraph *graph, const struct record *record, int64_t time_ns, struct error *err)
{
	if (!array_reserve(&graph->losses, &graph->loss_capacity, graph->loss_count + 1,
		    sizeof *graph->losses, err))
		return false;
	graph->losses[graph->loss_count++] = (struct fgraph_loss){ .time_ns = time_ns,
		.events = record->took_ns,
		.cpu = record->cpu };
	return true;
}

/* What a task does: its time, and that of its CPU, go on. */
static bool
take_of_task(struct building *building, struct record *record, struct error *err)
{
	struct lane *lane = &building->lanes[record->task];
	struct cpu *cpu = &building->cpus[record->cpu];
	int64_t at_ns = later(lane->now_ns, record->time_ns >= 0 ? record->time_ns : cpu->cursor_ns);
	switch ((enum graph_kind)record->kind) {
	case GRAPH_ENTRY:
	case GRAPH_LEAF:
	case GRAPH_EXIT:
		if (!take_call(building, record, at_ns, err))
			return false;
		break;
	case GRAPH_EVENT:
		if (!add_event(building->graph, record, at_ns, err))
			return false;
		break;
	case GRAPH_IRQ_ENTER:
		cpu->is_interrupt = true;
		break;
	case GRAPH_IRQ_EXIT:
		cpu->is_interrupt = false;
		break;
	case GRAPH_UNKNOWN:
	case GRAPH_BLANK:
	case GRAPH_NOTE:
	case GRAPH_SWITCH:
	case GRAPH_LOST:
	case GRAPH_MARK:
		assert(false);
	}
	building->now_ns = later(at_ns, lane->now_ns);
	cpu->cursor_ns = later(cpu->cursor_ns, building->now_ns);
	building->graph->end_ns = later(building->graph->end_ns, building->now_ns);
	return take_run(building, record, at_ns, building->now_ns, err);
}

static bool
take(struct building *building, struct record *record, struct error *err)
{
	struct cpu *cpu = &building->cpus[record->cpu];
	bool is_stamped = record->time_ns >= 0;
	switch (record->kind) {
	case GRAPH_UNKNOWN:
		building->graph->damage[record->name].time_ns =
			is_stamped ? record->time_ns : building->now_ns;
		return true;
	case GRAPH_SWITCH:
		return true;
	case GRAPH_LOST:
		cpu->segment_ns = cpu->cursor_ns;
		return add_loss(building->graph, record, is_stamped ? record->time_ns : cpu->cursor_ns, err);
	case GRAPH_MARK:
		return add_mark(building->graph, record, is_stamped ? record->time_ns : building->now_ns, err);
	default:
		return take_of_task(building, record, err);
	}
}

/* All that is open stays so to the end. */
static bool
close_all(struct building *building, struct error *err)
{
	struct fgraph *graph = building->graph;
	for (size_t i = 0; i < graph->task_count; i++) {
		const struct lane *lane = &building->lanes[i];
		graph->counts.open_at_end += lane->open_count;
		for (size_t k = 0; k < lane->open_count; k++) {
			if (lane->open[k].detail != 0)
				slices_detail(graph->slices, lane->track, lane->open[k].depth,
					lane->open[k].detail);
		}
	}
	return slices_freeze(graph->slices, graph->end_ns, err);
}

static bool
prepare(struct building *building, struct error *err)
{
	struct fgraph *graph = building->graph;
	struct records *records = building->records;
	if (!intern_add(&graph->strings, "calls", 5, &building->calls, err) ||
		!intern_add(&graph->strings, "?", 1, &building->unknown, err))
		return false;
	building->cpus = array_new(records->cpu_limit, sizeof *building->cpus, err);
	graph->slices = slices_new(err);
	if (building->cpus == NULL || graph->slices == NULL)
		return false;
	for (uint32_t i = 0; i < records->cpu_limit; i++) {
		building->cpus[i].task = records->first_tasks[i];
		building->cpus[i].run = FGRAPH_NONE;
		building->cpus[i].stamp_ns = -1;
		if (!records->is_cpu[i])
			continue;
		if (!array_reserve(&graph->cpus, &graph->cpu_capacity, graph->cpu_count + 1,
			    sizeof *graph->cpus, err))
			return false;
		graph->cpus[graph->cpu_count++] = i;
	}
	return true;
}

bool
lanes_build(struct fgraph *graph, struct records *records, struct error *err)
{
	struct building building = { .graph = graph, .records = records };
	bool is_backwards = false;
	bool is_fine = prepare(&building, err) && find_tasks(&building, &is_backwards, err) &&
		       (!is_backwards || sort_records(records, err));
	for (size_t i = 0; is_fine && i < records->count; i++)
		is_fine = take(&building, &records->items[i], err);
	is_fine = is_fine && close_all(&building, err);
	for (size_t i = 0; building.lanes != NULL && i < graph->task_count; i++)
		array_release(&building.lanes[i].open);
	array_release(&building.lanes);
	array_release(&building.cpus);
	return is_fine;
}
