/*
 * ttrace beside Go's own tool: each cost by turns, so that what else the machine does
 * hits both alike.
 */
#include "bench_go.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "bench.h"
#include "bench_picture.h"

/* Above that size Go's tool is only asked to read and to drop. */
enum { LARGEST_MB = 110 };

/* What took longer is not asked again. */
enum { LONG_S = 20 };

struct pair {
	const char *name, *meaning;
	const char *our_option, *their_option; /* NULL for what that one cannot do */
	bool takes_large;
};

static const struct pair pairs[] = {
	{ "load", "load / -d=footprint", "--load-only", "-d=footprint", true },
	{ "footprint", "--dump=footprint / -d=footprint", "--dump=footprint", "-d=footprint",
		true },
	{ "profile", "--export=pprof:sched / -pprof=sched", "--export=pprof:sched", "-pprof=sched",
		false },
	{ "parsed", "--dump=parsed / -d=parsed", "--dump=parsed", "-d=parsed", false },
	{ "wire", "--dump=wire / -d=wire", "--dump=wire", "-d=wire", false },
	{ "json", "--export=json", "--export=json", NULL, false },
};

/* Without options: what one looks at first. Our picture stands against both. */
static const struct pair page_pair = { "page", "first picture / page of the viewer", NULL, NULL,
	false };
static const struct pair events_pair = { "events", "first picture / events for the viewer", NULL,
	NULL, false };

/* What one of the two took. Zero-initialised is empty. */
struct side {
	struct cost seconds;
	struct costs peak_mb;
	char failure[sizeof((struct child_result *)NULL)->failure];
	bool is_missing; /* it has no such thing */
};

static void
side_release(struct side *side)
{
	cost_release(&side->seconds);
	costs_release(&side->peak_mb);
}

/* ---- measuring */

static bool
run_options(const struct go_setting *setting, const char *const argv[], struct child_result *result,
	struct error *err)
{
	struct child child;
	if (!child_start(&child, argv, STDERR_FILENO, &setting->limits, err))
		return false;
	child_end(&child, result);
	return true;
}

/* In a terminal neither memory nor processor time can be told apart from the emulator's. */
static bool
run_our_picture(const struct go_setting *setting, const char *trace, struct child_result *result)
{
	double first_ms, whole_ms;
	struct error err;
	error_clear(&err);
	*result = (struct child_result){ 0 };
	if (picture_time(setting->program, trace, &first_ms, &whole_ms, &err))
		result->seconds = first_ms / 1e3;
	else
		snprintf(result->failure, sizeof result->failure, "%.100s", err.message);
	return true;
}

/* A failure ends the runs of its side: it would only come again. */
static bool
add_run(struct side *side, const struct child_result *result, struct error *err)
{
	if (result->failure[0] != '\0') {
		snprintf(side->failure, sizeof side->failure, "%s", result->failure);
		return true;
	}
	return cost_add(&side->seconds, result->seconds, result->processor_seconds, err) &&
	       costs_add(&side->peak_mb, result->peak_mb, err);
}

static bool
wants_run(const struct side *side)
{
	bool is_long = side->seconds.wall.count > 0 && side->seconds.wall.values[0] > LONG_S;
	return !side->is_missing && side->failure[0] == '\0' && !is_long;
}

static bool
run_pair(const struct go_setting *setting, const struct pair *pair, const char *trace,
	struct side *ours, struct side *theirs, struct error *err)
{
	const char *const our_argv[] = { setting->program, pair->our_option, trace, NULL };
	const char *const their_argv[] = { setting->tool, pair->their_option, trace, NULL };
	ours->is_missing = pair->our_option == NULL;
	theirs->is_missing = pair->their_option == NULL;
	for (int i = 0; i < setting->runs; i++) {
		struct child_result result;
		if (wants_run(ours) && !(run_options(setting, our_argv, &result, err) &&
					       add_run(ours, &result, err)))
			return false;
		if (wants_run(theirs) && !(run_options(setting, their_argv, &result, err) &&
						 add_run(theirs, &result, err)))
			return false;
	}
	return true;
}

/* One run of the viewer gives both the page and the events. */
static bool
run_pictures(const struct go_setting *setting, const char *trace, struct side *ours,
	struct side *page, struct side *events, struct error *err)
{
	for (int i = 0; i < setting->runs; i++) {
		struct child_result result, of_page;
		if (wants_run(ours) &&
			!(run_our_picture(setting, trace, &result) && add_run(ours, &result, err)))
			return false;
		if (wants_run(events) &&
			!(viewer_run(setting, trace, &of_page, &result, err) &&
				add_run(page, &of_page, err) && add_run(events, &result, err)))
			return false;
	}
	return true;
}

/* ---- the table, in Markdown */

static void
print_number(double value, const char *unit)
{
	if (value > 0)
		printf(" %7.*f %-2s |", decimals_of(value), value, unit);
	else
		printf(" %10s |", "");
}

static void
print_side(struct side *side)
{
	if (side->failure[0] != '\0' || side->is_missing) {
		printf(" %s | | | |", side->is_missing ? "none" : side->failure);
		return;
	}
	struct costs *wall = &side->seconds.wall;
	double least = costs_percentile(wall, 0), most = costs_percentile(wall, 100);
	print_number(costs_percentile(wall, 50), "s");
	printf(" %.*f to %.*f |", decimals_of(least), least, decimals_of(most), most);
	print_number(costs_percentile(&side->seconds.processor, 50), "s");
	print_number(costs_percentile(&side->peak_mb, 100), "MB");
}

/* How many times more theirs is than ours; 0 where one of them is not known. */
static double
ratio(double ours, double theirs)
{
	return ours > 0 && theirs > 0 ? theirs / ours : 0;
}

static double
time_ratio(struct side *ours, struct side *theirs)
{
	return ratio(costs_percentile(&ours->seconds.wall, 50),
		costs_percentile(&theirs->seconds.wall, 50));
}

static double
processor_ratio(struct side *ours, struct side *theirs)
{
	return ratio(costs_percentile(&ours->seconds.processor, 50),
		costs_percentile(&theirs->seconds.processor, 50));
}

static double
memory_ratio(struct side *ours, struct side *theirs)
{
	return ratio(
		costs_percentile(&ours->peak_mb, 100), costs_percentile(&theirs->peak_mb, 100));
}

static void
print_heading(const char *trace, double mb)
{
	printf("%s, %.1f MB\n\n", trace, mb);
	printf("| %-38s | ttrace | least to most | processor | memory | Go | least to most "
	       "| processor | memory | time | processor | memory |\n",
		"");
	printf("|---|---:|---|---:|---:|---:|---|---:|---:|---:|---:|---:|\n");
}

static void
print_pair(const struct pair *pair, struct side *ours, struct side *theirs)
{
	printf("| %-38s |", pair->meaning);
	print_side(ours);
	print_side(theirs);
	print_number(time_ratio(ours, theirs), "x");
	print_number(processor_ratio(ours, theirs), "x");
	print_number(memory_ratio(ours, theirs), "x");
	putchar('\n');
	fflush(stdout);
}

/* ---- JSON */

static void
write_side(FILE *out, const char *name, struct side *side)
{
	struct costs *wall = &side->seconds.wall;
	fprintf(out, "\"%s\":", name);
	if (side->is_missing) {
		fprintf(out, "null");
		return;
	}
	if (side->failure[0] != '\0') {
		fprintf(out, "{\"failure\":");
		json_write_string(out, side->failure);
		putc('}', out);
		return;
	}
	fprintf(out,
		"{\"seconds\":%.6g,\"least\":%.6g,\"most\":%.6g,\"processor\":%.6g,"
		"\"peak_mb\":%.6g}",
		costs_percentile(wall, 50), costs_percentile(wall, 0),
		costs_percentile(wall, 100), costs_percentile(&side->seconds.processor, 50),
		costs_percentile(&side->peak_mb, 100));
}

static void
write_pair(FILE *out, const struct pair *pair, struct side *ours, struct side *theirs)
{
	fprintf(out, "  {\"name\":\"%s\",", pair->name);
	write_side(out, "ttrace", ours);
	putc(',', out);
	write_side(out, "go", theirs);
	fprintf(out, ",\"time_ratio\":%.6g,\"processor_ratio\":%.6g,\"memory_ratio\":%.6g}",
		time_ratio(ours, theirs), processor_ratio(ours, theirs),
		memory_ratio(ours, theirs));
}

/* ---- all of it */

/* Whether a pair is among the names, separated by commas, that are asked for. */
static bool
is_wanted(const struct go_setting *setting, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = setting->only; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return setting->only == NULL;
}

static bool
measure_pair(const struct go_setting *setting, const struct pair *pair, const char *trace,
	FILE *out, struct error *err)
{
	struct side ours = { 0 }, theirs = { 0 };
	bool is_fine = run_pair(setting, pair, trace, &ours, &theirs, err);
	if (is_fine) {
		print_pair(pair, &ours, &theirs);
		write_pair(out, pair, &ours, &theirs);
	}
	side_release(&ours);
	side_release(&theirs);
	return is_fine;
}

static bool
measure_pictures(const struct go_setting *setting, const char *trace, FILE *out, struct error *err)
{
	struct side ours = { 0 }, page = { 0 }, events = { 0 };
	bool is_fine = run_pictures(setting, trace, &ours, &page, &events, err);
	if (is_fine) {
		print_pair(&page_pair, &ours, &page);
		print_pair(&events_pair, &ours, &events);
		write_pair(out, &page_pair, &ours, &page);
		fprintf(out, ",\n");
		write_pair(out, &events_pair, &ours, &events);
	}
	side_release(&ours);
	side_release(&page);
	side_release(&events);
	return is_fine;
}

static bool
run_trace(const struct go_setting *setting, const char *trace, FILE *out, struct error *err)
{
	struct stat file;
	if (stat(trace, &file) != 0)
		return error_set(err, ERROR_IO, "%s cannot be found", trace);
	bool is_large = file.st_size > (off_t)LARGEST_MB * 1000000;
	bool is_fine = true, has_some = false;
	print_heading(trace, (double)file.st_size / 1e6);
	fprintf(out, "{\"file\":");
	json_write_string(out, trace);
	fprintf(out, ",\"bytes\":%lld,\"pairs\":[\n", (long long)file.st_size);
	for (size_t i = 0; is_fine && i < ARRAY_LENGTH(pairs); i++) {
		if ((is_large && !pairs[i].takes_large) || !is_wanted(setting, pairs[i].name))
			continue;
		fprintf(out, "%s", has_some ? ",\n" : "");
		has_some = true;
		is_fine = measure_pair(setting, &pairs[i], trace, out, err);
	}
	if (is_fine && !is_large && is_wanted(setting, page_pair.name)) {
		fprintf(out, "%s", has_some ? ",\n" : "");
		is_fine = measure_pictures(setting, trace, out, err);
	}
	fprintf(out, "]}");
	putchar('\n');
	return is_fine;
}

static bool
run_traces(const struct go_setting *setting, char **traces, size_t trace_count, FILE *out,
	struct error *err)
{
	fprintf(out, "{\"machine\":");
	machine_write_json(out);
	fprintf(out, ",\n\"traces\":[\n");
	for (size_t i = 0; i < trace_count; i++) {
		fprintf(out, "%s", i > 0 ? ",\n" : "");
		if (!run_trace(setting, traces[i], out, err))
			return false;
	}
	fprintf(out, "\n]}\n");
	return true;
}

bool
bench_go(const struct go_setting *setting, char **traces, size_t trace_count, struct error *err)
{
	const char *path = setting->json != NULL ? setting->json : "/dev/null";
	FILE *out = fopen(path, "w");
	if (out == NULL)
		return error_set(err, ERROR_IO, "%s cannot be written", path);
	bool is_fine = run_traces(setting, traces, trace_count, out, err);
	if (fclose(out) != 0)
		return error_set(err, ERROR_IO, "%s cannot be written", path);
	return is_fine;
}
