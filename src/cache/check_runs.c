/* The runs of segments, and the directory that lists them. */
#include "cache/check_internal.h"

uint32_t
check_checkpoints_of(uint32_t ordinal, uint32_t count, uint32_t block)
{
	uint64_t first = ordinal == 0 ? 1 : ((uint64_t)ordinal + block - 1) / block;
	uint64_t end = ((uint64_t)ordinal + count + block - 1) / block;

	return end > first ? (uint32_t)(end - first) : 0;
}

bool
check_sums(const int64_t sums_ns[CLASS_COUNT], int64_t end_ns)
{
	int64_t sum_ns = 0;

	for (int i = 0; i < CLASS_COUNT; i++) {
		if (sums_ns[i] < 0 || sums_ns[i] > end_ns - sum_ns)
			return false;
		sum_ns += sums_ns[i];
	}
	return true;
}

/* Within the segment; the first state of an actor may be older than the trace. */
static bool
is_start_fine(const struct segment *segment, const struct run *run, uint32_t start)
{
	if (start == START_AT_ORIGIN)
		return segment_run_past(segment, run).ordinal == 0;
	return start <= (uint64_t)(segment->end_ns - segment->base_ns);
}

/* They stand in the order of the runs, and the first run of an actor has none. */
static bool
is_carry_fine(const struct segment *segment, const struct run *run, uint32_t carry)
{
	uint32_t told = segment_run_anchor(segment, run).carry;

	if (told == REF_NONE)
		return true;
	return segment_run_past(segment, run).ordinal > 0 && told == carry &&
	       carry < segment->carry_count && segment->carries[carry].time_class < CLASS_COUNT &&
	       check_sums(segment->carries[carry].sums_ns, segment->end_ns);
}

/* They stand in the order of the runs, and only runs with an anchor have any. */
static bool
are_checkpoints_of(const struct segment *segment, const struct run *run, uint64_t checkpoint,
	uint32_t count)
{
	if ((size_t)(run - segment->runs) >= segment->anchor_count)
		return count == 0;
	return segment_run_anchor(segment, run).checkpoint == checkpoint;
}

/* Behind each run stands another one, or the end of all. */
static bool
are_actor_runs_fine(const struct trace *trace, const struct segment *segment)
{
	uint64_t checkpoint = 0;
	uint32_t carry = 0;

	if (segment->past_count > segment->run_count ||
	    segment->anchor_count > segment->past_count || segment->runs[0].first != 0 ||
	    segment->runs[segment->run_count].first != segment->state_count)
		return false;
	for (uint32_t i = 0; i < segment->run_count; i++) {
		const struct run *run = &segment->runs[i];
		uint32_t count = check_checkpoints_of(segment_run_past(segment, run).ordinal,
			run_length(run), CHECKPOINT_STATES);

		if (run->actor >= trace->actors.count || run_end(run) <= run->first ||
		    !are_checkpoints_of(segment, run, checkpoint, count) ||
		    !is_start_fine(segment, run, segment->run_starts[i]) ||
		    !is_carry_fine(segment, run, carry))
			return false;
		carry += segment_run_anchor(segment, run).carry != REF_NONE;
		checkpoint += count;
	}
	return checkpoint == segment->checkpoint_count && carry == segment->carry_count &&
	       segment->site_count <= SEGMENT_SITES &&
	       (segment->site_count > 0 || segment->state_count == 0);
}

/* What counts as a state needs one to be. */
static bool
has_states_for_all(const struct segment *segment)
{
	uint64_t count = (uint64_t)segment->processors.entry_count + segment->threads.entry_count;

	for (int row = 0; row < WAKE_ROW_COUNT; row++)
		count += segment->wakes[row].count;
	return count == 0 || segment->state_count > 0;
}

static bool
is_resource_carry_fine(const struct resource_carry *carry, int64_t end_ns)
{
	return carry->time_class < CLASS_COUNT && carry->ended_ns >= 0 &&
	       carry->ended_ns <= end_ns && carry->running_ns >= 0 &&
	       carry->running_ns <= end_ns && carry->worker_ns >= 0 &&
	       carry->worker_ns <= end_ns && carry->syscall_ns >= 0 &&
	       carry->syscall_ns <= end_ns;
}

/* What is carried may have been lost before the first state here, after the segment before. */
static bool
are_resource_runs_fine(const struct segment *segment, const struct resource_column *column,
	uint32_t resource_count, int64_t since_ns)
{
	uint64_t first = 0, checkpoint = 0;

	for (uint32_t i = 0; i < column->run_count; i++) {
		const struct resource_run *run = &column->runs[i];

		if (run->resource >= resource_count || run->first != first ||
		    run->checkpoint != checkpoint || (run->ordinal == 0 && run->count == 0) ||
		    (run->carried_cut_ns != NOT_CUT &&
		     (run->carried_cut_ns < since_ns ||
		      run->carried_cut_ns > segment->end_ns)) ||
		    (run->ordinal > 0 && !is_resource_carry_fine(&run->carry, segment->end_ns)))
			return false;
		first += run->count;
		checkpoint += check_checkpoints_of(run->ordinal, run->count, CHECKPOINT_ENTRIES);
	}
	return first == column->entry_count && checkpoint == column->checkpoint_count;
}

bool
check_runs(const struct trace *trace, const struct segment *segment, int64_t since_ns)
{
	return are_actor_runs_fine(trace, segment) && has_states_for_all(segment) &&
	       are_resource_runs_fine(
		       segment, &segment->processors, trace->processors.count, since_ns) &&
	       are_resource_runs_fine(
		       segment, &segment->threads, trace->threads.count, since_ns);
}

/* What a run is of, and its place among the items of that. */
struct run_place {
	uint32_t run_count; /* of the segment */
	uint32_t key, ordinal, count;
};

enum run_type { ACTOR_RUNS, PROCESSOR_RUNS, THREAD_RUNS };

static bool
find_run(const struct segment *segment, enum run_type type, uint32_t index, struct run_place *place)
{
	const struct resource_column *column =
		type == PROCESSOR_RUNS ? &segment->processors : &segment->threads;

	place->run_count = type == ACTOR_RUNS ? segment->run_count : column->run_count;
	if (index >= place->run_count)
		return false;
	if (type == ACTOR_RUNS) {
		const struct run *run = &segment->runs[index];

		place->key = run->actor;
		place->ordinal = segment_run_past(segment, run).ordinal;
		place->count = run_length(run);
	} else {
		place->key = column->runs[index].resource;
		place->ordinal = column->runs[index].ordinal;
		place->count = column->runs[index].count;
	}
	return true;
}

/* A run of an actor says right which one is before it. */
static bool
is_before_known(const struct trace *trace, const struct run_list *list, uint32_t key, uint32_t at)
{
	static const struct run_ref none = { REF_NONE, REF_NONE };
	const struct run_ref *ref = &list->runs[at];
	const struct segment *segment = trace_segment_head(trace, ref->segment);
	struct run_past past = segment_run_past(segment, &segment->runs[ref->run]);
	const struct run_ref *before = at > list->first[key] ? &ref[-1] : &none;

	return past.previous_segment == before->segment && past.previous_run == before->run;
}

/* The runs of a key, one in a segment, and *count is how many items they have. */
static bool
are_runs_of(const struct trace *trace, const struct run_list *list, enum run_type type,
	uint32_t key, uint64_t *count)
{
	struct run_place place;

	*count = 0;
	for (uint32_t i = list->first[key]; i < list->first[key + 1]; i++) {
		const struct run_ref *ref = &list->runs[i];

		if (ref->segment >= trace->segments.count ||
		    (i > list->first[key] && ref->segment <= ref[-1].segment) ||
		    !find_run(trace_segment_head(trace, ref->segment), type, ref->run, &place) ||
		    place.key != key || place.ordinal != *count)
			return false;
		*count += place.count;
		if (type == ACTOR_RUNS && !is_before_known(trace, list, key, i))
			return false;
	}
	return *count <= UINT32_MAX;
}

static uint64_t
count_runs(const struct trace *trace, enum run_type type)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < trace->segments.count; i++) {
		const struct segment *segment = trace_segment_head(trace, i);

		count += type == ACTOR_RUNS ? segment->run_count
		         : type == PROCESSOR_RUNS    ? segment->processors.run_count
		                                : segment->threads.run_count;
	}
	return count;
}

static bool
is_list_fine(const struct trace *trace, const struct run_list *list, enum run_type type,
	uint32_t key_count)
{
	uint64_t count;

	if (list->key_count != key_count || !check_beginnings(list->first, key_count) ||
	    list->first[key_count] != count_runs(trace, type))
		return false;
	for (uint32_t key = 0; key < key_count; key++)
		if (!are_runs_of(trace, list, type, key, &count) ||
		    (type == ACTOR_RUNS && trace_actor(trace, key)->state_count != count))
			return false;
	return true;
}

bool
check_directory(const struct trace *trace)
{
	const struct directory *directory = &trace->directory;

	return is_list_fine(trace, &directory->actors, ACTOR_RUNS, trace->actors.count) &&
	       is_list_fine(
		       trace, &directory->processors, PROCESSOR_RUNS, trace->processors.count) &&
	       is_list_fine(trace, &directory->threads, THREAD_RUNS, trace->threads.count);
}
