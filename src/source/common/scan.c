/* Numbers, read digit by digit; and finding a text within another. */
#include "source/common/scan.h"

/* Nobody measured longer than that, and a thousand of them can be added. */
#define DECIMAL_MAX (UINT64_C(1) << 53)
/* No clock goes farther: 146 years, in ns. */
#define MOMENT_MAX (UINT64_C(1) << 62)

bool
scan_signed(struct scan *scan, int64_t *value)
{
	struct scan rest = *scan;
	int64_t sum = 0;
	bool is_negative = scan_char(&rest, '-');
	if (!scan_sees_digit(&rest))
		return false;
	for (; scan_sees_digit(&rest); rest.at++) {
		int digit = *rest.at - '0';
		sum = sum > (INT64_MAX - digit) / 10 ? INT64_MAX : sum * 10 + digit;
	}
	*scan = rest;
	*value = is_negative ? -sum : sum;
	return true;
}

static unsigned
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

bool
scan_hex(struct scan *scan, uint64_t *value)
{
	const char *at = scan->at;
	uint64_t sum = 0;
	for (; at < scan->end && hex_digit(*at) < 16; at++) {
		if (sum >> 60 != 0)
			return false;
		sum = sum << 4 | hex_digit(*at);
	}
	if (at == scan->at)
		return false;
	scan->at = at;
	*value = sum;
	return true;
}

bool
scan_address(struct scan *scan, uint64_t *value)
{
	struct scan rest = *scan;
	if (!scan_text(&rest, "0x") || !scan_hex(&rest, value))
		return false;
	*scan = rest;
	return true;
}

/* A number that is at most `most`, which is at most MOMENT_MAX. */
static bool
decimal_within(struct scan *scan, int decimals, uint64_t most, int64_t *value)
{
	struct scan rest = *scan;
	uint64_t sum;
	if (!scan_number(&rest, &sum) || sum > most)
		return false;
	if (scan_sees(&rest, '.') && rest.end - rest.at > 1 && rest.at[1] >= '0' && rest.at[1] <= '9') {
		rest.at++;
		for (; scan_sees_digit(&rest); rest.at++) {
			if (decimals == 0)
				continue;
			decimals--;
			if (sum > most / 10)
				return false;
			sum = sum * 10 + (uint64_t)(*rest.at - '0');
		}
	}
	for (; decimals > 0; decimals--) {
		if (sum > most / 10)
			return false;
		sum *= 10;
	}
	if (sum > most)
		return false;
	*scan = rest;
	*value = (int64_t)sum;
	return true;
}

bool
scan_decimal(struct scan *scan, int decimals, int64_t *value)
{
	return decimal_within(scan, decimals, DECIMAL_MAX, value);
}

bool
scan_moment(struct scan *scan, int decimals, int64_t *value)
{
	return decimal_within(scan, decimals, MOMENT_MAX, value);
}

const char *
scan_find(const struct scan *scan, const char *text)
{
	size_t length = strlen(text);
	for (const char *at = scan->at; (size_t)(scan->end - at) >= length; at++) {
		at = memchr(at, text[0], (size_t)(scan->end - at) - length + 1);
		if (at == NULL)
			return NULL;
		if (memcmp(at, text, length) == 0)
			return at;
	}
	return NULL;
}
