/*
 * A line is read from both ends: who and when from the front; from the back how long it took and
 * what came of it, since arguments may hold anything.
 */
#include "source/strace/line.h"

enum {
	DAY_S = 86400,
	LEAST_UNIX_S = 100000000, /* no process has such a number */
	FRACTION_DIGITS = 9
};

#define NS_PER_S INT64_C(1000000000)
/* No time is later, in seconds: two of them can be added. */
#define MOST_S (INT64_MAX / 2 / NS_PER_S)

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
}

/* ---- in front */

/* Digits behind a point, as nanoseconds. */
static int64_t
take_fraction(struct scan *scan, bool *is_there)
{
	int64_t ns = 0;
	int digits = 0;
	*is_there = scan_char(scan, '.');
	for (; *is_there && scan_sees_digit(scan); scan->at++) {
		if (digits++ < FRACTION_DIGITS)
			ns = ns * 10 + (*scan->at - '0');
	}
	for (; digits < FRACTION_DIGITS; digits++)
		ns *= 10;
	return ns;
}

/* "0.000197" */
static bool
take_seconds(struct scan *scan, int64_t *ns)
{
	struct scan rest = *scan;
	uint64_t seconds;
	bool has_fraction;
	if (!scan_number(&rest, &seconds) || seconds >= (uint64_t)MOST_S)
		return false;
	*ns = (int64_t)seconds * NS_PER_S + take_fraction(&rest, &has_fraction);
	*scan = rest;
	return true;
}

/* ":56:14.553779" behind the hours. */
static bool
take_time_of_day(struct scan *scan, uint64_t hours, struct strace_line *line)
{
	uint64_t minutes, seconds;
	bool has_fraction;
	if (hours > 23 || !scan_char(scan, ':') || !scan_number(scan, &minutes) || minutes > 59 ||
		!scan_char(scan, ':') || !scan_number(scan, &seconds) || seconds > 60)
		return false;
	line->time_ns = (int64_t)(hours * 3600 + minutes * 60 + seconds) * NS_PER_S +
			take_fraction(scan, &has_fraction);
	line->is_coarse = !has_fraction;
	line->clock = STRACE_TIME_OF_DAY;
	struct scan since = *scan;
	int64_t ns;
	scan_blanks(&since);
	if (scan_text(&since, "(+") && (scan_blanks(&since), take_seconds(&since, &ns)) &&
		scan_char(&since, ')'))
		*scan = since;
	return true;
}

/* A time of any form, and a blank behind it. */
static bool
take_time(struct scan *scan, struct strace_line *line)
{
	struct scan rest = *scan;
	uint64_t number;
	if (!scan_number(&rest, &number))
		return false;
	if (scan_sees(&rest, ':')) {
		if (!take_time_of_day(&rest, number, line))
			return false;
	} else {
		bool has_fraction = scan_sees(&rest, '.');
		if ((!has_fraction && number < LEAST_UNIX_S) ||
			(rest = *scan, !take_seconds(&rest, &line->time_ns)))
			return false;
		line->clock = number < LEAST_UNIX_S ? STRACE_SINCE_LINE : STRACE_UNIX_TIME;
		line->is_coarse = !has_fraction;
	}
	if (!scan_sees(&rest, ' ')) {
		line->clock = STRACE_NO_CLOCK;
		return false;
	}
	scan_blanks(&rest);
	*scan = rest;
	return true;
}

/* "1234", or "1234<name>", up to `end` and blanks. */
static bool
take_pid(struct scan *scan, char end, struct strace_line *line)
{
	struct scan rest = *scan, comm = { NULL, NULL };
	uint64_t pid;
	if (!scan_number(&rest, &pid))
		return false;
	if (scan_char(&rest, '<')) {
		const char close[] = { '>', end, '\0' };
		const char *at = scan_find(&rest, close);
		if (at == NULL)
			return false;
		comm = (struct scan){ rest.at, at };
		rest.at = at + 1;
	}
	if (!scan_char(&rest, end) || pid >= LEAST_UNIX_S)
		return false;
	scan_blanks(&rest);
	line->pid = (int64_t)pid;
	line->comm = comm;
	*scan = rest;
	return true;
}

/* "[ 257]" and "[00007f2abe4d1ad7]", the number of a call and where it was made. */
static void
pass_columns(struct scan *scan)
{
	while (scan_sees(scan, '[')) {
		struct scan rest = *scan;
		rest.at++;
		while (rest.at < rest.end && (is_word(*rest.at) || *rest.at == ' ' || *rest.at == '?'))
			rest.at++;
		if (!scan_char(&rest, ']') || scan_blanks(&rest) == 0)
			return;
		*scan = rest;
	}
}

static void
take_head(struct scan *scan, struct strace_line *line)
{
	struct scan rest = *scan;
	scan_blanks(&rest);
	if (scan_text(&rest, "[pid ")) {
		scan_blanks(&rest);
		if (!take_pid(&rest, ']', line))
			return;
	} else {
		(void)take_pid(&rest, ' ', line);
	}
	(void)take_time(&rest, line);
	pass_columns(&rest);
	*scan = rest;
}

/* ---- calls */

/* Takes "<0.000197>" and "<unavailable>" away from the end. */
static int64_t
cut_duration(struct scan *scan)
{
	struct scan inner = *scan;
	int64_t ns;
	if (scan_is_end(&inner) || inner.end[-1] != '>')
		return -1;
	const char *at = inner.end;
	while (at > scan->at && at[-1] != '<')
		at--;
	if (at < scan->at + 2 || at[-2] != ' ')
		return -1;
	inner.at = at;
	if (!scan_is(&inner, "unavailable>")) {
		if (!take_seconds(&inner, &ns) || !scan_is(&inner, ">"))
			return -1;
	} else {
		ns = -1;
	}
	scan->end = at - 1;
	scan_trim_end(scan);
	return ns;
}

/* A number, an address or "?", and behind it the end, a blank or a decoration. */
static bool
read_result(struct scan result, struct strace_line *line)
{
	struct scan rest = result;
	uint64_t address;
	line->returned = 0;
	line->has_no_result = scan_char(&rest, '?');
	if (!line->has_no_result && !scan_address(&rest, &address) &&
		!scan_signed(&rest, &line->returned))
		return false;
	if (!scan_is_end(&rest) && !scan_sees(&rest, ' ') && !scan_sees(&rest, '<'))
		return false;
	line->is_error = line->returned == -1 && scan_text(&rest, " E");
	line->result = result;
	return true;
}

/* A quote behind an odd number of backslashes is part of a text. */
static bool
is_escaped(const char *begin, const char *at)
{
	const char *from = at;
	while (from > begin && from[-1] == '\\')
		from--;
	return (at - from) % 2 != 0;
}

/* Finds the last ") = RESULT" that is in no text, and ends `text` behind the parenthesis. */
static bool
find_result(struct scan *text, struct strace_line *line)
{
	bool is_quoted = false;
	for (const char *at = text->end; at > text->at + 2;) {
		at--;
		if (*at == '"' && !is_escaped(text->at, at))
			is_quoted = !is_quoted;
		if (*at != '=' || is_quoted || at[-1] != ' ' || at + 1 >= text->end || at[1] != ' ')
			continue;
		const char *close = at - 1;
		while (close > text->at && close[-1] == ' ')
			close--;
		if (close == text->at || close[-1] != ')' ||
			!read_result((struct scan){ at + 2, text->end }, line))
			continue;
		text->end = close;
		return true;
	}
	return false;
}

/* Whether it ends so, which is taken away. */
static bool
cut_text(struct scan *scan, const char *end)
{
	size_t length = strlen(end);
	if (scan_left(scan) < length || memcmp(scan->end - length, end, length) != 0)
		return false;
	scan->end -= length;
	return true;
}

static void
read_call(struct scan rest, struct strace_line *line, bool is_resumed)
{
	struct scan text = rest;
	scan_trim_end(&text);
	struct scan whole = text;
	line->took_ns = cut_duration(&text);
	if (find_result(&text, line))
		line->kind = is_resumed ? STRACE_RESUMED : STRACE_CALL;
	else if (cut_text(&whole, " <unfinished ...>"))
		line->kind = is_resumed ? STRACE_RESUMED_BEGIN : STRACE_BEGIN;
	else if (cut_text(&whole, " <detached ...>"))
		line->kind = STRACE_LEFT;
	else
		return;
	line->text = line->kind == STRACE_CALL || line->kind == STRACE_RESUMED ? text : whole;
}

/* "<... read resumed>" and the rest of the call. */
static void
read_resumed(struct scan rest, struct strace_line *line)
{
	line->name.at = rest.at;
	while (rest.at < rest.end && is_word(*rest.at))
		rest.at++;
	line->name.end = rest.at;
	if (line->name.at < line->name.end && scan_text(&rest, " resumed>"))
		read_call(rest, line, true);
}

/* ---- what else there is */

/* What stands between "--- " and " ---". */
static bool
take_framed(struct scan *scan, const char *mark)
{
	struct scan inner = *scan;
	scan_trim_end(&inner);
	if (!scan_text(&inner, mark) || !scan_char(&inner, ' ') || !cut_text(&inner, mark) ||
		!cut_text(&inner, " "))
		return false;
	*scan = inner;
	return true;
}

static void
read_signal(struct scan rest, struct strace_line *line)
{
	line->text = rest;
	if (scan_text(&rest, "stopped by ")) {
		line->kind = STRACE_STOPPED;
		return;
	}
	line->name.at = rest.at;
	while (rest.at < rest.end && *rest.at != ' ' && *rest.at != '{')
		rest.at++;
	line->name.end = rest.at;
	scan_blanks(&rest);
	if (line->name.at < line->name.end && scan_sees(&rest, '{') && rest.end[-1] == '}')
		line->kind = STRACE_SIGNAL;
}

static void
read_end(struct scan rest, struct strace_line *line)
{
	uint64_t pid;
	line->text = rest;
	if (scan_text(&rest, "exited with "))
		line->kind = STRACE_EXITED;
	else if (scan_text(&rest, "killed by "))
		line->kind = STRACE_KILLED;
	else if (scan_text(&rest, "superseded by execve in pid ") && scan_number(&rest, &pid)) {
		line->kind = STRACE_SUPERSEDED;
		line->other_pid = (int64_t)pid;
	}
}

static void
read_own(struct scan rest, struct strace_line *line)
{
	uint64_t pid;
	line->kind = STRACE_NOTE;
	if (!scan_text(&rest, "Process ") || !scan_number(&rest, &pid))
		return;
	line->other_pid = (int64_t)pid;
	if (scan_text(&rest, " attached"))
		line->kind = STRACE_ATTACHED;
	else if (scan_text(&rest, " detached"))
		line->kind = STRACE_DETACHED;
}

static void
read_body(struct scan rest, struct strace_line *line)
{
	struct scan inner = rest;
	if (rest.at < rest.end && is_word(*rest.at)) {
		while (inner.at < inner.end && is_word(*inner.at))
			inner.at++;
		line->name = (struct scan){ rest.at, inner.at };
		if (scan_sees(&inner, '('))
			read_call(inner, line, false);
	} else if (scan_text(&inner, "<... ")) {
		read_resumed(inner, line);
	} else if (take_framed(&inner, "---")) {
		read_signal(inner, line);
	} else if (take_framed(&inner, "+++")) {
		read_end(inner, line);
	}
}

void
strace_line_read(struct scan text, struct strace_line *line)
{
	struct scan rest = text;
	*line = (struct strace_line){ .pid = -1, .took_ns = -1, .other_pid = -1 };
	if (scan_text(&rest, " > ")) {
		line->kind = STRACE_FRAME;
		return;
	}
	if (scan_text(&rest, "strace: ")) {
		read_own(rest, line);
		return;
	}
	if (scan_text(&rest, "% time ")) {
		line->kind = STRACE_SUMMARY;
		return;
	}
	take_head(&rest, line);
	if (scan_text(&rest, "[ Process PID="))
		line->kind = STRACE_NOTE;
	else
		read_body(rest, line);
	scan_blanks(&text);
	if (scan_is_end(&text))
		line->kind = STRACE_BLANK;
}

bool
strace_frame_read(struct scan text, struct strace_frame *frame)
{
	*frame = (struct strace_frame){ { NULL, NULL }, { NULL, NULL }, 0 };
	if (!scan_text(&text, " > "))
		return false;
	scan_trim_end(&text);
	/* The address, and the function, are behind the last brackets of their kind. */
	const char *at = text.end;
	while (at > text.at && at[-1] != '[')
		at--;
	struct scan address = { at, text.end };
	if (at > text.at && scan_address(&address, &frame->address)) {
		text.end = at - 1;
		scan_trim_end(&text);
	}
	frame->file = text;
	if (!cut_text(&text, ")"))
		return true;
	for (at = text.at; at < text.end && *at != '('; at++)
		;
	if (at == text.end)
		return true;
	frame->file = (struct scan){ text.at, at };
	frame->function = (struct scan){ at + 1, text.end };
	for (at = text.end; at > frame->function.at; at--) {
		if (at[-1] == '+') {
			frame->function.end = at - 1;
			break;
		}
	}
	return true;
}

enum strace_kind
strace_said_at_end(struct scan text, struct scan *before, int64_t *pid)
{
	struct scan rest = text;
	uint64_t number;
	if (!cut_text(&rest, "tached"))
		return STRACE_UNKNOWN;
	bool is_attached = cut_text(&rest, " at");
	if (!is_attached && !cut_text(&rest, " de"))
		return STRACE_UNKNOWN;
	const char *digits = rest.end;
	while (digits > rest.at && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	struct scan in_front = { text.at, digits };
	rest.at = digits;
	if (!scan_number(&rest, &number) || !cut_text(&in_front, "strace: Process "))
		return STRACE_UNKNOWN;
	*before = in_front;
	*pid = (int64_t)number;
	return is_attached ? STRACE_ATTACHED : STRACE_DETACHED;
}

bool
strace_take_quoted(struct scan *scan, struct scan *text)
{
	struct scan rest = *scan;
	if (!scan_char(&rest, '"'))
		return false;
	const char *begin = rest.at;
	for (; rest.at < rest.end && *rest.at != '"'; rest.at++)
		rest.at += *rest.at == '\\' && rest.at + 1 < rest.end;
	if (scan_is_end(&rest))
		return false;
	*text = (struct scan){ begin, rest.at };
	rest.at++;
	*scan = rest;
	return true;
}
