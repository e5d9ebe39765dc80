/* Histograms of bcc and bpftrace as a source. */
#include "source/common/line_reader.h"
#include "source/histogram/line.h"
#include "source/histogram/load.h"
#include "source/source.h"

enum { HEAD_POINTS = 10, ROW_POINTS = 3 };

/* Of JSON and Python nothing else has such. */
static bool
has_buckets(struct scan line)
{
	return scan_find(&line, "\"type\": \"hist\"") != NULL ||
	       scan_find(&line, "\"type\": \"lhist\"") != NULL ||
	       scan_find(&line, "interval-start") != NULL;
}

/*
 * What the tools say first. Of a pipe, which may go on for hours, no more is waited for then once there is
 * a histogram.
 */
static bool
is_beginning(struct scan line)
{
	return scan_text(&line, "Attaching ") ||
	       (scan_text(&line, "Tracing ") && scan_find(&line, "Hit Ctrl-C to end.") != NULL);
}

/* One head and one row at least: a histogram may stand within any text. */
static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan line;
	struct histogram_line read, before = { .kind = LINE_BLANK };
	unsigned heads = 0, rows = 0, beside = 0;
	bool is_live = false;
	while (head_lines_next(&lines, &line)) {
		histogram_line_read(line, &read);
		is_live = is_live || (lines.count == 1 && is_beginning(read.text));
		rows += read.kind == LINE_ROW;
		heads += read.kind == LINE_HEAD;
		if (read.kind == LINE_DICT && has_buckets(line)) {
			heads++;
			rows++;
		}
		heads += read.kind == LINE_ROW &&
			 (before.kind == LINE_MAP || before.kind == LINE_MAP_END);
		beside += read.kind == LINE_TIME || read.kind == LINE_AVERAGE ||
			  (read.kind == LINE_HEAD && before.kind == LINE_SECTION);
		before.kind = read.kind;
	}
	if (heads == 0 || rows == 0)
		return 0;
	return is_live ? SOURCE_SURE : HEAD_POINTS * heads + ROW_POINTS * rows + beside;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	return histogram_load(in, wish->watch, err);
}

const struct source histogram_source = {
	.name = "histogram",
	.input = "histograms of bcc and bpftrace",
	.recognised_by = "\": count     distribution\" or \"@name:\" above lines like "
			 "\" 2 -> 3 : 4 |****  |\" or \"[2, 4) 4 |@@@@  |\"",
	.answers = "how values are distributed, by interval and key, and between which bounds "
		   "their percentiles lie",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
