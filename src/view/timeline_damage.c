/* The timeline's way from one damaged place to another. */
#include "base/units.h"
#include "draw/damage_words.h"
#include "view/timeline_state.h"

static void
tell_place(struct session *session, const struct damage *damage)
{
	const struct damage_map *map = &session->trace->damage;
	struct text bytes = { 0 };
	char count[UNITS_TEXT];
	units_count(count, damage_map_places(map));
	damage_add_bytes(&bytes, damage);
	if (!bytes.failed)
		session_status(session, false, "damaged %s; damaged places: %s", bytes.bytes, count);
	text_release(&bytes);
}

struct view_answer
timeline_next_damage(const struct timeline_request *request)
{
	struct session *session = request->session;
	const struct damage_map *map = &session->trace->damage;
	bool forward = request->command == COMMAND_NEXT_DAMAGE;
	struct view_answer answer = { .reaction = VIEW_REDRAW };
	for (long i = 0; i < request->count; i++) {
		const struct damage *damage =
			damage_map_beside(map, session->cursor_ns, forward);
		if (damage == NULL && i == 0)
			session_status(session, false, "no damage %s here",
				forward ? "after" : "before");
		if (damage == NULL)
			return answer;
		timeline_go_to(request->timeline, session, damage->from_ns);
		tell_place(session, damage);
		answer.push_history = true;
	}
	return answer;
}
