/*
 * Bytes per key press: the real program in a pseudo-terminal of 80x24 cells and 256
 * colours, a key of the script at a time, each when the one before is answered.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/keys.h"
#include "base/compiler.h"
#include "bench.h"
#include "bench_picture.h"
#include "ptyterm.h"

enum {
	LOOK_MS = 10,    /* between looks for the first byte of an answer */
	ANSWER_MS = 500, /* a key without an answer by then changed nothing */
	QUIET_MS = 50,   /* an answer is over after so long without a byte */
	KEY_BYTES = 32,
};

enum { CURSOR_BAR = 2000, PICTURE_MEDIAN_BAR = 5000, PICTURE_WORST_BAR = 12000 };

/* What a key press costs depends on how much of the picture its command changes. */
enum key_class {
	KEY_CURSOR,  /* moves the cursor by a cell or a row */
	KEY_SPAN,    /* moves it to a span, and the picture as well where that is not on it */
	KEY_PICTURE, /* brings another picture */
	KEY_TYPED,   /* a letter at a prompt */
	KEY_CLASS_COUNT
};

static const char *const class_names[] = { "cursor", "span", "picture", "typed" };

/* Commands without a row here change the picture. */
static const struct {
	enum command command;
	enum key_class class;
} command_classes[] = {
	{ COMMAND_LEFT, KEY_CURSOR },
	{ COMMAND_RIGHT, KEY_CURSOR },
	{ COMMAND_UP, KEY_CURSOR },
	{ COMMAND_DOWN, KEY_CURSOR },
	{ COMMAND_PREVIOUS_SPAN, KEY_SPAN },
	{ COMMAND_NEXT_SPAN, KEY_SPAN },
	{ COMMAND_LONGEST_SPAN, KEY_SPAN },
	{ COMMAND_WAKER, KEY_SPAN },
	{ COMMAND_NEXT_MATCH, KEY_SPAN },
	{ COMMAND_PREVIOUS_MATCH, KEY_SPAN },
	{ COMMAND_SEARCH, KEY_TYPED },
	{ COMMAND_JUMP, KEY_TYPED },
};

/* What keys with names send; others send themselves. */
static const struct {
	const char *name, *bytes;
} key_bytes[] = {
	{ "Up", "\033[A" },
	{ "Down", "\033[B" },
	{ "Right", "\033[C" },
	{ "Left", "\033[D" },
	{ "S-Right", "\033[1;2C" },
	{ "S-Left", "\033[1;2D" },
	{ "Home", "\033[H" },
	{ "End", "\033[F" },
	{ "PageUp", "\033[5~" },
	{ "PageDown", "\033[6~" },
	{ "Enter", "\r" },
	{ "Tab", "\t" },
	{ "Escape", "\033" },
	{ "Space", " " },
	{ "Backspace", "\177" },
};

/* A run of the script. */
struct key_run {
	struct ptyterm *term;
	struct costs bytes[KEY_CLASS_COUNT]; /* of each key that was answered */
	unsigned context;                      /* enum command_context: what the keys mean now */
	bool is_typing;                        /* at a prompt */
	bool tells_each;                       /* on standard error */
	int key_count, unanswered;
};

/* ---- keys */

/* False for a name that no key has. */
static bool
key_to_bytes(const char *name, char out[KEY_BYTES])
{
	for (size_t i = 0; i < ARRAY_LENGTH(key_bytes); i++) {
		if (strcmp(key_bytes[i].name, name) == 0) {
			snprintf(out, KEY_BYTES, "%s", key_bytes[i].bytes);
			return true;
		}
	}
	if (strncmp(name, "C-", 2) == 0 && name[2] >= 'a' && name[2] <= 'z' && name[3] == '\0') {
		out[0] = (char)(name[2] & 0x1f);
		out[1] = '\0';
		return true;
	}
	snprintf(out, KEY_BYTES, "%s", name);
	return strlen(name) == 1;
}

static enum key_class
class_of(enum command command, unsigned context)
{
	for (size_t i = 0; context == IN_TIMELINE && i < ARRAY_LENGTH(command_classes); i++) {
		if (command_classes[i].command == command)
			return command_classes[i].class;
	}
	return KEY_PICTURE;
}

static enum key_class
type_key(struct key_run *run, const char *name)
{
	if (strcmp(name, "Enter") != 0 && strcmp(name, "Escape") != 0)
		return KEY_TYPED;
	run->is_typing = false;
	return KEY_PICTURE;
}

/*
 * Follows what the program does with a key as far as its class needs it. Prompts take
 * letters; over the timeline only the help screen is opened by this script, and any
 * command that closes it leads back.
 */
static bool
classify(struct key_run *run, const char *name, enum key_class *class)
{
	enum command command;
	if (run->is_typing) {
		*class = type_key(run, name);
		return true;
	}
	if (!keys_find(keys_usual(), name, run->context, &command))
		return false;
	*class = class_of(command, run->context);
	run->is_typing = *class == KEY_TYPED;
	if (command == COMMAND_HELP)
		run->context = IN_HELP;
	else if (command == COMMAND_CLOSE || command == COMMAND_NEXT_VIEW)
		run->context = IN_TIMELINE;
	return true;
}

/* Sends a key and takes in the answer; returns its bytes. */
static uint64_t
press(struct key_run *run, const char *bytes)
{
	uint64_t before = ptyterm_bytes(run->term);
	ptyterm_send(run->term, bytes);
	for (int waited = 0; waited < ANSWER_MS && ptyterm_bytes(run->term) == before;
		waited += LOOK_MS)
		ptyterm_settle(run->term, LOOK_MS);
	if (ptyterm_bytes(run->term) != before)
		ptyterm_settle(run->term, QUIET_MS);
	return ptyterm_bytes(run->term) - before;
}

static bool
run_key(struct key_run *run, const char *name, struct error *err)
{
	char bytes[KEY_BYTES];
	enum key_class class;
	if (!key_to_bytes(name, bytes) || !classify(run, name, &class))
		return error_set(err, ERROR_USAGE, "key %d of the script, %s, means nothing there",
			run->key_count + 1, name);
	uint64_t written = press(run, bytes);
	run->key_count++;
	if (run->tells_each)
		fprintf(stderr, "%4d %-10s %-8s %6llu\n", run->key_count, name, class_names[class],
			(unsigned long long)written);
	if (written > 0)
		return costs_add(&run->bytes[class], (double)written, err);
	run->unanswered++;
	return true;
}

/* ---- the script: keys with white space between, # up to the end of the line is a remark */

/* The first character of the next key, or EOF. */
static int
skip_to_key(FILE *script)
{
	bool is_remark = false;
	int c;
	while ((c = getc(script)) != EOF) {
		if (c == '#')
			is_remark = true;
		if (c == '\n')
			is_remark = false;
		if (!is_remark && !isspace(c))
			break;
	}
	return c;
}

/* The next key; false at the end. A key that is too long is cut, and so unknown. */
static bool
read_key(FILE *script, char name[KEY_BYTES])
{
	size_t length = 0;
	int c = skip_to_key(script);
	for (; c != EOF && !isspace(c); c = getc(script)) {
		if (length < KEY_BYTES - 1)
			name[length++] = (char)c;
	}
	name[length] = '\0';
	return length > 0;
}

static bool
run_script(struct key_run *run, const char *path, struct error *err)
{
	FILE *script = fopen(path, "r");
	if (script == NULL)
		return error_set(err, ERROR_IO, "%s: %s", path, strerror(errno));
	char name[KEY_BYTES];
	bool is_fine = true;
	while (is_fine && read_key(script, name))
		is_fine = run_key(run, name, err);
	fclose(script);
	return is_fine;
}

/* ---- the numbers */

static const struct {
	const char *name, *meaning;
	enum key_class class;
	int percent;
	double at_most; /* 0: no bar */
} key_numbers[] = {
	{ "key_cursor_median_bytes", "key that moves the cursor, median", KEY_CURSOR, 50, 0 },
	{ "key_cursor_p90_bytes", "key that moves the cursor, p90", KEY_CURSOR, 90, 0 },
	{ "key_cursor_worst_bytes", "key that moves the cursor, worst", KEY_CURSOR, 100,
		CURSOR_BAR },
	{ "key_span_median_bytes", "key that goes to a span, median", KEY_SPAN, 50, 0 },
	{ "key_span_p90_bytes", "key that goes to a span, p90", KEY_SPAN, 90, 0 },
	{ "key_span_worst_bytes", "key that goes to a span, worst", KEY_SPAN, 100,
		PICTURE_WORST_BAR },
	{ "key_picture_median_bytes", "key that changes the picture, median", KEY_PICTURE, 50,
		PICTURE_MEDIAN_BAR },
	{ "key_picture_p90_bytes", "key that changes the picture, p90", KEY_PICTURE, 90, 0 },
	{ "key_picture_worst_bytes", "key that changes the picture, worst", KEY_PICTURE, 100,
		PICTURE_WORST_BAR },
	{ "key_typed_median_bytes", "letter typed at a prompt, median", KEY_TYPED, 50, 0 },
};

static bool
add_results(struct key_run *run, struct bench_report *report, struct error *err)
{
	const struct bench_number counts[] = {
		{ .name = "key_count",
			.meaning = "keys pressed",
			.unit = "",
			.value = run->key_count },
		{ .name = "key_unanswered",
			.meaning = "keys that changed nothing",
			.unit = "",
			.value = run->unanswered },
	};
	bool is_fine = bench_add(report, counts, ARRAY_LENGTH(counts), err);
	for (size_t i = 0; is_fine && i < ARRAY_LENGTH(key_numbers); i++) {
		struct costs *bytes = &run->bytes[key_numbers[i].class];
		const struct bench_number number = {
			.name = key_numbers[i].name,
			.meaning = key_numbers[i].meaning,
			.unit = "bytes",
			.value = costs_percentile(bytes, key_numbers[i].percent),
			.bar = key_numbers[i].at_most > 0 ? BAR_AT_MOST : BAR_NONE,
			.limit = key_numbers[i].at_most,
		};
		is_fine = bench_add(report, &number, 1, err);
	}
	return is_fine;
}

bool
bench_keys(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	const char *argv[] = { setting->program, setting->trace, NULL };
	const struct ptyterm_options options = { .width = 80, .height = 24 };
	struct key_run run = { .context = IN_TIMELINE, .tells_each = setting->tells_each_key };
	run.term = ptyterm_start(argv, &options);
	if (run.term == NULL)
		return error_set(err, ERROR_IO, "%s did not start", setting->program);
	bool is_fine = picture_wait(run.term, true, err);
	ptyterm_settle(run.term, QUIET_MS); /* what follows is no answer to a key */
	is_fine = is_fine && run_script(&run, setting->keys, err) && add_results(&run, report, err);
	ptyterm_free(run.term);
	for (int i = 0; i < KEY_CLASS_COUNT; i++)
		costs_release(&run.bytes[i]);
	return is_fine;
}
