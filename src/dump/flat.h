/*
 * A v2 trace event by event as it stands in the file, the sizes of batches not
 * looked at (doc/format/go-trace-semantics.md, section 10, "flat"). Tables, order and
 * meaning are of no concern; only the version decides which events there are.
 */
#ifndef TTRACE_DUMP_FLAT_H
#define TTRACE_DUMP_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "dump/dump.h"
#include "input/cursor.h"
#include "input/input.h"
#include "source/go/wire.h"

/* Pointers into it are good until the next event is read. */
struct flat_event {
	uint8_t id;
	const struct wire_kind *kind;
	uint64_t offset_bytes; /* of the id, in the input */
	size_t size_bytes;     /* in the file, padding of numbers included */
	uint64_t args[WIRE_ARGS_MAX];
	struct cursor frames; /* of a Stack: args[1] times pc, func, file, line */
	bool has_data;        /* a String or an ExperimentalBatch */
	const char *data;
	size_t data_bytes;
};

/* Zero-initialise what flat_open() is not given; flat_close() frees. */
struct flat {
	struct input *in;
	struct progress *progress; /* may be NULL; is_cancelled is looked at */
	uint32_t minor;
	uint8_t *bytes; /* read; those before `kept` are of no use any more */
	size_t kept, at, count, capacity;
	uint64_t offset_bytes; /* of bytes[0] in the input */
	bool is_marked;        /* kept does not move */
	bool is_at_end;
	struct error read_error; /* that ended the input; told when all before it was taken */
};

/* Reads the header; v1 traces are refused by their version. */
bool flat_open(struct flat *flat, struct input *in, struct progress *progress, struct error *err);
void flat_close(struct flat *flat);

enum flat_outcome {
	FLAT_EVENT,
	FLAT_END,    /* the input ends behind a whole event */
	FLAT_BROKEN, /* err says how */
};

enum flat_outcome flat_next(struct flat *flat, struct flat_event *event, struct error *err);

/* Keeps what follows, until flat_rewind() goes back here or flat_forget(). */
void flat_mark(struct flat *flat);
void flat_rewind(struct flat *flat);
void flat_forget(struct flat *flat);
/* Takes back the event that was read last. */
void flat_unread(struct flat *flat, const struct flat_event *event);
/* The offset in the input of the next event. */
uint64_t flat_offset(const struct flat *flat);

/*
 * Calls back with each event, or with those of the generations that have a part in
 * dump->interval. Fills *result as dump.h says, and ends the reading there. False also
 * when the callback returned false, with err set by it.
 */
typedef bool flat_visit(void *context, const struct flat_event *event, struct error *err);
bool flat_walk(const struct dump *dump, struct input *in, flat_visit *visit, void *context,
	struct go_read_result *result, struct error *err);

#endif
