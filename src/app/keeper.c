/* From options to caches that are read and written. */
#include "app/keeper.h"

#include "base/text.h"
#include "base/units.h"
#include "source/source.h"
#include "trace/words.h"

void
keeper_init(struct keeper *keeper, const struct options *options,
	const struct environment *environment, const struct input *in)
{
	*keeper = (struct keeper){ .fd = in->fd, .is_wanted = options_cache(options) };
	error_clear(&keeper->note);
	if (keeper->is_wanted)
		keeper->has_file = cachefile_find(&keeper->file, environment, keeper->fd,
			(uint64_t)in->start_bytes << 1 | !options->strict, &keeper->note);
}

void
keeper_release(struct keeper *keeper)
{
	cachefile_release(&keeper->file);
	*keeper = (struct keeper){ .fd = -1 };
}

struct trace *
keeper_open(struct keeper *keeper)
{
	if (!keeper->has_file || keeper->note.kind != ERROR_NONE)
		return NULL;
	return cachefile_open(&keeper->file, &keeper->note);
}

struct trace *
keeper_open_whole(struct keeper *keeper)
{
	struct trace *trace = keeper_open(keeper);
	if (trace == NULL || cache_check_all(trace))
		return trace;
	trace_free(trace);
	keeper_distrust(keeper);
	return NULL;
}

void
keeper_distrust(struct keeper *keeper)
{
	error_set(&keeper->note, ERROR_FORMAT, "the cache is damaged");
}

/* A line about an error, or about the size of the cache where err is NULL. */
static void
tell_line(const struct keeper *keeper, const struct trace *trace, const struct error *err,
	bool ascii, keeper_tell tell, void *context)
{
	struct text line = { 0 }, safe = { 0 };
	char bytes[UNITS_TEXT];
	if (err != NULL) {
		text_format(&line, "no cache: %s", err->message);
	} else {
		units_bytes(bytes, cache_size(trace));
		text_format(&line, "cache: %s in %s", bytes, keeper->file.shown.bytes);
	}
	text_add_safe(&safe, line.bytes, line.length, ascii);
	if (safe.length > 0)
		tell(context, err != NULL, safe.bytes);
	text_release(&line);
	text_release(&safe);
}

void
keeper_keep(struct keeper *keeper, const struct trace *trace, const atomic_bool *is_cancelled,
	bool ascii, keeper_tell tell, void *context)
{
	struct error err;
	error_clear(&err);
	if (!keeper->has_file) {
		if (keeper->is_wanted)
			tell_line(keeper, trace, &keeper->note, ascii, tell, context);
		return;
	}
	const struct source *source = source_find(trace->words->source);
	if (trace->backing != NULL || (source != NULL && source->is_whole))
		return;
	tell_line(keeper, trace, NULL, ascii, tell, context);
	if (!cachefile_write(&keeper->file, keeper->fd, trace, is_cancelled, &err) &&
		err.kind != ERROR_CANCELLED)
		tell_line(keeper, trace, &err, ascii, tell, context);
}
