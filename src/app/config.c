/* Lines to words, words to the tables of options and keys. */
#include "app/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"

enum { MOST_WORDS = 5, MOST_COMPLAINTS = 20 };

/* A line cut into words; count is one more than fit where there are more. */
struct words {
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

static struct words
cut_words(char *line)
{
	struct words words = { .count = 0 };
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
take_view(const struct words *words, size_t behind, unsigned *contexts, struct error *err)
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
bind(struct config *config, const struct words *words, struct error *err)
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
unbind(struct config *config, const struct words *words, struct error *err)
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
read_line(struct config *config, char *line, size_t length, struct options *options,
	struct error *err)
{
	if (strlen(line) < length)
		return error_set(err, ERROR_USAGE, "a zero byte is no text");
	if (length > 0 && line[length - 1] == '\r')
		line[length - 1] = '\0';
	line += strspn(line, " \t");
	if (*line == '\0' || *line == '#')
		return true;
	if (!is_word(line, "bind") && !is_word(line, "unbind"))
		return set(line, options, err);
	struct words words = cut_words(line);
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
	size_t number = 0;
	struct error err;
	text_add(&config->bytes, bytes, length);
	if (config->bytes.failed) {
		error_clear(&err);
		error_set_memory(&err, "the settings");
		complain(config, number, &err);
		return;
	}
	for (size_t at = 0; at < length; number++) {
		char *line = config->bytes.bytes + at;
		const char *newline = memchr(line, '\n', length - at);
		size_t line_length = newline != NULL ? (size_t)(newline - line) : length - at;
		line[line_length] = '\0';
		error_clear(&err);
		if (!read_line(config, line, line_length, options, &err))
			complain(config, number + 1, &err);
		at += line_length + 1;
	}
}

/* ---- the file */

static void
find_path(struct config *config, const char *config_home, const char *home)
{
	if (config_home != NULL && config_home[0] == '/')
		text_format(&config->path, "%s/ttrace/config", config_home);
	else if (home != NULL && home[0] == '/')
		text_format(&config->path, "%s/.config/ttrace/config", home);
}

static bool
refuse(const struct config *config, struct error *err)
{
	return error_set(err, ERROR_USAGE, "%.200s: %s", config->path.bytes, strerror(errno));
}

static bool
read_all(const struct config *config, int fd, struct text *bytes, struct error *err)
{
	char block[4096];
	ssize_t got;
	while ((got = read(fd, block, sizeof block)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return refuse(config, err);
		text_add(bytes, block, (size_t)got);
		if (bytes->failed)
			return error_set_memory(err, "the settings");
		if (bytes->length > CONFIG_MOST_BYTES)
			return error_set(err, ERROR_LIMIT, "%.200s: is too long for a config",
				config->path.bytes);
	}
	return true;
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
	bool is_read = read_all(config, fd, &bytes, err);
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
