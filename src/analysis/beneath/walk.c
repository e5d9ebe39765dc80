/* What the tasks of the lower trace did, thread by thread of the upper one. */
#include "analysis/beneath/beneath.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "trace/lane.h"
#include "trace/words.h"

#define NONE UINT32_MAX
#define ANY (UINT32_MAX - 1) /* processor */
enum { SEEN_MOST = 16 }; /* in a row, until nothing is known any more */

bool
beneath_is_above(const struct trace *trace)
{
	return trace->words->thread.one != NULL && trace_thread_count(trace) > 0 && !trace->words->is_scheduled;
}

bool
beneath_is_below(const struct trace *trace)
{
	return beneath_has_states(trace) || beneath_has_samples(trace);
}

bool
beneath_has_states(const struct trace *below)
{
	return below->words->is_scheduled;
}

static int
compare_tasks(const void *left, const void *right)
{
	const struct beneath_task *a = left, *b = right;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	return a->actor < b->actor ? -1 : a->actor > b->actor;
}

static int
compare_losses(const void *left, const void *right)
{
	const struct beneath_loss *a = left, *b = right;
	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

/* A task begins with its first state. */
static void
take_task(struct beneath *beneath, actor_ref ref)
{
	const struct actor *actor = trace_actor(beneath->below, ref);
	struct beneath_task task = { .id = actor->id, .end_ns = actor->end_ns, .actor = ref };
	struct item item;
	if (!series_open(beneath->below, (struct lane){ LANE_ACTOR, ref }, &task.series))
		return;
	series_enter(&task.series, 0, &item);
	const struct state_kind *kind = item_kind(&task.series, &item);
	task.first_ns = item_start_ns(&item);
	task.is_made = actor->creator != REF_NONE ||
		       (kind->entry == ENTRY_CREATED && kind->state != STATE_UNKNOWN);
	beneath->tasks[beneath->task_count++] = task;
}

static bool
find_tasks(struct beneath *beneath, struct error *err)
{
	uint32_t actors = trace_actor_count(beneath->below), threads = trace_thread_count(beneath->above);
	beneath->tasks = array_new(actors, sizeof *beneath->tasks, err);
	beneath->threads = array_new(threads, sizeof *beneath->threads, err);
	beneath->thread_of = array_new_unset(actors, sizeof *beneath->thread_of, err);
	if (beneath->tasks == NULL || beneath->threads == NULL || beneath->thread_of == NULL)
		return false;
	for (actor_ref ref = 0; ref < actors; ref++)
		beneath->thread_of[ref] = REF_NONE;
	for (actor_ref ref = 0; ref < actors; ref++)
		take_task(beneath, ref);
	const struct sort sort = { beneath->tasks, beneath->task_count, sizeof *beneath->tasks, compare_tasks };
	if (!sort_items(&sort, NULL, err))
		return false;
	for (resource_ref ref = 0; ref < threads; ref++) {
		int64_t id = trace_thread(beneath->above, ref)->id;
		size_t low = 0, high = beneath->task_count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (beneath->tasks[middle].id < id)
				low = middle + 1;
			else
				high = middle;
		}
		for (; high < beneath->task_count && beneath->tasks[high].id == id; high++)
			beneath->thread_of[beneath->tasks[high].actor] = ref;
		beneath->threads[ref].first = (uint32_t)low;
		beneath->threads[ref].count = (uint32_t)(high - low);
	}
	return true;
}

static bool
find_losses(struct beneath *beneath, struct error *err)
{
	const struct trace *below = beneath->below;
	for (uint32_t i = 0; i < below->instants.count; i++) {
		const struct instant *instant = trace_instant(below, i);
		if (instant->type != INSTANT_LOG || !trace_text_is(below, instant->category, "lost"))
			continue;
		if (!array_reserve(&beneath->losses, &beneath->loss_capacity, beneath->loss_count + 2,
			    sizeof *beneath->losses, err))
			return false;
		struct lane lane = { LANE_PROCESSOR, instant->processor };
		struct span next = { .start_ns = below->end_ns };
		if (instant->processor != REF_NONE)
			(void)lane_next(below, lane, saturating_add_i64(instant->time_ns, 1), CLASS_MASK_ALL, &next);
		beneath->losses[beneath->loss_count++] =
			(struct beneath_loss){ instant->processor, instant->time_ns, instant->time_ns };
		beneath->losses[beneath->loss_count++] =
			(struct beneath_loss){ ANY, next.start_ns, instant->time_ns };
	}
	const struct sort sort = { beneath->losses, beneath->loss_count, sizeof *beneath->losses, compare_losses };
	return sort_items(&sort, NULL, err);
}

bool
beneath_init(struct beneath *beneath, const struct trace *above, const struct trace *below, struct error *err)
{
	*beneath = (struct beneath){ .above = above, .below = below };
	beneath_shift(beneath, 0);
	return find_tasks(beneath, err) && find_losses(beneath, err);
}

void
beneath_release(struct beneath *beneath)
{
	memory_free(beneath->tasks);
	memory_free(beneath->threads);
	memory_free(beneath->thread_of);
	memory_free(beneath->losses);
	*beneath = (struct beneath){ .above = NULL };
}

void
beneath_shift(struct beneath *beneath, int64_t shift_ns)
{
	beneath->clocks = BENEATH_GIVEN;
	beneath->shift_ns = shift_ns;
	beneath->delta_ns = saturating_sub_i64(
		saturating_add_i64(beneath->below->origin_ns, shift_ns), beneath->above->origin_ns);
}

/* ---- walking */

void
beneath_begin(struct beneath_walk *walk, const struct beneath *beneath, resource_ref thread, int64_t t0_ns,
	int64_t t1_ns)
{
	*walk = (struct beneath_walk){
		.beneath = beneath, .task = NONE, .processor = REF_NONE, .at_ns = t0_ns, .until_ns = t1_ns
	};
	if (thread == REF_NONE)
		return;
	walk->first = beneath->threads[thread].first;
	walk->count = beneath->threads[thread].count;
}

void
beneath_again(struct beneath_walk *walk, int64_t t0_ns, int64_t t1_ns)
{
	walk->at_ns = t0_ns;
	walk->until_ns = t1_ns;
	walk->is_placed = false;
}

struct beneath_walk *
beneath_walk_of(struct beneath_walk *walks, const struct beneath *beneath, resource_ref thread, int64_t t0_ns,
	int64_t t1_ns)
{
	struct beneath_walk *walk = &walks[thread == REF_NONE ? trace_thread_count(beneath->above) : thread];
	if (walk->beneath == NULL)
		beneath_begin(walk, beneath, thread, t0_ns, t1_ns);
	else
		beneath_again(walk, t0_ns, t1_ns);
	return walk;
}

/* The last task that began by then; NONE: the first one begins at *next_ns. */
static uint32_t
task_at(const struct beneath_walk *walk, int64_t t_ns, int64_t *next_ns)
{
	const struct beneath_task *tasks = walk->beneath->tasks;
	uint32_t low = walk->first, end = walk->first + walk->count, high = end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (tasks[middle].first_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*next_ns = low < end ? tasks[low].first_ns : TIME_OPEN;
	return low > walk->first ? low - 1 : NONE;
}

actor_ref
beneath_task_at(const struct beneath *beneath, resource_ref thread, int64_t t_ns)
{
	struct beneath_walk walk;
	int64_t next_ns;
	beneath_begin(&walk, beneath, thread, t_ns, t_ns);
	uint32_t task = task_at(&walk, saturating_sub_i64(t_ns, beneath->delta_ns), &next_ns);
	return task == NONE ? REF_NONE : beneath->tasks[task].actor;
}

resource_ref
beneath_thread_of(const struct beneath *beneath, actor_ref task)
{
	return beneath->thread_of[task];
}

/* Before it was on a processor that is looked for only where losses ask for it. */
static resource_ref
processor_before(const struct beneath_walk *walk, const struct beneath_task *task, int64_t t_ns)
{
	struct span span;
	return walk->beneath->loss_count > 0 && lane_previous(walk->beneath->below,
			(struct lane){ LANE_ACTOR, task->actor }, t_ns, CLASS_BIT(CLASS_RUNNING), &span)
		       ? span.processor
		       : REF_NONE;
}

/* When the first loss on the processor began that is told of from t on, TIME_OPEN without one. */
static int64_t
loss_from(const struct beneath *beneath, resource_ref processor, int64_t t_ns)
{
	size_t low = 0, high = beneath->loss_count;
	const struct beneath_loss wanted = { .processor = processor, .time_ns = t_ns };
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_losses(&beneath->losses[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < beneath->loss_count && beneath->losses[low].processor == processor
		       ? beneath->losses[low].from_ns
		       : TIME_OPEN;
}

static enum beneath_state
state_of(const struct state_kind *kind)
{
	static const uint8_t states[STATE_COUNT] = {
		[STATE_GONE] = BENEATH_UNKNOWN, [STATE_UNKNOWN] = BENEATH_UNKNOWN,
		[STATE_RUNNING] = BENEATH_ON, [STATE_SYSCALL] = BENEATH_ON,
		[STATE_READY] = BENEATH_READY, [STATE_BLOCKED] = BENEATH_ASLEEP,
	};
	/* That it was woken says that it had slept, though nothing else does. */
	return entry_is_wake(kind->entry) ? BENEATH_READY : (enum beneath_state)states[kind->state];
}

/*
 * That a task runs is often told by what else it does. But only the scheduler says since when, so that until its
 * next word the last one holds: *item becomes its.
 */
static const struct state_kind *
told_kind(const struct series *series, struct item *item)
{
	const struct state_kind *kind = item_kind(series, item);
	for (int i = 0; i < SEEN_MOST && kind->entry == ENTRY_SEEN && item_ordinal(item) > 0; i++) {
		series_item(series, item_ordinal(item) - 1, item);
		kind = item_kind(series, item);
	}
	return kind;
}

/* Goes to what holds at t by some steps, which is less than to look for it; false where it is farther, or before. */
static bool
go_near(const struct beneath_task *task, int64_t t_ns, struct item *item)
{
	enum { STEPS_MOST = 32 };
	bool is_open;
	if (item_start_ns(item) > t_ns)
		return false;
	for (int i = 0; i < STEPS_MOST; i++)
		if (item_end_ns(&task->series, item, &is_open) > t_ns || !series_step(&task->series, item))
			return true;
	return false;
}

/* Fills the piece from t on of the lower trace, in its time. */
static void
look(struct beneath_walk *walk, uint32_t index, int64_t t_ns, struct beneath_piece *piece)
{
	const struct beneath_task *task = &walk->beneath->tasks[index];
	bool is_open, is_there = true;
	if (walk->task != index || !walk->is_placed) {
		bool is_near = walk->task == index && go_near(task, t_ns, &walk->item);
		is_there = is_near || series_find(&task->series, t_ns, &walk->item);
		walk->task = is_there ? index : NONE;
		walk->is_placed = is_there;
		walk->processor = processor_before(walk, task, t_ns);
	}
	int64_t end_ns = is_there ? item_end_ns(&task->series, &walk->item, &is_open) : 0;
	while (is_there && end_ns <= t_ns && series_step(&task->series, &walk->item))
		end_ns = item_end_ns(&task->series, &walk->item, &is_open);
	if (!is_there || end_ns <= t_ns || item_kind(&task->series, &walk->item)->state == STATE_GONE) {
		piece->is_gone = task->end_ns != TIME_OPEN;
		return;
	}
	struct item told = walk->item;
	const struct state_kind *kind = told_kind(&task->series, &told);
	piece->is_seen = item_kind(&task->series, &walk->item)->entry == ENTRY_SEEN;
	piece->state = kind->entry == ENTRY_SEEN ? BENEATH_UNKNOWN : state_of(kind);
	piece->until_ns = end_ns;
	if (piece->state == BENEATH_ON)
		walk->processor = item_processor(&task->series, &told);
	struct item next = walk->item;
	bool turns_up = series_step(&task->series, &next) && item_kind(&task->series, &next)->entry == ENTRY_SEEN;
	piece->is_doubtful = turns_up || loss_from(walk->beneath, ANY, item_start_ns(&told)) <= t_ns;
	int64_t lost_ns = loss_from(walk->beneath, walk->processor, item_start_ns(&told));
	if (lost_ns <= t_ns)
		piece->state = BENEATH_UNKNOWN;
	else if (lost_ns < end_ns)
		piece->until_ns = lost_ns;
}

bool
beneath_next(struct beneath_walk *walk, struct beneath_piece *piece)
{
	const struct beneath *beneath = walk->beneath;
	int64_t t_ns = saturating_sub_i64(walk->at_ns, beneath->delta_ns), next_ns;
	if (walk->at_ns >= walk->until_ns)
		return false;
	uint32_t task = task_at(walk, t_ns, &next_ns);
	*piece = (struct beneath_piece){ .until_ns = TIME_OPEN, .state = BENEATH_UNKNOWN };
	if (task != NONE)
		look(walk, task, t_ns, piece);
	else
		piece->is_gone = walk->count > 0 && beneath->tasks[walk->first].is_made;
	if (piece->until_ns > next_ns)
		piece->until_ns = next_ns;
	piece->from_ns = walk->at_ns;
	int64_t until_ns = piece->until_ns == TIME_OPEN
				   ? TIME_OPEN
				   : saturating_add_i64(piece->until_ns, beneath->delta_ns);
	piece->until_ns = until_ns < walk->until_ns && until_ns > walk->at_ns ? until_ns : walk->until_ns;
	walk->at_ns = piece->until_ns;
	return true;
}

/* ---- what to walk over */

void
beneath_spans_begin(struct beneath_spans *spans, const struct beneath *beneath, actor_ref actor, int64_t t0_ns,
	int64_t t1_ns)
{
	*spans = (struct beneath_spans){ .t0_ns = t0_ns, .t1_ns = t1_ns };
	spans->is_there = series_open(beneath->above, (struct lane){ LANE_ACTOR, actor }, &spans->series);
	if (spans->is_there && !series_find(&spans->series, t0_ns, &spans->item))
		series_item(&spans->series, 0, &spans->item);
}

bool
beneath_spans_next(struct beneath_spans *spans, struct span *within)
{
	while (spans->is_there && item_start_ns(&spans->item) < spans->t1_ns) {
		enum state state = item_kind(&spans->series, &spans->item)->state;
		bool is_wanted = state == STATE_RUNNING || state == STATE_SYSCALL;
		if (is_wanted)
			item_span(&spans->series, &spans->item, within);
		spans->is_there = series_step(&spans->series, &spans->item);
		if (!is_wanted)
			continue;
		span_clip(within, spans->t0_ns, spans->t1_ns);
		if (within->start_ns < within->end_ns)
			return true;
	}
	return false;
}
