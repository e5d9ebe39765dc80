/* Counting cells that differ, gaps between them, and changes of colour. */
#include "term/rewrite.h"

#include <stddef.h>
#include <string.h>

enum {
	MOVE_BYTES = 5,  /* over cells that stand right */
	LOOK_BYTES = 10, /* to another colour */
	ERASE_BYTES = 3, /* the rest of the row */
};

static bool
is_bare(const struct cell *cell)
{
	return cell->text[0] == '\0' && !cell->is_continued;
}

bool
rewrite_is_same(const struct cell *a, const struct cell *b)
{
	if (memcmp(a, b, sizeof *a) == 0)
		return true;
	return is_bare(a) && is_bare(b) && a->bg == b->bg && a->attributes == b->attributes;
}

static bool
has_same_look(const struct cell *a, const struct cell *b)
{
	return a->bg == b->bg && a->attributes == b->attributes && (is_bare(b) || a->fg == b->fg);
}

/* Where the blanks begin that the cells end with, of one ground. */
static int
tail_of(const struct cell *cells, int count)
{
	int first = count;
	while (first > 0 && is_bare(&cells[first - 1]) && cells[first - 1].bg == cells[count - 1].bg)
		first--;
	return first;
}

int
rewrite_bytes(const struct cell *before, const struct cell *after, int count)
{
	static const struct cell blank;
	const struct cell *last = NULL;
	bool is_apart = true;
	int bytes = 0, tail = tail_of(after, count);
	for (int i = 0; i < count; i++) {
		const struct cell *cell = &after[i];
		if (rewrite_is_same(before == NULL ? &blank : &before[i], cell)) {
			is_apart = true;
			continue;
		}
		bytes += is_apart ? MOVE_BYTES : 0;
		if (i >= tail)
			return bytes + ERASE_BYTES;
		bytes += last == NULL || !has_same_look(last, cell) ? LOOK_BYTES : 0;
		bytes += is_bare(cell) ? 1 : (int)strlen(cell->text);
		is_apart = false;
		last = cell;
	}
	return bytes;
}
