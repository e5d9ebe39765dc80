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
