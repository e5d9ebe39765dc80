/* Pictures without sense, the same from the same seed, to compare a screen with. */
#ifndef TTRACE_TESTS_SCRAMBLE_H
#define TTRACE_TESTS_SCRAMBLE_H

#include <stdint.h>

#include "draw/canvas.h"

enum { SCRAMBLE_TOP = 4 }; /* rows above are left alone, and so is the last one */

/*
 * Puts runs of cells of any look in random places: bars, lines, letters, wide characters and
 * blanks. From two seeds of three it moves rows up or down first, or their ends left or right, and
 * puts only a few; wide characters come from eight of sixteen seeds.
 */
void scramble(struct canvas *canvas, uint64_t seed);

#endif
