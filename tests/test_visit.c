/* From one part of a trace to another on a fake screen, with memory for only some of it. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/interactive.h"
#include "app/loading.h"
#include "app/start.h"
#include "app/typed.h"
#include "base/compiler.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "source/go/load.h"
#include "tracesim.h"
#include "view/bookmarks.h"
#include "view/detail.h"
#include "view/help.h"
#include "view/timeline.h"

#define MEMORY_BYTES (UINT64_C(2) << 20)

static const struct app_view views[] = {
	{ &timeline_view, true },
	{ &detail_view, false },
	{ &help_view, false },
	{ &bookmarks_view, false },
};

struct visiting {
	struct wire bytes;
	struct input in;
	struct progress progress;
	struct fakescreen fake;
	void (*next)(struct screen *screen, int timeout_ms, struct screen_event *event);
	const char *typed_path;
	struct notefile notefile; /* which keeps nothing */
	struct options options; /* beside the goroutine */
	bool (*check)(void *context, struct error *err);
	struct text link; /* that was yanked */
	int loads;
	int failing; /* the load of this number does not fit */
	bool is_asked, has_agreed; /* nothing is loaded before the user agrees */
	int stuck;   /* and that of this one ends only when it is cancelled ... */
	int left_before; /* ... when the terminal had been given back so often */
	enum outcome outcome; /* that it is to end with */
};

static struct visiting visiting;

/* In the script "~" waits until all is loaded. */
static void
next(struct screen *screen, int timeout_ms, struct screen_event *event)
{
	const char *script = visiting.fake.script + strspn(visiting.fake.script, " ");
	if (script[0] != '~') {
		visiting.next(screen, timeout_ms, event);
		return;
	}
	event->kind = SCREEN_TIMEOUT;
	if (!atomic_load(&visiting.progress.is_finished)) {
		sched_yield();
		return;
	}
	visiting.fake.script = script + 1;
	visiting.fake.gave_key = true; /* what was loaded is looked at before the next key */
}

static struct go_wish
wish_of(void *context, const struct trace *outline)
{
	const struct go_wish *wish = context;
	return wish != NULL ? *wish : start_wish(&visiting.options, outline);
}

static struct trace *
load(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	struct go_bound bound = { MEMORY_BYTES, wish_of, (void *)(uintptr_t)wish };
	struct go_read_options options = { .progress = progress };
	(void)context;
	if (++visiting.loads == visiting.failing) {
		error_set(err, ERROR_LIMIT, "it is too large");
		return NULL;
	}
	if (visiting.is_asked && !visiting.has_agreed) {
		error_set(err, ERROR_CONSENT, "it takes somebody who agrees");
		return NULL;
	}
	while (visiting.loads == visiting.stuck && !atomic_load(&progress->is_cancelled))
		sched_yield();
	if (visiting.loads == visiting.stuck)
		visiting.left_before = visiting.fake.leave_count;
	if (!input_rewind(&visiting.in, err))
		return NULL;
	return go_load_bounded(&visiting.in, &options, &bound, watch, err);
}

static void
agree(void *context)
{
	(void)context;
	visiting.has_agreed = true;
}

static int
make_trace(void **state)
{
	struct sim_options options;
	struct error err = { 0 };
	(void)state;
	sim_options_init(&options);
	options.version = 26;
	options.generations = 60;
	options.goroutines = 60;
	options.events = 400000;
	options.is_quiet_start = true;
	struct sim *sim = sim_new(&options);
	wire_init(&visiting.bytes, NULL);
	bool ok = sim != NULL && sim_write(sim, &visiting.bytes, NULL, NULL) &&
		  input_open_memory(&visiting.in, visiting.bytes.data, visiting.bytes.size, &err);
	sim_free(sim);
	return ok ? 0 : -1;
}

static int
drop_trace(void **state)
{
	(void)state;
	input_close(&visiting.in);
	wire_release(&visiting.bytes);
	return 0;
}

/* What is on the screen before the last key of the script, which leaves. */
static void
visit(const char *script, int64_t goroutine, int failing)
{
	struct options options = visiting.options;
	options.has_actor = goroutine > 0;
	options.actor = goroutine;
	struct interactive interactive = {
		.screen = &visiting.fake.screen,
		.options = &options,
		.palette = palette_find("dark"),
		.file_name = "simulated.trace",
		.load = load,
		.check = visiting.check,
		.agree = agree,
		.typed_path = visiting.typed_path,
		.notefile = &visiting.notefile,
		.progress = &visiting.progress,
		.link = &visiting.link,
		.views = views,
		.view_count = ARRAY_LENGTH(views),
	};
	struct text damage = { 0 };
	struct error err = { 0 };
	bool is_terminated = true;
	visiting.loads = 0;
	visiting.failing = failing;
	atomic_store(&visiting.progress.is_finished, false);
	assert_true(input_rewind(&visiting.in, &err));
	fakescreen_init(&visiting.fake, 120, 40, script);
	visiting.next = visiting.fake.screen.next;
	visiting.fake.screen.next = next;
	enum outcome outcome = interactive_run(&interactive, &is_terminated, &damage, &err);
	if (outcome != visiting.outcome)
		fail_msg("%s", err.message);
	assert_false(is_terminated);
	/* Once, when nothing more is shown. */
	assert_int_equal(visiting.fake.leave_count, 1);
	text_release(&damage);
	notefile_release(&visiting.notefile);
}

static void
check_shown(const char *text, bool is_shown)
{
	if (fakescreen_has(&visiting.fake, text) != is_shown)
		fail_msg("\"%s\" is %sshown", text, is_shown ? "not " : "");
}

static void
leave(int loads)
{
	assert_int_equal(visiting.loads, loads);
	fakescreen_release(&visiting.fake);
}

static void
screen_tells_what_is_not_loaded(void **state)
{
	(void)state;
	visit("~ ^ j q", 0, 0);
	check_shown("not loaded: 5", true);
	check_shown("not loaded: generation", false);
	check_shown("load this part", false);
	leave(1);
	visit("~ $ j q", 0, 0);
	check_shown("not loaded: 5", true);
	check_shown("not loaded: generation", true);
	check_shown("load this part", true);
	leave(1);
}

static void
key_loads_the_part_under_the_cursor(void **state)
{
	(void)state;
	visit("~ $ r ~ j q", 0, 0);
	check_shown("not loaded: 5", true);
	check_shown("not loaded: generation", false);
	leave(2);
	visit("~ $ r ~ ^ j q", 0, 0);
	check_shown("not loaded: generation", true);
	leave(2);
	visit("~ $ r ~ ^ r ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
}

/* Behind a key "!" is the time in which nothing happens; while something loads that is in pieces. */
#define REST " ! ! ! ! "
#define GO_TO_END "~ Escape + + + $ "

static void
resting_loads_the_part_under_the_cursor(void **state)
{
	(void)state;
	visit(GO_TO_END "! ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	check_shown("not loaded: 5", true);
	leave(2);
	visit(GO_TO_END "! ~ ^ ! ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
}

static void
nothing_is_loaded_on_the_way(void **state)
{
	(void)state;
	visit(GO_TO_END "^ ! j q", 0, 0);
	leave(1);
	visit(GO_TO_END ": ! ! Escape ^ j q", 0, 0);
	leave(1);
}

static void
nothing_is_loaded_where_all_is_shown(void **state)
{
	(void)state;
	visit("~ ! $ ! ! j q", 0, 0);
	check_shown("load this part", true);
	leave(1);
}

/* More was asked for than fits, and the cursor stands where nothing is loaded. */
static void
what_was_asked_for_stays_until_one_goes_elsewhere(void **state)
{
	(void)state;
	visiting.options = (struct options){ .has_from = true, .from_ns = 1000000 };
	visit("~ Escape ! ! j ! q", 0, 0);
	check_shown("not loaded: generation", true);
	leave(1);
	visit("~ Escape ! ! l ! ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(2);
	visiting.options = (struct options){ .has_from = false };
}

static void
line_tells_what_is_loaded(void **state)
{
	(void)state;
	visiting.stuck = 2;
	visit(GO_TO_END "! j q", 0, 0);
	check_shown("loading generation 60: 0 B of ", true);
	check_shown(", Escape cancels", true);
	leave(2);
	visit(GO_TO_END "! r q", 0, 0);
	check_shown("it is being loaded", true);
	leave(2);
	visiting.stuck = 0;
}

static void
escape_ends_loading_a_part(void **state)
{
	(void)state;
	visiting.stuck = 2;
	visit(GO_TO_END "! Escape ~ ! q", 0, 0);
	check_shown("loading was cancelled", true);
	check_shown("not loaded: 60 generations", true);
	leave(2);
	visit(GO_TO_END "! Escape ~" REST "j q", 0, 0);
	check_shown("load this part", true);
	leave(2);
	visit(GO_TO_END "! Escape ~ r ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
	visit(GO_TO_END "! Escape ~ ^ ! ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
	visiting.stuck = 0;
}

/* What ends then may take a while; the user need not wait for it. */
static void
terminal_is_given_back_before_loading_ends(void **state)
{
	(void)state;
	visiting.stuck = 1;
	visiting.outcome = OUTCOME_UNUSABLE;
	visit("q", 0, 0);
	assert_int_equal(visiting.left_before, 1);
	leave(1);
	visiting.stuck = 2;
	visiting.outcome = OUTCOME_FINE;
	visit(GO_TO_END "! q", 0, 0);
	assert_int_equal(visiting.left_before, 1);
	leave(2);
	visiting.stuck = 0;
}

static void
going_elsewhere_loads_that_instead(void **state)
{
	(void)state;
	visiting.stuck = 2;
	visit(GO_TO_END "! ^" REST "~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
	visit(GO_TO_END "! ^ r ~ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(3);
	visiting.stuck = 0;
}

static void
key_has_nothing_to_load_where_all_is(void **state)
{
	(void)state;
	visit("~ ^ r q", 0, 0);
	check_shown("what is here is loaded", true);
	leave(1);
}

/* It is selected in the other part as well, where it lives on. */
static void
selected_goroutine_stays(void **state)
{
	(void)state;
	visit("~ 0 q", 1, 0);
	check_shown("\u2500\u2500 G1 ", true);
	leave(1);
	visit("~ 0 5 0 l r ~ + q", 1, 0);
	check_shown("not loaded: generation", false);
	check_shown("\u2500\u2500 G1 ", true);
	leave(2);
}

/* The interval, and the way back: u leads to where the cursor was before it jumped. */
static void
interval_and_history_stay(void **state)
{
	(void)state;
	visit("~ + + + $ r ~ j q", 0, 0);
	check_shown("100%", false);
	leave(2);
	visit("~ + + + $ r ~ u j q", 0, 0);
	check_shown("nothing to undo", false);
	check_shown("100%", false);
	leave(2);
}

/* The yanked line loads what is loaded, whatever is on the screen. */
static void
same_part_is_loaded_again(void **state)
{
	(void)state;
	visit("~ $ r ~ ^ 5 + y j q", 0, 0);
	leave(2);
	const char *part = strstr(visiting.link.bytes, " --part=");
	assert_non_null(part);
	char words[400];
	struct error err = { 0 };
	snprintf(words, sizeof words, "%s", visiting.link.bytes);
	char *argv[20], *rest = words;
	int argc = 0;
	for (char *word = strtok_r(words, " ", &rest); word != NULL && argc < 20;
		word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	assert_true(options_parse(argc, argv, &visiting.options, &err));
	visit("~ j q", 0, 0);
	check_shown("not loaded: generation", true);
	leave(1);
	visit("~ $ j q", 0, 0);
	check_shown("not loaded: generation", false);
	leave(1);
	options_release(&visiting.options);
	visiting.options = (struct options){ 0 };
	text_release(&visiting.link);
}

/* Times are the same in every part, and so is what lies between them. */
static void
marked_interval_stays(void **state)
{
	(void)state;
	visit("~ ^ v $ r ~ j q", 0, 0);
	check_shown(" marked", true);
	leave(2);
	visit("~ ^ A $ B r ~ j q", 0, 0);
	check_shown(" A to B", true);
	leave(2);
}

/* Rows are found again by their names, whatever part is shown. */
static void
picked_rows_stay(void **state)
{
	(void)state;
	visit("~ g p $ r ~ j q", 0, 0);
	check_shown("1 pinned", true);
	check_shown("\u25b4Goroutines", true);
	leave(2);
	visit("~ d $ r ~ j q", 0, 0);
	check_shown("1 hidden", true);
	leave(2);
	visit("~ 0 5 0 l I r ~ + q", 1, 0);
	check_shown("around G1, 1 step", true);
	leave(2);
}

/* Whatever lane it is, and what is folded: both have names. */
static void
selected_row_and_folds_stay(void **state)
{
	(void)state;
	visiting.options = (struct options){ .row = "P2" };
	visit("~ + + + $ r ~ + q", 0, 0);
	check_shown("\u2500\u2500 P2 ", true);
	leave(2);
	visiting.options = (struct options){ .row = "P0" };
	visit("~ k o $ r ~ + q", 0, 0);
	visiting.options = (struct options){ .row = NULL };
	check_shown("\u25b8 Procs", true);
	leave(2);
}

/* One that was opened while the part was loaded, and one that a line of led to the timeline. */
static void
pages_stay(void **state)
{
	(void)state;
	visit(GO_TO_END "! ? ~ ! ! Q", 0, 0);
	check_shown("Keys", true);
	leave(2);
	visit("~ ^ m b Enter Enter ' Enter $ r ~ ! q ! Q", 0, 0);
	check_shown("Marks and bookmarks", true);
	leave(2);
}

static void
part_that_does_not_fit_leads_back(void **state)
{
	(void)state;
	visit("~ $ r ~ ! ~ q", 0, 2);
	check_shown("it is too large", true);
	check_shown("not loaded: 5", true);
	leave(3);
	visit(GO_TO_END "! ~ ! ~" REST "j" REST "q", 0, 2);
	leave(3);
	visit(GO_TO_END "! ~ ! ~ ^ $ ! ~ j q", 0, 2);
	check_shown("not loaded: generation", false);
	leave(4);
}

static bool
is_refused(void *context, struct error *err)
{
	(void)context;
	return error_set(err, ERROR_IO, "it is shorter now");
}

/* What is loaded stays, since it could not be had again. */
static void
part_of_a_shorter_file_is_refused(void **state)
{
	(void)state;
	visiting.check = is_refused;
	visit("~ $ r q", 0, 0);
	check_shown("it is shorter now", true);
	check_shown("not loaded: 5", true);
	leave(1);
	visit(GO_TO_END "! ! q", 0, 0);
	visiting.check = NULL;
	check_shown("it is shorter now", true);
	leave(1);
}

/* The prompts remember it in another part and at another time. */
static void
what_was_typed_comes_back(void **state)
{
	(void)state;
	char folder[60], path[80];
	snprintf(folder, sizeof folder, "/tmp/ttrace-visit.%ld", (long)getpid());
	snprintf(path, sizeof path, "%s/typed", folder);
	visiting.typed_path = path;
	visit("~ : c l o c k Enter $ r ~ : Up ! Escape j q", 0, 0);
	leave(2);
	visit("~ : Up Space Enter j q", 0, 0);
	leave(1);
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	struct error err = { 0 };
	assert_true(typed_load(path, memories, &err));
	assert_int_equal(memories[PROMPT_COMMANDS].count, 2);
	assert_string_equal(memories[PROMPT_COMMANDS].lines[0], "clock");
	assert_string_equal(memories[PROMPT_COMMANDS].lines[1], "clock ");
	prompt_memory_release(&memories[PROMPT_COMMANDS]);
	visiting.typed_path = NULL;
	unlink(path);
	rmdir(folder);
}

/* What y tells opens the same: a page, what is searched and what is marked. */
static void
what_is_asked_for_is_there_and_told_again(void **state)
{
	(void)state;
	visiting.options = (struct options){
		.view = "detail",
		.search = "main",
		.query = "state=running",
		.hide = true,
		.has_mark = true,
		.has_mark_end = true,
		.mark_ns = 1000,
		.mark_end_ns = 3000,
	};
	visit("~ j y q j q", 1, 0);
	visiting.options = (struct options){ 0 };
	check_shown("2 \u00b5s marked", true);
	const char *copied = visiting.fake.copied;
	if (strstr(copied, " --mark=0.000001s,0.000003s --search=main --query=state=running --hide "
			   "--part=G1 --view=detail --page-line=1,2 ") == NULL)
		fail_msg("%s", copied);
	leave(1);
}

/* Whether the user agrees. */
static bool
agrees(const char *script, const char *wanted, bool *is_terminated)
{
	struct fakescreen fake;
	struct error err;
	const struct loading loading = {
		.screen = &fake.screen, .palette = palette_find("dark"), .name = "test.trace" };
	error_clear(&err);
	fakescreen_init(&fake, 40, 24, script);
	bool is_agreed = loading_ask(&loading, "that takes a program, which may take some time", is_terminated, &err);
	assert_int_equal(err.kind, ERROR_NONE);
	if (!fakescreen_has(&fake, wanted))
		fail_msg("%s: \"%s\" is not shown", script, wanted);
	fakescreen_release(&fake);
	return is_agreed;
}

static void
what_takes_consent_is_asked(void **state)
{
	static const char *const nays[] = { "n", "N", "q", "Escape", "C-c", "x Enter n", "" };
	static const char question[] = "that takes a program, which may";
	bool is_terminated;
	(void)state;
	assert_true(agrees("y", question, &is_terminated));
	assert_true(agrees("x =80x24 Enter Y", "that takes a program, which may take some time", &is_terminated));
	assert_true(agrees("=12x4 y", "Run a pr", &is_terminated));
	for (size_t i = 0; i < ARRAY_LENGTH(nays); i++) {
		assert_false(agrees(nays[i], question, &is_terminated));
		assert_int_equal(is_terminated, nays[i][0] == '\0');
	}
}

/* The trace follows where the user agrees; else it is told behind the screen what it takes. */
static void
consent_is_asked_for(void **state)
{
	(void)state;
	visiting.is_asked = true;
	visit("~ y ~ ^ j q", 0, 0);
	check_shown("not loaded: 5", true);
	leave(2);
	visiting.has_agreed = false;
	visiting.outcome = OUTCOME_UNUSABLE;
	visit("~ n", 0, 0);
	check_shown("it takes somebody who agrees", true);
	assert_false(visiting.has_agreed);
	leave(1);
	visiting.is_asked = false;
	visiting.outcome = OUTCOME_FINE;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screen_tells_what_is_not_loaded),
		cmocka_unit_test(key_loads_the_part_under_the_cursor),
		cmocka_unit_test(resting_loads_the_part_under_the_cursor),
		cmocka_unit_test(nothing_is_loaded_on_the_way),
		cmocka_unit_test(nothing_is_loaded_where_all_is_shown),
		cmocka_unit_test(what_was_asked_for_stays_until_one_goes_elsewhere),
		cmocka_unit_test(line_tells_what_is_loaded),
		cmocka_unit_test(escape_ends_loading_a_part),
		cmocka_unit_test(terminal_is_given_back_before_loading_ends),
		cmocka_unit_test(going_elsewhere_loads_that_instead),
		cmocka_unit_test(key_has_nothing_to_load_where_all_is),
		cmocka_unit_test(selected_goroutine_stays),
		cmocka_unit_test(interval_and_history_stay),
		cmocka_unit_test(same_part_is_loaded_again),
		cmocka_unit_test(marked_interval_stays),
		cmocka_unit_test(picked_rows_stay),
		cmocka_unit_test(selected_row_and_folds_stay),
		cmocka_unit_test(pages_stay),
		cmocka_unit_test(part_that_does_not_fit_leads_back),
		cmocka_unit_test(part_of_a_shorter_file_is_refused),
		cmocka_unit_test(what_was_typed_comes_back),
		cmocka_unit_test(what_is_asked_for_is_there_and_told_again),
		cmocka_unit_test(what_takes_consent_is_asked),
		cmocka_unit_test(consent_is_asked_for),
	};
	return cmocka_run_group_tests(tests, make_trace, drop_trace);
}
