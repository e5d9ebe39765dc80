/* Terminals, locale and environment variables: the one place that asks for them. */
#include "app/environment.h"

#include <fcntl.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 100 };

/* Used when the user names no pager; without less the text goes through as it is. */
static const char default_pager[] = "command -v less >/dev/null 2>&1 || exec cat; exec less -FRX";

static bool
is_utf8_name(const char *codeset)
{
	return strcmp(codeset, "UTF-8") == 0 || strcmp(codeset, "utf8") == 0 ||
	       strcmp(codeset, "UTF8") == 0 || strcmp(codeset, "utf-8") == 0;
}

static int
width_of_terminal(int fd)
{
	struct winsize size;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static bool
is_pipe(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* Where neither output nor complaints go to a terminal there may still be one that we belong to. */
static int
width_of_other_terminal(void)
{
	int width = width_of_terminal(STDERR_FILENO);
	if (width > 0)
		return width;
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	width = width_of_terminal(fd);
	close(fd);
	return width;
}

struct environment
environment_read(void)
{
	return (struct environment){
		.stdin_is_terminal = isatty(STDIN_FILENO) == 1,
		.stdout_is_terminal = isatty(STDOUT_FILENO) == 1,
		.locale_is_utf8 = is_utf8_name(nl_langinfo(CODESET)),
		.stdout_is_pipe = is_pipe(STDOUT_FILENO),
		.terminal_width = width_of_terminal(STDOUT_FILENO),
		.other_terminal_width = width_of_other_terminal(),
		.term = getenv("TERM"),
		.colorterm = getenv("COLORTERM"),
		.no_color = getenv("NO_COLOR"),
		.colorfgbg = getenv("COLORFGBG"),
		.columns = getenv("COLUMNS"),
		.visual = getenv("VISUAL"),
		.editor = getenv("EDITOR"),
		.config_home = getenv("XDG_CONFIG_HOME"),
		.ttrace_pager = getenv("TTRACE_PAGER"),
		.pager = getenv("PAGER"),
		.home = getenv("HOME"),
		.cache_home = getenv("XDG_CACHE_HOME"),
		.state_home = getenv("XDG_STATE_HOME"),
	};
}

static bool
is_set(const char *value)
{
	return value != NULL && *value != '\0';
}

static bool
is_dumb(const struct environment *environment)
{
	return !is_set(environment->term) || strcmp(environment->term, "dumb") == 0 ||
	       strcmp(environment->term, "unknown") == 0;
}

enum mode
environment_mode(const struct environment *environment, const struct options *options)
{
	bool is_stdin = options->file == NULL || strcmp(options->file, "-") == 0;
	if (is_stdin && environment->stdin_is_terminal)
		return MODE_USAGE;
	bool can_show = environment->stdout_is_terminal && !is_dumb(environment);
	return can_show && !options_print(options) ? MODE_INTERACTIVE : MODE_PRINT;
}

bool
environment_is_ascii(const struct environment *environment, const struct options *options)
{
	if (options->charset != CHARSET_AUTO)
		return options->charset == CHARSET_ASCII;
	/* An SVG names its own encoding. */
	return !environment->locale_is_utf8 && options->format != FORMAT_SVG;
}

bool
environment_without_color(const struct environment *environment, const struct options *options)
{
	return options->color == COLOR_NEVER ||
	       (options->color == COLOR_AUTO && is_set(environment->no_color));
}

/* "15;0", "15;default;0": the last number is the ground, of the sixteen colours. */
static enum ground_kind
ground_by_number(const char *colorfgbg)
{
	const char *last = strrchr(colorfgbg, ';');
	char *end;
	if (last == NULL || last[1] < '0' || last[1] > '9')
		return GROUND_UNKNOWN;
	long number = strtol(last + 1, &end, 10);
	if (*end != '\0' || number > 15)
		return GROUND_UNKNOWN;
	return number == 7 || number > 8 ? GROUND_LIGHT : GROUND_DARK;
}

enum ground_kind
environment_ground(const struct environment *environment, const struct options *options)
{
	if (options->palette == PALETTE_DARK || options->palette == PALETTE_LIGHT)
		return options->palette == PALETTE_LIGHT ? GROUND_LIGHT : GROUND_DARK;
	if (options->background != BACKGROUND_AUTO)
		return options->background == BACKGROUND_LIGHT ? GROUND_LIGHT : GROUND_DARK;
	return is_set(environment->colorfgbg) ? ground_by_number(environment->colorfgbg)
					      : GROUND_UNKNOWN;
}

enum color_depth
environment_forced_depth(const struct environment *environment, const struct options *options)
{
	static const enum color_depth depths[] = {
		[DEPTH_AUTO] = COLORS_NONE,
		[DEPTH_8] = COLORS_8,
		[DEPTH_16] = COLORS_16,
		[DEPTH_256] = COLORS_256,
		[DEPTH_TRUECOLOR] = COLORS_DIRECT,
	};
	const char *colorterm = environment->colorterm;
	bool is_direct = is_set(colorterm) &&
			 (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0);
	if (options->color_depth == DEPTH_AUTO && is_direct)
		return COLORS_DIRECT;
	return depths[options->color_depth];
}

/* What the terminal is likely to understand. */
static enum color_depth
depth_by_name(const struct environment *environment, const struct options *options)
{
	enum color_depth forced = environment_forced_depth(environment, options);
	const char *term = environment->term;
	if (forced != COLORS_NONE)
		return forced;
	if (is_dumb(environment) || strstr(term, "256") != NULL || strstr(term, "direct") != NULL)
		return COLORS_256; /* dumb: colours were asked for, to be looked at elsewhere */
	return COLORS_16;
}

enum color_depth
environment_print_depth(const struct environment *environment, const struct options *options)
{
	if (options->format == FORMAT_ANSI && options->color != COLOR_NEVER)
		return depth_by_name(environment, options);
	if (options->format == FORMAT_MARKDOWN)
		return COLORS_NONE;
	bool is_wanted = options->color == COLOR_ALWAYS ||
			 (options->color == COLOR_AUTO && environment->stdout_is_terminal &&
				 !is_dumb(environment) && !is_set(environment->no_color));
	return is_wanted ? depth_by_name(environment, options) : COLORS_NONE;
}

int
environment_width(const struct environment *environment, const struct options *options)
{
	if (options->width_cells > 0)
		return options->width_cells;
	long width = is_set(environment->columns) ? strtol(environment->columns, NULL, 10) : 0;
	if (width <= 0)
		width = environment->terminal_width;
	/* A pipe is likely to end on our terminal; what a file is for nobody knows. */
	if (width <= 0 && environment->stdout_is_pipe)
		width = environment->other_terminal_width;
	if (width <= 0)
		width = DEFAULT_WIDTH;
	if (width < OPTION_MIN_WIDTH)
		return OPTION_MIN_WIDTH;
	return width < OPTION_MAX_WIDTH ? (int)width : OPTION_MAX_WIDTH;
}

const char *
environment_editor(const struct environment *environment)
{
	return is_set(environment->visual) ? environment->visual : environment->editor;
}

const char *
environment_pager(const struct environment *environment, const struct options *options)
{
	if (!environment->stdout_is_terminal || options->no_pager || is_dumb(environment))
		return NULL;
	const char *pager =
		environment->ttrace_pager != NULL ? environment->ttrace_pager : environment->pager;
	if (pager == NULL)
		return default_pager;
	bool is_none = *pager == '\0' || strcmp(pager, "cat") == 0;
	return is_none ? NULL : pager;
}
