/* Errors in fixed storage: setting one never allocates and never fails. */
#include "base/error.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a prefix gets at least, its final zero included, where the message is long. */
enum { PREFIX_BYTES = 100 };

void
error_clear(struct error *err)
{
	memset(err, 0, sizeof(*err));
	err->offset_bytes = ERROR_NO_OFFSET;
}

/* Where text was cut to size bytes, takes away a UTF-8 character cut in the middle. */
static void
drop_cut_character(char *text, size_t size)
{
	size_t end = size - 1;
	size_t lead = end;
	while (lead > 0 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
		lead--;
	if (lead == 0 || (unsigned char)text[lead - 1] < 0xC0)
		return;
	unsigned char first = (unsigned char)text[lead - 1];
	size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
	if (end - (lead - 1) < length)
		text[lead - 1] = '\0';
}

static void write_message(char *out, size_t size, const char *format, va_list args)
	ATTR_PRINTF(3, 0);
static void set(struct error *err, enum error_kind kind, uint64_t offset_bytes, const char *format,
	va_list args) ATTR_PRINTF(4, 0);

static void
write_message(char *out, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(out, size, format, args);
	if (length < 0)
		out[0] = '\0';
	else if ((size_t)length >= size)
		drop_cut_character(out, size);
}

static void
set(struct error *err, enum error_kind kind, uint64_t offset_bytes, const char *format,
	va_list args)
{
	assert(kind != ERROR_NONE);
	if (err->kind != ERROR_NONE)
		return;
	error_clear(err);
	err->kind = kind;
	err->offset_bytes = offset_bytes;
	write_message(err->message, sizeof(err->message), format, args);
}

bool
error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	set(err, kind, ERROR_NO_OFFSET, format, args);
	va_end(args);
	return false;
}

bool
error_set_at(
	struct error *err, enum error_kind kind, uint64_t offset_bytes, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	set(err, kind, offset_bytes, format, args);
	va_end(args);
	return false;
}

bool
error_set_memory(struct error *err, const char *what)
{
	return error_set(err, ERROR_MEMORY, "not enough memory for %s", what);
}

void
error_prefix(struct error *err, const char *format, ...)
{
	char prefix[sizeof(err->message)];
	size_t used = strlen(err->message) + strlen(": ");
	size_t room = sizeof(prefix) - used;
	if (used > sizeof(prefix) - PREFIX_BYTES)
		room = PREFIX_BYTES;
	va_list args;
	va_start(args, format);
	write_message(prefix, room, format, args);
	va_end(args);

	char message[sizeof(err->message)];
	memcpy(message, err->message, sizeof(message));
	int length = snprintf(err->message, sizeof(err->message), "%s: %s", prefix, message);
	if (length >= (int)sizeof(err->message))
		drop_cut_character(err->message, sizeof(err->message));
}

/* Appends " (name number" or ", name number"; stays within size. */
static void
add_place(char *out, size_t size, const char *name, uint64_t number, bool *is_open)
{
	size_t used = strlen(out);
	snprintf(out + used, size - used, "%s%s %" PRIu64, *is_open ? ", " : " (", name, number);
	*is_open = true;
}

void
error_format(const struct error *err, char *out, size_t size)
{
	if (size == 0)
		return;
	int length = snprintf(out, size, "%s", err->message);
	if (length >= 0 && (size_t)length >= size) {
		drop_cut_character(out, size);
		return;
	}
	bool is_open = false;
	if (err->offset_bytes != ERROR_NO_OFFSET)
		add_place(out, size, "byte", err->offset_bytes, &is_open);
	if (err->generation != 0)
		add_place(out, size, "generation", err->generation, &is_open);
	if (err->batch != 0)
		add_place(out, size, "batch", err->batch, &is_open);
	if (!is_open)
		return;
	size_t used = strlen(out);
	snprintf(out + used, size - used, ")");
}
