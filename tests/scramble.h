/* Pictures without sense, the same from the same seed, to compare a screen with. */
#ifndef TTRACE_TESTS_SCRAMBLE_H
#define TTRACE_TESTS_SCRAMBLE_H

#include <stdint.h>

#include "draw/canvas.h"

enum { SCRAMBLE_TOP = 4 }; /* rows above are left alone, and so is the last one */

/*
 * Puts runs of cells of any look in random places: bars, lines, letters, wide characters and
 * blanks. From an even seed it moves rows up or down first, and puts only a few.
 */
void scramble(struct canvas *canvas, uint64_t seed);

#endif
