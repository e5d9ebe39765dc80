/* The curve and the worst windows. */
#include "analysis/go/mmu.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/go/mutator_parts.h"
#include "analysis/registry.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/units.h"
#include "trace/words.h"

#define NO_PARTS "none"
#define WINDOW "window="

/* ---- what is asked */

bool
mmu_parse(const char *parameter, unsigned *parts, int64_t *window_ns, struct error *err)
{
	enum { MOST = 80 }; /* more than all words are long */
	const char *window = strstr(parameter, WINDOW);
	size_t length = window == NULL ? strlen(parameter) : (size_t)(window - parameter);
	char words[MOST] = "";
	*parts = MUTATOR_USUAL;
	*window_ns = 0;
	if (window != NULL && !units_parse_duration(window + strlen(WINDOW), window_ns, err))
		return false;
	if (window != NULL && *window_ns <= 0)
		return error_set(err, ERROR_USAGE, "the window must be longer than 0");
	if (length == 0)
		return true;
	if (window != NULL && length > 1 && parameter[length - 1] == ',')
		length--;
	else if (window != NULL)
		length = MOST;
	if (length < MOST)
		memcpy(words, parameter, length);
	if (strcmp(words, NO_PARTS) == 0)
		*parts = 0;
	return *parts == 0 || mutator_parts_parse(words, parts) ||
	       error_set(err, ERROR_USAGE,
		       "wanted words of stw, background, assist, sweep, proc and as-go with commas "
		       "between them, and window=DURATION behind them");
}

void
mmu_add_parameter(struct text *out, unsigned parts, int64_t window_ns)
{
	size_t start = out->length;
	if (parts == 0)
		text_add_string(out, NO_PARTS);
	else if (parts != MUTATOR_USUAL)
		mutator_parts_add(out, parts);
	if (window_ns > 0)
		text_format(out, "%s" WINDOW "%" PRId64 "ns", out->length > start ? "," : "",
			window_ns);
}

static void *
read_asked(const char *text, size_t from, struct error *why)
{
	struct mmu_asked *asked = array_new(1, sizeof *asked, why);
	if (asked == NULL || mmu_parse(text + from, &asked->parts, &asked->window_ns, why))
		return asked;
	memory_free(asked);
	return NULL;
}

/* ---- the curve */

bool
mmu_build(struct mmu *mmu, struct analysis_work *work, int points, struct error *err)
{
	int64_t least_ns, most_ns;
	const struct mmu_asked *asked = work->parameter;
	*mmu = (struct mmu){ .parts = asked->parts, .window_ns = asked->window_ns };
	const struct mutator_scope scope = { mmu->parts, work->scope.t0_ns, work->scope.t1_ns,
		&work->watch };
	uint64_t units = mutator_work(work->trace), units_per_point = units / (uint64_t)points + 1;
	search_watch_expect(&work->watch, units + (uint64_t)points * units_per_point);
	if (!mutator_build(&mmu->mutator, work->trace, &scope, err))
		return false;
	mutator_range(&mmu->mutator, &least_ns, &most_ns);
	for (int i = 0; i < points && mmu->mutator.count > 0; i++, mmu->count++) {
		int64_t width_ns = mutator_width(least_ns, most_ns, i, points);
		if (!mutator_point(&mmu->mutator, width_ns, &mmu->points[i], err) ||
			!search_watch_check(&work->watch, units_per_point, err))
			return false;
	}
	return true;
}

void
mmu_release(struct mmu *mmu)
{
	mutator_release(&mmu->mutator);
}

/* ---- tables */

static const struct result_column curve_columns[] = {
	DIMENSION("window_ns", "window", FIGURE_DURATION),
	MEASURE("mmu", "least", FIGURE_SHARE),
	MEASURE(NULL, "", FIGURE_BAR, .rank = 4),
	MEASURE("p0.1", "0.1%", FIGURE_SHARE, .rank = 3),
	MEASURE("p1", "1%", FIGURE_SHARE, .rank = 2),
	MEASURE("p5", "5%", FIGURE_SHARE, .rank = 1),
};

static bool
put_curve(struct result_sink *sink, const struct mmu *mmu, struct error *err)
{
	const struct result_table table = {
		.name = "curve",
		.title = "What the program had of any window, at the least",
		.columns = curve_columns,
		.column_count = ARRAY_LENGTH(curve_columns),
		.is_as_made = true,
		.none = "The trace does not tell how many {processors} there were.",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < mmu->count; i++) {
		const struct mutator_point *point = &mmu->points[i];
		int64_t cells[ARRAY_LENGTH(curve_columns)], *cell = cells;
		*cell++ = point->width_ns;
		*cell++ = figure_of_share(point->least);
		*cell++ = figure_of_share(point->least);
		for (int part = 0; part < MUTATOR_POINT_PARTS; part++)
			*cell++ = figure_of_share(point->shares[part]);
		is_fine = sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

static const struct result_column worst_columns[] = {
	DIMENSION("start_ns", "from", FIGURE_MOMENT),
	MEASURE("window_ns", "for", FIGURE_DURATION),
	MEASURE("utilisation", "program", FIGURE_SHARE),
	MEASURE(NULL, "", FIGURE_BAR),
	MEASURE("{processor}", "{processor}", FIGURE_PROCESSOR),
};

/* Of the width that was asked for, or a usual one; never more than there is. */
static bool
put_worst(struct result_sink *sink, const struct mmu *mmu, uint64_t limit, struct error *err)
{
	enum { WINDOWS = 10, WINDOWS_MOST = 1000 };
	const int64_t usual_ns = 10000000;
	const struct result_table table = {
		.name = "worst",
		.title = "The worst windows that do not overlap",
		.columns = worst_columns,
		.column_count = ARRAY_LENGTH(worst_columns),
		.none = "none",
	};
	struct mutator_window windows[WINDOWS_MOST];
	size_t most = limit == 0 ? WINDOWS : limit < WINDOWS_MOST ? (size_t)limit : WINDOWS_MOST;
	int64_t duration_ns = mutator_duration_ns(&mmu->mutator), window_ns = mmu->window_ns;
	if (window_ns == 0)
		window_ns = duration_ns / 10 < usual_ns ? duration_ns / 10 : usual_ns;
	if (window_ns > duration_ns)
		window_ns = duration_ns;
	size_t count = mutator_worst(&mmu->mutator, window_ns, windows, most);
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct mutator_window *window = &windows[i];
		const int64_t share = figure_of_share(window->share);
		const int64_t cells[ARRAY_LENGTH(worst_columns)] = { window->start_ns,
			window->width_ns, share, share, window->processor };
		is_fine = sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

static void
tell_parts(struct result_sink *sink, const struct words *words, unsigned parts)
{
	const struct mutator_part_words *part;
	struct text told = { 0 };
	for (size_t i = 0; (part = mutator_part_words(i)) != NULL; i++) {
		if ((parts & part->part) == 0)
			continue;
		text_add_string(&told, told.length > 0 ? ", " : "");
		text_add_words(&told, words, part->told);
	}
	sink->fact(sink, "without", text_string(&told));
	text_release(&told);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	enum { READ_POINTS = 25 }; /* are enough for people */
	struct mmu mmu;
	bool is_fine = mmu_build(&mmu, work, sink->fact != NULL ? READ_POINTS : MMU_POINTS, err);
	if (is_fine && sink->fact != NULL)
		tell_parts(sink, work->trace->words, mmu.parts);
	is_fine = is_fine && put_curve(sink, &mmu, err) && put_worst(sink, &mmu, work->limit, err);
	mmu_release(&mmu);
	return is_fine;
}

const struct analysis_kind mmu_kind = {
	.name = "mmu",
	.needs = NEEDS_COLLECTOR,
	.help = "what the collector left of any window of time",
	.heading = "Minimum mutator utilisation",
	.title = "Minimum mutator utilisation",
	.parameters = "PARTS[,window=DURATION]",
	.read = read_asked,
	.forget = memory_free,
	.fill = fill,
};
