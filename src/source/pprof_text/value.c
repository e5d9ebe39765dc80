/* A decimal number with a unit behind it, read digit by digit: no value goes by way of a double. */
#include "source/pprof_text/value.h"

#include "base/checked.h"
#include "base/compiler.h"
#include "trace/ready.h"

enum { DECIMALS_MOST = 3, UNIT_BYTES = 16 };

static const struct {
	const char *name; /* in small letters, without the s of several */
	enum pprof_family family;
	int64_t factor;
} units[] = {
	{ "b", PPROF_MEMORY, 1 },
	{ "byte", PPROF_MEMORY, 1 },
	{ "kb", PPROF_MEMORY, INT64_C(1) << 10 },
	{ "kbyte", PPROF_MEMORY, INT64_C(1) << 10 },
	{ "kilobyte", PPROF_MEMORY, INT64_C(1) << 10 },
	{ "mb", PPROF_MEMORY, INT64_C(1) << 20 },
	{ "mbyte", PPROF_MEMORY, INT64_C(1) << 20 },
	{ "megabyte", PPROF_MEMORY, INT64_C(1) << 20 },
	{ "gb", PPROF_MEMORY, INT64_C(1) << 30 },
	{ "gbyte", PPROF_MEMORY, INT64_C(1) << 30 },
	{ "gigabyte", PPROF_MEMORY, INT64_C(1) << 30 },
	{ "tb", PPROF_MEMORY, INT64_C(1) << 40 },
	{ "tbyte", PPROF_MEMORY, INT64_C(1) << 40 },
	{ "terabyte", PPROF_MEMORY, INT64_C(1) << 40 },
	{ "pb", PPROF_MEMORY, INT64_C(1) << 50 },
	{ "pbyte", PPROF_MEMORY, INT64_C(1) << 50 },
	{ "petabyte", PPROF_MEMORY, INT64_C(1) << 50 },
	{ "ns", PPROF_TIME, 1 },
	{ "nanosecond", PPROF_TIME, 1 },
	{ "us", PPROF_TIME, 1000 },
	{ "\xc2\xb5s", PPROF_TIME, 1000 },
	{ "\xce\xbcs", PPROF_TIME, 1000 },
	{ "microsecond", PPROF_TIME, 1000 },
	{ "ms", PPROF_TIME, 1000000 },
	{ "millisecond", PPROF_TIME, 1000000 },
	{ "s", PPROF_TIME, 1000000000 },
	{ "sec", PPROF_TIME, 1000000000 },
	{ "second", PPROF_TIME, 1000000000 },
	{ "hr", PPROF_TIME, INT64_C(3600000000000) },
	{ "hour", PPROF_TIME, INT64_C(3600000000000) },
	{ "gcu", PPROF_OTHER, 1 },
	{ "k*gcu", PPROF_OTHER, 1000 },
	{ "m*gcu", PPROF_OTHER, 0 }, /* a thousandth, or a million: told apart below */
	{ "g*gcu", PPROF_OTHER, 1000000000 },
	{ "t*gcu", PPROF_OTHER, INT64_C(1000000000000) },
	{ "p*gcu", PPROF_OTHER, INT64_C(1000000000000000) },
};

/* Of a unit that nobody knows the factor is 1. */
static int64_t
read_unit(struct scan unit, enum pprof_family *family)
{
	char small[UNIT_BYTES + 1];
	size_t length = scan_left(&unit);
	*family = length == 0 ? PPROF_NUMBER : PPROF_OTHER;
	if (length == 0 || length > UNIT_BYTES)
		return 1;
	for (size_t i = 0; i < length; i++)
		small[i] = (char)(unit.at[i] >= 'A' && unit.at[i] <= 'Z' ? unit.at[i] - 'A' + 'a'
									: unit.at[i]);
	small[length] = '\0';
	if (length > 2 && small[length - 1] == 's' && (small[0] & 0x80) == 0)
		small[length - 1] = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(units); i++) {
		if (strcmp(units[i].name, small) != 0)
			continue;
		*family = units[i].family;
		return units[i].factor > 0 ? units[i].factor : unit.at[0] == 'M' ? 1000000 : 1;
	}
	return 1;
}

static bool
is_unit_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*' || c == '_' || c == '/' ||
	       ((unsigned char)c & 0x80) != 0;
}

bool
pprof_value_read(struct scan *line, struct pprof_value *value)
{
	struct scan rest = *line;
	uint64_t whole;
	int64_t fraction = 0, scale = 1;
	bool is_negative = scan_char(&rest, '-');
	if (!scan_number(&rest, &whole))
		return false;
	if (scan_sees(&rest, '.') && rest.end - rest.at > 1 && rest.at[1] >= '0' && rest.at[1] <= '9') {
		rest.at++;
		for (int i = 0; scan_sees_digit(&rest); i++, rest.at++) {
			if (i >= DECIMALS_MOST)
				continue;
			fraction = fraction * 10 + (*rest.at - '0');
			scale *= 10;
		}
	}
	struct scan unit = rest;
	while (!scan_is_end(&rest) && is_unit_byte(*rest.at))
		rest.at++;
	unit.end = rest.at;
	if (!scan_is_end(&rest) && *rest.at != ' ')
		return false;
	int64_t factor = read_unit(unit, &value->family);
	/* Less than 2^60: three digits times the largest unit. */
	int64_t part = fraction * factor;
	value->whole = saturating_add_i64(saturating_mul_i64((int64_t)whole, factor), part / scale);
	value->hundredths = (int)((part % scale * 100 + scale / 2) / scale);
	if (value->hundredths == 100) {
		value->whole = saturating_add_i64(value->whole, 1);
		value->hundredths = 0;
	}
	if (is_negative) {
		value->whole = -value->whole;
		value->hundredths = -value->hundredths;
	}
	value->unit = unit;
	value->text = scan_over(line->at, (size_t)(rest.at - line->at));
	*line = rest;
	return true;
}

int64_t
pprof_value_round(const struct pprof_value *value)
{
	int off = value->hundredths >= 50 ? 1 : value->hundredths <= -50 ? -1 : 0;
	return saturating_add_i64(value->whole, off);
}

bool
pprof_percent_read(struct scan *line, int64_t *percent, struct scan *text)
{
	struct scan rest = *line;
	uint64_t whole, exponent = 0;
	int decimals = 7; /* 1 % is 10^7 */
	scan_char(&rest, '-');
	if (!scan_number(&rest, &whole) || whole > UINT64_C(100000000))
		return false;
	if (scan_char(&rest, '.')) {
		for (; scan_sees_digit(&rest); rest.at++) {
			if (decimals == 0)
				continue;
			decimals--;
			whole = whole * 10 + (uint64_t)(*rest.at - '0');
		}
	}
	for (; decimals > 0; decimals--)
		whole *= 10;
	if (scan_text(&rest, "e-") && (!scan_number(&rest, &exponent) || exponent > 30))
		return false;
	for (; exponent > 0; exponent--)
		whole /= 10;
	if (!scan_char(&rest, '%') || (!scan_is_end(&rest) && *rest.at != ' '))
		return false;
	*percent = (int64_t)whole;
	*text = scan_over(line->at, (size_t)(rest.at - line->at));
	*line = rest;
	return true;
}
