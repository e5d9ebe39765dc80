/* Reading of damaged traces, and what must be true of it. */
#include "damaging.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/memory.h"
#include "damagecheck.h"
#include "dump/dump.h"
#include "input/unpack.h"
#include "looking.h"
#include "source/go/header.h"
#include "source/go/load.h"
#include "source/go/reader.h"
#include "source/go/v1_wire.h"
#include "source/go/wire.h"

/*
 * An event on the wire has two bytes at least, and is delivered as three at most; a Sync
 * stands for a batch, or for the end.
 */
enum { EVENTS_PER_BYTE = 2, EVENTS_FREE = 4 };

/* Reading takes milliseconds. This is for telling where it hangs, and enough for any machine. */
enum { HANGS_AFTER_S = 120 };

/* ---- what the reader delivers */

struct witness {
	const struct specimen *specimen;
	const struct input *file;
	struct intern strings;
	struct stack_table stacks;
	struct whole_generation *generations; /* as they come */
	size_t generation_count, generation_capacity;
	uint64_t events, events_max;
	uint64_t digest;
	int64_t last_time_ns;
	const char *problem; /* the first one; NULL: none */
};

static void
mix(struct witness *witness, uint64_t value)
{
	witness->digest = (witness->digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	witness->digest ^= witness->digest >> 29;
}

static void
mix_string(struct witness *witness, string_id id)
{
	size_t length;
	const char *bytes = intern_text(&witness->strings, id, &length);
	mix(witness, hash_bytes(bytes, length));
}

static void
mix_range(struct witness *witness, const struct go_event *event)
{
	mix(witness, event->u.range.range);
	mix_string(witness, event->u.range.detail);
	mix(witness, (uint64_t)event->u.range.scope_g);
	mix(witness, (uint64_t)event->u.range.scope_p);
	mix(witness, event->u.range.swept_bytes);
	mix(witness, event->u.range.reclaimed_bytes);
}

static void
mix_goroutine(struct witness *witness, const struct go_event *event)
{
	mix(witness, (uint64_t)event->u.goroutine.id);
	mix(witness, (uint64_t)event->u.goroutine.from << 8 | event->u.goroutine.to);
	mix_string(witness, event->u.goroutine.reason);
	mix(witness, event->u.goroutine.stack);
}

static void
mix_task(struct witness *witness, int64_t id, string_id name)
{
	mix(witness, (uint64_t)id);
	mix_string(witness, name);
}

static void
mix_payload(struct witness *witness, const struct go_event *event)
{
	switch (event->kind) {
	case GO_EVENT_SYNC:
		mix(witness, event->u.sync.generation);
		mix(witness, event->u.sync.has_clock ? event->u.sync.clock_wall_ns : 0);
		return;
	case GO_EVENT_METRIC:
		mix(witness, event->u.metric.metric);
		mix(witness, event->u.metric.value);
		return;
	case GO_EVENT_LABEL:
		mix_string(witness, event->u.label.label);
		return;
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		mix_range(witness, event);
		return;
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
		mix(witness, (uint64_t)event->u.task.parent);
		mix_task(witness, event->u.task.id, event->u.task.name);
		return;
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		mix_task(witness, event->u.region.task, event->u.region.name);
		return;
	case GO_EVENT_LOG:
		mix_string(witness, event->u.log.category);
		mix_task(witness, event->u.log.task, event->u.log.message);
		return;
	case GO_EVENT_GOROUTINE:
		mix_goroutine(witness, event);
		return;
	case GO_EVENT_PROC:
		mix(witness, (uint64_t)event->u.proc.id);
		mix(witness, (uint64_t)event->u.proc.from << 8 | event->u.proc.to);
		return;
	case GO_EVENT_EXPERIMENTAL:
		for (unsigned i = 0; i < event->u.experimental.arg_count; i++)
			mix(witness, event->u.experimental.args[i]);
		return;
	case GO_EVENT_SAMPLE:
		return;
	case GO_EVENT_KIND_COUNT:
		break;
	}
	witness->problem = "an event is of no kind";
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct witness *witness = context;
	if (witness->events > 0 && event->time_ns <= witness->last_time_ns)
		witness->problem = "times do not increase";
	if (++witness->events > witness->events_max)
		return error_set(err, ERROR_USAGE, "more events than the bytes can hold");
	witness->last_time_ns = event->time_ns;
	mix(witness, (uint64_t)event->time_ns);
	mix(witness, (uint64_t)event->kind);
	mix(witness, event->wire_id);
	mix(witness, event->is_synthetic);
	mix(witness, (uint64_t)event->m);
	mix(witness, (uint64_t)event->p);
	mix(witness, (uint64_t)event->g);
	mix(witness, event->stack);
	mix_payload(witness, event);
	return true;
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct witness *witness = context;
	size_t taken = (size_t)witness->file->offset_bytes;
	if (!array_reserve(&witness->generations, &witness->generation_capacity,
		    witness->generation_count + 1, sizeof(*witness->generations), err))
		return false;
	witness->generations[witness->generation_count++] = (struct whole_generation){
		.end_bytes = taken,
		.firm_bytes = taken,
		.number = generation,
		.events = witness->events,
		.digest = witness->digest,
	};
	return true;
}

/* What reading came to. */
struct reading {
	struct witness witness;
	struct go_read_result result;
	struct error err; /* of go_read() */
	bool is_usable;
};

static void
read_trace(struct reading *got, struct input *in, bool is_lenient, uint64_t events_max)
{
	struct witness *witness = &got->witness;
	const struct go_sink sink = {
		.event = take_event,
		.generation = take_generation,
		.context = witness,
		.strings = &witness->strings,
		.stacks = &witness->stacks,
	};
	const struct go_read_options options = { .is_lenient = is_lenient };
	struct error err = { 0 };
	*got = (struct reading){ .witness = { .file = in, .events_max = events_max } };
	assert_true(intern_init(&witness->strings, &err) &&
		stack_table_init(&witness->stacks, &err));
	got->is_usable = go_read(in, &sink, &options, &got->result, &got->err);
}

static void
reading_release(struct reading *got)
{
	intern_release(&got->witness.strings);
	stack_table_release(&got->witness.stacks);
	memory_free(got->witness.generations);
}

/* ---- the undamaged trace */

/* An input that gives one byte at a time, so that it is known which ones were needed. */
struct dribble {
	struct input in; /* first, so that the one is the other */
	bool (*read)(struct input *in, void *out, size_t size, size_t *got, struct error *err);
};

static bool
read_one(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	return ((struct dribble *)in)->read(in, out, size > 0, got, err);
}

static void
read_whole(struct reading *got, const struct text *bytes)
{
	struct dribble dribble;
	struct error err = { 0 };
	assert_true(input_open_memory(&dribble.in, bytes->bytes, bytes->length, &err));
	dribble.read = dribble.in.read;
	dribble.in.read = read_one;
	read_trace(got, &dribble.in, false, UINT64_MAX);
	input_close(&dribble.in);
}

static void
add_border(struct specimen *specimen, uint64_t place)
{
	struct error err = { 0 };
	assert_true(array_reserve(&specimen->borders, &specimen->border_capacity,
		specimen->border_count + 1, sizeof(*specimen->borders), &err));
	specimen->borders[specimen->border_count++] = place;
}

/* A batch of this generation begins; those before it end where its number is told. */
static void
enter_generation(struct specimen *specimen, size_t *index, uint64_t number, uint64_t told_bytes)
{
	while (*index + 1 < specimen->generation_count &&
		specimen->generations[*index].number != number) {
		if (specimen->generations[*index].firm_bytes == SIZE_MAX)
			specimen->generations[*index].firm_bytes = (size_t)told_bytes;
		++*index;
	}
	assert_true(specimen->generations[*index].number == number);
}

/* Where the batches of a v2 trace stand, and its generations end. */
static void
find_batches(struct specimen *specimen)
{
	struct error err = { 0 };
	struct cursor cursor = cursor_over(
		(const uint8_t *)specimen->bytes.bytes, specimen->bytes.length, 0);
	const uint8_t *skipped;
	size_t index = 0;
	assert_true(cursor_bytes(&cursor, HEADER_BYTES, &skipped, &err));
	for (size_t i = 0; i < specimen->generation_count; i++)
		specimen->generations[i].firm_bytes = SIZE_MAX;
	while (cursor_left(&cursor) > 0) {
		uint64_t number = 0, size = 0;
		uint8_t id = 0, experiment;
		add_border(specimen, cursor_offset(&cursor));
		assert_true(cursor_byte(&cursor, &id, &err));
		if (id == WIRE_END_OF_GENERATION) {
			size_t at = (size_t)cursor_offset(&cursor);
			specimen->generations[index].end_bytes = at;
			specimen->generations[index].firm_bytes = at;
			continue;
		}
		if (id == WIRE_EXPERIMENTAL_BATCH)
			assert_true(cursor_byte(&cursor, &experiment, &err));
		assert_true(cursor_varint(&cursor, &number, &err));
		enter_generation(specimen, &index, number, cursor_offset(&cursor));
		for (int i = 0; i < 3; i++)
			assert_true(cursor_varint(&cursor, &size, &err));
		assert_true(cursor_bytes(&cursor, (size_t)size, &skipped, &err));
		specimen->generations[index].end_bytes = (size_t)cursor_offset(&cursor);
	}
}

static void
find_v1_batches(struct specimen *specimen, unsigned minor)
{
	struct error err = { 0 };
	struct v1_record record;
	struct cursor cursor = cursor_over(
		(const uint8_t *)specimen->bytes.bytes, specimen->bytes.length, 0);
	const uint8_t *skipped;
	assert_true(cursor_bytes(&cursor, HEADER_BYTES, &skipped, &err));
	while (cursor_left(&cursor) > 0) {
		uint64_t at = cursor_offset(&cursor);
		assert_true(v1_decode(&cursor, minor, &record, &err));
		if (record.id == V1_BATCH)
			add_border(specimen, at);
	}
}

static void
find_lines(struct specimen *specimen)
{
	const char *bytes = specimen->bytes.bytes;
	for (size_t at = 0; at < specimen->bytes.length; at++)
		if (bytes[at] == 'E' && (at == 0 || bytes[at - 1] == '\n'))
			add_border(specimen, at); /* EventBatch, ExperimentalBatch, EndOfGeneration */
}

static void
find_borders(struct specimen *specimen, const struct go_read_result *result)
{
	static const char start[] = "go 1.";
	const struct text *bytes = &specimen->bytes;
	bool is_wire = strncmp(bytes->bytes, start, sizeof(start) - 1) == 0;
	specimen->is_framed = is_wire && result->go_minor >= 22;
	if (specimen->is_framed)
		find_batches(specimen);
	else if (is_wire)
		find_v1_batches(specimen, result->go_minor);
	else if (!specimen->is_packed)
		find_lines(specimen);
	add_border(specimen, bytes->length);
}

void
specimen_init(struct specimen *specimen, const char *name, const void *bytes, size_t size)
{
	struct reading got;
	*specimen = (struct specimen){ .name = name, .wire_bytes = size };
	text_add(&specimen->bytes, bytes, size);
	assert_false(specimen->bytes.failed);
	read_whole(&got, &specimen->bytes);
	if (!got.is_usable || got.result.damage.count > 0)
		fail_msg("%s cannot be read whole: %s", name, got.err.message);
	specimen->generations = got.witness.generations;
	specimen->generation_count = got.witness.generation_count;
	specimen->generation_capacity = got.witness.generation_capacity;
	got.witness.generations = NULL;
	specimen->is_packed = got.result.is_packed;
	find_borders(specimen, &got.result);
	reading_release(&got);
}

void
specimen_pack(struct specimen *specimen, const char *name, const struct specimen *unpacked,
	const struct packer *packer)
{
	struct text packed = { 0 };
	packer->pack(&packed, unpacked->bytes.bytes, unpacked->bytes.length);
	specimen_init(specimen, name, packed.bytes, packed.length);
	specimen->wire_bytes = unpacked->bytes.length;
	text_release(&packed);
}

void
specimen_release(struct specimen *specimen)
{
	text_release(&specimen->bytes);
	memory_free(specimen->borders);
	memory_free(specimen->generations);
	*specimen = (struct specimen){ 0 };
}

/* ---- damages */

struct harm
harm_at(size_t place, unsigned which)
{
	static const struct harm all[HARMS_PER_PLACE] = {
		{ .type = HARM_CUT },
		{ .type = HARM_BITS, .value = 0x01 },
		{ .type = HARM_BITS, .value = 0x80 },
		{ .type = HARM_BYTE, .value = 0x00 },
		{ .type = HARM_BYTE, .value = 0xff },
	};
	struct harm harm = all[which];
	harm.place = place;
	return harm;
}

/* What is being tried, for whoever has to know. */
static char at_work[200];

static void
on_alarm(int number)
{
	static const char hangs[] = ": does not come to an end\n";
	(void)number;
	if (write(STDERR_FILENO, at_work, strlen(at_work)) >= 0 &&
		write(STDERR_FILENO, hangs, sizeof(hangs) - 1) >= 0)
		_exit(1);
	_exit(2);
}

/* A new allocation of exactly that size, so that a sanitizer sees a step beyond its end. */
static uint8_t *
make_damaged(const struct specimen *specimen, struct harm harm, size_t *size)
{
	static const char *const names[] = { "cut at", "bits flipped at", "another byte at" };
	*size = harm.type == HARM_CUT ? harm.place : specimen->bytes.length;
	uint8_t *copy = memory_realloc(NULL, *size + (*size == 0));
	assert_non_null(copy);
	memcpy(copy, specimen->bytes.bytes, *size);
	if (harm.type == HARM_BITS)
		copy[harm.place] ^= harm.value;
	if (harm.type == HARM_BYTE)
		copy[harm.place] = harm.value;
	snprintf(at_work, sizeof(at_work), "%s, %s %zu (0x%02x)", specimen->name,
		names[harm.type], harm.place, harm.value);
	struct sigaction action = { .sa_handler = on_alarm };
	sigaction(SIGALRM, &action, NULL);
	alarm(HANGS_AFTER_S);
	return copy;
}

static void
free_damaged(uint8_t *copy)
{
	alarm(0);
	memory_free(copy);
}

/* ---- what must be true */

/* As many events as so many bytes can hold, whatever they are. */
static uint64_t
most_events(const struct specimen *specimen, size_t size)
{
	uint64_t bytes = size;
	if (specimen->is_packed)
		bytes = UNPACK_FREE_BYTES + bytes * UNPACK_MAX_RATIO;
	return EVENTS_PER_BYTE * bytes + EVENTS_FREE;
}

/* Where an error may be. A damaged packed trace can unpack to anything. */
static uint64_t
last_place(const struct specimen *specimen, struct harm harm, size_t size)
{
	if (!specimen->is_packed)
		return size;
	return harm.type == HARM_CUT ? specimen->wire_bytes : DAMAGE_ANYWHERE;
}

static bool
is_border(const struct specimen *specimen, size_t place)
{
	for (size_t i = 0; i < specimen->border_count; i++) {
		if (specimen->borders[i] >= place)
			return specimen->borders[i] == place;
	}
	return false;
}

/* Whether a damage may go unnoticed. */
static bool
may_be_whole(const struct specimen *specimen, struct harm harm)
{
	if (harm.type != HARM_CUT)
		return true;
	if (specimen->is_packed)
		return harm.place == specimen->bytes.length;
	return !specimen->is_framed || is_border(specimen, harm.place);
}

/* What is said of the harm; a map without rows says nothing. `last` is the place behind all bytes. */
static const char *
find_wrong_verdict(const struct specimen *specimen, struct harm harm, const struct damage_map *map,
	const struct error *err, uint64_t last)
{
	if (map == NULL)
		return damage_error_problem(err, last);
	if (map->count == 0 && !may_be_whole(specimen, harm))
		return "the damage goes unnoticed";
	return damage_map_problem(map, last);
}

/* Of all generations that end before the damage the same events must have come. */
static const char *
find_lost_generation(const struct specimen *specimen, struct harm harm,
	const struct witness *witness)
{
	for (size_t i = 0; i < specimen->generation_count; i++) {
		const struct whole_generation *whole = &specimen->generations[i];
		const struct whole_generation *got = &witness->generations[i];
		if (harm.place <
			(harm.type == HARM_CUT ? whole->end_bytes : whole->firm_bytes))
			return NULL;
		if (i >= witness->generation_count)
			return "a whole generation before the damage is lost";
		if (got->events != whole->events || got->digest != whole->digest)
			return "a whole generation before the damage has other events";
	}
	return NULL;
}

static const char *
find_fault(const struct specimen *specimen, struct harm harm, size_t size,
	const struct reading *got)
{
	const struct go_read_result *result = &got->result;
	const char *fault = find_wrong_verdict(specimen, harm,
		got->is_usable ? &result->damage : NULL, &got->err,
		last_place(specimen, harm, size));
	if (got->witness.problem != NULL)
		return got->witness.problem;
	if (result->read_bytes > size)
		return "more is read than there is";
	if (!got->is_usable && got->witness.generation_count > 0)
		return "what was delivered is lost";
	return fault != NULL ? fault : find_lost_generation(specimen, harm, &got->witness);
}

/* What was said of the harm first. */
static const char *
message_of(const struct damage_map *map, const struct error *err)
{
	return map != NULL && map->count > 0 ? map->rows[0].first.message : err->message;
}

void
specimen_check(const struct specimen *specimen, struct harm harm, bool is_lenient)
{
	struct reading got;
	struct input in;
	struct error err = { 0 };
	size_t size;
	uint8_t *copy = make_damaged(specimen, harm, &size);
	assert_true(input_open_memory(&in, copy, size, &err));
	read_trace(&got, &in, is_lenient, most_events(specimen, size));
	const char *fault = find_fault(specimen, harm, size, &got);
	if (fault != NULL)
		fail_msg("%s, %s: %s (\"%s\")", at_work, is_lenient ? "lenient" : "strict", fault,
			message_of(&got.result.damage, &got.err));
	reading_release(&got);
	input_close(&in);
	free_damaged(copy);
}

/* ---- the whole program's way */

void
specimen_check_loaded(const struct specimen *specimen, struct harm harm, bool is_lenient)
{
	const struct go_read_options options = { .is_lenient = is_lenient };
	struct input in;
	struct error err = { 0 };
	size_t size;
	uint8_t *copy = make_damaged(specimen, harm, &size);
	assert_true(input_open_memory(&in, copy, size, &err));
	struct trace *trace = go_load(&in, &options, &err);
	const struct damage_map *map = trace != NULL ? &trace->damage : NULL;
	const char *fault = find_wrong_verdict(specimen, harm, map, &err,
		last_place(specimen, harm, size));
	if (fault == NULL && trace != NULL)
		fault = look_everywhere(trace, harm.place);
	if (fault != NULL)
		fail_msg("%s, loaded: %s (\"%s\")", at_work, fault, message_of(map, &err));
	trace_free(trace);
	input_close(&in);
	free_damaged(copy);
}

/* ---- dumps */

static bool
drop_text(void *context, const char *bytes, size_t length, struct error *err)
{
	(void)context;
	(void)bytes;
	(void)length;
	(void)err;
	return true;
}

static bool
dump_form(const struct dump *dump, struct input *in, enum damaged_dump form,
	struct go_read_result *result, struct error *err)
{
	switch (form) {
	case DAMAGED_PARSED:
		return dump_parsed(dump, in, DUMP_PARSED_NEWEST, result, err);
	case DAMAGED_JSON:
		return dump_json(dump, in, DUMP_JSON_PROC, 0, result, err);
	case DAMAGED_JSON_GOROUTINE:
		return dump_json(dump, in, DUMP_JSON_GOROUTINE, 1, result, err);
	case DAMAGED_WIRE:
		return dump_wire(dump, in, result, err);
	case DAMAGED_FOOTPRINT:
		return dump_footprint(dump, in, result, err);
	case DAMAGED_DUMPS:
		break;
	}
	fail_msg("there is no dump %d", (int)form);
	return false;
}

static const char *
find_dumped_fault(const struct specimen *specimen, struct harm harm, uint64_t last,
	enum damaged_dump form, const struct damage_map *map, const struct error *err)
{
	/* A form that this trace does not have, or a goroutine. */
	if (map == NULL && err->kind == ERROR_USAGE)
		return NULL;
	/* These go from event to event, and do not know where a batch should end. */
	if (map != NULL && (form == DAMAGED_WIRE || form == DAMAGED_FOOTPRINT))
		return damage_map_problem(map, last);
	return find_wrong_verdict(specimen, harm, map, err, last);
}

void
specimen_check_dumped(const struct specimen *specimen, struct harm harm, enum damaged_dump form)
{
	struct input in;
	struct writer out;
	struct go_read_result result = { 0 };
	struct error err = { 0 };
	size_t size;
	uint8_t *copy = make_damaged(specimen, harm, &size);
	assert_true(input_open_memory(&in, copy, size, &err) &&
		writer_init(&out, drop_text, NULL, &err));
	const struct dump dump = { .out = &out };
	bool is_usable = dump_form(&dump, &in, form, &result, &err);
	const char *fault = find_dumped_fault(specimen, harm, last_place(specimen, harm, size), form,
		is_usable ? &result.damage : NULL, &err);
	if (fault != NULL)
		fail_msg("%s, dump %d: %s (\"%s\")", at_work, (int)form, fault,
			message_of(&result.damage, &err));
	writer_release(&out);
	input_close(&in);
	free_damaged(copy);
}
