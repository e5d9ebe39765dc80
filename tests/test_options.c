/* The command line: what is accepted, and what is said of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "analysis/latency_kind.h"
#include "app/environment.h"
#include "app/options.h"
#include "app/outcome.h"

enum { MAX_ARGS = 12 };

/* Cuts a line into arguments at its blanks. */
struct line {
	char bytes[200];
	char *argv[MAX_ARGS];
	int argc;
};

static void
cut_line(struct line *line, const char *text)
{
	snprintf(line->bytes, sizeof line->bytes, "ttrace %s", text);
	line->argc = 0;
	for (char *at = line->bytes; *at != '\0' && line->argc < MAX_ARGS;) {
		line->argv[line->argc++] = at;
		at += strcspn(at, " ");
		if (*at == ' ')
			*at++ = '\0';
	}
}

static bool
parse(const char *text, struct line *line, struct options *options, struct error *err)
{
	error_clear(err);
	cut_line(line, text);
	return options_parse(line->argc, line->argv, options, err);
}

static struct options
accept(const char *text)
{
	static struct line line; /* the options point into it */
	struct options options;
	struct error err;
	if (!parse(text, &line, &options, &err))
		fail_msg("\"%s\" is refused: %s", text, err.message);
	return options;
}

static void
values_are_taken(void **state)
{
	(void)state;
	struct options options = accept("--goroutine=42 --at=1.2s --interval 10ms http.trace");
	assert_true(options.has_actor && options.has_at && options.has_interval);
	assert_int_equal(options.actor, 42);
	assert_int_equal(options.at_ns, 1200000000);
	assert_int_equal(options.interval_ns, 10000000);
	assert_string_equal(options.file, "http.trace");

	options = accept("-g G7 -w120 -rlanes --format=svg --palette=light --charset=ascii -");
	assert_int_equal(options.actor, 7);
	assert_int_equal(options.width_cells, 120);
	assert_int_equal(options.report, REPORT_LANES);
	assert_int_equal(options.format, FORMAT_SVG);
	assert_int_equal(options.palette, PALETTE_LIGHT);
	assert_int_equal(options.charset, CHARSET_ASCII);
	assert_string_equal(options.file, "-");

	options = accept("--report=goroutine:9 --color=never --no-pager --height=40");
	assert_int_equal(options.report, REPORT_ACTOR);
	assert_int_equal(options.actor, 9);
	assert_int_equal(options.color, COLOR_NEVER);
	assert_int_equal(options.height_cells, 40);
	assert_true(options.no_pager);
	assert_null(options.file);

	options = accept("-r critical-path --task=3 a.trace");
	assert_int_equal(options.report, REPORT_CRITICAL);
	assert_true(options.has_task && options.task == 3);

	options = accept("--memory=1.5GiB a.trace");
	assert_int_equal(options.memory_bytes, UINT64_C(3) << 29);
	options = accept("--load-only a.trace");
	assert_true(options.load_only && options_print(&options) && !options_stream(&options));
	assert_true(accept("--strict a.trace").strict);
	assert_true(accept("--cache a.trace").cache);
	assert_true(accept("--no-cache a.trace").no_cache);
	assert_true(accept("--clear-cache").clear_cache);

	options = accept("--from=0 --to=1s -- --at=5");
	assert_true(options.has_from && options.has_to && !options.has_at);
	assert_string_equal(options.file, "--at=5");
}

static void
any_number_of_files_can_be_searched(void **state)
{
	(void)state;
	struct options options =
		accept("a.trace --find=state=blocked --sort=dur - --limit=7 --format=csv c.trace");
	assert_string_equal(options.find, "state=blocked");
	assert_string_equal(options.sort, "dur");
	assert_int_equal(options.limit, 7);
	assert_int_equal(options.format, FORMAT_CSV);
	assert_true(options_print(&options) && !options_stream(&options));
	assert_string_equal(options_file(&options, 0), "a.trace");
	assert_string_equal(options_file(&options, 1), "-");
	assert_string_equal(options_file(&options, 2), "c.trace");
	assert_null(options_file(&options, 3));
	options_release(&options);
	options = accept("--find=g=1");
	assert_string_equal(options_file(&options, 0), "-");
	assert_null(options_file(&options, 1));
}

static void
differences_are_for_the_screen_too(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		bool is_printed;
	} rows[] = {
		{ "--diff=a b", false },
		{ "--diff=a -g 3 -q g=1 b", false },
		{ "--diff=a --format=text b", true },
		{ "--diff=a --limit=3 b", true },
		{ "--diff=a --sort=change b", true },
		{ "--diff=a -r goroutines b", true },
	};
	struct error err = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct options options = accept(rows[i].line);
		if (options_print(&options) != rows[i].is_printed)
			fail_msg("%s", rows[i].line);
		options_release(&options);
	}
	struct options options = accept("--diff=a -g 3 b");
	assert_false(options_check_printed_diff(&options, &err));
	assert_string_equal(err.message, "--goroutine: with --diff only of profiles");
	options_release(&options);
}

static void
findings_are_a_table(void **state)
{
	(void)state;
	struct options options = accept("--report=findings --limit=3 --format=csv a.trace");
	assert_int_equal(options.report, REPORT_FINDINGS);
	assert_int_equal(options.limit, 3);
	options = accept("--diff=a --report=top:sync --limit=3 --format=csv b");
	assert_string_equal(options.diff, "a");
	assert_true(options_print(&options));
	options_release(&options);
	options = accept("--line=12,3 --page-line=4 --part=1s,2s --path=G4,1s,2s --no-state --marks=,2s");
	assert_true(options.has_line && options.place.line == 11 && options.place.top == 2);
	assert_true(options.has_page_line && options.page_place.line == 3);
	assert_true(options.part.from_ns == 1000000000 && options.part.to_ns == 2000000000);
	assert_true(options.path == 4 && options.path_to_ns == 2000000000);
	assert_true(!options.has_note_mark[MARK_A] && options.has_note_mark[MARK_B]);
	options_release(&options);
	options = accept("--check=max(gc)<1s --check=count(gc)>0 a b --format=csv");
	assert_int_equal(options.checks.count, 2);
	assert_string_equal(options.checks.items[1], "count(gc)>0");
	assert_true(options_takes_files(&options) && options_print(&options));
	options_release(&options);
	options = accept("--report=latency:sched --limit=3 --format=json a.trace");
	assert_string_equal(options.analysis->name, "latency");
	assert_string_equal(options.report_parameter, "sched");
	assert_int_equal(((const struct latency_kind *)options.report_asked)->type, LATENCY_SCHED);
	options_release(&options);
	options = accept("--report=latency:sched --report=heat:block=select a.trace");
	assert_string_equal(((const struct latency_kind *)options.report_asked)->name, "select");
	options_release(&options);
	options = accept("--report=goroutine:3 --format=markdown a.trace");
	assert_int_equal(options_rows_format(&options), REPORT_AS_MARKDOWN);
	assert_false(options_table(&options));
	options = accept("--report=summary --format=markdown a.trace");
	assert_int_equal(options_rows_format(&options), REPORT_AS_MARKDOWN);
	assert_false(options_table(&options));
	static const char *const programs[] = { "--report=summary --format=json",
		"--report=lanes --format=csv --sort=share", "--report=dump --at=1s --format=json --limit=3",
		"--report=summary --diff=a" };
	for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
		options = accept(programs[i]);
		assert_true(options_table(&options));
		options_release(&options);
	}
}

static void
tables_are_sorted_by_any_column(void **state)
{
	(void)state;
	assert_string_equal(accept("-r gc --sort=-mark a.trace").sort, "-mark");
	assert_string_equal(accept("-r top:sync --sort=-cum a.trace").sort, "-cum");
	assert_null(accept("-r gc a.trace").sort);
	assert_string_equal(accept("-r goroutine:1 -f csv --sort=for a.trace").sort, "for");
}

static void
dumps_and_exports_are_taken(void **state)
{
	(void)state;
	struct options options = accept("--dump=parsed,go1.23 -o out.txt --from=1ms a.trace");
	assert_int_equal(options.dump, DUMP_OF_GO123);
	assert_string_equal(options.output, "out.txt");
	assert_true(options_stream(&options) && options_print(&options));
	assert_int_equal(accept("--dump=wire").dump, DUMP_OF_WIRE);
	assert_int_equal(accept("--dump=footprint").dump, DUMP_OF_FOOTPRINT);

	options = accept("--export=json:goroutine=G42 -o out.json --to=1s a.trace");
	assert_int_equal(options.export, DUMP_JSON_GOROUTINE);
	assert_int_equal(options.export_id, 42);
	assert_true(options_stream(&options) && options_print(&options));
	assert_true(options.has_export && !accept("--dump=wire").has_export);
	assert_int_equal(accept("--export=json").export, DUMP_JSON_PROC);
	assert_int_equal(accept("--export=json:proc").export, DUMP_JSON_PROC);
	assert_int_equal(accept("--export=json:thread").export, DUMP_JSON_THREAD);
	assert_int_equal(accept("--export=json:task=7").export, DUMP_JSON_TASK);
	assert_int_equal(accept("--export=json:focustask=7").export_id, 7);
}

static void
times_of_day_are_taken(void **state)
{
	(void)state;
	struct options options = accept("--time=wall --at=15:04:05.5 --from=2026-11-21T15:04Z --to=1s a.trace");
	assert_int_equal(options.time, TIME_WALL);
	assert_string_equal(options.at_clock, "15:04:05.5");
	assert_string_equal(options.from_clock, "2026-11-21T15:04Z");
	assert_true(options.has_at && options.has_from && options.has_to);
	assert_null(options.to_clock);
	options = accept("--at=15:04 --at=1s");
	assert_null(options.at_clock);
	assert_int_equal(options.at_ns, 1000000000);
}

static void
without_options_nothing_is_set(void **state)
{
	(void)state;
	struct options options = accept(""), none = { 0 };
	assert_memory_equal(&options, &none, sizeof none);
}

static void
help_and_version_end_the_reading(void **state)
{
	(void)state;
	assert_true(accept("--help --nonsense").help);
	assert_true(accept("-V -Z").version);
}

static const struct {
	const char *line, *message;
} refused[] = {
	{ "--repot=lanes", "there is no option --repot; did you mean --report?" },
	{ "--inter=1s", "there is no option --inter; did you mean --interval?" },
	{ "--colour=never", "there is no option --colour; did you mean --color?" },
	{ "--xyzzy", "there is no option --xyzzy; --help shows all" },
	{ "-x", "there is no option -x; --help shows all" },
	{ "--goroutine=x", "--goroutine=x: wanted the number of a goroutine, such as 42 or G42" },
	{ "--goroutine=0", "--goroutine=0: wanted the number of a goroutine, such as 42 or G42" },
	{ "--goroutine=", "--goroutine=: wanted the number of a goroutine, such as 42 or G42" },
	{ "--goroutine=99999999999999999999", "--goroutine=99999999999999999999: wanted the number "
					      "of a goroutine, such as 42 or G42" },
	{ "--interacts=x", "--interacts=x: wanted the number of a goroutine, such as 42 or G42" },
	{ "--interacts=,2", "--interacts=,2: wanted the number of a goroutine, such as 42 or G42" },
	{ "--interacts=42,0", "--interacts=42,0: 0: wanted how many steps, 1 to 99, or wakers, or both: "
			      "2,wakers" },
	{ "--goroutine=-3", "--goroutine=-3: wanted the number of a goroutine, such as 42 or G42" },
	{ "-g1 -g2", "--goroutine=2: another goroutine was named before it" },
	{ "--goroutine", "--goroutine: wanted --goroutine=ID" },
	{ "--at=-1s", "--at=-1s: must be 0 (the start of the trace) or later" },
	{ "--at=25:00", "--at=25:00: bad time \"25:00\": there is no such hour, day or year at "
			"position 1; wanted a time such as 1.2s, 350ms or 12us, or 15:04:05.123" },
	{ "--dump=wire --from=15:04",
		"--dump: takes times since the start of the trace, such as 1.2s" },
	{ "--time=local", "--time=local: wanted relative or wall" },
	{ "--interval=0", "--interval=0: must be longer than 0" },
	{ "--width=39", "--width=39: wanted a whole number from 40 to 2000" },
	{ "--width=2001", "--width=2001: wanted a whole number from 40 to 2000" },
	{ "--width=8x", "--width=8x: wanted a whole number from 40 to 2000" },
	{ "--height=4", "--height=4: wanted a whole number from 5 to 10000" },
	{ "--report=nothing", "--report=nothing: wanted summary, lanes, goroutine, critical-path, why, dump, input, top, findings, tree, task, allocations, beneath, function, gc, *" },
	{ "--report=lanes:3", "--report=lanes:3: lanes takes nothing after a colon" },
	{ "--report=goroutine", "--report=goroutine: which one? wanted --report=goroutine:ID" },
	{ "--report=goroutine:",
		"--report=goroutine:: wanted the number of a goroutine, such as 42 or G42" },
	{ "--report=findings -g3", "--report=findings: is of the whole trace, not of one goroutine" },
	{ "--report=summary -g3", "--report=summary: is of the whole trace, not of one goroutine" },
	{ "--stack-lanes=main", "--stack-lanes=main: wanted the number of a goroutine, such as 42 or G42" },
	{ "--stack-lanes=7 -r summary", "--stack-lanes: goes with the screen and --report=lanes" },
	{ "--task=0 -r critical-path", "--task=0: wanted the number of a task, such as 42" },
	{ "-r dump", "--report=dump: of when? wanted --report=dump --at=TIME" },
	{ "-r dump --at=1s -g1", "--report=dump: is of all goroutines" },
	{ "--task=1 -r lanes", "--task: goes with the screen and --report=critical-path, task or a profile" },
	{ "--task=1 --export=json", "--task: goes with the screen and --report=critical-path, task or a profile" },
	{ "--task=1 -g1 -r critical-path", "--task and --goroutine: one at a time" },
	{ "--focus-task=1 -r lanes",
		"--focus-task: goes with the screen and --report=critical-path, task or a profile" },
	{ "--focus-task=1 -g1 -r critical-path", "--focus-task and --goroutine: one at a time" },
	{ "--dump=text", "--dump=text: wanted wire, parsed, parsed,go1.23 or footprint" },
	{ "--dump=wire --report=lanes", "--dump and --report: one at a time" },
	{ "--dump=wire -g3", "--dump: is of the whole trace, not of one goroutine" },
	{ "--dump=wire --at=1s", "--dump: of --at it needs the --interval" },
	{ "--output= --dump=wire", "--output: the value is empty" },
	{ "-o x", "--output: only with --dump or --export" },
	{ "--export=xml", "--export=xml: wanted json, folded, pprof, svg or csv" },
	{ "--export=csv", "--export=csv: of what? wanted --export=csv:spans" },
	{ "--export=csv:spans -g3",
		"--goroutine: of --export=csv:spans the query says it, as --query=g=..." },
	{ "--export=csv:spans --focus=main",
		"--focus: only with a profile, such as --report=top:sync" },
	{ "--export=folded:net --report=top:net", "--export and --report, --dump, --find or --load-only: one at a time" },
	{ "--ignore= -r top:net", "--ignore: the value is empty" },
	{ "--region=main", "--region: only with a profile, such as --report=top:sync" },
	{ "--focus=main --report=gc", "--focus: only with a profile, such as --report=top:sync" },
	{ "--invert", "--invert: only with a profile, such as --report=top:sync" },
	{ "--invert -r top:net", "--invert: of trees and graphs, such as --report=tree:sync" },
	{ "--invert --export=pprof:net", "--invert: of trees and graphs, such as --report=tree:sync" },
	{ "--page-set=sort", "--page-set=sort: wanted NAME=VALUE, such as sort=-3" },
	{ "--page-set==3", "--page-set==3: wanted NAME=VALUE, such as sort=-3" },
	{ "-r heat:sched --limit=3", "--limit: of --report=heat only with --format=csv and json; a map has no rows" },
	{ "-r heat:sched --sort=count", "--sort: of --report=heat only with --format=csv and json; a map has no rows" },
	{ "--report=heat", "--report=heat: of what? wanted --report=heat:KIND, such as heat:sched" },
	{ "--sort=cum -r tree:net", "--sort: of --report=tree only with --format=csv and json, without --diff; a call graph has the most first" },
	{ "--export=json:", "--export=json:: behind the colon wanted proc, thread, goroutine, task or "
			    "focustask" },
	{ "--export=json:procs", "--export=json:procs: behind the colon wanted proc, thread, "
				 "goroutine, task or focustask" },
	{ "--export=json:proc=1", "--export=json:proc=1: proc takes nothing behind it" },
	{ "--export=json:task",
		"--export=json:task: which one? wanted --export=json:task=ID" },
	{ "--export=json:task=G4",
		"--export=json:task=G4: wanted the number of a task, such as 42" },
	{ "--export=json:goroutine=0",
		"--export=json:goroutine=0: wanted the number of a goroutine, such as 42 or G42" },
	{ "--export=json --dump=wire", "--dump and --export: one at a time" },
	{ "--export=json --report=lanes", "--export and --report: one at a time" },
	{ "--export=json -g3",
		"--export: is of the whole trace, not of one goroutine; --export=json:goroutine=ID is" },
	{ "--format=xml", "--format=xml: wanted text, ansi, svg, csv, json or markdown" },
	{ "--format=markdown", "--format=markdown: only with --report, --find, --check and --diff" },
	{ "--format=markdown -r heat:sched --limit=3", "--limit: of --report=heat only with --format=csv and json; a map has no rows" },
	{ "--format=json", "--format=json: only with --report, --find, --check and --diff" },
	{ "--format=svg --find=g=1", "--format=svg: only with --report=lanes" },
	{ "--find=g=x", "--find: g wants a whole number, at character 3" },
	{ "--find=", "--find: a condition is missing, at character 1" },
	{ "--find=g=1 --report=lanes",
		"--find and --report, --dump, --export or --load-only: one at a time" },
	{ "--find=g=1 -g2", "--goroutine: of --find the query says it, as g=2" },
	{ "--find=g=1 --at=1s", "--find: of --at it needs the --interval" },
	{ "--query=g=", "--query: a value is missing, at character 3" },
	{ "--query=g=1 --find=g=1",
		"--query: only with the screen and reports; --find has the query itself" },
	{ "-q g=1 --dump=wire", "--query: only with the screen and reports" },
	{ "--sort=dur", "--sort: only with --find and reports that are tables" },
	{ "--sort=cum --find=g=1", "--sort=cum: of --find wanted start or dur" },
	{ "--sort=dur --report=top:net",
		"--sort=dur: of --report=top wanted flat, cum or function" },
	{ "--sort= --report=gc", "--sort: the value is empty" },
	{ "--report=latency", "--report=latency: of what? wanted --report=latency:KIND, such as latency:sched" },
	{ "--diff=a -r lanes", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a -r lanes --format=csv", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a -r dump --at=1s --format=csv", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a --find=g=1", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a --export=pprof:sync", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a --export=csv:spans", "--diff: goes with reports that are tables, such as --report=goroutines or top, and with --export=folded or svg" },
	{ "--diff=a -g 3 --format=csv", "--goroutine: with --diff only of profiles" },
	{ "--diff=a --task=3 --limit=3", "--task: with --diff only of profiles" },
	{ "--diff=- -", "--diff=-: standard input is one trace only" },
	{ "--diff=a b c", "--diff: is of two traces, that one and another one" },
	{ "--marks=1s,2s", "--marks: only with --no-state, where none are kept" },
	{ "--marks=1s", "--marks=1s: wanted two times as 1.2s,1.3s, of which one may be missing" },
	{ "--path=4", "--path=4: wanted a goroutine and two times, such as G42,1.2s,1.3s" },
	{ "--path=4,2s,1s", "--path=4,2s,1s: wanted a goroutine and two times, such as G42,1.2s,1.3s" },
	{ "--part=x", "--part=x: wanted a time such as 1.2s, two as 1.2s,1.3s, or G42" },
	{ "--line=0", "--line=0: wanted the number of a line, or with that of the first one on the screen as 12,3" },
	{ "--page-line=1,", "--page-line=1,: wanted the number of a line, or with that of the first one on the screen as 12,3" },
	{ "--fold=", "--fold: the name is empty" },
	{ "--check=gc", "--check=gc: wanted count, sum, mean, max, share or a percentile such as p99, and (KIND) behind it, at character 1" },
	{ "--check=max(gc)<1s -r stw", "--check and --report, --find, --dump, --export or --load-only: one at a time" },
	{ "--check=max(gc)<1s -g 4", "--check: of one goroutine or task a query says it, as --query=g=42" },
	{ "-r latency:gc -g 4 a b", "--goroutine: is of one trace, not of several" },
	{ "--report=latency:region=", "--report=latency:region=: a name is missing, at character 16" },
	{ "--report=gc -g1", "--report=gc: is of the whole program, not of some goroutines" },
	{ "--report=mmu:stw,x", "--report=mmu:stw,x: wanted words of stw, background, assist, sweep, proc and as-go with commas between them, and window=DURATION behind them" },
	{ "--report=mmu:window=0ms", "--report=mmu:window=0ms: the window must be longer than 0" },
	{ "--report=mmu --task=1", "--report=mmu: is of the whole program, not of some goroutines" },
	{ "--report=mmu -q g=1", "--report=mmu: is of the procs, of which a query finds none; --from and --to limit it" },
	{ "--mmu=stw", "--mmu: only with --report=mmu" },
	{ "--report=gc --window=1ms", "--window: only with --report=mmu" },
	{ "--report=mmu --window=0s", "--window=0s: must be longer than 0" },
	{ "--report=mmu --mmu=stw,assists", "--mmu=stw,assists: wanted words of stw, background, assist, sweep, proc and as-go with commas between them" },
	{ "--report=region", "--report=region: which one? wanted --report=region:NAME" },
	{ "--report=task", "--report=task: which one? wanted --report=task:ID" },
	{ "--report=task:x", "--report=task:x: wanted the number of a task, such as 42" },
	{ "--report=task:3 --task=4", "--task=4: another task was named before it" },
	{ "--report=tasks --task=4", "--task: --report=tasks is not limited by it" },
	{ "--report=region:a -g1",
		"--report=region: is of many; wanted --report=goroutine:1" },
	{ "--report=top --query=state=running", "--query: chooses states; slices are chosen by --from, --to, --focus and --ignore, samples by --focus, --ignore and --label" },
	{ "--export=folded:slices --as-go", "--as-go: chooses states; slices are chosen by --from, --to, --focus and --ignore, samples by --focus, --ignore and --label" },
	{ "--report=tree:slices,exact", "--report=tree:slices,exact: slices is always exact" },
	{ "--report=slices:read", "--report=slices:read: slices takes nothing after a colon" },
	{ "--report=top:cpu,exact", "--report=top:cpu,exact: cpu is always exact" },
	{ "--report=top:net,exact", "net,exact: goes with --as-go; without it every profile is exact" },
	{ "--report=top:net --as-go --with-open", "--with-open and --as-go: one or the other" },
	{ "--report=goroutines --as-go", "--as-go: only with a profile, such as --report=top:sync" },
	{ "--limit=5", "--limit: only with --find and reports that are tables" },
	{ "--limit=0 --find=g=1", "--limit=0: wanted a whole number from 1 to 1000000000" },
	{ "--format=svg", "--format=svg: only with --report=lanes" },
	{ "--color=on", "--color=on: wanted auto, always or never" },
	{ "--charset=latin1", "--charset=latin1: wanted auto, utf8 or ascii" },
	{ "--palette=pink", "--palette=pink: wanted auto, dark, light, high-contrast, color-blind or monochrome" },
	{ "--no-pager=yes", "--no-pager=yes: takes no value" },
	{ "--from=2s --to=1s", "--to must be later than --from" },
	{ "--from=1s --to=1s", "--to must be later than --from" },
	{ "--from=2s --at=1s", "--at lies before --from" },
	{ "--to=1s --at=1s", "--at must lie before --to" },
	{ "--from=1s --to=2s --interval=1s",
		"--interval: --from and --to say it already; leave one of the three out" },
	{ "--from=1s --interval=1s --at=2s", "--at lies outside of the --interval" },
	{ "-r tree:net a.trace b.trace",
		"one trace at a time, but both a.trace and b.trace are named; --report=beneath prints what two "
		"tell together" },
	{ "--load-only a.trace b.trace",
		"one trace at a time, but both a.trace and b.trace are named; --report=beneath prints what two "
		"tell together" },
	{ "a.trace b.trace c.trace d.trace e.trace", "4 traces at most stand on the screen, but 5 are named" },
	{ "-r beneath a.trace",
		"--report=beneath: takes two traces, that of a program and that of the kernel" },
	{ "-r beneath a.trace b.txt c.txt",
		"--report=beneath: takes two traces, that of a program and that of the kernel" },
	{ "-r beneath a.trace b.txt --diff=c.trace",
		"--report=beneath: takes two traces, that of a program and that of the kernel, "
		"without --find, --check and --diff" },
	{ "-r top:beneath a.trace",
		"--report=top:beneath: takes two traces, that of a program and that of the kernel" },
	{ "--export=svg:beneath:cycles a.trace",
		"--export=svg:beneath:cycles: takes two traces, that of a program and that of the kernel" },
	{ "-r top:beneath a.trace b.txt --runtime",
		"--runtime: chooses states; slices are chosen by --from, --to, --focus and --ignore, samples by "
		"--focus, --ignore and --label" },
	{ "-r beneath:cpu a.trace b.txt", "--report=beneath:cpu: of what? wanted --report=beneath:thread, function or proc" },
	{ "--align=b.txt:30ms a.trace",
		"--align: only where two traces stand together, on the screen or in a report of both" },
};

static void
wrong_usage_is_told_with_what_is_allowed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct line line;
		struct options options;
		struct error err;
		if (parse(refused[i].line, &line, &options, &err))
			fail_msg("\"%s\" is accepted", refused[i].line);
		const char *message = refused[i].message;
		/* A star stands for analyses of the registry. */
		if (strncmp(err.message, message, strcspn(message, "*")) != 0 ||
			(strchr(message, '*') == NULL && strcmp(err.message, message) != 0))
			fail_msg("\"%s\" says \"%s\"", refused[i].line, err.message);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
}

static void
bad_times_are_told_with_an_example(void **state)
{
	(void)state;
	struct line line;
	struct options options;
	struct error err;
	assert_false(parse("--at=12parsecs", &line, &options, &err));
	assert_non_null(strstr(err.message, "--at=12parsecs: "));
	assert_non_null(strstr(err.message, "wanted a time such as 1.2s, 350ms or 12us"));
}

static void
help_fits_eighty_columns_and_has_every_option(void **state)
{
	(void)state;
	struct text help = { 0 };
	options_add_help(&help);
	for (size_t i = 0; options_row(i) != NULL; i++) {
		char name[40];
		snprintf(name, sizeof name, "--%s", options_row(i)->name);
		if (strstr(help.bytes, name) == NULL)
			fail_msg("%s is not in the help", name);
	}
	for (const char *at = help.bytes; *at != '\0'; at += strcspn(at, "\n") + 1) {
		if (strcspn(at, "\n") > 80)
			fail_msg("too wide: %.*s", (int)strcspn(at, "\n"), at);
	}
	text_release(&help);
}

static void
the_graver_outcome_counts(void **state)
{
	(void)state;
	static const enum outcome order[] = { OUTCOME_FINE, OUTCOME_DAMAGED, OUTCOME_NO,
		OUTCOME_UNUSABLE, OUTCOME_USAGE };
	for (int a = 0; a < 5; a++) {
		for (int b = 0; b < 5; b++)
			assert_int_equal(outcome_combine(order[a], order[b]), order[a > b ? a : b]);
	}
}

/* ---- what follows from options and surroundings */

static const struct environment terminal = {
	.stdin_is_terminal = true,
	.stdout_is_terminal = true,
	.locale_is_utf8 = true,
	.terminal_width = 132,
	.term = "xterm-256color",
};

static void
the_mode_follows_from_terminals_and_options(void **state)
{
	(void)state;
	static const struct {
		const char *line, *term;
		bool in, out;
		enum mode mode;
	} rows[] = {
		{ "a.trace", "xterm", true, true, MODE_INTERACTIVE },
		{ "a.trace", "xterm", false, true, MODE_INTERACTIVE },
		{ "", "xterm", false, true, MODE_INTERACTIVE },
		{ "-", "xterm", false, true, MODE_INTERACTIVE },
		{ "-g3 a.trace", "xterm", true, true, MODE_INTERACTIVE },
		{ "-rsummary a.trace", "xterm", true, true, MODE_PRINT },
		{ "--dump=wire a.trace", "xterm", true, true, MODE_PRINT },
		{ "a.trace", "xterm", true, false, MODE_PRINT },
		{ "a.trace", "dumb", true, true, MODE_PRINT },
		{ "a.trace", NULL, true, true, MODE_PRINT },
		{ "", "xterm", false, false, MODE_PRINT },
		{ "", "xterm", true, true, MODE_USAGE },
		{ "", "xterm", true, false, MODE_USAGE },
		{ "-", "xterm", true, true, MODE_USAGE },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct options options = accept(rows[i].line);
		struct environment environment = terminal;
		environment.stdin_is_terminal = rows[i].in;
		environment.stdout_is_terminal = rows[i].out;
		environment.term = rows[i].term;
		if (environment_mode(&environment, &options) != rows[i].mode)
			fail_msg("row %zu: \"%s\"", i, rows[i].line);
	}
}

static void
colour_follows_terminal_options_and_no_color(void **state)
{
	(void)state;
	static const struct {
		const char *line, *term, *colorterm, *no_color;
		bool out;
		enum color_depth depth;
		bool screen_without;
	} rows[] = {
		{ "", "xterm-256color", NULL, NULL, true, COLORS_256, false },
		{ "", "xterm", NULL, NULL, true, COLORS_16, false },
		{ "", "xterm", "truecolor", NULL, true, COLORS_DIRECT, false },
		{ "", "xterm", NULL, "1", true, COLORS_NONE, true },
		{ "", "xterm", NULL, "", true, COLORS_16, false },
		{ "", "dumb", NULL, NULL, true, COLORS_NONE, false },
		{ "", "xterm-256color", NULL, NULL, false, COLORS_NONE, false },
		{ "--color=always", "xterm-256color", NULL, "1", false, COLORS_256, false },
		{ "--color=always", NULL, NULL, NULL, false, COLORS_256, false },
		{ "--color=never", "xterm", NULL, NULL, true, COLORS_NONE, true },
		{ "-rlanes -fansi", "xterm", NULL, NULL, false, COLORS_16, false },
		{ "-rlanes -fansi --color=never", "xterm", NULL, NULL, false, COLORS_NONE, true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct options options = accept(rows[i].line);
		struct environment environment = terminal;
		environment.term = rows[i].term;
		environment.colorterm = rows[i].colorterm;
		environment.no_color = rows[i].no_color;
		environment.stdout_is_terminal = rows[i].out;
		if (environment_print_depth(&environment, &options) != rows[i].depth ||
			environment_without_color(&environment, &options) != rows[i].screen_without)
			fail_msg("row %zu: \"%s\"", i, rows[i].line);
	}
}

static void
the_pager_is_the_users(void **state)
{
	(void)state;
	struct options options = accept("-rsummary a.trace"),
		       plain = accept("-rsummary --no-pager");
	struct environment environment = terminal;
	assert_non_null(strstr(environment_pager(&environment, &options), "less -FRX"));
	environment.pager = "more";
	assert_string_equal(environment_pager(&environment, &options), "more");
	environment.ttrace_pager = "most -x";
	assert_string_equal(environment_pager(&environment, &options), "most -x");
	assert_null(environment_pager(&environment, &plain));
	environment.ttrace_pager = "cat";
	assert_null(environment_pager(&environment, &options));
	environment.ttrace_pager = "";
	assert_null(environment_pager(&environment, &options));
	environment.ttrace_pager = "most";
	environment.stdout_is_terminal = false;
	assert_null(environment_pager(&environment, &options));
}

static void
width_and_charset_have_their_order(void **state)
{
	(void)state;
	struct options options = accept("a.trace");
	struct environment environment = terminal;
	assert_int_equal(environment_width(&environment, &options), 132);
	environment.columns = "90";
	assert_int_equal(environment_width(&environment, &options), 90);
	environment.columns = "nonsense";
	environment.terminal_width = 0;
	environment.other_terminal_width = 70;
	assert_int_equal(environment_width(&environment, &options), 100);
	environment.stdout_is_pipe = true;
	assert_int_equal(environment_width(&environment, &options), 70);
	environment.other_terminal_width = 0;
	assert_int_equal(environment_width(&environment, &options), 100);
	environment.columns = "3";
	assert_int_equal(environment_width(&environment, &options), OPTION_MIN_WIDTH);
	environment.columns = "99999999999999999999";
	assert_int_equal(environment_width(&environment, &options), OPTION_MAX_WIDTH);
	struct options wide = accept("--width=200");
	assert_int_equal(environment_width(&environment, &wide), 200);

	struct options ascii = accept("--charset=ascii"), utf8 = accept("--charset=utf8");
	struct options svg = accept("-rlanes -fsvg");
	assert_false(environment_is_ascii(&environment, &options));
	assert_true(environment_is_ascii(&environment, &ascii));
	environment.locale_is_utf8 = false;
	assert_true(environment_is_ascii(&environment, &options));
	assert_false(environment_is_ascii(&environment, &utf8));
	assert_false(environment_is_ascii(&environment, &svg));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_taken),
		cmocka_unit_test(any_number_of_files_can_be_searched),
		cmocka_unit_test(differences_are_for_the_screen_too),
		cmocka_unit_test(findings_are_a_table),
		cmocka_unit_test(tables_are_sorted_by_any_column),
		cmocka_unit_test(dumps_and_exports_are_taken),
		cmocka_unit_test(times_of_day_are_taken),
		cmocka_unit_test(without_options_nothing_is_set),
		cmocka_unit_test(help_and_version_end_the_reading),
		cmocka_unit_test(wrong_usage_is_told_with_what_is_allowed),
		cmocka_unit_test(bad_times_are_told_with_an_example),
		cmocka_unit_test(help_fits_eighty_columns_and_has_every_option),
		cmocka_unit_test(the_graver_outcome_counts),
		cmocka_unit_test(the_mode_follows_from_terminals_and_options),
		cmocka_unit_test(colour_follows_terminal_options_and_no_color),
		cmocka_unit_test(the_pager_is_the_users),
		cmocka_unit_test(width_and_charset_have_their_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
