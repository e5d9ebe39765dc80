/* A trace besides the first one on the screen: when it is loaded, and what came of it. */
#include "app/other.h"

#include <string.h>

#include "app/start.h"
#include "source/source.h"

/* ---- on the thread that loads */

static struct go_wish
wish(void *context, const struct trace *outline)
{
	const struct other *other = context;
	return start_wish(other->options, outline);
}

/* It is shown once all of it is there. */
static struct trace *
load(void *context, const struct go_wish *wished, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	struct other *other = context;
	bool is_compared = other->shown.file == other->options->diff;
	struct go_bound bound = {
		.memory_bytes = other_memory_bytes(other->options), .wish = wish, .context = other
	};
	struct source_wish wanted = {
		.progress = progress,
		.is_lenient = !other->options->strict,
		.bound = bound.memory_bytes > 0 ? &bound : NULL,
		.section = other->options->section,
		.sample_type = is_compared && other->options->diff_type != NULL ? other->options->diff_type
										 : other->options->sample_type,
	};
	(void)wished;
	(void)watch;
	struct trace *trace = keeper_open_whole(&other->keeper);
	if (trace != NULL)
		return trace;
	if (other->is_read && !input_rewind(&other->input, err))
		return NULL;
	other->is_read = true;
	trace = source_load(&other->input, other->options->source, &wanted, err);
	if (trace == NULL && err->kind != ERROR_CANCELLED)
		error_prefix(err, "%s", text_string(&other->path));
	return trace;
}

static void
tell(void *context, bool is_alert, const char *line)
{
	loader_tell(context, is_alert, line);
}

static void
keep(void *context, const struct trace *trace, struct loader *loader)
{
	struct other *other = context;
	keeper_keep(&other->keeper, trace, &other->progress.is_cancelled, other->ascii, tell,
		loader);
}

/* ---- beginning and ending */

static void
start(struct other *other)
{
	error_clear(&other->shown.failure);
	other->shown.percent = 0;
	other->is_started = loader_start(&other->loader, &other->shown.failure);
}

/* While an earlier try still ends, other_look() begins the next one. */
static void
want(void *context, bool is_wanted)
{
	struct other *other = context;
	if (other->shown.trace != NULL)
		return;
	other->is_wanted = is_wanted;
	if (!is_wanted) {
		progress_cancel(&other->progress);
		error_set(&other->shown.failure, ERROR_CANCELLED, "cancelled");
	} else if (!other->is_started) {
		start(other);
	} else if (atomic_load(&other->progress.is_cancelled)) {
		error_clear(&other->shown.failure);
	}
}

static void
add_name(struct other *other, const char *file)
{
	bool ascii = other->ascii;
	if (strcmp(file, "-") == 0)
		file = "standard input";
	const char *name = text_base_name(file);
	text_add_safe(&other->path, file, strlen(file), ascii);
	text_add_safe(&other->name, name, strlen(name), ascii);
}

bool
other_open(struct other *other, const char *file, const struct options *options,
	const struct environment *environment, struct error *err)
{
	*other = (struct other){
		.options = options, .ascii = environment_is_ascii(environment, options)
	};
	add_name(other, file);
	if (other->path.failed || other->name.failed)
		return error_set_memory(err, "the name of the trace");
	other->shown = (struct other_trace){
		.name = text_string(&other->name),
		.file = file,
		.load = want,
		.context = other,
	};
	bool is_open = input_open_file(&other->input, file, err);
	other->input.progress = &other->progress;
	if (is_open)
		keeper_init(&other->keeper, options, environment, &other->input);
	return is_open;
}

void
other_begin(struct other *other, struct screen *screen)
{
	other->loader = (struct loader){
		.screen = screen,
		.load = load,
		.keep = keep,
		.context = other,
		.progress = &other->progress,
	};
	want(other, true);
}

void
other_look(struct other *other)
{
	struct trace *before;
	if (!other->is_started || other->shown.trace != NULL)
		return;
	other->shown.percent = progress_percent(&other->progress);
	if (!loader_is_finished(&other->loader) && !loader_next(&other->loader, &before))
		return;
	if (!loader_has_failed(&other->loader)) {
		error_clear(&other->shown.failure);
		other->shown.trace = other->loader.shown;
		return;
	}
	struct error err = other->loader.err;
	loader_end(&other->loader);
	other->is_started = false;
	if (err.kind != ERROR_CANCELLED)
		other->shown.failure = err;
	else if (other->is_wanted)
		start(other);
}

void
other_release(struct other *other)
{
	if (other->options == NULL)
		return;
	if (other->is_started)
		loader_end(&other->loader);
	keeper_release(&other->keeper);
	input_close(&other->input);
	text_release(&other->path);
	text_release(&other->name);
	*other = (struct other){ .options = NULL };
}

uint64_t
other_memory_bytes(const struct options *options)
{
	return options->memory_bytes / (1u + (options->diff != NULL) + options->more_count);
}
