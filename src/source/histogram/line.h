/* Lines of the histograms that bcc and bpftrace print, each by itself (format notes 7.1 and 7.2). */
#ifndef TTRACE_SOURCE_HISTOGRAM_LINE_H
#define TTRACE_SOURCE_HISTOGRAM_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"
#include "trace/histogram_set.h"

enum histogram_line_kind {
	LINE_OTHER,
	LINE_BLANK,
	LINE_ROW,       /* a bucket */
	LINE_BROKEN,    /* begins as a row does, and is none; in a table it is damage */
	LINE_HEAD,      /* of bcc, with the label */
	LINE_MAP,       /* the name of a map of bpftrace, whose rows follow */
	LINE_MAP_BEGIN, /* such a name that goes on, a frame of a stack in each line ... */
	LINE_MAP_END,   /* ... until "]:" */
	LINE_MAP_VALUE, /* another map: "@c: 331"; or the end of one with a stack, "]: 3" */
	LINE_TIME,
	LINE_SECTION,   /* "disk = vda", if a head follows */
	LINE_AVERAGE,
	LINE_DICT       /* an object of JSON, or a dictionary of Python, that may have histograms */
};

struct histogram_line {
	enum histogram_line_kind kind;
	struct scan text;     /* the label, the name, the line trimmed; of a section its key ... */
	struct scan value;    /* ... and the rest without quotes */
	struct bucket bucket;
	bool has_whole_bar;
	int32_t time_s;       /* of the day */
	int64_t average, sum, count;
};

/* What a line, as the line reader has it, looks like. Points into it. O(length). */
void histogram_line_read(struct scan line, struct histogram_line *read);

/* A time of day, maybe with a date in front, which is taken off; false where it is none. */
bool histogram_time_read(struct scan *text, int32_t *time_s);

#endif
