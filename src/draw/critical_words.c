/* Words for the parts of a critical path. */
#include "draw/critical_words.h"

#include <inttypes.h>

#include "base/units.h"
#include "draw/names.h"
#include "trace/lane.h"
#include "trace/words.h"

enum {
	MOST_PROCESSORS = 64, /* that are looked at */
	NAMED_PROCESSORS = 4, /* that are named one by one */
	MOST_SPANS = 100,     /* of a part, that are looked up beneath */
};

void
critical_add_state(
	struct text *out, const struct trace *trace, const struct state_kind *kind, bool ascii)
{
	if (kind == NULL) {
		text_add_string(out, "not known");
		return;
	}
	text_add_string(out, kind->time_class == CLASS_WORKER ? class_name(trace->words, CLASS_WORKER)
								 : state_name(kind->state));
	if (kind->reason == STRING_EMPTY)
		return;
	text_add_string(out, ": ");
	name_string(out, trace, kind->reason, ascii);
}

/* "woke G5 after 12.3 ms of chan receive" */
static void
add_wake(struct text *out, const struct trace *trace, const struct critical_wait *wait, bool ascii)
{
	char duration[UNITS_TEXT];
	units_duration(duration, wait->span.end_ns - wait->span.start_ns, ascii);
	text_add_string(out, "woke ");
	name_actor_id(out, trace, wait->span.actor);
	text_format(out, " after %s", duration);
	if (wait->span.kind->reason == STRING_EMPTY)
		return;
	text_add_string(out, " of ");
	name_string(out, trace, wait->span.kind->reason, ascii);
}

void
critical_add_how(struct text *out, const struct trace *trace, const struct critical_path *path,
	const struct critical_part *part, bool ascii)
{
	size_t length = out->length;
	switch (part->link) {
	case LINK_WOKE:
		add_wake(out, trace, &path->waits[part->wait], ascii);
		break;
	case LINK_CREATED:
		text_add_string(out, "created ");
		name_actor_id(out, trace, part->other);
		break;
	case LINK_RETURNED:
		text_add_string(out, "before it waited");
		break;
	case LINK_END:
	case LINK_BEFORE:
	case LINK_COUNT:
		break;
	}
	if (part->cause == CAUSE_STATE)
		return;
	if (out->length > length)
		text_add_string(out, ", ");
	text_add_words(out, trace->words, critical_cause_words(part->cause));
}

void
critical_add_processors(
	struct text *out, const struct trace *trace, int64_t from_ns, int64_t until_ns)
{
	uint32_t idle = 0, busy = 0, count = trace_processor_count(trace);
	for (resource_ref i = 0; i < count && i < MOST_PROCESSORS; i++) {
		struct lane lane = { LANE_PROCESSOR, i };
		struct span span;
		if (!lane_longest(trace, lane, from_ns, until_ns, CLASS_MASK_ALL, &span)) {
			idle++;
			continue;
		}
		if (++busy > NAMED_PROCESSORS)
			continue;
		text_add_string(out, busy == 1 ? "" : ", ");
		name_processor(out, trace, i);
		text_add_string(out, busy == 1 ? " ran " : " ");
		name_actor_id(out, trace, span.actor);
	}
	if (busy > NAMED_PROCESSORS)
		text_format_words(out, trace->words, " and %" PRIu32 " {processors} others",
			busy - NAMED_PROCESSORS);
	if (idle > 0)
		text_format_words(out, trace->words,
			idle == 1 ? "%s%" PRIu32 " {processor}%s nothing"
				  : "%s%" PRIu32 " {processors}%s nothing",
			busy > 0 ? ", " : "", idle, busy > 0 ? "" : " ran");
}

/* ---- beneath */

/* Adds up what the thread of a lane did during the part; the one that had no CPU longest is kept. */
static void
sum_beneath(const struct beneath *beneath, struct lane lane, const struct critical_part *part, int64_t *lost_ns,
	struct stretch_sums *worst)
{
	const struct trace *trace = beneath->above;
	struct span span;
	bool is_there = lane_span_at(trace, lane, part->start_ns, &span) ||
			lane_next(trace, lane, part->start_ns, CLASS_MASK_ALL, &span);
	for (int i = 0; i < MOST_SPANS && is_there && span.start_ns < part->end_ns; i++) {
		struct span within = span;
		struct stretch_sums sums;
		span_clip(&within, part->start_ns, part->end_ns);
		if (within.start_ns < within.end_ns && stretch_sum(&sums, beneath, &within)) {
			*lost_ns += sums.times_ns[BENEATH_READY] + sums.times_ns[BENEATH_ASLEEP];
			if (stretch_length(&sums.longest) > stretch_length(&worst->longest))
				*worst = sums;
		}
		is_there = lane_after(trace, lane, &span, &span);
	}
}

bool
critical_find_lost(struct critical_lost *lost, const struct beneath *beneath, const struct critical_part *part)
{
	const struct trace *trace = beneath->above;
	*lost = (struct critical_lost){ .processor = REF_NONE };
	if (part->kind == NULL || part->actor == REF_NONE)
		return false;
	bool is_ready = part->kind->state == STATE_READY;
	if (!is_ready)
		sum_beneath(beneath, (struct lane){ LANE_ACTOR, part->actor }, part, &lost->time_ns, &lost->worst);
	for (resource_ref i = 0; is_ready && i < trace_processor_count(trace) && i < MOST_PROCESSORS; i++) {
		struct critical_lost of_it = { .processor = i };
		sum_beneath(beneath, (struct lane){ LANE_PROCESSOR, i }, part, &of_it.time_ns, &of_it.worst);
		if (of_it.time_ns > lost->time_ns)
			*lost = of_it;
	}
	return lost->time_ns > 0 && lost->time_ns >= (part->end_ns - part->start_ns) / 10;
}

void
critical_add_lost(struct text *out, const struct beneath *beneath, const struct critical_lost *lost, bool ascii)
{
	const struct trace *trace = beneath->above;
	if (lost->processor != REF_NONE) {
		text_format_words(out, trace->words, "{thread} %" PRId64 " of ",
			trace_thread(trace, lost->worst.longest.thread)->id);
		name_processor(out, trace, lost->processor);
		text_add_string(out, ": ");
	}
	size_t length = out->length;
	stretch_add_longest_holder(out, &lost->worst, beneath, ascii);
	if (out->length == length)
		text_add_string(out, lost->worst.longest.asleep_ns > 0 ? "asleep" : "nobody knows");
}
