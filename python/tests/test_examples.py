"""The examples run as they are, and show what they say."""
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import environment, has_mpi

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


def shown(name, folder, *launcher):
    ended = subprocess.run([*launcher, sys.executable, FOLDER / name], cwd=folder, text=True,
                           env=environment(), capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_all_examples_are_tested():
    assert {file.name for file in FOLDER.glob("*.py")} == {
        "least_squares.py", "own_method.py", "torch_module.py", "train_mpi.py"}


def test_least_squares(tmp_path):
    pytest.importorskip("pandas")
    told = shown("least_squares.py", tmp_path)
    rows = {line.split()[0]: [float(each) for each in line.split()[1:]]
            for line in told.split("\n") if line.startswith(("d-sgd", "k-gt", "led"))}
    assert rows["k-gt"][0] < 0.1 * rows["d-sgd"][0]  # the suboptimality


def test_own_method(tmp_path):
    pytest.importorskip("pandas")
    assert "without momentum the bits of K-GT: True" in shown("own_method.py", tmp_path)


def test_torch_module(tmp_path):
    pytest.importorskip("torch")
    told = shown("torch_module.py", tmp_path)
    assert "of the test samples" in told and (tmp_path / "runs" / "torch_module.svg").exists()
    assert len(list((tmp_path / "runs" / "torch_module").glob("**/summary.json"))) >= 6


@pytest.mark.skipif(not has_mpi(), reason="no MPI")
def test_train_mpi(tmp_path):
    pytest.importorskip("torch")
    alone = shown("train_mpi.py", tmp_path)
    assert "models " in alone and not os.listdir(tmp_path)
    for ranks in (2, 3):
        assert shown("train_mpi.py", tmp_path, "mpirun", "--oversubscribe", "-n", str(ranks)) == alone
