/*
 * The model against what Go's own tools say of the same trace. Where the two
 * differ on purpose, the difference itself is computed and must be exact:
 *
 * - Go counts a goroutine older than the trace from its first mention on. The model knows
 *   that it was in that state since the trace began, and dates the state back to 0, unless
 *   its proc or thread did something else before.
 * - Go's readers deliver Syncs; the last one is a nanosecond after the last event,
 *   and what is open then is a nanosecond longer. The model has no Syncs. Go 1.23 has
 *   none either of a trace from before 1.22.
 * - Before 1.22 a proc's stop was not always told when it was taken from a goroutine in a
 *   syscall. The model sees that it runs another one, Go 1.23 waits for the stop.
 * - Before 1.22 some events name a lane, as that of the network, in place of a proc. Go
 *   1.23 counts those as procs.
 * - Go 1.23 takes a goroutine that blocks for good ("forever") to have ended there.
 * - Go 1.23 ends the regions that a goroutine leaves open with the goroutine.
 * - Go 1.23 orders events of different threads that bear the same time at random, and the
 *   later ones are moved by nanoseconds. Only a change of state next to such an event may
 *   differ, by as much as that.
 * - Go 1.23 gives each goroutine that is created within a region one more region, without a
 *   name, over its whole life.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/memory.h"
#include "source/go/reader.h"
#include "trace/lane.h"
#include "tracetesting.h"

/* What the events say, beside the model: counts, and first mentions. */
struct mention {
	int64_t id;
	int64_t time_ns;        /* since the first event that is no Sync */
	enum go_state state;    /* in which it was then, GO_NOT_EXIST for a new one */
	int64_t tied;           /* its changes of state next to an event of another thread */
};

struct seen {
	uint64_t kinds[GO_EVENT_KIND_COUNT];
	uint64_t goroutines[GO_STATE_COUNT][GO_STATE_COUNT];
	uint64_t procs[PROC_IDLE + 1][PROC_IDLE + 1];
	bool has_first;
	int64_t first_ns;
	struct go_event last;   /* the event before, and what its change counted for */
	uint32_t last_mention;
	struct mention *mentions;
	size_t mention_count, mention_capacity;
	struct map mention_of;
	bool has_lane[GO_PROC_PROFILE - GO_PROC_TIMERS + 1];
	int64_t lanes;          /* how many of them Go counts as procs */
	int64_t tail_ns;        /* by which Go's last event is later than ours */
	const char *name;
};

static bool
see_goroutine(struct seen *seen, const struct go_event *event, struct error *err)
{
	seen->goroutines[event->u.goroutine.from][event->u.goroutine.to]++;
	uint64_t id = (uint64_t)event->u.goroutine.id;
	if (map_find(&seen->mention_of, id) != MAP_NONE)
		return true;
	if (!array_reserve(&seen->mentions, &seen->mention_capacity, seen->mention_count + 1,
		    sizeof(*seen->mentions), err))
		return false;
	bool is_old = event->u.goroutine.from == GO_UNDETERMINED;
	seen->mentions[seen->mention_count] = (struct mention){
		.id = event->u.goroutine.id,
		.time_ns = event->time_ns - seen->first_ns,
		.state = is_old ? event->u.goroutine.to : GO_NOT_EXIST,
	};
	return map_put(&seen->mention_of, id, (uint32_t)seen->mention_count++, err);
}

/*
 * Two events of different threads a nanosecond apart may have been tied. Whichever of
 * them changes the state of a goroutine may be moved.
 */
static void
see_tie(struct seen *seen, const struct go_event *event)
{
	uint32_t mention = MAP_NONE;
	if (event->kind == GO_EVENT_GOROUTINE)
		mention = map_find(&seen->mention_of, (uint64_t)event->u.goroutine.id);
	if (event->time_ns == seen->last.time_ns + 1 && event->m != seen->last.m) {
		if (mention != MAP_NONE)
			seen->mentions[mention].tied++;
		if (seen->last_mention != MAP_NONE)
			seen->mentions[seen->last_mention].tied++;
	}
	seen->last = *event;
	seen->last_mention = mention;
}

static bool
see_event(void *context, const struct go_event *event, struct error *err)
{
	struct seen *seen = context;
	seen->kinds[event->kind]++;
	if (event->kind == GO_EVENT_SYNC)
		return true;
	if (!seen->has_first) {
		seen->has_first = true;
		seen->first_ns = event->time_ns;
	}
	if (event->p >= GO_PROC_TIMERS)
		seen->has_lane[event->p - GO_PROC_TIMERS] = true;
	if (event->kind == GO_EVENT_PROC)
		seen->procs[event->u.proc.from][event->u.proc.to]++;
	if (event->kind == GO_EVENT_GOROUTINE && !see_goroutine(seen, event, err))
		return false;
	see_tie(seen, event);
	return true;
}

static void
see(struct seen *seen, const char *name)
{
	struct input in;
	struct intern strings;
	struct stack_table stacks;
	struct go_read_options options = { 0 };
	struct go_read_result result;
	struct error err = { 0 };
	*seen = (struct seen){ .name = name, .last_mention = MAP_NONE };
	struct go_sink sink = {
		.event = see_event,
		.context = seen,
		.strings = &strings,
		.stacks = &stacks,
	};
	assert_true(intern_init(&strings, &err));
	assert_true(stack_table_init(&stacks, &err));
	assert_true(input_open_file(&in, testing_path(name, ".trace"), &err));
	if (!go_read(&in, &sink, &options, &result, &err))
		fail_msg("%s: %s", name, err.message);
	assert_false(result.damage.count > 0);
	input_close(&in);
	stack_table_release(&stacks);
	intern_release(&strings);
}

static void
seen_release(struct seen *seen)
{
	memory_free(seen->mentions);
	map_release(&seen->mention_of);
}

static const struct mention *
mention_of(const struct seen *seen, int64_t id)
{
	uint32_t at = map_find(&seen->mention_of, (uint64_t)id);
	if (at == MAP_NONE)
		fail_msg("%s: goroutine %" PRId64 " is never mentioned", seen->name, id);
	return &seen->mentions[at];
}

static void
check_number(const char *name, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("%s: %s: got %" PRId64 ", wanted %" PRId64, name, what, got, wanted);
}

static bool
is_fact(const struct fact *fact, const char *which)
{
	return strcmp(fact->fields[0], which) == 0;
}

/* ---- events by kind */

static const struct {
	const char *name;
	unsigned kinds; /* 1 << enum go_event_kind */
} kind_names[] = {
	{ "Sync", 1U << GO_EVENT_SYNC },
	{ "Metric", 1U << GO_EVENT_METRIC },
	{ "Label", 1U << GO_EVENT_LABEL },
	{ "StackSample", 1U << GO_EVENT_SAMPLE },
	{ "RangeBegin", 1U << GO_EVENT_RANGE_BEGIN },
	{ "RangeActive", 1U << GO_EVENT_RANGE_ACTIVE },
	{ "RangeEnd", 1U << GO_EVENT_RANGE_END },
	{ "TaskBegin", 1U << GO_EVENT_TASK_BEGIN },
	{ "TaskEnd", 1U << GO_EVENT_TASK_END },
	{ "RegionBegin", 1U << GO_EVENT_REGION_BEGIN },
	{ "RegionEnd", 1U << GO_EVENT_REGION_END },
	{ "Log", 1U << GO_EVENT_LOG },
	{ "StateTransition", 1U << GO_EVENT_GOROUTINE | 1U << GO_EVENT_PROC },
	{ "Experimental", 1U << GO_EVENT_EXPERIMENTAL },
};

static uint64_t
count_kinds(const struct seen *seen, unsigned kinds)
{
	uint64_t count = 0;
	for (unsigned kind = 0; kind < GO_EVENT_KIND_COUNT; kind++)
		if (kinds >> kind & 1)
			count += seen->kinds[kind];
	return count;
}

/* syncs: how many more Syncs our reader delivers. */
static void
check_kinds(const struct seen *seen, const struct facts *facts, int64_t syncs)
{
	uint64_t told = 0, delivered = count_kinds(seen, ~0U);
	bool has_syncs = false;
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		if (!is_fact(fact, "kind"))
			continue;
		size_t at = 0;
		while (at < ARRAY_LENGTH(kind_names) &&
			strcmp(kind_names[at].name, fact->fields[2]) != 0)
			at++;
		if (at == ARRAY_LENGTH(kind_names))
			fail_msg("%s: unknown kind \"%s\"", seen->name, fact->fields[2]);
		int64_t wanted = fact_number(fact, 1, -1) + (at == 0 ? syncs : 0);
		check_number(seen->name, fact->fields[2],
			(int64_t)count_kinds(seen, kind_names[at].kinds), wanted);
		told += (uint64_t)wanted;
		has_syncs |= at == 0;
	}
	told += has_syncs ? 0 : (uint64_t)syncs;
	check_number(seen->name, "events of all kinds", (int64_t)delivered, (int64_t)told);
	check_number(seen->name, "events", (int64_t)delivered,
		facts_single(facts, "events") + syncs);
}

static unsigned
find_word(const char *word, const char *const *words, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	fail_msg("unknown state \"%s\"", word);
	return 0;
}

static const char *const goroutine_states[GO_STATE_COUNT] = { "Undetermined", "NotExist", "Runnable",
	"Running", "Waiting", "Syscall" };

/* All transitions that the facts name, and no others. */
static void
check_transitions(const struct seen *seen, const struct facts *facts)
{
	static const char *const procs[] = { "Undetermined", "NotExist", "Running", "Idle" };
	uint64_t told = 0;
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		bool is_processor = is_fact(fact, "proc_transition");
		if (!is_processor && !is_fact(fact, "goroutine_transition"))
			continue;
		const char *const *words = is_processor ? procs : goroutine_states;
		unsigned count = is_processor ? ARRAY_LENGTH(procs) : GO_STATE_COUNT;
		unsigned from = find_word(fact->fields[2], words, count);
		unsigned to = find_word(fact->fields[3], words, count);
		int64_t wanted = fact_number(fact, 1, -1);
		check_number(seen->name, fact->fields[0],
			(int64_t)(is_processor ? seen->procs[from][to]
					       : seen->goroutines[from][to]),
			wanted);
		told += (uint64_t)wanted;
	}
	check_number(seen->name, "transitions",
		(int64_t)(seen->kinds[GO_EVENT_GOROUTINE] + seen->kinds[GO_EVENT_PROC]),
		(int64_t)told);
}

/* ---- the whole */

static void
check_whole(const struct trace *trace, const struct seen *seen, const struct facts *facts)
{
	check_number(seen->name, "goroutines", trace_actor_count(trace),
		facts_single(facts, "goroutines"));
	check_number(seen->name, "procs", trace_processor_count(trace) + seen->lanes,
		facts_single(facts, "procs"));
	check_number(seen->name, "threads", trace_thread_count(trace),
		facts_single(facts, "threads"));
	check_number(seen->name, "events of the model", (int64_t)trace->event_count,
		(int64_t)(count_kinds(seen, ~0U) - seen->kinds[GO_EVENT_SYNC]));
	check_number(seen->name, "the first event's time", trace->origin_ns, seen->first_ns);
	check_number(seen->name, "span",
		trace->origin_ns + trace->end_ns + seen->tail_ns - facts_single(facts, "first_time"),
		facts_single(facts, "span_ns"));
}

/* ---- goroutines */

/* Time per state, blocked time by reason left aside. */
static void
state_times(const struct trace *trace, actor_ref goroutine, int64_t times_ns[STATE_COUNT])
{
	struct lane lane = { .type = LANE_ACTOR, .ref = goroutine };
	int64_t totals_ns[CLASS_COUNT];
	lane_totals(trace, lane, 0, trace->end_ns, totals_ns);
	memset(times_ns, 0, STATE_COUNT * sizeof(*times_ns));
	for (int c = CLASS_UNKNOWN; c < CLASS_COUNT; c++) {
		enum state state = STATE_BLOCKED;
		if (c == CLASS_UNKNOWN)
			state = STATE_UNKNOWN;
		else if (c == CLASS_RUNNING || c == CLASS_WORKER)
			state = STATE_RUNNING;
		else if (c == CLASS_READY)
			state = STATE_READY;
		else if (c == CLASS_SYSCALL)
			state = STATE_SYSCALL;
		times_ns[state] += totals_ns[c];
	}
}

static const enum state model_states[GO_STATE_COUNT] = { STATE_UNKNOWN, STATE_GONE, STATE_READY,
	STATE_RUNNING, STATE_BLOCKED, STATE_SYSCALL };

/* How far back the model dates the state that was only mentioned. */
static int64_t
dated_back_ns(const struct trace *trace, const struct mention *mention, actor_ref goroutine)
{
	int64_t first_ns = trace_actor(trace, goroutine)->first_ns;
	bool is_old = mention->state != GO_NOT_EXIST;
	bool may_be_late = mention->state == GO_RUNNING || mention->state == GO_SYSCALL;
	if (first_ns != mention->time_ns && !(is_old && first_ns == 0))
		fail_msg("goroutine %" PRId64 ": begins at %" PRId64 ", is mentioned at %" PRId64,
			mention->id, first_ns, mention->time_ns);
	if (is_old && !may_be_late)
		assert_int_equal(first_ns, 0);
	return mention->time_ns - first_ns;
}

/* The model's times as Go's tools count them. */
static void
times_as_go(const struct trace *trace, const struct seen *seen, int64_t id, actor_ref ref,
	int64_t times_ns[STATE_COUNT])
{
	const struct mention *mention = mention_of(seen, id);
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	state_times(trace, ref, times_ns);
	times_ns[model_states[mention->state]] -= dated_back_ns(trace, mention, ref);
	struct span last;
	if (trace_actor(trace, ref)->end_ns == TIME_OPEN &&
		lane_previous(trace, lane, INT64_MAX, CLASS_MASK_ALL, &last))
		times_ns[last.kind->state] += seen->tail_ns;
}

/* Compares a time; `ties` is how far off it may be, see the top. */
static void
check_time(const char *name, int64_t id, const char *what, int64_t got, int64_t wanted,
	int64_t ties)
{
	int64_t off = got > wanted ? got - wanted : wanted - got;
	if (off > ties)
		fail_msg("%s: goroutine %" PRId64 ", %s: got %" PRId64 ", wanted %" PRId64, name,
			id, what, got, wanted);
}

static void
check_times(const char *name, int64_t id, const char *what, int64_t got, const struct fact *fact,
	int field)
{
	check_time(name, id, what, got, fact_number(fact, field, 0), 0);
}

/* `actor_time ID RUNNING READY BLOCKED SYSCALL` of counts.txt */
static void
check_goroutine_time(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t id = fact_number(fact, 1, -1), times_ns[STATE_COUNT];
	actor_ref ref = trace_find_actor(trace, id);
	assert_true(ref != REF_NONE);
	times_as_go(trace, seen, id, ref, times_ns);
	check_times(seen->name, id, "running", times_ns[STATE_RUNNING], fact, 2);
	check_times(seen->name, id, "ready", times_ns[STATE_READY], fact, 3);
	check_times(seen->name, id, "blocked", times_ns[STATE_BLOCKED], fact, 4);
	check_times(seen->name, id, "syscall", times_ns[STATE_SYSCALL], fact, 5);
}

/* Time that the goroutine was in system calls while it had a proc, by the lanes of the procs. */
static int64_t
syscall_on_proc_ns(const struct trace *trace, actor_ref ref, int64_t t0_ns, int64_t t1_ns)
{
	int64_t total_ns = 0;
	for (resource_ref p = 0; p < trace_processor_count(trace); p++) {
		struct lane lane = { .type = LANE_PROCESSOR, .ref = p };
		struct span span;
		bool is_there = lane_span_at(trace, lane, t0_ns, &span) ||
				lane_next(trace, lane, t0_ns, CLASS_MASK_ALL, &span);
		for (; is_there && span.start_ns < t1_ns;
			is_there = lane_after(trace, lane, &span, &span)) {
			int64_t start_ns = span.start_ns > t0_ns ? span.start_ns : t0_ns;
			int64_t end_ns = span.end_ns < t1_ns ? span.end_ns : t1_ns;
			if (span.actor == ref && span.time_class == CLASS_SYSCALL)
				total_ns += end_ns - start_ns;
		}
	}
	return total_ns;
}

/* The same as Go tells it; before 1.22 that may be more, see the top. */
static int64_t
syscall_as_go(const struct trace *trace, actor_ref ref, int64_t t0_ns, int64_t t1_ns,
	int64_t told_ns)
{
	int64_t got_ns = syscall_on_proc_ns(trace, ref, t0_ns, t1_ns);
	return trace->go_minor < 22 && got_ns < told_ns ? told_ns : got_ns;
}

/* When Go 1.23 takes it to have ended, 0 for not at all. */
static int64_t
end_as_go(const struct trace *trace, actor_ref ref)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	struct span last;
	if (trace_actor(trace, ref)->end_ns != TIME_OPEN)
		return trace_actor(trace, ref)->end_ns;
	assert_true(lane_previous(trace, lane, INT64_MAX, CLASS_MASK_ALL, &last));
	return last.time_class == CLASS_FOREVER ? last.start_ns : 0;
}

/*
 * `goroutine ID CREATED STARTED ENDED TOTAL RUNNING READY SYSCALL SYSCALL_BLOCK REGIONS NAME`
 * of oracle.txt. Its name is empty where it was never seen in a stack; there the model may know more.
 */
static void
check_goroutine(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t id = fact_number(fact, 1, -1), times_ns[STATE_COUNT];
	actor_ref ref = trace_find_actor(trace, id);
	assert_true(ref != REF_NONE);
	const struct actor *goroutine = trace_actor(trace, ref);
	times_as_go(trace, seen, id, ref, times_ns);
	bool is_old = mention_of(seen, id)->state != GO_NOT_EXIST;
	int64_t ties = mention_of(seen, id)->tied;
	check_time(seen->name, id, "created", is_old ? 0 : goroutine->first_ns,
		fact_number(fact, 2, 0), ties);
	check_time(seen->name, id, "ended", end_as_go(trace, ref), fact_number(fact, 4, 0), ties);
	check_time(seen->name, id, "running", times_ns[STATE_RUNNING], fact_number(fact, 6, 0),
		ties);
	check_time(seen->name, id, "ready", times_ns[STATE_READY], fact_number(fact, 7, 0), ties);
	check_time(seen->name, id, "syscall", times_ns[STATE_SYSCALL],
		fact_number(fact, 8, 0) + fact_number(fact, 9, 0), ties);
	if (trace_actor(trace, ref)->first_ns > 0)
		check_time(seen->name, id, "syscall with a proc",
			syscall_as_go(trace, ref, 0, trace->end_ns, fact_number(fact, 8, 0)),
			fact_number(fact, 8, 0), ties);
	size_t length;
	const char *name = trace_text(trace, goroutine->name, &length);
	if (fact->fields[11][0] != '\0' && !fact_string_is(fact->fields[11], name, length))
		fail_msg("%s: goroutine %" PRId64 ": named \"%s\", wanted \"%s\"", seen->name, id,
			name, fact->fields[11]);
}

/* Time blocked for a reason. */
static int64_t
blocked_ns(const struct trace *trace, const struct seen *seen, actor_ref ref,
	const char *reason)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	struct span span;
	int64_t total_ns = 0;
	bool is_there = lane_next(trace, lane, 0, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &span)) {
		size_t length;
		const char *text = trace_text(trace, span.kind->reason, &length);
		if (span.kind->state == STATE_BLOCKED && fact_string_is(reason, text, length))
			total_ns += span.end_ns - span.start_ns + (span.is_open ? seen->tail_ns : 0);
	}
	return total_ns;
}

/* `goroutine_block ID NS REASON` of oracle.txt */
static void
check_block(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t id = fact_number(fact, 1, -1);
	actor_ref ref = trace_find_actor(trace, id);
	const struct mention *mention = mention_of(seen, id);
	int64_t got_ns = blocked_ns(trace, seen, ref, fact->fields[3]);
	if (mention->state == GO_WAITING && fact->fields[3][0] == '\0')
		got_ns -= dated_back_ns(trace, mention, ref);
	check_time(seen->name, id, fact->fields[3], got_ns, fact_number(fact, 2, 0),
		mention->tied);
}

/* ---- how many were in each state at 64 moments */

/* Old goroutines in that state that Go's tools do not know of yet. */
static int64_t
not_yet_mentioned(const struct trace *trace, const struct seen *seen, enum go_state state,
	int64_t t_ns)
{
	int64_t count = 0;
	for (size_t i = 0; i < seen->mention_count; i++) {
		const struct mention *mention = &seen->mentions[i];
		actor_ref ref = trace_find_actor(trace, mention->id);
		count += mention->state == state && mention->time_ns > t_ns &&
			 trace_actor(trace, ref)->first_ns <= t_ns;
	}
	return count;
}

static int64_t
count_in_state(const struct trace *trace, enum state state, int64_t t_ns)
{
	int64_t count = 0;
	for (actor_ref g = 0; g < trace_actor_count(trace); g++) {
		struct lane lane = { .type = LANE_ACTOR, .ref = g };
		struct span span;
		count += lane_previous(trace, lane, t_ns + 1, CLASS_MASK_ALL, &span) &&
			 (span.is_open || span.end_ns > t_ns) && span.kind->state == state;
	}
	return count;
}

/* Of all classes of a state together, from the changes of all goroutines. */
static int64_t
count_by_changes(const struct trace *trace, enum state state, int64_t t_ns)
{
	const int64_t moments_ns[2] = { t_ns, t_ns + 1 };
	int64_t sums_ns[2][CLASS_COUNT], counts[CLASS_COUNT];
	all_changes_until(&trace->all, moments_ns, 2, sums_ns);
	for (int c = 0; c < CLASS_COUNT; c++)
		counts[c] = sums_ns[1][c] - sums_ns[0][c];
	if (state == STATE_RUNNING)
		return counts[CLASS_RUNNING] + counts[CLASS_WORKER];
	if (state == STATE_READY)
		return counts[CLASS_READY];
	if (state == STATE_SYSCALL)
		return counts[CLASS_SYSCALL];
	int64_t blocked = 0;
	for (int c = CLASS_CHANNEL; c < CLASS_COUNT; c++)
		blocked += counts[c];
	return blocked;
}

/* `at T goroutine N STATE`; all states of a moment stand together, those with none left out. */
static void
check_moment(const struct trace *trace, const struct seen *seen, const struct facts *facts,
	int64_t t_ns)
{
	int64_t wanted[GO_STATE_COUNT] = { 0 };
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		if (is_fact(fact, "at") && fact_number(fact, 1, -1) == t_ns &&
			strcmp(fact->fields[2], "goroutine") == 0)
			wanted[find_word(fact->fields[4], goroutine_states, GO_STATE_COUNT)] =
				fact_number(fact, 3, -1);
	}
	for (enum go_state state = GO_RUNNABLE; state < GO_STATE_COUNT; state++) {
		int64_t expected = wanted[state] + not_yet_mentioned(trace, seen, state, t_ns);
		int64_t got = count_in_state(trace, model_states[state], t_ns);
		int64_t by_changes = count_by_changes(trace, model_states[state], t_ns);
		if (got != expected || by_changes != expected)
			fail_msg("%s: %s at %" PRId64 ": got %" PRId64 ", by changes %" PRId64
				 ", wanted %" PRId64,
				seen->name, goroutine_states[state], t_ns, got, by_changes,
				expected);
	}
}

static void
check_moments(const struct trace *trace, const struct seen *seen, const struct facts *facts)
{
	int64_t last_ns = -1;
	for (size_t i = 0; i < facts->count; i++) {
		if (!is_fact(&facts->lines[i], "at"))
			continue;
		int64_t t_ns = fact_number(&facts->lines[i], 1, -1);
		if (t_ns != last_ns)
			check_moment(trace, seen, facts, t_ns);
		last_ns = t_ns;
	}
	assert_true(last_ns > 0);
}

/* ---- ranges, regions, tasks, logs */

static const char *const range_names[RANGE_TYPE_COUNT] = {
	[RANGE_GC_MARK] = "GC concurrent mark phase",
	[RANGE_STW] = "stop-the-world (",
	[RANGE_SWEEP] = "GC incremental sweep",
	[RANGE_MARK_ASSIST] = "GC mark assist",
};

static bool
range_is(const struct trace *trace, const struct range *range, const char *name)
{
	if (range->type == RANGE_REGION)
		return false;
	size_t prefix = strlen(range_names[range->type]), length;
	if (range->type != RANGE_STW)
		return strcmp(name, range_names[range->type]) == 0;
	const char *kind = trace_text(trace, range->name, &length);
	return strncmp(name, range_names[RANGE_STW], prefix) == 0 &&
	       strncmp(name + prefix, kind, length) == 0 && strcmp(name + prefix + length, ")") == 0;
}

/* `range BEGIN ACTIVE END SCOPE NAME`: without RangeActive events each range is one begin or one end. */
static void
check_range_counts(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t begun = 0, ended = 0;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (!range_is(trace, range, fact->fields[5]))
			continue;
		begun += !range->began_before;
		ended += range->end_ns != TIME_OPEN;
	}
	check_number(seen->name, fact->fields[5], begun, fact_number(fact, 1, -1));
	check_number(seen->name, fact->fields[5], ended, fact_number(fact, 3, -1));
}

/* `goroutine_range ID NS NAME`, without sweeps, which the model has on procs. */
static void
check_goroutine_range(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t total_ns = 0, id = fact_number(fact, 1, -1);
	actor_ref ref = trace_find_actor(trace, id);
	if (strcmp(fact->fields[3], range_names[RANGE_SWEEP]) == 0)
		return;
	const struct ref_index *index = &trace->actor_ranges;
	for (uint32_t i = index->first[ref]; i < index->first[ref + 1]; i++) {
		const struct range *range = trace_range(trace, index->refs[i]);
		if (!range_is(trace, range, fact->fields[3]))
			continue;
		int64_t end_ns = range->end_ns == TIME_OPEN ? trace->end_ns + seen->tail_ns
		                                            : range->end_ns;
		total_ns += end_ns - range->start_ns;
	}
	check_times(seen->name, id, fact->fields[3], total_ns, fact, 2);
}

static bool
region_is(const struct trace *trace, const struct range *region, const struct fact *fact)
{
	size_t length;
	const char *name = trace_text(trace, region->name, &length);
	int64_t task = region->task == REF_NONE ? 0 : trace_task(trace, region->task)->id;
	int64_t end_ns = region->end_ns;
	int64_t start_ns = region->began_before ? -1 : region->start_ns;
	return task == fact_number(fact, 2, -1) && start_ns == fact_number(fact, 3, -1) &&
	       end_ns == fact_number(fact, 4, TIME_OPEN) && fact_string_is(fact->fields[9], name, length);
}

/* A region and the times within it, which only the index can answer. */
static void
check_region(const struct trace *trace, const struct seen *seen, const struct fact *fact,
	actor_ref ref)
{
	const struct ref_index *index = &trace->actor_ranges;
	bool found = false;
	for (uint32_t i = index->first[ref]; i < index->first[ref + 1] && !found; i++) {
		const struct range *range = trace_range(trace, index->refs[i]);
		found = range->type == RANGE_REGION && region_is(trace, range, fact);
	}
	int64_t id = trace_actor(trace, ref)->id;
	int64_t start_ns = fact_number(fact, 3, -1), end_ns = fact_number(fact, 4, -1);
	if (!found)
		fail_msg("%s: goroutine %" PRId64 " has no region \"%s\" at %" PRId64, seen->name,
			id, fact->fields[9], start_ns);
	if (start_ns < 0 || end_ns < 0)
		return;
	int64_t totals_ns[CLASS_COUNT], blocked_total_ns = 0;
	struct lane lane = { .type = LANE_ACTOR, .ref = ref };
	lane_totals(trace, lane, start_ns, end_ns, totals_ns);
	for (int c = CLASS_CHANNEL; c < CLASS_COUNT; c++)
		blocked_total_ns += totals_ns[c];
	check_times(seen->name, id, "running in a region",
		totals_ns[CLASS_RUNNING] + totals_ns[CLASS_WORKER], fact, 5);
	check_times(seen->name, id, "ready in a region", totals_ns[CLASS_READY], fact, 6);
	check_times(seen->name, id, "syscall in a region",
		syscall_as_go(trace, ref, start_ns, end_ns, fact_number(fact, 7, 0)), fact, 7);
	check_times(seen->name, id, "blocked in a region", blocked_total_ns, fact, 8);
}

/* `region GOROUTINE TASK START END RUNNING READY SYSCALL BLOCKED NAME` */
static void
check_regions(const struct trace *trace, const struct seen *seen, const struct facts *facts)
{
	int64_t told = 0, begun = 0;
	for (size_t i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->lines[i];
		if (!is_fact(fact, "region"))
			continue;
		actor_ref ref = trace_find_actor(trace, fact_number(fact, 1, -1));
		assert_true(ref != REF_NONE);
		bool is_inherited = fact->fields[9][0] == '\0' &&
				    fact_number(fact, 3, -1) == trace_actor(trace, ref)->first_ns;
		if (is_inherited)
			continue;
		check_region(trace, seen, fact, ref);
		told++;
	}
	for (range_ref i = 0; i < trace->ranges.count; i++)
		begun += trace_range(trace, i)->type == RANGE_REGION;
	check_number(seen->name, "regions", begun, told);
}

/* The latest with that id, REF_NONE for none. */
static task_ref
find_task(const struct trace *trace, int64_t id)
{
	task_ref ref = trace->tasks.count;
	while (ref > 0)
		if (trace_task(trace, --ref)->id == id)
			return ref;
	return REF_NONE;
}

/* `task ID PARENT START END CHILDREN REGIONS NAME`; 0 is the background task. */
static void
check_task(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t id = fact_number(fact, 1, -1);
	if (id == 0)
		return;
	task_ref ref = find_task(trace, id);
	if (ref == REF_NONE)
		fail_msg("%s: no task %" PRId64, seen->name, id);
	const struct task *task = trace_task(trace, ref);
	int64_t parent = task->parent == REF_NONE ? -1 : trace_task(trace, task->parent)->id;
	check_times(seen->name, id, "parent of the task", parent < 0 ? 0 : parent, fact, 2);
	check_times(seen->name, id, "start of the task", task->began_before ? 0 : task->start_ns,
		fact, 3);
	check_times(seen->name, id, "end of the task",
		task->end_ns == TIME_OPEN ? 0 : task->end_ns, fact, 4);
	size_t length;
	const char *name = trace_text(trace, task->name, &length);
	if (!fact_string_is(fact->fields[7], name, length))
		fail_msg("%s: task %" PRId64 ": wanted \"%s\"", seen->name, id, fact->fields[7]);
}

/* `log T TASK GOROUTINE CATEGORY MESSAGE` */
static void
check_log(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	int64_t t_ns = fact_number(fact, 1, -1);
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *log = trace_instant(trace, i);
		if (log->type != INSTANT_LOG || log->time_ns != t_ns)
			continue;
		int64_t task = log->task == REF_NONE ? 0 : trace_task(trace, log->task)->id;
		size_t category, message;
		const char *category_text = trace_text(trace, log->category, &category);
		const char *message_text = trace_text(trace, log->text, &message);
		check_number(seen->name, "task of a log", task, fact_number(fact, 2, -1));
		check_number(seen->name, "goroutine of a log",
			trace_actor(trace, log->actor)->id, fact_number(fact, 3, -1));
		assert_true(fact_string_is(fact->fields[4], category_text, category));
		assert_true(fact_string_is(fact->fields[5], message_text, message));
		return;
	}
	fail_msg("%s: no log at %" PRId64, seen->name, t_ns);
}

/* `metric COUNT MIN MAX LAST NAME` */
static void
check_metric(const struct trace *trace, const struct seen *seen, const struct fact *fact)
{
	static const char *const names[COUNTER_COUNT] = {
		[COUNTER_HEAP_ALLOC] = "/memory/classes/heap/objects:bytes",
		[COUNTER_HEAP_GOAL] = "/gc/heap/goal:bytes",
		[COUNTER_GOMAXPROCS] = "/sched/gomaxprocs:threads",
	};
	enum counter_type type = (enum counter_type)find_word(fact->fields[5], names, COUNTER_COUNT);
	uint64_t least = 0, greatest = 0, last = 0;
	check_number(seen->name, "values", (int64_t)counter_count(&trace->counters[type]),
		fact_number(fact, 1, -1));
	assert_true(counter_range(trace, type, 0, trace->end_ns + 1, &least, &greatest));
	assert_true(counter_at(trace, type, trace->end_ns, &last));
	check_number(seen->name, "least value", (int64_t)least, fact_number(fact, 2, -1));
	check_number(seen->name, "greatest value", (int64_t)greatest, fact_number(fact, 3, -1));
	check_number(seen->name, "last value", (int64_t)last, fact_number(fact, 4, -1));
}

/* ---- the tests */

static const struct {
	const char *which;
	void (*check)(const struct trace *trace, const struct seen *seen, const struct fact *fact);
} checks[] = {
	{ "goroutine", check_goroutine },
	{ "goroutine_block", check_block },
	{ "goroutine_time", check_goroutine_time },
	{ "goroutine_range", check_goroutine_range },
	{ "range", check_range_counts },
	{ "task", check_task },
	{ "log", check_log },
	{ "metric", check_metric },
};

static void
check_facts(const struct trace *trace, const struct seen *seen, const struct facts *facts,
	int64_t syncs)
{
	check_kinds(seen, facts, syncs);
	check_transitions(seen, facts);
	check_whole(trace, seen, facts);
	for (size_t i = 0; i < facts->count; i++)
		for (size_t c = 0; c < ARRAY_LENGTH(checks); c++)
			if (is_fact(&facts->lines[i], checks[c].which))
				checks[c].check(trace, seen, &facts->lines[i]);
}

static void
check_oracle(const char *name)
{
	struct seen seen;
	struct facts facts;
	struct trace *trace = testing_load(name);
	see(&seen, name);
	facts_read(&facts, name, ".oracle.txt");
	seen.tail_ns = trace->go_minor < 22 ? 0 : 1;
	for (size_t i = 0; i < ARRAY_LENGTH(seen.has_lane); i++)
		seen.lanes += seen.has_lane[i];
	check_facts(trace, &seen, &facts, trace->go_minor < 22 ? 2 : 1);
	check_moments(trace, &seen, &facts);
	check_regions(trace, &seen, &facts);
	facts_release(&facts);
	seen_release(&seen);
	trace_free(trace);
}

static void
check_counts(const char *name)
{
	struct seen seen;
	struct facts facts;
	struct trace *trace = testing_load(name);
	see(&seen, name);
	facts_read(&facts, name, ".counts.txt");
	seen.tail_ns = 1;
	check_facts(trace, &seen, &facts, 0);
	facts_release(&facts);
	seen_release(&seen);
	trace_free(trace);
}

static void
agrees_with_go_1_23(void **state)
{
	(void)state;
	testing_each(".oracle.txt", check_oracle);
}

static void
agrees_with_go_1_26(void **state)
{
	(void)state;
	testing_each(".counts.txt", check_counts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_go_1_23),
		cmocka_unit_test(agrees_with_go_1_26),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
