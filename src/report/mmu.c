/* The curve and the worst windows. */
#include "report/mmu.h"

#include "analysis/mutator_parts.h"
#include "report/grid.h"
#include "report/words.h"
#include "trace/words.h"

enum {
	POINTS = 100,     /* of the curve, as Go's page has them */
	TOLD_POINTS = 25, /* for people */
	WINDOWS = 10,
	WINDOWS_MOST = 1000
};

#define WINDOW_NS INT64_C(10000000)

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
	const struct mutator_part_words *words;
	for (size_t i = 0; (words = mutator_part_words(i)) != NULL; i++) {
		if ((report->request->parts & words->part) == 0)
			continue;
		text_add_string(&told, told.length > 0 ? ", " : "");
		text_add_words(&told, report->grid.trace->words, words->told);
	}
	grid_fact(&report->grid, "without", "%s", text_string(&told));
	text_release(&told);
}

static bool
print_point(struct report *report, int64_t width_ns)
{
	struct grid *grid = &report->grid;
	struct mutator_point point;
	if (!mutator_point(&report->mutator, width_ns, &point, report->err))
		return false;
	grid_duration(grid, width_ns);
	grid_share(grid, point.least);
	grid_bar(grid, point.least);
	for (int i = 0; i < MUTATOR_POINT_PARTS; i++)
		grid_share(grid, point.shares[i]);
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
	grid_as_made(&report->grid);
	grid_table(&report->grid, "curve", "What the program had of any window, at the least",
		columns, (int)ARRAY_LENGTH(columns));
	for (int i = 0; is_fine && i < points && report->mutator.count > 0; i++)
		is_fine = print_point(report, mutator_width(least_ns, most_ns, i, points));
	grid_table_end(&report->grid, "The trace does not tell how many {processors} there were.");
	return is_fine;
}

static bool
print_windows(struct report *report)
{
	static const struct grid_column columns[] = {
		{ { .title = "from", .is_right = true }, "start_ns" },
		{ { .title = "for", .is_right = true }, "window_ns" },
		{ { .title = "program", .is_right = true }, "utilisation" },
		{ { .title = "" }, NULL },
		{ { .title = "{processor}" }, "{processor}" },
	};
	struct mutator_window windows[WINDOWS_MOST];
	uint64_t limit = report->options->limit == 0 ? WINDOWS : report->options->limit;
	size_t most = limit < WINDOWS_MOST ? (size_t)limit : WINDOWS_MOST;
	size_t count = mutator_worst(&report->mutator, report->window_ns, windows, most);
	grid_table(&report->grid, "worst", "The worst windows that do not overlap", columns,
		(int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < count; i++) {
		grid_moment(&report->grid, windows[i].start_ns);
		grid_duration(&report->grid, windows[i].width_ns);
		grid_share(&report->grid, windows[i].share);
		grid_bar(&report->grid, windows[i].share);
		grid_processor(&report->grid, windows[i].processor);
	}
	grid_table_end(&report->grid, "none");
	return true;
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
	is_fine = is_fine && print_windows(report);
	return grid_end(&report->grid) && is_fine;
}

bool
report_mmu(const struct trace *trace, const struct mmu_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct report report = { .request = request, .options = options, .err = err };
	struct mutator_scope scope = { .parts = request->parts };
	words_interval(options, trace, &scope.from_ns, &scope.until_ns);
	report.grid.trace = trace;
	bool is_fine = mutator_build(&report.mutator, trace, &scope, err) && print(&report, out);
	mutator_release(&report.mutator);
	return is_fine;
}
