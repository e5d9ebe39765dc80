/*
 * Texts that attack a terminal, a trace that has them wherever a trace has text, and a
 * judge of raw bytes that knows what of them is the program's own.
 */
#ifndef TTRACE_TESTS_HOSTILE_H
#define TTRACE_TESTS_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct hostile_text {
	const char *name;
	const char *bytes;
	size_t length;
};

enum { HOSTILE_TEXTS = 7 };
extern const struct hostile_text hostile_texts[HOSTILE_TEXTS];

/* What stands before the attack, by place, so that a test can see that it was shown. */
enum { HOSTILE_PLACES = 10 };
extern const char *const hostile_places[HOSTILE_PLACES];

/*
 * Appends a trace of Go 1.26 with one text everywhere: functions, files, tasks, regions,
 * logs, labels, reasons of blocks, stops and of a stopped world.
 */
void hostile_trace(const struct hostile_text *text, struct text *out);

/*
 * Appends a trace of Go 1.19, the last form that has no limit of a kilobyte, with names of
 * just under a megabyte: a function, a file, a task, a region and what is logged. Each
 * begins with its place and is made of that text.
 */
void hostile_long_trace(const struct hostile_text *text, struct text *out);

/* What may stand in bytes beside printable text and the ends of lines. */
enum hostile_allowed {
	HOSTILE_TEXT,   /* nothing */
	HOSTILE_COLORS, /* colours and tabs, as printed on a terminal */
	HOSTILE_SCREEN  /* what moves and clears on a terminal narrower than HOSTILE_FAR */
};

/* The attacks name places at least as far as this, the program none. */
enum { HOSTILE_FAR = 77 };

/*
 * The offset of the first byte that is neither, `length` for none. A sequence that an
 * attack brings is never taken for one of the program.
 */
size_t hostile_find(const char *bytes, size_t length, enum hostile_allowed allowed);

#endif
