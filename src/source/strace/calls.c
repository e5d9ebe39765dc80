/*
 * Line by line. A call that another thread's line broke in two stays open in its thread until its
 * other half comes; one of which nothing says when it ended lasts until the next line of its thread.
 */
#include "source/strace/calls.h"

#include <assert.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "source/common/line_reader.h"
#include "source/common/live.h"
#include "source/common/profile_trace.h"
#include "trace/slices.h"

enum { MOST_FRAMES = 1024, LAID_OUT_NS = 1000 };

#define NS_PER_DAY (INT64_C(86400) * 1000000000)
/* No time is later: a length can be added to it. */
#define LAST_NS (INT64_MAX / 2)

/* Names that say more than that something was called. */
enum known { EXECVE, PRCTL, CLONE, CLONE3, FORK, VFORK, RESTART, SIGNAL, EXIT, KNOWN_COUNT };

struct reading {
	struct strace_calls *calls;
	struct line_reader lines;
	struct text joined;  /* what there is of a line that comes in pieces */
	bool is_joined;
	bool is_broken;      /* by strace, which attached to a process meanwhile, or left it */
	bool is_summary;     /* in the table of -c */
	bool has_pids, has_time;
	int64_t now_ns;      /* the time of the last line */
	int64_t stamp_ns;    /* the last one that the input has */
	int64_t days_ns;     /* of the midnights so far */
	struct id_map thread_of; /* the latest with that pid */
	uint32_t first;      /* the thread of lines without a pid, or STRACE_NONE */
	uint32_t recent;     /* the thread of the last line */
	uint64_t alive, alive_sum; /* how many threads have not ended, and the sum of their indices */
	uint32_t last;       /* record, which a stack that follows is of; or STRACE_NONE */
	frame_id *frames;    /* of that stack so far, innermost first */
	size_t frame_count, frame_capacity;
	struct text line;
	string_id known[KNOWN_COUNT];
	const struct strace_watch *watch;
};

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* At most LAST_NS. */
static int64_t
after(int64_t time_ns, int64_t length_ns)
{
	return time_ns > LAST_NS - length_ns ? LAST_NS : time_ns + length_ns;
}

static struct strace_thread *
thread_at(struct reading *reading, uint32_t index)
{
	return &reading->calls->threads[index];
}

static bool
add_text(struct reading *reading, struct scan text, string_id *id, struct error *err)
{
	return intern_add(&reading->calls->trace->strings, text.at, scan_left(&text), id, err);
}

static void
add_damage(struct reading *reading, const struct scan *text)
{
	struct damage_map *map = &reading->calls->damage.map;
	uint32_t rows = map->count;
	line_damage_add(&reading->calls->damage, &reading->lines, text, "fits nothing");
	struct damage *row = &map->rows[map->count - 1];
	if (map->count > rows)
		row->from_ns = row->blank_ns = reading->now_ns;
	row->to_ns = reading->now_ns;
}

/* ---- times */

/* The first time comes behind lines without one: they are from then. */
static void
begin_clock(struct strace_calls *calls, int64_t time_ns)
{
	for (size_t i = 0; i < calls->record_count; i++)
		calls->records[i].start_ns = time_ns;
	for (size_t i = 0; i < calls->thread_count; i++)
		calls->threads[i].first_ns = calls->threads[i].until_ns = time_ns;
}

/* The time of a line, by the clock of the first one that has any. */
static void
take_time(struct reading *reading, const struct strace_line *line)
{
	struct strace_calls *calls = reading->calls;
	if (line->clock == STRACE_NO_CLOCK && calls->clock == STRACE_NO_CLOCK)
		reading->now_ns = after(reading->now_ns, reading->has_time ? LAID_OUT_NS : 0);
	reading->has_time = true;
	if (line->clock == STRACE_NO_CLOCK ||
		(calls->clock != STRACE_NO_CLOCK && line->clock != calls->clock))
		return;
	bool is_first = calls->clock == STRACE_NO_CLOCK;
	int64_t time_ns = line->time_ns;
	calls->clock = line->clock;
	if (line->clock == STRACE_SINCE_LINE)
		time_ns = after(reading->stamp_ns, time_ns);
	if (line->clock == STRACE_TIME_OF_DAY)
		time_ns = after(reading->days_ns, time_ns);
	if (!is_first && line->clock == STRACE_TIME_OF_DAY &&
		time_ns < reading->stamp_ns - NS_PER_DAY / 2) {
		reading->days_ns = after(reading->days_ns, NS_PER_DAY);
		time_ns = after(time_ns, NS_PER_DAY);
		calls->counts.midnights++;
	}
	if (is_first)
		begin_clock(calls, time_ns);
	calls->counts.backwards += !is_first && time_ns < reading->stamp_ns;
	calls->first_ns = is_first || time_ns < calls->first_ns ? time_ns : calls->first_ns;
	calls->last_ns = is_first ? time_ns : later(calls->last_ns, time_ns);
	reading->stamp_ns = reading->now_ns = time_ns;
}

/* Times of a clock that is too coarse are put behind each other. */
static int64_t
start_of(const struct reading *reading, const struct strace_line *line,
	const struct strace_thread *thread)
{
	bool is_coarse = reading->calls->clock == STRACE_NO_CLOCK || line->is_coarse;
	return is_coarse ? later(reading->now_ns, thread->until_ns) : reading->now_ns;
}

/* ---- threads */

static bool
add_thread(struct reading *reading, int64_t pid, uint32_t *index, struct error *err)
{
	struct strace_calls *calls = reading->calls;
	if (!array_reserve(&calls->threads, &calls->thread_capacity, calls->thread_count + 1,
		    sizeof *calls->threads, err))
		return false;
	*index = (uint32_t)calls->thread_count;
	if (pid > 0 && !id_map_put(&reading->thread_of, (uint64_t)pid, *index, err))
		return false;
	calls->threads[calls->thread_count++] = (struct strace_thread){ .pid = pid,
		.creator = STRACE_NONE,
		.first_ns = reading->has_time ? reading->now_ns : INT64_MAX,
		.until_ns = INT64_MIN,
		.open = STRACE_NONE,
		.unended = STRACE_NONE };
	reading->alive++;
	reading->alive_sum += *index;
	return true;
}

/* The thread of that pid, made if there is none that has not ended. */
static bool
find_thread(struct reading *reading, int64_t pid, uint32_t *index, struct error *err)
{
	*index = id_map_find(&reading->thread_of, (uint64_t)pid);
	if (*index != MAP_NONE && !thread_at(reading, *index)->is_ended)
		return true;
	return add_thread(reading, pid, index, err);
}

/* The first pid that was not told of before is that of the lines without one. */
static bool
thread_of_pid(struct reading *reading, int64_t pid, uint32_t *index, struct error *err)
{
	uint32_t first = reading->first;
	reading->has_pids = true;
	if (first != STRACE_NONE && thread_at(reading, first)->pid == 0 &&
		!thread_at(reading, first)->is_ended && pid > 0 &&
		id_map_find(&reading->thread_of, (uint64_t)pid) == MAP_NONE) {
		thread_at(reading, first)->pid = pid;
		*index = first;
		return id_map_put(&reading->thread_of, (uint64_t)pid, first, err);
	}
	if (!find_thread(reading, pid, index, err))
		return false;
	if (first == STRACE_NONE && !thread_at(reading, *index)->is_announced)
		reading->first = *index;
	return true;
}

/* A line without a pid is the first thread's, and if that has ended, that of who is left. */
static bool
thread_of_line(struct reading *reading, const struct strace_line *line, uint32_t *index,
	struct error *err)
{
	uint32_t first = reading->first;
	bool is_fine = true;
	if (line->pid > 0)
		is_fine = thread_of_pid(reading, line->pid, index, err);
	else if (first != STRACE_NONE && !thread_at(reading, first)->is_ended)
		*index = first;
	else if (reading->alive == 1)
		*index = (uint32_t)reading->alive_sum;
	else if (reading->recent != STRACE_NONE && !thread_at(reading, reading->recent)->is_ended)
		*index = reading->recent;
	else if ((is_fine = add_thread(reading, 0, index, err)))
		reading->first = *index;
	if (!is_fine)
		return false;
	struct strace_thread *thread = thread_at(reading, *index);
	if (thread->first_ns > reading->now_ns)
		thread->first_ns = reading->now_ns;
	reading->recent = *index;
	return scan_is_end(&line->comm) || add_text(reading, line->comm, &thread->name, err);
}

static void
end_thread(struct reading *reading, uint32_t index)
{
	thread_at(reading, index)->is_ended = true;
	reading->alive--;
	reading->alive_sum -= index;
}

/* Who called clone() learns the pid of its child, which may have been seen before. */
static bool
take_child(struct reading *reading, uint32_t creator, int64_t pid, int64_t time_ns, struct error *err)
{
	uint32_t index;
	if (pid <= 0 || !reading->has_pids)
		return true;
	size_t known = reading->calls->thread_count;
	if (!find_thread(reading, pid, &index, err))
		return false;
	struct strace_thread *child = thread_at(reading, index);
	child->is_announced = true;
	if (index == creator || child->creator != STRACE_NONE)
		return true;
	child->creator = creator;
	if (index == known || child->first_ns > time_ns)
		child->first_ns = time_ns;
	if (child->name == STRING_EMPTY)
		child->name = thread_at(reading, creator)->name;
	return true;
}

/* ---- records */

static bool
add_record(struct reading *reading, const struct strace_record *record, struct error *err)
{
	struct strace_calls *calls = reading->calls;
	if (!array_reserve(&calls->records, &calls->record_capacity, calls->record_count + 1,
		    sizeof *calls->records, err))
		return false;
	if (calls->record_count >= STRACE_NONE)
		return error_set(err, ERROR_LIMIT, "more than 2^32 calls");
	if (calls->record_count > 0 &&
		record->start_ns < calls->records[calls->record_count - 1].start_ns)
		calls->is_sorted = false;
	reading->last = (uint32_t)calls->record_count;
	calls->records[calls->record_count++] = *record;
	return true;
}

static bool
add_instant(struct reading *reading, uint32_t thread, enum strace_record_kind kind,
	string_id category, const struct strace_line *line, struct error *err)
{
	struct strace_record record = { .start_ns = start_of(reading, line, thread_at(reading, thread)),
		.thread = thread, .name = category, .kind = (uint8_t)kind };
	return add_text(reading, line->text, &record.detail, err) && add_record(reading, &record, err);
}

/* Where the last call of a thread did not say when it ended, it did so by now. */
static void
end_call(struct reading *reading, struct strace_thread *thread)
{
	if (thread->unended == STRACE_NONE)
		return;
	struct strace_record *record = &reading->calls->records[thread->unended];
	record->length_ns = later(0, reading->now_ns - record->start_ns);
	thread->until_ns = after(record->start_ns, record->length_ns);
	thread->unended = STRACE_NONE;
}

/* The other half of the open call will not come. */
static bool
lose_call(struct reading *reading, struct strace_thread *thread, uint8_t flag, struct error *err)
{
	if (thread->open == STRACE_NONE)
		return true;
	struct strace_record *record = &reading->calls->records[thread->open];
	record->length_ns = later(0, reading->now_ns - record->start_ns);
	record->flags |= flag;
	thread->open = STRACE_NONE;
	reading->calls->counts.never_finished++;
	text_add_string(&thread->begun, " <unfinished ...>");
	if (thread->begun.failed)
		return error_set_memory(err, "calls");
	return add_text(reading, scan_over_text(&thread->begun), &record->detail, err);
}

/* What a call that ended says of its thread. The ids of known names are the first of the table. */
static bool
learn(struct reading *reading, const struct strace_record *record, struct scan arguments,
	const struct strace_line *line, struct error *err)
{
	const string_id *known = reading->known;
	struct strace_thread *thread = thread_at(reading, record->thread);
	struct scan text;
	if (record->name > known[RESTART] || record->name < known[EXECVE])
		return true;
	if (record->name == known[EXECVE]) {
		if (!line->has_no_result && !line->is_error && scan_char(&arguments, '(') &&
			strace_take_quoted(&arguments, &text))
			return add_text(reading, scan_base_name(text), &thread->name, err);
		return true;
	}
	if (record->name == known[PRCTL])
		return !scan_text(&arguments, "(PR_SET_NAME, ") ||
		       !strace_take_quoted(&arguments, &text) ||
		       add_text(reading, text, &thread->name, err);
	if (record->name == known[RESTART])
		return true;
	return take_child(reading, record->thread, line->returned,
		after(record->start_ns, record->length_ns), err);
}

/* A call has ended: what it took, and what came of it. `begun` stands before the line's text. */
static bool
finish_call(struct reading *reading, uint32_t index, const struct text *begun,
	const struct strace_line *line, struct error *err)
{
	struct strace_record *record = &reading->calls->records[index];
	struct strace_thread *thread = thread_at(reading, record->thread);
	struct scan detail = { line->text.at, line->result.end };
	if (begun != NULL || line->result.at - line->text.end != 3) {
		text_clear(&reading->line);
		if (begun != NULL)
			text_add(&reading->line, begun->bytes, begun->length);
		text_add(&reading->line, line->text.at, scan_left(&line->text));
		text_add_string(&reading->line, " = ");
		text_add(&reading->line, line->result.at, scan_left(&line->result));
		if (reading->line.failed)
			return error_set_memory(err, "calls");
		detail = scan_over_text(&reading->line);
	}
	if (line->took_ns >= 0)
		record->length_ns = line->took_ns;
	else if (begun != NULL && reading->calls->clock != STRACE_NO_CLOCK)
		record->length_ns = later(0, reading->now_ns - record->start_ns);
	else
		record->flags |= SLICE_CUT;
	if (line->is_error)
		record->flags |= SLICE_FAILED;
	thread->until_ns = after(record->start_ns, record->length_ns);
	if (reading->calls->clock == STRACE_NO_CLOCK)
		reading->now_ns = later(reading->now_ns, thread->until_ns);
	reading->last = index;
	reading->calls->counts.errors += line->is_error;
	reading->calls->counts.no_return += line->has_no_result;
	return add_text(reading, detail, &record->detail, err) &&
	       learn(reading, record, detail, line, err);
}

/* A call begins: all that came before in its thread has ended. */
static bool
begin_call(struct reading *reading, uint32_t index, const struct strace_line *line, struct error *err)
{
	struct strace_thread *thread = thread_at(reading, index);
	struct strace_record record = { .thread = index, .kind = STRACE_RECORD_CALL };
	if (!lose_call(reading, thread, SLICE_CUT, err) || !add_text(reading, line->name, &record.name, err))
		return false;
	record.start_ns = start_of(reading, line, thread);
	reading->calls->counts.calls++;
	reading->calls->counts.restarts += record.name == reading->known[RESTART];
	return add_record(reading, &record, err);
}

static bool
take_call(struct reading *reading, uint32_t index, const struct strace_line *line, struct error *err)
{
	if (!begin_call(reading, index, line, err))
		return false;
	if (line->took_ns < 0)
		thread_at(reading, index)->unended = reading->last;
	return finish_call(reading, reading->last, NULL, line, err);
}

/* The first half of a call. */
static bool
take_begin(struct reading *reading, uint32_t index, const struct strace_line *line, struct error *err)
{
	if (!begin_call(reading, index, line, err))
		return false;
	struct strace_thread *thread = thread_at(reading, index);
	thread->open = reading->last;
	text_clear(&thread->begun);
	text_add(&thread->begun, line->text.at, scan_left(&line->text));
	reading->calls->counts.unfinished += line->kind != STRACE_LEFT;
	return true;
}

/* The second half, or one without a first: then the call began before all that is told. */
static bool
take_resumed(struct reading *reading, uint32_t index, const struct strace_line *line, struct error *err)
{
	struct strace_calls *calls = reading->calls;
	struct strace_thread *thread = thread_at(reading, index);
	string_id name;
	bool ends = line->kind == STRACE_RESUMED;
	if (!add_text(reading, line->name, &name, err))
		return false;
	calls->counts.resumed++;
	calls->counts.unfinished += !ends;
	bool is_open = thread->open != STRACE_NONE && calls->records[thread->open].name == name;
	if (!is_open) {
		calls->counts.orphan_resumed++;
		if (!begin_call(reading, index, line, err))
			return false;
		thread = thread_at(reading, index);
		thread->open = reading->last;
		text_clear(&thread->begun);
		struct strace_record *record = &calls->records[thread->open];
		record->flags = SLICE_BEGAN_BEFORE;
		record->start_ns = line->took_ns >= 0 ? record->start_ns - line->took_ns : thread->first_ns;
		calls->is_sorted = false;
	}
	if (!ends) {
		text_add(&thread->begun, line->text.at, scan_left(&line->text));
		return true;
	}
	uint32_t open = thread->open;
	thread->open = STRACE_NONE;
	if (!finish_call(reading, open, &thread->begun, line, err))
		return false;
	/* How long it took is told by its line alone. */
	if (!is_open && line->took_ns < 0)
		calls->records[open].flags |= SLICE_CUT;
	return true;
}

/* The execve() of another thread goes on as this one's, and that one is no more. */
static bool
take_superseded(struct reading *reading, uint32_t index, const struct strace_line *line,
	struct error *err)
{
	uint32_t other = id_map_find(&reading->thread_of, (uint64_t)line->other_pid);
	struct strace_thread *thread = thread_at(reading, index);
	reading->calls->counts.superseded++;
	if (other == MAP_NONE || other == index || thread_at(reading, other)->is_ended)
		return add_instant(reading, index, STRACE_RECORD_INSTANT, reading->known[EXIT], line, err);
	struct strace_thread *from = thread_at(reading, other);
	end_call(reading, from);
	if (!lose_call(reading, thread, SLICE_CUT, err))
		return false;
	if (from->open != STRACE_NONE) {
		struct text begun = thread->begun;
		reading->calls->records[from->open].thread = index;
		thread->open = from->open;
		thread->begun = from->begun;
		from->begun = begun;
		from->open = STRACE_NONE;
	}
	end_thread(reading, other);
	return add_instant(reading, other, STRACE_RECORD_END, reading->known[EXIT], line, err);
}

static bool
take_end(struct reading *reading, uint32_t index, const struct strace_line *line, struct error *err)
{
	if (!lose_call(reading, thread_at(reading, index), SLICE_CUT, err))
		return false;
	end_thread(reading, index);
	return add_instant(reading, index, STRACE_RECORD_END, reading->known[EXIT], line, err);
}

static bool
take_attached(struct reading *reading, int64_t pid, struct error *err)
{
	uint32_t index;
	reading->calls->counts.attached++;
	reading->has_pids = true;
	if (pid <= 0)
		return true;
	if (!find_thread(reading, pid, &index, err))
		return false;
	thread_at(reading, index)->is_announced = true;
	return true;
}

/* ---- stacks */

static bool
take_frame(struct reading *reading, struct scan text, struct error *err)
{
	struct strace_frame read;
	struct trace *trace = reading->calls->trace;
	reading->calls->counts.stack_lines++;
	if (reading->last == STRACE_NONE || reading->frame_count == MOST_FRAMES ||
		!strace_frame_read(text, &read))
		return true;
	struct stack_frame frame = { .pc = read.address };
	bool is_fine = scan_is_end(&read.function)
			       ? profile_trace_name(trace, read.file, &frame.function, err)
			       : add_text(reading, read.function, &frame.function, err);
	if (!is_fine || !array_reserve(&reading->frames, &reading->frame_capacity,
				reading->frame_count + 1, sizeof *reading->frames, err))
		return false;
	return stack_table_add_frame(
		&trace->stacks, &frame, &reading->frames[reading->frame_count++], err);
}

/* The stack that stood behind the last record is whole. */
static bool
end_stack(struct reading *reading, struct error *err)
{
	stack_id stack = STACK_NONE;
	while (reading->frame_count > 0) {
		if (!stack_table_add_node(&reading->calls->trace->stacks, stack,
			    reading->frames[--reading->frame_count], &stack, err))
			return false;
	}
	if (stack != STACK_NONE)
		reading->calls->records[reading->last].stack = stack;
	return true;
}

/* ---- lines */

static bool
take_of_thread(struct reading *reading, const struct strace_line *line, struct error *err)
{
	struct strace_counts *counts = &reading->calls->counts;
	uint32_t index;
	take_time(reading, line);
	if (!thread_of_line(reading, line, &index, err))
		return false;
	end_call(reading, thread_at(reading, index));
	switch (line->kind) {
	case STRACE_CALL:
		return take_call(reading, index, line, err);
	case STRACE_BEGIN:
	case STRACE_LEFT:
		return take_begin(reading, index, line, err);
	case STRACE_RESUMED:
	case STRACE_RESUMED_BEGIN:
		return take_resumed(reading, index, line, err);
	case STRACE_SIGNAL:
	case STRACE_STOPPED:
		counts->signals += line->kind == STRACE_SIGNAL;
		counts->stops += line->kind == STRACE_STOPPED;
		return add_instant(
			reading, index, STRACE_RECORD_INSTANT, reading->known[SIGNAL], line, err);
	case STRACE_EXITED:
	case STRACE_KILLED:
		counts->exits += line->kind == STRACE_EXITED;
		counts->killed += line->kind == STRACE_KILLED;
		return take_end(reading, index, line, err);
	case STRACE_SUPERSEDED:
		return take_superseded(reading, index, line, err);
	case STRACE_UNKNOWN:
	case STRACE_BLANK:
	case STRACE_ATTACHED:
	case STRACE_DETACHED:
	case STRACE_NOTE:
	case STRACE_FRAME:
	case STRACE_SUMMARY:
		break;
	}
	assert(false);
	return true;
}

/* The table of -c ends with its sums. */
static void
take_summary(struct reading *reading, struct scan text)
{
	static const char total[] = " total";
	scan_trim_end(&text);
	reading->calls->counts.summary_lines++;
	reading->is_summary = scan_left(&text) < strlen(total) ||
			      memcmp(text.end - strlen(total), total, strlen(total)) != 0;
}

static bool
take_line(struct reading *reading, struct scan text, struct error *err)
{
	struct strace_line line;
	strace_line_read(text, &line);
	if (line.kind == STRACE_FRAME)
		return take_frame(reading, text, err);
	if (!end_stack(reading, err))
		return false;
	switch (line.kind) {
	case STRACE_UNKNOWN:
		if (reading->is_summary) {
			take_summary(reading, text);
			return true;
		}
		/* Times behind it count from its own, too. */
		if (line.clock == STRACE_SINCE_LINE && reading->calls->clock == STRACE_SINCE_LINE)
			take_time(reading, &line);
		add_damage(reading, &text);
		return true;
	case STRACE_BLANK:
		reading->calls->counts.blank++;
		return true;
	case STRACE_SUMMARY:
		take_summary(reading, text);
		return true;
	case STRACE_ATTACHED:
		return take_attached(reading, line.other_pid, err);
	case STRACE_DETACHED:
	case STRACE_NOTE:
		return true;
	default:
		reading->is_summary = false;
		return take_of_thread(reading, &line, err);
	}
}

/* What stands behind the beginning of a line, unless it is one of its own: both. */
static bool
take_joined(struct reading *reading, struct scan text, struct error *err)
{
	struct strace_line line;
	bool is_own = false;
	if (reading->is_broken) {
		strace_line_read(text, &line);
		is_own = line.kind != STRACE_UNKNOWN && (line.pid > 0 || line.clock != STRACE_NO_CLOCK);
	}
	struct scan whole = scan_over_text(&reading->joined);
	reading->is_joined = reading->is_broken = false;
	if (is_own) {
		add_damage(reading, &whole);
		return take_line(reading, text, err);
	}
	text_add(&reading->joined, text.at, scan_left(&text));
	if (reading->joined.failed)
		return error_set_memory(err, "lines");
	return take_line(reading, scan_over_text(&reading->joined), err);
}

/* A line as it stands in the input, or a part of one. */
static bool
take_text(struct reading *reading, struct scan text, struct error *err)
{
	int64_t pid;
	struct scan before = text;
	enum strace_kind said = strace_said_at_end(text, &before, &pid);
	if (said == STRACE_ATTACHED && !take_attached(reading, pid, err))
		return false;
	if ((said != STRACE_UNKNOWN && !scan_is_end(&before)) || reading->lines.is_part) {
		if (!reading->is_joined)
			text_clear(&reading->joined);
		reading->is_joined = true;
		reading->is_broken = said != STRACE_UNKNOWN;
		text_add(&reading->joined, before.at, scan_left(&before));
		return !reading->joined.failed || error_set_memory(err, "lines");
	}
	if (said != STRACE_UNKNOWN)
		return true;
	return reading->is_joined ? take_joined(reading, text, err) : take_line(reading, text, err);
}

/* What is open stays so to the end. */
static bool
take_end_of_input(struct reading *reading, struct error *err)
{
	struct strace_calls *calls = reading->calls;
	calls->counts.lines = reading->lines.count;
	if (calls->clock == STRACE_NO_CLOCK)
		calls->last_ns = reading->now_ns;
	if (reading->is_joined) {
		struct scan whole = scan_over_text(&reading->joined);
		add_damage(reading, &whole);
	}
	if (!end_stack(reading, err))
		return false;
	for (uint32_t i = 0; i < calls->thread_count; i++) {
		struct strace_thread *thread = thread_at(reading, i);
		end_call(reading, thread);
		if (!lose_call(reading, thread, SLICE_OPEN, err))
			return false;
	}
	return true;
}

static bool
copy_calls(struct strace_calls *calls, const struct strace_calls *from, struct error *err)
{
	calls->records = array_copy(from->records, from->record_count, sizeof *from->records, err);
	calls->threads = array_copy(from->threads, from->thread_count, sizeof *from->threads, err);
	if (calls->records == NULL || calls->threads == NULL)
		return false;
	calls->record_count = from->record_count;
	for (size_t i = 0; i < from->thread_count; i++) {
		struct text *begun = &calls->threads[i].begun;
		*begun = (struct text){ 0 };
		text_add(begun, from->threads[i].begun.bytes, from->threads[i].begun.length);
		calls->thread_count++;
	}
	return live_copy_names(calls->trace, from->trace, err);
}

/* A trace of its own, as if the input ended here; a line or a stack that has begun is left out. */
static struct trace *
copy_so_far(const void *context, struct error *err)
{
	const struct reading *reading = context;
	struct strace_calls calls = *reading->calls;
	struct reading copy = *reading;
	copy.calls = &calls;
	copy.is_joined = false;
	copy.frame_count = 0;
	calls.threads = NULL;
	calls.records = NULL;
	calls.thread_count = calls.thread_capacity = calls.record_count = calls.record_capacity = 0;
	calls.trace = trace_new(err);
	bool is_fine = calls.trace != NULL && copy_calls(&calls, reading->calls, err) &&
		       take_end_of_input(&copy, err) && reading->watch->build(&calls, NULL, err);
	struct trace *trace = calls.trace;
	strace_calls_release(&calls);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

static bool
read_lines(struct reading *reading, struct error *err)
{
	struct live live = { .watch = reading->watch->watch };
	struct scan text;
	while (line_reader_next(&reading->lines, &text, err)) {
		if (text.at == NULL)
			return take_end_of_input(reading, err);
		if (!take_text(reading, text, err))
			return false;
		if (reading->calls->record_count > 0 &&
			live_is_due(&live, &reading->lines, reading->lines.count))
			live_show(&live, reading->lines.count, copy_so_far, reading);
	}
	return false;
}

static bool
prepare(struct reading *reading, struct error *err)
{
	static const char *const names[KNOWN_COUNT] = { "execve", "prctl", "clone", "clone3", "fork",
		"vfork", "restart_syscall", "signal", "exit" };
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < KNOWN_COUNT; i++)
		is_fine = add_text(reading, scan_over(names[i], strlen(names[i])), &reading->known[i], err);
	return is_fine;
}

bool
strace_calls_read(struct strace_calls *calls, struct trace *trace, struct input *in,
	const struct strace_watch *watch, struct error *err)
{
	*calls = (struct strace_calls){ .trace = trace, .is_sorted = true };
	struct reading reading = { .calls = calls, .first = STRACE_NONE, .recent = STRACE_NONE,
		.last = STRACE_NONE, .watch = watch };
	line_reader_init(&reading.lines, in);
	bool is_fine = prepare(&reading, err) && read_lines(&reading, err);
	line_reader_release(&reading.lines);
	id_map_release(&reading.thread_of);
	array_release(&reading.frames);
	text_release(&reading.joined);
	text_release(&reading.line);
	return is_fine;
}

void
strace_calls_release(struct strace_calls *calls)
{
	for (size_t i = 0; i < calls->thread_count; i++)
		text_release(&calls->threads[i].begun);
	array_release(&calls->threads);
	array_release(&calls->records);
	*calls = (struct strace_calls){ 0 };
}
