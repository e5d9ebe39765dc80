/*
 * Sweeps over the states of all actors that work for a task, by their start; a heap has those
 * that hold, the worst on top.
 */
#include "analysis/task_life.h"

#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "query/search.h"
#include "trace/series.h"
#include "trace/task_times.h"

/* What goes on lies on this, the highest is to be seen. */
enum { RANK_UNKNOWN = 2, RANK_OWN_WAIT = 1 };

static const uint8_t ranks[CLASS_COUNT] = {
	[CLASS_GONE] = 0,
	[CLASS_UNKNOWN] = RANK_UNKNOWN,
	[CLASS_RUNNING] = 3,
	[CLASS_WORKER] = 4,
	[CLASS_SYSCALL] = 5,
	[CLASS_READY] = 6,
	[CLASS_IDLE] = 7,
	[CLASS_SLEEP] = 8,
	[CLASS_NETWORK] = 9,
	[CLASS_RUNTIME] = 10,
	[CLASS_OTHER] = 11,
	[CLASS_SELECT] = 12,
	[CLASS_CHANNEL] = 13,
	[CLASS_SYNC] = 14,
	[CLASS_FOREVER] = 15,
};

/* A state, or a part of one, of an actor that works for the task. */
struct layer {
	int64_t start_ns, end_ns;
	struct task_piece piece;
	uint8_t rank;
};

struct sweep {
	struct task_life *life;
	const struct trace *trace;
	const struct ref_index *assists;
	struct layer *layers; /* by start, once all are there */
	size_t layer_count, layer_capacity;
	size_t *heap; /* indices of layers */
	size_t heap_count;
	struct task_watch *watch;
	struct error *err;
};

/* ---- layers */

static bool
add_layer(struct sweep *sweep, const struct layer *layer)
{
	if (layer->end_ns <= layer->start_ns)
		return true;
	if (!array_reserve(&sweep->layers, &sweep->layer_capacity, sweep->layer_count + 1,
		    sizeof *sweep->layers, sweep->err))
		return false;
	sweep->layers[sweep->layer_count++] = *layer;
	return true;
}

/* The first mark assist of an actor that ends after t, as an index into the list. */
static uint32_t
first_assist(const struct sweep *sweep, actor_ref actor, int64_t t_ns)
{
	const struct ref_index *assists = sweep->assists;
	uint32_t low = assists->first[actor], high = assists->first[actor + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (trace_range(sweep->trace, assists->refs[middle])->end_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Running, cut where the actor helps the collector. */
static bool
add_running(struct sweep *sweep, const struct layer *layer)
{
	actor_ref actor = layer->piece.actor;
	uint32_t end = sweep->assists->first[actor + 1];
	struct layer rest = *layer;
	for (uint32_t i = first_assist(sweep, actor, layer->start_ns); i < end; i++) {
		const struct range *assist = trace_range(sweep->trace, sweep->assists->refs[i]);
		struct layer before = rest, within = rest;
		if (assist->start_ns >= layer->end_ns)
			break;
		before.end_ns = assist->start_ns;
		if (assist->start_ns > within.start_ns)
			within.start_ns = assist->start_ns;
		if (assist->end_ns < within.end_ns)
			within.end_ns = assist->end_ns;
		within.piece.time_class = CLASS_WORKER;
		within.rank = ranks[CLASS_WORKER];
		if (!add_layer(sweep, &before) || !add_layer(sweep, &within))
			return false;
		rest.start_ns = within.end_ns;
	}
	return add_layer(sweep, &rest);
}

/* Whether what ended a wait worked for the task meanwhile; `next` is the state after it. */
static bool
is_own_wait(const struct sweep *sweep, const struct span *wait, const struct span *next)
{
	return wait->kind->state == STATE_BLOCKED && next->waker.type == WAKER_ACTOR &&
	       task_life_has_work(sweep->life, next->waker.ref, wait->start_ns, wait->end_ns);
}

static bool
add_state(struct sweep *sweep, const struct task_work *work, const struct span *span,
	bool is_own_wait)
{
	struct span part = *span;
	span_clip(&part, work->start_ns, work->end_ns);
	struct layer layer = {
		.start_ns = part.start_ns,
		.end_ns = part.end_ns,
		.piece = { .actor = work->actor,
			.kind = span->kind,
			.time_class = (uint8_t)span->time_class,
			.is_own_wait = is_own_wait },
		.rank = is_own_wait ? RANK_OWN_WAIT : ranks[span->time_class],
	};
	if (span->time_class == CLASS_RUNNING)
		return add_running(sweep, &layer);
	return add_layer(sweep, &layer);
}

static bool
is_meant(const struct sweep *sweep, const struct span *span)
{
	const struct search *only = sweep->watch->only;
	return only == NULL || search_matches(only, span->segment, span->state);
}

/* The states within one work, in the order of time; each is told once the one after it is known. */
static bool
add_states(struct sweep *sweep, const struct task_work *work)
{
	struct series series;
	struct item item;
	struct span span, next;
	if (!series_open(sweep->trace, (struct lane){ LANE_ACTOR, work->actor }, &series))
		return true;
	if (!series_find(&series, work->start_ns, &item))
		series_item(&series, 0, &item);
	item_span(&series, &item, &span);
	while (span.start_ns < work->end_ns) {
		bool is_last = !series_step(&series, &item);
		if (!is_last)
			item_span(&series, &item, &next);
		if (!task_watch_goes_on(sweep->watch, sweep->err))
			return false;
		bool is_own = !is_last && is_own_wait(sweep, &span, &next);
		if (is_meant(sweep, &span) && !add_state(sweep, work, &span, is_own))
			return false;
		if (is_last)
			break;
		span = next;
	}
	return true;
}

/* ---- the layers in the order of their start */

/* First those that began first; of those that began together any, but always the same. */
static bool
is_before(const struct layer *a, const struct layer *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	return a->piece.actor <= b->piece.actor;
}

/* Two runs of layers, [first, middle) and [middle, end), into one. */
static void
merge_runs(struct layer *to, const struct layer *from, size_t first, size_t middle, size_t end)
{
	size_t left = first, right = middle;
	for (size_t at = first; at < end; at++) {
		bool is_left =
			left < middle && (right == end || is_before(&from[left], &from[right]));
		to[at] = from[is_left ? left++ : right++];
	}
}

/*
 * Merges the runs, which begin at `starts` and of which there is one for each work, by twos
 * until there is one.
 */
static bool
merge_layers(struct sweep *sweep, size_t *starts, size_t count)
{
	struct layer *other = array_new_unset(sweep->layer_count, sizeof *other, sweep->err);
	if (other == NULL)
		return false;
	while (count > 1) {
		struct layer *from = sweep->layers;
		size_t kept = 0;
		for (size_t i = 0; i < count; i += 2) {
			size_t middle = i + 1 < count ? starts[i + 1] : sweep->layer_count;
			size_t end = i + 2 < count ? starts[i + 2] : sweep->layer_count;
			merge_runs(other, from, starts[i], middle, end);
			starts[kept++] = starts[i];
		}
		count = kept;
		sweep->layers = other;
		other = from;
	}
	memory_free(other);
	return true;
}

static bool
add_layers(struct sweep *sweep)
{
	const struct task_life *life = sweep->life;
	size_t *starts = array_new_unset(life->work_count, sizeof *starts, sweep->err);
	bool is_fine = starts != NULL;
	for (size_t i = 0; is_fine && i < life->work_count; i++) {
		starts[i] = sweep->layer_count;
		is_fine = add_states(sweep, &life->works[i]);
	}
	is_fine = is_fine && merge_layers(sweep, starts, life->work_count);
	memory_free(starts);
	return is_fine;
}

/* ---- the heap */

/* Of equals that one which has lasted longest. */
static bool
is_worse(const struct sweep *sweep, size_t left, size_t right)
{
	uint8_t a = sweep->layers[left].rank, b = sweep->layers[right].rank;
	return a != b ? a > b : left < right;
}

static void
swap(struct sweep *sweep, size_t a, size_t b)
{
	size_t kept = sweep->heap[a];
	sweep->heap[a] = sweep->heap[b];
	sweep->heap[b] = kept;
}

static void
push(struct sweep *sweep, size_t layer)
{
	size_t at = sweep->heap_count++;
	sweep->heap[at] = layer;
	while (at > 0 && is_worse(sweep, sweep->heap[at], sweep->heap[(at - 1) / 2])) {
		swap(sweep, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static void
pop(struct sweep *sweep)
{
	size_t at = 0;
	sweep->heap[0] = sweep->heap[--sweep->heap_count];
	for (;;) {
		size_t worst = at;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < sweep->heap_count &&
				is_worse(sweep, sweep->heap[child], sweep->heap[worst]))
				worst = child;
		if (worst == at)
			return;
		swap(sweep, at, worst);
		at = worst;
	}
}

/* ---- pieces */

static bool
is_same(const struct task_piece *a, const struct task_piece *b)
{
	return a->actor == b->actor && a->kind == b->kind &&
	       a->time_class == b->time_class && a->is_own_wait == b->is_own_wait;
}

static bool
add_piece(struct sweep *sweep, struct task_piece piece, int64_t start_ns)
{
	struct task_life *life = sweep->life;
	piece.start_ns = start_ns;
	if (life->piece_count > 0 && is_same(&life->pieces[life->piece_count - 1], &piece))
		return true;
	if (!array_reserve(&life->pieces, &life->piece_capacity, life->piece_count + 1,
		    sizeof *life->pieces, sweep->err))
		return false;
	life->pieces[life->piece_count++] = piece;
	return true;
}

/* The worst from t on; *until_ns becomes the end of that, or where another may be worse. */
static struct task_piece
worst_at(struct sweep *sweep, size_t *next, int64_t t_ns, int64_t *until_ns)
{
	*until_ns = sweep->life->end_ns;
	while (*next < sweep->layer_count && sweep->layers[*next].start_ns <= t_ns)
		push(sweep, (*next)++);
	while (sweep->heap_count > 0 && sweep->layers[sweep->heap[0]].end_ns <= t_ns)
		pop(sweep);
	if (*next < sweep->layer_count && sweep->layers[*next].start_ns < *until_ns)
		*until_ns = sweep->layers[*next].start_ns;
	if (sweep->heap_count == 0)
		return (struct task_piece){ .actor = REF_NONE, .time_class = CLASS_IDLE };
	const struct layer *worst = &sweep->layers[sweep->heap[0]];
	if (worst->end_ns < *until_ns)
		*until_ns = worst->end_ns;
	return worst->piece;
}

static bool
add_pieces(struct sweep *sweep)
{
	size_t next = 0;
	int64_t t_ns = sweep->life->start_ns, until_ns;
	sweep->heap = array_new(sweep->layer_count, sizeof *sweep->heap, sweep->err);
	if (sweep->heap == NULL)
		return false;
	for (; t_ns < sweep->life->end_ns; t_ns = until_ns) {
		struct task_piece piece = worst_at(sweep, &next, t_ns, &until_ns);
		if (!add_piece(sweep, piece, t_ns))
			return false;
	}
	return true;
}

/* ---- sums */

static bool
add_sums(struct task_life *life, struct error *err)
{
	int64_t sums_ns[CLASS_COUNT] = { 0 };
	size_t blocks = (life->piece_count + TASK_BLOCK - 1) / TASK_BLOCK;
	if (!array_reserve(
		    &life->before_ns, &life->block_capacity, blocks, sizeof *life->before_ns, err))
		return false;
	for (size_t i = 0; i < life->piece_count; i++) {
		if (i % TASK_BLOCK == 0)
			memcpy(life->before_ns[i / TASK_BLOCK], sums_ns, sizeof sums_ns);
		sums_ns[life->pieces[i].time_class] +=
			task_piece_end_ns(life, i) - life->pieces[i].start_ns;
	}
	return true;
}

void
task_life_mark(const struct task_life *life, int64_t t_ns, struct task_mark *mark)
{
	size_t at = task_life_at(life, t_ns);
	memset(mark->before_ns, 0, sizeof mark->before_ns);
	mark->piece = at;
	if (t_ns <= life->start_ns || life->piece_count == 0)
		return;
	if (at == SIZE_MAX) {
		at = life->piece_count - 1;
		t_ns = life->end_ns;
	}
	memcpy(mark->before_ns, life->before_ns[at / TASK_BLOCK], sizeof mark->before_ns);
	for (size_t i = at / TASK_BLOCK * TASK_BLOCK; i < at; i++)
		mark->before_ns[life->pieces[i].time_class] +=
			life->pieces[i + 1].start_ns - life->pieces[i].start_ns;
	mark->before_ns[life->pieces[at].time_class] += t_ns - life->pieces[at].start_ns;
}

void
task_life_totals(
	const struct task_life *life, int64_t t0_ns, int64_t t1_ns, int64_t totals_ns[CLASS_COUNT])
{
	struct task_mark from, until;
	task_life_mark(life, t0_ns, &from);
	task_life_mark(life, t1_ns > t0_ns ? t1_ns : t0_ns, &until);
	for (int i = 0; i < CLASS_COUNT; i++)
		totals_ns[i] = until.before_ns[i] - from.before_ns[i];
}

/* ---- the whole */

size_t
task_life_at(const struct task_life *life, int64_t t_ns)
{
	if (t_ns < life->start_ns || t_ns >= life->end_ns)
		return SIZE_MAX;
	return sorted_until_field(life->pieces, life->piece_count, sizeof *life->pieces,
		       offsetof(struct task_piece, start_ns), t_ns) - 1;
}

int64_t
task_piece_end_ns(const struct task_life *life, size_t piece)
{
	return piece + 1 < life->piece_count ? life->pieces[piece + 1].start_ns : life->end_ns;
}

static struct task_life
life_of(const struct trace *trace, task_ref task)
{
	return (struct task_life){
		.task = task,
		.start_ns = task_start_ns(trace, task),
		.end_ns = task_end_ns(trace, task),
	};
}

bool
task_life_find_works(struct task_life *life, const struct trace *trace,
	const struct task_index *index, task_ref task, struct error *err)
{
	struct task_life built = life_of(trace, task);
	struct task_watch watch = { .states_left = UINT64_MAX };
	if (!task_work_find(&built, trace, index, &watch, err)) {
		task_life_release(&built);
		return false;
	}
	*life = built;
	return true;
}

/* Of a life without pieces, which becomes *life or is released. */
static bool
complete(struct task_life *life, struct task_life *built, struct sweep *sweep)
{
	sweep->life = built;
	bool is_fine = add_layers(sweep) && add_pieces(sweep) && add_sums(built, sweep->err);
	memory_free(sweep->layers);
	memory_free(sweep->heap);
	if (is_fine)
		*life = *built;
	else
		task_life_release(built);
	return is_fine;
}

bool
task_life_build_watched(struct task_life *life, const struct trace *trace,
	const struct task_index *index, task_ref task, struct task_watch *watch, struct error *err)
{
	struct task_life built = life_of(trace, task);
	struct sweep sweep = { .trace = trace, .assists = &index->assists, .watch = watch, .err = err };
	if (task_work_find(&built, trace, index, watch, err))
		return complete(life, &built, &sweep);
	task_life_release(&built);
	return false;
}

bool
task_life_build_of(struct task_life *life, const struct trace *trace,
	const struct task_index *index, const struct task_work *work, struct task_watch *watch,
	struct error *err)
{
	struct task_life built = {
		.task = REF_NONE,
		.start_ns = work->start_ns,
		.end_ns = work->end_ns,
		.actor_count = 1,
	};
	struct sweep sweep = { .trace = trace, .assists = &index->assists, .watch = watch, .err = err };
	if (!array_reserve(&built.works, &built.work_capacity, 1, sizeof *built.works, err))
		return false;
	built.works[built.work_count++] = *work;
	return complete(life, &built, &sweep);
}

bool
task_life_build(struct task_life *life, const struct trace *trace, const struct task_index *index,
	task_ref task, struct error *err)
{
	struct task_watch watch = { .states_left = UINT64_MAX };
	return task_life_build_watched(life, trace, index, task, &watch, err);
}

void
task_life_release(struct task_life *life)
{
	memory_free(life->family);
	memory_free(life->works);
	memory_free(life->pieces);
	memory_free(life->before_ns);
	*life = (struct task_life){ 0 };
}
