/* Bars. */
#include "draw/bar.h"

enum { EIGHTHS = 8 };

void
bar_add(struct text *out, double share, int cells, bool ascii)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	double part = share < 0 ? 0 : share > 1 ? 1 : share;
	int whole = ascii ? 1 : EIGHTHS;
	int length = (int)(part * cells * whole + 0.5);
	for (int i = 0; i < length / whole; i++)
		text_add_string(out, ascii ? "#" : "█");
	if (!ascii)
		text_add_string(out, eighths[length % EIGHTHS]);
}
