/* Nodes have numbers by which they stand in a tree that is unfolded whole. */
#include <inttypes.h>
#include <string.h>

#include "view/call_page.h"

enum call_base { BASE_MAIN, BASE_NONE, BASE_ALL, BASES };

static const char *const base_words[BASES] = { "main", "none", "all" };

/* ---- numbers */

static uint32_t
number_of(const struct call_tree *tree, uint32_t node)
{
	uint32_t number = 0;
	for (uint32_t i = 0; i != CALL_NONE && i != node; i = call_tree_next(tree, i))
		number++;
	return number;
}

/* CALL_NONE where there is no such number. */
static uint32_t
node_of(const struct call_tree *tree, int64_t number)
{
	uint32_t node = 0;
	while (node != CALL_NONE && number-- > 0)
		node = call_tree_next(tree, node);
	return node;
}

/* The first function is selected at first, not the root, so these two change places. */
static size_t
line_of(size_t number)
{
	return number < 2 ? 1 - number : number;
}

void
call_page_place(const struct call_page *page, size_t top, struct view_place *place)
{
	bool is_alone = page->tree->node_count < 2;
	size_t number = number_of(page->tree, page->selected);
	*place = (struct view_place){ is_alone ? 0 : line_of(number), top };
}

void
call_page_go_to_place(struct call_page *page, const struct view_place *place)
{
	uint32_t node = CALL_NONE;
	if (place->line < page->tree->node_count && page->tree->node_count > 1)
		node = node_of(page->tree, (int64_t)line_of(place->line));
	if (node != CALL_NONE)
		page->selected = node;
}

/* ---- folds */

/* Goes through a tree with what is unfolded at first. */
struct unfolding {
	const struct call_page *page;
	uint32_t way; /* the innermost node on the main way so far */
};

static bool
is_unfolded(struct unfolding *unfolding, enum call_base base, uint32_t node)
{
	if (base != BASE_MAIN)
		return base == BASE_ALL || node == 0;
	if (call_page_goes_on(unfolding->page, unfolding->way, node))
		unfolding->way = node;
	return unfolding->way == node;
}

/* How many nodes that call something are folded otherwise than the base has it. */
static uint32_t
count_others(const struct call_page *page, enum call_base base, struct text *numbers)
{
	const struct call_tree *tree = page->tree;
	struct unfolding unfolding = { page, 0 };
	uint32_t count = 0, number = 0;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i), number++) {
		bool is_other = is_unfolded(&unfolding, base, i) != (page->is_open[i] != 0);
		if (tree->nodes[i].child_count == 0 || !is_other)
			continue;
		count++;
		if (numbers != NULL)
			text_format(numbers, ",%" PRIu32, number);
	}
	return count;
}

static void
tell_folds(const struct call_page *page, const struct setting_sink *sink)
{
	enum call_base best = BASE_MAIN;
	uint32_t least = UINT32_MAX;
	struct text value = { 0 };
	for (enum call_base base = BASE_MAIN; base < BASES; base++) {
		uint32_t count = count_others(page, base, NULL);
		if (count >= least)
			continue;
		least = count;
		best = base;
	}
	if (best == BASE_MAIN && least == 0)
		return;
	text_add_string(&value, base_words[best]);
	count_others(page, best, &value);
	if (!value.failed)
		setting_tell(sink, "calls", value.bytes);
	text_release(&value);
}

void
call_page_name_settings(const struct call_page *page, const struct setting_sink *sink)
{
	tell_folds(page, sink);
	if (page->zoomed != 0)
		setting_tell_number(sink, "zoom", number_of(page->tree, page->zoomed));
}

static void
unfold_base(struct call_page *page, enum call_base base)
{
	struct unfolding unfolding = { page, 0 };
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(page->tree, i))
		page->is_open[i] = is_unfolded(&unfolding, base, i);
	page->has_lines = false;
}

/* The nodes with these numbers, which ascend, are the other way; false where they do not. The root stays. */
static bool
toggle_numbers(struct call_page *page, const char *text)
{
	const struct call_tree *tree = page->tree;
	uint32_t node = 0;
	int64_t at = 0, number;
	while (*text == ',') {
		int64_t least = at > 0 ? at : 1;
		if (!setting_read_number(text + 1, least, tree->node_count, &number, &text))
			return false;
		for (; at < number && node != CALL_NONE; at++)
			node = call_tree_next(tree, node);
		if (node == CALL_NONE)
			return false;
		page->is_open[node] = !page->is_open[node];
	}
	return *text == '\0';
}

static bool
set_folds(struct call_page *page, const char *value)
{
	size_t length = strcspn(value, ",");
	for (enum call_base base = BASE_MAIN; base < BASES; base++) {
		if (strlen(base_words[base]) != length ||
			memcmp(base_words[base], value, length) != 0)
			continue;
		unfold_base(page, base);
		return toggle_numbers(page, value + length);
	}
	return false;
}

bool
call_page_set_one(struct call_page *page, const char *setting)
{
	const char *folds = setting_value(setting, "calls");
	int64_t number;
	if (folds != NULL)
		return set_folds(page, folds);
	if (!setting_number(setting, "zoom", 0, page->tree->node_count - 1, &number))
		return false;
	page->zoomed = node_of(page->tree, number);
	return true;
}
