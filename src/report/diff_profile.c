/* Differences of profiles, by function and by call. */
#include <string.h>

#include "base/checked.h"
#include "report/diff_internal.h"
#include "report/flamegraph_internal.h"
#include "report/profile_words.h"
#include "report/result.h"

static void
add_facts(struct grid *grid, const struct diff_profiles *profiles)
{
	const struct profile_request *request = profiles->request;
	const struct diff_profile *diff = profiles->diff;
	diff_add_sources(grid, profiles->sources);
	struct text whose = { 0 };
	profile_request_add_whose(request, grid->trace->words, &whose);
	grid_fact(grid, "profile", "%s%s",
		diff->kind == PROFILE_SAMPLES ? diff->measure.name : profile_name(diff->kind),
		text_string(&whose));
	text_release(&whose);
	int64_t change = saturating_sub_i64(diff->total[DIFF_AFTER], diff->total[DIFF_BEFORE]);
	char share[PROFILE_WORD];
	profile_share_word(share, change, diff->total[DIFF_BEFORE]);
	if (diff->total[DIFF_BEFORE] > 0)
		grid_fact(grid, "in all", "%s%s of what was", change > 0 ? "+" : change < 0 ? "-" : "",
			share + strspn(share, " "));
}

static bool
write_table(const struct trace *trace, const struct diff_profiles *profiles,
	bool (*tell)(const struct diff_profile *diff, bool only_changes,
		struct result_sink *sink, struct error *err),
	const struct report_options *options, struct text *out, struct error *err)
{
	struct result_printer printer;
	struct grid grid;
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	grid_heading(&grid, "Difference of profiles");
	add_facts(&grid, profiles);
	bool is_fine = result_printer_begin(&printer, &grid, err);
	if (is_fine) {
		is_fine = tell(profiles->diff, grid_is_text(&grid), &printer.sink, err);
		result_printer_end(&printer);
	}
	return grid_end(&grid) && is_fine;
}

bool
report_diff_top(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	return write_table(trace, profiles, diff_profile_tell_top, options, out, err);
}

bool
report_diff_tree(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	return write_table(trace, profiles, diff_profile_tell_tree, options, out, err);
}

/* ---- for other programs */

bool
report_diff_folded(const struct diff_profiles *profiles, const struct report_options *options,
	struct text *out, struct error *err)
{
	return profile_add_folded(
		&profiles->diff->tree, profiles->diff->before_self, options, out, err);
}

bool
report_diff_flamegraph(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err)
{
	const struct text *name = &profiles->sources[DIFF_BEFORE].name;
	const struct flamegraph graph = {
		.request = profiles->request,
		.kind = profiles->diff->kind,
		.measure = profiles->diff->measure,
		.words = trace->words,
		.tree = &profiles->diff->tree,
		.is_inverted = profiles->request->is_inverted,
		.total = profiles->diff->total[DIFF_AFTER],
		.before = profiles->diff->before,
		.before_name = name->length > 0 ? name->bytes : "standard input",
	};
	return flamegraph_write(&graph, options, out, err);
}
