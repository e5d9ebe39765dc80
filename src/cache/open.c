/*
 * Opening a cache: the tables are read in the order in which they were written, then every body
 * gets its place. Pointers lead into the mapping, which is private and may be written to, as that
 * is how a part that is damaged becomes an empty one; the file never changes by it.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cache/check.h"
#include "cache/checksum.h"
#include "cache/form.h"
#include "cache/layout.h"
#include "trace/words.h"

struct opened {
	struct backing backing; /* first */
	struct trace *trace;
	char *bytes;
	size_t size;
	bool is_mapped; /* else the bytes are ours to free */
	bool has_sums;  /* else every checksum is taken for right */
	struct arena arena;
	pthread_mutex_t lock; /* held while a part is checked */
	const uint64_t *sums; /* of bodies: a segment each, then slices of lists */
	size_t sum_count;
};

/* Where reading is. Nothing before `at` is read again. */
struct place {
	struct opened *opened;
	char *at, *end;
	struct error *err;
};

static bool
fail(struct error *err)
{
	return error_set(err, ERROR_FORMAT, "the cache is damaged");
}

static bool
is_sum(const struct opened *opened, uint64_t sum, uint64_t stored)
{
	return sum == stored || !opened->has_sums;
}

/* ---- tables */

static void *
take(struct place *place, uint64_t count, size_t item_size)
{
	char *items = place->at;
	uint64_t left = (uint64_t)(place->end - place->at), size;

	if (count > left / item_size || layout_padding(count * item_size) > left - count * item_size) {
		fail(place->err);
		return NULL;
	}
	size = count * item_size;
	place->at += size + layout_padding(size);
	return items;
}

static size_t
field_bytes(const struct layout *layout)
{
	size_t size = 0;

	for (size_t i = 0; i < layout->field_count; i++)
		size += layout->fields[i].size;
	return size;
}

static bool
take_fields(struct place *place, const struct layout *layout, void *owner)
{
	const char *bytes = take(place, field_bytes(layout), 1);

	for (size_t i = 0; bytes != NULL && i < layout->field_count; i++) {
		memcpy((char *)owner + layout->fields[i].offset, bytes, layout->fields[i].size);
		bytes += layout->fields[i].size;
	}
	return bytes != NULL;
}

static bool
take_columns(struct place *place, const struct layout *layout, void *owner)
{
	uint64_t before = 0;

	for (size_t i = 0; i < layout->column_count; i++) {
		const struct layout_column *column = &layout->columns[i];
		uint64_t count = layout_count_of(column, owner, before);
		void *items = take(place, count, column->item_size);

		if (items == NULL)
			return false;
		if (column->is_stable)
			*(struct stable_column *)(void *)((char *)owner + column->pointer) =
				stable_over(items, column->item_size, (uint32_t)count);
		else
			layout_set_pointer(column, owner,
				count == 0 && column->rule == LAYOUT_WIDE ? NULL : items);
		if (column->rule == LAYOUT_COUNT_AND_ONE)
			before = ((const uint32_t *)items)[count - 1];
	}
	return true;
}

static bool
take_table(struct place *place, const struct layout *layout, void *owner)
{
	return take_fields(place, layout, owner) && take_columns(place, layout, owner);
}

/* Room for our own items, each of which takes so many bytes of what is left at least. */
static void *
allocate(struct place *place, uint64_t count, size_t item_size, size_t stored_size)
{
	void *items = NULL;

	if (count > (uint64_t)(place->end - place->at) / stored_size) {
		fail(place->err);
		return NULL;
	}
	items = arena_alloc(&place->opened->arena, count * item_size);
	if (items == NULL)
		error_set_memory(place->err, "the trace");
	else
		memset(items, 0, count * item_size);
	return items;
}

static bool
take_strings(struct place *place)
{
	struct trace *trace = place->opened->trace;
	struct packed_strings strings = { .count = trace->strings.entries.count };
	const uint64_t *size = NULL;

	strings.lengths = take(place, strings.count, sizeof(*strings.lengths));
	if (strings.lengths != NULL)
		size = take(place, 1, sizeof(*size));
	if (size == NULL)
		return false;
	strings.size = *size;
	strings.bytes = take(place, *size, 1);
	return strings.bytes != NULL &&
	       intern_over(&trace->strings, &place->opened->arena, &strings, place->err);
}

static bool
take_ids(struct place *place)
{
	struct trace *trace = place->opened->trace;
	const uint64_t *count = take(place, 1, sizeof(*count));

	if (count == NULL || *count > UINT32_MAX)
		return fail(place->err);
	trace->actor_id_count = (uint32_t)*count;
	trace->actors_by_id = take(place, *count, sizeof(*trace->actors_by_id));
	return trace->actors_by_id != NULL;
}

static bool
take_list(struct place *place, struct change_list *list)
{
	struct change_slices *slices;

	if (!take_table(place, &layout_list, list))
		return false;
	slices = allocate(place, 1, sizeof(*slices), 1);
	if (slices == NULL)
		return false;
	slices->count = form_slice_count(list);
	slices->backing = &place->opened->backing;
	slices->are_checked = allocate(place, slices->count, sizeof(*slices->are_checked), 1);
	list->slices = slices;
	return slices->are_checked != NULL;
}

static bool
take_groups(struct place *place)
{
	struct trace *trace = place->opened->trace;

	trace->groups = allocate(place, trace->group_count, sizeof(*trace->groups),
		field_bytes(&layout_group));
	for (uint32_t i = 0; trace->groups != NULL && i < trace->group_count; i++) {
		struct group *group = &trace->groups[i];

		if (!take_table(place, &layout_group, group))
			return false;
		if (group->count < 2)
			continue;
		group->changes = allocate(place, 1, sizeof(*group->changes), 1);
		if (group->changes == NULL || !take_list(place, group->changes))
			return false;
	}
	return trace->groups != NULL;
}

static bool
take_part(struct place *place, struct change_part *part)
{
	struct trace *trace = place->opened->trace;
	const uint64_t *group = take(place, 1, sizeof(*group));

	if (group == NULL || !take_table(place, &layout_part, part))
		return false;
	part->is_own = *group == FORM_NO_GROUP;
	if (part->is_own) {
		part->list = allocate(place, 1, sizeof(*part->list), 1);
		return part->list != NULL && take_list(place, part->list);
	}
	if (*group < trace->group_count)
		part->list = trace->groups[*group].changes;
	return part->list != NULL || fail(place->err);
}

static bool
take_parts(struct place *place)
{
	struct all_changes *all = &place->opened->trace->all;
	bool ok = all->part_count <= CHANGE_PARTS || fail(place->err);

	for (uint32_t i = 0; ok && i < all->part_count; i++)
		ok = take_part(place, &all->parts[i]);
	return ok;
}

static bool
take_segments(struct place *place)
{
	struct trace *trace = place->opened->trace;
	uint32_t count = trace->segments.count;
	size_t stored = field_bytes(&layout_segment);
	struct segment *segments = allocate(place, count, sizeof(*segments), stored);
	struct segment_place *places = allocate(place, count, sizeof(*places), stored);

	if (segments == NULL || places == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		atomic_init(&segments[i].is_unchecked, true);
		if (!take_table(place, &layout_segment, &segments[i]))
			return false;
		segments[i].run_starts =
			take(place, segments[i].run_count, sizeof(*segments[i].run_starts));
		if (segments[i].run_starts == NULL)
			return false;
		places[i] = segment_place_of(&segments[i]);
	}
	trace->segments = stable_over(places, sizeof(*places), count);
	return true;
}

/* Small, and the trace may have to leave it out. */
static bool
take_wall_clock(struct place *place)
{
	struct trace *trace = place->opened->trace;
	struct wall_clock stored = trace->wall;
	bool ok;

	trace->wall = (struct wall_clock){ 0 };
	ok = stored.count == 0 || wall_clock_copy(&trace->wall, &stored, place->err);
	if (ok && stored.count > 0)
		wall_clock_rebase(&trace->wall, 0, trace->end_ns);
	return ok && (trace->wall.count == stored.count || fail(place->err));
}

static bool
take_tables(struct place *place)
{
	struct opened *opened = place->opened;
	struct trace *trace = opened->trace;

	if (!take_table(place, &layout_trace, trace) || !take_wall_clock(place) ||
	    !take_strings(place) || !take_ids(place) || !take_list(place, &trace->all.rest) ||
	    !take_groups(place) || !take_parts(place) || !take_segments(place))
		return false;
	opened->sum_count = (size_t)(place->end - place->at) / sizeof(*opened->sums);
	opened->sums = take(place, opened->sum_count, sizeof(*opened->sums));
	return opened->sums != NULL && (place->at == place->end || fail(place->err));
}

/* ---- bodies */

static bool
take_body(struct place *place, const struct layout *layout, void *owner)
{
	uint64_t at = (uint64_t)(place->at - place->opened->bytes);
	uint64_t gap = form_body_at(at) - at;

	if (gap > (uint64_t)(place->end - place->at))
		return fail(place->err);
	place->at += gap;
	return take_columns(place, layout, owner);
}

static bool
take_bodies(struct place *place)
{
	struct opened *opened = place->opened;
	struct trace *trace = opened->trace;
	size_t bodies = trace->segments.count;
	bool ok = true;

	for (uint32_t i = 0; ok && i < trace->segments.count; i++)
		ok = take_body(place, &layout_segment_body, trace_segment_head(trace, i));
	for (size_t i = 0; ok && i < form_list_count(trace); i++) {
		struct change_list *list = form_list(trace, i);

		if (list == NULL)
			continue;
		list->slices->first = bodies;
		bodies += list->slices->count;
		ok = take_body(place, &layout_list_body, list);
	}
	return ok && (bodies == opened->sum_count || fail(place->err));
}

static void
release(struct backing *backing)
{
	struct opened *opened = (struct opened *)backing;

	wall_clock_release(&opened->trace->wall);
	if (opened->is_mapped)
		munmap(opened->bytes, opened->size);
	else
		memory_free(opened->bytes);
	arena_release(&opened->arena);
	pthread_mutex_destroy(&opened->lock);
	memory_free(opened);
}

/* ---- checking what is asked for */

static void
check_segment_once(struct backing *backing, uint32_t index)
{
	struct opened *opened = (struct opened *)backing;
	const struct trace *trace = opened->trace;
	struct segment *segment = trace_segment_head(trace, index);

	pthread_mutex_lock(&opened->lock);
	if (atomic_load(&segment->is_unchecked) &&
	    (!is_sum(opened, form_segment_sum(segment), opened->sums[index]) ||
	     !check_segment(trace, segment))) {
		check_empty_segment(trace, segment);
		atomic_store(&backing->is_broken, true);
	}
	atomic_store_explicit(&segment->is_unchecked, false, memory_order_release);
	pthread_mutex_unlock(&opened->lock);
}

static void
check_slice_once(struct backing *backing, const struct change_list *list, size_t slice)
{
	struct opened *opened = (struct opened *)backing;
	const struct change_slices *slices = list->slices;

	pthread_mutex_lock(&opened->lock);
	if (!atomic_load(&slices->are_checked[slice]) &&
	    (!is_sum(opened, form_slice_sum(list, slice), opened->sums[slices->first + slice]) ||
	     !check_slice(opened->trace, list, slice))) {
		check_empty_slice(list, slice);
		atomic_store(&backing->is_broken, true);
	}
	atomic_store_explicit(&slices->are_checked[slice], true, memory_order_release);
	pthread_mutex_unlock(&opened->lock);
}

static void
check_list(const struct change_list *list)
{
	const struct change_slices *slices = list->slices;

	for (size_t i = 0; i < slices->count; i++)
		if (!atomic_load(&slices->are_checked[i]))
			slices->backing->check_changes(slices->backing, list, i);
}

bool
cache_check_all(const struct trace *trace)
{
	if (trace->backing == NULL)
		return true;
	for (uint32_t i = 0; i < trace->segments.count; i++)
		trace_segment(trace, i);
	for (size_t i = 0; i < form_list_count(trace); i++)
		if (form_list(trace, i) != NULL)
			check_list(form_list(trace, i));
	return trace_is_sound(trace);
}

/* ---- the whole */

/* It is the cache of that key and of this program, and as long as it should be. */
static bool
is_ours(const struct opened *opened, const struct form_trailer *trailer,
	const struct cache_key *key, struct error *err)
{
	struct form_trailer ours;
	uint64_t before = opened->size - sizeof(*trailer);

	form_begin(&ours, key);
	if (memcmp(opened->bytes, FORM_FIRST_LINE, strlen(FORM_FIRST_LINE)) != 0 ||
	    !is_sum(opened, form_trailer_sum(trailer), trailer->sum))
		return fail(err);
	if (memcmp(trailer, &ours, offsetof(struct form_trailer, tables_at)) != 0)
		return error_set(err, ERROR_FORMAT,
			"the cache is of another trace, or of another ttrace");
	return (trailer->tables_at <= before && trailer->tables_bytes == before - trailer->tables_at &&
	               trailer->tables_at % FORM_BODY_ALIGNMENT == 0) ||
	       fail(err);
}

static bool
are_tables_whole(const struct opened *opened, const struct form_trailer *trailer)
{
	const char *at = opened->bytes + trailer->tables_at;
	uint64_t left = trailer->tables_bytes, sum = 0;

	while (left > 0) {
		size_t size = left < FORM_PIECE_BYTES ? (size_t)left : FORM_PIECE_BYTES;

		sum = checksum_more(sum, at, size);
		at += size;
		left -= size;
	}
	return is_sum(opened, sum, trailer->tables_sum);
}

static bool
read_all(struct opened *opened, const struct cache_key *key, struct error *err)
{
	struct form_trailer trailer;
	char *tables, *end = opened->bytes + opened->size - sizeof(trailer);
	struct place place = { .opened = opened, .err = err };

	memcpy(&trailer, end, sizeof(trailer));
	if (!is_ours(opened, &trailer, key, err))
		return false;
	if (!are_tables_whole(opened, &trailer))
		return fail(err);
	tables = opened->bytes + trailer.tables_at;
	place.at = tables;
	place.end = end;
	if (!take_tables(&place))
		return false;
	place.at = opened->bytes + strlen(FORM_FIRST_LINE);
	place.end = tables;
	return take_bodies(&place) &&
	       (form_body_at((uint64_t)(place.at - opened->bytes)) == trailer.tables_at ||
	               fail(err)) &&
	       (check_tables(opened->trace) || fail(err));
}

static const size_t least_bytes =
	sizeof(FORM_FIRST_LINE) - 1 + FORM_BODY_ALIGNMENT + sizeof(struct form_trailer);

static bool
map(struct opened *opened, int fd, struct error *err)
{
	struct stat status;
	void *bytes;

	if (fstat(fd, &status) != 0)
		return error_set(err, ERROR_IO, "%s", strerror(errno));
	if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > PTRDIFF_MAX ||
	    (size_t)status.st_size < least_bytes)
		return fail(err);
	opened->size = (size_t)status.st_size;
	bytes = mmap(NULL, opened->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_set(err, ERROR_IO, "%s", strerror(errno));
	opened->bytes = bytes;
	opened->is_mapped = true;
	return true;
}

static bool
copy(struct opened *opened, const void *bytes, size_t size, struct error *err)
{
	if (size < least_bytes)
		return fail(err);
	opened->size = size;
	opened->bytes = array_copy(bytes, size, 1, err);
	return opened->bytes != NULL;
}

static struct opened *
opened_new(bool has_sums, struct error *err)
{
	struct opened *opened = array_new(1, sizeof(*opened), err);

	if (opened == NULL)
		return NULL;
	opened->trace = array_new(1, sizeof(*opened->trace), err);
	if (opened->trace == NULL) {
		memory_free(opened);
		return NULL;
	}
	opened->has_sums = has_sums;
	atomic_init(&opened->trace->holders, 1);
	atomic_init(&opened->backing.is_broken, false);
	pthread_mutex_init(&opened->lock, NULL);
	opened->backing.check_segment = check_segment_once;
	opened->backing.check_changes = check_slice_once;
	opened->backing.release = release;
	opened->trace->words = &words_plain;
	opened->trace->backing = &opened->backing;
	return opened;
}

/* is_there: the bytes are. */
static struct trace *
finish(struct opened *opened, bool is_there, const struct cache_key *key, struct error *err)
{
	if (is_there && read_all(opened, key, err))
		return opened->trace;
	trace_free(opened->trace);
	return NULL;
}

struct trace *
cache_open(int fd, const struct cache_key *key, struct error *err)
{
	struct opened *opened = opened_new(true, err);

	return opened == NULL ? NULL : finish(opened, map(opened, fd, err), key, err);
}

struct trace *
cache_open_memory(const void *bytes, size_t size, const struct cache_key *key, bool has_sums,
	struct error *err)
{
	struct opened *opened = opened_new(has_sums, err);

	return opened == NULL ? NULL : finish(opened, copy(opened, bytes, size, err), key, err);
}
