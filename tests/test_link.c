/* What goes out of the program: rows by name, words for a shell, the command line that leads back. */
#include "base_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/editor.h"
#include "app/link.h"
#include "app/options.h"
#include "app/start.h"
#include "base/descriptor.h"
#include "trace/lane_name.h"
#include "trace/notes.h"
#include "tracetesting.h"

/* ---- words for a shell */

static void
plain_words_stay_and_others_are_quoted(void **state)
{
	(void)state;
	static const char *const words[][2] = {
		{ "http.trace", "http.trace" },
		{ "", "''" },
		{ "/tmp/a b", "'/tmp/a b'" },
		{ "it's", "'it'\\''s'" },
		{ "a\\b", "'a'\\\\'b'" },
		{ "'\\", "\\'\\\\" },
		{ "$HOME;*", "'$HOME;*'" },
		{ "=ls", "'=ls'" },
		{ "%self", "'%self'" },
		{ "h\xc3\xa9", "'h\xc3\xa9'" },
		{ "a\nb", TEXT_NO_SHELL_WORD },
		{ "\x1b]0;x\a", TEXT_NO_SHELL_WORD },
		{ "\x7f", TEXT_NO_SHELL_WORD },
		{ "\xff", TEXT_NO_SHELL_WORD },
		{ "\xc2\x9b", TEXT_NO_SHELL_WORD },         /* a control of the C1 block */
		{ "a\xe2\x80\xae" "b", TEXT_NO_SHELL_WORD }, /* right to left from here */
	};
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		struct text out = { 0 };
		text_add_shell_word(&out, words[i][0]);
		assert_string_equal(out.bytes, words[i][1]);
		text_release(&out);
	}
}

/* Bytes that mean something to a shell, or to a terminal, come often. */
static void
add_random_word(struct text *out, uint64_t *random)
{
	static const char signs[] = "'\\\"$`!*?[]{}()<>|&;#~=%^- ,.:abnx01\n\x1b\x7f";
	for (size_t length = random_below(random, 12); length > 0; length--) {
		char byte = (char)(1 + random_below(random, 255));
		if (random_below(random, 16) > 0)
			byte = signs[random_below(random, sizeof signs - 1)];
		text_add(out, &byte, 1);
	}
}

/* What the shell makes of the words, each with a line's end behind it, is what they are. */
static void
check_shell(const char *shell, const char *locale, const struct text *words, const struct text *want)
{
	struct text command = { 0 }, got = { 0 }, path = { 0 };
	text_add_string(&path, "/tmp/ttrace-words-");
	int file = descriptor_make_file(&path);
	assert_true(file >= 0 && descriptor_write_all(file, words->bytes, words->length));
	close(file);
	text_format(&command, "env HOME=/nonexistent LC_ALL=%s %s %s", locale, shell, path.bytes);
	FILE *pipe = popen(command.bytes, "r");
	assert_non_null(pipe);
	char bytes[4096];
	for (size_t count; (count = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
		text_add(&got, bytes, count);
	pclose(pipe);
	unlink(path.bytes);
	text_release(&path);
	size_t at = 0;
	while (at < got.length && at < want->length && got.bytes[at] == want->bytes[at])
		at++;
	if (at != got.length || at != want->length)
		fail_msg("%s in %s reads another word at byte %zu of %zu", shell, locale, at, want->length);
	text_release(&got);
	text_release(&command);
}

static void
every_shell_reads_the_words_back(void **state)
{
	(void)state;
	static const char *const shells[] = { "sh", "dash", "bash", "zsh", "fish" };
	static const char *const locales[] = { "C", "C.UTF-8" };
	enum { WORDS = 20000, A_LINE = 100 };
	struct text lines = { 0 }, want = { 0 }, word = { 0 };
	uint64_t random = 17;
	int written = 0, checked = 0;
	for (int i = 0; i < WORDS; i++) {
		text_clear(&word);
		add_random_word(&word, &random);
		struct text quoted = { 0 };
		text_add_shell_word(&quoted, text_string(&word));
		if (strcmp(quoted.bytes, TEXT_NO_SHELL_WORD) != 0) {
			bool is_first = written++ % A_LINE == 0;
			text_format(&lines, "%s --y=%s %s", is_first ? "\n/usr/bin/printf '%s\n'" : "",
				quoted.bytes, quoted.bytes);
			text_format(&want, "--y=%s\n%s\n", text_string(&word), text_string(&word));
		}
		text_release(&quoted);
	}
	text_add_string(&lines, "\n");
	assert_true(written > WORDS / 4 && written < WORDS);
	for (size_t i = 0; i < ARRAY_LENGTH(shells); i++) {
		char look[80];
		snprintf(look, sizeof look, "command -v %s >/dev/null", shells[i]);
		if (pclose(popen(look, "r")) != 0) {
			print_message("there is no %s here\n", shells[i]);
			continue;
		}
		for (size_t j = 0; j < ARRAY_LENGTH(locales); j++)
			check_shell(shells[i], locales[j], &lines, &want);
		checked++;
	}
	assert_true(checked > 0);
	text_release(&lines);
	text_release(&want);
	text_release(&word);
}

/* ---- rows */

static void
check_row(const struct trace *trace, struct lane lane)
{
	struct text name = { 0 };
	struct lane found = { LANE_TYPE_COUNT, 0 };
	lane_name_add(&name, trace, lane);
	if (!lane_name_find(trace, name.bytes, &found))
		fail_msg("there is no row %s", name.bytes);
	if (lane.type == LANE_GROUP && trace->groups[lane.ref].count == 1)
		assert_int_equal(found.type, LANE_ACTOR);
	else
		assert_true(found.type == lane.type && found.ref == lane.ref);
	text_release(&name);
}

static void
every_row_is_found_by_its_name(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	for (uint32_t i = 0; i < trace_actor_count(trace); i++)
		check_row(trace, (struct lane){ LANE_ACTOR, i });
	for (uint32_t i = 0; i < trace_processor_count(trace); i++)
		check_row(trace, (struct lane){ LANE_PROCESSOR, i });
	for (uint32_t i = 0; i < trace_thread_count(trace); i++)
		check_row(trace, (struct lane){ LANE_THREAD, i });
	for (uint32_t i = 0; i < trace->group_count; i++)
		check_row(trace, (struct lane){ LANE_GROUP, i });
	for (uint32_t i = 0; i < trace->tasks.count; i++)
		check_row(trace, (struct lane){ LANE_TASK, i });
	check_row(trace, (struct lane){ LANE_ALL, 0 });
	check_row(trace, (struct lane){ LANE_GC, 0 });
	check_row(trace, (struct lane){ LANE_STW, 0 });
	static const char *const wrong[] = { "", "G", "P999999", "G-1", "M99999999999999999999",
		"main.nothing", "g1" };
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		struct lane lane;
		assert_false(lane_name_find(trace, wrong[i], &lane));
	}
	trace_free(trace);
}

/* ---- the command line */

static struct start
start_of(char *command, const struct trace *trace, struct options *options)
{
	char *argv[16];
	int argc = 0;
	for (char *word = strtok_r(command, " ", &command); word != NULL && argc < 15;
		word = strtok_r(NULL, " ", &command))
		argv[argc++] = word;
	struct start start = { .focus = REF_NONE, .stacks = REF_NONE };
	struct error err;
	error_clear(&err);
	if (!options_parse(argc, argv, options, &err) ||
		start_find(&start, options, trace, &err) != OUTCOME_FINE)
		fail_msg("the command line leads nowhere: %s", err.message);
	return start;
}

static void
a_command_line_leads_back(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct session session = {
		.trace = trace,
		.viewport = { 1234567, 2345678 },
		.cursor_ns = 1999999,
		.has_lane = true,
		.lane = { LANE_PROCESSOR, 1 },
	};
	for (actor_ref focus = 0; focus < 3; focus++) {
		struct text command = { 0 };
		struct options options;
		session.has_stacks = focus != 1;
		session.stacks = 2 - focus;
		link_add_command(&command, &session, focus,
			&(struct link_origin){ .is_strict = focus == 1,
				.source = focus == 2 ? "go" : NULL, .file = "http.trace" });
		struct start start = start_of(command.bytes, trace, &options);
		assert_int_equal(start.viewport.t0_ns, 1234567);
		assert_int_equal(start.viewport.t1_ns, 2345678);
		assert_int_equal(start.cursor_ns, 1999999);
		assert_true(
			start.has_lane && start.lane.type == LANE_PROCESSOR && start.lane.ref == 1);
		assert_int_equal(start.focus, focus);
		assert_int_equal(start.stacks, session.has_stacks ? session.stacks : REF_NONE);
		assert_int_equal(options.strict, focus == 1);
		assert_int_equal(options.source != NULL, focus == 2);
		text_release(&command);
	}
	struct text command = { 0 };
	session.has_lane = session.has_stacks = false;
	session.is_wall = true;
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "-x.trace" });
	assert_string_equal(command.bytes, "ttrace --from=0.001234567s --to=0.002345678s "
					   "--at=0.001999999s --time=wall ./-x.trace");
	text_clear(&command);
	text_add_string(&session.filter_text, "g=42 | dur>1ms");
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x.trace" });
	assert_null(strstr(command.bytes, "--query"));
	session.filter_mode = FILTER_DIMS;
	text_clear(&command);
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x.trace" });
	assert_non_null(strstr(command.bytes, " --query='g=42 | dur>1ms' --time=wall x.trace"));
	session.filter_mode = FILTER_OFF;
	text_release(&session.filter_text);
	text_clear(&command);
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = NULL });
	assert_non_null(strstr(command.bytes, "--time=wall -"));
	text_release(&command);
	trace_free(trace);
}

/* What changes the picture beside the interval is named by options that are taken back. */
static void
what_is_shown_is_named(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct session session = { .trace = trace, .viewport = { 0, 9000000 }, .cursor_ns = 5000000 };
	const struct view_ops page = { .name = "detail" };
	const struct link_origin origin = {
		.memory = "1.5G", .notes = "a b", .page = { &page, NULL }
	};
	struct text command = { 0 };
	struct options options;
	session_mark(&session, 7000000);
	link_add_command(&command, &session, REF_NONE, &origin);
	assert_non_null(strstr(
		command.bytes, " --mark=0.007s --memory=1.5G --notes='a b' --view=detail -"));
	struct notes notes = { .has_mark = { true, true }, .mark_ns = { 4000000, 3000000 } };
	session_unmark(&session);
	session.notes = &notes;
	session.is_between = true;
	text_clear(&command);
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x" });
	assert_non_null(strstr(command.bytes,
		" --mark=0.003s,0.004s --no-state --marks=0.004s,0.003s x"));
	session.keeps_notes = true;
	text_clear(&command);
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x" });
	assert_non_null(strstr(command.bytes, " --mark=0.003s,0.004s x"));
	struct start start = start_of(command.bytes, trace, &options);
	assert_int_equal(start.cursor_ns, 5000000);
	assert_true(options.has_mark && options.has_mark_end);
	assert_int_equal(options.mark_ns, 3000000);
	assert_int_equal(options.mark_end_ns, 4000000);
	text_release(&command);
	trace_free(trace);
}

static void
tasks_lead_back(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	static const struct {
		enum task_view tasks;
		struct lane lane;
	} rows[] = {
		{ TASKS_ALL, { LANE_TASK, 5 } },
		{ TASKS_ONE, { LANE_TASK, 5 } },
		{ TASKS_ONE, { LANE_TASK, 6 } },
		{ TASKS_ALL, { LANE_ACTOR, 3 } },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text command = { 0 };
		struct options options;
		const struct session session = {
			.trace = trace,
			.viewport = { 1234567, 2345678 },
			.cursor_ns = 1999999,
			.has_lane = true,
			.lane = rows[i].lane,
			.tasks = rows[i].tasks,
			.task = 5,
		};
		link_add_command(&command, &session, REF_NONE,
			&(struct link_origin){ .file = "http.trace" });
		struct start start = start_of(command.bytes, trace, &options);
		assert_int_equal(start.tasks, rows[i].tasks);
		assert_int_equal(start.task, 5);
		assert_int_equal(start.viewport.t0_ns, 1234567);
		assert_false(start.has_lane);
		text_release(&command);
	}
	trace_free(trace);
}

static void
those_that_interact_lead_back(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	struct session session = { .trace = trace,
		.viewport = { 0, 9000000 },
		.cursor_ns = 5000000,
		.interacts = { 3, 2, true } };
	struct text command = { 0 };
	struct options options;
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x" });
	assert_non_null(strstr(command.bytes, ",2,wakers x"));
	struct start start = start_of(command.bytes, trace, &options);
	assert_true(interacts_is_same(start.interacts, session.interacts));
	text_release(&command);
	trace_free(trace);
}

static void
picked_rows_lead_back(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	static const char options_wanted[] =
		" --hide-row=P1 --pin-row=heap --pin-row=G7 --pin-row=network";
	struct session session = { .trace = trace, .viewport = { 0, 9000000 }, .cursor_ns = 5000000 };
	struct text command = { 0 };
	struct row_picks hidden = { 0 }, pinned = { 0 };
	struct options options;
	struct error err;
	error_clear(&err);
	text_format(&command, "ttrace%s x", options_wanted);
	start_of(command.bytes, trace, &options);
	assert_true(start_pick(&hidden, &pinned, &options, trace, &err));
	assert_true(row_picks_add_all(&session.hidden, &hidden, &err));
	assert_true(row_picks_add_all(&session.pinned, &pinned, &err));
	assert_int_equal(session.pinned.count, 3);
	text_clear(&command);
	link_add_command(&command, &session, REF_NONE, &(struct link_origin){ .file = "x" });
	assert_non_null(strstr(command.bytes, options_wanted));
	options_release(&options);
	row_picks_release(&hidden);
	row_picks_release(&pinned);
	row_picks_release(&session.hidden);
	row_picks_release(&session.pinned);
	text_release(&command);
	trace_free(trace);
}

/* ---- the editor */

static void
editors_get_what_they_take(void **state)
{
	(void)state;
	static const struct {
		const char *editor, *command;
	} rows[] = {
		{ NULL, "vi \"+$2\" \"$1\"" },
		{ "  ", "vi \"+$2\" \"$1\"" },
		{ "nano -w", "nano -w \"+$2\" \"$1\"" },
		{ "/usr/bin/code -w", "/usr/bin/code -w --goto \"$1:$2\"" },
		{ "hx", "hx \"$1:$2\"" },
		{ "encode", "encode \"+$2\" \"$1\"" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text out = { 0 };
		editor_add_command(&out, rows[i].editor);
		assert_string_equal(out.bytes, rows[i].command);
		text_release(&out);
	}
}

static void
the_editor_gets_file_and_line(void **state)
{
	(void)state;
	char path[64], editor[100], got[100] = "";
	struct error err;
	error_clear(&err);
	snprintf(path, sizeof path, "/tmp/ttrace-editor-%ld", (long)getpid());
	snprintf(editor, sizeof editor, "printf '%%s %%s' >%s", path);
	assert_true(editor_run(editor, "-c $(x)'.go", 42, &err));
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	got[fread(got, 1, sizeof got - 1, file)] = '\0';
	fclose(file);
	unlink(path);
	assert_string_equal(got, "+42 ./-c $(x)'.go");
	assert_true(editor_run("false", "/x.go", 1, &err));
	assert_false(editor_run("/nonexistent/editor", "/x.go", 1, &err));
	assert_non_null(strstr(err.message, "the editor cannot be run: /nonexistent/editor"));
}

static void
only_files_are_edited(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	assert_false(editor_check("/nonexistent.go", &err));
	assert_string_equal(err.message, "/nonexistent.go: No such file or directory on this machine");
	error_clear(&err);
	assert_false(editor_check("/tmp", &err));
	error_clear(&err);
	assert_true(editor_check(testing_path("contention-go1.23", ".trace"), &err));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_words_stay_and_others_are_quoted),
		cmocka_unit_test(every_shell_reads_the_words_back),
		cmocka_unit_test(every_row_is_found_by_its_name),
		cmocka_unit_test(a_command_line_leads_back),
		cmocka_unit_test(what_is_shown_is_named),
		cmocka_unit_test(tasks_lead_back),
		cmocka_unit_test(those_that_interact_lead_back),
		cmocka_unit_test(picked_rows_lead_back),
		cmocka_unit_test(editors_get_what_they_take),
		cmocka_unit_test(the_editor_gets_file_and_line),
		cmocka_unit_test(only_files_are_edited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
