/* Text within XML. */
#include "base/text.h"

#include "base/compiler.h"

/* What stands for a character, NULL where it stands for itself. */
static const char *
spelling_of(struct text_char c)
{
	static const struct {
		char character;
		const char *spelling;
	} reserved[] = {
		{ '<', "&lt;" },
		{ '>', "&gt;" },
		{ '&', "&amp;" },
		{ '"', "&quot;" },
	};
	if (!c.is_valid || c.code_point < ' ' || (c.code_point & 0xfffe) == 0xfffe)
		return "\xef\xbf\xbd";
	for (size_t i = 0; i < ARRAY_LENGTH(reserved); i++)
		if (c.code_point == (unsigned char)reserved[i].character)
			return reserved[i].spelling;
	return NULL;
}

void
text_add_xml(struct text *text, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length;) {
		struct text_char c = text_decode(bytes + i, length - i);
		const char *spelling = spelling_of(c);
		if (spelling != NULL)
			text_add_string(text, spelling);
		else
			text_add(text, bytes + i, c.length);
		i += c.length;
	}
}
