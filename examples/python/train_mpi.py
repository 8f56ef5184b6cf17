"""The same script in one process and over MPI ranks, with the same bits.

Shows that nothing but the start differs: every rank builds the problem, is asked for its own nodes
alone, and gets all results. Dropout is part of the problem: its masks follow the seed.

    python3 examples/python/train_mpi.py
    mpirun -n 4 python3 examples/python/train_mpi.py
"""
import hashlib

import torch
import torch.nn.functional as F
from torch import nn

import driftless as dl
import driftless.torch

NODES, CLASSES = 8, 4


class Site(torch.utils.data.Dataset):
    """The samples of one node. They are made (or read) where the node is trained, and only there."""

    def __init__(self, node, samples=300):
        self.node, self.samples, self.table = node, samples, None

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        if self.table is None:
            self.table = self.read()
        x, y = self.table
        return x[index], y[index]

    def read(self):
        numbers = torch.Generator().manual_seed(self.node)
        y = (torch.arange(self.samples) + self.node) % 2 + self.node % (CLASSES - 1)  # two classes
        x = 2 * F.one_hot(y, CLASSES) + torch.randn(self.samples, CLASSES, generator=numbers)
        return x, y


def main():
    torch.manual_seed(0)  # all ranks begin with the same model
    model = nn.Sequential(nn.Linear(CLASSES, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, CLASSES))
    problem = driftless.torch.Problem(model, F.cross_entropy, [Site(node) for node in range(NODES)],
                                      batch=32)
    run = dl.run(problem, algorithm="k-gt", topology="ring", local_steps=5, local_rate=0.1,
                 rounds=20, evaluate_every=5)[0]
    if dl.rank() == 0:
        print(f"{run}, models {hashlib.sha256(run.models.tobytes()).hexdigest()[:16]}")


if __name__ == "__main__":
    main()
