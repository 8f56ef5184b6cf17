"""dl.run: a problem or a config, done."""
from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

from . import _config
from ._native import core
from ._progress import Progress
from ._results import Runs


class DriftlessWarning(UserWarning):
    """What the library warns of: a run that diverged, a file that was damaged."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the runs after a whole round. `runs` has what was done."""

    def __init__(self, runs: Runs, folder: str = "") -> None:
        self.runs = runs
        todo = f"; dl.run(..., out={folder!r}, resume=True) continues" if folder else ""
        super().__init__(f"stopped after a whole round{todo}")


def run(problem: Any = None, /, *, set: Optional[Mapping[str, Any]] = None,
        out: Union[str, os.PathLike[str], None] = None, force: bool = False, resume: bool = False,
        threads: Optional[int] = None, progress: Optional[bool] = None,
        each: Optional[Callable[[dict[str, float]], None]] = None, **keys: Any) -> Runs:
    """Does the runs of a problem and of keys of the config, and gives what came of them.

    >>> import numpy as np, driftless as dl
    >>> class Mean(dl.Problem):
    ...     nodes, dim = 8, 3
    ...     def gradient(self, node, x, draw): return x - node
    ...     def loss(self, node, x): return 0.5 * np.sum((x - node) ** 2)
    >>> runs = dl.run(Mean(), algorithm=["d-sgd", "k-gt"], topology="ring", local_steps=5,
    ...               local_rate=0.1, rounds=60)
    >>> len(runs), runs.only(algorithm="k-gt")[0].model.round(6).tolist()
    (2, [3.5, 3.5, 3.5])

    The first argument is a problem (see `Problem`), the path of a config file, or a dict of its
    sections. Without one the keywords say all.

    **Keywords** are the config's own keys by their last names: ``local_rate`` means
    algorithm.local_rate. Sections may be given as dicts, ``faults=dict(drop=0.1)``, or by what they
    choose, ``algorithm="k-gt"``, ``schedule="cosine"``. A list is swept, and a list in ``tune`` is
    tried: ``tune=dict(local_rate=[0.01, 0.1], metric="loss")``. An `Algorithm` stands for its name.

    - ``set``: keys by their full names, which override all others: ``{"run.rounds": 50}``
    - ``out``: the folder for files of the runs, as the program leaves them; without it there are
      none
    - ``force``: replace what ``out`` holds
    - ``resume``: continue what ``out`` holds
    - ``threads``: how many; all cores by default. The results are the same
    - ``progress``: False for silence
    - ``each``: is told every row of metrics as it comes

    Faults of the request are a `ConfigError`, all at once; those of files a `DataError`. What the
    problem raises arrives as it is. Ctrl-C finishes the round and raises `Interrupted`.
    """
    request = _request(problem, keys, {} if set is None else set)
    folder = "" if out is None else os.fspath(out)
    for name, asked in (("force", force), ("resume", resume)):
        if asked and not folder:
            raise core.ConfigError(f"{_config.NAME}({name}=True): needs out=..., the runs' folder")
    given = problem if _is_problem(problem) else None
    with Progress(progress) as shown:
        try:
            runs, words, interrupted = core.run(
                request.text, request.name, request.folder, request.overrides, given, folder,
                force, resume, _threads(threads), shown.core, each)
        except core.InputError as error:
            raise type(error)(request.translated(str(error))) from None
    done = Runs(runs)
    _warn([request.translated(each) for each in words], done)
    if interrupted:
        raise Interrupted(done, folder)
    return done


def rank() -> int:
    """This process's place among those that mpirun started; 0 without it."""
    return core.rank()


def ranks() -> int:
    """How many processes mpirun started; 1 without it."""
    return core.ranks()


def _is_problem(given: Any) -> bool:
    return given is not None and not isinstance(given, (str, os.PathLike, Mapping))


def _request(given: Any, keys: Mapping[str, Any], set: Mapping[str, Any]) -> _config.Request:
    if _is_problem(given):
        _check_problem(given)
        return _config.of_keywords({}, keys, set, given)
    if given is None or isinstance(given, Mapping):
        return _config.of_keywords(given or {}, keys, set)
    return _config.of_file(os.fspath(given), keys, set)


def _check_problem(given: Any) -> None:
    """A class in an object's place, or something else altogether."""
    name = given.__name__ if isinstance(given, type) else type(given).__name__
    if isinstance(given, type):
        raise TypeError(f"{_config.NAME}: {name} is a class; give an object of it: {name}()")
    missing = [each for each in ("nodes", "dim", "loss") if not hasattr(given, each)]
    if not any(hasattr(given, each) for each in ("gradient", "gradients", "native_gradient")):
        missing.append("gradient")
    if missing:
        raise TypeError(f"{_config.NAME}: {name} has no {', '.join(missing)}; expected a problem, "
                        "the path of a config file or a dict of its sections")
    for each in ("nodes", "dim"):
        if not hasattr(getattr(given, each), "__index__"):
            raise TypeError(f"{name}.{each} is {getattr(given, each)!r}, expected a whole number")


def _threads(asked: Optional[int]) -> int:
    """0 is all cores, which the ranks of a machine share."""
    if asked is not None and asked < 1:
        raise core.ConfigError(f"{_config.NAME}(threads={asked}): expected at least 1")
    return asked or 0


def _warn(words: list[str], runs: Runs) -> None:
    lost = [run for run in runs if run.outcome == "diverged"]
    if lost:
        several = f"{len(lost)} of {len(runs)} runs diverged; the first: " if len(runs) > 1 else ""
        words = [*words, f"{several}{lost[0].diagnosis or 'diverged'}"]
    for each in words:
        warnings.warn(each, DriftlessWarning, stacklevel=3)
