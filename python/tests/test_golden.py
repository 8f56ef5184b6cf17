"""The exact trajectories of tests/golden/golden.json, through quadratics in numpy."""
import json
import pathlib

import numpy as np
import pytest

import driftless as dl

FILE = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "golden.json"
GOLDEN = json.loads(FILE.read_text())
# The names of the file; pgt_full_printed is a misprint of the paper, which no method follows.
METHODS = {"kgt": "k-gt", "dsgd": "d-sgd", "gt": "gt", "pgt": "periodical-gt",
           "pgt_full": "periodical-gt-full", "lbgt": "large-batch-gt",
           "lbdsgd": "large-batch-d-sgd", "scaffold": "scaffold", "gossip_pga": "gossip-pga",
           "d2": "d2", "fedavg": "fedavg", "ed": "exact-diffusion", "led": "led",
           "led_lazy": "led"}
CASES = {case["name"]: case for case in GOLDEN["cases"] if case["algorithm"] in METHODS}
NOISE = np.array(GOLDEN["noise"])  # [round][step][node][coordinate]


class Quadratics(dl.Problem):
    """f_i(x) = ½‖A_i x − b_i‖², with the file's own noise."""

    nodes, dim = GOLDEN["n"], GOLDEN["d"]

    def __init__(self, case):
        about = GOLDEN["problems"][case["problem"]]
        self.A = (np.array(GOLDEN["A"]) if case["problem"] == "main"
                  else np.multiply.outer(about["a"], np.eye(self.dim)))
        self.b = np.array(GOLDEN["b"])
        distinct = case["x0"] == "distinct"
        self.x0 = GOLDEN["x0_distinct"] if distinct else [GOLDEN["x0"]] * self.nodes
        self.noisy = case["noisy"]
        self.optimum = np.array(about["x_star"]), about["f_star"]

    def start(self, node):
        return self.x0[node]

    def full_gradient(self, node, x, draw):
        return self.A[node].T @ (self.A[node] @ x - self.b[node])

    def gradient(self, node, x, draw):
        g = self.full_gradient(node, x, draw)
        return g + NOISE[draw.round, draw.step, node] if self.noisy else g

    def loss(self, node, x):
        return 0.5 * np.sum((self.A[node] @ x - self.b[node]) ** 2)


def mixing_file(case, folder):
    """W of the case, as a file of all its numbers."""
    name = case["mixing"]
    w = np.array(GOLDEN["W_ring"] if name == "ring" else GOLDEN["mixing"][name]["W"])
    n = len(w)
    path = folder / "w.mtx"
    lines = [f"{i + 1} {j + 1} {w[i, j]!r}" for i in range(n) for j in range(n) if w[i, j]]
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate real general",
                               f"{n} {n} {len(lines)}", *lines, ""]))
    return path


def options_of(case):
    method = METHODS[case["algorithm"]]
    options = dict(algorithm=method, local_rate=case["eta_c"], communication_rate=case["eta_s"],
                   initial_correction="gradient" if case["init"] == "theory" else "zero",
                   global_every=case.get("H", 10), lazy=case["algorithm"] == "led_lazy")
    own = {option["name"] for option in dl.algorithms[method]["options"]}
    for name in ("initial_correction", "global_every", "lazy"):
        if name not in own:
            del options[name]
    if method == "led":
        del options["communication_rate"]
    return dict(options, local_steps=case["K"])


@pytest.mark.parametrize("name", CASES)
def test_the_golden_path_is_followed(name, tmp_path):
    case = CASES[name]
    runs = dl.run(Quadratics(case), file=mixing_file(case, tmp_path), **options_of(case),
                  rounds=list(range(1, case["rounds"] + 1)))
    assert len(runs) == case["rounds"]
    for t, run in enumerate(runs, start=1):
        expected = np.array(case["X"][t])
        error = np.abs(run.models - expected).max()
        assert error <= 1e-10 * np.abs(expected).max(), f"round {t}"
    last = runs[-1]
    for column, metric in (("suboptimality", "gap"), ("grad_norm2", "gn2"), ("consensus", "cons")):
        expected = np.array([row[metric] for row in case["metrics"]])
        np.testing.assert_allclose(last[column], expected, rtol=1e-9, atol=1e-12, err_msg=column)


def test_the_file_has_every_method():
    tested = {METHODS[case["algorithm"]] for case in CASES.values()}
    assert tested == {name for name in dl.algorithms if name in METHODS.values()}
    assert tested >= {"k-gt", "d-sgd", "gt", "led"} and len(CASES) > 60
