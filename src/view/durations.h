/*
 * The analysis of durations of a kind (analysis/latency.h), in two forms: a histogram with
 * percentiles and the longest, and a map of how long they were over time. Only for view/.
 */
#ifndef TTRACE_VIEW_DURATIONS_H
#define TTRACE_VIEW_DURATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/heat.h"
#include "analysis/latency.h"
#include "analysis/latency_times.h"
#include "view/analysis.h"

/* As view/analyses.c has them. */
enum durations_form { DURATIONS_HISTOGRAM, DURATIONS_HEAT };

enum { DURATIONS_LISTED = 100 }; /* of the longest */

/* The numbers. Places in the trace are the same in later snapshots. */
struct durations {
	struct latency latency;  /* its trace is set where it is asked */
	struct latency_kind kind;
	struct latency_times times;
	uint64_t counts[LATENCY_BUCKETS];
	int bucket_count;
	struct latency_span longest[DURATIONS_LISTED];
	size_t longest_count;
};

/* How the user left it. */
struct durations_page {
	size_t selected;       /* of the histogram's buckets and, behind them, the longest */
	size_t top, lines;     /* of its lines the first that is shown, and how many there is room for */
	struct heat heat;      /* of what was laid out last ... */
	const void *heat_of;   /* ... of these numbers */
	int map_height, rows_per_line; /* of that map on the canvas; 0: it has no room */
	bool has_row;          /* a row of the map was chosen: of the durations from this one on */
	int64_t row_ns;
};

/* What is drawn. */
struct durations_look {
	const struct durations *durations;
	const struct durations_page *page;
	const struct session *session;
};

/* What a command works on. */
struct durations_request {
	struct analysis *analysis;
	const struct durations *durations;
	struct durations_page *page;
	struct session *session;
	enum command command;
	long count; /* at least 1 */
};

/* The colour of a kind. */
uint8_t durations_style(const struct durations *durations);
/* Leaves for the span of an item of the latency, or for that of the list. */
struct view_answer durations_leave(const struct durations_request *request, size_t index);
struct view_answer durations_leave_span(
	const struct durations_request *request, const struct latency_span *span);

/* In durations_histogram.c. */
void durations_lay_out_histogram(
	const struct durations *durations, struct durations_page *page, const struct canvas *canvas);
void durations_draw_histogram(const struct durations_look *look, struct canvas *canvas);
struct view_answer durations_histogram_command(const struct durations_request *request);
struct view_answer durations_histogram_mouse(
	const struct durations_request *request, const struct screen_mouse *mouse);

/* In durations_heat.c. */
void durations_lay_out_heat(const struct durations *durations, struct durations_page *page,
	const struct session *session, const struct canvas *canvas);
void durations_draw_heat(const struct durations_look *look, struct canvas *canvas);
struct view_answer durations_heat_command(const struct durations_request *request);
struct view_answer durations_heat_mouse(
	const struct durations_request *request, const struct screen_mouse *mouse);

#endif
