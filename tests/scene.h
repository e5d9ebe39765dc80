/*
 * Screens in tests: a canvas as lines of text, then its styles as letters in the
 * same places with a key to the letters, so that a golden file tells colours too.
 */
#ifndef TTRACE_TESTS_SCENE_H
#define TTRACE_TESTS_SCENE_H

#include "base/text.h"
#include "draw/canvas.h"

/* Appends text and styles of the whole canvas. */
void scene_dump(const struct canvas *canvas, struct text *out);
/* Appends the text alone. */
void scene_dump_text(const struct canvas *canvas, struct text *out);

#endif
