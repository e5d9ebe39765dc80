/*
 * What all analyses of the screen have in common while their numbers are made: how far they are,
 * and the end.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/text.h"
#include "query/query.h"
#include "query/search.h"
#include "trace/words.h"
#include "tracetesting.h"
#include "view/analyses.h"

/* A name of each, and a trace that has what it is about. */
static const struct kind {
	const char *name, *parameter, *trace;
	task_ref task;
	bool is_at_once; /* it only asks the index */
	bool is_untold;  /* nobody knows before how long it takes */
	const char *query; /* of a filter; NULL for none */
} kinds[] = {
	{ "analyses", "", "httpserver-go1.23", REF_NONE, true, false, NULL },
	{ "analyses", "", "tasks-go1.23", 0, false, true, NULL },
	{ "goroutines", "", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "function", "net/http.(*conn).serve", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "gc", "", "gcheavy-go1.26", REF_NONE, false, false, NULL },
	{ "latency", "sched", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "longest", "sched", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "longest", "gc", "gcheavy-go1.26", REF_NONE, false, false, NULL },
	{ "tasks", "", "tasks-go1.23", REF_NONE, false, false, NULL },
	{ "regions", "", "tasks-go1.23", REF_NONE, false, false, NULL },
	{ "region", "query", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "top", "sync", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "tree", "cpu", "samples-go1.26", REF_NONE, false, false, NULL },
	{ "flame", "offcpu", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "histogram", "syscall", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "histogram", "state=blocked", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "heat", "region=query", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "mmu", "", "gcheavy-go1.26", REF_NONE, false, false, NULL },
	{ "utilisation", "", "gcheavy-go1.26", REF_NONE, true, false, NULL },
	{ "heap", "", "gcheavy-go1.26", REF_NONE, true, false, NULL },
	{ "stw", "", "gcheavy-go1.26", REF_NONE, false, false, NULL },
	{ "utilisation", "", "gcheavy-go1.26", REF_NONE, false, false, "state=running dur>5us" },
	{ "heap", "", "gcheavy-go1.26", REF_NONE, false, false, "state=running | state=ready" },
	{ "longest", "sched", "httpserver-go1.23", REF_NONE, false, false, "name~main dur>0ns" },
	{ "histogram", "state=blocked | main state=ready", "httpserver-go1.23", REF_NONE, false, false,
		NULL },
	{ "sched", "", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "slices", "", "httpserver-go1.23", REF_NONE, true, false, NULL },
	{ "syscalls", "", "httpserver-go1.23", REF_NONE, true, false, NULL },
	{ "counters", "", "httpserver-go1.23", REF_NONE, true, false, NULL },
	{ "allocations", "", "allocfree-go1.26", REF_NONE, true, false, NULL },
	{ "diff", "", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "diff-regions", "", "tasks-go1.23", REF_NONE, false, false, NULL },
	{ "diff-top", "sync", "httpserver-go1.23", REF_NONE, false, false, NULL },
	{ "diff-tree", "cpu", "samples-go1.26", REF_NONE, false, false, NULL },
	{ "diff-flame", "offcpu", "httpserver-go1.23", REF_NONE, false, false, NULL },
};

/* Of two by the name "histogram" the parameter tells which it is. */
static struct analyses_row
row_of(const struct kind *kind)
{
	struct text name = { 0 };
	text_format(&name, "%s:%s", kind->name, kind->parameter);
	struct analyses_row row = analysis_choose(text_string(&name)).row;
	text_release(&name);
	return row;
}

static struct analysis_work
work_of(const struct kind *kind, const struct trace *trace)
{
	const struct analysis_kind *of = row_of(kind).kind;
	struct error err;
	void *parameter;
	if (!analysis_read(of, kind->parameter, 0, &parameter, &err))
		fail_msg("there is no %s:%s", kind->name, kind->parameter);
	return (struct analysis_work){
		.kind = of,
		.trace = trace,
		.scope = { .is_all = true,
			.t1_ns = trace->end_ns + 1,
			.actor = REF_NONE,
			.task = kind->task },
		.parameter = parameter,
	};
}

/* As a job does it. */
static struct search *
search_for(const struct kind *kind, struct analysis_work *work)
{
	struct error err;
	error_clear(&err);
	if (kind->query == NULL)
		return NULL;
	struct query *query = query_new(kind->query, &words_plain, &err);
	if (query == NULL)
		fail_msg("%s: %s", kind->query, err.message);
	struct search *search = search_with(work->trace, query, &work->watch, &err);
	if (search == NULL)
		fail_msg("%s: %s", kind->query, err.message);
	query_free(query);
	return search;
}

static void
the_list_has_them_all(void **state)
{
	(void)state;
	struct analyses_row row;
	for (size_t i = 0; analyses_row(i, &row); i++) {
		size_t n = 0;
		/* They are of other inputs, and soon done: see test_ready, test_histogram and the like, and test_beneath. */
		if (row.kind != NULL && (row.kind->needs & (NEEDS_TABLES | NEEDS_HISTOGRAMS | NEEDS_PARTS | NEEDS_SAMPLES |
							NEEDS_BENEATH)) != 0)
			continue;
		while (n < ARRAY_LENGTH(kinds) && strcmp(kinds[n].name, row.name) != 0)
			n++;
		if (n == ARRAY_LENGTH(kinds))
			fail_msg("%s is not tried", row.name);
	}
	const struct analysis_kind *kind;
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		struct text help = { 0 };
		text_add_words(&help, &words_plain, kind->help);
		if (strchr(text_string(&help), '{') != NULL)
			fail_msg("%s: \"%s\" has a name that is none", kind->name, help.bytes);
		text_release(&help);
	}
	/* Its page has another name. */
	assert_true(analysis_choose("latency").row.ops->is_chart);
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
		work.only = search_for(&kinds[i], &work);
		atomic_store(&work.watch.is_cancelled, true);
		if (!kinds[i].is_at_once) {
			assert_null(row_of(&kinds[i]).ops->build(&work, &err));
			if (err.kind != ERROR_CANCELLED)
				fail_msg("%s: %s", kinds[i].name, err.message);
		}
		search_free(work.only);
		analysis_forget(work.kind, (void *)work.parameter);
		trace_free(trace);
	}
}

/* What was done is what was expected, or a little more: of each table whole lots are counted. */
static void
check_progress(const struct kind *kind, const struct search_watch *watch, uint64_t least_percent)
{
	enum { LOTS = 2048 };
	uint64_t done = atomic_load(&watch->done), total = atomic_load(&watch->total);
	if (done < total / 100 * least_percent || done > total + total / 10 + LOTS)
		fail_msg("%s of %s: %" PRIu64 " of %" PRIu64, kind->name,
			kind->query != NULL ? kind->query : "all", done, total);
}

/* As far as it can be told before. */
static void
all_tell_how_far_they_are(void **state)
{
	enum { MOST_OF_IT = 90 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		const struct analysis_ops *ops = row_of(&kinds[i]).ops;
		struct trace *trace = testing_load(kinds[i].trace);
		struct analysis_work work = work_of(&kinds[i], trace);
		struct error err;
		error_clear(&err);
		work.only = search_for(&kinds[i], &work);
		check_progress(&kinds[i], &work.watch, 0);
		void *numbers = ops->build(&work, &err);
		if (numbers == NULL)
			fail_msg("%s: %s", kinds[i].name, err.message);
		if (!kinds[i].is_at_once && !kinds[i].is_untold)
			check_progress(&kinds[i], &work.watch, MOST_OF_IT);
		ops->release(numbers);
		search_free(work.only);
		analysis_forget(work.kind, (void *)work.parameter);
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
