#!/usr/bin/env python3
"""Writes text_tables.c: which code points are wide, take no cell, stay hidden, are printable.

Run by hand when Unicode moves on; the build does not need it:

    python3 src/base/text_tables.py > src/base/text_tables.c

The classes come from Python's unicodedata. Python 3.11 has Unicode 14; the lists
below add what 15 and 15.1 brought, so 3.11 to 3.13 agree.

wide    East_Asian_Width W or F, and the whole of the emoji block U+1FA70..1FAFF
        with its free places, which later versions only ever fill with emoji.
zero    general category Mn or Me, and the vowels and finals of conjoining
        Hangul, which terminals draw in the cell of the first letter.
hidden  what shows nothing, or moves other text: format characters (Cf), line
        and paragraph separators, private use, noncharacters, places kept for
        format characters, fillers that look empty, and planes without use.
        Variation selectors U+FE00..FE0F are not hidden: emoji need them.
printable  what Go's strconv quotes as itself: letters, marks, numbers, punctuation,
        symbols and the blank. Go 1.21 and later have Unicode 15.
"""

import unicodedata

LAST = 0x10FFFF

ZERO_15 = [
    (0x0ECE, 0x0ECE), (0x10EFD, 0x10EFF), (0x11241, 0x11241), (0x11F00, 0x11F01),
    (0x11F36, 0x11F3A), (0x11F40, 0x11F40), (0x11F42, 0x11F42), (0x13440, 0x13440),
    (0x13447, 0x13455), (0x1E08F, 0x1E08F), (0x1E4EC, 0x1E4EF),
]
ZERO_HANGUL = [(0x1160, 0x11FF), (0xD7B0, 0xD7C6), (0xD7CB, 0xD7FB)]
WIDE_MORE = [(0x2FFC, 0x2FFF), (0x31EF, 0x31EF), (0x1B132, 0x1B132), (0x1B155, 0x1B155),
             (0x1F6DC, 0x1F6DC), (0x1FA70, 0x1FAFF)]
# Unassigned, but for ideographs to come: wide by UAX 11.
WIDE_RESERVED = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
                 (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]
HIDDEN_MORE = [
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x3164, 0x3164), (0xFFA0, 0xFFA0),  # fillers
    (0x034F, 0x034F), (0x2060, 0x206F), (0xFFF0, 0xFFFB), (0xFDD0, 0xFDEF),
    (0x13439, 0x1343F), (0x40000, LAST),
]
PRINTABLE_15 = [
    (0x0CF3, 0x0CF3), (0x0ECE, 0x0ECE), (0x10EFD, 0x10EFF), (0x1123F, 0x11241),
    (0x11B00, 0x11B09), (0x11F00, 0x11F10), (0x11F12, 0x11F3A), (0x11F3E, 0x11F59),
    (0x1342F, 0x1342F), (0x13440, 0x13455), (0x1B132, 0x1B132), (0x1B155, 0x1B155),
    (0x1D2C0, 0x1D2D3), (0x1DF25, 0x1DF2A), (0x1E030, 0x1E06D), (0x1E08F, 0x1E08F),
    (0x1E4D0, 0x1E4F9), (0x1F6DC, 0x1F6DC), (0x1F774, 0x1F776), (0x1F77B, 0x1F77F),
    (0x1F7D9, 0x1F7D9), (0x1FA75, 0x1FA77), (0x1FA87, 0x1FA88), (0x1FAAD, 0x1FAAF),
    (0x1FABB, 0x1FABD), (0x1FABF, 0x1FABF), (0x1FACE, 0x1FACF), (0x1FADA, 0x1FADB),
    (0x1FAE8, 0x1FAE8), (0x1FAF7, 0x1FAF8), (0x2B739, 0x2B739), (0x31350, 0x323AF),
]
PRINTABLE_LATER = [(0x2FFC, 0x2FFF), (0x31EF, 0x31EF), (0x2EBF0, 0x2EE5D)]  # since 15.1


def category_of(code):
    return unicodedata.category(chr(code))


def in_ranges(code, ranges):
    return any(first <= code <= last for first, last in ranges)


def is_hidden(code):
    if code < 0xA0:  # controls are told apart before the tables are asked
        return False
    if category_of(code) in ("Cf", "Zl", "Zp", "Co", "Cs"):
        return True
    return in_ranges(code, HIDDEN_MORE) or code & 0xFFFE == 0xFFFE


def is_zero(code):
    if is_hidden(code):
        return False
    return category_of(code) in ("Mn", "Me") or in_ranges(code, ZERO_15 + ZERO_HANGUL)


def is_wide(code):
    if is_hidden(code) or is_zero(code):
        return False
    if category_of(code) == "Cn":
        return in_ranges(code, WIDE_MORE + WIDE_RESERVED)
    return unicodedata.east_asian_width(chr(code)) in "WF" or in_ranges(code, WIDE_MORE)


def is_printable(code):
    if in_ranges(code, PRINTABLE_LATER):
        return False
    return code == 0x20 or category_of(code)[0] in "LMNPS" or in_ranges(code, PRINTABLE_15)


def ranges_of(is_member):
    ranges = []
    for code in range(LAST + 1):
        if not is_member(code):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def print_table(name, is_member):
    ranges = ranges_of(is_member)
    print(f"\nconst struct text_range {name}[] = {{")
    for at in range(0, len(ranges), 4):
        row = ", ".join(f"{{ 0x{a:04X}, 0x{b:04X} }}" for a, b in ranges[at:at + 4])
        print(f"\t{row},")
    print("};")
    print(f"const size_t {name}_count = sizeof({name}) / sizeof({name}[0]);")


print("/* Written by text_tables.py, which says what the tables hold. */")
print("/* clang-format off */")
print('#include "base/text_tables.h"')
print_table("text_wide", is_wide)
print_table("text_zero", is_zero)
print_table("text_hidden", is_hidden)
print_table("text_printable", is_printable)
