/*
 * What the text of `perf report --stdio` says, in tables, before it becomes a trace: sections, their
 * entries, and below these the nodes of their call graphs (format notes 5).
 */
#ifndef TTRACE_SOURCE_PERF_REPORT_REPORT_H
#define TTRACE_SOURCE_PERF_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "input/input.h"
#include "source/common/line_damage.h"
#include "trace/ready.h"

#define REPORT_NONE UINT32_MAX

enum report_column_kind { COLUMN_TEXT, COLUMN_SYMBOL, COLUMN_PERCENT, COLUMN_COUNT };

struct report_column {
	string_id name;    /* as it stands above the entries */
	string_id key;     /* for programs; report_build() finds it */
	size_t from, until; /* cells of the line; the last column goes on to its end */
	enum report_column_kind kind;
};

/* All of one event in one run. */
struct report_section {
	string_id event, title; /* the title is what somebody wrote above it; or STRING_EMPTY */
	string_id name;         /* for programs, of this one alone; report_build() finds it */
	string_id samples;      /* how many, as it was printed: "73K" */
	string_id total;        /* the event count, likewise */
	struct report_column columns[READY_MOST_COLUMNS];
	unsigned column_count;
	char separator;         /* between fields, in place of columns; '\0': none */
	bool has_children;      /* the first column counts what an entry called as well, the second does not */
	bool is_hierarchy;      /* entries nest, and have one column */
	bool is_fractal;        /* percentages of nodes are of their parents */
	size_t first_entry, entry_count;
};

struct report_entry {
	uint32_t section;
	uint32_t level;     /* in a hierarchy, 0 is outermost */
	size_t first_cell;  /* of the section's columns; in a hierarchy of a percentage and a name */
	size_t first_node, node_count;
};

enum report_number { NUMBER_WHOLE, NUMBER_PERCENT, NUMBER_COUNT };

/* Some frames that follow each other without a branch. */
struct report_node {
	uint32_t parent;    /* REPORT_NONE: it hangs at the entry */
	uint32_t depth;     /* as it is indented; 0 is what all of the entry has in common */
	enum report_number kind;
	int64_t number;     /* a percentage in hundredths, or a count; of all of the entry none */
	size_t first_frame, frame_count;
};

struct report_counts {
	uint64_t lines, sections, entries, nodes, frames, max_depth;
};

/* Zero-initialised is empty. */
struct report {
	struct intern *strings; /* the trace's */
	struct report_section *sections;
	struct report_entry *entries;
	struct ready_cell *cells;   /* numbers are hundredths or counts */
	struct report_node *nodes;
	string_id *frames;          /* of all nodes, in the order of the lines */
	size_t section_count, entry_count, cell_count, node_count, frame_count;
	size_t section_capacity, entry_capacity, cell_capacity, node_capacity, frame_capacity;
	struct report_counts counts;
	struct line_damage damage;
};

/* Reads the input to its end. What is read stays to be released after a failure, too. */
bool report_read(struct report *report, struct input *in, struct error *err);
void report_release(struct report *report);

/* Points of a line for being of such a text. */
unsigned report_points(struct scan line);

#endif
