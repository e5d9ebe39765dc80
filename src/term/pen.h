/*
 * The pen: the colours and attributes that the terminal writes in. Each change of colour costs
 * more bytes than a character does, so only what differs is sent.
 */
#ifndef TTRACE_TERM_PEN_H
#define TTRACE_TERM_PEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/palette.h"
#include "term/terminfo.h"

enum { PEN_COLORS = 256, PEN_COLOR_BYTES = 26 };

/* The sequence that sets a colour, made when it was first asked for. */
struct pen_color {
	uint32_t color;
	uint8_t length; /* 0: none was made */
	char bytes[PEN_COLOR_BYTES];
};

/* Zero-initialised, then pen_init(). */
struct pen {
	const struct terminfo *info;
	struct palette_look look;                     /* what is set */
	struct pen_color colors[2][PEN_COLORS]; /* of text and ground, by the low bits */
};

/* A pen for a terminal on which nothing is set. */
void pen_init(struct pen *pen, const struct terminfo *info);
/* Adds the bytes that make what is written next look so. */
void pen_take(struct pen *pen, struct palette_look look, struct text *out);
/* The same for a blank: of text that is not there nothing is changed. */
void pen_take_blank(struct pen *pen, struct palette_look look, struct text *out);
/* Nothing is set any more. */
void pen_lay_down(struct pen *pen, struct text *out);

/* Whether two looks are the same on a blank. */
bool pen_same_blank(struct palette_look a, struct palette_look b);

#endif
