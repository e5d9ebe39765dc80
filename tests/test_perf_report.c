/*
 * The text of perf report: the inputs of testdata against what an independent reader told of them, all
 * forms that calls are printed in, and damage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base_testing.h"
#include "analysis/profile.h"
#include "facttesting.h"
#include "jsonread.h"
#include "profiletesting.h"
#include "source/source.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

static struct trace *
load_or_not(const char *bytes, size_t size, struct error *err)
{
	struct input in;
	const struct source_wish wish = { .progress = NULL };
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = perf_report_source.load(&in, &wish, err);
	input_close(&in);
	return trace;
}

static struct trace *
load(const char *bytes, size_t size)
{
	struct error err;
	error_clear(&err);
	struct trace *trace = load_or_not(bytes, size, &err);
	assert_non_null(trace);
	return trace;
}

/* "main;b;leaf", outermost first. */
static void
write_stack(struct text *out, const struct trace *trace, stack_id stack)
{
	if (stack == STACK_NONE)
		return;
	stack_id caller = stack_caller(&trace->stacks, stack);
	write_stack(out, trace, caller);
	size_t length;
	const char *name = trace_text(trace, stack_leaf(&trace->stacks, stack)->function, &length);
	text_add_string(out, caller != STACK_NONE ? ";" : "");
	text_add(out, name, length);
}

static int64_t
sum_of(const struct trace *trace, unsigned type)
{
	const struct sample_set *set = trace->samples;
	int64_t sum = 0;
	for (size_t i = 0; i < set->count; i++)
		sum += set->weights[i * set->type_count + type];
	return sum;
}

/* A line for each sample: its stack, and its weights. */
static void
write_samples(struct text *out, const struct trace *trace)
{
	const struct sample_set *set = trace->samples;
	for (size_t i = 0; i < set->count; i++) {
		write_stack(out, trace, set->stacks[i]);
		for (unsigned j = 0; j < set->type_count; j++)
			text_format(out, " %" PRId64, set->weights[i * set->type_count + j]);
		text_add_string(out, "\n");
	}
}

static void
check_samples(const char *text, const char *wanted)
{
	struct text out = { 0 };
	struct trace *trace = load(text, strlen(text));
	write_samples(&out, trace);
	check_text(text, text_string(&out), wanted);
	assert_int_equal(fact(trace, "damaged"), 0);
	text_release(&out);
	trace_free(trace);
}

/* ---- against oracles */

static int64_t
number(struct jsonslice object, const char *key)
{
	struct jsonslice value;
	assert_true(jsonread_find(object, key, &value));
	return jsonslice_number(value);
}

/* Samples are what the oracle's chains have left, in their order, the function last. */
static void
check_chain(const struct trace *trace, unsigned type, struct jsonslice chain, bool is_callee, size_t *at)
{
	struct jsonread in = jsonread_over(chain);
	struct jsonslice percent, left, frames;
	struct text wanted = { 0 }, got = { 0 };
	assert_true(jsonread_element(&in, &percent));
	assert_true(jsonread_element(&in, &left));
	assert_true(jsonread_element(&in, &frames));
	int64_t weight = jsonslice_number(left);
	if (weight <= 0)
		return;
	const char *begin = frames.bytes + 1, *end = begin + frames.length - 2;
	for (const char *from = end; is_callee && from > begin;) {
		const char *until = from;
		while (from > begin && from[-1] != ';')
			from--;
		text_add(&wanted, from, (size_t)(until - from));
		text_add_string(&wanted, from > begin ? ";" : "");
		from -= from > begin;
	}
	if (!is_callee)
		text_add(&wanted, begin, (size_t)(end - begin));
	write_stack(&got, trace, trace->samples->stacks[*at]);
	check_text("stack", text_string(&got), text_string(&wanted));
	assert_int_equal(trace->samples->weights[*at * trace->samples->type_count + type], weight);
	(*at)++;
	text_release(&wanted);
	text_release(&got);
}

static void
check_section(const struct trace *trace, unsigned type, struct jsonslice section, bool is_callee, size_t *at)
{
	struct jsonslice list, entry, chains, chain, children;
	int64_t excess = 0, sum = sum_of(trace, type);
	bool has_children = false;
	assert_true(jsonread_find(section, "entries", &list));
	struct jsonread in = jsonread_over(list);
	while (jsonread_element(&in, &entry)) {
		has_children = has_children || jsonread_find(entry, "Children", &children);
		size_t before = *at;
		struct jsonread all = jsonread_over((struct jsonslice){ "[]", 2 });
		if (!has_children && jsonread_find(entry, "chains", &chains))
			all = jsonread_over(chains);
		while (jsonread_element(&all, &chain)) {
			struct jsonread parts = jsonread_over(chain);
			struct jsonslice percent, left;
			assert_true(jsonread_element(&parts, &percent));
			assert_true(jsonread_element(&parts, &left));
			int64_t less = jsonslice_number(left);
			excess += less < 0 ? -less : 0;
			check_chain(trace, type, chain, is_callee, at);
		}
		/* Without chains it is one frame. */
		*at += !has_children && *at == before;
	}
	if (trace->samples->decimals == 2)
		assert_int_equal(sum, number(section, "overhead_sum_hundredths") + excess);
}

static void
check_input(const char *name, bool is_callee)
{
	static const char *const keys[] = { "sections", "entries", "nodes", "frames", "max_depth", "damaged" };
	struct text text = { 0 }, oracle = { 0 };
	struct jsonslice list, section;
	profiletesting_read_file("perf_report", name, ".txt", &text);
	profiletesting_read_file("perf_report", name, ".oracle.json", &oracle);
	struct jsonslice all = { oracle.bytes, oracle.length };
	struct trace *trace = load(text.bytes, text.length);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (fact(trace, keys[i]) != number(all, keys[i]))
			fail_msg("%s: %s is %" PRId64, name, keys[i], fact(trace, keys[i]));
	assert_true(jsonread_find(all, "each", &list));
	struct jsonread in = jsonread_over(list);
	size_t at = 0;
	for (unsigned type = 0; type < trace->samples->type_count; type++) {
		assert_true(jsonread_element(&in, &section));
		check_section(trace, type, section, is_callee, &at);
		assert_int_equal(trace->ready->tables[type].row_count, number(section, "entry_count"));
	}
	assert_false(jsonread_element(&in, &section));
	trace_free(trace);
	text_release(&text);
	text_release(&oracle);
}

static void
all_is_as_the_oracle_says(void **state)
{
	(void)state;
	check_input("u-caller", false);
	check_input("u-folded", true);
	check_input("u-fractal", true);
	check_input("u-sortpid", false);
	check_input("multi-event", true);
}

/* ---- forms */

#define HEAD                                                                                      \
	"# Samples: 9K of event 'cycles'\n# Event count (approx.): 900\n#\n"                        \
	"# Overhead  Command  Symbol\n# ........  .......  ..........\n#\n"

static void
chains_of_each_form_are_samples(void **state)
{
	(void)state;
	check_samples(HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
			   "               |          \n               |--40.00%--g\n"
			   "               |          h\n               |          \n"
			   "                --15.00%--0\n\n    10.00%  a        [k] i\n",
		"f 500\nh;g;f 4000\n0;f 1500\ni 1000\n");
	/* Without anything in common; what is not printed of an entry is its function's. */
	check_samples(HEAD "    60.00%  a        [.] f\n            |          \n"
			   "            |--40.00%--f\n            |          g\n"
			   "            |          |          \n            |           --9.00%--h\n"
			   "            |          \n             --15.00%--x\n",
		"g;f 3100\nh;g;f 900\nx 1500\nf 500\n");
	check_samples(HEAD "    60.00%  a        [.] f\n40.00% f;g;h\n15.00% f\n",
		"h;g;f 4000\nf 1500\nf 500\n");
	check_samples(HEAD "    60.00%  a        [.] f\n           40.00%\n                f\n"
			   "                g\n\n           20.00%\n                f\n\n",
		"g;f 4000\nf 2000\n");
	/* Callers first. */
	check_samples(HEAD "    60.00%  a        [.] f\n            |\n            ---g\n               f\n",
		"g;f 6000\n");
	/* Of the parent. */
	check_samples(HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
			   "               |          \n               |--75.00%--g\n"
			   "               |          |          \n               |           --50.00%--h\n"
			   "               |          \n                --25.00%--i\n",
		"g;f 2250\nh;g;f 2250\ni;f 1500\n");
	/* Counts among percentages. */
	check_samples(HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
			   "               |          \n               |--30--g\n"
			   "               |          \n                --10--i\n"
			   "    10.00%  a        [k] i\n",
		"g;f 4500\ni;f 1500\ni 1000\n");
}

/* Wherever what was read of the input so far ends. */
static void
titles_are_of_the_next_section(void **state)
{
	enum { LEAST_BYTES = 62000, MOST_BYTES = 66000, STEP_BYTES = 500 };
	(void)state;
	for (size_t bytes = LEAST_BYTES; bytes < MOST_BYTES; bytes += STEP_BYTES) {
		struct text text = { 0 };
		text_add_string(&text, HEAD "    60.00%  a        [.] f\n");
		while (text.length < bytes)
			text_add_string(&text, "# nothing\n");
		text_add_string(&text, "the next run\n\n" HEAD "    50.00%  b        [.] g\n");
		while (text.length < 2 * (size_t)MOST_BYTES)
			text_add_string(&text, "# nothing\n");
		struct trace *trace = load(text.bytes, text.length);
		assert_int_equal(trace->ready->table_count, 2);
		check_text("title", trace_text(trace, trace->ready->tables[1].title, NULL),
			"cycles: 9K samples, 900 in all; the next run");
		trace_free(trace);
		text_release(&text);
	}
}

#define COUNTED                                                                                   \
	"# Samples: 9 of event 'cycles'\n# Event count (approx.): 900\n#\n"                         \
	"# Overhead  Samples  Symbol\n# ........  .......  ..........\n#\n"

static void
counts_are_exact(void **state)
{
	(void)state;
	check_samples(COUNTED "    66.67%        6  [.] f\n4 f;g\n2 f;h\n    33.33%        3  [.] g\n",
		"g;f 4\nh;f 2\ng 3\n");
	struct trace *trace = load(COUNTED "    66.67%        6  [.] f\n4 f;g\n",
		strlen(COUNTED "    66.67%        6  [.] f\n4 f;g\n"));
	assert_int_equal(trace->samples->decimals, 0);
	assert_int_equal(sum_of(trace, 0), 6);
	trace_free(trace);
}

/* Each row has the names of all levels above it. */
static void
names_of_levels_have_an_end(void **state)
{
	enum { LONG = 5000, MOST = 1024 };
	struct text text = { 0 };
	size_t length;
	(void)state;
	text_add_string(&text, "# Samples: 9 of event 'cycles'\n#    Overhead  Command / Shared Object\n"
			       "# ...........  .......................\n#\n   100.00%        ");
	for (int i = 0; i < LONG; i++)
		text_add_string(&text, "x");
	text_add_string(&text, "\n         1.00%        y\n");
	struct trace *trace = load(text.bytes, text.length);
	const struct ready_table *table = trace->ready->tables;
	assert_int_equal(table->row_count, 2);
	trace_text(trace, ready_cell(table, 0, 0)->text, &length);
	assert_int_equal(length, LONG);
	trace_text(trace, ready_cell(table, 1, 0)->text, &length);
	assert_int_equal(length, MOST + strlen(" / y"));
	trace_free(trace);
	text_release(&text);
}

/* Each branch has all that is before it in its chain. */
static void
what_branches_have_in_common_has_an_end(void **state)
{
	enum { COMMON = 5000, BRANCHES = 100, MOST = 1024 };
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, HEAD "    60.00%  a        [.] f\n            |\n            ---f\n");
	for (int i = 1; i < COMMON; i++)
		text_add_string(&text, "               f\n");
	for (int i = 0; i < BRANCHES; i++)
		text_format(&text, "               |--0.10%%--g%d\n", i);
	struct trace *trace = load(text.bytes, text.length);
	assert_int_equal(fact(trace, "nodes"), BRANCHES + 1);
	assert_int_equal(fact(trace, "frames"), BRANCHES + MOST);
	assert_int_equal(fact(trace, "damaged"), COMMON - MOST);
	trace_free(trace);
	text_release(&text);
}

static void
chains_may_count_more_than_numbers_hold(void **state)
{
	struct text text = { 0 };
	(void)state;
	text_add_string(&text, COUNTED "    66.67%        6  [.] f\n            |\n            ---f\n");
	for (int i = 0; i < 20; i++)
		text_add_string(&text, "               |--999999999999999999--g\n");
	struct trace *trace = load(text.bytes, text.length);
	assert_int_equal(trace->samples->count, 20);
	assert_true(trace->samples->weights[19] == INT64_C(999999999999999999));
	trace_free(trace);
	text_release(&text);
}

#define CHILDREN                                                                                  \
	"# Samples: 9 of event 'cycles'\n# Event count (approx.): 900\n#\n"                         \
	"# Children      Self  Symbol\n# ........  ........  ..........\n#\n"

static void
with_children_what_an_entry_did_itself_counts(void **state)
{
	(void)state;
	check_samples(CHILDREN "    60.00%     0.00%  [.] main\n            |\n            ---main\n"
			       "               f\n\n"
			       "    60.00%    60.00%  [.] f\n            |\n            ---main\n"
			       "               f\n\n"
			       "    20.00%     5.00%  [.] g\n            |\n            ---g\n"
			       "               h\n",
		"main;f 6000\ng 500\n");
}

static void
sections_are_types(void **state)
{
	static const char text[] = "io_uring\n3 replicas\n\n" HEAD "    60.00%  a        [.] f\n1.00% f;g\n"
				   "\nsecond run\n" HEAD "    50.00%  a        [.] g\n";
	struct trace *trace = load(text, sizeof text - 1);
	size_t length;
	(void)state;
	assert_int_equal(trace->samples->type_count, 2);
	assert_string_equal(trace_text(trace, trace->samples->types[0].name, &length), "cycles");
	assert_string_equal(trace_text(trace, trace->samples->types[1].name, &length), "cycles-2");
	assert_int_equal(sum_of(trace, 0), 6000);
	assert_int_equal(sum_of(trace, 1), 5000);
	assert_int_equal(sample_set_label_count(trace->samples, 0), 1);
	struct sample_label label = sample_set_label(trace->samples, 0, 0);
	assert_string_equal(trace_text(trace, label.key, &length), "command");
	assert_string_equal(trace_text(trace, label.text, &length), "a");
	assert_string_equal(trace_text(trace, trace->ready->tables[0].title, &length),
		"cycles: 9K samples, 900 in all; io_uring, 3 replicas");
	assert_string_equal(profile_measure(trace, PROFILE_SAMPLES, 0).caption, "io_uring, 3 replicas");
	assert_string_equal(profile_measure(trace, PROFILE_SAMPLES, 1).caption, "second run");
	assert_string_equal(trace_text(trace, trace->ready->tables[1].title, &length),
		"cycles: 9K samples, 900 in all; second run");
	assert_int_equal(fact(trace, "damaged"), 0);
	trace_free(trace);
}

static const char *
cell(const struct trace *trace, size_t row, unsigned column)
{
	return trace_text(trace, ready_cell(&trace->ready->tables[0], row, column)->text, NULL);
}

static void
without_calls_there_are_tables_alone(void **state)
{
	struct text text = { 0 };
	(void)state;
	profiletesting_read_file("perf_report", "none", ".txt", &text);
	struct trace *trace = load(text.bytes, text.length);
	assert_null(trace->samples);
	assert_int_equal(trace->ready->table_count, 2);
	assert_string_equal(cell(trace, 1, 0), "[.] a");
	assert_string_equal(cell(trace, 1, 1), "15.39%");
	assert_int_equal(ready_cell(&trace->ready->tables[0], 1, 1)->number, 15390 * INT64_C(10000));
	assert_string_equal(cell(trace, 1, 3), "w");
	trace_free(trace);
	text_release(&text);
	profiletesting_read_file("perf_report", "separated", ".txt", &text);
	trace = load(text.bytes, text.length);
	assert_string_equal(cell(trace, 1, 0), "[.] a");
	assert_string_equal(cell(trace, 1, 1), "15.39%");
	assert_string_equal(cell(trace, 1, 2), "w");
	assert_int_equal(fact(trace, "entries"), 24);
	trace_free(trace);
	text_release(&text);
	profiletesting_read_file("perf_report", "hierarchy", ".txt", &text);
	trace = load(text.bytes, text.length);
	assert_string_equal(cell(trace, 0, 0), "w");
	assert_string_equal(cell(trace, 3, 0), "w / w / [.] a");
	assert_string_equal(cell(trace, 3, 1), "15.39%");
	assert_string_equal(cell(trace, 5, 0), "w / [kernel.kallsyms]");
	assert_int_equal(fact(trace, "entries"), 2);
	trace_free(trace);
	text_release(&text);
}

/* All of an entry is 82.09%, so its parts are. */
static void
forms_of_one_recording_agree(void **state)
{
	static const char *const names[] = { "flat", "graph-count", "fractal-caller" };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct text text = { 0 }, out = { 0 };
		profiletesting_read_file("perf_report", names[i], ".txt", &text);
		struct trace *trace = load(text.bytes, text.length);
		write_samples(&out, trace);
		const char *first = strstr(text_string(&out), "__libc_start_call_main;main;leaf 646");
		if (first == NULL)
			fail_msg("%s:\n%s", names[i], text_string(&out));
		assert_int_equal(fact(trace, "damaged"), 0);
		trace_free(trace);
		text_release(&text);
		text_release(&out);
	}
}

/* ---- damage */

/* Columns of the second have other names: its first line was lost. */
static void
a_head_within_begins_a_section(void **state)
{
	static const char text[] = HEAD "    60.00%  a        [.] f\n1.00% f;g\n"
				   "# Overhead  Symbol\n# ........  ......\n    50.00%  [.] g\n";
	struct trace *trace = load(text, sizeof text - 1);
	(void)state;
	assert_int_equal(trace->samples->type_count, 2);
	assert_int_equal(trace->ready->tables[0].column_count, 3);
	assert_int_equal(trace->ready->tables[1].column_count, 2);
	assert_int_equal(sum_of(trace, 1), 5000);
	trace_free(trace);
}

static void
check_damage(const char *text, int64_t damaged, const char *wanted)
{
	struct text out = { 0 };
	struct trace *trace = load(text, strlen(text));
	write_samples(&out, trace);
	check_text(text, text_string(&out), wanted);
	if (fact(trace, "damaged") != damaged)
		fail_msg("%s: %" PRId64 " damaged", text, fact(trace, "damaged"));
	assert_int_equal(trace->damage.count, damaged);
	text_release(&out);
	trace_free(trace);
}

static void
damaged_lines_are_told(void **state)
{
	(void)state;
	/* A branch that is lost takes its frames along. */
	check_damage(HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
			  "               |--40.0x%--g\n               |          h\n"
			  "                --15.00%--i\n",
		2, "f 4500\ni;f 1500\n");
	check_damage(HEAD "    60.00%  a        [.] f\n1.00% f;g\nkernel: oops\n    10.00%  a        [.] g\n", 1,
		"g;f 100\nf 5900\ng 1000\n");
	check_damage(HEAD "    60.00%  a        [.] f\n1.00% f;g\n    10.0", 1, "g;f 100\nf 5900\n");
	check_damage(HEAD "    60.00%  a        [.] f\n1.00% f;g\n\n# (Tip: x)\n$ ls\n", 0,
		"g;f 100\nf 5900\n");
	/* A chain without frames. */
	check_damage(HEAD "    60.00%  a        [.] f\n           40.00%\n                f\n"
			  "                g\n\n           15.00%\n\n",
		0, "g;f 4000\nf 1500\nf 500\n");
	/* A level that hangs nowhere. */
	check_damage(HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
			  "                           --15.00%--i\n",
		1, "f 6000\n");
}

static void
cut_anywhere_it_is_read(void **state)
{
	static const char *const names[] = { "u-caller", "u-folded", "u-sortpid", "flat", "hierarchy",
		"separated" };
	(void)state;
	for (size_t file = 0; file < sizeof names / sizeof *names; file++) {
		struct text text;
		profiletesting_read_file("perf_report", names[file], ".txt", &text);
		for (size_t size = 0; size < text.length; size += 7)
			trace_free(load(text.bytes, size));
		text_release(&text);
	}
}

static bool
load_short_of_memory(struct error *err)
{
	static const char text[] = "title\n" HEAD "    60.00%  a        [.] f\n            |\n            ---f\n"
				   "               |--40.00%--g\n\x1b[mx\n" CHILDREN
				   "    60.00%     0.00%  [.] main\n1.00% main;g\n"
				   "#       Overhead  Command / Symbol\n# ..............  ........\n"
				   "   100.00%        w\n       97.57%        v\n";
	struct trace *trace = load_or_not(text, sizeof text - 1, err);
	trace_free(trace);
	return trace != NULL;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	assert_true(fail_each_allocation("reading", load_short_of_memory) > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_the_oracle_says),
		cmocka_unit_test(chains_of_each_form_are_samples),
		cmocka_unit_test(titles_are_of_the_next_section),
		cmocka_unit_test(counts_are_exact),
		cmocka_unit_test(names_of_levels_have_an_end),
		cmocka_unit_test(what_branches_have_in_common_has_an_end),
		cmocka_unit_test(chains_may_count_more_than_numbers_hold),
		cmocka_unit_test(with_children_what_an_entry_did_itself_counts),
		cmocka_unit_test(sections_are_types),
		cmocka_unit_test(without_calls_there_are_tables_alone),
		cmocka_unit_test(forms_of_one_recording_agree),
		cmocka_unit_test(a_head_within_begins_a_section),
		cmocka_unit_test(damaged_lines_are_told),
		cmocka_unit_test(cut_anywhere_it_is_read),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
