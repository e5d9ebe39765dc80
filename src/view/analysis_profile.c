/* A profile by function, as a tree of calls and as a flame graph: three forms of the same numbers. */
#include <stdio.h>
#include <string.h>

#include "analysis/calltree.h"
#include "analysis/profile_top.h"
#include "base/memory.h"
#include "query/pattern.h"
#include "view/analysis_kinds.h"
#include "view/call_page.h"
#include "view/figure_page.h"
#include "view/profile_choice.h"

enum { BY_FUNCTION, AS_TREE, AS_FLAME }; /* forms, as view/analyses.c has them */
enum { MILLION = 1000000 };

struct profile_numbers {
	enum profile_kind kind;
	int64_t whole; /* of the profile, also of what is not in focus */
	struct figures *top;
	struct call_tree trees[2]; /* from the outermost functions, and from the leaves */
};

struct profile_page {
	struct figure_page top;    /* first: its rows lead to what is behind it */
	struct call_page calls[2]; /* of the trees */
	bool is_inverted;          /* the second one is shown */
	struct pattern *pattern;   /* searched in the trees; NULL: nothing */
	bool is_searched;          /* else the trees do not know of it yet */
};

static const struct {
	const char *words;
	uint8_t style;
} kinds[PROFILE_KIND_COUNT] = {
	[PROFILE_NET] = { "Network waits", STYLE_NETWORK },
	[PROFILE_SYNC] = { "Synchronisation waits", STYLE_SYNC },
	[PROFILE_SYSCALL] = { "System calls", STYLE_SYSCALL },
	[PROFILE_SCHED] = { "Scheduling waits", STYLE_READY },
	[PROFILE_CPU] = { "CPU samples", STYLE_RUNNING },
	[PROFILE_OFFCPU] = { "Time off the CPU", STYLE_OTHER },
};

/* ---- the profile that is meant */

static bool
accepts(const char *parameter)
{
	struct profile_choice choice = { 0 };
	bool is_fine = profile_choice_read(&choice, parameter);
	profile_choice_release(&choice);
	return is_fine;
}

static struct profile_scope
scope_of(struct analysis_work *work)
{
	struct profile_scope scope = profile_whole(work->trace);
	scope.t0_ns = work->scope.t0_ns;
	scope.t1_ns = work->scope.t1_ns;
	scope.goroutine = work->scope.goroutine;
	scope.task = work->scope.task;
	scope.function = work->scope.function;
	scope.only = work->only;
	scope.watch = &work->watch;
	return scope;
}

/* ---- its numbers */

static void
set_column(struct figures *figures, int column, const char *title, enum figure_type type,
	uint8_t style)
{
	struct figures_column *it = &figures->columns[column];
	snprintf(it->title, sizeof it->title, "%s", title);
	it->type = type;
	it->style = style;
}

static int64_t
share_of(int64_t part, int64_t whole)
{
	return whole > 0 ? (int64_t)((double)part / (double)whole * MILLION) : 0;
}

/* From a function to the calls that led to it. */
static struct view_answer
open_function(const struct analysis *analysis, struct session *session, size_t row)
{
	struct profile_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	struct text name = { 0 };
	page->is_inverted = true;
	call_page_select(&page->calls[1], (string_id)*figures_cell(figures, 0, row, 0));
	text_format(&name, "tree:%s", analysis_parameter(analysis));
	struct view_answer answer =
		analysis_open_of(session, name.failed ? "" : name.bytes, &analysis->scope);
	text_release(&name);
	return answer;
}

static struct figures *
figures_of(const struct profile *profile, const struct profile_top *top, struct error *err)
{
	enum figure_type type = profile->kind == PROFILE_CPU ? FIGURE_COUNT : FIGURE_DURATION;
	uint8_t style = kinds[profile->kind].style;
	struct figures *figures = figures_new(top->row_count, 5, 1, err);
	if (figures == NULL)
		return NULL;
	set_column(figures, 0, "function", FIGURE_CALLED, STYLE_DEFAULT);
	set_column(figures, 1, "flat", type, style);
	set_column(figures, 2, "flat%", FIGURE_SHARE, STYLE_DEFAULT);
	set_column(figures, 3, "cum", type, style);
	set_column(figures, 4, "cum%", FIGURE_SHARE, STYLE_DEFAULT);
	figures->usual_column = 1;
	figures->open = open_function;
	figures->none = "nothing of the kind";
	for (uint32_t i = 0; i < top->row_count; i++) {
		const struct top_row *row = &top->rows[i];
		int64_t total = profile_total(profile);
		*figures_cell(figures, 0, i, 0) = row->function;
		*figures_cell(figures, 0, i, 1) = row->flat;
		*figures_cell(figures, 0, i, 2) = share_of(row->flat, total);
		*figures_cell(figures, 0, i, 3) = row->cum;
		*figures_cell(figures, 0, i, 4) = share_of(row->cum, total);
	}
	return figures;
}

static bool
fill(struct profile_numbers *numbers, const struct analysis_work *work,
	const struct profile *profile, struct error *err)
{
	struct profile_top top;
	numbers->kind = profile->kind;
	numbers->whole = profile_total(profile);
	if (!call_tree_build(&numbers->trees[0], work->trace, profile, false, err) ||
		!call_tree_build(&numbers->trees[1], work->trace, profile, true, err) ||
		!profile_top_build(&top, work->trace, profile, TOP_BY_FLAT, err))
		return false;
	numbers->top = figures_of(profile, &top, err);
	profile_top_release(&top);
	return numbers->top != NULL;
}

static void
release(void *made)
{
	struct profile_numbers *numbers = made;
	figures_free(numbers->top);
	call_tree_release(&numbers->trees[0]);
	call_tree_release(&numbers->trees[1]);
	memory_free(numbers);
}

/* The profile that is chosen; to be released after success. */
static bool
build_chosen(struct profile *profile, struct analysis_work *work,
	const struct profile_choice *choice, struct error *err)
{
	struct profile_scope scope = scope_of(work);
	scope.rule = choice->rule;
	search_watch_expect(&work->watch, trace_state_count(work->trace));
	if (!profile_build(profile, work->trace, choice->kind, &scope, err))
		return false;
	if (profile_choice_filter(choice, profile, work->trace, err))
		return true;
	profile_release(profile);
	return false;
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct profile profile;
	struct profile_choice choice = { 0 };
	profile_choice_read(&choice, work->parameter);
	bool is_built = build_chosen(&profile, work, &choice, err);
	profile_choice_release(&choice);
	if (!is_built)
		return NULL;
	struct profile_numbers *numbers = array_new(1, sizeof *numbers, err);
	bool is_fine = numbers != NULL && fill(numbers, work, &profile, err);
	profile_release(&profile);
	if (is_fine)
		return numbers;
	if (numbers != NULL)
		release(numbers);
	return NULL;
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

static void
made(struct analysis *analysis)
{
	const struct profile_numbers *numbers = analysis->numbers;
	struct profile_page *page = analysis->state;
	struct analysis table = table_of(analysis);
	figure_page_made(&table);
	page->is_searched = false;
	/* Both, whatever becomes of one: neither may go on with what was released. */
	for (int i = 0; i < 2; i++) {
		page->calls[i].kind = numbers->kind;
		page->calls[i].style = kinds[numbers->kind].style;
		page->calls[i].whole = numbers->whole;
		call_page_set(&page->calls[i], &numbers->trees[i], &analysis->failure);
	}
}

static void
end(void *state)
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
	[BY_FUNCTION] = { " by function", " by function" },
	[AS_TREE] = { ", calls", ", callers" },
	[AS_FLAME] = { ", flame graph", ", callers as flames" },
};

static void
add_pattern(struct text *out, const char *before, const struct text *pattern)
{
	if (pattern->length == 0)
		return;
	text_add_string(out, before);
	text_add_safe(out, pattern->bytes, pattern->length, false);
}

static void
title(const struct analysis *analysis, struct text *out)
{
	const struct profile_page *page = analysis->state;
	struct profile_choice choice = { 0 };
	profile_choice_read(&choice, analysis_parameter(analysis));
	text_add_string(out, kinds[choice.kind].words);
	if (choice.rule == PROFILE_EXACT)
		text_add_string(out, ", exact");
	text_add_string(out, form_words[analysis->form][page->is_inverted]);
	add_pattern(out, ", focus ", &choice.focus);
	add_pattern(out, ", ignore ", &choice.ignore);
	profile_choice_release(&choice);
}

/* ---- which calls are meant */

/* What all forms have in common; false for other commands. */
static bool
choose_command(struct analysis *analysis, struct session *session, enum command command,
	const char *argument)
{
	const struct profile_page *page = analysis->state;
	bool is_searched = analysis->form == BY_FUNCTION
				   ? page->top.pattern != NULL || page->top.only != NULL
				   : page->pattern != NULL;
	if (command == COMMAND_CLEAR_SEARCH)
		return !is_searched && profile_choice_drop(analysis, session);
	if (command != COMMAND_FOCUS_CALLS && command != COMMAND_IGNORE_CALLS)
		return false;
	if (argument != NULL)
		profile_choice_change(analysis, session, command, argument);
	return true;
}

/* ---- commands that both trees have */

static struct view_answer
turn_round(const struct analysis *analysis)
{
	struct profile_page *page = analysis->state;
	const struct call_page *before = calls_of(analysis);
	string_id function = before->tree->nodes[before->selected].function;
	bool has_function = before->selected != 0;
	page->is_inverted = !page->is_inverted;
	if (has_function)
		call_page_select(calls_of(analysis), function);
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static void
tell_matches(const struct call_page *calls, struct session *session)
{
	struct text share = { 0 };
	call_page_add_share(calls, calls->matched, &share);
	session_status(session, calls->matched == 0, calls->matched == 0 ? "nothing matches%s" : "matched: %s",
		calls->matched == 0 || share.failed ? "" : share.bytes);
	text_release(&share);
}

static void
search(struct profile_page *page, struct session *session, const char *argument)
{
	struct error note;
	error_clear(&note);
	struct pattern *pattern = pattern_new(argument, &note);
	if (pattern == NULL) {
		session_status(session, true, "%s", note.message);
		return;
	}
	pattern_free(page->pattern);
	page->pattern = pattern;
	page->is_searched = false;
	search_trees(page, session);
	tell_matches(&page->calls[page->is_inverted], session);
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
	case COMMAND_FILTER_ROWS:
		session_status(session, false, "rows are of the table: f turns to it");
		return true;
	default:
		return false;
	}
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	long by = count < 1 ? 1 : count;
	if (choose_command(analysis, session, command, argument))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	if (analysis->form == BY_FUNCTION)
		return figure_page_command(&table, session, command, by, argument);
	if (calls->tree == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (command == COMMAND_REVERSE)
		return turn_round(analysis);
	if (search_command(analysis, session, command, argument))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	return analysis->form == AS_TREE ? call_lines_command(calls, command, by)
					 : flame_page_command(calls, session, command, by);
}

static bool
lacks(const struct analysis *analysis, enum command command)
{
	struct analysis table = table_of(analysis);
	if (analysis->form == BY_FUNCTION)
		return command != COMMAND_FOCUS_CALLS && figure_page_lacks(&table, command);
	return command == COMMAND_FILTER_ROWS || command == COMMAND_SORT_LEFT ||
	       command == COMMAND_NEXT_STATISTIC;
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == BY_FUNCTION)
		return figure_page_mouse(&table, session, mouse);
	if (calls->tree == NULL)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	return analysis->form == AS_TREE ? call_lines_mouse(calls, mouse)
					 : flame_page_mouse(calls, mouse);
}

static void
draw(struct analysis *analysis, struct session *session, struct canvas *canvas)
{
	struct analysis table = table_of(analysis);
	struct call_page *calls = calls_of(analysis);
	if (analysis->form == BY_FUNCTION) {
		figure_page_draw(&table, session, canvas);
		return;
	}
	if (calls->tree == NULL)
		return;
	search_trees(analysis->state, session);
	if (analysis->form == AS_TREE)
		call_lines_draw(calls, session, canvas);
	else
		flame_page_draw(calls, session, canvas);
}

static void
position(const struct analysis *analysis, struct text *out)
{
	struct analysis table = table_of(analysis);
	if (analysis->form == BY_FUNCTION)
		figure_page_position(&table, out);
}

/* Of the table. */
static void
place(const struct analysis *analysis, struct view_place *here)
{
	struct analysis table = table_of(analysis);
	*here = (struct view_place){ 0 };
	if (analysis->form == BY_FUNCTION)
		figure_page_place(&table, here);
}

static void
go_to_place(struct analysis *analysis, struct session *session, const struct view_place *there)
{
	struct analysis table = table_of(analysis);
	if (analysis->form == BY_FUNCTION)
		figure_page_go_to_place(&table, session, there);
}

const struct analysis_ops profile_analysis = {
	.limits = ANALYSIS_BY_GOROUTINE | ANALYSIS_BY_TASK | ANALYSIS_BY_FUNCTION | ANALYSIS_BY_QUERY,
	.accepts = accepts,
	.build = build,
	.release = release,
	.state_size = sizeof(struct profile_page),
	.end = end,
	.made = made,
	.title = title,
	.command = command,
	.lacks = lacks,
	.mouse = mouse,
	.draw = draw,
	.position = position,
	.place = place,
	.go_to_place = go_to_place,
};
