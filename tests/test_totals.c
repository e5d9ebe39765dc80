/* What every page that tells it must tell alike: the time of a kind of wait, in each form. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency_kind.h"
#include "analysis/profile.h"
#include "base_testing.h"
#include "report/flamegraph.h"
#include "report/profile.h"
#include "resulttesting.h"
#include "trace/lane.h"
#include "tracetesting.h"

struct question {
	const char *name; /* of the trace */
	const struct trace *trace;
	enum profile_kind kind;
	struct report_options options;
};

typedef bool (*profile_report)(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err);

/* ---- reading what was printed */

/* The field of a line of CSV; none of those before it has a comma. */
static const char *
field(const char *line, int column)
{
	for (; column > 0; column--)
		line = strchr(line, ',') + 1;
	return line;
}

/* The sum of a column of a table in CSV, which is named by its title. */
static int64_t
sum_column(const struct question *of, const struct text *csv, const char *title)
{
	const char *line = csv->bytes, *end = strchr(line, '\n');
	size_t length = strlen(title);
	int64_t sum = 0;
	int column = 0;
	for (; strncmp(field(line, column), title, length) != 0; column++)
		if (strchr(field(line, column), ',') == NULL || strchr(field(line, column), ',') > end)
			fail_msg("%s: there is no column %s", of->name, title);
	for (line = end + 1; *line != '\0'; line = strchr(line, '\n') + 1)
		sum += strtoll(field(line, column), NULL, 10);
	return sum;
}

/* Of JSON lines, of all that have it. */
static int64_t
sum_key(const struct text *json, const char *key)
{
	int64_t sum = 0;
	for (const char *at = json->bytes; (at = strstr(at, key)) != NULL; at += strlen(key))
		sum += strtoll(at + strlen(key), NULL, 10);
	return sum;
}

/* The numbers at the ends of lines. */
static int64_t
sum_folded(const struct text *folded)
{
	int64_t sum = 0;
	for (char *line = folded->bytes, *end; line != NULL && *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		sum += strtoll(strrchr(line, ' ') + 1, NULL, 10);
	}
	return sum;
}

/* ---- asking */

static void
print_profile(const struct question *of, profile_report print, enum report_format format,
	struct text *out)
{
	struct profile_request request = { .kind = of->kind, .scope = profile_whole(of->trace) };
	struct report_options options = of->options;
	struct error err = { 0 };
	options.format = format;
	request.scope.with_runtime = options.with_runtime;
	if (options.has_interval) {
		request.scope.t0_ns = options.t0_ns;
		request.scope.t1_ns = options.t1_ns;
	}
	text_clear(out);
	if (!print(of->trace, &request, &options, out, &err))
		fail_msg("%s: %s", of->name, err.message);
}

static void
must_equal(const struct question *of, const char *page, int64_t got, int64_t wanted)
{
	if (got != wanted)
		fail_msg("%s: %s: %s has %" PRId64 " ns, the index %" PRId64, of->name,
			profile_name(of->kind), page, got, wanted);
}

static int64_t
sum_classes(const struct question *of, const int64_t totals_ns[CLASS_COUNT])
{
	int64_t sum_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		if (profile_classes(of->kind) & CLASS_BIT(i))
			sum_ns += totals_ns[i];
	return sum_ns;
}

/* Of all goroutines, less those of the runtime where they do not count. */
static int64_t
index_total(const struct question *of)
{
	int64_t totals_ns[CLASS_COUNT], sum_ns;
	int64_t t0_ns = of->options.has_interval ? of->options.t0_ns : 0;
	int64_t t1_ns = of->options.has_interval ? of->options.t1_ns : of->trace->end_ns;
	lane_totals(of->trace, (struct lane){ LANE_ALL, 0 }, t0_ns, t1_ns, totals_ns);
	sum_ns = sum_classes(of, totals_ns);
	for (group_ref i = 0; i < of->trace->group_count && !of->options.with_runtime; i++) {
		size_t length;
		const char *name = trace_text(of->trace, of->trace->groups[i].name, &length);
		if (!text_has_prefix(name, length, "runtime.") &&
			!text_has_prefix(name, length, "runtime/"))
			continue;
		lane_totals(of->trace, (struct lane){ LANE_GROUP, i }, t0_ns, t1_ns, totals_ns);
		sum_ns -= sum_classes(of, totals_ns);
	}
	return sum_ns;
}

static void
check_forms(const struct question *of)
{
	struct text out = { 0 };
	int64_t wanted = index_total(of);
	print_profile(of, report_top, REPORT_AS_CSV, &out);
	must_equal(of, "top", sum_column(of, &out, "flat_ns"), wanted);
	print_profile(of, report_tree, REPORT_AS_CSV, &out);
	must_equal(of, "tree", sum_column(of, &out, "self_ns"), wanted);
	print_profile(of, report_folded, REPORT_AS_TEXT, &out);
	must_equal(of, "folded", sum_folded(&out), wanted);
	print_profile(of, report_flamegraph, REPORT_AS_TEXT, &out);
	const char *root = strstr(out.bytes, "data-value=\"");
	assert_non_null(root);
	must_equal(of, "svg", strtoll(root + strlen("data-value=\""), NULL, 10), wanted);
	text_release(&out);
}

static void
check_goroutines(const struct question *of)
{
	static const char *const columns[PROFILE_KIND_COUNT] = {
		[PROFILE_SYSCALL] = "syscall_ns", [PROFILE_SCHED] = "ready_ns"
	};
	struct report_options options = of->options;
	struct text out = { 0 };
	struct error err = { 0 };
	if (!options.with_runtime) /* which lists all of them */
		return;
	options.format = REPORT_AS_CSV;
	assert_true(testing_result("goroutines", of->trace, &options, &out, &err));
	char *end = strstr(out.bytes, "\n\n"); /* of the first of the tables */
	if (end != NULL)
		end[1] = '\0';
	if (columns[of->kind] != NULL)
		must_equal(of, "goroutines", sum_column(of, &out, columns[of->kind]),
			index_total(of));
	if (of->kind == PROFILE_OFFCPU)
		must_equal(of, "goroutines",
			sum_column(of, &out, "ready_ns") + sum_column(of, &out, "syscall_ns") +
				sum_column(of, &out, "blocked_ns"),
			index_total(of));
	text_release(&out);
}

/* Latencies are told whole wherever they lie, so only of all of the trace. */
static void
check_latency(const struct question *of)
{
	static const char *const kinds[PROFILE_KIND_COUNT] = {
		[PROFILE_NET] = "block=network",
		[PROFILE_SYSCALL] = "syscall",
		[PROFILE_SCHED] = "sched",
	};
	struct report_options options = of->options;
	struct text out = { 0 };
	struct error err = { 0 };
	if (kinds[of->kind] == NULL || options.has_interval)
		return;
	options.format = REPORT_AS_JSON;
	assert_true(testing_result_with(
		"latency", kinds[of->kind], of->trace, &options, &out, &err));
	must_equal(of, "latency", sum_key(&out, "\"total_ns\":"), index_total(of));
	text_release(&out);
}

static void
check_trace(const char *name)
{
	struct trace *trace = testing_load(name);
	struct question of = { .name = name, .trace = trace };
	of.options = (struct report_options){ .width_cells = 100, .file_name = name };
	for (int i = 0; i < 4 * PROFILE_KIND_COUNT; i++) {
		of.kind = (enum profile_kind)(i / 4);
		of.options.with_runtime = i % 4 > 1;
		of.options.has_interval = i % 2 > 0 && trace->end_ns > 3;
		of.options.t0_ns = trace->end_ns / 3;
		of.options.t1_ns = trace->end_ns / 3 * 2;
		if (of.kind == PROFILE_CPU) /* has no times */
			continue;
		check_forms(&of);
		check_goroutines(&of);
		check_latency(&of);
	}
	trace_free(trace);
}

static void
totals_agree_between_pages(void **state)
{
	(void)state;
	testing_each(".trace", check_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_agree_between_pages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
