/* How long goroutines, or regions, were in each state, as columns of figures. Only for view/. */
#ifndef TTRACE_VIEW_MEASURE_FIGURES_H
#define TTRACE_VIEW_MEASURE_FIGURES_H

#include "analysis/goroutines.h"
#include "view/figures.h"

enum { SPREAD_LAYERS = 6 }; /* total, mean, p50, p90, p99, longest */

/* Measures stand in the columns from `first` on. How many columns there are then. */
int measure_figures_columns(const struct goroutine_times *times, int first);
/* What is measured in one of them. */
uint32_t measure_figures_measure(int column, int first);
/* Gives them their titles and colours. */
void measure_figures_name(struct figures *figures, const struct trace *trace,
	const struct goroutine_times *times, int first);
/* A row for each function, with a layer for each statistic; the columns before `first` are the caller's. */
struct figures *measure_figures_spreads(const struct trace *trace,
	const struct goroutine_times *times, int first, struct error *err);
/* Fills the measures of a row for each of the times. */
void measure_figures_rows(
	struct figures *figures, const struct goroutine_times *times, int first);

#endif
