/*
 * The interval index against the naive model: random questions about random lanes, each
 * answered as well by a scan of what the ordered events say.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base_testing.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "trace/words.h"

enum { SIMULATED = 12, LANES = 3, QUESTIONS = 12, MOST_CELLS = 64 };

/* One lane, both ways, and an interval of it. */
struct question {
	struct pair *pair;
	struct lane lane;
	const char *lane_name;
	struct naive_spans spans;
	int64_t t0_ns, t1_ns;
	class_mask mask;
};

/* How the failing question is put in a message. */
#define QUESTION_FORMAT "%s: %s, [%" PRId64 ", %" PRId64 "), mask %04x: "
#define QUESTION(q) (q)->pair->name, (q)->lane_name, (q)->t0_ns, (q)->t1_ns, (unsigned)(q)->mask

static bool
is_wanted(const struct question *question, const struct naive_span *span)
{
	/* Ranges have one class, so no question about them goes by class. */
	return span->state == SIZE_MAX || (question->mask >> span->time_class & 1) != 0;
}

static void
check_found(const struct question *question, const char *what, bool is_found,
	const struct span *got, const struct naive_span *wanted)
{
	if (is_found != (wanted != NULL))
		fail_msg(QUESTION_FORMAT "%s: %s found", QUESTION(question), what,
			is_found ? "one was" : "none was");
	if (wanted == NULL)
		return;
	if (got->start_ns != wanted->start_ns || got->end_ns != wanted->end_ns ||
		got->time_class != wanted->time_class || got->is_open != wanted->is_open ||
		got->ordinal != (uint32_t)(wanted - question->spans.items))
		fail_msg(QUESTION_FORMAT "%s: got span %u [%" PRId64 ", %" PRId64 ") %s%s, "
					 "wanted %u [%" PRId64 ", %" PRId64 ") %s%s",
			QUESTION(question), what, got->ordinal, got->start_ns, got->end_ns,
			class_name(&words_plain, got->time_class), got->is_open ? " open" : "",
			(unsigned)(wanted - question->spans.items), wanted->start_ns,
			wanted->end_ns, class_name(&words_plain, wanted->time_class),
			wanted->is_open ? " open" : "");
}

/* ---- sums */

static void
check_sums(const struct question *question, const char *what, const int64_t got[CLASS_COUNT],
	const int64_t wanted[CLASS_COUNT])
{
	for (int i = 0; i < CLASS_COUNT; i++)
		if (got[i] != wanted[i])
			fail_msg(QUESTION_FORMAT "%s: %s for %" PRId64 " ns, wanted %" PRId64,
				QUESTION(question), what, class_name(&words_plain, (enum time_class)i), got[i],
				wanted[i]);
}

static void
check_totals(const struct question *question)
{
	int64_t got[CLASS_COUNT], wanted[CLASS_COUNT];
	naive_totals(&question->spans, question->t0_ns, question->t1_ns, wanted);
	lane_totals(question->pair->trace, question->lane, question->t0_ns, question->t1_ns, got);
	check_sums(question, "totals", got, wanted);
}

static void
check_cells(const struct question *question)
{
	int64_t cells_ns[MOST_CELLS][CLASS_COUNT], wanted[CLASS_COUNT];
	int64_t width_ns = question->t1_ns - question->t0_ns;
	int cells = 1 + (int)random_below(&question->pair->random, MOST_CELLS);
	lane_cells(question->pair->trace, question->lane, question->t0_ns, question->t1_ns, cells,
		cells_ns);
	for (int i = 0; i < cells; i++) {
		int64_t from_ns = question->t0_ns + width_ns * i / cells;
		int64_t until_ns = question->t0_ns + width_ns * (i + 1) / cells;
		assert_int_equal(lane_edge(question->t0_ns, question->t1_ns, cells, i), from_ns);
		naive_totals(&question->spans, from_ns, until_ns, wanted);
		check_sums(question, "a cell", cells_ns[i], wanted);
	}
}

/* ---- spans */

static void
check_span_at(const struct question *question)
{
	const struct naive_span *wanted = NULL;
	struct span got;
	int64_t t_ns = question->t0_ns;
	for (size_t i = 0; i < question->spans.count; i++)
		if (naive_overlaps(&question->spans.items[i], t_ns, t_ns + 1))
			wanted = &question->spans.items[i];
	bool is_found = lane_span_at(question->pair->trace, question->lane, t_ns, &got);
	check_found(question, "the span at the start", is_found, &got, wanted);
}

static void
check_next(const struct question *question)
{
	const struct naive_span *wanted = NULL;
	struct span got;
	for (size_t i = question->spans.count; i > 0; i--)
		if (question->spans.items[i - 1].start_ns >= question->t0_ns &&
			is_wanted(question, &question->spans.items[i - 1]))
			wanted = &question->spans.items[i - 1];
	bool is_found = lane_next(
		question->pair->trace, question->lane, question->t0_ns, question->mask, &got);
	check_found(question, "the next span", is_found, &got, wanted);
	if (!is_found)
		return;
	size_t after = (size_t)(wanted - question->spans.items) + 1;
	struct span of = got;
	is_found = lane_after(question->pair->trace, question->lane, &of, &got);
	check_found(question, "the span after that", is_found, &got,
		after < question->spans.count ? &question->spans.items[after] : NULL);
}

static void
check_previous(const struct question *question)
{
	const struct naive_span *wanted = NULL;
	struct span got;
	for (size_t i = 0; i < question->spans.count; i++)
		if (question->spans.items[i].start_ns < question->t0_ns &&
			is_wanted(question, &question->spans.items[i]))
			wanted = &question->spans.items[i];
	bool is_found = lane_previous(
		question->pair->trace, question->lane, question->t0_ns, question->mask, &got);
	check_found(question, "the span before", is_found, &got, wanted);
	if (!is_found)
		return;
	struct span of = got;
	is_found = lane_before(question->pair->trace, question->lane, &of, &got);
	check_found(question, "the span before that", is_found, &got,
		wanted > question->spans.items ? wanted - 1 : NULL);
}

static void
check_count(const struct question *question)
{
	uint32_t wanted = 0;
	for (size_t i = 0; i < question->spans.count; i++)
		wanted +=
			naive_overlaps(&question->spans.items[i], question->t0_ns, question->t1_ns);
	uint32_t got =
		lane_count(question->pair->trace, question->lane, question->t0_ns, question->t1_ns);
	if (got != wanted)
		fail_msg(QUESTION_FORMAT "%u spans, wanted %u", QUESTION(question), got, wanted);
}

static void
check_longest(const struct question *question)
{
	const struct naive_span *wanted = NULL;
	int64_t longest_ns = -1;
	struct span got;
	for (size_t i = 0; i < question->spans.count; i++) {
		const struct naive_span *span = &question->spans.items[i];
		int64_t part_ns = naive_part_ns(span, question->t0_ns, question->t1_ns);
		if (!naive_overlaps(span, question->t0_ns, question->t1_ns) ||
			!is_wanted(question, span) || part_ns <= longest_ns)
			continue;
		longest_ns = part_ns;
		wanted = span;
	}
	bool is_found = lane_longest(question->pair->trace, question->lane, question->t0_ns,
		question->t1_ns, question->mask, &got);
	check_found(question, "the longest", is_found, &got, wanted);
}

/* ---- the tests */

static class_mask
random_mask(uint64_t *random)
{
	switch (random_below(random, 4)) {
	case 0:
		return CLASS_MASK_ALL;
	case 1:
		return CLASS_BIT(1 + random_below(random, CLASS_COUNT - 1));
	default:
		return (class_mask)random_below(random, CLASS_MASK_ALL + 1u);
	}
}

static void
ask(struct question *question)
{
	static void (*const checks[])(const struct question *question) = { check_totals,
		check_cells, check_span_at, check_next, check_previous, check_count,
		check_longest };
	bool has_spans = question->lane.type != LANE_GROUP && question->lane.type != LANE_ALL;
	for (unsigned i = 0; i < QUESTIONS * question->pair->rounds; i++) {
		struct viewport viewport = pair_viewport(question->pair, 1);
		question->t0_ns = viewport.t0_ns;
		question->t1_ns = viewport.t1_ns;
		question->mask = random_mask(&question->pair->random);
		for (size_t c = 0; c < (has_spans ? ARRAY_LENGTH(checks) : 2); c++)
			checks[c](question);
	}
}

static void
check_lanes(struct pair *pair)
{
	struct question question = { .pair = pair };
	for (int type = 0; type < LANE_TYPE_COUNT; type++) {
		for (int i = 0; i < LANES; i++) {
			if (!pair_lane(pair, (enum lane_type)type, &question.lane))
				break;
			question.lane_name = pair_lane_name(pair, question.lane);
			pair_spans(pair, question.lane, &question.spans);
			ask(&question);
		}
	}
	naive_spans_release(&question.spans);
}

static void
answers_are_those_of_a_scan(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_lanes);
}

/* What simulated traces do not do, or seldom; each row is checked as the others are. */
static const struct {
	const char *name, *text;
} small_traces[] = {
	{ "a first mention of a syscall where another goroutine ran before",
		GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
		"GoBlock dt=5 reason_string=0 stack=0\nProcStop dt=1\n"
		"GoStatus dt=7 g=2 m=0 gstatus=3\nGoDestroySyscall dt=20\n" },
	{ "first mentions of goroutines that wait and are ready",
		GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
		"GoStatus dt=50 g=2 m=" NONE " gstatus=4\nGoUnblock dt=3 g=2 g_seq=1 stack=0\n"
		"GoStatus dt=9 g=3 m=" NONE " gstatus=1\nGoBlock dt=1 reason_string=0 stack=0\n"
		"GoStart dt=1 g=3 g_seq=1\n" },
	{ "a goroutine that is created with the last event",
		GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
		"GoCreate dt=50 new_g=2 new_stack=0 stack=0\n" },
	{ "a single event", GO22 FREQ("1") BATCH("1", "0", "100") P0 },
	{ "a worker's label while it runs",
		GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
		"GoLabel dt=30 label_string=1\nGoBlock dt=9 reason_string=0 stack=0\n"
		STRINGS("1") "String id=1\n\tdata=\"GC (idle)\"\n" },
};

static void
small_traces_are_as_the_rules_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(small_traces); i++)
		pair_text(small_traces[i].name, small_traces[i].text, check_lanes);
}

static void
check_wakes(struct pair *pair)
{
	for (unsigned i = 0; i < QUESTIONS * pair->rounds; i++) {
		struct viewport viewport = pair_viewport(pair, 1);
		for (int row = 0; row < WAKE_ROW_COUNT; row++) {
			uint32_t got = wake_count(
				pair->trace, (enum wake_row)row, viewport.t0_ns, viewport.t1_ns);
			uint32_t wanted = naive_wakes(
				&pair->naive, (enum wake_row)row, viewport.t0_ns, viewport.t1_ns);
			if (got != wanted)
				fail_msg("%s: [%" PRId64 ", %" PRId64 "): %u wakes on row %d, "
					 "wanted %u",
					pair->name, viewport.t0_ns, viewport.t1_ns, got, row,
					wanted);
		}
	}
}

static void
wakes_are_those_of_a_scan(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_wakes);
}

static void
check_counter(const struct pair *pair, enum counter_type type, struct viewport viewport)
{
	uint64_t least = 0, greatest = 0, wanted_least = 0, wanted_greatest = 0;
	bool is_known =
		counter_range(pair->trace, type, viewport.t0_ns, viewport.t1_ns, &least, &greatest);
	bool is_wanted_known = naive_counter(&pair->naive, type, viewport.t0_ns, viewport.t1_ns,
		&wanted_least, &wanted_greatest);
	if (is_known != is_wanted_known || least != wanted_least || greatest != wanted_greatest)
		fail_msg("%s: [%" PRId64 ", %" PRId64 "): counter %d from %" PRIu64 " to %" PRIu64
			 ", wanted %" PRIu64 " to %" PRIu64,
			pair->name, viewport.t0_ns, viewport.t1_ns, (int)type, least, greatest,
			wanted_least, wanted_greatest);
}

static void
check_counters(struct pair *pair)
{
	for (unsigned i = 0; i < QUESTIONS * pair->rounds; i++) {
		struct viewport viewport = pair_viewport(pair, 1);
		for (int type = 0; type < COUNTER_COUNT; type++)
			check_counter(pair, (enum counter_type)type, viewport);
	}
}

static void
counters_are_those_of_a_scan(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_counters);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_a_scan),
		cmocka_unit_test(small_traces_are_as_the_rules_say),
		cmocka_unit_test(wakes_are_those_of_a_scan),
		cmocka_unit_test(counters_are_those_of_a_scan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
