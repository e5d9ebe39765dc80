/* Text for the clipboard of the user's terminal. */
#ifndef TTRACE_TERM_CLIPBOARD_H
#define TTRACE_TERM_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

/* Writes OSC 52 with the bytes to the terminal. False if it could not be written. */
bool clipboard_send(int tty_fd, const char *bytes, size_t length);

#endif
