/* Heads from the time backwards, frames from their ends. */
#include "source/perf_script/line.h"

/* A name has 15 bytes, so what a head is read from is soon there. */
enum { TIME_DIGITS_LEAST = 6, TIME_DIGITS_MOST = 9, PERIOD_CELLS = 10, MISC_MOST = 8, TRIES_MOST = 8 };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
skip_blanks(struct scan *text)
{
	while (text->at < text->end && is_blank(*text->at))
		text->at++;
}

static void
trim_end(struct scan *text)
{
	while (text->end > text->at && is_blank(text->end[-1]))
		text->end--;
}

/* Takes the last word away. */
static struct scan
take_last_word(struct scan *text)
{
	trim_end(text);
	struct scan word = { text->end, text->end };
	while (word.at > text->at && !is_blank(word.at[-1]))
		word.at--;
	text->end = word.at;
	return word;
}

/* ---- what stands before the event */

/* "[003]", the last word. */
static bool
take_cpu(struct scan *text, uint32_t *cpu)
{
	struct scan rest = *text, word = take_last_word(&rest);
	uint64_t number;
	if (!scan_char(&word, '[') || !scan_number(&word, &number) || number > SCRIPT_MAX_CPU ||
		!scan_is(&word, "]"))
		return false;
	*cpu = (uint32_t)number;
	*text = rest;
	return true;
}

/* "123", "-1", or "123/456": of a process the thread, which is the second one. */
static bool
take_tid(struct scan *text, int64_t *tid, int64_t *process)
{
	struct scan rest = *text, word = take_last_word(&rest);
	struct scan digits = { word.end, word.end };
	while (digits.at > word.at && is_digit(digits.at[-1]))
		digits.at--;
	if (digits.at > word.at && digits.at[-1] == '-')
		digits.at--;
	struct scan pid = { word.at, digits.at };
	*process = 0;
	if (!scan_signed(&digits, tid) || *tid < -1 || *tid > INT32_MAX)
		return false;
	if (!scan_is_end(&pid) && (!scan_signed(&pid, process) || !scan_is(&pid, "/")))
		return false;
	*text = rest;
	return true;
}

/* "K", "UH": letters behind the number of the task. */
static bool
take_misc(struct scan *text)
{
	struct scan rest = *text, word = take_last_word(&rest), before = rest;
	uint32_t cpu;
	int64_t tid, process;
	if (scan_is_end(&word) || scan_left(&word) > MISC_MOST)
		return false;
	for (const char *at = word.at; at < word.end; at++)
		if (!is_letter(*at))
			return false;
	take_cpu(&before, &cpu);
	if (!take_tid(&before, &tid, &process))
		return false;
	*text = rest;
	return true;
}

/* "comm pid/tid misc [cpu]"; misc may stand on either side of the CPU. */
static void
read_task(struct scan text, struct script_head *head)
{
	bool has_misc = take_misc(&text);
	if (take_cpu(&text, &head->cpu) && !has_misc)
		take_misc(&text);
	head->has_tid = take_tid(&text, &head->tid, &head->process);
	skip_blanks(&text);
	trim_end(&text);
	head->comm = text;
}

/* ---- the event and what is behind it */

/* "cycles:P:" or "PERF_RECORD_COMM", the next word. */
static bool
take_event(struct scan *text, struct script_head *head)
{
	struct scan rest = *text;
	skip_blanks(&rest);
	struct scan word = { rest.at, rest.at };
	while (word.end < rest.end && !is_blank(*word.end))
		word.end++;
	rest.at = word.end;
	struct scan start = word;
	head->is_record = scan_text(&start, "PERF_RECORD_") ||
			  scan_is(&word, "DEFERRED");
	if (head->is_record) {
		/* "PERF_RECORD_FORK(2:2):(1:1)" */
		while (start.at < word.end && (is_letter(*start.at) || *start.at == '_' || is_digit(*start.at)))
			start.at++;
		rest.at = start.at;
		word.end = start.at;
	} else if (word.end - word.at < 2 || word.end[-1] != ':' || word.at[0] == ':') {
		return false;
	} else {
		word.end--;
	}
	skip_blanks(&rest);
	trim_end(&rest);
	head->event = word;
	*text = rest;
	return true;
}

/* A whole word of digits: 100010 */
static bool
take_period(struct scan *text, int64_t *period)
{
	struct scan rest = *text;
	skip_blanks(&rest);
	if (!scan_sees_digit(&rest) || !scan_signed(&rest, period) ||
		!(scan_is_end(&rest) || is_blank(*rest.at)))
		return false;
	*text = rest;
	return true;
}

/* What stands behind the time, or behind the CPU. Without an event there is no more than a frame. */
static bool
read_behind(struct scan text, struct script_head *head)
{
	struct scan whole = text;
	head->has_period = take_period(&text, &head->period);
	if (!take_event(&text, head)) {
		head->event = (struct scan){ whole.at, whole.at };
		skip_blanks(&text);
		if (!scan_is_end(&text) && !script_is_frame(text)) {
			/* What looked like a period was the address. */
			text = whole;
			skip_blanks(&text);
			head->has_period = false;
			if (!script_is_frame(text))
				return false;
		}
	}
	head->rest = text;
	if (!head->has_period)
		head->period = 1;
	return true;
}

/* ---- a head */

/* Where the time begins that ends at this colon; NULL where none does. */
static const char *
time_before(const char *start, const char *colon)
{
	const char *at = colon;
	while (at > start && is_digit(at[-1]))
		at--;
	int digits = colon - at > TIME_DIGITS_MOST ? TIME_DIGITS_MOST + 1 : (int)(colon - at);
	if (digits < TIME_DIGITS_LEAST || digits > TIME_DIGITS_MOST || at == start || at[-1] != '.')
		return NULL;
	const char *point = --at;
	while (at > start && is_digit(at[-1]))
		at--;
	return at < point && (at == start || is_blank(at[-1])) ? at : NULL;
}

/* "442.619198" to nanoseconds; a machine may run for years. */
static bool
read_time(struct scan text, int64_t *time_ns)
{
	enum { SECONDS_MOST = 2000000000 };
	uint64_t seconds, fraction;
	int digits;
	if (!scan_number(&text, &seconds) || seconds > SECONDS_MOST || !scan_char(&text, '.'))
		return false;
	const char *start = text.at;
	if (!scan_number(&text, &fraction))
		return false;
	for (digits = (int)(text.at - start); digits < TIME_DIGITS_MOST; digits++)
		fraction *= 10;
	*time_ns = (int64_t)(seconds * 1000000000 + fraction);
	return true;
}

/* The next byte of that kind behind which a word ends, as `tries` allow; NULL for none. */
static const char *
next_end(const char *at, const char *end, char c, int *tries)
{
	for (; at < end && (at = memchr(at, c, (size_t)(end - at))) != NULL; at++)
		if (at + 1 == end || is_blank(at[1]))
			return ++*tries <= TRIES_MOST ? at : NULL;
	return NULL;
}

/* Of several times the first one before which there is a task's number, else the first. */
static bool
read_timed(struct scan line, struct script_head *head)
{
	struct script_head found;
	bool is_found = false;
	int tries = 0;
	for (const char *at = line.at; (at = next_end(at, line.end, ':', &tries)) != NULL; at++) {
		struct scan time = { time_before(line.at, at), at };
		if (time.at == NULL)
			continue;
		found = (struct script_head){ .cpu = SCRIPT_NONE, .tid = -1, .has_time = true };
		struct scan before = { line.at, time.at };
		if (!read_time(time, &found.time_ns))
			continue;
		read_task(before, &found);
		if (is_found && !found.has_tid)
			continue;
		if (!read_behind((struct scan){ at + 1, line.end }, &found))
			continue;
		*head = found;
		is_found = true;
		if (found.has_tid)
			break;
	}
	return is_found;
}

/* "java 19983 [003] cycles:" */
static bool
read_by_cpu(struct scan line, struct script_head *head)
{
	int tries = 0;
	for (const char *at = line.at; (at = next_end(at, line.end, ']', &tries)) != NULL; at++) {
		*head = (struct script_head){ .cpu = SCRIPT_NONE, .tid = -1 };
		read_task((struct scan){ line.at, at + 1 }, head);
		if (head->cpu != SCRIPT_NONE && head->has_tid &&
			read_behind((struct scan){ at + 1, line.end }, head))
			return true;
	}
	return false;
}

/*
 * "java 19983 cycles:" or "java 19983     250000 cycles:". A period has 10 cells and a blank before
 * them, so the number of a task that is called "io worker 1" is none.
 */
static bool
read_by_event(struct scan line, struct script_head *head)
{
	int tries = 0;
	for (const char *at = line.at; (at = next_end(at, line.end, ':', &tries)) != NULL; at++) {
		struct scan before = { line.at, at + 1 };
		struct scan behind = take_last_word(&before);
		behind.end = line.end;
		*head = (struct script_head){ .cpu = SCRIPT_NONE, .tid = -1, .period = 1 };
		if (!take_event(&behind, head))
			continue;
		head->rest = behind;
		trim_end(&before);
		struct scan number = before, digits = take_last_word(&number);
		const char *cells = digits.at;
		while (cells > before.at && is_blank(cells[-1]))
			cells--;
		if (before.end - cells > PERIOD_CELLS && take_period(&digits, &head->period)) {
			head->has_period = true;
			before = number;
		}
		read_task(before, head);
		if (head->has_tid && !scan_is_end(&head->comm))
			return true;
	}
	return false;
}

bool
script_head_read(struct scan line, struct script_head *head)
{
	if (read_timed(line, head) && (head->has_tid || !scan_is_end(&head->event)))
		return true;
	if (read_by_cpu(line, head) && !scan_is_end(&head->event))
		return true;
	return read_by_event(line, head);
}

bool
script_task_read(struct scan line, struct script_head *head)
{
	*head = (struct script_head){ .cpu = SCRIPT_NONE, .tid = -1, .period = 1 };
	read_task(line, head);
	head->event = head->rest = (struct scan){ line.end, line.end };
	return head->has_tid && !scan_is_end(&head->comm);
}

/* ---- frames */

/* Takes " (file)" from the end, with brackets in it. */
static bool
take_file(struct scan *text, struct scan *file)
{
	if (scan_is_end(text) || text->end[-1] != ')')
		return false;
	size_t depth = 0;
	const char *open = NULL, *last = NULL;
	for (const char *at = text->end; at > text->at;) {
		at--;
		depth += *at == ')';
		if (*at != '(')
			continue;
		bool is_begin = at == text->at || is_blank(at[-1]);
		if (is_begin && last == NULL)
			last = at;
		if (--depth == 0 && is_begin) {
			open = at;
			break;
		}
		if (depth == 0)
			break;
	}
	if (open == NULL)
		open = last;
	if (open == NULL)
		return false;
	*file = (struct scan){ open + 1, text->end - 1 };
	text->end = open;
	trim_end(text);
	return true;
}

static void
drop_offset(struct scan *symbol)
{
	const char *at = symbol->end;
	while (at > symbol->at && is_hex(at[-1]))
		at--;
	if (at < symbol->end && at - symbol->at >= 3 && memcmp(at - 3, "+0x", 3) == 0)
		symbol->end = at - 3;
}

void
script_frame_read(struct scan text, struct script_frame *frame)
{
	*frame = (struct script_frame){ .file = { text.end, text.end } };
	skip_blanks(&text);
	trim_end(&text);
	if (take_file(&text, &frame->file))
		frame->is_inlined = scan_is(&frame->file, "inlined");
	drop_offset(&text);
	frame->symbol = text;
	frame->is_unknown = scan_is_end(&text) || scan_is(&text, "[unknown]");
}

bool
script_address(struct scan *text)
{
	struct scan rest = *text;
	while (rest.at < rest.end && is_hex(*rest.at))
		rest.at++;
	size_t digits = (size_t)(rest.at - text->at);
	if (digits == 0 || digits > 16 || (!scan_is_end(&rest) && !is_blank(*rest.at)))
		return false;
	rest.at += !scan_is_end(&rest);
	*text = rest;
	return true;
}

bool
script_is_frame(struct scan text)
{
	trim_end(&text);
	return script_address(&text) && !scan_is_end(&text) && text.end[-1] == ')' &&
	       scan_find(&text, "(") != NULL;
}

/* ---- events */

/* Where its modifiers begin: ":u" */
static const char *
modifiers_of(struct scan event)
{
	const char *at = event.end;
	while (at > event.at && is_letter(at[-1]) && strchr("ukhGHpPSDIWebRX", at[-1]) != NULL)
		at--;
	return at > event.at + 1 && at < event.end && at[-1] == ':' ? at - 1 : event.end;
}

struct scan
script_event_base(struct scan event)
{
	return (struct scan){ event.at, modifiers_of(event) };
}

bool
script_is_tracepoint(struct scan event)
{
	struct scan base = script_event_base(event);
	for (const char *at = base.at; at < base.end && *at != '/'; at++)
		if (*at == ':')
			return at > base.at && at + 1 < base.end;
	return false;
}
