/* A letter for each kind of line. */
#include "app/typed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/outfile.h"
#include "app/userfolder.h"
#include "base/descriptor.h"
#include "base/text_lines.h"

static const char first_line[] = "ttrace-typed 1";

static const char letters[PROMPT_KINDS] = {
	[PROMPT_TIMES] = 't',
	[PROMPT_SEARCHES] = '/',
	[PROMPT_QUERIES] = '&',
	[PROMPT_COMMANDS] = ':',
	[PROMPT_FILES] = 'P',
	[PROMPT_NOTES] = 'm',
};

static bool
is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* Whether it could have been typed. */
static bool
is_line(const char *line)
{
	size_t length = strlen(line);
	if (length == 0 || length > PROMPT_MAX_BYTES)
		return false;
	for (size_t at = 0; at < length;) {
		struct text_char next = text_decode(line + at, length - at);
		uint32_t c = next.code_point;
		if (!next.is_valid || is_control(c) || text_is_hidden(c))
			return false;
		at += next.length;
	}
	return true;
}

static void
take_line(const char *line, struct prompt_memory memories[PROMPT_KINDS])
{
	const char *letter = memchr(letters, line[0], PROMPT_KINDS);
	if (letter == NULL || line[1] != ' ' || !is_line(line + 2))
		return;
	prompt_memory_add(&memories[letter - letters], line + 2);
}

bool
typed_parse(struct text *file, struct prompt_memory memories[PROMPT_KINDS])
{
	struct text_lines lines = { .bytes = file->bytes, .length = file->length };
	struct error ignored;
	char *line;
	error_clear(&ignored);
	if (file->length == 0)
		return true;
	if (!text_lines_next(&lines, &line, &ignored) || strcmp(line, first_line) != 0)
		return false;
	while (text_lines_next(&lines, &line, &ignored))
		take_line(line, memories);
	for (size_t i = 0; i < PROMPT_KINDS; i++)
		memories[i].entered = 0;
	return true;
}

void
typed_format(const struct prompt_memory memories[PROMPT_KINDS], struct text *out)
{
	text_format(out, "%s\n", first_line);
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++) {
		for (size_t i = 0; i < memories[kind].count; i++)
			text_format(out, "%c %s\n", letters[kind], memories[kind].lines[i]);
	}
}

static bool
fail(const char *path, struct error *err)
{
	return error_set(err, ERROR_IO, "%s: %s", path, strerror(errno));
}

bool
typed_load(const char *path, struct prompt_memory memories[PROMPT_KINDS], struct error *err)
{
	struct text bytes = { 0 };
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || fail(path, err);
	bool is_fine = descriptor_read_all(fd, TYPED_MOST_BYTES, &bytes) || fail(path, err);
	close(fd);
	if (is_fine && !typed_parse(&bytes, memories))
		is_fine = error_set(err, ERROR_FORMAT, "%s: not of ttrace", path);
	text_release(&bytes);
	return is_fine;
}

/* ---- saving */

static bool
write_all(const char *path, const struct prompt_memory memories[PROMPT_KINDS], struct error *err)
{
	struct text bytes = { 0 };
	typed_format(memories, &bytes);
	bool is_fine = outfile_save(path, true, &bytes, "what was typed", err);
	text_release(&bytes);
	return is_fine;
}

/* Under the lock: what others entered meanwhile stays. */
static bool
save(const char *path, const struct prompt_memory memories[PROMPT_KINDS], struct error *err)
{
	struct prompt_memory kept[PROMPT_KINDS] = { { .count = 0 } };
	bool is_fine = typed_load(path, kept, err);
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++) {
		const struct prompt_memory *memory = &memories[kind];
		for (size_t i = memory->count - memory->entered; i < memory->count; i++)
			prompt_memory_add(&kept[kind], memory->lines[i]);
	}
	is_fine = is_fine && write_all(path, kept, err);
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		prompt_memory_release(&kept[kind]);
	return is_fine;
}

bool
typed_save(const char *path, const struct prompt_memory memories[PROMPT_KINDS], struct error *err)
{
	size_t entered = 0;
	int fd;
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		entered += memories[kind].entered;
	if (entered == 0)
		return true;
	if (!userfolder_prepare(path, true, err) || !userfolder_lock(path, &fd, err))
		return false;
	bool is_fine = save(path, memories, err);
	close(fd);
	return is_fine;
}
