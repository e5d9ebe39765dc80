/*
 * Recordings of perf, perf.data: perf itself reads them, and the text of perf script is read as it comes. perf is
 * another program, so that who wants it run has to say so.
 */
#include <string.h>

#include "input/program.h"
#include "source/source.h"
#include "trace/time.h"

/* As perf wrote it, and on a machine with the other order of bytes. */
static const char *const magics[] = { "PERFILE2", "2ELIFREP" };

enum { MAGIC_BYTES = 8 };

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (size >= MAGIC_BYTES && memcmp(bytes, magics[i], MAGIC_BYTES) == 0)
			return SOURCE_SURE;
	return 0;
}

/* Appends the command by which perf tells of the file. */
static void
add_command(struct text *out, const char *path)
{
	text_add_string(out, "perf script -i ");
	text_add_shell_file(out, path);
}

/* perf opens the file by its name, and reads it as it is. */
static bool
check_file(struct input *in, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	if (!input_peek(in, MAGIC_BYTES, &bytes, &size, err))
		return false;
	if (input_root(in) != in || recognise(bytes, size) == 0)
		return error_set(err, ERROR_USAGE,
			"perf reads a recording only where it is not packed: unpack it into a file and open that");
	return (in->path != NULL && in->can_rewind) ||
	       error_set(err, ERROR_USAGE,
		       "perf has to read a recording itself: name its file, or of a pipe, perf script -i - | ttrace");
}

static bool
ask(struct input *in, struct error *err)
{
	struct text command = { 0 };
	if (!check_file(in, err))
		return false;
	add_command(&command, in->path);
	error_set(err, ERROR_CONSENT,
		"perf has to read this recording: %s | ttrace, or --source=perf_data, with which ttrace runs that",
		text_string(&command));
	text_release(&command);
	return false;
}

static bool
refuse_missing(const char *path, struct error *err)
{
	struct text command = { 0 };
	add_command(&command, path);
	error_set(err, ERROR_IO,
		"perf is not installed: install it, or run %s > FILE where it is, and open FILE",
		text_string(&command));
	text_release(&command);
	return false;
}

/* What perf said of its failure; of what it told before there may be a trace. */
static void
add_damage(struct trace *trace, const struct error *failure)
{
	struct damage row = { .from_bytes = trace->read_bytes,
		.to_bytes = trace->read_bytes,
		.from_ns = trace->end_ns,
		.blank_ns = trace->end_ns,
		.to_ns = TIME_OPEN,
		.cause = DAMAGE_CUT,
		.first = *failure };
	damage_map_add(&trace->damage, &row);
}

/* What it printed, as long as it goes on. The percentage would be of other bytes. */
static struct trace *
read_output(struct program *program, struct input *out, const struct source_wish *wish, struct error *err)
{
	struct error failure;
	if (wish->progress != NULL)
		atomic_store(&wish->progress->total_bytes, 0);
	out->progress = wish->progress;
	struct trace *trace = perf_script_source.load(out, wish, err);
	input_close(out);
	error_clear(&failure);
	if (program_end(program, trace == NULL, wish->progress, &failure)) {
		if (trace == NULL || trace->event_count > 0)
			return trace;
		error_set(&failure, ERROR_FORMAT, "it tells of no sample%s%s", program->last[0] != '\0' ? ": " : "",
			program->last);
	}
	if (trace == NULL)
		return NULL;
	if (failure.kind != ERROR_CANCELLED)
		error_prefix(&failure, "perf script");
	if (failure.kind != ERROR_CANCELLED && trace->event_count > 0) {
		add_damage(trace, &failure);
		return trace;
	}
	*err = failure;
	trace_free(trace);
	return NULL;
}

/*
 * perf prints of each event the fields that it has, to microseconds unless it is asked; and of the recording who
 * came to a CPU, if that was recorded, and what was lost.
 */
static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct text path = { 0 };
	struct program program;
	struct input out;
	if (!check_file(in, err))
		return NULL;
	/* What begins so is no option. */
	text_format(&path, "%s%s", in->path[0] == '-' ? "./" : "", in->path);
	const char *const argv[] = { "perf", "script", "-i", text_string(&path), "--ns", "--show-switch-events",
		"--show-lost-events", NULL };
	bool is_started = !path.failed ? program_start(&program, argv, &out, err) : error_set_memory(err, "a name");
	text_release(&path);
	if (is_started)
		return read_output(&program, &out, wish, err);
	if (err->kind == ERROR_IO && program.is_missing) {
		error_clear(err);
		refuse_missing(in->path, err);
	}
	return NULL;
}

const struct source perf_data_source = {
	.name = "perf_data",
	.input = "recordings of perf, by running perf script",
	.recognised_by = "the bytes \"PERFILE2\" of a file of perf record, usually called perf.data",
	.answers = "the same as perf_script, whose text it is read from; perf has to be installed, and on the "
		   "screen ttrace asks before it runs it",
	.recognise = recognise,
	.ask = ask,
	.load = load,
	.is_whole = true,
};
