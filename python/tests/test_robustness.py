"""What callers do by mistake, or at once: a clear exception or the right result, and never a crash."""
import os
import threading
import warnings

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, done, finish, same, start

ONE = dict(algorithm="k-gt", local_rate=0.1, local_steps=3, rounds=30)


@pytest.mark.parametrize("method", ["k-gt", "d-sgd", "scaffold", "led", KGT])
@pytest.mark.parametrize("nodes, dim", [(1, 1), (1, 5), (2, 1)])
def test_the_smallest_problems_are_solved(method, nodes, dim):
    class Small(dl.Problem):
        def gradient(self, node, x, draw):
            return x - node - 1

        def loss(self, node, x):
            return 0.5 * float(np.sum((x - node - 1) ** 2))

    problem = Small()
    problem.nodes, problem.dim = nodes, dim
    topology = "complete" if nodes == 1 else "path"
    run = dl.run(problem, topology=topology, **{**ONE, "algorithm": method, "rounds": 200})[0]
    assert run.models.shape == (nodes, dim)
    np.testing.assert_allclose(run.model, (nodes + 1) / 2, atol=1e-3)
    if nodes == 1:
        assert run["bytes_total"][-1] == 0 or method == "scaffold"


def test_arrays_of_any_layout_are_gradients():
    def of(make):
        class Layout(Mean):
            def gradient(self, node, x, draw):
                return make(x - node)

        return dl.run(Layout(), **K_GT)

    plain = of(lambda g: g)
    assert same(plain, of(lambda g: np.repeat(g, 2)[::2]))  # every other number of a longer one
    assert same(plain, of(lambda g: np.stack([g, g], axis=1)[:, 0]))
    assert same(plain, of(lambda g: g[::-1].copy()[::-1]))
    assert same(plain, of(lambda g: g.astype(">f8")))  # of the other byte order
    assert same(plain, of(lambda g: g.astype(np.longdouble)))
    assert same(plain, of(list)) and same(plain, of(tuple)) and same(plain, of(memoryview))
    assert same(plain, of(lambda g: np.broadcast_to(g, (1, 3))[0]))  # read-only

    def unaligned(g):
        array = np.zeros(25, np.uint8)[1:].view(np.float64)
        array[:] = g
        return array

    assert same(plain, of(unaligned))


def test_starts_and_losses_are_checked_as_gradients_are():
    def fault(kind, **functions):
        with pytest.raises(kind) as caught:
            dl.run(type("Odd", (Mean,), functions)(), threads=1, **K_GT)  # so that node 0 is the first
        return str(caught.value)

    assert "start() of node 0 gave an array of shape (2,), expected (3,)" in fault(
        ValueError, start=lambda self, node: [1, 2])
    assert "start() of node 0 gave None, expected 3 numbers" in fault(
        TypeError, start=lambda self, node: None)
    assert "loss() of node 0 gave None, expected a number" in fault(
        TypeError, loss=lambda self, node, x: None)
    assert "loss() of node 0 gave array([1., 2.]), expected a number" in fault(
        TypeError, loss=lambda self, node, x: np.array([1.0, 2.0]))
    assert "loss() of node 0 gave 'low', expected a number" in fault(
        TypeError, loss=lambda self, node, x: "low")
    assert "test() gave 3, expected (loss, accuracy)" in fault(TypeError, test=lambda self, x: 3)
    assert "takes" in fault(TypeError, loss=lambda self: 0.0)
    assert "an array of complex128, expected real numbers" in fault(
        TypeError, gradient=lambda self, node, x, draw: x * 1j)
    with pytest.raises(dl.ConfigError, match="start.. gives nodes different models, but scaffold"):
        dl.run(type("Odd", (Mean,), dict(start=lambda self, node: np.full(3, float(node))))(),
               algorithm="scaffold", local_rate=0.1, rounds=2)


def test_a_loss_that_is_no_number_ends_the_run_as_diverged():
    class Lost(Mean):
        def loss(self, node, x):
            return float("nan") if abs(x[0]) > 0.1 else 1.0

    with pytest.warns(dl.DriftlessWarning, match="diverged"):
        run = dl.run(Lost(), **{**K_GT, "local_rate": 0.1})[0]
    assert run.outcome == "diverged" and run.diagnosis


def test_a_problem_that_changes_while_it_runs_changes_nothing():
    class Changes(Mean):
        def gradient(self, node, x, draw):
            self.nodes, self.dim = 3, 7
            self.loss = None
            return x - node + 0.1 * draw.rng().standard_normal(len(x))

    changes = Changes()
    run = dl.run(changes, **K_GT)
    assert run[0].models.shape == (8, 3) and same(run, dl.run(Mean(), **K_GT))
    with pytest.raises(dl.InputError):
        dl.run(changes, nodes=8, **K_GT)


def test_a_problem_that_says_more_nodes_later_is_refused():
    class Grows(Mean):
        asked = 0

        @property
        def nodes(self):
            Grows.asked += 1
            return 8 if Grows.asked < 4 else 9

    with pytest.raises((dl.ConfigError, ValueError)):
        for _ in range(4):
            dl.run(Grows(), **K_GT)


def test_arguments_that_callbacks_keep_and_write_to_are_their_own():
    kept = []

    class Writes(Mean):
        def gradient(self, node, x, draw, out):
            if kept:
                kept[-1][:] = 1e300  # an `out` of a call that is over
            out[:] = x - node + 0.1 * draw.rng().standard_normal(3)
            kept.append(out)

    assert same(dl.run(Writes(), threads=1, **K_GT), dl.run(Mean(), threads=1, **K_GT))


@pytest.mark.parametrize("where", ["gradient", "loss", "round", "each"])
def test_a_run_in_a_callback_is_a_run_of_its_own(where):
    inner = []

    def nested(*_):
        if len(inner) < 3:
            inner.append(dl.run(Mean(), threads=2, **K_GT))

    class Nested(Mean):
        def gradient(self, node, x, draw):
            if where == "gradient":
                nested()
            return super().gradient(node, x, draw)

        def loss(self, node, x):
            if where == "loss":
                nested()
            return super().loss(node, x)

    class Method(KGT):
        name = "k-gt-nested"

        def round(self, t):
            if where == "round":
                nested()
            super().round(t)

    outer = dl.run(Nested(), each=nested if where == "each" else None, threads=2,
                   **{**K_GT, "algorithm": Method})
    assert len(inner) >= 3 and all(same(each, inner[0]) for each in inner)
    assert np.array_equal(outer[0].models, inner[0][0].models)


def test_an_exception_of_a_run_in_a_callback_ends_both():
    class Nested(Mean):
        def loss(self, node, x):
            dl.run(Mean(), algorithm="kgt")

    with pytest.raises(dl.ConfigError, match="did you mean k-gt"):
        dl.run(Nested(), **K_GT)


def test_threads_may_run_at_the_same_time(tmp_path):
    expected = {name: dl.run(problem(), **{**K_GT, "algorithm": method})
                for name, problem, method in (("a", Mean, "k-gt"), ("b", Synthetic, KGT),
                                              ("c", Mean, "d-sgd"), ("d", Synthetic, "led"))}
    given = {"a": (Mean, "k-gt"), "b": (Synthetic, KGT), "c": (Mean, "d-sgd"), "d": (Synthetic, "led")}
    wrong = []

    def work(name):
        problem, method = given[name]
        for k in range(6):
            out = tmp_path / f"{name}{k}" if k % 3 == 0 else None
            runs = dl.run(problem(), out=out, threads=1 + k % 2, **{**K_GT, "algorithm": method})
            if not same(runs, expected[name]):
                wrong.append((name, k))

    threads = [threading.Thread(target=work, args=(name,)) for name in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_two_runs_do_not_share_a_folder(tmp_path):
    class Late(Mean):
        def loss(self, node, x):
            begun.set()
            free.wait(30)
            return 0.0

    begun, free, ended = threading.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: ended.append(dl.run(Late(), out=tmp_path / "runs", **K_GT)))
    thread.start()
    assert begun.wait(30)
    try:
        with pytest.raises(Exception, match="at work"):
            dl.run(Mean(), out=tmp_path / "runs", force=True, **K_GT)
    finally:
        free.set()
        thread.join()
    assert ended[0][0].outcome == "finished"


def test_a_child_of_fork_may_run_too():
    told = done("""if True:
        import os, driftless as dl
        from conftest import K_GT, Mean, digest
        before = digest(dl.run(Mean(), threads=2, **K_GT))
        for _ in range(3):
            child = os.fork()
            if child == 0:
                os._exit(0 if digest(dl.run(Mean(), threads=2, **K_GT)) == before else 1)
            print(os.waitpid(child, 0)[1], digest(dl.run(Mean(), threads=2, **K_GT)) == before)
    """)
    assert told == "0 True\n" * 3


def test_worker_processes_may_run(tmp_path):
    done("""if True:
        import multiprocessing, driftless as dl
        from conftest import K_GT, Mean, digest
        def work(seed):
            return digest(dl.run(Mean(), seed=seed, threads=1, **K_GT))
        expected = [work(seed) for seed in range(1, 5)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(work, range(1, 5)) == expected
    """)


def test_runs_outlive_their_problem_and_can_be_copied_in_parts():
    runs = dl.run(Mean(), **K_GT)
    models = runs[0].models
    del runs
    assert models.sum() != 0
    assert np.array_equal(np.asarray(models), models.copy())


def test_a_callback_that_warns_or_prints_is_let_do_so(capsys):
    class Talks(Mean):
        def loss(self, node, x):
            warnings.warn("far away", RuntimeWarning, stacklevel=2)
            print("asked", node)
            return 0.0

    with pytest.warns(RuntimeWarning, match="far away"):
        dl.run(Talks(), threads=2, **{**K_GT, "rounds": 1})
    assert "asked 7" in capsys.readouterr().out


def test_a_deep_recursion_in_a_callback_is_a_recursion_error():
    class Deep(Mean):
        def loss(self, node, x):
            return self.loss(node, x)

    with pytest.raises(RecursionError):
        dl.run(Deep(), threads=2, **K_GT)


def test_an_exit_in_a_callback_is_an_exit():
    status, _, err = finish(start("""if True:
        import sys, driftless as dl
        from conftest import K_GT, Mean
        class Leaves(Mean):
            def loss(self, node, x):
                sys.exit(7)
        dl.run(Leaves(), threads=2, **K_GT)
    """))
    assert status == 7 and err == ""


def test_memory_that_there_is_not_is_a_memory_error():
    class Vast(dl.Problem):
        nodes, dim = 4, 10**13

        def gradient(self, node, x, draw):
            return x

        def loss(self, node, x):
            return 0.0

    with pytest.raises((MemoryError, dl.InputError)):
        dl.run(Vast(), **K_GT)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no /proc")
def test_runs_leave_no_files_open(tmp_path):
    def files():
        return len(os.listdir("/proc/self/fd"))

    dl.run(Mean(), out=tmp_path / "a", **K_GT)
    before = files()
    for k in range(5):
        dl.run(Mean(), out=tmp_path / f"b{k}", **K_GT)
        with pytest.raises(dl.ConfigError):
            dl.run(Mean(), out=tmp_path / "a", **K_GT)
    assert files() == before
