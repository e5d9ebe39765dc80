/* One pattern over all texts of a trace. For the search and for queries; others ask the search. */
#ifndef TTRACE_QUERY_TEXT_MATCH_H
#define TTRACE_QUERY_TEXT_MATCH_H

#include "query/bits.h"
#include "query/watch.h"
#include "trace/trace.h"

struct pattern;

/*
 * The states that a pattern matches by any text, as query/search.h says: `states` is an empty
 * set for each segment, and they and *actors (those that match by name or id) are made
 * here, to be released on failure as well. `watch` may be NULL.
 */
bool text_match(const struct trace *trace, struct pattern *pattern, struct search_watch *watch,
                struct bits *actors, struct bits *states, struct error *err);

#endif
