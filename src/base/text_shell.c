/*
 * Words for a shell, in what sh, bash, zsh and fish read alike: single quotes around pieces without
 * quote and backslash (which fish takes for a sign within them), and \' and \\ between the pieces.
 */
#include "base/text.h"

#include <string.h>

static const char plain_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-+=./:,@";

/* Whether all of it can be seen, and passes a terminal as it is. */
static bool
is_visible(const char *word)
{
	enum { C1_END = 0xa0 };
	for (size_t length = strlen(word); length > 0;) {
		struct text_char c = text_decode(word, length);
		uint32_t code = c.code_point;
		if (!c.is_valid || code < ' ' || (code >= 0x7f && code < C1_END) || text_is_hidden(code))
			return false;
		word += c.length;
		length -= c.length;
	}
	return true;
}

void
text_add_shell_word(struct text *out, const char *word)
{
	/* At the beginning of a word zsh takes = for the path of a command. */
	if (*word != '\0' && *word != '=' && strspn(word, plain_bytes) == strlen(word)) {
		text_add_string(out, word);
		return;
	}
	if (!is_visible(word)) {
		text_add_string(out, TEXT_NO_SHELL_WORD);
		return;
	}
	if (*word == '\0')
		text_add_string(out, "''");
	while (*word != '\0') {
		size_t length = strcspn(word, "'\\");
		if (length > 0) {
			text_add_string(out, "'");
			text_add(out, word, length);
			text_add_string(out, "'");
		} else {
			text_format(out, "\\%c", *word);
			length = 1;
		}
		word += length;
	}
}

/* What begins with a dash would be taken for an option. */
void
text_add_shell_file(struct text *out, const char *file)
{
	if (file == NULL) {
		text_add_string(out, "-");
		return;
	}
	if (*file == '-')
		text_add_string(out, "./");
	text_add_shell_word(out, file);
}

void
text_add_shown_file(struct text *out, const char *file, bool ascii)
{
	struct text word = { 0 };
	text_add_shell_file(&word, file);
	text_add_safe(out, text_string(&word), word.length, ascii);
	out->failed |= word.failed;
	text_release(&word);
}
