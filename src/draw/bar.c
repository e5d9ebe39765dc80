/* Bars. */
#include "draw/bar.h"

enum { EIGHTHS = 8 };

/* To the nearest cell. */
static void
add_signs(struct text *out, double part, int cells, const char *sign)
{
	int length = (int)(part * cells + 0.5);
	for (int i = 0; i < length; i++)
		text_add_string(out, sign);
}

void
bar_add(struct text *out, double share, int cells, bool ascii)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	double part = share < 0 ? 0 : share > 1 ? 1 : share;
	if (ascii) {
		add_signs(out, part, cells, "#");
		return;
	}
	int length = (int)(part * cells * EIGHTHS + 0.5);
	for (int i = 0; i < length / EIGHTHS; i++)
		text_add_string(out, "█");
	text_add_string(out, eighths[length % EIGHTHS]);
}

void
bar_add_change(struct text *out, double share, int cells, bool has_colors)
{
	double part = share < 0 ? -share : share;
	if (has_colors)
		bar_add(out, part, cells, false);
	else
		add_signs(out, part > 1 ? 1 : part, cells, share < 0 ? "-" : "+");
}
