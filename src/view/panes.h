/*
 * Several traces on one screen: a pane for each, one above the other, on one axis of time. One of them is active:
 * it has the keys, the title, the panel and the pages. Each has a session of its own; the app keeps their times
 * in step.
 */
#ifndef TTRACE_VIEW_PANES_H
#define TTRACE_VIEW_PANES_H

#include <stdbool.h>
#include <stddef.h>

struct canvas; /* draw/canvas.h */

enum { PANES_MOST = 4 };

/* Where one stands on the screen, in the last frame. */
struct pane_place {
	size_t rows;   /* that it has: more lines than for these and its heading it does not get */
	int y, lines;  /* its heading is the first of them; 0 where there is no room */
};

struct panes {
	struct pane_place items[PANES_MOST]; /* from top to bottom */
	int count, active;
	/* Draws those that are not active, each in its place; of the app. */
	void (*draw_others)(void *context, struct canvas *canvas);
	void *context;
};

/*
 * Gives the lines from y on to the panes: the same to each, but those to others that one has no rows for. Where that
 * is too few the active one has all.
 */
void panes_place(struct panes *panes, int y, int lines);
/* The pane that holds the line, -1 for none. */
int panes_at(const struct panes *panes, int y);

#endif
