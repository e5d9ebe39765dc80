/* Words as they stand there; of a part no more than where it is. */
#include "view/document_page.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "trace/document.h"
#include "view/walk.h"

enum { MOST_LINES = 20000, KIND_COLUMN = 8 };

struct page {
	struct walk walk; /* its steps are the parts, in their order */
};

static void *
page_open(struct session *session, struct error *err)
{
	if (session->trace->document == NULL) {
		error_set(err, ERROR_USAGE, "it is no text with parts");
		return NULL;
	}
	return array_new(1, sizeof(struct page), err);
}

static void
page_close(void *state)
{
	struct page *page = state;
	walk_release(&page->walk);
	memory_free(page);
}

/* ---- writing */

static void
write_words(struct sheet *sheet, const char *bytes, size_t from, size_t until, size_t *lines)
{
	while (from < until && *lines < MOST_LINES) {
		const char *newline = memchr(bytes + from, '\n', until - from);
		size_t end = newline != NULL ? (size_t)(newline - bytes) : until;
		sheet_line(sheet, WALK_TEXT_COLUMN);
		text_add_safe(sheet->scratch, bytes + from, end - from, sheet->ascii);
		sheet_scratch(sheet, prose_plain);
		from = end + 1;
		(*lines)++;
	}
}

static void
write_part(struct page *page, struct sheet *sheet, size_t number, const struct document_part *part)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	walk_step_at(&page->walk, (int64_t)number);
	text_format(sheet->scratch, "[%zu]", number + 1);
	sheet_scratch(sheet, prose_bright);
	sheet->column = KIND_COLUMN;
	sheet_string(sheet, prose_bright, part->source);
	text_format(sheet->scratch, "   lines %" PRIu64 " to %" PRIu64, part->first_line, part->last_line);
	sheet_scratch(sheet, prose_dim);
}

static void
write_page(struct page *page, struct sheet *sheet, const struct document *document)
{
	size_t at = 0, lines = 0;
	for (size_t i = 0; i < document->part_count; i++) {
		const struct document_part *part = &document->parts[i];
		write_words(sheet, document->bytes, at, part->from, &lines);
		write_part(page, sheet, i, part);
		at = part->until;
	}
	write_words(sheet, document->bytes, at, document->size, &lines);
	if (lines < MOST_LINES)
		return;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, "further lines are left out");
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	if (walk_begins(&page->walk, session, canvas, &sheet))
		write_page(page, &sheet, session->trace->document);
	text_add_string(&title, "Text with parts: ");
	text_add_string(&title, session->file_name);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
}

/* ---- commands */

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct page *page = state;
	if (command != COMMAND_OPEN || page->walk.selected >= page->walk.count)
		return walk_command(&page->walk, session, command, count, argument);
	session->section = (uint32_t)page->walk.selected + 1;
	return (struct view_answer){ .reaction = VIEW_SECTION };
}

const struct view_ops document_view = {
	.name = "text",
	.context = IN_WALK,
	.open = page_open,
	.close = page_close,
	.command = page_command,
	.draw = page_draw,
	.place = walk_view_place,
	.go_to_place = walk_view_go_to_place,
	.position = walk_view_position,
};
