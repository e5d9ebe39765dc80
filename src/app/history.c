/* Two piles of places: going back moves one from the past to the future. */
#include "app/history.h"

#include <string.h>

struct place
place_of(const struct session *session)
{
	return (struct place){ session->viewport, session->cursor_ns, session->lane,
		session->has_lane, session->interacts };
}

static void
push(struct places *places, const struct place *place)
{
	if (places->count == HISTORY_MAX) {
		places->count--;
		memmove(places->items, places->items + 1, places->count * sizeof places->items[0]);
	}
	places->items[places->count++] = *place;
}

void
history_push(struct history *history, const struct place *from)
{
	push(&history->past, from);
	history->future.count = 0;
}

static void
renew(struct places *places, const struct session *session, const struct trace *before)
{
	for (size_t i = 0; i < places->count; i++)
		places->items[i].lane =
			session_follow_lane(session, places->items[i].lane, before);
}

void
history_renew(struct history *history, const struct session *session, const struct trace *before)
{
	renew(&history->past, session, before);
	renew(&history->future, session, before);
}

static void
forget_lanes(struct places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		places->items[i].has_lane = false;
		places->items[i].interacts.steps = 0;
	}
}

void
history_forget_lanes(struct history *history)
{
	forget_lanes(&history->past);
	forget_lanes(&history->future);
}

static bool
move(struct places *from, struct places *to, struct session *session)
{
	if (from->count == 0)
		return false;
	struct place here = place_of(session), there = from->items[--from->count];
	push(to, &here);
	session->viewport = there.viewport;
	session->cursor_ns = there.cursor_ns;
	session->lane = there.lane;
	session->has_lane = there.has_lane;
	session->interacts = there.interacts;
	return true;
}

bool
history_undo(struct history *history, struct session *session)
{
	return move(&history->past, &history->future, session);
}

bool
history_redo(struct history *history, struct session *session)
{
	return move(&history->future, &history->past, session);
}
