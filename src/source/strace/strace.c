/* Strace as a source. Each of its lines says by itself what it is. */
#include "source/common/line_reader.h"
#include "source/source.h"
#include "source/strace/line.h"
#include "source/strace/load.h"

enum { RECORD_POINTS = 3 };

static bool
is_record(enum strace_kind kind)
{
	return kind == STRACE_CALL || kind == STRACE_BEGIN || kind == STRACE_RESUMED ||
	       kind == STRACE_RESUMED_BEGIN || kind == STRACE_SIGNAL || kind == STRACE_EXITED ||
	       kind == STRACE_KILLED;
}

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct head_lines lines = { .rest = scan_over((const char *)bytes, size) };
	struct scan text;
	unsigned points = 0;
	while (head_lines_next(&lines, &text)) {
		struct strace_line line;
		strace_line_read(text, &line);
		if (is_record(line.kind))
			points += RECORD_POINTS;
	}
	return points;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	return strace_load(in, wish->progress, err);
}

const struct source strace_source = {
	.name = "strace",
	.input = "strace",
	.recognised_by = "lines like \"openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3\", maybe with a "
			 "pid and a time in front, \"<... read resumed>\", \"--- SIGCHLD {...} ---\" and "
			 "\"+++ exited with 0 +++\"",
	.answers = "which system calls threads made when, how long they took and which failed; who "
		   "made whom; signals",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
};
