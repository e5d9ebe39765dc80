/* The text of perf script as a source. */
#include "base/compiler.h"
#include "base/memory.h"
#include "source/common/line_reader.h"
#include "source/perf_script/script.h"
#include "source/source.h"
#include "trace/sample_set.h"
#include "trace/words.h"

enum { RECORD_POINTS = 3 };

static const struct words perf_script_words = {
	.source = "perf_script",
	.actor = { "thread", "threads", '\0' },
	.processor = { "CPU", "CPUs", '\0' },
	.group = { "group", "groups", '\0' },
	.sample = { "sample", "samples", '\0' },
	.name = { "name", "names", '\0' },
	.function = { "function", "functions", '\0' },
	.classes = {
		[CLASS_GONE] = { "gone", NULL },
		[CLASS_UNKNOWN] = { "unknown", "unknown: samples tell of moments alone" },
	},
};

/* Such as nothing else prints: a task, its number, a time and an event. */
static bool
is_sample(const struct script_head *head)
{
	return head->has_time && head->has_tid && !scan_is_end(&head->comm) && !scan_is_end(&head->event);
}

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan line;
	unsigned points = 0;
	bool is_below = false;
	while (head_lines_next(&lines, &line)) {
		struct script_head head;
		struct scan text = line;
		scan_trim(&text);
		if (is_below && script_is_frame(text)) {
			points += RECORD_POINTS;
			continue;
		}
		is_below = *line.at != '#' && script_head_read(line, &head);
		points += is_below && is_sample(&head) ? RECORD_POINTS : 0;
	}
	return points >= RECORD_POINTS * SOURCE_LINES_SURE ? SOURCE_SURE : points;
}

static bool
add_facts(struct trace *trace, const struct script *script, struct error *err)
{
	const struct script_counts *counts = &script->counts;
	const struct trace_fact facts[] = {
		{ "lines", counts->lines },
		{ "samples", counts->samples },
		{ "with_stack", counts->with_stack },
		{ "frames", counts->frames },
		{ "inlined", counts->inlined },
		{ "records", counts->records },
		{ "no_time", counts->no_time },
		{ "switches", counts->switches },
		{ "first_ns", (uint64_t)counts->first_ns },
		{ "last_ns", (uint64_t)counts->last_ns },
		{ "lost_events", counts->lost_events },
		{ "backwards", counts->backwards },
		{ "damaged", script->damage.count },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++)
		if (!trace_add_fact(trace, facts[i].key, facts[i].value, err))
			return false;
	return true;
}

/* A trace without anything in it. */
static struct trace *
begin(struct error *err)
{
	struct trace *trace = trace_new(err);
	if (trace == NULL)
		return NULL;
	trace->words = &perf_script_words;
	trace->samples = sample_set_new(err);
	if (trace->samples != NULL)
		return trace;
	trace_free(trace);
	return NULL;
}

static bool
copy_types(struct sample_set *set, const struct sample_set *from, struct error *err)
{
	for (unsigned i = 0; i < from->type_count; i++)
		if (!sample_set_add_type(set, from->types[i].name, from->types[i].unit, err))
			return false;
	return true;
}

struct trace *
script_so_far(const struct script *script, size_t rows, struct error *err)
{
	struct script copy = { .trace = begin(err), .counts = script->counts, .damage = script->damage };
	struct trace *trace = copy.trace;
	if (trace == NULL)
		return NULL;
	copy.rows = array_copy(script->rows, rows, sizeof *copy.rows, err);
	copy.comms = array_copy(script->comms, rows, sizeof *copy.comms, err);
	copy.threads = array_copy(script->threads, script->thread_count, sizeof *copy.threads, err);
	copy.events = array_copy(script->events, script->event_count, sizeof *copy.events, err);
	copy.row_count = rows;
	copy.thread_count = script->thread_count;
	copy.event_count = script->event_count;
	bool is_fine = copy.rows != NULL && copy.comms != NULL && copy.threads != NULL && copy.events != NULL &&
		       live_copy_names(trace, script->trace, err) &&
		       copy_types(trace->samples, script->trace->samples, err) &&
		       script_build(&copy, NULL, err);
	script_release(&copy);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct script script = { .trace = begin(err), .live.watch = wish->watch };
	struct trace *trace = script.trace;
	if (trace == NULL)
		return NULL;
	bool is_fine = script_read(&script, in, err);
	trace->read_bytes = in->offset_bytes;
	is_fine = is_fine && script_build(&script, wish->progress, err) && add_facts(trace, &script, err);
	script_release(&script);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

const struct source perf_script_source = {
	.name = "perf_script",
	.input = "the text of perf script",
	.recognised_by = "lines \"comm 123 [000] 442.619198: cycles:\" and frames below them, like "
			 "\"ffffffff8103d0ca native_write ([kernel.kallsyms])\"",
	.answers = "which functions took most, of each event, thread and time, and what was sampled when; of "
		   "the scheduler's events the same as ftrace",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
