/*
 * The config: settings and keys of the user's, a line each.
 *
 *     # a comment
 *     palette = light            an option of the command line; "no-pager = on" where it is a flag
 *     bind x zoom-in             a key, wherever the command applies
 *     bind timeline C-e down     in one view
 *     unbind [VIEW] Q
 *
 * A wrong line is told of, with its number, and left out; the others hold.
 */
#ifndef TTRACE_APP_CONFIG_H
#define TTRACE_APP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "app/keys.h"
#include "app/options.h"
#include "base/error.h"
#include "base/text.h"

/* Far more than anybody writes: what is longer is no config. */
enum { CONFIG_MOST_BYTES = 1 << 20 };

/* Zero-initialised, then config_init(). May not be moved. */
struct config {
	struct text path;       /* of the file, "" for none */
	struct text bytes;      /* of the file, cut into words; options and keys point into them */
	struct key_editor keys; /* what the keys mean */
	struct text complaints; /* "PATH:3: what is wrong", a line each; may hold anything */
	size_t complaint_count;
};

void config_init(struct config *config);
void config_release(struct config *config);

/*
 * Finds the file that --config names, else the one in the user's config folder
 * (config_home: $XDG_CONFIG_HOME, home: $HOME; NULL where unset), and reads it. False and err if
 * it is there but cannot be read, or was named and is not there.
 */
bool config_load(struct config *config, const char *config_home, const char *home,
	struct options *options, struct error *err);

/* Takes in the text of a file. */
void config_read(
	struct config *config, const char *bytes, size_t length, struct options *options);

/* Appends all settings and keys as they hold, in a form that config_read() takes. */
void config_print(const struct config *config, const struct options *options, struct text *out);

#endif
