"""Which settings tell runs apart, and what tables call them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

from ._native import core

Setting = Union[bool, int, float, str]
Settings = Mapping[str, Setting]

# What tables, `only` and keywords of dl.run call these keys.
_CALLED = {"algorithm.kind": "algorithm", "problem.kind": "problem", "schedule.kind": "schedule"}
# Where several sections have a key of a name, it means that of the first of these.
_ORDER = ("algorithm", "run", "network", "problem", "faults", "compression", "schedule",
          "checkpoint", "tune")
# A run without these sections leaves them out: its values are the defaults.
_OMITTED = ("faults.", "compression.")


def typed(texts: Mapping[str, str]) -> dict[str, Setting]:
    """Settings as Python's values, by the types of their keys."""
    types = {key["name"]: key["type"] for key in core.keys()}
    return {name: _value(text, types.get(name, "")) for name, text in texts.items()}


def _value(text: str, type: str) -> Setting:
    if type in ("str", "path"):
        return text
    if text in ("true", "false"):
        return text == "true"
    for number in (float,) if type == "float" else (int, float):
        try:
            value: Setting = number(text)
            return value
        except ValueError:
            pass
    return text


def _short(key: str) -> str:
    return _CALLED.get(key, key.split(".")[-1])


def key_called(name: str, keys: Sequence[str]) -> str:
    """The full key that is meant by a name; "" where none is."""
    if name in keys:
        return name
    meant = [key for key in keys if _short(key) == name]
    return min(meant, key=lambda key: _ORDER.index(key.split(".")[0]) if key.split(".")[0] in _ORDER
               else len(_ORDER), default="")


def names_of(keys: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """What a table calls these keys: short names where they are clear."""
    known = [key["name"] for key in core.keys()]
    all_keys = known + [key for key in keys if key not in known]
    names = {}
    for key in keys:
        short = _short(key)
        clear = key_called(short, all_keys) == key and short not in columns
        names[key] = short if clear else key
    return names


def varied_keys(all_settings: Sequence[Settings]) -> list[str]:
    """The keys whose values differ between runs. A key that a run does not have tells nothing."""
    values: dict[str, set[Setting]] = {}
    for settings in filled(all_settings):
        for key, value in settings.items():
            values.setdefault(key, set()).add(value)
    varied = [key for key, found in values.items() if len(found) > 1]
    if "faults.seed" in varied and _follows_seed(all_settings):
        varied.remove("faults.seed")
    return sorted(varied, key=_place)


def filled(all_settings: Sequence[Settings]) -> list[Settings]:
    """With the defaults of sections that some of the runs have and others leave out."""
    present = dict.fromkeys(key for settings in all_settings for key in settings
                            if key.startswith(_OMITTED))
    if not present:
        return list(all_settings)
    defaults = {key["name"]: key["default"] for key in core.keys()}
    missing = {key: defaults.get(key) for key in present if key != "faults.seed"}
    known: dict[str, Any] = {key: value for key, value in missing.items() if value is not None}
    return [{**known, **settings} for settings in all_settings]


def _follows_seed(all_settings: Sequence[Settings]) -> bool:
    """Repetitions have a weather of their own: their two seeds go on together."""
    apart = {int(settings["faults.seed"]) - int(settings.get("run.seed", 0))
             for settings in all_settings if "faults.seed" in settings}
    return len(apart) == 1


def _place(key: str) -> tuple[bool, int]:
    section = key.split(".")[0]
    return key == "run.seed", _ORDER.index(section) if section in _ORDER else len(_ORDER)
