"""What comes back: columns, tables, models, and figures in every format."""
import csv
import io
import re

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, driftless, start

pandas = pytest.importorskip("pandas")
SWEPT = {**K_GT, "algorithm": ["d-sgd", "k-gt"], "topology": ["ring", "torus"], "repetitions": 2}


@pytest.fixture(scope="module")
def runs():
    return dl.run(Mean(), **SWEPT)


def test_a_frame_has_every_row_of_every_run_with_what_varies_first(runs):
    frame = runs.frame
    assert len(runs) == 8 and len(frame) == 8 * 16
    assert frame.columns[:4].tolist() == ["algorithm", "topology", "seed", "round"]
    assert frame["round"].dtype == frame["bytes_total"].dtype == frame["seed"].dtype == np.int64
    assert "suboptimality" not in frame  # nobody knows the optimum
    for k, run in enumerate(runs):
        rows = frame.iloc[16 * k:16 * (k + 1)]
        assert set(rows["algorithm"]) == {run.settings["algorithm.kind"]}
        assert set(rows["topology"]) == {run.settings["network.topology"]}
        assert set(rows["seed"]) == {run.settings["run.seed"]}
        for column in ("round", "loss", "consensus", "bytes_total"):
            np.testing.assert_array_equal(rows[column], run[column])


def test_last_is_the_last_row_of_each_run_and_its_outcome(runs):
    last = runs.last
    assert len(last) == 8 and set(last["outcome"]) == {"finished"} and set(last["round"]) == {15}
    np.testing.assert_array_equal(last["loss"], [run["loss"][-1] for run in runs])
    assert runs[3].last["loss"] == runs[3]["loss"][-1]
    assert "suboptimality" not in runs[3].last


def test_varied_names_the_settings_that_tell_runs_apart(runs):
    assert runs.varied[5] == dict(algorithm="k-gt", topology="ring", seed=2)
    assert runs[:1].varied == [{}]
    others = dl.run(Mean(), **{**K_GT, "rounds": 3}, faults=dict(drop=[0.1, 0.2]))
    assert others.varied == [dict(drop=0.1), dict(drop=0.2)]
    assert [each["drop"] for each in (runs[:1] + others).varied] == [0, 0.1, 0.2]


def test_a_setting_that_is_called_like_a_column_keeps_its_full_name():
    runs = dl.run(Mean(), **{**K_GT, "rounds": 2}, seed=[1, 2], drift=[False, True])
    frame = runs.frame
    assert {"run.drift", "drift", "seed"} <= set(frame.columns)
    assert frame["run.drift"].tolist() == [False] * 3 + [True] * 3 + [False] * 3 + [True] * 3 or (
        sorted(frame["run.drift"]) == [False] * 6 + [True] * 6)


def test_only_chooses_by_the_names_of_dl_run(runs):
    assert [run for run in runs.only(algorithm="k-gt")] == [run for run in runs][4:]
    assert list(runs.only(topology="torus", seed=2)) == [runs[3], runs[7]]
    assert list(runs.only(**{"algorithm.kind": ["d-sgd", "led"]})) == list(runs)[:4]
    assert len(runs.only(algorithm="led")) == 0 and len(runs.only(local_steps=7)) == 8
    with pytest.raises(dl.ConfigError, match=r"only\(algoritm=...\): unknown key.*did you mean algorithm"):
        runs.only(algoritm="k-gt")
    own = dl.run(Mean(), **{**K_GT, "algorithm": ["k-gt", KGT]})
    assert list(own.only(algorithm=KGT)) == [own[1]]


def test_runs_are_a_list_of_runs(runs):
    assert list(runs[2:4]) == [runs[2], runs[3]] and runs[-1] is runs[7]
    assert list(runs[:2] + runs[6:]) == [runs[0], runs[1], runs[6], runs[7]]
    assert isinstance(runs[:2] + runs[6:], dl.Runs)
    lines = repr(runs).split("\n")
    assert lines[0] == "8 runs" and len(lines) == 9
    assert re.fullmatch(r"  <Run of k-gt: finished, 15 rounds, loss .*> with topology=torus, seed=2",
                        lines[8])
    assert repr(runs + runs + runs).endswith("\n  and 4 more")
    with pytest.raises(IndexError):
        runs[8]
    with pytest.raises(TypeError, match=r"a column is that of one run: runs\[0\]\['loss'\]"):
        runs["loss"]


def test_a_column_that_there_is_not_is_told(runs):
    with pytest.raises(KeyError, match="no column 'losses'; there are round, "):
        runs[0]["losses"]
    assert len(runs[0].frame) == 16 and runs[0].frame.columns[0] == "round"


def test_models_are_arrays_and_the_model_is_their_mean(runs, tmp_path):
    for run in (runs[5], dl.run(Mean(), out=tmp_path / "runs", **K_GT)[0]):
        assert run.models.shape == (8, 3) and run.model.shape == (3,)
        np.testing.assert_allclose(run.model, run.models.mean(0), rtol=1e-14)
    run.models[:] = 0  # the caller's own
    assert dl.read(tmp_path / "runs")[0].models.any()


def test_a_summary_tells_network_traffic_and_versions(runs):
    summary = runs[0].summary
    assert summary["network"]["nodes"] == 8 and summary["outcome"] == "finished"
    assert runs[0].diagnosis == "" and runs[0].folder is None


def test_frames_without_pandas_say_what_is_missing():
    told = start("""if True:
        import sys
        sys.modules["pandas"] = None
        import driftless as dl
        from conftest import K_GT, Mean
        dl.run(Mean(), **K_GT).frame
    """).communicate()[1]
    assert "ModuleNotFoundError: a DataFrame needs pandas" in told


# What the files of each format begin with.
SIGNS = {"html": b"<!doctype html", "svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF",
         "csv": b"", "tex": b""}


@pytest.mark.parametrize("suffix", SIGNS)
def test_save_writes_every_format(runs, suffix, tmp_path):
    file = tmp_path / f"f.{suffix}"
    runs.save(file, metric="loss", against="bytes_total")
    content = file.read_bytes()
    assert content.lower().lstrip().startswith(SIGNS[suffix].lower())
    if suffix in ("svg", "tex", "csv", "html"):
        assert "k-gt" in content.decode().lower()


def test_a_csv_has_the_numbers_of_the_runs(runs, tmp_path):
    runs.only(topology="ring", seed=1).save(tmp_path / "rows.csv", metric="loss")
    rows = list(csv.reader(io.StringIO((tmp_path / "rows.csv").read_text())))
    numbers = {float(cell) for row in rows for cell in row if re.fullmatch(r"[-+.e0-9]+", cell)}
    assert runs[0]["loss"][-1] == pytest.approx(min(numbers, key=lambda n: abs(n - runs[0]["loss"][-1])))


def test_figures_are_those_of_the_program(tmp_path):
    runs = dl.run(Synthetic(), out=tmp_path / "runs", **SWEPT)
    options = ["--metric", "consensus", "--against", "bytes_total"]
    chosen = dict(metric="consensus", against="bytes_total")
    for suffix, wanted, of_python in (("svg", options, chosen), ("csv", options, chosen), ("tex", [], {})):
        file = tmp_path / f"program.{suffix}"
        ended = driftless("report", tmp_path / "runs", *wanted, "--only", "topology=ring", "-o", file)
        assert ended.returncode == 0, ended.stderr
        dl.read(tmp_path / "runs").save(tmp_path / f"python.{suffix}", only=dict(topology="ring"),
                                        **of_python)
        assert (tmp_path / f"python.{suffix}").read_text() == file.read_text()
    assert len(runs) == 8


def test_figures_of_memory_are_those_of_files(tmp_path):
    options = dict(metric="loss", against="round")
    svg = dl.run(Mean(), **SWEPT).figure(**options).svg
    assert svg == dl.run(Mean(), out=tmp_path / "runs", **SWEPT).figure(**options).svg
    assert svg == dl.read(tmp_path / "runs").figure(**options).svg


def test_a_figure_obeys_its_options(runs):
    plain = runs.figure("loss")
    assert "loss" in plain.svg and plain._repr_svg_() == plain.svg
    wide = runs.figure("loss", width=900, label={"k-gt": "ours"}, colour={"k-gt": "#ff0000"},
                       scale="linear", ylim=(0, 30), xlim=(0, 10), only=dict(topology="ring"))
    widths = [int(re.search(r'width="(\d+)"', each.svg)[1]) for each in (plain, wide)]
    assert 580 < widths[0] <= 640 and 840 < widths[1] <= 900
    assert ">ours<" in wide.svg and ">K-GT<" in plain.svg and ">30<" in wide.svg
    assert "#ff0000" in wide.svg and wide.svg != plain.svg
    assert repr(wide).startswith("<Figure of 8 runs: metric='loss', scale='linear'")
    assert runs[0].figure("loss").svg.count("<path") <= plain.svg.count("<path")


@pytest.mark.parametrize("options, words", [
    (dict(metric="los"), "^metric.*did you mean loss"), (dict(against="byte"), "bytes_total"),
    (dict(scale="logg"), "expected log or linear"), (dict(only=dict(topolog="ring")), "topology"),
    (dict(x="local_rate", y="loss"), "^x local_rate: these runs have"), (dict(ylim=(3, 2)), "ylim 3.0:2.0: expected"), (dict(xlim=3), "xlim 3: expected .low, high."), (dict(metric="suboptimality"), "suboptimality")])
def test_figures_that_make_no_sense_are_told(runs, options, words):
    with pytest.raises(dl.ConfigError, match=words):
        runs.figure(**options).svg


def test_files_that_cannot_be_written_are_told(runs, tmp_path):
    with pytest.raises(dl.ConfigError, match="x.gif: a figure's suffix is one of html, svg, png"):
        runs.save(tmp_path / "x.gif")
    with pytest.raises(FileNotFoundError):
        runs.save(tmp_path / "nowhere" / "x.svg")
    with pytest.raises(TypeError, match="metrik"):
        runs.save(tmp_path / "x.svg", metrik="loss")


def test_a_notebook_shows_a_page_in_a_frame_of_its_own(runs):
    cell = runs._repr_html_()
    assert cell.startswith('<iframe srcdoc="') and 'sandbox="allow-scripts' in cell
    assert "<script" not in cell and "&lt;script" in cell  # the page is text of an attribute
    assert runs.html().lower().startswith("<!doctype html") and runs[0]._repr_html_()
    assert dl.Runs([])._repr_html_() == "no runs"


def test_no_runs_are_empty_tables():
    none = dl.Runs([])
    assert len(none) == len(none.frame) == len(none.last) == 0 and none.varied == []
    assert repr(none) == "0 runs"
    with pytest.raises(dl.ConfigError, match="there are no runs to show"):
        none.html()


def test_folders_of_the_program_are_read(tmp_path):
    config = tmp_path / "my.toml"
    config.write_text('problem.kind = "least_squares"\nrun.rounds = 4\n'
                      'sweep = {"algorithm.kind" = ["k-gt", "d-sgd"], "run.seed" = [1, 2]}\n'
                      "algorithm.local_rate = 1e-3\n")
    ended = driftless("run", config, "--quiet", "--out", tmp_path / "runs")
    assert ended.returncode == 0, ended.stderr
    runs = dl.read(tmp_path / "runs")
    assert runs.varied == [dict(algorithm=kind, seed=seed) for kind in ("k-gt", "d-sgd")
                           for seed in (1, 2)]
    table = {(row["algorithm"], row["seed"], row["round"]): row["loss"]
             for _, row in runs.frame.iterrows()}
    with open(tmp_path / "runs" / "metrics.csv") as file:
        told = list(csv.DictReader(file))
    assert len(told) == len(table) == 4 * 5
    for row in told:
        kind = row.get("algorithm.kind") or row.get("kind")
        seed = row.get("run.seed") or row.get("seed")
        assert table[kind, int(seed), int(row["round"])] == float(row["loss"])
    one, other = sorted((tmp_path / "runs").glob("kind=*"))[:2]
    assert len(dl.read(one, other)) == len(dl.read(one)) + len(dl.read(other)) > 1


@pytest.mark.parametrize("make, words", [
    (lambda folder: folder / "nowhere", "nowhere"), (lambda folder: folder, "no run")])
def test_folders_without_runs_are_told(make, words, tmp_path):
    with pytest.raises(dl.InputError, match=words):
        dl.read(make(tmp_path))


GOES_ON = """
import sys, time, driftless as dl
from conftest import K_GT, Mean
def each(row):
    print(row["round"], flush=True)
    if row["round"] == 5: time.sleep(1.1)  # rows reach the file every second
    if row["round"] >= 7: sys.stdin.readline()
dl.run(Mean(), out=sys.argv[1], each=each, threads=1, **K_GT)
"""


def test_a_run_that_goes_on_is_read(tmp_path):
    import subprocess
    import sys
    from conftest import environment
    child = subprocess.Popen([sys.executable, "-c", GOES_ON, tmp_path / "runs"], env=environment(),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        while not child.stdout.readline().startswith("7"):
            assert child.poll() is None
        run = dl.read(tmp_path / "runs")[0]
        assert run.outcome == "unfinished" and run.model is None and run.models is None
        assert len(run["round"]) >= 5 and len(run.frame) == len(run["round"]) and run.summary == {}
        np.testing.assert_array_equal(run["loss"], dl.run(Mean(), **K_GT)[0]["loss"][:len(run["loss"])])
        assert "unfinished" in repr(run) and run.html()
    finally:
        child.communicate("\n" * 20)
    assert child.returncode == 0 and dl.read(tmp_path / "runs")[0].outcome == "finished"
