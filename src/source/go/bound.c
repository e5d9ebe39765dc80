/*
 * A window of generations that fits. Beforehand there is only a guess, by the bytes of each;
 * while it is read, what the generations so far came to says whether the next one fits as well.
 */
#include "source/go/bound.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "source/go/generation.h"
#include "source/go/words.h"

/*
 * Bytes of index per byte of trace: about the most that real programs need (PERFORMANCE.md),
 * until it is known better.
 */
enum { USUAL_INDEX_PER_BYTE = 3 };

/* What is built at the end (directory, lists of groups) comes to this part of the rest. */
enum { FINISH_PART = 8 };

/*
 * What surely suffices: told where one generation does not fit, and left for what is wanted
 * when others are to be loaded before it.
 */
enum { SUFFICIENT_INDEX_PER_BYTE = 6 };

/*
 * What every run takes of the bound, findings beside the screen included; measured while part
 * after part is shown. Of a small bound it is no more than this part.
 */
enum { BESIDE_BYTES = 24 << 20, BESIDE_PART = 3 };

static uint64_t
room_in(uint64_t bound_bytes)
{
	uint64_t part = bound_bytes / BESIDE_PART;

	return bound_bytes - (part < BESIDE_BYTES ? part : BESIDE_BYTES);
}

/* The bound that leaves so much room. */
static uint64_t
bound_for(uint64_t room_bytes)
{
	uint64_t part = room_bytes / (BESIDE_PART - 1);

	return room_bytes + (part < BESIDE_BYTES ? part : BESIDE_BYTES);
}

/* ---- guesses */

static uint64_t
size_of(const struct outline_generation *generation)
{
	return generation->to_bytes - generation->from_bytes;
}

/*
 * What a generation takes while it is read, beside the index, in growing arrays: its batches, its
 * payloads with what is made of them as tables, and of those that stay in the file one for each
 * thread; or all of its bytes.
 */
static uint64_t
reading_bytes(const struct outline_generation *generation)
{
	uint64_t rooms = (uint64_t)generation->threads * WIRE_BATCH_MAX_BYTES;
	uint64_t bytes = 2 * (size_of(generation) - generation->timed_bytes) + rooms;

	if (bytes > size_of(generation))
		bytes = size_of(generation);
	bytes += generation->batches * sizeof(struct batch);
	return bytes + bytes / 2;
}

/* What is held in memory: index, strings and stacks. */
static uint64_t
held_bytes(const struct bounded *bounded)
{
	return builder_bytes(bounded->builder) + intern_bytes(bounded->strings) +
	       stack_table_bytes(bounded->stacks);
}

/* How large the index may become while the generation is read. */
static void
set_limit(const struct bounded *bounded, const struct outline_generation *generation)
{
	uint64_t beside = intern_bytes(bounded->strings) + stack_table_bytes(bounded->stacks) +
	                  reading_bytes(generation);
	uint64_t most = bounded->room_bytes;

	most = most > beside ? most - beside : 1;
	builder_limit(bounded->builder, most - most / (FINISH_PART + 1));
}

/* What all comes to if the index grows to that while the generation is read. */
static uint64_t
peak_bytes(uint64_t index_bytes, const struct outline_generation *generation)
{
	return index_bytes + index_bytes / FINISH_PART + reading_bytes(generation);
}

/* Not even the first generation fits. */
static bool
refuse_bound(const struct bounded *bounded, struct error *err)
{
	const struct outline_generation *first = &bounded->outline.generations[bounded->first];
	uint64_t number = first->number;
	uint64_t grown_bytes = peak_bytes(size_of(first) * SUFFICIENT_INDEX_PER_BYTE, first);
	uint64_t needed_bytes = bound_for(grown_bytes);
	char needed[UNITS_TEXT], most[UNITS_TEXT];

	units_bytes(needed, needed_bytes);
	units_bytes(most, bounded->bound->memory_bytes);
	/* It is an estimate, and rounded. */
	if (needed_bytes <= bounded->bound->memory_bytes || strcmp(needed, most) == 0)
		return error_set(err, ERROR_LIMIT,
		                 "generation %" PRIu64 " alone needs more memory than the %s that "
		                 "may be used", number, most);
	return error_set(err, ERROR_LIMIT,
	                 "generation %" PRIu64 " alone may need %s of memory, more than the %s "
	                 "that may be used", number, needed, most);
}

/* ---- the outline as a trace */

static bool
parts_of(const struct outline *outline, struct parts *parts, struct error *err)
{
	parts->rows = array_new(outline->count, sizeof(*parts->rows), err);
	if (parts->rows == NULL)
		return false;
	parts->count = outline->count;
	for (size_t i = 0; i < outline->count; i++) {
		const struct outline_generation *generation = &outline->generations[i];

		parts->rows[i] = (struct part){
			.generation = generation->number,
			.bytes = size_of(generation),
			.batches = generation->batches,
			.threads = generation->threads,
			.from_ns = generation->from_ns,
			.to_ns = generation->to_ns,
		};
	}
	return true;
}

/* The clocks of the generations before one count for it as well. */
static bool
add_clocks(const struct outline *outline, size_t count, struct wall_clock *wall,
           struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct outline_generation *generation = &outline->generations[i];

		if (generation->has_clock && !wall_clock_add(wall, generation->clock, err))
			return false;
	}
	return true;
}

static int64_t
end_of(const struct outline *outline)
{
	return outline->generations[outline->count - 1].to_ns;
}

static struct trace *
trace_of(const struct bounded *bounded, struct error *err)
{
	const struct outline *outline = &bounded->outline;
	struct trace *trace = go_trace_new(err);

	if (trace == NULL)
		return NULL;
	trace->go_minor = outline->minor;
	trace->origin_ns = bounded->origin_ns;
	trace->end_ns = end_of(outline) > bounded->origin_ns
	                        ? end_of(outline) - bounded->origin_ns : 0;
	if (!parts_of(outline, &trace->parts, err) ||
	    !add_clocks(outline, outline->count, &trace->wall, err)) {
		trace_free(trace);
		return NULL;
	}
	parts_rebase(&trace->parts, trace->origin_ns);
	wall_clock_rebase(&trace->wall, trace->origin_ns, trace->end_ns);
	return trace;
}

/* ---- when something happens first */

struct finding {
	int64_t goroutine; /* a change of its state, or GO_ID_NONE for any event */
	int64_t found_ns;  /* by the trace's clock; what it was before where there is none */
};

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct finding *finding = context;

	if (event->kind == GO_EVENT_SYNC)
		return true;
	if (finding->goroutine != GO_ID_NONE &&
	    (event->kind != GO_EVENT_GOROUTINE || event->u.goroutine.id != finding->goroutine))
		return true;
	finding->found_ns = event->time_ns;
	return error_set(err, ERROR_CANCELLED, "this was all");
}

/* Damage that ends the search is told by who reads the trace itself. */
static bool
find_event(struct finding *finding, struct input *in, const struct go_read_options *options,
           struct error *err)
{
	struct go_read_options read = {
		.is_lenient = options->is_lenient, .progress = options->progress
	};
	struct intern strings = { 0 };
	struct stack_table stacks = { 0 };
	const struct go_sink sink = {
		.event = take_event,
		.context = finding,
		.strings = &strings,
		.stacks = &stacks,
	};
	struct go_read_result result;
	struct error ignored = { 0 };

	if (intern_init(&strings, err) && stack_table_init(&stacks, err))
		go_read(in, &sink, &read, &result, &ignored);
	intern_release(&strings);
	stack_table_release(&stacks);
	return err->kind == ERROR_NONE && input_seek(in, 0, err);
}

/* Time 0 is the first event, which only the order of the first generation tells. */
static bool
find_origin(struct bounded *bounded, struct input *in, const struct go_read_options *options,
            struct error *err)
{
	struct finding finding = {
		.goroutine = GO_ID_NONE,
		.found_ns = bounded->outline.generations[0].from_ns,
	};
	bool ok = find_event(&finding, in, options, err);

	bounded->origin_ns = finding.found_ns;
	return ok;
}

/* ---- the plan */

static uint64_t
bytes_of(const struct bounded *bounded, size_t index)
{
	return size_of(&bounded->outline.generations[index]);
}

/* The generation that holds a time of the trace. */
static size_t
index_at(const struct outline *outline, int64_t time_ns)
{
	size_t index = 0;

	while (index + 1 < outline->count && outline->generations[index + 1].from_ns <= time_ns)
		index++;
	return index;
}

/*
 * From the one that is wanted as far back as leaves room for what is wanted behind it: to the
 * end of the wish, or of a moment for as much as before it.
 */
static size_t
first_for(const struct bounded *bounded, struct go_wish wish)
{
	const struct outline *outline = &bounded->outline;
	uint64_t room = bounded->room_bytes / (SUFFICIENT_INDEX_PER_BYTE + 2);
	size_t first = index_at(outline, wish.from_ns), last = index_at(outline, wish.to_ns);
	uint64_t bytes = 0;

	for (size_t i = first; i <= last; i++)
		bytes += bytes_of(bounded, i);
	if (wish.from_ns == wish.to_ns && last + 1 < outline->count)
		room /= 2;
	while (first > 0 && bytes + bytes_of(bounded, first - 1) <= room)
		bytes += bytes_of(bounded, --first);
	return first;
}

static bool
choose_first(struct bounded *bounded, struct input *in, const struct go_read_options *options,
             struct error *err)
{
	const struct go_bound *bound = bounded->bound;
	struct trace *outline;
	struct go_wish wish;

	if (bound->wish == NULL)
		return true;
	outline = trace_of(bounded, err);
	if (outline == NULL)
		return false;
	wish = bound->wish(bound->context, outline);
	trace_free(outline);
	struct finding finding = { wish.goroutine, wish.from_ns + bounded->origin_ns };
	if (wish.goroutine > 0 && !find_event(&finding, in, options, err))
		return false;
	wish.to_ns += finding.found_ns - wish.from_ns;
	wish.from_ns = finding.found_ns;
	bounded->first = first_for(bounded, wish);
	return true;
}

bool
bounded_plan(struct bounded *bounded, const struct go_bound *bound, struct input *in,
             const struct go_read_options *options, struct error *err)
{
	*bounded = (struct bounded){ .bound = bound };
	if (bound == NULL)
		return true;
	bounded->room_bytes = room_in(bound->memory_bytes);
	if (!outline_read(&bounded->outline, in, err))
		return false;
	if (bounded->outline.count == 0)
		return true;
	bounded->most = bounded->outline.count;
	if (!find_origin(bounded, in, options, err) || !choose_first(bounded, in, options, err))
		return false;
	if (reading_bytes(&bounded->outline.generations[bounded->first]) <= bounded->room_bytes)
		return true;
	return refuse_bound(bounded, err);
}

/* ---- a try */

/* The generation that would come next; as large as the one before where it is not known. */
static struct outline_generation
next_of(const struct bounded *bounded, uint64_t last_bytes)
{
	size_t next = bounded->first + bounded->ended;

	if (next < bounded->outline.count)
		return bounded->outline.generations[next];
	return (struct outline_generation){ .to_bytes = last_bytes };
}

static uint64_t
scaled(uint64_t bytes, uint64_t by, uint64_t of)
{
	return of == 0 ? bytes * USUAL_INDEX_PER_BYTE
	               : (uint64_t)((double)bytes * (double)by / (double)of);
}

/* What is likely to be read in all: what is known of the index by now goes on like that. */
static void
foretell(const struct bounded *bounded)
{
	const struct outline *outline = &bounded->outline;
	uint64_t from_bytes = bounded->window.from_bytes;
	uint64_t read_bytes = bounded->read_bytes - from_bytes, ahead_bytes = 0;

	if (bounded->progress == NULL || outline->count == 0)
		return;
	for (size_t i = bounded->first + bounded->ended; i < outline->count; i++) {
		uint64_t bytes = ahead_bytes + bytes_of(bounded, i);
		uint64_t grown = scaled(bytes, bounded->index_bytes, read_bytes);

		if (ahead_bytes + read_bytes > 0 &&
		    peak_bytes(bounded->index_bytes + grown, &outline->generations[i]) >
		            bounded->room_bytes)
			break;
		ahead_bytes = bytes;
	}
	atomic_store(&bounded->progress->from_bytes, from_bytes);
	atomic_store(&bounded->progress->total_bytes, read_bytes + ahead_bytes);
}

/* A trace from before Go 1.22 is one unit, which is not bounded. */
static void
begin_window(void *context)
{
	const struct bounded *bounded = context;
	struct outline_generation next = next_of(bounded, 0);

	set_limit(bounded, &next);
	foretell(bounded);
}

/* A go_window's goes_on. Whatever the next one needs more than those before, it still fits. */
static bool
fits_another(void *context, uint64_t at_bytes)
{
	struct bounded *bounded = context;
	uint64_t last_bytes = at_bytes - bounded->read_bytes, before_bytes = bounded->index_bytes;
	uint64_t last_grown, per_last, per_all;
	struct outline_generation next;

	if (!relay_drain(bounded->relay))
		return true; /* which fails with the cause */
	bounded->ended++;
	bounded->read_bytes = at_bytes;
	bounded->index_bytes = held_bytes(bounded);
	last_grown = bounded->index_bytes - before_bytes;
	next = next_of(bounded, last_bytes);
	per_last = scaled(size_of(&next), last_grown, last_bytes);
	per_all = scaled(size_of(&next), bounded->index_bytes,
	                 at_bytes - bounded->window.from_bytes);
	set_limit(bounded, &next);
	foretell(bounded);
	return (bounded->most == 0 || bounded->ended < bounded->most) &&
	       peak_bytes(bounded->index_bytes + (per_last > per_all ? per_last : per_all),
	                  &next) <= bounded->room_bytes;
}

bool
bounded_begin(struct bounded *bounded, struct trace *trace, struct builder *builder,
              struct go_read_options *options, struct error *err)
{
	const struct outline *outline = &bounded->outline;
	struct parts parts = { 0 };

	if (bounded->bound == NULL)
		return true;
	bounded->builder = builder;
	bounded->strings = &trace->strings;
	bounded->stacks = &trace->stacks;
	bounded->progress = options->progress;
	bounded->ended = 0;
	bounded->index_bytes = held_bytes(bounded);
	bounded->read_bytes = 0;
	bounded->window = (struct go_window){
		/* reading_bytes() of more is more than there is. */
		.most_bytes = bounded->room_bytes / 3 * 2 + 1,
		.begins = begin_window,
		.goes_on = fits_another,
		.context = bounded,
	};
	options->window = &bounded->window;
	if (outline->count == 0)
		return true;
	const struct outline_generation *first = &outline->generations[bounded->first];
	bounded->window.from_bytes = first->from_bytes;
	bounded->read_bytes = first->from_bytes;
	bounded->window.batches_before = first->batches_before;
	if (!parts_of(outline, &parts, err))
		return false;
	builder_take_parts(builder, &parts, bounded->first);
	if (bounded->first == 0)
		return true;
	int64_t start_ns = first->from_ns > bounded->origin_ns ? first->from_ns
	                                                       : bounded->origin_ns;
	builder_begin_at(builder, bounded->origin_ns, start_ns);
	for (size_t i = 0; i < bounded->first; i++) {
		const struct outline_generation *generation = &outline->generations[i];

		if (generation->has_clock &&
		    !builder_wall_clock(builder, generation->clock.trace_ns,
		                        generation->clock.unix_ns, err))
			return false;
	}
	return true;
}

void
bounded_end(struct bounded *bounded, const struct go_read_result *result)
{
	const struct outline *outline = &bounded->outline;
	size_t count = 0;

	if (bounded->bound == NULL || outline->count == 0)
		return;
	while (bounded->first + count < outline->count &&
	       (!result->is_ended_early ||
	        outline->generations[bounded->first + count].to_bytes <= bounded->read_bytes))
		count++;
	builder_mark_parts(bounded->builder, count);
	if (result->is_ended_early)
		builder_extend(bounded->builder, end_of(outline));
}

bool
bounded_try_less(struct bounded *bounded, struct input *in, struct error *err)
{
	if (bounded->bound == NULL || err->kind != ERROR_LIMIT || bounded->outline.count == 0)
		return false;
	error_clear(err);
	/* What is left behind the last one may be what did not fit. */
	bounded->most = bounded->ended < bounded->most ? bounded->ended : bounded->most - 1;
	if (bounded->most == 0)
		return refuse_bound(bounded, err);
	return input_seek(in, 0, err);
}

void
bounded_release(struct bounded *bounded)
{
	outline_release(&bounded->outline);
}
