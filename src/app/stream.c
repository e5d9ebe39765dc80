/* Where streams go, and when they end. */
#include "app/stream.h"

#include "app/outfile.h"
#include "app/outlet.h"
#include "app/signals.h"
#include "base/checked.h"
#include "base/text.h"
#include "dump/dump.h"

/* Where the bytes go on their way out. */
struct sluice {
	struct outlet outlet;
	struct outfile file;
	bool is_file;
	bool is_safe, is_ascii; /* for a terminal: controls become visible */
	struct text pending;    /* the end of a line that is not whole yet */
	struct text safe;
};

/* ---- on a terminal */

/* Makes all lines of `pending` safe, and what stands behind them only when it has to. */
static void
make_safe(struct sluice *sluice, bool is_last)
{
	enum { LONGEST_LINE = 1 << 16 };
	struct text *pending = &sluice->pending;
	size_t start = 0;
	for (size_t at = 0; at < pending->length; at++) {
		char c = pending->bytes[at];
		if (c != '\n' && c != '\t')
			continue;
		text_add_safe(&sluice->safe, pending->bytes + start, at - start, sluice->is_ascii);
		text_add(&sluice->safe, &c, 1);
		start = at + 1;
	}
	if (is_last || pending->length - start > LONGEST_LINE) {
		text_add_safe(&sluice->safe, pending->bytes + start, pending->length - start,
			sluice->is_ascii);
		start = pending->length;
	}
	struct text rest = { 0 };
	text_add(&rest, pending->bytes + start, pending->length - start);
	text_release(pending);
	*pending = rest;
}

static bool
put_safe(struct sluice *sluice, struct error *err)
{
	if (sluice->pending.failed || sluice->safe.failed)
		return error_set_memory(err, "what is printed");
	return outlet_flush(&sluice->outlet, &sluice->safe, err);
}

/* ---- the way out */

static bool
put(void *context, const char *bytes, size_t length, struct error *err)
{
	struct sluice *sluice = context;
	if (sluice->is_file)
		return outfile_write(&sluice->file, bytes, length, err);
	if (!sluice->is_safe)
		return outlet_write(&sluice->outlet, bytes, length, err);
	text_add(&sluice->pending, bytes, length);
	make_safe(sluice, false);
	return put_safe(sluice, err);
}

static bool
open_sluice(struct sluice *sluice, const struct stream *stream, struct error *err)
{
	const struct environment *environment = stream->environment;
	*sluice = (struct sluice){ .is_file = stream->options->output != NULL };
	if (sluice->is_file)
		return outfile_open(&sluice->file, stream->options->output, err);
	sluice->is_safe = environment->stdout_is_terminal;
	sluice->is_ascii = environment_is_ascii(environment, stream->options);
	return outlet_open(&sluice->outlet, environment_pager(environment, stream->options), err);
}

static bool
close_sluice(struct sluice *sluice, bool is_fine, struct error *err)
{
	if (sluice->is_file)
		return outfile_close(&sluice->file, is_fine, err) && is_fine;
	if (is_fine && sluice->is_safe) {
		make_safe(sluice, true);
		is_fine = put_safe(sluice, err);
	}
	is_fine = is_fine || sluice->outlet.is_closed;
	if (!outlet_close(&sluice->outlet))
		is_fine = error_set(
			err, ERROR_IO, "the pager could not be run; --no-pager does without");
	text_release(&sluice->pending);
	text_release(&sluice->safe);
	return is_fine;
}

/* ---- what is written */

static struct dump_interval
interval_of(const struct options *options)
{
	struct dump_interval interval = {
		.has_from = options->has_from,
		.has_to = options->has_to,
		.from_ns = options->from_ns,
		.to_ns = options->to_ns,
	};
	if (!options->has_interval)
		return interval;
	if (options->has_to)
		interval.from_ns = options->to_ns - options->interval_ns;
	else if (options->has_at && !options->has_from)
		interval.from_ns = options->at_ns - options->interval_ns / 2;
	if (!options->has_to)
		interval.to_ns = saturating_add_i64(interval.from_ns, options->interval_ns);
	interval.has_from = interval.has_to = true;
	return interval;
}

static bool
run(const struct stream *stream, struct writer *out, struct go_read_result *result,
	struct error *err)
{
	const struct dump dump = {
		.interval = interval_of(stream->options),
		.progress = stream->progress,
		.out = out,
	};
	if (stream->trace != NULL)
		return dump_json_trace(&dump, stream->trace, err);
	if (stream->options->has_export)
		return dump_json(&dump, stream->input, stream->options->export,
			stream->options->export_id, result, err);
	switch ((enum option_dump)stream->options->dump) {
	case DUMP_OF_WIRE:
		return dump_wire(&dump, stream->input, result, err);
	case DUMP_OF_PARSED:
		return dump_parsed(&dump, stream->input, DUMP_PARSED_NEWEST, result, err);
	case DUMP_OF_GO123:
		return dump_parsed(&dump, stream->input, DUMP_PARSED_GO123, result, err);
	case DUMP_OF_FOOTPRINT:
		return dump_footprint(&dump, stream->input, result, err);
	case DUMP_OF_NOTHING:
		break;
	}
	return false;
}

bool
stream_run(
	const struct stream *stream, struct go_read_result *result, int *signal, struct error *err)
{
	struct sluice sluice;
	struct writer out;
	*signal = 0;
	*result = (struct go_read_result){ 0 };
	if (!open_sluice(&sluice, stream, err))
		return false;
	if (sluice.is_file)
		signals_catch(&stream->progress->is_cancelled);
	stream->input->progress = stream->progress;
	bool is_fine = writer_init(&out, put, &sluice, err) && run(stream, &out, result, err);
	writer_release(&out);
	is_fine = close_sluice(&sluice, is_fine, err);
	*signal = signals_caught();
	if (is_fine)
		error_clear(err);
	return is_fine;
}
