/*
 * What was typed at the prompts, kept for the next time in a file of the user's state folder:
 *
 *     ttrace-typed 1
 *     : palette light         a command; / a search, & a query, t a time, P a file, m a note
 *
 * Lines that make no sense are dropped. A file that begins otherwise is not ours, and left alone.
 */
#ifndef TTRACE_APP_TYPED_H
#define TTRACE_APP_TYPED_H

#include <stdbool.h>

#include "app/prompt.h"
#include "base/error.h"
#include "base/text.h"

/* Lines of one kind are remembered together. */
enum prompt_kind {
	PROMPT_TIMES,
	PROMPT_SEARCHES,
	PROMPT_QUERIES,
	PROMPT_COMMANDS,
	PROMPT_FILES,
	PROMPT_NOTES,
	PROMPT_KINDS
};

/* Far more than as many lines of each kind as are remembered. */
enum { TYPED_MOST_BYTES = 1 << 20 };

/* Takes in the text of a file, which is cut into lines. False where it is none of ours. */
bool typed_parse(struct text *file, struct prompt_memory memories[PROMPT_KINDS]);
void typed_format(const struct prompt_memory memories[PROMPT_KINDS], struct text *out);

/* Reads the file of that name; one that is not there has no lines. False with err set. */
bool typed_load(
	const char *path, struct prompt_memory memories[PROMPT_KINDS], struct error *err);
/*
 * Adds the lines that were entered since to what the file has by now, which makes room for them:
 * the oldest go. Makes the folder. False with err set, and the file is as it was.
 */
bool typed_save(
	const char *path, const struct prompt_memory memories[PROMPT_KINDS], struct error *err);

#endif
