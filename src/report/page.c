/* One canvas row at a time, so that a report of any length needs no memory for it. */
#include "report/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "draw/output.h"
#include "report/markdown.h"

enum {
	FORMAT_BYTES = 1024,
	LONGEST_LINE = 16 << 10, /* cells of a line that is not wrapped */
	WRAP_LEAST_CELLS = 20,   /* a column narrower than this is not wrapped into */
};

int
page_width(const struct page *page)
{
	int width = page->options->width_cells;
	return width < REPORT_MIN_WIDTH ? REPORT_MIN_WIDTH : width;
}

static void
fail(struct page *page)
{
	page->has_failed = true;
}

static bool
is_markdown(const struct page *page)
{
	return page->options->format == REPORT_AS_MARKDOWN && !page->is_fenced;
}

/* In Markdown an empty line is between what does not belong together. */
static void
begin_block(struct page *page, enum page_block block)
{
	bool goes_on = block != PAGE_PARAGRAPH && block == page->block;
	if (page->block != PAGE_NOTHING && !goes_on)
		text_add_string(page->out, "\n");
	page->block = (uint8_t)block;
}

/* Blanks the line at the width that lines have, unless the one before was longer. */
static void
clear_line(struct page *page)
{
	page->x = page->indent;
	if (page->canvas.width == page_width(page))
		canvas_clear(&page->canvas);
	else if (!canvas_resize(&page->canvas, page_width(page), 1, page->err))
		fail(page);
}

bool
page_open(struct page *page, const struct report_options *options, struct text *out,
	struct error *err)
{
	*page = (struct page){ .options = options, .out = out, .err = err };
	page->canvas.ascii = options->ascii;
	page->canvas.monochrome =
		options->depth == COLORS_NONE || options->palette->is_monochrome;
	return canvas_resize(&page->canvas, page_width(page), 1, err);
}

bool
page_close(struct page *page)
{
	canvas_release(&page->canvas);
	text_release(&page->markdown);
	return !page->has_failed;
}

void
page_write(struct page *page, uint8_t style, const char *safe, size_t length)
{
	if (is_markdown(page)) {
		markdown_add(&page->markdown, safe, length);
		return;
	}
	struct cell_style cell = { .fg = style };
	struct cell_run rest = { page->x, 0, page->canvas.width - page->x };
	page->x += canvas_bytes(&page->canvas, rest, cell, safe, length);
}

void
page_string(struct page *page, uint8_t style, const char *safe)
{
	page_write(page, style, safe, strlen(safe));
}

void
page_format(struct page *page, uint8_t style, const char *format, ...)
{
	char line[FORMAT_BYTES];
	va_list args;
	va_start(args, format);
	int length = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (length > 0)
		page_string(page, style, line);
}

/* How many bytes of the text go on this line: up to the last blank that fits, if there is one. */
static size_t
line_bytes(const char *safe, size_t length, size_t cells)
{
	size_t fitting = text_fit(safe, length, cells, NULL);
	if (fitting == length)
		return length;
	for (size_t i = fitting; i > 0; i--)
		if (safe[i] == ' ')
			return i;
	return fitting;
}

bool
page_is_whole(struct page *page, const struct text *text)
{
	if (!text->failed)
		return true;
	error_set_memory(page->err, "the report");
	fail(page);
	return false;
}

static void
wrap(struct page *page, uint8_t style, const char *safe, size_t length)
{
	int x = page->x;
	while (length > 0) {
		size_t bytes = line_bytes(safe, length, (size_t)(page_width(page) - x));
		if (bytes == 0)
			break;
		page_write(page, style, safe, bytes);
		while (bytes < length && safe[bytes] == ' ')
			bytes++;
		safe += bytes;
		length -= bytes;
		if (length > 0) {
			page_line(page);
			page_at(page, x);
		}
	}
}

void
page_wrap(struct page *page, uint8_t style, const struct text *safe)
{
	if (!page_is_whole(page, safe) || safe->length == 0)
		return;
	if (is_markdown(page) || page_width(page) - page->x < WRAP_LEAST_CELLS)
		page_write(page, style, safe->bytes, safe->length);
	else
		wrap(page, style, safe->bytes, safe->length);
}

void
page_whole(struct page *page, uint8_t style, const struct text *safe)
{
	if (!page_is_whole(page, safe) || safe->length == 0)
		return;
	if (is_markdown(page)) {
		markdown_add_code(&page->markdown, safe->bytes, safe->length);
		return;
	}
	size_t cells = text_width(safe->bytes, safe->length);
	if (page->x + (int)cells > page_width(page) && cells < LONGEST_LINE) {
		/* The canvas is begun anew, so what stands on the line already goes before. */
		if (page->x > page->indent)
			page_line(page);
		if (!canvas_resize(&page->canvas, page->indent + (int)cells, 1, page->err))
			fail(page);
	}
	page_write(page, style, safe->bytes, safe->length);
}

void
page_at(struct page *page, int x)
{
	page->x = x;
}

void
page_flush(struct page *page)
{
	bool is_held = page->is_held && !page->out->failed; /* of which is to be told at once */
	if (!page->has_failed && !is_held && !report_flush(page->options, page->out, page->err))
		fail(page);
}

static void
put_canvas(struct page *page, const struct canvas *canvas)
{
	const struct report_options *options = page->options;
	size_t start = page->out->length;
	if (options->depth == COLORS_NONE)
		output_text(canvas, page->out);
	else
		output_ansi(canvas, options->palette, options->depth, page->out);
	if (page->is_fenced)
		markdown_keep_fence(page->out, start);
}

void
page_fence_begin(struct page *page)
{
	if (!is_markdown(page))
		return;
	begin_block(page, PAGE_PARAGRAPH);
	text_add_string(page->out, MARKDOWN_FENCE_BEGIN);
	page->is_fenced = true;
}

void
page_fence_end(struct page *page)
{
	if (!page->is_fenced)
		return;
	text_add_string(page->out, MARKDOWN_FENCE_END);
	page->is_fenced = false;
}

void
page_picture(struct page *page, const struct canvas *canvas)
{
	page_fence_begin(page);
	put_canvas(page, canvas);
	page_fence_end(page);
}

static void
put_markdown(struct page *page)
{
	struct text *line = &page->markdown;
	if (!page_is_whole(page, line))
		return;
	while (line->length > 0 && line->bytes[line->length - 1] == ' ')
		line->bytes[--line->length] = '\0';
	if (line->length > 0) {
		bool is_fact = page->lead != NULL && page->lead[0] != '#';
		begin_block(page, is_fact ? PAGE_FACTS : PAGE_PARAGRAPH);
		markdown_add_line(page->out, page->lead, text_string(line));
	}
	text_clear(line);
	page->lead = NULL;
}

void
page_line(struct page *page)
{
	if (page->has_failed)
		return;
	if (is_markdown(page)) {
		put_markdown(page);
	} else {
		put_canvas(page, &page->canvas);
		clear_line(page);
	}
	page_flush(page);
}

void
page_fact(struct page *page, const char *key, struct text *value)
{
	if (is_markdown(page)) {
		/* What is told more of a fact stands below it. */
		bool is_part = key[0] == ' ' || key[0] == '\0';
		size_t spaces = strspn(key, " ");
		page->lead = is_part ? "  - " : "- ";
		markdown_add(&page->markdown, key + spaces, strlen(key + spaces));
		text_add_string(&page->markdown, key[0] != '\0' ? ": " : "");
		text_clear(value);
		return;
	}
	page_string(page, STYLE_TEXT_DIM, key);
	page_at(page, page->x < page->value_x ? page->value_x : page->x + 1);
	text_clear(value);
}

void
page_fact_end(struct page *page, uint8_t style, const struct text *value)
{
	page_wrap(page, style, value);
	page_line(page);
}

void
page_heading_end(struct page *page)
{
	page->indent = PAGE_INDENT;
	if (page->lead == NULL)
		page->lead = "## ";
	page_line(page);
}

void
page_section(struct page *page, const char *safe)
{
	page->indent = 0;
	page_line(page);
	page->lead = "### ";
	page_string(page, STYLE_TEXT_BRIGHT, safe);
	page_heading_end(page);
}

/* A table goes on without titles; one that has none begins with empty ones. */
static void
put_markdown_table(struct page *page, struct table *table, bool with_titles)
{
	bool begins = with_titles || page->block != PAGE_TABLE;
	if (begins)
		begin_block(page, PAGE_PARAGRAPH);
	page->block = PAGE_TABLE;
	markdown_add_table(page->out, table, begins, page->options->ascii);
	page_flush(page);
}

static void
put_table(struct page *page, struct table *table, bool with_titles)
{
	int x = page->indent;
	table_layout(table, page_width(page) - x);
	if (with_titles) {
		struct cell_style dim = { .fg = STYLE_TEXT_DIM };
		table_draw_titles(table, &page->canvas, x, 0, dim);
		page_line(page);
	}
	for (size_t row = 0; row < table_rows(table) && !page->has_failed; row++) {
		table_draw_row(table, &page->canvas, x, 0, row);
		page_line(page);
	}
}

void
page_table(struct page *page, struct table *table, bool with_titles)
{
	/* What is there of a text that is not whole does not fit its cells. */
	if (!table->has_failed && is_markdown(page))
		put_markdown_table(page, table, with_titles);
	else if (!table->has_failed)
		put_table(page, table, with_titles);
	if (table->has_failed) {
		error_set_memory(page->err, "the report");
		fail(page);
	}
}
