/* Numbers locations, functions and texts as they first come by; protobuf-c writes them. */
#include "config.h"

#include "report/pprof.h"

#include "report/gzip.h"

#if HAVE_PROTOBUF_C

#include <string.h>

#include <pprof.pb-c.h>

#include "base/map.h"
#include "base/memory.h"

struct export {
	const struct trace *trace;
	struct profile profile;
	struct arena arena; /* of all messages */
	struct map location_of, function_of, text_of; /* frame, function and file, string -> index */
	Pprof__Location **locations;
	size_t location_count, location_capacity;
	Pprof__Function **functions;
	size_t function_count, function_capacity;
	char **texts;
	size_t text_count, text_capacity;
	struct text safe; /* a text being made */
};

/* ---- numbers */

/* A message or the like that lives until the export is written; NULL with err set. */
static void *
make(struct export *export, size_t size, struct error *err)
{
	void *bytes = arena_alloc(&export->arena, size);
	if (bytes == NULL)
		error_set_memory(err, "the profile");
	return bytes;
}

/* Its index in *index. The bytes are copied. */
static bool
add_text(struct export *export, const char *bytes, size_t length, size_t *index, struct error *err)
{
	if (!array_reserve(&export->texts, &export->text_capacity, export->text_count + 1,
		    sizeof(*export->texts), err))
		return false;
	char *copy = arena_copy(&export->arena, bytes, length);
	if (copy == NULL)
		return error_set_memory(err, "the profile");
	*index = export->text_count;
	export->texts[export->text_count++] = copy;
	return true;
}

static bool
add_word(struct export *export, const char *word, int64_t *number, struct error *err)
{
	size_t index = 0;
	if (!add_text(export, word, strlen(word), &index, err))
		return false;
	*number = (int64_t)index;
	return true;
}

static bool
find_text(struct export *export, string_id id, int64_t *number, struct error *err)
{
	uint32_t known = map_find(&export->text_of, id);
	size_t length, index = known;
	if (known == MAP_NONE) {
		const char *bytes = trace_text(export->trace, id, &length);
		text_clear(&export->safe);
		text_add_safe(&export->safe, bytes, length, false);
		if (export->safe.failed)
			return error_set_memory(err, "the profile");
		if (!add_text(export, export->safe.bytes != NULL ? export->safe.bytes : "",
			    export->safe.length, &index, err) ||
			!map_put(&export->text_of, id, (uint32_t)index, err))
			return false;
	}
	*number = (int64_t)index;
	return true;
}

static bool
find_function(struct export *export, const struct stack_frame *frame, uint64_t *id,
	struct error *err)
{
	uint64_t key = (uint64_t)frame->function << 32 | frame->file;
	uint32_t index = map_find(&export->function_of, key);
	*id = (uint64_t)index + 1;
	if (index != MAP_NONE)
		return true;
	if (!array_reserve(&export->functions, &export->function_capacity,
		    export->function_count + 1, sizeof(Pprof__Function *), err) ||
		!map_put(&export->function_of, key, (uint32_t)export->function_count, err))
		return false;
	Pprof__Function *function = make(export, sizeof(*function), err);
	if (function == NULL)
		return false;
	pprof__function__init(function);
	export->functions[export->function_count++] = function;
	function->id = *id = export->function_count;
	bool is_fine = find_text(export, frame->function, &function->name, err) &&
		       find_text(export, frame->file, &function->file, err);
	function->system_name = function->name;
	return is_fine;
}

static bool
add_location(struct export *export, const struct stack_frame *frame, struct error *err)
{
	Pprof__Location *location = make(export, sizeof(*location), err);
	Pprof__Line *line = make(export, sizeof(*line), err);
	Pprof__Line **lines = make(export, sizeof(Pprof__Line *), err);
	if (location == NULL || line == NULL || lines == NULL ||
		!array_reserve(&export->locations, &export->location_capacity,
			export->location_count + 1, sizeof(Pprof__Location *), err))
		return false;
	pprof__location__init(location);
	pprof__line__init(line);
	export->locations[export->location_count++] = location;
	location->id = export->location_count;
	location->address = frame->pc;
	location->n_line = 1;
	location->line = lines;
	lines[0] = line;
	line->line = (int64_t)frame->line;
	return find_function(export, frame, &line->function, err);
}

static bool
find_location(struct export *export, stack_id stack, uint64_t *id, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(&export->profile, export->trace);
	const struct stack_node *node = stable_at(&stacks->nodes, stack);
	uint32_t index = map_find(&export->location_of, node->frame);
	*id = (uint64_t)index + 1;
	if (index != MAP_NONE)
		return true;
	*id = (uint64_t)export->location_count + 1;
	return map_put(&export->location_of, node->frame, (uint32_t)export->location_count, err) &&
	       add_location(export, stack_leaf(stacks, stack), err);
}

/* ---- messages */

static Pprof__Sample *
new_sample(struct export *export, const struct profile_entry *entry, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(&export->profile, export->trace);
	uint32_t depth = stack_depth(stacks, entry->stack), i = 0;
	Pprof__Sample *sample = make(export, sizeof(*sample), err);
	uint64_t *locations = make(export, depth * sizeof(*locations), err);
	int64_t *values = make(export, 2 * sizeof(*values), err);
	if (sample == NULL || locations == NULL || values == NULL)
		return NULL;
	for (stack_id at = entry->stack; at != STACK_NONE; at = stack_caller(stacks, at))
		if (!find_location(export, at, &locations[i++], err))
			return NULL;
	pprof__sample__init(sample);
	sample->n_location = depth;
	sample->location = locations;
	sample->n_value = export->profile.kind == PROFILE_CPU ? 1 : 2;
	sample->value = values;
	values[0] = (int64_t)entry->count;
	values[1] = entry->ns;
	return sample;
}

static bool
fill_type(struct export *export, Pprof__ValueType *type, const char *name, const char *unit,
	struct error *err)
{
	pprof__value_type__init(type);
	return add_word(export, name, &type->type, err) && add_word(export, unit, &type->unit, err);
}

/* What the values are; *count of them. */
static bool
fill_types(struct export *export, Pprof__ValueType types[2], size_t *count, struct error *err)
{
	bool is_cpu = export->profile.kind == PROFILE_CPU;
	*count = is_cpu ? 1 : 2;
	if (is_cpu)
		return fill_type(export, &types[0], "samples", "count", err);
	bool is_slices = export->profile.kind == PROFILE_SLICES;
	return fill_type(export, &types[0], is_slices ? "calls" : "contentions", "count", err) &&
	       fill_type(export, &types[1], is_slices ? "time" : "delay", "nanoseconds", err);
}

static bool
pack(const Pprof__Profile *message, struct text *out, struct error *err)
{
	size_t size = pprof__profile__get_packed_size(message);
	uint8_t *bytes = array_new_unset(size, 1, err);
	if (bytes == NULL)
		return false;
	pprof__profile__pack(message, bytes);
	bool is_fine = gzip_add(out, bytes, size, err);
	memory_free(bytes);
	return is_fine;
}

static bool
write_profile(struct export *export, struct text *out, struct error *err)
{
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__ValueType types[2], period;
	Pprof__ValueType *type_list[2] = { &types[0], &types[1] };
	int64_t empty;
	size_t count = export->profile.entry_count;
	Pprof__Sample **samples = array_new_unset(count, sizeof(Pprof__Sample *), err);
	bool is_fine = samples != NULL && add_word(export, "", &empty, err) &&
		       fill_types(export, types, &message.n_sample_type, err) &&
		       fill_type(export, &period, "trace", "count", err);
	for (size_t i = 0; i < count && is_fine; i++) {
		samples[i] = new_sample(export, &export->profile.entries[i], err);
		is_fine = samples[i] != NULL;
	}
	message.sample_type = type_list;
	message.period_type = &period;
	message.period = 1;
	message.n_sample = count;
	message.sample = samples;
	message.n_location = export->location_count;
	message.location = export->locations;
	message.n_function = export->function_count;
	message.function = export->functions;
	message.n_text = export->text_count;
	message.text = export->texts;
	is_fine = is_fine && pack(&message, out, err);
	memory_free(samples);
	return is_fine;
}

static void
export_release(struct export *export)
{
	profile_release(&export->profile);
	arena_release(&export->arena);
	map_release(&export->location_of);
	map_release(&export->function_of);
	map_release(&export->text_of);
	memory_free(export->locations);
	memory_free(export->functions);
	memory_free(export->texts);
	text_release(&export->safe);
}

bool
report_pprof_is_available(const char **missing)
{
	*missing = "zlib";
	return gzip_is_available();
}

bool
report_pprof(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct export export = { .trace = trace };
	(void)options;
	if (!profile_request_build(request, trace, &export.profile, err))
		return false;
	bool is_fine = write_profile(&export, out, err);
	export_release(&export);
	return is_fine;
}

#else

bool
report_pprof_is_available(const char **missing)
{
	*missing = "libprotobuf-c";
	return false;
}

bool
report_pprof(const struct trace *trace, const struct profile_request *request,
	const struct report_options *options, struct text *out, struct error *err)
{
	(void)trace;
	(void)request;
	(void)options;
	(void)out;
	return error_set(err, ERROR_LIMIT, "ttrace was built without libprotobuf-c");
}

#endif
