/* The text is gone through word by word. */
#include "source/function_graph/oneline.h"

#include "source/common/ftrace_head.h"

enum { MIN_STARTS = 5 };

/* A word ends at a blank or at the end. */
static bool
is_word_end(const struct scan *scan)
{
	return scan_is_end(scan) || *scan->at == ' ';
}

/* To the next word; at the end when there is none. */
static void
skip_word(struct scan *scan)
{
	const char *blank = memchr(scan->at, ' ', scan_left(scan));
	scan->at = blank != NULL ? blank : scan->end;
	scan_blanks(scan);
}

/* "N)" */
static bool
take_cpu(struct scan *scan, uint32_t *cpu)
{
	return ftrace_cpu(scan, cpu) && scan_char(scan, ')') && is_word_end(scan);
}

/* Takes "N)" and the duration or sign behind it; sets cpu, took_ns and kind. */
static bool
take_columns(struct scan *scan, struct graph_line *line)
{
	struct scan rest = *scan;
	line->kind = GRAPH_UNKNOWN;
	if (!scan_sees_digit(&rest) || !take_cpu(&rest, &line->cpu) || !graph_duration(&rest, line))
		return false;
	*scan = rest;
	return true;
}

static bool
is_mark(struct scan text)
{
	return scan_sees(&text, '#') && scan_text(&text, "###") && is_word_end(&text);
}

/* Whether a record begins with the word at the cursor. */
static bool
is_start(struct scan text)
{
	struct graph_line line;
	return is_mark(text) || (take_columns(&text, &line) && line.kind == GRAPH_UNKNOWN);
}

bool
oneline_is(struct scan line)
{
	if (scan_left(&line) <= ONELINE_MIN_BYTES)
		return false;
	scan_blanks(&line);
	for (int starts = 0; !scan_is_end(&line); skip_word(&line)) {
		if (is_start(line) && ++starts == MIN_STARTS)
			return true;
	}
	return false;
}

bool
oneline_piece(struct scan *line, struct scan *piece)
{
	scan_blanks(line);
	if (scan_is_end(line))
		return false;
	piece->at = line->at;
	do
		skip_word(line);
	while (!scan_is_end(line) && !is_start(*line));
	piece->end = line->at;
	scan_trim_end(piece);
	return true;
}

/* Whether what was a line of its own begins with the word at the cursor. */
static bool
is_other(struct scan text)
{
	struct graph_line line;
	if (scan_sees_digit(&text))
		return take_columns(&text, &line) && line.kind != GRAPH_UNKNOWN;
	return scan_text(&text, "--------") || scan_text(&text, "CPU:") ||
	       scan_text(&text, "(Overruns:") || scan_text(&text, "##### CPU ");
}

/* Takes what stands up to and with a word that begins with `end`; all, where there is none. */
static struct scan
take_through(struct scan *piece, const char *end)
{
	struct scan taken = *piece;
	const char *found = scan_find(piece, end);
	piece->at = found != NULL ? found : piece->end;
	while (!is_word_end(piece))
		piece->at++;
	taken.end = piece->at;
	return taken;
}

static void
take_other(struct scan *piece, struct graph_line *line)
{
	struct scan text = *piece;
	if (!scan_sees(&text, '-')) {
		graph_other(take_through(piece, *text.at == '(' ? ")" : *text.at == '#' ? "started" : "]"),
			line);
		if (*text.at == '#')
			(void)scan_text(piece, " ####");
		return;
	}
	/* A rule; between two of them stands a switch. */
	skip_word(piece);
	struct scan rest = *piece;
	const char *rule = scan_find(&rest, " --------");
	if (rule != NULL) {
		graph_other((struct scan){ rest.at, rule }, line);
		if (line->kind == GRAPH_SWITCH) {
			piece->at = rule + 1;
			skip_word(piece);
			return;
		}
	}
	*line = graph_line_none();
	line->kind = GRAPH_NOTE;
}

/* Behind the columns: the function, and behind that what is left in the piece. */
static void
take_function(struct scan *piece, struct graph_line *line)
{
	scan_blanks(piece);
	struct scan text = *piece;
	graph_function(text, line);
	if (line->kind != GRAPH_UNKNOWN) {
		piece->at = piece->end;
		return;
	}
	while (!scan_is_end(piece) && !is_other(*piece))
		skip_word(piece);
	text.end = piece->at;
	graph_function(text, line);
}

bool
oneline_record(struct scan *piece, struct graph_line *line)
{
	scan_blanks(piece);
	if (scan_is_end(piece))
		return false;
	*line = graph_line_none();
	if (take_columns(piece, line)) {
		if (line->kind == GRAPH_UNKNOWN)
			take_function(piece, line);
		return true;
	}
	struct scan text = *piece;
	bool has_mark = is_mark(text);
	if (!has_mark && is_other(text)) {
		take_other(piece, line);
		return true;
	}
	do
		skip_word(piece);
	while (!scan_is_end(piece) && (has_mark || !is_other(*piece)));
	text.end = piece->at;
	graph_other(text, line);
	return true;
}
