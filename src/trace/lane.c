/* The questions of lane.h about spans, of series of states and of global ranges. */
#include "trace/lane.h"

#include "base/sorted.h"
#include "trace/lane_parts.h"
#include "trace/series.h"

bool
cover_find(const struct cover *cover, int64_t t_ns, uint32_t *index)
{
	size_t until = sorted_until_i64(cover->start_ns, cover->count, t_ns);

	*index = (uint32_t)(until - 1);
	return until > 0;
}

const struct cover *
cover_of(const struct trace *trace, struct lane lane)
{
	return lane.type == LANE_GC ? &trace->gc : &trace->stw;
}

struct lane
lane_resolve(const struct trace *trace, struct lane lane)
{
	if (lane.type == LANE_GROUP && lane.ref < trace->group_count &&
	    trace->groups[lane.ref].count == 1)
		return (struct lane){ LANE_ACTOR,
			              trace->group_members[trace->groups[lane.ref].first] };
	return lane;
}

bool
lane_is_known(const struct trace *trace, struct lane lane)
{
	struct lane resolved = lane_resolve(trace, lane);

	return resolved.type != LANE_GROUP ||
	       (lane.ref < trace->group_count && trace->groups[lane.ref].changes != NULL);
}

static void
cover_span(const struct trace *trace, const struct cover *cover, uint32_t index, struct span *span)
{
	const struct range *range = trace_range(trace, cover->range[index]);

	*span = (struct span){
		.start_ns = cover->start_ns[index],
		.end_ns = cover->end_ns[index],
		.is_open = range->end_ns == TIME_OPEN,
		.time_class = CLASS_RUNNING,
		.actor = range_actor(range),
		.processor = REF_NONE,
		.thread = REF_NONE,
		.stack = range->start_stack,
		.waker = WAKER_NONE,
		.range = cover->range[index],
		.segment = REF_NONE,
		.state = REF_NONE,
		.ordinal = index,
	};
}

static bool
is_cover(struct lane lane)
{
	return lane.type == LANE_GC || lane.type == LANE_STW;
}

bool
lane_span_at(const struct trace *trace, struct lane lane, int64_t t_ns, struct span *span)
{
	struct series series;
	struct item item;
	uint32_t index;

	if (is_cover(lane)) {
		const struct cover *cover = cover_of(trace, lane);

		if (!cover_find(cover, t_ns, &index) || cover->end_ns[index] <= t_ns)
			return false;
		cover_span(trace, cover, index, span);
		return true;
	}
	if (!series_open(trace, lane_resolve(trace, lane), &series) ||
	    !series_find(&series, t_ns, &item) || item_class(&series, &item) == CLASS_GONE)
		return false;
	item_span(&series, &item, span);
	return t_ns < span->end_ns || (span->is_open && t_ns <= span->end_ns);
}

/* Blocks without a class of the mask are passed over as a whole. */
static bool
search_up(const struct series *series, uint32_t ordinal, class_mask mask, struct item *item)
{
	uint32_t block = series_block(series);
	struct block_summary summary;

	while (ordinal < series->item_count) {
		uint32_t end = (ordinal / block + 1) * block;

		if (!series_block_summary(series, ordinal / block, &summary) ||
		    (summary.classes & mask) != 0) {
			series_item(series, ordinal, item);
			for (; ordinal < end && ordinal < series->item_count; ordinal++) {
				if (CLASS_BIT(item_class(series, item)) & mask)
					return true;
				series_step(series, item);
			}
		}
		ordinal = end;
	}
	return false;
}

/* The last item with ordinal below `ordinal`. */
static bool
search_down(const struct series *series, uint32_t ordinal, class_mask mask, struct item *item)
{
	uint32_t block = series_block(series);
	struct block_summary summary;

	while (ordinal > 0) {
		uint32_t begin = (ordinal - 1) / block * block;

		if (!series_block_summary(series, begin / block, &summary) ||
		    (summary.classes & mask) != 0) {
			while (ordinal > begin) {
				series_item(series, --ordinal, item);
				if (CLASS_BIT(item_class(series, item)) & mask)
					return true;
			}
		}
		ordinal = begin;
	}
	return false;
}

static bool
give(const struct series *series, const struct item *item, struct span *span)
{
	item_span(series, item, span);
	return true;
}

/* The class that CLASS_GONE stands for is no span. */
static class_mask
proper(class_mask mask)
{
	return mask & CLASS_MASK_ALL;
}

bool
lane_next(const struct trace *trace, struct lane lane, int64_t t_ns, class_mask mask,
          struct span *span)
{
	struct series series;
	struct item item;
	uint32_t from = 0, index = 0;

	if (is_cover(lane)) {
		const struct cover *cover = cover_of(trace, lane);

		if (t_ns > INT64_MIN && cover_find(cover, t_ns - 1, &index))
			index++;
		else
			index = 0;
		if (index >= cover->count)
			return false;
		cover_span(trace, cover, index, span);
		return true;
	}
	if (!series_open(trace, lane_resolve(trace, lane), &series))
		return false;
	if (t_ns > INT64_MIN && series_find(&series, t_ns - 1, &item))
		from = item_ordinal(&item) + 1;
	return search_up(&series, from, proper(mask), &item) && give(&series, &item, span);
}

bool
lane_previous(const struct trace *trace, struct lane lane, int64_t t_ns, class_mask mask,
              struct span *span)
{
	struct series series;
	struct item item;
	uint32_t index;

	if (t_ns == INT64_MIN)
		return false;
	if (is_cover(lane)) {
		if (!cover_find(cover_of(trace, lane), t_ns - 1, &index))
			return false;
		cover_span(trace, cover_of(trace, lane), index, span);
		return true;
	}
	return series_open(trace, lane_resolve(trace, lane), &series) &&
	       series_find(&series, t_ns - 1, &item) &&
	       search_down(&series, item_ordinal(&item) + 1, proper(mask), &item) &&
	       give(&series, &item, span);
}

static bool
neighbour(const struct trace *trace, struct lane lane, const struct span *of, bool forward,
          struct span *span)
{
	struct series series;
	struct item item;

	if (is_cover(lane)) {
		const struct cover *cover = cover_of(trace, lane);

		if (forward ? of->ordinal + 1 >= cover->count : of->ordinal == 0)
			return false;
		cover_span(trace, cover, forward ? of->ordinal + 1 : of->ordinal - 1, span);
		return true;
	}
	if (!series_open(trace, lane_resolve(trace, lane), &series))
		return false;
	if (forward)
		return search_up(&series, of->ordinal + 1, CLASS_MASK_ALL, &item) &&
		       give(&series, &item, span);
	return search_down(&series, of->ordinal, CLASS_MASK_ALL, &item) &&
	       give(&series, &item, span);
}

bool
lane_after(const struct trace *trace, struct lane lane, const struct span *of, struct span *span)
{
	return neighbour(trace, lane, of, true, span);
}

bool
lane_before(const struct trace *trace, struct lane lane, const struct span *of, struct span *span)
{
	return neighbour(trace, lane, of, false, span);
}

/* Ordinals of the items that overlap [t0, t1): [*first, *end). */
static bool
overlap(const struct series *series, int64_t t0_ns, int64_t t1_ns, uint32_t *first, uint32_t *end)
{
	struct item item;
	bool is_open;

	if (t1_ns <= t0_ns || !series_find(series, t1_ns - 1, &item))
		return false;
	*end = item_ordinal(&item) + 1;
	if (item_class(series, &item) == CLASS_GONE)
		(*end)--;
	*first = 0;
	if (series_find(series, t0_ns, &item)) {
		int64_t end_ns = item_end_ns(series, &item, &is_open);

		*first = item_ordinal(&item);
		if (end_ns + is_open <= t0_ns)
			(*first)++;
	}
	return *first < *end;
}

static uint32_t
cover_count(const struct cover *cover, int64_t t0_ns, int64_t t1_ns)
{
	uint32_t first, last;

	if (t1_ns <= t0_ns || !cover_find(cover, t1_ns - 1, &last))
		return 0;
	if (!cover_find(cover, t0_ns, &first))
		return last + 1;
	return last - first + (cover->end_ns[first] > t0_ns);
}

uint32_t
lane_count(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	struct series series;
	uint32_t first, end;

	if (is_cover(lane))
		return cover_count(cover_of(trace, lane), t0_ns, t1_ns);
	if (!series_open(trace, lane_resolve(trace, lane), &series) ||
	    !overlap(&series, t0_ns, t1_ns, &first, &end))
		return 0;
	return end - first;
}

/* The longest so far, by the part within [t0, t1). */
struct longest {
	int64_t t0_ns, t1_ns;
	int64_t part_ns;
	struct item item;
	bool found;
};

static void
consider(const struct series *series, const struct item *item, class_mask mask,
         struct longest *longest)
{
	int64_t start_ns = item_start_ns(item), end_ns;
	bool is_open;

	if ((CLASS_BIT(item_class(series, item)) & mask) == 0)
		return;
	end_ns = item_end_ns(series, item, &is_open);
	if (start_ns < longest->t0_ns)
		start_ns = longest->t0_ns;
	if (end_ns > longest->t1_ns)
		end_ns = longest->t1_ns;
	if (longest->found && end_ns - start_ns <= longest->part_ns)
		return;
	longest->found = true;
	longest->part_ns = end_ns - start_ns;
	longest->item = *item;
}

static void
consider_all(const struct series *series, uint32_t first, uint32_t end, class_mask mask,
             struct longest *longest)
{
	struct item item;

	if (first >= end)
		return;
	series_item(series, first, &item);
	for (uint32_t i = first; i < end; i++) {
		consider(series, &item, mask, longest);
		series_step(series, &item);
	}
}

/* A whole block: passed over where nothing in it can be longer. */
static void
consider_block(const struct series *series, uint32_t block, class_mask mask,
               struct longest *longest)
{
	uint32_t size = series_block(series);
	struct block_summary summary;
	struct item item;

	if (!series_block_summary(series, block, &summary)) {
		consider_all(series, block * size, series->item_count, mask, longest);
		return;
	}
	if ((summary.classes & mask) == 0 ||
	    (longest->found && summary.longest_ns <= longest->part_ns))
		return;
	series_item(series, summary.longest_ordinal, &item);
	if (CLASS_BIT(item_class(series, &item)) & mask)
		consider(series, &item, mask, longest);
	else
		consider_all(series, block * size, (block + 1) * size, mask, longest);
}

static bool
cover_longest(const struct trace *trace, const struct cover *cover, int64_t t0_ns, int64_t t1_ns,
              struct span *span)
{
	uint32_t first, last, best = REF_NONE;
	int64_t best_ns = -1;

	if (t1_ns <= t0_ns || !cover_find(cover, t1_ns - 1, &last))
		return false;
	if (!cover_find(cover, t0_ns, &first))
		first = 0;
	for (uint32_t i = first; i <= last; i++) {
		int64_t start_ns = cover->start_ns[i] > t0_ns ? cover->start_ns[i] : t0_ns;
		int64_t end_ns = cover->end_ns[i] < t1_ns ? cover->end_ns[i] : t1_ns;

		if (end_ns > start_ns && end_ns - start_ns > best_ns) {
			best_ns = end_ns - start_ns;
			best = i;
		}
	}
	if (best == REF_NONE)
		return false;
	cover_span(trace, cover, best, span);
	return true;
}

bool
lane_longest(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns,
             class_mask mask, struct span *span)
{
	struct longest longest = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	struct series series;
	uint32_t first, end, block;

	if (is_cover(lane))
		return cover_longest(trace, cover_of(trace, lane), t0_ns, t1_ns, span);
	if (!series_open(trace, lane_resolve(trace, lane), &series) ||
	    !overlap(&series, t0_ns, t1_ns, &first, &end))
		return false;
	mask = proper(mask);
	block = series_block(&series);
	while (first < end) {
		uint32_t next = (first / block + 1) * block;

		/* Items at the two ends may reach beyond the interval: looked at one by one. */
		if (first % block != 0 || next >= end || longest.found == false) {
			next = next < end ? next : end;
			consider_all(&series, first, next, mask, &longest);
		} else {
			consider_block(&series, first / block, mask, &longest);
		}
		first = next;
	}
	return longest.found && give(&series, &longest.item, span);
}

void
lane_life(const struct trace *trace, struct lane lane, int64_t *start_ns, int64_t *end_ns)
{
	struct series series;
	struct item item;
	struct lane resolved = lane_resolve(trace, lane);

	*start_ns = 0;
	*end_ns = trace->end_ns;
	if (!series_open(trace, resolved, &series))
		return;
	series_item(&series, 0, &item);
	*start_ns = item_start_ns(&item);
	if (resolved.type == LANE_ACTOR &&
	    trace_actor(trace, resolved.ref)->end_ns != TIME_OPEN)
		*end_ns = trace_actor(trace, resolved.ref)->end_ns;
}
