/* Has each kind looked for, and ranks what was found. */
#include "analysis/findings.h"

#include <stdlib.h>

#include "analysis/findings_internal.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/search.h"
#include "query/watch.h"
#include "trace/lane.h"
#include "trace/regroup.h"

/* ---- what the kinds share */

int64_t
finder_clip(const struct finder *finder, const struct trouble *trouble)
{
	int64_t from_ns = trouble->start_ns > finder->t0_ns ? trouble->start_ns : finder->t0_ns;
	int64_t until_ns = trouble->end_ns < finder->t1_ns ? trouble->end_ns : finder->t1_ns;
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

bool
finder_is_known(const struct finder *finder, int64_t start_ns, int64_t end_ns)
{
	if (end_ns > finder->t1_ns)
		end_ns = finder->t1_ns;
	return damage_map_find(&finder->trace->damage, start_ns, end_ns) == NULL;
}

bool
finder_asks_for(const struct finder *finder, uint32_t segment, uint32_t state)
{
	const struct search *only = finder->scope->only;
	return only == NULL || search_matches(only, segment, state);
}

bool
finder_asks_for_time(const struct finder *finder, actor_ref actor, int64_t t_ns)
{
	struct span span;
	if (finder->scope->only == NULL)
		return true;
	return actor != REF_NONE &&
	       lane_span_at(finder->trace, (struct lane){ LANE_ACTOR, actor }, t_ns,
		       &span) &&
	       finder_asks_for(finder, span.segment, span.state);
}

bool
finder_matters(const struct finder *finder, int64_t lost_ns)
{
	int64_t interval_ns = finder->t1_ns - finder->t0_ns;
	return lost_ns > 0 && lost_ns >= interval_ns / 100 * FINDING_LEAST_PERCENT;
}

uint64_t
finder_processors(const struct finder *finder)
{
	uint64_t least, most;
	if (counter_range(finder->trace, COUNTER_GOMAXPROCS, finder->t0_ns, finder->t1_ns, &least,
		    &most) &&
		most <= INT32_MAX)
		return most;
	return trace_processor_count(finder->trace);
}

/* The query of a finding, and that of the scope; NULL without memory. */
static char *
whole_query(const struct finder *finder, struct finding *finding, struct text *query)
{
	struct text whole = { 0 };
	const char *asked = finder->scope->only != NULL ? finder->scope->query : NULL;
	if (asked != NULL && *asked == '=')
		asked++;
	bool is_typed = asked != NULL && query_is_plain_query(asked);
	while (query->length > 0 && query->bytes[query->length - 1] == ' ')
		query->length--;
	finding->is_query_whole = finding->is_query_whole && (asked == NULL || is_typed);
	text_format(&whole, is_typed ? "(%s) (%.*s)" : "%s%.*s", is_typed ? asked : "",
		(int)query->length, query->bytes);
	bool has_failed = whole.failed || query->failed;
	char *copy = has_failed ? NULL : array_copy(whole.bytes, whole.length + 1, 1, finder->err);
	if (has_failed)
		error_set_memory(finder->err, "the findings");
	text_release(&whole);
	return copy;
}

bool
finder_add(struct finder *finder, struct finding *finding, struct text *query)
{
	struct findings *findings = finder->findings;
	bool is_fine = array_reserve(&findings->items, &findings->capacity, findings->count + 1,
		sizeof *findings->items, finder->err);
	finding->query = is_fine ? whole_query(finder, finding, query) : NULL;
	text_release(query);
	if (finding->query == NULL)
		return false;
	finding->interval_ns = finder->t1_ns - finder->t0_ns;
	findings->items[findings->count++] = *finding;
	return true;
}

/* ---- the whole */

static bool (*const finders[])(struct finder *finder) = {
	find_quotas,
	find_delays,
	find_forever,
	find_leaks,
	find_convoys,
	find_syscalls,
	find_stops,
	find_assists,
	find_collections,
	find_requests,
	find_disk,
	find_interrupts,
	find_calls,
	find_beneath,
};

static int
compare_findings(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;
	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Behind what is loaded, and behind damage up to the end, nothing is known. */
static int64_t
known_end(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	size_t loaded = trace->parts.count;
	while (loaded > 0 && !trace->parts.rows[loaded - 1].is_loaded)
		loaded--;
	if (loaded > 0 && trace->parts.rows[loaded - 1].to_ns < t1_ns)
		t1_ns = trace->parts.rows[loaded - 1].to_ns;
	for (uint32_t i = 0; i < trace->damage.count; i++) {
		const struct damage *damage = &trace->damage.rows[i];
		if (damage->places > 0 && damage->to_ns == TIME_OPEN && damage->from_ns > t0_ns &&
			damage->from_ns < t1_ns)
			t1_ns = damage->from_ns;
	}
	return t1_ns;
}

bool
findings_can_be(const struct trace *trace)
{
	for (uint32_t i = 0; i <= trace->kind_count && i <= KIND_MAX; i++)
		if (trace->kinds[i].state == STATE_READY || trace->kinds[i].state == STATE_BLOCKED)
			return true;
	return false;
}

static struct finder
finder_for(struct findings *findings, const struct trace *trace,
	const struct findings_scope *scope, struct search_watch *watch, struct error *err)
{
	struct finder finder = {
		.trace = trace, .scope = scope, .watch = watch, .findings = findings, .err = err
	};
	finder.t0_ns = scope->t0_ns > trace->start_ns ? scope->t0_ns : trace->start_ns;
	finder.t1_ns = scope->t1_ns < trace->end_ns ? scope->t1_ns : trace->end_ns;
	finder.t1_ns = known_end(trace, finder.t0_ns, finder.t1_ns);
	*findings = (struct findings){
		.t0_ns = finder.t0_ns,
		.t1_ns = finder.t1_ns,
		.has_waits = findings_can_be(trace),
		.has_beneath = scope->beneath != NULL,
	};
	return finder;
}

bool
findings_build(struct findings *findings, const struct trace *trace,
	const struct findings_scope *scope, struct search_watch *watch, struct error *err)
{
	struct findings built;
	struct finder finder = finder_for(&built, trace_ungrouped(trace), scope, watch, err);
	bool is_fine = bits_init(&finder.stuck, trace_actor_count(trace), err) &&
		       bits_init(&finder.throttled, trace->group_count, err);
	size_t count = built.has_waits && finder.t0_ns < finder.t1_ns ? ARRAY_LENGTH(finders) : 0;
	for (size_t i = 0; i < count && is_fine; i++)
		is_fine = finders[i](&finder) && !state_scan_is_cancelled(watch);
	bits_release(&finder.stuck);
	bits_release(&finder.throttled);
	if (!is_fine) {
		findings_release(&built);
		return false;
	}
	if (built.count > 0)
		qsort(built.items, built.count, sizeof *built.items, compare_findings);
	*findings = built;
	return true;
}

void
findings_release(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		memory_free(findings->items[i].query);
		memory_free(findings->items[i].beneath.name);
	}
	array_release(&findings->items);
	findings->count = findings->capacity = 0;
}

double
findings_severity(const struct findings *findings, const struct finding *finding)
{
	int64_t interval_ns = findings->t1_ns - findings->t0_ns;
	return interval_ns > 0 ? (double)finding->lost_ns / (double)interval_ns : 0;
}

const char *
finding_kind_name(enum finding_kind kind)
{
	static const char *const names[FINDING_KIND_COUNT] = {
		[FINDING_DELAY] = "delay",
		[FINDING_IDLE] = "idle",
		[FINDING_STOP] = "stop",
		[FINDING_CONVOY] = "convoy",
		[FINDING_FOREVER] = "forever",
		[FINDING_LEAK] = "leak",
		[FINDING_SYSCALL] = "syscall",
		[FINDING_ASSIST] = "assist",
		[FINDING_GC] = "gc",
		[FINDING_REQUESTS] = "requests",
		[FINDING_DISK] = "disk",
		[FINDING_HOG] = "hog",
		[FINDING_INTERRUPT] = "interrupt",
		[FINDING_CALL] = "call",
		[FINDING_QUOTA] = "quota",
		[FINDING_STARVED] = "starved",
		[FINDING_HELD] = "held",
		[FINDING_LATE] = "late",
	};
	return names[kind];
}
