/* One walk over the fields of a profile.proto, taking down where its tables are. */
#include "source/pprof/proto.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "source/common/wire.h"

_Static_assert(MAP_NONE == PROTO_NONE, "an id that is not there has no index");

/* ---- pieces */

bool
proto_numbers(struct cursor message, uint64_t *values, unsigned fields)
{
	struct wire_field field;
	while (wire_next(&message, &field)) {
		if (field.number >= fields)
			continue;
		if (field.type != WIRE_VARINT)
			return false;
		values[field.number] = field.value;
	}
	return cursor_left(&message) == 0;
}

static uint32_t
string_index(uint64_t value)
{
	return value < PROTO_NONE ? (uint32_t)value : PROTO_NONE;
}

struct cursor
proto_message(const struct proto *proto, size_t at)
{
	struct cursor bytes = cursor_over(proto->pprof->bytes + at, proto->pprof->whole - at, at);
	uint64_t length = 0;
	wire_varint(&bytes, &length);
	return cursor_over(bytes.at, (size_t)length, cursor_offset(&bytes));
}

bool
proto_string(struct proto *proto, uint64_t index, string_id *id, struct error *err)
{
	*id = STRING_EMPTY;
	if (index == 0 || index >= proto->string_count)
		return true;
	if (proto->interned[index] == PROTO_NONE) {
		struct cursor bytes = proto_message(proto, proto->strings[index]);
		if (!intern_add(&proto->pprof->trace->strings, (const char *)bytes.at,
			    cursor_left(&bytes), &proto->interned[index], err))
			return false;
	}
	*id = proto->interned[index];
	return true;
}

/* ---- ids */

enum { DENSE_FREE = 1024, DENSE_SHARE = 4 };

/* Ids at most so many times as large as their number are in an array. */
static bool
begin_ids(struct proto_ids *ids, size_t count, struct error *err)
{
	ids->dense_count = count == 0 ? 0 : count * DENSE_SHARE + DENSE_FREE;
	ids->dense = array_new(ids->dense_count, sizeof *ids->dense, err);
	return ids->dense != NULL;
}

static bool
add_id(struct proto_ids *ids, uint64_t id, size_t index, struct error *err)
{
	if (id >= ids->dense_count)
		return map_put(&ids->sparse, id, (uint32_t)index, err);
	ids->dense[id] = (uint32_t)index + 1;
	return true;
}

static void
release_ids(struct proto_ids *ids)
{
	array_release(&ids->dense);
	map_release(&ids->sparse);
}

/* What has the id of another one, or none, cannot be meant by anybody. */
static bool
is_free(struct proto *proto, const struct proto_ids *ids, uint64_t id, size_t at, const char *what)
{
	if (id != 0 && proto_find(ids, id) == PROTO_NONE)
		return true;
	if (id == 0)
		pprof_damaged(proto->pprof, at, 0, "a %s has the id 0, which is none", what);
	else
		pprof_damaged(proto->pprof, at, 0, "two %ss have the id %" PRIu64, what, id);
	return false;
}

/* Of what is cut off nobody can tell what its strings were; else it is damage of its own. */
static void
check_string(struct proto *proto, uint32_t index, size_t at, const char *what)
{
	if (!proto_has_string(proto, index) && !proto->pprof->is_cut)
		pprof_damaged(proto->pprof, at, 0, "a %s names a string that is not there", what);
}

static bool
find_mappings(struct proto *proto, struct error *err)
{
	for (size_t i = 0; i < proto->mapping_count; i++) {
		const struct proto_mapping *mapping = &proto->mappings[i];
		if (!is_free(proto, &proto->mapping_ids, mapping->id, mapping->at, "mapping"))
			continue;
		check_string(proto, mapping->file, mapping->at, "mapping");
		check_string(proto, mapping->build, mapping->at, "mapping");
		proto->pprof->mappings++;
		if (!add_id(&proto->mapping_ids, mapping->id, i, err))
			return false;
	}
	return true;
}

static bool
find_functions(struct proto *proto, struct error *err)
{
	for (size_t i = 0; i < proto->function_count; i++) {
		const struct proto_function *function = &proto->functions[i];
		if (!is_free(proto, &proto->function_ids, function->id, function->at, "function"))
			continue;
		check_string(proto, function->name, function->at, "function");
		check_string(proto, function->file, function->at, "function");
		proto->pprof->functions++;
		if (!add_id(&proto->function_ids, function->id, i, err))
			return false;
	}
	return true;
}

static bool
find_locations(struct proto *proto, struct error *err)
{
	for (size_t i = 0; i < proto->location_count; i++) {
		const struct proto_location *location = &proto->locations[i];
		if (!is_free(proto, &proto->location_ids, location->id, location->at, "location"))
			continue;
		proto->pprof->locations++;
		if (!add_id(&proto->location_ids, location->id, i, err))
			return false;
	}
	return true;
}

static bool
find_ids(struct proto *proto, struct error *err)
{
	return begin_ids(&proto->mapping_ids, proto->mapping_count, err) &&
	       begin_ids(&proto->function_ids, proto->function_count, err) &&
	       begin_ids(&proto->location_ids, proto->location_count, err) &&
	       find_mappings(proto, err) && find_functions(proto, err) &&
	       find_locations(proto, err);
}

/* ---- fields */

enum taken { TAKEN, TAKEN_BROKEN, TAKEN_FAILED };

#define APPEND(array, count, capacity, err) \
	(array_reserve(&(array), &(capacity), (count) + 1, sizeof *(array), err) ? &(array)[(count)++] \
										 : NULL)

static enum taken
take_type(struct proto *proto, const struct wire_field *field, uint32_t previous, struct error *err)
{
	uint64_t values[TYPE_FIELDS] = { 0 };
	if (!proto_numbers(field->bytes, values, TYPE_FIELDS))
		return TAKEN_BROKEN;
	if (proto->type_count > 0 && previous != PROFILE_SAMPLE_TYPE)
		return error_set(err, ERROR_FORMAT, "concatenated profiles detected"), TAKEN_FAILED;
	if (proto->type_count == SAMPLE_TYPES_MOST)
		return error_set(err, ERROR_LIMIT, "a profile of more than %d types of samples",
			       SAMPLE_TYPES_MOST), TAKEN_FAILED;
	uint32_t *type = proto->types[proto->type_count++];
	type[TYPE_NAME] = string_index(values[TYPE_NAME]);
	type[TYPE_UNIT] = string_index(values[TYPE_UNIT]);
	return TAKEN;
}

static enum taken
take_mapping(struct proto *proto, const struct wire_field *field, size_t at, struct error *err)
{
	uint64_t values[MAPPING_FIELDS] = { 0 };
	if (!proto_numbers(field->bytes, values, MAPPING_FIELDS))
		return TAKEN_BROKEN;
	struct proto_mapping *mapping =
		APPEND(proto->mappings, proto->mapping_count, proto->mapping_capacity, err);
	if (mapping == NULL)
		return TAKEN_FAILED;
	*mapping = (struct proto_mapping){ values[MAPPING_ID], at,
		string_index(values[MAPPING_FILE]), string_index(values[MAPPING_BUILD]) };
	return TAKEN;
}

static enum taken
take_function(struct proto *proto, const struct wire_field *field, size_t at, struct error *err)
{
	uint64_t values[FUNCTION_FIELDS] = { 0 };
	if (!proto_numbers(field->bytes, values, FUNCTION_FIELDS))
		return TAKEN_BROKEN;
	struct proto_function *function =
		APPEND(proto->functions, proto->function_count, proto->function_capacity, err);
	if (function == NULL)
		return TAKEN_FAILED;
	*function = (struct proto_function){ values[FUNCTION_ID], at,
		string_index(values[FUNCTION_NAME]), string_index(values[FUNCTION_FILE]) };
	return TAKEN;
}

static enum taken
take_location(struct proto *proto, const struct wire_field *field, size_t at, struct error *err)
{
	struct cursor message = field->bytes;
	struct wire_field inner;
	uint64_t line[LINE_FIELDS], id = 0;
	while (wire_next(&message, &inner)) {
		if (inner.number > LOCATION_FOLDED)
			continue;
		if (inner.number != LOCATION_LINE) {
			if (inner.type != WIRE_VARINT)
				return TAKEN_BROKEN;
			if (inner.number == LOCATION_ID)
				id = inner.value;
		} else if (inner.type != WIRE_BYTES || !proto_numbers(inner.bytes, line, LINE_FIELDS)) {
			return TAKEN_BROKEN;
		}
	}
	if (cursor_left(&message) > 0)
		return TAKEN_BROKEN;
	struct proto_location *location =
		APPEND(proto->locations, proto->location_count, proto->location_capacity, err);
	if (location == NULL)
		return TAKEN_FAILED;
	*location = (struct proto_location){ id, at, 0, PROTO_NONE };
	return TAKEN;
}

static enum taken
take_string(struct proto *proto, const struct wire_field *field, size_t at, struct error *err)
{
	if (proto->string_count == 0 && cursor_left(&field->bytes) > 0)
		pprof_damaged(proto->pprof, at, cursor_left(&field->bytes),
			"the first string is not empty");
	size_t *string = APPEND(proto->strings, proto->string_count, proto->string_capacity, err);
	if (string == NULL)
		return TAKEN_FAILED;
	*string = at;
	return TAKEN;
}

static enum taken
take_comments(struct proto *proto, const struct wire_field *field, struct error *err)
{
	struct cursor packed = field->bytes;
	uint64_t value = field->value;
	if (field->type == WIRE_BYTES && !wire_is_packed(packed))
		return TAKEN_BROKEN;
	while (field->type == WIRE_VARINT || wire_varint(&packed, &value)) {
		uint32_t *comment = APPEND(
			proto->comments, proto->comment_count, proto->comment_capacity, err);
		if (comment == NULL)
			return TAKEN_FAILED;
		*comment = string_index(value);
		if (field->type == WIRE_VARINT)
			break;
	}
	return TAKEN;
}

/* at: of what stands behind the field's tag. */
static enum taken
take_message(struct proto *proto, const struct wire_field *field, size_t at, uint32_t previous,
	struct error *err)
{
	uint64_t values[TYPE_FIELDS] = { 0 };
	switch (field->number) {
	case PROFILE_SAMPLE_TYPE:
		return take_type(proto, field, previous, err);
	case PROFILE_MAPPING:
		return take_mapping(proto, field, at, err);
	case PROFILE_LOCATION:
		return take_location(proto, field, at, err);
	case PROFILE_FUNCTION:
		return take_function(proto, field, at, err);
	case PROFILE_STRING:
		return take_string(proto, field, at, err);
	case PROFILE_PERIOD_TYPE:
		if (!proto_numbers(field->bytes, values, TYPE_FIELDS))
			return TAKEN_BROKEN;
		proto->period_type[TYPE_NAME] = string_index(values[TYPE_NAME]);
		proto->period_type[TYPE_UNIT] = string_index(values[TYPE_UNIT]);
		return TAKEN;
	default: /* samples come later */
		return TAKEN;
	}
}

static bool
is_message(uint32_t number)
{
	return number <= PROFILE_STRING || number == PROFILE_PERIOD_TYPE;
}

static enum taken
take_field(struct proto *proto, const struct wire_field *field, size_t at, uint32_t previous,
	struct error *err)
{
	if (field->number >= PROFILE_FIELDS)
		return TAKEN;
	if (field->number == PROFILE_COMMENT && wire_is_numbers(field))
		return take_comments(proto, field, err);
	if (field->type != (is_message(field->number) ? WIRE_BYTES : WIRE_VARINT))
		return TAKEN_BROKEN;
	if (field->type == WIRE_BYTES)
		return take_message(proto, field, at, previous, err);
	proto->scalars[field->number] = field->value;
	return TAKEN;
}

/* ---- all fields */

/* The first byte of a message behind its tag. */
static size_t
behind_tag(const struct proto *proto, size_t at)
{
	while (proto->pprof->bytes[at] >= 0x80)
		at++;
	return at + 1;
}

static void
end_at(struct proto *proto, size_t at, bool is_beyond)
{
	struct pprof *pprof = proto->pprof;
	bool is_told = pprof->is_cut && is_beyond;
	pprof->is_cut = true;
	pprof->whole = at;
	if (is_told)
		return;
	if (is_beyond)
		pprof_cut(pprof, at, "ended early, %zu bytes into a field", pprof->size - at);
	else
		pprof_cut(pprof, at, "no field of a profile; %zu bytes from there on are not read",
			pprof->size - at);
}

bool
proto_read(struct proto *proto, struct error *err)
{
	struct pprof *pprof = proto->pprof;
	struct cursor rest = cursor_over(pprof->bytes, pprof->whole, 0);
	struct wire_field field;
	enum { CHECKED_EACH = 65536 };
	uint32_t previous = 0;
	size_t at = 0, count = 0;
	while (wire_next(&rest, &field)) {
		enum taken taken = take_field(proto, &field,
			field.type == WIRE_BYTES ? behind_tag(proto, at) : at, previous, err);
		if (taken == TAKEN_FAILED ||
			(++count % CHECKED_EACH == 0 && pprof_is_cancelled(pprof, err)))
			return false;
		if (taken == TAKEN_BROKEN)
			break;
		previous = field.number;
		at = (size_t)cursor_offset(&rest);
	}
	if (at < pprof->whole)
		end_at(proto, at, at == cursor_offset(&rest) && wire_is_cut(rest));
	if (proto->string_count >= PROTO_NONE || proto->location_count >= PROTO_NONE)
		return error_set(err, ERROR_LIMIT, "a profile of more than 4294967294 names");
	if (proto->string_count == 0 && !pprof->is_cut) {
		pprof->is_cut = true;
		pprof_cut(pprof, at, "there is no table of strings");
	}
	proto->interned = array_new_unset(proto->string_count, sizeof *proto->interned, err);
	if (proto->interned == NULL)
		return false;
	memset(proto->interned, 0xff, proto->string_count * sizeof *proto->interned);
	return find_ids(proto, err);
}

void
proto_release(struct proto *proto)
{
	array_release(&proto->mappings);
	array_release(&proto->functions);
	array_release(&proto->locations);
	array_release(&proto->strings);
	array_release(&proto->interned);
	array_release(&proto->comments);
	array_release(&proto->frames);
	release_ids(&proto->mapping_ids);
	release_ids(&proto->function_ids);
	release_ids(&proto->location_ids);
}
