/* What all views share. */
#include "view/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops what a full buffer left of a character at its end. */
static void
cut_after_whole_characters(char *safe)
{
	size_t length = strlen(safe), at = 0;
	while (at < length) {
		struct text_char next = text_decode(safe + at, length - at);
		if (!next.is_valid)
			break;
		at += next.length;
	}
	safe[at] = '\0';
}

void
session_status(struct session *session, bool is_alert, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(session->status, sizeof session->status, format, args);
	va_end(args);
	cut_after_whole_characters(session->status);
	session->status_is_alert = is_alert;
}
