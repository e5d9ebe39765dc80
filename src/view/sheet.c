/* Writing lines piece by piece, wrapped at the width of the screen. */
#include "view/sheet.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "draw/time_form.h"
#include "trace/words.h"

enum { FRAME_COLUMN = 3 };

/* ---- writing */

void
sheet_line(struct sheet *sheet, int column)
{
	lines_begin(sheet->lines);
	sheet->column = column;
}

/* How much of the text goes on this line: all, or up to a blank, or what fits. */
static size_t
first_part(const struct sheet *sheet, const char *text, size_t length, size_t *cells)
{
	size_t room = sheet->column < sheet->width ? (size_t)(sheet->width - sheet->column) : 0;
	size_t fit = text_fit(text, length, room, cells);
	if (fit == length || text[fit] == ' ')
		return fit;
	size_t end = fit;
	while (end > 0 && text[end - 1] != ' ')
		end--;
	/* A word goes to the next line where that leaves it more room. */
	return end > 0 || sheet->column > sheet->wrapped_column ? end : fit;
}

void
sheet_scratch(struct sheet *sheet, struct cell_style style)
{
	const char *rest = sheet->scratch->bytes;
	size_t length = sheet->scratch->failed ? 0 : sheet->scratch->length;
	while (length > 0) {
		size_t cells = 0;
		size_t part = first_part(sheet, rest, length, &cells);
		if (part == 0 && sheet->column <= sheet->wrapped_column)
			break; /* no room for anything */
		if (part > 0)
			lines_add(sheet->lines, sheet->column, style, rest, part);
		sheet->column += (int)cells;
		rest += part;
		length -= part;
		if (length > 0)
			sheet_line(sheet, sheet->wrapped_column);
		for (; length > 0 && *rest == ' '; length--)
			rest++;
	}
	text_clear(sheet->scratch);
}

void
sheet_string(struct sheet *sheet, struct cell_style style, const char *string)
{
	text_add_string(sheet->scratch, string);
	sheet_scratch(sheet, style);
}

void
sheet_words(struct sheet *sheet, struct cell_style style, const char *pattern)
{
	text_add_words(sheet->scratch, sheet->trace->words, pattern);
	sheet_scratch(sheet, style);
}

void
sheet_heading(struct sheet *sheet, const char *pattern)
{
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_words(sheet, prose_bright, pattern);
}

/* A prose_dim word at the left; the value follows in its column. */
void
sheet_value(struct sheet *sheet, const char *name)
{
	sheet_line(sheet, SHEET_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, name);
	if (sheet->column < SHEET_VALUE_COLUMN)
		sheet->column = SHEET_VALUE_COLUMN;
}

void
sheet_duration(struct sheet *sheet, struct cell_style style, int64_t duration_ns)
{
	char text[UNITS_TEXT];
	units_duration(text, duration_ns, sheet->ascii);
	sheet_string(sheet, style, text);
}

void
sheet_moment(struct sheet *sheet, struct cell_style style, int64_t t_ns)
{
	time_form_add(sheet->scratch, time_form_of(sheet->trace, sheet->is_wall, sheet->ascii),
		sheet->trace, t_ns, 0);
	sheet_scratch(sheet, style);
}

void
sheet_times(struct sheet *sheet, const struct span *span)
{
	sheet_value(sheet, "from");
	sheet_moment(sheet, prose_plain, span->start_ns);
	sheet_value(sheet, "to");
	sheet_moment(sheet, prose_plain, span->end_ns);
	if (span->is_open)
		sheet_string(sheet, prose_dim, ", where the trace ends");
	sheet_value(sheet, "for");
	sheet_duration(sheet, prose_plain, span->end_ns - span->start_ns);
}

/* How many of the processors, which are in order, come before one with that id. */
static size_t
processors_before(
	const struct trace *trace, const resource_ref processors[], size_t count, int64_t id)
{
	size_t low = 0;
	while (low < count) {
		size_t middle = low + (count - low) / 2;
		if (trace_processor(trace, processors[middle])->id < id)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

size_t
sheet_processors(const struct sheet *sheet, resource_ref processors[])
{
	const struct trace *trace = sheet->trace;
	size_t count = 0;
	for (resource_ref i = 0; i < trace_processor_count(trace); i++) {
		size_t at =
			processors_before(trace, processors, count, trace_processor(trace, i)->id);
		if (at == SHEET_MOST_PROCESSORS)
			continue;
		if (count < SHEET_MOST_PROCESSORS)
			count++;
		memmove(&processors[at + 1], &processors[at],
			(count - at - 1) * sizeof processors[0]);
		processors[at] = i;
	}
	return count;
}

void
sheet_more(struct sheet *sheet, int column, uint64_t count)
{
	char number[UNITS_TEXT];
	if (count == 0)
		return;
	units_count(number, count);
	sheet_line(sheet, column);
	text_format(sheet->scratch, "and %s more", number);
	sheet_scratch(sheet, prose_dim);
}

/* ---- stacks */

static void
add_frame(struct sheet *sheet, const struct stack_frame *frame, int column)
{
	sheet_line(sheet, column);
	name_string(sheet->scratch, sheet->trace, frame->function, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	if (frame->file == STRING_EMPTY)
		return;
	name_string(sheet->scratch, sheet->trace, frame->file, sheet->ascii);
	text_format(sheet->scratch, ":%" PRIu64, frame->line);
	int place_cells = (int)text_width(sheet->scratch->bytes, sheet->scratch->length);
	if (sheet->column + 2 + place_cells > sheet->width)
		sheet_line(sheet, column + 2);
	else
		sheet->column += 2;
	sheet_scratch(sheet, prose_dim);
}

void
sheet_stack(struct sheet *sheet, stack_id stack, int column)
{
	while (stack != STACK_NONE) {
		add_frame(sheet, stack_leaf(&sheet->trace->stacks, stack), column);
		stack = stack_caller(&sheet->trace->stacks, stack);
	}
}

void
sheet_titled_stack(struct sheet *sheet, const char *title, stack_id stack)
{
	if (stack == STACK_NONE)
		return;
	sheet_heading(sheet, title);
	sheet_stack(sheet, stack, FRAME_COLUMN);
}
