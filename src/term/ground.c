/*
 * The question of the colour is followed by one that every terminal answers (DA1): with that
 * answer there, the other one will not come any more.
 */
#include "term/ground.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/process.h"

enum { MOST_MS = 100 };

static const char question[] = "\033]11;?\033\\\033[c";

/* One to four digits, scaled to 0..255; the bytes that they take, 0 for none. */
static size_t
read_component(const char *bytes, size_t length, uint32_t *value)
{
	uint32_t digits = 0, number = 0;
	for (; digits < length && digits < 4; digits++) {
		char c = bytes[digits];
		uint32_t digit;
		if (c >= '0' && c <= '9')
			digit = (uint32_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			digit = (uint32_t)((c | 32) - 'a') + 10;
		else
			break;
		number = number << 4 | digit;
	}
	if (digits > 0)
		*value = number * 255 / ((1u << 4 * digits) - 1);
	return digits;
}

/* "rgb:RRRR/GGGG/BBBB", with an alpha before it "rgba:" and behind it a fourth. */
static bool
read_color(const char *bytes, size_t length, uint32_t *rgb)
{
	const char *colon = memchr(bytes, ':', length);
	if (length < 4 || memcmp(bytes, "rgb", 3) != 0 || colon == NULL)
		return false;
	size_t at = (size_t)(colon - bytes) + 1;
	uint32_t color = 0;
	for (int i = 0; i < 3; i++) {
		uint32_t value = 0;
		size_t taken = read_component(bytes + at, length - at, &value);
		at += taken;
		if (taken == 0 || (i < 2 && (at == length || bytes[at++] != '/')))
			return false;
		color = color << 8 | value;
	}
	*rgb = color;
	return true;
}

/* Bytes of the answer that begins here with its end, 0 for none; *body is where its end begins. */
static size_t
find_string_end(const char *bytes, size_t length, size_t *body)
{
	for (size_t i = 0; i < length; i++) {
		*body = i;
		if (bytes[i] == '\a')
			return i + 1;
		if (bytes[i] == '\033' && i + 1 < length && bytes[i + 1] == '\\')
			return i + 2;
	}
	return 0;
}

static size_t
take_color(struct ground *ground, const char *bytes, size_t length)
{
	static const char prefix[] = "\033]11;";
	size_t skip = sizeof prefix - 1, body;
	if (length < skip || memcmp(bytes, prefix, skip) != 0)
		return 0;
	size_t taken = find_string_end(bytes + skip, length - skip, &body);
	if (taken == 0)
		return 0;
	ground->is_known = read_color(bytes + skip, body, &ground->rgb);
	return skip + taken;
}

/* "ESC [ ? 64 ; 1 c" */
static size_t
take_attributes(struct ground *ground, const char *bytes, size_t length)
{
	static const char prefix[] = "\033[?";
	size_t at = sizeof prefix - 1;
	if (length < at || memcmp(bytes, prefix, at) != 0)
		return 0;
	while (at < length && ((bytes[at] >= '0' && bytes[at] <= '9') || bytes[at] == ';'))
		at++;
	if (at == length || bytes[at] != 'c')
		return 0;
	ground->is_complete = true;
	return at + 1;
}

void
ground_read(struct ground *ground, const char *bytes, size_t length)
{
	*ground = (struct ground){ .is_known = false };
	for (size_t at = 0; at < length;) {
		size_t taken = take_color(ground, bytes + at, length - at);
		if (taken == 0)
			taken = take_attributes(ground, bytes + at, length - at);
		if (taken == 0 && ground->rest_length < sizeof ground->rest)
			ground->rest[ground->rest_length++] = bytes[at];
		at += taken > 0 ? taken : 1;
	}
}

void
ground_ask(struct ground *ground, int tty_fd, int keyboard_fd)
{
	char bytes[GROUND_BYTES];
	size_t length = 0;
	int64_t until_ns = process_now_ns() + (int64_t)MOST_MS * 1000000;
	*ground = (struct ground){ .is_known = false };
	if (!descriptor_write_all(tty_fd, question, sizeof question - 1))
		return;
	while (!ground->is_complete && length < sizeof bytes) {
		int64_t left_ns = until_ns - process_now_ns();
		struct pollfd ready = { .fd = keyboard_fd, .events = POLLIN };
		if (left_ns <= 0 || poll(&ready, 1, (int)(left_ns / 1000000) + 1) <= 0)
			return;
		ssize_t got = read(keyboard_fd, bytes + length, sizeof bytes - length);
		if (got <= 0)
			return;
		length += (size_t)got;
		ground_read(ground, bytes, length);
	}
}
