/* The inputs that stand in a text. */
#include <string.h>

#include "analysis/registry.h"
#include "base/compiler.h"
#include "trace/document.h"

static const struct result_column columns[] = {
	DIMENSION("section", "section", FIGURE_NUMBER),
	DIMENSION("kind", "kind", FIGURE_TEXT),
	MEASURE("first_line", "from line", FIGURE_NUMBER),
	MEASURE("last_line", "to line", FIGURE_NUMBER),
	MEASURE("points", "points", FIGURE_COUNT, .rank = 1),
};

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct document *document = work->trace->document;
	const struct result_table table = {
		.name = "parts",
		.title = "What --section=N opens",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.is_as_made = true,
		.none = "none",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < document->part_count; i++) {
		const struct document_part *part = &document->parts[i];
		int64_t cells[] = { (int64_t)i + 1, 0, (int64_t)part->first_line, (int64_t)part->last_line,
			part->points };
		is_fine = result_text(sink, part->source, strlen(part->source), &cells[1], err) &&
			  sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind parts_kind = {
	.name = "parts",
	.help = "the inputs that stand in a text",
	.heading = "Parts of a text",
	.title = "Parts of a text",
	.needs = NEEDS_PARTS,
	.fill = fill,
};
