/* Durations and sizes as people type them, or copy them from our own output. */
#include "base/units.h"

#include <string.h>

struct unit {
	const char *name; /* NULL behind the last */
	uint64_t size;    /* in what the sum counts */
};

/* Where one name starts another the longer one stands first. */
static const struct unit time_units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "\u00B5s", 1000 }, /* micro sign */
	{ "\u03BCs", 1000 }, /* Greek mu */
	{ "ms", 1000000 },
	{ "min", UINT64_C(60000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "s", 1000000000 },
	{ "h", UINT64_C(3600000000000) },
	{ NULL, 0 },
};

static const struct unit byte_units[] = {
	{ "B", 1 },
	{ "KiB", UINT64_C(1) << 10 },
	{ "K", UINT64_C(1) << 10 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "M", UINT64_C(1) << 20 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "G", UINT64_C(1) << 30 },
	{ "TiB", UINT64_C(1) << 40 },
	{ "T", UINT64_C(1) << 40 },
	{ NULL, 0 },
};

/* What numbers are of. */
struct quantity {
	const char *name;
	const struct unit *units; /* one stands behind each number */
	const char *unit_missing, *too_much;
};

static const struct quantity times = { "time", time_units,
	"a unit (ns, us, ms, s, m, h) is expected", "more than 292 years" };
static const struct quantity sizes = { "size", byte_units,
	"a unit (B, K, M, G, T) is expected", "more than any memory" };

struct parser {
	const struct quantity *quantity;
	const char *text; /* the whole, for messages */
	const char *at;
	uint64_t limit; /* the largest magnitude of this sign */
	struct error *err;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void
skip_blanks(struct parser *parser)
{
	while (*parser->at == ' ')
		parser->at++;
}

static bool
fail(const struct parser *parser, const char *what)
{
	size_t place = (size_t)(parser->at - parser->text) + 1;
	return error_set(parser->err, ERROR_USAGE, "bad %s \"%.80s\": %s at position %zu",
		parser->quantity->name, parser->text, what, place);
}

/* A decimal number without its value yet: that depends on the unit that follows. */
struct decimal {
	const char *whole, *fraction;
	size_t whole_length, fraction_length;
};

static size_t
take_digits(struct parser *parser)
{
	const char *start = parser->at;
	while (is_digit(*parser->at))
		parser->at++;
	return (size_t)(parser->at - start);
}

static bool
take_decimal(struct parser *parser, struct decimal *number)
{
	const char *start = parser->at;
	number->whole = parser->at;
	number->whole_length = take_digits(parser);
	number->fraction_length = 0;
	if (*parser->at == '.') {
		parser->at++;
		number->fraction = parser->at;
		number->fraction_length = take_digits(parser);
	}
	if (number->whole_length + number->fraction_length > 0)
		return true;
	parser->at = start;
	return fail(parser, "a number is expected");
}

static const struct unit *
take_unit(struct parser *parser)
{
	for (const struct unit *unit = parser->quantity->units; unit->name != NULL; unit++) {
		size_t length = strlen(unit->name);
		if (strncmp(parser->at, unit->name, length) != 0)
			continue;
		parser->at += length;
		return unit;
	}
	return NULL;
}

/* Adds digits * size to *sum; false when that goes beyond the limit. */
static bool
add_whole(const struct parser *parser, const struct decimal *number, uint64_t size,
	uint64_t *sum)
{
	uint64_t value = 0;
	uint64_t most = parser->limit / size;
	for (size_t i = 0; i < number->whole_length; i++) {
		uint64_t digit = (uint64_t)(number->whole[i] - '0');
		if (value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (value * size > parser->limit - *sum)
		return false;
	*sum += value * size;
	return true;
}

/* Adds what stands behind the point; what is finer than 1 is dropped. */
static bool
add_fraction(const struct parser *parser, const struct decimal *number, uint64_t size,
	uint64_t *sum)
{
	/* From the last digit on, so that dropping the rest each time loses nothing. */
	uint64_t part = 0;
	for (size_t i = number->fraction_length; i > 0; i--) {
		uint64_t digit = (uint64_t)(number->fraction[i - 1] - '0');
		part = (digit * size + part) / 10;
	}
	if (part > parser->limit - *sum)
		return false;
	*sum += part;
	return true;
}

static bool
take_part(struct parser *parser, uint64_t *sum)
{
	const char *start = parser->at;
	struct decimal number = { 0 };
	if (!take_decimal(parser, &number))
		return false;
	skip_blanks(parser);
	const struct unit *unit = take_unit(parser);
	if (unit == NULL)
		return fail(parser, parser->quantity->unit_missing);
	if (add_whole(parser, &number, unit->size, sum) &&
		add_fraction(parser, &number, unit->size, sum))
		return true;
	parser->at = start;
	return fail(parser, parser->quantity->too_much);
}

bool
units_parse_duration(const char *text, int64_t *duration_ns, struct error *err)
{
	struct parser parser = {
		.quantity = &times, .text = text, .at = text, .limit = INT64_MAX, .err = err
	};
	bool is_negative = *text == '-';
	if (is_negative)
		parser.limit = (uint64_t)INT64_MAX + 1;
	if (*text == '-' || *text == '+')
		parser.at++;
	uint64_t sum_ns = 0;
	if (strcmp(parser.at, "0") == 0)
		parser.at++;
	else if (!take_part(&parser, &sum_ns))
		return false;
	for (skip_blanks(&parser); *parser.at != '\0'; skip_blanks(&parser)) {
		if (!take_part(&parser, &sum_ns))
			return false;
	}
	*duration_ns = is_negative ? (int64_t)(0 - sum_ns) : (int64_t)sum_ns;
	return true;
}

bool
units_parse_bytes(const char *text, uint64_t *bytes, struct error *err)
{
	struct parser parser = {
		.quantity = &sizes, .text = text, .at = text, .limit = INT64_MAX, .err = err
	};
	uint64_t sum = 0;
	if (!take_part(&parser, &sum))
		return false;
	if (*parser.at != '\0')
		return fail(&parser, "nothing more is expected");
	*bytes = sum;
	return true;
}

size_t
units_parse_millionths(const char *text, int64_t *millionths)
{
	enum { DECIMALS = 6, MOST_DIGITS = 11 };
	size_t digits = strspn(text, "0123456789"), length = digits, decimals = 0;
	int64_t number = 0;
	if (digits == 0 || digits > MOST_DIGITS)
		return 0;
	if (text[length] == '.') {
		decimals = strspn(text + length + 1, "0123456789");
		if (decimals == 0 || decimals > DECIMALS)
			return 0;
		length += 1 + decimals;
	}
	for (size_t i = 0; i < length; i++)
		if (text[i] != '.')
			number = number * 10 + (text[i] - '0');
	for (size_t i = decimals; i < DECIMALS; i++)
		number *= 10;
	*millionths = number;
	return length;
}
