/* Events one after another, out of a window that moves over the input. */
#include "dump/flat.h"

#include <inttypes.h>

#include "base/memory.h"
#include "source/go/generation.h"
#include "source/go/reader.h"

enum {
	/* No event is longer: the header of an experimental batch, and its data. */
	EVENT_MAX_BYTES = 1 + (WIRE_ARGS_MAX + 1) * VARINT_MAX_BYTES + WIRE_BATCH_MAX_BYTES,
	WINDOW_BYTES = 4 * EVENT_MAX_BYTES,
};

static bool
refuse_v1(uint32_t minor, struct error *err)
{
	return error_set_at(err, ERROR_FORMAT, 0,
		"a trace of version go 1.%" PRIu32 " has no wire form as text; "
		"those of Go 1.22 and later have",
		minor);
}

bool
flat_open(struct flat *flat, struct input *in, struct progress *progress, struct error *err)
{
	*flat = (struct flat){ .in = in, .progress = progress };
	bool is_known = go_read_header(in, &flat->minor, err);
	if (flat->minor > 0 && flat->minor < MINOR_FIRST_V2) {
		error_clear(err);
		return refuse_v1(flat->minor, err);
	}
	flat->offset_bytes = in->offset_bytes;
	return is_known && array_reserve(&flat->bytes, &flat->capacity, WINDOW_BYTES, 1, err);
}

void
flat_close(struct flat *flat)
{
	memory_free(flat->bytes);
	*flat = (struct flat){ 0 };
}

/* ---- the window */

static bool
publish(const struct flat *flat, struct error *err)
{
	struct progress *progress = flat->progress;
	if (progress == NULL)
		return true;
	atomic_store_explicit(&progress->done_bytes, flat->in->offset_bytes, memory_order_relaxed);
	if (!atomic_load_explicit(&progress->is_cancelled, memory_order_relaxed))
		return true;
	return error_set(err, ERROR_CANCELLED, "reading was cancelled");
}

static void
drop_used(struct flat *flat)
{
	if (!flat->is_marked)
		flat->kept = flat->at;
	if (flat->kept == 0)
		return;
	memmove(flat->bytes, flat->bytes + flat->kept, flat->count - flat->kept);
	flat->offset_bytes += flat->kept;
	flat->at -= flat->kept;
	flat->count -= flat->kept;
	flat->kept = 0;
}

/* One more piece of the input. What it cannot give ends it like its end. */
static bool
read_more(struct flat *flat, struct error *err)
{
	size_t got = 0;
	if (!input_some(flat->in, flat->bytes + flat->count, flat->capacity - flat->count, &got,
		    &flat->read_error)) {
		*err = flat->read_error;
		if (err->kind == ERROR_MEMORY || err->kind == ERROR_CANCELLED)
			return false;
		error_clear(err);
	}
	flat->count += got;
	flat->is_at_end = got == 0;
	return true;
}

/* Makes sure that a whole event is in the window, if there is one. */
static bool
fill(struct flat *flat, struct error *err)
{
	if (LIKELY(flat->count - flat->at >= EVENT_MAX_BYTES) || flat->is_at_end)
		return true;
	drop_used(flat);
	if (!publish(flat, err) ||
		!array_reserve(&flat->bytes, &flat->capacity, flat->at + WINDOW_BYTES, 1, err))
		return false;
	while (flat->count - flat->at < EVENT_MAX_BYTES && !flat->is_at_end) {
		if (!read_more(flat, err))
			return false;
	}
	return true;
}

void
flat_mark(struct flat *flat)
{
	flat->is_marked = true;
	flat->kept = flat->at;
}

void
flat_rewind(struct flat *flat)
{
	flat->at = flat->kept;
	flat->is_marked = false;
}

void
flat_forget(struct flat *flat)
{
	flat->is_marked = false;
}

void
flat_unread(struct flat *flat, const struct flat_event *event)
{
	flat->at -= event->size_bytes;
}

uint64_t
flat_offset(const struct flat *flat)
{
	return flat->offset_bytes + flat->at;
}

/* ---- one event */

static bool
read_data(struct flat_event *event, struct cursor *cursor, uint64_t max_bytes, struct error *err)
{
	uint64_t size;
	const uint8_t *data;
	if (!cursor_varint(cursor, &size, err))
		return false;
	if (size > max_bytes)
		return error_set_at(err, ERROR_FORMAT, event->offset_bytes,
			"invalid size %" PRIu64 " of the data of %s, maximum is %" PRIu64, size,
			event->kind->name, max_bytes);
	if (!cursor_bytes(cursor, (size_t)size, &data, err))
		return false;
	event->has_data = true;
	event->data = (const char *)data;
	event->data_bytes = (size_t)size;
	return true;
}

static bool
read_frames(struct flat_event *event, struct cursor *cursor, struct error *err)
{
	uint64_t frames = event->args[1], ignored;
	const uint8_t *start = cursor->at;
	if (frames > WIRE_STACK_MAX_FRAMES)
		return error_set_at(err, ERROR_FORMAT, event->offset_bytes,
			"invalid stack size %" PRIu64 ", maximum is %d", frames,
			WIRE_STACK_MAX_FRAMES);
	for (uint64_t i = 0; i < frames * 4; i++) {
		if (!cursor_varint(cursor, &ignored, err))
			return false;
	}
	event->frames = cursor_over(start, (size_t)(cursor->at - start), 0);
	return true;
}

static bool
read_event(
	const struct flat *flat, struct flat_event *event, struct cursor *cursor, struct error *err)
{
	*event = (struct flat_event){ .offset_bytes = cursor_offset(cursor) };
	if (!cursor_byte(cursor, &event->id, err))
		return false;
	event->kind = &wire_kinds[event->id];
	if (event->kind->name == NULL || event->kind->since > flat->minor)
		return error_set_at(err, ERROR_FORMAT, event->offset_bytes,
			"found invalid event type %u", event->id);
	if (!cursor_varints(cursor, event->args, event->kind->arg_count, err))
		return false;
	if (event->id == WIRE_STACK)
		return read_frames(event, cursor, err);
	if (event->id == WIRE_STRING)
		return read_data(event, cursor, WIRE_STRING_MAX_BYTES, err);
	return event->id != WIRE_EXPERIMENTAL_BATCH ||
	       read_data(event, cursor, WIRE_BATCH_MAX_BYTES, err);
}

static enum flat_outcome
end_of_input(const struct flat *flat, struct error *err)
{
	if (flat->read_error.kind == ERROR_NONE)
		return FLAT_END;
	*err = flat->read_error;
	return FLAT_BROKEN;
}

enum flat_outcome
flat_next(struct flat *flat, struct flat_event *event, struct error *err)
{
	if (!fill(flat, err))
		return FLAT_BROKEN;
	if (flat->at == flat->count)
		return end_of_input(flat, err);
	struct cursor cursor =
		cursor_over(flat->bytes + flat->at, flat->count - flat->at, flat_offset(flat));
	if (!read_event(flat, event, &cursor, err)) {
		if (err->kind == ERROR_TRUNCATED && flat->read_error.kind != ERROR_NONE)
			*err = flat->read_error;
		return FLAT_BROKEN;
	}
	event->size_bytes = (size_t)(cursor.at - (flat->bytes + flat->at));
	flat->at += event->size_bytes;
	return FLAT_EVENT;
}
