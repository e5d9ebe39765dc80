/* OSC 52: the bytes in base64 between the terminal's own marks. */
#include "term/clipboard.h"

#include <stdint.h>

#include "base/descriptor.h"
#include "base/text.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void
add_base64(struct text *out, const char *bytes, size_t length)
{
	for (size_t at = 0; at < length; at += 3) {
		size_t have = length - at < 3 ? length - at : 3;
		uint32_t bits = 0;
		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 | (i < have ? (unsigned char)bytes[at + i] : 0);
		char group[4];
		for (size_t i = 0; i < 4; i++)
			group[i] = i <= have ? digits[bits >> (18 - 6 * i) & 63] : '=';
		text_add(out, group, sizeof group);
	}
}

bool
clipboard_send(int tty_fd, const char *bytes, size_t length)
{
	struct text sequence = { 0 };
	text_add_string(&sequence, "\033]52;c;");
	add_base64(&sequence, bytes, length);
	text_add_string(&sequence, "\a");
	bool is_sent = !sequence.failed &&
		       descriptor_write_all(tty_fd, sequence.bytes, sequence.length);
	text_release(&sequence);
	return is_sent;
}
