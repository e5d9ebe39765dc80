/*
 * The reader as a whole: header, then one generation after another through
 * its stages: collect (generation.c), decode the tables (tables.c), put in
 * order (order.c); or a trace of the older form as a whole (v1.c). And what to
 * make of a trace that is broken somewhere.
 */
#include "source/go/reader_internal.h"

#include "source/go/header.h"
#include "source/go/v1.h"
#include "trace/time.h"

/* ---- header (go-trace-v2.md, section 1.1) */

static bool
refuse_header(struct error *err)
{
	return error_set_at(err, ERROR_FORMAT, 0,
	                    "bad file format: not a Go execution trace?");
}

static bool
check_version(uint32_t minor, struct error *err)
{
	switch (minor) {
	case 11:
	case 19:
	case 21:
	case 22:
	case 23:
	case 25:
	case 26:
		return true;
	case 5:
	case 7:
	case 8:
	case 9:
	case 10:
		return error_set_at(err, ERROR_FORMAT, 0,
		                    "unsupported trace version go 1.%u: traces of Go 1.11 and "
		                    "later can be read", minor);
	default:
		return error_set_at(err, ERROR_FORMAT, 0,
		                    "unknown or unsupported trace version go 1.%u", minor);
	}
}

bool
go_read_header(struct input *in, uint32_t *minor, struct error *err)
{
	uint8_t header[HEADER_BYTES];
	*minor = 0;
	if (!input_exact(in, header, sizeof(header), err)) {
		if (err->kind != ERROR_TRUNCATED)
			return false;
		error_clear(err);
		return refuse_header(err);
	}
	if (!header_parse(header, minor)) {
		*minor = 0;
		return refuse_header(err);
	}
	return check_version(*minor, err);
}

/* Reads on as if it were the newest format known, and warns. */
static void
take_newer(struct reader *reader, uint32_t minor)
{
	struct damage damage = { .cause = DAMAGE_NEWER };
	error_set_at(&damage.first, ERROR_FORMAT, 0,
	             "the format go 1.%u is newer than go 1.%d, as which it was read", minor,
	             MINOR_NEWEST);
	damage_map_add(&reader->result->damage, &damage);
	reader->source.minor = MINOR_NEWEST;
}

static bool
read_header(struct reader *reader, struct error *err)
{
	uint32_t *minor = &reader->result->go_minor;
	bool is_known = go_read_header(reader->in, minor, err);
	reader->source.minor = *minor;
	if (is_known || !reader->is_lenient || *minor <= MINOR_NEWEST)
		return is_known;
	error_clear(err);
	take_newer(reader, *minor);
	return true;
}

/* ---- damage */

/* Nothing is delivered any more. */
static void
add_tail_damage(struct reader *reader, uint64_t lost_from_bytes, uint64_t lost_bytes,
                const struct error *err)
{
	int64_t now_ns = reader->delivery.last_time_ns;
	struct damage damage = {
		.from_bytes = lost_from_bytes,
		.to_bytes = input_known_bytes(reader->in),
		.lost_bytes = lost_bytes,
		.from_ns = now_ns,
		.blank_ns = now_ns,
		.to_ns = TIME_OPEN,
		.first_generation = err->generation,
		.last_generation = err->generation,
		.cause = damage_cause_of(err),
		.first = *err,
	};
	damage_map_add(&reader->result->damage, &damage);
}

/*
 * Ends the reading for what err says. That is damage, and no failure, if it lies
 * in the trace and anything of the trace was delivered before.
 */
static bool
end_damaged(struct reader *reader, uint64_t lost_from_bytes, uint64_t lost_bytes,
            struct error *err)
{
	struct go_read_result *result = reader->result;
	bool is_useless = result->generations == 0 &&
	                  result->events == reader->delivery.sync_count;
	if (!delivery_is_about_trace(&reader->delivery, err) || is_useless)
		return false;
	add_tail_damage(reader, lost_from_bytes, lost_bytes, err);
	error_clear(err);
	return true;
}

/* All from lost_from_bytes on is of no use. */
static bool
end_damaged_from(struct reader *reader, uint64_t lost_from_bytes, struct error *err)
{
	return end_damaged(reader, lost_from_bytes, input_known_bytes(reader->in) - lost_from_bytes,
	                   err);
}

bool
reader_deliver_last_sync(struct reader *reader, struct error *err)
{
	struct go_event sync = { 0 };
	return reader->delivery.syncs_at_ends ||
	       delivery_sync(&reader->delivery, &sync, 0, err);
}

/* ---- generations */

bool
reader_drop_generation(struct reader *reader, struct error *err)
{
	struct error sync_error = { 0 };
	if (!delivery_is_about_trace(&reader->delivery, err))
		return false;
	if (!reader_deliver_last_sync(reader, &sync_error)) {
		*err = sync_error;
		return false;
	}
	return end_damaged_from(reader, reader->generation.offset_bytes, err);
}

/*
 * The generation ends in something that cannot be read. What was wrong before
 * that, in the batches that could be read, is the first problem and wins.
 */
static bool
drop_broken(struct reader *reader, struct error *err)
{
	struct error first = { 0 };
	if (delivery_is_about_trace(&reader->delivery, err) &&
	    !tables_read(&reader->tables, &reader->generation, reader->source.minor, &first))
		*err = first;
	return reader_drop_generation(reader, err);
}

static bool
decode_tables(struct reader *reader, struct error *err)
{
	return tables_read(&reader->tables, &reader->generation, reader->source.minor, err) &&
	       tables_resolve(&reader->tables, &reader->generation, reader->source.minor, err);
}

static bool
end_in_disorder(struct reader *reader, struct error *err)
{
	uint64_t offset_bytes, size_bytes;
	order_unused(&reader->order, &offset_bytes, &size_bytes);
	size_bytes += input_known_bytes(reader->in) - reader->generation.end_offset_bytes;
	return end_damaged(reader, offset_bytes, size_bytes, err);
}

bool
reader_deliver_generation(struct reader *reader, struct error *err)
{
	const struct generation *generation = &reader->generation;
	struct go_read_result *result = reader->result;
	if (result->first_generation == 0)
		result->first_generation = generation->number;
	result->experimental_batches += generation->experimental_batches;
	result->experimental_bytes += generation->experimental_bytes;
	reader->delivery.done_bytes =
		go_source_file_bytes(reader->from, generation->offset_bytes);
	if (!order_generation(&reader->order, generation, &reader->tables, err))
		return false;
	reader->delivery.done_bytes =
		go_source_file_bytes(reader->from, generation->end_offset_bytes);
	return delivery_generation(&reader->delivery, generation->number, err);
}

/* The input is broken behind this generation, which was delivered. */
static bool
end_cut(struct reader *reader, struct error *cut, struct error *err)
{
	if (!reader_deliver_last_sync(reader, err))
		return false;
	*err = *cut;
	return end_damaged_from(reader, reader->generation.end_offset_bytes, err);
}

/*
 * What is missing is missing because of the cut. Behind a wrong line of a text
 * it may well be there, so that line is all that there is to say.
 */
static void
explain_cut(const struct reader *reader, const struct error *cut, struct error *err)
{
	if (reader->from->is_text)
		*err = *cut;
	else
		error_prefix(err, "the trace is cut off (%s)", cut->message);
}

/* Reads and delivers one generation; *is_done when it was the last, or the trace is broken. */
static bool
read_generation(struct reader *reader, bool *is_done, struct error *err)
{
	struct error cut = { 0 };
	enum generation_outcome outcome =
		generation_read(&reader->generation, &reader->source, &cut);
	*is_done = true;
	if (outcome == GENERATION_NONE)
		return reader_deliver_last_sync(reader, err);
	if (outcome == GENERATION_BROKEN) {
		*err = cut;
		return drop_broken(reader, err);
	}
	if (!decode_tables(reader, err)) {
		if (outcome == GENERATION_CUT)
			explain_cut(reader, &cut, err);
		return reader_drop_generation(reader, err);
	}
	if (!reader_deliver_generation(reader, err))
		return end_in_disorder(reader, err);
	if (outcome == GENERATION_CUT)
		return end_cut(reader, &cut, err);
	*is_done = false;
	return true;
}

/* Of a trace before Go 1.22. Nothing is lost by them. */
static void
add_wrong_times(struct reader *reader, const struct v1_losses *losses)
{
	int64_t now_ns = reader->delivery.last_time_ns;
	int64_t from_ns = losses->wrong_from_ns < now_ns ? losses->wrong_from_ns : now_ns;
	struct damage damage = {
		.from_bytes = losses->wrong_time.offset_bytes,
		.to_bytes = losses->wrong_time.offset_bytes,
		.from_ns = from_ns,
		.blank_ns = now_ns,
		.to_ns = now_ns,
		.cause = DAMAGE_CHANGED,
		.moved_times = losses->moved_times,
		.first = losses->wrong_time,
	};
	damage_map_add(&reader->result->damage, &damage);
}

static bool
read_v1(struct reader *reader, struct error *err)
{
	struct v1_input v1 = {
		.in = reader->in,
		.minor = reader->result->go_minor,
		.is_lenient = reader->is_lenient,
		.strings = reader->tables.strings,
		.stacks = reader->tables.stacks,
		.delivery = &reader->delivery,
	};
	struct v1_losses losses;
	bool ok = v1_read(&v1, &losses, err) ||
	          end_damaged(reader, losses.from_bytes, losses.bytes, err);
	if (ok && losses.wrong_time.kind != ERROR_NONE)
		add_wrong_times(reader, &losses);
	return ok;
}

/* ---- windows */

static bool
enter_window(struct reader *reader, struct error *err)
{
	const struct go_window *window = reader->window;
	if (window == NULL)
		return true;
	reader->source.most_bytes = window->most_bytes;
	if (window->begins != NULL)
		window->begins(window->context);
	if (window->from_bytes == 0)
		return true;
	reader->source.batches = window->batches_before;
	return input_seek(reader->in, window->from_bytes, err);
}

/* Whether the next generation is not wanted. One is there, as far as that can be known. */
static bool
is_window_over(const struct reader *reader)
{
	const struct go_window *window = reader->window;
	uint64_t at_bytes = reader->generation.end_offset_bytes;
	if (window == NULL || window->goes_on == NULL)
		return false;
	return (reader->in->total_bytes == 0 || at_bytes < reader->in->total_bytes) &&
	       !window->goes_on(window->context, at_bytes);
}

static bool
leave_window(struct reader *reader, struct error *err)
{
	reader->result->is_ended_early = true;
	return order_leave(&reader->order, err) && reader_deliver_last_sync(reader, err);
}

/* ---- the whole */

static bool
read_generations(struct reader *reader, struct error *err)
{
	bool is_done = false;
	while (!is_done) {
		if (!(reader->is_lenient ? reader_salvage_generation(reader, &is_done, err)
		                         : read_generation(reader, &is_done, err)))
			return false;
		if (!is_done && is_window_over(reader))
			return leave_window(reader, err);
	}
	return true;
}

static bool
read_all(struct reader *reader, struct error *err)
{
	if (!read_header(reader, err))
		return false;
	if (reader->result->go_minor < MINOR_FIRST_V2)
		return read_v1(reader, err);
	reader->source.is_lenient = reader->tables.is_lenient = reader->is_lenient;
	return enter_window(reader, err) &&
	       order_init(&reader->order, &reader->delivery, reader->is_lenient, err) &&
	       read_generations(reader, err);
}

static void
publish_start(const struct input *in, struct progress *progress)
{
	if (progress == NULL)
		return;
	atomic_store(&progress->from_bytes, 0);
	atomic_store(&progress->total_bytes, in->total_bytes);
}

/* What went wrong, in terms of what the user has. */
static void
explain(const struct go_source *source, struct go_read_result *result, struct error *err)
{
	go_source_explain(source, err);
	result->is_packed = go_source_is_packed(source);
	for (uint32_t i = 0; i < result->damage.count; i++) {
		struct damage *damage = &result->damage.rows[i];
		go_source_explain(source, &damage->first);
		go_source_place_loss(source, damage);
	}
}

static bool
read_source(struct reader *reader, struct go_source *source, struct error *err)
{
	reader->from = source;
	reader->in = reader->source.in = source->in;
	bool ok = read_all(reader, err);
	explain(source, reader->result, err);
	return ok;
}

bool
go_read(struct input *in, const struct go_sink *sink, const struct go_read_options *options,
        struct go_read_result *result, struct error *err)
{
	struct progress *progress = options ? options->progress : NULL;
	struct go_source source;
	struct reader reader = {
		.result = result,
		.tables = { .strings = sink->strings, .stacks = sink->stacks },
		.delivery = { .sink = sink, .progress = progress, .result = result },
	};
	reader.delivery.syncs_at_ends = options != NULL && options->syncs_at_ends;
	reader.is_lenient = options != NULL && options->is_lenient;
	reader.window = options != NULL ? options->window : NULL;
	*result = (struct go_read_result){ 0 };
	struct progress *outer = in->progress;
	publish_start(in, progress);
	if (progress != NULL)
		in->progress = progress;

	bool ok = go_source_open(&source, in, err) && read_source(&reader, &source, err);
	go_source_close(&source);
	in->progress = outer;
	result->read_bytes = in->offset_bytes;

	generation_release(&reader.generation);
	map_release(&reader.source.read_before);
	tables_release(&reader.tables);
	order_release(&reader.order);
	return ok;
}
