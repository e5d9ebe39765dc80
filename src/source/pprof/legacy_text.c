/* Profiles as text: what `?debug=1` answers, and gperftools writes. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "source/common/line_reader.h"
#include "source/pprof/legacy.h"
#include "source/pprof/recognise.h"

struct reader {
	struct legacy legacy;
	struct scan text, line; /* the rest; the line, without blanks around it */
	size_t at;              /* where the line stands */
	uint64_t number;        /* of the line */
	bool has_newline;
	enum pprof_text_kind kind;
	bool has_allocations;   /* heap: two pairs of numbers count */
	bool is_scaled;         /* heap: by the rate, which is the period */
	int64_t hertz;          /* contention: cycles are of so many a second; 0: unknown */
	bool is_thread;         /* threads: within one */
};

/* ---- lines */

static void
trim(struct scan *line)
{
	legacy_blanks(line);
	while (line->end > line->at && (line->end[-1] == ' ' || line->end[-1] == '\t'))
		line->end--;
}

static bool
next_line(struct reader *reader)
{
	reader->at = (size_t)(reader->text.at - (const char *)reader->legacy.pprof->bytes);
	if (!line_take(&reader->text, &reader->line, &reader->has_newline))
		return false;
	reader->number++;
	trim(&reader->line);
	return true;
}

static void
line_is_damaged(struct reader *reader, const char *what)
{
	struct pprof *pprof = reader->legacy.pprof;
	size_t behind = (size_t)(reader->text.at - (const char *)pprof->bytes);
	char excerpt[64];
	text_excerpt(excerpt, sizeof excerpt, reader->line.at, scan_left(&reader->line));
	pprof_damaged(pprof, reader->at, behind - reader->at, "line %" PRIu64 " %s: \"%s\"",
		reader->number, what, excerpt);
}

/* Behind the "@". They are where calls return to; the leaf of a thread is not. */
static bool
take_addresses(struct reader *reader, struct scan line, struct legacy_sample *sample, bool *is_whole,
	struct error *err)
{
	struct legacy *legacy = &reader->legacy;
	uint64_t address;
	sample->first = legacy->address_count;
	while (legacy_blanks(&line), scan_address(&line, &address)) {
		if (!legacy_add_address(legacy, address - 1, err))
			return false;
	}
	sample->count = legacy->address_count - sample->first;
	*is_whole = scan_is_end(&line);
	return true;
}

/* ---- what stands before the samples */

/* "1: 8 [2: 16]" */
static bool
take_pairs(struct scan *line, int64_t pairs[4])
{
	legacy_blanks(line);
	if (!scan_signed(line, &pairs[0]) || !scan_char(line, ':'))
		return false;
	legacy_blanks(line);
	if (!scan_signed(line, &pairs[1]))
		return false;
	legacy_blanks(line);
	if (!scan_char(line, '['))
		return false;
	legacy_blanks(line);
	if (!scan_signed(line, &pairs[2]) || !scan_char(line, ':'))
		return false;
	legacy_blanks(line);
	if (!scan_signed(line, &pairs[3]))
		return false;
	legacy_blanks(line);
	if (!scan_char(line, ']'))
		return false;
	legacy_blanks(line);
	return scan_char(line, '@');
}

static bool
begin_heap(struct reader *reader, struct error *err)
{
	static const char *const both[] = { "alloc_objects", "count", "alloc_space", "bytes",
		"inuse_objects", "count", "inuse_space", "bytes", NULL };
	static const char *const one[] = { "objects", "count", "space", "bytes", NULL };
	struct pprof *pprof = reader->legacy.pprof;
	struct sample_origin *origin = &pprof->trace->samples->origin;
	struct scan line = reader->line;
	int64_t pairs[4] = { 0 };
	uint64_t rate = 0;
	scan_text(&line, "heap profile:");
	if (!take_pairs(&line, pairs))
		return error_set_at(err, ERROR_FORMAT, reader->at, "a heap profile without its sums");
	legacy_blanks(&line);
	bool is_go = scan_text(&line, "heap/");
	reader->is_scaled = is_go || scan_text(&line, "heap_v2/") || scan_text(&line, "heapz_v2/");
	if (reader->is_scaled)
		scan_number(&line, &rate);
	origin->period = !reader->is_scaled ? 1 : is_go ? (int64_t)rate / 2 : (int64_t)rate;
	reader->has_allocations = (pairs[2] != pairs[0] && pairs[2] != 0) ||
				  (pairs[3] != pairs[1] && pairs[3] != 0);
	reader->legacy.has_blocks = true;
	return pprof_add_types(pprof, reader->has_allocations ? both : one, err) &&
	       pprof_text(pprof, "space", &origin->period_type, err) &&
	       pprof_text(pprof, "bytes", &origin->period_unit, err);
}

/* "goroutine profile: total 7", and threads: as many as there are. */
static bool
begin_count(struct reader *reader, const char *word, size_t length, struct error *err)
{
	struct trace *trace = reader->legacy.pprof->trace;
	struct sample_origin *origin = &trace->samples->origin;
	origin->period = 1;
	return intern_add(&trace->strings, word, length, &origin->period_type, err) &&
	       intern_add(&trace->strings, "count", 5, &origin->period_unit, err) &&
	       sample_set_add_type(trace->samples, origin->period_type, origin->period_unit, err);
}

static bool
take_setting(struct scan line, const char *name, int64_t *value)
{
	if (!scan_text(&line, name))
		return false;
	legacy_blanks(&line);
	if (!scan_char(&line, '='))
		return false;
	legacy_blanks(&line);
	return scan_signed(&line, value) && scan_is_end(&line);
}

/* Settings end with the first line that is none, which comes again. */
static bool
begin_contention(struct reader *reader, struct error *err)
{
	static const char *const types[] = { "contentions", "count", "delay", "nanoseconds", NULL };
	struct pprof *pprof = reader->legacy.pprof;
	struct sample_origin *origin = &pprof->trace->samples->origin;
	struct scan before = reader->text;
	int64_t value;
	origin->period = 1;
	while (next_line(reader)) {
		struct scan line = reader->line;
		bool is_setting = memchr(line.at, '=', scan_left(&line)) != NULL;
		if (scan_text(&line, "format") || scan_text(&line, "resolution"))
			return error_set_at(err, ERROR_FORMAT, reader->at,
				"a profile of Java's contention, which is not read");
		if (!scan_is_end(&line) && !scan_sees(&line, '#') && !is_setting) {
			reader->text = before;
			reader->number--;
			break;
		}
		before = reader->text;
		if (take_setting(line, "ms since reset", &value) && value >= 0)
			origin->duration_ns = saturating_mul_i64(value, 1000000);
		else if (take_setting(line, "sampling period", &value))
			origin->period = value;
		else if (!take_setting(line, "cycles/second", &reader->hertz) && is_setting &&
			 !take_setting(line, "discarded samples", &value) && !scan_sees(&line, '#'))
			line_is_damaged(reader, "has no number");
	}
	return pprof_add_types(pprof, types, err) &&
	       pprof_text(pprof, "contentions", &origin->period_type, err) &&
	       pprof_text(pprof, "count", &origin->period_unit, err);
}

static bool
begin(struct reader *reader, struct error *err)
{
	do {
		if (!next_line(reader))
			return error_set(err, ERROR_FORMAT, "there is no profile in it");
		scan_text(&reader->line, "\xef\xbb\xbf");
	} while (scan_is_end(&reader->line) || scan_sees(&reader->line, '#'));
	reader->kind = pprof_text_kind(reader->line);
	if (reader->kind == PPROF_TEXT_PAGES && next_line(reader))
		reader->kind = pprof_text_kind(reader->line);
	struct scan line = reader->line;
	switch (reader->kind) {
	case PPROF_TEXT_HEAP:
		return begin_heap(reader, err);
	case PPROF_TEXT_CONTENTION:
		return begin_contention(reader, err);
	case PPROF_TEXT_THREADS:
		reader->is_thread = scan_text(&line, "--- Thread ");
		return begin_count(reader, "thread", 6, err);
	case PPROF_TEXT_COUNT: {
		const char *end = memchr(line.at, ' ', scan_left(&line));
		return begin_count(reader, line.at, (size_t)(end - line.at), err);
	}
	case PPROF_TEXT_PAGES:
	case PPROF_TEXT_NONE:
		break;
	}
	return error_set(err, ERROR_FORMAT, "a profile of Java, which is not read");
}

/* ---- samples */

static int64_t
truncated(double value)
{
	if (!(value < 9223372036854775808.0))
		return INT64_MAX;
	return value > -9223372036854775808.0 ? (int64_t)value : INT64_MIN;
}

/* What was sampled stands for what was not (section 3.6). */
static void
scale(const struct reader *reader, int64_t pair[2], int64_t *block_bytes)
{
	int64_t rate = reader->legacy.pprof->trace->samples->origin.period;
	if (pair[0] == 0)
		return;
	*block_bytes = pair[1] / pair[0];
	if (!reader->is_scaled || (rate <= 1 && pair[1] != 0))
		return;
	if (pair[1] == 0) {
		pair[0] = 0;
		return;
	}
	double count = (double)pair[0], bytes = (double)pair[1];
	double factor = 1 / (1 - exp(-(bytes / count) / (double)rate));
	pair[0] = truncated(count * factor);
	pair[1] = truncated(bytes * factor);
}

static bool
take_heap(const struct reader *reader, struct scan *line, struct legacy_sample *sample)
{
	int64_t pairs[4];
	if (!take_pairs(line, pairs) || (pairs[0] == 0 && pairs[1] != 0) ||
		(reader->has_allocations && pairs[2] == 0 && pairs[3] != 0))
		return false;
	int64_t *values = sample->values;
	if (reader->has_allocations) {
		memcpy(values, pairs + 2, 2 * sizeof *pairs);
		scale(reader, values, &sample->block_bytes);
		values += 2;
	}
	memcpy(values, pairs, 2 * sizeof *pairs);
	scale(reader, values, &sample->block_bytes);
	return true;
}

static bool
take_contention(const struct reader *reader, struct scan *line, struct legacy_sample *sample)
{
	int64_t cycles, count, period = reader->legacy.pprof->trace->samples->origin.period;
	if (!scan_signed(line, &cycles) || !legacy_blanks(line) || !scan_signed(line, &count))
		return false;
	legacy_blanks(line);
	if (period > 0 && reader->hertz > 0)
		cycles = truncated((double)cycles * (double)period / ((double)reader->hertz / 1e9));
	if (period > 0) {
		int64_t most = INT64_MAX / period;
		count = count > most ? INT64_MAX : count < -most ? -INT64_MAX : count * period;
	}
	sample->values[0] = count;
	sample->values[1] = cycles;
	return scan_char(line, '@');
}

static bool
take_values(struct reader *reader, struct scan *line, struct legacy_sample *sample)
{
	switch (reader->kind) {
	case PPROF_TEXT_HEAP:
		return take_heap(reader, line, sample);
	case PPROF_TEXT_CONTENTION:
		return take_contention(reader, line, sample);
	case PPROF_TEXT_COUNT:
		if (!scan_signed(line, &sample->values[0]))
			return false;
		legacy_blanks(line);
		return scan_char(line, '@');
	case PPROF_TEXT_THREADS:
	case PPROF_TEXT_PAGES:
	case PPROF_TEXT_NONE:
		break;
	}
	return false;
}

/* A line that ends with the input may have lost a part of its last address. */
static bool
take_sample(struct reader *reader, struct error *err)
{
	struct legacy *legacy = &reader->legacy;
	struct legacy_sample sample = { .count = 0 };
	struct scan line = reader->line;
	size_t before = legacy->address_count;
	bool is_whole = false;
	if (!legacy_end_lines(legacy, err))
		return false;
	if (take_values(reader, &line, &sample) &&
		!take_addresses(reader, line, &sample, &is_whole, err))
		return false;
	if (is_whole && reader->has_newline)
		return legacy_add(legacy, &sample, err);
	legacy->address_count = before;
	if (is_whole || !reader->has_newline) {
		if (!legacy->pprof->is_cut)
			pprof_cut(legacy->pprof, reader->at, "ended early, within line %" PRIu64,
				reader->number);
	} else {
		line_is_damaged(reader, "fits nothing");
	}
	return true;
}

/* "#	0x4c654f	main.main+0x2f	/src/main.go:12"; any other comment is passed over. */
static bool
take_name(struct reader *reader, struct error *err)
{
	struct intern *strings = &reader->legacy.pprof->trace->strings;
	struct legacy_line named = { 0 };
	struct scan line = reader->line, name;
	scan_char(&line, '#');
	if (!legacy_blanks(&line) || !scan_address(&line, &named.address) || !scan_char(&line, '\t'))
		return true;
	legacy_blanks(&line);
	name = line;
	name.end = memchr(line.at, '\t', scan_left(&line));
	if (name.end == NULL)
		return true;
	line.at = name.end;
	legacy_blanks(&line);
	for (const char *at = name.end; at > name.at; at--) {
		if (at[-1] == '+') {
			name.end = at - 1;
			break;
		}
	}
	const char *colon = line.end;
	while (colon > line.at && colon[-1] != ':')
		colon--;
	struct scan number = { colon, line.end };
	if (colon == line.at || !scan_number(&number, &named.line) || scan_is_end(&name))
		return true;
	return intern_add(strings, name.at, scan_left(&name), &named.function, err) &&
	       intern_add(strings, line.at, (size_t)(colon - 1 - line.at), &named.file, err) &&
	       legacy_add_line(&reader->legacy, &named, err);
}

/* ---- threads */

static bool
take_thread_line(struct reader *reader, struct error *err)
{
	struct legacy *legacy = &reader->legacy;
	struct scan line = reader->line;
	struct legacy_sample *last =
		legacy->sample_count > 0 ? &legacy->samples[legacy->sample_count - 1] : NULL;
	if (scan_text(&line, "--- Thread ")) {
		reader->is_thread = true;
		return legacy_add(legacy,
			&(struct legacy_sample){ .first = legacy->address_count, .values = { 1 } }, err);
	}
	if (!reader->is_thread || last == NULL)
		return true;
	if (scan_find(&line, "same as previous thread") != NULL) {
		if (last->count == 0 && legacy->sample_count > 1) {
			legacy->sample_count--;
			last[-1].values[0]++;
		}
		return true;
	}
	while (!scan_is_end(&line)) {
		uint64_t address;
		if (!scan_address(&line, &address)) {
			line.at++;
			continue;
		}
		if (!legacy_add_address(legacy, address - (last->count > 0), err))
			return false;
		last->count++;
	}
	return true;
}

/* ---- all lines */

static bool
is_mappings(struct scan line)
{
	return scan_find(&line, "MAPPED_LIBRARIES:") != NULL ||
	       scan_find(&line, "--- Memory map: ---") != NULL;
}

static bool
take_line(struct reader *reader, struct error *err)
{
	const struct scan *line = &reader->line;
	if (scan_is_end(line))
		return true;
	if (scan_sees(line, '#'))
		return take_name(reader, err);
	if (reader->kind == PPROF_TEXT_THREADS)
		return take_thread_line(reader, err);
	return take_sample(reader, err);
}

static bool
read_lines(struct reader *reader, struct error *err)
{
	enum { CHECKED_EACH = 4096 };
	bool is_map = false;
	if (reader->kind == PPROF_TEXT_THREADS && reader->is_thread && !take_thread_line(reader, err))
		return false;
	while (next_line(reader)) {
		if (reader->number % CHECKED_EACH == 0 && pprof_is_cancelled(reader->legacy.pprof, err))
			return false;
		is_map = is_map || is_mappings(reader->line);
		if (is_map ? !legacy_add_mapping(&reader->legacy, reader->line, err)
			   : !take_line(reader, err))
			return false;
	}
	return legacy_end_lines(&reader->legacy, err);
}

bool
pprof_read_text(struct pprof *pprof, struct error *err)
{
	struct reader reader = { .legacy = { .pprof = pprof },
		.text = scan_over((const char *)pprof->bytes, pprof->size) };
	bool is_fine = begin(&reader, err) && read_lines(&reader, err) &&
		       legacy_finish(&reader.legacy, err);
	legacy_release(&reader.legacy);
	return is_fine;
}
