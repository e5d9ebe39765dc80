/* From a screen and something that loads to the loop. */
#include "app/interactive.h"

#include <string.h>

#include "app/loading.h"
#include "app/loop.h"
#include "app/resume.h"
#include "app/start.h"
#include "draw/damage_words.h"

/* Snapshots make loading take a tenth longer at most. */
enum { SNAPSHOT_REST = 10 };

static const char *
path_of(const struct options *options)
{
	bool is_stdin = options->file == NULL || strcmp(options->file, "-") == 0;
	return is_stdin ? NULL : options->file;
}

/* The way through a trace, of which several parts may be shown one after the other. */
struct visit {
	const struct interactive *interactive;
	struct loader loader;
	struct row_picks hidden, pinned; /* as the options have it, or as they were in the part before */
	struct resume resume; /* of the part before */
	struct go_wish wish;  /* of this one, unless it is that of the options */
	struct go_wish wish_before;
	bool has_wish_before;
	bool wants_part;      /* the user wants to see another one: where `resume` stands */
	bool goes_back;       /* that could not be had, so the one before comes again */
	bool is_unsound;      /* what was kept of the trace: it is to be loaded */
	const char *notice;   /* at the beginning; NULL for none */
	bool *is_terminated;
	struct prompt_memory memories[PROMPT_KINDS];
};

/* Whose stack lanes to show: as they were in the part before, else as the options say. */
static goroutine_ref
stacks_of(const struct visit *visit, const struct start *start)
{
	const struct resume *resume = &visit->resume;
	if (!resume->is_set)
		return start->stacks;
	return resume->has_stacks ? trace_find_goroutine(visit->loader.shown, resume->stacks)
				  : REF_NONE;
}

/* What was wanted of the trace, where not all of it is loaded. */
static struct go_wish
part_of(const struct visit *visit)
{
	const struct loader *loader = &visit->loader;
	return loader->wish != NULL ? *loader->wish
				    : start_wish(visit->interactive->options, loader->shown);
}

/* Where it begins: as the options say, or where another part was left. */
static struct app_parts
parts_of(struct visit *visit, const struct start *start)
{
	const struct interactive *interactive = visit->interactive;
	const struct options *options = interactive->options;
	const struct resume *resume = &visit->resume;
	return (struct app_parts){
		.screen = interactive->screen,
		.palette = interactive->palette,
		.ascii = interactive->ascii,
		.keys = interactive->keys,
		.notefile = interactive->notefile,
		.memories = visit->memories,
		.notice = visit->notice,
		.views = interactive->views,
		.view_count = interactive->view_count,
		.trace = visit->loader.shown,
		.loader = &visit->loader,
		.other = interactive->other,
		.file_name = interactive->file_name,
		.viewport = resume->is_set ? resume->viewport : start->viewport,
		.cursor_ns = resume->is_set ? resume->cursor_ns : start->cursor_ns,
		.is_wall = resume->is_set ? resume->is_wall
					  : options->time == TIME_WALL,
		.focus = resume->is_set ? REF_NONE : start->focus,
		.has_stacks = stacks_of(visit, start) != REF_NONE,
		.stacks = stacks_of(visit, start),
		.interacts = resume->is_set ? resume_interacts(resume, visit->loader.shown)
					    : start->interacts,
		.tasks = resume->is_set ? TASKS_OFF : start->tasks,
		.task = start->task,
		.query = resume->is_set ? NULL : options->query,
		.plan = resume->is_set ? resume->plan : start->plan,
		.hidden = &visit->hidden,
		.pinned = &visit->pinned,
		.has_lane = !resume->is_set && start->has_lane,
		.lane = start->lane,
		.has_mouse = options->mouse == MOUSE_OPTION_ON,
		.origin = { .is_strict = options->strict,
			.memory = options_given(options, "memory"),
			.notes = options->notes,
			.part = part_of(visit),
			.file = path_of(options) },
		.asked = resume->is_set ? NULL : options,
		.path = resume->is_set ? REF_NONE : start->path,
		.search = resume->is_set ? NULL : options->search,
		.hides = options->hide,
		.editor = interactive->editor,
	};
}

/* Of the parts shown one after the other the last one that was asked counts. */
static void
keep_link(struct text *kept, const struct text *link)
{
	if (kept == NULL || link->length == 0)
		return;
	text_clear(kept);
	text_add(kept, link->bytes, link->length);
}

static enum outcome
show(struct visit *visit, const struct start *start, struct error *err)
{
	struct app app;
	struct app_parts parts = parts_of(visit, start);
	if (!app_init(&app, &parts, err))
		return OUTCOME_UNUSABLE;
	resume_apply(&visit->resume, &app);
	bool is_fine = loop_run(&app, err);
	*visit->is_terminated = app.is_terminated;
	visit->is_unsound = is_fine && app.is_unsound;
	visit->wants_part = is_fine && app.wants_part;
	if (visit->wants_part)
		resume_take(&visit->resume, &app);
	keep_link(visit->interactive->link, &app.link);
	app_release(&app);
	return is_fine ? OUTCOME_FINE : OUTCOME_UNUSABLE;
}

/* A part of the trace will do once it has what the options ask for, or all that fits. */
static bool
suffices(const void *context, const struct trace *trace)
{
	const struct visit *visit = context;
	struct start ignored;
	return !visit->resume.is_set &&
	       start_is_settled(&ignored, visit->interactive->options, trace);
}

static void
release_picks(struct visit *visit)
{
	row_picks_release(&visit->hidden);
	row_picks_release(&visit->pinned);
}

static bool
pick(struct visit *visit, struct error *err)
{
	const struct trace *trace = visit->loader.shown;
	release_picks(visit);
	if (visit->resume.is_set)
		return resume_picks(&visit->resume, trace, &visit->hidden, &visit->pinned, err);
	return start_pick(&visit->hidden, &visit->pinned, visit->interactive->options, trace, err);
}

/* There is a trace to be shown. */
static enum outcome
run(struct visit *visit, struct text *damage, struct error *err)
{
	const struct interactive *interactive = visit->interactive;
	struct loader *loader = &visit->loader;
	struct start start = { .focus = REF_NONE, .stacks = REF_NONE, .path = REF_NONE };
	enum outcome outcome = OUTCOME_FINE;
	if (!visit->resume.is_set)
		outcome = start_find(&start, interactive->options, loader->shown, err);
	if (outcome == OUTCOME_FINE && !pick(visit, err))
		outcome = OUTCOME_UNUSABLE;
	if (outcome == OUTCOME_FINE)
		outcome = show(visit, &start, err);
	if (loader->shown->damage.count > 0 && !visit->is_unsound) {
		outcome = outcome_combine(outcome, OUTCOME_DAMAGED);
		text_clear(damage);
		damage_describe(damage, &loader->shown->damage, interactive->ascii);
	}
	return outcome;
}

/* What is to be loaded next: what is around the cursor. */
static void
wish_for_part(struct visit *visit)
{
	visit->has_wish_before = visit->loader.wish != NULL;
	visit->wish_before = visit->wish;
	visit->wish = (struct go_wish){
		.from_ns = visit->resume.cursor_ns, .to_ns = visit->resume.cursor_ns
	};
	visit->loader.wish = &visit->wish;
	visit->goes_back = false;
}

/* Whether the part before, which did fit, is to come again; then the message is kept for it. */
static bool
goes_back(struct visit *visit, struct error *err)
{
	if (!visit->resume.is_set || visit->goes_back || err->kind != ERROR_LIMIT)
		return false;
	visit->goes_back = true;
	visit->resume.note = *err;
	visit->wish = visit->wish_before;
	visit->loader.wish = visit->has_wish_before ? &visit->wish : NULL;
	error_clear(err);
	return true;
}

/* Loads and shows one part; visit->wants_part tells that there is to be another. */
static enum outcome
visit_part(struct visit *visit, struct text *damage, struct error *err)
{
	const struct interactive *interactive = visit->interactive;
	struct loading loading = {
		.screen = interactive->screen,
		.palette = interactive->palette,
		.ascii = interactive->ascii,
		.name = interactive->file_name,
		.loader = &visit->loader,
		.suffices = suffices,
		.context = visit,
	};
	enum outcome outcome = OUTCOME_UNUSABLE;
	visit->wants_part = visit->is_unsound = false;
	if (!loader_start(&visit->loader, err))
		return OUTCOME_UNUSABLE;
	bool is_loaded = loading_run(&loading, visit->is_terminated, err);
	if (is_loaded)
		outcome = run(visit, damage, err);
	loader_end(&visit->loader);
	if (visit->wants_part)
		wish_for_part(visit);
	else if (!is_loaded)
		visit->wants_part = goes_back(visit, err);
	return outcome;
}

/* The next one is of the trace itself. */
static void
distrust(struct visit *visit)
{
	visit->interactive->distrust(visit->interactive->load_context);
	visit->notice = "the cache is damaged: the trace itself was read";
}

/* ---- lines of the prompts: that they cannot be had or kept is no reason to say so */

static void
remember(struct visit *visit)
{
	struct error ignored;
	error_clear(&ignored);
	if (visit->interactive->typed_path != NULL)
		(void)typed_load(visit->interactive->typed_path, visit->memories, &ignored);
}

static void
keep_memories(struct visit *visit)
{
	struct error ignored;
	error_clear(&ignored);
	if (visit->interactive->typed_path != NULL)
		(void)typed_save(visit->interactive->typed_path, visit->memories, &ignored);
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		prompt_memory_release(&visit->memories[kind]);
}

enum outcome
interactive_run(const struct interactive *interactive, bool *is_terminated, struct text *damage,
	struct error *err)
{
	struct visit visit = {
		.interactive = interactive,
		.loader = {
			.screen = interactive->screen,
			.load = interactive->load,
			.check = interactive->check,
			.keep = interactive->keep,
			.context = interactive->load_context,
			.progress = interactive->progress,
			.rest = SNAPSHOT_REST,
			.makes_marks = true,
		},
		.notice = interactive->notice,
		.is_terminated = is_terminated,
	};
	enum outcome outcome;
	remember(&visit);
	if (interactive->other != NULL)
		other_begin(interactive->other, interactive->screen);
	do {
		outcome = visit_part(&visit, damage, err);
		if (visit.is_unsound)
			distrust(&visit);
	} while (visit.wants_part || visit.is_unsound);
	keep_memories(&visit);
	release_picks(&visit);
	resume_release(&visit.resume);
	return outcome;
}
