/*
 * Interned strings: each distinct byte string is stored once and named by a
 * dense 32-bit id. Id 0 is always the empty string. Bytes are raw: any value,
 * zero bytes included; a zero byte stands behind each for convenience. Texts
 * never move: other threads may call intern_text() with ids that were
 * published to them while one thread adds. The other calls belong to that thread.
 */
#ifndef TTRACE_BASE_INTERN_H
#define TTRACE_BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

typedef uint32_t string_id;
#define STRING_EMPTY ((string_id)0)

struct intern_slot {
	uint32_t number; /* an id + 1; 0 is free */
	uint32_t hash;   /* the low half of that of its bytes */
};

struct intern {
	struct arena bytes;
	struct stable_column entries; /* struct intern_entry */
	struct intern_slot *slots;    /* hash table; a power of two */
	size_t slot_count;
};

/* Strings one after the other, each with a zero byte behind it. */
struct packed_strings {
	const char *bytes;
	size_t size; /* of all, with the zero bytes */
	const uint32_t *lengths; /* without them */
	uint32_t count;
};

bool intern_init(struct intern *intern, struct error *err);
void intern_release(struct intern *intern);

/* The id of the bytes, added if new. Fails for want of memory, or beyond 4 GiB of one string. */
bool intern_add(
	struct intern *intern, const char *bytes, size_t length, string_id *id, struct error *err);
/* The bytes of an id below intern_count(); *length may be NULL. */
const char *intern_text(const struct intern *intern, string_id id, size_t *length);
/*
 * The strings with ids below `count`, to be read while more are added to the other table: as
 * stable_share(). None can be added to it.
 */
struct intern intern_share(const struct intern *intern, uint32_t count);
/*
 * A table over strings in the caller's memory, of which the first one is empty. Takes its own
 * memory from the arena, and is as intern_share() else. ERROR_FORMAT where the lengths do not
 * fit the bytes.
 */
bool intern_over(struct intern *intern, struct arena *arena, const struct packed_strings *strings,
	struct error *err);
uint32_t intern_count(const struct intern *intern);
/* Memory held, all tables included. */
size_t intern_bytes(const struct intern *intern);

#endif
