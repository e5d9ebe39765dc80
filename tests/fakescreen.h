/*
 * A screen without a terminal: keys come from a script, pictures stay in a
 * canvas. For tests of everything above the terminal.
 */
#ifndef TTRACE_TESTS_FAKESCREEN_H
#define TTRACE_TESTS_FAKESCREEN_H

#include <pthread.h>
#include <stdbool.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/screen.h"

struct fakescreen {
	struct screen screen;
	int width, height;
	enum color_depth depth;
	/*
	 * Keys with blanks between. "=80x24" resizes, "@0,12,5" is the mouse, of a kind and in a
	 * cell, "!" ends a burst of keys that come together. Behind the last one SCREEN_TERMINATE,
	 * unless waits_at_end.
	 */
	const char *script;
	bool waits_at_end;   /* then only wake() ends the wait */
	bool is_burst;       /* keys come together, else each one alone */
	struct canvas shown; /* what was put last */
	int rest_looks;      /* so often after each picture the line is found busy */
	int rests_left;
	int wait_ms;         /* of the last event that was waited for; -1 is for ever */
	int put_count, suspend_count, refresh_count, lend_count, leave_count;
	char copied[500]; /* to the clipboard, last */
	bool has_mouse;
	pthread_mutex_t mutex;
	pthread_cond_t has_woken;
	bool is_woken;
	bool gave_key; /* the last event was one, so a look for more finds nothing */
};

/* In the given size, with 256 colours. The fake may not be moved afterwards. */
void fakescreen_init(struct fakescreen *fake, int width, int height, const char *script);
void fakescreen_release(struct fakescreen *fake);

/* Row y of what was put last, without blanks at its end; in static storage. */
const char *fakescreen_row(struct fakescreen *fake, int y);
/* Whether a text stands anywhere on it, within one row. */
bool fakescreen_has(struct fakescreen *fake, const char *text);

#endif
