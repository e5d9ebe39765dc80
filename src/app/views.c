#include "app/views.h"

#include "base/compiler.h"
#include "view/analysis_view.h"
#include "view/bookmarks.h"
#include "view/causes.h"
#include "view/detail.h"
#include "view/document_page.h"
#include "view/findings.h"
#include "view/help.h"
#include "view/slice_page.h"
#include "view/task_page.h"
#include "view/timeline.h"

const struct app_view *
views_all(size_t *count)
{
	static const struct app_view views[] = {
		{ &timeline_view, true },
		{ &detail_view, false },
		{ &help_view, false },
		{ &actor_view, false },
		{ &why_view, false },
		{ &critical_view, false },
		{ &everyone_view, false },
		{ &woken_view, false },
		{ &bookmarks_view, false },
		{ &findings_view, false },
		{ &task_view, false },
		{ &slice_view, false },
		{ &analysis_view, false },
		{ &chart_view, false },
		{ &document_view, false },
	};
	*count = ARRAY_LENGTH(views);
	return views;
}
