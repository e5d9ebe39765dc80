/*
 * What the user noted about a trace: the marks A and B, and bookmarks. As a file:
 *
 *     ttrace-notes 1
 *     # of http.trace                 comments are not kept
 *     mark a 1.203411s
 *     mark b 1.2391s
 *     bookmark 1.2217s slow request   a time, and the rest of the line for a name
 *             row main.worker         of the bookmark above, as --row names it
 *             note why does it wait?
 *
 * What is wrong in it is told with its line, and left out.
 */
#ifndef TTRACE_TRACE_NOTES_H
#define TTRACE_TRACE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum note_mark { MARK_A, MARK_B, MARK_COUNT };

/* Far more than anybody writes. */
enum { NOTES_MOST_BYTES = 8 << 20, NOTES_MOST_BOOKMARKS = 1000, NOTES_MOST_TEXT = 1000 };

/* Texts are without controls and without blanks at their ends; they may be bad UTF-8. */
struct bookmark {
	int64_t t_ns; /* at least 0 */
	char *name;   /* not empty */
	char *row;    /* "" for none */
	char *note;   /* "" for none */
};

/* Zero-initialised is empty. */
struct notes {
	bool has_mark[MARK_COUNT];
	int64_t mark_ns[MARK_COUNT];
	struct bookmark *bookmarks; /* by time; no two have one name */
	size_t count, capacity;
};

void notes_release(struct notes *notes);

enum notes_act { NOTES_MARK, NOTES_UNMARK, NOTES_PUT, NOTES_DROP, NOTES_ANNOTATE };

/* A change that was asked for; it can be made again on notes that were changed meanwhile. */
struct notes_change {
	enum notes_act act;
	enum note_mark mark;    /* of MARK and UNMARK */
	int64_t t_ns;           /* of MARK and PUT */
	const char *name;       /* of the bookmark of PUT, DROP and ANNOTATE */
	const char *row, *note; /* of PUT the row, and of ANNOTATE the note; "" for none */
};

/*
 * Makes a change. PUT moves a bookmark that is there, which keeps its note; what is to be dropped
 * may be gone. False with err set: for a time before the trace, a text that no notes can hold, too many of
 * them, want of memory, or an ANNOTATE of what is not there.
 */
bool notes_make(struct notes *notes, const struct notes_change *change, struct error *err);

/* Where a bookmark is, notes->count for none. Blanks at the ends of the name do not count. */
size_t notes_find(const struct notes *notes, const char *name);

/*
 * Takes in the text of a file, into empty notes; one without a word is that of no notes. Appends
 * to *complaints a line for each thing wrong, "PATH:3: what", which may hold anything. False
 * where there was one; behind many of them nothing more is read.
 */
bool notes_read(struct notes *notes, const struct text *file, const char *path,
	struct text *complaints);
/* Appends them in that form; file_name: of the trace, safe text. */
void notes_write(const struct notes *notes, const char *file_name, struct text *out);

#endif
