/* Lines to words, words to the tables of options and keys. */
#include "app/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/userfolder.h"
#include "base/descriptor.h"
#include "base/text_lines.h"

enum { MOST_WORDS = 5, MOST_COMPLAINTS = 20 };

/* A line cut into words; count is one more than fit where there are more. */
struct config_words {
	char *items[MOST_WORDS];
	size_t count;
};

void
config_init(struct config *config)
{
	keys_edit(&config->keys);
}

void
config_release(struct config *config)
{
	text_release(&config->path);
	text_release(&config->bytes);
	text_release(&config->complaints);
}

/* ---- keys */

static struct config_words
cut_words(char *line)
{
	struct config_words words = { .count = 0 };
	for (line += strspn(line, " \t"); *line != '\0'; line += strspn(line, " \t")) {
		if (words.count == MOST_WORDS) {
			words.count++;
			break;
		}
		words.items[words.count++] = line;
		line += strcspn(line, " \t");
		if (*line != '\0')
			*line++ = '\0';
	}
	return words;
}

/* Takes a view from between the first word and the last ones, of which there are `behind`. */
static bool
take_view(const struct config_words *words, size_t behind, unsigned *contexts, struct error *err)
{
	*contexts = IN_ANY;
	if (words->count == 1 + behind)
		return true;
	if (words->count != 2 + behind)
		return error_set(err, ERROR_USAGE, behind == 2 ? "wanted bind [VIEW] KEY COMMAND"
							       : "wanted unbind [VIEW] KEY");
	if (keys_find_context(words->items[1], contexts))
		return true;
	return error_set(err, ERROR_USAGE, "there is no view %.80s", words->items[1]);
}

static bool
bind(struct config *config, const struct config_words *words, struct error *err)
{
	unsigned contexts;
	if (!take_view(words, 2, &contexts, err))
		return false;
	const char *key = words->items[words->count - 2], *name = words->items[words->count - 1];
	enum command command = command_find(name, strlen(name));
	if (command == COMMAND_COUNT)
		return error_set(err, ERROR_USAGE, "there is no command %.80s", name);
	contexts &= command_row(command)->contexts;
	if (contexts == 0)
		return error_set(err, ERROR_USAGE, "%s does nothing in the %s", name,
			words->items[1]);
	return keys_bind(&config->keys, key, command, contexts, err);
}

static bool
unbind(struct config *config, const struct config_words *words, struct error *err)
{
	unsigned contexts;
	return take_view(words, 1, &contexts, err) &&
	       keys_unbind(&config->keys, words->items[words->count - 1], contexts, err);
}

/* ---- options */

/* "NAME", "NAME = VALUE"; a value may have blanks within. */
static bool
set(char *line, struct options *options, struct error *err)
{
	char *name = line + strspn(line, " \t"), *value = NULL;
	size_t length = strcspn(name, " \t=");
	char *equals = name + length + strspn(name + length, " \t");
	if (length == 0 || (*equals != '\0' && *equals != '='))
		return error_set(err, ERROR_USAGE,
			"wanted OPTION = VALUE, bind [VIEW] KEY COMMAND or unbind [VIEW] KEY");
	if (*equals == '=') {
		value = equals + 1 + strspn(equals + 1, " \t");
		size_t end = strlen(value);
		while (end > 0 && (value[end - 1] == ' ' || value[end - 1] == '\t'))
			end--;
		value[end] = '\0';
	}
	name[length] = '\0';
	return options_set(options, name, value, err);
}

/* ---- lines */

static bool
is_word(const char *line, const char *word)
{
	size_t length = strlen(word);
	return strncmp(line, word, length) == 0 &&
	       (line[length] == '\0' || line[length] == ' ' || line[length] == '\t');
}

static bool
read_line(struct config *config, char *line, struct options *options, struct error *err)
{
	line += strspn(line, " \t");
	if (!is_word(line, "bind") && !is_word(line, "unbind"))
		return set(line, options, err);
	struct config_words words = cut_words(line);
	return line[0] == 'b' ? bind(config, &words, err) : unbind(config, &words, err);
}

static void
complain(struct config *config, size_t number, const struct error *err)
{
	config->complaint_count++;
	if (config->complaint_count <= MOST_COMPLAINTS)
		text_format(&config->complaints, "%s:%zu: %s\n",
			config->path.length > 0 ? config->path.bytes : "config", number,
			err->message);
}

void
config_read(struct config *config, const char *bytes, size_t length, struct options *options)
{
	struct error err;
	error_clear(&err);
	text_add(&config->bytes, bytes, length);
	if (config->bytes.failed) {
		error_set_memory(&err, "the settings");
		complain(config, 0, &err);
		return;
	}
	struct text_lines lines = { .bytes = config->bytes.bytes, .length = length };
	char *line;
	while (text_lines_next(&lines, &line, &err)) {
		if (err.kind != ERROR_NONE || !read_line(config, line, options, &err))
			complain(config, lines.number, &err);
		error_clear(&err);
	}
}

/* ---- the file */

static void
find_path(struct config *config, const char *config_home, const char *home)
{
	if (userfolder_add(&config->path, config_home, home, ".config"))
		text_add_string(&config->path, "/config");
}

static bool
refuse(const struct config *config, struct error *err)
{
	const char *why = errno == EFBIG ? "is too long for a config" : strerror(errno);
	return error_set(err, ERROR_USAGE, "%.200s: %s", config->path.bytes, why);
}

bool
config_load(struct config *config, const char *config_home, const char *home,
	struct options *options, struct error *err)
{
	bool is_named = options->config != NULL;
	if (is_named)
		text_add_string(&config->path, options->config);
	else
		find_path(config, config_home, home);
	if (config->path.failed)
		return error_set_memory(err, "the name of the config");
	if (config->path.length == 0)
		return true;
	int fd = open(config->path.bytes, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return (!is_named && (errno == ENOENT || errno == ENOTDIR)) || refuse(config, err);
	struct text bytes = { 0 };
	bool is_read = descriptor_read_all(fd, CONFIG_MOST_BYTES, &bytes) || refuse(config, err);
	close(fd);
	if (is_read && bytes.length > 0)
		config_read(config, bytes.bytes, bytes.length, options);
	text_release(&bytes);
	return is_read;
}

/* ---- printing */

void
config_print(const struct config *config, const struct options *options, struct text *out)
{
	text_format(out, "# What ttrace goes by, as %s may say it.\n\n",
		config->path.length > 0 ? config->path.bytes : "a config");
	for (size_t i = 0; options_add_setting(options, i, out); i++)
		continue;
	text_add_string(out, "\n# What the keys mean; the first of a command is shown as a hint.\n");
	keys_print(&config->keys, out);
}
