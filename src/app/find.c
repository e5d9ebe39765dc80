/* From trace to trace, with one list of what was found. */
#include "app/find.h"

#include <string.h>

#include "app/outlet.h"
#include "app/start.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/parts_words.h"
#include "gotrace/load.h"
#include "input/input.h"
#include "query/query.h"
#include "query/search.h"
#include "report/spans.h"

struct finding {
	const struct find *find;
	struct outlet outlet;
	struct report_options options;
	struct spans_list list;
	struct text out;
	struct text name; /* of the trace, safe */
	enum outcome outcome;
};

/* ---- one trace */

/* The trace cannot be used; others may. */
static void
give_up(struct finding *finding, enum outcome outcome, const struct error *err)
{
	char line[sizeof err->message + 100];
	error_format(err, line, sizeof line);
	finding->find->tell(finding->find->context, line);
	finding->outcome = outcome_combine(finding->outcome, outcome);
}

static void
tell_damage(struct finding *finding, const struct damage_map *damage)
{
	struct text message = { 0 };
	if (damage->count == 0)
		return;
	text_format(&message, "%s is damaged: ", finding->name.bytes);
	damage_describe(&message, damage, finding->options.ascii);
	if (!message.failed)
		finding->find->tell(finding->find->context, message.bytes);
	text_release(&message);
	finding->outcome = outcome_combine(finding->outcome, OUTCOME_DAMAGED);
}

/* Of what is not loaded nothing can be found; that is no failure. */
static void
tell_parts(struct finding *finding, const struct parts *parts)
{
	struct text message = { 0 };
	uint64_t bytes;
	if (parts_missing(parts, &bytes) == 0 && !parts->has_rest)
		return;
	text_format(&message, "of %s ", finding->name.bytes);
	parts_add_sum(&message, parts);
	if (!message.failed)
		finding->find->tell(finding->find->context, message.bytes);
	text_release(&message);
}

static struct go_wish
wish(void *context, const struct trace *outline)
{
	const struct finding *finding = context;
	return start_wish(finding->find->options, outline);
}

static struct trace *
load(struct finding *finding, const char *file, struct error *err)
{
	struct input input;
	const struct options *wanted = finding->find->options;
	struct go_read_options options = {
		.progress = finding->find->progress,
		.is_lenient = !wanted->strict,
	};
	struct go_bound bound = {
		.memory_bytes = wanted->memory_bytes,
		.wish = wish,
		.context = finding,
	};
	if (!input_open_file(&input, file, err))
		return NULL;
	struct trace *trace = go_load_bounded(
		&input, &options, bound.memory_bytes > 0 ? &bound : NULL, NULL, err);
	if (trace == NULL)
		error_prefix(err, "%s", finding->name.bytes);
	input_close(&input);
	return trace;
}

/* The matches of the trace; what there is to say about a pattern is said once. */
static bool
list_matches(struct finding *finding, const struct trace *trace, struct error *err)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(finding->find->options->find, &note);
	struct search *search = query != NULL ? search_query(trace, query, &note) : NULL;
	query_free(query);
	if (search == NULL) {
		*err = note;
		return false;
	}
	if (note.kind != ERROR_NONE && finding->list.found == 0)
		finding->find->tell(finding->find->context, note.message);
	bool is_fine =
		spans_list_add(&finding->list, trace, finding->name.bytes, search, &finding->out, err);
	search_free(search);
	return is_fine;
}

/* False when there is no use in going on. */
static bool
find_in_trace(struct finding *finding, const struct trace *trace, struct error *err)
{
	struct start start;
	struct error refused;
	error_clear(&refused);
	enum outcome outcome = start_find(&start, finding->find->options, trace, &refused);
	if (outcome != OUTCOME_FINE) {
		error_prefix(&refused, "%s", finding->name.bytes);
		give_up(finding, outcome, &refused);
		return true;
	}
	finding->options.has_interval = start.has_interval;
	finding->options.t0_ns = start.viewport.t0_ns;
	finding->options.t1_ns = start.viewport.t1_ns;
	bool is_fine = list_matches(finding, trace, err);
	tell_damage(finding, &trace->damage);
	tell_parts(finding, &trace->parts);
	return is_fine;
}

static bool
find_in_file(struct finding *finding, const char *file, struct error *err)
{
	struct error own;
	error_clear(&own);
	const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
	text_clear(&finding->name);
	text_add_safe(&finding->name, name, strlen(name), finding->options.ascii);
	if (finding->name.failed)
		return error_set_memory(err, "the name of the trace");
	struct trace *trace = load(finding, file, &own);
	if (trace == NULL) {
		give_up(finding, OUTCOME_UNUSABLE, &own);
		return true;
	}
	bool is_fine = find_in_trace(finding, trace, err);
	trace_free(trace);
	return is_fine;
}

/* ---- all of them */

/* Who sorts without a limit is told what that takes. */
static void
tell_held(struct finding *finding)
{
	struct text message = { 0 };
	char count[UNITS_TEXT], bytes[UNITS_TEXT];
	const struct spans_list *list = &finding->list;
	if (list->order == SPANS_BY_START || list->limit > 0 || list->held_count == 0)
		return;
	units_count(count, list->held_count);
	units_bytes(bytes, list->held_bytes + list->held_capacity * sizeof(*list->held));
	text_format(&message, "to sort them, %s spans are held in %s; --limit=COUNT holds so many",
		count, bytes);
	if (!message.failed)
		finding->find->tell(finding->find->context, message.bytes);
	text_release(&message);
}

static bool
find_in_all(struct finding *finding, struct error *err)
{
	const char *file;
	for (size_t i = 0; (file = options_file(finding->find->options, i)) != NULL; i++) {
		if (spans_list_is_full(&finding->list))
			break;
		if (!find_in_file(finding, file, err))
			return false;
	}
	tell_held(finding);
	return spans_list_finish(&finding->list, &finding->out, err) &&
	       outlet_flush(&finding->outlet, &finding->out, err);
}

static void
set_up(struct finding *finding)
{
	const struct options *options = finding->find->options;
	finding->options = (struct report_options){
		.ascii = environment_is_ascii(finding->find->environment, options),
		.format = options_rows_format(options),
		.is_wall = options->time == TIME_WALL,
		.flush = outlet_flush,
		.flush_context = &finding->outlet,
	};
	finding->list = (struct spans_list){
		.options = &finding->options,
		.order = options->sort != NULL && strcmp(options->sort, "dur") == 0
				 ? SPANS_BY_DURATION
				 : SPANS_BY_START,
		.limit = (uint64_t)options->limit,
		.names_files = options_file(options, 1) != NULL,
	};
}

enum outcome
find_run(const struct find *find, struct error *err)
{
	struct finding finding = { .find = find, .outcome = OUTCOME_FINE };
	set_up(&finding);
	if (!outlet_open(&finding.outlet, environment_pager(find->environment, find->options), err))
		return OUTCOME_UNUSABLE;
	bool is_fine = find_in_all(&finding, err) || finding.outlet.is_closed;
	if (finding.outlet.is_closed)
		error_clear(err);
	if (!outlet_close(&finding.outlet))
		is_fine = error_set(
			err, ERROR_IO, "the pager could not be run; --no-pager does without");
	if (is_fine && finding.list.found == 0)
		finding.outcome = outcome_combine(finding.outcome, OUTCOME_NO);
	spans_list_release(&finding.list);
	text_release(&finding.out);
	text_release(&finding.name);
	return is_fine ? finding.outcome : OUTCOME_UNUSABLE;
}
