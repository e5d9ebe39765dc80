/* What things of a trace are called on the screen. */
#include "draw/names.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/go/syscall_loss.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/words.h"

enum { SHORTEST_NAME_CELLS = 5 }; /* a function name in less tells nothing */

void
name_string(struct text *out, const struct trace *trace, string_id string, bool ascii)
{
	size_t length = 0;
	const char *bytes = trace_text(trace, string, &length);
	text_add_safe(out, bytes, length, ascii);
}

void
name_string_within(
	struct text *out, const struct trace *trace, string_id string, size_t cells, bool ascii)
{
	size_t start = out->length;
	name_string(out, trace, string, ascii);
	text_cut(out, start, cells, ascii);
}

void
name_short_bytes(struct text *out, const char *bytes, size_t length, size_t cells, bool ascii)
{
	struct text safe = { 0 };
	text_add_safe(&safe, bytes, length, ascii);
	if (safe.length > 0)
		text_add_short_name(out, safe.bytes, safe.length, cells, ascii);
	text_release(&safe);
}

void
name_short_string(
	struct text *out, const struct trace *trace, string_id string, size_t cells, bool ascii)
{
	size_t length = 0;
	const char *bytes = trace_text(trace, string, &length);
	name_short_bytes(out, bytes, length, cells, ascii);
}

static void
name_or(struct text *out, const struct trace *trace, string_id name, size_t cells, bool ascii,
	const char *unknown)
{
	if (name != STRING_EMPTY)
		name_short_string(out, trace, name, cells, ascii);
	else
		text_add(out, unknown, text_fit(unknown, strlen(unknown), cells, NULL));
}

void
name_called(struct text *out, const struct trace *trace, string_id function, size_t cells, bool ascii)
{
	name_or(out, trace, function, cells, ascii, NAME_CALLED_UNKNOWN);
}

void
name_function(struct text *out, const struct trace *trace, string_id name, size_t cells, bool ascii)
{
	name_or(out, trace, name, cells, ascii, NAME_START_UNKNOWN);
}

bool
name_is_enough(const struct actor *actor)
{
	return actor->id < 0 && actor->name != STRING_EMPTY;
}

void
name_actor_id(struct text *out, const struct trace *trace, actor_ref ref)
{
	const struct actor *actor = trace_actor(trace, ref);
	if (name_is_enough(actor))
		name_string(out, trace, actor->name, true);
	else
		text_add_id(out, &trace->words->actor, actor->id);
}

void
name_processor(struct text *out, const struct trace *trace, resource_ref processor)
{
	text_add_id(out, &trace->words->processor, trace_processor(trace, processor)->id);
}

void
name_actor(struct text *out, const struct trace *trace, actor_ref actor, bool ascii)
{
	const struct actor *named = trace_actor(trace, actor);
	if (!name_is_enough(named)) {
		name_actor_id(out, trace, actor);
		text_add_string(out, named->name != STRING_EMPTY ? " " : "");
	}
	if (named->name != STRING_EMPTY)
		name_string(out, trace, named->name, ascii);
}

void
name_actor_within(struct text *out, const struct trace *trace, actor_ref actor,
	size_t cells, bool ascii)
{
	size_t start = out->length;
	string_id name = trace_actor(trace, actor)->name;
	if (name_is_enough(trace_actor(trace, actor))) {
		name_short_string(out, trace, name, cells, ascii);
		return;
	}
	name_actor_id(out, trace, actor);
	size_t used = out->length - start;
	if (used > cells) {
		out->length = start;
		return;
	}
	if (name == STRING_EMPTY || used + 1 + SHORTEST_NAME_CELLS > cells)
		return;
	text_add_string(out, " ");
	name_short_string(out, trace, name, cells - used - 1, ascii);
}

void
name_state(struct text *out, const struct trace *trace, const struct span *span, bool ascii)
{
	const struct state_kind *kind = span->kind;
	if (kind != NULL && kind->state == STATE_BLOCKED && kind->reason != STRING_EMPTY)
		name_string(out, trace, kind->reason, ascii);
	else
		text_add_string(out, class_name(trace->words, span->time_class));
}

void
name_whereabouts(struct text *out, const struct trace *trace, struct lane lane,
	const struct span *span, bool ascii)
{
	int64_t lost_ns;
	if (span->processor != REF_NONE && lane.type != LANE_PROCESSOR) {
		text_add_string(out, " on ");
		name_processor(out, trace, span->processor);
	}
	if (syscall_lost_processor(trace, span, &lost_ns)) {
		char held[UNITS_TEXT];
		units_duration(held, lost_ns - span->start_ns, ascii);
		if (lane.type == LANE_PROCESSOR)
			text_add_string(out, ", taken away"); /* where the span ends */
		else
			text_format(out, ", lost after %s", held);
	}
	if (span->thread != REF_NONE && lane.type != LANE_THREAD)
		text_format_words(out, trace->words, ", {thread} %" PRId64,
			trace_thread(trace, span->thread)->id);
}

static const struct {
	const char *word, *name;
} waker_words[WAKER_TYPE_COUNT] = {
	[WAKER_UNKNOWN] = { "", NULL },
	[WAKER_ACTOR] = { "{actor}", NULL },
	[WAKER_NETWORK] = { "network", "the network" },
	[WAKER_NETWORK_OR_DEADLINE] = { "network or deadline", "the network or its deadline" },
	[WAKER_TIMER] = { "timer", "a timer" },
	[WAKER_SCHEDULER] = { "scheduler", "the scheduler" },
};

const char *
name_waker_type(const struct words *words, enum waker_type type)
{
	return words_title(words, waker_words[type].word);
}

void
name_waker(struct text *out, const struct trace *trace, struct waker waker, bool ascii)
{
	assert(waker.type != WAKER_UNKNOWN);
	if (waker.type == WAKER_ACTOR) {
		name_actor(out, trace, waker.ref, ascii);
		return;
	}
	text_add_string(out, waker_words[waker.type].name);
	if (waker.ref == REF_NONE)
		return;
	text_add_string(out, " on ");
	name_processor(out, trace, waker.ref);
}

const char *
name_range_lane(struct lane lane)
{
	return lane.type == LANE_GC ? "GC mark phase" : "Stop the world";
}

/* ---- groups */

static void
name_task(struct text *out, const struct trace *trace, task_ref ref, size_t cells, bool ascii)
{
	const struct task *task = trace_task(trace, ref);
	char id[32];
	int length = snprintf(id, sizeof id, "%" PRId64, task->id);
	if (cells > (size_t)length + 1)
		name_string_within(out, trace, task->name, cells - (size_t)length - 1, ascii);
	text_format(out, "%s%s", out->length > 0 ? " " : "", id);
}

void
name_group(struct text *out, const struct trace *trace, group_ref group, size_t cells, bool ascii)
{
	static const char *const unknown[GROUP_BY_COUNT] = {
		[GROUP_BY_CREATOR] = "(creator unknown)",
		[GROUP_BY_LABEL] = "(no label)",
		[GROUP_BY_TASK] = "(no {task})",
		[GROUP_BY_STATE] = "(did nothing)",
	};
	enum group_by by = trace_grouped_by(trace);
	uint32_t key = trace_group_key(trace, group);
	if (by != GROUP_BY_NAME && trace_group_is_unknown(trace, group))
		text_add_words(out, trace->words, unknown[by]);
	else if (by == GROUP_BY_NAME)
		name_function(out, trace, key, cells, ascii);
	else if (by == GROUP_BY_CREATOR)
		name_actor_within(out, trace, key, cells, ascii);
	else if (by == GROUP_BY_LABEL)
		name_string_within(out, trace, key, cells, ascii);
	else if (by == GROUP_BY_TASK)
		name_task(out, trace, key, cells, ascii);
	else
		text_add_string(out, class_name(trace->words, (enum time_class)key));
}
