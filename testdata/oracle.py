#!/usr/bin/env python3
"""Turns a summary of a trace in JSON into the lines that tests read.

usage: oracle.py summary.json[.gz] > NAME.oracle.txt

README.md in this folder describes both ends.  Run by hand, never by the build.
"""
import gzip
import json
import re
import sys

# Longer strings are cut, so that these files stay small enough to read.
STRING_BYTES = 200

ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11,
           "\\": 92, '"': 34, "'": 39}
ESCAPE = re.compile(
    r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))", re.DOTALL)


def unquote(text):
    """The bytes behind the inside of a Go string literal."""
    out = bytearray()
    end = 0
    for m in ESCAPE.finditer(text):
        out += text[end:m.start()].encode()
        end = m.end()
        if m[1]:
            out.append(int(m[1], 16))
        elif m[2] or m[3]:
            out += chr(int(m[2] or m[3], 16)).encode()
        else:
            out.append(ESCAPES[m[4]])
    return bytes(out + text[end:].encode())


def string(text):
    """One field: printable ASCII but backslash as it is, the rest as \\xNN."""
    data = unquote(text)
    kept = data[:STRING_BYTES]
    cut = f"\\...{len(data)}" if len(data) > STRING_BYTES else ""
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}"
                   for b in kept) + cut


def line(*fields):
    print("\t".join("-" if f is None else str(f) for f in fields))


def totals(s):
    line("header", string(s["header"]))
    for name in ("bytes", "events", "events_with_stack", "frames_total",
                 "first_time", "span_ns", "syncs", "threads", "procs",
                 "goroutines", "logs"):
        line(name, s[name])
    for kind, n in s["by_kind"].items():
        line("kind", n, kind)
    for what in ("goroutine", "proc"):
        for pair, n in s[what + "_transitions"].items():
            line(what + "_transition", n, *pair.split("->"))
    for state, n in s["goroutine_states_at_end"].items():
        line("state_at_end", n, state)
    for reason, n in s["wait_reasons"].items():
        line("wait_reason", n, string(reason))
    for name, n in s["goroutine_names"].items():
        line("goroutine_name", n, string(name))
    for name, n in s["labels"].items():
        line("label", n, string(name))
    for name, m in s["metrics"].items():
        line("metric", m["Count"], m["Min"], m["Max"], m["Last"], string(name))
    for name, r in s["ranges"].items():
        name, scope = re.fullmatch(r"(.*) \[(\w+)\]", name, re.DOTALL).groups()
        line("range", r["Begin"], r["Active"], r["End"], scope, string(name))
    for proc, ns in sorted(s["proc_running_ns"].items(), key=lambda p: int(p[0])):
        line("proc", proc, ns)


def states_over_time(s):
    for at in s["states_over_time"]:
        for what in ("goroutines", "procs"):
            for state, n in at[what].items():
                line("at", at["t"], what[:-1], n, state)


def goroutines(s):
    for g in s["goroutine_list"]:
        line("goroutine", g["id"], g["created"], g["started"], g["ended"],
             g["total"], g["exec"], g["sched_wait"], g["syscall"],
             g["syscall_block"], g["regions"], string(g["name"]))
        for reason, ns in g["block"].items():
            line("goroutine_block", g["id"], ns, string(reason))
        for name, ns in g["ranges"].items():
            line("goroutine_range", g["id"], ns, string(name))


def annotations(s):
    for t in s["tasks"] or []:
        line("task", t["id"], t.get("parent"), t["start"], t["end"],
             t["children"], t["regions"], string(t["name"]))
        for g in t["goroutines"] or []:
            line("task_goroutine", t["id"], g)
        for log in t["logs"] or []:
            line("log", log["t"], t["id"], log["g"], string(log["category"]),
                 string(log["message"]))
    for r in s["regions"] or []:
        line("region", r["g"], r["task"], r["start"], r["end"], r["exec"],
             r["sched_wait"], r["syscall"], sum(r["block"].values()),
             string(r["name"]))


def main():
    path = sys.argv[1]
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as f:
        summary = json.load(f)
    totals(summary)
    states_over_time(summary)
    goroutines(summary)
    annotations(summary)


main()
