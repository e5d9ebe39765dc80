/*
 * The tables of a profile.proto: where strings, functions, locations and mappings stand in its
 * bytes. Nothing of them is copied before a sample needs it.
 */
#ifndef TTRACE_SOURCE_PPROF_PROTO_H
#define TTRACE_SOURCE_PPROF_PROTO_H

#include "base/map.h"
#include "input/cursor.h"
#include "source/pprof/pprof.h"

/* Numbers of fields. */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING, PROFILE_DROP, PROFILE_KEEP, PROFILE_TIME,
	PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT,
	PROFILE_DOC, PROFILE_FIELDS,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL,
	MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_BUILD,
	MAPPING_FIELDS = 11,
	LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE, LOCATION_FOLDED,
	LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN, LINE_FIELDS,
	FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM, FUNCTION_FILE, FUNCTION_START,
	FUNCTION_FIELDS,
	LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER, LABEL_UNIT, LABEL_FIELDS,
	TYPE_NAME = 1, TYPE_UNIT, TYPE_FIELDS
};

/* No entry of a table has that index, nor a string. */
#define PROTO_NONE UINT32_MAX

/* From ids to indexes: those that are small enough in an array. */
struct proto_ids {
	uint32_t *dense; /* index + 1; 0: none has that id */
	size_t dense_count;
	struct map sparse;
};

/* Of strings there are indexes alone. */
struct proto_mapping {
	uint64_t id;
	size_t at; /* where the length of its message stands, as below */
	uint32_t file, build;
};

struct proto_function {
	uint64_t id;
	size_t at;
	uint32_t name, file;
};

struct proto_location {
	uint64_t id;
	size_t at;
	uint32_t first, count; /* of its frames, once it was resolved; PROTO_NONE before */
};

struct proto {
	struct pprof *pprof;
	struct proto_mapping *mappings;
	struct proto_function *functions;
	struct proto_location *locations;
	size_t *strings;      /* where the length of each stands */
	string_id *interned;  /* of each, once it was asked for; else PROTO_NONE */
	uint32_t *comments;   /* indexes of strings */
	size_t mapping_count, function_count, location_count, string_count, comment_count;
	size_t mapping_capacity, function_capacity, location_capacity, string_capacity;
	size_t comment_capacity;
	struct proto_ids mapping_ids, function_ids, location_ids;
	uint32_t types[SAMPLE_TYPES_MOST][TYPE_FIELDS];
	size_t type_count;
	uint32_t period_type[TYPE_FIELDS];
	uint64_t scalars[PROFILE_FIELDS]; /* by number; the last one counts */
	frame_id *frames; /* of all resolved locations, each from its outermost line in */
	size_t frame_count, frame_capacity;
	bool has_lost_names; /* of functions that frames were made of */
};

/* Finds the tables in the bytes. */
bool proto_read(struct proto *proto, struct error *err);
void proto_release(struct proto *proto);

/* The index of an id, PROTO_NONE for none. O(1). */
static inline uint32_t
proto_find(const struct proto_ids *ids, uint64_t id)
{
	if (LIKELY(id < ids->dense_count))
		return ids->dense[id] - 1;
	return map_find(&ids->sparse, id);
}

/* A message of numbers into values[number], of those below `fields`. False where it is broken. */
bool proto_numbers(struct cursor message, uint64_t *values, unsigned fields);

/* Whether there is a string of that index; 0 is "none". */
static inline bool
proto_has_string(const struct proto *proto, uint64_t index)
{
	return index == 0 || index < proto->string_count;
}

/* The string of that index; STRING_EMPTY where there is none. */
bool proto_string(struct proto *proto, uint64_t index, string_id *id, struct error *err);

/* What stands behind the length at that place. */
struct cursor proto_message(const struct proto *proto, size_t at);

/* Makes the frames of a location, if that was not done yet. */
bool proto_resolve(struct proto *proto, uint32_t location, struct error *err);

/* Reads all samples into the trace. */
bool proto_read_samples(struct proto *proto, struct error *err);

#endif
