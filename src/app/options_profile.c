/* Profiles, and tables, which have rows to be sorted and counted. */
#include <string.h>

#include "analysis/registry.h"
#include "app/options_internal.h"
#include "report/pprof.h"

static const char exact[] = ",exact";

/* Whether the text is the word, and perhaps asks for the exact rule. */
static bool
names(const char *text, const char *word, bool *is_exact)
{
	size_t length = strlen(word);
	if (strncmp(text, word, length) != 0)
		return false;
	*is_exact = strcmp(text + length, exact) == 0;
	return *is_exact || text[length] == '\0';
}

bool
option_take_profile(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	options->profile = PROFILE_SAMPLES;
	options->profile_of = text;
	for (int kind = 0; kind <= PROFILE_SLICES; kind++) {
		bool is_exact;
		if (!names(text, profile_name((enum profile_kind)kind), &is_exact))
			continue;
		if (is_exact && kind >= PROFILE_CPU)
			return error_set(err, ERROR_USAGE, "--%s=%s: %s is always exact",
				option->row.name, value, profile_name((enum profile_kind)kind));
		options->profile = (enum profile_kind)kind;
		options->profile_exact = is_exact;
		break;
	}
	return true;
}

bool
option_take_name(const struct option *option, const char *value, const char *text,
	const char **name, struct error *err)
{
	if (*text == '\0')
		return error_set(err, ERROR_USAGE, "--%s=%s: which one? wanted --%s=%.*s:NAME",
			option->row.name, value, option->row.name, (int)strcspn(value, ":"),
			value);
	*name = text;
	return true;
}

static bool
is_for_people(const struct options *options)
{
	return report_is_for_people(options_rows_format(options));
}

/* Whether rows of a table are asked for by --sort or --limit. */
static bool
has_rows_chosen(const struct options *options)
{
	return options->sort != NULL || options->limit != 0;
}

bool
options_table(const struct options *options)
{
	static const bool are_rows_for_programs[REPORT_RESULT] = {
		[REPORT_SUMMARY] = true,
		[REPORT_LANES] = true,
		[REPORT_ACTOR] = true,
		[REPORT_CRITICAL] = true,
		[REPORT_WHY] = true,
		[REPORT_MOMENT] = true,
	};
	if (options->report >= REPORT_TOP)
		return true;
	bool has_chosen = (options->report == REPORT_ACTOR && has_rows_chosen(options)) ||
			  (options->report == REPORT_SUMMARY && options->diff != NULL);
	return are_rows_for_programs[options->report] && (!is_for_people(options) || has_chosen);
}

bool
option_is_grid(const struct options *options)
{
	bool is_profile = options->report == REPORT_TOP || options->report == REPORT_TREE;
	return options->report == REPORT_INPUT ||
	       (options_table(options) &&
		       (!is_profile || !is_for_people(options)));
}

bool
options_profile(const struct options *options)
{
	return options->report == REPORT_TOP || options->report == REPORT_TREE ||
	       (options->loaded_export != LOADED_EXPORT_NONE &&
		       options->loaded_export != LOADED_EXPORT_CSV);
}

enum profile_rule
options_profile_rule(const struct options *options)
{
	bool is_as_go = options->as_go || (options->loaded_export == LOADED_EXPORT_PPROF &&
						  !options->with_open);
	if (!is_as_go)
		return PROFILE_STATES;
	return options->profile_exact ? PROFILE_EXACT : PROFILE_STACKED;
}

bool
option_check_rows(const struct options *options, struct error *err)
{
	static const char *const of_find[] = { "start", "dur", NULL };
	static const char *const of_top[] = { "flat", "cum", "function", NULL };
	const char *sort = options->sort;
	bool is_table = options_table(options) || options->diff != NULL;
	if (options->limit != 0 && options->find == NULL && !is_table)
		return error_set(err, ERROR_USAGE,
			"--limit: only with --find and reports that are tables");
	if (has_rows_chosen(options) && options->analysis == &heat_kind &&
		is_for_people(options))
		return error_set(err, ERROR_USAGE,
			"--%s: of --report=heat only with --format=csv and json; a map has no rows",
			sort != NULL ? "sort" : "limit");
	if (sort == NULL)
		return true;
	if (options->find != NULL)
		return option_is_word(sort, of_find) ||
		       error_set(err, ERROR_USAGE, "--sort=%s: of --find wanted start or dur", sort);
	if (options->report == REPORT_TOP && options->diff == NULL)
		return option_is_word(sort + (sort[0] == '-'), of_top) ||
		       error_set(err, ERROR_USAGE,
			       "--sort=%s: of --report=top wanted flat, cum or function", sort);
	if (options->report == REPORT_TREE &&
		(options->diff != NULL || is_for_people(options)))
		return error_set(err, ERROR_USAGE,
			"--sort: of --report=tree only with --format=csv and json, without --diff; "
			"a call graph has the most first");
	if (!is_table)
		return error_set(err, ERROR_USAGE,
			"--sort: only with --find and reports that are tables");
	return true;
}

const char *
options_of_samples(const struct options *options)
{
	return options->focus != NULL ? "focus" : options->ignore != NULL ? "ignore"
	       : options->label != NULL	 ? "label"
					 : NULL;
}

bool
option_check_profile(const struct options *options, struct error *err)
{
	bool is_export = options->loaded_export != LOADED_EXPORT_NONE;
	bool is_of_others = options->report != REPORT_NONE || options->find != NULL ||
			    options_stream(options) || options->load_only;
	const char *name = options->region != NULL   ? "region"
			   : options->focus != NULL  ? "focus"
			   : options->ignore != NULL ? "ignore"
			   : options->label != NULL  ? "label"
			   : options->invert	     ? "invert"
			   : options->as_go	     ? "as-go"
			   : options->with_open	     ? "with-open"
						     : NULL;
	const char *missing;
	if (is_export && is_of_others)
		return error_set(err, ERROR_USAGE,
			"--export and --report, --dump, --find or --load-only: one at a time");
	if (options->loaded_export == LOADED_EXPORT_CSV &&
		(options->has_actor || options->has_task))
		return error_set(err, ERROR_USAGE,
			"--%s: of --export=csv:spans the query says it, as --query=%s",
			options->has_task ? "task" : "goroutine",
			options->has_task ? "task=..." : "g=...");
	if (options->invert && (options->report == REPORT_TOP ||
				       options->loaded_export == LOADED_EXPORT_PPROF))
		return error_set(err, ERROR_USAGE,
			"--invert: of trees and graphs, such as --report=tree:sync");
	if (options->loaded_export == LOADED_EXPORT_PPROF && !report_pprof_is_available(&missing))
		return error_set(err, ERROR_USAGE, "--export=pprof: ttrace was built without %s",
			missing);
	if (options_profile(options) && options->profile >= PROFILE_SLICES) {
		/* Samples beneath are chosen by the states of the trace above. */
		const char *of_states = options->runtime            ? "runtime"
					: options->as_go            ? "as-go"
					: options->with_open        ? "with-open"
					: options_beneath(options)  ? NULL
					: options->region != NULL   ? "region"
					: options->query != NULL    ? "query"
					: options->has_task         ? "task"
					                            : NULL;
		if (of_states != NULL)
			return error_set(err, ERROR_USAGE,
				"--%s: chooses states; slices are chosen by --from, --to, --focus "
				"and --ignore, samples by --focus, --ignore and --label",
				of_states);
	}
	if (options->with_open && options->as_go)
		return error_set(err, ERROR_USAGE, "--with-open and --as-go: one or the other");
	if (options->with_open && !is_export)
		return error_set(err, ERROR_USAGE,
			"--with-open: only with --export; a report has what has not ended");
	if (options->profile_exact && options_profile_rule(options) == PROFILE_STATES)
		return error_set(err, ERROR_USAGE,
			"%s,exact: goes with --as-go; without it every profile is exact",
			profile_name(options->profile));
	const struct analysis_kind *kind = options->analysis;
	bool has_choice = options_profile(options) || options->checks.count > 0 ||
			  (kind != NULL && (kind->limits & ANALYSIS_BY_RUNTIME) != 0);
	if (options->runtime && options_print(options) && !has_choice)
		return error_set(err, ERROR_USAGE,
			"--runtime: only with profiles, --report=latency, heat, --check and the screen");
	/* Without a report the trace decides: of samples all is a profile, see start_find(). */
	bool may_be_samples = name != NULL && options_of_samples(options) != NULL && !is_of_others &&
			      !is_export && strcmp(name, options_of_samples(options)) == 0;
	if (options_profile(options) || name == NULL || may_be_samples)
		return true;
	return error_set(err, ERROR_USAGE, "--%s: only with a profile, such as --report=top:sync",
		name);
}

bool
option_check_checks(const struct options *options, struct error *err)
{
	bool is_of_others = options->report != REPORT_NONE || options->find != NULL ||
			    options->loaded_export != LOADED_EXPORT_NONE ||
			    options_stream(options) || options->load_only;
	if (options->checks.count == 0)
		return true;
	if (is_of_others)
		return error_set(err, ERROR_USAGE,
			"--check and --report, --find, --dump, --export or --load-only: one at a "
			"time");
	return (!options->has_actor && !options->has_task) ||
	       error_set(err, ERROR_USAGE,
		       "--check: of one goroutine or task a query says it, as --query=g=42");
}

bool
options_check_printed_diff(const struct options *options, struct error *err)
{
	bool has_subject = options->has_actor || options->has_task;
	return !has_subject || options_profile(options) ||
	       error_set(err, ERROR_USAGE, "--%s: with --diff only of profiles",
		       options->has_task ? "task" : "goroutine");
}

bool
option_check_diff(const struct options *options, struct error *err)
{
	bool is_table = options->report == REPORT_NONE || options_profile(options) ||
			(options_table(options) && options->report != REPORT_MOMENT &&
				options->report != REPORT_CRITICAL &&
				options->report != REPORT_WHY && options->report != REPORT_LANES);
	bool is_of_others = options->find != NULL || options->checks.count > 0 ||
			    options_stream(options) || options->load_only ||
			    options->loaded_export == LOADED_EXPORT_PPROF ||
			    options->loaded_export == LOADED_EXPORT_CSV;
	if (options->diff == NULL)
		return true;
	if (!is_table || is_of_others)
		return error_set(err, ERROR_USAGE,
			"--diff: goes with reports that are tables, such as --report=goroutines or "
			"top, and with --export=folded or svg");
	if (options_print(options) && !options_check_printed_diff(options, err))
		return false;
	if (strcmp(options->diff, "-") == 0 && strcmp(options_file(options, 0), "-") == 0)
		return error_set(err, ERROR_USAGE, "--diff=-: standard input is one trace only");
	return options->more_count == 0 ||
	       error_set(err, ERROR_USAGE, "--diff: is of two traces, that one and another one");
}
