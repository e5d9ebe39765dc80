/*
 * Hostile text against the real program: whatever a trace, a name of a file, an option
 * or a key brings, only printable cells and the program's own sequences reach the
 * terminal, in every view, report, dump, export and message.
 */
#include "ptytesting.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/compiler.h"
#include "base/text.h"
#include "formreading.h"
#include "hostile.h"
#include "jsonread.h"

enum { WIDTH = HOSTILE_FAR - 1, HEIGHT = 30, QUIET_MS = 15 };

static void
write_file(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");
	if (file == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void
write_trace(const char *path, const struct hostile_text *text)
{
	struct text bytes = { 0 };
	hostile_trace(text, &bytes);
	write_file(path, bytes.bytes, bytes.length);
	text_release(&bytes);
}

static void
check_clean(const char *what, const char *attack, const struct text *raw,
	enum hostile_allowed allowed)
{
	size_t at = hostile_find(raw->bytes, raw->length, allowed);
	if (at == raw->length)
		return;
	struct text seen = { 0 };
	size_t start = at < 60 ? 0 : at - 60;
	size_t length = raw->length - start < 100 ? raw->length - start : 100;
	text_add_safe(&seen, raw->bytes + start, length, true);
	fail_msg("%s, %s: byte %zu of %zu must not be there: %s", what, attack, at, raw->length,
		seen.bytes);
}

static void
each_attack_is_told_from_what_is_ours(void **state)
{
	(void)state;
	static const char own[] = "\x1b[?1049h\x1b[22;0;0t\x1b[3;70H\x1b[38;5;172m\x1b(B\x1b[2J"
				  " a\xcc\x81 \xe2\x96\x87\r\n\x1b>";
	assert_int_equal(hostile_find(own, sizeof own - 1, HOSTILE_SCREEN), sizeof own - 1);
	assert_int_equal(hostile_find(own, sizeof own - 1, HOSTILE_COLORS), 0);
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		const struct hostile_text *text = &hostile_texts[i];
		bool is_visible =
			strcmp(text->name, "combining") == 0 || strcmp(text->name, "markup") == 0;
		size_t at = hostile_find(text->bytes, text->length, HOSTILE_SCREEN);
		if (is_visible != (at == text->length))
			fail_msg("%s: judged wrongly, at byte %zu", text->name, at);
	}
}

/* ---- the screen */

static struct ptyterm *
start(const char *const arguments[], const char *const environment[])
{
	const struct ptyterm_options options = {
		.width = WIDTH, .height = HEIGHT, .environment = environment
	};
	return start_program("TTRACE", arguments, &options);
}

/* A visit of the screen. */
struct visit {
	const struct hostile_text *text;
	struct ptyterm *term;
	bool has_seen[HOSTILE_PLACES];
	bool has_found; /* the page of findings told of the text */
	bool has_label; /* and a group of its label */
};

static bool
has_redrawn(struct ptyterm *term, void *context)
{
	const size_t *before = context;
	const struct text *raw = ptyterm_raw(term);
	return raw->length > *before && strstr(raw->bytes + *before, "\x1b[2J") != NULL;
}

/* Presses keys and waits for what they led to: all is drawn anew. */
static void
press(struct visit *visit, const char *keys)
{
	size_t before = ptyterm_raw(visit->term)->length;
	ptyterm_send(visit->term, keys);
	ptyterm_send(visit->term, "\x0c");
	assert_true(ptyterm_wait_for(visit->term, has_redrawn, &before, "all to be drawn anew"));
	ptyterm_settle(visit->term, QUIET_MS);
	for (int i = 0; i < HOSTILE_PLACES; i++)
		visit->has_seen[i] |= ptyterm_has_text(visit->term, hostile_places[i]);
	visit->has_found |= ptyterm_has_text(visit->term, "stop-the-world") &&
			    ptyterm_has_text(visit->term, "Qworld") && keys[0] == 'F';
	visit->has_label |= ptyterm_has_text(visit->term, "by label") &&
			    ptyterm_has_text(visit->term, "Qlabel");
}

static void
press_each(struct visit *visit, const char *const keys[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		press(visit, keys[i]);
}

/*
 * Every view, with the cursor on every row, at both ends. Enter on a group folds it, so
 * it comes twice.
 */
static void
look_around(struct visit *visit)
{
	enum { ROWS = 10 };
	/* Backspace leaves a page, and does nothing where there is none. */
	static const char *const on_row[] = { "\r", "\x7f", "w", "\x7f", "W", "G", "\x7f", "}", "\x7f", "$", "\r",
		"\x7f", "D", "G", "\x7f", "F", "G", "\x7f", "o", "o", "^j" };
	static const char *const after[] = { "Gk^\r", " ", " ", "G", "\x7f", "i", "s", "jj", "G",
		")", "g", "s", "i", "R", "o", "W", "G", "\x7f", "\r", "G", "\x7f", "J", "i", "G",
		"i", "R", "o", "jjo", "OO", "G", "o", "k\r", "\x7f", "OOO", "S", "p", "I", "I", "G", "p", "k", "I", "y",
		"E", "&label~Q\r", "&", "&", "y", "v$", "T", "z", "u", "++++", "?", "G",
		"\x7f", "\t", "\t" };
	for (int row = 0; row < ROWS; row++)
		press_each(visit, on_row, ARRAY_LENGTH(on_row));
	press_each(visit, after, ARRAY_LENGTH(after));
}

/* The list, and each analysis with what its rows lead to, in each form. */
static void
look_at_analyses(struct visit *visit)
{
	static const char *const keys[] = { "\x7f", "a", "G", "\x7f", ":analyse goroutines\r", "G",
		"\r", "<", "\x7f", "\x7f", ":analyse regions\r", "\r", "\x7f", "\x7f",
		":analyse tasks\r", "\r", "\x7f", "\x7f", ":analyse top:offcpu\r", "f", "E",
		"r", "E", "f", "j", "jjjj", "\r", "r", "\x7f", ":analyse longest:stw\r", "l",
		"\x7f", ":analyse longest:block\r", "lll", "\x7f", ":analyse histogram:block\r", "G",
		"f", "L", "\x7f", ":analyse mmu\r", "p", "\x7f", ":analyse heap\r", "jf", "\x7f",
		"\x7f" };
	press_each(visit, keys, ARRAY_LENGTH(keys));
}

/* The attack as a pattern, which finds itself, as one that is wrong, and as a time. */
static void
attack_prompts(struct visit *visit)
{
	static const char *const before[] = { "/", "/Q", "/(?:", "t", ":analyse region:",
		":analyse heat:region=", ":analyse histogram:" };
	char typed[256];
	snprintf(typed, sizeof typed, "%.*s", (int)visit->text->length, visit->text->bytes);
	for (size_t i = 0; i < ARRAY_LENGTH(before); i++) {
		const char *const keys[] = { before[i], typed, "\r", "n" };
		for (size_t k = 0; k < ARRAY_LENGTH(keys); k++) {
			ptyterm_send(visit->term, keys[k]);
			ptyterm_settle(visit->term, QUIET_MS);
		}
	}
}

static void
open_screen(struct visit *visit, const char *path, const char *const environment[])
{
	visit->term = start((const char *const[]){ path, NULL }, environment);
	assert_true(ptyterm_wait_text(visit->term, "Procs"));
	assert_true(ptyterm_wait_text(visit->term, "q quit"));
}

/* By a signal, since what the prompts made of the keys is open. */
static void
close_screen(struct visit *visit)
{
	int status = 0;
	ptyterm_signal(visit->term, SIGTERM);
	assert_true(ptyterm_wait_exit(visit->term, &status));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	assert_true(ptyterm_has_first_modes(visit->term));
	check_clean("screen", visit->text->name, ptyterm_raw(visit->term), HOSTILE_SCREEN);
	ptyterm_free(visit->term);
}

/* Else the judge would have judged nothing. */
static void
check_seen(const struct visit *visit)
{
	for (int i = 0; i < HOSTILE_PLACES; i++) {
		const char *place = hostile_places[i];
		if (!visit->has_seen[i])
			fail_msg("%s: the screen never showed %s", visit->text->name, place);
	}
}

static void
check_pages(const struct visit *visit)
{
	if (!visit->has_found || !visit->has_label)
		fail_msg("%s: the %s never shown", visit->text->name,
			visit->has_found ? "group of its label was" : "findings were");
}

static void
no_view_lets_it_through(void **state)
{
	(void)state;
	static const char *const plain[] = { "LC_ALL=C", "TERM=xterm", NULL };
	path_text path;
	own_path(path, "view.trace");
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		struct visit visit = { .text = &hostile_texts[i] };
		write_trace(path, visit.text);
		open_screen(&visit, path, i % 3 == 1 ? plain : NULL);
		look_around(&visit);
		look_at_analyses(&visit);
		attack_prompts(&visit);
		close_screen(&visit);
		check_seen(&visit);
		check_pages(&visit);
	}
	unlink(path);
}

/* ---- what is printed */

/* All that the program prints on a terminal until it ends. */
static void
check_on_terminal(const char *const arguments[], const char *attack)
{
	static const char *const environment[] = { "TTRACE_PAGER=cat", NULL };
	int status = 0;
	struct ptyterm *term = start(arguments, environment);
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status));
	assert_true(ptyterm_bytes(term) > 0);
	check_clean(arguments[0], attack, ptyterm_raw(term), HOSTILE_COLORS);
	ptyterm_free(term);
}

/* The same into a pipe, both streams together. */
static void
run_into_pipe(const char *const arguments[], struct text *out)
{
	const char *argv[PTYTESTING_ARGS];
	int ends[2];
	fill_argv(argv, "TTRACE", arguments);
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	char bytes[4096];
	int status = 0;
	for (ssize_t length = 0; (length = read(ends[0], bytes, sizeof bytes)) > 0;)
		text_add(out, bytes, (size_t)length);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 127);
	assert_true(out->length > 0 && !out->failed);
}

static void
check_in_pipe(const char *const arguments[], const char *attack, enum hostile_allowed allowed)
{
	struct text out = { 0 };
	run_into_pipe(arguments, &out);
	check_clean(arguments[0], attack, &out, allowed);
	if (strstr(out.bytes, "<script>") != NULL && strstr(out.bytes, "</svg>") != NULL)
		fail_msg("%s, %s: markup becomes part of the picture", arguments[0], attack);
	text_release(&out);
}

/* What scripts and other programs read: JSON that is whole, and nothing raw in it. */
static void
check_json(const char *path, const char *attack)
{
	struct text out = { 0 };
	run_into_pipe((const char *const[]){ "--export=json", path, NULL }, &out);
	check_clean("--export=json", attack, &out, HOSTILE_TEXT);
	struct jsonread in = jsonread_over((struct jsonslice){ out.bytes, out.length });
	jsonread_value(&in);
	if (in.failed)
		fail_msg("%s: the JSON is wrong at byte %td", attack, in.at - out.bytes);
	assert_non_null(strstr(out.bytes, "Qfunc"));
	text_release(&out);
}

/* What would be markup on a page is read as text. */
static void
check_markdown(const char *path, const char *attack)
{
	static const char *const options[][2] = {
		{ "--report=summary", "--charset=utf8" }, { "--report=summary", "--charset=ascii" },
		{ "--report=findings", "--charset=utf8" }, { "--report=goroutines", "--charset=ascii" },
		{ "--report=goroutine:1", "--charset=utf8" }, { "--report=dump", "--at=0s" },
		{ "--report=critical-path", "--goroutine=1" }, { "--report=task:1", "--charset=utf8" },
		{ "--report=top:sync", "--charset=utf8" }, { "--report=tree:sync", "--charset=ascii" },
		{ "--report=latency:sched", "--charset=utf8" }, { "--report=regions", "--charset=utf8" },
		{ "--report=tasks", "--charset=utf8" }, { "--report=stw", "--charset=utf8" },
		{ "--find=g=1", "--charset=utf8" }, { "--check=max(sched)<1ns", "--charset=utf8" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(options); i++) {
		struct text out = { 0 }, problem = { 0 };
		run_into_pipe((const char *const[]){ options[i][0], options[i][1],
				      "--format=markdown", path, NULL }, &out);
		check_clean(options[i][0], attack, &out, HOSTILE_TEXT);
		if (!formreading_markdown(out.bytes, &problem))
			fail_msg("%s, %s: %s", options[i][0], attack, problem.bytes);
		text_release(&out);
		text_release(&problem);
	}
}

/* With a trace that has the names of neither. */
static void
check_differences(const char *path, const char *attack)
{
	static const char *const forms[] = { "--format=text", "--format=csv", "--report=top:sync",
		"--report=tree:sync" };
	path_text other;
	char option[PTYTESTING_PATH_BYTES + 10];
	own_path(other, "other.trace");
	write_trace(other, &hostile_texts[HOSTILE_TEXTS - 1]);
	snprintf(option, sizeof option, "--diff=%s", other);
	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
		check_on_terminal((const char *const[]){ option, forms[i], path, NULL }, attack);
		check_in_pipe(
			(const char *const[]){ option, forms[i], path, NULL }, attack, HOSTILE_TEXT);
	}
	unlink(other);
}

static void
check_printed(const char *path, const char *attack)
{
	static const char *const options[][2] = {
		{ "--report=summary", "--charset=utf8" }, { "--report=summary", "--charset=ascii" },
		{ "--report=lanes", "--format=text" }, { "--report=lanes", "--charset=ascii" },
		{ "--report=lanes", "--format=ansi" }, { "--report=lanes", "--format=svg" },
		{ "--report=goroutine:1", "--width=200" }, { "--report=goroutine:1", "--charset=ascii" },
		{ "--report=critical-path", "--goroutine=1" }, { "--report=critical-path", "--task=1" },
		{ "--task=1", "--charset=utf8" }, { "--task=1", "--charset=ascii" },
		{ "--report=dump", "--at=0s" }, { "--report=findings", "--charset=utf8" },
		{ "--report=findings", "--format=csv" }, { "--report=top:sync", "--charset=utf8" },
		{ "--report=tree:sync", "--charset=utf8" }, { "--report=goroutines", "--format=csv" },
		{ "--report=goroutines", "--charset=utf8" }, { "--report=stw", "--charset=utf8" },
		{ "--report=lanes", "--group=label" }, { "--report=lanes", "--interacts=1,3" },
		{ "--report=lanes", "--pin-row=G1" }, { "--find=g=1", "--charset=utf8" },
	};
	/* Into a pipe the parsed forms are Go's own bytes, and JSON is looked at below. */
	static const struct {
		const char *option;
		bool is_escaped;
	} streams[] = {
		{ "--dump=wire", true }, { "--dump=parsed", false }, { "--dump=parsed,go1.23", false },
		{ "--dump=footprint", true }, { "--export=json", false },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(options); i++) {
		const char *const arguments[] = { options[i][0], options[i][1], path, NULL };
		const char *const in_color[] = { options[i][0], options[i][1], "--color=always", path,
			NULL };
		bool is_ansi = strcmp(options[i][1], "--format=ansi") == 0;
		if (strcmp(options[i][0], "--task=1") != 0) /* which on a terminal is the screen */
			check_on_terminal(arguments, attack);
		check_in_pipe(arguments, attack, is_ansi ? HOSTILE_COLORS : HOSTILE_TEXT);
		check_in_pipe(in_color, attack, HOSTILE_COLORS);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(streams); i++) {
		const char *const arguments[] = { streams[i].option, path, NULL };
		check_on_terminal(arguments, attack);
		if (streams[i].is_escaped)
			check_in_pipe(arguments, attack, HOSTILE_COLORS); /* the tabs of the wire form */
	}
	check_differences(path, attack);
	check_markdown(path, attack);
	check_json(path, attack);
}

static void
nothing_printed_lets_it_through(void **state)
{
	(void)state;
	path_text path;
	own_path(path, "print.trace");
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		write_trace(path, &hostile_texts[i]);
		check_printed(path, hostile_texts[i].name);
	}
	unlink(path);
}

/* ---- names of a megabyte */

static void
names_of_a_megabyte_are_cut(void **state)
{
	static const char *const keys[] = { "G^\r", " ", "G", "\x7f", "i", "s", "jj", "v$", "/Q\r",
		"n" };
	static const size_t attacks[] = { 0, 5 };
	(void)state;
	path_text path;
	own_path(path, "long.trace");
	for (size_t i = 0; i < ARRAY_LENGTH(attacks); i++) {
		struct visit visit = { .text = &hostile_texts[attacks[i]] };
		struct text bytes = { 0 };
		hostile_long_trace(visit.text, &bytes);
		write_file(path, bytes.bytes, bytes.length);
		open_screen(&visit, path, NULL);
		press_each(&visit, keys, ARRAY_LENGTH(keys));
		close_screen(&visit);
		check_json(path, visit.text->name);
		check_on_terminal((const char *const[]){ "--report=lanes", path, NULL }, visit.text->name);
		check_on_terminal((const char *const[]){ "--report=summary", path, NULL }, visit.text->name);
		text_release(&bytes);
	}
	unlink(path);
}

/* ---- what the user brings */

static void
check_everywhere(const char *const arguments[], const char *attack)
{
	check_on_terminal(arguments, attack);
	check_in_pipe(arguments, attack, HOSTILE_TEXT);
}

static void
check_options(const char *path, const char *attack)
{
	static const char *const names[] = { "--", "--report=", "--report=goroutine:", "--dump=",
		"--export=", "--at=", "--goroutine=", "--format=", "--palette=", "-w", "-" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		path_text option;
		snprintf(option, sizeof option, "%s%s", names[i], attack);
		check_everywhere((const char *const[]){ "--report=summary", option, path, NULL }, attack);
	}
	path_text missing;
	/* Below what is no folder nothing can be made, whoever runs this. */
	snprintf(missing, sizeof missing, "/dev/null/%s", attack);
	check_everywhere((const char *const[]){ "--dump=wire", "-o", missing, path, NULL }, attack);
}

/* A file that is a trace, one that is none, and none, under a name that attacks. */
static void
check_name(const struct hostile_text *text, const char *attack)
{
	path_text path;
	char name[HOSTILE_FAR + 10];
	struct text trace = { 0 };
	snprintf(name, sizeof name, "%s.trace", attack);
	for (char *at = name; *at != '\0'; at++)
		*at = *at == '/' ? '-' : *at;
	own_path(path, name);
	check_everywhere((const char *const[]){ "--report=summary", path, NULL }, attack);
	write_file(path, attack, strlen(attack));
	check_everywhere((const char *const[]){ "--report=summary", path, NULL }, attack);
	hostile_trace(text, &trace);
	write_file(path, trace.bytes, trace.length);
	struct visit visit = { .text = text };
	open_screen(&visit, path, NULL);
	close_screen(&visit);
	check_options(path, attack);
	write_file(path, trace.bytes, trace.length / 2);
	check_everywhere((const char *const[]){ "--report=summary", path, NULL }, attack);
	unlink(path);
	text_release(&trace);
}

static void
no_name_or_option_lets_it_through(void **state)
{
	(void)state;
	/* A name cannot have a zero byte; a long one would be none. */
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		char attack[HOSTILE_FAR];
		snprintf(attack, sizeof attack, "%s", hostile_texts[i].bytes);
		check_name(&hostile_texts[i], attack);
	}
}

/* ---- notes, which may come along with a trace */

static void
write_notes(const char *path, const struct hostile_text *text)
{
	struct text notes = { 0 };
	text_format(&notes, "ttrace-notes 1\nbookmark 1ns Q");
	text_add(&notes, text->bytes, text->length < HOSTILE_FAR ? text->length : HOSTILE_FAR);
	text_format(&notes, "\n\trow main.Q\nbookmark 2ns Qother\n\tnote Q");
	text_add(&notes, text->bytes, text->length < HOSTILE_FAR ? text->length : HOSTILE_FAR);
	text_format(&notes, "\n");
	write_file(path, notes.bytes, notes.length);
	text_release(&notes);
}

static void
no_note_lets_it_through(void **state)
{
	(void)state;
	path_text path, notes;
	char option[PTYTESTING_PATH_BYTES + 10];
	own_path(path, "noted.trace");
	own_path(notes, "noted.notes");
	snprintf(option, sizeof option, "--notes=%s", notes);
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		static const char *const keys[] = { "'", "\r", "'", "j", "e", "\r", "\r", "'", "d" };
		struct visit visit = { .text = &hostile_texts[i] };
		write_trace(path, visit.text);
		write_notes(notes, visit.text);
		visit.term = start((const char *const[]){ option, path, NULL }, NULL);
		assert_true(ptyterm_wait_text(visit.term, "Procs"));
		for (size_t k = 0; k < ARRAY_LENGTH(keys); k++) {
			ptyterm_send(visit.term, keys[k]);
			ptyterm_settle(visit.term, QUIET_MS);
		}
		close_screen(&visit);
	}
	unlink(path);
	unlink(notes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_attack_is_told_from_what_is_ours),
		cmocka_unit_test(no_view_lets_it_through),
		cmocka_unit_test(names_of_a_megabyte_are_cut),
		cmocka_unit_test(nothing_printed_lets_it_through),
		cmocka_unit_test(no_name_or_option_lets_it_through),
		cmocka_unit_test(no_note_lets_it_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
