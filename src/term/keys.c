/* From libtermkey's key structures to names. */
#include "term/keys.h"

#include <stdio.h>

#include "base/compiler.h"

struct symbol_name {
	TermKeySym symbol;
	const char *name;
};

/* Where our name is not termkey's, or two keys mean the same. */
static const struct symbol_name symbol_names[] = {
	{ TERMKEY_SYM_DEL, "Backspace" }, { TERMKEY_SYM_KPENTER, "Enter" },
	{ TERMKEY_SYM_FIND, "Home" },     { TERMKEY_SYM_SELECT, "End" },
};

static const char *
name_of_symbol(TermKey *termkey, TermKeySym symbol)
{
	for (size_t i = 0; i < ARRAY_LENGTH(symbol_names); i++) {
		if (symbol_names[i].symbol == symbol)
			return symbol_names[i].name;
	}
	return termkey_get_keyname(termkey, symbol);
}

static bool
write_name(int modifiers, const char *key_name, char *name, size_t size)
{
	int length = snprintf(name, size, "%s%s%s%s",
	                      (modifiers & TERMKEY_KEYMOD_CTRL) != 0 ? "C-" : "",
	                      (modifiers & TERMKEY_KEYMOD_ALT) != 0 ? "M-" : "",
	                      (modifiers & TERMKEY_KEYMOD_SHIFT) != 0 ? "S-" : "", key_name);
	return length > 0 && (size_t)length < size;
}

static bool
function_name(const TermKeyKey *key, char *name, size_t size)
{
	char function[16];
	snprintf(function, sizeof function, "F%d", key->code.number);
	return write_name(key->modifiers, function, name, size);
}

static bool
symbol_key_name(TermKey *termkey, const TermKeyKey *key, char *name, size_t size)
{
	if (key->code.sym == TERMKEY_SYM_NONE || key->code.sym == TERMKEY_SYM_UNKNOWN)
		return false;
	return write_name(key->modifiers, name_of_symbol(termkey, key->code.sym), name, size);
}

bool
keys_mouse(TermKey *termkey, const TermKeyKey *key, struct screen_mouse *mouse)
{
	enum { FIRST_BUTTON = 1, WHEEL_UP_BUTTON = 4, WHEEL_DOWN_BUTTON = 5 };
	static const enum screen_mouse_kind kinds[] = {
		[TERMKEY_MOUSE_PRESS] = MOUSE_PRESS,
		[TERMKEY_MOUSE_DRAG] = MOUSE_DRAG,
		[TERMKEY_MOUSE_RELEASE] = MOUSE_RELEASE,
	};
	TermKeyMouseEvent event;
	int button, row, column;
	if (key->type != TERMKEY_TYPE_MOUSE ||
		termkey_interpret_mouse(termkey, key, &event, &button, &row, &column) !=
			TERMKEY_RES_KEY ||
		event == TERMKEY_MOUSE_UNKNOWN || row < 1 || column < 1)
		return false;
	*mouse = (struct screen_mouse){ kinds[event], column - 1, row - 1 };
	if (event == TERMKEY_MOUSE_RELEASE)
		return true;
	if (button == WHEEL_UP_BUTTON || button == WHEEL_DOWN_BUTTON)
		mouse->kind = button == WHEEL_UP_BUTTON ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
	return button == FIRST_BUTTON || mouse->kind == MOUSE_WHEEL_UP ||
	       mouse->kind == MOUSE_WHEEL_DOWN;
}

bool
keys_name(TermKey *termkey, const TermKeyKey *key, char *name, size_t size)
{
	switch (key->type) {
	case TERMKEY_TYPE_UNICODE: {
		/* Shift is in the character already. */
		int modifiers = key->modifiers & ~TERMKEY_KEYMOD_SHIFT;
		return write_name(modifiers, key->utf8, name, size);
	}
	case TERMKEY_TYPE_FUNCTION:
		return function_name(key, name, size);
	case TERMKEY_TYPE_KEYSYM:
		return symbol_key_name(termkey, key, name, size);
	case TERMKEY_TYPE_MOUSE:
	case TERMKEY_TYPE_POSITION:
	case TERMKEY_TYPE_MODEREPORT:
	case TERMKEY_TYPE_DCS:
	case TERMKEY_TYPE_OSC:
	case TERMKEY_TYPE_UNKNOWN_CSI:
		break;
	}
	return false;
}
