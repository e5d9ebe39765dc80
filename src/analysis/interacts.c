/* Each step is a look at who made whom ready, in all of the trace. */
#include "analysis/interacts.h"

#include <inttypes.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "trace/segment.h"

/* ---- words */

static const char wakers_word[] = "wakers";

/* A number at the text, behind which it then stands. */
static bool
read_steps(const char **text, uint32_t *steps)
{
	*steps = 0;
	for (; **text >= '0' && **text <= '9' && *steps <= INTERACTS_MOST_STEPS; (*text)++)
		*steps = *steps * 10 + (uint32_t)(**text - '0');
	return *steps > 0 && *steps <= INTERACTS_MOST_STEPS;
}

bool
interacts_parse(struct interacts_plan *plan, const char *text, struct error *err)
{
	const char *at = text;
	uint32_t steps = 1;
	bool has_number = *at >= '0' && *at <= '9';
	bool is_fine = !has_number || read_steps(&at, &steps);
	bool only_wakers = false;
	if (is_fine && (!has_number || *at != '\0')) {
		at += has_number && *at == ',';
		only_wakers = strcmp(at, wakers_word) == 0 && (!has_number || at[-1] == ',');
		is_fine = only_wakers;
	}
	if (!is_fine)
		return error_set(err, ERROR_USAGE,
			"%.40s: wanted how many steps, 1 to %d, or wakers, or both: 2,wakers",
			text, INTERACTS_MOST_STEPS);
	plan->steps = steps;
	plan->only_wakers = only_wakers;
	return true;
}

void
interacts_add_words(struct text *out, struct interacts_plan plan)
{
	text_format(out, "%" PRIu32 "%s%s", plan.steps, plan.only_wakers ? "," : "",
		plan.only_wakers ? wakers_word : "");
}

/* ---- looking */

bool
interacts_is_same(struct interacts_plan a, struct interacts_plan b)
{
	if (a.steps == 0 || b.steps == 0)
		return a.steps == b.steps;
	return a.actor == b.actor && a.steps == b.steps && a.only_wakers == b.only_wakers;
}

uint64_t
interacts_cost(const struct trace *trace, struct interacts_plan plan)
{
	return trace_state_count(trace) * plan.steps;
}

/* One step that is being made. */
struct step {
	struct interacts *interacts;
	const struct trace *trace;
	uint8_t number;
	bool is_link[KIND_MASK + 1]; /* by kind: a state that one actor brought another one into */
};

static void
find_links(struct step *step)
{
	const struct trace *trace = step->trace;
	bool only_wakers = step->interacts->plan.only_wakers;
	for (uint32_t i = 0; i < trace->kind_count; i++) {
		const struct state_kind *kind = &trace->kinds[i];
		step->is_link[i] = kind->state == STATE_READY &&
				   (entry_is_wake(kind->entry) ||
					   (kind->entry == ENTRY_CREATED && !only_wakers));
	}
}

/* The second one comes in if the first one came in with the step before. */
static void
bring_in(struct step *step, actor_ref there, actor_ref other)
{
	struct interacts *interacts = step->interacts;
	if (interacts->away[there] + 1 != step->number || interacts->away[other] != INTERACTS_NEVER)
		return;
	interacts->away[other] = step->number;
	interacts->counts[step->number]++;
	interacts->count++;
}

static void
look_at_run(struct step *step, const struct segment *segment, const struct run *run)
{
	for (uint32_t i = run->first; i < run_end(run); i++) {
		if (!step->is_link[segment->kind[i] & KIND_MASK])
			continue;
		const struct state_kind *kind = &step->trace->kinds[segment->kind[i] & KIND_MASK];
		uint32_t waker = segment_site(segment, i)->origin;
		/* Go's viewer goes by whoever the event names. */
		if (!step->interacts->plan.only_wakers)
			waker = waker_actor(kind, waker);
		if (waker >= step->interacts->known)
			continue;
		bring_in(step, run->actor, waker);
		if (!step->interacts->plan.only_wakers)
			bring_in(step, waker, run->actor);
	}
}

static bool
look_at_all(struct step *step, const atomic_bool *is_cancelled, struct error *err)
{
	for (uint32_t i = 0; i < step->trace->segments.count; i++) {
		const struct segment *segment = trace_segment(step->trace, i);
		if (!job_goes_on(is_cancelled, err))
			return false;
		for (uint32_t run = 0; run < segment->run_count; run++)
			look_at_run(step, segment, &segment->runs[run]);
	}
	return true;
}

bool
interacts_build(struct interacts *interacts, const struct trace *trace, struct interacts_plan plan,
                const atomic_bool *is_cancelled, struct error *err)
{
	uint32_t known = trace_actor_count(trace);
	*interacts = (struct interacts){ .plan = plan, .known = known, .count = 1, .counts = { 1 } };
	struct step step = { .interacts = interacts, .trace = trace };
	interacts->away = array_new_unset(known, sizeof *interacts->away, err);
	if (interacts->away == NULL)
		return false;
	memset(interacts->away, INTERACTS_NEVER, known);
	interacts->away[plan.actor] = 0;
	find_links(&step);
	while (step.number < plan.steps && !interacts->is_closed) {
		step.number++;
		if (!look_at_all(&step, is_cancelled, err)) {
			interacts_release(interacts);
			return false;
		}
		interacts->is_closed = interacts->counts[step.number] == 0;
	}
	return true;
}

void
interacts_release(struct interacts *interacts)
{
	memory_free(interacts->away);
	*interacts = (struct interacts){ .plan = { 0 } };
}
