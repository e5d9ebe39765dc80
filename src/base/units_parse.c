/* Durations as people type them, or copy them from our own output. */
#include "base/units.h"

#include <string.h>

struct time_unit {
	const char *name;
	uint64_t unit_ns;
};

/* Where one name starts another the longer one stands first. */
static const struct time_unit time_units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "\u00B5s", 1000 }, /* micro sign */
	{ "\u03BCs", 1000 }, /* Greek mu */
	{ "ms", 1000000 },
	{ "min", UINT64_C(60000000000) },
	{ "m", UINT64_C(60000000000) },
	{ "s", 1000000000 },
	{ "h", UINT64_C(3600000000000) },
};

struct parser {
	const char *text; /* the whole, for messages */
	const char *at;
	uint64_t limit_ns; /* the largest magnitude of this sign */
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
	return error_set(parser->err, ERROR_USAGE, "bad time \"%.80s\": %s at position %zu",
		parser->text, what, place);
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

static const struct time_unit *
take_unit(struct parser *parser)
{
	for (size_t i = 0; i < ARRAY_LENGTH(time_units); i++) {
		size_t length = strlen(time_units[i].name);
		if (strncmp(parser->at, time_units[i].name, length) != 0)
			continue;
		parser->at += length;
		return &time_units[i];
	}
	return NULL;
}

/* Adds digits * unit_ns to *sum_ns; false when that goes beyond the limit. */
static bool
add_whole(const struct parser *parser, const struct decimal *number, uint64_t unit_ns,
	uint64_t *sum_ns)
{
	uint64_t value = 0;
	uint64_t most = parser->limit_ns / unit_ns;
	for (size_t i = 0; i < number->whole_length; i++) {
		uint64_t digit = (uint64_t)(number->whole[i] - '0');
		if (value > (most - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (value * unit_ns > parser->limit_ns - *sum_ns)
		return false;
	*sum_ns += value * unit_ns;
	return true;
}

/* Adds what stands behind the point; what is finer than a nanosecond is dropped. */
static bool
add_fraction(const struct parser *parser, const struct decimal *number, uint64_t unit_ns,
	uint64_t *sum_ns)
{
	/* From the last digit on, so that dropping the rest each time loses nothing. */
	uint64_t part_ns = 0;
	for (size_t i = number->fraction_length; i > 0; i--) {
		uint64_t digit = (uint64_t)(number->fraction[i - 1] - '0');
		part_ns = (digit * unit_ns + part_ns) / 10;
	}
	if (part_ns > parser->limit_ns - *sum_ns)
		return false;
	*sum_ns += part_ns;
	return true;
}

static bool
take_part(struct parser *parser, uint64_t *sum_ns)
{
	const char *start = parser->at;
	struct decimal number = { 0 };
	if (!take_decimal(parser, &number))
		return false;
	skip_blanks(parser);
	const struct time_unit *unit = take_unit(parser);
	if (unit == NULL)
		return fail(parser, "a unit (ns, us, ms, s, m, h) is expected");
	if (add_whole(parser, &number, unit->unit_ns, sum_ns) &&
		add_fraction(parser, &number, unit->unit_ns, sum_ns))
		return true;
	parser->at = start;
	return fail(parser, "more than 292 years");
}

bool
units_parse_duration(const char *text, int64_t *duration_ns, struct error *err)
{
	struct parser parser = { .text = text, .at = text, .limit_ns = INT64_MAX, .err = err };
	bool is_negative = *text == '-';
	if (is_negative)
		parser.limit_ns = (uint64_t)INT64_MAX + 1;
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
