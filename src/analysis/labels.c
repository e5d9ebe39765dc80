/* What stands beside samples: how much those with each label weigh. */
#include <stdlib.h>
#include <string.h>

#include "analysis/profile_request.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"

/* A label by its text, "tenant:acme". */
struct row {
	const char *text;
	size_t length, key_length;
	int64_t weight;
	uint64_t samples;
	size_t seen_in; /* the last sample that it was in, counted from 1 */
};

struct rows {
	struct intern texts;
	struct row *items; /* by the id of the text; the first is none */
	size_t count, capacity;
};

static bool
add_label(struct rows *rows, const struct trace *trace, size_t sample, size_t index, int64_t weight,
	struct error *err)
{
	struct sample_label label = sample_set_label(trace->samples, sample, index);
	struct text text = { 0 };
	string_id id = STRING_EMPTY;
	profile_label_add(&text, trace, &label);
	bool is_fine = !text.failed && intern_add(&rows->texts, text.bytes, text.length, &id, err) &&
		       array_reserve(&rows->items, &rows->capacity, (size_t)id + 1, sizeof *rows->items, err);
	text_release(&text);
	if (!is_fine)
		return err->kind != ERROR_NONE ? false : error_set_memory(err, "the labels");
	for (; rows->count <= id; rows->count++)
		rows->items[rows->count] = (struct row){ .weight = 0 };
	struct row *row = &rows->items[id];
	row->text = intern_text(&rows->texts, id, &row->length);
	trace_text(trace, label.key, &row->key_length);
	if (row->seen_in == sample + 1)
		return true;
	row->seen_in = sample + 1;
	row->samples++;
	row->weight = saturating_add_i64(row->weight, weight);
	return true;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = text_compare(a->text, a->key_length, b->text, b->key_length);
	if (order != 0)
		return order;
	uint64_t weights[] = { magnitude_i64(a->weight), magnitude_i64(b->weight) };
	if (weights[0] != weights[1])
		return weights[0] > weights[1] ? -1 : 1;
	return text_compare(a->text, a->length, b->text, b->length);
}

/* Samples with that label alone, of the usual type: the text is no pattern. */
static void
parameter_of(const char *name, size_t length, struct text *parameter)
{
	text_add_string(parameter, ",label='");
	for (size_t i = 0; i < length; i++) {
		text_add(parameter, name + i, 1);
		if (name[i] == ',')
			text_add_string(parameter, ",");
	}
}

static bool
tell(const struct rows *rows, const struct profile *profile, struct result_sink *sink, struct error *err)
{
	const struct measure *measure = &profile->measure;
	const struct result_column columns[] = {
		DIMENSION("label", "label", FIGURE_TEXT, .least_cells = 12),
		MEASURE(measure_key(measure), measure_title(measure), measure->type,
			.decimals = (uint8_t)measure->decimals, .hue = HUE_RUNNING),
		MEASURE("percent", "%", FIGURE_PERCENT),
		MEASURE("samples", "samples", FIGURE_COUNT, .rank = 1),
	};
	const struct result_table table = {
		.name = "labels",
		.title = "By label",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 1,
		.none = "no sample has labels",
		.opens = "tree",
		.parameter_of = parameter_of,
	};
	double whole = (double)profile_total(profile);
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < rows->count; i++) {
		const struct row *row = &rows->items[i];
		double share = whole > 0 ? (double)row->weight / whole : 0;
		int64_t cells[] = { 0, measure_cell(measure, row->weight),
			figure_of_share(share < 0 ? -share : share), (int64_t)row->samples };
		is_fine = result_text(sink, row->text, row->length, &cells[0], err) &&
			  sink->row(sink, cells, NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

static bool
gather(struct rows *rows, const struct trace *trace, const struct profile_scope *scope, struct error *err)
{
	const struct sample_set *set = trace->samples;
	struct profile_choice *choice = profile_choice_new(trace, scope, err);
	bool is_fine = choice != NULL;
	for (size_t i = 0; is_fine && i < set->count; i++) {
		is_fine = search_watch_check_item(scope->watch, i, err);
		if (!sample_set_is_of(set, i, scope->type) || !profile_choice_is_within(choice, i))
			continue;
		int64_t weight = sample_set_weight(set, i, scope->type);
		size_t count = sample_set_label_count(set, i);
		for (size_t n = 0; is_fine && n < count; n++)
			is_fine = add_label(rows, trace, i, n, weight, err);
	}
	profile_choice_free(choice);
	if (!is_fine)
		return false;
	if (rows->count > 0)
		memmove(rows->items, rows->items + 1, --rows->count * sizeof *rows->items);
	if (rows->count > 0)
		qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
	return true;
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct profile_request request = profile_request_of(work);
	struct profile profile;
	struct rows rows = { .count = 0 };
	if (!profile_request_settle(&request, work->trace, err) ||
		!profile_request_build(&request, work->trace, &profile, err))
		return false;
	bool is_fine = intern_init(&rows.texts, err) && gather(&rows, profile.trace, &request.scope, err) &&
		       tell(&rows, &profile, sink, err);
	intern_release(&rows.texts);
	memory_free(rows.items);
	profile_release(&profile);
	return is_fine;
}

static const char *const listed[] = { "labels", NULL };

const struct analysis_kind labels_kind = {
	.name = "labels",
	.help = "what stands beside samples, by what they weigh",
	.heading = "Labels of samples",
	.title = "Labels of samples",
	.needs = NEEDS_SAMPLES,
	.parameters = "TYPE, a type of the samples",
	.listed = listed,
	.read = profile_request_new,
	.forget = profile_request_free,
	.fill = fill,
};
