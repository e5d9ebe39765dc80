/* The text of a critical path. */
#ifndef TTRACE_DRAW_CRITICAL_TEXT_H
#define TTRACE_DRAW_CRITICAL_TEXT_H

#include "analysis/critical.h"
#include "draw/prose.h"

struct search; /* query/search.h */

/* What the path's time went into, most first. A share leads to the longest part of it. */
void critical_tell_shares(struct prose *prose, const struct critical_path *path,
	const struct critical_share *shares, size_t count);
/*
 * Its parts, back in time, beneath a heading, which is another one where they tell why an actor was
 * not running. Each is a row that leads to its state; who stands for a wait of another one is to the
 * right of that. Only those whose states match, where `only` is not NULL.
 */
void critical_tell_parts(struct prose *prose, const struct critical_path *path, bool is_why,
	const struct search *only);
/*
 * Beneath a heading, which parts lacked a CPU by what lies beneath the trace, and who had it; nothing for none, and where
 * nothing lies there.
 */
void critical_tell_beneath(struct prose *prose, const struct critical_path *path);
#endif
