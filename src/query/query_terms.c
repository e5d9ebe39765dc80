/* What each field of the query language means: its table for a trace, and the states it marks. */
#include "base/text.h"
#include "query/query_match.h"

#include "base/memory.h"
#include "base/sorted.h"
#include "query/text_match.h"

/* ---- tables */

static bool
is_in_range(const struct query_term *term, int64_t value)
{
	return value >= term->least && value <= term->most;
}

static bool
prepare_word(struct query_run *run, struct query_table *table, struct error *err)
{
	struct bits actors = { 0 };
	table->states = array_new(run->trace->segments.count, sizeof(*table->states), err);
	bool is_fine = table->states != NULL && text_match(run->trace, table->term->pattern,
							run->watch, &actors, table->states, err);
	bits_release(&actors);
	return is_fine;
}

static bool
prepare_actor_ids(struct query_run *run, struct query_table *table, struct error *err)
{
	if (!bits_init(&table->refs, trace_actor_count(run->trace), err))
		return false;
	for (actor_ref i = 0; i < table->refs.limit; i++)
		if (is_in_range(table->term, trace_actor(run->trace, i)->id))
			bits_add(&table->refs, i);
	return true;
}

static bool
prepare_names(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_strings strings;
	if (!bits_init(&table->refs, trace_actor_count(run->trace), err) ||
		!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	for (actor_ref i = 0; i < table->refs.limit; i++)
		if (query_strings_has(&strings, trace_actor(run->trace, i)->name) ||
			query_strings_has(&strings, trace_group_name(run->trace, i)))
			bits_add(&table->refs, i);
	query_strings_release(&strings);
	return true;
}

static bool
prepare_processors(struct query_run *run, struct query_table *table, struct error *err)
{
	if (!bits_init(&table->refs, trace_processor_count(run->trace), err))
		return false;
	for (resource_ref i = 0; i < table->refs.limit; i++)
		if (is_in_range(table->term, trace_processor(run->trace, i)->id))
			bits_add(&table->refs, i);
	return true;
}

static bool
prepare_threads(struct query_run *run, struct query_table *table, struct error *err)
{
	if (!bits_init(&table->refs, trace_thread_count(run->trace), err))
		return false;
	for (resource_ref i = 0; i < table->refs.limit; i++)
		if (is_in_range(table->term, trace_thread(run->trace, i)->id))
			bits_add(&table->refs, i);
	return true;
}

/* Callers have lower ids than those they call. */
static bool
prepare_stacks(struct query_run *run, struct query_table *table, struct error *err)
{
	const struct stack_table *stacks = &run->trace->stacks;
	struct query_strings strings;
	if (!bits_init(&table->stacks, stack_count(stacks), err) ||
		!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	for (stack_id id = STACK_NONE + 1; id < table->stacks.limit; id++)
		if (bits_has(&table->stacks, stack_caller(stacks, id)) ||
			query_strings_has(&strings, stack_leaf(stacks, id)->function))
			bits_add(&table->stacks, id);
	query_strings_release(&strings);
	return true;
}

static bool
prepare_funcs(struct query_run *run, struct query_table *table, struct error *err)
{
	return prepare_stacks(run, table, err) && query_cover_samples(run, table, err);
}

static bool
prepare_states(struct query_run *run, struct query_table *table, struct error *err)
{
	(void)err;
	for (uint32_t i = 0; i < run->trace->kind_count; i++)
		table->kinds[i] = table->term->words >> run->trace->kinds[i].state & 1;
	return true;
}

static bool
refuse_class(const struct words *words, struct error *err)
{
	struct text list = { 0 };
	query_field_list(&list, FIELD_CLASS, words, ", ");
	error_set(err, ERROR_USAGE, "class is one of: %s", text_string(&list));
	text_release(&list);
	return false;
}

static bool
prepare_classes(struct query_run *run, struct query_table *table, struct error *err)
{
	const struct words *words = run->trace->words;
	bool is_assist = words->assist != NULL && query_text_is_meant(table->term, words->assist);
	class_mask meant = 0;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		const char *name = words->classes[i].name;
		if (name != NULL && query_text_is_meant(table->term, name))
			meant |= CLASS_BIT(i);
	}
	if (meant == 0 && !is_assist)
		return refuse_class(words, err);
	for (uint32_t i = 0; i < run->trace->kind_count; i++)
		table->kinds[i] = (meant & CLASS_BIT(run->trace->kinds[i].time_class)) != 0;
	return !is_assist || query_cover_assists(run, table, err);
}

static bool
prepare_reasons(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_strings strings;
	if (!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	for (uint32_t i = 0; i < run->trace->kind_count; i++)
		table->kinds[i] = query_strings_has(&strings, run->trace->kinds[i].reason);
	query_strings_release(&strings);
	return true;
}

static bool
prepare_times(struct query_run *run, struct query_table *table, struct error *err)
{
	(void)run;
	(void)table;
	(void)err;
	return true;
}

static bool
has_gc(const struct query_table *table, enum query_gc what)
{
	return table->term->words >> what & 1;
}

static bool
prepare_gc(struct query_run *run, struct query_table *table, struct error *err)
{
	for (uint32_t i = 0; i < run->trace->kind_count; i++)
		table->kinds[i] = run->trace->kinds[i].time_class == CLASS_WORKER &&
				  has_gc(table, QUERY_GC_WORKER);
	return query_cover_collector(run, table, err);
}

/* ---- states one after the other */

/* A state of the run that is looked at. */
struct place {
	const struct query_run *run;
	const struct run *of;
	struct state_at at;
};

static struct state_at
state_before(const struct place *place)
{
	const struct run *of = place->of;
	if (place->at.state > of->first)
		return (struct state_at){ place->at.segment, place->at.state - 1 };
	struct run_past past = segment_run_past(place->at.segment, of);
	if (past.previous_segment == REF_NONE)
		return (struct state_at){ 0 };
	const struct segment *segment = trace_segment(place->run->trace, past.previous_segment);
	return (struct state_at){ segment, run_end(&segment->runs[past.previous_run]) - 1 };
}

static struct state_at
state_after(const struct place *place)
{
	if (place->at.state + 1 < run_end(place->of))
		return (struct state_at){ place->at.segment, place->at.state + 1 };
	return place->run->after[place->of->actor];
}

static uint32_t
place_of(struct state_at at)
{
	return segment_site(at.segment, at.state)->place;
}

static uint32_t
origin_of(struct state_at at)
{
	return segment_site(at.segment, at.state)->origin;
}

typedef bool place_test(const struct query_table *table, const struct place *place);

/* Those of the states that are still open for which the test holds. */
static void
fill_each(const struct query_run *run, const struct query_table *table, place_test *test,
	uint64_t *words)
{
	for (uint32_t r = 0; r < run->segment->run_count; r++) {
		struct place place = { run, &run->segment->runs[r], { run->segment, 0 } };
		uint32_t end = run_end(place.of);
		for (uint32_t i = place.of->first; i < end; i++) {
			place.at.state = i;
			if (run->verdicts[run->segment->kind[i] & KIND_MASK] == VERDICT_OPEN &&
				test(table, &place))
				words_add(words, i);
		}
	}
}

/* ---- what is asked of each */

static bool
has_ref(const struct query_table *table, uint32_t ref)
{
	return ref < table->refs.limit && bits_has(&table->refs, ref);
}

static const struct state_kind *
kind_at(const struct place *place, struct state_at at)
{
	return state_at_kind(place->run->trace, at);
}

/* The processor of a syscall is that of the running state right before it. */
static bool
processor_matches(const struct query_table *table, const struct place *place)
{
	struct state_at at = place->at;
	if (kind_at(place, at)->state == STATE_SYSCALL)
		at = state_before(place);
	return at.segment != NULL && kind_at(place, at)->state == STATE_RUNNING &&
	       has_ref(table, origin_of(at));
}

static bool
thread_matches(const struct query_table *table, const struct place *place)
{
	enum state state = kind_at(place, place->at)->state;
	if (state == STATE_RUNNING)
		return has_ref(table, place_of(place->at));
	return state == STATE_SYSCALL && has_ref(table, origin_of(place->at));
}

static bool
own_stack_matches(const struct query_table *table, const struct place *place, struct state_at at)
{
	if (at.segment == NULL)
		return false;
	const struct state_kind *kind = kind_at(place, at);
	bool has_stack = kind->state == STATE_BLOCKED || kind->state == STATE_SYSCALL ||
			 (kind->state == STATE_READY && kind->entry == ENTRY_STOPPED);
	return has_stack && bits_has(&table->stacks, place_of(at));
}

static bool
func_matches(const struct query_table *table, const struct place *place)
{
	const struct state_kind *kind = kind_at(place, place->at);
	if (own_stack_matches(table, place, place->at))
		return true;
	if (kind->state == STATE_RUNNING)
		return own_stack_matches(table, place, state_after(place));
	return kind->state == STATE_READY && kind->entry != ENTRY_STOPPED &&
	       own_stack_matches(table, place, state_before(place));
}

/* The ready state that tells who woke it. */
static struct state_at
find_wake(const struct place *place)
{
	enum state state = kind_at(place, place->at)->state;
	struct state_at at = place->at;
	if (state == STATE_BLOCKED)
		at = state_after(place);
	else if (state != STATE_READY)
		at = state_before(place);
	bool is_wake = at.segment != NULL && kind_at(place, at)->state == STATE_READY;
	return is_wake ? at : (struct state_at){ 0 };
}

static bool
waker_matches(const struct query_table *table, const struct place *place)
{
	struct state_at wake = find_wake(place);
	return wake.segment != NULL &&
	       has_ref(table, waker_actor(kind_at(place, wake), origin_of(wake)));
}

static bool
wake_stack_matches(const struct query_table *table, const struct place *place)
{
	struct state_at wake = find_wake(place);
	return wake.segment != NULL && waker_is_named(kind_at(place, wake)) &&
	       bits_has(&table->stacks, place_of(wake));
}

/* ---- filling */

static void
fill_nothing(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	(void)run;
	(void)table;
	(void)words;
}

static void
fill_actors(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	struct bits states = { .words = words, .limit = run->segment->state_count };
	for (uint32_t r = 0; r < run->segment->run_count; r++) {
		const struct run *of = &run->segment->runs[r];
		if (bits_has(&table->refs, of->actor))
			bits_add_range(&states, of->first, run_end(of));
	}
}

static void
fill_processors(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fill_each(run, table, processor_matches, words);
}

static void
fill_threads(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fill_each(run, table, thread_matches, words);
}

static void
fill_funcs(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fill_each(run, table, func_matches, words);
}

static void
fill_wakers(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fill_each(run, table, waker_matches, words);
}

static void
fill_wake_stacks(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fill_each(run, table, wake_stack_matches, words);
}

static void
fill_kinds(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	for (uint32_t i = 0; i < run->segment->state_count; i++)
		if (table->kinds[run->segment->kind[i] & KIND_MASK])
			words_add(words, i);
}

/* When the last state of a run ends. */
static int64_t
run_end_ns(const struct query_run *run, actor_ref actor)
{
	struct state_at after = run->after[actor];
	if (after.segment != NULL)
		return segment_start_ns(after.segment, after.state);
	int64_t end_ns = trace_actor(run->trace, actor)->end_ns;
	return end_ns == TIME_OPEN ? run->trace->end_ns : end_ns;
}

static void
fill_times(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	const struct segment *segment = run->segment;
	const struct query_term *term = table->term;
	for (uint32_t r = 0; r < segment->run_count; r++) {
		uint32_t first = segment->runs[r].first, end = run_end(&segment->runs[r]);
		int64_t last_ns = run_end_ns(run, segment->runs[r].actor);
		int64_t start_ns = segment_start_ns(segment, first), end_ns;
		for (uint32_t i = first; i < end; i++, start_ns = end_ns) {
			end_ns = i + 1 < end ? segment_start_ns(segment, i + 1) : last_ns;
			int64_t value = term->field == FIELD_START ? start_ns : end_ns;
			if (term->field == FIELD_DURATION)
				value = end_ns - start_ns;
			if (is_in_range(term, value))
				words_add(words, i);
		}
	}
}

/* The first piece that ends after t. */
static uint32_t
find_piece(const struct cover *cover, int64_t t_ns)
{
	return (uint32_t)sorted_until_i64(cover->end_ns, cover->count, t_ns);
}

/* States during which a piece of the cover goes on; one that takes no time is as of 1 ns. */
static void
fill_cover(const struct query_run *run, const struct cover *cover, uint64_t *words)
{
	const struct segment *segment = run->segment;
	for (uint32_t r = 0; r < segment->run_count; r++) {
		uint32_t first = segment->runs[r].first, end = run_end(&segment->runs[r]);
		int64_t last_ns = run_end_ns(run, segment->runs[r].actor);
		int64_t start_ns = segment_start_ns(segment, first), next_ns;
		uint32_t piece = find_piece(cover, start_ns);
		for (uint32_t i = first; i < end && piece < cover->count; i++, start_ns = next_ns) {
			next_ns = i + 1 < end ? segment_start_ns(segment, i + 1) : last_ns;
			int64_t end_ns = next_ns > start_ns ? next_ns : start_ns + 1;
			while (piece < cover->count && cover->end_ns[piece] <= start_ns)
				piece++;
			if (piece < cover->count && cover->start_ns[piece] < end_ns)
				words_add(words, i);
		}
	}
}

static void
fill_gc(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	if (has_gc(table, QUERY_GC_WORKER))
		fill_kinds(run, table, words);
	if (has_gc(table, QUERY_GC_MARK))
		fill_cover(run, &run->trace->gc, words);
	if (has_gc(table, QUERY_GC_STW))
		fill_cover(run, &run->trace->stw, words);
}

/* ---- by field */

static const struct {
	bool (*prepare)(struct query_run *run, struct query_table *table, struct error *err);
	void (*fill)(const struct query_run *run, const struct query_table *table, uint64_t *words);
} fields[FIELD_COUNT] = {
	[FIELD_WORD] = { prepare_word, fill_nothing },
	[FIELD_ACTOR] = { prepare_actor_ids, fill_actors },
	[FIELD_PROCESSOR] = { prepare_processors, fill_processors },
	[FIELD_THREAD] = { prepare_threads, fill_threads },
	[FIELD_NAME] = { prepare_names, fill_actors },
	[FIELD_FUNC] = { prepare_funcs, fill_funcs },
	[FIELD_STATE] = { prepare_states, fill_kinds },
	[FIELD_CLASS] = { prepare_classes, fill_kinds },
	[FIELD_REASON] = { prepare_reasons, fill_kinds },
	[FIELD_DURATION] = { prepare_times, fill_times },
	[FIELD_START] = { prepare_times, fill_times },
	[FIELD_END] = { prepare_times, fill_times },
	[FIELD_TASK] = { query_cover_tasks, fill_nothing },
	[FIELD_TASK_DURATION] = { query_cover_tasks, fill_nothing },
	[FIELD_REGION] = { query_cover_regions, fill_nothing },
	[FIELD_REGION_DURATION] = { query_cover_long_regions, fill_nothing },
	[FIELD_LABEL] = { query_cover_labels, fill_nothing },
	[FIELD_LOG] = { query_cover_logs, fill_nothing },
	[FIELD_WAKE_ACTOR] = { prepare_actor_ids, fill_wakers },
	[FIELD_WAKE_NAME] = { prepare_names, fill_wakers },
	[FIELD_WAKE_FUNC] = { prepare_stacks, fill_wake_stacks },
	[FIELD_GC] = { prepare_gc, fill_gc },
	[FIELD_SYSCALL] = { query_cover_losses, fill_nothing },
	[FIELD_DEPTH] = { prepare_times, fill_nothing }, /* of slices alone */
};

bool
query_table_is_by_kind(const struct query_table *table)
{
	return fields[table->term->field].fill == fill_kinds && table->states == NULL;
}

bool
query_table_init(struct query_run *run, struct query_table *table, const struct query_term *term,
	struct error *err)
{
	bool is_any = term->test == TEST_TEXT && term->text_length == 0;
	table->term = term;
	/* That a text is empty is said as: it is not any. */
	table->is_turned = term->is_negated != is_any;
	return fields[term->field].prepare(run, table, err);
}

void
query_table_release(const struct query_run *run, struct query_table *table)
{
	for (uint32_t i = 0; table->states != NULL && i < run->trace->segments.count; i++)
		bits_release(&table->states[i]);
	memory_free(table->states);
	bits_release(&table->refs);
	bits_release(&table->stacks);
}

void
query_table_fill(const struct query_run *run, const struct query_table *table, uint64_t *words)
{
	fields[table->term->field].fill(run, table, words);
	if (table->states == NULL)
		return;
	const struct bits *states = &table->states[run->index];
	for (uint32_t i = 0; i < states->limit / 64 + 1; i++)
		words[i] |= states->words[i];
}
