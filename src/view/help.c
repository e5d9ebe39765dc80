/*
 * Writes the commands of the view beneath, grouped, and what its picture means; lets
 * lines.c show them. The page is made anew for each width.
 */
#include "view/help.h"

#include "analysis/analysis.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "draw/damage_words.h"
#include "draw/strip_glyph.h"
#include "trace/words.h"
#include "view/sheet.h"

enum {
	KEYS_COLUMN = 3,
	GAP = 2,
	BELOW_COLUMN = 6,      /* of help that stands below its keys */
	MEANING_COLUMN = 7,    /* of what a glyph means */
	FEWEST_HELP_CELLS = 30 /* beside the keys; with less it stands below them */
};

struct help {
	struct lines lines;
	struct text scratch;
	int width; /* for which the lines were made; 0 before */
	bool ascii, monochrome;
};

static const struct cell_style key_style = { STYLE_KEY, STYLE_DEFAULT, CELL_BOLD };

/* ---- commands */

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
		session->add_keys(session->keys, &keys, (enum command)command, session->help_context);
		size_t width = text_width(keys.bytes, keys.length);
		widest = width > widest ? width : widest;
	}
	text_release(&keys);
	return KEYS_COLUMN + (int)widest + GAP;
}

static void
add_command(struct sheet *sheet, const struct session *session, enum command command, int column)
{
	sheet_line(sheet, KEYS_COLUMN);
	session->add_keys(session->keys, sheet->scratch, command, session->help_context);
	sheet->wrapped_column = KEYS_COLUMN;
	sheet_scratch(sheet, key_style);
	if (column + FEWEST_HELP_CELLS > sheet->width) {
		column = BELOW_COLUMN;
		sheet_line(sheet, column);
	}
	sheet->column = column;
	sheet->wrapped_column = column;
	sheet_words(sheet, prose_plain, command_row(command)->help);
}

static void
add_group(struct sheet *sheet, const struct session *session, enum command_group group, int column)
{
	bool has_heading = false;
	for (int i = 0; i < COMMAND_COUNT; i++) {
		enum command command = (enum command)i;
		if (command_row(command)->group != group || !applies(session, command))
			continue;
		if (!has_heading)
			sheet_heading(sheet, command_group_name(group));
		has_heading = true;
		add_command(sheet, session, command, column);
	}
}

static void
add_note(struct sheet *sheet, const char *note)
{
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet->wrapped_column = SHEET_TEXT_COLUMN;
	sheet_words(sheet, prose_dim, note);
}

/* ---- the picture */

/* Style, glyph and meaning, in their columns. */
static void
add_meaning(struct sheet *sheet, uint8_t style, const char *glyph, const char *meaning)
{
	sheet_line(sheet, KEYS_COLUMN);
	sheet_string(sheet, (struct cell_style){ .fg = style }, glyph);
	sheet->column = MEANING_COLUMN;
	sheet->wrapped_column = MEANING_COLUMN;
	sheet_words(sheet, prose_plain, meaning);
}

static void
add_looks(struct sheet *sheet, const struct session *session, const struct canvas *canvas)
{
	for (uint8_t i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		const struct class_words *words = &sheet->trace->words->classes[i];
		if (words->name != NULL)
			add_meaning(sheet, strip_style(i), strip_legend_glyph(canvas, i),
				words->meaning != NULL ? words->meaning : words->name);
	}
	if (session->foreign != NULL)
		add_meaning(sheet, strip_style(LOOK_OTHERS), strip_legend_glyph(canvas, LOOK_OTHERS),
			"runs what is not of the program in the trace above");
	if (session->beneath == NULL)
		return;
	add_meaning(sheet, strip_style(LOOK_WAITS), strip_legend_glyph(canvas, LOOK_WAITS),
		"runs by its own account, or is in a system call, but its {thread} waits for a CPU");
	add_meaning(sheet, strip_style(LOOK_ASLEEP), strip_legend_glyph(canvas, LOOK_ASLEEP),
		"the same, but its {thread} sleeps in the kernel");
}

static void
add_marks(struct sheet *sheet, const struct canvas *canvas)
{
	static const struct {
		uint8_t mark, style;
		const char *meaning;
	} marks[] = {
		{ STRIP_MARK_MATCH, STYLE_MATCH,
			"a match of the search; its ground alone where not all is solid" },
		{ STRIP_MARK_STW, STYLE_STW, "the {actor} stops the world" },
		{ STRIP_MARK_LOG, STYLE_MARK, "the {actor} writes a log" },
		{ STRIP_MARK_SAMPLE, STYLE_MARK,
			"{an sample}, where there is room for all of the row on the screen" },
		{ STRIP_MARK_HIDDEN, STYLE_MARK,
			"a ready or blocked span that the bar of the cell does not show" },
		{ STRIP_MARK_ASSIST, STYLE_GC_WORKER,
			"mark assists behind another bar; with colours they are its ground" },
	};
	bool has_collector = analysis_applies(NEEDS_COLLECTOR, sheet->trace);
	for (size_t i = 0; i < ARRAY_LENGTH(marks); i++)
		if (has_collector || (marks[i].mark != STRIP_MARK_STW && marks[i].mark != STRIP_MARK_ASSIST))
			add_meaning(sheet, marks[i].style, strip_mark_glyph(canvas, marks[i].mark),
			marks[i].meaning);
}

static void
add_picture(struct sheet *sheet, const struct session *session, const struct canvas *canvas)
{
	const char *const notes[] = {
		"A bar is as high as the share of the cell's time that its state took. A thin "
		"line is a wait; where there is nothing there was no {actor}.",
		"In stack lanes a solid box is a stack that is known for half of the cell or more, "
		"a low one for less; a dotted line stands before and after a time in which the "
		"{actor} ran.",
		sheet->trace->words->thread.one != NULL
			? "The numbers of the {Actors} row are those running and ready at the cursor; of "
			  "{Threads}, those that run {an actor} and those in a system call."
			: "The numbers of the {Actors} row are those running and ready at the cursor.",
	};
	sheet_heading(sheet, "What the picture means");
	add_looks(sheet, session, canvas);
	add_marks(sheet, canvas);
	add_meaning(sheet, STYLE_DEFAULT, canvas->ascii ? "|" : "│",
		analysis_applies(NEEDS_COLLECTOR, sheet->trace)
			? "in rows of events (GC, Network ...): one in the cell"
			: "in rows of events: one in the cell");
	add_meaning(sheet, STYLE_DEFAULT, "2 +", "two of them, and more than nine");
	add_meaning(sheet, STYLE_ALERT, damage_glyph(canvas, DAMAGE_BLANK),
		"above the rows: the trace is damaged there, and nothing is known");
	add_meaning(sheet, STYLE_ALERT, damage_glyph(canvas, DAMAGE_PARTIAL),
		"the trace is damaged there: something is missing");
	add_meaning(sheet, STYLE_KEY, canvas->ascii ? "^" : "▴",
		"before a name: the row is pinned, on top and where it is else");
	for (size_t i = 0; i < ARRAY_LENGTH(notes); i++)
		add_note(sheet, notes[i]);
}

/* ---- the whole */

/* What no command row says. */
static void
add_notes(struct sheet *sheet, const struct session *session)
{
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	if (session->help_context != IN_TIMELINE) {
		add_note(sheet,
			"A number typed before a command repeats it: 5 j is five lines down.");
		return;
	}
	add_note(sheet,
		"A number typed before a command repeats it: 5 ] is the fifth span from here.");
	add_note(sheet, "");
	add_note(sheet, "With the mouse: a click selects and a second one opens; the wheel zooms, beside "
		       "the lanes it scrolls; a drag marks an interval; at the left edge of a name a "
		       "click folds the row, or pins it.");
	add_note(sheet, "");
	add_note(sheet, "At the / prompt: a PCRE2 pattern; case counts only with a capital; a "
		       "leading ' makes the rest plain text. At the time prompt: 1.2s, +10ms, "
		       "-10ms, 42%.");
}

static void
make_lines(struct help *help, const struct session *session, const struct canvas *canvas)
{
	struct sheet sheet = {
		.lines = &help->lines,
		.trace = session->trace,
		.scratch = &help->scratch,
		.width = canvas->width,
		.wrapped_column = SHEET_TEXT_COLUMN,
		.ascii = canvas->ascii,
	};
	int column = help_column(session);
	lines_clear(&help->lines);
	for (int group = 0; group < GROUP_COUNT; group++)
		add_group(&sheet, session, (enum command_group)group, column);
	if (session->help_context == IN_TIMELINE)
		add_picture(&sheet, session, canvas);
	add_notes(&sheet, session);
	help->width = canvas->width;
	help->ascii = canvas->ascii;
	help->monochrome = canvas->monochrome;
}

static void *
help_open(struct session *session, struct error *err)
{
	struct help *help = memory_realloc(NULL, sizeof *help);
	(void)session;
	if (help == NULL) {
		error_set_memory(err, "the help screen");
		return NULL;
	}
	*help = (struct help){ .lines.page = 1 };
	return help;
}

static void
help_close(void *state)
{
	struct help *help = state;
	lines_release(&help->lines);
	text_release(&help->scratch);
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
	if (help->width != canvas->width || help->ascii != canvas->ascii ||
		help->monochrome != canvas->monochrome)
		make_lines(help, session, canvas);
	canvas_ground(canvas, 0, 0, canvas->width, STYLE_BAR);
	canvas_string(canvas, 1, 0, canvas->width - 1, bar, "Keys");
	lines_draw(&help->lines, canvas);
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
