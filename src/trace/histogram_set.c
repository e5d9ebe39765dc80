/* Buckets of all histograms stand in one array, one histogram behind the other. */
#include "trace/histogram_set.h"

#include <assert.h>

#include "base/memory.h"

struct histogram_set *
histogram_set_new(struct error *err)
{
	struct histogram_set *set = array_new(1, sizeof *set, err);
	if (set == NULL || intern_init(&set->series, err))
		return set;
	histogram_set_free(set);
	return NULL;
}

void
histogram_set_free(struct histogram_set *set)
{
	if (set == NULL)
		return;
	intern_release(&set->series);
	memory_free(set->tables);
	memory_free(set->buckets);
	memory_free(set->intervals);
	memory_free(set);
}

struct histogram_set *
histogram_set_copy(const struct histogram_set *set, struct error *err)
{
	struct histogram_set *copy = histogram_set_new(err);
	if (copy == NULL)
		return NULL;
	copy->tables = array_copy(set->tables, set->table_count, sizeof *set->tables, err);
	copy->buckets = array_copy(set->buckets, set->bucket_count, sizeof *set->buckets, err);
	copy->intervals = array_copy(set->intervals, set->interval_count, sizeof *set->intervals, err);
	copy->table_count = copy->table_capacity = set->table_count;
	copy->bucket_count = copy->bucket_capacity = set->bucket_count;
	copy->interval_count = copy->interval_capacity = set->interval_count;
	copy->series_count = set->series_count;
	if (copy->tables != NULL && copy->buckets != NULL && copy->intervals != NULL)
		return copy;
	histogram_set_free(copy);
	return NULL;
}

size_t
histogram_set_bytes(const struct histogram_set *set)
{
	return sizeof *set + intern_bytes(&set->series) + set->table_capacity * sizeof *set->tables +
	       set->bucket_capacity * sizeof *set->buckets +
	       set->interval_capacity * sizeof *set->intervals;
}

bool
histogram_set_add_interval(struct histogram_set *set, string_id text, int64_t end_s, struct error *err)
{
	if (set->interval_count > 0 && set->intervals[set->interval_count - 1].end_s == end_s)
		return true;
	if (!array_reserve(&set->intervals, &set->interval_capacity, set->interval_count + 1,
		    sizeof *set->intervals, err))
		return false;
	set->intervals[set->interval_count++] = (struct histogram_interval){ .text = text, .end_s = end_s };
	return true;
}

bool
histogram_set_begin(struct histogram_set *set, string_id label, string_id section, uint32_t interval,
	struct error *err)
{
	const string_id name[] = { label, section };
	string_id series;
	if (!intern_add(&set->series, (const char *)name, sizeof name, &series, err) ||
		!array_reserve(&set->tables, &set->table_capacity, set->table_count + 1,
			sizeof *set->tables, err))
		return false;
	if (series > set->series_count)
		set->series_count = series;
	if (interval != INTERVAL_NONE)
		set->intervals[interval].has_tables = true;
	set->tables[set->table_count++] = (struct histogram_table){
		.label = label,
		.section = section,
		.interval = interval,
		.series = series - 1,
		.first = set->bucket_count,
	};
	return true;
}

bool
histogram_set_add(struct histogram_set *set, const struct bucket *bucket, struct error *err)
{
	struct histogram_table *table = &set->tables[set->table_count - 1];
	assert(bucket->low < bucket->high);
	assert(table->count == 0 || set->buckets[set->bucket_count - 1].high <= bucket->low);
	if (!array_reserve(&set->buckets, &set->bucket_capacity, set->bucket_count + 1,
		    sizeof *set->buckets, err))
		return false;
	set->buckets[set->bucket_count++] = *bucket;
	table->count++;
	table->total += bucket->count;
	return true;
}
