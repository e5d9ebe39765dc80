/*
 * Entries become rows of tables, chains of calls become samples.
 *
 * Weights are hundredths of a percent, as printed: that is all that is exact of a graph of
 * percentages. Only where every number of the input is a count of samples, and each entry has its own
 * in a column Samples, are weights these counts. What an entry has more than its chains is a
 * sample of its function alone, so that all weights of a section are what its entries add up to.
 *
 * With Children, an entry's chains are of all that it had a part in; Self is what it did itself.
 * Where both are the same its chains are used, as are chains that end in it and have no more than
 * Self; else its callers are not known, and Self is a sample of its function alone.
 */
#include "source/perf_report/build.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "source/common/profile_trace.h"

enum { WHOLE_HUNDREDTHS = 10000 };

struct building {
	struct report *report;
	struct trace *trace;
	struct sample_set *samples;
	bool is_counted;      /* weights are counts of samples */
	int64_t *weights;     /* of each node */
	int64_t *left;        /* of that, what its children do not have */
	int64_t *cells;       /* a weight of each type, 0 but for one */
	uint32_t *path;       /* nodes from the entry down to one */
	size_t path_capacity;
	string_id *frames;    /* of a chain, in the order of the lines */
	size_t frame_capacity;
	bool was_callers_first; /* of the last entry that told */
	struct sample_label labels[READY_MOST_COLUMNS]; /* of the entry: its columns of text */
	size_t label_count;
};

/* Takes what was made of names. */
static bool
keep_text(struct report *report, struct text *text, string_id *id, struct error *err)
{
	bool is_fine = text->failed ? error_set_memory(err, "names")
				    : intern_add(report->strings, text->bytes, text->length, id, err);
	text_release(text);
	return is_fine;
}

/* ---- what entries say */

static const struct ready_cell *
cell_of(const struct report *report, const struct report_entry *entry, unsigned column)
{
	return &report->cells[entry->first_cell + column];
}

/* A column of that kind and, unless it is NULL, name; -1: there is none. */
static int
find_column(const struct report *report, const struct report_section *section,
	enum report_column_kind kind, const char *name)
{
	for (unsigned i = 0; i < section->column_count; i++) {
		if (section->columns[i].kind != kind)
			continue;
		const char *bytes = intern_text(report->strings, section->columns[i].name, NULL);
		if (name == NULL || strcmp(bytes, name) == 0)
			return (int)i;
	}
	return -1;
}

/* How many samples an entry is of; READY_NONE: it does not say. */
static int64_t
count_of(const struct report *report, const struct report_entry *entry)
{
	int column = find_column(report, &report->sections[entry->section], COLUMN_COUNT, "Samples");
	return column < 0 ? READY_NONE : cell_of(report, entry, (unsigned)column)->number;
}

/* Its own weight: Self, where there are children. */
static int64_t
own_weight(const struct building *building, const struct report_entry *entry)
{
	const struct report *report = building->report;
	const struct report_section *section = &report->sections[entry->section];
	if (building->is_counted)
		return count_of(report, entry);
	unsigned column = section->has_children && section->column_count > 1;
	int64_t number = cell_of(report, entry, column)->number;
	return number == READY_NONE ? 0 : number;
}

/* "[k] name" is of the kernel: the name alone, as chains have it. */
static bool
name_of(const struct building *building, const struct report_entry *entry, string_id *name,
	struct error *err)
{
	const struct report *report = building->report;
	const struct report_section *section = &report->sections[entry->section];
	int column = find_column(report, section, COLUMN_SYMBOL, NULL);
	size_t length;
	if (column < 0)
		column = (int)section->column_count - 1;
	*name = cell_of(report, entry, (unsigned)column)->text;
	const char *bytes = intern_text(report->strings, *name, &length);
	if (length <= 4 || bytes[0] != '[' || bytes[2] != ']' || bytes[3] != ' ')
		return true;
	return intern_add(report->strings, bytes + 4, length - 4, name, err);
}

/* Whether each number is a count, or of all of its entry. Entries of a hierarchy have no such column. */
static bool
is_counted(const struct report *report)
{
	bool has_nodes = false;
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct report_entry *entry = &report->entries[i];
		const struct report_section *section = &report->sections[entry->section];
		if (section->is_hierarchy || section->has_children || count_of(report, entry) == READY_NONE)
			return false;
		for (size_t j = 0; j < entry->node_count; j++) {
			const struct report_node *node = &report->nodes[entry->first_node + j];
			if (node->kind == NUMBER_PERCENT)
				return false;
			has_nodes = has_nodes || node->kind == NUMBER_COUNT;
		}
	}
	return has_nodes;
}

/* Percentages of a parent are told by one that is more than all of its entry. */
static void
find_fractals(struct report *report)
{
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct report_entry *entry = &report->entries[i];
		int64_t all = cell_of(report, entry, 0)->number;
		for (size_t j = 0; j < entry->node_count; j++) {
			const struct report_node *node = &report->nodes[entry->first_node + j];
			if (node->kind == NUMBER_PERCENT && node->number > all + 1)
				report->sections[entry->section].is_fractal = true;
		}
	}
}

/* ---- names of columns */

/* "Shared Object" is shared_object, and what is a percentage says so. */
static bool
find_key(struct report *report, struct report_column *column, struct error *err)
{
	size_t length;
	const char *bytes = intern_text(report->strings, column->name, &length);
	struct text key = { 0 };
	for (size_t i = 0; i < length; i++) {
		bool is_letter = (bytes[i] >= 'A' && bytes[i] <= 'Z') || (bytes[i] >= 'a' && bytes[i] <= 'z');
		bool is_digit = bytes[i] >= '0' && bytes[i] <= '9';
		char c = is_letter ? (char)(bytes[i] | 0x20) : is_digit ? bytes[i] : '_';
		text_add(&key, &c, 1);
	}
	if (length == 0)
		text_add_string(&key, "column");
	text_add_string(&key, column->kind == COLUMN_PERCENT ? "_percent" : "");
	return keep_text(report, &key, &column->key, err);
}

/* Once for a section: a hostile name is as long as all of its entries. */
static bool
find_keys(struct report *report, struct report_section *section, struct error *err)
{
	for (unsigned i = 0; i < section->column_count; i++)
		if (!find_key(report, &section->columns[i], err))
			return false;
	return true;
}

/* What stands beside an entry's function: its command, shared object and the like. */
static void
find_labels(struct building *building, const struct report_entry *entry)
{
	const struct report *report = building->report;
	const struct report_section *section = &report->sections[entry->section];
	building->label_count = 0;
	for (unsigned i = 0; i < section->column_count; i++) {
		const struct report_column *column = &section->columns[i];
		const struct sample_label label = { .key = column->key,
			.text = cell_of(report, entry, i)->text };
		if (column->kind == COLUMN_TEXT && label.text != STRING_EMPTY)
			building->labels[building->label_count++] = label;
	}
}

/* ---- weights of nodes */

/* part/whole of a weight, rounded; parts above all of it are cut. */
static int64_t
share_of(int64_t weight, int64_t part, int64_t whole)
{
	if (part >= whole)
		return weight;
	return (int64_t)((double)weight * (double)part / (double)whole + 0.5);
}

/*
 * Counts within a report of percentages are scaled: an entry is so much of all, and its nodes are so
 * many of its samples.
 */
static void
weigh(struct building *building, const struct report_entry *entry)
{
	const struct report *report = building->report;
	const struct report_section *section = &report->sections[entry->section];
	int64_t all = building->is_counted ? count_of(report, entry) : cell_of(report, entry, 0)->number;
	int64_t count = count_of(report, entry), tops = 0;
	size_t first = entry->first_node, until = first + entry->node_count;
	all = all == READY_NONE ? 0 : all;
	for (size_t i = first; i < until; i++) {
		const struct report_node *node = &report->nodes[i];
		bool is_top = node->parent == REPORT_NONE ||
			      report->nodes[node->parent].kind == NUMBER_WHOLE;
		if (node->kind == NUMBER_COUNT && is_top && node->number < INT64_MAX - tops)
			tops += node->number;
	}
	if (count == READY_NONE || count < tops)
		count = tops;
	for (size_t i = first; i < until; i++) {
		const struct report_node *node = &report->nodes[i];
		int64_t above = node->parent != REPORT_NONE ? building->weights[node->parent] : all;
		int64_t weight = node->number;
		if (node->kind == NUMBER_WHOLE)
			weight = all;
		else if (node->kind == NUMBER_COUNT && !building->is_counted)
			weight = share_of(all, node->number, count);
		else if (node->kind == NUMBER_PERCENT && section->is_fractal)
			weight = share_of(above, node->number, WHOLE_HUNDREDTHS);
		building->weights[i] = building->left[i] = weight;
		if (node->parent != REPORT_NONE)
			building->left[node->parent] =
				saturating_add_i64(building->left[node->parent], -weight);
	}
}

/* ---- chains */

/* The frames of a node and of all above it, in the order of the lines. */
static bool
find_chain(struct building *building, size_t index, size_t *count, struct error *err)
{
	const struct report *report = building->report;
	size_t depth = 0;
	*count = 0;
	for (uint32_t i = (uint32_t)index; i != REPORT_NONE; i = report->nodes[i].parent) {
		if (!array_reserve(&building->path, &building->path_capacity, depth + 1,
			    sizeof *building->path, err))
			return false;
		building->path[depth++] = i;
	}
	while (depth > 0) {
		const struct report_node *node = &report->nodes[building->path[--depth]];
		if (!array_reserve(&building->frames, &building->frame_capacity, *count + node->frame_count,
			    sizeof *building->frames, err))
			return false;
		if (node->frame_count > 0)
			memcpy(building->frames + *count, report->frames + node->first_frame,
				node->frame_count * sizeof *building->frames);
		*count += node->frame_count;
	}
	return true;
}

/*
 * Which end of its chains an entry is at: they begin or end with its function. Both or none: as it was
 * with the last one.
 */
static void
find_order(struct building *building, const struct report_entry *entry, string_id name, bool *ends)
{
	const struct report *report = building->report;
	bool begins = false;
	*ends = false;
	for (size_t i = entry->first_node; i < entry->first_node + entry->node_count; i++) {
		const struct report_node *node = &report->nodes[i];
		if (node->frame_count == 0)
			continue;
		begins = begins || (node->parent == REPORT_NONE && report->frames[node->first_frame] == name);
		*ends = *ends || report->frames[node->first_frame + node->frame_count - 1] == name;
	}
	if (begins != *ends)
		building->was_callers_first = *ends;
}

static bool
push(struct building *building, string_id name, stack_id *stack, struct error *err)
{
	size_t length;
	const char *bytes = intern_text(building->report->strings, name, &length);
	return profile_trace_push(building->trace, *stack, bytes, length, stack, err);
}

static bool
add_sample(struct building *building, uint32_t section, stack_id stack, int64_t weight, struct error *err)
{
	if (section >= building->samples->type_count)
		return true;
	building->cells[section] = weight;
	bool is_fine = sample_set_add(building->samples, stack, building->cells, building->labels,
		building->label_count, err);
	building->cells[section] = 0;
	return is_fine;
}

/*
 * A node's chain, outermost first, with what its children do not have. One whose frames are lost is of the
 * entry's function.
 */
static bool
add_chain(struct building *building, const struct report_entry *entry, size_t node, string_id name,
	struct error *err)
{
	size_t count;
	stack_id stack = STACK_NONE;
	if (!find_chain(building, node, &count, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t at = building->was_callers_first ? i : count - 1 - i;
		if (!push(building, building->frames[at], &stack, err))
			return false;
	}
	return (count > 0 || push(building, name, &stack, err)) &&
	       add_sample(building, entry->section, stack, building->left[node], err);
}

/* What the chains of an entry have in all; of chains below each other the upper one. */
static int64_t
weight_of_chains(const struct building *building, const struct report_entry *entry)
{
	int64_t sum = 0;
	for (size_t i = entry->first_node; i < entry->first_node + entry->node_count; i++)
		if (building->report->nodes[i].parent == REPORT_NONE &&
			building->weights[i] < INT64_MAX - sum)
			sum += building->weights[i];
	return sum;
}

static bool
add_entry(struct building *building, const struct report_entry *entry, struct error *err)
{
	const struct report *report = building->report;
	const struct report_section *section = &report->sections[entry->section];
	int64_t own = own_weight(building, entry), chains = 0;
	stack_id stack = STACK_NONE;
	string_id name;
	bool ends;
	if (!name_of(building, entry, &name, err))
		return false;
	find_labels(building, entry);
	find_order(building, entry, name, &ends);
	weigh(building, entry);
	bool are_own = !section->has_children || section->column_count < 2 ||
		       cell_of(report, entry, 0)->number == cell_of(report, entry, 1)->number ||
		       (ends && building->was_callers_first && weight_of_chains(building, entry) <= own);
	for (size_t i = entry->first_node; are_own && i < entry->first_node + entry->node_count; i++) {
		if (building->left[i] > 0 && !add_chain(building, entry, i, name, err))
			return false;
	}
	if (are_own)
		chains = weight_of_chains(building, entry);
	return own <= chains || (push(building, name, &stack, err) &&
					add_sample(building, entry->section, stack, own - chains, err));
}

/* ---- types */

/* The event; of several runs with one event the later ones are numbered: "cycles-2". */
static bool
name_section(struct report *report, struct report_section *section, uint32_t *runs, struct error *err)
{
	size_t length;
	const char *bytes = intern_text(report->strings, section->event, &length);
	uint32_t run = ++runs[section->event];
	struct text text = { 0 };
	if (length > 0)
		text_add(&text, bytes, length);
	else
		text_add_string(&text, "section");
	if (run > 1)
		text_format(&text, "-%" PRIu32, run);
	return keep_text(report, &text, &section->name, err);
}

static bool
name_sections(struct report *report, struct error *err)
{
	/* Of each event how many came, by its id; more strings are added, but these are no events. */
	uint32_t *runs = array_new(intern_count(report->strings), sizeof *runs, err);
	bool is_fine = runs != NULL;
	for (size_t i = 0; is_fine && i < report->section_count; i++)
		is_fine = name_section(report, &report->sections[i], runs, err) &&
			  find_keys(report, &report->sections[i], err);
	memory_free(runs);
	return is_fine;
}

static bool
add_samples(struct building *building, struct error *err)
{
	struct report *report = building->report;
	size_t nodes = report->node_count;
	string_id unit;
	const char *word = building->is_counted ? "count" : "%";
	building->samples = building->trace->samples;
	building->samples->decimals = building->is_counted ? 0 : 2;
	building->weights = array_new(nodes, sizeof *building->weights, err);
	building->left = array_new(nodes, sizeof *building->left, err);
	building->cells = array_new(SAMPLE_TYPES_MOST, sizeof *building->cells, err);
	if (building->weights == NULL || building->left == NULL || building->cells == NULL ||
		!intern_add(report->strings, word, strlen(word), &unit, err))
		return false;
	for (size_t i = 0; i < report->section_count && i < SAMPLE_TYPES_MOST; i++) {
		if (!sample_set_add_type(building->samples, report->sections[i].name, unit, err))
			return false;
		building->samples->types[i].caption = report->sections[i].title;
	}
	for (size_t i = 0; i < report->entry_count; i++)
		if (!report->sections[report->entries[i].section].is_hierarchy &&
			!add_entry(building, &report->entries[i], err))
			return false;
	return true;
}

/* ---- tables */

/* "73K samples, 61307230094 in all; io_uring, 3 replicas": what stands above the entries. */
static bool
title_section(struct report *report, const struct report_section *section, string_id *title,
	struct error *err)
{
	const struct {
		string_id id;
		const char *before, *behind;
	} parts[] = {
		{ section->event, "", "" },
		{ section->samples, ": ", " samples" },
		{ section->total, ", ", " in all" },
		{ section->title, "; ", "" },
	};
	struct text text = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		size_t length;
		const char *bytes = intern_text(report->strings, parts[i].id, &length);
		if (length == 0)
			continue;
		text_add_string(&text, text.length > 0 ? parts[i].before : "");
		text_add(&text, bytes, length);
		text_add_string(&text, parts[i].behind);
	}
	return keep_text(report, &text, title, err);
}

static bool
add_column(struct ready_table *table, const struct report_column *column, bool is_first, struct error *err)
{
	static const enum ready_type types[] = {
		[COLUMN_TEXT] = READY_TEXT,
		[COLUMN_SYMBOL] = READY_FUNCTION,
		[COLUMN_PERCENT] = READY_PERCENT,
		[COLUMN_COUNT] = READY_COUNT,
	};
	struct ready_column told = { .key = column->key, .title = column->name, .type = (uint8_t)types[column->kind],
		.is_dimension = column->kind == COLUMN_TEXT || column->kind == COLUMN_SYMBOL };
	told.rank = is_first || column->kind == COLUMN_PERCENT ? 0 : (uint8_t)(1 + table->column_count);
	return ready_add_column(table, &told, err);
}

/* Which of a section's columns a column of the table is: the symbol goes first. */
static unsigned
column_at(const struct report *report, const struct report_section *section, unsigned index)
{
	int name = find_column(report, section, COLUMN_SYMBOL, NULL);
	unsigned first = name >= 0 ? (unsigned)name : section->column_count - 1;
	if (index == 0)
		return first;
	return index <= first ? index - 1 : index;
}

static struct ready_cell
shown_cell(const struct report *report, const struct report_entry *entry, unsigned column)
{
	const struct report_section *section = &report->sections[entry->section];
	struct ready_cell cell = *cell_of(report, entry, column);
	if (section->columns[column].kind == COLUMN_PERCENT && cell.number != READY_NONE)
		cell.number *= READY_WHOLE / WHOLE_HUNDREDTHS;
	return cell;
}

/* Of a hierarchy a row is named by all that it is within: "replica / libc.so.6 / [.] read". */
static bool
add_levels(const struct building *building, struct ready_table *table,
	const struct report_section *section, struct error *err)
{
	const struct report *report = building->report;
	enum { ABOVE_BYTES = 1024 }; /* of levels above a row: each row has these again */
	struct text name = { 0 };
	size_t ends[READY_MOST_COLUMNS] = { 0 }; /* of names of each level */
	bool is_fine = true;
	for (size_t i = 0; is_fine && i < section->entry_count; i++) {
		const struct report_entry *entry = &report->entries[section->first_entry + i];
		uint32_t level = entry->level < READY_MOST_COLUMNS ? entry->level : READY_MOST_COLUMNS - 1;
		size_t length;
		const char *bytes = intern_text(report->strings, cell_of(report, entry, 1)->text, &length);
		name.length = level > 0 ? ends[level - 1] : 0;
		text_add_string(&name, name.length > 0 ? " / " : "");
		text_add(&name, bytes, length);
		for (uint32_t at = level; at < READY_MOST_COLUMNS; at++)
			ends[at] = name.length < ABOVE_BYTES ? name.length : ABOVE_BYTES;
		struct ready_cell cells[] = { { .number = READY_NONE }, shown_cell(report, entry, 0) };
		is_fine = (!name.failed || error_set_memory(err, "names of rows")) &&
			  intern_add(report->strings, name.bytes, name.length, &cells[0].text, err) &&
			  ready_add_row(table, cells, err);
	}
	text_release(&name);
	return is_fine;
}

static bool
add_rows(const struct building *building, struct ready_table *table,
	const struct report_section *section, struct error *err)
{
	const struct report *report = building->report;
	for (size_t i = 0; i < section->entry_count; i++) {
		const struct report_entry *entry = &report->entries[section->first_entry + i];
		struct ready_cell cells[READY_MOST_COLUMNS];
		for (unsigned j = 0; j < section->column_count; j++)
			cells[j] = shown_cell(report, entry, column_at(report, section, j));
		if (!ready_add_row(table, cells, err))
			return false;
	}
	return true;
}

static bool
add_table(const struct building *building, size_t index, struct error *err)
{
	struct report *report = building->report;
	const struct report_section *section = &report->sections[index];
	string_id title;
	if (section->column_count == 0)
		return true;
	if (!title_section(report, section, &title, err))
		return false;
	struct ready_table *table = ready_add_table(building->trace->ready, section->name, title, err);
	if (table == NULL)
		return false;
	if (section->is_hierarchy) {
		struct report_column names = section->columns[section->column_count - 1];
		names.kind = COLUMN_TEXT;
		table->usual_column = 1;
		return find_key(report, &names, err) && add_column(table, &names, true, err) &&
		       add_column(table, &section->columns[0], false, err) &&
		       add_levels(building, table, section, err);
	}
	for (unsigned i = 0; i < section->column_count; i++)
		if (!add_column(table, &section->columns[column_at(report, section, i)], i == 0, err))
			return false;
	table->usual_column = section->column_count > 1;
	return add_rows(building, table, section, err);
}

/* ---- all */

bool
report_build(struct report *report, struct trace *trace, struct error *err)
{
	struct building building = { .report = report, .trace = trace };
	find_fractals(report);
	building.is_counted = is_counted(report);
	trace->ready = ready_new(err);
	bool is_fine = trace->ready != NULL && name_sections(report, err);
	for (size_t i = 0; is_fine && i < report->section_count; i++)
		is_fine = add_table(&building, i, err);
	if (report->node_count == 0) {
		sample_set_free(trace->samples);
		trace->samples = NULL;
	} else {
		is_fine = is_fine && add_samples(&building, err);
	}
	memory_free(building.weights);
	memory_free(building.left);
	memory_free(building.cells);
	memory_free(building.path);
	memory_free(building.frames);
	return is_fine;
}
