"""Small torch problems that tests, and the programs that they start, share."""
from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

import driftless.torch

OPTIONS: dict[str, Any] = dict(algorithm="k-gt", local_steps=4, local_rate=0.05, rounds=6)


def samples(nodes: int = 4, count: int = 60,
            dtype: torch.dtype = torch.float32) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Inputs of eight numbers and three classes, for each node."""
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(count, 8, generator=generator).to(dtype),
             torch.randint(0, 3, (count,), generator=generator)) for _ in range(nodes)]


def net(*layers: nn.Module, dtype: torch.dtype = torch.float32) -> nn.Sequential:
    """Two linear layers with others between them, always with the same numbers."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), *layers, nn.Linear(16, 3)).to(dtype)


def problem(*layers: nn.Module, **options: Any) -> driftless.torch.Problem:
    """Of net(layers)."""
    return driftless.torch.Problem(net(*layers), F.cross_entropy, samples(),
                                   **{"batch": 16, **options})


def with_dropout(**options: Any) -> driftless.torch.Problem:
    """A problem whose gradients are random beyond their batches."""
    return problem(nn.Dropout(0.4), **options)
