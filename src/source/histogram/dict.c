/* Nothing is checked that is not needed to find where values end. */
#include "source/histogram/dict.h"

static bool
take_string(struct scan *scan)
{
	char quote = *scan->at;
	for (scan->at++; !scan_is_end(scan); scan->at++) {
		if (*scan->at == quote) {
			scan->at++;
			return true;
		}
		if (*scan->at == '\\' && scan->at + 1 < scan->end)
			scan->at++;
	}
	return false;
}

static bool
sees_quote(const struct scan *scan)
{
	return scan_sees(scan, '"') || scan_sees(scan, '\'');
}

/* Takes a value up to what stands behind it; of one that the line cuts what is there. */
static bool
take_value(struct scan *scan, struct scan *value)
{
	unsigned depth = 0;
	scan_blanks(scan);
	value->at = scan->at;
	while (!scan_is_end(scan)) {
		char c = *scan->at;
		if (sees_quote(scan)) {
			if (!take_string(scan))
				break;
			continue;
		}
		if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) {
			value->end = scan->at;
			scan_trim_end(value);
			return value->end > value->at;
		}
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		scan->at++;
	}
	value->end = scan->end;
	return depth > 0;
}

/* Whether something comes: behind the bracket or a comma. */
static bool
goes_on(struct scan *scan, char open, char close)
{
	if (dict_is_whole(scan))
		return false;
	scan_blanks(scan);
	bool is_first = scan_char(scan, open);
	scan_blanks(scan);
	if (scan_char(scan, close)) {
		*scan = (struct scan){ NULL, NULL };
		return false;
	}
	return is_first || scan_char(scan, ',');
}

bool
dict_member(struct scan *object, struct scan *key, struct scan *value)
{
	return goes_on(object, '{', '}') && take_value(object, key) && scan_char(object, ':') &&
	       take_value(object, value);
}

bool
dict_element(struct scan *list, struct scan *value)
{
	return goes_on(list, '[', ']') && take_value(list, value);
}

/* ---- values */

static bool
is_string(struct scan value)
{
	return scan_left(&value) >= 2 && sees_quote(&value) && value.end[-1] == *value.at;
}

bool
dict_is(struct scan value, const char *text)
{
	if (is_string(value)) {
		value.at++;
		value.end--;
	}
	return scan_is(&value, text);
}

void
dict_add(struct text *out, struct scan value)
{
	if (!is_string(value)) {
		text_add(out, value.at, scan_left(&value));
		return;
	}
	for (value.at++, value.end--; !scan_is_end(&value); value.at++) {
		bool is_escaped = *value.at == '\\' && value.at + 1 < value.end;
		value.at += is_escaped;
		const char *c = is_escaped && (*value.at == 'n' || *value.at == 't') ? " " : value.at;
		text_add(out, c, 1);
	}
}

bool
dict_number(struct scan value, int64_t *number)
{
	uint64_t digits;
	bool is_negative = scan_char(&value, '-');
	if (!scan_number(&value, &digits) || !scan_is_end(&value))
		return false;
	*number = is_negative ? -(int64_t)digits : (int64_t)digits;
	return true;
}
