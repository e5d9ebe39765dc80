#!/usr/bin/env python3
"""Turns the answers of the viewer's page of mutator utilisation into lines that tests read.

usage: mmu.py NAME.oracle > NAME.mmu.txt

README.md in this folder describes both ends.  Run by hand, never by the build.
"""
import glob
import gzip
import json
import os
import re
import sys

FLAGS = ("stw", "background", "assist", "sweep", "perProc")


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return json.load(f)


def plot(path):
    flags = re.search(r"mmu-plot-(.*)\.json", path)[1].split("-")
    flags = "|".join(f for f in FLAGS if f in flags)
    answer = read(path)
    print("range", flags, answer["xMin"], answer["xMax"], sep="\t")
    for point in answer["curve"]:
        print("curve", flags, *(repr(n) for n in point), sep="\t")


def details(path):
    width = None
    for worst in read(path):
        if width is None:
            ends = re.search(r"#(.*):(.*)", worst["URL"])
            width = round((float(ends[2]) - float(ends[1])) * 1e6)
        print("worst", width, worst["Time"], repr(worst["MutatorUtil"]), sep="\t")


def main():
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "mmu-plot-*.json.gz"))):
        plot(path)
    for path in glob.glob(os.path.join(sys.argv[1], "mmu-details.json.gz")):
        details(path)


main()
