/* -raw: samples by the numbers of locations, which stand behind them, and of what these lie in. */
#include "base/compiler.h"
#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/pprof_text/pprof_text.h"

enum { LABEL_INDENT = 16, LINE_INDENT = 13 };

/* ---- the head, and the types */

static bool
is_blank(struct scan line)
{
	scan_blanks(&line);
	return scan_is_end(&line);
}

static enum pprof_line
take_head(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	struct sample_origin *origin = &text->trace->samples->origin;
	bool is_fine = true;
	uint64_t number;
	scan_blanks(&line);
	if (scan_text(&line, "Comment: ")) {
		string_id comment;
		is_fine = pprof_string(text, line, &comment, err) &&
			  sample_set_add_comment(text->trace->samples, comment, err);
	} else if (scan_text(&line, "PeriodType:")) {
		struct scan type = scan_word(&line), unit = scan_word(&line);
		raw->has_period = true;
		is_fine = pprof_string(text, type, &origin->period_type, err) &&
			  pprof_string(text, unit, &origin->period_unit, err);
	} else if (scan_text(&line, "Period: ")) {
		raw->has_period = true;
		if (scan_number(&line, &number))
			origin->period = (int64_t)number;
	} else if (raw->has_period && !text->forms[PPROF_TRACES] && scan_text(&line, "Samples:") && is_blank(line)) {
		raw->part = RAW_TYPES;
		text->form = PPROF_RAW;
		text->forms[PPROF_RAW] = true;
	} else {
		return PPROF_NOT_MINE;
	}
	return is_fine ? PPROF_TAKEN : PPROF_FAILED;
}

/* "samples/count cpu/nanoseconds[dflt]" */
static bool
take_types(struct pprof_text *text, struct scan line, struct error *err)
{
	struct sample_set *set = text->trace->samples;
	static const char usual[] = "[dflt]";
	bool has_usual = false;
	for (;;) {
		struct scan word = scan_word(&line);
		size_t length = sizeof usual - 1;
		string_id name, unit;
		if (scan_is_end(&word))
			break;
		bool is_usual = scan_left(&word) > length &&
				memcmp(word.end - length, usual, length) == 0;
		word.end -= is_usual ? length : 0;
		/* Behind the last slash, which does not begin the word. */
		const char *at = word.end;
		while (at > word.at && at[-1] != '/')
			at--;
		bool has_unit = at - word.at > 1;
		if (!pprof_string(text, (struct scan){ word.at, has_unit ? at - 1 : word.end }, &name, err) ||
			!pprof_string(text, (struct scan){ has_unit ? at : word.end, word.end }, &unit, err) ||
			!sample_set_add_type(set, name, unit, err))
			return false;
		/* Where none is said to be, it is the last one. */
		if (is_usual || !has_usual)
			set->usual_type = set->type_count - 1;
		has_usual = has_usual || is_usual;
	}
	text->raw.part = RAW_SAMPLES;
	return true;
}

/* ---- samples */

static bool
take_id(struct scan *line, uint64_t *id)
{
	struct scan rest = *line;
	*id = 0;
	while (scan_sees_digit(&rest))
		*id = *id * 10 + (uint64_t)(*rest.at++ - '0');
	if (rest.at == line->at || rest.at - line->at > 20)
		return false;
	*line = rest;
	return true;
}

/* "         9   90000000: 3 2 1 "; nothing is kept of a line that is none. */
static enum pprof_line
take_sample(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	unsigned types = text->trace->samples->type_count;
	size_t ids = raw->id_count;
	if (types == 0 || !array_reserve(&raw->weights, &raw->weight_capacity, raw->weight_count + types,
				  sizeof *raw->weights, err))
		return types == 0 ? PPROF_NOT_MINE : PPROF_FAILED;
	for (unsigned i = 0; i < types; i++) {
		scan_blanks(&line);
		if (!scan_signed(&line, &raw->weights[raw->weight_count + i]))
			return PPROF_NOT_MINE;
	}
	if (!scan_char(&line, ':'))
		return PPROF_NOT_MINE;
	for (scan_blanks(&line); !scan_is_end(&line); scan_blanks(&line)) {
		if (!array_reserve(&raw->ids, &raw->id_capacity, ids + 1, sizeof *raw->ids, err))
			return PPROF_FAILED;
		if (!take_id(&line, &raw->ids[ids++]))
			return PPROF_NOT_MINE;
	}
	if (!array_reserve(&raw->samples, &raw->sample_capacity, raw->sample_count + 1,
		    sizeof *raw->samples, err))
		return PPROF_FAILED;
	raw->samples[raw->sample_count++] = (struct pprof_raw_sample){ raw->id_count,
		ids - raw->id_count, raw->label_count, 0 };
	raw->id_count = ids;
	raw->weight_count += types;
	return PPROF_TAKEN;
}

static bool
add_label(struct pprof_raw *raw, struct sample_label label, struct error *err)
{
	if (!array_reserve(&raw->labels, &raw->label_capacity, raw->label_count + 1,
		    sizeof *raw->labels, err))
		return false;
	raw->labels[raw->label_count++] = label;
	raw->samples[raw->sample_count - 1].label_count++;
	return true;
}

/* "512 bytes 1024 bytes", or "1001 1004": numbers with or without units. */
static bool
take_number(struct scan *values, int64_t *number, struct scan *unit)
{
	scan_blanks(values);
	if (!scan_signed(values, number) || (!scan_is_end(values) && !scan_sees(values, ' ')))
		return false;
	*unit = scan_over(values->at, 0);
	struct scan next = *values;
	scan_blanks(&next);
	if (scan_is_end(&next) || scan_sees_digit(&next) || scan_sees(&next, '-'))
		return true;
	*unit = scan_word(values);
	return true;
}

static bool
take_values(struct pprof_text *text, struct scan key, struct scan values, struct error *err)
{
	struct sample_label label = { 0 };
	struct scan rest = values, unit;
	bool are_numbers = !is_blank(rest);
	if (!pprof_string(text, key, &label.key, err))
		return false;
	while (are_numbers && !is_blank(rest))
		are_numbers = take_number(&rest, &label.number, &unit);
	if (!are_numbers) {
		label.number = 0;
		return pprof_string(text, values, &label.text, err) && add_label(&text->raw, label, err);
	}
	while (!is_blank(values)) {
		(void)take_number(&values, &label.number, &unit);
		if (!pprof_string(text, unit, &label.unit, err) || !add_label(&text->raw, label, err))
			return false;
	}
	return true;
}

/* "tenant:[t0 both] bytes:[512 bytes]": a value may hold brackets itself. */
static enum pprof_line
take_labels(struct pprof_text *text, struct scan line, struct error *err)
{
	scan_trim(&line);
	if (text->raw.sample_count == 0 || scan_is_end(&line) || line.end[-1] != ']')
		return PPROF_NOT_MINE;
	while (!scan_is_end(&line)) {
		const char *open = scan_find(&line, ":[");
		if (open == NULL)
			return PPROF_NOT_MINE;
		struct scan key = { line.at, open }, rest = { open + 2, line.end };
		const char *close = line.end - 1;
		for (const char *at; (at = scan_find(&rest, "] ")) != NULL; rest.at = at + 1) {
			struct scan behind = { at + 2, line.end };
			struct scan word = scan_word(&behind);
			if (scan_find(&word, ":[") == NULL)
				continue;
			close = at;
			break;
		}
		if (!take_values(text, key, (struct scan){ open + 2, close }, err))
			return PPROF_FAILED;
		line.at = close + 1;
		scan_blanks(&line);
	}
	return PPROF_TAKEN;
}

/* ---- locations */

/* Takes ":12" off the end. */
static bool
take_end_number(struct scan *text, uint64_t *value)
{
	const char *at = text->end;
	while (at > text->at && at[-1] >= '0' && at[-1] <= '9')
		at--;
	struct scan digits = { at, text->end };
	if (at == text->at || at[-1] != ':' || !scan_number(&digits, value))
		return false;
	text->end = at - 1;
	return true;
}

/* Takes " s=12" and what stands behind that off the end. */
static void
take_start(struct scan *text)
{
	for (const char *at = text->end; at-- > text->at;) {
		struct scan rest = { at, text->end };
		uint64_t start;
		if (*at != ' ' || !scan_text(&rest, " s=") || !(scan_char(&rest, '-'), scan_number(&rest, &start)))
			continue;
		if (!scan_is_end(&rest) && *rest.at != '(')
			continue;
		text->end = at;
		return;
	}
}

/* "name file:line:column s=startline(system name)", in older texts without column or start. */
static bool
add_line(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	struct pprof_raw_line found = { 0 };
	uint64_t last, before;
	take_start(&line);
	struct scan file = { line.end, line.end };
	while (file.at > line.at && file.at[-1] != ' ')
		file.at--;
	if (take_end_number(&file, &last)) {
		bool has_column = take_end_number(&file, &before);
		found.line = has_column ? before : last;
		found.column = has_column && last <= UINT32_MAX ? (uint32_t)last : 0;
		line.end = file.at > line.at ? file.at - 1 : file.at;
	} else {
		file.at = file.end = line.end;
	}
	if (scan_is(&line, "??"))
		line.end = line.at;
	if (!pprof_string(text, line, &found.function, err) || !pprof_string(text, file, &found.file, err) ||
		!array_reserve(&raw->lines, &raw->line_capacity, raw->line_count + 1, sizeof found, err))
		return false;
	raw->lines[raw->line_count++] = found;
	raw->locations[raw->location_count - 1].line_count++;
	return true;
}

static enum pprof_line
take_location(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	struct pprof_raw_location location = { .first_line = raw->line_count };
	uint64_t id;
	size_t blanks = scan_blanks(&line);
	struct scan rest = line;
	if (take_id(&rest, &id) && scan_text(&rest, ": ") && scan_address(&rest, &location.address)) {
		line = rest;
		scan_char(&line, ' ');
		if (scan_text(&line, "M=") && take_id(&line, &location.mapping))
			scan_char(&line, ' ');
		(void)scan_text(&line, "[F] ");
		if (!array_reserve(&raw->locations, &raw->location_capacity, raw->location_count + 1,
			    sizeof location, err) ||
			!map_put(&raw->location_of, id, (uint32_t)raw->location_count, err))
			return PPROF_FAILED;
		raw->locations[raw->location_count++] = location;
		return scan_is_end(&line) || add_line(text, line, err) ? PPROF_TAKEN : PPROF_FAILED;
	}
	if (blanks < LINE_INDENT || raw->location_count == 0)
		return PPROF_NOT_MINE;
	return add_line(text, line, err) ? PPROF_TAKEN : PPROF_FAILED;
}

/* ---- mappings */

/* Takes what stands behind the last blank off the end if it may be that. */
static void
take_end_word(struct scan *text, bool (*is_it)(struct scan word))
{
	const char *at = text->end;
	while (at > text->at && at[-1] != ' ')
		at--;
	if (at > text->at && is_it((struct scan){ at, text->end }))
		text->end = at - 1;
}

static bool
is_flags(struct scan word)
{
	static const char *const flags[] = { "[FN]", "[FL]", "[LN]", "[IN]" };
	for (size_t i = 0; i < ARRAY_LENGTH(flags); i++)
		(void)scan_text(&word, flags[i]);
	return scan_is_end(&word);
}

static bool
is_build_id(struct scan word)
{
	while (!scan_is_end(&word) && ((*word.at >= '0' && *word.at <= '9') || (*word.at >= 'a' && *word.at <= 'f')))
		word.at++;
	return scan_is_end(&word);
}

/* "1: 0x400000/0x500000/0x0 /usr/bin/shop 5f1c0ffee [FN][FL][LN][IN]" */
static enum pprof_line
take_mapping(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	uint64_t id, place;
	string_id name;
	scan_blanks(&line);
	if (!take_id(&line, &id) || !scan_text(&line, ": ") || !scan_address(&line, &place) ||
		!scan_char(&line, '/') || !scan_address(&line, &place) || !scan_char(&line, '/') ||
		!scan_address(&line, &place))
		return PPROF_NOT_MINE;
	scan_char(&line, ' ');
	take_end_word(&line, is_flags);
	struct scan build_id = line;
	take_end_word(&line, is_build_id);
	build_id.at = line.end < build_id.end ? line.end + 1 : build_id.end;
	bool is_fine = profile_trace_name(text->trace, line, &name, err);
	if (is_fine && raw->mapping_count == 0) {
		struct sample_origin *origin = &text->trace->samples->origin;
		is_fine = pprof_string(text, scan_base_name(line), &origin->file, err) &&
			  pprof_string(text, build_id, &origin->build_id, err);
	}
	if (!is_fine || !array_reserve(&raw->mappings, &raw->mapping_capacity, raw->mapping_count + 1,
				sizeof *raw->mappings, err) ||
		!map_put(&raw->mapping_of, id, (uint32_t)raw->mapping_count, err))
		return PPROF_FAILED;
	raw->mappings[raw->mapping_count++] = name;
	return PPROF_TAKEN;
}

enum pprof_line
pprof_raw_take(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	struct scan rest = line;
	size_t blanks = scan_blanks(&rest);
	scan_trim_end(&rest);
	switch (raw->part) {
	case RAW_HEAD:
		return take_head(text, line, err);
	case RAW_TYPES:
		return take_types(text, line, err) ? PPROF_TAKEN : PPROF_FAILED;
	case RAW_SAMPLES:
		if (scan_is(&rest, "Locations")) {
			raw->part = RAW_LOCATIONS;
			return PPROF_TAKEN;
		}
		if (blanks >= LABEL_INDENT) {
			enum pprof_line labels = take_labels(text, line, err);
			if (labels != PPROF_NOT_MINE)
				return labels;
		}
		return take_sample(text, line, err);
	case RAW_LOCATIONS:
		if (scan_is(&rest, "Mappings")) {
			raw->part = RAW_MAPPINGS;
			return PPROF_TAKEN;
		}
		return take_location(text, line, err);
	case RAW_MAPPINGS:
		return take_mapping(text, line, err);
	}
	return PPROF_NOT_MINE;
}

/* ---- from locations to stacks */

/* What has no function: what it lies in, else nobody knows. */
static bool
name_location(struct pprof_text *text, const struct pprof_raw_location *location, string_id *name,
	struct error *err)
{
	const struct pprof_raw *raw = &text->raw;
	uint32_t mapping = location->mapping != 0 ? map_find(&raw->mapping_of, location->mapping) : MAP_NONE;
	if (mapping == MAP_NONE)
		return profile_trace_name(text->trace, scan_over("", 0), name, err);
	*name = raw->mappings[mapping];
	return true;
}

/* One for each of its lines, or one without a name if it has none. */
static size_t
frames_of(const struct pprof_raw_location *location)
{
	return location->line_count > 0 ? location->line_count : 1;
}

static bool
add_frames(struct pprof_text *text, const struct pprof_raw_location *location, frame_id *frames,
	struct error *err)
{
	size_t count = frames_of(location);
	for (size_t i = 0; i < count; i++) {
		struct pprof_raw_line line = { 0 };
		if (i < location->line_count)
			line = text->raw.lines[location->first_line + i];
		struct stack_frame frame = { .pc = location->address, .function = line.function,
			.file = line.file, .line = line.line, .column = line.column,
			.is_inlined = i + 1 < count };
		if ((frame.function == STRING_EMPTY && !name_location(text, location, &frame.function, err)) ||
			!stack_table_add_frame(&text->trace->stacks, &frame, &frames[i], err))
			return false;
	}
	return true;
}

/* The real function is the last of its lines, what was inlined innermost stands first. */
static bool
push_location(struct pprof_text *text, const struct pprof_raw_location *location, uint64_t *frames_left,
	stack_id *stack, struct error *err)
{
	size_t count = frames_of(location);
	if (!profile_take_frames(frames_left, count, err))
		return false;
	for (size_t i = count; i-- > 0;) {
		frame_id frame = text->raw.frames[location->first_frame + i];
		if (!stack_table_add_node(&text->trace->stacks, *stack, frame, stack, err))
			return false;
	}
	return true;
}

/* Each location has its frames behind those of the one before. A last one stands for what is missing. */
static bool
add_all_frames(struct pprof_text *text, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	size_t count = 0;
	if (!array_reserve(&raw->locations, &raw->location_capacity, raw->location_count + 1,
		    sizeof *raw->locations, err))
		return false;
	raw->locations[raw->location_count] = (struct pprof_raw_location){ 0 };
	raw->frames = array_new_unset(raw->line_count + raw->location_count + 1, sizeof *raw->frames, err);
	for (size_t i = 0; raw->frames != NULL && i <= raw->location_count; i++) {
		struct pprof_raw_location *location = &raw->locations[i];
		location->first_frame = count;
		if (!add_frames(text, location, &raw->frames[count], err))
			return false;
		count += frames_of(location);
	}
	return raw->frames != NULL;
}

bool
pprof_raw_end(struct pprof_text *text, struct error *err)
{
	struct pprof_raw *raw = &text->raw;
	struct sample_set *set = text->trace->samples;
	uint64_t frames_left = profile_frames_most(text->reader.in->offset_bytes);
	if (!add_all_frames(text, err))
		return false;
	for (size_t i = 0; i < raw->sample_count; i++) {
		const struct pprof_raw_sample *sample = &raw->samples[i];
		stack_id stack = STACK_NONE;
		for (size_t id = sample->id_count; id-- > 0;) {
			uint32_t location = map_find(&raw->location_of, raw->ids[sample->first_id + id]);
			if (location == MAP_NONE)
				location = (uint32_t)raw->location_count;
			if (!push_location(text, &raw->locations[location], &frames_left, &stack, err))
				return false;
		}
		if (!sample_set_add(set, stack, &raw->weights[i * set->type_count],
			    sample->label_count > 0 ? &raw->labels[sample->first_label] : NULL,
			    sample->label_count, err))
			return false;
	}
	if (raw->location_count == 0 && raw->id_count > 0)
		line_damage_add_end(&text->damage, &text->reader, "without locations no function has a name");
	return true;
}
