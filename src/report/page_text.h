/* Texts (draw/prose.h) in print: lines and facts of a page, and lists as tables. */
#ifndef TTRACE_REPORT_PAGE_TEXT_H
#define TTRACE_REPORT_PAGE_TEXT_H

#include "draw/prose.h"
#include "report/page.h"

enum page_text_state { PAGE_TEXT_IDLE, PAGE_TEXT_ITEM, PAGE_TEXT_LINE, PAGE_TEXT_FACT, PAGE_TEXT_LIST };

/* Zero-initialised, it can be released. */
struct page_text {
	struct prose prose;
	struct page *page;
	struct text words;
	enum page_text_state state; /* what is being made */
	struct text line;        /* words of the line or fact so far ... */
	uint8_t style;           /* ... and how they are shown */
	bool is_item;            /* lines belong to an item */
	struct table table;      /* rows of the list that are not put out yet */
	struct table_column looks[TABLE_MAX_COLUMNS];
	const struct prose_column *columns;
	int column;              /* of the row, the next one */
	uint32_t depth;          /* of the row */
	bool awaits_titles;      /* the list has some, and they are not put out yet */
};

/* The text is begun at the start of a line; what comes back is its, to be written on. */
struct prose *page_text_begin(struct page_text *text, struct page *page, const struct trace *trace);
/* Puts out what is not yet; then the page can be written on, until more is told. */
void page_text_flush(struct page_text *text);
void page_text_release(struct page_text *text);

#endif
