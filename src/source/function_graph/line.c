/*
 * A line is tried as a record of the columns first, as nearly all are; what is none may be one of
 * the few other lines. Names of tasks and functions may hold every sign that separates columns, so
 * each column is known by what must follow it.
 */
#include "source/function_graph/line.h"

#include "base/compiler.h"
#include "source/common/ftrace_head.h"

/* Of the task's column: a name of 7 bytes at most, a dash and the pid, centred in so many bytes. */
enum { TASK_BYTES = 14, RULE_DASHES = 8, MICRO_DECIMALS = 3 };

/* Copies may have some more blanks; no task needs so many bytes. */
enum { TASK_MAX_BYTES = 64, TASK_NAME_BYTES = 15 };

struct graph_line
graph_line_none(void)
{
	return (struct graph_line){ .kind = GRAPH_UNKNOWN,
		.time_ns = -1,
		.took_ns = -1,
		.pid = -1,
		.next_pid = -1 };
}

/* ---- the function */

/*
 * A name is one word; behind a blank may stand its module in brackets. It ends before the first
 * parenthesis.
 */
static bool
take_name(struct scan *scan, struct scan *name)
{
	const char *end = memchr(scan->at, '(', scan_left(scan));
	if (end == NULL || end == scan->at)
		return false;
	const char *blank = memchr(scan->at, ' ', (size_t)(end - scan->at));
	if (blank != NULL && (blank == scan->at || blank[1] != '[' || end[-1] != ']'))
		return false;
	*name = (struct scan){ scan->at, end };
	scan->at = end + 1;
	return true;
}

/* What stands within a comment: "<-caller+0x1a/0x90", "name", "ret=0x0" or "= 0x0", in this order. */
static void
read_comment(struct scan text, struct graph_line *line, struct scan *name)
{
	scan_trim(&text);
	if (scan_text(&text, "<-")) {
		line->caller = scan_word(&text);
		/* Its module. */
		const char *end = scan_left(&text) > 1 && text.at[1] == '[' ? memchr(text.at, ']', scan_left(&text)) : NULL;
		if (end != NULL)
			text.at = line->caller.end = end + 1;
		scan_blanks(&text);
	}
	*name = text;
	struct scan rest = text;
	for (;; rest.at++) {
		struct scan value = rest;
		if (scan_text(&value, "ret=") || scan_text(&value, "= ")) {
			scan_blanks(&value);
			line->returned = value;
			name->end = rest.at;
			break;
		}
		rest.at = memchr(rest.at, ' ', scan_left(&rest));
		if (rest.at == NULL)
			break;
	}
	scan_trim_end(name);
}

/* The rest of a line behind a brace or semicolon: nothing, or a comment to the end. */
static bool
take_tail(struct scan text, struct graph_line *line, struct scan *name)
{
	scan_blanks(&text);
	*name = (struct scan){ text.at, text.at };
	if (scan_is_end(&text))
		return true;
	if (scan_left(&text) < 4 || !scan_text(&text, "/*") || text.end[-1] != '/' || text.end[-2] != '*')
		return false;
	text.end -= 2;
	read_comment(text, line, name);
	return true;
}

void
graph_function(struct scan text, struct graph_line *line)
{
	line->kind = GRAPH_UNKNOWN;
	scan_trim_end(&text);
	struct scan unused;
	if (scan_char(&text, '}')) {
		if (take_tail(text, line, &line->name))
			line->kind = GRAPH_EXIT;
		return;
	}
	if (scan_left(&text) >= 4 && text.at[0] == '/' && text.at[1] == '*') {
		if (text.end[-1] != '/' || text.end[-2] != '*')
			return;
		line->name = (struct scan){ text.at + 2, text.end - 2 };
		scan_trim(&line->name);
		line->kind = GRAPH_EVENT;
		return;
	}
	if (!take_name(&text, &line->name))
		return;
	line->arguments.at = text.at;
	while ((text.at = memchr(text.at, ')', scan_left(&text))) != NULL) {
		line->arguments.end = text.at++;
		struct scan rest = text;
		uint8_t kind = GRAPH_LEAF;
		if (!scan_char(&rest, ';')) {
			kind = GRAPH_ENTRY;
			scan_blanks(&rest);
			if (!scan_char(&rest, '{'))
				continue;
		}
		if (take_tail(rest, line, &unused)) {
			line->kind = kind;
			return;
		}
	}
}

/* ---- the columns */

/* "==========>" and "<==========". */
static bool
take_irq_sign(struct scan *scan, struct graph_line *line)
{
	struct scan rest = *scan;
	bool is_exit = scan_char(&rest, '<');
	const char *start = rest.at;
	while (scan_char(&rest, '='))
		;
	if (rest.at - start < 3 || (!is_exit && !scan_char(&rest, '>')))
		return false;
	line->kind = is_exit ? GRAPH_IRQ_EXIT : GRAPH_IRQ_ENTER;
	*scan = rest;
	return true;
}

bool
graph_duration(struct scan *scan, struct graph_line *line)
{
	struct scan rest = *scan;
	scan_blanks(&rest);
	if (!scan_char(&rest, '|')) {
		if (scan_is_end(&rest))
			return false;
		if (!scan_sees_digit(&rest)) {
			if (*rest.at == '=' || *rest.at == '<') {
				if (!take_irq_sign(&rest, line))
					return false;
				scan_blanks(&rest);
				scan_char(&rest, '|');
				*scan = rest;
				return true;
			}
			if (memchr("+!#*@$", *rest.at, 6) == NULL)
				return false;
			rest.at++;
			scan_blanks(&rest);
		}
		if (!scan_decimal(&rest, MICRO_DECIMALS, &line->took_ns))
			return false;
		scan_blanks(&rest);
		if (!scan_text(&rest, "us"))
			return false;
		scan_blanks(&rest);
		if (!scan_char(&rest, '|'))
			return false;
	}
	*scan = rest;
	return true;
}

/* The bar behind a time, and two blanks. */
static bool
take_bar(struct scan *scan)
{
	scan_blanks(scan);
	if (!scan_char(scan, '|'))
		return false;
	(void)(scan_char(scan, ' ') && scan_char(scan, ' '));
	return true;
}

static bool
take_time(struct scan *scan, struct graph_line *line)
{
	scan_blanks(scan);
	const char *start = scan->at;
	return scan_moment(scan, 9, &line->time_ns) &&
	       memchr(start, '.', (size_t)(scan->at - start)) != NULL && take_bar(scan);
}

static bool
take_relative_time(struct scan *scan, struct graph_line *line, bool is_wanted)
{
	int64_t time_ns;
	scan_blanks(scan);
	if (!scan_decimal(scan, 0, &time_ns) || time_ns > INT64_MAX / 1000)
		return false;
	if (is_wanted)
		line->time_ns = time_ns * 1000;
	scan_blanks(scan);
	return scan_text(scan, "us") && take_bar(scan);
}

static bool
take_cpu(struct scan *scan, struct graph_line *line)
{
	scan_blanks(scan);
	if (!ftrace_cpu(scan, &line->cpu) || !scan_char(scan, ')'))
		return false;
	(void)scan_char(scan, ' ');
	return true;
}

/*
 * The kernel's column is 14 bytes wide, wider for a long pid; so a bar within the name does no
 * harm. Copies have other blanks: then it ends at the first bar behind what can be a task.
 */
static bool
take_task(struct scan *scan, struct graph_line *line)
{
	const char *bar = NULL;
	for (size_t width = TASK_BYTES; width < TASK_BYTES + 6 && width + 1 < scan_left(scan); width++) {
		const char *at = scan->at + width;
		if (at[0] != ' ' || at[1] != '|')
			continue;
		if (ftrace_task((struct scan){ scan->at, at }, &line->task, &line->pid)) {
			bar = at + 1;
			break;
		}
	}
	const char *limit = scan_left(scan) > TASK_MAX_BYTES ? scan->at + TASK_MAX_BYTES : scan->end;
	for (const char *at = scan->at; bar == NULL;) {
		at = memchr(at, '|', (size_t)(limit - at));
		if (at == NULL)
			return false;
		if (ftrace_task((struct scan){ scan->at, at }, &line->task, &line->pid) &&
			scan_left(&line->task) <= TASK_NAME_BYTES)
			bar = at;
		at++;
	}
	scan->at = bar + 1;
	(void)scan_char(scan, ' ');
	return true;
}

static bool
take_flags(struct scan *scan, struct graph_line *line)
{
	scan_blanks(scan);
	const char *start = scan->at;
	while (scan->at < scan->end && ftrace_is_flag(*scan->at))
		scan->at++;
	if (scan->at - start < 4 || scan->at - start > 6)
		return false;
	line->is_in_interrupt = ftrace_in_interrupt((struct scan){ start, scan->at });
	scan_blanks(scan);
	if (!scan_char(scan, '|'))
		return false;
	(void)scan_char(scan, ' ');
	return true;
}

/* The function, behind `margin` blanks that belong to the column before it. */
static void
read_indented(struct scan text, size_t margin, struct graph_line *line)
{
	size_t blanks = scan_blanks(&text);
	size_t depth = blanks > margin ? (blanks - margin) / 2 : 0;
	graph_function(text, line);
	line->depth = (uint32_t)depth;
	if (depth > GRAPH_MAX_DEPTH && line->kind != GRAPH_EVENT)
		line->kind = GRAPH_UNKNOWN;
}

static void
read_columns(unsigned columns, struct scan text, struct graph_line *line)
{
	if (columns & GRAPH_TIME && !take_time(&text, line))
		return;
	if (columns & GRAPH_REL_TIME && !take_relative_time(&text, line, !(columns & GRAPH_TIME)))
		return;
	if (columns & GRAPH_CPU && !take_cpu(&text, line))
		return;
	if (columns & GRAPH_TASK && !take_task(&text, line))
		return;
	if (columns & GRAPH_FLAGS && !take_flags(&text, line))
		return;
	if (!(columns & GRAPH_DURATION)) {
		struct scan sign = text;
		scan_blanks(&sign);
		if (!take_irq_sign(&sign, line))
			read_indented(text, 0, line);
		return;
	}
	if (!graph_duration(&text, line))
		return;
	if (line->kind == GRAPH_UNKNOWN)
		read_indented(text, 2, line);
	else if (scan_blanks(&text), !scan_is_end(&text))
		line->kind = GRAPH_UNKNOWN;
}

/* trace-cmd's form: the head of an ftrace record, then an event. */
static void
read_record(struct scan text, struct graph_line *line)
{
	struct ftrace_head head;
	if (!ftrace_head_read(&text, &head))
		return;
	line->task = head.name;
	line->pid = head.pid;
	line->process = head.process;
	line->cpu = head.cpu;
	line->time_ns = head.time_ns;
	line->has_ticks = !head.has_unit;
	line->is_in_interrupt = head.is_in_interrupt;
	bool is_exit = scan_text(&text, "funcgraph_exit:");
	if (is_exit || scan_text(&text, "funcgraph_entry:")) {
		if (!graph_duration(&text, line) || line->kind != GRAPH_UNKNOWN)
			return;
		read_indented(text, 2, line);
		if ((line->kind == GRAPH_EXIT) != is_exit || line->kind == GRAPH_EVENT)
			line->kind = GRAPH_UNKNOWN;
		return;
	}
	line->name = text;
	scan_trim(&line->name);
	if (!scan_is_end(&line->name))
		line->kind = GRAPH_EVENT;
}

/* ---- other lines */

static bool
is_rule(struct scan text)
{
	scan_trim(&text);
	size_t length = scan_left(&text);
	while (scan_char(&text, '-'))
		;
	return length >= RULE_DASHES && scan_is_end(&text);
}

static bool
read_lost(struct scan text, struct graph_line *line)
{
	uint64_t count;
	if (!ftrace_lost(text, &line->cpu, &count))
		return false;
	line->lost = (int64_t)count;
	line->kind = GRAPH_LOST;
	return true;
}

/* "bash-1234 => cat-5678": each half is centred in 14 bytes, and a name may hold an arrow. */
static bool
read_switch(struct scan text, struct graph_line *line)
{
	struct scan halves = text;
	if (!take_cpu(&halves, line) || scan_left(&halves) > 2 * TASK_MAX_BYTES)
		return false;
	for (size_t width = TASK_BYTES; width < TASK_BYTES + 6 && width + 4 < scan_left(&halves); width++) {
		const char *at = halves.at + width;
		if (memcmp(at, " => ", 4) == 0 &&
			ftrace_task((struct scan){ halves.at, at }, &line->task, &line->pid) &&
			ftrace_task((struct scan){ at + 3, halves.end }, &line->next_task, &line->next_pid))
			return true;
	}
	/* A copy with other blanks. */
	const char *arrow;
	for (struct scan rest = halves; (arrow = scan_find(&rest, "=>")) != NULL; rest.at = arrow + 2) {
		if (ftrace_task((struct scan){ halves.at, arrow }, &line->task, &line->pid) &&
			ftrace_task(
				(struct scan){ arrow + 2, halves.end }, &line->next_task, &line->next_pid))
			return true;
	}
	return false;
}

/* "##### CPU 2 buffer started ####" */
static bool
is_buffer_start(struct scan text)
{
	uint64_t cpu;
	while (scan_char(&text, '#'))
		;
	return scan_text(&text, " CPU ") && scan_number(&text, &cpu) &&
	       scan_text(&text, " buffer started");
}

/* What trace-cmd, the kernel and perf-tools print besides. */
static bool
is_note(struct scan text)
{
	static const char *const starts[] = { "(Overruns: ", "Tracing \"", "Ending tracing...", "cpus=",
		"version = " };
	uint64_t number;
	for (size_t i = 0; i < ARRAY_LENGTH(starts); i++) {
		struct scan rest = text;
		if (scan_text(&rest, starts[i]))
			return true;
	}
	return scan_text(&text, "CPU ") && scan_number(&text, &number) && scan_is(&text, " is empty");
}

void
graph_other(struct scan text, struct graph_line *line)
{
	*line = graph_line_none();
	scan_trim_end(&text);
	if (scan_is_end(&text)) {
		line->kind = GRAPH_BLANK;
		return;
	}
	if (*text.at == '#') {
		struct scan rest = text;
		line->kind = GRAPH_NOTE;
		if (!scan_text(&rest, "###") || is_buffer_start(text))
			return;
		scan_trim(&rest);
		line->kind = GRAPH_MARK;
		line->name = rest;
		return;
	}
	scan_blanks(&text);
	struct scan frame = text;
	if (is_rule(text) || is_note(text)) {
		line->kind = GRAPH_NOTE;
	} else if (scan_text(&frame, "=> ")) {
		line->kind = GRAPH_FRAME;
		line->name = frame;
	} else if (!scan_sees_digit(&text)) {
		(void)read_lost(text, line);
	} else if (read_switch(text, line)) {
		line->kind = GRAPH_SWITCH;
	}
}

bool
graph_record_read(unsigned columns, struct scan text, struct graph_line *line)
{
	*line = graph_line_none();
	scan_trim_end(&text);
	if (columns & GRAPH_RECORDS)
		read_record(text, line);
	else
		read_columns(columns, text, line);
	return line->kind != GRAPH_UNKNOWN;
}

/*
 * What the tracer leaves to others to print: functions and stacks. Its time is that of the lines if these have
 * one.
 */
static void
read_foreign(unsigned columns, struct scan text, struct graph_line *line)
{
	read_record(text, line);
	if (line->kind != GRAPH_EVENT)
		*line = graph_line_none();
	if (!(columns & (GRAPH_TIME | GRAPH_REL_TIME)))
		line->time_ns = -1;
}

bool
graph_line_read(unsigned columns, struct scan text, struct graph_line *line)
{
	if (graph_record_read(columns, text, line))
		return true;
	graph_other(text, line);
	if (line->kind == GRAPH_UNKNOWN && !(columns & GRAPH_RECORDS))
		read_foreign(columns, text, line);
	return false;
}
