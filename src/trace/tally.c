/* Sums of what has ended, and rows of what goes on. */
#include "trace/tally.h"

#include <string.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "trace/words.h"

enum { REASONS = 256 }; /* whose class is remembered */

/* An actor that has not ended. */
struct row {
	int64_t id;
	uint32_t serial; /* in the order of first mention; 0 is free */
	uint32_t next_free;
	string_id name;
	bool has_state, is_worker, has_delay;
	enum state state;
	enum time_class time_class;
	int64_t first_ns, since_ns;
	int64_t totals_ns[CLASS_COUNT];
	int64_t delay_start_ns, delay_end_ns;
	bool delay_is_open;
};

struct tallied_group {
	string_id name;
	int64_t id;      /* of the actor with the delay, else of the first that ended */
	uint32_t serial; /* of that one */
	actor_ref actor; /* that stands for it in the trace */
	struct tally_group sums;
};

struct open_range {
	struct tally_scope scope;
	int64_t start_ns;
	uint32_t serial;
};

/* Ranges of one type. */
struct tallied_ranges {
	struct tally_ranges sums;
	uint32_t open_count, serial, longest_serial;
	string_id longest_name;
	int64_t covered_from_ns; /* since when there is one, while there is */
};

struct tallier {
	struct trace *trace;
	int64_t t0_ns, t1_ns;
	struct row *rows;
	size_t row_count, row_capacity;
	uint32_t first_free, serial;
	struct map row_of; /* id -> row */
	struct tallied_group *groups;
	size_t group_count, group_capacity;
	struct map group_of; /* name -> index in groups */
	uint32_t alive_at_end;
	struct open_range *open;
	size_t open_count, open_capacity;
	struct tallied_ranges gc, stw;
	struct {
		string_id reason; /* empty for none */
		enum time_class time_class;
	} reasons[REASONS];
};

struct tallier *
tallier_new(struct trace *trace, int64_t t0_ns, int64_t t1_ns, struct error *err)
{
	struct tallier *tallier = array_new(1, sizeof(*tallier), err);

	if (tallier == NULL)
		return NULL;
	tallier->trace = trace;
	tallier->t0_ns = t0_ns;
	tallier->t1_ns = t1_ns;
	tallier->first_free = REF_NONE;
	return tallier;
}

void
tallier_free(struct tallier *tallier)
{
	if (tallier == NULL)
		return;
	memory_free(tallier->rows);
	map_release(&tallier->row_of);
	memory_free(tallier->groups);
	map_release(&tallier->group_of);
	memory_free(tallier->open);
	memory_free(tallier);
}

void
tally_release(struct tally *tally)
{
	memory_free(tally->groups);
	*tally = (struct tally){ 0 };
}

/* ---- the interval */

/* What of [start, end) lies within it; less than 0 for none. */
static int64_t
within(const struct tallier *tallier, int64_t start_ns, int64_t end_ns)
{
	if (start_ns < tallier->t0_ns)
		start_ns = tallier->t0_ns;
	if (end_ns > tallier->t1_ns)
		end_ns = tallier->t1_ns;
	return end_ns - start_ns;
}

static int64_t
clipped(const struct tallier *tallier, int64_t t_ns)
{
	if (t_ns < tallier->t0_ns)
		return tallier->t0_ns;
	return t_ns > tallier->t1_ns ? tallier->t1_ns : t_ns;
}

/* ---- actors */

bool
tallier_create(struct tallier *tallier, int64_t id, uint32_t *row, struct error *err)
{
	uint32_t added = tallier->first_free;

	if (added != REF_NONE) {
		tallier->first_free = tallier->rows[added].next_free;
	} else {
		if (!array_reserve(&tallier->rows, &tallier->row_capacity, tallier->row_count + 1,
		                   sizeof(*tallier->rows), err))
			return false;
		added = (uint32_t)tallier->row_count++;
	}
	tallier->rows[added] = (struct row){ .id = id, .serial = ++tallier->serial };
	*row = added;
	return map_put(&tallier->row_of, (uint64_t)id, added, err);
}

bool
tallier_actor(struct tallier *tallier, int64_t id, uint32_t *row, struct error *err)
{
	*row = map_find(&tallier->row_of, (uint64_t)id);
	return *row != MAP_NONE || tallier_create(tallier, id, row, err);
}

void
tallier_name(struct tallier *tallier, uint32_t index, string_id name)
{
	struct row *row = &tallier->rows[index];
	size_t length;

	if (row->name != STRING_EMPTY || name == STRING_EMPTY)
		return;
	row->name = name;
	const char *text = trace_text(tallier->trace, name, &length);
	row->is_worker = row->is_worker || words_name_worker(tallier->trace->words, text, length);
}

/* The state ends, or it goes on to the end of the trace. */
static void
end_state(const struct tallier *tallier, struct row *row, int64_t now_ns, bool is_open)
{
	int64_t time_ns = within(tallier, row->since_ns, now_ns);

	if (!row->has_state || time_ns <= 0)
		return;
	row->totals_ns[row->time_class] += time_ns;
	if (row->state != STATE_READY ||
	    (row->has_delay && time_ns <= row->delay_end_ns - row->delay_start_ns))
		return;
	row->has_delay = true;
	row->delay_start_ns = clipped(tallier, row->since_ns);
	row->delay_end_ns = clipped(tallier, now_ns);
	row->delay_is_open = is_open;
}

static bool
group_of(struct tallier *tallier, string_id name, struct tallied_group **group,
         struct error *err)
{
	uint32_t index = map_find(&tallier->group_of, name);

	if (index == MAP_NONE) {
		index = (uint32_t)tallier->group_count;
		if (!array_reserve(&tallier->groups, &tallier->group_capacity,
		                   tallier->group_count + 1, sizeof(*tallier->groups), err) ||
		    !map_put(&tallier->group_of, name, index, err))
			return false;
		tallier->groups[tallier->group_count++] = (struct tallied_group){ .name = name };
	}
	*group = &tallier->groups[index];
	return true;
}

/* Of delays that are as long the first actor's counts, in the order of their mention. */
static void
take_delay(struct tallied_group *group, const struct row *row)
{
	int64_t delay_ns = row->delay_end_ns - row->delay_start_ns;
	int64_t longest_ns = group->sums.delay.end_ns - group->sums.delay.start_ns;

	if (!row->has_delay ||
	    (group->sums.has_delay && (delay_ns < longest_ns ||
	                               (delay_ns == longest_ns && row->serial > group->serial))))
		return;
	group->id = row->id;
	group->serial = row->serial;
	group->sums.has_delay = true;
	group->sums.delay = (struct span){
		.start_ns = row->delay_start_ns,
		.end_ns = row->delay_end_ns,
		.is_open = row->delay_is_open,
	};
}

/* All is known of the actor, which lived until end_ns, or lives on. */
static bool
fold(struct tallier *tallier, const struct row *row, int64_t end_ns, bool lives_on,
     struct error *err)
{
	struct tallied_group *group;

	if (!row->has_state)
		return true;
	tallier->alive_at_end +=
		row->first_ns <= tallier->t1_ns && (lives_on || end_ns > tallier->t1_ns);
	if (row->first_ns >= tallier->t1_ns ||
	    (end_ns <= tallier->t0_ns && row->first_ns != end_ns))
		return true;
	if (!group_of(tallier, row->name, &group, err))
		return false;
	if (group->sums.count++ == 0)
		group->id = row->id;
	for (int i = 0; i < CLASS_COUNT; i++)
		group->sums.totals_ns[i] = saturating_add_i64(group->sums.totals_ns[i],
		                                              row->totals_ns[i]);
	take_delay(group, row);
	return true;
}

static bool
end_actor(struct tallier *tallier, uint32_t index, int64_t now_ns, struct error *err)
{
	struct row *row = &tallier->rows[index];

	if (!fold(tallier, row, now_ns, false, err))
		return false;
	if (map_find(&tallier->row_of, (uint64_t)row->id) == index)
		map_remove(&tallier->row_of, (uint64_t)row->id);
	*row = (struct row){ .next_free = tallier->first_free };
	tallier->first_free = index;
	return true;
}

static enum time_class
class_of(struct tallier *tallier, const struct row *row, enum state state, string_id reason)
{
	const char *text;
	size_t length;

	if (state != STATE_BLOCKED)
		return words_class(tallier->trace->words, state, row->is_worker, "", 0);
	if (tallier->reasons[reason % REASONS].reason != reason ||
	    tallier->reasons[reason % REASONS].time_class == CLASS_GONE) {
		text = trace_text(tallier->trace, reason, &length);
		tallier->reasons[reason % REASONS].reason = reason;
		tallier->reasons[reason % REASONS].time_class =
			words_class(tallier->trace->words, state, row->is_worker, text, length);
	}
	return tallier->reasons[reason % REASONS].time_class;
}

bool
tallier_state(struct tallier *tallier, uint32_t index, struct tally_state state,
              int64_t now_ns, struct error *err)
{
	struct row *row = &tallier->rows[index];

	end_state(tallier, row, now_ns, false);
	row->since_ns = now_ns;
	if (!row->has_state) {
		row->has_state = true;
		row->first_ns = row->since_ns = state.is_old ? 0 : now_ns;
	}
	row->state = state.state;
	row->time_class = class_of(tallier, row, state.state, state.reason);
	return state.state != STATE_GONE || end_actor(tallier, index, now_ns, err);
}

void
tallier_worker(struct tallier *tallier, uint32_t index, int64_t now_ns)
{
	struct row *row = &tallier->rows[index];

	if (row->is_worker)
		return;
	row->is_worker = true;
	if (!row->has_state || row->state != STATE_RUNNING)
		return;
	end_state(tallier, row, now_ns, false);
	row->since_ns = now_ns;
	row->time_class = CLASS_WORKER;
}

/* ---- ranges */

static struct tallied_ranges *
ranges_of(struct tallier *tallier, const struct tally_scope *scope)
{
	return scope->type == RANGE_GC_MARK ? &tallier->gc : &tallier->stw;
}

/* The innermost of its kind, or open_count. */
static size_t
find_open(const struct tallier *tallier, const struct tally_scope *scope)
{
	for (size_t i = tallier->open_count; i > 0; i--) {
		const struct tally_scope *open = &tallier->open[i - 1].scope;

		if (open->type == scope->type && open->actor == scope->actor)
			return i - 1;
	}
	return tallier->open_count;
}

bool
tallier_range_is_open(const struct tallier *tallier, const struct tally_scope *scope)
{
	return find_open(tallier, scope) < tallier->open_count;
}

bool
tallier_range_begin(struct tallier *tallier, const struct tally_scope *scope,
                    bool began_before, int64_t now_ns, struct error *err)
{
	struct tallied_ranges *ranges = ranges_of(tallier, scope);

	if (!array_reserve(&tallier->open, &tallier->open_capacity, tallier->open_count + 1,
	                   sizeof(*tallier->open), err))
		return false;
	tallier->open[tallier->open_count++] = (struct open_range){
		.scope = *scope,
		.start_ns = began_before ? 0 : now_ns,
		.serial = ++ranges->serial,
	};
	if (began_before) {
		ranges->sums.covered_ns = 0;
		ranges->covered_from_ns = 0;
	} else if (ranges->open_count == 0) {
		ranges->covered_from_ns = now_ns;
	}
	ranges->open_count++;
	return true;
}

static void
cover(const struct tallier *tallier, struct tallied_ranges *ranges, int64_t until_ns)
{
	int64_t time_ns = within(tallier, ranges->covered_from_ns, until_ns);

	if (time_ns > 0)
		ranges->sums.covered_ns += time_ns;
	ranges->covered_from_ns = until_ns;
}

/* One is over, or lasts to the end. Of those that are as long the first that began counts. */
static void
take_range(const struct tallier *tallier, struct tallied_ranges *ranges,
           const struct open_range *range, int64_t end_ns)
{
	int64_t time_ns = clipped(tallier, end_ns) - clipped(tallier, range->start_ns);

	if (range->start_ns >= tallier->t1_ns || end_ns < tallier->t0_ns)
		return;
	if (ranges->sums.count++ > 0 &&
	    (time_ns < ranges->sums.longest_ns ||
	     (time_ns == ranges->sums.longest_ns && range->serial > ranges->longest_serial)))
		return;
	ranges->sums.longest_ns = time_ns;
	ranges->sums.longest_start_ns = clipped(tallier, range->start_ns);
	ranges->longest_serial = range->serial;
	ranges->longest_name = range->scope.name;
}

void
tallier_range_end(struct tallier *tallier, const struct tally_scope *scope, int64_t now_ns)
{
	struct tallied_ranges *ranges = ranges_of(tallier, scope);
	size_t at = find_open(tallier, scope);
	struct open_range range = { .scope = *scope };

	if (at < tallier->open_count) {
		range = tallier->open[at];
		memmove(&tallier->open[at], &tallier->open[at + 1],
		        (--tallier->open_count - at) * sizeof(*tallier->open));
		if (--ranges->open_count == 0)
			cover(tallier, ranges, now_ns);
	} else {
		/* It covers all up to here. */
		range.serial = ++ranges->serial;
		ranges->sums.covered_ns = 0;
		ranges->covered_from_ns = 0;
		cover(tallier, ranges, now_ns);
	}
	take_range(tallier, ranges, &range, now_ns);
}

/* ---- the end */

static void
finish_ranges(struct tallier *tallier, int64_t end_ns)
{
	for (size_t i = 0; i < tallier->open_count; i++)
		take_range(tallier, ranges_of(tallier, &tallier->open[i].scope),
		           &tallier->open[i], end_ns);
	if (tallier->gc.open_count > 0)
		cover(tallier, &tallier->gc, end_ns);
	if (tallier->stw.open_count > 0)
		cover(tallier, &tallier->stw, end_ns);
}

static bool
finish_actors(struct tallier *tallier, int64_t end_ns, struct error *err)
{
	for (size_t i = 0; i < tallier->row_count; i++) {
		struct row *row = &tallier->rows[i];

		if (row->serial == 0)
			continue;
		end_state(tallier, row, end_ns, true);
		if (!fold(tallier, row, end_ns, true, err))
			return false;
	}
	return true;
}

/* The range as far as a summary tells of it. */
static bool
add_longest(struct tallier *tallier, struct tallied_ranges *ranges, enum range_type type,
            struct error *err)
{
	struct range *range;

	ranges->sums.longest = REF_NONE;
	if (ranges->sums.count == 0)
		return true;
	range = stable_append(&tallier->trace->ranges, err);
	if (range == NULL)
		return false;
	*range = (struct range){
		.type = (uint8_t)type,
		.name = ranges->longest_name,
		.start_ns = ranges->sums.longest_start_ns,
		.end_ns = ranges->sums.longest_start_ns + ranges->sums.longest_ns,
		.scope = REF_NONE,
		.beginner = REF_NONE,
		.task = REF_NONE,
		.parent = REF_NONE,
	};
	ranges->sums.longest = tallier->trace->ranges.count - 1;
	return true;
}

bool
tallier_finish(struct tallier *tallier, int64_t end_ns, struct builder *builder,
               struct error *err)
{
	if (tallier->t1_ns > end_ns)
		tallier->t1_ns = end_ns > 0 ? end_ns : 1;
	finish_ranges(tallier, end_ns);
	if (!finish_actors(tallier, end_ns, err) ||
	    !add_longest(tallier, &tallier->gc, RANGE_GC_MARK, err) ||
	    !add_longest(tallier, &tallier->stw, RANGE_STW, err))
		return false;
	for (size_t i = 0; i < tallier->group_count; i++) {
		struct tallied_group *group = &tallier->groups[i];

		if (!builder_create(builder, group->id, REF_NONE, STACK_NONE, &group->actor, err))
			return false;
		trace_actor(tallier->trace, group->actor)->name = group->name;
		group->sums.delay.actor = group->actor;
	}
	return true;
}

bool
tallier_result(struct tallier *tallier, struct tally *tally, struct error *err)
{
	struct trace *trace = tallier->trace;

	*tally = (struct tally){
		.groups = array_new(trace->group_count, sizeof(*tally->groups), err),
		.alive_at_end = tallier->alive_at_end,
		.gc = tallier->gc.sums,
		.stw = tallier->stw.sums,
	};
	if (tally->groups == NULL)
		return false;
	for (size_t i = 0; i < tallier->group_count; i++) {
		const struct tallied_group *group = &tallier->groups[i];

		tally->groups[trace_actor(trace, group->actor)->group] = group->sums;
	}
	return true;
}
