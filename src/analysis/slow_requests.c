/*
 * Gathers requests by kind, adds up what they did by class, and looks at the single waits of what
 * turns out to be told.
 */
#include "analysis/slow_requests.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/critical.h"
#include "analysis/task_life.h"
#include "analysis/task_types.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "query/bits.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/damage.h"
#include "trace/lane.h"
#include "trace/own_code.h"
#include "trace/series.h"

enum {
	MOST_STATES = 1 << 24,       /* looked at in all; what is not looked at then is not told */
	MOST_KIND_STATES = 1 << 20,  /* of a kind, about: of fewer requests where each has many */
	MOST_OUTER = 64,             /* intervals looked back for one that holds a moment */
	MOST_PATHS = 32,             /* waits whose critical path is looked at ... */
	MOST_STEPS = 2000,           /* ... and steps of each */
	PASSES = 3
};

struct request {
	task_ref task; /* REF_NONE of net/http */
	goroutine_ref goroutine;
	int64_t start_ns, end_ns;
};

struct request_kind {
	string_id name;
	bool is_task;
	struct request *requests; /* the longest first */
	size_t count, capacity;
	size_t looked_at;         /* of them, evenly */
	int64_t total_ns;
};

/* When a goroutine serves a request of a kind. */
struct service {
	goroutine_ref goroutine;
	uint32_t kind;
	int64_t start_ns, end_ns;
};

/* A wait, or something else that took time, in a request or in place of its wait. */
struct wait {
	int64_t start_ns, length_ns; /* within the request */
	uint32_t served;    /* the kind of requests it was done for; REF_NONE: that which is looked at */
	enum time_class time_class;
	string_id region, function;
	uint64_t line;
	stack_id stack;
	goroutine_ref goroutine;
	enum slow_end end;
	uint32_t segment, state;
	bool is_counted;    /* as lost, in what was told before */
};

struct slow {
	const struct trace *trace;
	const struct slow_scope *scope;
	struct slow_list *list;
	struct task_index index;
	struct request_kind *kinds;
	size_t kind_count, kind_capacity;
	struct service *services; /* by goroutine, then by time */
	size_t service_count, service_capacity;
	struct map counted;       /* states whose time was told as lost */
	uint64_t states_left;
	struct error *err;
};

/* ---- requests and their kinds */

static bool
add_request(struct slow *slow, struct request_kind *kind, struct request request)
{
	const struct slow_scope *scope = slow->scope;
	if (request.start_ns < scope->t0_ns || request.end_ns > scope->t1_ns ||
		request.end_ns <= request.start_ns ||
		damage_map_find(&slow->trace->damage, request.start_ns, request.end_ns) != NULL)
		return true;
	if (!array_reserve(&kind->requests, &kind->capacity, kind->count + 1,
		    sizeof *kind->requests, slow->err))
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
	return (a->goroutine > b->goroutine) - (a->goroutine < b->goroutine);
}

/* Becomes one of the kinds, if it has enough requests; else it is released. */
static bool
add_kind(struct slow *slow, struct request_kind *kind)
{
	if (kind->count < SLOW_LEAST_REQUESTS) {
		memory_free(kind->requests);
		return true;
	}
	qsort(kind->requests, kind->count, sizeof *kind->requests, compare_requests);
	if (!array_reserve(&slow->kinds, &slow->kind_capacity, slow->kind_count + 1,
		    sizeof *slow->kinds, slow->err)) {
		memory_free(kind->requests);
		return false;
	}
	slow->kinds[slow->kind_count++] = *kind;
	return true;
}

static bool
add_task_kind(struct slow *slow, const struct task_types *types, const struct task_type *type)
{
	struct request_kind kind = { .name = type->name, .is_task = true };
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < type->complete; i++) {
		task_ref ref = types->tasks[type->first + i];
		const struct task *task = trace_task(slow->trace, ref);
		goroutine_ref who = task->end_goroutine != REF_NONE ? task->end_goroutine
								    : task->start_goroutine;
		is_fine = add_request(slow, &kind,
			(struct request){ ref, who, task->start_ns, task->end_ns });
	}
	if (is_fine)
		return add_kind(slow, &kind);
	memory_free(kind.requests);
	return false;
}

static bool
add_task_kinds(struct slow *slow)
{
	struct task_types types;
	struct task_scope scope = { slow->scope->t0_ns, slow->scope->t1_ns,
		slow->scope->only, slow->scope->watch };
	if (!task_types_build(&types, slow->trace, &scope, slow->err))
		return false;
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < types.type_count; i++)
		is_fine = add_task_kind(slow, &types, &types.types[i]);
	task_types_release(&types);
	return is_fine;
}

/* ---- requests of net/http */

static const char serving[] = "net/http.(*conn).serve";

/* Stacks in which such a goroutine reads, or waits for, the next request, and those that write. */
struct http_stacks {
	struct bits awaits, writes;
};

static bool
find_http_stacks(const struct trace *trace, struct http_stacks *stacks, struct error *err)
{
	const struct stack_table *table = &trace->stacks;
	uint32_t limit = stack_count(table);
	struct bits handles = { 0 };
	bool is_fine = bits_init(&stacks->awaits, limit, err) &&
		       bits_init(&stacks->writes, limit, err) && bits_init(&handles, limit, err);
	/* A caller has a lower number than those that it calls. */
	for (stack_id i = STACK_NONE + 1; is_fine && i < limit; i++) {
		string_id function = stack_leaf(table, i)->function;
		stack_id caller = stack_caller(table, i);
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
	bool has_read;    /* what came with the wait's end */
	bool has_written;
};

/*
 * One more state of the goroutine. A request ends where the next one is read, be there a wait
 * for it or not.
 */
static bool
follow_http(struct slow *slow, struct request_kind *kind, const struct http_stacks *stacks,
	struct http_way *way, const struct span *span)
{
	bool is_read = bits_has(&stacks->awaits, span->stack) &&
		       (span->kind->state == STATE_BLOCKED || span->kind->state == STATE_SYSCALL);
	bool is_fine = true;
	if (!is_read) {
		way->has_written = way->has_written || bits_has(&stacks->writes, span->stack);
		return true;
	}
	if (way->start_ns != TIME_OPEN && way->has_written) {
		bool is_meant = search_asks_for(slow->scope->only, span->goroutine,
			way->start_ns, span->start_ns);
		is_fine = !is_meant || add_request(slow, kind,
			(struct request){
				REF_NONE, span->goroutine, way->start_ns, span->start_ns });
		*way = (struct http_way){ .start_ns = span->start_ns, .has_read = true };
	}
	if (span->kind->state == STATE_BLOCKED)
		*way = (struct http_way){ .start_ns = span->is_open ? TIME_OPEN : span->end_ns };
	way->has_read = true;
	return is_fine;
}

static bool
add_http_requests(struct slow *slow, struct request_kind *kind, const struct http_stacks *stacks,
	goroutine_ref goroutine)
{
	struct http_way way = { .start_ns = TIME_OPEN };
	struct series series;
	struct item item;
	struct span span;
	if (!series_open(slow->trace, (struct lane){ LANE_GOROUTINE, goroutine }, &series))
		return true;
	series_item(&series, 0, &item);
	do {
		item_span(&series, &item, &span);
		if (!search_watch_check(slow->scope->watch, 0, slow->err) ||
			!follow_http(slow, kind, stacks, &way, &span))
			return false;
	} while (series_step(&series, &item));
	return true;
}

static bool
add_http_kind(struct slow *slow)
{
	const struct trace *trace = slow->trace;
	struct http_stacks stacks = { 0 };
	struct request_kind kind = { .name = STRING_EMPTY };
	bool is_fine = find_http_stacks(trace, &stacks, slow->err);
	for (goroutine_ref i = 0; is_fine && i < trace_goroutine_count(trace); i++) {
		if (trace_text_is(trace, trace_goroutine(trace, i)->name, serving))
			is_fine = add_http_requests(slow, &kind, &stacks, i);
	}
	bits_release(&stacks.awaits);
	bits_release(&stacks.writes);
	if (is_fine)
		return add_kind(slow, &kind);
	memory_free(kind.requests);
	return false;
}

/* ---- which kinds, and who serves them when */

static int
compare_kinds(const void *left, const void *right)
{
	const struct request_kind *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

/* So many as have no more states than are to be looked at of a kind, were all states its own. */
static size_t
count_looked_at(const struct slow *slow, const struct request_kind *kind)
{
	uint64_t each = trace_state_count(slow->trace) / kind->count + 1;
	uint64_t most = MOST_KIND_STATES / each;
	most = most > SLOW_MOST_REQUESTS ? SLOW_MOST_REQUESTS : most;
	most = most < SLOW_LEAST_REQUESTS ? SLOW_LEAST_REQUESTS : most;
	return kind->count < most ? kind->count : (size_t)most;
}

static bool
choose_kinds(struct slow *slow)
{
	bool is_fine = slow->trace->tasks.count > 0 ? add_task_kinds(slow) : add_http_kind(slow);
	if (!is_fine || slow->kind_count == 0)
		return is_fine;
	qsort(slow->kinds, slow->kind_count, sizeof *slow->kinds, compare_kinds);
	while (slow->kind_count > SLOW_MOST_KINDS)
		memory_free(slow->kinds[--slow->kind_count].requests);
	for (size_t i = 0; i < slow->kind_count; i++)
		slow->kinds[i].looked_at = count_looked_at(slow, &slow->kinds[i]);
	return true;
}

static int
compare_services(const void *left, const void *right)
{
	const struct service *a = left, *b = right;
	if (a->goroutine != b->goroutine)
		return a->goroutine < b->goroutine ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->end_ns > b->end_ns ? -1 : a->end_ns < b->end_ns;
}

/* Of tasks those that one goroutine begins and ends, and all regions. */
static bool
list_services(struct slow *slow)
{
	for (size_t i = 0; i < slow->kind_count; i++) {
		const struct request_kind *kind = &slow->kinds[i];
		if (!search_watch_check(slow->scope->watch, 0, slow->err) ||
			!array_reserve(&slow->services, &slow->service_capacity,
				slow->service_count + kind->count, sizeof *slow->services, slow->err))
			return false;
		for (size_t n = 0; n < kind->count; n++) {
			const struct request *request = &kind->requests[n];
			slow->services[slow->service_count++] = (struct service){ request->goroutine,
				(uint32_t)i, request->start_ns, request->end_ns };
		}
	}
	if (slow->service_count > 0)
		qsort(slow->services, slow->service_count, sizeof *slow->services, compare_services);
	return true;
}

/* The kind of the outermost request that a goroutine serves at t, REF_NONE for none. */
static uint32_t
served_at(const struct slow *slow, goroutine_ref goroutine, int64_t t_ns)
{
	size_t low = 0, high = slow->service_count;
	uint32_t found = REF_NONE;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct service *service = &slow->services[middle];
		if (service->goroutine < goroutine ||
			(service->goroutine == goroutine && service->start_ns <= t_ns))
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i > 0 && low - i < MOST_OUTER; i--) {
		const struct service *service = &slow->services[i - 1];
		if (service->goroutine != goroutine)
			break;
		if (service->end_ns >= t_ns)
			found = service->kind;
	}
	return found;
}

/* ---- what they did */

static bool
build_life(struct slow *slow, const struct request *request, struct task_life *life)
{
	struct task_watch watch = { .states_left = slow->states_left };
	struct task_work work = { request->goroutine, request->start_ns, request->end_ns };
	if (!search_watch_check(slow->scope->watch, 1, slow->err))
		return false;
	if (slow->scope->watch != NULL)
		watch.is_stopped = &slow->scope->watch->is_cancelled;
	bool is_fine = request->task != REF_NONE
			       ? task_life_build_watched(life, slow->trace, &slow->index,
					 request->task, &watch, slow->err)
			       : task_life_build_of(life, slow->trace, &slow->index, &work, &watch,
					 slow->err);
	slow->states_left = watch.states_left;
	return is_fine;
}

/* The n-th of those of a kind that are looked at. */
static const struct request *
request_at(const struct request_kind *kind, size_t n)
{
	return &kind->requests[(size_t)((uint64_t)n * kind->count / kind->looked_at)];
}

/* A band of those that are looked at, by how long they took, and what they did. */
struct band {
	size_t first, end;
	int64_t totals_ns[CLASS_COUNT], whole_ns;
};

struct bands {
	struct band all, slowest, middle;
	size_t mostly[CLASS_COUNT]; /* requests that did this for half of their time or more */
};

static struct bands
bands_of(const struct request_kind *kind)
{
	size_t count = kind->looked_at, tenth = (count + 9) / 10;
	return (struct bands){
		.all = { .first = 0, .end = count },
		.slowest = { .first = 0, .end = tenth < 3 ? 3 : tenth },
		.middle = { .first = count * 2 / 5, .end = count - count * 2 / 5 },
	};
}

static void
add_to_band(struct band *band, size_t n, const int64_t totals_ns[CLASS_COUNT], int64_t length_ns)
{
	if (n < band->first || n >= band->end)
		return;
	for (int i = 0; i < CLASS_COUNT; i++)
		band->totals_ns[i] = saturating_add_i64(band->totals_ns[i], totals_ns[i]);
	band->whole_ns = saturating_add_i64(band->whole_ns, length_ns);
}

static bool
add_up(struct slow *slow, const struct request_kind *kind, struct bands *bands)
{
	for (size_t n = 0; n < kind->looked_at; n++) {
		const struct request *request = request_at(kind, n);
		int64_t totals_ns[CLASS_COUNT], length_ns = request->end_ns - request->start_ns;
		struct task_life life;
		if (!build_life(slow, request, &life))
			return false;
		task_life_totals(&life, request->start_ns, request->end_ns, totals_ns);
		task_life_release(&life);
		for (int i = 0; i < CLASS_COUNT; i++)
			bands->mostly[i] += totals_ns[i] > length_ns / 100 * SLOW_MOSTLY_PERCENT;
		add_to_band(&bands->all, n, totals_ns, length_ns);
		add_to_band(&bands->slowest, n, totals_ns, length_ns);
		add_to_band(&bands->middle, n, totals_ns, length_ns);
	}
	return true;
}

static int64_t
mean_of(const struct band *band, int time_class)
{
	return band->totals_ns[time_class] / (int64_t)(band->end - band->first);
}

static int64_t
mean_length(const struct band *band)
{
	return band->whole_ns / (int64_t)(band->end - band->first);
}

/* ---- single waits */

struct waits {
	struct wait *items;
	size_t count, capacity;
};

static enum slow_end
end_of_wait(const struct slow *slow, const struct task_life *life, const struct span *wait)
{
	struct span next;
	if (wait->kind->state != STATE_BLOCKED || wait->is_open ||
		!lane_after(slow->trace, (struct lane){ LANE_GOROUTINE, wait->goroutine }, wait, &next))
		return SLOW_END_UNKNOWN;
	switch (next.waker.type) {
	case WAKER_NETWORK:
	case WAKER_NETWORK_OR_DEADLINE:
		return SLOW_END_NETWORK;
	case WAKER_TIMER:
		return SLOW_END_TIMER;
	case WAKER_GOROUTINE:
		if (task_life_has_work(life, next.waker.ref, wait->start_ns, wait->end_ns))
			return SLOW_END_OWN;
		return served_at(slow, next.waker.ref, next.start_ns) != REF_NONE
			       ? SLOW_END_REQUEST
			       : SLOW_END_GOROUTINE;
	case WAKER_UNKNOWN:
	case WAKER_SCHEDULER:
	case WAKER_TYPE_COUNT:
		break;
	}
	return SLOW_END_UNKNOWN;
}

/* Where it was; what is ready stands nowhere. */
static void
set_place(const struct slow *slow, struct wait *wait, stack_id stack)
{
	const struct trace *trace = slow->trace;
	range_ref region =
		region_at(trace, wait->goroutine, wait->start_ns + wait->length_ns / 2);
	const struct stack_frame *frame = NULL;
	if (wait->time_class != CLASS_READY) {
		frame = own_code_frame(trace, stack, wait->goroutine);
		wait->stack = stack;
	}
	wait->region = region == REF_NONE ? STRING_EMPTY : trace_range(trace, region)->name;
	wait->function = frame == NULL ? STRING_EMPTY : frame->function;
	wait->line = frame == NULL ? 0 : frame->line;
}

static bool
push_wait(struct slow *slow, struct waits *waits, const struct wait *wait)
{
	if (!array_reserve(&waits->items, &waits->capacity, waits->count + 1, sizeof *waits->items,
		    slow->err))
		return false;
	waits->items[waits->count++] = *wait;
	return true;
}

static bool
add_wait(struct slow *slow, struct waits *waits, const struct task_life *life, size_t piece)
{
	const struct trace *trace = slow->trace;
	goroutine_ref goroutine = life->pieces[piece].goroutine;
	int64_t start_ns = life->pieces[piece].start_ns, end_ns = task_piece_end_ns(life, piece);
	struct wait wait = { .start_ns = start_ns,
		.length_ns = end_ns - start_ns,
		.served = REF_NONE,
		.time_class = (enum time_class)life->pieces[piece].time_class,
		.goroutine = goroutine,
		.segment = REF_NONE };
	struct span span;
	if (goroutine != REF_NONE &&
		lane_span_at(trace, (struct lane){ LANE_GOROUTINE, goroutine }, start_ns, &span)) {
		const struct search *only = slow->scope->only;
		if (only != NULL && !search_matches(only, span.segment, span.state))
			return true;
		set_place(slow, &wait, span.stack);
		wait.end = end_of_wait(slow, life, &span);
		wait.segment = span.segment;
		wait.state = span.state;
		wait.is_counted = map_find(&slow->counted,
					  (uint64_t)span.segment << 32 | span.state) != MAP_NONE;
	}
	return push_wait(slow, waits, &wait);
}

/* Those of one class, of the requests of a band. */
static bool
gather_waits(struct slow *slow, const struct request_kind *kind, const struct band *band,
	enum time_class time_class, struct waits *waits)
{
	for (size_t n = band->first; n < band->end; n++) {
		struct task_life life;
		bool is_fine = build_life(slow, request_at(kind, n), &life);
		if (!is_fine)
			return false;
		for (size_t i = 0; is_fine && i < life.piece_count; i++)
			if (life.pieces[i].time_class == time_class)
				is_fine = add_wait(slow, waits, &life, i);
		task_life_release(&life);
		if (!is_fine)
			return false;
	}
	return true;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
compare_places(const struct wait *a, const struct wait *b)
{
	int order = COMPARE(a->served, b->served);
	if (order == 0)
		order = COMPARE(a->time_class, b->time_class);
	if (order == 0)
		order = COMPARE(a->region, b->region);
	if (order == 0)
		order = COMPARE(a->function, b->function);
	return order != 0 ? order : COMPARE(a->line, b->line);
}

static int
compare_waits(const void *left, const void *right)
{
	const struct wait *a = left, *b = right;
	int order = compare_places(a, b);
	if (order == 0)
		order = COMPARE(b->length_ns, a->length_ns);
	if (order == 0)
		order = COMPARE(a->segment, b->segment);
	return order != 0 ? order : COMPARE(a->state, b->state);
}

/* Leaves the waits of the place with most time, if that has half of all time. */
static uint32_t
find_place(struct waits *waits)
{
	int64_t most_ns = -1, all_ns = 0, here_ns = 0;
	size_t most_first = 0, most_end = 0, first = 0;
	uint32_t places = 0;
	if (waits->count > 0)
		qsort(waits->items, waits->count, sizeof *waits->items, compare_waits);
	for (size_t i = 0; i < waits->count; i++) {
		here_ns = saturating_add_i64(here_ns, waits->items[i].length_ns);
		if (i + 1 < waits->count && compare_places(&waits->items[i], &waits->items[i + 1]) == 0)
			continue;
		if (here_ns > most_ns) {
			most_ns = here_ns;
			most_first = first;
			most_end = i + 1;
		}
		all_ns = saturating_add_i64(all_ns, here_ns);
		places++;
		first = i + 1;
		here_ns = 0;
	}
	if (places == 0 || most_ns < all_ns / 2)
		return places;
	memmove(waits->items, waits->items + most_first,
		(most_end - most_first) * sizeof *waits->items);
	waits->count = most_end - most_first;
	return 1;
}

/* ---- what stands for waits */

static bool
add_parts(struct slow *slow, struct waits *causes, const struct critical_path *path)
{
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < path->part_count; i++) {
		const struct critical_part *part = &path->parts[i];
		struct wait cause = { .start_ns = part->start_ns,
			.length_ns = part->end_ns - part->start_ns,
			.served = REF_NONE,
			.time_class = part->kind == NULL ? CLASS_UNKNOWN : part->kind->time_class,
			.goroutine = part->goroutine,
			.segment = REF_NONE };
		if (part->goroutine != REF_NONE) {
			cause.served = served_at(slow, part->goroutine,
				part->start_ns + cause.length_ns / 2);
			set_place(slow, &cause, part->stack);
		}
		is_fine = push_wait(slow, causes, &cause);
	}
	return is_fine;
}

/* Of waits that are sorted by length, evenly. */
static bool
find_cause(struct slow *slow, const struct waits *waits, struct slow_cause *cause)
{
	size_t count = waits->count < MOST_PATHS ? waits->count : MOST_PATHS;
	struct waits causes = { 0 };
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct wait *wait = &waits->items[i * waits->count / count];
		struct critical_scope scope = { wait->goroutine, wait->start_ns,
			wait->start_ns + wait->length_ns, MOST_STEPS, NULL };
		struct critical_path path;
		if (!search_watch_check(slow->scope->watch, 0, slow->err) ||
			!critical_build(&path, slow->trace, &scope, slow->err)) {
			is_fine = false;
			break;
		}
		cause->whole_ns = saturating_add_i64(cause->whole_ns, wait->length_ns);
		is_fine = add_parts(slow, &causes, &path);
		critical_release(&path);
	}
	if (is_fine && find_place(&causes) == 1) {
		const struct wait *longest = &causes.items[0];
		cause->request = longest->served == REF_NONE ? STRING_EMPTY
							     : slow->kinds[longest->served].name;
		cause->time_class = longest->time_class;
		cause->region = longest->region;
		cause->stack = longest->stack;
		cause->goroutine = longest->goroutine;
		for (size_t i = 0; i < causes.count; i++)
			cause->part_ns = saturating_add_i64(cause->part_ns, causes.items[i].length_ns);
	}
	memory_free(causes.items);
	return is_fine;
}

/* ---- what is told */

/* The least that so many percent of the requests took at most. */
static int64_t
quantile(const struct request_kind *kind, unsigned percent)
{
	const struct request *request =
		&kind->requests[kind->count - sorted_rank(kind->count, percent, 100)];
	return request->end_ns - request->start_ns;
}

/* What was found of those that are looked at, for all that they stand for. */
static int64_t
scaled(const struct request_kind *kind, int64_t value)
{
	if (kind->looked_at == kind->count)
		return value;
	double whole = (double)value * (double)kind->count / (double)kind->looked_at;
	return whole < (double)INT64_MAX ? (int64_t)whole : INT64_MAX;
}

static void
tell_end(struct slow_requests *told, const struct waits *waits)
{
	int64_t by_end_ns[SLOW_END_COUNT] = { 0 };
	for (size_t i = 0; i < waits->count; i++) {
		const struct wait *wait = &waits->items[i];
		by_end_ns[wait->end] = saturating_add_i64(by_end_ns[wait->end], wait->length_ns);
	}
	for (int i = SLOW_END_UNKNOWN + 1; i < SLOW_END_COUNT; i++) {
		if (by_end_ns[i] <= told->end_ns || by_end_ns[i] < told->part_ns / 2)
			continue;
		told->end = (enum slow_end)i;
		told->end_ns = by_end_ns[i];
	}
}

/* The sums over what stands in the list; what was not lost before is from now on. */
static bool
tell_waits(struct slow_requests *told, struct slow *slow, const struct waits *waits)
{
	struct bits seen = { 0 };
	bool is_fine = bits_init(&seen, trace_goroutine_count(slow->trace), slow->err);
	for (size_t i = 0; is_fine && i < waits->count; i++) {
		const struct wait *wait = &waits->items[i];
		told->part_ns = saturating_add_i64(told->part_ns, wait->length_ns);
		told->waits++;
		if (wait->goroutine != REF_NONE && !bits_has(&seen, wait->goroutine)) {
			bits_add(&seen, wait->goroutine);
			told->goroutines++;
		}
		if (wait->is_counted)
			continue;
		told->lost_ns = saturating_add_i64(told->lost_ns, wait->length_ns);
		if (wait->segment != REF_NONE)
			is_fine = map_put(&slow->counted,
				(uint64_t)wait->segment << 32 | wait->state, 1, slow->err);
	}
	bits_release(&seen);
	tell_end(told, waits);
	bool has_cause = told->end == SLOW_END_REQUEST || told->end == SLOW_END_OWN ||
			 told->end == SLOW_END_GOROUTINE;
	if (is_fine && has_cause && told->places == 1)
		is_fine = find_cause(slow, waits, &told->cause);
	return is_fine;
}

static bool
is_outside(enum time_class time_class)
{
	return time_class == CLASS_NETWORK || time_class == CLASS_SLEEP ||
	       time_class == CLASS_SYSCALL;
}

/*
 * What nobody in the program could have given back counts as if one goroutine was held up for that
 * share of the interval: many requests may wait for the world outside at no cost.
 */
static int64_t
bound_by_interval(const struct slow *slow, const struct slow_requests *told)
{
	double share = told->whole_ns > 0 ? (double)told->part_ns / (double)told->whole_ns : 0;
	int64_t most_ns =
		(int64_t)(share * (double)(slow->scope->t1_ns - slow->scope->t0_ns));
	return told->lost_ns < most_ns ? told->lost_ns : most_ns;
}

static bool
tell(struct slow *slow, const struct request_kind *kind, const struct bands *bands,
	bool is_of_all, enum time_class time_class)
{
	const struct band *band = is_of_all ? &bands->all : &bands->slowest;
	struct slow_requests told = { .name = kind->name,
		.is_task = kind->is_task,
		.count = (uint32_t)kind->count,
		.is_of_all = is_of_all,
		.whole_ns = band->whole_ns,
		.time_class = time_class };
	const struct request *slowest = &kind->requests[0];
	struct waits waits = { 0 };
	bool is_fine = gather_waits(slow, kind, band, time_class, &waits);
	told.places = is_fine ? find_place(&waits) : 0;
	is_fine = is_fine && tell_waits(&told, slow, &waits);
	if (told.places == 1 && waits.count > 0) {
		told.region = waits.items[0].region;
		told.stack = waits.items[0].stack;
		told.stack_goroutine = waits.items[0].goroutine;
	}
	memory_free(waits.items);
	if (!is_of_all) {
		int64_t usual_ns = mean_of(&bands->middle, (int)time_class) *
				   (int64_t)(band->end - band->first);
		told.lost_ns = told.lost_ns > usual_ns ? told.lost_ns - usual_ns : 0;
	}
	for (int i = 0; i < CLASS_COUNT; i++) {
		told.slow_ns[i] = mean_of(&bands->slowest, i);
		told.middle_ns[i] = mean_of(&bands->middle, i);
	}
	told.whole_ns = scaled(kind, told.whole_ns);
	told.part_ns = scaled(kind, told.part_ns);
	told.end_ns = scaled(kind, told.end_ns);
	told.lost_ns = scaled(kind, told.lost_ns);
	told.waits = (uint64_t)scaled(kind, (int64_t)told.waits);
	if (is_outside(time_class))
		told.lost_ns = bound_by_interval(slow, &told);
	told.task = slowest->task;
	told.goroutine = slowest->goroutine;
	told.slowest_start_ns = slowest->start_ns;
	told.slowest_end_ns = slowest->end_ns;
	told.p50_ns = quantile(kind, 50);
	told.p90_ns = quantile(kind, 90);
	told.slowest_tenth_ns = mean_length(&bands->slowest);
	is_fine = is_fine && array_reserve(&slow->list->items, &slow->list->capacity,
				     slow->list->count + 1, sizeof *slow->list->items, slow->err);
	if (is_fine)
		slow->list->items[slow->list->count++] = told;
	return is_fine;
}

/* What (nearly) all of them wait for most of their time; CLASS_GONE for nothing. */
static enum time_class
class_of_all(const struct request_kind *kind, const struct bands *bands)
{
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		int64_t least_ns = is_outside((enum time_class)i) ? SLOW_LEAST_OUTSIDE_NS
								 : SLOW_LEAST_NS;
		if (i != CLASS_UNKNOWN && i != CLASS_RUNNING &&
			mean_of(&bands->middle, i) >= least_ns &&
			bands->mostly[i] * 100 >= kind->looked_at * SLOW_ALIKE_PERCENT &&
			bands->all.totals_ns[i] >= bands->all.whole_ns / 100 * SLOW_MOSTLY_PERCENT)
			return (enum time_class)i;
	}
	return CLASS_GONE;
}

/* What the slowest tenth did so much longer; CLASS_GONE where it was hardly slower. */
static enum time_class
class_of_slowest(const struct bands *bands)
{
	enum time_class found = CLASS_GONE;
	int64_t most_ns = SLOW_LEAST_NS - 1;
	for (int i = CLASS_UNKNOWN + 1; i < CLASS_COUNT; i++) {
		int64_t more_ns = mean_of(&bands->slowest, i) - mean_of(&bands->middle, i);
		if (more_ns <= most_ns)
			continue;
		most_ns = more_ns;
		found = (enum time_class)i;
	}
	bool varies = found == CLASS_RUNNING || is_outside(found);
	int64_t times = varies ? SLOW_TIMES_VARYING : SLOW_TIMES;
	return mean_length(&bands->slowest) / times >= mean_length(&bands->middle) ? found
										  : CLASS_GONE;
}

static bool
judge(struct slow *slow, const struct request_kind *kind)
{
	struct bands bands = bands_of(kind);
	if (!add_up(slow, kind, &bands))
		return false;
	enum time_class of_all = class_of_all(kind, &bands);
	enum time_class of_slowest = class_of_slowest(&bands);
	if (of_all != CLASS_GONE && !tell(slow, kind, &bands, true, of_all))
		return false;
	return of_slowest == CLASS_GONE || of_slowest == of_all ||
	       tell(slow, kind, &bands, false, of_slowest);
}

/* ---- the whole */

static void
release(struct slow *slow)
{
	for (size_t i = 0; i < slow->kind_count; i++)
		memory_free(slow->kinds[i].requests);
	memory_free(slow->kinds);
	memory_free(slow->services);
	map_release(&slow->counted);
	task_index_release(&slow->index);
}

static bool
judge_all(struct slow *slow)
{
	uint64_t units = 0;
	for (size_t i = 0; i < slow->kind_count; i++)
		units += slow->kinds[i].looked_at;
	search_watch_expect(slow->scope->watch, units * PASSES);
	for (size_t i = 0; i < slow->kind_count; i++) {
		if (judge(slow, &slow->kinds[i]))
			continue;
		if (slow->err->kind != ERROR_LIMIT)
			return false;
		error_clear(slow->err);
		break;
	}
	return true;
}

bool
slow_requests_build(struct slow_list *list, const struct trace *trace,
	const struct slow_scope *scope, struct error *err)
{
	struct slow_list built = { 0 };
	struct slow slow = { .trace = trace,
		.scope = scope,
		.list = &built,
		.states_left = MOST_STATES,
		.err = err };
	bool is_fine = choose_kinds(&slow);
	if (is_fine && slow.kind_count > 0)
		is_fine = list_services(&slow) &&
			  task_index_build(&slow.index, trace,
				  scope->watch == NULL ? NULL : &scope->watch->is_cancelled, err) &&
			  judge_all(&slow);
	built.kind_count = slow.kind_count;
	release(&slow);
	if (!is_fine) {
		slow_requests_release(&built);
		return false;
	}
	*list = built;
	return true;
}

void
slow_requests_release(struct slow_list *list)
{
	array_release(&list->items);
	*list = (struct slow_list){ 0 };
}
