/* Selecting and searching in a tree of calls. */
#include "view/call_page.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "query/pattern.h"

void
call_page_release(struct call_page *page)
{
	memory_free(page->matches);
	memory_free(page->is_open);
	memory_free(page->lines);
	text_release(&page->scratch);
	flame_release(&page->flame);
	*page = (struct call_page){ 0 };
}

/* What counts of a node: its value, or by how much that changed. */
static uint64_t
weight_of(const struct call_page *page, uint32_t node)
{
	int64_t value = page->tree->nodes[node].value;
	return diff_distance(value, page->diff != NULL ? page->diff->before[node] : 0);
}

bool
call_page_goes_on(const struct call_page *page, uint32_t node, uint32_t into)
{
	const struct call_tree *tree = page->tree;
	const struct call_node *caller = &tree->nodes[node];
	uint64_t weight = weight_of(page, node);
	return caller->child_count > 0 && tree->children[caller->first_child] == into &&
	       weight_of(page, into) >= weight - weight / 2;
}

/* The way along which at least half of each goes on is unfolded. */
static void
unfold_main_way(struct call_page *page)
{
	const struct call_tree *tree = page->tree;
	uint32_t way = 0;
	page->is_open[0] = true;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		if (!call_page_goes_on(page, way, i))
			continue;
		way = i;
		page->is_open[i] = true;
	}
}

/* diff: NULL for a tree of one trace. */
static bool
set(struct call_page *page, const struct call_tree *tree, const struct diff_profile *diff,
	const struct call_tree *const boxes[DIFF_SIDES], struct error *err)
{
	const struct call_page kept = { .measure = page->measure,
		.style = page->style,
		.whole = page->whole,
		.is_beneath = page->is_beneath };
	call_page_release(page);
	*page = kept;
	page->is_open = array_new(tree->node_count, sizeof *page->is_open, err);
	page->lines = array_new_unset(tree->node_count, sizeof *page->lines, err);
	if (page->is_open == NULL || page->lines == NULL) {
		call_page_release(page);
		return false;
	}
	page->tree = tree;
	page->diff = diff;
	page->boxes[DIFF_BEFORE] = boxes[DIFF_BEFORE];
	page->boxes[DIFF_AFTER] = boxes[DIFF_AFTER];
	unfold_main_way(page);
	if (tree->nodes[0].child_count > 0)
		page->selected = tree->children[tree->nodes[0].first_child];
	return true;
}

bool
call_page_set(struct call_page *page, const struct call_tree *tree, struct error *err)
{
	return set(page, tree, NULL, (const struct call_tree *[DIFF_SIDES]){ tree, tree }, err);
}

bool
call_page_set_changes(struct call_page *page, const struct diff_profile *diff,
	const struct call_tree *const boxes[DIFF_SIDES], struct error *err)
{
	return set(page, &diff->tree, diff, boxes, err);
}

const char *
call_page_name(const struct call_page *page, const struct trace *trace, uint32_t node, size_t *length)
{
	const struct call_node *it = &page->tree->nodes[node];
	if (page->diff == NULL && !page->is_beneath)
		return profile_function_name(trace, it->function, length);
	*length = it->name_length;
	return it->name;
}

/* ---- searching */

static bool
node_matches(const struct call_page *page, const struct trace *trace, uint32_t node,
	struct pattern *pattern)
{
	size_t length;
	const char *name = call_page_name(page, trace, node, &length);
	return node != 0 && pattern_matches(pattern, name, length);
}

/* What is called by a match is counted with it, once. */
static void
add_up_matches(struct call_page *page)
{
	const struct call_tree *tree = page->tree;
	uint32_t within = CALL_NONE; /* the outermost match around */
	page->matched = page->matched_before = 0;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		page->match_count += page->matches[i];
		if (within != CALL_NONE && tree->nodes[i].depth <= tree->nodes[within].depth)
			within = CALL_NONE;
		if (within != CALL_NONE || page->matches[i] == 0)
			continue;
		within = i;
		page->matched = saturating_add_i64(page->matched, tree->nodes[i].value);
		if (page->diff != NULL)
			page->matched_before =
				saturating_add_i64(page->matched_before, page->diff->before[i]);
	}
}

void
call_page_search(struct call_page *page, const struct session *session, struct pattern *pattern)
{
	struct error ignored;
	error_clear(&ignored);
	memory_free(page->matches);
	page->matches = NULL;
	page->match_count = 0;
	if (pattern == NULL || page->tree == NULL)
		return;
	page->matches = array_new(page->tree->node_count, sizeof *page->matches, &ignored);
	if (page->matches == NULL)
		return;
	for (uint32_t i = 0; i < page->tree->node_count; i++)
		page->matches[i] = node_matches(page, session->trace, i, pattern);
	add_up_matches(page);
	if (page->matches[page->selected] == 0)
		call_page_next_match(page, true);
}

/* What is above a node is unfolded. */
static void
select_node(struct call_page *page, uint32_t node)
{
	const struct call_tree *tree = page->tree;
	page->selected = node;
	for (uint32_t at = tree->nodes[node].parent; at != CALL_NONE; at = tree->nodes[at].parent)
		page->is_open[at] = true;
	page->has_lines = false;
}

bool
call_page_next_match(struct call_page *page, bool forward)
{
	uint32_t first = CALL_NONE, last = CALL_NONE, before = CALL_NONE, behind = CALL_NONE;
	bool is_behind = false;
	if (page->matches == NULL)
		return false;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(page->tree, i)) {
		if (i == page->selected) {
			before = last;
			is_behind = true;
		} else if (page->matches[i] != 0 && is_behind && behind == CALL_NONE) {
			behind = i;
		}
		if (page->matches[i] == 0)
			continue;
		first = first == CALL_NONE ? i : first;
		last = i;
	}
	if (first == CALL_NONE)
		return false;
	if (forward)
		select_node(page, behind != CALL_NONE ? behind : first);
	else
		select_node(page, before != CALL_NONE ? before : last);
	return true;
}

void
call_page_select(
	struct call_page *page, const struct trace *trace, const char *function, size_t length)
{
	const struct call_tree *tree = page->tree;
	uint32_t found = CALL_NONE;
	if (tree == NULL)
		return;
	for (uint32_t i = call_tree_next(tree, 0); i != CALL_NONE; i = call_tree_next(tree, i)) {
		size_t name_length;
		const char *name = call_page_name(page, trace, i, &name_length);
		if (text_compare(name, name_length, function, length) != 0)
			continue;
		if (found == CALL_NONE || (tree->nodes[i].depth == 1 && tree->nodes[found].depth > 1))
			found = i;
	}
	if (found == CALL_NONE)
		return;
	select_node(page, found);
	page->is_open[found] = true;
}

/* ---- words */

void
call_page_add_name(struct call_page *page, const struct trace *trace, size_t cells, bool ascii,
	uint32_t node)
{
	size_t length;
	const char *name = call_page_name(page, trace, node, &length);
	name_short_bytes(&page->scratch, name, length, cells, ascii);
}

void
call_page_add_value(const struct call_page *page, int64_t value, bool ascii, struct text *out)
{
	if (value == 0)
		text_add_string(out, "-");
	else
		measure_add(out, &page->measure, value, ascii);
}

void
call_page_add_share(const struct call_page *page, int64_t value, struct text *out)
{
	char share[UNITS_TEXT];
	units_share(share, value, page->whole);
	text_add_string(out, value == 0 ? "-" : share);
}

void
call_page_add_change(const struct call_page *page, int64_t change, bool ascii, struct text *out)
{
	measure_add_change(out, &page->measure, change, ascii);
}

void
call_page_add_matched(const struct call_page *page, bool ascii, struct text *out)
{
	if (page->diff != NULL)
		call_page_add_change(page, saturating_sub_i64(page->matched, page->matched_before), ascii, out);
	else
		call_page_add_share(page, page->matched, out);
}
