/*
 * From the file as it is to the bytes of a trace: unpacks what is compressed,
 * converts what is text, and says what the file is when it is something else.
 * All of that goes by content; names do not matter.
 */
#ifndef TTRACE_SOURCE_GO_SOURCE_H
#define TTRACE_SOURCE_GO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"
#include "input/unpack.h"
#include "trace/damage.h"

/* Not to be moved once it is open. */
struct go_source {
	struct input *in;   /* the bytes of the trace */
	struct input *file; /* what it was opened on; the caller's */
	struct unpacked unpacked;
	struct input text;
	bool is_text;
};

/*
 * `file` stays the caller's, and stands at the beginning of what may be a trace.
 * Where that is nothing recognisable, the bytes are passed on for the reader to
 * judge. go_source_close() is needed after a failure too.
 */
bool go_source_open(struct go_source *source, struct input *file, struct error *err);
void go_source_close(struct go_source *source);

/* Whether offsets count other bytes than the file's: those that were packed in it. */
bool go_source_is_packed(const struct go_source *source);

/*
 * An error about the bytes of the trace becomes one about what the user has: its
 * offset that in the text, with the line named; or that in the unpacked data, with
 * the packing named.
 */
void go_source_explain(const struct go_source *source, struct error *err);

/*
 * Where the trace is text, the bytes at which damage begins become those of the text, and
 * what is lost all that is known to follow.
 */
void go_source_place_loss(const struct go_source *source, struct damage *damage);

/* How much of the file was needed to have read up to an offset in the bytes of the trace. */
uint64_t go_source_file_bytes(const struct go_source *source, uint64_t wire_bytes);

#endif
