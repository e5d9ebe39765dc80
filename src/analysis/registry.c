/* Finds rows of the table of analyses. */
#include "analysis/registry.h"

#include <string.h>

#include "base/compiler.h"

#define ROW(name) &name##_kind,
static const struct analysis_kind *const rows[] = { ANALYSIS_TABLE(ROW) };
#undef ROW

const struct analysis_kind *
registry_at(size_t index)
{
	return index < ARRAY_LENGTH(rows) ? rows[index] : NULL;
}

const struct analysis_kind *
registry_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (strlen(rows[i]->name) == length && memcmp(rows[i]->name, name, length) == 0)
			return rows[i];
	}
	return NULL;
}
