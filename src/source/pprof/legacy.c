/* Addresses, and names for them, become stacks. */
#include "source/pprof/legacy.h"

#include <string.h>

#include "base/memory.h"
#include "source/common/profile_trace.h"

/* So far names are looked for among the addresses of a stack; the others stay without. */
enum { LOOKED_AT = 256 };

void
legacy_release(struct legacy *legacy)
{
	array_release(&legacy->samples);
	array_release(&legacy->addresses);
	array_release(&legacy->lines);
	array_release(&legacy->mappings);
	array_release(&legacy->segments);
	map_release(&legacy->places);
}

bool
legacy_add_address(struct legacy *legacy, uint64_t address, struct error *err)
{
	if (!array_reserve(&legacy->addresses, &legacy->address_capacity, legacy->address_count + 1,
		    sizeof *legacy->addresses, err))
		return false;
	legacy->addresses[legacy->address_count++] = address;
	return true;
}

bool
legacy_add(struct legacy *legacy, const struct legacy_sample *sample, struct error *err)
{
	if (!array_reserve(&legacy->samples, &legacy->sample_capacity, legacy->sample_count + 1,
		    sizeof *legacy->samples, err))
		return false;
	legacy->samples[legacy->sample_count++] = *sample;
	return true;
}

/* ---- names */

bool
legacy_add_line(struct legacy *legacy, const struct legacy_line *line, struct error *err)
{
	if (!array_reserve(&legacy->lines, &legacy->line_capacity, legacy->line_count + 1,
		    sizeof *legacy->lines, err))
		return false;
	legacy->lines[legacy->line_count++] = *line;
	return true;
}

static size_t
run_of_addresses(const uint64_t *addresses, size_t from, size_t count)
{
	size_t run = 1;
	while (from + run < count && addresses[from + run] == addresses[from])
		run++;
	return run;
}

static bool
is_ahead(const uint64_t *addresses, size_t from, size_t count, uint64_t wanted)
{
	for (size_t i = from; i < count && i - from < LOOKED_AT; i++) {
		if (addresses[i] == wanted)
			return true;
	}
	return false;
}

/* The lines [from, from + count) of one address are kept, unless it has some. */
static bool
keep_lines(struct legacy *legacy, size_t *kept, size_t from, size_t count, struct error *err)
{
	uint64_t address = legacy->lines[from].address;
	if (map_find(&legacy->places, address) != MAP_NONE)
		return true;
	if (*kept >= MAP_NONE)
		return error_set(err, ERROR_LIMIT, "too many different frames");
	if (!map_put(&legacy->places, address, (uint32_t)*kept, err))
		return false;
	memmove(&legacy->lines[*kept], &legacy->lines[from], count * sizeof *legacy->lines);
	*kept += count;
	return true;
}

/*
 * Lines stand in the order of the addresses, but not every address has one. Several lines of one
 * address are what was inlined there, the innermost first; where the address stands several times in
 * a row, each of them has its share of the lines.
 */
bool
legacy_end_lines(struct legacy *legacy, struct error *err)
{
	size_t kept = legacy->block, end = legacy->line_count, i = 0, at = kept;
	const struct legacy_sample *sample =
		legacy->sample_count > 0 ? &legacy->samples[legacy->sample_count - 1] : NULL;
	while (sample != NULL && at < end && i < sample->count) {
		const uint64_t *addresses = legacy->addresses + sample->first;
		uint64_t address = legacy->lines[at].address;
		size_t lines = 1;
		if (addresses[i] != address) {
			bool comes = is_ahead(addresses, i + 1, sample->count, address);
			i += comes;
			at += !comes;
			continue;
		}
		while (at + lines < end && legacy->lines[at + lines].address == address)
			lines++;
		size_t run = run_of_addresses(addresses, i, sample->count);
		if (!keep_lines(legacy, &kept, at, lines % run == 0 ? lines / run : lines, err))
			return false;
		at += lines;
		i += run;
	}
	legacy->line_count = legacy->block = kept;
	return true;
}

/* ---- origin */

/* The program itself comes first, which is no library and nothing of the kernel's. */
static bool
add_origin(struct legacy *legacy, struct error *err)
{
	struct pprof *pprof = legacy->pprof;
	for (size_t i = 0; i < legacy->mapping_count; i++) {
		const struct legacy_mapping *mapping = &legacy->mappings[i];
		size_t length;
		const char *file = intern_text(&pprof->trace->strings, mapping->file, &length);
		struct scan name = scan_over(file, length);
		if (length == 0 || file[0] == '[' || scan_find(&name, ".so") != NULL)
			continue;
		pprof->trace->samples->origin.build_id = mapping->build_id;
		return pprof_base_name(pprof, mapping->file, &pprof->trace->samples->origin.file, err);
	}
	return true;
}

/* ---- stacks */

struct stacks {
	struct legacy *legacy;
	struct map frames;     /* by address: where its frames are */
	struct made { size_t first, count; } *made;
	frame_id *ids;         /* of each, from the outermost in */
	size_t made_count, made_capacity, id_count, id_capacity;
	bool has_strangers;    /* addresses in no mapping */
	uint64_t frames_left;
};

static bool
add_frame(struct stacks *stacks, const struct stack_frame *frame, struct error *err)
{
	if (!array_reserve(&stacks->ids, &stacks->id_capacity, stacks->id_count + 1,
		    sizeof *stacks->ids, err))
		return false;
	return stack_table_add_frame(&stacks->legacy->pprof->trace->stacks, frame,
		&stacks->ids[stacks->id_count++], err);
}

/* Where nothing has a name, addresses tell places apart; beside names they are unknown. */
static bool
add_nameless(struct stacks *stacks, uint64_t address, struct error *err)
{
	struct legacy *legacy = stacks->legacy;
	struct stack_frame frame = { .pc = address };
	const struct legacy_mapping *mapping = legacy_mapping_of(legacy, address);
	bool is_fine = legacy->line_count == 0
		? pprof_name_address(legacy->pprof, address, &frame.function, err)
		: pprof_name_unknown(legacy->pprof, mapping != NULL ? mapping->file : STRING_EMPTY,
			  &frame.function, err);
	return is_fine && add_frame(stacks, &frame, err);
}

static bool
make_frames(struct stacks *stacks, uint64_t address, struct made *made, struct error *err)
{
	struct legacy *legacy = stacks->legacy;
	uint32_t place = map_find(&legacy->places, address);
	size_t first = stacks->id_count, end = place;
	if (legacy_mapping_of(legacy, address) == NULL)
		stacks->has_strangers = true;
	if (place == MAP_NONE && !add_nameless(stacks, address, err))
		return false;
	if (place != MAP_NONE) {
		while (end < legacy->line_count && legacy->lines[end].address == address)
			end++;
		for (size_t i = end; i-- > place;) {
			const struct legacy_line *line = &legacy->lines[i];
			struct stack_frame frame = { .pc = address, .line = line->line,
				.function = line->function, .file = line->file,
				.is_inlined = i + 1 < end };
			if (!add_frame(stacks, &frame, err))
				return false;
		}
	}
	*made = (struct made){ first, stacks->id_count - first };
	return true;
}

static bool
find_frames(struct stacks *stacks, uint64_t address, struct made *made, struct error *err)
{
	uint32_t known = map_find(&stacks->frames, address);
	if (known != MAP_NONE) {
		*made = stacks->made[known];
		return true;
	}
	if (stacks->made_count >= MAP_NONE)
		return error_set(err, ERROR_LIMIT, "too many different frames");
	if (!make_frames(stacks, address, made, err) ||
		!array_reserve(&stacks->made, &stacks->made_capacity, stacks->made_count + 1,
			sizeof *stacks->made, err) ||
		!map_put(&stacks->frames, address, (uint32_t)stacks->made_count, err))
		return false;
	stacks->made[stacks->made_count++] = *made;
	return true;
}

/* A stack of addresses. */
static bool
add_sample(struct stacks *stacks, const struct legacy_sample *sample, string_id bytes_key,
	struct error *err)
{
	struct pprof *pprof = stacks->legacy->pprof;
	struct sample_label label = { .key = bytes_key, .number = sample->block_bytes };
	stack_id stack = STACK_NONE;
	uint64_t depth = 0;
	for (size_t i = sample->count; i-- > 0;) {
		struct made made;
		if (!find_frames(stacks, stacks->legacy->addresses[sample->first + i], &made, err) ||
			!profile_take_frames(&stacks->frames_left, made.count, err))
			return false;
		depth += made.count;
		for (size_t j = 0; j < made.count; j++) {
			if (!stack_table_add_node(&pprof->trace->stacks, stack,
				    stacks->ids[made.first + j], &stack, err))
				return false;
		}
	}
	if (depth > pprof->depth)
		pprof->depth = depth;
	return sample_set_add(pprof->trace->samples, stack, sample->values, &label,
		stacks->legacy->has_blocks, err);
}

static bool
count_functions(struct legacy *legacy, struct error *err)
{
	struct map seen = { 0 };
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < legacy->line_count; i++)
		is_fine = map_put(&seen, legacy->lines[i].function, 0, err);
	legacy->pprof->functions = seen.count;
	map_release(&seen);
	return is_fine;
}

bool
legacy_finish(struct legacy *legacy, struct error *err)
{
	enum { CHECKED_EACH = 4096 };
	struct pprof *pprof = legacy->pprof;
	struct stacks stacks = { .legacy = legacy,
		.frames_left = profile_frames_most(pprof->size) };
	string_id bytes_key = STRING_EMPTY;
	bool is_fine = legacy_end_mappings(legacy, err) && add_origin(legacy, err) && count_functions(legacy, err) &&
		       (!legacy->has_blocks || pprof_text(pprof, "bytes", &bytes_key, err));
	for (size_t i = 0; is_fine && i < legacy->sample_count; i++) {
		is_fine = add_sample(&stacks, &legacy->samples[i], bytes_key, err) &&
			  (i % CHECKED_EACH != 0 || !pprof_is_cancelled(pprof, err));
	}
	/* What is in no mapping is in one of its own, as pprof has it. */
	pprof->mappings = legacy->mapping_count + stacks.has_strangers;
	pprof->locations = stacks.made_count;
	map_release(&stacks.frames);
	array_release(&stacks.made);
	array_release(&stacks.ids);
	return is_fine;
}
