/* How a table of figures was left, in words and back. */
#include "query/pattern.h"
#include "view/figure_page.h"

static void
tell_pattern(const struct setting_sink *sink, const char *name, const struct pattern *pattern)
{
	if (pattern != NULL)
		setting_tell(sink, name, pattern_text(pattern));
}

void
figure_page_name_settings(const struct analysis *analysis, const struct setting_sink *sink)
{
	const struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	int column = page->sort_column + 1;
	if (page->sort_column != figures->usual_column || page->is_reversed)
		setting_tell_number(sink, "sort", page->is_reversed ? -column : column);
	if (page->layer > 0)
		setting_tell_number(sink, "statistic", page->layer + 1);
	tell_pattern(sink, "only", page->only);
	tell_pattern(sink, "search", page->pattern);
	if (page->first_column > 1)
		setting_tell_number(sink, "column", page->first_column);
}

/* False where there is none. */
static bool
take_pattern(struct pattern **pattern, const char *text)
{
	struct error note;
	error_clear(&note);
	return text != NULL && pattern_replace(pattern, text, &note);
}

bool
figure_page_set(struct analysis *analysis, struct session *session, const char *setting)
{
	struct figure_page *page = analysis->state;
	const struct figures *figures = analysis->numbers;
	int64_t last = figures->column_count, number;
	(void)session;
	page->is_ordered = false;
	if (setting_number(setting, "sort", -last, last, &number) && number != 0) {
		page->is_reversed = number < 0;
		page->sort_column = (int)(number < 0 ? -number : number) - 1;
		return true;
	}
	if (setting_number(setting, "statistic", 1, figures->layer_count, &number)) {
		page->layer = (int)number - 1;
		return true;
	}
	if (setting_number(setting, "column", 1, last - 1, &number)) {
		page->first_column = (int)number;
		return true;
	}
	return take_pattern(&page->only, setting_value(setting, "only")) ||
	       take_pattern(&page->pattern, setting_value(setting, "search"));
}
