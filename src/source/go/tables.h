/*
 * What the structural batches of one generation say: strings, stacks, CPU
 * samples, the clock. doc/format/go-trace-v2.md, sections 4, 6 and 7.3.
 */
#ifndef TTRACE_SOURCE_GO_TABLES_H
#define TTRACE_SOURCE_GO_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "base/map.h"
#include "source/go/alloc_tables.h"
#include "source/go/generation.h"
#include "trace/stack.h"

/*
 * No time is later than this, so that the sum of two times and a time plus any
 * count of events stay in range.
 */
#define GO_TIME_MAX_NS (((int64_t)1 << 62) - 1)

/* Ticks per second of the runtime's clock on all systems that have one of nanoseconds. */
#define TABLES_USUAL_FREQUENCY UINT64_C(15625000)

struct cpu_sample {
	int64_t time_ns;
	int64_t m, p, g;       /* GO_ID_NONE where there is none */
	stack_id stack;        /* STACK_NONE also where the id is unknown */
	uint64_t wire_stack;   /* id in the file */
	uint64_t time_ticks;
	uint64_t order;        /* position in the file, so that equal times keep it */
};

struct clock_snapshot {
	uint64_t trace_ticks;
	uint64_t mono_ns;
	uint64_t wall_s, wall_ns;
};

/* Set strings and stacks, zero the rest; tables_release() frees. Used again for each generation. */
struct tables {
	struct intern *strings;
	struct stack_table *stacks;

	struct id_map string_ids;    /* id in the file to string_id; 0 is not among them */
	struct id_map stack_ids;     /* id in the file to stack_id, after tables_resolve() */
	struct cpu_sample *samples;  /* by time, after tables_resolve() */
	size_t sample_count, sample_capacity;
	bool has_frequency, has_clock;
	uint64_t frequency;          /* ticks per second */
	double ns_per_tick;
	/* Up to short_ticks, times are an integer product, exactly; 0 where a tick is not whole. */
	uint64_t whole_ns_per_tick, short_ticks;
	struct clock_snapshot clock;

	/*
	 * Set if it is no error that something is missing or wrong: entries up to the wrong
	 * one are taken, strings of frames that are not there are empty, and without a
	 * frequency that of the generation before holds, or at first the usual one.
	 */
	bool is_lenient;
	bool is_frequency_doubtful; /* what stands behind it in its batch cannot be read */
	bool is_clock_wrong;    /* another frequency is used than the one that is told, or it is odd */
	uint64_t ended_batches; /* in this generation, at something wrong */
	uint64_t lost_bytes;    /* of those, between from_bytes and to_bytes */
	uint64_t from_bytes, to_bytes;
	struct error first;     /* what was wrong first; ERROR_NONE for nothing */

	struct raw_stack *raw_stacks; /* where the stacks of this generation stand */
	size_t raw_count, raw_capacity;
	struct map frame_of_pc;       /* the first frame of a pc stands for all (section 4.2) */
	struct alloc_tables alloc;    /* of the AllocFree experiment */
};

/* So many stacks are made between two looks whether reading is cancelled. */
enum { TABLES_STACKS_PER_LOOK = 64 };

/*
 * Decodes all structural batches in file order. False with err set, batch and
 * generation included, where one of them is wrong; or when the progress of the
 * generation's input is cancelled, which is looked at before each batch.
 */
bool tables_read(struct tables *tables, const struct generation *generation, unsigned minor,
                 struct error *err);
/*
 * What can be said only when all of the generation was read: makes the stacks,
 * sorts the samples, checks that the clock is complete. Ends soon when it is cancelled.
 */
bool tables_resolve(struct tables *tables, const struct generation *generation, unsigned minor,
                    struct error *err);
/*
 * Leniently, after tables_read() and before tables_resolve(): settled is the frequency that the
 * trace has otherwise, 0 for none. One that is told and contradicts it, or the clock snapshot, is
 * not believed.
 */
void tables_settle_frequency(struct tables *tables, const struct generation *generation,
                             uint64_t settled);
/* Index of the first batch that has stacks; there have to be some. */
uint32_t tables_first_stack_batch(const struct tables *tables);
void tables_release(struct tables *tables);
/* Ticks become nanoseconds by it; not 0. */
void tables_set_frequency(struct tables *tables, uint64_t frequency);

/*
 * Ticks as nanoseconds (section 6.1). A number beyond all time comes from broken
 * bytes and tells nothing: as 0 it does not stretch the trace, and an event that has
 * it comes first, as in Go's reader, where the conversion gives the least integer.
 */
static inline int64_t
tables_ns(const struct tables *tables, uint64_t ticks)
{
	if (LIKELY(ticks <= tables->short_ticks))
		return (int64_t)(ticks * tables->whole_ns_per_tick);
	double ns = (double)ticks * tables->ns_per_tick;
	return LIKELY(ns < (double)GO_TIME_MAX_NS) ? (int64_t)ns : 0;
}

/* The other way round. */
static inline uint64_t
tables_ticks(const struct tables *tables, uint64_t ns)
{
	double ticks = (double)ns / tables->ns_per_tick;
	return ticks < (double)UINT64_MAX ? (uint64_t)ticks : UINT64_MAX;
}

/* The string of an id of the file; false when there is none. Id 0 is the empty string. */
static inline bool
tables_string(const struct tables *tables, uint64_t id, string_id *string)
{
	uint32_t found = id == 0 ? STRING_EMPTY : id_map_find(&tables->string_ids, id);
	*string = found;
	return found != MAP_NONE;
}

/* The stack of an id of the file; false when there is none. Id 0 is no stack. */
static inline bool
tables_stack(const struct tables *tables, uint64_t id, stack_id *stack)
{
	uint32_t found = id == 0 ? STACK_NONE : id_map_find(&tables->stack_ids, id);
	*stack = found;
	return found != MAP_NONE;
}

#endif
