/*
 * What is read of a text of pprof: a table of -top, -tree or -peek, the samples of -traces or -raw.
 * Each reader takes a line that is its own and says so.
 */
#ifndef TTRACE_SOURCE_PPROF_TEXT_PPROF_TEXT_H
#define TTRACE_SOURCE_PPROF_TEXT_PPROF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "source/common/line_damage.h"
#include "source/common/line_reader.h"
#include "source/common/scan.h"
#include "source/pprof_text/value.h"
#include "trace/sample_set.h"
#include "trace/trace.h"

enum pprof_form { PPROF_HEAD, PPROF_TOP, PPROF_TREE, PPROF_TRACES, PPROF_RAW };

/* What a line is to the reader of a form. */
enum pprof_line { PPROF_TAKEN, PPROF_NOT_MINE, PPROF_FAILED /* err says how */ };

/* -top, -tree and -peek. */
struct pprof_tables {
	size_t functions, calls; /* indexes in trace->ready */
	uint64_t rows, nodes, edges_in, edges_out;
	size_t block_first;      /* row of `calls` that is the first of this block */
	string_id function;      /* of this block; STRING_EMPTY before it is named */
	bool is_open, has_function, has_block;
	size_t count;            /* of reports so far */
	enum pprof_family family; /* of the values of this one */
};

/* -traces */
struct pprof_traces {
	uint64_t depth;
	size_t indent;           /* of all lines, where the text was pasted */
	bool is_open, has_value;
	struct pprof_value value;
	enum pprof_family family;
	string_id *frames;       /* of the block, leaf first */
	bool *are_inlined;
	size_t frame_count, frame_capacity, inlined_capacity;
	struct sample_label *labels;
	size_t label_count, label_capacity;
	int8_t *hundredths;      /* of each sample */
	size_t hundredths_capacity;
};

struct pprof_raw_line {
	string_id function, file;
	uint64_t line;
	uint32_t column;
};

struct pprof_raw_location {
	uint64_t address, mapping; /* an id, 0 for none */
	size_t first_line, line_count;
	size_t first_frame; /* of its lines */
};

struct pprof_raw_sample {
	size_t first_id, id_count;      /* leaf first */
	size_t first_label, label_count;
};

/* -raw: samples name locations that come behind them, and these mappings. */
struct pprof_raw {
	enum { RAW_HEAD, RAW_TYPES, RAW_SAMPLES, RAW_LOCATIONS, RAW_MAPPINGS } part;
	bool has_period;
	int64_t *weights;
	size_t weight_count, weight_capacity;
	struct pprof_raw_sample *samples;
	size_t sample_count, sample_capacity;
	uint64_t *ids;
	size_t id_count, id_capacity;
	struct sample_label *labels;
	size_t label_count, label_capacity;
	struct pprof_raw_location *locations;
	size_t location_count, location_capacity;
	struct pprof_raw_line *lines;
	size_t line_count, line_capacity;
	struct map location_of; /* by id: its index */
	frame_id *frames;       /* of all lines */
	string_id *mappings;    /* what a location without lines is called: "[libc.so]" */
	size_t mapping_count, mapping_capacity;
	struct map mapping_of;
};

struct pprof_text {
	struct trace *trace;
	enum pprof_form form; /* of the lines that follow */
	bool forms[PPROF_RAW + 1]; /* that there were */
	string_id type;       /* of the header */
	uint64_t others;      /* lines behind the first report's beginning that are of none */
	bool has_filters;     /* lines of "Active filters:" follow */
	struct line_reader reader;
	struct line_damage damage;
	struct pprof_tables tables;
	struct pprof_traces traces;
	struct pprof_raw raw;
};

/* The lines that head a report. */
enum pprof_line pprof_head_take(struct pprof_text *text, struct scan line, struct error *err);

/* The line of titles begins a table. */
bool pprof_is_titles(struct scan line, bool *is_tree);
bool pprof_tables_begin(struct pprof_text *text, bool is_tree, struct error *err);
enum pprof_line pprof_tables_take(struct pprof_text *text, struct scan line, struct error *err);
bool pprof_tables_end(struct pprof_text *text, struct error *err);

bool pprof_is_traces_separator(struct scan line, size_t *indent);
bool pprof_traces_begin(struct pprof_text *text, size_t indent, struct error *err);
enum pprof_line pprof_traces_take(struct pprof_text *text, struct scan line, struct error *err);
/* The stack so far is whole, if there is one. */
bool pprof_traces_end_block(struct pprof_text *text, struct error *err);
bool pprof_traces_end(struct pprof_text *text, struct error *err);

enum pprof_line pprof_raw_take(struct pprof_text *text, struct scan line, struct error *err);
bool pprof_raw_end(struct pprof_text *text, struct error *err);

/* A string of the trace. */
bool pprof_string(struct pprof_text *text, struct scan bytes, string_id *id, struct error *err);
/* Takes " (inline)" or " (partial-inline)" off the end of a name; what stands in it, or nothing. */
struct scan pprof_take_inline(struct scan *name);
/* "2026-11-23 17:57:11 UTC": Unix time; 0 for what is none, or in a zone that only its name tells. */
int64_t pprof_time(struct scan text);

#endif
