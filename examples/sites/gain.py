#!/usr/bin/env python3
"""gain.py [ALONE TOGETHER]: what each site gains on its own test patients, as mean (least–greatest) of the repetitions.

Reads `quality` of every summary.json below the folders of the two runs, runs/alone and runs/together unless others are named.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path


def figures(folder):
    """site file -> its accuracies and its areas under the curve, one a repetition."""
    found = defaultdict(lambda: ([], []))
    for file in sorted(Path(folder).glob("**/rep-*/summary.json")):
        summary = json.loads(file.read_text())
        quality = summary["quality"]
        if "worst_node" in quality:  # every site was tested on patients of its own
            sites = [(node["data"], node) for node in quality["nodes"]]
        else:
            name = next(name for name in summary["inputs"] if name.startswith("problem.data "))
            sites = [(name.split()[-1], quality)]
        for site, told in sites:
            found[site][0].append(told["accuracy"])
            found[site][1].append(told["auc"])
    return found


def mean(values):
    return sum(values) / len(values)


def spread(values):
    return f"{mean(values):.3f} ({min(values):.3f}–{max(values):.3f})"


def main():
    alone, together = map(figures, sys.argv[1:] or ["runs/alone", "runs/together"])
    print(f"{'site':<12}{'accuracy alone':<24}{'together':<24}{'gain':<8}{'AUC alone':<24}{'together':<24}gain")
    for site in sorted(alone):
        columns = ""
        for before, after in zip(alone[site], together[site]):
            columns += f"{spread(before):<24}{spread(after):<24}{mean(after) - mean(before):<+8.3f}"
        print(f"{site:<12}{columns}".rstrip())


main()
