/* Asking the terminal for the colour of its ground (OSC 11). */
#ifndef TTRACE_TERM_GROUND_H
#define TTRACE_TERM_GROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GROUND_BYTES = 256 };

struct ground {
	bool is_known;
	uint32_t rgb;            /* 0xRRGGBB */
	bool is_complete;        /* the terminal has said all that it was asked */
	char rest[GROUND_BYTES]; /* what else came: keys, and what is not complete */
	size_t rest_length;
};

/*
 * Takes the answers out of what came from the terminal, GROUND_BYTES at most. Never looks beyond
 * the bytes.
 */
void ground_read(struct ground *ground, const char *bytes, size_t length);

/* Asks, and waits until the terminal has answered, but no longer than 100 ms. */
void ground_ask(struct ground *ground, int tty_fd, int keyboard_fd);

#endif
