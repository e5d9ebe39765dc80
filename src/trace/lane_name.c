/* Lanes to names and back. */
#include "trace/lane_name.h"

#include <string.h>

#include "base/compiler.h"
#include "trace/words.h"

static const struct {
	const char *name;
	enum lane_type type;
} single_rows[] = { { "all", LANE_ALL }, { "gc", LANE_GC }, { "stw", LANE_STW } };

static void
add_single(struct text *out, enum lane_type type)
{
	for (size_t i = 0; i < ARRAY_LENGTH(single_rows); i++) {
		if (single_rows[i].type == type)
			text_add_string(out, single_rows[i].name);
	}
}

/* Which leads to the group as well, where the trace is grouped so. */
static void
add_first_member(struct text *out, const struct trace *trace, group_ref group)
{
	actor_ref first = trace->group_members[trace->groups[group].first];
	text_add_id(out, &trace->words->actor, trace_actor(trace, first)->id);
}

void
lane_name_add(struct text *out, const struct trace *trace, struct lane lane)
{
	size_t length;
	const char *name;
	switch (lane.type) {
	case LANE_ACTOR:
		text_add_id(out, &trace->words->actor, trace_actor(trace, lane.ref)->id);
		return;
	case LANE_PROCESSOR:
		text_add_id(out, &trace->words->processor, trace_processor(trace, lane.ref)->id);
		return;
	case LANE_THREAD:
		text_add_id(out, &trace->words->thread, trace_thread(trace, lane.ref)->id);
		return;
	case LANE_GROUP:
		if (trace->regrouping != NULL) {
			add_first_member(out, trace, lane.ref);
			return;
		}
		name = trace_text(trace, trace->groups[lane.ref].name, &length);
		text_add(out, name, length);
		return;
	case LANE_ALL:
	case LANE_GC:
	case LANE_STW:
		add_single(out, lane.type);
		return;
	case LANE_TASK:
		text_add_id(out, &trace->words->task, trace_task(trace, lane.ref)->id);
		return;
	}
}

/* The number in a name as text_add_id() writes it; false for anything else. */
static bool
read_id(const struct noun *noun, const char *name, int64_t *id)
{
	size_t length = noun->one != NULL ? strlen(noun->one) : 0;
	const char *digits;
	if (noun->letter != '\0' && *name == noun->letter)
		digits = name + 1;
	else if (length > 0 && strncmp(name, noun->one, length) == 0 && name[length] == ' ')
		digits = name + length + 1;
	else
		return false;
	bool is_negative = *digits == '-';
	digits += is_negative;
	*id = 0;
	if (*digits == '\0')
		return false;
	for (; *digits >= '0' && *digits <= '9'; digits++) {
		if (*id > (INT64_MAX - 9) / 10)
			return false;
		*id = *id * 10 + (*digits - '0');
	}
	*id = is_negative ? -*id : *id;
	return *digits == '\0';
}

static bool
find_processor(const struct trace *trace, int64_t id, uint32_t *ref)
{
	for (*ref = 0; *ref < trace_processor_count(trace); (*ref)++) {
		if (trace_processor(trace, *ref)->id == id)
			return true;
	}
	return false;
}

static bool
find_thread(const struct trace *trace, int64_t id, uint32_t *ref)
{
	for (*ref = 0; *ref < trace_thread_count(trace); (*ref)++) {
		if (trace_thread(trace, *ref)->id == id)
			return true;
	}
	return false;
}

task_ref
lane_find_task(const struct trace *trace, int64_t id)
{
	for (task_ref task = 0; task < trace->tasks.count; task++)
		if (trace_task(trace, task)->id == id)
			return task;
	return REF_NONE;
}

/* is_id: that is what the name is, of a lane or of none. */
static bool
find_by_id(const struct trace *trace, const char *name, struct lane *lane, bool *is_id)
{
	const struct words *words = trace->words;
	int64_t id;
	*is_id = true;
	if (read_id(&words->actor, name, &id)) {
		*lane = (struct lane){ LANE_ACTOR, trace_find_actor(trace, id) };
		return lane->ref != REF_NONE;
	}
	if (read_id(&words->processor, name, &id)) {
		lane->type = LANE_PROCESSOR;
		return find_processor(trace, id, &lane->ref);
	}
	if (read_id(&words->thread, name, &id)) {
		lane->type = LANE_THREAD;
		return find_thread(trace, id, &lane->ref);
	}
	if (read_id(&words->task, name, &id)) {
		*lane = (struct lane){ LANE_TASK, lane_find_task(trace, id) };
		return lane->ref != REF_NONE;
	}
	*is_id = false;
	return false;
}

static bool
find_group(const struct trace *trace, const char *name, struct lane *lane)
{
	for (group_ref ref = 0; ref < trace->group_count; ref++) {
		if (!trace_text_is(trace, trace->groups[ref].name, name))
			continue;
		/* A group of one has no row but that of its member. */
		*lane = trace->groups[ref].count == 1
				? (struct lane){ LANE_ACTOR,
					  trace->group_members[trace->groups[ref].first] }
				: (struct lane){ LANE_GROUP, ref };
		return true;
	}
	return false;
}

bool
lane_name_find(const struct trace *trace, const char *name, struct lane *lane)
{
	bool is_id;
	for (size_t i = 0; i < ARRAY_LENGTH(single_rows); i++) {
		if (strcmp(single_rows[i].name, name) == 0) {
			*lane = (struct lane){ single_rows[i].type, 0 };
			return true;
		}
	}
	return find_by_id(trace, name, lane, &is_id) || (!is_id && find_group(trace, name, lane));
}
