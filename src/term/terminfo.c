/*
 * What terminfo is asked directly. <term.h> defines many lower-case macros, so
 * only description.c includes it beside this file.
 */
#include "term/terminfo.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "draw/canvas.h"

enum { DIRECT_COLORS = 1 << 24 };

/* The sequence of that name, NULL if the terminal has none. */
static char *
sequence(const char *name)
{
	char *value = tigetstr((char *)name);
	return value == (char *)-1 ? NULL : value;
}

static bool
is_capable(const char *type, struct error *err)
{
	bool is_paper = tigetflag("hc") > 0;
	if (is_paper || sequence("cup") == NULL || sequence("clear") == NULL)
		return error_set(err, ERROR_IO,
		                 "the terminal type \"%.40s\" (TERM) cannot place the cursor", type);
	return true;
}

bool
terminfo_find(struct terminfo_type *found, int tty_fd, struct error *err)
{
	const char *type = getenv("TERM");
	int status = 0;
	*found = (struct terminfo_type){ .name = type };
	if (type == NULL || type[0] == '\0')
		return error_set(err, ERROR_IO, "TERM is not set, so the type of the terminal is unknown");
	bool is_set_up = setupterm((char *)type, tty_fd, &status) == OK;
	if (!is_set_up && status <= 0 && strcmp(type, "dumb") != 0) {
		found->name = description_type(type);
		is_set_up = description_offer(&found->offer, found->name) &&
			    setupterm((char *)found->name, tty_fd, &status) == OK;
	}
	if (!is_set_up)
		return error_set(err, ERROR_IO, "the terminal type \"%.40s\" (TERM) cannot be used", type);
	bool is_good = is_capable(type, err);
	del_curterm(cur_term);
	return is_good;
}

void
terminfo_send(enum terminfo_mode mode)
{
	static const char *const names[] = {
		[TERMINFO_KEYPAD_ON] = "smkx",
		[TERMINFO_KEYPAD_OFF] = "rmkx",
	};
	char *value = sequence(names[mode]);
	if (value != NULL)
		putp(value);
}

/* Where add_byte() puts what tputs() hands it; tputs() passes no context. */
static struct {
	char *out;
	size_t size, length;
} sink;

static int
add_byte(int byte)
{
	if (sink.length < sink.size)
		sink.out[sink.length++] = (char)byte;
	return byte;
}

static void
add_sequence(const char *value)
{
	if (value != NULL)
		tputs(value, 1, add_byte);
}

size_t
terminfo_restore(char *out, size_t size, int height)
{
	static const char *const names[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };
	sink.out = out;
	sink.size = size;
	sink.length = 0;
	/* Without a second screen to leave, what comes next should stand below ours. */
	char *move = sequence("cup");
	if (move != NULL)
		add_sequence(tparm(move, (long)height - 1, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		add_sequence(sequence(names[i]));
	if (sequence("rmcup") == NULL) {
		add_byte('\r');
		add_byte('\n');
	}
	return sink.length;
}

static bool
has_direct_color(void)
{
	/* RGB may be a flag, a number or a string; the bits per colour are then 8, 8 and 8. */
	bool has_rgb = tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || sequence("RGB") != NULL;
	return has_rgb && tigetnum("colors") >= DIRECT_COLORS;
}

/* The bits of "ncv" that are attributes of cells. */
static uint8_t
plain_attributes(void)
{
	enum { NCV_UNDERLINE = 2, NCV_REVERSE = 4, NCV_BOLD = 32 };
	int bits = tigetnum("ncv");
	unsigned attributes = 0;
	if (bits < 0)
		return 0;
	if ((bits & NCV_UNDERLINE) != 0)
		attributes |= CELL_UNDERLINE;
	if ((bits & NCV_REVERSE) != 0)
		attributes |= CELL_REVERSE;
	if ((bits & NCV_BOLD) != 0)
		attributes |= CELL_BOLD;
	return (uint8_t)attributes;
}

void
terminfo_read(struct terminfo *info)
{
	static const char *const names[TERMINFO_SEQUENCES] = {
		[TERMINFO_MOVE] = "cup",
		[TERMINFO_RIGHT] = "cuf",
		[TERMINFO_DOWN] = "cud1",
		[TERMINFO_LEFT] = "cub1",
		[TERMINFO_REGION] = "csr",
		[TERMINFO_SCROLL_UP] = "ind",
		[TERMINFO_SCROLL_DOWN] = "ri",
		[TERMINFO_ERASE_LINE] = "el",
		[TERMINFO_DELETE] = "dch",
		[TERMINFO_INSERT] = "ich",
		[TERMINFO_FOREGROUND] = "setaf",
		[TERMINFO_BACKGROUND] = "setab",
		[TERMINFO_COLORS_OFF] = "op",
		[TERMINFO_BOLD] = "bold",
		[TERMINFO_UNDERLINE] = "smul",
		[TERMINFO_UNDERLINE_OFF] = "rmul",
		[TERMINFO_REVERSE] = "rev",
		[TERMINFO_REVERSE_OFF] = "rmso",
		[TERMINFO_ALL_OFF] = "sgr0",
	};
	*info = (struct terminfo){ 0 };
	const char **found = info->sequences;
	for (size_t i = 0; i < TERMINFO_SEQUENCES; i++)
		found[i] = sequence(names[i]);
	const char *standout = sequence("smso"), *reverse = found[TERMINFO_REVERSE];
	if (standout == NULL || reverse == NULL || strcmp(standout, reverse) != 0)
		found[TERMINFO_REVERSE_OFF] = NULL;
	int colors = tigetnum("colors");
	if (colors > 0 && found[TERMINFO_FOREGROUND] != NULL && found[TERMINFO_BACKGROUND] != NULL)
		info->colors = colors;
	info->has_direct_color = info->colors > 0 && has_direct_color();
	info->has_own_color = tigetflag("AX") > 0;
	info->erases_in_ground = tigetflag("bce") > 0;
	info->stops_at_end = tigetflag("am") <= 0 || tigetflag("xenl") > 0;
	info->plain_attributes = plain_attributes();
}

void
terminfo_add(struct text *out, const char *value, int first, int second)
{
	char bytes[64];
	sink.out = bytes;
	sink.size = sizeof bytes;
	sink.length = 0;
	add_sequence(tparm((char *)value, (long)first, (long)second, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
	text_add(out, bytes, sink.length);
}

bool
terminfo_is_like_xterm(void)
{
	return sequence("Ms") != NULL || tigetflag("XT") > 0;
}

void
terminfo_force_colors(struct terminfo *info, bool is_direct)
{
	/* The numbers of the sixteen are 30 to 37 and 90 to 97; grounds have ten more. */
	static const char *const direct[2] = {
		"\033[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm",
		"\033[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm",
	};
	static const char *const indexed[2] = {
		"\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m",
		"\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m",
	};
	info->sequences[TERMINFO_FOREGROUND] = is_direct ? direct[0] : indexed[0];
	info->sequences[TERMINFO_BACKGROUND] = is_direct ? direct[1] : indexed[1];
	if (info->sequences[TERMINFO_COLORS_OFF] == NULL)
		info->sequences[TERMINFO_COLORS_OFF] = "\033[39;49m";
}

bool
terminfo_has_mouse(void)
{
	return sequence("kmous") != NULL;
}
