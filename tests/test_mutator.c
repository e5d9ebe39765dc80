/*
 * Mutator utilisation: the curves of Go's own page, to nine significant digits, for traces of
 * testdata; and windows against a naive sum over every position that can matter.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/go/mmu.h"
#include "analysis/go/mutator_internal.h"
#include "base/memory.h"
#include "base_testing.h"
#include "query/watch.h"
#include "tracetesting.h"
#include "v1testing.h"

enum { CURVE_POINTS = 100 };

/* Of the whole trace. */
static bool
build(struct mutator *mutator, const struct trace *trace, unsigned parts, struct error *err)
{
	const struct mutator_scope scope = { .parts = parts, .until_ns = trace->end_ns };
	return mutator_build(mutator, trace, &scope, err);
}

/* ---- as Go has it */

static unsigned
parts_of(const char *flags)
{
	static const struct {
		const char *word;
		unsigned part;
	} words[] = {
		{ "stw", MUTATOR_STW },
		{ "background", MUTATOR_BACKGROUND },
		{ "assist", MUTATOR_ASSIST },
		{ "sweep", MUTATOR_SWEEP },
		{ "perProc", MUTATOR_PER_PROCESSOR },
	};
	unsigned parts = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
		parts |= strstr(flags, words[i].word) != NULL ? words[i].part : 0;
	return parts;
}

static void
assert_alike(const char *name, const struct fact *fact, int field, double share)
{
	double wanted = strtod(fact->fields[field], NULL);
	/* Go moves events of the same nanosecond apart: one or two of a window may differ. */
	int64_t width_ns = fact_number(fact, fact->fields[0][0] == 'w' ? 1 : 2, 0);
	double moved = width_ns > 1000000 ? 4.0 / (double)width_ns : 0;
	if (fabs(share - wanted) > 1e-9 * fabs(wanted) + moved)
		fail_msg("%s: %s of %s ns: %.12g instead of %s", name, fact->fields[1],
			fact->fields[2], share, fact->fields[field]);
}

static void
check_point(const char *name, const struct mutator *mutator, const struct fact *fact, int *point)
{
	int64_t least_ns, most_ns, width_ns;
	mutator_range(mutator, &least_ns, &most_ns);
	width_ns = mutator_width(least_ns, most_ns, (*point)++, CURVE_POINTS);
	/* Logarithms of two libraries may differ in the last bit. */
	assert_true(llabs(width_ns - fact_number(fact, 2, 0)) <= 2);
	width_ns = fact_number(fact, 2, 0);
	if (width_ns > 1) /* Go also looks at the last moment there, where nothing is left */
		assert_alike(name, fact, 3, mutator_least(mutator, width_ns));
	for (int i = 4; i < fact->count; i++) /* the page gives the least for each quantile */
		assert_string_equal(fact->fields[i], fact->fields[3]);
}

/* The first of those that the page lists; which others there are it leaves open. */
static void
check_worst(const char *name, const struct trace *trace, const struct fact *fact)
{
	struct mutator mutator;
	struct mutator_window worst;
	struct error err = { 0 };
	assert_true(build(&mutator, trace, MUTATOR_USUAL | MUTATOR_AS_GO, &err));
	assert_int_equal(mutator_worst(&mutator, fact_number(fact, 1, 0), &worst, 1), 1);
	assert_alike(name, fact, 3, worst.share);
	mutator_release(&mutator);
}

static void
check_oracle(const char *name)
{
	struct trace *trace = testing_load(name);
	struct mutator mutator = { 0 };
	struct facts facts;
	struct error err = { 0 };
	int point = 0;
	facts_read(&facts, name, ".mmu.txt");
	for (size_t i = 0; i < facts.count; i++) {
		const struct fact *fact = &facts.lines[i];
		if (strcmp(fact->fields[0], "range") == 0) {
			mutator_release(&mutator);
			assert_true(build(
				&mutator, trace, parts_of(fact->fields[1]) | MUTATOR_AS_GO, &err));
			point = 0;
		} else if (strcmp(fact->fields[0], "curve") == 0)
			check_point(name, &mutator, fact, &point);
		else if (i == 0 || strcmp(facts.lines[i - 1].fields[0], "worst") != 0)
			check_worst(name, trace, fact);
	}
	mutator_release(&mutator);
	facts_release(&facts);
	trace_free(trace);
}

static void
test_as_go_has_it(void **state)
{
	(void)state;
	testing_each(".mmu.txt", check_oracle);
}

/* ---- against a naive sum */

enum { POSITIONS = 4000, WIDTHS = 12 };

static double
naive_mean(const struct mutator_series *series, int64_t from_ns, int64_t width_ns)
{
	long double sum = 0;
	for (size_t i = 0; i + 1 < series->count; i++) {
		int64_t start_ns = series->steps[i].time_ns, end_ns = series->steps[i + 1].time_ns;
		start_ns = start_ns > from_ns ? start_ns : from_ns;
		end_ns = end_ns < from_ns + width_ns ? end_ns : from_ns + width_ns;
		if (start_ns < end_ns)
			sum += (long double)series->steps[i].share * (long double)(end_ns - start_ns);
	}
	return (double)(sum / (long double)width_ns);
}

/* The worst is the least there is; the others follow in order, none over another. */
static void
check_windows(const struct mutator *mutator, int64_t width_ns, double least)
{
	enum { MOST = 5 };
	struct mutator_window worst[MOST];
	size_t count = mutator_worst(mutator, width_ns, worst, MOST);
	assert_in_range(count, 1, MOST);
	assert_true(worst[0].share == least);
	for (size_t i = 0; i < count; i++) {
		double mean = naive_mean(&mutator->series[0], worst[i].start_ns, width_ns);
		assert_true(worst[i].width_ns == width_ns && fabs(mean - worst[i].share) < 1e-9);
		assert_true(i == 0 || worst[i - 1].share <= worst[i].share);
		for (size_t k = 0; k < i; k++)
			assert_true(llabs(worst[i].start_ns - worst[k].start_ns) >= width_ns);
	}
}

/* Of evenly chosen positions the least is not below ours, and as many are below each quantile. */
static void
check_width(const struct mutator *mutator, int64_t width_ns)
{
	static const double quantiles[] = { 0, 0.1, 0.5, 0.9 };
	const struct mutator_series *series = &mutator->series[0];
	int64_t last_ns = series->steps[series->count - 1].time_ns - width_ns;
	int below[ARRAY_LENGTH(quantiles)] = { 0 };
	double shares[ARRAY_LENGTH(quantiles)], least = mutator_least(mutator, width_ns);
	check_windows(mutator, width_ns, least);
	struct error err = { 0 };
	assert_true(mutator_quantiles(
		mutator, width_ns, quantiles, ARRAY_LENGTH(quantiles), shares, &err));
	assert_true(fabs(shares[0] - least) < 1e-9);
	for (int i = 0; i < POSITIONS; i++) {
		int64_t at_ns = series->steps[0].time_ns +
				(last_ns - series->steps[0].time_ns) / POSITIONS * i;
		double mean = naive_mean(series, at_ns, width_ns);
		assert_true(mean >= least - 1e-9);
		for (size_t q = 1; q < ARRAY_LENGTH(quantiles); q++)
			below[q] += mean <= shares[q] + 1e-9;
	}
	for (size_t q = 1; q < ARRAY_LENGTH(quantiles); q++)
		assert_true((double)below[q] / POSITIONS > quantiles[q] - 0.01);
}

/* ---- every position of random steps */

enum { RANDOM_STEPS = 400, RANDOM_POSITIONS = 2 * RANDOM_STEPS };

/* Bursts of short steps, and long ones that are alike; the last share is 0. */
static void
make_random(uint64_t *random, struct mutator_series *series, struct mutator_step *steps,
	long double *area_ns)
{
	int64_t time_ns = 0;
	long double sum_ns = 0;
	for (size_t i = 0; i < RANDOM_STEPS; i++) {
		bool is_last = i + 1 == RANDOM_STEPS;
		steps[i] = (struct mutator_step){ time_ns,
			is_last ? 0 : (double)((i + random_below(random, 4)) % 5) / 4 };
		if (i > 0 && steps[i].share == steps[i - 1].share)
			steps[i].share = steps[i].share > 0.5 ? 0.1 : 0.9;
		area_ns[i] = sum_ns;
		int64_t length_ns = 1 + (int64_t)random_below(random, i / 50 % 2 == 0 ? 20 : 3000);
		sum_ns += (long double)steps[i].share * (long double)length_ns;
		time_ns += length_ns;
	}
	*series = (struct mutator_series){ steps, area_ns, RANDOM_STEPS, RANDOM_STEPS, REF_NONE, 1 };
}

static int
compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* All positions where an edge of a window passes a step, in order. */
static size_t
list_positions(const struct mutator_series *series, int64_t width_ns, int64_t *positions_ns)
{
	int64_t last_ns = series->steps[series->count - 1].time_ns - width_ns;
	size_t count = 0;
	for (size_t i = 0; i < series->count; i++) {
		int64_t time_ns = series->steps[i].time_ns;
		if (time_ns <= last_ns)
			positions_ns[count++] = time_ns;
		if (time_ns >= width_ns)
			positions_ns[count++] = time_ns - width_ns;
	}
	qsort(positions_ns, count, sizeof *positions_ns, compare_times);
	return count;
}

/* How many positions have a mean of no more than a share. */
static double
count_below(const int64_t *positions_ns, const double *means, size_t count, double share)
{
	double sum_ns = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		double low = fmin(means[i], means[i + 1]), high = fmax(means[i], means[i + 1]);
		double length_ns = (double)(positions_ns[i + 1] - positions_ns[i]);
		if (high <= share)
			sum_ns += length_ns;
		else if (low < share)
			sum_ns += length_ns * (share - low) / (high - low);
	}
	return sum_ns;
}

static void
check_positions(const struct mutator *mutator, int64_t width_ns)
{
	enum { WORST = 5 };
	static const double quantiles[] = { 0.001, 0.01, 0.05, 0.5, 0.99, 1 };
	static const double off = 1e-9;
	const struct mutator_series *series = &mutator->series[0];
	int64_t positions_ns[RANDOM_POSITIONS];
	double means[RANDOM_POSITIONS], shares[ARRAY_LENGTH(quantiles)];
	struct mutator_window worst[WORST];
	struct error err = { 0 };
	size_t count = list_positions(series, width_ns, positions_ns);
	for (size_t i = 0; i < count; i++)
		means[i] = naive_mean(series, positions_ns[i], width_ns);
	size_t found = mutator_worst(mutator, width_ns, worst, WORST);
	for (size_t n = 0; n <= found && n < WORST; n++) {
		size_t best = count;
		for (size_t i = 0; i < count; i++) {
			bool is_free = true;
			for (size_t k = 0; k < n; k++)
				is_free = is_free &&
					  llabs(positions_ns[i] - worst[k].start_ns) >= width_ns;
			if (is_free && (best == count || means[i] < means[best] - off))
				best = i;
		}
		assert_int_equal(best < count, n < found);
		if (n < found)
			assert_true(fabs(worst[n].share - means[best]) < off);
	}
	assert_true(mutator_least(mutator, width_ns) == worst[0].share);
	assert_true(mutator_quantiles(
		mutator, width_ns, quantiles, ARRAY_LENGTH(quantiles), shares, &err));
	double all_ns = (double)(positions_ns[count - 1] - positions_ns[0]);
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++) {
		double wanted_ns = quantiles[i] * all_ns;
		assert_true(count_below(positions_ns, means, count, shares[i] + off) >=
			    wanted_ns * (1 - off));
		assert_true(count_below(positions_ns, means, count, shares[i] - off) <=
			    wanted_ns * (1 + off));
	}
}

static void
test_all_positions(void **state)
{
	enum { SERIES = 40 };
	uint64_t random = 1;
	(void)state;
	for (int i = 0; i < SERIES; i++) {
		struct mutator_step steps[RANDOM_STEPS];
		long double area_ns[RANDOM_STEPS];
		struct mutator_series series;
		make_random(&random, &series, steps, area_ns);
		const struct mutator mutator = { &series, 1, 1 };
		for (int64_t width_ns = 1; width_ns < mutator_duration_ns(&mutator) / 2;
			width_ns = width_ns * 3 + (int64_t)random_below(&random, 5))
			check_positions(&mutator, width_ns);
	}
}

/* ---- equal series */

/* The same in memory of its own, later. */
static struct mutator_series
copy_series(const struct mutator_series *series, int64_t shift_ns)
{
	size_t bytes = series->count * sizeof *series->steps;
	struct mutator_series copy = *series;
	copy.steps = memcpy(memory_realloc(NULL, bytes), series->steps, bytes);
	for (size_t i = 0; i < copy.count; i++)
		copy.steps[i].time_ns += shift_ns;
	return copy;
}

static void
assert_same_answers(const struct mutator *mutator, const struct mutator *wanted, int64_t width_ns)
{
	enum { WORST = 8 };
	static const double quantiles[] = { 0, 0.001, 0.01, 0.05, 0.5, 0.99, 1 };
	double shares[ARRAY_LENGTH(quantiles)], wanted_shares[ARRAY_LENGTH(quantiles)];
	struct mutator_window worst[WORST] = { 0 }, wanted_worst[WORST] = { 0 };
	struct error err = { 0 };
	size_t count = mutator_worst(wanted, width_ns, wanted_worst, WORST);
	assert_int_equal(mutator_worst(mutator, width_ns, worst, WORST), count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(worst[i].start_ns, wanted_worst[i].start_ns);
		assert_int_equal(worst[i].processor, wanted_worst[i].processor);
		assert_true(worst[i].share == wanted_worst[i].share);
	}
	assert_true(mutator_least(mutator, width_ns) == mutator_least(wanted, width_ns));
	assert_true(mutator_quantiles(
		mutator, width_ns, quantiles, ARRAY_LENGTH(quantiles), shares, &err));
	assert_true(mutator_quantiles(
		wanted, width_ns, quantiles, ARRAY_LENGTH(quantiles), wanted_shares, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++)
		assert_true(fabs(shares[i] - wanted_shares[i]) < 1e-9);
}

/* What the first of equal ones stands for is what all of them come to, one after the other. */
static void
equal_series_are_merged(void **state)
{
	enum { FEW = 3, SHIFTS = 3, SHIFT_NS = 1000, SERIES = 60 };
	uint64_t random = 1;
	struct mutator_step steps[FEW][RANDOM_STEPS];
	long double area_ns[FEW][RANDOM_STEPS];
	struct mutator_series few[FEW], all[SERIES], merged[SERIES];
	struct error err = { 0 };
	uint32_t weight = 0;
	(void)state;
	for (size_t i = 0; i < FEW; i++)
		make_random(&random, &few[i], steps[i], area_ns[i]);
	for (size_t i = 0; i < SERIES; i++) {
		int64_t shift_ns = (int64_t)random_below(&random, SHIFTS) * SHIFT_NS;
		all[i] = copy_series(&few[random_below(&random, FEW)], shift_ns);
		all[i].processor = (resource_ref)i;
		merged[i] = copy_series(&all[i], 0);
	}
	struct mutator wanted = { all, SERIES, SERIES }, mutator = { merged, SERIES, SERIES };
	assert_true(mutator_merge_equal(&mutator, &err));
	assert_int_equal(mutator.count, FEW * SHIFTS);
	for (size_t i = 0; i < mutator.count; i++)
		weight += mutator.series[i].weight;
	assert_int_equal(weight, SERIES);
	for (int64_t width_ns = 1; width_ns < mutator_duration_ns(&wanted); width_ns = width_ns * 3 + 1)
		assert_same_answers(&mutator, &wanted, width_ns);
	for (size_t i = 0; i < SERIES; i++)
		memory_free(all[i].steps);
	for (size_t i = 0; i < mutator.count; i++)
		memory_free(mutator.series[i].steps);
}

/* Procs that are never taken differ by when they come and go alone. */
static void
idle_procs_are_one_series(void **state)
{
	static const uint32_t weights[] = { 3, 65533, 7 };
	struct text bytes = { 0 };
	struct mutator mutator;
	struct error err = { 0 };
	(void)state;
	v1_assemble("go 1.19\nBatch 0 100\nFrequency 1000000000\nGoCreate 0 1 0 0\n"
		    "ProcStart 1 7\nGoStart 1 1 1\nGomaxprocs 1 1 0\nGomaxprocs 1 65536 0\nGomaxprocs 1000 3 0\n"
		    "Gomaxprocs 1000 10 0\nGoSched 5000 0\n",
		&bytes);
	struct trace *trace = testing_load_bytes("idle procs", bytes.bytes, bytes.length);
	assert_true(build(&mutator, trace, MUTATOR_USUAL | MUTATOR_PER_PROCESSOR, &err));
	assert_int_equal(mutator.count, ARRAY_LENGTH(weights));
	for (size_t i = 0; i < ARRAY_LENGTH(weights); i++)
		assert_int_equal(mutator.series[i].weight, weights[i]);
	mutator_release(&mutator);
	trace_free(trace);
	text_release(&bytes);
}

/* ---- steps of traces */

/* Steps ascend and differ, and the procs taken by mark workers are given back. */
static void
check_steps(const struct mutator_series *series)
{
	bool is_whole = false;
	assert_true(series->count > 1);
	for (size_t i = 0; i + 1 < series->count; i++) {
		const struct mutator_step *step = &series->steps[i];
		assert_true(step[0].time_ns < step[1].time_ns);
		assert_true(step->share >= 0 && step->share <= 1);
		is_whole = is_whole || (i > series->count / 2 && step->share > 0.999);
	}
	assert_true(is_whole);
}

static void
test_naive_sum(void **state)
{
	static const char *const names[] = { "gcheavy-go1.19", "gcheavy-go1.26", "long-go1.23" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct trace *trace = testing_load(names[i]);
		struct mutator mutator;
		struct error err = { 0 };
		assert_true(build(&mutator, trace, MUTATOR_USUAL | MUTATOR_SWEEP, &err));
		assert_int_equal(mutator.count, 1);
		check_steps(&mutator.series[0]);
		for (int width = 0; width < WIDTHS; width++)
			check_width(&mutator, mutator_width(100, mutator_duration_ns(&mutator) / 2,
						      width, WIDTHS));
		mutator_release(&mutator);
		trace_free(trace);
	}
}

/* The first and the last width are the ends themselves, whatever their logarithms are rounded to. */
static void
widths_reach_from_end_to_end(void **state)
{
	(void)state;
	for (int64_t least_ns = 1; least_ns <= 1000000000; least_ns *= 10) {
		int64_t most_ns = least_ns * 12345;
		assert_int_equal(mutator_width(least_ns, most_ns, 0, CURVE_POINTS), least_ns);
		assert_int_equal(
			mutator_width(least_ns, most_ns, CURVE_POINTS - 1, CURVE_POINTS), most_ns);
	}
}

/* Where the collector takes nothing every share of the windows has all. */
static void
test_nothing_taken(void **state)
{
	static const double quantiles[] = { 0, 0.001, 0.5, 1 };
	struct trace *trace = testing_load("tasks-go1.26");
	struct mutator mutator;
	double shares[ARRAY_LENGTH(quantiles)];
	struct error err = { 0 };
	(void)state;
	assert_true(build(&mutator, trace, MUTATOR_ASSIST, &err));
	assert_true(mutator_least(&mutator, 1000) == 1);
	assert_true(mutator_quantiles(
		&mutator, 1000, quantiles, ARRAY_LENGTH(quantiles), shares, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(quantiles); i++)
		assert_true(fabs(shares[i] - 1) < 1e-9);
	mutator_release(&mutator);
	trace_free(trace);
}

/* An interval shows what the whole shows of it. */
static void
test_interval(void **state)
{
	struct trace *trace = testing_load("gcheavy-go1.23");
	int64_t from_ns = trace->end_ns / 3, until_ns = trace->end_ns / 2;
	struct mutator whole, part;
	struct error err = { 0 };
	(void)state;
	assert_true(build(&whole, trace, MUTATOR_USUAL, &err));
	const struct mutator_scope scope = { MUTATOR_USUAL, from_ns, until_ns, NULL };
	assert_true(mutator_build(&part, trace, &scope, &err));
	assert_int_equal(part.series[0].steps[0].time_ns, from_ns);
	assert_int_equal(mutator_duration_ns(&part), until_ns - from_ns);
	assert_true(fabs(naive_mean(&whole.series[0], from_ns, until_ns - from_ns) -
			 mutator_least(&part, until_ns - from_ns)) < 1e-9);
	mutator_release(&whole);
	mutator_release(&part);
	trace_free(trace);
}

/* Nobody wants the changes any more: the end is not lost where the instant looked at is a worker's. */
static void
the_end_is_told_at_a_worker(void **state)
{
	struct trace *trace = testing_load("gcheavy-go1.23");
	static const unsigned parts[] = { MUTATOR_BACKGROUND, MUTATOR_BACKGROUND | MUTATOR_AS_GO };
	uint32_t worker = 0;
	(void)state;
	while (trace_instant(trace, worker)->type != INSTANT_LABEL ||
		!trace_text_is(trace, trace_instant(trace, worker)->text, "GC (dedicated)"))
		assert_true(++worker < trace->instants.count);
	*trace_instant(trace, 0) = *trace_instant(trace, worker);
	trace->ranges.count = 0; /* at which the end would be noticed before */
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		struct error err = { 0 };
		struct search_watch watch = { 0 };
		struct mutator_changes changes = {
			.trace = trace, .parts = parts[i], .watch = &watch, .err = &err
		};
		assert_true(mutator_find_changes(&changes));
		atomic_store(&watch.is_cancelled, true);
		assert_false(mutator_find_changes(&changes));
		assert_int_equal(err.kind, ERROR_CANCELLED);
		memory_free(changes.items);
	}
	trace_free(trace);
}

/* What a name of a page or report says, and the same said again. */
static void
what_is_asked_reads_back(void **state)
{
	static const struct {
		const char *asked;
		unsigned parts;
		int64_t window_ns;
		const char *again; /* NULL: it cannot be read */
	} rows[] = {
		{ "", MUTATOR_USUAL, 0, "" },
		{ "stw,background,assist", MUTATOR_USUAL, 0, "" },
		{ "none", 0, 0, "none" },
		{ "sweep,stw", MUTATOR_STW | MUTATOR_SWEEP, 0, "stw,sweep" },
		{ "window=5ms", MUTATOR_USUAL, 5000000, "window=5000000ns" },
		{ "proc,window=1us", MUTATOR_PER_PROCESSOR, 1000, "proc,window=1000ns" },
		{ "none,window=1us", 0, 1000, "none,window=1000ns" },
		{ "stw,", 0, 0, NULL },
		{ ",window=1us", 0, 0, NULL },
		{ "stw,nothing", 0, 0, NULL },
		{ "window=", 0, 0, NULL },
		{ "window=1ms,stw", 0, 0, NULL },
		{ "stwwindow=1ms", 0, 0, NULL },
		{ "stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw,stw",
			0, 0, NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err = { 0 };
		struct text again = { 0 };
		unsigned parts;
		int64_t window_ns;
		if (mmu_parse(rows[i].asked, &parts, &window_ns, &err) != (rows[i].again != NULL))
			fail_msg("%s: %s", rows[i].asked, err.message);
		if (rows[i].again != NULL) {
			assert_int_equal(parts, rows[i].parts);
			assert_int_equal(window_ns, rows[i].window_ns);
			mmu_add_parameter(&again, parts, window_ns);
			assert_string_equal(text_string(&again), rows[i].again);
		}
		text_release(&again);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_go_has_it),
		cmocka_unit_test(test_naive_sum),
		cmocka_unit_test(widths_reach_from_end_to_end),
		cmocka_unit_test(test_nothing_taken),
		cmocka_unit_test(test_all_positions),
		cmocka_unit_test(equal_series_are_merged),
		cmocka_unit_test(idle_procs_are_one_series),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(the_end_is_told_at_a_worker),
		cmocka_unit_test(what_is_asked_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
