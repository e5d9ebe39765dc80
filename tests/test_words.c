/* Texts that leave room for the words of a trace. */
#include "base_testing.h"
#include "gotrace/words.h"
#include "trace/lane_name.h"
#include "trace/words.h"
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
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
