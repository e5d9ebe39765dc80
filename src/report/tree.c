/* A profile as a call graph, in the form of perf's report on standard output. */
#include <inttypes.h>
#include <string.h>

#include "analysis/calltree.h"
#include "base/memory.h"
#include "report/markdown.h"
#include "report/profile.h"
#include "report/profile_words.h"

/* Branches of less than this share are not drawn, as perf does it. */
#define LEAST_PERCENT 0.5

enum { CHAIN_INDENT = 15, BRANCH_INDENT = 11, LONGEST_COMMAND = 15 };

/* What perf puts before functions that are not the kernel's. */
static const char kind_of_symbol[] = "[.] ";

/* A node whose branches are being drawn. */
struct level {
	uint32_t node, next; /* how many of its children were drawn */
	size_t prefix_length;
};

struct report {
	const struct profile_request *request;
	const struct report_options *options;
	const struct trace *trace;
	struct profile profile;
	struct call_tree tree;
	struct text *out;
	struct text prefix;  /* of lines of the graph */
	struct text command; /* safe text */
	size_t object_width, symbol_width;
	struct level *levels;
	size_t level_count, level_capacity;
};

static double
percent_of(const struct report *report, int64_t value)
{
	return profile_percent(value, profile_total(&report->profile));
}

static void
add_name(struct report *report, const struct call_node *node)
{
	text_add_safe(report->out, node->name, node->name_length, report->options->ascii);
	text_add_string(report->out, "\n");
}

/* ---- the graph of one row */

static void
add_prefix(struct report *report)
{
	text_add(report->out, report->prefix.bytes, report->prefix.length);
}

/* Goes down as long as there is but one way, and names what it comes by. */
static uint32_t
follow(struct report *report, uint32_t index)
{
	const struct call_tree *tree = &report->tree;
	while (tree->nodes[index].self == 0 && tree->nodes[index].child_count == 1) {
		index = tree->children[tree->nodes[index].first_child];
		add_prefix(report);
		add_name(report, &tree->nodes[index]);
	}
	return index;
}

static bool
push(struct report *report, uint32_t node, struct error *err)
{
	if (!array_reserve(&report->levels, &report->level_capacity, report->level_count + 1,
		    sizeof(*report->levels), err))
		return false;
	report->levels[report->level_count++] =
		(struct level){ .node = node, .prefix_length = report->prefix.length };
	return true;
}

/* How many children are large enough. */
static uint32_t
count_branches(const struct report *report, uint32_t index)
{
	const struct call_tree *tree = &report->tree;
	const struct call_node *node = &tree->nodes[index];
	uint32_t count = 0;
	while (count < node->child_count &&
		percent_of(report, tree->nodes[tree->children[node->first_child + count]].value) >=
			LEAST_PERCENT)
		count++;
	return count;
}

/* Draws the next branch of a level up to where it parts; *node is that place. */
static void
add_branch(struct report *report, const struct level *level, bool is_last, uint32_t *node)
{
	const struct call_tree *tree = &report->tree;
	uint32_t child = tree->children[tree->nodes[level->node].first_child + level->next];
	add_prefix(report);
	text_format(report->out, "|%*s\n", BRANCH_INDENT - 1, "");
	add_prefix(report);
	text_format(report->out, "%s--%.2f%%--", is_last ? " " : "|",
		percent_of(report, tree->nodes[child].value));
	add_name(report, &tree->nodes[child]);
	text_format(&report->prefix, "%s%*s", is_last ? " " : "|", BRANCH_INDENT - 1, "");
	*node = follow(report, child);
}

static bool
add_graph(struct report *report, uint32_t root, struct error *err)
{
	text_format(report->out, "%*s|\n%*s---", CHAIN_INDENT - 3, "", CHAIN_INDENT - 3, "");
	add_name(report, &report->tree.nodes[root]);
	text_clear(&report->prefix);
	text_format(&report->prefix, "%*s", CHAIN_INDENT, "");
	report->level_count = 0;
	if (!push(report, follow(report, root), err))
		return false;
	while (report->level_count > 0) {
		struct level *level = &report->levels[report->level_count - 1];
		uint32_t branches = count_branches(report, level->node), node;
		report->prefix.length = level->prefix_length;
		if (level->next == branches) {
			report->level_count--;
			continue;
		}
		add_branch(report, level, level->next + 1 == branches, &node);
		level->next++;
		if (!report_flush(report->options, report->out, err) || !push(report, node, err))
			return false;
	}
	text_add_string(report->out, "\n");
	return true;
}

/* ---- rows */

/*
 * The part of a function's name that is its package: all up to the dot behind the last slash. Slices
 * have none.
 */
static size_t
package_length(const struct report *report, const struct call_node *node)
{
	if (report->profile.kind == PROFILE_SLICES)
		return 0;
	size_t length = profile_path_length(node->name, node->name_length);
	const char *dot = memchr(node->name + length, '.', node->name_length - length);
	return dot != NULL ? (size_t)(dot - node->name) : 0;
}

/* The package as safe text, filled up to a width; returns how wide it is itself. */
static size_t
add_package(const struct report *report, const struct call_node *node, size_t width,
	struct text *out)
{
	size_t length = package_length(report, node), start = out->length;
	if (length == 0)
		text_add_string(out, "[unknown]");
	text_add_safe(out, node->name, length, report->options->ascii);
	if (out->failed)
		return 0;
	size_t cells = (size_t)text_width(out->bytes + start, out->length - start);
	text_format(out, "%*s", cells < width ? (int)(width - cells) : 0, "");
	return cells;
}

/* The program, as far as the name of the trace tells it. */
static void
name_command(struct report *report)
{
	const char *name = report->options->file_name;
	name = name != NULL ? name : "-";
	const char *slash = strrchr(name, '/');
	name = slash != NULL ? slash + 1 : name;
	size_t length = strcspn(name, ".");
	for (size_t i = 0, cells = 0; i < length && cells < LONGEST_COMMAND; cells++) {
		size_t step = text_decode(name + i, length - i).length;
		text_add(&report->command, name + i, step);
		i += step;
	}
	if (report->command.length == 0)
		text_add_string(&report->command, "-");
}

static uint32_t
row_count(const struct report *report)
{
	uint32_t count = report->tree.nodes[0].child_count;
	uint64_t limit = report->options->limit;
	return limit > 0 && limit < count ? (uint32_t)limit : count;
}

static void
add_rule(struct report *report, size_t width)
{
	text_add_string(report->out, "  ");
	for (size_t i = 0; i < width; i++)
		text_add_string(report->out, ".");
}

static void
add_heading(struct report *report)
{
	static const char units[] = " KMGTPE";
	uint64_t count = report->profile.sum.count;
	size_t unit = 0;
	for (; count > 1000; count /= 1000)
		unit++;
	size_t command = (size_t)text_width(report->command.bytes, report->command.length);
	size_t command_width = command > 7 ? command : 7;
	text_format(report->out, "#\n# Samples: %" PRIu64 "%c of event '%s'", count, units[unit],
		profile_called(&report->profile));
	profile_request_add_whose(report->request, report->trace->words, report->out);
	text_add_string(report->out, "\n");
	text_format(report->out, "# Event count (approx.): %" PRId64 "\n",
		profile_total(&report->profile));
	profile_add_open(&report->profile, "# ", report->out);
	text_add_string(report->out, "#\n");
	text_format(report->out, "# Overhead  %-*s  %-*s  %-*s\n# ........", (int)command_width,
		"Command", (int)report->object_width, "Shared Object", (int)report->symbol_width,
		"Symbol");
	add_rule(report, command_width);
	add_rule(report, report->object_width);
	add_rule(report, report->symbol_width);
	text_add_string(report->out, "\n#\n");
}

/* How wide the columns are that all rows stand in. */
static void
look_over(struct report *report)
{
	const struct call_tree *tree = &report->tree;
	struct text cell = { 0 };
	name_command(report);
	report->object_width = strlen("Shared Object");
	report->symbol_width = strlen("Symbol");
	for (uint32_t i = 0; i < row_count(report); i++) {
		const struct call_node *node = &tree->nodes[tree->children[i]];
		text_clear(&cell);
		size_t width = add_package(report, node, 0, &cell);
		if (width > report->object_width)
			report->object_width = width;
		text_clear(&cell);
		text_add_string(&cell, kind_of_symbol);
		text_add_safe(&cell, node->name, node->name_length, report->options->ascii);
		width = cell.failed ? 0 : (size_t)text_width(cell.bytes, cell.length);
		if (width > report->symbol_width)
			report->symbol_width = width;
	}
	text_release(&cell);
}

static bool
add_row(struct report *report, uint32_t index, struct error *err)
{
	const struct call_node *node = &report->tree.nodes[index];
	size_t command = (size_t)text_width(report->command.bytes, report->command.length);
	text_format(report->out, "%9.2f%%  ", percent_of(report, node->value));
	text_add(report->out, report->command.bytes, report->command.length);
	text_format(report->out, "%*s  ", command < 7 ? (int)(7 - command) : 0, "");
	add_package(report, node, report->object_width, report->out);
	text_format(report->out, "  %s", kind_of_symbol);
	add_name(report, node);
	return add_graph(report, index, err);
}

static bool
add_text(struct report *report, struct error *err)
{
	bool is_markdown = report->options->format == REPORT_AS_MARKDOWN;
	look_over(report);
	/* No line of it begins with a name, so none can end the code block. */
	if (is_markdown)
		text_add_string(report->out, "## Call graph\n\n" MARKDOWN_FENCE_BEGIN);
	add_heading(report);
	for (uint32_t i = 0; i < row_count(report); i++)
		if (!add_row(report, report->tree.children[i], err) ||
			!report_flush(report->options, report->out, err))
			return false;
	text_add_string(report->out, is_markdown ? MARKDOWN_FENCE_END : "");
	return true;
}

bool
report_tree(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = {
		.request = request, .options = options, .trace = trace, .out = out
	};
	if (!report_is_for_people(options->format))
		return profile_print_analysis("tree", trace, request, options, out, err);
	if (!profile_request_build(request, trace, &report.profile, err))
		return false;
	if (options->ascii)
		measure_make_ascii(&report.profile.measure);
	/* What perf prints at first is where time went, with the callers below it. */
	bool is_fine = call_tree_build(&report.tree, &report.profile, !request->is_inverted, err);
	is_fine = is_fine && add_text(&report, err);
	if (is_fine && (out->failed || report.prefix.failed || report.command.failed))
		is_fine = error_set_memory(err, "the call graph");
	text_release(&report.prefix);
	text_release(&report.command);
	memory_free(report.levels);
	call_tree_release(&report.tree);
	profile_release(&report.profile);
	return is_fine;
}
