/* -traces: blocks of labels, a value with the leaf, and its callers below. */
#include "base/checked.h"
#include "base/memory.h"
#include "source/pprof_text/pprof_text.h"

enum { NAME_COLUMN = 13, VALUE_CELLS = 10 };

static const char separator[] = "-----------+-------------------------------------------------------";

bool
pprof_is_traces_separator(struct scan line, size_t *indent)
{
	*indent = scan_blanks(&line);
	scan_trim_end(&line);
	return scan_is(&line, separator);
}

bool
pprof_traces_begin(struct pprof_text *text, size_t indent, struct error *err)
{
	static const char samples[] = "samples";
	struct sample_set *set = text->trace->samples;
	string_id name = text->type;
	text->traces.indent = indent;
	text->traces.is_open = false;
	text->form = PPROF_TRACES;
	text->forms[PPROF_TRACES] = true;
	if (set->type_count > 0)
		return true;
	if (name == STRING_EMPTY && !pprof_string(text, scan_over(samples, sizeof samples - 1), &name, err))
		return false;
	return sample_set_add_type(set, name, STRING_EMPTY, err);
}

/* ---- a block */

static bool
push_frames(struct pprof_text *text, stack_id *stack, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	struct stack_table *stacks = &text->trace->stacks;
	*stack = STACK_NONE;
	for (size_t i = traces->frame_count; i-- > 0;) {
		/* Where the callers are cut off, nothing is there to be inlined into. */
		struct stack_frame frame = { .function = traces->frames[i],
			.is_inlined = traces->are_inlined[i] && i + 1 < traces->frame_count };
		frame_id id;
		if (!stack_table_add_frame(stacks, &frame, &id, err) ||
			!stack_table_add_node(stacks, *stack, id, stack, err))
			return false;
	}
	return true;
}

bool
pprof_traces_end_block(struct pprof_text *text, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	struct sample_set *set = text->trace->samples;
	stack_id stack;
	if (!traces->has_value) {
		traces->label_count = 0;
		return true;
	}
	if (!array_reserve(&traces->hundredths, &traces->hundredths_capacity, set->count + 1,
		    sizeof *traces->hundredths, err) ||
		!push_frames(text, &stack, err))
		return false;
	traces->hundredths[set->count] = (int8_t)traces->value.hundredths;
	if (traces->frame_count > traces->depth)
		traces->depth = traces->frame_count;
	bool is_fine = sample_set_add(set, stack, &traces->value.whole, traces->labels,
		traces->label_count, err);
	traces->has_value = false;
	traces->frame_count = traces->label_count = 0;
	return is_fine;
}

static bool
add_frame(struct pprof_text *text, struct scan name, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	struct scan mark = pprof_take_inline(&name);
	if (!array_reserve(&traces->frames, &traces->frame_capacity, traces->frame_count + 1,
		    sizeof *traces->frames, err) ||
		!array_reserve(&traces->are_inlined, &traces->inlined_capacity, traces->frame_count + 1,
			sizeof *traces->are_inlined, err))
		return false;
	traces->are_inlined[traces->frame_count] = !scan_is_end(&mark);
	return pprof_string(text, name, &traces->frames[traces->frame_count++], err);
}

static bool
unit_of(struct pprof_text *text, enum pprof_family family, string_id *id, struct error *err)
{
	static const char *const units[] = { [PPROF_NUMBER] = "count", [PPROF_TIME] = "nanoseconds",
		[PPROF_MEMORY] = "bytes", [PPROF_OTHER] = "" };
	return pprof_string(text, scan_over(units[family], strlen(units[family])), id, err);
}

static bool
add_label(struct pprof_text *text, struct sample_label label, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	if (!array_reserve(&traces->labels, &traces->label_capacity, traces->label_count + 1,
		    sizeof *traces->labels, err))
		return false;
	traces->labels[traces->label_count++] = label;
	return true;
}

/* "     bytes:  256B 1kB": numbers, if all are; else one text. */
static bool
take_labels(struct pprof_text *text, struct scan key, struct scan values, struct error *err)
{
	struct sample_label label = { 0 };
	struct pprof_value value;
	struct scan rest = values;
	bool are_numbers = !scan_is_end(&rest);
	if (!pprof_string(text, key, &label.key, err))
		return false;
	while (are_numbers && !scan_is_end(&rest)) {
		are_numbers = pprof_value_read(&rest, &value);
		scan_blanks(&rest);
	}
	if (!are_numbers)
		return pprof_string(text, values, &label.text, err) && add_label(text, label, err);
	while (!scan_is_end(&values)) {
		(void)pprof_value_read(&values, &value);
		scan_blanks(&values);
		label.number = pprof_value_round(&value);
		bool has_unit = value.family == PPROF_TIME || value.family == PPROF_MEMORY;
		label.unit = STRING_EMPTY;
		if ((has_unit && !unit_of(text, value.family, &label.unit, err)) || !add_label(text, label, err))
			return false;
	}
	return true;
}

/* Three blanks stand between the value and the leaf. */
static bool
take_value(struct pprof_traces *traces, struct scan *line)
{
	if (!pprof_value_read(line, &traces->value))
		return false;
	for (int i = 0; i < NAME_COLUMN - VALUE_CELLS; i++)
		scan_char(line, ' ');
	traces->has_value = true;
	if (traces->family == PPROF_NUMBER)
		traces->family = traces->value.family;
	return true;
}

enum pprof_line
pprof_traces_take(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	size_t indent;
	if (pprof_is_traces_separator(line, &indent)) {
		bool is_fine = pprof_traces_end_block(text, err);
		traces->is_open = true;
		return is_fine ? PPROF_TAKEN : PPROF_FAILED;
	}
	if (!traces->is_open)
		return PPROF_NOT_MINE;
	for (size_t i = 0; i < traces->indent && scan_char(&line, ' '); i++)
		;
	struct scan rest = line;
	size_t blanks = scan_blanks(&rest);
	if (traces->has_value) {
		/* The rest of a name with a line break in it is ignored. */
		if (blanks < NAME_COLUMN)
			return PPROF_NOT_MINE;
		line.at += NAME_COLUMN;
		return add_frame(text, line, err) ? PPROF_TAKEN : PPROF_FAILED;
	}
	if (take_value(traces, &rest))
		return add_frame(text, rest, err) ? PPROF_TAKEN : PPROF_FAILED;
	const char *colon = scan_find(&rest, ":  ");
	if (colon == NULL || blanks + (size_t)(colon - rest.at) < VALUE_CELLS)
		return PPROF_NOT_MINE;
	return take_labels(text, (struct scan){ rest.at, colon }, (struct scan){ colon + 3, line.end }, err)
		       ? PPROF_TAKEN
		       : PPROF_FAILED;
}

/* ---- the end */

/* Weights become hundredths of the unit where one of them has some. */
static void
set_decimals(struct pprof_text *text)
{
	struct sample_set *set = text->trace->samples;
	bool has_any = false;
	for (size_t i = 0; i < set->count; i++)
		has_any = has_any || text->traces.hundredths[i] != 0;
	if (!has_any)
		return;
	set->decimals = 2;
	for (size_t i = 0; i < set->count; i++)
		set->weights[i] = saturating_add_i64(saturating_mul_i64(set->weights[i], 100),
			text->traces.hundredths[i]);
}

bool
pprof_traces_end(struct pprof_text *text, struct error *err)
{
	struct pprof_traces *traces = &text->traces;
	if (traces->has_value)
		line_damage_add_end(&text->damage, &text->reader, "the last stack may lack frames");
	if (!pprof_traces_end_block(text, err))
		return false;
	set_decimals(text);
	return unit_of(text, traces->family, &text->trace->samples->types[0].unit, err);
}
