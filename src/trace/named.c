/* Whatever is not there is refused with what is nearest to it. */
#include "trace/named.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "trace/lane_name.h"
#include "trace/words.h"

enum {
	NEAREST_IDS = 4,
	NEAREST_NAMES = 3,
	TOLD_BYTES = 80 /* of a name, in a message */
};

/* ---- lists in a message */

struct list {
	char text[NEAREST_NAMES * (TOLD_BYTES + 8)];
	size_t used;
	int count, of; /* items that stand there, and will in the end */
};

static void
list_add(struct list *list, const char *item)
{
	const char *before = list->count == 0 ? "" : list->count + 1 < list->of ? ", " : " and ";
	list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
		"%s%s", before, item);
	list->count++;
}

/* Says `what`, which is not there, and what is nearest to it, if anything is. */
static bool
refuse(const char *what, const struct list *list, struct error *err)
{
	if (list->count == 0)
		return error_set(err, ERROR_USAGE, "%s: none is", what);
	return error_set(err, ERROR_USAGE, "%s; the nearest %s %s", what,
		list->count == 1 ? "is" : "are", list->text);
}

/* ---- by id */

/* The ids nearest to one that is not there, ascending. */
struct nearest {
	int64_t wanted;
	int64_t ids[NEAREST_IDS];
	int count;
};

static uint64_t
distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static int
farthest(const struct nearest *nearest)
{
	int last = nearest->count - 1;
	return distance(nearest->ids[0], nearest->wanted) >
			       distance(nearest->ids[last], nearest->wanted)
		       ? 0
		       : last;
}

static void
consider(struct nearest *nearest, int64_t id)
{
	int at;
	for (int i = 0; i < nearest->count; i++) {
		if (nearest->ids[i] == id)
			return;
	}
	if (nearest->count == NEAREST_IDS) {
		int worst = farthest(nearest);
		if (distance(id, nearest->wanted) >= distance(nearest->ids[worst], nearest->wanted))
			return;
		nearest->count--;
		for (int i = worst; i < nearest->count; i++)
			nearest->ids[i] = nearest->ids[i + 1];
	}
	for (at = nearest->count; at > 0 && nearest->ids[at - 1] > id; at--)
		nearest->ids[at] = nearest->ids[at - 1];
	nearest->ids[at] = id;
	nearest->count++;
}

static bool
refuse_id(const char *what, const struct nearest *nearest, struct error *err)
{
	struct list list = { .of = nearest->count };
	char told[64], id[24];
	for (int i = 0; i < nearest->count; i++) {
		snprintf(id, sizeof id, "%" PRId64, nearest->ids[i]);
		list_add(&list, id);
	}
	snprintf(told, sizeof told, "%s %" PRId64 " is not in the trace", what, nearest->wanted);
	return refuse(told, &list, err);
}

bool
named_actor(const struct trace *trace, int64_t id, actor_ref *ref, struct error *err)
{
	struct nearest nearest = { .wanted = id };
	*ref = trace_find_actor(trace, id);
	if (*ref != REF_NONE)
		return true;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++)
		consider(&nearest, trace_actor(trace, i)->id);
	return refuse_id(trace->words->actor.one, &nearest, err);
}

bool
named_task(const struct trace *trace, int64_t id, task_ref *ref, struct error *err)
{
	struct nearest nearest = { .wanted = id };
	*ref = lane_find_task(trace, id);
	if (*ref != REF_NONE)
		return true;
	for (task_ref i = 0; i < trace->tasks.count; i++)
		consider(&nearest, trace_task(trace, i)->id);
	return refuse_id(words_title(trace->words, "{task}"), &nearest, err);
}

/* ---- by name */

struct like {
	string_id name;
	size_t distance;
};

/* The names that are most like one that is not there, the most alike first. */
struct likes {
	const struct trace *trace;
	const char *wanted;
	bool *seen; /* by string, whether it was looked at */
	struct like best[NEAREST_NAMES];
	int count;
};

static bool
holds(const char *name, size_t length, const char *part)
{
	size_t part_length = strlen(part);
	for (size_t at = 0; at + part_length <= length; at++)
		if (memcmp(name + at, part, part_length) == 0)
			return true;
	return false;
}

/* Who holds what was typed is nearer than whoever does not. */
static size_t
distance_of(const struct likes *likes, string_id name)
{
	size_t length;
	const char *text = trace_text(likes->trace, name, &length);
	return holds(text, length, likes->wanted)
		       ? 0
		       : 1 + text_edits(text, length, likes->wanted, strlen(likes->wanted));
}

static void
consider_name(struct likes *likes, string_id name)
{
	if (likes->seen[name])
		return;
	likes->seen[name] = true;
	struct like like = { name, distance_of(likes, name) };
	int at = likes->count < NEAREST_NAMES ? likes->count++ : NEAREST_NAMES;
	for (; at > 0 && likes->best[at - 1].distance > like.distance; at--)
		if (at < NEAREST_NAMES)
			likes->best[at] = likes->best[at - 1];
	if (at < NEAREST_NAMES)
		likes->best[at] = like;
}

static uint32_t
count_of(const struct trace *trace, enum named_type type)
{
	if (type == NAMED_FUNCTION)
		return trace->group_count;
	return type == NAMED_REGION ? trace->ranges.count : trace->tasks.count;
}

/* The name of the index-th one; STRING_EMPTY where it has none, or is no such thing. */
static string_id
name_of(const struct trace *trace, enum named_type type, uint32_t index)
{
	if (type == NAMED_FUNCTION)
		return trace->groups[index].name;
	if (type == NAMED_TASK)
		return trace_task(trace, index)->name;
	const struct range *range = trace_range(trace, index);
	return range->type == RANGE_REGION ? range->name : STRING_EMPTY;
}

static bool
refuse_name(struct likes *likes, enum named_type type, struct error *err)
{
	static const char *const refusals[NAMED_TYPE_COUNT] = {
		[NAMED_FUNCTION] = "no {actor} of the trace starts with",
		[NAMED_REGION] = "the trace has no region",
		[NAMED_TASK] = "the trace has no task",
	};
	char name[TOLD_BYTES];
	for (uint32_t i = 0; i < count_of(likes->trace, type); i++)
		if (name_of(likes->trace, type, i) != STRING_EMPTY)
			consider_name(likes, name_of(likes->trace, type, i));
	struct list list = { .of = likes->count };
	for (int i = 0; i < likes->count; i++) {
		size_t length;
		const char *text = trace_text(likes->trace, likes->best[i].name, &length);
		text_excerpt(name, sizeof name, text, length);
		list_add(&list, name);
	}
	text_excerpt(name, sizeof name, likes->wanted, strlen(likes->wanted));
	struct text told = { 0 };
	text_add_words(&told, likes->trace->words, refusals[type]);
	text_format(&told, " %s", name);
	refuse(text_string(&told), &list, err);
	text_release(&told);
	return false;
}

bool
named_find(const struct trace *trace, enum named_type type, const char *wanted, string_id *name,
	struct error *err)
{
	for (uint32_t i = 0; i < count_of(trace, type); i++) {
		*name = name_of(trace, type, i);
		if (*name != STRING_EMPTY && trace_text_is(trace, *name, wanted))
			return true;
	}
	struct likes likes = { .trace = trace, .wanted = wanted };
	likes.seen = array_new(intern_count(&trace->strings), sizeof *likes.seen, err);
	if (likes.seen != NULL)
		refuse_name(&likes, type, err);
	memory_free(likes.seen);
	return false;
}
