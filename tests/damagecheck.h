/*
 * What holds of any account of damage, whoever tells it of whatever bytes. Without a test
 * library, since the fuzzers ask too.
 */
#ifndef TTRACE_TESTS_DAMAGECHECK_H
#define TTRACE_TESTS_DAMAGECHECK_H

#include <stdint.h>

#include "trace/damage.h"

/*
 * Where what was wrong may be when the trace is packed, of which nobody knows the size
 * unpacked: anywhere.
 */
#define DAMAGE_ANYWHERE (UINT64_MAX - 1)

/* Both say what is wrong, NULL for nothing; last_bytes is the place behind all bytes. */
const char *damage_error_problem(const struct error *err, uint64_t last_bytes);
const char *damage_map_problem(const struct damage_map *map, uint64_t last_bytes);

#endif
