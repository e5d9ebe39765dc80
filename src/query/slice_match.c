/* Which slices a query matches: column by column, each slice by the steps of the query. */
#include "query/slice_match.h"

#include "base/memory.h"
#include "base/sort.h"
#include "query/query_match.h"

struct matching {
	const struct trace *trace;
	const struct query *query;
	struct query_strings strings[QUERY_MOST_TERMS]; /* of terms about names */
	const struct track *track; /* of the column that is looked at ... */
	uint32_t depth;            /* ... its depth ... */
	struct slice slice;        /* ... and a slice of it */
};

static bool
is_about_names(const struct query_term *term)
{
	return term->field == FIELD_WORD || term->field == FIELD_NAME || term->field == FIELD_FUNC;
}

static bool
is_in_range(const struct query_term *term, int64_t value)
{
	return value >= term->least && value <= term->most;
}

static bool
term_matches(struct matching *matching, uint32_t index)
{
	const struct query_term *term = &matching->query->terms[index];
	const struct slice *slice = &matching->slice;
	const struct track *track = matching->track;
	if (is_about_names(term))
		return query_strings_has(&matching->strings[index], slice->name);
	switch (term->field) {
	case FIELD_DURATION:
		return is_in_range(term, slice->end_ns - slice->start_ns);
	case FIELD_START:
		return is_in_range(term, slice->start_ns);
	case FIELD_END:
		return is_in_range(term, slice->end_ns);
	case FIELD_DEPTH:
		return is_in_range(term, matching->depth);
	case FIELD_ACTOR:
		return track->owner == TRACK_OF_ACTOR &&
		       is_in_range(term, trace_actor(matching->trace, track->ref)->id);
	case FIELD_PROCESSOR:
		return track->owner == TRACK_OF_RESOURCE &&
		       is_in_range(term, trace_processor(matching->trace, track->ref)->id);
	default:
		return false;
	}
}

static enum query_verdict
judge_term(void *context, uint32_t index)
{
	struct matching *matching = context;
	const struct query_term *term = &matching->query->terms[index];
	/* That a text is empty is said as: it is not any. */
	bool is_any = term->test == TEST_TEXT && term->text_length == 0;
	bool matches = term_matches(matching, index) != (term->is_negated != is_any);
	return matches ? VERDICT_YES : VERDICT_NO;
}

static bool
match_column(struct slice_matches *matches, struct matching *matching, column_ref column,
	struct search_watch *watch, struct error *err)
{
	enum { SLICES_PER_LOOK = 4096 };
	const struct slices *slices = matching->trace->slices;
	uint32_t count = slices_in_column(slices, column);
	struct bits *set = &matches->sets[column];
	if (!bits_init(set, count, err))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (i % SLICES_PER_LOOK == 0 && !search_watch_check(watch, 0, err))
			return false;
		slices_get(slices, column, i, &matching->slice);
		if (query_judge(matching->query, judge_term, matching) == VERDICT_NO)
			continue;
		if (!array_reserve(&matches->items, &matches->capacity, matches->count + 1,
			    sizeof *matches->items, err))
			return false;
		matches->items[matches->count++] =
			(struct slice_match){ matching->slice.start_ns, column, i };
		bits_add(set, i);
	}
	bits_rank(set);
	return true;
}

static int
compare_matches(const void *left, const void *right)
{
	const struct slice_match *a = left, *b = right;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool
match_all(struct slice_matches *matches, struct matching *matching, struct search_watch *watch,
	struct error *err)
{
	const struct slices *slices = matching->trace->slices;
	for (track_ref i = 0; i < slices_track_count(slices); i++) {
		matching->track = slices_track_at(slices, i);
		for (uint32_t depth = 0; depth < matching->track->depth_count; depth++) {
			matching->depth = depth;
			if (!match_column(matches, matching, matching->track->first_column + depth,
				    watch, err))
				return false;
		}
	}
	const struct sort sort = { matches->items, matches->count, sizeof *matches->items,
		compare_matches };
	return matches->count == 0 || sort_items(&sort, search_watch_cancel_flag(watch), err);
}

bool
slice_matches_find(struct slice_matches *matches, const struct trace *trace,
	const struct query *query, struct search_watch *watch, struct error *err)
{
	*matches = (struct slice_matches){ 0 };
	if (trace->slices == NULL)
		return true;
	struct matching *matching = array_new(1, sizeof *matching, err);
	matches->set_count = slices_column_count(trace->slices);
	matches->sets = array_new(matches->set_count, sizeof *matches->sets, err);
	bool is_fine = matching != NULL && matches->sets != NULL;
	if (matching != NULL) {
		matching->trace = trace;
		matching->query = query;
	}
	for (size_t i = 0; is_fine && i < query->term_count; i++)
		if (is_about_names(&query->terms[i]))
			is_fine = query_strings_init(
				&matching->strings[i], trace, &query->terms[i], err);
	is_fine = is_fine && match_all(matches, matching, watch, err);
	for (size_t i = 0; matching != NULL && i < query->term_count; i++)
		query_strings_release(&matching->strings[i]);
	memory_free(matching);
	return is_fine;
}

void
slice_matches_release(struct slice_matches *matches)
{
	for (uint32_t i = 0; matches->sets != NULL && i < matches->set_count; i++)
		bits_release(&matches->sets[i]);
	memory_free(matches->sets);
	memory_free(matches->items);
	*matches = (struct slice_matches){ 0 };
}
