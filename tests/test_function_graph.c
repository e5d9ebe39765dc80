/*
 * function_graph: the inputs of testdata against what an independent reader counted, and the same
 * calls in other dress: every set of columns, cut, shuffled, twice, in one line.
 */
#include "base_testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/text.h"
#include "graphtesting.h"
#include "jsonread.h"
#include "oraclefile.h"
#include "source/common/ftrace_head.h"
#include "source/function_graph/line.h"
#include "source/function_graph/recognise.h"
#include "trace/slices.h"

static const char *const inputs[] = { "abstime-proc", "cut", "latency", "lost", "plain",
	"retval-args", "trace-cmd" };

static void
read_file(const char *name, const char *suffix, struct text *text)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/function_graph/%s%s", getenv("TTRACE_TESTDATA"), name, suffix);
	*text = (struct text){ 0 };
	assert_true(oraclefile_read(path, text));
}

/* Reads it, and checks what must hold of every graph. */
static struct fgraph
read_text(const char *row, const char *bytes, size_t size, size_t piece_bytes)
{
	struct fgraph graph;
	struct error err;
	error_clear(&err);
	if (!graphtesting_read(&graph, bytes, size, piece_bytes, &err))
		fail_msg("%s: %s", row, err.message);
	const char *fault = graphtesting_fault(&graph);
	if (fault != NULL)
		fail_msg("%s: %s", row, fault);
	return graph;
}

static struct fgraph
read_string(const char *string)
{
	return read_text(string, string, strlen(string), 0);
}

/* ---- against the oracle */

/* The text of a JSON string or number, without quotes; none of ours has escapes. */
static void
slice_text(struct jsonslice slice, char *out, size_t size)
{
	bool is_string = slice.length >= 2 && slice.bytes[0] == '"';
	snprintf(out, size, "%.*s", (int)(slice.length - (is_string ? 2 : 0)),
		slice.bytes + (is_string ? 1 : 0));
}

static int64_t
number_of(const char *row, struct jsonslice object, const char *key)
{
	struct jsonslice value;
	if (!jsonread_find(object, key, &value))
		fail_msg("%s: the oracle has no %s", row, key);
	return value.bytes[0] == 't' ? 1 : jsonslice_number(value);
}

static void
check_number(const char *row, const char *what, uint64_t got, int64_t wanted)
{
	if ((int64_t)got != wanted)
		fail_msg("%s: %s is %" PRIu64 ", not %" PRId64, row, what, got, wanted);
}

static void
check_counts(const char *row, const struct fgraph_counts *counts, struct jsonslice oracle)
{
	const struct {
		const char *key;
		uint64_t got;
	} rows[] = {
		{ "records", counts->records },
		{ "headers", counts->notes },
		{ "blank", counts->blank },
		{ "spans", counts->spans },
		{ "leaves", counts->leaves },
		{ "nested", counts->nested },
		{ "orphan_exits", counts->orphan_exits },
		{ "cut_entries", counts->cut_entries },
		{ "open_at_end", counts->open_at_end },
		{ "switches", counts->switches },
		{ "irq_enter", counts->irq_enter },
		{ "irq_exit", counts->irq_exit },
		{ "events", counts->events },
		{ "marks", counts->marks },
		{ "lost_records", counts->lost_records },
		{ "lost_events", counts->lost_events },
		{ "damaged", counts->damaged },
		{ "max_depth", counts->max_depth },
		{ "one_line", counts->is_one_line },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_number(row, rows[i].key, rows[i].got, number_of(row, oracle, rows[i].key));
}

static void
check_functions(const char *row, const struct fgraph *graph, struct jsonslice oracle)
{
	struct jsonslice functions, name, wanted;
	assert_true(jsonread_find(oracle, "functions", &functions));
	struct jsonread in = jsonread_over(functions);
	size_t count = 0;
	struct slice_times times;
	struct error err = { 0 };
	assert_true(graphtesting_functions(graph, &times, &err));
	while (jsonread_member(&in, &name, &wanted)) {
		size_t id = 0, length;
		for (; id < times.count; id++) {
			const char *text = intern_text(&graph->strings, times.rows[id].name, &length);
			if (length == name.length - 2 && memcmp(text, name.bytes + 1, length) == 0)
				break;
		}
		if (id == times.count)
			fail_msg("%s: %.*s is missing", row, (int)name.length, name.bytes);
		const struct slice_time *time = &times.rows[id];
		check_number(row, "calls", time->calls, number_of(row, wanted, "calls"));
		check_number(row, "total", (uint64_t)time->total_ns, number_of(row, wanted, "total_ns"));
		check_number(row, "self", (uint64_t)time->self_ns, number_of(row, wanted, "self_ns"));
		check_number(row, "min", (uint64_t)time->shortest_ns, number_of(row, wanted, "min_ns"));
		check_number(row, "max", (uint64_t)time->longest_ns, number_of(row, wanted, "max_ns"));
		check_number(row, "partial", time->partial, number_of(row, wanted, "partial"));
		count++;
	}
	check_number(row, "functions", times.count, (int64_t)count);
	slice_times_release(&times);
}

static void
check_lanes(const char *row, const struct fgraph *graph, struct jsonslice oracle)
{
	struct jsonslice lanes, lane, name, tasks;
	assert_true(jsonread_find(oracle, "lanes", &lanes));
	struct jsonread in = jsonread_over(lanes);
	size_t count = 0, named = 0;
	while (jsonread_element(&in, &lane)) {
		char wanted[40], got[40] = "";
		size_t i = 0;
		assert_true(jsonread_find(lane, "lane", &name));
		slice_text(name, wanted, sizeof wanted);
		for (; i < graph->task_count; i++) {
			const struct fgraph_task *task = &graph->tasks[i];
			snprintf(got, sizeof got, task->pid >= 0 ? "pid %" PRId64 : "cpu %" PRId64,
				task->pid >= 0 ? task->pid : (int64_t)task->cpu);
			if (strcmp(got, wanted) == 0)
				break;
		}
		if (i == graph->task_count)
			fail_msg("%s: no lane is %s", row, wanted);
		check_number(wanted, "spans", graph->tasks[i].spans, number_of(row, lane, "spans"));
		check_number(wanted, "outermost", (uint64_t)graph->tasks[i].outermost_ns,
			number_of(row, lane, "top_level_ns"));
		count++;
	}
	check_number(row, "lanes", graph->task_count, (int64_t)count);
	assert_true(jsonread_find(oracle, "tasks", &tasks));
	for (size_t i = 0; i < graph->task_count; i++) {
		char pid[24], text[100];
		struct jsonslice wanted;
		if (graph->tasks[i].pid < 0)
			continue;
		snprintf(pid, sizeof pid, "%" PRId64, graph->tasks[i].pid);
		if (!jsonread_find(tasks, pid, &wanted))
			fail_msg("%s: the oracle has no task %s", row, pid);
		slice_text(wanted, text, sizeof text);
		check_text(row, intern_text(&graph->strings, graph->tasks[i].name, NULL), text);
		named++;
	}
	assert_true(named > 0);
}

static void
numbers_are_those_of_the_oracle(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input, json;
		read_file(inputs[i], ".txt", &input);
		read_file(inputs[i], ".oracle.json", &json);
		struct jsonslice oracle = { json.bytes, json.length };
		struct fgraph graph = read_text(inputs[i], input.bytes, input.length, 0);
		check_counts(inputs[i], &graph.counts, oracle);
		check_functions(inputs[i], &graph, oracle);
		check_lanes(inputs[i], &graph, oracle);
		if (number_of(inputs[i], oracle, "absolute_time") == 1) {
			assert_int_equal(graph.clock, FGRAPH_STAMPED);
			assert_int_equal(graph.origin_ns, number_of(inputs[i], oracle, "first_ns"));
		} else {
			assert_int_equal(graph.clock, FGRAPH_LAID_OUT);
		}
		fgraph_release(&graph);
		text_release(&input);
		text_release(&json);
	}
}

/* ---- the same in other dress */

/* Whether two graphs say the same of all calls; what was damaged is the reader's affair. */
static void
check_same(const char *row, const struct fgraph *a, const struct fgraph *b)
{
	struct fgraph_counts left = a->counts, right = b->counts;
	left.records = right.records = left.notes = right.notes = left.blank = right.blank = 0;
	left.is_one_line = right.is_one_line = left.is_cut = right.is_cut = false;
	if (memcmp(&left, &right, sizeof left) != 0)
		fail_msg("%s: other counts: spans %" PRIu64 " and %" PRIu64 ", depth %" PRIu32
			 " and %" PRIu32 ", events %" PRIu64 " and %" PRIu64 ", switches %" PRIu64
			 " and %" PRIu64 ", irq %" PRIu64 " and %" PRIu64 ", damaged %" PRIu64
			 " and %" PRIu64 ", cut %" PRIu64 " and %" PRIu64,
			row, left.spans, right.spans, left.max_depth, right.max_depth, left.events,
			right.events, left.switches, right.switches, left.irq_enter,
			right.irq_enter, left.damaged, right.damaged, left.cut_entries, right.cut_entries);
	if (a->task_count != b->task_count)
		fail_msg("%s: other tasks", row);
	struct slice_times times, others;
	struct error err = { 0 };
	assert_true(graphtesting_functions(a, &times, &err) && graphtesting_functions(b, &others, &err));
	if (times.count != others.count)
		fail_msg("%s: other functions", row);
	for (size_t i = 0; i < times.count; i++) {
		if (memcmp(&times.rows[i], &others.rows[i], sizeof times.rows[i]) != 0)
			fail_msg("%s: another sum of %s", row,
				intern_text(&a->strings, times.rows[i].name, NULL));
	}
	slice_times_release(&times);
	slice_times_release(&others);
	for (size_t i = 0; i < a->task_count; i++) {
		if (a->tasks[i].spans != b->tasks[i].spans || a->tasks[i].pid != b->tasks[i].pid ||
			a->tasks[i].outermost_ns != b->tasks[i].outermost_ns)
			fail_msg("%s: another task %" PRId64, row, a->tasks[i].pid);
	}
}

static void
pieces_of_any_size_are_the_same(void **state)
{
	(void)state;
	static const size_t sizes[] = { 1, 7, 4096, 70000 };
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input;
		read_file(inputs[i], ".txt", &input);
		struct fgraph whole = read_text(inputs[i], input.bytes, input.length, 0);
		for (size_t k = 0; k < ARRAY_LENGTH(sizes); k++) {
			struct fgraph cut = read_text(inputs[i], input.bytes, input.length, sizes[k]);
			check_same(inputs[i], &whole, &cut);
			fgraph_release(&cut);
		}
		fgraph_release(&whole);
		text_release(&input);
	}
}

/* Carriage returns, colours and tabs in place of blanks, all at once; and no header. */
static void
dress(const struct text *input, bool has_header, struct text *out)
{
	struct scan text = scan_over(input->bytes, input->length), line;
	*out = (struct text){ 0 };
	while (!scan_is_end(&text)) {
		const char *newline = memchr(text.at, '\n', scan_left(&text));
		line = (struct scan){ text.at, newline != NULL ? newline : text.end };
		text.at = newline != NULL ? newline + 1 : text.end;
		if (!has_header && scan_sees(&line, '#'))
			continue;
		text_add_string(out, "\x1b[01;31m\x1b[K");
		for (size_t column = 0; line.at + column < line.end;) {
			size_t left = (size_t)(line.end - line.at) - column;
			if (column % 8 == 0 && left >= 8 && memcmp(line.at + column, "        ", 8) == 0) {
				text_add_string(out, "\t");
				column += 8;
			} else {
				text_add(out, line.at + column++, 1);
			}
		}
		text_add_string(out, newline != NULL ? "\x1b[m\r\n" : "");
	}
}

static void
colours_tabs_returns_and_no_header_are_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input, dressed;
		read_file(inputs[i], ".txt", &input);
		struct fgraph plain = read_text(inputs[i], input.bytes, input.length, 0);
		for (int has_header = 0; has_header < 2; has_header++) {
			dress(&input, has_header == 1, &dressed);
			struct fgraph other = read_text(inputs[i], dressed.bytes, dressed.length, 0);
			check_same(inputs[i], &plain, &other);
			fgraph_release(&other);
			text_release(&dressed);
		}
		fgraph_release(&plain);
		text_release(&input);
	}
}

static void
collapse(const struct text *input, struct text *out)
{
	bool is_blank = true;
	*out = (struct text){ 0 };
	for (size_t i = 0; i < input->length; i++) {
		char c = input->bytes[i];
		if (c != ' ' && c != '\n')
			text_add(out, &c, 1);
		else if (!is_blank)
			text_add(out, " ", 1);
		is_blank = c == ' ' || c == '\n';
	}
}

/* Only where no begin was lost: of indentation nothing is left to tell it by. */
static void
one_line_is_the_same(void **state)
{
	(void)state;
	static const char *const whole[] = { "plain", "retval-args" };
	for (size_t i = 0; i < ARRAY_LENGTH(whole); i++) {
		struct text input, line;
		read_file(whole[i], ".txt", &input);
		collapse(&input, &line);
		struct fgraph a = read_text(whole[i], input.bytes, input.length, 0);
		struct fgraph b = read_text(whole[i], line.bytes, line.length, 0);
		assert_true(b.counts.is_one_line);
		/* The indentation at the beginning is gone too. */
		b.counts.max_depth = a.counts.max_depth;
		check_same(whole[i], &a, &b);
		fgraph_release(&a);
		fgraph_release(&b);
		text_release(&input);
		text_release(&line);
	}
}

static void
cut_at_every_byte_it_is_read(void **state)
{
	(void)state;
	enum { BYTES = 3000 };
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input;
		read_file(inputs[i], ".txt", &input);
		uint64_t spans = 0;
		for (size_t size = 0; size < BYTES; size++) {
			struct fgraph graph = read_text(inputs[i], input.bytes, size, 0);
			/* "a();" is whole, "a(); /" is not. */
			assert_true(graph.counts.spans + 1 >= spans);
			assert_true(graph.counts.damaged <= 1);
			spans = graph.counts.spans;
			fgraph_release(&graph);
		}
		text_release(&input);
	}
}

static void
shuffled_lines_are_read(void **state)
{
	(void)state;
	uint64_t seed = 20261124;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input, mixed = { 0 };
		read_file(inputs[i], ".txt", &input);
		struct scan lines[2000], text = scan_over(input.bytes, input.length);
		size_t count = 0;
		while (!scan_is_end(&text) && count < ARRAY_LENGTH(lines)) {
			const char *newline = memchr(text.at, '\n', scan_left(&text));
			const char *end = newline != NULL ? newline + 1 : text.end;
			lines[count++] = (struct scan){ text.at, end };
			text.at = end;
		}
		for (size_t k = count; k > 1; k--) {
			size_t other = random_below(&seed, k);
			struct scan line = lines[k - 1];
			lines[k - 1] = lines[other];
			lines[other] = line;
		}
		for (size_t k = 0; k < count; k++)
			text_add(&mixed, lines[k].at, scan_left(&lines[k]));
		struct fgraph graph = read_text(inputs[i], mixed.bytes, mixed.length, 0);
		assert_true(graph.counts.spans > 0);
		fgraph_release(&graph);
		text_release(&mixed);
		text_release(&input);
	}
}

/* Two files in one, with other columns: the second header counts. */
static void
a_second_header_changes_the_columns(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		for (size_t k = 0; k < ARRAY_LENGTH(inputs); k++) {
			struct text one, two;
			read_file(inputs[i], ".txt", &one);
			read_file(inputs[k], ".txt", &two);
			struct fgraph a = read_text(inputs[i], one.bytes, one.length, 0);
			struct fgraph b = read_text(inputs[k], two.bytes, two.length, 0);
			text_add_string(&one, "\n");
			text_add(&one, two.bytes, two.length);
			struct fgraph both = read_text(inputs[i], one.bytes, one.length, 0);
			/* Where the second one has no header, some lines tell that there are others now. */
			uint64_t missed = both.counts.damaged - a.counts.damaged - b.counts.damaged;
			if (missed > (strcmp(inputs[k], "trace-cmd") == 0 ? 8 : 0))
				fail_msg("%s and %s: %" PRIu64 " lines are lost", inputs[i], inputs[k], missed);
			assert_true(both.counts.spans + missed >= a.counts.spans + b.counts.spans);
			fgraph_release(&a);
			fgraph_release(&b);
			fgraph_release(&both);
			text_release(&one);
			text_release(&two);
		}
	}
}

/* ---- rules, one by one */

#define CPU_HEADER "# CPU  DURATION                  FUNCTION CALLS\n"

static struct slice_time
function_of(const struct fgraph *graph, const char *name)
{
	struct slice_time found = { .calls = 0 };
	struct slice_times times;
	struct error err = { 0 };
	bool is_there = false;
	assert_true(graphtesting_functions(graph, &times, &err));
	for (size_t i = 0; i < times.count && !is_there; i++) {
		found = times.rows[i];
		is_there = strcmp(intern_text(&graph->strings, found.name, NULL), name) == 0;
	}
	slice_times_release(&times);
	if (!is_there)
		fail_msg("no function is called %s", name);
	return found;
}

/* The same call by every set of columns that the kernel can be asked for. */
static void
every_header_is_read(void **state)
{
	(void)state;
	for (unsigned set = 0; set < GRAPH_LAST_SET; set++) {
		struct text text = { 0 };
		static const char *const functions[] = { "  a() {", "    b [m]();", "  }" };
		static const char *const durations[] = { "              |", "+ 15.642 us   |",
			"  20.001 us   |" };
		text_add_string(&text, "# tracer: function_graph\n#\n#");
		text_add_string(&text, set & GRAPH_TIME ? "     TIME       " : "");
		text_add_string(&text, set & GRAPH_REL_TIME ? "   REL TIME     " : "");
		text_add_string(&text, set & GRAPH_CPU ? " CPU" : "");
		text_add_string(&text, set & GRAPH_TASK ? "  TASK/PID       " : "");
		text_add_string(&text, set & GRAPH_FLAGS ? "||||   " : "");
		text_add_string(&text, set & GRAPH_DURATION ? "  DURATION   " : "");
		text_add_string(&text, "               FUNCTION CALLS\n");
		for (size_t i = 0; i < 3; i++) {
			text_add_string(&text, set & GRAPH_TIME ? "    5.000849 |  " : "");
			text_add_string(&text, set & GRAPH_REL_TIME ? "      849 us |  " : "");
			text_add_string(&text, set & GRAPH_CPU ? " 3) " : "");
			text_add_string(&text, set & GRAPH_TASK ? "  a | b)-1234    | " : "");
			text_add_string(&text, set & GRAPH_FLAGS ? " d..1. | " : "");
			text_add_string(&text, set & GRAPH_DURATION ? durations[i] : "");
			text_format(&text, "%s%s\n", set & GRAPH_DURATION ? "  " : "", functions[i]);
		}
		struct fgraph graph = read_string(text_string(&text));
		assert_int_equal(graph.counts.records, 6);
		assert_int_equal(graph.counts.notes, 3);
		assert_int_equal(graph.counts.nested, 1);
		assert_int_equal(graph.counts.leaves, 1);
		assert_int_equal(graph.counts.max_depth, 3);
		assert_int_equal(graph.counts.spans, set & GRAPH_DURATION ? 2 : 0);
		assert_int_equal(graph.cpus[0], set & GRAPH_CPU ? 3 : 0);
		assert_int_equal(graph.tasks[0].pid, set & GRAPH_TASK ? 1234 : -1);
		check_text("task", intern_text(&graph.strings, graph.tasks[0].name, NULL),
			set & GRAPH_TASK ? "a | b)" : "");
		if (set & GRAPH_DURATION) {
			assert_int_equal(function_of(&graph, "a").self_ns, 4359);
			assert_int_equal(function_of(&graph, "b [m]").total_ns, 15642);
		}
		fgraph_release(&graph);
		text_release(&text);
	}
}

/* What a text comes to. */
struct rule {
	const char *name, *text;
	uint64_t spans, orphan_exits, cut, open, switches, lost, damaged, notes;
};

static const struct rule rules[] = {
	{ "an exit without an entry", " 0)   1.000 us    |    a();\n 0)   5.000 us    |  } /* b */\n", 2, 1,
		0, 0, 0, 0, 0, 0 },
	{ "an exit of another function cuts",
		" 0)               |  a() {\n 0)   5.000 us    |  } /* b */\n", 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "an exit says its own name", " 0)               |  a() {\n 0)   5.000 us    |  } /* a */\n", 1,
		0, 0, 0, 0, 0, 0, 0 },
	{ "an exit further out cuts what is in it",
		" 0)               |  a() {\n 0)               |    b() {\n 0)   5.000 us    |  }\n", 1, 0, 1, 0,
		0, 0, 0, 0 },
	{ "an entry beside an open one cuts it",
		" 0)               |  a() {\n 0)               |  b() {\n 0)   5.000 us    |  }\n", 1, 0, 1, 0, 0,
		0, 0, 0 },
	{ "a comment cuts nothing",
		" 0)               |  a() {\n 0)               |  /* b } */ */\n 0)   5.000 us    |  }\n", 1, 0,
		0, 0, 0, 0, 0, 0 },
	{ "losses", "CPU:0 [LOST 12 EVENTS]\nCPU:1 [3 EVENTS DROPPED]\nCPU:2 [EVENTS DROPPED]\n"
		    " 0)   5.000 us    |  a();\nCPU:0 [LOST EVENTS]\nCPU:0 [LOST x EVENTS]\n",
		1, 0, 0, 0, 0, 4, 1, 0 },
	{ "what says nothing", "Tracing \"do_nanosleep\"... Ctrl-C to end.\n 0) $ 1234567 us  |  a();\n"
			       " (Overruns: 3)\n##### CPU 2 buffer started ####\n# x\n ----------------\n"
			       "^C\nEnding tracing...\n",
		1, 0, 0, 0, 0, 0, 1, 6 },
	{ "prose before the first record", "Hello,\nlook at\n\n 0)   5.000 us    |  a();\nRegards\n", 1, 0,
		0, 0, 0, 0, 1, 2 },
	{ "a switch of names with arrows", " 0)   1.000 us    |  a();\n"
		" ------------------------------------------\n 0)  x => y--1920  =>  a-1 => -77   \n"
		" ------------------------------------------\n\n 0)   1.000 us    |  a();\n",
		2, 0, 0, 0, 1, 0, 0, 2 },
	{ "marks of the overhead", " 0) + 15.642 us   |  a();\n 0) ! 100.1 us |  a();\n 0) # 1234.567 us |  a();\n"
		" 0) * 12345.67 us |  a();\n 0) @ 123456.7 us |  a();\n 0) $1234567 us |  a();\n",
		6, 0, 0, 0, 0, 0, 0, 0 },
	{ "damage", " 0)   1.000 us    |  a();\n 0)   1.000 us    |  a(;\n 0)   1.0x0 us    |  a();\n"
		    " 0)   1.000 us      a();\n 70000)   1.000 us |  a();\n 0)   1.000 us    |  a b();\n",
		1, 0, 0, 0, 0, 0, 5, 0 },
};

static void
rules_are_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
		const struct rule *rule = &rules[i];
		struct fgraph graph = read_text(rule->name, rule->text, strlen(rule->text), 0);
		check_number(rule->name, "spans", graph.counts.spans, (int64_t)rule->spans);
		check_number(rule->name, "orphans", graph.counts.orphan_exits, (int64_t)rule->orphan_exits);
		check_number(rule->name, "cut", graph.counts.cut_entries, (int64_t)rule->cut);
		check_number(rule->name, "open", graph.counts.open_at_end, (int64_t)rule->open);
		check_number(rule->name, "switches", graph.counts.switches, (int64_t)rule->switches);
		check_number(rule->name, "lost", graph.counts.lost_records, (int64_t)rule->lost);
		check_number(rule->name, "damaged", graph.counts.damaged, (int64_t)rule->damaged);
		check_number(rule->name, "notes", graph.counts.notes, (int64_t)rule->notes);
		fgraph_release(&graph);
	}
}

/* Calls go with their task, also where only a later switch tells who it was. */
static void
a_task_takes_its_calls_along(void **state)
{
	(void)state;
	struct fgraph graph = read_string(CPU_HEADER
		" 0)               |  a() {\n"
		" 0)   9.000 us    |    b();\n"
		" 0)     cat-7     =>    dog-8    \n"
		" 0)   2.000 us    |  c();\n"
		" 1)   3.000 us    |    d();\n"
		" 1)   20.000 us   |  }\n"
		" 1)     cat-7     =>  <idle>-0    \n"
		" 1)   4.000 us    |  e();\n"
		" 0)     dog-8     =>  <idle>-0    \n"
		" 0)   4.000 us    |  e();\n");
	assert_int_equal(graph.counts.open_at_end + graph.counts.orphan_exits + graph.counts.damaged, 0);
	assert_int_equal(graph.task_count, 4); /* cat, dog, and the idle task of each CPU */
	assert_int_equal(function_of(&graph, "a").self_ns, 8000);
	for (size_t i = 0; i < graph.task_count; i++) {
		const struct fgraph_task *task = &graph.tasks[i];
		assert_int_equal(task->spans, task->pid == 7 ? 3 : 1);
		assert_true((task->cpu == FGRAPH_NONE) == (task->pid != 0));
	}
	/* CPU 1 goes on where the task was. */
	const struct fgraph_run wanted[] = { { 0, 9000, 0, 0 }, { 9000, 11000, 0, 1 }, { 9000, 20000, 1, 0 },
		{ 20000, 24000, 1, 2 }, { 11000, 15000, 0, 3 } };
	assert_int_equal(graph.run_count, ARRAY_LENGTH(wanted));
	for (size_t i = 0; i < graph.run_count; i++) {
		assert_int_equal(graph.runs[i].start_ns, wanted[i].start_ns);
		assert_int_equal(graph.runs[i].end_ns, wanted[i].end_ns);
		assert_int_equal(graph.runs[i].cpu, wanted[i].cpu);
	}
	fgraph_release(&graph);
}

/* The slice of that function which begins first. */
static struct slice
slice_of(const struct fgraph *graph, const char *name)
{
	for (column_ref column = 0; column < slices_column_count(graph->slices); column++) {
		for (uint32_t i = 0; i < slices_in_column(graph->slices, column); i++) {
			struct slice slice;
			slices_get(graph->slices, column, i, &slice);
			if (strcmp(intern_text(&graph->strings, slice.name, NULL), name) == 0)
				return slice;
		}
	}
	fail_msg("no slice is called %s", name);
	return (struct slice){ 0 };
}

static void
check_slice(const struct fgraph *graph, const char *name, int64_t start_ns, int64_t end_ns,
	int64_t took_ns)
{
	struct slice slice = slice_of(graph, name);
	if (slice.start_ns != start_ns || slice.end_ns != end_ns || slice.took_ns != took_ns)
		fail_msg("%s is [%" PRId64 ", %" PRId64 ") and took %" PRId64, name, slice.start_ns,
			slice.end_ns, slice.took_ns);
}

static void
stamps_tell_the_time(void **state)
{
	(void)state;
	struct fgraph graph = read_string("# TIME CPU DURATION FUNCTION CALLS\n"
		"  442.619198 |   0)               |  asleep() {\n"
		"  442.619199 |   0)               |    awake() {\n"
		"  442.619200 |   0)   0.500 us    |      leaf();\n"
		"  442.619202 |   0)   2.100 us    |    }\n"
		"  442.620198 |   0)   9.000 us    |  }\n"
		"  442.620298 |   0) ! 5000.123 us |  } /* before */\n"
		"  442.620300 |   0)               |  open() {\n"
		"  442.620301 |   0)               |    /* an event */\n"
		"### a mark\n### its end\n"
		"  442.620302 |   0)               |    cut() {\n"
		"  442.620309 |   0)   1.000 us    |    last();\n");
	assert_int_equal(graph.clock, FGRAPH_STAMPED);
	assert_int_equal(graph.origin_ns, INT64_C(442619198000));
	check_slice(&graph, "asleep", 0, 1000000, 9000);
	check_slice(&graph, "awake", 1000, 3100, 2100);
	check_slice(&graph, "leaf", 2000, 2500, 500);
	check_slice(&graph, "before", 1000000, 1100000, 5000123);
	check_slice(&graph, "open", 1102000, 1112000, 10000);
	check_slice(&graph, "cut", 1104000, 1111000, 7000);
	assert_int_equal(slice_of(&graph, "before").flags, SLICE_BEGAN_BEFORE);
	assert_int_equal(slice_of(&graph, "open").flags, SLICE_OPEN);
	assert_int_equal(slice_of(&graph, "cut").flags, SLICE_CUT);
	assert_int_equal(graph.events[0].time_ns, 1103000);
	assert_int_equal(graph.marks[1].time_ns, 1103000);
	assert_true(graph.marks[1].follows && !graph.marks[0].follows);
	fgraph_release(&graph);
}

/* Merged buffers, or one behind the other: each task's lines are put into the order of time. */
static void
times_that_run_backwards_are_sorted(void **state)
{
	(void)state;
	struct fgraph graph = read_string("# TIME CPU TASK/PID DURATION FUNCTION CALLS\n"
		"  2.000005 |   0)      a-1      |   1.000 us    |    c();\n"
		"  2.000008 |   0)      a-1      |   8.000 us    |  }\n"
		"  2.000000 |   1)      a-1      |               |  b() {\n"
		"  2.000001 |   1)      a-1      |   2.000 us    |    d();\n");
	assert_int_equal(graph.counts.backwards, 1);
	assert_int_equal(graph.counts.orphan_exits + graph.counts.open_at_end, 0);
	assert_int_equal(function_of(&graph, "b").self_ns, 5000);
	check_slice(&graph, "b", 0, 8000, 8000);
	check_slice(&graph, "c", 5000, 6000, 1000);
	fgraph_release(&graph);
}

static void
without_stamps_times_are_laid_out(void **state)
{
	(void)state;
	struct fgraph graph = read_string(CPU_HEADER
		" 0)   2.000 us    |  first();\n"
		" 0)               |  second() {\n"
		" 0)   3.000 us    |    inner();\n"
		" 0)   10.000 us   |  }\n"
		" 1)   1.000 us    |  other();\n"
		" 0)   7.000 us    |  } /* within */\n"
		"CPU:0 [LOST 5 EVENTS]\n"
		" 0)   7.000 us    |  } /* behind */\n");
	assert_int_equal(graph.clock, FGRAPH_LAID_OUT);
	check_slice(&graph, "first", 0, 2000, 2000);
	check_slice(&graph, "second", 2000, 12000, 10000);
	check_slice(&graph, "inner", 2000, 5000, 3000);
	check_slice(&graph, "other", 0, 1000, 1000);
	check_slice(&graph, "within", 12000, 12000, 7000);
	check_slice(&graph, "behind", 12000, 19000, 7000);
	fgraph_release(&graph);
}

static void
details_of_a_call_come_together(void **state)
{
	(void)state;
	struct fgraph graph = read_string(CPU_HEADER
		" 0)   ==========> |\n"
		" 0)               |  a [m](x=0x1, y={b) c}) { /* <-main+0x1a/0x90 */\n"
		" 0)   1.000 us    |    b(); /* = 0x0 */\n"
		" 0)   1.000 us    |    c(); /* <-main+0x1/0x9 [m n] ret=0x1 */\n"
		" 0)   2.000 us    |  } /* a [m] ret=-22 */\n"
		" 0)   <========== |\n");
	assert_int_equal(graph.counts.spans, 3);
	check_text("all", intern_text(&graph.strings, slice_of(&graph, "a [m]").detail, NULL),
		"interrupt, x=0x1, y={b) c}, from main+0x1a/0x90, returned -22");
	check_text("module", intern_text(&graph.strings, slice_of(&graph, "c").detail, NULL),
		"from main+0x1/0x9 [m n], returned 0x1");
	check_text("one", intern_text(&graph.strings, slice_of(&graph, "b").detail, NULL), "returned 0x0");
	fgraph_release(&graph);
}

/* The head that trace-cmd and the kernel print before an event. */
static void
heads_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *line, *name, *rest;
		int64_t pid, time_ns;
		uint32_t cpu;
	} rows[] = {
		{ "            bash-100   [000] dNh2.     5.000886: sched: x", "bash", "sched: x", 100,
			INT64_C(5000886000), 0 },
		{ "   a) 0.5 us | b-696   [001] 442.619198123: f", "a) 0.5 us | b", "f", 696,
			INT64_C(442619198123), 1 },
		{ " x-1 [2] y-33 (  12345) [003] .... 1.5: f", "x-1 [2] y", "f", 33, INT64_C(1500000000), 3 },
		{ " <...>-7 (-------) [000] d..1. 77: f", "<...>", "f", 7, 77, 0 },
		{ "    bash-12      3d..1.   15us+: f", "bash", "f", 12, 15000, 3 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct scan line = scan_over(rows[i].line, strlen(rows[i].line));
		struct ftrace_head head;
		if (!ftrace_head_read(&line, &head))
			fail_msg("no head: %s", rows[i].line);
		assert_int_equal(head.pid, rows[i].pid);
		assert_int_equal(head.cpu, rows[i].cpu);
		assert_int_equal(head.time_ns, rows[i].time_ns);
		assert_true(scan_is(&head.name, rows[i].name));
		assert_true(scan_is(&line, rows[i].rest));
	}
}

static void
check_job(const struct fgraph *graph, size_t index, const char *text, int64_t start_ns,
	int64_t end_ns, uint32_t parent)
{
	assert_true(index < graph->job_count);
	const struct fgraph_job *job = &graph->jobs[index];
	check_text("job", intern_text(&graph->texts, job->text, NULL), text);
	assert_int_equal(job->start_ns, start_ns);
	assert_int_equal(job->end_ns, end_ns);
	assert_int_equal(job->parent, parent);
}

static void
jobs_lie_between_marks(void **state)
{
	(void)state;
	struct fgraph graph = read_string("### Packet 1\n### it comes\n"
		" 0)   2.000 us    |  a();\n"
		"### Packet 1, end\n### it comes\n### Packet 2\n### it goes\n"
		" 0)   2.000 us    |  a();\n### routing\n"
		" 0)   2.000 us    |  a();\n### Packet 2, end\n"
		" 0)   2.000 us    |  a();\n### rest\n"
		" 0)   2.000 us    |  a();\n");
	assert_int_equal(graph.job_count, 4);
	check_job(&graph, 0, "Packet 1", 0, 2000, FGRAPH_NONE);
	check_job(&graph, 1, "Packet 2", 2000, 6000, FGRAPH_NONE);
	check_job(&graph, 2, "routing", 4000, 6000, 1);
	check_job(&graph, 3, "rest", 8000, 10000, FGRAPH_NONE);
	fgraph_release(&graph);
	/* The clocks of CPUs are not one: a job does not end before it begins. */
	graph = read_string(" 0)   9.000 us    |  a();\n### far\n 1)   1.000 us    |  a();\n### far, end\n");
	check_job(&graph, 0, "far", 9000, 9000, FGRAPH_NONE);
	fgraph_release(&graph);
}

static unsigned
points_of(const char *text)
{
	return fgraph_recognise(scan_over(text, strlen(text)));
}

static void
it_is_recognised(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(inputs); i++) {
		struct text input, line;
		read_file(inputs[i], ".txt", &input);
		assert_true(fgraph_recognise(scan_over(input.bytes, input.length)) >= 300);
		collapse(&input, &line);
		if (strcmp(inputs[i], "plain") == 0)
			assert_true(fgraph_recognise(scan_over(line.bytes, line.length)) >= 300);
		text_release(&input);
		text_release(&line);
	}
	assert_int_equal(points_of("# tracer: function_graph\n"), 10);
	assert_int_equal(points_of("Hello\n\n 0)   1.000 us    |  a();\n 0)   1.000 us    |  }\n"), 6);
	assert_int_equal(points_of("int\nmain(void) {\n  foo();\n}\n"), 0);
	assert_int_equal(points_of("   sh-1 [000] d..1. 5.000886: sched_switch: a ==> b\n"), 0);
	assert_int_equal(points_of("   sh-1 [000] d..1. 5.000886: sched_switch: a ==> b\n"
				   "   sh-1 [000] d..1. 5.000886: funcgraph_entry: 1.000 us | a();\n"), 6);
	assert_int_equal(points_of("sh 1 [000] 5.000886: sched:sched_switch: x\n"), 0);
	assert_int_equal(points_of(""), 0);
}

static bool
read_faulty(struct error *err)
{
	static const char text[] = "### m\n 0)  bash-100 =>  cat-200\n 0)   ==========> |\n"
				   " 0)               |  a(b=1) {\n 0)   2.000 us    |    } /* c ret=1 */\n"
				   "CPU:0 [LOST 5 EVENTS]\n 0)   |  /* e */\n\x1b[mx\n 0)   2.000 us    |  }\n### m, end\n";
	struct fgraph graph;
	bool is_fine = graphtesting_read(&graph, text, sizeof text - 1, 0, err);
	fgraph_release(&graph);
	return is_fine;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("function_graph", read_faulty) > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_oracle),
		cmocka_unit_test(pieces_of_any_size_are_the_same),
		cmocka_unit_test(colours_tabs_returns_and_no_header_are_the_same),
		cmocka_unit_test(one_line_is_the_same),
		cmocka_unit_test(cut_at_every_byte_it_is_read),
		cmocka_unit_test(shuffled_lines_are_read),
		cmocka_unit_test(a_second_header_changes_the_columns),
		cmocka_unit_test(every_header_is_read),
		cmocka_unit_test(rules_are_kept),
		cmocka_unit_test(a_task_takes_its_calls_along),
		cmocka_unit_test(stamps_tell_the_time),
		cmocka_unit_test(times_that_run_backwards_are_sorted),
		cmocka_unit_test(without_stamps_times_are_laid_out),
		cmocka_unit_test(details_of_a_call_come_together),
		cmocka_unit_test(heads_are_read),
		cmocka_unit_test(jobs_lie_between_marks),
		cmocka_unit_test(it_is_recognised),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
