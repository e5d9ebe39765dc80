/* The lines are read by the columns that fit most of them. */
#include "source/function_graph/recognise.h"

#include "source/common/ftrace_head.h"
#include "source/common/line_reader.h"
#include "source/function_graph/line.h"
#include "source/function_graph/oneline.h"
#include "source/source.h"

enum { HEADER_POINTS = 10, RECORD_POINTS = 3 };

/* A line of calls, such as nothing else prints: a CPU or duration, a bar, braces or a semicolon. */
static bool
is_call(unsigned columns, struct scan text, bool *is_strange)
{
	struct graph_line line;
	graph_line_read(columns, text, &line);
	*is_strange = line.kind == GRAPH_UNKNOWN;
	return line.kind == GRAPH_ENTRY || line.kind == GRAPH_LEAF || line.kind == GRAPH_EXIT;
}

static unsigned
points_of_pieces(struct scan line)
{
	struct scan piece;
	unsigned points = 0, pieces = 0;
	while (pieces++ < HEAD_LINES_MOST && oneline_piece(&line, &piece)) {
		struct graph_line read;
		if (oneline_record(&piece, &read) && graph_is_record(&read))
			points += RECORD_POINTS;
	}
	return points;
}

unsigned
fgraph_recognise(struct scan head)
{
	if (scan_left(&head) > RECOGNISE_BYTES)
		head.end = head.at + RECOGNISE_BYTES;
	unsigned columns = graph_columns_find(head, NULL), points = 0, calls = 0, records = 0, strange = 0;
	unsigned tracer = 0; /* the points of another tracer's name, if it draws graphs */
	struct head_lines lines = { .rest = head };
	struct scan text;
	while (head_lines_next(&lines, &text)) {
		struct ftrace_head record;
		unsigned named;
		bool is_strange = false;
		struct scan rest = text;
		scan_blanks(&rest);
		if (oneline_is(text)) {
			points += points_of_pieces(text);
		} else if (graph_columns_named(text, &named)) {
			points += HEADER_POINTS + tracer;
			tracer = 0;
			columns = named;
			if (scan_left(&lines.rest) > 0)
				columns = lines.count < 16 ? graph_columns_find(lines.rest, &named) : named;
		} else if (scan_text(&rest, "# tracer: ")) {
			bool is_ours = scan_text(&rest, "function_graph");
			points += is_ours ? HEADER_POINTS : 0;
			tracer = is_ours ? 0 : HEADER_POINTS;
		} else if (is_call(columns, text, &is_strange)) {
			points += RECORD_POINTS;
			calls++;
		} else if (ftrace_head_read(&text, &record)) {
			records++;
			tracer = 0;
		}
		strange += is_strange;
	}
	/* Nothing else stands between them, but what may be cut. */
	if ((columns & GRAPH_RECORDS) == 0 && calls >= SOURCE_LINES_SURE && strange <= 1)
		return SOURCE_SURE;
	/* Without a name of ours these would be any trace of the kernel. */
	if ((columns & GRAPH_RECORDS) != 0 && calls > 0)
		points += RECORD_POINTS * records;
	return points;
}
