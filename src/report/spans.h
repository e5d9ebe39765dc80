/*
 * The spans that a query finds, or the slices where any match, one a line: for people (text), spreadsheets (CSV with a line of
 * titles) and programs (JSON, an object a line). Spans of several traces stand in one list: the first
 * one with a match decides whether it is of slices.
 * What stems from the trace is safe text, in JSON escaped.
 */
#ifndef TTRACE_REPORT_SPANS_H
#define TTRACE_REPORT_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "report/report.h"

struct search;
struct words;

enum spans_order {
	SPANS_BY_START,   /* trace after trace: nothing needs to be held */
	SPANS_BY_DURATION /* of all traces, the longest first; of equal ones the first one found */
};

struct spans_held {
	int64_t duration_ns;
	uint64_t number; /* in the order of finding */
	char *line;
	size_t length;
};

/* Zero-initialise all but the options. */
struct spans_list {
	const struct report_options *options; /* ascii, is_wall, interval and flush are looked at */
	enum spans_order order;
	uint64_t limit;       /* of lines; 0 for none */
	bool names_files;     /* in text each line begins with the file's name */

	bool has_titles;      /* they were written */
	bool is_of_slices;    /* since then */
	const struct words *words; /* of the first trace */
	uint64_t found;       /* spans so far, those beyond the limit as well where all are looked at */
	struct spans_held *held; /* a heap: the one that would go first is at the front */
	size_t held_count, held_capacity, held_bytes;
	struct text value, line; /* being made */
};

/*
 * Adds the matches of a search that overlap the interval: those with the order of
 * SPANS_BY_START are written to *out, the others held. file_name is safe text.
 */
bool spans_list_add(struct spans_list *list, const struct trace *trace, const char *file_name,
                    struct search *search, struct text *out, struct error *err);
/* Whether no more traces need to be looked at. */
bool spans_list_is_full(const struct spans_list *list);
/* Writes what was held. */
bool spans_list_finish(struct spans_list *list, struct text *out, struct error *err);
void spans_list_release(struct spans_list *list);

#endif
