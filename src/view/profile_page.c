/* The forms of a profile's page, and what they share: which tree is shown, and the search in it. */
#include "view/profile_page.h"

#include <string.h>

#include "analysis/profile_request.h"
#include "base/units.h"
#include "query/pattern.h"
#include "view/analyses.h"

static const struct {
	const char *words;
	uint8_t style;
} kinds[] = {
	[PROFILE_NET] = { "Network waits", STYLE_NETWORK },
	[PROFILE_SYNC] = { "Synchronisation waits", STYLE_SYNC },
	[PROFILE_SYSCALL] = { "System calls", STYLE_SYSCALL },
	[PROFILE_SCHED] = { "Scheduling waits", STYLE_READY },
	[PROFILE_CPU] = { "CPU samples", STYLE_RUNNING },
	[PROFILE_OFFCPU] = { "Time off the CPU", STYLE_OTHER },
	[PROFILE_SLICES] = { "Own time of slices", STYLE_RUNNING },
	[PROFILE_SAMPLES] = { "Samples", STYLE_RUNNING },
};

/* ---- the profile that is meant */

uint8_t
profile_page_style(enum profile_kind kind)
{
	return kinds[kind].style;
}

bool
profile_page_build(struct profile *profile, struct analysis_work *work, struct error *err)
{
	struct profile_request request = profile_request_of(work);
	return profile_request_build(&request, work->trace, profile, err);
}

/* ---- the page */

/* The page of the table, which is only one of the forms. */
static struct analysis
table_of(const struct analysis *analysis)
{
	struct profile_page *page = analysis->state;
	const struct profile_numbers *numbers = analysis->numbers;
	struct analysis table = *analysis;
	table.state = &page->top;
	table.numbers = numbers->top;
	return table;
}

void
profile_page_made(struct analysis *analysis)
{
	const struct profile_numbers *numbers = analysis->numbers;
	struct profile_page *page = analysis->state;
	struct analysis table = table_of(analysis);
	figure_page_made(&table);
	page->is_searched = false;
	/* Both, whatever becomes of one: neither may go on with what was released. */
	for (int i = 0; i < 2; i++) {
		page->calls[i].measure = numbers->measure;
		page->calls[i].style = kinds[numbers->kind].style;
		page->calls[i].whole = numbers->whole;
		page->calls[i].is_beneath = numbers->is_beneath;
		if (numbers->diffs[i] != NULL)
			call_page_set_changes(&page->calls[i], numbers->diffs[i], numbers->boxes[i],
				&analysis->failure);
		else
			call_page_set(&page->calls[i], numbers->trees[i], &analysis->failure);
	}
}

void
profile_page_end(void *state)
{
	struct profile_page *page = state;
	figure_page_end(&page->top);
	call_page_release(&page->calls[0]);
	call_page_release(&page->calls[1]);
	pattern_free(page->pattern);
}

static struct call_page *
calls_of(const struct analysis *analysis)
{
	struct profile_page *page = analysis->state;
	return &page->calls[page->is_inverted];
}

static void
search_trees(struct profile_page *page, const struct session *session)
{
	if (page->is_searched)
		return;
	page->is_searched = true;
	call_page_search(&page->calls[0], session, page->pattern);
	call_page_search(&page->calls[1], session, page->pattern);
}

static const char *const form_words[][2] = {
	[PROFILE_BY_FUNCTION] = { " by function", " by function" },
	[PROFILE_AS_TREE] = { ", calls", ", callers" },
	[PROFILE_AS_FLAME] = { ", flame graph", ", callers as flames" },
};

static void
add_pattern(struct text *out, const char *before, const char *pattern)
{
	if (pattern == NULL)
		return;
	text_add_string(out, before);
	text_add_safe(out, pattern, strlen(pattern), false);
}

void
profile_page_title(const struct analysis *analysis, struct text *out)
{
	const struct profile_page *page = analysis->state;
	const struct profile_numbers *numbers = analysis->numbers;
	struct profile_request request = { 0 };
	profile_request_read(&request, analysis_parameter(analysis), &analysis->scope);
	if (numbers != NULL && numbers->kind == PROFILE_SAMPLES)
		text_format(out, "%s%s", numbers->measure.name, numbers->is_beneath ? " beneath" : "");
	else
		text_add_string(out, kinds[request.kind].words);
	if (request.scope.rule != PROFILE_STATES)
		text_add_string(out, request.scope.rule == PROFILE_EXACT ? ", as Go 1.26" : ", as Go 1.23");
	text_add_string(out, form_words[analysis->form][page->is_inverted]);
	if (numbers != NULL && numbers->measure.caption[0] != '\0')
		text_format(out, ", %s", numbers->measure.caption);
	add_pattern(out, ", focus ", request.focus);
	add_pattern(out, ", ignore ", request.ignore);
	add_pattern(out, ", label ", request.label != NULL ? request.label + (*request.label == '\'') : NULL);
	profile_request_add_whose(&request, analysis->words, out);
	if (numbers != NULL && numbers->open_ns > 0) {
		char open[UNITS_TEXT];
		units_duration(open, numbers->open_ns, false);
		text_format(out, ", %s not ended", open);
	}
	profile_request_release(&request);
}

/* ---- which calls are meant */

/* Makes the profile that is chosen now. */
static void
choose(struct analysis *analysis, struct session *session, const struct profile_request *request)
{
	struct text parameter = { 0 };
	struct error err;
	error_clear(&err);
	profile_request_add(&parameter, request);
	if (parameter.failed)
		error_set_memory(&err, "the profile");
	if (parameter.failed || !analyses_change(session, analysis, parameter.bytes, &err))
		session_status(session, true, "%s", err.message);
	text_release(&parameter);
}

/* With the pattern in place of the one before, or without one for an empty text. */
static void
change_calls(struct analysis *analysis, struct session *session, enum command command,
	const char *argument)
{
	struct profile_request request = { 0 };
	struct error note;
	error_clear(&note);
	profile_request_read(&request, analysis_parameter(analysis), &analysis->scope);
	*(command == COMMAND_FOCUS_CALLS ? &request.focus : &request.ignore) = argument;
	struct pattern *tried = *argument != '\0' ? pattern_new(argument, &note) : NULL;
	if (note.kind != ERROR_NONE)
		session_status(session, true, "%s", note.message);
	if (tried != NULL || *argument == '\0')
		choose(analysis, session, &request);
	pattern_free(tried);
	profile_request_release(&request);
}

/* First what is ignored comes back, then what is not in focus; false where all is there. */
static bool
drop_calls(struct analysis *analysis, struct session *session)
{
	struct profile_request request = { 0 };
	profile_request_read(&request, analysis_parameter(analysis), &analysis->scope);
	const char **pattern = request.ignore != NULL ? &request.ignore : &request.focus;
	bool has_any = *pattern != NULL;
	*pattern = NULL;
	if (has_any)
		choose(analysis, session, &request);
	profile_request_release(&request);
	return has_any;
}

/* What all forms have in common; false for other commands. */
static bool
choose_command(struct analysis *analysis, struct session *session, enum command command,
	const char *argument)
{
	const struct profile_page *page = analysis->state;
	bool is_searched = analysis->form == PROFILE_BY_FUNCTION
				   ? page->top.pattern != NULL || page->top.only != NULL
				   : page->pattern != NULL;
	/* Trees have no rows to leave out but stacks. */
	if (command == COMMAND_FILTER_ROWS && analysis->form != PROFILE_BY_FUNCTION)
		command = COMMAND_FOCUS_CALLS;
	if (command == COMMAND_CLEAR_SEARCH)
		return !is_searched && drop_calls(analysis, session);
	if (command != COMMAND_FOCUS_CALLS && command != COMMAND_IGNORE_CALLS)
		return false;
	if (argument != NULL)
		change_calls(analysis, session, command, argument);
	return true;
}

/* ---- commands that both trees have */

/* There are two sides to see: what is, and what was, where what is gone can be seen. */
static bool
has_sides(const struct analysis *analysis)
{
	const struct profile_numbers *numbers = analysis->numbers;
	return numbers->diffs[0] != NULL;
}

static struct view_answer
change_side(const struct analysis *analysis)
{
	struct profile_page *page = analysis->state;
	page->shows_before = !page->shows_before;
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static struct view_answer
turn_round(const struct analysis *analysis, const struct session *session)
{
	struct profile_page *page = analysis->state;
	const struct call_page *before = calls_of(analysis);
	size_t length;
	const char *name = call_page_name(before, session->trace, before->selected, &length);
	bool has_function = before->selected != 0;
	page->is_inverted = !page->is_inverted;
	if (has_function)
		call_page_select(calls_of(analysis), session->trace, name, length);
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

/* From a function to the calls that led to it. */
struct view_answer
profile_page_open(const struct analysis *analysis, struct session *session, const char *tree,
	const char *function, size_t length)
{
	struct profile_page *page = analysis->state;
	struct analysis_choice choice = analysis_choose(tree);
	page->is_inverted = true;
	call_page_select(&page->calls[1], session->trace, function, length);
	choice.parameter = analysis_parameter(analysis);
	choice.length = analysis->parameter.length;
	choice.of = &analysis->scope;
	return analysis_open(session, &choice);
}

static void
tell_matches(const struct call_page *calls, struct session *session)
{
	struct text share = { 0 };
	bool is_any = calls->match_count > 0;
	call_page_add_matched(calls, session->ascii, &share);
	session_status(session, !is_any, is_any ? "matched: %s" : "nothing matches%s",
		is_any ? text_string(&share) : "");
	text_release(&share);
}

static bool
take_search(struct profile_page *page, const struct session *session, const char *text,
	struct error *note)
{
	if (!pattern_replace(&page->pattern, text, note))
		return false;
	page->is_searched = false;
	search_trees(page, session);
	return true;
}

static void
search(struct profile_page *page, struct session *session, const char *argument)
{
	struct error note;
	error_clear(&note);
	if (take_search(page, session, argument, &note))
		tell_matches(&page->calls[page->is_inverted], session);
	else
		session_status(session, true, "%s", note.message);
}

static bool
drop_search(struct profile_page *page, const struct session *session)
{
	if (page->pattern == NULL)
		return false;
	pattern_free(page->pattern);
	page->pattern = NULL;
	page->is_searched = false;
	search_trees(page, session);
	return true;
}

/* What trees and flame graphs have in common; false for other commands. */
static bool
search_command(const struct analysis *analysis, struct session *session, enum command command,
	const char *argument)
{
	struct profile_page *page = analysis->state;
	switch ((int)command) {
	case COMMAND_SEARCH:
		if (argument != NULL)
			search(page, session, argument);
		return true;
	case COMMAND_NEXT_MATCH:
	case COMMAND_PREVIOUS_MATCH:
		if (!call_page_next_match(calls_of(analysis), command == COMMAND_NEXT_MATCH))
			session_status(session, false, "nothing is searched: / begins");
		return true;
	case COMMAND_CLEAR_SEARCH:
		return drop_search(page, session);
	default:
		return false;
	}
}

struct view_answer
profile_page_command(struct analysis *analysis, struct session *session, enum command command,
	long count, const char *argument)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	long by = count < 1 ? 1 : count;
	if (choose_command(analysis, session, command, argument))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	if (analysis->form == PROFILE_BY_FUNCTION)
		return figure_page_command(&table, session, command, by, argument);
	if (calls->tree == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (command == COMMAND_REVERSE)
		return turn_round(analysis, session);
	if (search_command(analysis, session, command, argument))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	if (analysis->form == PROFILE_AS_TREE)
		return call_lines_command(calls, command, by);
	if (command == COMMAND_NEXT_STATISTIC && has_sides(analysis))
		return change_side(analysis);
	return flame_page_command(calls, session, command, by);
}

bool
profile_page_lacks(const struct analysis *analysis, enum command command)
{
	struct analysis table = table_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION)
		return command != COMMAND_FOCUS_CALLS && figure_page_lacks(&table, command);
	bool shows_side = analysis->form == PROFILE_AS_FLAME && has_sides(analysis);
	return command == COMMAND_FILTER_ROWS || command == COMMAND_SORT_LEFT ||
	       (command == COMMAND_NEXT_STATISTIC && !shows_side);
}

struct view_answer
profile_page_mouse(
	struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION)
		return figure_page_mouse(&table, session, mouse);
	if (calls->tree == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return analysis->form == PROFILE_AS_TREE ? call_lines_mouse(calls, mouse)
					 : flame_page_mouse(calls, mouse);
}

static enum diff_side
side_of(const struct profile_page *page)
{
	return page->shows_before ? DIFF_BEFORE : DIFF_AFTER;
}

void
profile_page_lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION) {
		figure_page_lay_out(&table, session, canvas);
		return;
	}
	if (calls->tree == NULL)
		return;
	search_trees(analysis->state, session);
	if (analysis->form == PROFILE_AS_TREE)
		call_lines_lay_out(calls, canvas);
	else
		flame_page_lay_out(calls, side_of(analysis->state), canvas);
}

void
profile_page_draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION)
		figure_page_draw(&table, session, canvas);
	else if (calls->tree != NULL && analysis->form == PROFILE_AS_TREE)
		call_lines_draw(calls, session, canvas);
	else if (calls->tree != NULL)
		flame_page_draw(calls, side_of(analysis->state), session, canvas);
}

void
profile_page_position(const struct analysis *analysis, struct text *out)
{
	struct analysis table = table_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION)
		figure_page_position(&table, out);
}

void
profile_page_place(const struct analysis *analysis, struct view_place *here)
{
	struct analysis table = table_of(analysis);
	const struct call_page *calls = calls_of(analysis);
	*here = (struct view_place){ 0 };
	if (analysis->form == PROFILE_BY_FUNCTION)
		figure_page_place(&table, here);
	else if (calls->tree != NULL)
		call_page_place(calls,
			analysis->form == PROFILE_AS_TREE ? calls->top : calls->first_row, here);
}

void
profile_page_go_to_place(
	struct analysis *analysis, struct session *session, const struct view_place *there)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == PROFILE_BY_FUNCTION)
		figure_page_go_to_place(&table, session, there);
	if (analysis->form == PROFILE_BY_FUNCTION || calls->tree == NULL)
		return;
	search_trees(analysis->state, session); /* which selects a match, so before */
	call_page_go_to_place(calls, there);
	if (analysis->form == PROFILE_AS_TREE)
		calls->top = there->top;
	else
		calls->first_row = (uint32_t)there->top;
}

void
profile_page_name_settings(const struct analysis *analysis, const struct setting_sink *sink)
{
	struct analysis table = table_of(analysis);
	const struct profile_page *page = analysis->state;
	if (page->is_inverted)
		setting_tell(sink, "reverse", "on");
	if (page->shows_before)
		setting_tell(sink, "widths", "before");
	if (analysis->form == PROFILE_BY_FUNCTION) {
		figure_page_name_settings(&table, sink);
		return;
	}
	if (page->pattern != NULL)
		setting_tell(sink, "search", pattern_text(page->pattern));
	if (calls_of(analysis)->tree != NULL)
		call_page_name_settings(calls_of(analysis), sink);
}

bool
profile_page_set(struct analysis *analysis, struct session *session, const char *setting)
{
	struct analysis table = table_of(analysis);
	struct profile_page *page = analysis->state;
	const char *searched = setting_value(setting, "search");
	struct error note;
	error_clear(&note);
	if (strcmp(setting, "reverse=on") == 0)
		return page->is_inverted = true;
	if (strcmp(setting, "widths=before") == 0 && has_sides(analysis))
		return page->shows_before = true;
	if (analysis->form == PROFILE_BY_FUNCTION)
		return figure_page_set(&table, session, setting);
	if (searched == NULL)
		return calls_of(analysis)->tree != NULL &&
		       call_page_set_one(calls_of(analysis), setting);
	return take_search(page, session, searched, &note);
}
