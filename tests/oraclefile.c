/* Files, and what gzip makes of them. */
#include "oraclefile.h"

#include <stdio.h>
#include <string.h>

static bool
is_compressed(const char *path)
{
	size_t length = strlen(path);
	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* The path as one word for the shell. */
static void
add_shell_word(struct text *command, const char *path)
{
	text_add_string(command, "'");
	for (; *path != '\0'; path++)
		text_add(command, *path == '\'' ? "'\\''" : path, *path == '\'' ? 4 : 1);
	text_add_string(command, "'");
}

static FILE *
open_gzip(const char *path)
{
	struct text command = { 0 };
	text_add_string(&command, "gzip -dc < ");
	add_shell_word(&command, path);
	FILE *pipe = command.failed ? NULL : popen(command.bytes, "r");
	text_release(&command);
	return pipe;
}

bool
oraclefile_read(const char *path, struct text *out)
{
	enum { CHUNK = 1 << 16 };
	bool is_pipe = is_compressed(path);
	FILE *file = is_pipe ? open_gzip(path) : fopen(path, "rb");
	size_t got = 1;
	while (file != NULL && got > 0 && text_reserve(out, CHUNK)) {
		got = fread(out->bytes + out->length, 1, CHUNK, file);
		out->length += got;
		out->bytes[out->length] = '\0';
	}
	bool is_fine = file != NULL && !ferror(file) && !out->failed;
	if (file != NULL && is_pipe)
		is_fine = pclose(file) == 0 && is_fine;
	else if (file != NULL)
		fclose(file);
	if (!is_fine)
		fprintf(stderr, "%s: cannot be read\n", path);
	return is_fine;
}

bool
oraclefile_has_gzip(void)
{
	FILE *pipe = popen("gzip --version >/dev/null 2>&1", "r");
	return pipe != NULL && pclose(pipe) == 0;
}
