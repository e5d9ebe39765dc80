/* The page of any analysis of the registry: its tables, kept as figures; moving, sorting and searching. */
#include "view/figure_page.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "query/pattern.h"
#include "view/analyses.h"

/* ---- the numbers */

static const uint8_t styles[HUE_COUNT] = {
	[HUE_NONE] = STYLE_DEFAULT,
	[HUE_RUNNING] = STYLE_RUNNING,
	[HUE_READY] = STYLE_READY,
	[HUE_SYNC] = STYLE_SYNC,
	[HUE_SYSCALL] = STYLE_SYSCALL,
	[HUE_COLLECTION] = STYLE_GC,
	[HUE_COLLECTOR] = STYLE_GC_WORKER,
	[HUE_STOP] = STYLE_STW,
	[HUE_UNKNOWN] = STYLE_UNKNOWN,
	[HUE_LESS] = STYLE_LESS_LAST,
	[HUE_MORE] = STYLE_MORE_LAST,
};

void
figure_page_color(struct figures *figures)
{
	for (struct figures *it = figures; it != NULL; it = it->next)
		for (int i = 0; i < it->column_count; i++)
			it->columns[i].style = styles[it->columns[i].style];
}

static void *
build(struct analysis_work *work, struct error *err)
{
	enum { MOST_ROWS = 10000 };
	struct figures_sink keep;
	if (!figures_sink_begin(&keep, work->trace, false, err))
		return NULL;
	keep.is_cancelled = &work->watch.is_cancelled;
	work->limit = MOST_ROWS;
	struct figures *tables = figures_sink_end(&keep, work->kind->fill(work, &keep.sink, err), err);
	figure_page_color(tables);
	return tables;
}

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

void
figure_page_release(void *numbers)
{
	figures_free(numbers);
}

void
figure_page_end(void *state)
{
	struct figure_page *page = state;
	memory_free(page->order);
	pattern_free(page->only);
	pattern_free(page->pattern);
}

void
figure_page_made(struct analysis *analysis)
{
	struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	page->is_ordered = false;
	page->width = 0;
	if (!page->is_used || page->sort_column >= figures->column_count)
		page->sort_column = figures->usual_column;
	if (page->layer >= figures->layer_count)
		page->layer = 0;
	page->is_used = true;
}

/* What a command works on. */
struct request {
	struct figure_page *page;
	const struct figures *figures;
	const struct analysis *analysis;
	struct session *session;
	enum command command;
	long count; /* at least 1 */
	const char *argument;
};

/* ---- moving */

static void
select_row(struct figure_page *page, size_t from, long by)
{
	long count = (long)page->shown, to = (long)from + by;
	page->selected = to < 0 || count == 0 ? 0 : (size_t)(to < count ? to : count - 1);
}

static struct view_answer
move(const struct request *request)
{
	struct figure_page *page = request->page;
	bool is_up = request->command == COMMAND_UP || request->command == COMMAND_PAGE_UP;
	bool is_page = request->command == COMMAND_PAGE_UP || request->command == COMMAND_PAGE_DOWN;
	long by = request->count * (is_page && page->page > 0 ? (long)page->page : 1);
	select_row(page, page->selected, is_up ? -by : by);
	return redraw;
}

static struct view_answer
go_to_end(const struct request *request)
{
	struct figure_page *page = request->page;
	select_row(page, request->command == COMMAND_FIRST_ROW ? 0 : page->shown, 0);
	return redraw;
}

static struct view_answer
scroll_columns(const struct request *request)
{
	struct figure_page *page = request->page;
	long by = request->command == COMMAND_COLUMN_LEFT ? -request->count : request->count;
	long to = (page->first_column > 0 ? page->first_column : 1) + by;
	long last = request->figures->column_count - 1;
	page->first_column = (int)(to > last ? last : to < 1 ? 1 : to);
	return redraw;
}

/* ---- order */

/* The row that was selected stays so. */
static void
arrange_again(const struct request *request)
{
	struct figure_page *page = request->page;
	uint32_t row = page->selected < page->shown ? page->order[page->selected] : 0;
	page->is_ordered = false;
	figure_rows_arrange(page, request->figures, request->session->trace);
	page->selected = figure_rows_find(page, row);
}

static void
sort_by(const struct request *request, int column)
{
	request->page->sort_column = column;
	request->page->is_reversed = false;
	request->page->shows_sort = true;
	request->page->is_ordered = false;
	request->page->selected = 0;
}

static struct view_answer
sort(const struct request *request)
{
	int count = request->figures->column_count;
	int by = (int)(request->count % count);
	int step = request->command == COMMAND_SORT_LEFT ? count - by : by;
	sort_by(request, (request->page->sort_column + step) % count);
	return redraw;
}

static struct view_answer
reverse(const struct request *request)
{
	request->page->is_reversed = !request->page->is_reversed;
	request->page->is_ordered = false;
	request->page->selected = 0;
	return redraw;
}

static struct view_answer
change_statistic(const struct request *request)
{
	struct figure_page *page = request->page;
	int count = request->figures->layer_count;
	if (count < 2) {
		session_status(request->session, false, "these are no statistics");
		return redraw;
	}
	page->layer = (int)((page->layer + request->count) % count);
	arrange_again(request);
	return redraw;
}

/* ---- patterns */

/* Takes a pattern in place of the one before; false, and that one stays, where it cannot be. */
static bool
take_pattern(const struct request *request, struct pattern **pattern)
{
	struct error note;
	error_clear(&note);
	bool is_taken = pattern_replace(pattern, request->argument, &note);
	if (note.kind != ERROR_NONE)
		session_status(request->session, true, "%s", note.message);
	return is_taken;
}

static void
tell_shown(const struct request *request)
{
	char shown[UNITS_TEXT], count[UNITS_TEXT];
	units_count(shown, request->page->shown);
	units_count(count, request->figures->row_count);
	session_status(request->session, request->page->shown == 0, "%s of %s rows", shown, count);
}

static struct view_answer
filter(const struct request *request)
{
	struct figure_page *page = request->page;
	if (request->argument == NULL || *request->argument == '\0') {
		pattern_free(page->only);
		page->only = NULL;
	} else if (!take_pattern(request, &page->only)) {
		return redraw;
	}
	arrange_again(request);
	if (page->only != NULL)
		tell_shown(request);
	return redraw;
}

/* Goes to the next row that matches, from the selected one on or behind it; round at the ends. */
static bool
go_to_match(const struct request *request, bool forward, bool is_here_fine)
{
	struct figure_page *page = request->page;
	struct text scratch = { 0 };
	bool is_found = false;
	for (size_t step = is_here_fine ? 0 : 1; !is_found && step <= page->shown && page->shown > 0;
		step++) {
		size_t by = step % page->shown;
		size_t at = (page->selected + (forward ? by : page->shown - by)) % page->shown;
		is_found = figure_row_matches(page, request->figures, request->session->trace,
			page->order[at], page->pattern, &scratch);
		page->selected = is_found ? at : page->selected;
	}
	text_release(&scratch);
	if (!is_found)
		session_status(request->session, true, "nothing matches");
	return is_found;
}

static struct view_answer
search(const struct request *request)
{
	if (request->argument != NULL && take_pattern(request, &request->page->pattern))
		go_to_match(request, true, true);
	return redraw;
}

static struct view_answer
next_match(const struct request *request)
{
	bool forward = request->command == COMMAND_NEXT_MATCH;
	if (request->page->pattern == NULL)
		session_status(request->session, false, "nothing is searched: / begins");
	else
		for (long i = 0; i < request->count && go_to_match(request, forward, false); i++)
			continue;
	return redraw;
}

static struct view_answer
clear_search(const struct request *request)
{
	struct figure_page *page = request->page;
	if (page->pattern == NULL && page->only == NULL)
		return nothing;
	struct pattern **dropped = page->pattern != NULL ? &page->pattern : &page->only;
	pattern_free(*dropped);
	*dropped = NULL;
	arrange_again(request);
	return redraw;
}

/* ---- where a row leads */

/* The analysis that the row's name is the parameter of. */
static struct view_answer
open_named(const struct request *request, size_t row)
{
	const struct figures *figures = request->figures;
	struct text name = { 0 }, parameter = { 0 };
	struct analysis_choice choice = analysis_choose(figures->opens);
	struct view_answer answer = redraw;
	figures_add_name(figures, request->session->trace, (struct figures_at){ 0, row, 0 }, &name);
	if (figures->parameter_of != NULL)
		figures->parameter_of(text_string(&name), name.length, &parameter);
	const struct text *of = figures->parameter_of != NULL ? &parameter : &name;
	choice.parameter = text_string(of);
	choice.length = of->length;
	if (figures->columns[0].type == FIGURE_FUNCTION && name.length == 0)
		session_status(request->session, false, "nobody knows which {actors} these are");
	else
		answer = analysis_open(request->session, &choice);
	text_release(&name);
	text_release(&parameter);
	return answer;
}

static struct view_answer
open_row(const struct request *request)
{
	const struct figures *figures = request->figures;
	if (request->page->shown == 0)
		return redraw;
	size_t row = request->page->order[request->page->selected];
	if (request->analysis->ops->open != NULL)
		return request->analysis->ops->open(request->analysis, request->session, row);
	if (figures->opens != NULL)
		return open_named(request, row);
	if (figures->places == NULL) {
		session_status(request->session, false, "the row leads nowhere");
		return redraw;
	}
	const struct result_place *place = &figures->places[row];
	return analysis_leave(request->session, place->lane, place->from_ns, place->until_ns);
}

static struct view_answer
tell_no_calls(const struct request *request)
{
	session_status(request->session, false, "only profiles have calls: top, tree and flame");
	return redraw;
}

/* ---- commands */

static const struct {
	enum command command;
	struct view_answer (*carry_out)(const struct request *request);
} commands[] = {
	{ COMMAND_UP, move },
	{ COMMAND_DOWN, move },
	{ COMMAND_PAGE_UP, move },
	{ COMMAND_PAGE_DOWN, move },
	{ COMMAND_FIRST_ROW, go_to_end },
	{ COMMAND_LAST_ROW, go_to_end },
	{ COMMAND_COLUMN_LEFT, scroll_columns },
	{ COMMAND_COLUMN_RIGHT, scroll_columns },
	{ COMMAND_SORT_LEFT, sort },
	{ COMMAND_SORT_RIGHT, sort },
	{ COMMAND_REVERSE, reverse },
	{ COMMAND_NEXT_STATISTIC, change_statistic },
	{ COMMAND_FILTER_ROWS, filter },
	{ COMMAND_SEARCH, search },
	{ COMMAND_NEXT_MATCH, next_match },
	{ COMMAND_PREVIOUS_MATCH, next_match },
	{ COMMAND_CLEAR_SEARCH, clear_search },
	{ COMMAND_OPEN, open_row },
	{ COMMAND_FOCUS_CALLS, tell_no_calls },
	{ COMMAND_IGNORE_CALLS, tell_no_calls },
};

static struct request
request_of(struct analysis *analysis, struct session *session)
{
	struct request request = {
		.page = analysis->state,
		.figures = analysis->numbers,
		.analysis = analysis,
		.session = session,
		.count = 1,
	};
	figure_rows_arrange(request.page, request.figures, session->trace);
	select_row(request.page, request.page->selected, 0);
	return request;
}

struct view_answer
figure_page_command(struct analysis *analysis, struct session *session, enum command command,
	long count, const char *argument)
{
	struct request request = request_of(analysis, session);
	request.command = command;
	request.count = count < 1 ? 1 : count;
	request.argument = argument;
	for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
		if (commands[i].command == command)
			return commands[i].carry_out(&request);
	}
	return nothing;
}

bool
figure_page_lacks(const struct analysis *analysis, enum command command)
{
	const struct figures *figures = analysis->numbers;
	return command == COMMAND_FOCUS_CALLS ||
	       (command == COMMAND_NEXT_STATISTIC && figures->layer_count < 2);
}

/* A click on a title sorts by it, the other way round where that is so already. */
static struct view_answer
press_title(const struct request *request, int x)
{
	int column = figure_draw_column_at(request->page, x);
	if (column == request->page->sort_column)
		reverse(request);
	else if (column >= 0)
		sort_by(request, column);
	return (struct view_answer){ .reaction = VIEW_REDRAW, .takes_press = true };
}

struct view_answer
figure_page_mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	enum { WHEEL_ROWS = 3 };
	struct request request = request_of(analysis, session);
	struct figure_page *page = request.page;
	if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
		select_row(page, page->selected,
			mouse->kind == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		return redraw;
	}
	if (mouse->kind != MOUSE_PRESS)
		return nothing;
	if (mouse->y == 0)
		return press_title(&request, mouse->x);
	size_t row = page->top + (size_t)mouse->y - 1;
	if (row < page->shown)
		page->selected = row;
	return redraw;
}

void
figure_page_lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	struct request request = request_of(analysis, session);
	figure_draw_lay_out(request.page, request.figures, session, canvas);
}

void
figure_page_draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	figure_draw(analysis->state, analysis->numbers, session, canvas);
}

void
figure_page_place(const struct analysis *analysis, struct view_place *place)
{
	const struct figure_page *page = analysis->state;
	*place = (struct view_place){ .line = page->selected, .top = page->top };
}

void
figure_page_go_to_place(
	struct analysis *analysis, struct session *session, const struct view_place *place)
{
	struct figure_page *page = request_of(analysis, session).page;
	select_row(page, place->line, 0);
	page->top = place->top < page->shown ? place->top : page->selected;
}

void
figure_page_position(const struct analysis *analysis, struct text *out)
{
	const struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	char number[UNITS_TEXT], count[UNITS_TEXT];
	if (page->shown == 0)
		return;
	units_count(number, page->selected + 1);
	units_count(count, page->shown);
	text_format(out, "%s of %s", number, count);
	if (figures->all_count <= figures->row_count)
		return;
	units_count(count, figures->all_count);
	text_format(out, " of %s", count);
}

/* ---- how it was left */

static void
tell_pattern(const struct setting_sink *sink, const char *name, const struct pattern *pattern)
{
	if (pattern != NULL)
		setting_tell(sink, name, pattern_text(pattern));
}

void
figure_page_name_settings(const struct analysis *analysis, const struct setting_sink *sink)
{
	const struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	int column = page->sort_column + 1;
	if (page->sort_column != figures->usual_column || page->is_reversed)
		setting_tell_number(sink, "sort", page->is_reversed ? -column : column);
	if (page->layer > 0)
		setting_tell_number(sink, "statistic", page->layer + 1);
	tell_pattern(sink, "only", page->only);
	tell_pattern(sink, "search", page->pattern);
	if (page->first_column > 1)
		setting_tell_number(sink, "column", page->first_column);
}

/* False where there is none. */
static bool
set_pattern(struct pattern **pattern, const char *text)
{
	struct error note;
	error_clear(&note);
	return text != NULL && pattern_replace(pattern, text, &note);
}

bool
figure_page_set(struct analysis *analysis, struct session *session, const char *setting)
{
	struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	int64_t last = figures->column_count, number;
	(void)session;
	page->is_ordered = false;
	if (setting_number(setting, "sort", -last, last, &number) && number != 0) {
		page->is_reversed = number < 0;
		page->sort_column = (int)(number < 0 ? -number : number) - 1;
		return true;
	}
	if (setting_number(setting, "statistic", 1, figures->layer_count, &number)) {
		page->layer = (int)number - 1;
		return true;
	}
	if (setting_number(setting, "column", 1, last - 1, &number)) {
		page->first_column = (int)number;
		return true;
	}
	return set_pattern(&page->only, setting_value(setting, "only")) ||
	       set_pattern(&page->pattern, setting_value(setting, "search"));
}

/* ---- the analysis */

static void
title(const struct analysis *analysis, struct text *out)
{
	const struct analysis_kind *kind = analysis->kind;
	struct error ignored;
	error_clear(&ignored);
	void *parameter = NULL;
	if (kind->title_of == NULL)
		text_add_safe(out, analysis_parameter(analysis), analysis->parameter.length, false);
	else if (analysis_read(kind, analysis_parameter(analysis), 0, &parameter, &ignored))
		kind->title_of(&analysis->scope, analysis->words, parameter, out);
	analysis_forget(kind, parameter);
}

const struct analysis_ops table_analysis = {
	.build = build,
	.title = title,
	FIGURE_PAGE_FUNCTIONS,
};
