/* The head of a record: tried at each dash of the line, from the left. */
#include "source/common/ftrace_head.h"

#include <limits.h>
#include <string.h>

bool
ftrace_is_flag(char c)
{
	if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))
		return true;
	return c != '\0' && strchr(".dDXbBnNpPlLzZhHs#?*", c) != NULL;
}

bool
ftrace_cpu(struct scan *scan, uint32_t *cpu)
{
	struct scan rest = *scan;
	uint64_t number;
	if (!scan_number(&rest, &number) || number > FTRACE_MAX_CPU)
		return false;
	*scan = rest;
	*cpu = (uint32_t)number;
	return true;
}

bool
ftrace_task(struct scan field, struct scan *name, int64_t *pid)
{
	scan_trim(&field);
	const char *digits = field.end;
	while (digits > field.at && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == field.at || digits[-1] != '-')
		return false;
	struct scan number = { digits, field.end };
	uint64_t value;
	if (!scan_number(&number, &value) || value > INT32_MAX)
		return false;
	*name = (struct scan){ field.at, digits - 1 };
	scan_trim(name);
	*pid = (int64_t)value;
	return true;
}

/* The colon that ends the time, and in latency format the mark of the distance before it. */
static bool
take_time(struct scan *scan, struct ftrace_head *head)
{
	struct scan rest = *scan;
	const char *point = rest.at;
	while (point < rest.end && *point >= '0' && *point <= '9')
		point++;
	head->has_unit = true;
	if (point < rest.end && *point == '.') {
		if (!scan_moment(&rest, 9, &head->time_ns))
			return false;
	} else if (scan_moment(&rest, 0, &head->time_ns)) {
		if (scan_text(&rest, "us")) {
			if (head->time_ns > INT64_MAX / 1000)
				return false;
			head->time_ns *= 1000;
			if (!scan_is_end(&rest) && memchr("+!#*@$ ", *rest.at, 7) != NULL)
				rest.at++;
		} else {
			head->has_unit = false;
		}
	} else {
		return false;
	}
	if (!scan_char(&rest, ':'))
		return false;
	scan_blanks(&rest);
	*scan = rest;
	return true;
}

/* Flags before the time, or none. */
static bool
take_flags_and_time(struct scan *scan, struct ftrace_head *head)
{
	struct scan rest = *scan;
	scan_blanks(&rest);
	head->flags = (struct scan){ rest.at, rest.at };
	if (take_time(&rest, head)) {
		*scan = rest;
		return true;
	}
	while (rest.at < rest.end && ftrace_is_flag(*rest.at))
		rest.at++;
	head->flags.end = rest.at;
	if (scan_left(&head->flags) < 3 || scan_blanks(&rest) == 0 || !take_time(&rest, head))
		return false;
	*scan = rest;
	return true;
}

/* "(tgid)", or dashes where that is not known. */
static bool
take_process(struct scan *scan, int64_t *process)
{
	struct scan rest = *scan;
	uint64_t number;
	*process = 0;
	if (!scan_char(&rest, '('))
		return true;
	scan_blanks(&rest);
	if (scan_number(&rest, &number) && number <= INT32_MAX)
		*process = (int64_t)number;
	while (scan_sees(&rest, '-'))
		rest.at++;
	scan_blanks(&rest);
	if (!scan_char(&rest, ')'))
		return false;
	scan_blanks(&rest);
	*scan = rest;
	return true;
}

/* All that follows the dash behind the name. */
static bool
take_rest(struct scan *scan, struct ftrace_head *head)
{
	struct scan rest = *scan;
	uint64_t pid;
	if (!scan_number(&rest, &pid) || pid > INT32_MAX || scan_blanks(&rest) == 0 ||
		!take_process(&rest, &head->process))
		return false;
	if (scan_char(&rest, '[')) {
		if (!ftrace_cpu(&rest, &head->cpu) || !scan_char(&rest, ']') || scan_blanks(&rest) == 0)
			return false;
	} else {
		/* Latency format: the flags follow the digits of the CPU directly, and no digit is first. */
		if (!ftrace_cpu(&rest, &head->cpu) || scan_is_end(&rest) || !ftrace_is_flag(*rest.at))
			return false;
	}
	if (!take_flags_and_time(&rest, head))
		return false;
	head->pid = (int64_t)pid;
	*scan = rest;
	return true;
}

/* The last word before `at`, which blanks stand around; the text ends in front of it then. */
static struct scan
take_last(struct scan *text)
{
	scan_trim_end(text);
	struct scan word = { text->end, text->end };
	while (word.at > text->at && word.at[-1] != ' ')
		word.at--;
	text->end = word.at;
	return word;
}

/* All before the "[" of the verbose form: name, pid, CPU, flags, depth, number of the event. */
static bool
read_verbose_task(struct scan text, struct ftrace_head *head)
{
	enum { FLAGS_OF_INTERRUPTS = 0x58 }; /* hard, soft, NMI: enum trace_flag_type of the kernel */
	struct scan number = take_last(&text), depth = take_last(&text), flags = take_last(&text),
		    cpu = take_last(&text), pid = take_last(&text);
	uint64_t value, bits;
	if (!scan_hex(&number, &value) || !scan_hex(&depth, &value) || !scan_number(&flags, &bits) ||
		!ftrace_cpu(&cpu, &head->cpu) || !scan_number(&pid, &value) || value > INT32_MAX)
		return false;
	if (!scan_is_end(&number) || !scan_is_end(&depth) || !scan_is_end(&flags) || !scan_is_end(&cpu) ||
		!scan_is_end(&pid))
		return false;
	scan_trim(&text);
	head->name = text;
	head->flags = (struct scan){ text.end, text.end };
	head->is_in_interrupt = (bits & FLAGS_OF_INTERRUPTS) != 0;
	head->pid = (int64_t)value;
	head->process = 0;
	head->has_unit = true;
	return true;
}

/* "[9f1623aa5] 16.088ms (+0.888ms): " stands behind the task. */
static bool
read_verbose(struct scan *line, struct ftrace_head *head)
{
	struct scan rest = *line;
	while ((rest.at = memchr(rest.at, '[', scan_left(&rest))) != NULL) {
		struct scan task = { line->at, rest.at++ }, behind = rest;
		uint64_t absolute;
		int64_t distance;
		if (!scan_hex(&behind, &absolute) || !scan_text(&behind, "] ") ||
			!scan_moment(&behind, 6, &head->time_ns) || !scan_text(&behind, "ms (+") ||
			!scan_decimal(&behind, 6, &distance) || !scan_text(&behind, "ms): ") ||
			!read_verbose_task(task, head))
			continue;
		scan_blanks(&behind);
		*line = behind;
		return true;
	}
	return false;
}

/* "d.h2": what the third of them says. */
bool
ftrace_in_interrupt(struct scan flags)
{
	return scan_left(&flags) >= 3 && strchr("hHszZ", flags.at[2]) != NULL;
}

bool
ftrace_head_read(struct scan *line, struct ftrace_head *head)
{
	struct scan rest = *line;
	scan_blanks(&rest);
	const char *start = rest.at;
	while ((rest.at = memchr(rest.at, '-', scan_left(&rest))) != NULL) {
		const char *dash = rest.at++;
		if (!take_rest(&rest, head))
			continue;
		head->name = (struct scan){ start, dash };
		scan_trim_end(&head->name);
		head->is_in_interrupt = ftrace_in_interrupt(head->flags);
		*line = rest;
		return true;
	}
	return read_verbose(line, head);
}

bool
ftrace_lost(struct scan line, uint32_t *cpu, uint64_t *count)
{
	*count = 0;
	if (!scan_text(&line, "CPU:") || !ftrace_cpu(&line, cpu) || !scan_text(&line, " ["))
		return false;
	bool is_kernel = scan_text(&line, "LOST ");
	if (scan_number(&line, count) && !scan_char(&line, ' '))
		return false;
	return scan_is(&line, is_kernel ? "EVENTS]" : "EVENTS DROPPED]");
}

bool
ftrace_event(struct scan text, struct scan *name, struct scan *fields)
{
	const char *at = text.at;
	while (at < text.end && *at != ' ' && *at != ':' && *at != '(')
		at++;
	*name = (struct scan){ text.at, at };
	*fields = (struct scan){ at, text.end };
	if (scan_is_end(name))
		return false;
	if (scan_char(fields, ':')) {
		scan_trim(fields);
		return true;
	}
	scan_blanks(fields);
	if (scan_sees(fields, '(') || scan_text(fields, "-> "))
		fields->at -= scan_sees(fields, '(') ? 0 : strlen("-> ");
	else if (!scan_text(fields, "<-"))
		return false;
	else
		*fields = text, *name = scan_over("function", strlen("function"));
	scan_trim_end(fields);
	return true;
}
