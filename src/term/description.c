/*
 * A description is written as a compiled one, in the form that term(5) tells: a header of numbers of
 * two bytes, names, flags, numbers, places of strings, strings, and the same again for capabilities
 * that terminfo does not know by itself. Which place is whose, curses tells. It is handed over in
 * $TERMINFO, as "hex:" and its bytes.
 */
#include "term/description.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "base/compiler.h"
#include "base/text.h"

enum { MAGIC = 0432, ABSENT = 0xffff };

static const struct {
	const char *name;
	bool erases_in_ground; /* what is erased takes the ground that is set: "bce" */
	bool is_like_xterm;    /* it takes control strings (OSC) as xterm does: "XT" */
} types[] = {
	{ "xterm-256color", true, true },
	{ "tmux-256color", false, true },
	{ "screen-256color", false, false },
};

/* What curses needs, and what we ask for. */
static const char *const flags[] = { "am", "mir", "msgr", "xenl" };

static const struct {
	const char *name;
	unsigned value;
} numbers[] = {
	{ "cols", 80 },
	{ "it", 8 },
	{ "lines", 24 },
	{ "colors", 256 },
	{ "pairs", 0x7fff },
};

static const struct {
	const char *name, *value;
} strings[] = {
	{ "bel", "\a" },
	{ "cr", "\r" },
	{ "csr", "\033[%i%p1%d;%p2%dr" },
	{ "clear", "\033[H\033[2J" },
	{ "el", "\033[K" },
	{ "ed", "\033[J" },
	{ "cup", "\033[%i%p1%d;%p2%dH" },
	{ "cud1", "\n" },
	{ "home", "\033[H" },
	{ "civis", "\033[?25l" },
	{ "cub1", "\b" },
	{ "cnorm", "\033[?25h" },
	{ "cuf1", "\033[C" },
	{ "cuu1", "\033[A" },
	{ "bold", "\033[1m" },
	{ "smcup", "\033[?1049h" },
	{ "rev", "\033[7m" },
	{ "smso", "\033[7m" },
	{ "smul", "\033[4m" },
	{ "sgr0", "\033[m" },
	{ "rmcup", "\033[?1049l" },
	{ "rmso", "\033[27m" },
	{ "rmul", "\033[24m" },
	{ "kbs", "\177" },
	{ "kdch1", "\033[3~" },
	{ "kcud1", "\033OB" },
	{ "khome", "\033OH" },
	{ "kcub1", "\033OD" },
	{ "knp", "\033[6~" },
	{ "kpp", "\033[5~" },
	{ "kcuf1", "\033OC" },
	{ "kcuu1", "\033OA" },
	{ "rmkx", "\033[?1l\033>" },
	{ "smkx", "\033[?1h\033=" },
	{ "dch", "\033[%p1%dP" },
	{ "cud", "\033[%p1%dB" },
	{ "ich", "\033[%p1%d@" },
	{ "cub", "\033[%p1%dD" },
	{ "cuf", "\033[%p1%dC" },
	{ "cuu", "\033[%p1%dA" },
	{ "ind", "\n" },
	{ "ri", "\033M" },
	{ "kcbt", "\033[Z" },
	{ "kend", "\033OF" },
	{ "op", "\033[39;49m" },
	{ "kmous", "\033[<" },
	{ "setaf", "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m" },
	{ "setab", "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m" },
};

/* ---- writing */

static void
add_number(struct text *out, size_t number)
{
	const char bytes[2] = { (char)(number & 0xff), (char)(number >> 8) };
	text_add(out, bytes, sizeof bytes);
}

/* Numbers stand at even places. */
static void
add_even(struct text *out)
{
	if (out->length % 2 != 0)
		text_add(out, "", 1);
}

static size_t
count_names(const char *const *names)
{
	size_t count = 0;
	while (names[count] != NULL)
		count++;
	return count;
}

static bool
has_flag(const char *name, bool erases_in_ground)
{
	for (size_t i = 0; i < ARRAY_LENGTH(flags); i++)
		if (strcmp(flags[i], name) == 0)
			return true;
	return erases_in_ground && strcmp(name, "bce") == 0;
}

static unsigned
number_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++)
		if (strcmp(numbers[i].name, name) == 0)
			return numbers[i].value;
	return ABSENT;
}

static const char *
string_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
		if (strcmp(strings[i].name, name) == 0)
			return strings[i].value;
	return NULL;
}

/* The capabilities that terminfo knows. */
static void
add_known(struct text *out, const char *type, bool erases_in_ground)
{
	size_t flag_count = count_names(boolnames), number_count = count_names(numnames);
	size_t string_count = count_names(strnames);
	struct text places = { 0 }, table = { 0 };
	for (size_t i = 0; i < string_count; i++) {
		const char *value = string_of(strnames[i]);
		add_number(&places, value != NULL ? table.length : ABSENT);
		if (value != NULL)
			text_add(&table, value, strlen(value) + 1);
	}
	const size_t header[] = { MAGIC, strlen(type) + 1, flag_count, number_count, string_count,
		table.length };
	for (size_t i = 0; i < ARRAY_LENGTH(header); i++)
		add_number(out, header[i]);
	text_add(out, type, strlen(type) + 1);
	for (size_t i = 0; i < flag_count; i++)
		text_add(out, has_flag(boolnames[i], erases_in_ground) ? "\1" : "", 1);
	add_even(out);
	for (size_t i = 0; i < number_count; i++)
		add_number(out, number_of(numnames[i]));
	text_add(out, places.bytes, places.length);
	text_add(out, table.bytes, table.length);
	out->failed |= places.failed || table.failed;
	text_release(&places);
	text_release(&table);
}

/*
 * Those by a name of their own: "AX", the terminal's two colours can be gone back to alone (SGR 39
 * and 49), and "XT".
 */
static void
add_named(struct text *out, bool is_like_xterm)
{
	static const char names[] = "AX\0XT";
	/* Flags, numbers, strings; how many strings are in the table, and its length. */
	const size_t header[] = { 2, 0, 0, 2, sizeof names };
	add_even(out);
	for (size_t i = 0; i < ARRAY_LENGTH(header); i++)
		add_number(out, header[i]);
	text_add(out, is_like_xterm ? "\1\1" : "\1\0", 2);
	add_number(out, 0);
	add_number(out, sizeof "AX");
	text_add(out, names, sizeof names);
}

/* ---- handing over */

static const char variable[] = "TERMINFO";

const char *
description_type(const char *name)
{
	for (size_t i = 1; i < ARRAY_LENGTH(types); i++) {
		size_t length = strcspn(types[i].name, "-");
		if (strncmp(name, types[i].name, length) == 0 && strchr("-.", name[length]) != NULL)
			return types[i].name;
	}
	return types[0].name;
}

bool
description_offer(struct description_offer *offer, const char *type)
{
	struct text compiled = { 0 }, value = { 0 };
	const char *now = getenv(variable);
	size_t which = 0;
	while (which + 1 < ARRAY_LENGTH(types) && strcmp(types[which].name, type) != 0)
		which++;
	add_known(&compiled, type, types[which].erases_in_ground);
	add_named(&compiled, types[which].is_like_xterm);
	text_add_string(&value, "hex:");
	for (size_t i = 0; i < compiled.length; i++)
		text_format(&value, "%02X", (unsigned)(unsigned char)compiled.bytes[i]);
	offer->before = now != NULL ? strdup(now) : NULL;
	bool is_whole = !compiled.failed && !value.failed && (now == NULL || offer->before != NULL);
	offer->is_made = is_whole && setenv(variable, value.bytes, 1) == 0;
	if (!offer->is_made)
		free(offer->before);
	text_release(&compiled);
	text_release(&value);
	return offer->is_made;
}

void
description_withdraw(struct description_offer *offer)
{
	if (!offer->is_made)
		return;
	if (offer->before != NULL)
		setenv(variable, offer->before, 1);
	else
		unsetenv(variable);
	free(offer->before);
	offer->is_made = false;
}
