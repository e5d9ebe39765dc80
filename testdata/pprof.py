#!/usr/bin/env python3
"""Turns what `go tool pprof` says of a trace's profiles into the lines that tests read.

usage: pprof.py DIRECTORY > NAME.pprof.txt

README.md in this folder describes both ends.  Run by hand, never by the build.
"""
import gzip
import os
import re
import sys

KINDS = ("net", "sync", "syscall", "sched")
LOCATION = re.compile(r" +(\d+): (0x[0-9a-f]+) ")
SAMPLE = re.compile(r" +(\d+) +(\d+): ([\d ]*)$")


def lines(directory, kind, form):
    path = os.path.join(directory, f"pprof-{kind}.{form}.txt.gz")
    with gzip.open(path, "rt", errors="surrogateescape") as file:
        return file.read().splitlines()


def samples(text):
    """Count, nanoseconds and stack, as addresses from the leaf outwards."""
    address = {m[1]: m[2] for m in map(LOCATION.match, text) if m}
    return sorted((" ".join(address[i] for i in m[3].split()), m[1], m[2])
                  for m in map(SAMPLE.match, text) if m)


for kind in KINDS:
    for stack, count, ns in samples(lines(sys.argv[1], kind, "raw")):
        print("stack", kind, count, ns, stack, sep="\t")
    for line in lines(sys.argv[1], kind, "top"):
        print("top", kind, line, sep="\t")
