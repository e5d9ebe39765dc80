/* Scales and rounds as pprof does. */
#include "report/profile_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"

/* The units of times and sizes, in those of cells, the largest first. */
struct family {
	struct profile_unit units[7];
	size_t count, usual; /* for what is less than one of any */
};

static const struct family times = {
	{ { "hrs", 3600e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } }, 5, 1
};
static const struct family sizes = {
	{ { "PB", 0x1p50 }, { "TB", 0x1p40 }, { "GB", 0x1p30 }, { "MB", 0x1p20 }, { "kB", 0x1p10 },
		{ "B", 1 } }, 6, 5
};
/* Seconds of a processor of Google's; only this one is ever printed. */
static const struct {
	const char *name;
	double factor;
} computes[] = {
	{ "ngcu", 1e-9 }, { "nanogcu", 1e-9 }, { "microgcu", 1e-6 }, { "milligcu", 1e-3 }, { "gcu", 1 },
	{ "kilogcu", 1e3 }, { "megagcu", 1e6 }, { "gigagcu", 1e9 }, { "teragcu", 1e12 },
	{ "petagcu", 1e15 },
};

/* The largest unit of which there is one. */
static struct profile_unit
unit_of(const struct family *family, int64_t cell)
{
	for (size_t i = 0; i < family->count; i++)
		if (fabs((double)cell) >= family->units[i].factor)
			return family->units[i];
	return family->units[family->usual];
}

static struct profile_unit
unit_of_amounts(const struct measure *measure)
{
	struct profile_unit unit = { measure_is_count(measure) ? "" : measure->unit, 1 };
	for (size_t i = 0; i < ARRAY_LENGTH(computes); i++) {
		if (strcasecmp(computes[i].name, measure->plain_unit) == 0)
			unit = (struct profile_unit){ "GCU", 1 / computes[i].factor };
	}
	for (int i = 0; i < measure->decimals; i++)
		unit.factor *= 10;
	return unit;
}

struct profile_unit
profile_unit_choose(const struct measure *measure, int64_t least, int64_t total)
{
	if (measure->type == FIGURE_AMOUNT)
		return unit_of_amounts(measure);
	const struct family *family = measure->type == FIGURE_BYTES ? &sizes : &times;
	least = measure_cell(measure, least);
	total = measure_cell(measure, total);
	struct profile_unit unit = unit_of(family, least);
	/* A larger one, in which the least is still a hundredth. */
	if (unit.factor != unit_of(family, total).factor && least <= (total - 1) / 100)
		unit = unit_of(family, least * 100);
	unit.factor /= (double)measure->scale;
	return unit;
}

void
profile_value_word(char out[PROFILE_WORD], struct profile_unit unit, int64_t value)
{
	int length = snprintf(out, PROFILE_WORD, "%.2f", (double)value / unit.factor);
	if (length > 3 && strcmp(out + length - 3, ".00") == 0)
		out[length -= 3] = '\0';
	if (strcmp(out, "-0") == 0)
		snprintf(out, PROFILE_WORD, "0");
	else if (strcmp(out, "0") != 0 && length < PROFILE_WORD)
		snprintf(out + length, (size_t)(PROFILE_WORD - length), "%s", unit.name);
}

double
profile_percent(int64_t part, int64_t whole)
{
	return whole == 0 ? 0 : fabs((double)part / (double)whole) * 100;
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
