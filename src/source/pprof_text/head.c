/* "File: load" and the like, which stand before every report but some of which may be missing. */
#include <stdio.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "source/pprof_text/pprof_text.h"
#include "trace/ready.h"

bool
pprof_string(struct pprof_text *text, struct scan bytes, string_id *id, struct error *err)
{
	return intern_add(&text->trace->strings, bytes.at, scan_left(&bytes), id, err);
}

int64_t
pprof_time(struct scan text)
{
	char stamp[UNITS_TEXT];
	struct error err;
	int64_t time_ns = 0;
	struct scan date = scan_word(&text), time = scan_word(&text), zone = scan_word(&text);
	struct scan hours = zone, minutes = zone;
	/* "+0100" is +01:00. */
	if (scan_left(&zone) == 5 && (scan_sees(&zone, '+') || scan_sees(&zone, '-')))
		hours.end = minutes.at = zone.at + 3;
	else if (scan_is(&zone, "UTC"))
		minutes.at = minutes.end;
	else
		return 0;
	if (scan_left(&date) + scan_left(&time) + scan_left(&zone) + 4 > sizeof stamp)
		return 0;
	snprintf(stamp, sizeof stamp, "%.*s %.*s %.*s%s%.*s", (int)scan_left(&date), date.at,
		(int)scan_left(&time), time.at, (int)scan_left(&hours), hours.at,
		scan_is_end(&minutes) ? "" : ":", (int)scan_left(&minutes), minutes.at);
	error_clear(&err);
	return clock_parse(stamp, 0, &time_ns, &err) ? time_ns : 0;
}

static int64_t
duration_of(struct scan text)
{
	struct pprof_value value;
	char bytes[UNITS_TEXT];
	struct error err;
	int64_t duration_ns = 0;
	const char *comma = memchr(text.at, ',', scan_left(&text));
	if (comma != NULL)
		text.end = comma;
	struct scan rest = text;
	if (pprof_value_read(&rest, &value) && scan_is_end(&rest) && value.family == PPROF_TIME)
		return pprof_value_round(&value);
	/* Go's own form: "1m30" for what is longer. */
	snprintf(bytes, sizeof bytes, "%.*s", scan_left(&text) < 20 ? (int)scan_left(&text) : 20, text.at);
	error_clear(&err);
	return units_parse_duration(bytes, &duration_ns, &err) ? duration_ns : 0;
}

static bool
add_note(struct pprof_text *text, const char *key, struct scan value, struct error *err)
{
	string_id key_id, value_id;
	return pprof_string(text, scan_over(key, strlen(key)), &key_id, err) &&
	       pprof_string(text, value, &value_id, err) &&
	       ready_add_note(text->trace->ready, key_id, value_id, err);
}

/* What the profile's origin has a place for. */
static bool
note_origin(struct pprof_text *text, const char *key, struct scan value, struct error *err)
{
	struct sample_origin *origin = &text->trace->samples->origin;
	if (strcmp(key, "File") == 0)
		return pprof_string(text, value, &origin->file, err);
	if (strcmp(key, "Build ID") == 0)
		return pprof_string(text, value, &origin->build_id, err);
	if (strcmp(key, "Doc") == 0)
		return pprof_string(text, value, &origin->doc, err);
	if (strcmp(key, "Type") == 0)
		return pprof_string(text, value, &text->type, err);
	if (strcmp(key, "Time") == 0)
		origin->time_ns = pprof_time(value);
	else if (strcmp(key, "Duration") == 0)
		origin->duration_ns = duration_of(value);
	return true;
}

/* "Showing nodes accounting for 1.17s, 100% of 1.17s total" */
static bool
take_shown(struct pprof_text *text, struct scan line, struct error *err)
{
	const char *of = scan_find(&line, " of ");
	struct scan total = { of != NULL ? of + 4 : line.end, line.end };
	if (of == NULL)
		return add_note(text, "shown", line, err);
	if (scan_left(&total) > 6 && memcmp(total.end - 6, " total", 6) == 0)
		total.end -= 6;
	return add_note(text, "shown", (struct scan){ line.at, of }, err) &&
	       add_note(text, "total", total, err);
}

enum pprof_line
pprof_head_take(struct pprof_text *text, struct scan line, struct error *err)
{
	static const struct {
		const char *begin, *key;
	} keys[] = {
		{ "File: ", "File" },
		{ "Build ID: ", "Build ID" },
		{ "Type: ", "Type" },
		{ "Doc: ", "Doc" },
		{ "Time: ", "Time" },
		{ "Duration: ", "Duration" },
		{ "Dropped ", "dropped" },
		{ "Showing top ", "top" },
	};
	size_t blanks = scan_blanks(&line);
	bool is_filter = text->has_filters && blanks >= 3 && scan_find(&line, "=") != NULL;
	text->has_filters = is_filter;
	if (is_filter)
		return add_note(text, "filter", line, err) ? PPROF_TAKEN : PPROF_FAILED;
	if (scan_text(&line, "Showing nodes accounting for "))
		return take_shown(text, line, err) ? PPROF_TAKEN : PPROF_FAILED;
	if (scan_is(&line, "Active filters:")) {
		text->has_filters = true;
		return PPROF_TAKEN;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		if (!scan_text(&line, keys[i].begin))
			continue;
		scan_trim_end(&line);
		return note_origin(text, keys[i].key, line, err) && add_note(text, keys[i].key, line, err)
			       ? PPROF_TAKEN
			       : PPROF_FAILED;
	}
	return PPROF_NOT_MINE;
}
