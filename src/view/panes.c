/* Lines for panes. */
#include "view/panes.h"

enum { FEWEST_LINES = 2 }; /* a heading and a row */

/* What one pane would take if it could. */
static int
wanted_by(const struct pane_place *pane, int lines)
{
	return pane->rows < (size_t)lines ? (int)pane->rows + 1 : lines;
}

/* Those that want no more than their share have it first: what is left is shared by the others. */
static void
share(struct panes *panes, int lines)
{
	bool is_given[PANES_MOST] = { false };
	int left = panes->count;
	for (bool has_given = true; has_given && left > 0;) {
		has_given = false;
		for (int i = 0; i < panes->count; i++) {
			int wanted = wanted_by(&panes->items[i], lines);
			if (is_given[i] || wanted > lines / left)
				continue;
			panes->items[i].lines = wanted;
			lines -= wanted;
			left--;
			is_given[i] = has_given = true;
		}
	}
	for (int i = 0; i < panes->count; i++) {
		if (is_given[i])
			continue;
		panes->items[i].lines = lines / left;
		lines -= lines / left;
		left--;
	}
}

void
panes_place(struct panes *panes, int y, int lines)
{
	for (int i = 0; i < panes->count; i++)
		panes->items[i].lines = i == panes->active ? lines : 0;
	if (lines >= FEWEST_LINES * panes->count)
		share(panes, lines);
	for (int i = 0; i < panes->count; i++) {
		panes->items[i].y = y;
		y += panes->items[i].lines;
	}
}

int
panes_at(const struct panes *panes, int y)
{
	for (int i = 0; i < panes->count; i++)
		if (y >= panes->items[i].y && y < panes->items[i].y + panes->items[i].lines)
			return i;
	return -1;
}
