/* The text of `perf report --stdio` as a source. */
#include "base/compiler.h"
#include "source/common/line_reader.h"
#include "source/common/profile_trace.h"
#include "source/perf_report/build.h"
#include "source/source.h"

enum { LINES_MOST = 400 };

static const struct words words = TIMELESS_WORDS("perf_report");

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan line;
	unsigned points = 0;
	while (head_lines_next(&lines, &line))
		points += report_points(line);
	return points;
}

static bool
add_facts(struct trace *trace, const struct report *report, struct error *err)
{
	const struct report_counts *counts = &report->counts;
	const struct trace_fact facts[] = {
		{ "lines", counts->lines },
		{ "sections", counts->sections },
		{ "entries", counts->entries },
		{ "nodes", counts->nodes },
		{ "frames", counts->frames },
		{ "max_depth", counts->max_depth },
		{ "damaged", report->damage.count },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++)
		if (!trace_add_fact(trace, facts[i].key, facts[i].value, err))
			return false;
	return true;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct trace *trace = profile_trace_new(&words, err);
	struct report report = { 0 };
	(void)wish;
	if (trace == NULL)
		return NULL;
	report.strings = &trace->strings;
	bool is_fine = report_read(&report, in, err);
	trace->damage = report.damage.map;
	trace->event_count = report.entry_count;
	is_fine = is_fine && report_build(&report, trace, err) && add_facts(trace, &report, err) &&
		  profile_trace_finish(trace, in, err);
	report_release(&report);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

const struct source perf_report_source = {
	.name = "perf_report",
	.input = "the text of perf report",
	.recognised_by = "\"# Samples: ... of event\", \"# Event count (approx.):\" and \"# Overhead\" above "
			 "lines like \"    12.34%  name\"",
	.answers = "which functions took most, and from where they were called, of each event and run",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
