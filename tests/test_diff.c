/* Two traces side by side: against what is told of each alone, with itself, and the other way round. */
#include <stdlib.h>

#include "analysis/diff_profile.h"
#include "analysis/diff_states.h"
#include "analysis/profile_top.h"
#include "analysis/regions.h"
#include "base/compiler.h"
#include "base_testing.h"
#include "golden.h"
#include "report/diff.h"
#include "tracetesting.h"

static const char *const names[] = { "httpserver-go1.23", "httpserver-go1.22", "tasks-go1.23",
	"contention-go1.23", "gcheavy-go1.23" };

/* ---- states */

static void
build_times(struct actor_times *times, const struct trace *trace, bool is_of_regions)
{
	struct error err = { 0 };
	struct actors_scope scope = { .t1_ns = trace->end_ns };
	if (!(is_of_regions ? regions_build : actors_build)(times, trace, &scope, &err))
		fail_msg("%s", err.message);
}

/* The traces are gone when the difference is looked at. */
static void
diff_of(struct diff_states *diff, const char *before, const char *after, bool is_of_regions)
{
	const char *const sides[DIFF_SIDES] = { before, after };
	struct error err = { 0 };
	assert_true(diff_states_init(diff, &err));
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct trace *trace = testing_load(sides[side]);
		struct actors_scope scope = { .t1_ns = trace->end_ns };
		assert_true(diff_states_add(diff, (enum diff_side)side, trace,
			is_of_regions ? regions_build : actors_build, &scope, &err));
		trace_free(trace);
	}
	diff_states_sort(diff);
}

static bool
is_text(const struct diff_text *text, const struct trace *trace, string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	return text->length == length && (length == 0 || memcmp(text->bytes, bytes, length) == 0);
}

static bool
is_about(const struct diff_row *row, const struct trace *trace, const struct actor_times *times,
	string_id name, uint32_t measure)
{
	if (!is_text(&row->name, trace, name))
		return false;
	if (measure < MEASURE_REASONS)
		return row->measure == measure;
	return row->measure == MEASURE_REASONS &&
	       is_text(&row->reason, trace, times->reasons[measure - MEASURE_REASONS]);
}

static int
compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* What the goroutines or regions of a name have of a measure, one by one, ascending. */
static size_t
gather(const struct actor_times *times, string_id name, uint32_t measure, int64_t *durations)
{
	size_t count = 0;
	for (uint32_t f = 0; f < times->function_count; f++) {
		const struct actor_function *function = &times->functions[f];
		for (uint32_t i = 0; function->name == name && i < function->count; i++)
			durations[count++] = actors_time(times, function->first + i, measure);
	}
	qsort(durations, count, sizeof *durations, compare_times);
	return count;
}

static void
check_spread(const struct diff_row *row, enum diff_side side, const int64_t *durations, size_t count)
{
	const struct spread *spread = &row->spread[side];
	int64_t total_ns = 0;
	for (size_t i = 0; i < count; i++)
		total_ns += durations[i];
	assert_int_equal(row->count[side], count);
	assert_int_equal(spread->total_ns, total_ns);
	assert_int_equal(spread->max_ns, durations[count - 1]);
	assert_int_equal(spread->p50_ns, durations[(count + 1) / 2 - 1]);
	assert_int_equal(spread->p99_ns, durations[(count * 99 + 99) / 100 - 1]);
}

/* Row by row from the other end: each is what was gathered, which is nothing where a side has none. */
static void
check_side(const struct diff_states *diff, enum diff_side side, const char *name,
	bool is_of_regions)
{
	struct trace *trace = testing_load(name);
	struct actor_times times;
	uint32_t told = 0;
	build_times(&times, trace, is_of_regions);
	int64_t *durations = memory_realloc(NULL, (times.row_count + 1) * sizeof *durations);
	bool *is_named = memory_realloc(NULL, diff->row_count + 1);
	assert_true(durations != NULL && is_named != NULL);
	memset(is_named, 0, diff->row_count + 1);
	for (uint32_t f = 0; f < times.function_count; f++) {
		string_id id = times.functions[f].name;
		for (uint32_t measure = 0; measure < MEASURE_REASONS + times.reason_count; measure++) {
			size_t count = gather(&times, id, measure, durations);
			bool is_told = durations[count - 1] == 0 && measure != MEASURE_LIFE;
			for (uint32_t i = 0; i < diff->row_count; i++) {
				if (!is_about(&diff->rows[i], trace, &times, id, measure))
					continue;
				check_spread(&diff->rows[i], side, durations, count);
				is_told = is_named[i] = true;
			}
			assert_true(is_told);
		}
	}
	for (uint32_t i = 0; i < diff->row_count; i++) {
		told += is_named[i];
		if (!is_named[i])
			assert_int_equal(diff->rows[i].spread[side].total_ns, 0);
	}
	assert_true(told > 0 || times.function_count == 0);
	memory_free(is_named);
	memory_free(durations);
	actors_release(&times);
	trace_free(trace);
}

static void
states_are_those_of_each_trace(void **state)
{
	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_LENGTH(names); i++) {
		for (int is_of_regions = 0; is_of_regions < 2; is_of_regions++) {
			struct diff_states diff;
			diff_of(&diff, names[i], names[i + 1], is_of_regions);
			check_side(&diff, DIFF_BEFORE, names[i], is_of_regions);
			check_side(&diff, DIFF_AFTER, names[i + 1], is_of_regions);
			uint64_t last = UINT64_MAX;
			for (uint32_t n = 0; n < diff.row_count; n++) {
				const struct spread *spread = diff.rows[n].spread;
				uint64_t change =
					diff_distance(spread[0].total_ns, spread[1].total_ns);
				assert_true(change <= last);
				last = change;
			}
			diff_states_release(&diff);
		}
	}
}

static void
a_trace_differs_from_itself_in_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct diff_states diff;
		diff_of(&diff, names[i], names[i], false);
		assert_true(diff.row_count > 0);
		for (uint32_t n = 0; n < diff.row_count; n++)
			assert_false(diff_row_has_changed(&diff.rows[n]));
		diff_states_release(&diff);
	}
}

static void
the_other_way_round_sides_swap(void **state)
{
	(void)state;
	struct diff_states one, other;
	diff_of(&one, names[0], names[1], false);
	diff_of(&other, names[1], names[0], false);
	assert_int_equal(one.row_count, other.row_count);
	for (uint32_t i = 0; i < one.row_count; i++) {
		const struct diff_row *a = &one.rows[i], *b = &other.rows[i];
		assert_int_equal(a->measure, b->measure);
		assert_int_equal(a->name.length, b->name.length);
		assert_memory_equal(a->name.bytes, b->name.bytes, a->name.length);
		for (int side = 0; side < DIFF_SIDES; side++) {
			assert_int_equal(a->count[side], b->count[1 - side]);
			assert_memory_equal(&a->spread[side], &b->spread[1 - side],
				sizeof a->spread[side]);
		}
	}
	diff_states_release(&one);
	diff_states_release(&other);
}

/* ---- profiles */

static void
profile_diff_of(struct diff_profile *diff, const char *before, const char *after,
	enum profile_kind kind, bool is_inverted)
{
	const char *const sides[DIFF_SIDES] = { before, after };
	struct error err = { 0 };
	assert_true(diff_profile_init(diff, &err));
	for (int side = 0; side < DIFF_SIDES; side++) {
		struct trace *trace = testing_load(sides[side]);
		struct profile_scope scope = profile_whole(trace);
		struct profile profile;
		assert_true(profile_build(&profile, trace, kind, &scope, &err));
		assert_true(diff_profile_add(diff, (enum diff_side)side, &profile, is_inverted, &err));
		profile_release(&profile);
		trace_free(trace);
	}
	assert_true(diff_profile_sort(diff, &err));
}

static int64_t
value_of(const struct diff_profile *diff, uint32_t node, int side)
{
	return side == DIFF_AFTER ? diff->tree.nodes[node].value : diff->before[node];
}

static int64_t
self_of(const struct diff_profile *diff, uint32_t node, int side)
{
	return side == DIFF_AFTER ? diff->tree.nodes[node].self : diff->before_self[node];
}

/* The node that a call node of one trace became, found by name from the root on; CALL_NONE for none. */
static uint32_t
find_node(const struct diff_profile *diff, const struct call_tree *tree, uint32_t index)
{
	const struct call_node *wanted = &tree->nodes[index];
	if (wanted->parent == CALL_NONE)
		return 0;
	uint32_t parent = find_node(diff, tree, wanted->parent);
	const struct call_node *above = &diff->tree.nodes[parent];
	for (uint32_t i = 0; i < above->child_count; i++) {
		uint32_t child = diff->tree.children[above->first_child + i];
		const struct call_node *node = &diff->tree.nodes[child];
		if (node->name_length == wanted->name_length &&
			memcmp(node->name, wanted->name, node->name_length) == 0)
			return child;
	}
	return CALL_NONE;
}

static void
check_tree(const struct diff_profile *diff, int side, const struct call_tree *tree)
{
	uint32_t own = 0;
	for (uint32_t i = 0; i != CALL_NONE; i = call_tree_next(tree, i)) {
		uint32_t node = find_node(diff, tree, i);
		assert_true(node != CALL_NONE);
		assert_int_equal(value_of(diff, node, side), tree->nodes[i].value);
		assert_int_equal(self_of(diff, node, side), tree->nodes[i].self);
	}
	for (uint32_t i = 0; i < diff->tree.node_count; i++)
		own += value_of(diff, i, side) != 0;
	uint32_t theirs = 0;
	for (uint32_t i = 0; i < tree->node_count; i++)
		theirs += tree->nodes[i].value != 0;
	assert_int_equal(own, theirs);
}

static void
check_top(const struct diff_profile *diff, int side, const struct profile_top *top)
{
	uint32_t own = 0;
	for (uint32_t i = 0; i < top->row_count; i++) {
		const struct top_row *row = &top->rows[i];
		uint32_t n = 0;
		while (n < diff->row_count && (diff->rows[n].name.length != row->name_length ||
						      memcmp(diff->rows[n].name.bytes, row->name,
							      row->name_length) != 0))
			n++;
		assert_true(n < diff->row_count);
		assert_int_equal(diff->rows[n].flat[side], row->flat);
		assert_int_equal(diff->rows[n].cum[side], row->cum);
	}
	for (uint32_t n = 0; n < diff->row_count; n++)
		own += diff->rows[n].cum[side] != 0;
	assert_true(own <= top->row_count);
}

static void
check_profile(const struct diff_profile *diff, int side, const char *name, enum profile_kind kind,
	bool is_inverted)
{
	struct trace *trace = testing_load(name);
	struct profile_scope scope = profile_whole(trace);
	struct profile profile;
	struct call_tree tree;
	struct profile_top top;
	struct error err = { 0 };
	assert_true(profile_build(&profile, trace, kind, &scope, &err));
	assert_true(call_tree_build(&tree, &profile, is_inverted, &err));
	assert_true(profile_top_build(&top, &profile, NULL, &err));
	assert_int_equal(diff->total[side], profile_total(&profile));
	check_tree(diff, side, &tree);
	check_top(diff, side, &top);
	profile_top_release(&top);
	call_tree_release(&tree);
	profile_release(&profile);
	trace_free(trace);
}

static void
profiles_are_those_of_each_trace(void **state)
{
	(void)state;
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		for (int is_inverted = 0; is_inverted < 2; is_inverted++) {
			struct diff_profile diff;
			profile_diff_of(&diff, names[0], names[1], (enum profile_kind)kind,
				is_inverted);
			check_profile(&diff, DIFF_BEFORE, names[0], (enum profile_kind)kind,
				is_inverted);
			check_profile(&diff, DIFF_AFTER, names[1], (enum profile_kind)kind,
				is_inverted);
			diff_profile_release(&diff);
		}
	}
}

static void
a_profile_differs_from_itself_in_nothing(void **state)
{
	(void)state;
	struct diff_profile diff;
	profile_diff_of(&diff, names[3], names[3], PROFILE_SYNC, false);
	assert_true(diff.row_count > 0);
	for (uint32_t i = 0; i < diff.row_count; i++) {
		assert_int_equal(diff.rows[i].flat[0], diff.rows[i].flat[1]);
		assert_int_equal(diff.rows[i].cum[0], diff.rows[i].cum[1]);
	}
	for (uint32_t i = 0; i < diff.tree.node_count; i++)
		assert_int_equal(value_of(&diff, i, 0), value_of(&diff, i, 1));
	diff_profile_release(&diff);
}

static void
profiles_swap_the_other_way_round(void **state)
{
	(void)state;
	struct diff_profile one, other;
	profile_diff_of(&one, names[0], names[1], PROFILE_OFFCPU, false);
	profile_diff_of(&other, names[1], names[0], PROFILE_OFFCPU, false);
	assert_int_equal(one.row_count, other.row_count);
	for (uint32_t i = 0; i < one.row_count; i++) {
		assert_int_equal(one.rows[i].name.length, other.rows[i].name.length);
		assert_memory_equal(one.rows[i].name.bytes, other.rows[i].name.bytes,
			one.rows[i].name.length);
		for (int side = 0; side < DIFF_SIDES; side++) {
			assert_int_equal(one.rows[i].flat[side], other.rows[i].flat[1 - side]);
			assert_int_equal(one.rows[i].cum[side], other.rows[i].cum[1 - side]);
		}
	}
	uint32_t a = 0, b = 0;
	for (; a != CALL_NONE && b != CALL_NONE;
		a = call_tree_next(&one.tree, a), b = call_tree_next(&other.tree, b)) {
		assert_int_equal(value_of(&one, a, 0), value_of(&other, b, 1));
		assert_int_equal(value_of(&one, a, 1), value_of(&other, b, 0));
	}
	assert_true(a == CALL_NONE && b == CALL_NONE);
	diff_profile_release(&one);
	diff_profile_release(&other);
}

/* ---- what is printed */

struct printing {
	struct trace *trace; /* the one after */
	struct diff_source sources[DIFF_SIDES];
	struct report_options options;
	struct text out;
};

static void
printing_begin(struct printing *printing, const char *format, const char *before, const char *after)
{
	static const char *const formats[] = { "txt", "csv", "json" };
	*printing = (struct printing){ .trace = testing_load(after) };
	printing->options = (struct report_options){ .width_cells = 120, .depth = COLORS_NONE };
	while (strcmp(formats[printing->options.format], format) != 0)
		printing->options.format++;
	printing->options.limit = printing->options.format == REPORT_AS_TEXT ? 0 : 5;
	printing->sources[DIFF_BEFORE].length_ns = 1000000;
	printing->sources[DIFF_AFTER].length_ns = printing->trace->end_ns;
	printing->sources[DIFF_AFTER].actors = 1;
	text_add_string(&printing->sources[DIFF_BEFORE].name, before);
	text_add_string(&printing->sources[DIFF_AFTER].name, after);
}

static void
printing_end(struct printing *printing, const char *golden)
{
	golden_check(golden, &printing->out);
	text_release(&printing->sources[DIFF_BEFORE].name);
	text_release(&printing->sources[DIFF_AFTER].name);
	text_release(&printing->out);
	trace_free(printing->trace);
}

static void
check_states_printed(const char *format, const char *before, const char *after, const char *golden)
{
	struct printing printing;
	struct diff_states functions, regions;
	struct error err = { 0 };
	printing_begin(&printing, format, before, after);
	diff_of(&functions, before, after, false);
	diff_of(&regions, before, after, true);
	struct diff_tables tables = { .functions = &functions, .regions = &regions };
	memcpy(tables.sources, printing.sources, sizeof tables.sources);
	assert_true(report_diff(
		printing.trace, &tables, &printing.options, &printing.out, &err));
	diff_states_release(&functions);
	diff_states_release(&regions);
	printing_end(&printing, golden);
}

static void
states_are_printed(void **state)
{
	(void)state;
	check_states_printed("txt", "contention-go1.22", "contention-go1.23", "diff-states.txt");
	check_states_printed("csv", "contention-go1.22", "contention-go1.23", "diff-states.csv");
	check_states_printed("json", "contention-go1.22", "contention-go1.23", "diff-states.json");
	check_states_printed("txt", "tasks-go1.23", "tasks-go1.23", "diff-same.txt");
}

static void
what_was_compared_is_told(void **state)
{
	(void)state;
	struct printing printing;
	struct diff_states functions;
	struct error err = { 0 };
	printing_begin(&printing, "txt", "tasks-go1.23", "tasks-go1.23");
	diff_of(&functions, "tasks-go1.23", "tasks-go1.23", false);
	struct diff_tables tables = { .functions = &functions };
	printing.options.query = "name~main";
	memcpy(tables.sources, printing.sources, sizeof tables.sources);
	text_add_string(&tables.sources[DIFF_BEFORE].from_to, ", from 1 s to 2 s");
	assert_true(report_diff(
		printing.trace, &tables, &printing.options, &printing.out, &err));
	text_release(&tables.sources[DIFF_BEFORE].from_to);
	diff_states_release(&functions);
	printing_end(&printing, "diff-same-limited.txt");
}

typedef bool profile_report(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err);

static bool
folded(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	(void)trace;
	return report_diff_folded(profiles, options, out, err);
}

static bool
flamegraph(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	if (!report_diff_flamegraph(trace, profiles, options, out, err))
		return false;
	char *script = strstr(out->bytes, "<script>");
	assert_non_null(script);
	out->length = (size_t)(script - out->bytes);
	*script = '\0';
	return true;
}

static void
profiles_are_printed(void **state)
{
	static const struct {
		profile_report *report;
		const char *format, *golden;
	} rows[] = {
		{ report_diff_top, "txt", "diff-top.txt" },
		{ report_diff_top, "csv", "diff-top.csv" },
		{ report_diff_tree, "txt", "diff-tree.txt" },
		{ report_diff_tree, "json", "diff-tree.json" },
		{ folded, "txt", "diff-folded.txt" },
		{ flamegraph, "txt", "diff-flamegraph.svg" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct printing printing;
		struct diff_profile diff;
		struct error err = { 0 };
		const struct profile_request request = { .kind = PROFILE_SYNC };
		bool is_tree = rows[i].report == report_diff_tree;
		printing_begin(
			&printing, rows[i].format, "contention-go1.22", "contention-go1.23");
		profile_diff_of(
			&diff, "contention-go1.22", "contention-go1.23", PROFILE_SYNC, is_tree);
		struct diff_profiles profiles = { .request = &request, .diff = &diff };
		memcpy(profiles.sources, printing.sources, sizeof profiles.sources);
		assert_true(rows[i].report(
			printing.trace, &profiles, &printing.options, &printing.out, &err));
		diff_profile_release(&diff);
		printing_end(&printing, rows[i].golden);
	}
}

/* ---- without memory */

static struct trace *faulty;

static bool
diff_with_itself(struct error *err)
{
	struct profile_scope scope = profile_whole(faulty);
	struct profile profile = { 0 };
	struct diff_states states = { .rows = NULL };
	struct diff_profile diff = { .rows = NULL };
	struct actors_scope all = { .t1_ns = faulty->end_ns };
	bool is_fine = profile_build(&profile, faulty, PROFILE_SYNC, &scope, err);
	is_fine = is_fine && diff_states_init(&states, err) && diff_profile_init(&diff, err);
	for (int side = 0; side < DIFF_SIDES && is_fine; side++)
		is_fine = diff_states_add(&states, (enum diff_side)side, faulty, actors_build,
				  &all, err) &&
			  diff_profile_add(&diff, (enum diff_side)side, &profile, false, err);
	is_fine = is_fine && diff_profile_sort(&diff, err);
	diff_states_release(&states);
	diff_profile_release(&diff);
	profile_release(&profile);
	return is_fine;
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	faulty = testing_load("contention-go1.23");
	fail_each_allocation("difference", diff_with_itself);
	trace_free(faulty);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_are_those_of_each_trace),
		cmocka_unit_test(a_trace_differs_from_itself_in_nothing),
		cmocka_unit_test(the_other_way_round_sides_swap),
		cmocka_unit_test(profiles_are_those_of_each_trace),
		cmocka_unit_test(a_profile_differs_from_itself_in_nothing),
		cmocka_unit_test(profiles_swap_the_other_way_round),
		cmocka_unit_test(states_are_printed),
		cmocka_unit_test(what_was_compared_is_told),
		cmocka_unit_test(profiles_are_printed),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
