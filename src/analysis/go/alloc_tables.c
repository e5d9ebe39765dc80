/* Allocations as tables: how many and how large, at the start, made, freed and at the end. */
#include <string.h>

#include "analysis/go/allocs.h"
#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "trace/words.h"

static const struct result_column columns[] = {
	DIMENSION("of", "of", FIGURE_TEXT, .least_cells = 16),
	MEASURE("start_count", "at start", FIGURE_COUNT, .rank = 4),
	MEASURE("start_bytes", "bytes", FIGURE_BYTES, .rank = 5),
	MEASURE("allocated_count", "allocated", FIGURE_COUNT),
	MEASURE("allocated_bytes", "bytes", FIGURE_BYTES),
	MEASURE("freed_count", "freed", FIGURE_COUNT, .rank = 2),
	MEASURE("freed_bytes", "bytes", FIGURE_BYTES, .rank = 3),
	MEASURE("end_count", "at end", FIGURE_COUNT, .rank = 1),
	MEASURE("end_bytes", "bytes", FIGURE_BYTES, .rank = 1),
};

enum { COLUMNS = ARRAY_LENGTH(columns), ALLOCATED_BYTES = 4 };

static bool
add_row(struct result_sink *sink, const char *name, size_t length, const struct alloc_flow *flow,
	struct error *err)
{
	const struct alloc_sum sums[] = { flow->sums[ALLOC_BEFORE], flow->sums[ALLOC_MADE],
		flow->sums[ALLOC_FREED], alloc_alive(flow) };
	int64_t cells[COLUMNS];
	for (size_t i = 0; i < ARRAY_LENGTH(sums); i++) {
		cells[2 * i + 1] = (int64_t)sums[i].count;
		cells[2 * i + 2] = (int64_t)sums[i].bytes;
	}
	return result_text(sink, name, length, &cells[0], err) && sink->row(sink, cells, NULL, err);
}

static bool
tell_kinds(const struct trace *trace, struct result_sink *sink, struct error *err)
{
	const struct result_table table = { .name = "allocations", .title = "By kind",
		.columns = columns, .column_count = COLUMNS, .none = "" };
	struct text name = { 0 };
	bool is_fine = sink->begin(sink, &table, err);
	for (int kind = 0; kind < ALLOC_KIND_COUNT && is_fine; kind++) {
		text_clear(&name);
		text_add_words(&name, trace->words, alloc_kind_words[kind]);
		is_fine = name.failed ? error_set_memory(err, "the analysis")
				      : add_row(sink, name.bytes, name.length,
						&trace->allocs[kind], err);
	}
	text_release(&name);
	return is_fine && sink->end(sink, err);
}

static bool
tell_types(const struct trace *trace, struct result_sink *sink, struct error *err)
{
	const struct result_table table = { .name = "types",
		.title = "Objects by type, or type of their elements",
		.columns = columns, .column_count = COLUMNS, .usual_column = ALLOCATED_BYTES,
		.none = "none" };
	struct alloc_type *types = allocs_by_type(trace, err);
	bool is_fine = types != NULL && sink->begin(sink, &table, err);
	bool is_for_people = sink->is_screen || sink->fact != NULL;
	for (uint32_t i = 0; is_fine && i < trace->alloc_types.count; i++) {
		size_t length;
		const char *name = trace_text(trace, types[i].name, &length);
		if (length == 0 && is_for_people) {
			name = ALLOC_TYPE_UNKNOWN;
			length = strlen(name);
		}
		is_fine = add_row(sink, name, length, &types[i].flow, err);
	}
	memory_free(types);
	return is_fine && sink->end(sink, err);
}

/* There is room for one on the screen. */
static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	return (sink->is_screen || tell_kinds(work->trace, sink, err)) &&
	       tell_types(work->trace, sink, err);
}

const struct analysis_kind allocations_kind = {
	.name = "allocations",
	.help = "objects by type: made, freed, still there at the end",
	.heading = "Allocations of the whole trace",
	.title = "Objects by type, of the whole trace",
	.needs = NEEDS_ALLOCATIONS,
	.is_of_whole = true,
	.fill = fill,
};
