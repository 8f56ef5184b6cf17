"""Decentralised optimisation with local steps and gradient tracking.

>>> import numpy as np, driftless as dl
>>> class Mean(dl.Problem):
...     "Node i wants x = i; together they want the mean."
...     nodes, dim = 8, 3
...     def gradient(self, node, x, draw): return x - node
...     def loss(self, node, x): return 0.5 * np.sum((x - node) ** 2)
>>> runs = dl.run(Mean(), algorithm="k-gt", topology="ring", local_steps=5, local_rate=0.1,
...               rounds=60)
>>> runs[0].outcome, runs[0].model.round(6).tolist()
('finished', [3.5, 3.5, 3.5])

`run` does a problem or a config, `read` reads folders, `Problem` and `Algorithm` are what you write
yourself, and `driftless.torch.Problem` makes a problem of any torch module.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._figure import Figure
from ._model import Algorithm, Problem
from ._native import core as _core
from ._network import Topology, split, topology
from ._results import Run, Runs, read
from ._run import DriftlessWarning, Interrupted, rank, ranks, run

ConfigError = _core.ConfigError
DataError = _core.DataError
Draw = _core.Draw
InputError = _core.InputError
__version__: str = _core.version

#: What there is. Methods of your own are among them once they were used.
algorithms: dict[str, dict[str, Any]]
topologies: dict[str, str]
metrics: dict[str, str]
keys: list[dict[str, Any]]

__all__ = ["Algorithm", "ConfigError", "DataError", "Draw", "DriftlessWarning", "Figure",
           "InputError", "Interrupted", "Problem", "Run", "Runs", "Topology", "algorithms", "keys",
           "metrics", "rank", "ranks", "read", "run", "split", "topologies", "topology"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("algorithms", "topologies", "metrics", "keys"):
            return getattr(_core, name)()
        raise AttributeError(f"module 'driftless' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
