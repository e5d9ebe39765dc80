/*
 * System calls by name, by what they failed with, and by file. They are the slices on tracks named
 * "syscalls", whose detail is the text "(ARGUMENTS) = RESULT".
 */
#include <string.h>

#include "analysis/registry.h"
#include "analysis/slice_times.h"
#include "analysis/spread.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"

/* Calls of one name, or on one file, or that failed with the same. */
struct sum {
	string_id name;    /* of the call; REF_NONE of a file */
	string_id what;    /* the file or the error, an id of struct gathering; STRING_EMPTY of a name */
	uint64_t calls, timed, errors;
	int64_t total_ns;  /* of those of which is known how long they took, as is the longest */
	int64_t longest_ns;
	actor_ref actor;   /* whose the longest is, or the first where no time is known; */
	int64_t start_ns, end_ns; /* ... and when it was */
	size_t spans;      /* where its first span is, as long as they are laid side by side */
};

struct sums {
	struct sum *items;
	size_t count, capacity;
	struct map index_of; /* by name and what */
};

struct span_of {
	uint32_t sum; /* its index */
	int64_t took_ns;
};

struct gathering {
	const struct trace *trace;
	struct sums by_name, by_error, by_file;
	struct span_of *spans; /* of all calls that have a time */
	size_t span_count, span_capacity;
	int64_t *took_ns;      /* the same, those of a name together */
	struct intern texts;   /* of files and errors */
};

/* What is asked for, by what stands behind the colon. */
enum asked { BY_NAME, BY_ERROR, BY_FILE, ASKED_COUNT };

static const char *const parameters[ASKED_COUNT] = { "", "errors", "files" };

/* ---- what the detail says */

struct piece {
	const char *at, *end;
};

static bool
take(struct piece *piece, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(piece->end - piece->at) < length || memcmp(piece->at, text, length) != 0)
		return false;
	piece->at += length;
	return true;
}

/* What stands in quotes next, without them. */
static bool
take_quoted(struct piece *piece, struct piece *text)
{
	if (!take(piece, "\""))
		return false;
	text->at = piece->at;
	for (; piece->at < piece->end && *piece->at != '"'; piece->at++)
		piece->at += *piece->at == '\\' && piece->at + 1 < piece->end;
	text->end = piece->at;
	return take(piece, "\"");
}

/* "3</etc/passwd>", the file of a descriptor. */
static bool
take_descriptor(struct piece *piece, struct piece *file)
{
	const char *digits = piece->at;
	while (piece->at < piece->end && *piece->at >= '0' && *piece->at <= '9')
		piece->at++;
	if (piece->at == digits || !take(piece, "<"))
		return false;
	file->at = piece->at;
	while (piece->at < piece->end && *piece->at != '>')
		piece->at++;
	file->end = piece->at;
	return take(piece, ">");
}

/* Whether a text in front of its arguments is no path. */
static bool
has_no_path(const struct trace *trace, string_id name)
{
	static const char *const names[] = { "getrandom", "memfd_create", "getcwd", "sethostname",
		"setdomainname", "init_module", "delete_module", "add_key", "request_key" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (trace_text_is(trace, name, names[i]))
			return true;
	return false;
}

/* What the call is about: a path or a descriptor in front of its arguments. */
static bool
find_file(const struct trace *trace, string_id name, struct piece detail, struct piece *file)
{
	if (!take(&detail, "("))
		return false;
	if (take(&detail, "AT_FDCWD")) {
		while (detail.at < detail.end && *detail.at != ',')
			detail.at++;
		return take(&detail, ", ") && take_quoted(&detail, file) && file->at < file->end;
	}
	bool is_path = take_quoted(&detail, file) && !has_no_path(trace, name);
	return (is_path || take_descriptor(&detail, file)) && file->at < file->end;
}

/* "ENOENT" of "-1 ENOENT (No such file or directory)", or the number where there is no name. */
static bool
find_error(struct piece detail, struct piece *error)
{
	const char *at = detail.end;
	while (at > detail.at + 4 && memcmp(at - 4, ") = ", 4) != 0)
		at--;
	struct piece rest = { at, detail.end };
	if (at <= detail.at + 4)
		return false;
	(void)take(&rest, "-1 ");
	error->at = rest.at;
	while (rest.at < rest.end && *rest.at != ' ')
		rest.at++;
	error->end = rest.at;
	return error->at < error->end;
}

/* ---- adding up */

static struct sum *
sum_of(struct sums *sums, string_id name, string_id what, struct error *err)
{
	uint64_t key = (uint64_t)name << 32 | what;
	uint32_t index = map_find(&sums->index_of, key);
	if (index != MAP_NONE)
		return &sums->items[index];
	index = (uint32_t)sums->count;
	if (!array_reserve(&sums->items, &sums->capacity, sums->count + 1, sizeof *sums->items, err) ||
		!map_put(&sums->index_of, key, index, err))
		return NULL;
	sums->items[sums->count++] =
		(struct sum){ .name = name, .what = what, .actor = REF_NONE, .longest_ns = -1 };
	return &sums->items[index];
}

static bool
add_to(struct sums *sums, string_id name, string_id what, const struct slice_told *told,
	actor_ref actor, struct error *err)
{
	struct sum *sum = sum_of(sums, name, what, err);
	const struct slice *slice = told->slice;
	if (sum == NULL)
		return false;
	int64_t took_ns = told->is_call ? slice->took_ns : 0;
	sum->timed += told->is_call;
	sum->errors += (slice->flags & SLICE_FAILED) != 0;
	sum->total_ns = saturating_add_i64(sum->total_ns, took_ns);
	if (sum->calls++ > 0 && took_ns <= sum->longest_ns)
		return true;
	sum->longest_ns = took_ns;
	sum->actor = actor;
	sum->start_ns = slice->start_ns;
	sum->end_ns = slice->end_ns;
	return true;
}

static bool
take_slice(void *context, const struct slice_told *told, struct error *err)
{
	struct gathering *gathering = context;
	const struct slice *slice = told->slice;
	const struct track *track = slices_track_at(gathering->trace->slices, told->track);
	actor_ref actor = track->owner == TRACK_OF_ACTOR ? track->ref : REF_NONE;
	size_t length;
	const char *bytes = trace_text(gathering->trace, slice->detail, &length);
	struct piece detail = { bytes, bytes + length }, found;
	string_id what;
	if (!add_to(&gathering->by_name, slice->name, STRING_EMPTY, told, actor, err))
		return false;
	if (told->is_call) {
		if (!array_reserve(&gathering->spans, &gathering->span_capacity,
			    gathering->span_count + 1, sizeof *gathering->spans, err))
			return false;
		gathering->spans[gathering->span_count++] = (struct span_of){
			map_find(&gathering->by_name.index_of, (uint64_t)slice->name << 32), slice->took_ns };
	}
	if ((slice->flags & SLICE_FAILED) != 0 && find_error(detail, &found) &&
		(!intern_add(&gathering->texts, found.at, (size_t)(found.end - found.at), &what, err) ||
			!add_to(&gathering->by_error, slice->name, what, told, actor, err)))
		return false;
	return !find_file(gathering->trace, slice->name, detail, &found) ||
	       (intern_add(&gathering->texts, found.at, (size_t)(found.end - found.at), &what, err) &&
		       add_to(&gathering->by_file, REF_NONE, what, told, actor, err));
}

static bool
gather(struct gathering *gathering, struct analysis_work *work, struct error *err)
{
	const struct slices *slices = work->trace->slices;
	struct slice_walk walk = { .slices = slices,
		.scope = slice_times_scope_of(slices, work->scope.actor),
		.is_cancelled = &work->watch.is_cancelled,
		.take = take_slice,
		.context = gathering };
	track_ref first = walk.scope.first_track, end = first + walk.scope.track_count;
	walk.scope.only = work->only;
	walk.scope.track_count = 1;
	if (!work->scope.is_all) {
		walk.scope.t0_ns = work->scope.t0_ns;
		walk.scope.t1_ns = work->scope.t1_ns;
	}
	for (track_ref track = first; track < end; track++) {
		walk.scope.first_track = track;
		if (trace_text_is(work->trace, slices_track_at(slices, track)->name, "syscalls") &&
			!slice_walk(&walk, err))
			return false;
	}
	return true;
}

/* The spans of each name side by side. */
static bool
lay_spans(struct gathering *gathering, struct error *err)
{
	struct sums *sums = &gathering->by_name;
	size_t place = 0;
	gathering->took_ns = array_new_unset(gathering->span_count, sizeof *gathering->took_ns, err);
	if (gathering->took_ns == NULL)
		return false;
	for (size_t i = 0; i < sums->count; i++) {
		sums->items[i].spans = place;
		place += sums->items[i].timed;
	}
	for (size_t i = 0; i < gathering->span_count; i++)
		gathering->took_ns[sums->items[gathering->spans[i].sum].spans++] =
			gathering->spans[i].took_ns;
	for (size_t i = 0; i < sums->count; i++)
		sums->items[i].spans -= sums->items[i].timed;
	return true;
}

/* The greatest total first; then, as where no time is known, what was called most often. */
static int
compare_sums(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->what < b->what ? -1 : a->what > b->what;
}

static int
compare_counts(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return compare_sums(left, right);
}

/* ---- as tables */

static const struct result_column name_columns[] = {
	DIMENSION("syscall", "call", FIGURE_STRING, .least_cells = 10),
	MEASURE("calls", "calls", FIGURE_COUNT),
	MEASURE("errors", "errors", FIGURE_COUNT),
	MEASURE("total_ns", "total", FIGURE_DURATION, .hue = HUE_SYSCALL),
	MEASURE("share", "share", FIGURE_SHARE, .rank = 3),
	MEASURE("mean_ns", "mean", FIGURE_DURATION, .rank = 1),
	MEASURE("p50_ns", "p50", FIGURE_DURATION, .rank = 4),
	MEASURE("p99_ns", "p99", FIGURE_DURATION, .rank = 2),
	MEASURE("max_ns", "longest", FIGURE_DURATION),
	MEASURE("timed", NULL, FIGURE_COUNT), /* calls of which is known how long they took */
};

static const struct result_column error_columns[] = {
	DIMENSION("syscall", "call", FIGURE_STRING, .least_cells = 10),
	DIMENSION("errno", "error", FIGURE_TEXT),
	MEASURE("errors", "errors", FIGURE_COUNT),
	MEASURE("total_ns", "total", FIGURE_DURATION, .rank = 1),
	MEASURE("max_ns", "longest", FIGURE_DURATION, .rank = 2),
};

static const struct result_column file_columns[] = {
	DIMENSION("file", "file", FIGURE_TEXT, .least_cells = 16),
	MEASURE("calls", "calls", FIGURE_COUNT),
	MEASURE("errors", "errors", FIGURE_COUNT, .rank = 2),
	MEASURE("total_ns", "total", FIGURE_DURATION, .hue = HUE_SYSCALL),
	MEASURE("max_ns", "longest", FIGURE_DURATION, .rank = 1),
};

static bool
add_row(struct result_sink *sink, const struct sum *sum, const int64_t *cells, struct error *err)
{
	const struct result_place place = { { LANE_ACTOR, sum->actor }, sum->start_ns, sum->end_ns };
	return sink->row(sink, cells, sum->actor != REF_NONE ? &place : NULL, err);
}

static bool
put_names(struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "syscalls",
		.title = "By name",
		.columns = name_columns,
		.column_count = ARRAY_LENGTH(name_columns),
		.usual_column = 3,
		.none = "The trace names no system calls.",
		.none_on_screen = "there is none",
	};
	double all_ns = 0;
	for (size_t i = 0; i < gathering->by_name.count; i++)
		all_ns += (double)gathering->by_name.items[i].total_ns;
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < gathering->by_name.count; i++) {
		const struct sum *sum = &gathering->by_name.items[i];
		struct spread spread =
			spread_of(&gathering->took_ns[sum->spans], (size_t)sum->timed, 0);
		double share = all_ns > 0 ? (double)sum->total_ns / all_ns : 0;
		const int64_t cells[] = { sum->name, (int64_t)sum->calls, (int64_t)sum->errors,
			sum->total_ns, figure_of_share(share),
			sum->timed > 0 ? spread.mean_ns : FIGURE_NONE,
			sum->timed > 0 ? spread.p50_ns : FIGURE_NONE,
			sum->timed > 0 ? spread.p99_ns : FIGURE_NONE, sum->longest_ns,
			(int64_t)sum->timed };
		is_fine = add_row(sink, sum, cells, err);
	}
	return is_fine && sink->end(sink, err);
}

static bool
add_text(const struct gathering *gathering, struct result_sink *sink, string_id what, int64_t *cell,
	struct error *err)
{
	size_t length;
	const char *bytes = intern_text(&gathering->texts, what, &length);
	return result_text(sink, bytes, length, cell, err);
}

static bool
put_errors(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "errors",
		.title = "What failed",
		.columns = error_columns,
		.column_count = ARRAY_LENGTH(error_columns),
		.usual_column = 2,
		.none = "none",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < gathering->by_error.count; i++) {
		const struct sum *sum = &gathering->by_error.items[i];
		int64_t cells[] = { sum->name, 0, (int64_t)sum->calls, sum->total_ns, sum->longest_ns };
		is_fine = add_text(gathering, sink, sum->what, &cells[1], err) &&
			  add_row(sink, sum, cells, err);
	}
	return is_fine && sink->end(sink, err);
}

static bool
put_files(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "files",
		.title = "By file",
		.columns = file_columns,
		.column_count = ARRAY_LENGTH(file_columns),
		.usual_column = 3,
		.none = "none",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < gathering->by_file.count; i++) {
		const struct sum *sum = &gathering->by_file.items[i];
		int64_t cells[] = { 0, (int64_t)sum->calls, (int64_t)sum->errors, sum->total_ns,
			sum->longest_ns };
		is_fine = add_text(gathering, sink, sum->what, &cells[0], err) &&
			  add_row(sink, sum, cells, err);
	}
	return is_fine && sink->end(sink, err);
}

static bool
sort_sums(struct sums *sums, int (*compare)(const void *, const void *), struct analysis_work *work,
	struct error *err)
{
	const struct sort sort = { sums->items, sums->count, sizeof *sums->items, compare };
	return sort_items(&sort, &work->watch.is_cancelled, err);
}

static void
release_sums(struct sums *sums)
{
	memory_free(sums->items);
	map_release(&sums->index_of);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct gathering gathering = { .trace = work->trace };
	const enum asked *asked = work->parameter;
	/* People read all tables. */
	bool is_all = *asked == BY_NAME && sink->wants_parts;
	bool is_fine = intern_init(&gathering.texts, err) &&
		       (work->trace->slices == NULL || gather(&gathering, work, err)) &&
		       lay_spans(&gathering, err) &&
		       sort_sums(&gathering.by_name, compare_sums, work, err) &&
		       sort_sums(&gathering.by_error, compare_counts, work, err) &&
		       sort_sums(&gathering.by_file, compare_sums, work, err) &&
		       (*asked != BY_NAME || put_names(&gathering, sink, err)) &&
		       ((*asked != BY_ERROR && !is_all) || put_errors(&gathering, sink, err)) &&
		       ((*asked != BY_FILE && !is_all) || put_files(&gathering, sink, err));
	release_sums(&gathering.by_name);
	release_sums(&gathering.by_error);
	release_sums(&gathering.by_file);
	memory_free(gathering.spans);
	memory_free(gathering.took_ns);
	intern_release(&gathering.texts);
	return is_fine;
}

static void *
read_parameter(const char *text, size_t from, struct error *why)
{
	enum asked asked = BY_NAME;
	while (asked < ASKED_COUNT && strcmp(text + from, parameters[asked]) != 0)
		asked++;
	if (asked == ASKED_COUNT)
		return NULL;
	enum asked *parameter = array_new(1, sizeof *parameter, why);
	if (parameter != NULL)
		*parameter = asked;
	return parameter;
}

static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter,
	struct text *out)
{
	static const char *const titles[] = {
		[BY_NAME] = "by name", [BY_ERROR] = "by what they failed with", [BY_FILE] = "by file"
	};
	(void)scope;
	(void)words;
	text_add_string(out, titles[*(const enum asked *)parameter]);
}

static const char *const listed[] = { "syscalls", "syscalls:errors", "syscalls:files", NULL };

const struct analysis_kind syscalls_kind = {
	.name = "syscalls",
	.help = "system calls: how long, what failed, by file",
	.heading = "System calls ",
	.title = "System calls ",
	.needs = NEEDS_CALLS,
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_QUERY,
	.parameters = "nothing, errors or files",
	.listed = listed,
	.read = read_parameter,
	.forget = memory_free,
	.title_of = title_of,
	.fill = fill,
};
