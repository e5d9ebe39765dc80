/* The table of parts: looked up by time. */
#include "trace/parts.h"

#include "base/memory.h"
#include "base/sorted.h"

/* The first part that ends behind t, or the last. There are some. */
static size_t
index_at(const struct parts *parts, int64_t t_ns)
{
	return sorted_until_field(parts->rows, parts->count - 1, sizeof *parts->rows,
		offsetof(struct part, to_ns), t_ns);
}

enum parts_extent
parts_extent(const struct parts *parts, int64_t t0_ns, int64_t t1_ns)
{
	bool has_loaded = false, has_missing = false;

	if (parts->count == 0)
		return PARTS_LOADED;
	for (size_t i = index_at(parts, t0_ns); i < parts->count && !(has_loaded && has_missing);
	     i++) {
		const struct part *part = &parts->rows[i];

		if (part->from_ns >= t1_ns && (has_loaded || has_missing))
			break;
		has_loaded |= part->is_loaded;
		has_missing |= !part->is_loaded;
	}
	if (!has_missing)
		return PARTS_LOADED;
	return has_loaded ? PARTS_MIXED : PARTS_NOT_LOADED;
}

bool
parts_clip(const struct parts *parts, int64_t *t0_ns, int64_t *t1_ns)
{
	int64_t from_ns = *t1_ns, until_ns = *t0_ns;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->rows[i];

		if (!part->is_loaded || part->to_ns <= *t0_ns || part->from_ns >= *t1_ns)
			continue;
		if (part->from_ns < from_ns)
			from_ns = part->from_ns > *t0_ns ? part->from_ns : *t0_ns;
		until_ns = part->to_ns < *t1_ns ? part->to_ns : *t1_ns;
	}
	if (from_ns >= until_ns || (from_ns == *t0_ns && until_ns == *t1_ns))
		return false;
	*t0_ns = from_ns;
	*t1_ns = until_ns;
	return true;
}

const struct part *
parts_at(const struct parts *parts, int64_t t_ns)
{
	return parts->count == 0 ? NULL : &parts->rows[index_at(parts, t_ns)];
}

size_t
parts_missing(const struct parts *parts, uint64_t *bytes)
{
	size_t count = 0;

	*bytes = 0;
	for (size_t i = 0; i < parts->count; i++) {
		if (parts->rows[i].is_loaded)
			continue;
		count++;
		*bytes += parts->rows[i].bytes;
	}
	return count;
}

void
parts_rebase(struct parts *parts, int64_t origin_ns)
{
	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->rows[i];

		part->from_ns = i == 0 ? 0 : part->from_ns - origin_ns;
		part->to_ns -= origin_ns;
		if (part->to_ns < part->from_ns)
			part->to_ns = part->from_ns;
	}
}

bool
parts_copy(struct parts *copy, const struct parts *parts, struct error *err)
{
	if (parts->count == 0)
		return true;
	copy->rows = array_copy(parts->rows, parts->count, sizeof(*parts->rows), err);
	copy->count = copy->rows != NULL ? parts->count : 0;
	return copy->rows != NULL;
}

void
parts_release(struct parts *parts)
{
	memory_free(parts->rows);
	*parts = (struct parts){ 0 };
}
