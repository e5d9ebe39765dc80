/* The timeline's way from CPU sample to CPU sample. */
#include "trace/words.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* The lane whose CPU samples the selected row shows; false for a row that shows none. */
static bool
sampled_lane(const struct timeline *timeline, struct lane *lane)
{
	const struct timeline_rows *rows = &timeline->rows;
	if (timeline->cursor_row >= rows->count)
		return false;
	*lane = (struct lane){ LANE_ALL, 0 };
	if (rows->items[timeline->cursor_row].type == ROW_SAMPLES)
		return true;
	return row_lane(rows, timeline->cursor_row, lane) &&
	       (lane->type == LANE_ACTOR || lane->type == LANE_PROCESSOR ||
		       lane->type == LANE_THREAD);
}

bool
timeline_sample_beside(
	const struct timeline_request *request, struct lane lane, bool forward, int64_t *t_ns)
{
	const struct samples *samples = &request->timeline->rows.samples;
	int64_t from_ns = request->session->cursor_ns;
	uint32_t sample = forward ? samples_next(samples, lane, from_ns + 1)
				  : samples_previous(samples, lane, from_ns);
	if (sample == REF_NONE)
		return false;
	*t_ns = samples_time_ns(samples, sample);
	return true;
}

bool
timeline_sample_here(const struct timeline_request *request, struct lane *lane, int64_t *t_ns)
{
	const struct session *session = request->session;
	int64_t from_ns, until_ns;
	timeline_cell(request->timeline, session, &from_ns, &until_ns);
	uint32_t sample = samples_within(&request->timeline->rows.samples,
		(struct lane){ LANE_ALL, 0 }, from_ns, until_ns, session->cursor_ns);
	if (sample == REF_NONE)
		return false;
	const struct instant *instant = trace_instant(session->trace, sample);
	*t_ns = instant->time_ns;
	*lane = (struct lane){ LANE_ACTOR, instant->actor };
	if (lane->ref == REF_NONE)
		*lane = (struct lane){ LANE_PROCESSOR, instant->processor };
	if (lane->ref == REF_NONE)
		*lane = (struct lane){ LANE_THREAD, instant->thread };
	return lane->ref != REF_NONE;
}

struct view_answer
timeline_sample(const struct timeline_request *request)
{
	struct session *session = request->session;
	const struct words *words = session->trace->words;
	bool forward = request->command == COMMAND_NEXT_SAMPLE;
	struct lane lane;
	int64_t t_ns;
	if (!sampled_lane(request->timeline, &lane)) {
		session_status(session, false, "no %s on this row", words_title(words, "{samples}"));
		return redraw;
	}
	for (long i = 0; i < request->count; i++) {
		if (!timeline_sample_beside(request, lane, forward, &t_ns)) {
			session_status(session, false, "no %s of this row %s the cursor",
				words_title(words, "{sample}"), forward ? "behind" : "before");
			return (struct view_answer){
				.reaction = VIEW_REDRAW, .push_history = i > 0
			};
		}
		timeline_go_to(request->timeline, session, t_ns);
	}
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}
