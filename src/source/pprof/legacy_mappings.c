/* What addresses lie in: the first mapping of those that have one, found in a sorted array. */
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "source/pprof/legacy.h"

/* ---- lines */

/* With or without "0x". */
static bool
take_hex(struct scan *line, uint64_t *value)
{
	scan_text(line, "0x");
	return scan_hex(line, value);
}

static struct scan
take_word(struct scan *line)
{
	legacy_blanks(line);
	struct scan word = { line->at, line->at };
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	word.end = line->at;
	return word;
}

static bool
is_permissions(struct scan word)
{
	for (; word.at < word.end; word.at++) {
		if (*word.at == '\0' || strchr("-rwxps", *word.at) == NULL)
			return false;
	}
	return true;
}

bool
legacy_add_mapping(struct legacy *legacy, struct scan line, struct error *err)
{
	struct intern *strings = &legacy->pprof->trace->strings;
	struct legacy_mapping mapping = { 0 };
	uint64_t number;
	scan_trim(&line);
	if (!take_hex(&line, &mapping.start) || !(scan_char(&line, '-') || scan_char(&line, ' ')) ||
		!take_hex(&line, &mapping.limit))
		return true;
	scan_char(&line, ':');
	struct scan rest = line, word = take_word(&rest);
	if (!scan_is_end(&word) && is_permissions(word)) {
		if (memchr(word.at, 'x', scan_left(&word)) == NULL)
			return true;
		struct scan behind = rest, offset = take_word(&behind);
		line = rest;
		if (take_hex(&offset, &number) && scan_is_end(&offset)) {
			take_word(&behind); /* the device and the inode */
			take_word(&behind);
			line = behind;
		}
	}
	struct scan file = take_word(&line);
	take_word(&line); /* where in the file it begins */
	struct scan build = take_word(&line);
	if (!intern_add(strings, file.at, scan_left(&file), &mapping.file, err) ||
		!intern_add(strings, build.at, scan_left(&build), &mapping.build_id, err) ||
		!array_reserve(&legacy->mappings, &legacy->mapping_capacity,
			legacy->mapping_count + 1, sizeof *legacy->mappings, err))
		return false;
	legacy->mappings[legacy->mapping_count++] = mapping;
	return true;
}

/* ---- by address */

static int
compare_segments(const void *left, const void *right)
{
	const struct legacy_segment *a = left, *b = right;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* How many begin at that address or before. */
static size_t
segments_until(const struct legacy *legacy, uint64_t address)
{
	size_t low = 0, high = legacy->segment_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (legacy->segments[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first one from there on that is in no mapping so far; the way to it becomes shorter. */
static size_t
next_free(struct legacy_segment *segments, size_t at)
{
	while (segments[at].next != at) {
		segments[at].next = segments[segments[at].next].next;
		at = segments[at].next;
	}
	return at;
}

/* All bounds of mappings in order, each once. */
static bool
add_segments(struct legacy *legacy, struct error *err)
{
	size_t count = 0, bounds = 2 * legacy->mapping_count;
	struct legacy_segment *segments = array_new(bounds, sizeof *segments, err);
	struct sort sort = { segments, bounds, sizeof *segments, compare_segments };
	legacy->segments = segments;
	if (segments == NULL)
		return false;
	for (size_t i = 0; i < bounds; i++) {
		const struct legacy_mapping *mapping = &legacy->mappings[i / 2];
		segments[i].start = i % 2 == 0 ? mapping->start : mapping->limit;
	}
	if (!sort_items(&sort, legacy->pprof->is_cancelled, err))
		return false;
	for (size_t i = 0; i < bounds; i++) {
		if (count > 0 && segments[i].start == segments[count - 1].start)
			continue;
		segments[count] = segments[i];
		segments[count].next = count;
		count++;
	}
	legacy->segment_count = count;
	return true;
}

bool
legacy_end_mappings(struct legacy *legacy, struct error *err)
{
	if (!add_segments(legacy, err))
		return false;
	struct legacy_segment *segments = legacy->segments;
	for (size_t i = 0; i < legacy->mapping_count; i++) {
		const struct legacy_mapping *mapping = &legacy->mappings[i];
		size_t at = next_free(segments, segments_until(legacy, mapping->start) - 1);
		/* The last segment begins with the greatest limit, and is in none. */
		for (; segments[at].start < mapping->limit; at = next_free(segments, at)) {
			segments[at].mapping = mapping;
			segments[at].next = at + 1;
		}
	}
	return true;
}

const struct legacy_mapping *
legacy_mapping_of(const struct legacy *legacy, uint64_t address)
{
	size_t until = segments_until(legacy, address);
	return until > 0 ? legacy->segments[until - 1].mapping : NULL;
}
