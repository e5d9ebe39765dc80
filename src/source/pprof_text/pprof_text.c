/* Texts of go tool pprof: which report it is, line by line, and what is anybody's text around it. */
#include "source/pprof_text/pprof_text.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/source.h"
#include "trace/ready.h"

static const struct words pprof_text_words = TIMELESS_WORDS("pprof_text");

/* ---- whether it is one */

enum { HEADER_POINTS = 10, LINE_POINTS = 3 };

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan line;
	unsigned points = 0, period = 0;
	bool is_tree;
	size_t indent;
	while (head_lines_next(&lines, &line)) {
		struct scan rest = line;
		scan_blanks(&rest);
		if (pprof_is_titles(line, &is_tree))
			points += 2 * HEADER_POINTS;
		else if (pprof_is_traces_separator(line, &indent))
			points += HEADER_POINTS;
		else if (scan_text(&rest, "Showing nodes accounting for "))
			points += HEADER_POINTS;
		else if (scan_text(&rest, "PeriodType:") || scan_text(&rest, "Period: "))
			period++;
		else if (period > 0 && scan_text(&rest, "Samples:"))
			points += HEADER_POINTS;
		else if (scan_text(&rest, "Build ID: ") || scan_text(&rest, "Type: "))
			points += LINE_POINTS / 2;
	}
	return points;
}

/* ---- lines */

/* Takes a prompt of pprof's own. */
static void
strip(struct scan *line)
{
	struct scan rest = *line;
	scan_blanks(&rest);
	if (scan_text(&rest, "(pprof)"))
		*line = rest;
}

static bool
begins(struct pprof_text *text, struct scan line, bool *is_begin, struct error *err)
{
	bool is_tree;
	size_t indent;
	*is_begin = true;
	if (pprof_is_titles(line, &is_tree))
		return pprof_traces_end_block(text, err) && pprof_tables_begin(text, is_tree, err);
	/* All samples are of the same types. */
	if (text->form != PPROF_TRACES && !text->forms[PPROF_RAW] && pprof_is_traces_separator(line, &indent))
		return pprof_tables_end(text, err) && pprof_traces_begin(text, indent, err) &&
		       pprof_traces_take(text, line, err) == PPROF_TAKEN;
	*is_begin = false;
	return true;
}

static enum pprof_line
take(struct pprof_text *text, struct scan line, struct error *err)
{
	bool is_begin;
	if (!begins(text, line, &is_begin, err))
		return PPROF_FAILED;
	if (is_begin)
		return PPROF_TAKEN;
	switch (text->form) {
	case PPROF_TOP:
	case PPROF_TREE: {
		enum pprof_line taken = pprof_tables_take(text, line, err);
		return taken == PPROF_NOT_MINE ? pprof_head_take(text, line, err) : taken;
	}
	case PPROF_TRACES:
		return pprof_traces_take(text, line, err);
	case PPROF_RAW:
		return pprof_raw_take(text, line, err);
	case PPROF_HEAD:
		break;
	}
	enum pprof_line head = pprof_head_take(text, line, err);
	return head == PPROF_NOT_MINE ? pprof_raw_take(text, line, err) : head;
}

/*
 * Text before a report and behind it is anybody's. What fits nothing in the midst of it is damaged, but
 * for the rest of a name with a line break in it.
 */
static bool
read_lines(struct pprof_text *text, struct error *err)
{
	struct scan line;
	struct line_damage before = { 0 }; /* without the lines that may stand behind it all */
	bool is_pending = false;
	for (;;) {
		if (!line_reader_next(&text->reader, &line, err))
			return false;
		if (line.at == NULL)
			break;
		strip(&line);
		struct scan other = line;
		enum pprof_line taken = text->reader.is_part ? PPROF_NOT_MINE : take(text, line, err);
		if (taken == PPROF_FAILED)
			return false;
		scan_blanks(&other);
		if (taken == PPROF_NOT_MINE && text->form != PPROF_HEAD && !scan_is_end(&other)) {
			text->others++;
			if (text->traces.has_value)
				continue;
			if (!is_pending)
				before = text->damage;
			is_pending = true;
			line_damage_add(&text->damage, &text->reader, &line, "fits nothing");
		} else if (taken == PPROF_TAKEN) {
			is_pending = false;
		}
	}
	if (is_pending)
		text->damage = before;
	/* The last line was cut. */
	if (is_pending && !text->reader.has_newline)
		line_damage_add_end(&text->damage, &text->reader, "within a line");
	return true;
}

/* ---- the whole */

static bool
add_facts(const struct pprof_text *text, struct error *err)
{
	const struct pprof_tables *tables = &text->tables;
	const struct sample_set *set = text->trace->samples;
	uint64_t sum = 0;
	for (size_t i = 0; i < set->count && set->type_count == 1; i++)
		sum += (uint64_t)set->weights[i];
	const struct {
		const char *key;
		enum pprof_form form;
		uint64_t value;
	} facts[] = {
		{ "rows", PPROF_TOP, tables->rows },
		{ "nodes", PPROF_TREE, tables->nodes },
		{ "edges_in", PPROF_TREE, tables->edges_in },
		{ "edges_out", PPROF_TREE, tables->edges_out },
		{ "samples", PPROF_TRACES, set->count },
		{ "depth", PPROF_TRACES, text->traces.depth },
		{ "sum", PPROF_TRACES, set->decimals > 0 ? (uint64_t)((int64_t)sum / 100) : sum },
		{ "samples", PPROF_RAW, text->raw.sample_count },
		{ "locations", PPROF_RAW, text->raw.location_count },
		{ "mappings", PPROF_RAW, text->raw.mapping_count },
		{ "default_index", PPROF_RAW, set->usual_type },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++) {
		if (text->forms[facts[i].form] &&
			!trace_add_fact(text->trace, facts[i].key, facts[i].value, err))
			return false;
	}
	return trace_add_fact(text->trace, "other_lines", text->others, err) &&
	       trace_add_fact(text->trace, "damaged", text->damage.count, err);
}

static bool
build(struct pprof_text *text, const struct input *in, struct error *err)
{
	struct trace *trace = text->trace;
	bool has_any = false;
	for (size_t i = PPROF_TOP; i < ARRAY_LENGTH(text->forms); i++)
		has_any = has_any || text->forms[i];
	if (!has_any)
		return error_set(err, ERROR_FORMAT, "no report of pprof: neither titles of columns nor samples");
	if (!pprof_tables_end(text, err) || (text->forms[PPROF_TRACES] && !pprof_traces_end(text, err)) ||
		(text->forms[PPROF_RAW] && !pprof_raw_end(text, err)))
		return false;
	if (trace->ready->table_count == 0) {
		ready_free(trace->ready);
		trace->ready = NULL;
	}
	if (!add_facts(text, err))
		return false;
	if (!text->forms[PPROF_TRACES] && !text->forms[PPROF_RAW]) {
		sample_set_free(trace->samples);
		trace->samples = NULL;
	}
	if (!profile_trace_finish(trace, in, err))
		return false;
	trace->damage = text->damage.map;
	return true;
}

static void
release(struct pprof_text *text)
{
	struct pprof_traces *traces = &text->traces;
	struct pprof_raw *raw = &text->raw;
	void *arrays[] = { traces->frames, traces->are_inlined, traces->labels, traces->hundredths,
		raw->weights, raw->samples, raw->ids, raw->labels, raw->locations, raw->lines,
		raw->frames, raw->mappings };
	for (size_t i = 0; i < ARRAY_LENGTH(arrays); i++)
		memory_free(arrays[i]);
	map_release(&raw->location_of);
	map_release(&raw->mapping_of);
	line_reader_release(&text->reader);
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct pprof_text text = { .trace = profile_trace_new(&pprof_text_words, err) };
	(void)wish;
	if (text.trace == NULL)
		return NULL;
	line_reader_init(&text.reader, in);
	text.trace->ready = ready_new(err);
	bool is_fine = text.trace->ready != NULL && read_lines(&text, err) &&
		       build(&text, in, err);
	release(&text);
	if (is_fine)
		return text.trace;
	trace_free(text.trace);
	return NULL;
}

const struct source pprof_text_source = {
	.name = "pprof_text",
	.input = "texts of go tool pprof",
	.recognised_by = "the titles \"flat  flat%   sum%        cum   cum%\", the line between stacks of "
			 "-traces, or \"PeriodType:\", \"Period:\" and then \"Samples:\"",
	.answers = "the rows of -top, -tree and -peek as a table, the stacks of -traces and -raw",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
