/* What has a meaning is escaped wherever it stands, so that no context needs to be known. */
#include "report/markdown.h"

#include <string.h>

enum {
	LEAST_CELLS = 3, /* of a column, for its rule */
	MOST_CELLS = 60, /* that a column is filled up to; longer texts stick out */
	FENCE_LENGTH = 3,
	CODE_INDENT = 4, /* a fence so far to the right is none */
};

/* How many of this character stand there. */
static size_t
run(const char *bytes, size_t length, char c)
{
	size_t count = 0;
	while (count < length && bytes[count] == c)
		count++;
	return count;
}

/* Whether "://" or "www." stands there, of which a link is made. */
static bool
is_link(const char *safe, size_t length, size_t at)
{
	if (safe[at] == ':')
		return at + 1 < length && safe[at + 1] == '/';
	return safe[at] == '.' && at >= 3 && memcmp(safe + at - 3, "www", 3) == 0;
}

void
markdown_add(struct text *out, const char *safe, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t people = run(safe + i, length - i, '@');
		if (people > 0) {
			/* Whoever is called so would be notified, escaped or not, but not by code. */
			markdown_add_code(out, safe + i, people);
			i += people;
			continue;
		}
		if (strchr("\\`*_[]<|&~$#", safe[i]) != NULL || is_link(safe, length, i))
			text_add(out, "\\", 1);
		text_add(out, safe + i, 1);
		i++;
	}
}

void
markdown_add_code(struct text *out, const char *safe, size_t length)
{
	size_t longest = 0;
	for (size_t i = 0; i < length; i++) {
		size_t count = run(safe + i, length - i, '`');
		longest = count > longest ? count : longest;
		i += count;
	}
	const char *space = longest > 0 ? " " : "";
	for (size_t i = 0; i <= longest; i++)
		text_add(out, "`", 1);
	text_add_string(out, space);
	text_add(out, safe, length);
	text_add_string(out, space);
	for (size_t i = 0; i <= longest; i++)
		text_add(out, "`", 1);
}

void
markdown_add_line(struct text *out, const char *lead, const char *line)
{
	line += strspn(line, " ");
	size_t digits = lead == NULL ? strspn(line, "0123456789") : 0;
	bool is_item = digits > 0 && (line[digits] == '.' || line[digits] == ')');
	bool is_rule = digits == 0 && line[0] != '\0' && strchr("-+=>", line[0]) != NULL;
	text_add_string(out, lead != NULL ? lead : "");
	text_add(out, line, digits);
	text_add_string(out, is_item || (lead == NULL && is_rule) ? "\\" : "");
	text_format(out, "%s\n", line + digits);
}

/* ---- tables */

/* The cell is this text; without memory it is empty, and the table has failed. */
static void
set_cell(struct table *table, struct text *cell, const char *safe, size_t length, bool ascii)
{
	size_t spaces = run(safe, length, ' ');
	text_clear(cell);
	for (size_t i = 0; i < spaces && spaces < length; i++)
		text_add_string(cell, ascii ? "&nbsp;" : "\u00a0");
	markdown_add(cell, safe + spaces, length - spaces);
	if (!cell->failed)
		return;
	table->has_failed = true;
	text_clear(cell);
}

static void
add_filled(struct text *out, const struct text *cell, const struct table *table, int column)
{
	size_t cells = text_width(text_string(cell), cell->length);
	int width = table->widths[column];
	int filling = cells < (size_t)width ? width - (int)cells : 0;
	bool is_right = table->columns[column].is_right;
	text_format(out, "| %*s", is_right ? filling : 0, "");
	text_add(out, text_string(cell), cell->length);
	text_format(out, "%*s ", is_right ? 0 : filling, "");
}

static void
widen(struct table *table, int column, const struct text *cell)
{
	size_t cells = text_width(text_string(cell), cell->length);
	int width = cells < MOST_CELLS ? (int)cells : MOST_CELLS;
	if (width < LEAST_CELLS)
		width = LEAST_CELLS;
	if (table->widths[column] < width)
		table->widths[column] = width;
}

static void
add_titles(struct text *out, struct table *table, struct text *cell)
{
	for (int i = 0; i < table->column_count; i++) {
		set_cell(table, cell, table->columns[i].title, strlen(table->columns[i].title), true);
		add_filled(out, cell, table, i);
	}
	text_add_string(out, "|\n");
	for (int i = 0; i < table->column_count; i++) {
		bool is_right = table->columns[i].is_right;
		text_add_string(out, "| ");
		for (int n = is_right; n < table->widths[i]; n++)
			text_add(out, "-", 1);
		text_add_string(out, is_right ? ": " : " ");
	}
	text_add_string(out, "|\n");
}

void
markdown_add_table(struct text *out, struct table *table, bool with_titles, bool ascii)
{
	struct text cell = { 0 };
	size_t count = (size_t)table->column_count, rows = table_rows(table);
	for (size_t i = 0; i < count && with_titles; i++) {
		const char *title = table->columns[i].title;
		set_cell(table, &cell, title, strlen(title), ascii);
		widen(table, (int)i, &cell);
	}
	for (size_t i = 0; i < rows * count; i++) {
		set_cell(table, &cell, text_string(&table->texts) + table->cells[i].offset,
			table->cells[i].length, ascii);
		widen(table, (int)(i % count), &cell);
	}
	if (with_titles)
		add_titles(out, table, &cell);
	for (size_t i = 0; i < rows * count; i++) {
		set_cell(table, &cell, text_string(&table->texts) + table->cells[i].offset,
			table->cells[i].length, ascii);
		add_filled(out, &cell, table, (int)(i % count));
		if (i % count == count - 1)
			text_add_string(out, "|\n");
	}
	text_release(&cell);
}

/* ---- code blocks */

static bool
is_fence(const char *line)
{
	size_t spaces = strspn(line, " ");
	return spaces < CODE_INDENT && strspn(line + spaces, "`") >= FENCE_LENGTH;
}

void
markdown_keep_fence(struct text *out, size_t start)
{
	struct text lines = { 0 };
	if (out->failed || start >= out->length)
		return;
	text_add(&lines, out->bytes + start, out->length - start);
	out->length = start;
	for (size_t at = 0; at < lines.length && !lines.failed;) {
		size_t length = strcspn(lines.bytes + at, "\n");
		length += at + length < lines.length;
		if (is_fence(lines.bytes + at))
			text_format(out, "%*s", CODE_INDENT, "");
		text_add(out, lines.bytes + at, length);
		at += length;
	}
	out->failed = out->failed || lines.failed;
	text_release(&lines);
}
