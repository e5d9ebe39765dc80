/* Locations become frames, when a sample has them. */
#include "base/memory.h"
#include "source/common/wire.h"
#include "source/pprof/proto.h"

/* What is known of a location, while its frames are made. */
struct location {
	struct proto *proto;
	uint64_t address;
	string_id mapping_file;
	size_t at; /* of its message */
	bool has_lines;
	struct stack_frame pending; /* the last line so far: the next one tells whether it was inlined */
	bool has_pending;
};

static bool
add_pending(struct location *location, bool is_inlined, struct error *err)
{
	struct proto *proto = location->proto;
	if (!location->has_pending)
		return true;
	location->has_pending = false;
	location->pending.is_inlined = is_inlined;
	if (!array_reserve(&proto->frames, &proto->frame_capacity, proto->frame_count + 1,
		    sizeof *proto->frames, err))
		return false;
	return stack_table_add_frame(&proto->pprof->trace->stacks, &location->pending,
		&proto->frames[proto->frame_count++], err);
}

/* A name that was cut off is replaced by what is known; one that never was as pprof has it. */
static bool
name_of(struct location *location, const struct proto_function *function, string_id *name,
	struct error *err)
{
	struct proto *proto = location->proto;
	*name = STRING_EMPTY;
	if (function == NULL || !proto_has_string(proto, function->name)) {
		proto->has_lost_names = true;
		if (location->address != 0)
			return pprof_name_address(proto->pprof, location->address, name, err);
	} else if (!proto_string(proto, function->name, name, err)) {
		return false;
	}
	return *name != STRING_EMPTY ||
	       pprof_name_unknown(proto->pprof, location->mapping_file, name, err);
}

/* A line whose function is nowhere is dropped, unless the rest of the profile is missing. */
static bool
add_line(struct location *location, const uint64_t values[LINE_FIELDS], struct error *err)
{
	struct proto *proto = location->proto;
	const struct proto_function *function = NULL;
	struct stack_frame frame = { .pc = location->address,
		.line = values[LINE_LINE] <= INT64_MAX ? values[LINE_LINE] : 0,
		.column = values[LINE_COLUMN] < UINT32_MAX ? (uint32_t)values[LINE_COLUMN] : 0 };
	uint32_t index = proto_find(&proto->function_ids, values[LINE_FUNCTION]);
	location->has_lines = true;
	if (index != PROTO_NONE) {
		function = &proto->functions[index];
		if (!proto_string(proto, function->file, &frame.file, err))
			return false;
	} else if (!proto->pprof->is_cut || values[LINE_FUNCTION] == 0) {
		pprof_damaged(proto->pprof, location->at, 0,
			"a location names a function that is not there");
		return true;
	}
	if (!name_of(location, function, &frame.function, err) || !add_pending(location, true, err))
		return false;
	location->pending = frame;
	location->has_pending = true;
	return true;
}

/* The innermost line came first. */
static void
turn_around(struct proto *proto, size_t first)
{
	for (size_t i = first, j = proto->frame_count; i + 1 < j; i++) {
		frame_id last = proto->frames[--j];
		proto->frames[j] = proto->frames[i];
		proto->frames[i] = last;
	}
}

static bool
read_head(struct location *location, struct error *err)
{
	struct proto *proto = location->proto;
	struct cursor message = proto_message(proto, location->at);
	struct wire_field field;
	uint32_t mapping = PROTO_NONE;
	while (wire_next(&message, &field)) {
		if (field.number == LOCATION_ADDRESS)
			location->address = field.value;
		else if (field.number == LOCATION_MAPPING)
			mapping = proto_find(&proto->mapping_ids, field.value);
	}
	return mapping == PROTO_NONE ||
	       proto_string(proto, proto->mappings[mapping].file, &location->mapping_file, err);
}

bool
proto_resolve(struct proto *proto, uint32_t index, struct error *err)
{
	struct proto_location *known = &proto->locations[index];
	struct location location = { .proto = proto, .at = known->at };
	size_t first = proto->frame_count;
	struct wire_field field;
	if (known->count != PROTO_NONE)
		return true;
	if (!read_head(&location, err))
		return false;
	struct cursor message = proto_message(proto, known->at);
	while (wire_next(&message, &field)) {
		uint64_t values[LINE_FIELDS] = { 0 };
		if (field.number != LOCATION_LINE)
			continue;
		proto_numbers(field.bytes, values, LINE_FIELDS);
		if (!add_line(&location, values, err))
			return false;
	}
	if (!location.has_lines) {
		location.pending = (struct stack_frame){ .pc = location.address };
		location.has_pending = true;
		if (!pprof_name_unknown(proto->pprof, location.mapping_file,
			    &location.pending.function, err))
			return false;
	}
	/* The last line is of the function that the address is in. */
	if (!add_pending(&location, false, err))
		return false;
	if (proto->frame_count >= PROTO_NONE)
		return error_set(err, ERROR_LIMIT, "too many different frames");
	turn_around(proto, first);
	known->first = (uint32_t)first;
	known->count = (uint32_t)(proto->frame_count - first);
	return true;
}
