/* Facts and folded stacks of traces without a time. */
#include "sourcetesting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jsonread.h"
#include "source/source.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

struct trace *
sourcetesting_load(const char *source, const char *bytes, size_t size, struct error *err)
{
	struct input in;
	const struct source_wish wish = { 0 };
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = source_find(source)->load(&in, &wish, err);
	input_close(&in);
	return trace;
}

/* ---- folded */

struct line {
	char *stack;
	size_t length;
	int64_t weight;
	size_t sample;
};

static void
add_stack(struct text *out, const struct trace *trace, stack_id stack)
{
	stack_id frames[4096];
	size_t depth = 0;
	for (; stack != STACK_NONE && depth < 4096; stack = stack_caller(&trace->stacks, stack))
		frames[depth++] = stack;
	for (size_t i = depth; i-- > 0;) {
		size_t length;
		const char *name = trace_text(trace, stack_leaf(&trace->stacks, frames[i])->function, &length);
		if (i + 1 < depth)
			text_add(out, ";", 1);
		text_add(out, name, length);
	}
}

/* "12", and with decimals "12.5" without zeros at the end. */
static void
add_weight(struct text *out, int64_t weight, int decimals)
{
	int64_t scale = 1, rest;
	for (int i = 0; i < decimals; i++)
		scale *= 10;
	text_format(out, " %s%" PRId64, weight < 0 && weight > -scale ? "-" : "", weight / scale);
	rest = weight % scale < 0 ? -(weight % scale) : weight % scale;
	if (rest != 0)
		text_format(out, ".%0*" PRId64, decimals, rest);
	while (rest != 0 && out->bytes[out->length - 1] == '0')
		out->length--;
	text_add(out, "\n", 1);
}

static int
compare(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	size_t least = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->stack, b->stack, least);
	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

bool
sourcetesting_folded(const struct trace *trace, unsigned type, struct text *out)
{
	const struct sample_set *set = trace->samples;
	struct line *lines = calloc(set->count + 1, sizeof *lines);
	if (lines == NULL)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		struct text stack = { 0 };
		add_stack(&stack, trace, set->stacks[i]);
		text_add(&stack, "", 1);
		lines[i] = (struct line){ stack.bytes, stack.length - 1,
			set->weights[i * set->type_count + type], i };
	}
	qsort(lines, set->count, sizeof *lines, compare);
	for (size_t i = 0; i < set->count;) {
		int64_t sum = 0;
		size_t first = i;
		for (; i < set->count && compare(&lines[first], &lines[i]) == 0; i++)
			sum += lines[i].weight;
		/* What has no frame has no line. */
		if (sum == 0 || set->stacks[lines[first].sample] == STACK_NONE)
			continue;
		text_add(out, lines[first].stack, lines[first].length);
		add_weight(out, sum, set->decimals);
	}
	for (size_t i = 0; i < set->count; i++)
		memory_free(lines[i].stack);
	free(lines);
	return !out->failed;
}

/* ---- facts */

static const struct trace_fact *
find_fact(const struct trace *trace, struct jsonslice key)
{
	for (size_t i = 0; i < trace->facts.count; i++)
		if (jsonslice_is(key, trace->facts.items[i].key))
			return &trace->facts.items[i];
	return NULL;
}

bool
sourcetesting_agrees(const struct trace *trace, const struct text *oracle, struct text *out)
{
	struct jsonread in = jsonread_over((struct jsonslice){ oracle->bytes, oracle->length });
	struct jsonslice key, value;
	bool is_fine = true;
	while (jsonread_member(&in, &key, &value)) {
		char *end, number[40];
		snprintf(number, sizeof number, "%.*s", (int)value.length, value.bytes);
		uint64_t wanted = strtoull(number, &end, 10);
		if (end == number || *end != '\0')
			continue;
		const struct trace_fact *fact = find_fact(trace, key);
		if (fact != NULL && fact->value == wanted)
			continue;
		is_fine = false;
		text_format(out, "%.*s is %" PRIu64 ", not %" PRIu64 "\n", (int)key.length, key.bytes,
			fact != NULL ? fact->value : 0, wanted);
	}
	return is_fine && !in.failed;
}

/* ---- what must hold */

static const char *
fault_of_samples(const struct trace *trace)
{
	const struct sample_set *set = trace->samples;
	uint32_t strings = intern_count(&trace->strings);
	if (set->count > 0 && set->type_count == 0)
		return "samples have a type";
	if (set->type_count > 0 && set->usual_type >= set->type_count)
		return "the usual type is one of them";
	for (size_t i = 0; i < set->count; i++) {
		if (set->stacks[i] >= stack_count(&trace->stacks))
			return "a stack of a sample is there";
		for (size_t label = 0; label < sample_set_label_count(set, i); label++) {
			struct sample_label it = sample_set_label(set, i, label);
			if (it.key >= strings || it.text >= strings || it.unit >= strings)
				return "texts of labels are there";
		}
	}
	return NULL;
}

static const char *
fault_of_tables(const struct trace *trace)
{
	uint32_t strings = intern_count(&trace->strings);
	for (size_t i = 0; i < trace->ready->table_count; i++) {
		const struct ready_table *table = &trace->ready->tables[i];
		if (table->name >= strings || table->title >= strings || table->column_count == 0)
			return "a table has a name and columns";
		for (size_t cell = 0; cell < table->row_count * table->column_count; cell++)
			if (table->cells[cell].text >= strings)
				return "texts of cells are there";
	}
	return NULL;
}

const char *
sourcetesting_fault(const struct trace *trace)
{
	const char *fault = NULL;
	if (trace->clock != TRACE_CLOCK_NONE || trace->end_ns != 0)
		return "there is no time";
	for (uint32_t i = 0; i < stack_count(&trace->stacks) && i < trace->stacks.frames.count; i++) {
		const struct stack_frame *frame = stable_at(&trace->stacks.frames, i);
		if (frame->function >= intern_count(&trace->strings) ||
			frame->file >= intern_count(&trace->strings))
			return "names of frames are there";
	}
	if (trace->samples != NULL)
		fault = fault_of_samples(trace);
	if (fault == NULL && trace->ready != NULL)
		fault = fault_of_tables(trace);
	return fault;
}
