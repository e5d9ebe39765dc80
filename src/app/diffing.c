/* The first trace is gone before the second one is loaded. */
#include "app/diffing.h"

#include <string.h>

#include "analysis/regions.h"
#include "analysis/registry.h"
#include "app/outfile.h"
#include "app/outlet.h"
#include "query/search.h"
#include "report/diff.h"
#include "report/words.h"

struct diffing {
	const struct files *files;
	struct outlet outlet;
	int side; /* of the next trace; DIFF_SIDES: both were taken */
	bool is_of_profiles;
	const char *report; /* that is compared where none is asked for; NULL: as was asked */
	bool is_of_tables; /* of any other report */
	struct kept kept[DIFF_SIDES];
	bool has_matches; /* --query finds something in one of them, or there is none */
	struct diff_states functions, regions;
	struct diff_profile profile;
	struct diff_source sources[DIFF_SIDES];
	struct text out;
};

/* ---- a side */

static bool
add_states(struct diffing *diffing, const struct print *print, const struct report_options *options,
	struct error *err)
{
	enum diff_side side = (enum diff_side)diffing->side;
	struct actors_scope scope = { .only = options->only };
	words_interval(options, print->trace, &scope.t0_ns, &scope.t1_ns);
	return diff_states_add(&diffing->functions, side, print->trace, actors_build, &scope,
		       err) &&
	       diff_states_add(&diffing->regions, side, print->trace, regions_build, &scope, err);
}

/* Trees of perf's kind begin at the leaves, graphs at the root. */
static bool
is_inverted(const struct options *options)
{
	return options->report == REPORT_TREE ? !options->invert : options->invert;
}

static bool
add_profile(struct diffing *diffing, const struct print *print,
	const struct report_options *options, struct error *err)
{
	struct profile profile;
	struct profile_request request = print_profile_request(print, options);
	if (diffing->side == DIFF_BEFORE && print->options->diff_type != NULL)
		request.of = print->options->diff_type;
	if (!profile_request_build(&request, print->trace, &profile, err))
		return false;
	bool is_fine = diff_profile_add(&diffing->profile, (enum diff_side)diffing->side, &profile,
		is_inverted(print->options), err);
	profile_release(&profile);
	return is_fine;
}

static void
note_source(struct diffing *diffing, const struct print *print, const struct report_options *options)
{
	struct diff_source *source = &diffing->sources[diffing->side];
	int64_t t0_ns, t1_ns;
	words_interval(options, print->trace, &t0_ns, &t1_ns);
	if (print->file_name != NULL)
		text_add_string(&source->name, print->file_name);
	source->is_timeless = print->trace->clock == TRACE_CLOCK_NONE;
	source->length_ns = t1_ns - t0_ns;
	words_from_to(&source->from_to, options, print->trace);
	source->actors = trace_actor_count(print->trace);
}

/* ---- what is printed */

static bool
print_profile(struct diffing *diffing, const struct print *print,
	const struct report_options *options, struct error *err)
{
	const struct options *asked = print->options;
	struct profile_request request = print_profile_request(print, options);
	struct diff_profiles profiles = { .request = &request, .diff = &diffing->profile };
	memcpy(profiles.sources, diffing->sources, sizeof profiles.sources);
	if (!diff_profile_sort(&diffing->profile, err))
		return false;
	if (asked->loaded_export == LOADED_EXPORT_FOLDED)
		return report_diff_folded(&profiles, options, &diffing->out, err);
	if (asked->loaded_export == LOADED_EXPORT_SVG)
		return report_diff_flamegraph(print->trace, &profiles, options, &diffing->out, err);
	return asked->report == REPORT_TREE
		       ? report_diff_tree(print->trace, &profiles, options, &diffing->out, err)
		       : report_diff_top(print->trace, &profiles, options, &diffing->out, err);
}

static bool
print_states(struct diffing *diffing, const struct print *print,
	const struct report_options *options, struct error *err)
{
	const struct analysis_kind *kind = print->options->analysis;
	struct diff_tables tables = {
		.functions = kind == &regions_kind ? NULL : &diffing->functions,
		.regions = kind == &goroutines_kind ? NULL : &diffing->regions,
	};
	memcpy(tables.sources, diffing->sources, sizeof tables.sources);
	diff_states_sort(&diffing->functions);
	diff_states_sort(&diffing->regions);
	return report_diff(print->trace, &tables, options, &diffing->out, err);
}

static bool
print_tables(struct diffing *diffing, const struct print *print,
	const struct report_options *options, struct error *err)
{
	const struct files *files = diffing->files;
	struct diff_kept diff = { .kept = diffing->kept, .report = diffing->report != NULL
				  ? diffing->report
				  : options_given(print->options, "report") };
	struct text left_out = { 0 }, message = { 0 };
	memcpy(diff.sources, diffing->sources, sizeof diff.sources);
	bool is_fine = report_diff_kept(print->trace, &diff, options, &left_out, &diffing->out, err);
	if (is_fine && left_out.length > 0 && !report_is_for_people(options->format)) {
		text_format(&message, "left out is " DIFF_LEFT_OUT, text_string(&left_out));
		files->tell(files->context, text_string(&message));
	}
	text_release(&left_out);
	text_release(&message);
	return is_fine;
}

/* Without a report: what has no time is compared by what it is shown as first. */
static void
choose_report(struct diffing *diffing, const struct print *print)
{
	const struct options *options = print->options;
	const char *first = registry_first(print->trace);
	if (options->report != REPORT_NONE || options->loaded_export != LOADED_EXPORT_NONE || first == NULL)
		return;
	diffing->is_of_profiles = print->trace->samples != NULL;
	diffing->is_of_tables = !diffing->is_of_profiles;
	diffing->report = first;
}

/* A report that is chosen is asked of one trace: that there are two is nothing to it. */
static bool
keep(struct diffing *diffing, const struct print *print, struct error *err)
{
	struct options alone = *print->options;
	struct print asked = *print;
	struct kept *kept = &diffing->kept[diffing->side];
	if (diffing->report == NULL)
		return print_kept(print, NULL, kept, err);
	alone.diff = NULL;
	alone.more_count = 0;
	asked.options = &alone;
	return print_kept(&asked, diffing->report, kept, err);
}

static bool
take_trace(void *context, const struct print *print, bool *is_enough, struct error *err)
{
	struct diffing *diffing = context;
	struct report_options options = print_report_options(print);
	(void)is_enough;
	options.flush = outlet_flush;
	options.flush_context = &diffing->outlet;
	note_source(diffing, print, &options);
	choose_report(diffing, print);
	if (print->only == NULL || search_finds(print->only))
		diffing->has_matches = true;
	bool is_fine = diffing->is_of_profiles ? add_profile(diffing, print, &options, err)
		       : diffing->is_of_tables ? keep(diffing, print, err)
					       : add_states(diffing, print, &options, err);
	if (!is_fine || ++diffing->side < DIFF_SIDES)
		return is_fine;
	if (diffing->is_of_tables)
		return print_tables(diffing, print, &options, err);
	return diffing->is_of_profiles ? print_profile(diffing, print, &options, err)
				       : print_states(diffing, print, &options, err);
}

/* ---- both */

/* The options as if both traces had been named, the one of --diff first. */
static struct options
name_both(const struct options *options, const char *more[1])
{
	struct options both = *options;
	more[0] = options_file(options, 0);
	both.file = options->diff;
	both.more_files = more;
	both.more_count = 1;
	return both;
}

static bool
diff(struct diffing *diffing, enum outcome *outcome, struct error *err)
{
	const char *more[1];
	struct options both = name_both(diffing->files->options, more);
	struct files files = *diffing->files;
	files.options = &both;
	return diff_states_init(&diffing->functions, err) &&
	       diff_states_init(&diffing->regions, err) &&
	       diff_profile_init(&diffing->profile, err) &&
	       files_visit(&files, take_trace, diffing, outcome, err) &&
	       outlet_flush(&diffing->outlet, &diffing->out, err);
}

static void
release(struct diffing *diffing)
{
	diff_states_release(&diffing->functions);
	diff_states_release(&diffing->regions);
	diff_profile_release(&diffing->profile);
	for (int side = 0; side < DIFF_SIDES; side++) {
		kept_release(&diffing->kept[side]);
		text_release(&diffing->sources[side].name);
		text_release(&diffing->sources[side].from_to);
	}
	text_release(&diffing->out);
}

/* Into the file of --output. */
static bool
write_file(struct diffing *diffing, enum outcome *outcome, struct error *err)
{
	struct outfile file;
	if (!outfile_open(&file, diffing->files->options->output, err))
		return false;
	diffing->outlet = (struct outlet){ .fd = file.fd };
	bool is_fine = diff(diffing, outcome, err) && diffing->side == DIFF_SIDES;
	return outfile_close(&file, is_fine, err) && is_fine;
}

static bool
print(struct diffing *diffing, enum outcome *outcome, struct error *err)
{
	const struct files *files = diffing->files;
	if (!outlet_open(&diffing->outlet, environment_pager(files->environment, files->options), err))
		return false;
	bool is_fine = diff(diffing, outcome, err) || diffing->outlet.is_closed;
	if (diffing->outlet.is_closed)
		error_clear(err);
	return outlet_close(&diffing->outlet)
		       ? is_fine
		       : error_set(err, ERROR_IO,
				 "the pager could not be run; --no-pager does without");
}

enum outcome
diffing_run(const struct files *files, struct error *err)
{
	const struct analysis_kind *kind = files->options->analysis;
	struct diffing diffing = {
		.files = files,
		.is_of_profiles = options_profile(files->options),
		.is_of_tables = files->options->report != REPORT_NONE && kind != &goroutines_kind &&
				kind != &regions_kind && !options_profile(files->options),
	};
	enum outcome outcome = OUTCOME_FINE;
	if (!options_check_printed_diff(files->options, err))
		return OUTCOME_USAGE;
	bool is_fine = files->options->output != NULL ? write_file(&diffing, &outcome, err)
						      : print(&diffing, &outcome, err);
	bool is_refused = diffing.side < DIFF_SIDES && err->kind == ERROR_NONE; /* and that was told */
	release(&diffing);
	if (is_fine && !is_refused)
		return diffing.has_matches ? outcome : outcome_combine(outcome, OUTCOME_NO);
	return is_refused ? outcome_combine(outcome, OUTCOME_UNUSABLE) : outcome_of_failure(err);
}
