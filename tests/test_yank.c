/*
 * The command line that `y` yields, for states that keys lead to: a program started with it shows the
 * same screen, cell by cell.
 */
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/interactive.h"
#include "app/views.h"
#include "base_testing.h"
#include "base/compiler.h"
#include "fakescreen.h"
#include "tracetesting.h"

struct running {
	const char *trace_name;
	struct fakescreen fakes[2]; /* that of the keys, that of the line */
	void (*next)(struct screen *screen, int timeout_ms, struct screen_event *event);
	struct text link;
};

static struct running running;

/*
 * The next key comes when there is nothing more to wait for: then the loop waits for ever, but
 * for what groups do.
 */
static void
next(struct screen *screen, int timeout_ms, struct screen_event *event)
{
	bool is_settled = timeout_ms < 0 && !fakescreen_has(screen->context, "not yet known");
	if (is_settled) {
		running.next(screen, timeout_ms, event);
		return;
	}
	if (timeout_ms != 0)
		sched_yield();
	event->kind = SCREEN_TIMEOUT;
}

static struct trace *
load(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	(void)context;
	(void)wish;
	(void)watch;
	(void)progress;
	(void)err;
	return testing_load(running.trace_name);
}

static void
run(struct fakescreen *fake, int argc, char *const *argv, int height, const char *script)
{
	struct options options;
	struct progress progress = { .done_bytes = 0 };
	struct notefile notefile = { .is_private = false };
	struct text damage = { 0 };
	struct other other = { .options = NULL };
	struct error err;
	bool is_terminated = false;
	error_clear(&err);
	if (!options_parse(argc, argv, &options, &err) ||
		(options.diff != NULL && !other_open(&other, options.diff, &options, &(struct environment){ .locale_is_utf8 = true }, &err)))
		fail_msg("%s", err.message);
	fakescreen_init(fake, 100, height, script);
	running.next = fake->screen.next;
	fake->screen.next = next;
	struct interactive interactive = {
		.screen = &fake->screen,
		.options = &options,
		.palette = palette_find("dark"),
		.file_name = "x.trace",
		.load = load,
		.notefile = &notefile,
		.progress = &progress,
		.other = options.diff != NULL ? &other : NULL,
		.link = &running.link,
	};
	interactive.views = views_all(&interactive.view_count);
	if (interactive_run(&interactive, &is_terminated, &damage, &err) != OUTCOME_FINE)
		fail_msg("%s", err.message);
	other_release(&other);
	text_release(&damage);
	notefile_release(&notefile);
	options_release(&options);
}

/* The words that a shell makes of a line, a line each; without quotes they are as they stand. */
static void
split(const char *line, char *words, size_t size)
{
	struct text command = { 0 };
	if (strpbrk(line, "'$\\") == NULL) {
		snprintf(words, size, "%s", line);
		for (char *at = words; *at != '\0'; at++)
			*at = *at == ' ' ? '\n' : *at;
		return;
	}
	if (access("/bin/bash", X_OK) != 0)
		skip();
	text_format(&command, "exec /bin/bash -c \"$(cat <<'END'\nprintf '%%s\\n' %s\nEND\n)\"",
		line);
	FILE *pipe = popen(command.bytes, "r");
	assert_non_null(pipe);
	words[fread(words, 1, size - 1, pipe)] = '\0';
	pclose(pipe);
	text_release(&command);
}

static void
run_line(struct fakescreen *fake, const char *line, int height, const char *script)
{
	enum { MOST = 40 };
	char words[8192], *argv[MOST + 1];
	int argc = 0;
	split(line, words, sizeof words);
	char *rest = words;
	for (char *word = strtok_r(words, "\n", &rest); word != NULL && argc < MOST;
		word = strtok_r(NULL, "\n", &rest))
		argv[argc++] = word;
	argv[argc] = NULL;
	run(fake, argc, argv, height, script);
}

static void
print_screen(struct fakescreen *fake, const char *title)
{
	print_message("%s:\n", title);
	for (int y = 0; y < fake->shown.height; y++)
		print_message("|%s\n", fakescreen_row(fake, y));
}

static bool
is_equal(const struct canvas *a, const struct canvas *b)
{
	return a->width == b->width && a->height == b->height &&
	       memcmp(a->cells, b->cells,
		       (size_t)a->width * (size_t)a->height * sizeof a->cells[0]) == 0;
}

/* A count that is dropped again leaves no message on the bottom row. */
#define QUIETLY " 5 Escape"

static void
check(const char *trace_name, const char *line, const char *keys, int height)
{
	char script[400];
	struct fakescreen *before = &running.fakes[0], *behind = &running.fakes[1];
	running.trace_name = trace_name;
	text_clear(&running.link);
	snprintf(script, sizeof script, "%s y" QUIETLY " Q", keys);
	run_line(before, line, height, script);
	char *link = strdup(running.link.bytes);
	assert_non_null(link);
	run_line(behind, link, height, QUIETLY " Q");
	if (!is_equal(&before->shown, &behind->shown)) {
		print_screen(before, "before");
		print_screen(behind, "reopened");
		fail_msg("%s of %s: %s", keys, trace_name, link);
	}
	free(link);
	fakescreen_release(before);
	fakescreen_release(behind);
}

static const struct {
	const char *trace_name, *line, *keys;
} states[] = {
	{ "httpserver-go1.23", "ttrace x.trace", "j j + +" },
	{ "httpserver-go1.23", "ttrace x.trace", "g" },
	{ "httpserver-go1.23", "ttrace x.trace", "g j j j o" },
	{ "httpserver-go1.23", "ttrace x.trace", "G k o G C-u" },
	{ "httpserver-go1.23", "ttrace x.trace", "G g j j" },
	{ "httpserver-go1.23", "ttrace x.trace", "6 j o j j" },
	{ "httpserver-go1.23", "ttrace x.trace", "8 j o 3 0 j o k k" },
	{ "httpserver-go1.23", "ttrace x.trace", "O G k k" },
	{ "httpserver-go1.23", "ttrace x.trace", "O G k k o j k" },
	{ "httpserver-go1.23", "ttrace x.trace", "2 O S G 6 k" },
	{ "httpserver-go1.23", "ttrace x.trace", "3 O G o o Up" },
	{ "httpserver-go1.23", "ttrace x.trace", "4 O G o 3 k" },
	{ "httpserver-go1.23", "ttrace x.trace", "G W 5 j q" },
	{ "httpserver-go1.23", "ttrace x.trace", "G W 5 j" },
	{ "httpserver-go1.23", "ttrace x.trace", "D 3 0 j k k" },
	{ "httpserver-go1.23", "ttrace x.trace", "D G" },
	{ "httpserver-go1.23", "ttrace x.trace", "F 4 j" },
	{ "httpserver-go1.23", "ttrace x.trace", "G Enter w j" },
	{ "httpserver-go1.23", "ttrace x.trace", "G Enter Enter 5 j" },
	{ "httpserver-go1.23", "ttrace x.trace", "G s" },
	{ "httpserver-go1.23", "ttrace x.trace", "G s 2 j" },
	{ "httpserver-go1.23", "ttrace x.trace", "G i j o" },
	{ "httpserver-go1.23", "ttrace x.trace", "A l l l l B" },
	{ "httpserver-go1.23", "ttrace x.trace", "l l A h h" },
	{ "httpserver-go1.23", "ttrace x.trace", "l l B h h v l" },
	{ "httpserver-go1.23", "ttrace x.trace", "& g c = m a r k Enter & j" },
	{ "httpserver-go1.23", "ttrace x.trace", "& n a m e ~ h t t p Enter & G" },
	{ "httpserver-go1.23", "ttrace x.trace", "p G p G k" },
	{ "httpserver-go1.23", "ttrace x.trace", "g j p G g" },
	{ "httpserver-go1.23", "ttrace x.trace", "g j p j j p G 9 k" },
	{ "httpserver-go1.23", "ttrace x.trace", "6 j d d" },
	{ "httpserver-go1.23", "ttrace x.trace", "G I" },
	{ "httpserver-go1.23", "ttrace x.trace", "G I G 3 k" },
	{ "httpserver-go1.23", "ttrace x.trace", ": a n a l y s e Space g o r o u t i n e s Enter" },
	{ "httpserver-go1.23", "ttrace x.trace", ": a n a l y s e Space g o r o u t i n e s Enter 5 j" },
	{ "httpserver-go1.23", "ttrace x.trace", ": a n a l y s e Space t o p : s y n c Enter 7 j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=goroutines", "< < r 3 j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=goroutines", "s s > 2 l" },
	{ "httpserver-go1.23", "ttrace x.trace --view=goroutines", "& m a i n Enter / f u n c Enter n" },
	{ "httpserver-go1.23", "ttrace x.trace --view=analyses", "9 j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=analyses", "G" },
	{ "httpserver-go1.23", "ttrace x.trace --view=top:sync", "> > r / m a i n Enter" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync", "j j l j j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync", "E 3 j c" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync", "E G" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync", "E 9 j o 3 k o / h t t p Enter n n" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sched", "r c 2 j l" },
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync", "F m a i n Enter E I r o u n d T r i p , Space x Enter j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=flame:sync", "l Enter j j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=flame:sync", "r / m a i n Enter n" },
	{ "httpserver-go1.23", "ttrace x.trace --view=flame:sync", "g" },
	{ "httpserver-go1.23", "ttrace x.trace --view=flame:sync", "j j j f f" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=gc", "r > 5 l 2 j" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=histogram:sched", "9 j" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=histogram:sched", "G" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=heat:sched", "5 j 9 l +" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=mmu", "9 l 2 j w" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=utilisation", "9 l + f" },
	{ "tasks-go1.23", "ttrace x.trace --view=regions", "< 2 j" },
	/* What there is no such line, node or column for is left aside. */
	{ "httpserver-go1.23", "ttrace x.trace --view=tree:sync --page-line=9999,99999999 "
			       "--page-set=calls=main,5,3 --page-set=zoom=99999", "j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=flame:sync --page-line=9999,99999999 "
			       "--page-set=calls=,0 --page-set=zoom=-1", "j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=goroutines --page-line=9999,99999999 "
			       "--page-set=sort=999 --page-set=column=0 --page-set=none=1", "j" },
	{ "httpserver-go1.23", "ttrace x.trace --view=analyses --page-line=9999,99999999", "j" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=histogram:sched --page-line=9999,99999999", "k" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=mmu --page-line=9999 --page-set=width=0", "j" },
	{ "gcheavy-go1.23", "ttrace x.trace --view=heat:gc --page-set=row=9223372036854775807", "j" },
	{ "tasks-go1.23", "ttrace x.trace", "R" },
	{ "tasks-go1.23", "ttrace x.trace", "R j j" },
	{ "tasks-go1.23", "ttrace x.trace", "J o j j o 2 j" },
	{ "tasks-go1.23", "ttrace x.trace", "J J o k" },
	{ "tasks-go1.23", "ttrace x.trace", "J i j" },
	{ "tasks-go1.23", "ttrace x.trace", "J i o" },
	{ "tasks-go1.23", "ttrace x.trace", "J Enter 3 j" },
	{ "tasks-go1.23", "ttrace x.trace", "G o j" },
	{ "tasks-go1.23", "ttrace x.trace", "G k o j j T" },
};

static void
a_state_comes_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(states); i++) {
		check(states[i].trace_name, states[i].line, states[i].keys, 24);
		check(states[i].trace_name, states[i].line, states[i].keys, 50);
	}
	text_release(&running.link);
}

/* The other trace is a file. */
static void
a_comparison_comes_back(void **state)
{
	static const struct {
		const char *options, *keys;
	} rows[] = {
		{ "", "j" },
		{ "", "s s > r 5 j" },
		{ "", "q j j" },
		{ "--view=diff-regions", "< 2 j" },
		{ "--view=diff-top:sync", "> & m a i n Enter j" },
		{ "--view=diff-tree:sync", "E 5 j" },
		{ "--view=diff-tree:offcpu", "r c 2 j l" },
		{ "--view=diff-flame:offcpu", "s j j Enter" },
		{ "--view=diff-flame:sync", "F m a i n Enter j" },
		{ "--view=tree:sync --page-set=widths=before", "j" },
	};
	const char *folder = getenv("TTRACE_TESTDATA");
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char line[600];
		snprintf(line, sizeof line, "ttrace --diff=%s/contention-go1.23.trace %s x.trace",
			folder != NULL ? folder : "testdata", rows[i].options);
		check("contention-go1.26", line, rows[i].keys, 24);
		check("contention-go1.26", line, rows[i].keys, 50);
	}
	text_release(&running.link);
}

/* No quotes hold what a terminal obeys or does not show. */
static void
a_name_with_controls_is_not_copied(void **state)
{
	(void)state;
	static char name[] = "\x1b]0;x\a.trace";
	char *const argv[] = { "ttrace", name, NULL };
	struct fakescreen fake;
	running.trace_name = "httpserver-go1.23";
	run(&fake, 2, argv, 24, "y Q");
	assert_true(fakescreen_has(&fake, "cannot be copied: a name in it holds control"));
	assert_string_equal(fake.copied, "");
	assert_int_equal(running.link.length, 0);
	fakescreen_release(&fake);
}

int
main(void)
{
	setlocale(LC_CTYPE, "");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_with_controls_is_not_copied),
		cmocka_unit_test(a_state_comes_back),
		cmocka_unit_test(a_comparison_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
