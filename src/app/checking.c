/* The table is written when all traces have been looked at. */
#include "app/checking.h"

#include "app/outlet.h"
#include "base/memory.h"
#include "report/checks.h"

struct checking {
	const struct files *files;
	struct outlet outlet;
	struct report_options options;
	struct condition *conditions;
	struct checks checks;
	struct text out;
	const struct print *print; /* of the trace that is being looked at */
};

static bool
ask(void *context, const char *report, struct kept *kept, struct error *err)
{
	const struct checking *checking = context;
	return print_kept(checking->print, report, kept, err);
}

static bool
parse_conditions(struct checking *checking, struct error *err)
{
	const struct options *options = checking->files->options;
	checking->conditions =
		array_new(options->checks.count, sizeof *checking->conditions, err);
	if (checking->conditions == NULL)
		return false;
	for (size_t i = 0; i < options->checks.count; i++)
		if (!condition_parse(&checking->conditions[i], options->checks.items[i], err))
			return false;
	checking->checks = (struct checks){
		.options = &checking->options,
		.conditions = checking->conditions,
		.texts = options->checks.items,
		.count = options->checks.count,
		.names_files = options_file(options, 1) != NULL,
		.ask = ask,
		.ask_context = checking,
	};
	return true;
}

static bool
check_trace(void *context, const struct print *print, bool *is_enough, struct error *err)
{
	struct checking *checking = context;
	struct report_options *options = &checking->options;
	struct outlet *outlet = &checking->outlet;
	(void)is_enough;
	checking->print = print;
	*options = print_report_options(print);
	options->flush = outlet_flush;
	options->flush_context = outlet;
	return checks_add(&checking->checks, print->trace, &checking->out, err);
}

static bool
check_all(struct checking *checking, enum outcome *outcome, struct error *err)
{
	bool is_fine = parse_conditions(checking, err) &&
		       files_visit(checking->files, check_trace, checking, outcome, err);
	is_fine = checks_end(&checking->checks) && is_fine;
	if (checking->checks.failed > 0)
		*outcome = outcome_combine(*outcome, OUTCOME_NO);
	return is_fine && outlet_flush(&checking->outlet, &checking->out, err);
}

static void
release(struct checking *checking)
{
	for (size_t i = 0; i < checking->files->options->checks.count; i++)
		if (checking->conditions != NULL)
			condition_release(&checking->conditions[i]);
	memory_free(checking->conditions);
	text_release(&checking->out);
}

enum outcome
checking_run(const struct files *files, struct error *err)
{
	struct checking checking = { .files = files };
	enum outcome outcome = OUTCOME_FINE;
	if (!outlet_open(&checking.outlet,
		    environment_pager(files->environment, files->options), err))
		return OUTCOME_UNUSABLE;
	bool is_fine = check_all(&checking, &outcome, err) || checking.outlet.is_closed;
	if (checking.outlet.is_closed)
		error_clear(err);
	if (!outlet_close(&checking.outlet))
		is_fine = error_set(
			err, ERROR_IO, "the pager could not be run; --no-pager does without");
	release(&checking);
	return is_fine ? outcome : outcome_of_failure(err);
}
