/* Which samples of the trace beneath were taken while threads ran what is asked for of the upper one. */
#include "analysis/beneath/beneath.h"
#include "analysis/profile_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "query/watch.h"
#include "trace/sample_set.h"

struct taken {
	int64_t time_ns;
	actor_ref actor; /* REF_NONE: its thread ran none */
	uint32_t sample;
};

static int
compare_taken(const void *left, const void *right)
{
	const struct taken *a = left, *b = right;
	if (a->actor != b->actor)
		return a->actor < b->actor ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* Those that a thread of the upper trace was in. */
static bool
find_taken(struct taken *taken, size_t *count, const struct profile_scope *scope, struct error *err)
{
	const struct trace *below = scope->beneath->below;
	const struct sample_set *set = below->samples;
	for (size_t i = 0; i < set->count; i++) {
		if (!search_watch_check_item(scope->watch, i, err))
			return false;
		if (set->instants[i] == REF_NONE)
			continue;
		struct beneath_place place = beneath_place_of(scope->beneath, trace_instant(below, set->instants[i]));
		if (place.thread != REF_NONE)
			taken[(*count)++] = (struct taken){ place.time_ns, place.actor, (uint32_t)i };
	}
	return true;
}

/* Whether the scope asks for any sample of who is looked at next. */
static bool
is_meant(struct profile_walk *walk, actor_ref actor)
{
	return actor != REF_NONE ? profile_has_actor(walk->scope, walk->trace, actor) : profile_is_of_anybody(walk->scope);
}

static bool
choose(struct bits *meant, struct profile_walk *walk, const struct taken *taken, size_t count, struct error *err)
{
	bool is_actor_meant = false;
	for (size_t i = 0; i < count; i++) {
		const struct taken *at = &taken[i];
		if (i == 0 || at->actor != taken[i - 1].actor) {
			is_actor_meant = is_meant(walk, at->actor);
			if (is_actor_meant && !profile_find_pieces(walk, at->actor, err))
				return false;
		}
		if (is_actor_meant && profile_within(walk, at->time_ns, saturating_add_i64(at->time_ns, 1)) > 0 &&
			(walk->scope->only == NULL ||
				profile_matches_at(walk->scope, walk->trace, at->actor, at->time_ns)))
			bits_add(meant, at->sample);
	}
	return true;
}

bool
profile_choose_beneath(struct bits *meant, const struct profile_scope *scope, struct error *err)
{
	const struct sample_set *set = scope->beneath->below->samples;
	struct profile_walk walk = { .trace = scope->beneath->above, .scope = scope };
	struct taken *taken = array_new_unset(set->count, sizeof *taken, err);
	size_t count = 0;
	bool is_fine = taken != NULL && bits_init(meant, (uint32_t)set->count, err) &&
		       find_taken(taken, &count, scope, err);
	const struct sort sort = { taken, count, sizeof *taken, compare_taken };
	is_fine = is_fine && sort_items(&sort, search_watch_cancel_flag(scope->watch), err) &&
		  choose(meant, &walk, taken, count, err);
	memory_free(taken);
	profile_walk_release(&walk);
	return is_fine;
}
