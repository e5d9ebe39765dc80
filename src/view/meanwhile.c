/* Shares of a proc's time by goroutine. */
#include "view/meanwhile.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/banned.h"
#include "base/units.h"
#include "draw/names.h"

enum {
	MOST_SPANS = 1000, /* of a proc, looked at one by one */
	SHOWN = 3,
	PROC_COLUMN = 3,
	RAN_COLUMN = 8,
};

struct ran {
	goroutine_ref goroutine;
	int64_t time_ns;
};

/* What one proc did in [from, until). */
struct turns {
	struct ran ran[MOST_SPANS]; /* one a span, then one a goroutine */
	size_t count;
	int64_t busy_ns;
};

static void
add_turn(struct turns *turns, const struct span *span, int64_t from_ns, int64_t until_ns)
{
	turns->ran[turns->count++] =
		(struct ran){ span->goroutine, span_within(span, from_ns, until_ns) };
}

static int
compare_goroutines(const void *left, const void *right)
{
	const struct ran *a = left, *b = right;
	return (a->goroutine > b->goroutine) - (a->goroutine < b->goroutine);
}

/* The turns of a goroutine become one. */
static void
unite_turns(struct turns *turns)
{
	size_t count = 0;
	qsort(turns->ran, turns->count, sizeof turns->ran[0], compare_goroutines);
	for (size_t i = 0; i < turns->count; i++) {
		if (count > 0 && turns->ran[count - 1].goroutine == turns->ran[i].goroutine)
			turns->ran[count - 1].time_ns += turns->ran[i].time_ns;
		else
			turns->ran[count++] = turns->ran[i];
	}
	turns->count = count;
}

static void
find_turns(struct turns *turns, const struct trace *trace, struct lane proc, int64_t from_ns,
	int64_t until_ns)
{
	int64_t totals_ns[CLASS_COUNT];
	struct span span, next;
	turns->count = 0;
	turns->busy_ns = 0;
	lane_totals(trace, proc, from_ns, until_ns, totals_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		turns->busy_ns += totals_ns[i];
	if (lane_count(trace, proc, from_ns, until_ns) > MOST_SPANS) {
		if (lane_longest(trace, proc, from_ns, until_ns, CLASS_MASK_ALL, &span))
			add_turn(turns, &span, from_ns, until_ns);
		return;
	}
	bool is_there = lane_span_at(trace, proc, from_ns, &span) ||
			lane_next(trace, proc, from_ns, CLASS_MASK_ALL, &span);
	while (is_there && span.start_ns < until_ns && turns->count < MOST_SPANS) {
		add_turn(turns, &span, from_ns, until_ns);
		is_there = lane_after(trace, proc, &span, &next);
		span = next;
	}
	unite_turns(turns);
}

/* The one with most time, which then counts no more; NULL when all are done. */
static struct ran *
take_longest(struct turns *turns)
{
	struct ran *longest = NULL;
	for (size_t i = 0; i < turns->count; i++) {
		struct ran *ran = &turns->ran[i];
		if (ran->time_ns > 0 && (longest == NULL || ran->time_ns > longest->time_ns))
			longest = ran;
	}
	return longest;
}

static void
add_share(struct sheet *sheet, int64_t part_ns, int64_t whole_ns)
{
	char share[UNITS_TEXT];
	units_share(share, part_ns, whole_ns);
	text_format(sheet->scratch, " %s  ", share);
	sheet_scratch(sheet, sheet_dim);
}

static void
add_proc(struct sheet *sheet, proc_ref ref, int64_t from_ns, int64_t until_ns)
{
	const struct trace *trace = sheet->trace;
	int64_t whole_ns = until_ns - from_ns, left_ns;
	struct turns turns;
	find_turns(&turns, trace, (struct lane){ LANE_PROC, ref }, from_ns, until_ns);
	left_ns = turns.busy_ns;
	sheet_line(sheet, PROC_COLUMN);
	text_format(sheet->scratch, "P%" PRId64, trace_proc(trace, ref)->id);
	sheet_scratch(sheet, sheet_plain);
	sheet->column = sheet->column < RAN_COLUMN ? RAN_COLUMN : sheet->column + 1;
	for (int shown = 0; shown < SHOWN; shown++) {
		struct ran *ran = take_longest(&turns);
		if (ran == NULL)
			break;
		name_goroutine(sheet->scratch, trace, ran->goroutine, sheet->ascii);
		sheet_scratch(sheet, sheet_plain);
		add_share(sheet, ran->time_ns, whole_ns);
		left_ns -= ran->time_ns;
		ran->time_ns = 0;
	}
	if (left_ns > 0) {
		sheet_string(sheet, sheet_dim, "others");
		add_share(sheet, left_ns, whole_ns);
	}
	if (turns.busy_ns < whole_ns) {
		sheet_string(sheet, sheet_dim, "nothing");
		add_share(sheet, whole_ns - turns.busy_ns, whole_ns);
	}
}

void
meanwhile_write(struct sheet *sheet, int64_t from_ns, int64_t until_ns)
{
	if (until_ns <= from_ns)
		return;
	sheet_heading(sheet, "meanwhile the procs ran");
	proc_ref procs[SHEET_MOST_PROCS];
	size_t count = sheet_procs(sheet, procs);
	for (size_t i = 0; i < count; i++)
		add_proc(sheet, procs[i], from_ns, until_ns);
	sheet_more(sheet, PROC_COLUMN, trace_proc_count(sheet->trace) - count);
}
