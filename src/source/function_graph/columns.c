/*
 * Which columns a file has: its header names them, its records must fit. Every set of columns is
 * tried on the beginning of the file; pasted text often has no header.
 */
#include "source/common/line_reader.h"
#include "source/function_graph/line.h"

enum {
	MAX_LINES = 400,
	ENOUGH_RECORDS = 100,
	CLEAN_BYTES = 4096 /* a line that is longer with tabs or colours is not looked at */
};

bool
graph_columns_named(struct scan text, unsigned *columns)
{
	if (!scan_sees(&text, '#') || scan_find(&text, "FUNCTION CALLS") == NULL)
		return false;
	unsigned set = 0;
	const char *relative = scan_find(&text, "REL TIME");
	struct scan before = { text.at, relative != NULL ? relative : text.end };
	if (relative != NULL)
		set |= GRAPH_REL_TIME;
	if (scan_find(&before, "TIME") != NULL)
		set |= GRAPH_TIME;
	if (scan_find(&text, "CPU") != NULL)
		set |= GRAPH_CPU;
	if (scan_find(&text, "TASK/PID") != NULL)
		set |= GRAPH_TASK;
	if (scan_find(&text, "||||") != NULL)
		set |= GRAPH_FLAGS;
	if (scan_find(&text, "DURATION") != NULL)
		set |= GRAPH_DURATION;
	*columns = set;
	return true;
}

/*
 * Of sets that fit as many lines. Every column that fits is there: the task's name alone may take
 * what others are. Microseconds and a bar are a duration rather than a time.
 */
static bool
is_better(unsigned set, unsigned than)
{
	unsigned columns = 0, other_columns = 0;
	if ((set ^ than) & GRAPH_DURATION)
		return (set & GRAPH_DURATION) != 0;
	for (unsigned bits = set; bits != 0; bits &= bits - 1)
		columns++;
	for (unsigned bits = than; bits != 0; bits &= bits - 1)
		other_columns++;
	return columns > other_columns;
}

unsigned
graph_columns_find(struct scan text, const unsigned *header)
{
	unsigned fits[GRAPH_LAST_SET + 1] = { 0 }, named = header != NULL ? *header : 0, records = 0;
	bool is_named = header != NULL, has_newline;
	char clean[CLEAN_BYTES];
	struct scan line;
	for (unsigned i = 0; i < MAX_LINES && records < ENOUGH_RECORDS; i++) {
		if (!line_take(&text, &line, &has_newline))
			break;
		if (line_is_coloured(&line)) {
			if (line_clean_bytes(&line) > sizeof clean)
				continue;
			line = scan_over(clean, line_clean(&line, clean));
		}
		unsigned other;
		if (graph_columns_named(line, &other)) {
			if (is_named)
				break; /* another part, with columns of its own */
			is_named = true;
			named = other;
			continue;
		}
		bool is_any = false;
		/* Without any column all source code is a record: so it must be named. */
		for (unsigned set = is_named && named == 0 ? 0 : 1; set <= GRAPH_LAST_SET; set++) {
			struct graph_line read;
			if (!graph_record_read(set, line, &read))
				continue;
			fits[set]++;
			is_any = true;
		}
		records += is_any;
	}
	unsigned best = is_named ? named : GRAPH_USUAL;
	for (unsigned set = 0; set <= GRAPH_LAST_SET; set++) {
		if (fits[set] > fits[best] || (fits[set] == fits[best] && fits[set] > 0 &&
						      !(is_named && best == named) && is_better(set, best)))
			best = set;
	}
	return best;
}
