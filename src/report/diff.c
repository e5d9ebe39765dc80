/* Each table is a list of rows that are in order; the grid knows the forms. */
#include "report/diff_internal.h"

#include "base/compiler.h"
#include "base/units.h"
#include "report/grid.h"
#include "report/result.h"
#include "result/join.h"
#include "trace/words.h"

enum { USUAL_ROWS = 20 }; /* for people who ask for no number */

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
		const char *name = source->name.length > 0 ? source->name.bytes : "standard input";
		if (source->is_timeless) {
			grid_fact(grid, keys[side], "%s", name);
			continue;
		}
		units_duration(length, source->length_ns, grid->options->ascii);
		units_count(count, source->actors);
		grid_fact(grid, keys[side], "%s, %s%s, %s %s",
			name, length,
			text_string(&source->from_to), count,
			words_title(grid->trace->words,
				source->actors == 1 ? "{actor}" : "{actors}"));
	}
	add_query(grid);
}

/* ---- states */

static bool
tell_states(struct grid *grid, const struct diff_states *diff, bool is_of_regions, const char *title,
	struct error *err)
{
	struct result_printer printer;
	struct text words = { 0 };
	if (diff == NULL)
		return true;
	if (!result_printer_begin(&printer, grid, err))
		return false;
	text_add_words(&words, grid->trace->words, title);
	bool is_fine = diff_states_tell(diff, is_of_regions, text_string(&words), &printer.sink, err);
	text_release(&words);
	result_printer_end(&printer);
	return is_fine;
}

bool
report_diff(const struct trace *trace, const struct diff_tables *tables,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report_options limited = *options;
	struct grid grid;
	if (report_is_for_people(options->format) && limited.limit == 0)
		limited.limit = USUAL_ROWS;
	if (!grid_begin(&grid, trace, &limited, out, err))
		return false;
	grid_heading(&grid, "Difference");
	diff_add_sources(&grid, tables->sources);
	bool is_fine = tell_states(&grid, tables->functions, false,
			       "All {actors} by {function}, what changed most first", err) &&
		       tell_states(&grid, tables->regions, true, "Regions by name, what changed most first", err);
	return grid_end(&grid) && is_fine;
}

/* ---- any report */

bool
report_diff_kept(const struct trace *trace, const struct diff_kept *diff,
	const struct report_options *options, struct text *left_out, struct text *out, struct error *err)
{
	struct report_options limited = *options;
	struct result_printer printer;
	struct grid grid;
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
			is_text, &printer.sink, left_out, err);
		result_printer_end(&printer);
	}
	if (is_fine && left_out->length > 0)
		grid_fact(&grid, "left out", DIFF_LEFT_OUT, text_string(left_out));
	return grid_end(&grid) && is_fine;
}
