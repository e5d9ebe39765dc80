/* Texts that leave room for the words of a trace. */
#include <ctype.h>
#include <string.h>

#include "analysis/go/mutator.h"
#include "analysis/latency_kind.h"
#include "base_testing.h"
#include "report/critical.h"
#include "report/diff.h"
#include "report/moment.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/task.h"
#include "resulttesting.h"
#include "source/go/words.h"
#include "trace/lane_name.h"
#include "trace/words.h"
#include "tracetesting.h"
#include "tracetesting.h"

static void
words_stand_for_what_is_in_braces(void **state)
{
	static const struct {
		const char *pattern, *of_go, *plain;
	} rows[] = {
		{ "", "", "" },
		{ "no word", "no word", "no word" },
		{ "{actor}", "goroutine", "actor" },
		{ "{actors}{threads}", "goroutinesthreads", "actorsthreads" },
		{ "{Actors} by {group}", "Goroutines by group", "Actors by group" },
		{ "{an actor} on {a processor}", "a goroutine on {a processor}",
			"an actor on {a processor}" },
		{ "{An actor} on {an processor}", "A goroutine on a proc", "An actor on a processor" },
		{ "{actor's}, {actor", "{actor's}, {actor", "{actor's}, {actor" },
		{ "{ {} {s} {actorss} {actor}}", "{ {} {s} {actorss} goroutine}",
			"{ {} {s} {actorss} actor}" },
	};
	struct text out = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		text_clear(&out);
		text_add_words(&out, &go_words, rows[i].pattern);
		assert_string_equal(text_string(&out), rows[i].of_go);
		text_clear(&out);
		text_add_words(&out, &words_plain, rows[i].pattern);
		assert_string_equal(text_string(&out), rows[i].plain);
	}
	text_clear(&out);
	text_format_words(&out, &go_words, "%d {actors} of {task} %s, %d%%", 3, "{actor}", 40);
	assert_string_equal(text_string(&out), "3 goroutines of task {actor}, 40%");
	text_release(&out);
}

static void
ids_have_a_letter_or_the_word(void **state)
{
	const struct noun task = { "task", "tasks", '\0' };
	struct text out = { 0 };
	(void)state;
	text_add_id(&out, &go_words.actor, 42);
	text_add_string(&out, ", ");
	text_add_id(&out, &task, INT64_MIN);
	assert_string_equal(text_string(&out), "G42, task -9223372036854775808");
	text_release(&out);
}

/* In the source's words, and no other's. */
static void
names_of_lanes_lead_back(void **state)
{
	static const struct words kernel = {
		.source = "kernel",
		.actor = { "task", "tasks", '\0' },
		.processor = { "CPU", "CPUs", '\0' },
		.thread = { NULL, NULL, '\0' },
		.group = { "process", "processes", '\0' },
		.task = { "packet", "packets", '\0' },
	};
	struct trace *trace = testing_load("httpserver-go1.23");
	const struct lane lanes[] = { { LANE_ACTOR, 3 }, { LANE_PROCESSOR, 1 } };
	struct lane lane;
	struct text name = { 0 };
	(void)state;
	trace->words = &kernel;
	for (size_t i = 0; i < ARRAY_LENGTH(lanes); i++) {
		text_clear(&name);
		lane_name_add(&name, trace, lanes[i]);
		assert_int_equal(strncmp(name.bytes, i == 0 ? "task " : "CPU ", 4), 0);
		assert_true(lane_name_find(trace, name.bytes, &lane));
		assert_int_equal(lane.type, lanes[i].type);
		assert_int_equal(lane.ref, lanes[i].ref);
	}
	assert_false(lane_name_find(trace, "G1", &lane));
	assert_false(lane_name_find(trace, "task 999999", &lane));
	assert_false(lane_name_find(trace, "task ", &lane));
	assert_false(lane_name_find(trace, "task1", &lane));
	assert_false(lane_name_find(trace, " 1", &lane));
	text_release(&name);
	trace_free(trace);
}

static void
a_noun_that_the_source_lacks_is_the_models(void **state)
{
	static const struct words few = { .actor = { "job", "jobs", '\0' } };
	struct text out = { 0 };
	(void)state;
	text_add_words(&out, &few, "{Actors} on {an processor}, {threads}");
	assert_string_equal(text_string(&out), "Jobs on a processor, threads");
	text_release(&out);
}

static void
a_title_is_a_word_or_what_it_was(void **state)
{
	static const char plain[] = "state", two[] = "{actor} of {group}";
	(void)state;
	assert_string_equal(words_title(&go_words, "{actor}"), "goroutine");
	assert_string_equal(words_title(&words_plain, "{processors}"), "processors");
	assert_ptr_equal(words_title(&go_words, plain), plain);
	assert_ptr_equal(words_title(&go_words, two), two);
	assert_string_equal(words_title(&go_words, ""), "");
	assert_string_equal(words_key(&go_words, "{id}"), "g");
	assert_string_equal(words_key(&words_plain, "{id}"), "actor");
	assert_string_equal(words_key(&go_words, "{processor}"), "proc");
	assert_string_equal(words_key(&go_words, "count"), "count");
	assert_string_equal(words_title(&go_words, "{}"), "{}");
}

static void
errors_have_the_sources_words(void **state)
{
	struct error err;
	(void)state;
	error_clear(&err);
	assert_false(error_set_words(&err, ERROR_USAGE, &go_words, "no {actor} %d, %s", 42, "{actor}"));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "no goroutine 42, {actor}");
}

/* ---- reports of a trace whose words are nobody's */

static const struct words made_up = {
	.source = "made-up",
	.actor = { "fiber", "fibers", 'F' },
	.processor = { "engine", "engines", 'E' },
	.thread = { "carrier", "carriers", '\0' },
	.group = { "crowd", "crowds", '\0' },
	.task = { "errand", "errands", 'R' },
};

static const struct report_options as_text = { .file_name = "some.trace", .width_cells = 200 };

/* One that did something, so that all columns have values. */
static actor_ref
busiest(const struct trace *trace)
{
	actor_ref found = 0;
	for (actor_ref i = 1; i < trace_actor_count(trace); i++)
		if (trace_actor(trace, i)->state_count > trace_actor(trace, found)->state_count)
			found = i;
	return found;
}

static bool
tell_diff(const struct trace *trace, struct text *out, struct error *err)
{
	struct diff_states none = { 0 };
	struct diff_tables tables = { .functions = &none };
	for (int side = 0; side < DIFF_SIDES; side++)
		tables.sources[side].actors = 1 + (unsigned)side;
	return report_diff(trace, &tables, &as_text, out, err);
}

/* Every report that is a text, by its name; lanes and findings are drawn with the words of draw/. */
static bool
tell(const char *report, const struct trace *trace, struct text *out, struct error *err)
{
	struct report_options options = as_text;
	struct profile_request profile = { .kind = PROFILE_SCHED, .scope = profile_whole(trace) };
	actor_ref actor = busiest(trace);
	if (strcmp(report, "summary") == 0)
		return report_summary(trace, &options, out, err);
	if (strcmp(report, "goroutine") == 0)
		return report_actor(trace, trace_actor(trace, actor)->id, &options, out, err);
	if (strcmp(report, "states") == 0)
		return report_actor_states(trace, actor, &options, out, err);
	if (strcmp(report, "critical-path") == 0)
		return report_critical(trace, actor, REF_NONE, &options, out, err);
	options.cursor_ns = trace->end_ns / 2;
	if (strcmp(report, "dump") == 0)
		return report_moment(trace, &options, out, err);
	if (strcmp(report, "top") == 0)
		return report_top(trace, &profile, &options, out, err);
	if (strcmp(report, "tree") == 0)
		return report_tree(trace, &profile, &options, out, err);
	static const char *const plain[] = { "goroutines", "regions", "tasks", "gc", "stw",
		"utilisation" };
	for (size_t i = 0; i < ARRAY_LENGTH(plain); i++)
		if (strcmp(report, plain[i]) == 0)
			return testing_result(report, trace, &options, out, err);
	if (strcmp(report, "function") == 0)
		return testing_result_with(report,
			trace_text(trace, trace_actor(trace, actor)->name, NULL), trace, &options, out, err);
	if (strcmp(report, "task") == 0)
		return report_task(trace, 0, &options, out, err);
	if (strcmp(report, "mmu") == 0)
		return testing_result_with(
			report, "stw,background,assist,proc", trace, &options, out, err);
	if (strcmp(report, "latency") == 0 || strcmp(report, "heat") == 0)
		return testing_result_with(report, "sched", trace, &options, out, err);
	assert_string_equal(report, "diff");
	return tell_diff(trace, out, err);
}

/* What is told all the same: reasons and names that the trace itself brings. */
static const struct {
	const char *report, *text;
} of_go[] = {
	{ "goroutine", "system goroutine wait" },
	{ "states", "system goroutine wait" },
	{ "dump", "system goroutine wait" },
	{ "goroutines", "system goroutine wait" },
	{ "function", "system goroutine wait" },
	{ "critical-path", "system goroutine wait" },
	{ "regions", "goroutine ends" },
};

/* Puts blanks in the place of what is of Go. */
static void
blank(const char *report, char *text)
{
	for (size_t i = 0; i < ARRAY_LENGTH(of_go); i++) {
		if (strcmp(of_go[i].report, report) != 0)
			continue;
		for (char *at = text; (at = strstr(at, of_go[i].text)) != NULL;)
			memset(at, ' ', strlen(of_go[i].text));
	}
}

/* Where the text says one of Go's words; within a name, after a dot or a letter, it does not. */
static const char *
find_word_of_go(const char *text)
{
	static const char *const foreign[] = { "goroutine", "Goroutine", "proc", "Procs", "thread",
		"{actor", "{an ", "{processor", "{thread" };
	for (const char *at = text; *at != '\0'; at++) {
		if (at > text && strchr(" \n(,", at[-1]) == NULL)
			continue;
		for (size_t i = 0; i < ARRAY_LENGTH(foreign); i++)
			if (strncmp(at, foreign[i], strlen(foreign[i])) == 0)
				return at;
	}
	return NULL;
}

/* "G42", "P0" or "M3", which stand as words of their own. */
static const char *
find_id(const char *text)
{
	for (const char *at = text; *at != '\0'; at++)
		if (strchr("GPM", *at) != NULL && isdigit((unsigned char)at[1]) &&
			(at == text || at[-1] == ' ' || at[-1] == '\n'))
			return at;
	return NULL;
}

static void
reports_have_no_words_but_the_traces(void **state)
{
	static const char *const traces[] = { "httpserver-go1.26", "tasks-go1.23", "gcheavy-go1.26" };
	static const struct {
		const char *report;
		const char *said; /* in this case, of tasks-go1.23 */
	} reports[] = {
		{ "summary", "engines, carriers" },
		{ "summary", "All fibers by name" },
		{ "goroutine", "carrier" },
		{ "states", "" },
		{ "critical-path", "fiber" },
		{ "dump", " fibers at " },
		{ "top", "" },
		{ "tree", "" },
		{ "goroutines", "All fibers" },
		{ "function", "Fibers" },
		{ "regions", "" },
		{ "tasks", "" },
		{ "task", "fiber" },
		{ "gc", "" },
		{ "stw", "" },
		{ "utilisation", "Utilisation of the engines" },
		{ "mmu", "each engine for itself" },
		{ "latency", "" },
		{ "heat", "" },
		{ "diff", "1 fiber\n" },
		{ "diff", "2 fibers\n" },
		{ "diff", "All fibers by name, what changed most first" },
	};
	(void)state;
	for (size_t t = 0; t < ARRAY_LENGTH(traces); t++) {
		struct trace *trace = testing_load(traces[t]);
		trace->words = &made_up;
		for (size_t i = 0; i < ARRAY_LENGTH(reports); i++) {
			const char *report = reports[i].report;
			struct text out = { 0 };
			struct error err;
			error_clear(&err);
			if (strcmp(report, "task") == 0 && trace->tasks.count == 0)
				continue;
			if (!tell(report, trace, &out, &err))
				fail_msg("%s of %s: %s", report, traces[t], err.message);
			text_add(&out, "", 1);
			if (t == 1 && strstr(out.bytes, reports[i].said) == NULL)
				fail_msg("%s does not say %s:\n%s", report, reports[i].said, out.bytes);
			blank(report, out.bytes);
			if (find_word_of_go(out.bytes) != NULL)
				fail_msg("%s of %s: %.120s", report, traces[t],
					find_word_of_go(out.bytes));
			if (find_id(out.bytes) != NULL)
				fail_msg("%s of %s: %.80s", report, traces[t], find_id(out.bytes));
			text_release(&out);
		}
		trace_free(trace);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_stand_for_what_is_in_braces),
		cmocka_unit_test(ids_have_a_letter_or_the_word),
		cmocka_unit_test(names_of_lanes_lead_back),
		cmocka_unit_test(a_noun_that_the_source_lacks_is_the_models),
		cmocka_unit_test(a_title_is_a_word_or_what_it_was),
		cmocka_unit_test(errors_have_the_sources_words),
		cmocka_unit_test(reports_have_no_words_but_the_traces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
