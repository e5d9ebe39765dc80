/* The list of analyses, each with one number that says what is to be expected of it. */
#include <stdio.h>
#include <string.h>

#include "analysis/profile.h"
#include "analysis/registry.h"
#include "analysis/task_life.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/job.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/line_mark.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "query/pattern.h"
#include "trace/lane.h"
#include "trace/regroup.h"
#include "trace/runtime.h"
#include "trace/words.h"
#include "view/analyses.h"
#include "view/other.h"

/* ---- the numbers: asked of the index where that has them, else counted */

/* What a number is, of the interval and the subject. */
enum menu_number { NUMBER_NONE, NUMBER_TIME, NUMBER_ACTORS, NUMBER_SAMPLES,
	NUMBER_TASKS, NUMBER_REGIONS, NUMBER_STW, NUMBER_GC };

/* Of one trace. */
struct menu_sums {
	const struct analysis_work *work; /* NULL: there are none */
	int64_t task_ns[CLASS_COUNT];     /* of the task that it is about */
};

/* Whether the line is about an actor. */
static bool
is_meant(const struct analysis_work *work, bool is_of_subject, actor_ref ref)
{
	const struct analysis_scope *scope = &work->scope;
	if (!is_of_subject)
		return true;
	if (ref == REF_NONE || scope->actor != REF_NONE)
		return ref != REF_NONE && ref == scope->actor;
	return trace_actor_is_of(work->trace, ref, scope->function);
}

static int64_t
count_actors(const struct analysis_work *work, bool is_of_subject)
{
	const struct analysis_scope *scope = &work->scope;
	int64_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(work->trace); i++) {
		const struct actor *actor = trace_actor(work->trace, i);
		count += is_meant(work, is_of_subject, i) && actor->first_ns < scope->t1_ns &&
			 actor->end_ns >= scope->t0_ns;
	}
	return count;
}

static int64_t
count_samples(const struct analysis_work *work, bool is_of_subject)
{
	const struct analysis_scope *scope = &work->scope;
	int64_t count = 0;
	for (uint32_t i = 0; i < work->trace->instants.count; i++) {
		const struct instant *instant = trace_instant(work->trace, i);
		count += instant->type == INSTANT_SAMPLE && instant->time_ns >= scope->t0_ns &&
			 instant->time_ns < scope->t1_ns &&
			 is_meant(work, is_of_subject, instant->actor);
	}
	return count;
}

static int64_t
count_tasks(const struct analysis_work *work)
{
	int64_t count = 0;
	for (task_ref i = 0; i < work->trace->tasks.count; i++) {
		const struct task *task = trace_task(work->trace, i);
		count += task->start_ns < work->scope.t1_ns && task->end_ns >= work->scope.t0_ns;
	}
	return count;
}

static int64_t
count_regions(const struct analysis_work *work)
{
	int64_t count = 0;
	for (range_ref i = 0; i < work->trace->ranges.count; i++) {
		const struct range *range = trace_range(work->trace, i);
		count += range->type == RANGE_REGION && range->start_ns < work->scope.t1_ns &&
			 range->end_ns >= work->scope.t0_ns;
	}
	return count;
}

static int64_t
sum_classes(const int64_t totals_ns[CLASS_COUNT], class_mask classes)
{
	int64_t sum_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		sum_ns = saturating_add_i64(sum_ns, (classes & CLASS_BIT(i)) != 0 ? totals_ns[i] : 0);
	return sum_ns;
}

static int64_t
sum_times(const struct analysis_work *work, struct lane lane, class_mask classes)
{
	int64_t totals_ns[CLASS_COUNT];
	const struct trace *plain = trace_ungrouped(work->trace);
	lane_totals(plain, lane, work->scope.t0_ns, work->scope.t1_ns, totals_ns);
	int64_t sum_ns = sum_classes(totals_ns, classes);
	for (group_ref i = 0; lane.type == LANE_ALL && !work->scope.with_runtime &&
			      i < plain->group_count; i++) {
		if (!trace_is_runtime_name(plain, plain->groups[i].name))
			continue;
		struct lane group = { LANE_GROUP, i };
		lane_totals(plain, group, work->scope.t0_ns, work->scope.t1_ns, totals_ns);
		sum_ns -= sum_classes(totals_ns, classes);
	}
	return sum_ns;
}

/* How long there was a collection, or the world stood still; while the subject was there. */
static int64_t
covered_ns(const struct analysis_work *work, enum lane_type type, bool is_of_subject)
{
	struct analysis_work clipped = { .trace = work->trace, .scope = work->scope };
	if (is_of_subject)
		analysis_clip_to_subject(&clipped);
	return sum_times(&clipped, (struct lane){ type, 0 }, CLASS_BIT(CLASS_RUNNING));
}

/* Of all, or from the lane whose sums tell of the actor or function; of the task they are at hand. */
static bool
find_time(const struct menu_sums *sums, class_mask classes, bool is_of_subject, int64_t *number)
{
	const struct analysis_work *work = sums->work;
	const struct trace *plain = trace_ungrouped(work->trace);
	const struct analysis_scope *scope = &work->scope;
	struct lane lane = { LANE_ALL, 0 };
	if (is_of_subject && scope->task != REF_NONE) {
		*number = sum_classes(sums->task_ns, classes);
		return true;
	}
	if (is_of_subject && scope->actor != REF_NONE)
		lane = (struct lane){ LANE_ACTOR, scope->actor };
	for (group_ref i = 0; is_of_subject && scope->function != STRING_EMPTY && i < plain->group_count;
		i++) {
		if (plain->groups[i].name == scope->function)
			lane = (struct lane){ LANE_GROUP, i };
	}
	if (is_of_subject && lane.type == LANE_ALL)
		return false;
	*number = sum_times(work, lane, classes);
	return true;
}

/* classes: of NUMBER_TIME. False where there is no such number. */
static bool
menu_sums_find(const struct menu_sums *sums, enum menu_number type, class_mask classes,
	bool is_of_subject, int64_t *number)
{
	const struct analysis_work *work = sums->work;
	if (work == NULL)
		return false;
	switch (type) {
	case NUMBER_NONE:
		return false;
	case NUMBER_GC:
		*number = covered_ns(work, LANE_GC, is_of_subject);
		return true;
	case NUMBER_STW:
		*number = covered_ns(work, LANE_STW, is_of_subject);
		return true;
	case NUMBER_TIME:
		return find_time(sums, classes, is_of_subject, number);
	case NUMBER_ACTORS:
		*number = count_actors(work, is_of_subject);
		return true;
	case NUMBER_SAMPLES:
		*number = count_samples(work, is_of_subject);
		return !is_of_subject || work->scope.task == REF_NONE;
	case NUMBER_TASKS:
		*number = count_tasks(work);
		return true;
	case NUMBER_REGIONS:
		*number = count_regions(work);
		return true;
	}
	return false;
}

static bool
menu_number_is_duration(enum menu_number type)
{
	return type == NUMBER_TIME || type == NUMBER_STW || type == NUMBER_GC;
}

/* False where it was cancelled; without memory the task has no numbers. work may be NULL. */
static bool
menu_sums_build(struct menu_sums *sums, const struct analysis_work *work, struct error *err)
{
	*sums = (struct menu_sums){ .work = work };
	if (work == NULL || work->scope.task == REF_NONE)
		return true;
	const atomic_bool *is_cancelled = &work->watch.is_cancelled;
	struct task_watch watch = { .states_left = UINT64_MAX, .is_stopped = is_cancelled };
	struct task_index index;
	struct task_life life;
	struct error ignored;
	error_clear(&ignored);
	if (!task_index_build(&index, work->trace, is_cancelled, &ignored))
		return job_goes_on(is_cancelled, err);
	if (task_life_build_watched(
		    &life, work->trace, &index, work->scope.task, &watch, &ignored)) {
		task_life_totals(&life, work->scope.t0_ns, work->scope.t1_ns, sums->task_ns);
		task_life_release(&life);
	}
	task_index_release(&index);
	return job_goes_on(is_cancelled, err);
}

enum { LABEL_COLUMN = 3, NUMBER_COLUMN = 15, NUMBER_CELLS = 9, HELP_COLUMN = 27, MOST_LINES = 96,
	MOST_FURTHER = 48, MOST_TYPES = 16, NAME_BYTES = 96 };

enum menu_section { ABOUT_OTHER, ABOUT_ALL, ABOUT_LONGEST, ABOUT_COLLECTOR, SECTIONS };

static const char *const section_words[SECTIONS] = {
	[ABOUT_OTHER] = "what has changed since ", /* and the name of the other trace */
	[ABOUT_ALL] = "all {actors}",
	[ABOUT_LONGEST] = "how long single ones took",
	[ABOUT_COLLECTOR] = "the collector and the {processors}",
};

static const struct menu_row {
	const char *name;       /* as analysis_choose() takes it */
	const char *label;      /* what stands there, a pattern of text_add_words() */
	const char *help;       /* so is this; NULL: as the registry has it */
	enum menu_section section;
	enum menu_number number;
	class_mask classes;     /* of NUMBER_TIME */
} rows[] = {
	{ "diff", "{actors}", "by {function}: counts, and times in each state", ABOUT_OTHER,
		NUMBER_ACTORS, 0 },
	{ "diff-regions", "regions", "regions by name: counts, and times in each state",
		ABOUT_OTHER, NUMBER_REGIONS, 0 },
	{ "diff-top:sched", "sched", "waits for {an slot}, by who made the {actor} ready", ABOUT_OTHER,
		NUMBER_TIME, CLASS_BIT(CLASS_READY) },
	{ "diff-top:sync", "sync", "waits for channels, select and locks, by where", ABOUT_OTHER,
		NUMBER_TIME, PROFILE_SYNC_CLASSES },
	{ "diff-top:net", "net", "waits for the network, by where", ABOUT_OTHER, NUMBER_TIME,
		CLASS_BIT(CLASS_NETWORK) },
	{ "diff-top:syscall", "syscall", "system calls, by where they were made", ABOUT_OTHER,
		NUMBER_TIME, CLASS_BIT(CLASS_SYSCALL) },
	{ "diff-top:cpu", "cpu", "what ran, by CPU samples", ABOUT_OTHER, NUMBER_SAMPLES, 0 },
	{ "diff-top:offcpu", "offcpu", "not running for whatever reason, by where", ABOUT_OTHER,
		NUMBER_TIME, PROFILE_OFFCPU_CLASSES },
	{ "goroutines", "{actors}", NULL,
		ABOUT_ALL, NUMBER_ACTORS, 0 },
	{ "beneath", "beneath", "where running time went by the kernel's trace", ABOUT_ALL, NUMBER_NONE, 0 },
	{ "beneath:function", "beneath", "the same by {name}", ABOUT_ALL, NUMBER_NONE, 0 },
	{ "tree:beneath", "beneath", "samples of the kernel's trace while {actors} ran: calls, flame graph", ABOUT_ALL,
		NUMBER_NONE, 0 },
	{ "sched", "scheduling", NULL, ABOUT_ALL, NUMBER_NONE, 0 },
	{ "top:sched", "sched", "waits for {an slot}, by who made the {actor} ready", ABOUT_ALL,
		NUMBER_TIME, CLASS_BIT(CLASS_READY) },
	{ "top:sync", "sync", "waits for channels, select and locks, by where", ABOUT_ALL,
		NUMBER_TIME, PROFILE_SYNC_CLASSES },
	{ "top:net", "net", "waits for the network, by where", ABOUT_ALL, NUMBER_TIME,
		CLASS_BIT(CLASS_NETWORK) },
	{ "top:syscall", "syscall", "system calls, by where they were made", ABOUT_ALL,
		NUMBER_TIME, CLASS_BIT(CLASS_SYSCALL) },
	{ "top:cpu", "cpu", "what ran, by CPU samples", ABOUT_ALL, NUMBER_SAMPLES, 0 },
	{ "top:offcpu", "offcpu", "not running for whatever reason, by where", ABOUT_ALL,
		NUMBER_TIME, PROFILE_OFFCPU_CLASSES },
	{ "top:slices", "own time", "slices, by the time that none within them took", ABOUT_ALL,
		NUMBER_NONE, 0 },
	{ "tasks", "{tasks}", NULL, ABOUT_ALL,
		NUMBER_TASKS, 0 },
	{ "regions", "regions", NULL, ABOUT_ALL,
		NUMBER_REGIONS, 0 },
	{ "histogram:sched", "sched", "waits for {an slot}: percentiles, and the longest", ABOUT_LONGEST, NUMBER_TIME,
		CLASS_BIT(CLASS_READY) },
	{ "histogram:block", "block", "blocked, whatever for", ABOUT_LONGEST, NUMBER_TIME, CLASS_MASK_BLOCKED },
	{ "histogram:syscall", "syscall", "system calls", ABOUT_LONGEST, NUMBER_TIME,
		CLASS_BIT(CLASS_SYSCALL) },
	{ "histogram:assist", "assist", "{actors} that had to mark",
		ABOUT_LONGEST, NUMBER_NONE, 0 },
	{ "histogram:sweep", "sweep", "{actors} that had to sweep", ABOUT_LONGEST, NUMBER_NONE, 0 },
	{ "gc", "gc", NULL,
		ABOUT_COLLECTOR, NUMBER_GC, 0 },
	{ "longest:stw", "stw", "stops of the world, why and by whom", ABOUT_COLLECTOR, NUMBER_STW,
		0 },
	{ "mmu", "mmu", NULL, ABOUT_COLLECTOR,
		NUMBER_NONE, 0 },
	{ "utilisation", "utilisation", NULL,
		ABOUT_COLLECTOR, NUMBER_NONE, 0 },
	{ "heap", "heap", "heap, goal and what the collector took, over time",
		ABOUT_COLLECTOR, NUMBER_NONE, 0 },
};

/* Of a function there is one more. */
static const struct menu_row function_row = { "function", "{actors}",
	NULL, ABOUT_ALL, NUMBER_ACTORS, 0 };

struct menu_line {
	const struct menu_row *row; /* NULL: a heading, ... */
	struct analysis_choice choice; /* what the row leads to, but for whom it is about */
	enum menu_section section;  /* ... of that */
	bool is_of_subject;         /* else of all actors */
	bool has_number;
	int64_t number;             /* what ABOUT_OTHER tells: by how much it has changed */
};

struct menu {
	struct menu_line lines[MOST_LINES];
	size_t count;
	/* Types of samples, and analyses of the registry that `rows` does not name. */
	struct menu_row further[MOST_FURTHER];
	size_t further_count;
	struct {
		char name[NAME_BYTES], label[NAME_BYTES], help[NAME_BYTES];
	} types[MOST_TYPES];
};

struct menu_state {
	size_t selected, top, page; /* of the lines; no heading is selected */
};

/* ---- numbers */

static void
set_number(struct menu_line *line, const struct menu_sums *sums)
{
	const struct menu_row *row = line->row;
	line->has_number =
		menu_sums_find(sums, row->number, row->classes, line->is_of_subject, &line->number);
}

/* None, where the other trace has none. */
static void
set_change(struct menu_line *line, const struct menu_sums *before, const struct menu_sums *after)
{
	struct menu_line was = *line;
	set_number(&was, before);
	set_number(line, after);
	line->has_number = line->has_number && was.has_number;
	line->number -= was.number;
}

static void
add_number(const struct menu_line *line, bool ascii, struct text *out)
{
	char number[UNITS_TEXT] = "";
	if (line->has_number && line->section == ABOUT_OTHER)
		units_change(number, line->number, menu_number_is_duration(line->row->number) ? UNITS_OF_DURATION : UNITS_OF_COUNT,
			ascii);
	else if (line->has_number && menu_number_is_duration(line->row->number))
		units_duration(number, line->number, ascii);
	else if (line->has_number)
		units_count(number, (uint64_t)line->number);
	bool is_none = line->has_number && line->number == 0 && line->section != ABOUT_OTHER;
	text_add_string(out, is_none ? "-" : number);
}

/* ---- making it */

static void
add_row(struct menu *menu, const struct menu_row *row, enum menu_section section, bool is_of_subject)
{
	if (menu->count < MOST_LINES)
		menu->lines[menu->count++] = (struct menu_line){ .row = row, .section = section,
			.is_of_subject = is_of_subject, .choice = analysis_choose(row->name) };
}

static bool
can_be_of(const char *name, const struct analysis_scope *subject)
{
	struct analysis_choice choice = analysis_choose(name);
	unsigned limit = subject->actor != REF_NONE  ? ANALYSIS_BY_ACTOR
			 : subject->task != REF_NONE ? ANALYSIS_BY_TASK
						     : ANALYSIS_BY_FUNCTION;
	return (analyses_limits(choice.row.ops, choice.row.kind) & limit) != 0;
}

/* Whether no row has the kind, or in the menu one that is called so, as stw. */
static bool
is_further(const struct analysis_kind *kind, bool is_in_menu)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (strcmp(rows[i].name, kind->name) == 0 ||
			(is_in_menu && strcmp(rows[i].label, kind->name) == 0))
			return false;
	return true;
}

/* The names under which it is listed, from 0 on; NULL behind the last. */
static const char *
listed_name(const struct analysis_kind *kind, size_t index)
{
	if (kind->listed != NULL)
		return kind->listed[index];
	return kind->read == NULL && index == 0 ? kind->name : NULL;
}

/* The types of samples that have plain names, as a name of an analysis has to be. */
static void
list_types(struct menu *menu, const struct trace *trace)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/";
	const struct sample_set *set = trace->samples;
	size_t count = 0;
	for (unsigned i = 0; set != NULL && i < set->type_count && count < MOST_TYPES; i++) {
		size_t length;
		const char *name = trace_text(trace, set->types[i].name, &length);
		struct measure measure = profile_measure(trace, PROFILE_SAMPLES, i);
		if (length == 0 || strspn(name, plain) != length || length >= NAME_BYTES - sizeof "tree:")
			continue;
		snprintf(menu->types[count].name, NAME_BYTES, "tree:%s", name);
		snprintf(menu->types[count].label, NAME_BYTES, "%s", name);
		const char *unit = measure.plain_unit[0] != '\0' ? measure.plain_unit : "no unit";
		if (measure.caption[0] != '\0')
			snprintf(menu->types[count].help, NAME_BYTES, "%s", measure.caption);
		else
			snprintf(menu->types[count].help, NAME_BYTES,
				"samples in %.24s: calls, functions, flame graph", unit);
		menu->further[menu->further_count++] = (struct menu_row){ menu->types[count].name,
			menu->types[count].label, menu->types[count].help, ABOUT_ALL, NUMBER_NONE, 0 };
		count++;
	}
}

static void
list_further(struct menu *menu, const struct analysis_work *work)
{
	const struct analysis_kind *kind;
	const char *name;
	unsigned has = analysis_work_has(work);
	list_types(menu, work->trace);
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		bool is_there = is_further(kind, true) && analysis_suffices(kind->needs, has);
		for (size_t j = 0; is_there && (name = listed_name(kind, j)) != NULL; j++)
			if (menu->further_count < MOST_FURTHER)
				menu->further[menu->further_count++] = (struct menu_row){ name,
					name, kind->help, ABOUT_ALL, NUMBER_NONE, 0 };
	}
}

const char *
analysis_offered(const struct words *words, unsigned has, size_t index)
{
	const struct analysis_kind *kind;
	const char *name;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		bool is_there = rows[i].section != ABOUT_OTHER &&
				((has & NEEDS_TIME) != 0 || (has & NEEDS_OR_SAMPLES) == 0) &&
				analysis_suffices(registry_needs(rows[i].name), has);
		if (is_there && index-- == 0)
			return registry_shown_name(rows[i].name, words);
	}
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		bool is_there = is_further(kind, false) && analysis_suffices(kind->needs, has);
		for (size_t j = 0; is_there && (name = listed_name(kind, j)) != NULL; j++)
			if (index-- == 0)
				return registry_shown_name(name, words);
	}
	return NULL;
}

/* Whether it makes sense of the trace. What its samples are about has rows of its own. */
static bool
row_applies(const struct menu_row *row, const struct analysis_work *work)
{
	const struct trace *trace = work->trace;
	unsigned needs = registry_needs(row->name), has = analysis_work_has(work);
	if (trace->samples == NULL)
		return analysis_suffices(needs, has);
	return trace->clock != TRACE_CLOCK_NONE && row->number != NUMBER_SAMPLES &&
	       analysis_suffices(needs & ~(unsigned)NEEDS_OR_SAMPLES, has);
}

/* The rows of a section that there are of the subject, or of all; without any, no heading. */
static void
add_section(struct menu *menu, const struct analysis_work *work, enum menu_section section, bool is_of_subject)
{
	const struct analysis_scope *scope = &work->scope;
	size_t heading = menu->count;
	if ((section == ABOUT_OTHER && !scope->has_other) || heading == MOST_LINES)
		return;
	menu->lines[menu->count++] =
		(struct menu_line){ .section = section, .is_of_subject = is_of_subject };
	if (section == ABOUT_ALL && is_of_subject && scope->function != STRING_EMPTY)
		add_row(menu, &function_row, section, true);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (rows[i].section == section && row_applies(&rows[i], work) &&
			(!is_of_subject || can_be_of(rows[i].name, scope)))
			add_row(menu, &rows[i], section, is_of_subject);
	for (size_t i = 0; section == ABOUT_ALL && i < menu->further_count; i++)
		if (!is_of_subject || can_be_of(menu->further[i].name, scope))
			add_row(menu, &menu->further[i], section, is_of_subject);
	if (menu->count == heading + 1)
		menu->count = heading;
}

/* All of it but the numbers. */
static void *
sketch(const struct analysis_work *work, struct error *err)
{
	const struct analysis_scope *scope = &work->scope;
	struct menu *menu = array_new(1, sizeof *menu, err);
	if (menu == NULL)
		return NULL;
	bool has_subject = scope->actor != REF_NONE || scope->task != REF_NONE ||
			   scope->function != STRING_EMPTY;
	list_further(menu, work);
	for (int section = 0; has_subject && section < SECTIONS; section++)
		add_section(menu, work, (enum menu_section)section, true);
	for (int section = 0; section < SECTIONS; section++)
		add_section(menu, work, (enum menu_section)section, false);
	return menu;
}

static void *
build(struct analysis_work *work, struct error *err)
{
	struct menu_sums before, after;
	struct menu *menu = sketch(work, err);
	if (menu == NULL)
		return NULL;
	if (!menu_sums_build(&before, work->other, err) || !menu_sums_build(&after, work, err)) {
		memory_free(menu);
		return NULL;
	}
	for (size_t i = 0; i < menu->count; i++) {
		struct menu_line *line = &menu->lines[i];
		if (line->row != NULL && line->section == ABOUT_OTHER)
			set_change(line, &before, &after);
		else if (line->row != NULL)
			set_number(line, &after);
	}
	return menu;
}

/* ---- choosing */

/* The nearest line that is no heading, by steps in one direction; from itself where there is none. */
static size_t
next_line(const struct menu *menu, size_t from, bool forward)
{
	size_t line = from;
	while (forward ? line + 1 < menu->count : line > 0) {
		line = forward ? line + 1 : line - 1;
		if (menu->lines[line].row != NULL)
			return line;
	}
	return from;
}

static void
made(struct analysis *analysis)
{
	const struct menu *menu = analysis->numbers;
	struct menu_state *state = analysis->state;
	if (state->selected >= menu->count || menu->lines[state->selected].row == NULL)
		state->selected = next_line(menu, 0, true);
}

static struct view_answer
open_line(const struct analysis *analysis, struct session *session)
{
	const struct menu *menu = analysis->numbers;
	const struct menu_state *state = analysis->state;
	const struct menu_line *line = &menu->lines[state->selected];
	struct analysis_choice choice = line->choice;
	if (line->row == &function_row)
		choice.parameter =
			trace_text(session->trace, analysis->scope.function, &choice.length);
	else if (line->is_of_subject)
		choice.of = &analysis->scope;
	return analysis_open(session, &choice);
}

static const char *
help_of(const struct menu_row *row)
{
	return row->help != NULL ? row->help : registry_find(row->name, strlen(row->name))->help;
}

/* Selects the next line that the pattern matches, round at the end. */
static struct view_answer
search(const struct analysis *analysis, struct session *session, const char *asked)
{
	const struct menu *menu = analysis->numbers;
	struct menu_state *state = analysis->state;
	struct error note;
	error_clear(&note);
	struct pattern *pattern = pattern_new(asked, &note);
	struct text words = { 0 };
	bool is_found = false;
	for (size_t step = 1; pattern != NULL && !is_found && step <= menu->count; step++) {
		size_t at = (state->selected + step) % menu->count;
		const struct menu_row *row = menu->lines[at].row;
		if (row == NULL)
			continue;
		text_clear(&words);
		text_add_words(&words, session->trace->words, row->label);
		text_add_string(&words, " ");
		text_add_words(&words, session->trace->words, help_of(row));
		is_found = !words.failed && pattern_matches(pattern, words.bytes, words.length);
		state->selected = is_found ? at : state->selected;
	}
	if (note.kind != ERROR_NONE)
		session_status(session, true, "%s", note.message);
	else if (!is_found)
		session_status(session, true, "nothing matches");
	pattern_free(pattern);
	text_release(&words);
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

static struct view_answer
command(struct analysis *analysis, struct session *session, enum command command, long count,
	const char *argument)
{
	const struct menu *menu = analysis->numbers;
	struct menu_state *state = analysis->state;
	bool is_up = command == COMMAND_UP || command == COMMAND_PAGE_UP ||
		     command == COMMAND_FIRST_ROW;
	if (command == COMMAND_OPEN)
		return open_line(analysis, session);
	if (command == COMMAND_SEARCH && argument != NULL)
		return search(analysis, session, argument);
	if (command != COMMAND_UP && command != COMMAND_DOWN)
		count = (long)menu->count;
	switch ((int)command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
	case COMMAND_FIRST_ROW:
	case COMMAND_LAST_ROW:
		for (long i = 0; i < count && i < MOST_LINES; i++)
			state->selected = next_line(menu, state->selected, !is_up);
		return (struct view_answer){ .reaction = VIEW_REDRAW };
	default:
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	}
}

/* The list is short: that it can be searched is no hint worth the room. */
static bool
lacks(const struct analysis *analysis, enum command command)
{
	(void)analysis;
	return command == COMMAND_SEARCH || command == COMMAND_FILTER_ROWS ||
	       command == COMMAND_FOCUS_CALLS ||
	       command == COMMAND_SORT_LEFT || command == COMMAND_NEXT_STATISTIC;
}

static struct view_answer
mouse(struct analysis *analysis, struct session *session, const struct screen_mouse *mouse)
{
	const struct menu *menu = analysis->numbers;
	struct menu_state *state = analysis->state;
	bool is_wheel = mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN;
	if (is_wheel)
		return command(analysis, session,
			mouse->kind == MOUSE_WHEEL_UP ? COMMAND_UP : COMMAND_DOWN, 1, NULL);
	size_t line = state->top + (size_t)mouse->y;
	if (mouse->kind == MOUSE_PRESS && line < menu->count && menu->lines[line].row != NULL)
		state->selected = line;
	return (struct view_answer){ .reaction = VIEW_REDRAW };
}

/* Lines from the first one that can be selected. */
static void
place(const struct analysis *analysis, struct view_place *here)
{
	const struct menu_state *state = analysis->state;
	*here = (struct view_place){ state->selected - next_line(analysis->numbers, 0, true),
		state->top };
}

static void
go_to_place(struct analysis *analysis, struct session *session, const struct view_place *there)
{
	const struct menu *menu = analysis->numbers;
	struct menu_state *state = analysis->state;
	(void)session;
	size_t line = next_line(menu, 0, true) + (there->line < MOST_LINES ? there->line : 0);
	if (line < menu->count && menu->lines[line].row != NULL)
		state->selected = line;
	state->top = there->top;
}

/* ---- drawing */

/* "G42 main.worker: the longest, one by one" */
static void
add_heading(const struct analysis *analysis, const struct session *session,
	const struct menu_line *line, bool ascii, struct text *out)
{
	if (line->is_of_subject)
		analysis_add_subject(&analysis->scope, session->trace, ascii, out);
	if (line->is_of_subject && line->section == ABOUT_ALL)
		return;
	text_add_string(out, line->is_of_subject ? ": " : "");
	bool lacks_collector = line->section == ABOUT_COLLECTOR &&
			       !analysis_applies(NEEDS_COLLECTOR, session->trace);
	text_add_words(out, session->trace->words,
		lacks_collector ? "the {processors}"
		: session->trace->clock == TRACE_CLOCK_NONE && line->section == ABOUT_ALL
			? "what is in it"
			: section_words[line->section]);
	if (line->section == ABOUT_OTHER)
		text_add_string(out, session->other->name);
	if (line->section == ABOUT_ALL && !analysis->scope.with_runtime &&
		analysis_applies(NEEDS_WAITS, session->trace)) {
		text_add_string(out, "; waits are those of ");
		text_add_whose(out, session->trace->words, false);
	}
}

static void
put_words(const struct session *session, struct canvas *canvas, int x, int y, struct cell_style style,
	const char *pattern)
{
	struct text words = { 0 };
	int end_x = x < HELP_COLUMN ? HELP_COLUMN - 1 : canvas->width;
	text_add_words(&words, session->trace->words, pattern);
	canvas_text(canvas, x, y, end_x - x, style, &words);
	text_release(&words);
}

static void
draw_line(const struct analysis *analysis, const struct session *session, struct canvas *canvas,
	size_t at, int y)
{
	const struct menu *menu = analysis->numbers;
	const struct menu_state *state = analysis->state;
	const struct menu_line *line = &menu->lines[at];
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	struct text text = { 0 };
	if (line->row == NULL) {
		add_heading(analysis, session, line, canvas->ascii, &text);
		canvas_text(canvas, LABEL_COLUMN - 2, y, canvas->width, dim, &text);
		text_release(&text);
		return;
	}
	add_number(line, canvas->ascii, &text);
	int cells = text.length > 0 ? (int)text_width(text.bytes, text.length) : 0;
	put_words(session, canvas, LABEL_COLUMN, y, bright, line->row->label);
	struct cell_style of_number = { 0 };
	if (line->section == ABOUT_OTHER && line->number != 0)
		of_number.fg = line->number > 0 ? STYLE_MORE_LAST : STYLE_LESS_LAST;
	if (text.length > 0)
		canvas_text(canvas, NUMBER_COLUMN + NUMBER_CELLS - cells, y, cells, of_number, &text);
	put_words(session, canvas, HELP_COLUMN, y, dim, help_of(line->row));
	text_release(&text);
	if (at == state->selected)
		line_mark_selected(canvas, y);
}

static void
lay_out(struct analysis *analysis, struct session *session, const struct canvas *canvas)
{
	struct menu_state *state = analysis->state;
	(void)session;
	state->page = (size_t)canvas->height;
	if (state->selected < state->top + 1)
		state->top = state->selected > 1 ? state->selected - 1 : 0; /* with its heading */
	if (state->selected - state->top >= state->page)
		state->top = state->selected - state->page + 1;
}

static void
draw(const struct analysis *analysis, const struct session *session, struct canvas *canvas)
{
	const struct menu *menu = analysis->numbers;
	const struct menu_state *state = analysis->state;
	for (size_t i = state->top; i < menu->count && i - state->top < state->page; i++)
		draw_line(analysis, session, canvas, i, (int)(i - state->top));
}

const struct analysis_ops menu_analysis = {
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_TASK | ANALYSIS_BY_FUNCTION |
		  ANALYSIS_BY_RUNTIME,
	.other = OTHER_USED,
	.sketch = sketch,
	.build = build,
	.release = memory_free,
	.state_size = sizeof(struct menu_state),
	.made = made,
	.heading = "Analyses",
	.command = command,
	.lacks = lacks,
	.mouse = mouse,
	.lay_out = lay_out,
	.draw = draw,
	.place = place,
	.go_to_place = go_to_place,
};
