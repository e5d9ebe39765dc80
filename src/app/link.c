/* Rows to names and back, and words for a shell. */
#include "app/link.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/units.h"

/* ---- rows */

static const struct {
	const char *name;
	enum lane_type type;
} single_rows[] = { { "all", LANE_ALL }, { "gc", LANE_GC }, { "stw", LANE_STW } };

static void
add_single(struct text *out, enum lane_type type)
{
	for (size_t i = 0; i < ARRAY_LENGTH(single_rows); i++) {
		if (single_rows[i].type == type)
			text_add_string(out, single_rows[i].name);
	}
}

void
link_add_row(struct text *out, const struct trace *trace, struct lane lane)
{
	size_t length;
	const char *name;
	switch (lane.type) {
	case LANE_GOROUTINE:
		text_format(out, "G%" PRId64, trace_goroutine(trace, lane.ref)->id);
		return;
	case LANE_PROC:
		text_format(out, "P%" PRId64, trace_proc(trace, lane.ref)->id);
		return;
	case LANE_THREAD:
		text_format(out, "M%" PRId64, trace_thread(trace, lane.ref)->id);
		return;
	case LANE_GROUP:
		name = trace_text(trace, trace->groups[lane.ref].name, &length);
		text_add(out, name, length);
		return;
	case LANE_ALL:
	case LANE_GC:
	case LANE_STW:
	case LANE_TYPE_COUNT:
		add_single(out, lane.type);
		return;
	}
}

/* The number behind a letter; false for anything else. */
static bool
read_id(const char *digits, int64_t *id)
{
	*id = 0;
	if (*digits == '\0')
		return false;
	for (; *digits >= '0' && *digits <= '9'; digits++) {
		if (*id > (INT64_MAX - 9) / 10)
			return false;
		*id = *id * 10 + (*digits - '0');
	}
	return *digits == '\0';
}

static bool
find_proc(const struct trace *trace, int64_t id, uint32_t *ref)
{
	for (*ref = 0; *ref < trace_proc_count(trace); (*ref)++) {
		if (trace_proc(trace, *ref)->id == id)
			return true;
	}
	return false;
}

static bool
find_thread(const struct trace *trace, int64_t id, uint32_t *ref)
{
	for (*ref = 0; *ref < trace_thread_count(trace); (*ref)++) {
		if (trace_thread(trace, *ref)->id == id)
			return true;
	}
	return false;
}

static bool
find_by_id(const struct trace *trace, char letter, int64_t id, struct lane *lane)
{
	switch (letter) {
	case 'G':
		*lane = (struct lane){ LANE_GOROUTINE, trace_find_goroutine(trace, id) };
		return lane->ref != REF_NONE;
	case 'P':
		lane->type = LANE_PROC;
		return find_proc(trace, id, &lane->ref);
	case 'M':
		lane->type = LANE_THREAD;
		return find_thread(trace, id, &lane->ref);
	}
	return false;
}

static bool
find_group(const struct trace *trace, const char *name, struct lane *lane)
{
	for (group_ref ref = 0; ref < trace->group_count; ref++) {
		size_t length;
		const char *text = trace_text(trace, trace->groups[ref].name, &length);
		if (length != strlen(name) || memcmp(text, name, length) != 0)
			continue;
		/* A group of one has no row but that of its member. */
		*lane = trace->groups[ref].count == 1
				? (struct lane){ LANE_GOROUTINE,
					  trace->group_members[trace->groups[ref].first] }
				: (struct lane){ LANE_GROUP, ref };
		return true;
	}
	return false;
}

bool
link_find_row(const struct trace *trace, const char *name, struct lane *lane)
{
	int64_t id;
	for (size_t i = 0; i < ARRAY_LENGTH(single_rows); i++) {
		if (strcmp(single_rows[i].name, name) == 0) {
			*lane = (struct lane){ single_rows[i].type, 0 };
			return true;
		}
	}
	if (*name != '\0' && strchr("GPM", *name) != NULL && read_id(name + 1, &id))
		return find_by_id(trace, *name, id, lane);
	return find_group(trace, name, lane);
}

/* ---- words for a shell */

static const char plain_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_-+=./:,@%";

/* Whether a terminal or a shell that is handed the bytes may take some for a command. */
static bool
has_controls(const char *word)
{
	for (; *word != '\0'; word++) {
		unsigned char byte = (unsigned char)*word;
		if (byte < ' ' || byte >= 0x7f)
			return true;
	}
	return false;
}

/* $'...', in which every byte that is not plain has its number. */
static void
add_escaped(struct text *out, const char *word)
{
	text_add_string(out, "$'");
	for (; *word != '\0'; word++) {
		if (strchr(plain_bytes, *word) != NULL || *word == ' ')
			text_add(out, word, 1);
		else
			text_format(out, "\\%03o", (unsigned)(unsigned char)*word);
	}
	text_add_string(out, "'");
}

void
link_add_word(struct text *out, const char *word)
{
	if (*word != '\0' && strspn(word, plain_bytes) == strlen(word)) {
		text_add_string(out, word);
		return;
	}
	if (has_controls(word)) {
		add_escaped(out, word);
		return;
	}
	text_add_string(out, "'");
	for (; *word != '\0'; word++)
		text_add_string(out, *word == '\'' ? "'\\''" : (char[2]){ *word, '\0' });
	text_add_string(out, "'");
}

/* ---- the command line */

static void
add_time(struct text *out, const char *option, int64_t time_ns)
{
	char time[UNITS_TEXT];
	units_option_time(time, time_ns, 1);
	text_format(out, " --%s=%s", option, time);
}

static void
add_row_option(struct text *out, const struct session *session)
{
	struct text row = { 0 };
	link_add_row(&row, session->trace, session->lane);
	if (row.length > 0 && strlen(row.bytes) == row.length) {
		text_add_string(out, " --row=");
		link_add_word(out, row.bytes);
	}
	text_release(&row);
}

/* What begins with a dash would be taken for an option. */
static void
add_file(struct text *out, const char *file)
{
	text_add_string(out, " ");
	if (file == NULL) {
		text_add_string(out, "-");
		return;
	}
	if (*file == '-')
		text_add_string(out, "./");
	link_add_word(out, file);
}

void
link_add_command(struct text *out, const struct session *session, goroutine_ref focus,
	bool is_strict, const char *file)
{
	text_add_string(out, "ttrace");
	add_time(out, "from", session->viewport.t0_ns);
	add_time(out, "to", session->viewport.t1_ns);
	add_time(out, "at", session->cursor_ns);
	if (focus != REF_NONE)
		text_format(out, " --goroutine=%" PRId64,
			trace_goroutine(session->trace, focus)->id);
	if (session->has_lane)
		add_row_option(out, session);
	if (session->filter_mode != FILTER_OFF && session->filter_text.length > 0) {
		text_add_string(out, " --query=");
		link_add_word(out, session->filter_text.bytes);
	}
	if (session->is_wall)
		text_add_string(out, " --time=wall");
	if (is_strict)
		text_add_string(out, " --strict");
	add_file(out, file);
}
