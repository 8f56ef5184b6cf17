"""A problem of Python: the bits of C++, and every fault a clear exception."""
import gc
import threading
import weakref

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, Mean, Synthetic, same, synthetic_in_cpp


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
    for attributes, words in ((dict(dim=0), "^Odd.dim: problem.parameters = 0"),
                              (dict(dtype="int32"), '^Odd.dtype: problem.dtype = "int32"'),
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
