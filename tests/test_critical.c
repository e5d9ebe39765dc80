/*
 * Critical paths and why-chains: by hand on small traces; and on all others that the parts
 * follow one another without a hole, that each state, wake and creation on the way is an
 * event of the parsed dump, and that links are what they say.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/critical.h"
#include "analysis/why.h"
#include "base_testing.h"
#include "dumptesting.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "tracetesting.h"

enum { SIMULATED = 12, INTERVALS = 20, WAITS = 20 };

static const uint64_t no_limit = UINT64_MAX;

/* ---- transitions of goroutines: what the parsed dump says happened */

struct transition {
	int64_t time_ns, goroutine;
	int64_t by; /* goroutine that ran where it happened, -1 for none */
	enum state to;
};

struct transitions {
	struct transition *items;
	size_t count, capacity;
};

static void
add_transition(struct transitions *all, struct transition transition)
{
	struct error err = { 0 };
	assert_true(array_reserve(
		&all->items, &all->capacity, all->count + 1, sizeof *all->items, &err));
	all->items[all->count++] = transition;
}

static enum state
state_of_word(const char *word)
{
	static const struct {
		const char *word;
		enum state state;
	} words[] = {
		{ "Runnable", STATE_READY },
		{ "Running", STATE_RUNNING },
		{ "Waiting", STATE_BLOCKED },
		{ "Syscall", STATE_SYSCALL },
		{ "NotExist", STATE_GONE },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		if (strcmp(word, words[i].word) == 0)
			return words[i].state;
	}
	return STATE_UNKNOWN;
}

/* "M=1 P=0 G=21 StateTransition Time=123 GoID=20 Waiting->Runnable Reason=..." */
static bool
read_transition(const char *line, size_t length, struct transition *transition)
{
	char copy[160], to[16]; /* sscanf() would look for the end of the whole dump */
	if (length >= sizeof copy)
		length = sizeof copy - 1;
	memcpy(copy, line, length);
	copy[length] = '\0';
	if (sscanf(copy,
		    "M=%*d P=%*d G=%" SCNd64 " StateTransition Time=%" SCNd64 " GoID=%" SCNd64
		    " %*[A-Za-z]->%15[A-Za-z]",
		    &transition->by, &transition->time_ns, &transition->goroutine, to) != 4)
		return false;
	transition->to = state_of_word(to);
	return true;
}

static void
read_dump(const char *path, int64_t origin_ns, struct transitions *all)
{
	struct dumptest dump = { .form = DUMPTEST_PARSED };
	dumptest_file(&dump, path);
	assert_true(dump.ok);
	for (const char *line = dump.text.bytes, *end; (end = strchr(line, '\n')) != NULL;
		line = end + 1) {
		struct transition transition;
		if (*line != 'M' || !read_transition(line, (size_t)(end - line), &transition))
			continue;
		transition.time_ns -= origin_ns;
		add_transition(all, transition);
	}
	dumptest_release(&dump);
	assert_true(all->count > 0);
}

static void
read_events(const struct naive *naive, struct transitions *all)
{
	static const enum state states[] = {
		[GO_NOT_EXIST] = STATE_GONE,
		[GO_RUNNABLE] = STATE_READY,
		[GO_RUNNING] = STATE_RUNNING,
		[GO_WAITING] = STATE_BLOCKED,
		[GO_SYSCALL] = STATE_SYSCALL,
	};
	for (size_t i = 0; i < naive->event_count; i++) {
		const struct go_event *event = &naive->events[i];
		if (event->kind != GO_EVENT_GOROUTINE)
			continue;
		add_transition(all, (struct transition){ event->time_ns, event->u.goroutine.id,
					    event->g, states[event->u.goroutine.to] });
	}
}

/* The first at or after t. */
static size_t
transitions_from(const struct transitions *all, int64_t t_ns)
{
	size_t low = 0, high = all->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (all->items[middle].time_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- checks */

struct subject {
	const char *name;
	const struct trace *trace;
	const struct transitions *all;
	actor_ref goroutine;
	int64_t t0_ns, t1_ns;
};

#define SUBJECT_FORMAT "%s: G%" PRId64 " [%" PRId64 ", %" PRId64 "): "
#define SUBJECT(s)                                                                                 \
	(s)->name, trace_actor((s)->trace, (s)->goroutine)->id, (s)->t0_ns, (s)->t1_ns

static int64_t
id_of(const struct subject *subject, actor_ref goroutine)
{
	return trace_actor(subject->trace, goroutine)->id;
}

/* That a goroutine entered a state then; by whom, unless that is REF_NONE. */
static void
check_event(const struct subject *subject, int64_t t_ns, actor_ref goroutine, enum state to,
	actor_ref by)
{
	for (size_t i = transitions_from(subject->all, t_ns);
		i < subject->all->count && subject->all->items[i].time_ns == t_ns; i++) {
		const struct transition *transition = &subject->all->items[i];
		if (transition->goroutine == id_of(subject, goroutine) && transition->to == to &&
			(by == REF_NONE || transition->by == id_of(subject, by)))
			return;
	}
	fail_msg(SUBJECT_FORMAT "G%" PRId64 " did not become %s at %" PRId64, SUBJECT(subject),
		id_of(subject, goroutine), state_name(to), t_ns);
}

/* Running goes on as running where it turns out to be work for the collector. */
static bool
goes_on(const struct subject *subject, struct lane lane, const struct span *span)
{
	struct span before;
	return span->kind->state == STATE_RUNNING &&
	       lane_before(subject->trace, lane, span, &before) &&
	       before.kind->state == STATE_RUNNING;
}

/* The part is of such a state, whose begin and end are events. */
static void
check_state(const struct subject *subject, const struct critical_part *part)
{
	struct lane lane = { LANE_ACTOR, part->actor };
	struct span span, after;
	if (!lane_span_at(subject->trace, lane, part->start_ns, &span) ||
		span.kind->state != part->kind->state || span.kind->reason != part->kind->reason ||
		span.end_ns < part->end_ns)
		fail_msg(SUBJECT_FORMAT "no such state of G%" PRId64 " at %" PRId64,
			SUBJECT(subject), id_of(subject, part->actor), part->start_ns);
	if (span.start_ns > 0 && span.kind->state != STATE_UNKNOWN &&
		!goes_on(subject, lane, &span))
		check_event(subject, span.start_ns, part->actor, span.kind->state, REF_NONE);
	if (!span.is_open && lane_after(subject->trace, lane, &span, &after) &&
		after.kind->state != STATE_UNKNOWN && !goes_on(subject, lane, &after))
		check_event(subject, span.end_ns, part->actor, after.kind->state, REF_NONE);
}

/* A goroutine can be made ready or, since Go 1.23, blocked. */
static void
check_created(const struct subject *subject, const struct critical_part *part)
{
	struct lane lane = { LANE_ACTOR, part->other };
	struct span first;
	assert_true(lane_next(subject->trace, lane, 0, CLASS_MASK_ALL, &first));
	assert_true(first.start_ns == part->end_ns || part->end_ns == subject->t1_ns);
	check_event(subject, first.start_ns, part->other, first.kind->state, part->actor);
}

/* How the path came from the part after it. */
static void
check_link(const struct subject *subject, const struct critical_path *path, size_t index)
{
	const struct critical_part *part = &path->parts[index];
	const struct critical_part *after = index > 0 ? &path->parts[index - 1] : NULL;
	assert_true((part->link == LINK_END) ? after == NULL || after->wait != REF_NONE : true);
	switch (part->link) {
	case LINK_BEFORE:
		assert_non_null(after);
		if (part->cause != CAUSE_LONG)
			assert_int_equal(part->actor, after->actor);
		break;
	case LINK_WOKE:
		assert_int_not_equal(part->wait, REF_NONE);
		assert_int_equal(part->actor, path->waits[part->wait].ready.waker.ref);
		assert_int_equal(part->other, path->waits[part->wait].span.actor);
		break;
	case LINK_CREATED:
		assert_int_equal(
			part->actor, trace_actor(subject->trace, part->other)->creator);
		check_created(subject, part);
		break;
	case LINK_RETURNED:
		assert_non_null(after);
		assert_int_not_equal(after->wait, REF_NONE);
		break;
	case LINK_END:
	case LINK_COUNT:
		break;
	}
}

static void
check_parts(const struct subject *subject, const struct critical_path *path)
{
	int64_t until_ns = path->end_ns, sum_ns = 0;
	for (size_t i = 0; i < path->part_count; i++) {
		const struct critical_part *part = &path->parts[i];
		if (part->end_ns != until_ns || part->start_ns >= part->end_ns)
			fail_msg(SUBJECT_FORMAT "part %zu is [%" PRId64 ", %" PRId64
						"), not up to %" PRId64,
				SUBJECT(subject), i, part->start_ns, part->end_ns, until_ns);
		until_ns = part->start_ns;
		sum_ns += part->end_ns - part->start_ns;
		if (part->kind != NULL)
			check_state(subject, part);
		check_link(subject, path, i);
	}
	assert_int_equal(until_ns, path->start_ns);
	assert_int_equal(sum_ns, path->end_ns - path->start_ns);
}

/* Each wait is a wait, ended by whom it says, and its parts fill it. */
static void
check_waits(const struct subject *subject, const struct critical_path *path)
{
	for (size_t i = 0; i < path->wait_count; i++) {
		const struct critical_wait *wait = &path->waits[i];
		if (wait->span.start_ns > 0)
			check_event(subject, wait->span.start_ns, wait->span.actor,
				STATE_BLOCKED, REF_NONE);
		check_event(subject, wait->span.end_ns, wait->span.actor, STATE_READY,
			wait->ready.waker.ref);
		assert_true(wait->first_part <= wait->end_part);
		assert_true(wait->end_part <= path->part_count);
		if (wait->first_part == wait->end_part)
			continue;
		assert_int_equal(path->parts[wait->first_part].end_ns, wait->end_ns);
		assert_int_equal(path->parts[wait->end_part - 1].start_ns, wait->start_ns);
	}
}

static void
check_shares(const struct subject *subject, const struct critical_path *path)
{
	struct error err = { 0 };
	size_t count, parts = 0;
	int64_t sum_ns = 0;
	struct critical_share *shares = critical_shares(path, subject->trace, &count, NULL, &err);
	assert_non_null(shares);
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || shares[i - 1].total_ns >= shares[i].total_ns);
		sum_ns += shares[i].total_ns;
		parts += shares[i].count;
	}
	assert_int_equal(sum_ns, path->end_ns - path->start_ns);
	assert_int_equal(parts, path->part_count);
	memory_free(shares);
	const atomic_bool is_cancelled = true;
	if (path->part_count == 0)
		return;
	assert_null(critical_shares(path, subject->trace, &count, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
}

static void
check_path(const struct subject *subject, uint64_t most_steps)
{
	struct critical_path path;
	struct error err = { 0 };
	struct critical_scope scope = {
		subject->goroutine, subject->t0_ns, subject->t1_ns, most_steps, NULL
	};
	assert_true(critical_build(&path, subject->trace, &scope, &err));
	check_parts(subject, &path);
	if (most_steps == no_limit)
		check_waits(subject, &path);
	check_shares(subject, &path);
	critical_release(&path);
}

/* The wait has what is before it and after it running, or no more of the goroutine. */
static void
check_why(const struct subject *subject, const struct span *span)
{
	struct lane lane = { LANE_ACTOR, subject->goroutine };
	struct error err = { 0 };
	struct why why;
	struct critical_scope scope = {
		.actor = subject->goroutine, .t0_ns = span->start_ns, .most_steps = no_limit
	};
	bool is_found = why_find(&why, subject->trace, &scope, &err);
	assert_int_equal(is_found, span->kind->state != STATE_RUNNING);
	if (!is_found)
		return;
	struct span edge;
	assert_true(why.start_ns <= span->start_ns && why.end_ns >= span->end_ns);
	assert_true(!lane_previous(subject->trace, lane, why.start_ns, CLASS_MASK_ALL, &edge) ||
		    edge.kind->state == STATE_RUNNING);
	assert_true(why.is_open ||
		    !lane_next(subject->trace, lane, why.end_ns, CLASS_MASK_ALL, &edge) ||
		    edge.kind->state == STATE_RUNNING);
	assert_int_equal(why.path.start_ns, why.start_ns);
	assert_int_equal(why.path.end_ns, why.end_ns);
	check_parts(subject, &why.path);
	check_waits(subject, &why.path);
	why_release(&why);
}

static void
check_goroutines(struct subject *subject)
{
	const struct trace *trace = subject->trace;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct lane lane = { LANE_ACTOR, i };
		struct span span;
		subject->goroutine = i;
		lane_life(trace, lane, &subject->t0_ns, &subject->t1_ns);
		check_path(subject, no_limit);
		check_path(subject, 3);
		bool is_there = lane_next(trace, lane, 0, CLASS_MASK_ALL, &span);
		for (int n = 0; is_there && n < WAITS; n++) {
			check_why(subject, &span);
			is_there = lane_after(trace, lane, &span, &span);
		}
	}
}

static void
check_testdata(const char *name)
{
	struct transitions all = { 0 };
	struct trace *trace = testing_load(name);
	struct subject subject = { .name = name, .trace = trace, .all = &all };
	read_dump(testing_path(name, ".trace"), trace->origin_ns, &all);
	check_goroutines(&subject);
	memory_free(all.items);
	trace_free(trace);
}

static void
steps_are_events_of_the_parsed_dump(void **state)
{
	(void)state;
	testing_each(".trace", check_testdata);
}

static void
check_pair(struct pair *pair)
{
	struct transitions all = { 0 };
	struct subject subject = { .name = pair->name, .trace = pair->trace, .all = &all };
	uint32_t count = trace_actor_count(pair->trace);
	read_events(&pair->naive, &all);
	for (unsigned i = 0; count > 0 && i < INTERVALS * pair->rounds; i++) {
		struct viewport interval = pair_viewport(pair, 1);
		subject.goroutine = (actor_ref)random_below(&pair->random, count);
		subject.t0_ns = interval.t0_ns;
		subject.t1_ns = interval.t1_ns;
		check_path(&subject, no_limit);
		check_path(&subject, random_below(&pair->random, 20));
	}
	memory_free(all.items);
}

static void
paths_of_any_interval_are_whole(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_pair);
}

/* ---- by hand */

#define TEXTS                                                                                      \
	BATCH("1", NONE, "0")                                                                      \
	"Strings\nString id=1\n\tdata=\"chan receive\"\nString id=2\n\tdata=\"sleep\"\n"           \
	"String id=3\n\tdata=\"network\"\nString id=4\n\tdata=\"main.send\"\n"                     \
	"String id=5\n\tdata=\"main.wait\"\n"                                                      \
	"String id=6\n\tdata=\"internal/poll.setDeadlineImpl\"\n" BATCH(                           \
		"1", NONE, "0") "Stacks\nStack id=1 nframes=1\n\tpc=1 func=4 file=4 line=1\n"      \
				"Stack id=2 nframes=1\n\tpc=2 func=5 file=5 line=2\n"               \
				"Stack id=3 nframes=1\n\tpc=3 func=6 file=6 line=3\n"

/* G1 creates G2 and waits for it; G2 waits for a proc, sleeps, and sends. The first event is at 1. */
static const char chain[] = GO22 FREQ("1") TEXTS BATCH("1", "0", "0") P0 G1
	"GoCreate dt=8 new_g=2 new_stack=0 stack=0\n"
	"GoBlock dt=10 reason_string=1 stack=2\n"
	"GoStart dt=30 g=2 g_seq=1\n"
	"GoBlock dt=20 reason_string=2 stack=0\n"
	"GoUnblock dt=30 g=2 g_seq=2 stack=0\n"
	"GoStart dt=5 g=2 g_seq=3\n"
	"GoUnblock dt=15 g=1 g_seq=1 stack=1\n"
	"GoDestroy dt=10\n"
	"GoStart dt=1 g=1 g_seq=2\n"
	"GoBlock dt=9 reason_string=1 stack=2\n"
	"ProcStop dt=20\n";

/* G1 waits for the network; G2, which runs meanwhile, is named as its waker, with this stack. */
#define POLLED(stack)                                                                              \
	GO22 FREQ("1") TEXTS BATCH("1", "0", "0") P0 G1                                            \
	"GoCreate dt=5 new_g=2 new_stack=0 stack=0\nGoBlock dt=5 reason_string=3 stack=2\n"        \
	"GoStart dt=0 g=2 g_seq=1\nGoUnblock dt=18 g=1 g_seq=1 stack=" stack                       \
	"\nGoStop dt=12 reason_string=0 stack=1\n"

static const struct {
	const char *name, *text;
	int64_t goroutine, t0_ns, t1_ns;
	uint64_t most_steps;
	const char *path;
} rows[] = {
	{ "a wait is what the goroutine did that ended it", chain, 1, 0, 138, UINT64_MAX,
		"G1 running [129, 138) end, main.wait\n"
		"G1 ready [118, 129) before, main.wait\n"
		" G2 running [103, 118) woke, main.send\n"
		" G2 ready [98, 103) before\n"
		" G2 blocked [68, 98) before: until its timer went off\n"
		" G2 running [48, 68) before\n"
		" G2 ready [18, 48) before\n"
		"G1 running [0, 18) returned, main.wait\n" },
	{ "before it was made, who made it", chain, 2, 0, 60, UINT64_MAX,
		"G2 running [48, 60) end\n"
		"G2 ready [8, 48) before\n"
		"G1 running [0, 8) created, main.wait\n" },
	{ "an interval that ends within a wait", chain, 1, 10, 101, UINT64_MAX,
		" G2 ready [98, 101) woke\n"
		" G2 blocked [68, 98) before: until its timer went off\n"
		" G2 running [48, 68) before\n"
		" G2 ready [18, 48) before\n"
		"G1 running [10, 18) returned, main.wait\n" },
	{ "a wait that does not end", chain, 1, 135, 159, UINT64_MAX,
		"G1 blocked [138, 158) end, main.wait: it did not end within the trace\n"
		"G1 running [135, 138) before, main.wait\n" },
	{ "a goroutine that has ended", chain, 2, 125, 135, UINT64_MAX,
		"G2 nothing [128, 135) end: the trace does not know\n"
		"G2 running [125, 128) before\n" },
	{ "after so many steps the rest is one part", chain, 1, 0, 138, 4,
		"G1 running [129, 138) end, main.wait\n"
		"G1 ready [118, 129) before, main.wait\n"
		" G2 running [103, 118) woke, main.send\n"
		"nobody [0, 103) before: not looked at: the path is too long\n" },
	{ "the network",
		GO22 FREQ("1") TEXTS BATCH("1", "0", "0") P0 G1
		"GoBlock dt=10 reason_string=3 stack=2\nGoUnblock dt=10 g=1 g_seq=1 stack=0\n"
		"GoStart dt=5 g=1 g_seq=2\nGoSyscallBegin dt=5 p_seq=1 stack=1\nGoSyscallEnd dt=5\n"
		"GoStop dt=5 reason_string=0 stack=1\nGoStart dt=5 g=1 g_seq=3\nGoBlock dt=5 "
		"reason_string=1 stack=0\n",
		1, 0, 100, UINT64_MAX,
		"G1 running [45, 50) end\n"
		"G1 ready [40, 45) before, main.send\n"
		"G1 running [35, 40) before, main.send\n"
		"G1 syscall [30, 35) before, main.send\n"
		"G1 running [25, 30) before, main.send\n"
		"G1 ready [20, 25) before, main.wait\n"
		"G1 blocked [10, 20) before, main.wait: ended by the network or its deadline\n"
		"G1 running [0, 10) before, main.wait\n" },
	{ "a goroutine that polled is not who ended a wait for the network", POLLED("1"), 1, 0, 40,
		UINT64_MAX,
		"G1 ready [28, 40) end, main.wait\n"
		"G1 blocked [10, 28) before, main.wait: until the network was ready\n"
		"G1 running [0, 10) before, main.wait\n" },
	{ "one in the poller is", POLLED("3"), 1, 0, 40, UINT64_MAX,
		"G1 ready [28, 40) end, main.wait\n"
		" G2 running [11, 28) woke, internal/poll.setDeadlineImpl\n"
		" G2 ready [10, 11) before\n"
		"G1 running [0, 10) returned, main.wait\n" },
	{ "a thread without a proc polled",
		GO22 FREQ("1") TEXTS BATCH(
			"1", NONE, "0") "GoUnblock dt=30 g=1 g_seq=1 stack=0\n" BATCH("1", "0", "0")
			P0 G1 "GoBlock dt=10 reason_string=3 stack=2\n"
			      "GoStart dt=30 g=1 g_seq=2\n",
		1, 0, 40, UINT64_MAX,
		"G1 ready [28, 40) end, main.wait\n"
		"G1 blocked [10, 28) before, main.wait: until the network was ready\n"
		"G1 running [0, 10) before, main.wait\n" },
	{ "a proc without a goroutine ran the timer of a channel",
		GO22 FREQ("1") TEXTS BATCH("1", "0", "0") P0 G1
		"GoBlock dt=10 reason_string=1 stack=2\nGoUnblock dt=10 g=1 g_seq=1 stack=0\n"
		"GoStart dt=5 g=1 g_seq=2\n",
		1, 0, 25, UINT64_MAX,
		"G1 ready [20, 25) end, main.wait\n"
		"G1 blocked [10, 20) before, main.wait: until its timer went off\n"
		"G1 running [0, 10) before, main.wait\n" },
	{ "nobody knows who",
		GO22 FREQ("1") TEXTS BATCH(
			"1", NONE, "0") "GoUnblock dt=30 g=1 g_seq=1 stack=0\n" BATCH("1", "0", "0")
			P0 G1 "GoBlock dt=10 reason_string=1 stack=2\n"
			      "GoStart dt=30 g=1 g_seq=2\n",
		1, 0, 40, UINT64_MAX,
		"G1 ready [28, 40) end, main.wait\n"
		"G1 blocked [10, 28) before, main.wait: the trace does not say what ended it\n"
		"G1 running [0, 10) before, main.wait\n" },
};

static void
write_path(const struct critical_path *path, const struct trace *trace, struct text *out)
{
	static const char *const links[LINK_COUNT] = { "end", "before", "woke", "created",
		"returned" };
	for (size_t i = 0; i < path->part_count; i++) {
		const struct critical_part *part = &path->parts[i];
		uint32_t depth = part->wait == REF_NONE ? 0 : path->waits[part->wait].depth;
		const char *cause = critical_cause_words(part->cause);
		text_format(out, "%*s", (int)depth, "");
		if (part->actor == REF_NONE)
			text_add_string(out, "nobody");
		else
			text_format(out, "G%" PRId64 " %s",
				trace_actor(trace, part->actor)->id,
				part->kind == NULL ? "nothing" : state_name(part->kind->state));
		text_format(out, " [%" PRId64 ", %" PRId64 ") %s", part->start_ns, part->end_ns,
			links[part->link]);
		if (part->stack != STACK_NONE)
			text_format(out, ", %s",
				trace_text(trace, stack_leaf(&trace->stacks, part->stack)->function,
					&(size_t){ 0 }));
		text_format(out, "%s%s\n", *cause == '\0' ? "" : ": ", cause);
	}
}

static void
small_paths_are_as_made_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text bytes = { 0 }, got = { 0 };
		struct critical_path path;
		struct error err = { 0 };
		testing_assemble(rows[i].text, &bytes);
		struct trace *trace = testing_load_bytes(rows[i].name, bytes.bytes, bytes.length);
		actor_ref goroutine = trace_find_actor(trace, rows[i].goroutine);
		assert_int_not_equal(goroutine, REF_NONE);
		struct critical_scope scope = {
			goroutine, rows[i].t0_ns, rows[i].t1_ns, rows[i].most_steps, NULL
		};
		assert_true(critical_build(&path, trace, &scope, &err));
		write_path(&path, trace, &got);
		check_text(rows[i].name, got.bytes, rows[i].path);
		critical_release(&path);
		text_release(&got);
		text_release(&bytes);
		trace_free(trace);
	}
}

/* ---- */

static struct trace *fault_trace;

static bool
try_path(struct error *err)
{
	struct critical_path path;
	size_t count;
	struct critical_scope scope = { .t1_ns = INT64_MAX, .most_steps = no_limit };
	if (!critical_build(&path, fault_trace, &scope, err))
		return false;
	struct critical_share *shares = critical_shares(&path, fault_trace, &count, NULL, err);
	memory_free(shares);
	critical_release(&path);
	return shares != NULL;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	fault_trace = testing_load("contention-go1.26");
	assert_true(fail_each_allocation("a critical path", try_path) > 2);
	trace_free(fault_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_paths_are_as_made_by_hand),
		cmocka_unit_test(steps_are_events_of_the_parsed_dump),
		cmocka_unit_test(paths_of_any_interval_are_whole),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
