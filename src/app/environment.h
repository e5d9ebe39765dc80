/*
 * What the program finds around itself, and what follows from that together
 * with the options: pure functions, so that tests can try every case.
 */
#ifndef TTRACE_APP_ENVIRONMENT_H
#define TTRACE_APP_ENVIRONMENT_H

#include <stdbool.h>

#include "app/options.h"
#include "draw/palette.h"

/* Strings point into the environment, NULL where unset. */
struct environment {
	bool stdin_is_terminal, stdout_is_terminal;
	bool locale_is_utf8;
	bool stdout_is_pipe;
	int terminal_width;               /* of standard output, 0 where unknown */
	int other_terminal_width;         /* of the terminal we were started from, the same */
	const char *term;                 /* $TERM */
	const char *colorterm;            /* $COLORTERM */
	const char *no_color;             /* $NO_COLOR */
	const char *colorfgbg;            /* $COLORFGBG */
	const char *columns;              /* $COLUMNS */
	const char *visual, *editor;      /* $VISUAL, $EDITOR */
	const char *config_home, *home;   /* $XDG_CONFIG_HOME, $HOME */
	const char *cache_home;           /* $XDG_CACHE_HOME */
	const char *state_home;           /* $XDG_STATE_HOME */
	const char *ttrace_pager, *pager; /* $TTRACE_PAGER, $PAGER */
};

/* Looks around; setlocale() must have been called. */
struct environment environment_read(void);

enum mode {
	MODE_USAGE, /* no trace was named, and nothing comes from standard input */
	MODE_INTERACTIVE,
	MODE_PRINT
};

enum mode environment_mode(const struct environment *environment, const struct options *options);

/* Whether only ASCII may be shown. */
bool environment_is_ascii(const struct environment *environment, const struct options *options);
/* Whether the screen has to do without colours. */
bool environment_without_color(
	const struct environment *environment, const struct options *options);
/* What is known of the terminal's ground without asking it. */
enum ground_kind { GROUND_UNKNOWN, GROUND_DARK, GROUND_LIGHT };
enum ground_kind environment_ground(
	const struct environment *environment, const struct options *options);
/* How many colours --color-depth asks for, or $COLORTERM; COLORS_NONE where they leave it to $TERM. */
enum color_depth environment_forced_depth(
	const struct environment *environment, const struct options *options);
/* How many colours printed output has; COLORS_NONE for plain text. */
enum color_depth environment_print_depth(
	const struct environment *environment, const struct options *options);
/* Columns of printed output: --width, else $COLUMNS, the terminal's own (for a pipe,
 * whose other end may show it there, that of the terminal we were started from), or 100. */
int environment_width(const struct environment *environment, const struct options *options);
/* The command of the user's editor, NULL for none. */
const char *environment_editor(const struct environment *environment);
/* The command that shows what is printed, NULL where it goes to standard output itself. */
const char *environment_pager(const struct environment *environment, const struct options *options);

#endif
