/* Rules for errors and rows of the damage map. */
#include "damagecheck.h"

#include <stddef.h>

const char *
damage_error_problem(const struct error *err, uint64_t last_bytes)
{
	if (err->kind != ERROR_TRUNCATED && err->kind != ERROR_FORMAT && err->kind != ERROR_ORDER &&
		err->kind != ERROR_LIMIT)
		return "the error is of a kind that no bytes can cause";
	if (err->message[0] == '\0')
		return "the error says nothing";
	if (err->offset_bytes == ERROR_NO_OFFSET)
		return "the error names no offset";
	return err->offset_bytes > last_bytes ? "the error lies behind the input" : NULL;
}

static const char *
row_problem(const struct damage *damage, uint64_t last_bytes)
{
	if (damage->from_bytes > damage->to_bytes || damage->to_bytes > last_bytes)
		return "the damage lies behind the input";
	if (damage->lost_bytes > damage->to_bytes - damage->from_bytes)
		return "more bytes are lost than are damaged";
	if (damage->from_ns > damage->blank_ns || damage->blank_ns > damage->to_ns)
		return "the times of the damage are out of order";
	if (damage->cause >= DAMAGE_CAUSE_COUNT)
		return "the damage has no cause";
	if (damage->places == 0 ? damage->cause != DAMAGE_NEWER && damage->cause != DAMAGE_REPEATED
	                        : damage->cause == DAMAGE_NEWER)
		return "the damage is in no place";
	return damage_error_problem(&damage->first, last_bytes);
}

const char *
damage_map_problem(const struct damage_map *map, uint64_t last_bytes)
{
	const char *problem = NULL;
	for (uint32_t i = 0; i < map->count && problem == NULL; i++)
		problem = row_problem(&map->rows[i], last_bytes);
	return problem;
}
