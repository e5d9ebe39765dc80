/* The publisher's part that sorts a draft by actor into a segment. */
#include "trace/publisher_internal.h"

#include <string.h>

/* How many of a run's states have a checkpoint. */
static uint32_t
checkpoints_of(uint32_t ordinal, uint32_t count)
{
	return (ordinal + count - 1) / CHECKPOINT_STATES -
	       (ordinal == 0 ? 0 : (ordinal - 1) / CHECKPOINT_STATES);
}

/* Whether a run of so many states shall have a carry. */
static bool
needs_carry(const struct publisher *publisher, const struct published *actor, uint32_t count)
{
	bool is_next = actor->last_segment + 1 == publisher->trace->segments.count;
	bool is_young = actor->total <= CHECKPOINT_STATES;

	return actor->passed >= (is_young ? CARRY_STATES : CARRY_STATES_LATER) &&
	       (!is_next || checkpoints_of(actor->total, count) == 0);
}

/* Records for all actors that the draft may speak of. */
static bool
know_actors(struct publisher *publisher, uint32_t count, struct error *err)
{
	if (!array_reserve(&publisher->actors, &publisher->actor_capacity, count,
	                   sizeof(*publisher->actors), err))
		return false;
	for (; publisher->actor_count < count; publisher->actor_count++)
		publisher->actors[publisher->actor_count] = (struct published){
			.last_segment = REF_NONE,
			.last_run = REF_NONE,
			.checkpoint_slot = REF_NONE,
			.listed_group = GROUP_UNLISTED,
		};
	return true;
}

/* In the order in which they stand in a segment, see run.h. */
enum run_kind { RUN_WITH_ANCHOR, RUN_WITH_PAST, RUN_WITH_NEITHER, RUN_KIND_COUNT };

static enum run_kind
kind_of_run(const struct publisher *publisher, const struct published *actor, uint32_t count)
{
	if (checkpoints_of(actor->total, count) > 0 ||
	    needs_carry(publisher, actor, count))
		return RUN_WITH_ANCHOR;
	return actor->total > 0 ? RUN_WITH_PAST : RUN_WITH_NEITHER;
}

/* The draft as a segment without columns. */
static struct segment
count_columns(const struct publisher *publisher, const struct draft *draft)
{
	struct segment segment = {
		.base_ns = draft->base_ns,
		.end_ns = draft->end_ns,
		.since_ns = publisher->trace->start_ns,
		.state_count = draft->state_count,
		.site_count = draft->site_count,
		.run_count = draft->run_count,
	};

	for (uint32_t i = 0; i < draft->run_count; i++) {
		const struct draft_run *run = &draft->runs[i];
		const struct published *actor = published_at(publisher, run->actor);

		enum run_kind kind = kind_of_run(publisher, actor, run->count);

		segment.checkpoint_count += checkpoints_of(actor->total, run->count);
		segment.carry_count += needs_carry(publisher, actor, run->count);
		segment.anchor_count += kind == RUN_WITH_ANCHOR;
		segment.past_count += kind != RUN_WITH_NEITHER;
	}
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		segment.wakes[row].count = (uint32_t)draft->wakes[row].count;
		segment.wakes[row].before = publisher->trace->wake_totals[row];
	}
	publisher_count_column(&draft->processors, &segment.processors);
	publisher_count_column(&draft->threads, &segment.threads);
	return segment;
}

/* After a run of so many states, and its checkpoints. */
static uint8_t
passed_after(const struct published *actor, uint32_t count, uint32_t checkpoints,
             bool has_carry)
{
	if (checkpoints > 0)
		return (uint8_t)((actor->total - 1) % CHECKPOINT_STATES + 1);
	return (uint8_t)((has_carry ? 0 : actor->passed) + count);
}

/* Where the next run of a kind goes. */
struct run_place {
	uint32_t run, first;
	uint32_t checkpoint, carry; /* of runs with an anchor */
};

static void
lay_out_run(struct publisher *publisher, struct segment *segment, struct run_place *at,
            const struct draft_run *draft_run)
{
	struct published *actor = published_at(publisher, draft_run->actor);
	uint32_t count = draft_run->count, checkpoints = checkpoints_of(actor->total, count);
	bool has_carry = needs_carry(publisher, actor, count);

	segment->runs[at->run] = (struct run){ draft_run->actor, at->first };
	if (at->run < segment->past_count)
		segment->pasts[at->run] = (struct run_past){
			actor->total, actor->last_segment, actor->last_run
		};
	if (at->run < segment->anchor_count)
		segment->anchors[at->run] =
			(struct run_anchor){ at->checkpoint, has_carry ? at->carry++ : REF_NONE };
	actor->total += count;
	actor->passed = passed_after(actor, count, checkpoints, has_carry);
	actor->next = at->first;
	actor->last_segment = publisher->trace->segments.count;
	actor->last_run = at->run++;
	at->first += count;
	at->checkpoint += checkpoints;
}

/* One run per actor, in the order of their first states here among those of a kind. */
static void
lay_out_runs(struct publisher *publisher, const struct draft *draft, struct segment *segment)
{
	struct run_place places[RUN_KIND_COUNT] = {
		[RUN_WITH_PAST].run = segment->anchor_count,
		[RUN_WITH_NEITHER].run = segment->past_count,
	};

	for (uint32_t i = 0; i < draft->run_count; i++) {
		const struct draft_run *run = &draft->runs[i];
		unsigned kind =
			kind_of_run(publisher, published_at(publisher, run->actor), run->count);

		while (++kind < RUN_KIND_COUNT)
			places[kind].first += run->count;
	}
	for (uint32_t i = 0; i < draft->run_count; i++) {
		const struct draft_run *run = &draft->runs[i];
		enum run_kind kind =
			kind_of_run(publisher, published_at(publisher, run->actor), run->count);

		lay_out_run(publisher, segment, &places[kind], run);
	}
	segment->runs[segment->run_count] = (struct run){ REF_NONE, segment->state_count };
}

/*
 * Where states go to: a copy, as the compiler has to suppose that what is written there changes
 * the segment.
 */
struct columns {
	uint32_t *start;
	uint8_t *kind;
	uint16_t *site;
};

/* Sorts the states by actor and lists their changes, which takes them in time order. */
static bool
place_states(struct publisher *publisher, const struct draft *draft, struct segment *segment,
             struct error *err)
{
	const struct columns columns = { segment->start, segment->kind, segment->site };

	for (size_t i = 0; i < draft->state_count; i++) {
		struct gathered_state *state = &draft->states[i];
		struct published *actor = published_at(publisher, state->actor);
		uint32_t to = actor->next++;

		if (!publisher_list_change(publisher, actor, draft->base_ns, state->start,
		                           (enum time_class)publisher->kind_class[state->kind],
		                           err))
			return false;
		columns.start[to] = state->start;
		columns.kind[to] = state->kind;
		columns.site[to] = state->site;
		state->actor = to;
	}
	for (uint32_t i = 0; i < segment->run_count; i++)
		segment->kind[run_end(&segment->runs[i]) - 1] |= KIND_LAST_IN_RUN;
	if (draft->site_count > 0)
		memcpy(segment->sites, draft->sites, draft->site_count * sizeof(*segment->sites));
	return true;
}

static void
place_wakes(struct trace *trace, const struct draft *draft, struct segment *segment)
{
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		struct wake_column *column = &segment->wakes[row];

		for (uint32_t i = 0; i < column->count; i++) {
			uint32_t state = draft->wakes[row].state[i];

			state_list_set(&column->states, i, draft->states[state].actor);
		}
		trace->wake_totals[row] += column->count;
	}
}

/* Takes the first state of an actor, which has none before it; from which one on to go on. */
static uint32_t
begin_run(const struct publisher *publisher, const struct segment *segment, const struct run *run,
          struct checkpoint_state *sums)
{
	if (segment_run_past(segment, run).ordinal > 0)
		return 0;
	sums->last_ns = segment_start_ns(segment, run->first);
	sums->last_class = publisher->kind_class[segment->kind[run->first] & KIND_MASK];
	return 1;
}

/*
 * Takes the states [first, end) of a run as the latest, each with the time of the one before;
 * begin_run() took the first one of all. What changes with each is held in variables, as this is
 * done for nearly all states.
 */
static void
add_states(const struct publisher *publisher, const struct segment *segment, const struct run *run,
           uint32_t first, uint32_t end, struct checkpoint_state *sums)
{
	const uint32_t *start = segment->start + run->first;
	const uint8_t *kind = segment->kind + run->first;
	uint32_t ordinal = segment_run_past(segment, run).ordinal;
	int64_t last_ns = sums->last_ns - segment->base_ns, longest_ns = sums->sums.longest_ns;
	unsigned last_class = sums->last_class, classes = sums->sums.classes;

	for (uint32_t i = first; i < end; i++) {
		int64_t duration_ns = start[i] - last_ns;

		sums->sums.sums_ns[last_class] += duration_ns;
		classes |= 1u << last_class;
		if (duration_ns > longest_ns) {
			longest_ns = duration_ns;
			sums->sums.longest_ordinal = ordinal + i - 1;
		}
		last_ns = start[i];
		last_class = publisher->kind_class[kind[i] & KIND_MASK];
	}
	sums->sums.longest_ns = longest_ns;
	sums->sums.classes = (class_mask)classes;
	sums->last_ns = last_ns + segment->base_ns;
	sums->last_class = (enum time_class)last_class;
}

/* Brings fresh sums up to the runs before this one: fewer than CHECKPOINT_STATES states. */
static void
catch_up(const struct publisher *publisher, const struct segment *segment, const struct run *run,
         struct checkpoint_state *sums)
{
	struct run_past past = segment_run_past(segment, run);
	struct run_ref earlier[CHECKPOINT_STATES];
	size_t count = 0;

	while (past.previous_segment != REF_NONE) {
		assert(count < CHECKPOINT_STATES);
		earlier[count++] = (struct run_ref){ past.previous_segment, past.previous_run };
		segment = trace_segment(publisher->trace, past.previous_segment);
		past = segment_run_past(segment, &segment->runs[past.previous_run]);
	}
	while (count-- > 0) {
		segment = trace_segment(publisher->trace, earlier[count].segment);
		run = &segment->runs[earlier[count].run];
		add_states(publisher, segment, run, begin_run(publisher, segment, run, sums),
		           run_length(run), sums);
	}
}

static struct checkpoint_state *
checkpoint_state_of(struct publisher *publisher, const struct segment *segment,
                    const struct run *run, struct error *err)
{
	struct published *actor = published_at(publisher, run->actor);
	struct checkpoint_state *sums;

	if (actor->checkpoint_slot != REF_NONE)
		return &publisher->checkpoint_states[actor->checkpoint_slot];
	if (!array_reserve(&publisher->checkpoint_states, &publisher->checkpoint_state_capacity,
	                   publisher->checkpoint_state_count + 1, sizeof(*sums), err))
		return NULL;
	actor->checkpoint_slot = (uint32_t)publisher->checkpoint_state_count++;
	sums = &publisher->checkpoint_states[actor->checkpoint_slot];
	memset(sums, 0, sizeof(*sums));
	catch_up(publisher, segment, run, sums);
	return sums;
}

/* What is summed up so far, and the time from then on to the beginning of the segment. */
static void
write_carry(const struct segment *segment, const struct checkpoint_state *sums, struct carry *carry)
{
	memcpy(carry->sums_ns, sums->sums.sums_ns, sizeof(carry->sums_ns));
	carry->sums_ns[sums->last_class] += segment->base_ns - sums->last_ns;
	carry->time_class = sums->last_class;
}

static void
write_checkpoints(const struct publisher *publisher, struct segment *segment, const struct run *run,
                  struct checkpoint_state *sums)
{
	struct checkpoint *checkpoint =
		segment->checkpoints + segment_run_anchor(segment, run).checkpoint;
	uint32_t at = begin_run(publisher, segment, run, sums), count = run_length(run);
	uint32_t before = segment_run_past(segment, run).ordinal;
	uint32_t ordinal = run_first_block(before, CHECKPOINT_STATES) * CHECKPOINT_STATES;

	for (; ordinal - before < count; ordinal += CHECKPOINT_STATES) {
		uint32_t end = ordinal - before + 1;

		add_states(publisher, segment, run, at, end, sums);
		at = end;
		*checkpoint++ = sums->sums;
		sums->sums.longest_ns = 0;
		sums->sums.longest_ordinal = ordinal;
		sums->sums.classes = 0;
	}
	add_states(publisher, segment, run, at, count, sums);
}

/* Only actors with a checkpoint or a carry have their sums at hand. */
static bool
make_checkpoints(struct publisher *publisher, struct segment *segment, struct error *err)
{
	for (uint32_t i = 0; i < segment->past_count; i++) {
		const struct run *run = &segment->runs[i];
		uint32_t carry = segment_run_anchor(segment, run).carry;
		struct checkpoint_state *sums;

		if (i >= segment->anchor_count &&
		    published_at(publisher, run->actor)->checkpoint_slot == REF_NONE)
			continue;
		sums = checkpoint_state_of(publisher, segment, run, err);
		if (sums == NULL)
			return false;
		if (carry != REF_NONE)
			write_carry(segment, sums, &segment->carries[carry]);
		write_checkpoints(publisher, segment, run, sums);
	}
	return true;
}

static bool
fill_segment(struct publisher *publisher, struct draft *draft, struct segment *segment,
             struct error *err)
{
	lay_out_runs(publisher, draft, segment);
	if (!place_states(publisher, draft, segment, err))
		return false;
	place_wakes(publisher->trace, draft, segment);
	return publisher_fill_columns(publisher, draft, segment, err) &&
	       make_checkpoints(publisher, segment, err);
}

static bool
append_segment(struct publisher *publisher, struct draft *draft, struct error *err)
{
	struct segment counts = count_columns(publisher, draft), *segment;
	struct segment_place *place;

	segment = segment_new(&counts, &publisher->trace->columns, err);
	if (segment == NULL || !fill_segment(publisher, draft, segment, err) ||
	    (place = stable_append(&publisher->trace->segments, err)) == NULL)
		return false;
	*place = segment_place_of(segment);
	return true;
}

bool
publisher_publish(struct publisher *publisher, struct draft *draft, struct error *err)
{
	if (!know_actors(publisher, draft->actor_count, err))
		return false;
	for (size_t i = 0; i < draft->name_count; i++)
		if (!publisher_join_group(publisher, &draft->names[i], err))
			return false;
	if (draft->state_count == 0 && draft->processors.run_count == 0)
		return true;
	if (!append_segment(publisher, draft, err))
		return false;
	/* Not for segments that are shorter than the list of groups. */
	return draft->state_count < publisher->listed_count ||
	       publisher_choose_parts(publisher, draft->end_ns, err);
}
