/* From a screen and something that loads to the loop. */
#include "app/interactive.h"

#include <string.h>

#include "app/loading.h"
#include "app/loop.h"
#include "app/resume.h"
#include "app/start.h"
#include "draw/damage_words.h"
#include "trace/unloaded.h"

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
	struct trace *unloaded; /* shown until it is there; NULL for none, and nothing is then */
	uint64_t asked_part;  /* the generation that was asked for last; 0 for none */
	bool has_seen_verdict; /* or did not want to */
	bool wants_part;      /* the user wants to see another one: where `resume` stands */
	bool has_arrived;     /* it is there, or could not be had */
	bool has_agreed;      /* to what loading takes: it is to be loaded once more */
	bool goes_back;       /* that could not be had, so the one before comes again */
	bool is_unsound;      /* what was kept of the trace: it is to be loaded */
	const char *notice;   /* at the beginning; NULL for none */
	bool *is_terminated;
	struct prompt_memory memories[PROMPT_KINDS];
};

/* Whose stack lanes to show: as they were in the part before, else as the options say. */
static actor_ref
stacks_of(const struct visit *visit, const struct start *start)
{
	const struct resume *resume = &visit->resume;
	if (!resume->is_set)
		return start->stacks;
	return resume->has_stacks ? trace_find_actor(visit->loader.shown, resume->stacks)
				  : REF_NONE;
}

/* What was wanted of the trace, where not all of it is loaded. */
static struct go_wish
part_of(const struct visit *visit, const struct trace *shown)
{
	const struct loader *loader = &visit->loader;
	return loader->wish != NULL ? *loader->wish
				    : start_wish(visit->interactive->options, shown);
}

/* What is the same whatever is loaded. */
static struct app_parts
usual_parts(struct visit *visit, const struct trace *shown)
{
	const struct interactive *interactive = visit->interactive;
	const struct options *options = interactive->options;
	return (struct app_parts){
		.screen = interactive->screen,
		.palette = interactive->palette,
		.ascii = interactive->ascii,
		.keys = interactive->keys,
		.notefile = interactive->notefile,
		.memories = visit->memories,
		.views = interactive->views,
		.view_count = interactive->view_count,
		.trace = shown,
		.loader = &visit->loader,
		.other = interactive->other,
		.beside = interactive->beside,
		.beside_count = interactive->beside_count,
		.align = options->align,
		.file_name = interactive->file_name,
		.focus = REF_NONE,
		.path = REF_NONE,
		.has_mouse = options->mouse == MOUSE_OPTION_ON,
		.origin = { .is_strict = options->strict,
			.source = options->source,
			.section = options->section,
			.sample_type = options->sample_type,
			.diff_type = options->diff_type,
			.memory = options_given(options, "memory"),
			.notes = options->notes,
			.part = part_of(visit, shown),
			.file = path_of(options) },
		.editor = interactive->editor,
		.has_gone = visit->resume.is_set,
		.asked_part = visit->asked_part,
		.has_seen_verdict = visit->has_seen_verdict,
	};
}

/* Where another part was left. */
static void
go_on(struct app_parts *parts, const struct resume *resume)
{
	parts->viewport = resume->viewport;
	parts->cursor_ns = resume->cursor_ns;
	parts->with_runtime = resume->with_runtime;
	parts->is_wall = resume->is_wall;
}

/* Where it begins: as the options say, or where another part was left. */
static struct app_parts
parts_of(struct visit *visit, const struct start *start)
{
	const struct options *options = visit->interactive->options;
	const struct resume *resume = &visit->resume;
	const struct trace *shown = visit->loader.shown;
	struct app_parts parts = usual_parts(visit, shown);
	parts.notice = visit->notice;
	parts.stacks = stacks_of(visit, start);
	parts.has_stacks = parts.stacks != REF_NONE;
	parts.hidden = &visit->hidden;
	parts.pinned = &visit->pinned;
	parts.hides = options->hide;
	if (resume->is_set) {
		go_on(&parts, resume);
		parts.interacts = resume_interacts(resume, shown);
		parts.plan = resume->plan;
		return parts;
	}
	parts.viewport = start->viewport;
	parts.cursor_ns = start->cursor_ns;
	parts.with_runtime = options->runtime;
	parts.is_wall = options->time == TIME_WALL;
	parts.focus = start->focus;
	parts.interacts = start->interacts;
	parts.tasks = start->tasks;
	parts.task = start->task;
	parts.query = options->query;
	parts.plan = start->plan;
	parts.has_lane = start->has_lane;
	parts.lane = start->lane;
	parts.asked = options;
	parts.path = start->path;
	parts.search = options->search;
	return parts;
}

/* Of the parts shown one after the other the last one that was asked counts. */
static void
keep_link(struct text *kept, const struct text *link)
{
	if (kept != NULL && link->length > 0)
		text_copy(kept, link);
}

/*
 * Nothing of it is shown any more. Where nothing else will be, the user has the terminal back first,
 * and what is loaded ends meanwhile: letting go of a large trace takes a while.
 */
static void
leave(struct visit *visit, struct app *app, bool is_last)
{
	struct screen *screen = visit->interactive->screen;
	if (is_last) {
		screen->leave(screen);
		progress_cancel(visit->loader.progress);
	}
	*visit->is_terminated = app->is_terminated;
	keep_link(visit->interactive->link, &app->link);
	app_release(app);
}

/* Until another part is there, its place is shown: nothing of the trace is loaded. */
static enum outcome
await(struct visit *visit, struct error *err)
{
	struct app app;
	struct app_parts parts = usual_parts(visit, visit->unloaded);
	go_on(&parts, &visit->resume);
	parts.awaits_part = true;
	if (!app_init(&app, &parts, err))
		return OUTCOME_UNUSABLE;
	resume_apply_place(&visit->resume, &app);
	bool is_fine = loop_run(&app, err);
	visit->wants_part = is_fine && app.wants_part;
	visit->has_arrived = is_fine && app.has_arrived;
	visit->asked_part = app.asked_part;
	visit->has_seen_verdict = app.pane[0].verdict.is_over;
	if (is_fine)
		resume_take_place(&visit->resume, &app);
	leave(visit, &app, !visit->wants_part && !visit->has_arrived);
	return is_fine ? OUTCOME_FINE : OUTCOME_UNUSABLE;
}

/* What can be shown of the trace while another part is loaded. Without memory nothing is. */
static void
keep_unloaded(struct visit *visit)
{
	struct error ignored;
	error_clear(&ignored);
	if (visit->unloaded == NULL)
		visit->unloaded = unloaded_trace(visit->loader.shown, &ignored);
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
	visit->is_unsound = is_fine && app.is_unsound;
	visit->wants_part = is_fine && app.wants_part;
	visit->asked_part = app.asked_part;
	visit->has_seen_verdict = app.pane[0].verdict.is_over;
	if (visit->wants_part) {
		resume_take(&visit->resume, &app);
		keep_unloaded(visit);
	}
	const struct interactive *interactive = visit->interactive;
	if (interactive->section != NULL) {
		*interactive->section = is_fine ? app.session->section : 0;
		*interactive->is_closed = app.is_closed;
	}
	bool goes_on = visit->wants_part || visit->is_unsound || app.session->section != 0 ||
		       (app.is_closed && interactive->comes_back);
	leave(visit, &app, !goes_on);
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
	error_clear(&visit->resume.note);
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

static struct loading
loading_of(struct visit *visit)
{
	const struct interactive *interactive = visit->interactive;
	return (struct loading){
		.screen = interactive->screen,
		.palette = interactive->palette,
		.ascii = interactive->ascii,
		.name = interactive->file_name,
		.loader = &visit->loader,
		.suffices = suffices,
		.context = visit,
	};
}

/*
 * What loading takes that nobody has agreed to is asked. Who does not agree is told behind the screen what else
 * would do.
 */
static void
ask(struct visit *visit, struct error *err)
{
	const struct interactive *interactive = visit->interactive;
	struct loading loading = loading_of(visit);
	struct text question = { 0 };
	struct error failure;
	error_clear(&failure);
	text_add_safe(&question, err->message, strlen(err->message), interactive->ascii);
	visit->has_agreed = loading_ask(&loading, text_string(&question), visit->is_terminated, &failure);
	text_release(&question);
	if (visit->has_agreed) {
		error_clear(err);
		interactive->agree(interactive->load_context);
		return;
	}
	if (failure.kind != ERROR_NONE)
		*err = failure;
	interactive->screen->leave(interactive->screen);
}

/* Waits for the part that is being loaded; false where the user leaves before, or it cannot be had. */
static bool
wait_for_part(struct visit *visit, enum outcome *outcome, struct error *err)
{
	struct loading loading = loading_of(visit);
	if (visit->unloaded == NULL)
		return loading_run(&loading, visit->is_terminated, err);
	*outcome = await(visit, err);
	if (!visit->has_arrived || !loader_has_failed(&visit->loader))
		return visit->has_arrived;
	*err = visit->loader.err;
	*outcome = OUTCOME_UNUSABLE;
	return false;
}

/* Loads and shows one part; visit->wants_part tells that there is to be another. */
static enum outcome
visit_part(struct visit *visit, struct text *damage, struct error *err)
{
	enum outcome outcome = OUTCOME_UNUSABLE;
	visit->wants_part = visit->is_unsound = visit->has_arrived = visit->has_agreed = false;
	visit->loader.has_no_snapshots = visit->unloaded != NULL;
	if (!loader_start(&visit->loader, err))
		return OUTCOME_UNUSABLE;
	if (wait_for_part(visit, &outcome, err))
		outcome = run(visit, damage, err);
	else if (err->kind == ERROR_CANCELLED)
		visit->interactive->screen->leave(visit->interactive->screen);
	loader_end(&visit->loader);
	if (err->kind == ERROR_CONSENT && visit->interactive->agree != NULL)
		ask(visit, err);
	if (visit->wants_part)
		wish_for_part(visit);
	else
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
	for (int i = 0; i < interactive->beside_count; i++)
		other_begin(&interactive->beside[i], interactive->screen);
	do {
		outcome = visit_part(&visit, damage, err);
		if (visit.is_unsound)
			distrust(&visit);
	} while (visit.wants_part || visit.is_unsound || visit.has_agreed);
	keep_memories(&visit);
	release_picks(&visit);
	resume_release(&visit.resume);
	trace_free(visit.unloaded);
	return outcome;
}
