/*
 * Reads the command line by a table: a row has the option's names, its help, and
 * the function that checks its value and stores it.
 */
#include "app/options.h"

#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/units.h"

struct option;

/* Checks the value (NULL where the option takes none) and stores it. */
typedef bool (*store_function)(
	const struct option *option, const char *value, struct options *options, struct error *err);

struct option {
	struct option_row row;
	store_function store;
	size_t offset;            /* of the field within struct options */
	size_t has_offset;        /* of the flag beside it; 0 where it has none */
	size_t clock_offset;      /* of the text of a time of day; 0 where it takes none */
	const char *const *words; /* allowed, in the order of their enum, NULL at the end */
	int least, most;          /* of a number */
};

static const char *const report_words[] = { "summary", "lanes", "goroutine", NULL };
static const char *const dump_words[] = {
	"wire", "parsed", "parsed,go1.23", "footprint", NULL
};
static const char *const json_words[] = {
	"proc", "thread", "goroutine", "task", "focustask", NULL
};
static const char *const format_words[] = { "text", "ansi", "svg", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };
static const char *const charset_words[] = { "auto", "utf8", "ascii", NULL };
static const char *const time_words[] = { "relative", "wall", NULL };
static const char *const palette_words[] = { "dark", "light", NULL };

static void *
field_of(struct options *options, size_t offset)
{
	return (char *)options + offset;
}

static void
set_flag(struct options *options, size_t offset)
{
	bool *flag = field_of(options, offset);
	*flag = true;
}

static bool
store_flag(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	(void)value;
	(void)err;
	set_flag(options, option->offset);
	return true;
}

/* An unsigned decimal number of at most `most`; false for anything else. */
static bool
read_number(const char *text, int64_t most, int64_t *number)
{
	int64_t result = 0;
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9')
			return false;
		int64_t digit = *text - '0';
		if (result > (most - digit) / 10)
			return false;
		result = result * 10 + digit;
	}
	*number = result;
	return true;
}

static bool
store_number(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	int64_t number;
	if (!read_number(value, option->most, &number) || number < option->least)
		return error_set(err, ERROR_USAGE, "--%s=%s: wanted a whole number from %d to %d",
			option->row.name, value, option->least, option->most);
	int *field = field_of(options, option->offset);
	*field = (int)number;
	return true;
}

/* "42", or "G42" as the screen writes it. */
static bool
read_goroutine(const char *text, int64_t *id)
{
	if (*text == 'G' || *text == 'g')
		text++;
	return read_number(text, INT64_MAX, id) && *id > 0;
}

/* `text` is the part of the value that names the goroutine. */
static bool
take_goroutine(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	int64_t id;
	if (!read_goroutine(text, &id))
		return error_set(err, ERROR_USAGE,
			"--%s=%s: wanted the number of a goroutine, such as 42 or G42",
			option->row.name, value);
	if (options->has_goroutine && options->goroutine != id)
		return error_set(err, ERROR_USAGE, "--%s=%s: another goroutine was named before it",
			option->row.name, value);
	options->goroutine = id;
	options->has_goroutine = true;
	return true;
}

static bool
store_goroutine(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	return take_goroutine(option, value, value, options, err);
}

static bool
store_time(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	struct error cause;
	error_clear(&cause);
	int64_t time_ns = 0;
	bool is_clock = option->clock_offset != 0 && clock_is_meant(value);
	if (is_clock ? !clock_parse(value, CLOCK_LEAST_NS, &time_ns, &cause)
		     : !units_parse_duration(value, &time_ns, &cause)) {
		return error_set(err, ERROR_USAGE,
			"--%s=%s: %s; wanted a time such as 1.2s, 350ms or 12us%s", option->row.name,
			value, cause.message, option->clock_offset != 0 ? ", or 15:04:05.123" : "");
	}
	if (option->clock_offset != 0) {
		const char **clock = field_of(options, option->clock_offset);
		*clock = is_clock ? value : NULL;
	}
	if (time_ns < option->least)
		return error_set(err, ERROR_USAGE, "--%s=%s: must be %s", option->row.name, value,
			option->least == 0 ? "0 (the start of the trace) or later"
					   : "longer than 0");
	int64_t *field = field_of(options, option->offset);
	*field = is_clock ? 0 : time_ns;
	set_flag(options, option->has_offset);
	return true;
}

/* Writes "summary, lanes or goroutine" and the like. */
static void
list_words(const char *const *words, char *out, size_t size)
{
	struct text list = { 0 };
	for (size_t i = 0; words[i] != NULL; i++) {
		if (i > 0)
			text_add_string(&list, words[i + 1] == NULL ? " or " : ", ");
		text_add_string(&list, words[i]);
	}
	size_t length = list.length < size ? list.length : size - 1;
	if (length > 0)
		memcpy(out, list.bytes, length);
	out[length] = '\0';
	text_release(&list);
}

/* The index of the word that is text[0..length), -1 for none. */
static int
find_word(const char *const *words, const char *text, size_t length)
{
	for (int i = 0; words[i] != NULL; i++) {
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
			return i;
	}
	return -1;
}

static bool
refuse_word(const struct option *option, const char *value, struct error *err)
{
	char allowed[120];
	list_words(option->words, allowed, sizeof allowed);
	return error_set(err, ERROR_USAGE, "--%s=%s: wanted %s", option->row.name, value, allowed);
}

static bool
store_word(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	int word = find_word(option->words, value, strlen(value));
	if (word < 0)
		return refuse_word(option, value, err);
	int *field = field_of(options, option->offset);
	*field = word;
	return true;
}

/* "summary", "lanes", "goroutine" (with --goroutine) or "goroutine:42". */
static bool
store_report(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	const char *colon = strchr(value, ':');
	size_t length = colon != NULL ? (size_t)(colon - value) : strlen(value);
	int word = find_word(option->words, value, length);
	if (word < 0)
		return refuse_word(option, value, err);
	options->report = word + 1; /* the words follow REPORT_NONE */
	if (colon == NULL)
		return true;
	if (options->report != REPORT_GOROUTINE)
		return error_set(err, ERROR_USAGE, "--%s=%s: %.*s takes nothing after a colon",
			option->row.name, value, (int)length, value);
	return take_goroutine(option, value, colon + 1, options, err);
}

static bool
store_dump(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (!store_word(option, value, options, err))
		return false;
	options->dump++; /* the words follow DUMP_OF_NOTHING */
	return true;
}

/* The part of "json:goroutine=42" behind the equals sign. */
static bool
take_export_id(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	if (options->export == DUMP_JSON_GOROUTINE && read_goroutine(text, &options->export_id))
		return true;
	if (options->export != DUMP_JSON_GOROUTINE &&
		read_number(text, INT64_MAX, &options->export_id) && options->export_id > 0)
		return true;
	bool is_goroutine = options->export == DUMP_JSON_GOROUTINE;
	return error_set(err, ERROR_USAGE, "--%s=%s: wanted the number of a %s, such as %s",
		option->row.name, value, is_goroutine ? "goroutine" : "task",
		is_goroutine ? "42 or G42" : "42");
}

/* "json", "json:thread", "json:goroutine=42" and the like. */
static bool
store_export(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	size_t form = strcspn(value, ":");
	if (form != strlen("json") || memcmp(value, "json", form) != 0)
		return error_set(err, ERROR_USAGE, "--%s=%s: wanted json or json:MODE",
			option->row.name, value);
	options->has_export = true;
	options->export = DUMP_JSON_PROC;
	if (value[form] == '\0')
		return true;
	const char *text = value + form + 1;
	size_t mode = strcspn(text, "=");
	int word = find_word(json_words, text, mode);
	if (word < 0) {
		char allowed[120];
		list_words(json_words, allowed, sizeof allowed);
		return error_set(err, ERROR_USAGE, "--%s=%s: behind the colon wanted %s",
			option->row.name, value, allowed);
	}
	options->export = (enum dump_json_view)word;
	bool wants_id = options->export >= DUMP_JSON_GOROUTINE;
	if (wants_id && text[mode] == '\0')
		return error_set(err, ERROR_USAGE, "--%s=%s: which one? wanted --%s=%s=ID",
			option->row.name, value, option->row.name, value);
	if (!wants_id && text[mode] != '\0')
		return error_set(err, ERROR_USAGE, "--%s=%s: %s takes nothing behind it",
			option->row.name, value, json_words[word]);
	return !wants_id || take_export_id(option, value, text + mode + 1, options, err);
}

static bool
store_output(
	const struct option *option, const char *value, struct options *options, struct error *err)
{
	if (*value == '\0')
		return error_set(err, ERROR_USAGE, "--%s: the name is empty", option->row.name);
	options->output = value;
	return true;
}

#define FIELD(name) .offset = offsetof(struct options, name)
#define TIME_FIELD(name)                                                                           \
	.offset = offsetof(struct options, name##_ns),                                             \
	.has_offset = offsetof(struct options, has_##name), .store = store_time
#define MOMENT_FIELD(name) TIME_FIELD(name), .clock_offset = offsetof(struct options, name##_clock)
#define WORDS(name) FIELD(name), .words = name##_words, .store = store_word
#define FLAG(name) FIELD(name), .store = store_flag

static const struct option table[] = {
	{ { "goroutine", 'g', "ID", "start on this goroutine and what touched it" },
		.store = store_goroutine },
	{ { "at", 'a', "TIME", "put the cursor there: 1.2s, 350ms, 15:04:05.123" },
		MOMENT_FIELD(at) },
	{ { "interval", 'i', "DURATION", "show so much around --at or after --from" },
		TIME_FIELD(interval), .least = 1 },
	{ { "from", 0, "TIME", "show the time from there on" }, MOMENT_FIELD(from) },
	{ { "to", 0, "TIME", "show the time up to there" }, MOMENT_FIELD(to) },
	{ { "time", 0, "CLOCK", "tell times relative to the start, or by wall clock" },
		WORDS(time) },
	{ { "report", 'r', "NAME", "print a report: summary, lanes, goroutine:ID" },
		.store = store_report, .words = report_words },
	{ { "dump", 0, "FORM", "print events: wire, parsed[,go1.23], footprint" },
		FIELD(dump), .store = store_dump, .words = dump_words },
	{ { "export", 0, "FORM", "for Perfetto: json[:thread|:goroutine=ID|:task=ID]" },
		.store = store_export },
	{ { "strict", 0, NULL, "end a damaged trace where Go's own reader stops" }, FLAG(strict) },
	{ { "load-only", 0, NULL, "load the trace and print what that took" }, FLAG(load_only) },
	{ { "output", 'o', "FILE", "write a dump or export there, do not print it" },
		.store = store_output },
	{ { "format", 'f', "FORMAT", "of a report: text; of lanes also ansi, svg" },
		WORDS(format) },
	{ { "width", 'w', "COLUMNS", "of what is printed; else the terminal's, or 100" },
		FIELD(width_cells), .store = store_number, .least = OPTION_MIN_WIDTH,
		.most = OPTION_MAX_WIDTH },
	{ { "height", 0, "ROWS", "how many rows of lanes to print at most" }, FIELD(height_cells),
		.store = store_number, .least = OPTION_MIN_HEIGHT, .most = OPTION_MAX_HEIGHT },
	{ { "color", 0, "WHEN", "auto (on a terminal), always, never" }, WORDS(color) },
	{ { "charset", 0, "CHARSET", "auto (by the locale), utf8, ascii" }, WORDS(charset) },
	{ { "palette", 0, "NAME", "colours for a dark or a light ground: dark, light" },
		WORDS(palette) },
	{ { "no-pager", 0, NULL, "print a report on the terminal itself" }, FLAG(no_pager) },
	{ { "help", 'h', NULL, "print this and end" }, FLAG(help) },
	{ { "version", 'V', NULL, "print the version and end" }, FLAG(version) },
};

const struct option_row *
options_row(size_t index)
{
	return index < ARRAY_LENGTH(table) ? &table[index].row : NULL;
}

/* Steps (a letter more, less or another) from one name to the other; names are short. */
static size_t
distance_between(const char *a, size_t a_length, const char *b)
{
	enum { LONGEST = 31 };
	size_t b_length = strlen(b), row[LONGEST + 1];
	if (a_length > LONGEST || b_length > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t changed = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
			row[j] = changed < shorter + 1 ? changed : shorter + 1;
		}
	}
	return row[b_length];
}

/* The option that was probably meant, NULL when none is near. */
static const char *
nearest_name(const char *name, size_t length)
{
	const char *nearest = NULL;
	size_t least = length < 4 ? 2 : 4; /* as many steps are too far */
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		const char *candidate = table[i].row.name;
		if (length > 0 && strncmp(candidate, name, length) == 0)
			return candidate;
		size_t distance = distance_between(name, length, candidate);
		if (distance >= least)
			continue;
		least = distance;
		nearest = candidate;
	}
	return nearest;
}

static bool
refuse_unknown(const char *name, size_t length, struct error *err)
{
	const char *nearest = nearest_name(name, length);
	if (nearest == NULL)
		return error_set(err, ERROR_USAGE, "there is no option --%.*s; --help shows all",
			(int)length, name);
	return error_set(err, ERROR_USAGE, "there is no option --%.*s; did you mean --%s?",
		(int)length, name, nearest);
}

/* Where we are in argv. */
struct arguments {
	int count, next; /* argv[next] was not looked at yet */
	char *const *values;
	struct options *options;
};

/* Carries out one option; value is what stands joined to it, NULL for nothing. */
static bool
take_option(struct arguments *arguments, const struct option *option, const char *value,
	struct error *err)
{
	const char *name = option->row.name;
	if (option->row.argument == NULL && value != NULL)
		return error_set(err, ERROR_USAGE, "--%s=%s: takes no value", name, value);
	if (option->row.argument != NULL && value == NULL) {
		if (arguments->next == arguments->count)
			return error_set(err, ERROR_USAGE, "--%s: wanted --%s=%s", name, name,
				option->row.argument);
		value = arguments->values[arguments->next++];
	}
	return option->store(option, value, arguments->options, err);
}

/* `text` stands behind the two dashes. */
static bool
take_long(struct arguments *arguments, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		const char *name = table[i].row.name;
		if (strlen(name) == length && memcmp(name, text, length) == 0)
			return take_option(
				arguments, &table[i], equals != NULL ? equals + 1 : NULL, err);
	}
	return refuse_unknown(text, length, err);
}

static const struct option *
find_letter(char letter)
{
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		if (table[i].row.letter == letter)
			return &table[i];
	}
	return NULL;
}

/* Letters behind one dash; the first that takes a value takes the rest of them. */
static bool
take_letters(struct arguments *arguments, const char *letters, struct error *err)
{
	for (; *letters != '\0'; letters++) {
		const struct option *option = find_letter(*letters);
		if (option == NULL)
			return error_set(err, ERROR_USAGE,
				"there is no option -%c; --help shows all", *letters);
		bool takes_value = option->row.argument != NULL;
		const char *value = takes_value && letters[1] != '\0' ? letters + 1 : NULL;
		if (!take_option(arguments, option, value, err))
			return false;
		if (takes_value)
			return true;
	}
	return true;
}

static bool
take_file(struct options *options, const char *file, struct error *err)
{
	if (options->file != NULL)
		return error_set(err, ERROR_USAGE,
			"one trace at a time, but both %s and %s are named", options->file, file);
	if (*file == '\0')
		return error_set(err, ERROR_USAGE, "the name of the trace is empty");
	options->file = file;
	return true;
}

static bool
take_arguments(struct arguments *arguments, struct error *err)
{
	struct options *options = arguments->options;
	bool only_files = false;
	while (arguments->next < arguments->count && !options->help && !options->version) {
		const char *text = arguments->values[arguments->next++];
		bool is_fine;
		if (only_files || text[0] != '-' || text[1] == '\0')
			is_fine = take_file(options, text, err);
		else if (strcmp(text, "--") == 0)
			is_fine = only_files = true;
		else if (text[1] == '-')
			is_fine = take_long(arguments, text + 2, err);
		else
			is_fine = take_letters(arguments, text + 1, err);
		if (!is_fine)
			return false;
	}
	return true;
}

/* Such times are compared when the trace is known. */
static bool
has_clock(const struct options *options)
{
	return options->at_clock != NULL || options->from_clock != NULL ||
	       options->to_clock != NULL;
}

bool
options_check_times(const struct options *options, struct error *err)
{
	if (options->has_from && options->has_to && options->has_interval)
		return error_set(err, ERROR_USAGE,
			"--interval: --from and --to say it already; leave one of the three out");
	if (options->has_from && options->has_to && options->from_ns >= options->to_ns)
		return error_set(err, ERROR_USAGE, "--to must be later than --from");
	if (options->has_at && options->has_from && options->at_ns < options->from_ns)
		return error_set(err, ERROR_USAGE, "--at lies before --from");
	if (options->has_at && options->has_to && options->at_ns >= options->to_ns)
		return error_set(err, ERROR_USAGE, "--at must lie before --to");
	bool is_outside =
		options->has_at && options->has_interval &&
		((options->has_from && options->at_ns - options->from_ns >= options->interval_ns) ||
			(options->has_to &&
				options->to_ns - options->at_ns > options->interval_ns));
	if (is_outside)
		return error_set(err, ERROR_USAGE, "--at lies outside of the --interval");
	return true;
}

static bool
check_report(const struct options *options, struct error *err)
{
	if (options->format != FORMAT_TEXT && options->report != REPORT_LANES)
		return error_set(err, ERROR_USAGE, "--format=%s: only with --report=lanes",
			format_words[options->format]);
	if (options->report == REPORT_GOROUTINE && !options->has_goroutine)
		return error_set(err, ERROR_USAGE,
			"--report=goroutine: which one? wanted --report=goroutine:ID");
	if (options->report == REPORT_SUMMARY && options->has_goroutine)
		return error_set(err, ERROR_USAGE,
			"--report=summary: is of the whole trace, not of one goroutine");
	return true;
}

static bool
check_stream(const struct options *options, struct error *err)
{
	if (!options_stream(options)) {
		if (options->output == NULL)
			return true;
		return error_set(err, ERROR_USAGE, "--output: only with --dump or --export");
	}
	const char *name = options->dump != DUMP_OF_NOTHING ? "dump" : "export";
	if (options->dump != DUMP_OF_NOTHING && options->has_export)
		return error_set(err, ERROR_USAGE, "--dump and --export: one at a time");
	if (options->report != REPORT_NONE)
		return error_set(err, ERROR_USAGE, "--%s and --report: one at a time", name);
	if (options->has_goroutine)
		return error_set(err, ERROR_USAGE,
			"--%s: is of the whole trace, not of one goroutine%s", name,
			options->has_export ? "; --export=json:goroutine=ID is" : "");
	if (has_clock(options))
		return error_set(err, ERROR_USAGE,
			"--%s: takes times since the start of the trace, such as 1.2s", name);
	if (options->has_at && !options->has_interval)
		return error_set(err, ERROR_USAGE, "--%s: of --at it needs the --interval", name);
	return true;
}

static bool
check_load_only(const struct options *options, struct error *err)
{
	bool is_alone = options->report == REPORT_NONE && !options_stream(options) &&
			!options->has_goroutine;
	if (!options->load_only || is_alone)
		return true;
	return error_set(err, ERROR_USAGE, "--load-only: shows nothing of the trace, so "
					   "nothing else can be asked for");
}

bool
options_print(const struct options *options)
{
	return options->report != REPORT_NONE || options->load_only || options_stream(options);
}

bool
options_stream(const struct options *options)
{
	return options->dump != DUMP_OF_NOTHING || options->has_export;
}

bool
options_parse(int argc, char *const *argv, struct options *options, struct error *err)
{
	*options = (struct options){ 0 };
	struct arguments arguments = { argc, 1, argv, options };
	if (!take_arguments(&arguments, err))
		return false;
	if (options->help || options->version)
		return true;
	return (has_clock(options) || options_check_times(options, err)) &&
	       check_report(options, err) &&
	       check_stream(options, err) && check_load_only(options, err);
}

const struct palette *
options_palette(const struct options *options)
{
	return palette_find(palette_words[options->palette]);
}

const char *
options_usage(void)
{
	return "usage: ttrace [OPTION...] [FILE]";
}

static void
add_row(struct text *out, const struct option_row *row)
{
	enum { HELP_COLUMN = 29 };
	size_t start = out->length;
	if (row->letter != 0)
		text_format(out, "  -%c, ", row->letter);
	else
		text_add_string(out, "      ");
	text_format(out, "--%s", row->name);
	if (row->argument != NULL)
		text_format(out, "=%s", row->argument);
	size_t used = out->length - start;
	text_format(
		out, "%*s%s\n", used < HELP_COLUMN ? (int)(HELP_COLUMN - used) : 1, "", row->help);
}

void
options_add_help(struct text *out)
{
	text_format(out, "%s\n\n", options_usage());
	text_add_string(out,
		"Shows the Go execution trace FILE (- or nothing: standard input) on the\n"
		"terminal; where standard output is none, prints it. The trace may be binary or\n"
		"text, and compressed with gzip or zstd.\n\n");
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		add_row(out, &table[i].row);
	text_add_string(out,
		"\nA TIME counts from the start of the trace, or is a time of day. Exit status:\n"
		"0 fine, 1 the trace cannot be used, 2 wrong usage, 3 shown but damaged, 4 the\n"
		"answer is no. "
		"The keys: ? within the program, and man ttrace.\n");
}
