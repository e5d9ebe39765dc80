/* A page whose lines lead to marks and bookmarks. */
#include "view/bookmarks.h"

#include <string.h>

#include "base/memory.h"
#include "trace/lane_name.h"
#include "trace/notes.h"
#include "view/walk.h"

enum { NAME_COLUMN = 20, ROW_GAP = 2 };

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static const char *const mark_names[] = { [MARK_A] = "A", [MARK_B] = "B" };

/* ---- changes */

bool
bookmarks_change(struct session *session, const struct notes_change *change)
{
	struct error err;
	struct text safe = { 0 };
	error_clear(&err);
	if (session->change_notes(session->note_context, change, &err))
		return true;
	text_add_safe(&safe, err.message, strlen(err.message), session->ascii);
	session_status(session, true, "%s", safe.failed ? "out of memory" : safe.bytes);
	text_release(&safe);
	return false;
}

/* "slow request: why does it wait?", and of a new one that it is not kept. */
static void
tell_bookmark(struct session *session, const struct bookmark *bookmark, bool is_new)
{
	struct text line = { 0 };
	text_add_safe(&line, bookmark->name, strlen(bookmark->name), session->ascii);
	if (*bookmark->note != '\0')
		text_add_string(&line, ": ");
	text_add_safe(&line, bookmark->note, strlen(bookmark->note), session->ascii);
	session_status(session, false, "%s%s", text_string(&line),
		is_new && !session->keeps_notes ? " (until ttrace ends; --notes keeps it)" : "");
	text_release(&line);
}

struct view_answer
bookmarks_ask_note(struct session *session, const char *name)
{
	const struct notes *notes = session->notes;
	size_t at = notes_find(notes, name);
	if (at == notes->count)
		return redraw;
	text_clear(&session->noted);
	text_add_string(&session->noted, notes->bookmarks[at].name);
	return (struct view_answer){ .reaction = VIEW_ASK,
		.ask_command = COMMAND_NOTE,
		.ask_line = notes->bookmarks[at].note };
}

struct view_answer
bookmarks_take_note(struct session *session, const char *note)
{
	struct notes_change change = {
		.act = NOTES_ANNOTATE, .name = session->noted.bytes, .note = note
	};
	if (session->noted.length > 0 && !session->noted.failed &&
		bookmarks_change(session, &change))
		tell_bookmark(session,
			&session->notes->bookmarks[notes_find(session->notes, change.name)],
			true);
	return redraw;
}

/* ---- the page */

struct page {
	struct walk walk;
};

/* What a line stands for: a mark, or a bookmark, which come behind the marks that are set. */
struct choice {
	enum note_mark mark;
	const struct bookmark *bookmark; /* NULL: the mark */
};

/* What the line of a number stands for; false where there is none. */
static bool
choice_at(const struct notes *notes, size_t at, struct choice *choice)
{
	for (size_t i = 0; i < MARK_COUNT; i++) {
		if (!notes->has_mark[i] || at-- > 0)
			continue;
		*choice = (struct choice){ .mark = (enum note_mark)i };
		return true;
	}
	if (at >= notes->count)
		return false;
	*choice = (struct choice){ .bookmark = &notes->bookmarks[at] };
	return true;
}

static bool
chosen(const struct page *page, const struct session *session, struct choice *choice)
{
	return choice_at(session->notes, page->walk.selected, choice);
}

/* The line of what is nearest in time. */
static size_t
nearest(const struct notes *notes, int64_t t_ns)
{
	struct choice choice;
	size_t best = 0;
	uint64_t least_ns = UINT64_MAX;
	for (size_t i = 0; choice_at(notes, i, &choice); i++) {
		int64_t at_ns = choice.bookmark != NULL ? choice.bookmark->t_ns
							: notes->mark_ns[choice.mark];
		uint64_t away_ns = at_ns > t_ns ? (uint64_t)at_ns - (uint64_t)t_ns
						: (uint64_t)t_ns - (uint64_t)at_ns;
		if (away_ns >= least_ns)
			continue;
		least_ns = away_ns;
		best = i;
	}
	return best;
}

static void *
page_open(struct session *session, struct error *err)
{
	const struct notes *notes = session->notes;
	if (notes == NULL ||
		(notes->count == 0 && !notes->has_mark[MARK_A] && !notes->has_mark[MARK_B])) {
		error_set(err, ERROR_USAGE, "there are no marks and no bookmarks");
		return NULL;
	}
	struct page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL)
		error_set_memory(err, "the page");
	else
		*page = (struct page){ .walk = { .selected = nearest(notes, session->cursor_ns) } };
	return page;
}

static void
page_close(void *state)
{
	struct page *page = state;
	walk_release(&page->walk);
	memory_free(page);
}

static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct page *page = state;
	(void)session;
	(void)before;
	(void)err;
	walk_forget(&page->walk);
	return true;
}

/* ---- writing */

static void
write_mark(struct page *page, struct sheet *sheet, const struct notes *notes, enum note_mark mark)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	walk_step_at(&page->walk, notes->mark_ns[mark]);
	sheet_moment(sheet, prose_dim, notes->mark_ns[mark]);
	sheet->column = NAME_COLUMN;
	sheet_string(sheet, prose_bright, mark_names[mark]);
}

static void
write_text(struct sheet *sheet, struct cell_style style, const char *text)
{
	text_add_safe(sheet->scratch, text, strlen(text), sheet->ascii);
	sheet_scratch(sheet, style);
}

/* A row that is not in what is loaded of the trace leads nowhere, but the time does. */
static void
write_bookmark(struct page *page, struct sheet *sheet, const struct bookmark *bookmark)
{
	struct lane lane;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	if (*bookmark->row != '\0' && lane_name_find(sheet->trace, bookmark->row, &lane))
		walk_step_to(&page->walk, lane, bookmark->t_ns);
	else
		walk_step_at(&page->walk, bookmark->t_ns);
	sheet_moment(sheet, prose_dim, bookmark->t_ns);
	sheet->column = sheet->column < NAME_COLUMN ? NAME_COLUMN : sheet->column + ROW_GAP;
	write_text(sheet, prose_bright, bookmark->name);
	sheet->column += ROW_GAP;
	write_text(sheet, prose_dim, bookmark->row);
	if (*bookmark->note == '\0')
		return;
	sheet_line(sheet, NAME_COLUMN);
	write_text(sheet, prose_plain, bookmark->note);
}

static void
write_page(struct page *page, struct sheet *sheet, const struct session *session)
{
	const struct notes *notes = session->notes;
	int64_t from_ns, until_ns;
	for (size_t i = 0; i < MARK_COUNT; i++) {
		if (notes->has_mark[i])
			write_mark(page, sheet, notes, (enum note_mark)i);
	}
	if (session_between(session, &from_ns, &until_ns)) {
		sheet_line(sheet, NAME_COLUMN);
		sheet_string(sheet, prose_dim, "A to B ");
		sheet_duration(sheet, prose_plain, notes->mark_ns[MARK_B] - notes->mark_ns[MARK_A]);
	}
	for (size_t i = 0; i < notes->count; i++)
		write_bookmark(page, sheet, &notes->bookmarks[i]);
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	if (walk_begins(&page->walk, session, canvas, &sheet)) {
		sheet.wrapped_column = NAME_COLUMN;
		write_page(page, &sheet, session);
	}
	walk_draw(&page->walk, "Marks and bookmarks", canvas);
}

/* ---- commands */

static struct view_answer
go(struct page *page, struct session *session)
{
	struct choice choice;
	bool is_there = chosen(page, session, &choice);
	struct view_answer answer =
		walk_command(&page->walk, session, COMMAND_OPEN, 1, NULL);
	if (is_there && choice.bookmark != NULL)
		tell_bookmark(session, choice.bookmark, false);
	else if (is_there) {
		session->has_mark = false;
		session->is_between = true;
	}
	return answer;
}

static struct view_answer
drop(struct page *page, struct session *session)
{
	struct choice choice;
	struct notes_change change = { .act = NOTES_UNMARK };
	struct text name = { 0 };
	if (!chosen(page, session, &choice))
		return redraw;
	if (choice.bookmark != NULL) {
		change.act = NOTES_DROP;
		text_add_string(&name, choice.bookmark->name); /* which goes with it */
		change.name = name.bytes;
	}
	change.mark = choice.mark;
	if (!name.failed)
		bookmarks_change(session, &change);
	text_release(&name);
	walk_forget(&page->walk);
	return redraw;
}

static struct view_answer
annotate(struct page *page, struct session *session, const char *note)
{
	struct choice choice;
	if (!chosen(page, session, &choice))
		return redraw;
	if (choice.bookmark == NULL) {
		session_status(session, false, "a mark has no note; m makes a bookmark, which has");
		return redraw;
	}
	struct view_answer ask = bookmarks_ask_note(session, choice.bookmark->name);
	if (note == NULL)
		return ask;
	walk_forget(&page->walk);
	return bookmarks_take_note(session, note);
}

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct page *page = state;
	switch ((int)command) {
	case COMMAND_OPEN:
		return go(page, session);
	case COMMAND_DROP_BOOKMARK:
		return drop(page, session);
	case COMMAND_NOTE:
		return annotate(page, session, argument);
	default:
		return walk_command(&page->walk, session, command, count, argument);
	}
}

const struct view_ops bookmarks_view = {
	.name = "bookmarks",
	.context = IN_WALK | IN_BOOKMARKS,
	.open = page_open,
	.close = page_close,
	.command = page_command,
	.renew = page_renew,
	.draw = page_draw,
	.place = walk_view_place,
	.go_to_place = walk_view_go_to_place,
	.position = walk_view_position,
};
