/* A function with who calls it and what it calls, as `pprof -peek` tells it. */
#include <stdlib.h>
#include <string.h>

#include "analysis/profile_request.h"
#include "analysis/profile_top.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "query/pattern.h"

struct peek {
	char *text; /* a pattern for names of functions */
};

struct telling {
	const struct trace *trace;
	const struct profile_top *top;
	const struct profile *profile;
	struct result_sink *sink;
	struct top_edge *edges; /* those of the function, sorted */
};

enum { ABOUT, ROLE, NAMED, WEIGHT, SHARE, FLAT, COLUMNS };

static bool
add_row(const struct telling *telling, const struct top_row *about, const char *role, string_id named,
	int64_t weight, struct error *err)
{
	const struct measure *measure = &telling->profile->measure;
	size_t length;
	const char *name = profile_function_name(telling->trace, named, &length);
	bool is_itself = named == about->function;
	double whole = is_itself ? (double)profile_total(telling->profile) : (double)about->cum;
	double share = whole != 0 ? (double)weight / whole : 0;
	int64_t cells[COLUMNS] = { [WEIGHT] = measure_cell(measure, weight),
		[SHARE] = figure_of_share(share < 0 ? -share : share),
		[FLAT] = is_itself ? measure_cell(measure, about->flat) : FIGURE_NONE };
	return result_text(telling->sink, about->name, about->name_length, &cells[ABOUT], err) &&
	       result_text(telling->sink, role, strlen(role), &cells[ROLE], err) &&
	       result_text(telling->sink, name, length, &cells[NAMED], err) &&
	       telling->sink->row(telling->sink, cells, NULL, err);
}

static int
compare_edges(const void *left, const void *right)
{
	const struct top_edge *a = left, *b = right;
	uint64_t weights[] = { magnitude_i64(a->weight), magnitude_i64(b->weight) };
	if (weights[0] != weights[1])
		return weights[0] > weights[1] ? -1 : 1;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

static bool
tell_edges(const struct telling *telling, const struct top_row *row, bool are_callers, struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < telling->top->edge_count; i++) {
		const struct top_edge *edge = &telling->top->edges[i];
		if ((are_callers ? edge->callee : edge->caller) == row->function)
			telling->edges[count++] = *edge;
	}
	if (count > 0)
		qsort(telling->edges, count, sizeof *telling->edges, compare_edges);
	for (size_t i = 0; i < count; i++) {
		const struct top_edge *edge = &telling->edges[i];
		if (!add_row(telling, row, are_callers ? "caller" : "callee",
			    are_callers ? edge->caller : edge->callee, edge->weight, err))
			return false;
	}
	return true;
}

static bool
tell(struct telling *telling, struct pattern *pattern, struct analysis_work *work, struct error *err)
{
	const struct measure *measure = &telling->profile->measure;
	uint8_t decimals = (uint8_t)measure->decimals;
	char flat_key[40];
	const struct result_column columns[COLUMNS] = {
		[ABOUT] = DIMENSION("function", "function", FIGURE_NAME, .least_cells = 12, .rank = 2),
		[ROLE] = DIMENSION("role", "", FIGURE_TEXT),
		[NAMED] = DIMENSION("name", "caller, itself, callee", FIGURE_NAME, .least_cells = 20),
		[WEIGHT] = MEASURE(measure_key(measure), measure_title(measure), measure->type,
			.decimals = decimals),
		[SHARE] = MEASURE("percent", "%", FIGURE_PERCENT),
		[FLAT] = MEASURE(flat_key, "itself", measure->type, .decimals = decimals),
	};
	const struct result_table table = {
		.name = "peek",
		.title = "Callers and callees",
		.columns = columns,
		.column_count = COLUMNS,
		.usual_column = WEIGHT,
		.is_as_made = true,
		.none = "no function of the samples matches",
	};
	snprintf(flat_key, sizeof flat_key, "flat_%s", measure_key(measure));
	bool is_fine = telling->sink->begin(telling->sink, &table, err);
	for (uint32_t i = 0; is_fine && i < telling->top->row_count; i++) {
		const struct top_row *row = &telling->top->rows[i];
		if (!search_watch_check_item(&work->watch, i, err))
			return false;
		if (!pattern_matches(pattern, row->name, row->name_length))
			continue;
		is_fine = tell_edges(telling, row, true, err) &&
			  add_row(telling, row, "itself", row->function, row->cum, err) &&
			  tell_edges(telling, row, false, err);
	}
	return is_fine && telling->sink->end(telling->sink, err);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct peek *peek = work->parameter;
	struct profile_request request = { .kind = PROFILE_SAMPLES, .scope = profile_whole(work->trace) };
	struct profile profile;
	struct profile_top top = { 0 };
	struct error note;
	error_clear(&note);
	request.scope.watch = &work->watch;
	if (!profile_request_build(&request, work->trace, &profile, err))
		return false;
	struct pattern *pattern = pattern_new(peek->text, &note);
	bool is_fine = pattern != NULL && profile_top_build(&top, &profile, NULL, err);
	if (pattern == NULL)
		*err = note;
	struct telling telling = { work->trace, &top, &profile, sink,
		is_fine ? array_new_unset(top.edge_count, sizeof *telling.edges, err) : NULL };
	is_fine = telling.edges != NULL && tell(&telling, pattern, work, err);
	memory_free(telling.edges);
	profile_top_release(&top);
	pattern_free(pattern);
	profile_release(&profile);
	return is_fine;
}

static void
forget(void *parameter)
{
	struct peek *peek = parameter;
	memory_free(peek->text);
	memory_free(peek);
}

static void *
read_pattern(const char *text, size_t from, struct error *why)
{
	struct peek *peek = array_new(1, sizeof *peek, why);
	if (peek == NULL || text[from] == '\0') {
		memory_free(peek);
		return NULL;
	}
	peek->text = array_copy(text + from, strlen(text + from) + 1, 1, why);
	if (peek->text != NULL)
		return peek;
	memory_free(peek);
	return NULL;
}

static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter,
	struct text *out)
{
	const struct peek *peek = parameter;
	(void)scope;
	(void)words;
	text_add_safe(out, peek->text, strlen(peek->text), false);
}

const struct analysis_kind peek_kind = {
	.name = "peek",
	.help = "callers and callees of functions of a profile",
	.heading = "Callers and callees of ",
	.title = "Callers and callees of ",
	.needs = NEEDS_SAMPLES,
	.parameters = "FUNCTION, a pattern",
	.read = read_pattern,
	.forget = forget,
	.title_of = title_of,
	.fill = fill,
};
