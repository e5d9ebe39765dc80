/* A title and the rectangle that follows it are a frame. */
#include <inttypes.h>

#include "base/memory.h"
#include "source/common/xml.h"
#include "source/flamegraph_svg/frames.h"

enum { TAGS_PER_LOOK = 4096, ERROR_BYTES = 200 };

struct reading {
	struct flame_frames *frames;
	struct xml xml;
	bool is_in_title, has_title, is_in_text;
	size_t title;      /* where the last one begins in `titles` */
	size_t svg_depth;  /* open svg elements */
	size_t group_depth; /* open groups */
	uint64_t damaged;  /* tags that were, as far as they were told */
	uint64_t cut_bytes; /* from where on there is nothing whole, if this is the end */
};

void
flame_frames_release(struct flame_frames *frames)
{
	memory_free(frames->items);
	text_release(&frames->titles);
	text_release(&frames->error);
}

static void
add_damage(struct flame_frames *frames, uint64_t from, uint64_t to, enum damage_cause cause,
	const char *what)
{
	struct damage row = { .from_bytes = from, .to_bytes = to, .lost_bytes = to - from,
		.cause = cause };
	error_set_at(&row.first, ERROR_FORMAT, from, "%s", what);
	damage_map_add(&frames->damage, &row);
	frames->damaged++;
}

/* "12.34%" or "12.34"; FLAME_NONE for anything else. */
static int64_t
length_of(struct scan text, bool *is_percent)
{
	int64_t value;
	bool is_negative = scan_char(&text, '-');
	if (!scan_decimal(&text, FLAME_DECIMALS, &value))
		return FLAME_NONE;
	*is_percent = scan_char(&text, '%');
	return !scan_is_end(&text) ? FLAME_NONE : is_negative ? -value : value;
}

static int64_t
samples_of(struct scan text)
{
	uint64_t value;
	return scan_number(&text, &value) && scan_is_end(&text) ? (int64_t)value : FLAME_NONE;
}

static bool
add_frame(struct reading *reading, struct error *err)
{
	struct flame_frames *frames = reading->frames;
	struct scan attributes = reading->xml.attributes, name, value;
	struct flame_frame frame = { .title = reading->title,
		.title_length = frames->titles.length - reading->title,
		.x = FLAME_NONE, .y = FLAME_NONE, .width = FLAME_NONE, .height = FLAME_NONE,
		.from = FLAME_NONE, .weight = FLAME_NONE, .count = FLAME_NONE };
	struct flame_title title = { 0 };
	bool is_percent;
	while (xml_attribute(&attributes, &name, &value)) {
		if (scan_is(&name, "x"))
			frame.x = length_of(value, &frame.is_percent);
		else if (scan_is(&name, "y"))
			frame.y = length_of(value, &is_percent);
		else if (scan_is(&name, "width"))
			frame.width = length_of(value, &is_percent);
		else if (scan_is(&name, "height"))
			frame.height = length_of(value, &is_percent);
		else if (scan_is(&name, "fg:x"))
			frame.from = samples_of(value);
		else if (scan_is(&name, "fg:w"))
			frame.weight = samples_of(value);
	}
	reading->has_title = false;
	/* The drawing may have a title itself, before its background. */
	if (reading->group_depth == 0 && frame.weight == FLAME_NONE &&
		!flame_title_read(&title, text_string(&frames->titles) + frame.title, frame.title_length))
		return true;
	bool has_place = (frame.x != FLAME_NONE && frame.width != FLAME_NONE && frame.width >= 0) ||
			 (frame.from != FLAME_NONE && frame.weight != FLAME_NONE);
	if (frame.y == FLAME_NONE || !has_place) {
		add_damage(frames, reading->xml.from_bytes, reading->xml.to_bytes, DAMAGE_CHANGED,
			"a frame without a place");
		return true;
	}
	if (!array_reserve(&frames->items, &frames->capacity, frames->count + 1, sizeof frame, err))
		return false;
	frames->items[frames->count++] = frame;
	return true;
}

static void
read_svg(struct reading *reading)
{
	struct scan attributes = reading->xml.attributes, name, value;
	reading->frames->has_svg = true;
	reading->svg_depth += !reading->xml.is_empty;
	while (xml_attribute(&attributes, &name, &value))
		if (scan_is(&name, "total_samples"))
			reading->frames->total_samples = samples_of(value);
}

static bool
take_open(struct reading *reading, struct error *err)
{
	const struct xml *xml = &reading->xml;
	reading->is_in_title = reading->is_in_text = false;
	if (xml_is(xml, "svg")) {
		read_svg(reading);
	} else if (xml_is(xml, "title")) {
		/* Of one without a rectangle there is no use. */
		if (reading->has_title)
			reading->frames->titles.length = reading->title;
		reading->title = reading->frames->titles.length;
		reading->has_title = true;
		reading->is_in_title = !xml->is_empty;
	} else if (xml_is(xml, "rect")) {
		return !reading->has_title || add_frame(reading, err);
	} else if (xml_is(xml, "text")) {
		reading->is_in_text = true;
	} else if (xml_is(xml, "g")) {
		reading->group_depth += !xml->is_empty;
		reading->has_title = false;
	}
	return true;
}

/* What is drawn where there is nothing to draw. */
static void
note_error(struct reading *reading)
{
	struct scan text = reading->xml.text, rest;
	struct text *error = &reading->frames->error;
	scan_trim(&text);
	rest = text;
	if (error->length > 0 || !scan_text(&rest, "ERROR:"))
		return;
	if (scan_left(&text) > ERROR_BYTES)
		text.end = text.at + ERROR_BYTES;
	xml_decode(error, text);
}

/* False once the drawing is over. */
static bool
take_piece(struct reading *reading, bool *is_over, struct error *err)
{
	const struct xml *xml = &reading->xml;
	switch (xml->kind) {
	case XML_OPEN:
		return take_open(reading, err);
	case XML_CLOSE:
		reading->is_in_title = reading->is_in_text = false;
		if (xml_is(xml, "svg") && reading->svg_depth > 0)
			reading->svg_depth--;
		else if (xml_is(xml, "g") && reading->group_depth > 0)
			reading->group_depth--;
		*is_over = reading->svg_depth == 0 && reading->frames->count > 0;
		return true;
	case XML_TEXT:
		if (reading->is_in_title)
			xml_decode(&reading->frames->titles, xml->text);
		else if (reading->is_in_text)
			note_error(reading);
		break;
	case XML_RAW:
		if (scan_find(&xml->text, "inverted = true") != NULL)
			reading->frames->says_inverted = true;
		break;
	case XML_END:
		*is_over = true;
		if (reading->svg_depth > 0 && reading->frames->count > 0)
			add_damage(reading->frames, reading->cut_bytes, xml->from_bytes, DAMAGE_CUT,
				"it ends within the drawing");
		break;
	}
	return !reading->frames->titles.failed || error_set_memory(err, "the frames");
}

static void
note_damage(struct reading *reading)
{
	const struct xml *xml = &reading->xml;
	reading->cut_bytes = xml->from_bytes;
	if (xml->damaged == reading->damaged)
		return;
	reading->damaged = xml->damaged;
	/* The last one was cut. */
	if (xml->kind == XML_END && xml->last_damaged.to_bytes == xml->from_bytes) {
		reading->cut_bytes = xml->last_damaged.from_bytes;
		return;
	}
	add_damage(reading->frames, xml->last_damaged.from_bytes, xml->last_damaged.to_bytes,
		DAMAGE_CHANGED, "a tag without an end");
}

/* What stands before the drawing is anybody's text. */
static bool
find_drawing(struct input *in, struct error *err)
{
	const char begin[] = "<svg";
	for (;;) {
		const uint8_t *bytes;
		size_t got;
		if (!input_peek(in, INPUT_BUFFER_BYTES, &bytes, &got, err))
			return false;
		struct scan text = scan_over((const char *)bytes, got);
		const char *at = scan_find(&text, begin);
		if (at != NULL || got < INPUT_BUFFER_BYTES) {
			input_take(in, at != NULL ? (size_t)(at - text.at) : got);
			return true;
		}
		input_take(in, got - (sizeof begin - 2));
	}
}

bool
flame_frames_read(struct flame_frames *frames, struct input *in, struct progress *progress,
	struct error *err)
{
	struct reading reading = { .frames = frames };
	bool is_over = false, is_fine = find_drawing(in, err);
	frames->total_samples = FLAME_NONE;
	xml_init(&reading.xml, in);
	for (uint64_t i = 1; is_fine && !is_over; i++) {
		is_fine = xml_next(&reading.xml, err);
		if (!is_fine)
			break;
		note_damage(&reading);
		is_fine = take_piece(&reading, &is_over, err);
		if (i % TAGS_PER_LOOK == 0 && progress != NULL)
			atomic_store(&progress->done_bytes, in->offset_bytes);
	}
	xml_release(&reading.xml);
	return is_fine;
}
