/* Quoting as RFC 4180 has it. */
#include "report/csv.h"

#include <string.h>

/* Quotes what stands on the line from `start` on; quotes within are doubled. */
static void
quote(struct text *line, size_t start)
{
	struct text value = { 0 };
	text_add(&value, line->bytes + start, line->length - start);
	line->length = start;
	text_add_string(line, "\"");
	for (size_t at = 0; at < value.length;) {
		size_t plain = strcspn(value.bytes + at, "\"");
		text_add(line, value.bytes + at, plain);
		at += plain;
		if (at < value.length)
			text_add_string(line, "\"\"");
		at++;
	}
	text_add_string(line, "\"");
	line->failed = line->failed || value.failed;
	text_release(&value);
}

void
csv_add(struct text *line, const char *bytes, size_t length, bool ascii)
{
	size_t start = line->length;
	text_add_safe(line, bytes, length, ascii);
	if (!line->failed && line->length > start && strpbrk(line->bytes + start, "\", ") != NULL)
		quote(line, start);
}
