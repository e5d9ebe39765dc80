/* The head of a record: tried at each dash of the line, from the left. */
#include "source/common/ftrace_head.h"

#include <limits.h>

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
		*line = rest;
		return true;
	}
	return false;
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
