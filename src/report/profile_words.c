/* Scales and rounds as pprof does. */
#include "report/profile_words.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

/* The largest unit of which the value has one, seconds for nothing. */
static struct profile_unit
unit_of(int64_t ns)
{
	static const struct profile_unit units[] = {
		{ "hrs", 3600e9 },
		{ "s", 1e9 },
		{ "ms", 1e6 },
		{ "us", 1e3 },
		{ "ns", 1 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(units); i++)
		if ((double)ns >= units[i].factor)
			return units[i];
	return units[1];
}

struct profile_unit
profile_unit_choose(enum profile_kind kind, int64_t least, int64_t total)
{
	if (kind == PROFILE_CPU)
		return (struct profile_unit){ "", 1 };
	struct profile_unit small = unit_of(least);
	/* A larger one, in which the least is still a hundredth. */
	if (small.factor != unit_of(total).factor && least < total / 100)
		return unit_of(least * 100);
	return small;
}

void
profile_value_word(char out[PROFILE_WORD], struct profile_unit unit, int64_t value)
{
	int length = snprintf(out, PROFILE_WORD, "%.2f", (double)value / unit.factor);
	if (length > 3 && strcmp(out + length - 3, ".00") == 0)
		out[length -= 3] = '\0';
	if (strcmp(out, "0") != 0)
		snprintf(out + length, (size_t)(PROFILE_WORD - length), "%s", unit.name);
}

double
profile_percent(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole * 100;
}

void
profile_share_word(char out[PROFILE_WORD], int64_t part, int64_t whole)
{
	double percent = profile_percent(part, whole);
	if (percent >= 99.95 && percent <= 100.05)
		snprintf(out, PROFILE_WORD, "%5s%%", "100");
	else
		snprintf(out, PROFILE_WORD, percent >= 1 ? "%5.2f%%" : "%5.2g%%", percent);
}

size_t
profile_path_length(const char *name, size_t length)
{
	size_t path = 0;
	for (size_t i = 0; i < length && name[i] != '(' && name[i] != '['; i++)
		if (name[i] == '/')
			path = i + 1;
	return path;
}
