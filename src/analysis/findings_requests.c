/* Kinds of requests that take long: of all that slow_requests.h tells those that matter. */
#include <assert.h>

#include "analysis/findings_internal.h"
#include "trace/own_code.h"
#include "trace/words.h"

static_assert((int)SLOW_PLACES == (int)FINDING_PLACES, "they are listed alike");

static void
add_class(struct text *query, const struct words *words, enum time_class time_class)
{
	/* While nobody works for a task there is no span; assists are spans that run. */
	if (time_class == CLASS_WORKER)
		text_add_string(query, "class=assist ");
	else if (time_class != CLASS_IDLE)
		text_format(query, "class=\"%s\" ", class_name(words, time_class));
}

/* The waits that it tells of, at its place. */
static void
add_query(struct finder *finder, struct finding *finding, struct text *query)
{
	const struct trace *trace = finder->trace;
	const struct slow_requests *slow = &finding->requests;
	const struct stack_frame *frame = own_code_frame(trace, slow->stack, REF_NONE);
	if (!slow->is_task)
		text_add_string(query, "name=\"net/http.(*conn).serve\" ");
	else if (!query_add_string(query, trace, "task", slow->name))
		finding->is_query_whole = false;
	if (slow->is_task && !slow->is_of_all)
		text_add_string(query, "task.dur>=p90 ");
	add_class(query, trace->words, slow->time_class);
	if (slow->region != STRING_EMPTY && !query_add_string(query, trace, "region", slow->region))
		finding->is_query_whole = false;
	if (frame != NULL && !query_add_string(query, trace, "func", frame->function))
		finding->is_query_whole = false;
	if (finding->is_query_whole) {
		query_add_interval(query, finder);
		return;
	}
	text_clear(query);
	query_add_span(query, trace, finding->actor, finding->start_ns);
}

/* The lines that are known: the one that has half of the time, else those with most. */
static void
add_places(const struct finder *finder, struct finding *finding)
{
	const struct slow_requests *slow = &finding->requests;
	uint32_t known = 0, most = slow->places == 1 ? 1 : SLOW_PLACES;
	for (uint32_t i = 0; i < most; i++) {
		const struct slow_place *place = &slow->best[i];
		stack_id own = own_code_stack(finder->trace, place->stack, place->actor);
		if (own != STACK_NONE)
			finding->places[known++] =
				(struct finding_place){ own, place->waits, place->part_ns };
	}
	if (slow->places == 1)
		finding->place_count = known;
	else if (known > 1)
		finding->place_count = known < SLOW_PLACES ? known : slow->places;
}

static bool
add_requests(struct finder *finder, const struct slow_requests *slow)
{
	if (slow->actor == REF_NONE)
		return true;
	struct finding finding = {
		.kind = FINDING_REQUESTS,
		.lost_ns = slow->lost_ns,
		.count = slow->waits,
		.actors = slow->actors,
		.total_ns = slow->part_ns,
		.whole_ns = slow->whole_ns,
		.longest_ns = slow->slowest_end_ns - slow->slowest_start_ns,
		.lane = { LANE_ACTOR, slow->actor },
		.start_ns = slow->slowest_start_ns,
		.end_ns = slow->slowest_end_ns,
		.actor = slow->actor,
		.idle_processor = REF_NONE,
		.name = slow->is_task ? slow->name
				      : trace_actor(finder->trace, slow->actor)->name,
		.time_class = slow->time_class,
		.is_query_whole = true,
		.requests = *slow,
	};
	struct text query = { 0 };
	finding.stack = own_code_stack(finder->trace, slow->stack, slow->stack_actor);
	add_places(finder, &finding);
	if (!finder_matters(finder, finding.lost_ns))
		return true;
	add_query(finder, &finding, &query);
	return finder_add(finder, &finding, &query);
}

bool
find_requests(struct finder *finder)
{
	struct slow_list list;
	struct request_scope scope = { finder->t0_ns, finder->t1_ns, (struct search *)finder->scope->only,
		finder->watch };
	if (!slow_requests_build(&list, finder->trace, &scope, finder->err)) {
		if (finder->err->kind == ERROR_CANCELLED)
			error_clear(finder->err);
		return false;
	}
	bool is_fine = true;
	if (list.kind_count == 0 || list.is_cut)
		finder->findings->unknown_kinds |= 1U << FINDING_REQUESTS;
	for (size_t i = 0; is_fine && i < list.count; i++)
		is_fine = add_requests(finder, &list.items[i]);
	slow_requests_release(&list);
	return is_fine;
}
