/* Scrolling and searching in lines; all lines stand in one text. */
#include "view/lines.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "query/pattern.h"

void
lines_clear(struct lines *lines)
{
	text_clear(&lines->text);
	lines->piece_count = 0;
	lines->count = 0;
}

void
lines_release(struct lines *lines)
{
	text_release(&lines->text);
	memory_free(lines->pieces);
	memory_free(lines->first_piece);
	memory_free(lines->first_byte);
	pattern_free(lines->pattern);
	*lines = (struct lines){ 0 };
}

void
lines_begin(struct lines *lines)
{
	struct error err;
	error_clear(&err);
	if (lines->count > 0)
		text_add(&lines->text, "\n", 1);
	if (!array_reserve(&lines->first_piece, &lines->first_piece_capacity, lines->count + 1,
		    sizeof lines->first_piece[0], &err) ||
		!array_reserve(&lines->first_byte, &lines->first_byte_capacity, lines->count + 1,
			sizeof lines->first_byte[0], &err)) {
		lines->text.failed = true;
		return;
	}
	lines->first_piece[lines->count] = lines->piece_count;
	lines->first_byte[lines->count] = lines->text.length;
	lines->count++;
}

void
lines_add(struct lines *lines, int column, struct cell_style style, const char *safe, size_t length)
{
	struct error err;
	error_clear(&err);
	if (lines->count == 0)
		return;
	if (!array_reserve(&lines->pieces, &lines->piece_capacity, lines->piece_count + 1,
		    sizeof lines->pieces[0], &err) ||
		!text_reserve(&lines->text, length + 1)) {
		lines->text.failed = true;
		return;
	}
	bool is_first = lines->text.length == lines->first_byte[lines->count - 1];
	if (!is_first)
		text_add(&lines->text, " ", 1);
	lines->pieces[lines->piece_count++] =
		(struct lines_piece){ lines->text.length, length, column, style };
	text_add(&lines->text, safe, length);
}

/* ---- scrolling */

static size_t
last_top(const struct lines *lines)
{
	return lines->count > lines->page ? lines->count - lines->page : 0;
}

static void
scroll_down(struct lines *lines, size_t by)
{
	size_t room = last_top(lines) > lines->top ? last_top(lines) - lines->top : 0;
	lines->top += by < room ? by : room;
}

static void
scroll_up(struct lines *lines, size_t by)
{
	lines->top -= by < lines->top ? by : lines->top;
}

/* Scrolls only if the line is out of sight; then it comes to stand below the top. */
static void
bring_into_sight(struct lines *lines, size_t line)
{
	if (line >= lines->top && line - lines->top < lines->page)
		return;
	size_t above = lines->page / 4;
	size_t top = line > above ? line - above : 0;
	lines->top = top < last_top(lines) ? top : last_top(lines);
}

/* ---- searching */

/* The bytes of a line without the newline behind it. */
static const char *
line_bytes(const struct lines *lines, size_t line, size_t *length)
{
	size_t end = line + 1 < lines->count ? lines->first_byte[line + 1] - 1 : lines->text.length;
	*length = end - lines->first_byte[line];
	return lines->text.bytes + lines->first_byte[line];
}

static bool
line_matches(const struct lines *lines, size_t line)
{
	size_t length;
	if (lines->pattern == NULL || lines->text.failed) /* then bytes are missing */
		return false;
	const char *bytes = line_bytes(lines, line, &length);
	return length > 0 && pattern_matches(lines->pattern, bytes, length);
}

static size_t
count_matches(const struct lines *lines)
{
	size_t count = 0;
	for (size_t line = 0; line < lines->count; line++)
		count += line_matches(lines, line);
	return count;
}

/* Goes to the match after or before a line; false when there is none. */
static bool
step_to_match(struct lines *lines, size_t from, bool forward)
{
	size_t line = from;
	while (forward ? line + 1 < lines->count : line > 0) {
		line = forward ? line + 1 : line - 1;
		if (!line_matches(lines, line))
			continue;
		lines->match = line;
		bring_into_sight(lines, line);
		return true;
	}
	return false;
}

/* To the first match or the last one; false when there is none. */
static bool
go_to_end_match(struct lines *lines, bool first)
{
	if (lines->count == 0)
		return false;
	size_t end = first ? 0 : lines->count - 1;
	if (!line_matches(lines, end))
		return step_to_match(lines, end, first);
	lines->match = end;
	bring_into_sight(lines, end);
	return true;
}

static void
go_to_match(struct lines *lines, struct session *session, long count, bool forward)
{
	if (lines->pattern == NULL) {
		session_status(session, false, "nothing is searched: / begins");
		return;
	}
	bool has_wrapped = false;
	while (count-- > 0) {
		if (step_to_match(lines, lines->match, forward))
			continue;
		has_wrapped = true;
		if (!go_to_end_match(lines, forward)) {
			session_status(session, false, "nothing matches");
			return;
		}
	}
	if (has_wrapped)
		session_status(session, false, "search wrapped to the %s match",
			forward ? "first" : "last");
}

static void
tell_matches(const struct lines *lines, struct session *session, const struct error *note)
{
	size_t matches = count_matches(lines);
	const char *message = note->kind != ERROR_NONE ? note->message : "";
	struct text safe = { 0 };
	text_add_safe(&safe, message, strlen(message), false);
	session_status(session, matches == 0, "%zu matching line%s%s%s", matches,
		matches == 1 ? "" : "s", safe.length > 0 ? ": " : "", text_string(&safe));
	text_release(&safe);
}

static void
search(struct lines *lines, struct session *session, const char *text)
{
	struct error note;
	error_clear(&note);
	pattern_free(lines->pattern);
	lines->pattern = pattern_new(text, &note);
	if (lines->pattern == NULL) {
		session_status(session, true, "%s", note.message);
		return;
	}
	lines->match = lines->top;
	if (lines->count > 0 && !line_matches(lines, lines->top) &&
		!step_to_match(lines, lines->top, true))
		step_to_match(lines, lines->top, false);
	tell_matches(lines, session, &note);
}

/* ---- commands */

/* What a command was given. */
struct request {
	struct session *session;
	enum command command;
	long count; /* above 0 */
	const char *argument;
};

static bool
go_by_lines(struct lines *lines, const struct request *request)
{
	size_t by = (size_t)request->count;
	bool is_page = request->command == COMMAND_PAGE_UP || request->command == COMMAND_PAGE_DOWN;
	if (is_page)
		by *= lines->page > 1 ? lines->page - 1 : 1; /* one line stays for the eye */
	if (request->command == COMMAND_UP || request->command == COMMAND_PAGE_UP)
		scroll_up(lines, by);
	else
		scroll_down(lines, by);
	return true;
}

static bool
go_to_end(struct lines *lines, const struct request *request)
{
	lines->top = request->command == COMMAND_LAST_ROW ? last_top(lines) : 0;
	return true;
}

static bool
begin_search(struct lines *lines, const struct request *request)
{
	if (request->argument != NULL)
		search(lines, request->session, request->argument);
	return true;
}

static bool
continue_search(struct lines *lines, const struct request *request)
{
	go_to_match(
		lines, request->session, request->count, request->command == COMMAND_NEXT_MATCH);
	return true;
}

static bool
end_search(struct lines *lines, const struct request *request)
{
	(void)request;
	if (lines->pattern == NULL)
		return false;
	pattern_free(lines->pattern);
	lines->pattern = NULL;
	return true;
}

static const struct {
	enum command command;
	bool (*carry_out)(struct lines *lines, const struct request *request);
} commands[] = {
	{ COMMAND_UP, go_by_lines },
	{ COMMAND_DOWN, go_by_lines },
	{ COMMAND_PAGE_UP, go_by_lines },
	{ COMMAND_PAGE_DOWN, go_by_lines },
	{ COMMAND_FIRST_ROW, go_to_end },
	{ COMMAND_LAST_ROW, go_to_end },
	{ COMMAND_SEARCH, begin_search },
	{ COMMAND_NEXT_MATCH, continue_search },
	{ COMMAND_PREVIOUS_MATCH, continue_search },
	{ COMMAND_CLEAR_SEARCH, end_search },
};

struct view_answer
lines_command(struct lines *lines, struct session *session, enum command command, long count,
	const char *argument)
{
	struct request request = { session, command, count > 0 ? count : 1, argument };
	for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
		if (commands[i].command == command && commands[i].carry_out(lines, &request))
			return (struct view_answer){ .reaction = VIEW_REDRAW };
	}
	return (struct view_answer){ .reaction = VIEW_NOTHING };
}

bool
lines_place(const struct lines *lines, struct view_place *place)
{
	*place = (struct view_place){ .top = lines->top };
	return lines->top > 0;
}

void
lines_go_to_place(struct lines *lines, const struct view_place *place)
{
	lines->top = place->top;
}

/* ---- drawing */

static void
draw_line(const struct lines *lines, size_t line, struct canvas *canvas, int y)
{
	size_t end = line + 1 < lines->count ? lines->first_piece[line + 1] : lines->piece_count;
	for (size_t i = lines->first_piece[line]; i < end; i++) {
		const struct lines_piece *piece = &lines->pieces[i];
		struct cell_run rest = { piece->column, y, canvas->width - piece->column };
		canvas_bytes(canvas, rest, piece->style, lines->text.bytes + piece->offset,
			piece->length);
	}
	if (!line_matches(lines, line))
		return;
	struct cell_style mark = { STYLE_MATCH, STYLE_DEFAULT, CELL_BOLD };
	canvas_put(canvas, 0, y, mark, line == lines->match ? ">" : "*");
}

void
lines_draw(struct lines *lines, struct canvas *canvas)
{
	int height = canvas->height - 1;
	lines->page = height > 0 ? (size_t)height : 1;
	if (lines->top > last_top(lines))
		lines->top = last_top(lines); /* the screen has grown */
	for (int row = 0; row < height; row++) {
		size_t line = lines->top + (size_t)row;
		if (line >= lines->count)
			return;
		draw_line(lines, line, canvas, 1 + row);
	}
}
