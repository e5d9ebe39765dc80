/* Cells instead of bytes, from our own tables: the same in every locale. */
#include "base/text.h"
#include "base/text_tables.h"

static bool
is_in_table(const struct text_range *table, size_t count, uint32_t code_point)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (code_point < table[middle].first)
			high = middle;
		else if (code_point > table[middle].last)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

bool
text_is_hidden(uint32_t code_point)
{
	return code_point >= text_hidden[0].first &&
	       is_in_table(text_hidden, text_hidden_count, code_point);
}

bool
text_is_printable(uint32_t code_point)
{
	return is_in_table(text_printable, text_printable_count, code_point);
}

int
text_width_of(uint32_t code_point)
{
	if (code_point < text_zero[0].first)
		return 1;
	if (is_in_table(text_zero, text_zero_count, code_point))
		return 0;
	if (code_point < text_wide[0].first)
		return 1;
	return is_in_table(text_wide, text_wide_count, code_point) ? 2 : 1;
}

/* The first character and its cells; a bad byte, which safe text has not, counts as one. */
static size_t
step(const char *bytes, size_t length, size_t *cells)
{
	if ((unsigned char)bytes[0] < 0x80) {
		*cells = 1;
		return 1;
	}
	struct text_char next = text_decode(bytes, length);
	*cells = next.is_valid ? (size_t)text_width_of(next.code_point) : 1;
	return next.length;
}

size_t
text_width(const char *safe, size_t length)
{
	size_t sum = 0;
	for (size_t at = 0; at < length;) {
		size_t cells;
		at += step(safe + at, length - at, &cells);
		sum += cells;
	}
	return sum;
}

size_t
text_fit(const char *safe, size_t length, size_t cells, size_t *used_cells)
{
	size_t at = 0, used = 0;
	while (at < length) {
		size_t width;
		size_t taken = step(safe + at, length - at, &width);
		if (width > cells - used)
			break;
		at += taken;
		used += width;
	}
	if (used_cells != NULL)
		*used_cells = used;
	return at;
}

void
text_cut(struct text *text, size_t start, size_t cells, bool ascii)
{
	const char *dots = ascii ? ".." : "\u2026";
	size_t dot_cells = ascii ? 2 : 1;
	if (text->failed || text->length == start ||
		text_width(text->bytes + start, text->length - start) <= cells)
		return;
	bool has_dots = cells > dot_cells;
	text->length = start + text_fit(text->bytes + start, text->length - start,
				       has_dots ? cells - dot_cells : cells, NULL);
	text->bytes[text->length] = '\0';
	if (has_dots)
		text_add_string(text, dots);
}
