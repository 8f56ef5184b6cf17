"""What dl.run takes is the config, under the same names and checks."""
import math
import pathlib
import re

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, digest, driftless, fault_of, same, synthetic_in_cpp
from driftless._config import of_keywords

TOML = """
problem = {kind = "least_squares", heterogeneity = 10.0}
network = {nodes = 6, topology = "torus"}
algorithm = {local_steps = 3, local_rate = 1e-3}
run = {rounds = 5, repetitions = 2}
sweep = {"algorithm.kind" = ["k-gt", "d-sgd"]}
"""
SECTIONS = {"problem": {"kind": "least_squares", "heterogeneity": 10.0},
            "network": {"nodes": 6, "topology": "torus"},
            "algorithm": {"local_steps": 3, "local_rate": 1e-3},
            "run": {"rounds": 5, "repetitions": 2},
            "sweep": {"algorithm.kind": ["k-gt", "d-sgd"]}}


def text_of(**keywords):
    return of_keywords({}, keywords, {}).text


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(TOML)
    return path


def test_a_file_and_a_dict_and_keywords_are_the_same_experiment(file):
    by_file = dl.run(file)
    assert len(by_file) == 4
    assert same(by_file, dl.run(str(file)))
    assert same(by_file, dl.run(SECTIONS))
    assert same(by_file, dl.run(
        problem=dict(kind="least_squares", heterogeneity=10.0), nodes=6, topology="torus",
        algorithm=["k-gt", "d-sgd"], local_steps=3, local_rate=1e-3, rounds=5, repetitions=2))


def test_a_config_gives_the_bits_of_the_program(file, tmp_path):
    ended = driftless("run", file, "--quiet", "--out", tmp_path / "program")
    assert ended.returncode == 0, ended.stderr
    by_program = {tuple(run.settings.items()): run for run in dl.read(tmp_path / "program")}
    for run in dl.run(file):
        other = by_program[tuple(run.settings.items())]
        assert np.array_equal(run.models, other.models)
        assert np.array_equal(run["loss"], other["loss"])


def test_set_overrides_keywords_which_override_the_config(file):
    for config in (file, SECTIONS):
        runs = dl.run(config, rounds=3, local_rate=2e-3, set={"run.rounds": 2})
        assert {run["round"][-1] for run in runs} == {2}
        assert {run.settings["algorithm.local_rate"] for run in runs} == {2e-3}
        assert len(dl.run(config, algorithm="led", repetitions=1)) == 1  # not swept any more


def test_paths_in_a_file_begin_at_its_folder(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n")
    config = tmp_path / "my.toml"
    config.write_text('network.file = "edges.txt"\nproblem.kind = "least_squares"\n')
    assert dl.run(config, **K_GT)[0].models.shape == (3, 50)
    with pytest.raises(dl.DataError, match=f"{pathlib.Path.cwd()}/edges.txt"):  # where we are
        dl.run(Mean(), file="edges.txt", **K_GT)


def test_all_faults_are_told_at_once_with_the_callers_names():
    fault = fault_of(Mean(), algorithm="kgt", local_rat=0.1, rounds=-1, faults=dict(drip=0.1),
                     set={"network.seeds": 3})
    lines = fault.split("\n")
    assert lines[0] == "6 faults in dl.run" and len(lines) == 7
    assert re.search(r'^dl.run\(algorithm=...\): algorithm.kind = "kgt": .*did you mean k-gt\?$',
                     fault, re.MULTILINE)
    assert ("dl.run(local_rat=...): unknown key local_rat; did you mean algorithm.local_rate?"
            in lines)
    assert ("dl.run(faults={'drip': ...}): unknown key faults.drip; did you mean faults.drop?"
            in lines)
    assert any(line.startswith("dl.run(rounds=...): run.rounds = -1: ") for line in lines)
    assert any(line.startswith("dl.run(set={'network.seeds': ...}): unknown key network.seeds; ")
               for line in lines)


def test_a_key_that_is_missing_is_told_as_nobodys_fault():
    fault = fault_of(Mean(), algorithm="k-gt", local_rate=0.1)
    assert fault.startswith("dl.run: run.rounds is missing; expected ")


def test_faults_have_the_words_of_the_program(tmp_path):
    config = tmp_path / "bad.toml"
    config.write_text("problem.dims = 20\nnetwork.nodes = 0\n" 'algorithm.kind = "gt"\n'
                      "algorithm.lazy = true\nalgorithm.local_rate = 0.01\nrun.rounds = 100\n")
    told = driftless("run", config).stderr.replace("driftless: ", "")
    with pytest.raises(dl.ConfigError) as caught:
        dl.run(config)
    assert str(caught.value) == told.strip()
    by_keywords = fault_of(problem=dict(dims=20), nodes=0, algorithm="gt", lazy=True,
                           local_rate=0.01, rounds=100)
    without_places = re.compile("^(.*bad.toml(:[0-9]+)?|dl.run.*?\\)): ", re.MULTILINE)
    assert (without_places.sub("", by_keywords).split("\n")[1:]
            == without_places.sub("", told.strip()).split("\n")[1:])


def test_faults_of_keywords_on_a_file_name_the_keyword(file):
    assert (fault_of(file, local_rat=3)
            == "dl.run(local_rat=...): unknown key local_rat; did you mean algorithm.local_rate?")
    assert fault_of(file, set={"run.rounds": 0}).startswith(
        "dl.run(set={'run.rounds': ...}): run.rounds = 0: ")


def test_a_key_that_is_given_twice_is_refused():
    fault = fault_of(Mean(), algorithm=dict(kind="k-gt", local_rate=0.1), local_rate=0.2, rounds=1)
    assert fault == ("dl.run(local_rate=...): algorithm.local_rate is given by "
                     "dl.run(algorithm={'local_rate': ...}) too; remove one")
    assert "too; remove one" in fault_of(Mean(), seed=1, run=dict(seed=[1, 2]))


def test_values_that_no_key_can_have_are_refused():
    fault = fault_of(Mean(), local_rate=object(), faults=3, rounds={1: 2})
    assert fault.startswith("3 faults in dl.run\n")
    assert "dl.run(local_rate=...): expected a number, a text or a list of them, found <obj" in fault
    assert "dl.run(faults=...): expected a dict of the keys of [faults], found 3" in fault


def test_keywords_are_found_in_their_sections():
    text = text_of(algorithm="k-gt", seed=3, topology="ring", batch=5, schedule="cosine",
                   compression="int4", faults=dict(drop=0.1), checkpoint={"keep": 1}, target=None)
    assert text.split("\n") == [
        'algorithm.kind = "k-gt"', "run.seed = 3", 'network.topology = "ring"', "problem.batch = 5",
        'schedule.kind = "cosine"', 'compression.codec = "int4"', "faults.drop = 0.1",
        "checkpoint.keep = 1", ""]


def test_lists_are_swept_except_where_a_key_takes_a_list():
    assert text_of(local_rate=[0.1, 0.2]) == 'sweep."algorithm.local_rate" = [0.1, 0.2]\n'
    assert text_of(problem=dict(hidden=[30, 10])) == "problem.hidden = [30, 10]\n"
    assert (text_of(problem=dict(hidden=[[30, 10], 20]))
            == 'sweep."problem.hidden" = [[30, 10], 20]\n')
    assert (text_of(sweep=[dict(algorithm=["k-gt"]), {"algorithm.kind": ["led"], "lazy": True}],
                    rounds=[1, 2]).split("\n")
            == ["[[sweep]]", '"run.rounds" = [1, 2]', '"algorithm.kind" = ["k-gt"]',
                "[[sweep]]", '"run.rounds" = [1, 2]', '"algorithm.kind" = ["led"]',
                '"algorithm.lazy" = true', ""])


def test_numpy_values_and_paths_are_taken():
    assert text_of(local_rate=np.float32(0.5), rounds=np.int64(3)) == (
        "algorithm.local_rate = 0.5\nrun.rounds = 3\n")
    assert text_of(local_rate=np.array([0.25, 0.5]), seed=range(1, 3)) == (
        'sweep."algorithm.local_rate" = [0.25, 0.5]\nsweep."run.seed" = [1, 2]\n')
    assert text_of(file=pathlib.Path("w.mtx")) == 'network.file = "w.mtx"\n'
    assert dl.run(Mean(), **{**K_GT, "rounds": 1}, set={"problem.class": 'a "b"\n'})[0].settings[
        "problem.class"] == 'a "b"\n'


def test_tune_takes_keys_of_its_own_and_lists_to_try():
    assert text_of(tune=dict(local_rate=[0.1, 0.2], metric="loss", every=[3, 4])).split("\n") == [
        'tune.metric = "loss"', 'tune."algorithm.local_rate" = [0.1, 0.2]',
        'tune."schedule.every" = [3, 4]', ""]
    assert "unknown key tune.metrik; did you mean tune.metric?" in fault_of(
        Mean(), tune=dict(metrik="loss"), **K_GT)


def test_a_method_of_python_stands_for_its_name():
    assert text_of(algorithm=KGT) == 'algorithm.kind = "k-gt-in-python"\n'
    assert text_of(algorithm=["k-gt", KGT]) == (
        'sweep."algorithm.kind" = ["k-gt", "k-gt-in-python"]\n')
    assert text_of(algorithm=dict(kind=KGT)) == 'algorithm.kind = "k-gt-in-python"\n'


def test_what_is_no_problem_is_told():
    with pytest.raises(TypeError, match=r"Mean is a class; give an object of it: Mean\(\)"):
        dl.run(Mean, **K_GT)
    with pytest.raises(TypeError, match="int has no nodes, dim, loss, gradient; expected a probl"):
        dl.run(3, **K_GT)
    with pytest.raises(FileNotFoundError, match="k-gt"):
        dl.run("k-gt")
    assert "needs out=..., the runs' folder" in fault_of(Mean(), resume=True, **K_GT)
    assert "dl.run(threads=0): expected at least 1" in fault_of(Mean(), threads=0, **K_GT)


def test_a_problem_of_python_has_the_nodes_and_says_so():
    assert "8 nodes" in fault_of(Mean(), nodes=5, **K_GT)
    assert "3 parameters" in fault_of(Mean(), parameters=5, **K_GT)
    run = dl.run(Mean(), **K_GT)[0]
    assert run.settings["network.nodes"] == 8
    assert run.settings["problem.kind"] == "python" and run.settings["problem.class"] == "Mean"


def test_full_gradients_are_measured_where_a_problem_has_them():
    assert np.isfinite(dl.run(Synthetic(), **K_GT)[0]["grad_norm2"]).all()
    off = dl.run(Synthetic(), gradient_metrics=False, **K_GT)[0]
    assert np.isnan(off["grad_norm2"]).all()
    assert np.isnan(dl.run(Mean(), **K_GT)[0]["grad_norm2"]).all()


def test_a_config_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(dl.DataError, match="x.toml: not a text in UTF-8"):
        dl.run(tmp_path / "x.toml")


def test_numbers_keep_their_bits():
    rate = math.nextafter(1e-3, 1)
    run = dl.run(synthetic_in_cpp(), **{**K_GT, "local_rate": rate})[0]
    assert run.settings["algorithm.local_rate"] == rate
    assert digest(dl.Runs([run])) != digest(dl.run(synthetic_in_cpp(), **K_GT))
