/* A table over all traces, so the grid begins with the first of them. */
#include "report/checks.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "draw/names.h"
#include "report/words.h"
#include "trace/words.h"

enum { UNIT_COLUMN = 1 };

static const struct grid_column columns[] = {
	{ { .title = "file", .is_name = true, .least_cells = 16 }, "file" },
	{ { .title = "" }, "verdict" },
	{ { .title = "condition" }, "condition" },
	{ { .title = "measured", .is_right = true }, "value" },
	{ { .title = "spans", .is_right = true, .rank = 2 }, "count" },
	{ { .title = "longest", .is_right = true, .rank = 1 }, "longest_ns" },
	{ { .title = "at", .is_right = true }, "start_ns" },
	{ { .title = "of" }, "goroutine" },
	/* People see it at the value. */
	{ { .title = "" }, "unit" },
};

static bool
begin(struct checks *checks, const struct trace *trace, struct text *out, struct error *err)
{
	struct grid *grid = &checks->grid;
	if (!grid_begin(grid, trace, checks->options, out, err))
		return false;
	checks->has_begun = true;
	int first = !checks->names_files;
	int count = (int)ARRAY_LENGTH(columns) - first - (grid_is_text(grid) ? UNIT_COLUMN : 0);
	struct text heading = { 0 };
	text_add_string(&heading, "Conditions, of ");
	text_add_whose(&heading, trace->words, checks->options->with_runtime);
	grid_heading(grid, text_string(&heading));
	text_release(&heading);
	if (!checks->names_files)
		grid_usual_facts(grid);
	grid_table(grid, "checks", "What was measured", columns + first, count);
	return true;
}

static void
put_safe(struct grid *grid, const char *text)
{
	grid_text(grid, text, strlen(text));
}

static void
put_value(
	struct grid *grid, const struct condition *condition, const struct verdict *verdict)
{
	if (!verdict->has_value)
		grid_none(grid);
	else if (condition->function == CONDITION_COUNT)
		grid_count(grid, (uint64_t)verdict->value);
	else if (condition->function == CONDITION_SHARE)
		grid_share(grid, verdict->share);
	else
		grid_duration(grid, verdict->value);
}

static bool
put_worst(struct grid *grid, const struct latency *latency, struct error *err)
{
	struct latency_span span;
	size_t count, *longest = latency_longest(latency, 1, &count, err);
	if (longest == NULL)
		return false;
	if (count == 0) {
		grid_none(grid);
		grid_none(grid);
		grid_none(grid);
	} else {
		latency_span(latency, longest[0], &span);
		grid_duration(grid, span.duration_ns);
		grid_moment(grid, span.start_ns);
		grid_actor(grid, span.actor);
	}
	memory_free(longest);
	return true;
}

static bool
put_row(struct checks *checks, size_t index, const struct latency *latency, struct error *err)
{
	struct grid *grid = &checks->grid;
	const struct condition *condition = &checks->conditions[index];
	struct verdict verdict = condition_judge(condition, latency);
	bool is_number = condition->function == CONDITION_COUNT;
	bool is_share = condition->function == CONDITION_SHARE;
	bool holds = verdict.holds && latency->skipped == 0;
	checks->judged++;
	checks->failed += !holds;
	checks->unclear += latency->skipped > 0;
	if (checks->names_files)
		put_safe(grid, words_file(checks->options));
	put_safe(grid, holds ? "ok" : "FAILED");
	put_safe(grid, checks->texts[index]);
	put_value(grid, condition, &verdict);
	grid_count(grid, latency->count);
	if (!put_worst(grid, latency, err))
		return false;
	if (!grid_is_text(grid))
		put_safe(grid, is_number ? "spans" : is_share ? "of the interval" : "ns");
	return true;
}

static bool
is_same_kind(const struct latency_kind *a, const struct latency_kind *b)
{
	if (a->type != b->type || (a->name == NULL) != (b->name == NULL))
		return false;
	return a->name == NULL || strcmp(a->name, b->name) == 0;
}

static bool
put_rows(struct checks *checks, const struct trace *trace, struct error *err)
{
	struct latency latency = { 0 };
	struct latency_scope scope = { .actor = REF_NONE, .only = checks->options->only,
		.with_runtime = checks->options->with_runtime };
	bool is_fine = true;
	words_interval(checks->options, trace, &scope.t0_ns, &scope.t1_ns);
	for (size_t i = 0; i < checks->count && is_fine; i++) {
		const struct latency_kind *kind = &checks->conditions[i].kind;
		if (i == 0 || !is_same_kind(kind, &checks->conditions[i - 1].kind)) {
			latency_release(&latency);
			is_fine = latency_build(&latency, trace, kind, &scope, NULL, err);
		}
		is_fine = is_fine && put_row(checks, i, &latency, err);
	}
	latency_release(&latency);
	return is_fine;
}

bool
checks_add(struct checks *checks, const struct trace *trace, struct text *out, struct error *err)
{
	if (!checks->has_begun && !begin(checks, trace, out, err))
		return false;
	checks->grid.trace = trace;
	checks->grid.step_ns = 1; /* so that --at takes the moments */
	return put_rows(checks, trace, err);
}

bool
checks_end(struct checks *checks)
{
	struct grid *grid = &checks->grid;
	if (!checks->has_begun)
		return true;
	grid_table_end(grid, "none");
	if (grid_is_text(grid)) {
		const char *plural = checks->judged == 1 ? "" : "s";
		page_line(&grid->page);
		if (checks->failed > 0)
			page_format(&grid->page, STYLE_TEXT_BRIGHT, "%zu of %zu condition%s failed",
				checks->failed, checks->judged, plural);
		else
			page_format(&grid->page, STYLE_DEFAULT, "%zu condition%s hold%s",
				checks->judged, plural, checks->judged == 1 ? "s" : "");
		if (checks->unclear > 0)
			page_format(&grid->page, STYLE_TEXT_BRIGHT,
				", %zu of them as a pattern takes too long for some texts",
				checks->unclear);
		page_line(&grid->page);
	}
	return grid_end(grid);
}
