/*
 * The samples of a profile.proto. A stack costs a look into a large table for each of its frames, so
 * what was seen is known again: the same locations, byte by byte, are the same stack; what a stack
 * shares with the one before from the outermost frame in is taken from there; and calls that come often
 * stand in a small table.
 */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/common/wire.h"
#include "source/pprof/proto.h"

enum { SEEN = 1 << 18, STEPS = 1 << 16, AHEAD = 64, CHECKED_BLOCKS = 64 };

/* A list of locations that was seen: where its bytes stand. */
struct seen {
	size_t at;
	uint32_t size;
	stack_id stack;
};

/* A stack and the location that it called, and the stack of both. */
struct step {
	stack_id caller;
	uint32_t location;
	stack_id stack; /* STACK_NONE: nothing was seen here */
};

/* A sample that is taken soon. */
struct upcoming {
	size_t at;
	struct cursor message, packed; /* packed: its locations, where they come first in one field */
	uint64_t hash;                 /* of these */
};

struct samples {
	struct proto *proto;
	struct seen *seen;    /* by hash; a later list replaces an earlier one */
	struct step *steps;   /* so do these */
	uint64_t frames_left;
	uint32_t *locations;  /* of a sample as they come, the leaf first: indexes */
	size_t location_count, location_capacity;
	/* The last stack that was made: its locations from the outermost in, and the stack up to each. */
	uint32_t *last;
	stack_id *last_stacks;
	size_t last_count, last_capacity, last_stack_capacity;
	uint32_t *last_depths;
	size_t last_depth_capacity;
	int64_t values[SAMPLE_TYPES_MOST];
	size_t value_count; /* maybe more than there is room for */
	struct sample_label *labels;
	size_t label_count, label_capacity;
	struct cursor packed; /* the locations, where they are one field; else at is NULL */
	struct seen *known;   /* the place for these; NULL: none */
	const struct upcoming *upcoming; /* the sample */
	bool is_known;        /* they were seen */
	size_t at;            /* of the message */
	bool is_dropped;
	string_id base_key, true_text;
};

/* ---- parts of a sample */

enum taken { TAKEN, TAKEN_BROKEN, TAKEN_FAILED };

static void
drop(struct samples *samples, const struct cursor *message, const char *why, uint64_t number)
{
	if (!samples->is_dropped)
		pprof_damaged(samples->proto->pprof, samples->at, cursor_left(message),
			"sample %zu %s %" PRIu64,
			samples->proto->pprof->trace->samples->count + 1, why, number);
	samples->is_dropped = true;
}

static enum taken
take_locations(struct samples *samples, const struct wire_field *field, const struct cursor *message,
	struct error *err)
{
	const struct proto *proto = samples->proto;
	struct cursor packed = field->bytes;
	uint64_t id = field->value;
	size_t most = field->type == WIRE_BYTES ? cursor_left(&packed) : 1;
	if (!array_reserve(&samples->locations, &samples->location_capacity,
		    samples->location_count + most, sizeof *samples->locations, err))
		return TAKEN_FAILED;
	while (field->type == WIRE_VARINT || wire_varint(&packed, &id)) {
		uint32_t index = proto_find(&proto->location_ids, id);
		if (UNLIKELY(index == PROTO_NONE && (!proto->pprof->is_cut || id == 0)))
			drop(samples, message, "names a location that is not there:", id);
		samples->locations[samples->location_count++] = index;
		if (field->type == WIRE_VARINT)
			return TAKEN;
	}
	return cursor_left(&packed) == 0 ? TAKEN : TAKEN_BROKEN;
}

static enum taken
take_values(struct samples *samples, const struct wire_field *field)
{
	struct cursor packed = field->bytes;
	uint64_t value = field->value;
	while (field->type == WIRE_VARINT || wire_varint(&packed, &value)) {
		if (samples->value_count < SAMPLE_TYPES_MOST)
			samples->values[samples->value_count] = (int64_t)value;
		samples->value_count++;
		if (field->type == WIRE_VARINT)
			return TAKEN;
	}
	return cursor_left(&packed) == 0 ? TAKEN : TAKEN_BROKEN;
}

static bool
add_label(struct samples *samples, const uint64_t values[LABEL_FIELDS], struct error *err)
{
	struct proto *proto = samples->proto;
	struct sample_label label = { .number = 0 };
	if (!array_reserve(&samples->labels, &samples->label_capacity, samples->label_count + 1,
		    sizeof *samples->labels, err) ||
		!proto_string(proto, values[LABEL_KEY], &label.key, err) ||
		!proto_string(proto, values[LABEL_TEXT], &label.text, err))
		return false;
	if (values[LABEL_TEXT] == 0) {
		label.number = (int64_t)values[LABEL_NUMBER];
		if (!proto_string(proto, values[LABEL_UNIT], &label.unit, err))
			return false;
	}
	if (label.key == samples->base_key && label.text == samples->true_text)
		proto->pprof->trace->samples->has_base = true;
	samples->labels[samples->label_count++] = label;
	return true;
}

static enum taken
take_label(struct samples *samples, const struct wire_field *field, struct error *err)
{
	struct proto *proto = samples->proto;
	uint64_t values[LABEL_FIELDS] = { 0 };
	if (field->type != WIRE_BYTES || !proto_numbers(field->bytes, values, LABEL_FIELDS))
		return TAKEN_BROKEN;
	if (values[LABEL_TEXT] == 0 && values[LABEL_NUMBER] == 0 && values[LABEL_UNIT] == 0)
		return TAKEN; /* it says nothing (section 3.1, rule 5) */
	if (!proto_has_string(proto, values[LABEL_KEY]) ||
		!proto_has_string(proto, values[LABEL_TEXT]) ||
		!proto_has_string(proto, values[LABEL_UNIT])) {
		if (proto->pprof->is_cut)
			proto->has_lost_names = true;
		else
			pprof_damaged(proto->pprof, samples->at, 0,
				"a label of sample %zu names a string that is not there",
				proto->pprof->trace->samples->count + 1);
		return TAKEN;
	}
	return add_label(samples, values, err) ? TAKEN : TAKEN_FAILED;
}

/* The place for the locations in the bytes, which has them where they were seen before. */
static struct seen *
find_seen(const struct samples *samples, const struct cursor *packed, bool *is_known)
{
	size_t size = cursor_left(packed);
	const struct upcoming *upcoming = samples->upcoming;
	uint64_t hash = packed->at == upcoming->packed.at ? upcoming->hash : hash_bytes(packed->at, size);
	struct seen *seen = &samples->seen[hash % SEEN];
	*is_known = size > 0 && seen->size == size &&
		    memcmp(samples->proto->pprof->bytes + seen->at, packed->at, size) == 0;
	return seen;
}

/* The first field of locations waits in `packed`: if it is the only one, it may have been seen. */
static enum taken
take_location_field(struct samples *samples, const struct wire_field *field,
	const struct cursor *message, unsigned before, struct error *err)
{
	struct wire_field first = { .type = WIRE_BYTES, .bytes = samples->packed };
	if (before == 0 && field->type == WIRE_BYTES) {
		samples->packed = field->bytes;
		return TAKEN;
	}
	enum taken taken = TAKEN;
	if (samples->packed.at != NULL)
		taken = take_locations(samples, &first, message, err);
	samples->packed.at = NULL;
	return taken == TAKEN ? take_locations(samples, field, message, err) : taken;
}

static enum taken
take_fields(struct samples *samples, struct cursor message, struct error *err)
{
	struct cursor rest = message;
	struct wire_field field;
	enum taken taken = TAKEN;
	unsigned location_fields = 0;
	while (taken == TAKEN && wire_next(&rest, &field)) {
		if (field.number > SAMPLE_LABEL)
			continue;
		if (field.number == SAMPLE_LABEL) {
			taken = take_label(samples, &field, err);
		} else if (!wire_is_numbers(&field)) {
			taken = TAKEN_BROKEN;
		} else if (field.number == SAMPLE_VALUE) {
			taken = take_values(samples, &field);
		} else {
			taken = take_location_field(samples, &field, &message, location_fields++, err);
		}
	}
	if (taken != TAKEN || cursor_left(&rest) > 0)
		return taken == TAKEN_FAILED ? taken : TAKEN_BROKEN;
	samples->known = NULL;
	if (samples->packed.at == NULL || cursor_left(&samples->packed) > UINT32_MAX)
		return TAKEN;
	samples->known = find_seen(samples, &samples->packed, &samples->is_known);
	field = (struct wire_field){ .type = WIRE_BYTES, .bytes = samples->packed };
	return samples->is_known ? TAKEN : take_locations(samples, &field, &message, err);
}

/* ---- stacks */

static bool
push_location(struct samples *samples, uint32_t index, stack_id *stack, uint32_t *depth,
	struct error *err)
{
	struct proto *proto = samples->proto;
	struct trace *trace = proto->pprof->trace;
	if (index == PROTO_NONE) { /* cut off */
		struct stack_frame frame = { 0 };
		frame_id id;
		proto->has_lost_names = true;
		*depth += 1;
		return pprof_name_unknown(proto->pprof, STRING_EMPTY, &frame.function, err) &&
		       stack_table_add_frame(&trace->stacks, &frame, &id, err) &&
		       stack_table_add_node(&trace->stacks, *stack, id, stack, err);
	}
	if (!proto_resolve(proto, index, err))
		return false;
	const struct proto_location *location = &proto->locations[index];
	if (!profile_take_frames(&samples->frames_left, location->count, err))
		return false;
	struct step *step = &samples->steps[hash_pair(*stack, index) % STEPS];
	*depth += location->count;
	if (step->caller == *stack && step->location == index && step->stack != STACK_NONE) {
		*stack = step->stack;
		return true;
	}
	stack_id caller = *stack;
	for (uint32_t i = 0; i < location->count; i++) {
		if (!stack_table_add_node(&trace->stacks, *stack,
			    proto->frames[location->first + i], stack, err))
			return false;
	}
	*step = (struct step){ caller, index, *stack };
	return true;
}

static bool
make_stack(struct samples *samples, stack_id *stack, struct error *err)
{
	size_t count = samples->location_count, shared = 0;
	const uint32_t *leaf_first = samples->locations;
	uint32_t depth = 0;
	*stack = STACK_NONE;
	while (shared < count && shared < samples->last_count &&
		samples->last[shared] == leaf_first[count - 1 - shared])
		shared++;
	if (shared > 0) {
		*stack = samples->last_stacks[shared - 1];
		depth = samples->last_depths[shared - 1];
	}
	if (!array_reserve(&samples->last, &samples->last_capacity, count, sizeof *samples->last, err) ||
		!array_reserve(&samples->last_stacks, &samples->last_stack_capacity, count,
			sizeof *samples->last_stacks, err) ||
		!array_reserve(&samples->last_depths, &samples->last_depth_capacity, count,
			sizeof *samples->last_depths, err))
		return false;
	for (size_t i = shared; i < count; i++) {
		if (!push_location(samples, leaf_first[count - 1 - i], stack, &depth, err))
			return false;
		samples->last[i] = leaf_first[count - 1 - i];
		samples->last_stacks[i] = *stack;
		samples->last_depths[i] = depth;
	}
	samples->last_count = count;
	if (depth > samples->proto->pprof->depth)
		samples->proto->pprof->depth = depth;
	return true;
}

/* From what was seen where it can be. */
static bool
find_stack(struct samples *samples, stack_id *stack, struct error *err)
{
	const struct cursor *packed = &samples->packed;
	if (samples->known != NULL && samples->is_known) {
		*stack = samples->known->stack;
		return true;
	}
	if (samples->location_count > 0 && !make_stack(samples, stack, err))
		return false;
	if (samples->known != NULL)
		*samples->known = (struct seen){ (size_t)(packed->at - samples->proto->pprof->bytes),
			(uint32_t)cursor_left(packed), *stack };
	return true;
}

/* ---- samples */

static enum taken
take_sample(struct samples *samples, struct cursor message, struct error *err)
{
	struct sample_set *set = samples->proto->pprof->trace->samples;
	stack_id stack = STACK_NONE;
	samples->location_count = samples->value_count = samples->label_count = 0;
	samples->packed.at = NULL;
	samples->is_dropped = false;
	enum taken taken = take_fields(samples, message, err);
	if (taken != TAKEN)
		return taken;
	if (samples->value_count != set->type_count)
		drop(samples, &message, "has another number of values than there are types:",
			samples->value_count);
	if (samples->is_dropped)
		return TAKEN;
	bool is_fine = find_stack(samples, &stack, err) &&
		       sample_set_add(set, stack, samples->values, samples->labels,
			       samples->label_count, err);
	return is_fine ? TAKEN : TAKEN_FAILED;
}

/*
 * What is known of a sample's locations stands anywhere in two large areas. So for many samples at
 * once the places are worked out, and asked of the memory before they are needed.
 */
static size_t
look_ahead(const struct samples *samples, struct cursor *rest, struct upcoming ahead[AHEAD])
{
	struct wire_field field, first;
	size_t count = 0;
	for (size_t at = (size_t)cursor_offset(rest); count < AHEAD && wire_next(rest, &field);
		at = (size_t)cursor_offset(rest)) {
		if (field.number != PROFILE_SAMPLE)
			continue;
		struct upcoming *next = &ahead[count++];
		struct cursor message = field.bytes;
		*next = (struct upcoming){ .at = at, .message = message };
		if (!wire_next(&message, &first) || first.number != SAMPLE_LOCATION || first.type != WIRE_BYTES)
			continue;
		next->packed = first.bytes;
		next->hash = hash_bytes(first.bytes.at, cursor_left(&first.bytes));
		PREFETCH(&samples->seen[next->hash % SEEN]);
	}
	for (size_t i = 0; i < count; i++)
		PREFETCH(samples->proto->pprof->bytes + samples->seen[ahead[i].hash % SEEN].at);
	return count;
}

static bool
take_samples(struct samples *samples, struct error *err)
{
	struct pprof *pprof = samples->proto->pprof;
	struct cursor rest = cursor_over(pprof->bytes, pprof->whole, 0);
	struct upcoming ahead[AHEAD];
	size_t count, blocks = 0;
	while ((count = look_ahead(samples, &rest, ahead)) > 0) {
		if (++blocks % CHECKED_BLOCKS == 0 && pprof_is_cancelled(pprof, err))
			return false;
		for (size_t i = 0; i < count; i++) {
			samples->upcoming = &ahead[i];
			samples->at = ahead[i].at;
			enum taken taken = take_sample(samples, ahead[i].message, err);
			if (taken == TAKEN_FAILED)
				return false;
			if (taken == TAKEN_BROKEN) {
				pprof->is_broken = true;
				pprof->whole = samples->at;
				return true;
			}
		}
	}
	return true;
}

bool
proto_read_samples(struct proto *proto, struct error *err)
{
	struct samples samples = { .proto = proto,
		.frames_left = profile_frames_most(proto->pprof->size) };
	samples.seen = array_new(SEEN, sizeof *samples.seen, err);
	samples.steps = array_new(STEPS, sizeof *samples.steps, err);
	bool is_fine = samples.seen != NULL && samples.steps != NULL &&
		       pprof_text(proto->pprof, "pprof::base", &samples.base_key, err) &&
		       pprof_text(proto->pprof, "true", &samples.true_text, err) &&
		       take_samples(&samples, err);
	array_release(&samples.seen);
	array_release(&samples.steps);
	array_release(&samples.locations);
	array_release(&samples.last);
	array_release(&samples.last_stacks);
	array_release(&samples.last_depths);
	array_release(&samples.labels);
	return is_fine;
}
