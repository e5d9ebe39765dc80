/* What is wrong with one trace is told, and the next one tried. */
#include "app/files.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "app/keeper.h"
#include "app/start.h"
#include "draw/damage_words.h"
#include "draw/parts_words.h"
#include "input/input.h"
#include "source/source.h"
#include "view/panes.h"

struct visiting {
	const struct files *files;
	files_visitor *visit;
	void *context;
	bool ascii, is_enough;
	struct source_match match; /* of the trace being visited, as is: */
	struct text name; /* of the trace, safe */
	enum outcome outcome;
};

/* The trace cannot be used; others may. */
static void
give_up(struct visiting *visiting, enum outcome outcome, const struct error *err)
{
	char line[sizeof err->message + 100];
	error_format(err, line, sizeof line);
	visiting->files->tell(visiting->files->context, line);
	visiting->outcome = outcome_combine(visiting->outcome, outcome);
}

static void
tell_damage(struct visiting *visiting, const struct damage_map *damage)
{
	struct text message = { 0 };
	if (damage->count == 0)
		return;
	text_format(&message, "%s is damaged: ", visiting->name.bytes);
	damage_describe(&message, damage, visiting->ascii);
	if (!message.failed)
		visiting->files->tell(visiting->files->context, message.bytes);
	text_release(&message);
	visiting->outcome = outcome_combine(visiting->outcome, OUTCOME_DAMAGED);
}

/* What is not loaded has no say; that is no failure. */
static void
tell_parts(struct visiting *visiting, const struct parts *parts)
{
	struct text message = { 0 };
	uint64_t bytes;
	if (parts_missing(parts, &bytes) == 0 && !parts->has_rest)
		return;
	text_format(&message, "of %s ", visiting->name.bytes);
	parts_add_sum(&message, parts);
	if (!message.failed)
		visiting->files->tell(visiting->files->context, message.bytes);
	text_release(&message);
}

static struct go_wish
wish(void *context, const struct trace *outline)
{
	const struct visiting *visiting = context;
	return start_wish(visiting->files->options, outline);
}

static struct trace *
load(struct visiting *visiting, const char *file, struct error *err)
{
	struct input input;
	const struct options *wanted = visiting->files->options;
	struct go_bound bound = {
		.memory_bytes = wanted->memory_bytes,
		.wish = wish,
		.context = visiting,
	};
	struct source_wish wished = {
		.progress = visiting->files->progress,
		.is_lenient = !wanted->strict,
		.bound = bound.memory_bytes > 0 ? &bound : NULL,
		.section = wanted->section,
		.sample_type = wanted->sample_type,
	};
	struct keeper keeper;
	if (!input_open_file(&input, file, err))
		return NULL;
	keeper_init(&keeper, wanted, visiting->files->environment, &input);
	struct trace *trace = keeper_open_whole(&keeper);
	keeper_release(&keeper);
	if (trace == NULL && source_recognise(&visiting->match, wanted->source, &input, err))
		trace = source_load(&input, wanted->source, &wished, err);
	if (trace == NULL)
		error_prefix(err, "%s", visiting->name.bytes);
	input_close(&input);
	return trace;
}

/* False when there is no use in going on. */
static bool
visit_trace(struct visiting *visiting, const char *file, const struct trace *trace,
	struct error *err)
{
	const struct files *files = visiting->files;
	enum outcome outcome;
	struct error refused;
	struct print print = {
		.trace = trace,
		.points = visiting->match.points,
		.file_name = visiting->name.bytes,
		.file = strcmp(file, "-") == 0 ? NULL : file,
		.title = visiting->name.bytes,
		.options = files->options,
		.environment = files->environment,
	};
	error_clear(&refused);
	if (!print_prepare(&print, &outcome, files->tell, files->context, &refused)) {
		error_prefix(&refused, "%s", visiting->name.bytes);
		give_up(visiting, outcome, &refused);
		return true;
	}
	visiting->outcome = outcome_combine(visiting->outcome, outcome);
	bool is_fine = visiting->visit(visiting->context, &print, &visiting->is_enough, err);
	print_release(&print);
	tell_damage(visiting, &trace->damage);
	tell_parts(visiting, &trace->parts);
	return is_fine;
}

static bool
visit_file(struct visiting *visiting, const char *file, struct error *err)
{
	struct error own;
	error_clear(&own);
	const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
	text_clear(&visiting->name);
	text_add_safe(&visiting->name, name, strlen(name), visiting->ascii);
	if (visiting->name.failed)
		return error_set_memory(err, "the name of the trace");
	struct trace *trace = load(visiting, file, &own);
	if (trace == NULL) {
		give_up(visiting, outcome_of_failure(&own), &own);
		return true;
	}
	bool is_fine = visit_trace(visiting, file, trace, err);
	trace_free(trace);
	return is_fine;
}

bool
files_visit(const struct files *files, files_visitor *visit, void *context, enum outcome *outcome,
	struct error *err)
{
	struct visiting visiting = {
		.files = files,
		.visit = visit,
		.context = context,
		.ascii = environment_is_ascii(files->environment, files->options),
		.outcome = OUTCOME_FINE,
	};
	const char *file;
	bool is_fine = true;
	for (size_t i = 0; is_fine && (file = options_file(files->options, i)) != NULL; i++) {
		if (visiting.is_enough)
			break;
		is_fine = visit_file(&visiting, file, err);
	}
	text_release(&visiting.name);
	*outcome = visiting.outcome;
	return is_fine;
}

/* ---- their order */

static const char **
file_at(struct options *options, size_t index)
{
	return index == 0 ? &options->file : &options->more_files[index - 1];
}

/* What is no regular file may be there to be read only once. */
static bool
may_be_read_again(const char *file)
{
	struct stat status;
	return strcmp(file, "-") != 0 && (stat(file, &status) != 0 || S_ISREG(status.st_mode));
}

/* The row of its source; behind all others where nobody knows it, which will be told when it is read. */
static size_t
rank_of(const char *file)
{
	struct input in;
	struct source_match match;
	struct error ignored;
	size_t rank = 0;
	error_clear(&ignored);
	if (!input_open_file(&in, file, &ignored))
		return SIZE_MAX;
	bool is_known = source_recognise(&match, NULL, &in, &ignored);
	input_close(&in);
	while (is_known && source_row(rank) != match.source)
		rank++;
	return is_known ? 1 + rank : SIZE_MAX;
}

void
files_order(struct options *options)
{
	size_t ranks[PANES_MOST], rank = 0;
	assert(options->more_count < PANES_MOST);
	for (size_t i = 0; i <= options->more_count; i++) {
		const char *file = *file_at(options, i);
		size_t at = i;
		if (file != NULL && may_be_read_again(file))
			rank = rank_of(file); /* else it stays behind the one that is named before it */
		for (; at > 0 && ranks[at - 1] > rank; at--) {
			*file_at(options, at) = *file_at(options, at - 1);
			ranks[at] = ranks[at - 1];
		}
		*file_at(options, at) = file;
		ranks[at] = rank;
	}
}
