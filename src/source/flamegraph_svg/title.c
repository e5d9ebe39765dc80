/* From the right, since a name may hold all that stands behind it. */
#include "source/common/scan.h"
#include "source/flamegraph_svg/frames.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes "12.3%" off the end. */
static bool
take_percent(struct scan *text)
{
	const char *end = text->end;
	if (end == text->at || end[-1] != '%')
		return false;
	end--;
	const char *at = end;
	while (at > text->at && (is_digit(at[-1]) || at[-1] == '.' || at[-1] == '+' || at[-1] == '-'))
		at--;
	if (at == end)
		return false;
	text->end = at;
	return true;
}

static bool
take_end(struct scan *text, const char *bytes, size_t length)
{
	if (scan_left(text) < length || memcmp(text->end - length, bytes, length) != 0)
		return false;
	text->end -= length;
	return true;
}

/* "1,234" off the end; its digits may have commas between them. */
static bool
take_count(struct scan *text, int64_t *count)
{
	const char *at = text->end;
	int64_t value = 0, scale = 1;
	unsigned digits = 0;
	for (; at > text->at && (is_digit(at[-1]) || at[-1] == ','); at--) {
		if (at[-1] == ',')
			continue;
		if (digits++ == 18)
			return false;
		value += (at[-1] - '0') * scale;
		scale *= digits < 18 ? 10 : 1;
	}
	if (digits == 0 || *at == ',')
		return false;
	text->end = at;
	*count = value;
	return true;
}

/*
 * The unit stands behind the last place where a count begins behind " (", in a title that begins with
 * "all" behind the first one.
 */
static bool
find_unit(struct scan *text, struct flame_title *title)
{
	bool is_root = scan_left(text) > 5 && memcmp(text->at, "all (", 5) == 0;
	const char *found = NULL;
	for (const char *at = text->at; at + 2 < text->end; at++) {
		if (at[0] != ' ' || at[1] != '(' || !is_digit(at[2]))
			continue;
		const char *behind = at + 2;
		while (behind < text->end && (is_digit(*behind) || *behind == ','))
			behind++;
		if (behind == text->end || *behind != ' ')
			continue;
		found = behind;
		if (is_root)
			break;
	}
	if (found == NULL)
		return false;
	title->unit = found + 1;
	title->unit_length = (size_t)(text->end - title->unit);
	return true;
}

bool
flame_title_read(struct flame_title *title, const char *bytes, size_t length)
{
	struct scan text = scan_over(bytes, length);
	title->is_differential = false;
	if (!take_end(&text, ")", 1) || !take_percent(&text))
		return false;
	if (take_end(&text, "; ", 2)) {
		title->is_differential = true;
		if (!take_percent(&text))
			return false;
	}
	if (!take_end(&text, ", ", 2) || (title->unit == NULL && !find_unit(&text, title)))
		return false;
	if (!take_end(&text, title->unit, title->unit_length) || !take_end(&text, " ", 1) ||
		!take_count(&text, &title->count) || !take_end(&text, " (", 2))
		return false;
	title->name_length = scan_left(&text);
	return true;
}
