/* Layers of inputs, peeled off by what their first bytes say. */
#include "source/go/source.h"

#include <inttypes.h>
#include <string.h>

#include "input/stranger.h"
#include "source/go/text.h"

/* Which is all that the reader goes by. */
static const char trace_start[] = "go 1.";
enum { TRACE_START_BYTES = sizeof(trace_start) - 1 };

/* ---- opening */

static bool
refuse_stranger(const struct input *in, const uint8_t *bytes, size_t size, struct error *err)
{
	char name[STRANGER_NAME_BYTES];
	if (size == 0)
		return error_set_at(err, ERROR_FORMAT, in->offset_bytes,
		                    "not a Go execution trace: there is nothing in it");
	/* What cannot be told is left to the reader. */
	return !stranger_name(bytes, size, name) ||
	       error_set_at(err, ERROR_FORMAT, in->offset_bytes,
	                    "not a Go execution trace: this is %s", name);
}

/* A trace in a pipe may be long in coming, so no more is looked at than needed. */
static bool
is_binary(struct input *in, bool *result, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	if (!input_peek(in, TRACE_START_BYTES, &bytes, &size, err))
		return false;
	*result = size > 0 && memcmp(bytes, trace_start, size) == 0;
	return true;
}

static bool
open_text(struct go_source *source, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	if (!input_peek(source->in, STRANGER_HEAD_BYTES, &bytes, &size, err))
		return false;
	if (!go_text_recognise(bytes, size))
		return refuse_stranger(source->in, bytes, size, err);
	if (!go_text_open(&source->text, source->in, err))
		return false;
	source->in = &source->text;
	source->is_text = true;
	return true;
}

static bool
open_layers(struct go_source *source, struct error *err)
{
	bool is_trace;
	if (!unpacked_open(&source->unpacked, source->file, err))
		return false;
	source->in = source->unpacked.in;
	return is_binary(source->in, &is_trace, err) && (is_trace || open_text(source, err));
}

bool
go_source_open(struct go_source *source, struct input *file, struct error *err)
{
	*source = (struct go_source){ .in = file, .file = file };
	source->text.fd = -1;
	if (open_layers(source, err))
		return true;
	go_source_explain(source, err);
	return false;
}

void
go_source_close(struct go_source *source)
{
	input_close(&source->text);
	unpacked_close(&source->unpacked);
}

/* ---- places */

bool
go_source_is_packed(const struct go_source *source)
{
	return source->unpacked.count > 0;
}

static bool
is_about_bytes(const struct error *err)
{
	return err->offset_bytes != ERROR_NO_OFFSET && err->kind != ERROR_NONE &&
	       err->kind != ERROR_MEMORY && err->kind != ERROR_CANCELLED;
}

void
go_source_explain(const struct go_source *source, struct error *err)
{
	uint64_t line, text_bytes;
	if (!is_about_bytes(err))
		return;
	if (source->is_text &&
	    go_text_find(&source->text, err->offset_bytes, &line, &text_bytes)) {
		error_prefix(err, "line %" PRIu64, line);
		err->offset_bytes = text_bytes;
	}
	unpacked_explain(&source->unpacked, err);
}

void
go_source_place_loss(const struct go_source *source, struct damage *damage)
{
	uint64_t line, text_bytes;
	if (!source->is_text || !go_text_find(&source->text, damage->from_bytes, &line, &text_bytes))
		return;
	damage->from_bytes = text_bytes;
	damage->to_bytes = input_known_bytes(source->text.from);
	damage->lost_bytes = damage->to_bytes - text_bytes;
}

uint64_t
go_source_file_bytes(const struct go_source *source, uint64_t wire_bytes)
{
	return source->in == source->file ? wire_bytes : source->file->offset_bytes;
}
