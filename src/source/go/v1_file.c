/* Reading and checking of a v1 trace as a whole, and its tables. */
#include "source/go/v1_file.h"

#include <assert.h>
#include <inttypes.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/thread.h"

enum {
	READ_BYTES = 1 << 20,
	PROGRESS_RECORDS = 1 << 12,
	PROGRESS_SHARE = 3, /* of the work is checking; a third as well is ordering */
};

/* ---- the bytes */

/* Whether err ends the reading: all but what the input itself refuses. */
static bool
is_about_input(const struct error *err)
{
	return err->kind != ERROR_MEMORY && err->kind != ERROR_CANCELLED;
}

/* Where the size is known, growing would only cost memory; one byte more finds the end. */
static bool
reserve_known(struct v1_file *file, const struct input *in, struct error *err)
{
	size_t wanted = READ_BYTES;
	if (in->total_bytes > in->offset_bytes && in->total_bytes < SIZE_MAX)
		wanted = (size_t)(in->total_bytes - in->offset_bytes) + 1;
	return array_reserve(&file->bytes, &file->byte_capacity, wanted, 1, err);
}

bool
v1_file_read(struct v1_file *file, struct input *in, struct delivery *delivery,
             struct error *cut, struct error *err)
{
	size_t got = 1;
	file->offset_bytes = in->offset_bytes;
	if (!reserve_known(file, in, err))
		return false;
	while (got > 0) {
		struct error trouble = { 0 };
		if (!array_reserve(&file->bytes, &file->byte_capacity, file->byte_count + 1, 1,
		                   err) ||
		    !delivery_progress(delivery, err))
			return false;
		size_t room = file->byte_capacity - file->byte_count;
		room = room < READ_BYTES ? room : READ_BYTES;
		if (!input_some(in, file->bytes + file->byte_count, room, &got, &trouble)) {
			*(is_about_input(&trouble) ? cut : err) = trouble;
			return is_about_input(&trouble);
		}
		file->byte_count += got;
	}
	return true;
}

struct cursor
v1_file_cursor(const struct v1_file *file, size_t at, size_t end)
{
	assert(at <= end && end <= file->byte_count);
	return cursor_over(file->bytes + at, end - at, file->offset_bytes + at);
}

size_t
v1_file_at(const struct v1_file *file, const struct cursor *cursor)
{
	return (size_t)(cursor_offset(cursor) - file->offset_bytes);
}

void
v1_file_record(const struct v1_file *file, size_t at, struct v1_record *record)
{
	struct cursor cursor = v1_file_cursor(file, at, file->good_count);
	struct error err = { .kind = ERROR_NONE };
	bool ok = v1_decode(&cursor, file->minor, record, &err);
	assert(ok);
	(void)ok;
}

/* ---- checking */

struct parser {
	struct v1_file *file;
	struct v1_batch *batch; /* the open one; NULL before the first */
	int64_t ticks;          /* of the event before */
	/* Told, but it is not known yet whether to believe it, or what follows is against it; or 0. */
	uint64_t frequency, doubted_frequency;
};

static bool
refuse_time(const struct v1_record *record, struct error *err)
{
	return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
	                    "event %s: a time out of range", v1_kinds[record->id].name);
}

static bool
find_list(struct v1_file *file, const struct v1_record *record, uint32_t *index,
          struct error *err)
{
	uint64_t pid = record->args[0];
	*index = id_map_find(&file->list_of, pid);
	if (*index != MAP_NONE)
		return true;
	if (file->list_count >= V1_LISTS_MAX)
		return error_set_at(err, ERROR_LIMIT, record->offset_bytes,
		                    "more than %d procs", V1_LISTS_MAX);
	*index = (uint32_t)file->list_count;
	if (!array_reserve(&file->lists, &file->list_capacity, file->list_count + 1,
	                   sizeof(*file->lists), err) ||
	    !id_map_add(&file->list_of, pid, *index, err))
		return false;
	file->lists[file->list_count++] =
		(struct v1_list){ (int64_t)pid, V1_BATCH_NONE, V1_BATCH_NONE };
	return true;
}

static void
link_batch(struct v1_file *file, uint32_t list_index, uint32_t batch)
{
	struct v1_list *list = &file->lists[list_index];
	if (list->last == V1_BATCH_NONE)
		list->first = batch;
	else
		file->batches[list->last].next = batch;
	list->last = batch;
}

static bool
take_batch(struct parser *parser, const struct v1_record *record, size_t end, struct error *err)
{
	struct v1_file *file = parser->file;
	uint32_t list;
	if (record->args[1] > INT64_MAX)
		return refuse_time(record, err);
	if (file->batch_count >= V1_BATCH_NONE)
		return error_set_at(err, ERROR_LIMIT, record->offset_bytes, "too many batches");
	if (!array_reserve(&file->batches, &file->batch_capacity, file->batch_count + 1,
	                   sizeof(*file->batches), err) ||
	    !find_list(file, record, &list, err))
		return false;
	link_batch(file, list, (uint32_t)file->batch_count);
	parser->ticks = (int64_t)record->args[1];
	parser->batch = &file->batches[file->batch_count++];
	*parser->batch = (struct v1_batch){
		.at = end,
		.end = end,
		.ticks = parser->ticks,
		.last_ticks = parser->ticks,
		.next = V1_BATCH_NONE,
	};
	return true;
}

/*
 * The runtime writes the frequency behind all events, before timers and the batches of tables.
 * Another record of which the first byte changed stands among events.
 */
static void
judge_frequency(struct parser *parser, const struct v1_record *record)
{
	bool is_table = record->id == V1_STRING || record->id == V1_STACK;
	if (record->id == V1_TIMER_GOROUTINE ||
	    (record->id == V1_BATCH && record->args[1] >= (uint64_t)parser->batch->ticks))
		return;
	if (is_table && !parser->batch->has_events)
		parser->file->frequency = parser->frequency;
	else
		parser->doubted_frequency = parser->frequency;
	parser->frequency = 0;
}

static bool
take_frequency(struct parser *parser, const struct v1_record *record, struct error *err)
{
	if (record->args[0] == 0 || record->args[0] > INT64_MAX)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "invalid frequency %" PRIu64, record->args[0]);
	if (parser->file->is_lenient)
		parser->frequency = record->args[0];
	else
		parser->file->frequency = record->args[0];
	return true;
}

static bool
take_string(struct v1_file *file, const struct v1_record *record, struct error *err)
{
	string_id string;
	if (id_map_find(&file->string_ids, record->args[0]) != MAP_NONE)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "duplicate string ID %" PRIu64, record->args[0]);
	return intern_add(file->strings, (const char *)record->text, record->text_size, &string,
	                  err) &&
	       id_map_add(&file->string_ids, record->args[0], string, err);
}

static bool
refuse_stack(const struct v1_record *record, struct error *err)
{
	return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
	                    "event Stack: bad number of frames");
}

/* The operands must be the id, the number of frames and four for each frame. */
static bool
check_stack(const struct v1_record *record, uint64_t *id, uint64_t *count, struct error *err)
{
	struct cursor operands = record->operands;
	uint64_t found = 0, ignored;
	struct error broken = { .kind = ERROR_NONE };
	if (!cursor_varint(&operands, id, &broken) || !cursor_varint(&operands, count, &broken) ||
	    *count > V1_STACK_MAX_FRAMES)
		return refuse_stack(record, err);
	for (; cursor_left(&operands) > 0; found++) {
		if (!cursor_varint(&operands, &ignored, &broken))
			return refuse_stack(record, err);
	}
	return found == *count * 4 || refuse_stack(record, err);
}

static bool
take_stack(struct v1_file *file, const struct v1_record *record, size_t at, struct error *err)
{
	uint64_t id = 0, count = 0;
	if (!check_stack(record, &id, &count, err))
		return false;
	if (id == 0 || count == 0)
		return true;
	if (!array_reserve(&file->raw_stacks, &file->raw_capacity, file->raw_count + 1,
	                   sizeof(*file->raw_stacks), err))
		return false;
	file->raw_stacks[file->raw_count++] = (struct v1_raw_stack){ (uint32_t)id, at };
	return true;
}

static bool
take_sample(struct v1_file *file, const struct v1_record *record, size_t at, struct error *err)
{
	if (record->args[1] > INT64_MAX)
		return refuse_time(record, err);
	if (!array_reserve(&file->samples, &file->sample_capacity, file->sample_count + 1,
	                   sizeof(*file->samples), err))
		return false;
	file->event_count++;
	file->samples[file->sample_count++] =
		(struct v1_sample){ (int64_t)record->args[1], at };
	return true;
}

static bool
take_timer(struct v1_file *file, const struct v1_record *record, struct error *err)
{
	return id_map_find(&file->timers, record->args[0]) != MAP_NONE ||
	       id_map_add(&file->timers, record->args[0], 0, err);
}

static bool
take_event(struct parser *parser, const struct v1_record *record, struct error *err)
{
	if (record->args[0] <= (uint64_t)(INT64_MAX - parser->ticks))
		parser->ticks += (int64_t)record->args[0];
	else if (!parser->file->is_lenient)
		return refuse_time(record, err);
	parser->batch->last_ticks = parser->ticks;
	if (!parser->batch->has_events)
		parser->batch->first_id = record->id;
	parser->batch->has_events = true;
	parser->file->event_count++;
	return true;
}

/* Takes the record in [at, end). */
static bool
take_record(struct parser *parser, const struct v1_record *record, size_t at, size_t end,
            struct error *err)
{
	struct v1_file *file = parser->file;
	if (record->id != V1_BATCH && parser->batch == NULL)
		return error_set_at(err, ERROR_FORMAT, record->offset_bytes,
		                    "event %s before the first batch", v1_kinds[record->id].name);
	if (UNLIKELY(parser->frequency > 0))
		judge_frequency(parser, record);
	switch (record->id) {
	case V1_BATCH:
		return take_batch(parser, record, end, err);
	case V1_FREQUENCY:
		return take_frequency(parser, record, err);
	case V1_STRING:
		return take_string(file, record, err);
	case V1_STACK:
		parser->batch->has_stacks = true;
		return take_stack(file, record, at, err);
	case V1_CPU_SAMPLE:
		return take_sample(file, record, at, err);
	case V1_TIMER_GOROUTINE:
		return take_timer(file, record, err);
	default:
		return take_event(parser, record, err);
	}
}

static bool
parse_records(struct parser *parser, struct delivery *delivery, struct error *err)
{
	struct v1_file *file = parser->file;
	struct cursor cursor = v1_file_cursor(file, 0, file->byte_count);
	struct v1_record record;
	for (unsigned n = 0; cursor_left(&cursor) > 0; n++) {
		size_t at = file->good_count;
		if (n % PROGRESS_RECORDS == 0) {
			delivery->done_bytes = file->offset_bytes + at / PROGRESS_SHARE;
			if (!delivery_progress(delivery, err))
				return false;
		}
		if (!v1_decode(&cursor, file->minor, &record, err))
			return false;
		size_t end = v1_file_at(file, &cursor);
		if (!take_record(parser, &record, at, end, err))
			return false;
		assert(parser->batch != NULL);
		parser->batch->end = file->good_count = end;
	}
	/* Nothing is wrong with the file, so neither with that. */
	if (file->frequency == 0)
		file->frequency = parser->frequency > 0 ? parser->frequency
		                                        : parser->doubted_frequency;
	return true;
}

/* ---- what can be said only when all was read */

static bool
resolve_frame(struct v1_file *file, struct cursor *cursor, frame_id *id, struct error *err)
{
	struct stack_frame frame = { 0 };
	uint64_t function, name;
	if (!cursor_varint(cursor, &frame.pc, err) || !cursor_varint(cursor, &function, err) ||
	    !cursor_varint(cursor, &name, err) || !cursor_varint(cursor, &frame.line, err))
		return false;
	*id = map_find(&file->frame_of_pc, frame.pc);
	if (*id != MAP_NONE)
		return true;
	frame.function = v1_file_string(file, function);
	frame.file = v1_file_string(file, name);
	return stack_table_add_frame(file->stacks, &frame, id, err) &&
	       map_put(&file->frame_of_pc, frame.pc, *id, err);
}

/* The file has the leaf first; the prefix tree grows from the outermost frame. */
static bool
resolve_stack(struct v1_file *file, size_t at, stack_id *stack, struct error *err)
{
	frame_id frames[V1_STACK_MAX_FRAMES];
	struct v1_record record;
	uint64_t id, count;
	v1_file_record(file, at, &record);
	struct cursor cursor = record.operands;
	if (!cursor_varint(&cursor, &id, err) || !cursor_varint(&cursor, &count, err))
		return false;
	assert(count <= V1_STACK_MAX_FRAMES);
	for (uint64_t i = 0; i < count; i++) {
		if (!resolve_frame(file, &cursor, &frames[i], err))
			return false;
	}
	*stack = STACK_NONE;
	for (uint64_t i = count; i-- > 0;) {
		if (!stack_table_add_node(file->stacks, *stack, frames[i], stack, err))
			return false;
	}
	return true;
}

static bool
resolve_stacks(struct v1_file *file, struct delivery *delivery, struct error *err)
{
	for (size_t i = 0; i < file->raw_count; i++) {
		const struct v1_raw_stack *raw = &file->raw_stacks[i];
		stack_id stack;
		if (i % V1_STACKS_PER_LOOK == 0 && !delivery_progress(delivery, err))
			return false;
		if (!resolve_stack(file, raw->at, &stack, err))
			return false;
		if (id_map_find(&file->stack_ids, raw->id) != MAP_NONE)
			id_map_set(&file->stack_ids, raw->id, stack);
		else if (!id_map_add(&file->stack_ids, raw->id, stack, err))
			return false;
	}
	return true;
}

static int
compare_samples(const void *left, const void *right)
{
	const struct v1_sample *a = left, *b = right;
	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

bool
v1_file_parse(struct v1_file *file, struct delivery *delivery, struct error *cut,
              struct error *err)
{
	struct parser parser = { .file = file };
	struct error trouble = { 0 };
	if (!parse_records(&parser, delivery, &trouble)) {
		if (!is_about_input(&trouble)) {
			*err = trouble;
			return false;
		}
		/* Of an event that the input cut off the input's own reason says more. */
		if (cut->kind == ERROR_NONE || trouble.kind != ERROR_TRUNCATED)
			*cut = trouble;
	}
	const struct sort by_time = { file->samples, file->sample_count, sizeof(*file->samples),
		compare_samples };
	return sort_items(&by_time, progress_cancel_flag(delivery->progress), err) &&
	       resolve_stacks(file, delivery, err);
}

void
v1_file_release(struct v1_file *file)
{
	memory_free(file->bytes);
	memory_free(file->batches);
	memory_free(file->lists);
	memory_free(file->samples);
	memory_free(file->raw_stacks);
	id_map_release(&file->list_of);
	id_map_release(&file->timers);
	id_map_release(&file->string_ids);
	id_map_release(&file->stack_ids);
	map_release(&file->frame_of_pc);
	*file = (struct v1_file){ 0 };
}
