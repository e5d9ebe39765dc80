/* What texts say of times and numbers, whatever the medium. */
#include "draw/prose.h"

#include "base/units.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "trace/own_code.h"

const struct cell_style prose_plain = { .fg = STYLE_DEFAULT };
const struct cell_style prose_dim = { .fg = STYLE_TEXT_DIM };
const struct cell_style prose_bright = { .fg = STYLE_TEXT_BRIGHT, .attributes = CELL_BOLD };

struct cell_style
prose_class_style(enum time_class time_class)
{
	return (struct cell_style){ .fg = strip_style((uint8_t)time_class) };
}

void
prose_string(struct prose *prose, struct cell_style style, const char *safe)
{
	text_add_string(prose->words, safe);
	prose_say(prose, style);
}

void
prose_add_duration(struct prose *prose, int64_t duration_ns)
{
	char out[UNITS_TEXT];
	units_duration(out, duration_ns, prose->ascii);
	text_add_string(prose->words, out);
}

void
prose_duration(struct prose *prose, struct cell_style style, int64_t duration_ns)
{
	prose_add_duration(prose, duration_ns);
	prose_say(prose, style);
}

void
prose_add_moment(struct prose *prose, int64_t t_ns, int64_t duration_ns)
{
	time_form_add(prose->words, prose->form, prose->trace, t_ns, prose->is_exact ? 0 : duration_ns);
}

void
prose_frame(struct prose *prose, const char *joint, struct cell_style style,
	const struct stack_frame *frame)
{
	prose_join(prose, joint);
	if (frame != NULL)
		name_string(prose->words, prose->trace, frame->function, prose->ascii);
	prose_cell(prose, style);
	prose_join(prose, " ");
	if (frame != NULL)
		text_add_place(prose->words, prose->trace, frame, prose->ascii);
	prose_cell(prose, prose_dim);
}

void
prose_more(struct prose *prose, uint64_t count)
{
	char number[UNITS_TEXT];
	if (count == 0)
		return;
	units_count(number, count);
	text_format(prose->words, "and %s more", number);
	prose_line(prose);
	prose_say(prose, prose_dim);
}
