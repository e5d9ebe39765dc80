/* Parts of a critical path, added up by what they have in common. */
#include "analysis/critical.h"

#include "base/memory.h"
#include "base/sort.h"

const char *
critical_cause_words(enum critical_cause cause)
{
	static const char *const words[CAUSE_COUNT] = {
		[CAUSE_STATE] = "",
		[CAUSE_NETWORK] = "until the network was ready",
		[CAUSE_NETWORK_OR_DEADLINE] = "ended by the network or its deadline",
		[CAUSE_TIMER] = "until its timer went off",
		[CAUSE_SCHEDULER] = "no {actor} ended it",
		[CAUSE_UNTOLD] = "the trace does not say what ended it",
		[CAUSE_UNENDED] = "it did not end within the trace",
		[CAUSE_OUTSIDE] = "the trace does not know",
		[CAUSE_DEEP] = "too many waits within each other",
		[CAUSE_LONG] = "not looked at: the path is too long",
	};
	return words[cause];
}

static enum state
state_of(const struct critical_share *share)
{
	return share->kind == NULL ? STATE_UNKNOWN : share->kind->state;
}

static string_id
reason_of(const struct critical_share *share)
{
	return share->kind == NULL ? STRING_EMPTY : share->kind->reason;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
compare_keys(const void *left, const void *right)
{
	const struct critical_share *a = left, *b = right;
	int order = COMPARE(a->name, b->name);
	if (order == 0)
		order = COMPARE(state_of(a), state_of(b));
	if (order == 0)
		order = COMPARE(reason_of(a), reason_of(b));
	if (order == 0)
		order = COMPARE(a->cause, b->cause);
	return order != 0 ? order : COMPARE(a->stack, b->stack);
}

/* Those alike next to each other, the longest first, so that the first one tells of it. */
static int
compare_parts(const void *left, const void *right)
{
	const struct critical_share *a = left, *b = right;
	int order = compare_keys(a, b);
	if (order == 0)
		order = COMPARE(b->longest_ns, a->longest_ns);
	return order != 0 ? order : COMPARE(a->longest_start_ns, b->longest_start_ns);
}

static int
compare_totals(const void *left, const void *right)
{
	const struct critical_share *a = left, *b = right;
	int order = COMPARE(b->total_ns, a->total_ns);
	return order != 0 ? order : compare_keys(a, b);
}

static struct critical_share
share_of(const struct critical_part *part, const struct trace *trace)
{
	return (struct critical_share){
		.name = part->actor == REF_NONE ? STRING_EMPTY
						    : trace_actor(trace, part->actor)->name,
		.kind = part->kind,
		.cause = part->cause,
		.stack = part->stack,
		.actor = part->actor,
		.total_ns = part->end_ns - part->start_ns,
		.longest_ns = part->end_ns - part->start_ns,
		.longest_start_ns = part->start_ns,
		.count = 1,
	};
}

struct critical_share *
critical_shares(const struct critical_path *path, const struct trace *trace, size_t *count,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct critical_share *shares = array_new(path->part_count, sizeof *shares, err);
	*count = 0;
	if (shares == NULL)
		return NULL;
	for (size_t i = 0; i < path->part_count; i++)
		shares[i] = share_of(&path->parts[i], trace);
	const struct sort alike = { shares, path->part_count, sizeof *shares, compare_parts };
	bool is_fine = sort_items(&alike, is_cancelled, err);
	for (size_t i = 0; is_fine && i < path->part_count; i++) {
		struct critical_share *last = *count > 0 ? &shares[*count - 1] : NULL;
		if (last == NULL || compare_keys(last, &shares[i]) != 0) {
			shares[(*count)++] = shares[i];
			continue;
		}
		last->total_ns += shares[i].total_ns;
		last->count++;
	}
	const struct sort by_total = { shares, *count, sizeof *shares, compare_totals };
	if (is_fine && sort_items(&by_total, is_cancelled, err))
		return shares;
	memory_free(shares);
	return NULL;
}
