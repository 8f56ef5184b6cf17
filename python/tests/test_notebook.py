"""Progress where a notebook's kernel shows it. Nothing of IPython is needed to test it: the kernel is known by its stream."""
import io
import sys
import types

import pytest

import driftless as dl
from test_run import Slow


class OutStream(io.StringIO):
    """As ipykernel's: no terminal, but a carriage return begins a line anew."""


OutStream.__module__ = "ipykernel.iostream"


def shown_by(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setattr("driftless._progress._QUIET", 0.1)
    stream = OutStream()
    monkeypatch.setattr(sys, "stderr", stream)
    run()
    return stream.getvalue()


KEYS = dict(algorithm="d-sgd", local_rate=0.1, rounds=10, threads=1)


def test_a_notebook_shows_a_line_that_is_drawn_anew_and_goes_away(monkeypatch):
    shown = shown_by(lambda: dl.run(Slow(), **KEYS), monkeypatch)
    drawn = shown.split("\r")
    assert "\n" not in shown and any("loss" in line for line in drawn)
    assert max(map(len, drawn)) <= 100 and drawn[-1] == "" and drawn[-2].strip() == ""


def test_a_run_that_fails_has_its_line_taken_away(monkeypatch):
    class Fails(Slow):
        def gradient(self, node, x, draw):
            if draw.round == 6:
                raise LookupError("no data")
            return super().gradient(node, x, draw)

    def fails():
        with pytest.raises(LookupError):
            dl.run(Fails(), **KEYS)

    drawn = shown_by(fails, monkeypatch).split("\r")
    assert any("loss" in line for line in drawn) and drawn[-2].strip() == ""


def test_quiet_is_quiet_in_a_notebook_too(monkeypatch):
    assert shown_by(lambda: dl.run(Slow(), progress=False, **KEYS), monkeypatch) == ""
