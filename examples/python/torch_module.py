"""A torch module over ten nodes that have one class each: which method, at which rate?

Shows any module as a problem (here with dropout and weight decay), a sweep over methods and rates,
the rows as a table, a figure, and the trained module back. It leaves runs/torch_module and
runs/torch_module.svg.

    python3 examples/python/torch_module.py
"""
import torch
import torch.nn.functional as F
from torch import nn

import driftless as dl
import driftless.torch


def blobs(samples, classes=10, dim=12):
    """Points around a centre for each class."""
    torch.manual_seed(1)
    y = torch.arange(samples) % classes
    return torch.randn(classes, dim)[y] + torch.randn(samples, dim), y


def main():
    x, y = blobs(3000)
    train, test = slice(0, 2000), slice(2000, None)
    parts = dl.split(y[train], nodes=10, kind="sorted")  # or "dirichlet", "shards", "random"
    model = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 10))
    problem = driftless.torch.Problem(model, F.cross_entropy, [(x[p], y[p]) for p in parts],
                                      batch=32, test=(x[test], y[test]), weight_decay=1e-4)

    runs = dl.run(problem, algorithm=["d-sgd", "k-gt", "led"], local_rate=[0.02, 0.1],
                  topology="ring", local_steps=10, rounds=40, evaluate_every=4,
                  out="runs/torch_module", force=True)
    print(runs.last.pivot(index="local_rate", columns="algorithm", values="node_accuracy"))
    runs.save("runs/torch_module.svg", metric="node_accuracy", against="bytes_total")

    best = max(runs, key=lambda run: run["node_accuracy"][-1])
    trained = problem.load(best.model)  # a module again, as usual
    with torch.no_grad():
        right = (trained.eval()(x[test]).argmax(1) == y[test]).float().mean()
    print(f"{best}, of which the average model is right for {right:.0%} of the test samples")


if __name__ == "__main__":
    main()
