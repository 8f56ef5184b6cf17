"""Figures, tables and pages of runs, as `driftless report` makes them."""
from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

from ._native import core

_FORMATS = ("html", "svg", "png", "pdf", "csv", "tex")


class Figure:
    """A figure of runs: a notebook shows it, and `save` writes it."""

    def __init__(self, runs: Sequence[core.Run], choice: Mapping[str, Any]) -> None:
        self._runs = list(runs)
        self._width, self._choice = chosen(choice)

    @property
    def svg(self) -> str:
        """The figure as text."""
        return self._as("svg").decode()

    def save(self, file: Union[str, os.PathLike[str]]) -> None:
        """Writes a .svg, .png, .pdf, .csv, .tex or .html: the suffix tells which."""
        path = pathlib.Path(file)
        path.write_bytes(self._as(format_of(path)))

    def _as(self, format: str) -> bytes:
        return reported(self._runs, format, self._choice, self._width)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._choice.items())
        return f"<Figure of {len(self._runs)} runs{': ' if shown else ''}{shown}>"


def reported(runs: Sequence[core.Run], format: str, choice: Mapping[str, Any],
             width: int = 0) -> bytes:
    """What `driftless report` makes of runs."""
    if not runs:
        raise core.ConfigError("there are no runs to show")
    try:
        return core.report(runs, format, choice, width)
    except core.InputError as error:  # which calls options as the program does
        raise type(error)(re.sub(r"--([a-z]+)", r"\1", str(error))) from None


def format_of(path: pathlib.Path) -> str:
    """By the suffix."""
    suffix = path.suffix.lower()[1:]
    if suffix not in _FORMATS:
        raise core.ConfigError(f"{path}: a figure's suffix is one of {', '.join(_FORMATS)}")
    return suffix


def chosen(options: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """The width of a figure, and the other options of `driftless report` that are given."""
    given = {name: value for name, value in options.items() if value is not None}
    width = int(given.pop("width", 640))
    for name in ("xlim", "ylim"):
        if name in given:
            given[name] = _limits(name, given[name])
    for name in ("only", "label", "colour"):
        if name in given:
            given[name] = {str(key): _text(value) for key, value in dict(given[name]).items()}
    return width, given


def _limits(name: str, given: Any) -> str:
    """(0, None) as `driftless report` writes it: 0:"""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise core.ConfigError(f"{name} {given!r}: expected (low, high), of which one may be None")
    low, high = ("" if end is None else repr(float(end)) for end in given)
    return f"{low}:{high}"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
