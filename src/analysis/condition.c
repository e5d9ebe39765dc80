/* Read from left to right; the last ) of the text ends the kind, which may have some itself. */
#include "analysis/condition.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

#define BLANKS " \t\r\n"

struct reading {
	const char *text;
	size_t at;
	struct error *err;
};

static bool
fail_at(const struct reading *reading, size_t at, const char *what)
{
	return error_set_at(reading->err, ERROR_USAGE, at, "%s, at character %zu", what,
		text_character_number(reading->text, strlen(reading->text), at));
}

static void
skip_blanks(struct reading *reading)
{
	reading->at += strspn(reading->text + reading->at, BLANKS);
}

/* False, and nothing is taken, where there is no number or it is too large. */
static bool
take_millionths(struct reading *reading, int64_t *millionths)
{
	size_t length = units_parse_millionths(reading->text + reading->at, millionths);
	reading->at += length;
	return length > 0;
}

/* ---- the function */

static const char *const function_names[CONDITION_QUANTILE] = {
	[CONDITION_COUNT] = "count",
	[CONDITION_SUM] = "sum",
	[CONDITION_MEAN] = "mean",
	[CONDITION_MAX] = "max",
	[CONDITION_SHARE] = "share",
};

static bool
take_quantile(struct reading *reading, struct condition *condition)
{
	struct reading number = *reading;
	int64_t millionths;
	number.at++;
	if (!take_millionths(&number, &millionths) || millionths > (int64_t)CONDITION_WHOLE)
		return fail_at(reading, number.at,
			"wanted a number from 0 to 100, with six digits behind the point at most");
	reading->at = number.at;
	condition->function = CONDITION_QUANTILE;
	condition->part = (uint64_t)millionths;
	return true;
}

static bool
take_function(struct reading *reading, struct condition *condition)
{
	const char *text = reading->text + reading->at;
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	if (length == 1 && text[0] == 'p')
		return take_quantile(reading, condition);
	for (int i = 0; i < CONDITION_QUANTILE; i++) {
		if (strlen(function_names[i]) != length ||
			memcmp(function_names[i], text, length) != 0)
			continue;
		condition->function = (enum condition_function)i;
		reading->at += length;
		return true;
	}
	return fail_at(reading, reading->at,
		"wanted count, sum, mean, max, share or a percentile such as p99, and (KIND) "
		"behind it");
}

/* ---- the kind */

static bool
take_kind(struct reading *reading, struct condition *condition)
{
	const char *end;
	skip_blanks(reading);
	if (reading->text[reading->at] != '(')
		return fail_at(reading, reading->at, "a ( is missing");
	end = strrchr(reading->text, ')');
	if (end == NULL)
		return fail_at(reading, reading->at, "this ( is not closed");
	size_t until = (size_t)(end - reading->text);
	if (until < reading->at)
		return fail_at(reading, until, "nothing is open that this ) closes");
	if (!latency_kind_parse(
		    &condition->kind, reading->text, reading->at + 1, until, reading->err))
		return false;
	reading->at = until + 1;
	return true;
}

/* ---- the report */

static char *
copy_part(const char *text, size_t length, struct error *err)
{
	char *copy = array_new(length + 1, 1, err);
	if (copy != NULL)
		memcpy(copy, text, length);
	return copy;
}

/* Whether a name stands there with a point or a colon behind it. */
static bool
is_report(const struct reading *reading)
{
	const char *text = reading->text + reading->at;
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
	return length > 0 && (text[length] == '.' || text[length] == ':');
}

/*
 * The operator is the last of the text, and the column stands behind the last point before it that
 * a letter follows: a parameter may have all of them itself.
 */
static bool
take_report(struct reading *reading, struct condition *condition)
{
	const char *text = reading->text + reading->at;
	size_t end = strlen(text);
	while (end > 0 && strchr("<>=!", text[end - 1]) == NULL)
		end--;
	while (end > 0 && strchr("<>=!", text[end - 1]) != NULL)
		end--;
	if (end == 0)
		return fail_at(reading, reading->at + strlen(text), "wanted <, <=, >, >=, = or !=");
	size_t behind = end;
	while (end > 0 && strchr(BLANKS, text[end - 1]) != NULL)
		end--;
	size_t about = end;
	if (end > 0 && text[end - 1] == ')') {
		while (about > 0 && text[about] != '(')
			about--;
		if (about == 0)
			return fail_at(reading, reading->at + end - 1, "nothing is open that this ) closes");
	}
	size_t point = about;
	while (point > 0 && (text[point] != '.' || text[point + 1] < 'a' || text[point + 1] > 'z'))
		point--;
	if (point == 0)
		return fail_at(reading, reading->at + about,
			"wanted a column behind the report, as in slices.longest");
	condition->function = CONDITION_REPORT;
	condition->report = copy_part(text, point, reading->err);
	condition->column = copy_part(text + point + 1, about - point - 1, reading->err);
	if (about < end)
		condition->about = copy_part(text + about + 1, end - about - 2, reading->err);
	reading->at += behind;
	return condition->report != NULL && condition->column != NULL &&
	       (about == end || condition->about != NULL);
}

/* ---- what it is compared with */

static bool
take_relation(struct reading *reading, struct condition *condition)
{
	/* Longer ones before those that they begin with. */
	static const struct {
		const char *text;
		enum condition_relation relation;
	} relations[] = {
		{ "<=", CONDITION_AT_MOST },
		{ ">=", CONDITION_AT_LEAST },
		{ "!=", CONDITION_UNEQUAL },
		{ "<", CONDITION_LESS },
		{ ">", CONDITION_MORE },
		{ "=", CONDITION_EQUAL },
	};
	skip_blanks(reading);
	for (size_t i = 0; i < ARRAY_LENGTH(relations); i++) {
		size_t length = strlen(relations[i].text);
		if (strncmp(reading->text + reading->at, relations[i].text, length) != 0)
			continue;
		condition->relation = relations[i].relation;
		reading->at += length;
		return true;
	}
	return fail_at(reading, reading->at, "wanted <, <=, >, >=, = or !=");
}

static bool
take_count(struct reading *reading, struct condition *condition)
{
	size_t start = reading->at;
	int64_t millionths;
	if (!take_millionths(reading, &millionths) || millionths % 1000000 != 0)
		return fail_at(reading, start, "wanted a whole number");
	condition->value = millionths / 1000000;
	return true;
}

static bool
take_share(struct reading *reading, struct condition *condition)
{
	size_t start = reading->at;
	if (!take_millionths(reading, &condition->value))
		return fail_at(reading, start, "wanted a percentage such as 5% or 0.1%");
	skip_blanks(reading);
	if (reading->text[reading->at] != '%')
		return fail_at(reading, reading->at, "a % is missing");
	reading->at++;
	return true;
}

/* Up to the end of the text, without the blanks there. */
static bool
take_duration(struct reading *reading, struct condition *condition)
{
	const char *text = reading->text + reading->at;
	size_t length = strlen(text);
	struct text value = { 0 };
	struct error cause;
	error_clear(&cause);
	while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL)
		length--;
	text_add(&value, text, length);
	if (value.failed)
		return error_set_memory(reading->err, "the condition");
	bool is_taken = units_parse_duration(value.bytes, &condition->value, &cause);
	text_release(&value);
	if (!is_taken) {
		error_prefix(&cause, "wanted a duration such as 500us or 1.5ms");
		return fail_at(reading, reading->at, cause.message);
	}
	reading->at += length;
	return true;
}

/* Of a report: the value says what it is. */
static bool
take_any(struct reading *reading, struct condition *condition)
{
	struct reading number = *reading;
	struct error ignored;
	uint64_t bytes;
	error_clear(&ignored);
	if (take_millionths(&number, &condition->value)) {
		skip_blanks(&number);
		char next = number.text[number.at];
		if (next == '%' || next == '\0') {
			condition->unit = next == '%' ? CONDITION_PERCENT : CONDITION_NUMBER;
			reading->at = number.at + (next == '%');
			return true;
		}
	}
	condition->unit = CONDITION_DURATION;
	number = (struct reading){ reading->text, reading->at, &ignored };
	if (take_duration(&number, condition)) {
		reading->at = number.at;
		return true;
	}
	/* A size ends where the text does, but for blanks. */
	char size[UNITS_TEXT];
	const char *text = reading->text + reading->at;
	size_t length = strlen(text);
	while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL)
		length--;
	snprintf(size, sizeof size, "%.*s", (int)(length < sizeof size ? length : 0), text);
	if (!units_parse_bytes(size, &bytes, &ignored) || bytes > INT64_MAX)
		return take_duration(reading, condition);
	condition->unit = CONDITION_BYTES;
	condition->value = (int64_t)bytes;
	reading->at += strlen(reading->text + reading->at);
	return true;
}

static bool
take_value(struct reading *reading, struct condition *condition)
{
	skip_blanks(reading);
	if (reading->text[reading->at] == '\0')
		return fail_at(reading, reading->at, "a value is missing");
	bool is_taken = condition->function == CONDITION_REPORT	 ? take_any(reading, condition)
			: condition->function == CONDITION_COUNT ? take_count(reading, condition)
			: condition->function == CONDITION_SHARE ? take_share(reading, condition)
								 : take_duration(reading, condition);
	if (!is_taken)
		return false;
	skip_blanks(reading);
	return reading->text[reading->at] == '\0' ||
	       fail_at(reading, reading->at, "nothing stands behind the value");
}

bool
condition_parse(struct condition *condition, const char *text, struct error *err)
{
	struct reading reading = { .text = text, .err = err };
	*condition = (struct condition){ 0 };
	skip_blanks(&reading);
	bool is_fine = is_report(&reading) ? take_report(&reading, condition)
					   : take_function(&reading, condition) &&
						     take_kind(&reading, condition);
	if (is_fine && take_relation(&reading, condition) && take_value(&reading, condition))
		return true;
	condition_release(condition);
	return false;
}

void
condition_release(struct condition *condition)
{
	latency_kind_release(&condition->kind);
	memory_free(condition->report);
	memory_free(condition->column);
	memory_free(condition->about);
	*condition = (struct condition){ 0 };
}

/* ---- judging */

static int64_t
measure(const struct condition *condition, const struct latency *latency)
{
	switch (condition->function) {
	case CONDITION_COUNT:
		return (int64_t)latency->count;
	case CONDITION_MEAN:
		return latency->total_ns / (int64_t)latency->count;
	case CONDITION_MAX:
		return latency_quantile(latency, 1, 1);
	case CONDITION_QUANTILE:
		return latency_quantile(latency, condition->part, CONDITION_WHOLE);
	case CONDITION_SUM:
	case CONDITION_SHARE:
	case CONDITION_REPORT:
	case CONDITION_FUNCTION_COUNT:
		break;
	}
	return latency->total_ns;
}

/* Negative, 0 or positive as the measured value is less, equal or more. */
static int
compare(const struct condition *condition, const struct latency *latency,
	const struct verdict *verdict)
{
	double limit = (double)condition->value / (double)CONDITION_WHOLE;
	if (condition->function == CONDITION_SHARE)
		return (verdict->share > limit) - (verdict->share < limit);
	if (verdict->value != condition->value)
		return verdict->value > condition->value ? 1 : -1;
	/* What was rounded off a mean is still above. */
	return condition->function == CONDITION_MEAN &&
	       latency->total_ns % (int64_t)latency->count > 0;
}

bool
condition_is_so(enum condition_relation relation, int order)
{
	switch (relation) {
	case CONDITION_LESS:
		return order < 0;
	case CONDITION_AT_MOST:
		return order <= 0;
	case CONDITION_MORE:
		return order > 0;
	case CONDITION_AT_LEAST:
		return order >= 0;
	case CONDITION_EQUAL:
		return order == 0;
	case CONDITION_UNEQUAL:
		break;
	}
	return order != 0;
}

struct verdict
condition_judge(const struct condition *condition, const struct latency *latency)
{
	bool needs_spans = condition->function != CONDITION_COUNT &&
			   condition->function != CONDITION_SUM;
	struct verdict verdict = { .has_value = latency->count > 0 || !needs_spans };
	if (!verdict.has_value)
		return verdict;
	verdict.value = measure(condition, latency);
	verdict.share = latency_share(latency);
	verdict.holds = condition_is_so(condition->relation, compare(condition, latency, &verdict));
	return verdict;
}
