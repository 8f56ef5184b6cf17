"""What spares callbacks: gradients of all nodes in one call, and a C function by its address."""
import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Synthetic, same, synthetic_in_cpp

C_GRADIENT = """#include <stdint.h>
void g(int node, int64_t d, const double* x, uint64_t seed, int64_t round, int step, double* out) {
  for (int64_t k = 0; k < d; ++k) out[k] = (node + 1.0) * (node + 1.0) / 10 * x[k];
}"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_native_gradient_is_called_without_python(tmp_path):
    (tmp_path / "g.c").write_text(C_GRADIENT)
    subprocess.run(["cc", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o", tmp_path / "g.so",
                    tmp_path / "g.c"], check=True)
    library = ctypes.CDLL(str(tmp_path / "g.so"))

    class Native(Synthetic):
        native_gradient = ctypes.cast(library.g, ctypes.c_void_p).value

        def gradient(self, node, x, draw, out):
            raise AssertionError("not to be called")

    native = dl.run(Native(noise=0.0), threads=2, **K_GT)[0]
    cpp = dl.run(synthetic_in_cpp(noise=0.0), **K_GT)[0]
    assert np.array_equal(native.models, cpp.models)


class AtOnce(Synthetic):
    """The gradients of all nodes in one call."""

    asked = 0

    def gradients(self, nodes, X, draws, out):
        self.asked += 1
        np.multiply(X, np.array([self.h[node] for node in nodes])[:, None], out=out)
        draws.add_normal(out, self.deviation)

    def gradient(self, node, x, draw, out):
        raise AssertionError("not to be called")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["d-sgd", "k-gt", "led", "gossip-pga", "scaffold",
                                    "periodical-gt-full", KGT])
@pytest.mark.parametrize("faults", [{}, dict(slow=0.5, fewest_steps=2, pause=0.1, seed=4)])
def test_gradients_of_all_nodes_at_once_are_those_of_each(threads, method, faults):
    options = {**K_GT, "algorithm": method, "faults": faults}
    problem = AtOnce()
    at_once = dl.run(problem, threads=threads, **options)[0]
    assert np.array_equal(at_once.models, dl.run(Synthetic(), **options)[0].models)
    assert problem.asked == 15 * (6 if method == "periodical-gt-full" else 7)  # a call a step


@pytest.mark.parametrize("method", ["gt", "periodical-gt", "large-batch-d-sgd"])
def test_methods_that_ask_for_one_node_ask_for_it_alone(method):
    options = {**K_GT, "algorithm": method, "local_steps": 1 if method == "gt" else 7}
    runs = [dl.run(problem, **options)[0] for problem in (AtOnce(), Synthetic())]
    assert np.array_equal(runs[0].models, runs[1].models)


def test_gradients_at_once_may_be_returned_and_draws_be_indexed():
    class Returns(Synthetic):
        gradient = None

        def gradients(self, nodes, X, draws):
            g = X * np.array(self.h)[nodes, None]
            for k in range(len(draws)):
                draws[k].add_normal(g[k], self.deviation)
            assert draws[-1].node == nodes[-1] == len(nodes) - 1
            return g

    assert same(dl.run(Returns(), **K_GT), dl.run(Synthetic(), **K_GT))


def test_what_a_callback_of_all_nodes_keeps_is_its_own():
    kept = []

    class Keeps(AtOnce):
        def gradients(self, nodes, X, draws, out):
            super().gradients(nodes, X, draws, out)
            kept.append((X, X.copy(), out, out.copy(), nodes, draws, [each.seed for each in draws]))

    dl.run(Keeps(), **K_GT)
    assert len(kept) >= 15 * 7
    for X, was_x, out, was_out, nodes, draws, seeds in kept:
        assert np.array_equal(X, was_x) and np.array_equal(out, was_out)
        assert [each.seed for each in draws] == seeds and len(nodes) == len(seeds)


def test_wrong_gradients_of_all_nodes_are_told():
    def of_all(gradients):
        problem = type("Faulty", (AtOnce,), {"gradients": gradients})()
        with pytest.raises((TypeError, ValueError)) as caught:
            dl.run(problem, **K_GT)
        return str(caught.value)

    def writes_nan(self, nodes, X, draws, out):
        out[:] = X
        if draws[0].round == 1:
            out[3, 4] = np.nan

    def replaces(self, nodes, X, draws, out):
        return X * 2

    assert "gradients() gave an array of shape (10, 3), expected (10, 50)" in of_all(
        lambda self, nodes, X, draws: X[:, :3])
    assert "gradients() gave an array of shape (50,), expected (10, 50)" in of_all(
        lambda self, nodes, X, draws: X[0])
    assert "gradients() gave None, expected 10 rows of 50 numbers" in of_all(
        lambda self, nodes, X, draws: None)
    assert "gradients() has a parameter `out` and gave something else" in of_all(replaces)
    assert "gradients() of node 3 gave nan as number 4 in round 1" in of_all(writes_nan)
    assert "a row for each of 10 draws" in of_all(
        lambda self, nodes, X, draws: draws.add_normal(X[:2].copy()))
