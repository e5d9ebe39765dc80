/*
 * An input cut into lines, as all readers of text want them: without the newline and a carriage
 * return before it, without colours (ESC [ ... m, and ESC [ K), with tabs expanded to columns of 8.
 * Other bytes stay as they are: NUL, broken UTF-8, controls. Progress is told as lines come.
 */
#ifndef TTRACE_SOURCE_COMMON_LINE_READER_H
#define TTRACE_SOURCE_COMMON_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"
#include "source/common/scan.h"

/* A longer line comes in parts of so many bytes at least. */
enum { LINE_PART_BYTES = 1024 * 1024 };

struct line_reader {
	struct input *in;
	char *buffer; /* begin..end were read and not handed out yet */
	size_t begin, end, capacity;
	size_t searched;     /* of these, so many have no newline in them */
	char *clean;         /* a line without colours and tabs */
	size_t clean_capacity;
	uint64_t count;      /* lines begun: the number of the last one, from 1 */
	bool has_newline;    /* whether the last one ended in a newline */
	bool is_part;        /* the last one goes on in the next */
	bool is_input_ended;
	bool is_clean;       /* the last one is in `clean` */
	bool keeps_all;      /* set by who wants colours and tabs as they are */
};

/* Begins where the input, which the caller keeps open, stands. line_reader_release() frees. */
void line_reader_init(struct line_reader *reader, struct input *in);
void line_reader_release(struct line_reader *reader);

/*
 * The next line, or part of one, good until the next call; line->at is NULL at the end. False where
 * the input cannot be read, the work is cancelled, or memory is short. O(length).
 */
bool line_reader_next(struct line_reader *reader, struct scan *line, struct error *err);
/*
 * Before the next call: the last part (is_part) ends so many bytes sooner, and these come again
 * with the next one. What has colours or tabs in it cannot be given back: nothing happens, false.
 */
bool line_reader_give_back(struct line_reader *reader, size_t bytes);

/*
 * What comes next, without taking it: so many bytes at least, but at the end of the input. Good
 * until the next call. `line` is the last line, or its beginning: it may move, and goes on to be good;
 * other scans of it do not. It may be NULL.
 */
bool line_reader_look(struct line_reader *reader, size_t bytes, struct scan *line, struct scan *text,
	struct error *err);

/*
 * The same as line_reader_next() of bytes in memory: takes the first line of `text` without its
 * newline and carriage return; colours and tabs stay in it. False when nothing is left.
 */
bool line_take(struct scan *text, struct scan *line, bool *has_newline);

/*
 * The first lines of an input, as who recognises it wants them: those that are not blank, without
 * colours and tabs where a line is not too long for that.
 */
enum { HEAD_LINES_MOST = 400, HEAD_LINE_BYTES = 4096 };
struct head_lines {
	struct scan rest; /* set by the caller; what is behind the last line */
	unsigned count;   /* of lines that were given */
	char clean[HEAD_LINE_BYTES];
};

/* The next line, good until the next call. False behind the last one, and behind HEAD_LINES_MOST. O(length). */
bool head_lines_next(struct head_lines *lines, struct scan *line);

/* Whether a line has something in it that line_reader_next() takes out or expands. */
bool line_is_coloured(const struct scan *line);
/* How many bytes line_clean() writes at most. */
size_t line_clean_bytes(const struct scan *line);
/* Writes the line without colours and tabs; returns its length. */
size_t line_clean(const struct scan *line, char *out);

#endif
