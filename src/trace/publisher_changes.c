/*
 * The publisher's part for lists of changes: that of all actors, and those of the
 * groups that can be told from the start. They are written from the states of a draft, since
 * these still stand in the order of time.
 */
#include "trace/publisher_internal.h"

/* So many changes are worth not to be written twice. */
enum { PART_CHANGES = CHANGE_BLOCK };

/* The member was in this class before anything that the list tells. */
static bool
add_since_origin(struct change_list *list, enum time_class to, struct error *err)
{
	if (list->last_ns <= list->since_ns)
		return change_list_add(list, list->since_ns, CLASS_GONE, to, err);
	return change_list_add_late(list, list->last_ns, to, err);
}

static inline bool
add_change(struct change_list *list, int64_t base_ns, uint32_t start, enum time_class from,
           enum time_class to, struct error *err)
{
	if (UNLIKELY(start == START_AT_ORIGIN))
		return add_since_origin(list, to, err);
	return change_list_add(list, base_ns + (int64_t)start, from, to, err);
}

bool
publisher_list_widely(struct publisher *publisher, struct published *actor, int64_t base_ns,
                      uint32_t start, enum time_class to, struct error *err)
{
	struct all_changes *all = &publisher->trace->all;
	struct listed_group *group = actor->listed_group == GROUP_UNLISTED
	                                     ? NULL : &publisher->listed[actor->listed_group];
	enum time_class from = (enum time_class)actor->listed_class;
	bool is_in_group = group != NULL && group->changes != NULL;

	actor->listed_class = (uint8_t)to;
	if (is_in_group && group->part != NULL)
		return all_changes_join_late(all, group->changes, false, to, err);
	return add_change(&all->rest, base_ns, start, from, to, err) &&
	       (!is_in_group || add_change(group->changes, base_ns, start, from, to, err));
}

bool
publisher_choose_parts(struct publisher *publisher, int64_t time_ns, struct error *err)
{
	struct all_changes *all = &publisher->trace->all;

	for (size_t i = 0; i < publisher->listed_count && all->part_count < CHANGE_PARTS; i++) {
		struct listed_group *group = &publisher->listed[i];

		if (group->changes == NULL || group->part != NULL ||
		    group->changes->granted_count < PART_CHANGES)
			continue;
		if (!all_changes_add_part(all, group->changes, time_ns, err))
			return false;
		group->part = &all->parts[all->part_count - 1];
		group->only = group->changes;
	}
	return true;
}

/* A group that is new, with its first member. */
static bool
add_group(struct publisher *publisher, actor_ref first, string_id name, uint32_t *index,
          struct error *err)
{
	if (!array_reserve(&publisher->listed, &publisher->listed_capacity, publisher->listed_count + 1,
	                   sizeof(*publisher->listed), err) ||
	    !map_put(&publisher->listed_of, name, (uint32_t)publisher->listed_count, err))
		return false;
	*index = (uint32_t)publisher->listed_count++;
	publisher->listed[*index] =
		(struct listed_group){ .first = first, .only = &publisher->trace->all.rest };
	return true;
}

static void
drop_list(struct listed_group *group)
{
	if (group->changes != NULL)
		change_list_release(group->changes);
	memory_free(group->changes);
	group->changes = NULL;
}

/* Whether all that was published of it is one state that it was in since the trace began. */
static bool
has_only_been(const struct publisher *publisher, const struct published *actor)
{
	const struct segment *segment = trace_segment(publisher->trace, actor->last_segment);

	return actor->total == 1 &&
	       segment->start[segment->runs[actor->last_run].first] == START_AT_ORIGIN;
}

/*
 * Takes a member into the list. An actor may be known for long before its name is, or
 * before another one of that name. What was published of it until then cannot be put into
 * the list any more, except that it was there; else the list is made at the end.
 */
static bool
list_member(struct publisher *publisher, struct listed_group *group, actor_ref ref,
            struct error *err)
{
	struct published *actor = published_at(publisher, ref);

	if (group->changes == NULL || actor->total == 0)
		return true;
	if (has_only_been(publisher, actor)) {
		if (group->part != NULL)
			return all_changes_join_late(&publisher->trace->all, group->changes, true,
			                             actor->listed_class, err);
		return add_since_origin(group->changes, actor->listed_class, err);
	}
	if (group->part == NULL) {
		drop_list(group);
		group->only = &publisher->trace->all.rest;
		return true;
	}
	group->is_incomplete = true;
	actor->listed_group = GROUP_UNLISTED;
	return true;
}

/* The list of a group begins with the second member: one alone needs none. */
static bool
begin_list(struct publisher *publisher, struct listed_group *group, struct error *err)
{
	group->has_begun = true;
	group->changes = change_list_new(publisher->trace->start_ns, err);
	group->only = NULL;
	return group->changes != NULL && list_member(publisher, group, group->first, err);
}

bool
publisher_join_group(struct publisher *publisher, const struct draft_name *name, struct error *err)
{
	uint32_t index = map_find(&publisher->listed_of, name->name);
	struct listed_group *group;

	if (index == MAP_NONE && publisher->listed_count == LISTED_GROUPS)
		return true;
	if (index == MAP_NONE &&
	    !add_group(publisher, name->actor, name->name, &index, err))
		return false;
	published_at(publisher, name->actor)->listed_group = (uint16_t)index;
	group = &publisher->listed[index];
	if (group->first == name->actor)
		return true;
	return (group->has_begun || begin_list(publisher, group, err)) &&
	       list_member(publisher, group, name->actor, err);
}

static struct change_list *
copy_list(const struct change_list *list, struct error *err)
{
	struct change_list *copy = array_new(1, sizeof(*copy), err);

	if (copy == NULL || change_list_copy(copy, list, err))
		return copy;
	memory_free(copy);
	return NULL;
}

/* The list of a group, or a copy of it; where it is a part of the whole, that has it then. */
static struct change_list *
give(struct publisher *publisher, struct trace *trace, struct listed_group *group, bool is_of_group,
	struct error *err)
{
	struct change_list *given =
		trace == publisher->trace ? group->changes : copy_list(group->changes, err);

	if (given == NULL)
		return NULL;
	if (group->part != NULL) {
		struct change_part *part = &trace->all.parts[group->part - publisher->trace->all.parts];

		part->list = given;
		part->is_own = !is_of_group;
	}
	if (trace == publisher->trace) {
		change_list_trim(given);
		group->changes = NULL;
	}
	return given;
}

bool
publisher_give_list(struct publisher *publisher, struct trace *trace, string_id name,
                  struct change_list **list, struct error *err)
{
	uint32_t index = map_find(&publisher->listed_of, name);
	struct listed_group *group = index == MAP_NONE ? NULL : &publisher->listed[index];
	struct change_list *given;

	*list = NULL;
	if (group == NULL || group->changes == NULL)
		return true;
	given = give(publisher, trace, group, !group->is_incomplete, err);
	if (given != NULL && !group->is_incomplete)
		*list = given;
	return given != NULL;
}

bool
publisher_give_parts(struct publisher *publisher, struct trace *trace, struct error *err)
{
	for (size_t i = 0; i < publisher->listed_count; i++) {
		struct listed_group *group = &publisher->listed[i];

		if (group->part != NULL && group->changes != NULL &&
		    give(publisher, trace, group, false, err) == NULL)
			return false;
	}
	return true;
}

void
publisher_release_lists(struct publisher *publisher)
{
	for (uint32_t i = 0; i < publisher->listed_count; i++)
		drop_list(&publisher->listed[i]);
	memory_free(publisher->listed);
	map_release(&publisher->listed_of);
}
