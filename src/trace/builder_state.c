/* The builder's part for the states that actors go through, gathered in time order. */
#include "trace/builder_internal.h"

#include <assert.h>

#include "base/memory.h"
#include "base/text.h"
#include "trace/words.h"

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

/* The class of a state of that kind; is_worker: of its actor. */
static enum time_class
class_of_kind(const struct builder *builder, const struct state_kind *kind, bool is_worker)
{
	size_t length;
	const char *reason = trace_text(builder->trace, kind->reason, &length);

	return words_class(builder->trace->words, kind->state, is_worker, reason, length);
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
	builder->kind_class[trace->kind_count] = (uint8_t)kind->time_class;
	*id = (uint8_t)trace->kind_count++;
	return map_put(&builder->kind_of, key, *id, err);
}

/* All that makes a kind, as one number; is_worker: of its actor. */
static inline uint64_t
key_of_kind(const struct timed_change *change, unsigned entry, bool is_worker)
{
	return (uint64_t)change->reason << 32 | entry << 9 | (unsigned)change->state << 1 | is_worker;
}

/* Looks the kind up by the words of its reason, and keeps it where it will be found next time. */
static bool
find_recent_kind(struct builder *builder, uint64_t key, struct recent_kind *recent,
                 struct error *err)
{
	struct state_kind kind = {
		.state = (enum state)(key >> 1 & UINT8_MAX),
		.entry = (enum state_entry)(key >> 9 & UINT8_MAX),
		.reason = (string_id)(key >> 32),
	};

	kind.time_class = class_of_kind(builder, &kind, (key & 1) != 0);
	if (!find_kind(builder, &kind, &recent->kind, err))
		return false;
	recent->key = key;
	return true;
}

/* Whether whoever woke it did so in a call of the poller: it closed a file, or set its deadline. */
static bool
is_in_poller(const struct trace *trace, stack_id stack)
{
	size_t length;
	const char *name;

	if (stack == STACK_NONE)
		return false;
	name = trace_text(trace, stack_leaf(&trace->stacks, stack)->function, &length);
	return text_has_prefix(name, length, trace->words->poller);
}

/*
 * What ended a wait: doc/format/go-trace-semantics.md, section 7.2. Timers need a processor, but no
 * actor. The network is polled by a processor that looks for work, by a thread without one, and by
 * the way by an actor that starts the world: that one's stack is not in the poller.
 */
static enum state_entry
entry_of_wake(const struct trace *trace, enum time_class waited, const struct timed_change *change)
{
	const class_mask timed = CLASS_BIT(CLASS_SLEEP) | CLASS_BIT(CLASS_CHANNEL) |
	                         CLASS_BIT(CLASS_SELECT);
	bool is_processor = change->origin != REF_NONE && (change->origin & WAKER_PROCESSOR) != 0;

	if (change->is_by_timer)
		return ENTRY_TIMER;
	if (trace->words->poller == NULL)
		return ENTRY_UNBLOCKED;
	if (is_processor && (timed & CLASS_BIT(waited)) != 0)
		return ENTRY_TIMER;
	if (waited != CLASS_NETWORK || is_in_poller(trace, change->place))
		return ENTRY_UNBLOCKED;
	return is_processor ? ENTRY_NETWORK_OR_DEADLINE : ENTRY_NETWORK;
}

static inline bool
kind_of_change(struct builder *builder, const struct timed_change *change,
               const struct actor_build *build, uint8_t *id, struct error *err)
{
	struct recent_kind *recent;
	unsigned entry = change->entry;
	uint64_t key;

	if (entry == ENTRY_UNBLOCKED && LIKELY(build->has_state))
		entry = entry_of_wake(builder->trace, builder->kind_class[build->kind], change);
	key = key_of_kind(change, entry, build->is_worker);
	/* An entry nearly always leads to the same state. */
	recent = &builder->recent_kinds[(change->reason * 16 + entry) % RECENT_KINDS];
	if (UNLIKELY(recent->key != key) && !find_recent_kind(builder, key, recent, err))
		return false;
	*id = recent->kind;
	return true;
}

static_assert((int)ENTRY_COUNT <= 16, "entries have places of their own among recent kinds");

static_assert((int)STATE_COUNT <= CHANGE_NONE, "no state stands for none");

/* What the two mean depends on the state, see segment.h. */
static struct site
site_of(const struct state_change *change)
{
	switch ((enum state)change->state) {
	case STATE_RUNNING:
		return (struct site){ change->thread, change->processor };
	case STATE_SYSCALL:
		return (struct site){ change->stack, change->thread };
	case STATE_READY:
		return (struct site){ change->stack, change->waker };
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_BLOCKED:
	case STATE_COUNT:
		break;
	}
	return (struct site){ change->stack, REF_NONE };
}

/* The thread of one that runs or is in a syscall. */
static inline resource_ref
thread_of(const struct timed_change *change)
{
	return change->state == STATE_RUNNING ? change->place : change->origin;
}

/* Nothing was ever on it, as far as is known; nor on none. */
static bool
is_fresh(const struct resource_builder *resources, uint32_t resource)
{
	return resource == REF_NONE || resource_build_at(resources, resource)->total == 0;
}

/*
 * States that the first generation only mentions hold since the trace began,
 * unless their processor or thread is known to have done something else before.
 */
static bool
is_since_origin(const struct builder *builder, const struct timed_change *change)
{
	if (builder_actor_build(builder, change->actor)->has_state)
		return false;
	if (change->state != STATE_RUNNING && change->state != STATE_SYSCALL)
		return true;
	return is_fresh(&builder->processors, change->processor) &&
	       is_fresh(&builder->threads, thread_of(change));
}

/* Whether the state of its latest entry goes on. */
static inline bool
is_occupied(const struct builder *builder, const struct resource_build *resource)
{
	return resource->actor != REF_NONE &&
	       builder_actor_build(builder, resource->actor)->total ==
	               resource->ordinal + 1;
}

static inline bool
take(struct builder *builder, const struct resource_builder *resources,
     struct draft_column *draft, uint32_t ref, const struct entry_begin *begin,
     struct error *err)
{
	struct resource_build *resource;

	if (ref == REF_NONE)
		return true;
	resource = resource_build_at(resources, ref);
	if (UNLIKELY(is_occupied(builder, resource)) &&
	    !resource_cut(draft, resource, builder->now_ns, err))
		return false;
	return resource_begin(draft, resource, begin, err);
}

/* A state on a processor and a thread has begun. */
static inline bool
take_resources(struct builder *builder, struct actor_build *build,
               const struct timed_change *change, struct error *err)
{
	struct entry_begin begin = {
		.state = builder->draft.state_count - 1,
		.ordinal = build->total - 1,
		.actor = change->actor,
	};

	build->processor = change->processor;
	build->thread = thread_of(change);
	return take(builder, &builder->processors, &builder->draft.processors, build->processor,
		       &begin, err) &&
	       take(builder, &builder->threads, &builder->draft.threads, build->thread, &begin,
		       err);
}

/* All that matters of it where nobody asks what was on processors and threads: that they are not fresh. */
static bool
use_resources(struct builder *builder, struct actor_build *build,
              const struct timed_change *change)
{
	build->processor = change->processor;
	build->thread = thread_of(change);
	if (build->processor != REF_NONE)
		resource_build_at(&builder->processors, build->processor)->total++;
	if (build->thread != REF_NONE)
		resource_build_at(&builder->threads, build->thread)->total++;
	return true;
}

/* As one number, so that sites are compared at once. */
static inline uint64_t
site_bits(struct site site)
{
	return site.place | (uint64_t)site.origin << 32;
}

static bool
add_site(struct builder *builder, struct site site, uint16_t *index, struct error *err)
{
	struct draft *draft = &builder->draft;

	assert(draft->site_count < SEGMENT_SITES);
	if (!array_reserve(&draft->sites, &draft->site_capacity, (size_t)draft->site_count + 1,
	                   sizeof(*draft->sites), err))
		return false;
	draft->sites[draft->site_count] = site;
	*index = (uint16_t)draft->site_count++;
	/* With the last one the segment is full. */
	if (draft->site_count == SEGMENT_SITES)
		builder->state_limit = draft->state_count + 1;
	return true;
}

/* The index of a site. One that was forgotten meanwhile is added once more. */
static inline bool
find_site(struct builder *builder, struct site site, uint16_t *index, struct error *err)
{
	uint64_t hash = site_bits(site) * UINT64_C(0x9e3779b97f4a7c15);
	uint16_t *recent = &builder->recent_sites[hash >> (64 - RECENT_SITE_BITS)];

	/* What stands there may be of an earlier segment; then it is another one, or right. */
	if (UNLIKELY(*recent >= builder->draft.site_count ||
	             site_bits(builder->draft.sites[*recent]) != site_bits(site)) &&
	    !add_site(builder, site, recent, err))
		return false;
	*index = *recent;
	return true;
}

/* The row that shows the beginning of a ready state, by how it was entered; else none. */
static const uint8_t wake_rows[ENTRY_COUNT] = {
	[ENTRY_NETWORK] = 1 + WAKE_NETWORK,
	[ENTRY_NETWORK_OR_DEADLINE] = 1 + WAKE_NETWORK,
	[ENTRY_TIMER] = 1 + WAKE_TIMER,
	[ENTRY_RETURNED] = 1 + WAKE_SYSCALL,
};

static bool
note_wake(struct builder *builder, uint32_t state, unsigned row, struct error *err)
{
	struct draft *draft = &builder->draft;

	if (!array_reserve(&draft->wakes[row].state, &draft->wakes[row].capacity,
	                   draft->wakes[row].count + 1, sizeof(uint32_t), err))
		return false;
	draft->wakes[row].state[draft->wakes[row].count++] = state;
	return true;
}

/* Whether the states gathered make a segment. */
static bool
is_segment_full(const struct builder *builder)
{
	const struct draft *draft = &builder->draft;

	return builder->now_ns - draft->base_ns >= START_AT_ORIGIN ||
	       draft->site_count == SEGMENT_SITES ||
	       draft->state_count == SEGMENT_MOST_STATES ||
	       (draft->state_count >= SEGMENT_STATES &&
	        draft->state_count / RUN_STATES + builder->ended_count >= draft->run_count);
}

/* Before a state that is the first one, or for which there may be no more room. */
static bool
make_room(struct builder *builder, struct error *err)
{
	struct draft *draft = &builder->draft;

	if (draft->state_count > 0 && is_segment_full(builder) && !builder_publish(builder, err))
		return false;
	if (draft->state_count == 0)
		draft->base_ns = builder->now_ns;
	builder->state_limit = draft->state_count / SEGMENT_STATES * SEGMENT_STATES + SEGMENT_STATES;
	return array_reserve(&draft->states, &draft->state_capacity, builder->state_limit,
	                     sizeof(*draft->states), err) &&
	       array_reserve(&draft->runs, &draft->run_capacity, builder->state_limit,
	                     sizeof(*draft->runs), err);
}

/* What it was on ends with the state before. */
static bool
end_carried(const struct builder *builder, const struct resource_builder *resources,
            struct draft_column *draft, uint32_t ref, actor_ref actor, struct error *err)
{
	return ref == REF_NONE ||
	       resource_end_carried(draft, resource_build_at(resources, ref), actor,
	                            builder->now_ns, err);
}

/* The actor has its first state in the draft: there is room. */
static bool
begin_run(struct builder *builder, struct actor_build *build, actor_ref actor,
          struct error *err)
{
	struct draft *draft = &builder->draft;

	build->is_in_draft = true;
	draft->runs[draft->run_count++] = (struct draft_run){ actor, build->total };
	return end_carried(builder, &builder->processors, &draft->processors, build->processor,
		       actor, err) &&
	       end_carried(builder, &builder->threads, &draft->threads, build->thread, actor, err);
}

/* Appends in time order; publishes before that what is full. */
static inline bool
append_state(struct builder *builder, struct actor_build *build,
             const struct timed_change *change, bool since_origin, struct error *err)
{
	struct draft *draft = &builder->draft;
	struct gathered_state *state;

	if (UNLIKELY(draft->state_count == builder->state_limit ||
	             builder->now_ns - draft->base_ns >= START_AT_ORIGIN) &&
	    !make_room(builder, err))
		return false;
	state = &draft->states[draft->state_count];
	if (!find_site(builder, (struct site){ change->place, change->origin }, &state->site, err))
		return false;
	draft->state_count++;
	state->start =
		since_origin ? START_AT_ORIGIN : (uint32_t)(builder->now_ns - draft->base_ns);
	state->kind = build->kind;
	state->actor = change->actor;
	return LIKELY(build->is_in_draft) || begin_run(builder, build, change->actor, err);
}

/* What the table of actors says about first and last moments. */
static inline void
note_life(struct builder *builder, struct actor_build *build,
          const struct timed_change *change, bool since_origin)
{
	if (UNLIKELY(!build->has_state)) {
		build->has_state = true;
		trace_actor(builder->trace, change->actor)->first_ns =
			since_origin ? builder->trace->start_ns : builder->now_ns;
	}
	if (LIKELY(change->state != STATE_GONE))
		return;
	trace_actor(builder->trace, change->actor)->end_ns = builder->now_ns;
	builder->ended_count++;
	builder_end_regions(builder, change->actor);
}

/* What a state means beside its own columns: for processors and threads, and for the wake rows. */
static inline bool
note_state(struct builder *builder, struct actor_build *build,
           const struct timed_change *change, struct error *err)
{
	unsigned row;

	if (change->state == STATE_RUNNING || change->state == STATE_SYSCALL)
		return UNLIKELY(builder->is_diverted) ? use_resources(builder, build, change)
		                                      : take_resources(builder, build, change, err);
	build->processor = build->thread = REF_NONE;
	if (change->state != STATE_READY || UNLIKELY(builder->is_diverted))
		return true;
	row = wake_rows[builder->trace->kinds[build->kind].entry];
	return row == 0 || note_wake(builder, builder->draft.state_count - 1, row - 1, err);
}

static ALWAYS_INLINE bool
enter_state(struct builder *builder, const struct timed_change *change, struct error *err)
{
	struct actor_build *build = builder_actor_build(builder, change->actor);
	bool since_origin = change->is_old && is_since_origin(builder, change);

	if (!kind_of_change(builder, change, build, &build->kind, err) ||
	    !append_state(builder, build, change, since_origin, err))
		return false;
	build->total++;
	if (!note_state(builder, build, change, err))
		return false;
	note_life(builder, build, change, since_origin);
	return true;
}

bool
builder_states(struct builder *builder, const struct timed_change *changes, size_t count,
               size_t *done, struct error *err)
{
	size_t i;

	for (i = 0; i < count && LIKELY(changes[i].state < CHANGE_NONE); i++) {
		const struct timed_change *change = &changes[i];

		if (LIKELY(change->time_ns != 0) &&
		    UNLIKELY(!builder_advance(builder, change->time_ns, err)))
			return false;
		if (UNLIKELY(!enter_state(builder, change, err)))
			return false;
	}
	*done = i;
	return true;
}

bool
builder_state(struct builder *builder, const struct state_change *change, struct error *err)
{
	struct site site = site_of(change);
	struct timed_change timed = {
		.state = change->state,
		.entry = change->entry,
		.is_old = change->is_old,
		.is_by_timer = change->is_by_timer,
		.actor = change->actor,
		.reason = change->reason,
		.place = site.place,
		.origin = site.origin,
		.processor = change->processor,
	};
	size_t done;

	return builder_states(builder, &timed, 1, &done, err);
}

bool
builder_worker(struct builder *builder, actor_ref ref, struct error *err)
{
	struct actor_build *build = builder_actor_build(builder, ref);
	const struct state_kind *kind = &builder->trace->kinds[build->kind];

	if (build->is_worker)
		return true;
	build->is_worker = true;
	if (!build->has_state || kind->state != STATE_RUNNING)
		return true;
	return builder_state(builder,
	                     &(struct state_change){
				     .actor = ref,
				     .state = STATE_RUNNING,
				     .entry = (uint8_t)kind->entry,
				     .reason = kind->reason,
				     .waker = REF_NONE,
				     .processor = build->processor,
				     .thread = build->thread,
			     },
	                     err);
}

bool
builder_processor_lost(struct builder *builder, resource_ref processor, struct error *err)
{
	struct resource_build *resource = resource_build_at(&builder->processors, processor);

	if (is_occupied(builder, resource) &&
	    !resource_cut(&builder->draft.processors, resource, builder->now_ns, err))
		return false;
	resource->actor = REF_NONE;
	return true;
}
