/* Adds up samples: those at the times and with the labels that are meant, less the frames to be dropped. */
#include <inttypes.h>
#include <string.h>

#include "analysis/profile_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "query/bits.h"
#include "query/pattern.h"
#include "query/watch.h"
#include "trace/sample_set.h"
#include "trace/words.h"

/* What a text has, each asked once: by a name's id. */
struct asked {
	struct pattern *pattern; /* NULL: nothing is looked for */
	struct bits known, found;
};

static bool
asked_init(struct asked *asked, const char *text, uint32_t count, struct error *err)
{
	struct error note;
	error_clear(&note);
	asked->pattern = pattern_new(text, &note);
	if (asked->pattern == NULL) {
		*err = note;
		return false;
	}
	return bits_init(&asked->known, count, err) && bits_init(&asked->found, count, err);
}

static void
asked_release(struct asked *asked)
{
	pattern_free(asked->pattern);
	bits_release(&asked->known);
	bits_release(&asked->found);
}

/* ---- labels */

void
profile_label_add(struct text *out, const struct trace *trace, const struct sample_label *label)
{
	size_t length;
	const char *bytes = trace_text(trace, label->key, &length);
	text_add(out, bytes, length);
	text_add_string(out, ":");
	bytes = trace_text(trace, label->text, &length);
	text_add(out, bytes, length);
	if (label->text != STRING_EMPTY)
		return;
	bytes = trace_text(trace, label->unit, &length);
	text_format(out, "%" PRId64, label->number);
	text_add(out, bytes, length);
}

struct profile_choice {
	const struct trace *trace;
	const struct profile_scope *scope;
	struct bits meant;  /* of a trace beneath */
	struct asked asked; /* by the id of a list of labels */
	struct text word;
};

struct profile_choice *
profile_choice_new(const struct trace *trace, const struct profile_scope *scope, struct error *err)
{
	struct profile_choice *choice = array_new(1, sizeof *choice, err);
	if (choice == NULL)
		return NULL;
	choice->trace = trace;
	choice->scope = scope;
	bool has_pattern = scope->label != NULL && *scope->label != '\0';
	if ((scope->beneath == NULL || profile_choose_beneath(&choice->meant, scope, err)) &&
		(!has_pattern || asked_init(&choice->asked, scope->label,
					 intern_count(&trace->samples->label_bytes), err)))
		return choice;
	profile_choice_free(choice);
	return NULL;
}

void
profile_choice_free(struct profile_choice *choice)
{
	if (choice == NULL)
		return;
	asked_release(&choice->asked);
	bits_release(&choice->meant);
	text_release(&choice->word);
	memory_free(choice);
}

static bool
has_label(struct profile_choice *choice, size_t sample)
{
	const struct sample_set *set = choice->trace->samples;
	struct asked *asked = &choice->asked;
	string_id list = set->label_lists != NULL ? set->label_lists[sample] : STRING_EMPTY;
	if (asked->pattern == NULL)
		return true;
	if (bits_has(&asked->known, list))
		return bits_has(&asked->found, list);
	bits_add(&asked->known, list);
	for (size_t i = 0; i < sample_set_label_count(set, sample); i++) {
		struct sample_label label = sample_set_label(set, sample, i);
		text_clear(&choice->word);
		profile_label_add(&choice->word, choice->trace, &label);
		if (pattern_matches(asked->pattern, text_string(&choice->word),
			    choice->word.failed ? 0 : choice->word.length))
			bits_add(&asked->found, list);
	}
	return bits_has(&asked->found, list);
}

/* What has no time is of the whole trace alone, and of nobody. */
bool
profile_choice_is_within(const struct profile_choice *choice, size_t sample)
{
	const struct trace *trace = choice->trace;
	const struct profile_scope *scope = choice->scope;
	if (scope->beneath != NULL)
		return bits_has(&choice->meant, (uint32_t)sample);
	if (trace->samples->instants == NULL || trace->clock == TRACE_CLOCK_NONE)
		return true;
	uint32_t ref = trace->samples->instants[sample];
	bool is_of_all = profile_is_of_anybody(scope);
	if (ref == REF_NONE)
		return is_of_all && scope->t0_ns <= 0 && scope->t1_ns > trace->end_ns;
	const struct instant *instant = trace_instant(trace, ref);
	if (instant->time_ns < scope->t0_ns || instant->time_ns >= scope->t1_ns)
		return false;
	if (is_of_all)
		return true;
	return scope->task == REF_NONE && scope->region == STRING_EMPTY && instant->actor != REF_NONE &&
	       profile_has_actor(scope, trace, instant->actor) &&
	       (scope->only == NULL ||
		       profile_matches_at(scope, trace, instant->actor, instant->time_ns));
}

bool
profile_choice_has(struct profile_choice *choice, size_t sample)
{
	return profile_choice_is_within(choice, sample) && has_label(choice, sample);
}

/* ---- frames to drop, by the rules of pprof: what is cut goes with all that it called */

struct dropping {
	const struct trace *trace;
	struct asked drop, keep;
	stack_id *path; /* of a stack, from the leaf outwards */
	size_t path_capacity;
};

/* Expressions are of whole names, and case matters. */
static bool
ask_whole(struct asked *asked, const struct trace *trace, string_id expression, struct error *err)
{
	struct text text = { 0 };
	size_t length;
	const char *bytes = trace_text(trace, expression, &length);
	if (length == 0)
		return true;
	text_add_string(&text, "(?-i)^(?:");
	text_add(&text, bytes, length);
	text_add_string(&text, ")$");
	bool is_fine = text.failed ? error_set_memory(err, "the profile")
				   : asked_init(asked, text.bytes,
					     intern_count(&trace->strings), err);
	text_release(&text);
	return is_fine;
}

struct name_part {
	const char *at;
	size_t length;
};

/*
 * Of ".name(arguments)" the part that is the name. Parentheses of "operator()" and "(anonymous
 * namespace)" belong to it.
 */
static struct name_part
simplify(const char *name, size_t length)
{
	static const char *const of_names[] = { "(anonymous namespace)", "()" };
	if (length > 0 && name[0] == '.') {
		name++;
		length--;
	}
	for (size_t i = 0; i < length; i++) {
		if (name[i] != '(')
			continue;
		bool is_operator = i >= 8 && memcmp(name + i - 8, "operator", 8) == 0;
		const char *skipped = of_names[is_operator];
		size_t size = strlen(skipped);
		if (length - i < size || memcmp(name + i, skipped, size) != 0)
			return (struct name_part){ name, i };
		i += size - 1;
	}
	return (struct name_part){ name, length };
}

static bool
answers(struct asked *asked, string_id function, const struct name_part *name)
{
	if (asked->pattern == NULL)
		return false;
	if (!bits_has(&asked->known, function)) {
		bits_add(&asked->known, function);
		if (pattern_matches(asked->pattern, name->at, name->length))
			bits_add(&asked->found, function);
	}
	return bits_has(&asked->found, function);
}

/* What no function's name is, "[libc.so]" and "<unknown>", stays. */
static bool
is_cut(struct dropping *dropping, stack_id stack)
{
	string_id function = stack_leaf(&dropping->trace->stacks, stack)->function;
	size_t length;
	const char *bytes = trace_text(dropping->trace, function, &length);
	if (length == 0 || bytes[0] == '[' || bytes[0] == '<')
		return false;
	struct name_part name = simplify(bytes, length);
	return answers(&dropping->drop, function, &name) && !answers(&dropping->keep, function, &name);
}

/*
 * The part of a stack that stays. Places from the outermost on, until one has no frame to be cut, are
 * left alone, so that nothing goes whole; a place is a frame and those inlined into it.
 */
static bool
drop_frames(struct dropping *dropping, stack_id *stack, struct error *err)
{
	const struct stack_table *stacks = &dropping->trace->stacks;
	size_t count = 0;
	for (stack_id at = *stack; at != STACK_NONE; at = stack_caller(stacks, at)) {
		if (!array_reserve(&dropping->path, &dropping->path_capacity, count + 1,
			    sizeof *dropping->path, err))
			return false;
		dropping->path[count++] = at;
	}
	bool has_one_to_keep = false;
	while (count > 0) {
		size_t end = count - 1; /* of the frames inlined here; inner ones stand before */
		while (end > 0 && stack_leaf(stacks, dropping->path[end - 1])->is_inlined != 0)
			end--;
		bool has_cut = false;
		for (size_t i = count; i-- > end && !has_cut;) {
			has_cut = is_cut(dropping, dropping->path[i]);
			if (has_cut && has_one_to_keep) {
				*stack = stack_caller(stacks, dropping->path[i]);
				return true;
			}
		}
		has_one_to_keep = has_one_to_keep || !has_cut;
		count = end;
	}
	return true;
}

/* ---- all of them */

/* Weights of another profile are measured against that one alone. */
static bool
is_base(const struct trace *trace, size_t sample)
{
	for (size_t i = 0; i < sample_set_label_count(trace->samples, sample); i++) {
		struct sample_label label = sample_set_label(trace->samples, sample, i);
		if (trace_text_is(trace, label.key, "pprof::base") &&
			trace_text_is(trace, label.text, "true"))
			return true;
	}
	return false;
}

/* Percents are of 100, even where the input leaves out the small ones. */
static int64_t
whole_percents(const struct sample_set *set, int64_t sum)
{
	int64_t hundred = 100;
	for (int i = 0; i < set->decimals; i++)
		hundred *= 10;
	return sum > hundred ? sum : hundred;
}

static bool
walk_samples(struct profile_walk *walk, struct profile_choice *choice, struct dropping *dropping,
	struct error *err)
{
	const struct trace *trace = walk->trace;
	const struct sample_set *set = trace->samples;
	const struct profile_scope *scope = walk->scope;
	struct profile_entry whole = { 0 };
	bool is_fine = true;
	for (size_t i = 0; i < set->count && is_fine; i++) {
		int64_t weight = sample_set_weight(set, i, scope->type);
		struct profile_entry entry = { .stack = set->stacks[i], .count = 1, .ns = weight };
		if (!search_watch_check_item(scope->watch, i, err)) {
			is_fine = false;
			break;
		}
		if (!sample_set_is_of(set, i, scope->type) || !profile_choice_is_within(choice, i))
			continue;
		if (!set->has_base || is_base(trace, i))
			whole.ns = saturating_add_i64(whole.ns, weight < 0 ? saturating_sub_i64(0, weight) : weight);
		whole.count++;
		/* Shares are of all, as those of what is in focus are. */
		if ((weight == 0 && !set->keeps_zeros && !scope->with_dropped) ||
			!has_label(choice, i))
			continue;
		is_fine = (dropping == NULL || drop_frames(dropping, &entry.stack, err)) &&
			  profile_add(walk, &entry, err);
	}
	if (strcmp(walk->profile->measure.plain_unit, "%") == 0)
		whole.ns = whole_percents(set, whole.ns);
	walk->profile->sum = whole;
	return is_fine;
}

bool
profile_walk_samples(struct profile_walk *walk, struct error *err)
{
	const struct trace *trace = walk->trace;
	const struct sample_set *set = trace->samples;
	struct dropping dropping = { .trace = trace };
	if (set == NULL)
		return error_set(err, ERROR_USAGE, "a trace of %s has no samples with weights",
			trace->words->source);
	if (walk->scope->type >= set->type_count)
		return set->count == 0 || error_set(err, ERROR_USAGE, "there is no such type of samples");
	struct profile_choice *choice = profile_choice_new(trace, walk->scope, err);
	bool is_fine = choice != NULL;
	bool has_drop = set->origin.drop != STRING_EMPTY && !walk->scope->with_dropped;
	if (is_fine && has_drop)
		is_fine = ask_whole(&dropping.drop, trace, set->origin.drop, err) &&
			  ask_whole(&dropping.keep, trace, set->origin.keep, err);
	is_fine = is_fine && walk_samples(walk, choice, has_drop ? &dropping : NULL, err);
	profile_choice_free(choice);
	asked_release(&dropping.drop);
	asked_release(&dropping.keep);
	memory_free(dropping.path);
	return is_fine;
}
