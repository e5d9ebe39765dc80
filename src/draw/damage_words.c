/* The loss first, for that is what counts where there is little room; then its cause. */
#include "draw/damage_words.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/units.h"
#include "trace/time.h"

/* ---- sums */

static void
add_places(struct text *out, uint64_t places)
{
	char count[UNITS_TEXT];
	units_count(count, places);
	text_format(out, "%s %s", count, places == 1 ? "place" : "places");
}

static void
describe_loss(struct text *out, const struct damage_map *map)
{
	uint64_t lost_bytes = damage_map_lost_bytes(map), places = damage_map_places(map);
	char lost[UNITS_TEXT];
	if (places == 0 || (lost_bytes == 0 && places == 1))
		return;
	units_bytes(lost, lost_bytes);
	text_format(out, "%s lost ", lost);
	uint64_t from_bytes = damage_map_first(map)->from_bytes;
	if (places > 1) {
		text_add_string(out, "in ");
		add_places(out, places);
		text_format(out, ", first at byte %" PRIu64 ": ", from_bytes);
	} else {
		text_format(out, "from byte %" PRIu64 " on: ", from_bytes);
	}
}

void
damage_add_first(struct text *out, const struct damage *damage, bool ascii)
{
	char cause[sizeof damage->first.message + 100];
	error_format(&damage->first, cause, sizeof cause);
	text_add_safe(out, cause, strlen(cause), ascii);
}

void
damage_describe(struct text *out, const struct damage_map *map, bool ascii)
{
	describe_loss(out, map);
	damage_add_first(out, damage_map_first(map), ascii);
}

void
damage_add_sum(struct text *out, const struct damage_map *map)
{
	char lost[UNITS_TEXT];
	uint64_t lost_bytes = damage_map_lost_bytes(map);
	if (damage_map_places(map) == 0) {
		text_add_string(out, "none");
		return;
	}
	add_places(out, damage_map_places(map));
	units_bytes(lost, lost_bytes);
	if (lost_bytes > 0)
		text_format(out, ", %s lost", lost);
}

/* ---- one place */

void
damage_add_bytes(struct text *out, const struct damage *damage)
{
	char lost[UNITS_TEXT];
	if (damage->lost_bytes == 0) {
		text_format(out, "at byte %" PRIu64, damage->from_bytes);
		return;
	}
	units_bytes(lost, damage->lost_bytes);
	text_format(out, "bytes %" PRIu64 " to %" PRIu64 " (%s)", damage->from_bytes,
		damage->to_bytes, lost);
}

/* As finely as both ends need, but not finer than a row of the screen can tell apart. */
static int64_t
step_of(int64_t from_ns, int64_t to_ns, int64_t end_ns)
{
	enum { FINEST = 10000 };
	int64_t step_ns = (to_ns - from_ns) / 10, least_ns = end_ns / FINEST + 1;
	return step_ns > least_ns ? step_ns : least_ns;
}

/* Up to where, unless what follows tells. */
static void
add_partial(struct text *out, const struct damage *damage, bool is_followed, int64_t end_ns,
	struct time_form form)
{
	char from[UNITS_TEXT], to[UNITS_TEXT];
	int64_t span_ns = end_ns > 0 ? end_ns : 1;
	int64_t step_ns = step_of(damage->from_ns, damage->blank_ns, end_ns);
	time_form_write(from, form, damage->from_ns, step_ns, span_ns);
	time_form_write(to, form, damage->blank_ns, step_ns, span_ns);
	text_format(out, "not all from %s", from);
	if (!is_followed)
		text_format(out, " to %s", to);
}

static void
add_blank(struct text *out, const struct damage *damage, int64_t end_ns, struct time_form form)
{
	char from[UNITS_TEXT], to[UNITS_TEXT];
	bool is_open = damage->to_ns == TIME_OPEN;
	int64_t to_ns = is_open ? end_ns : damage->to_ns, span_ns = end_ns > 0 ? end_ns : 1;
	int64_t step_ns = step_of(damage->blank_ns, to_ns, end_ns);
	time_form_write(from, form, damage->blank_ns, step_ns, span_ns);
	time_form_write(to, form, to_ns, step_ns, span_ns);
	if (is_open)
		text_format(out, "nothing after %s", from);
	else if (strcmp(from, to) == 0)
		text_format(out, "nothing at %s", from);
	else
		text_format(out, "nothing from %s to %s", from, to);
}

/* Behind a partial stretch, an empty one that is not worth a cell is not worth a word. */
static bool
is_blank_told(const struct damage *damage, struct viewport within, bool has_partial, int64_t end_ns)
{
	if (damage_extent(damage, within.t0_ns, within.t1_ns) != DAMAGE_BLANK)
		return false;
	return !has_partial || damage->to_ns == TIME_OPEN ||
	       damage->to_ns - damage->blank_ns >=
		       step_of(damage->from_ns, damage->to_ns, end_ns);
}

void
damage_add_time(struct text *out, const struct damage *damage, struct viewport within,
	int64_t end_ns, struct time_form form)
{
	bool has_partial = damage->from_ns < damage->blank_ns && damage->from_ns < within.t1_ns &&
			   damage->blank_ns > within.t0_ns;
	bool has_blank = is_blank_told(damage, within, has_partial, end_ns);
	if (has_partial)
		add_partial(out, damage, has_blank, end_ns, form);
	if (has_partial && has_blank)
		text_add_string(out, ", ");
	if (has_blank)
		add_blank(out, damage, end_ns, form);
}

void
damage_add_generations(struct text *out, const struct damage *damage)
{
	uint64_t first = damage->first_generation, last = damage->last_generation;
	if (first == last && first > 0)
		text_format(out, "generation %" PRIu64, first);
	else if (first > 0)
		text_format(out, "generations %" PRIu64 " to %" PRIu64, first, last);
}

void
damage_add_counts(struct text *out, const struct damage *damage)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} counts[] = {
		{ damage->dropped_events, "event dropped", "events dropped" },
		{ damage->ended_batches, "batch ended early", "batches ended early" },
		{ damage->skipped_numbers, "sequence number skipped", "sequence numbers skipped" },
		{ damage->moved_times, "wrong time corrected", "wrong times corrected" },
		{ damage->guessed_ends, "end time guessed", "end times guessed" },
		{ damage->unknown_states, "state unknown", "states unknown" },
	};
	const char *before = "";
	for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
		char count[UNITS_TEXT];
		if (counts[i].count == 0)
			continue;
		units_count(count, counts[i].count);
		text_format(out, "%s%s %s", before, count,
			counts[i].count == 1 ? counts[i].one : counts[i].many);
		before = ", ";
	}
}

void
damage_add_warning(struct text *out, const struct damage *damage, struct viewport within,
	int64_t end_ns, struct time_form form)
{
	damage_add_time(out, damage, within, end_ns, form);
	text_format(out, "; likely: %s", damage_cause_words(damage->cause));
}

/* ---- words and glyphs */

const char *
damage_word(const struct damage_map *map)
{
	if (damage_map_places(map) > 0)
		return "damaged";
	return damage_map_first(map)->cause == DAMAGE_NEWER ? "newer format" : "repeated batches";
}

const char *
damage_cause_words(enum damage_cause cause)
{
	switch (cause) {
	case DAMAGE_NEVER_STOPPED:
		return "never stopped: program ended or died";
	case DAMAGE_DISK_FULL:
		return "disk full, or unwritten buffer";
	case DAMAGE_CUT:
		return "incomplete copy, or killed writer";
	case DAMAGE_ZEROED:
		return "crash, or copy with holes";
	case DAMAGE_MISSING:
		return "a stretch of the file left out";
	case DAMAGE_CHANGED:
		return "bytes of the file changed";
	case DAMAGE_DISORDER:
		return "events lost, or bytes changed";
	case DAMAGE_JOINED:
		return "two traces in one file";
	case DAMAGE_REPEATED:
		return "Go wrote old buffers once more";
	case DAMAGE_NEWER:
		return "a newer version of Go";
	case DAMAGE_CAUSE_COUNT:
		break;
	}
	return "";
}

const char *
damage_glyph(const struct canvas *canvas, enum damage_extent extent)
{
	static const char *const glyphs[][2] = {
		[DAMAGE_NONE] = { " ", " " },
		[DAMAGE_PARTIAL] = { "░", "/" },
		[DAMAGE_BLANK] = { "▒", "#" },
	};
	return glyphs[extent][canvas->ascii];
}
