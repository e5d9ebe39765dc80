/* Words with commas between them. */
#include "analysis/profile_request.h"

#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/profile_filter.h"
#include "base/memory.h"
#include "trace/words.h"

static const char as_go[] = "as-go", exact[] = "exact", beneath_word[] = "beneath";
enum { FOCUS, IGNORE, LABEL, OF };
static const char *const words_before[] = { [FOCUS] = "focus=", [IGNORE] = "ignore=", [LABEL] = "label=" };

/* Takes the next word, with single commas for double ones; returns what is behind it, NULL for nothing. */
static const char *
take_word(struct text *word, const char *at)
{
	text_clear(word);
	for (; *at != '\0' && (*at != ',' || at[1] == ','); at++) {
		at += *at == ',';
		text_add(word, at, 1);
	}
	return *at == ',' ? at + 1 : NULL;
}

/* What is no kind of profile is a type of samples. */
static enum profile_kind
kind_of(const char *word)
{
	int i = 0;
	while (i < PROFILE_SAMPLES && strcmp(profile_name((enum profile_kind)i), word) != 0)
		i++;
	return (enum profile_kind)i;
}

/* A pattern behind such a word; one that is not empty, and there is only one. */
static bool
read_pattern(struct text *pattern, const struct text *word, const char *before)
{
	size_t length = strlen(before);
	if (!text_has_prefix(word->bytes, word->length, before) || word->length == length ||
		pattern->length > 0)
		return false;
	text_add(pattern, word->bytes + length, word->length - length);
	return !pattern->failed;
}

static bool
read_word(struct profile_request *request, const struct text *word)
{
	if (word->failed || word->length == 0)
		return false;
	if (strcmp(word->bytes, as_go) == 0 && request->scope.rule == PROFILE_STATES) {
		request->scope.rule = PROFILE_STACKED;
		return true;
	}
	if (strcmp(word->bytes, exact) == 0 && request->scope.rule == PROFILE_STACKED) {
		request->scope.rule = PROFILE_EXACT;
		return request->kind < PROFILE_CPU;
	}
	return read_pattern(&request->read[FOCUS], word, words_before[FOCUS]) ||
	       read_pattern(&request->read[IGNORE], word, words_before[IGNORE]) ||
	       read_pattern(&request->read[LABEL], word, words_before[LABEL]);
}

static const char *
text_or_null(const struct text *text)
{
	return text->length > 0 ? text->bytes : NULL;
}

bool
profile_request_read(struct profile_request *request, const char *parameter,
	const struct analysis_scope *scope)
{
	struct text word = { 0 };
	for (int i = 0; i <= OF; i++)
		text_clear(&request->read[i]);
	*request = (struct profile_request){
		.scope = { .actor = scope->actor, .task = scope->task, .function = scope->function,
			.region = scope->region, .with_runtime = scope->with_runtime },
		.read = { request->read[FOCUS], request->read[IGNORE], request->read[LABEL],
			request->read[OF] },
	};
	struct text *of = &request->read[OF];
	const char *rest = take_word(of, parameter);
	bool is_fine = !of->failed;
	request->kind = kind_of(is_fine ? text_string(of) : "");
	while (is_fine && rest != NULL) {
		rest = take_word(&word, rest);
		is_fine = read_word(request, &word);
	}
	text_release(&word);
	request->focus = text_or_null(&request->read[FOCUS]);
	request->ignore = text_or_null(&request->read[IGNORE]);
	request->label = text_or_null(&request->read[LABEL]);
	request->of = is_fine ? text_string(of) : "";
	return is_fine;
}

struct profile_request
profile_request_limited(const void *parameter, const struct analysis_scope *scope)
{
	struct profile_request request = *(const struct profile_request *)parameter;
	request.scope.actor = scope->actor;
	request.scope.task = scope->task;
	request.scope.function = scope->function;
	request.scope.region = scope->region;
	request.scope.with_runtime = scope->with_runtime;
	return request;
}

struct profile_request
profile_request_of(struct analysis_work *work)
{
	struct profile_scope whole = profile_whole(work->trace);
	struct profile_request request = profile_request_limited(work->parameter, &work->scope);
	request.scope.t0_ns = work->scope.is_all ? whole.t0_ns : work->scope.t0_ns;
	request.scope.t1_ns = work->scope.is_all ? whole.t1_ns : work->scope.t1_ns;
	request.scope.only = work->only;
	request.scope.beneath = work->beneath;
	request.scope.watch = &work->watch;
	return request;
}

void
profile_request_release(struct profile_request *request)
{
	for (int i = 0; i <= OF; i++)
		text_release(&request->read[i]);
}

void *
profile_request_new(const char *text, size_t from, struct error *why)
{
	const struct analysis_scope all = { .actor = REF_NONE, .task = REF_NONE };
	struct profile_request *request = array_new(1, sizeof *request, why);
	if (request == NULL || profile_request_read(request, text + from, &all))
		return request;
	profile_request_free(request);
	return NULL;
}

void
profile_request_free(void *request)
{
	profile_request_release(request);
	memory_free(request);
}

/* What take_word() reads. */
static void
add_word(struct text *out, const char *word)
{
	for (; *word != '\0'; word++)
		text_add_string(out, *word == ',' ? ",," : (const char[]){ *word, '\0' });
}

static void
add_pattern(struct text *out, const char *before, const char *pattern)
{
	if (pattern == NULL || *pattern == '\0')
		return;
	text_format(out, ",%s", before);
	add_word(out, pattern);
}

void
profile_request_add(struct text *out, const struct profile_request *request)
{
	add_word(out, request->of != NULL ? request->of : profile_name(request->kind));
	if (request->scope.rule != PROFILE_STATES)
		text_format(out, ",%s", as_go);
	if (request->scope.rule == PROFILE_EXACT)
		text_format(out, ",%s", exact);
	add_pattern(out, words_before[FOCUS], request->focus);
	add_pattern(out, words_before[IGNORE], request->ignore);
	add_pattern(out, words_before[LABEL], request->label);
}

/* What stands behind the colon, "" without one; NULL where the word is another one. */
static const char *
type_beneath(const char *of)
{
	size_t length = sizeof beneath_word - 1;
	if (of == NULL || strncmp(of, beneath_word, length) != 0 || (of[length] != '\0' && of[length] != ':'))
		return NULL;
	return of + length + (of[length] == ':');
}

bool
profile_word_is_beneath(const char *of)
{
	return type_beneath(of) != NULL;
}

static bool
refuse_type(const struct trace *trace, const char *of, struct error *err)
{
	const struct sample_set *set = trace->samples;
	struct text types = { 0 };
	for (unsigned i = 0; i < set->type_count; i++) {
		size_t length;
		const char *name = trace_text(trace, set->types[i].name, &length);
		text_add_string(&types, i == 0 ? "" : i + 1 < set->type_count ? ", " : " and ");
		text_add_safe(&types, name, length, false);
	}
	error_set(err, ERROR_USAGE, "the samples are of no type %s: there %s %s", of,
		set->type_count == 1 ? "is" : "are", text_string(&types));
	text_release(&types);
	return false;
}

static bool
settle_beneath(struct profile_request *request, struct error *err)
{
	const char *of = type_beneath(request->of);
	const struct beneath *beneath = request->scope.beneath;
	if (beneath == NULL)
		return error_set(err, ERROR_USAGE, "no trace lies beneath this one");
	if (!beneath_has_samples(beneath->below))
		return error_set(err, ERROR_USAGE, "the trace beneath has no samples");
	const struct sample_set *set = beneath->below->samples;
	request->kind = PROFILE_SAMPLES;
	request->scope.type = sample_set_find_type(set, &beneath->below->strings, of, strlen(of));
	return request->scope.type < set->type_count || refuse_type(beneath->below, of, err);
}

bool
profile_request_settle(struct profile_request *request, const struct trace *trace, struct error *err)
{
	const char *of = request->of;
	const struct sample_set *set = trace->samples;
	request->scope.label = request->label;
	if (profile_word_is_beneath(of))
		return settle_beneath(request, err);
	request->scope.beneath = NULL;
	if (set == NULL) {
		if (request->kind == PROFILE_SAMPLES && (of == NULL || *of == '\0'))
			request->kind = PROFILE_SLICES;
		if (request->kind != PROFILE_SAMPLES)
			return request->label == NULL ||
			       error_set(err, ERROR_USAGE, "label=%s: a trace of %s has no samples with "
				       "labels", request->label, trace->words->source);
		return error_set(err, ERROR_USAGE, "a profile of what? of a trace of %s wanted net, sync, "
			"syscall, sched, cpu, offcpu or slices", trace->words->source);
	}
	of = of != NULL ? of : "";
	request->kind = PROFILE_SAMPLES;
	request->scope.type = sample_set_find_type(set, &trace->strings, of, strlen(of));
	/* Where there are states beside the samples it may be a profile of those. */
	enum profile_kind kind = kind_of(of);
	if (request->scope.type == set->type_count && request->label == NULL && kind < PROFILE_KIND_COUNT &&
		(profile_classes(kind) & words_classes(trace->words)) != 0) {
		request->kind = kind;
		return true;
	}
	/* What does not say what it counts may be anything, as in a difference. */
	if (request->scope.type == set->type_count && set->type_count == 1 &&
		set->types[0].unit == STRING_EMPTY)
		request->scope.type = 0;
	return request->scope.type < set->type_count || set->count == 0 || refuse_type(trace, of, err);
}

bool
profile_request_build(const struct profile_request *request, const struct trace *trace,
	struct profile *profile, struct error *err)
{
	struct profile_request settled = *request;
	if (!profile_request_settle(&settled, trace, err))
		return false;
	const struct beneath *beneath = settled.scope.beneath;
	search_watch_expect(request->scope.watch,
		beneath != NULL		 ? 2 * beneath->below->samples->count
		: trace->samples != NULL ? trace->samples->count
					 : trace_state_count(trace));
	bool is_fine = request->made != NULL
			       ? profile_copy(profile, request->made, err)
			       : profile_build(profile, trace, settled.kind, &settled.scope, err);
	if (!is_fine)
		return false;
	if (profile_filter(profile, request->focus, request->ignore, err))
		return true;
	profile_release(profile);
	return false;
}

void
profile_request_add_whose(
	const struct profile_request *request, const struct words *words, struct text *out)
{
	struct profile_scope other = request->scope;
	other.with_runtime = !other.with_runtime;
	bool is_of_all = profile_is_of_all(request->kind, &request->scope);
	if (is_of_all == profile_is_of_all(request->kind, &other))
		return;
	text_add_string(out, ", of ");
	text_add_whose(out, words, is_of_all);
}
