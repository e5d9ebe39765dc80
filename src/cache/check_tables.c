/* The tables, which are checked as a whole when a cache is opened. */
#include "cache/check_internal.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "cache/form.h"

/* What a field of an item has to be. */
enum demand {
	BELOW,            /* smaller than a limit */
	BELOW_OR_NONE,    /* that, or REF_NONE */
	EARLIER_OR_NONE,  /* smaller than the item's own number, or REF_NONE */
	MOMENT,           /* a time of the trace */
	MOMENT_OR_OPEN,
	SMALL             /* one byte, smaller than a number */
};

enum limit { STRINGS, STACKS, FRAMES, ACTORS, PROCESSORS, THREADS, TASKS, RANGES, GROUPS, LIMITS };

struct rule {
	uint16_t table;  /* offset of the stable column in struct trace */
	uint16_t field;  /* offset in the item */
	uint16_t demand; /* enum demand */
	uint16_t limit;  /* enum limit, or for SMALL the number */
};

#define RULE(table_name, item, field_name, demand_name, limit_name)                                \
	{ offsetof(struct trace, table_name), offsetof(struct item, field_name), demand_name,      \
		limit_name }

static const struct rule rules[] = {
	RULE(actors, actor, name, BELOW, STRINGS),
	RULE(actors, actor, label, BELOW, STRINGS),
	RULE(actors, actor, first_ns, MOMENT, 0),
	RULE(actors, actor, end_ns, MOMENT_OR_OPEN, 0),
	RULE(actors, actor, creator, EARLIER_OR_NONE, 0),
	RULE(actors, actor, create_stack, BELOW, STACKS),
	RULE(actors, actor, group, BELOW, GROUPS),
	RULE(processors, resource, first_ns, MOMENT, 0),
	RULE(threads, resource, first_ns, MOMENT, 0),
	RULE(tasks, task, name, BELOW, STRINGS),
	RULE(tasks, task, parent, EARLIER_OR_NONE, 0),
	RULE(tasks, task, start_ns, MOMENT, 0),
	RULE(tasks, task, end_ns, MOMENT_OR_OPEN, 0),
	RULE(tasks, task, start_actor, BELOW_OR_NONE, ACTORS),
	RULE(tasks, task, end_actor, BELOW_OR_NONE, ACTORS),
	RULE(tasks, task, start_stack, BELOW, STACKS),
	RULE(tasks, task, end_stack, BELOW, STACKS),
	RULE(tasks, task, began_before, SMALL, 2),
	RULE(ranges, range, start_ns, MOMENT, 0),
	RULE(ranges, range, end_ns, MOMENT_OR_OPEN, 0),
	RULE(ranges, range, beginner, BELOW_OR_NONE, ACTORS),
	RULE(ranges, range, name, BELOW, STRINGS),
	RULE(ranges, range, start_stack, BELOW, STACKS),
	RULE(ranges, range, end_stack, BELOW, STACKS),
	RULE(ranges, range, task, BELOW_OR_NONE, TASKS),
	RULE(ranges, range, parent, EARLIER_OR_NONE, 0),
	RULE(ranges, range, type, SMALL, RANGE_TYPE_COUNT),
	RULE(ranges, range, began_before, SMALL, 2),
	RULE(ranges, range, ended_after, SMALL, 2),
	RULE(instants, instant, time_ns, MOMENT, 0),
	RULE(instants, instant, actor, BELOW_OR_NONE, ACTORS),
	RULE(instants, instant, processor, BELOW_OR_NONE, PROCESSORS),
	RULE(instants, instant, thread, BELOW_OR_NONE, THREADS),
	RULE(instants, instant, stack, BELOW, STACKS),
	RULE(instants, instant, category, BELOW, STRINGS),
	RULE(instants, instant, text, BELOW, STRINGS),
	RULE(instants, instant, task, BELOW_OR_NONE, TASKS),
	RULE(instants, instant, type, SMALL, INSTANT_TYPE_COUNT),
	RULE(stacks.frames, stack_frame, function, BELOW, STRINGS),
	RULE(stacks.frames, stack_frame, file, BELOW, STRINGS),
	RULE(alloc_types, alloc_type, name, BELOW, STRINGS),
};

static uint32_t
limit_of(const struct trace *trace, enum limit limit)
{
	switch (limit) {
	case STRINGS:
		return intern_count(&trace->strings);
	case STACKS:
		return trace->stacks.nodes.count;
	case FRAMES:
		return trace->stacks.frames.count;
	case ACTORS:
		return trace->actors.count;
	case PROCESSORS:
		return trace->processors.count;
	case THREADS:
		return trace->threads.count;
	case TASKS:
		return trace->tasks.count;
	case RANGES:
		return trace->ranges.count;
	case GROUPS:
		return trace->group_count;
	case LIMITS:
		break;
	}
	return 0;
}

static bool
are_refs(const char *at, const struct stable_column *table, uint32_t limit, bool or_none)
{
	bool ok = true;

	for (uint32_t i = 0; i < table->count; i++, at += table->item_size) {
		uint32_t ref;

		memcpy(&ref, at, sizeof(ref));
		ok &= ref < limit || (or_none && ref == REF_NONE);
	}
	return ok;
}

static bool
are_earlier(const char *at, const struct stable_column *table)
{
	bool ok = true;

	for (uint32_t i = 0; i < table->count; i++, at += table->item_size) {
		uint32_t ref;

		memcpy(&ref, at, sizeof(ref));
		ok &= ref < i || ref == REF_NONE;
	}
	return ok;
}

static bool
are_moments(const char *at, const struct stable_column *table, int64_t end_ns, bool or_open)
{
	bool ok = true;

	for (uint32_t i = 0; i < table->count; i++, at += table->item_size) {
		int64_t time_ns;

		memcpy(&time_ns, at, sizeof(time_ns));
		ok &= (time_ns >= 0 && time_ns <= end_ns) || (or_open && time_ns == TIME_OPEN);
	}
	return ok;
}

static bool
are_small(const char *at, const struct stable_column *table, unsigned limit)
{
	bool ok = true;

	for (uint32_t i = 0; i < table->count; i++, at += table->item_size)
		ok &= *(const unsigned char *)at < limit;
	return ok;
}

static bool
is_kept(const struct trace *trace, const struct rule *rule)
{
	const struct stable_column *table =
		(const void *)((const char *)trace + rule->table);
	const char *at;

	if (table->count == 0)
		return true;
	at = (const char *)stable_at(table, 0) + rule->field;
	switch ((enum demand)rule->demand) {
	case BELOW:
	case BELOW_OR_NONE:
		return are_refs(at, table, limit_of(trace, rule->limit),
			rule->demand == BELOW_OR_NONE);
	case EARLIER_OR_NONE:
		return are_earlier(at, table);
	case MOMENT:
	case MOMENT_OR_OPEN:
		return are_moments(at, table, trace->end_ns, rule->demand == MOMENT_OR_OPEN);
	case SMALL:
		return are_small(at, table, rule->limit);
	}
	return false;
}

static bool
are_rules_kept(const struct trace *trace)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
		if (!is_kept(trace, &rules[i]))
			return false;
	return true;
}

/* What a range is on depends on its type. */
static bool
are_scopes_fine(const struct trace *trace)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		uint32_t limit = range->type == RANGE_SWEEP ? trace->processors.count
		                                            : trace->actors.count;

		if ((range->scope >= limit && range->scope != REF_NONE) ||
		    (range->end_ns != TIME_OPEN && range->end_ns < range->start_ns))
			return false;
	}
	return true;
}

static bool
are_stacks_fine(const struct trace *trace)
{
	for (stack_id i = 1; i < trace->stacks.nodes.count; i++) {
		const struct stack_node *node = stable_at(&trace->stacks.nodes, i);

		if (node->parent >= i || node->frame >= trace->stacks.frames.count)
			return false;
	}
	return trace->stacks.nodes.count > 0;
}

static bool
are_kinds_fine(const struct trace *trace)
{
	if (trace->kind_count > KIND_MAX + 1)
		return false;
	for (uint32_t i = 0; i < trace->kind_count; i++) {
		const struct state_kind *kind = &trace->kinds[i];

		if (kind->state >= STATE_COUNT || kind->entry >= ENTRY_COUNT ||
		    kind->time_class >= CLASS_COUNT || kind->reason >= intern_count(&trace->strings))
			return false;
	}
	return true;
}

static bool
is_error_fine(const struct error *err)
{
	return err->kind <= ERROR_USAGE &&
	       memchr(err->message, '\0', sizeof(err->message)) != NULL;
}

static bool
is_damage_fine(const struct trace *trace)
{
	if (trace->damage.count > DAMAGE_ROWS_MAX)
		return false;
	for (uint32_t i = 0; i < trace->damage.count; i++) {
		const struct damage *row = &trace->damage.rows[i];

		if (row->cause >= DAMAGE_CAUSE_COUNT || !is_error_fine(&row->first) ||
		    row->from_ns < 0 || row->from_ns > row->to_ns || row->blank_ns < 0 ||
		    row->to_bytes < row->from_bytes)
			return false;
	}
	return true;
}

static bool
are_ids_ordered(const struct trace *trace)
{
	for (uint32_t i = 0; i < trace->actor_id_count; i++) {
		actor_ref ref = trace->actors_by_id[i];

		if (ref >= trace->actors.count ||
		    (i > 0 && trace_actor(trace, ref)->id <=
		                      trace_actor(trace, trace->actors_by_id[i - 1])->id))
			return false;
	}
	return true;
}

/* Beginnings ascend from 0; their last one is how many there are. */
bool
check_beginnings(const uint32_t *first, uint32_t key_count)
{
	if (first[0] != 0)
		return false;
	for (uint32_t i = 0; i < key_count; i++)
		if (first[i] > first[i + 1])
			return false;
	return true;
}

static bool
is_index_fine(const struct ref_index *index, uint32_t key_count, uint32_t limit)
{
	if (index->key_count != key_count || !check_beginnings(index->first, key_count))
		return false;
	for (uint32_t i = 0; i < index->first[key_count]; i++)
		if (index->refs[i] >= limit)
			return false;
	return true;
}

static bool
is_cover_fine(const struct trace *trace, const struct cover *cover)
{
	int64_t before_ns = 0, last_ns = 0;

	for (uint32_t i = 0; i < cover->count; i++) {
		if (cover->start_ns[i] < last_ns || cover->end_ns[i] < cover->start_ns[i] ||
		    cover->end_ns[i] > trace->end_ns || cover->before_ns[i] != before_ns ||
		    cover->range[i] >= trace->ranges.count)
			return false;
		last_ns = cover->end_ns[i];
		before_ns += cover->end_ns[i] - cover->start_ns[i];
	}
	return true;
}

static bool
are_ascending(const int64_t *times_ns, size_t count, int64_t end_ns)
{
	for (size_t i = 0; i < count; i++)
		if (times_ns[i] < (i == 0 ? 0 : times_ns[i - 1]) || times_ns[i] > end_ns)
			return false;
	return true;
}

static bool
is_wall_fine(const struct trace *trace)
{
	for (size_t i = 1; i < trace->wall.count; i++)
		if (trace->wall.points[i].trace_ns < trace->wall.points[i - 1].trace_ns)
			return false;
	return true;
}

/* All that was found in a cache stands in one piece. */
static bool
is_counter_fine(const struct counter *counter, int64_t end_ns)
{
	return counter_count(counter) == 0 ||
	       are_ascending(stable_at(&counter->time_ns, 0), counter_count(counter), end_ns);
}

static bool
are_indexes_fine(const struct trace *trace)
{
	uint32_t actors = trace->actors.count;
	bool ok = is_index_fine(&trace->actor_ranges, actors, trace->ranges.count) &&
		  is_index_fine(&trace->actor_instants, actors, trace->instants.count) &&
		  is_index_fine(
			  &trace->processor_sweeps, trace->processors.count, trace->ranges.count) &&
		  is_index_fine(&trace->assists, 1, trace->ranges.count) &&
		  is_cover_fine(trace, &trace->gc) && is_cover_fine(trace, &trace->stw);

	for (int i = 0; ok && i < COUNTER_COUNT; i++)
		ok = is_counter_fine(&trace->counters[i], trace->end_ns);
	ok = ok && trace->runtime_file < intern_count(&trace->strings);
	return ok && are_ids_ordered(trace) && is_wall_fine(trace);
}

/*
 * The table of its blocks; what is in them comes later. A block has room for its heads, and
 * between nothing and a change for changes there is nothing.
 */
static bool
are_blocks_fine(const struct trace *trace, const struct change_list *list)
{
	for (size_t i = 0; i < list->block_count; i++) {
		const struct change_block *block = &list->blocks[i];
		uint64_t end = i + 1 < list->block_count ? block[1].offset : list->byte_count;
		uint64_t heads = check_heads(block);

		if (block->start_ns < (i == 0 ? 0 : block[-1].start_ns) ||
		    block->start_ns > trace->end_ns || (i == 0 && block->offset != 0) ||
		    (block->classes & ~CLASS_MASK_ALL) != 0 || block->classes >> CLASS_COUNT != 0 ||
		    end > list->byte_count || end < block->offset + heads ||
		    end == block->offset + heads + 1)
			return false;
	}
	return list->block_count > 0 || list->byte_count == 0;
}

static bool
is_list_fine(const struct trace *trace, const struct change_list *list)
{
	for (int i = 0; i < CLASS_COUNT; i++)
		if (!are_ascending(list->late[i].mention_ns, list->late[i].count, trace->end_ns))
			return false;
	return list->byte_count <= UINT32_MAX && are_blocks_fine(trace, list);
}

static bool
are_groups_fine(const struct trace *trace)
{
	uint64_t first = 0;

	for (group_ref g = 0; g < trace->group_count; g++) {
		const struct group *group = &trace->groups[g];

		if (group->name >= intern_count(&trace->strings) || group->first != first ||
		    group->count == 0 || group->count > trace->actors.count - first ||
		    (group->count == 1) != (group->changes == NULL))
			return false;
		first += group->count;
		for (uint32_t i = group->first; i < first; i++)
			if (trace->group_members[i] >= trace->actors.count ||
			    trace_actor(trace, trace->group_members[i])->group != g)
				return false;
	}
	return first == trace->actors.count;
}

static bool
are_lists_fine(const struct trace *trace)
{
	for (size_t i = 0; i < form_list_count(trace); i++)
		if (form_list(trace, i) != NULL && !is_list_fine(trace, form_list(trace, i)))
			return false;
	for (uint32_t i = 0; i < trace->all.part_count; i++)
		if (trace->all.parts[i].from_ns < 0 || trace->all.parts[i].from_ns > trace->end_ns)
			return false;
	return true;
}

/* Segments do not overlap, and say right what is before them. */
static bool
are_segments_fine(const struct trace *trace)
{
	uint64_t wakes[WAKE_ROW_COUNT] = { 0 };
	int64_t last_ns = 0;

	for (uint32_t i = 0; i < trace->segments.count; i++) {
		const struct segment *segment = trace_segment_head(trace, i);

		if (segment->base_ns < last_ns || segment->end_ns < segment->base_ns ||
		    segment->end_ns > trace->end_ns || !check_runs(trace, segment, last_ns))
			return false;
		last_ns = segment->end_ns;
		for (int row = 0; row < WAKE_ROW_COUNT; row++) {
			if (segment->wakes[row].before != wakes[row])
				return false;
			wakes[row] += segment->wakes[row].count;
		}
	}
	return memcmp(wakes, trace->wake_totals, sizeof(wakes)) == 0;
}

bool
check_tables(const struct trace *trace)
{
	return trace->end_ns >= 0 && trace->end_ns <= FORM_LONGEST_NS && are_rules_kept(trace) &&
	       are_scopes_fine(trace) && are_stacks_fine(trace) && are_kinds_fine(trace) &&
	       is_damage_fine(trace) && are_indexes_fine(trace) && are_groups_fine(trace) &&
	       are_lists_fine(trace) && are_segments_fine(trace) && check_directory(trace);
}
