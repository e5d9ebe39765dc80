/* A row is found by a text that is made of all that tells it apart. */
#include "analysis/diff_states.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "query/watch.h"

bool
diff_states_init(struct diff_states *diff, struct error *err)
{
	*diff = (struct diff_states){ .rows = NULL };
	return intern_init(&diff->texts, err);
}

void
diff_states_release(struct diff_states *diff)
{
	map_release(&diff->row_of);
	memory_free(diff->rows);
	intern_release(&diff->texts);
	*diff = (struct diff_states){ .rows = NULL };
}

/* ---- adding */

/* Where a name stands among the functions. */
struct named {
	string_id name;
	uint32_t function;
};

struct adding {
	struct diff_states *diff;
	enum diff_side side;
	const struct trace *trace;
	const struct actor_times *times;
	struct search_watch *watch;
	struct named *order; /* by name: regions of one name may begin in several places */
	int64_t *scratch;
	struct text key;
	struct error *err;
};

static int
compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static bool
put_in_order(struct adding *adding)
{
	const struct actor_times *times = adding->times;
	adding->scratch = array_new_unset(times->row_count, sizeof *adding->scratch, adding->err);
	adding->order = array_new_unset(times->function_count, sizeof *adding->order, adding->err);
	if (adding->scratch == NULL || adding->order == NULL)
		return false;
	for (uint32_t i = 0; i < times->function_count; i++)
		adding->order[i] = (struct named){ times->functions[i].name, i };
	if (times->function_count > 0)
		qsort(adding->order, times->function_count, sizeof *adding->order, compare_named);
	return true;
}

/* Functions [first, end) of the order, which have one name. */
struct share {
	uint32_t first, end;
};

static const struct actor_function *
function_at(const struct adding *adding, uint32_t at)
{
	return &adding->times->functions[adding->order[at].function];
}

static uint64_t
count_rows(const struct adding *adding, struct share share)
{
	uint64_t count = 0;
	for (uint32_t i = share.first; i < share.end; i++)
		count += function_at(adding, i)->count;
	return count;
}

static bool
has_any(const struct adding *adding, struct share share, uint32_t measure)
{
	for (uint32_t i = share.first; i < share.end; i++)
		if (function_at(adding, i)->has[measure])
			return true;
	return false;
}

static struct spread
spread_rows(const struct adding *adding, struct share share, uint32_t measure)
{
	size_t count = 0, zeros = 0;
	for (uint32_t i = share.first; i < share.end; i++) {
		const struct actor_function *function = function_at(adding, i);
		for (uint32_t row = function->first; row < function->first + function->count; row++) {
			int64_t ns = actors_time(adding->times, row, measure);
			if (ns == 0)
				zeros++;
			else
				adding->scratch[count++] = ns;
		}
	}
	return spread_of(adding->scratch, count, zeros);
}

static bool
keep_text(struct adding *adding, string_id id, struct diff_text *kept)
{
	size_t length;
	string_id own;
	const char *bytes = trace_text(adding->trace, id, &length);
	if (!intern_add(&adding->diff->texts, bytes, length, &own, adding->err))
		return false;
	kept->bytes = intern_text(&adding->diff->texts, own, &kept->length);
	kept->id = own;
	return true;
}

/* With its length before it, so that no two rows have one key. */
static void
add_to_key(struct text *key, const struct diff_text *part)
{
	text_format(key, "%zu:", part->length);
	text_add(key, part->bytes, part->length);
}

/* The row like that one, which is added where there is none. */
static bool
find_row(struct adding *adding, const struct diff_row *like, uint32_t *row)
{
	struct diff_states *diff = adding->diff;
	string_id key;
	text_clear(&adding->key);
	text_format(&adding->key, "%u ", (unsigned)like->measure);
	add_to_key(&adding->key, &like->name);
	add_to_key(&adding->key, &like->reason);
	if (adding->key.failed)
		return error_set_memory(adding->err, "the difference");
	if (!intern_add(&diff->texts, adding->key.bytes, adding->key.length, &key, adding->err))
		return false;
	*row = map_find(&diff->row_of, key);
	if (*row != MAP_NONE)
		return true;
	*row = diff->row_count;
	if (!array_reserve(&diff->rows, &diff->row_capacity, (size_t)diff->row_count + 1,
		    sizeof *diff->rows, adding->err) ||
		!map_put(&diff->row_of, key, *row, adding->err))
		return false;
	diff->rows[diff->row_count++] = *like;
	return true;
}

static bool
add_measure(struct adding *adding, struct share share, uint32_t measure, struct diff_row *like)
{
	uint32_t row = 0;
	if (!search_watch_check(adding->watch, 0, adding->err))
		return false;
	like->measure = measure < MEASURE_REASONS ? measure : MEASURE_REASONS;
	like->reason = (struct diff_text){ .length = 0 };
	if (measure >= MEASURE_REASONS &&
		!keep_text(adding, adding->times->reasons[measure - MEASURE_REASONS], &like->reason))
		return false;
	if (!find_row(adding, like, &row))
		return false;
	if (measure == MEASURE_LIFE)
		like->life = adding->diff->rows[row].life = row;
	adding->diff->rows[row].count[adding->side] = count_rows(adding, share);
	adding->diff->rows[row].spread[adding->side] = spread_rows(adding, share, measure);
	return true;
}

static bool
add_share(struct adding *adding, struct share share)
{
	struct diff_row like = { .measure = MEASURE_LIFE };
	uint32_t most = MEASURE_REASONS + adding->times->reason_count;
	if (!keep_text(adding, adding->order[share.first].name, &like.name))
		return false;
	/* The first one is their whole time, of which there always is a row. */
	for (uint32_t measure = MEASURE_LIFE; measure < most; measure++) {
		bool is_told = measure == MEASURE_LIFE || has_any(adding, share, measure);
		if (is_told && !add_measure(adding, share, measure, &like))
			return false;
	}
	return true;
}

static bool
add_shares(struct adding *adding)
{
	uint32_t count = adding->times->function_count;
	struct share share = { 0, 0 };
	for (; share.first < count; share.first = share.end) {
		string_id name = adding->order[share.first].name;
		while (share.end < count && adding->order[share.end].name == name)
			share.end++;
		if (!add_share(adding, share))
			return false;
	}
	return true;
}

bool
diff_states_add(struct diff_states *diff, enum diff_side side, const struct trace *trace,
	actor_times_build *build, const struct actors_scope *scope, struct error *err)
{
	struct actor_times times;
	struct adding adding = { .diff = diff,
		.side = side,
		.trace = trace,
		.times = &times,
		.watch = scope->watch,
		.err = err };
	if (!build(&times, trace, scope, err))
		return false;
	bool is_fine = put_in_order(&adding) && add_shares(&adding);
	memory_free(adding.scratch);
	memory_free(adding.order);
	text_release(&adding.key);
	actors_release(&times);
	return is_fine;
}

/* ---- order */

static int
compare_texts(const struct diff_text *a, const struct diff_text *b)
{
	return text_compare(a->bytes, a->length, b->bytes, b->length);
}

static int
compare_rows(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	const uint64_t far[][2] = {
		{ diff_distance(a->spread[0].total_ns, a->spread[1].total_ns),
			diff_distance(b->spread[0].total_ns, b->spread[1].total_ns) },
		{ diff_distance(a->spread[0].p99_ns, a->spread[1].p99_ns),
			diff_distance(b->spread[0].p99_ns, b->spread[1].p99_ns) },
		{ diff_distance((int64_t)a->count[0], (int64_t)a->count[1]),
			diff_distance((int64_t)b->count[0], (int64_t)b->count[1]) },
	};
	for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
		if (far[i][0] != far[i][1])
			return far[i][0] > far[i][1] ? -1 : 1;
	int order = compare_texts(&a->name, &b->name);
	if (order == 0)
		order = (a->measure > b->measure) - (a->measure < b->measure);
	return order != 0 ? order : compare_texts(&a->reason, &b->reason);
}

/* What was never in a state was so for no time at all, which says nothing of how many there were. */
static void
fill_counts(struct diff_states *diff)
{
	for (uint32_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];
		for (int side = 0; side < DIFF_SIDES; side++)
			row->count[side] = diff->rows[row->life].count[side];
	}
}

void
diff_states_sort(struct diff_states *diff)
{
	fill_counts(diff);
	if (diff->row_count > 0)
		qsort(diff->rows, diff->row_count, sizeof *diff->rows, compare_rows);
	map_clear(&diff->row_of);
}

bool
diff_row_has_changed(const struct diff_row *row)
{
	const struct spread *before = &row->spread[DIFF_BEFORE], *after = &row->spread[DIFF_AFTER];
	return row->count[DIFF_BEFORE] != row->count[DIFF_AFTER] ||
	       before->total_ns != after->total_ns || before->p50_ns != after->p50_ns ||
	       before->p90_ns != after->p90_ns || before->p99_ns != after->p99_ns ||
	       before->max_ns != after->max_ns;
}
