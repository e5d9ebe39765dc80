/* What cells say and how they are ordered, by their type. Only for view/. */
#ifndef TTRACE_VIEW_FIGURE_WORDS_H
#define TTRACE_VIEW_FIGURE_WORDS_H

#include "base/text.h"
#include "result/figures.h"

/* A cell of figures. */
struct figures_at {
	int layer;
	size_t row;
	int column;
};

/* Appends what a cell says, as safe text: "1.22 ms", "main.worker", "-" for nothing. */
void figures_add(const struct figures *figures, const struct trace *trace, struct figures_at at,
	bool is_wall, bool ascii, struct text *out);
/* Appends the bytes of a cell that is a name of whatever kind; nothing for others. */
void figures_add_name(const struct figures *figures, const struct trace *trace, struct figures_at at,
	struct text *out);

/*
 * What a cell is ordered by: bytes, of the trace or the texts, where they are
 * not NULL; else the number.
 */
struct figure_key {
	const char *bytes;
	size_t length;
	int64_t number;
	uint32_t row; /* the caller's */
};

struct figure_key figures_key(
	const struct figures *figures, const struct trace *trace, struct figures_at at);

#endif
