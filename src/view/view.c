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

void
session_go_to(struct session *session, int cells, int64_t t_ns)
{
	struct viewport viewport = session->viewport;
	session->cursor_ns = t_ns;
	if (viewport.t0_ns <= t_ns && t_ns < viewport.t1_ns)
		return;
	int64_t middle_ns = viewport.t0_ns + viewport_span(viewport) / 2;
	session->viewport =
		viewport_pan(viewport, cells, t_ns - middle_ns, session->trace->end_ns);
}
