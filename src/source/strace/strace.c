/* Strace as a source. Each of its lines says by itself what it is. */
#include "source/common/line_reader.h"
#include "source/source.h"
#include "source/strace/line.h"
#include "source/strace/load.h"

enum { RECORD_POINTS = 3 };
/* Of calls with when they were and how long they took so many are enough, where all lines are strace's. */
enum { TIMED_SURE = 2 };

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
	unsigned records = 0, timed = 0; /* with when they were, and how long they took */
	bool is_strange = false;
	while (head_lines_next(&lines, &text)) {
		struct strace_line line;
		bool may_be_cut = scan_is_end(&lines.rest) && bytes[size - 1] != '\n';
		strace_line_read(text, &line);
		is_strange = is_strange || (line.kind == STRACE_UNKNOWN && !may_be_cut);
		records += is_record(line.kind);
		timed += line.kind == STRACE_CALL && line.clock != STRACE_NO_CLOCK && line.took_ns >= 0;
	}
	if (!is_strange && (records >= SOURCE_LINES_SURE || timed >= TIMED_SURE))
		return SOURCE_SURE;
	return RECORD_POINTS * records;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	return strace_load(in, wish->watch, wish->progress, err);
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
