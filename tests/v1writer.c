/* The writer of traces from before Go 1.22. */
#include "v1writer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

enum { ARGS_MAX = 64, SIZED = 3 };

/* By id. */
static const char *const names[] = {
	"", "Batch", "Frequency", "Stack", "Gomaxprocs", "ProcStart", "ProcStop", "GCStart",
	"GCDone", "GCSTWStart", "GCSTWDone", "GCSweepStart", "GCSweepDone", "GoCreate", "GoStart",
	"GoEnd", "GoStop", "GoSched", "GoPreempt", "GoSleep", "GoBlock", "GoUnblock",
	"GoBlockSend", "GoBlockRecv", "GoBlockSelect", "GoBlockSync", "GoBlockCond", "GoBlockNet",
	"GoSysCall", "GoSysExit", "GoSysBlock", "GoWaiting", "GoInSyscall", "HeapAlloc",
	"HeapGoal", "TimerGoroutine", "FutileWakeup", "String", "GoStartLocal", "GoUnblockLocal",
	"GoSysExitLocal", "GoStartLabel", "GoBlockGC", "GCMarkAssistStart", "GCMarkAssistDone",
	"UserTaskCreate", "UserTaskEnd", "UserRegion", "UserLog", "CPUSample",
};

static unsigned
id_of(const char *name)
{
	for (unsigned i = 1; i < ARRAY_LENGTH(names); i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return 0;
}

static void
put_byte(struct text *out, unsigned byte)
{
	char c = (char)byte;
	text_add(out, &c, 1);
}

static void
put_varint(struct text *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(out, (unsigned)(value & 0x7f) | 0x80);
	put_byte(out, (unsigned)value);
}

static size_t
varint_size(uint64_t value)
{
	size_t size = 1;
	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

void
v1w_header(struct text *out, unsigned minor)
{
	char header[17] = { 0 };
	snprintf(header, sizeof(header), "go 1.%u trace", minor);
	text_add(out, header, 16);
}

void
v1w_sized(struct text *out, const char *name, const uint64_t *args, unsigned count,
          uint64_t size_bytes)
{
	put_byte(out, SIZED << 6 | id_of(name));
	put_varint(out, size_bytes);
	for (unsigned i = 0; i < count; i++)
		put_varint(out, args[i]);
}

static void
put_sized(struct text *out, const char *name, const uint64_t *args, unsigned count)
{
	size_t size = 0;
	for (unsigned i = 0; i < count; i++)
		size += varint_size(args[i]);
	v1w_sized(out, name, args, count, size);
}

void
v1w_record(struct text *out, const char *name, const uint64_t *args, unsigned count)
{
	assert(id_of(name) != 0 && count > 0);
	if (count > SIZED || strcmp(name, "Stack") == 0) {
		put_sized(out, name, args, count);
		return;
	}
	put_byte(out, (count - 1) << 6 | id_of(name));
	for (unsigned i = 0; i < count; i++)
		put_varint(out, args[i]);
}

void
v1w_message(struct text *out, const char *bytes, size_t length)
{
	put_varint(out, length);
	text_add(out, bytes, length);
}

void
v1w_string(struct text *out, uint64_t id, const char *bytes, size_t length)
{
	put_byte(out, id_of("String"));
	put_varint(out, id);
	v1w_message(out, bytes, length);
}

/* ---- from text */

struct line {
	const char *at, *end;
	unsigned number; /* 1 is the first */
};

static bool
refuse(const struct line *line, const char *what, char problem[200])
{
	snprintf(problem, 200, "line %u: %s", line->number, what);
	return false;
}

/* The word that comes next, without the space behind it. */
static bool
next_word(struct line *line, char *word, size_t size)
{
	size_t length = 0;
	if (line->at == line->end)
		return false;
	while (line->at + length < line->end && line->at[length] != ' ')
		length++;
	snprintf(word, size, "%.*s", (int)length, line->at);
	line->at += length;
	line->at += line->at < line->end;
	return true;
}

/* Numbers up to `limit` or the end of the line. */
static bool
read_numbers(struct line *line, uint64_t *args, unsigned limit, unsigned *count)
{
	char word[32], *end;
	for (*count = 0; *count < limit && next_word(line, word, sizeof(word)); ++*count) {
		errno = 0;
		args[*count] = strtoull(word, &end, 0);
		if (errno != 0 || *end != '\0' || end == word)
			return false;
	}
	return true;
}

static bool
assemble_record(struct line *line, const char *name, struct text *out, char problem[200])
{
	bool is_sized = *name == '!';
	bool is_string = strcmp(name, "String") == 0, is_log = strcmp(name, "UserLog") == 0;
	uint64_t args[ARGS_MAX];
	unsigned count;
	if (id_of(name + is_sized) == 0)
		return refuse(line, "no such record", problem);
	if (!read_numbers(line, args, is_string ? 1 : is_log ? 4 : ARGS_MAX, &count) || count == 0)
		return refuse(line, "numbers are due", problem);
	if (is_string)
		v1w_string(out, args[0], line->at, (size_t)(line->end - line->at));
	else if (is_sized)
		put_sized(out, name + 1, args, count);
	else
		v1w_record(out, name, args, count);
	if (is_log)
		v1w_message(out, line->at, (size_t)(line->end - line->at));
	return true;
}

static bool
assemble_line(struct line *line, struct text *out, char problem[200])
{
	uint64_t args[ARGS_MAX];
	unsigned count;
	char name[40];
	if (!next_word(line, name, sizeof(name)))
		return true;
	if (strcmp(name, "bytes") != 0)
		return assemble_record(line, name, out, problem);
	if (!read_numbers(line, args, ARGS_MAX, &count))
		return refuse(line, "numbers are due", problem);
	for (unsigned i = 0; i < count; i++)
		put_byte(out, (unsigned)args[i]);
	return true;
}

bool
v1w_assemble(const char *text, struct text *out, char problem[200])
{
	static const char header[] = "go 1.";
	struct line line = { text, text, 1 };
	if (strncmp(text, header, sizeof(header) - 1) != 0)
		return refuse(&line, "the header is due", problem);
	v1w_header(out, (unsigned)strtoul(text + sizeof(header) - 1, NULL, 10));
	for (text += strcspn(text, "\n"); *text != '\0'; text = line.end) {
		text++;
		line = (struct line){ text, text + strcspn(text, "\n"), line.number + 1 };
		struct line rest = line;
		if (!assemble_line(&rest, out, problem))
			return false;
	}
	return true;
}
