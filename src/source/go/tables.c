/* Decoding of the structural batches. */
#include "source/go/tables.h"

#include <assert.h>
#include <inttypes.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/thread.h"
#include "source/go/event.h"
#include "source/go/wire.h"

/* A stack whose frames wait for the strings to be complete. */
struct raw_stack {
	uint64_t id;
	uint32_t batch;  /* index */
	uint32_t at;     /* of its number of frames, in the batch */
};

/* Takes the byte that starts an entry of a table; anything but `wanted` is an error. */
static bool
take_entry(struct cursor *cursor, enum wire_id wanted, struct error *err)
{
	uint64_t offset = cursor_offset(cursor);
	uint8_t id = 0;
	if (!cursor_byte(cursor, &id, err))
		return false;
	if (id == wanted)
		return true;
	return error_set_at(err, ERROR_FORMAT, offset, "expected %s event, got event %u",
	                    wire_kinds[wanted].name, id);
}

/* ---- strings */

static bool
read_string(struct tables *tables, struct cursor *cursor, struct error *err)
{
	uint64_t offset = cursor_offset(cursor);
	uint64_t id, size;
	const uint8_t *bytes;
	string_id string;
	if (!take_entry(cursor, WIRE_STRING, err) || !cursor_varint(cursor, &id, err) ||
	    !cursor_varint(cursor, &size, err))
		return false;
	if (size > WIRE_STRING_MAX_BYTES)
		return error_set_at(err, ERROR_FORMAT, offset,
		                    "invalid string size %" PRIu64 ", maximum is %d", size,
		                    WIRE_STRING_MAX_BYTES);
	if (!cursor_bytes(cursor, (size_t)size, &bytes, err))
		return false;
	if (id == 0 || id_map_find(&tables->string_ids, id) != MAP_NONE)
		return error_set_at(err, ERROR_FORMAT, offset, "duplicate string ID %" PRIu64, id);
	return intern_add(tables->strings, (const char *)bytes, (size_t)size, &string, err) &&
	       id_map_add(&tables->string_ids, id, string, err);
}

static bool
read_strings(struct tables *tables, struct cursor *cursor, struct error *err)
{
	while (cursor_left(cursor) > 0) {
		if (!read_string(tables, cursor, err))
			return false;
	}
	return true;
}

/* ---- stacks */

static bool
read_frame_count(struct cursor *cursor, uint64_t *count, struct error *err)
{
	uint64_t offset = cursor_offset(cursor);
	if (!cursor_varint(cursor, count, err))
		return false;
	if (*count > WIRE_STACK_MAX_FRAMES)
		return error_set_at(err, ERROR_FORMAT, offset,
		                    "invalid stack size %" PRIu64 ", maximum is %d", *count,
		                    WIRE_STACK_MAX_FRAMES);
	return true;
}

/* Checks one stack and remembers where it stands. */
static bool
read_stack(struct tables *tables, uint32_t batch, const uint8_t *start, struct cursor *cursor,
           struct error *err)
{
	uint64_t offset = cursor_offset(cursor);
	uint64_t id, frame_count, ignored;
	if (!take_entry(cursor, WIRE_STACK, err) || !cursor_varint(cursor, &id, err))
		return false;
	uint32_t at = (uint32_t)(cursor->at - start);
	if (!read_frame_count(cursor, &frame_count, err))
		return false;
	for (uint64_t i = 0; i < frame_count * 4; i++) {
		if (!cursor_varint(cursor, &ignored, err))
			return false;
	}
	if (id == 0 || id_map_find(&tables->stack_ids, id) != MAP_NONE)
		return error_set_at(err, ERROR_FORMAT, offset, "duplicate stack ID %" PRIu64, id);
	if (!array_reserve(&tables->raw_stacks, &tables->raw_capacity, tables->raw_count + 1,
	                   sizeof(*tables->raw_stacks), err) ||
	    !id_map_add(&tables->stack_ids, id, STACK_NONE, err))
		return false;
	tables->raw_stacks[tables->raw_count++] = (struct raw_stack){ id, batch, at };
	return true;
}

static bool
read_stacks(struct tables *tables, uint32_t batch, struct cursor *cursor, struct error *err)
{
	const uint8_t *start = cursor->at;
	while (cursor_left(cursor) > 0) {
		if (!read_stack(tables, batch, start, cursor, err))
			return false;
	}
	return true;
}

/* ---- CPU samples */

static bool
read_sample(struct tables *tables, struct cursor *cursor, struct error *err)
{
	uint64_t args[WIRE_ARGS_MAX];
	if (!take_entry(cursor, WIRE_CPU_SAMPLE, err))
		return false;
	for (unsigned i = 0; i < ARRAY_LENGTH(args); i++) {
		if (!cursor_varint(cursor, &args[i], err))
			return false;
	}
	if (!array_reserve(&tables->samples, &tables->sample_capacity, tables->sample_count + 1,
	                   sizeof(*tables->samples), err))
		return false;
	size_t order = tables->sample_count++;
	tables->samples[order] = (struct cpu_sample){
		.time_ticks = args[0],
		.m = (int64_t)args[1],
		.p = (int64_t)args[2],
		.g = args[3] == 0 ? GO_ID_NONE : (int64_t)args[3],
		.wire_stack = args[4],
		.order = order,
	};
	return true;
}

static bool
read_samples(struct tables *tables, struct cursor *cursor, struct error *err)
{
	while (cursor_left(cursor) > 0) {
		if (!read_sample(tables, cursor, err))
			return false;
	}
	return true;
}

/* ---- the clock */

/*
 * Where a tick is a whole number of nanoseconds, the product of short times is exact as an
 * integer and as a double: both have room for it.
 */
#define WHOLE_NS_PER_TICK_MAX (1 << 16)
#define SHORT_TICKS (UINT64_C(1) << 36)

void
tables_set_frequency(struct tables *tables, uint64_t frequency)
{
	tables->frequency = frequency;
	tables->ns_per_tick = 1.0 / ((double)frequency / 1e9);
	bool is_whole = tables->ns_per_tick >= 1 && tables->ns_per_tick <= WHOLE_NS_PER_TICK_MAX &&
	                tables->ns_per_tick == (double)(uint64_t)tables->ns_per_tick;
	tables->whole_ns_per_tick = is_whole ? (uint64_t)tables->ns_per_tick : 0;
	tables->short_ticks = is_whole ? SHORT_TICKS : 0;
}

/* Of clocks of processors, divided by what the runtime does. */
#define FREQUENCY_MIN UINT64_C(1000000)
#define FREQUENCY_MAX UINT64_C(10000000000)
/* A snapshot of clocks takes less. */
enum { SNAPSHOT_NS = 10000000 };

static bool
read_frequency(struct tables *tables, struct cursor *cursor, uint64_t offset, struct error *err)
{
	uint64_t frequency;
	if (!cursor_varint(cursor, &frequency, err))
		return false;
	if (tables->has_frequency)
		return error_set_at(err, ERROR_FORMAT, offset, "found multiple frequency events");
	if (frequency == 0)
		return error_set_at(err, ERROR_FORMAT, offset, "invalid frequency 0");
	tables->has_frequency = true;
	tables_set_frequency(tables, frequency);
	return true;
}

static bool
read_clock(struct tables *tables, struct cursor *cursor, uint64_t offset, uint64_t *ticks,
           struct error *err)
{
	uint64_t dt, mono_ns, wall_s, wall_ns;
	if (!cursor_varint(cursor, &dt, err) || !cursor_varint(cursor, &mono_ns, err) ||
	    !cursor_varint(cursor, &wall_s, err) || !cursor_varint(cursor, &wall_ns, err))
		return false;
	if (tables->has_clock)
		return error_set_at(err, ERROR_FORMAT, offset,
		                    "found multiple clock snapshot events");
	*ticks += dt;
	tables->has_clock = true;
	tables->clock = (struct clock_snapshot){ *ticks, mono_ns, wall_s, wall_ns };
	return true;
}

static bool
read_sync(struct tables *tables, struct cursor *cursor, uint64_t ticks, unsigned minor,
          struct error *err)
{
	while (cursor_left(cursor) > 0) {
		uint64_t offset = cursor_offset(cursor);
		uint8_t id = 0;
		bool ok;
		if (!cursor_byte(cursor, &id, err))
			return false;
		if (id == WIRE_FREQUENCY)
			ok = read_frequency(tables, cursor, offset, err);
		else if (id == WIRE_CLOCK_SNAPSHOT && minor >= MINOR_CLOCKS)
			ok = read_clock(tables, cursor, offset, &ticks, err);
		else
			ok = error_set_at(err, ERROR_FORMAT, offset,
			                  "expected frequency or clock snapshot event, got %u", id);
		if (!ok) {
			tables->is_frequency_doubtful = tables->has_frequency;
			return false;
		}
	}
	return true;
}

/* ---- the whole */

static void
clear(struct tables *tables)
{
	id_map_clear(&tables->string_ids);
	id_map_clear(&tables->stack_ids);
	map_clear_fitting(&tables->frame_of_pc);
	alloc_tables_clear(&tables->alloc);
	tables->sample_count = 0;
	tables->raw_count = 0;
	tables->has_frequency = tables->has_clock = false;
	tables->is_frequency_doubtful = tables->is_clock_wrong = false;
	tables->ended_batches = tables->lost_bytes = 0;
	error_clear(&tables->first);
}

/* Decodes one batch by its first byte; batches of timed events are left alone. */
static bool
read_batch(struct tables *tables, const struct generation *generation, uint32_t index,
           unsigned minor, struct cursor *cursor, struct error *err)
{
	const struct batch *batch = &generation->batches[index];
	if (batch->size == 0 || batch->is_afar)
		return true;
	*cursor = generation_cursor(generation, batch);
	if (batch->experiment == EXPERIMENT_ALLOC_FREE)
		return alloc_tables_read(&tables->alloc, tables->strings, cursor, err);
	/* Before 1.25 a lone frequency event is the whole batch, its own first byte included. */
	if (*cursor->at == WIRE_FREQUENCY && minor < MINOR_CLOCKS)
		return read_sync(tables, cursor, batch->time_ticks, minor, err);

	uint8_t first = *cursor->at++;
	if (first == WIRE_STRINGS)
		return read_strings(tables, cursor, err);
	if (first == WIRE_STACKS)
		return read_stacks(tables, index, cursor, err);
	if (first == WIRE_CPU_SAMPLES)
		return read_samples(tables, cursor, err);
	if (first == WIRE_SYNC && minor >= MINOR_CLOCKS)
		return read_sync(tables, cursor, batch->time_ticks, minor, err);
	return true;
}

static bool
name_batch(const struct generation *generation, uint32_t index, struct error *err)
{
	err->generation = generation->number;
	err->batch = generation->batches[index].number;
	return false;
}

/* Does without what follows in a batch. False where that is a failure. */
static bool
give_up_batch(struct tables *tables, const struct cursor *cursor, struct error *err)
{
	if (!tables->is_lenient || err->kind == ERROR_MEMORY || err->kind == ERROR_CANCELLED)
		return false;
	if (tables->first.kind == ERROR_NONE) {
		tables->first = *err;
		tables->from_bytes = cursor_offset(cursor);
	}
	error_clear(err);
	tables->to_bytes = cursor->offset_bytes;
	tables->ended_batches++;
	tables->lost_bytes += cursor_left(cursor);
	return true;
}

/* A generation may be all of a large trace: so it is asked in its midst whether to go on. */
static bool
goes_on(const struct generation *generation, struct error *err)
{
	return job_goes_on(progress_cancel_flag(generation->in->progress), err);
}

bool
tables_read(struct tables *tables, const struct generation *generation, unsigned minor,
            struct error *err)
{
	clear(tables);
	for (uint32_t i = 0; i < generation->batch_count; i++) {
		struct cursor cursor;
		if (!goes_on(generation, err))
			return false;
		if (read_batch(tables, generation, i, minor, &cursor, err))
			continue;
		name_batch(generation, i, err);
		if (!give_up_batch(tables, &cursor, err))
			return false;
	}
	return true;
}

static bool
frame_string(const struct tables *tables, uint64_t id, string_id *string)
{
	if (tables_string(tables, id, string))
		return true;
	*string = STRING_EMPTY;
	return tables->is_lenient;
}

/* The frame at the cursor, whose numbers were checked before. */
static bool
resolve_frame(struct tables *tables, struct cursor *cursor, frame_id *id, struct error *err)
{
	struct stack_frame frame = { 0 };
	uint64_t function, file;
	uint64_t offset = cursor_offset(cursor);
	if (!cursor_varint(cursor, &frame.pc, err) || !cursor_varint(cursor, &function, err) ||
	    !cursor_varint(cursor, &file, err) || !cursor_varint(cursor, &frame.line, err))
		return false;
	*id = map_find(&tables->frame_of_pc, frame.pc);
	if (*id != MAP_NONE)
		return true;
	if (!frame_string(tables, function, &frame.function))
		return error_set_at(err, ERROR_FORMAT, offset,
		                    "found invalid func string ID %" PRIu64, function);
	if (!frame_string(tables, file, &frame.file))
		return error_set_at(err, ERROR_FORMAT, offset,
		                    "found invalid file string ID %" PRIu64, file);
	return stack_table_add_frame(tables->stacks, &frame, id, err) &&
	       map_put(&tables->frame_of_pc, frame.pc, *id, err);
}

/* The file has the leaf first; the prefix tree grows from the outermost frame. */
static bool
resolve_stack(struct tables *tables, struct cursor *cursor, stack_id *stack, struct error *err)
{
	frame_id frames[WIRE_STACK_MAX_FRAMES];
	uint64_t count;
	if (!read_frame_count(cursor, &count, err))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!resolve_frame(tables, cursor, &frames[i], err))
			return false;
	}
	*stack = STACK_NONE;
	for (uint64_t i = count; i-- > 0;) {
		if (!stack_table_add_node(tables->stacks, *stack, frames[i], stack, err))
			return false;
	}
	return true;
}

static bool
resolve_stacks(struct tables *tables, const struct generation *generation, struct error *err)
{
	for (size_t i = 0; i < tables->raw_count; i++) {
		const struct raw_stack *raw = &tables->raw_stacks[i];
		if (i % TABLES_STACKS_PER_LOOK == 0 && !goes_on(generation, err))
			return false;
		struct cursor cursor =
			generation_cursor(generation, &generation->batches[raw->batch]);
		/* Positions are counted behind the byte that opens the table. */
		cursor.at += 1 + raw->at;
		stack_id stack;
		if (!resolve_stack(tables, &cursor, &stack, err))
			return name_batch(generation, raw->batch, err);
		id_map_set(&tables->stack_ids, raw->id, stack);
	}
	return true;
}

static int
compare_samples(const void *left, const void *right)
{
	const struct cpu_sample *a = left, *b = right;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool
resolve_samples(struct tables *tables, const struct generation *generation, struct error *err)
{
	const struct sort sort = { tables->samples, tables->sample_count, sizeof *tables->samples,
		compare_samples };
	for (size_t i = 0; i < tables->sample_count; i++) {
		struct cpu_sample *sample = &tables->samples[i];
		if (i % SORT_ITEMS_PER_LOOK == 0 && !goes_on(generation, err))
			return false;
		sample->time_ns = tables_ns(tables, sample->time_ticks);
		/* The one stack id that the reference does not check (section 7.3). */
		if (!tables_stack(tables, sample->wire_stack, &sample->stack))
			sample->stack = STACK_NONE;
	}
	return sort_items(&sort, progress_cancel_flag(generation->in->progress), err);
}

static bool
refuse_generation(const struct generation *generation, const char *message, struct error *err)
{
	error_set_at(err, ERROR_FORMAT, generation->offset_bytes, "%s", message);
	err->generation = generation->number;
	return false;
}

static bool
agrees_with_snapshot(const struct clock_snapshot *clock, uint64_t frequency)
{
	double ns = (double)clock->trace_ticks * (1e9 / (double)frequency);
	double difference_ns = ns - (double)clock->mono_ns;
	return difference_ns < SNAPSHOT_NS && difference_ns > -SNAPSHOT_NS;
}

/*
 * Where the clock counts nanoseconds it is the monotonic one, of which a tick is a part. On
 * Windows the ticks are those of the processor, and the two have nothing to do with each other.
 */
static bool
counts_nanoseconds(const struct tables *tables)
{
	return tables->has_clock &&
	       agrees_with_snapshot(&tables->clock, TABLES_USUAL_FREQUENCY) &&
	       !agrees_with_snapshot(&tables->clock, tables->frequency);
}

void
tables_settle_frequency(struct tables *tables, const struct generation *generation,
                        uint64_t settled)
{
	uint64_t told = tables->frequency;
	if (!tables->has_frequency)
		return;
	if (settled == 0)
		settled = counts_nanoseconds(tables) || tables->is_frequency_doubtful
		                  ? TABLES_USUAL_FREQUENCY : told;
	bool is_odd = settled < FREQUENCY_MIN || settled > FREQUENCY_MAX;
	if (told != settled)
		tables_set_frequency(tables, settled);
	tables->is_clock_wrong = told != settled || is_odd;
	if (!tables->is_clock_wrong || tables->first.kind != ERROR_NONE)
		return;
	error_set_at(&tables->first, ERROR_FORMAT, generation->offset_bytes,
	             "a clock frequency of %" PRIu64 " ticks per second: %s", told,
	             is_odd ? "no version of Go writes that, and all times depend on it"
	                    : "other places of the trace say another one, which is used");
	tables->first.generation = generation->number;
	tables->from_bytes = tables->to_bytes = generation->offset_bytes;
}

bool
tables_resolve(struct tables *tables, const struct generation *generation, unsigned minor,
               struct error *err)
{
	if (!tables->is_lenient && !tables->has_frequency)
		return refuse_generation(generation, "no frequency event found", err);
	if (!tables->is_lenient && minor >= MINOR_CLOCKS && !tables->has_clock)
		return refuse_generation(generation, "no clock snapshot event found", err);
	if (tables->frequency == 0)
		tables_set_frequency(tables, TABLES_USUAL_FREQUENCY);
	return resolve_stacks(tables, generation, err) &&
	       resolve_samples(tables, generation, err);
}

uint32_t
tables_first_stack_batch(const struct tables *tables)
{
	assert(tables->raw_count > 0);
	return tables->raw_stacks[0].batch;
}

void
tables_release(struct tables *tables)
{
	id_map_release(&tables->string_ids);
	id_map_release(&tables->stack_ids);
	memory_free(tables->samples);
	memory_free(tables->raw_stacks);
	map_release(&tables->frame_of_pc);
	alloc_tables_release(&tables->alloc);
	*tables = (struct tables){ 0 };
}
