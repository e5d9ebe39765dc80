/* The strings that a term is about, looked at when first asked for and then remembered. */
#include <string.h>

#include "query/query_match.h"

bool
query_strings_init(struct query_strings *strings, const struct trace *trace,
	const struct query_term *term, struct error *err)
{
	uint32_t count = intern_count(&trace->strings);
	*strings = (struct query_strings){ .trace = trace, .term = term };
	strings->is_any = term->test == TEST_TEXT && term->text_length == 0;
	if (bits_init(&strings->known, count, err) && bits_init(&strings->found, count, err))
		return true;
	query_strings_release(strings);
	return false;
}

void
query_strings_release(struct query_strings *strings)
{
	bits_release(&strings->known);
	bits_release(&strings->found);
}

static bool
is_meant(const struct query_term *term, const char *bytes, size_t length)
{
	if (term->test == TEST_PATTERN)
		return pattern_matches(term->pattern, bytes, length);
	return length == term->text_length && memcmp(bytes, term->text, length) == 0;
}

bool
query_text_is_meant(const struct query_term *term, const char *text)
{
	return is_meant(term, text, strlen(text));
}

bool
query_strings_has(struct query_strings *strings, string_id id)
{
	if (id == STRING_EMPTY || strings->is_any)
		return id != STRING_EMPTY;
	if (!bits_has(&strings->known, id)) {
		size_t length;
		const char *bytes = trace_text(strings->trace, id, &length);
		bits_add(&strings->known, id);
		if (is_meant(strings->term, bytes, length))
			bits_add(&strings->found, id);
	}
	return bits_has(&strings->found, id);
}
