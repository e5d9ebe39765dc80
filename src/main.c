/*
 * Puts the parts together: options and surroundings decide between the screen
 * and print; the trace comes from the input; the exit status tells how it went.
 */
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/profile_stream.h"
#include "app/checking.h"
#include "app/completion.h"
#include "app/config.h"
#include "app/diffing.h"
#include "app/environment.h"
#include "app/files.h"
#include "app/find.h"
#include "app/interactive.h"
#include "app/keeper.h"
#include "app/notefile.h"
#include "app/options.h"
#include "app/other.h"
#include "app/outcome.h"
#include "app/outlet.h"
#include "app/pairing.h"
#include "app/print.h"
#include "app/several.h"
#include "app/signals.h"
#include "app/sources.h"
#include "app/start.h"
#include "app/stream.h"
#include "app/userfolder.h"
#include "app/version.h"
#include "app/views.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/signal_sets.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/parts_words.h"
#include "input/input.h"
#include "source/go/load.h"
#include "source/go/sums.h"
#include "source/source.h"
#include "term/term.h"
#include "trace/document.h"
#include "view/analysis_view.h"

static const char crash_message[] =
	"ttrace crashed, and the terminal is as it was. This is a mistake of ttrace, whatever the\n"
	"trace holds. Please report it to where you have ttrace from, with what ttrace --version\n"
	"prints, the last keys, and the trace if others may see it.\n";

/* The only file that is mapped. */
static const char unmapped_message[] =
	"ttrace ended, and the terminal is as it was: the cache of the trace was cut off, or could\n"
	"not be read. Start it again; ttrace --clear-cache removes all caches.\n";

/* What all parts of a run need. */
struct program {
	struct options options;
	struct environment environment;
	struct config config;
	struct input input;
	char *text;  /* of a pipe that has parts, which the input then is */
	struct progress progress;
	struct source_match match; /* of it, where that was asked */
	const char *source; /* that --source= names, or that the user has agreed to; NULL: any */
	struct keeper keeper;
	struct other other; /* the trace of --diff, on the screen */
	struct other beside[OPTIONS_MOST_BESIDE]; /* those that stand beside the first one there */
	struct text name;   /* of the trace, safe */
	struct notefile notefile;
	struct text typed; /* where lines of the prompts are kept; empty for nowhere */
	struct text link;   /* the command line that was yanked last, raw; empty for none */
	struct text notice; /* the first complaint about the config, safe; empty for none */
	struct text damage; /* what is lost of it, safe; empty for nothing */
	struct text other_loss; /* the same of the trace of --diff, in words of its own */
	int signal;         /* that asked us to leave, 0 for none */
};

/* "ttrace: ..." on standard error, safe for a terminal. */
static void
complain(const struct program *program, const char *message)
{
	struct text safe = { 0 };
	bool ascii = environment_is_ascii(&program->environment, &program->options);
	text_add_safe(&safe, message, strlen(message), ascii);
	fprintf(stderr, "ttrace: %s\n", safe.length > 0 ? safe.bytes : "out of memory");
	text_release(&safe);
}

static void
complain_about(const struct program *program, const struct error *err)
{
	char line[sizeof err->message + 100];
	error_format(err, line, sizeof line);
	complain(program, line);
}

static enum outcome
refuse_usage(const struct program *program, const struct error *err)
{
	complain_about(program, err);
	fprintf(stderr, "%s\n", options_usage());
	return OUTCOME_USAGE;
}

/* Writes what was asked for; a reader that goes early is no failure. */
static enum outcome
print_text(const struct program *program, struct text *text)
{
	struct error err;
	struct outlet outlet;
	error_clear(&err);
	bool is_fine = outlet_open(&outlet, NULL, &err) &&
		       (outlet_flush(&outlet, text, &err) || outlet.is_closed);
	if (!is_fine)
		complain_about(program, &err);
	text_release(text);
	return is_fine ? OUTCOME_FINE : OUTCOME_UNUSABLE;
}

static enum outcome
print_help(const struct program *program)
{
	struct text help = { 0 };
	options_add_help(&help);
	return print_text(program, &help);
}

static enum outcome
print_version(const struct program *program)
{
	struct text version = { 0 };
	text_format(&version, "ttrace %s\n", app_version());
	return print_text(program, &version);
}

/* What is wrong in the config is told on standard error, and on the screen that it begins. */
static void
tell_complaints(struct program *program)
{
	const struct config *config = &program->config;
	const char *at = text_string(&config->complaints);
	bool ascii = environment_is_ascii(&program->environment, &program->options);
	for (size_t length; *at != '\0'; at += length + 1) {
		length = strcspn(at, "\n");
		struct text line = { 0 };
		text_add(&line, at, length);
		if (line.length > 0)
			complain(program, line.bytes);
		if (program->notice.length == 0)
			text_add_safe(&program->notice, at, length, ascii);
		text_release(&line);
	}
}

static enum outcome
print_completion(const struct program *program)
{
	struct text script = { 0 };
	completion_write(&script, (enum option_shell)program->options.completion);
	return print_text(program, &script);
}

static enum outcome
print_config(const struct program *program)
{
	struct text settings = { 0 };
	config_print(&program->config, &program->options, &settings);
	enum outcome outcome = print_text(program, &settings);
	return program->config.complaint_count > 0 ? OUTCOME_USAGE : outcome;
}

/* The command line, then the config, then what of both fits together. */
static bool
read_options(struct program *program, int argc, char **argv, struct error *err)
{
	struct options *options = &program->options;
	config_init(&program->config);
	if (!options_read(argc, argv, options, err))
		return false;
	if (options->help || options->version || options->completion != SHELL_NONE ||
		options->clear_cache)
		return true;
	if (!config_load(&program->config, program->environment.config_home,
		    program->environment.home, options, err))
		return false;
	tell_complaints(program);
	return options->print_config || options_check(options, err);
}

static enum outcome
print_sources(const struct program *program)
{
	struct text list = { 0 };
	sources_add(&list, options_rows_format(&program->options) == REPORT_AS_JSON);
	return print_text(program, &list);
}

static enum outcome
clear_cache(const struct program *program)
{
	uint64_t count, bytes;
	struct error err;
	struct text line = { 0 };
	char size[UNITS_TEXT];
	error_clear(&err);
	bool is_fine = cachefile_clear(&program->environment, &count, &bytes, &err);
	units_bytes(size, bytes);
	text_format(&line, "removed %" PRIu64 " %s, %s\n", count, count == 1 ? "cache" : "caches", size);
	if (!is_fine)
		complain_about(program, &err);
	return outcome_combine(
		is_fine ? OUTCOME_FINE : OUTCOME_UNUSABLE, print_text(program, &line));
}

/* One line for each fact, to be read by people and by scripts. */
static enum outcome
print_cost(const struct program *program, const struct trace *trace, int64_t elapsed_ns)
{
	struct text cost = { 0 };
	text_format(&cost, "events %" PRIu64 "\nseconds %.6f\npeak-bytes %" PRIu64 "\n",
		trace->event_count, (double)elapsed_ns / 1e9, process_peak_bytes());
	return print_text(program, &cost);
}

/* Whose wish it is. */
struct wishing {
	const struct options *options;
	const struct go_wish *wish; /* NULL: that of the options */
};

static struct go_wish
wish(void *context, const struct trace *outline)
{
	const struct wishing *wishing = context;
	return wishing->wish != NULL ? *wishing->wish : start_wish(wishing->options, outline);
}

/* Of a pipe the text is needed once more for each of its parts; without memory they cannot be opened. */
static void
keep_text(struct program *program, const struct document *document)
{
	struct error ignored;
	error_clear(&ignored);
	program->text = array_copy(document->bytes, document->size, 1, &ignored);
	if (program->text == NULL)
		return;
	input_close(&program->input);
	if (!input_open_memory(&program->input, program->text, document->size, &ignored))
		array_release(&program->text);
}

/* Errors of the bytes tell whose bytes they are. */
static struct trace *
load(void *context, const struct go_wish *wished, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	struct program *program = context;
	struct wishing wishing = { &program->options, wished };
	struct go_bound bound = {
		.memory_bytes = other_memory_bytes(&program->options),
		.wish = wish,
		.context = &wishing,
	};
	struct source_wish how = {
		.progress = progress,
		.is_lenient = !program->options.strict,
		.bound = bound.memory_bytes > 0 ? &bound : NULL,
		.watch = watch,
		.section = program->options.section,
		.sample_type = program->options.sample_type,
	};
	if (wished != NULL && !input_rewind(&program->input, err))
		return NULL;
	struct trace *trace = keeper_open(&program->keeper);
	if (trace == NULL)
		trace = source_load(&program->input, program->source, &how, err);
	if (trace == NULL && err->kind != ERROR_CANCELLED)
		error_prefix(err, "%s", program->name.bytes);
	if (trace != NULL && trace->document != NULL && !input_can_rewind(&program->input))
		keep_text(program, trace->document);
	return trace;
}

static void
tell_keeping(void *context, bool is_alert, const char *line)
{
	(void)is_alert;
	complain(context, line);
}

/* Keeps the trace for the next time, without a screen. */
static void
keep(struct program *program, const struct trace *trace)
{
	if (!options_cache(&program->options))
		return;
	signals_catch(&program->progress.is_cancelled);
	keeper_keep(&program->keeper, trace, &program->progress.is_cancelled,
		environment_is_ascii(&program->environment, &program->options), tell_keeping,
		program);
	program->signal = signals_caught();
}

static void
tell_on_screen(void *context, bool is_alert, const char *line)
{
	loader_tell(context, is_alert, line);
}

static void
keep_shown(void *context, const struct trace *trace, struct loader *loader)
{
	struct program *program = context;
	keeper_keep(&program->keeper, trace, &program->progress.is_cancelled,
		environment_is_ascii(&program->environment, &program->options), tell_on_screen,
		loader);
}

/* What is gone from the file cannot be loaded, and what stands behind it would be misread. */
static bool
check(void *context, struct error *err)
{
	const struct input *in = &((const struct program *)context)->input;
	return input_has_all(in) ||
	       error_set(err, ERROR_IO,
		       "the file has become shorter since it was opened: no other part is loaded");
}

static void
distrust(void *context)
{
	struct program *program = context;
	keeper_distrust(&program->keeper);
}

/* What runs a program is named from now on, as --source= would, for this input. */
static void
agree(void *context)
{
	struct program *program = context;
	struct error ignored;
	error_clear(&ignored);
	if (source_recognise(&program->match, NULL, &program->input, &ignored))
		program->source = program->match.source->name;
}

/* Damage counts in how it ends, and will be told. */
static enum outcome
note_damage(struct program *program, const struct damage_map *damage, enum outcome outcome)
{
	if (damage->count == 0)
		return outcome;
	damage_describe(&program->damage, damage,
		environment_is_ascii(&program->environment, &program->options));
	return outcome_combine(outcome, OUTCOME_DAMAGED);
}

/* What is printed is not of all of the trace; that is no failure. */
static void
complain_of_parts(const struct program *program, const struct trace *trace)
{
	struct text sum = { 0 };
	parts_add_sum(&sum, &trace->parts);
	if (sum.length > 0)
		fprintf(stderr, "ttrace: of %s %s\n", program->name.bytes, sum.bytes);
	text_release(&sum);
}

static enum outcome
run_load_only(struct program *program, struct error *err)
{
	int64_t start_ns = process_now_ns();
	struct trace *trace = load(program, NULL, NULL, &program->progress, err);
	if (trace == NULL)
		return outcome_of_failure(err);
	enum outcome outcome = print_cost(program, trace, process_now_ns() - start_ns);
	outcome = note_damage(program, &trace->damage, outcome);
	keep(program, trace);
	trace_free(trace);
	return outcome;
}

static void
tell(void *context, const char *message)
{
	complain(context, message);
}

static enum outcome
print_trace(struct program *program, const struct trace *trace, const struct tally *tally,
	const struct profile *profile, struct error *err)
{
	bool is_stdin = program->options.file == NULL || strcmp(program->options.file, "-") == 0;
	struct print print = {
		.trace = trace,
		.tally = tally,
		.profile = profile,
		.points = program->match.points,
		.file_name = is_stdin ? NULL : program->name.bytes,
		.file = is_stdin ? NULL : program->options.file,
		.title = text_base_name(program->name.bytes),
		.options = &program->options,
		.environment = &program->environment,
	};
	enum outcome outcome;
	if (!print_prepare(&print, &outcome, tell, program, err))
		return outcome;
	if (!print_run(&print, err))
		outcome = outcome_of_failure(err);
	print_release(&print);
	return outcome;
}

/* A summary of any trace needs no more memory than what lives at a time. */
static enum outcome
run_summary(struct program *program, struct viewport interval, struct error *err)
{
	struct go_read_options options = {
		.progress = &program->progress,
		.is_lenient = !program->options.strict,
	};
	struct tally tally;
	struct trace *trace = go_sum_up(&program->input, &options, interval.t0_ns, interval.t1_ns,
		&tally, err);
	if (trace == NULL) {
		error_prefix(err, "%s", program->name.bytes);
		return OUTCOME_UNUSABLE;
	}
	enum outcome outcome =
		note_damage(program, &trace->damage, print_trace(program, trace, &tally, NULL, err));
	tally_release(&tally);
	trace_free(trace);
	return outcome;
}

/* Loads the trace without its states, which the stream takes. */
static struct trace *
load_past(struct program *program, struct profile_stream *stream, struct error *err)
{
	struct go_read_options options = {
		.progress = &program->progress,
		.is_lenient = !program->options.strict,
	};
	struct draft_taker taker = profile_stream_taker(stream);
	struct trace *trace = go_load_past(&program->input, &options, &taker, err);
	if (trace == NULL)
		error_prefix(err, "%s", program->name.bytes);
	return trace;
}

/* A profile of the whole trace needs none of its states once they were seen. */
static enum outcome
run_profile(struct program *program, struct error *err)
{
	enum outcome outcome = OUTCOME_UNUSABLE;
	struct profile profile = { 0 };
	struct profile_stream *stream = profile_stream_new(
		program->options.profile, options_profile_rule(&program->options),
		program->options.runtime, err);
	struct trace *trace = stream != NULL ? load_past(program, stream, err) : NULL;
	if (trace != NULL && profile_stream_finish(stream, trace, &profile, err)) {
		outcome = print_trace(program, trace, NULL, &profile, err);
		outcome = note_damage(program, &trace->damage, outcome);
	}
	profile_release(&profile);
	profile_stream_free(stream);
	trace_free(trace);
	return outcome;
}

/* Whose input it is; nothing of that is taken. */
static bool
recognise(struct program *program, struct error *err)
{
	if (source_recognise(&program->match, program->options.source, &program->input, err))
		return true;
	error_prefix(err, "%s", program->name.bytes);
	return false;
}

static enum outcome
run_print(struct program *program, struct error *err)
{
	struct viewport interval;
	if (!recognise(program, err))
		return OUTCOME_UNUSABLE;
	bool is_whole = program->match.source->is_whole;
	if (!is_whole && print_is_passing_profile(&program->options))
		return run_profile(program, err);
	if (!is_whole && program->options.report == REPORT_SUMMARY && program->options.query == NULL &&
		!options_cache(&program->options) && start_interval(&program->options, &interval))
		return run_summary(program, interval, err);
	struct trace *trace = load(program, NULL, NULL, &program->progress, err);
	if (trace == NULL)
		return outcome_of_failure(err);
	complain_of_parts(program, trace);
	enum outcome outcome = print_trace(program, trace, NULL, NULL, err);
	if (!trace_is_sound(trace)) { /* and nothing was printed: once more from the trace itself */
		trace_free(trace);
		error_clear(err);
		keeper_distrust(&program->keeper);
		return run_print(program, err);
	}
	outcome = note_damage(program, &trace->damage, outcome);
	keep(program, trace);
	trace_free(trace);
	return outcome;
}

/* The export for the viewer, of what is only loaded whole. */
static enum outcome
run_whole_export(struct program *program, struct stream *stream, struct error *err)
{
	struct go_read_result ignored;
	enum outcome outcome = OUTCOME_UNUSABLE;
	if (program->options.export != DUMP_JSON_PROC) {
		error_set(err, ERROR_USAGE, "%s: of %s there is --export=json without a mode",
			program->name.bytes, program->match.source->name);
		return OUTCOME_USAGE;
	}
	struct trace *trace = load(program, NULL, NULL, &program->progress, err);
	if (trace == NULL)
		return outcome_of_failure(err);
	stream->trace = trace;
	if (!analysis_require(NEEDS_TIME, trace, "--export=json", err)) {
		error_prefix(err, "%s", program->name.bytes);
		outcome = OUTCOME_USAGE;
	} else if (stream_run(stream, &ignored, &program->signal, err)) {
		outcome = note_damage(program, &trace->damage, OUTCOME_FINE);
	}
	trace_free(trace);
	return outcome;
}

/* Dumps and exports, which need no model of the trace. */
static enum outcome
run_stream(struct program *program, struct error *err)
{
	struct stream stream = {
		.options = &program->options,
		.environment = &program->environment,
		.input = &program->input,
		.progress = &program->progress,
	};
	struct go_read_result result = { .go_minor = 0 };
	enum outcome outcome = OUTCOME_FINE;
	if (!recognise(program, err))
		return OUTCOME_UNUSABLE;
	if (program->match.source->is_whole && program->options.has_export)
		return run_whole_export(program, &stream, err);
	if (program->match.source->is_whole) {
		error_set(err, ERROR_USAGE, "%s: --dump: is of Go traces, not of %s", program->name.bytes,
			program->match.source->name);
		return OUTCOME_USAGE;
	}
	if (!stream_run(&stream, &result, &program->signal, err)) {
		if (err->kind == ERROR_FORMAT || err->kind == ERROR_ORDER ||
			err->kind == ERROR_TRUNCATED)
			error_prefix(err, "%s", program->name.bytes);
		if (err->kind != ERROR_USAGE)
			return OUTCOME_UNUSABLE;
		outcome = OUTCOME_NO; /* what an export is to show is not in the trace */
	}
	return note_damage(program, &result.damage, outcome);
}

/* What is wrong with notes is told on the screen that it begins, and behind it. */
static void
open_state(struct program *program)
{
	const struct environment *environment = &program->environment;
	struct error err;
	error_clear(&err);
	if (options_state(&program->options) &&
		userfolder_add(&program->typed, environment->state_home, environment->home,
			".local/state"))
		text_add_string(&program->typed, "/typed");
	program->notefile.file_name = text_base_name(program->name.bytes);
	if (notefile_open(&program->notefile, &program->options, &program->environment,
		    program->input.fd, &err))
		return;
	complain(program, err.message);
	if (program->notice.length == 0)
		text_add_safe(&program->notice, err.message, strlen(err.message),
			environment_is_ascii(&program->environment, &program->options));
}

static bool
check_view(const struct program *program, struct error *err)
{
	const char *name = program->options.view;
	size_t count;
	const struct app_view *views = views_all(&count);
	if (name == NULL || app_find_view(views, count, name) != NULL || analysis_view_has(name, err))
		return true;
	error_prefix(err, "--view=%s", name);
	return false;
}

/* Traces that stand beside the first one on the screen. */
static size_t
beside_count(const struct options *options)
{
	return options->diff == NULL ? options->more_count : 0;
}

/* What became of another trace, to be told behind the screen; that it was cancelled is known. */
static enum outcome
end_other(struct program *program, struct other *other, enum outcome outcome)
{
	const struct other_trace *shown = &other->shown;
	char line[sizeof shown->failure.message + 100];
	bool has_failed = shown->failure.kind != ERROR_NONE && shown->failure.kind != ERROR_CANCELLED;
	bool is_damaged = shown->trace != NULL && shown->trace->damage.count > 0;
	if (program->other_loss.length > 0 && (has_failed || is_damaged))
		text_add_string(&program->other_loss, "; ");
	if (has_failed) {
		error_format(&shown->failure, line, sizeof line);
		text_add_string(&program->other_loss, line);
		outcome = outcome_combine(outcome, OUTCOME_UNUSABLE);
	}
	if (is_damaged) {
		text_format(&program->other_loss, "%s is damaged: ", shown->name);
		damage_describe(&program->other_loss, &shown->trace->damage,
			environment_is_ascii(&program->environment, &program->options));
		outcome = outcome_combine(outcome, OUTCOME_DAMAGED);
	}
	other_release(other);
	return outcome;
}

/* What the machine knows nothing of is driven as something else, which may not be all right. */
static void
note_terminal(struct program *program, const struct screen *screen)
{
	const char *type = term_screen_type(screen), *term = program->environment.term;
	if (strcmp(type, term) == 0 || program->notice.length > 0)
		return;
	text_add_safe(&program->notice, term, strlen(term),
		environment_is_ascii(&program->environment, &program->options));
	text_format(&program->notice, " (TERM) is not known on this machine: driven as %s", type);
}

/* The trace; of a text with parts those that are opened from there, and the text again. */
static enum outcome
show_sections(struct program *program, struct interactive *interactive, bool *is_terminated,
	struct error *err)
{
	char number[16];
	uint32_t section;
	bool is_closed;
	interactive->section = &section;
	interactive->is_closed = &is_closed;
	for (;;) {
		section = 0;
		is_closed = false;
		enum outcome outcome =
			interactive_run(interactive, is_terminated, &program->damage, err);
		bool goes_back = is_closed && interactive->comes_back;
		if (*is_terminated || err->kind != ERROR_NONE || (section == 0 && !goes_back))
			return outcome;
		snprintf(number, sizeof number, "%" PRIu32, section);
		program->options.section = section != 0 ? number : NULL;
		interactive->comes_back = section != 0;
		if (!input_rewind(&program->input, err))
			return OUTCOME_UNUSABLE;
	}
}

static enum outcome
run_screen(struct program *program, struct screen *screen, struct error *err)
{
	bool is_terminated = false;
	open_state(program);
	note_terminal(program, screen);
	struct interactive interactive = {
		.screen = screen,
		.options = &program->options,
		.palette = options_palette(&program->options,
			term_screen_is_light(screen) ||
				environment_ground(&program->environment, &program->options) ==
					GROUND_LIGHT),
		.ascii = environment_is_ascii(&program->environment, &program->options),
		.file_name = text_base_name(program->name.bytes),
		.load = load,
		.load_context = program,
		.check = check,
		.keep = keep_shown,
		.distrust = distrust,
		.agree = agree,
		.progress = &program->progress,
		.other = program->options.diff != NULL ? &program->other : NULL,
		.beside = program->beside,
		.beside_count = (int)beside_count(&program->options),
		.editor = environment_editor(&program->environment),
		.keys = &program->config.keys.map,
		.link = &program->link,
		.notefile = &program->notefile,
		.typed_path = program->typed.length > 0 ? program->typed.bytes : NULL,
		.notice = program->notice.length > 0 ? program->notice.bytes : NULL,
	};
	interactive.views = views_all(&interactive.view_count);
	program->input.progress = &program->progress;
	enum outcome outcome = show_sections(program, &interactive, &is_terminated, err);
	if (is_terminated)
		program->signal = term_screen_signal(screen);
	return outcome;
}

/* What takes any number of traces. */
static enum outcome
run_files(struct program *program)
{
	struct error err;
	struct files files = {
		.options = &program->options,
		.environment = &program->environment,
		.progress = &program->progress,
		.tell = tell,
		.context = program,
	};
	error_clear(&err);
	enum outcome outcome = program->options.find != NULL	       ? find_run(&files, &err)
			       : program->options.checks.count > 0 ? checking_run(&files, &err)
			       : program->options.diff != NULL	   ? diffing_run(&files, &err)
			       : options_pairs(&program->options) ? pairing_run(&files, &err)
								   : several_run(&files, &err);
	if (err.kind != ERROR_NONE)
		complain_about(program, &err);
	return outcome;
}

/* It stays for the shell, where the clipboard was out of reach. */
static void
print_link(const struct program *program)
{
	struct text line = { 0 };
	text_add_safe(&line, program->link.bytes, program->link.length,
		environment_is_ascii(&program->environment, &program->options));
	text_add_string(&line, "\n");
	print_text(program, &line);
}

/* On a terminal that cannot place the cursor the trace is printed. */
static enum outcome
run_mode(struct program *program, enum mode mode, struct error *err)
{
	if (options_stream(&program->options))
		return run_stream(program, err);
	keeper_init(&program->keeper, &program->options, &program->environment, &program->input);
	if (program->options.load_only)
		return run_load_only(program, err);
	if (mode == MODE_PRINT)
		return run_print(program, err);
	if (program->options.diff != NULL &&
		!other_open(&program->other, program->options.diff, &program->options, &program->environment, err))
		return OUTCOME_UNUSABLE;
	for (size_t i = 0; i < beside_count(&program->options); i++)
		if (!other_open(&program->beside[i], options_file(&program->options, i + 1), &program->options,
			    &program->environment, err))
			return OUTCOME_UNUSABLE;
	struct term_options term_options = {
		.without_color =
			environment_without_color(&program->environment, &program->options),
		.forced_depth = environment_forced_depth(&program->environment, &program->options),
		.asks_ground = environment_ground(&program->environment, &program->options) ==
			       GROUND_UNKNOWN,
		.crash_message = crash_message,
		.unmapped_message = unmapped_message,
	};
	term_options.asks_ground = term_options.asks_ground && !term_options.without_color;
	struct error no_screen;
	error_clear(&no_screen);
	struct screen *screen = term_screen_open(&term_options, &no_screen);
	if (screen == NULL) {
		complain_about(program, &no_screen);
		program->options.no_pager = true; /* which could do no better */
		return options_file(&program->options, 1) != NULL || program->options.diff != NULL
			       ? run_files(program)
			       : run_print(program, err);
	}
	enum outcome outcome = run_screen(program, screen, err);
	if (program->options.diff != NULL)
		outcome = end_other(program, &program->other, outcome); /* which wakes the screen until then */
	for (size_t i = 0; i < beside_count(&program->options); i++)
		outcome = end_other(program, &program->beside[i], outcome);
	term_screen_free(screen);
	if (program->other_loss.length > 0)
		complain(program, program->other_loss.bytes);
	if (program->link.length > 0)
		print_link(program);
	return outcome;
}

static enum outcome
run_trace(struct program *program, enum mode mode)
{
	struct error err;
	error_clear(&err);
	const char *file = program->options.file != NULL ? program->options.file : "-";
	const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
	text_add_safe(&program->name, name, strlen(name),
		environment_is_ascii(&program->environment, &program->options));
	enum outcome outcome = OUTCOME_UNUSABLE;
	program->source = program->options.source;
	if (program->name.failed)
		error_set_memory(&err, "the name of the trace");
	else if (input_open_file(&program->input, file, &err))
		outcome = run_mode(program, mode, &err);
	if (err.kind != ERROR_NONE && program->signal == 0)
		complain_about(program, &err);
	if (program->damage.length > 0 && program->signal == 0)
		fprintf(stderr, "ttrace: %s is damaged: %s\n", program->name.bytes,
			program->damage.bytes);
	keeper_release(&program->keeper);
	other_release(&program->other);
	for (int i = 0; i < OPTIONS_MOST_BESIDE; i++)
		other_release(&program->beside[i]);
	input_close(&program->input);
	memory_free(program->text);
	text_release(&program->damage);
	text_release(&program->other_loss);
	text_release(&program->notice);
	text_release(&program->link);
	notefile_release(&program->notefile);
	text_release(&program->typed);
	text_release(&program->name);
	return outcome;
}

/* Ends as the signal would have ended us, so that the shell sees it. */
static void
die_of(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

int
main(int argc, char **argv)
{
	static struct program program;
	struct error err;
	error_clear(&err);
	/* Characters only: numbers are read and written, and errors told, in one way everywhere. */
	setlocale(LC_CTYPE, "");
	signals_ignore_failed_writes();
	program.environment = environment_read();
	if (!read_options(&program, argc, argv, &err) || !check_view(&program, &err))
		return (int)refuse_usage(&program, &err);
	if (program.options.help)
		return (int)print_help(&program);
	if (program.options.version)
		return (int)print_version(&program);
	if (program.options.sources)
		return (int)print_sources(&program);
	if (program.options.completion != SHELL_NONE)
		return (int)print_completion(&program);
	if (program.options.print_config)
		return (int)print_config(&program);
	if (program.options.clear_cache)
		return (int)clear_cache(&program);
	if (program.options.memory_bytes > 0)
		memory_keep_little();
	enum mode mode = environment_mode(&program.environment, &program.options);
	if (mode == MODE_USAGE) {
		fprintf(stderr, "%s\nttrace --help tells more\n", options_usage());
		return OUTCOME_USAGE;
	}
	bool takes_files = mode == MODE_PRINT &&
			   (options_takes_files(&program.options) || options_file(&program.options, 1) != NULL);
	if (mode == MODE_INTERACTIVE && beside_count(&program.options) > 0)
		files_order(&program.options);
	enum outcome outcome = takes_files ? run_files(&program) : run_trace(&program, mode);
	options_release(&program.options);
	config_release(&program.config);
	if (program.signal != 0)
		die_of(program.signal);
	return (int)outcome;
}
