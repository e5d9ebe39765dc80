/* Filling and freezing of slices: columns grow side by side, then the lists by name are made. */
#include "trace/slices_internal.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

struct slices *
slices_new(struct error *err)
{
	return array_new(1, sizeof(struct slices), err);
}

static void
release_drafts(struct slices *slices)
{
	for (size_t i = 0; slices->drafts != NULL && i < slices->track_count; i++)
		memory_free(slices->drafts[i].places);
	array_release(&slices->drafts);
	map_release(&slices->drafts_by_hash);
}

void
slices_free(struct slices *slices)
{
	if (slices == NULL)
		return;
	for (size_t i = 0; i < slices->column_count; i++) {
		struct slice_column *column = &slices->columns[i];

		memory_free(column->start);
		memory_free(column->length);
		memory_free(column->name);
		memory_free(column->flags);
		memory_free(column->took);
		memory_free(column->detail);
		memory_free(column->blocks);
		memory_free(column->longest_ns);
		memory_free(column->longest);
	}
	release_drafts(slices);
	memory_free(slices->columns);
	memory_free(slices->wide);
	memory_free(slices->tracks);
	memory_free(slices->places);
	memory_free(slices->before);
	memory_free(slices->first_part);
	memory_free(slices->parts);
	memory_free(slices->named);
	memory_free(slices->named_ns);
	memory_free(slices);
}

/* ---- filling */

bool
slices_track(struct slices *slices, enum track_owner owner, uint32_t ref, string_id name,
	track_ref *track, struct error *err)
{
	assert(!slices->is_frozen);
	uint64_t hash = hash_pair((uint64_t)owner << 32 | ref, name);
	uint32_t first = map_find(&slices->drafts_by_hash, hash);

	for (uint32_t i = first; i != SLICE_NONE; i = slices->drafts[i].next) {
		const struct track *known = &slices->drafts[i].track;

		if (known->owner == owner && known->ref == ref && known->name == name) {
			*track = i;
			return true;
		}
	}
	if (slices->track_count >= SLICE_NONE)
		return error_set(err, ERROR_LIMIT, "more than 2^32 tracks");

	track_ref made = (track_ref)slices->track_count;
	if (!array_reserve(&slices->drafts, &slices->draft_capacity, slices->track_count + 1,
		    sizeof *slices->drafts, err) ||
		!map_put(&slices->drafts_by_hash, hash, made, err))
		return false;
	slices->drafts[made] = (struct slice_draft){
		.track = { .owner = (uint8_t)owner, .ref = ref, .name = name },
		.made = made,
		.next = first,
	};
	slices->track_count++;
	*track = made;
	return true;
}

/* The first slice at that depth of a track. */
static bool
add_column(struct slices *slices, struct slice_draft *draft, uint32_t depth, struct error *err)
{
	uint32_t *depth_count = &draft->track.depth_count;

	assert(depth < UINT16_MAX);
	if (!array_reserve(&draft->places, &draft->capacity, (size_t)depth + 1,
		    sizeof *draft->places, err) ||
		!array_reserve(&slices->columns, &slices->column_capacity,
			slices->column_count + 1, sizeof *slices->columns, err))
		return false;
	while (*depth_count <= depth)
		draft->places[(*depth_count)++] = SLICE_NONE;
	draft->places[depth] = (uint32_t)slices->column_count;
	slices->columns[slices->column_count++] = (struct slice_column){ .end_ns = INT64_MIN };
	return true;
}

/* Room for one more slice, and for its block where it is the first of one. */
static bool
grow_column(struct slice_column *column, struct error *err)
{
	if (column->count == column->capacity) {
		/* All grow alike. If one cannot, those before it stay larger than they need to be. */
		size_t capacity = 0;
		const struct {
			void *array;
			size_t item_bytes;
			bool is_left_out;
		} arrays[] = {
			{ &column->took, sizeof *column->took, column->took == NULL },
			{ &column->detail, sizeof *column->detail, column->detail == NULL },
			{ &column->start, sizeof *column->start, false },
			{ &column->length, sizeof *column->length, false },
			{ &column->name, sizeof *column->name, false },
			{ &column->flags, sizeof *column->flags, false },
		};

		for (size_t i = 0; i < ARRAY_LENGTH(arrays); i++) {
			capacity = column->capacity;
			if (!arrays[i].is_left_out &&
				!array_reserve(arrays[i].array, &capacity, (size_t)column->count + 1,
					arrays[i].item_bytes, err))
				return false;
		}
		column->capacity = capacity;
	}
	return array_reserve(&column->blocks, &column->block_capacity,
		column->count / SLICE_BLOCK + 1, sizeof *column->blocks, err);
}

/* The column at a depth of a track; NULL where it has no slice yet. */
static struct slice_column *
column_of(struct slices *slices, track_ref track, uint32_t depth)
{
	assert(!slices->is_frozen && track < slices->track_count);
	const struct slice_draft *draft = &slices->drafts[track];

	if (depth >= draft->track.depth_count || draft->places[depth] == SLICE_NONE)
		return NULL;
	return &slices->columns[draft->places[depth]];
}

bool
slices_begin(struct slices *slices, track_ref track, uint32_t depth, int64_t start_ns,
	string_id name, struct error *err)
{
	struct slice_column *column = column_of(slices, track, depth);

	if (column == NULL) {
		if (!add_column(slices, &slices->drafts[track], depth, err))
			return false;
		column = &slices->columns[slices->column_count - 1];
	}
	assert(!column->is_open && name < UINT32_MAX);
	uint32_t index = column->count;
	bool is_first = index % SLICE_BLOCK == 0;

	if (UNLIKELY(slices->count == UINT32_MAX))
		return error_set(err, ERROR_LIMIT, "more than 2^32 slices");
	if (UNLIKELY(is_first || index == column->capacity) && !grow_column(column, err))
		return false;
	if (start_ns < column->end_ns)
		start_ns = column->end_ns;
	if (is_first)
		column->blocks[index / SLICE_BLOCK] =
			(struct slice_block){ start_ns, column->covered_ns };
	column->name[index] = name;
	if (column->detail != NULL)
		column->detail[index] = 0;
	column->end_ns = start_ns;
	column->is_open = true;
	column->count++;
	slices->count++;
	return true;
}

void
slices_detail(struct slices *slices, track_ref track, uint32_t depth, uint32_t detail)
{
	struct slice_column *column = column_of(slices, track, depth);

	assert(column != NULL);
	if (column->detail == NULL && detail != 0) {
		struct error err = { 0 };

		column->detail = array_new(column->capacity, sizeof *column->detail, &err);
		slices->is_short |= column->detail == NULL;
	}
	if (column->detail != NULL)
		column->detail[column->count - 1] = detail;
}

static bool
end_slice(struct slices *slices, struct slice_column *column, struct slice_end end,
	struct error *err)
{
	assert(column->is_open);
	uint32_t index = column->count - 1;
	int64_t start_ns = column->end_ns;

	if (end.end_ns < start_ns)
		end.end_ns = start_ns;
	uint64_t offset = (uint64_t)start_ns - (uint64_t)column->blocks[index / SLICE_BLOCK].base_ns;
	uint64_t length = (uint64_t)end.end_ns - (uint64_t)start_ns;
	bool is_wide = offset > UINT32_MAX || length >= SLICE_WIDE;
	int64_t surplus = is_wide || end.took_ns < 0 ? 0 : end.took_ns - (int64_t)length;

	if (UNLIKELY(is_wide || surplus < INT32_MIN || surplus > INT32_MAX)) {
		if (!array_reserve(&slices->wide, &slices->wide_capacity, slices->wide_count + 1,
			    sizeof *slices->wide, err))
			return false;
		if (end.took_ns < 0)
			end.took_ns = length < INT64_MAX ? (int64_t)length : INT64_MAX;
		column->start[index] = (uint32_t)slices->wide_count;
		column->length[index] = SLICE_WIDE;
		slices->wide[slices->wide_count++] = (struct slice_wide){ start_ns, end.end_ns,
			end.took_ns };
	} else {
		if (surplus != 0 && column->took == NULL &&
			(column->took = array_new(column->capacity, sizeof *column->took, err)) == NULL)
			return false;
		if (column->took != NULL)
			column->took[index] = (int32_t)surplus;
		column->start[index] = (uint32_t)offset;
		column->length[index] = (uint32_t)length;
	}
	column->flags[index] = end.flags;
	column->covered_ns += length;
	column->end_ns = end.end_ns;
	column->is_open = false;
	return true;
}

bool
slices_end(struct slices *slices, track_ref track, uint32_t depth, struct slice_end end,
	struct error *err)
{
	struct slice_column *column = column_of(slices, track, depth);

	assert(column != NULL);
	return end_slice(slices, column, end, err);
}

/* ---- freezing */

static int
compare_drafts(const void *left, const void *right)
{
	const struct slice_draft *a = left, *b = right;

	if (a->track.owner != b->track.owner)
		return a->track.owner < b->track.owner ? -1 : 1;
	if (a->track.ref != b->track.ref)
		return a->track.ref < b->track.ref ? -1 : 1;
	return a->made < b->made ? -1 : a->made > b->made;
}

/* The tracks in their order, and the columns of each one behind the other. */
static bool
number_tracks(struct slices *slices, struct error *err)
{
	const struct sort sort = { slices->drafts, slices->track_count, sizeof *slices->drafts,
		compare_drafts };
	uint64_t places = 0;

	if (!sort_items(&sort, NULL, err))
		return false;
	for (size_t i = 0; i < slices->track_count; i++)
		places += slices->drafts[i].track.depth_count;
	if (places > UINT32_MAX)
		return error_set(err, ERROR_LIMIT, "more than 2^32 depths of tracks");
	slices->tracks = array_new_unset(slices->track_count, sizeof *slices->tracks, err);
	slices->places = array_new_unset((size_t)places, sizeof *slices->places, err);
	slices->before = array_new_unset((size_t)places, sizeof *slices->before, err);
	if (slices->tracks == NULL || slices->places == NULL || slices->before == NULL)
		return false;
	for (size_t i = 0; i < slices->track_count; i++) {
		const struct slice_draft *draft = &slices->drafts[i];

		slices->tracks[i] = draft->track;
		slices->tracks[i].first_column = slices->place_count;
		for (uint32_t depth = 0; depth < draft->track.depth_count; depth++)
			slices->places[slices->place_count++] = draft->places[depth];
	}
	uint32_t before = 0;
	for (column_ref ref = 0; ref < slices->place_count; ref++) {
		slices->before[ref] = before;
		if (slices->places[ref] != SLICE_NONE)
			before += slices->columns[slices->places[ref]].count;
	}
	return true;
}

static void
trim_column(struct slice_column *column)
{
	const struct {
		void *array;
		size_t item_bytes;
	} arrays[] = {
		{ &column->start, sizeof *column->start },
		{ &column->length, sizeof *column->length },
		{ &column->name, sizeof *column->name },
		{ &column->flags, sizeof *column->flags },
		{ column->took != NULL ? &column->took : NULL, sizeof *column->took },
		{ column->detail != NULL ? &column->detail : NULL, sizeof *column->detail },
	};
	size_t capacity = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(arrays); i++) {
		capacity = column->capacity;
		if (arrays[i].array != NULL)
			array_trim(arrays[i].array, &capacity, column->count, arrays[i].item_bytes);
	}
	column->capacity = column->count;
	array_trim(&column->blocks, &column->block_capacity,
		(column->count + SLICE_BLOCK - 1) / SLICE_BLOCK, sizeof *column->blocks);
}

/* The longest of each group, level by level. */
static bool
find_longest(const struct slices *slices, struct slice_column *column, struct error *err)
{
	size_t items = 0, made = 0;

	for (uint32_t groups = column->count; (groups /= SLICE_BLOCK) > 0;)
		items += groups;
	column->level_items = items;
	if (items == 0)
		return true;
	column->longest_ns = array_new_unset(items, sizeof *column->longest_ns, err);
	column->longest = array_new_unset(items, sizeof *column->longest, err);
	if (column->longest_ns == NULL || column->longest == NULL)
		return false;
	for (uint32_t group = 0; group < column->count / SLICE_BLOCK; group++) {
		uint32_t first = group * SLICE_BLOCK, best = first;
		uint64_t best_ns = slice_length_ns(slices, column, first);

		for (uint32_t i = first + 1; i < first + SLICE_BLOCK; i++) {
			uint64_t length_ns = slice_length_ns(slices, column, i);

			if (length_ns > best_ns) {
				best_ns = length_ns;
				best = i;
			}
		}
		column->longest_ns[made] = best_ns;
		column->longest[made++] = best;
	}
	/* Each level stands right behind the one that it is of. */
	size_t below = 0;
	for (uint32_t count = column->count / SLICE_BLOCK; count >= SLICE_BLOCK;
		count /= SLICE_BLOCK) {
		for (uint32_t group = 0; group < count / SLICE_BLOCK; group++) {
			size_t first = below + group * SLICE_BLOCK, best = first;

			for (size_t i = first + 1; i < first + SLICE_BLOCK; i++)
				if (column->longest_ns[i] > column->longest_ns[best])
					best = i;
			column->longest_ns[made] = column->longest_ns[best];
			column->longest[made++] = column->longest[best];
		}
		below += count;
	}
	assert(made == items);
	return true;
}

/* What is known of a name while the lists are made. */
struct name_state {
	column_ref column; /* the last one in which it was seen */
	uint32_t count;  /* of its slices; then the place of the next in the list */
	uint32_t parts;  /* of its parts; then one more than that of the last one */
	uint64_t part_ns; /* time of the last part so far */
};

/* Counts the slices and parts of each name, then makes room for them all, in the order of names. */
static bool
make_room_for_names(struct slices *slices, struct name_state *names, struct error *err)
{
	uint32_t parts = 0, slice_count = 0;

	for (uint32_t i = 0; i < slices->name_count; i++)
		names[i].column = SLICE_NONE;
	for (column_ref ref = 0; ref < slices->place_count; ref++) {
		if (slices->places[ref] == SLICE_NONE)
			continue;
		const struct slice_column *column = &slices->columns[slices->places[ref]];

		for (uint32_t i = 0; i < column->count; i++) {
			struct name_state *name = &names[column->name[i]];

			name->count++;
			name->parts += name->column != ref;
			name->column = ref;
		}
	}
	slices->first_part = array_new_unset(
		(size_t)slices->name_count + 1, sizeof *slices->first_part, err);
	if (slices->first_part == NULL)
		return false;
	for (uint32_t i = 0; i < slices->name_count; i++) {
		struct name_state *name = &names[i];
		uint32_t count = name->count, part_count = name->parts;

		slices->first_part[i] = parts;
		*name = (struct name_state){ SLICE_NONE, slice_count, parts, 0 };
		slice_count += count;
		parts += part_count;
	}
	slices->first_part[slices->name_count] = parts;
	slices->part_count = parts;
	slices->parts = array_new_unset((size_t)parts + 1, sizeof *slices->parts, err);
	slices->named = array_new_unset(slice_count, sizeof *slices->named, err);
	slices->named_ns = array_new_unset(
		(size_t)slice_count / SLICE_BLOCK + 1, sizeof *slices->named_ns, err);
	if (slices->parts == NULL || slices->named == NULL || slices->named_ns == NULL)
		return false;
	slices->parts[parts] = (struct slice_part){ SLICE_NONE, slice_count };
	return true;
}

static bool
list_by_name(struct slices *slices, struct error *err)
{
	for (size_t place = 0; place < slices->column_count; place++) {
		const struct slice_column *column = &slices->columns[place];

		for (uint32_t i = 0; i < column->count; i++)
			if (column->name[i] >= slices->name_count)
				slices->name_count = column->name[i] + 1;
	}
	struct name_state *names = array_new(slices->name_count, sizeof *names, err);
	if (names == NULL || !make_room_for_names(slices, names, err)) {
		memory_free(names);
		return false;
	}
	for (column_ref ref = 0; ref < slices->place_count; ref++) {
		if (slices->places[ref] == SLICE_NONE)
			continue;
		const struct slice_column *column = &slices->columns[slices->places[ref]];

		for (uint32_t i = 0; i < column->count; i++) {
			struct name_state *name = &names[column->name[i]];

			if (name->column != ref) {
				slices->parts[name->parts++] = (struct slice_part){ ref, name->count };
				name->column = ref;
				name->part_ns = 0;
			}
			if (name->count % SLICE_BLOCK == 0)
				slices->named_ns[name->count / SLICE_BLOCK] = name->part_ns;
			slices->named[name->count++] = i;
			name->part_ns += slice_length_ns(slices, column, i);
		}
	}
	memory_free(names);
	return true;
}

bool
slices_freeze(struct slices *slices, int64_t end_ns, struct error *err)
{
	assert(!slices->is_frozen);
	if (slices->is_short)
		return error_set_memory(err, "the details of slices");
	for (size_t i = 0; i < slices->column_count; i++) {
		struct slice_column *column = &slices->columns[i];

		if (column->is_open &&
			!end_slice(slices, column,
				(struct slice_end){ end_ns, -1, SLICE_OPEN }, err))
			return false;
		trim_column(column);
		if (!find_longest(slices, column, err))
			return false;
	}
	array_trim(&slices->columns, &slices->column_capacity, slices->column_count,
		sizeof *slices->columns);
	array_trim(&slices->wide, &slices->wide_capacity, slices->wide_count, sizeof *slices->wide);
	if (!number_tracks(slices, err) || !list_by_name(slices, err))
		return false;
	release_drafts(slices);
	slices->is_frozen = true;
	return true;
}
