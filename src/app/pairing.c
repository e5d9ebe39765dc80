/* Both traces are held until the report is printed. */
#include "app/pairing.h"

#include <string.h>

#include "analysis/beneath/beneath.h"
#include "app/align.h"
#include "trace/words.h"

enum { TRACES = 2 };

struct pairing {
	const struct files *files;
	struct trace *traces[TRACES]; /* in the order of the command line */
	struct text names[TRACES];    /* safe */
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
	pairing->traces[pairing->count++] = trace_hold(print->trace);
	return !name->failed || error_set_memory(err, "the name of the trace");
}

/* What is asked of one of them says nothing of the other. */
static struct options
without_subject(const struct options *options)
{
	struct options alone = *options;
	alone.has_actor = alone.has_from = alone.has_to = alone.has_interval = alone.has_at = false;
	alone.from_clock = alone.to_clock = alone.at_clock = NULL;
	return alone;
}

static bool
find_above(struct pairing *pairing, struct error *err)
{
	const struct trace *const *traces = (const struct trace *const *)pairing->traces;
	if (align_find(traces, TRACES, &pairing->above, &pairing->below))
		return true;
	return error_set(err, ERROR_USAGE,
		"--report=%s: takes a trace that tells of threads and one of the kernel's scheduler, but "
		"%s is of %s and %s is of %s",
		options_given(pairing->files->options, "report"), text_string(&pairing->names[0]),
		traces[0]->words->source, text_string(&pairing->names[1]), traces[1]->words->source);
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
	if (files->options->analysis != NULL && report_is_for_people(options_rows_format(files->options)))
		return true; /* it stands above the table */
	text_add_string(&line, "clocks: ");
	beneath_add_clocks(&line, &pairing->beneath);
	files->tell(files->context, text_string(&line));
	text_release(&line);
	return true;
}

static bool
print(struct pairing *pairing, enum outcome *outcome, struct error *err)
{
	const struct files *files = pairing->files;
	const char *file = options_file(files->options, (size_t)pairing->above);
	const char *name = text_string(&pairing->names[pairing->above]);
	struct print print = {
		.trace = pairing->traces[pairing->above],
		.beneath = &pairing->beneath,
		.file_name = name,
		.file = strcmp(file, "-") == 0 ? NULL : file,
		.title = name,
		.options = files->options,
		.environment = files->environment,
	};
	enum outcome own;
	if (!print_prepare(&print, &own, files->tell, files->context, err)) {
		error_prefix(err, "%s", name);
		*outcome = outcome_combine(*outcome, own);
		return false;
	}
	bool is_fine = print_run(&print, err);
	print_release(&print);
	if (!is_fine)
		*outcome = outcome_combine(*outcome, outcome_of_failure(err));
	return is_fine;
}

static void
run(struct pairing *pairing, enum outcome *outcome, struct error *err)
{
	bool is_fine = find_above(pairing, err) &&
		       beneath_init(&pairing->beneath, pairing->traces[pairing->above],
			       pairing->traces[pairing->below], err) &&
		       find_shift(pairing, err);
	if (!is_fine)
		*outcome = outcome_combine(*outcome, outcome_of_failure(err));
	else
		print(pairing, outcome, err);
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
	beneath_release(&pairing.beneath);
	for (int i = 0; i < TRACES; i++) {
		trace_free(pairing.traces[i]);
		text_release(&pairing.names[i]);
	}
	return outcome;
}
