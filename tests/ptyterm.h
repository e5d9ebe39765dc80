/*
 * A terminal for tests: runs a program in a pseudo-terminal with libvterm as the
 * emulator behind it, and a small shell with job control between, so that the
 * program can be stopped and continued. Nothing here sleeps: all waits are for
 * something to happen, up to a deadline of PTYTERM_DEADLINE_MS.
 */
#ifndef TTRACE_TESTS_PTYTERM_H
#define TTRACE_TESTS_PTYTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PTYTERM_DEADLINE_MS = 20000 };

#define PTYTERM_DEFAULT UINT32_MAX /* the terminal's own colour */
#define PTYTERM_RGB 0x1000000u     /* added to 0xRRGGBB; else a colour is an index */

struct ptyterm;
struct text;

struct ptyterm_options {
	int width, height;              /* 0: 80x24 */
	const char *term;               /* TERM; NULL: xterm-256color */
	const char *const *environment; /* NAME=VALUE up to a NULL, beside what is inherited; or NULL */
	const char *stdin_path;         /* standard input is a pipe that brings this file; or NULL */
};

struct ptyterm_cell {
	char text[32]; /* UTF-8, "" is a blank or the right half of a wide grapheme */
	int width;
	uint32_t fg, bg;
	bool is_bold, is_underlined, is_reversed;
};

/*
 * Starts argv[0] (looked up in PATH) in a new terminal. NULL with a message on stderr on
 * failure. LC_ALL is C.UTF-8; LINES, COLUMNS, COLORTERM and NO_COLOR are not inherited.
 */
struct ptyterm *ptyterm_start(const char *const argv[], const struct ptyterm_options *options);
/* Kills what still runs; NULL is fine. */
void ptyterm_free(struct ptyterm *term);

void ptyterm_send(struct ptyterm *term, const char *keys);
/* Changes the size, as a user pulling at the window does. */
void ptyterm_resize(struct ptyterm *term, int width, int height);
/* Sends a signal to the program (not to its group). */
void ptyterm_signal(struct ptyterm *term, int number);
/* Brings a stopped program to the foreground again, as fg does. */
void ptyterm_continue(struct ptyterm *term);
/* The window is closed: the program loses its terminal. */
void ptyterm_hang_up(struct ptyterm *term);

/*
 * These wait, and say whether it happened before the deadline; if not, they print the
 * screen on stderr.
 */
bool ptyterm_wait_text(struct ptyterm *term, const char *text);
bool ptyterm_wait_no_text(struct ptyterm *term, const char *text);
bool ptyterm_wait_for(struct ptyterm *term, bool (*is_so)(struct ptyterm *term, void *context),
                      void *context, const char *what);
bool ptyterm_wait_stopped(struct ptyterm *term);
/* *status becomes what waitpid() says of the program; all of its output has been read. */
bool ptyterm_wait_exit(struct ptyterm *term, int *status);
/* Reads until the program has written nothing for quiet_ms. */
void ptyterm_settle(struct ptyterm *term, int quiet_ms);

/* What the screen shows now; nothing is read. */
bool ptyterm_has_text(struct ptyterm *term, const char *text);
/* A row without its trailing blanks; valid until the next call. */
const char *ptyterm_row(struct ptyterm *term, int y);
struct ptyterm_cell ptyterm_cell(struct ptyterm *term, int x, int y);
bool ptyterm_is_alternate(const struct ptyterm *term);
bool ptyterm_is_cursor_visible(const struct ptyterm *term);
/* Whether the modes (termios) are as they were before the program started. */
bool ptyterm_has_first_modes(const struct ptyterm *term);
/* Bytes that the program has written so far. */
uint64_t ptyterm_bytes(const struct ptyterm *term);
/* These bytes, and with them what the terminal echoed; valid until more is read. */
const struct text *ptyterm_raw(const struct ptyterm *term);
void ptyterm_print(struct ptyterm *term);

#endif
