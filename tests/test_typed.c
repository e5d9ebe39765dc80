/* Lines of the prompts from one time to the next. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/typed.h"
#include "base/descriptor.h"
#include "base_testing.h"

struct place {
	char folder[60], path[80];
};

static void
place_init(struct place *place)
{
	snprintf(place->folder, sizeof place->folder, "/tmp/ttrace-typed.%ld", (long)getpid());
	snprintf(place->path, sizeof place->path, "%s/typed", place->folder);
}

static void
place_release(const struct place *place)
{
	unlink(place->path);
	rmdir(place->folder);
}

static void
release(struct prompt_memory memories[PROMPT_KINDS])
{
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		prompt_memory_release(&memories[kind]);
}

static void
load(const struct place *place, struct prompt_memory memories[PROMPT_KINDS])
{
	struct error err = { 0 };
	release(memories);
	if (!typed_load(place->path, memories, &err))
		fail_msg("%s", err.message);
}

static void
save(const struct place *place, const struct prompt_memory memories[PROMPT_KINDS])
{
	struct error err = { 0 };
	if (!typed_save(place->path, memories, &err))
		fail_msg("%s", err.message);
}

static void
lines_come_back_by_kind(void **state)
{
	(void)state;
	struct place place;
	struct stat status;
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	place_init(&place);
	load(&place, memories);
	prompt_memory_add(&memories[PROMPT_COMMANDS], "palette light");
	prompt_memory_add(&memories[PROMPT_SEARCHES], "a  b #");
	save(&place, memories);
	assert_int_equal(stat(place.path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	load(&place, memories);
	assert_int_equal(memories[PROMPT_COMMANDS].count, 1);
	assert_string_equal(memories[PROMPT_COMMANDS].lines[0], "palette light");
	assert_string_equal(memories[PROMPT_SEARCHES].lines[0], "a  b #");
	assert_int_equal(memories[PROMPT_SEARCHES].entered, 0);
	release(memories);
	place_release(&place);
}

/* Two programs at once: what the one entered is not lost when the other one ends later. */
static void
lines_of_several_come_together(void **state)
{
	(void)state;
	struct place place;
	struct prompt_memory mine[PROMPT_KINDS] = { { .count = 0 } };
	struct prompt_memory others[PROMPT_KINDS] = { { .count = 0 } };
	place_init(&place);
	prompt_memory_add(&mine[PROMPT_SEARCHES], "before");
	save(&place, mine);
	load(&place, mine);
	load(&place, others);
	prompt_memory_add(&others[PROMPT_SEARCHES], "theirs");
	save(&place, others);
	prompt_memory_add(&mine[PROMPT_SEARCHES], "mine");
	save(&place, mine);
	load(&place, mine);
	assert_int_equal(mine[PROMPT_SEARCHES].count, 3);
	assert_string_equal(mine[PROMPT_SEARCHES].lines[1], "theirs");
	assert_string_equal(mine[PROMPT_SEARCHES].lines[2], "mine");
	release(mine);
	release(others);
	place_release(&place);
}

static void
the_oldest_make_room(void **state)
{
	(void)state;
	struct place place;
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	char line[20];
	place_init(&place);
	for (int i = 0; i < 3 * PROMPT_MAX_LINES; i++) {
		snprintf(line, sizeof line, "line %d", i);
		prompt_memory_add(&memories[PROMPT_TIMES], line);
		if (i % 40 == 0)
			save(&place, memories);
	}
	save(&place, memories);
	load(&place, memories);
	assert_int_equal(memories[PROMPT_TIMES].count, PROMPT_MAX_LINES);
	assert_string_equal(memories[PROMPT_TIMES].lines[PROMPT_MAX_LINES - 1], line);
	release(memories);
	place_release(&place);
}

static void
what_is_not_ours_stays_as_it_is(void **state)
{
	(void)state;
	static const char text[] = "set -o vi\n: x\n";
	struct place place;
	struct error err = { 0 };
	struct text bytes = { 0 };
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	place_init(&place);
	assert_int_equal(mkdir(place.folder, 0700), 0);
	int fd = open(place.path, O_RDWR | O_CREAT, 0600);
	assert_true(descriptor_write_all(fd, text, sizeof text - 1));
	assert_false(typed_load(place.path, memories, &err));
	assert_int_equal(memories[PROMPT_COMMANDS].count, 0);
	prompt_memory_add(&memories[PROMPT_COMMANDS], "help");
	error_clear(&err);
	assert_false(typed_save(place.path, memories, &err));
	lseek(fd, 0, SEEK_SET);
	assert_true(descriptor_read_all(fd, 1000, &bytes));
	assert_string_equal(bytes.bytes, text);
	close(fd);
	text_release(&bytes);
	release(memories);
	place_release(&place);
}

static void
nothing_is_made_for_nothing(void **state)
{
	(void)state;
	struct place place;
	struct stat status;
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	place_init(&place);
	save(&place, memories);
	assert_int_equal(stat(place.folder, &status), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_back_by_kind),
		cmocka_unit_test(lines_of_several_come_together),
		cmocka_unit_test(the_oldest_make_room),
		cmocka_unit_test(what_is_not_ours_stays_as_it_is),
		cmocka_unit_test(nothing_is_made_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
