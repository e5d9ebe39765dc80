/*
 * Cutting. The buffer holds what was read and not handed out; a line that does not fit makes it
 * grow. What is looked through for a newline is not looked through again.
 */
#include "source/common/line_reader.h"

#include <assert.h>

#include "base/job.h"
#include "base/memory.h"

enum { READ_BYTES = 64 * 1024, TAB_COLUMNS = 8, ESCAPE = 0x1b };

void
line_reader_init(struct line_reader *reader, struct input *in)
{
	*reader = (struct line_reader){ .in = in };
}

void
line_reader_release(struct line_reader *reader)
{
	array_release(&reader->buffer);
	array_release(&reader->clean);
}

bool
line_is_coloured(const struct scan *line)
{
	size_t length = scan_left(line);
	return memchr(line->at, '\t', length) != NULL || memchr(line->at, ESCAPE, length) != NULL;
}

size_t
line_clean_bytes(const struct scan *line)
{
	size_t tabs = 0;
	for (const char *at = line->at; at < line->end; at++)
		tabs += *at == '\t';
	return scan_left(line) + tabs * (TAB_COLUMNS - 1);
}

/* The length of a colour that begins here; 0 where none does. */
static size_t
colour_length(const char *at, const char *end)
{
	const char *start = at;
	if (end - at < 3 || *at != ESCAPE || at[1] != '[')
		return 0;
	for (at += 2; at < end && ((*at >= '0' && *at <= '9') || *at == ';' || *at == ':'); at++)
		;
	return at < end && (*at == 'm' || *at == 'K') ? (size_t)(at + 1 - start) : 0;
}

size_t
line_clean(const struct scan *line, char *out)
{
	size_t length = 0, column = 0;
	for (const char *at = line->at; at < line->end;) {
		size_t colour = colour_length(at, line->end);
		if (colour > 0) {
			at += colour;
			continue;
		}
		char c = *at++;
		if (c != '\t') {
			out[length++] = c;
			column += ((unsigned char)c & 0xc0) != 0x80; /* a character, not its further bytes */
			continue;
		}
		do
			out[length++] = ' ';
		while (++column % TAB_COLUMNS != 0);
	}
	return length;
}

static void
drop_return(struct scan *line)
{
	if (line->end > line->at && line->end[-1] == '\r')
		line->end--;
}

bool
line_take(struct scan *text, struct scan *line, bool *has_newline)
{
	if (scan_is_end(text))
		return false;
	const char *newline = memchr(text->at, '\n', scan_left(text));
	*has_newline = newline != NULL;
	*line = (struct scan){ text->at, newline != NULL ? newline : text->end };
	text->at = newline != NULL ? newline + 1 : text->end;
	drop_return(line);
	return true;
}

static bool
read_more(struct line_reader *reader, struct error *err)
{
	if (reader->in->progress != NULL &&
		!job_goes_on(progress_cancel_flag(reader->in->progress), err))
		return false;
	if (reader->begin > 0) {
		memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
		reader->end -= reader->begin;
		reader->begin = 0;
	}
	/* With half of it free, the buffer need not grow for a piece of a line. */
	if (reader->capacity - reader->end < READ_BYTES / 2 &&
		!array_reserve(&reader->buffer, &reader->capacity, reader->end + READ_BYTES, 1, err))
		return false;
	size_t got;
	if (!input_some(reader->in, reader->buffer + reader->end, reader->capacity - reader->end, &got, err))
		return false;
	reader->end += got;
	reader->is_input_ended = got == 0;
	if (reader->in->progress != NULL)
		atomic_store(&reader->in->progress->done_bytes, reader->in->offset_bytes);
	return true;
}

bool
line_reader_look(struct line_reader *reader, size_t bytes, struct scan *line, struct scan *text,
	struct error *err)
{
	/* What was handed out of the buffer moves with what was not. */
	bool is_kept = line != NULL && !reader->is_clean;
	size_t kept = is_kept ? (size_t)(reader->buffer + reader->begin - line->at) : 0;
	bool is_fine = true;
	reader->begin -= kept;
	while (is_fine && reader->end - reader->begin < kept + bytes && !reader->is_input_ended)
		is_fine = read_more(reader, err);
	if (is_kept)
		*line = scan_over(reader->buffer + reader->begin, scan_left(line));
	reader->begin += kept;
	*text = (struct scan){ NULL, NULL };
	if (is_fine)
		*text = scan_over(reader->buffer + reader->begin, reader->end - reader->begin);
	return is_fine;
}

bool
line_reader_next(struct line_reader *reader, struct scan *line, struct error *err)
{
	*line = (struct scan){ NULL, NULL };
	const char *newline = NULL;
	size_t length;
	for (;;) {
		length = reader->end - reader->begin;
		if (length > reader->searched)
			newline = memchr(reader->buffer + reader->begin + reader->searched, '\n',
				length - reader->searched);
		if (newline != NULL || reader->is_input_ended || length >= LINE_PART_BYTES)
			break;
		reader->searched = length;
		if (!read_more(reader, err))
			return false;
	}
	reader->searched = 0;
	if (length == 0)
		return true;
	const char *start = reader->buffer + reader->begin;
	*line = (struct scan){ start, newline != NULL ? newline : start + length };
	reader->begin += scan_left(line) + (newline != NULL);
	reader->count += !reader->is_part;
	reader->has_newline = newline != NULL;
	reader->is_part = newline == NULL && !reader->is_input_ended;
	drop_return(line);
	reader->is_clean = !reader->keeps_all && line_is_coloured(line);
	if (!reader->is_clean)
		return true;
	if (!array_reserve(&reader->clean, &reader->clean_capacity, line_clean_bytes(line) + 1, 1, err))
		return false;
	*line = scan_over(reader->clean, line_clean(line, reader->clean));
	return true;
}

bool
line_reader_give_back(struct line_reader *reader, size_t bytes)
{
	if (!reader->is_part || reader->is_clean)
		return false;
	assert(bytes <= reader->begin);
	reader->begin -= bytes;
	return true;
}

bool
head_lines_next(struct head_lines *lines, struct scan *line)
{
	bool has_newline;
	while (lines->count < HEAD_LINES_MOST && line_take(&lines->rest, line, &has_newline)) {
		if (line_is_coloured(line) && line_clean_bytes(line) <= sizeof lines->clean)
			*line = scan_over(lines->clean, line_clean(line, lines->clean));
		struct scan text = *line;
		scan_trim(&text);
		if (scan_is_end(&text))
			continue;
		lines->count++;
		return true;
	}
	return false;
}
