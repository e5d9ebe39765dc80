/*
 * The parts that JSON is made of, spelled as Go's encoder spells them: strings with
 * the characters of HTML escaped, times as the shortest numbers
 * (doc/format/cmd-trace-views.md, section 4.1).
 */
#ifndef TTRACE_DUMP_JSON_TEXT_H
#define TTRACE_DUMP_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "dump/writer.h"

/* What stands between the quotes, as text_spell_json() spells it. */
void json_escaped(struct writer *out, const char *bytes, size_t length);

/* Nanoseconds as microseconds, with at most three decimals. */
void json_micros(struct writer *out, int64_t time_ns);

/* Remembers which strings need no escapes. Zero-initialise but for `strings`. */
struct json_strings {
	const struct intern *strings; /* must outlive it */
	uint8_t *kinds;               /* by id */
	size_t capacity;
};

void json_strings_release(struct json_strings *strings);
/* An interned string without its quotes. False with err set when there is no memory. */
bool json_strings_write(
	struct json_strings *strings, string_id id, struct writer *out, struct error *err);

/*
 * A name: plain text, a number and up to two strings of the trace, in the order of the
 * fields. Zero-initialised is empty. The plain text must need no escapes.
 */
struct json_name {
	const char *head; /* NULL for nothing, like the others */
	bool has_number;
	uint64_t number;
	const char *before_first;
	string_id first;
	const char *before_second;
	string_id second;
	const char *tail;
};

/* Whether nothing would be written; allocates nothing. */
bool json_name_is_empty(const struct json_name *name);
/* Without the quotes. */
bool json_name_write(struct json_strings *strings, const struct json_name *name, struct writer *out,
	struct error *err);

#endif
