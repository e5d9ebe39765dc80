/*
 * Gathers requests by kind, adds up what they did by class, and looks at the single waits of what
 * turns out to be told.
 */
#include "analysis/slow_requests.h"

#include <string.h>

#include "analysis/critical.h"
#include "analysis/go/request_kinds.h"
#include "analysis/task_life.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/bits.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/own_code.h"

enum {
	MOST_STATES = 1 << 24,       /* looked at in all; what comes behind is not told */
	MOST_KIND_STATES = 1 << 20,  /* of a kind, about; where requests have many states, of fewer requests */
	FEW_WAITS = MOST_KIND_STATES / 2, /* that may be held at once, however small the trace is */
	MOST_PATHS = 32,             /* waits whose critical path is looked at ... */
	MOST_STEPS = 2000,           /* ... and steps of each */
	PASSES = 3
};

/* A wait, or something else that took time, in a request or in place of its wait. */
struct wait {
	int64_t start_ns, length_ns; /* within the request */
	uint32_t served;    /* the kind of requests it was done for; REF_NONE: that which is looked at */
	enum time_class time_class;
	string_id region, function;
	uint64_t line;
	stack_id stack;
	actor_ref actor;
	enum slow_end end;
	uint32_t segment, state;
	bool is_counted;    /* as lost, in what was told before */
};

struct slow {
	const struct trace *trace;
	const struct request_scope *scope;
	struct slow_list *list;
	struct task_index index;
	struct request_kinds kinds;
	size_t looked_at;         /* of the requests of the kind that is judged, evenly */
	struct map counted;       /* states whose time was told as lost */
	uint64_t states_left;
	uint64_t most_waits;      /* held at once: only where requests have the same states there are more */
	struct error *err;
};

/* ---- what they did */

static bool
build_life(struct slow *slow, const struct request *request, struct task_life *life)
{
	struct task_watch watch = { .states_left = slow->states_left };
	struct task_work work = { request->actor, request->start_ns, request->end_ns };
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

/* How many requests of a kind are looked at: few enough if all states of the trace were theirs. */
static size_t
count_looked_at(const struct slow *slow, const struct request_kind *kind)
{
	uint64_t each = trace_state_count(slow->trace) / kind->count + 1;
	uint64_t most = MOST_KIND_STATES / each;
	most = most > SLOW_MOST_REQUESTS ? SLOW_MOST_REQUESTS : most;
	most = most < REQUEST_KIND_LEAST ? REQUEST_KIND_LEAST : most;
	return kind->count < most ? kind->count : (size_t)most;
}

/* The n-th of `count` of a kind that are looked at, evenly. */
static const struct request *
request_at(const struct request_kind *kind, size_t n, size_t count)
{
	return &kind->requests[(size_t)((uint64_t)n * kind->count / count)];
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
bands_of(size_t count)
{
	size_t tenth = (count + 9) / 10;
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
	for (size_t n = 0; n < slow->looked_at; n++) {
		const struct request *request = request_at(kind, n, slow->looked_at);
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
		!lane_after(slow->trace, (struct lane){ LANE_ACTOR, wait->actor }, wait, &next))
		return SLOW_END_UNKNOWN;
	switch (next.waker.type) {
	case WAKER_NETWORK:
	case WAKER_NETWORK_OR_DEADLINE:
		return SLOW_END_NETWORK;
	case WAKER_TIMER:
		return SLOW_END_TIMER;
	case WAKER_ACTOR:
		if (task_life_has_work(life, next.waker.ref, wait->start_ns, wait->end_ns))
			return SLOW_END_OWN;
		return request_kinds_served_at(&slow->kinds, next.waker.ref, next.start_ns) == REF_NONE
			       ? SLOW_END_ACTOR
			       : SLOW_END_REQUEST;
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
		region_at(trace, wait->actor, wait->start_ns + wait->length_ns / 2);
	const struct stack_frame *frame = NULL;
	if (wait->time_class != CLASS_READY) {
		frame = own_code_frame(trace, stack, wait->actor);
		wait->stack = stack;
	}
	wait->region = region == REF_NONE ? STRING_EMPTY : trace_range(trace, region)->name;
	wait->function = frame == NULL ? STRING_EMPTY : frame->function;
	wait->line = frame == NULL ? 0 : frame->line;
}

static bool
push_wait(struct slow *slow, struct waits *waits, const struct wait *wait)
{
	if (waits->count >= slow->most_waits)
		return error_set(slow->err, ERROR_LIMIT, "the requests have too many waits");
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
	actor_ref actor = life->pieces[piece].actor;
	int64_t start_ns = life->pieces[piece].start_ns, end_ns = task_piece_end_ns(life, piece);
	struct wait wait = { .start_ns = start_ns,
		.length_ns = end_ns - start_ns,
		.served = REF_NONE,
		.time_class = (enum time_class)life->pieces[piece].time_class,
		.actor = actor,
		.segment = REF_NONE };
	struct span span;
	if (actor != REF_NONE &&
		lane_span_at(trace, (struct lane){ LANE_ACTOR, actor }, start_ns, &span)) {
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
		bool is_fine = build_life(slow, request_at(kind, n, slow->looked_at), &life);
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

/* Puts it among those with most time, in order, if it has more than one of them. */
static void
rank_place(struct slow_place best[SLOW_PLACES], struct slow_place place)
{
	for (int i = 0; i < SLOW_PLACES; i++) {
		struct slow_place other = best[i];
		if (place.part_ns <= other.part_ns)
			continue;
		best[i] = place;
		place = other;
	}
}

static bool
sort_waits(const struct slow *slow, struct waits *waits)
{
	const struct sort sort = { waits->items, waits->count, sizeof *waits->items, compare_waits };
	return sort_items(&sort, search_watch_cancel_flag(slow->scope->watch), slow->err);
}

/*
 * Of sorted waits leaves those of the place with most time, if that has half of all time; else tells how many
 * there are, and the `best` of them.
 */
static uint32_t
find_place(struct waits *waits, struct slow_place best[SLOW_PLACES])
{
	int64_t most_ns = -1, all_ns = 0;
	size_t most_first = 0, most_end = 0, first = 0;
	uint32_t places = 0;
	struct slow_place here = { 0 };
	for (size_t i = 0; i < waits->count; i++) {
		here.part_ns = saturating_add_i64(here.part_ns, waits->items[i].length_ns);
		if (i + 1 < waits->count && compare_places(&waits->items[i], &waits->items[i + 1]) == 0)
			continue;
		if (here.part_ns > most_ns) {
			most_ns = here.part_ns;
			most_first = first;
			most_end = i + 1;
		}
		here.stack = waits->items[first].stack;
		here.actor = waits->items[first].actor;
		here.waits = i + 1 - first;
		rank_place(best, here);
		all_ns = saturating_add_i64(all_ns, here.part_ns);
		places++;
		first = i + 1;
		here = (struct slow_place){ 0 };
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
			.actor = part->actor,
			.segment = REF_NONE };
		if (part->actor != REF_NONE) {
			cause.served = request_kinds_served_at(&slow->kinds, part->actor,
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
	struct slow_place best[SLOW_PLACES] = { 0 };
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct wait *wait = &waits->items[i * waits->count / count];
		struct critical_scope scope = { wait->actor, wait->start_ns,
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
	is_fine = is_fine && sort_waits(slow, &causes);
	if (is_fine && find_place(&causes, best) == 1) {
		const struct wait *longest = &causes.items[0];
		cause->request = longest->served == REF_NONE ? STRING_EMPTY
							     : slow->kinds.items[longest->served].name;
		cause->time_class = longest->time_class;
		cause->region = longest->region;
		cause->stack = longest->stack;
		cause->actor = longest->actor;
		for (size_t i = 0; i < causes.count; i++)
			cause->part_ns = saturating_add_i64(cause->part_ns, causes.items[i].length_ns);
	}
	memory_free(causes.items);
	return is_fine;
}

/* ---- what is told */

/* From the requests that are looked at to all of the kind. */
static int64_t
scaled(const struct slow *slow, const struct request_kind *kind, int64_t value)
{
	if (slow->looked_at == kind->count)
		return value;
	double whole = (double)value * (double)kind->count / (double)slow->looked_at;
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

/* The sums over what stands in the list. */
static bool
tell_waits(struct slow_requests *told, struct slow *slow, const struct waits *waits)
{
	struct bits seen = { 0 };
	if (!bits_init(&seen, trace_actor_count(slow->trace), slow->err))
		return false;
	for (size_t i = 0; i < waits->count; i++) {
		const struct wait *wait = &waits->items[i];
		told->part_ns = saturating_add_i64(told->part_ns, wait->length_ns);
		told->waits++;
		if (wait->actor != REF_NONE && !bits_has(&seen, wait->actor)) {
			bits_add(&seen, wait->actor);
			told->actors++;
		}
		if (!wait->is_counted)
			told->lost_ns = saturating_add_i64(told->lost_ns, wait->length_ns);
	}
	bits_release(&seen);
	if (told->places == 1 && waits->count > 0) {
		told->region = waits->items[0].region;
		told->stack = waits->items[0].stack;
		told->stack_actor = waits->items[0].actor;
	}
	tell_end(told, waits);
	bool has_cause = told->end == SLOW_END_REQUEST || told->end == SLOW_END_OWN ||
			 told->end == SLOW_END_ACTOR;
	return !has_cause || told->places != 1 || find_cause(slow, waits, &told->cause);
}

/* Nobody in the program could have given that back. */
static bool
is_outside(enum time_class time_class)
{
	return time_class == CLASS_NETWORK || time_class == CLASS_SLEEP ||
	       time_class == CLASS_SYSCALL;
}

/* The same, or they wait for actors that wait for the world outside, and not for other requests. */
static bool
is_for_outside(const struct slow_requests *told)
{
	const struct slow_cause *cause = &told->cause;
	return is_outside(told->time_class) ||
	       (told->end != SLOW_END_REQUEST && cause->part_ns > 0 &&
		       is_outside(cause->time_class));
}

/*
 * Many requests may wait for the world outside at once, at no cost. So such time counts at most as
 * if one actor was held up for that share of the interval.
 */
static int64_t
bound_by_interval(const struct slow *slow, const struct slow_requests *told)
{
	double share = told->whole_ns > 0 ? (double)told->part_ns / (double)told->whole_ns : 0;
	int64_t most_ns = (int64_t)(share * (double)(slow->scope->t1_ns - slow->scope->t0_ns));
	return told->lost_ns < most_ns ? told->lost_ns : most_ns;
}

/* Whether all of them wait long enough for it, or the slowest tenth takes far longer than the median. */
static bool
is_slow(const struct bands *bands, bool is_of_all, enum time_class time_class, bool goes_outside)
{
	int64_t least_ns = goes_outside ? SLOW_LEAST_OUTSIDE_NS : SLOW_LEAST_NS;
	int64_t middle_ns = mean_of(&bands->middle, (int)time_class);
	if (is_of_all)
		return middle_ns >= least_ns;
	int64_t times = goes_outside || time_class == CLASS_RUNNING ? SLOW_TIMES_VARYING
								    : SLOW_TIMES;
	return mean_of(&bands->slowest, (int)time_class) - middle_ns >= least_ns &&
	       mean_length(&bands->slowest) / times >= mean_length(&bands->middle);
}

/* All sums: from the requests that are looked at to all of the kind. */
static void
scale(struct slow_requests *told, const struct slow *slow, const struct request_kind *kind)
{
	told->whole_ns = scaled(slow, kind, told->whole_ns);
	told->part_ns = scaled(slow, kind, told->part_ns);
	told->end_ns = scaled(slow, kind, told->end_ns);
	told->lost_ns = scaled(slow, kind, told->lost_ns);
	told->waits = (uint64_t)scaled(slow, kind, (int64_t)told->waits);
	for (int i = 0; i < SLOW_PLACES; i++) {
		told->best[i].waits = (uint64_t)scaled(slow, kind, (int64_t)told->best[i].waits);
		told->best[i].part_ns = scaled(slow, kind, told->best[i].part_ns);
	}
}

static void
tell_kind(struct slow_requests *told, const struct request_kind *kind, const struct bands *bands)
{
	const struct request *slowest = &kind->requests[0];
	for (int i = 0; i < CLASS_COUNT; i++) {
		told->slow_ns[i] = mean_of(&bands->slowest, i);
		told->middle_ns[i] = mean_of(&bands->middle, i);
	}
	told->task = slowest->task;
	told->actor = slowest->actor;
	told->slowest_start_ns = slowest->start_ns;
	told->slowest_end_ns = slowest->end_ns;
	told->p50_ns = request_kind_quantile(kind, 50);
	told->p90_ns = request_kind_quantile(kind, 90);
	told->slowest_tenth_ns = mean_length(&bands->slowest);
}

/* Its waits are not lost once more. */
static bool
add_told(struct slow *slow, const struct slow_requests *told, const struct waits *waits)
{
	struct slow_list *list = slow->list;
	bool is_fine = array_reserve(
		&list->items, &list->capacity, list->count + 1, sizeof *list->items, slow->err);
	if (is_fine)
		list->items[list->count++] = *told;
	for (size_t i = 0; is_fine && i < waits->count; i++) {
		const struct wait *wait = &waits->items[i];
		if (wait->segment != REF_NONE)
			is_fine = map_put(&slow->counted,
				(uint64_t)wait->segment << 32 | wait->state, 1, slow->err);
	}
	return is_fine;
}

static bool
tell(struct slow *slow, const struct request_kind *kind, const struct bands *bands,
	bool is_of_all, enum time_class time_class)
{
	const struct band *band = is_of_all ? &bands->all : &bands->slowest;
	int64_t interval_ns = slow->scope->t1_ns - slow->scope->t0_ns;
	struct slow_requests told = { .name = kind->name,
		.is_task = kind->is_task,
		.count = (uint32_t)kind->count,
		.is_of_all = is_of_all,
		.whole_ns = band->whole_ns,
		.time_class = time_class };
	struct waits waits = { 0 };
	bool is_fine = gather_waits(slow, kind, band, time_class, &waits) && sort_waits(slow, &waits);
	told.places = is_fine ? find_place(&waits, told.best) : 0;
	is_fine = is_fine && tell_waits(&told, slow, &waits);
	if (!is_of_all) {
		int64_t usual_ns = mean_of(&bands->middle, (int)time_class) *
				   (int64_t)(band->end - band->first);
		told.lost_ns = told.lost_ns > usual_ns ? told.lost_ns - usual_ns : 0;
	}
	scale(&told, slow, kind);
	tell_kind(&told, kind, bands);
	bool goes_outside = is_for_outside(&told);
	if (goes_outside)
		told.lost_ns = bound_by_interval(slow, &told);
	if (is_slow(bands, is_of_all, time_class, goes_outside) && told.lost_ns > 0 &&
		told.lost_ns >= interval_ns / 100 * SLOW_LEAST_PERCENT)
		is_fine = is_fine && add_told(slow, &told, &waits);
	memory_free(waits.items);
	return is_fine;
}

/* What nearly all of them wait for most of their time; CLASS_GONE for nothing. */
static enum time_class
class_of_all(const struct bands *bands)
{
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		if (i != CLASS_UNKNOWN && i != CLASS_RUNNING &&
			is_slow(bands, true, (enum time_class)i, is_outside((enum time_class)i)) &&
			bands->mostly[i] * 100 >= bands->all.end * SLOW_ALIKE_PERCENT &&
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
	return is_slow(bands, false, found, is_outside(found)) ? found : CLASS_GONE;
}

static bool
judge(struct slow *slow, const struct request_kind *kind)
{
	slow->looked_at = count_looked_at(slow, kind);
	struct bands bands = bands_of(slow->looked_at);
	if (!add_up(slow, kind, &bands))
		return false;
	enum time_class of_all = class_of_all(&bands);
	enum time_class of_slowest = class_of_slowest(&bands);
	if (of_all != CLASS_GONE && !tell(slow, kind, &bands, true, of_all))
		return false;
	return of_slowest == CLASS_GONE || of_slowest == of_all ||
	       tell(slow, kind, &bands, false, of_slowest);
}

/* ---- who holds up others */

static bool
is_same_place(const struct slow *slow, const struct slow_requests *told, const struct slow_cause *cause)
{
	const struct stack_frame *a = own_code_frame(slow->trace, told->stack, told->stack_actor);
	const struct stack_frame *b = own_code_frame(slow->trace, cause->stack, cause->actor);
	return told->time_class == cause->time_class && a != NULL && b != NULL &&
	       a->function == b->function && a->line == b->line;
}

/*
 * What requests do outside costs those who queue meanwhile for what they hold. A queue tells that
 * as its cause, so it comes first, and the same time of those who hold comes right behind it.
 */
static void
put_holders_behind(struct slow *slow)
{
	struct slow_list *list = slow->list;
	for (size_t i = 0; i < list->count; i++) {
		struct slow_requests *told = &list->items[i];
		for (size_t n = 0; n < list->count && is_outside(told->time_class); n++) {
			const struct slow_requests *queue = &list->items[n];
			if (queue->end == SLOW_END_REQUEST && queue->cause.part_ns > 0 &&
				queue->lost_ns <= told->lost_ns &&
				is_same_place(slow, told, &queue->cause))
				told->lost_ns = queue->lost_ns - 1;
		}
	}
}

/* ---- the whole */

static void
release(struct slow *slow)
{
	request_kinds_release(&slow->kinds);
	map_release(&slow->counted);
	task_index_release(&slow->index);
}

static bool
judge_all(struct slow *slow)
{
	uint64_t units = 0;
	for (size_t i = 0; i < slow->kinds.count; i++)
		units += count_looked_at(slow, &slow->kinds.items[i]);
	search_watch_expect(slow->scope->watch, units * PASSES);
	for (size_t i = 0; i < slow->kinds.count; i++) {
		if (judge(slow, &slow->kinds.items[i]))
			continue;
		if (slow->err->kind != ERROR_LIMIT)
			return false;
		error_clear(slow->err);
		slow->list->is_cut = true;
		break;
	}
	return true;
}

bool
slow_requests_build(struct slow_list *list, const struct trace *trace,
	const struct request_scope *scope, struct error *err)
{
	struct slow_list built = { 0 };
	struct slow slow = { .trace = trace,
		.scope = scope,
		.list = &built,
		.states_left = MOST_STATES,
		.most_waits = trace_state_count(trace),
		.err = err };
	if (slow.most_waits < FEW_WAITS)
		slow.most_waits = FEW_WAITS;
	bool is_fine = request_kinds_build(&slow.kinds, trace, scope, err);
	if (is_fine && slow.kinds.count > 0)
		is_fine = task_index_build(&slow.index, trace,
				  scope->watch == NULL ? NULL : &scope->watch->is_cancelled, err) &&
			  judge_all(&slow);
	put_holders_behind(&slow);
	built.kind_count = slow.kinds.count;
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
