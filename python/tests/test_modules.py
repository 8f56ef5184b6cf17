"""The package as a whole: docstrings that hold, types that agree, names that are documented."""
import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import driftless as dl
from conftest import K_GT, Mean, driftless, environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [f"driftless.{module.name}" for module in pkgutil.iter_modules(dl.__path__)
           if not module.name.startswith("_core")]


@pytest.mark.parametrize("name", ["driftless", *MODULES])
def test_examples_of_docstrings_hold(name):
    if "torch" in name:
        pytest.importorskip("torch")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_docstrings_have_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    with_examples = {test.name for name in ("driftless", *MODULES) if name != "driftless.torch"
                     and "_torch" not in name for test in finder.find(importlib.import_module(name))
                     if test.examples}
    assert {"driftless", "driftless._run.run", "driftless._model.Problem",
            "driftless._model.Algorithm", "driftless._results.Runs", "driftless._network.topology",
            "driftless._network.split"} <= with_examples


def test_all_that_is_public_is_there_and_described():
    for name in dl.__all__:
        value = getattr(dl, name)
        assert value is not None
        if callable(value):
            assert (value.__doc__ or "").strip(), name
            public = [each for each in vars(value) if not each.startswith("_")] if isinstance(
                value, type) else []
            for each in public:
                member = getattr(value, each)
                if callable(member) or isinstance(member, property):
                    assert (member.__doc__ or "").strip(), f"{name}.{each}"
    with pytest.raises(AttributeError, match="module 'driftless' has no attribute 'nothing'"):
        dl.nothing
    assert {"Problem", "run", "keys"} <= set(dir(dl))


def test_there_is_one_version():
    cmake, changes = (ROOT / name for name in ("CMakeLists.txt", "CHANGELOG.md"))
    version = re.search(r"project\(driftless VERSION ([\d.]+)", cmake.read_text())[1]
    assert dl.__version__ == version
    assert driftless("--version").stdout.startswith(f"driftless {version} ")
    assert re.search(r"^## \[(\d[\d.]+)\]", changes.read_text(), re.MULTILINE)[1] == version
    assert dl.run(Mean(), **K_GT)[0].summary["versions"]["driftless"] == version


def of_mypy(module, *arguments, folder=None):
    pytest.importorskip("mypy")
    ended = subprocess.run([sys.executable, "-m", module, *arguments], env=environment(), text=True,
                           capture_output=True, cwd=folder)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """What mypy knows of numpy, kept beside the build."""
    beside = pathlib.Path(dl.__file__).parents[2]
    return beside / "mypy" if (beside / "CMakeCache.txt").exists() else tmp_path_factory.mktemp("mypy")


# To learn torch's types takes half a minute; `make check` does.
WITHOUT_TORCH = """
[[tool.mypy.overrides]]
module = ["torch.*"]
follow_imports = "skip"

[[tool.mypy.overrides]]
module = ["driftless.torch"]
warn_unused_ignores = false
"""


def test_the_package_is_clean_under_mypy_strict(cache, tmp_path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text((ROOT / "pyproject.toml").read_text() + WITHOUT_TORCH)
    status, told = of_mypy("mypy", "--config-file", str(settings), "--cache-dir", str(cache), folder=ROOT)
    assert status == 0, told


USER = """
import numpy as np
import driftless as dl

class Mean(dl.Problem):
    nodes, dim = 8, 3
    def gradient(self, node: int, x: np.ndarray, draw: dl.Draw) -> np.ndarray:
        return x - node + draw.rng().standard_normal(3)
    def loss(self, node: int, x: np.ndarray) -> float:
        return float(x @ x)

runs = dl.run(Mean(), algorithm="k-gt", local_rate=0.1, rounds=2)
reveal_type(runs[0]["loss"])
reveal_type(runs.frame)
reveal_type(dl.topology("ring", nodes=4).p)
runs[0].modle
dl.run(Mean(), threads="two")
"""


def test_a_users_program_is_checked_by_the_types_of_the_package(cache, tmp_path):
    (tmp_path / "user.py").write_text(USER)
    _, told = of_mypy("mypy", "--cache-dir", str(cache), "user.py", folder=tmp_path)
    assert 'Revealed type is "numpy.ndarray[Any, numpy.dtype[numpy.floating' in told
    assert 'Revealed type is "builtins.float"' in told
    assert '"Run" has no attribute "modle"' in told
    assert 'Argument "threads" to "run" has incompatible type "str"' in told
    assert told.count("error:") == 2, told


# What stubtest says of every class of pybind11, and names that are for type checkers.
ALLOWED = r"""
driftless\._core\.(Algorithm|Draw|Draws|Progress|Run)
driftless\._core\.(Algorithm|Draws|Run)\.__init__
driftless\._core\.(Array|Value)
"""


def test_the_stub_agrees_with_the_extension_module(tmp_path):
    (tmp_path / "allowed").write_text(ALLOWED)
    status, told = of_mypy("mypy.stubtest", "driftless._core", "--ignore-unused-allowlist",
                           "--allowlist", str(tmp_path / "allowed"), folder=tmp_path)
    assert status == 0, told
