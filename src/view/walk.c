/* Moves the selected step, and keeps it in sight. */
#include "view/walk.h"

#include "base/memory.h"
#include "base/units.h"
#include "draw/line_mark.h"
#include "draw/slice_row.h"

void
walk_release(struct walk *walk)
{
	lines_release(&walk->lines);
	text_release(&walk->scratch);
	memory_free(walk->steps);
	*walk = (struct walk){ 0 };
}

void
walk_forget(struct walk *walk)
{
	walk->has_page = false;
}

bool
walk_begins(struct walk *walk, const struct session *session, const struct canvas *canvas,
	struct sheet *sheet)
{
	if (walk->has_page && walk->width == canvas->width && walk->is_wall == session->is_wall &&
		walk->ascii == canvas->ascii)
		return false;
	lines_clear(&walk->lines);
	walk->count = 0;
	walk->has_page = true;
	walk->width = canvas->width;
	walk->is_wall = session->is_wall;
	walk->ascii = canvas->ascii;
	*sheet = (struct sheet){
		.lines = &walk->lines,
		.trace = session->trace,
		.scratch = &walk->scratch,
		.width = canvas->width,
		.wrapped_column = WALK_TEXT_COLUMN + 2,
		.is_wall = session->is_wall,
		.ascii = canvas->ascii,
	};
	return true;
}

static void
add_step(struct walk *walk, struct walk_step step)
{
	struct error err;
	error_clear(&err);
	if (walk->lines.count == 0 || !array_reserve(&walk->steps, &walk->capacity, walk->count + 1,
					      sizeof *walk->steps, &err))
		return;
	step.line = walk->lines.count - 1;
	walk->steps[walk->count++] = step;
}

void
walk_step_to(struct walk *walk, struct lane lane, int64_t t_ns)
{
	add_step(walk, (struct walk_step){ .has_lane = true, .lane = lane, .t_ns = t_ns });
}

void
walk_step_at(struct walk *walk, int64_t t_ns)
{
	add_step(walk, (struct walk_step){ .t_ns = t_ns });
}

void
walk_step_to_slice(struct walk *walk, const struct trace *trace, const struct slice *slice)
{
	struct walk_step step = { .has_slice = true,
		.column = slice->column,
		.slice = slice->index,
		.t_ns = slice->start_ns };
	step.has_lane = slice_lane(trace, slice->column, &step.lane);
	add_step(walk, step);
}

/* ---- commands */

static void
keep_in_sight(struct walk *walk)
{
	struct lines *lines = &walk->lines;
	size_t page = lines->page > 0 ? lines->page : 1;
	if (walk->selected >= walk->count)
		walk->selected = walk->count > 0 ? walk->count - 1 : 0;
	if (walk->count == 0)
		return;
	size_t line = walk->steps[walk->selected].line;
	/* With what stands above the first step, and all that follows up to the next one, if it fits. */
	size_t last = walk->selected + 1 < walk->count ? walk->steps[walk->selected + 1].line : lines->count;
	last = last > line ? last - 1 : line;
	if (walk->selected == 0 && line < page)
		lines->top = 0;
	if (last >= lines->top + page)
		lines->top = last - page + 1;
	if (line < lines->top)
		lines->top = line;
}

static void
select_step(struct walk *walk, size_t from, long by)
{
	long count = (long)walk->count, to = (long)from + by;
	walk->selected = to < 0 || count == 0 ? 0 : (size_t)(to < count ? to : count - 1);
	keep_in_sight(walk);
}

/* The first step at or behind a line, the last one where there is none. */
static size_t
step_at(const struct walk *walk, size_t line)
{
	size_t low = 0, high = walk->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (walk->steps[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < walk->count || walk->count == 0 ? low : walk->count - 1;
}

static void
move_by_pages(struct walk *walk, long pages)
{
	long line = walk->count > 0 ? (long)walk->steps[walk->selected].line : 0;
	line += pages * (long)walk->lines.page;
	select_step(walk, step_at(walk, line > 0 ? (size_t)line : 0), 0);
}

/* The session is at the place of the selected step; false where there is none. */
static bool
take_step(const struct walk *walk, struct session *session)
{
	if (walk->count == 0) {
		session_status(session, false, "nothing here leads anywhere");
		return false;
	}
	const struct walk_step *step = &walk->steps[walk->selected];
	session_hold_mark(session);
	if (step->has_lane) {
		session->lane = step->lane;
		session->has_lane = true;
	}
	session->asks_slice = step->has_slice;
	session->asked_column = step->column;
	session->asked_slice = step->slice;
	session_go_to(session, walk->width, step->t_ns);
	return true;
}

/* Leaves the page for the timeline, or for a page about what is selected there. */
static struct view_answer
leave(const struct walk *walk, struct session *session, enum command command)
{
	if (!take_step(walk, session))
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	return (struct view_answer){
		.reaction = command == COMMAND_OPEN ? VIEW_LEAVE : VIEW_OPEN,
		.open_name = command == COMMAND_WHY ? "why" : "critical-path",
		.push_history = true,
	};
}

struct view_answer
walk_command(struct walk *walk, struct session *session, enum command command, long count,
	const char *argument)
{
	struct view_answer answer = { .reaction = VIEW_REDRAW };
	enum { MOST = 1000000 };
	walk->has_wanted = false;
	long by = count < 1 ? 1 : count < MOST ? count : MOST;
	switch ((int)command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
		select_step(walk, walk->selected, command == COMMAND_UP ? -by : by);
		return answer;
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		move_by_pages(walk, command == COMMAND_PAGE_UP ? -by : by);
		return answer;
	case COMMAND_FIRST_ROW:
		select_step(walk, 0, 0);
		return answer;
	case COMMAND_LAST_ROW:
		select_step(walk, walk->count, 0);
		return answer;
	case COMMAND_OPEN:
	case COMMAND_WHY:
	case COMMAND_CRITICAL_PATH:
		return leave(walk, session, command);
	default:
		break;
	}
	answer = lines_command(&walk->lines, session, command, count, argument);
	if (answer.reaction == VIEW_REDRAW && walk->lines.pattern != NULL)
		walk->selected = step_at(walk, walk->lines.match);
	return answer;
}

/* ---- where one stands */

bool
walk_view_place(const void *state, const struct session *session, struct view_place *place)
{
	const struct walk *walk = state;
	(void)session;
	*place = (struct view_place){ .line = walk->selected, .top = walk->lines.top };
	return true;
}

void
walk_view_go_to_place(void *state, struct session *session, const struct view_place *place)
{
	struct walk *walk = state;
	(void)session;
	walk->wanted = *place;
	walk->has_wanted = true;
}

/* What a page tells may be found later than its first picture. */
static void
go_where_wanted(struct walk *walk)
{
	const struct view_place *wanted = &walk->wanted;
	if (!walk->has_wanted || walk->lines.count <= wanted->top ||
		(walk->count <= wanted->line && wanted->line > 0))
		return;
	walk->selected = wanted->line;
	walk->lines.top = wanted->top;
	walk->has_wanted = false;
}

/* ---- drawing */

void
walk_draw(struct walk *walk, const char *title, struct canvas *canvas)
{
	const struct cell_style bar = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	canvas_string(canvas, SHEET_TEXT_COLUMN, 0, canvas->width - SHEET_TEXT_COLUMN, bar, title);
	walk->lines.page = canvas->height > 2 ? (size_t)canvas->height - 1 : 1;
	go_where_wanted(walk);
	keep_in_sight(walk);
	lines_draw(&walk->lines, canvas);
	if (walk->count == 0)
		return;
	size_t line = walk->steps[walk->selected].line;
	if (line < walk->lines.top || line - walk->lines.top >= walk->lines.page)
		return;
	line_mark_selected(canvas, 1 + (int)(line - walk->lines.top));
}

struct view_answer
walk_view_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	return walk_command(state, session, command, count, argument);
}

void
walk_view_position(void *state, struct session *session, struct text *out, bool ascii)
{
	const struct walk *walk = state;
	(void)session;
	(void)ascii;
	char number[UNITS_TEXT], count[UNITS_TEXT];
	if (walk->count == 0)
		return;
	units_count(number, walk->selected + 1);
	units_count(count, walk->count);
	text_format(out, "%s of %s", number, count);
}
