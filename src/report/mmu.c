/* The curve and the worst windows. */
#include "report/mmu.h"

#include <string.h>

#include "analysis/mutator.h"
#include "base/units.h"
#include "report/grid.h"
#include "report/words.h"

enum {
	POINTS = 100,     /* of the curve, as Go's page has them */
	TOLD_POINTS = 25, /* for people */
	QUANTILES = 3,
	WINDOWS = 10,
	WINDOWS_MOST = 1000
};

#define WINDOW_NS INT64_C(10000000)

static const double quantiles[QUANTILES] = { 0.001, 0.01, 0.05 };

static const struct {
	const char *word;
	unsigned part;
	const char *told;
} part_words[] = {
	{ "stw", MUTATOR_STW, "stop-the-world" },
	{ "background", MUTATOR_BACKGROUND, "background workers" },
	{ "assist", MUTATOR_ASSIST, "assists" },
	{ "sweep", MUTATOR_SWEEP, "sweeping" },
	{ "proc", MUTATOR_PER_PROC, "each proc for itself" },
	{ "as-go", MUTATOR_AS_GO, "as Go's page counts" },
};

bool
mmu_parts_parse(const char *words, unsigned *parts)
{
	*parts = 0;
	for (;;) {
		size_t length = strcspn(words, ","), i = 0;
		while (i < ARRAY_LENGTH(part_words) &&
			(strlen(part_words[i].word) != length ||
				memcmp(part_words[i].word, words, length) != 0))
			i++;
		if (i == ARRAY_LENGTH(part_words))
			return false;
		*parts |= part_words[i].part;
		if (words[length] == '\0')
			return true;
		words += length + 1;
	}
}

struct report {
	struct grid grid;
	const struct mmu_request *request;
	const struct report_options *options;
	struct mutator mutator;
	int64_t window_ns;
	struct error *err;
};

static void
print_heading(struct report *report)
{
	struct text told = { 0 };
	grid_heading(&report->grid, "Minimum mutator utilisation");
	grid_usual_facts(&report->grid);
	for (size_t i = 0; i < ARRAY_LENGTH(part_words); i++) {
		if ((report->request->parts & part_words[i].part) != 0)
			text_format(&told, "%s%s", told.length > 0 ? ", " : "", part_words[i].told);
	}
	grid_fact(&report->grid, "without", "%s", told.length > 0 ? told.bytes : "");
	text_release(&told);
}

static bool
print_point(struct report *report, int64_t width_ns)
{
	struct grid *grid = &report->grid;
	double shares[QUANTILES], least = mutator_least(&report->mutator, width_ns);
	if (!mutator_quantiles(
		    &report->mutator, width_ns, quantiles, QUANTILES, shares, report->err))
		return false;
	grid_duration(grid, width_ns);
	grid_share(grid, least);
	grid_bar(grid, least, STYLE_RUNNING);
	for (int i = 0; i < QUANTILES; i++)
		grid_share(grid, shares[i]);
	return true;
}

static bool
print_curve(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "window", .is_right = true }, "window_ns" },
		{ { .title = "least", .is_right = true }, "mmu" },
		{ { .title = "", .rank = 4 }, NULL },
		{ { .title = "0.1%", .is_right = true, .rank = 3 }, "p0.1" },
		{ { .title = "1%", .is_right = true, .rank = 2 }, "p1" },
		{ { .title = "5%", .is_right = true, .rank = 1 }, "p5" },
	};
	int points = grid_is_text(&report->grid) ? TOLD_POINTS : POINTS;
	int64_t least_ns, most_ns;
	bool is_fine = true;
	mutator_range(&report->mutator, &least_ns, &most_ns);
	grid_ignore_limit(&report->grid);
	grid_table(&report->grid, "curve", "What the program had of any window, at the least",
		columns, (int)ARRAY_LENGTH(columns));
	for (int i = 0; is_fine && i < points && report->mutator.count > 0; i++)
		is_fine = print_point(report, mutator_width(least_ns, most_ns, i, points));
	grid_table_end(&report->grid, "The trace does not tell how many procs there were.");
	return is_fine;
}

static void
print_windows(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "from", .is_right = true }, "start_ns" },
		{ { .title = "for", .is_right = true }, "window_ns" },
		{ { .title = "program", .is_right = true }, "utilisation" },
		{ { .title = "" }, NULL },
		{ { .title = "proc" }, "proc" },
	};
	struct mutator_window windows[WINDOWS_MOST];
	uint64_t limit = report->options->limit == 0 ? WINDOWS : report->options->limit;
	size_t most = limit < WINDOWS_MOST ? (size_t)limit : WINDOWS_MOST;
	size_t count = mutator_worst(&report->mutator, report->window_ns, windows, most);
	grid_table(&report->grid, "worst", "The worst windows that do not overlap", columns,
		(int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < count; i++) {
		grid_moment(&report->grid, windows[i].start_ns);
		grid_duration(&report->grid, report->window_ns);
		grid_share(&report->grid, windows[i].share);
		grid_bar(&report->grid, windows[i].share, STYLE_RUNNING);
		grid_proc(&report->grid, windows[i].proc);
	}
	grid_table_end(&report->grid, "none");
}

/* The width that was asked for, or a usual one; never more than there is. */
static void
choose_window(struct report *report)
{
	int64_t duration_ns = mutator_duration_ns(&report->mutator);
	report->window_ns = report->request->window_ns;
	if (report->window_ns == 0)
		report->window_ns = duration_ns / 10 < WINDOW_NS ? duration_ns / 10 : WINDOW_NS;
	if (report->window_ns > duration_ns)
		report->window_ns = duration_ns;
}

static bool
print(struct report *report, struct text *out)
{
	const struct trace *trace = report->grid.trace;
	if (!grid_begin(&report->grid, trace, report->options, out, report->err))
		return false;
	print_heading(report);
	bool is_fine = print_curve(report);
	choose_window(report);
	if (is_fine)
		print_windows(report);
	return grid_end(&report->grid) && is_fine;
}

bool
report_mmu(const struct trace *trace, const struct mmu_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .request = request, .options = options, .err = err };
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	report.grid.trace = trace;
	bool is_fine = mutator_build(&report.mutator, trace, request->parts, t0_ns, t1_ns, err) &&
		       print(&report, out);
	mutator_release(&report.mutator);
	return is_fine;
}
