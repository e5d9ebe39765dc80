/* The builder: goroutines, procs, threads and the states they go through. */
#include "trace/builder.h"

#include <assert.h>
#include <string.h>

#include "trace/builder_internal.h"

static const struct state_kind not_there = { .state = STATE_GONE };
static const char gc_worker_function[] = "runtime.gcBgMarkWorker";

static bool
allocate_states(struct builder *builder, struct error *err)
{
	struct {
		void **column;
		size_t item_size;
	} columns[] = {
		{ (void **)&builder->start, sizeof(*builder->start) },
		{ (void **)&builder->place, sizeof(*builder->place) },
		{ (void **)&builder->origin, sizeof(*builder->origin) },
		{ (void **)&builder->goroutine, sizeof(*builder->goroutine) },
		{ (void **)&builder->kind, sizeof(*builder->kind) },
		{ (void **)&builder->moved, sizeof(*builder->moved) },
		{ (void **)&builder->touched, sizeof(*builder->touched) },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
		*columns[i].column = memory_realloc(NULL, columns[i].item_size * SEGMENT_STATES);
		if (*columns[i].column == NULL)
			return error_set_memory(err, "building the trace");
	}
	return true;
}

struct builder *
builder_new(struct trace *trace, struct error *err)
{
	struct builder *builder = memory_realloc(NULL, sizeof(*builder));

	if (builder == NULL) {
		error_set_memory(err, "building the trace");
		return NULL;
	}
	*builder = (struct builder){
		.trace = trace,
		.goroutines.item_size = sizeof(struct goroutine_build),
		.procs.build.item_size = sizeof(struct resource_build),
		.threads.build.item_size = sizeof(struct resource_build),
	};
	if (!allocate_states(builder, err)) {
		builder_free(builder);
		return NULL;
	}
	return builder;
}

void
builder_release_work(struct builder *builder)
{
	stable_release(&builder->goroutines);
	resource_builder_release(&builder->procs);
	resource_builder_release(&builder->threads);
	map_release(&builder->proc_of);
	map_release(&builder->thread_of);
	map_release(&builder->task_of);
	map_release(&builder->kind_of);
	array_release(&builder->start);
	array_release(&builder->place);
	array_release(&builder->origin);
	array_release(&builder->goroutine);
	array_release(&builder->kind);
	array_release(&builder->moved);
	array_release(&builder->touched);
	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		array_release(&builder->wakes[row].state);
	array_release(&builder->checkpoint_states);
}

void
builder_free(struct builder *builder)
{
	if (builder == NULL)
		return;
	builder_release_work(builder);
	map_release(&builder->alloc_type_of);
	builder_release_lists(builder);
	map_release(&builder->open_range);
	memory_free(builder);
}

void
builder_watch(struct builder *builder, const struct progress *progress)
{
	builder->progress = progress;
}

const char *
builder_text(const struct builder *builder, string_id id, size_t *length)
{
	return trace_text(builder->trace, id, length);
}

bool
builder_event(struct builder *builder, int64_t time_ns, struct error *err)
{
	struct trace *trace = builder->trace;

	if (UNLIKELY(!builder->has_origin)) {
		builder->has_origin = true;
		trace->origin_ns = time_ns;
	}
	if (UNLIKELY(time_ns < trace->origin_ns + builder->now_ns))
		return error_set(err, ERROR_ORDER, "an event is earlier than the one before it");
	builder->now_ns = time_ns - trace->origin_ns;
	trace->end_ns = builder->now_ns;
	trace->event_count++;
	return true;
}

/* Adds a goroutine to the tables; its id now means this one. */
static bool
add_goroutine(struct builder *builder, int64_t id, goroutine_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	goroutine_ref added = trace->goroutines.count;
	struct goroutine_build *build;
	struct goroutine *goroutine;

	if (added >= WAKER_PROC)
		return error_set(err, ERROR_LIMIT, "more goroutines than the trace can hold");
	build = stable_append(&builder->goroutines, err);
	if (build == NULL)
		return false;
	*build = (struct goroutine_build){
		.last_segment = REF_NONE,
		.last_run = REF_NONE,
		.checkpoint_slot = REF_NONE,
		.proc = REF_NONE,
		.thread = REF_NONE,
		.listed_group = REF_NONE,
	};
	goroutine = stable_append(&trace->goroutines, err);
	if (goroutine == NULL)
		return false;
	*goroutine = (struct goroutine){
		.id = id,
		.first_ns = builder->now_ns,
		.end_ns = TIME_OPEN,
		.creator = REF_NONE,
	};
	if (!map_put(&trace->goroutine_of, (uint64_t)id, added, err))
		return false;
	*ref = added;
	return true;
}

bool
builder_goroutine(struct builder *builder, int64_t id, goroutine_ref *ref, struct error *err)
{
	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = map_find(&builder->trace->goroutine_of, (uint64_t)id);
	return *ref != MAP_NONE || add_goroutine(builder, id, ref, err);
}

bool
builder_create(struct builder *builder, int64_t id, goroutine_ref creator, stack_id create_stack,
               goroutine_ref *ref, struct error *err)
{
	struct goroutine *goroutine;

	if (!add_goroutine(builder, id, ref, err))
		return false;
	goroutine = trace_goroutine(builder->trace, *ref);
	goroutine->creator = creator;
	goroutine->create_stack = create_stack;
	return true;
}

bool
builder_proc(struct builder *builder, int64_t id, proc_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct proc *proc;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = map_find(&builder->proc_of, (uint64_t)id);
	if (*ref != MAP_NONE)
		return true;
	if (trace->procs.count >= WAKER_PROC - 1)
		return error_set(err, ERROR_LIMIT, "more procs than the trace can hold");
	if (!resource_add(&builder->procs, err) || (proc = stable_append(&trace->procs, err)) == NULL)
		return false;
	*proc = (struct proc){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->procs.count - 1;
	return map_put(&builder->proc_of, (uint64_t)id, *ref, err);
}

bool
builder_thread(struct builder *builder, int64_t id, thread_ref *ref, struct error *err)
{
	struct trace *trace = builder->trace;
	struct thread *thread;

	if (id < 0) {
		*ref = REF_NONE;
		return true;
	}
	*ref = map_find(&builder->thread_of, (uint64_t)id);
	if (*ref != MAP_NONE)
		return true;
	if (!resource_add(&builder->threads, err) ||
	    (thread = stable_append(&trace->threads, err)) == NULL)
		return false;
	*thread = (struct thread){ .id = id, .first_ns = builder->now_ns };
	*ref = trace->threads.count - 1;
	return map_put(&builder->thread_of, (uint64_t)id, *ref, err);
}

bool
builder_name(struct builder *builder, goroutine_ref ref, string_id function, struct error *err)
{
	struct goroutine_build *build = builder_goroutine_build(builder, ref);
	struct goroutine *goroutine = trace_goroutine(builder->trace, ref);
	size_t length;
	const char *name = builder_text(builder, function, &length);

	assert(function != STRING_EMPTY && goroutine->name == STRING_EMPTY);
	goroutine->name = function;
	build->is_gc_worker = build->is_gc_worker ||
	                      (length == sizeof(gc_worker_function) - 1 &&
	                       memcmp(name, gc_worker_function, length) == 0);
	return builder_join_group(builder, ref, function, err);
}

/* The kind to use once there are as many as a byte can tell apart: the same without its reason. */
static uint8_t
kind_without_reason(const struct trace *trace, const struct state_kind *kind)
{
	for (uint32_t i = 0; i < trace->kind_count; i++) {
		const struct state_kind *other = &trace->kinds[i];

		if (other->state == kind->state && other->time_class == kind->time_class &&
		    other->entry == kind->entry)
			return (uint8_t)i;
	}
	for (uint32_t i = 0; i < trace->kind_count; i++)
		if (trace->kinds[i].state == kind->state)
			return (uint8_t)i;
	return 0;
}

/* The class of a change; is_gc_worker: of its goroutine. */
static enum time_class
class_of_change(const struct builder *builder, const struct state_change *change,
                bool is_gc_worker)
{
	const char *reason;
	size_t length;

	switch ((enum state)change->state) {
	case STATE_GONE:
		return CLASS_GONE;
	case STATE_UNKNOWN:
		return CLASS_UNKNOWN;
	case STATE_RUNNING:
		return is_gc_worker ? CLASS_GC_WORKER : CLASS_RUNNING;
	case STATE_READY:
		return CLASS_READY;
	case STATE_SYSCALL:
		return CLASS_SYSCALL;
	case STATE_BLOCKED:
	case STATE_COUNT:
		break;
	}
	reason = trace_text(builder->trace, change->reason, &length);
	return class_of_reason(reason, length);
}

static bool
find_kind(struct builder *builder, const struct state_kind *kind, uint8_t *id, struct error *err)
{
	struct trace *trace = builder->trace;
	uint64_t key = (uint64_t)kind->reason | (uint64_t)kind->state << 32 |
	               (uint64_t)kind->entry << 40 | (uint64_t)kind->time_class << 48;
	uint32_t found = map_find(&builder->kind_of, key);

	if (found != MAP_NONE) {
		*id = (uint8_t)found;
		return true;
	}
	if (trace->kind_count > KIND_MAX) {
		*id = kind_without_reason(trace, kind);
		return true;
	}
	trace->kinds[trace->kind_count] = *kind;
	*id = (uint8_t)trace->kind_count++;
	return map_put(&builder->kind_of, key, *id, err);
}

/* Looks the kind up by the words of its reason, and keeps it where it will be found next time. */
static bool
find_recent_kind(struct builder *builder, const struct state_change *change, bool is_gc_worker,
                 struct recent_kind *recent, uint64_t key, struct error *err)
{
	struct state_kind kind = {
		.state = change->state,
		.entry = change->entry,
		.reason = change->reason,
		.time_class = class_of_change(builder, change, is_gc_worker),
	};

	if (!find_kind(builder, &kind, &recent->kind, err))
		return false;
	recent->key = key;
	return true;
}

static inline bool
kind_of_change(struct builder *builder, const struct state_change *change, bool is_gc_worker,
               uint8_t *id, struct error *err)
{
	unsigned way = (unsigned)change->entry << 8 | change->state;
	/* Never 0, as that stands in those not used yet. */
	uint64_t key = (uint64_t)change->reason << 32 | way << 2 | (is_gc_worker ? 3u : 1u);
	struct recent_kind *recent =
		&builder->recent_kinds[(change->reason * 8 + (way ^ way >> 6)) % RECENT_KINDS];

	if (UNLIKELY(recent->key != key) &&
	    !find_recent_kind(builder, change, is_gc_worker, recent, key, err))
		return false;
	*id = recent->kind;
	return true;
}

/*
 * States that the first generation only mentions hold since the trace began,
 * unless their proc or thread is known to have done something else before.
 */
static bool
is_since_origin(const struct builder *builder, const struct state_change *change)
{
	if (builder_goroutine_build(builder, change->goroutine)->has_state)
		return false;
	if (change->state != STATE_RUNNING && change->state != STATE_SYSCALL)
		return true;
	return (change->proc == REF_NONE ||
	        resource_build_at(&builder->procs, change->proc)->total == 0) &&
	       (change->thread == REF_NONE ||
	        resource_build_at(&builder->threads, change->thread)->total == 0);
}

/* Ends the entry on a proc or thread unless that has gone on to another goroutine. */
static inline bool
leave(struct resource_builder *resources, uint32_t resource, goroutine_ref goroutine,
      int64_t now_ns, struct error *err)
{
	struct resource_build *build;

	if (resource == REF_NONE)
		return true;
	build = resource_build_at(resources, resource);
	return build->open_goroutine != goroutine ||
	       resource_end(resources, build, now_ns, false, err);
}

static inline bool
leave_resources(struct builder *builder, struct goroutine_build *build, goroutine_ref goroutine,
                struct error *err)
{
	proc_ref proc = build->proc;
	thread_ref thread = build->thread;

	build->proc = build->thread = REF_NONE;
	return leave(&builder->procs, proc, goroutine, builder->now_ns, err) &&
	       leave(&builder->threads, thread, goroutine, builder->now_ns, err);
}

static inline bool
take(struct resource_builder *resources, uint32_t resource, const struct entry_begin *begin,
     struct error *err)
{
	return resource == REF_NONE ||
	       resource_begin(resources, resource_build_at(resources, resource), begin, err);
}

/* A state on a proc and a thread begins. */
static inline bool
take_resources(struct builder *builder, struct goroutine_build *build,
               const struct state_change *change, bool since_origin, struct error *err)
{
	struct entry_begin begin = {
		.now_ns = builder->now_ns,
		.start_ns = since_origin ? 0 : builder->now_ns,
		.state = builder->state_count - 1,
		.time_class = builder->trace->kinds[build->kind].time_class,
		.goroutine = change->goroutine,
	};

	build->proc = change->proc;
	build->thread = change->thread;
	return take(&builder->procs, change->proc, &begin, err) &&
	       take(&builder->threads, change->thread, &begin, err);
}

/* The two columns whose meaning depends on the state, see segment.h. */
static inline void
set_place(struct builder *builder, uint32_t state, const struct state_change *change)
{
	uint32_t place = change->stack, origin = REF_NONE;

	switch ((enum state)change->state) {
	case STATE_RUNNING:
		place = change->thread;
		origin = change->proc;
		break;
	case STATE_READY:
		origin = change->waker;
		break;
	case STATE_SYSCALL:
		origin = change->thread;
		break;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_BLOCKED:
	case STATE_COUNT:
		break;
	}
	builder->place[state] = place;
	builder->origin[state] = origin;
}

static bool
note_wake(struct builder *builder, uint32_t state, const struct state_kind *from,
          bool is_by_timer, struct error *err)
{
	enum wake_row row;

	if (from->time_class == CLASS_NETWORK)
		row = WAKE_NETWORK;
	else if (from->time_class == CLASS_SLEEP || is_by_timer)
		row = WAKE_TIMER;
	else if (from->state == STATE_SYSCALL)
		row = WAKE_SYSCALL;
	else
		return true;
	if (!array_reserve(&builder->wakes[row].state, &builder->wakes[row].capacity,
	                   builder->wakes[row].count + 1, sizeof(uint32_t), err))
		return false;
	builder->wakes[row].state[builder->wakes[row].count++] = state;
	return true;
}

/* Appends to the columns in time order; publishes before that what is full. */
static inline bool
append_state(struct builder *builder, struct goroutine_build *build,
             const struct state_change *change, bool since_origin, struct error *err)
{
	uint32_t state;

	if (UNLIKELY(builder->state_count == SEGMENT_STATES ||
	             builder->now_ns - builder->base_ns >= START_AT_ORIGIN) &&
	    !builder_publish(builder, err))
		return false;
	if (builder->state_count == 0)
		builder->base_ns = builder->now_ns;
	state = builder->state_count++;
	builder->start[state] =
		since_origin ? START_AT_ORIGIN : (uint32_t)(builder->now_ns - builder->base_ns);
	builder->kind[state] = build->kind;
	builder->goroutine[state] = change->goroutine;
	set_place(builder, state, change);
	if (build->count++ == 0)
		builder->touched[builder->touched_count++] = change->goroutine;
	return true;
}

/* What the table of goroutines says about first and last moments. */
static inline bool
note_life(struct builder *builder, struct goroutine_build *build,
          const struct state_change *change, bool since_origin, struct error *err)
{
	if (UNLIKELY(!build->has_state)) {
		build->has_state = true;
		trace_goroutine(builder->trace, change->goroutine)->first_ns =
			since_origin ? 0 : builder->now_ns;
	}
	if (LIKELY(change->state != STATE_GONE))
		return true;
	trace_goroutine(builder->trace, change->goroutine)->end_ns = builder->now_ns;
	return builder_end_regions(builder, change->goroutine, err);
}

/* What a state means beside its own columns: for procs and threads, and for the wake rows. */
static inline bool
note_state(struct builder *builder, struct goroutine_build *build,
           const struct state_change *change, const struct state_kind *from, bool since_origin,
           struct error *err)
{
	if (change->state == STATE_READY)
		return note_wake(builder, builder->state_count - 1, from, change->is_by_timer, err);
	if (change->state != STATE_RUNNING && change->state != STATE_SYSCALL)
		return true;
	return take_resources(builder, build, change, since_origin, err);
}

bool
builder_state(struct builder *builder, const struct state_change *change, struct error *err)
{
	struct goroutine_build *build = builder_goroutine_build(builder, change->goroutine);
	const struct state_kind *from =
		build->has_state ? &builder->trace->kinds[build->kind] : &not_there;
	bool since_origin = change->is_old && is_since_origin(builder, change);

	if (!leave_resources(builder, build, change->goroutine, err) ||
	    !kind_of_change(builder, change, build->is_gc_worker, &build->kind, err) ||
	    !append_state(builder, build, change, since_origin, err) ||
	    !note_state(builder, build, change, from, since_origin, err) ||
	    !note_life(builder, build, change, since_origin, err))
		return false;
	build->total++;
	return true;
}

bool
builder_gc_worker(struct builder *builder, goroutine_ref ref, struct error *err)
{
	struct goroutine_build *build = builder_goroutine_build(builder, ref);
	const struct state_kind *kind = &builder->trace->kinds[build->kind];

	if (build->is_gc_worker)
		return true;
	build->is_gc_worker = true;
	if (!build->has_state || kind->state != STATE_RUNNING)
		return true;
	return builder_state(builder,
	                     &(struct state_change){
				     .goroutine = ref,
				     .state = STATE_RUNNING,
				     .entry = (uint8_t)kind->entry,
				     .reason = kind->reason,
				     .waker = REF_NONE,
				     .proc = build->proc,
				     .thread = build->thread,
			     },
	                     err);
}

bool
builder_proc_lost(struct builder *builder, proc_ref proc, struct error *err)
{
	return resource_end(&builder->procs, resource_build_at(&builder->procs, proc),
	                    builder->now_ns, true, err);
}
