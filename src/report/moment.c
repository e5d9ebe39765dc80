/* All actors at one moment: in the form that tools for Go's dumps read, or a row for each frame. */
#include "report/moment.h"

#include "analysis/moment.h"
#include "base/compiler.h"
#include "base/units.h"
#include "draw/moment_words.h"
#include "report/grid.h"
#include "report/markdown.h"
#include "report/words.h"
#include "trace/words.h"

struct report {
	const struct report_options *options;
	const struct trace *trace;
	const struct moment *moment;
	struct text *out;
};

static void
add_frame(struct report *report, const struct stack_frame *frame)
{
	moment_add_call(report->out, report->trace, frame, report->options->ascii);
	text_add_string(report->out, "\n\t");
	moment_add_place(report->out, report->trace, frame, report->options->ascii);
	text_add_string(report->out, "\n");
}

static void
add_creation(struct report *report, actor_ref actor)
{
	const struct stack_frame *frame;
	if (!moment_add_creation(
		    report->out, report->trace, actor, report->options->ascii, &frame))
		return;
	text_add_string(report->out, "\n\t");
	moment_add_place(report->out, report->trace, frame, report->options->ascii);
	text_add_string(report->out, "\n");
}

static void
add_group(struct report *report, const struct moment_group *group)
{
	const struct stack_table *stacks = &report->trace->stacks;
	const struct moment_actor *first = &report->moment->actors[group->first];
	text_add_string(report->out, "\n");
	moment_add_alike(report->out, report->trace, report->moment, group);
	if (group->count > 1)
		text_add_string(report->out, "\n");
	moment_add_header(
		report->out, report->trace, report->moment, first, report->options->ascii);
	text_add_string(report->out, "\n");
	for (stack_id at = first->stack; at != STACK_NONE; at = stack_caller(stacks, at))
		add_frame(report, stack_leaf(stacks, at));
	add_creation(report, first->actor);
}

static void
add_heading(struct report *report, bool is_markdown)
{
	char count[UNITS_TEXT];
	struct text line = { 0 };
	units_count(count, report->moment->actor_count);
	text_format_words(&line, report->trace->words, "%s {actors} at ", count);
	words_moment(&line, report->options, report->trace, report->moment->t_ns, 1);
	text_format(&line, " of %s", words_file(report->options));
	if (is_markdown) {
		text_add_string(report->out, "## ");
		markdown_add(report->out, line.bytes, line.length);
		text_add_string(report->out, "\n\n" MARKDOWN_FENCE_BEGIN);
	} else {
		text_format(report->out, "%s\n", text_string(&line));
	}
	report->out->failed = report->out->failed || line.failed;
	text_release(&line);
}

/* ---- for programs */

static const struct grid_column columns[] = {
	{ { .title = NULL }, "{id}" },
	{ { .title = NULL }, "name" },
	{ { .title = NULL }, "state" },
	{ { .title = NULL }, "for_ns" },
	{ { .title = NULL }, "depth" },
	{ { .title = NULL }, "function" },
	{ { .title = NULL }, "place" },
};

/* Of each actor its frames from the leaf on, or one row where its stack is not known. */
static void
put_actor(struct grid *grid, const struct moment *moment, const struct moment_actor *actor)
{
	const struct stack_table *stacks = &grid->trace->stacks;
	size_t length;
	const char *state = moment_state_text(grid->trace, actor->kind, &length);
	stack_id at = actor->stack;
	uint64_t depth = 0;
	do {
		grid_actor_id(grid, actor->actor);
		grid_string(grid, trace_actor(grid->trace, actor->actor)->name);
		grid_text(grid, state, length);
		grid_duration(grid, moment->t_ns - actor->since_ns);
		grid_count(grid, depth++);
		grid_frame(grid, at != STACK_NONE ? stack_leaf(stacks, at) : NULL);
		at = at != STACK_NONE ? stack_caller(stacks, at) : STACK_NONE;
	} while (at != STACK_NONE);
}

static bool
put_rows(const struct moment *moment, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct grid grid;
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	grid_table(&grid, "dump", "", columns, (int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < moment->actor_count && !grid.page.has_failed; i++)
		put_actor(&grid, moment, &moment->actors[i]);
	grid_table_end(&grid, "");
	return grid_end(&grid);
}

/* ---- for people */

static bool
put_text(const struct moment *moment, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .options = options, .trace = trace, .moment = moment, .out = out };
	bool is_fine = true, is_markdown = options->format == REPORT_AS_MARKDOWN;
	add_heading(&report, is_markdown);
	for (size_t i = 0; i < moment->group_count && is_fine; i++) {
		size_t start = out->length;
		add_group(&report, &moment->groups[i]);
		if (is_markdown)
			markdown_keep_fence(out, start);
		is_fine = report_flush(options, out, err);
	}
	text_add_string(out, is_markdown ? MARKDOWN_FENCE_END : "");
	return is_fine && (!out->failed || error_set_memory(err, "the dump"));
}

bool
report_moment(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct moment moment;
	if (!moment_build(&moment, trace, options->cursor_ns, options->only, NULL, err))
		return false;
	bool is_fine = report_is_for_people(options->format)
			       ? put_text(&moment, trace, options, out, err)
			       : put_rows(&moment, trace, options, out, err);
	moment_release(&moment);
	return is_fine;
}
