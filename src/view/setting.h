/*
 * What a page is set to otherwise than at first, as words that --page-set takes: "sort=-3",
 * "search=main". Only for view/ and app/.
 */
#ifndef TTRACE_VIEW_SETTING_H
#define TTRACE_VIEW_SETTING_H

#include <stdbool.h>
#include <stdint.h>

/* Who is told of them; the words are good for the time of the call. */
struct setting_sink {
	void (*add)(void *context, const char *setting);
	void *context;
};

void setting_tell(const struct setting_sink *sink, const char *name, const char *value);
void setting_tell_number(const struct setting_sink *sink, const char *name, int64_t number);

/* The value of a setting of that name; NULL where it is another one. */
const char *setting_value(const char *setting, const char *name);
/* The same of a number from least to most, and nothing else; false for another one. */
bool setting_number(const char *setting, const char *name, int64_t least, int64_t most,
                    int64_t *number);
/* Reads a decimal number; *end is what stands behind it. False where there is none so large. */
bool setting_read_number(const char *text, int64_t least, int64_t most, int64_t *number,
                         const char **end);

#endif
