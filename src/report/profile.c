/* What all forms of a profile begin with, and the plainest form. */
#include "report/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calltree.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/memory.h"
#include "report/profile_words.h"
#include "report/result.h"
#include "trace/sample_set.h"

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
		.beneath = request->scope.beneath,
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
	profile_value_word(open, profile_unit_choose(&profile->measure, sum->open_ns, sum->ns),
		sum->open_ns);
	text_format(out, "%sNot ended: %s in %" PRIu64 " wait%s\n", before, open, sum->open_count,
		sum->open_count == 1 ? "" : "s");
}

/* What parts the functions of a stack must not stand within a name. */
static void
add_safe_name(struct text *out, const struct call_node *node, bool ascii)
{
	size_t start = out->length;
	text_add_safe(out, node->name, node->name_length, ascii);
	for (size_t i = start; i < out->length; i++)
		if (out->bytes[i] == ';')
			out->bytes[i] = ':';
}

static void
add_name(struct text *out, const struct call_node *node)
{
	add_safe_name(out, node, false);
}

static void
add_ascii_name(struct text *out, const struct call_node *node)
{
	add_safe_name(out, node, true);
}

/* The functions that lead to a node, outermost first. */
struct path {
	struct text text;
	size_t *ends; /* by depth, of the function there; that of the root is 0 */
	size_t capacity;
};

static bool
follow_path(struct path *path, const struct call_node *node,
	void (*put_name)(struct text *out, const struct call_node *node), struct error *err)
{
	if (!array_reserve(&path->ends, &path->capacity, (size_t)node->depth + 1,
		    sizeof(*path->ends), err))
		return false;
	path->ends[0] = 0;
	path->text.length = path->ends[node->depth - 1];
	if (node->depth > 1)
		text_add_string(&path->text, ";");
	put_name(&path->text, node);
	path->ends[node->depth] = path->text.length;
	return true;
}

static bool
add_folded(const struct call_tree *tree, const int64_t *before_self, struct path *path,
	const struct report_options *options, struct text *out, struct error *err)
{
	for (uint32_t i = call_tree_next(tree, 0); i != CALL_NONE; i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		if (!follow_path(path, node, options->ascii ? add_ascii_name : add_name, err))
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

/* ---- of samples: sorted by stack, names as they are */

struct line {
	size_t from, length; /* of the stack in the text; once all is there: */
	const char *stack;
	int64_t value;
};

struct lines {
	struct text text;
	struct line *items;
	size_t count, item_capacity;
	stack_id *path;
	size_t path_capacity;
};

/* A name may hold what parts functions, or lines. */
static void
add_raw_name(struct text *out, const char *name, size_t length)
{
	size_t start = out->length;
	text_add(out, name, length);
	for (size_t i = start; i < out->length && !out->failed; i++) {
		char *byte = &out->bytes[i];
		*byte = *byte == ';' ? ':' : *byte == '\n' || *byte == '\r' ? ' ' : *byte;
	}
}

static void
add_function(struct text *out, const struct trace *trace, stack_id stack)
{
	size_t length;
	const char *name = trace_text(trace, stack_leaf(&trace->stacks, stack)->function, &length);
	add_raw_name(out, name, length);
}

/* By the rules of the samples: what is left out leaves no semicolon. */
static void
add_by_rules(struct text *out, const struct trace *trace, string_id task, stack_id stack)
{
	size_t length, task_length, before = out->length;
	const char *name = trace_text(trace, stack_leaf(&trace->stacks, stack)->function, &length);
	const char *task_name = trace_text(trace, task, &task_length);
	text_add_string(out, ";");
	if (!trace->samples->fold->add_name(out, name, length, task_name, task_length))
		out->length = before;
}

/* A stack that weighs something, of a task where the samples' rules name that. */
struct weighed {
	string_id task;
	stack_id stack;
	int64_t value;
};

/* The functions of a stack, outermost first, or the other way round. */
static bool
add_stack(struct lines *lines, const struct trace *trace, const struct weighed *weighed,
	bool is_inverted, struct error *err)
{
	struct text *out = &lines->text;
	bool has_rules = trace->samples->fold != NULL;
	size_t depth = 0;
	for (stack_id at = weighed->stack; at != STACK_NONE; at = stack_caller(&trace->stacks, at)) {
		if (!array_reserve(&lines->path, &lines->path_capacity, depth + 1, sizeof *lines->path, err))
			return false;
		lines->path[depth++] = at;
	}
	if (has_rules) {
		size_t length;
		const char *task = trace_text(trace, weighed->task, &length);
		trace->samples->fold->add_task(out, task, length);
	}
	for (size_t i = 0; i < depth; i++) {
		stack_id at = lines->path[is_inverted ? i : depth - 1 - i];
		if (has_rules) {
			add_by_rules(out, trace, weighed->task, at);
			continue;
		}
		text_add_string(out, i == 0 ? "" : ";");
		add_function(out, trace, at);
	}
	return true;
}

static bool
add_weighed(struct lines *lines, const struct trace *trace, const struct weighed *weighed,
	bool is_inverted, struct error *err)
{
	size_t from = lines->text.length;
	if (weighed->stack == STACK_NONE)
		return true;
	if (!array_reserve(&lines->items, &lines->item_capacity, lines->count + 1, sizeof *lines->items, err) ||
		!add_stack(lines, trace, weighed, is_inverted, err))
		return false;
	lines->items[lines->count++] = (struct line){
		.from = from, .length = lines->text.length - from, .value = weighed->value };
	return true;
}

static int
compare_weighed(const void *left, const void *right)
{
	const struct weighed *a = left, *b = right;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

static string_id
task_of(const struct trace *trace, size_t sample)
{
	for (size_t i = 0; i < sample_set_label_count(trace->samples, sample); i++) {
		struct sample_label label = sample_set_label(trace->samples, sample, i);
		if (trace_text_is(trace, label.key, trace->samples->fold->key))
			return label.text;
	}
	return STRING_EMPTY;
}

/* The samples of the profile, each with its task; of one that no filter left anything out of but stacks. */
static bool
weigh_samples(struct weighed *weighed, size_t *count, const struct trace *trace,
	const struct profile *profile, const struct profile_scope *scope, struct error *err)
{
	const struct sample_set *set = trace->samples;
	struct profile_choice *choice = profile_choice_new(trace, scope, err);
	bool *is_left = array_new(stack_count(&trace->stacks), sizeof *is_left, err);
	bool is_fine = choice != NULL && is_left != NULL;
	for (uint32_t i = 0; is_fine && i < profile->entry_count; i++)
		is_left[profile->entries[i].stack] = true;
	for (size_t i = 0; is_fine && i < set->count; i++) {
		if (!sample_set_is_of(set, i, scope->type) || !is_left[set->stacks[i]] ||
			!profile_choice_has(choice, i))
			continue;
		weighed[(*count)++] = (struct weighed){ task_of(trace, i), set->stacks[i],
			sample_set_weight(set, i, scope->type) };
	}
	profile_choice_free(choice);
	memory_free(is_left);
	return is_fine;
}

static bool
gather_by_task(struct lines *lines, const struct trace *trace, const struct profile *profile,
	const struct profile_request *request, struct error *err)
{
	struct weighed *weighed = array_new_unset(trace->samples->count, sizeof *weighed, err);
	size_t count = 0;
	bool is_fine = weighed != NULL &&
		       weigh_samples(weighed, &count, trace, profile, &request->scope, err);
	if (is_fine && count > 0)
		qsort(weighed, count, sizeof *weighed, compare_weighed);
	for (size_t i = 0; is_fine && i < count;) {
		struct weighed sum = weighed[i];
		for (i++; i < count && compare_weighed(&sum, &weighed[i]) == 0; i++)
			sum.value = saturating_add_i64(sum.value, weighed[i].value);
		is_fine = add_weighed(lines, trace, &sum, request->is_inverted, err);
	}
	memory_free(weighed);
	return is_fine;
}

static bool
gather_lines(struct lines *lines, const struct trace *trace, const struct profile *profile,
	const struct profile_request *request, struct error *err)
{
	bool is_fine = true;
	if (trace->samples->fold != NULL)
		is_fine = gather_by_task(lines, trace, profile, request, err);
	else
		for (uint32_t i = 0; is_fine && i < profile->entry_count; i++)
			is_fine = add_weighed(lines, trace,
				&(struct weighed){ STRING_EMPTY, profile->entries[i].stack,
					profile->entries[i].ns },
				request->is_inverted, err);
	return is_fine && (!lines->text.failed || error_set_memory(err, "the folded stacks"));
}

static int
compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	return text_compare(a->stack, a->length, b->stack, b->length);
}

static bool
add_lines(struct lines *lines, int decimals, bool keeps_zeros,
	const struct report_options *options, struct text *out, struct error *err)
{
	for (size_t i = 0; i < lines->count; i++)
		lines->items[i].stack = lines->text.bytes + lines->items[i].from;
	if (lines->count > 0)
		qsort(lines->items, lines->count, sizeof *lines->items, compare_lines);
	for (size_t i = 0; i < lines->count;) {
		const struct line *line = &lines->items[i];
		int64_t value = 0;
		/* Places within functions differ, names do not. */
		for (; i < lines->count && compare_lines(line, &lines->items[i]) == 0; i++)
			value = saturating_add_i64(value, lines->items[i].value);
		if (value == 0 && !keeps_zeros)
			continue;
		if (options->is_terminal)
			text_add_safe(out, line->stack, line->length, options->ascii);
		else
			text_add(out, line->stack, line->length);
		text_add_string(out, " ");
		amount_add_plain(out, value, decimals);
		text_add_string(out, "\n");
		if (!report_flush(options, out, err))
			return false;
	}
	return !out->failed || error_set_memory(err, "the folded stacks");
}

/* For other tools, which look names up in files and compare them: no byte of them is changed. */
static bool
add_sorted(const struct trace *trace, const struct profile *profile,
	const struct profile_request *request, const struct report_options *options, struct text *out, struct error *err)
{
	struct lines lines = { .count = 0 };
	bool is_fine = gather_lines(&lines, trace, profile, request, err) &&
		       add_lines(&lines, profile->measure.decimals, trace->samples->keeps_zeros,
			       options, out, err);
	text_release(&lines.text);
	memory_free(lines.items);
	memory_free(lines.path);
	return is_fine;
}

bool
report_folded(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct profile profile;
	struct call_tree tree;
	struct profile_request whole = *request;
	whole.scope.with_dropped = true;
	if (!profile_request_build(&whole, trace, &profile, err))
		return false;
	if (profile.kind == PROFILE_SAMPLES) {
		bool was_written = profile_request_settle(&whole, trace, err) &&
				   add_sorted(profile.trace, &profile, &whole, options, out, err);
		profile_release(&profile);
		return was_written;
	}
	bool is_fine = call_tree_build(&tree, &profile, request->is_inverted, err);
	profile_release(&profile);
	if (!is_fine)
		return false;
	is_fine = profile_add_folded(&tree, NULL, options, out, err);
	call_tree_release(&tree);
	return is_fine;
}
