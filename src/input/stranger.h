/*
 * What a file that is no trace seems to be, told by its first bytes: files that
 * somebody could give us by mistake, such as a profile, a program, or the error
 * page that came in place of a download.
 */
#ifndef TTRACE_INPUT_STRANGER_H
#define TTRACE_INPUT_STRANGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	STRANGER_HEAD_BYTES = 4096, /* how many bytes are looked at */
	STRANGER_NAME_BYTES = 240,  /* room for the longest name */
};

/*
 * Writes what it is, as "an ELF program or library" or "an HTML page: "502 Bad Gateway"",
 * safe for a terminal; false when that cannot be told, as of no bytes at all.
 */
bool stranger_name(const uint8_t *bytes, size_t size, char name[STRANGER_NAME_BYTES]);

#endif
