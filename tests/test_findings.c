/*
 * Findings: of programs with one trouble each that trouble comes first, and a healthy one has
 * none; of all traces that a finding's numbers are those of the spans that its query finds, and
 * that what a scan of the naive model finds odd is told.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/findings.h"
#include "base/units.h"
#include "base_testing.h"
#include "draw/findings_words.h"
#include "golden.h"
#include "pair.h"
#include "query/query.h"
#include "query/search.h"
#include "report/findings.h"
#include "source/go/words.h"
#include "trace/own_code.h"
#include "trace/runtime.h"
#include "trace/words.h"
#include "tracetesting.h"

enum { SIMULATED = 20, INTERVALS = 6 };

static struct findings
find_in(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct findings findings;
	struct findings_scope scope = { .t0_ns = t0_ns, .t1_ns = t1_ns };
	struct error err = { 0 };
	if (!findings_build(&findings, trace, &scope, NULL, &err))
		fail_msg("%s", err.message);
	return findings;
}

/* ---- the programs of testdata/gen/troubles */

static const struct {
	const char *trace;
	enum finding_kind kind;
	const char *place; /* "" where none is to blame */
	const char *words; /* how the sentences begin ... */
	const char *advice; /* ... and what there is to do */
	const char *brief;
} first_findings[] = {
	{ "troubles/starved", FINDING_DELAY, "",
		"1 goroutine of main.starved waited for a P while all were busy. 5 waits of 1 ms "
		"or more took 89.3 ms in all, the longest 20.7 ms, G13.",
		"give it more CPU, or let less run at once",
		"scheduling delay 99% of one goroutine's time" },
	{ "troubles/idleprocs", FINDING_IDLE, "",
		"24 goroutines waited for a P while one was idle. 24 waits of 1 ms or more took "
		"188 ms in all, the longest 8.14 ms, G51, when P0 was idle for 8.14 ms. An "
		"idle P at such a time points to a machine with too few CPUs.",
		"give it more CPU, or lower GOMAXPROCS",
		"idle procs holds up 2.2 goroutines" },
	{ "troubles/stw", FINDING_STOP, "main.measure at main.go:182",
		"7 stops of all goroutines for read mem stats at main.go:182 took 12.3 ms in "
		"all, the longest 4.47 ms, G30. In all that is 14% of the time.",
		"call runtime.ReadMemStats less often",
		"stop-the-world main.go:182 14% of the time" },
	{ "troubles/convoy", FINDING_CONVOY, "main.(*store).get at main.go:196",
		"8 goroutines queue for a lock at main.go:196. At least one of them waits 87% of "
		"82.1 ms; 327 waits took 451 ms in all, the longest 2.51 ms, G19. 100% ended "
		"when another of them let go.",
		"split the lock or shorten what it guards",
		"lock convoy main.go:196 holds up 5.5 goroutines" },
	{ "troubles/slowserver", FINDING_CONVOY, "main.(*store).rebuild at main.go:264",
		"6 goroutines queue for a lock at main.go:264. At least one of them waits 93% of "
		"73.2 ms; 25 waits took 225 ms in all, the longest 10.7 ms, G52. 100% ended "
		"when another of them let go.",
		"split the lock or shorten what it guards",
		"lock convoy main.go:264 holds up 3.1 goroutines" },
	{ "troubles/blockedforever", FINDING_FOREVER, "main.leaked at main.go:282",
		"25 goroutines of main.leaked are blocked from start to end at main.go:282.",
		"see who should wake them, or start fewer",
		"blocked throughout main.go:282 25 goroutines, 96% of all" },
	{ "troubles/leak", FINDING_LEAK, "main.leaked at main.go:283",
		"More and more goroutines start and never end: 31 goroutines of main.leaked are "
		"blocked to the end (channel) at main.go:283, each for 8.16 ms or more, the longest "
		"81.5 ms, G37.",
		"give each a way to end, such as a context that is cancelled",
		"goroutine leak main.go:283 31 goroutines, 66% of all" },
	{ "troubles/lateleak", FINDING_LEAK, "main.answerLate at main.go:424",
		"More and more goroutines start and never end: 46 goroutines of main.answerLate are "
		"blocked to the end (channel) at main.go:424, each for 8.38 ms or more, the longest "
		"80.6 ms, G29.",
		"give each a way to end, such as a context that is cancelled",
		"goroutine leak main.go:424 46 goroutines, 87% of all" },
	{ "troubles/blockingcalls", FINDING_SYSCALL, "main.readBlocking at main.go:306",
		"1 goroutine of main.readBlocking lost its P in system calls at main.go:306. "
		"5 calls took 61.2 ms in all, the longest 12.4 ms, G12.",
		"make fewer or shorter calls, or let fewer goroutines make them at once",
		"blocking syscall main.go:306 71% of one goroutine's time" },
	{ "troubles/assist", FINDING_ASSIST, "main.nodes at main.go:321",
		"1 goroutine of main.allocate ran for 135 ms, 83% of that for the collector, "
		"because of allocations at main.go:321. 38 mark assists took 111 ms in all, the "
		"longest 32.8 ms, G27.",
		"allocate less there, or raise GOGC",
		"mark assist main.go:321 56% of one goroutine's time" },
	{ "troubles/gcback", FINDING_GC, "",
		"5 collections marked for 79.6 ms of 83.1 ms, all of them back to back, the "
		"longest 37.2 ms. 5 of 5 began because the heap grew past its goals of 11.2 MiB "
		"to 13.4 MiB.",
		"raise GOGC or set a memory limit",
		"GC back to back 96% of the time" },
	{ "troubles/slowrequests", FINDING_REQUESTS, "main.pool.acquire at main.go:289",
		"Half of 137 `lookup` took more than 103 ms, one in ten more than 115 ms. 98% of "
		"that they waited on a channel in region acquire at main.go:289, for what other "
		"requests gave back. During 90% of these waits `report` slept in region query at "
		"main.go:335.",
		"hold what they wait for shorter, or have more of it",
		"slow requests lookup main.go:289 98% of their time" },
	{ "troubles/slowhandlers", FINDING_REQUESTS, "main.pool.take at main.go:370",
		"Half of 157 requests of net/http took more than 19.5 ms, one in ten more than "
		"25.3 ms. 81% of that they waited on a channel at main.go:370, for what other "
		"requests gave back. During 71% of these waits other requests slept at "
		"main.go:346.",
		"hold what they wait for shorter, or have more of it",
		"slow requests main.go:370 81% of their time" },
	{ "troubles/slowholders", FINDING_REQUESTS, "main.pool.acquire at main.go:292",
		"Half of 254 `lookup` took at most 2.32 ms, the slowest tenth 23.7 ms on average. "
		"87% of that they waited on a channel in region acquire at main.go:292, for what "
		"other requests gave back. During 95% of these waits `report` slept in region "
		"query at main.go:338.",
		"hold what they wait for shorter, or have more of it",
		"slow requests lookup main.go:292 87% of the slowest tenth's time" },
};

/* Whoever opens a trace of such a program reads what is wrong, where, and what to do. */
static void
the_trouble_comes_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(first_findings); i++) {
		struct trace *trace = testing_load(first_findings[i].trace);
		struct findings findings = find_in(trace, 0, trace->end_ns);
		struct text out = { 0 };
		if (findings.count == 0)
			fail_msg("%s: nothing was found", first_findings[i].trace);
		const struct finding *first = &findings.items[0];
		check_text(first_findings[i].trace, finding_kind_name(first->kind),
			finding_kind_name(first_findings[i].kind));
		findings_add_place(&out, trace, first, true);
		check_text(first_findings[i].trace, text_string(&out), first_findings[i].place);
		text_clear(&out);
		findings_add_line(&out, trace, first, true);
		check_text(first_findings[i].trace, text_string(&out), first_findings[i].words);
		text_clear(&out);
		findings_add_advice(&out, trace, first);
		check_text(first_findings[i].trace, text_string(&out), first_findings[i].advice);
		text_clear(&out);
		findings_add_short(&out, trace, first, true);
		check_text(first_findings[i].trace, text_string(&out), first_findings[i].brief);
		text_release(&out);
		findings_release(&findings);
		trace_free(trace);
	}
}

/* A share is one hundred percent at most; what is more is told as goroutines that are held up. */
static void
no_share_is_more_than_all(void **state)
{
	(void)state;
	static const struct {
		int64_t lost_ns;
		const char *words;
	} rows[] = {
		{ 999000, ">99% of one goroutine's time" },
		{ 1000000, "100% of one goroutine's time" },
		{ 1010000, "100% of one goroutine's time" },
		{ 1049999, "100% of one goroutine's time" },
		{ 1060000, "holds up 1.1 goroutines" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct finding finding = { .kind = FINDING_DELAY,
			.lost_ns = rows[i].lost_ns,
			.interval_ns = 1000000 };
		struct trace trace = { .words = &go_words };
		struct text out = { 0 };
		findings_add_loss(&out, &trace, &finding);
		check_text("a loss", text_string(&out), rows[i].words);
		text_release(&out);
	}
}

/* A stack with a frame of that function; STACK_NONE: there is none. */
static stack_id
find_stack(const struct trace *trace, const char *function)
{
	for (stack_id i = 0; i < stack_count(&trace->stacks); i++)
		if (i != STACK_NONE &&
			trace_text_is(trace, stack_leaf(&trace->stacks, i)->function, function))
			return i;
	return STACK_NONE;
}

/* Requests that waited for the collector waited for no goroutine, whoever ended it, and can allocate less. */
static void
a_wait_for_the_collector_has_its_own_advice(void **state)
{
	(void)state;
	static const struct {
		enum time_class time_class;
		const char *function, *advice;
	} rows[] = {
		{ CLASS_WORKER, NULL, "allocate less there, or raise GOGC" },
		{ CLASS_RUNTIME, NULL, "allocate less there, or raise GOGC" },
		{ CLASS_SYNC, "runtime.gcStart", "allocate less there, or raise GOGC" },
		{ CLASS_SYNC, NULL, "see the critical path of the slowest one" },
	};
	struct trace *trace = testing_load("gcheavy-go1.23");
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct finding finding = { .kind = FINDING_REQUESTS,
			.requests = { .time_class = rows[i].time_class,
				.end = SLOW_END_ACTOR,
				.stack = STACK_NONE } };
		struct text out = { 0 };
		if (rows[i].function != NULL) {
			finding.requests.stack = find_stack(trace, rows[i].function);
			assert_true(finding.requests.stack != STACK_NONE);
		}
		findings_add_advice(&out, trace, &finding);
		check_text("the advice", text_string(&out), rows[i].advice);
		text_release(&out);
	}
	trace_free(trace);
}

/*
 * Waits in a function that another one calls are of one convoy only, and who waits there for ever is
 * told as that.
 */
static void
a_wait_is_told_once(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/twolocks");
	struct findings findings = find_in(trace, 0, trace->end_ns);
	uint64_t convoys = 0, waits = 0, leaked = 0;
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.items[i];
		convoys += finding->kind == FINDING_CONVOY;
		waits += finding->kind == FINDING_CONVOY ? finding->count : 0;
		leaked += finding->kind == FINDING_LEAK ? finding->count : 0;
	}
	assert_int_equal(convoys, 2);
	assert_int_equal(waits, 40);
	assert_int_equal(leaked, 25);
	findings_release(&findings);
	trace_free(trace);
}

static void
a_healthy_program_has_none(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/healthy");
	struct findings findings = find_in(trace, 0, trace->end_ns);
	assert_int_equal(findings.count, 0);
	findings_release(&findings);
	trace_free(trace);
}

/* A collection of Go's stops the world for a millisecond now and then: 1.18 ms of 319 ms here. */
static void
a_short_stop_is_none(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/slowhandlers");
	struct findings findings = find_in(trace, 0, trace->end_ns);
	for (size_t i = 0; i < findings.count; i++)
		assert_int_not_equal(findings.items[i].kind, FINDING_STOP);
	findings_release(&findings);
	trace_free(trace);
}

/* ---- a query finds what its finding counts */

struct subject {
	const char *name;
	const struct trace *trace;
	int64_t t0_ns, t1_ns;
	const struct finding *finding;
	struct search *search;
};

static void
fail_at(const struct subject *subject, const char *what, int64_t got, int64_t wanted)
{
	fail_msg("%s [%" PRId64 ", %" PRId64 "): %s of %s: %" PRId64 ", but the query says %" PRId64,
		subject->name, subject->t0_ns, subject->t1_ns, what, subject->finding->query, got,
		wanted);
}

static void
check_number(const struct subject *subject, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_at(subject, what, got, wanted);
}

static int64_t
part_of(const struct subject *subject, int64_t start_ns, int64_t end_ns)
{
	struct span span = { .start_ns = start_ns, .end_ns = end_ns };
	int64_t part_ns = span_within(&span, subject->t0_ns, subject->t1_ns);
	return part_ns > 0 ? part_ns : 0;
}

/* Kinds of which each trouble is a span. */
static void
check_spans(const struct subject *subject)
{
	const struct finding *finding = subject->finding;
	struct span span;
	int64_t total_ns = 0, longest_ns = -1;
	uint64_t count = 0;
	bool has_longest = false;
	for (; search_match(subject->search, count, &span); count++) {
		int64_t length_ns = part_of(subject, span.start_ns, span.end_ns);
		total_ns += length_ns;
		longest_ns = length_ns > longest_ns ? length_ns : longest_ns;
		has_longest = has_longest || (span.actor == finding->actor &&
						     span.start_ns == finding->start_ns &&
						     span.end_ns == finding->end_ns);
	}
	assert_true(has_longest);
	check_number(subject, "the part of the longest", finding->longest_ns,
		part_of(subject, finding->start_ns, finding->end_ns));
	/* That of a place that has most of the time need not be the longest of all. */
	if (finding->place_count > 1 && finding->stack != STACK_NONE)
		assert_true(finding->longest_ns <= longest_ns);
	else
		check_number(subject, "the longest", finding->longest_ns, longest_ns);
	if (!finding->is_query_whole)
		return;
	check_number(subject, "the count", (int64_t)finding->count, (int64_t)count);
	check_number(subject, "the sum", finding->total_ns, total_ns);
	check_number(subject, "the number of goroutines", finding->actors,
		search_actor_count(subject->search));
}

static bool
is_counted(const struct subject *subject, const struct range *range)
{
	const struct finding *finding = subject->finding;
	int64_t end_ns = range->end_ns == TIME_OPEN ? subject->trace->end_ns : range->end_ns;
	if (range->start_ns >= subject->t1_ns || end_ns <= subject->t0_ns)
		return false;
	if (finding->kind == FINDING_STOP)
		return range->type == RANGE_STW && range->name == finding->name;
	return range->type == RANGE_MARK_ASSIST && range_actor(range) != REF_NONE &&
	       trace_actor(subject->trace, range_actor(range))->name == finding->name;
}

/* State by state. */
static int64_t
ran_within(const struct subject *subject, const struct range *range, int64_t end_ns)
{
	struct lane lane = { LANE_ACTOR, range_actor(range) };
	int64_t from_ns = range->start_ns > subject->t0_ns ? range->start_ns : subject->t0_ns;
	int64_t until_ns = end_ns < subject->t1_ns ? end_ns : subject->t1_ns;
	int64_t sum_ns = 0;
	struct span span;
	bool has_span = lane_span_at(subject->trace, lane, from_ns, &span) ||
			lane_next(subject->trace, lane, from_ns, CLASS_MASK_ALL, &span);
	for (; has_span && span.start_ns < until_ns;
		has_span = lane_after(subject->trace, lane, &span, &span))
		if (span.time_class == CLASS_RUNNING)
			sum_ns += span_within(&span, from_ns, until_ns);
	return sum_ns;
}

/* Stops and assists: each begins in a span that is found, and each span has some. */
static void
check_ranges(const struct subject *subject)
{
	const struct trace *trace = subject->trace;
	uint64_t count = 0, seen = 0;
	bool is_assist = subject->finding->kind == FINDING_ASSIST;
	int64_t total_ns = 0;
	struct span span;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		int64_t end_ns = range->end_ns == TIME_OPEN ? trace->end_ns : range->end_ns;
		if (!is_counted(subject, range))
			continue;
		count++;
		total_ns += is_assist ? ran_within(subject, range, end_ns)
				      : part_of(subject, range->start_ns, end_ns);
		struct lane lane = { LANE_ACTOR, range_actor(range) };
		bool is_found = range_actor(range) == REF_NONE || range->start_ns < subject->t0_ns ||
				!lane_span_at(trace, lane, range->start_ns, &span) ||
				(is_assist && span.kind->state != STATE_RUNNING) ||
				search_matches(subject->search, span.segment, span.state);
		check_number(subject, "a begin", is_found, true);
	}
	check_number(subject, "the count", (int64_t)subject->finding->count, (int64_t)count);
	check_number(subject, "the sum", subject->finding->total_ns, total_ns);
	if (is_assist)
		assert_true(total_ns <= subject->finding->whole_ns);
	for (; search_match(subject->search, seen, &span); seen++) {
		bool has_some = false;
		for (range_ref i = 0; i < trace->ranges.count && !has_some; i++) {
			const struct range *range = trace_range(trace, i);
			has_some = range_actor(range) == span.actor &&
				   range->start_ns <= span.end_ns &&
				   (range->end_ns == TIME_OPEN || range->end_ns >= span.start_ns) &&
				   (range->type == RANGE_STW || range->type == RANGE_MARK_ASSIST);
		}
		check_number(subject, "a span", has_some, true);
	}
	/* In a short interval all who assist may wait. */
	if (!is_assist || total_ns > 0)
		check_number(subject, "spans", seen > 0, true);
}

static void
check_collections(const struct subject *subject)
{
	struct span span;
	for (uint64_t i = 0; search_match(subject->search, i, &span); i++)
		check_number(subject, "a span's class", span.time_class, CLASS_WORKER);
}

/* The waits of all requests, of those too that are not complete. */
static void
check_requests(const struct subject *subject)
{
	const struct finding *finding = subject->finding;
	struct span span;
	uint64_t count = 0;
	int64_t total_ns = 0;
	if (!finding->is_query_whole)
		return;
	for (; search_match(subject->search, count, &span); count++) {
		total_ns += span.end_ns - span.start_ns;
		if (finding->time_class != CLASS_IDLE && finding->time_class != CLASS_WORKER)
			check_number(subject, "a span's class", span.time_class, finding->time_class);
	}
	check_number(subject, "some", count > 0, true);
	if (finding->requests.is_of_all && finding->requests.places == 1)
		check_number(subject, "no more", finding->total_ns <= total_ns, true);
}

static void
check_query(struct subject *subject)
{
	struct error note = { 0 };
	struct query *query = query_new(subject->finding->query, &words_plain, &note);
	subject->search = query != NULL ? search_query(subject->trace, query, &note) : NULL;
	if (subject->search == NULL || note.kind != ERROR_NONE)
		fail_msg("%s: %s", subject->finding->query, note.message);
	enum finding_kind kind = subject->finding->kind;
	if (kind == FINDING_STOP || kind == FINDING_ASSIST)
		check_ranges(subject);
	else if (kind == FINDING_REQUESTS)
		check_requests(subject);
	else if (kind == FINDING_GC)
		check_collections(subject);
	else
		check_spans(subject);
	search_free(subject->search);
	query_free(query);
}

static uint64_t found[FINDING_KIND_COUNT];

/* ---- no moment counts twice */

/* Goroutines' time of those classes within the interval; of waits for a P without the runtime's. */
static int64_t
time_of(const struct trace *trace, const struct findings *findings, class_mask classes)
{
	int64_t sum_ns = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct lane lane = { LANE_ACTOR, i };
		int64_t totals_ns[CLASS_COUNT];
		size_t length;
		const char *name = trace_text(trace, trace_actor(trace, i)->name, &length);
		if (classes == CLASS_BIT(CLASS_READY) && length > 0 &&
			(text_has_prefix(name, length, "runtime.") ||
				text_has_prefix(name, length, "runtime/")))
			continue;
		lane_totals(trace, lane, findings->t0_ns, findings->t1_ns, totals_ns);
		for (int k = 0; k < CLASS_COUNT; k++)
			sum_ns += (classes >> k & 1) != 0 ? totals_ns[k] : 0;
	}
	return sum_ns;
}

/* When the world stood still, or the collector marked, and its ranges do not overlap. */
static int64_t
covered_by(const struct trace *trace, const struct findings *findings, enum lane_type type)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns = 0;
	lane_totals(trace, (struct lane){ type, 0 }, findings->t0_ns, findings->t1_ns, totals_ns);
	for (int k = 0; k < CLASS_COUNT; k++)
		sum_ns += totals_ns[k];
	return sum_ns;
}

/* What findings of some kinds say that they count, added up, is in the trace. */
static void
check_sum(const char *name, const struct findings *findings, uint32_t kinds, int64_t most_ns)
{
	int64_t sum_ns = 0;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		if ((kinds >> finding->kind & 1) == 0)
			continue;
		sum_ns += finding->total_ns;
		if (finding->longest_ns > finding->total_ns || finding->longest_ns < 0)
			fail_msg("%s: the longest is longer than all", name);
	}
	if (sum_ns > most_ns)
		fail_msg("%s [%" PRId64 ", %" PRId64 "): findings of kinds %#x count %" PRId64
			 " ns, the trace has %" PRId64,
			name, findings->t0_ns, findings->t1_ns, kinds, sum_ns, most_ns);
}

static void
check_sums_of_findings(
	const char *name, const struct trace *trace, const struct findings *findings)
{
	const uint32_t waits = 1U << FINDING_CONVOY | 1U << FINDING_FOREVER | 1U << FINDING_LEAK;
	check_sum(name, findings, 1U << FINDING_DELAY | 1U << FINDING_IDLE,
		time_of(trace, findings, CLASS_BIT(CLASS_READY)));
	check_sum(name, findings, waits,
		time_of(trace, findings,
			CLASS_MASK_ALL & ~(CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_RUNNING) |
						 CLASS_BIT(CLASS_SYSCALL))));
	check_sum(name, findings, 1U << FINDING_SYSCALL,
		time_of(trace, findings, CLASS_BIT(CLASS_SYSCALL)));
	check_sum(name, findings, 1U << FINDING_ASSIST,
		time_of(trace, findings, CLASS_BIT(CLASS_RUNNING)));
	check_sum(name, findings, 1U << FINDING_STOP, covered_by(trace, findings, LANE_STW));
	check_sum(name, findings, 1U << FINDING_GC, covered_by(trace, findings, LANE_GC));
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		bool is_wait = finding->kind == FINDING_DELAY || finding->kind == FINDING_IDLE;
		uint64_t listed = 0;
		if (finding->kind == FINDING_ASSIST &&
			trace_is_runtime_name(trace, finding->name))
			fail_msg("%s: the runtime's own goroutines assist", name);
		int64_t listed_ns = 0;
		for (int k = 0; k < FINDING_PLACES; k++) {
			listed += finding->places[k].count;
			listed_ns += finding->places[k].lost_ns;
		}
		assert_true(listed <= finding->count && listed_ns <= finding->total_ns);
		assert_true(finding->stack == STACK_NONE ||
			    finding->kind == FINDING_GC ||
			    finding->places[0].lost_ns >= finding->total_ns / 2);
		if (is_wait && (finding->stack != STACK_NONE || finding->place_count > 0))
			fail_msg("%s: a wait for a P names a line of the program", name);
	}
}

static void
check_interval(const char *name, const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	struct findings findings = find_in(trace, t0_ns, t1_ns);
	check_sums_of_findings(name, trace, &findings);
	for (size_t i = 0; i < findings.count; i++) {
		struct subject subject = { name, trace, findings.t0_ns, findings.t1_ns,
			&findings.items[i], NULL };
		check_query(&subject);
		found[findings.items[i].kind]++;
		if (i > 0)
			assert_true(findings.items[i - 1].lost_ns >= findings.items[i].lost_ns);
	}
	findings_release(&findings);
}

/* ---- what a scan finds odd is told */

/* A start function, or a kind of stop, and what was lost by it. */
struct sum {
	const char *name;
	size_t length;
	enum time_class time_class; /* of FINDING_FOREVER */
	int64_t total_ns, longest_ns;
	uint64_t count;
};

struct sums {
	struct sum *items;
	size_t count, capacity;
};

static struct sum *
sum_of(struct sums *sums, const char *name, size_t length, enum time_class time_class)
{
	struct error err = { 0 };
	for (size_t i = 0; i < sums->count; i++)
		if (sums->items[i].length == length && sums->items[i].time_class == time_class &&
			memcmp(sums->items[i].name, name, length) == 0)
			return &sums->items[i];
	assert_true(array_reserve(
		&sums->items, &sums->capacity, sums->count + 1, sizeof *sums->items, &err));
	sums->items[sums->count] = (struct sum){ name, length, time_class, 0, 0, 0 };
	return &sums->items[sums->count++];
}

static void
add_to(struct sum *sum, int64_t start_ns, int64_t end_ns)
{
	int64_t length_ns = end_ns - start_ns;
	sum->total_ns += length_ns;
	sum->longest_ns = length_ns > sum->longest_ns ? length_ns : sum->longest_ns;
	sum->count++;
}

/* Whether a finding of the kind and name has those numbers. */
static void
check_told(const struct pair *pair, const struct findings *findings, enum finding_kind kind,
	const struct sum *sum)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		size_t length;
		const char *name = trace_text(pair->trace, finding->name, &length);
		if (finding->kind == kind && length == sum->length &&
			memcmp(name, sum->name, length) == 0 && finding->count == sum->count &&
			finding->total_ns == sum->total_ns)
			return;
	}
	fail_msg("%s: no %s of %.*s, %" PRIu64 " times, %" PRId64 " ns", pair->name,
		finding_kind_name(kind), (int)sum->length, sum->name, sum->count, sum->total_ns);
}

static bool
is_of_runtime(const char *name, size_t length)
{
	return text_has_prefix(name, length, "runtime.") ||
	       text_has_prefix(name, length, "runtime/");
}

/* All that is ready for so long is told, as delay or beside an idle proc. */
static int64_t
scan_delays(const struct pair *pair)
{
	int64_t total_ns = 0;
	for (size_t i = 0; i < pair->naive.state_count; i++) {
		const struct naive_state *state = &pair->naive.states[i];
		size_t length;
		const char *name = naive_text(
			&pair->naive, pair->naive.goroutines[state->goroutine].name, &length);
		if (state->state == STATE_READY && !is_of_runtime(name, length) &&
			state->end_ns - state->start_ns >= FINDING_DELAY_NS)
			total_ns += state->end_ns - state->start_ns;
	}
	return total_ns;
}

static void
check_delays(const struct pair *pair, const struct findings *findings, int64_t least_ns)
{
	int64_t told_ns = 0, scanned_ns = scan_delays(pair);
	int64_t untold_ns = (int64_t)(pair->trace->group_count + 1) * least_ns;
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind == FINDING_DELAY ||
			findings->items[i].kind == FINDING_IDLE)
			told_ns += findings->items[i].lost_ns;
	/* What each function lost below the threshold is not. */
	if (told_ns > scanned_ns || told_ns < scanned_ns - untold_ns)
		fail_msg("%s: %" PRId64 " ns of delays are told of %" PRId64, pair->name, told_ns,
			scanned_ns);
}

static void
scan_syscalls(const struct pair *pair, struct sums *sums)
{
	for (size_t i = 0; i < pair->naive.state_count; i++) {
		const struct naive_state *state = &pair->naive.states[i];
		size_t length;
		const char *name = naive_text(
			&pair->naive, pair->naive.goroutines[state->goroutine].name, &length);
		if (state->state == STATE_SYSCALL && state->start_ns > 0 &&
			state->start_ns < pair->naive.end_ns && state->proc != GO_ID_NONE &&
			!state->is_on_proc && state->proc_end_ns < state->end_ns &&
			!is_of_runtime(name, length))
			add_to(sum_of(sums, name, length, CLASS_SYSCALL), state->start_ns,
				state->end_ns);
	}
}

static void
scan_ranges(const struct pair *pair, enum range_type type, struct sums *sums)
{
	for (size_t i = 0; i < pair->naive.range_count; i++) {
		const struct naive_range *range = &pair->naive.ranges[i];
		string_id id = range->name;
		size_t length;
		if (range->type != type || range->start_ns >= pair->naive.end_ns ||
			range->end_ns <= 0)
			continue;
		if (type == RANGE_MARK_ASSIST && range->goroutine == SIZE_MAX)
			continue;
		if (type == RANGE_MARK_ASSIST)
			id = pair->naive.goroutines[range->goroutine].name;
		const char *name = naive_text(&pair->naive, id, &length);
		add_to(sum_of(sums, name, length, CLASS_RUNNING), range->start_ns, range->end_ns);
	}
}

static bool
is_of_tracing(const struct sum *sum)
{
	return (sum->length == strlen("start trace") &&
		       memcmp(sum->name, "start trace", sum->length) == 0) ||
	       (sum->length == strlen("stop trace") &&
		       memcmp(sum->name, "stop trace", sum->length) == 0);
}

static void
check_sums(const struct pair *pair, const struct findings *findings, enum finding_kind kind,
	struct sums *sums, int64_t least_ns)
{
	for (size_t i = 0; i < sums->count; i++) {
		const struct sum *sum = &sums->items[i];
		if (sum->total_ns >= least_ns && sum->total_ns > 0 && !is_of_tracing(sum))
			check_told(pair, findings, kind, sum);
	}
	sums->count = 0;
}

static void
check_pair(struct pair *pair)
{
	struct findings findings = find_in(pair->trace, 0, pair->trace->end_ns);
	struct sums sums = { 0 };
	int64_t least_ns = pair->trace->end_ns / 100 * FINDING_LEAST_PERCENT;
	check_delays(pair, &findings, least_ns);
	scan_syscalls(pair, &sums);
	check_sums(pair, &findings, FINDING_SYSCALL, &sums, least_ns);
	scan_ranges(pair, RANGE_STW, &sums);
	check_sums(pair, &findings, FINDING_STOP, &sums, least_ns);
	findings_release(&findings);
	memory_free(sums.items);
	check_interval(pair->name, pair->trace, 0, pair->trace->end_ns);
	for (unsigned i = 0; i < INTERVALS * pair->rounds; i++) {
		struct viewport interval = pair_viewport(pair, 1);
		check_interval(pair->name, pair->trace, interval.t0_ns, interval.t1_ns);
	}
}

static void
findings_are_what_their_queries_find(void **state)
{
	(void)state;
	static const char *const troubles[] = { "starved", "idleprocs", "stw", "convoy",
		"slowserver", "blockedforever", "leak", "lateleak", "blockingcalls", "assist", "gcback",
		"twolocks", "healthy" };
	pair_each(1, SIMULATED, check_pair);
	for (size_t i = 0; i < ARRAY_LENGTH(troubles); i++) {
		char name[64];
		snprintf(name, sizeof name, "troubles/%s", troubles[i]);
		struct trace *trace = testing_load(name);
		int64_t end_ns = trace->end_ns;
		check_interval(name, trace, 0, end_ns);
		check_interval(name, trace, end_ns / 3, end_ns / 3 * 2);
		trace_free(trace);
	}
	/* Those behind are of the kernel: see test_ftrace. */
	for (int i = 0; i <= FINDING_REQUESTS; i++)
		if (found[i] == 0)
			fail_msg("no trace has a %s", finding_kind_name((enum finding_kind)i));
}

/* Only spans that match count, and the query of a finding asks for that as well. */
static void
a_query_leaves_what_matches(void **state)
{
	(void)state;
	static const struct {
		const char *trace, *query;
		size_t count;
	} rows[] = {
		{ "troubles/slowserver", "name~serve dur>1ms", 2 },
		{ "troubles/slowserver", "g=52", 0 }, /* one goroutine is no convoy */
		{ "troubles/starved", "=name=\"main.starved\" start>10ms", 1 },
		{ "troubles/gcback", "name~churn", 2 }, /* collections are no spans */
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct error err = { 0 };
		struct findings findings;
		struct findings_scope scope = { .t1_ns = trace->end_ns, .query = rows[i].query };
		struct query *query = query_new(rows[i].query, &words_plain, &err);
		assert_non_null(query);
		struct search *only = search_query(trace, query, &err);
		assert_non_null(only);
		scope.only = only;
		assert_true(findings_build(&findings, trace, &scope, NULL, &err));
		assert_int_equal(findings.count, rows[i].count);
		for (size_t k = 0; k < findings.count; k++) {
			struct subject subject = { rows[i].trace, trace, findings.t0_ns,
				findings.t1_ns, &findings.items[k], NULL };
			check_query(&subject);
		}
		findings_release(&findings);
		search_free(only);
		query_free(query);
		trace_free(trace);
	}
}

/* ---- damaged traces */

static bool
is_told_with_doubt(const struct trace *trace)
{
	struct report_options options = { .width_cells = 400 };
	struct text out = { 0 };
	struct error err = { 0 };
	assert_true(report_summary(trace, &options, &out, &err));
	bool is_told = strstr(out.bytes, "unless it ran in what is missing") != NULL;
	text_release(&out);
	return is_told;
}

/* Behind lost bytes a goroutine seems ready until it is next heard of. */
static void
what_is_missing_is_no_finding(void **state)
{
	(void)state;
	enum { PLACES = 20, FROM = 10000, STEP = 2500, SIZE = 3000 };
	unsigned doubts = 0, told = 0;
	for (size_t i = 0; i < PLACES; i++) {
		struct trace *trace =
			testing_load_without("contention-go1.26", FROM + i * STEP, SIZE);
		struct findings findings = find_in(trace, 0, trace->end_ns);
		for (size_t k = 0; k < findings.count; k++) {
			const struct finding *finding = &findings.items[k];
			int64_t end_ns = finding->end_ns < findings.t1_ns ? finding->end_ns
									  : findings.t1_ns;
			assert_null(damage_map_find(&trace->damage, finding->start_ns, end_ns));
		}
		doubts += is_told_with_doubt(trace);
		told += findings.count > 0;
		findings_release(&findings);
		trace_free(trace);
	}
	assert_true(doubts > 0);
	assert_true(told > 0);
}

/* A copy that broke off before the stacks does not tell for what goroutines wait. */
static void
without_stacks_no_lock_is_fine(void **state)
{
	(void)state;
	struct trace *trace = testing_load_without("troubles/convoy", 9000, 4500);
	struct findings findings = find_in(trace, 0, trace->end_ns);
	struct text out = { 0 };
	findings_add_fine(&out, trace, &findings);
	assert_null(strstr(text_string(&out), "no lock had a queue"));
	assert_non_null(strstr(text_string(&out), "no stop of the world was long"));
	text_release(&out);
	findings_release(&findings);
	trace_free(trace);
}

static void
what_is_not_loaded_is_not_looked_at(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct trace *trace = testing_load("troubles/convoy");
	int64_t middle_ns = trace->end_ns / 2;
	const struct part rows[] = {
		{ .to_ns = middle_ns, .is_loaded = true },
		{ .from_ns = middle_ns, .to_ns = trace->end_ns },
	};
	trace->parts = (struct parts){
		.rows = array_copy(rows, ARRAY_LENGTH(rows), sizeof rows[0], &err),
		.count = ARRAY_LENGTH(rows),
	};
	assert_non_null(trace->parts.rows);
	check_interval("half a trace", trace, 0, trace->end_ns);
	struct findings findings = find_in(trace, 0, trace->end_ns);
	assert_int_equal(findings.t1_ns, middle_ns);
	assert_int_equal(findings.items[0].kind, FINDING_CONVOY);
	findings_release(&findings);
	trace_free(trace);
}

/* Whose code waits is not told by what it waits with. */
static void
the_place_is_in_the_programs_code(void **state)
{
	(void)state;
	struct trace *trace = testing_load("troubles/slowserver");
	size_t seen = 0;
	struct span span;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		struct lane lane = { LANE_ACTOR, i };
		bool has_span = lane_next(trace, lane, -1, CLASS_BIT(CLASS_SLEEP), &span);
		for (; has_span; has_span = lane_next(trace, lane, span.start_ns + 1,
					 CLASS_BIT(CLASS_SLEEP), &span)) {
			const struct stack_frame *frame =
				own_code_frame(trace, span.stack, i);
			assert_non_null(frame);
			size_t length;
			const char *name = trace_text(trace, frame->function, &length);
			assert_true(text_has_prefix(name, length, "main."));
			seen++;
		}
	}
	assert_true(seen > 10);
	trace_free(trace);
}

/* ---- the report */

static void
the_report_tells_all_of_it(void **state)
{
	(void)state;
	static const struct {
		const char *trace;
		enum report_format format;
		const char *golden;
	} rows[] = {
		{ "troubles/slowserver", REPORT_AS_TEXT, "findings.txt" },
		{ "troubles/slowserver", REPORT_AS_CSV, "findings.csv" },
		{ "troubles/slowserver", REPORT_AS_JSON, "findings.json" },
		/* Numbers, sums and longest of these were counted in Go's own dump as well. */
		{ "gcheavy-go1.23", REPORT_AS_TEXT, "findings-collections.txt" },
		{ "contention-go1.23", REPORT_AS_TEXT, "findings-waits.txt" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct trace *trace = testing_load(rows[i].trace);
		struct report_options options = { .file_name = "slow.trace",
			.width_cells = 100,
			.format = rows[i].format };
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(report_findings(trace, &options, &out, &err));
		golden_check(rows[i].golden, &out);
		text_release(&out);
		trace_free(trace);
	}
}

/* The moment behind the next --at of the report. */
static int64_t
next_moment(const char **report)
{
	char value[32] = "";
	struct error err = { 0 };
	int64_t t_ns = -1;
	*report = strstr(*report, "--at=");
	assert_non_null(*report);
	assert_int_equal(sscanf(*report += strlen("--at="), "%31[^ \n]", value), 1);
	if (!units_parse_duration(value, &t_ns, &err))
		fail_msg("%s", err.message);
	return t_ns;
}

static void
the_place_to_see_is_within_the_longest(void **state)
{
	(void)state;
	static const char *const traces[] = { "troubles/starved", "troubles/idleprocs",
		"troubles/slowserver", "troubles/blockedforever", "troubles/assist" };
	for (size_t i = 0; i < ARRAY_LENGTH(traces); i++) {
		struct trace *trace = testing_load(traces[i]);
		struct findings findings = find_in(trace, 0, trace->end_ns);
		struct report_options options = { .width_cells = 100 };
		struct text out = { 0 };
		struct error err = { 0 };
		assert_true(report_findings(trace, &options, &out, &err));
		const char *rest = out.bytes;
		for (size_t k = 0; k < findings.count; k++) {
			const struct finding *finding = &findings.items[k];
			int64_t t_ns = next_moment(&rest);
			if (t_ns < finding->start_ns || t_ns >= finding->end_ns)
				fail_msg("%s: %" PRId64 " is not in finding %zu", traces[i], t_ns, k);
		}
		text_release(&out);
		findings_release(&findings);
		trace_free(trace);
	}
}

static void
a_limit_leaves_the_worst(void **state)
{
	(void)state;
	static const struct {
		enum report_format format;
		unsigned more_lines; /* than findings */
	} rows[] = { { REPORT_AS_CSV, 1 }, { REPORT_AS_JSON, 0 } };
	struct trace *trace = testing_load("troubles/assist");
	struct findings findings = find_in(trace, 0, trace->end_ns);
	assert_true(findings.count > 1);
	struct report_options options = { .width_cells = 100 };
	struct error err = { 0 };
	struct text out = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		for (uint64_t limit = 0; limit < findings.count + 2; limit++) {
			unsigned lines = 0;
			options.format = rows[i].format;
			text_clear(&out);
			options.limit = limit;
			assert_true(report_findings(trace, &options, &out, &err));
			for (size_t k = 0; k < out.length; k++)
				lines += out.bytes[k] == '\n';
			assert_int_equal(lines - rows[i].more_lines,
				limit == 0 || limit > findings.count ? findings.count : limit);
		}
	options.format = REPORT_AS_TEXT;
	text_clear(&out);
	options.limit = 1;
	assert_true(report_findings(trace, &options, &out, &err));
	assert_non_null(strstr(out.bytes, "  1  mark assist"));
	assert_non_null(strstr(out.bytes, "\nand "));
	assert_null(strstr(out.bytes, "\n  2  "));
	text_release(&out);
	findings_release(&findings);
	trace_free(trace);
}

static const struct trace *failing;

static bool
attempt(struct error *err)
{
	struct findings findings;
	struct findings_scope scope = { .t1_ns = failing->end_ns };
	if (!findings_build(&findings, failing, &scope, NULL, err))
		return false;
	findings_release(&findings);
	return true;
}

static void
reports_want_of_memory(void **state)
{
	(void)state;
	static const char *const names[] = { "convoy", "blockedforever", "gcback", "idleprocs" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		char name[64];
		snprintf(name, sizeof name, "troubles/%s", names[i]);
		struct trace *trace = testing_load(name);
		failing = trace;
		fail_each_allocation(name, attempt);
		trace_free(trace);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_trouble_comes_first),
		cmocka_unit_test(no_share_is_more_than_all),
		cmocka_unit_test(a_wait_for_the_collector_has_its_own_advice),
		cmocka_unit_test(a_wait_is_told_once),
		cmocka_unit_test(a_healthy_program_has_none),
		cmocka_unit_test(a_short_stop_is_none),
		cmocka_unit_test(findings_are_what_their_queries_find),
		cmocka_unit_test(a_query_leaves_what_matches),
		cmocka_unit_test(what_is_missing_is_no_finding),
		cmocka_unit_test(without_stacks_no_lock_is_fine),
		cmocka_unit_test(what_is_not_loaded_is_not_looked_at),
		cmocka_unit_test(the_place_is_in_the_programs_code),
		cmocka_unit_test(the_report_tells_all_of_it),
		cmocka_unit_test(the_place_to_see_is_within_the_longest),
		cmocka_unit_test(a_limit_leaves_the_worst),
		cmocka_unit_test(reports_want_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
