#include "pproftesting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sample_set.h"

struct trace *
pproftesting_load(const struct source *source, const void *bytes, size_t size, struct error *err)
{
	struct input in;
	struct source_wish wish = { .progress = NULL };
	struct unpacked unpacked;
	struct trace *trace = NULL;
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	if (unpacked_open(&unpacked, &in, err))
		trace = source->load(unpacked.in, &wish, err);
	unpacked_close(&unpacked);
	input_close(&in);
	return trace;
}

/* ---- folded */

struct folded {
	struct text stack;
	int64_t weight;
};

static void
add_name(struct text *out, const struct trace *trace, string_id name)
{
	size_t length;
	const char *bytes = intern_text(&trace->strings, name, &length);
	for (size_t i = 0; i < length; i++) {
		char c = bytes[i] == ';' ? ':' : bytes[i] == '\n' || bytes[i] == '\r' ? ' ' : bytes[i];
		text_add(out, &c, 1);
	}
}

static void
add_stack(struct text *out, const struct trace *trace, stack_id stack)
{
	uint32_t depth = stack_depth(&trace->stacks, stack);
	for (uint32_t i = depth; i-- > 0;) {
		stack_id at = stack;
		for (uint32_t j = 0; j < i; j++)
			at = stack_caller(&trace->stacks, at);
		add_name(out, trace, stack_leaf(&trace->stacks, at)->function);
		text_add_string(out, i > 0 ? ";" : "");
	}
}

static int
compare_folded(const void *left, const void *right)
{
	const struct folded *a = left, *b = right;
	return text_compare(a->stack.bytes, a->stack.length, b->stack.bytes, b->stack.length);
}

bool
pproftesting_folded(const struct trace *trace, unsigned type, struct text *out)
{
	const struct sample_set *set = trace->samples;
	struct folded *rows = calloc(set->count + 1, sizeof *rows);
	size_t count = 0;
	for (size_t i = 0; rows != NULL && i < set->count; i++) {
		if (set->stacks[i] == STACK_NONE)
			continue;
		add_stack(&rows[count].stack, trace, set->stacks[i]);
		rows[count++].weight = set->weights[i * set->type_count + type];
	}
	if (rows != NULL)
		qsort(rows, count, sizeof *rows, compare_folded);
	for (size_t i = 0, next; i < count; i = next) {
		int64_t sum = 0;
		for (next = i; next < count && compare_folded(&rows[i], &rows[next]) == 0; next++)
			sum += rows[next].weight;
		if (sum == 0)
			continue;
		text_add(out, rows[i].stack.bytes, rows[i].stack.length);
		text_format(out, " %" PRId64 "\n", sum);
	}
	for (size_t i = 0; i < count; i++)
		text_release(&rows[i].stack);
	bool is_fine = rows != NULL && !out->failed;
	free(rows);
	return is_fine;
}

/* ---- what must hold */

static const char *
stack_fault(const struct trace *trace, stack_id stack)
{
	uint32_t strings = intern_count(&trace->strings);
	if (stack >= stack_count(&trace->stacks))
		return "a sample has a stack that is none";
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		const struct stack_frame *frame = stack_leaf(&trace->stacks, stack);
		if (frame->function >= strings || frame->file >= strings)
			return "a frame has a name that is none";
		if (frame->function == STRING_EMPTY)
			return "a frame has no name";
		if (frame->is_inlined > 1)
			return "a frame is inlined more than once";
		if (frame->is_inlined == 1 && stack_caller(&trace->stacks, stack) == STACK_NONE)
			return "a frame is inlined into nothing";
	}
	return NULL;
}

const char *
pproftesting_fault(const struct trace *trace)
{
	const struct sample_set *set = trace->samples;
	uint32_t strings = intern_count(&trace->strings);
	uint64_t depth = 0;
	if (set == NULL || set->type_count == 0 || set->type_count > SAMPLE_TYPES_MOST)
		return "there are no types";
	if (set->usual_type >= set->type_count)
		return "the usual type is none";
	for (unsigned i = 0; i < set->type_count; i++) {
		if (set->types[i].name >= strings || set->types[i].unit >= strings)
			return "a type has a name that is none";
	}
	for (size_t i = 0; i < set->count; i++) {
		const char *fault = stack_fault(trace, set->stacks[i]);
		if (fault != NULL)
			return fault;
		if (stack_depth(&trace->stacks, set->stacks[i]) > depth)
			depth = stack_depth(&trace->stacks, set->stacks[i]);
		for (size_t j = 0; j < sample_set_label_count(set, i); j++) {
			struct sample_label label = sample_set_label(set, i, j);
			if (label.key >= strings || label.text >= strings || label.unit >= strings)
				return "a label has a name that is none";
			if (label.text != STRING_EMPTY && (label.number != 0 || label.unit != STRING_EMPTY))
				return "a label is a text and a number";
		}
	}
	if (pproftesting_fact(trace, "samples") != set->count)
		return "the fact of samples is not how many there are";
	if (pproftesting_fact(trace, "depth") != depth)
		return "the fact of depth is not that of the deepest stack";
	if ((pproftesting_fact(trace, "damaged") > 0) != (damage_map_places(&trace->damage) > 0))
		return "damage is told in one place alone";
	return NULL;
}

uint64_t
pproftesting_fact(const struct trace *trace, const char *key)
{
	for (size_t i = 0; i < trace->facts.count; i++) {
		if (strcmp(trace->facts.items[i].key, key) == 0)
			return trace->facts.items[i].value;
	}
	return UINT64_MAX;
}
