/* From a screen and something that loads to the loop. */
#include "app/interactive.h"

#include "app/loop.h"
#include "app/start.h"
#include "draw/damage_words.h"
#include "draw/palette.h"

static enum outcome
show(const struct interactive *interactive, const struct trace *trace, const struct start *start,
	bool *is_terminated, struct error *err)
{
	struct app app;
	struct app_parts parts = {
		.screen = interactive->screen,
		.palette = options_palette(interactive->options),
		.ascii = interactive->ascii,
		.views = interactive->views,
		.view_count = interactive->view_count,
		.trace = trace,
		.file_name = interactive->file_name,
		.viewport = start->viewport,
		.cursor_ns = start->cursor_ns,
		.is_wall = interactive->options->time == TIME_WALL,
		.focus = start->focus,
	};
	if (!app_init(&app, &parts, err))
		return OUTCOME_UNUSABLE;
	bool is_fine = loop_run(&app, err);
	*is_terminated = app.is_terminated;
	app_release(&app);
	return is_fine ? OUTCOME_FINE : OUTCOME_UNUSABLE;
}

enum outcome
interactive_run(const struct interactive *interactive, bool *is_terminated, struct text *damage,
	struct error *err)
{
	struct loading loading = {
		.screen = interactive->screen,
		.palette = options_palette(interactive->options),
		.ascii = interactive->ascii,
		.name = interactive->file_name,
		.load = interactive->load,
		.context = interactive->load_context,
		.progress = interactive->progress,
	};
	struct trace *trace = loading_run(&loading, is_terminated, err);
	if (trace == NULL)
		return OUTCOME_UNUSABLE;
	struct start start;
	enum outcome outcome = start_find(&start, interactive->options, trace, err);
	if (outcome == OUTCOME_FINE)
		outcome = show(interactive, trace, &start, is_terminated, err);
	if (trace->damage.count > 0) {
		outcome = outcome_combine(outcome, OUTCOME_DAMAGED);
		damage_describe(damage, &trace->damage, interactive->ascii);
	}
	trace_free(trace);
	return outcome;
}
