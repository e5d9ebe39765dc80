/*
 * Interned strings: the bytes in an arena, one entry per id in a stable column,
 * and a table of ids with linear probing. The hash is kept in the table: there
 * nearly all mismatches end, and it grows without reading anything else.
 */
#include "base/intern.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/map.h"

enum { FIRST_SLOTS = 256 };

struct intern_entry {
	const char *bytes;
	uint32_t length;
};

static const struct intern_entry *
entry_at(const struct intern *intern, string_id id)
{
	assert(stable_has_chunk(&intern->entries, id));
	return stable_at(&intern->entries, id);
}

static bool
grow_slots(struct intern *intern, struct error *err)
{
	size_t slot_count = intern->slot_count == 0 ? FIRST_SLOTS : intern->slot_count * 2;
	size_t size_bytes;
	if (!checked_mul_size(slot_count, sizeof(struct intern_slot), &size_bytes))
		return error_set_memory(err, "the table of strings");
	struct intern_slot *slots = memory_realloc(NULL, size_bytes);
	if (slots == NULL)
		return error_set_memory(err, "the table of strings");
	memset(slots, 0, size_bytes);
	for (size_t i = 0; i < intern->slot_count; i++) {
		if (intern->slots[i].number == 0)
			continue;
		size_t at = intern->slots[i].hash & (slot_count - 1);
		while (slots[at].number != 0)
			at = (at + 1) & (slot_count - 1);
		slots[at] = intern->slots[i];
	}
	memory_free(intern->slots);
	intern->slots = slots;
	intern->slot_count = slot_count;
	return true;
}

static bool
is_entry(const struct intern_entry *entry, const char *bytes, size_t length)
{
	return entry->length == length && (length == 0 || memcmp(entry->bytes, bytes, length) == 0);
}

/* The slot of the bytes, or the free slot where they would go. */
static size_t
find_slot(const struct intern *intern, uint32_t hash, const char *bytes, size_t length)
{
	size_t mask = intern->slot_count - 1;
	size_t at = hash & mask;
	while (intern->slots[at].number != 0 &&
		(intern->slots[at].hash != hash ||
			!is_entry(entry_at(intern, intern->slots[at].number - 1), bytes, length)))
		at = (at + 1) & mask;
	return at;
}

bool
intern_init(struct intern *intern, struct error *err)
{
	*intern = (struct intern){ .entries.item_size = sizeof(struct intern_entry) };
	string_id empty;
	if (grow_slots(intern, err) && intern_add(intern, "", 0, &empty, err))
		return true;
	intern_release(intern);
	return false;
}

void
intern_release(struct intern *intern)
{
	arena_release(&intern->bytes);
	stable_release(&intern->entries);
	memory_free(intern->slots);
	*intern = (struct intern){ 0 };
}

static bool
add_entry(struct intern *intern, const char *bytes, size_t length, struct error *err)
{
	const char *copy = arena_copy(&intern->bytes, bytes, length);
	if (copy == NULL)
		return error_set_memory(err, "a string");
	struct intern_entry *entry = stable_append(&intern->entries, err);
	if (entry == NULL)
		return false;
	*entry = (struct intern_entry){
		.bytes = copy,
		.length = (uint32_t)length,
	};
	return true;
}

bool
intern_add(
	struct intern *intern, const char *bytes, size_t length, string_id *id, struct error *err)
{
	if (length > UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "a string of %zu bytes", length);
	uint32_t hash = (uint32_t)hash_bytes(bytes, length);
	size_t at = find_slot(intern, hash, bytes, length);
	if (intern->slots[at].number != 0) {
		*id = intern->slots[at].number - 1;
		return true;
	}
	if (intern->entries.count >= intern->slot_count / 10 * 7) {
		if (!grow_slots(intern, err))
			return false;
		at = find_slot(intern, hash, bytes, length);
	}
	if (!add_entry(intern, bytes, length, err))
		return false;
	intern->slots[at] = (struct intern_slot){ intern->entries.count, hash };
	*id = intern->entries.count - 1;
	return true;
}

const char *
intern_text(const struct intern *intern, string_id id, size_t *length)
{
	const struct intern_entry *entry = entry_at(intern, id);
	if (length != NULL)
		*length = entry->length;
	return entry->bytes;
}

struct intern
intern_share(const struct intern *intern, uint32_t count)
{
	return (struct intern){ .entries = stable_share(&intern->entries, count) };
}

bool
intern_over(struct intern *intern, struct arena *arena, const struct packed_strings *strings,
	struct error *err)
{
	const uint32_t *lengths = strings->lengths;
	uint32_t count = strings->count;
	struct intern_entry *entries = NULL;
	size_t size_bytes, at = 0;
	if (checked_mul_size(count, sizeof(*entries), &size_bytes))
		entries = arena_alloc(arena, size_bytes);
	if (entries == NULL)
		return error_set_memory(err, "the table of strings");
	for (uint32_t id = 0; id < count; id++) {
		if (strings->size - at <= lengths[id] || strings->bytes[at + lengths[id]] != '\0')
			return error_set(err, ERROR_FORMAT, "strings do not end where they should");
		entries[id] = (struct intern_entry){ .bytes = strings->bytes + at, .length = lengths[id] };
		at += (size_t)lengths[id] + 1;
	}
	if (count == 0 || lengths[0] != 0 || at != strings->size)
		return error_set(err, ERROR_FORMAT, "strings do not end where they should");
	*intern = (struct intern){ .entries = stable_over(entries, sizeof(*entries), count) };
	return true;
}

uint32_t
intern_count(const struct intern *intern)
{
	return intern->entries.count;
}

size_t
intern_bytes(const struct intern *intern)
{
	return intern->bytes.total_bytes + stable_bytes(&intern->entries) +
	       intern->slot_count * sizeof(struct intern_slot);
}
