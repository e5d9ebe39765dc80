/*
 * The line editor behind / and t: one line of text with a cursor in it, and a
 * memory of the lines entered before.
 */
#ifndef TTRACE_APP_PROMPT_H
#define TTRACE_APP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "draw/canvas.h"

/* Bytes of a line, and lines remembered, at most: what a person types fits well. */
enum { PROMPT_MAX_BYTES = 1000, PROMPT_MAX_LINES = 50 };

/* Lines entered before, oldest first. Zero-initialised is empty. */
struct prompt_memory {
	char *lines[PROMPT_MAX_LINES];
	size_t count;
	size_t entered; /* of the last ones, that were added */
};

/*
 * Adds a line, unless it is empty or was the last one; the oldest makes room. Without memory it is
 * not added.
 */
void prompt_memory_add(struct prompt_memory *memory, const char *line);
void prompt_memory_release(struct prompt_memory *memory);

struct notes; /* trace/notes.h */

/* Where a prompt was opened. */
struct prompt_place {
	unsigned context;          /* of the view on top */
	const struct notes *notes; /* NULL for none */
	const struct words *words; /* of the trace */
	unsigned has;              /* what the trace has: analysis_has() */
};

/* Knows what a line may become. */
struct prompt_guide {
	/* Writes the index-th completion of the line; false behind the last one. */
	bool (*complete)(const struct prompt_place *place, const char *line, size_t index,
	                 struct text *out);
	/* Writes safe text to stand behind the line: what it may become or does. NULL: nothing. */
	void (*describe)(const struct prompt_place *place, const char *line, struct text *out);
};

/* Zero-initialised is closed. */
struct prompt {
	bool is_open;
	const char *label;            /* what stands before the line, static */
	struct prompt_memory *memory; /* of this kind of line */
	struct text line;             /* valid UTF-8 without controls */
	size_t cursor;                /* byte in the line, at the start of a grapheme */
	size_t recalled;              /* which remembered line is shown; memory->count: none */
	struct text draft;            /* what was typed before one was recalled */
	const struct prompt_guide *guide; /* NULL for none */
	struct prompt_place place;        /* for the guide */
	struct text stem;             /* what is being completed */
	size_t completed;             /* which completion is shown, from 1 on; 0: none */
};

enum prompt_answer { PROMPT_GOES_ON, PROMPT_ENTERED, PROMPT_CANCELLED };

/* Opens with an empty line and without a guide. label and memory must outlive the prompt. */
void prompt_open(struct prompt *prompt, const char *label, struct prompt_memory *memory);
/* Puts a line into the prompt just opened, with the cursor before one of its characters. */
void prompt_put(struct prompt *prompt, const char *line, size_t cursor);
/* Lets Tab complete what is typed into the prompt just opened; guide and notes must outlive it. */
void prompt_follow(
	struct prompt *prompt, const struct prompt_guide *guide, struct prompt_place place);
void prompt_release(struct prompt *prompt);

/*
 * Takes a key (as struct screen_event names it). After PROMPT_ENTERED the line is
 * remembered, the prompt closed, and prompt->line holds it until the next call;
 * PROMPT_CANCELLED closes it too.
 */
enum prompt_answer prompt_key(struct prompt *prompt, const char *key);

/*
 * Draws label, line, cursor and what the guide says of it in one row; a long line is moved so that
 * the cursor shows.
 */
void prompt_draw(const struct prompt *prompt, struct canvas *canvas, int y);

#endif
