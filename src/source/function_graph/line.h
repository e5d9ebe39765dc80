/*
 * One line of the kernel's function_graph tracer.
 *
 * The source of the format are the printing rules of the kernel's trace_functions_graph.c: a row of
 * columns, each of which an option of the tracer turns on or off for the whole file; then the
 * function, indented by two blanks a depth. trace-cmd prints the same behind the head of an ftrace
 * record. A page of the web may have lost the line breaks: see oneline.h.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_LINE_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"

/* The columns, from the left. */
enum graph_column {
	GRAPH_TIME = 1,      /* funcgraph-abstime: "    5.000849 |  ", seconds */
	GRAPH_REL_TIME = 2,  /* "     1234 us |  " */
	GRAPH_CPU = 4,       /* " 0) " */
	GRAPH_TASK = 8,      /* funcgraph-proc: "   bash-1234    | " */
	GRAPH_FLAGS = 16,    /* latency format: " d..1. | " */
	GRAPH_DURATION = 32, /* " + 15.642 us   |  ", or blanks and the bar */
	GRAPH_RECORDS = 64   /* trace-cmd's form instead of all these */
};

/* Every set of columns is a number up to this; 0 is the function alone. */
enum { GRAPH_LAST_SET = GRAPH_RECORDS };
#define GRAPH_USUAL ((unsigned)GRAPH_CPU | GRAPH_DURATION)

enum graph_kind {
	GRAPH_UNKNOWN,   /* it fits nothing */
	GRAPH_BLANK,
	GRAPH_NOTE,      /* says nothing: a header, a rule of dashes, "(Overruns: 3)", ... */
	/* what the columns belong to */
	GRAPH_ENTRY,
	GRAPH_LEAF,
	GRAPH_EXIT,
	GRAPH_EVENT,     /* a comment, or any other record as of ftrace */
	GRAPH_IRQ_ENTER,
	GRAPH_IRQ_EXIT,
	/* lines of their own */
	GRAPH_SWITCH,    /* " 0)  bash-100 => cat-200" */
	GRAPH_LOST,      /* "CPU:0 [LOST 12 EVENTS]" */
	GRAPH_MARK,      /* "### text", written by a person */
	GRAPH_FRAME      /* " => do_syscall_64", of the stack of an event */
};

enum { GRAPH_MAX_DEPTH = 1023 }; /* the kernel keeps fewer; a line that is deeper fits nothing */

/* All texts are parts of the line. What the line does not say is empty, or -1. */
struct graph_line {
	uint8_t kind;      /* enum graph_kind */
	bool has_ticks;    /* the time is a count without a unit */
	bool is_in_interrupt; /* as the flags say */
	uint32_t cpu;      /* 0 where there is no such column */
	uint32_t depth;    /* of an entry, leaf and exit */
	int64_t time_ns;   /* by the clock of the trace */
	int64_t took_ns;   /* the duration as it is printed */
	int64_t pid;       /* who runs; of a switch: who leaves */
	int64_t process;   /* whose thread that is; 0: it is not told */
	int64_t next_pid;  /* of a switch: who comes */
	int64_t lost;      /* events; 0 where only that there were some is said */
	struct scan task, next_task; /* names */
	struct scan name;      /* the function; of an event and a mark: its text */
	struct scan arguments; /* what stands between the parentheses */
	struct scan caller;    /* "current_time+0x1a/0x90" of <-current_time+0x1a/0x90 */
	struct scan returned;  /* "0x0", "-22" */
};

/*
 * Reads a line by these columns (enum graph_column, or'ed). False where it is no record of them. O(length).
 */
bool graph_line_read(unsigned columns, struct scan text, struct graph_line *line);

/* The same; where it is false nothing is known of the line. */
bool graph_record_read(unsigned columns, struct scan text, struct graph_line *line);

/* Whether it is a line with the names of the columns, and which these are. */
bool graph_columns_named(struct scan text, unsigned *columns);
/*
 * The columns by which most lines of a text are records; of equals, those that its header names,
 * then the most. Where there is no record, what the header names, or the usual ones. *named, if
 * it is not NULL, are the columns of a header that stands before the text. It takes some
 * milliseconds.
 */
unsigned graph_columns_find(struct scan text, const unsigned *named);

/* ---- for the form in one line */

/*
 * Takes a duration with its mark and the bar behind it, or the bar alone; or a sign of an
 * interrupt. Sets line->took_ns, and line->kind for a sign.
 */
bool graph_duration(struct scan *scan, struct graph_line *line);
/* Reads the text of a function, all of it, into kind, name and what belongs to it. */
void graph_function(struct scan text, struct graph_line *line);
/* Reads what no columns belong to: switches, losses, marks, notes. */
void graph_other(struct scan text, struct graph_line *line);
/* Whether it is an entry, a leaf, an exit, an event or a sign of an interrupt. */
static inline bool
graph_is_record(const struct graph_line *line)
{
	return line->kind >= GRAPH_ENTRY && line->kind <= GRAPH_IRQ_EXIT;
}

/* A line of which nothing is known. */
struct graph_line graph_line_none(void);

#endif
