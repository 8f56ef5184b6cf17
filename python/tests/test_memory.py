"""Thousands of runs in one interpreter, some of which fail, leave no memory behind."""
import gc
import os

import numpy as np
import pytest

import driftless as dl
from conftest import KGT, Mean

EVERY = 33  # of so many runs one fails: 300 of 10,000


class Fails(Mean):
    """Has thousands of numbers, so that a vector which is lost shows."""

    dim = 2000

    def __init__(self, fails):
        self.fails = fails

    def start(self, node):
        return np.zeros(self.dim)

    def gradient(self, node, x, draw):
        if self.fails and draw.round == 1 and node == 5:
            raise LookupError("no data")
        return x - node

    def loss(self, node, x):
        return float(x[0])


def megabytes():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def do_run(k, folder):
    """Each kind of run in turn."""
    method = ["d-sgd", KGT, "scaffold", "led"][k % 4]
    options = dict(algorithm=method, local_rate=0.1, local_steps=2, rounds=3, progress=False)
    if k % 10 == 7:
        options.update(out=folder / "runs", force=True)
    if k % EVERY == EVERY - 1:
        with pytest.raises(LookupError):
            dl.run(Fails(True), threads=1 + k % 2, **options)
        with pytest.raises(dl.ConfigError):
            dl.run(Fails(False), **{**options, "rounds": -1})
    else:
        run = dl.run(Fails(False), threads=1 + k % 2, **options)[0]
        assert run.models.shape == (8, 2000) and len(run["loss"]) == 4 and run.settings


def growth(first, last, folder):
    """By how many megabytes the process grew between two runs."""
    before = 0.0
    for k in range(last):
        if k == first:
            before = megabytes()
        do_run(k, folder)
    return megabytes() - before


# One of the vectors of each run would be 5 MB.
def test_hundreds_of_runs_leave_no_memory_behind(tmp_path):
    assert growth(150, 500, tmp_path) < 1


@pytest.mark.slow
def test_ten_thousand_runs_of_which_three_hundred_fail_leave_no_memory_behind(tmp_path):
    assert growth(3000, 10_000, tmp_path) < 2
