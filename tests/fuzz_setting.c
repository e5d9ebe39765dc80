/*
 * Any text as what a page of a profile is to be: as the name of the profile, which is read and
 * written again, and, line by line, as settings of a tree of calls, which are told as others that lead
 * to the same.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/profile_request.h"
#include "view/call_page.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/setting", NULL } };

enum { TEXT_BYTES = 600, NODES = 9 };

static void
check_choice(const char *parameter)
{
	const struct analysis_scope all = { .actor = REF_NONE, .task = REF_NONE };
	struct profile_request request = { 0 };
	struct text once = { 0 }, twice = { 0 };
	if (profile_request_read(&request, parameter, &all)) {
		profile_request_add(&once, &request);
		must(profile_request_read(&request, text_string(&once), &all), "what is written can be read");
		profile_request_add(&twice, &request);
		must(strcmp(text_string(&once), text_string(&twice)) == 0, "it is written as the same again");
	}
	profile_request_release(&request);
	text_release(&once);
	text_release(&twice);
}

/* A root with two calls, each of them with a call and that with two. */
static void
grow(struct call_tree *tree, struct call_node nodes[NODES], uint32_t children[NODES - 1])
{
	static const uint32_t parents[NODES] = { CALL_NONE, 0, 0, 1, 2, 3, 3, 4, 4 };
	*tree = (struct call_tree){ nodes, children, NODES };
	uint32_t count = 0;
	for (uint32_t i = 0; i < NODES; i++) {
		nodes[i] = (struct call_node){ .parent = parents[i], .first_child = count,
			.name = "", .value = NODES - i };
		nodes[i].depth = i == 0 ? 0 : nodes[parents[i]].depth + 1;
		for (uint32_t child = i + 1; child < NODES; child++) {
			if (parents[child] != i)
				continue;
			children[count++] = child;
			nodes[i].child_count++;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		nodes[children[i]].position = i;
}

static void
set_again(void *context, const char *setting)
{
	must(call_page_set_one(context, setting), "what is told can be set");
}

static void
check_same(const struct call_page *page, const struct call_page *again)
{
	must(page->zoomed == again->zoomed, "the same is zoomed into");
	for (uint32_t i = 0; i < NODES; i++) {
		bool has_calls = page->tree->nodes[i].child_count > 0;
		must(!has_calls || page->is_open[i] == again->is_open[i], "the same is unfolded");
	}
}

static void
check_settings(char *text)
{
	struct call_node nodes[NODES];
	uint32_t children[NODES - 1];
	struct call_tree tree;
	struct call_page page = { 0 }, again = { 0 };
	struct setting_sink sink = { set_again, &again };
	struct error err;
	char *rest = text;
	error_clear(&err);
	grow(&tree, nodes, children);
	if (call_page_set(&page, &tree, &err) && call_page_set(&again, &tree, &err)) {
		for (char *line = strtok_r(text, "\n", &rest); line != NULL;
			line = strtok_r(NULL, "\n", &rest))
			call_page_set_one(&page, line);
		must(page.zoomed < NODES, "there is what is zoomed into");
		call_page_name_settings(&page, &sink);
		check_same(&page, &again);
	}
	call_page_release(&page);
	call_page_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char text[TEXT_BYTES + 1] = { 0 };
	memcpy(text, bytes, size < TEXT_BYTES ? size : TEXT_BYTES);
	check_choice(text);
	check_settings(text);
	return 0;
}
