/* A name, =, and a value. */
#include "view/setting.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

void
setting_tell(const struct setting_sink *sink, const char *name, const char *value)
{
	struct text setting = { 0 };
	text_format(&setting, "%s=", name);
	text_add_string(&setting, value);
	if (!setting.failed)
		sink->add(sink->context, setting.bytes);
	text_release(&setting);
}

void
setting_tell_number(const struct setting_sink *sink, const char *name, int64_t number)
{
	struct text value = { 0 };
	text_format(&value, "%" PRId64, number);
	if (!value.failed)
		setting_tell(sink, name, value.bytes);
	text_release(&value);
}

const char *
setting_value(const char *setting, const char *name)
{
	size_t length = strlen(name);
	bool is_it = strncmp(setting, name, length) == 0 && setting[length] == '=';
	return is_it ? setting + length + 1 : NULL;
}

bool
setting_read_number(const char *text, int64_t least, int64_t most, int64_t *number,
	const char **end)
{
	bool is_negative = *text == '-';
	int64_t result = 0;
	text += is_negative;
	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		int64_t digit = *text - '0';
		if (result > (INT64_MAX - digit) / 10)
			return false;
		result = result * 10 + digit;
	}
	*number = is_negative ? -result : result;
	*end = text;
	return *number >= least && *number <= most;
}

bool
setting_number(const char *setting, const char *name, int64_t least, int64_t most, int64_t *number)
{
	const char *value = setting_value(setting, name), *end;
	return value != NULL && setting_read_number(value, least, most, number, &end) &&
	       *end == '\0';
}
