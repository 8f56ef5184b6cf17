"""Problems and helpers that the tests share."""
from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Optional

import numpy as np
import pytest

import driftless as dl

HERE = pathlib.Path(__file__).resolve().parent
# Beside the package in the build tree; DRIFTLESS_PROGRAM says where it is otherwise.
PROGRAM = pathlib.Path(os.environ.get("DRIFTLESS_PROGRAM")
                       or pathlib.Path(dl.__file__).parents[2] / "driftless")
K_GT: dict[str, Any] = dict(algorithm="k-gt", local_steps=7, local_rate=1e-3, rounds=15)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also tests that take a minute or more")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "slow" in item.keywords and not config.getoption("--slow"):
            item.add_marker(pytest.mark.skip(reason="needs --slow"))


class Mean(dl.Problem):
    """Node i wants x = i; together they want the mean."""

    nodes, dim = 8, 3

    def gradient(self, node, x, draw):
        return x - node + 0.1 * draw.rng().standard_normal(self.dim)

    def loss(self, node, x):
        return 0.5 * float(np.sum((x - node) ** 2))


class Synthetic(dl.Problem):
    """The paper's problem with ζ² = 0, as C++ computes it."""

    def __init__(self, nodes=10, dim=50, noise=1.0, dtype=np.float64):
        self.nodes, self.dim, self.dtype = nodes, dim, dtype
        self.deviation = np.sqrt(noise / dim)
        self.h = [dtype((i + 1.0) * (i + 1.0) / nodes) for i in range(nodes)]

    def start(self, node):
        return np.ones(self.dim, self.dtype)

    def gradient(self, node, x, draw, out):
        np.multiply(x, self.h[node], out=out)
        draw.add_normal(out, self.deviation)

    def full_gradient(self, node, x, draw):
        return self.h[node] * x

    def loss(self, node, x):
        return 0.5 * float(self.h[node]) * float(x @ x)


class KGT(dl.Algorithm):
    """K-GT as its box in the paper."""

    name = "k-gt-in-python"
    vectors_an_edge = 2

    def begin(self):
        self.c = self.rows("c", correction=True)

    def round(self, t):
        y, scale = self.x.copy(), 1 / (self.K * self.rate(t))
        self.local_steps(y, t, self.c)
        z = scale * (self.x - y)
        self.c -= z
        self.x -= self.K * self.communication_rate * self.rate(t) * z
        self.mix(t, self.x, z)
        self.c += z


def synthetic_in_cpp(nodes: int = 10, noise: float = 1.0) -> dict[str, Any]:
    return {"problem": {"kind": "least_squares", "heterogeneity": 0.0, "noise": noise},
            "network": {"nodes": nodes}}


def digest(runs: dl.Runs) -> str:
    """Of all that a run computes; time is not."""
    sums = hashlib.sha256()
    for run in runs:
        sums.update(np.ascontiguousarray(run.models).tobytes())
        for name, column in run.columns.items():
            sums.update(b"" if name == "seconds" else column.tobytes())
    return sums.hexdigest()


def same(one: dl.Runs, other: dl.Runs) -> bool:
    return len(one) == len(other) > 0 and digest(one) == digest(other)


def command_of(code: str, *arguments: object, ranks: int = 0) -> list[str]:
    """python3 -c code, perhaps under mpirun; code may import conftest."""
    python = [sys.executable, "-c", code, *map(str, arguments)]
    return ["mpirun", "--oversubscribe", "-n", str(ranks), *python] if ranks else python


def environment() -> dict[str, str]:
    path = [str(HERE), str(pathlib.Path(dl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)),
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def has_mpi() -> bool:
    built = pathlib.Path(dl.__file__).parent.glob("_core_mpi.*.so")
    return shutil.which("mpirun") is not None and any(built)


def hear_ctrl_c() -> None:
    """Whoever starts tests in the background lets them and their children ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(code: str, *arguments: object, ranks: int = 0) -> subprocess.Popen[str]:
    return subprocess.Popen(command_of(code, *arguments, ranks=ranks), env=environment(), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            preexec_fn=hear_ctrl_c)


def finish(child: subprocess.Popen[str], timeout: float = 60) -> tuple[int, str, str]:
    """Exit code, standard output and error."""
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        raise AssertionError(f"still there after {timeout} s\n{out}\n{err}") from None
    return child.returncode, out, err


def done(code: str, *arguments: object, ranks: int = 0, timeout: float = 60) -> str:
    """Standard output of a program that must end well."""
    status, out, err = finish(start(code, *arguments, ranks=ranks), timeout)
    assert status == 0, err
    return out


def driftless(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The program, beside which the package must stand."""
    if not PROGRAM.exists():
        pytest.skip(f"no program at {PROGRAM}")
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True)


def fault_of(problem: Any = None, /, **keywords: Any) -> str:
    """What dl.run says of a request that makes no sense."""
    with pytest.raises(dl.ConfigError) as caught:
        dl.run(problem, **keywords)
    return str(caught.value)
