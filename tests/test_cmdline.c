/* The line behind ":": names and their beginnings, counts, arguments, completion. */
#include "base_testing.h"

#include <string.h>

#include "analysis/registry.h"
#include "app/argument.h"
#include "app/cmdline.h"
#include "source/go/words.h"
#include "trace/notes.h"
#include "trace/words.h"
#include "view/analysis.h"

static void
check_parsed(const char *line, enum command command, long count, const char *argument)
{
	struct cmdline cmdline;
	struct error err;
	error_clear(&err);
	if (!cmdline_parse(line, IN_TIMELINE, &cmdline, &err))
		fail_msg("\"%s\" is refused: %s", line, err.message);
	assert_int_equal(cmdline.command, command);
	assert_int_equal(cmdline.count, count);
	if (argument == NULL)
		assert_null(cmdline.argument);
	else
		assert_string_equal(cmdline.argument, argument);
}

static void
check_refused(const char *line, unsigned context, const char *wanted)
{
	struct cmdline cmdline;
	struct error err;
	error_clear(&err);
	if (cmdline_parse(line, context, &cmdline, &err))
		fail_msg("\"%s\" is taken", line);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (strcmp(err.message, wanted) != 0)
		fail_msg("\"%s\" is refused with: %s", line, err.message);
}

static void
names_counts_and_arguments_are_taken(void **state)
{
	(void)state;
	check_parsed("zoom-in", COMMAND_ZOOM_IN, 1, NULL);
	check_parsed("  3 zoom-in  ", COMMAND_ZOOM_IN, 3, NULL);
	check_parsed("5next-span", COMMAND_NEXT_SPAN, 5, NULL);
	check_parsed("jump  +10ms", COMMAND_JUMP, 1, "+10ms");
	check_parsed("2 search a b  c", COMMAND_SEARCH, 2, "a b  c");
	check_parsed("99999999999999999999 down", COMMAND_DOWN, CMDLINE_MAX_COUNT, NULL);
	check_parsed("0 down", COMMAND_DOWN, 1, NULL);
}

static void
the_beginning_of_a_name_will_do(void **state)
{
	(void)state;
	check_parsed("q", COMMAND_QUIT, 1, NULL);
	check_parsed("zoom-i", COMMAND_ZOOM_IN, 1, NULL);
	/* Of two names one of which begins the other, the short one is meant. */
	check_parsed("up", COMMAND_UP, 1, NULL);
	check_refused("zoom", IN_TIMELINE, "zoom may be zoom-in or zoom-out");
}

static void
what_is_wrong_is_told(void **state)
{
	(void)state;
	check_refused("", IN_TIMELINE, "wanted the name of a command");
	check_refused(" 12 ", IN_TIMELINE, "wanted the name of a command");
	check_refused("fly", IN_TIMELINE, "there is no command fly");
	check_refused("zoom-in", IN_HELP, "zoom-in does nothing here");
	check_refused("zoom-i", IN_HELP, "there is no command zoom-i");
	check_refused("left 3", IN_TIMELINE, "left takes nothing behind its name");
}

static void
every_name_is_completed_and_described_in_its_contexts(void **state)
{
	(void)state;
	static const unsigned contexts[] = { IN_TIMELINE, IN_DETAIL, IN_HELP };
	for (size_t c = 0; c < ARRAY_LENGTH(contexts); c++) {
		size_t applying = 0;
		struct text out = { 0 };
		for (int i = 0; i < COMMAND_COUNT; i++) {
			const struct command_row *row = command_row((enum command)i);
			if ((row->contexts & contexts[c]) == 0)
				continue;
			applying++;
			text_clear(&out);
			cmdline_describe(contexts[c], NULL, row->name, &out);
			bool is_shown = strstr(out.bytes, row->help) != NULL ||
					strstr(out.bytes, "  ") != NULL;
			if (!is_shown)
				fail_msg("%s is described as \"%s\"", row->name, out.bytes);
		}
		size_t completions = 0;
		while (text_clear(&out), cmdline_complete(contexts[c], NULL, "", completions, &out))
			completions++;
		assert_int_equal(completions, applying);
		text_release(&out);
	}
}

static void
completion_keeps_the_count_and_leaves_arguments_alone(void **state)
{
	(void)state;
	struct text out = { 0 };
	assert_true(cmdline_complete(IN_TIMELINE, NULL, " 5 zo", 1, &out));
	assert_string_equal(out.bytes, " 5 zoom-out");
	text_clear(&out);
	assert_true(cmdline_complete(IN_TIMELINE, NULL, "jum", 0, &out));
	assert_string_equal(out.bytes, "jump ");
	assert_false(cmdline_complete(IN_TIMELINE, NULL, "jum", 1, &out));
	assert_false(cmdline_complete(IN_TIMELINE, NULL, "jump 1", 0, &out));
	assert_false(cmdline_complete(IN_TIMELINE, NULL, "fly", 0, &out));
	text_clear(&out);
	cmdline_describe(IN_TIMELINE, NULL, "jump 1", &out);
	assert_non_null(strstr(out.bytes, "TIME: ask for a time"));
	text_release(&out);
}

/* All completions, with a blank behind each. */
static void
check_arguments(enum command command, const char *argument, const char *wanted)
{
	struct bookmark marks[] = { { .name = "slow" }, { .name = "slower" }, { .name = "a\x1b" },
		{ .name = "h\xc3\xa9" }, { .name = "\xff" } };
	const struct notes notes = { .bookmarks = marks, .count = ARRAY_LENGTH(marks) };
	const struct prompt_place place = { IN_TIMELINE, &notes, &words_plain, ~0u };
	const struct prompt_place bare = { IN_TIMELINE, NULL, &words_plain, 0 };
	struct text all = { 0 }, one = { 0 };
	for (size_t i = 0; text_clear(&one), argument_complete(command, &place, argument, i, &one); i++)
		text_format(&all, "%s ", one.bytes);
	check_text(argument, all.length > 0 ? all.bytes : "", wanted);
	assert_false(argument_complete(COMMAND_BOOKMARK, &bare, argument, 0, &one));
	text_release(&all);
	text_release(&one);
}

static void
arguments_are_completed(void **state)
{
	(void)state;
	check_arguments(COMMAND_MARK, "", "a b ");
	check_arguments(COMMAND_MARK, "b", "b ");
	check_arguments(COMMAND_MARK, "c", "");
	check_arguments(COMMAND_GROUP_LANES, "", "name creator label task state ");
	check_arguments(COMMAND_PALETTE, "li", "light ");
	check_arguments(COMMAND_BOOKMARK, "s", "slow slower ");
	check_arguments(COMMAND_BOOKMARK, "", "slow slower h\xc3\xa9 ");
	check_arguments(COMMAND_COUNT_SPANS, "state=bl", "state=blocked ");
	check_arguments(COMMAND_JUMP, "1", "");
	check_arguments(COMMAND_ANALYSE, "g", "gc ");
	check_arguments(COMMAND_ANALYSE, "act", "actors ");
	check_arguments(COMMAND_ANALYSE, "longest", "longest:stw ");
	check_arguments(COMMAND_ANALYSE, "zz", "");
}

/* By what they need, all of the registry without a row of their own in the menu. */
static void
analyses_are_offered_where_they_make_sense(void **state)
{
	const struct analysis_kind *kind;
	const char *name;
	(void)state;
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		if (kind->read != NULL)
			continue;
		bool is_offered = false;
		for (size_t at = 0; (name = analysis_offered(&go_words, kind->needs, at)) != NULL; at++)
			is_offered = is_offered || strcmp(name, kind->name) == 0;
		if (!is_offered)
			fail_msg("%s is in no list", kind->name);
		for (size_t at = 0; (name = analysis_offered(&go_words, 0, at)) != NULL; at++)
			if (kind->needs != 0 && strcmp(name, kind->name) == 0)
				fail_msg("%s is offered without what it needs", kind->name);
	}
	for (size_t at = 0; (name = analysis_offered(&go_words, NEEDS_SLICES, at)) != NULL; at++)
		if (strchr(name, ':') != NULL && strcmp(name, "top:slices") != 0)
			fail_msg("%s is offered where there are only slices", name);
}

static void
arguments_are_found_in_the_line(void **state)
{
	(void)state;
	enum command command;
	check_text("mark", cmdline_argument(" 2 mark  a", IN_TIMELINE, &command), "a");
	assert_int_equal(command, COMMAND_MARK);
	check_text("mark", cmdline_argument("mark ", IN_TIMELINE, &command), "");
	assert_null(cmdline_argument("mark", IN_TIMELINE, &command));
	assert_null(cmdline_argument("fly a", IN_TIMELINE, &command));
	assert_null(cmdline_argument("mark a", IN_HELP, &command));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_counts_and_arguments_are_taken),
		cmocka_unit_test(the_beginning_of_a_name_will_do),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(every_name_is_completed_and_described_in_its_contexts),
		cmocka_unit_test(completion_keeps_the_count_and_leaves_arguments_alone),
		cmocka_unit_test(arguments_are_completed),
		cmocka_unit_test(analyses_are_offered_where_they_make_sense),
		cmocka_unit_test(arguments_are_found_in_the_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
