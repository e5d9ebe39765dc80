/* Lines to rows: a head begins a sample, frames under it are its stack, a blank line ends it. */
#include "source/perf_script/script.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/sample_set.h"

enum { ESCAPE = 0x1b, LOOK_BYTES = 256, NAME_MOST = 64 };

struct reading {
	struct script *script;
	struct line_reader lines;
	char *clean; /* a line without colours */
	size_t clean_capacity;
	bool is_clean;     /* the line is that */
	bool is_in_sample; /* the last row is a sample that may have frames yet */
	bool is_in_stack;  /* it has some */
	bool has_chains;   /* some frames stood on lines of their own */
	bool was_part;     /* the line is too long to be one */
	bool has_end;      /* its last byte is one that nothing is behind */
	int64_t now_ns;    /* the last time that was read */
	/* Of the sample: the innermost first. */
	frame_id *frames;
	size_t frame_count, frame_capacity;
	/* Of the last stack, the outermost first: the next one often begins with it. */
	frame_id *last;
	stack_id *nodes;
	size_t last_count, last_capacity, node_capacity;
	/* Symbols by their ids here: the frame + 1, and that of an inlined one. */
	struct intern symbols;
	frame_id (*frame_of)[2];
	size_t frame_of_count, frame_of_capacity;
	struct text name;
};

/* ---- damage */

static void
tell_damage(struct reading *reading, const struct scan *line, const char *what)
{
	struct damage_map *map = &reading->script->damage.map;
	uint32_t before = map->count;
	if (line != NULL)
		line_damage_add(&reading->script->damage, &reading->lines, line, what);
	else
		line_damage_add_end(&reading->script->damage, &reading->lines, what);
	if (map->count == before)
		return;
	struct damage *row = &map->rows[before];
	row->from_ns = row->blank_ns = reading->now_ns;
	if (row->to_ns != TIME_OPEN)
		row->to_ns = reading->now_ns;
}

/* ---- frames */

static bool
push_frame(struct reading *reading, frame_id frame, struct error *err)
{
	if (!array_reserve(&reading->frames, &reading->frame_capacity, reading->frame_count + 1,
		    sizeof *reading->frames, err))
		return false;
	reading->frames[reading->frame_count++] = frame;
	return true;
}

static bool
push_name(struct reading *reading, struct scan name, bool is_inlined, struct error *err)
{
	struct trace *trace = reading->script->trace;
	string_id symbol;
	if (!intern_add(&reading->symbols, name.at, scan_left(&name), &symbol, err))
		return false;
	if (symbol >= reading->frame_of_count) {
		size_t needed = (size_t)symbol + 1, known = reading->frame_of_count;
		if (!array_reserve(&reading->frame_of, &reading->frame_of_capacity, needed,
			    sizeof *reading->frame_of, err))
			return false;
		memset(reading->frame_of + known, 0, (needed - known) * sizeof *reading->frame_of);
		reading->frame_of_count = needed;
	}
	frame_id *known = &reading->frame_of[symbol][is_inlined];
	if (*known == 0) {
		struct stack_frame frame = { .is_inlined = is_inlined };
		frame_id id;
		if (!intern_add(&trace->strings, name.at, scan_left(&name), &frame.function, err) ||
			!stack_table_add_frame(&trace->stacks, &frame, &id, err))
			return false;
		*known = id + 1;
	}
	return push_frame(reading, *known - 1, err);
}

static bool
push_made(struct reading *reading, bool is_inlined, struct error *err)
{
	if (reading->name.failed)
		return error_set_memory(err, "names");
	return push_name(reading, scan_over_text(&reading->name), is_inlined, err);
}

/* "a->b->c" of Java: a has b in it, and that c. The innermost is pushed first. */
static bool
push_nested(struct reading *reading, struct scan symbol, struct error *err)
{
	const char *end = symbol.end, *at = symbol.end;
	while (at - symbol.at >= 2) {
		at--;
		if (at[0] != '>' || at[-1] != '-')
			continue;
		text_clear(&reading->name);
		text_add(&reading->name, at + 1, (size_t)(end - at - 1));
		text_add_string(&reading->name, "_[i]");
		if (!push_made(reading, true, err))
			return false;
		end = --at;
	}
	return push_name(reading, (struct scan){ symbol.at, end }, false, err);
}

/* "[libc.so]" for what has no name. */
static bool
push_unknown(struct reading *reading, const struct script_frame *frame, struct error *err)
{
	struct scan base = scan_base_name(frame->file);
	text_clear(&reading->name);
	if (scan_is_end(&base) || scan_is(&base, "[unknown]")) {
		text_add_string(&reading->name, "[unknown]");
	} else {
		text_add_string(&reading->name, "[");
		text_add(&reading->name, base.at, scan_left(&base));
		text_add_string(&reading->name, "]");
	}
	return push_made(reading, frame->is_inlined, err);
}

static bool
take_frame(struct reading *reading, struct scan text, struct error *err)
{
	struct script_counts *counts = &reading->script->counts;
	struct script_frame frame;
	script_frame_read(text, &frame);
	counts->frames++;
	counts->inlined += frame.is_inlined;
	counts->with_stack += !reading->is_in_stack;
	reading->is_in_stack = true;
	if (frame.is_unknown)
		return push_unknown(reading, &frame, err);
	if (UNLIKELY(scan_find(&frame.symbol, "->") != NULL))
		return push_nested(reading, frame.symbol, err);
	return push_name(reading, frame.symbol, frame.is_inlined, err);
}

/* "wl.c:15" is where the last frame is. */
static bool
take_place(struct reading *reading, struct scan text, struct error *err)
{
	struct trace *trace = reading->script->trace;
	scan_trim(&text);
	struct scan digits = { text.end, text.end };
	while (digits.at > text.at && digits.at[-1] >= '0' && digits.at[-1] <= '9')
		digits.at--;
	struct scan file = { text.at, digits.at };
	uint64_t line;
	if (scan_left(&file) < 2 || file.end[-1] != ':' || !scan_number(&digits, &line) ||
		reading->frame_count == 0)
		return true;
	file.end--;
	frame_id *last = &reading->frames[reading->frame_count - 1];
	struct stack_frame frame =
		*(const struct stack_frame *)stable_at(&trace->stacks.frames, *last);
	frame.line = line;
	return intern_add(&trace->strings, file.at, scan_left(&file), &frame.file, err) &&
	       stack_table_add_frame(&trace->stacks, &frame, last, err);
}

/* What would have been inlined into a frame that is not there is an ordinary one. */
static bool
settle_outermost(struct trace *trace, frame_id *frame, struct error *err)
{
	struct stack_frame outermost = *(const struct stack_frame *)stable_at(&trace->stacks.frames, *frame);
	if (outermost.is_inlined == 0)
		return true;
	outermost.is_inlined = 0;
	return stack_table_add_frame(&trace->stacks, &outermost, frame, err);
}

/* All frames are there. */
static bool
end_sample(struct reading *reading, struct error *err)
{
	struct script *script = reading->script;
	size_t count = reading->frame_count, kept = 0;
	reading->is_in_sample = reading->is_in_stack = false;
	if (count == 0)
		return true;
	while (kept < count && kept < reading->last_count &&
		reading->last[kept] == reading->frames[count - 1 - kept])
		kept++;
	if (!array_reserve(&reading->last, &reading->last_capacity, count, sizeof *reading->last, err) ||
		!array_reserve(&reading->nodes, &reading->node_capacity, count, sizeof *reading->nodes, err))
		return false;
	for (size_t i = kept; i < count; i++)
		reading->last[i] = reading->frames[count - 1 - i];
	if (kept == 0 && !settle_outermost(script->trace, &reading->last[0], err))
		return false;
	if (!stack_table_add_path(&script->trace->stacks, kept > 0 ? reading->nodes[kept - 1] : STACK_NONE,
		    reading->last + kept, count - kept, reading->nodes + kept, err))
		return false;
	reading->last_count = count;
	reading->frame_count = 0;
	script->rows[script->row_count - 1].stack = reading->nodes[count - 1];
	return true;
}

/* ---- heads */

static bool
find_thread(struct script *script, const struct script_head *head, string_id comm, uint32_t *thread,
	struct error *err)
{
	/* No task has so large a number. */
	uint64_t key = head->has_tid ? (uint64_t)head->tid : (UINT64_C(1) << 33) + comm;
	*thread = id_map_find(&script->thread_of, key);
	if (*thread == MAP_NONE) {
		if (!array_reserve(&script->threads, &script->thread_capacity, script->thread_count + 1,
			    sizeof *script->threads, err) ||
			!id_map_put(&script->thread_of, key, (uint32_t)script->thread_count, err))
			return false;
		*thread = (uint32_t)script->thread_count++;
		script->threads[*thread] = (struct script_thread){
			.tid = head->tid, .has_tid = head->has_tid, .actor = REF_NONE };
	}
	script->threads[*thread].comm = comm;
	if (head->process > 0)
		script->threads[*thread].process = head->process;
	return true;
}

/* Events that differ in their modifiers alone are of one type. */
static bool
find_type(struct script *script, struct scan name, bool has_period, uint32_t *type, struct error *err)
{
	struct trace *trace = script->trace;
	struct sample_set *set = trace->samples;
	struct scan base = script_event_base(name);
	string_id id, unit = STRING_EMPTY;
	if (!intern_add(&trace->strings, base.at, scan_left(&base), &id, err))
		return false;
	for (*type = 0; *type < set->type_count && set->types[*type].name != id; ++*type)
		;
	if (*type < set->type_count)
		return true;
	if (*type == SAMPLE_TYPES_MOST) {
		*type = SCRIPT_NONE;
		return true;
	}
	bool is_clock = scan_is(&base, "cpu-clock") || scan_is(&base, "task-clock");
	const char *word = is_clock && has_period ? "nanoseconds" : "count";
	return intern_add(&trace->strings, word, strlen(word), &unit, err) &&
	       sample_set_add_type(set, id, unit, err);
}

static bool
find_event(struct script *script, const struct script_head *head, uint32_t *index, struct error *err)
{
	struct scan name = head->event;
	if (scan_is_end(&name))
		name = scan_over("samples", 7);
	if (!intern_add(&script->event_names, name.at, scan_left(&name), index, err))
		return false;
	if (*index < script->event_count)
		return true;
	if (!array_reserve(&script->events, &script->event_capacity, (size_t)*index + 1,
		    sizeof *script->events, err))
		return false;
	for (; script->event_count < *index; script->event_count++) /* the empty name */
		script->events[script->event_count] = (struct script_event){ .type = SCRIPT_NONE };
	struct script_event *event = &script->events[script->event_count++];
	*event = (struct script_event){ .type = SCRIPT_NONE,
		.is_record = head->is_record,
		.is_move = scan_is(&name, "PERF_RECORD_SWITCH") || scan_is(&name, "PERF_RECORD_SWITCH_CPU_WIDE"),
		.is_exit = scan_is(&name, "PERF_RECORD_EXIT"),
		.is_loss = scan_is(&name, "PERF_RECORD_LOST") || scan_is(&name, "PERF_RECORD_LOST_SAMPLES"),
		.has_fields = head->is_record || script_is_tracepoint(name) };
	return intern_add(&script->trace->strings, name.at, scan_left(&name), &event->name, err) &&
	       (event->is_record || find_type(script, name, head->has_period, &event->type, err));
}

static bool
add_row(struct script *script, const struct script_row *row, string_id comm, struct error *err)
{
	size_t count = script->row_count;
	if (count >= UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "more samples than a trace can hold");
	if (!array_reserve(&script->rows, &script->row_capacity, count + 1, sizeof *script->rows, err) ||
		!array_reserve(&script->comms, &script->comm_capacity, count + 1, sizeof *script->comms, err))
		return false;
	script->rows[count] = *row;
	script->rows[count].order = (uint32_t)count;
	script->comms[count] = comm;
	script->row_count++;
	return true;
}

/* "PERF_RECORD_LOST lost 12", "lost:12" */
static uint64_t
lost_by(const struct script_head *head)
{
	struct scan rest = head->rest;
	uint64_t lost = 0;
	const char *at = scan_find(&head->event, "_LOST") != NULL ? scan_find(&rest, "lost") : NULL;
	if (at == NULL)
		return 0;
	rest.at = at + 4;
	while (rest.at < rest.end && !scan_sees_digit(&rest))
		rest.at++;
	return scan_number(&rest, &lost) ? lost : 0;
}

static void
count_time(struct script *script, const struct script_head *head, int64_t before_ns)
{
	struct script_counts *counts = &script->counts;
	if (head->is_record)
		return;
	counts->samples++;
	counts->no_time += !head->has_time;
	if (!head->has_time)
		return;
	counts->backwards += counts->has_time && head->time_ns < before_ns;
	if (!counts->has_time || head->time_ns < counts->first_ns)
		counts->first_ns = head->time_ns;
	if (!counts->has_time || head->time_ns > counts->last_ns)
		counts->last_ns = head->time_ns;
	counts->has_time = true;
}

static bool
take_head(struct reading *reading, const struct script_head *head, struct error *err)
{
	struct script *script = reading->script;
	struct trace *trace = script->trace;
	struct script_row row = { .time_ns = head->has_time ? head->time_ns : SCRIPT_NO_TIME,
		.weight = head->period, .cpu = head->cpu };
	string_id comm;
	if (!end_sample(reading, err) ||
		!intern_add(&trace->strings, head->comm.at, scan_left(&head->comm), &comm, err) ||
		!find_thread(script, head, comm, &row.thread, err) ||
		!find_event(script, head, &row.event, err))
		return false;
	count_time(script, head, reading->now_ns);
	script->counts.records += head->is_record;
	script->counts.lost_events += lost_by(head);
	if (head->has_time && !head->is_record)
		reading->now_ns = head->time_ns;
	/* Without call chains the frame stands here. */
	struct scan rest = head->rest;
	bool has_frame = !script->events[row.event].has_fields && script_is_frame(rest);
	if (!has_frame && !intern_add(&trace->strings, rest.at, scan_left(&rest), &row.text, err))
		return false;
	if (!add_row(script, &row, comm, err))
		return false;
	reading->is_in_sample = !head->is_record;
	return !has_frame || (script_address(&rest) && take_frame(reading, rest, err));
}

/* ---- lines */

static bool
is_blank(const struct scan *line)
{
	const char *at = line->at;
	while (at < line->end && (*at == ' ' || *at == '\t'))
		at++;
	return at == line->end;
}

/* Behind a line that has a task alone a frame makes it a head. */
static bool
is_frame_next(struct reading *reading, struct scan *line, bool *is_next, struct error *err)
{
	struct scan text, next;
	bool has_newline;
	if (!line_reader_look(&reading->lines, LOOK_BYTES, reading->is_clean ? NULL : line, &text, err))
		return false;
	*is_next = line_take(&text, &next, &has_newline) && !is_blank(&next) &&
		   (*next.at == ' ' || *next.at == '\t');
	if (*is_next) {
		while (*next.at == ' ' || *next.at == '\t')
			next.at++;
		*is_next = script_address(&next);
	}
	return true;
}

/* What stands under a head; *is_taken: whether it is something of that kind. */
static bool
take_below(struct reading *reading, struct scan line, bool *is_taken, struct error *err)
{
	struct scan text = line;
	while (text.at < text.end && (*text.at == ' ' || *text.at == '\t'))
		text.at++;
	size_t indent = (size_t)(text.at - line.at);
	bool is_after_tab = *line.at == '\t';
	*is_taken = reading->is_in_sample;
	if (!reading->is_in_sample)
		return true;
	if (indent == 0 && script_is_frame(text))
		return script_address(&text) && take_frame(reading, text, err);
	struct scan name = text;
	if (indent > 0 && script_address(&text)) {
		/* Where no addresses are printed a name may look like one. */
		struct script_frame frame;
		script_frame_read(text, &frame);
		bool is_name = indent == 1 && scan_sees(&text, '(') && scan_is_end(&frame.symbol);
		return take_frame(reading, is_name ? name : text, err);
	}
	if (indent == 2 && reading->is_in_stack && !is_after_tab)
		return take_place(reading, text, err);
	if (indent == 1 || is_after_tab)
		return take_frame(reading, text, err);
	*is_taken = false;
	return true;
}

static bool
is_record_alone(const struct scan *line)
{
	struct scan rest = *line;
	return scan_text(&rest, "PERF_RECORD_") || scan_find(line, " PERF_RECORD_") != NULL;
}

/* "# clockid: monotonic (1)", of perf script --header where perf record had -k. */
static void
note_clock(struct reading *reading, struct scan line)
{
	static const char *const clocks[][2] = {
		{ "monotonic", "CLOCK_MONOTONIC" }, { "monotonic_raw", "CLOCK_MONOTONIC_RAW" },
		{ "realtime", "CLOCK_REALTIME" }, { "boottime", "CLOCK_BOOTTIME" }, { "tai", "CLOCK_TAI" } };
	if (!scan_text(&line, "# clockid: "))
		return;
	struct scan name = scan_word(&line);
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		if (scan_is(&name, clocks[i][0]))
			reading->script->trace->stated_clock = clocks[i][1];
}

static bool
take_line(struct reading *reading, struct scan line, struct error *err)
{
	struct script *script = reading->script;
	struct script_head head;
	bool is_taken = false;
	/* One directly below a head may have frames below it. */
	if (is_blank(&line))
		return !reading->is_in_stack || end_sample(reading, err);
	if (*line.at == '\t') {
		if (!take_below(reading, line, &is_taken, err))
			return false;
	} else if (script_head_read(line, &head) && (*line.at != '#' || (head.has_time && head.has_tid))) {
		return take_head(reading, &head, err);
	} else if (*line.at == '#') {
		note_clock(reading, line);
		return true; /* a comment */
	} else if (!take_below(reading, line, &is_taken, err)) {
		return false;
	}
	reading->has_chains = reading->has_chains || is_taken;
	if (is_taken)
		return true;
	if (is_record_alone(&line)) {
		script->counts.records++;
		return end_sample(reading, err);
	}
	if (script_task_read(line, &head)) {
		bool is_next;
		if (!is_frame_next(reading, &line, &is_next, err))
			return false;
		if (is_next)
			return script_task_read(line, &head) && take_head(reading, &head, err);
	}
	tell_damage(reading, &line, "fits nothing");
	return true;
}

static bool
without_colours(struct reading *reading, struct scan *line, struct error *err)
{
	reading->is_clean = UNLIKELY(memchr(line->at, ESCAPE, scan_left(line)) != NULL);
	if (!reading->is_clean)
		return true;
	if (!array_reserve(&reading->clean, &reading->clean_capacity, line_clean_bytes(line) + 1, 1, err))
		return false;
	*line = scan_over(reading->clean, line_clean(line, reading->clean));
	return true;
}

/* Rows to which no more comes. Frames of the last sample may, if there are any. */
static size_t
whole_rows(const struct reading *reading)
{
	size_t count = reading->script->row_count;
	return reading->is_in_sample && (reading->has_chains || reading->is_in_stack) ? count - 1 : count;
}

static struct trace *
make_so_far(const void *context, struct error *err)
{
	const struct reading *reading = context;
	return script_so_far(reading->script, whole_rows(reading), err);
}

static bool
read_all(struct reading *reading, struct error *err)
{
	struct script_counts *counts = &reading->script->counts;
	struct live *live = &reading->script->live;
	struct scan line;
	for (;;) {
		if (!line_reader_next(&reading->lines, &line, err))
			return false;
		if (line.at == NULL)
			break;
		bool is_part = reading->lines.is_part;
		reading->has_end = scan_is_end(&line) || line.end[-1] == ')' || line.end[-1] == ':' ||
				   line.end[-1] == ' ';
		counts->lines += !reading->was_part;
		if (reading->was_part || is_part) {
			if (!is_part)
				tell_damage(reading, &line, "is too long");
		} else if (!without_colours(reading, &line, err) || !take_line(reading, line, err)) {
			return false;
		}
		reading->was_part = is_part;
		if (live_is_due(live, &reading->lines, whole_rows(reading)))
			live_show(live, whole_rows(reading), make_so_far, reading);
	}
	if (reading->is_in_sample && !reading->lines.has_newline && !reading->has_end)
		tell_damage(reading, NULL, "no line end; the last line may be short");
	return end_sample(reading, err);
}

bool
script_read(struct script *script, struct input *in, struct error *err)
{
	struct reading reading = { .script = script };
	line_reader_init(&reading.lines, in);
	reading.lines.keeps_all = true;
	bool is_fine = intern_init(&reading.symbols, err) && intern_init(&script->event_names, err) &&
		       read_all(&reading, err);
	line_reader_release(&reading.lines);
	intern_release(&reading.symbols);
	text_release(&reading.name);
	array_release(&reading.clean);
	array_release(&reading.frames);
	array_release(&reading.last);
	array_release(&reading.nodes);
	array_release(&reading.frame_of);
	return is_fine;
}
