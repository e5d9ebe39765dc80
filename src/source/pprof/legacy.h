/*
 * Profiles before profile.proto (profile-sources, section 3.6): samples of addresses. What has names
 * gives them beside; so stacks are made when all was read.
 */
#ifndef TTRACE_SOURCE_PPROF_LEGACY_H
#define TTRACE_SOURCE_PPROF_LEGACY_H

#include "base/map.h"
#include "source/common/scan.h"
#include "source/pprof/pprof.h"

enum { LEGACY_VALUES = 4 };

struct legacy_sample {
	size_t first, count; /* addresses, the leaf first */
	int64_t values[LEGACY_VALUES];
	int64_t block_bytes;
};

/* A line "# 0xADDR FUNCTION+0xOFF FILE:LINE" of Go. */
struct legacy_line {
	uint64_t address, line;
	string_id function, file;
};

struct legacy_mapping {
	uint64_t start, limit;
	string_id file, build_id;
};

/* Of the addresses from `start` up to the next one's. */
struct legacy_segment {
	uint64_t start;
	const struct legacy_mapping *mapping; /* the first that they are in; NULL: none */
	size_t next; /* while these are found: at or before the next that is in none so far */
};

struct legacy {
	struct pprof *pprof;
	struct legacy_sample *samples;
	uint64_t *addresses;
	struct legacy_line *lines; /* of all addresses with a name, each with those after it */
	struct legacy_mapping *mappings; /* in the order of the input */
	struct legacy_segment *segments; /* ascending */
	size_t sample_count, address_count, line_count, mapping_count, segment_count;
	size_t sample_capacity, address_capacity, line_capacity, mapping_capacity;
	size_t block;       /* the lines from there on are of the last sample */
	struct map places;  /* by address: its first line */
	bool has_blocks;    /* samples have the size of their blocks as a label */
};

/* Takes blanks and tabs; whether there were any. */
static inline bool
legacy_blanks(struct scan *line)
{
	const char *start = line->at;
	while (scan_char(line, ' ') || scan_char(line, '\t'))
		;
	return line->at > start;
}

void legacy_release(struct legacy *legacy);
/* A sample of the addresses from `first` on, or of no address. */
bool legacy_add(struct legacy *legacy, const struct legacy_sample *sample, struct error *err);
bool legacy_add_address(struct legacy *legacy, uint64_t address, struct error *err);
bool legacy_add_line(struct legacy *legacy, const struct legacy_line *line, struct error *err);
/* No more lines come of the last sample. */
bool legacy_end_lines(struct legacy *legacy, struct error *err);
/* A line of /proc/PID/maps, or START-END: FILE (@OFFSET) BUILD-ID. Any other is passed over. */
bool legacy_add_mapping(struct legacy *legacy, struct scan line, struct error *err);
/* No more mappings come. O(n log n). */
bool legacy_end_mappings(struct legacy *legacy, struct error *err);
/* The first one that the address is in, NULL for none. O(log n). */
const struct legacy_mapping *legacy_mapping_of(const struct legacy *legacy, uint64_t address);
/* The trace gets the samples. Its types are there. */
bool legacy_finish(struct legacy *legacy, struct error *err);

#endif
