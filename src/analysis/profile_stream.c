/*
 * The waits of all goroutines side by side. Whether one will ever run is not known before it does;
 * what it waited for until then is kept apart, since that counts only if it never will.
 */
#include "analysis/profile_stream.h"

#include "analysis/profile_internal.h"
#include "base/memory.h"

struct profile_stream {
	struct profile profile;
	struct profile_scope scope;
	struct profile_walk walk;
	struct profile_wait *waits; /* by goroutine_ref */
	size_t wait_count, wait_capacity;
};

struct profile_stream *
profile_stream_new(enum profile_kind kind, enum profile_rule rule, struct error *err)
{
	struct profile_stream *stream = array_new(1, sizeof *stream, err);
	if (stream == NULL)
		return NULL;
	stream->profile.kind = kind;
	stream->profile.rule = rule;
	stream->scope = (struct profile_scope){
		.rule = rule,
		.t1_ns = INT64_MAX,
		.goroutine = REF_NONE,
		.function = STRING_EMPTY,
		.region = STRING_EMPTY,
		.task = REF_NONE,
	};
	stream->walk = (struct profile_walk){ .scope = &stream->scope, .profile = &stream->profile };
	return stream;
}

static bool
know_goroutines(struct profile_stream *stream, uint32_t count, struct error *err)
{
	int64_t from_ns = profile_begins_with_run(&stream->walk) ? PROFILE_NOT_RUN : INT64_MIN;
	if (!array_reserve(&stream->waits, &stream->wait_capacity, count, sizeof *stream->waits, err))
		return false;
	for (; stream->wait_count < count; stream->wait_count++)
		stream->waits[stream->wait_count] = (struct profile_wait){ .from_ns = from_ns };
	return true;
}

static inline bool
take_state(struct profile_stream *stream, const struct draft *draft,
	const struct gathered_state *state, struct error *err)
{
	struct profile_walk *walk = &stream->walk;
	const struct state_kind *kind = &walk->trace->kinds[state->kind];
	struct profile_wait *wait = &stream->waits[state->goroutine];
	enum profile_role role = (enum profile_role)walk->roles[state->kind];
	if (UNLIKELY(wait->from_ns == PROFILE_NOT_RUN) && kind->state == STATE_RUNNING)
		wait->from_ns = draft_start_ns(draft, state, walk->trace->start_ns);
	if (role == ROLE_NONE)
		return true;
	walk->goroutine = state->goroutine;
	walk->wait = wait;
	const struct profile_entered entered = {
		.kind = kind,
		.site = &draft->sites[state->site],
		.role = role,
		.start_ns = draft_start_ns(draft, state, walk->trace->start_ns),
	};
	return profile_enter(walk, &entered, err);
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
	if (!know_goroutines(stream, draft->goroutine_count, err))
		return false;
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

/* What goes on, and what was early of those that never ran. */
static bool
add_rest(struct profile_stream *stream, struct error *err)
{
	struct profile_walk *walk = &stream->walk;
	for (size_t i = 0; i < stream->wait_count; i++) {
		walk->goroutine = (goroutine_ref)i;
		walk->wait = &stream->waits[i];
		if (!profile_leave(walk, err))
			return false;
	}
	for (size_t i = 0; i < walk->early_count; i++) {
		const struct profile_early *early = &walk->early[i];
		if (stream->waits[early->goroutine].from_ns == PROFILE_NOT_RUN &&
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
