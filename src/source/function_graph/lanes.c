/*
 * From records to calls. Each task has a stack of open calls, which survives when the task is
 * switched away, and goes with it to another CPU. Which call a line belongs to is known by its
 * indentation, so that calls whose begin or end was lost cost only themselves.
 */
#include "source/function_graph/lanes.h"

#include <assert.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
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
	actor_ref ref;     /* whose that is, where events tell who runs */
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

struct lanes {
	struct fgraph *graph;
	struct records *records;
	struct intern *strings; /* and slices: where the calls go */
	struct slices *slices;
	struct lane *of_task; /* by task */
	struct cpu *cpus;
	string_id calls, idle, unknown; /* names of the tracks; that of a function of which it is lost */
	int64_t now_ns;     /* where the last record was */
	struct text line;
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

static bool
is_call(const struct record *record)
{
	return record->kind == GRAPH_ENTRY || record->kind == GRAPH_LEAF || record->kind == GRAPH_EXIT;
}

/* Whether it is of no CPU, and when the line before it was: a mark, a frame, or a line that is damaged. */
static bool
is_between(const struct record *record)
{
	return record->kind == GRAPH_MARK || record->kind == GRAPH_FRAME || record->kind == GRAPH_UNKNOWN;
}

/* ---- who, in the order of the input */

/*
 * Finds the task of each record, the smallest time, and whether a task's times run backwards. What
 * has no stamp in an input of stamps takes that of the line before: of its CPU, or of all.
 */
static bool
find_tasks(struct lanes *lanes, bool *is_backwards, struct error *err)
{
	struct fgraph *graph = lanes->graph;
	struct records *records = lanes->records;
	int64_t stamp_ns = -1, first_ns = INT64_MAX, last_ns = 0;
	for (size_t i = 0; i < records->count; i++) {
		struct record *record = &records->items[i];
		struct cpu *cpu = &lanes->cpus[record->cpu];
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
	lanes->of_task = array_new(graph->task_count, sizeof *lanes->of_task, err);
	if (lanes->of_task == NULL)
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
		struct lane *lane = &lanes->of_task[record->task];
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
count_call(struct lanes *lanes, const struct lane *lane, const struct record *record)
{
	struct fgraph_task *task = &lanes->graph->tasks[record->task];
	if (record->took_ns < 0)
		return;
	lanes->graph->counts.spans++;
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
cut_innermost(struct lanes *lanes, struct lane *lane, int64_t at_ns, struct error *err)
{
	struct call *call = &lane->open[--lane->open_count];
	lane->now_ns = at_ns;
	lanes->graph->counts.cut_entries++;
	return slices_end(lanes->slices, lane->track, call->depth,
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

/* Adds what stands before, and a text of the graph; nothing where that is empty. */
static void
say(struct lanes *lanes, const char *before, string_id id)
{
	size_t length;
	const char *bytes = intern_text(&lanes->graph->texts, id, &length);
	if (length == 0)
		return;
	text_add_string(&lanes->line, lanes->line.length > 0 ? ", " : "");
	text_add_string(&lanes->line, before);
	text_add(&lanes->line, bytes, length);
}

/* All that is said of the last call of a depth, as a text. */
static bool
write_detail(struct lanes *lanes, const struct lane *lane, uint32_t depth, uint32_t index,
	struct error *err)
{
	struct text *line = &lanes->line;
	string_id id;
	if (index == 0)
		return true;
	const struct fgraph_detail *detail = &lanes->graph->details[index - 1];
	text_clear(line);
	if (detail->is_interrupt)
		text_add_string(line, "interrupt");
	say(lanes, "", detail->arguments);
	say(lanes, "from ", detail->caller);
	say(lanes, "returned ", detail->returned);
	if (line->failed)
		return error_set_memory(err, "texts");
	if (!intern_add(lanes->strings, line->bytes, line->length, &id, err))
		return false;
	slices_detail(lanes->slices, lane->track, depth, id);
	return true;
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
begin_call(struct lanes *lanes, struct lane *lane, const struct record *record,
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
		lanes->slices, lane->track, depth, lane->now_ns, record->name, err);
}

/* The innermost call ends, in an input without stamps not before at_ns. */
static bool
end_call(struct lanes *lanes, struct lane *lane, const struct record *record, int64_t at_ns,
	struct error *err)
{
	struct fgraph *graph = lanes->graph;
	struct call call = lane->open[--lane->open_count];
	int64_t end_ns = after(call.start_ns, later(record->took_ns, 0));
	if (record->time_ns < 0)
		end_ns = later(at_ns, end_ns);
	else if (record->took_ns < 0 || end_ns > record->time_ns + STAMP_SLACK_NS ||
		 end_ns < record->time_ns - STAMP_SLACK_NS)
		end_ns = record->time_ns;
	lane->now_ns = later(lane->now_ns, end_ns);
	count_call(lanes, lane, record);
	return write_detail(lanes, lane, call.depth, join_details(graph, call.detail, record->detail), err) &&
	       slices_end(lanes->slices, lane->track, call.depth,
		       (struct slice_end){ lane->now_ns, record->took_ns, 0 }, err);
}

/* A call of which all is known at once: a leaf, or an end without a begin. */
static bool
add_call(struct lanes *lanes, struct lane *lane, const struct record *record, uint32_t depth,
	struct error *err)
{
	struct slices *slices = lanes->slices;
	bool is_orphan = record->kind == GRAPH_EXIT;
	int64_t took_ns = later(record->took_ns, 0), start_ns = lane->now_ns;
	string_id name = record->name;
	if (!is_orphan) {
		lane->now_ns = after(lane->now_ns, took_ns);
	} else {
		if (record->time_ns < 0)
			lane->now_ns = later(lane->now_ns,
				after(lanes->cpus[record->cpu].segment_ns, took_ns));
		start_ns = later(lane->now_ns - took_ns, 0);
		lanes->graph->counts.orphan_exits++;
		if (name == STRING_EMPTY)
			name = lanes->unknown;
	}
	count_call(lanes, lane, record);
	if (!slices_begin(slices, lane->track, depth, start_ns, name, err) ||
		!write_detail(lanes, lane, depth, record->detail, err))
		return false;
	const struct slice_end end = { lane->now_ns, record->took_ns,
		is_orphan ? SLICE_BEGAN_BEFORE : 0 };
	return slices_end(slices, lane->track, depth, end, err);
}

static bool
take_call(struct lanes *lanes, struct record *record, int64_t at_ns, struct error *err)
{
	struct fgraph *graph = lanes->graph;
	struct lane *lane = &lanes->of_task[record->task];
	struct cpu *cpu = &lanes->cpus[record->cpu];
	bool is_exit = record->kind == GRAPH_EXIT;
	uint32_t depth =
		record->depth == RECORD_BY_BRACES ? depth_by_braces(lane, record) : record->depth;
	if (depth > GRAPH_MAX_DEPTH) {
		graph->counts.damaged++;
		return true;
	}
	if (depth >= graph->counts.max_depth)
		graph->counts.max_depth = depth + 1;
	assert(lane->has_track);
	if (cpu->is_interrupt && !is_exit) {
		if (!mark_interrupt(graph, record, err))
			return false;
		cpu->is_interrupt = false;
	}
	for (struct call *call; (call = innermost(lane)) != NULL && call->depth >= depth;) {
		if (is_exit && call->depth == depth &&
			(record->name == STRING_EMPTY || record->name == call->name))
			return end_call(lanes, lane, record, at_ns, err);
		if (!cut_innermost(lanes, lane, at_ns, err))
			return false;
	}
	lane->now_ns = at_ns;
	return record->kind == GRAPH_ENTRY ? begin_call(lanes, lane, record, depth, err)
					   : add_call(lanes, lane, record, depth, err);
}

/* ---- the rest */

/* The task runs on the CPU at this time, and on from where it ran before. */
static bool
take_run(struct lanes *lanes, const struct record *record, int64_t from_ns, int64_t to_ns,
	struct error *err)
{
	struct fgraph *graph = lanes->graph;
	struct cpu *cpu = &lanes->cpus[record->cpu];
	struct lane *lane = &lanes->of_task[record->task];
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

/* A call, or the sign of an interrupt, on the lane's track; *at_ns: when. */
static bool
take_of_calls(struct lanes *lanes, struct record *record, int64_t *at_ns, struct error *err)
{
	struct lane *lane = &lanes->of_task[record->task];
	struct cpu *cpu = &lanes->cpus[record->cpu];
	*at_ns = later(lane->now_ns, record->time_ns >= 0 ? record->time_ns : cpu->cursor_ns);
	if (record->kind == GRAPH_IRQ_ENTER || record->kind == GRAPH_IRQ_EXIT)
		cpu->is_interrupt = record->kind == GRAPH_IRQ_ENTER;
	else if (record->kind != GRAPH_EVENT && !take_call(lanes, record, *at_ns, err))
		return false;
	lanes->now_ns = later(*at_ns, lane->now_ns);
	cpu->cursor_ns = later(cpu->cursor_ns, lanes->now_ns);
	lanes->graph->end_ns = later(lanes->graph->end_ns, lanes->now_ns);
	return true;
}

/* What a task does: its time, and that of its CPU, go on. */
static bool
take_of_task(struct lanes *lanes, struct record *record, struct error *err)
{
	struct lane *lane = &lanes->of_task[record->task];
	int64_t at_ns;
	if (!lane->has_track && is_call(record)) {
		if (!slices_track(lanes->slices, TRACK_OF_ACTOR, record->task, lanes->calls, &lane->track,
			    err))
			return false;
		lane->has_track = true;
	}
	return take_of_calls(lanes, record, &at_ns, err) &&
	       (record->kind != GRAPH_EVENT || add_event(lanes->graph, record, at_ns, err)) &&
	       take_run(lanes, record, at_ns, lanes->now_ns, err);
}

static bool
take(struct lanes *lanes, struct record *record, struct error *err)
{
	struct cpu *cpu = &lanes->cpus[record->cpu];
	bool is_stamped = record->time_ns >= 0;
	switch (record->kind) {
	case GRAPH_UNKNOWN:
		lanes->graph->damage[record->name].time_ns = is_stamped ? record->time_ns : lanes->now_ns;
		return true;
	case GRAPH_SWITCH:
	case GRAPH_FRAME:
		return true;
	case GRAPH_LOST:
		cpu->segment_ns = cpu->cursor_ns;
		return add_loss(lanes->graph, record, is_stamped ? record->time_ns : cpu->cursor_ns, err);
	case GRAPH_MARK:
		return jobs_add_mark(lanes->graph, record, is_stamped ? record->time_ns : lanes->now_ns, err);
	default:
		return take_of_task(lanes, record, err);
	}
}

/* Of what is open all is said that is known, and it is counted; it stays so to the end. */
static bool
tell_open(struct lanes *lanes, const struct lane *lane, uint64_t *count, struct error *err)
{
	*count += lane->open_count;
	for (size_t i = 0; i < lane->open_count; i++)
		if (!write_detail(lanes, lane, lane->open[i].depth, lane->open[i].detail, err))
			return false;
	return true;
}

bool
lanes_build(struct lanes *lanes, struct error *err)
{
	struct fgraph *graph = lanes->graph;
	lanes->strings = &graph->strings;
	lanes->slices = graph->slices = slices_new(err);
	if (graph->slices == NULL)
		return false;
	for (size_t i = 0; i < lanes->records->count; i++)
		if (!take(lanes, &lanes->records->items[i], err))
			return false;
	for (size_t i = 0; i < graph->task_count; i++)
		if (!tell_open(lanes, &lanes->of_task[i], &graph->counts.open_at_end, err))
			return false;
	return slices_freeze(graph->slices, graph->end_ns, err);
}

/* ---- where events of the kernel tell who runs */

/* No more comes to the track of the lane; the calls of an actor that is gone ended with it. */
static bool
leave_track(struct lanes *lanes, const struct trace *trace, struct lane *lane, uint64_t *count,
	struct error *err)
{
	int64_t end_ns = lane->ref != REF_NONE ? trace_actor(trace, lane->ref)->end_ns : TIME_OPEN;
	if (!tell_open(lanes, lane, count, err))
		return false;
	for (size_t i = lane->open_count; end_ns != TIME_OPEN && i > 0; i--)
		if (!slices_end(lanes->slices, lane->track, lane->open[i - 1].depth,
			    (struct slice_end){ end_ns, -1, SLICE_CUT }, err))
			return false;
	lane->open_count = 0;
	lane->has_track = false;
	return true;
}

/* The track of the record's task, whose actor it is; of nobody and an idle CPU it is the CPU's. */
static bool
enter_track(struct lanes *lanes, struct builder *builder, const struct record *record, actor_ref actor,
	struct error *err)
{
	struct lane *lane = &lanes->of_task[record->task];
	resource_ref processor;
	lane->has_track = true;
	lane->ref = actor;
	if (actor != REF_NONE)
		return slices_track(lanes->slices, TRACK_OF_ACTOR, actor, lanes->calls, &lane->track, err);
	return builder_processor(builder, record->cpu, &processor, err) &&
	       slices_track(lanes->slices, TRACK_OF_RESOURCE, processor,
		       lanes->graph->tasks[record->task].pid == 0 ? lanes->idle : lanes->calls, &lane->track,
		       err);
}

bool
lanes_take(struct lanes *lanes, struct trace *trace, struct builder *builder, uint32_t index, actor_ref actor,
	struct error *err)
{
	struct record *record = &lanes->records->items[index];
	struct lane *lane = &lanes->of_task[record->task];
	int64_t at_ns;
	lanes->strings = &trace->strings;
	lanes->slices = trace->slices;
	/* The pid is another task's by now. */
	if (lane->has_track && lane->ref != actor &&
		!leave_track(lanes, trace, lane, &lanes->graph->counts.cut_entries, err))
		return false;
	return (lane->has_track || !is_call(record) || enter_track(lanes, builder, record, actor, err)) &&
	       take_of_calls(lanes, record, &at_ns, err);
}

bool
lanes_end(struct lanes *lanes, const struct trace *trace, struct error *err)
{
	uint64_t *count = &lanes->graph->counts.open_at_end;
	for (size_t i = 0; i < lanes->graph->task_count; i++)
		if (lanes->of_task[i].has_track && !leave_track(lanes, trace, &lanes->of_task[i], count, err))
			return false;
	return true;
}

/* ---- the whole */

static bool
prepare(struct lanes *lanes, struct error *err)
{
	struct fgraph *graph = lanes->graph;
	struct records *records = lanes->records;
	bool is_backwards = false;
	if (records->has_stamps)
		graph->clock = records->has_ticks ? FGRAPH_TICKS : FGRAPH_STAMPED;
	if (!intern_add(&graph->strings, "calls", 5, &lanes->calls, err) ||
		!intern_add(&graph->strings, "?", 1, &lanes->unknown, err) ||
		!intern_add(&graph->strings, "idle calls", 10, &lanes->idle, err))
		return false;
	lanes->cpus = array_new(records->cpu_limit, sizeof *lanes->cpus, err);
	if (lanes->cpus == NULL)
		return false;
	for (uint32_t i = 0; i < records->cpu_limit; i++) {
		lanes->cpus[i].task = records->first_tasks[i];
		lanes->cpus[i].run = FGRAPH_NONE;
		lanes->cpus[i].stamp_ns = -1;
		if (!records->is_cpu[i])
			continue;
		if (!array_reserve(&graph->cpus, &graph->cpu_capacity, graph->cpu_count + 1,
			    sizeof *graph->cpus, err))
			return false;
		graph->cpus[graph->cpu_count++] = i;
	}
	return find_tasks(lanes, &is_backwards, err) && (!is_backwards || sort_records(records, err));
}

struct lanes *
lanes_new(struct fgraph *graph, struct records *records, struct error *err)
{
	struct lanes *lanes = array_new(1, sizeof *lanes, err);
	if (lanes == NULL)
		return NULL;
	lanes->graph = graph;
	lanes->records = records;
	if (prepare(lanes, err))
		return lanes;
	lanes_free(lanes);
	return NULL;
}

void
lanes_free(struct lanes *lanes)
{
	if (lanes == NULL)
		return;
	for (size_t i = 0; lanes->of_task != NULL && i < lanes->graph->task_count; i++)
		array_release(&lanes->of_task[i].open);
	array_release(&lanes->of_task);
	array_release(&lanes->cpus);
	text_release(&lanes->line);
	memory_free(lanes);
}
