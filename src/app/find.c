/* From trace to trace, with one list of what was found. */
#include "app/find.h"

#include <string.h>

#include "app/outlet.h"
#include "base/units.h"
#include "query/query.h"
#include "query/search.h"
#include "report/spans.h"
#include "trace/words.h"

struct finding {
	const struct files *files;
	struct outlet outlet;
	struct report_options options;
	struct spans_list list;
	struct text out;
};

/* The matches of a trace; what there is to say about a pattern is said once. */
static bool
list_matches(void *context, const struct print *print, bool *is_enough, struct error *err)
{
	struct finding *finding = context;
	struct error note;
	error_clear(&note);
	struct query *query = query_new(finding->files->options->find, &words_plain, &note);
	struct search *search = query != NULL ? search_query(print->trace, query, &note) : NULL;
	query_free(query);
	if (search == NULL) {
		*err = note;
		return false;
	}
	if (note.kind != ERROR_NONE && finding->list.found == 0)
		finding->files->tell(finding->files->context, note.message);
	finding->options.has_interval = print->start.has_interval;
	finding->options.t0_ns = print->start.viewport.t0_ns;
	finding->options.t1_ns = print->start.viewport.t1_ns;
	bool is_fine = spans_list_add(
		&finding->list, print->trace, print->file_name, search, &finding->out, err);
	search_free(search);
	*is_enough = spans_list_is_full(&finding->list);
	return is_fine;
}

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
		finding->files->tell(finding->files->context, message.bytes);
	text_release(&message);
}

static bool
find_in_all(struct finding *finding, enum outcome *outcome, struct error *err)
{
	if (!files_visit(finding->files, list_matches, finding, outcome, err))
		return false;
	tell_held(finding);
	return spans_list_finish(&finding->list, &finding->out, err) &&
	       outlet_flush(&finding->outlet, &finding->out, err);
}

static void
set_up(struct finding *finding)
{
	const struct options *options = finding->files->options;
	finding->options = (struct report_options){
		.ascii = environment_is_ascii(finding->files->environment, options),
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
find_run(const struct files *files, struct error *err)
{
	struct finding finding = { .files = files };
	enum outcome outcome = OUTCOME_FINE;
	set_up(&finding);
	if (!outlet_open(&finding.outlet, environment_pager(files->environment, files->options), err))
		return OUTCOME_UNUSABLE;
	bool is_fine = find_in_all(&finding, &outcome, err) || finding.outlet.is_closed;
	if (finding.outlet.is_closed)
		error_clear(err);
	if (!outlet_close(&finding.outlet))
		is_fine = error_set(
			err, ERROR_IO, "the pager could not be run; --no-pager does without");
	if (is_fine && finding.list.found == 0)
		outcome = outcome_combine(outcome, OUTCOME_NO);
	spans_list_release(&finding.list);
	text_release(&finding.out);
	return is_fine ? outcome : OUTCOME_UNUSABLE;
}
