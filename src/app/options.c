/* Reads the command line by the table of options, and checks what fits together. */
#include "app/options.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "app/options_internal.h"
#include "analysis/profile_request.h"
#include "analysis/registry.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/source.h"

const struct option_row *
options_row(size_t index)
{
	const struct option *option = option_at(index);
	return option != NULL ? &option->row : NULL;
}

/* The option that was probably meant, NULL when none is near. */
static const char *
nearest_name(const char *name, size_t length)
{
	const char *nearest = NULL;
	size_t least = length < 4 ? 2 : 4; /* as many steps are too far */
	const struct option_row *row;
	for (size_t i = 0; (row = options_row(i)) != NULL; i++) {
		const char *candidate = row->name;
		if (length > 0 && strncmp(candidate, name, length) == 0)
			return candidate;
		size_t distance = text_edits(name, length, candidate, strlen(candidate));
		if (distance >= least)
			continue;
		least = distance;
		nearest = candidate;
	}
	return nearest;
}

static bool
refuse_unknown(const char *name, size_t length, struct error *err)
{
	const char *nearest = nearest_name(name, length);
	if (nearest == NULL)
		return error_set(err, ERROR_USAGE, "there is no option --%.*s; --help shows all",
			(int)length, name);
	return error_set(err, ERROR_USAGE, "there is no option --%.*s; did you mean --%s?",
		(int)length, name, nearest);
}

/* Where we are in argv. */
struct arguments {
	int count, next; /* argv[next] was not looked at yet */
	char *const *values;
	struct options *options;
};

static size_t
index_of(const struct option *option)
{
	size_t index = (size_t)(option - option_at(0));
	assert(index < OPTION_MOST);
	return index;
}

static bool
give(const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (!option->store(option, value, options, err))
		return false;
	options->given[index_of(option)] = value != NULL ? value : "";
	return true;
}

/* Carries out one option; value is what stands joined to it, NULL for nothing. */
static bool
take_option(struct arguments *arguments, const struct option *option, const char *value,
	struct error *err)
{
	const char *name = option->row.name;
	if (option->row.argument == NULL && value != NULL)
		return error_set(err, ERROR_USAGE, "--%s=%s: takes no value", name, value);
	if (option->row.argument != NULL && value == NULL) {
		if (arguments->next == arguments->count)
			return error_set(err, ERROR_USAGE, "--%s: wanted --%s=%s", name, name,
				option->row.argument);
		value = arguments->values[arguments->next++];
	}
	return give(option, value, arguments->options, err);
}

static const struct option *
find_name(const char *name, size_t length)
{
	const struct option *option;
	for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
		if (strlen(option->row.name) == length &&
			memcmp(option->row.name, name, length) == 0)
			break;
	}
	return option;
}

/* `text` stands behind the two dashes. */
static bool
take_long(struct arguments *arguments, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
	const struct option *option = find_name(text, length);
	if (option == NULL)
		return refuse_unknown(text, length, err);
	return take_option(arguments, option, equals != NULL ? equals + 1 : NULL, err);
}

static const struct option *
find_letter(char letter)
{
	const struct option *option;
	for (size_t i = 0; (option = option_at(i)) != NULL; i++) {
		if (option->row.letter == letter)
			break;
	}
	return option;
}

/* Letters behind one dash; the first that takes a value takes the rest of them. */
static bool
take_letters(struct arguments *arguments, const char *letters, struct error *err)
{
	for (; *letters != '\0'; letters++) {
		const struct option *option = find_letter(*letters);
		if (option == NULL)
			return error_set(err, ERROR_USAGE,
				"there is no option -%c; --help shows all", *letters);
		bool takes_value = option->row.argument != NULL;
		const char *value = takes_value && letters[1] != '\0' ? letters + 1 : NULL;
		if (!take_option(arguments, option, value, err))
			return false;
		if (takes_value)
			return true;
	}
	return true;
}

static bool
take_file(struct options *options, const char *file, struct error *err)
{
	if (*file == '\0')
		return error_set(err, ERROR_USAGE, "the name of the trace is empty");
	if (options->file == NULL) {
		options->file = file;
		return true;
	}
	if (!array_reserve(&options->more_files, &options->more_capacity, options->more_count + 1,
		    sizeof *options->more_files, err))
		return false;
	options->more_files[options->more_count++] = file;
	return true;
}

static bool
take_arguments(struct arguments *arguments, struct error *err)
{
	struct options *options = arguments->options;
	bool only_files = false;
	while (arguments->next < arguments->count && !options->help && !options->version) {
		const char *text = arguments->values[arguments->next++];
		bool is_fine;
		if (only_files || text[0] != '-' || text[1] == '\0')
			is_fine = take_file(options, text, err);
		else if (strcmp(text, "--") == 0)
			is_fine = only_files = true;
		else if (text[1] == '-')
			is_fine = take_long(arguments, text + 2, err);
		else
			is_fine = take_letters(arguments, text + 1, err);
		if (!is_fine)
			return false;
	}
	return true;
}

/* Such times are compared when the trace is known. */
static bool
has_clock(const struct options *options)
{
	return options->at_clock != NULL || options->from_clock != NULL ||
	       options->to_clock != NULL;
}

bool
options_check_times(const struct options *options, struct error *err)
{
	if (options->has_from && options->has_to && options->has_interval)
		return error_set(err, ERROR_USAGE,
			"--interval: --from and --to say it already; leave one of the three out");
	if (options->has_from && options->has_to && options->from_ns >= options->to_ns)
		return error_set(err, ERROR_USAGE, "--to must be later than --from");
	if (options->has_at && options->has_from && options->at_ns < options->from_ns)
		return error_set(err, ERROR_USAGE, "--at lies before --from");
	if (options->has_at && options->has_to && options->at_ns >= options->to_ns)
		return error_set(err, ERROR_USAGE, "--at must lie before --to");
	bool is_outside =
		options->has_at && options->has_interval &&
		((options->has_from && options->at_ns - options->from_ns >= options->interval_ns) ||
			(options->has_to &&
				options->to_ns - options->at_ns > options->interval_ns));
	if (is_outside)
		return error_set(err, ERROR_USAGE, "--at lies outside of the --interval");
	return true;
}

static bool
check_files(const struct options *options, struct error *err)
{
	if (options->more_count == 0 || options_takes_files(options))
		return true;
	if (!options_is_of_one(options) && options->more_count < OPTIONS_MOST_BESIDE + 1)
		return true;
	if (!options_is_of_one(options))
		return error_set(err, ERROR_USAGE, "%d traces at most stand on the screen, but %zu are named",
			OPTIONS_MOST_BESIDE + 1, options->more_count + 1);
	return error_set(err, ERROR_USAGE,
		"one trace at a time, but both %s and %s are named; --report=beneath prints what two "
		"tell together",
		options->file, options->more_files[0]);
}

/* What is of one trace beneath another. */
static bool
check_beneath(const struct options *options, struct error *err)
{
	bool is_beneath = options_beneath(options);
	bool is_of_others = options->find != NULL || options->checks.count > 0 || options->diff != NULL;
	const char *name = options->report != REPORT_NONE ? "report" : "export";
	if (is_beneath && (options->more_count != 1 || is_of_others))
		return error_set(err, ERROR_USAGE,
			"--%s=%s: takes two traces, that of a program and that of the kernel%s", name,
			options_given(options, name),
			is_of_others ? ", without --find, --check and --diff" : "");
	return options_pairs(options) || options->align == NULL ||
	       (!options_is_of_one(options) && options->more_count > 0) ||
	       error_set(err, ERROR_USAGE, "--align: only where two traces stand together, on the screen or in a report of both");
}

/* Formats that only what is asked for has. */
static bool
check_format(const struct options *options, struct error *err)
{
	const char *word = option_format_word((enum option_format)options->format);
	bool is_of_lanes = options->format == FORMAT_ANSI || options->format == FORMAT_SVG;
	if (options->format == FORMAT_TEXT)
		return true;
	bool has_rows =
		options->find != NULL || options->checks.count > 0 || options->diff != NULL ||
		options_table(options) || options->report == REPORT_INPUT;
	bool is_told = options->format == FORMAT_MARKDOWN && options->report != REPORT_NONE;
	if (is_of_lanes && (options->find != NULL || options->report != REPORT_LANES))
		return error_set(err, ERROR_USAGE, "--format=%s: only with --report=lanes", word);
	if (!is_of_lanes && !has_rows && !is_told)
		return error_set(err, ERROR_USAGE,
			"--format=%s: only with --report, --find, --check and --diff", word);
	return true;
}

static bool
check_find(const struct options *options, struct error *err)
{
	if (options->query != NULL &&
		(options->find != NULL || options_stream(options) || options->load_only))
		return error_set(err, ERROR_USAGE, "--query: only with the screen and reports%s",
			options->find != NULL ? "; --find has the query itself" : "");
	if (options->find == NULL)
		return true;
	if (options->report != REPORT_NONE || options_stream(options) || options->load_only)
		return error_set(err, ERROR_USAGE,
			"--find and --report, --dump, --export or --load-only: one at a time");
	if (options->has_actor)
		return error_set(err, ERROR_USAGE,
			"--goroutine: of --find the query says it, as g=%" PRId64,
			options->actor);
	if (options->has_at && !options->has_interval)
		return error_set(err, ERROR_USAGE, "--find: of --at it needs the --interval");
	return true;
}

/* An analysis is limited as its row of the registry says. The screen limits gc by an actor, too. */
static bool
check_limits(const struct options *options, const struct analysis_kind *kind, struct error *err)
{
	bool is_mmu = kind == &mmu_kind, is_of_program = is_mmu || kind == &gc_kind;
	bool is_of_many = kind == &goroutines_kind || kind == &function_kind ||
			  kind == &regions_kind || kind == &region_kind;
	if (is_of_program && (options->has_actor || options->has_task))
		return error_set(err, ERROR_USAGE,
			"--report=%s: is of the whole program, not of some goroutines", kind->name);
	if (is_mmu && options->query != NULL)
		return error_set(err, ERROR_USAGE,
			"--report=mmu: is of the procs, of which a query finds none; --from and "
			"--to limit it");
	if (is_of_many && options->has_actor)
		return error_set(err, ERROR_USAGE,
			"--report=%s: is of many; wanted --report=goroutine:%" PRId64, kind->name,
			options->actor);
	const char *name = options->has_actor && (kind->limits & ANALYSIS_BY_ACTOR) == 0 ? "goroutine"
			   : options->has_task && (kind->limits & ANALYSIS_BY_TASK) == 0 ? "task"
			   : options->query != NULL && (kind->limits & ANALYSIS_BY_QUERY) == 0
				   ? "query"
				   : NULL;
	return name == NULL || error_set(err, ERROR_USAGE, "--%s: --report=%s is not limited by it",
				       name, kind->name);
}

static bool
check_report(const struct options *options, struct error *err)
{
	if (options->report != REPORT_NONE && options_takes_files(options) && options->has_actor &&
		!options_beneath(options))
		return error_set(err, ERROR_USAGE, "--goroutine: is of one trace, not of several");
	if (options->report == REPORT_ACTOR && !options->has_actor)
		return error_set(err, ERROR_USAGE,
			"--report=goroutine: which one? wanted --report=goroutine:ID");
	if (options->report == REPORT_WHY && (!options->has_actor || !options->has_at))
		return error_set(err, ERROR_USAGE,
			"--report=why: of whom and when? wanted --report=why --goroutine=ID "
			"--at=TIME");
	if (options->report == REPORT_TASK && !options->has_task)
		return error_set(err, ERROR_USAGE,
			"--report=task: which one? wanted --report=task:ID");
	if (options->report == REPORT_MOMENT && !options->has_at)
		return error_set(err, ERROR_USAGE,
			"--report=dump: of when? wanted --report=dump --at=TIME");
	if (options->has_stack_lanes && options_print(options) && options->report != REPORT_LANES)
		return error_set(err, ERROR_USAGE,
			"--stack-lanes: goes with the screen and --report=lanes");
	if (options->report == REPORT_MOMENT && options->has_actor)
		return error_set(err, ERROR_USAGE, "--report=dump: is of all goroutines");
	if (options->analysis != &mmu_kind && (options->has_window || options->mmu != NULL))
		return error_set(err, ERROR_USAGE, "--%s: only with --report=mmu",
			options->has_window ? "window" : "mmu");
	bool is_of_all = options->report == REPORT_SUMMARY || options->report == REPORT_FINDINGS;
	bool has_time = options->has_from || options->has_to || options->has_interval || has_clock(options);
	if (options->report == REPORT_INPUT &&
		(options->has_actor || options->query != NULL || has_time))
		return error_set(err, ERROR_USAGE,
			"--report=input: is of the whole input, not of a part of it");
	const struct analysis_kind *kind = options->analysis;
	if (options->report == REPORT_RESULT && !check_limits(options, kind, err))
		return false;
	if (kind != NULL && kind->is_of_whole && has_time)
		return error_set(err, ERROR_USAGE,
			"--report=%s: is of the whole trace, not of a part of it", kind->name);
	if (is_of_all && options->has_actor)
		return error_set(err, ERROR_USAGE,
			"--report=%s: is of the whole trace, not of one goroutine",
			options->report == REPORT_SUMMARY ? "summary" : "findings");
	return true;
}

static bool
check_task(const struct options *options, struct error *err)
{
	bool is_of_others = options->find != NULL || options_stream(options) || options->load_only;
	const char *name = options->focus_task ? "focus-task" : "task";
	if (!options->has_task)
		return true;
	if (options->has_actor)
		return error_set(err, ERROR_USAGE, "--%s and --goroutine: one at a time", name);
	bool fits = options->report == REPORT_NONE || options->report == REPORT_TASK ||
		    options->report == REPORT_CRITICAL || options->report == REPORT_RESULT ||
		    options_profile(options);
	if (is_of_others || !fits)
		return error_set(err, ERROR_USAGE,
			"--%s: goes with the screen and --report=critical-path, task or a profile",
			name);
	return true;
}

static bool
check_stream(const struct options *options, struct error *err)
{
	if (!options_stream(options)) {
		if (options->output == NULL || options->loaded_export != LOADED_EXPORT_NONE)
			return true;
		return error_set(err, ERROR_USAGE, "--output: only with --dump or --export");
	}
	const char *name = options->dump != DUMP_OF_NOTHING ? "dump" : "export";
	if (options->dump != DUMP_OF_NOTHING && options->has_export)
		return error_set(err, ERROR_USAGE, "--dump and --export: one at a time");
	if (options->report != REPORT_NONE)
		return error_set(err, ERROR_USAGE, "--%s and --report: one at a time", name);
	if (options->has_actor)
		return error_set(err, ERROR_USAGE,
			"--%s: is of the whole trace, not of one goroutine%s", name,
			options->has_export ? "; --export=json:goroutine=ID is" : "");
	if (has_clock(options))
		return error_set(err, ERROR_USAGE,
			"--%s: takes times since the start of the trace, such as 1.2s", name);
	if (options->has_at && !options->has_interval)
		return error_set(err, ERROR_USAGE, "--%s: of --at it needs the --interval", name);
	return true;
}

static bool
check_hide(const struct options *options, struct error *err)
{
	return !options->hide || options->query != NULL ||
	       error_set(err, ERROR_USAGE, "--hide: needs the --query that it goes by");
}

/* Elsewhere the marks are the user's, who keeps them. */
static bool
check_marks(const struct options *options, struct error *err)
{
	bool has_any = options->has_note_mark[MARK_A] || options->has_note_mark[MARK_B];
	return !has_any || (!options_state(options) && options->notes == NULL) ||
	       error_set(err, ERROR_USAGE, "--marks: only with --no-state, where none are kept");
}

static bool
check_load_only(const struct options *options, struct error *err)
{
	bool is_alone = options->report == REPORT_NONE && !options_stream(options) &&
			!options->has_actor;
	if (!options->load_only || is_alone)
		return true;
	return error_set(err, ERROR_USAGE, "--load-only: shows nothing of the trace, so "
					   "nothing else can be asked for");
}

/* Of a comparison that no report is named for. */
static bool
prints_diff(const struct options *options)
{
	return options->diff != NULL &&
	       (options->limit != 0 || options->sort != NULL ||
		       options_given(options, "format") != NULL);
}

bool
options_print(const struct options *options)
{
	return options->report != REPORT_NONE || options->load_only || options->find != NULL ||
	       options->checks.count > 0 || prints_diff(options) ||
	       options->loaded_export != LOADED_EXPORT_NONE || options_stream(options);
}

bool
options_is_of_one(const struct options *options)
{
	return (options->report != REPORT_NONE && options->report != REPORT_SUMMARY) || options->load_only ||
	       options->loaded_export != LOADED_EXPORT_NONE || options_stream(options);
}

bool
options_cache(const struct options *options)
{
	return options->cache && !options->no_cache && options->memory_bytes == 0 &&
	       options->report != REPORT_INPUT; /* which tells how the input is recognised */
}

bool
options_state(const struct options *options)
{
	return options->state == STATE_ON && !options->no_state;
}

bool
options_takes_files(const struct options *options)
{
	return options->find != NULL || options->checks.count > 0 || options->diff != NULL ||
	       options_beneath(options) || (option_is_grid(options) && options->more_count > 0);
}

bool
options_names_files(const struct options *options)
{
	return option_is_grid(options) && options->more_count > 0 && options->diff == NULL;
}

bool
options_beneath(const struct options *options)
{
	bool is_of_others = options->find != NULL || options->checks.count > 0 || options->diff != NULL;
	bool is_of_any = options->report == REPORT_LANES || options->report == REPORT_WHY ||
			 options->report == REPORT_CRITICAL;
	bool is_text = is_of_any && report_is_for_people(options_rows_format(options));
	if (options_profile(options))
		return profile_word_is_beneath(options->profile_of);
	return (options->report == REPORT_RESULT && options->analysis == &beneath_kind) ||
	       (is_text && options->more_count == 1 && !is_of_others);
}

bool
options_pairs(const struct options *options)
{
	bool is_of_others = options->find != NULL || options->checks.count > 0 || options->diff != NULL;
	return options_beneath(options) ||
	       (options->report == REPORT_FINDINGS && options->more_count == 1 && !is_of_others);
}

bool
options_stream(const struct options *options)
{
	return options->dump != DUMP_OF_NOTHING || options->has_export;
}

bool
options_read(int argc, char *const *argv, struct options *options, struct error *err)
{
	*options = (struct options){ 0 };
	struct arguments arguments = { argc, 1, argv, options };
	if (!take_arguments(&arguments, err)) {
		options_release(options);
		return false;
	}
	for (size_t i = 0; i < OPTION_MOST; i++)
		options->from_command_line[i] = options->given[i] != NULL;
	if (options->diff_type != NULL && options->diff == NULL)
		options->diff = options_file(options, 0);
	return true;
}

bool
options_check(const struct options *options, struct error *err)
{
	if (options->help || options->version || options->completion != SHELL_NONE ||
		options->sources)
		return true;
	return (has_clock(options) || options_check_times(options, err)) &&
	       check_files(options, err) && check_beneath(options, err) && check_format(options, err) &&
	       option_check_rows(options, err) && check_find(options, err) &&
	       check_report(options, err) && check_task(options, err) &&
	       option_check_diff(options, err) && option_check_profile(options, err) &&
	       option_check_checks(options, err) && check_stream(options, err) &&
	       check_hide(options, err) && check_marks(options, err) &&
	       check_load_only(options, err);
}

void
options_release(struct options *options)
{
	options_forget_report(options);
	memory_free(options->checks.items);
	options->checks = (struct option_names){ 0 };
	memory_free(options->hidden_rows.items);
	options->hidden_rows = (struct option_names){ 0 };
	memory_free(options->pinned_rows.items);
	options->pinned_rows = (struct option_names){ 0 };
	memory_free(options->page_settings.items);
	options->page_settings = (struct option_names){ 0 };
	memory_free(options->folds.items);
	options->folds = (struct option_names){ 0 };
	memory_free(options->more_files);
	options->more_files = NULL;
	options->more_count = options->more_capacity = 0;
}

const char *
options_file(const struct options *options, size_t index)
{
	if (index == 0)
		return options->file != NULL ? options->file : "-";
	return index <= options->more_count ? options->more_files[index - 1] : NULL;
}

bool
options_parse(int argc, char *const *argv, struct options *options, struct error *err)
{
	if (!options_read(argc, argv, options, err))
		return false;
	if (options_check(options, err))
		return true;
	options_release(options);
	return false;
}

/* ---- settings */

bool
option_is_word(const char *value, const char *const *words)
{
	while (*words != NULL && strcmp(*words, value) != 0)
		words++;
	return *words != NULL;
}

static bool
set_flag(const struct option *option, const char *value, struct options *options, struct error *err)
{
	static const char *const on[] = { "on", "yes", "true", NULL };
	static const char *const off[] = { "off", "no", "false", NULL };
	if (value == NULL || option_is_word(value, on))
		return give(option, NULL, options, err);
	if (!option_is_word(value, off))
		return error_set(err, ERROR_USAGE, "%s = %s: wanted on or off", option->row.name,
			value);
	option_clear_flag(option, options);
	options->given[index_of(option)] = NULL;
	return true;
}

bool
options_set(struct options *options, const char *name, const char *value, struct error *err)
{
	const struct option *option = find_name(name, strlen(name));
	if (option == NULL)
		return refuse_unknown(name, strlen(name), err);
	if (option->is_act)
		return error_set(err, ERROR_USAGE, "--%s belongs on the command line", name);
	if (options->from_command_line[index_of(option)])
		return true;
	if (option->row.argument == NULL)
		return set_flag(option, value, options, err);
	if (value == NULL)
		return error_set(err, ERROR_USAGE, "%s: wanted %s = %s", name, name,
			option->row.argument);
	return give(option, value, options, err);
}

const char *
options_given(const struct options *options, const char *name)
{
	return options->given[index_of(find_name(name, strlen(name)))];
}

static const char *
default_of(const struct option *option)
{
	if (option->row.argument == NULL)
		return "off";
	return option->has_default ? option->words[0] : option->row.argument;
}

bool
options_add_setting(const struct options *options, size_t index, struct text *out)
{
	const struct option *option = option_at(index);
	if (option == NULL)
		return false;
	if (option->is_act)
		return true;
	const char *given = options->given[index];
	text_format(out, "# %s\n", option->row.help);
	if (given == NULL)
		text_format(out, "# %s = %s\n", option->row.name, default_of(option));
	else
		text_format(out, "%s = %s\n", option->row.name, *given != '\0' ? given : "on");
	return true;
}

enum report_format
options_rows_format(const struct options *options)
{
	static const enum report_format formats[] = {
		[FORMAT_TEXT] = REPORT_AS_TEXT,
		[FORMAT_ANSI] = REPORT_AS_TEXT,
		[FORMAT_SVG] = REPORT_AS_TEXT,
		[FORMAT_CSV] = REPORT_AS_CSV,
		[FORMAT_JSON] = REPORT_AS_JSON,
		[FORMAT_MARKDOWN] = REPORT_AS_MARKDOWN,
	};
	return formats[options->format];
}

const struct palette *
options_palette(const struct options *options, bool is_light)
{
	if (options->palette == PALETTE_AUTO)
		return palette_find(is_light ? "light" : "dark");
	return palette_choose(
		option_palette_word((enum option_palette)options->palette), is_light);
}

const char *
options_usage(void)
{
	return "usage: ttrace [OPTION...] [FILE...]\n"
	       "       ttrace --find=QUERY|--check=CONDITION [OPTION...] [FILE...]";
}

static void
add_row(struct text *out, const struct option_row *row)
{
	enum { HELP_COLUMN = 29 };
	size_t start = out->length;
	if (row->letter != 0)
		text_format(out, "  -%c, ", row->letter);
	else
		text_add_string(out, "      ");
	text_format(out, "--%s", row->name);
	if (row->argument != NULL)
		text_format(out, "=%s", row->argument);
	size_t used = out->length - start;
	text_format(
		out, "%*s%s\n", used < HELP_COLUMN ? (int)(HELP_COLUMN - used) : 1, "", row->help);
}

void
options_add_help(struct text *out)
{
	text_format(out, "%s\n\n", options_usage());
	text_add_string(out,
		"Shows the trace FILE (- or nothing: standard input) on the terminal; where\n"
		"standard output is none, prints it. It may be packed with gzip or zstd. It is\n");
	const struct source *source;
	for (size_t i = 0; (source = source_row(i)) != NULL; i++)
		text_format(out, "%s  %s", i > 0 ? ", or\n" : "", source->input);
	text_add_string(out, ".\n\n");
	const struct option_row *row;
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		add_row(out, row);
	text_add_string(out,
		"\nA TIME counts from the start of the trace, or is a time of day. Exit status:\n"
		"0 fine, 1 the trace cannot be used, 2 wrong usage, 3 shown but damaged, 4 the\n"
		"answer is no. "
		"The keys: ? within the program, and man ttrace.\n");
}
