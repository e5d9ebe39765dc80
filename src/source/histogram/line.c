/* A line is anchored on what only histograms have: bars, arrows, brackets, names that begin with @. */
#include "source/histogram/line.h"

/* ---- numbers */

/* A decimal number; the highest one stands for all that do not fit. */
static bool
take_digits(struct scan *scan, uint64_t *value)
{
	uint64_t sum = 0;
	if (!scan_sees_digit(scan))
		return false;
	for (; scan_sees_digit(scan); scan->at++) {
		uint64_t digit = (uint64_t)(*scan->at - '0');
		sum = sum > (UINT64_MAX - digit) / 10 ? UINT64_MAX : sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* "-8", "64K": K, M and so on are powers of 1024. At most INT64_MAX, which is open as an end. */
static bool
take_bound(struct scan *scan, int64_t *value)
{
	static const char units[] = "KMGTPE";
	struct scan at = *scan;
	bool is_negative = scan_char(&at, '-');
	uint64_t number;
	if (!take_digits(&at, &number))
		return false;
	const char *unit = at.at < at.end && *at.at != '\0' ? strchr(units, *at.at) : NULL;
	for (int i = 0; unit != NULL && i <= unit - units; i++)
		number = number > UINT64_MAX / 1024 ? UINT64_MAX : number * 1024;
	at.at += unit != NULL;
	if (number > INT64_MAX)
		number = INT64_MAX;
	*value = is_negative ? -(int64_t)number : (int64_t)number;
	*scan = at;
	return true;
}

static int64_t
next_of(int64_t value)
{
	return value < INT64_MAX ? value + 1 : value;
}

/* ---- rows */

/* "13 |@@@   |": behind the bounds. */
static bool
take_count(struct scan *rest, struct histogram_line *read)
{
	scan_blanks(rest);
	if (!take_digits(rest, &read->bucket.count) || read->bucket.count > INT64_MAX)
		return false;
	scan_blanks(rest);
	if (!scan_char(rest, '|'))
		return false;
	scan_trim_end(rest);
	read->has_whole_bar = rest->end > rest->at && rest->end[-1] == '|';
	return read->bucket.low < read->bucket.high;
}

/* "[2, 4)", "[0]", "(..., 0)", "[200, ...)"; "[0, 1]" as old bpftrace has it. */
static bool
take_interval(struct scan *rest, struct bucket *bucket)
{
	bool is_below = scan_text(rest, "(..., ");
	bucket->low = BUCKET_OPEN_LOW;
	if (!is_below && (!scan_char(rest, '[') || !take_bound(rest, &bucket->low)))
		return false;
	bucket->high = next_of(bucket->low);
	if (!is_below && scan_char(rest, ']'))
		return true;
	bool is_above = !is_below && scan_text(rest, ", ...)");
	bucket->high = BUCKET_OPEN_HIGH;
	if (is_above)
		return true;
	if ((!is_below && !scan_text(rest, ", ")) || !take_bound(rest, &bucket->high))
		return false;
	if (scan_char(rest, ')'))
		return true;
	bucket->high = next_of(bucket->high);
	return scan_char(rest, ']');
}

/* "0 -> 1 : 3 |***": both ends are included; a linear one has one value a row. */
static bool
read_row_of_bcc(struct scan rest, struct histogram_line *read)
{
	if (!take_bound(&rest, &read->bucket.low))
		return false;
	read->bucket.high = read->bucket.low;
	bool is_apart = scan_blanks(&rest) > 0;
	if ((is_apart && scan_sees(&rest, ':')) || scan_text(&rest, "->"))
		read->kind = LINE_BROKEN;
	scan_blanks(&rest);
	if (!scan_sees(&rest, ':'))
		(void)take_bound(&rest, &read->bucket.high);
	scan_blanks(&rest);
	read->bucket.high = next_of(read->bucket.high);
	return read->kind == LINE_BROKEN && scan_char(&rest, ':') && take_count(&rest, read);
}

static bool
read_row(struct scan rest, struct histogram_line *read)
{
	if (scan_sees(&rest, '[') || scan_sees(&rest, '(')) {
		read->kind = LINE_BROKEN;
		return take_interval(&rest, &read->bucket) && take_count(&rest, read);
	}
	return scan_sees_digit(&rest) && read_row_of_bcc(rest, read);
}

/* ---- names */

static bool
ends_in(const struct scan *text, const char *end)
{
	size_t length = strlen(end);
	return scan_left(text) >= length && memcmp(text->end - length, end, length) == 0;
}

/* Takes what ends in ": count     distribution". */
static bool
read_head(struct scan text, struct histogram_line *read)
{
	if (!ends_in(&text, "distribution"))
		return false;
	text.end -= strlen("distribution");
	scan_trim_end(&text);
	if (!ends_in(&text, ": count"))
		return false;
	text.end -= strlen(": count");
	scan_trim(&text);
	read->text = text;
	return true;
}

static bool
is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "@name", then "[keys]", then ":". */
static enum histogram_line_kind
kind_of_map(struct scan text)
{
	scan_char(&text, '@');
	while (!scan_is_end(&text) && is_of_name(*text.at))
		text.at++;
	if (scan_is(&text, ":"))
		return LINE_MAP;
	if (scan_sees(&text, ':'))
		return LINE_MAP_VALUE;
	if (!scan_sees(&text, '['))
		return LINE_OTHER;
	if (ends_in(&text, "]:"))
		return LINE_MAP;
	return scan_find(&text, "]: ") != NULL ? LINE_MAP_VALUE : LINE_MAP_BEGIN;
}

/* ---- other lines */

/* bpftrace -f json tells the kind of each line, bcc -j prints dictionaries. */
static bool
is_of_histograms(struct scan line)
{
	return scan_find(&line, "\"type\":") != NULL || scan_find(&line, "'val_type':") != NULL ||
	       scan_find(&line, "\"val_type\":") != NULL;
}

static bool
take_two(struct scan *rest, int most, int32_t *value)
{
	if (scan_left(rest) < 2 || !scan_sees_digit(rest) || rest->at[1] < '0' || rest->at[1] > '9')
		return false;
	*value = (rest->at[0] - '0') * 10 + rest->at[1] - '0';
	rest->at += 2;
	return *value <= most;
}

static bool
read_time(struct scan rest, int32_t *time_s)
{
	int32_t hour, minute, second;
	if (!take_two(&rest, 23, &hour) || !scan_char(&rest, ':') || !take_two(&rest, 59, &minute) ||
		!scan_char(&rest, ':') || !take_two(&rest, 60, &second) || !scan_is_end(&rest))
		return false;
	*time_s = (hour * 60 + minute) * 60 + second;
	return true;
}

bool
histogram_time_read(struct scan *text, int32_t *time_s)
{
	enum { TIME_BYTES = 8 };
	scan_trim(text);
	if (scan_left(text) > TIME_BYTES && text->end[-TIME_BYTES - 1] == ' ')
		text->at = text->end - TIME_BYTES;
	return read_time(*text, time_s);
}

/* The number behind the next such word. */
static bool
take_part(struct scan *rest, const char *word, int64_t *value)
{
	uint64_t number;
	const char *at = scan_find(rest, word);
	if (at == NULL)
		return false;
	rest->at = at + strlen(word);
	scan_blanks(rest);
	if (!take_digits(rest, &number) || number > INT64_MAX)
		return false;
	*value = (int64_t)number;
	return true;
}

/* "avg = 2535 usecs, total: 86194 usecs, count: 34" */
static bool
read_average(struct scan rest, struct histogram_line *read)
{
	return take_part(&rest, "avg =", &read->average) &&
	       take_part(&rest, ", total:", &read->sum) && take_part(&rest, ", count:", &read->count);
}

/* 'xvdb' and b'xvdb' are told without quotes, as old bcc has them. */
static struct scan
unquoted(struct scan value)
{
	struct scan inside = value;
	(void)scan_char(&inside, 'b');
	if (scan_left(&inside) < 2 || *inside.at != '\'' || inside.end[-1] != '\'')
		return value;
	return scan_over(inside.at + 1, scan_left(&inside) - 2);
}

static bool
read_section(struct scan text, struct histogram_line *read)
{
	static const char sign[] = " = ";
	const char *at = scan_find(&text, sign);
	if (at == NULL || at == text.at)
		return false;
	read->text = scan_over(text.at, (size_t)(at - text.at));
	read->value = scan_over(at + strlen(sign), (size_t)(text.end - at) - strlen(sign));
	scan_trim(&read->text);
	scan_trim(&read->value);
	read->value = unquoted(read->value);
	return true;
}

void
histogram_line_read(struct scan line, struct histogram_line *read)
{
	*read = (struct histogram_line){ .kind = LINE_OTHER };
	scan_trim(&line);
	read->text = line;
	if (scan_is_end(&line))
		read->kind = LINE_BLANK;
	else if (*line.at == '{' && is_of_histograms(line))
		read->kind = LINE_DICT;
	else if (*line.at == '@')
		read->kind = kind_of_map(line);
	else if (read_row(line, read))
		read->kind = LINE_ROW;
	else if (ends_in(&line, "]:"))
		read->kind = LINE_MAP_END;
	else if (*line.at == ']')
		read->kind = LINE_MAP_VALUE;
	else if (read_time(line, &read->time_s))
		read->kind = LINE_TIME;
	else if (read_head(line, read))
		read->kind = LINE_HEAD;
	else if (*line.at == 'a' && read_average(line, read))
		read->kind = LINE_AVERAGE;
	else if (read->kind == LINE_OTHER && read_section(line, read))
		read->kind = LINE_SECTION;
}
