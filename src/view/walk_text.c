/* Texts on the screen: where on a line things stand, and the steps of a walk. */
#include "view/walk_text.h"

#include <assert.h>

#include "base/compiler.h"

enum {
	ITEM_COLUMN = 5,  /* of all lines of an item but its number */
	VALUE_COLUMN = 14,
	INDENT = 2,       /* of what did not fit on the line before, and of each depth */
	MOST_INDENT = 16,
	LEAST_ROOM = 24,  /* behind where a cell begins, as far as the screen has it */
};

static const struct prose_column item_columns[] = { { .at = 0 }, { .at = 25 }, { .at = 0 } };

static struct walk_text *
of(struct prose *prose)
{
	return (struct walk_text *)prose; /* its first member */
}

static void
go_to_column(struct sheet *sheet, int column)
{
	sheet->column = sheet->column < column ? column : sheet->column + 1;
}

/* Begins a line, which is the one that leads somewhere unless its item does. */
static void
begin_line(struct walk_text *text)
{
	if (!text->is_item)
		text->led_line = text->sheet->lines->count;
	sheet_line(text->sheet, text->left);
	text->sheet->wrapped_column = text->is_item ? ITEM_COLUMN : text->left + INDENT;
}

static void
heading(struct prose *prose)
{
	struct walk_text *text = of(prose);
	text->is_item = false;
	text->left = WALK_TEXT_COLUMN;
	sheet_line(text->sheet, SHEET_TEXT_COLUMN);
	sheet_line(text->sheet, SHEET_TEXT_COLUMN);
	sheet_scratch(text->sheet, prose_bright);
}

static void
list(struct prose *prose, const struct prose_column *columns, int count)
{
	struct walk_text *text = of(prose);
	text->is_item = false;
	text->left = WALK_TEXT_COLUMN;
	text->columns = columns;
	text->column_count = count;
}

static void
row(struct prose *prose, uint32_t depth)
{
	struct walk_text *text = of(prose);
	begin_line(text);
	text->has_cell = false;
	text->indent = depth < MOST_INDENT / INDENT ? (int)depth * INDENT : MOST_INDENT;
	text->column = 0;
}

static void
item(struct prose *prose, size_t number)
{
	struct walk_text *text = of(prose);
	text->is_item = false;
	text->left = WALK_TEXT_COLUMN;
	sheet_line(text->sheet, text->left);
	row(prose, 0);
	text->is_item = true;
	text->left = ITEM_COLUMN;
	text->sheet->wrapped_column = ITEM_COLUMN;
	text->columns = item_columns;
	text->column_count = (int)ARRAY_LENGTH(item_columns);
	text_format(prose->words, "%zu", number);
	sheet_scratch(text->sheet, prose_dim);
	go_to_column(text->sheet, ITEM_COLUMN);
}

static void
pause(struct prose *prose)
{
	struct walk_text *text = of(prose);
	text->left = WALK_TEXT_COLUMN;
	text->is_item = true; /* the facts look like those of items */
	text->led_line = text->sheet->lines->count;
	sheet_line(text->sheet, text->left);
}

static void
line(struct prose *prose)
{
	struct walk_text *text = of(prose);
	begin_line(text);
}

static void
fact(struct prose *prose, const char *key)
{
	struct walk_text *text = of(prose);
	begin_line(text);
	text_format(prose->words, text->is_item ? "%s: " : "%s", key);
	sheet_scratch(text->sheet, prose_dim);
	if (text->is_item)
		return;
	go_to_column(text->sheet, VALUE_COLUMN);
	text->sheet->wrapped_column = VALUE_COLUMN;
}

static void
say(struct prose *prose, struct cell_style style)
{
	sheet_scratch(of(prose)->sheet, style);
}

static void
join(struct prose *prose, const char *joint)
{
	struct walk_text *text = of(prose);
	if (text->has_cell)
		text_add_string(prose->words, joint);
	text->joint = prose->words->length;
}

static void
cell(struct prose *prose, struct cell_style style)
{
	struct walk_text *text = of(prose);
	assert(text->column < text->column_count);
	const struct prose_column *column = &text->columns[text->column++];
	int at = column->at + (column->is_nested ? text->indent : 0);
	int most = text->sheet->width - LEAST_ROOM;
	at = at <= most ? at : most > text->left ? most : text->left;
	bool is_empty = prose->words->length == text->joint || column->is_printed_only;
	text->joint = 0;
	if (at > text->left)
		go_to_column(text->sheet, at);
	if (column->is_nested)
		text->sheet->wrapped_column = at + INDENT;
	if (column->at > 0 || !is_empty)
		text->has_cell = !is_empty;
	if (is_empty)
		text_clear(prose->words);
	else
		sheet_scratch(text->sheet, style);
}

static void
lead(struct prose *prose, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	struct walk_text *text = of(prose);
	size_t count = text->walk->count;
	(void)until_ns;
	walk_step_to(text->walk, lane, from_ns);
	if (text->walk->count > count)
		text->walk->steps[count].line = text->led_line;
}

/* OPEN of a finding shows it. */
static void
path(struct prose *prose, actor_ref actor, int64_t from_ns, int64_t until_ns)
{
	(void)prose;
	(void)actor;
	(void)from_ns;
	(void)until_ns;
}

/* A list of moments is for --find and not for people. */
static void
query(struct prose *prose, const char *words, bool is_all)
{
	if (!is_all)
		return;
	line(prose);
	prose_string(prose, prose_dim, words);
}

struct prose *
walk_text_begin(struct walk_text *text, struct walk *walk, struct sheet *sheet)
{
	static const struct prose_medium screen = { heading, item, pause, line, fact, say, list, row, join,
		cell, lead, path, query };
	*text = (struct walk_text){
		.prose = {
			.medium = &screen,
			.trace = sheet->trace,
			.words = sheet->scratch,
			.form = time_form_of(sheet->trace, sheet->is_wall, sheet->ascii),
			.is_exact = true,
			.ascii = sheet->ascii,
			.most_rows = 2000,
			.most_sums = 200,
		},
		.walk = walk,
		.sheet = sheet,
		.left = WALK_TEXT_COLUMN,
	};
	return &text->prose;
}
