"""What the extension modules give: _core, and _core_mpi under mpirun."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union, final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Value = Union[bool, int, float, str, list[int], list[str]]

version: str
build: str

class InputError(ValueError):
    """What was asked for makes no sense, or a file is not what it claims to be."""

class ConfigError(InputError):
    """A request that makes no sense: an unknown key, an impossible value."""

class DataError(InputError):
    """A file whose contents are not what they claim to be."""

@final
class Draw:
    """Names one random draw: every number is a function of (seed, node, round, step)."""

    def __init__(self, seed: int = 0, node: int = 0, round: int = 0, step: int = 0, steps: int = 1) -> None: ...
    @property
    def run_seed(self) -> int:
        """The seed of the run."""
    @property
    def node(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def seed(self) -> int:
        """64 bits that name this draw, to seed another generator with."""
    def rng(self) -> np.random.Generator:
        """A numpy generator whose numbers are those of this draw, from the first."""
    def batch(self, size: int, count: int, sampling: str = "shuffle") -> npt.NDArray[np.int64]:
        """Of the samples 0 … count − 1, those that this draw's step sees."""
    def add_normal(self, out: Array, deviation: float = 1.0) -> None:
        """out += deviation · N(0, I), as the problems in C++ draw their noise."""

@final
class Draws:
    """The draws of several nodes, in their order."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> Draw: ...
    def add_normal(self, out: Array, deviation: float = 1.0) -> None:
        """out[k] += deviation · N(0, I) by the draw k, for every row of out."""

@final
class Run:
    """A run as its folder tells it."""

    @property
    def settings(self) -> dict[str, str]:
        """The config, by full names of its keys."""
    @property
    def columns(self) -> dict[str, npt.NDArray[np.float64]]:
        """metrics.csv; NaN where there is nothing."""
    @property
    def outcome(self) -> str: ...
    @property
    def summary(self) -> str:
        """summary.json; empty where the run has not ended."""
    @property
    def folder(self) -> str:
        """Where it lies; empty for a run in memory."""
    @property
    def models(self) -> Array | None:
        """Of all nodes, a row each."""
    @property
    def model(self) -> Array | None:
        """The average model."""

class Progress:
    """How far an experiment is; it may be asked from any thread."""

    def __init__(self) -> None: ...
    def line(self, columns: int) -> str:
        """For a terminal of so many columns; empty before the runs begin."""
    def text(self) -> str: ...

class Algorithm:
    """What a method in Python may ask for; made by the library, one for each run."""

    @property
    def x(self) -> Array: ...
    @property
    def options(self) -> dict[str, Value]: ...
    @property
    def local_steps(self) -> int: ...
    @property
    def communication_rate(self) -> float: ...
    @property
    def hosted(self) -> range: ...
    @property
    def nodes(self) -> int: ...
    def local_rate(self, t: int) -> float: ...
    def rows(self, name: str, correction: bool) -> Array: ...
    def mix(self, t: int, arrays: Sequence[Array], lazy: bool) -> None: ...
    def average(self, arrays: Sequence[Array]) -> None: ...
    def take_steps(self, y: Array, t: int, correction: Array | None, steps: int) -> None: ...
    def gradients(self, y: Array, t: int, step: int, full: bool) -> Array: ...
    def draw(self, node: int, t: int, step: int) -> Draw: ...

def keys() -> list[dict[str, Any]]:
    """Every key of a config: name, doc, type, choices, default, list."""

def unknown_key(name: str) -> str:
    """"unknown key …; did you mean …?"""

def toml_literal(value: Value) -> str: ...
def algorithms() -> dict[str, dict[str, Any]]:
    """Every method: title, summary, what it sends, its own options."""

def topologies() -> dict[str, str]: ...
def metrics() -> dict[str, str]: ...
def register_algorithm(name: str, title: str, summary: str, vectors_an_edge: int, vectors_a_server: int,
                       options: Sequence[tuple[str, Value, str]], make: Callable[[], Any]) -> None:
    """`make` gives a new object of the method for every run."""

def run(text: str, name: str, folder: str, overrides: Sequence[str], problem: Any, out: str, force: bool, resume: bool,
        threads: int, progress: Progress, each: Callable[[dict[str, float]], None] | None) -> tuple[list[Run], list[str], bool]:
    """Does the experiment of a TOML text; `folder` is where its paths begin. Gives the runs, warnings, and whether it
    was interrupted. `out` is empty for runs that leave no files."""

def read(folders: Sequence[str]) -> list[Run]: ...
def report(runs: Sequence[Run], format: str, choice: Mapping[str, Any], width: int) -> bytes:
    """A page (html), a figure (svg, png, pdf, csv) or a table (tex). `choice` has the options of `driftless report`."""

def split(labels: npt.NDArray[np.int64], nodes: int, kind: str, alpha: float, shards: int, seed: int) -> list[npt.NDArray[np.int64]]: ...
def topology(settings: Mapping[str, Value]) -> dict[str, Any]:
    """Of [network]'s keys: nodes, edges, degrees, p, gap, lambda_2, lambda_min, w; of links that change: period, p, p_rounds, links(t)."""

def rank() -> int: ...
def ranks() -> int: ...
def abort(exit_code: int) -> None: ...
def end() -> None:
    """Before the interpreter ends: runs under way stop, and MPI is finalised."""
