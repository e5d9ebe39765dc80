/*
 * The reader that makes the best of a broken trace: every stage repairs what it can, and
 * here that becomes one row of the damage map for each generation and for each gap.
 */
#include "source/go/reader_internal.h"

#include "source/go/cause.h"
#include "source/go/extent.h"
#include "source/go/outline.h"
#include "trace/time.h"

/* ---- what was wrong with a generation */

static const struct error *
first_of(const struct reader *reader)
{
	const struct error *stages[] = {
		&reader->generation.loss.first,
		&reader->tables.first,
		&reader->order.damage.first,
		&reader->order.damage.give_up,
	};
	for (size_t i = 0; i < ARRAY_LENGTH(stages); i++) {
		if (stages[i]->kind != ERROR_NONE)
			return stages[i];
	}
	return NULL;
}

static enum damage_cause
cause(const struct reader *reader)
{
	const struct generation_loss *loss = &reader->generation.loss;
	return cause_of(&(struct cause_signs){
		.is_tail = loss->is_tail,
		.is_other_trace = loss->is_other_trace,
		.is_between_batches = loss->is_between_batches,
		.has_repeats = loss->has_repeats,
		.is_packed = go_source_is_packed(reader->from),
		.end_bytes = reader->in->offset_bytes,
		.lost_bytes = loss->bytes + reader->tables.lost_bytes +
		              reader->order.damage.lost_bytes,
		.zero_run_bytes = loss->zero_run_bytes,
		.is_missing = loss->is_missing,
		.has_wrong_times = reader->order.damage.repairs.moved_times > 0 ||
		                   reader->tables.is_clock_wrong,
		.is_disorder = loss->first.kind == ERROR_NONE &&
		               reader->tables.first.kind == ERROR_NONE &&
		               reader->order.damage.repairs.ended_batches +
		               reader->order.damage.repairs.moved_times == 0,
	});
}

static void
widen(struct damage *damage, uint64_t from_bytes, uint64_t to_bytes)
{
	if (from_bytes < damage->from_bytes)
		damage->from_bytes = from_bytes;
	if (to_bytes > damage->to_bytes)
		damage->to_bytes = to_bytes;
}

/* From the first thing that was wrong to the last byte that was not used. */
static void
place_bytes(const struct reader *reader, struct damage *damage)
{
	const struct generation_loss *loss = &reader->generation.loss;
	const struct order_damage *order = &reader->order.damage;
	uint64_t end_bytes = input_known_bytes(reader->in);
	damage->from_bytes = end_bytes;
	damage->lost_bytes = loss->bytes + reader->tables.lost_bytes + order->lost_bytes;
	if (damage->first.offset_bytes != ERROR_NO_OFFSET)
		widen(damage, damage->first.offset_bytes, damage->first.offset_bytes);
	if (loss->first.kind != ERROR_NONE)
		widen(damage, loss->from_bytes, loss->to_bytes);
	if (reader->tables.ended_batches > 0)
		widen(damage, reader->tables.from_bytes, reader->tables.to_bytes);
	if (order->lost_bytes > 0)
		widen(damage, order->from_bytes, order->to_bytes);
	if (loss->is_tail) {
		damage->to_bytes = end_bytes;
		damage->lost_bytes += end_bytes - reader->in->offset_bytes;
	}
}

static void
place_times(const struct reader *reader, struct damage *damage)
{
	int64_t now_ns = reader->delivery.last_time_ns;
	int64_t from_ns = reader->order.damage.from_ns;
	damage->from_ns = from_ns < now_ns ? from_ns : now_ns;
	damage->blank_ns = now_ns;
	damage->to_ns = reader->generation.loss.is_tail || reader->order.damage.is_given_up
	                        ? TIME_OPEN : now_ns;
}

/* A generation follows on what seemed to be open. */
static void
close_row(struct reader *reader)
{
	struct damage_map *map = &reader->result->damage;
	struct damage *row = map->count > 0 ? &map->rows[map->count - 1] : NULL;
	int64_t start_ns = tables_ns(&reader->tables, reader->generation.min_ticks);
	if (row != NULL && row->to_ns == TIME_OPEN)
		row->to_ns = start_ns > row->blank_ns ? start_ns : row->blank_ns;
}

/* One row for all that was wrong with the generation that was read, if anything was. */
static void
add_row(struct reader *reader)
{
	const struct error *first = first_of(reader);
	const struct error *give_up = &reader->order.damage.give_up;
	const struct repairs *repairs = &reader->order.damage.repairs;
	uint64_t number = reader->generation.number;
	if (first == NULL)
		return;
	struct damage damage = {
		.first_generation = number,
		.last_generation = number,
		.cause = cause(reader),
		.dropped_events = repairs->dropped_events,
		.ended_batches = repairs->ended_batches + reader->tables.ended_batches,
		.skipped_numbers = repairs->skipped_numbers,
		.moved_times = repairs->moved_times,
		.guessed_ends = reader->generation.is_end_guessed,
		.unknown_states = repairs->unknown_states,
		.first = *first,
	};
	if (give_up->kind != ERROR_NONE && give_up != first)
		error_prefix(&damage.first, "%s", give_up->message);
	place_bytes(reader, &damage);
	place_times(reader, &damage);
	damage_map_add(&reader->result->damage, &damage);
}

/*
 * Something is missing of the generation, though nothing is wrong with any byte of it. What
 * comes last a program that just ended did not write.
 */
static void
note_missing(struct reader *reader, const char *message)
{
	struct generation *generation = &reader->generation;
	struct generation_loss *loss = &generation->loss;
	if (loss->first.kind != ERROR_NONE)
		return;
	error_set_at(&loss->first, ERROR_TRUNCATED, generation->end_offset_bytes, "%s", message);
	loss->first.generation = generation->number;
	loss->from_bytes = loss->to_bytes = generation->end_offset_bytes;
	loss->is_tail = loss->is_between_batches = reader->source.is_at_end;
}

/* ---- gaps */

static void
add_gap_row(struct reader *reader, int64_t from_ns)
{
	int64_t to_ns = tables_ns(&reader->tables, reader->generation.min_ticks);
	uint64_t from = reader->last_generation + 1, number = reader->generation.number;
	struct damage damage = {
		.from_bytes = reader->generation.offset_bytes,
		.to_bytes = reader->generation.offset_bytes,
		.from_ns = from_ns,
		.blank_ns = from_ns,
		.to_ns = to_ns > from_ns ? to_ns : from_ns,
		.first_generation = from,
		.last_generation = number - 1,
		.cause = DAMAGE_MISSING,
	};
	error_set_at(&damage.first, ERROR_FORMAT, damage.from_bytes,
	             "generation %llu follows on %llu", (unsigned long long)number,
	             (unsigned long long)from - 1);
	damage.first.generation = number;
	damage_map_add(&reader->result->damage, &damage);
}

/* ---- the generation */

/* What could not be read behind the last generation. */
static bool
end(struct reader *reader, struct error *err)
{
	const struct go_read_result *result = reader->result;
	order_clear_damage(&reader->order);
	error_clear(&reader->tables.first);
	reader->tables.lost_bytes = reader->tables.ended_batches = 0;
	if (result->first_generation == 0 &&
	    (reader->generation.loss.first.kind != ERROR_NONE ||
	     reader->source.minor < MINOR_END_OF_GENERATION)) {
		*err = reader->generation.loss.first;
		return error_set_at(err, ERROR_FORMAT, reader->generation.offset_bytes,
		                    "no frequency event found");
	}
	add_row(reader);
	return reader_deliver_last_sync(reader, err);
}

static bool
is_given_up(const struct reader *reader, const struct error *err)
{
	return reader->order.damage.is_given_up &&
	       delivery_is_about_trace(&reader->delivery, err);
}

static bool
deliver(struct reader *reader, struct error *err)
{
	if (reader_deliver_generation(reader, err))
		return true;
	if (!is_given_up(reader, err))
		return false;
	order_give_up(&reader->order, err);
	return true;
}

/* What was there before a loss and is not any more. If that is too much it stays unknown. */
static bool
forget_unseen(struct reader *reader, struct error *err)
{
	reader->has_unseen = false;
	if (order_forget_unseen(&reader->order, err))
		return true;
	if (!is_given_up(reader, err))
		return false;
	error_clear(err);
	return true;
}

/* The runtime writes the stacks when it has written all events. */
static bool
is_loss_behind_events(const struct reader *reader)
{
	const struct tables *tables = &reader->tables;
	const struct generation *generation = &reader->generation;
	return tables->raw_count > 0 &&
	       generation->batches[tables_first_stack_batch(tables)].offset_bytes <
	               generation->loss.from_bytes;
}

/* The frequency that more than half of the generations tell, if any; else any of them, or 0. */
static bool
find_common_frequency(const struct reader *reader, uint64_t *frequency, struct error *err)
{
	struct outline outline;
	size_t votes = 0;
	*frequency = 0;
	if (!outline_read(&outline, reader->in, err))
		return false;
	for (size_t i = 0; i < outline.count; i++) {
		uint64_t told = outline.generations[i].frequency;
		if (told == 0)
			continue;
		if (votes == 0)
			*frequency = told;
		votes = told == *frequency ? votes + 1 : votes - 1;
	}
	/* A single one says nothing of itself. */
	if (outline.count < 2)
		*frequency = 0;
	outline_release(&outline);
	return true;
}

/* One frequency holds for all of the trace. That of nearly all systems needs no second look. */
static bool
settle_frequency(struct reader *reader, struct error *err)
{
	struct tables *tables = &reader->tables;
	uint64_t settled = reader->frequency;
	if (settled == 0 && tables->has_frequency && tables->frequency != TABLES_USUAL_FREQUENCY &&
	    !find_common_frequency(reader, &settled, err))
		return false;
	tables_settle_frequency(tables, &reader->generation, settled);
	if (tables->has_frequency)
		reader->frequency = tables->frequency;
	return true;
}

static bool
decode_tables(struct reader *reader, struct error *err)
{
	const struct generation *generation = &reader->generation;
	unsigned minor = reader->source.minor;
	return tables_read(&reader->tables, generation, minor, err) &&
	       settle_frequency(reader, err) &&
	       tables_resolve(&reader->tables, generation, minor, err);
}

/* When it was; what says something else is not believed. */
static bool
find_extent(struct reader *reader, struct error *err)
{
	const struct generation_source *source = &reader->source;
	uint64_t ms_ticks = tables_ticks(&reader->tables, 1000000);
	uint64_t next_ticks = source->has_spilled ? source->spilled.time_ticks : 0;
	if (!extent_find(&reader->generation, source->minor, reader->start_ticks, next_ticks,
	                 ms_ticks, err))
		return false;
	reader->start_ticks = reader->generation.min_ticks;
	return true;
}

bool
reader_salvage_generation(struct reader *reader, bool *is_done, struct error *err)
{
	struct generation *generation = &reader->generation;
	enum generation_outcome outcome = generation_read(generation, &reader->source, err);
	int64_t before_ns = reader->delivery.last_time_ns;
	bool has_jumped;
	*is_done = true;
	if (outcome == GENERATION_BROKEN)
		return false;
	if (outcome == GENERATION_NONE)
		return end(reader, err);
	if (!decode_tables(reader, err))
		return false;
	if (!reader->tables.has_frequency)
		note_missing(reader, "no frequency event found");
	if (!find_extent(reader, err))
		return false;
	close_row(reader);
	generation->loss.is_behind = is_loss_behind_events(reader);
	has_jumped = reader->last_generation > 0 &&
	             generation->number > reader->last_generation + 1;
	reader->is_behind_gap |= has_jumped;
	if (reader->is_behind_gap && !order_doubt_all(&reader->order, err))
		return reader_drop_generation(reader, err);
	if (!deliver(reader, err))
		return false;
	if (has_jumped)
		add_gap_row(reader, before_ns);
	if (reader->order.damage.repairs.missing_ids > 0 && first_of(reader) == NULL)
		note_missing(reader, "strings or stacks of the generation are missing");
	add_row(reader);
	reader->has_unseen |= reader->is_behind_gap ||
	                      reader->order.damage.repairs.unknown_states > 0;
	reader->is_behind_gap = reader->order.damage.is_given_up;
	if (reader->has_unseen && first_of(reader) == NULL && !forget_unseen(reader, err))
		return false;
	reader->last_generation = generation->number;
	*is_done = reader->source.is_at_end && !reader->source.has_spilled;
	return !*is_done || reader_deliver_last_sync(reader, err);
}
