/* Strace as a source. Each of its lines says by itself what it is. */
#include "source/common/line_reader.h"
#include "source/source.h"
#include "source/strace/line.h"
#include "source/strace/load.h"

enum { RECOGNISE_LINES = 400, RECORD_POINTS = 3, CLEAN_BYTES = 4096 };

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
	struct scan head = scan_over((const char *)bytes, size), text;
	unsigned points = 0;
	bool has_newline;
	char clean[CLEAN_BYTES];
	for (unsigned lines = 0; lines < RECOGNISE_LINES && line_take(&head, &text, &has_newline);) {
		struct strace_line line;
		if (line_is_coloured(&text) && line_clean_bytes(&text) <= sizeof clean)
			text = scan_over(clean, line_clean(&text, clean));
		strace_line_read(text, &line);
		if (line.kind != STRACE_BLANK)
			lines++;
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
