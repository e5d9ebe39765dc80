/* Allocations as people read them in the summary: the types that matter most, the rest added up. */
#include "report/allocs.h"

#include <inttypes.h>

#include "analysis/go/allocs.h"
#include "base/memory.h"
#include "base/units.h"
#include "report/words.h"
#include "trace/words.h"

enum { MOST_TYPES = 15 }; /* named one by one; the rest is added up */

/* What was there in the end says most of a leak, what was there before least; of both the count. */
static const struct table_column columns[] = {
	{ .title = "", .least_cells = 16 },
	{ .title = "at start", .is_right = true, .rank = 4 },
	{ .title = "bytes", .is_right = true, .rank = 5 },
	{ .title = "allocated", .is_right = true },
	{ .title = "bytes", .is_right = true },
	{ .title = "freed", .is_right = true, .rank = 2 },
	{ .title = "bytes", .is_right = true, .rank = 3 },
	{ .title = "at end", .is_right = true, .rank = 1 },
	{ .title = "bytes", .is_right = true, .rank = 1 },
};

static void
add_sum(struct table *table, struct alloc_sum sum)
{
	char out[UNITS_TEXT];
	struct cell_style dim = { .fg = STYLE_TEXT_DIM }, normal = { .fg = STYLE_DEFAULT };
	if (sum.count == 0) {
		table_string(table, dim, "-");
		table_string(table, dim, "-");
		return;
	}
	units_count(out, sum.count);
	table_string(table, normal, out);
	units_bytes(out, sum.bytes);
	table_string(table, normal, out);
}

static void
add_flow(struct table *table, const struct text *name, const struct alloc_flow *flow)
{
	struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };
	table_text(table, bright, name);
	add_sum(table, flow->sums[ALLOC_BEFORE]);
	add_sum(table, flow->sums[ALLOC_MADE]);
	add_sum(table, flow->sums[ALLOC_FREED]);
	add_sum(table, alloc_alive(flow));
}

static void
print_table(struct page *page, struct table *table, const char *title)
{
	page_section(page, title);
	page_table(page, table, true);
}

/* ---- by kind */

/* A count that is only told where there is one. */
static void
print_note(struct page *page, uint64_t count, const char *one, const char *many)
{
	char out[UNITS_TEXT];
	struct text line = { 0 };
	if (count == 0)
		return;
	units_count(out, count);
	text_format(&line, "%s %s", out, count == 1 ? one : many);
	page_wrap(page, STYLE_TEXT_DIM, &line);
	page_line(page);
	text_release(&line);
}

static void
print_notes(struct page *page, const struct trace *trace)
{
	struct alloc_flow all = { 0 };
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++)
		allocs_add(&all, &trace->allocs[kind]);
	print_note(page, all.sums[ALLOC_PACKED].count,
		"more tiny object was put into a slot that already held one",
		"more tiny objects were put into slots that already held one");
	print_note(page, all.unsized, "has a size that the trace does not tell",
		"have sizes that the trace does not tell");
	print_note(page, all.sums[ALLOC_STRAY].count,
		"more was freed that the trace had not mentioned",
		"more were freed that the trace had not mentioned");
}

static void
print_kinds(struct page *page, const struct trace *trace)
{
	struct table table;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		struct text name = { 0 };
		text_add_words(&name, trace->words, alloc_kind_words[kind]);
		add_flow(&table, &name, &trace->allocs[kind]);
		text_release(&name);
	}
	print_table(page, &table,
		page->options->has_interval ? "Allocations of the whole trace" : "Allocations");
	print_notes(page, trace);
	table_release(&table);
}

/* ---- objects by type */

static void
add_type(struct page *page, struct table *table, const struct trace *trace,
	const struct alloc_type *type)
{
	struct text name = { 0 };
	if (type->name == STRING_EMPTY)
		text_add_string(&name, ALLOC_TYPE_UNKNOWN);
	else
		words_string(&name, page->options, trace, type->name);
	add_flow(table, &name, &type->flow);
	text_release(&name);
}

static void
add_rest(struct table *table, const struct alloc_type *types, uint32_t first, uint32_t count)
{
	struct text name = { 0 };
	struct alloc_flow rest = { 0 };
	for (uint32_t i = first; i < count; i++)
		allocs_add(&rest, &types[i].flow);
	text_format(&name, "(%" PRIu32 " more types)", count - first);
	add_flow(table, &name, &rest);
	text_release(&name);
}

static void
print_types(struct page *page, const struct trace *trace, const struct alloc_type *types)
{
	struct table table;
	uint32_t count = trace->alloc_types.count;
	uint32_t named = count > MOST_TYPES ? MOST_TYPES - 1 : count;
	table_init(&table, columns, (int)ARRAY_LENGTH(columns));
	for (uint32_t i = 0; i < named; i++)
		add_type(page, &table, trace, &types[i]);
	if (named < count)
		add_rest(&table, types, named, count);
	print_table(page, &table, "Objects by type, or type of their elements");
	table_release(&table);
}

bool
report_allocs(struct page *page, const struct trace *trace, struct error *err)
{
	if (!allocs_are_known(trace))
		return true;
	print_kinds(page, trace);
	if (trace->alloc_types.count == 0)
		return true;
	struct alloc_type *types = allocs_by_type(trace, err);
	if (types == NULL)
		return false;
	print_types(page, trace, types);
	memory_free(types);
	return true;
}
