/* The pass over the headers of batches: doc/format/go-trace-v2.md, sections 3 and 7. */
#include "source/go/outline.h"

#include "base/ids.h"
#include "base/memory.h"
#include "source/go/extent.h"
#include "source/go/header.h"
#include "source/go/tables.h"
#include "source/go/wire.h"

/* A header and all of a payload that tells of clocks: two small events and their operands. */
enum { CLOCK_MAX_BYTES = 3 + 5 * VARINT_MAX_BYTES };
enum { LOOK_BYTES = WIRE_BATCH_HEADER_MAX_BYTES + CLOCK_MAX_BYTES };

/* The batch that a thread wrote last. */
struct last_batch {
	uint64_t offset_bytes; /* of the payload */
	uint64_t time_ticks;
	uint32_t size;
};

struct pass {
	struct outline *outline;
	const struct input *in;
	uint64_t at_bytes;
	uint64_t batches;
	uint8_t look[LOOK_BYTES]; /* from at_bytes on */
	size_t look_size;
	bool is_open;             /* a generation; it has its own of: */
	uint64_t min_ticks;
	uint64_t tables_ticks;    /* of the batch of stacks, if no events follow it; else 0 */
	uint64_t clock_ticks;     /* of the one that tells the frequency, where it stands behind */
	uint64_t before_ticks;    /* when the generation before began; 0 for the first */
	struct id_map thread_of;
	struct last_batch *last;  /* by thread */
	size_t thread_count, thread_capacity;
	struct tables clock;      /* only times are asked of it */
};

/* The header of a batch. */
struct heading {
	uint64_t generation, m, time_ticks, size;
	uint64_t payload_bytes; /* its offset */
	uint8_t experiment;
	bool is_end_mark;
};

/* ---- generations */

static struct outline_generation *
current(const struct pass *pass)
{
	return &pass->outline->generations[pass->outline->count - 1];
}

static bool
begin_generation(struct pass *pass, uint64_t number, struct error *err)
{
	struct outline *outline = pass->outline;

	if (!array_reserve(&outline->generations, &outline->capacity, outline->count + 1,
	                   sizeof(*outline->generations), err))
		return false;
	outline->generations[outline->count++] = (struct outline_generation){
		.number = number,
		.from_bytes = pass->at_bytes,
		.batches_before = pass->batches,
	};
	id_map_clear(&pass->thread_of);
	pass->thread_count = 0;
	pass->before_ticks = pass->min_ticks;
	pass->min_ticks = pass->tables_ticks = pass->clock_ticks = 0;
	pass->is_open = true;
	return true;
}

/* All batches of the generation were seen, up to here. */
static void
end_generation(struct pass *pass)
{
	struct outline_generation *generation;

	if (!pass->is_open)
		return;
	pass->is_open = false;
	generation = current(pass);
	generation->to_bytes = pass->at_bytes;
	generation->threads = (uint32_t)pass->thread_count;
	generation->from_ns = generation->to_ns = tables_ns(&pass->clock, pass->min_ticks);
}

/* ---- batches */

/* False for what is no header. */
static bool
parse_heading(const struct pass *pass, struct heading *heading)
{
	struct error ignored = { 0 };
	struct cursor cursor = cursor_over(pass->look, pass->look_size, pass->at_bytes);
	uint8_t id = 0;

	*heading = (struct heading){ 0 };
	if (!cursor_byte(&cursor, &id, &ignored))
		return false;
	if (id == WIRE_END_OF_GENERATION) {
		heading->is_end_mark = true;
		heading->payload_bytes = cursor_offset(&cursor);
		return true;
	}
	if (id != WIRE_EVENT_BATCH &&
	    (id != WIRE_EXPERIMENTAL_BATCH || !cursor_byte(&cursor, &heading->experiment, &ignored)))
		return false;
	if (!cursor_varint(&cursor, &heading->generation, &ignored) ||
	    !cursor_varint(&cursor, &heading->m, &ignored) ||
	    !cursor_varint(&cursor, &heading->time_ticks, &ignored) ||
	    !cursor_varint(&cursor, &heading->size, &ignored))
		return false;
	heading->payload_bytes = cursor_offset(&cursor);
	return heading->generation > 0 && heading->size <= WIRE_BATCH_MAX_BYTES;
}

static bool
note_events(struct pass *pass, const struct heading *heading, struct error *err)
{
	uint32_t thread = id_map_find(&pass->thread_of, heading->m);

	if (thread == MAP_NONE) {
		thread = (uint32_t)pass->thread_count;
		if (!array_reserve(&pass->last, &pass->thread_capacity, pass->thread_count + 1,
		                   sizeof(*pass->last), err) ||
		    !id_map_add(&pass->thread_of, heading->m, thread, err))
			return false;
		pass->thread_count++;
	}
	pass->last[thread] = (struct last_batch){
		.offset_bytes = heading->payload_bytes,
		.time_ticks = heading->time_ticks,
		.size = (uint32_t)heading->size,
	};
	current(pass)->timed_bytes += heading->size;
	return true;
}

/* What cannot be decoded is not there. */
static void
note_clock(struct pass *pass, const struct heading *heading, struct cursor cursor)
{
	struct clock_snapshot clock = { 0 };
	struct error ignored = { 0 };
	uint64_t frequency;
	uint8_t id = 0;

	if (pass->outline->minor >= MINOR_CLOCKS)
		cursor_byte(&cursor, &id, &ignored);
	if (!cursor_byte(&cursor, &id, &ignored) || id != WIRE_FREQUENCY ||
	    !cursor_varint(&cursor, &frequency, &ignored) || frequency == 0)
		return;
	tables_set_frequency(&pass->clock, frequency);
	current(pass)->frequency = frequency;
	if (!cursor_byte(&cursor, &id, &ignored) || id != WIRE_CLOCK_SNAPSHOT ||
	    !cursor_varint(&cursor, &clock.trace_ticks, &ignored) ||
	    !cursor_varint(&cursor, &clock.mono_ns, &ignored) ||
	    !cursor_varint(&cursor, &clock.wall_s, &ignored) ||
	    !cursor_varint(&cursor, &clock.wall_ns, &ignored))
		return;
	clock.trace_ticks += heading->time_ticks;
	current(pass)->has_clock = clock_point_set(
		&current(pass)->clock, tables_ns(&pass->clock, clock.trace_ticks), clock.wall_s,
		clock.wall_ns);
}

/* What the batch is, by the first byte of its payload. */
static bool
note_payload(struct pass *pass, const struct heading *heading, struct error *err)
{
	size_t start = (size_t)(heading->payload_bytes - pass->at_bytes);
	size_t seen = pass->look_size - start;

	if (heading->experiment != 0 || heading->size == 0 || seen == 0)
		return true;
	switch (pass->look[start]) {
	case WIRE_STACKS:
		if (pass->tables_ticks == 0)
			pass->tables_ticks = heading->time_ticks;
		return true;
	case WIRE_STRINGS:
	case WIRE_CPU_SAMPLES:
		return true;
	case WIRE_FREQUENCY:
		pass->clock_ticks = heading->time_ticks;
		/* fall through */
	case WIRE_SYNC:
		if (seen > heading->size)
			seen = (size_t)heading->size;
		note_clock(pass, heading,
		           cursor_over(pass->look + start, seen, heading->payload_bytes));
		return true;
	default:
		pass->tables_ticks = 0;
		return note_events(pass, heading, err);
	}
}

static bool
take_batch(struct pass *pass, const struct heading *heading, struct error *err)
{
	if (pass->is_open && heading->generation > current(pass)->number)
		end_generation(pass);
	if (!pass->is_open && !begin_generation(pass, heading->generation, err))
		return false;
	pass->batches++;
	current(pass)->batches++;
	/* 0 counts as not set yet, as it does for the reader; and nothing is that early. */
	if (heading->time_ticks >= pass->before_ticks &&
	    (pass->min_ticks == 0 || heading->time_ticks < pass->min_ticks))
		pass->min_ticks = heading->time_ticks;
	return note_payload(pass, heading, err);
}

/* One batch; *is_done at the end of the file, or where there is none. */
static bool
look_at_batch(struct pass *pass, bool *is_done, struct error *err)
{
	struct heading heading;

	if (!input_look(pass->in, pass->at_bytes, pass->look, LOOK_BYTES, &pass->look_size, err))
		return false;
	*is_done = pass->look_size == 0;
	if (*is_done)
		return true;
	if (!parse_heading(pass, &heading)) {
		pass->outline->broken_bytes = pass->at_bytes;
		*is_done = true;
		return true;
	}
	if (!heading.is_end_mark && !take_batch(pass, &heading, err))
		return false;
	pass->at_bytes = heading.payload_bytes + heading.size;
	if (heading.is_end_mark)
		end_generation(pass);
	return true;
}

/* ---- the end of the trace */

/* The time of the last event of a batch; what cannot be decoded ends it. */
static int64_t
last_time(const struct pass *pass, const struct last_batch *batch, struct cursor cursor)
{
	int64_t time_ns = tables_ns(&pass->clock, batch->time_ticks);
	struct error ignored = { 0 };
	struct wire_event event;

	while (cursor_left(&cursor) > 0 && wire_decode(&cursor, &event, &ignored)) {
		time_ns += tables_ns(&pass->clock, event.args[0]);
		if (time_ns > GO_TIME_MAX_NS)
			return GO_TIME_MAX_NS;
	}
	return time_ns;
}

/*
 * The last generation lasts till the last event of any thread, but, if it is whole, no longer
 * than its times agree, as when it is read.
 */
static bool
find_end(struct pass *pass, struct error *err)
{
	struct outline_generation *generation = current(pass);
	struct extent_signs signs = {
		.start = pass->min_ticks, .ms = tables_ticks(&pass->clock, 1000000),
	};
	const uint64_t known[] = { pass->tables_ticks, pass->clock_ticks };
	uint8_t *payload = array_new_unset(WIRE_BATCH_MAX_BYTES, 1, err);
	signs.times = array_new(pass->thread_count, sizeof(*signs.times), err);
	bool ok = payload != NULL && signs.times != NULL;
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		if (known[i] > 0)
			signs.known[signs.known_count++] = known[i];
	}

	for (size_t i = 0; ok && i < pass->thread_count; i++) {
		const struct last_batch *last = &pass->last[i];
		size_t size;

		ok = input_look(pass->in, last->offset_bytes, payload, last->size, &size, err);
		if (!ok)
			break;
		int64_t end_ns = last_time(pass, last,
		                           cursor_over(payload, size, last->offset_bytes));
		if (end_ns > generation->to_ns)
			generation->to_ns = end_ns;
		signs.times[signs.count++] = tables_ticks(&pass->clock, (uint64_t)end_ns);
	}
	uint64_t end_ticks = ok && pass->tables_ticks > 0 ? extent_end(&signs) : EXTENT_OPEN;
	if (end_ticks != EXTENT_OPEN && generation->to_ns > tables_ns(&pass->clock, end_ticks))
		generation->to_ns = tables_ns(&pass->clock, end_ticks);
	memory_free(signs.times);
	memory_free(payload);
	return ok;
}

static void
join_times(struct outline *outline)
{
	for (size_t i = 0; i + 1 < outline->count; i++) {
		struct outline_generation *generation = &outline->generations[i];

		generation->to_bytes = generation[1].from_bytes;
		if (generation[1].from_ns > generation->from_ns)
			generation->to_ns = generation[1].from_ns;
	}
}

/* ---- the whole */

static bool
look_at_header(struct pass *pass, bool *has_generations, struct error *err)
{
	uint8_t header[HEADER_BYTES];
	uint32_t minor;
	size_t size;

	*has_generations = false;
	if (!input_can_rewind(pass->in))
		return true;
	if (!input_look(pass->in, 0, header, sizeof(header), &size, err))
		return false;
	if (size < sizeof(header) || !header_parse(header, &minor) || minor < MINOR_FIRST_V2)
		return true;
	pass->outline->minor = minor;
	pass->at_bytes = HEADER_BYTES;
	*has_generations = true;
	return true;
}

static bool
goes_on(const struct pass *pass, struct error *err)
{
	struct progress *progress = pass->in->progress;

	if (progress == NULL)
		return true;
	atomic_store_explicit(&progress->read_bytes, pass->at_bytes, memory_order_relaxed);
	return !atomic_load_explicit(&progress->is_cancelled, memory_order_relaxed) ||
	       error_set(err, ERROR_CANCELLED, "reading was cancelled");
}

static bool
look_at_all(struct pass *pass, struct error *err)
{
	bool is_done = false;

	tables_set_frequency(&pass->clock, TABLES_USUAL_FREQUENCY);
	if (pass->in->progress != NULL)
		atomic_store(&pass->in->progress->total_bytes, pass->in->total_bytes);
	while (!is_done) {
		if (!goes_on(pass, err) || !look_at_batch(pass, &is_done, err))
			return false;
	}
	end_generation(pass);
	if (pass->outline->count == 0)
		return true;
	current(pass)->to_bytes = input_known_bytes(pass->in);
	join_times(pass->outline);
	return find_end(pass, err);
}

bool
outline_read(struct outline *outline, const struct input *in, struct error *err)
{
	struct pass pass = { .outline = outline, .in = in };
	bool has_generations;

	*outline = (struct outline){ 0 };
	bool ok = look_at_header(&pass, &has_generations, err) &&
	          (!has_generations || look_at_all(&pass, err));
	id_map_release(&pass.thread_of);
	memory_free(pass.last);
	if (!ok)
		outline_release(outline);
	return ok;
}

void
outline_release(struct outline *outline)
{
	memory_free(outline->generations);
	*outline = (struct outline){ 0 };
}
