/*
 * The first picture: the real program is started in a pseudo-terminal, and the clock
 * stops when rows of the trace are on the screen.
 */
#include "bench_picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cachefile.h"
#include "base/compiler.h"
#include "base/process.h"
#include "bench.h"
#include "bench_child.h"
#include "ptyterm.h"

enum { LOOK_MS = 4, LOAD_MS = 300000 };

/* Within 300 ms for a first generation of up to 16 MB, in proportion above. */
enum { FIRST_BAR_MS = 300, FIRST_BAR_MB = 16 };

/* The names of the sections stand at the left of any picture of lanes. */
static bool
shows_rows(struct ptyterm *term)
{
	return ptyterm_has_text(term, "Procs") || ptyterm_has_text(term, "Goroutines");
}

static bool
is_loading(struct ptyterm *term)
{
	return strstr(ptyterm_row(term, 0), "loading") != NULL;
}

bool
picture_wait(struct ptyterm *term, bool is_whole, struct error *err)
{
	int64_t deadline_ns = process_now_ns() + (int64_t)LOAD_MS * 1000000;
	while (!shows_rows(term) || (is_whole && is_loading(term))) {
		ptyterm_settle(term, LOOK_MS);
		if (process_now_ns() > deadline_ns) {
			ptyterm_print(term);
			return error_set(err, ERROR_IO, "the program did not show the trace");
		}
	}
	return true;
}

/* The same with an option. */
static bool
time_with(const char *program, const char *option, const char *trace, double *first_ms,
	double *whole_ms, struct error *err)
{
	const char *argv[] = { program, option, trace, NULL };
	const struct ptyterm_options options = { .width = 80, .height = 24 };
	int64_t start_ns = process_now_ns();
	struct ptyterm *term = ptyterm_start(argv, &options);
	if (term == NULL)
		return error_set(err, ERROR_IO, "%s did not start", program);
	bool is_fine = picture_wait(term, false, err);
	*first_ms = (double)(process_now_ns() - start_ns) / 1e6;
	is_fine = is_fine && picture_wait(term, true, err);
	*whole_ms = (double)(process_now_ns() - start_ns) / 1e6;
	ptyterm_free(term);
	return is_fine;
}

/* "--" is no option. */
bool
picture_time(const char *program, const char *trace, double *first_ms, double *whole_ms,
	struct error *err)
{
	return time_with(program, "--", trace, first_ms, whole_ms, err);
}

static double
first_bar_ms(const struct bench_report *report)
{
	const struct bench_number *generation = bench_find(report, "first_generation_mb");
	double mb = generation != NULL ? generation->value : 0;
	return FIRST_BAR_MS * (mb > FIRST_BAR_MB ? mb / FIRST_BAR_MB : 1);
}

bool
bench_pictures(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	struct costs first_ms = { 0 }, whole_ms = { 0 };
	bool is_fine = true;
	for (int i = 0; is_fine && i < setting->runs; i++) {
		double first, whole;
		is_fine = picture_time(setting->program, setting->trace, &first, &whole, err) &&
			  costs_add(&first_ms, first, err) && costs_add(&whole_ms, whole, err);
	}
	struct bench_number numbers[] = {
		number_of_samples("picture_first_ms", "first picture", "ms", &first_ms),
		number_of_samples("picture_whole_ms", "picture of all the trace", "ms", &whole_ms),
	};
	numbers[0].bar = BAR_AT_MOST;
	numbers[0].limit = first_bar_ms(report);
	costs_release(&first_ms);
	costs_release(&whole_ms);
	return is_fine && bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}

/* Runs the program to its end for what it does beside. */
static bool
run_quietly(const char *program, const char *option, const char *trace, struct error *err)
{
	const char *argv[] = { program, option, "--load-only", trace, NULL };
	const struct child_limits no_limits = { 0 };
	struct child child = { 0 };
	struct child_result result;
	char line[256];
	if (!child_start(&child, argv, STDOUT_FILENO, &no_limits, err))
		return false;
	while (child_read_line(&child, line, sizeof line))
		continue;
	child_end(&child, &result);
	return result.failure[0] == '\0' ||
	       error_set(err, ERROR_IO, "%s %s: %s", program, option, result.failure);
}

static bool
time_reopening(const struct bench_setting *setting, struct costs *ms, struct error *err)
{
	double first, whole;
	bool is_fine = run_quietly(setting->program, "--cache", setting->trace, err);
	for (int i = 0; is_fine && i < setting->runs; i++)
		is_fine = time_with(setting->program, "--cache", setting->trace, &first, &whole,
				  err) &&
			  costs_add(ms, first, err);
	return is_fine;
}

bool
bench_reopening(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	struct environment environment = { 0 };
	struct costs ms = { 0 };
	struct text folder = { 0 }, within = { 0 };
	uint64_t count, bytes = 0;
	if (!cache_is_available())
		return true;
	const char *work = getenv("TMPDIR");
	text_format(&folder, "%s/ttrace-bench-%ld", work != NULL ? work : "/tmp", (long)getpid());
	text_format(&within, "%s/ttrace", folder.bytes);
	bool is_fine = !folder.failed && !within.failed && setenv("XDG_CACHE_HOME", folder.bytes, 1) == 0;
	is_fine = is_fine ? time_reopening(setting, &ms, err) : error_set_memory(err, "a name");
	environment.cache_home = folder.bytes;
	is_fine = cachefile_clear(&environment, &count, &bytes, err) && is_fine;
	rmdir(within.bytes);
	rmdir(folder.bytes);
	text_release(&within);
	text_release(&folder);
	struct bench_number numbers[] = {
		number_of_samples("picture_reopened_ms", "first picture out of the cache", "ms", &ms),
		{ .name = "cache_mb", .meaning = "cache", .unit = "MB", .value = (double)bytes / 1e6 },
	};
	numbers[0].bar = BAR_AT_MOST;
	numbers[0].limit = FIRST_BAR_MS;
	costs_release(&ms);
	return is_fine && bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}
