/*
 * The terminal as the program sees it: a table of functions. term/ implements it
 * with ncurses and libtermkey; tests with a canvas and a script of keys.
 */
#ifndef TTRACE_DRAW_SCREEN_H
#define TTRACE_DRAW_SCREEN_H

#include <stdbool.h>

#include "base/error.h"
#include "draw/canvas.h"
#include "draw/palette.h"

enum screen_event_kind {
	SCREEN_KEY,       /* key_name holds it */
	SCREEN_RESIZE,    /* ask size() again */
	SCREEN_TIMEOUT,   /* nothing came in time */
	SCREEN_WAKE,      /* another thread called wake() */
	SCREEN_RESUME,    /* we were stopped and go on: draw all */
	SCREEN_TERMINATE, /* SIGTERM, SIGINT from outside, SIGHUP, end of the terminal: leave */
};

struct screen_event {
	enum screen_event_kind kind;
	/*
	 * As tables write keys: "a", "G", "[", "Space", "Enter", "Escape", "Tab", "S-Tab",
	 * "Up", "PageDown", "Home", "Delete", "Backspace", "F1", "C-l", "M-x", "Left",
	 * "S-Left", "C-Right"; a typed character outside ASCII as its UTF-8.
	 */
	char key_name[32];
};

struct screen {
	void *context;
	/* In cells, at least 1x1. */
	void (*size)(struct screen *screen, int *width, int *height);
	enum color_depth (*depth)(struct screen *screen);
	/* Shows the canvas; only cells that differ from what stands there are written. */
	bool (*put)(struct screen *screen, const struct canvas *canvas, const struct palette *palette,
	            struct error *err);
	/*
	 * How long the line is still busy with what put() sent, going by how long that took; 0 on a
	 * fast one. A frame before that would wait, while keys could be gathered for a later one.
	 */
	int (*rest_ms)(struct screen *screen);
	/* Makes the next put() write every cell, whatever is believed to stand there. */
	void (*refresh)(struct screen *screen);
	/* Waits for the next event, at most timeout_ms (-1: for ever; 0: only looks). */
	void (*next)(struct screen *screen, int timeout_ms, struct screen_event *event);
	/* From any thread: makes next() return SCREEN_WAKE soon. */
	void (*wake)(struct screen *screen);
	/* Stops the process as ^Z does, the terminal restored meanwhile; then next() says SCREEN_RESUME. */
	void (*suspend)(struct screen *screen);
	/* Restores the terminal; may be called twice. */
	void (*leave)(struct screen *screen);
};

#endif
