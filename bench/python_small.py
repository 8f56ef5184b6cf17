#!/usr/bin/python3
"""What Python costs on problems whose gradients cost nearly nothing, by processor time of one thread, all sides in turns.

    python_small.py callback         # microseconds of a callback that does nothing
    python_small.py round N NOISE    # milliseconds of a round of K-GT on the paper's synthetic problem, d = 50, K = 20
"""
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import driftless as dl
import numpy_kgt

DIM, STEPS = 50, 20
SOURCE = r"""
#include <stdint.h>
#include <string.h>
static const double *h, *q;
void setup(const double* curvatures, const double* offsets) { h = curvatures; q = offsets; }
void nothing(int32_t node, int64_t d, const double* x, uint64_t seed, int64_t t, int32_t k, double* g) { memcpy(g, x, 8 * d); }
void gradient(int32_t node, int64_t d, const double* x, uint64_t seed, int64_t t, int32_t k, double* restrict g) {
  const double* restrict qi = q + node * d;
  for (int64_t j = 0; j < d; ++j) g[j] = h[node] * x[j] - qi[j];
}
void local_step(int32_t node, int64_t d, double* restrict y, double rate, const double* restrict c, uint64_t seed, int64_t t, int32_t k) {
  const double hi = h[node], *restrict qi = q + node * d;
  for (int64_t j = 0; j < d; ++j) y[j] -= rate * (hi * y[j] - qi[j] + c[j]);
}
"""


def library():
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "small.c"), os.path.join(folder, "small.so")
        with open(source, "w") as file:
            file.write(SOURCE)
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-o", binary, source], check=True)
        return ctypes.CDLL(binary)


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


class Callbacks(dl.Problem):
    """∇F_i = h_i x − q_i + noise, a callback for each node and step."""

    def __init__(self, nodes, noise):
        i = np.arange(1.0, nodes + 1)[:, None]
        self.nodes, self.dim, self.deviation = nodes, DIM, noise / np.sqrt(DIM)
        self.h = i * i / nodes
        self.q = np.random.default_rng(0).standard_normal((nodes, DIM)) / np.sqrt(nodes)

    def gradient(self, node, x, draw, out):
        np.multiply(x, self.h[node], out=out)
        out -= self.q[node]
        if self.deviation:
            draw.add_normal(out, self.deviation)

    def loss(self, node, x):
        return 0.0


class AtOnce(Callbacks):
    def gradients(self, nodes, X, draws, out):
        np.multiply(X, self.h, out=out)
        out -= self.q
        if self.deviation:
            draws.add_normal(out, self.deviation)


def in_c(nodes, functions, whole_steps):
    problem = Callbacks(nodes, 0)
    functions.setup(*(ctypes.c_void_p(each.ctypes.data) for each in (problem.h, problem.q)))
    problem.native_gradient = address(functions.gradient)
    if whole_steps:
        problem.native_step = address(functions.local_step)
    return problem


def seconds(problem, rounds, rate=1e-5):
    begin = time.process_time()
    dl.run(problem, algorithm="k-gt", topology="ring", local_steps=STEPS, local_rate=rate, rounds=rounds, evaluate_every=rounds,
           gradient_metrics=False, threads=1, progress=False)
    return time.process_time() - begin


def seconds_a_round(problem, rounds):
    """Without the start and the two evaluations."""
    return (seconds(problem, rounds + 1) - seconds(problem, 1)) / rounds


def medians(ways, turns):
    taken = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            taken[name].append(way())
    return {name: statistics.median(each) for name, each in taken.items()}


def callback():
    class Nothing(Callbacks):
        def gradient(self, node, x, draw):
            return x

    nothing, copied = Nothing(10, 0), Nothing(10, 0)
    copied.native_gradient = address(library().nothing)
    took = medians({"python": lambda: seconds_a_round(nothing, 500), "c": lambda: seconds_a_round(copied, 500)}, 9)
    print(f"{1e6 * (took['python'] - took['c']) / STEPS / 10:.4f}")


def round_of(nodes, noise):
    def vectorised():
        return numpy_kgt.run(nodes, DIM, STEPS, rounds, 1e-5, 1.0, 1.0, noise, "roll", np.float64, 0)[1] / rounds

    rounds = max(10, 2000 // nodes)
    cpp = {"problem": {"kind": "least_squares", "dim": DIM, "heterogeneity": 1, "noise": noise * noise}, "network": {"nodes": nodes}}
    ways = {"numpy": vectorised,
            "callbacks": lambda: seconds_a_round(Callbacks(nodes, noise), rounds),
            "at-once": lambda: seconds_a_round(AtOnce(nodes, noise), rounds),
            "c++": lambda: seconds_a_round(cpp, 10 * rounds)}
    if not noise:
        functions = library()
        ways["c"] = lambda: seconds_a_round(in_c(nodes, functions, False), 10 * rounds)
        ways["c-step"] = lambda: seconds_a_round(in_c(nodes, functions, True), 10 * rounds)
    for name, took in medians(ways, 7).items():
        print(f"{name} {1e3 * took:.5f}")


if __name__ == "__main__":
    if sys.argv[1] == "callback":
        callback()
    else:
        round_of(int(sys.argv[2]), float(sys.argv[3]))
