/* Findings one by one, and what is fine. */
#include "draw/findings_text.h"

#include "draw/findings_words.h"
#include "draw/verdict_line.h"

static void
tell_requests(struct prose *prose, const struct finding *finding)
{
	prose_fact(prose, "slowest");
	findings_add_spent(prose->words, prose->trace, finding, true, prose->ascii);
	prose_say(prose, prose_plain);
	prose_fact(prose, "median");
	findings_add_spent(prose->words, prose->trace, finding, false, prose->ascii);
	prose_say(prose, prose_plain);
}

void
findings_tell(struct prose *prose, const struct findings *findings, size_t index)
{
	const struct finding *finding = &findings->items[index];
	struct cell_style title = { .fg = verdict_style(finding), .attributes = CELL_BOLD };
	prose_item(prose, index + 1);
	findings_add_title(prose->words, prose->trace, finding->kind);
	prose_cell(prose, title);
	findings_add_place(prose->words, prose->trace, finding, prose->ascii);
	prose_cell(prose, prose_bright);
	prose_join(prose, "  ");
	findings_add_loss(prose->words, prose->trace, finding);
	prose_cell(prose, prose_dim);
	prose_line(prose);
	findings_add_line(prose->words, prose->trace, finding, prose->ascii);
	prose_say(prose, prose_plain);
	if (finding->kind == FINDING_REQUESTS)
		tell_requests(prose, finding);
	prose_fact(prose, "do");
	findings_add_advice(prose->words, prose->trace, finding);
	prose_say(prose, prose_bright);
	if (finding->kind == FINDING_REQUESTS)
		prose_path(prose, finding->actor, finding->start_ns, finding->end_ns);
	prose_lead(prose, finding->lane, finding->start_ns, finding->end_ns);
	prose_query(prose, finding->query, finding->is_query_whole);
}

void
findings_tell_end(struct prose *prose, const struct findings *findings)
{
	prose_pause(prose);
	if (findings->count == 0) {
		prose_line(prose);
		prose_string(prose, prose_plain, findings_none(findings));
	}
	if (!findings->has_waits)
		return;
	prose_fact(prose, "fine");
	findings_add_fine(prose->words, prose->trace, findings);
	prose_say(prose, prose_dim);
}
