/* Parts of a critical path as lines of a page. Only for view/. */
#ifndef TTRACE_VIEW_PATH_SHEET_H
#define TTRACE_VIEW_PATH_SHEET_H

#include "analysis/critical.h"
#include "view/walk.h"

enum { PATH_MOST_PARTS = 2000 };

/*
 * A line for each part, back in time, those in the place of a wait further to the right; each
 * leads to its state. At most PATH_MOST_PARTS; how many more there are is said. Of ready
 * parts that matter it tells what the processors ran.
 */
void path_sheet_parts(struct sheet *sheet, struct walk *walk, const struct critical_path *path);
/* A line for each share, most time first; leads to its longest part. */
void path_sheet_shares(struct sheet *sheet, struct walk *walk, const struct critical_path *path,
	const struct critical_share *shares, size_t count);

#endif
