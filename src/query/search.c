/*
 * What matches, as bits: of the states by the query, of what processors and threads have by
 * the states; and the counts that questions about lanes need.
 */
#include <string.h>

#include "base/memory.h"
#include "query/query_match.h"
#include "query/search_internal.h"
#include "query/text_match.h"

/* ---- progress */

bool
search_goes_on(const struct search *search, uint64_t units)
{
	return search_watch_goes_on(search->watch, units);
}

/* The units of making a search and of one use of it: uniting its groups, or an analysis. */
static uint64_t
search_work(const struct trace *trace, const struct query *query)
{
	uint64_t states = trace_state_count(trace);
	return 1 + states + query->term_count * (states + stack_count(&trace->stacks) +
		WATCH_UNITS_PER_TEXT *
			((uint64_t)intern_count(&trace->strings) + trace_actor_count(trace)));
}

/* ---- matches on processors and threads, and what counting needs */

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
		if (!search_watch_check(search->watch, 0, err))
			return false;
		bits_rank(states);
		if (!match_column(&segment->processors, states, &search->processors.sets[i], err) ||
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
	if (list == &directory->actors) {
		*first = segment->runs[ref.run].first;
		return run_length(&segment->runs[ref.run]);
	}
	const struct resource_column *column =
		list == &directory->processors ? &segment->processors : &segment->threads;
	*first = column->runs[ref.run].first;
	return column->runs[ref.run].count;
}

static bool
count_runs(const struct search *search, const struct run_list *list, struct run_matches *matches,
	struct error *err)
{
	enum { RUNS_PER_LOOK = 4096 };
	uint32_t count = run_count(list);
	matches->before = memory_realloc(NULL, ((size_t)count + 1) * sizeof(*matches->before));
	if (matches->before == NULL)
		return error_set_memory(err, "the search");
	uint32_t total = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first;
		if (i % RUNS_PER_LOOK == 0 && !search_watch_check(search->watch, 0, err))
			return false;
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
	search->group_count = trace->group_count;
	return init_sets(search, &search->states, err) &&
	       init_sets(search, &search->processors, err) &&
	       init_sets(search, &search->threads, err);
}

/* States of an actor; that it has ended is none. */
static uint32_t
lived_states(const struct trace *trace, actor_ref actor)
{
	const struct run_list *list = &trace->directory.actors;
	uint32_t end = list->first[actor + 1];
	if (end == list->first[actor])
		return 0;
	const struct segment *segment = trace_segment(trace, list->runs[end - 1].segment);
	const struct run *run = &segment->runs[list->runs[end - 1].run];
	uint8_t last = segment->kind[run_end(run) - 1] & KIND_MASK;
	return segment_run_past(segment, run).ordinal + run_length(run) -
	       (trace->kinds[last].state == STATE_GONE);
}

/* An actor all of whose states match, does itself. */
static bool
match_whole_actors(struct search *search, struct error *err)
{
	enum { ACTORS_PER_LOOK = 4096 };
	const struct run_list *list = &search->trace->directory.actors;
	const uint32_t *before = search->states.before;
	for (actor_ref g = 0; g < search->actors.limit; g++) {
		if (g % ACTORS_PER_LOOK == 0 && !search_watch_check(search->watch, 0, err))
			return false;
		uint32_t matches = before[list->first[g + 1]] - before[list->first[g]];
		if (matches > 0 && matches == lived_states(search->trace, g))
			bits_add(&search->actors, g);
	}
	return true;
}

static bool
match(struct search *search, struct query *query, struct error *err)
{
	struct pattern *word = query_word(query);
	if (word != NULL)
		return text_match(search->trace, word, search->watch, &search->actors,
			search->states.sets, err);
	return bits_init(&search->actors, trace_actor_count(search->trace), err) &&
	       query_match(query, search->trace, search->watch, search->states.sets, err);
}

static bool
build(struct search *search, struct query *query, struct error *err)
{
	const struct directory *directory = &search->trace->directory;
	if (!match(search, query, err) || !match_resources(search, err) ||
		!count_runs(search, &directory->actors, &search->states, err) ||
		!count_runs(search, &directory->processors, &search->processors, err) ||
		!count_runs(search, &directory->threads, &search->threads, err) ||
		(query_word(query) == NULL && !match_whole_actors(search, err)))
		return false;
	return search_order_init(search, err) &&
	       slice_matches_find(&search->slices, search->trace, query, search->watch, err) &&
	       search_unite_slices(search, err);
}

struct search *
search_with(const struct trace *trace, struct query *query, struct search_watch *watch,
	struct error *err)
{
	struct search *search = memory_realloc(NULL, sizeof(*search));
	if (search == NULL) {
		error_set_memory(err, "the search");
		return NULL;
	}
	search_watch_expect(watch, search_work(trace, query));
	bool is_built = init_search(search, trace, err);
	search->watch = watch;
	if (is_built && build(search, query, err))
		return search;
	if (err->kind == ERROR_NONE)
		search_watch_check(watch, 0, err);
	search_free(search);
	return NULL;
}

void
search_tell(const struct search *search, const struct query *query, const struct error *err,
	struct error *note)
{
	uint64_t skipped = query_skipped(query);
	if (search == NULL)
		*note = *err;
	else if (skipped > 0)
		error_set(note, ERROR_LIMIT, "the pattern takes too long: %llu texts left out",
			(unsigned long long)skipped);
}

struct search *
search_query(const struct trace *trace, struct query *query, struct error *note)
{
	struct error err;
	error_clear(&err);
	struct search *search = search_with(trace, query, NULL, &err);
	search_tell(search, query, &err, note);
	return search;
}

struct search *
search_new(const struct trace *trace, const char *text, struct error *note)
{
	struct query *query = query_new_search(text, trace->words, note);
	if (query == NULL)
		return NULL;
	struct search *search = search_query(trace, query, note);
	query_free(query);
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

static void
release_groups(struct search *search)
{
	for (uint32_t i = 0; i < search->group_count; i++)
		match_union_release(&search->groups[i]);
	memory_free(search->groups);
	search->groups = NULL;
	search->group_count = 0;
}

void
search_regroup(struct search *search, const struct trace *trace)
{
	struct error ignored;
	error_clear(&ignored);
	if (search == NULL)
		return;
	release_groups(search);
	search->trace = trace;
	search->groups = array_new(trace->group_count, sizeof *search->groups, &ignored);
	search->group_count = search->groups != NULL ? trace->group_count : 0;
}

void
search_free(struct search *search)
{
	if (search == NULL)
		return;
	release_matches(search, &search->states);
	release_matches(search, &search->processors);
	release_matches(search, &search->threads);
	bits_release(&search->actors);
	release_groups(search);
	match_union_release(&search->all);
	search_order_release(search);
	slice_matches_release(&search->slices);
	for (uint32_t i = 0; search->slice_unions != NULL && i <= search->processor_count; i++)
		match_union_release(&search->slice_unions[i]);
	memory_free(search->slice_unions);
	memory_free(search);
}

uint64_t
search_slice_count(const struct search *search)
{
	return search->slices.count;
}

bool
search_finds(const struct search *search)
{
	return search_slice_count(search) > 0 || search_count(search) > 0;
}

void
search_slice(const struct search *search, uint64_t index, struct slice *slice)
{
	const struct slice_match *match = &search->slices.items[index];
	slices_get(search->trace->slices, match->column, match->index, slice);
}

uint64_t
search_slices_before(const struct search *search, int64_t t_ns)
{
	size_t first = 0, end = search->slices.count;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (search->slices.items[middle].start_ns < t_ns)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

bool
search_slices_have(const struct search *search, column_ref column, uint32_t first, uint32_t end)
{
	const struct slice_matches *slices = &search->slices;
	return slices->count > 0 && column < slices->set_count &&
	       bits_below(&slices->sets[column], end) > bits_below(&slices->sets[column], first);
}

uint64_t
search_count(const struct search *search)
{
	return search->states.before[run_count(&search->trace->directory.actors)];
}

uint32_t
search_actor_count(const struct search *search)
{
	const struct run_list *list = &search->trace->directory.actors;
	uint32_t count = 0;
	for (actor_ref i = 0; search->slices.count > 0 && i < trace_actor_count(search->trace); i++)
		count += search_has_slices(search, (struct lane){ LANE_ACTOR, i });
	for (uint32_t i = 0; search->slices.count == 0 && i < list->key_count; i++)
		count += search->states.before[list->first[i]] !=
			 search->states.before[list->first[i + 1]];
	return count;
}

bool
search_matches(const struct search *search, uint32_t segment, uint32_t state)
{
	return segment < search->segment_count && state < search->states.sets[segment].limit &&
	       bits_has(&search->states.sets[segment], state);
}

bool
search_matches_actor(const struct search *search, actor_ref actor)
{
	return actor < search->actors.limit && bits_has(&search->actors, actor);
}
