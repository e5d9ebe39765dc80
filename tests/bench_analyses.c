/*
 * Analyses: each report of a loaded trace as text in memory, of the whole trace and of a tenth of it
 * in the middle, whose costs ought to be in proportion.
 */
#include <string.h>

#include "analysis/go/mutator.h"
#include "base/compiler.h"
#include "bench.h"
#include "report/findings.h"
#include "report/profile.h"
#include "resulttesting.h"

enum { ANALYSIS_BAR_MS = 500, BAR_BYTES = 100000000 };

/* What a report is of beside the trace. */
struct asking {
	const struct trace *trace;
	struct report_options options;
	const char *word; /* the kind of durations */
	enum profile_kind profile;
};

typedef bool ask_function(const struct asking *asking, struct text *out, struct error *err);

static struct profile_request
request_of(const struct asking *asking)
{
	struct profile_request request = { .kind = asking->profile,
		.scope = profile_whole(asking->trace) };
	if (asking->options.has_interval) {
		request.scope.t0_ns = asking->options.t0_ns;
		request.scope.t1_ns = asking->options.t1_ns;
	}
	return request;
}

static bool
ask_top(const struct asking *asking, struct text *out, struct error *err)
{
	struct profile_request request = request_of(asking);
	return report_top(asking->trace, &request, &asking->options, out, err);
}

static bool
ask_tree(const struct asking *asking, struct text *out, struct error *err)
{
	struct profile_request request = request_of(asking);
	return report_tree(asking->trace, &request, &asking->options, out, err);
}

static bool
ask_goroutines(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("goroutines", asking->trace, &asking->options, out, err);
}

static bool
ask_regions(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("regions", asking->trace, &asking->options, out, err);
}

static bool
ask_latency(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result_with(
		"latency", asking->word, asking->trace, &asking->options, out, err);
}

static bool
ask_heat(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result_with("heat", asking->word, asking->trace, &asking->options, out, err);
}

static bool
ask_gc(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("gc", asking->trace, &asking->options, out, err);
}

static bool
ask_stw(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("stw", asking->trace, &asking->options, out, err);
}

static bool
ask_utilisation(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("utilisation", asking->trace, &asking->options, out, err);
}

static bool
ask_mmu(const struct asking *asking, struct text *out, struct error *err)
{
	return testing_result("mmu", asking->trace, &asking->options, out, err);
}

static bool
ask_findings(const struct asking *asking, struct text *out, struct error *err)
{
	return report_findings(asking->trace, &asking->options, out, err);
}

#define ANALYSIS(name, meaning, ask, ...)                                                          \
	{                                                                                          \
		{ "analysis_" name "_ms", meaning }, { "analysis_" name "_tenth_ms", "  of a tenth" },  \
			ask, __VA_ARGS__                                                           \
	}

static const struct analysis {
	struct {
		const char *name, *meaning;
	} whole, tenth;
	ask_function *ask;
	const char *word;
	enum profile_kind profile;
} analyses[] = {
	ANALYSIS("top_net", "top of net", ask_top, NULL, PROFILE_NET),
	ANALYSIS("top_sync", "top of sync", ask_top, NULL, PROFILE_SYNC),
	ANALYSIS("top_syscall", "top of syscall", ask_top, NULL, PROFILE_SYSCALL),
	ANALYSIS("top_sched", "top of sched", ask_top, NULL, PROFILE_SCHED),
	ANALYSIS("top_cpu", "top of cpu", ask_top, NULL, PROFILE_CPU),
	ANALYSIS("top_offcpu", "top of offcpu", ask_top, NULL, PROFILE_OFFCPU),
	ANALYSIS("tree_offcpu", "tree of offcpu", ask_tree, NULL, PROFILE_OFFCPU),
	ANALYSIS("goroutines", "goroutines by function", ask_goroutines, NULL, 0),
	ANALYSIS("regions", "regions by name", ask_regions, NULL, 0),
	ANALYSIS("latency_sched", "latency of sched", ask_latency, "sched", 0),
	ANALYSIS("latency_stw", "latency of stw", ask_latency, "stw", 0),
	ANALYSIS("latency_gc", "latency of gc", ask_latency, "gc", 0),
	ANALYSIS("latency_assist", "latency of assist", ask_latency, "assist", 0),
	ANALYSIS("latency_sweep", "latency of sweep", ask_latency, "sweep", 0),
	ANALYSIS("latency_syscall", "latency of syscall", ask_latency, "syscall", 0),
	ANALYSIS("latency_block", "latency of block", ask_latency, "block", 0),
	ANALYSIS("latency_query", "latency of a query", ask_latency, "dur>1ms name~main", 0),
	ANALYSIS("heat_sched", "map of sched", ask_heat, "sched", 0),
	ANALYSIS("gc", "collections", ask_gc, NULL, 0),
	ANALYSIS("stw", "stops of the world", ask_stw, NULL, 0),
	ANALYSIS("mmu", "mutator utilisation", ask_mmu, NULL, 0),
	ANALYSIS("utilisation", "utilisation", ask_utilisation, NULL, 0),
	ANALYSIS("findings", "findings", ask_findings, NULL, 0),
};

static bool
time_analysis(const struct asking *asking, ask_function *ask, int runs, struct cost *cost,
	struct error *err)
{
	bool is_fine = true;
	for (int i = 0; i < runs && is_fine; i++) {
		struct text out = { 0 };
		struct moment start = moment_now();
		is_fine = ask(asking, &out, err) && cost_add_since(cost, start, err);
		text_release(&out);
	}
	return is_fine;
}

/* Larger traces may take longer. */
static double
bar_factor(const struct trace *trace)
{
	return trace->read_bytes > BAR_BYTES ? (double)trace->read_bytes / BAR_BYTES : 1;
}

static bool
measure(const struct trace *trace, const struct analysis *analysis, int runs, bool is_tenth,
	struct bench_report *report, struct error *err)
{
	struct asking asking = {
		.trace = trace,
		.options = { .width_cells = 100,
			.has_interval = is_tenth,
			.t0_ns = trace->end_ns / 20 * 9,
			.t1_ns = trace->end_ns / 20 * 11 + 1 },
		.word = analysis->word,
		.profile = analysis->profile,
	};
	struct cost cost = { 0 };
	bool is_fine = time_analysis(&asking, analysis->ask, runs, &cost, err);
	if (is_fine) {
		struct bench_number number = number_of_cost(
			is_tenth ? analysis->tenth.name : analysis->whole.name,
			is_tenth ? analysis->tenth.meaning : analysis->whole.meaning, "ms", &cost);
		number.bar = is_tenth ? BAR_NONE : BAR_PROCESSOR_AT_MOST;
		number.limit = ANALYSIS_BAR_MS * bar_factor(trace);
		is_fine = bench_add(report, &number, 1, err);
	}
	cost_release(&cost);
	return is_fine;
}

bool
bench_analyses(const struct trace *trace, int runs, struct bench_report *report, struct error *err)
{
	bool is_fine = true;
	for (size_t i = 0; i < ARRAY_LENGTH(analyses) && is_fine; i++)
		is_fine = measure(trace, &analyses[i], runs, false, report, err) &&
			  measure(trace, &analyses[i], runs, true, report, err);
	return is_fine;
}
