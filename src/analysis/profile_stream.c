/*
 * The waits of all actors side by side. Whether one will ever run is not known before it does;
 * what it waited for until then is kept apart, since that counts only if it never will. Waits of one
 * that has no name yet are kept apart as well, where the runtime's actors do not count.
 */
#include "analysis/profile_stream.h"

#include "analysis/profile_internal.h"
#include "base/memory.h"
#include "trace/runtime.h"

struct profile_stream {
	struct profile profile;
	struct profile_scope scope;
	struct profile_walk walk;
	struct profile_wait *waits; /* by actor_ref */
	size_t wait_count, wait_capacity;
	bool is_of_all; /* the runtime's actors count as well */
};

struct profile_stream *
profile_stream_new(enum profile_kind kind, enum profile_rule rule, bool with_runtime,
	struct error *err)
{
	struct profile_stream *stream = array_new(1, sizeof *stream, err);
	if (stream == NULL)
		return NULL;
	stream->profile.kind = kind;
	stream->profile.rule = rule;
	stream->scope = (struct profile_scope){
		.rule = rule,
		.with_runtime = with_runtime,
		.t1_ns = INT64_MAX,
		.actor = REF_NONE,
		.function = STRING_EMPTY,
		.region = STRING_EMPTY,
		.task = REF_NONE,
	};
	stream->is_of_all = profile_is_of_all(kind, &stream->scope);
	stream->walk = (struct profile_walk){ .scope = &stream->scope, .profile = &stream->profile };
	return stream;
}

static bool
know_actors(struct profile_stream *stream, uint32_t count, struct error *err)
{
	int64_t from_ns = profile_counts_states(&stream->walk) ? INT64_MIN : PROFILE_NOT_RUN;
	if (!array_reserve(&stream->waits, &stream->wait_capacity, count, sizeof *stream->waits, err))
		return false;
	for (; stream->wait_count < count; stream->wait_count++)
		stream->waits[stream->wait_count] = (struct profile_wait){
			.from_ns = from_ns,
			.whose = stream->is_of_all ? WHOSE_COUNTS : WHOSE_UNKNOWN,
		};
	return true;
}

static inline bool
take_state(struct profile_stream *stream, const struct draft *draft,
	const struct gathered_state *state, struct error *err)
{
	struct profile_walk *walk = &stream->walk;
	const struct state_kind *kind = &walk->trace->kinds[state->kind];
	struct profile_wait *wait = &stream->waits[state->actor];
	enum profile_role role = (enum profile_role)walk->roles[state->kind];
	if (UNLIKELY(wait->from_ns == PROFILE_NOT_RUN) && kind->state == STATE_RUNNING)
		wait->from_ns = draft_start_ns(draft, state, walk->trace->start_ns);
	if (role == ROLE_NONE || wait->whose == WHOSE_RUNTIME)
		return true;
	walk->actor = state->actor;
	walk->wait = wait;
	const struct profile_entered entered = {
		.kind = kind,
		.site = &draft->sites[state->site],
		.role = role,
		.start_ns = draft_start_ns(draft, state, walk->trace->start_ns),
	};
	return profile_enter(walk, &entered, err);
}

/* Actors get names, once at most. */
static void
take_names(struct profile_stream *stream, const struct draft *draft)
{
	for (size_t i = 0; i < draft->name_count && !stream->is_of_all; i++) {
		const struct draft_name *name = &draft->names[i];
		bool is_runtime = trace_is_runtime_name(stream->walk.trace, name->name);
		stream->waits[name->actor].whose = is_runtime ? WHOSE_RUNTIME : WHOSE_COUNTS;
	}
}

static bool
take(void *context, const struct trace *trace, const struct draft *draft, struct error *err)
{
	struct profile_stream *stream = context;
	struct profile_walk *walk = &stream->walk;
	if (stream->profile.kind == PROFILE_CPU) /* of samples, which the trace has */
		return true;
	walk->trace = trace;
	profile_set_roles(walk, draft->kind_count);
	if (!know_actors(stream, draft->actor_count, err))
		return false;
	take_names(stream, draft);
	for (uint32_t i = 0; i < draft->state_count; i++)
		if (!take_state(stream, draft, &draft->states[i], err))
			return false;
	return true;
}

struct draft_taker
profile_stream_taker(struct profile_stream *stream)
{
	return (struct draft_taker){ take, stream };
}

static bool
counts(const struct profile_stream *stream, const struct trace *trace, actor_ref actor)
{
	if (!stream->is_of_all)
		return !trace_is_runtime(trace, actor);
	return stream->waits[actor].from_ns == PROFILE_NOT_RUN;
}

/* What goes on, and what was early of those that count after all. */
static bool
add_rest(struct profile_stream *stream, struct error *err)
{
	struct profile_walk *walk = &stream->walk;
	for (size_t i = 0; i < stream->wait_count; i++) {
		walk->actor = (actor_ref)i;
		walk->wait = &stream->waits[i];
		if (walk->wait->whose != WHOSE_RUNTIME && !profile_leave(walk, err))
			return false;
	}
	for (size_t i = 0; i < walk->early_count; i++) {
		const struct profile_early *early = &walk->early[i];
		if (counts(stream, walk->trace, early->actor) &&
			!profile_add(walk, &early->entry, err))
			return false;
	}
	return true;
}

bool
profile_stream_finish(struct profile_stream *stream, const struct trace *trace,
	struct profile *profile, struct error *err)
{
	struct profile_scope scope = profile_whole(trace);
	scope.rule = stream->scope.rule;
	if (stream->profile.kind == PROFILE_CPU)
		return profile_build(profile, trace, PROFILE_CPU, &scope, err);
	stream->walk.trace = trace;
	if (!add_rest(stream, err))
		return false;
	profile_walk_finish(&stream->walk);
	*profile = stream->profile;
	profile->trace = trace;
	profile->measure = profile_measure(trace, profile->kind, 0);
	stream->profile = (struct profile){ .kind = profile->kind, .rule = profile->rule };
	return true;
}

void
profile_stream_free(struct profile_stream *stream)
{
	if (stream == NULL)
		return;
	profile_release(&stream->profile);
	profile_walk_release(&stream->walk);
	memory_free(stream->waits);
	memory_free(stream);
}
