/* Chooses actors and times, and sums up by stack; what is summed up, others find. */
#include "analysis/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/profile_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/runtime.h"
#include "trace/sample_set.h"

/* Whether the scope names regions. */
static bool
has_pieces(const struct profile_scope *scope)
{
	return scope->region != STRING_EMPTY || scope->task != REF_NONE;
}

static int64_t
overlap(int64_t a_start_ns, int64_t a_end_ns, int64_t b_start_ns, int64_t b_end_ns)
{
	int64_t start_ns = a_start_ns > b_start_ns ? a_start_ns : b_start_ns;
	int64_t end_ns = a_end_ns < b_end_ns ? a_end_ns : b_end_ns;
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

/* The first piece that ends behind t, or how many there are. */
static size_t
piece_behind(const struct profile_walk *walk, int64_t t_ns)
{
	size_t low = 0, high = walk->piece_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (walk->pieces[middle].end_ns > t_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int64_t
profile_within(const struct profile_walk *walk, int64_t start_ns, int64_t end_ns)
{
	const struct profile_scope *scope = walk->scope;
	int64_t ns = 0;
	if (!has_pieces(scope))
		return overlap(start_ns, end_ns, scope->t0_ns, scope->t1_ns);
	start_ns = start_ns > scope->t0_ns ? start_ns : scope->t0_ns;
	end_ns = end_ns < scope->t1_ns ? end_ns : scope->t1_ns;
	for (size_t i = piece_behind(walk, start_ns);
		i < walk->piece_count && walk->pieces[i].start_ns < end_ns; i++)
		ns += overlap(start_ns, end_ns, walk->pieces[i].start_ns, walk->pieces[i].end_ns);
	return ns;
}

/* Room for stacks up to this one. */
static bool
know_stack(struct profile_walk *walk, stack_id stack, struct error *err)
{
	size_t count = (size_t)stack + 1;
	if (!array_reserve(&walk->slot_of, &walk->slot_capacity, count, sizeof(*walk->slot_of), err))
		return false;
	for (; walk->slot_count < count; walk->slot_count++)
		walk->slot_of[walk->slot_count] = 0;
	return true;
}

static void
add_entry(struct profile_entry *entry, const struct profile_entry *more)
{
	entry->count += more->count;
	entry->ns = saturating_add_i64(entry->ns, more->ns);
	entry->open_count += more->open_count;
	entry->open_ns = saturating_add_i64(entry->open_ns, more->open_ns);
}

bool
profile_add(struct profile_walk *walk, const struct profile_entry *more, struct error *err)
{
	struct profile *profile = walk->profile;
	stack_id stack = more->stack;
	if (UNLIKELY(stack >= walk->slot_count) && !know_stack(walk, stack, err))
		return false;
	uint32_t *slot = &walk->slot_of[stack];
	if (*slot == 0) {
		if (!array_reserve(&profile->entries, &walk->capacity,
			    (size_t)profile->entry_count + 1, sizeof(*profile->entries), err))
			return false;
		profile->entries[profile->entry_count] = (struct profile_entry){ .stack = stack };
		*slot = ++profile->entry_count;
	}
	add_entry(&profile->entries[*slot - 1], more);
	add_entry(&profile->sum, more);
	return true;
}

static bool
is_meant_region(const struct profile_scope *scope, const struct range *range)
{
	return range->type == RANGE_REGION &&
	       (scope->region == STRING_EMPTY || range->name == scope->region) &&
	       (scope->task == REF_NONE || range->task == scope->task);
}

/*
 * Adds a region that begins no earlier than those before it; of those within each other it makes
 * one piece. Where they began before the trace, the outermost is not the first.
 */
static bool
add_piece(struct profile_walk *walk, int64_t start_ns, int64_t end_ns, struct error *err)
{
	struct profile_piece *last =
		walk->piece_count > 0 ? &walk->pieces[walk->piece_count - 1] : NULL;
	if (last != NULL && start_ns < last->end_ns) {
		last->end_ns = end_ns > last->end_ns ? end_ns : last->end_ns;
		return true;
	}
	if (!array_reserve(&walk->pieces, &walk->piece_capacity, walk->piece_count + 1,
		    sizeof(*walk->pieces), err))
		return false;
	walk->pieces[walk->piece_count++] = (struct profile_piece){ start_ns, end_ns };
	return true;
}

/* The times of the actor's regions that the scope names. */
bool
profile_find_pieces(struct profile_walk *walk, actor_ref actor, struct error *err)
{
	const struct trace *trace = walk->trace;
	const struct ref_index *index = &trace->actor_ranges;
	walk->piece_count = 0;
	if (!has_pieces(walk->scope) || actor >= index->key_count)
		return true;
	for (uint32_t i = index->first[actor]; i < index->first[actor + 1]; i++) {
		const struct range *range = trace_range(trace, index->refs[i]);
		int64_t end_ns = trace_range_end_ns(trace, range);
		if (is_meant_region(walk->scope, range) &&
			!add_piece(walk, range->start_ns, end_ns, err))
			return false;
	}
	return true;
}

bool
profile_matches_at(
	const struct profile_scope *scope, const struct trace *trace, actor_ref ref, int64_t t_ns)
{
	struct span span;
	return lane_span_at(trace, (struct lane){ LANE_ACTOR, ref }, t_ns, &span) &&
	       search_matches(scope->only, span.segment, span.state);
}

static bool
add_sample(struct profile_walk *walk, const struct instant *instant, struct error *err)
{
	if (instant->type != INSTANT_SAMPLE ||
		profile_within(walk, instant->time_ns, instant->time_ns + 1) == 0)
		return true;
	if (walk->scope->only != NULL && !profile_matches_at(walk->scope, walk->trace, instant->actor, instant->time_ns))
		return true;
	return profile_add(
		walk, &(struct profile_entry){ .stack = instant->stack, .count = 1 }, err);
}

static bool
walk_samples(struct profile_walk *walk, actor_ref actor, struct error *err)
{
	const struct ref_index *index = &walk->trace->actor_instants;
	if (actor >= index->key_count)
		return true;
	for (uint32_t i = index->first[actor]; i < index->first[actor + 1]; i++)
		if (!add_sample(walk, trace_instant(walk->trace, index->refs[i]), err))
			return false;
	return true;
}

bool
profile_is_of_anybody(const struct profile_scope *scope)
{
	return scope->actor == REF_NONE && scope->function == STRING_EMPTY && scope->only == NULL && !has_pieces(scope);
}

/* Samples that no actor is known of; only where all of the trace is asked for. */
static bool
walk_stray_samples(struct profile_walk *walk, struct error *err)
{
	if (!profile_is_of_anybody(walk->scope))
		return true;
	for (uint32_t i = 0; i < walk->trace->instants.count; i++) {
		const struct instant *instant = trace_instant(walk->trace, i);
		if (instant->actor == REF_NONE && !add_sample(walk, instant, err))
			return false;
	}
	return true;
}

bool
profile_is_of_all(enum profile_kind kind, const struct profile_scope *scope)
{
	return kind >= PROFILE_SLICES || scope->with_runtime || scope->rule != PROFILE_STATES || kind == PROFILE_CPU ||
	       scope->actor != REF_NONE || scope->function != STRING_EMPTY;
}

bool
profile_has_actor(const struct profile_scope *scope, const struct trace *trace, actor_ref ref)
{
	const struct actor *actor = trace_actor(trace, ref);
	if (scope->actor != REF_NONE && scope->actor != ref)
		return false;
	if (scope->function != STRING_EMPTY && !trace_actor_is_of(trace, ref, scope->function))
		return false;
	if (actor->first_ns >= scope->t1_ns || actor->end_ns < scope->t0_ns)
		return false;
	return scope->only == NULL ||
	       search_has_any(scope->only, (struct lane){ LANE_ACTOR, ref });
}

static bool
walk_actors(struct profile_walk *walk, struct error *err)
{
	bool is_cpu = walk->profile->kind == PROFILE_CPU;
	bool is_of_all = profile_is_of_all(walk->profile->kind, walk->scope);
	uint32_t count = trace_actor_count(walk->trace);
	for (actor_ref ref = 0; ref < count; ref++) {
		const struct actor *actor = trace_actor(walk->trace, ref);
		if (!search_watch_goes_on(walk->scope->watch, actor->state_count))
			return error_set(err, ERROR_CANCELLED, "cancelled");
		if (!profile_has_actor(walk->scope, walk->trace, ref) ||
			(!is_of_all && trace_is_runtime(walk->trace, ref)))
			continue;
		if (!profile_find_pieces(walk, ref, err))
			return false;
		if (!(is_cpu ? walk_samples(walk, ref, err) : profile_walk_states(walk, ref, err)))
			return false;
	}
	return !is_cpu || walk_stray_samples(walk, err);
}

static int
compare_entries(const void *a, const void *b)
{
	const struct profile_entry *left = a, *right = b;
	return (left->stack > right->stack) - (left->stack < right->stack);
}

void
profile_walk_finish(struct profile_walk *walk)
{
	struct profile *profile = walk->profile;
	if (profile->entry_count > 0)
		qsort(profile->entries, profile->entry_count, sizeof(*profile->entries),
			compare_entries);
}

void
profile_walk_release(struct profile_walk *walk)
{
	memory_free(walk->slot_of);
	memory_free(walk->pieces);
	memory_free(walk->early);
}

struct profile_scope
profile_whole(const struct trace *trace)
{
	return (struct profile_scope){
		.rule = PROFILE_STATES,
		.t1_ns = trace->end_ns < INT64_MAX ? trace->end_ns + 1 : INT64_MAX,
		.actor = REF_NONE,
		.function = STRING_EMPTY,
		.region = STRING_EMPTY,
		.task = REF_NONE,
	};
}

bool
profile_build(struct profile *profile, const struct trace *trace, enum profile_kind kind,
	const struct profile_scope *scope, struct error *err)
{
	if (kind == PROFILE_SAMPLES && scope->beneath != NULL)
		trace = scope->beneath->below;
	*profile = (struct profile){ .kind = kind, .rule = scope->rule, .trace = trace,
		.measure = profile_measure(trace, kind, scope->type) };
	struct profile_wait wait = { 0 };
	struct profile_walk walk = {
		.trace = trace, .scope = scope, .profile = profile, .wait = &wait
	};
	bool is_fine;
	if (kind == PROFILE_SLICES) {
		is_fine = profile_walk_slices(&walk, err);
	} else if (kind == PROFILE_SAMPLES) {
		is_fine = profile_walk_samples(&walk, err);
	} else {
		if (kind != PROFILE_CPU)
			profile_set_roles(&walk, trace->kind_count);
		is_fine = walk_actors(&walk, err);
	}
	if (is_fine)
		profile_walk_finish(&walk);
	else
		profile_release(profile);
	profile_walk_release(&walk);
	return is_fine;
}

bool
profile_copy(struct profile *copy, const struct profile *profile, struct error *err)
{
	size_t count = profile->entry_count;
	assert(profile->made_stacks == NULL);
	*copy = *profile;
	copy->entries = array_new_unset(count, sizeof(*copy->entries), err);
	if (copy->entries == NULL)
		return false;
	if (count > 0)
		memcpy(copy->entries, profile->entries, count * sizeof(*copy->entries));
	return true;
}

void
profile_release(struct profile *profile)
{
	memory_free(profile->entries);
	if (profile->made_stacks != NULL)
		stack_table_release(profile->made_stacks);
	memory_free(profile->made_stacks);
	*profile = (struct profile){
		.kind = profile->kind, .rule = profile->rule, .trace = profile->trace, .measure = profile->measure };
}

class_mask
profile_classes(enum profile_kind kind)
{
	static const class_mask classes[PROFILE_SAMPLES + 1] = {
		[PROFILE_NET] = CLASS_BIT(CLASS_NETWORK),
		[PROFILE_SYNC] = PROFILE_SYNC_CLASSES,
		[PROFILE_SYSCALL] = CLASS_BIT(CLASS_SYSCALL),
		[PROFILE_SCHED] = CLASS_BIT(CLASS_READY),
		[PROFILE_OFFCPU] = PROFILE_OFFCPU_CLASSES,
	};
	return classes[kind];
}

const char *
profile_name(enum profile_kind kind)
{
	static const char *const names[] = {
		[PROFILE_NET] = "net",
		[PROFILE_SYNC] = "sync",
		[PROFILE_SYSCALL] = "syscall",
		[PROFILE_SCHED] = "sched",
		[PROFILE_CPU] = "cpu",
		[PROFILE_OFFCPU] = "offcpu",
		[PROFILE_SLICES] = "slices",
		[PROFILE_SAMPLES] = NULL,
	};
	return names[kind];
}

const char *
profile_called(const struct profile *profile)
{
	return profile->kind == PROFILE_SAMPLES ? profile->measure.name : profile_name(profile->kind);
}

struct measure
profile_measure(const struct trace *trace, enum profile_kind kind, unsigned type)
{
	const struct sample_set *set = trace->samples;
	size_t name_length, unit_length, caption_length;
	if (kind != PROFILE_SAMPLES || set == NULL || type >= set->type_count)
		return kind == PROFILE_CPU ? measure_samples : measure_time;
	const char *name = trace_text(trace, set->types[type].name, &name_length);
	const char *unit = trace_text(trace, set->types[type].unit, &unit_length);
	const char *caption = trace_text(trace, set->types[type].caption, &caption_length);
	struct measure measure = measure_of_unit(name, name_length, unit, unit_length, set->decimals);
	text_excerpt(measure.caption, sizeof measure.caption, caption, caption_length);
	return measure;
}

const char *
profile_function_name(const struct trace *trace, string_id function, size_t *length)
{
	static const char unknown[] = "<unknown>";
	const char *name = trace_text(trace, function, length);
	if (*length > 0)
		return name;
	*length = sizeof(unknown) - 1;
	return unknown;
}
