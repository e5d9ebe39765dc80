/* Finds rows of the table of sources, and chooses among them. */
#include "source/source.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "input/stranger.h"
#include "input/unpack.h"
#include "trace/document.h"
#include "trace/histogram_set.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

enum { FIRST_BYTES = 16 }; /* that are looked at first: a header of Go's */

/* ---- the rows */

#define ROW(name) &name##_source,
static const struct source *const rows[] = { SOURCE_TABLE(ROW) };
#undef ROW

#define NAME(name) #name,
const char *const source_names[] = { SOURCE_TABLE(NAME) NULL };
#undef NAME

const struct source *
source_row(size_t index)
{
	return index < ARRAY_LENGTH(rows) ? rows[index] : NULL;
}

const struct source *
source_find(const char *name)
{
	const struct source *row;
	for (size_t i = 0; (row = source_row(i)) != NULL && strcmp(row->name, name) != 0; i++)
		;
	return row;
}

void
source_add_names(struct text *out, const char *last)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (i > 0 && i + 1 == ARRAY_LENGTH(rows))
			text_format(out, " %s ", last);
		else if (i > 0)
			text_add_string(out, ", ");
		text_add_string(out, rows[i]->name);
	}
}

/* ---- the choice */

/* How an input begins. */
struct head {
	const uint8_t *bytes;
	size_t size;
	struct input memory;      /* what was looked at of the input, */
	struct unpacked unpacked; /* which is unpacked without taking any of it */
};

/*
 * Of a packed input maybe none: `size` is 0 then. bytes: of the input, as far as it was looked at; is_all:
 * it ends there.
 */
static bool
open_head(struct head *head, const uint8_t *bytes, size_t size, bool is_all, struct error *err)
{
	*head = (struct head){ .bytes = bytes, .size = size, .memory = { .fd = -1 } };
	head->unpacked.in = &head->memory;
	if (unpack_recognise(bytes, size) == NULL)
		return true;
	head->size = 0;
	struct error cause;
	error_clear(&cause);
	if (!input_open_memory(&head->memory, bytes, size, err))
		return false;
	if (unpacked_open(&head->unpacked, &head->memory, &cause) &&
	    input_peek(head->unpacked.in, SOURCE_HEAD_BYTES, &head->bytes, &head->size, &cause))
		return true;
	/* What was cut off by looking at so little is no fault. */
	head->size = 0;
	if (!is_all && cause.kind != ERROR_MEMORY)
		return true;
	unpacked_explain(&head->unpacked, &cause);
	*err = cause;
	return false;
}

static void
close_head(struct head *head)
{
	if (head->unpacked.count > 0)
		unpacked_close(&head->unpacked);
	input_close(&head->memory);
}

static bool
is_packed(const struct head *head)
{
	return head->unpacked.count > 0;
}

/* The surest of all, or what `only` says. */
static struct source_match
match_head(const struct head *head, const struct source *only)
{
	struct source_match match = { .source = NULL };
	unsigned kinds = 0; /* that may stand in other text */
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		unsigned points = 0;
		bool is_asked = only == NULL ? !rows[i]->has_others || kinds > 1 : only == rows[i];
		if (is_asked)
			points = rows[i]->recognise(head->bytes, head->size);
		kinds += rows[i]->has_lines && points >= SOURCE_PART_LEAST;
		if (points > match.points)
			match = (struct source_match){ rows[i], points };
	}
	if (match.points < SOURCE_LEAST)
		match.source = NULL;
	if (only != NULL)
		match.source = only;
	return match;
}

static void
add_first_bytes(struct text *out, const struct head *head)
{
	enum { SHOWN = 16 };
	text_add_string(out, "it begins with the bytes");
	for (size_t i = 0; i < head->size && i < SHOWN; i++)
		text_format(out, " %02x", head->bytes[i]);
}

static bool
refuse(const struct head *head, struct error *err)
{
	struct text what = { 0 }, names = { 0 };
	char name[STRANGER_NAME_BYTES];
	if (head->size == 0)
		text_add_string(&what, "there is nothing in it");
	else if (stranger_name(head->bytes, head->size, name))
		text_format(&what, "this is %s", name);
	else
		add_first_bytes(&what, head);
	source_add_names(&names, "nor");
	error_set_at(err, ERROR_FORMAT, 0, "no trace that ttrace knows: %s; it is neither %s "
		"(ttrace --sources tells more)", text_string(&what), text_string(&names));
	text_release(&what);
	text_release(&names);
	unpacked_explain(&head->unpacked, err);
	err->offset_bytes = ERROR_NO_OFFSET; /* it is about all of it */
	return false;
}

bool
source_recognise(struct source_match *match, const char *name, struct input *in, struct error *err)
{
	const struct source *only = name != NULL ? source_find(name) : NULL;
	struct source_match found = { .source = NULL };
	bool is_fine = true, is_done = false;
	for (size_t wanted = FIRST_BYTES; !is_done; wanted *= 4) {
		const uint8_t *bytes;
		size_t size;
		struct head head;
		if (!input_peek(in, wanted, &bytes, &size, err))
			return false;
		is_fine = open_head(&head, bytes, size, size < wanted, err);
		if (is_fine)
			found = match_head(&head, only);
		is_done = !is_fine || size < wanted || wanted == SOURCE_HEAD_BYTES ||
			  found.points >= SOURCE_SURE;
		/* What needs more than that to be unpacked is left to the first row, which does so. */
		if (is_done && is_fine && found.source == NULL && is_packed(&head) &&
			head.size == 0 && size == wanted)
			found.source = rows[0];
		if (is_done && is_fine && found.source == NULL)
			is_fine = refuse(&head, err);
		close_head(&head);
	}
	if (is_fine)
		*match = found;
	return is_fine;
}

static bool
choose_type(struct trace *trace, const char *name, struct error *err)
{
	struct sample_set *set = trace->samples;
	unsigned type = set == NULL ? 0
				    : sample_set_find_type(set, &trace->strings, name, strlen(name));
	if (set == NULL || type == set->type_count)
		return error_set(err, ERROR_USAGE, "--sample-type=%s: there are no samples of that type", name);
	set->usual_type = type;
	return true;
}

/* The part that is meant: of a number, or the first of a kind. */
static const struct document_part *
find_part(const struct document *document, const char *section)
{
	for (size_t i = 0; i < document->part_count; i++) {
		char number[24];
		snprintf(number, sizeof number, "%zu", i + 1);
		if (strcmp(section, number) == 0 || strcmp(section, document->parts[i].source) == 0)
			return &document->parts[i];
	}
	return NULL;
}

static bool
refuse_section(const struct document *document, const char *section, struct error *err)
{
	struct text parts = { 0 };
	for (size_t i = 0; i < document->part_count; i++)
		text_format(&parts, "%s%zu %s", i > 0 ? ", " : "", i + 1, document->parts[i].source);
	error_set(err, ERROR_USAGE, "--section=%s: there is no such part; there are %s", section,
		text_string(&parts));
	text_release(&parts);
	return false;
}

/* A part of a text as what it is; the text is freed. */
static struct trace *
load_part(struct trace *text, const struct source_wish *wish, struct error *err)
{
	const struct document_part *part = find_part(text->document, wish->section);
	struct source_wish whole = *wish;
	struct trace *trace = NULL;
	struct input in;
	whole.section = NULL;
	if (part == NULL)
		refuse_section(text->document, wish->section, err);
	else if (input_open_memory(&in, text->document->bytes + part->from, part->until - part->from, err)) {
		trace = source_load(&in, part->source, &whole, err);
		input_close(&in);
	}
	trace_free(text);
	return trace;
}

/* The progress is that of what comes out of all packings. */
static struct trace *
load_whole(const struct source *source, struct input *in, const struct source_wish *wish,
	struct error *err)
{
	struct progress *outer = in->progress;
	if (wish->progress != NULL) {
		atomic_store(&wish->progress->from_bytes, 0);
		atomic_store(&wish->progress->total_bytes, in->total_bytes);
		in->progress = wish->progress;
	}
	struct trace *trace = source->load(in, wish, err);
	in->progress = outer;
	return trace;
}

static bool
is_empty(const struct trace *trace)
{
	return trace->event_count == 0 && (trace->samples == NULL || trace->samples->count == 0) &&
	       (trace->ready == NULL || trace->ready->table_count == 0) &&
	       (trace->histograms == NULL || trace->histograms->table_count == 0);
}

struct trace *
source_load(struct input *in, const char *name, const struct source_wish *wish, struct error *err)
{
	struct source_match match;
	struct progress *outer = in->progress;
	if (wish->progress != NULL)
		in->progress = wish->progress;
	bool is_fine = source_recognise(&match, name, in, err);
	if (is_fine && match.source->is_whole && wish->bound != NULL)
		is_fine = error_set(err, ERROR_USAGE,
			"--memory: %s is only loaded whole, not in parts", match.source->name);
	if (is_fine && match.source->ask != NULL && name == NULL)
		is_fine = match.source->ask(in, err);
	struct trace *trace = NULL;
	struct unpacked unpacked = { .in = in };
	if (is_fine && !match.source->is_whole) {
		trace = match.source->load(in, wish, err);
	} else if (is_fine) {
		if (unpacked_open(&unpacked, in, err))
			trace = load_whole(match.source, unpacked.in, wish, err);
		if (trace == NULL)
			unpacked_explain(&unpacked, err);
		unpacked_close(&unpacked);
	}
	in->progress = outer;
	if (trace != NULL && wish->section != NULL && trace->document != NULL)
		return load_part(trace, wish, err);
	if (trace != NULL && wish->section != NULL && strcmp(wish->section, "1") != 0 &&
		strcmp(wish->section, match.source->name) != 0) {
		error_set(err, ERROR_USAGE, "--section=%s: it is one input, of %s", wish->section,
			match.source->name);
		trace_free(trace);
		return NULL;
	}
	if (trace != NULL && wish->sample_type != NULL && !choose_type(trace, wish->sample_type, err)) {
		trace_free(trace);
		return NULL;
	}
	/* Readers of text make a trace of anything, which they were told to read. */
	if (trace != NULL && match.points < SOURCE_LEAST && name != NULL && is_empty(trace)) {
		trace_free(trace);
		trace = NULL;
		error_set(err, ERROR_FORMAT, "%s finds nothing of its own in it", match.source->name);
	}
	return trace;
}
