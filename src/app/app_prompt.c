/* The prompts: which command asks how, and what is done with the line. */
#include <string.h>

#include "analysis/analysis.h"
#include "app/app_internal.h"
#include "app/argument.h"
#include "app/cmdline.h"
#include "base/compiler.h"
#include "query/query.h"
#include "query/query_hint.h"
#include "trace/words.h"

static void run_line(struct app *app, enum command command, long count, const char *line);

/* A search takes a query only in some views, and where it begins as one. */
static bool
is_query(const struct app *app, enum command command, const char *line)
{
	if (command == COMMAND_SEARCH)
		return app_context(app) == IN_TIMELINE && query_is_meant(line);
	return command == COMMAND_FILTER || command == COMMAND_COUNT_SPANS;
}

/* What is wrong can be mended where it is: the prompt opens again, with the cursor there. */
static bool
refuse_query(struct app *app, enum command command, long count, const char *line)
{
	struct error note;
	error_clear(&note);
	if (!is_query(app, command, line))
		return false;
	struct query *query = query_new(line, app->session->trace->words, &note);
	query_free(query);
	if (query != NULL || note.kind != ERROR_USAGE)
		return false;
	app_ask(app, command, count);
	prompt_put(&app->prompt, line, (size_t)note.offset_bytes);
	return true;
}

static void
tell_line(struct app *app, enum command command, long count, const char *line)
{
	if (refuse_query(app, command, count, line))
		return;
	app_tell_view(app, command, count, line);
	app->holds_frame = app->session->searching != NULL;
}

static bool
complete_query(const struct prompt_place *place, const char *line, size_t index, struct text *out)
{
	return query_complete(line, place->words, index, out);
}

static void
describe_query(const struct prompt_place *place, const char *line, struct text *out)
{
	query_describe(line, place->words, out);
}

static bool
complete_search(const struct prompt_place *place, const char *line, size_t index, struct text *out)
{
	return place->context == IN_TIMELINE && query_is_meant(line) && query_complete(line, place->words, index, out);
}

static void
describe_search(const struct prompt_place *place, const char *line, struct text *out)
{
	if (place->context == IN_TIMELINE && query_is_meant(line))
		query_describe(line, place->words, out);
}

/* The name of the command, and then what it is to work on. */
static bool
complete_line(const struct prompt_place *place, const char *line, size_t index, struct text *out)
{
	enum command command;
	const char *argument = cmdline_argument(line, place->context, &command);
	if (argument == NULL)
		return cmdline_complete(place->context, place->words, line, index, out);
	text_add(out, line, (size_t)(argument - line));
	return argument_complete(command, place, argument, index, out);
}

static void
describe_line(const struct prompt_place *place, const char *line, struct text *out)
{
	struct text pattern = { 0 };
	cmdline_describe(place->context, place->words, line, &pattern);
	text_add_words(out, place->words, text_string(&pattern));
	text_release(&pattern);
}

static bool
complete_bookmark(
	const struct prompt_place *place, const char *line, size_t index, struct text *out)
{
	return argument_complete(COMMAND_BOOKMARK, place, line, index, out);
}

static const struct prompt_guide line_guide = { complete_line, describe_line };
static const struct prompt_guide bookmark_guide = { complete_bookmark, NULL };
static const struct prompt_guide query_guide = { complete_query, describe_query };
static const struct prompt_guide search_guide = { complete_search, describe_search };

/* What an empty line is: no answer, the line before once more, or one that drops what was there. */
enum empty_line { EMPTY_IS_NONE, EMPTY_REPEATS, EMPTY_DROPS };

/* A command that asks. */
static const struct asking {
	enum command command;
	const char *label; /* NULL: what it works on is only typed behind its name */
	enum prompt_kind kind;
	enum empty_line empty;
	const struct prompt_guide *guide;
	void (*answer)(struct app *app, enum command command, long count, const char *line);
} askings[] = {
	{ COMMAND_JUMP, "time: ", PROMPT_TIMES, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_SEARCH, "/", PROMPT_SEARCHES, EMPTY_REPEATS, &search_guide, tell_line },
	{ COMMAND_FILTER, "filter: ", PROMPT_QUERIES, EMPTY_REPEATS, &query_guide, tell_line },
	{ COMMAND_COUNT_SPANS, "count: ", PROMPT_QUERIES, EMPTY_REPEATS, &query_guide, tell_line },
	{ COMMAND_BOOKMARK, "bookmark: ", PROMPT_NOTES, EMPTY_IS_NONE, &bookmark_guide, tell_line },
	{ COMMAND_NOTE, "note: ", PROMPT_NOTES, EMPTY_DROPS, NULL, tell_line },
	{ COMMAND_PRINT_SCREEN, "print to: ", PROMPT_FILES, EMPTY_IS_NONE, NULL, app_print_screen },
	{ COMMAND_MARK, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_PALETTE, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, app_choose_palette },
	{ COMMAND_GROUP_LANES, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_SORT_LANES, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_INTERACTS, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_ANALYSE, NULL, PROMPT_COMMANDS, EMPTY_IS_NONE, NULL, tell_line },
	{ COMMAND_FILTER_ROWS, "rows: ", PROMPT_SEARCHES, EMPTY_DROPS, NULL, tell_line },
	{ COMMAND_FOCUS_CALLS, "focus: ", PROMPT_SEARCHES, EMPTY_DROPS, NULL, tell_line },
	{ COMMAND_IGNORE_CALLS, "ignore: ", PROMPT_SEARCHES, EMPTY_DROPS, NULL, tell_line },
	{ COMMAND_LINE, ":", PROMPT_COMMANDS, EMPTY_IS_NONE, &line_guide, run_line },
};

static const struct asking *
find_asking(enum command command)
{
	for (size_t i = 0; i < ARRAY_LENGTH(askings); i++) {
		if (askings[i].command == command)
			return &askings[i];
	}
	return NULL;
}

/* Does what was typed behind ":", as the key of that command would. */
static void
run_line(struct app *app, enum command command, long count, const char *line)
{
	struct cmdline cmdline;
	struct error err;
	(void)command;
	error_clear(&err);
	if (!cmdline_parse(line, app_context(app), &cmdline, &err)) {
		app_tell_error(app, &err);
		return;
	}
	if (cmdline.count == 1)
		cmdline.count = count; /* which may stand before the colon */
	const struct asking *asking = find_asking(cmdline.command);
	if (asking != NULL && cmdline.argument != NULL)
		asking->answer(app, cmdline.command, cmdline.count, cmdline.argument);
	else
		app_command(app, cmdline.command, cmdline.count);
}

void
app_ask(struct app *app, enum command command, long count)
{
	const struct asking *asking = find_asking(command);
	prompt_open(&app->prompt, asking->label, &app->memories[asking->kind]);
	prompt_follow(&app->prompt, asking->guide,
		(struct prompt_place){ app_context(app), app->session->notes, app->session->trace->words,
			analysis_work_has(&(struct analysis_work){
				.trace = app->session->trace, .beneath = app->session->beneath }) });
	app->asked_command = command;
	app->asked_count = count;
}

void
app_ask_about(struct app *app, enum command command, const char *line)
{
	app_ask(app, command, 1);
	prompt_put(&app->prompt, line, strlen(line));
}

/* What was entered; NULL for nothing. */
static const char *
entered_line(const struct app *app, const struct asking *asking)
{
	const struct prompt_memory *memory = app->prompt.memory;
	if (app->prompt.line.length > 0)
		return app->prompt.line.bytes;
	if (asking->empty == EMPTY_DROPS)
		return "";
	bool can_repeat = asking->empty == EMPTY_REPEATS && memory->count > 0;
	return can_repeat ? memory->lines[memory->count - 1] : NULL;
}

void
app_type(struct app *app, const char *key)
{
	if (prompt_key(&app->prompt, key) != PROMPT_ENTERED)
		return;
	const struct asking *asking = find_asking(app->asked_command);
	const char *line = entered_line(app, asking);
	struct text copy = { 0 };
	if (line == NULL)
		return;
	/* The answer may open the prompt again. */
	text_add_string(&copy, line);
	if (!copy.failed)
		asking->answer(app, app->asked_command, app->asked_count, text_string(&copy));
	text_release(&copy);
}
