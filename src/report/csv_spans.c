/* Lines are put together from parts that were made once: names, places of stacks, reasons. */
#include "report/csv_spans.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/task_index.h"
#include "base/memory.h"
#include "draw/names.h"
#include "query/search.h"
#include "report/csv.h"
#include "report/words.h"
#include "trace/own_code.h"
#include "trace/series.h"
#include "trace/slices.h"
#include "trace/task_times.h"
#include "trace/words.h"

enum { KEPT_TEXT_BYTES = 64 << 20 }; /* of stacks; what is beyond is made each time */

/* What a stack is told as, in a text that grows; made when it is first needed. */
struct told_stack {
	uint32_t at, length; /* length 0: not made yet */
};

struct export {
	const struct trace *trace;
	const struct report_options *options;
	int64_t t0_ns, t1_ns;
	struct told_stack *stacks; /* "func,place" */
	struct text stack_text;
	struct text of_kinds[KIND_MAX + 1]; /* "state,reason" */
	struct text lane;         /* "G42," */
	struct text who;          /* "42,main.worker": id and name of the lane's actor */
	struct text place;        /* being made */
	struct text *out;
	struct error *err;
};

/* ---- values */

static void
add_number(struct text *out, int64_t number)
{
	char digits[24];
	size_t at = sizeof digits;
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
	do {
		digits[--at] = (char)('0' + left % 10);
		left /= 10;
	} while (left > 0);
	if (number < 0)
		digits[--at] = '-';
	text_add(out, digits + at, sizeof digits - at);
}

static void
add_string(const struct export *export, struct text *out, string_id id)
{
	size_t length;
	const char *bytes = trace_text(export->trace, id, &length);
	csv_add(out, bytes, length, export->options->ascii);
}

/* "42,main.worker", or two empty values. */
static void
add_actor(const struct export *export, struct text *out, actor_ref actor)
{
	if (actor != REF_NONE)
		add_number(out, trace_actor(export->trace, actor)->id);
	text_add(out, ",", 1);
	if (actor != REF_NONE)
		add_string(export, out, trace_actor(export->trace, actor)->name);
}

/* "func,place" of the frame that is named, two values. */
static void
add_frame(struct export *export, struct text *out, stack_id stack)
{
	const struct stack_frame *frame =
		stack != STACK_NONE ? stack_leaf(&export->trace->stacks, stack) : NULL;
	if (frame != NULL)
		add_string(export, out, frame->function);
	text_add(out, ",", 1);
	if (frame == NULL || frame->file == STRING_EMPTY)
		return;
	size_t length;
	const char *file = trace_text(export->trace, frame->file, &length);
	text_clear(&export->place);
	text_add(&export->place, file, length);
	text_format(&export->place, ":%" PRIu64, frame->line);
	csv_add(out, export->place.bytes, export->place.length, export->options->ascii);
}

static void
add_stack(struct export *export, stack_id of, actor_ref actor)
{
	stack_id stack = own_code_stack(export->trace, of, actor);
	struct told_stack *told = &export->stacks[stack];
	struct text *text = &export->stack_text;
	if (told->length == 0 && text->length > KEPT_TEXT_BYTES) {
		add_frame(export, export->out, stack);
		return;
	}
	if (told->length == 0) {
		told->at = (uint32_t)text->length;
		add_frame(export, text, stack);
		told->length = (uint32_t)text->length - told->at;
	}
	if (!text->failed)
		text_add(export->out, text->bytes + told->at, told->length);
}

/* ---- lines */

/* The values that all lines begin with. */
static void
begin_line(struct export *export, int64_t start_ns, int64_t end_ns, bool is_open)
{
	struct text *out = export->out;
	text_add(out, export->lane.bytes, export->lane.length);
	add_number(out, start_ns);
	text_add(out, ",", 1);
	add_number(out, end_ns);
	text_add(out, ",", 1);
	add_number(out, end_ns - start_ns);
	text_add_string(out, is_open ? ",true," : ",false,");
}

static bool
end_line(struct export *export)
{
	text_add(export->out, "\n", 1);
	return report_flush(export->options, export->out, export->err);
}

static void
add_state(struct export *export, const struct span *span)
{
	const struct trace *trace = export->trace;
	const struct text *kind = &export->of_kinds[span->kind - trace->kinds];
	struct text *out = export->out;
	begin_line(export, span->start_ns, span->end_ns, span->is_open);
	text_add(out, kind->bytes, kind->length);
	text_add(out, export->who.bytes, export->who.length);
	text_add(out, ",", 1);
	if (span->processor != REF_NONE)
		add_number(out, trace_processor(trace, span->processor)->id);
	text_add(out, ",", 1);
	if (span->thread != REF_NONE)
		add_number(out, trace_thread(trace, span->thread)->id);
	text_add(out, ",", 1);
	add_stack(export, span->stack, span->actor);
}

/* Whether [start, end), which may be empty, overlaps the interval. */
static bool
is_within(const struct export *export, int64_t start_ns, int64_t end_ns)
{
	return start_ns < export->t1_ns && (end_ns > export->t0_ns || start_ns >= export->t0_ns);
}

static bool
put_states(struct export *export, actor_ref actor)
{
	const struct search *only = export->options->only;
	struct series series;
	struct item item;
	if (!series_open(export->trace, (struct lane){ LANE_ACTOR, actor }, &series))
		return true;
	/* Several may begin where the interval does. */
	if (!series_find(&series, export->t0_ns - 1, &item))
		series_enter(&series, 0, &item);
	do {
		struct span span;
		item_span(&series, &item, &span);
		if (span.start_ns >= export->t1_ns)
			break;
		bool is_left_out = span.kind->state == STATE_GONE ||
				   !is_within(export, span.start_ns, span.end_ns) ||
				   (only != NULL &&
					   !search_matches(only, span.segment, span.state));
		if (is_left_out)
			continue;
		add_state(export, &span);
		if (!end_line(export))
			return false;
	} while (series_step(&series, &item));
	return true;
}

/* A range, a task or a slice: what it is, of a slice its track, and what it is called. */
struct thing {
	const char *what;
	string_id name;
	int64_t start_ns, end_ns;
	bool is_open;
	actor_ref actor;
	resource_ref processor;
	stack_id stack;
};

static bool
put_thing(struct export *export, const struct thing *thing)
{
	struct text *out = export->out;
	if (!is_within(export, thing->start_ns, thing->end_ns))
		return true;
	begin_line(export, thing->start_ns, thing->end_ns, thing->is_open);
	csv_add(out, thing->what, strlen(thing->what), export->options->ascii);
	text_add(out, ",", 1);
	add_string(export, out, thing->name);
	text_add(out, ",", 1);
	add_actor(export, out, thing->actor);
	text_add(out, ",", 1);
	if (thing->processor != REF_NONE)
		add_number(out, trace_processor(export->trace, thing->processor)->id);
	text_add_string(out, ",,");
	add_stack(export, thing->stack, thing->actor);
	return end_line(export);
}

static bool
put_range(struct export *export, range_ref ref)
{
	static const char *const names[RANGE_TYPE_COUNT] = {
		[RANGE_GC_MARK] = "gc",
		[RANGE_STW] = "stw",
		[RANGE_SWEEP] = "sweep",
		[RANGE_MARK_ASSIST] = "assist",
		[RANGE_REGION] = "region",
	};
	const struct range *range = trace_range(export->trace, ref);
	struct thing thing = {
		.what = names[range->type],
		.name = range->name,
		.start_ns = range->start_ns,
		.end_ns = trace_range_end_ns(export->trace, range),
		.is_open = range->end_ns == TIME_OPEN,
		.actor = range_actor(range),
		.processor = range->type == RANGE_SWEEP ? range->scope : REF_NONE,
		.stack = range->start_stack,
	};
	return put_thing(export, &thing);
}

/* The slices of one depth of a track. */
static bool
put_column(struct export *export, const struct track *track, column_ref column)
{
	const struct trace *trace = export->trace;
	uint32_t first, end;
	size_t length;
	struct thing thing = {
		.what = trace_text(trace, track->name, &length),
		.actor = track->owner == TRACK_OF_ACTOR ? track->ref : REF_NONE,
		.processor = track->owner == TRACK_OF_RESOURCE ? track->ref : REF_NONE,
	};
	slices_range(trace->slices, column, export->t0_ns, export->t1_ns, &first, &end);
	for (; first < end; first++) {
		struct slice slice;
		slices_get(trace->slices, column, first, &slice);
		thing.name = slice.name;
		thing.start_ns = slice.start_ns;
		thing.end_ns = slice.end_ns;
		thing.is_open = (slice.flags & SLICE_OPEN) != 0;
		if (!put_thing(export, &thing))
			return false;
	}
	return true;
}

static bool
put_slices(struct export *export, enum track_owner owner, uint32_t ref)
{
	const struct slices *slices = export->trace->slices;
	track_ref track = 0;
	uint32_t count = 0;
	if (slices != NULL)
		slices_tracks_of(slices, owner, ref, &track, &count);
	for (; count > 0; count--, track++) {
		const struct track *at = slices_track_at(slices, track);
		for (uint32_t depth = 0; depth < at->depth_count; depth++)
			if (!put_column(export, at, at->first_column + depth))
				return false;
	}
	return true;
}

/* ---- lanes */

static void
name_lane(struct export *export, const struct noun *noun, int64_t id)
{
	text_clear(&export->lane);
	text_add_id(&export->lane, noun, id);
	text_add(&export->lane, ",", 1);
}

static bool
put_actor(struct export *export, actor_ref actor)
{
	const struct ref_index *ranges = &export->trace->actor_ranges;
	name_lane(export, &export->trace->words->actor, trace_actor(export->trace, actor)->id);
	text_clear(&export->who);
	add_actor(export, &export->who, actor);
	if (!put_states(export, actor))
		return false;
	if (export->options->only != NULL)
		return true;
	if (!put_slices(export, TRACK_OF_ACTOR, actor))
		return false;
	if (actor >= ranges->key_count)
		return true;
	for (uint32_t i = ranges->first[actor]; i < ranges->first[actor + 1]; i++) {
		uint8_t type = trace_range(export->trace, ranges->refs[i])->type;
		bool is_of_lane = type == RANGE_REGION || type == RANGE_MARK_ASSIST;
		if (is_of_lane && !put_range(export, ranges->refs[i]))
			return false;
	}
	return true;
}

static bool
put_processor(struct export *export, resource_ref processor)
{
	const struct ref_index *sweeps = &export->trace->processor_sweeps;
	name_lane(export, &export->trace->words->processor,
		trace_processor(export->trace, processor)->id);
	if (!put_slices(export, TRACK_OF_RESOURCE, processor))
		return false;
	if (processor >= sweeps->key_count)
		return true;
	for (uint32_t i = sweeps->first[processor]; i < sweeps->first[processor + 1]; i++)
		if (!put_range(export, sweeps->refs[i]))
			return false;
	return true;
}

static bool
put_ranges(struct export *export, enum range_type type, const char *lane)
{
	text_clear(&export->lane);
	text_add_string(&export->lane, lane);
	for (range_ref i = 0; i < export->trace->ranges.count; i++)
		if (trace_range(export->trace, i)->type == type && !put_range(export, i))
			return false;
	return true;
}

static bool
put_task(struct export *export, task_ref ref)
{
	const struct task *task = trace_task(export->trace, ref);
	struct thing thing = {
		.what = "task",
		.name = task->name,
		.start_ns = task_start_ns(export->trace, ref),
		.end_ns = task_end_ns(export->trace, ref),
		.is_open = task->end_ns == TIME_OPEN,
		.actor = task->start_actor,
		.processor = REF_NONE,
		.stack = task->start_stack,
	};
	name_lane(export, &export->trace->words->task, task->id);
	return put_thing(export, &thing);
}

static bool
put_lanes(struct export *export)
{
	const struct trace *trace = export->trace;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		if (!put_actor(export, i))
			return false;
	if (export->options->only != NULL)
		return true;
	for (resource_ref i = 0; i < trace_processor_count(trace); i++)
		if (!put_processor(export, i))
			return false;
	if (!put_ranges(export, RANGE_GC_MARK, "gc,") || !put_ranges(export, RANGE_STW, "stw,"))
		return false;
	for (task_ref i = 0; i < trace->tasks.count; i++)
		if (!put_task(export, i))
			return false;
	return true;
}

/* ---- the whole */

static bool
has_failed(const struct export *export)
{
	bool failed = export->out->failed || export->stack_text.failed || export->lane.failed ||
		      export->who.failed || export->place.failed;
	for (uint32_t i = 0; i < export->trace->kind_count; i++)
		failed |= export->of_kinds[i].failed;
	return failed;
}

bool
report_csv_spans(const struct trace *trace, const struct report_options *options, struct text *out,
	struct error *err)
{
	struct export export = { .trace = trace, .options = options, .out = out, .err = err };
	words_interval(options, trace, &export.t0_ns, &export.t1_ns);
	if (!options->has_interval)
		export.t1_ns++; /* what begins at the very end is part of the whole */
	export.stacks = array_new(stack_count(&trace->stacks), sizeof *export.stacks, err);
	bool is_fine = export.stacks != NULL;
	for (uint32_t i = 0; is_fine && i < trace->kind_count; i++) {
		text_format(&export.of_kinds[i], "%s,", state_name(trace->kinds[i].state));
		add_string(&export, &export.of_kinds[i], trace->kinds[i].reason);
		text_add_string(&export.of_kinds[i], ",");
	}
	text_format(out, "lane,start_ns,end_ns,dur_ns,open,state,reason,%s,name,%s,%s,func,place\n",
		words_key(trace->words, "{id}"), words_key(trace->words, "{p}"),
		words_key(trace->words, "{m}"));
	is_fine = is_fine && put_lanes(&export);
	if (is_fine && has_failed(&export))
		is_fine = error_set_memory(err, "the spans");
	for (uint32_t i = 0; i < trace->kind_count; i++)
		text_release(&export.of_kinds[i]);
	text_release(&export.stack_text);
	memory_free(export.stacks);
	text_release(&export.lane);
	text_release(&export.who);
	text_release(&export.place);
	return is_fine;
}
