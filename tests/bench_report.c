/* Numbers of the benchmark: kept, printed as a table and as JSON. */
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "bench.h"

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

const struct bench_number *
bench_find(const struct bench_report *report, const char *name)
{
	for (size_t i = 0; i < report->count; i++) {
		if (strcmp(report->numbers[i].name, name) == 0)
			return &report->numbers[i];
	}
	return NULL;
}

void
bench_report_release(struct bench_report *report)
{
	memory_free(report->numbers);
	*report = (struct bench_report){ 0 };
}

/* What the bar looks at. */
static double
judged_value(const struct bench_number *number)
{
	return number->bar == BAR_PROCESSOR_AT_MOST ? number->processor : number->value;
}

static bool
is_met(const struct bench_number *number)
{
	double value = judged_value(number);
	return number->bar == BAR_AT_LEAST ? value >= number->limit : value <= number->limit;
}

/* ---- the table */

int
decimals_of(double value)
{
	if (value >= 100)
		return 0;
	return value >= 10 ? 1 : value >= 1 ? 2 : 3;
}

static void
print_value(double value)
{
	if (value == 0)
		printf(" %9s", "");
	else
		printf(" %9.*f", decimals_of(value), value);
}

static void
print_row(const struct bench_number *number)
{
	printf("  %-44s %9.*f", number->meaning, decimals_of(number->value), number->value);
	print_value(number->least);
	print_value(number->most);
	print_value(number->processor);
	printf("  %-9s", number->unit);
	if (number->bar != BAR_NONE)
		printf(" %s %.5g: %s", number->bar == BAR_AT_LEAST ? "at least" : "at most",
			number->limit, is_met(number) ? "ok" : "MISSED");
	putchar('\n');
}

void
bench_print_table(const struct bench_report *report)
{
	char events[UNITS_TEXT];
	units_count(events, report->events);
	printf("%s: %.1f MB, %s events\n", report->file, (double)report->file_bytes / 1e6, events);
	printf("  %-44s %9s %9s %9s %9s\n", "", "median", "least", "most", "processor");
	for (size_t i = 0; i < report->count; i++)
		print_row(&report->numbers[i]);
	putchar('\n');
}

/* ---- JSON */

void
json_write_string(FILE *out, const char *string)
{
	putc('"', out);
	for (; *string != '\0'; string++) {
		unsigned char c = (unsigned char)*string;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static const char *
bar_name(enum bench_bar bar)
{
	static const char *const names[] = {
		[BAR_NONE] = "",
		[BAR_AT_LEAST] = "at_least",
		[BAR_AT_MOST] = "at_most",
		[BAR_PROCESSOR_AT_MOST] = "processor_at_most",
	};
	return names[bar];
}

static void
write_number(FILE *out, const struct bench_number *number)
{
	fprintf(out, "  {\"name\":");
	json_write_string(out, number->name);
	fprintf(out, ",\"value\":%.6g,\"unit\":", number->value);
	json_write_string(out, number->unit);
	if (number->most != 0)
		fprintf(out, ",\"least\":%.6g,\"most\":%.6g", number->least, number->most);
	if (number->processor != 0)
		fprintf(out, ",\"processor\":%.6g", number->processor);
	if (number->bar != BAR_NONE)
		fprintf(out, ",\"%s\":%g,\"is_met\":%s", bar_name(number->bar), number->limit,
			is_met(number) ? "true" : "false");
	putc('}', out);
}

static void
write_report(FILE *out, const struct bench_report *report)
{
	fprintf(out, "{\"file\":");
	json_write_string(out, report->file);
	fprintf(out, ",\"bytes\":%llu,\"events\":%llu,\"numbers\":[\n",
		(unsigned long long)report->file_bytes, (unsigned long long)report->events);
	for (size_t i = 0; i < report->count; i++) {
		fprintf(out, "%s", i > 0 ? ",\n" : "");
		write_number(out, &report->numbers[i]);
	}
	fprintf(out, "]}");
}

void
bench_write_json(FILE *out, const struct bench_report *reports, size_t count)
{
	fprintf(out, "{\"machine\":");
	machine_write_json(out);
	fprintf(out, ",\n\"traces\":[\n");
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%s", i > 0 ? ",\n" : "");
		write_report(out, &reports[i]);
	}
	fprintf(out, "\n]}\n");
}
