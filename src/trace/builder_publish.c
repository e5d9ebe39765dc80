/* The builder's part that sorts a stretch of states by goroutine and publishes it as a segment. */
#include "trace/builder_internal.h"

#include <assert.h>
#include <string.h>

/* How many of a run's states have a checkpoint. */
static uint32_t
checkpoints_of(uint32_t ordinal, uint32_t count)
{
	return (ordinal + count - 1) / CHECKPOINT_STATES -
	       (ordinal == 0 ? 0 : (ordinal - 1) / CHECKPOINT_STATES);
}

/* What was gathered, as a segment without columns. */
static struct segment
count_columns(const struct builder *builder)
{
	struct segment segment = {
		/* Without states it only tells that procs were lost, as late as now. */
		.base_ns = builder->state_count > 0 ? builder->base_ns : builder->now_ns,
		.end_ns = builder->now_ns,
		.since_ns = builder->trace->start_ns,
		.state_count = builder->state_count,
		.site_count = builder->site_count,
		.run_count = builder->touched_count,
	};

	for (uint32_t i = 0; i < builder->touched_count; i++) {
		const struct goroutine_build *build =
			builder_goroutine_build(builder, builder->touched[i]);

		segment.checkpoint_count +=
			checkpoints_of(build->total - build->count, build->count);
	}
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		segment.wakes[row].count = (uint32_t)builder->wakes[row].count;
		segment.wakes[row].before = builder->trace->wake_totals[row];
	}
	resource_count(&builder->procs, &segment.procs);
	resource_count(&builder->threads, &segment.threads);
	return segment;
}

/* One run per goroutine, in order of its first state here. */
static void
lay_out_runs(struct builder *builder, struct segment *segment)
{
	uint32_t first = 0, checkpoint = 0;

	for (uint32_t i = 0; i < builder->touched_count; i++) {
		goroutine_ref ref = builder->touched[i];
		struct goroutine_build *build = builder_goroutine_build(builder, ref);

		segment->runs[i] = (struct run){
			.goroutine = ref,
			.first = first,
			.count = build->count,
			.ordinal = build->total - build->count,
			.checkpoint = checkpoint,
			.previous_segment = build->last_segment,
			.previous_run = build->last_run,
		};
		build->next = first;
		build->last_segment = builder->trace->segments.count;
		build->last_run = i;
		first += build->count;
		checkpoint += checkpoints_of(segment->runs[i].ordinal, build->count);
	}
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

/* Sorts the states by goroutine and lists their changes, which takes them in time order. */
static bool
place_states(struct builder *builder, struct segment *segment, struct error *err)
{
	const struct columns columns = { segment->start, segment->kind, segment->site };
	struct gathered_state *end = builder->states + builder->state_count;

	for (struct gathered_state *state = builder->states; state < end; state++) {
		struct goroutine_build *build = builder_goroutine_build(builder, state->goroutine);
		uint32_t to = build->next++;

		if (!builder_list_change(builder, build, state->start,
		                         (enum time_class)builder->kind_class[state->kind], err))
			return false;
		columns.start[to] = state->start;
		columns.kind[to] = state->kind;
		columns.site[to] = state->site;
		state->goroutine = to;
	}
	for (uint32_t i = 0; i < segment->run_count; i++) {
		const struct run *run = &segment->runs[i];

		segment->kind[run->first + run->count - 1] |= KIND_LAST_IN_RUN;
	}
	if (builder->site_count > 0)
		memcpy(segment->sites, builder->sites,
		       builder->site_count * sizeof(*segment->sites));
	return true;
}

static void
place_wakes(struct builder *builder, struct segment *segment)
{
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		struct wake_column *column = &segment->wakes[row];

		for (size_t i = 0; i < builder->wakes[row].count; i++) {
			uint32_t state = builder->wakes[row].state[i];

			state_list_set(&column->states, (uint32_t)i,
			               builder->states[state].goroutine);
		}
		builder->trace->wake_totals[row] += column->count;
		builder->wakes[row].count = 0;
	}
}

/* Takes the first state of a goroutine, which has none before it; from which one on to go on. */
static uint32_t
begin_run(const struct builder *builder, const struct segment *segment, const struct run *run,
          struct checkpoint_state *sums)
{
	if (run->ordinal > 0)
		return 0;
	sums->last_ns = segment_start_ns(segment, run->first);
	sums->last_class = builder->kind_class[segment->kind[run->first] & KIND_MASK];
	return 1;
}

/*
 * Takes the states [first, end) of a run as the latest, each with the time of the one before;
 * begin_run() took the first one of all. What changes with each is held in variables, as this is
 * done for nearly all states.
 */
static void
add_states(const struct builder *builder, const struct segment *segment, const struct run *run,
           uint32_t first, uint32_t end, struct checkpoint_state *sums)
{
	const uint32_t *start = segment->start + run->first;
	const uint8_t *kind = segment->kind + run->first;
	int64_t last_ns = sums->last_ns - segment->base_ns, longest_ns = sums->sums.longest_ns;
	unsigned last_class = sums->last_class, classes = sums->sums.classes;

	for (uint32_t i = first; i < end; i++) {
		int64_t duration_ns = start[i] - last_ns;

		sums->sums.sums_ns[last_class] += duration_ns;
		classes |= 1u << last_class;
		if (duration_ns > longest_ns) {
			longest_ns = duration_ns;
			sums->sums.longest_ordinal = run->ordinal + i - 1;
		}
		last_ns = start[i];
		last_class = builder->kind_class[kind[i] & KIND_MASK];
	}
	sums->sums.longest_ns = longest_ns;
	sums->sums.classes = (class_mask)classes;
	sums->last_ns = last_ns + segment->base_ns;
	sums->last_class = (enum time_class)last_class;
}

/* Brings fresh sums up to the runs before this one: fewer than CHECKPOINT_STATES states. */
static void
catch_up(const struct builder *builder, const struct run *run, struct checkpoint_state *sums)
{
	const struct trace *trace = builder->trace;
	struct run_ref earlier[CHECKPOINT_STATES];
	size_t count = 0;

	while (run->previous_segment != REF_NONE) {
		assert(count < CHECKPOINT_STATES);
		earlier[count++] = (struct run_ref){ run->previous_segment, run->previous_run };
		run = &trace_segment(trace, run->previous_segment)->runs[run->previous_run];
	}
	while (count-- > 0) {
		const struct segment *segment = trace_segment(trace, earlier[count].segment);

		run = &segment->runs[earlier[count].run];
		add_states(builder, segment, run, begin_run(builder, segment, run, sums),
		           run->count, sums);
	}
}

static struct checkpoint_state *
checkpoint_state_of(struct builder *builder, const struct run *run, struct error *err)
{
	struct goroutine_build *build = builder_goroutine_build(builder, run->goroutine);
	struct checkpoint_state *sums;

	if (build->checkpoint_slot != REF_NONE)
		return &builder->checkpoint_states[build->checkpoint_slot];
	if (!array_reserve(&builder->checkpoint_states, &builder->checkpoint_state_capacity,
	                   builder->checkpoint_state_count + 1, sizeof(*sums), err))
		return NULL;
	build->checkpoint_slot = (uint32_t)builder->checkpoint_state_count++;
	sums = &builder->checkpoint_states[build->checkpoint_slot];
	memset(sums, 0, sizeof(*sums));
	catch_up(builder, run, sums);
	return sums;
}

static void
write_checkpoints(const struct builder *builder, struct segment *segment, const struct run *run,
                  struct checkpoint_state *sums)
{
	struct checkpoint *checkpoint = segment->checkpoints + run->checkpoint;
	uint32_t at = begin_run(builder, segment, run, sums);
	uint32_t ordinal = run_first_block(run->ordinal, CHECKPOINT_STATES) * CHECKPOINT_STATES;

	for (; ordinal - run->ordinal < run->count; ordinal += CHECKPOINT_STATES) {
		uint32_t end = ordinal - run->ordinal + 1;

		add_states(builder, segment, run, at, end, sums);
		at = end;
		*checkpoint++ = sums->sums;
		sums->sums.longest_ns = 0;
		sums->sums.longest_ordinal = ordinal;
		sums->sums.classes = 0;
	}
	add_states(builder, segment, run, at, run->count, sums);
}

/* Only goroutines with CHECKPOINT_STATES states or more carry sums along. */
static bool
make_checkpoints(struct builder *builder, struct segment *segment, struct error *err)
{
	for (uint32_t i = 0; i < segment->run_count; i++) {
		const struct run *run = &segment->runs[i];
		struct checkpoint_state *sums;

		if (run->ordinal + run->count <= CHECKPOINT_STATES)
			continue;
		sums = checkpoint_state_of(builder, run, err);
		if (sums == NULL)
			return false;
		write_checkpoints(builder, segment, run, sums);
	}
	return true;
}

static void
begin_anew(struct builder *builder)
{
	for (uint32_t i = 0; i < builder->touched_count; i++)
		builder_goroutine_build(builder, builder->touched[i])->count = 0;
	builder->touched_count = 0;
	builder->state_count = 0;
	builder->state_limit = 0;
	builder->site_count = 0;
}

static bool
fill_segment(struct builder *builder, struct segment *segment, struct error *err)
{
	lay_out_runs(builder, segment);
	if (!place_states(builder, segment, err))
		return false;
	place_wakes(builder, segment);
	resource_publish(&builder->procs, builder->states, segment->start, &segment->procs);
	resource_publish(&builder->threads, builder->states, segment->start,
	                 &segment->threads);
	return make_checkpoints(builder, segment, err);
}

bool
builder_publish(struct builder *builder, struct error *err)
{
	struct segment counts, *segment;
	struct segment_place *place;

	if (builder->state_count == 0 && builder->procs.touched_count == 0)
		return true;
	counts = count_columns(builder);
	segment = segment_new(&counts, &builder->trace->columns, err);
	if (segment == NULL || !fill_segment(builder, segment, err) ||
	    (place = stable_append(&builder->trace->segments, err)) == NULL)
		return false;
	*place = segment_place_of(segment);
	begin_anew(builder);
	if (!builder_is_within_limit(builder, err))
		return false;
	/* Not for segments that are shorter than the list of groups. */
	return segment->state_count < builder->listed_count || builder_choose_parts(builder, err);
}
