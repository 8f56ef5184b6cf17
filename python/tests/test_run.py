"""dl.run with problems of Python: sweeps, tuning, weather, folders, progress."""
import io
import re
import sys
import time
import warnings

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, digest, driftless, same

TWO = {**K_GT, "algorithm": ["d-sgd", "k-gt"], "repetitions": 2}


def test_lists_are_swept_and_each_run_is_the_one_that_stands_alone():
    runs = dl.run(Synthetic(), algorithm=["d-sgd", "k-gt"], topology=["ring", "torus"],
                  local_steps=5, local_rate=1e-3, rounds=4, repetitions=2)
    assert len(runs) == 8
    alone = dl.run(Synthetic(), algorithm="k-gt", topology="torus", local_steps=5, local_rate=1e-3,
                   rounds=4, seed=2)
    assert same(runs.only(algorithm="k-gt", topology="torus", seed=2), alone)


@pytest.mark.parametrize("problem", [Mean, Synthetic])
@pytest.mark.parametrize("method", ["k-gt", KGT])
def test_any_number_of_threads_gives_the_same_bits(problem, method):
    options = {**K_GT, "algorithm": ["led", method], "repetitions": 2}
    one = dl.run(problem(), threads=1, **options)
    assert same(one, dl.run(problem(), threads=2, **options))
    assert same(one, dl.run(problem(), threads=4, **options))


def test_what_tells_runs_apart_has_the_same_order_every_time():
    weather = dict(drop=0.2, burst=3.0, late=0.1, late_rounds=2, pause=0.1)
    runs = dl.run(Mean(), faults=weather, **K_GT) + dl.run(Mean(), compression="int4", **K_GT)
    assert list(runs.varied[1]) == ["burst", "drop", "late", "late_rounds", "pause", "codec"]


def test_settings_have_the_types_of_their_keys():
    settings = dl.run(Mean(), **{**K_GT, "local_rate": 1})[0].settings
    names = ("algorithm.local_rate", "algorithm.local_steps", "run.drift", "network.topology")
    assert [type(settings[name]) for name in names] == [float, int, bool, str]


def test_files_change_nothing_and_are_the_programs(tmp_path):
    runs = dl.run(Mean(), out=tmp_path / "runs", **TWO)
    assert same(runs, dl.run(Mean(), **TWO)) and same(runs, dl.read(tmp_path / "runs"))
    assert [run.folder.relative_to(tmp_path).as_posix() for run in runs] == [
        "runs/kind=d-sgd/rep-1", "runs/kind=d-sgd/rep-2",
        "runs/kind=k-gt/rep-1", "runs/kind=k-gt/rep-2"]
    for file in ("config.toml", "metrics.csv", "summary.json", "model.npy", "nodes.npy"):
        assert (runs[0].folder / file).exists()
    assert np.array_equal(np.load(runs[3].folder / "nodes.npy"), runs[3].models)


def test_the_program_reports_on_a_folder_of_a_python_problem(tmp_path):
    dl.run(Mean(), out=tmp_path / "runs", **TWO)
    ended = driftless("report", tmp_path / "runs", "-o", tmp_path / "page.html")
    assert ended.returncode == 0, ended.stderr
    assert "k-gt" in (tmp_path / "page.html").read_text()
    ended = driftless("report", tmp_path / "runs", "-o", tmp_path / "rows.csv")
    assert ended.returncode == 0 and "d-sgd" in (tmp_path / "rows.csv").read_text()


def test_the_program_cannot_run_a_problem_of_python_and_says_so(tmp_path):
    dl.run(Mean(), out=tmp_path / "runs", **K_GT)
    ended = driftless("run", tmp_path / "runs" / "config.toml", "--out", tmp_path / "again")
    assert ended.returncode == 2 and "python" in ended.stderr
    assert not (tmp_path / "again").exists()


def test_a_folder_that_holds_runs_is_kept_unless_force(tmp_path):
    dl.run(Mean(), out=tmp_path / "runs", **K_GT)
    with pytest.raises(dl.ConfigError, match="force"):
        dl.run(Mean(), out=tmp_path / "runs", **K_GT)
    again = dl.run(Mean(), out=tmp_path / "runs", force=True, **{**K_GT, "rounds": 3})
    assert again[0]["round"][-1] == 3


def test_tuning_chooses_for_a_problem_of_python(tmp_path):
    tune = dict(local_rate=[1e-5, 1e-2, 1e9], metric="loss")
    keys = dict(algorithm=["k-gt", "d-sgd"], local_steps=3, rounds=20, tune=tune)
    runs = dl.run(Mean(), **keys)
    assert [run.settings["algorithm.local_rate"] for run in runs] == [1e-2, 1e-2]
    assert same(runs, dl.run(Mean(), out=tmp_path / "runs", **keys))
    assert len(dl.read(tmp_path / "runs" / "kind=k-gt" / "tune")) == 3
    by_hand = dl.run(Mean(), algorithm="k-gt", local_steps=3, rounds=20, local_rate=1e-2)
    assert np.array_equal(by_hand[0].models, runs[0].models)


def test_weather_and_packed_letters_reach_a_problem_of_python():
    calm = dl.run(Mean(), **{**K_GT, "rounds": 40})[0]
    drops = dl.run(Mean(), faults=dict(drop=0.4), **{**K_GT, "rounds": 40})[0]
    assert drops["links_up"].min() < 8 and calm["bytes_total"][-1] > drops["bytes_total"][-1]
    packed = dl.run(Mean(), compression=dict(codec="qsgd", levels=4), **{**K_GT, "rounds": 40})[0]
    assert packed["bytes_total"][-1] < 0.5 * calm["bytes_total"][-1]
    for run in (drops, packed):
        assert run.outcome == "finished" and not np.array_equal(run.models, calm.models)


def test_weather_hits_both_texts_of_k_gt_alike():
    for faults in (dict(drop=0.3), dict(late=0.5, late_rounds=2), dict(pause=0.2)):
        one, other = dl.run(Mean(), faults=faults, **{**K_GT, "algorithm": ["k-gt", KGT]})
        assert np.array_equal(one.models, other.models), faults


def test_runs_that_diverge_are_kept_and_warned_of():
    with pytest.warns(dl.DriftlessWarning, match="^1 of 2 runs diverged; the first: .*"):
        runs = dl.run(Mean(), algorithm="k-gt", local_rate=[1e-2, 1e9], rounds=40)
    assert [run.outcome for run in runs] == ["finished", "diverged"]
    assert runs[1].diagnosis


def test_quiet_runs_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dl.run(Mean(), **K_GT)


def test_rows_are_told_as_they_come():
    rows = []
    run = dl.run(Mean(), each=rows.append, **K_GT)[0]
    assert [row["round"] for row in rows] == run["round"].tolist()
    assert [row["loss"] for row in rows] == run["loss"].tolist()


def test_what_a_listener_raises_arrives():
    def each(row):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        dl.run(Mean(), each=each, **K_GT)


class Slow(Mean):
    def gradient(self, node, x, draw):
        time.sleep(0.01)
        return super().gradient(node, x, draw)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_progress_is_told_after_a_while_and_silenced_by_false(stream, monkeypatch):
    monkeypatch.setattr("driftless._progress._QUIET", 0.1)
    monkeypatch.setattr("driftless._progress._LINES", 0.2)
    told = stream()
    monkeypatch.setattr(sys, "stderr", told)
    slow = dict(algorithm="d-sgd", local_rate=0.1, rounds=10, threads=1)
    dl.run(Slow(), progress=False, **slow)
    assert told.getvalue() == ""
    dl.run(Slow(), **slow)
    lines = re.split("[\r\n]", told.getvalue())
    assert any("loss" in line for line in lines), lines
    if stream is Terminal:
        assert lines[-1] == "" and lines[-2].strip() == ""  # the bar is gone


def test_quick_runs_tell_no_progress(capfd):
    dl.run(Mean(), **K_GT)
    assert capfd.readouterr() == ("", "")


def test_a_run_in_a_run_is_a_run_of_its_own():
    class Nested(Mean):
        inner = None

        def loss(self, node, x):
            if self.inner is None:
                self.inner = dl.run(Mean(), threads=1, **K_GT)
            return super().loss(node, x)

    problem = Nested()
    outer = dl.run(problem, threads=1, **K_GT)
    assert np.array_equal(outer[0].models, problem.inner[0].models)
    assert digest(outer) != ""
