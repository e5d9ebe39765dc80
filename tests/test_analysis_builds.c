/* What all analyses of the screen have in common while their numbers are made: how far they are, and the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "tracetesting.h"
#include "view/analyses.h"

/* A name of each, and a trace that has what it is about. */
static const struct kind {
	const char *name, *parameter, *trace;
	task_ref task;
	bool is_at_once; /* it only asks the index */
	bool is_untold;  /* nobody knows before how long it takes */
} kinds[] = {
	{ "analyses", "", "httpserver-go1.23", REF_NONE, true, false },
	{ "analyses", "", "tasks-go1.23", 0, false, true },
	{ "goroutines", "", "httpserver-go1.23", REF_NONE, false, false },
	{ "function", "net/http.(*conn).serve", "httpserver-go1.23", REF_NONE, false, false },
	{ "gc", "", "gcheavy-go1.26", REF_NONE, false, false },
	{ "longest", "sched", "httpserver-go1.23", REF_NONE, false, false },
	{ "longest", "gc", "gcheavy-go1.26", REF_NONE, false, false },
	{ "tasks", "", "tasks-go1.23", REF_NONE, false, false },
	{ "regions", "", "tasks-go1.23", REF_NONE, false, false },
	{ "region", "query", "httpserver-go1.23", REF_NONE, false, false },
	{ "top", "sync", "httpserver-go1.23", REF_NONE, false, false },
	{ "tree", "cpu", "samples-go1.26", REF_NONE, false, false },
	{ "flame", "offcpu", "httpserver-go1.23", REF_NONE, false, false },
	{ "histogram", "syscall", "httpserver-go1.23", REF_NONE, false, false },
	{ "histogram", "state=blocked", "httpserver-go1.23", REF_NONE, false, false },
	{ "heat", "region=query", "httpserver-go1.23", REF_NONE, false, false },
	{ "mmu", "", "gcheavy-go1.26", REF_NONE, false, false },
	{ "utilisation", "", "gcheavy-go1.26", REF_NONE, true, false },
	{ "heap", "", "gcheavy-go1.26", REF_NONE, true, false },
	{ "diff", "", "httpserver-go1.23", REF_NONE, false, false },
	{ "diff-regions", "", "tasks-go1.23", REF_NONE, false, false },
	{ "diff-top", "sync", "httpserver-go1.23", REF_NONE, false, false },
	{ "diff-tree", "cpu", "samples-go1.26", REF_NONE, false, false },
	{ "diff-flame", "offcpu", "httpserver-go1.23", REF_NONE, false, false },
};

static const struct analyses_row *
row_of(const char *name)
{
	size_t i = 0;
	while (strcmp(analyses_row(i)->name, name) != 0)
		i++;
	return analyses_row(i);
}

static struct analysis_work
work_of(const struct kind *kind, const struct trace *trace)
{
	return (struct analysis_work){
		.trace = trace,
		.scope = { .is_all = true,
			.t1_ns = trace->end_ns + 1,
			.goroutine = REF_NONE,
			.task = kind->task },
		.parameter = kind->parameter,
	};
}

static void
the_list_has_them_all(void **state)
{
	(void)state;
	for (size_t i = 0; analyses_row(i) != NULL; i++) {
		size_t n = 0;
		while (n < ARRAY_LENGTH(kinds) && strcmp(kinds[n].name, analyses_row(i)->name) != 0)
			n++;
		if (n == ARRAY_LENGTH(kinds))
			fail_msg("%s is not tried", analyses_row(i)->name);
	}
}

static void
who_is_told_to_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		struct trace *trace = testing_load(kinds[i].trace);
		struct analysis_work work = work_of(&kinds[i], trace);
		struct error err;
		error_clear(&err);
		atomic_store(&work.watch.is_cancelled, true);
		if (!kinds[i].is_at_once) {
			assert_null(row_of(kinds[i].name)->ops->build(&work, &err));
			if (err.kind != ERROR_CANCELLED)
				fail_msg("%s: %s", kinds[i].name, err.message);
		}
		trace_free(trace);
	}
}

/* At the end all that was expected was done, as far as it can be told before. */
static void
all_tell_how_far_they_are(void **state)
{
	enum { MOST_OF_IT = 90 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		const struct analysis_ops *ops = row_of(kinds[i].name)->ops;
		struct trace *trace = testing_load(kinds[i].trace);
		struct analysis_work work = work_of(&kinds[i], trace);
		struct error err;
		error_clear(&err);
		void *numbers = ops->build(&work, &err);
		if (numbers == NULL)
			fail_msg("%s: %s", kinds[i].name, err.message);
		if (!kinds[i].is_at_once && !kinds[i].is_untold &&
			search_watch_percent(&work.watch) < MOST_OF_IT)
			fail_msg("%s: %d %%", kinds[i].name, search_watch_percent(&work.watch));
		ops->release(numbers);
		trace_free(trace);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_has_them_all),
		cmocka_unit_test(who_is_told_to_ends),
		cmocka_unit_test(all_tell_how_far_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
