/* Writing a cache: the bodies, the tables with their sums, the trailer; or counting their bytes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cache/checksum.h"
#include "cache/form.h"
#include "cache/layout.h"

struct id_of {
	int64_t id;
	actor_ref ref;
};

struct out {
	cache_put put; /* NULL: bytes are only counted */
	void *context;
	struct error *err;
	uint64_t offset;
	char *piece;        /* of the tables, FORM_PIECE_BYTES; NULL while only counting */
	size_t piece_bytes; /* filled so far */
	uint64_t tables_sum;
	uint64_t *sums; /* of the bodies; NULL while only counting */
	size_t sum_count;
	struct id_of *ids; /* ascending; NULL while only counting */
};

static const char zeros[FORM_BODY_ALIGNMENT];

static bool
put(struct out *out, const void *bytes, size_t size)
{
	out->offset += size;
	return out->put == NULL || size == 0 || out->put(out->context, bytes, size, out->err);
}

/* ---- tables */

static bool
put_piece(struct out *out)
{
	size_t size = out->piece_bytes;

	out->tables_sum = checksum_more(out->tables_sum, out->piece, size);
	out->piece_bytes = 0;
	return put(out, out->piece, size);
}

static bool
add(struct out *out, const void *bytes, size_t size)
{
	const char *at = bytes;

	if (out->put == NULL)
		return put(out, bytes, size);
	while (size > 0) {
		size_t room = FORM_PIECE_BYTES - out->piece_bytes;
		size_t taken = size < room ? size : room;

		memcpy(out->piece + out->piece_bytes, at, taken);
		out->piece_bytes += taken;
		at += taken;
		size -= taken;
		if (out->piece_bytes == FORM_PIECE_BYTES && !put_piece(out))
			return false;
	}
	return true;
}

static bool
pad(struct out *out, uint64_t size)
{
	return add(out, zeros, layout_padding(size));
}

static bool
add_items(struct out *out, const void *items, size_t count, size_t item_size)
{
	return add(out, items, count * item_size) && pad(out, count * item_size);
}

static bool
add_stable(struct out *out, const struct stable_column *column)
{
	uint64_t size = (uint64_t)column->count * column->item_size;

	for (uint32_t at = 0; at < column->count;) {
		unsigned chunk = stable_chunk_of(at);
		uint32_t items = UINT32_C(1) << (STABLE_FIRST_BITS + chunk);

		if (items > column->count - at)
			items = column->count - at;
		if (!add(out, column->chunks[chunk], items * column->item_size))
			return false;
		at += items;
	}
	return pad(out, size);
}

static bool
add_column(struct out *out, const struct layout_column *column, const void *owner, uint64_t *before)
{
	const uint32_t *items;
	uint64_t count;

	if (column->is_stable)
		return add_stable(
			out, (const void *)((const char *)owner + column->pointer));
	items = layout_pointer(column, owner);
	count = layout_count_of(column, owner, *before);
	if (column->rule == LAYOUT_COUNT_AND_ONE)
		*before = items[count - 1];
	return add_items(out, items, count, column->item_size);
}

static bool
add_table(struct out *out, const struct layout *layout, const void *owner)
{
	uint64_t size = 0, before = 0;

	for (size_t i = 0; i < layout->field_count; i++) {
		const struct layout_field *field = &layout->fields[i];

		size += field->size;
		if (!add(out, (const char *)owner + field->offset, field->size))
			return false;
	}
	if (!pad(out, size))
		return false;
	for (size_t i = 0; i < layout->column_count; i++)
		if (!add_column(out, &layout->columns[i], owner, &before))
			return false;
	return true;
}

/* Lengths, the length of all, and all strings with a zero byte behind each. */
static bool
add_strings(struct out *out, const struct trace *trace)
{
	uint32_t count = intern_count(&trace->strings);
	uint64_t all = 0;
	size_t length;

	for (string_id id = 0; id < count; id++) {
		uint32_t narrow;

		intern_text(&trace->strings, id, &length);
		narrow = (uint32_t)length;
		all += length + 1;
		if (!add(out, &narrow, sizeof(narrow)))
			return false;
	}
	if (!pad(out, (uint64_t)count * sizeof(uint32_t)) || !add(out, &all, sizeof(all)))
		return false;
	for (string_id id = 0; id < count; id++) {
		const char *text = intern_text(&trace->strings, id, &length);

		if (!add(out, text, length + 1))
			return false;
	}
	return pad(out, all);
}

static bool
add_ids(struct out *out, const struct trace *trace)
{
	uint64_t count = trace->actor_of.added_count;
	actor_ref ref = 0;

	if (!add(out, &count, sizeof(count)))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (out->ids != NULL)
			ref = out->ids[i].ref;
		if (!add(out, &ref, sizeof(ref)))
			return false;
	}
	return pad(out, count * sizeof(ref));
}

static bool
add_segment(struct out *out, const struct segment *segment)
{
	if (!add_table(out, &layout_segment, segment))
		return false;
	for (uint32_t i = 0; i < segment->run_count; i++)
		if (!add(out, &segment->start[segment->runs[i].first], sizeof(*segment->start)))
			return false;
	return pad(out, (uint64_t)segment->run_count * sizeof(*segment->start));
}

/* The group whose list a part has; FORM_NO_GROUP for one of its own, which then follows. */
static uint64_t
group_of_part(const struct trace *trace, const struct change_part *part)
{
	uint64_t group = 0;

	if (part->is_own)
		return FORM_NO_GROUP;
	while (trace->groups[group].changes != part->list)
		group++;
	return group;
}

static bool
add_lists(struct out *out, const struct trace *trace)
{
	bool ok = add_table(out, &layout_list, &trace->all.rest);

	for (uint32_t i = 0; ok && i < trace->group_count; i++) {
		const struct group *group = &trace->groups[i];

		ok = add_table(out, &layout_group, group) &&
		     (group->changes == NULL || add_table(out, &layout_list, group->changes));
	}
	for (uint32_t i = 0; ok && i < trace->all.part_count; i++) {
		const struct change_part *part = &trace->all.parts[i];
		uint64_t group = group_of_part(trace, part);

		ok = add(out, &group, sizeof(group)) && add_table(out, &layout_part, part) &&
		     (group != FORM_NO_GROUP || add_table(out, &layout_list, part->list));
	}
	return ok;
}

static bool
add_tables(struct out *out, const struct trace *trace)
{
	bool ok = add_table(out, &layout_trace, trace) && add_strings(out, trace) &&
	          add_ids(out, trace) && add_lists(out, trace);

	for (uint32_t i = 0; ok && i < trace->segments.count; i++)
		ok = add_segment(out, trace_segment_head(trace, i));
	return ok && add(out, out->sums, out->sum_count * sizeof(uint64_t)) &&
	       (out->put == NULL || put_piece(out));
}

/* ---- bodies */

static void
note_sum(struct out *out, uint64_t sum)
{
	if (out->sums != NULL)
		out->sums[out->sum_count] = sum;
	out->sum_count++;
}

static bool
put_body(struct out *out, const struct layout *layout, const void *owner)
{
	if (!put(out, zeros, form_body_at(out->offset) - out->offset))
		return false;
	for (size_t i = 0; i < layout->column_count; i++) {
		const struct layout_column *column = &layout->columns[i];
		uint64_t size = layout_count_of(column, owner, 0) * column->item_size;

		if (!put(out, layout_pointer(column, owner), size) ||
		    !put(out, zeros, layout_padding(size)))
			return false;
	}
	return true;
}

static bool
put_list_body(struct out *out, const struct change_list *list)
{
	size_t slices = form_slice_count(list);

	for (size_t i = 0; i < slices; i++)
		note_sum(out, out->sums == NULL ? 0 : form_slice_sum(list, i));
	return put_body(out, &layout_list_body, list);
}

static bool
put_bodies(struct out *out, const struct trace *trace)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < trace->segments.count; i++) {
		const struct segment *segment = trace_segment_head(trace, i);

		note_sum(out, out->sums == NULL ? 0 : form_segment_sum(segment));
		ok = put_body(out, &layout_segment_body, segment);
	}
	for (size_t i = 0; ok && i < form_list_count(trace); i++) {
		const struct change_list *list = form_list(trace, i);

		ok = list == NULL || put_list_body(out, list);
	}
	return ok;
}

/* ---- the whole */

static bool
put_all(struct out *out, const struct trace *trace, const struct cache_key *key)
{
	struct form_trailer trailer;

	form_begin(&trailer, key);
	if (!put(out, FORM_FIRST_LINE, strlen(FORM_FIRST_LINE)) || !put_bodies(out, trace) ||
	    !put(out, zeros, form_body_at(out->offset) - out->offset))
		return false;
	trailer.tables_at = out->offset;
	if (!add_tables(out, trace))
		return false;
	trailer.tables_bytes = out->offset - trailer.tables_at;
	trailer.tables_sum = out->tables_sum;
	trailer.sum = form_trailer_sum(&trailer);
	return put(out, &trailer, sizeof(trailer));
}

static int
compare_ids(const void *a, const void *b)
{
	const struct id_of *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

/* The latest actor with each id, by id; nearly always they are in that order already. */
static bool
order_ids(struct out *out, const struct trace *trace)
{
	size_t count = 0;
	bool is_ordered = true;

	out->ids = array_new(trace->actor_of.added_count, sizeof(*out->ids), out->err);
	if (out->ids == NULL)
		return false;
	for (actor_ref ref = 0; ref < trace_actor_count(trace); ref++) {
		int64_t id = trace_actor(trace, ref)->id;

		if (trace_find_actor(trace, id) != ref)
			continue;
		is_ordered = is_ordered && (count == 0 || out->ids[count - 1].id < id);
		out->ids[count++] = (struct id_of){ id, ref };
	}
	if (!is_ordered)
		qsort(out->ids, count, sizeof(*out->ids), compare_ids);
	return true;
}

uint64_t
cache_size(const struct trace *trace)
{
	static const struct cache_key no_key;
	struct out out = { .put = NULL };

	put_all(&out, trace, &no_key);
	return out.offset;
}

static size_t
count_bodies(const struct trace *trace)
{
	size_t count = trace->segments.count;

	for (size_t i = 0; i < form_list_count(trace); i++)
		if (form_list(trace, i) != NULL)
			count += form_slice_count(form_list(trace, i));
	return count;
}

bool
cache_write(const struct trace *trace, const struct cache_key *key, cache_put put_bytes,
	void *context, struct error *err)
{
	struct out out = { .put = put_bytes, .context = context, .err = err };
	bool ok = false;

	assert(trace->backing == NULL && trace->of == NULL);
	if (trace->end_ns > FORM_LONGEST_NS)
		return error_set(err, ERROR_LIMIT, "the trace is too long for a cache");
	out.piece = array_new(FORM_PIECE_BYTES, 1, err);
	out.sums = array_new(count_bodies(trace), sizeof(*out.sums), err);
	if (out.piece != NULL && out.sums != NULL && order_ids(&out, trace))
		ok = put_all(&out, trace, key);
	memory_free(out.piece);
	memory_free(out.sums);
	memory_free(out.ids);
	return ok;
}
