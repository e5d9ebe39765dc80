/* Both traces are held until the report is printed. */
#include "app/pairing.h"

#include <string.h>

#include "analysis/beneath/beneath.h"
#include "app/align.h"
#include "app/outlet.h"
#include "app/several.h"
#include "trace/words.h"

enum { TRACES = 2 };

struct pairing {
	const struct files *files;
	struct trace *traces[TRACES]; /* in the order of the command line, without those that cannot be used */
	struct text names[TRACES];    /* safe */
	const char *paths[TRACES];    /* as struct print has them */
	int count;
	int above, below; /* which of them */
	struct beneath beneath;
};

static bool
take_trace(void *context, const struct print *print, bool *is_enough, struct error *err)
{
	struct pairing *pairing = context;
	struct text *name = &pairing->names[pairing->count];
	(void)is_enough;
	text_add_string(name, print->title);
	pairing->paths[pairing->count] = print->file;
	pairing->traces[pairing->count++] = trace_hold(print->trace);
	return !name->failed || error_set_memory(err, "the name of the trace");
}

/* What is asked of one of them says nothing of the other. */
static struct options
without_subject(const struct options *options)
{
	struct options alone = *options;
	alone.has_actor = alone.has_task = alone.has_from = alone.has_to = alone.has_interval = alone.has_at = false;
	alone.from_clock = alone.to_clock = alone.at_clock = alone.region = alone.query = NULL;
	return alone;
}

static bool
find_above(struct pairing *pairing, struct error *err)
{
	const struct trace *const *traces = (const struct trace *const *)pairing->traces;
	if (align_find(traces, TRACES, &pairing->above, &pairing->below))
		return true;
	return error_set(err, ERROR_USAGE,
		"what lies beneath takes a trace that tells of threads and one of the kernel, but "
		"%s is of %s and %s is of %s",
		text_string(&pairing->names[0]), traces[0]->words->source, text_string(&pairing->names[1]),
		traces[1]->words->source);
}

static bool
find_shift(struct pairing *pairing, struct error *err)
{
	const struct files *files = pairing->files;
	struct text line = { 0 };
	const struct align_files pair = {
		.above = options_file(files->options, (size_t)pairing->above),
		.below = options_file(files->options, (size_t)pairing->below),
		.align = files->options->align,
	};
	if (!align_clocks(&pairing->beneath, &pair, progress_cancel_flag(files->progress), err))
		return false;
	if (files->options->analysis != NULL && !options_profile(files->options) &&
		report_is_for_people(options_rows_format(files->options)))
		return true; /* it stands above the table */
	text_add_string(&line, "clocks: ");
	beneath_add_clocks(&line, &pairing->beneath);
	files->tell(files->context, text_string(&line));
	text_release(&line);
	return true;
}

/* What is to be printed of one of them, with what is beneath it or NULL. */
static bool
prepare(const struct pairing *pairing, int which, struct print *print, enum outcome *outcome, struct error *err)
{
	const struct files *files = pairing->files;
	const char *name = text_string(&pairing->names[which]);
	enum outcome own;
	print->trace = pairing->traces[which];
	print->file_name = print->title = name;
	print->file = pairing->paths[which];
	print->options = files->options;
	print->environment = files->environment;
	bool is_fine = print_prepare(print, &own, files->tell, files->context, err);
	*outcome = outcome_combine(*outcome, own);
	if (!is_fine)
		error_prefix(err, "%s", name);
	return is_fine;
}

static void
print_pair(struct pairing *pairing, enum outcome *outcome, struct error *err)
{
	struct print print = { .beneath = &pairing->beneath };
	if (!prepare(pairing, pairing->above, &print, outcome, err))
		return;
	if (!print_run(&print, err))
		*outcome = outcome_combine(*outcome, outcome_of_failure(err));
	print_release(&print);
}

/* Findings are of any traces: those that do not belong together stand one after the other. */
static void
print_apart(struct pairing *pairing, enum outcome *outcome, struct error *err)
{
	const struct files *files = pairing->files;
	struct several several = { .had_one = false };
	bool is_fine = true, is_enough = false;
	if (!outlet_open(&several.outlet, environment_pager(files->environment, files->options), err)) {
		*outcome = OUTCOME_UNUSABLE;
		return;
	}
	for (int i = 0; is_fine && !is_enough && i < pairing->count; i++) {
		struct print print = { .beneath = NULL };
		struct error refused;
		error_clear(&refused);
		if (!prepare(pairing, i, &print, outcome, &refused)) {
			files->tell(files->context, refused.message);
			continue;
		}
		is_fine = several_print(&several, &print, &is_enough, err);
		print_release(&print);
	}
	if (!outlet_close(&several.outlet))
		is_fine = error_set(err, ERROR_IO, "the pager could not be run; --no-pager does without");
	if (!is_fine)
		*outcome = outcome_combine(*outcome, outcome_of_failure(err));
}

static void
run(struct pairing *pairing, enum outcome *outcome, struct error *err)
{
	const struct files *files = pairing->files;
	bool is_pair = find_above(pairing, err);
	bool is_fine = is_pair &&
		       beneath_init(&pairing->beneath, pairing->traces[pairing->above],
			       pairing->traces[pairing->below], err) &&
		       find_shift(pairing, err);
	bool may_be_apart = !options_beneath(files->options) && files->options->align == NULL &&
			    (!is_pair || err->kind == ERROR_FORMAT);
	if (is_fine) {
		print_pair(pairing, outcome, err);
	} else if (may_be_apart) {
		if (is_pair)
			files->tell(files->context, err->message);
		error_clear(err);
		print_apart(pairing, outcome, err);
	} else {
		*outcome = outcome_combine(*outcome, outcome_of_failure(err));
	}
}

enum outcome
pairing_run(const struct files *files, struct error *err)
{
	struct pairing pairing = { .files = files };
	const struct options alone = without_subject(files->options);
	struct files loading = *files;
	enum outcome outcome;
	loading.options = &alone;
	if (!files_visit(&loading, take_trace, &pairing, &outcome, err))
		outcome = outcome_combine(outcome, outcome_of_failure(err));
	else if (pairing.count == TRACES)
		run(&pairing, &outcome, err);
	else if (!options_beneath(files->options))
		print_apart(&pairing, &outcome, err);
	beneath_release(&pairing.beneath);
	for (int i = 0; i < TRACES; i++) {
		trace_free(pairing.traces[i]);
		text_release(&pairing.names[i]);
	}
	return outcome;
}
