"""Networks and splits, without a run."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._native import core

Array = npt.NDArray[Any]


class Topology:
    """Who talks to whom, with which weights, and how quickly that mixes.

    `p` says how much a mix shrinks the distance to the mean: ‖Wx − x̄‖² ≤ (1 − p)‖x − x̄‖². Where
    links are others in every round, `p` is that of `p_rounds` rounds together.
    """

    def __init__(self, name: str, told: dict[str, Any]) -> None:
        self.name = name
        self.nodes: int = told["nodes"]
        self.p: float = told["p"]
        #: How many edges, and of each node; None where links change.
        self.edges: Optional[int] = told.get("edges")
        self.degrees: Optional[Array] = told.get("degrees")
        #: 1 − max(|λ₂|, |λ_min|), and these eigenvalues of W; None where links change.
        self.gap: Optional[float] = told.get("gap")
        self.lambda_2: Optional[float] = told.get("lambda_2")
        self.lambda_min: Optional[float] = told.get("lambda_min")
        #: After so many rounds links are the same again (0: never); None where they are fixed.
        self.period: Optional[int] = told.get("period")
        self.p_rounds: int = told.get("p_rounds", 1)
        self._rows, self._links = told.get("rows"), told.get("links")

    @property
    def w(self) -> Array:
        """W as a matrix; of round 0 where links change."""
        return self.links(0)

    def links(self, t: int) -> Array:
        """W of round t as a matrix."""
        start, columns, weights = self._links(t) if self._links else self._rows
        matrix = np.zeros((self.nodes, self.nodes))
        matrix[np.repeat(np.arange(self.nodes), np.diff(start)), columns] = weights
        return matrix

    def __repr__(self) -> str:
        return f"<Topology {self.name}: {self.nodes} nodes, p = {self.p:.4g}>"


def topology(name: str = "ring", *, nodes: Optional[int] = None, **keys: Any) -> Topology:
    """A topology of ``dl.topologies`` by its name; `keys` are those of [network].

    >>> import driftless as dl
    >>> torus = dl.topology("torus", nodes=64)
    >>> torus.nodes, round(torus.p, 4)
    (64, 0.2206)
    """
    settings = {"topology": name, "nodes": nodes, **keys}
    if "file" in keys:
        del settings["topology"]
    told = core.topology({key: value for key, value in settings.items() if value is not None})
    return Topology(str(keys.get("file", name)), told)


def split(labels: npt.ArrayLike, nodes: int, kind: str = "sorted", *, alpha: float = 0.1,
          shards: int = 2, seed: int = 1) -> list[npt.NDArray[np.int64]]:
    """Which samples each node has: for each node the places of its samples in `labels`.

    >>> import driftless as dl
    >>> [part.tolist() for part in dl.split([0, 1, 0, 1], nodes=2, kind="sorted")]
    [[0, 2], [1, 3]]
    """
    classes = np.asarray(labels)
    if classes.ndim != 1:
        raise ValueError(f"split: the labels have shape {classes.shape}, expected one axis")
    if classes.size and classes.dtype.kind not in "biu":
        raise TypeError(f"split: the labels are {classes.dtype}, expected whole numbers: classes "
                        "from 0")
    return core.split(classes.astype(np.int64), nodes, kind, alpha, shards, seed)
