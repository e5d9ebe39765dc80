/* Profiles of pprof as a source: all bytes are read, then the form of them is. */
#include "source/pprof/pprof.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/pprof/recognise.h"
#include "source/source.h"
#include "trace/time.h"

static const struct words words = TIMELESS_WORDS("pprof");

/* ---- damage */

static void add_damage(struct pprof *pprof, struct damage row, const char *format, va_list args)
	ATTR_PRINTF(3, 0);

/* Of the rows that a map has no room for nobody reads the text. */
static void
add_damage(struct pprof *pprof, struct damage row, const char *format, va_list args)
{
	char message[sizeof row.first.message];
	pprof->damaged++;
	error_clear(&row.first);
	if (pprof->damage.count < DAMAGE_ROWS_MAX) {
		vsnprintf(message, sizeof message, format, args);
		error_set_at(&row.first, row.cause == DAMAGE_CUT ? ERROR_TRUNCATED : ERROR_FORMAT,
			row.from_bytes, "%s", message);
	}
	damage_map_add(&pprof->damage, &row);
}

void
pprof_damaged(struct pprof *pprof, size_t from, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_damage(pprof,
		(struct damage){ .from_bytes = from,
			.to_bytes = from + size,
			.lost_bytes = size,
			.cause = DAMAGE_CHANGED },
		format, args);
	va_end(args);
}

void
pprof_cut(struct pprof *pprof, size_t from, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_damage(pprof,
		(struct damage){ .from_bytes = from,
			.to_bytes = pprof->size,
			.lost_bytes = pprof->size - from,
			.to_ns = TIME_OPEN,
			.cause = DAMAGE_CUT },
		format, args);
	va_end(args);
}

static int
compare_damage(const void *left, const void *right)
{
	const struct damage *a = left, *b = right;
	return a->from_bytes < b->from_bytes ? -1 : a->from_bytes > b->from_bytes;
}

bool
pprof_is_cancelled(const struct pprof *pprof, struct error *err)
{
	if (pprof->is_cancelled == NULL || !atomic_load(pprof->is_cancelled))
		return false;
	error_set(err, ERROR_CANCELLED, "cancelled");
	return true;
}

/* ---- names */

bool
pprof_text(struct pprof *pprof, const char *text, string_id *id, struct error *err)
{
	return intern_add(&pprof->trace->strings, text, strlen(text), id, err);
}

static struct scan
string_of(const struct pprof *pprof, string_id id)
{
	size_t length;
	const char *bytes = intern_text(&pprof->trace->strings, id, &length);
	return scan_over(bytes, length);
}

bool
pprof_base_name(struct pprof *pprof, string_id file, string_id *base, struct error *err)
{
	struct scan name = scan_base_name(string_of(pprof, file));
	return intern_add(&pprof->trace->strings, name.at, scan_left(&name), base, err);
}

bool
pprof_name_unknown(struct pprof *pprof, string_id mapping_file, string_id *name, struct error *err)
{
	return profile_trace_name(pprof->trace, string_of(pprof, mapping_file), name, err);
}

bool
pprof_name_address(struct pprof *pprof, uint64_t address, string_id *name, struct error *err)
{
	char text[32];
	snprintf(text, sizeof text, "0x%" PRIx64, address);
	return pprof_text(pprof, text, name, err);
}

bool
pprof_add_types(struct pprof *pprof, const char *const *types, struct error *err)
{
	struct sample_set *samples = pprof->trace->samples;
	for (; *types != NULL; types += 2) {
		string_id name, unit;
		if (!pprof_text(pprof, types[0], &name, err) ||
			!pprof_text(pprof, types[1], &unit, err) ||
			!sample_set_add_type(samples, name, unit, err))
			return false;
	}
	samples->usual_type = samples->type_count - 1;
	return true;
}

/* ---- reading */

enum { FIRST_BYTES = 64 * 1024 };

/*
 * All bytes up to the end, or to where they cannot be unpacked: `cause` tells that. The array grows
 * by half, but what was not written takes no memory.
 */
static bool
read_all(struct input *in, uint8_t **bytes, size_t *size, struct error *cause, struct error *err)
{
	size_t capacity = 0, got = 1;
	bool is_fine = true;
	if (in->total_bytes > 0 && in->total_bytes < SIZE_MAX && in->from == NULL)
		is_fine = array_reserve(bytes, &capacity, (size_t)in->total_bytes + 1, 1, err);
	while (is_fine && got > 0) {
		if (capacity - *size < FIRST_BYTES / 2)
			is_fine = array_reserve(bytes, &capacity, *size + FIRST_BYTES, 1, err);
		if (is_fine && !input_some(in, *bytes + *size, capacity - *size, &got, cause))
			break;
		*size += is_fine ? got : 0;
	}
	if (is_fine && (cause->kind == ERROR_MEMORY || cause->kind == ERROR_CANCELLED ||
			       (*size == 0 && cause->kind != ERROR_NONE))) {
		*err = *cause;
		is_fine = false;
	}
	return is_fine;
}

static bool
add_facts(struct pprof *pprof, struct error *err)
{
	struct trace *trace = pprof->trace;
	return trace_add_fact(trace, "samples", trace->samples->count, err) &&
	       trace_add_fact(trace, "depth", pprof->depth, err) &&
	       trace_add_fact(trace, "mappings", pprof->mappings, err) &&
	       trace_add_fact(trace, "locations", pprof->locations, err) &&
	       trace_add_fact(trace, "functions", pprof->functions, err) &&
	       trace_add_fact(trace, "damaged", pprof->damaged, err);
}

/* A profile of nothing is one; of nothing but damage none is left. */
static bool
finish(struct pprof *pprof, const struct input *in, struct error *err)
{
	struct trace *trace = pprof->trace;
	if (trace->samples->count == 0 && pprof->damaged > 0) {
		error_set(err, ERROR_FORMAT, "no sample of the profile is whole: %s",
			damage_map_first(&pprof->damage)->first.message);
		return false;
	}
	qsort(pprof->damage.rows, pprof->damage.count, sizeof *pprof->damage.rows, compare_damage);
	if (!add_facts(pprof, err) || !profile_trace_finish(trace, in, err))
		return false;
	trace->damage = pprof->damage;
	return true;
}

static bool
read_form(struct pprof *pprof, enum pprof_form form, struct error *err)
{
	switch (form) {
	case PPROF_PROTO:
		return pprof_read_proto(pprof, err);
	case PPROF_TEXT:
		return pprof_read_text(pprof, err);
	case PPROF_CPU:
		return pprof_read_cpu(pprof, err);
	}
	return false;
}

static bool
read_once(struct pprof *pprof, enum pprof_form form, struct error *err)
{
	pprof->trace = profile_trace_new(&words, err);
	return pprof->trace != NULL && read_form(pprof, form, err);
}

/*
 * The tables of a profile.proto stand behind samples, one of which may turn out to be broken: then
 * all that is behind it does not count.
 */
static struct trace *
read_profile(struct pprof *pprof, const struct input *in, struct error *err)
{
	struct pprof first = *pprof;
	unsigned points;
	enum pprof_form form = pprof_recognise(pprof->bytes, pprof->size, &points);
	bool is_fine = read_once(pprof, form, err);
	if (is_fine && pprof->is_broken) {
		trace_free(pprof->trace);
		first.whole = pprof->whole;
		*pprof = first;
		pprof->is_cut = true;
		pprof_cut(pprof, pprof->whole, "a sample is broken; what is behind it is not read");
		is_fine = read_once(pprof, form, err);
	}
	if (is_fine && finish(pprof, in, err))
		return pprof->trace;
	trace_free(pprof->trace);
	return NULL;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct pprof pprof = { .is_cancelled = progress_cancel_flag(wish->progress) };
	struct trace *trace = NULL;
	struct error cause;
	uint8_t *bytes = NULL;
	error_clear(&cause);
	bool is_fine = read_all(in, &bytes, &pprof.size, &cause, err);
	pprof.bytes = bytes;
	pprof.whole = pprof.size;
	if (is_fine && cause.kind != ERROR_NONE) {
		pprof.is_cut = true;
		pprof_cut(&pprof, pprof.size, "%s", cause.message);
	}
	if (is_fine)
		trace = read_profile(&pprof, in, err);
	memory_free(bytes);
	return trace;
}

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	unsigned points;
	pprof_recognise(bytes, size, &points);
	return points;
}

const struct source pprof_source = {
	.name = "pprof",
	.input = "pprof's profiles",
	.recognised_by = "the fields of a profile.proto up to its first type of samples; \"heap profile:\", "
			 "\"goroutine profile: total\", \"--- contention:\" and their like; the words "
			 "of gperftools' CPU profiles",
	.answers = "which functions took how much of what was sampled, and who called them",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
};
