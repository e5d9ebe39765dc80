/* Sorts tasks by name, or follows the actors of net/http from read to read. */
#include "analysis/go/request_kinds.h"

#include <stdlib.h>

#include "analysis/task_types.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/sorted.h"
#include "query/bits.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/damage.h"
#include "trace/series.h"

struct gathering {
	const struct trace *trace;
	const struct request_scope *scope;
	struct request_kinds *kinds;
	struct error *err;
};

/* ---- requests and their kinds */

static bool
add_request(struct gathering *gathering, struct request_kind *kind, struct request request)
{
	const struct request_scope *scope = gathering->scope;
	if (request.start_ns < scope->t0_ns || request.end_ns > scope->t1_ns ||
		request.end_ns <= request.start_ns ||
		damage_map_find(&gathering->trace->damage, request.start_ns, request.end_ns) != NULL)
		return true;
	if (!array_reserve(&kind->requests, &kind->capacity, kind->count + 1,
		    sizeof *kind->requests, gathering->err))
		return false;
	kind->requests[kind->count++] = request;
	kind->total_ns = saturating_add_i64(kind->total_ns, request.end_ns - request.start_ns);
	return true;
}

static int
compare_requests(const void *left, const void *right)
{
	const struct request *a = left, *b = right;
	int64_t a_ns = a->end_ns - a->start_ns, b_ns = b->end_ns - b->start_ns;
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->actor > b->actor) - (a->actor < b->actor);
}

/* Becomes one of the kinds, if it has enough requests; else it is released. */
static bool
add_kind(struct gathering *gathering, struct request_kind *kind)
{
	if (kind->count < REQUEST_KIND_LEAST) {
		memory_free(kind->requests);
		return true;
	}
	const struct sort longest_first = { kind->requests, kind->count, sizeof *kind->requests,
		compare_requests };
	struct request_kinds *kinds = gathering->kinds;
	if (!sort_items(&longest_first, search_watch_cancel_flag(gathering->scope->watch),
		    gathering->err) ||
		!array_reserve(&kinds->items, &kinds->capacity, kinds->count + 1, sizeof *kinds->items,
		    gathering->err)) {
		memory_free(kind->requests);
		return false;
	}
	kinds->items[kinds->count++] = *kind;
	return true;
}

static bool
add_task_kind(struct gathering *gathering, const struct task_types *types,
	const struct task_type *type)
{
	struct request_kind kind = { .name = type->name, .is_task = true };
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < type->complete; i++) {
		task_ref ref = types->tasks[type->first + i];
		const struct task *task = trace_task(gathering->trace, ref);
		actor_ref who = task->end_actor != REF_NONE ? task->end_actor
								    : task->start_actor;
		is_fine = add_request(gathering, &kind,
			(struct request){ ref, who, task->start_ns, task->end_ns });
	}
	if (is_fine)
		return add_kind(gathering, &kind);
	memory_free(kind.requests);
	return false;
}

static bool
add_task_kinds(struct gathering *gathering)
{
	struct task_types types;
	struct task_scope scope = { gathering->scope->t0_ns, gathering->scope->t1_ns,
		gathering->scope->only, gathering->scope->watch };
	if (!task_types_build(&types, gathering->trace, &scope, gathering->err))
		return false;
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < types.type_count; i++)
		is_fine = add_task_kind(gathering, &types, &types.types[i]);
	task_types_release(&types);
	return is_fine;
}

/* ---- requests of net/http */

static const char serving[] = "net/http.(*conn).serve";

/* Stacks in which such an actor reads, or waits for, the next request, and those that write. */
struct http_stacks {
	struct bits awaits, writes;
};

static bool
find_http_stacks(const struct gathering *gathering, struct http_stacks *stacks)
{
	const struct trace *trace = gathering->trace;
	struct error *err = gathering->err;
	const struct stack_table *table = &trace->stacks;
	uint32_t limit = stack_count(table);
	struct bits handles = { 0 };
	bool is_fine = bits_init(&stacks->awaits, limit, err) &&
		       bits_init(&stacks->writes, limit, err) && bits_init(&handles, limit, err);
	/* A caller has a lower number than those that it calls. */
	for (stack_id i = STACK_NONE + 1; is_fine && i < limit; i++) {
		string_id function = stack_leaf(table, i)->function;
		stack_id caller = stack_caller(table, i);
		is_fine = search_watch_check(gathering->scope->watch, 0, err);
		/* A body is read for the request that it is of. */
		if (bits_has(&handles, caller) ||
			trace_text_is(trace, function, "net/http.serverHandler.ServeHTTP") ||
			trace_text_is(trace, function, "net/http.(*response).finishRequest"))
			bits_add(&handles, i);
		else if (bits_has(&stacks->awaits, caller) ||
			 trace_text_is(trace, function, "net/http.(*connReader).Read"))
			bits_add(&stacks->awaits, i);
		if (bits_has(&stacks->writes, caller) ||
			trace_text_is(trace, function, "net/http.checkConnErrorWriter.Write"))
			bits_add(&stacks->writes, i);
	}
	bits_release(&handles);
	return is_fine;
}

/* A request on its way. */
struct http_way {
	int64_t start_ns; /* TIME_OPEN between requests */
	bool has_written;
};

/*
 * One more state of the actor. A request ends where the next one is read, be there a wait
 * for it or not.
 */
static bool
follow_http(struct gathering *gathering, struct request_kind *kind,
	const struct http_stacks *stacks, struct http_way *way, const struct span *span)
{
	bool is_read = bits_has(&stacks->awaits, span->stack) &&
		       (span->kind->state == STATE_BLOCKED || span->kind->state == STATE_SYSCALL);
	bool is_fine = true;
	if (!is_read) {
		way->has_written = way->has_written || bits_has(&stacks->writes, span->stack);
		return true;
	}
	if (way->start_ns != TIME_OPEN && way->has_written) {
		bool is_meant = search_asks_for(gathering->scope->only, span->actor,
			way->start_ns, span->start_ns);
		is_fine = !is_meant || add_request(gathering, kind,
			(struct request){
				REF_NONE, span->actor, way->start_ns, span->start_ns });
		*way = (struct http_way){ .start_ns = span->start_ns };
	}
	if (span->kind->state == STATE_BLOCKED)
		*way = (struct http_way){ .start_ns = span->is_open ? TIME_OPEN : span->end_ns };
	return is_fine;
}

static bool
add_http_requests(struct gathering *gathering, struct request_kind *kind,
	const struct http_stacks *stacks, actor_ref actor)
{
	struct http_way way = { .start_ns = TIME_OPEN };
	struct series series;
	struct item item;
	struct span span;
	if (!series_open(gathering->trace, (struct lane){ LANE_ACTOR, actor }, &series))
		return true;
	series_item(&series, 0, &item);
	do {
		item_span(&series, &item, &span);
		if (!search_watch_check(gathering->scope->watch, 0, gathering->err) ||
			!follow_http(gathering, kind, stacks, &way, &span))
			return false;
	} while (series_step(&series, &item));
	return true;
}

static bool
add_http_kind(struct gathering *gathering)
{
	const struct trace *trace = gathering->trace;
	struct http_stacks stacks = { 0 };
	struct request_kind kind = { .name = STRING_EMPTY };
	bool is_fine = find_http_stacks(gathering, &stacks);
	for (actor_ref i = 0; is_fine && i < trace_actor_count(trace); i++) {
		if (trace_text_is(trace, trace_actor(trace, i)->name, serving))
			is_fine = add_http_requests(gathering, &kind, &stacks, i);
	}
	bits_release(&stacks.awaits);
	bits_release(&stacks.writes);
	if (is_fine)
		return add_kind(gathering, &kind);
	memory_free(kind.requests);
	return false;
}

/* ---- who serves them when */

static int
compare_services(const void *left, const void *right)
{
	const struct request_service *a = left, *b = right;
	if (a->actor != b->actor)
		return a->actor < b->actor ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->end_ns > b->end_ns ? -1 : a->end_ns < b->end_ns;
}

static bool
add_service(struct gathering *gathering, struct request_service service)
{
	struct request_kinds *kinds = gathering->kinds;
	if (!array_reserve(&kinds->services, &kinds->service_capacity, kinds->service_count + 1,
		    sizeof *kinds->services, gathering->err))
		return false;
	kinds->services[kinds->service_count++] = service;
	return true;
}

/* From end to end, where that is one actor. */
static bool
add_requests_of(struct gathering *gathering, uint32_t index)
{
	const struct request_kind *kind = &gathering->kinds->items[index];
	for (size_t i = 0; i < kind->count; i++) {
		const struct request *request = &kind->requests[i];
		bool is_one = request->task == REF_NONE ||
			      trace_task(gathering->trace, request->task)->start_actor ==
				      request->actor;
		if (!search_watch_check_item(gathering->scope->watch, i, gathering->err) ||
			(is_one && !add_service(gathering,
					   (struct request_service){ request->actor, index,
						   request->start_ns, request->end_ns })))
			return false;
	}
	return true;
}

/* Within the regions of a task it is served as well, by whomever. */
static bool
add_regions(struct gathering *gathering, const struct map *kind_of)
{
	const struct trace *trace = gathering->trace;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (!search_watch_check_item(gathering->scope->watch, i, gathering->err))
			return false;
		if (range->type != RANGE_REGION || range->task >= trace->tasks.count)
			continue;
		uint32_t kind = map_find(kind_of, trace_task(trace, range->task)->name);
		if (kind != MAP_NONE &&
			!add_service(gathering, (struct request_service){ range->scope, kind,
							range->start_ns, range->end_ns }))
			return false;
	}
	return true;
}

/* Leaves the outermost at each moment, which then stand one behind the other. */
static void
keep_outermost(struct request_kinds *kinds)
{
	size_t kept = 0;
	for (size_t i = 0; i < kinds->service_count; i++) {
		struct request_service service = kinds->services[i];
		const struct request_service *last = &kinds->services[kept > 0 ? kept - 1 : 0];
		if (kept > 0 && last->actor == service.actor) {
			if (service.end_ns <= last->end_ns)
				continue;
			if (service.start_ns <= last->end_ns)
				service.start_ns = last->end_ns + 1;
		}
		kinds->services[kept++] = service;
	}
	kinds->service_count = kept;
}

static bool
list_services(struct gathering *gathering)
{
	struct request_kinds *kinds = gathering->kinds;
	struct map kind_of = { 0 };
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < kinds->count; i++) {
		is_fine = add_requests_of(gathering, i) &&
			  (!kinds->items[i].is_task ||
				  map_put(&kind_of, kinds->items[i].name, i, gathering->err));
	}
	is_fine = is_fine && (kind_of.count == 0 || add_regions(gathering, &kind_of));
	map_release(&kind_of);
	const struct sort sort = { kinds->services, kinds->service_count, sizeof *kinds->services,
		compare_services };
	is_fine = is_fine && sort_items(&sort, search_watch_cancel_flag(gathering->scope->watch),
				     gathering->err);
	keep_outermost(kinds);
	return is_fine;
}

uint32_t
request_kinds_served_at(const struct request_kinds *kinds, actor_ref actor, int64_t t_ns)
{
	size_t low = 0, high = kinds->service_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct request_service *service = &kinds->services[middle];
		if (service->actor < actor ||
			(service->actor == actor && service->start_ns <= t_ns))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return REF_NONE;
	const struct request_service *last = &kinds->services[low - 1];
	return last->actor == actor && last->end_ns >= t_ns ? last->kind : REF_NONE;
}

/* ---- the whole */

static int
compare_kinds(const void *left, const void *right)
{
	const struct request_kind *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

bool
request_kinds_build(struct request_kinds *kinds, const struct trace *trace,
	const struct request_scope *scope, struct error *err)
{
	struct request_kinds built = { 0 };
	struct gathering gathering = { trace, scope, &built, err };
	bool is_fine =
		add_task_kinds(&gathering) && (built.count > 0 || add_http_kind(&gathering));
	if (built.count > 0)
		qsort(built.items, built.count, sizeof *built.items, compare_kinds);
	while (built.count > REQUEST_KINDS_MOST)
		memory_free(built.items[--built.count].requests);
	if (!is_fine || !list_services(&gathering)) {
		request_kinds_release(&built);
		return false;
	}
	*kinds = built;
	return true;
}

void
request_kinds_release(struct request_kinds *kinds)
{
	for (size_t i = 0; i < kinds->count; i++)
		memory_free(kinds->items[i].requests);
	memory_free(kinds->items);
	memory_free(kinds->services);
	*kinds = (struct request_kinds){ 0 };
}

int64_t
request_kind_quantile(const struct request_kind *kind, unsigned percent)
{
	const struct request *request =
		&kind->requests[kind->count - sorted_rank(kind->count, percent, 100)];
	return request->end_ns - request->start_ns;
}
