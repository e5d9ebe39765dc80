/* Texts that leave room for the words of a trace. */
#include "base_testing.h"
#include "gotrace/words.h"
#include "trace/words.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_stand_for_what_is_in_braces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
