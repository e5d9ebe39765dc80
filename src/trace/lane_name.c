/* Lanes to names and back. */
#include "trace/lane_name.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"

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
	text_format(out, "G%" PRId64, trace_actor(trace, first)->id);
}

void
lane_name_add(struct text *out, const struct trace *trace, struct lane lane)
{
	size_t length;
	const char *name;
	switch (lane.type) {
	case LANE_ACTOR:
		text_format(out, "G%" PRId64, trace_actor(trace, lane.ref)->id);
		return;
	case LANE_PROCESSOR:
		text_format(out, "P%" PRId64, trace_processor(trace, lane.ref)->id);
		return;
	case LANE_THREAD:
		text_format(out, "M%" PRId64, trace_thread(trace, lane.ref)->id);
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
		text_format(out, "T%" PRId64, trace_task(trace, lane.ref)->id);
		return;
	}
}

/* The number behind a letter; false for anything else. */
static bool
read_id(const char *digits, int64_t *id)
{
	*id = 0;
	if (*digits == '\0')
		return false;
	for (; *digits >= '0' && *digits <= '9'; digits++) {
		if (*id > (INT64_MAX - 9) / 10)
			return false;
		*id = *id * 10 + (*digits - '0');
	}
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

static bool
find_by_id(const struct trace *trace, char letter, int64_t id, struct lane *lane)
{
	switch (letter) {
	case 'G':
		*lane = (struct lane){ LANE_ACTOR, trace_find_actor(trace, id) };
		return lane->ref != REF_NONE;
	case 'P':
		lane->type = LANE_PROCESSOR;
		return find_processor(trace, id, &lane->ref);
	case 'M':
		lane->type = LANE_THREAD;
		return find_thread(trace, id, &lane->ref);
	case 'T':
		*lane = (struct lane){ LANE_TASK, lane_find_task(trace, id) };
		return lane->ref != REF_NONE;
	}
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
	int64_t id;
	for (size_t i = 0; i < ARRAY_LENGTH(single_rows); i++) {
		if (strcmp(single_rows[i].name, name) == 0) {
			*lane = (struct lane){ single_rows[i].type, 0 };
			return true;
		}
	}
	if (*name != '\0' && strchr("GPMT", *name) != NULL && read_id(name + 1, &id))
		return find_by_id(trace, *name, id, lane);
	return find_group(trace, name, lane);
}
