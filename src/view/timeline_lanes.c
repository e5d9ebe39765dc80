/* The timeline's lanes: in which order they stand. */
#include <string.h>

#include "base/banned.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

static struct view_answer
say(const struct timeline_request *request, bool is_alert, const char *message)
{
	struct text safe = { 0 };
	text_add_safe(&safe, message, strlen(message), request->session->ascii);
	session_status(request->session, is_alert, "%s", safe.failed ? "" : safe.bytes);
	text_release(&safe);
	return redraw;
}

/* The index of a word of which `most` there are; -1 for none, with an error that lists them. */
static int
find_word(const char *const *words, const char *word, struct error *err)
{
	struct text all = { 0 };
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0) {
			text_release(&all);
			return i;
		}
		text_format(&all, "%s%s", i > 0 ? " " : "", words[i]);
	}
	error_set(err, ERROR_USAGE, "%.40s is none of: %s", word, all.failed ? "" : all.bytes);
	text_release(&all);
	return -1;
}

/* The choice that was typed, else the one so many behind the one that holds; -1 for none such. */
static int
choose(const struct timeline_request *request, const char *const *words, int now, int count,
	struct error *err)
{
	if (request->argument != NULL)
		return find_word(words, request->argument, err);
	return (int)((now + request->count) % count);
}

static struct view_answer
arrange(const struct timeline_request *request, struct arrange_plan plan)
{
	struct error err;
	error_clear(&err);
	if (!session_arrange(request->session, plan, &err))
		return say(request, true, err.message);
	return redraw;
}

struct view_answer
timeline_group(const struct timeline_request *request)
{
	struct arrange_plan plan = request->session->plan;
	struct error err;
	error_clear(&err);
	int by = choose(request, group_by_words, (int)plan.by, GROUP_BY_COUNT, &err);
	if (by < 0)
		return say(request, true, err.message);
	plan.by = (enum group_by)by;
	session_status(request->session, false, "goroutines are grouped by %s",
		plan.by == GROUP_BY_NAME ? "start function" : group_by_words[by]);
	return arrange(request, plan);
}

struct view_answer
timeline_sort(const struct timeline_request *request)
{
	struct arrange_plan plan = request->session->plan;
	struct error err;
	error_clear(&err);
	int sort = choose(request, lane_sort_words, (int)plan.sort, LANE_SORT_COUNT, &err);
	if (sort < 0)
		return say(request, true, err.message);
	plan.sort = (enum lane_sort)sort;
	session_status(
		request->session, false, "goroutines: %s", lane_sort_title(plan.sort));
	return arrange(request, plan);
}
