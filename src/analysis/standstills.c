/* A quota is told by the period at which all go on, and by CPUs that are idle meanwhile. */
#include "analysis/standstills.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory.h"
#include "trace/lane.h"

enum {
	PERIOD_LEAST_NS = 10000000, PERIOD_MOST_NS = 1000000000,
	PERIOD_USUAL_NS = 100000000, /* the kernel's own */
	PERIODS_MOST = 3,            /* from one to the next: in some of them all may run */
	REGULAR_PERCENT = 80         /* of the time that all of them take */
};

bool
standstills_add(struct standstills *stills, int64_t start_ns, int64_t end_ns, struct error *err)
{
	if (end_ns - start_ns < STANDSTILL_LEAST_NS)
		return true;
	if (!array_reserve(&stills->items, &stills->capacity, stills->count + 1, sizeof *stills->items, err))
		return false;
	stills->items[stills->count++] = (struct still){ start_ns, end_ns };
	return true;
}

static int
compare_times(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
	return (a > b) - (a < b);
}

/* The distance between most that follow each other. */
static bool
find_period(struct standstills *stills, struct error *err)
{
	size_t count = stills->count - 1;
	int64_t *gaps_ns = array_new(count, sizeof *gaps_ns, err);
	if (gaps_ns == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		gaps_ns[i] = stills->items[i + 1].end_ns - stills->items[i].end_ns;
	qsort(gaps_ns, count, sizeof *gaps_ns, compare_times);
	stills->period_ns = gaps_ns[count / 2];
	memory_free(gaps_ns);
	return true;
}

/* The next one that ends a period later, or two or three; itself where there is none. O(1), since none is short. */
static size_t
find_partner(const struct standstills *stills, size_t of)
{
	int64_t period_ns = stills->period_ns, slack_ns = period_ns / 50 + 2 * stills->cell_ns;
	for (size_t i = of + 1; i < stills->count; i++) {
		int64_t gap_ns = stills->items[i].end_ns - stills->items[of].end_ns;
		if (gap_ns / period_ns > PERIODS_MOST)
			break;
		int64_t times = (gap_ns + period_ns / 2) / period_ns;
		int64_t off_ns = gap_ns - times * period_ns;
		if (times >= 1 && times <= PERIODS_MOST && off_ns <= slack_ns && -off_ns <= slack_ns)
			return i;
	}
	return of;
}

static int64_t
sum_of(const struct standstills *stills)
{
	int64_t sum_ns = 0;
	for (size_t i = 0; i < stills->count; i++)
		sum_ns += stills->items[i].end_ns - stills->items[i].start_ns;
	return sum_ns;
}

/* Leaves those that end at the period. */
static bool
keep_regular(struct standstills *stills, struct error *err)
{
	bool *is_regular = array_new(stills->count, sizeof *is_regular, err);
	size_t kept = 0;
	if (is_regular == NULL)
		return false;
	for (size_t i = 0; i < stills->count; i++) {
		size_t partner = find_partner(stills, i);
		if (partner != i)
			is_regular[i] = is_regular[partner] = true;
	}
	for (size_t i = 0; i < stills->count; i++)
		if (is_regular[i])
			stills->items[kept++] = stills->items[i];
	stills->count = kept;
	memory_free(is_regular);
	return true;
}

/* How long a CPU was idle in them, at most so long as these lasted. */
static int64_t
idle_in(const struct standstills *stills, const struct trace *trace)
{
	int64_t sum_ns = 0;
	for (size_t i = 0; i < stills->count; i++) {
		const struct still *still = &stills->items[i];
		int64_t most_ns = 0, length_ns = still->end_ns - still->start_ns;
		for (resource_ref p = 0; p < trace_processor_count(trace); p++) {
			int64_t totals_ns[CLASS_COUNT];
			lane_totals(trace, (struct lane){ LANE_PROCESSOR, p }, still->start_ns,
				still->end_ns, totals_ns);
			if (length_ns - totals_ns[CLASS_RUNNING] > most_ns)
				most_ns = length_ns - totals_ns[CLASS_RUNNING];
		}
		sum_ns += most_ns;
	}
	return sum_ns;
}

bool
standstills_judge(struct standstills *stills, const struct trace *trace, bool *is_quota, struct error *err)
{
	int64_t all_ns = sum_of(stills);
	*is_quota = false;
	if (stills->count < STANDSTILL_TIMES)
		return true;
	if (!find_period(stills, err))
		return false;
	if (stills->period_ns < PERIOD_LEAST_NS || stills->period_ns > PERIOD_MOST_NS)
		return true;
	if (!keep_regular(stills, err))
		return false;
	int64_t still_ns = sum_of(stills), off_ns = stills->period_ns - PERIOD_USUAL_NS;
	bool is_usual = off_ns <= PERIOD_USUAL_NS / 20 && -off_ns <= PERIOD_USUAL_NS / 20;
	*is_quota = stills->count >= STANDSTILL_TIMES && still_ns >= all_ns / 100 * REGULAR_PERCENT &&
		    (is_usual || idle_in(stills, trace) >= still_ns / 2);
	return true;
}
