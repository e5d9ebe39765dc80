/*
 * A profile of each of two traces, side by side: by function, and as a tree of calls. Nothing of
 * the traces is kept, so that they can be loaded one after the other.
 */
#ifndef TTRACE_ANALYSIS_DIFF_PROFILE_H
#define TTRACE_ANALYSIS_DIFF_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/calltree.h"
#include "analysis/diff_states.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/map.h"
#include "result/result.h"

struct diff_top_row {
	struct diff_text name; /* of the function */
	int64_t flat[DIFF_SIDES], cum[DIFF_SIDES];
};

struct diff_profile {
	struct intern names;
	enum profile_kind kind;    /* of the profiles, and so: */
	struct measure measure;
	int64_t total[DIFF_SIDES]; /* of the profiles, also what a filter left out */
	struct diff_top_row *rows; /* by function; the row of a name is its id */
	uint32_t row_count;
	size_t row_capacity;
	/* Its values are those after; children stand as diff_profile_sort() says. */
	struct call_tree tree;
	int64_t *before, *before_self; /* by node */
	uint64_t most_changed;         /* of all nodes but the root; once sorted */
	size_t node_capacity, before_capacity, self_capacity;
	struct map child_of;           /* parent and name -> node */
};

bool diff_profile_init(struct diff_profile *diff, struct error *err);
void diff_profile_release(struct diff_profile *diff);

/*
 * Adds the profile of one side, once. The trees of both sides begin at the same end. O(frames
 * of the profile's stacks). Values without a unit are of that of the other side; ERROR_USAGE where the
 * units differ.
 */
bool diff_profile_add(struct diff_profile *diff, enum diff_side side, const struct profile *profile,
	bool is_inverted, struct error *err);

/*
 * When both were added: rows and children are in order, those first that changed most, up or down;
 * rows by their flat values, then by those with callees. Nothing can be added any more.
 */
bool diff_profile_sort(struct diff_profile *diff, struct error *err);

/*
 * The same nodes with the values of one side, and the callees that take most of those first. Names
 * are those of the difference. O(n log n). Release with call_tree_release() after success.
 */
bool diff_profile_side(const struct diff_profile *diff, enum diff_side side,
	struct call_tree *tree, struct error *err);

/*
 * Tells a sorted difference as a table, by function or by call; only_changes: without what is the
 * same, and without calls that changed by less than half a percent of all.
 */
bool diff_profile_tell_top(const struct diff_profile *diff, bool only_changes,
	struct result_sink *sink, struct error *err);
bool diff_profile_tell_tree(const struct diff_profile *diff, bool only_changes,
	struct result_sink *sink, struct error *err);

/* By how much a node has changed. */
static inline int64_t
diff_profile_change(const struct diff_profile *diff, uint32_t node)
{
	return saturating_sub_i64(diff->tree.nodes[node].value, diff->before[node]);
}

#endif
