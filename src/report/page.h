/*
 * Lines of a report: text is put on a canvas one row high, from left to right,
 * and each finished line goes to the output in plain text or in colour. Text must be safe.
 *
 * In Markdown headings, facts and tables are what they are called, any other line is a paragraph,
 * and columns of the page, widths and colours have no meaning but in code blocks.
 */
#ifndef TTRACE_REPORT_PAGE_H
#define TTRACE_REPORT_PAGE_H

#include "base/compiler.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "report/report.h"

enum { PAGE_INDENT = 2 };

enum page_block { PAGE_NOTHING, PAGE_PARAGRAPH, PAGE_FACTS, PAGE_TABLE };

struct page {
	const struct report_options *options;
	struct text *out;
	struct canvas canvas; /* the line being made */
	int x;                /* where the next text goes */
	int indent;           /* of new lines */
	int value_x;          /* where the values of facts begin */
	struct error *err;
	struct text markdown; /* in this form the line being made, escaped */
	uint8_t block;        /* in this form what was put out last, enum page_block */
	const char *lead;     /* in this form what the line begins with, "## " or "- "; NULL: a paragraph */
	bool is_fenced;       /* in this form: within a code block */
	bool is_held;         /* nothing is handed over while it is set */
	bool has_failed;      /* err is set; all that follows does nothing */
};

/* Begins a report. False without memory; page_close() is needed only after success. */
bool page_open(struct page *page, const struct report_options *options, struct text *out,
                struct error *err);
/* Frees what the page has; false if anything went wrong on the way. */
bool page_close(struct page *page);

/* Width of a line, whatever the options say. */
int page_width(const struct page *page);

/* Puts text on the line; what does not fit is not shown. */
void page_write(struct page *page, uint8_t style, const char *safe, size_t length);
void page_string(struct page *page, uint8_t style, const char *safe);
void page_format(struct page *page, uint8_t style, const char *format, ...) ATTR_PRINTF(3, 4);
/* Whether the text was made whole; else the page fails for want of memory, as below. */
bool page_is_whole(struct page *page, const struct text *text);
/*
 * The next two fail if the text could not be made whole for want of memory.
 * Text that goes on in further lines at the words, under where it began.
 */
void page_wrap(struct page *page, uint8_t style, const struct text *safe);
/* Text on one line however long it is: for what is meant to be copied. In Markdown it is code. */
void page_whole(struct page *page, uint8_t style, const struct text *safe);
/* Goes on at this column. */
void page_at(struct page *page, int x);
/* Ends the line, an empty one too. */
void page_line(struct page *page);
/*
 * What is put out between these stands as it is drawn, character below character: in Markdown it
 * is a code block.
 */
void page_fence_begin(struct page *page);
void page_fence_end(struct page *page);
/* Puts a canvas of any height between two lines, fenced. */
void page_picture(struct page *page, const struct canvas *canvas);
/* Hands over what was put out so far, as each line that ends does. */
void page_flush(struct page *page);

/*
 * A fact: its key, and at value_x, or behind a longer key, what the caller puts into `value`, which begins empty, until
 * page_fact_end() prints it and ends the line.
 */
void page_fact(struct page *page, const char *key, struct text *value);
void page_fact_end(struct page *page, uint8_t style, const struct text *value);

/* Ends the line, a heading; what follows stands below it, PAGE_INDENT cells to the right. */
void page_heading_end(struct page *page);
/* An empty line and a title at the left edge; what follows stands below it likewise. */
void page_section(struct page *page, const char *safe);
/* Lays the table out and prints it, its titles too if asked for. */
void page_table(struct page *page, struct table *table, bool with_titles);

#endif
