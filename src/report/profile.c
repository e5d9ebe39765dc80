/* What all forms of a profile begin with, and the plainest form. */
#include "report/profile.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/calltree.h"
#include "analysis/registry.h"
#include "base/memory.h"
#include "report/profile_words.h"
#include "report/result.h"

bool
profile_print_analysis(const char *name, const struct trace *trace,
	const struct profile_request *request, const struct report_options *options,
	struct text *out, struct error *err)
{
	const struct analysis_work work = {
		.kind = registry_find(name, strlen(name)),
		.scope = { .actor = request->scope.actor,
			.task = request->scope.task,
			.function = request->scope.function,
			.region = request->scope.region },
		.parameter = request,
	};
	return report_result(trace, &work, options, out, err);
}

void
profile_add_open(const struct profile *profile, const char *before, struct text *out)
{
	char open[PROFILE_WORD];
	const struct profile_entry *sum = &profile->sum;
	if (sum->open_count == 0)
		return;
	profile_value_word(open, profile_unit_choose(profile->kind, sum->open_ns, sum->ns),
		sum->open_ns);
	text_format(out, "%sNot ended: %s in %" PRIu64 " wait%s\n", before, open, sum->open_count,
		sum->open_count == 1 ? "" : "s");
}

/* What parts the functions of a stack must not stand within a name. */
static void
add_folded_name(struct text *out, const struct call_node *node, bool ascii)
{
	size_t start = out->length;
	text_add_safe(out, node->name, node->name_length, ascii);
	for (size_t i = start; i < out->length; i++)
		if (out->bytes[i] == ';')
			out->bytes[i] = ':';
}

/* The functions that lead to a node, outermost first. */
struct path {
	struct text text;
	size_t *ends; /* by depth, of the function there; that of the root is 0 */
	size_t capacity;
};

static bool
follow_path(struct path *path, const struct call_node *node, bool ascii, struct error *err)
{
	if (!array_reserve(&path->ends, &path->capacity, (size_t)node->depth + 1,
		    sizeof(*path->ends), err))
		return false;
	path->ends[0] = 0;
	path->text.length = path->ends[node->depth - 1];
	if (node->depth > 1)
		text_add_string(&path->text, ";");
	add_folded_name(&path->text, node, ascii);
	path->ends[node->depth] = path->text.length;
	return true;
}

static bool
add_folded(const struct call_tree *tree, const int64_t *before_self, struct path *path,
	const struct report_options *options, struct text *out, struct error *err)
{
	for (uint32_t i = call_tree_next(tree, 0); i != CALL_NONE; i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		if (!follow_path(path, node, options->ascii, err))
			return false;
		if (node->self == 0 && (before_self == NULL || before_self[i] == 0))
			continue;
		text_add(out, path->text.bytes, path->text.length);
		if (before_self != NULL)
			text_format(out, " %" PRId64, before_self[i]);
		text_format(out, " %" PRId64 "\n", node->self);
		if (!report_flush(options, out, err))
			return false;
	}
	return !(out->failed || path->text.failed) || error_set_memory(err, "the folded stacks");
}

bool
profile_add_folded(const struct call_tree *tree, const int64_t *before_self,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct path path = { 0 };
	bool is_fine = add_folded(tree, before_self, &path, options, out, err);
	text_release(&path.text);
	memory_free(path.ends);
	return is_fine;
}

bool
report_folded(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct profile profile;
	struct call_tree tree;
	if (!profile_request_build(request, trace, &profile, err))
		return false;
	bool is_fine = call_tree_build(&tree, trace, &profile, request->is_inverted, err);
	profile_release(&profile);
	if (!is_fine)
		return false;
	is_fine = profile_add_folded(&tree, NULL, options, out, err);
	call_tree_release(&tree);
	return is_fine;
}
