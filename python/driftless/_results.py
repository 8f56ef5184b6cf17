"""What runs leave: columns, models, tables, figures."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from ._figure import Figure, chosen, format_of, reported
from ._native import core
from ._varied import Setting, filled, key_called, names_of, typed, varied_keys

if TYPE_CHECKING:
    import pandas

Array = npt.NDArray[Any]
Path = Union[str, os.PathLike[str]]

# Columns that count things: whole numbers in a table.
_COUNTS = ("round", "gradients", "bytes_total", "bytes_busiest")


class Run:
    """One run: ``run["loss"]`` is a column of its metrics, `model` the average model of the nodes.

    `models` has a row for every node, `settings` the config by full names, and `outcome` is
    "finished", "diverged", "interrupted" or "unfinished".
    """

    def __init__(self, core_run: core.Run) -> None:
        self._core = core_run

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """Every key of the config of this run, by its full name."""
        return typed(self._core.settings)

    @cached_property
    def columns(self) -> dict[str, npt.NDArray[np.float64]]:
        """The metrics, by name; NaN where there is nothing."""
        return self._core.columns

    def __getitem__(self, column: str) -> npt.NDArray[np.float64]:
        try:
            return self.columns[column]
        except KeyError:
            raise KeyError(f"no column {column!r}; there are {', '.join(self.columns)}") from None

    @property
    def last(self) -> dict[str, float]:
        """The last row of the metrics, without what is empty."""
        rows = {name: values[-1] for name, values in self.columns.items() if len(values)}
        return {name: float(value) for name, value in rows.items() if not np.isnan(value)}

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows of the metrics as a DataFrame, without columns that are empty."""
        return Runs([self]).frame

    @property
    def outcome(self) -> str:
        """How it ended."""
        return self._core.outcome

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What summary.json says: network, traffic, versions …; empty for a run that goes on."""
        import json
        summary: dict[str, Any] = json.loads(self._core.summary or "{}")
        return summary

    @property
    def diagnosis(self) -> str:
        """Why a run that diverged did."""
        return str(self.summary.get("diagnosis") or "")

    @property
    def folder(self) -> Optional[pathlib.Path]:
        """Where its files lie, if it has any."""
        return pathlib.Path(self._core.folder) if self._core.folder else None

    @cached_property
    def model(self) -> Optional[Array]:
        """The average model."""
        return self._core.model

    @cached_property
    def models(self) -> Optional[Array]:
        """The models of all nodes, a row each."""
        return self._core.models

    def figure(self, metric: Optional[str] = None, against: Optional[str] = None,
               **options: Any) -> Figure:
        """As `Runs.figure`."""
        return Runs([self]).figure(metric, against, **options)

    def html(self, **options: Any) -> str:
        """As `Runs.html`."""
        return Runs([self]).html(**options)

    def _repr_html_(self) -> str:
        return Runs([self])._repr_html_()

    def __repr__(self) -> str:
        last = self.last
        level = next((f", {name} {last[name]:.4g}" for name in ("suboptimality", "loss")
                      if name in last), "")
        method = self.settings.get("algorithm.kind", "run")
        return f"<Run of {method}: {self.outcome}, {int(last.get('round', 0))} rounds{level}>"


class Runs(Sequence[Run]):
    """Runs, as a list of them, as tables, and as figures.

    >>> import driftless as dl
    >>> runs = dl.run({"problem": {"kind": "least_squares"}}, algorithm=["k-gt", "d-sgd"],
    ...               local_rate=1e-3, rounds=20, repetitions=2)
    >>> runs.frame.columns[:3].tolist(), len(runs.frame)
    (['algorithm', 'seed', 'round'], 84)
    >>> [run.settings["run.seed"] for run in runs.only(algorithm="d-sgd")]
    [1, 2]
    """

    def __init__(self, runs: Iterable[Union[Run, core.Run]]) -> None:
        self._runs = [run if isinstance(run, Run) else Run(run) for run in runs]

    @overload
    def __getitem__(self, at: int) -> Run: ...
    @overload
    def __getitem__(self, at: slice) -> Runs: ...
    def __getitem__(self, at: Union[int, slice]) -> Union[Run, Runs]:
        if isinstance(at, str):
            raise TypeError(f"runs[{at!r}]: a column is that of one run: runs[0][{at!r}]")
        return Runs(self._runs[at]) if isinstance(at, slice) else self._runs[at]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __add__(self, others: Sequence[Run]) -> Runs:
        return Runs([*self._runs, *others])

    def only(self, **settings: Any) -> Runs:
        """The runs with these settings, by the names of dl.run; a list means any of its values."""
        keys = sorted({key for run in self for key in run.settings})
        wanted = {}
        for name, value in settings.items():
            key = key_called(name, keys)
            if not key:
                raise core.ConfigError(f"only({name}=...): {core.unknown_key(name)}")
            name_of_class = getattr(value, "name", None) if isinstance(value, type) else None
            values = value if isinstance(value, (list, tuple)) else [name_of_class or value]
            wanted[key] = values
        all_settings = filled([run.settings for run in self])
        return Runs(run for run, its in zip(self, all_settings)
                    if all(its.get(key) in values for key, values in wanted.items()))

    @property
    def varied(self) -> list[dict[str, Setting]]:
        """For each run the settings that tell it from the others."""
        columns = core.metrics()
        all_settings = filled([run.settings for run in self])
        names = names_of(varied_keys(all_settings), list(columns))
        return [{name: its[key] for key, name in names.items() if key in its}
                for its in all_settings]

    @property
    def frame(self) -> pandas.DataFrame:
        """All rows of all runs. What varies comes first; columns that are empty are left out."""
        data = _varied_columns(self.varied, [len(run["round"]) for run in self])
        for name in dict.fromkeys(name for run in self for name in run.columns):
            values = np.concatenate([run.columns.get(name, _nothing(run)) for run in self])
            if not np.isnan(values).all():
                data[name] = values
        return _frame(data)

    @property
    def last(self) -> pandas.DataFrame:
        """The last row of each run, and its outcome."""
        data = _varied_columns(self.varied, [1] * len(self))
        data["outcome"] = [run.outcome for run in self]
        rows = [run.last for run in self]
        for name in dict.fromkeys(name for run in self for name in run.columns):
            if any(name in row for row in rows):
                data[name] = np.array([row.get(name, np.nan) for row in rows])
        return _frame(data)

    def figure(self, metric: Optional[str] = None, against: Optional[str] = None, *,
               scale: Optional[str] = None, panels: Optional[str] = None,
               only: Optional[Mapping[str, Any]] = None, y: Optional[str] = None,
               x: Optional[str] = None, ylim: Any = None, xlim: Any = None,
               band: Optional[str] = None, label: Optional[Mapping[str, str]] = None,
               colour: Optional[Mapping[str, str]] = None, width: int = 640) -> Figure:
        """A column of the metrics against a cost. The options are those of `driftless report`.

        ``runs.figure("test_accuracy", against="bytes_total").save("figure.pdf")``
        """
        choice = dict(metric=metric, against=against, scale=scale, panels=panels, only=only, y=y,
                      x=x, ylim=ylim, xlim=xlim, band=band, label=label, colour=colour, width=width)
        return Figure([run._core for run in self], choice)

    def html(self, **options: Any) -> str:
        """The page of the runs: one file that needs no other. Options as for `figure`."""
        _, choice = chosen(options)
        return reported([run._core for run in self], "html", choice).decode()

    def save(self, file: Path, **options: Any) -> None:
        """Writes a page (.html), a figure (.svg, .pdf, .png, .csv) or a table (.tex)."""
        path = pathlib.Path(file)
        if format_of(path) == "html":
            path.write_text(self.html(**options), encoding="utf-8")
        else:
            self.figure(**options).save(path)

    def _repr_html_(self) -> str:
        if not self._runs:
            return "no runs"
        import html
        page = html.escape(self.html(), quote=True)
        return (f'<iframe srcdoc="{page}" style="width: 100%; height: 640px; border: 0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def __repr__(self) -> str:
        few = [f"  {run!r}{_told(varied)}" for run, varied in zip(self._runs[:20], self.varied)]
        more = [f"  and {len(self) - 20} more"] if len(self) > 20 else []
        return "\n".join([f"{len(self)} runs" if len(self) != 1 else "1 run", *few, *more])


def read(*folders: Path) -> Runs:
    """The runs in these folders, of the program or of Python, also of those that go on."""
    return Runs(core.read([os.fspath(folder) for folder in folders]))


def _nothing(run: Run) -> npt.NDArray[np.float64]:
    return np.full(len(run["round"]), np.nan)


def _told(varied: Mapping[str, Setting]) -> str:
    said = ", ".join(f"{name}={value}" for name, value in varied.items() if name != "algorithm")
    return f" with {said}" if said else ""


def _varied_columns(varied: Sequence[Mapping[str, Setting]], rows: Sequence[int]) -> dict[str, Any]:
    """A column for each of the names, with as many rows of each run."""
    names = dict.fromkeys(name for each in varied for name in each)
    return {name: np.repeat(np.array([each.get(name) for each in varied], dtype=object), rows)
            for name in names}


def _frame(data: Mapping[str, Any]) -> pandas.DataFrame:
    try:
        import pandas
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "a DataFrame needs pandas: `pip install pandas`, or Debian's python3-pandas; "
            'run["loss"] is a numpy array without it', name="pandas") from None
    frame = pandas.DataFrame(data).infer_objects()
    whole = [name for name in _COUNTS if name in frame and not frame[name].isna().any()]
    return frame.astype({name: "int64" for name in whole})
