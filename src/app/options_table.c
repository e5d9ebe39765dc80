/* The rows, and the functions that check values and store them. */
#include "app/options_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/condition.h"
#include "analysis/lane_order.h"
#include "analysis/go/mutator_parts.h"
#include "analysis/registry.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/query.h"
#include "source/source.h"
#include "trace/words.h"

enum { REPORTS_MORE = 64 };

/* The last NULL and those before it are for the analyses of the registry: name_reports(). */
static const char *report_words[REPORT_RESULT + REPORTS_MORE] = { "summary", "lanes", "goroutine",
	"critical-path", "why", "dump", "input", "top", "findings", "tree", "task" };
static const char *const dump_words[] = {
	"wire", "parsed", "parsed,go1.23", "footprint", NULL
};
static const char *const export_words[] = { "json", "folded", "pprof", "svg", "csv", NULL };
static const char *const json_words[] = {
	"proc", "thread", "goroutine", "task", "focustask", NULL
};
static const char *const format_words[] = { "text", "ansi", "svg", "csv", "json", "markdown", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };
static const char *const charset_words[] = { "auto", "utf8", "ascii", NULL };
static const char *const time_words[] = { "relative", "wall", NULL };
static const char *const palette_words[] = { "auto", "dark", "light", "high-contrast",
	"color-blind", "monochrome", NULL };
static const char *const completion_words[] = { "bash", "zsh", "fish", NULL };
static const char *const mouse_words[] = { "on", "off", NULL };
static const char *const state_words[] = { "on", "off", NULL };
static const char *const background_words[] = { "auto", "dark", "light", NULL };
static const char *const color_depth_words[] = { "auto", "8", "16", "256", "truecolor", NULL };

static void *
field_of(struct options *options, size_t offset)
{
	return (char *)options + offset;
}

static void
set_flag(struct options *options, size_t offset)
{
	bool *flag = field_of(options, offset);
	*flag = true;
}

static bool
store_flag(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	(void)value;
	(void)err;
	set_flag(options, option->offset);
	return true;
}

bool
option_read_number(const char *text, int64_t most, int64_t *number)
{
	int64_t result = 0;
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9')
			return false;
		int64_t digit = *text - '0';
		if (result > (most - digit) / 10)
			return false;
		result = result * 10 + digit;
	}
	*number = result;
	return true;
}

static bool
store_number(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	int64_t number;
	if (!option_read_number(value, option->most, &number) || number < option->least)
		return error_set(err, ERROR_USAGE, "--%s=%s: wanted a whole number from %d to %d",
			option->row.name, value, option->least, option->most);
	int *field = field_of(options, option->offset);
	*field = (int)number;
	return true;
}

bool
option_read_actor(const char *text, int64_t *id)
{
	if (*text == 'G' || *text == 'g')
		text++;
	return option_read_number(text, INT64_MAX, id) && *id > 0;
}

/* `text` is the part of the value that names the task. */
static bool
take_task(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	int64_t task;
	if (!option_read_number(text, INT64_MAX, &task) || task == 0)
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted the number of a task, such as 42", option->row.name,
			value);
	if (options->has_task && options->task != task)
		return error_set(err, ERROR_USAGE, "--%s=%s: another task was named before it",
			option->row.name, value);
	options->task = task;
	options->has_task = true;
	return true;
}

static bool
store_task(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	return take_task(option, value, value, options, err);
}

static bool
store_focus_task(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	options->focus_task = true;
	return store_task(option, value, options, err);
}

/* `text` is the part of the value that names the actor. */
static bool
take_actor(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	int64_t id;
	if (!option_read_actor(text, &id))
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted the number of a goroutine, such as 42 or G42",
			option->row.name, value);
	if (options->has_actor && options->actor != id)
		return error_set(err, ERROR_USAGE, "--%s=%s: another goroutine was named before it",
			option->row.name, value);
	options->actor = id;
	options->has_actor = true;
	return true;
}

static bool
store_stack_lanes(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	options->has_stack_lanes = option_read_actor(value, &options->stack_lanes);
	return options->has_stack_lanes ||
	       error_set(err, ERROR_USAGE,
		       "--%s=%s: wanted the number of a goroutine, such as 42 or G42",
		       option->row.name, value);
}

/* "42", "42,3", "42,wakers", "G42,3,wakers". */
static bool
store_interacts(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	char id[UNITS_TEXT];
	const char *rest;
	struct error cause;
	if (!option_take_word(id, value, &rest) ||
		!option_read_actor(id, &options->interacts_id))
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted the number of a goroutine, such as 42 or G42",
			option->row.name, value);
	error_clear(&cause);
	if (!interacts_parse(&options->interacts, rest != NULL ? rest : "1", &cause))
		return error_set(err, ERROR_USAGE, "--%s=%s: %s", option->row.name, value,
			cause.message);
	return true;
}

static bool
store_actor(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	return take_actor(option, value, value, options, err);
}

static bool
store_time(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct error cause;
	error_clear(&cause);
	int64_t time_ns = 0;
	bool is_clock = option->clock_offset != 0 && clock_is_meant(value);
	if (is_clock ? !clock_parse(value, CLOCK_LEAST_NS, &time_ns, &cause)
		     : !units_parse_duration(value, &time_ns, &cause)) {
		return error_set(err, ERROR_USAGE,
			"--%s=%s: %s; wanted a time such as 1.2s, 350ms or 12us%s", option->row.name,
			value, cause.message, option->clock_offset != 0 ? ", or 15:04:05.123" : "");
	}
	if (option->clock_offset != 0) {
		const char **clock = field_of(options, option->clock_offset);
		*clock = is_clock ? value : NULL;
	}
	if (time_ns < option->least)
		return error_set(err, ERROR_USAGE, "--%s=%s: must be %s", option->row.name, value,
			option->least == 0 ? "0 (the start of the trace) or later"
					   : "longer than 0");
	int64_t *field = field_of(options, option->offset);
	*field = is_clock ? 0 : time_ns;
	set_flag(options, option->has_offset);
	return true;
}

/* Writes "summary, lanes or goroutine" and the like. */
static void
list_words(const char *const *words, char *out, size_t size)
{
	struct text list = { 0 };
	for (size_t i = 0; words[i] != NULL; i++) {
		if (i > 0)
			text_add_string(&list, words[i + 1] == NULL ? " or " : ", ");
		text_add_string(&list, words[i]);
	}
	size_t length = list.length < size ? list.length : size - 1;
	if (length > 0)
		memcpy(out, list.bytes, length);
	out[length] = '\0';
	text_release(&list);
}

/* The index of the word that is text[0..length), -1 for none. */
static int
find_word(const char *const *words, const char *text, size_t length)
{
	for (int i = 0; words[i] != NULL; i++) {
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
			return i;
	}
	return -1;
}

static bool
refuse_word(const struct option *option, const char *value, struct error *err)
{
	char allowed[sizeof err->message];
	list_words(option->words, allowed, sizeof allowed);
	return error_set(err, ERROR_USAGE, "--%s=%s: wanted %s", option->row.name, value, allowed);
}

static bool
store_word(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	int word = find_word(option->words, value, strlen(value));
	if (word < 0)
		return refuse_word(option, value, err);
	int *field = field_of(options, option->offset);
	*field = word;
	return true;
}

/* Of an analysis of the registry. */
static bool
take_parameter(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	const struct analysis_kind *kind = options->analysis;
	const char *name = option->row.name;
	struct error cause;
	error_clear(&cause);
	options->report_parameter = text;
	if (analysis_read(kind, value, (size_t)(text - value), &options->report_asked, &cause))
		return true;
	if (kind->read == NULL)
		return error_set(err, ERROR_USAGE, "--%s=%s: %s takes nothing after a colon", name,
			value, kind->name);
	if (*text != '\0' && cause.kind != ERROR_NONE)
		return error_set(err, cause.kind, "--%s=%s: %s", name, value, cause.message);
	return error_set(err, ERROR_USAGE, "--%s=%s: of what? wanted --%s=%s:%s", name, value, name,
		kind->name, kind->parameters);
}

/* "summary", "lanes", "goroutine" (with --goroutine), "goroutine:42" or "top:sync". */
static bool
store_report(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	const char *colon = strchr(value, ':');
	size_t length = colon != NULL ? (size_t)(colon - value) : strlen(value);
	const char *own = registry_own_name(value, length);
	int word = own != NULL ? find_word(option->words, own, strlen(own))
			       : find_word(option->words, value, length);
	if (word < 0)
		return refuse_word(option, value, err);
	options_forget_report(options);
	options->report = word + 1 < REPORT_RESULT ? word + 1 : REPORT_RESULT; /* the words follow REPORT_NONE */
	options->analysis = registry_find(option->words[word], strlen(option->words[word]));
	const char *text = value + length + (colon != NULL);
	if (options->report == REPORT_TOP || options->report == REPORT_TREE)
		return option_take_profile(option, value, text, options, err);
	if (options->analysis == &function_kind || options->analysis == &region_kind)
		return option_take_name(option, value, text, &options->report_parameter, err) &&
		       take_parameter(option, value, text, options, err);
	if (options->analysis != NULL)
		return take_parameter(option, value, text, options, err);
	if (colon == NULL)
		return true;
	if (options->report == REPORT_TASK)
		return take_task(option, value, text, options, err);
	if (options->report != REPORT_ACTOR)
		return error_set(err, ERROR_USAGE, "--%s=%s: %.*s takes nothing after a colon",
			option->row.name, value, (int)length, value);
	return take_actor(option, value, text, options, err);
}

static bool
store_source(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (source_find(value) == NULL)
		return refuse_word(option, value, err);
	options->source = value;
	return true;
}

static bool
store_completion(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (!store_word(option, value, options, err))
		return false;
	options->completion++; /* the words follow SHELL_NONE */
	return true;
}

static bool
store_dump(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (!store_word(option, value, options, err))
		return false;
	options->dump++; /* the words follow DUMP_OF_NOTHING */
	return true;
}

/* The part of "json:goroutine=42" behind the equals sign. */
static bool
take_export_id(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	if (options->export == DUMP_JSON_GOROUTINE && option_read_actor(text, &options->export_id))
		return true;
	if (options->export != DUMP_JSON_GOROUTINE &&
		option_read_number(text, INT64_MAX, &options->export_id) && options->export_id > 0)
		return true;
	bool is_actor = options->export == DUMP_JSON_GOROUTINE;
	return error_set(err, ERROR_USAGE, "--%s=%s: wanted the number of a %s, such as %s",
		option->row.name, value, is_actor ? "goroutine" : "task",
		is_actor ? "42 or G42" : "42");
}

/* "json", "json:thread", "json:goroutine=42" and the like; text is what follows the colon. */
static bool
take_json(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	options->has_export = true;
	options->export = DUMP_JSON_PROC;
	if (text == NULL)
		return true;
	size_t mode = strcspn(text, "=");
	int word = find_word(json_words, text, mode);
	if (word < 0) {
		char allowed[120];
		list_words(json_words, allowed, sizeof allowed);
		return error_set(err, ERROR_USAGE, "--%s=%s: behind the colon wanted %s",
			option->row.name, value, allowed);
	}
	options->export = (enum dump_json_view)word;
	bool wants_id = options->export >= DUMP_JSON_GOROUTINE;
	if (wants_id && text[mode] == '\0')
		return error_set(err, ERROR_USAGE, "--%s=%s: which one? wanted --%s=%s=ID",
			option->row.name, value, option->row.name, value);
	if (!wants_id && text[mode] != '\0')
		return error_set(err, ERROR_USAGE, "--%s=%s: %s takes nothing behind it",
			option->row.name, value, json_words[word]);
	return !wants_id || take_export_id(option, value, text + mode + 1, options, err);
}

/* "json", "json:thread" and the like, or "folded:sync". */
static bool
store_export(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	const char *colon = strchr(value, ':');
	size_t length = colon != NULL ? (size_t)(colon - value) : strlen(value);
	int word = find_word(export_words, value, length);
	if (word < 0)
		return refuse_word(option, value, err);
	const char *text = colon != NULL ? colon + 1 : NULL;
	options->loaded_export = word; /* the words behind the first one follow LOADED_EXPORT_NONE */
	options->has_export = word == 0;
	if (word == 0)
		return take_json(option, value, text, options, err);
	if (word == LOADED_EXPORT_CSV)
		return (text != NULL && strcmp(text, "spans") == 0) ||
		       error_set(err, ERROR_USAGE, "--%s=%s: of what? wanted --%s=csv:spans",
			       option->row.name, value, option->row.name);
	return option_take_profile(option, value, text != NULL ? text : "", options, err);
}

/* A query that is wrong is refused before any trace is read. */
static bool
store_query(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new(value, &words_plain, &note);
	if (query == NULL)
		return error_set(err, ERROR_USAGE, "--%s: %s", option->row.name, note.message);
	query_free(query);
	const char **field = field_of(options, option->offset);
	*field = value;
	return true;
}

static bool
store_search(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct error note;
	error_clear(&note);
	struct query *query = query_new_search(value, &words_plain, &note);
	if (query == NULL)
		return error_set(err, ERROR_USAGE, "--%s: %s", option->row.name, note.message);
	query_free(query);
	options->search = value;
	return true;
}

static bool
store_mmu(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	unsigned parts;
	options->mmu = value;
	return mutator_parts_parse(value, &parts) ||
	       error_set(err, ERROR_USAGE,
		       "--%s=%s: wanted words of stw, background, assist, sweep, proc and as-go "
		       "with commas between them",
		       option->row.name, value);
}

static bool
store_memory(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct error cause;
	error_clear(&cause);
	if (!units_parse_bytes(value, &options->memory_bytes, &cause))
		return error_set(err, ERROR_USAGE, "--%s=%s: %s", option->row.name, value,
			cause.message);
	if (options->memory_bytes >= OPTION_MIN_MEMORY)
		return true;
	return error_set(err, ERROR_USAGE, "--%s=%s: wanted at least 1M", option->row.name, value);
}

/* The name of a file or of a row, or a pattern, which always has some reading. */
static bool
store_name(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (*value == '\0')
		return error_set(err, ERROR_USAGE, "--%s: the value is empty", option->row.name);
	const char **field = field_of(options, option->offset);
	*field = value;
	return true;
}

static bool
store_one_more(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (*value == '\0')
		return error_set(err, ERROR_USAGE, "--%s: the name is empty", option->row.name);
	struct option_names *names = field_of(options, option->offset);
	if (!array_reserve(&names->items, &names->capacity, names->count + 1, sizeof *names->items,
		    err))
		return false;
	names->items[names->count++] = value;
	return true;
}

static bool
store_setting(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	const char *equals = strchr(value, '=');
	if (equals == NULL || equals == value)
		return error_set(err, ERROR_USAGE, "--%s=%s: wanted NAME=VALUE, such as sort=-3",
			option->row.name, value);
	return store_one_more(option, value, options, err);
}

/* One more of them; one that is wrong is refused before any trace is read. */
/* Options with that report in place of --check. */
static bool
take_report(struct options *changed, const struct options *options, const char *report,
	struct error *err)
{
	const struct option as = { .row.name = "check", .words = report_words };
	*changed = *options;
	changed->checks = (struct option_names){ 0 };
	changed->report_asked = NULL;
	return store_report(&as, report, changed, err);
}

static bool
store_check(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct condition condition;
	struct options ignored;
	struct error cause;
	error_clear(&cause);
	if (!condition_parse(&condition, value, &cause))
		return error_set(err, ERROR_USAGE, "--%s=%s: %s", option->row.name, value,
			cause.message);
	bool is_fine = true;
	if (condition.function == CONDITION_REPORT) {
		is_fine = take_report(&ignored, options, condition.report, err);
		options_forget_report(&ignored);
	}
	condition_release(&condition);
	return is_fine && store_one_more(option, value, options, err);
}

#define FIELD(name) .offset = offsetof(struct options, name)
#define TIME_FIELD(name)                                                                           \
	.offset = offsetof(struct options, name##_ns),                                             \
	.has_offset = offsetof(struct options, has_##name), .store = store_time
#define MOMENT_FIELD(name) TIME_FIELD(name), .clock_offset = offsetof(struct options, name##_clock)
#define WORDS(name) FIELD(name), .words = name##_words, .has_default = true, .store = store_word
#define FLAG(name) FIELD(name), .store = store_flag

static const struct option table[] = {
	{ { "goroutine", 'g', "ID", "start on this goroutine and what touched it" },
		.store = store_actor,
		.is_act = true },
	{ { "actor", 0, "ID", "the same, of traces of any language" }, .store = store_actor,
		.is_act = true },
	{ { "stack-lanes", 0, "ID", "show the stack of this goroutine over time" },
		.store = store_stack_lanes,
		.is_act = true },
	{ { "task", 0, "ID", "start on this task; in print, all about it" },
		.store = store_task,
		.is_act = true },
	{ { "focus-task", 0, "ID", "the same with no other tasks" },
		.store = store_focus_task,
		.is_act = true },
	{ { "row", 0, "NAME", "select a row: G42, P3, M7, gc, main.worker" }, FIELD(row),
		.store = store_name,
		.is_act = true },
	{ { "at", 'a', "TIME", "put the cursor there: 1.2s, 350ms, 15:04:05.123" },
		MOMENT_FIELD(at) },
	{ { "interval", 'i', "DURATION", "show so much around --at or after --from" },
		TIME_FIELD(interval), .least = 1 },
	{ { "from", 0, "TIME", "show the time from there on" }, MOMENT_FIELD(from) },
	{ { "to", 0, "TIME", "show the time up to there" }, MOMENT_FIELD(to) },
	{ { "interacts", 0, "ID[,STEPS]", "show only goroutines that interact with this one" },
		.store = store_interacts,
		.is_act = true },
	{ { "hide-row", 0, "NAME", "leave out a row, as --row names it; several times" },
		FIELD(hidden_rows), .store = store_one_more,
		.is_act = true },
	{ { "fold", 0, "NAME", "fold a row, or unfold it: procs, G42; several times" },
		FIELD(folds), .store = store_one_more,
		.is_act = true },
	{ { "line", 0, "LINE[,TOP]", "select a row by its number; TOP: the screen's first" },
		FIELD(place), .has_offset = offsetof(struct options, has_line),
		.store = option_store_line,
		.is_act = true },
	{ { "pin-row", 0, "NAME", "keep a row on top: G42, heap, gc; several times" },
		FIELD(pinned_rows), .store = store_one_more,
		.is_act = true },
	{ { "group", 0, "BY", "goroutines by name, creator, label, task or state" },
		FIELD(group_by), .words = group_by_words, .has_default = true,
		.store = store_word },
	{ { "sort-lanes", 0, "ORDER", "sort goroutines: name, first, wait, wakes, ..." },
		FIELD(sort_lanes), .words = lane_sort_words, .has_default = true,
		.store = store_word },
	{ { "time", 0, "CLOCK", "tell times relative to the start, or by wall clock" },
		WORDS(time) },
	{ { "report", 'r', "NAME", "summary, lanes, findings, top:PROFILE, ..." },
		.store = store_report, .words = report_words,
		.is_act = true },
	{ { "mmu", 0, "PARTS", "of mmu: stw,background,assist,sweep,proc,as-go" },
		.store = store_mmu },
	{ { "window", 0, "DURATION", "list the worst windows of that width, of mmu" },
		TIME_FIELD(window), .least = 1 },
	{ { "query", 'q', "QUERY", "show only what matches: state=blocked dur>10ms" },
		FIELD(query), .store = store_query },
	{ { "runtime", 0, NULL, "count the runtime's own goroutines as well" }, FLAG(runtime),
		.is_act = true },
	{ { "hide", 0, NULL, "leave out what --query does not match, not dim it" },
		FLAG(hide), .is_act = true },
	{ { "search", 0, "PATTERN", "mark what matches, as / does" }, .store = store_search,
		.is_act = true },
	{ { "mark", 0, "TIME[,TIME]", "mark an interval, up to --at or to the second" },
		.store = option_store_mark,
		.is_act = true },
	{ { "marks", 0, "[TIME],[TIME]", "set the marks A and B, with --no-state" },
		.store = option_store_marks,
		.is_act = true },
	{ { "path", 0, "ID,TIME,TIME", "show the critical path of a goroutine, as W does" },
		.store = option_store_path,
		.is_act = true },
	{ { "view", 0, "NAME", "open a page: detail, why, critical-path, ..." },
		FIELD(view), .store = store_name,
		.is_act = true },
	{ { "page-line", 0, "LINE[,TOP]", "the same as --line of the page that is opened" },
		FIELD(page_place), .has_offset = offsetof(struct options, has_page_line),
		.store = option_store_line,
		.is_act = true },
	{ { "page-set", 0, "NAME=VALUE", "set it, as y tells: sort=-3; several times" },
		FIELD(page_settings), .store = store_setting,
		.is_act = true },
	{ { "diff", 0, "FILE", "compare with that trace: + is more than there" },
		FIELD(diff), .store = store_name, .is_act = true },
	{ { "align", 0, "FILE:SHIFT", "of two traces: add it to the times of that one" },
		FIELD(align), .store = store_name, .is_act = true },
	{ { "find", 0, "QUERY", "print the spans of any traces that match: dur>10ms" },
		FIELD(find), .store = store_query,
		.is_act = true },
	{ { "check", 0, "CONDITION", "fail unless it holds: 'p99(sched) < 500us'" },
		FIELD(checks), .store = store_check,
		.is_act = true },
	{ { "sort", 0, "COLUMN", "sort tables, --find by it; -COLUMN: backwards" },
		FIELD(sort), .store = store_name, .is_act = true },
	{ { "limit", 0, "COUNT", "print so many spans, or rows of a table, at most" }, FIELD(limit),
		.store = store_number, .least = 1, .most = OPTION_MAX_LIMIT },
	{ { "dump", 0, "FORM", "print events: wire, parsed[,go1.23], footprint" },
		FIELD(dump), .store = store_dump, .words = dump_words,
		.is_act = true },
	{ { "export", 0, "FORM", "json[:MODE], csv:spans; pprof:sync, folded:, svg:" },
		.store = store_export, .words = export_words,
		.is_act = true },
	{ { "region", 0, "NAME", "of a profile: the time within regions of this name" },
		FIELD(region), .store = store_name, .is_act = true },
	{ { "focus", 0, "PATTERN", "of a profile: stacks with a function that matches" },
		FIELD(focus), .store = store_name },
	{ { "ignore", 0, "PATTERN", "of a profile: stacks without one" }, FIELD(ignore),
		.store = store_name },
	{ { "label", 0, "PATTERN", "of samples: those with a label that matches" },
		FIELD(label), .store = store_name },
	{ { "diff-type", 0, "TYPE", "the type of samples to compare with" },
		FIELD(diff_type), .store = store_name },
	{ { "section", 0, "SECTION", "of a text with several inputs: that one" },
		FIELD(section), .store = store_name },
	{ { "sample-type", 0, "TYPE", "of samples: the type to show, as alloc_space" },
		FIELD(sample_type), .store = store_name },
	{ { "invert", 0, NULL, "of trees and graphs: the other end of stacks first" },
		FLAG(invert) },
	{ { "as-go", 0, NULL, "of a profile: by the rules of Go's own tool" }, FLAG(as_go),
		.is_act = true },
	{ { "with-open", 0, NULL, "of pprof: also the waits that have not ended" },
		FLAG(with_open), .is_act = true },
	{ { "source", 0, "NAME", "take the input for what this source reads" },
		.store = store_source, .words = source_names,
		.is_act = true },
	{ { "sources", 0, NULL, "print what can be read and how it is recognised" },
		FLAG(sources), .is_act = true },
	{ { "strict", 0, NULL, "end a damaged trace where Go's own reader stops" }, FLAG(strict) },
	{ { "memory", 0, "SIZE", "load only what fits into so much: 512M, 1.5GiB" },
		.store = store_memory },
	{ { "part", 0, "TIME[,TIME]", "with --memory, load the part there, or of a G42" },
		.store = option_store_part,
		.is_act = true },
	{ { "cache", 0, NULL, "keep the trace in a cache, to be back at once" },
		FLAG(cache) },
	{ { "no-cache", 0, NULL, "neither keep nor open one, whatever else is set" },
		FLAG(no_cache), .is_act = true },
	{ { "clear-cache", 0, NULL, "remove all caches and end" }, FLAG(clear_cache),
		.is_act = true },
	{ { "notes", 0, "FILE", "keep marks and bookmarks there, beside the trace" },
		FIELD(notes), .store = store_name,
		.is_act = true },
	{ { "state", 0, "SWITCH", "on: keep notes for the next time; off" },
		WORDS(state) },
	{ { "no-state", 0, NULL, "neither read nor keep them now, whatever is set" },
		FLAG(no_state), .is_act = true },
	{ { "load-only", 0, NULL, "load the trace and print what that took" }, FLAG(load_only),
		.is_act = true },
	{ { "output", 'o', "FILE", "write a dump or export there, do not print it" },
		FIELD(output), .store = store_name,
		.is_act = true },
	{ { "format", 'f', "FORMAT", "text, csv, json, markdown; of lanes ansi, svg" },
		WORDS(format) },
	{ { "width", 'w', "COLUMNS", "of what is printed; else the terminal's, or 100" },
		FIELD(width_cells), .store = store_number, .least = OPTION_MIN_WIDTH,
		.most = OPTION_MAX_WIDTH },
	{ { "height", 0, "ROWS", "rows of lanes to print at most; of a map, lines" }, FIELD(height_cells),
		.store = store_number, .least = OPTION_MIN_HEIGHT, .most = OPTION_MAX_HEIGHT },
	{ { "color", 0, "WHEN", "auto (on a terminal), always, never" }, WORDS(color) },
	{ { "charset", 0, "CHARSET", "auto (by the locale), utf8, ascii" }, WORDS(charset) },
	{ { "palette", 0, "NAME", "auto, dark, light, high-contrast, color-blind, ..." },
		WORDS(palette) },
	{ { "mouse", 0, "SWITCH", "on: click selects, wheel zooms, drag measures; off" },
		WORDS(mouse) },
	{ { "background", 0, "GROUND", "of the terminal: auto (ask it), dark, light" },
		WORDS(background) },
	{ { "color-depth", 0, "COLORS", "auto (as terminfo says), 8, 16, 256, truecolor" },
		WORDS(color_depth) },
	{ { "no-pager", 0, NULL, "print a report on the terminal itself" }, FLAG(no_pager) },
	{ { "config", 0, "FILE", "read the settings from there, not the usual place" },
		FIELD(config), .store = store_name, .is_act = true },
	{ { "print-config", 0, NULL, "print all settings and keys, and end" },
		FLAG(print_config), .is_act = true },
	{ { "completion", 0, "SHELL", "print the completion for bash, zsh or fish, and end" },
		FIELD(completion), .words = completion_words, .store = store_completion,
		.is_act = true },
	{ { "help", 'h', NULL, "print this and end" }, FLAG(help), .is_act = true },
	{ { "version", 'V', NULL, "print the version and end" }, FLAG(version), .is_act = true },
};

void
option_clear_flag(const struct option *option, struct options *options)
{
	bool *flag = field_of(options, option->offset);
	*flag = false;
}

/* Each analysis of the registry is a report, those that are named already aside. */
static void
name_reports(void)
{
	int count = REPORT_RESULT - 1;
	const struct analysis_kind *kind;
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		if (find_word(report_words, kind->name, strlen(kind->name)) < 0) {
			assert(count + 1 < (int)ARRAY_LENGTH(report_words));
			report_words[count++] = kind->name;
		}
	}
}

const struct option *
option_at(size_t index)
{
	name_reports();
	return index < ARRAY_LENGTH(table) ? &table[index] : NULL;
}

bool
options_for_report(struct options *changed, const struct options *options, const char *report,
	struct error *err)
{
	return take_report(changed, options, report, err) && options_check(changed, err);
}

void
options_forget_report(struct options *options)
{
	if (options->report_asked != NULL)
		analysis_forget(options->analysis, options->report_asked);
	options->report_asked = NULL;
}

void
options_add_parameter(const struct options *options, struct text *parameter)
{
	const char *text = options->mmu != NULL ? options->mmu : options->report_parameter;
	text_add_string(parameter, text != NULL ? text : "");
	if (options->has_window)
		text_format(parameter, "%swindow=%" PRId64 "ns", parameter->length > 0 ? "," : "",
			options->window_ns);
}

const char *
option_format_word(enum option_format format)
{
	return format_words[format];
}

const char *const *
options_palette_names(void)
{
	return &palette_words[PALETTE_DARK]; /* without "auto" */
}

const char *
option_palette_word(enum option_palette palette)
{
	return palette_words[palette];
}
