/* The config: what a line may say, what is said of wrong ones, and that it prints as it reads. */
#include "base_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config.h"
#include "app/options_internal.h"

static struct config config;

/* Reads it over options that the command line has given; the test releases the config. */
static struct options
read_over(const char *arguments, const char *lines)
{
	static char word[80];
	struct options options;
	struct error err;
	char *argv[] = { "ttrace", word, NULL };
	error_clear(&err);
	snprintf(word, sizeof word, "%s", arguments);
	assert_true(options_read(*arguments != '\0' ? 2 : 1, argv, &options, &err));
	config = (struct config){ 0 };
	config_init(&config);
	config_read(&config, lines, strlen(lines), &options);
	return options;
}

static enum command
meaning(const char *key, unsigned context)
{
	enum command command = COMMAND_COUNT;
	keys_find(&config.keys.map, key, context, &command);
	return command;
}

static void
options_are_set(void **state)
{
	(void)state;
	struct options options = read_over("", "# mine\n\n palette = light\r\ntime=wall\n"
					       "no-pager\nstrict = on\nstrict = off\n  width\t=  70  ");
	assert_int_equal(config.complaint_count, 0);
	assert_int_equal(options.palette, PALETTE_LIGHT);
	assert_int_equal(options.time, TIME_WALL);
	assert_int_equal(options.width_cells, 70);
	assert_true(options.no_pager && !options.strict);
	config_release(&config);
}

static void
the_command_line_goes_before(void **state)
{
	(void)state;
	struct options options =
		read_over("--palette=dark", "palette = light\ntime = wall\n");
	assert_int_equal(config.complaint_count, 0);
	assert_int_equal(options.palette, PALETTE_DARK);
	assert_int_equal(options.time, TIME_WALL);
	config_release(&config);

	options = read_over("-w70", "width = 90\n");
	assert_int_equal(options.width_cells, 70);
	assert_int_equal(config.complaint_count, 0);
	config_release(&config);
}

/* A value that an option takes. */
static const char *
value_of(const struct option *option)
{
	static const char *const values[] = { "10ms", "on", "1", "80", "1G", "json", "stw",
		"a.txt" };
	struct error err;
	if (option->words != NULL)
		return option->words[0];
	for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
		struct options options = { .output = NULL };
		error_clear(&err);
		if (options_set(&options, option->row.name, values[i], &err))
			return values[i];
	}
	fail_msg("no value is known for --%s", option->row.name);
	return NULL;
}

static void
every_option_can_be_set(void **state)
{
	(void)state;
	struct text lines = { 0 };
	for (size_t i = 0; option_at(i) != NULL; i++) {
		const struct option *option = option_at(i);
		assert_true(i < OPTION_MOST);
		if (!option->is_act)
			text_format(&lines, "%s = %s\n", option->row.name, value_of(option));
	}
	read_over("", lines.bytes);
	if (config.complaint_count > 0)
		fail_msg("%s", config.complaints.bytes);
	config_release(&config);
	text_release(&lines);
}

static void
keys_are_bound(void **state)
{
	(void)state;
	read_over("", "bind ; zoom-in\nbind detail C-e down\nbind q quit\nunbind help j\n"
		      "bind # zoom-out\nbind \u00e9 mark\nunbind Q\n");
	assert_int_equal(config.complaint_count, 0);
	assert_int_equal(meaning(";", IN_TIMELINE), COMMAND_ZOOM_IN);
	assert_int_equal(meaning(";", IN_HELP), COMMAND_COUNT);
	assert_int_equal(meaning("C-e", IN_DETAIL), COMMAND_DOWN);
	assert_int_equal(meaning("C-e", IN_TIMELINE), COMMAND_COUNT);
	assert_int_equal(meaning("q", IN_TIMELINE), COMMAND_QUIT);
	assert_int_equal(meaning("j", IN_HELP), COMMAND_COUNT);
	assert_int_equal(meaning("j", IN_DETAIL), COMMAND_DOWN);
	assert_int_equal(meaning("#", IN_TIMELINE), COMMAND_ZOOM_OUT);
	assert_int_equal(meaning("\u00e9", IN_TIMELINE), COMMAND_MARK);
	assert_int_equal(meaning("Q", IN_ANY), COMMAND_COUNT);

	struct text names = { 0 };
	keys_add_names(&config.keys.map, &names, COMMAND_ZOOM_IN, IN_TIMELINE);
	assert_string_equal(names.bytes, "; + =");
	text_release(&names);
	config_release(&config);
}

static void
wrong_lines_are_told_and_the_others_hold(void **state)
{
	(void)state;
	static const struct {
		const char *line, *complaint;
	} wrong[] = {
		{ "palete = dark", "there is no option --palete; did you mean --palette?" },
		{ "palette", "palette: wanted palette = NAME" },
		{ "no-pager = perhaps", "no-pager = perhaps: wanted on or off" },
		{ "help", "--help belongs on the command line" },
		{ "find = state=ready", "--find belongs on the command line" },
		{ "report = summary", "--report belongs on the command line" },
		{ "dump = wire", "--dump belongs on the command line" },
		{ "export = json", "--export belongs on the command line" },
		{ "load-only = on", "--load-only belongs on the command line" },
		{ "output = a.txt", "--output belongs on the command line" },
		{ "goroutine = 7", "--goroutine belongs on the command line" },
		{ "width = 5", "--width=5: wanted a whole number from 40 to 2000" },
		{ "a b c", "wanted OPTION = VALUE, bind [VIEW] KEY COMMAND or unbind [VIEW] KEY" },
		{ "bind x", "wanted bind [VIEW] KEY COMMAND" },
		{ "bind a b c d e f", "wanted bind [VIEW] KEY COMMAND" },
		{ "unbind", "wanted unbind [VIEW] KEY" },
		{ "bind x fly", "there is no command fly" },
		{ "bind moon x help", "there is no view moon" },
		{ "bind help x zoom-in", "zoom-in does nothing in the help" },
		{ "bind 5 help", "counts begin with 5, so it is no key" },
		{ "bind S-x help", "there is no key S-x; keys are written as x, C-x, M-x, Left, "
				   "S-Left, F5, Space" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		char lines[200], told[300];
		snprintf(lines, sizeof lines, "# first\n%s\npalette = light\n", wrong[i].line);
		snprintf(told, sizeof told, "config:2: %s\n", wrong[i].complaint);
		struct options options = read_over("", lines);
		assert_int_equal(config.complaint_count, 1);
		assert_string_equal(config.complaints.bytes, told);
		assert_int_equal(options.palette, PALETTE_LIGHT);
		config_release(&config);
	}
}

static void
names_of_keys_are_checked(void **state)
{
	(void)state;
	static const char *const right[] = { "x", "X", ";", "C-x", "M-x", "C-M-x", "-", "C--",
		"S-Left", "C-S-F12", "Escape", "\u4e16" };
	static const char *const wrong[] = { "", "xx", "left", "F0", "F99", "Fx", "C-", "S-x",
		"S-C-Left", "\x1b", "\x7f", "\xc2\x85", "\u202e", "\xff" };
	static struct key_editor keys;
	struct error err;
	keys_edit(&keys);
	for (size_t i = 0; i < ARRAY_LENGTH(right); i++) {
		error_clear(&err);
		if (!keys_bind(&keys, right[i], COMMAND_HELP, IN_TIMELINE, &err))
			fail_msg("%s is refused", right[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		error_clear(&err);
		if (keys_bind(&keys, wrong[i], COMMAND_HELP, IN_TIMELINE, &err))
			fail_msg("%s is taken", wrong[i]);
	}
}

static void
what_is_printed_reads_the_same(void **state)
{
	(void)state;
	struct text first = { 0 }, second = { 0 };
	struct options options = read_over("", "palette = light\nno-pager\nbind ; zoom-in\n"
					       "bind z zoom-out\nbind help x down\nunbind Q\n");
	config_print(&config, &options, &first);
	config_release(&config);
	assert_non_null(strstr(first.bytes, "\npalette = light\n"));
	assert_non_null(strstr(first.bytes, "\nno-pager = on\n"));
	assert_non_null(strstr(first.bytes, "\n# time = relative\n"));
	assert_non_null(strstr(first.bytes, "\nbind ; zoom-in\n"));
	assert_non_null(strstr(first.bytes, "\nbind help x down\n"));
	assert_non_null(strstr(first.bytes, "\nunbind timeline Q\n"));
	options = read_over("", first.bytes);
	assert_int_equal(config.complaint_count, 0);
	config_print(&config, &options, &second);
	config_release(&config);
	assert_string_equal(first.bytes, second.bytes);
	text_release(&first);
	text_release(&second);
}

/* ---- the file */

static void
write_file(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static bool
load(const char *home, const char *named, struct options *options, struct error *err)
{
	error_clear(err);
	*options = (struct options){ .config = named };
	config = (struct config){ 0 };
	config_init(&config);
	return config_load(&config, home, NULL, options, err);
}

static void
the_file_is_found(void **state)
{
	(void)state;
	char folder[64], inner[80], path[96];
	struct options options;
	struct error err;
	snprintf(folder, sizeof folder, "/tmp/ttrace-config-%ld", (long)getpid());
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(inner, sizeof inner, "%s/ttrace", folder);
	snprintf(path, sizeof path, "%s/config", inner);

	assert_true(load(folder, NULL, &options, &err));
	config_release(&config);
	assert_true(load(NULL, NULL, &options, &err));
	config_release(&config);
	assert_false(load(NULL, path, &options, &err));
	assert_non_null(strstr(err.message, "No such file"));
	config_release(&config);

	assert_int_equal(mkdir(inner, 0700), 0);
	write_file(path, "palette = light\nfly", 19);
	assert_true(load(folder, NULL, &options, &err));
	assert_int_equal(options.palette, PALETTE_LIGHT);
	assert_int_equal(config.complaint_count, 1);
	assert_non_null(strstr(config.complaints.bytes, "/ttrace/config:2: there is no option"));
	config_release(&config);

	assert_false(load(folder, inner, &options, &err)); /* a folder is no file */
	config_release(&config);
	unlink(path);
	rmdir(inner);
	rmdir(folder);
}

static void
a_zero_byte_is_told(void **state)
{
	(void)state;
	static const char bytes[] = "palette = li\0ght\ntime = wall\n";
	struct options options = { 0 };
	config = (struct config){ 0 };
	config_init(&config);
	config_read(&config, bytes, sizeof bytes - 1, &options);
	assert_string_equal(config.complaints.bytes, "config:1: a zero byte is no text\n");
	assert_int_equal(options.time, TIME_WALL);
	config_release(&config);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_set),
		cmocka_unit_test(the_command_line_goes_before),
		cmocka_unit_test(every_option_can_be_set),
		cmocka_unit_test(keys_are_bound),
		cmocka_unit_test(wrong_lines_are_told_and_the_others_hold),
		cmocka_unit_test(names_of_keys_are_checked),
		cmocka_unit_test(what_is_printed_reads_the_same),
		cmocka_unit_test(the_file_is_found),
		cmocka_unit_test(a_zero_byte_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
