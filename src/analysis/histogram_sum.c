/* Buckets are sorted to be added up; counts of all together fit, as the set sees to. */
#include "analysis/histogram_sum.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- adding */

static int
compare(const struct bucket *a, const struct bucket *b)
{
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return a->low < b->low ? -1 : a->low > b->low;
}

static int
compare_items(const void *left, const void *right)
{
	return compare(left, right);
}

/* Behind what is there; unite() brings it in order. */
static bool
append(struct histogram_sum *sum, const struct histogram_set *set, const struct histogram_table *table,
	struct error *err)
{
	if (!array_reserve(&sum->buckets, &sum->capacity, sum->count + table->count,
		    sizeof *sum->buckets, err))
		return false;
	memcpy(sum->buckets + sum->count, set->buckets + table->first, table->count * sizeof *sum->buckets);
	sum->count += table->count;
	sum->total += table->total;
	return true;
}

/* Buckets become ascending, and those of the same ends one. */
static bool
unite(struct histogram_sum *sum, struct error *err)
{
	const struct sort sort = { sum->buckets, sum->count, sizeof *sum->buckets, compare_items };
	size_t count = 0;
	if (!sort_items(&sort, NULL, err))
		return false;
	sum->overlaps = false;
	for (size_t i = 0; i < sum->count; i++) {
		const struct bucket bucket = sum->buckets[i];
		if (count > 0 && compare(&sum->buckets[count - 1], &bucket) == 0) {
			sum->buckets[count - 1].count += bucket.count;
			continue;
		}
		sum->overlaps |= count > 0 && bucket.low < sum->buckets[count - 1].high;
		sum->buckets[count++] = bucket;
	}
	sum->count = count;
	return true;
}

bool
histogram_sum_of(struct histogram_sum *sum, const struct histogram_set *set,
	const struct histogram_table *table, struct error *err)
{
	sum->count = 0;
	sum->total = 0;
	sum->overlaps = false;
	return append(sum, set, table, err);
}

void
histogram_sum_subtract(struct histogram_sum *sum, const struct bucket *before, size_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < sum->count; i++) {
		while (at < count && compare(&before[at], &sum->buckets[i]) < 0)
			at++;
		if (at == count || compare(&before[at], &sum->buckets[i]) != 0)
			continue;
		uint64_t less = before[at].count < sum->buckets[i].count ? before[at].count
									 : sum->buckets[i].count;
		sum->buckets[i].count -= less;
		sum->total -= less;
	}
}

void
histogram_sum_release(struct histogram_sum *sum)
{
	memory_free(sum->buckets);
	*sum = (struct histogram_sum){ 0 };
}

/* ---- what it tells */

const struct bucket *
histogram_sum_quantile(const struct histogram_sum *sum, uint64_t part, uint64_t whole)
{
	uint64_t running = 0;
	/* The least count that is part/whole of all, without a product that is too large. */
	uint64_t wanted = sum->total / whole * part + (sum->total % whole * part + whole - 1) / whole;
	for (size_t i = 0; i < sum->count && !sum->overlaps; i++) {
		running += sum->buckets[i].count;
		if (sum->buckets[i].count > 0 && running >= wanted)
			return &sum->buckets[i];
	}
	return NULL;
}

/* INT64_MAX and INT64_MIN stand for what does not fit. */
static int64_t
add_product(int64_t sum, int64_t value, uint64_t count)
{
	int64_t product = saturating_mul_i64(value, (int64_t)count);
	return saturating_add_i64(sum, product);
}

bool
histogram_sum_mean(const struct histogram_sum *sum, int64_t *low, int64_t *high)
{
	int64_t least = 0, most = 0, total = (int64_t)sum->total;
	if (total == 0)
		return false;
	for (size_t i = 0; i < sum->count; i++) {
		const struct bucket *bucket = &sum->buckets[i];
		if (bucket->count == 0)
			continue;
		if (bucket->low == BUCKET_OPEN_LOW || bucket->high == BUCKET_OPEN_HIGH)
			return false;
		least = add_product(least, bucket->low, bucket->count);
		most = add_product(most, bucket->high, bucket->count);
		if (least <= -INT64_MAX || least == INT64_MAX || most <= -INT64_MAX || most == INT64_MAX)
			return false;
	}
	/* Down and up, so that the bounds hold. */
	*low = least / total - (least % total < 0);
	*high = most / total + (most % total > 0);
	return true;
}

/* ---- series */

/* Whether no bucket has less than in the one before, where some have more. */
static bool
grows(const struct histogram_set *set, const struct histogram_table *before,
	const struct histogram_table *table, bool *has_grown)
{
	const struct bucket *old = set->buckets + before->first, *end = old + before->count;
	for (size_t i = 0; i < table->count; i++) {
		const struct bucket *bucket = &set->buckets[table->first + i];
		for (; old < end && compare(old, bucket) < 0; old++)
			if (old->count > 0)
				return false;
		uint64_t was = 0;
		if (old < end && compare(old, bucket) == 0)
			was = old++->count;
		if (bucket->count < was)
			return false;
		*has_grown |= bucket->count > was;
	}
	for (; old < end; old++)
		if (old->count > 0)
			return false;
	return true;
}

static bool
is_cumulative(const struct histogram_order *order, const struct histogram_set *set, uint32_t series)
{
	bool has_grown = false;
	for (size_t i = order->first[series] + 1; i < order->first[series + 1]; i++)
		if (!grows(set, order->tables[i - 1], order->tables[i], &has_grown))
			return false;
	return has_grown;
}

bool
histogram_order_build(struct histogram_order *order, const struct histogram_set *set, struct error *err)
{
	*order = (struct histogram_order){ .series_count = set->series_count };
	order->tables = array_new(set->table_count, sizeof *order->tables, err);
	order->first = array_new((size_t)set->series_count + 2, sizeof *order->first, err);
	order->is_cumulative = array_new(set->series_count, sizeof *order->is_cumulative, err);
	if (order->tables == NULL || order->first == NULL || order->is_cumulative == NULL) {
		histogram_order_release(order);
		return false;
	}
	/* Counted two further on, so that placing them leaves each at its beginning. */
	for (size_t i = 0; i < set->table_count; i++)
		order->first[set->tables[i].series + 2]++;
	for (uint32_t i = 2; i < set->series_count + 2; i++)
		order->first[i] += order->first[i - 1];
	for (size_t i = 0; i < set->table_count; i++)
		order->tables[order->first[set->tables[i].series + 1]++] = &set->tables[i];
	for (uint32_t i = 0; i < set->series_count; i++)
		order->is_cumulative[i] = is_cumulative(order, set, i);
	return true;
}

void
histogram_order_release(struct histogram_order *order)
{
	memory_free(order->tables);
	memory_free(order->first);
	memory_free(order->is_cumulative);
	*order = (struct histogram_order){ 0 };
}

bool
histogram_order_is_over_time(const struct histogram_order *order, uint32_t series)
{
	uint32_t first = order->tables[order->first[series]]->interval;
	uint32_t last = order->tables[order->first[series + 1] - 1]->interval;
	return first != INTERVAL_NONE && first != last;
}

bool
histogram_order_sum(const struct histogram_order *order, const struct histogram_set *set,
	uint32_t series, struct histogram_sum *sum, struct error *err)
{
	enum { LEAST_BUCKETS = 1024 };
	size_t i = order->first[series], until = order->first[series + 1], united = 0;
	if (order->is_cumulative[series])
		i = until - 1;
	if (!histogram_sum_of(sum, set, order->tables[i], err))
		return false;
	while (++i < until) {
		if (!append(sum, set, order->tables[i], err))
			return false;
		/* Not at each, which is quadratic where they have few in common; nor of all at once. */
		if (sum->count < 2 * united + LEAST_BUCKETS)
			continue;
		if (!unite(sum, err))
			return false;
		united = sum->count;
	}
	return unite(sum, err);
}

bool
histogram_order_table(const struct histogram_order *order, const struct histogram_set *set, size_t index,
	bool has_differences, struct histogram_sum *sum, struct error *err)
{
	const struct histogram_table *table = order->tables[index];
	if (!histogram_sum_of(sum, set, table, err))
		return false;
	if (has_differences && order->is_cumulative[table->series] && index > order->first[table->series]) {
		const struct histogram_table *before = order->tables[index - 1];
		histogram_sum_subtract(sum, set->buckets + before->first, before->count);
	}
	return true;
}

/* ---- words */

bool
interval_names_build(struct interval_names *names, const struct trace *trace, bool ascii, struct error *err)
{
	const struct histogram_set *set = trace->histograms;
	names->items = array_new(set->interval_count, sizeof *names->items, err);
	if (names->items == NULL)
		return false;
	for (size_t i = 0; i < set->interval_count; i++) {
		size_t length;
		const char *bytes = trace_text(trace, set->intervals[i].text, &length);
		text_add_safe(&names->text, bytes, length, ascii);
		text_add(&names->text, "", 1);
	}
	if (names->text.failed)
		return error_set_memory(err, "intervals");
	/* The text stays where it is from now on. */
	const char *at = names->text.bytes;
	for (size_t i = 0; i < set->interval_count; i++, at += strlen(at) + 1)
		names->items[i] = at;
	return true;
}

void
interval_names_release(struct interval_names *names)
{
	memory_free(names->items);
	text_release(&names->text);
}

void
text_add_histogram(struct text *out, const struct trace *trace, const struct histogram_table *table,
	uint32_t interval, bool ascii)
{
	size_t length;
	const char *bytes = trace_text(trace, table->label, &length);
	if (length == 0)
		text_add_string(out, "(no label)");
	text_add_safe(out, bytes, length, ascii);
	bytes = trace_text(trace, table->section, &length);
	text_add_string(out, length > 0 ? ", " : "");
	text_add_safe(out, bytes, length, ascii);
	if (interval == INTERVAL_NONE)
		return;
	bytes = trace_text(trace, trace->histograms->intervals[interval].text, &length);
	text_add_string(out, ", until ");
	text_add_safe(out, bytes, length, ascii);
}

void
text_add_bucket(struct text *out, const struct bucket *bucket)
{
	if (bucket->low == BUCKET_OPEN_LOW)
		text_format(out, "below %" PRId64, bucket->high);
	else if (bucket->high == BUCKET_OPEN_HIGH)
		text_format(out, "from %" PRId64, bucket->low);
	else
		text_format(out, "[%" PRId64 ", %" PRId64 ")", bucket->low, bucket->high);
}
