/* The queries of findings, of text that can be typed everywhere. */
#include <inttypes.h>
#include <string.h>

#include "analysis/findings_internal.h"

enum { MOST_NAME_BYTES = 500 };

/* Printable ASCII without any of those. */
static bool
is_without(const char *bytes, size_t length, const char *none_of)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] < ' ' || bytes[i] > '~' || strchr(none_of, bytes[i]) != NULL)
			return false;
	return length <= MOST_NAME_BYTES;
}

/* Whether text stands in quotes as it is, in a query and in a shell. */
static bool
is_plain(const char *bytes, size_t length)
{
	return is_without(bytes, length, "\"\'\\");
}

bool
query_is_plain_query(const char *query)
{
	return is_without(query, strlen(query), "\'\\");
}

bool
query_add_string(struct text *query, const struct trace *trace, const char *field, string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	if (!is_plain(bytes, length))
		return false;
	text_format(query, "%s=\"", field);
	text_add(query, bytes, length);
	text_add_string(query, "\" ");
	return true;
}

void
query_add_interval(struct text *query, const struct finder *finder)
{
	if (finder->t0_ns > finder->trace->start_ns)
		text_format(query, "end>%" PRId64 "ns ", finder->t0_ns);
	if (finder->t1_ns < finder->trace->end_ns)
		text_format(query, "start<%" PRId64 "ns ", finder->t1_ns);
}

void
query_add_span(struct text *query, const struct trace *trace, actor_ref actor,
	int64_t start_ns)
{
	text_format(query, "g=%" PRId64 " start=%" PRId64 "ns ",
		trace_actor(trace, actor)->id, start_ns);
}

void
query_add_longest(struct text *query, const struct trace *trace, const struct finding *finding)
{
	query_add_span(query, trace, finding->actor, finding->start_ns);
}

void
query_add_group(struct text *query, const struct finder *finder, struct finding *finding,
	const char *conditions)
{
	text_format(query, "%s ", conditions);
	finding->is_query_whole = query_add_string(query, finder->trace, "name", finding->name);
	if (finding->is_query_whole)
		query_add_interval(query, finder);
	else
		query_add_longest(query, finder->trace, finding);
}
