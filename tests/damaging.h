/*
 * Damages a trace at one place and reads what is left of it. Whatever the reader makes of
 * that: it comes to an end after work that the number of bytes bounds, what is wrong has a
 * place within the input, and all generations that end before the damage are delivered as
 * from the undamaged trace.
 */
#ifndef TTRACE_TESTS_DAMAGING_H
#define TTRACE_TESTS_DAMAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "packing.h"

/* A generation of the undamaged trace, and all before it. */
struct whole_generation {
	size_t end_bytes;  /* where a cut does it no harm */
	size_t firm_bytes; /* from where on no byte can be taken for a part of it */
	uint64_t number;   /* in the file; 0 where only the reader knows it */
	uint64_t events;   /* delivered up to its end */
	uint64_t digest;   /* of them */
};

struct specimen {
	const char *name;
	struct text bytes;
	bool is_packed;    /* places that the reader tells are of the unpacked bytes */
	bool is_framed;    /* v2: all between two borders belongs to one batch */
	uint64_t wire_bytes; /* that places are of */
	uint64_t *borders; /* of batches, ascending, that of the end included */
	size_t border_count, border_capacity;
	struct whole_generation *generations;
	size_t generation_count, generation_capacity;
};

/* Takes the bytes of a trace of any form that can be read whole; all else fails the test. */
void specimen_init(struct specimen *specimen, const char *name, const void *bytes, size_t size);
/* The same trace, packed. */
void specimen_pack(struct specimen *specimen, const char *name, const struct specimen *unpacked,
	const struct packer *packer);
void specimen_release(struct specimen *specimen);

enum harm_type {
	HARM_CUT,  /* the trace ends before the place */
	HARM_BITS, /* the byte there is xor-ed with `value` */
	HARM_BYTE, /* the byte there is `value` */
};

struct harm {
	size_t place;
	enum harm_type type;
	uint8_t value;
};

/* What is tried at a place. */
enum { HARMS_PER_PLACE = 5 };
struct harm harm_at(size_t place, unsigned which);

/*
 * Reads it with the harm done, strictly or leniently; what must not be fails the test and
 * names specimen and harm.
 */
void specimen_check(const struct specimen *specimen, struct harm harm, bool is_lenient);
/* The same through go_load(), and looks at the trace that comes out (looking.h). */
void specimen_check_loaded(const struct specimen *specimen, struct harm harm, bool is_lenient);
enum damaged_dump {
	DAMAGED_PARSED,
	DAMAGED_JSON,
	DAMAGED_JSON_GOROUTINE,
	DAMAGED_WIRE,
	DAMAGED_FOOTPRINT,
	DAMAGED_DUMPS
};

/* Dumps it to nowhere. */
void specimen_check_dumped(const struct specimen *specimen, struct harm harm,
	enum damaged_dump form);

#endif
