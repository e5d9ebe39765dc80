/* A short list: it is searched from end to end. */
#include "draw/lane_picks.h"

#include <string.h>

#include "base/memory.h"
#include "trace/lane_name.h"

static struct lane_pick
pick_of(const struct trace *trace, struct lane lane)
{
	if (lane.type != LANE_GROUP)
		return (struct lane_pick){ .type = lane.type, .key = lane.ref };
	return (struct lane_pick){ lane.type, trace_grouped_by(trace),
		trace_group_key(trace, lane.ref) };
}

bool
lane_picks_has(const struct lane_picks *picks, const struct trace *trace, struct lane lane)
{
	if (picks->count == 0)
		return false;
	struct lane_pick wanted = pick_of(trace, lane);
	for (size_t i = 0; i < picks->count; i++) {
		const struct lane_pick *pick = &picks->items[i];
		if (pick->type == wanted.type && pick->by == wanted.by && pick->key == wanted.key)
			return true;
	}
	return false;
}

bool
lane_picks_add(struct lane_picks *picks, const struct trace *trace, struct lane lane,
	struct error *err)
{
	if (lane_picks_has(picks, trace, lane))
		return true;
	if (!array_reserve(&picks->items, &picks->capacity, picks->count + 1, sizeof *picks->items,
		    err))
		return false;
	picks->items[picks->count++] = pick_of(trace, lane);
	return true;
}

bool
lane_picks_add_name(struct lane_picks *picks, const struct trace *trace, const char *name,
	struct error *err)
{
	struct lane lane;
	if (!lane_name_find(trace, name, &lane) || lane.type > LANE_GROUP)
		return error_set(
			err, ERROR_USAGE, "--hide-row=%s: the trace has no such row to hide", name);
	return lane_picks_add(picks, trace, lane, err);
}

void
lane_picks_release(struct lane_picks *picks)
{
	memory_free(picks->items);
	*picks = (struct lane_picks){ 0 };
}

/* The group by function of that name in the trace as it came; false for none. */
static bool
find_group(const struct trace *trace, string_id name, group_ref *group)
{
	for (*group = 0; *group < trace->group_count; (*group)++) {
		if (trace->groups[*group].name == name)
			return true;
	}
	return false;
}

void
lane_picks_add_options(const struct lane_picks *picks, const struct trace *trace,
	void (*add_word)(struct text *out, const char *word), struct text *out)
{
	const struct trace *plain = trace_ungrouped(trace);
	for (size_t i = 0; i < picks->count; i++) {
		struct lane lane = { picks->items[i].type, picks->items[i].key };
		struct text name = { 0 };
		bool has_name = lane.type != LANE_GROUP ||
				(picks->items[i].by == GROUP_BY_NAME &&
					find_group(plain, picks->items[i].key, &lane.ref));
		if (has_name)
			lane_name_add(&name, plain, lane);
		if (name.length > 0 && strlen(name.bytes) == name.length) {
			text_add_string(out, " --hide-row=");
			add_word(out, name.bytes);
		}
		text_release(&name);
	}
}
