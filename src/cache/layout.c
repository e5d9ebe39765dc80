/* The tables of what is stored. */
#include "cache/layout.h"

#include <string.h>

#include "base/compiler.h"
#include "cache/checksum.h"
#include "trace/trace.h"

#define FIELD(owner, name) { offsetof(struct owner, name), sizeof(((struct owner *)0)->name) }
#define COLUMN_BY(owner, name, count_name, how)                                                    \
	{                                                                                          \
		.pointer = offsetof(struct owner, name),                                           \
		.count = offsetof(struct owner, count_name),                                       \
		.count_size = sizeof(((struct owner *)0)->count_name),                             \
		.item_size = sizeof(*((struct owner *)0)->name), .rule = how                       \
	}
#define COLUMN(owner, name, count_name) COLUMN_BY(owner, name, count_name, LAYOUT_COUNT)
/* Two columns: beginnings by key, one more of them at the end, and the items. */
#define INDEX(owner, name, items)                                                                  \
	COLUMN_BY(owner, name.first, name.key_count, LAYOUT_COUNT_AND_ONE),                        \
		COLUMN_BY(owner, name.items, name.key_count, LAYOUT_LAST_ITEM)
#define STABLE_BY(name, count_name, type)                                                          \
	{                                                                                          \
		.pointer = offsetof(struct trace, name),                                           \
		.count = offsetof(struct trace, count_name), .count_size = sizeof(uint32_t),       \
		.item_size = sizeof(type), .rule = LAYOUT_COUNT, .is_stable = true                 \
	}
#define STABLE(name, item) STABLE_BY(name, name.count, struct item)
#define STATE_LIST(name, count_name)                                                               \
	COLUMN_BY(segment, name.narrow, count_name, LAYOUT_NARROW),                                \
		COLUMN_BY(segment, name.wide, count_name, LAYOUT_WIDE)
#define LAYOUT(name)                                                                               \
	{                                                                                          \
		name##_fields, ARRAY_LENGTH(name##_fields), name##_columns,                        \
			ARRAY_LENGTH(name##_columns)                                               \
	}
#define LAYOUT_OF_COLUMNS(name) { NULL, 0, name##_columns, ARRAY_LENGTH(name##_columns) }

#define EACH_COUNTER(macro) macro(0), macro(1), macro(2)
#define EACH_WAKE_ROW(macro) macro(0), macro(1), macro(2)
#define EACH_CLASS(macro)                                                                          \
	macro(0), macro(1), macro(2), macro(3), macro(4), macro(5), macro(6), macro(7), macro(8),  \
		macro(9), macro(10), macro(11), macro(12), macro(13), macro(14)
_Static_assert(COUNTER_COUNT == 3 && WAKE_ROW_COUNT == 3 && CLASS_COUNT == 15,
	"the macros above name all of them");

#define COUNTER_FIELDS(i) FIELD(trace, counters[i].time_ns.count)
#define COVER_FIELDS(name) FIELD(trace, name.count)

static const struct layout_field trace_fields[] = {
	FIELD(trace, kinds),
	FIELD(trace, kind_count),
	FIELD(trace, actors.count),
	FIELD(trace, processors.count),
	FIELD(trace, threads.count),
	FIELD(trace, tasks.count),
	FIELD(trace, ranges.count),
	FIELD(trace, instants.count),
	FIELD(trace, segments.count),
	FIELD(trace, stacks.frames.count),
	FIELD(trace, stacks.nodes.count),
	FIELD(trace, strings.entries.count),
	FIELD(trace, alloc_types.count),
	EACH_COUNTER(COUNTER_FIELDS),
	FIELD(trace, allocs),
	FIELD(trace, wake_totals),
	FIELD(trace, directory.actors.key_count),
	FIELD(trace, directory.processors.key_count),
	FIELD(trace, directory.threads.key_count),
	FIELD(trace, actor_ranges.key_count),
	FIELD(trace, actor_instants.key_count),
	FIELD(trace, processor_sweeps.key_count),
	FIELD(trace, assists.key_count),
	COVER_FIELDS(gc),
	COVER_FIELDS(stw),
	FIELD(trace, group_count),
	FIELD(trace, all.part_count),
	FIELD(trace, origin_ns),
	FIELD(trace, end_ns),
	FIELD(trace, event_count),
	FIELD(trace, generation_count),
	FIELD(trace, go_minor),
	FIELD(trace, runtime_file),
	FIELD(trace, wall.count),
	FIELD(trace, damage),
	FIELD(trace, read_bytes),
	FIELD(trace, wire_counts),
	FIELD(trace, experimental_batches),
};

#define COUNTER_COLUMNS(i)                                                                         \
	STABLE_BY(counters[i].time_ns, counters[i].time_ns.count, int64_t),                        \
		STABLE_BY(counters[i].value, counters[i].time_ns.count, uint64_t),                 \
		COLUMN_BY(trace, counters[i].block_least, counters[i].time_ns.count,               \
			LAYOUT_COUNTER_BLOCKS),                                                    \
		COLUMN_BY(trace, counters[i].block_greatest, counters[i].time_ns.count,            \
			LAYOUT_COUNTER_BLOCKS)
#define COVER_COLUMNS(name)                                                                        \
	COLUMN(trace, name.start_ns, name.count), COLUMN(trace, name.end_ns, name.count),          \
		COLUMN(trace, name.before_ns, name.count), COLUMN(trace, name.range, name.count)

static const struct layout_column trace_columns[] = {
	STABLE(actors, actor),
	STABLE(processors, resource),
	STABLE(threads, resource),
	STABLE(tasks, task),
	STABLE(ranges, range),
	STABLE(instants, instant),
	STABLE(stacks.frames, stack_frame),
	STABLE(stacks.nodes, stack_node),
	STABLE(alloc_types, alloc_type),
	EACH_COUNTER(COUNTER_COLUMNS),
	INDEX(trace, directory.actors, runs),
	INDEX(trace, directory.processors, runs),
	INDEX(trace, directory.threads, runs),
	INDEX(trace, actor_ranges, refs),
	INDEX(trace, actor_instants, refs),
	INDEX(trace, processor_sweeps, refs),
	INDEX(trace, assists, refs),
	COVER_COLUMNS(gc),
	COVER_COLUMNS(stw),
	COLUMN(trace, group_members, actors.count),
	COLUMN(trace, wall.points, wall.count),
};

static const struct layout_field group_fields[] = {
	FIELD(group, name),
	FIELD(group, first),
	FIELD(group, count),
};

static const struct layout_field part_fields[] = {
	FIELD(change_part, from_ns),
	FIELD(change_part, before_ns),
};

#define LATE_FIELDS(i) FIELD(change_list, late[i].count)
#define LATE_COLUMNS(i)                                                                            \
	COLUMN(change_list, late[i].mention_ns, late[i].count),                                    \
		COLUMN(change_list, late[i].before_ns, late[i].count)

static const struct layout_field list_fields[] = {
	FIELD(change_list, block_count),
	FIELD(change_list, byte_count),
	EACH_CLASS(LATE_FIELDS),
};

static const struct layout_column list_columns[] = {
	COLUMN(change_list, blocks, block_count),
	EACH_CLASS(LATE_COLUMNS),
};

static const struct layout_column list_body_columns[] = {
	COLUMN(change_list, bytes, byte_count),
};

#define WAKE_FIELDS(i) FIELD(segment, wakes[i].count), FIELD(segment, wakes[i].before)
#define WAKE_COLUMNS(i) STATE_LIST(wakes[i].states, wakes[i].count)
#define RESOURCE_FIELDS(name)                                                                      \
	FIELD(segment, name.run_count), FIELD(segment, name.entry_count),                          \
		FIELD(segment, name.cut_count), FIELD(segment, name.checkpoint_count)
#define RESOURCE_COLUMNS(name)                                                                     \
	STATE_LIST(name.entries, name.entry_count),                                                \
		COLUMN(segment, name.checkpoints, name.checkpoint_count),                          \
		COLUMN(segment, name.cuts, name.cut_count)

static const struct layout_field segment_fields[] = {
	FIELD(segment, base_ns),
	FIELD(segment, end_ns),
	FIELD(segment, state_count),
	FIELD(segment, site_count),
	FIELD(segment, run_count),
	FIELD(segment, past_count),
	FIELD(segment, anchor_count),
	FIELD(segment, carry_count),
	FIELD(segment, checkpoint_count),
	RESOURCE_FIELDS(processors),
	RESOURCE_FIELDS(threads),
	EACH_WAKE_ROW(WAKE_FIELDS),
};

static const struct layout_column segment_columns[] = {
	COLUMN_BY(segment, runs, run_count, LAYOUT_COUNT_AND_ONE),
	COLUMN(segment, pasts, past_count),
	COLUMN(segment, anchors, anchor_count),
	COLUMN(segment, carries, carry_count),
	COLUMN(segment, processors.runs, processors.run_count),
	COLUMN(segment, threads.runs, threads.run_count),
};

static const struct layout_column segment_body_columns[] = {
	COLUMN(segment, start, state_count),
	COLUMN(segment, kind, state_count),
	COLUMN(segment, site, state_count),
	COLUMN(segment, sites, site_count),
	COLUMN(segment, checkpoints, checkpoint_count),
	RESOURCE_COLUMNS(processors),
	RESOURCE_COLUMNS(threads),
	EACH_WAKE_ROW(WAKE_COLUMNS),
};

const struct layout layout_trace = LAYOUT(trace);
const struct layout layout_group = { group_fields, ARRAY_LENGTH(group_fields), NULL, 0 };
const struct layout layout_part = { part_fields, ARRAY_LENGTH(part_fields), NULL, 0 };
const struct layout layout_list = LAYOUT(list);
const struct layout layout_list_body = LAYOUT_OF_COLUMNS(list_body);
const struct layout layout_segment = LAYOUT(segment);
const struct layout layout_segment_body = LAYOUT_OF_COLUMNS(segment_body);

static bool
is_narrow(const struct segment *segment)
{
	return segment->state_count <= SEGMENT_NARROW;
}

uint64_t
layout_count_of(const struct layout_column *column, const void *owner, uint64_t before)
{
	const char *field = (const char *)owner + column->count;
	uint32_t narrow;
	uint64_t count;

	if (column->count_size == sizeof(narrow)) {
		memcpy(&narrow, field, sizeof(narrow));
		count = narrow;
	} else {
		memcpy(&count, field, sizeof(count));
	}
	switch ((enum layout_count)column->rule) {
	case LAYOUT_COUNT:
		break;
	case LAYOUT_COUNT_AND_ONE:
		return count + 1;
	case LAYOUT_LAST_ITEM:
		return before;
	case LAYOUT_COUNTER_BLOCKS:
		return count / COUNTER_BLOCK + (count % COUNTER_BLOCK != 0);
	case LAYOUT_NARROW:
		return is_narrow(owner) ? count : 0;
	case LAYOUT_WIDE:
		return is_narrow(owner) ? 0 : count;
	}
	return count;
}

void *
layout_pointer(const struct layout_column *column, const void *owner)
{
	void *pointer;

	memcpy(&pointer, (const char *)owner + column->pointer, sizeof(pointer));
	return pointer;
}

void
layout_set_pointer(const struct layout_column *column, void *owner, void *items)
{
	memcpy((char *)owner + column->pointer, &items, sizeof(items));
}

uint64_t
layout_fingerprint(void)
{
	static const struct layout *const all[] = { &layout_trace, &layout_group, &layout_part,
		&layout_list, &layout_list_body, &layout_segment, &layout_segment_body };
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		sum = checksum_more(
			sum, all[i]->fields, all[i]->field_count * sizeof(*all[i]->fields));
		sum = checksum_more(
			sum, all[i]->columns, all[i]->column_count * sizeof(*all[i]->columns));
	}
	return sum;
}
