/*
 * Segment by segment, from the last to the first, so that the end of a run is always known.
 * Each term becomes a set of states, the steps of the query join the sets. What the kind of
 * a state says alone (state=blocked) spares the other terms a look at all states of other
 * kinds.
 */
#include "query/query_match.h"

#include <string.h>

#include "base/memory.h"
#include "query/watch.h"

/* ---- verdicts */

static enum query_verdict
turn(enum query_verdict verdict)
{
	if (verdict == VERDICT_OPEN)
		return VERDICT_OPEN;
	return verdict == VERDICT_YES ? VERDICT_NO : VERDICT_YES;
}

/* `decides` is what one of them needs to be to settle it. */
static enum query_verdict
join(enum query_verdict a, enum query_verdict b, enum query_verdict decides)
{
	if (a == decides || b == decides)
		return decides;
	return a == VERDICT_OPEN || b == VERDICT_OPEN ? VERDICT_OPEN : turn(decides);
}

enum query_verdict
query_judge(const struct query *query, enum query_verdict (*term)(void *context, uint32_t index),
	void *context)
{
	enum query_verdict stack[QUERY_MOST_DEPTH + 1];
	size_t level = 0;
	for (size_t i = 0; i < query->step_count; i++) {
		const struct query_step *step = &query->steps[i];
		if (step->operator == STEP_TERM) {
			stack[level++] = term(context, step->term);
		} else if (step->operator == STEP_NOT) {
			stack[level - 1] = turn(stack[level - 1]);
		} else {
			level--;
			stack[level - 1] = join(stack[level - 1], stack[level],
				step->operator == STEP_AND ? VERDICT_NO : VERDICT_YES);
		}
	}
	return stack[0];
}

/* ---- verdicts by kind */

struct kind_judging {
	const struct query_run *run;
	uint32_t kind;
};

static enum query_verdict
kind_verdict(void *context, uint32_t term)
{
	const struct kind_judging *judging = context;
	const struct query_table *table = &judging->run->tables[term];
	if (!query_table_is_by_kind(table))
		return VERDICT_OPEN;
	return table->kinds[judging->kind] != table->is_turned ? VERDICT_YES : VERDICT_NO;
}

static void
find_verdicts(struct query_run *run)
{
	for (uint32_t kind = 0; kind < run->trace->kind_count; kind++) {
		struct kind_judging judging = { run, kind };
		run->verdicts[kind] = run->trace->kinds[kind].state == STATE_GONE
					      ? VERDICT_NO
					      : query_judge(run->query, kind_verdict, &judging);
	}
}

/* ---- the steps on sets */

static bool
reserve_words(struct query_run *run, size_t level, struct error *err)
{
	if (run->words[level] == NULL)
		run->words[level] = array_new(run->word_count, sizeof(*run->words[level]), err);
	return run->words[level] != NULL;
}

static void
turn_words(uint64_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		words[i] = ~words[i];
}

static void
join_words(uint64_t *words, const uint64_t *others, uint32_t count, enum query_operator operator)
{
	for (uint32_t i = 0; i < count; i++)
		words[i] = operator == STEP_AND ? words[i] & others[i] : words[i] | others[i];
}

/* The segment's set, as far as the verdicts are open, in words[0]. */
static bool
carry_out_steps(struct query_run *run, struct error *err)
{
	uint32_t count = run->segment->state_count / 64 + 1;
	size_t level = 0;
	for (size_t i = 0; i < run->query->step_count; i++) {
		const struct query_step *step = &run->query->steps[i];
		if (step->operator == STEP_TERM) {
			const struct query_table *table = &run->tables[step->term];
			if (!reserve_words(run, level, err))
				return false;
			memset(run->words[level], 0, count * sizeof(*run->words[level]));
			query_table_fill(run, table, run->words[level]);
			if (table->is_turned)
				turn_words(run->words[level], count);
			level++;
			if (!search_watch_goes_on(run->watch, run->segment->state_count))
				return error_set(err, ERROR_CANCELLED, "the search was cancelled");
		} else if (step->operator == STEP_NOT) {
			turn_words(run->words[level - 1], count);
		} else {
			level--;
			join_words(run->words[level - 1], run->words[level], count, step->operator);
		}
	}
	return true;
}

static bool
is_open(const struct query_run *run)
{
	for (uint32_t kind = 0; kind < run->trace->kind_count; kind++)
		if (run->verdicts[kind] == VERDICT_OPEN)
			return true;
	return false;
}

static bool
match_segment(struct query_run *run, struct bits *states, struct error *err)
{
	uint32_t count = run->segment->state_count;
	bool has_open = is_open(run);
	if (!bits_init(states, count, err) || (has_open && !carry_out_steps(run, err)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		enum query_verdict verdict = run->verdicts[run->segment->kind[i] & KIND_MASK];
		if (verdict == VERDICT_YES || (verdict == VERDICT_OPEN &&
						      run->words[0][i / 64] >> (i % 64) & 1))
			bits_add(states, i);
	}
	return true;
}

/* ---- from segment to segment */

static bool
match_segments(struct query_run *run, struct bits *states, struct error *err)
{
	for (uint32_t i = run->trace->segments.count; i > 0; i--) {
		run->index = i - 1;
		run->segment = trace_segment(run->trace, run->index);
		if (!match_segment(run, &states[run->index], err))
			return false;
		for (uint32_t r = 0; r < run->segment->run_count; r++) {
			const struct run *of = &run->segment->runs[r];
			run->after[of->actor] = (struct state_at){ run->segment, of->first };
		}
	}
	return true;
}

static bool
init_run(struct query_run *run, struct error *err)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < run->trace->segments.count; i++) {
		uint32_t count = trace_segment_head(run->trace, i)->state_count;
		most = count > most ? count : most;
	}
	run->word_count = most / 64 + 1;
	run->after = array_new(trace_actor_count(run->trace), sizeof(*run->after), err);
	if (run->after == NULL)
		return false;
	for (size_t i = 0; i < run->query->term_count; i++)
		if (!query_table_init(run, &run->tables[i], &run->query->terms[i], err))
			return false;
	find_verdicts(run);
	return true;
}

static void
release_run(struct query_run *run)
{
	for (size_t i = 0; i < run->query->term_count; i++)
		query_table_release(run, &run->tables[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(run->words); i++)
		memory_free(run->words[i]);
	memory_free(run->after);
	memory_free(run);
}

bool
query_match(struct query *query, const struct trace *trace, struct search_watch *watch,
	struct bits *states, struct error *err)
{
	struct query_run *run = array_new(1, sizeof(*run), err);
	if (run == NULL)
		return false;
	run->trace = trace;
	run->watch = watch;
	run->query = query;
	bool is_fine = init_run(run, err) && match_segments(run, states, err);
	release_run(run);
	return is_fine;
}
