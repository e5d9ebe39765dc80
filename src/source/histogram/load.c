/*
 * Lines become histograms as they come. A head is kept until its first row, a section until its
 * head, a time until another one. Blank lines between mean nothing.
 */
#include "source/histogram/load.h"

#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/common/line_damage.h"
#include "source/common/line_reader.h"
#include "source/common/live.h"
#include "source/common/profile_trace.h"
#include "source/histogram/dict.h"
#include "source/histogram/line.h"
#include "source/source.h"

enum { DAY_S = 24 * 60 * 60, MAP_LINES_MOST = 1000 };

static const struct words words = TIMELESS_WORDS("histogram");

struct reading {
	struct trace *trace;
	struct histogram_set *set;
	struct line_reader reader;
	struct line_damage damage;
	struct scan line;
	struct histogram_line read;
	bool is_in_table;   /* rows go on the last table */
	bool is_apart;      /* a blank line stands between the last row and here */
	bool has_head;      /* it came, and no row yet: */
	string_id label, section;
	string_id next_section; /* for the next head */
	struct text made;   /* a name, out of several parts */
	unsigned map_lines; /* so many lines of a map's name are in it; 0: it is none that goes on */
	int64_t low;        /* where the next row of the table may begin */
	uint64_t left;      /* so many may be counted still, for all counts to fit */
	struct live live;   /* of buckets */
};

/* ---- names */

static bool
keep_text(struct reading *reading, struct scan text, string_id *id, struct error *err)
{
	return intern_add(&reading->trace->strings, text.at, scan_left(&text), id, err);
}

static void
begin_head(struct reading *reading)
{
	reading->is_in_table = false;
	reading->has_head = true;
	reading->section = reading->next_section;
	reading->next_section = STRING_EMPTY;
}

static bool
take_head(struct reading *reading, struct scan label, struct error *err)
{
	begin_head(reading);
	return keep_text(reading, label, &reading->label, err);
}

/* What was made of a name, in reading->made. */
static bool
keep_made(struct reading *reading, string_id *id, struct error *err)
{
	return reading->made.failed ? error_set_memory(err, "a name")
				    : keep_text(reading, scan_over_text(&reading->made), id, err);
}

static bool
take_made_head(struct reading *reading, struct error *err)
{
	begin_head(reading);
	return keep_made(reading, &reading->label, err);
}

static bool
take_section(struct reading *reading, struct error *err)
{
	const struct histogram_line *read = &reading->read;
	text_clear(&reading->made);
	text_add(&reading->made, read->text.at, scan_left(&read->text));
	text_add_string(&reading->made, " = ");
	text_add(&reading->made, read->value.at, scan_left(&read->value));
	return keep_made(reading, &reading->next_section, err);
}

/* Joined by one blank, but behind "[" and before "," and "]". */
static bool
take_map_line(struct reading *reading, struct error *err)
{
	struct text *map = &reading->made;
	struct scan text = reading->read.text;
	bool is_end = reading->read.kind == LINE_MAP_END;
	if (reading->map_lines == 0)
		text_clear(map);
	else if (map->length > 0 && map->bytes[map->length - 1] != '[' && *text.at != ',' && *text.at != ']')
		text_add_string(map, " ");
	text_add(map, text.at, scan_left(&text) - is_end);
	reading->map_lines++;
	if (!is_end)
		return true;
	reading->map_lines = 0;
	return take_made_head(reading, err);
}

/* ---- times */

/* More than half a day back is behind midnight. */
static bool
take_time(struct reading *reading, struct scan time, struct error *err)
{
	const struct histogram_set *set = reading->set;
	int64_t time_s = reading->read.time_s;
	string_id text;
	if (set->interval_count > 0) {
		int64_t before_s = set->intervals[set->interval_count - 1].end_s;
		time_s += before_s / DAY_S * DAY_S;
		if (before_s - time_s > DAY_S / 2)
			time_s += DAY_S;
	}
	reading->is_in_table = reading->has_head = false;
	return keep_text(reading, time, &text, err) &&
	       histogram_set_add_interval(reading->set, text, time_s, err);
}

/* ---- rows */

static bool
take_row(struct reading *reading, struct error *err)
{
	struct histogram_set *set = reading->set;
	struct bucket *bucket = &reading->read.bucket;
	if (bucket->count > reading->left) {
		line_damage_add(&reading->damage, &reading->reader, &reading->line, "counts too much");
		return true;
	}
	if (!reading->is_in_table || bucket->low < reading->low) {
		uint32_t interval = set->interval_count > 0 ? (uint32_t)set->interval_count - 1
							    : INTERVAL_NONE;
		string_id label = reading->has_head ? reading->label : STRING_EMPTY;
		string_id section = reading->has_head ? reading->section : STRING_EMPTY;
		if (!histogram_set_begin(set, label, section, interval, err))
			return false;
	}
	reading->is_in_table = true;
	reading->has_head = reading->is_apart = false;
	reading->low = bucket->high;
	reading->left -= bucket->count;
	/* The end of the input: all of this row is there, but rows may have followed. */
	if (!reading->reader.has_newline && !reading->read.has_whole_bar) {
		set->tables[set->table_count - 1].is_cut = true;
		line_damage_add_end(&reading->damage, &reading->reader, "within a histogram");
	}
	return histogram_set_add(set, bucket, err);
}

static void
take_average(struct reading *reading)
{
	struct histogram_set *set = reading->set;
	if (!reading->is_in_table)
		return;
	struct histogram_table *table = &set->tables[set->table_count - 1];
	table->has_average = true;
	table->average = reading->read.average;
	table->sum = reading->read.sum;
	table->average_count = reading->read.count;
	reading->is_in_table = false;
}

/* Whether a row comes next: what stands directly before it is no prose. */
static bool
row_follows(struct reading *reading, bool *follows, struct error *err)
{
	enum { LOOK_BYTES = 512 };
	struct scan text, line;
	struct histogram_line read;
	bool has_newline;
	*follows = false;
	if (!line_reader_look(&reading->reader, LOOK_BYTES, &reading->line, &text, err))
		return false;
	if (line_take(&text, &line, &has_newline)) {
		histogram_line_read(line, &read);
		*follows = read.kind == LINE_ROW;
	}
	return true;
}

static bool
take_other(struct reading *reading, struct error *err)
{
	bool is_row = reading->read.kind == LINE_BROKEN && reading->is_in_table && !reading->is_apart;
	bool is_end = !reading->reader.has_newline && reading->is_in_table && !reading->is_apart;
	if (!is_row && !is_end && !row_follows(reading, &is_row, err))
		return false;
	if (is_row)
		line_damage_add(&reading->damage, &reading->reader, &reading->line, "is no row");
	else if (is_end)
		line_damage_add_end(&reading->damage, &reading->reader, "within a line");
	if (is_end)
		reading->set->tables[reading->set->table_count - 1].is_cut = true;
	return true;
}

/* ---- a line of JSON or Python */

/* A value as text, in reading->made. */
static void
make_text(struct reading *reading, struct scan value)
{
	text_clear(&reading->made);
	dict_add(&reading->made, value);
}

static bool
take_dict_head(struct reading *reading, struct scan value, struct error *err)
{
	make_text(reading, value);
	return take_made_head(reading, err);
}

/* Ends are within, and left out where there is none. False in *is_whole: it is no bucket. */
static bool
take_dict_row(struct reading *reading, struct scan row, bool *is_whole, struct error *err)
{
	struct histogram_line *read = &reading->read;
	struct scan key, value;
	int64_t count = -1;
	read->bucket = (struct bucket){ BUCKET_OPEN_LOW, BUCKET_OPEN_HIGH, 0 };
	read->has_whole_bar = true;
	while (dict_member(&row, &key, &value)) {
		int64_t number;
		if (!dict_number(value, &number))
			continue;
		bool is_single = dict_is(key, "value");
		if (is_single || dict_is(key, "min") || dict_is(key, "interval-start"))
			read->bucket.low = number;
		if (is_single || dict_is(key, "max") || dict_is(key, "interval-end"))
			read->bucket.high = number + 1;
		if (dict_is(key, "count"))
			count = number;
	}
	*is_whole = dict_is_whole(&row) && count >= 0 && read->bucket.low < read->bucket.high;
	read->bucket.count = (uint64_t)count;
	return !*is_whole || take_row(reading, err);
}

static bool
take_dict_rows(struct reading *reading, struct scan rows, bool *is_whole, struct error *err)
{
	struct scan row;
	while (*is_whole && dict_element(&rows, &row))
		if (!take_dict_row(reading, row, is_whole, err))
			return false;
	*is_whole = *is_whole && dict_is_whole(&rows);
	return true;
}

/* "@x" with rows, or with "key": rows for each. */
static bool
take_map(struct reading *reading, struct scan name, struct scan data, bool *is_whole, struct error *err)
{
	enum { NAME_BYTES = 256 }; /* of a name that is told again with each key */
	struct scan key, rows;
	if (scan_sees(&data, '['))
		return take_dict_head(reading, name, err) &&
		       take_dict_rows(reading, data, is_whole, err);
	*is_whole = scan_left(&name) <= NAME_BYTES;
	while (*is_whole && dict_member(&data, &key, &rows)) {
		make_text(reading, name);
		text_add_string(&reading->made, "[");
		dict_add(&reading->made, key);
		text_add_string(&reading->made, "]");
		if (!take_made_head(reading, err) || !take_dict_rows(reading, rows, is_whole, err))
			return false;
	}
	*is_whole = *is_whole && dict_is_whole(&data);
	return true;
}

static bool
take_dict_time(struct reading *reading, struct scan value, struct error *err)
{
	make_text(reading, value);
	struct scan time = scan_over_text(&reading->made);
	if (reading->made.failed)
		return error_set_memory(err, "a time");
	return !histogram_time_read(&time, &reading->read.time_s) || take_time(reading, time, err);
}

/* What else bcc tells of a histogram is its section. */
static bool
take_dict_section(struct reading *reading, struct scan key, struct scan value, struct error *err)
{
	make_text(reading, key);
	text_add_string(&reading->made, " = ");
	dict_add(&reading->made, value);
	return keep_made(reading, &reading->next_section, err);
}

/* Members come in any order, so that rows are read last. */
static bool
take_dict(struct reading *reading, struct error *err)
{
	struct scan all = reading->read.text, key, value, type = { NULL, NULL }, label = type, data = type;
	bool is_whole = true;
	reading->is_in_table = reading->has_head = false;
	reading->next_section = STRING_EMPTY;
	while (dict_member(&all, &key, &value)) {
		if (dict_is(key, "type"))
			type = value;
		else if (dict_is(key, "val_type"))
			label = value;
		else if (dict_is(key, "data"))
			data = value;
		else if (dict_is(key, "ts") ? !take_dict_time(reading, value, err)
					    : !take_dict_section(reading, key, value, err))
			return false;
	}
	if (label.at != NULL && data.at != NULL) {
		if (!take_dict_head(reading, label, err) ||
			!take_dict_rows(reading, data, &is_whole, err))
			return false;
	} else if (type.at != NULL && data.at != NULL && (dict_is(type, "hist") || dict_is(type, "lhist"))) {
		while (is_whole && dict_member(&data, &key, &value))
			if (!take_map(reading, key, value, &is_whole, err))
				return false;
		is_whole = is_whole && dict_is_whole(&data);
	} else if (type.at != NULL && data.at != NULL && !take_dict_time(reading, data, err)) {
		return false;
	}
	reading->is_in_table = reading->has_head = false;
	reading->next_section = STRING_EMPTY;
	if (!is_whole || !dict_is_whole(&all))
		line_damage_add(&reading->damage, &reading->reader, &reading->line, "is not whole");
	return true;
}

/* ---- all lines */

static bool
take_line(struct reading *reading, struct error *err)
{
	const enum histogram_line_kind kind = reading->read.kind;
	if (reading->map_lines > 0 && kind != LINE_BLANK && kind != LINE_MAP_VALUE &&
		kind != LINE_MAP && reading->map_lines < MAP_LINES_MOST)
		return take_map_line(reading, err);
	reading->map_lines = 0;
	if (kind != LINE_BLANK && kind != LINE_HEAD)
		reading->next_section = STRING_EMPTY;
	switch (kind) {
	case LINE_BLANK:
		reading->is_apart = true;
		return true;
	case LINE_ROW:
		return take_row(reading, err);
	case LINE_HEAD:
		return take_head(reading, reading->read.text, err);
	case LINE_MAP:
		return take_head(reading,
			scan_over(reading->read.text.at, scan_left(&reading->read.text) - 1), err);
	case LINE_MAP_BEGIN:
		return take_map_line(reading, err);
	case LINE_TIME:
		return take_time(reading, reading->read.text, err);
	case LINE_SECTION:
		return take_section(reading, err) && take_other(reading, err);
	case LINE_AVERAGE:
		take_average(reading);
		return true;
	case LINE_DICT:
		return take_dict(reading, err);
	case LINE_MAP_END:
	case LINE_MAP_VALUE:
	case LINE_BROKEN:
	case LINE_OTHER:
		return take_other(reading, err);
	}
	return true;
}

/* ---- facts */

static int
compare_times(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

/* Different times that have a histogram. */
static bool
count_intervals(const struct histogram_set *set, uint64_t *count, struct error *err)
{
	int64_t *ends = array_new(set->interval_count, sizeof *ends, err);
	size_t used = 0;
	if (ends == NULL)
		return false;
	for (size_t i = 0; i < set->interval_count; i++)
		if (set->intervals[i].has_tables)
			ends[used++] = set->intervals[i].end_s;
	if (used > 0)
		qsort(ends, used, sizeof *ends, compare_times);
	*count = 0;
	for (size_t i = 0; i < used; i++)
		*count += i == 0 || ends[i] != ends[i - 1];
	memory_free(ends);
	return true;
}

static bool
add_facts(const struct reading *reading, struct error *err)
{
	const struct histogram_set *set = reading->set;
	struct trace *trace = reading->trace;
	uint64_t intervals;
	return count_intervals(set, &intervals, err) &&
	       trace_add_fact(trace, "lines", reading->reader.count, err) &&
	       trace_add_fact(trace, "histograms", set->table_count, err) &&
	       trace_add_fact(trace, "total_count", (uint64_t)INT64_MAX - reading->left, err) &&
	       trace_add_fact(trace, "intervals", intervals, err) &&
	       trace_add_fact(trace, "damaged", reading->damage.count, err);
}

/* ---- all so far */

/* A trace of its own, in which names have the same ids. */
static struct trace *
copy_so_far(const void *context, struct error *err)
{
	const struct reading *reading = context;
	struct reading copy = { .trace = profile_trace_new(&words, err), .left = reading->left };
	if (copy.trace == NULL)
		return NULL;
	bool is_fine = live_copy_names(copy.trace, reading->trace, err);
	sample_set_free(copy.trace->samples);
	copy.trace->samples = NULL;
	copy.trace->histograms = copy.set = is_fine ? histogram_set_copy(reading->set, err) : NULL;
	copy.trace->event_count = reading->set->bucket_count;
	copy.trace->damage = reading->damage.map;
	copy.damage.count = reading->damage.count;
	copy.reader.count = reading->reader.count;
	if (copy.set != NULL && add_facts(&copy, err) &&
		profile_trace_finish(copy.trace, reading->reader.in, err))
		return copy.trace;
	trace_free(copy.trace);
	return NULL;
}

/* ---- all of it */

static bool
read_lines(struct reading *reading, struct error *err)
{
	struct line_reader *reader = &reading->reader;
	while (line_reader_next(reader, &reading->line, err)) {
		if (reading->line.at == NULL) {
			if (reading->has_head)
				line_damage_add_end(&reading->damage, reader, "behind the head of a histogram");
			return true;
		}
		histogram_line_read(reading->line, &reading->read);
		if (reader->is_part)
			reading->read.kind = LINE_OTHER;
		if (!take_line(reading, err))
			return false;
		if (live_is_due(&reading->live, reader, reading->set->bucket_count))
			live_show(&reading->live, reading->set->bucket_count, copy_so_far, reading);
	}
	return false;
}

static bool
read_all(struct reading *reading, struct error *err)
{
	struct trace *trace = reading->trace;
	sample_set_free(trace->samples);
	trace->samples = NULL;
	trace->histograms = reading->set = histogram_set_new(err);
	if (reading->set == NULL || !read_lines(reading, err))
		return false;
	if (reading->set->table_count == 0)
		return error_set(err, ERROR_FORMAT, "histogram finds nothing of its own in it");
	trace->damage = reading->damage.map;
	trace->event_count = reading->set->bucket_count;
	return add_facts(reading, err);
}

bool
histogram_read(struct trace *trace, struct input *in, const struct trace_watch *watch, struct error *err)
{
	struct reading reading = { .trace = trace, .left = INT64_MAX, .live.watch = watch };
	line_reader_init(&reading.reader, in);
	bool is_fine = read_all(&reading, err);
	line_reader_release(&reading.reader);
	text_release(&reading.made);
	return is_fine;
}

struct trace *
histogram_load(struct input *in, const struct trace_watch *watch, struct error *err)
{
	struct trace *trace = profile_trace_new(&words, err);
	if (trace == NULL)
		return NULL;
	bool is_fine = histogram_read(trace, in, watch, err) && profile_trace_finish(trace, in, err);
	if (is_fine)
		return trace;
	trace_free(trace);
	return NULL;
}
