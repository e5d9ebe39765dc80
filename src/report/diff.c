/* Each table is a list of rows that are in order; the grid knows the forms. */
#include "report/diff_internal.h"

#include "base/compiler.h"
#include "base/units.h"
#include "draw/names.h"
#include "report/grid.h"
#include "report/result.h"
#include "result/join.h"
#include "trace/words.h"

enum { USUAL_ROWS = 20 }; /* for people who ask for no number */

struct report {
	const struct diff_tables *tables;
	struct report_options options;
	struct grid grid;
	const char *nameless; /* what stands for no name in the table being made */
};

static void
put_text(struct grid *grid, const struct diff_text *text)
{
	grid_text(grid, text->bytes != NULL ? text->bytes : "", text->length);
}

static void
put_word(struct grid *grid, const char *word)
{
	grid_text(grid, word, strlen(word));
}

/* Without counts, which would be those of one of both. */
static void
add_query(struct grid *grid)
{
	if (!grid_is_text(grid) || grid->options->query == NULL || grid->options->query[0] == '\0')
		return;
	page_fact(&grid->page, "query", &grid->line);
	text_add_string(&grid->line, grid->options->query);
	page_fact_end(&grid->page, STYLE_DEFAULT, &grid->line);
}

void
diff_add_sources(struct grid *grid, const struct diff_source sources[DIFF_SIDES])
{
	static const char *const keys[] = { [DIFF_BEFORE] = "before", [DIFF_AFTER] = "after" };
	for (int side = 0; side < DIFF_SIDES; side++) {
		const struct diff_source *source = &sources[side];
		char length[UNITS_TEXT], count[UNITS_TEXT];
		units_duration(length, source->length_ns, grid->options->ascii);
		units_count(count, source->actors);
		grid_fact(grid, keys[side], "%s, %s%s, %s %s",
			source->name.length > 0 ? source->name.bytes : "standard input", length,
			text_string(&source->from_to), count,
			words_title(grid->trace->words,
				source->actors == 1 ? "{actor}" : "{actors}"));
	}
	add_query(grid);
}

/* ---- rows */

#define PAIR(title_before, title_after, rank_of, key)                                              \
	{ { .title = (title_before), .is_right = true, .rank = (rank_of) }, key "_before_ns" },    \
		{ { .title = (title_after), .is_right = true, .rank = (rank_of) }, key "_after_ns" }

#define COLUMNS(title_of_name, key_of_name, is_of_functions)                                       \
	{ { .title = (title_of_name), .is_name = (is_of_functions), .least_cells = 24 }, key_of_name }, \
		{ { .title = "state", .least_cells = 12 }, NULL }, { { .title = NULL }, "state" },  \
		{ { .title = NULL }, "reason" },                                                   \
		{ { .title = "change", .is_right = true }, "change_ns" },                          \
		PAIR("before", "after", 0, "total"),                                                  \
		{ { .title = "n before", .is_right = true, .rank = 2 }, "count_before" },             \
		{ { .title = "n after", .is_right = true, .rank = 2 }, "count_after" },              \
		PAIR("p50 before", "p50 after", 3, "p50"),                                         \
		PAIR("p99 before", "p99 after", 1, "p99"),                                         \
		PAIR("max before", "max after", 4, "max")

static const struct grid_column function_columns[] = { COLUMNS("function", "function", true) };
static const struct grid_column region_columns[] = { COLUMNS("region", "region", false) };

/* "chan receive" for people; for programs two cells. */
static void
put_state(struct grid *grid, const struct diff_row *row)
{
	if (row->reason.length > 0)
		put_text(grid, &row->reason);
	else
		put_word(grid, row->measure == MEASURE_REASONS ? MEASURE_NO_REASON
							       : measure_word(row->measure));
	put_word(grid, measure_word(row->measure));
	if (row->measure == MEASURE_REASONS && row->reason.length == 0)
		put_word(grid, MEASURE_NO_REASON);
	else
		put_text(grid, &row->reason);
}

static void
put_pair(struct grid *grid, int64_t before_ns, int64_t after_ns)
{
	grid_duration(grid, before_ns);
	grid_duration(grid, after_ns);
}

static void
put_row(struct report *report, const struct diff_row *row)
{
	const struct spread *before = &row->spread[DIFF_BEFORE], *after = &row->spread[DIFF_AFTER];
	struct grid *grid = &report->grid;
	if (row->name.length > 0 || !grid_is_text(grid))
		put_text(grid, &row->name);
	else
		put_word(grid, report->nameless);
	put_state(grid, row);
	grid_change(grid, after->total_ns - before->total_ns, true);
	put_pair(grid, before->total_ns, after->total_ns);
	grid_count(grid, row->count[DIFF_BEFORE]);
	grid_count(grid, row->count[DIFF_AFTER]);
	put_pair(grid, before->p50_ns, after->p50_ns);
	put_pair(grid, before->p99_ns, after->p99_ns);
	put_pair(grid, before->max_ns, after->max_ns);
}

/* What people read: of what is blocked the reasons, which sum up to it. */
static bool
is_for_people(const struct diff_row *row)
{
	return row->measure != MEASURE_BLOCKED && diff_row_has_changed(row);
}

static void
put_table(struct report *report, const char *name, const char *title,
	const struct grid_column *columns, int count, const struct diff_states *diff)
{
	bool is_text = grid_is_text(&report->grid);
	report->nameless = diff == report->tables->regions ? "(no name)" : NAME_START_UNKNOWN;
	text_clear(&report->grid.line);
	text_add_words(&report->grid.line, report->grid.trace->words, title);
	grid_table(&report->grid, name, text_string(&report->grid.line), columns, count);
	for (uint32_t i = 0; i < diff->row_count; i++) {
		if (!is_text || is_for_people(&diff->rows[i]))
			put_row(report, &diff->rows[i]);
	}
	grid_table_end(&report->grid, diff->row_count > 0 ? "nothing has changed" : "none");
}

bool
report_diff(const struct trace *trace, const struct diff_tables *tables,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .tables = tables, .options = *options };
	if (report_is_for_people(options->format) && report.options.limit == 0)
		report.options.limit = USUAL_ROWS;
	if (!grid_begin(&report.grid, trace, &report.options, out, err))
		return false;
	grid_heading(&report.grid, "Difference");
	diff_add_sources(&report.grid, tables->sources);
	if (tables->functions != NULL)
		put_table(&report, "functions", "All {actors} by function, what changed most first",
			function_columns, (int)ARRAY_LENGTH(function_columns), tables->functions);
	if (tables->regions != NULL)
		put_table(&report, "regions", "Regions by name, what changed most first",
			region_columns, (int)ARRAY_LENGTH(region_columns), tables->regions);
	return grid_end(&report.grid);
}

/* ---- any report */

bool
report_diff_kept(const struct trace *trace, const struct diff_kept *diff,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report_options limited = *options;
	struct result_printer printer;
	struct grid grid;
	size_t left_out = 0;
	bool is_text = report_is_for_people(options->format);
	if (is_text && limited.limit == 0)
		limited.limit = USUAL_ROWS;
	if (diff->kept[DIFF_BEFORE].first == NULL && diff->kept[DIFF_AFTER].first == NULL)
		return error_set(err, ERROR_USAGE, "--diff: --report=%s has no table", diff->report);
	if (!grid_begin(&grid, trace, &limited, out, err))
		return false;
	text_format(&grid.line, "Difference of %s", diff->report);
	grid_heading(&grid, text_string(&grid.line));
	diff_add_sources(&grid, diff->sources);
	bool is_fine = result_printer_begin(&printer, &grid, err);
	if (is_fine) {
		is_fine = result_join(diff->kept[DIFF_BEFORE].first, diff->kept[DIFF_AFTER].first,
			is_text, &printer.sink, &left_out, err);
		result_printer_end(&printer);
	}
	if (is_fine && left_out > 0)
		grid_fact(&grid, "left out", "what is told moment by moment: no two traces have those in common");
	return grid_end(&grid) && is_fine;
}
