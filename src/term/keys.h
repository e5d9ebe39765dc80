/* Names of keys, as struct screen_event has them. */
#ifndef TTRACE_TERM_KEYS_H
#define TTRACE_TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <termkey.h>

#include "draw/screen.h"

/*
 * What the mouse did with its first button or its wheel, in cells from 0 on; false for all else.
 */
bool keys_mouse(TermKey *termkey, const TermKeyKey *key, struct screen_mouse *mouse);

/*
 * The name of a key: modifiers in the order C- M- S-, then the key. False for what is no
 * key press (answers of the terminal, unknown sequences) or has too long a name.
 */
bool keys_name(TermKey *termkey, const TermKeyKey *key, char *name, size_t size);

#endif
