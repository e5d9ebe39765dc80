/* Sorts tasks by type, and within one by whether they are complete and how long they took. */
#include "analysis/task_types.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/latency_kind.h"
#include "analysis/registry.h"
#include "analysis/task_index.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/task_times.h"

struct sorted_task {
	task_ref task;
	string_id name;
	bool is_complete;
	int64_t duration_ns;
	const char *text; /* of the name */
	size_t length;
};

bool
task_is_complete(const struct task *task)
{
	return !task->began_before && task->end_ns != TIME_OPEN;
}

static int
compare_tasks(const void *a, const void *b)
{
	const struct sorted_task *left = a, *right = b;
	if (left->name != right->name)
		return text_compare(left->text, left->length, right->text, right->length);
	if (left->is_complete != right->is_complete)
		return left->is_complete ? -1 : 1;
	if (left->duration_ns != right->duration_ns)
		return left->duration_ns > right->duration_ns ? -1 : 1;
	return (left->task > right->task) - (left->task < right->task);
}

static int
compare_types(const void *a, const void *b)
{
	const struct task_type *left = a, *right = b;
	if (left->spread.total_ns != right->spread.total_ns)
		return left->spread.total_ns > right->spread.total_ns ? -1 : 1;
	return (left->first > right->first) - (left->first < right->first);
}

/* Those that are asked for. */
static bool
choose(const struct trace *trace, const struct task_scope *scope, struct sorted_task *sorted,
	uint32_t *count, struct error *err)
{
	for (task_ref ref = 0; ref < trace->tasks.count; ref++) {
		const struct task *task = trace_task(trace, ref);
		int64_t start_ns = task_start_ns(trace, ref), end_ns = task_end_ns(trace, ref);
		if (!search_watch_check_item(scope->watch, ref, err))
			return false;
		if (start_ns >= scope->t1_ns || end_ns < scope->t0_ns)
			continue;
		if (!search_asks_for(scope->only, task_actor(task), start_ns, end_ns))
			continue;
		struct sorted_task *added = &sorted[(*count)++];
		*added = (struct sorted_task){ ref, task->name, task_is_complete(task),
			end_ns - start_ns, NULL, 0 };
		added->text = trace_text(trace, task->name, &added->length);
	}
	return true;
}

/* The durations in the list stay in their order; those that are sorted are a copy of them. */
static void
add_up(struct task_types *types, struct task_type *type, int64_t *scratch)
{
	for (uint32_t i = 0; i < type->complete; i++)
		scratch[i] = types->durations_ns[type->first + i];
	type->spread = spread_of(scratch, type->complete, 0);
}

static bool
group(struct task_types *types, const struct sorted_task *sorted, struct error *err)
{
	size_t capacity = 0;
	for (uint32_t i = 0; i < types->task_count; i++) {
		types->tasks[i] = sorted[i].task;
		types->durations_ns[i] = sorted[i].duration_ns;
		if (i == 0 || sorted[i].name != sorted[i - 1].name) {
			if (!array_reserve(&types->types, &capacity, (size_t)types->type_count + 1,
				    sizeof *types->types, err))
				return false;
			types->types[types->type_count++] =
				(struct task_type){ .name = sorted[i].name, .first = i };
		}
		struct task_type *type = &types->types[types->type_count - 1];
		type->count++;
		type->complete += sorted[i].is_complete;
	}
	return true;
}

static bool
arrange(struct task_types *types, const struct sorted_task *sorted, struct error *err)
{
	types->tasks = array_new_unset(types->task_count, sizeof *types->tasks, err);
	types->durations_ns = array_new_unset(types->task_count, sizeof *types->durations_ns, err);
	int64_t *scratch = array_new_unset(types->task_count, sizeof *scratch, err);
	bool is_fine = types->tasks != NULL && types->durations_ns != NULL && scratch != NULL &&
		       group(types, sorted, err);
	for (uint32_t i = 0; is_fine && i < types->type_count; i++)
		add_up(types, &types->types[i], scratch);
	if (is_fine && types->type_count > 0)
		qsort(types->types, types->type_count, sizeof *types->types, compare_types);
	memory_free(scratch);
	return is_fine;
}

bool
task_types_build(struct task_types *types, const struct trace *trace,
	const struct task_scope *scope, struct error *err)
{
	*types = (struct task_types){ 0 };
	struct sorted_task *sorted = array_new_unset(trace->tasks.count, sizeof *sorted, err);
	if (sorted == NULL)
		return false;
	bool is_fine = choose(trace, scope, sorted, &types->task_count, err);
	const struct sort sort = { sorted, types->task_count, sizeof *sorted, compare_tasks };
	is_fine = is_fine && sort_items(&sort, search_watch_cancel_flag(scope->watch), err) &&
		  search_watch_check(scope->watch, 0, err) && arrange(types, sorted, err);
	memory_free(sorted);
	if (!is_fine)
		task_types_release(types);
	return is_fine;
}

void
task_types_release(struct task_types *types)
{
	memory_free(types->tasks);
	memory_free(types->durations_ns);
	memory_free(types->types);
	*types = (struct task_types){ 0 };
}

/* ---- as a table */

static const struct result_column columns[] = {
	DIMENSION("type", "type", FIGURE_STRING, .on_screen = "{task}", .least_cells = 10),
	MEASURE("count", "count", FIGURE_COUNT),
	MEASURE("complete", "complete", FIGURE_COUNT, .rank = 1),
	MEASURE("total_ns", "total", FIGURE_DURATION),
	MEASURE("mean_ns", "mean", FIGURE_DURATION),
	MEASURE("p50_ns", "p50", FIGURE_DURATION, .rank = 2),
	MEASURE("p90_ns", "p90", FIGURE_DURATION, .rank = 3),
	MEASURE("p99_ns", "p99", FIGURE_DURATION, .rank = 4),
	MEASURE("max_ns", "max", FIGURE_DURATION, .on_screen = "longest"),
	MEASURE("max_task", "of", FIGURE_TASK, .is_printed_only = true, .rank = 5),
};

/* The tasks of a type, the longest first. */
static void
add_parameter(const char *name, size_t length, struct text *parameter)
{
	const struct latency_kind kind = { .type = LATENCY_TASK, .name = (char *)(uintptr_t)name };
	if (strlen(name) == length)
		latency_kind_add(parameter, &kind);
	else
		text_add(parameter, name, length); /* which will be refused */
}

static bool
add_type(struct result_sink *sink, const struct task_types *types, const struct task_type *type,
	struct error *err)
{
	const struct spread *spread = &type->spread;
	int64_t cells[ARRAY_LENGTH(columns)] = { type->name, type->count, type->complete,
		spread->total_ns, spread->mean_ns, spread->p50_ns, spread->p90_ns, spread->p99_ns,
		spread->max_ns, types->tasks[type->first] };
	for (size_t i = 3; type->complete == 0 && i < ARRAY_LENGTH(columns); i++)
		cells[i] = columns[i].type == FIGURE_TASK ? REF_NONE : FIGURE_NONE;
	return sink->row(sink, cells, NULL, err);
}

static const struct result_column bucket_columns[] = {
	DIMENSION("type", NULL, FIGURE_STRING, .on_screen = "{task}"),
	DIMENSION("from_ns", "from", FIGURE_DURATION),
	DIMENSION("below_ns", "below", FIGURE_DURATION),
	MEASURE("count", "count", FIGURE_COUNT),
	MEASURE(NULL, "", FIGURE_BAR),
};

static struct result_table
buckets_table(const char *title)
{
	return (struct result_table){
		.name = "histogram",
		.title = title,
		.columns = bucket_columns,
		.column_count = ARRAY_LENGTH(bucket_columns),
		.none = "none",
		.is_as_made = true,
	};
}

static bool
add_buckets(struct result_sink *sink, const struct task_types *types, const struct task_type *type,
	struct error *err)
{
	uint64_t counts[SPREAD_BUCKETS], most = 1;
	int until = spread_log2(&types->durations_ns[type->first], type->complete, counts);
	int first = 0;
	bool is_fine = true;
	while (first < until && counts[first] == 0)
		first++;
	for (int i = first; i < until; i++)
		most = counts[i] > most ? counts[i] : most;
	for (int i = first; is_fine && i < until; i++) {
		const int64_t cells[] = { type->name, i == 0 ? 0 : INT64_C(1) << i,
			i + 1 < SPREAD_BUCKETS ? INT64_C(1) << (i + 1) : INT64_MAX,
			(int64_t)counts[i], figure_of_share((double)counts[i] / (double)most) };
		is_fine = sink->row(sink, cells, NULL, err);
	}
	return is_fine;
}

/* Where it is read in parts, those of types that have complete ones. */
static bool
add_part(struct result_sink *sink, const struct trace *trace, const struct task_types *types,
	const struct task_type *type, struct error *err)
{
	struct text title = { 0 };
	char count[UNITS_TEXT];
	size_t length;
	const char *name = trace_text(trace, type->name, &length);
	if (type->complete == 0)
		return true;
	units_count(count, type->complete);
	text_format(&title, "How long %s complete one%s took: ", count, type->complete == 1 ? "" : "s");
	text_add_safe(&title, name, length, sink->ascii);
	const struct result_table table = buckets_table(text_string(&title));
	bool is_fine = sink->begin(sink, &table, err) && add_buckets(sink, types, type, err) &&
		       sink->end(sink, err);
	text_release(&title);
	return is_fine;
}

static bool
add_histograms(struct result_sink *sink, const struct trace *trace, const struct task_types *types,
	struct error *err)
{
	size_t count = sink->shown != NULL ? sink->shown_count : types->type_count;
	const struct result_table table = buckets_table("");
	bool is_fine = sink->wants_parts || sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct task_type *type =
			&types->types[sink->shown != NULL ? sink->shown[i] : (uint32_t)i];
		is_fine = sink->wants_parts ? add_part(sink, trace, types, type, err)
					    : add_buckets(sink, types, type, err);
	}
	return is_fine && (sink->wants_parts || sink->end(sink, err));
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "tasks",
		.title = "By type",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 3,
		.none = "none",
		.none_on_screen = work->trace->words->no_tasks,
		.opens = "longest",
		.parameter_of = add_parameter,
	};
	const struct task_scope scope = { work->scope.t0_ns, work->scope.t1_ns, work->only, &work->watch };
	struct task_types types;
	search_watch_expect(&work->watch, work->trace->tasks.count);
	if (!task_types_build(&types, work->trace, &scope, err))
		return false;
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = 0; is_fine && i < types.type_count; i++)
		is_fine = add_type(sink, &types, &types.types[i], err);
	is_fine = is_fine && sink->end(sink, err) && add_histograms(sink, work->trace, &types, err);
	task_types_release(&types);
	return is_fine;
}

const struct analysis_kind tasks_kind = {
	.name = "tasks",
	.help = "{tasks} by type: how many, how long",
	.heading = "{Tasks}",
	.title = "{Tasks} by type",
	.needs = NEEDS_TASKS,
	.limits = ANALYSIS_BY_QUERY,
	.fill = fill,
};
