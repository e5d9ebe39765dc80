/* Texts in print. */
#include "report/page_text.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>

#include "analysis/registry.h"
#include "base/units.h"
#include "report/words.h"
#include "trace/words.h"

enum {
	ITEM_CELLS = 5,      /* in front of all lines of an item but its number */
	ROWS_AT_ONCE = 512,  /* whose widths are chosen together, so that a million of them need no memory */
	MOST_INDENT = 10,
};

static struct page_text *
of(struct prose *prose)
{
	return (struct page_text *)prose; /* its first member */
}

static void
put_rows(struct page_text *text)
{
	if (table_rows(&text->table) == 0 && !text->table.has_failed)
		return;
	page_table(text->page, &text->table, text->awaits_titles);
	table_clear(&text->table);
	text->awaits_titles = false;
	text->prose.is_over = text->page->has_failed;
}

void
page_text_flush(struct page_text *text)
{
	switch (text->state) {
	case PAGE_TEXT_IDLE:
		return;
	case PAGE_TEXT_ITEM:
		page_line(text->page);
		text->page->indent = ITEM_CELLS;
		page_at(text->page, ITEM_CELLS);
		break;
	case PAGE_TEXT_LINE:
	case PAGE_TEXT_FACT:
		page_fact_end(text->page, text->style, &text->line);
		text_clear(&text->line);
		break;
	case PAGE_TEXT_LIST:
		put_rows(text);
		table_release(&text->table);
		break;
	}
	text->state = PAGE_TEXT_IDLE;
}

/* Ends what was being made, and begins this. */
static struct page_text *
begin(struct prose *prose, enum page_text_state state)
{
	struct page_text *text = of(prose);
	page_text_flush(text);
	text->state = state;
	text->style = STYLE_DEFAULT;
	return text;
}

static void
heading(struct prose *prose)
{
	struct page_text *text = begin(prose, PAGE_TEXT_IDLE);
	text->is_item = false;
	if (page_is_whole(text->page, prose->words) && prose->words->length > 0)
		prose->words->bytes[0] = (char)toupper((unsigned char)prose->words->bytes[0]);
	/* As page_section(), but it goes on below where it is long. */
	text->page->indent = 0;
	page_line(text->page);
	text->page->lead = "### ";
	page_wrap(text->page, STYLE_TEXT_BRIGHT, prose->words);
	page_heading_end(text->page);
	text_clear(prose->words);
}

static void
item(struct prose *prose, size_t number)
{
	struct page_text *text = begin(prose, PAGE_TEXT_ITEM);
	text->is_item = true;
	text->page->indent = 0;
	page_line(text->page);
	page_format(text->page, STYLE_TEXT_DIM, "%3zu", number);
}

static void
pause(struct prose *prose)
{
	struct page_text *text = begin(prose, PAGE_TEXT_IDLE);
	text->is_item = false;
	text->page->indent = 0;
	page_line(text->page);
}

static void
line(struct prose *prose)
{
	begin(prose, PAGE_TEXT_LINE);
}

static void
fact(struct prose *prose, const char *key)
{
	struct page_text *text = begin(prose, PAGE_TEXT_FACT);
	page_fact(text->page, key, &text->line);
}

/* The words join the line; what could not be made whole is noticed where that is put out. */
static void
take_words(struct page_text *text)
{
	struct text *words = text->prose.words;
	if (words->failed)
		text->line.failed = true;
	else if (words->length > 0)
		text_add(&text->line, words->bytes, words->length);
	text_clear(words);
}

static void
say(struct prose *prose, struct cell_style style)
{
	struct page_text *text = of(prose);
	if (text->state == PAGE_TEXT_LIST) {
		text_clear(prose->words);
		return;
	}
	if (text->line.length == 0)
		text->style = style.fg;
	take_words(text);
}

static void
list(struct prose *prose, const struct prose_column *columns, int count)
{
	struct page_text *text = begin(prose, PAGE_TEXT_LIST);
	text->awaits_titles = false;
	for (int i = 0; i < count; i++) {
		text->awaits_titles = text->awaits_titles || columns[i].look.title[0] != '\0';
		text->looks[i] = columns[i].look;
		text->looks[i].title = words_title(prose->trace->words, columns[i].look.title);
	}
	table_init(&text->table, text->looks, count);
	text->columns = columns;
}

static void
row(struct prose *prose, uint32_t depth)
{
	struct page_text *text = of(prose);
	if (table_rows(&text->table) == ROWS_AT_ONCE)
		put_rows(text);
	text->depth = depth < MOST_INDENT ? depth : MOST_INDENT;
	text->column = 0;
}

static void
join(struct prose *prose, const char *joint)
{
	(void)prose;
	(void)joint;
}

static void
put_item_cell(struct page_text *text, struct cell_style style)
{
	const struct text *words = text->prose.words;
	struct page *page = text->page;
	if (!page_is_whole(page, words) || words->length == 0)
		return;
	int cells = (int)text_width(words->bytes, words->length);
	if (page->x + TABLE_GAP_CELLS + cells <= page_width(page) || page->x <= ITEM_CELLS) {
		page_string(page, style.fg, "  ");
	} else {
		page_line(page);
		page_at(page, ITEM_CELLS);
	}
	page_wrap(page, style.fg, words);
}

static void
cell(struct prose *prose, struct cell_style style)
{
	struct page_text *text = of(prose);
	if (text->state == PAGE_TEXT_ITEM) {
		put_item_cell(text, style);
		text_clear(prose->words);
		return;
	}
	assert(text->column < text->table.column_count);
	if (text->columns[text->column++].is_nested && text->depth > 0) {
		text_clear(&text->line);
		text_format(&text->line, "%*s", (int)text->depth, "");
		take_words(text);
		table_text(&text->table, style, &text->line);
		text_clear(&text->line);
	} else {
		table_text(&text->table, style, prose->words);
	}
	text_clear(prose->words);
}

/* Options, which are to be copied: whole, on a line that may be long. */
static void
put_options(struct prose *prose, const char *key)
{
	struct page_text *text = begin(prose, PAGE_TEXT_IDLE);
	page_fact(text->page, key, &text->line);
	page_whole(text->page, STYLE_KEY, prose->words);
	page_line(text->page);
	text_clear(prose->words);
}

/* Of rows their cells tell it. */
static void
lead(struct prose *prose, struct lane lane, int64_t from_ns, int64_t until_ns)
{
	if (!of(prose)->is_item)
		return;
	page_text_flush(of(prose));
	if (lane.type == LANE_ACTOR)
		text_format(prose->words, "--%s=%" PRId64,
			registry_shown_name("goroutine", prose->trace->words),
			trace_actor(prose->trace, lane.ref)->id);
	else
		text_add_string(prose->words, "--row=gc");
	words_option_span(prose->words, prose->trace, from_ns, until_ns);
	put_options(prose, "see");
}

static void
path(struct prose *prose, actor_ref actor, int64_t from_ns, int64_t until_ns)
{
	char from[UNITS_TEXT], until[UNITS_TEXT];
	units_option_time(from, from_ns, 1);
	units_option_time(until, until_ns, 1);
	text_format(prose->words, "--path=%" PRId64 ",%s,%s", trace_actor(prose->trace, actor)->id,
		from, until);
	put_options(prose, "path");
}

static void
query(struct prose *prose, const char *words, bool is_all)
{
	text_format(prose->words, "--find='%s'", words);
	put_options(prose, is_all ? "spans" : "longest");
}

struct prose *
page_text_begin(struct page_text *text, struct page *page, const struct trace *trace)
{
	static const struct prose_medium print = { heading, item, pause, line, fact, say, list, row,
		join, cell, lead, path, query };
	const struct report_options *options = page->options;
	*text = (struct page_text){
		.prose = {
			.medium = &print,
			.trace = trace,
			.words = &text->words,
			.form = time_form_of(trace, options->is_wall, options->ascii),
			.ascii = options->ascii,
			.most_sums = 40,
		},
		.page = page,
	};
	return &text->prose;
}

void
page_text_release(struct page_text *text)
{
	page_text_flush(text);
	text_release(&text->words);
	text_release(&text->line);
}
