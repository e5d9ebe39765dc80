/* How long actors, or regions, were in each state, as columns of figures. Only for view/. */
#ifndef TTRACE_VIEW_MEASURE_FIGURES_H
#define TTRACE_VIEW_MEASURE_FIGURES_H

#include "analysis/actors.h"
#include "view/analysis.h"
#include "result/figures.h"

/* What is asked for; its states are what the work's watch expects then. */
struct actors_scope measure_figures_scope(struct analysis_work *work);

/* The statistics of a measure, each a layer: "total", "mean", and how long that is. */
enum { MEASURE_LAYERS = 6 };
extern const char *const measure_layer_names[MEASURE_LAYERS];
void measure_layers(const struct spread *spread, int64_t values_ns[MEASURE_LAYERS]);

/*
 * Figures with a column for each measure that occurs, from the column `first` on; those before are
 * the caller's. Reasons stand behind the time blocked, the one that took longest first.
 */

/*
 * A row for each function, with a layer for each statistic: total, mean, p50, p90, p99, longest.
 * ERROR_CANCELLED where the work's watch says so.
 */
struct figures *measure_figures_spreads(struct analysis_work *work,
	const struct actor_times *times, int first, struct error *err);
/* A row for each of the times, with room for places. */
struct figures *measure_figures_rows(const struct trace *trace,
	const struct actor_times *times, int first, struct error *err);

#endif
