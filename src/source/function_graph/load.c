/* From what was read to a trace: all that happened is put in the order of time and told to a builder. */
#include "source/function_graph/load.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "source/common/kernel.h"
#include "source/function_graph/lanes.h"
#include "source/function_graph/line.h"
#include "source/function_graph/mixed.h"
#include "trace/builder.h"
#include "trace/slices.h"

const struct words function_graph_words = {
	.source = "function_graph",
	.actor = { "task", "tasks", '\0' },
	.processor = { "CPU", "CPUs", '\0' },
	.group = { "group", "groups", '\0' },
	.name = { "name", "names", '\0' },
	.function = { "name", "names", '\0' },
	.task = { "packet", "packets", '\0' },
	.classes = {
		[CLASS_GONE] = { "gone", NULL },
		[CLASS_UNKNOWN] = { "unknown", "unknown: no line tells of it" },
		[CLASS_RUNNING] = { "running", "running, as far as lines tell" },
	},
};

/* At the same time they come in this order. */
enum step_kind {
	STEP_RUN_ENDS,
	STEP_JOB_ENDS, /* the innermost first */
	STEP_RUN,      /* which may be empty, as jobs: then there is no end to come */
	STEP_MARK,     /* which may begin a job */
	STEP_LOSS,
	STEP_EVENT
};

struct step {
	int64_t time_ns;
	uint32_t kind;  /* enum step_kind */
	uint32_t index; /* in the table of its kind */
};

static const struct words mixed_words = KERNEL_WORDS("function_graph");

struct loading {
	struct fgraph graph;
	struct records records;
	struct lanes *lanes; /* where events of the kernel tell who runs */
	struct trace *trace;
	struct builder *builder;
	struct step *steps;
	size_t step_count;
	uint32_t *run_of;     /* by task: the run that it is in, FGRAPH_NONE */
	uint32_t running;     /* the task that began to run last, while it does; FGRAPH_NONE */
	uint32_t job;         /* the innermost that is open, FGRAPH_NONE */
	uint32_t job_count;   /* that have begun, as their marks are in order */
	uint32_t mark_count;  /* that were told */
	string_id mark, lost; /* categories */
	struct text line;
};

/* ---- texts */

static bool
add_text(struct loading *loading, const char *bytes, size_t length, string_id *id, struct error *err)
{
	return intern_add(&loading->trace->strings, bytes, length, id, err);
}

static bool
add_line(struct loading *loading, string_id *id, struct error *err)
{
	if (loading->line.failed)
		return error_set_memory(err, "texts");
	return add_text(loading, loading->line.bytes, loading->line.length, id, err);
}

/* ---- who and where */

/* Actors get their tasks' numbers as refs, which slices have as owners. */
static bool
add_actor(struct loading *loading, uint32_t index, struct error *err)
{
	const struct fgraph_task *task = &loading->graph.tasks[index];
	struct builder *builder = loading->builder;
	actor_ref actor;
	string_id name = task->name;
	int64_t id = task->pid > 0 ? task->pid : -2 - 2 * (int64_t)task->cpu + task->pid;
	text_clear(&loading->line);
	if (task->pid < 0)
		text_format(&loading->line, "CPU %" PRIu32, task->cpu);
	else
		text_add_string(&loading->line, "<...>"); /* as the kernel has it */
	if (name == STRING_EMPTY && !add_line(loading, &name, err))
		return false;
	return builder_create(builder, id, REF_NONE, STACK_NONE, &actor, err) &&
	       builder_name(builder, actor, name, err);
}

static bool
add_actors(struct loading *loading, struct error *err)
{
	const struct fgraph *graph = &loading->graph;
	resource_ref processor;
	for (size_t i = 0; i < graph->cpu_count; i++) {
		if (!builder_processor(loading->builder, graph->cpus[i], &processor, err))
			return false;
	}
	loading->run_of = array_new(graph->task_count, sizeof *loading->run_of, err);
	if (loading->run_of == NULL)
		return false;
	for (uint32_t i = 0; i < graph->task_count; i++) {
		loading->run_of[i] = FGRAPH_NONE;
		if (!add_actor(loading, i, err))
			return false;
	}
	return true;
}

/* ---- what happens */

static void
add_step(struct loading *loading, int64_t time_ns, enum step_kind kind, size_t index)
{
	loading->steps[loading->step_count++] =
		(struct step){ time_ns, (uint32_t)kind, (uint32_t)index };
}

static int
compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	int order = a->index < b->index ? -1 : a->index > b->index;
	return a->kind == STEP_JOB_ENDS ? -order : order;
}

static bool
sort_steps(struct loading *loading, const atomic_bool *is_cancelled, struct error *err)
{
	const struct fgraph *graph = &loading->graph;
	size_t most = 2 * graph->run_count + graph->job_count + graph->mark_count +
		      graph->loss_count + graph->event_count;
	loading->steps = array_new_unset(most, sizeof *loading->steps, err);
	if (loading->steps == NULL)
		return false;
	for (size_t i = 0; i < graph->run_count; i++) {
		const struct fgraph_run *run = &graph->runs[i];
		add_step(loading, run->start_ns, STEP_RUN, i);
		if (run->end_ns > run->start_ns)
			add_step(loading, run->end_ns, STEP_RUN_ENDS, i);
	}
	for (size_t i = 0; i < graph->job_count; i++) {
		if (graph->jobs[i].end_ns > graph->jobs[i].start_ns)
			add_step(loading, graph->jobs[i].end_ns, STEP_JOB_ENDS, i);
	}
	for (size_t i = 0; i < graph->mark_count; i++)
		add_step(loading, graph->marks[i].time_ns, STEP_MARK, i);
	for (size_t i = 0; i < graph->loss_count; i++)
		add_step(loading, graph->losses[i].time_ns, STEP_LOSS, i);
	for (size_t i = 0; i < graph->event_count; i++)
		add_step(loading, graph->events[i].time_ns, STEP_EVENT, i);
	struct sort sort = { loading->steps, loading->step_count, sizeof *loading->steps, compare_steps };
	return sort_items(&sort, is_cancelled, err);
}

static bool
stop_running(struct loading *loading, uint32_t task, struct error *err)
{
	loading->run_of[task] = FGRAPH_NONE;
	if (loading->running == task)
		loading->running = FGRAPH_NONE;
	return builder_state(loading->builder,
		&(struct state_change){ .actor = task,
			.state = STATE_UNKNOWN,
			.entry = ENTRY_STOPPED,
			.waker = REF_NONE,
			.processor = REF_NONE,
			.thread = REF_NONE },
		err);
}

static bool
take_run(struct loading *loading, uint32_t index, struct error *err)
{
	const struct fgraph_run *run = &loading->graph.runs[index];
	struct state_change change = { .actor = run->task,
		.state = STATE_RUNNING,
		.entry = ENTRY_STARTED,
		.waker = REF_NONE,
		.thread = REF_NONE };
	loading->run_of[run->task] = index;
	loading->running = run->task;
	return builder_processor(loading->builder, run->cpu, &change.processor, err) &&
	       builder_state(loading->builder, &change, err) &&
	       (run->end_ns > run->start_ns || stop_running(loading, run->task, err));
}

/* As the model numbers them: from 1, 0 is none. */
static int64_t
id_of_job(uint32_t index)
{
	return index == FGRAPH_NONE ? 0 : (int64_t)index + 1;
}

static bool
end_job(struct loading *loading, uint32_t index, struct error *err)
{
	struct task_note note = { .id = id_of_job(index), .actor = loading->graph.jobs[index].task };
	if (loading->job == index)
		loading->job = loading->graph.jobs[index].parent;
	return builder_task_end(loading->builder, &note, err);
}

static bool
add_instant(struct loading *loading, actor_ref actor, int64_t cpu, struct instant instant,
	struct error *err)
{
	instant.type = INSTANT_LOG;
	instant.actor = actor;
	instant.thread = REF_NONE;
	return builder_processor(loading->builder, cpu, &instant.processor, err) &&
	       builder_instant(loading->builder, &instant, err);
}

static bool
take_mark(struct loading *loading, uint32_t index, struct error *err)
{
	const struct fgraph *graph = &loading->graph;
	struct fgraph_job *job = NULL;
	struct instant instant = { .category = loading->mark };
	size_t length;
	const char *bytes = intern_text(&graph->texts, graph->marks[index].text, &length);
	if (!add_text(loading, bytes, length, &instant.text, err))
		return false;
	if (loading->job_count < graph->job_count &&
		graph->jobs[loading->job_count].mark == index) {
		loading->job = loading->job_count++;
		job = &graph->jobs[loading->job];
		struct task_note note = { .id = id_of_job(loading->job),
			.name = instant.text,
			.actor = REF_NONE };
		/* A mark says no CPU: where there is one alone, it is about who runs behind it. */
		if (graph->cpu_count == 1 && loading->running != FGRAPH_NONE)
			note.actor = loading->running;
		job->task = note.actor;
		if (!builder_task_begin(loading->builder, &note, id_of_job(job->parent), err))
			return false;
	}
	return builder_task(loading->builder, id_of_job(loading->job), &instant.task, err) &&
	       add_instant(loading, REF_NONE, -1, instant, err) &&
	       (job == NULL || job->end_ns > job->start_ns || end_job(loading, loading->job, err));
}

static bool
take_loss(struct loading *loading, uint32_t index, struct error *err)
{
	const struct fgraph_loss *loss = &loading->graph.losses[index];
	struct instant instant = { .category = loading->lost, .task = REF_NONE };
	text_clear(&loading->line);
	if (loss->events > 0)
		text_format(&loading->line, "%" PRId64 " ", loss->events);
	text_add_string(&loading->line, loss->events == 1 ? "event" : "events");
	return add_line(loading, &instant.text, err) &&
	       add_instant(loading, REF_NONE, loss->cpu, instant, err);
}

/* "sched_wakeup: comm=nc pid=12" has its category in front; what a person wrote has none. */
static bool
take_event(struct loading *loading, uint32_t index, struct error *err)
{
	const struct fgraph_event *event = &loading->graph.events[index];
	struct instant instant = { .task = REF_NONE };
	size_t length, name = 0, rest;
	const char *bytes = intern_text(&loading->graph.texts, event->text, &length);
	while (name < length && bytes[name] != ':' && bytes[name] != ' ')
		name++;
	for (rest = name + 1; rest < length && bytes[rest] == ' '; rest++)
		;
	if (name == length || bytes[name] != ':')
		name = rest = 0;
	if (rest > length)
		rest = length;
	return add_text(loading, bytes, name, &instant.category, err) &&
	       add_text(loading, bytes + rest, length - rest, &instant.text, err) &&
	       add_instant(loading, event->task, event->cpu, instant, err);
}

static bool
take_step(struct loading *loading, const struct step *step, struct error *err)
{
	if (!builder_event(loading->builder, step->time_ns, err))
		return false;
	switch ((enum step_kind)step->kind) {
	case STEP_RUN_ENDS: {
		uint32_t task = loading->graph.runs[step->index].task;
		/* It may run elsewhere by now. */
		return loading->run_of[task] != step->index || stop_running(loading, task, err);
	}
	case STEP_JOB_ENDS:
		return end_job(loading, step->index, err);
	case STEP_RUN:
		return take_run(loading, step->index, err);
	case STEP_MARK:
		return take_mark(loading, step->index, err);
	case STEP_LOSS:
		return take_loss(loading, step->index, err);
	case STEP_EVENT:
		return take_event(loading, step->index, err);
	}
	return true;
}

static bool
add_facts(struct trace *trace, const struct fgraph *graph, struct error *err)
{
	const struct fgraph_counts *counts = &graph->counts;
	if (graph->clock != FGRAPH_LAID_OUT &&
		(!trace_add_fact(trace, "first_ns", (uint64_t)graph->origin_ns, err) ||
			!trace_add_fact(trace, "last_ns", (uint64_t)graph->last_stamp_ns, err)))
		return false;
	const struct trace_fact facts[] = {
		{ "records", counts->records },
		{ "spans", counts->spans },
		{ "leaves", counts->leaves },
		{ "nested", counts->nested },
		{ "orphan_exits", counts->orphan_exits },
		{ "cut_entries", counts->cut_entries },
		{ "open_at_end", counts->open_at_end },
		{ "switches", counts->switches },
		{ "irq_enter", counts->irq_enter },
		{ "irq_exit", counts->irq_exit },
		{ "events", counts->events },
		{ "marks", counts->marks },
		{ "lost_records", counts->lost_records },
		{ "lost_events", counts->lost_events },
		{ "max_depth", counts->max_depth },
		{ "damaged", counts->damaged },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++) {
		if (!trace_add_fact(trace, facts[i].key, facts[i].value, err))
			return false;
	}
	return true;
}

/* ---- damage */

/* The first one names some of the others. */
static void
tell_line(struct loading *loading, size_t index, struct error *what)
{
	const struct fgraph *graph = &loading->graph;
	const struct fgraph_damage *damage = &graph->damage[index];
	enum { NAMED = 4, TEXT_BYTES = 60 };
	uint64_t count = graph->counts.damaged, named = count < NAMED ? count : NAMED;
	char excerpt[TEXT_BYTES + 4];
	size_t length;
	const char *bytes = intern_text(&graph->texts, damage->text, &length);
	text_excerpt(excerpt, sizeof excerpt, bytes, length);
	text_clear(&loading->line);
	text_format(&loading->line, "line %" PRIu64, damage->line);
	if (index == 0 && count > 1 && !graph->counts.is_one_line) {
		for (uint64_t i = 1; i < named; i++)
			text_format(&loading->line, "%s%" PRIu64, i == 1 ? " (then " : ", ",
				graph->damage[i].line);
		if (count > named)
			text_format(&loading->line, " and %" PRIu64 " more", count - named);
		text_add_string(&loading->line, ")");
	}
	text_format(&loading->line, " fits nothing: \"%s\"", excerpt);
	error_set(what, ERROR_FORMAT, "%s", text_string(&loading->line));
}

static void
add_damage(struct loading *loading, struct trace *trace)
{
	const struct fgraph *graph = &loading->graph;
	uint64_t count = graph->counts.damaged;
	for (size_t i = 0; i < FGRAPH_DAMAGE_SHOWN && i < count; i++) {
		const struct fgraph_damage *from = &graph->damage[i];
		bool is_end = graph->counts.is_cut && i + 1 == count;
		struct damage damage = { .from_bytes = from->from_bytes,
			.to_bytes = from->to_bytes,
			.lost_bytes = from->lost_bytes,
			.from_ns = from->time_ns,
			.blank_ns = from->time_ns,
			.to_ns = is_end ? TIME_OPEN : from->time_ns,
			.cause = is_end ? DAMAGE_CUT : DAMAGE_CHANGED };
		tell_line(loading, i, &damage.first);
		damage_map_add(&trace->damage, &damage);
		trace->damage.rows[i].places = from->lines;
	}
	damage_map_rebase(&trace->damage, 0, trace->end_ns);
}

/* ---- the whole */

static bool
tell_times(struct loading *loading, struct error *err)
{
	struct fgraph *graph = &loading->graph;
	struct trace *trace = loading->trace;
	if (!add_facts(trace, graph, err))
		return false;
	add_damage(loading, trace);
	trace->origin_ns = graph->origin_ns;
	trace->clock = graph->clock == FGRAPH_LAID_OUT ? TRACE_CLOCK_LAID_OUT
		       : graph->clock == FGRAPH_TICKS  ? TRACE_CLOCK_TICKS
						       : TRACE_CLOCK_STAMPS;
	trace->has_clocks_apart = graph->clock == FGRAPH_LAID_OUT && graph->cpu_count > 1;
	trace->event_count = graph->counts.records - graph->counts.notes - graph->counts.blank -
			     graph->counts.damaged;
	return true;
}

static bool
name_categories(struct loading *loading, struct error *err)
{
	return add_text(loading, "mark", 4, &loading->mark, err) &&
	       add_text(loading, "lost", 4, &loading->lost, err);
}

static bool
build(struct loading *loading, const struct progress *progress, struct error *err)
{
	struct fgraph *graph = &loading->graph;
	builder_watch(loading->builder, progress);
	builder_begin_at(loading->builder, 0, 0);
	if (!add_actors(loading, err) || !sort_steps(loading, progress_cancel_flag(progress), err))
		return false;
	for (size_t i = 0; i < loading->step_count; i++) {
		if (!take_step(loading, &loading->steps[i], err))
			return false;
	}
	builder_extend(loading->builder, graph->end_ns);
	loading->trace->slices = graph->slices;
	graph->slices = NULL;
	return builder_finish(loading->builder, err);
}

/* What mixed_add() left to us. */
static bool
take_own(void *context, struct builder *builder, uint32_t number, actor_ref actor, struct error *err)
{
	struct loading *loading = context;
	uint32_t index = number - (uint32_t)loading->graph.job_count;
	loading->builder = builder;
	if (number < loading->graph.job_count)
		return end_job(loading, number, err);
	if (index == loading->records.count) {
		builder_extend(builder, loading->graph.end_ns);
		return lanes_end(loading->lanes, loading->trace, err);
	}
	if (loading->records.items[index].kind == GRAPH_MARK)
		return take_mark(loading, loading->mark_count++, err);
	loading->running = actor;
	return lanes_take(loading->lanes, loading->trace, builder, index, actor, err);
}

static bool
build_mixed(struct loading *loading, const struct progress *progress, struct error *err)
{
	const struct kernel_own own = { take_own, loading };
	struct kernel *kernel = kernel_new(loading->trace, err);
	loading->trace->words = &mixed_words;
	bool is_fine = kernel != NULL &&
		       mixed_add(&loading->graph, &loading->records, loading->trace, kernel, err) &&
		       kernel_finish(kernel, &own, progress, err);
	kernel_free(kernel);
	return is_fine;
}

/* All lines were read. Strings of the graph become those of the trace. */
static bool
make(struct loading *loading, const struct progress *progress, struct error *err)
{
	struct fgraph *graph = &loading->graph;
	struct trace *trace = loading->trace;
	bool is_mixed;
	if (!mixed_is(graph, &loading->records, trace, &is_mixed, err))
		return false;
	if (is_mixed)
		loading->lanes = lanes_new(graph, &loading->records, err);
	if (is_mixed ? loading->lanes == NULL : !records_build(&loading->records, graph, err))
		return false;
	intern_release(&trace->strings);
	trace->strings = graph->strings;
	graph->strings = (struct intern){ 0 };
	if (!name_categories(loading, err))
		return false;
	if (is_mixed)
		return build_mixed(loading, progress, err) && tell_times(loading, err);
	struct builder *builder = builder_new(trace, err);
	loading->builder = builder;
	bool is_fine = builder != NULL && build(loading, progress, err) && tell_times(loading, err);
	builder_free(builder);
	return is_fine;
}

static bool
begin(struct loading *loading, struct error *err)
{
	*loading = (struct loading){ .trace = trace_new(err), .running = FGRAPH_NONE, .job = FGRAPH_NONE };
	if (loading->trace != NULL)
		loading->trace->words = &function_graph_words;
	return loading->trace != NULL;
}

/* What is left is the trace, if all is fine. */
static struct trace *
end(struct loading *loading, bool is_fine)
{
	lanes_free(loading->lanes);
	records_release(&loading->records);
	fgraph_release(&loading->graph);
	array_release(&loading->steps);
	array_release(&loading->run_of);
	text_release(&loading->line);
	if (is_fine)
		return loading->trace;
	trace_free(loading->trace);
	return NULL;
}

static struct trace *
copy_so_far(const void *context, struct error *err)
{
	const struct loading *loading = context;
	struct loading copy;
	return begin(&copy, err) ? end(&copy, records_copy(&copy.records, &copy.graph, &loading->records,
							     &loading->graph, err) &&
							     make(&copy, NULL, err))
				 : NULL;
}

struct trace *
function_graph_load(struct input *in, struct progress *progress, const struct trace_watch *watch,
	struct error *err)
{
	struct loading loading;
	const struct records_show show = { watch, copy_so_far, &loading };
	if (!begin(&loading, err))
		return NULL;
	bool is_fine = records_read(&loading.records, &loading.graph, in, &show, err);
	loading.trace->read_bytes = in->offset_bytes;
	return end(&loading, is_fine && make(&loading, progress, err));
}
