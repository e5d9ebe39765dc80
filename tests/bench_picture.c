/*
 * The first picture: the real program is started in a pseudo-terminal, and the clock
 * stops when rows of the trace are on the screen.
 */
#include "bench_picture.h"

#include <string.h>

#include "base/compiler.h"
#include "base/process.h"
#include "bench.h"
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

bool
picture_time(const char *program, const char *trace, double *first_ms, double *whole_ms,
	struct error *err)
{
	const char *argv[] = { program, trace, NULL };
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
	struct samples first_ms = { 0 }, whole_ms = { 0 };
	bool is_fine = true;
	for (int i = 0; is_fine && i < setting->runs; i++) {
		double first, whole;
		is_fine = picture_time(setting->program, setting->trace, &first, &whole, err) &&
			  samples_add(&first_ms, first, err) && samples_add(&whole_ms, whole, err);
	}
	struct bench_number numbers[] = {
		number_of_samples("picture_first_ms", "first picture", "ms", &first_ms),
		number_of_samples("picture_whole_ms", "picture of all the trace", "ms", &whole_ms),
	};
	numbers[0].bar = BAR_AT_MOST;
	numbers[0].limit = first_bar_ms(report);
	samples_release(&first_ms);
	samples_release(&whole_ms);
	return is_fine && bench_add(report, numbers, ARRAY_LENGTH(numbers), err);
}
