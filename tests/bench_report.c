/* Numbers of the benchmark: kept, sorted, printed as a table and as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "bench.h"

/* ---- samples */

bool
samples_add(struct samples *samples, double value, struct error *err)
{
	if (!array_reserve(&samples->values, &samples->capacity, samples->count + 1,
	            sizeof *samples->values, err))
		return false;
	samples->values[samples->count++] = value;
	return true;
}

static int
compare_values(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

double
samples_percentile(struct samples *samples, int percent)
{
	if (samples->count == 0)
		return 0;
	qsort(samples->values, samples->count, sizeof *samples->values, compare_values);
	size_t rank = (samples->count * (size_t)percent + 99) / 100;
	return samples->values[rank > 0 ? rank - 1 : 0];
}

void
samples_release(struct samples *samples)
{
	memory_free(samples->values);
	*samples = (struct samples){ 0 };
}

/* ---- the report */

bool
bench_add(struct bench_report *report, const struct bench_number *numbers, size_t count,
          struct error *err)
{
	if (!array_reserve(&report->numbers, &report->capacity, report->count + count,
	            sizeof *report->numbers, err))
		return false;
	for (size_t i = 0; i < count; i++)
		report->numbers[report->count++] = numbers[i];
	return true;
}

void
bench_report_release(struct bench_report *report)
{
	memory_free(report->numbers);
	*report = (struct bench_report){ 0 };
}

static bool
is_met(const struct bench_number *number)
{
	if (number->bar == BAR_AT_LEAST)
		return number->value >= number->limit;
	return number->bar == BAR_NONE || number->value <= number->limit;
}

/* Three significant digits or more, so that a column of numbers can be read. */
static int
decimals_of(double value)
{
	if (value >= 100)
		return 0;
	return value >= 10 ? 1 : value >= 1 ? 2 : 3;
}

static void
print_row(const struct bench_number *number)
{
	printf("  %-44s %10.*f %-9s", number->meaning, decimals_of(number->value), number->value,
	        number->unit);
	if (number->bar != BAR_NONE)
		printf(" %s %g: %s", number->bar == BAR_AT_LEAST ? "at least" : "at most",
		        number->limit, is_met(number) ? "ok" : "MISSED");
	putchar('\n');
}

void
bench_print_table(const struct bench_report *report)
{
	char events[UNITS_TEXT];
	units_count(events, report->events);
	printf("%s: %.1f MB, %s events\n", report->file, (double)report->file_bytes / 1e6, events);
	for (size_t i = 0; i < report->count; i++)
		print_row(&report->numbers[i]);
	putchar('\n');
}

/* ---- JSON */

static void
print_json_string(const char *string)
{
	putchar('"');
	for (; *string != '\0'; string++) {
		unsigned char c = (unsigned char)*string;
		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ')
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void
print_json_number(const struct bench_number *number)
{
	printf("  {\"name\":");
	print_json_string(number->name);
	printf(",\"value\":%.6g,\"unit\":", number->value);
	print_json_string(number->unit);
	if (number->bar != BAR_NONE)
		printf(",\"%s\":%g,\"is_met\":%s", number->bar == BAR_AT_LEAST ? "at_least" : "at_most",
		        number->limit, is_met(number) ? "true" : "false");
	putchar('}');
}

void
bench_print_json(const struct bench_report *report)
{
	printf("{\"file\":");
	print_json_string(report->file);
	printf(",\"bytes\":%llu,\"events\":%llu,\"numbers\":[\n",
	        (unsigned long long)report->file_bytes, (unsigned long long)report->events);
	for (size_t i = 0; i < report->count; i++) {
		if (i > 0)
			printf(",\n");
		print_json_number(&report->numbers[i]);
	}
	printf("]}");
}
