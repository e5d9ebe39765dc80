/* First how much each had, then how many CPUs at once the one with most did. */
#include "analysis/beneath/holder.h"

#include "analysis/beneath/beneath.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "query/watch.h"
#include "trace/lane.h"

/* Beside names of tasks. */
enum { KEY_OWN = UINT32_MAX - 1, KEY_IDLE = UINT32_MAX - 2 };

struct finding_holder {
	const struct beneath *beneath;
	struct levels *waits;
	int64_t *before_ns; /* of each change of these, what was waited before it */
	size_t wait_count;
	struct map index_of; /* by key */
	struct held { uint32_t key; int64_t ns; } *held;
	size_t count, capacity;
	int64_t waited_ns;
};

static bool
sum_waits(struct finding_holder *finding, struct error *err)
{
	const struct levels *waits = finding->waits;
	int64_t ready = 0, last_ns = 0;
	finding->wait_count = waits->count;
	finding->before_ns = array_new(waits->count, sizeof *finding->before_ns, err);
	if (finding->before_ns == NULL)
		return false;
	for (size_t i = 0; i < waits->count; i++) {
		int64_t part_ns = saturating_mul_i64(ready, waits->items[i].time_ns - last_ns);
		finding->waited_ns = saturating_add_i64(finding->waited_ns, i > 0 ? part_ns : 0);
		finding->before_ns[i] = finding->waited_ns;
		ready += waits->items[i].ready;
		last_ns = waits->items[i].time_ns;
	}
	return true;
}

/* What was waited before t: between two changes it grows evenly. */
static int64_t
waited_before(const struct finding_holder *finding, int64_t t_ns)
{
	const struct level *items = finding->waits->items;
	size_t behind = sorted_until_field(
		items, finding->wait_count, sizeof *items, offsetof(struct level, time_ns), t_ns);
	if (behind == 0)
		return 0;
	if (behind == finding->wait_count)
		return finding->waited_ns;
	int64_t part_ns = finding->before_ns[behind] - finding->before_ns[behind - 1];
	int64_t length_ns = items[behind].time_ns - items[behind - 1].time_ns;
	return finding->before_ns[behind - 1] + part_ns / length_ns * (t_ns - items[behind - 1].time_ns);
}

static bool
add_held(struct finding_holder *finding, uint32_t key, int64_t ns, struct error *err)
{
	uint32_t index = map_find(&finding->index_of, key);
	if (ns <= 0)
		return true;
	if (index == MAP_NONE) {
		index = (uint32_t)finding->count;
		if (!array_reserve(&finding->held, &finding->capacity, finding->count + 1, sizeof *finding->held,
			    err) ||
			!map_put(&finding->index_of, key, index, err))
			return false;
		finding->held[finding->count++] = (struct held){ key, 0 };
	}
	finding->held[index].ns = saturating_add_i64(finding->held[index].ns, ns);
	return true;
}

/* Takes what a key has of a CPU. */
typedef bool holding(struct finding_holder *finding, uint32_t key, int64_t from_ns, int64_t until_ns, struct error *err);

static bool
add_up(struct finding_holder *finding, uint32_t key, int64_t from_ns, int64_t until_ns, struct error *err)
{
	return add_held(finding, key, waited_before(finding, until_ns) - waited_before(finding, from_ns), err);
}

static bool
add_level(struct finding_holder *finding, uint32_t key, int64_t from_ns, int64_t until_ns, struct error *err)
{
	return key != finding->held[0].key || levels_add_on(finding->waits, from_ns, until_ns, err);
}

/* Between two spans a CPU is idle, unless events of it may have been lost. */
static bool
go_along(struct finding_holder *finding, resource_ref processor, holding *take, struct search_watch *watch,
	struct error *err)
{
	const struct beneath *beneath = finding->beneath;
	const struct level *items = finding->waits->items;
	const struct lane lane = { LANE_PROCESSOR, processor };
	int64_t t0_ns = items[0].time_ns, t1_ns = items[finding->wait_count - 1].time_ns, idle_ns = TIME_OPEN;
	struct span span;
	bool is_fine = true;
	bool is_there = lane_span_at(beneath->below, lane, t0_ns, &span) ||
			lane_previous(beneath->below, lane, t0_ns, CLASS_MASK_ALL, &span) ||
			lane_next(beneath->below, lane, t0_ns, CLASS_MASK_ALL, &span);
	for (size_t i = 0; is_fine && is_there; i++) {
		uint32_t key = beneath_thread_of(finding->beneath, span.actor) != REF_NONE
				       ? (uint32_t)KEY_OWN
				       : trace_actor(beneath->below, span.actor)->name;
		is_fine = search_watch_check_item(watch, i, err) &&
			  (beneath->loss_count > 0 || idle_ns >= span.start_ns ||
				  take(finding, KEY_IDLE, idle_ns, span.start_ns, err)) &&
			  take(finding, key, span.start_ns, span.end_ns, err);
		idle_ns = span.end_ns;
		is_there = span.start_ns < t1_ns && lane_after(beneath->below, lane, &span, &span);
	}
	return is_fine;
}

static bool
go_along_all(struct finding_holder *finding, holding *take, struct search_watch *watch, struct error *err)
{
	for (resource_ref i = 0; i < trace_processor_count(finding->beneath->below); i++)
		if (!go_along(finding, i, take, watch, err))
			return false;
	return true;
}

/* How many CPUs at once the first one held for half of the time that was waited. */
static bool
count_cpus(struct finding_holder *finding, struct holder *holder, struct error *err)
{
	const struct levels *levels = finding->waits;
	int64_t on = 0, ready = 0, sum_ns = 0;
	int64_t *times_ns = array_new((size_t)holder->cpus + 1, sizeof *times_ns, err);
	if (times_ns == NULL)
		return false;
	for (size_t i = 0; i + 1 < levels->count; i++) {
		on += levels->items[i].on;
		ready += levels->items[i].ready;
		int64_t length_ns = levels->items[i + 1].time_ns - levels->items[i].time_ns;
		int64_t *time_ns = &times_ns[on < (int64_t)holder->cpus ? on : (int64_t)holder->cpus];
		*time_ns = saturating_add_i64(*time_ns, saturating_mul_i64(ready, length_ns));
	}
	for (holder->had = holder->cpus; holder->had > 0; holder->had--) {
		sum_ns = saturating_add_i64(sum_ns, times_ns[holder->had]);
		if (sum_ns >= finding->waited_ns / 2)
			break;
	}
	memory_free(times_ns);
	return true;
}

bool
holder_find(struct holder *holder, const struct beneath *beneath, struct levels *waits, struct search_watch *watch,
	struct error *err)
{
	struct finding_holder finding = { .beneath = beneath, .waits = waits };
	const atomic_bool *is_cancelled = search_watch_cancel_flag(watch);
	*holder = (struct holder){ .cpus = trace_processor_count(beneath->below) };
	if (waits->count == 0)
		return true;
	bool is_fine = levels_sort(waits, is_cancelled, err) && sum_waits(&finding, err) &&
		       go_along_all(&finding, add_up, watch, err);
	for (size_t i = 1; is_fine && i < finding.count; i++)
		if (finding.held[i].ns > finding.held[0].ns)
			finding.held[0] = finding.held[i];
	if (is_fine && finding.count > 0) {
		uint32_t key = finding.held[0].key;
		holder->kind = key == KEY_OWN ? HOLDER_OWN : key == KEY_IDLE ? HOLDER_IDLE : HOLDER_TASK;
		holder->name = key;
		is_fine = go_along_all(&finding, add_level, watch, err) && levels_sort(waits, is_cancelled, err) &&
			  count_cpus(&finding, holder, err);
	}
	map_release(&finding.index_of);
	memory_free(finding.before_ns);
	memory_free(finding.held);
	return is_fine;
}
