/* Selecting and searching in a tree of calls. */
#include "view/call_page.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/units.h"
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

/* The way along which at least half of each goes on is unfolded. */
static void
unfold_main_way(struct call_page *page)
{
	const struct call_tree *tree = page->tree;
	uint32_t node = 0;
	for (;;) {
		const struct call_node *caller = &tree->nodes[node];
		page->is_open[node] = true;
		if (caller->child_count == 0)
			return;
		uint32_t first = tree->children[caller->first_child];
		if (tree->nodes[first].value < caller->value - caller->value / 2)
			return;
		node = first;
	}
}

bool
call_page_set(struct call_page *page, const struct call_tree *tree, struct error *err)
{
	enum profile_kind kind = page->kind;
	uint8_t style = page->style;
	int64_t whole = page->whole;
	call_page_release(page);
	*page = (struct call_page){ .kind = kind, .style = style, .whole = whole };
	page->is_open = array_new(tree->node_count, sizeof *page->is_open, err);
	page->lines = array_new_unset(tree->node_count, sizeof *page->lines, err);
	if (page->is_open == NULL || page->lines == NULL) {
		call_page_release(page);
		return false;
	}
	page->tree = tree;
	unfold_main_way(page);
	if (tree->nodes[0].child_count > 0)
		page->selected = tree->children[tree->nodes[0].first_child];
	return true;
}

/* ---- searching */

static bool
node_matches(const struct call_page *page, const struct trace *trace, uint32_t node,
	struct pattern *pattern)
{
	size_t length;
	const char *name = profile_function_name(trace, page->tree->nodes[node].function, &length);
	return node != 0 && pattern_matches(pattern, name, length);
}

/* What is called by a match is counted with it, once. */
static void
add_up_matches(struct call_page *page)
{
	const struct call_tree *tree = page->tree;
	uint32_t within = CALL_NONE; /* the outermost match around */
	page->matched = 0;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		if (within != CALL_NONE && tree->nodes[i].depth <= tree->nodes[within].depth)
			within = CALL_NONE;
		if (within != CALL_NONE || page->matches[i] == 0)
			continue;
		within = i;
		page->matched = saturating_add_i64(page->matched, tree->nodes[i].value);
	}
}

void
call_page_search(struct call_page *page, const struct session *session, struct pattern *pattern)
{
	struct error ignored;
	error_clear(&ignored);
	memory_free(page->matches);
	page->matches = NULL;
	page->matched = 0;
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
call_page_select(struct call_page *page, string_id function)
{
	const struct call_tree *tree = page->tree;
	uint32_t found = CALL_NONE;
	if (tree == NULL)
		return;
	for (uint32_t i = call_tree_next(tree, 0); i != CALL_NONE; i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		if (node->function != function)
			continue;
		if (found == CALL_NONE || (node->depth == 1 && tree->nodes[found].depth > 1))
			found = i;
	}
	if (found == CALL_NONE)
		return;
	select_node(page, found);
	page->is_open[found] = true;
}

/* ---- words */

void
call_page_add_value(const struct call_page *page, int64_t value, bool ascii, struct text *out)
{
	char number[UNITS_TEXT];
	if (page->kind == PROFILE_CPU)
		units_count(number, (uint64_t)value);
	else
		units_duration(number, value, ascii);
	text_add_string(out, value == 0 ? "-" : number);
}

void
call_page_add_share(const struct call_page *page, int64_t value, struct text *out)
{
	char share[UNITS_TEXT];
	units_share(share, value, page->whole);
	text_add_string(out, value == 0 ? "-" : share);
}
