"""A problem of Python: the bits of C++, and every fault a clear exception."""
import ctypes
import gc
import shutil
import subprocess
import threading
import weakref

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, same, synthetic_in_cpp


@pytest.mark.parametrize("algorithm", list(dl.algorithms))
def test_every_method_takes_a_python_problem_and_gives_the_bits_of_cpp(algorithm):
    about = dl.algorithms[algorithm]
    options = dict(algorithm=algorithm, local_rate=1e-3, rounds=5,
                   local_steps=5 if about["local_steps"] else 1)
    if any(option["name"] == "lazy" for option in about["options"]):
        options["lazy"] = True
    cpp = dl.run(synthetic_in_cpp(), **options)[0]
    python = dl.run(Synthetic(), threads=2, **options)[0]
    assert np.array_equal(cpp.models, python.models)
    assert np.array_equal(cpp["bytes_total"], python["bytes_total"])
    np.testing.assert_allclose(python["grad_norm2"], cpp["grad_norm2"], rtol=1e-12)
    np.testing.assert_allclose(python["loss"], cpp["loss"], rtol=1e-12)


def test_float32_halves_the_bytes():
    run = dl.run(Synthetic(dtype=np.float32), **K_GT)[0]
    assert run.models.dtype == np.float32 and run.model.dtype == np.float32
    assert run["bytes_total"][-1] == 15 * 2 * 10 * 2 * 50 * 4
    double = dl.run(Synthetic(), **K_GT)[0]
    np.testing.assert_allclose(run.models, double.models, rtol=1e-3, atol=1e-4)


class Broken(Synthetic):
    def gradient(self, node, x, draw, out):
        if draw.round == 2 and node == 7:
            raise LookupError("no data", node)
        super().gradient(node, x, draw, out)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_arrives_as_itself_with_its_traceback(threads):
    with pytest.raises(LookupError) as caught:
        dl.run(Broken(), threads=threads, **K_GT)
    assert caught.value.args == ("no data", 7)
    assert caught.traceback[-1].name == "gradient"
    assert caught.traceback[-1].locals["node"] == 7


@pytest.mark.parametrize("function", ["loss", "full_gradient", "start", "test"])
def test_exceptions_of_all_functions_arrive(function):
    def fail(self, *arguments):
        raise LookupError(function)

    problem = type("Fails", (Synthetic,), {function: fail})()
    with pytest.raises(LookupError, match=function):
        dl.run(problem, **K_GT)


def fault(kind, gradient, **attributes):
    problem = type("Faulty", (Synthetic,), {"gradient": gradient, **attributes})()
    with pytest.raises(kind) as caught:
        dl.run(problem, **K_GT)
    return str(caught.value)


def test_x_cannot_be_written():
    def gradient(self, node, x, draw):
        x[0] = 1

    assert "read-only" in fault(ValueError, gradient)


def test_wrong_gradients_are_told():
    assert "gave an array of shape (3,), expected (50,)" in fault(
        ValueError, lambda self, node, x, draw: x[:3])
    assert "gave an array of shape (1, 50), expected (50,)" in fault(
        ValueError, lambda self, node, x, draw: x[None])
    assert "gave None, expected 50 numbers" in fault(
        TypeError, lambda self, node, x, draw: None)
    assert fault((TypeError, ValueError), lambda self, node, x, draw: np.array(["a"] * 50))
    assert fault((TypeError, ValueError), lambda self, node, x, draw: "nonsense")
    assert fault(TypeError, lambda self, node: None)  # takes no x and no draw


def test_another_dtype_is_converted_where_nothing_is_lost():
    class Whole(Mean):
        def gradient(self, node, x, draw):
            return [1, 2, 3]

    class Single(Mean):
        def gradient(self, node, x, draw):
            return np.array([1, 2, 3], np.float32)

    assert same(dl.run(Whole(), **K_GT), dl.run(Single(), **K_GT))
    assert fault((TypeError, ValueError, np.ComplexWarning),
                 lambda self, node, x, draw: x.astype(object) * [None])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_gradient_that_is_no_number_is_told_where_it_came_from(bad):
    def gradient(self, node, x, draw, out):
        out[:] = x
        if node == 3 and draw.round == 1:
            out[4] = bad

    assert f"gradient() of node 3 gave {bad} as number 4 in round 1" in fault(ValueError, gradient)


def test_out_cannot_be_resized_or_replaced():
    def resize(self, node, x, draw, out):
        out.resize(3, refcheck=False)

    def other(self, node, x, draw, out):
        return x * 2

    assert "resized `out`" in fault(ValueError, resize)
    assert "gave something else: write the gradient to out" in fault(TypeError, other)


def test_an_out_that_is_not_written_is_told():
    def gradient(self, node, x, draw, out):
        if node != 4:
            out[:] = x

    assert "gradient() of node 4 gave nan as number 0 in round 0" in fault(ValueError, gradient)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_callback_keeps_is_its_own(threads):
    kept = []

    class Keeps(Synthetic):
        def gradient(self, node, x, draw, out):
            super().gradient(node, x, draw, out)
            named = (draw.node, draw.round, draw.step, draw.seed)
            kept.append((x, x.copy(), out, out.copy(), draw, named, draw.rng()))

    run = dl.run(Keeps(), threads=threads, **K_GT)
    gc.collect()
    assert len(kept) == 15 * 7 * 10
    for x, was_x, out, was_out, draw, named, generator in kept:
        assert np.array_equal(x, was_x) and np.array_equal(out, was_out)
        assert (draw.node, draw.round, draw.step, draw.seed) == named
        assert generator.random() == dl.Draw(1, *named[:3]).rng().random()
    assert same(run, dl.run(Synthetic(), **K_GT))


def test_problems_that_make_no_sense_are_told():
    for attributes, words in ((dict(dim=0), "dim is 0"), (dict(dtype="int32"), "int32"),
                              (dict(samples=[1, 2]), "samples has 2 numbers"),
                              (dict(optimum=([1.0], 0.0)), "1 numbers, expected 3")):
        problem = type("Odd", (Mean,), attributes)()
        with pytest.raises((ValueError, TypeError), match=words):
            dl.run(problem, **K_GT)
    with pytest.raises(dl.ConfigError, match="network.nodes = 0"):
        dl.run(type("Odd", (Mean,), {"nodes": 0})(), **K_GT)


def test_an_optimum_gives_a_suboptimality():
    class Known(Mean):
        optimum = (np.full(3, 3.5), float(np.mean([1.5 * (i - 3.5) ** 2 for i in range(8)])))

    run = dl.run(Known(), algorithm="k-gt", local_steps=5, local_rate=0.1, rounds=40)[0]
    expected = run["loss"] - Known.optimum[1]
    np.testing.assert_allclose(run["suboptimality"], expected, atol=1e-9)
    assert run["suboptimality"][-1] < 1e-2 < run["suboptimality"][0]


def test_samples_and_tests_have_columns():
    class Learns(Mean):
        samples, batch = [20] * 8, 5

        def test(self, x):
            return float(x @ x), 0.25

    run = dl.run(Learns(), **K_GT)[0]
    assert run["passes"][-1] == 15 * 7 * 5 / 20
    assert (run["test_accuracy"] == 0.25).all()
    np.testing.assert_allclose(run["test_loss"][-1], run.model @ run.model)


def test_a_problem_without_accuracies_says_so():
    class Regression(Mean):
        def test(self, x):
            return 1.5, None

    with pytest.raises(TypeError, match="classifies = False"):
        dl.run(Regression(), **K_GT)
    Regression.classifies = False
    last = dl.run(Regression(), **K_GT)[0].last
    assert last["test_loss"] == last["node_loss"] == 1.5
    assert not [name for name in last if "accuracy" in name]


def test_the_problem_is_let_go_of():
    problem = Synthetic()
    runs = dl.run(problem, threads=2, **K_GT)
    gone = weakref.ref(problem)
    del problem
    gc.collect()
    assert gone() is None and len(runs) == 1
    problem = Broken()
    with pytest.raises(LookupError):
        dl.run(problem, **K_GT)
    gone = weakref.ref(problem)
    del problem
    gc.collect()
    assert gone() is None


def test_what_a_thread_keeps_is_there_in_the_next_call():
    here, made = threading.local(), []

    class Local(Synthetic):
        def gradient(self, node, x, draw, out):
            if not hasattr(here, "seen"):
                here.seen = True
                made.append(threading.get_ident())
            super().gradient(node, x, draw, out)

    dl.run(Local(), threads=2, **K_GT)
    assert 1 <= len(made) == len(set(made)) <= 2


def test_other_threads_of_python_go_on_meanwhile():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.wait(0.001):
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    dl.run(synthetic_in_cpp(), dim=20000, **{**K_GT, "rounds": 50})  # all in C++
    stop.set()
    thread.join()
    assert counted[0] > 3


def test_draws_are_named():
    draw = dl.Draw(seed=3, node=1, round=2, step=4)
    assert draw.rng().random() == draw.rng().random() == dl.Draw(3, 1, 2, 4).rng().random()
    others = [dl.Draw(4, 1, 2, 4), dl.Draw(3, 0, 2, 4), dl.Draw(3, 1, 1, 4), dl.Draw(3, 1, 2, 5)]
    assert len({each.rng().random() for each in (draw, *others)}) == 5
    assert len({each.seed for each in (draw, *others)}) == 5
    numbers = draw.rng().standard_normal(100_000)
    assert abs(numbers.mean()) < 0.02 and abs(numbers.std() - 1) < 0.02
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.02


def test_batches_pass_over_all_samples():
    batches = [dl.Draw(1, 0, t, k, steps=2).batch(3, 10) for t in range(4) for k in range(2)]
    assert [len(batch) for batch in batches] == [3, 3, 3, 1] * 2
    first, second = np.concatenate(batches[:4]), np.concatenate(batches[4:])
    assert sorted(first) == sorted(second) == list(range(10))
    assert first.tolist() != second.tolist()
    assert dl.Draw(1).batch(500, 1000, "iid").max() < 1000


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
