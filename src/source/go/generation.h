/*
 * Collects the batches of one generation from the input:
 * doc/format/go-trace-v2.md, sections 3 and 7. Nothing of their payload is
 * decoded here. Only one generation's bytes are held at a time, in a buffer
 * that the next one uses again; those of timed batches only where they come
 * from a pipe or are made of other bytes.
 */
#ifndef TTRACE_SOURCE_GO_GENERATION_H
#define TTRACE_SOURCE_GO_GENERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/map.h"
#include "input/input.h"
#include "source/go/wire.h"

/* Format versions from which on something holds: the N of "go 1.N trace". */
enum {
	MINOR_FIRST_V2 = 22,
	MINOR_CLOCKS = 25,         /* sync batches with a clock snapshot */
	MINOR_END_OF_GENERATION = 26, /* generations end explicitly */
	MINOR_NEWEST = 26,            /* the last one that is known */
};

#define BATCH_NONE UINT32_MAX

/* Numbers of experiments. */
enum { EXPERIMENT_ALLOC_FREE = 1 };

struct batch {
	uint64_t m;             /* the thread that wrote it, or WIRE_NONE */
	uint64_t time_ticks;    /* base of the times in it */
	uint64_t number;        /* 1 is the first batch of the file */
	uint64_t offset_bytes;  /* in the input, of the payload */
	size_t at;              /* of the payload, in the generation's bytes */
	uint32_t size;          /* of the payload */
	uint32_t next;          /* batch of the same thread that follows, or BATCH_NONE */
	uint8_t experiment;     /* whose data it is (section 4.5), or 0 */
	bool is_cut;            /* what its thread wrote next is lost */
	bool is_afar;           /* the payload was left in the input; `at` means nothing */
	uint32_t losses;        /* of the generation, before it stood here */
};

/* The batches with timed events of one thread, in file order. */
struct batch_list {
	uint64_t m;
	uint32_t first, last;
};

/* What could not be read of a generation that is used all the same. */
struct generation_loss {
	struct error first;            /* ERROR_NONE: nothing */
	uint64_t from_bytes, to_bytes; /* in the input; good batches may lie between */
	uint64_t bytes;                /* lost */
	uint32_t count;                /* of the places where any were */
	uint64_t zero_run_bytes;       /* the longest run of zeros among them */
	bool is_missing;               /* bytes are not there, rather than wrong */
	bool is_tail;                  /* the input ends there */
	bool is_behind;                /* all events of the generation stand before it */
	bool is_between_batches;       /* a tail that is cut off between two batches */
	bool is_other_trace;           /* a tail that is another trace */
	bool has_repeats;              /* batches that were read before came again */
};

/* Zero-initialise; generation_release() frees. */
struct generation {
	uint64_t number;
	uint64_t min_ticks;     /* least time of its batches (section 6.3) */
	uint64_t max_ticks;     /* no event is later; UINT64_MAX where that is not known */
	bool is_end_guessed;    /* nothing else in a broken generation agrees with max_ticks */
	uint64_t offset_bytes;  /* in the input, of its first batch */
	uint64_t end_offset_bytes; /* of what follows its last batch */
	struct input *in;       /* that it is read from */
	uint8_t *bytes;         /* the payloads that are held: not those of unknown experiments */
	size_t byte_count, byte_capacity;
	struct batch *batches;
	size_t batch_count, batch_capacity;
	struct batch_list *threads; /* in order of first appearance */
	size_t thread_count, thread_capacity;
	struct id_map thread_of;    /* from m to the index in threads */
	uint64_t experimental_batches, experimental_bytes;
	struct generation_loss loss;
};

/* Where the reading of batches stands between two generations. Zero-initialise. */
struct generation_source {
	struct input *in;
	unsigned minor;
	bool is_lenient;        /* reads on behind what is broken, see GENERATION_READ */
	uint64_t most_bytes;    /* that may be held of one generation; 0: any number */
	uint64_t batches;       /* read so far */
	bool is_at_end;         /* of the input, or of its usable part */
	bool has_spilled;       /* the first batch of the next generation was read already: */
	struct batch spilled;   /* its payload is in the bytes of the generation before */
	uint64_t spilled_generation;
	uint64_t spilled_offset_bytes;
	uint8_t header[WIRE_BATCH_HEADER_MAX_BYTES]; /* of the batch read last, as it came */
	size_t header_count;
	struct generation_loss tail; /* where the input ends within the batch read last */
	uint64_t last_number;   /* of the generation before */
	uint64_t unread_bytes;  /* taken back to look for batches in them, in all */
	struct map read_before; /* headers of batches to their index; to be released */
};

enum generation_outcome {
	GENERATION_READ,   /* whole, as far as the bytes tell; leniently but for its loss */
	GENERATION_NONE,   /* the trace ended before this generation */
	GENERATION_CUT,    /* the input is broken behind what was read: err; still to be used */
	GENERATION_BROKEN, /* not to be used: err. The batches read before the trouble are there. */
};

/*
 * Reads the next generation. After GENERATION_CUT and GENERATION_BROKEN nothing
 * more can be read; err names the place and the batch.
 */
enum generation_outcome generation_read(struct generation *generation,
                                        struct generation_source *source, struct error *err);

/* A cursor over the payload of one of its batches that is held; else see payload.h. */
struct cursor generation_cursor(const struct generation *generation, const struct batch *batch);

/* The byte that opens the table in a batch; 0 for timed events, and for data of experiments. */
uint8_t generation_table(const struct generation *generation, const struct batch *batch,
                         unsigned minor);

/* The payload of a batch was used up. If it is held, that makes room for what came of it. */
void generation_drop_payload(const struct generation *generation, const struct batch *batch);

void generation_release(struct generation *generation);

#endif
