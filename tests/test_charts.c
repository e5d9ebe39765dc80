/*
 * Charts: areas, curves, axes, histograms and heat maps as pictures in colours, without them and in
 * ASCII; heat against a naive count.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/heat.h"
#include "base_testing.h"
#include "draw/area.h"
#include "draw/axis.h"
#include "draw/bar.h"
#include "draw/curve.h"
#include "draw/heat_map.h"
#include "draw/histogram.h"
#include "draw/mmu_chart.h"
#include "golden.h"
#include "scene.h"
#include "trace/lane.h"

enum { WIDTH = 80, HEIGHT = 22, SPANS = 4000 };

static const struct {
	const char *name;
	bool ascii, monochrome;
} looks[] = { { "colors", false, false }, { "monochrome", false, true }, { "ascii", true, true } };

/* Draws with each look and compares with one golden that has them all, styles of the first. */
static void
check_looks(const char *golden, void (*draw)(struct canvas *canvas))
{
	struct text made = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(looks); i++) {
		struct canvas canvas = { .ascii = looks[i].ascii, .monochrome = looks[i].monochrome };
		struct error err;
		error_clear(&err);
		assert_true(canvas_resize(&canvas, WIDTH, HEIGHT, &err));
		draw(&canvas);
		text_format(&made, "---- %s\n", looks[i].name);
		if (i == 0)
			scene_dump(&canvas, &made);
		else
			scene_dump_text(&canvas, &made);
		canvas_release(&canvas);
	}
	golden_check(golden, &made);
	text_release(&made);
}

/* ---- areas, curves and axes */

static void
draw_areas(struct canvas *canvas)
{
	static const struct area_layer layers[] = {
		{ STYLE_RUNNING, true, '=', '#' },
		{ STYLE_GC_WORKER, false, 'm', 'M' },
	};
	struct axis counts = axis_from_zero(AXIS_COUNT, 7.2);
	struct axis sizes = { .unit = AXIS_DURATION, .is_log = true, .least = 800, .most = 3e9 };
	int left = axis_width(&counts, 8, canvas->ascii);
	struct area area = { canvas, left, 0, WIDTH - left, 8, layers, 2 };
	double shares[WIDTH * CURVE_DOTS_ACROSS];
	axis_draw_left(canvas, 0, 0, left, area.height, &counts);
	for (int i = 0; i < area.width; i++) {
		double low = 2.5 + 2 * sin(i / 9.0), high = low + (i % 20 < 10 ? 1.4 : 0);
		int tops[] = { area_level(&area, axis_place(&counts, low)),
			area_level(&area, axis_place(&counts, high)) };
		area_draw_column(&area, i, tops);
		area_draw_line(&area, i, area_level(&area, 0.9), STYLE_TEXT_DIM);
	}
	axis_draw_below(canvas, left, 8, area.width, &sizes);
	for (int i = 0; i < area.width * CURVE_DOTS_ACROSS; i++)
		shares[i] = i < 80 ? i / 80.0 : 0.3;
	struct area below = { canvas, left, 10, area.width, 6, NULL, 0 };
	curve_draw(&below, shares, STYLE_KEY);
}

static void
areas_and_curves_have_a_picture(void **state)
{
	(void)state;
	check_looks("chart-areas.txt", draw_areas);
}

/* Labels of an axis from left to right. */
static void
check_axis(const struct axis *axis, const char *wanted)
{
	struct canvas canvas = { 0 };
	struct text made = { 0 };
	struct error err;
	error_clear(&err);
	assert_true(canvas_resize(&canvas, WIDTH, 1, &err));
	axis_draw_below(&canvas, 0, 0, WIDTH, axis);
	scene_dump_text(&canvas, &made);
	check_text("axis", made.bytes, wanted);
	text_release(&made);
	canvas_release(&canvas);
}

static void
axes_have_round_ticks(void **state)
{
	(void)state;
	const struct axis counts = axis_from_zero(AXIS_COUNT, 950);
	const struct axis bytes = axis_from_zero(AXIS_BYTES, 5e6);
	const struct axis shares = { .unit = AXIS_SHARE, .most = 1 };
	const struct axis wide = { .unit = AXIS_DURATION, .is_log = true, .least = 1, .most = 1e12 };
	const struct axis narrow = { .unit = AXIS_DURATION, .is_log = true, .least = 1e3, .most = 1e5 };
	assert_true(counts.most == 1000 && bytes.most == 6291456);
	check_axis(&counts, "╵0              ╵200            ╵400            ╵600            ╵800           ╵\n");
	check_axis(&bytes, "╵0 B         ╵1 MiB       ╵2 MiB        ╵3 MiB       ╵4 MiB       ╵5 MiB       ╵\n");
	check_axis(&shares, "╵0%             ╵20%            ╵40%            ╵60%            ╵80%           ╵\n");
	check_axis(&wide, "╵1 ns               ╵1 µs               ╵1 ms               ╵1 s               ╵\n");
	check_axis(&narrow, "╵1 µs       ╵2 µs          ╵5 µs        ╵10 µs      ╵20 µs         ╵50 µs      ╵\n");
}

/* Nothing stands beside a chart that has no rows. */
static void
axes_without_room_have_no_ticks(void **state)
{
	(void)state;
	const struct axis shares = { .unit = AXIS_SHARE, .most = 1 };
	int width = axis_width(&shares, 2, false);
	assert_int_equal(axis_width(&shares, 0, false), width);
	assert_int_equal(axis_width(&shares, -1, false), width);
}

/* The chart is exact at its ends and never goes down where the value goes up. */
static void
places_and_values_agree(void **state)
{
	(void)state;
	static const struct axis axes[] = {
		{ .unit = AXIS_DURATION, .is_log = true, .least = 3, .most = 7e11 },
		{ .unit = AXIS_BYTES, .least = 0, .most = 1e9 },
	};
	for (size_t a = 0; a < ARRAY_LENGTH(axes); a++) {
		assert_true(axis_place(&axes[a], axes[a].least) == 0);
		assert_true(axis_place(&axes[a], axes[a].most) == 1);
		assert_true(axis_place(&axes[a], axes[a].most * 2) == 1);
		for (int i = 1; i < 100; i++) {
			double place = i / 100.0, least = axes[a].least, most = axes[a].most;
			double value = axes[a].is_log ? least * pow(most / least, place) : most * place;
			assert_true(fabs(axis_place(&axes[a], value) - place) < 1e-9);
		}
	}
}

/* ---- the curve of the collector */

static void
draw_mmu(struct canvas *canvas)
{
	struct mutator_point points[64];
	struct mmu_chart chart = { points, (int)ARRAY_LENGTH(points), 40 };
	for (int i = 0; i < chart.count; i++) {
		double share = i < 8 ? 0 : 1 - exp(-(i - 8) / 16.0);
		points[i] = (struct mutator_point){ .width_ns = mutator_width(1000, 1000000000, i, chart.count),
			.least = share * 0.9, .shares = { share * 0.9 + 0.02, share * 0.9 + 0.05, share * 0.8 + 0.2 } };
	}
	mmu_chart_draw(canvas, 0, 0, WIDTH, 14, &chart);
	assert_int_equal(mmu_chart_point_at(0, WIDTH, 14, &chart, canvas->ascii, 0), -1);
	assert_int_equal(mmu_chart_point_at(0, WIDTH, 14, &chart, canvas->ascii, WIDTH - 1), chart.count - 1);
}

static void
mutator_utilisation_has_a_picture(void **state)
{
	(void)state;
	check_looks("chart-mmu.txt", draw_mmu);
}

/* ---- durations */

struct sample {
	int64_t start_ns, duration_ns;
	uint32_t rank;
};

/* What make_spans() made last, in the order of time. */
static struct sample samples[SPANS];

static int
compare_durations(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	return (x->duration_ns > y->duration_ns) - (x->duration_ns < y->duration_ns);
}

static int
compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Durations over many octaves, in the order of time; good until the next call. */
static void
make_spans(uint64_t seed, int64_t end_ns, struct heat_spans *spans)
{
	static int64_t starts_ns[SPANS];
	static uint16_t levels[SPANS];
	static uint32_t ranks[SPANS];
	for (int i = 0; i < SPANS; i++) {
		uint64_t bits = 5 + random_below(&seed, 14) + (uint64_t)i * 8 / SPANS;
		samples[i].start_ns = (int64_t)(random_next(&seed) % (uint64_t)end_ns);
		samples[i].duration_ns = (int64_t)(random_next(&seed) % (UINT64_C(1) << bits));
	}
	samples[0].duration_ns = 0;
	qsort(samples, SPANS, sizeof *samples, compare_durations);
	for (uint32_t i = 0; i < SPANS; i++)
		samples[i].rank = i;
	qsort(samples, SPANS, sizeof *samples, compare_samples);
	for (int i = 0; i < SPANS; i++) {
		starts_ns[i] = samples[i].start_ns;
		levels[i] = heat_level(samples[i].duration_ns);
		ranks[i] = samples[i].rank;
	}
	*spans = (struct heat_spans){ starts_ns, levels, ranks, SPANS };
}

/* The row whose bounds hold the duration, by looking at all. */
static int
naive_row(const struct heat_scale *scale, int64_t duration_ns)
{
	for (int row = 0; row < scale->rows; row++) {
		if (duration_ns >= heat_row_start_ns(scale, row) &&
			duration_ns < heat_row_start_ns(scale, row + 1))
			return row;
	}
	return -1;
}

static int
naive_column(int64_t t0_ns, int64_t t1_ns, int columns, int64_t t_ns)
{
	int column = 0;
	while (lane_edge(t0_ns, t1_ns, columns, column + 1) <= t_ns)
		column++;
	return column;
}

/* Each cell, and the longest of each; all cells together are the spans of the interval. */
static void
check_heat(const struct heat *heat, const struct heat_spans *spans)
{
	size_t cells = (size_t)heat->columns * (size_t)heat->scale.rows;
	uint32_t *counts = calloc(cells, sizeof *counts);
	size_t *longest = calloc(cells, sizeof *longest);
	uint64_t sum = 0, wanted = 0;
	assert_true(counts != NULL && longest != NULL);
	for (size_t i = 0; i < spans->count; i++) {
		int64_t t_ns = spans->starts_ns[i];
		int row = naive_row(&heat->scale, samples[i].duration_ns);
		assert_int_equal(row, heat_row(&heat->scale, samples[i].duration_ns));
		if (t_ns < heat->t0_ns || t_ns >= heat->t1_ns)
			continue;
		int column = naive_column(heat->t0_ns, heat->t1_ns, heat->columns, t_ns);
		counts[row * heat->columns + column]++;
		size_t *best = &longest[row * heat->columns + column];
		if (counts[row * heat->columns + column] == 1 ||
			samples[i].rank > samples[*best].rank)
			*best = i;
		wanted++;
	}
	for (int row = 0; row < heat->scale.rows; row++) {
		for (int column = 0; column < heat->columns; column++) {
			size_t cell = (size_t)(row * heat->columns + column);
			assert_int_equal(heat_at(heat, column, row), counts[cell]);
			assert_true(heat_longest(heat, spans, column, row) ==
				    (counts[cell] == 0 ? SIZE_MAX : longest[cell]));
			assert_true(counts[cell] <= heat->most);
			sum += counts[cell];
		}
	}
	assert_int_equal(sum, wanted);
	free(counts);
	free(longest);
}

/* The same map of the same spans in another order. */
static void
check_tally(const struct heat *heat)
{
	enum { STRIDE = 7 }; /* has no factor in common with SPANS */
	struct heat_tally tally;
	struct heat told = { 0 };
	struct error err;
	int64_t longest_ns = 0;
	error_clear(&err);
	struct heat_columns columns = { heat->t0_ns, heat->t1_ns, heat->columns };
	assert_true(heat_tally_init(&tally, columns, &err));
	for (size_t i = 0; i < SPANS; i++) {
		const struct sample *sample = &samples[i * STRIDE % SPANS];
		heat_tally_add(&tally, sample->start_ns, sample->duration_ns);
		longest_ns = sample->duration_ns > longest_ns ? sample->duration_ns : longest_ns;
	}
	assert_int_equal(tally.count, SPANS);
	assert_int_equal(tally.least_ns, 0);
	assert_int_equal(tally.most_ns, longest_ns);
	assert_true(heat_from_tally(&told, &tally, &heat->scale, &err));
	assert_int_equal(told.columns, heat->columns);
	assert_int_equal(told.most, heat->most);
	assert_memory_equal(told.counts, heat->counts,
		(size_t)heat->columns * (size_t)heat->scale.rows * sizeof *told.counts);
	heat_release(&told);
	heat_tally_release(&tally);
}

static int64_t
longest_of_samples(void)
{
	int64_t longest_ns = 0;
	for (size_t i = 0; i < SPANS; i++)
		longest_ns = samples[i].duration_ns > longest_ns ? samples[i].duration_ns : longest_ns;
	return longest_ns;
}

static void
heat_counts_each_span_once(void **state)
{
	(void)state;
	static const int row_limits[] = { 1, 5, 22, 44, 90, 300 };
	struct heat_spans spans;
	struct heat heat = { 0 };
	uint64_t seed = 11;
	for (size_t i = 0; i < ARRAY_LENGTH(row_limits); i++) {
		int64_t end_ns = (int64_t)1 << (8 + 9 * i);
		make_spans(seed + i, end_ns, &spans);
		struct heat_scale scale = heat_scale_for(0, longest_of_samples(), row_limits[i]);
		assert_in_range(scale.rows, 1, row_limits[i]);
		assert_in_range(heat_row(&scale, longest_of_samples()), 0, scale.rows - 1);
		for (int columns = 1; columns < 200; columns += 61) {
			int64_t t0_ns = end_ns / 7 * (columns % 3), t1_ns = end_ns - end_ns / 9;
			struct error err;
			error_clear(&err);
			struct heat_columns of = { t0_ns, t1_ns, columns };
			assert_true(heat_count(&heat, &spans, &scale, of, &err));
			check_heat(&heat, &spans);
			check_tally(&heat);
		}
	}
	heat_release(&heat);
}

/* No octave is forgotten, the widest included; rows never go down. */
static void
rows_ascend(void **state)
{
	(void)state;
	for (int rows = 1; rows < 600; rows += 13) {
		struct heat_scale scale = heat_scale_for(0, INT64_MAX, rows);
		assert_in_range(scale.rows, 1, rows);
		assert_int_equal(heat_row(&scale, 0), 0);
		assert_int_equal(heat_row(&scale, INT64_MAX), scale.rows - 1);
		for (int row = 0; row < scale.rows; row++)
			assert_true(heat_row_start_ns(&scale, row) <= heat_row_start_ns(&scale, row + 1));
	}
}

static void
draw_heat(struct canvas *canvas)
{
	struct heat_spans spans;
	struct heat heat = { 0 };
	struct error err;
	error_clear(&err);
	make_spans(3, 1000000, &spans);
	struct heat_scale scale = heat_scale_for(64, longest_of_samples(),
		16 * heat_map_rows_per_line(canvas));
	struct heat_columns columns = { 0, 1000000, WIDTH - 10 };
	assert_true(heat_count(&heat, &spans, &scale, columns, &err));
	heat_map_draw(canvas, 10, 0, 16, &heat, (struct heat_cursor){ 20, 9 });
	heat_map_draw_axis(canvas, 0, 0, 10, 16, &heat.scale);
	heat_map_legend(canvas, 10, 17, 40, &heat);
	heat_release(&heat);
}

static void
heat_has_a_picture(void **state)
{
	(void)state;
	check_looks("chart-heat.txt", draw_heat);
}

static void
steps_are_within_bounds(void **state)
{
	(void)state;
	static const uint32_t mosts[] = { 1, 2, 3, 7, 1000, UINT32_MAX };
	for (size_t i = 0; i < ARRAY_LENGTH(mosts); i++) {
		assert_int_equal(heat_map_step(0, mosts[i]), 0);
		assert_int_equal(heat_map_step(mosts[i], mosts[i]), HEAT_STEPS);
		if (mosts[i] > 1)
			assert_int_equal(heat_map_step(1, mosts[i]), 1);
		for (uint32_t count = 1; count < 1000 && count < mosts[i]; count++)
			assert_true(heat_map_step(count, mosts[i]) <= heat_map_step(count + 1, mosts[i]));
	}
}

static void
draw_histogram(struct canvas *canvas)
{
	static const uint64_t counts[] = { 0, 0, 1, 0, 40, 1234567, 600000, 2, 0 };
	struct histogram histogram = histogram_of(counts, (int)ARRAY_LENGTH(counts), STYLE_READY);
	assert_int_equal(histogram.total, 1 + 40 + 1234567 + 600000 + 2);
	histogram_draw_titles(canvas, 1, 0, WIDTH - 2);
	for (int i = histogram.first; i < histogram.until; i++)
		histogram_draw_bucket(canvas, 1, 1 + i - histogram.first, WIDTH - 2, &histogram, i);
	histogram_draw_bucket(canvas, 1, 10, 40, &histogram, 5);
}

static void
histograms_have_a_picture(void **state)
{
	(void)state;
	static const uint64_t none[4];
	struct histogram empty = histogram_of(none, 4, STYLE_READY);
	assert_true(empty.first == empty.until && empty.total == 0);
	check_looks("chart-histogram.txt", draw_histogram);
}

static void
bars_are_as_long_as_their_share(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double share;
		bool ascii;
		const char *wanted;
	} rows[] = {
		{ "none", 0, false, "" },
		{ "less than none", -1, false, "" },
		{ "a half", 0.5, false, "██" },
		{ "an eighth more", 0.5 + 1.0 / 32, false, "██▏" },
		{ "all", 1, false, "████" },
		{ "more than all", 2, true, "####" },
		{ "three quarters", 0.75, true, "###" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text made = { 0 };
		text_add_string(&made, "");
		bar_add(&made, rows[i].share, 4, rows[i].ascii);
		check_text(rows[i].name, made.bytes, rows[i].wanted);
		text_release(&made);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(areas_and_curves_have_a_picture),
		cmocka_unit_test(axes_have_round_ticks),
		cmocka_unit_test(axes_without_room_have_no_ticks),
		cmocka_unit_test(places_and_values_agree),
		cmocka_unit_test(mutator_utilisation_has_a_picture),
		cmocka_unit_test(heat_counts_each_span_once),
		cmocka_unit_test(rows_ascend),
		cmocka_unit_test(heat_has_a_picture),
		cmocka_unit_test(steps_are_within_bounds),
		cmocka_unit_test(histograms_have_a_picture),
		cmocka_unit_test(bars_are_as_long_as_their_share),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
