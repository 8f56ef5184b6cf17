"""Ten labs fit one line through readings that never leave them: a problem in numpy.

Shows a problem with a gradient, a loss and a known minimum, three methods side by side, and what
comes back as arrays and as a table.

    python3 examples/python/least_squares.py
"""
import numpy as np

import driftless as dl


class Labs(dl.Problem):
    """f_i(x) = mean over the readings of lab i of ½ (aᵀx − b)²."""

    nodes, dim = 10, 4

    def __init__(self, readings=200, batch=20):
        rng = np.random.default_rng(5)
        self.a = rng.standard_normal((self.nodes, readings, self.dim))
        self.a[:, :, 0] *= np.linspace(0.5, 2, self.nodes)[:, None]  # labs measure other ranges …
        bias = np.linspace(-2, 2, self.nodes)[:, None]               # … with instruments of their own
        noise = 0.1 * rng.standard_normal((self.nodes, readings))
        self.b = self.a @ [1.0, -1.0, 2.0, 0.5] + bias * self.a[:, :, 1] + noise
        self.samples, self.batch = [readings] * self.nodes, batch
        best, *_ = np.linalg.lstsq(self.a.reshape(-1, self.dim), self.b.ravel(), rcond=None)
        self.optimum = best, np.mean([self.loss(node, best) for node in range(self.nodes)])

    def gradient(self, node, x, draw):
        chosen = draw.batch(self.batch, self.samples[node])  # the same for every method and rank
        a, b = self.a[node, chosen], self.b[node, chosen]
        return a.T @ (a @ x - b) / len(b)

    def full_gradient(self, node, x, draw):
        return self.a[node].T @ (self.a[node] @ x - self.b[node]) / len(self.b[node])

    def loss(self, node, x):
        return 0.5 * np.mean((self.a[node] @ x - self.b[node]) ** 2)


if __name__ == "__main__":
    labs = Labs()
    runs = dl.run(labs, algorithm=["d-sgd", "k-gt", "led"], topology="ring", local_steps=10,
                  local_rate=0.02, rounds=100, repetitions=3, gradient_metrics=True)
    columns = ["suboptimality", "grad_norm2", "consensus", "bytes_total"]
    print(runs.last.groupby("algorithm")[columns].mean().round(6))
    k_gt = runs.only(algorithm="k-gt")[0]
    print("K-GT's line:", k_gt.model.round(2), "the best line:", labs.optimum[0].round(2))
