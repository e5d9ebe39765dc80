/* Durations of a kind: their numbers, and what both forms share. */
#include "view/durations.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "draw/histogram.h"
#include "view/analysis_kinds.h"

/* ---- the numbers */

static bool
copy_times(struct durations *durations, struct search_watch *watch, struct error *err)
{
	enum { AT_ONCE = 4096 };
	const struct latency *latency = &durations->latency;
	durations->starts_ns = array_new(latency->count + 1, sizeof *durations->starts_ns, err);
	durations->durations_ns =
		array_new(latency->count + 1, sizeof *durations->durations_ns, err);
	if (durations->starts_ns == NULL || durations->durations_ns == NULL)
		return false;
	for (size_t i = 0; i < latency->count; i++) {
		if (i % AT_ONCE == 0 && !search_watch_goes_on(watch, 0))
			return false;
		durations->starts_ns[i] = latency_start_ns(latency, i);
		durations->durations_ns[i] = latency_duration_ns(latency, i);
	}
	return true;
}

static bool
find_longest(struct durations *durations, struct error *err)
{
	size_t *longest = latency_longest(
		&durations->latency, DURATIONS_LISTED, &durations->longest_count, err);
	if (longest == NULL)
		return false;
	for (size_t i = 0; i < durations->longest_count; i++)
		latency_span(&durations->latency, longest[i], &durations->longest[i]);
	memory_free(longest);
	return true;
}

static void
release(void *numbers)
{
	struct durations *durations = numbers;
	latency_release(&durations->latency);
	latency_kind_release(&durations->kind);
	memory_free(durations->starts_ns);
	memory_free(durations->durations_ns);
	memory_free(durations);
}

static bool
fill(struct durations *durations, struct analysis_work *work, struct error *err)
{
	struct latency_scope scope = { work->scope.t0_ns, work->scope.t1_ns, work->scope.goroutine,
		work->only };
	const char *parameter = work->parameter;
	if (!latency_kind_parse(&durations->kind, parameter, 0, strlen(parameter), err) ||
		!latency_build(&durations->latency, work->trace, &durations->kind, &scope,
			&work->watch, err) ||
		!copy_times(durations, &work->watch, err) || !find_longest(durations, err))
		return false;
	durations->bucket_count = latency_log2(&durations->latency, 1, durations->counts);
	return true;
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct durations *durations = array_new(1, sizeof *durations, err);
	if (durations == NULL)
		return NULL;
	if (fill(durations, work, err))
		return durations;
	if (err->kind == ERROR_NONE)
		error_set(err, ERROR_CANCELLED, "cancelled");
	release(durations);
	return NULL;
}

static bool
accepts(const char *parameter)
{
	struct latency_kind kind;
	struct error note;
	error_clear(&note);
	bool is_fine = latency_kind_parse(&kind, parameter, 0, strlen(parameter), &note);
	if (is_fine)
		latency_kind_release(&kind);
	return is_fine;
}

static void
end(void *state)
{
	struct durations_page *page = state;
	heat_release(&page->heat);
}

/* ---- what both forms share */

static const struct {
	const char *told;
	uint8_t style;
} types[LATENCY_TYPE_COUNT] = {
	[LATENCY_SCHED] = { "Ready until they run", STYLE_READY },
	[LATENCY_STW] = { "Stops of the world", STYLE_STW },
	[LATENCY_GC] = { "Mark phases", STYLE_GC },
	[LATENCY_ASSIST] = { "Mark assists", STYLE_GC_WORKER },
	[LATENCY_SWEEP] = { "Sweeping", STYLE_GC_WORKER },
	[LATENCY_SYSCALL] = { "System calls", STYLE_SYSCALL },
	[LATENCY_BLOCK] = { "Blocked", STYLE_SYNC },
	[LATENCY_REGION] = { "Region", STYLE_FRAME_FIRST },
	[LATENCY_TASK] = { "Task", STYLE_FRAME_FIRST },
	[LATENCY_QUERY] = { "Spans where", STYLE_RUNNING },
};

uint8_t
durations_style(const struct durations *durations)
{
	return types[durations->kind.type].style;
}

static void
title(const struct analysis *analysis, struct text *out)
{
	const char *parameter = analysis_parameter(analysis);
	struct latency_kind kind;
	struct error note;
	error_clear(&note);
	if (!latency_kind_parse(&kind, parameter, 0, strlen(parameter), &note))
		return;
	text_add_string(out, types[kind.type].told);
	if (kind.name != NULL) {
		text_add_string(out, kind.type == LATENCY_BLOCK ? ": " : " ");
		text_add_safe(out, kind.name, strlen(kind.name), false);
	}
	latency_kind_release(&kind);
}

/* The lane that a span is on; that of a task tells most where tasks are shown. */
static struct lane
lane_of(const struct durations_request *request, const struct latency_span *span)
{
	if (request->durations->kind.type == LATENCY_GC)
		return (struct lane){ LANE_GC, 0 };
	if (request->durations->kind.type == LATENCY_STW)
		return (struct lane){ LANE_STW, 0 };
	if (span->task != REF_NONE)
		return (struct lane){ LANE_TASK, span->task };
	if (span->goroutine != REF_NONE)
		return (struct lane){ LANE_GOROUTINE, span->goroutine };
	return request->session->lane;
}

struct view_answer
durations_leave_span(const struct durations_request *request, const struct latency_span *span)
{
	return analysis_leave(request->session, lane_of(request, span), span->start_ns,
		span->start_ns + span->duration_ns);
}

struct view_answer
durations_leave(const struct durations_request *request, size_t index)
{
	struct latency latency = request->durations->latency;
	struct latency_span span;
	latency.trace = request->session->trace;
	latency_span(&latency, index, &span);
	return durations_leave_span(request, &span);
}

/* ---- both forms */

static struct durations_request
request_of(struct analysis *analysis, struct session *session)
{
	return (struct durations_request){
		.analysis = analysis,
		.durations = analysis->numbers,
		.page = analysis->state,
		.session = session,
		.count = 1,
	};
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	struct durations_request request = request_of(analysis, session);
	(void)argument;
	request.command = command;
	request.count = count < 1 ? 1 : count;
	return analysis->form == DURATIONS_HEAT ? durations_heat_command(&request)
						: durations_histogram_command(&request);
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	struct durations_request request = request_of(analysis, session);
	return analysis->form == DURATIONS_HEAT ? durations_heat_mouse(&request, mouse)
						: durations_histogram_mouse(&request, mouse);
}

static void
draw(struct analysis *analysis, struct session *session, struct canvas *canvas)
{
	struct durations_request request = request_of(analysis, session);
	if (analysis->form == DURATIONS_HEAT)
		durations_draw_heat(&request, canvas);
	else
		durations_draw_histogram(&request, canvas);
}

static const struct latency_span *
selected_span(const struct analysis *analysis)
{
	const struct durations *durations = analysis->numbers;
	const struct durations_page *page = analysis->state;
	struct histogram histogram = histogram_of(durations->counts, durations->bucket_count, 0);
	size_t buckets = (size_t)(histogram.until - histogram.first);
	if (analysis->form != DURATIONS_HISTOGRAM || page->selected < buckets ||
		page->selected - buckets >= durations->longest_count)
		return NULL;
	return &durations->longest[page->selected - buckets];
}

static stack_id
stack(const struct analysis *analysis)
{
	const struct latency_span *span = selected_span(analysis);
	return span == NULL ? STACK_NONE : span->stack;
}

const struct analysis_ops durations_analysis = {
	.is_chart = true,
	.limits = ANALYSIS_BY_GOROUTINE | ANALYSIS_BY_QUERY,
	.accepts = accepts,
	.build = build,
	.release = release,
	.state_size = sizeof(struct durations_page),
	.end = end,
	.title = title,
	.command = command,
	.mouse = mouse,
	.draw = draw,
	.stack = stack,
};
