/* Chooses the reports, and sends them on their way. */
#include "app/print.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/registry.h"
#include "app/outfile.h"
#include "app/outlet.h"
#include "cache/cache.h"
#include "draw/canvas.h"
#include "draw/output.h"
#include "query/query.h"
#include "query/search.h"
#include "report/critical.h"
#include "report/csv_spans.h"
#include "report/findings.h"
#include "report/flamegraph.h"
#include "report/input.h"
#include "report/lanes.h"
#include "report/markdown.h"
#include "report/moment.h"
#include "report/pprof.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/result.h"
#include "report/task.h"

/* What a report function needs, all at once. */
struct printing {
	const struct print *print;
	struct report_options options;
	struct text text;
};

static const char *
query_text(const struct print *print)
{
	return text_string(&print->query);
}

static bool
print_summary(struct printing *job, struct error *err)
{
	const struct print *print = job->print;
	if (print->tally != NULL)
		return report_tally(print->trace, print->tally, &job->options, &job->text, err);
	return report_summary(print->trace, &job->options, &job->text, err);
}

static bool
print_actor(struct printing *job, struct error *err)
{
	if (options_table(job->print->options) || !report_is_for_people(job->options.format))
		return report_actor_states(job->print->trace, job->print->start.focus,
			&job->options, &job->text, err);
	return report_actor(
		job->print->trace, job->print->options->actor, &job->options, &job->text, err);
}

static bool
print_task(struct printing *job, struct error *err)
{
	return report_task(
		job->print->trace, job->print->start.task, &job->options, &job->text, err);
}

static bool
print_critical(struct printing *job, struct error *err)
{
	const struct start *start = &job->print->start;
	return report_critical(job->print->trace, start->focus, start->task, &job->options,
		&job->text, err);
}

static bool
print_why(struct printing *job, struct error *err)
{
	return report_why(job->print->trace, job->print->start.focus, &job->options, &job->text, err);
}

static bool
print_moment(struct printing *job, struct error *err)
{
	return report_moment(job->print->trace, &job->options, &job->text, err);
}

static bool
print_input(struct printing *job, struct error *err)
{
	return report_input(
		job->print->trace, job->print->points, &job->options, &job->text, err);
}

struct profile_request
print_profile_request(const struct print *print, const struct report_options *interval)
{
	const struct options *options = print->options;
	struct profile_request request = {
		.kind = options->profile,
		.made = print->profile,
		.scope = profile_whole(print->trace),
		.focus = options->focus,
		.ignore = options->ignore,
		.label = options->label,
		.of = options->profile_of,
		.is_inverted = options->invert,
	};
	if (print->trace->samples != NULL)
		request.kind = PROFILE_SAMPLES;
	request.scope.rule = options_profile_rule(options);
	request.scope.with_runtime = options->runtime;
	request.scope.actor = print->start.focus;
	request.scope.task = print->start.task;
	request.scope.region = print->start.region;
	request.scope.only = print->only;
	request.scope.beneath = print->beneath;
	if (interval->has_interval) {
		request.scope.t0_ns = interval->t0_ns;
		request.scope.t1_ns = interval->t1_ns;
	}
	return request;
}

bool
print_is_passing_profile(const struct options *options)
{
	bool has_time = options->has_from || options->has_to || options->has_interval ||
			options->from_clock != NULL || options->to_clock != NULL;
	bool has_subject = options->has_actor || options->has_task || options->region != NULL ||
			   options->query != NULL;
	return options_profile(options) && options->profile < PROFILE_SLICES && !has_time && !has_subject &&
	       options->memory_bytes == 0 && !options_cache(options);
}

static bool
print_profile(struct printing *job, struct error *err)
{
	typedef bool (*form)(const struct trace *trace, const struct profile_request *request,
		const struct report_options *options, struct text *out, struct error *err);
	static const form exports[] = {
		[LOADED_EXPORT_FOLDED] = report_folded,
		[LOADED_EXPORT_PPROF] = report_pprof,
		[LOADED_EXPORT_SVG] = report_flamegraph,
	};
	const struct options *options = job->print->options;
	form write = options->report == REPORT_TREE ? report_tree : report_top;
	struct profile_request request = print_profile_request(job->print, &job->options);
	if (options->loaded_export != LOADED_EXPORT_NONE)
		write = exports[options->loaded_export];
	return write(job->print->trace, &request, &job->options, &job->text, err);
}

static bool
print_export(struct printing *job, struct error *err)
{
	if (job->print->options->loaded_export != LOADED_EXPORT_CSV)
		return print_profile(job, err);
	return report_csv_spans(job->print->trace, &job->options, &job->text, err);
}

/* With what options of its own say: --mmu and --window. */
static bool
read_parameter(const struct options *options, void **parameter, struct error *err)
{
	struct text text = { 0 };
	options_add_parameter(options, &text);
	bool is_fine = text.failed ? error_set_memory(err, "the report")
				   : analysis_read(options->analysis, text_string(&text), 0,
					     parameter, err);
	text_release(&text);
	return is_fine;
}

/* An analysis of the registry, whose name is the report's. */
static bool
print_result(struct printing *job, struct error *err)
{
	const struct options *options = job->print->options;
	void *more = NULL;
	if ((options->mmu != NULL || options->has_window) && !read_parameter(options, &more, err))
		return false;
	const struct analysis_work work = {
		.kind = options->analysis,
		.scope = { .actor = job->print->start.focus,
			.task = job->print->start.task,
			.function = STRING_EMPTY },
		.parameter = more != NULL ? more : options->report_asked,
		.beneath = job->print->beneath,
	};
	bool is_fine = report_result(job->print->trace, &work, &job->options, &job->text, err);
	analysis_forget(work.kind, more);
	return is_fine;
}

static bool
print_findings(struct printing *job, struct error *err)
{
	return report_findings(job->print->trace, &job->options, &job->text, err);
}

/* Puts the picture out in the format that was asked for. */
static void
add_canvas(struct printing *job, const struct canvas *canvas)
{
	const struct report_options *options = &job->options;
	if (options->format == REPORT_AS_MARKDOWN) {
		text_add_string(&job->text, MARKDOWN_FENCE_BEGIN);
		size_t start = job->text.length;
		output_text(canvas, &job->text);
		markdown_keep_fence(&job->text, start);
		text_add_string(&job->text, MARKDOWN_FENCE_END);
	} else if (job->print->options->format == FORMAT_SVG)
		output_svg(canvas, options->palette, &job->text);
	else if (options->depth != COLORS_NONE)
		output_ansi(canvas, options->palette, options->depth, &job->text);
	else
		output_text(canvas, &job->text);
}

static bool
print_lanes(struct printing *job, struct error *err)
{
	const struct print *print = job->print;
	bool is_svg = print->options->format == FORMAT_SVG;
	struct row_picks hidden = { 0 }, pinned = { 0 };
	struct lanes_options options = {
		.file_name = print->title,
		.width_cells = job->options.width_cells,
		.most_rows = print->options->height_cells,
		.has_interval = job->options.has_interval || job->options.has_cursor,
		.t0_ns = job->options.t0_ns,
		.t1_ns = job->options.t1_ns,
		.plan = print->start.plan,
		.hidden = &hidden,
		.pinned = &pinned,
		.is_wall = job->options.is_wall,
		.actor = print->start.focus,
		.interacts = print->start.interacts,
		.has_stacks = print->start.stacks != REF_NONE,
		.stacks = print->start.stacks,
		.has_cursor = job->options.has_cursor,
		.cursor_ns = job->options.cursor_ns,
		.only = print->only,
		.query = query_text(print),
		.beneath = print->beneath,
	};
	struct canvas canvas = {
		.ascii = job->options.ascii,
		.monochrome = (job->options.depth == COLORS_NONE && !is_svg) ||
			      job->options.palette->is_monochrome,
	};
	bool is_fine = start_pick(&hidden, &pinned, print->options, print->trace, err);
	if (is_fine && !report_is_for_people(job->options.format))
		is_fine = report_lane_rows(print->trace, &options, &job->options, &job->text, err);
	else if ((is_fine = is_fine && report_lanes(print->trace, &options, &canvas, err)))
		add_canvas(job, &canvas);
	row_picks_release(&hidden);
	row_picks_release(&pinned);
	canvas_release(&canvas);
	return is_fine;
}

/* What says most of what has no time: of samples the functions, else what it is shown as first. */
static bool
print_timeless(struct printing *job, struct error *err)
{
	const char *first = registry_first(job->print->trace);
	if (job->print->trace->samples != NULL)
		return print_profile(job, err);
	if (first == NULL)
		return print_input(job, err);
	struct analysis_work work = {
		.kind = registry_find(first, strlen(first)),
		.scope = { .actor = REF_NONE, .task = REF_NONE },
	};
	void *parameter;
	if (!analysis_read(work.kind, "", 0, &parameter, err))
		return false;
	work.parameter = parameter;
	bool is_fine = report_result(job->print->trace, &work, &job->options, &job->text, err);
	analysis_forget(work.kind, parameter);
	return is_fine;
}

static bool
print_all(struct printing *job, struct error *err)
{
	if (job->print->options->has_actor)
		return print_actor(job, err);
	if (job->print->start.task != REF_NONE)
		return print_task(job, err);
	if (job->print->trace->clock == TRACE_CLOCK_NONE)
		return print_timeless(job, err);
	if (!print_summary(job, err))
		return false;
	text_add_string(&job->text, "\n");
	return print_lanes(job, err);
}

static bool (*const printers[])(struct printing *job, struct error *err) = {
	[REPORT_NONE] = print_all,
	[REPORT_SUMMARY] = print_summary,
	[REPORT_LANES] = print_lanes,
	[REPORT_ACTOR] = print_actor,
	[REPORT_CRITICAL] = print_critical,
	[REPORT_WHY] = print_why,
	[REPORT_MOMENT] = print_moment,
	[REPORT_INPUT] = print_input,
	[REPORT_TOP] = print_profile,
	[REPORT_FINDINGS] = print_findings,
	[REPORT_TREE] = print_profile,
	[REPORT_TASK] = print_task,
	[REPORT_RESULT] = print_result,
};

/* Refuses a report that makes no sense of the trace; slices say themselves that there are none. */
static bool
makes_sense(const struct print *print, const char *report, struct error *err)
{
	struct text name = { 0 };
	if (report == NULL)
		return true;
	text_format(&name, "%s: --report=%s", print->title, report);
	unsigned met = NEEDS_SLICES | (print->beneath != NULL ? NEEDS_BENEATH | NEEDS_SAMPLES_BENEATH : 0u);
	bool is_fine = analysis_require(
		registry_needs(report) & ~met, print->trace, text_string(&name), err);
	text_release(&name);
	return is_fine;
}

/* Where text goes that grows too large: for good, so all of the trace has to be sound. */
struct sending {
	struct outlet *outlet;
	const struct trace *trace;
};

static bool
send(void *context, struct text *text, struct error *err)
{
	const struct sending *sending = context;
	if (!cache_check_all(sending->trace))
		return error_set(err, ERROR_FORMAT, "the cache is damaged");
	return outlet_flush(sending->outlet, text, err);
}

struct report_options
print_report_options(const struct print *print)
{
	const struct options *options = print->options;
	return (struct report_options){
		.file_name = print->file_name,
		.file = print->file,
		.width_cells = environment_width(print->environment, options),
		.ascii = environment_is_ascii(print->environment, options),
		.is_terminal = print->environment->stdout_is_terminal && options->output == NULL,
		.format = options_rows_format(options),
		.names_file = options_names_files(options) && print->beneath == NULL,
		.beneath = print->beneath,
		.sort = options->sort,
		.limit = (uint64_t)options->limit,
		.depth = environment_print_depth(print->environment, options),
		.palette = options_palette(options,
			environment_ground(print->environment, options) == GROUND_LIGHT),
		.has_interval = print->start.has_interval,
		.t0_ns = print->start.viewport.t0_ns,
		.t1_ns = print->start.viewport.t1_ns,
		.has_cursor = options->has_at,
		.cursor_ns = print->start.cursor_ns,
		.is_wall = options->time == TIME_WALL,
		.map_lines = options->height_cells,
		.only = print->only,
		.query = query_text(print),
		.with_runtime = options->runtime,
	};
}

bool
print_kept(const struct print *print, const char *report, struct kept *kept, struct error *err)
{
	struct options options = *print->options;
	struct print asked = *print;
	asked.options = &options;
	bool is_fine =
		(report == NULL || options_for_report(&options, print->options, report, err)) &&
		start_find(&asked.start, &options, print->trace, err) == OUTCOME_FINE &&
		makes_sense(print, report != NULL ? report : options_given(&options, "report"), err);
	if (is_fine) {
		struct printing job = { .print = &asked, .options = print_report_options(&asked) };
		job.options.format = REPORT_AS_KEPT;
		job.options.kept = kept;
		/* All rows are kept: these two are of what is then made of them. */
		job.options.sort = NULL;
		job.options.limit = 0;
		is_fine = printers[options.report](&job, err);
		text_release(&job.text);
	}
	if (report != NULL)
		options_forget_report(&options);
	return is_fine;
}

/* Writes the report; whether it was seen is outlet_close()'s to tell. */
bool
print_into(const struct print *print, struct outlet *outlet, struct error *err)
{
	struct sending sending = { outlet, print->trace };
	struct printing job = { .print = print, .options = print_report_options(print) };
	bool is_export = print->options->loaded_export != LOADED_EXPORT_NONE;
	job.options.flush = send;
	job.options.flush_context = &sending;
	bool is_fine = makes_sense(print, options_given(print->options, "report"), err) &&
		       (is_export ? print_export(&job, err)
				  : printers[print->options->report](&job, err));
	if (is_fine && !trace_is_sound(print->trace))
		is_fine = error_set(err, ERROR_FORMAT, "the cache is damaged");
	is_fine = is_fine && outlet_flush(outlet, &job.text, err);
	if (job.text.failed && is_fine)
		is_fine = error_set_memory(err, "the report");
	text_release(&job.text);
	if (outlet->is_closed)
		error_clear(err);
	return is_fine || outlet->is_closed;
}

static bool
write_file(const struct print *print, struct error *err)
{
	struct outfile file;
	if (!outfile_open(&file, print->options->output, err))
		return false;
	struct outlet outlet = { .fd = file.fd };
	bool is_fine = print_into(print, &outlet, err);
	return outfile_close(&file, is_fine, err) && is_fine;
}

/* Nothing at all is an answer, too. */
static bool
prepare_query(struct print *print, void (*tell)(void *context, const char *message), void *context,
	struct error *err)
{
	const char *text = print->options->query;
	struct error note;
	error_clear(&note);
	struct query *query = query_new(text, print->trace->words, &note);
	print->only = query != NULL ? search_query(print->trace, query, &note) : NULL;
	query_free(query);
	if (print->only == NULL) {
		*err = note;
		return false;
	}
	if (note.kind != ERROR_NONE)
		tell(context, note.message);
	text_add_safe(&print->query, text, strlen(text),
		environment_is_ascii(print->environment, print->options));
	return true;
}

bool
print_prepare(struct print *print, enum outcome *outcome,
	void (*tell)(void *context, const char *message), void *context, struct error *err)
{
	print->only = NULL;
	print->query = (struct text){ 0 };
	*outcome = start_find(&print->start, print->options, print->trace, err);
	if (*outcome != OUTCOME_FINE || print->options->query == NULL)
		return *outcome == OUTCOME_FINE;
	bool is_fine = prepare_query(print, tell, context, err);
	if (!is_fine)
		*outcome = OUTCOME_UNUSABLE;
	else if (!search_finds(print->only) && print->options->checks.count == 0 &&
		 print->options->diff == NULL)
		*outcome = OUTCOME_NO;
	return is_fine;
}

void
print_release(struct print *print)
{
	search_free(print->only);
	text_release(&print->query);
	print->only = NULL;
}

bool
print_run(const struct print *print, struct error *err)
{
	if (print->options->output != NULL)
		return write_file(print, err);
	if (print->options->loaded_export == LOADED_EXPORT_PPROF &&
		print->environment->stdout_is_terminal)
		return error_set(err, ERROR_USAGE,
			"--export=pprof: is no text for a terminal; --output=FILE writes a file");
	struct outlet outlet;
	const char *pager = environment_pager(print->environment, print->options);
	if (!outlet_open(&outlet, pager, err))
		return false;
	bool is_fine = print_into(print, &outlet, err);
	bool was_shown = outlet_close(&outlet);
	if (was_shown || !is_fine)
		return is_fine;
	return outlet_open(&outlet, NULL, err) && print_into(print, &outlet, err);
}
