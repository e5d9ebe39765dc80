/* Prints a canvas as plain text: the graphemes alone. */
#include "draw/output.h"

/* Cells of the row up to its last one that shows something. */
static int
shown_cells(const struct cell *row, int width)
{
	while (width > 0 && row[width - 1].text[0] == '\0' && !row[width - 1].is_continued)
		width--;
	return width;
}

void
output_text(const struct canvas *canvas, struct text *out)
{
	for (int y = 0; y < canvas->height; y++) {
		const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
		int shown = shown_cells(row, canvas->width);
		for (int x = 0; x < shown; x++) {
			if (!row[x].is_continued)
				text_add_string(out, row[x].text[0] == '\0' ? " " : row[x].text);
		}
		text_add(out, "\n", 1);
	}
}
