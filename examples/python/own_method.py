"""A method of one's own in twenty lines: K-GT with momentum, beside the K-GT of the library.

Shows rows that a checkpoint keeps, local steps, a mix of two arrays in one letter, and an option
that is a key of the config: it is swept here. Without momentum the bits are those of K-GT.

    python3 examples/python/own_method.py
"""
from typing import Annotated

import numpy as np

import driftless as dl


class MomentumKGT(dl.Algorithm):
    """K-GT whose rounds have momentum."""

    vectors_an_edge = 2
    momentum: Annotated[float, "how much of the last round's direction is kept"] = 0.5

    def begin(self):
        self.c = self.rows("c", correction=True)  # a row a node; Σ_i c_i = 0 for ever
        self.m = self.rows("m")

    def round(self, t):
        y, reach = self.x.copy(), self.K * self.rate(t)
        self.local_steps(y, t, self.c)  # K corrected steps of every node, in parallel, in C++
        z = (1 / reach) * (self.x - y)  # the direction that each node took
        self.c -= z
        self.m[:] = self.momentum * self.m + z
        self.x -= reach * self.communication_rate * self.m
        self.mix(t, self.x, z)  # one letter an edge carries both
        self.c += z


if __name__ == "__main__":
    problem = dict(problem=dict(kind="least_squares", heterogeneity=10.0), nodes=10)
    setting = dict(topology="ring", local_steps=20, local_rate=5e-4, rounds=150, target=1e-3)
    k_gt = dl.run(problem, algorithm="k-gt", **setting)
    own = dl.run(problem, algorithm=MomentumKGT, momentum=[0.0, 0.3, 0.6], **setting)
    print("without momentum the bits of K-GT:", np.array_equal(own[0].models, k_gt[0].models))
    print(own.last[["momentum", "round", "suboptimality", "consensus", "bytes_total"]])
