/*
 * Reading line by line. Where a line belongs is told by its indentation alone: names may have anything
 * in them. After damage a chain of calls is left at the last frame that is sure.
 */
#include "source/perf_report/report.h"

#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/common/line_reader.h"

enum {
	LEVEL_CELLS = 11,     /* that a level of calls is indented by */
	ROOT_CELLS = 3,       /* "---", before frames that all of an entry has */
	HIERARCHY_CELLS = 3,
	FLAT_CELLS_MOST = 14, /* a number of a flat chain begins before that */
	FRAMES_MOST = 1024,   /* of a node: each chain that goes on below it has them, too */
	POINTS_HEAD = 10,
	POINTS_ENTRY = 3
};

struct reading {
	struct report *report;
	struct line_reader reader;
	struct scan line;
	struct report_section *section; /* NULL before the first */
	struct text head;       /* the line with the columns' names, until the ruler */
	struct text title;
	bool has_names;         /* the names of columns were read, entries may follow */
	bool is_open;           /* lines of calls belong to the last entry */
	bool has_root;          /* all of its nodes hang at one */
	bool is_flat;           /* lines are frames of the last node, one each */
	bool is_skipping;       /* frames belong to a node that was not whole */
	size_t margin;          /* of the entry's calls; SIZE_MAX: not known yet */
	uint32_t node;          /* the last one of the entry, REPORT_NONE */
	size_t hierarchy_end;   /* where numbers of the outermost level end */
};

/* ---- small things */

static bool
keep(struct reading *reading, struct scan text, string_id *id, struct error *err)
{
	scan_trim(&text);
	return intern_add(reading->report->strings, text.at, scan_left(&text), id, err);
}

static size_t
column_of(const struct reading *reading, const char *at)
{
	return (size_t)(at - reading->line.at);
}

static struct scan
slice(struct scan line, size_t from, size_t until)
{
	size_t length = scan_left(&line);
	from = from < length ? from : length;
	until = until < length ? until : length;
	return scan_over(line.at + from, until > from ? until - from : 0);
}

/* "12.34%" as hundredths; anything else is left. */
static bool
take_percent(struct scan *scan, int64_t *hundredths)
{
	struct scan at = *scan;
	const char *point = at.at;
	while (point < at.end && *point >= '0' && *point <= '9')
		point++;
	if (point == at.at || point - at.at > 6 || !scan_decimal(&at, 2, hundredths) || at.at != point + 3 ||
		!scan_char(&at, '%'))
		return false;
	*scan = at;
	return true;
}

static bool
take_number(struct scan *scan, enum report_number *kind, int64_t *number)
{
	uint64_t count;
	*kind = NUMBER_PERCENT;
	if (take_percent(scan, number))
		return true;
	*kind = NUMBER_COUNT;
	if (!scan_number(scan, &count))
		return false;
	*number = (int64_t)count;
	return true;
}

unsigned
report_points(struct scan line)
{
	int64_t ignored;
	struct scan rest = line;
	if (scan_text(&rest, "#")) {
		size_t blanks = scan_blanks(&rest);
		if (scan_text(&rest, "Samples: "))
			return scan_find(&rest, " of event") != NULL ? POINTS_HEAD : 0;
		if (scan_text(&rest, "Children "))
			return scan_find(&rest, " Self ") != NULL ? POINTS_HEAD : 0;
		return (blanks > 0 && scan_text(&rest, "Overhead")) ||
				       scan_text(&rest, "Event count (approx.): ")
			       ? POINTS_HEAD
			       : 0;
	}
	bool is_indented = scan_blanks(&rest) >= 3;
	return is_indented && take_percent(&rest, &ignored) && scan_sees(&rest, ' ') ? POINTS_ENTRY : 0;
}

/* ---- the head of a section */

static bool
begin_section(struct reading *reading, struct error *err)
{
	struct report *report = reading->report;
	if (!array_reserve(&report->sections, &report->section_capacity, report->section_count + 1,
		    sizeof *report->sections, err))
		return false;
	reading->section = &report->sections[report->section_count++];
	*reading->section = (struct report_section){ .first_entry = report->entry_count };
	reading->has_names = reading->is_open = false;
	struct scan title = scan_over_text(&reading->title);
	if (!keep(reading, title, &reading->section->title, err))
		return false;
	text_clear(&reading->title);
	return true;
}

/* "73K of event 'cycles'", "of events 'a, b'": the event is between quotes. */
static bool
take_samples(struct reading *reading, struct scan rest, struct error *err)
{
	if (!begin_section(reading, err))
		return false;
	const char *of = scan_find(&rest, " of event");
	struct scan count = scan_over(rest.at, of != NULL ? (size_t)(of - rest.at) : scan_left(&rest));
	struct scan event = { count.end, rest.end };
	const char *quote = memchr(event.at, '\'', scan_left(&event));
	event.at = quote != NULL ? quote + 1 : event.end;
	quote = scan_is_end(&event) ? NULL : memchr(event.at, '\'', scan_left(&event));
	event.end = quote != NULL ? quote : event.end;
	return keep(reading, count, &reading->section->samples, err) &&
	       keep(reading, event, &reading->section->event, err);
}

static bool
add_column(struct reading *reading, struct scan name, size_t from, size_t until, struct error *err)
{
	struct report_section *section = reading->section;
	struct report_column column = { .from = from, .until = until };
	scan_trim(&name);
	if (section->column_count == READY_MOST_COLUMNS)
		return true;
	bool is_percent = section->column_count == 0 || scan_is(&name, "Self") || scan_is(&name, "sys") ||
			  scan_is(&name, "usr") || scan_is(&name, "guest sys") || scan_is(&name, "guest usr");
	if (is_percent)
		column.kind = COLUMN_PERCENT;
	else if (scan_is(&name, "Samples") || scan_is(&name, "Period"))
		column.kind = COLUMN_COUNT;
	else if (scan_is(&name, "Symbol"))
		column.kind = COLUMN_SYMBOL;
	if (!keep(reading, name, &column.name, err))
		return false;
	section->columns[section->column_count++] = column;
	return true;
}

/* The separator of -t stands directly behind the first name. */
static bool
take_names(struct reading *reading, struct scan rest, struct error *err)
{
	struct report_section *section = reading->section;
	text_clear(&reading->head);
	text_add(&reading->head, reading->line.at, scan_left(&reading->line));
	if (reading->head.failed)
		return error_set_memory(err, "the names of columns");
	section->column_count = 0;
	section->has_children = scan_text(&rest, "Children");
	if (!section->has_children)
		scan_text(&rest, "Overhead");
	section->is_hierarchy = scan_find(&rest, " / ") != NULL;
	section->separator = scan_is_end(&rest) || *rest.at == ' ' ? '\0' : *rest.at;
	reading->has_names = true;
	reading->is_open = false;
	reading->hierarchy_end = 0;
	struct scan all = reading->line;
	scan_char(&all, '#');
	while (section->separator != '\0' && all.at != NULL) {
		const char *end = scan_is_end(&all) ? NULL : memchr(all.at, section->separator, scan_left(&all));
		struct scan name = { all.at, end != NULL ? end : all.end };
		if (!add_column(reading, name, 0, 0, err))
			return false;
		all.at = end != NULL ? end + 1 : NULL;
	}
	return true;
}

/* "# ........  .......": each run of dots is a column. */
static bool
take_ruler(struct reading *reading, struct error *err)
{
	struct scan names = scan_over_text(&reading->head);
	struct scan rest = reading->line;
	reading->section->column_count = 0;
	scan_char(&rest, '#');
	while (!scan_is_end(&rest)) {
		scan_blanks(&rest);
		size_t from = column_of(reading, rest.at);
		while (scan_char(&rest, '.'))
			;
		size_t until = column_of(reading, rest.at);
		if (until == from)
			break;
		/* Names end in line with numbers, or begin in line with texts. */
		bool is_last = scan_is_end(&rest);
		struct scan name = slice(names, from, is_last ? SIZE_MAX : until);
		if (!add_column(reading, name, from, is_last ? SIZE_MAX : until, err))
			return false;
	}
	return true;
}

static bool
is_ruler(struct scan rest)
{
	while (scan_sees(&rest, '.') || scan_sees(&rest, ' '))
		rest.at++;
	return scan_is_end(&rest);
}

static bool
take_comment(struct reading *reading, struct error *err)
{
	struct scan rest = reading->line;
	scan_char(&rest, '#');
	scan_blanks(&rest);
	if (scan_text(&rest, "Samples: "))
		return take_samples(reading, rest, err);
	/* The line before may be lost; entries of a section have the same columns. */
	bool is_head = report_points(reading->line) == POINTS_HEAD;
	if (is_head && (reading->section == NULL || reading->section->entry_count > 0) &&
		!begin_section(reading, err))
		return false;
	if (scan_text(&rest, "Event count (approx.): "))
		return keep(reading, rest, &reading->section->total, err);
	if (is_head)
		return take_names(reading, rest, err);
	if (reading->has_names && reading->section->separator == '\0' && scan_sees(&rest, '.') &&
		is_ruler(rest) && reading->section->column_count == 0)
		return take_ruler(reading, err);
	return true;
}

/* ---- entries */

static bool
add_cell(struct reading *reading, const struct report_column *column, struct scan text, struct error *err)
{
	struct report *report = reading->report;
	struct ready_cell cell = { .number = READY_NONE };
	int64_t number;
	uint64_t count;
	scan_trim(&text);
	struct scan at = text;
	if (column->kind == COLUMN_PERCENT && take_percent(&at, &number))
		cell.number = number;
	else if (column->kind == COLUMN_COUNT && scan_number(&at, &count))
		cell.number = (int64_t)count;
	if (!keep(reading, text, &cell.text, err) ||
		!array_reserve(&report->cells, &report->cell_capacity, report->cell_count + 1,
			sizeof *report->cells, err))
		return false;
	report->cells[report->cell_count++] = cell;
	return true;
}

static bool
add_cells(struct reading *reading, struct error *err)
{
	const struct report_section *section = reading->section;
	struct scan all = reading->line;
	for (unsigned i = 0; i < section->column_count; i++) {
		const struct report_column *column = &section->columns[i];
		struct scan text = slice(reading->line, column->from, column->until);
		if (section->separator != '\0') {
			bool is_last = i + 1 == section->column_count;
			const char *end = is_last || scan_is_end(&all)
						  ? NULL
						  : memchr(all.at, section->separator, scan_left(&all));
			text = (struct scan){ all.at, end != NULL ? end : all.end };
			all.at = end != NULL ? end + 1 : all.end;
		}
		if (!add_cell(reading, column, text, err))
			return false;
	}
	return true;
}

/* A percentage in the first column, and more behind it where there are more columns. */
static bool
is_entry(const struct reading *reading, struct scan *rest)
{
	int64_t ignored;
	const struct report_section *section = reading->section;
	*rest = reading->line;
	if (!reading->has_names || section->column_count == 0 || scan_blanks(rest) == 0 ||
		!take_percent(rest, &ignored))
		return false;
	if (section->is_hierarchy)
		return scan_blanks(rest) > 0;
	if (section->separator == '\0' && column_of(reading, rest->at) > section->columns[0].until)
		return false;
	struct scan behind = *rest;
	bool is_apart = scan_blanks(&behind) > 0 || scan_sees(&behind, section->separator);
	return section->column_count == 1 ? scan_is_end(&behind) : is_apart && !scan_is_end(&behind);
}

static bool
take_entry(struct reading *reading, struct scan rest, struct error *err)
{
	struct report *report = reading->report;
	struct report_section *section = reading->section;
	struct report_entry entry = { .section = (uint32_t)(report->section_count - 1),
		.first_cell = report->cell_count, .first_node = report->node_count };
	if (section->is_hierarchy) {
		const char *end = memchr(reading->line.at, '%', scan_left(&reading->line));
		size_t column = column_of(reading, end);
		if (reading->hierarchy_end == 0)
			reading->hierarchy_end = column;
		if (column > reading->hierarchy_end)
			entry.level = (uint32_t)((column - reading->hierarchy_end) / HIERARCHY_CELLS);
		struct scan number = { reading->line.at, end + 1 };
		if (!add_cell(reading, &section->columns[0], number, err) ||
			!add_cell(reading, &(struct report_column){ .kind = COLUMN_TEXT }, rest, err))
			return false;
	} else if (!add_cells(reading, err)) {
		return false;
	}
	if (!array_reserve(&report->entries, &report->entry_capacity, report->entry_count + 1,
		    sizeof *report->entries, err))
		return false;
	report->entries[report->entry_count++] = entry;
	section->entry_count++;
	report->counts.entries += entry.level == 0;
	reading->is_open = !section->is_hierarchy;
	reading->has_root = reading->is_flat = reading->is_skipping = false;
	reading->margin = SIZE_MAX;
	reading->node = REPORT_NONE;
	return true;
}

/* ---- calls */

static bool
add_frame(struct reading *reading, struct scan name, struct error *err)
{
	struct report *report = reading->report;
	struct report_node *node = &report->nodes[reading->node];
	string_id id;
	if (!keep(reading, name, &id, err) ||
		!array_reserve(&report->frames, &report->frame_capacity, report->frame_count + 1,
			sizeof *report->frames, err))
		return false;
	report->frames[report->frame_count++] = id;
	report->counts.frames++;
	node->frame_count++;
	return true;
}

static bool
add_node(struct reading *reading, const struct report_node *node, struct error *err)
{
	struct report *report = reading->report;
	if (report->node_count >= REPORT_NONE)
		return error_set(err, ERROR_LIMIT, "it has too many calls");
	if (!array_reserve(&report->nodes, &report->node_capacity, report->node_count + 1,
		    sizeof *report->nodes, err))
		return false;
	reading->node = (uint32_t)report->node_count;
	report->nodes[report->node_count] = *node;
	report->nodes[report->node_count++].first_frame = report->frame_count;
	report->entries[report->entry_count - 1].node_count++;
	report->counts.nodes++;
	if (node->depth > report->counts.max_depth)
		report->counts.max_depth = node->depth;
	reading->is_skipping = false;
	return true;
}

/* "---name": what all of the entry has in common. */
static bool
take_root(struct reading *reading, struct scan name, size_t column, struct error *err)
{
	const struct report_node node = { .parent = REPORT_NONE };
	reading->margin = column;
	reading->has_root = true;
	return add_node(reading, &node, err) && add_frame(reading, name, err);
}

static size_t
base_of(const struct reading *reading)
{
	return reading->margin + (reading->has_root ? ROOT_CELLS : 0);
}

/*
 * "--12.34%--name" at a column: a level below what it hangs at, which is the last one of less depth.
 * False in *fits: it hangs nowhere.
 */
static bool
take_node(struct reading *reading, size_t column, struct report_node node, struct scan name, bool *fits,
	struct error *err)
{
	const struct report_node *nodes = reading->report->nodes;
	if (reading->margin == SIZE_MAX)
		reading->margin = column - 1;
	size_t base = base_of(reading) + 1;
	*fits = column >= base && (column - base) % LEVEL_CELLS == 0;
	if (!*fits)
		return true;
	node.depth = (uint32_t)((column - base) / LEVEL_CELLS + 1);
	node.parent = reading->node;
	while (node.parent != REPORT_NONE && nodes[node.parent].depth >= node.depth)
		node.parent = nodes[node.parent].parent;
	uint32_t above = node.parent != REPORT_NONE ? nodes[node.parent].depth : 0;
	*fits = above + 1 == node.depth && (node.depth > 1 || reading->has_root || node.parent == REPORT_NONE);
	return !*fits || (add_node(reading, &node, err) && add_frame(reading, name, err));
}

/* A line of calls below an entry. False in *fits: it is none, or does not fit the others. */
static bool
take_call(struct reading *reading, bool *fits, struct error *err)
{
	struct scan rest = reading->line;
	struct report_node node = { .parent = REPORT_NONE };
	*fits = true;
	while (scan_sees(&rest, ' ') || scan_sees(&rest, '|'))
		rest.at++;
	size_t column = column_of(reading, rest.at);
	if (scan_is_end(&rest)) {
		const char *bar = memchr(reading->line.at, '|', scan_left(&reading->line));
		if (reading->margin == SIZE_MAX && bar != NULL)
			reading->margin = column_of(reading, bar);
		return true;
	}
	if (reading->node == REPORT_NONE && scan_text(&rest, "---"))
		return take_root(reading, rest, column, err);
	struct scan number = rest;
	if (column > 0 && scan_text(&number, "--") && take_number(&number, &node.kind, &node.number) &&
		scan_text(&number, "--"))
		return take_node(reading, column, node, number, fits, err);
	/* Frames that go on where the last node is, but names of more than that begin alike: "--". */
	*fits = false;
	if (reading->node == REPORT_NONE || reading->is_flat || reading->is_skipping)
		return true;
	const struct report_node *last = &reading->report->nodes[reading->node];
	*fits = column == base_of(reading) + (size_t)last->depth * LEVEL_CELLS &&
		last->frame_count < FRAMES_MOST;
	return !*fits || add_frame(reading, rest, err);
}

/* "34.09% a;b;c" or "315 a;b;c" at the edge. */
static bool
take_folded(struct reading *reading, bool *fits, struct error *err)
{
	struct scan rest = reading->line;
	struct report_node node = { .parent = REPORT_NONE };
	*fits = take_number(&rest, &node.kind, &node.number) && scan_char(&rest, ' ') && !scan_is_end(&rest);
	if (!*fits)
		return true;
	if (!add_node(reading, &node, err))
		return false;
	while (true) {
		const char *end = memchr(rest.at, ';', scan_left(&rest));
		struct scan name = { rest.at, end != NULL ? end : rest.end };
		if (!add_frame(reading, name, err))
			return false;
		if (end == NULL)
			return true;
		rest.at = end + 1;
	}
}

/* A number alone in its line begins a flat chain, whose frames follow until a blank line. */
static bool
take_flat(struct reading *reading, bool *fits, struct error *err)
{
	struct scan rest = reading->line;
	struct report_node node = { .parent = REPORT_NONE };
	size_t blanks = scan_blanks(&rest);
	*fits = reading->is_flat;
	if (reading->is_flat)
		return add_frame(reading, rest, err);
	*fits = blanks > 0 && blanks < FLAT_CELLS_MOST && reading->margin == SIZE_MAX && !reading->has_root &&
		take_number(&rest, &node.kind, &node.number);
	scan_trim_end(&rest);
	*fits = *fits && scan_is_end(&rest);
	if (!*fits)
		return true;
	reading->is_flat = true;
	return add_node(reading, &node, err);
}

/* ---- all lines */

/* Whether a line of a section comes next: then what stands here was one. */
static bool
goes_on(struct reading *reading, bool *does, struct error *err)
{
	enum { LOOK_BYTES = 2048 };
	struct scan text, line;
	bool has_newline;
	*does = false;
	if (!line_reader_look(&reading->reader, LOOK_BYTES, &reading->line, &text, err))
		return false;
	if (!line_take(&text, &line, &has_newline) || scan_is_end(&line))
		return true;
	struct scan rest = line;
	scan_blanks(&rest);
	*does = report_points(line) == POINTS_ENTRY ||
		(rest.at > line.at && (scan_sees(&rest, '|') || scan_text(&rest, "--")));
	return true;
}

/* Above a section it is a title. Within one it is damage where it is indented or calls follow. */
static bool
take_other(struct reading *reading, struct error *err)
{
	bool is_within = reading->section != NULL && reading->section->entry_count > 0;
	bool is_damaged = is_within && (*reading->line.at == ' ' || !reading->reader.has_newline);
	if (is_within && !is_damaged && !goes_on(reading, &is_damaged, err))
		return false;
	if (is_damaged) {
		if (reading->reader.has_newline)
			line_damage_add(&reading->report->damage, &reading->reader, &reading->line, "fits nothing");
		else
			line_damage_add_end(&reading->report->damage, &reading->reader, "within a line");
		return true;
	}
	struct scan text = reading->line;
	enum { TITLE_BYTES = 200 };
	scan_trim(&text);
	if (reading->title.length > 0)
		text_add_string(&reading->title, ", ");
	if (reading->title.length < TITLE_BYTES)
		text_add(&reading->title, text.at, scan_left(&text) < TITLE_BYTES ? scan_left(&text) : TITLE_BYTES);
	return true;
}

/* A line below an entry, in whatever form calls are told. */
static bool
take_below(struct reading *reading, bool *fits, struct error *err)
{
	if (*reading->line.at != ' ' && *reading->line.at != '|')
		return take_folded(reading, fits, err);
	*fits = false;
	return (reading->is_flat || take_call(reading, fits, err)) &&
	       (*fits || take_flat(reading, fits, err));
}

static bool
take_line(struct reading *reading, struct error *err)
{
	struct scan rest = reading->line;
	bool fits = false;
	scan_blanks(&rest);
	if (scan_is_end(&rest)) {
		reading->is_flat = false;
		return true;
	}
	if (*reading->line.at == '#')
		return take_comment(reading, err);
	if (reading->section != NULL && !reading->is_flat && is_entry(reading, &rest))
		return take_entry(reading, rest, err);
	if (reading->is_open && !take_below(reading, &fits, err))
		return false;
	/* Calls in a hierarchy are not read. */
	if (reading->section != NULL && reading->section->is_hierarchy && *reading->line.at == ' ')
		fits = true;
	if (fits)
		return true;
	/* What follows may belong to what was lost here. */
	reading->is_skipping = true;
	if (report_points(reading->line) == POINTS_ENTRY)
		reading->is_open = false;
	return take_other(reading, err);
}

static bool
read_lines(struct reading *reading, struct error *err)
{
	struct line_reader *reader = &reading->reader;
	while (line_reader_next(reader, &reading->line, err)) {
		if (reading->line.at == NULL) {
			reading->report->counts.lines = reader->count;
			reading->report->counts.sections = reading->report->section_count;
			return !reading->title.failed || error_set_memory(err, "a title");
		}
		scan_trim_end(&reading->line);
		if (!take_line(reading, err))
			return false;
	}
	return false;
}

bool
report_read(struct report *report, struct input *in, struct error *err)
{
	struct reading reading = { .report = report, .node = REPORT_NONE };
	line_reader_init(&reading.reader, in);
	bool is_fine = read_lines(&reading, err);
	line_reader_release(&reading.reader);
	text_release(&reading.head);
	text_release(&reading.title);
	return is_fine;
}

void
report_release(struct report *report)
{
	memory_free(report->sections);
	memory_free(report->entries);
	memory_free(report->cells);
	memory_free(report->nodes);
	memory_free(report->frames);
	*report = (struct report){ 0 };
}
