#!/usr/bin/env python3
"""Turns pages of the viewer (goroutines, tasks, regions) into lines that tests read.

usage: pages.py NAME.oracle > NAME.pages.txt

README.md in this folder describes both ends.  Run by hand, never by the build.
"""
import glob
import gzip
import html
import os
import re
import sys
from decimal import Decimal
from urllib.parse import unquote_to_bytes

UNITS = {"h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6, "µs": 10**3, "ns": 1}
LONGEST = 200


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def duration(text):
    """Nanoseconds of a duration as Go writes it."""
    parts = re.findall(r"([\d.]+)(h|ms|m|s|µs|ns)", text)
    return int(sum(Decimal(number) * UNITS[unit] for number, unit in parts))


def escape(raw):
    """As README.md says of strings."""
    if isinstance(raw, str):
        raw = raw.encode("utf-8", "surrogateescape")
    out = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in raw[:LONGEST])
    return out if len(raw) <= LONGEST else f"{out}\\...{len(raw)}"


def name_of(link, parameter):
    """The bytes of a parameter, which a link has with percent signs."""
    found = re.search(parameter + r"=([^\"&]*)", link)
    return escape(unquote_to_bytes(found[1]))


def say(*fields):
    print(*fields, sep="\t")


def cells(row):
    return [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()
            for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


def rows(text):
    return re.findall(r"<tr>(.*?)</tr>", text, re.S)


def details(text, section):
    """Titles and rows of the table in a section, without the column of bars."""
    text = text.split(f'<h3 id="{section}">')[1].split("<h3")[0]
    text = re.sub(r'<div class="stacked-bar-graph">.*?</div>', "", text, flags=re.S)
    table = text.split('<table class="details">')[1]
    titles = [html.unescape(t).strip() for t in re.findall(r"<th[^>]*>(.*?)</th>", table, re.S)]
    keep = [i for i, title in enumerate(titles) if title]
    body = [cells(row) for row in rows(table) if "<td" in row]
    return [titles[i] for i in keep], [[row[i] for i in keep] for row in body if row]


def times(titles, row, first):
    for title, value in list(zip(titles, row))[first:]:
        if duration(value) != 0:
            say("time", duration(value), title)


def goroutines(directory):
    for row in rows(read(f"{directory}/goroutines.html.gz")):
        if "<td" not in row:
            continue
        _, count, ran = cells(row)
        say("group", count, duration(ran), name_of(row, "name"))
    for path in sorted(glob.glob(f"{directory}/goroutine-*.html.gz")):
        text = read(path)
        say("goroutines", name_of(text, "name"))
        titles, body = details(text, "breakdown")
        for row in body:
            say("goroutine", row[0], duration(row[1]))
            times(titles, row, 2)
        titles, body = details(text, "ranges")
        for row in body:
            for title, value in list(zip(titles, row))[2:]:
                if duration(value) != 0:
                    say("range", row[0], duration(value), title)


def histogram(text):
    """Lower edge and count of each bucket that has any."""
    for row in re.findall(r'<tr><td class="histoTime".*?</tr>', text, re.S):
        edge, _, count = cells(row)
        if count != "0":
            say("bucket", duration(edge), count)


def groups(text):
    """The pieces of a page of which each is about one type."""
    return re.split(r"\n  <tr>\n", text.split("<th>Duration distribution")[1])[1:]


def tasks(directory):
    for piece in groups(read(f"{directory}/usertasks.html.gz")):
        count = re.search(r'href="/usertask\?type=[^"]*">(\d+)</a>', piece)[1]
        say("tasks", count, name_of(piece, "type"))
        histogram(piece)
    for path in sorted(glob.glob(f"{directory}/usertask-*.html.gz")):
        task_page(read(path))


def moment(text):
    return int(Decimal(text.rstrip("s")) * 10**9)


def event_kind(text):
    for pattern, kind in ((r'^task ".*" \(D .*\) begin$', "task_begin"), (r"^task end$", "task_end"),
                          (r'^region ".*" begin$', "region_begin"), (r'^region ".*" end$', "region_end"),
                          (r"^log ", "log")):
        if re.match(pattern, text, re.S):
            return kind
    return "other"


def task_page(text):
    table = text.split('<table id="reqs">')[1]
    for first, row in re.findall(r'<tr( class="first")?>(.*?)</tr>', table, re.S):
        if "<td" not in row:
            continue
        when, elapsed, goroutine, event = cells(row)
        if first:
            task = re.search(r"Task (\d+)", event)[1]
            complete = "complete" if "(complete)" in event else "incomplete"
            say("task", task, moment(when), duration(elapsed), complete)
        else:
            say("event", moment(when), goroutine or "-", event_kind(event))


def regions(directory):
    for piece in groups(read(f"{directory}/userregions.html.gz")):
        link = re.search(r'href="(/userregion\?[^"]*)">(\d+)</a>', piece)
        say("regions", link[2], re.search(r"pc=([0-9a-f]+)", link[1])[1], name_of(link[1], "type"))
        histogram(piece)
    for path in sorted(glob.glob(f"{directory}/userregion-*.html.gz")):
        text = read(path)
        link = re.search(r'/regionio\?pc=0x([0-9a-f]+)&amp;type=([^"]*)"', text)
        say("regionpage", link[1], escape(unquote_to_bytes(link[2])))
        titles, body = details(text, "breakdown")
        for row in body:
            say("region", row[0], row[1] or "0", duration(row[2]))
            times(titles, row, 3)


def main():
    goroutines(sys.argv[1])
    tasks(sys.argv[1])
    regions(sys.argv[1])


main()
