/*
 * The kernel's ftrace as text: the files trace and trace_pipe, and trace-cmd report. A line is a head
 * (source/common/ftrace_head.h) and an event; " => function" below one is its stack.
 */
#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "source/common/frames.h"
#include "source/common/ftrace_head.h"
#include "source/common/kernel.h"
#include "source/common/line_damage.h"
#include "source/common/line_reader.h"
#include "source/common/live.h"
#include "source/source.h"
#include "trace/ready.h"

enum { HEADER_POINTS = 10, RECORD_POINTS = 3 };

static const struct words ftrace_words = KERNEL_WORDS("ftrace");

struct reading {
	struct line_reader reader;
	struct trace *trace;
	struct kernel *kernel;
	struct line_damage damage;
	uint64_t events, overwritten;
	int64_t first_ns, last_ns;
	bool has_ticks;
	struct ready_table *headless; /* of trace->ready: events without a head, while there is none with one */
	struct frames frames; /* that are being told */
	struct live live; /* of events */
};

/* ---- events */

/* " => do_syscall_64", maybe with an offset or an address behind it. */
static bool
take_frame(struct reading *reading, struct scan line, struct error *err)
{
	string_id function;
	scan_trim(&line);
	return intern_add(&reading->trace->strings, line.at, scan_left(&line), &function, err) &&
	       frames_add(&reading->frames, reading->trace, function, err);
}

static bool
take_event(struct reading *reading, const struct ftrace_head *head, struct scan text, struct error *err)
{
	struct scan name = text, fields = text;
	struct kernel_head told = { head->time_ns, head->pid, head->cpu, head->is_in_interrupt };
	bool is_stack = frames_follow(text);
	if (!is_stack && !ftrace_event(text, &name, &fields)) {
		line_damage_add(&reading->damage, &reading->reader, &text, "has no event");
		return true;
	}
	reading->first_ns = reading->events == 0 || head->time_ns < reading->first_ns ? head->time_ns
										       : reading->first_ns;
	reading->last_ns = reading->events == 0 || head->time_ns > reading->last_ns ? head->time_ns
										     : reading->last_ns;
	reading->events++;
	reading->has_ticks = reading->has_ticks || !head->has_unit;
	if (is_stack) {
		frames_begin(&reading->frames, head->cpu);
		return true;
	}
	return kernel_name(reading->kernel, head->pid, head->name, err) &&
	       kernel_process(reading->kernel, head->pid, head->process, err) &&
	       kernel_add(reading->kernel, &told, name, fields, err);
}

/* ---- events without a head */

static bool
begin_headless(struct reading *reading, struct error *err)
{
	struct trace *trace = reading->trace;
	static const char *const texts[] = { "events", "event",
		"fields", "Events without times or tasks, as the options nocontext-info and raw print them" };
	string_id ids[ARRAY_LENGTH(texts)];
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		if (!intern_add(&trace->strings, texts[i], strlen(texts[i]), &ids[i], err))
			return false;
	const struct ready_column columns[] = { { .key = ids[1], .title = ids[1], .is_dimension = true },
		{ .key = ids[2], .title = ids[2], .is_dimension = true } };
	trace->ready = ready_new(err);
	reading->headless = trace->ready == NULL ? NULL
						 : ready_add_table(trace->ready, ids[0], ids[3], err);
	return reading->headless != NULL && ready_add_column(reading->headless, &columns[0], err) &&
	       ready_add_column(reading->headless, &columns[1], err);
}

/* "sched_wakeup: comm=x pid=3" and "26701 0 2067748996676 type: 374". Of any other line nothing is kept. */
static bool
take_headless(struct reading *reading, struct scan line, struct error *err)
{
	struct scan name, fields, rest = line;
	struct ready_cell cells[2] = { { .number = READY_NONE }, { .number = READY_NONE } };
	uint64_t number;
	bool is_raw = scan_number(&rest, &number) && scan_char(&rest, ' ') && scan_number(&rest, &number) &&
		      scan_char(&rest, ' ') && scan_number(&rest, &number) && scan_text(&rest, " type: ");
	if (is_raw) {
		name = (struct scan){ rest.at - strlen("type: "), line.end };
		fields = (struct scan){ line.at, name.at - 1 };
	} else if (!ftrace_event(line, &name, &fields) || scan_find(&fields, "=") == NULL) {
		return true;
	}
	return (reading->headless != NULL || begin_headless(reading, err)) &&
	       intern_add(&reading->trace->strings, name.at, scan_left(&name), &cells[0].text, err) &&
	       intern_add(&reading->trace->strings, fields.at, scan_left(&fields), &cells[1].text, err) &&
	       ready_add_row(reading->headless, cells, err);
}

/* ---- lines */

/* "# entries-in-buffer/entries-written: 489/1489   #P:2": what was overwritten is not there. */
static void
take_header(struct reading *reading, struct scan line)
{
	uint64_t kept, written;
	if (scan_text(&line, "# entries-in-buffer/entries-written: ") && scan_number(&line, &kept) &&
		scan_char(&line, '/') && scan_number(&line, &written) && written > kept)
		reading->overwritten += written - kept;
	if (reading->overwritten > 0)
		kernel_tell_overwritten(reading->kernel);
}

/* What trace-cmd writes above its records. */
static bool
is_note(struct scan line)
{
	uint64_t number;
	struct scan rest = line;
	if (scan_text(&rest, "CPU ") && scan_number(&rest, &number) && scan_is(&rest, " is empty"))
		return true;
	rest = line;
	if (scan_text(&rest, "cpus=") && scan_number(&rest, &number) && scan_is_end(&rest))
		return true;
	rest = line;
	return scan_text(&rest, "version = ") && scan_number(&rest, &number) && scan_is_end(&rest);
}

static bool
take_line(struct reading *reading, struct scan line, struct error *err)
{
	struct ftrace_head head;
	struct scan rest = line;
	uint32_t cpu;
	uint64_t count;
	scan_trim_end(&line);
	if (scan_is_end(&line))
		return true;
	if (scan_text(&rest, " => ") || scan_text(&rest, "=> ")) {
		if (reading->frames.is_open)
			return take_frame(reading, rest, err);
		line_damage_add(&reading->damage, &reading->reader, &line, "is of no stack");
		return true;
	}
	if (!frames_end(&reading->frames, reading->trace, reading->kernel, err))
		return false;
	if (*line.at == '#') {
		take_header(reading, line);
		return true;
	}
	if (ftrace_lost(line, &cpu, &count))
		return kernel_lose(reading->kernel, cpu, count, kernel_last_ns(reading->kernel), err);
	rest = line;
	if (ftrace_head_read(&rest, &head)) {
		/* What came without one before was words. */
		ready_free(reading->trace->ready);
		reading->trace->ready = NULL;
		reading->headless = NULL;
		return take_event(reading, &head, rest, err);
	}
	/* Words before the first event are words. */
	if (reading->events == 0)
		return take_headless(reading, line, err);
	if (is_note(line))
		return true;
	if (reading->reader.has_newline)
		line_damage_add(&reading->damage, &reading->reader, &line, "fits nothing");
	else
		line_damage_add_end(&reading->damage, &reading->reader, "within a line");
	return true;
}

/* ---- the trace */

static bool
finish(const struct reading *reading, const struct progress *progress, struct error *err)
{
	struct trace *trace = reading->trace;
	const struct kernel_counts *counts = kernel_counts(reading->kernel);
	if (!kernel_finish(reading->kernel, NULL, progress, err))
		return false;
	const struct trace_fact facts[] = {
		{ "lines", reading->reader.count },
		{ "events", reading->events + (reading->headless == NULL ? 0 : reading->headless->row_count) },
		{ "switches", counts->switches },
		{ "marks", counts->marks },
		{ "first_ns", (uint64_t)reading->first_ns },
		{ "last_ns", (uint64_t)reading->last_ns },
		{ "lost_events", counts->lost_events },
		{ "overwritten", reading->overwritten },
		{ "backwards", counts->backwards },
		{ "damaged", reading->damage.count },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++)
		if (!trace_add_fact(trace, facts[i].key, facts[i].value, err))
			return false;
	trace->clock = reading->headless != NULL ? TRACE_CLOCK_NONE
		       : reading->has_ticks      ? TRACE_CLOCK_TICKS
						 : TRACE_CLOCK_STAMPS;
	trace->read_bytes = reading->reader.in->offset_bytes;
	trace->damage = reading->damage.map;
	return true;
}

/* A trace of its own. */
static struct trace *
copy_so_far(const void *context, struct error *err)
{
	const struct reading *reading = context;
	struct reading copy = *reading;
	copy.trace = trace_new(err);
	if (copy.trace == NULL)
		return NULL;
	copy.trace->words = &ftrace_words;
	copy.kernel = live_copy_names(copy.trace, reading->trace, err)
			      ? kernel_copy(reading->kernel, copy.trace, err)
			      : NULL;
	bool is_fine = copy.kernel != NULL && frames_end(&copy.frames, copy.trace, copy.kernel, err) &&
		       finish(&copy, NULL, err);
	kernel_free(copy.kernel);
	if (is_fine)
		return copy.trace;
	trace_free(copy.trace);
	return NULL;
}

static bool
read_lines(struct reading *reading, struct error *err)
{
	struct scan line;
	while (line_reader_next(&reading->reader, &line, err)) {
		if (line.at == NULL)
			return frames_end(&reading->frames, reading->trace, reading->kernel, err);
		if (!take_line(reading, line, err))
			return false;
		if (live_is_due(&reading->live, &reading->reader, reading->events))
			live_show(&reading->live, reading->events, copy_so_far, reading);
	}
	return false;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct trace *trace = trace_new(err);
	if (trace == NULL)
		return NULL;
	trace->words = &ftrace_words;
	struct reading reading = { .trace = trace, .kernel = kernel_new(trace, err), .live.watch = wish->watch };
	line_reader_init(&reading.reader, in);
	bool is_fine = reading.kernel != NULL && read_lines(&reading, err) &&
		       finish(&reading, wish->progress, err);
	line_reader_release(&reading.reader);
	kernel_free(reading.kernel);
	frames_release(&reading.frames);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}

/* ---- recognising */

/* "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION" */
static bool
is_header(struct scan line)
{
	struct scan rest = line;
	uint64_t number;
	if (scan_text(&rest, "# entries-in-buffer/entries-written: "))
		return true;
	if (scan_char(&rest, '#') && scan_blanks(&rest) > 0 && scan_text(&rest, "TASK-PID"))
		return scan_find(&rest, "FUNCTION") != NULL;
	rest = line;
	return scan_text(&rest, "cpus=") && scan_number(&rest, &number) && scan_is_end(&rest);
}

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan line;
	unsigned points = 0, records = 0, padded = 0, tracer = 0;
	while (head_lines_next(&lines, &line)) {
		struct ftrace_head head;
		struct scan name, fields;
		scan_trim_end(&line);
		struct scan rest = line;
		if (scan_text(&rest, "# tracer: ")) {
			tracer = scan_is(&rest, "function_graph") ? 0 : HEADER_POINTS;
			points += tracer;
		} else if (scan_sees(&rest, '#') && scan_find(&rest, "FUNCTION CALLS") != NULL) {
			points -= tracer; /* it draws graphs */
			tracer = 0;
		} else if (is_header(line)) {
			points += HEADER_POINTS;
		} else if (ftrace_head_read(&line, &head) && ftrace_event(line, &name, &fields)) {
			/* trace-cmd's function_graph looks the same. */
			if (scan_left(&name) > 10 && memcmp(name.at, "funcgraph_", 10) == 0)
				return 0;
			points += RECORD_POINTS;
			records++;
			padded += fields.at - line.at > (ptrdiff_t)scan_left(&name) + 2;
			tracer = 0;
		}
	}
	/* What trace-cmd pads may be a function_graph in what follows. */
	return records >= SOURCE_LINES_SURE && padded < records / 2 ? SOURCE_SURE : points;
}

const struct source ftrace_source = {
	.name = "ftrace",
	.input = "the kernel's ftrace",
	.recognised_by = "lines like \"bash-123 [001] d..2. 12.345678: sched_switch: ...\" of the files "
			 "trace and trace_pipe, and of trace-cmd report",
	.answers = "what each task did: running, runnable, asleep, who woke it; system calls, "
		   "interrupts, marks of programs",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
