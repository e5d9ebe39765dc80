/* Profiles as tables: by function, and by call. */
#include <stdio.h>
#include <string.h>

#include "analysis/calltree.h"
#include "analysis/profile_request.h"
#include "analysis/profile_top.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/units.h"

static int64_t
share_of(int64_t part, int64_t whole)
{
	return figure_of_share(whole > 0 ? (double)part / (double)whole : 0);
}

/* ---- by function */

enum { NAMED, FLAT, FLAT_SHARE, SUM_SHARE, CUM, CUM_SHARE, FUNCTION, OPEN, COLUMNS };

enum { KEY_BYTES = 32 };

/* The function stands in front on the screen; print has it where pprof does. */
static const struct result_column columns[COLUMNS] = {
	[NAMED] = DIMENSION(NULL, NULL, FIGURE_NAME, .on_screen = "function"),
	[FLAT] = MEASURE("flat_ns", "flat", FIGURE_DURATION),
	[FLAT_SHARE] = MEASURE("flat_percent", "flat%", FIGURE_PERCENT),
	[SUM_SHARE] = MEASURE("sum_percent", "sum%", FIGURE_PERCENT, .is_printed_only = true),
	[CUM] = MEASURE("cum_ns", "cum", FIGURE_DURATION),
	[CUM_SHARE] = MEASURE("cum_percent", "cum%", FIGURE_PERCENT),
	[FUNCTION] = DIMENSION("function", "function", FIGURE_NAME, .is_printed_only = true),
	[OPEN] = MEASURE("flat_open_ns", "not ended", FIGURE_DURATION),
};

static bool
add_row(const struct top_row *row, int64_t sum, const struct profile *profile,
	struct result_sink *sink, struct error *err)
{
	const struct measure *measure = &profile->measure;
	int64_t whole = profile_total(profile);
	int64_t cells[COLUMNS] = {
		[FLAT] = measure_cell(measure, row->flat),
		[FLAT_SHARE] = share_of(row->flat, whole),
		[SUM_SHARE] = share_of(sum, whole),
		[CUM] = measure_cell(measure, row->cum),
		[CUM_SHARE] = share_of(row->cum, whole),
		[OPEN] = row->open };
	bool is_fine = result_text(sink, row->name, row->name_length, &cells[FUNCTION], err);
	cells[NAMED] = cells[FUNCTION];
	return is_fine && sink->row(sink, cells, NULL, err);
}

bool
profile_top_tell(const struct profile_top *top, uint32_t row_count, const struct profile *profile,
	struct result_sink *sink, struct error *err)
{
	const struct measure *measure = &profile->measure;
	bool has_open = measure->type == FIGURE_DURATION && profile->kind != PROFILE_SAMPLES;
	struct result_column told[COLUMNS];
	char keys[2][KEY_BYTES];
	const struct result_table table = {
		.name = "top",
		.title = "By function",
		.columns = told,
		.column_count = has_open ? COLUMNS : OPEN,
		.usual_column = FLAT,
		.is_as_made = true,
		.none = "none",
		.none_on_screen = "nothing of the kind",
	};
	int64_t sum = 0;
	memcpy(told, columns, sizeof told);
	told[OPEN].is_printed_only = profile->sum.open_count == 0;
	snprintf(keys[0], sizeof keys[0], "flat_%s", measure_key(measure));
	snprintf(keys[1], sizeof keys[1], "cum_%s", measure_key(measure));
	told[FLAT].key = keys[0];
	told[CUM].key = keys[1];
	told[FLAT].type = told[CUM].type = measure->type;
	told[FLAT].decimals = told[CUM].decimals = (uint8_t)measure->decimals;
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = 0; is_fine && i < row_count; i++) {
		sum = saturating_add_i64(sum, top->rows[i].flat);
		is_fine = add_row(&top->rows[i], sum, profile, sink, err);
	}
	return is_fine && sink->end(sink, err);
}

static void
add_pattern(struct result_sink *sink, const char *key, const char *pattern)
{
	struct text safe = { 0 };
	if (pattern == NULL)
		return;
	text_add_safe(&safe, pattern, strlen(pattern), sink->ascii);
	sink->fact(sink, key, text_string(&safe));
	text_release(&safe);
}

static void
add_facts(struct result_sink *sink, const struct profile_request *request,
	const struct profile *profile, const struct profile_top *top, uint32_t row_count)
{
	struct text both = { 0 };
	int64_t sum = 0;
	if (sink->fact == NULL)
		return;
	for (uint32_t i = 0; i < row_count; i++)
		sum = saturating_add_i64(sum, top->rows[i].flat);
	measure_add(&both, &profile->measure, sum, sink->ascii);
	text_add_string(&both, " of ");
	measure_add(&both, &profile->measure, profile_total(profile), sink->ascii);
	add_pattern(sink, "focus", request->focus);
	add_pattern(sink, "ignore", request->ignore);
	add_pattern(sink, "label", request->label);
	sink->fact(sink, "shown", text_string(&both));
	text_release(&both);
}

static bool
tell_top(struct analysis_work *work, const struct profile_request *request,
	const struct profile *profile, struct result_sink *sink, struct error *err)
{
	struct profile_top top;
	if (!profile_top_build(&top, profile, work->sort, err))
		return false;
	bool is_cut = work->limit > 0 && work->limit < top.row_count;
	uint32_t count = is_cut ? (uint32_t)work->limit : top.row_count;
	add_facts(sink, request, profile, &top, count);
	bool is_fine = profile_top_tell(&top, count, profile, sink, err);
	profile_top_release(&top);
	return is_fine;
}

/* ---- by call */

/* Each node is a row that says how deep it lies; a parent stands before its children. */
static bool
tell_nodes(const struct call_tree *tree, const struct profile *profile, struct result_sink *sink,
	struct error *err)
{
	const struct measure *measure = &profile->measure;
	uint8_t decimals = (uint8_t)measure->decimals;
	char self_key[KEY_BYTES];
	const struct result_column told[] = {
		DIMENSION("depth", NULL, FIGURE_COUNT),
		MEASURE(measure_key(measure), NULL, measure->type, .decimals = decimals),
		MEASURE(self_key, NULL, measure->type, .decimals = decimals),
		MEASURE("percent", NULL, FIGURE_PERCENT),
		DIMENSION("function", NULL, FIGURE_NAME),
	};
	snprintf(self_key, sizeof self_key, "self_%s", measure_key(measure));
	const struct result_table table = {
		.name = "tree",
		.title = "",
		.columns = told,
		.column_count = ARRAY_LENGTH(told),
		.none = "",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = call_tree_next(tree, 0); is_fine && i != CALL_NONE;
		i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		int64_t cells[] = { node->depth, measure_cell(measure, node->value),
			measure_cell(measure, node->self),
			share_of(node->value, profile_total(profile)), 0 };
		is_fine = result_text(sink, node->name, node->name_length, &cells[4], err) &&
			  sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

/* From where time went to the callers, as perf has it. */
static bool
tell_tree(const struct profile_request *request, const struct profile *profile, struct result_sink *sink,
	struct error *err)
{
	struct call_tree tree;
	if (!call_tree_build(&tree, profile, !request->is_inverted, err))
		return false;
	bool is_fine = tell_nodes(&tree, profile, sink, err);
	call_tree_release(&tree);
	return is_fine;
}

/* ---- as analyses */

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct profile_request request = profile_request_of(work);
	struct profile profile;
	if (!profile_request_build(&request, work->trace, &profile, err))
		return false;
	bool is_fine = work->kind == &top_kind ? tell_top(work, &request, &profile, sink, err)
					       : tell_tree(&request, &profile, sink, err);
	profile_release(&profile);
	return is_fine;
}

/* "sync, of the program's goroutines" */
static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter,
	struct text *out)
{
	struct profile_request request = profile_request_limited(parameter, scope);
	bool is_usual = request.kind == PROFILE_SAMPLES && (request.of == NULL || *request.of == '\0');
	const char *of = request.of != NULL ? request.of : profile_name(request.kind);
	text_add_string(out, is_usual ? "samples" : profile_word_is_beneath(of) ? "samples " : "");
	text_add_string(out, is_usual ? "" : of);
	profile_request_add_whose(&request, words, out);
}

/* Neither has a title: view/analyses.c has the page. */
#define PROFILE_KIND                                                                               \
	.heading = "Profile of ", .limits = PROFILE_LIMITS, .read = profile_request_new,          \
	.forget = profile_request_free, .title_of = title_of, .fill = fill

const struct analysis_kind top_kind = { .name = "top",
	.help = "a profile by function: what it took itself, and with what it called",
	PROFILE_KIND };
const struct analysis_kind tree_kind = { .name = "tree",
	.help = "a profile by call: where stacks end, and what led there",
	PROFILE_KIND };
