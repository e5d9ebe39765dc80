/*
 * Finding what matches: each text once, each stack once (a stack matches if its
 * leaf's function or its caller's stack does), each kind of state once; then
 * one pass over the states that only looks up bits.
 */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "query/pattern.h"
#include "query/search_internal.h"

/* Only for the time of search_new(). */
struct matcher {
	struct search *search;
	const struct trace *trace;
	struct pattern *pattern;
	struct bits strings, stacks;
	uint8_t by_kind[KIND_MAX + 1]; /* enum kind_matches */
	bool has_failed;               /* no memory for a text */
};

enum kind_matches { KIND_NEVER, KIND_ALWAYS, KIND_BY_STACK };

/* ---- progress */

/* Units of time: what a text, a stack or a state costs, and how often one looks up. */
enum { UNITS_PER_TEXT = 20, ITEMS_PER_LOOK = 1024 };

uint64_t
search_work(const struct trace *trace)
{
	uint64_t states = 0;
	for (uint32_t i = 0; i < trace->segments.count; i++)
		states += trace_segment(trace, i)->state_count;
	return 1 + states * 2 + stack_count(&trace->stacks) +
	       UNITS_PER_TEXT *
		       ((uint64_t)intern_count(&trace->strings) + trace_goroutine_count(trace));
}

bool
search_goes_on(const struct search *search, uint64_t units)
{
	struct search_watch *watch = search->watch;
	if (watch == NULL)
		return true;
	atomic_fetch_add_explicit(&watch->done, units, memory_order_relaxed);
	return !atomic_load_explicit(&watch->is_cancelled, memory_order_relaxed);
}

/* After each so many items; false, with err set, when the search is not wanted any more. */
static bool
is_wanted(const struct matcher *matcher, uint32_t item, uint64_t units_per_item, struct error *err)
{
	if (item % ITEMS_PER_LOOK != 0 ||
		search_goes_on(matcher->search, units_per_item * ITEMS_PER_LOOK))
		return true;
	return error_set(err, ERROR_CANCELLED, "the search was cancelled");
}

/* ---- texts, stacks, kinds */

static bool
match_strings(struct matcher *matcher, struct error *err)
{
	const struct intern *strings = &matcher->trace->strings;
	uint32_t count = intern_count(strings);
	if (!bits_init(&matcher->strings, count, err))
		return false;
	/* The empty text means "none" and is no match, whatever the pattern. */
	for (string_id id = STRING_EMPTY + 1; id < count; id++) {
		size_t length;
		if (!is_wanted(matcher, id, UNITS_PER_TEXT, err))
			return false;
		const char *bytes = intern_text(strings, id, &length);
		if (pattern_matches(matcher->pattern, bytes, length))
			bits_add(&matcher->strings, id);
	}
	return true;
}

/* Parents have lower ids than their children. */
static bool
match_stacks(struct matcher *matcher, struct error *err)
{
	const struct stack_table *stacks = &matcher->trace->stacks;
	uint32_t count = stack_count(stacks);
	if (!bits_init(&matcher->stacks, count, err))
		return false;
	for (stack_id id = STACK_NONE + 1; id < count; id++) {
		if (!is_wanted(matcher, id, 1, err))
			return false;
		if (bits_has(&matcher->strings, stack_leaf(stacks, id)->function) ||
			bits_has(&matcher->stacks, stack_caller(stacks, id)))
			bits_add(&matcher->stacks, id);
	}
	return true;
}

static enum kind_matches
kind_matches(const struct matcher *matcher, const struct state_kind *kind)
{
	if (kind->state == STATE_GONE)
		return KIND_NEVER;
	if (bits_has(&matcher->strings, kind->reason))
		return KIND_ALWAYS;
	bool has_stack = kind->state == STATE_READY || kind->state == STATE_BLOCKED ||
			 kind->state == STATE_SYSCALL;
	return has_stack ? KIND_BY_STACK : KIND_NEVER;
}

static void
match_kinds(struct matcher *matcher)
{
	for (uint32_t i = 0; i < matcher->trace->kind_count; i++)
		matcher->by_kind[i] = (uint8_t)kind_matches(matcher, &matcher->trace->kinds[i]);
}

/* By "G42 main.worker", as the screen has it. */
static bool
id_matches(struct matcher *matcher, const struct goroutine *goroutine, struct text *shown)
{
	size_t length;
	const char *name = trace_text(matcher->trace, goroutine->name, &length);
	text_clear(shown);
	text_format(shown, "G%lld", (long long)goroutine->id);
	if (length > 0)
		text_add(shown, " ", 1);
	text_add(shown, name, length);
	matcher->has_failed = matcher->has_failed || shown->failed;
	return !shown->failed && pattern_matches(matcher->pattern, shown->bytes, shown->length);
}

static bool
match_goroutines(struct matcher *matcher, struct error *err)
{
	const struct trace *trace = matcher->trace;
	struct bits *goroutines = &matcher->search->goroutines;
	if (!bits_init(goroutines, trace_goroutine_count(trace), err))
		return false;
	struct text shown = { 0 };
	bool is_going_on = true;
	for (goroutine_ref g = 0; g < goroutines->limit && is_going_on; g++) {
		is_going_on = is_wanted(matcher, g, UNITS_PER_TEXT, err);
		const struct goroutine *goroutine = trace_goroutine(trace, g);
		if (bits_has(&matcher->strings, goroutine->name) ||
			id_matches(matcher, goroutine, &shown))
			bits_add(goroutines, g);
	}
	text_release(&shown);
	if (!is_going_on)
		return false;
	return !matcher->has_failed || error_set_memory(err, "the search");
}

/* ---- states */

static void
match_run(const struct matcher *matcher, const struct segment *segment, const struct run *run,
	struct bits *states)
{
	uint32_t end = run->first + run->count;
	if (bits_has(&matcher->search->goroutines, run->goroutine)) {
		bool is_gone = matcher->trace->kinds[segment->kind[end - 1] & KIND_MASK].state ==
			       STATE_GONE;
		bits_add_range(states, run->first, end - is_gone);
		return;
	}
	for (uint32_t i = run->first; i < end; i++) {
		uint8_t by = matcher->by_kind[segment->kind[i] & KIND_MASK];
		if (by == KIND_ALWAYS ||
			(by == KIND_BY_STACK && bits_has(&matcher->stacks, segment_site(segment, i)->place)))
			bits_add(states, i);
	}
}

static bool
match_states(struct matcher *matcher, struct error *err)
{
	struct search *search = matcher->search;
	for (uint32_t i = 0; i < search->segment_count; i++) {
		const struct segment *segment = trace_segment(matcher->trace, i);
		struct bits *states = &search->states.sets[i];
		if (!bits_init(states, segment->state_count, err))
			return false;
		for (uint32_t r = 0; r < segment->run_count; r++)
			match_run(matcher, segment, &segment->runs[r], states);
		if (!search_goes_on(search, segment->state_count))
			return error_set(err, ERROR_CANCELLED, "the search was cancelled");
	}
	return true;
}

/*
 * The state in which a goroutine was at that moment matches. It is the last one that began
 * by then: an event at the very end of the trace is in no half-open interval.
 */
static void
match_moment(struct matcher *matcher, goroutine_ref goroutine, int64_t t_ns)
{
	struct lane lane = { .type = LANE_GOROUTINE, .ref = goroutine };
	struct span span;
	/* All states of a goroutine that matches itself do already. */
	if (goroutine == REF_NONE || bits_has(&matcher->search->goroutines, goroutine))
		return;
	if (t_ns != TIME_OPEN &&
		lane_previous(matcher->trace, lane, t_ns + 1, CLASS_MASK_ALL, &span) &&
		t_ns <= span.end_ns)
		bits_add(&matcher->search->states.sets[span.segment], span.state);
}

static bool
instant_matches(const struct matcher *matcher, const struct instant *instant)
{
	if (bits_has(&matcher->strings, instant->category) ||
		bits_has(&matcher->strings, instant->text))
		return true;
	return instant->type == INSTANT_SAMPLE && bits_has(&matcher->stacks, instant->stack);
}

static void
match_task(struct matcher *matcher, const struct task *task)
{
	if (!bits_has(&matcher->strings, task->name))
		return;
	if (!task->began_before)
		match_moment(matcher, task->start_goroutine, task->start_ns);
	else
		match_moment(matcher, task->end_goroutine, task->end_ns);
}

static bool
match_moments(struct matcher *matcher, struct error *err)
{
	const struct trace *trace = matcher->trace;
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		if (!is_wanted(matcher, i, 0, err))
			return false;
		if (instant_matches(matcher, instant))
			match_moment(matcher, instant->goroutine, instant->time_ns);
	}
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (!is_wanted(matcher, i, 0, err))
			return false;
		if (bits_has(&matcher->strings, range->name))
			match_moment(matcher, range->goroutine, range->start_ns);
	}
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		if (!is_wanted(matcher, i, 0, err))
			return false;
		match_task(matcher, trace_task(trace, i));
	}
	return true;
}

/* ---- the same for procs and threads, and what counting needs */

static bool
match_column(const struct resource_column *column, const struct bits *states, struct bits *entries,
	struct error *err)
{
	if (!bits_init(entries, column->entry_count, err))
		return false;
	for (uint32_t i = 0; i < column->entry_count; i++)
		if (bits_has(states, state_list_at(&column->entries, i)))
			bits_add(entries, i);
	bits_rank(entries);
	return true;
}

static bool
match_resources(struct search *search, struct error *err)
{
	for (uint32_t i = 0; i < search->segment_count; i++) {
		const struct segment *segment = trace_segment(search->trace, i);
		struct bits *states = &search->states.sets[i];
		bits_rank(states);
		if (!match_column(&segment->procs, states, &search->procs.sets[i], err) ||
			!match_column(&segment->threads, states, &search->threads.sets[i], err))
			return false;
	}
	return true;
}

/* Items of a run: [*first, *first + the result). */
static uint32_t
run_items(const struct search *search, const struct run_list *list, struct run_ref ref,
	uint32_t *first)
{
	const struct segment *segment = trace_segment(search->trace, ref.segment);
	const struct directory *directory = &search->trace->directory;
	if (list == &directory->goroutines) {
		*first = segment->runs[ref.run].first;
		return segment->runs[ref.run].count;
	}
	const struct resource_column *column =
		list == &directory->procs ? &segment->procs : &segment->threads;
	*first = column->runs[ref.run].first;
	return column->runs[ref.run].count;
}

static bool
count_runs(const struct search *search, const struct run_list *list, struct run_matches *matches,
	struct error *err)
{
	uint32_t count = run_count(list);
	matches->before = memory_realloc(NULL, ((size_t)count + 1) * sizeof(*matches->before));
	if (matches->before == NULL)
		return error_set_memory(err, "the search");
	uint32_t total = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first;
		uint32_t items = run_items(search, list, list->runs[i], &first);
		const struct bits *set = &matches->sets[list->runs[i].segment];
		matches->before[i] = total;
		total += bits_below(set, first + items) - bits_below(set, first);
	}
	matches->before[count] = total;
	return true;
}

/* ---- making and freeing */

static bool
init_sets(struct search *search, struct run_matches *matches, struct error *err)
{
	size_t size = ((size_t)search->segment_count + 1) * sizeof(*matches->sets);
	matches->sets = memory_realloc(NULL, size);
	if (matches->sets == NULL)
		return error_set_memory(err, "the search");
	memset(matches->sets, 0, size);
	return true;
}

static bool
init_search(struct search *search, const struct trace *trace, struct error *err)
{
	*search = (struct search){ .trace = trace, .segment_count = trace->segments.count };
	size_t size = ((size_t)trace->group_count + 1) * sizeof(*search->groups);
	search->groups = memory_realloc(NULL, size);
	if (search->groups == NULL)
		return error_set_memory(err, "the search");
	memset(search->groups, 0, size);
	return init_sets(search, &search->states, err) && init_sets(search, &search->procs, err) &&
	       init_sets(search, &search->threads, err);
}

static bool
build(struct matcher *matcher, struct error *err)
{
	struct search *search = matcher->search;
	const struct directory *directory = &matcher->trace->directory;
	if (!match_strings(matcher, err) || !match_stacks(matcher, err) ||
		!match_goroutines(matcher, err))
		return false;
	match_kinds(matcher);
	return match_states(matcher, err) && match_moments(matcher, err) &&
	       match_resources(search, err) &&
	       count_runs(search, &directory->goroutines, &search->states, err) &&
	       count_runs(search, &directory->procs, &search->procs, err) &&
	       count_runs(search, &directory->threads, &search->threads, err) &&
	       search_order_init(search, err);
}

struct search *
search_with(const struct trace *trace, struct pattern *pattern, struct search_watch *watch,
	struct error *err)
{
	struct search *search = memory_realloc(NULL, sizeof(*search));
	if (search == NULL) {
		error_set_memory(err, "the search");
		return NULL;
	}
	struct matcher matcher = { .search = search, .trace = trace, .pattern = pattern };
	bool is_built = init_search(search, trace, err);
	search->watch = watch;
	is_built = is_built && build(&matcher, err);
	bits_release(&matcher.strings);
	bits_release(&matcher.stacks);
	if (!is_built) {
		search_free(search);
		return NULL;
	}
	return search;
}

void
search_tell(const struct search *search, const struct pattern *pattern, const struct error *err,
	struct error *note)
{
	uint64_t skipped = pattern_skipped(pattern);
	if (search == NULL)
		*note = *err;
	else if (skipped > 0)
		error_set(note, ERROR_LIMIT, "the pattern takes too long: %llu texts left out",
			(unsigned long long)skipped);
}

struct search *
search_new(const struct trace *trace, const char *text, struct error *note)
{
	struct pattern *pattern = pattern_new(text, note);
	if (pattern == NULL)
		return NULL;
	struct error err = { 0 };
	struct search *search = search_with(trace, pattern, NULL, &err);
	search_tell(search, pattern, &err, note);
	pattern_free(pattern);
	return search;
}

static void
release_matches(const struct search *search, struct run_matches *matches)
{
	for (uint32_t i = 0; matches->sets != NULL && i < search->segment_count; i++)
		bits_release(&matches->sets[i]);
	memory_free(matches->sets);
	memory_free(matches->before);
}

void
search_free(struct search *search)
{
	if (search == NULL)
		return;
	release_matches(search, &search->states);
	release_matches(search, &search->procs);
	release_matches(search, &search->threads);
	bits_release(&search->goroutines);
	for (uint32_t i = 0; search->groups != NULL && i < search->trace->group_count; i++)
		match_union_release(&search->groups[i]);
	memory_free(search->groups);
	match_union_release(&search->all);
	search_order_release(search);
	memory_free(search);
}

uint64_t
search_count(const struct search *search)
{
	return search->states.before[run_count(&search->trace->directory.goroutines)];
}

bool
search_matches(const struct search *search, uint32_t segment, uint32_t state)
{
	return segment < search->segment_count && state < search->states.sets[segment].limit &&
	       bits_has(&search->states.sets[segment], state);
}

bool
search_matches_goroutine(const struct search *search, goroutine_ref goroutine)
{
	return goroutine < search->goroutines.limit && bits_has(&search->goroutines, goroutine);
}
