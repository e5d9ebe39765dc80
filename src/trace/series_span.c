/* Series: everything that is known of one item. */
#include "trace/series.h"

/* The processor of a syscall: that of the running state right before it. */
static resource_ref
processor_of_syscall(const struct series *series, const struct item *item)
{
	const struct segment *segment = item->segment;
	uint32_t at = item_state(item);
	const struct run *run = segment_run_of(segment, at);
	struct series states;
	struct item state;
	const struct state_kind *kind;

	if (series->lane.type == LANE_PROCESSOR)
		return series->lane.ref;
	if (at > run->first && segment_start_ns(segment, at - 1) < item_start_ns(item)) {
		kind = &series->trace->kinds[segment->kind[at - 1] & KIND_MASK];
		return kind->state == STATE_RUNNING ? segment_site(segment, at - 1)->origin : REF_NONE;
	}
	if (!series_open(series->trace, (struct lane){ LANE_ACTOR, run->actor }, &states) ||
	    !series_find(&states, item_start_ns(item) - 1, &state))
		return REF_NONE;
	kind = item_kind(&states, &state);
	if (kind->state != STATE_RUNNING)
		return REF_NONE;
	return segment_site(state.segment, item_state(&state))->origin;
}

resource_ref
item_processor(const struct series *series, const struct item *item)
{
	switch (item_kind(series, item)->state) {
	case STATE_RUNNING:
		return segment_site(item->segment, item_state(item))->origin;
	case STATE_SYSCALL:
		return processor_of_syscall(series, item);
	case STATE_READY:
	case STATE_BLOCKED:
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_COUNT:
		break;
	}
	return REF_NONE;
}

static void
fill_resources(const struct item *item, struct span *span)
{
	const struct site *site = segment_site(item->segment, span->state);

	switch (span->kind->state) {
	case STATE_RUNNING:
		span->thread = site->place;
		break;
	case STATE_SYSCALL:
		span->stack = site->place;
		span->thread = site->origin;
		break;
	case STATE_READY:
		span->waker = waker_of(span->kind, site->origin);
		if (waker_is_named(span->kind))
			span->waker_stack = site->place;
		else if (span->kind->entry == ENTRY_STOPPED)
			span->stack = site->place;
		break;
	case STATE_BLOCKED:
		span->stack = site->place;
		break;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_COUNT:
		break;
	}
}

void
item_span(const struct series *series, const struct item *item, struct span *span)
{
	uint32_t state = item_state(item);

	*span = (struct span){
		.start_ns = item_start_ns(item),
		.kind = item_kind(series, item),
		.processor = item_processor(series, item),
		.thread = REF_NONE,
		.waker = WAKER_NONE,
		.range = REF_NONE,
		.segment = series->runs[item->at].segment,
		.state = state,
		.ordinal = item_ordinal(item),
		.actor = segment_run_of(item->segment, state)->actor,
	};
	span->time_class = span->kind->time_class;
	span->end_ns = item_end_ns(series, item, &span->is_open);
	fill_resources(item, span);
}
