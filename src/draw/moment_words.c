/* The lines of a dump of actors. */
#include "draw/moment_words.h"

#include <inttypes.h>

#include "base/units.h"
#include "draw/names.h"
#include "trace/words.h"

enum { MOST_IDS = 20 };

static int64_t
id_of(const struct trace *trace, actor_ref actor)
{
	return trace_actor(trace, actor)->id;
}

void
moment_add_alike(struct text *out, const struct trace *trace, const struct moment *moment,
	const struct moment_group *group)
{
	char count[UNITS_TEXT];
	if (group->count < 2)
		return;
	units_count(count, group->count);
	text_format_words(out, trace->words, "%s {actors} alike:", count);
	for (size_t i = 0; i < group->count && i < MOST_IDS; i++)
		text_format(out, "%s %" PRId64, i == 0 ? "" : ",",
			id_of(trace, moment->actors[group->first + i].actor));
	if (group->count <= MOST_IDS)
		return;
	units_count(count, group->count - MOST_IDS);
	text_format(out, " and %s more", count);
}

void
moment_add_header(struct text *out, const struct trace *trace, const struct moment *moment,
	const struct moment_actor *actor, bool ascii)
{
	char duration[UNITS_TEXT];
	size_t length;
	const char *state = moment_state_text(trace, actor->kind, &length);
	units_duration(duration, moment->t_ns - actor->since_ns, ascii);
	if (name_is_enough(trace_actor(trace, actor->actor)))
		name_actor(out, trace, actor->actor, ascii);
	else
		text_format_words(out, trace->words, "{actor} %" PRId64, id_of(trace, actor->actor));
	text_add_string(out, " [");
	text_add_safe(out, state, length, ascii);
	text_format(out, ", %s%s]:", actor->is_old ? "over " : "", duration);
}

void
moment_add_call(
	struct text *out, const struct trace *trace, const struct stack_frame *frame, bool ascii)
{
	name_string(out, trace, frame->function, ascii);
	text_add_string(out, "(...)");
}

void
moment_add_place(
	struct text *out, const struct trace *trace, const struct stack_frame *frame, bool ascii)
{
	name_string(out, trace, frame->file, ascii);
	text_format(out, ":%" PRIu64, frame->line);
}

bool
moment_add_creation(struct text *out, const struct trace *trace, actor_ref ref, bool ascii,
	const struct stack_frame **frame)
{
	const struct actor *actor = trace_actor(trace, ref);
	*frame = NULL;
	if (actor->create_stack == STACK_NONE)
		return false;
	*frame = stack_leaf(&trace->stacks, actor->create_stack);
	text_add_string(out, "created by ");
	name_string(out, trace, (*frame)->function, ascii);
	if (actor->creator != REF_NONE)
		text_format_words(
			out, trace->words, " in {actor} %" PRId64, id_of(trace, actor->creator));
	return true;
}
