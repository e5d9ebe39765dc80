/*
 * Groups of actors by start function, or as the source names them, each with the changes of its members over time.
 * Most lists of changes are there already, see publisher_changes.c; the others are made here.
 */
#include "trace/builder_internal.h"

#include "base/sort.h"
#include "base/text.h"
#include "base/thread.h"
#include "trace/regroup.h"

struct named {
	const char *text;
	size_t length;
	string_id name;
};

static int
compare_named(const void *a, const void *b)
{
	const struct named *left = a, *right = b;

	return text_compare(left->text, left->length, right->text, right->length);
}

static string_id
group_name_of(const struct builder *builder, const struct trace *trace, actor_ref ref)
{
	string_id name = builder->group_names != NULL ? builder->group_names[ref] : STRING_EMPTY;
	return name != STRING_EMPTY ? name : trace_actor(trace, ref)->name;
}

/* The distinct names of groups, sorted; group_of gets name -> group. */
static bool
make_groups(const struct builder *builder, struct trace *trace, struct map *group_of, struct error *err)
{
	struct named *names = NULL;
	size_t count = 0, capacity = 0;
	bool ok = true;

	for (actor_ref i = 0; ok && i < trace->actors.count; i++) {
		string_id name = group_name_of(builder, trace, i);

		if (map_find(group_of, name) != MAP_NONE)
			continue;
		ok = array_reserve(&names, &capacity, count + 1, sizeof(*names), err) &&
		     map_put(group_of, name, 0, err);
		if (!ok)
			break;
		names[count].name = name;
		names[count].text = trace_text(trace, name, &names[count].length);
		count++;
	}
	const struct sort sort = { names, count, sizeof(*names), compare_named };
	ok = ok && sort_items(&sort, progress_cancel_flag(builder->progress), err);
	trace->groups = ok ? array_new(count, sizeof(*trace->groups), err) : NULL;
	ok = trace->groups != NULL;
	for (size_t i = 0; ok && i < count; i++) {
		trace->groups[i] = (struct group){ .name = names[i].name };
		ok = map_put(group_of, names[i].name, (uint32_t)i, err);
	}
	trace->group_count = ok ? (uint32_t)count : 0;
	memory_free(names);
	return ok;
}

static bool
list_members(const struct builder *builder, struct trace *trace, const struct map *group_of,
	struct error *err)
{
	uint32_t actors = trace->actors.count, first = 0;

	trace->group_members = array_new(actors, sizeof(actor_ref), err);
	if (trace->group_members == NULL)
		return false;
	for (actor_ref i = 0; i < actors; i++) {
		struct actor *actor = trace_actor(trace, i);

		actor->group = map_find(group_of, group_name_of(builder, trace, i));
		trace->groups[actor->group].count++;
	}
	for (group_ref i = 0; i < trace->group_count; i++) {
		trace->groups[i].first = first;
		first += trace->groups[i].count;
		trace->groups[i].count = 0;
	}
	for (actor_ref i = 0; i < actors; i++) {
		struct group *group = &trace->groups[trace_actor(trace, i)->group];

		trace->group_members[group->first + group->count++] = i;
	}
	return true;
}

/* Stable, and quickest for a handful. */
static void
insertion_sort(uint64_t *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t item = items[i];
		size_t at = i;

		for (; at > 0 && items[at - 1] >> 8 > item >> 8; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Sorts by the upper 32 of 40 bits (time offset over a byte of classes), stably. */
static void
sort_packed(uint64_t *items, uint64_t *scratch, size_t count)
{
	enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

	for (unsigned shift = 8; shift < 40; shift += DIGIT_BITS) {
		size_t begin[DIGITS + 1] = { 0 };
		uint64_t *swap = items;

		for (size_t i = 0; i < count; i++)
			begin[(items[i] >> shift & (DIGITS - 1)) + 1]++;
		for (size_t i = 0; i < DIGITS; i++)
			begin[i + 1] += begin[i];
		for (size_t i = 0; i < count; i++)
			scratch[begin[items[i] >> shift & (DIGITS - 1)]++] = items[i];
		items = scratch;
		scratch = swap;
	}
}

enum { FEW_ITEMS = 64 };

struct group_work {
	uint64_t *items, *scratch; /* SEGMENT_MOST_STATES each; scratch is for sorting only */
	uint64_t *runs;            /* of the segment: run << 40 | group << 8, sorted by group */
	size_t run_capacity;
};

enum { GROUP_SHIFT = 8, RUN_SHIFT = 40 }; /* sort_packed() looks at the group alone */
_Static_assert(SEGMENT_MOST_STATES <= 1 << (64 - RUN_SHIFT), "the number of a run fits");

static group_ref
group_of_key(uint64_t key)
{
	return (group_ref)(key >> GROUP_SHIFT);
}

static enum time_class
class_at(const struct trace *trace, const struct segment *segment, uint32_t state)
{
	return trace->kinds[segment->kind[state] & KIND_MASK].time_class;
}

static enum time_class
class_before(const struct trace *trace, const struct segment *segment, const struct run *run)
{
	struct run_past past = segment_run_past(segment, run);

	if (past.previous_segment == REF_NONE)
		return CLASS_GONE;
	segment = trace_segment(trace, past.previous_segment);
	return class_at(trace, segment, run_end(&segment->runs[past.previous_run]) - 1);
}

enum { SINCE_ORIGIN_MARK = 0xff }; /* no change goes from class 15 to class 15 */

/* Packs the changes of one run: offset << 8 | from << 4 | to. */
static size_t
gather_run(const struct trace *trace, const struct segment *segment, const struct run *run,
           uint64_t *items)
{
	enum time_class from = class_before(trace, segment, run);

	for (uint32_t i = 0; i < run_length(run); i++) {
		uint32_t state = run->first + i;
		enum time_class to = class_at(trace, segment, state);
		uint64_t offset = segment->start[state] == START_AT_ORIGIN ? 0 : segment->start[state];

		items[i] = offset << 8 | (unsigned)from << 4 | (unsigned)to;
		from = to;
	}
	return run_length(run);
}

/*
 * Members that were there since the origin but stand in a later segment are told
 * first: from the segment's begin on they are in their class.
 */
static bool
add_since_origin(const struct trace *trace, const struct segment *segment, const struct run *run,
                 struct change_list *list, struct error *err)
{
	enum time_class to = class_at(trace, segment, run->first);

	if (segment->start[run->first] != START_AT_ORIGIN)
		return true;
	if (segment->base_ns == segment->since_ns)
		return change_list_add(list, segment->since_ns, CLASS_GONE, to, err);
	return change_list_add_late(list, segment->base_ns, to, err);
}

/* Adds the changes of the runs at runs[0..run_count), which are of one group. */
static bool
add_group_of_segment(struct trace *trace, const struct segment *segment, const uint64_t *runs,
                     size_t run_count, struct group_work *work, struct error *err)
{
	struct change_list *list = trace->groups[group_of_key(runs[0])].changes;
	size_t count = 0;

	for (size_t i = 0; i < run_count; i++) {
		const struct run *run = &segment->runs[runs[i] >> RUN_SHIFT];

		if (!add_since_origin(trace, segment, run, list, err))
			return false;
		count += gather_run(trace, segment, run, work->items + count);
		if (segment->start[run->first] == START_AT_ORIGIN)
			work->items[count - run_length(run)] = SINCE_ORIGIN_MARK;
	}
	if (run_count > 1 && count <= FEW_ITEMS)
		insertion_sort(work->items, count);
	else if (run_count > 1)
		sort_packed(work->items, work->scratch, count);
	for (size_t i = 0; i < count; i++) {
		uint64_t item = work->items[i];

		if ((item & 0xff) != SINCE_ORIGIN_MARK &&
		    !change_list_add(list, segment->base_ns + (int64_t)(item >> 8),
		                     (enum time_class)(item >> 4 & 15), (enum time_class)(item & 15),
		                     err))
			return false;
	}
	return true;
}

/*
 * Orders the runs of a segment by group. The cost depends on the runs alone: there may
 * be as many groups as actors, and as many segments as generations.
 */
static bool
order_runs(const struct trace *trace, const struct segment *segment, struct group_work *work,
           struct error *err)
{
	if (!array_reserve(&work->runs, &work->run_capacity, segment->run_count,
	                   sizeof(*work->runs), err))
		return false;
	for (uint32_t i = 0; i < segment->run_count; i++)
		work->runs[i] = (uint64_t)i << RUN_SHIFT |
		                (uint64_t)trace_group_of(trace, segment->runs[i].actor)
		                        << GROUP_SHIFT;
	if (segment->run_count > 1)
		sort_packed(work->runs, work->scratch, segment->run_count);
	return true;
}

/* Threads that work on groups at the same time; each group belongs to one of them. */
enum { JOBS = 2, NOBODY = UINT8_MAX };

struct job {
	struct trace *trace;
	const struct progress *progress; /* may be NULL */
	const uint8_t *owner; /* by group: index of its job, or NOBODY */
	uint8_t index;
	struct group_work work;
	struct error error;
};

static bool
prepare_work(struct group_work *work, struct error *err)
{
	work->items = array_new_unset(SEGMENT_MOST_STATES, sizeof(uint64_t), err);
	work->scratch = array_new_unset(SEGMENT_MOST_STATES, sizeof(uint64_t), err);
	return work->items != NULL && work->scratch != NULL;
}

static void
release_work(struct group_work *work)
{
	memory_free(work->items);
	memory_free(work->scratch);
	memory_free(work->runs);
}

static bool
add_segment(struct job *job, const struct segment *segment)
{
	const struct group_work *work = &job->work;

	if (!order_runs(job->trace, segment, &job->work, &job->error))
		return false;
	for (size_t i = 0, end; i < segment->run_count; i = end) {
		group_ref group = group_of_key(work->runs[i]);

		for (end = i + 1; end < segment->run_count; end++)
			if (group_of_key(work->runs[end]) != group)
				break;
		if (job->owner[group] == job->index &&
		    !add_group_of_segment(job->trace, segment, work->runs + i, end - i, &job->work,
		                          &job->error))
			return false;
	}
	return true;
}

static bool
fill_changes(struct job *job)
{
	struct trace *trace = job->trace;

	for (uint32_t s = 0; s < trace->segments.count; s++) {
		if (job->progress != NULL && atomic_load(&job->progress->is_cancelled))
			return error_set(&job->error, ERROR_CANCELLED, "cancelled");
		if (!add_segment(job, trace_segment(trace, s)))
			return false;
	}
	for (group_ref i = 0; i < trace->group_count; i++)
		if (job->owner[i] == job->index)
			change_list_trim(trace->groups[i].changes);
	return true;
}

static void
run_job(void *context)
{
	struct job *job = context;

	if (prepare_work(&job->work, &job->error))
		fill_changes(job);
	release_work(&job->work);
}

/* Each group that has an owner goes to the job that has fewer states so far. */
static void
share_out(const struct trace *trace, uint8_t *owner)
{
	uint64_t load[JOBS] = { 0 };

	for (group_ref i = 0; i < trace->group_count; i++) {
		const struct group *group = &trace->groups[i];
		uint8_t least = 0;

		if (owner[i] == NOBODY)
			continue;
		for (uint8_t j = 1; j < JOBS; j++)
			if (load[j] < load[least])
				least = j;
		owner[i] = least;
		for (uint32_t m = 0; m < group->count; m++)
			load[least] += trace_actor(trace, trace->group_members[group->first + m])
			                       ->state_count;
	}
}

static bool
run_jobs(struct trace *trace, const uint8_t *owner, const struct progress *progress,
         struct error *err)
{
	struct job jobs[JOBS];
	struct worker *workers[JOBS] = { NULL };
	struct error no_thread = { 0 };
	bool ok = true;

	for (uint8_t i = 0; i < JOBS; i++)
		jobs[i] = (struct job){
			.trace = trace, .progress = progress, .owner = owner, .index = i
		};
	for (uint8_t i = 1; i < JOBS; i++)
		workers[i] = worker_new(run_job, &jobs[i], &no_thread);
	for (uint8_t i = 0; i < JOBS; i++)
		if (workers[i] == NULL)
			run_job(&jobs[i]);
	for (uint8_t i = 0; i < JOBS; i++) {
		worker_join(workers[i]);
		if (ok && jobs[i].error.kind != ERROR_NONE) {
			*err = jobs[i].error;
			ok = false;
		}
	}
	return ok;
}

/* Takes the lists that are there, or copies of them; the rest is left to be made. They are by name. */
static bool
take_lists(struct builder *builder, struct trace *trace, struct error *err)
{
	if (builder->group_names != NULL)
		return publisher_give_parts(builder->publisher, trace, err);
	for (group_ref i = 0; i < trace->group_count; i++) {
		struct group *group = &trace->groups[i];

		if (group->count < 2 || group->name == STRING_EMPTY)
			continue;
		if (!publisher_give_list(builder->publisher, trace, group->name, &group->changes, err))
			return false;
	}
	return true;
}

bool
groups_list_changes(struct trace *trace, const struct progress *progress, struct error *err)
{
	uint8_t *owner = array_new(trace->group_count, 1, err);
	bool is_needed = false;
	bool ok = owner != NULL;

	for (group_ref i = 0; ok && i < trace->group_count; i++) {
		struct group *group = &trace->groups[i];

		owner[i] = NOBODY;
		if (group->count < 2 || group->changes != NULL)
			continue;
		owner[i] = 0;
		is_needed = true;
		group->changes = change_list_new(trace->start_ns, err);
		ok = group->changes != NULL;
	}
	if (ok && is_needed) {
		share_out(trace, owner);
		ok = run_jobs(trace, owner, progress, err);
	}
	memory_free(owner);
	return ok;
}

bool
builder_build_groups(struct builder *builder, struct trace *trace, struct error *err)
{
	struct map group_of = { 0 };
	bool ok = make_groups(builder, trace, &group_of, err) && list_members(builder, trace, &group_of, err);

	map_release(&group_of);
	return ok && take_lists(builder, trace, err) &&
	       groups_list_changes(trace, builder->progress, err);
}
