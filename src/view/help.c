/*
 * Writes one line per command of the view beneath, grouped, and lets lines.c
 * show them.
 */
#include "view/help.h"

#include "base/memory.h"
#include "view/lines.h"

enum { KEYS_COLUMN = 3, GAP = 2 };

struct help {
	struct lines lines;
};

static const struct cell_style heading_style = { STYLE_TEXT_BRIGHT, STYLE_DEFAULT, CELL_BOLD };
static const struct cell_style key_style = { STYLE_KEY, STYLE_DEFAULT, CELL_BOLD };
static const struct cell_style text_style = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };
static const struct cell_style dim_style = { STYLE_TEXT_DIM, STYLE_DEFAULT, 0 };

static bool
applies(const struct session *session, enum command command)
{
	return (command_row(command)->contexts & session->help_context) != 0;
}

/* Where the second column begins: behind the longest list of keys. */
static int
help_column(const struct session *session)
{
	size_t widest = 0;
	struct text keys = { 0 };
	for (int command = 0; command < COMMAND_COUNT; command++) {
		if (!applies(session, (enum command)command))
			continue;
		text_clear(&keys);
		session->add_keys(&keys, (enum command)command, session->help_context);
		size_t width = text_width(keys.bytes, keys.length);
		widest = width > widest ? width : widest;
	}
	text_release(&keys);
	return KEYS_COLUMN + (int)widest + GAP;
}

static void
add_command(struct lines *lines, const struct session *session, enum command command, int column)
{
	struct text keys = { 0 };
	session->add_keys(&keys, command, session->help_context);
	lines_begin(lines);
	if (keys.length > 0)
		lines_add(lines, KEYS_COLUMN, key_style, keys.bytes, keys.length);
	lines_add_string(lines, column, text_style, command_row(command)->help);
	text_release(&keys);
}

static void
add_group(struct lines *lines, const struct session *session, enum command_group group, int column)
{
	bool has_heading = false;
	for (int i = 0; i < COMMAND_COUNT; i++) {
		enum command command = (enum command)i;
		if (command_row(command)->group != group || !applies(session, command))
			continue;
		if (!has_heading) {
			lines_begin(lines); /* a blank line above */
			lines_begin(lines);
			lines_add_string(lines, 1, heading_style, command_group_name(group));
			has_heading = true;
		}
		add_command(lines, session, command, column);
	}
}

/* What no command row says. */
static void
add_notes(struct lines *lines, const struct session *session)
{
	static const char *const timeline_notes[] = {
		"A number typed before a command repeats it: 5 ] is the fifth span from here.",
		"",
		"At the / prompt: a PCRE2 pattern; case counts only with a capital; a leading '",
		"makes the rest plain text. At the time prompt: 1.2s, +10ms, -10ms, 42%.",
		NULL,
	};
	static const char *const text_notes[] = {
		"A number typed before a command repeats it: 5 j is five lines down.",
		NULL,
	};
	const char *const *note =
		session->help_context == IN_TIMELINE ? timeline_notes : text_notes;
	lines_begin(lines);
	for (; *note != NULL; note++) {
		lines_begin(lines);
		lines_add_string(lines, 1, dim_style, *note);
	}
}

static void *
help_open(struct session *session, struct error *err)
{
	struct help *help = memory_realloc(NULL, sizeof *help);
	if (help == NULL) {
		error_set_memory(err, "the help screen");
		return NULL;
	}
	*help = (struct help){ .lines.page = 1 };
	int column = help_column(session);
	for (int group = 0; group < GROUP_COUNT; group++)
		add_group(&help->lines, session, (enum command_group)group, column);
	add_notes(&help->lines, session);
	if (!help->lines.text.failed)
		return help;
	error_set_memory(err, "the help screen");
	lines_release(&help->lines);
	memory_free(help);
	return NULL;
}

static void
help_close(void *state)
{
	struct help *help = state;
	lines_release(&help->lines);
	memory_free(help);
}

static struct view_answer
help_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct help *help = state;
	return lines_command(&help->lines, session, command, count, argument);
}

static void
help_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct help *help = state;
	struct cell_style bar = { STYLE_TEXT_BRIGHT, STYLE_BAR, CELL_BOLD };
	(void)session;
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	canvas_string(canvas, 1, 0, canvas->width - 1, bar, "Keys");
	lines_draw(&help->lines, canvas, 1, canvas->height - 1);
}

/* "1-20 of 53": how much there is beside what is seen. */
static void
help_position(void *state, struct session *session, struct text *out, bool ascii)
{
	struct help *help = state;
	const struct lines *lines = &help->lines;
	(void)session;
	(void)ascii;
	size_t end = lines->top + lines->page;
	text_format(out, "%zu-%zu of %zu", lines->top + 1, end < lines->count ? end : lines->count,
		lines->count);
}

const struct view_ops help_view = {
	.name = "help",
	.context = IN_HELP,
	.open = help_open,
	.close = help_close,
	.command = help_command,
	.draw = help_draw,
	.position = help_position,
};
