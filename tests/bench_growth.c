/* How the costs grow with the size of the trace: a column per size, in Markdown. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "bench.h"

/* What grows or should not; numbers that follow from others are left out. */
static const struct grown_cost {
	const char *name;
	bool is_processor; /* its time, not the wall clock's */
} costs[] = {
	{ "limit_s", true },
	{ "load_s", false },
	{ "load_s", true },
	{ "load_one_processor_s", false },
	{ "peak_mb", false },
	{ "picture_first_ms", false },
	{ "picture_whole_ms", false },
	{ "rows_ms", true },
	{ "stacks_ms", true },
	{ "tasks_ms", true },
	{ "frame_cursor_p99_ms", true },
	{ "frame_out_median_ms", true },
	{ "frame_out_p99_ms", true },
	{ "frame_in_median_ms", true },
	{ "frame_in_p99_ms", true },
	{ "frame_out_stacks_p99_ms", true },
	{ "frame_out_tasks_p99_ms", true },
	{ "frame_out_unfolded_p99_ms", true },
	{ "frame_in_unfolded_p99_ms", true },
	{ "search_ms", true },
	{ "search_first_ms", true },
	{ "search_middle_ms", true },
	{ "key_cursor_median_bytes", false },
	{ "key_picture_median_bytes", false },
};

/* Of a/pipeline-10.trace: pipeline, with its length. */
static const char *
family_of(const char *file, size_t *length)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash != NULL ? slash + 1 : file;
	const char *dash = strrchr(name, '-');
	*length = dash != NULL ? (size_t)(dash - name) : 0;
	return name;
}

static bool
are_family(const struct bench_report *a, const struct bench_report *b)
{
	size_t a_length, b_length;
	const char *a_name = family_of(a->file, &a_length);
	const char *b_name = family_of(b->file, &b_length);
	return a_length > 0 && a_length == b_length && memcmp(a_name, b_name, a_length) == 0;
}

static void
print_power(double first, double last, double size_ratio)
{
	if (first > 0 && last > 0 && size_ratio > 1)
		printf(" %9.2f |\n", log(last / first) / log(size_ratio));
	else
		printf(" %9s |\n", "");
}

static void
print_meaning(const struct bench_number *number, bool is_processor)
{
	char label[80];
	snprintf(label, sizeof label, "%s%s", number->meaning, is_processor ? " (processor)" : "");
	printf("| %-54s | %-5s |", label, number->unit);
}

/* A cell stays empty where that trace has no such number; a row where none has one is left out. */
static void
print_cost(const struct grown_cost *cost, const struct bench_report *reports, size_t count)
{
	double first = 0, last = 0, first_bytes = 0, last_bytes = 0;
	const struct bench_number *number = NULL;
	for (size_t i = 0; i < count && number == NULL; i++)
		number = bench_find(&reports[i], cost->name);
	if (number == NULL)
		return;
	print_meaning(number, cost->is_processor);
	for (size_t i = 0; i < count; i++) {
		number = bench_find(&reports[i], cost->name);
		if (number == NULL) {
			printf(" %9s |", "");
			continue;
		}
		last = cost->is_processor ? number->processor : number->value;
		last_bytes = (double)reports[i].file_bytes;
		printf(" %9.*f |", decimals_of(last), last);
		if (first_bytes == 0) {
			first = last;
			first_bytes = last_bytes;
		}
	}
	print_power(first, last, last_bytes / first_bytes);
}

static void
print_family(const struct bench_report *reports, size_t count)
{
	size_t length;
	const char *name = family_of(reports[0].file, &length);
	printf("| %-54.*s | %-5s |", (int)length, name, "");
	for (size_t i = 0; i < count; i++)
		printf(" %6.*f MB |", reports[i].file_bytes < 10000000 ? 1 : 0,
			(double)reports[i].file_bytes / 1e6);
	printf(" %9s |\n|%s|-------|", "MB to the",
		"--------------------------------------------------------");
	for (size_t i = 0; i <= count; i++)
		printf("----------:|");
	putchar('\n');
	for (size_t i = 0; i < ARRAY_LENGTH(costs); i++)
		print_cost(&costs[i], reports, count);
	putchar('\n');
}

void
bench_print_growth(const struct bench_report *reports, size_t count)
{
	size_t next;
	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count && are_family(&reports[i], &reports[next]);)
			next++;
		if (next - i > 1)
			print_family(&reports[i], next - i);
	}
}
