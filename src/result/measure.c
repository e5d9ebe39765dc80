/* Units by their names, and values in them. */
#include "result/measure.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/units.h"

const struct measure measure_time = { FIGURE_DURATION, 1, 0, "time", "", "nanoseconds", "" };
const struct measure measure_samples = { FIGURE_AMOUNT, 1, 0, "samples", "samples", "count", "" };

static const struct {
	const char *name;
	enum figure_type type;
	int64_t scale;
} units[] = {
	{ "ns", FIGURE_DURATION, 1 },
	{ "nanosecond", FIGURE_DURATION, 1 },
	{ "us", FIGURE_DURATION, 1000 },
	{ "\xce\xbcs", FIGURE_DURATION, 1000 },
	{ "microsecond", FIGURE_DURATION, 1000 },
	{ "ms", FIGURE_DURATION, 1000000 },
	{ "millisecond", FIGURE_DURATION, 1000000 },
	{ "s", FIGURE_DURATION, 1000000000 },
	{ "sec", FIGURE_DURATION, 1000000000 },
	{ "second", FIGURE_DURATION, 1000000000 },
	{ "hr", FIGURE_DURATION, 3600000000000 },
	{ "hour", FIGURE_DURATION, 3600000000000 },
	{ "b", FIGURE_BYTES, 1 },
	{ "byte", FIGURE_BYTES, 1 },
	{ "kb", FIGURE_BYTES, 1 << 10 },
	{ "kbyte", FIGURE_BYTES, 1 << 10 },
	{ "kilobyte", FIGURE_BYTES, 1 << 10 },
	{ "mb", FIGURE_BYTES, 1 << 20 },
	{ "mbyte", FIGURE_BYTES, 1 << 20 },
	{ "megabyte", FIGURE_BYTES, 1 << 20 },
	{ "gb", FIGURE_BYTES, 1 << 30 },
	{ "gbyte", FIGURE_BYTES, 1 << 30 },
	{ "gigabyte", FIGURE_BYTES, 1 << 30 },
};

static bool
is_unit(const char *name, const char *unit, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = unit[i];
		if (name[i] == '\0' || name[i] != (c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c))
			return false;
	}
	return name[length] == '\0';
}

struct measure
measure_of_unit(const char *name, size_t name_length, const char *unit, size_t unit_length, int decimals)
{
	struct measure made = { .type = FIGURE_AMOUNT, .scale = 1, .decimals = decimals };
	text_excerpt(made.name, sizeof made.name, name, name_length);
	text_excerpt(made.plain_unit, sizeof made.plain_unit, unit, unit_length);
	size_t length = unit_length > 2 && (unit[unit_length - 1] | 0x20) == 's' ? unit_length - 1
										: unit_length;
	for (size_t i = 0; i < ARRAY_LENGTH(units) && decimals == 0; i++) {
		if (!is_unit(units[i].name, unit, length))
			continue;
		made.type = units[i].type;
		made.scale = units[i].scale;
		return made;
	}
	bool is_plain = is_unit("count", unit, length) || is_unit("sample", unit, length) ||
			is_unit("unit", unit, length);
	if (!is_plain)
		memcpy(made.unit, made.plain_unit, sizeof made.unit);
	return made;
}

static void
make_ascii(char text[MEASURE_NAME_BYTES])
{
	struct text safe = { 0 };
	text_add_safe(&safe, text, strlen(text), true);
	text_excerpt(text, MEASURE_NAME_BYTES, text_string(&safe), safe.length);
	text_release(&safe);
}

void
measure_make_ascii(struct measure *measure)
{
	make_ascii(measure->name);
	make_ascii(measure->unit);
	make_ascii(measure->plain_unit);
	make_ascii(measure->caption);
}

bool
measure_is_count(const struct measure *measure)
{
	return measure->type == FIGURE_AMOUNT &&
	       (measure->unit[0] == '\0' || strcmp(measure->plain_unit, measure_samples.plain_unit) == 0);
}

int64_t
measure_cell(const struct measure *measure, int64_t value)
{
	if (value > INT64_MAX / measure->scale)
		return INT64_MAX;
	if (value < -(INT64_MAX / measure->scale))
		return -INT64_MAX;
	return value * measure->scale;
}

static void
add_amount(struct text *out, int64_t value, int decimals, bool is_plain)
{
	uint64_t whole = magnitude_i64(value), one = 1;
	char number[UNITS_TEXT];
	for (int i = 0; i < decimals; i++)
		one *= 10;
	units_count(number, whole / one);
	text_add_string(out, value < 0 ? "-" : "");
	if (is_plain)
		text_format(out, "%" PRIu64, whole / one);
	else
		text_add_string(out, number);
	uint64_t rest = whole % one;
	for (; rest > 0 && rest % 10 == 0; decimals--)
		rest /= 10;
	if (rest > 0)
		text_format(out, ".%0*" PRIu64, decimals, rest);
}

void
amount_add(struct text *out, int64_t value, int decimals)
{
	add_amount(out, value, decimals, false);
}

void
amount_add_plain(struct text *out, int64_t value, int decimals)
{
	add_amount(out, value, decimals, true);
}

void
measure_add(struct text *out, const struct measure *measure, int64_t value, bool ascii)
{
	char number[UNITS_TEXT];
	int64_t cell = measure_cell(measure, value);
	if (measure->type == FIGURE_DURATION) {
		units_duration(number, cell, ascii);
		text_add_string(out, number);
	} else if (measure->type == FIGURE_BYTES) {
		units_bytes(number, magnitude_i64(cell));
		text_format(out, "%s%s", cell < 0 ? "-" : "", number);
	} else {
		amount_add(out, value, measure->decimals);
	}
}

void
measure_add_change(struct text *out, const struct measure *measure, int64_t change, bool ascii)
{
	if (change == 0)
		text_add_string(out, "=");
	else
		text_add_string(out, change > 0 ? "+" : "");
	if (change != 0)
		measure_add(out, measure, change, ascii);
}

void
measure_add_unit(struct text *out, const struct measure *measure)
{
	const char *unit = measure->unit[0] != '\0' ? measure->unit : measure->name;
	if (measure->type == FIGURE_AMOUNT)
		text_format(out, " %s", unit);
}

const char *
measure_key(const struct measure *measure)
{
	return measure->type == FIGURE_DURATION ? "ns"
	       : measure->type == FIGURE_BYTES  ? "bytes"
	       : strcmp(measure->unit, "samples") == 0 ? "samples"
						       : "count";
}

const char *
measure_title(const struct measure *measure)
{
	return measure->type == FIGURE_DURATION ? "time"
	       : measure->type == FIGURE_BYTES  ? "bytes"
	       : measure->unit[0] != '\0'	? measure->unit
						: "count";
}
