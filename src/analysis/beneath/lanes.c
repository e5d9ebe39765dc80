/*
 * They are found thread by thread, from what the kernel did: that is far less than what the program did, so that
 * the program's spans are looked up for it and not the other way round.
 */
#include "analysis/beneath/lanes.h"

#include "base/checked.h"
#include "base/job.h"
#include "base/thread.h"
#include "trace/lane.h"
#include "trace/series.h"

static const uint8_t classes[BENEATH_UPPERS] = {
	[BENEATH_RUNNING] = CLASS_RUNNING, [BENEATH_WORKER] = CLASS_WORKER, [BENEATH_SYSCALL] = CLASS_SYSCALL
};

enum time_class
beneath_upper_class(enum beneath_upper upper)
{
	return (enum time_class)classes[upper];
}

/* ---- building */

enum { MAKERS = 2, STORES = BENEATH_UPPERS * BENEATH_LOST };

/* One of them goes through every other thread, and builds every other store. */
struct maker {
	struct piece_list lists[BENEATH_UPPERS][BENEATH_LOST];
	const struct beneath *beneath;
	const struct trace *trace;
	const atomic_bool *is_cancelled; /* NULL: never */
	struct beneath_lanes *lanes;
	uint32_t first;
	struct error *err, own_err;
};

/* When a span of a thread left its processor, which may be taken away during a system call. */
static int64_t
end_on_processor(const struct trace *trace, const struct span *span)
{
	const struct segment *segment = trace_segment(trace, span->segment);
	struct span held;
	if (span->time_class != CLASS_SYSCALL)
		return span->end_ns;
	/* Who runs right after the call has kept its processor. */
	bool is_last = (segment->kind[span->state] & KIND_LAST_IN_RUN) != 0;
	if (!is_last && trace->kinds[segment->kind[span->state + 1] & KIND_MASK].state == STATE_RUNNING)
		return span->end_ns;
	return lane_span_at(trace, (struct lane){ LANE_PROCESSOR, span->processor }, span->start_ns, &held) &&
			       held.segment == span->segment && held.state == span->state
		       ? held.end_ns
		       : span->start_ns;
}

/* To the lanes of an actor and of a processor, what of a span lies within the piece. */
static bool
add_span(struct maker *maker, struct piece_list *list, const struct span *span, const struct beneath_piece *piece)
{
	int64_t start_ns = span->start_ns > piece->from_ns ? span->start_ns : piece->from_ns;
	int64_t end_ns = span->end_ns < piece->until_ns ? span->end_ns : piece->until_ns;
	if (!piece_list_add(list, (struct lane){ LANE_ACTOR, span->actor }, start_ns, end_ns, maker->err))
		return false;
	if (span->processor == REF_NONE)
		return true;
	int64_t held_ns = end_on_processor(maker->trace, span);
	return piece_list_add(list, (struct lane){ LANE_PROCESSOR, span->processor }, start_ns,
		held_ns < end_ns ? held_ns : end_ns, maker->err);
}

/* Goes on to the last item that begins by then; the one it is at begins no later, or is the first. */
static void
go_to(const struct series *series, int64_t t_ns, struct item *item)
{
	enum { NEAR = 8 };
	for (int i = 0; i < NEAR; i++) {
		struct item next = *item;
		if (!series_step(series, &next) || item_start_ns(&next) > t_ns)
			return;
		*item = next;
	}
	(void)series_find(series, t_ns, item);
}

/*
 * What the thread of the series did meanwhile by the program's account is lost to whom it did it for. The item stays
 * at what began by the end of the piece.
 */
static bool
add_lost(struct maker *maker, const struct series *series, const struct beneath_piece *piece, struct item *item)
{
	enum beneath_lost lost = piece->state == BENEATH_READY ? BENEATH_WAITED : BENEATH_SLEPT;
	struct span span;
	go_to(series, piece->from_ns, item);
	struct item next = *item;
	for (bool is_there = true; is_there && item_start_ns(&next) < piece->until_ns;
		is_there = series_step(series, &next)) {
		*item = next;
		enum time_class time_class = item_class(series, item);
		int upper = 0;
		while (upper < BENEATH_UPPERS && classes[upper] != time_class)
			upper++;
		if (upper == BENEATH_UPPERS)
			continue;
		item_span(series, item, &span);
		if (!job_goes_on(maker->is_cancelled, maker->err) ||
			!add_span(maker, &maker->lists[upper][lost], &span, piece))
			return false;
	}
	return true;
}

static bool
add_thread(struct maker *maker, resource_ref thread)
{
	struct series series;
	struct beneath_walk walk;
	struct beneath_piece piece;
	struct item item;
	if (maker->beneath->threads[thread].count == 0 ||
		!series_open(maker->trace, (struct lane){ LANE_THREAD, thread }, &series))
		return true;
	series_enter(&series, 0, &item);
	beneath_begin(&walk, maker->beneath, thread, 0, maker->trace->end_ns);
	while (beneath_next(&walk, &piece)) {
		if (!job_goes_on(maker->is_cancelled, maker->err))
			return false;
		if ((piece.state == BENEATH_READY || piece.state == BENEATH_ASLEEP) &&
			!add_lost(maker, &series, &piece, &item))
			return false;
	}
	return true;
}

static void
add_threads(void *context)
{
	struct maker *maker = context;
	for (resource_ref thread = maker->first; thread < trace_thread_count(maker->trace); thread += MAKERS)
		if (!add_thread(maker, thread))
			return;
}

static void
build_stores(void *context)
{
	struct maker *maker = context;
	for (uint32_t i = maker->first; i < STORES; i += MAKERS) {
		struct piece_list *list = &maker->lists[i / BENEATH_LOST][i % BENEATH_LOST];
		if (!pieces_build(&maker->lanes->of[i / BENEATH_LOST][i % BENEATH_LOST], list, maker->is_cancelled,
			    maker->err))
			return;
		piece_list_release(list);
	}
}

/* Without a thread one does the work of the other, too. */
static bool
go_on_two_threads(struct maker makers[MAKERS], void (*work)(void *context), struct error *err)
{
	struct error ignored;
	error_clear(&ignored);
	struct worker *worker = worker_new(work, &makers[1], &ignored);
	work(&makers[0]);
	if (worker != NULL)
		worker_join(worker);
	else
		work(&makers[1]);
	for (int i = 0; i < MAKERS; i++)
		if (makers[i].own_err.kind != ERROR_NONE) {
			*err = makers[i].own_err;
			return false;
		}
	return true;
}

/* What the first one builds is its own and what the other one has found of that, and the other way. */
static bool
exchange(struct maker makers[MAKERS], struct error *err)
{
	for (int i = 0; i < STORES; i++) {
		struct piece_list *own = &makers[i % MAKERS].lists[i / BENEATH_LOST][i % BENEATH_LOST];
		struct piece_list *other = &makers[1 - i % MAKERS].lists[i / BENEATH_LOST][i % BENEATH_LOST];
		if (!piece_list_join(own, other, err))
			return false;
	}
	return true;
}

/* One after the other without a gap they are one piece. */
static bool
find_others(struct beneath_lanes *lanes, const atomic_bool *is_cancelled, struct error *err)
{
	const struct beneath *beneath = lanes->beneath;
	struct piece_list list = { .trace = beneath->below };
	bool is_fine = true;
	for (resource_ref i = 0; is_fine && i < trace_processor_count(beneath->below); i++) {
		struct lane lane = { LANE_PROCESSOR, i };
		struct series series;
		struct item item;
		int64_t from_ns = 0, until_ns = 0;
		bool is_there = series_open(beneath->below, lane, &series);
		if (is_there)
			series_item(&series, 0, &item);
		for (; is_fine && is_there; is_there = series_step(&series, &item)) {
			bool is_open;
			int64_t start_ns = item_start_ns(&item);
			actor_ref actor = segment_run_of(item.segment, item_state(&item))->actor;
			if (beneath->thread_of[actor] != REF_NONE)
				continue;
			if (start_ns != until_ns) {
				is_fine = piece_list_add(&list, lane, from_ns, until_ns, err) &&
					  job_goes_on(is_cancelled, err);
				from_ns = start_ns;
			}
			until_ns = item_end_ns(&series, &item, &is_open);
		}
		is_fine = is_fine && piece_list_add(&list, lane, from_ns, until_ns, err);
	}
	is_fine = is_fine && pieces_build(&lanes->others, &list, is_cancelled, err);
	piece_list_release(&list);
	return is_fine;
}

bool
beneath_lanes_build(struct beneath_lanes *lanes, const struct beneath *beneath, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct maker makers[MAKERS];
	*lanes = (struct beneath_lanes){ .beneath = beneath, .trace = trace };
	for (uint32_t i = 0; i < MAKERS; i++) {
		makers[i] = (struct maker){ .beneath = beneath,
			.trace = trace,
			.is_cancelled = is_cancelled,
			.lanes = lanes,
			.first = i,
			.err = &makers[i].own_err };
		error_clear(&makers[i].own_err);
		for (int k = 0; k < STORES; k++)
			makers[i].lists[k / BENEATH_LOST][k % BENEATH_LOST].trace = trace;
	}
	bool is_fine = go_on_two_threads(makers, add_threads, err) && exchange(makers, err) &&
		       go_on_two_threads(makers, build_stores, err);
	for (int i = 0; i < MAKERS * STORES; i++)
		piece_list_release(&makers[i / STORES].lists[i % STORES / BENEATH_LOST][i % STORES % BENEATH_LOST]);
	is_fine = is_fine && find_others(lanes, is_cancelled, err) &&
		  (!beneath_has_samples(beneath->below) ||
				     beneath_find_samples(&lanes->samples, beneath, is_cancelled, err));
	if (!is_fine)
		beneath_lanes_release(lanes);
	return is_fine;
}

void
beneath_lanes_release(struct beneath_lanes *lanes)
{
	for (int i = 0; i < BENEATH_UPPERS * BENEATH_LOST; i++)
		pieces_release(&lanes->of[i / BENEATH_LOST][i % BENEATH_LOST]);
	pieces_release(&lanes->others);
	samples_release(&lanes->samples);
	lanes->beneath = NULL;
}

/* ---- asking */

void
beneath_lanes_add(const struct beneath_lanes *lanes, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int64_t times_ns[BENEATH_UPPERS][BENEATH_LOST])
{
	for (int upper = 0; lanes != NULL && upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++)
			times_ns[upper][lost] = saturating_add_i64(times_ns[upper][lost],
				pieces_time(&lanes->of[upper][lost], lane, t0_ns, t1_ns));
}
