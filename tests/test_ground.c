/* What a terminal says of its ground, and what is known of it without asking. */
#include "base_testing.h"

#include <string.h>

#include "app/environment.h"
#include "term/ground.h"

static struct ground
read_bytes(const char *bytes)
{
	struct ground ground;
	ground_read(&ground, bytes, strlen(bytes));
	return ground;
}

static void
check_color(const char *bytes, uint32_t wanted)
{
	struct ground ground = read_bytes(bytes);
	if (!ground.is_known || ground.rgb != wanted)
		fail_msg("%s is known: %d, as %06x", bytes + 1, ground.is_known, ground.rgb);
}

static void
colours_are_read(void **state)
{
	(void)state;
	check_color("\033]11;rgb:ffff/8080/0000\033\\", 0xff8000);
	check_color("\033]11;rgb:ff/80/00\a", 0xff8000);
	check_color("\033]11;rgb:f/8/0\a", 0xff8800);
	check_color("\033]11;rgba:1e1e/1E1E/2e2e/ffff\033\\", 0x1e1e2e);
}

static void
what_is_no_colour_is_not(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", "\033]11;?\a", "\033]11;rgb:\a", "\033]11;rgb:12/34\a",
		"\033]11;rgb:12/34/\a", "\033]11;rgb:x/y/z\a", "\033]11;white\a",
		"\033]11;rgb:ff/ff/ff", "\033]10;rgb:ff/ff/ff\a", "\033]11;" };
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		if (read_bytes(wrong[i]).is_known)
			fail_msg("%s is a colour", wrong[i]);
	}
}

static void
keys_between_the_answers_are_kept(void **state)
{
	(void)state;
	struct ground ground =
		read_bytes("q\033[A\033]11;rgb:00/00/00\033\\/x\033[?62;4cG");
	assert_true(ground.is_known && ground.is_complete);
	assert_int_equal(ground.rest_length, 7);
	assert_memory_equal(ground.rest, "q\033[A/xG", 7);
	ground = read_bytes("\033[?62;");
	assert_false(ground.is_complete);
	assert_int_equal(ground.rest_length, 6);
}

/* Every beginning of the answers, in memory of just that size. */
static void
no_byte_beyond_the_end_is_read(void **state)
{
	(void)state;
	static const char all[] = "a\033]11;rgb:ffff/8080/0000\033\\b\033[?64;1;2cd";
	for (size_t length = 0; length < sizeof all; length++) {
		char *bytes = test_malloc(length + 1);
		struct ground ground;
		memcpy(bytes, all, length);
		ground_read(&ground, bytes, length);
		assert_true(ground.rest_length <= length);
		test_free(bytes);
	}
}

static void
the_surroundings_tell_of_the_ground(void **state)
{
	(void)state;
	static const struct {
		const char *colorfgbg;
		enum ground_kind wanted;
	} rows[] = { { NULL, GROUND_UNKNOWN }, { "", GROUND_UNKNOWN }, { "15;0", GROUND_DARK },
		{ "0;15", GROUND_LIGHT }, { "0;default;15", GROUND_LIGHT }, { "12;8", GROUND_DARK },
		{ "0;7", GROUND_LIGHT }, { "15;default", GROUND_UNKNOWN }, { "15", GROUND_UNKNOWN },
		{ "0;99", GROUND_UNKNOWN }, { "0;7x", GROUND_UNKNOWN }, { ";", GROUND_UNKNOWN } };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct environment environment = { .colorfgbg = rows[i].colorfgbg };
		struct options options = { .output = NULL };
		assert_int_equal(environment_ground(&environment, &options), rows[i].wanted);
		options.background = BACKGROUND_LIGHT;
		assert_int_equal(environment_ground(&environment, &options), GROUND_LIGHT);
		options.palette = PALETTE_DARK;
		assert_int_equal(environment_ground(&environment, &options), GROUND_DARK);
		assert_string_equal(options_palette(&options, true)->name, "dark");
		options.palette = PALETTE_AUTO;
		assert_string_equal(options_palette(&options, true)->name, "light");
		options.palette = PALETTE_COLOR_BLIND;
		assert_true(options_palette(&options, true)->is_light);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_are_read),
		cmocka_unit_test(what_is_no_colour_is_not),
		cmocka_unit_test(keys_between_the_answers_are_kept),
		cmocka_unit_test(no_byte_beyond_the_end_is_read),
		cmocka_unit_test(the_surroundings_tell_of_the_ground),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
