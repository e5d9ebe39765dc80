/* Line by line, by hand: so no library's forgiveness hides a fault. */
#include "formreading.h"

#include <string.h>

#include "base/compiler.h"

enum { KEYS = 64 };

struct reading {
	const char *at;
	size_t line; /* from 1 */
	struct text *problem;
};

static bool
fail(struct reading *in, const char *what)
{
	text_format(in->problem, "line %zu: %s: %.60s", in->line, what, in->at);
	return false;
}

static bool
take(struct reading *in, char c)
{
	if (*in->at != c)
		return false;
	in->at++;
	return true;
}

/* ---- JSON */

/* Also sees that it is ASCII. */
static bool
take_string(struct reading *in)
{
	if (!take(in, '"'))
		return false;
	while (*in->at != '"') {
		if ((unsigned char)*in->at < 0x20 || (unsigned char)*in->at > 0x7e)
			return false;
		if (*in->at == '\\') {
			in->at++;
			if (*in->at == '\0' || strchr("\"\\/bfnrtu", *in->at) == NULL)
				return false;
			if (*in->at == 'u' && strspn(in->at + 1, "0123456789abcdefABCDEF") < 4)
				return false;
		}
		in->at++;
	}
	return take(in, '"');
}

static bool
take_digits(struct reading *in)
{
	size_t count = strspn(in->at, "0123456789");
	in->at += count;
	return count > 0;
}

static bool
take_number(struct reading *in)
{
	take(in, '-');
	bool is_fine = take(in, '0') || take_digits(in);
	if (take(in, '.'))
		is_fine = is_fine && take_digits(in);
	if (take(in, 'e') || take(in, 'E')) {
		if (!take(in, '+'))
			take(in, '-');
		is_fine = is_fine && take_digits(in);
	}
	return is_fine;
}

static bool
take_value(struct reading *in)
{
	static const char *const words[] = { "null", "true", "false" };
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		if (strncmp(in->at, words[i], strlen(words[i])) == 0) {
			in->at += strlen(words[i]);
			return true;
		}
	}
	return *in->at == '"' ? take_string(in) : take_number(in);
}

static bool
take_object(struct reading *in)
{
	const char *keys[KEYS];
	size_t lengths[KEYS], count = 0;
	if (!take(in, '{'))
		return false;
	do {
		keys[count] = in->at;
		if (count + 1 == KEYS || !take_string(in))
			return false;
		lengths[count] = (size_t)(in->at - keys[count]);
		for (size_t i = 0; i < count; i++)
			if (lengths[i] == lengths[count] &&
				memcmp(keys[i], keys[count], lengths[i]) == 0)
				return false;
		count++;
		if (!take(in, ':') || !take_value(in))
			return false;
	} while (take(in, ','));
	return take(in, '}');
}

bool
formreading_json(const char *bytes, struct text *problem)
{
	struct reading in = { bytes, 1, problem };
	for (; *in.at != '\0'; in.line++)
		if (!take_object(&in) || !take(&in, '\n'))
			return fail(&in, "no object");
	return true;
}

/* ---- CSV */

static bool
take_field(struct reading *in)
{
	if (!take(in, '"')) {
		in->at += strcspn(in->at, ",\"\n");
		return *in->at != '"';
	}
	for (;;) {
		in->at += strcspn(in->at, "\"\n");
		if (!take(in, '"'))
			return false;
		if (!take(in, '"'))
			return true;
	}
}

bool
formreading_csv(const char *bytes, struct text *problem)
{
	struct reading in = { bytes, 1, problem };
	size_t titles = 0;
	for (; *in.at != '\0'; in.line++) {
		size_t count = 0;
		bool is_title = titles == 0;
		if (take(&in, '\n')) {
			if (is_title)
				return fail(&in, "an empty table");
			titles = 0;
			continue;
		}
		do {
			if (is_title && (*in.at == ',' || *in.at == '\n'))
				return fail(&in, "no title");
			if (!take_field(&in))
				return fail(&in, "a quote that is not closed, or not doubled");
			count++;
		} while (take(&in, ','));
		if (!take(&in, '\n'))
			return fail(&in, "something behind a value");
		if (is_title)
			titles = count;
		else if (count != titles)
			return fail(&in, "other than as many values as titles, before");
	}
	return in.line > 1 || fail(&in, "nothing");
}

/* ---- Markdown */

/* Goes behind code that begins at the cursor; false where it does not end on the line. */
static bool
skip_code(struct reading *in, const char *end)
{
	size_t length = strspn(in->at, "`");
	in->at += length;
	while (in->at < end) {
		size_t run = strspn(in->at, "`");
		in->at += run > 0 ? run : 1;
		if (run == length)
			return true;
	}
	return false;
}

/*
 * Goes through a line from behind what makes it an item or a heading; counts the bars that part
 * cells. All that is not code and means something must be escaped.
 */
static bool
read_inline(struct reading *in, bool is_table, size_t *bars)
{
	const char *start = in->at, *end = in->at + strcspn(in->at, "\n");
	*bars = 0;
	while (in->at < end) {
		char c = *in->at;
		if (c == '`') {
			if (!skip_code(in, end))
				return fail(in, "code that does not end");
			continue;
		}
		if (c == '\\') {
			in->at += in->at + 1 < end ? 2 : 1;
			continue;
		}
		bool is_space = is_table && strncmp(in->at, "&nbsp;", 6) == 0;
		if (strchr("*_[]<~@$#", c) != NULL || (c == '&' && !is_space) ||
			(c == '|' && !is_table))
			return fail(in, "markup");
		if (strncmp(in->at, "://", 3) == 0 ||
			(strncmp(in->at, "www.", 4) == 0))
			return fail(in, "a link");
		*bars += c == '|';
		in->at++;
	}
	return end > start || fail(in, "nothing");
}

/* The rows from the titles on, up to a line that is none. */
static bool
read_table(struct reading *in)
{
	size_t titles = 0, bars;
	for (size_t row = 0; *in->at == '|'; row++, in->line++) {
		const char *start = in->at;
		if (!read_inline(in, true, &bars))
			return false;
		if (in->at[-1] != '|')
			return fail(in, "a row that does not end in a bar, before");
		if (row == 0)
			titles = bars;
		if (bars != titles)
			return fail(in, "other than as many cells as titles, before");
		if (row == 1 && strspn(start, "|-: ") != (size_t)(in->at - start))
			return fail(in, "no rule below the titles, before");
		if (!take(in, '\n'))
			return fail(in, "no end of the line");
	}
	return true;
}

static bool
read_fence(struct reading *in)
{
	for (;;) {
		in->at += strcspn(in->at, "\n");
		if (!take(in, '\n'))
			return fail(in, "a code block that does not end");
		in->line++;
		size_t spaces = strspn(in->at, " ");
		size_t ticks = strspn(in->at + spaces, "`");
		if (spaces > 3 || ticks < 3)
			continue;
		in->at += spaces + ticks;
		in->line++;
		return take(in, '\n') || fail(in, "something behind the end of a code block");
	}
}

/* A heading, a fact or a paragraph. */
static bool
read_line(struct reading *in, bool *is_fact)
{
	static const char *const leads[] = { "- ", "  - ", "## ", "### " };
	size_t bars, lead = 0;
	while (lead < ARRAY_LENGTH(leads) && strncmp(in->at, leads[lead], strlen(leads[lead])) != 0)
		lead++;
	*is_fact = lead < 2;
	if (lead < ARRAY_LENGTH(leads)) {
		in->at += strlen(leads[lead]);
	} else {
		size_t digits = strspn(in->at, "0123456789");
		bool is_item = digits > 0 && (in->at[digits] == '.' || in->at[digits] == ')');
		if (is_item || strchr(" -+=>", *in->at) != NULL)
			return fail(in, "a paragraph that is none");
	}
	in->line++;
	return read_inline(in, false, &bars) && take(in, '\n');
}

bool
formreading_markdown(const char *bytes, struct text *problem)
{
	struct reading in = { bytes, 1, problem };
	while (*in.at != '\0') {
		bool is_fact = false;
		if (take(&in, '\n')) {
			in.line++;
			continue;
		}
		if (strncmp(in.at, "```", 3) == 0 ? !read_fence(&in)
		    : *in.at == '|'               ? !read_table(&in)
						  : !read_line(&in, &is_fact))
			return false;
		bool goes_on = is_fact && strchr(" -", *in.at) != NULL;
		if (!goes_on && *in.at != '\n' && *in.at != '\0')
			return fail(&in, "no empty line before");
	}
	return in.line > 1 || fail(&in, "nothing");
}
