/* A key and a value each, in one of three forms. */
#include "report/input.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/units.h"
#include "report/csv.h"
#include "report/grid.h"
#include "report/words.h"
#include "result/result.h"
#include "trace/words.h"

struct facts {
	const char *kind;
	const struct trace_fact *items;
	size_t count;
	unsigned points;
	const char *clock; /* what times are, and whether all processors have one; NULL: not told */
	bool has_common_clock;
	const char *processor; /* what one is called */
};

static void
add_json(struct text *out, const struct facts *facts, const char *file)
{
	text_add_string(out, "{");
	if (file != NULL) {
		text_add_string(out, "\"file\":\"");
		text_add_json(out, file, strlen(file));
		text_add_string(out, "\",");
	}
	text_format(out, "\"kind\":\"%s\",\"points\":%u", facts->kind, facts->points);
	if (facts->clock != NULL)
		text_format(out, ",\"clock\":\"%s\",\"common_clock\":%s", facts->clock,
			facts->has_common_clock ? "true" : "false");
	for (size_t i = 0; i < facts->count; i++)
		text_format(out, ",\"%s\":%" PRIu64, facts->items[i].key, facts->items[i].value);
	text_add_string(out, "}\n");
}

static void
add_csv(struct text *out, const struct facts *facts, const char *file, bool ascii)
{
	text_format(out, "%skind,points%s", file != NULL ? "file," : "",
		facts->clock != NULL ? ",clock,common_clock" : "");
	for (size_t i = 0; i < facts->count; i++)
		text_format(out, ",%s", facts->items[i].key);
	text_add_string(out, "\n");
	if (file != NULL) {
		csv_add(out, file, strlen(file), ascii);
		text_add_string(out, ",");
	}
	csv_add(out, facts->kind, strlen(facts->kind), ascii);
	text_format(out, ",%u", facts->points);
	if (facts->clock != NULL)
		text_format(out, ",%s,%s", facts->clock, facts->has_common_clock ? "true" : "false");
	for (size_t i = 0; i < facts->count; i++)
		text_format(out, ",%" PRIu64, facts->items[i].value);
	text_add_string(out, "\n");
}

/* "lost_events" is read as "lost events". */
static void
put_fact(struct page *page, struct text *line, const char *key, uint64_t value)
{
	char shown[40], number[UNITS_TEXT];
	text_excerpt(shown, sizeof shown, key, strlen(key));
	for (char *at = strchr(shown, '_'); at != NULL; at = strchr(at, '_'))
		*at = ' ';
	units_count(number, value);
	page_fact(page, shown, line);
	text_add_string(line, number);
	page_fact_end(page, STYLE_DEFAULT, line);
}

static bool
add_page(struct text *out, const struct facts *facts, const struct report_options *options,
	struct error *err)
{
	enum { KEY_CELLS = 16 };
	struct page page;
	struct text line = { 0 };
	if (!page_open(&page, options, out, err))
		return false;
	page_string(&page, STYLE_TEXT_BRIGHT, "Input");
	page_heading_end(&page);
	page.value_x = PAGE_INDENT + KEY_CELLS;
	page_fact(&page, "file", &line);
	text_add_string(&line, words_file(options));
	page_fact_end(&page, STYLE_DEFAULT, &line);
	page_fact(&page, "kind", &line);
	text_add_string(&line, facts->kind);
	page_fact_end(&page, STYLE_TEXT_BRIGHT, &line);
	put_fact(&page, &line, "points", facts->points);
	if (facts->clock != NULL) {
		page_fact(&page, "clock", &line);
		text_format(&line, "%s%s", facts->clock,
			facts->has_common_clock ? "" : ", for each ");
		if (!facts->has_common_clock)
			text_format(&line, "%s apart", facts->processor);
		page_fact_end(&page, STYLE_DEFAULT, &line);
	}
	for (size_t i = 0; i < facts->count; i++)
		put_fact(&page, &line, facts->items[i].key, facts->items[i].value);
	text_release(&line);
	return page_close(&page);
}

/* One row, of which `--check` measures a column. */
static bool
keep_facts(const struct trace *trace, const struct facts *facts, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct grid_column columns[RESULT_MOST_COLUMNS] = { { .key = "kind" }, { .key = "points" } };
	struct grid grid;
	assert(facts->count + 2 <= RESULT_MOST_COLUMNS);
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	for (size_t i = 0; i < facts->count; i++)
		columns[i + 2].key = facts->items[i].key;
	grid_table(&grid, "input", "", columns, (int)facts->count + 2);
	grid_text(&grid, facts->kind, strlen(facts->kind));
	grid_count(&grid, facts->points);
	for (size_t i = 0; i < facts->count; i++)
		grid_count(&grid, facts->items[i].value);
	grid_table_end(&grid, NULL);
	return grid_end(&grid);
}

bool
report_input(const struct trace *trace, unsigned points, const struct report_options *options,
	struct text *out, struct error *err)
{
	const struct trace_fact of_model[] = {
		{ "events", trace->event_count },
		{ "generations", trace->generation_count },
		{ words_title(trace->words, "{actors}"), trace_actor_count(trace) },
		{ words_title(trace->words, "{processors}"), trace_processor_count(trace) },
		{ words_title(trace->words, "{threads}"), trace_thread_count(trace) },
		{ "damaged", trace->damage.count },
	};
	static const char *const clocks[] = {
		[TRACE_CLOCK_STAMPS] = "stamps",
		[TRACE_CLOCK_LAID_OUT] = "laid out",
		[TRACE_CLOCK_TICKS] = "ticks",
		[TRACE_CLOCK_NONE] = "none",
	};
	struct facts facts = {
		.kind = trace->words->source,
		.items = trace->facts.items,
		.count = trace->facts.count,
		.points = points,
		.processor = words_title(trace->words, "{processor}"),
	};
	if (facts.count > 0) {
		facts.clock = clocks[trace->clock];
		facts.has_common_clock = !trace->has_clocks_apart;
	} else {
		facts.items = of_model;
		facts.count = ARRAY_LENGTH(of_model);
	}
	if (options->format == REPORT_AS_KEPT)
		return keep_facts(trace, &facts, options, out, err);
	const char *file = options->names_file ? words_file(options) : NULL;
	if (options->format == REPORT_AS_JSON)
		add_json(out, &facts, file);
	else if (options->format == REPORT_AS_CSV)
		add_csv(out, &facts, file, options->ascii);
	else if (!add_page(out, &facts, options, err))
		return false;
	return !out->failed || error_set_memory(err, "the report");
}
