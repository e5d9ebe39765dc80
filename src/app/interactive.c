/* From a screen and something that loads to the loop. */
#include "app/interactive.h"

#include "app/loading.h"
#include "app/loop.h"
#include "app/start.h"
#include "draw/damage_words.h"
#include "draw/palette.h"

/* Snapshots make loading take a tenth longer at most. */
enum { SNAPSHOT_REST = 10 };

static enum outcome
show(const struct interactive *interactive, struct loader *loader, const struct start *start,
	bool *is_terminated, struct error *err)
{
	struct app app;
	struct app_parts parts = {
		.screen = interactive->screen,
		.palette = options_palette(interactive->options),
		.ascii = interactive->ascii,
		.views = interactive->views,
		.view_count = interactive->view_count,
		.trace = loader->shown,
		.loader = loader,
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

/* A part of the trace will do once it has what the options ask for. */
static bool
suffices(const void *context, const struct trace *trace)
{
	const struct interactive *interactive = context;
	struct start ignored;
	return start_is_settled(&ignored, interactive->options, trace);
}

/* There is a trace to be shown. */
static enum outcome
run(const struct interactive *interactive, struct loader *loader, bool *is_terminated,
	struct text *damage, struct error *err)
{
	struct start start;
	enum outcome outcome = start_find(&start, interactive->options, loader->shown, err);
	if (outcome == OUTCOME_FINE)
		outcome = show(interactive, loader, &start, is_terminated, err);
	if (loader->shown->damage.count > 0) {
		outcome = outcome_combine(outcome, OUTCOME_DAMAGED);
		damage_describe(damage, &loader->shown->damage, interactive->ascii);
	}
	return outcome;
}

enum outcome
interactive_run(const struct interactive *interactive, bool *is_terminated, struct text *damage,
	struct error *err)
{
	struct loader loader = {
		.screen = interactive->screen,
		.load = interactive->load,
		.context = interactive->load_context,
		.progress = interactive->progress,
		.rest = SNAPSHOT_REST,
	};
	struct loading loading = {
		.screen = interactive->screen,
		.palette = options_palette(interactive->options),
		.ascii = interactive->ascii,
		.name = interactive->file_name,
		.loader = &loader,
		.suffices = suffices,
		.context = interactive,
	};
	if (!loader_start(&loader, err))
		return OUTCOME_UNUSABLE;
	enum outcome outcome = OUTCOME_UNUSABLE;
	if (loading_run(&loading, is_terminated, err))
		outcome = run(interactive, &loader, is_terminated, damage, err);
	loader_end(&loader);
	return outcome;
}
