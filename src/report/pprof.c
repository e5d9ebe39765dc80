/* Numbers locations, functions and texts as they first come by; protobuf-c writes them. */
#include "config.h"

#include "report/pprof.h"

#include "report/gzip.h"

#if HAVE_PROTOBUF_C

#include <stdio.h>
#include <string.h>

#include <pprof.pb-c.h>

#include "base/map.h"
#include "base/memory.h"
#include "trace/sample_set.h"

struct export {
	const struct trace *trace;
	struct profile profile;
	struct arena arena; /* of all messages */
	struct map function_of, text_of; /* function and file, string -> index */
	struct intern places; /* a location is the frames at one place, inlined ones first, as a string */
	uint64_t mapping;     /* that locations are in, 0 for none */
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
	uint32_t known = id == STRING_EMPTY ? 0 : map_find(&export->text_of, id);
	size_t length, index = known;
	if (known == MAP_NONE) {
		const char *bytes = trace_text(export->trace, id, &length);
		text_clear(&export->safe);
		/* What was read is written as it is. */
		if (export->trace->samples != NULL)
			text_add(&export->safe, bytes, length);
		else
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
add_line(struct export *export, const struct stack_frame *frame, Pprof__Line **line, struct error *err)
{
	*line = make(export, sizeof **line, err);
	if (*line == NULL)
		return false;
	pprof__line__init(*line);
	(*line)->line = (int64_t)frame->line;
	(*line)->column = frame->column;
	return find_function(export, frame, &(*line)->function, err);
}

/* A place with all frames that are inlined there, from the stack on. */
static bool
add_location(struct export *export, stack_id stack, size_t frame_count, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(&export->profile);
	Pprof__Location *location = make(export, sizeof(*location), err);
	Pprof__Line **lines = make(export, frame_count * sizeof(Pprof__Line *), err);
	if (location == NULL || lines == NULL ||
		!array_reserve(&export->locations, &export->location_capacity,
			export->location_count + 1, sizeof(Pprof__Location *), err))
		return false;
	pprof__location__init(location);
	export->locations[export->location_count++] = location;
	location->id = export->location_count;
	location->mapping = export->mapping;
	location->address = stack_leaf(stacks, stack)->pc;
	location->n_line = frame_count;
	location->line = lines;
	for (size_t i = 0; i < frame_count; i++, stack = stack_caller(stacks, stack))
		if (!add_line(export, stack_leaf(stacks, stack), &lines[i], err))
			return false;
	return true;
}

/* The location of the leaf of *stack, which becomes its caller's. */
static bool
take_location(struct export *export, stack_id *stack, uint64_t *id, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(&export->profile);
	stack_id leaf = *stack;
	bool is_inlined = true;
	size_t count = 0;
	text_clear(&export->safe);
	for (; is_inlined && *stack != STACK_NONE; *stack = stack_caller(stacks, *stack), count++) {
		frame_id frame = ((const struct stack_node *)stable_at(&stacks->nodes, *stack))->frame;
		text_add(&export->safe, (const char *)&frame, sizeof frame);
		is_inlined = stack_leaf(stacks, *stack)->is_inlined != 0;
	}
	if (export->safe.failed)
		return error_set_memory(err, "the profile");
	string_id place;
	if (!intern_add(&export->places, export->safe.bytes, export->safe.length, &place, err))
		return false;
	*id = place; /* the empty string has the first one */
	return place <= export->location_count || add_location(export, leaf, count, err);
}

/* ---- messages */

static bool
fill_locations(struct export *export, stack_id stack, Pprof__Sample *sample, struct error *err)
{
	uint32_t depth = stack_depth(profile_stacks(&export->profile), stack);
	sample->location = make(export, depth * sizeof *sample->location, err);
	if (sample->location == NULL)
		return false;
	while (stack != STACK_NONE)
		if (!take_location(export, &stack, &sample->location[sample->n_location++], err))
			return false;
	return true;
}

static Pprof__Sample *
new_sample(struct export *export, stack_id stack, size_t value_count, struct error *err)
{
	Pprof__Sample *sample = make(export, sizeof(*sample), err);
	if (sample == NULL)
		return NULL;
	pprof__sample__init(sample);
	sample->n_value = value_count;
	sample->value = make(export, value_count * sizeof *sample->value, err);
	return sample->value != NULL && fill_locations(export, stack, sample, err) ? sample : NULL;
}

/* ---- profiles of traces */

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
fill_entries(struct export *export, Pprof__Profile *message, struct error *err)
{
	size_t count = export->profile.entry_count;
	for (size_t i = 0; i < count; i++) {
		const struct profile_entry *entry = &export->profile.entries[i];
		Pprof__Sample *sample = new_sample(
			export, entry->stack, export->profile.kind == PROFILE_CPU ? 1 : 2, err);
		if (sample == NULL)
			return false;
		sample->value[0] = (int64_t)entry->count;
		if (sample->n_value > 1)
			sample->value[1] = entry->ns;
		message->sample[message->n_sample++] = sample;
	}
	return true;
}

/* ---- profiles that were read */

/* Whole numbers alone: digits behind the point are told by the unit, "count*1e-2". */
static bool
fill_sample_type(struct export *export, unsigned index, Pprof__ValueType *type, struct error *err)
{
	const struct sample_set *set = export->trace->samples;
	pprof__value_type__init(type);
	if (!find_text(export, set->types[index].name, &type->type, err))
		return false;
	if (set->decimals == 0)
		return find_text(export, set->types[index].unit, &type->unit, err);
	char unit[MEASURE_NAME_BYTES + 16];
	struct measure measure = profile_measure(export->trace, PROFILE_SAMPLES, index);
	snprintf(unit, sizeof unit, "%s*1e-%d", measure.plain_unit, set->decimals);
	return add_word(export, unit, &type->unit, err);
}

static bool
fill_labels(struct export *export, size_t index, Pprof__Sample *sample, struct error *err)
{
	const struct sample_set *set = export->trace->samples;
	size_t count = sample_set_label_count(set, index);
	sample->label = make(export, count * sizeof(Pprof__Label *), err);
	if (sample->label == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct sample_label label = sample_set_label(set, index, i);
		Pprof__Label *made = make(export, sizeof *made, err);
		if (made == NULL)
			return false;
		pprof__label__init(made);
		made->number = label.number;
		if (!find_text(export, label.key, &made->key, err) ||
			!find_text(export, label.text, &made->word, err) ||
			!find_text(export, label.unit, &made->unit, err))
			return false;
		sample->label[sample->n_label++] = made;
	}
	return true;
}

/* The samples that the request leaves, with all their weights. */
static bool
fill_samples(struct export *export, const struct profile_request *request, Pprof__Profile *message,
	struct error *err)
{
	const struct sample_set *set = export->trace->samples;
	struct profile_choice *choice = profile_choice_new(export->trace, &request->scope, err);
	bool *is_left = array_new(stack_count(&export->trace->stacks), sizeof *is_left, err);
	bool is_fine = choice != NULL && is_left != NULL;
	for (uint32_t i = 0; is_fine && i < export->profile.entry_count; i++)
		is_left[export->profile.entries[i].stack] = true;
	for (size_t i = 0; is_fine && i < set->count; i++) {
		if (!is_left[set->stacks[i]] || !profile_choice_has(choice, i))
			continue;
		Pprof__Sample *sample = new_sample(export, set->stacks[i], set->type_count, err);
		is_fine = sample != NULL && fill_labels(export, i, sample, err);
		if (!is_fine)
			break;
		for (unsigned n = 0; n < set->type_count; n++)
			sample->value[n] = sample_set_weight(set, i, n);
		message->sample[message->n_sample++] = sample;
	}
	profile_choice_free(choice);
	memory_free(is_left);
	return is_fine;
}

/* What the profile said of itself. */
static bool
fill_origin(struct export *export, Pprof__Profile *message, Pprof__Mapping *mapping, struct error *err)
{
	const struct sample_set *set = export->trace->samples;
	const struct sample_origin *origin = &set->origin;
	message->time_nanos = origin->time_ns;
	message->duration_nanos = origin->duration_ns;
	message->period = origin->period;
	message->comment = make(export, origin->comment_count * sizeof *message->comment, err);
	if (message->comment == NULL)
		return false;
	for (size_t i = 0; i < origin->comment_count; i++)
		if (!find_text(export, origin->comments[i], &message->comment[message->n_comment++], err))
			return false;
	if (set->usual_type + 1 != set->type_count &&
		!find_text(export, set->types[set->usual_type].name, &message->default_type, err))
		return false;
	pprof__mapping__init(mapping);
	mapping->id = export->mapping = 1;
	mapping->has_functions = true;
	return find_text(export, origin->file, &mapping->file, err) &&
	       find_text(export, origin->build_id, &mapping->build_id, err) &&
	       find_text(export, origin->doc, &message->doc, err) &&
	       find_text(export, origin->drop, &message->drop_frames, err) &&
	       find_text(export, origin->keep, &message->keep_frames, err) &&
	       find_text(export, origin->period_type, &message->period_type->type, err) &&
	       find_text(export, origin->period_unit, &message->period_type->unit, err);
}

/* ---- the file */

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
write_profile(struct export *export, const struct profile_request *request, struct text *out,
	struct error *err)
{
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__ValueType types[SAMPLE_TYPES_MOST], period;
	Pprof__ValueType *type_list[SAMPLE_TYPES_MOST];
	Pprof__Mapping mapping, *mapping_list[] = { &mapping };
	int64_t empty;
	const struct sample_set *set = export->trace->samples;
	size_t count = set != NULL ? set->count : export->profile.entry_count;
	Pprof__Sample **samples = array_new_unset(count, sizeof(Pprof__Sample *), err);
	bool is_fine = samples != NULL && add_word(export, "", &empty, err);
	pprof__value_type__init(&period);
	message.sample_type = type_list;
	message.period_type = &period;
	message.sample = samples;
	for (size_t i = 0; i < SAMPLE_TYPES_MOST; i++)
		type_list[i] = &types[i];
	if (is_fine && set == NULL) {
		message.period = 1;
		is_fine = fill_types(export, types, &message.n_sample_type, err) &&
			  fill_type(export, &period, "trace", "count", err) &&
			  fill_entries(export, &message, err);
	} else if (is_fine) {
		message.n_mapping = 1;
		message.mapping = mapping_list;
		is_fine = fill_origin(export, &message, &mapping, err);
		for (unsigned i = 0; is_fine && i < set->type_count; i++)
			is_fine = fill_sample_type(export, i, &types[i], err);
		message.n_sample_type = set->type_count;
		is_fine = is_fine && fill_samples(export, request, &message, err);
	}
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
	intern_release(&export->places);
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
	struct export export = { .trace = NULL };
	struct profile_request whole = *request;
	whole.scope.with_dropped = true;
	(void)options;
	if (!profile_request_settle(&whole, trace, err) ||
		!profile_request_build(&whole, trace, &export.profile, err))
		return false;
	export.trace = export.profile.trace;
	bool is_fine = intern_init(&export.places, err) && write_profile(&export, &whole, out, err);
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
