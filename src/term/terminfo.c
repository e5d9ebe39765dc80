/*
 * What terminfo is asked directly. <term.h> defines many lower-case macros, so
 * no other file includes it.
 */
#include "term/terminfo.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>


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
terminfo_check(int tty_fd, struct error *err)
{
	const char *type = getenv("TERM");
	if (type == NULL || type[0] == '\0')
		return error_set(err, ERROR_IO, "TERM is not set, so the type of the terminal is unknown");
	int status = 0;
	if (setupterm((char *)type, tty_fd, &status) != OK) {
		if (status == 0)
			return error_set(err, ERROR_IO, "the terminal type \"%.40s\" (TERM) is unknown", type);
		return error_set(err, ERROR_IO,
		                 "there is no terminfo database that describes \"%.40s\" (TERM)", type);
	}
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

bool
terminfo_has_direct_color(void)
{
	/* RGB may be a flag, a number or a string; the bits per colour are then 8, 8 and 8. */
	bool has_rgb = tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || sequence("RGB") != NULL;
	return has_rgb && tigetnum("colors") >= DIRECT_COLORS;
}
