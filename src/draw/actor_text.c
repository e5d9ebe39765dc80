/* An actor in facts and lists. */
#include "draw/actor_text.h"

#include "base/compiler.h"
#include "base/units.h"
#include "draw/damage_words.h"
#include "draw/names.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/own_code.h"

static struct lane
lane_of(const struct actor_text *text)
{
	return (struct lane){ LANE_ACTOR, text->actor };
}

/* ---- who it is */

/* A moment of its life, as finely as facts tell it. */
static void
add_moment(struct prose *prose, const struct actor_text *text, int64_t t_ns)
{
	prose_add_moment(prose, t_ns, (text->life->t1_ns - text->life->t0_ns) / 10);
}

static void
add_from_to(struct prose *prose, int64_t from_ns, int64_t until_ns, int64_t fineness_ns)
{
	text_add_string(prose->words, ", from ");
	prose_add_moment(prose, from_ns, fineness_ns);
	text_add_string(prose->words, " to ");
	prose_add_moment(prose, until_ns, fineness_ns);
}

static void
tell_origin(struct prose *prose, const struct actor_text *text)
{
	const struct actor *actor = trace_actor(prose->trace, text->actor);
	prose_fact(prose, "created");
	if (actor->creator == REF_NONE && actor->first_ns == prose->trace->start_ns &&
		actor->create_stack == STACK_NONE) {
		text_add_string(prose->words, "before the trace");
	} else {
		add_moment(prose, text, actor->first_ns);
	}
	if (actor->creator != REF_NONE) {
		text_add_string(prose->words, " by ");
		name_actor(prose->words, prose->trace, actor->creator, prose->ascii);
		prose_lead(prose, (struct lane){ LANE_ACTOR, actor->creator }, actor->first_ns,
			actor->first_ns);
	}
	prose_say(prose, prose_plain);
	prose_fact(prose, "ended");
	if (actor->end_ns == TIME_OPEN) {
		text_add_string(prose->words, "not within the trace");
	} else {
		add_moment(prose, text, actor->end_ns);
		prose_lead(prose, lane_of(text), actor->end_ns, actor->end_ns);
	}
	prose_say(prose, prose_plain);
}

/* How long it lived, or why there is nothing to tell. */
static void
tell_interval(struct prose *prose, const struct actor_text *text)
{
	int64_t t0_ns = text->life->t0_ns, t1_ns = text->life->t1_ns;
	prose_fact(prose, text->has_interval ? "shown" : "lived");
	if (!text->has_interval || t0_ns < t1_ns)
		prose_add_duration(prose, t1_ns - t0_ns);
	else if (parts_extent(&prose->trace->parts, text->t0_ns, text->t1_ns) == PARTS_NOT_LOADED)
		text_add_string(prose->words, "nothing: of that time nothing is loaded");
	else
		text_add_string(prose->words, "nothing: it was not there at that time");
	if (text->has_interval && t0_ns < t1_ns)
		add_from_to(prose, t0_ns, t1_ns, (t1_ns - t0_ns) / 10);
	prose_say(prose, prose_plain);
}

/* "running", "ready: created", "blocked: chan receive" */
static void
add_state(struct prose *prose, const struct span *span)
{
	bool is_worker = span->time_class == CLASS_WORKER;
	text_add_string(prose->words, is_worker ? class_name(prose->trace->words, CLASS_WORKER)
						: state_name(span->kind->state));
	if (span->kind->reason != STRING_EMPTY) {
		text_add_string(prose->words, ": ");
		name_string(prose->words, prose->trace, span->kind->reason, prose->ascii);
	} else if (span->kind->entry == ENTRY_CREATED) {
		text_add_string(prose->words, ": created");
	}
}

static void
tell_cursor(struct prose *prose, const struct actor_text *text)
{
	struct span span;
	if (!text->has_cursor)
		return;
	prose_fact(prose, "cursor");
	add_moment(prose, text, text->cursor_ns);
	text_add_string(prose->words, ": ");
	if (lane_span_at(prose->trace, lane_of(text), text->cursor_ns, &span)) {
		int64_t duration_ns = span.end_ns - span.start_ns;
		add_state(prose, &span);
		add_from_to(prose, span.start_ns, span.end_ns, duration_ns);
		text_add_string(prose->words, " (");
		prose_add_duration(prose, duration_ns);
		text_add_string(prose->words, ")");
		prose_lead(prose, lane_of(text), text->cursor_ns, text->cursor_ns);
	} else {
		text_add_string(prose->words, "it does not live then");
	}
	prose_say(prose, prose_plain);
}

static void
tell_facts(struct prose *prose, const struct actor_text *text)
{
	string_id label = trace_actor(prose->trace, text->actor)->label;
	struct viewport within = { text->life->t0_ns, text->life->t1_ns };
	const struct damage *damage =
		damage_map_find(&prose->trace->damage, within.t0_ns, within.t1_ns);
	if (label != STRING_EMPTY) {
		prose_fact(prose, "label");
		name_string(prose->words, prose->trace, label, prose->ascii);
		prose_say(prose, prose_plain);
	}
	tell_origin(prose, text);
	tell_interval(prose, text);
	if (text->query != NULL) {
		prose_fact(prose, "query");
		prose_string(prose, prose_plain, text->query);
	}
	tell_cursor(prose, text);
	if (damage == NULL)
		return;
	prose_fact(prose, "damaged");
	damage_add_warning(prose->words, damage, within, prose->trace->end_ns, prose->form);
	prose_say(prose, prose_plain);
}

static void
tell_creation(struct prose *prose, const struct actor_text *text)
{
	static const struct prose_column columns[] = {
		{ .look = { .title = "", .is_name = true, .least_cells = 16 }, .at = 3 },
		{ .look = { .title = "", .least_cells = 12, .rank = 1 } },
	};
	const struct stack_table *stacks = &prose->trace->stacks;
	stack_id stack = trace_actor(prose->trace, text->actor)->create_stack;
	if (stack == STACK_NONE)
		return;
	prose_heading(prose, "created at");
	prose_list(prose, columns, (int)ARRAY_LENGTH(columns));
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack)) {
		prose_row(prose, 0);
		prose_frame(prose, "", prose_plain, stack_leaf(stacks, stack));
	}
}

/* ---- totals */

static void
add_total_name(struct prose *prose, const struct life_total *total)
{
	if (!total->is_reason)
		text_add_string(prose->words, state_name(total->state));
	else if (total->reason != STRING_EMPTY)
		name_string(prose->words, prose->trace, total->reason, prose->ascii);
	else if (total->state == STATE_RUNNING)
		text_add_string(prose->words, class_name(prose->trace->words, total->time_class));
	else
		text_add_string(prose->words, "no reason given");
}

static void
tell_total(struct prose *prose, const struct actor_text *text, const struct life_total *total)
{
	char number[UNITS_TEXT];
	const struct span *longest = &total->longest;
	bool is_sum = !total->is_reason && total->state == STATE_BLOCKED;
	prose_row(prose, total->is_reason ? 2 : 0);
	prose_lead(prose, lane_of(text), longest->start_ns, longest->end_ns);
	add_total_name(prose, total);
	prose_cell(prose, is_sum ? prose_plain : prose_class_style(longest->time_class));
	units_count(number, total->count);
	text_add_string(prose->words, number);
	prose_cell(prose, prose_plain);
	prose_add_duration(prose, total->total_ns);
	prose_cell(prose, prose_plain);
	units_share(number, total->total_ns, text->life->t1_ns - text->life->t0_ns);
	text_add_string(prose->words, number);
	prose_cell(prose, prose_plain);
	prose_join(prose, " longest ");
	prose_add_duration(prose, longest->end_ns - longest->start_ns);
	prose_cell(prose, prose_plain);
	prose_join(prose, " ");
	text_add_string(prose->words, "at ");
	prose_add_moment(prose, longest->start_ns, longest->end_ns - longest->start_ns);
	prose_cell(prose, prose_dim);
}

static void
tell_totals(struct prose *prose, const struct actor_text *text)
{
	static const struct prose_column columns[] = {
		{ .look = { .title = "", .least_cells = 12 }, .at = 3, .is_nested = true },
		{ .look = { .title = "count", .is_right = true, .rank = 2 }, .at = 29 },
		{ .look = { .title = "time", .is_right = true }, .at = 35 },
		{ .look = { .title = "share", .is_right = true, .rank = 1 }, .at = 44 },
		{ .look = { .title = "longest", .is_right = true, .rank = 3 } },
		{ .look = { .title = "", .rank = 4 } },
	};
	if (text->life->total_count == 0)
		return;
	prose_heading(prose, "time by state and reason");
	prose_list(prose, columns, (int)ARRAY_LENGTH(columns));
	for (uint32_t i = 0; i < text->life->total_count; i++)
		tell_total(prose, text, &text->life->totals[i]);
}

/* ---- state by state */

static void
tell_resource(struct prose *prose, const struct noun *noun, bool is_there, int64_t id)
{
	prose_join(prose, " on ");
	if (is_there)
		text_add_id(prose->words, noun, id);
	prose_cell(prose, prose_plain);
}

/* What woke it: an actor and its name, or what else, and on which processor. Two cells. */
static void
tell_waker(struct prose *prose, struct waker waker)
{
	const struct trace *trace = prose->trace;
	prose_join(prose, ", by ");
	if (waker.type != WAKER_ACTOR) {
		text_add_string(prose->words, name_waker_type(trace->words, waker.type));
		prose_cell(prose, prose_dim);
		bool has_processor = waker.type != WAKER_UNKNOWN && waker.ref != REF_NONE;
		tell_resource(prose, &trace->words->processor, has_processor,
			has_processor ? trace_processor(trace, waker.ref)->id : 0);
		return;
	}
	const struct actor *actor = trace_actor(trace, waker.ref);
	name_actor_id(prose->words, trace, waker.ref);
	prose_cell(prose, prose_plain);
	prose_join(prose, " ");
	if (!name_is_enough(actor))
		name_string(prose->words, trace, actor->name, prose->ascii);
	prose_cell(prose, prose_plain);
}

/* For prose_add_moment(): a millionth of what is shown, but not coarser than a microsecond. */
static int64_t
moment_fineness(const struct life *life)
{
	const int64_t microsecond_ns = 1000;
	int64_t step_ns = (life->t1_ns - life->t0_ns) / 1000000;
	return (step_ns < microsecond_ns ? step_ns : microsecond_ns) * 100;
}

static void
tell_state(struct prose *prose, const struct actor_text *text, const struct span *span)
{
	const struct trace *trace = prose->trace;
	bool has_processor = span->processor != REF_NONE, has_thread = span->thread != REF_NONE;
	bool is_woken = span->waker_stack != STACK_NONE;
	actor_ref of = !is_woken                          ? span->actor
		       : span->waker.type == WAKER_ACTOR ? span->waker.ref
							 : REF_NONE;
	prose_row(prose, 0);
	prose_lead(prose, lane_of(text), span->start_ns, span->end_ns);
	/* Whatever their lengths, the moments of the list are told alike. */
	prose_add_moment(prose, span->start_ns, moment_fineness(text->life));
	prose_cell(prose, prose_dim);
	prose_add_duration(prose, span->end_ns - span->start_ns);
	prose_cell(prose, prose_plain);
	add_state(prose, span);
	prose_cell(prose, prose_class_style(span->time_class));
	tell_resource(prose, &trace->words->processor, has_processor,
		has_processor ? trace_processor(trace, span->processor)->id : 0);
	if (trace->words->thread.one != NULL)
		tell_resource(prose, &trace->words->thread, has_thread,
			has_thread ? trace_thread(trace, span->thread)->id : 0);
	tell_waker(prose, span->waker);
	prose_frame(prose, " at ", prose_plain,
		own_code_frame(trace, is_woken ? span->waker_stack : span->stack, of));
}

static void
tell_states(struct prose *prose, const struct actor_text *text)
{
	static const struct prose_column all[] = {
		{ .look = { .title = "at", .is_right = true }, .at = 3 },
		{ .look = { .title = "for", .is_right = true }, .at = 19 },
		{ .look = { .title = "state" }, .at = 29, .is_nested = true },
		{ .look = { .title = "{processor}", .rank = 3 } },
		{ .look = { .title = "{thread}", .rank = 6 }, .is_printed_only = true }, /* if there are any */
		{ .look = { .title = "by", .rank = 2 } },
		{ .look = { .title = "", .is_name = true, .least_cells = 19, .rank = 4 } },
		{ .look = { .title = "where", .is_name = true, .least_cells = 14, .rank = 1 } },
		{ .look = { .title = "", .is_name = true, .least_cells = 16, .rank = 5 } },
	};
	enum { THREAD = 4 };
	struct prose_column columns[ARRAY_LENGTH(all)];
	int count = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
		if (i != THREAD || prose->trace->words->thread.one != NULL)
			columns[count++] = all[i];
	uint64_t told = 0;
	struct span span, next;
	if (text->life->span_count == 0)
		return;
	prose_heading(prose, "state by state");
	prose_list(prose, columns, count);
	bool is_there = life_first(prose->trace, text->actor, text->t0_ns, text->t1_ns, &span);
	for (; is_there && span.start_ns < text->t1_ns && prose_has_room(prose, told); span = next) {
		if (text->only == NULL || search_matches(text->only, span.segment, span.state)) {
			tell_state(prose, text, &span);
			told++;
		}
		is_there = lane_after(prose->trace, lane_of(text), &span, &next);
	}
	if (prose->most_rows > 0 && text->life->span_count > told)
		prose_more(prose, text->life->span_count - told);
}

void
actor_tell(struct prose *prose, const struct actor_text *text)
{
	tell_facts(prose, text);
	tell_creation(prose, text);
	tell_totals(prose, text);
	tell_states(prose, text);
}
