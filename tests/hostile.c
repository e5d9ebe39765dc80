/*
 * The attacks use sequences of their own: far places, questions to the terminal, strings
 * and modes that the program never writes. So each that gets through is told from its own.
 */
#include "hostile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "gotrace_testing.h"
#include "tracetesting.h"
#include "v1testing.h"
#include "v1writer.h"

#define LITERAL(name, text) { (name), (text), sizeof(text) - 1 }
#define FOUR(text) text text text text

const struct hostile_text hostile_texts[HOSTILE_TEXTS] = {
	LITERAL("sequences", "\x1b[77;77H\x1b[6n\x1b]0;own\x07\x1bPx\x1b\\\x1b[5i\x1b" "c\x1b#8\x1b[?47h"),
	LITERAL("C1", "\xc2\x9b" "77;77H\xc2\x9d" "0;own\xc2\x9c\xc2\x85\x9b" "77;77H\x90x\x9c"),
	LITERAL("bidirectional", "\xe2\x80\xae" "abc\xe2\x80\xac\xe2\x81\xa6z\xe2\x81\xa9\xe2\x80\x8f"
				 "\xd8\x9c\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\x81"),
	LITERAL("broken", "\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xf8\x88\x80\x80\x80 \xe2\x82"),
	LITERAL("controls", "a\0b\a\v\f\x0e\x0f\x7f\r\n\b\b\b\tz"),
	LITERAL("combining", FOUR(FOUR("\xcc\x81\xcc\x82")) "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"
			     "\xef\xbc\xa1\xe6\x97\xa5"),
	LITERAL("markup", "</text><script>&bad;\"'\\u0000 %s%n%99999d]]>"
			  "\n```\n|[a](//b) ![c](d)**e__~~f @g http://h www.i.j `k`` $l$ #m"),
};

const char *const hostile_places[HOSTILE_PLACES] = {
	"Qfunc", "Qfile", "Qtask", "Qregion", "Qkey", "Qlog", "Qlabel", "Qblock", "Qstop", "Qworld",
};

/*
 * The strings have the ids 1 and up, in the order of the places. As much as can be happens
 * at the start, which is one cell.
 */
static const char head[] =
	GO26 SYNC("1") BATCH("1", "0", "100") P0
	"GoStatusStack dt=0 g=1 m=0 gstatus=2 stack=1\n"
	"ProcsChange dt=0 procs_value=2 stack=1\n"
	"GoCreate dt=0 new_g=2 new_stack=1 stack=1\n"
	"GoLabel dt=0 label_string=7\n"
	"UserTaskBegin dt=0 task=1 parent_task=0 name_string=3 stack=1\n"
	"UserRegionBegin dt=0 task=1 name_string=4 stack=1\n"
	"UserLog dt=0 task=1 key_string=5 value_string=6 stack=1\n"
	"STWBegin dt=0 kind_string=10 stack=1\nSTWEnd dt=1\n"
	"GoStop dt=10 reason_string=9 stack=1\nGoStart dt=1 g=1 g_seq=1\n"
	"UserRegionEnd dt=1 task=1 name_string=4 stack=1\n"
	"GoBlock dt=1 reason_string=8 stack=1\nGoStart dt=1 g=2 g_seq=1\n"
	"GoUnblock dt=50 g=1 g_seq=2 stack=1\nGoBlock dt=1 reason_string=8 stack=1\n"
	"GoStart dt=10 g=1 g_seq=3\nUserTaskEnd dt=1 task=1 stack=1\n"
	"GoStop dt=10 reason_string=9 stack=1\n"
	BATCH("1", NONE, "100")
	"Stacks\nStack id=1 nframes=2\n\tpc=1 func=1 file=2 line=3\n\tpc=2 func=1 file=2 line=4\n"
	STRINGS("1");

/* Here the strings are function, file, task, region and the key of what is logged. */
static const char long_head[] =
	"go 1.19\nBatch 0 100\nFrequency 1000000000\nStack 1 1 10 1 2 3\n"
	"GoCreate 0 1 1 0\nProcStart 1 7\nGoStart 1 1 1\nGomaxprocs 1 4 0\n"
	"UserTaskCreate 1 1 0 3 1\nUserRegion 1 1 0 4 1\nGoSched 5 1\nGoStart 1 1 2\n"
	"UserRegion 1 1 1 4 1\n";

/* Every byte by its number. */
static void
add_quoted(struct text *out, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		text_format(out, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
}

void
hostile_trace(const struct hostile_text *text, struct text *out)
{
	struct text trace = { 0 };
	text_add_string(&trace, head);
	for (unsigned i = 0; i < HOSTILE_PLACES; i++) {
		text_format(&trace, "String id=%u\n\tdata=\"%s", i + 1, hostile_places[i]);
		add_quoted(&trace, text->bytes, text->length);
		text_add_string(&trace, "\"\n");
	}
	text_add_string(&trace, "EndOfGeneration\n");
	testing_assemble(trace.bytes, out);
	text_release(&trace);
}

/* ---- names of a megabyte */

/* A place and the attack over and over. */
static void
make_long(struct text *name, const char *place, const struct hostile_text *text)
{
	enum { LONG_BYTES = 999000 };
	text_clear(name);
	text_add_string(name, place);
	while (name->length < LONG_BYTES)
		text_add(name, text->bytes, text->length);
}

void
hostile_long_trace(const struct hostile_text *text, struct text *out)
{
	static const char *const places[] = { "Qfunc", "Qfile", "Qtask", "Qregion", "Qkey" };
	struct text name = { 0 };
	v1_assemble(long_head, out);
	make_long(&name, "Qlog", text);
	v1w_record(out, "UserLog", (const uint64_t[]){ 1, 1, 5, 1 }, 4);
	v1w_message(out, name.bytes, name.length);
	for (unsigned i = 0; i < ARRAY_LENGTH(places); i++) {
		make_long(&name, places[i], text);
		v1w_string(out, i + 1, name.bytes, name.length);
	}
	text_release(&name);
}

/* ---- the judge */

static bool
is_one_of(const char *bytes, size_t length, const char *const list[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(list[i]) == length && memcmp(list[i], bytes, length) == 0)
			return true;
	}
	return false;
}

static bool
has_far_number(const char *parameters, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (i > 0 && parameters[i - 1] >= '0' && parameters[i - 1] <= '9')
			continue;
		if (strtol(parameters + i, NULL, 10) >= HOSTILE_FAR)
			return true;
	}
	return false;
}

/* What stands behind "ESC [": numbers and the like, then one letter. 0 for a strange one. */
static size_t
control_length(const char *bytes, size_t length, enum hostile_allowed allowed)
{
	static const char *const modes[] = { "?1", "?7", "?12", "?25", "?1002", "?1006",
		"?1049", "4", "34" };
	static const char *const titles[] = { "22;0;0", "23;0;0" };
	size_t numbers = 0;
	while (numbers < length && strchr("0123456789;:?", bytes[numbers]) != NULL && bytes[numbers] != '\0')
		numbers++;
	if (numbers == length || bytes[numbers] == '\0')
		return 0;
	char final = bytes[numbers];
	bool is_own = final == 'm';
	if (allowed == HOSTILE_SCREEN && (final == 'h' || final == 'l'))
		is_own = is_one_of(bytes, numbers, modes, ARRAY_LENGTH(modes));
	else if (allowed == HOSTILE_SCREEN && final == 't')
		is_own = is_one_of(bytes, numbers, titles, ARRAY_LENGTH(titles));
	else if (allowed == HOSTILE_SCREEN && strchr("ABCDGHJKLMPSTXbdr@", final) != NULL)
		is_own = !has_far_number(bytes, numbers);
	return is_own ? numbers + 1 : 0;
}

/* What `y` copies: "]52;c;", a text in base 64, and BEL. */
static size_t
copy_length(const char *bytes, size_t length)
{
	static const char begin[] = "]52;c;";
	size_t at = sizeof begin - 1;
	if (length < at || memcmp(bytes, begin, at) != 0)
		return 0;
	while (at < length && bytes[at] != '\0' &&
		strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
			bytes[at]) != NULL)
		at++;
	return at < length && bytes[at] == '\a' ? at + 1 : 0;
}

/* What stands behind an ESC; 0 for a strange one. */
static size_t
sequence_length(const char *bytes, size_t length, enum hostile_allowed allowed)
{
	if (allowed == HOSTILE_TEXT || length == 0 || bytes[0] == '\0')
		return 0;
	if (bytes[0] == '[') {
		size_t control = control_length(bytes + 1, length - 1, allowed);
		return control > 0 ? control + 1 : 0;
	}
	if (bytes[0] == ']' && allowed == HOSTILE_SCREEN)
		return copy_length(bytes, length);
	if (length > 1 && strchr("()", bytes[0]) != NULL && (bytes[1] == 'B' || bytes[1] == '0'))
		return 2;
	return allowed == HOSTILE_SCREEN && strchr("78=>M", bytes[0]) != NULL ? 1 : 0;
}

/* What changes the order of text, breaks lines or is not seen. */
static bool
is_treacherous(uint32_t code)
{
	return code < 0xA0 || code == 0x61C || (code >= 0x200B && code <= 0x200F && code != 0x200D) ||
	       (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
	       code == 0xFEFF || (code >= 0xE000 && code <= 0xF8FF) ||
	       (code >= 0xFFF9 && code <= 0xFFFB) || code >= 0xE0000;
}

/* The length of what stands first, 0 when it must not stand there. */
static size_t
clean_length(const char *bytes, size_t length, enum hostile_allowed allowed)
{
	if (*bytes == '\n' || (*bytes >= ' ' && *bytes <= '~'))
		return 1;
	if (*bytes == '\r')
		return allowed == HOSTILE_SCREEN || (length > 1 && bytes[1] == '\n');
	if (*bytes == '\t')
		return allowed != HOSTILE_TEXT;
	if (*bytes == '\b')
		return allowed == HOSTILE_SCREEN;
	if (*bytes == '\x1b') {
		size_t sequence = sequence_length(bytes + 1, length - 1, allowed);
		return sequence > 0 ? sequence + 1 : 0;
	}
	struct text_char next = text_decode(bytes, length);
	return next.is_valid && !is_treacherous(next.code_point) ? next.length : 0;
}

size_t
hostile_find(const char *bytes, size_t length, enum hostile_allowed allowed)
{
	size_t at = 0;
	while (at < length) {
		size_t clean = clean_length(bytes + at, length - at, allowed);
		if (clean == 0)
			return at;
		at += clean;
	}
	return at;
}
