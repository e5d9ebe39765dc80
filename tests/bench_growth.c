/* How the costs grow with the size of the trace: a column per size, in Markdown. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "bench.h"

/* What grows or should not, by name; numbers that follow from others are left out. */
static const char *const costs[] = {
	"limit_s",
	"load_s",
	"load_one_processor_s",
	"peak_mb",
	"picture_first_ms",
	"picture_whole_ms",
	"rows_ms",
	"frame_out_median_ms",
	"frame_out_p99_ms",
	"frame_in_median_ms",
	"frame_in_p99_ms",
	"frame_out_unfolded_p99_ms",
	"frame_in_unfolded_p99_ms",
	"search_ms",
	"search_first_ms",
	"search_middle_ms",
	"key_cursor_median_bytes",
	"key_picture_median_bytes",
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
print_cost(const char *name, const struct bench_report *reports, size_t count)
{
	double first = 0, last = 0, first_bytes = 0, last_bytes = 0;
	const struct bench_number *number = NULL;
	for (size_t i = 0; i < count && number == NULL; i++)
		number = bench_find(&reports[i], name);
	if (number == NULL)
		return;
	printf("| %-42s | %-5s |", number->meaning, number->unit);
	for (size_t i = 0; i < count; i++) {
		number = bench_find(&reports[i], name);
		if (number == NULL) {
			printf(" %9s |", "");
			continue;
		}
		last = number_judged(number);
		printf(" %9.*f |", decimals_of(last), last);
		last_bytes = (double)reports[i].file_bytes;
		if (first == 0) {
			first = last;
			first_bytes = last_bytes;
		}
	}
	print_power(first, last, first_bytes > 0 ? last_bytes / first_bytes : 0);
}

static void
print_family(const struct bench_report *reports, size_t count)
{
	size_t length;
	const char *name = family_of(reports[0].file, &length);
	printf("| %-42.*s | %-5s |", (int)length, name, "");
	for (size_t i = 0; i < count; i++)
		printf(" %6.*f MB |", reports[i].file_bytes < 10000000 ? 1 : 0,
			(double)reports[i].file_bytes / 1e6);
	printf(" %9s |\n|%.44s|%.7s|", "MB to the", "--------------------------------------------",
		"-------");
	for (size_t i = 0; i <= count; i++)
		printf("----------:|");
	putchar('\n');
	for (size_t i = 0; i < ARRAY_LENGTH(costs); i++)
		print_cost(costs[i], reports, count);
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
