/* What goes out of the program: a command line, the screen as a file, a place in the code. */
#include <string.h>

#include "app/app_internal.h"
#include "app/editor.h"
#include "app/outfile.h"
#include "draw/output.h"
#include "draw/span_story.h"
#include "trace/lane.h"
#include "trace/own_code.h"

/* ---- the command line that leads here */

void
app_yank(struct app *app, enum command command, long count)
{
	struct screen *screen = app->parts.screen;
	struct text *link = &app->link;
	(void)command;
	(void)count;
	text_clear(link);
	struct link_origin origin = app->parts.origin;
	size_t depth = app->depth;
	if (app_context(app) == IN_HELP)
		depth--;
	const struct view_page *rows = app_first_timeline(app), *page = &app->stack[depth - 1];
	const struct session *session = &app->pane[0].session;
	origin.rows = (struct link_view){ rows->ops, rows->state };
	if (page != rows && app->session == session)
		origin.page = (struct link_view){ page->ops, page->state };
	for (int i = 1; i < app->panes.count; i++)
		origin.more[i - 1] = app->pane[i].file;
	origin.align = app->parts.align;
	link_add_command(link, session, session->focus, &origin);
	if (link->failed || link->length == 0)
		return;
	if (strstr(link->bytes, TEXT_NO_SHELL_WORD) != NULL) {
		text_clear(link);
		session_status(app->session, false,
			"cannot be copied: a name in it holds control or hidden characters");
		return;
	}
	bool is_copied =
		screen->copy != NULL && screen->copy(screen, link->bytes, link->length);
	struct text safe = { 0 };
	text_add_safe(&safe, link->bytes, link->length, app->parts.ascii);
	session_status(app->session, false, "%s%s", is_copied ? "copied: " : "",
		text_string(&safe));
	text_release(&safe);
}

/* ---- the screen as a file */

static bool
has_ending(const char *path, const char *ending)
{
	size_t length = strlen(path), end = strlen(ending);
	return length > end && strcmp(path + length - end, ending) == 0;
}

/* In the form that the name's ending asks for. */
static void
add_screen(const struct app *app, const char *path, struct text *out)
{
	struct screen *screen = app->parts.screen;
	if (has_ending(path, ".svg"))
		output_svg(&app->canvas, app->parts.palette, out);
	else if (has_ending(path, ".ansi") || has_ending(path, ".ans"))
		output_ansi(&app->canvas, app->parts.palette, screen->depth(screen), out);
	else
		output_text(&app->canvas, out);
}

static bool
write_screen(const struct app *app, const char *path, struct error *err)
{
	struct outfile file;
	struct text out = { 0 };
	add_screen(app, path, &out);
	bool is_fine = !out.failed || error_set_memory(err, "the picture");
	if (is_fine && outfile_open_new(&file, path, err)) {
		is_fine = outfile_write(&file, out.bytes, out.length, err);
		is_fine = outfile_close(&file, is_fine, err) && is_fine;
	} else {
		is_fine = false;
	}
	text_release(&out);
	return is_fine;
}

void
app_print_screen(struct app *app, enum command command, long count, const char *line)
{
	struct error err;
	(void)command;
	(void)count;
	error_clear(&err);
	bool is_written = app_draw(app, &err) && write_screen(app, line, &err);
	app->needs_draw = true; /* for what is told of it */
	if (!is_written) {
		app_tell_error(app, &err);
		return;
	}
	struct text safe = { 0 };
	text_add_safe(&safe, line, strlen(line), app->parts.ascii);
	session_status(app->session, false, "the screen is in %s", text_string(&safe));
	text_release(&safe);
}

/* ---- a place in the code */

/* What is selected: the stack that the view shows there, else that of the span. */
static stack_id
selected_stack(const struct app *app, bool *is_frame)
{
	const struct session *session = app->session;
	const struct view_page *top = &app->stack[app->depth - 1];
	stack_id stack = STACK_NONE;
	struct span span;
	*is_frame = false;
	if (top->ops->stack != NULL)
		stack = top->ops->stack(top->state, session, is_frame);
	if (stack != STACK_NONE || *is_frame || !session->has_lane ||
		!lane_span_at(session->trace, session->lane, session->cursor_ns, &span) ||
		span.kind == NULL)
		return stack;
	struct span_story story;
	span_story_tell(&story, session->trace, &span);
	return story.start_stack != STACK_NONE ? story.start_stack : story.end_stack;
}

/* The frame that is named for the stack (of a chosen frame: that), or so many callers up. */
static const struct stack_frame *
find_frame(const struct trace *trace, stack_id stack, bool is_frame, long callers)
{
	const struct stack_frame *frame = NULL;
	if (!is_frame)
		stack = own_code_stack(trace, stack, REF_NONE);
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		frame = stack_leaf(&trace->stacks, stack);
		if (callers-- == 0)
			break;
	}
	return frame;
}

/* What is handed to the screen for the time in which the terminal is the editor's. */
struct editing {
	const char *editor, *path;
	uint64_t line;
	struct error err;
};

static void
edit(void *context)
{
	struct editing *editing = context;
	editor_run(editing->editor, editing->path, editing->line, &editing->err);
}

static void
open_frame(struct app *app, const struct stack_frame *frame)
{
	struct screen *screen = app->parts.screen;
	struct text path = { 0 };
	size_t length;
	const char *bytes = trace_text(app->session->trace, frame->file, &length);
	struct editing editing = { .editor = app->parts.editor, .line = frame->line };
	error_clear(&editing.err);
	text_add(&path, bytes, length);
	bool is_name = path.length > 0 && strlen(path.bytes) == path.length;
	if (!is_name)
		error_set(&editing.err, ERROR_IO, "the frame has no file");
	else if (editor_check(path.bytes, &editing.err)) {
		editing.path = path.bytes;
		screen->lend(screen, edit, &editing);
	}
	if (editing.err.kind != ERROR_NONE)
		app_tell_error(app, &editing.err);
	text_release(&path);
}

void
app_edit(struct app *app, enum command command, long count)
{
	const struct session *session = app->session;
	bool is_frame;
	(void)command;
	stack_id stack = selected_stack(app, &is_frame);
	const struct stack_frame *frame = find_frame(session->trace, stack, is_frame, count - 1);
	if (frame == NULL)
		session_status(app->session, false, "there is no stack here");
	else
		open_frame(app, frame);
}
