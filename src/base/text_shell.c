/* Words for a shell. */
#include "base/text.h"

#include <string.h>

static const char plain_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-+=./:,@%";

/* Whether a terminal or a shell that is handed the bytes may take some for a command. */
static bool
has_controls(const char *word)
{
	for (; *word != '\0'; word++) {
		unsigned char byte = (unsigned char)*word;
		if (byte < ' ' || byte >= 0x7f)
			return true;
	}
	return false;
}

/* $'...', in which every byte that is not plain has its number. */
static void
add_escaped(struct text *out, const char *word)
{
	text_add_string(out, "$'");
	for (; *word != '\0'; word++) {
		if (strchr(plain_bytes, *word) != NULL || *word == ' ')
			text_add(out, word, 1);
		else
			text_format(out, "\\%03o", (unsigned)(unsigned char)*word);
	}
	text_add_string(out, "'");
}

void
text_add_shell_word(struct text *out, const char *word)
{
	if (*word != '\0' && strspn(word, plain_bytes) == strlen(word)) {
		text_add_string(out, word);
		return;
	}
	if (has_controls(word)) {
		add_escaped(out, word);
		return;
	}
	text_add_string(out, "'");
	for (; *word != '\0'; word++)
		text_add_string(out, *word == '\'' ? "'\\''" : (char[2]){ *word, '\0' });
	text_add_string(out, "'");
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
