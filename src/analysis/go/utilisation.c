/* What there was of processors, and who waited for one, part by part of the time. */
#include "analysis/class_times.h"
#include "analysis/registry.h"
#include "base/memory.h"
#include "trace/lane.h"

enum { COLUMNS = 8 };

static const struct result_column columns[COLUMNS] = {
	DIMENSION("start_ns", "from", FIGURE_MOMENT),
	MEASURE("duration_ns", "for", FIGURE_DURATION),
	MEASURE("{processors}", "{processors}", FIGURE_COUNT),
	MEASURE("running", "busy", FIGURE_MEAN),
	MEASURE(NULL, "", FIGURE_BAR),
	MEASURE("gc_workers", "collector", FIGURE_MEAN),
	MEASURE("ready", "ready", FIGURE_MEAN),
	MEASURE("syscalls", "syscalls", FIGURE_MEAN),
};
/* What they are of; CLASS_GONE: any trace has it. */
static const enum time_class classes[COLUMNS] = {
	[5] = CLASS_WORKER, [6] = CLASS_READY, [7] = CLASS_SYSCALL
};

/* How many there were on the average; processors are those that GOMAXPROCS allows at the end. */
static bool
add_row(struct result_sink *sink, const struct trace *trace, int64_t start_ns, int64_t end_ns,
	const int64_t *totals_ns, struct error *err)
{
	double length_ns = end_ns > start_ns ? (double)(end_ns - start_ns) : 1;
	double workers = (double)totals_ns[CLASS_WORKER] / length_ns;
	double running = (double)totals_ns[CLASS_RUNNING] / length_ns + workers;
	uint64_t processors;
	bool has_processors =
		counter_at(trace, COUNTER_GOMAXPROCS, end_ns, &processors) && processors > 0;
	const int64_t cells[COLUMNS] = {
		start_ns,
		end_ns - start_ns,
		has_processors ? (int64_t)processors : FIGURE_NONE,
		figure_of_share(running),
		figure_of_share(has_processors ? running / (double)processors : 0),
		figure_of_share(workers),
		figure_of_share((double)totals_ns[CLASS_READY] / length_ns),
		figure_of_share((double)totals_ns[CLASS_SYSCALL] / length_ns),
	};
	return sink->row(sink, cells, NULL, err);
}

/* How long actors were in each class, part by part; with a query, in states that match. */
static bool
add_up(struct analysis_work *work, int parts, int64_t (*totals_ns)[CLASS_COUNT], struct error *err)
{
	const struct lane all = { LANE_ALL, 0 };
	const struct class_times_scope scope = {
		.mask = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER) |
			CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL),
		.t0_ns = work->scope.t0_ns,
		.t1_ns = work->scope.t1_ns,
		.only = work->only,
		.watch = &work->watch,
	};
	if (work->only != NULL)
		return class_times_fill(work->trace, &scope, parts, totals_ns, err);
	lane_cells(work->trace, all, scope.t0_ns, scope.t1_ns, parts, totals_ns);
	return true;
}

/* In as many equal parts as the limit says. O(parts log n), with a query O(states) more. */
static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	enum { PARTS = 50, PARTS_MOST = 100000 };
	struct result_column told[COLUMNS];
	const struct result_table table = {
		.name = "utilisation",
		.title = "How many on the average",
		.columns = told,
		.column_count = COLUMNS,
		.none = "none",
	};
	int64_t t0_ns = work->scope.t0_ns, t1_ns = work->scope.t1_ns;
	uint64_t limit = work->limit;
	int parts = limit == 0 ? PARTS : limit > PARTS_MOST ? PARTS_MOST : (int)limit;
	for (int i = 0; i < COLUMNS; i++) {
		told[i] = columns[i];
		if (classes[i] != CLASS_GONE && work->trace->words->classes[classes[i]].name == NULL)
			told[i].key = told[i].title = NULL;
	}
	int64_t(*totals_ns)[CLASS_COUNT] = array_new((size_t)parts, sizeof *totals_ns, err);
	bool is_fine = totals_ns != NULL && add_up(work, parts, totals_ns, err) &&
		       sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < parts; i++)
		is_fine = add_row(sink, work->trace, lane_edge(t0_ns, t1_ns, parts, i),
			lane_edge(t0_ns, t1_ns, parts, i + 1), totals_ns[i], err);
	memory_free(totals_ns);
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind utilisation_kind = {
	.name = "utilisation",
	.needs = NEEDS_READY,
	.help = "{processors} busy, {actors} ready, over time",
	.heading = "Utilisation of the {processors}",
	.limits = ANALYSIS_BY_QUERY,
	.fill = fill,
};
