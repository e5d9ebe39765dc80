/* From options and trace to the first viewport. */
#include "app/start.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/task_index.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/named.h"
#include "trace/task_times.h"
#include "trace/words.h"

/* The option's time must lie before the end of the trace. */
static bool
check_time(const char *option, bool is_given, int64_t time_ns, int64_t end_ns, struct error *err)
{
	if (!is_given || time_ns < end_ns)
		return true;
	char given[UNITS_TEXT], last[UNITS_TEXT];
	units_duration(given, time_ns, true);
	units_moment(last, end_ns - 1, 1, end_ns, true); /* to be taken as it stands here */
	return error_set(err, ERROR_USAGE, "--%s: %s lies beyond the end of the trace; its last "
		"moment is %s", option, given, last);
}

static bool
check_times(const struct options *options, int64_t end_ns, struct error *err)
{
	return check_time("at", options->has_at, options->at_ns, end_ns, err) &&
	       check_time("from", options->has_from, options->from_ns, end_ns, err) &&
	       check_time("mark", options->has_mark, options->mark_ns, end_ns, err);
}

/* ---- times of day */

static bool
refuse_clock(const char *option, const char *value, const struct trace *trace, struct error *err)
{
	enum { STEPS = 1000 };
	char start[UNITS_TEXT], end[UNITS_TEXT];
	int64_t step_ns = trace->end_ns / STEPS + 1;
	clock_stamp(start, wall_clock_at(&trace->wall, 0), step_ns);
	clock_stamp(end, wall_clock_at(&trace->wall, trace->end_ns), step_ns);
	return error_set(err, ERROR_USAGE, "--%s=%s: the trace is from %s to %s", option, value,
		start, end);
}

/* Reads what was given as a time of day; *time_ns is left alone without. */
static bool
read_clock(const char *option, const char *value, const struct trace *trace, int64_t *time_ns,
	struct error *err)
{
	struct error cause;
	error_clear(&cause);
	if (value == NULL)
		return true;
	if (!wall_clock_parse(&trace->wall, value, trace->end_ns, time_ns, &cause))
		return error_set(err, ERROR_USAGE, "--%s=%s: %s", option, value, cause.message);
	if (*time_ns < 0 || *time_ns > trace->end_ns)
		return refuse_clock(option, value, trace, err);
	return true;
}

static bool
read_clocks(struct options *options, const struct trace *trace, struct error *err)
{
	return read_clock("at", options->at_clock, trace, &options->at_ns, err) &&
	       read_clock("from", options->from_clock, trace, &options->from_ns, err) &&
	       read_clock("to", options->to_clock, trace, &options->to_ns, err) &&
	       options_check_times(options, err);
}

/* On the screen, where it can be changed, a message will do. */
static bool
check_clock(const struct options *options, const struct trace *trace, struct error *err)
{
	if (options->time != TIME_WALL || wall_clock_is_known(&trace->wall) ||
		!options_print(options))
		return true;
	return error_set(err, ERROR_USAGE, "--time=wall: %s", WALL_CLOCK_UNKNOWN);
}

/* ---- the interval */

/* What chooses samples makes no sense where there is no profile. */
static bool
check_samples(const struct options *options, const struct trace *trace, struct error *err)
{
	const char *name = options_of_samples(options);
	if (name == NULL || trace->samples != NULL || options_profile(options))
		return true;
	return error_set(err, ERROR_USAGE, "--%s: only with a profile, such as --report=top:sync", name);
}

/* The interval that the options name, not yet cut to the trace. */
static struct viewport
named_interval(const struct options *options, int64_t end_ns)
{
	struct viewport interval = { 0, end_ns };
	if (options->has_from)
		interval.t0_ns = options->from_ns;
	if (options->has_to)
		interval.t1_ns = options->to_ns;
	if (!options->has_interval)
		return interval;
	int64_t length_ns = options->interval_ns;
	if (options->has_to) {
		interval.t0_ns = options->to_ns - length_ns;
		return interval;
	}
	if (options->has_at && !options->has_from)
		interval.t0_ns = options->at_ns - length_ns / 2;
	interval.t1_ns = saturating_add_i64(interval.t0_ns, length_ns);
	return interval;
}

static struct viewport
cut_to_trace(struct viewport interval, int64_t end_ns)
{
	if (interval.t0_ns < 0)
		interval.t0_ns = 0;
	if (interval.t1_ns > end_ns)
		interval.t1_ns = end_ns;
	if (interval.t0_ns >= end_ns)
		interval.t0_ns = end_ns - 1;
	if (interval.t1_ns <= interval.t0_ns)
		interval.t1_ns = interval.t0_ns + 1;
	return interval;
}

static struct viewport
life_of(const struct trace *trace, actor_ref ref)
{
	struct viewport life;
	struct lane lane = { LANE_ACTOR, ref };
	lane_life(trace, lane, &life.t0_ns, &life.t1_ns);
	return life;
}

/* The time of what the options are about: of a task, else of an actor. */
static struct viewport
time_of(const struct start *start, const struct trace *trace)
{
	if (start->task == REF_NONE)
		return life_of(trace, start->focus);
	return (struct viewport){ task_start_ns(trace, start->task),
		task_end_ns(trace, start->task) };
}

static bool
pick_hidden(struct row_picks *hidden, const char *name, const struct trace *trace,
	struct error *err)
{
	struct row row;
	struct lane lane;
	if (!row_name_find(trace, name, &row) || !row_to_lane(row, &lane) ||
		lane.type > LANE_GROUP)
		return error_set(
			err, ERROR_USAGE, "--hide-row=%s: the trace has no such row to hide", name);
	return row_picks_add(hidden, trace, row, err);
}

static bool
pick_pinned(struct row_picks *pinned, const char *name, const struct trace *trace,
	struct error *err)
{
	struct row row;
	if (!row_name_find(trace, name, &row))
		return error_set(err, ERROR_USAGE, "--pin-row=%s: the trace has no such row", name);
	return row_picks_add(pinned, trace, row, err);
}

bool
start_pick(struct row_picks *hidden, struct row_picks *pinned, const struct options *options,
	const struct trace *trace, struct error *err)
{
	for (size_t i = 0; i < options->hidden_rows.count; i++)
		if (!pick_hidden(hidden, options->hidden_rows.items[i], trace, err))
			return false;
	for (size_t i = 0; i < options->pinned_rows.count; i++)
		if (!pick_pinned(pinned, options->pinned_rows.items[i], trace, err))
			return false;
	return true;
}

/* Whether they are there. */
static bool
check_picks(const struct options *options, const struct trace *trace, struct error *err)
{
	struct row_picks hidden = { 0 }, pinned = { 0 };
	bool is_fine = start_pick(&hidden, &pinned, options, trace, err);
	row_picks_release(&hidden);
	row_picks_release(&pinned);
	return is_fine;
}

/* What the options name, of which the trace may have none. */
static bool
find_named(struct start *start, const struct options *options, const struct trace *trace,
	struct error *err)
{
	if (options->has_actor &&
		!named_actor(trace, options->actor, &start->focus, err))
		return false;
	if (options->has_stack_lanes &&
		!named_actor(trace, options->stack_lanes, &start->stacks, err))
		return false;
	start->interacts = options->interacts;
	if (options->interacts.steps > 0 &&
		!named_actor(
			trace, options->interacts_id, &start->interacts.actor, err))
		return false;
	if (options->has_path && !named_actor(trace, options->path, &start->path, err))
		return false;
	if (options->has_task) {
		start->tasks = options->focus_task ? TASKS_ONE : TASKS_ALL;
		if (!named_task(trace, options->task, &start->task, err))
			return false;
	}
	if (options->region != NULL &&
		!named_find(trace, NAMED_REGION, options->region, &start->region, err))
		return false;
	const struct analysis_kind *kind = options->analysis;
	if (kind != NULL && kind->finds != NULL &&
		!kind->finds(trace, options->report_asked, err))
		return false;
	start->has_lane = options->row != NULL;
	if (start->has_lane && !lane_name_find(trace, options->row, &start->lane))
		return error_set(err, ERROR_USAGE, "--row=%s: the trace has no such row",
			options->row);
	return check_picks(options, trace, err);
}

/* Gives the time of that unless an interval is named, or a moment outside of it. */
static bool
find_time(const struct start *start, const struct options *options, const struct trace *trace,
	struct viewport *time)
{
	if (start->has_interval || (start->focus == REF_NONE && start->task == REF_NONE))
		return false;
	struct viewport all = time_of(start, trace);
	if (options->has_at && (options->at_ns < all.t0_ns || options->at_ns >= all.t1_ns))
		return false;
	*time = all;
	return true;
}

enum outcome
start_find(struct start *start, const struct options *asked, const struct trace *trace,
	struct error *err)
{
	int64_t end_ns = trace->end_ns > 0 ? trace->end_ns : 1;
	struct options read = *asked;
	const struct options *options = &read; /* with moments of the clock as times */
	if (!check_clock(asked, trace, err) || !read_clocks(&read, trace, err))
		return OUTCOME_USAGE;
	*start = (struct start){ .focus = REF_NONE,
		.stacks = REF_NONE,
		.path = REF_NONE,
		.task = REF_NONE,
		.has_interval = options->has_from || options->has_to || options->has_interval };
	start->plan.by = (enum group_by)options->group_by;
	start->plan.sort = (enum lane_sort)options->sort_lanes;
	if (!check_times(options, end_ns, err) || !check_samples(options, trace, err))
		return OUTCOME_USAGE;
	if (!find_named(start, options, trace, err))
		return OUTCOME_NO;
	struct viewport wanted = named_interval(options, end_ns);
	bool is_of_one = find_time(start, options, trace, &wanted);
	start->viewport = cut_to_trace(wanted, end_ns);
	if (options->has_at)
		start->cursor_ns = options->at_ns;
	else if (is_of_one)
		start->cursor_ns = start->viewport.t0_ns;
	else
		start->cursor_ns =
			start->viewport.t0_ns + (start->viewport.t1_ns - start->viewport.t0_ns) / 2;
	return OUTCOME_FINE;
}

bool
start_interval(const struct options *options, struct viewport *interval)
{
	if (options->at_clock != NULL || options->from_clock != NULL || options->to_clock != NULL)
		return false;
	*interval = named_interval(options, INT64_MAX);
	if (interval->t0_ns < 0)
		interval->t0_ns = 0;
	return interval->t1_ns > interval->t0_ns;
}

struct go_wish
start_wish(const struct options *options, const struct trace *outline)
{
	struct options read = *options;
	struct error ignored;
	error_clear(&ignored);
	if (options->has_part)
		return options->part;
	/* What is wrong with the times is told when there is a trace. */
	if (!read_clocks(&read, outline, &ignored))
		return (struct go_wish){ 0, 0, 0 };
	bool has_interval = read.has_from || read.has_to || read.has_interval;
	if (!has_interval && !read.has_at)
		return (struct go_wish){ 0, 0, read.has_actor ? read.actor : 0 };
	if (!has_interval)
		return (struct go_wish){ read.at_ns, read.at_ns, 0 };
	struct viewport wanted = cut_to_trace(named_interval(&read, outline->end_ns),
		outline->end_ns > 0 ? outline->end_ns : 1);
	return (struct go_wish){ wanted.t0_ns, wanted.t1_ns, 0 };
}

bool
start_is_settled(struct start *start, const struct options *options, const struct trace *trace)
{
	struct error ignored;
	error_clear(&ignored);
	/* Lines are counted, and folds named, in the whole one. */
	if (options->has_line || options->folds.count > 0)
		return false;
	bool has_nothing = trace->end_ns == 0 && trace->clock != TRACE_CLOCK_NONE;
	if (has_nothing || start_find(start, options, trace, &ignored) != OUTCOME_FINE)
		return false;
	if (options->has_path && options->path_to_ns > trace->end_ns)
		return false;
	bool is_part = start->has_interval || start->focus != REF_NONE ||
		       start->task != REF_NONE || start->has_lane || start->interacts.steps > 0;
	return !is_part || start->viewport.t1_ns < trace->end_ns;
}
