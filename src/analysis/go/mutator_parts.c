/* Words of parts. */
#include "analysis/go/mutator_parts.h"

#include <string.h>

#include "base/compiler.h"

static const struct mutator_part_words table[] = {
	{ "stw", MUTATOR_STW, "stop-the-world" },
	{ "background", MUTATOR_BACKGROUND, "background workers" },
	{ "assist", MUTATOR_ASSIST, "assists" },
	{ "sweep", MUTATOR_SWEEP, "sweeping" },
	{ "proc", MUTATOR_PER_PROCESSOR, "each {processor} for itself" },
	{ "as-go", MUTATOR_AS_GO, "as Go's page counts" },
};

const struct mutator_part_words *
mutator_part_words(size_t index)
{
	return index < ARRAY_LENGTH(table) ? &table[index] : NULL;
}

bool
mutator_parts_parse(const char *words, unsigned *parts)
{
	*parts = 0;
	for (;;) {
		size_t length = strcspn(words, ","), i = 0;
		while (i < ARRAY_LENGTH(table) && (strlen(table[i].word) != length ||
							  memcmp(table[i].word, words, length) != 0))
			i++;
		if (i == ARRAY_LENGTH(table))
			return false;
		*parts |= table[i].part;
		if (words[length] == '\0')
			return true;
		words += length + 1;
	}
}

void
mutator_parts_add(struct text *out, unsigned parts)
{
	const char *comma = "";
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		if ((parts & table[i].part) == 0)
			continue;
		text_format(out, "%s%s", comma, table[i].word);
		comma = ",";
	}
}
