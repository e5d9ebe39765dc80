/* A short list: it is searched from end to end. */
#include "draw/row_picks.h"

#include <string.h>

#include "base/memory.h"

static struct row_pick
pick_of(const struct trace *trace, struct row row)
{
	enum row_type type = (enum row_type)row.type;
	if (type != ROW_GROUP)
		return (struct row_pick){ .type = type, .key = row.ref };
	return (struct row_pick){ type, trace_grouped_by(trace), trace_group_key(trace, row.ref) };
}

/* picks->count for none. */
static size_t
index_of(const struct row_picks *picks, struct row_pick wanted)
{
	size_t i = 0;
	while (i < picks->count &&
		(picks->items[i].type != wanted.type || picks->items[i].by != wanted.by ||
			picks->items[i].key != wanted.key))
		i++;
	return i;
}

bool
row_picks_has(const struct row_picks *picks, const struct trace *trace, struct row row)
{
	return picks->count > 0 && index_of(picks, pick_of(trace, row)) < picks->count;
}

static bool
add(struct row_picks *picks, struct row_pick pick, struct error *err)
{
	if (index_of(picks, pick) < picks->count)
		return true;
	if (!array_reserve(&picks->items, &picks->capacity, picks->count + 1, sizeof *picks->items,
		    err))
		return false;
	picks->items[picks->count++] = pick;
	return true;
}

bool
row_picks_add(struct row_picks *picks, const struct trace *trace, struct row row,
	struct error *err)
{
	return add(picks, pick_of(trace, row), err);
}

bool
row_picks_add_all(struct row_picks *picks, const struct row_picks *others, struct error *err)
{
	for (size_t i = 0; i < others->count; i++)
		if (!add(picks, others->items[i], err))
			return false;
	return true;
}

bool
row_picks_remove(struct row_picks *picks, const struct trace *trace, struct row row)
{
	size_t at = index_of(picks, pick_of(trace, row));
	if (at == picks->count)
		return false;
	picks->count--;
	memmove(picks->items + at, picks->items + at + 1,
		(picks->count - at) * sizeof *picks->items);
	return true;
}

bool
row_picks_find(
	const struct row_picks *picks, size_t index, const struct trace *trace, struct row *row)
{
	const struct row_pick *pick = &picks->items[index];
	*row = (struct row){ .type = (uint8_t)pick->type, .ref = pick->key };
	if (pick->type != ROW_GROUP)
		return true;
	if (pick->by != trace_grouped_by(trace))
		return false;
	row->ref = 0;
	while (row->ref < trace->group_count && trace_group_key(trace, row->ref) != pick->key)
		row->ref++;
	return row->ref < trace->group_count;
}

void
row_picks_release(struct row_picks *picks)
{
	memory_free(picks->items);
	*picks = (struct row_picks){ 0 };
}

void
row_picks_add_names(const struct row_picks *picks, const struct trace *trace, struct text *out)
{
	const struct trace *plain = trace_ungrouped(trace);
	for (size_t i = 0; i < picks->count; i++) {
		struct row row;
		struct text name = { 0 };
		if (row_picks_find(picks, i, plain, &row))
			row_name_add(&name, plain, row);
		if (name.length > 0 && strlen(name.bytes) == name.length)
			text_add(out, name.bytes, name.length + 1);
		text_release(&name);
	}
}

bool
row_picks_add_named(struct row_picks *picks, const struct trace *trace, const struct text *names,
	struct error *err)
{
	for (size_t at = 0; at < names->length; at += strlen(names->bytes + at) + 1) {
		struct row row;
		if (row_name_find(trace, names->bytes + at, &row) &&
			!row_picks_add(picks, trace, row, err))
			return false;
	}
	return true;
}

void
row_picks_add_options(const struct row_picks *picks, const struct trace *trace,
	const char *option, void (*add_word)(struct text *out, const char *word),
	struct text *out)
{
	struct text names = { 0 };
	row_picks_add_names(picks, trace, &names);
	for (size_t at = 0; at < names.length; at += strlen(names.bytes + at) + 1) {
		text_format(out, " --%s=", option);
		add_word(out, names.bytes + at);
	}
	text_release(&names);
}
