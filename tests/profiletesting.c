#include "profiletesting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "base/map.h"
#include "base/memory.h"
#include "base_testing.h"
#include "facttesting.h"
#include "input/input.h"
#include "jsonread.h"
#include "looking.h"
#include "oraclefile.h"
#include "report/flamegraph.h"
#include "report/profile.h"
#include "report/result.h"
#include "source/source.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

struct trace *
profiletesting_read(const char *source, const void *bytes, size_t size, struct error *err)
{
	struct input in;
	const struct source_wish wish = { .is_lenient = true };
	error_clear(err);
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = source_load(&in, source, &wish, err);
	input_close(&in);
	return trace;
}

struct trace *
profiletesting_load(const char *row, const char *bytes, size_t size, const char *source)
{
	struct error err;
	struct trace *trace = profiletesting_read(source, bytes, size, &err);
	if (trace == NULL)
		fail_msg("%s: %s", row, err.message);
	const char *fault = profiletesting_fault(trace);
	if (fault != NULL)
		fail_msg("%s: %s", row, fault);
	return trace;
}

void
profiletesting_read_file(const char *folder, const char *name, const char *suffix, struct text *text)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/%s/%s%s", getenv("TTRACE_TESTDATA"), folder, name, suffix);
	*text = (struct text){ 0 };
	assert_true(oraclefile_read(path, text));
}

struct trace *
profiletesting_load_file(const char *folder, const char *file)
{
	struct text text;
	profiletesting_read_file(folder, file, "", &text);
	struct trace *trace = profiletesting_load(file, text.bytes, text.length, NULL);
	text_release(&text);
	return trace;
}

/* As people read it. */
static bool
print_all(const struct trace *trace, const char *type, struct text *out, struct error *err)
{
	const struct report_options options = { .width_cells = 80, .ascii = true };
	const struct profile_request request = {
		.kind = PROFILE_SAMPLES, .of = type, .scope = profile_whole(trace)
	};
	return report_top(trace, &request, &options, out, err) &&
	       report_tree(trace, &request, &options, out, err) &&
	       report_flamegraph(trace, &request, &options, out, err);
}

static bool
add_folded(const struct trace *trace, const char *type, struct text *out, struct error *err)
{
	const struct report_options options = { .width_cells = 80 };
	struct profile_request request = {
		.kind = PROFILE_SAMPLES, .of = type, .scope = profile_whole(trace)
	};
	return report_folded(trace, &request, &options, out, err);
}

void
profiletesting_add_folded(const struct trace *trace, const char *type, struct text *out)
{
	struct error err;
	error_clear(&err);
	if (!add_folded(trace, type, out, &err))
		fail_msg("%s: %s", type, err.message);
}

/* ---- folded, found in the simplest way */

struct line {
	char *stack;
	size_t length;
	int64_t weight;
	size_t sample;
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
	stack_id *frames = calloc(depth + 1, sizeof *frames);
	assert_non_null(frames);
	for (uint32_t i = 0; i < depth; i++, stack = stack_caller(&trace->stacks, stack))
		frames[i] = stack;
	for (uint32_t i = depth; i-- > 0;) {
		add_name(out, trace, stack_leaf(&trace->stacks, frames[i])->function);
		text_add_string(out, i > 0 ? ";" : "");
	}
	free(frames);
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
profiletesting_folded(const struct trace *trace, unsigned type, struct text *out)
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
			sample_set_weight(set, i, type), i };
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

static bool
is_number(struct jsonslice value)
{
	return value.length > 0 && strspn(value.bytes, "-0123456789") >= value.length;
}

static const struct trace_fact *
find_fact(const struct trace *trace, struct jsonslice key)
{
	for (size_t i = 0; i < trace->facts.count; i++)
		if (jsonslice_is(key, trace->facts.items[i].key))
			return &trace->facts.items[i];
	return NULL;
}

static bool
is_wanted(struct jsonslice key, const char *const *keys)
{
	if (keys == NULL)
		return true;
	while (*keys != NULL && !jsonslice_is(key, *keys))
		keys++;
	return *keys != NULL;
}

void
profiletesting_check_facts(const struct trace *trace, const char *folder, const char *name,
	const char *const *keys)
{
	struct text oracle;
	struct jsonslice key, value;
	profiletesting_read_file(folder, name, ".oracle.json", &oracle);
	struct jsonread in = jsonread_over((struct jsonslice){ oracle.bytes, oracle.length });
	int checked = 0;
	while (jsonread_member(&in, &key, &value)) {
		const struct trace_fact *known = find_fact(trace, key);
		if (!is_number(value))
			continue;
		if (known == NULL && is_wanted(key, keys))
			fail_msg("%s: no fact %.*s", name, (int)key.length, key.bytes);
		if (known == NULL)
			continue;
		char told[40];
		snprintf(told, sizeof told, "%" PRId64, (int64_t)known->value);
		if (strlen(told) != value.length || memcmp(told, value.bytes, value.length) != 0)
			fail_msg("%s: %s is %s, not %.*s", name, known->key, told, (int)value.length,
				value.bytes);
		checked++;
	}
	assert_false(in.failed);
	assert_true(checked > 0);
	text_release(&oracle);
}

void
profiletesting_check_folded(const struct trace *trace, const char *type, const char *folder,
	const char *file)
{
	struct text wanted, made = { 0 };
	profiletesting_read_file(folder, file, "", &wanted);
	profiletesting_add_folded(trace, type, &made);
	if (made.length != wanted.length || memcmp(text_string(&made), text_string(&wanted), made.length) != 0)
		fail_msg("%s: the stacks are\n%s", file, text_string(&made));
	text_release(&wanted);
	text_release(&made);
}

/* ---- what must hold */

static const char *
fault_of_stack(const struct trace *trace, stack_id stack)
{
	uint32_t strings = intern_count(&trace->strings);
	if (stack >= stack_count(&trace->stacks))
		return "a sample has a stack that is none";
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		const struct stack_frame *frame = stack_leaf(&trace->stacks, stack);
		if (frame->function >= strings || frame->file >= strings)
			return "a frame has a name that is none";
		if (frame->is_inlined > 1)
			return "a frame is inlined more than once";
		if (frame->is_inlined == 1 && stack_caller(&trace->stacks, stack) == STACK_NONE)
			return "a frame is inlined into nothing";
	}
	return NULL;
}

static const char *
fault_of_samples(const struct trace *trace)
{
	const struct sample_set *set = trace->samples;
	uint32_t strings = intern_count(&trace->strings);
	if (set->count > 0 && set->type_count == 0)
		return "samples have a type";
	if (set->type_count > 0 && set->usual_type >= set->type_count)
		return "the usual type is one of them";
	for (unsigned i = 0; i < set->type_count; i++) {
		if (set->types[i].name >= strings || set->types[i].unit >= strings)
			return "types have names";
	}
	for (size_t i = 0; i < set->count; i++) {
		const char *fault = fault_of_stack(trace, set->stacks[i]);
		if (set->instants != NULL && set->instants[i] != REF_NONE &&
			set->instants[i] >= trace->instants.count)
			return "a sample has an instant that is none";
		if (fault != NULL)
			return fault;
		for (size_t label = 0; label < sample_set_label_count(set, i); label++) {
			struct sample_label it = sample_set_label(set, i, label);
			if (it.key >= strings || it.text >= strings || it.unit >= strings)
				return "texts of labels are there";
			if (it.text != STRING_EMPTY && (it.number != 0 || it.unit != STRING_EMPTY))
				return "a label is a text or a number";
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
profiletesting_fault(const struct trace *trace)
{
	const char *fault = NULL;
	bool has_time = trace->clock != TRACE_CLOCK_NONE;
	if (!has_time && trace->end_ns != 0)
		return "there is no time";
	if (has_time && trace->samples != NULL && trace->samples->instants == NULL)
		return "samples have times";
	for (uint32_t i = 0; i < stack_count(&trace->stacks) && i < trace->stacks.frames.count; i++) {
		const struct stack_frame *frame = stable_at(&trace->stacks.frames, i);
		if (frame->function >= intern_count(&trace->strings) ||
			frame->file >= intern_count(&trace->strings))
			return "names of frames are there";
	}
	int64_t samples = fact(trace, "samples"), damaged = fact(trace, "damaged");
	if (trace->samples != NULL && samples >= 0 && (uint64_t)samples != trace->samples->count &&
		trace->samples->type_count < SAMPLE_TYPES_MOST)
		return "the fact of samples is how many there are";
	if (damaged >= 0 && (damaged > 0) != (damage_map_places(&trace->damage) > 0))
		return "damage is told in both places";
	if (trace->samples != NULL)
		fault = fault_of_samples(trace);
	if (fault == NULL && trace->ready != NULL)
		fault = fault_of_tables(trace);
	return fault;
}

/* ---- whatever can be asked */

static const char *
ask(const struct trace *trace, const struct analysis_kind *kind, enum report_format format)
{
	const struct report_options options = { .width_cells = 80, .format = format };
	struct text out = { 0 };
	struct error err;
	void *parameter = NULL;
	error_clear(&err);
	if (!analysis_read(kind, "", 0, &parameter, &err))
		return NULL;
	const struct analysis_work work = {
		.kind = kind, .scope = { .actor = REF_NONE, .task = REF_NONE }, .parameter = parameter
	};
	bool is_fine = report_result(trace, &work, &options, &out, &err);
	analysis_forget(kind, parameter);
	text_release(&out);
	return is_fine || err.kind == ERROR_MEMORY || err.kind == ERROR_USAGE ? NULL : kind->name;
}

/* Looking at every screen takes a thousand times as long as reading. */
enum { LOOKS_IN = 4096 };

const char *
profiletesting_look(const uint8_t *bytes, size_t size, const char *source)
{
	struct error err;
	uint64_t seed = hash_bytes(bytes, size);
	struct text out = { 0 };
	const char *fault = NULL;
	const struct analysis_kind *kind;
	struct trace *trace = profiletesting_read(source, bytes, size, &err);
	if (trace == NULL)
		return err.kind != ERROR_NONE && err.message[0] != '\0' ? NULL : "no trace, and no error";
	fault = profiletesting_fault(trace);
	if (fault == NULL && seed % LOOKS_IN == 0)
		fault = look_everywhere(trace, seed);
	for (size_t i = 0; fault == NULL && (kind = registry_at(i)) != NULL; i++) {
		if (analysis_applies(kind->needs, trace)) {
			fault = ask(trace, kind, REPORT_AS_CSV);
			fault = fault != NULL ? fault : ask(trace, kind, REPORT_AS_JSON);
		}
	}
	for (unsigned i = 0; trace->samples != NULL && i < trace->samples->type_count; i++) {
		size_t length;
		const char *type = trace_text(trace, trace->samples->types[i].name, &length);
		text_clear(&out);
		if (fault == NULL && strlen(type) == length &&
			!(add_folded(trace, type, &out, &err) && print_all(trace, type, &out, &err)))
			fault = err.kind == ERROR_MEMORY || err.kind == ERROR_USAGE ? NULL : "no folded stacks";
	}
	text_release(&out);
	trace_free(trace);
	return fault;
}
