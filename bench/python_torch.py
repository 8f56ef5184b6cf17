#!/usr/bin/python3
"""K-GT on MNIST with the paper's CNN as a torch module of driftless.torch, in turns with something else; prints seconds of both.

    python_torch.py loop --data FOLDER     # a round beside one of the plain loop of torch_kgt.py: seconds of processor time
    python_torch.py threads --data FOLDER  # one thread beside two: seconds of some local steps
"""
import argparse
import time

import torch
import torch.nn.functional as F

import driftless as dl
import driftless.torch
from torch_kgt import KGT, Net, load, parts_of

N, BATCH, ETA = 10, 128, 0.001


class Unmeasured(driftless.torch.Problem):
    """Only rounds are timed."""

    def loss(self, node, x):
        return 0.0


def timed(clock, work):
    begin = clock()
    work()
    return clock() - begin


def driftless_round(problem, steps, threads):
    return dl.run(problem, algorithm="k-gt", topology="ring", local_steps=steps, local_rate=ETA, rounds=1, threads=threads, progress=False)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("loop", "threads"))
    p.add_argument("--data", required=True, help="folder with the MNIST idx files")
    p.add_argument("--K", type=int, default=47)
    p.add_argument("--turns", type=int, default=3)
    a = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    parts = parts_of(*load(a.data, "train"), N)
    problem = Unmeasured(Net(), F.cross_entropy, parts, batch=BATCH)
    if a.what == "loop":
        k_gt = KGT(parts, a.K, BATCH, ETA)
        clock, sides = time.process_time, (k_gt.round, lambda: driftless_round(problem, a.K, 1))
    else:
        clock, sides = time.perf_counter, (lambda: driftless_round(problem, a.K, 1), lambda: driftless_round(problem, a.K, 2))
    for side in sides:  # warm
        side()
    for _ in range(a.turns):
        print(*(f"{timed(clock, side):.4f}" for side in sides), flush=True)


if __name__ == "__main__":
    main()
