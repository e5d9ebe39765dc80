/*
 * A v1 trace in memory: all its bytes, checked record by record, where the
 * batches of each P stand, and its tables. doc/format/go-trace-v1.md, sections
 * 1 to 3. A v1 trace is one unit: its stacks and its frequency come last, so
 * nothing can be delivered before all of it was read.
 */
#ifndef TTRACE_SOURCE_GO_V1_FILE_H
#define TTRACE_SOURCE_GO_V1_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "base/map.h"
#include "input/input.h"
#include "source/go/delivery.h"
#include "source/go/v1_wire.h"
#include "trace/stack.h"

#define V1_BATCH_NONE UINT32_MAX

/* Of Ps; so that ids made up by a hostile file cost little. Go 1.21 ran on no such machine. */
enum { V1_LISTS_MAX = UINT16_MAX };

/* So many stacks are made between two looks whether reading is cancelled. */
enum { V1_STACKS_PER_LOOK = 64 };

/* One run of records of one P. */
struct v1_batch {
	size_t at, end;     /* of its records, in the bytes */
	int64_t ticks;      /* base of their times */
	int64_t last_ticks; /* of the last event in it */
	bool has_events, has_stacks;
	uint8_t first_id;   /* of its events */
	int64_t early_ticks; /* by how much events that others precede come too early, at most */
	uint32_t next;      /* batch of the same P that follows, or V1_BATCH_NONE */
};

/* The batches of one P, in file order. */
struct v1_list {
	int64_t p; /* GO_ID_NONE: those without a P */
	uint32_t first, last;
};

struct v1_sample {
	int64_t ticks;
	size_t at; /* of the record; ascending in the file */
};

/* A stack whose frames wait for the strings to be complete. */
struct v1_raw_stack {
	uint32_t id;
	size_t at; /* of the record */
};

/* Set minor, is_lenient, strings and stacks, zero the rest; v1_file_release() frees. */
struct v1_file {
	unsigned minor;
	bool is_lenient;         /* a time out of range does not end the trace */
	struct intern *strings;
	struct stack_table *stacks;

	uint8_t *bytes;          /* all behind the header */
	size_t byte_count, byte_capacity;
	uint64_t offset_bytes;   /* in the input, of bytes[0] */
	size_t good_count;       /* bytes up to the first record that cannot be read */

	struct v1_batch *batches;
	size_t batch_count, batch_capacity;
	struct v1_list *lists;   /* in order of first appearance */
	size_t list_count, list_capacity;
	struct id_map list_of;   /* from the pid of the file */
	struct v1_sample *samples; /* by time */
	size_t sample_count, sample_capacity;
	uint64_t event_count;    /* timed ones and samples */

	struct id_map timers;    /* goroutines that run timers */
	uint64_t frequency;      /* ticks per second; 0 until it was seen */
	struct id_map string_ids; /* id in the file to string_id */
	struct id_map stack_ids;  /* id in the file to stack_id */
	struct v1_raw_stack *raw_stacks;
	size_t raw_count, raw_capacity;
	struct map frame_of_pc;  /* the first frame of a pc stands for all */
};

/*
 * Reads all that is left of the input. What the input refuses ends the bytes and is
 * in *cut; false with err set for what ends the reading altogether.
 */
bool v1_file_read(struct v1_file *file, struct input *in, struct delivery *delivery,
                  struct error *cut, struct error *err);
/*
 * Checks the records and fills the tables. A record that cannot be read ends them:
 * *cut says why. False with err set for what ends the reading altogether.
 */
bool v1_file_parse(struct v1_file *file, struct delivery *delivery, struct error *cut,
                   struct error *err);
void v1_file_release(struct v1_file *file);

/* A cursor over [at, end) of the bytes. */
struct cursor v1_file_cursor(const struct v1_file *file, size_t at, size_t end);
/* Where a cursor over the bytes stands in them. */
size_t v1_file_at(const struct v1_file *file, const struct cursor *cursor);
/* Decodes again the record at a place that was checked. */
void v1_file_record(const struct v1_file *file, size_t at, struct v1_record *record);

/* The string of an id of the file, empty where there is none. */
static inline string_id
v1_file_string(const struct v1_file *file, uint64_t id)
{
	uint32_t found = id_map_find(&file->string_ids, id);
	return found == MAP_NONE ? STRING_EMPTY : found;
}

/* The stack of a record, STACK_NONE where it has none or the file does not tell it. */
static inline stack_id
v1_file_stack(const struct v1_file *file, uint32_t id)
{
	uint32_t found = id == 0 ? MAP_NONE : id_map_find(&file->stack_ids, id);
	return found == MAP_NONE ? STACK_NONE : found;
}

#endif
