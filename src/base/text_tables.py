#!/usr/bin/env python3
"""Writes text_tables.c: which code points are wide, take no cell, or stay hidden.

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
