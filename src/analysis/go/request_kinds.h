/*
 * The requests of a trace, by kind. Requests are its user tasks, by name; where no name has many,
 * those that actors of net/http serve, each from the end of the wait for it to when the next one
 * is read, all of one kind.
 */
#ifndef TTRACE_ANALYSIS_REQUEST_KINDS_H
#define TTRACE_ANALYSIS_REQUEST_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

enum {
	REQUEST_KIND_LEAST = 20, /* requests; a kind that has fewer is left out */
	REQUEST_KINDS_MOST = 32  /* those whose requests took longest in all */
};

struct request {
	task_ref task; /* REF_NONE of net/http */
	actor_ref actor; /* that ended it */
	int64_t start_ns, end_ns;
};

struct request_kind {
	string_id name; /* STRING_EMPTY of net/http, or of tasks without a name */
	bool is_task;
	struct request *requests; /* the longest first */
	size_t count, capacity;
	int64_t total_ns;
};

/* When an actor serves a request of a kind, both ends included. */
struct request_service {
	actor_ref actor;
	uint32_t kind;
	int64_t start_ns, end_ns;
};

struct request_kinds {
	struct request_kind *items; /* most time first */
	size_t count, capacity;
	struct request_service *services; /* by actor, then by time; disjoint */
	size_t service_count, service_capacity;
};

struct request_scope {
	int64_t t0_ns, t1_ns;       /* requests that begin and end in [t0, t1) */
	struct search *only;        /* on whose actor it matches a state meanwhile; NULL: any */
	struct search_watch *watch; /* NULL is fine */
};

/*
 * O(n log n) for n tasks and regions, or states of the actors of net/http. ERROR_CANCELLED
 * where the watch says so. Release with request_kinds_release() after success.
 */
bool request_kinds_build(struct request_kinds *kinds, const struct trace *trace,
	const struct request_scope *scope, struct error *err);
void request_kinds_release(struct request_kinds *kinds);

/*
 * The kind of the outermost request that an actor serves at t, by its index; REF_NONE for none.
 * O(log n).
 */
uint32_t request_kinds_served_at(
	const struct request_kinds *kinds, actor_ref actor, int64_t t_ns);

/* The time within which that many percent of the requests ended. O(1). */
int64_t request_kind_quantile(const struct request_kind *kind, unsigned percent);

#endif
