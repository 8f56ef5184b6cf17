"""A method of Python: the bits of C++, options as keys, and every fault a clear exception."""
from typing import Annotated, ClassVar

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Mean, Synthetic, fault_of, same, synthetic_in_cpp


class StepByStep(KGT):
    """K-GT with its local steps in Python."""

    name = "k-gt-step-by-step"

    def local_steps(self, y, t, correction=None, steps=None):
        for k in range(self.K):
            y -= self.rate(t) * (self.gradients(y, t, k) + correction)


class HeavyBall(dl.Algorithm):
    """D-SGD with momentum.

    Not told in lists.
    """

    momentum: Annotated[float, "how much of the last step is kept"] = 0.9
    nesterov: bool = False
    vectors_an_edge: ClassVar[int] = 1

    def begin(self):
        self.m = self.rows("m")

    def round(self, t):
        g = self.gradients(self.x, t)
        self.m[:] = self.momentum * self.m + g
        self.x -= self.rate(t) * (g + self.momentum * self.m if self.nesterov else self.m)
        self.mix(t, self.x)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("problem", [synthetic_in_cpp(), Synthetic(), Mean()])
def test_k_gt_in_python_gives_the_bits_of_cpp(problem, threads):
    options = {**K_GT, "algorithm": ["k-gt", KGT, StepByStep], "drift": True}
    cpp, python, by_steps = dl.run(problem, threads=threads, **options)
    for other in (python, by_steps):
        assert np.array_equal(cpp.models, other.models)
        for column in ("gradients", "bytes_total", "bytes_busiest", "drift", "correction_error"):
            assert np.array_equal(cpp[column], other[column], equal_nan=True), column
    assert cpp["drift"][-1] > 0


def test_the_same_in_float_and_with_a_schedule_and_a_communication_rate():
    options = {**K_GT, "communication_rate": 0.5, "schedule": dict(kind="cosine", warmup_rounds=3)}
    for dtype in (np.float32, np.float64):
        cpp, python = dl.run(Synthetic(dtype=dtype), **{**options, "algorithm": ["k-gt", KGT]})
        assert np.array_equal(cpp.models, python.models)


def test_averages_go_through_the_server():
    class FedAvg(dl.Algorithm):
        def round(self, t):
            y = self.x.copy()
            self.local_steps(y, t)
            self.x += self.communication_rate * (y - self.x)
            self.average(self.x)

    options = {**K_GT, "algorithm": ["fedavg", FedAvg], "communication_rate": 0.7}
    cpp, python = dl.run(Synthetic(), **options)
    np.testing.assert_allclose(python.models, cpp.models, rtol=1e-14)
    assert np.array_equal(cpp["bytes_total"], python["bytes_total"])


def test_lazy_mixing_is_half_of_it():
    class OnlyMixes(dl.Algorithm):
        halved: bool = False

        def round(self, t):
            self.mix(t, self.x, lazy=self.halved)

    class Apart(Mean):
        def start(self, node):
            return np.full(3, float(node == 0))

    plain, lazy = dl.run(Apart(), algorithm=OnlyMixes, halved=[False, True], local_rate=1.0, rounds=1)
    np.testing.assert_allclose(plain.models[[0, 1, 2], 0], [1 / 3, 1 / 3, 0])
    np.testing.assert_allclose(lazy.models[[0, 1, 2], 0], [2 / 3, 1 / 6, 0])


def test_options_are_keys_that_can_be_swept():
    runs = dl.run(Mean(), algorithm=HeavyBall, momentum=[0.0, 0.5], local_rate=0.1, rounds=20)
    d_sgd = dl.run(Mean(), algorithm="d-sgd", local_rate=0.1, rounds=20)
    np.testing.assert_allclose(runs[0].models, d_sgd[0].models, rtol=1e-13)
    assert not np.allclose(runs[1].models, runs[0].models)
    assert runs.frame.columns[0] == "momentum" and runs.only(momentum=0.5)[0] is runs[1]
    default = dl.run(Mean(), algorithm=HeavyBall, local_rate=0.1, rounds=1)[0]
    assert default.settings["algorithm.momentum"] == 0.9
    assert default.settings["algorithm.nesterov"] is False
    assert fault_of(Mean(), algorithm=HeavyBall, momentun=0.1, local_rate=0.1, rounds=1) == (
        "dl.run(momentun=...): unknown key momentun; did you mean algorithm.momentum?")
    assert "expected a number" in fault_of(Mean(), algorithm=HeavyBall, momentum="much",
                                           local_rate=0.1, rounds=1)
    assert "it belongs to heavy-ball" in fault_of(Mean(), algorithm="k-gt", momentum=0.1,
                                                  local_rate=0.1, rounds=1)


def test_a_method_is_listed_once_it_was_used():
    dl.run(Mean(), algorithm=HeavyBall, local_rate=0.1, rounds=1)
    about = dl.algorithms["heavy-ball"]
    assert about["title"] == "HeavyBall" and about["summary"] == "D-SGD with momentum."
    assert [(option["name"], option["default"], option["doc"]) for option in about["options"]] == [
        ("momentum", 0.9, "how much of the last step is kept"), ("nesterov", False, "")]
    assert [key["default"] for key in dl.keys if key["name"] == "algorithm.momentum"] == [0.9]


def test_a_class_that_is_defined_again_takes_the_place_of_the_old_one():
    def defined(factor):
        class Again(dl.Algorithm):
            step: float = factor

            def round(self, t):
                self.x -= self.step

        return Again

    first, second = defined(1.0), defined(2.0)
    for method, expected in ((first, -3.0), (second, -6.0), (second, -6.0), (first, -3.0)):
        run = dl.run(Mean(), algorithm=method, local_rate=1.0, rounds=3)[0]
        assert (run.models == expected).all()


def fault(kind, body, **attributes):
    method = type("Faulty", (dl.Algorithm,), {"round": body, **attributes})
    with pytest.raises(kind) as caught:
        dl.run(Mean(), algorithm=method, local_rate=0.1, rounds=2)
    return str(caught.value)


def test_rows_of_a_wrong_shape_or_type_are_told():
    def on(function):
        return lambda self, t: function(self, t)

    wrong_shape = "found an array of shape (3, 3), expected (8, 3): a row for each hosted node"
    assert f"mix: {wrong_shape}" in fault(ValueError, on(lambda self, t: self.mix(t, self.x[:3])))
    assert f"average: {wrong_shape}" in fault(
        ValueError, on(lambda self, t: self.average(self.x[:3])))
    assert f"gradients: {wrong_shape}" in fault(
        ValueError, on(lambda self, t: self.gradients(self.x[:3], t)))
    assert f"local_steps: {wrong_shape}" in fault(
        ValueError, on(lambda self, t: self.local_steps(self.x[:3], t)))
    assert f"local_steps: {wrong_shape}" in fault(
        ValueError, on(lambda self, t: self.local_steps(self.x, t, self.x[:3])))
    for wrong in (lambda x: x.astype(np.float32), lambda x: x.tolist(),
                  lambda x: np.asfortranarray(np.ones((8, 3)))):
        assert "mix: expected arrays of float64 in C order" in fault(
            TypeError, on(lambda self, t, wrong=wrong: self.mix(t, wrong(self.x))))
    assert "mix: give one array or more" in fault(TypeError, on(lambda self, t: self.mix(t)))


def test_other_misuse_is_told():
    def read_only(self, t):
        y = self.x.copy()
        y.flags.writeable = False
        self.mix(t, y)

    assert "the array is read-only" in fault(ValueError, read_only)
    assert "make all rows in begin()" in fault(ValueError, lambda self, t: self.rows("late"))
    assert "at least one step" in fault(
        ValueError, lambda self, t: self.local_steps(self.x.copy(), t, steps=0))
    assert "no round(self, t)" in fault(NotImplementedError, dl.Algorithm.round)
    assert "no full_gradient" in fault(
        TypeError, lambda self, t: self.gradients(self.x, t, full=True))


@pytest.mark.parametrize("where", ["begin", "round"])
def test_exceptions_arrive_as_themselves(where):
    def fail(self, *arguments):
        raise LookupError(where)

    with pytest.raises(LookupError, match=where) as caught:
        dl.run(Mean(), algorithm=type("Fails", (KGT,), {where: fail, "name": f"fails-{where}"}),
               local_rate=0.1, rounds=2)
    assert caught.traceback[-1].name == "fail"


def test_a_method_that_is_kept_knows_that_its_run_is_over():
    kept = []

    class Kept(HeavyBall):
        def begin(self):
            super().begin()
            kept.append(self)

    dl.run(Mean(), algorithm=Kept, local_rate=0.1, rounds=2)
    assert kept[0].m.shape == (8, 3)
    with pytest.raises(RuntimeError, match="Kept has no rows outside of a run"):
        kept[0].x


def test_a_method_whose_options_make_no_sense_is_refused():
    for annotations, attributes, words in (
            ({"x": float}, {"x": 1.0}, "Odd.x: every method has something of that name"),
            ({"depth": dict}, {"depth": {}}, r"Odd.depth = {}: an option is a bool, an int"),
            ({"depth": list}, {"depth": [1, "a"]}, "an option is a bool")):
        odd = type("Odd", (KGT,), {"__annotations__": annotations, "name": "odd", **attributes})
        with pytest.raises(TypeError, match=words):
            dl.run(Mean(), algorithm=odd, local_rate=0.1, rounds=1)


def test_a_whole_number_is_a_default_of_a_float():
    class Whole(HeavyBall):
        momentum: float = 0

    run = dl.run(Mean(), algorithm=Whole, local_rate=0.1, rounds=1, momentum=0.25)[0]
    assert run.settings["algorithm.momentum"] == 0.25


def test_what_a_method_knows():
    known = []

    class Knows(dl.Algorithm):
        def round(self, t):
            known.append((t, self.nodes, self.hosted, self.K, self.communication_rate))
            assert self.draw(2, t, 1).seed == dl.Draw(5, 2, t, 1).seed

    dl.run(Mean(), algorithm=Knows, local_rate=0.1, local_steps=3, rounds=2, seed=5,
           communication_rate=0.5)
    assert known == [(0, 8, range(8), 3, 0.5), (1, 8, range(8), 3, 0.5)]


def test_lost_nodes_give_back_their_flows_and_begin_again():
    faults = dict(crash=0.05, join_after=5, seed=3)
    options = {**K_GT, "rounds": 40, "faults": faults}
    cpp, python = dl.run(Mean(), **{**options, "algorithm": ["k-gt", KGT]})
    assert cpp["members"].min() < 8
    assert np.array_equal(cpp["members"], python["members"])
    assert np.array_equal(cpp.models, python.models)
    assert (python["correction_sum"] < 1e-12).all()


def test_runs_side_by_side_have_methods_of_their_own():
    runs = dl.run(Mean(), algorithm=[HeavyBall, KGT], repetitions=4, local_rate=0.05, rounds=10,
                  threads=4)
    for run in runs:
        method = HeavyBall if run.settings["algorithm.kind"] == "heavy-ball" else KGT
        alone = dl.run(Mean(), algorithm=method, seed=run.settings["run.seed"], local_rate=0.05,
                       rounds=10)
        assert same(dl.Runs([run]), alone)
