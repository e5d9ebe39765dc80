/* The registry in words. */
#include "app/sources.h"

#include <string.h>

#include "source/source.h"

static void
add_member(struct text *out, const char *key, const char *value)
{
	text_format(out, "\"%s\":\"", key);
	text_add_json(out, value, strlen(value));
	text_add_string(out, "\"");
}

static void
add_json(struct text *out, const struct source *source)
{
	text_add_string(out, "{");
	add_member(out, "source", source->name);
	text_add_string(out, ",");
	add_member(out, "recognised_by", source->recognised_by);
	text_add_string(out, ",");
	add_member(out, "answers", source->answers);
	text_add_string(out, "}\n");
}

void
sources_add(struct text *out, bool is_json)
{
	const struct source *source;
	for (size_t i = 0; (source = source_row(i)) != NULL; i++) {
		if (is_json)
			add_json(out, source);
		else
			text_format(out, "%s\n  recognised by  %s\n  answers        %s\n",
				source->name, source->recognised_by, source->answers);
	}
}
