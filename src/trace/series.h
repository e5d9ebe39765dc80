/*
 * The spans of one actor, processor or thread as a series: items numbered from 0
 * (ordinals), spread over runs in segments. What lanes and searches build their
 * answers on. Not for others.
 */
#ifndef TTRACE_TRACE_SERIES_H
#define TTRACE_TRACE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/segment.h"
#include "trace/span.h"

struct series {
	const struct trace *trace;
	struct lane lane;
	const struct run_ref *runs; /* in time order; never empty in a series that was opened */
	uint32_t run_count;
	uint32_t item_count;
};

/* One item's place. */
struct item {
	uint32_t at;            /* index into series.runs */
	uint32_t index;         /* within that run */
	/* Of the run: */
	const struct segment *segment;
	const struct resource_column *column; /* NULL for actors */
	uint32_t first, count, ordinal, checkpoint;
	uint32_t carry;         /* of processors and threads: the run, which has one; REF_NONE for none */
};

/* What a segment has of processors or threads; NULL for actors. */
static inline const struct resource_column *
series_column(const struct segment *segment, enum lane_type type)
{
	if (type == LANE_PROCESSOR)
		return &segment->processors;
	return type == LANE_THREAD ? &segment->threads : NULL;
}

/* False for a lane without items. */
bool series_open(const struct trace *trace, struct lane lane, struct series *series);
/* The same to find by time and to step only: it need not look at the end, and item_count is 0. */
bool series_open_runs(const struct trace *trace, struct lane lane, struct series *series);
/* Puts the item at the beginning of a run, which may be empty. */
void series_enter(const struct series *series, uint32_t at, struct item *item);
/* The same for a look at heads only: the columns of its segment may be unchecked. */
void series_look_at_run(const struct series *series, uint32_t at, struct item *item);
/*
 * That what will be looked at is near by then: by series_prefetch_run(), by series_enter(), by
 * series_anchor_sums() and, in stages of which each looks at what the one before had fetched, by
 * series_pass() to or from the nearest anchor. In series_near.c but for series_prefetch().
 */
enum { SERIES_PASS_STAGES = 3 };
void series_prefetch_head(const struct series *series, uint32_t at);
void series_prefetch_run(const struct series *series, uint32_t at);
void series_prefetch(const struct series *series, const struct item *item);
void series_prefetch_pass(const struct series *series, const struct item *item, int stage);
/* The last item that begins at or before t; false before the first. O(log n). */
bool series_find(const struct series *series, int64_t t_ns, struct item *item);
/*
 * The same for `count` moments, at least one and SERIES_EACH_MOST at most, ascending; several
 * times faster than one by one. Before the first item the count of the run is 0.
 */
enum { SERIES_EACH_MOST = 64 };
void series_find_each(const struct series *series, const int64_t *t_ns, int count,
                      struct item *items);
/*
 * The same without a need to look at segments that end before their moment: the columns of the
 * items' segments may be unchecked, so that only heads may be asked of them, see series_check().
 */
void series_find_heads(const struct series *series, const int64_t *t_ns, int count,
                       struct item *items);
/* That all of the item's segment may be looked at. */
static inline void
series_check(const struct series *series, const struct item *item)
{
	trace_segment(series->trace, series->runs[item->at].segment);
}
/*
 * For moments that ascend, the run in which that item should be: all items of the runs before it
 * begin by the moment, none of those behind it does; the run itself is not looked at.
 */
void series_runs_by(const struct series *series, const int64_t *t_ns, int count, uint32_t *runs);
/* The item of an ordinal below item_count. O(log runs). */
void series_item(const struct series *series, uint32_t ordinal, struct item *item);
/* Steps to the item after; false at the last one. */
bool series_step(const struct series *series, struct item *item);

static inline uint32_t
item_ordinal(const struct item *item)
{
	return item->ordinal + item->index;
}

/* Of the item at an index of the same run: the index of its state in the segment. */
static inline uint32_t
item_state_at(const struct item *item, uint32_t index)
{
	uint32_t at = item->first + index;

	return item->column == NULL ? at : state_list_at(&item->column->entries, at);
}

/* Index of its state in the segment. */
static inline uint32_t
item_state(const struct item *item)
{
	return item_state_at(item, item->index);
}

static inline int64_t
item_start_ns(const struct item *item)
{
	return segment_start_ns(item->segment, item_state(item));
}

/* The end; the trace's end where it is open. */
int64_t item_end_ns(const struct series *series, const struct item *item, bool *is_open);
const struct state_kind *item_kind(const struct series *series, const struct item *item);
enum time_class item_class(const struct series *series, const struct item *item);

/*
 * The anchor of an item: the last one at or before it that has a checkpoint, or begins a run with
 * a carry, or is the first one of all. Looks at heads only. O(block).
 */
void series_anchor(const struct series *series, const struct item *of, struct item *anchor);
/* The time per class of all items before an anchor. */
void series_anchor_sums(const struct series *series, const struct item *anchor,
                        int64_t sums_ns[CLASS_COUNT]);
/*
 * The anchor that the item's block ends at, where that is in the same run and nearer than the one
 * before; else false.
 */
bool series_anchor_behind(const struct series *series, const struct item *of,
                          const struct item *anchor, struct item *behind);

/* Sums up to a time: of an actor at any moment of an item, else at its end. */
struct sums_behind {
	int64_t sums_ns[CLASS_COUNT];
	int64_t until_ns;
	enum time_class time_class; /* of the item */
};

/*
 * Of the last item of a run, what the next run's carry says. Looks at heads only. False where
 * there is none.
 */
bool series_sums_behind(const struct series *series, const struct item *of,
                        struct sums_behind *behind);
/*
 * Goes from an item to another that is not before it and adds the time per class of those
 * passed, CLASS_GONE as well. O(their number).
 */
void series_pass(const struct series *series, struct item *item, const struct item *to,
                 int64_t sums_ns[CLASS_COUNT]);

/* What the checkpoint at the end of a block says of it. */
struct block_summary {
	int64_t longest_ns;
	uint32_t longest_ordinal;
	class_mask classes;
};

/* Items per block of this series. */
uint32_t series_block(const struct series *series);
/* False for the last block, which no checkpoint closes. */
bool series_block_summary(const struct series *series, uint32_t block,
                          struct block_summary *summary);

/* The processor that a running state or a syscall has or had, else REF_NONE. In series_span.c. */
resource_ref item_processor(const struct series *series, const struct item *item);
/* Everything about an item. Likewise. */
void item_span(const struct series *series, const struct item *item, struct span *span);

#endif
