/* Lays the call tree out in rows of boxes. */
#include "report/flamegraph.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/calltree.h"
#include "analysis/diff_states.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/units.h"
#include "report/flamegraph_internal.h"
#include "report/profile_words.h"
#include "report/words.h"

/* In pixels. */
enum { WIDTH = 1200, SIDE = 10, TOP = 52, BOTTOM = 34, ROW = 17, BOX = 16, BASELINE = 12 };
#define CHARACTER 7.25
enum { LEAST_TEXT = 3 };

static const char style[] =
	"text { font-family: ui-monospace, monospace; font-size: 12px; fill: #1c1917; }\n"
	"#title { font-size: 17px; text-anchor: middle; }\n"
	"#subtitle { text-anchor: middle; fill: #57534e; }\n"
	"#matched, #search { text-anchor: end; }\n"
	"#search, #reset { cursor: pointer; fill: #1d4ed8; visibility: hidden; }\n"
	".live #search, .live #reset { visibility: visible; }\n"
	".live #frames > g { cursor: pointer; }\n"
	"#frames text { pointer-events: none; }\n"
	"#frames rect { stroke: #fafaf9; stroke-width: 0.5; }\n"
	"#frames > g:hover > rect { stroke: #1c1917; stroke-width: 1; }\n"
	"#frames > g.around { opacity: 0.55; }\n"
	"#frames > g.found > rect { fill: #c026d3; }\n"
	"#frames > g.found > text { fill: #ffffff; }\n"
	".live .hidden, .hidden { display: none; }\n";

struct report {
	const struct flamegraph *graph;
	const struct report_options *options;
	const struct call_tree *tree;
	uint64_t most_changed; /* of a difference, how much the node changed that did most */
	int64_t *start; /* of each node's box, in the profile's unit */
	int64_t whole;  /* width of the root's */
	uint32_t deepest;
	struct text name; /* of a box, safe text */
	struct text *out;
};

/* ---- differences */

static uint64_t
changed_by(const struct report *report, uint32_t index)
{
	const struct flamegraph *graph = report->graph;
	return graph->before == NULL
		       ? 0
		       : diff_distance(graph->before[index], report->tree->nodes[index].value);
}

/* Red for more than before, blue for less, the paler the less it changed. */
static void
add_change_color(struct report *report, uint32_t index)
{
	uint64_t change = changed_by(report, index);
	bool is_more = report->tree->nodes[index].value > report->graph->before[index];
	/* The root may have changed more than all functions. */
	double share = change < report->most_changed
			       ? (double)change / (double)report->most_changed
			       : 1;
	unsigned pale = (unsigned)(225 - 150 * share);
	if (change == 0)
		text_add_string(report->out, "#e7e5e4");
	else
		text_format(report->out, "#%02x%02x%02x", is_more ? 240 : pale, pale,
			is_more ? pale : 240);
}

/* ---- layout */

static void
lay_out(struct report *report)
{
	const struct call_tree *tree = report->tree;
	report->whole = tree->nodes[0].value > 0 ? tree->nodes[0].value : 1;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		const struct call_node *node = &tree->nodes[i];
		int64_t start = report->start[i];
		for (uint32_t n = 0; n < node->child_count; n++) {
			uint32_t child = tree->children[node->first_child + n];
			report->start[child] = start;
			start = saturating_add_i64(start, tree->nodes[child].value);
		}
		if (node->depth > report->deepest)
			report->deepest = node->depth;
		uint64_t change = changed_by(report, i);
		if (node->depth > 0 && change > report->most_changed)
			report->most_changed = change;
	}
}

static int
row_y(const struct report *report, uint32_t depth)
{
	uint32_t row = report->graph->is_inverted ? depth : report->deepest - depth;
	return TOP + (int)row * ROW;
}

static bool
is_warm(enum profile_kind kind)
{
	return kind == PROFILE_CPU || kind == PROFILE_SAMPLES;
}

/* What follows a value that does not have its unit. */
static const char *
unit_of(const struct report *report)
{
	const struct measure *measure = &report->graph->measure;
	return measure_is_count(measure) ? " samples" : "";
}

/* Warm for what runs, cold for what waits; names have shades of their own, always the same. */
static void
add_color(struct report *report, uint32_t index)
{
	const struct call_node *node = &report->tree->nodes[index];
	if (report->graph->before != NULL) {
		add_change_color(report, index);
		return;
	}
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < node->name_length; i++)
		hash = (hash ^ (unsigned char)node->name[i]) * 16777619u;
	unsigned one = hash % 41, other = hash / 41 % 61;
	if (is_warm(report->graph->kind))
		text_format(report->out, "#%02x%02x%02x", 214 + one, 110 + other, 60 + one);
	else
		text_format(report->out, "#%02x%02x%02x", 110 + one, 170 + other, 205 + one);
}

/* ---- boxes */

/* Where so many characters of safe text end; its whole length if it has no more. */
static size_t
end_of(const char *safe, size_t length, size_t characters)
{
	size_t at = 0;
	for (; at < length && characters > 0; characters--)
		at += text_decode(safe + at, length - at).length;
	return at;
}

/* As much of the name as there is room for; as the script does it. */
static void
add_fitting(struct report *report, double width)
{
	size_t most = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
	const char *name = report->name.bytes;
	size_t length = report->name.length;
	if (most < LEAST_TEXT)
		return;
	if (end_of(name, length, most) < length) {
		size_t path = profile_path_length(name, length);
		name += path;
		length -= path;
	}
	bool is_whole = end_of(name, length, most) == length;
	text_add_xml(report->out, name, is_whole ? length : end_of(name, length, most - 2));
	if (!is_whole)
		text_add_string(report->out, "..");
}

/*
 * Samples without a time are told as flamegraph.pl and inferno tell them, so that whoever reads those
 * reads this, and exactly.
 */
static bool
is_exact(const struct report *report)
{
	const struct flamegraph *graph = report->graph;
	return graph->kind == PROFILE_SAMPLES && graph->before == NULL && graph->measure.decimals == 0 &&
	       graph->tree->nodes[0].value >= 0;
}

static void
value_word(const struct report *report, char out[PROFILE_WORD], int64_t value)
{
	profile_value_word(
		out, profile_unit_choose(&report->graph->measure, value, value), value);
}

/* "; +1.2ms" */
static void
add_change(struct report *report, uint32_t index)
{
	char change[PROFILE_WORD];
	if (report->graph->before == NULL)
		return;
	uint64_t distance = changed_by(report, index);
	value_word(report, change, (int64_t)distance);
	bool is_more = report->tree->nodes[index].value > report->graph->before[index];
	text_format(report->out, "; %s%s", distance == 0 ? "" : is_more ? "+" : "-", change);
}

static void
add_title(struct report *report, uint32_t index)
{
	const struct call_node *node = &report->tree->nodes[index];
	char value[PROFILE_WORD], share[PROFILE_WORD];
	value_word(report, value, node->value);
	profile_share_word(share, node->value, report->graph->total);
	text_add_string(report->out, "<title>");
	text_add_xml(report->out, report->name.bytes, report->name.length);
	if (is_exact(report)) {
		units_count(value, (uint64_t)node->value);
		text_format(report->out, " (%s ", value);
		const char *unit = report->graph->measure.plain_unit;
		unit = unit[0] != '\0' ? unit : measure_samples.unit;
		text_add_xml(report->out, unit, strlen(unit));
		text_format(report->out, ", %s", share + strspn(share, " "));
	} else {
		text_format(report->out, " (%s%s, %s", value, unit_of(report),
			share + strspn(share, " "));
	}
	add_change(report, index);
	text_add_string(report->out, ")</title>");
}

static void
add_box(struct report *report, uint32_t index)
{
	const struct call_node *node = &report->tree->nodes[index];
	double start = (double)report->start[index] / (double)report->whole;
	double share = (double)node->value / (double)report->whole;
	int y = row_y(report, node->depth);
	text_clear(&report->name);
	if (index == 0)
		text_add_string(&report->name, "all");
	else
		text_add_safe(&report->name, node->name, node->name_length, report->options->ascii);
	text_add_string(report->out, "<g data-name=\"");
	text_add_xml(report->out, report->name.bytes, report->name.length);
	text_format(report->out,
		"\" data-start=\"%" PRId64 "\" data-value=\"%" PRId64 "\" data-depth=\"%" PRIu32
		"\">",
		report->start[index], node->value, node->depth);
	add_title(report, index);
	text_format(report->out, "<rect x=\"%.4f%%\" y=\"%d\" width=\"%.4f%%\" height=\"%d\" fill=\"",
		start * 100, y, share * 100, BOX);
	add_color(report, index);
	if (is_exact(report))
		text_format(report->out, "\" fg:x=\"%" PRId64 "\" fg:w=\"%" PRId64, report->start[index],
			node->value);
	text_format(report->out, "\"/><text x=\"%.4f%%\" y=\"%d\" dx=\"3\">", start * 100, y + BASELINE);
	add_fitting(report, share * (WIDTH - 2 * SIDE));
	text_add_string(report->out, "</text></g>\n");
}

/* ---- the file */

/* ", before 12ms of old.trace" */
static void
add_words_before(struct report *report)
{
	const struct flamegraph *graph = report->graph;
	char value[PROFILE_WORD];
	if (graph->before == NULL)
		return;
	value_word(report, value, graph->before[0]);
	text_format(report->out, ", before %s of ", value);
	text_add_xml(report->out, graph->before_name, strlen(graph->before_name));
}

static void
add_words(struct report *report)
{
	static const char *const kinds[] = {
		[PROFILE_NET] = "Blocked on the network",
		[PROFILE_SYNC] = "Blocked on synchronisation",
		[PROFILE_SYSCALL] = "In system calls",
		[PROFILE_SCHED] = "Ready to run",
		[PROFILE_CPU] = "CPU samples",
		[PROFILE_OFFCPU] = "Off the CPU",
		[PROFILE_SLICES] = "Own time of slices",
		[PROFILE_SAMPLES] = NULL,
	};
	const struct flamegraph *graph = report->graph;
	const char *file = words_file(report->options);
	char value[PROFILE_WORD];
	value_word(report, value, report->tree->nodes[0].value);
	text_format(report->out, "<text id=\"title\" x=\"%d\" y=\"22\">", WIDTH / 2);
	if (graph->kind == PROFILE_SAMPLES)
		text_add_xml(report->out, graph->measure.name, strlen(graph->measure.name));
	else
		text_add_string(report->out, kinds[graph->kind]);
	profile_request_add_whose(report->graph->request, report->graph->words, report->out);
	text_add_string(report->out, "</text>\n");
	text_format(report->out, "<text id=\"subtitle\" x=\"%d\" y=\"41\">%s%s of ", WIDTH / 2, value,
		unit_of(report));
	text_add_xml(report->out, file, strlen(file));
	if (report->graph->open_ns > 0) {
		value_word(report, value, report->graph->open_ns);
		text_format(report->out, ", %s not ended", value);
	}
	add_words_before(report);
	text_add_string(report->out, "</text>\n");
}

static void
begin_file(struct report *report, int height)
{
	text_format(report->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<style>\n%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fafaf9\"/>\n",
		WIDTH, height, WIDTH, height, style);
	add_words(report);
	text_format(report->out,
		"<text id=\"reset\" x=\"%d\" y=\"22\" class=\"hidden\">Reset zoom</text>\n"
		"<text id=\"search\" x=\"%d\" y=\"22\">Search</text>\n"
		"<text id=\"details\" x=\"%d\" y=\"%d\"> </text>\n"
		"<text id=\"matched\" x=\"%d\" y=\"%d\"> </text>\n",
		SIDE, WIDTH - SIDE, SIDE, height - 12, WIDTH - SIDE, height - 12);
}

static bool
add_file(struct report *report, struct error *err)
{
	const struct call_tree *tree = report->tree;
	int height = TOP + ((int)report->deepest + 1) * ROW + BOTTOM;
	begin_file(report, height);
	text_format(report->out, "<svg id=\"frames\" x=\"%d\" width=\"%d\" height=\"%d\"", SIDE,
		WIDTH - 2 * SIDE, height);
	if (is_exact(report))
		text_format(report->out, " xmlns:fg=\"http://github.com/jonhoo/inferno\" total_samples=\"%" PRId64
			"\"", tree->nodes[0].value);
	text_add_string(report->out, ">\n");
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		add_box(report, i);
		if (!report_flush(report->options, report->out, err))
			return false;
	}
	text_format(report->out, "</svg>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
		flamegraph_script);
	return true;
}

bool
flamegraph_write(const struct flamegraph *graph, const struct report_options *options,
	struct text *out, struct error *err)
{
	struct report report = {
		.graph = graph, .options = options, .tree = graph->tree, .out = out
	};
	report.start = array_new(graph->tree->node_count, sizeof(*report.start), err);
	bool is_fine = report.start != NULL;
	if (is_fine) {
		lay_out(&report);
		is_fine = add_file(&report, err);
	}
	if (is_fine && (out->failed || report.name.failed))
		is_fine = error_set_memory(err, "the flame graph");
	text_release(&report.name);
	memory_free(report.start);
	return is_fine;
}

bool
report_flamegraph(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct profile profile;
	struct call_tree tree;
	if (!profile_request_build(request, trace, &profile, err))
		return false;
	if (options->ascii)
		measure_make_ascii(&profile.measure);
	struct flamegraph graph = {
		.kind = profile.kind,
		.measure = profile.measure,
		.request = request,
		.words = trace->words,
		.tree = &tree,
		.is_inverted = request->is_inverted,
		.total = profile_total(&profile),
		.open_ns = profile.sum.open_ns,
	};
	bool is_fine = call_tree_build(&tree, &profile, request->is_inverted, err);
	profile_release(&profile);
	if (!is_fine)
		return false;
	is_fine = flamegraph_write(&graph, options, out, err);
	call_tree_release(&tree);
	return is_fine;
}
