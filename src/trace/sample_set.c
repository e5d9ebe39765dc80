/* Columns that grow, and lists of labels that are known again. */
#include "trace/sample_set.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "trace/ref.h"

struct sample_set *
sample_set_new(struct error *err)
{
	struct sample_set *set = array_new(1, sizeof *set, err);
	if (set != NULL && !intern_init(&set->label_bytes, err)) {
		sample_set_free(set);
		return NULL;
	}
	return set;
}

void
sample_set_free(struct sample_set *set)
{
	if (set == NULL)
		return;
	memory_free(set->stacks);
	memory_free(set->weights);
	memory_free(set->label_lists);
	memory_free(set->type_of);
	memory_free(set->instants);
	memory_free(set->origin.comments);
	intern_release(&set->label_bytes);
	memory_free(set);
}

size_t
sample_set_bytes(const struct sample_set *set)
{
	return sizeof *set + set->stack_capacity * sizeof *set->stacks +
	       set->weight_capacity * sizeof *set->weights +
	       set->list_capacity * sizeof *set->label_lists +
	       set->type_capacity * sizeof *set->type_of +
	       set->instant_capacity * sizeof *set->instants + intern_bytes(&set->label_bytes);
}

bool
sample_set_add_type(struct sample_set *set, string_id name, string_id unit, struct error *err)
{
	if (set->type_count == SAMPLE_TYPES_MOST)
		return error_set(err, ERROR_LIMIT, "a profile of more than %d types of samples",
			SAMPLE_TYPES_MOST);
	size_t width = set->type_count;
	if (set->type_of != NULL) {
		set->types[set->type_count++] = (struct sample_type){ .name = name, .unit = unit };
		return true;
	}
	if (!array_reserve(&set->weights, &set->weight_capacity, set->count * (width + 1),
		    sizeof *set->weights, err))
		return false;
	for (size_t i = set->count; i-- > 0;) {
		int64_t *row = set->weights + i * (width + 1);
		memmove(row, set->weights + i * width, width * sizeof *row);
		row[width] = 0;
	}
	set->types[set->type_count++] = (struct sample_type){ .name = name, .unit = unit };
	return true;
}

bool
sample_set_add_comment(struct sample_set *set, string_id comment, struct error *err)
{
	struct sample_origin *origin = &set->origin;
	if (!array_reserve(&origin->comments, &origin->comment_capacity, origin->comment_count + 1,
		    sizeof *origin->comments, err))
		return false;
	origin->comments[origin->comment_count++] = comment;
	return true;
}

/* Samples before the first one with labels have none. */
static bool
put_labels(struct sample_set *set, const struct sample_label *labels, size_t label_count,
	struct error *err)
{
	string_id list = STRING_EMPTY;
	if (label_count == 0 && set->label_lists == NULL)
		return true;
	if (label_count > 0 && !intern_add(&set->label_bytes, (const char *)labels,
				       label_count * sizeof *labels, &list, err))
		return false;
	bool is_first = set->label_lists == NULL;
	if (!array_reserve(&set->label_lists, &set->list_capacity, set->count + 1,
		    sizeof *set->label_lists, err))
		return false;
	if (is_first && set->count > 0)
		memset(set->label_lists, 0, set->count * sizeof *set->label_lists);
	set->label_lists[set->count] = list;
	return true;
}

bool
sample_set_add(struct sample_set *set, stack_id stack, const int64_t *weights,
	const struct sample_label *labels, size_t label_count, struct error *err)
{
	if (set->type_count == 0)
		return error_set(err, ERROR_LIMIT, "a profile without a type of samples");
	if (!array_reserve(&set->stacks, &set->stack_capacity, set->count + 1, sizeof *set->stacks,
		    err) ||
		!array_reserve(&set->weights, &set->weight_capacity,
			(set->count + 1) * set->type_count, sizeof *set->weights, err) ||
		!put_labels(set, labels, label_count, err))
		return false;
	set->stacks[set->count] = stack;
	memcpy(set->weights + set->count * set->type_count, weights,
		set->type_count * sizeof *weights);
	set->count++;
	return true;
}

bool
sample_set_add_single(struct sample_set *set, const struct sample_single *sample,
	const struct sample_label *labels, size_t label_count, struct error *err)
{
	size_t needed = set->count + 1;
	assert(sample->type < set->type_count && (set->type_of != NULL || set->count == 0));
	if (!array_reserve(&set->stacks, &set->stack_capacity, needed, sizeof *set->stacks, err) ||
		!array_reserve(&set->weights, &set->weight_capacity, needed, sizeof *set->weights, err) ||
		!array_reserve(&set->type_of, &set->type_capacity, needed, sizeof *set->type_of, err) ||
		!array_reserve(&set->instants, &set->instant_capacity, needed, sizeof *set->instants, err) ||
		!put_labels(set, labels, label_count, err))
		return false;
	set->instants[set->count] = sample->instant;
	set->stacks[set->count] = sample->stack;
	set->weights[set->count] = sample->weight;
	set->type_of[set->count++] = (uint8_t)sample->type;
	return true;
}

size_t
sample_set_label_count(const struct sample_set *set, size_t sample)
{
	size_t length = 0;
	if (set->label_lists != NULL)
		intern_text(&set->label_bytes, set->label_lists[sample], &length);
	return length / sizeof(struct sample_label);
}

struct sample_label
sample_set_label(const struct sample_set *set, size_t sample, size_t label)
{
	const char *bytes = intern_text(&set->label_bytes, set->label_lists[sample], NULL);
	struct sample_label found;
	memcpy(&found, bytes + label * sizeof found, sizeof found);
	return found;
}

unsigned
sample_set_find_type(const struct sample_set *set, const struct intern *strings, const char *name,
	size_t length)
{
	if (length == 0)
		return set->usual_type;
	for (unsigned i = 0; i < set->type_count; i++) {
		size_t known_length, unit_length;
		const char *known = intern_text(strings, set->types[i].name, &known_length);
		const char *unit = intern_text(strings, set->types[i].unit, &unit_length);
		if (length < known_length || memcmp(name, known, known_length) != 0)
			continue;
		const char *rest = name + known_length;
		size_t left = length - known_length;
		if (left == 0 || (left == unit_length + 1 && (*rest == '_' || *rest == '/') &&
					 memcmp(rest + 1, unit, unit_length) == 0))
			return i;
	}
	return set->type_count;
}
