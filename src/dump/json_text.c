/* Strings, times and names. */
#include "dump/json_text.h"

#include "base/memory.h"
#include "base/text.h"

/* ---- strings */

/* How many bytes at the front stand for themselves. */
static size_t
plain_length(const char *bytes, size_t length)
{
	size_t plain = 0;
	while (plain < length && text_is_json_plain((unsigned char)bytes[plain]))
		plain++;
	return plain;
}

void
json_escaped(struct writer *out, const char *bytes, size_t length)
{
	size_t at = 0;
	while (at < length) {
		size_t plain = plain_length(bytes + at, length - at);
		writer_add(out, bytes + at, plain);
		at += plain;
		if (at == length)
			return;
		struct text_char c = text_decode(bytes + at, length - at);
		char spelled[TEXT_JSON_BYTES];
		writer_add(out, spelled, text_spell_json(c, spelled));
		at += c.length;
	}
}

/* ---- times */

void
json_micros(struct writer *out, int64_t time_ns)
{
	uint64_t size_ns = time_ns < 0 ? -(uint64_t)time_ns : (uint64_t)time_ns;
	if (time_ns < 0)
		writer_char(out, '-');
	writer_u64(out, size_ns / 1000);
	writer_decimals(out, size_ns % 1000, 3);
}

/* ---- interned strings */

enum { STRING_UNKNOWN, STRING_PLAIN, STRING_SPECIAL };

void
json_strings_release(struct json_strings *strings)
{
	memory_free(strings->kinds);
	*strings = (struct json_strings){ 0 };
}

/* What is new in the array is unknown. */
static bool
make_room(struct json_strings *strings, string_id id, struct error *err)
{
	size_t before = strings->capacity;
	if (LIKELY(id < before))
		return true;
	if (!array_reserve(&strings->kinds, &strings->capacity, (size_t)id + 1, 1, err))
		return false;
	memset(strings->kinds + before, STRING_UNKNOWN, strings->capacity - before);
	return true;
}

bool
json_strings_write(
	struct json_strings *strings, string_id id, struct writer *out, struct error *err)
{
	if (!make_room(strings, id, err))
		return false;
	size_t length;
	const char *bytes = intern_text(strings->strings, id, &length);
	uint8_t *kind = &strings->kinds[id];
	if (*kind == STRING_UNKNOWN)
		*kind = plain_length(bytes, length) == length ? STRING_PLAIN : STRING_SPECIAL;
	if (*kind == STRING_PLAIN)
		writer_add(out, bytes, length);
	else
		json_escaped(out, bytes, length);
	return true;
}

/* ---- names */

bool
json_name_is_empty(const struct json_name *name)
{
	return name->head == NULL && !name->has_number && name->before_first == NULL &&
	       name->first == STRING_EMPTY && name->before_second == NULL &&
	       name->second == STRING_EMPTY && name->tail == NULL;
}

static void
add_plain(struct writer *out, const char *text)
{
	if (text != NULL)
		writer_string(out, text);
}

bool
json_name_write(struct json_strings *strings, const struct json_name *name, struct writer *out,
	struct error *err)
{
	add_plain(out, name->head);
	if (name->has_number)
		writer_u64(out, name->number);
	add_plain(out, name->before_first);
	if (name->first != STRING_EMPTY && !json_strings_write(strings, name->first, out, err))
		return false;
	add_plain(out, name->before_second);
	if (name->second != STRING_EMPTY && !json_strings_write(strings, name->second, out, err))
		return false;
	add_plain(out, name->tail);
	return true;
}
