/* Durations of a kind: their numbers, and what both forms share. */
#include "view/durations.h"

#include <string.h>

#include "base/memory.h"
#include "draw/histogram.h"
#include "trace/words.h"
#include "view/analyses.h"

/* ---- the numbers */

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
	latency_times_release(&durations->times);
	memory_free(durations);
}

static bool
fill(struct durations *durations, struct analysis_work *work, struct error *err)
{
	struct latency_scope scope = { work->scope.t0_ns, work->scope.t1_ns, work->scope.actor,
		work->only, work->scope.with_runtime };
	if (!latency_kind_copy(&durations->kind, work->parameter, err))
		return false;
	search_watch_expect(&work->watch, latency_work(work->trace, &durations->kind));
	if (!latency_build(&durations->latency, work->trace, &durations->kind, &scope, &work->watch,
		    err) ||
		!latency_times_build(&durations->times, &durations->latency, &work->watch, err) ||
		!find_longest(durations, err))
		return false;
	durations->bucket_count = latency_log2(&durations->latency, 1, durations->counts);
	durations->latency.trace = NULL; /* which may go before the numbers do */
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
	release(durations);
	return NULL;
}

static void
end(void *state)
{
	struct durations_page *page = state;
	heat_release(&page->heat);
}

/* A map was of other numbers, even if these stand where those did. */
static void
made(struct analysis *analysis)
{
	struct durations_page *page = analysis->state;
	page->heat_of = NULL;
}

/* ---- what both forms share */

static const struct {
	const char *told; /* a pattern of text_add_words() */
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
	[LATENCY_TASK] = { "{Task}", STYLE_FRAME_FIRST },
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
	text_add_words(out, analysis->words, types[kind.type].told);
	latency_kind_add_name(out, &kind);
	latency_kind_add_whose(out, analysis->words, &kind,
		&(struct latency_scope){ .actor = analysis->scope.actor,
			.with_runtime = analysis->scope.with_runtime });
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
	if (span->actor != REF_NONE)
		return (struct lane){ LANE_ACTOR, span->actor };
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

/* Bars are of all times. */
static bool
lacks(const struct analysis *analysis, enum command command)
{
	return analysis->form == DURATIONS_HISTOGRAM &&
	       (command == COMMAND_LEFT || command == COMMAND_ZOOM_IN);
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	struct durations_request request = request_of(analysis, session);
	return analysis->form == DURATIONS_HEAT ? durations_heat_mouse(&request, mouse)
						: durations_histogram_mouse(&request, mouse);
}

static void
lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	if (analysis->form == DURATIONS_HEAT)
		durations_lay_out_heat(analysis->numbers, analysis->state, session, canvas);
	else
		durations_lay_out_histogram(analysis->numbers, analysis->state, canvas);
}

static void
draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	struct durations_look look = { analysis->numbers, analysis->state, session };
	(analysis->form == DURATIONS_HEAT ? durations_draw_heat : durations_draw_histogram)(&look, canvas);
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

/* Of the histogram. */
static void
place(const struct analysis *analysis, struct view_place *here)
{
	const struct durations_page *page = analysis->state;
	*here = (struct view_place){ 0 };
	if (analysis->form == DURATIONS_HISTOGRAM)
		*here = (struct view_place){ page->selected, page->top };
}

static void
go_to_place(struct analysis *analysis, struct session *session, const struct view_place *there)
{
	struct durations_page *page = analysis->state;
	(void)session;
	page->selected = there->line;
	page->top = there->top;
}

/* row=NANOSECONDS: of the map the row of that duration. */
static void
name_settings(const struct analysis *analysis, const struct setting_sink *sink)
{
	const struct durations_page *page = analysis->state;
	if (analysis->form == DURATIONS_HEAT && page->has_row)
		setting_tell_number(sink, "row", page->row_ns);
}

static bool
set(struct analysis *analysis, struct session *session, const char *setting)
{
	struct durations_page *page = analysis->state;
	(void)session;
	page->has_row = setting_number(setting, "row", 0, INT64_MAX, &page->row_ns);
	return page->has_row;
}

const struct analysis_ops durations_analysis = {
	.is_chart = true,
	.build = build,
	.release = release,
	.state_size = sizeof(struct durations_page),
	.end = end,
	.made = made,
	.title = title,
	.command = command,
	.lacks = lacks,
	.mouse = mouse,
	.lay_out = lay_out,
	.draw = draw,
	.stack = stack,
	.place = place,
	.go_to_place = go_to_place,
	.name_settings = name_settings,
	.set = set,
};
