/* What both traces tell of time without a CPU. */
#include "analysis/beneath/stretch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/beneath/throttle.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/slices.h"

/* ---- why */

/* Whether the text has it as a word, or as the end of one behind a colon. */
static bool
has_word(const struct trace *trace, string_id id, const char *word)
{
	size_t length, word_length = strlen(word);
	const char *text = trace_text(trace, id, &length);
	for (size_t i = 0; i + word_length <= length; i++)
		if (memcmp(text + i, word, word_length) == 0 && (i == 0 || text[i - 1] == ':' || text[i - 1] == ' '))
			return true;
	return false;
}

/* The call that the task is in then, by its slices. */
static string_id
call_at(const struct trace *below, actor_ref actor, int64_t t_ns)
{
	track_ref first;
	uint32_t count;
	struct slice slice;
	if (below->slices == NULL)
		return STRING_EMPTY;
	slices_tracks_of(below->slices, TRACK_OF_ACTOR, actor, &first, &count);
	for (uint32_t i = 0; i < count; i++) {
		const struct track *track = slices_track_at(below->slices, first + i);
		if (trace_text_is(below, track->name, "syscalls") &&
			slices_at(below->slices, track->first_column, t_ns, &slice))
			return slice.name;
	}
	return STRING_EMPTY;
}

/* A page fault that is told of is that which it sleeps in where nothing else can be so soon. */
enum { FAULT_NS = 100000 };

static bool
is_in_fault(const struct trace *below, actor_ref actor, int64_t t_ns)
{
	const struct ref_index *index = &below->actor_instants;
	if (actor >= index->key_count)
		return false;
	const uint32_t *refs = index->refs + index->first[actor];
	size_t count = index->first[actor + 1] - index->first[actor];
	size_t before = instants_before(below, refs, count, saturating_add_i64(t_ns, 1));
	if (before == 0)
		return false;
	const struct instant *instant = trace_instant(below, refs[before - 1]);
	return instant->type == INSTANT_LOG && t_ns - instant->time_ns <= FAULT_NS &&
	       (has_word(below, instant->category, "page_fault_user") ||
		       has_word(below, instant->category, "page_fault_kernel"));
}

struct reason
reason_of_sleep(const struct beneath_walk *walk, int64_t t_ns, bool is_in_call)
{
	const struct beneath *beneath = walk->beneath;
	const struct trace *below = beneath->below;
	const struct beneath_task *task = &beneath->tasks[walk->task];
	const struct state_kind *kind = item_kind(&task->series, &walk->item);
	bool is_uninterruptible = kind->time_class == CLASS_RUNTIME;
	t_ns = saturating_sub_i64(t_ns, beneath->delta_ns);
	struct reason reason = { REASON_STATE, call_at(below, task->actor, t_ns),
		kind->time_class != CLASS_SLEEP ? kind->reason : STRING_EMPTY };
	if (reason.call != STRING_EMPTY)
		reason.kind = REASON_CALL;
	else if (is_in_call)
		reason.kind = REASON_SYSCALL;
	else if (is_uninterruptible && is_in_fault(below, task->actor, t_ns))
		reason = (struct reason){ .kind = REASON_FAULT };
	return reason;
}

void
text_add_reason(struct text *out, const struct beneath *beneath, struct reason reason)
{
	static const char *const words[REASON_KINDS] = {
		[REASON_NONE] = "", [REASON_CPU] = "waited for a CPU", [REASON_THROTTLED] = "throttled",
		[REASON_FAULT] = "page fault", [REASON_CALL] = "", [REASON_SYSCALL] = "system call", [REASON_STATE] = "",
	};
	size_t length;
	const char *text = trace_text(beneath->below, reason.call, &length);
	text_add_string(out, words[reason.kind]);
	text_add(out, text, length);
	text = trace_text(beneath->below, reason.state, &length);
	if (reason.kind != REASON_STATE && length > 0)
		text_add_string(out, ", ");
	text_add(out, text, length);
	if (reason.kind == REASON_STATE && length == 0)
		text_add_string(out, "sleep");
}

struct reason
stretch_reason(const struct stretch *stretch, const struct beneath *beneath, const struct standstills *stills)
{
	struct reason reason = { REASON_NONE, STRING_EMPTY, STRING_EMPTY };
	struct beneath_walk walk;
	struct beneath_piece piece;
	int64_t most_ns = 0, length_ns = stretch_length(stretch);
	if (throttle_within(stills, stretch->from_ns, stretch->until_ns) > length_ns / 2)
		return (struct reason){ .kind = REASON_THROTTLED };
	if (stretch->asleep_ns < length_ns / 2)
		return reason;
	beneath_begin(&walk, beneath, stretch->thread, stretch->from_ns, stretch->until_ns);
	while (beneath_next(&walk, &piece)) {
		if (piece.state != BENEATH_ASLEEP || piece.is_seen || piece.until_ns - piece.from_ns <= most_ns)
			continue;
		most_ns = piece.until_ns - piece.from_ns;
		reason = reason_of_sleep(&walk, piece.from_ns, stretch->is_in_call);
	}
	return reason;
}

/* ---- who had the CPU */

/* Times are of the lower trace. */
struct queue {
	const struct trace *below;
	bool knows_idle;    /* no events were lost */
	struct map index_of; /* by name */
	struct had { string_id name; int64_t ns; } *had;
	size_t count, capacity;
	int64_t idle_ns;
};

static bool
add_had(struct queue *queue, string_id name, int64_t ns, struct error *err)
{
	uint32_t index = map_find(&queue->index_of, name);
	if (index == MAP_NONE) {
		index = (uint32_t)queue->count;
		if (!array_reserve(&queue->had, &queue->capacity, queue->count + 1, sizeof *queue->had, err) ||
			!map_put(&queue->index_of, name, index, err))
			return false;
		queue->had[queue->count++] = (struct had){ name, 0 };
	}
	queue->had[index].ns += ns;
	return true;
}

/* That the thread waited at this CPU. */
static bool
wait_at(struct queue *queue, resource_ref processor, int64_t from_ns, int64_t until_ns, struct error *err)
{
	struct lane lane = { LANE_PROCESSOR, processor };
	struct span span;
	if (processor == REF_NONE || from_ns >= until_ns)
		return true;
	int64_t idle_ns = until_ns - from_ns;
	bool is_there = lane_span_at(queue->below, lane, from_ns, &span) ||
			lane_next(queue->below, lane, from_ns, CLASS_MASK_ALL, &span);
	for (; is_there && span.start_ns < until_ns; is_there = lane_after(queue->below, lane, &span, &span)) {
		int64_t ns = span_within(&span, from_ns, until_ns);
		idle_ns -= ns;
		if (!add_had(queue, trace_actor(queue->below, span.actor)->name, ns, err))
			return false;
	}
	queue->idle_ns += idle_ns;
	return true;
}

/* Number behind a key, "pid=" or " pid=", in fields; -1 where it is not there. */
static int64_t
field_of(const struct trace *trace, string_id fields, const char *key)
{
	size_t length, key_length = strlen(key);
	const char *text = trace_text(trace, fields, &length);
	for (size_t i = 0; i + key_length < length; i++) {
		int64_t number = -1;
		if (memcmp(text + i, key, key_length) != 0 || (i > 0 && text[i - 1] != ' '))
			continue;
		for (i += key_length; i < length && text[i] >= '0' && text[i] <= '9' && number < INT32_MAX; i++)
			number = (number < 0 ? 0 : number * 10) + (text[i] - '0');
		return number;
	}
	return -1;
}

/* The first instant at t or later; they stand in the order of time. */
static uint32_t
instant_from(const struct trace *trace, int64_t t_ns)
{
	uint32_t low = 0, high = trace->instants.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (trace_instant(trace, middle)->time_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next time that the kernel moves the task to another CPU, from that instant on. */
static bool
next_move(const struct trace *below, int64_t id, int64_t until_ns, uint32_t *at, resource_ref *processor)
{
	for (; *at < below->instants.count && trace_instant(below, *at)->time_ns < until_ns; ++*at) {
		const struct instant *instant = trace_instant(below, *at);
		if (instant->type != INSTANT_LOG || !has_word(below, instant->category, "sched_migrate_task") ||
			field_of(below, instant->text, "pid=") != id)
			continue;
		int64_t cpu = field_of(below, instant->text, "dest_cpu=");
		for (resource_ref i = 0; i < trace_processor_count(below); i++)
			if (trace_processor(below, i)->id == cpu) {
				*processor = i;
				return true;
			}
	}
	return false;
}

/*
 * Where no move is told of but it goes on elsewhere, it was moved as it was woken, or where it did not sleep, when that
 * CPU was free for it.
 */
static bool
wait_through(struct queue *queue, const struct stretch *stretch, const struct beneath *beneath, struct error *err)
{
	const struct trace *below = queue->below;
	struct beneath_walk walk;
	struct beneath_piece piece;
	struct span span;
	bool has_moved = false, was_asleep = false, is_fine = true;
	beneath_begin(&walk, beneath, stretch->thread, stretch->from_ns, stretch->until_ns);
	int64_t until_ns = saturating_sub_i64(stretch->until_ns, beneath->delta_ns);
	int64_t id = trace_thread(beneath->above, stretch->thread)->id;
	uint32_t at = instant_from(below, saturating_sub_i64(stretch->from_ns, beneath->delta_ns));
	resource_ref processor = REF_NONE, moved = REF_NONE;
	while (is_fine && beneath_next(&walk, &piece)) {
		int64_t from_ns = saturating_sub_i64(piece.from_ns, beneath->delta_ns);
		int64_t end_ns = saturating_sub_i64(piece.until_ns, beneath->delta_ns);
		struct lane lane = { LANE_ACTOR, walk.task != UINT32_MAX ? beneath->tasks[walk.task].actor : REF_NONE };
		if (!has_moved && lane.ref != REF_NONE)
			processor = lane_previous(below, lane, from_ns, CLASS_BIT(CLASS_RUNNING), &span) ? span.processor
													 : REF_NONE;
		for (; is_fine && next_move(below, id, end_ns, &at, &moved); at++) {
			int64_t move_ns = trace_instant(below, at)->time_ns;
			is_fine = wait_at(queue, processor, from_ns, move_ns, err);
			processor = moved;
			has_moved = true;
			from_ns = move_ns;
		}
		bool is_elsewhere = !has_moved && piece.state == BENEATH_READY && lane.ref != REF_NONE &&
				    (was_asleep || processor == REF_NONE) &&
				    lane_next(below, lane, until_ns, CLASS_BIT(CLASS_RUNNING), &span);
		is_fine = is_fine && wait_at(queue, is_elsewhere ? span.processor : processor, from_ns, end_ns, err);
		was_asleep = was_asleep || piece.state == BENEATH_ASLEEP;
	}
	return is_fine;
}

bool
stretch_add_holder(const struct stretch *stretch, const struct beneath *beneath, bool ascii, struct text *out,
	struct error *err)
{
	struct queue queue = { .below = beneath->below, .knows_idle = beneath->loss_count == 0 };
	const struct had *most = NULL;
	char took[UNITS_TEXT];
	bool is_fine = wait_through(&queue, stretch, beneath, err);
	for (size_t i = 0; is_fine && i < queue.count; i++)
		if (most == NULL || queue.had[i].ns > most->ns)
			most = &queue.had[i];
	bool is_idle = queue.knows_idle && queue.idle_ns > (most != NULL ? most->ns : 0);
	if (is_fine && (is_idle || most != NULL)) {
		size_t length = 0;
		const char *name = is_idle ? "idle" : trace_text(beneath->below, most->name, &length);
		units_duration(took, is_idle ? queue.idle_ns : most->ns, ascii);
		text_add(out, name, is_idle ? strlen(name) : length);
		text_format(out, " (%s)", took);
	}
	map_release(&queue.index_of);
	memory_free(queue.had);
	return is_fine;
}

/* ---- told at once */

enum { MOST_PIECES = 5000 };

bool
stretch_sum(struct stretch_sums *sums, const struct beneath *beneath, const struct span *span)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	struct stretch stretch = { .actor = span->actor, .thread = span->thread, .from_ns = span->start_ns };
	int count = 0;
	*sums = (struct stretch_sums){ 0 };
	if (span->kind == NULL || span->thread == REF_NONE ||
		(span->kind->state != STATE_RUNNING && span->kind->state != STATE_SYSCALL))
		return false;
	stretch.is_in_call = span->kind->state == STATE_SYSCALL;
	beneath_begin(&walk, beneath, span->thread, span->start_ns, span->end_ns);
	while (beneath_next(&walk, &piece)) {
		if (++count > MOST_PIECES)
			return false;
		sums->times_ns[piece.state] += piece.until_ns - piece.from_ns;
		stretch.until_ns = piece.until_ns;
		if (piece.state == BENEATH_ON || piece.state == BENEATH_UNKNOWN) {
			stretch.from_ns = piece.until_ns;
			stretch.asleep_ns = 0;
			continue;
		}
		stretch.asleep_ns += piece.state == BENEATH_ASLEEP ? piece.until_ns - piece.from_ns : 0;
		if (stretch_length(&stretch) > stretch_length(&sums->longest))
			sums->longest = stretch;
	}
	return sums->times_ns[BENEATH_UNKNOWN] < span->end_ns - span->start_ns;
}

/* Whether so little lies within that it is gone through at once. */
static bool
is_short(const struct trace *below, int64_t from_ns, int64_t until_ns)
{
	for (resource_ref i = 0; i < trace_processor_count(below); i++)
		if (lane_count(below, (struct lane){ LANE_PROCESSOR, i }, from_ns, until_ns) > MOST_PIECES)
			return false;
	return instant_from(below, until_ns) - instant_from(below, from_ns) <= MOST_PIECES;
}

void
stretch_add_longest_holder(struct text *out, const struct stretch_sums *sums, const struct beneath *beneath, bool ascii)
{
	const struct stretch *longest = &sums->longest;
	struct text name = { 0 };
	struct error ignored;
	error_clear(&ignored);
	if (stretch_length(longest) <= 0 ||
		!is_short(beneath->below, saturating_sub_i64(longest->from_ns, beneath->delta_ns),
			saturating_sub_i64(longest->until_ns, beneath->delta_ns)))
		return;
	/* Without memory nobody is named. */
	if (stretch_add_holder(longest, beneath, ascii, &name, &ignored))
		text_add_safe(out, text_string(&name), name.length, ascii);
	text_release(&name);
}
