/* Every command has a key wherever it applies, and no key has two meanings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/keys.h"

static const struct {
	const char *name;
	unsigned bit;
} contexts[] = { { "timeline", IN_TIMELINE }, { "detail", IN_DETAIL }, { "help", IN_HELP } };

enum { CONTEXTS = sizeof contexts / sizeof contexts[0] };

static void
every_command_has_a_key_in_each_of_its_contexts(void **state)
{
	(void)state;
	for (int command = 0; command < COMMAND_COUNT; command++) {
		const struct command_row *row = command_row((enum command)command);
		for (int i = 0; i < CONTEXTS; i++) {
			struct text keys = { 0 };
			keys_add_names(keys_usual(), &keys, (enum command)command, contexts[i].bit);
			bool applies = (row->contexts & contexts[i].bit) != 0;
			if (applies && keys.length == 0)
				fail_msg("%s has no key in the %s", row->name, contexts[i].name);
			if (!applies && keys.length > 0)
				fail_msg("%s does not apply in the %s but %s is its key", row->name,
					contexts[i].name, keys.bytes);
			text_release(&keys);
		}
	}
}

static void
no_key_has_two_meanings_in_a_context(void **state)
{
	(void)state;
	const struct key_row *rows = keys_usual()->rows;
	size_t count = keys_usual()->count;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			if (strcmp(rows[i].key, rows[j].key) == 0 &&
				(rows[i].contexts & rows[j].contexts) != 0)
				fail_msg("%s is %s and %s", rows[i].key,
					command_row(rows[i].command)->name,
					command_row(rows[j].command)->name);
		}
	}
}

static void
a_key_is_found_where_it_applies_only(void **state)
{
	(void)state;
	enum command command = COMMAND_QUIT;
	assert_true(keys_find(keys_usual(), "]", IN_TIMELINE, &command));
	assert_int_equal(command, COMMAND_NEXT_SPAN);
	assert_false(keys_find(keys_usual(), "]", IN_HELP, &command));
	assert_int_equal(command, COMMAND_NEXT_SPAN);
	assert_true(keys_find(keys_usual(), "Home", IN_HELP, &command));
	assert_int_equal(command, COMMAND_FIRST_ROW);
	assert_true(keys_find(keys_usual(), "Home", IN_TIMELINE, &command));
	assert_int_equal(command, COMMAND_TRACE_START);
	assert_false(keys_find(keys_usual(), "", IN_TIMELINE, &command));
}

static void
digits_but_zero_stay_free_for_counts(void **state)
{
	(void)state;
	static const char *const digits[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	enum command command;
	for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++)
		assert_false(keys_find(keys_usual(), digits[i], IN_ANY, &command));
}

static void
hints_name_keys_that_exist(void **state)
{
	(void)state;
	size_t count;
	const struct key_hint *hints = keys_hints(&count);
	for (size_t i = 0; i < count; i++) {
		for (int j = 0; j < CONTEXTS; j++) {
			if ((hints[i].contexts & contexts[j].bit) == 0)
				continue;
			enum command command = COMMAND_COUNT;
			struct text keys = { 0 };
			keys_add_names(keys_usual(), &keys, hints[i].first, contexts[j].bit);
			if (keys.length == 0)
				fail_msg("the hint \"%s\" has no key in the %s", hints[i].word,
					contexts[j].name);
			keys.bytes[strcspn(keys.bytes, " ")] = '\0';
			assert_true(keys_find(keys_usual(), keys.bytes, contexts[j].bit, &command));
			assert_int_equal(command, hints[i].first);
			text_release(&keys);
		}
	}
}

static void
arrows_become_signs_or_letters(void **state)
{
	(void)state;
	static const struct key_hint move = { COMMAND_LEFT, COMMAND_RIGHT, "move", IN_TIMELINE, 1,
		NEEDS_NOTHING };
	static const struct key_hint zoom = { COMMAND_ZOOM_IN, COMMAND_ZOOM_OUT, "zoom",
		IN_TIMELINE, 1, NEEDS_NOTHING };
	struct text out = { 0 };
	keys_add_hint(keys_usual(), &out, &move, IN_TIMELINE, false);
	assert_string_equal(out.bytes, "\u2190\u2192");
	text_clear(&out);
	keys_add_hint(keys_usual(), &out, &move, IN_TIMELINE, true);
	assert_string_equal(out.bytes, "h l");
	text_clear(&out);
	keys_add_hint(keys_usual(), &out, &zoom, IN_TIMELINE, true);
	assert_string_equal(out.bytes, "+ -");
	text_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_has_a_key_in_each_of_its_contexts),
		cmocka_unit_test(no_key_has_two_meanings_in_a_context),
		cmocka_unit_test(a_key_is_found_where_it_applies_only),
		cmocka_unit_test(digits_but_zero_stay_free_for_counts),
		cmocka_unit_test(hints_name_keys_that_exist),
		cmocka_unit_test(arrows_become_signs_or_letters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
