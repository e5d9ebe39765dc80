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
	SCREEN_MOUSE,     /* mouse holds it */
	SCREEN_RESIZE,    /* ask size() again */
	SCREEN_TIMEOUT,   /* nothing came in time */
	SCREEN_WAKE,      /* another thread called wake() */
	SCREEN_RESUME,    /* we were stopped and go on: draw all */
	SCREEN_TERMINATE, /* SIGTERM, SIGINT from outside, SIGHUP, end of the terminal: leave */
};

enum screen_mouse_kind { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

/* What the mouse did, with its first button, in which cell. */
struct screen_mouse {
	enum screen_mouse_kind kind;
	int x, y;
};

struct screen_event {
	enum screen_event_kind kind;
	/*
	 * As tables write keys: "a", "G", "[", "Space", "Enter", "Escape", "Tab", "S-Tab",
	 * "Up", "PageDown", "Home", "Delete", "Backspace", "F1", "C-l", "M-x", "Left",
	 * "S-Left", "C-Right"; a typed character outside ASCII as its UTF-8.
	 */
	char key_name[32];
	struct screen_mouse mouse;
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
	/*
	 * Stops the process as ^Z does, the terminal restored meanwhile; then
	 * next() says SCREEN_RESUME.
	 */
	void (*suspend)(struct screen *screen);
	/*
	 * Gives the terminal back while job() runs, which may use it; then
	 * next() says SCREEN_RESUME.
	 */
	void (*lend)(struct screen *screen, void (*job)(void *context), void *context);
	/* Whether the mouse is ours or the terminal's; at first it is the terminal's. */
	void (*set_mouse)(struct screen *screen, bool is_on);
	/*
	 * Hands bytes to the clipboard of the user's terminal, be it far away. False where the
	 * terminal is not known to take them. May be NULL.
	 */
	bool (*copy)(struct screen *screen, const char *bytes, size_t length);
	/* Restores the terminal; may be called twice. */
	void (*leave)(struct screen *screen);
};

#endif
