"""What dl.run is asked for, as one TOML text that the library itself reads and checks."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Optional

import numpy as np

from ._model import Algorithm, register
from ._native import core

#: What the library calls a text that was made here; its words on faults begin with it.
NAME = "dl.run"

# A keyword may be the last part of a key; it is looked for in these sections, in this order.
_SECTIONS = ("algorithm", "run", "network", "problem")
# The key that is meant where a section is given a value and not a dict of keys.
_MAIN_KEYS = {"algorithm": "kind", "problem": "kind", "network": "topology", "schedule": "kind",
              "compression": "codec"}


class Request(NamedTuple):
    """The config as core.run takes it."""

    text: str
    name: str
    folder: str
    overrides: list[str]
    #: How the caller wrote what the library calls "dl.run:3" or "--set run.rounds=50".
    places: dict[str, str]

    def translated(self, words: str) -> str:
        """The library's words on a fault, with the caller's own places."""
        return "\n".join(map(self._line, words.split("\n")))

    def _line(self, line: str) -> str:
        for place, said in self.places.items():
            if line.startswith(place + ": "):
                words = line[len(place):]
                # A missing key is told at the line where its section begins, which nobody wrote.
                return (NAME if " is missing; " in words else said) + words
        return line


class KnownKeys:
    """The keys of a config, by the library's own description of them."""

    def __init__(self) -> None:
        self._takes_list = {key["name"]: bool(key["list"]) for key in core.keys()}
        self.sections = {name.split(".")[0] for name in self._takes_list}

    def __contains__(self, key: str) -> bool:
        return key in self._takes_list

    def takes_list(self, key: str) -> bool:
        return self._takes_list.get(key, False)

    def full(self, name: str, sections: tuple[str, ...] = _SECTIONS) -> str:
        """algorithm.local_rate for local_rate; a name that there is not as it is."""
        if name in _MAIN_KEYS:
            return f"{name}.{_MAIN_KEYS[name]}"
        keys = (f"{section}.{name}" for section in sections)
        return next((key for key in keys if key in self), name)


class _Given(NamedTuple):
    value: Any
    place: str  # as the caller wrote it: dl.run(local_rate=...)


def _nested(names: tuple[str, ...]) -> str:
    text = "..."
    for name in reversed(names):
        text = f"{{{name!r}: {text}}}"
    return text


class Layer:
    """Keys that were given in one place. `argument` is that of dl.run; None: its keywords."""

    def __init__(self, keys: KnownKeys, argument: Optional[str] = None) -> None:
        self._keys, self._argument = keys, argument
        self.plain: dict[str, _Given] = {}
        self.swept: dict[str, _Given] = {}
        self.tuned: dict[str, _Given] = {}
        self.grids: list[dict[str, _Given]] = []  # of several [[sweep]]
        self.faults: list[str] = []

    def add_all(self, given: Mapping[str, Any]) -> None:
        """Keys and whole sections."""
        for name, value in given.items():
            if name == "sweep":
                self._add_sweep(value)
            elif isinstance(value, Mapping) and name in self._keys.sections:
                self._add_section(name, value)
            elif name in _MAIN_KEYS or name not in self._keys.sections:
                self._add(self._keys.full(name), value, name)
            elif value is not None:
                self._fault(f"expected a dict of the keys of [{name}], found {value!r}", name)

    def set(self, key: str, value: Any, place: str) -> None:
        self.plain[key] = _Given(value, place)

    def _add_section(self, section: str, given: Mapping[str, Any]) -> None:
        for name, value in given.items():
            key = name if "." in name else f"{section}.{name}"
            if section == "tune" and key not in self._keys:
                key = self._keys.full(name, ("algorithm", "schedule"))
                if "." in key:
                    self._put(self.tuned, key, self._plain(value, section, name), section, name)
                    continue
                key = f"{section}.{name}"
            self._add(key, value, section, name)

    def _add_sweep(self, given: Any) -> None:
        if not isinstance(given, Mapping):  # several grids, one after the other
            self.grids = [{} for _ in given]
        grids = [(self.swept, given)] if not self.grids else zip(self.grids, given)
        for into, grid in grids:
            for name, value in grid.items():
                values = self._plain(value, "sweep", name)
                self._put(into, self._keys.full(name), values, "sweep", name)

    def _add(self, key: str, value: Any, *names: str) -> None:
        value = self._plain(value, *names)
        is_list = isinstance(value, list)
        if is_list and self._keys.takes_list(key):  # a list of lists is swept
            is_list = any(isinstance(each, list) for each in value)
        self._put(self.swept if is_list else self.plain, key, value, *names)

    def _put(self, into: dict[str, _Given], key: str, value: Any, *names: str) -> None:
        if value is None:
            return
        for other in (self.plain, self.swept):
            if key in other:
                self._fault(f"{key} is given by {other[key].place} too; remove one", *names)
        into[key] = _Given(value, self._place(*names))

    def _plain(self, value: Any, *names: str) -> Any:
        """Lists for arrays, Python's numbers for numpy's."""
        if isinstance(value, (np.ndarray, np.generic)):
            value = value.tolist()
        if isinstance(value, (list, tuple, range)):
            return [self._plain(each, *names) for each in value]
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        self._fault(f"expected a number, a text or a list of them, found {value!r}", *names)
        return None

    def _fault(self, words: str, *names: str) -> None:
        self.faults.append(f"{self._place(*names)}: {words}")

    def _place(self, *names: str) -> str:
        if self._argument is None:
            return f"{NAME}({names[0]}={_nested(names[1:])})"
        return f"{NAME}({self._argument}{_nested(names)})"

    def overridden_by(self, other: Layer) -> None:
        """A key that `other` has is not set, swept or tuned here any more."""
        theirs = {key for keys in (other.plain, other.swept, other.tuned, *other.grids)
                  for key in keys}
        for mine in (self.plain, self.swept, self.tuned, *self.grids):
            for key in theirs.intersection(mine):
                del mine[key]
        self.plain.update(other.plain)
        self.swept.update(other.swept)
        self.tuned.update(other.tuned)
        self.grids = other.grids or self.grids
        self.faults += other.faults

    def lines(self) -> Iterator[tuple[str, str]]:
        """A line for each key, and who said it."""
        for key, given in self.plain.items():
            yield f"{_dotted(key)} = {_literal(given.value)}", given.place
        for key, given in self.tuned.items():
            yield f"tune.{_quoted(key)} = {_literal(given.value)}", given.place
        if not self.grids:
            for key, given in self.swept.items():
                yield f"sweep.{_quoted(key)} = {_literal(given.value)}", given.place
        for grid in self.grids:
            yield "[[sweep]]", NAME
            for key, given in {**self.swept, **grid}.items():
                yield f"{_quoted(key)} = {_literal(given.value)}", given.place


def _quoted(key: str) -> str:
    return core.toml_literal(key)


def _dotted(key: str) -> str:
    return ".".join(part if re.fullmatch("[A-Za-z0-9_-]+", part) else _quoted(part)
                    for part in key.split("."))


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return core.toml_literal(value)


def _named(given: Any) -> Any:
    """The same with names for classes of methods, whose options are keys from then on."""
    if isinstance(given, type) and issubclass(given, Algorithm):
        return register(given)
    if isinstance(given, Mapping):
        return {name: _named(value) for name, value in given.items()}
    return [_named(each) for each in given] if isinstance(given, (list, tuple)) else given


def _checked(layer: Layer) -> None:
    if layer.faults:
        count = [f"{len(layer.faults)} faults in {NAME}"] if len(layer.faults) > 1 else []
        raise core.ConfigError("\n".join(count + layer.faults))


def of_keywords(config: Mapping[str, Any], keywords: Mapping[str, Any], set: Mapping[str, Any],
                problem: Any = None) -> Request:
    """Of a dict of sections, if any, which keywords override, which `set` overrides."""
    config, keywords, set = _named(config), _named(keywords), _named(set)
    keys = KnownKeys()
    whole = Layer(keys, "")
    if problem is not None:
        _describe(problem, whole)
    for given, argument in ((config, ""), (keywords, None), (set, "set=")):
        layer = Layer(keys, argument)
        layer.add_all(given)
        whole.overridden_by(layer)
    _checked(whole)
    lines = list(whole.lines())
    places = {f"{NAME}:{number}": said for number, (_, said) in enumerate(lines, start=1)}
    text = "".join(line + "\n" for line, _ in lines)
    return Request(text, NAME, ".", [], places)


def of_file(path: str, keywords: Mapping[str, Any], set: Mapping[str, Any]) -> Request:
    """Of a config file; keywords and `set` are what --set is to the program."""
    keywords, set = _named(keywords), _named(set)
    keys = KnownKeys()
    whole = Layer(keys)
    for given, argument in ((keywords, None), (set, "set=")):
        layer = Layer(keys, argument)
        layer.add_all(given)
        whole.overridden_by(layer)
    if whole.grids:
        whole.faults.append(f"{NAME}(sweep=...): {path} says itself what is swept")
    _checked(whole)
    given = {**whole.plain, **whole.swept, **whole.tuned}
    overrides = {f"{key}={_literal(each.value)}": each.place for key, each in given.items()}
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError:
        raise core.DataError(f"{path}: not a text in UTF-8") from None
    places = {f"--set {override}": place for override, place in overrides.items()}
    return Request(text, path, os.path.dirname(path) or ".", list(overrides), places)


def _describe(problem: Any, layer: Layer) -> None:
    """What a Python problem says of itself; a caller's words on these keys override it."""
    name = type(problem).__name__
    has_full_gradient = getattr(problem, "full_gradient", None) is not None
    learns = getattr(problem, "samples", None) is not None
    layer.set("problem.kind", "python", name)
    layer.set("problem.class", name, name)
    layer.set("problem.parameters", int(problem.dim), f"{name}.dim")
    layer.set("problem.dtype", np.dtype(getattr(problem, "dtype", float)).name, f"{name}.dtype")
    layer.set("network.nodes", int(problem.nodes), f"{name}.nodes")
    layer.set("run.gradient_metrics", has_full_gradient and not learns, f"{name}.full_gradient")
