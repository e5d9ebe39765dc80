/* Both traces are held until the report is printed. */
#include "app/pairing.h"

#include <string.h>

#include "analysis/beneath/beneath.h"
#include "base/units.h"
#include "trace/words.h"

enum { TRACES = 2 };

struct pairing {
	const struct files *files;
	struct trace *traces[TRACES]; /* in the order of the command line */
	struct text names[TRACES];    /* safe */
	int count;
	int above; /* which of them; the other one is beneath it */
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
	alone.has_actor = alone.has_task = alone.has_from = alone.has_to = alone.has_interval = alone.has_at = false;
	alone.from_clock = alone.to_clock = alone.at_clock = alone.region = alone.query = NULL;
	return alone;
}

static bool
find_above(struct pairing *pairing, struct error *err)
{
	const struct trace *first = pairing->traces[0], *second = pairing->traces[1];
	pairing->above = beneath_is_above(first) ? 0 : 1;
	if (beneath_is_above(pairing->traces[pairing->above]) &&
		beneath_is_below(pairing->traces[1 - pairing->above]))
		return true;
	return error_set(err, ERROR_USAGE,
		"what lies beneath takes a trace that tells of threads and one of the kernel, but "
		"%s is of %s and %s is of %s",
		text_string(&pairing->names[0]), first->words->source, text_string(&pairing->names[1]),
		second->words->source);
}

/* The shift of --align, of the one that is beneath. */
static bool
read_align(const struct pairing *pairing, int64_t *shift_ns, struct error *err)
{
	const struct options *options = pairing->files->options;
	const char *colon = strrchr(options->align, ':');
	size_t length = colon != NULL ? (size_t)(colon - options->align) : 0;
	int which = -1;
	for (int i = 0; i < TRACES && which < 0; i++) {
		const char *file = options_file(options, (size_t)i);
		const char *base = text_base_name(file);
		if ((strlen(file) == length && memcmp(file, options->align, length) == 0) ||
			(strlen(base) == length && memcmp(base, options->align, length) == 0))
			which = i;
	}
	if (which < 0)
		return error_set(err, ERROR_USAGE, "--align=%s: wanted one of the two traces and its shift, as %s:30ms",
			options->align, options_file(options, (size_t)(1 - pairing->above)));
	if (!units_parse_duration(colon + 1, shift_ns, err)) {
		error_prefix(err, "--align=%s", options->align);
		return false;
	}
	if (which == pairing->above)
		*shift_ns = *shift_ns == INT64_MIN ? INT64_MAX : -*shift_ns;
	return true;
}

static bool
find_shift(struct pairing *pairing, struct error *err)
{
	const struct files *files = pairing->files;
	struct text line = { 0 };
	int64_t shift_ns;
	if (files->options->align == NULL) {
		if (!beneath_align(&pairing->beneath, progress_cancel_flag(files->progress), err))
			return false;
	} else {
		if (!read_align(pairing, &shift_ns, err))
			return false;
		beneath_shift(&pairing->beneath, shift_ns);
	}
	if (report_is_for_people(options_rows_format(files->options)) && !options_profile(files->options))
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
			       pairing->traces[1 - pairing->above], err) &&
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
