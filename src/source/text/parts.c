/* Asks all sources of stretches of lines, and makes these shorter as long as no point is lost. */
#include "source/text/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/common/scan.h"
#include "source/source.h"

/* Where the lines of a text begin, and one more where it ends. */
struct text_lines {
	const char *bytes;
	size_t *starts;
	size_t count, capacity;
};

/* Lines [from, until) that a source claims. */
struct claim {
	const struct source *source;
	size_t from, until;
	unsigned points;
};

static bool
find_lines(struct text_lines *lines, const struct document *document, struct error *err)
{
	lines->bytes = document->bytes;
	for (size_t at = 0; at <= document->size;) {
		if (!array_reserve(&lines->starts, &lines->capacity, lines->count + 1, sizeof *lines->starts, err))
			return false;
		lines->starts[lines->count++] = at;
		const char *newline = at < document->size
					      ? memchr(document->bytes + at, '\n', document->size - at)
					      : NULL;
		if (newline == NULL)
			break;
		at = (size_t)(newline - document->bytes) + 1;
	}
	if (lines->starts[lines->count - 1] == document->size)
		lines->count--;
	if (!array_reserve(&lines->starts, &lines->capacity, lines->count + 1, sizeof *lines->starts, err))
		return false;
	lines->starts[lines->count] = document->size;
	return true;
}

static unsigned
points_of(const struct text_lines *lines, const struct source *source, size_t from, size_t until)
{
	size_t size = lines->starts[until] - lines->starts[from];
	if (size > SOURCE_HEAD_BYTES)
		size = SOURCE_HEAD_BYTES;
	return source->recognise((const uint8_t *)lines->bytes + lines->starts[from], size);
}

/* The lines where the source has its points first, of [from, until); no points: none. */
static struct claim
claim_of(const struct text_lines *lines, const struct source *source, size_t from, size_t until)
{
	struct claim claim = { source, from, until, points_of(lines, source, from, until) };
	if (claim.points < SOURCE_PART_LEAST)
		return claim;
	size_t low = from, high = until;
	/* The last line from which all points are still there. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (points_of(lines, source, middle, until) >= claim.points)
			low = middle;
		else
			high = middle;
	}
	claim.from = low;
	/* The first line behind all of them. */
	for (low = claim.from, high = until; high - low > 1;) {
		size_t middle = low + (high - low) / 2;
		if (points_of(lines, source, claim.from, middle) >= claim.points)
			high = middle;
		else
			low = middle;
	}
	claim.until = high;
	return claim;
}

/* How many more of an element begin in the line than end. */
static int
depth_of(struct scan line, const char *element)
{
	int depth = 0;
	size_t length = strlen(element);
	while ((line.at = memchr(line.at, '<', scan_left(&line))) != NULL) {
		line.at++;
		bool is_end = scan_char(&line, '/');
		struct scan name = line;
		if (!scan_text(&name, element) || (scan_left(&name) > 0 && strchr(" \t>/", *name.at) == NULL))
			continue;
		depth += is_end ? -1 : 1;
		line.at += length;
	}
	return depth;
}

/* Whether a whole one may stand in the line. */
static bool
begins(struct scan line, const char *element)
{
	while ((line.at = memchr(line.at, '<', scan_left(&line))) != NULL) {
		line.at++;
		if (scan_text(&line, element))
			return true;
	}
	return false;
}

/* The first element within [from, until) that the source has points for, with all that is in it. */
static struct claim
element_of(const struct text_lines *lines, const struct source *source, size_t from, size_t until)
{
	int depth = 0;
	for (size_t line = from; line < until; line++) {
		struct scan text = { lines->bytes + lines->starts[line],
			lines->bytes + lines->starts[line + 1] };
		int more = depth_of(text, source->element);
		if (depth == 0)
			from = line;
		bool is_one = depth > 0 || more > 0 || (more == 0 && begins(text, source->element));
		depth = depth + more > 0 ? depth + more : 0;
		if (!is_one || depth > 0)
			continue;
		struct claim claim = { source, from, line + 1, points_of(lines, source, from, line + 1) };
		if (claim.points >= SOURCE_PART_LEAST)
			return claim;
	}
	return (struct claim){ .source = source };
}

/* The shortest claim within [from, until); a source of NULL: there is none. */
static struct claim
best_claim(const struct text_lines *lines, size_t from, size_t until)
{
	struct claim best = { .source = NULL };
	const struct source *source;
	for (size_t i = 0; (source = source_row(i)) != NULL; i++) {
		if (!source->has_lines)
			continue;
		struct claim claim = (source->element != NULL ? element_of : claim_of)(
			lines, source, from, until);
		if (claim.points >= SOURCE_PART_LEAST &&
			(best.source == NULL || claim.until - claim.from < best.until - best.from))
			best = claim;
	}
	return best;
}

/* Whether only blank lines lie between two lines. */
static bool
is_blank_between(const struct text_lines *lines, size_t from, size_t until)
{
	for (size_t at = lines->starts[from]; at < lines->starts[until]; at++)
		if (strchr(" \t\r\n", lines->bytes[at]) == NULL)
			return false;
	return true;
}

static bool
add_part(struct document *document, const struct text_lines *lines, const struct claim *claim,
	struct error *err)
{
	if (!array_reserve(&document->parts, &document->part_capacity, document->part_count + 1,
		    sizeof *document->parts, err))
		return false;
	document->parts[document->part_count++] = (struct document_part){
		.from = lines->starts[claim->from],
		.until = lines->starts[claim->until],
		.first_line = claim->from + 1,
		.last_line = claim->until,
		.source = claim->source->name,
		.points = claim->points,
	};
	return true;
}

/* Stretches that are still to be looked at, the next one last. */
struct stretches {
	struct claim *items; /* with a source: a part that was found */
	size_t count, capacity;
};

static bool
push(struct stretches *stretches, struct claim claim, struct error *err)
{
	if (claim.from >= claim.until)
		return true;
	if (!array_reserve(&stretches->items, &stretches->capacity, stretches->count + 1,
		    sizeof *stretches->items, err))
		return false;
	stretches->items[stretches->count++] = claim;
	return true;
}

/* A source looks at the beginning alone, so a long part is found piece by piece. */
static void
join_parts(struct document *document, const struct text_lines *lines)
{
	size_t kept = 0;
	for (size_t i = 0; i < document->part_count; i++) {
		const struct document_part *part = &document->parts[i];
		struct document_part *last = kept > 0 ? &document->parts[kept - 1] : NULL;
		if (last != NULL && strcmp(last->source, part->source) == 0 &&
			is_blank_between(lines, last->last_line, part->first_line - 1)) {
			last->until = part->until;
			last->last_line = part->last_line;
			last->points += part->points;
		} else {
			document->parts[kept++] = *part;
		}
	}
	document->part_count = kept;
}

bool
parts_find(struct document *document, struct error *err)
{
	struct text_lines lines = { .count = 0 };
	struct stretches stretches = { .count = 0 };
	bool is_fine = find_lines(&lines, document, err) &&
		       push(&stretches, (struct claim){ .until = lines.count }, err);
	while (is_fine && stretches.count > 0) {
		struct claim next = stretches.items[--stretches.count];
		if (next.source != NULL) {
			is_fine = add_part(document, &lines, &next, err);
			continue;
		}
		struct claim found = best_claim(&lines, next.from, next.until);
		if (found.source != NULL)
			is_fine = push(&stretches, (struct claim){ .from = found.until, .until = next.until },
					  err) &&
				  push(&stretches, found, err) &&
				  push(&stretches, (struct claim){ .from = next.from, .until = found.from }, err);
	}
	if (is_fine)
		join_parts(document, &lines);
	memory_free(lines.starts);
	memory_free(stretches.items);
	return is_fine;
}
